"""Measures the processor time of one decision, `ask` and `tell`, in Python and, by interfaces.mjs, in Node.

Writes interfaces.csv: microseconds per decision in a list of 1,000 revisions, or a set of 1,000 items of which ten are
needed. Each round makes its searches before the clock starts. The figure is the median of all rounds.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import firstbad as fb

REVISIONS, NEEDED, SEARCHES, ROUNDS = 1000, 10, 100, 15
FIRST_BAD = REVISIONS * 2 // 3
ITEMS = {(number * 97 + 31) % REVISIONS for number in range(NEEDED)}


def us_per_decision(make: Callable[[], Any], answer: Callable[[Any], bool]) -> float:
    searches = [make() for _ in range(SEARCHES)]
    # The answers of an oracle are no part of a decision, and all searches ask the same.
    answers: list[bool] = []
    first = make()
    while probes := first.ask(1):
        answers.append(answer(probes[0]))
        first.tell(probes[0].id, answers[-1])
    start = time.process_time()
    for search in searches:
        ask, tell = search.ask, search.tell
        for one in answers:
            tell(ask(1)[0].id, one)
    seconds = time.process_time() - start
    assert all(search.done for search in searches)
    return 1e6 * seconds / (SEARCHES * len(answers))


def measured() -> dict[str, float]:
    names = [f"{number:04}" for number in range(REVISIONS)]
    graph = fb.CommitGraph.linear(names)
    ends = {"good": names[0], "bad": names[-1]}
    kinds: dict[str, tuple[Callable[[], Any], Callable[[Any], bool]]] = {
        "regression": (lambda: fb.RegressionSearch(graph, **ends), lambda probe: probe.revision < names[FIRST_BAD]),
        "culprit": (
            lambda: fb.CulpritSearch(graph, **ends, flake_rate=0.1),
            lambda probe: probe.revision < names[FIRST_BAD],
        ),
        "reduction": (lambda: fb.Minimizer(range(REVISIONS)), lambda probe: ITEMS.issubset(probe.changes)),
    }
    return {kind: statistics.median(us_per_decision(*pair) for _ in range(ROUNDS)) for kind, pair in kinds.items()}


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=here / "data", metavar="FOLDER", help="where interfaces.csv goes")
    options = parser.parse_args()
    node = subprocess.run(["node", here / "interfaces.mjs"], stdout=subprocess.PIPE, check=True)
    options.to.mkdir(parents=True, exist_ok=True)
    with (options.to / "interfaces.csv").open("w", newline="") as output:
        writer = csv.writer(output, lineterminator="\n")
        writer.writerow(("language", "search", "revisions", "us_per_decision"))
        for language, figures in {"Python": measured(), "Node": json.loads(node.stdout)}.items():
            writer.writerows((language, kind, REVISIONS, round(value, 2)) for kind, value in figures.items())


if __name__ == "__main__":
    main()
