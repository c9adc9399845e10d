"""A search that reads content between tests, which the core provides only for tests."""

from typing import TypedDict

import firstbad as fb
from firstbad._search import RevisionSearch
from firstbad._shown import Options


class WalkBackOptions(TypedDict, total=False):
    """The options of a walk.

    Attributes:
        start: The revision to start at.
        steps: The number of revisions to visit.
    """

    start: str
    steps: int


class WalkBack(RevisionSearch):
    """Finds the part of each revision's changes that breaks its parent."""

    _algorithm = "walk_back"
    _options = Options(WalkBackOptions, defaults={})

    def __init__(self, graph, **options):
        self._open(graph, options)

    def report(self):
        return self._core.report()

    def _given(self, probe):
        return probe


def walk():
    """A walk over two revisions."""
    return WalkBack(fb.CommitGraph.linear(["r0", "r1", "r2"]), start="r2", steps=2)


def patch(request):
    """Two lines that are new in every revision."""
    assert set(request) == {"id", "read", "from", "to"}
    lines = f"+{request['to']} one\n+{request['to']} two\n"
    return f"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,0 +1,2 @@\n{lines}".encode()


def breaks(probe):
    """The second line breaks r1. An empty set is known without a run."""
    if not probe.changes:
        return fb.Observation("pass", ran=False)
    return not (probe.revision == "r1" and 1 in probe.changes)
