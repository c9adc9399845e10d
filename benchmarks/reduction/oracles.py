"""Files to reduce, with their oracles: whether a content still parses and still has its fault."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BIOME = ROOT / "node/node_modules/.bin/biome"
RUFF = ("--isolated", "--no-cache", "--target-version=py311", "--output-format=json", "--select=PLW2901")

ERRORS = ("-Werror=implicit-function-declaration", "-Werror=implicit-int")
COMPILE = ("cc", "-std=c11", "-fsyntax-only", "-Wformat", *ERRORS, "-x", "c", "-")
FORMAT = b"expects argument of type 'int', but argument "


def program(content: bytes) -> bool:
    """C: `cents` is printed as if it were an int."""
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(COMPILE, input=content, env=environment, capture_output=True, check=False)
    after = done.stderr.partition(FORMAT)[2]
    return done.returncode == 0 and b"has type 'cents'" in after


def document(content: bytes) -> bool:
    """JSON: a worker retries without a limit, and the default has a limit."""
    try:
        found = json.loads(content)
        workers = [worker for pool in found["pools"] for worker in pool.get("workers", [])]
        limits = [worker.get("retries", {}).get("limit", 0) for worker in workers]
        return isinstance(found["defaults"]["worker"]["retries"]["limit"], int) and None in limits
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        return False


def run(*command: str | Path, content: bytes | None = None, folder: Path | None = None) -> subprocess.CompletedProcess:
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(command, cwd=folder, env=environment, input=content or b"", capture_output=True, check=False)


def conversion(content: bytes) -> bool:
    """C: gcc says that `count` converts a number to a smaller type."""
    said = run("gcc", "-std=gnu11", "-fsyntax-only", "-Wconversion", *ERRORS, "-x", "c", "-", content=content)
    function = ""
    for line in said.stderr.decode(errors="replace").splitlines():
        if ": In function '" in line:
            function = line.split("'")[1]
        elif "conversion from 'long unsigned int' to 'int' may change value" in line and function == "count":
            return said.returncode == 0
    return False


def versions(content: bytes) -> bool:
    """JSON: a version is no number."""
    try:
        for one in inner(json.loads(content)):
            float(one.get("version_added", 0))
    except ValueError as error:
        return str(error) == "could not convert string to float: '1.0.0'"
    except (RecursionError, TypeError):
        return False
    return False


def inner(document: Any) -> Iterator[dict[str, Any]]:
    """Yields all objects in a document, outer ones first."""
    if isinstance(document, dict):
        yield document
        document = list(document.values())
    if isinstance(document, list):
        for value in document:
            yield from inner(value)


def overwritten(content: bytes) -> bool:
    """Python: ruff says that a loop variable is overwritten, and nothing else."""
    try:
        compile(content, "candidate", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    ruff = shutil.which("ruff", path=os.pathsep.join([str(ROOT / ".venv/bin"), os.environ["PATH"]])) or "ruff"
    said = json.loads(run(ruff, "check", *RUFF, "-", content=content).stdout)
    is_there = any("loop variable `result` overwritten" in one["message"] for one in said)
    return is_there and all(one["code"] == "PLW2901" for one in said)


def redeclared(content: bytes) -> bool:
    """JavaScript: biome says that `colonIndex` is declared twice."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "candidate.js"
        file.write_bytes(content)
        if run("node", "--check", file).returncode != 0:
            return False
        done = run(BIOME, "lint", "--reporter=json", "--only=suspicious/noRedeclare", file.name, folder=file.parent)
        said = [one["message"] for one in json.loads(done.stdout)["diagnostics"]]
    return any("'colonIndex' is redeclared in the same scope" in one for one in said)


def chart(content: bytes) -> bool:
    """XML: a member has this name."""
    try:
        document = ElementTree.fromstring(content)
    except (ElementTree.ParseError, LookupError, ValueError):
        return False
    return any("T:System.Web.Helpers.Chart" in one.attrib.values() for one in document.iter())


@dataclass(frozen=True)
class File:
    """A file of this folder, or of a commit of a public project."""

    language: str
    judge: Callable[[bytes], bool]
    project: str = ""
    commit: str = ""
    path: str = ""


FILES = {
    "program.c": File("C", program),
    "document.json": File("JSON", document),
    "enough.c": File("C", conversion, "madler/zlib", "d201f04c72b0881220f5ba75ca19fd0e19fa848b", "examples/enough.c"),
    "AbortController.json": File(
        "JSON",
        versions,
        "mdn/browser-compat-data",
        "a0a74f9b2e8bf61b989e82cf1da618cc33791c56",
        "api/AbortController.json",
    ),
    "run.py": File(
        "Python", overwritten, "httpie/cli", "5b604c37c6c67e18e7c3e9aee6c88a8c22b98345", "extras/profiling/run.py"
    ),
    "utils.js": File(
        "JavaScript", redeclared, "expressjs/express", "a3714473feb3d2908add734d340e7755fd85e0a3", "lib/utils.js"
    ),
    "System.Web.Helpers.xml": File(
        "XML",
        chart,
        "SchemaStore/schemastore",
        "3b6446ad8a077bac56f4a4796c0b7fd88927fc8e",
        "src/bin/System.Web.Helpers.xml",
    ),
}
"""The public files were chosen by rule before any reducer ran on them. For each language, there was a kind of message
and a project, and the file is the first one of the project with this message and 200 to 900 lines."""
