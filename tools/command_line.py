"""Writes docs/command-line.md from `firstbad COMMAND --help`.

`make generate` builds the program and runs this. `python tools/command_line.py PROGRAM` uses another program.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/command-line.md"

HEAD = """\
<!-- Generated from `firstbad --help` by `make generate`; do not edit. -->
# Command line

`firstbad COMMAND -h` prints the common options of a command, and `firstbad COMMAND --help` prints all of them.
`firstbad.toml` can contain the settings of a project, see [configuration](configuration.md).
`firstbad help exit-codes` prints the [exit codes](exit-codes.md).
"""

HEADING = re.compile(r"^(\S.*):$")
ITEM = re.compile(r"^ {2,6}([-<\[]\S.*?|[a-z][a-z-]*)(?: {2,}(\S.*))?$")


def printed(program: Sequence[str], *words: str) -> str:
    """Returns the output of a command."""
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run([*program, *words], capture_output=True, text=True, check=True, env=environment)
    return done.stdout


def commands(text: str) -> list[str]:
    """Returns the commands in the help of the program, in its order."""
    body = text.split("\nOptions:", 1)[0].split("Usage:", 1)[1]
    return re.findall(r"^  ([a-z]+) {2,}", body, re.MULTILINE)


def paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Yields the paragraphs of a description; the values of an option are one paragraph each."""
    words: list[str] = []
    for line in [*lines, ""]:
        text = line.strip()
        if words and (not text or text.startswith(("- ", "["))):
            yield " ".join(words)
            words = []
        if text:
            words.append(re.sub(r"(?<=:) {2,}", " ", text))


def described(lines: Sequence[str]) -> str:
    """Returns a description in one line."""
    parts = [part for part in paragraphs(lines) if part != "Possible values:"]
    values = [part.removeprefix("- ") for part in parts if part.startswith("- ")]
    notes = [part for part in parts if part.startswith("[")]
    sentences = [part if part[-1] in ".:" else f"{part}." for part in parts if not part.startswith(("- ", "["))]
    if values:
        pairs = [value.partition(": ") for value in values]
        listed = [f"`{name}` ({about})" if about else f"`{name}`" for name, _, about in pairs]
        sentences.append(f"Values: {', '.join(listed)}.")
    return " ".join([*sentences, *notes])


def section(name: str, lines: Sequence[str], known: dict[str, str], same: list[str]) -> Iterator[str]:
    """Yields the Markdown of a section of a help text.

    Options of `firstbad run`, which `known` contains, are described once. They are added to `same`.
    """
    items: list[tuple[str, list[str]]] = []
    for line in lines:
        found = ITEM.match(line)
        if found:
            items.append((found[1], [found[2] or ""]))
        elif items:
            items[-1][1].append(line)
    described_items = []
    for item, about in items:
        text = described(about)
        if known.get(item) == text:
            same.append(f"`{item.split(' <')[0].split(' [')[0]}`")
        else:
            described_items.append(f"- `{item}`: {text}")
    if described_items:
        yield "\n".join([f"**{name}**\n", *described_items, ""])


def command(program: Sequence[str], name: str, known: dict[str, str]) -> Iterator[str]:
    """Yields the Markdown of a command."""
    about, rest = printed(program, name, "--help").split("Usage: ", 1)
    usage, *lines = rest.splitlines()
    yield f"## firstbad {name}\n"
    yield from (f"{part if part[-1] in '.:' else part + '.'}\n" for part in paragraphs(about.splitlines()))
    yield f"```text\n{usage}\n```\n"
    same: list[str] = []
    sections: list[tuple[str, list[str]]] = []
    for line in lines:
        found = HEADING.match(line)
        if found:
            sections.append((found[1], []))
        elif sections:
            sections[-1][1].append(line)
    for heading, body in sections:
        if heading == "Examples":
            shown = "\n".join(line[2:] for line in body if line.startswith("  "))
            yield f"**Examples**\n\n```text\n{shown}\n```\n"
        elif heading != "Global options":
            yield from section(heading, body, known, same)
    if same:
        yield f"As in [`firstbad run`](#firstbad-run): {', '.join(same)}.\n"


def page(program: Sequence[str]) -> str:
    """Returns the page."""
    text = printed(program, "--help")
    parts = [HEAD]
    options = text.split("\nOptions:\n", 1)[1].split("\n`firstbad", 1)[0].splitlines()
    parts += section("Options of every command", options, {}, [])
    known: dict[str, str] = {}
    for name in commands(text):
        of_command = list(command(program, name, known))
        if name == "run":
            known = dict(re.findall(r"^- `([^`]+)`: (.*)$", "\n".join(of_command), re.MULTILINE))
        parts += of_command
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def main() -> None:
    """Writes the page."""
    built = sorted(ROOT.glob("target/**/debug/firstbad"), key=lambda path: path.stat().st_mtime)
    program = sys.argv[1:] or [str(path) for path in built[-1:]]
    if not program:
        raise SystemExit("error: the program is not built\nhelp: run `cargo build -p firstbad-cli`")
    PAGE.write_text(page(program))


if __name__ == "__main__":
    main()
