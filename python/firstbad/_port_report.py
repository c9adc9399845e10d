"""What iterative delta debugging answers."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from firstbad import _native
from firstbad._commit import Commit, commits_from
from firstbad._lean import Lean
from firstbad._observation import Observation
from firstbad._patch import Patch
from firstbad._reduction_report import Guarantee
from firstbad._status import Status
from firstbad._words import Words

__all__ = [
    "Also",
    "Figure",
    "PatchDetails",
    "PortObservation",
    "PorterReduction",
    "PorterReport",
    "PorterStep",
    "Purpose",
    "Reason",
    "ReductionResult",
    "StepOutcome",
]

StepOutcome: TypeAlias = Literal["kept", "pass", "other", "skipped", "reduced"]
"""What a version showed.

`kept`: the outcome that is followed; going back that is the failure of the start, going forward a pass. `pass`: it
passes, going back. `other`: another outcome. `skipped`: it does not build by itself, and was left out. `reduced`:
another outcome, and a new patch was made with which the outcome is kept.
"""

Reason: TypeAlias = Literal[
    "patch", "parse", "setup", "configure", "build", "test", "timeout", "control", "effort", "unresolved"
]
"""Why an answer is not the outcome that is followed (IDD, Tables 2 and 3).

`patch`: the patch does not apply. `parse`: a file does not parse with it, so that nothing was run. `setup`,
`configure`, `build`: that stage fails. `test`: the test fails in another way, or, going forward, fails. `timeout`: it
was ended because of its time. `control`: the control fails. `effort`: the same failure, with another time or memory
than the factors allow. `unresolved`: it could not be told, and not at which stage.
"""

Purpose: TypeAlias = Literal["walk", "carried", "cause", "repair", "figure2", "forward"]
"""What a patch was reduced for: to go on with it (`walk`), or one of the patches of the report."""

ReductionResult: TypeAlias = Literal["reduced", "passed", "contradicted", "running"]
"""How a reduction ended.

