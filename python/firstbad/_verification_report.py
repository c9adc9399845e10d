"""What a verification answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from firstbad import _native
from firstbad._commit import Commit, commits_from
from firstbad._report import RevisionObservation
from firstbad._status import Status
from firstbad._tally import RunCounts
from firstbad._words import Words

__all__ = ["Check", "ReasonCode", "Role", "VerificationReason", "VerificationReport"]

Role: TypeAlias = Literal["good", "parent", "culprit", "bad"]
"""What a revision is checked as: the good end (s_0) and the culprit's parents (s_(k-1)) must pass, the culprit (s_k)
and the bad end (s_n) must never pass; where the failure is said to have been a flake, the bad end must pass."""

ReasonCode: TypeAlias = Literal[
    "bad_never_passes",
    "bad_passes",
    "culprit_passes",
    "parent_never_passes",
    "good_never_passes",
    "no_good_pass_before_bad_fail",
    "no_bad_fail_before_good_pass",
    "no_parent_pass_before_culprit_fail",
    "no_culprit_fail_before_parent_pass",
    "not_reproducible",
    "unresolved",
]
"""Why a conclusion is not correct (FACF, "When is a Culprit Incorrect?"), or (`unresolved`) why nothing is proved."""


@dataclass(frozen=True)
class Check:
    """The runs of one check.

    Attributes:
        role: What the revision is checked as.
        revision: The revision.
        runs: Its runs so far.
    """

    role: Role
    revision: str
    runs: RunCounts

    def __str__(self) -> str:
        return _native.printable(f"{self.role} {self.revision}: {self.runs}")


@dataclass(frozen=True)
class VerificationReason:
    """Why a conclusion is not correct, or cannot be trusted.

    Attributes:
        code: Which condition it is.
        revision: The revision that it is about.
        message: A sentence for people.
    """

    code: ReasonCode
    revision: str
    message: str

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, repr=False, kw_only=True)
class VerificationReport(Words):
    """The answer of a verification (FACF: Henderson et al. 2023, Section 4, "Culprit Verification").

    Attributes:
        status: Where it stands: `found` once there is a verdict, `ambiguous` where a revision cannot be tested.
        correct: The verdict; None as long as there is none.
        reasons: Why the conclusion is not correct, or why nothing can be said; empty if it is correct.
        message: The same in one sentence, for people.
        culprit: The conclusion that was verified: the culprit, or None for a flake.
        reruns: How many runs a check takes at most: ceil(log((1 - confidence) / n) / log(flake rate)), where flakes
            could mislead the verdict in n ways: two for each good end and each parent of the culprit, one for a flake.
        checks: What each check saw.
        runs: How many answers came from the oracle.
        observations: Everything that was seen, in the order told.
        warnings: Warnings about the result, in sentences.
        commits: What the commits that the answer names are called, by their full ids, where the history is a
            repository's; empty elsewhere, while the search runs, and where the repository could not say it.
    """

    status: Status
    correct: bool | None
    reasons: tuple[VerificationReason, ...]
    message: str
    culprit: str | None
    reruns: int
    checks: tuple[Check, ...]
    runs: int
    observations: tuple[RevisionObservation, ...]
    warnings: tuple[str, ...]
    commits: Mapping[str, Commit] = field(hash=False)
    _text: str = field(default="", repr=False, compare=False)

    _algorithm: ClassVar[str] = "verification"

    @classmethod
    def from_json(cls, text: str) -> VerificationReport:
        """A report that was written as JSON: by `to_json`, or with `--json` by the command line, or by the core.

        Raises:
            InvalidArgumentError: The text is no such report.
        """
        return cls._written(cls._read(text))

    @classmethod
    def _written(cls, text: str) -> VerificationReport:
        """The report in a JSON object that the core wrote."""
        report: dict[str, Any] = json.loads(_native.spelled(text))
        report["reasons"] = tuple(VerificationReason(**reason) for reason in report["reasons"])
        report["checks"] = tuple(
            Check(check["role"], check["revision"], RunCounts(**check["runs"])) for check in report["checks"]
        )
        report["warnings"] = tuple(report["warnings"])
        report["commits"] = commits_from(report)
        report["observations"] = tuple(RevisionObservation._as_written(seen) for seen in report["observations"])
        return cls(**report, _text=text)

    def __repr__(self) -> str:
        return f"<VerificationReport: {self.message}>"
