"""What a decision costs through Python, for `firstbad-benchmarks decisions`, which has the same in Rust.

python decisions.py SHAPE REVISIONS SEARCH ROUNDS MOST prints the microseconds of one `ask(1)` plus one `tell` in the
quietest of so many searches, of which at most so many decisions are taken.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import firstbad as fb


def name(number: int) -> str:
    return f"{number:07}"


def graph(shape: str, size: int) -> fb.CommitGraph:
    if shape == "linear":
        return fb.CommitGraph.linear([name(number) for number in range(size)])

    def parents(number: int) -> list[int]:
        if number == 0:
            return []
        return {0: [number - 5, number - 1], 4: [number - 4]}.get(number % 8, [number - 1])

    return fb.CommitGraph({name(number): [name(parent) for parent in parents(number)] for number in range(size)})


def search(kind: str, graph: fb.CommitGraph) -> fb.RegressionSearch | fb.CulpritSearch:
    first, last = name(0), name(len(graph) - 1)
    if kind == "culprit":
        return fb.CulpritSearch(graph, bad=last, good=first, flake_rate=0.1)
    return fb.RegressionSearch(graph, bad=last, good=first, search="auto" if kind == "regression" else "linear")


def microseconds(search: fb.Search[Any, Any], fails_from: str, most: int) -> float:
    ask, tell, clock = search.ask, search.tell, time.perf_counter
    spent, decisions = 0.0, 0
    while decisions < most:
        start = clock()
        probes = ask(1)
        asked = clock()
        if not probes:
            break
        probe = probes[0]
        fails = probe.revision >= fails_from
        told = clock()
        tell(probe.id, not fails)
        spent += clock() - told + asked - start
        decisions += 1
    return 1e6 * spent / decisions


def main() -> None:
    shape, revisions, kind, rounds, most = sys.argv[1:]
    large = graph(shape, int(revisions))
    fails_from = name(1 if kind == "one by one" else len(large) // 12 * 8)
    print(min(microseconds(search(kind, large), fails_from, int(most)) for _ in range(int(rounds))))


if __name__ == "__main__":
    main()
