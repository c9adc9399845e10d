"""Finds the three culprits of nine red branches from Python, from Node, and with `git bisect run`.

Then finds the three culprits of eight red tests, and one flaky test, with `firstbad triage`.

    make demo

It creates a Git repository in a temporary directory and removes it at the end.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import git_bisect
import night
from history import GOOD, RED, Commit, History, git, make
from layout import ascii_picture

HERE = Path(__file__).resolve().parent
CHECK = [sys.executable, "-S", "-E", "check.py"]
COLOURS = {"pass": "32", "fail": "31", "unresolved": "33", "culprit": "1;7;31", "title": "1", "dim": "2"}


def painted(text: str, colour: str) -> str:
    """Colors the text if the output is a terminal."""
    code = COLOURS.get(colour)
    return f"\x1b[{code}m{text}\x1b[0m" if code and sys.stdout.isatty() else text


def say(text: str = "") -> None:
    """Prints without buffering, to keep the order of lines from other processes."""
    print(text, flush=True)


def title(text: str) -> None:
    """Prints a heading."""
    say(f"\n{painted(text, 'title')}\n{painted('-' * len(text), 'dim')}")


def search(program: list[str], repository: Path, report: Path, jobs: int = 2, quiet: bool = False) -> dict[str, Any]:
    """Runs find.py or find.mjs as a user would. Returns the report and the seconds it took."""
    branches = [word for branch in RED for word in ("--bad", branch)]
    options = ["--good", GOOD, "--jobs", str(jobs), "--folder", str(report.parent), "--json", str(report)]
    began = time.monotonic()
    subprocess.run(
        [*program, str(repository), *options, *branches, "--", *CHECK],
        check=True,
        stdout=subprocess.DEVNULL if quiet else None,
        stdin=subprocess.DEVNULL,
    )
    return {**json.loads(report.read_text()), "seconds": time.monotonic() - began}


def answers(report: Mapping[str, Any], history: History) -> dict[str, list[int]]:
    """Returns the numbers of the culprits or candidates in a report, for each branch."""
    number = {sha: place for place, sha in enumerate(history.shas)}
    blamed: dict[str, set[int]] = {branch: set() for branch in RED}
    for point in report["points"]:
        for leaf in point["leaves"]:
            branch = next(name for name in RED if history.tips[name] == number[leaf])
            blamed[branch] |= {number[sha] for sha in point["candidates"] or [point["bad"]]}
    return {branch: sorted(numbers) for branch, numbers in blamed.items()}


def named(commits: list[Commit]) -> str:
    """Describes a culprit or several candidates in a few words."""
    first = commits[0].subject
    return first if len(commits) == 1 else f"{first}, or {len(commits) - 1} after it"


def main() -> int:
    """Runs the demo. Returns 0 if firstbad is right about all branches and tests."""
    parser = argparse.ArgumentParser(description="Find the culprits of nine red branches, and of a red test suite.")
    parser.add_argument("--json", type=Path, help="the file for the results")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="firstbad-demo-") as name:
        found = show(Path(name)) | {"night": show_night(Path(name))}
    if given.json:
        given.json.write_text(json.dumps(found))
    say()
    return 0 if found["right"] and found["night"]["right"] else 1


def show(folder: Path) -> dict[str, Any]:
    """Creates the repository, searches it in three ways, and compares the results."""
    repository = folder / "shop"
    history = make(repository)
    true = {branch: history.culprits(branch) for branch in RED}
    numbers = {branch: [commit.number for commit in commits] for branch, commits in true.items()}
    every = {commit.number: commit for commits in true.values() for commit in commits}

    title(f"A history of {len(history.commits)} commits, {len(RED)} red branches")
    say(ascii_picture(history, every.values(), painted, 92))
    marks = [("-", "pass", "passes"), ("=", "fail", "fails"), ("?", "unresolved", "does not run"), ("X", "culprit", "")]
    words = "    ".join(f"{painted(mark, colour)} {word or 'culprit'}" for mark, colour, word in marks)
    say(f"\n  {words}\n  {GOOD} passes. The searches see only the graph and the outcomes of the runs.")

    title("From Python: demo/find.py, two runs at a time")
    python = search([sys.executable, str(HERE / "find.py")], repository, folder / "python.json")
    title("From Node: demo/find.mjs, two runs at a time")
    node = search(["node", str(HERE / "find.mjs")], repository, folder / "node.json")
    single = search([sys.executable, str(HERE / "find.py")], repository, folder / "single.json", 1, True)

    title("git bisect run, one branch after another")
    clone = folder / "clone"
    git(folder, "clone", "--quiet", str(repository), str(clone))
    gits = []
    wrong = 0
    began = time.monotonic()
    for branch in RED:
        answer = git_bisect.bisect(clone, branch, CHECK, folder / "git.log")
        correct, verdict = git_bisect.judged(answer, history)
        wrong += not correct
        commits = [history.commits[history.shas.index(sha)] for sha in answer.commits]
        said = named(sorted(commits, key=lambda commit: commit.number))
        colour = "pass" if correct else "fail"
        say(f"  {branch:<11} {answer.runs:>2} runs  {said:<46.46}  {painted(verdict, colour)}")
        gits.append(answer)
    took = time.monotonic() - began
    runs = sum(answer.runs for answer in gits)

    title("Side by side")
    rows = [
        ("firstbad from Python, jobs=1", single["runs"], answers(single, history), single["seconds"]),
        ("firstbad from Python, jobs=2", python["runs"], answers(python, history), python["seconds"]),
        ("firstbad from Node, concurrency=2", node["runs"], answers(node, history), node["seconds"]),
    ]
    say(f"  {'':<34} {'test runs':>9}  {'right':>6}  {'seconds':>7}")
    for words, queries, blamed, seconds in rows:
        right = sum(blamed[branch] == numbers[branch] for branch in RED)
        say(f"  {words:<34} {queries:>9}  {right} of {len(RED)}  {seconds:>7.1f}")
    say(f"  {'git bisect run, branch by branch':<34} {runs:>9}  {len(RED) - wrong} of {len(RED)}  {took:>7.1f}")
    if wrong:
        say(
            "\n  Git is wrong because a release reverted the culprit and merged it again. Git assumes that all\n"
            "  ancestors of a passing commit pass. firstbad tests the parents of a culprit before it names it."
        )
    return {
        "right": all(blamed == numbers for _, _, blamed, _ in rows),
        "culprits": {branch: [history.shas[number] for number in numbers[branch]] for branch in RED},
        "python": python,
        "node": node,
        "single": single,
        "git": [asdict(answer) for answer in gits],
    }


def show_night(folder: Path) -> dict[str, Any]:
    """Finds the causes of a red suite, and compares the verdicts with the planted ones."""
    title("A red test suite: firstbad triage")
    found = night.triage(folder)
    right = sum(found["verdicts"].get(test) == verdict for test, verdict in found["planted"].items())
    say(f"\n  {right} of {len(found['planted'])} verdicts are right, after {found['seconds']:.1f} seconds.")
    return {**found, "right": found["verdicts"] == found["planted"]}


if __name__ == "__main__":
    sys.exit(main())
