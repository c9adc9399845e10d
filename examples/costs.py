"""Prefers builds that exist: docs/parallel-and-ci.md."""

import firstbad as fb

builds = [f"build-{number}" for number in range(100)]
cached = {"build-31", "build-48", "build-62", "build-77"}
report = fb.find_regressions(
    fb.CommitGraph.linear(builds),
    lambda build: builds.index(build) < 60,
    bad="build-99",
    good="build-0",
    costs=lambda build: 0.1 if build in cached else 1,
)
print(report.points[0].culprit, [seen.revision for seen in report.observations[2:5]])

# Prints:
# build-60 ['build-48', 'build-77', 'build-62']
