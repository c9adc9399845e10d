"""What a culprit search answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from firstbad import _native
from firstbad._commit import Commit, commits_from
from firstbad._observation import Outcome
from firstbad._posterior import Hypothesis, Posterior
from firstbad._report import RevisionObservation
from firstbad._status import Status
from firstbad._tally import RunCounts
from firstbad._why import SelectionReason, why_from
from firstbad._words import Words

if TYPE_CHECKING:
    from firstbad._ranking import Ranking

__all__ = ["Conclusion", "CulpritReport", "MissingRun", "Reason"]

Conclusion: TypeAlias = Literal["culprit", "flake", "inconclusive"]
"""Who is to blame: one revision, nobody (the failure was a flake), or it cannot be said (yet)."""

Reason: TypeAlias = Literal[
    "running",
    "confident",
    "bisected",
    "inseparable",
    "unproven",
    "contradictory",
    "good_end_fails",
    "too_flaky",
    "budget",
    "stopped",
]
"""Why a search has, or has not, come to its conclusion.

`running`: not done. `confident`: the conclusion has reached the confidence asked for. `bisected`: with
`strategy="bisect"`, nothing else is left if every outcome is what its reruns make of it; how likely that is, the
probability says. `inseparable`: the suspects left differ only at revisions that cannot be tested: unresolved ones,
those inside a block of such, and those whose runs did not settle it. `unproven`: one revision has reached the
confidence, and is not named, because the runs in `missing` were not seen and cannot be had, or because it has no parent
that could pass. `contradictory`: the answers fit no single culprit at the flake rate given. `good_end_fails`: the
revision given as good fails. `too_flaky`: the rates found (`flake_rate`, `false_pass_rate`) would take too many runs.
`budget`, `stopped`: ended early.
"""


@dataclass(frozen=True)
class MissingRun:
    """An outcome of a revision that was not seen.

    Attributes:
        revision: The revision.
        outcome: The outcome that no run of it had: a pass or a failure.
    """

    revision: str
    outcome: Outcome


@dataclass(frozen=True, repr=False, kw_only=True)
class CulpritReport(Words):
    """The answer of a culprit search, final or the best so far (FACF: Henderson et al. 2023).

    Attributes:
        status: Where the search stands: `found` for a culprit, `not_reproduced` for a flake, `ambiguous` where
            suspects cannot be told apart or one cannot be proved, `contradictory`, `good_end_fails`, `too_flaky`,
            `budget`, `stopped` or `running`.
        conclusion: `culprit`, `flake` or `inconclusive`.
        reason: Why that, or why not more.
        message: The same in a sentence or two, for people.
        culprit: The culprit; None unless the conclusion is `culprit`.
        probability: How likely the conclusion is, in [0, 1]: for `culprit` that it is this revision, for `flake` that
            there is no culprit; for `inconclusive` the probability of the likeliest hypothesis.
        no_culprit: How likely there is no culprit, in [0, 1].
        credible_set: The fewest hypotheses that reach the confidence together, the likeliest first; while the search
            runs at most ten of them.
        missing: Where one suspect has reached the confidence: what was not seen (yet), of a failure of it and a pass of
            each of its parents. Nobody is named before all of it was. Empty in all other cases.
        warnings: What is to be known before one believes the answer, or its cost, in sentences.
        asked: How many answers came from the oracle.
        runs: How many executions of the test all answers stand for, counts (`passes`, `fails`) included.
        flake_rate: How often the test fails at a healthy revision, in [0, 1): as given, or the posterior mean.
        false_pass_rate: How often it passes at a broken one, likewise.
        rates_consistent: Whether the rates told fit what was seen; True if none were told. False once what was seen is
            1 / (1 - confidence) times as likely with both rates unknown: these are then estimated instead (`verify`).
        verified: Whether the short verification at the end has confirmed the conclusion (`verify`).
        failure_streak: How many failures came in a row at revisions that are healthy if the likeliest hypothesis is true, by
            `started` or else in the order told, if chance does not explain that; else None.
        healthy_runs: Runs at revisions that are healthy if the likeliest hypothesis is true: what was seen of the
            flake rate.
        observations: Everything that was seen, in the order told.
        why: Why revisions were tried, for those that were asked or are to blame and of which the prior knows it
            (`prior="changes"`).
        commits: What the commits that the answer names are called, by their full ids, where the history is a
            repository's; empty elsewhere, while the search runs, and where the repository could not say it.
        fingerprint: A name for this finding, as that of a `RegressionPoint`: of the culprit, or of all suspects that
            cannot be told apart; None while nobody is to blame.
        posterior: The probability of every suspect when the report was made: a read-only mapping, nothing is computed
            before it is looked at. Not part of comparisons between reports.
        ranking: The suspects as the build graph ranks them, where `find_culprit` was given one. Not part of comparisons
            either.
    """

    status: Status
    conclusion: Conclusion
    reason: Reason
    message: str
    culprit: str | None
    probability: float
    no_culprit: float
    credible_set: tuple[Hypothesis, ...]
    missing: tuple[MissingRun, ...]
    warnings: tuple[str, ...]
    asked: int
    runs: int
    flake_rate: float
    false_pass_rate: float
    rates_consistent: bool
    verified: bool
    failure_streak: int | None
    healthy_runs: RunCounts
    observations: tuple[RevisionObservation, ...]
    fingerprint: str | None
    posterior: Posterior = field(compare=False)
    why: Mapping[str, SelectionReason] = field(hash=False)
    commits: Mapping[str, Commit] = field(hash=False)
    ranking: Ranking | None = field(default=None, compare=False)
    _text: str = field(default="", repr=False, compare=False)

    _algorithm: ClassVar[str] = "culprit"

    @classmethod
    def from_json(cls, text: str) -> CulpritReport:
        """A report that was written as JSON: by `to_json`, or with `--json` by the command line, or by the core.

        Its posterior has the hypotheses of `credible_set` alone: a million suspects are not written down.

        Raises:
            InvalidArgumentError: The text is no such report.
        """
        return cls._written(cls._read(text))

    @classmethod
    def _written(cls, text: str, posterior: _native.Posterior | None = None) -> CulpritReport:
        """The report in a JSON object that the core wrote, with the posterior at the same moment."""
        report: dict[str, Any] = json.loads(_native.spelled(text))
        report["credible_set"] = tuple(Hypothesis(**one) for one in report["credible_set"])
        missing = report["missing"]
        report["missing"] = tuple(MissingRun(run["revision"], Outcome(run["outcome"])) for run in missing)
        report["warnings"] = tuple(report["warnings"])
        report["healthy_runs"] = RunCounts(**report["healthy_runs"])
        report["why"] = {revision: why_from(why) for revision, why in report["why"].items()}
        report["commits"] = commits_from(report)
        report["observations"] = tuple(RevisionObservation._as_written(seen) for seen in report["observations"])
        if posterior is None:
            believed = Posterior.of_hypotheses(report["credible_set"], report["no_culprit"])
        else:
            believed = Posterior(posterior)
        return cls(**report, posterior=believed, _text=text)

    def __repr__(self) -> str:
        runs = f"{self.runs} {'run' if self.runs == 1 else 'runs'}"
        return f"<CulpritReport: {self.conclusion} after {runs}: {self.message}>"
