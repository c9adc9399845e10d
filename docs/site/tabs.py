"""Examples of one thing in several languages, side by side as tabs.

The pages have them one below the other, as they are read on GitHub: a block of Python, one of JavaScript, each followed
by what it prints. Where nothing but blank lines stands between such blocks they become tabs, and so does a session in a
shell beside them. One choice holds for all pages.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

NAMES = {"console": "Command line", "python": "Python", "js": "Node"}
BLOCK = re.compile(r"^(`{3,})(?P<language>\w*)\n(?:.*\n)*?\1\n+", re.MULTILINE)


def grouped(text: str) -> str:
    """The page with tabs for each group of blocks in different languages, at least Python and JavaScript."""
    done, end = [], 0
    for examples in groups(text):
        if {"python", "js"} <= {language for language, _, _ in examples}:
            done += [text[end : examples[0][1]], tabs(text, examples)]
            end = examples[-1][2]
    return "".join([*done, text[end:]])


def groups(text: str) -> list[list[tuple[str, int, int]]]:
    """Examples that follow one another, each in another language: the language, its start, the end of its output."""
    found: list[list[tuple[str, int, int]]] = []
    last = None
    for block in BLOCK.finditer(text):
        language, start = block["language"], block.start()
        beside = last == start
        if language == "text" and beside and found:
            name, begin, _ = found[-1][-1]
            found[-1][-1] = (name, begin, block.end())
        elif language not in NAMES:
            last = None
            continue
        elif beside and found and language not in {name for name, _, _ in found[-1]}:
            found[-1].append((language, start, block.end()))
        else:
            found.append([(language, start, block.end())])
        last = block.end()
    return found


def tabs(text: str, examples: list[tuple[str, int, int]]) -> str:
    """The examples as tabs of sphinx-design."""
    parts = ["::::{tab-set}\n:sync-group: language\n\n"]
    for language, start, end in examples:
        parts.append(f":::{{tab-item}} {NAMES[language]}\n:sync: {language}\n\n{text[start:end].rstrip()}\n:::\n\n")
    return "".join([*parts, "::::\n\n"])


def read(_app: Sphinx, page: str, content: list[str]) -> None:
    """Before a page is parsed."""
    if not page.startswith("reference/"):
        content[0] = grouped(content[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Connects to Sphinx."""
    app.connect("source-read", read)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
