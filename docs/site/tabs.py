"""Shows the same example in several languages as tabs.

In the Markdown files, a block of Python is followed by its output, a block of JavaScript, and its output. If only blank
lines separate such blocks, they become tabs. A shell session directly before or after them also becomes a tab. The
reader's choice of a language applies to all pages.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

NAMES = {"console": "Command line", "python": "Python", "js": "Node"}
BLOCK = re.compile(r"^(`{3,})(?P<language>\w*)\n(?:.*\n)*?\1\n+", re.MULTILINE)


def grouped(text: str) -> str:
    """Returns the page with tabs for each group of blocks that contains Python and JavaScript."""
    done, end = [], 0
    for examples in groups(text):
        if {"python", "js"} <= {language for language, _, _ in examples}:
            done += [text[end : examples[0][1]], tabs(text, examples)]
            end = examples[-1][2]
    return "".join([*done, text[end:]])


def groups(text: str) -> list[list[tuple[str, int, int]]]:
    """Returns groups of adjacent examples in different languages: language, start, and end of the output."""
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
    """Returns the examples as tabs of sphinx-design."""
    parts = ["::::{tab-set}\n:sync-group: language\n\n"]
    for language, start, end in examples:
        parts.append(f":::{{tab-item}} {NAMES[language]}\n:sync: {language}\n\n{text[start:end].rstrip()}\n:::\n\n")
    return "".join([*parts, "::::\n\n"])


def read(_app: Sphinx, page: str, content: list[str]) -> None:
    """Adds tabs to a page before Sphinx parses it."""
    if not page.startswith("reference/"):
        content[0] = grouped(content[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the extension."""
    app.connect("source-read", read)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
