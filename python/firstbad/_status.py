"""The status of a search."""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = ["Status"]

Status: TypeAlias = Literal[
    "running",
    "found",
    "ambiguous",
    "not_reproduced",
    "good_end_fails",
    "no_passing_revision",
    "untestable",
    "contradictory",
    "too_flaky",
    "history_exhausted",
    "patch_too_large",
    "revision_not_readable",
    "budget",
    "stopped",
]
"""Where a search stands.

`running`: not done. `found`: every end has its answer. `ambiguous`: unresolved revisions stand between, the answer
names candidates. `not_reproduced`: no bad revision fails. `good_end_fails`: a revision given as good fails.
`no_passing_revision`: no revision that passes was found, so nobody is blamed. `untestable`: what was given as bad
cannot be tested, nor what takes its place, so nobody is blamed. `contradictory`: the answers fit no single culprit at
the flake rate given. `too_flaky` (of a culprit search): the test errs so often that telling would take too many runs.
Of iterative delta debugging: `history_exhausted`: no revision on the way passes, and there is none older.
`patch_too_large`: what the test needs became larger than it may be. `revision_not_readable`: older revisions exist, and
are not in this repository. `budget`, `stopped`: ended early.
"""
