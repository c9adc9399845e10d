"""Searches builds, then the commits between the two builds found: docs/builds-not-commits.md."""

import subprocess

import firstbad as fb

repo = fb.Repository(".")
log = ["git", "log", "--first-parent", "--reverse", "--format=%H", "v1.0..main"]
commits = subprocess.run(log, check=True, capture_output=True, text=True).stdout.split()
builds = {f"build-{number}": sha for number, sha in enumerate(commits[::8] + commits[-1:])}
graph = fb.CommitGraph.linear(list(builds))

with repo.command_oracle(["python3", "check.py"], timeout=60) as test:
    first = fb.find_regressions(graph, lambda build: test(builds[build]), bad=graph.ids[-1], good="build-0").points[0]
    print(first.good, "passes,", first.bad, "fails")
    good, bad = builds[first.good], builds[first.bad]
    report = fb.find_regressions(repo.graph(bad, exclude=good), test, bad=bad, good=good)
print(report.points[0].bad[:8], report.points[0].parents_pass)

# Prints:
# build-1 passes, build-2 fails
# 93688fcf True
