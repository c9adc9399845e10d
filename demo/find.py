"""Finds the commits that broke some branches of a Git repository, from Python.

    python demo/find.py REPOSITORY --good v1.0 --bad main --bad dev -- python3 check.py

The command runs at one commit after another, in separate worktrees. Exit codes are those of `git bisect run`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import firstbad as fb

COLOURS = {"pass": "32", "fail": "31", "unresolved": "33", "culprit": "1;31", "cancelled": "2"}
SHOWN = {"pass": "passes", "fail": "fails", "unresolved": "does not run", "cancelled": "no longer needed"}


def painted(text: str, colour: str) -> str:
    """Colors the text if the output is a terminal."""
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if sys.stdout.isatty() else text


def main() -> None:
    """Searches, and prints each outcome and then the regression points."""
    parser = argparse.ArgumentParser(description="Find the commits that broke some branches of a Git repository.")
    parser.add_argument("repository")
    parser.add_argument("--good", action="append", default=[])
    parser.add_argument("--bad", action="append", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="the directory for worktrees and output")
    parser.add_argument("--json", type=Path, help="the file for the report")
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()

    repository = fb.Repository(given.repository)
    graph = repository.graph(given.bad)
    log = subprocess.run(
        ["git", "-C", given.repository, "log", "--format=%H%x09%s", *given.bad, "--"],
        capture_output=True,
        text=True,
        check=True,
    )
    subjects = dict(line.split("\t", 1) for line in log.stdout.splitlines())

    def named(sha: str) -> str:
        return f"{sha[:8]}  {subjects[sha]}"

    def show(step: fb.Progress) -> None:
        if step.probe and step.kind in ("told", "cancelled"):
            outcome = step.observation.outcome if step.observation is not None else "cancelled"
            words = f"  run {step.probe.id + 1:>2}  {named(step.probe.revision):<44.44}  {SHOWN[outcome]}"
            print(painted(words, outcome), flush=True)

    folders = {"worktrees": given.folder / "trees", "output_dir": given.folder / "output"} if given.folder else {}
    with repository.command_oracle(given.command, timeout=60, **folders) as oracle:
        report = fb.find_regressions(graph, oracle, bad=given.bad, good=given.good, jobs=given.jobs, progress=show)

    branches = {graph.resolve(name): name for name in given.bad}
    print(f"\n  {report.status} after {report.runs} test runs")
    for point in report.points:
        print()
        if point.candidates:
            print(painted(f"  one of these {len(point.candidates)} (unresolved commits lie between):", "culprit"))
            for sha in point.candidates:
                print(painted(f"    {named(sha)}", "culprit"))
        else:
            print(painted(f"  culprit  {named(point.bad)}", "culprit"))
        print(f"  after    {named(point.good) if point.good else 'no passing commit'}")
        print(f"  clean    {'yes: every parent passes' if point.parents_pass else 'no'}")
        print(f"  breaks   {', '.join(branches[leaf] for leaf in point.leaves)}")
    if given.json:
        given.json.write_text(json.dumps(asdict(report)))


if __name__ == "__main__":
    main()
