"""What several benchmarks share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["directory", "table"]


def directory(folder: Path, project: str) -> Path | None:
    """Returns the Git directory of a project, or None if it is not in the folder."""
    name = project.replace("/", "+")
    names = (name, f"{name}.git", f"{name}/repo")
    return next((folder / one for one in names if (folder / one / "HEAD").exists()), None)


def table(names: list[str], lines: list[list[Any]]) -> str:
    """Returns a table in Markdown."""
    cells = [names, ["---"] * len(names), *lines]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in cells) + "\n"
