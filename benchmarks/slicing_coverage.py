"""Which commits a test seems to need: those that git blame names at the lines that a run of it covers.

One run with all changes, of a program in Python or JavaScript. What commits only removed is not found like that.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

__all__ = ["blamed", "covered", "whole_statements"]

TRACER = """\
import atexit, json, os, sys, threading
folder = os.path.realpath(os.environ["COVERED_FOLDER"]) + os.sep
lines = set()
def trace(frame, event, _):
    if not frame.f_code.co_filename.startswith(folder):
        return None
    lines.add((frame.f_code.co_filename[len(folder):], frame.f_lineno))
    return trace
def write():
    sys.settrace(None)
    with open(os.path.join(os.environ["COVERED"], "python.json"), "w") as file:
        json.dump(sorted(lines), file)
atexit.register(write)
threading.settrace(trace)
sys.settrace(trace)
"""


def covered(work: Path, words: list[str]) -> dict[str, set[int]]:
    """The lines, from 1, that a command covers in the files of a work tree."""
    work = work.resolve()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sitecustomize.py").write_text(TRACER)
        told = {"COVERED": folder, "COVERED_FOLDER": str(work), "PYTHONPATH": folder, "NODE_V8_COVERAGE": folder}
        subprocess.run(words, cwd=work, env={**os.environ, **told}, check=True, capture_output=True)
        found: dict[str, set[int]] = {}
        for file in Path(folder).glob("*.json"):
            seen = json.loads(file.read_text())
            for name, line in seen if isinstance(seen, list) else _in_javascript(work, seen):
                found.setdefault(name, set()).add(line)
    return {
        name: whole_statements((work / name).read_text(), lines) if name.endswith(".py") else lines
        for name, lines in found.items()
    }


def _in_javascript(work: Path, seen: dict) -> Iterable[tuple[str, int]]:
    """Lines of which a part was run, as V8 tells it: ranges, the later ones within the earlier ones."""
    top = work.as_uri() + "/"
    for script in seen["result"]:
        if not script["url"].startswith(top):
            continue
        name = script["url"].removeprefix(top)
        # V8 counts in units of UTF-16.
        text = (work / name).read_text().encode("utf-16-le")
        ran = bytearray(len(text) // 2)
        ranges = [part for function in script["functions"] for part in function["ranges"]]
        for part in sorted(ranges, key=lambda part: (part["startOffset"], -part["endOffset"])):
            start, end = part["startOffset"], min(part["endOffset"], len(ran))
            ran[start:end] = bytes([part["count"] > 0]) * (end - start)
        line = 1
        for at, is_run in enumerate(ran):
            unit = text[2 * at : 2 * at + 2].decode("utf-16-le", "replace")
            if unit == "\n":
                line += 1
            elif is_run and not unit.isspace():
                yield name, line


def whole_statements(text: str, lines: set[int]) -> set[int]:
    """These lines, with all others of the statements that they are in: a run names only some of them."""
    found = set(lines)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno
            statement = range(node.lineno, (end or node.lineno) + 1)
            if not lines.isdisjoint(statement):
                found.update(statement)
    return found


def blamed(repository: Path, base: str, tip: str, lines: dict[str, set[int]], names: tuple[str, ...]) -> list[int]:
    """The indices of the commits among `names` that wrote one of these lines, by first parents."""
    found: set[str] = set()
    for file, wanted in lines.items():
        words = ["git", "blame", "--first-parent", "--porcelain", f"{base}..{tip}", "--", file]
        told = subprocess.run(words, cwd=repository, capture_output=True)
        # Tests and what else is not in the history have no blame.
        said = re.findall(rb"^([0-9a-f]{40}) \d+ (\d+)", told.stdout, re.MULTILINE)
        found.update(sha.decode() for sha, line in said if int(line) in wanted)
    return [index for index, name in enumerate(names) if name in found]
