"""Turns a test with assertions into an oracle: docs/write-an-oracle.md."""

import firstbad as fb


@fb.asserts
def total_is_rounded(version: str) -> None:
    """Fails at versions that round the total."""
    total = 10.05 if version < "2.0" else 10.1
    assert total == 10.05, f"total {total}"


versions = fb.CommitGraph.linear(["1.0", "1.1", "2.0", "2.1"])
report = fb.find_regressions(versions, total_is_rounded, bad="2.1", good="1.0")
print(report.points[0].culprit, report.observations[0].note)

# Prints:
# 2.0 total 10.1
