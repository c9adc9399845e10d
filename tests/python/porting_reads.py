"""A small search that reads two diffs, for tests that need no repository."""

import firstbad as fb


def porter():
    """Return a search on three revisions: r0 passes, r1 and r2 fail."""
    return fb.Porter(fb.CommitGraph.linear(["r0", "r1", "r2"]), start="r2")


def patch(request):
    """Return a diff that adds two lines, which name the newer revision."""
    assert set(request) == {"id", "read", "from", "to"}
    lines = f"+{request['to']} one\n+{request['to']} two\n"
    return f"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,0 +1,2 @@\n{lines}".encode()


def outcome_of(probe):
    """Return the outcome of a probe.

    The second line of the first diff breaks r0, and the second line of the second diff repairs r1.
    If only the first line is applied, the outcome costs no run.
    """
    changes = probe.changes or ()
    if changes == (0,):
        return fb.Observation("pass" if probe.revision == "r0" else "fail", ran=False)
    return (probe.revision == "r0") != (1 in changes)
