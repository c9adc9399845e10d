"""Runs the real `git bisect run` on the same branches, in a separate clone."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from history import GOOD, Commit, History, git

__all__ = ["Answer", "bisect", "judged"]


@dataclass(frozen=True)
class Answer:
    """The result of `git bisect run`: one commit, or several candidates, and the number of runs."""

    branch: str
    commits: tuple[str, ...]
    runs: int


def bisect(clone: Path, branch: str, command: Sequence[str], log: Path) -> Answer:
    """Runs `git bisect run` for one branch. The command appends a line to `log` for each run."""
    log.write_text("")
    git(clone, "bisect", "start", f"origin/{branch}", GOOD)
    done = subprocess.run(
        ["git", "bisect", "run", *command],
        cwd=clone,
        env={**os.environ, "DEMO_LOG": str(log)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout
    git(clone, "bisect", "reset")
    found = re.findall(r"^([0-9a-f]{40}) is the first '?bad'? commit", done, re.MULTILINE)
    if not found:
        found = re.findall(r"^([0-9a-f]{40})$", done.partition("could be any of:")[2], re.MULTILINE)
    if not found:
        raise RuntimeError(done)
    return Answer(branch, tuple(found), len(log.read_text().splitlines()))


def judged(answer: Answer, history: History) -> tuple[bool, str]:
    """Returns whether Git found the culprit, and a short explanation."""
    by_sha = dict(zip(history.shas, history.commits, strict=True))
    true = {commit.number for commit in history.culprits(answer.branch)}
    said = [by_sha[sha] for sha in answer.commits]
    if {commit.number for commit in said} == true:
        return True, "right" if len(said) == 1 else f"one of {len(said)}: some do not run"
    if len(said) > 1:
        return bool(true & {commit.number for commit in said}), f"one of {len(said)}"
    failing: list[Commit] = [
        parent for parent in map(history.commits.__getitem__, said[0].parents) if parent.outcome == "fail"
    ]
    return False, "WRONG: its parent also fails" if failing else "WRONG"