`reduced`: a smallest patch was found. `passed`: the same, and a part of the whole was seen to pass: that version is the
answer, unless an older one passes with the smallest patch. `contradicted`: the answers did not go together. `running`:
it goes on.
"""

Figure: TypeAlias = Literal["sizes", "reductions", "fixpoint"]
"""A figure of a report; see `PorterReport.to_svg`."""


@dataclass(frozen=True, repr=False)
class PorterStep(Lean):
    """One version on the way.

    Attributes:
        revision: The revision.
        forward: Whether it lies on the way forward.
        outcome: What it showed.
        seen: The same in words: outcome, failure and stage, with the patch carried there.
        carried: How the patch was carried there: `none`, `exact`, `three_way`, `renamed`, `whitespace` or
            `fuzzy` (with one line of context), `already` or `conflict`; None if the oracle did not say.
        place: Where it lies: 0 at the start, 1 at the revision before it on the way, -1 at the one after it.
        patch: How many changes the patch has that was carried there.
        reason: Why it did not show the outcome that is followed with the patch; None if it did, or passed.
        alone: Why it did not without the patch; None if it did, passed, or was not tested, or if no patch was carried.
    """

    revision: str
    forward: bool
    outcome: StepOutcome
    seen: str
    carried: str | None = None
    place: int = 0
    patch: int = 0
    reason: Reason | None = None
    alone: Reason | None = None


@dataclass(frozen=True, repr=False)
class PorterReduction(Lean):
    """A reduction: what lies between two trees, taken apart.

    Attributes:
        purpose: What it was for.
        revision: The revision that the patch is for.
        place: Where that lies, as `PorterStep.place`.
        forward: Whether it was made on the way forward.
        before: How many changes it began with.
        result: How it ended.
        runs: How many answers cost a run.
        free: How many answers cost none: conflicts, files that do not parse, files that were tested before.
        failed: How many of these answers were another outcome, by why.
        reason: For `walk`: why the patch carried so far does not do there; None for other purposes.
        first: How many changes were left when files, hunks and lines had been gone through once; None unless it ended
            as `reduced`.
        after: How many were left where nothing more could be taken away; None unless it ended as `reduced`.
    """

    purpose: Purpose
    revision: str
    place: int
    forward: bool
    before: int
    result: ReductionResult
    runs: int
    free: int
    failed: dict[Reason, int]
    reason: Reason | None = None
    first: int | None = None
    after: int | None = None


@dataclass(frozen=True)
class PatchDetails:
    """What there is to know about a patch that was found.

    Attributes:
        on: What it is a patch of: `{"revision": ...}`, and with `changes` and `universe` where a part of an earlier
            read is on it.
        changes: How many changes it has.
        of: How many changes it was reduced from.
        guarantee: What is certain about its size.
    """

    on: dict[str, Any]
    changes: int
    of: int
    guarantee: Guarantee


@dataclass(frozen=True)
class RegressionCheck:
    """What a second test says of the fix that was brought forward.

    Attributes:
        before: What it said without the fix.
        after: What it said with the fix.
        breaks: Whether it passed without the fix and failed with it.
        message: The same in one sentence, for people.
    """

    before: Observation
    after: Observation
    breaks: bool
    message: str


@dataclass(frozen=True, kw_only=True, repr=False)
class PortObservation(Observation):
    """An observation with what it is about.

    Attributes:
        revision: The revision.
        set: The indices of the changes on it in short (`"0-3,7"`); None for the revision as it is.
        universe: The number of the read that they are changes of; None without changes.
        probe: The id of the probe that it answered; None if it was known without being asked.
    """

    revision: str
    set: str | None = None
    universe: int | None = None
    probe: int | None = None


_PATCHES = ("carried", "cause", "repair", "figure2", "forward")


@dataclass(frozen=True, repr=False, kw_only=True)
class PorterReport(Words):
    """The answer of iterative delta debugging, final or so far (Artho, "Iterative Delta Debugging", 2011).

    Attributes:
        status: Where it stands: `found`; `history_exhausted` or `revision_not_readable`, where no version that passes
            was found; `patch_too_large`; `not_reproduced`, `untestable` or `contradictory`, where the start passes,
            cannot be tested or fails in two ways; `budget`, `stopped`, `running`.
        message: The same in some sentences, for people.
        failure: The failure that is followed, in words; None before it was seen.
        good: The newest revision on the walk that passes with the patch carried there; None if none was found.
        bad: The revision after it on the walk, which fails as the start does with its own patch.
        between: Revisions between them that do not build by themselves, newest first: any may be the one that broke it.
        carried: What the test needs: `good` passes with it. Its guarantee is about the failure of `bad`, which needs
            all of it; where `good` does not pass with what that failure needs, about the pass. None if it is nothing,
            or was not found out.
        cause: The smallest change found that brings the failure back on `good` with `carried`.
        repair: The smallest change found with which the bad side passes.
        figure2: The result of the paper's Figure 2: a smallest change from `good` to the failure, including the
            changes that the test needs. `None` without the option `figure2`.
        forward: The fix for the revision that it was brought forward to, where a run showed that it passes.
        also: What a second test says of that fix; None if none was run.
        details: What there is to know about each of these patches, by their names.
        steps: What was looked at on the way, in that order.
        reductions: The reductions, in the order in which they were begun.
        visited: How many revisions were tested on the walk back and forward.
        skipped: How many revisions were left out because they do not build by themselves.
        warnings: Warnings about the result, in sentences.
        runs: How many answers cost a run.
        asked: How many answers came to probes.
        conflicts: How many of all answers were that a patch does not apply.
        seconds: How long the tests took together, as far as that was told; None if it never was.
        observations: Everything that was seen, in the order told.
        commits: What the commits that the answer names are called, by their full ids, where the history is a
            repository's; empty elsewhere, while the search runs, and where the repository could not say it.
    """

    status: Status
    message: str
    failure: str | None
    good: str | None
    bad: str | None
    between: tuple[str, ...]
    carried: Patch | None
    cause: Patch | None
    repair: Patch | None
    figure2: Patch | None
    forward: Patch | None
    also: RegressionCheck | None
    details: dict[str, PatchDetails]
    steps: tuple[PorterStep, ...]
    reductions: tuple[PorterReduction, ...]
    visited: int
    skipped: int
    warnings: tuple[str, ...]
    runs: int
    asked: int
    conflicts: int
    seconds: float | None = None
    observations: tuple[PortObservation, ...]
    commits: Mapping[str, Commit] = field(default_factory=dict, hash=False)
    _text: str = field(default="", repr=False, compare=False)

    _algorithm: ClassVar[str] = "port"

    @classmethod
    def from_json(cls, text: str) -> PorterReport:
        """A report that was written as JSON: by `to_json`, or with `--json` by the command line, or by the core.

        Raises:
            InvalidArgumentError: The text is no such report.
        """
        return cls._written(cls._read(text))

    @classmethod
    def _written(cls, text: str) -> PorterReport:
        """The report in a JSON object that the core wrote."""
        report: dict[str, Any] = json.loads(_native.spelled(text))
        details = {}
        for name in _PATCHES:
            patch = report[name]
            if patch is not None:
                details[name] = PatchDetails(patch["on"], patch["changes"], patch["of"], patch["guarantee"])
                report[name] = Patch.parse(_bytes(patch))
        report["details"] = details
        also = report.get("also")
        report["also"] = also and Also(
            Observation._as_written(also["before"]),
            Observation._as_written(also["after"]),
            also["breaks"],
            also["message"],
        )
        report["steps"] = tuple(PorterStep(**step) for step in report["steps"])
        report["reductions"] = tuple(PorterReduction(**made) for made in report["reductions"])
        report["between"] = tuple(report["between"])
        report["warnings"] = tuple(report["warnings"])
        report["commits"] = commits_from(report)
        report["observations"] = tuple(_observation(seen) for seen in report["observations"])
        return cls(**report, _text=text)

    @property
    def runs(self) -> int:
        """How often the oracle was run: `runs`."""
        return self.runs

    def to_svg(self, figure: Figure) -> str:
        """A figure as one SVG file: without scripts and links, for light, dark and paper.

        Where there is nothing to be shown, it says so.

        Args:
            figure: `"sizes"`: the sizes of the patches along the walk, before and after reduction (Artho, Figures 9 to
                22); `"reductions"`: the size of each patch before its reduction against the one after (Figures 23
                and 24); `"fixpoint"`: what was taken away after the first round over files, hunks and lines, until
                nothing changed any more (Figure 25).

        Raises:
            InvalidArgumentError: There is no such figure.
        """
        return _native.port_svg(self._text, figure)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def __repr__(self) -> str:
        return f"<PorterReport: {self.status} after {self.runs} runs: {self.message}>"


def _bytes(patch: dict[str, Any]) -> bytes:
    text: str | None = patch["text"]
    return base64.b64decode(patch["bytes"]) if text is None else text.encode()


def _observation(seen: dict[str, Any]) -> PortObservation:
    changes = seen.pop("changes", None)
    return PortObservation._as_written({"set": changes, "universe": None, **seen})
