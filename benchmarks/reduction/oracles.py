"""Oracles for files of other projects: does a tool still say a certain thing about the file, and nothing worse?

`oracles.py KIND ARGUMENT... FILE`. Exit codes: 0 interesting, 1 not, 2 a tool that it needs is not there.

- `c OPTION FUNCTION MESSAGE`: gcc has no errors, and warns so in this function ("" for outside of all).
- `python RULE MESSAGE`: Python compiles the file, and ruff reports so under this rule.
- `javascript RULE SPAN MESSAGE`: Node parses the file, and biome reports so under this rule, at this text.
- `shell RULE MESSAGE`: bash parses the file, and shellcheck reports so under this rule.
- `ruby STATEMENT`: Ruby parses the file, and this is a line of it.
- `xml VALUE`: the file is XML, and this is the text of an element or the value of an attribute.
- `metaschema DRAFT MESSAGE`: the file is JSON, and as a schema of this draft (`Draft3Validator`) it is wrong so.
- `schema SCHEMA MESSAGE`: the file is JSON, and is so wrong under the schema in the file SCHEMA.
- `defaults MESSAGE`: the file is a JSON schema, and a default in it is so wrong under the schema that it stands in.
- `raises EXPRESSION MESSAGE`: the file is JSON, `document` in the expression, which raises an error that says so.

A message is found wherever it is part of what the tool says, so that positions and counts can be left out.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

PROJECT = Path(__file__).resolve().parents[2]


def run(*command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def tool(name: str, *places: Path) -> str:
    """The program in one of the places, or on the path."""
    found = shutil.which(name, path=os.pathsep.join(map(str, places))) or shutil.which(name)
    if found is None:
        print(
            f"{name} is not there; it is looked for in {', '.join(map(str, places))} and on the path", file=sys.stderr
        )
        raise SystemExit(2)
    return found


def c(option: str, function: str, message: str, file: Path) -> bool:
    errors = ("-Werror=implicit-function-declaration", "-Werror=implicit-int")
    said = run("gcc", "-std=gnu11", "-fsyntax-only", option, *errors, "-x", "c", str(file))
    within = ""
    for line in said.stderr.splitlines():
        if ": In function '" in line:
            within = line.split("'")[1]
        elif line.endswith(": At top level:"):
            within = ""
        elif " warning: " in line and line.endswith(f"[{option}]") and within == function and message in line:
            return said.returncode == 0
    return False


def python(rule: str, message: str, file: Path) -> bool:
    try:
        compile(file.read_bytes(), "candidate", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    ruff = tool("ruff", Path(sys.executable).parent, PROJECT / ".venv" / "bin")
    options = ("--isolated", "--no-cache", "--target-version=py311", "--output-format=json", f"--select={rule}")
    said = json.loads(run(ruff, "check", *options, str(file)).stdout)
    return all(one["code"] == rule for one in said) and any(message in one["message"] for one in said)


def javascript(rule: str, span: str, message: str, file: Path) -> bool:
    if run("node", "--check", str(file)).returncode != 0:
        return False
    packages = PROJECT / "node" / "node_modules"
    biome = tool("biome", *packages.glob("@biomejs/cli-*"), packages / ".bin")
    options = ("--reporter=json", "--max-diagnostics=none", f"--only={rule}")
    said = json.loads(run(biome, "lint", *options, file.name, folder=file.parent).stdout)
    lines = file.read_text(encoding="utf-8").split("\n")
    for one in said["diagnostics"]:
        start, end = one["location"]["start"], one["location"]["end"]
        there = lines[start["line"] - 1][start["column"] - 1 :]
        if start["line"] == end["line"]:
            there = there[: end["column"] - start["column"]]
        if one["category"] == f"lint/{rule}" and message in one["message"] and there.strip() == span:
            return True
    return False


def shell(rule: str, message: str, file: Path) -> bool:
    if run("bash", "-n", str(file)).returncode != 0:
        return False
    said = run(tool("shellcheck"), "--format=gcc", "--shell=bash", str(file)).stdout
    return any(line.endswith(f"[{rule}]") and message in line for line in said.splitlines())


def ruby(statement: str, file: Path) -> bool:
    parses = run(tool("ruby"), "-c", str(file)).returncode == 0
    return parses and statement in map(str.strip, file.read_text(encoding="utf-8", errors="replace").splitlines())


def xml(value: str, file: Path) -> bool:
    try:
        document = ElementTree.fromstring(file.read_bytes())
    except ElementTree.ParseError:
        return False
    return any(value == (one.text or "").strip() or value in one.attrib.values() for one in document.iter())


def metaschema(draft: str, message: str, file: Path) -> bool:
    jsonschema = import_module("jsonschema")
    validator = getattr(jsonschema, draft)
    meta = validator(validator.META_SCHEMA)
    return any(message in error.message for error in meta.iter_errors(json.loads(file.read_bytes())))


def schema(path: str, message: str, file: Path) -> bool:
    jsonschema = import_module("jsonschema")
    validator = jsonschema.Draft7Validator(json.loads(Path(path).read_bytes()))
    return any(message in error.message for error in validator.iter_errors(json.loads(file.read_bytes())))


def inner(document: Any) -> Iterator[dict[str, Any]]:
    """All objects in a document, outer ones first."""
    if isinstance(document, dict):
        yield document
        document = list(document.values())
    if isinstance(document, list):
        for value in document:
            yield from inner(value)


def defaults(message: str, file: Path) -> bool:
    jsonschema = import_module("jsonschema")
    document = json.loads(file.read_bytes())
    validator = jsonschema.Draft7Validator
    if not validator(validator.META_SCHEMA).is_valid(document):
        return False
    for one in inner(document):
        if "default" in one and isinstance(one.get("type"), str):
            errors = validator({"type": one["type"]}).iter_errors(one["default"])
            if any(message in error.message for error in errors):
                return True
    return False


def raises(expression: str, message: str, file: Path) -> bool:
    document = json.loads(file.read_bytes())
    try:
        eval(expression, {"document": document, "inner": inner})
    except Exception as error:
        return message in f"{type(error).__name__}: {error}"
    return False


KINDS: dict[str, Callable[..., bool]] = {
    one.__name__: one for one in (c, python, javascript, shell, ruby, xml, metaschema, schema, defaults, raises)
}


def interesting(kind: str, *arguments: str, file: Path) -> bool:
    try:
        return KINDS[kind](*arguments, file)
    except (ValueError, RecursionError):  # not JSON, not UTF-8
        return False


def main() -> int:
    *words, file = sys.argv[1:]
    return 0 if interesting(*words, file=Path(file).resolve()) else 1


if __name__ == "__main__":
    sys.exit(main())
