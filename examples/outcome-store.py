"""Shares the outcomes of a test between two searches: docs/journals-and-stores.md."""

import firstbad as fb

repo = fb.Repository(".")
store = fb.OutcomeStore("outcomes.db", oracle="python3 check.py", version="1", key="tree")
with repo.command_oracle(["python3", "check.py"], timeout=60) as oracle:
    for day in ("monday", "tuesday"):
        report = fb.find_regressions(repo.graph("main"), oracle, bad="main", good="v1.0", store=store)
        print(day, report.points[0].culprit[:8], report.runs > report.confirmations)

# Prints:
# monday 93688fcf True
# tuesday 93688fcf False
