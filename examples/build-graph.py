"""Ranks changes by a build graph: docs/rank-suspects.md."""

import firstbad as fb

targets = {
    "test": fb.BuildTarget(files=["shop_test.py"], deps=["till"]),
    "till": fb.BuildTarget(files=["till.py"], deps=["tax"]),
    "tax": fb.BuildTarget(files=["tax.py"]),
    "site": fb.BuildTarget(folders=["site"]),
}
changes = {"c1": ["tax.py"], "c2": ["site/index.html"], "c3": ["till.py", "tax.py"], "c4": ["till.py"]}  # oldest first
ranking = fb.rank_suspects(fb.BuildGraph(targets), changes, test="test")
for change, score in ranking:
    print(change, round(score, 2))
print(ranking.excluded)

# Prints:
# c3 1.94
# c4 0.98
# c1 0.96
# ('c2',)
