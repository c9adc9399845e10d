"""Prints what dependency groups of pyproject.toml name, one requirement a line, for `pip install -r`.

    python tools/requirements.py tools docs     these groups
    python tools/requirements.py build-system   what the package is built with

By itself pip reads them from version 25.1 on (`--group`), which not every Python comes with.
"""

from __future__ import annotations

import sys
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parent.parent


def requirements(*groups: str) -> list[str]:
    """Returns the requirements of the groups.

    Raises:
        KeyError: If a group does not exist.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    known = {**project["dependency-groups"], "build-system": project["build-system"]["requires"]}
    return [requirement for group in groups for requirement in known[group]]


if __name__ == "__main__":
    print(*requirements(*sys.argv[1:]), sep="\n")
