"""How many runs a search from one release to the next takes, with culprits drawn from the commits between.

python releases.py NAME=REPOSITORY:GOOD..BAD[,GOOD..BAD...] ... prints a table as Markdown. A REPOSITORY is a git
directory or a clone; nothing is written into it, and nothing is run: a revision fails if the culprit is one of its
ancestors or itself.

Releases often come from a branch that is merged into the main one again and again. GOOD is then an ancestor of BAD, and
most suspects do not come from it. Culprits are those that `git bisect` could be asked for: commits of BAD that GOOD has
not, merges left out. Ends are not tested. Halving is git's own choice of revisions, as this package has it, until every
parent of the answer is seen to pass.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
from typing import Any

import firstbad as fb

WAYS: dict[str, dict[str, Any]] = {
    "bisect": {"search": "bisect"},
    "all suspects alike": {"prior": "uniform"},
    "by default": {},
}


def runs(graph: fb.CommitGraph, good: str, bad: str, culprit: str, options: dict[str, Any]) -> int:
    """How many runs a search takes that is to find this culprit."""

    def passes(revision: str) -> bool:
        return not graph.is_ancestor(culprit, revision)

    report = fb.find_regressions(graph, passes, bad=bad, good=good, test_endpoints=False, **options)
    if [point.bad for point in report.points] != [culprit]:
        sys.exit(f"{good}..{bad}: {culprit} was to be found, and this was: {report.message}")
    return report.runs


def row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("repositories", nargs="+", metavar="NAME=REPOSITORY:GOOD..BAD,...")
    arguments.add_argument("--culprits", type=int, default=15, help="between each two releases")
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    row("repository", "good", "bad", "suspects", *(f"{way}: mean, most" for way in WAYS))
    row(*["---"] * (4 + len(WAYS)))
    for pair in given.repositories:
        name, _, place = pair.partition("=")
        folder, _, ranges = place.rpartition(":")
        repository = fb.Repository(folder)
        for good, _, bad in (one.partition("..") for one in ranges.split(",")):
            graph = repository.graph([bad, good])
            listed = ["git", "-C", folder, "rev-list", bad, f"^{good}"]
            suspects = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split()
            plain = subprocess.run([*listed, "--no-merges"], check=True, capture_output=True, text=True).stdout.split()
            culprits = random.Random(given.seed).sample(plain, min(given.culprits, len(plain)))
            figures = ([runs(graph, good, bad, culprit, options) for culprit in culprits] for options in WAYS.values())
            row(name, good, bad, len(suspects), *(f"{statistics.mean(each):.1f}, {max(each)}" for each in figures))


if __name__ == "__main__":
    main()
