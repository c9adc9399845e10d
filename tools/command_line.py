"""Writes docs/command-line.md from `firstbad COMMAND --help`.

`make generate` builds the program and runs this. `python tools/command_line.py PROGRAM` uses another program.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/command-line.md"

HEAD = """\
<!-- Generated from `firstbad --help` by `make generate`; do not edit. -->
# Command line

`firstbad COMMAND -h` prints the common options of a command, and `firstbad COMMAND --help` prints all of them.
`firstbad.toml` can contain the settings of a project, see [configuration](configuration.md).
`firstbad help exit-codes` prints the [exit codes](exit-codes.md), and `firstbad help metric` the options of
[`firstbad run --metric`](#firstbad-run---metric).
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


FEW = 20
"""A command with fewer options has one list of them, without headings."""

Items = list[tuple[str, str]]


def options(lines: Sequence[str]) -> Items:
    """Returns the options of a section of a help text, with their descriptions."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        item = ITEM.match(line)
        if item:
            found.append((item[1], [item[2] or ""]))
        elif found:
            found[-1][1].append(line)
    return [(item, described(about)) for item, about in found]


def listed(name: str, items: Items) -> str:
    """Returns the Markdown of options, below a heading if it has a name."""
    heading = [f"**{name}**\n"] if name else []
    return "\n".join([*heading, *(f"- `{item}`: {text}" for item, text in items), ""])


def sections(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yields the sections of a help text with their lines."""
    name = ""
    body: list[str] = []
    for line in lines:
        found = HEADING.match(line)
        if found:
            yield name, body
            name, body = found[1], []
        else:
            body.append(line)
    yield name, body


def command(program: Sequence[str], name: str, known: Mapping[str, Items]) -> tuple[str, Items]:
    """Returns the Markdown of a command, and the options that it describes.

    Options of the commands in `known` are described there.
    """
    about, rest = printed(program, name, "--help").split("Usage: ", 1)
    usage, *lines = rest.splitlines()
    parts = [f"## firstbad {name}\n"]
    parts += (f"{part if part[-1] in '.:' else part + '.'}\n" for part in paragraphs(about.splitlines()))
    parts.append(f"```text\n{usage}\n```\n")
    own: dict[str, Items] = {}
    same: dict[str, list[str]] = {}
    examples = []
    for heading, body in sections(lines):
        if heading == "Examples":
            shown = "\n".join(line[2:] for line in body if line.startswith("  "))
            examples.append(f"**Examples**\n\n```text\n{shown}\n```\n")
        elif heading and heading != "Global options":
            for item in options(body):
                other = next((other for other, items in known.items() if item in items), None)
                if other:
                    same.setdefault(other, []).append(f"`{item[0].split(' <')[0].split(' [')[0]}`")
                else:
                    own.setdefault(heading, []).append(item)
    described_here = [item for items in own.values() for item in items]
    if len(described_here) < FEW:
        own = {"": described_here} if described_here else {}
    parts += [*(listed(*one) for one in own.items()), *examples]
    parts += (f"As in [`firstbad {other}`](#firstbad-{other}): {', '.join(items)}.\n" for other, items in same.items())
    return "\n".join(parts), described_here


def metric(program: Sequence[str]) -> str:
    """Returns the Markdown of `firstbad help metric`."""
    about, rest = printed(program, "help", "metric").split("Usage: ", 1)
    usage, *lines = rest.splitlines()
    parts = ["## firstbad run --metric\n"]
    parts += (f"{part if part[-1] in '.:' else part + '.'}\n" for part in paragraphs(about.splitlines()))
    parts.append(f"```text\n{usage}\n```\n")
    for heading, body in sections(lines):
        if heading == "Kinds":
            kinds = [re.split(r"  +", line.strip(), maxsplit=1) for line in body if line.strip()]
            parts.append("\n".join([*(f"- `{kind}`: {text}." for kind, text in kinds), ""]))
        elif heading == "Options":
            parts.append(listed("", [item for item in options(body) if not item[0].startswith("--metric ")]))
        elif heading == "Examples":
            shown = "\n".join(line[2:] for line in body if line.startswith("  "))
            parts.append(f"**Examples**\n\n```text\n{shown}\n```\n")
    return "\n".join(parts)


def page(program: Sequence[str]) -> str:
    """Returns the page."""
    text = printed(program, "--help")
    of_every_command = text.split("\nOptions:\n", 1)[1].split("\n`firstbad", 1)[0].splitlines()
    parts = [HEAD, listed("Options of every command", options(of_every_command))]
    known: dict[str, Items] = {}
    for name in commands(text):
        part, items = command(program, name, known)
        parts.append(part)
        if name == "run":
            parts.append(metric(program))
        if name in ("run", "triage"):
            known[name] = items
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
