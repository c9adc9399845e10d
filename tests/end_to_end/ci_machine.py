"""What the machines of both services have in common: a folder, tools, and steps that are processes of their own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from history import git

ROOT = Path(__file__).parents[2]

BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail")

# What the recipes install and call, beside what any machine has; the calls are written down.
# A version is named, so that a recipe does the same tomorrow.
PIP = """#!/bin/sh
test "$*" = "install {package}" || test "$*" = "install --quiet {package}"
"""
# An environment has the same programs.
PYTHON = """#!/bin/sh
[ "$1 $2" = "-m venv" ] || exec {python} "$@"
mkdir -p "$3/bin" && ln -s {tools}/pip {tools}/firstbad "$3/bin"
"""
# What answers for the services themselves.
SERVICE = """#!/bin/sh
exec {python} {script} {name} "$@"
"""
PYTEST = """#!/bin/sh
exec {python} -m pytest -p no:cacheprovider "$@"
"""


@dataclass
class Tools:
    """A folder of programs before all others in the path, and what jobs print."""

    folder: Path
    log: list[str]

    @classmethod
    def make(cls, folder: Path) -> Tools:
        folder.mkdir()
        calls = folder / "calls"
        calls.mkdir()
        python = PYTHON.format(python=shutil.which("python3") or sys.executable, tools=folder)
        version = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
        pip = PIP.format(package=f"firstbad=={version[1]}")
        script = Path(__file__).with_name("ci_answers.py")
        gh, curl = (SERVICE.format(python=sys.executable, script=script, name=name) for name in ("gh", "curl"))
        pytest = PYTEST.format(python=sys.executable)
        programs = {"pip": pip, "pipx": pip, "gh": gh, "curl": curl, "pytest": pytest, "python3": python}
        for name, text in programs.items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        (folder / "firstbad").write_text(f'#!/bin/sh\nexec {sys.executable} -m firstbad "$@"\n')
        (folder / "firstbad").chmod(0o755)
        return cls(folder, [])

    def run(self, script: str, where: Path, env: dict[str, str]) -> int:
        """Runs a script as the services do; its exit code."""
        base = {
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "CALLS": str(self.folder / "calls"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        done = subprocess.run(
            [*BASH, "-c", script],
            cwd=where,
            env=base | env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        self.log.append(f"$ {script}\n{done.stdout}{done.stderr}[{done.returncode}]\n")
        return done.returncode


def clone(repository: Path, where: Path, revision: str | None, depth: int) -> None:
    """A checkout as the services make it: all of the history with depth 0, else one commit."""
    where.mkdir(parents=True)
    if depth == 0:
        git(where, "clone", "--quiet", str(repository), ".")
        if revision:
            git(where, "checkout", "--quiet", revision)
    else:
        git(where, "init", "--quiet")
        git(where, "fetch", "--quiet", f"--depth={depth}", str(repository), revision or "HEAD")
        git(where, "checkout", "--quiet", "FETCH_HEAD")
