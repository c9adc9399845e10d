"""What one question costs through the Python package, and a graph from git.

One `ask(1)` plus one `tell` on a linear graph of 1,000 revisions, with nothing between: `linear` asks 998 times in one
search, `binary` about 10 times in each of many. Reductions are of 4,096 items, 30 of them needed, with answers known
before: one `ask(1)` plus one `tell`, and a whole `minimize`, which hands out lists of items. With `--repository`, also
the graph of that repository, side by side with `git rev-list --parents --all`.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import time
from pathlib import Path
from typing import Literal

import firstbad as fb

REVISIONS = 1000
AIM_MICROSECONDS = 2.0

ITEMS = 4096
NEEDED = 30
AIM_MICROSECONDS_FOR_A_SET = 10.0


def microseconds_per_question(search: Literal["linear", "binary"], searches: int) -> float:
    """The mean of one ask plus tell over so many searches, each made outside the clock."""
    ids = [f"{number:040x}" for number in range(REVISIONS)]
    graph = fb.CommitGraph.linear(ids)
    # Everything but the first revision fails, so that `linear` has to ask for all of them. The ends are told.
    options = {"bad": ids[-1], "good": ids[0], "search": search, "test_endpoints": False}
    ready = [fb.RegressionSearch(graph, **options) for _ in range(searches)]
    questions = 0
    # The processor's time: on a shared machine the clock on the wall measures the neighbours.
    start = time.thread_time()
    for one in ready:
        ask, tell = one.ask, one.tell
        while probes := ask(1):
            tell(probes[0].id, False)
            questions += 1
    seconds = time.thread_time() - start
    assert all(one.report().points[0].bad == ids[1] for one in ready)
    return 1e6 * seconds / questions


def reduction_answers() -> list[bool]:
    """What the oracle says in a reduction, in order; the same algorithm asks the same again."""
    needed = random.Random(0).sample(range(ITEMS), NEEDED)
    answers: list[bool] = []

    def interesting(kept: list[int]) -> bool:
        there = set(kept)
        answers.append(all(item in there for item in needed))
        return answers[-1]

    assert list(fb.minimize(range(ITEMS), interesting).kept) == sorted(needed)
    return answers


def microseconds_per_set(answers: list[bool], searches: int) -> float:
    """The mean of one ask plus tell over so many reductions, each made outside the clock."""
    ready: list[fb.Minimizer[list[int]]] = [fb.Minimizer(range(ITEMS)) for _ in range(searches)]
    start = time.thread_time()
    for one in ready:
        ask, tell = one.ask, one.tell
        for answer in answers:
            tell(ask(1)[0].id, answer)
    seconds = time.thread_time() - start
    assert all(one.done for one in ready)
    return 1e6 * seconds / (searches * len(answers))


def microseconds_per_call(answers: list[bool], reductions: int) -> float:
    """The mean of one call of `interesting` over so many whole reductions."""
    items = list(range(ITEMS))
    start = time.thread_time()
    for _ in range(reductions):
        known = iter(answers)
        fb.minimize(items, lambda _kept, known=known: next(known))  # type: ignore[misc]
    return 1e6 * (time.thread_time() - start) / (reductions * len(answers))


def graph_from(repository: Path, rounds: int) -> dict[str, float]:
    """Seconds for a graph from a repository and for `git rev-list --parents --all`, in turns; and ids, if wanted."""
    ours: list[float] = []
    theirs: list[float] = []
    listing: list[float] = []
    commits = 0
    for _ in range(rounds):
        start = time.perf_counter()
        graph = fb.CommitGraph.from_git(str(repository))
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        commits = len(list(graph.ids))
        listing.append(time.perf_counter() - start)
        start = time.perf_counter()
        command = ["git", "rev-list", "--parents", "--all"]
        subprocess.run(command, cwd=repository, stdout=subprocess.DEVNULL, check=True)
        theirs.append(time.perf_counter() - start)
    return {
        "commits": commits,
        "graph": statistics.median(ours),
        "rev_list": statistics.median(theirs),
        "list_of_ids": statistics.median(listing),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repository", type=Path, help="also read the graph of this repository")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of which the median is taken")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()

    figures: dict[str, float | dict[str, float]] = {}
    kinds: list[tuple[Literal["linear", "binary"], int]] = [("linear", 10), ("binary", 1000)]
    for search, searches in kinds:
        rounds = [microseconds_per_question(search, searches) for _ in range(options.rounds)]
        figures[search] = statistics.median(rounds)
        figures[f"{search}_least"] = min(rounds)
    answers = reduction_answers()
    for kind, measure in {"ask plus tell": microseconds_per_set, "minimize": microseconds_per_call}.items():
        rounds = [measure(answers, 20) for _ in range(options.rounds)]
        figures[kind] = statistics.median(rounds)
        figures[f"{kind}_least"] = min(rounds)
    if options.repository:
        figures["graph_from_git"] = graph_from(options.repository, options.rounds)
    if options.json:
        print(json.dumps(figures))
        return
    for search, _ in kinds:
        value, least = figures[search], figures[f"{search}_least"]
        assert isinstance(value, float)
        verdict = "met" if value <= AIM_MICROSECONDS else "missed"
        measured = f"{value:.2f} us (median; {least:.2f} in the quietest round)"
        print(f"| Python: one ask plus tell, {search} | {measured} | at most {AIM_MICROSECONDS:g} | {verdict} |")
    for kind, what in {"ask plus tell": "one ask plus tell", "minimize": "one call in a whole `minimize`"}.items():
        value, least = figures[kind], figures[f"{kind}_least"]
        assert isinstance(value, float)
        verdict = "met" if value <= AIM_MICROSECONDS_FOR_A_SET else "missed"
        measured = f"{value:.2f} us (median; {least:.2f} in the quietest round)"
        aim = f"at most {AIM_MICROSECONDS_FOR_A_SET:g}"
        print(f"| Python: reducing {ITEMS} items, {what} | {measured} | {aim} | {verdict} |")
    read = figures.get("graph_from_git")
    if isinstance(read, dict):
        ratio = read["graph"] / read["rev_list"]
        verdict = "met" if ratio <= 1 else "missed"
        print(f"| Python: graph of {read['commits']} commits from git | {read['graph']:.4f} s | | |")
        print(f"| `git rev-list --parents --all >/dev/null` there | {read['rev_list']:.4f} s | | |")
        print(f"| Python: ours over git's | {ratio:.3f} times | at most 1 | {verdict} |")
        print(f"| Python: all ids as a list, on request | {read['list_of_ids']:.4f} s | | |")


if __name__ == "__main__":
    main()
