"""The command line as its users have it: the three programs, and small histories to run them on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from history import git

ROOT = Path(__file__).parents[2]
IDENTITY = ("-c", "user.name=A. Uthor", "-c", "user.email=author@shop.example")
PROGRAMS = {
    "console script": [str(Path(sys.executable).with_name("firstbad"))],
    "python -m": [sys.executable, "-m", "firstbad"],
    "node": ["node", str(ROOT / "node/bin/firstbad.js")],
}


def environment(where):
    """The environment of a command line that keeps what it makes beside a folder."""
    beside = Path(where).parent
    return {**os.environ, "XDG_CACHE_HOME": str(beside / "cache"), "XDG_STATE_HOME": str(beside / "state")}


def firstbad(*words, where, program="python -m", stdin="", env=None):
    """Runs the command line to its end."""
    return subprocess.run(
        [*PROGRAMS[program], *map(os.fspath, words)],
        cwd=where,
        input=stdin,
        env={**environment(where), **(env or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def line(folder, commits):
    """A repository with so many commits on main, the file `f` numbering them; their shas, oldest first."""
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    for number in range(commits):
        (folder / "f").write_text(str(number))
        git(folder, "add", "f")
        git(folder, *IDENTITY, "commit", "--quiet", f"--message=it's {number}")
    return git(folder, "rev-list", "--reverse", "main").split()
