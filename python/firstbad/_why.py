"""Why a revision is tried early, or late."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from firstbad._lean import Lean

__all__ = ["CommitReason", "ReasonKind", "SelectionReason", "reasons_from", "why_from"]

ReasonKind: TypeAlias = Literal["named", "paths", "subject", "source", "no_source", "affects", "unlikely", "excluded"]
"""What speaks for or against a commit.

`named`: it touches a source file that the test is named after. `paths`: it touches source files whose names have words
of the test's file. `subject`: its subject has words of the test. `source`: it touches source files. `no_source`: it
touches none. `affects`: by the build graph the test depends on what it touches. `unlikely`: the build graph does not
say so. `excluded`: by the build graph it cannot have broken the test.
"""


@dataclass(frozen=True, repr=False)
class CommitReason(Lean):
    """What speaks for or against a commit.

    Attributes:
        kind: What it is.
        file: Of `named` and `affects`: the file.
        words: Of `paths` and `subject`: the words, as the test has them.
        files: Of `source`: how many source files it touches.
        lines: Of `source`: how many lines it adds and deletes there.
        tests: Of `source`: whether it touches tests, too.
        target: Of `affects`: the target.
        depth: Of `affects`: how many dependencies lead there from the closest failing test; 0 for the test itself.
    """

    kind: ReasonKind
    file: str | None = None
    words: tuple[str, ...] = ()
    files: int | None = None
    lines: int | None = None
    tests: bool | None = None
    target: str | None = None
    depth: int | None = None


@dataclass(frozen=True, repr=False)
class SelectionReason(Lean):
    """Why a revision was tried: what spoke for it, or for the one right after it, before anything was run.

    Attributes:
        message: The same for people, to follow the name of the revision.
        reasons: What counts most first, at most three.
        before: The child that is likelier to be the culprit than the revision itself: then the reasons are the child's,
            for the test of its parent tells as much. None: they are the revision's own.
    """

    message: str
    reasons: tuple[CommitReason, ...]
    before: str | None


def reasons_from(written: Iterable[Mapping[str, Any]]) -> tuple[CommitReason, ...]:
    """Reasons as the core writes them."""
    return tuple(CommitReason(**{**one, "words": tuple(one.get("words", ()))}) for one in written)


def why_from(written: Mapping[str, Any]) -> SelectionReason:
    """A `SelectionReason` as the core writes it."""
    return SelectionReason(written["message"], reasons_from(written["reasons"]), written["before"])
