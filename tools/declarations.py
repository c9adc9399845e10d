"""Shared code for the generated types of options and of reports."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
WIDTH = 120

Schema = dict[str, Any]


def camel_case(name: str) -> str:
    """Returns a name as JavaScript writes it."""
    return re.sub(r"_([a-z0-9])", lambda letter: letter[1].upper(), name)


def in_python(description: str) -> str:
    """Returns a description with options as Python writes them: `find="fix"`."""
    values = {" = true`": "=True`", " = false`": "=False`"}

    def spelled(code: re.Match[str]) -> str:
        text = code[0]
        for written, value in values.items():
            text = text.replace(written, value)
        return text.replace(" = ", "=")

    return re.sub(r"`[^`]*`", spelled, description)


def in_node(description: str, names: set[str]) -> str:
    """Returns a description with options as JavaScript writes them: `find: "fix"`, `flakeRate`."""

    def spelled(code: re.Match[str]) -> str:
        return re.sub(
            r"\w+", lambda word: camel_case(word[0]) if word[0] in names else word[0], code[0].replace(" = ", ": ")
        )

    return re.sub(r"`[^`]*`", spelled, description)


def wrapped(text: str, first: str, rest: str) -> list[str]:
    """Returns the lines of a text."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def tsdoc(text: str, indent: str = "") -> list[str]:
    """Returns the lines of a comment in TypeScript."""
    single = f"{indent}/** {text} */"
    if len(single) <= WIDTH:
        return [single]
    return [f"{indent}/**", *wrapped(text, f"{indent} * ", f"{indent} * "), f"{indent} */"]
