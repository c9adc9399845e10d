"""What a regression search answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from firstbad import _native
from firstbad._commit import Commit, commits_from
from firstbad._lean import Lean
from firstbad._observation import Observation
from firstbad._patch import Patch
from firstbad._reduction_report import MinimizeReport
from firstbad._status import Status
from firstbad._why import SelectionReason, why_from
from firstbad._words import Words

__all__ = ["LeafReport", "RegressionPoint", "RegressionReport", "RevisionObservation"]


@dataclass(frozen=True, repr=False, kw_only=True)
class RegressionPoint(Lean):
    """An edge (or a stretch of history) between a passing revision and a failing one (RPA, Definition 2).

    Attributes:
        good: The revision that passes; None if no ancestor was seen to. With `find="fix"` the newer one.
        bad: The revision that fails. With `find="fix"` the older one.
        culprit: The revision that changed the outcome. None if there are candidates, if no ancestor had the other
            outcome, or if its own outcomes were inconsistent.
        leaves: The newer ends that this point answers for, in the order given.
        distances: Parallel to `leaves`: edges on a shortest path from `bad` to the leaf.
        parents_pass: Whether the newer revision was seen to be as it is and every parent of it to be otherwise: then it is the
            culprit by itself.
        confirmed: Whether the culprit and its parents were each run by themselves in a clean worktree, the parents
            after the culprit, with the same outcomes. Always False with `confirm=False` and with `search="bayes"`,
            which gives a `probability` instead.
        same_change: The culprits of other points that make the same change (equal patch-ids), such as its
            cherry-picks. Together they are one finding.
        untested_endpoints: The given ends that the point rests on and that nobody tested (`test_endpoints=False`), with a `good` end
            that never passed.
        inconsistent: Outcomes that come and go: revisions that were seen, before the older side, to be like the newer
            one, or after the newer side, on the way to a leaf, to be like the older one; at most 10, oldest first.
        candidates: All suspects left, oldest first, where unresolved revisions stand between; else empty.
        unresolved_parents: The unresolved parents of the newer revision. They are candidates, unless a revision that
            passes comes after them or `check_parents=False`.
        outside_paths: Whether the newer revision touches none of the paths that the history was simplified to: what is
            to blame may be a commit before it that was not looked at. It is among the candidates then.
        probability: With `search="bayes"`: how likely the point is right for all of its leaves, in [0, 1]; else None.
        find: `"regression"`, or `"fix"` where the repair of one was sought.
        fingerprint: A name for this finding, 32 hexadecimal digits: the same for it in every run, language and version.
            It depends on who is to blame alone: on `find`, and on the culprit's id or those of all candidates. Not on
            the revision before it, on the ends that it answers for, on what was tested, nor on names. With fewer
            candidates it is another finding.
    """

    good: str | None
    bad: str
    culprit: str | None
    leaves: tuple[str, ...]
    distances: tuple[int, ...]
    parents_pass: bool
    confirmed: bool
    same_change: tuple[str, ...]
    untested_endpoints: tuple[str, ...]
    inconsistent: tuple[str, ...]
    candidates: tuple[str, ...]
    unresolved_parents: tuple[str, ...]
    outside_paths: bool
    probability: float | None
    find: Literal["regression", "fix"]
    fingerprint: str

    def __str__(self) -> str:
        good = "no passing ancestor" if self.good is None else f"good {self.good}"
        words = [f"bad {self.bad}, {good}"]
        if self.outside_paths:
            words.append("it does not touch the paths, and others between were not looked at")
        elif self.candidates:
            words.append(f"{len(self.candidates)} candidates: {_some(self.candidates)}")
        elif self.untested_endpoints:
            words.append(f"taken as given, not tested: {_some(self.untested_endpoints)}")
        elif not self.parents_pass:
            words.append("not clean: another parent fails too or could not be tested")
        words.append(f"for {_some(self.leaves)}")
        if self.inconsistent:
            words.append(f"outcomes come and go: see {_some(self.inconsistent)}")
        if self.probability is not None:
            words.append(f"probability {_native.percent(self.probability)}")
        return _native.printable("; ".join(words))


@dataclass(frozen=True, repr=False)
class LeafReport(Lean):
    """What became of one newer end.

    Attributes:
        leaf: The end.
        result: `open` (not answered yet), `searched` (by a search of its own), `propagated` (another end's point
            answers for it too; RPA, Algorithm 2), `not_reproduced` (it does not fail, or with another failure),
            `no_passing_revision` (nothing before it was seen to pass), `untestable` (neither it nor its replacement can
            be tested) or `contradictory` (two runs of a revision that decides the result differ; with
            `search="bayes"`, the observations fit no culprit at the given flake rate).
        points: Its points, as indices into the report's points.
        replaced_by: The older revision that was searched from, where the end itself could not be tested; else None.
    """

    leaf: str
    result: Literal[
        "open", "searched", "propagated", "not_reproduced", "no_passing_revision", "untestable", "contradictory"
    ]
    points: tuple[int, ...]
    replaced_by: str | None


@dataclass(frozen=True, kw_only=True, repr=False)
class RevisionObservation(Observation):
    """An observation with the revision that it is about.

    Attributes:
        revision: The revision.
        probe: The id of the probe that it answered; None if it was known without being asked.
    """

    revision: str
    probe: int | None


@dataclass(frozen=True, repr=False, kw_only=True)
class RegressionReport(Words):
    """The answer of a regression search, final or the best so far.

    Attributes:
        status: Where the search stands.
        message: The same in one sentence, for people.
        points: The regression points, in the order found.
        leaves: What became of each newer end, in the order given.
        runs: How many answers came from the oracle.
        confirmations: The number of these runs that confirmed or contradicted the result.
        observations: Everything that was seen, in the order told.
        warnings: What is to be known before one believes the answer, or its cost, in sentences.
        why: Why revisions were tried, for those that were asked or are to blame and of which the prior knows it
            (`prior="changes"`).
        commits: What the commits that the answer names are called, by their full ids, where the history is a
            repository's; empty elsewhere, while the search runs, and where the repository could not say it.
        names: The branches and tags of the newer ends, by their full ids, at most three of each; known where `commits`
            are.
        paths: The paths that the history was simplified to before it was searched: only commits that touch them were
            looked at, and the ends. Then no point is clean: what lies right before a commit here need not be its
            parent. Empty: all commits.
        first_parent: Whether only first parents were followed.
        find: Which change was looked for.
        causes: With `explain`, parallel to `points`: the smallest part of the patch from good to bad that still fails;
            None if none was looked for (`message` says why). Empty without.
    """

    status: Status
    message: str
    points: tuple[RegressionPoint, ...]
    leaves: tuple[LeafReport, ...]
    runs: int
    observations: tuple[RevisionObservation, ...]
    warnings: tuple[str, ...]
    why: Mapping[str, SelectionReason] = field(hash=False)
    commits: Mapping[str, Commit] = field(hash=False)
    names: Mapping[str, tuple[str, ...]] = field(hash=False)
    paths: tuple[str, ...]
    first_parent: bool
    confirmations: int
    find: Literal["regression", "fix"]
    causes: tuple[MinimizeReport[Patch] | None, ...] = ()
    _text: str = field(default="", repr=False, compare=False)
    _explained: tuple[dict[str, Any] | None, ...] = field(default=(), repr=False, compare=False)

    _algorithm: ClassVar[str] = "regression"

    @classmethod
    def from_json(cls, text: str) -> RegressionReport:
        """A report that was written as JSON: by `to_json`, or with `--json` by the command line, or by the core.

        Raises:
            InvalidArgumentError: The text is no such report.
        """
        report = cls._written(cls._read(text))
        read: list[dict[str, Any] | None] = json.loads(_native.read_causes(text))
        if not any(read):
            return report
        explained = tuple(cause and cause["known"] for cause in read)
        return report._with_causes(report._text, tuple(_cause(cause) for cause in read), explained)

    @classmethod
    def _written(cls, text: str) -> RegressionReport:
        """The report in a JSON object that the core wrote."""
        report: dict[str, Any] = json.loads(_native.spelled(text))
        report["points"] = tuple(RegressionPoint(**_frozen(point)) for point in report["points"])
        report["leaves"] = tuple(LeafReport(**_frozen(leaf)) for leaf in report["leaves"])
        report["warnings"] = tuple(report["warnings"])
        report["why"] = {revision: why_from(why) for revision, why in report["why"].items()}
        report["commits"] = commits_from(report)
        report["names"] = {id: tuple(names) for id, names in report["names"].items()}
        report["paths"] = tuple(report["paths"])
        report["observations"] = tuple(RevisionObservation._as_written(seen) for seen in report["observations"])
        return cls(**report, _text=text)

    def to_bisect_log(self) -> str:
        """What was seen as a `git bisect log`, for `git bisect replay`, and for whoever else reads such logs.

        git knows one newer end: of several it is that of the first point. What was seen otherwise each time is skipped.
        """
        return self._in_form("bisect_log")

    def _known(self) -> dict[str, Any]:
        return {"causes": self._explained}

    def _card(self) -> str:
        card = super()._card()
        if not any(self._explained):
            return card
        return card + _native.cause_cards(self._algorithm, self._text, json.dumps(self._known()))

    def _with_causes(
        self,
        written: str,
        causes: tuple[MinimizeReport[Patch] | None, ...],
        explained: tuple[dict[str, Any] | None, ...],
    ) -> RegressionReport:
        """Returns the report that the core wrote, with the causes of its points and their explanation."""
        explained_report: RegressionReport = replace(self._written(written), causes=causes, _explained=explained)._of(
            self._search
        )
        return explained_report

    def __repr__(self) -> str:
        runs = f"{self.runs} {'query' if self.runs == 1 else 'queries'}"
        return f"<RegressionReport: {self.status} after {runs}: {self.message}>"


def _cause(read: dict[str, Any] | None) -> MinimizeReport[Patch] | None:
    """Returns the cause of a point from a parsed report."""
    if read is None or read["report"] is None:
        return None
    part = Patch(_native.Patch.part(read["patch"].encode(), read["report"]["kept"]))
    return MinimizeReport._written(json.dumps(read["report"]), lambda _: part)


def _frozen(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}


def _some(names: tuple[str, ...], shown: int = 5) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
