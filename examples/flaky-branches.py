"""Finds the culprits of several branches whose test is flaky: docs/several-red-branches.md."""

import hashlib
from collections import Counter

import firstbad as fb

parents: dict[str, list[str]] = {"v1": []}
for branch, count, start in [
    ("main", 20, ["v1"]),
    ("search", 12, ["main8"]),
    ("next", 15, ["main20", "search12"]),  # a merge
    ("release", 8, ["next10"]),
    ("cart", 18, ["main14"]),
    ("docs", 10, ["main16"]),
]:
    parents |= {f"{branch}{n}": [f"{branch}{n - 1}"] if n > 1 else start for n in range(1, count + 1)}
graph = fb.CommitGraph(parents)
runs: Counter[str] = Counter()


def oracle(revision: str) -> bool:
    """Fails if search5 or cart9 is an ancestor, and otherwise in 20% of the runs."""
    runs[revision] += 1
    luck = hashlib.sha256(f"{revision} {runs[revision]}".encode()).digest()[0] / 256
    broken = any(graph.is_ancestor(culprit, revision) for culprit in ("search5", "cart9"))
    return not broken and luck >= 0.2


red = ["next15", "release8", "cart18", "docs10"]
report = fb.find_regressions(graph, oracle, bad=red, good="v1", search="bayes", flake_rate=0.2)
for point in sorted(report.points, key=lambda point: point.bad):
    print(point.bad, point.probability > 0.99, point.leaves)
print(*[f"{leaf.leaf}: {leaf.result}" for leaf in report.leaves], sep=", ")

# Prints:
# cart9 True ('cart18',)
# search5 True ('next15', 'release8')
# next15: searched, release8: propagated, cart18: searched, docs10: not_reproduced
