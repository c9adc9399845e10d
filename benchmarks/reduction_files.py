"""Puts files of public projects, each with an oracle, into a folder: what `reduction_peers.py` is measured on.

python reduction_files.py FOLDER REPOSITORIES [--only NAME] reads `reduction_files.toml`, and takes the files out of the
git directories in REPOSITORIES (OWNER+NAME, OWNER+NAME.git or OWNER+NAME/repo, as `git clone --mirror` makes them).
Nothing is fetched. FOLDER gets `files/LANGUAGE/NAME`, and `oracles/LANGUAGE/NAME`, a program that takes the name of a
candidate and ends with 0 if the candidate is still interesting. Each oracle is asked about its file, and about an
empty one: it has to say yes and no.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomllib

RECIPE = Path(__file__).with_suffix(".toml")
ORACLES = Path(__file__).parent / "reduction" / "oracles.py"
LANGUAGES = ("C", "JSON", "Python", "JavaScript", "Shell", "Ruby", "XML")


@dataclass(frozen=True)
class Case:
    """A file of a project, and what has to stay true of it.

    Attributes:
        language: One of `LANGUAGES`.
        name: How the file is called in the folder; once in each language.
        repository: OWNER/NAME.
        commit: 40 hexadecimal digits.
        path: Of the file, in the commit.
        oracle: What `oracles.py` is told before the name of the file; "{beside}" in it is the path of that file.
        beside: Another file of the same commit that the oracle reads, or "".
    """

    language: str
    name: str
    repository: str
    commit: str
    path: str
    oracle: tuple[str, ...]
    beside: str = ""


def cases(recipe: str | None = None) -> list[Case]:
    """What is in a recipe: TOML, that of `reduction_files.toml` if none is given.

    Raises:
        ValueError: If a language is none of `LANGUAGES`, a commit is not whole, a name comes twice or leads elsewhere.
        TypeError: If something of a file is missing, or nobody knows it.
    """
    told: list[dict[str, Any]] = tomllib.loads(RECIPE.read_text(encoding="utf-8") if recipe is None else recipe)["file"]
    found = [Case(**{**one, "oracle": tuple(one["oracle"])}) for one in told]
    for one in found:
        if one.language not in LANGUAGES:
            raise ValueError(
                f"the language of {one.name} is {one.language!r}; it has to be one of {', '.join(LANGUAGES)}"
            )
        if len(one.commit) != 40 or set(one.commit) - set("0123456789abcdef"):
            raise ValueError(f"the commit of {one.name} is {one.commit!r}; it has to have 40 hexadecimal digits")
        if one.name != Path(one.name).name:
            raise ValueError(f"the name {one.name!r} has to be that of a file, without a folder")
        if sum((other.language, other.name) == (one.language, one.name) for other in found) > 1:
            raise ValueError(f"the name {one.name!r} comes twice in {one.language}; each has to be there once")
    return found


def directory(folder: Path, project: str) -> Path | None:
    """The git directory of a project; None if it is not there."""
    name = project.replace("/", "+")
    names = (name, f"{name}.git", f"{name}/repo")
    return next((folder / one for one in names if (folder / one / "HEAD").exists()), None)


def content(git: Path, commit: str, path: str) -> bytes:
    done = subprocess.run(["git", "-C", git, "cat-file", "blob", f"{commit}:{path}"], capture_output=True, check=True)
    return done.stdout


def placed(one: Case, folder: Path) -> Path:
    """Where the file is in a folder; `oracles` in place of `files` is where its oracle is."""
    return folder / "files" / one.language.lower() / one.name


def words(one: Case, folder: Path) -> list[str]:
    """What the oracle is told before the name of the file."""
    beside = folder / "beside" / one.language.lower() / one.name
    return [word.replace("{beside}", str(beside)) for word in one.oracle]


def made(one: Case, git: Path, folder: Path) -> tuple[Path, Path]:
    """Writes the file and its oracle; returns where they are."""
    file = placed(one, folder)
    oracle, beside = (folder / part / file.relative_to(folder / "files") for part in ("oracles", "beside"))
    for path in (file, oracle, beside):
        path.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content(git, one.commit, one.path))
    if one.beside:
        beside.write_bytes(content(git, one.commit, one.beside))
    command = [sys.executable, "-I", str(ORACLES), *words(one, folder)]
    oracle.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$1"\n')
    oracle.chmod(0o755)
    return file, oracle


def holds(oracle: Path, content: bytes, suffix: str) -> bool:
    """What the oracle says of a content.

    Raises:
        RuntimeError: If it could not judge, as where a tool that it needs is not there: what it said.
    """
    with tempfile.TemporaryDirectory() as folder:
        candidate = Path(folder) / f"candidate{suffix}"
        candidate.write_bytes(content)
        done = subprocess.run([oracle, candidate], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise RuntimeError(said or f"it ended with {done.returncode}")
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("repositories", type=Path, help="the folder with the projects' git directories")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this file (may be repeated)")
    options = parser.parse_args()
    wrong = 0
    for one in cases():
        if options.only and one.name not in options.only:
            continue
        git = directory(options.repositories, one.repository)
        if git is None:
            print(f"{one.name}: {one.repository} is not in {options.repositories}", file=sys.stderr)
            wrong += 1
            continue
        file, oracle = made(one, git, options.folder.absolute())
        whole = file.read_bytes()
        said = ""
        try:
            if not holds(oracle, whole, file.suffix) or holds(oracle, b"", file.suffix):
                said = ": its oracle does not tell it from an empty file"
        except RuntimeError as error:
            said = f": its oracle could not judge: {error}"
        wrong += said != ""
        print(f"{one.language} {one.name}: {len(whole.splitlines())} lines, {len(whole)} bytes{said}")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
