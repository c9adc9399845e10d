"""Finds the commits that a feature needs, and makes a branch of them: docs/which-commits-it-needs.md."""

import firstbad as fb

CHECK = "from shop.prices import price; assert price.__doc__"

repo = fb.Repository(".")
with repo.command_oracle(["python3", "-B", "-c", CHECK]) as oracle:
    found = fb.slice_history(repo, oracle, base="v1.0", tip="main", paths=["shop"])
for commit in found.patches():
    print(commit.name)
newest = found.create_branch("described")
print(len(found.commits), "of", found.of, found.guarantee)

# Prints:
# 0001-Merge-rounding-into-main.patch
# 0002-Say-what-a-price-is.patch
# 2 of 4 1-minimal
