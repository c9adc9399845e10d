"""The types of reports. Generated from the types of reports in Rust by `make generate`; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from firstbad._lean import Lean
from firstbad._observation import (
    Observation, Outcome, PortObservation, RevisionObservation, SubsetObservation, SuiteObservation,
)
from firstbad._patch import Patch, ported_patch
from firstbad._tally import RunCounts
from firstbad._values import CheckMethods, HypothesisMethods, PointMethods, Said
from firstbad._written import Written, each, every

__all__ = [
    "ChangeConclusion",
    "ChangeFields",
    "Check",
    "Commit",
    "CommitReason",
    "CommitReasonKind",
    "CommitStats",
    "CommitSuspect",
    "Conclusion",
    "CulpritEvidence",
    "CulpritFields",
    "Explanation",
    "FileStats",
    "Find",
    "Guarantee",
    "Hypothesis",
    "IsolateFields",
    "LeafReport",
    "LeafResult",
    "MetricChange",
    "MinimizeFields",
    "MissingRun",
    "Noise",
    "PatchDetails",
    "People",
    "PorterFields",
    "PorterReason",
    "PorterReduction",
    "PorterStep",
    "Purpose",
    "RankingReason",
    "Reason",
    "ReasonCode",
    "ReductionResult",
    "RegressionCheck",
    "RegressionFields",
    "RegressionPoint",
    "RevisionRuns",
    "Role",
    "SelectionReason",
    "SeparateEstimate",
    "SeriesPoint",
    "SliceEvidence",
    "SliceSize",
    "SlicerFields",
    "Status",
    "Step",
    "StepOutcome",
    "SubmoduleChange",
    "Suspect",
    "TestVerdict",
    "TriageCulprit",
    "TriageFields",
    "Unexplained",
    "Verdict",
    "VerificationFields",
    "VerificationReason",
]


@dataclass(frozen=True, repr=False)
class FileStats(Lean, Written):
    """A file that a commit changed.

    Attributes:
        path: The path of the file, relative to the top folder.
        added: The number of added lines.
        deleted: The number of deleted lines.
    """

    path: str
    added: int
    deleted: int


@dataclass(frozen=True, repr=False)
class CommitStats(Lean, Written):
    """The size of a commit's changes.

    Attributes:
        files: The number of changed files.
        added: The number of added lines. Binary files count as zero.
        deleted: The number of deleted lines. Binary files count as zero.
        largest: The ten files with the most changed lines, largest first.
    """

    files: int
    added: int
    deleted: int
    largest: tuple[FileStats, ...]

    _conversions = {
        "largest": each(FileStats._from),
    }


@dataclass(frozen=True, repr=False)
class SubmoduleChange(Lean, Written):
    """A submodule that a commit updates to another commit.

    Attributes:
        path: The path of the submodule, relative to the top folder.
        before: The commit of the submodule before the update.
        after: The commit of the submodule after the update.
        commits: The number of new submodule commits, or 0 if they are not available.
        newest: The newest submodule commits, at most five, each as an abbreviated id and a subject.
    """

    path: str
    before: str
    after: str
    commits: int
    newest: tuple[str, ...]

    _conversions = {
        "newest": tuple,
    }


@dataclass(frozen=True, repr=False)
class Commit(Lean, Written):
    """A description of a commit.

    Its texts come from the author and must be escaped before they are shown.

    Attributes:
        subject: The first line of the commit message, at most 200 characters.
        author: The name of the author, at most 200 characters.
        email: The author's e-mail address, or an empty string if it is unknown.
        author_date: The author date in ISO 8601, to the second, with the author's UTC offset.
        commit_date: The commit date in ISO 8601, to the second, with the committer's UTC offset.
        changed: The changes against the first parent. They are read only for culprits.
        url: The URL of the commit, if the remote is a known forge that has the commit.
        request_url: The URL of the pull or merge request, if the message of the commit or of its merge commit names
            one.
        submodules: The submodules that the commit updates. They are read only for culprits.
    """

    subject: str
    author: str
    author_date: str
    commit_date: str
    email: str = ""
    changed: CommitStats | None = None
    url: str | None = None
    request_url: str | None = None
    submodules: tuple[SubmoduleChange, ...] = ()

    _conversions = {
        "changed": CommitStats._from,
        "submodules": each(SubmoduleChange._from),
    }


Find: TypeAlias = Literal["regression", "fix"]
"""The kind of change that a search finds.

`regression`: the change from pass to fail that broke the test. `fix`: the change from fail to pass that fixed the test.
`good` then holds the newer revisions and `bad` the older ones.
"""


LeafResult: TypeAlias = Literal[
    "open",
    "searched",
    "propagated",
    "not_reproduced",
    "no_passing_revision",
    "untestable",
    "contradictory",
]
"""How the search for a newer endpoint ended.

`open`: the search has not finished. `searched`: a search for this endpoint found its points. `propagated`: a point
found for another endpoint also explains this one (RPA, Algorithm 2). `not_reproduced`: the endpoint does not fail or
fails in another way. For a fix, no earlier revision failed. `no_passing_revision`: the endpoint fails, and no ancestor
was observed to pass. `untestable`: the endpoint is unresolved, and no older revision was observed to fail.
`contradictory`: a revision that the result depends on had two different outcomes. With `search="bayes"`, no culprit
explains the outcomes at the given flake rate, or the rates are unknown and so high that a run carries too little
information.
"""


@dataclass(frozen=True, repr=False)
class LeafReport(Lean, Written):
    """The result for one newer endpoint.

    Attributes:
        leaf: The endpoint.
        replaced_by: The older revision that replaced the endpoint, if the endpoint is unresolved.
        result: How the search ended.
        points: The points of the endpoint, as indices into the points of the report.
    """

    leaf: str
    result: LeafResult
    points: tuple[int, ...]
    replaced_by: str | None = None

    _conversions = {
        "points": tuple,
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class RegressionPoint(PointMethods, Lean, Written):
    """A pair of a passing and a failing revision between which the outcome changed (RPA, Definition 2).

    Attributes:
        good: The passing revision, or `None` if no ancestor was observed to pass. With `find="fix"`, the newer one.
        bad: The failing revision. With `find="fix"`, the older one.
        culprit: The revision that changed the outcome. `None` if there are candidates, if no ancestor had the other
            outcome, or if the revision had inconsistent outcomes. Also `None` if `paths` left out commits right before
            it (`outside_paths`).
        leaves: The newer endpoints that this point explains, in the order in which they were given.
        distances: The number of edges on a shortest path from `bad` to each leaf, parallel to `leaves`.
        parents_pass: Whether the newer revision and each of its parents were observed to have opposite outcomes, so
            that the newer revision alone is the culprit. Always false for a root.
        confirmed: Whether the culprit and its parents were each run alone in a clean worktree, the parents after the
            culprit, with the same outcomes. Always false with `confirm=False`. Also false with `search="bayes"`, which
            reports a `probability` instead.
        untested_endpoints: The untested endpoints that the point depends on (`test_endpoints=False`). Includes the
            older side if it never had the given outcome in a run.
        inconsistent: Revisions with inconsistent outcomes: the newer outcome before the older side, or the older
            outcome between the newer side and a leaf. At most 10, oldest first.
        candidates: All remaining suspects, oldest first, if there are unresolved revisions between the two sides. Empty
            if the edge itself was tested. With `outside_paths`, this includes the newer revision.
        outside_paths: Whether the newer revision touches none of the paths that the history was simplified to. The
            culprit can then be an earlier commit that was not considered.
        same_change: The culprits of other points with the same change (equal patch-ids), such as cherry-picks. Together
            they are one finding.
        unresolved_parents: The unresolved parents of the newer revision, in the order of its parents.
        probability: With `search="bayes"`, the probability that the point is right for all its leaves, in [0, 1].
        find: Whether the point is a regression or, with `find="fix"`, a fix.
        fingerprint: An identifier of this finding, 32 hexadecimal digits. It is the same in every run, language, and
            version that finds the same culprit, or the same candidates.
    """

    good: str | None
    bad: str
    culprit: str | None
    leaves: tuple[str, ...]
    distances: tuple[int, ...]
    parents_pass: bool
    confirmed: bool
    untested_endpoints: tuple[str, ...]
    inconsistent: tuple[str, ...]
    candidates: tuple[str, ...]
    outside_paths: bool
    same_change: tuple[str, ...]
    unresolved_parents: tuple[str, ...]
    probability: float | None
    find: Find
    fingerprint: str

    _conversions = {
        "leaves": tuple,
        "distances": tuple,
        "untested_endpoints": tuple,
        "inconsistent": tuple,
        "candidates": tuple,
        "same_change": tuple,
        "unresolved_parents": tuple,
    }


Status: TypeAlias = Literal[
    "running",
    "found",
    "ambiguous",
    "not_reproduced",
    "good_end_fails",
    "no_passing_revision",
    "untestable",
    "budget",
    "stopped",
    "contradictory",
    "too_flaky",
    "spread",
    "no_change",
    "history_exhausted",
    "patch_too_large",
    "revision_not_readable",
]
"""The status of a search.

`running`: the search is not done: it has targets to ask for or waits for outcomes. `found`: the search found its
result, down to an edge for each bad revision. `ambiguous`: unresolved revisions hide the culprit, so the result has
several candidates. `not_reproduced`: no bad revision fails, or none fails with the failure searched for.
`good_end_fails`: a revision given as good fails. `no_passing_revision`: no culprit found, because no revision passes.
`untestable`: no culprit found, because the bad revisions and their replacements are unresolved. `budget`: the budget
was used up before the search was done. `stopped`: the caller or the oracle stopped the search before it was done.
`contradictory`: no single culprit fits the outcomes at the given flake rate. `too_flaky`: the test fails or passes by
chance so often that the search would take too many runs. `spread`: the number changed between the endpoints, but no
single commit changed it by enough. `no_change`: the number at the endpoints does not differ by enough.
`history_exhausted`: no tested revision passes, and there are no older revisions. `patch_too_large`: the patch that the
test needs exceeds its maximum size. `revision_not_readable`: older revisions exist but are missing from this
repository.
"""


CommitReasonKind: TypeAlias = Literal[
    "named",
    "paths",
    "subject",
    "source",
    "no_source",
    "affects",
    "unlikely",
    "excluded",
]
"""A reason why a commit is tested early or late.

`named`: the commit touches a source file that the test is named after. `paths`: the commit touches source files whose
names share words with the test's file. `subject`: the subject of the commit shares words with the test. `source`: the
commit touches source files. `no_source`: the commit touches no source file. `affects`: the commit touches a file that
the test depends on, according to the build graph. `unlikely`: the commit touches nothing that the test is known to
depend on, according to the build graph. `excluded`: the commit cannot have broken the test, according to the build
graph.
"""


@dataclass(frozen=True, repr=False)
class CommitReason(Lean, Written):
    """A reason why a commit is tested early or late.

    Attributes:
        kind: The kind of the reason.
        file: For `named`: the path of the file. For `affects`: the first such file of the closest target.
        words: For `paths` and `subject`: the shared words, as in the test.
        files: For `source`: the number of source files.
        lines: For `source`: the number of added and deleted lines in these files. 0 if lines were not counted.
        tests: For `source`: whether the commit also touches tests.
        target: For `affects`: the name of the target.
        depth: For `affects`: the number of dependencies from the closest failing test to the target. 0 for the test
            itself.
    """

    kind: CommitReasonKind
    file: str | None = None
    words: tuple[str, ...] = ()
    files: int | None = None
    lines: int | None = None
    tests: bool | None = None
    target: str | None = None
    depth: int | None = None

    _conversions = {
        "words": tuple,
    }


@dataclass(frozen=True, repr=False)
class SelectionReason(Lean, Written):
    """The reason why a revision was tested.

    It concerns this revision or a child of it.

    Attributes:
        message: The reasons as text that can follow the name of the revision.
        before: The child that the reasons concern, if the child is more likely to be the culprit than the revision. A
            test of the parent is as informative as a test of the child.
        reasons: The reasons, strongest first, at most three.
    """

    message: str
    reasons: tuple[CommitReason, ...]
    before: str | None = None

    _conversions = {
        "reasons": each(CommitReason._from),
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class RegressionFields(Written):
    """The result of a regression search, final or the best so far.

    Attributes:
        status: The status of the search.
        message: The result in one sentence.
        find: The change that was searched for.
        points: The regression points, in the order in which they were found.
        leaves: The result for each newer endpoint, in the given order.
        warnings: Warnings about the result or its cost, in sentences.
        asked: The number of outcomes from the oracle, including outcomes that cost no run.
        runs: The number of outcomes that cost a run.
        confirmations: The number of runs that confirmed or contradicted the result.
        observations: All observations, in the order in which they were reported.
        why: Why revisions were tried, with `prior="changes"`. Covers the culprits and the tested revisions for which
            the prior has reasons.
        commits: Details of the commits in the result, by full id. Empty if the history is not from a repository, while
            the search runs, and if the repository could not be read.
        names: The branches and tags of the endpoints, by full id, at most three of each. Empty if `commits` is empty.
        paths: The paths to which the history was simplified. If not empty, only the endpoints and commits that touch
            these paths were considered, and `parents_pass` of every point is false, because a commit's parent in this
            history need not be its real parent.
        first_parent: Whether the search followed first parents only.
    """

    status: Status
    message: str
    find: Find = "regression"
    points: tuple[RegressionPoint, ...]
    leaves: tuple[LeafReport, ...]
    warnings: tuple[str, ...] = ()
    asked: int
    runs: int
    confirmations: int = 0
    observations: tuple[RevisionObservation, ...]
    why: Mapping[str, SelectionReason] = field(default_factory=dict, hash=False)
    commits: Mapping[str, Commit] = field(default_factory=dict, hash=False)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    paths: tuple[str, ...] = ()
    first_parent: bool = False
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "points": each(RegressionPoint._from),
        "leaves": each(LeafReport._from),
        "warnings": tuple,
        "observations": each(RevisionObservation._as_written),
        "why": every(SelectionReason._from),
        "commits": every(Commit._from),
        "names": every(tuple),
        "paths": tuple,
    }


Conclusion: TypeAlias = Literal["culprit", "flake", "inconclusive"]
"""The conclusion of a culprit search.

`culprit`: one revision is the culprit (FACF: `CULPRIT_VERSION_IDENTIFIED`). `flake`: there is no culprit: the failure
was a flake (FACF: `FLAKE_IDENTIFIED`). `inconclusive`: there is no conclusion, or none yet.
"""


@dataclass(frozen=True)
class Hypothesis(HypothesisMethods, Written):
    """A hypothesis with its probability.

    Attributes:
        revision: The suspect. Absent for the hypothesis that there is no culprit.
        probability: The posterior probability, from 0 to 1.
    """

    revision: str | None
    probability: float


@dataclass(frozen=True, repr=False)
class MissingRun(Lean, Written):
    """A required outcome that was not observed.

    Attributes:
        revision: The revision.
        outcome: The outcome that no run of the revision had: pass or fail.
    """

    revision: str
    outcome: Outcome

    _conversions = {
        "outcome": Outcome,
    }


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
"""Why a search reached, or did not reach, a conclusion.

`running`: the search is still running. `confident`: the probability of the conclusion has reached the requested
confidence. `bisected`: with `choose="bisect"`, a single hypothesis is left if every outcome is right. See `probability`
for how likely that is. `inseparable`: the remaining suspects differ only at revisions that cannot be settled:
unresolved revisions, revisions inside an unresolved block, and revisions at the maximum number of runs. `unproven`: a
revision has reached the confidence but is not reported as the culprit. The `missing` runs cannot be obtained, or the
revision has no parent that could pass. `missing`: CulpritReport.missing `contradictory`: no single culprit explains the
outcomes at the given flake rate. `good_end_fails`: a good revision fails. `too_flaky`: the search would take too many
runs at the estimated `flake_rate` and `false_pass_rate`. `budget`: the budget was used up first. `stopped`: the caller
or the oracle stopped the search first.
"""


@dataclass(frozen=True, repr=False, kw_only=True)
class CulpritFields(Written):
    """The result of a culprit search, final or the best so far.

    Attributes:
        status: The status of the search.
        conclusion: The conclusion.
        reason: The reason for the conclusion, or for its absence.
        message: The result in one or two sentences.
        culprit: The culprit. `None` unless the conclusion is `culprit`.
        probability: The posterior probability of the conclusion, in [0, 1]. For `culprit` it is that of the culprit,
            for `flake` that of no culprit, and for `inconclusive` that of the most probable hypothesis.
        no_culprit: The posterior probability that there is no culprit, in [0, 1].
        credible_set: The smallest set of hypotheses that reaches the confidence, most probable first. If the reason is
            `inseparable`, all hypotheses that no test can separate. While the search runs, at most the ten most
            probable hypotheses.
        missing: The missing runs of a suspect that has reached the confidence: a failure of the suspect and a pass of
            each parent. Until none is missing, the conclusion is `inconclusive`. If they cannot be obtained, the reason
            is `unproven`. Empty in all other cases.
        warnings: Warnings about the result or its cost, in sentences.
        asked: The number of outcomes from the oracle, including outcomes that cost no run.
        runs: The number of outcomes that cost a run. An observation with counts is one run of the oracle.
        flake_rate: The flake rate, in [0, 1): as given, or the posterior mean if it is estimated.
        false_pass_rate: The rate of false passes, in [0, 1): as given, or the posterior mean if it is estimated.
        rates_consistent: Whether the given rates fit the observations. True if no rate was given. False if the
            observations are `1 / (1 - confidence)` times as likely with both rates unknown. Both rates are then
            estimated (`verify`).
        verified: Whether the final verification confirmed the conclusion (`verify`).
        failure_streak: The length of the longest row of failures at healthy revisions, if neither the flake rate nor
            chance explains it at the requested confidence. Set when the search ends. Revisions are healthy under the
            most probable hypothesis. Runs are ordered by `started`, or by when they were reported if a start time is
            missing.
        healthy_runs: The runs at revisions that are healthy under the most probable hypothesis, as evidence of the
            flake rate.
        observations: All observations, in the order in which they were reported.
        why: Why revisions were tried, with `prior="changes"`. Covers the culprit and the tested revisions for which the
            prior has reasons.
        fingerprint: An identifier of this finding, 32 hexadecimal digits. It is the same in every run that finds the
            same culprit, or the same suspects that no test can separate, also in a regression search. `None` if there
            is no culprit, or none yet.
        commits: Details of the commits in the result, by full id. Empty if the history is not from a repository, while
            the search runs, and if the repository could not be read.
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
    warnings: tuple[str, ...] = ()
    asked: int
    runs: int
    flake_rate: float
    false_pass_rate: float
    rates_consistent: bool
    verified: bool
    failure_streak: int | None
    healthy_runs: RunCounts
    observations: tuple[RevisionObservation, ...]
    why: Mapping[str, SelectionReason] = field(default_factory=dict, hash=False)
    fingerprint: str | None
    commits: Mapping[str, Commit] = field(default_factory=dict, hash=False)
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "credible_set": each(Hypothesis._from),
        "missing": each(MissingRun._from),
        "warnings": tuple,
        "healthy_runs": RunCounts._from,
        "observations": each(RevisionObservation._as_written),
        "why": every(SelectionReason._from),
        "commits": every(Commit._from),
    }


Role: TypeAlias = Literal["good", "parent", "culprit", "bad"]
"""The role of a revision in a verification.

`good`: a good revision, `s_0`. It must pass. `parent`: a parent of the culprit, `s_(k-1)`. It must pass. `culprit`: the
culprit, `s_k`. It must never pass. `bad`: the bad revision, `s_n`. With a culprit it must never pass, and with a flake
it must pass.
"""


@dataclass(frozen=True, repr=False)
class Check(CheckMethods, Lean, Written):
    """A check and its runs.

    Attributes:
        role: The role of the revision.
        revision: The revision.
        runs: The runs of the revision.
    """

    role: Role
    revision: str
    runs: RunCounts

    _conversions = {
        "runs": RunCounts._from,
    }


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
"""Why a conclusion is incorrect or cannot be verified ("When is a Culprit Incorrect?").

`bad_never_passes`: the flake cannot be reproduced, because the bad revision never passes. `bad_passes`: the bad
revision passes, so its failure was a flake. `culprit_passes`: the culprit passes. `parent_never_passes`: a parent of
the culprit never passes. `good_never_passes`: a good revision never passes. The failure may depend on time or
environment. `no_good_pass_before_bad_fail`: no pass of a good revision came before a failure of the bad revision.
`no_bad_fail_before_good_pass`: no failure of the bad revision came before a pass of a good revision.
`no_parent_pass_before_culprit_fail`: no pass of a parent came before a failure of the culprit.
`no_culprit_fail_before_parent_pass`: no failure of the culprit came before a pass of a parent. `not_reproducible`: an
earlier verification had the opposite verdict. `unresolved`: a required revision is unresolved, so the conclusion cannot
be verified.
"""


@dataclass(frozen=True, repr=False)
class VerificationReason(Said, Lean, Written):
    """A reason against a conclusion.

    Attributes:
        code: The kind of reason.
        revision: The revision that the reason concerns.
        message: The reason in a sentence.
    """

    code: ReasonCode
    revision: str
    message: str


@dataclass(frozen=True, repr=False, kw_only=True)
class VerificationFields(Written):
    """The result of a culprit verification.

    Attributes:
        status: The status of the verification: `found` if there is a verdict, `ambiguous` if a required revision is
            unresolved.
        correct: Whether the conclusion is correct, or `None` as long as there is no verdict.
        reasons: Why the conclusion is incorrect or cannot be verified. Empty if the conclusion is correct.
        message: The result in one sentence.
        culprit: The verified conclusion: the culprit, or `None` for a flake.
        reruns: The maximum number of runs of each check: `ceil(log((1 - C) / n) / log(f))`. `n` is the number of ways
            in which flakes can mislead the verification: two for each good revision and each parent of the culprit, or
            one for a flake.
        checks: The runs of each check.
        warnings: Warnings about the result, in sentences.
        asked: The number of outcomes from the oracle, including outcomes that cost no run.
        runs: The number of outcomes that cost a run.
        observations: All observations, in the order in which they were reported.
        commits: Details of the commits in the result, by full id. Empty if the history is not from a repository, while
            the search runs, and if the repository could not be read.
    """

    status: Status
    correct: bool | None
    reasons: tuple[VerificationReason, ...]
    message: str
    culprit: str | None
    reruns: int
    checks: tuple[Check, ...]
    warnings: tuple[str, ...] = ()
    asked: int
    runs: int
    observations: tuple[RevisionObservation, ...]
    commits: Mapping[str, Commit] = field(default_factory=dict, hash=False)
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "reasons": each(VerificationReason._from),
        "checks": each(Check._from),
        "warnings": tuple,
        "observations": each(RevisionObservation._as_written),
        "commits": every(Commit._from),
    }


Guarantee: TypeAlias = Literal["best so far", "fixpoint", "1-minimal"]
"""A guarantee about the size of a reduction's result.

`best so far`: no guarantee, because the search stopped early. The result is the smallest set found so far. `fixpoint`:
no single item can be removed, provided that adding items never hides the property. In a tree, an item is removed
together with everything below it. In a text, or if adding items can hide the property, some single items may still be
removable. `1-minimal`: every set with one item less was tested, and none of them had the property.
"""


@dataclass(frozen=True, repr=False, kw_only=True)
class MinimizeFields(Written):
    """The report of a minimization: the smallest set that still has the property, or the best set so far.

    Attributes:
        status: The status of the search.
        message: The result in one sentence.
        kept: The indices of the kept items, ascending.
        guarantee: The guarantee about the size of the kept set.
        warnings: Warnings about the result, in sentences.
        asked: The number of outcomes from the oracle, including outcomes that cost no run.
        runs: The number of outcomes that cost a run.
        observations: All observations, in the order in which they were reported.
    """

    status: Status
    message: str
    kept: tuple[int, ...]
    guarantee: Guarantee
    warnings: tuple[str, ...] = ()
    asked: int
    runs: int
    observations: tuple[SubsetObservation, ...]
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "kept": tuple,
        "warnings": tuple,
        "observations": each(SubsetObservation._as_written),
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class IsolateFields(Written):
    """The report of an isolation: two sets, one inside the other, with the smallest difference found.

    The larger set has the property, and the smaller one lacks it.

    Attributes:
        status: The status of the search.
        message: The result in one sentence.
        kept: The indices of the items in the set that has the property, ascending.
        lacking: The indices of the items in the set that lacks the property. All of them are also in `kept`.
        difference: The indices of the items that are in `kept` and not in `lacking`.
        guarantee: The guarantee about the size of the difference.
        warnings: Warnings about the result, in sentences.
        asked: The number of outcomes from the oracle, including outcomes that cost no run.
        runs: The number of outcomes that cost a run.
        observations: All observations, in the order in which they were reported.
    """

    status: Status
    message: str
    kept: tuple[int, ...]
    lacking: tuple[int, ...]
    difference: tuple[int, ...]
    guarantee: Guarantee
    warnings: tuple[str, ...] = ()
    asked: int
    runs: int
    observations: tuple[SubsetObservation, ...]
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "kept": tuple,
        "lacking": tuple,
        "difference": tuple,
        "warnings": tuple,
        "observations": each(SubsetObservation._as_written),
    }


@dataclass(frozen=True, repr=False)
class CulpritEvidence(Lean, Written):
    """The runs behind a culprit, summed over its tests.

    Attributes:
        failing: The number of its tests that failed at the commit.
        passing: The number of its tests that passed at every parent.
        at_commit: The runs at the commit.
        at_parents: The runs at the parents.
    """

    failing: int
    passing: int
    at_commit: RunCounts
    at_parents: RunCounts

    _conversions = {
        "at_commit": RunCounts._from,
        "at_parents": RunCounts._from,
    }


@dataclass(frozen=True, repr=False)
class People(Lean, Written):
    """The people who should know about a culprit.

    The core leaves them empty. A caller that reads the repository fills them.

    Attributes:
        author: The author of the commit.
        co_authors: The co-authors of the commit.
        pull_request: The pull request of the commit, as a URL or a number.
        owners: The owners of the changed files.
    """

    author: str | None = None
    co_authors: tuple[str, ...] = ()
    pull_request: str | None = None
    owners: tuple[str, ...] = ()

    _conversions = {
        "co_authors": tuple,
        "owners": tuple,
    }


@dataclass(frozen=True, repr=False)
class TriageCulprit(Lean, Written):
    """A commit that broke tests.

    Attributes:
        commit: The full id of the commit.
        parents: The full ids of its parents.
        tests: The ids of the tests that the commit broke, in the order of the configuration.
        probability: The probability that the commit is the culprit: the least of its tests.
        parents_pass: Whether each of its tests was seen to pass at every parent. False if a new test does not exist at
            a parent.
        evidence: The runs at the commit and at its parents.
        signature: The most frequent signature of its tests, or `None` if no signature is known.
        fingerprint: An identifier of this finding, 32 hexadecimal digits. It is the same in every search that finds
            this commit.
        people: The people who should know.
    """

    commit: str
    parents: tuple[str, ...]
    tests: tuple[str, ...]
    probability: float
    parents_pass: bool
    evidence: CulpritEvidence
    signature: str | None
    fingerprint: str
    people: People = field(default_factory=People)

    _conversions = {
        "parents": tuple,
        "tests": tuple,
        "evidence": CulpritEvidence._from,
        "people": People._from,
    }


@dataclass(frozen=True, repr=False)
class SeparateEstimate(Lean, Written):
    """The estimated cost of one search for each test.

    Attributes:
        builds: The number of builds.
        test_runs: The number of test runs.
    """

    builds: int
    test_runs: int


@dataclass(frozen=True, repr=False)
class RevisionRuns(Lean, Written):
    """The results of a test at a revision.

    Attributes:
        revision: The revision.
        passes: The number of passes.
        fails: The number of failures.
        unresolved: The number of runs without a result.
    """

    revision: str
    passes: int
    fails: int
    unresolved: int


Verdict: TypeAlias = Literal[
    "broken",
    "broken_in",
    "flaky",
    "environment",
    "failed_before",
    "quarantined",
    "new",
    "removed",
    "fixed",
    "infra",
    "intermittent",
    "undecided",
]
"""What happened to a test.

`broken`: one commit broke the test. A failure was seen there, and a pass at every parent. `broken_in`: one of several
commits broke the test. No testable revision separates them. `flaky`: the test fails by chance. A pass was seen where it
had failed. `environment`: the test fails at the good revision on this machine, although the last green run has a pass.
`failed_before`: the test failed in the last green run, or fails at the good revision as well. It is not new.
`quarantined`: the test is in the quarantine. It was not searched. `new`: the test does not exist at the good revision.
The culprit is the commit at which it fails first. `removed`: the test has a result only in the last green run. `fixed`:
the test failed in the last green run and passes now. `infra`: the test had no result at the bad revision, or only
failures of the machine. `intermittent`: the test was broken and repaired before. The culprit is the newest break.
`undecided`: there is no verdict, or none yet.
"""


@dataclass(frozen=True, repr=False)
class TestVerdict(Lean, Written):
    """The verdict about a test.

    Attributes:
        id: The id of the test, or `(build)` if the bad revision cannot be built.
        verdict: The verdict.
        culprit: The commit that broke the test. `None` unless the verdict names one.
        candidates: The commits that may have broken the test, oldest first. Empty unless the verdict is `broken_in` or
            `undecided`.
        probability: The probability of the verdict, in [0, 1]. `None` if the test was not searched.
        runs: The number of runs of the test in this search.
        observations: The results of the test in this search, by revision, oldest first.
        signature: The signature of the test's failure, or `None` if it is unknown.
        leader: The test of the same signature that was searched first. `None` for this test and for tests without a
            signature.
        note: A detail of the verdict as a sentence, or `None`.
    """

    id: str
    verdict: Verdict
    culprit: str | None
    candidates: tuple[str, ...]
    probability: float | None
    runs: int
    observations: tuple[RevisionRuns, ...]
    signature: str | None
    leader: str | None
    note: str | None

    _conversions = {
        "candidates": tuple,
        "observations": each(RevisionRuns._from),
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class TriageFields(Written):
    """The result of a triage, final or the best so far.

    Attributes:
        status: The status of the search.
        message: The result in one or two sentences.
        bad: The full id of the bad revision.
        good: The full ids of the good revisions. firstbad runs the first of them.
        confidence: The probability at which a verdict is accepted.
        culprits: The commits that broke tests, the one with the most tests first.
        tests: The verdicts: `(build)` if it was searched, then the configured tests in their order, then fixed and
            removed tests.
        builds: The number of builds.
        test_runs: The number of runs of single tests.
        seconds: The duration of all runs in seconds. `None` if no observation has a duration.
        separate_estimate: The estimated cost of one search for each test.
        suspects: The number of suspects.
        revisions: The full ids of the revisions with results, in the order of the history, oldest first.
        warnings: Warnings about the result, in sentences.
        asked: The number of outcomes from the oracle, including outcomes that cost no run.
        runs: The number of outcomes that cost a run.
        observations: All observations, in the order in which they were reported.
        commits: Details of the commits in the result, by full id. Empty if the history is not from a repository, while
            the search runs, and if the repository could not be read.
        names: The branches and tags of the endpoints, by full id, at most three of each. Empty if `commits` is empty.
    """

    status: Status
    message: str
    bad: str
    good: tuple[str, ...]
    confidence: float
    culprits: tuple[TriageCulprit, ...]
    tests: tuple[TestVerdict, ...]
    builds: int
    test_runs: int
    seconds: float | None
    separate_estimate: SeparateEstimate
    suspects: int
    revisions: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    asked: int
    runs: int
    observations: tuple[SuiteObservation, ...]
    commits: Mapping[str, Commit] = field(default_factory=dict, hash=False)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "good": tuple,
        "culprits": each(TriageCulprit._from),
        "tests": each(TestVerdict._from),
        "separate_estimate": SeparateEstimate._from,
        "revisions": tuple,
        "warnings": tuple,
        "observations": each(SuiteObservation._as_written),
        "commits": every(Commit._from),
        "names": every(tuple),
    }


ChangeConclusion: TypeAlias = Literal["step", "several", "spread", "none", "set", "undecided"]
"""The conclusion about a metric.

`step`: one commit changed the number by at least `at_least`. `several`: several commits each changed the number by at
least `at_least`. `spread`: the number changed between the endpoints, but no single commit changed it by at least
`at_least`. `none`: the numbers at the endpoints do not differ by `at_least` in the direction searched for. `set`: one
of several commits changed the number. Revisions without a number separate them. `undecided`: there is no conclusion, or
none yet. The candidates are the best guess.
"""


@dataclass(frozen=True, repr=False)
class Step(Lean, Written):
    """A commit that changed the number.

    Attributes:
        commit: The full id of the commit.
        parents: The full ids of its parents.
        before: The median at its parents, in the unit of the number. With several parents, the median that is closest
            to `after`.
        after: The median at the commit, in the unit of the number.
        censored: Whether the number is only known to be at least `after`, because of a timeout.
        change: `after` minus `before`.
        percent: The change in percent of `before`. `None` if `before` is not positive.
        interval: The limits of `change`, which hold with a probability of 95%, from the noise of the measurements.
        share: The share of the change between the endpoints. It can exceed 1 if another commit changed the number back.
        probability: The posterior probability that this commit changed the number, in [0, 1]. It is 1 for exact
            numbers.
        measurements: The number of measurements at the commit and its parents.
        fingerprint: An identifier of this finding, 32 hexadecimal digits. It is the same in every search that finds
            this commit.
    """

    commit: str
    parents: tuple[str, ...]
    before: float
    after: float
    censored: bool
    change: float
    percent: float | None
    interval: tuple[float, float]
    share: float
    probability: float
    measurements: int
    fingerprint: str

    _conversions = {
        "parents": tuple,
        "interval": tuple,
    }


@dataclass(frozen=True, repr=False)
class Noise(Lean, Written):
    """The noise of the measurements.

    Attributes:
        deviation: The standard deviation of a measurement, in the unit of the number at the good revision. Outliers
            count little.
        percent: The same in percent of the number at the good revision. `None` if that number is not positive.
        drift: The probability that the machine drifted during the search, in [0, 1].
        drift_range: The range of the endpoints' measurements over time without their noise, as the largest difference
            between means of three measurements of the same revision. `None` below six measurements.
        rebuild: The largest difference between the medians of two builds of the same endpoint. `None` if no endpoint
            was built twice.
    """

    deviation: float
    percent: float | None
    drift: float
    drift_range: float | None
    rebuild: float | None


@dataclass(frozen=True, repr=False)
class SeriesPoint(Lean, Written):
    """The measurements at a revision.

    Attributes:
        revision: The full id of the revision.
        position: Its position in the history between the endpoints, from 0 for the good revision to the number of
            suspects for the bad one.
        values: The numbers in the order in which they were measured. Paired numbers are divided by their control, or
            their control is subtracted.
        observations: The place of each number in the observations of the report.
        median: The median of the numbers.
        fitted: The number that the conclusion expects at this revision. `None` without a step.
        censored: The number of values that are only limits, because of a timeout.
    """

    revision: str
    position: int
    values: tuple[float, ...]
    observations: tuple[int, ...]
    median: float
    fitted: float | None
    censored: int

    _conversions = {
        "values": tuple,
        "observations": tuple,
    }


@dataclass(frozen=True, repr=False)
class Unexplained(Lean, Written):
    """A change that no step explains.

    Attributes:
        change: The change between the endpoints minus the changes of all steps, in the unit of the number.
        percent: The same in percent of the number at the good revision. `None` if that number is not positive.
        interval: The limits of `change`, which hold with a probability of 95%.
    """

    change: float
    percent: float | None
    interval: tuple[float, float]

    _conversions = {
        "interval": tuple,
    }


@dataclass(frozen=True, repr=False)
class MetricChange(Lean, Written):
    """The result for one of several metrics.

    Attributes:
        metric: The name of the metric, if the search has several.
        unit: The unit of the number, or `None` if it is unknown.
        at_least: The smallest change that matters, as text: `3%` or `2kB`.
        conclusion: The conclusion.
        before: The median at the good revision. `None` without a measurement.
        after: The median at the bad revision. `None` without a measurement.
        change: `after` minus `before`.
        percent: The change in percent of `before`. `None` if `before` is not positive.
        interval: The limits of `change`, which hold with a probability of 95%. `None` if the noise is unknown.
        steps: The commits that changed the number, the largest change first.
        candidates: The suspects that remain if the conclusion is `set` or `undecided`, the most probable first, at most
            ten.
        largest: If the conclusion is `spread`, the largest change of a single commit that was measured.
        unexplained: What no step explains. `None` without a step.
        noise: The noise. `None` if the numbers are exact or no revision was measured twice.
        exact: Whether revisions have one number without noise.
        probability: The posterior probability of the conclusion, in [0, 1], and that of the best guess if there is
            none. It is 1 for exact numbers. `None` if a comparison of medians led to the conclusion.
        series: The measurements by revision, in the order of the history, oldest first.
    """

    metric: str | None
    unit: str | None
    at_least: str
    conclusion: ChangeConclusion
    before: float | None
    after: float | None
    change: float | None
    percent: float | None
    interval: tuple[float, float] | None
    steps: tuple[Step, ...]
    candidates: tuple[Hypothesis, ...]
    largest: Step | None
    unexplained: Unexplained | None
    noise: Noise | None
    exact: bool
    probability: float | None
    series: tuple[SeriesPoint, ...]

    _conversions = {
        "interval": tuple,
        "steps": each(Step._from),
        "candidates": each(Hypothesis._from),
        "largest": Step._from,
        "unexplained": Unexplained._from,
        "noise": Noise._from,
        "series": each(SeriesPoint._from),
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class ChangeFields(Written):
    """The result of a search for a change in numbers, final or the best so far.

    If there are several metrics, the fields from `metric` to `series` describe the first one.

    Attributes:
        status: The status of the search.
        message: The result in one or two sentences.
        bad: The full id of the bad revision.
        good: The full ids of the good revisions. firstbad measures the first of them.
        find: What the search looked for: the commit that made the number worse, or better.
        all_steps: Whether the search continued while a change of at least `at_least` was unexplained.
        confidence: The probability at which the search names a commit.
        metric: The name of the metric, if the search has several.
        unit: The unit of the number, or `None` if it is unknown.
        at_least: The smallest change that matters, as text: `3%` or `2kB`.
        conclusion: The conclusion.
        before: The median at the good revision. `None` without a measurement.
        after: The median at the bad revision. `None` without a measurement.
        change: `after` minus `before`.
        percent: The change in percent of `before`. `None` if `before` is not positive.
        interval: The limits of `change`, which hold with a probability of 95%. `None` if the noise is unknown.
        steps: The commits that changed the number, the largest change first.
        candidates: The suspects that remain if the conclusion is `set` or `undecided`, the most probable first, at most
            ten.
        largest: If the conclusion is `spread`, the largest change of a single commit that was measured.
        unexplained: What no step explains. `None` without a step.
        noise: The noise. `None` if the numbers are exact or no revision was measured twice.
        exact: Whether revisions have one number without noise.
        probability: The posterior probability of the conclusion, in [0, 1], and that of the best guess if there is
            none. It is 1 for exact numbers. `None` if a comparison of medians led to the conclusion.
        series: The measurements by revision, in the order of the history, oldest first.
        other_metrics: The results for the other metrics, in the order of their names.
        paired: Whether each run measured a good revision as well.
        measurements: The number of measurements.
        builds: The number of builds.
        unresolved: The full ids of the revisions without a number, oldest first.
        seconds: The duration of all runs in seconds. `None` if no observation has a duration.
        suspects: The number of suspects.
        warnings: Warnings about the result, in sentences.
        asked: The number of outcomes from the oracle, including outcomes that cost no run.
        runs: The number of outcomes that cost a run.
        observations: All observations, in the order in which they were reported.
        commits: Details of the commits in the result, by full id. Empty if the history is not from a repository, while
            the search runs, and if the repository could not be read.
        names: The branches and tags of the endpoints, by full id, at most three of each. Empty if `commits` is empty.
    """

    status: Status
    message: str
    bad: str
    good: tuple[str, ...]
    find: Find
    all_steps: bool
    confidence: float
    metric: str | None
    unit: str | None
    at_least: str
    conclusion: ChangeConclusion
    before: float | None
    after: float | None
    change: float | None
    percent: float | None
    interval: tuple[float, float] | None
    steps: tuple[Step, ...]
    candidates: tuple[Hypothesis, ...]
    largest: Step | None
    unexplained: Unexplained | None
    noise: Noise | None
    exact: bool
    probability: float | None
    series: tuple[SeriesPoint, ...]
    other_metrics: tuple[MetricChange, ...] = ()
    paired: bool
    measurements: int
    builds: int
    unresolved: tuple[str, ...]
    seconds: float | None
    suspects: int
    warnings: tuple[str, ...] = ()
    asked: int
    runs: int
    observations: tuple[RevisionObservation, ...]
    commits: Mapping[str, Commit] = field(default_factory=dict, hash=False)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "good": tuple,
        "interval": tuple,
        "steps": each(Step._from),
        "candidates": each(Hypothesis._from),
        "largest": Step._from,
        "unexplained": Unexplained._from,
        "noise": Noise._from,
        "series": each(SeriesPoint._from),
        "other_metrics": each(MetricChange._from),
        "unresolved": tuple,
        "warnings": tuple,
        "observations": each(RevisionObservation._as_written),
        "commits": every(Commit._from),
        "names": every(tuple),
    }


@dataclass(frozen=True, repr=False)
class RegressionCheck(Lean, Written):
    """The effect of the forwarded fix on a second test.

    Attributes:
        before: The observation without the fix.
        after: The observation with the fix.
        breaks: Whether the second test passed without the fix and failed with it.
        message: The result in one sentence.
    """

    before: Observation
    after: Observation
    breaks: bool
    message: str

    _conversions = {
        "before": Observation._as_written,
        "after": Observation._as_written,
    }


@dataclass(frozen=True, repr=False)
class PatchDetails(Lean, Written):
    """A patch that the search found.

    Attributes:
        on: The tree that the patch applies to: a revision, or a revision with a part of an earlier read applied.
        changes: The number of changes in the patch.
        of: The number of changes before the reduction.
        guarantee: The guarantee about the size of the patch.
    """

    on: dict[str, Any]
    changes: int
    of: int
    guarantee: Guarantee


PorterReason: TypeAlias = Literal[
    "patch",
    "parse",
    "setup",
    "configure",
    "build",
    "test",
    "timeout",
    "control",
    "effort",
    "unresolved",
]
"""The reason why a version, or a part of a patch, does not show the wanted outcome (IDD, Tables 2 and 3).

`patch`: the patch does not apply. `parse`: a file does not parse with the patch, so nothing was run. `setup`: the setup
that the test needs failed. `configure`: the configuration of the build failed. `build`: the build failed. `test`: the
test fails in another way. On the way forward, the test fails. `timeout`: the test exceeded its time limit. `control`:
the control fails. `effort`: the failure is the same, but its time or memory is outside the given factors. `unresolved`:
the outcome is unresolved at an unknown stage.
"""


Purpose: TypeAlias = Literal["walk", "carried", "cause", "repair", "figure2", "forward"]
"""The purpose of a reduction.

`walk`: a new patch for the walk, because the carried one no longer works. `carried`: the patch in
`PorterReport.carried`. `cause`: the patch in `PorterReport.cause`. `repair`: the patch in `PorterReport.repair`.
`figure2`: the patch in `PorterReport.figure2`. `forward`: the patch in `PorterReport.forward`.
"""


ReductionResult: TypeAlias = Literal["reduced", "passed", "contradicted", "running"]
"""The end of a reduction.

`reduced`: the reduction found a smallest patch. `passed`: the version passed with a part of the difference (Section
4.1). It is the good one, unless an older version passes with the smallest patch. If it passed with the lines of the
carried patch, no smallest patch was searched for. `contradicted`: the outcomes contradicted each other. `running`: the
reduction is still running.
"""


@dataclass(frozen=True, repr=False)
class PorterReduction(Lean, Written):
    """A reduction of the difference between two trees.

    Attributes:
        purpose: The purpose of the reduction.
        revision: The revision that the patch is for.
        place: The position of the revision, as in `PorterStep.place`.
        forward: Whether the reduction happened on the way forward.
        reason: The reason why the carried patch no longer worked, for a reduction of the walk. `None` for other
            purposes.
        before: The number of changes at the start.
        first: The number of changes left after one round over files, hunks, and lines. `None` unless a smallest patch
            was found.
        after: The number of changes at the end. `None` unless a smallest patch was found.
        result: How the reduction ended.
        runs: The number of outcomes that took a run.
        free: The number of outcomes without a run: conflicts, files that do not parse, and files that were tested
            before.
        failed: The number of unwanted outcomes by reason.
    """

    purpose: Purpose
    revision: str
    place: int
    forward: bool
    before: int
    result: ReductionResult
    runs: int
    free: int
    failed: Mapping[PorterReason, int] = field(hash=False)
    reason: PorterReason | None = None
    first: int | None = None
    after: int | None = None


StepOutcome: TypeAlias = Literal["kept", "pass", "other", "skipped", "reduced"]
"""The outcome at a version.

`kept`: the wanted outcome: the failure of the start on the way back, and a pass on the way forward. `pass`: a pass on
the way back. `other`: another outcome. `skipped`: the version does not build without a patch and was skipped.
`reduced`: another outcome, after which a new patch was found that keeps the wanted outcome.
"""


@dataclass(frozen=True, repr=False)
class PorterStep(Lean, Written):
    """A version on the way.

    Attributes:
        revision: The revision of this version.
        forward: Whether the version is on the way forward.
        outcome: The outcome at this version.
        seen: A description: outcome, failure, and stage, with the carried patch.
        carried: How the patch was applied, from `"carried"` in the oracle's `signals`, or `None` if the signals do not
            contain it.
        place: The position on the way: 0 for the start, 1 for the revision before it, and -1 for the revision after it.
        patch: The number of changes in the carried patch.
        reason: The reason why the version did not show the wanted outcome with the patch, or `None` if it did or if it
            passed.
        alone: The reason why the version did not show the wanted outcome without the patch. `None` if it did, if it
            passed or was not tested, or if there was no carried patch.
    """

    revision: str
    forward: bool
    outcome: StepOutcome
    seen: str
    place: int
    patch: int
    carried: str | None = None
    reason: PorterReason | None = None
    alone: PorterReason | None = None


@dataclass(frozen=True, repr=False, kw_only=True)
class PorterFields(Written):
    """The report of iterative delta debugging, final or so far.

    Attributes:
        status: The status of the search.
        message: The result in a few sentences.
        failure: A description of the failure that the search follows, or `None` before it was observed.
        good: The newest revision on the walk that passes with its carried patch, or `None` if none was found.
        bad: The revision after `good` on the walk, which fails as the start does with its own patch. `None` if none was
            found.
        between: The revisions between `bad` and `good` that do not build without a patch, newest first. Any of them may
            be the culprit. Revisions between two that fail to build in the same way are included without a test.
        carried: The patch that the test needs to pass at `good`, or `None` if it needs none or was not searched for.
            The guarantee applies to the failure of `bad`, which needs the whole patch. If `good` does not pass with
            that patch, the guarantee applies to the pass of `good`.
        cause: The smallest change found that brings the failure back at `good` with `carried`.
        repair: The smallest change found that makes `bad` pass.
        figure2: The result of the paper's Figure 2: a smallest change from `good` to the failure, including the changes
            that the test needs. `None` without the option `figure2`.
        forward: The fix for the revision that it was brought forward to, if a run there passed.
        also: The effect of that fix on a second test, or `None` if none was run.
        steps: The versions of the walk, in the order in which they were tested.
        reductions: The reductions, in the order in which they started.
        visited: The number of revisions tested on the walk back and forward.
        skipped: The number of revisions skipped because they do not build without a patch.
        warnings: Warnings about the result, in sentences.
        runs: The number of outcomes that took a run.
        runs_to_commit: The number of runs after which `good` and `bad` were known. The other runs explain the commit.
            `None` if they are not known.
        asked: The number of probes that got an outcome, with or without a run.
        conflicts: The number of outcomes that are conflicts: the patch does not apply.
        seconds: The total run time of all tests for which a time was reported, in seconds. `None` if there are no
            times.
        observations: All observations, in the order in which they were reported.
        commits: Details of the commits in the result, by full id. Empty while the search runs, if the history is not
            from a repository, or if the repository cannot be read.
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
    also: RegressionCheck | None = None
    steps: tuple[PorterStep, ...]
    reductions: tuple[PorterReduction, ...]
    visited: int
    skipped: int
    warnings: tuple[str, ...]
    runs: int
    runs_to_commit: int | None = None
    asked: int
    conflicts: int
    seconds: float | None = None
    observations: tuple[PortObservation, ...]
    commits: Mapping[str, Commit] = field(default_factory=dict, hash=False)
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "between": tuple,
        "carried": ported_patch,
        "cause": ported_patch,
        "repair": ported_patch,
        "figure2": ported_patch,
        "forward": ported_patch,
        "also": RegressionCheck._from,
        "steps": each(PorterStep._from),
        "reductions": each(PorterReduction._from),
        "warnings": tuple,
        "observations": each(PortObservation._as_written),
        "commits": every(Commit._from),
    }


@dataclass(frozen=True, repr=False)
class SliceSize(Lean, Written):
    """The size of the slice after a run (Figure 13, "history reduction per test run").

    Attributes:
        run: The number of runs so far.
        changes: The number of changes in the smallest set that was observed to hold.
    """

    run: int
    changes: int


@dataclass(frozen=True, repr=False)
class SliceEvidence(Lean, Written):
    """The evidence that one change of the slice is needed.

    Attributes:
        change: The index of the change.
        name: The name of the change.
        set: The slice without the change. If that set could not be built, changes that depend on it are also removed.
        context_of: The index of the change that Git cannot apply without this one. None if a test shows that this
            change is needed.
        observation: The index of the observation in the report's observations. If the set was not tested, of the larger
            set in `alike`.
        outcome: The outcome of the set, which differs from the outcome to keep.
        ran: Whether the outcome took a run. Conflicts and earlier outcomes of equal files do not.
        unbuilt: The indices of earlier observations of larger sets that could not be built. The first one is the slice
            without the change alone.
        alike: The indices of the observations of a larger and a smaller set that are unresolved in the same stage with
            the same signature. Sets between them count as unresolved and are not tested. Usually, the smaller set is
            the base. Empty if there are no such sets.
    """

    change: int
    name: str
    set: str
    observation: int
    outcome: Outcome
    ran: bool
    context_of: int | None = None
    unbuilt: tuple[int, ...] = ()
    alike: tuple[int, ...] = ()

    _conversions = {
        "outcome": Outcome,
        "unbuilt": tuple,
        "alike": tuple,
    }

    _names = {
        "set": "changes",
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class SlicerFields(Written):
    """The report of slicing: the smallest slice found, final or the best so far.

    Attributes:
        status: The status of the search.
        message: The result in a few sentences.
        kept: The indices of the changes in the slice, oldest first. Contains all changes until the outcome of all
            changes together is known, and is empty if they do not hold together.
        commits: The names of the changes in the slice, oldest first: full shas, with the file and the hunk or
            definition if the history was divided more finely than into commits.
        always: The indices of the changes that every set contains.
        cherry_pick: The command that picks the commits of the slice, oldest first, with full shas. None if the slice is
            empty or has parts of commits.
        of: The number of changes before the search.
        guarantee: The guarantee about the slice. `"1-minimal"` means that no change can be removed, alone or together
            with the changes that depend on it.
        why: The evidence for each change of the slice that was shown to be needed so far, newest change first.
        sizes: The number of changes left after each run that removed any.
        warnings: Warnings about the result, in sentences.
        runs: The number of outcomes that took a run.
        asked: The number of probes that got an outcome, with or without a run.
        observations: All observations, in the order in which they were reported.
        details: Details of the commits in the result, by full id. Empty while the search runs, if the history is not
            from a repository, or if the repository cannot be read.
    """

    status: Status
    message: str
    kept: tuple[int, ...]
    commits: tuple[str, ...]
    always: tuple[int, ...] = ()
    cherry_pick: str | None = None
    of: int
    guarantee: Guarantee
    why: tuple[SliceEvidence, ...]
    sizes: tuple[SliceSize, ...]
    warnings: tuple[str, ...]
    runs: int
    asked: int
    observations: tuple[SubsetObservation, ...]
    details: Mapping[str, Commit] = field(default_factory=dict, hash=False)
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "kept": tuple,
        "commits": tuple,
        "always": tuple,
        "why": each(SliceEvidence._from),
        "sizes": each(SliceSize._from),
        "warnings": tuple,
        "observations": each(SubsetObservation._as_written),
        "details": every(Commit._from),
    }

    _names = {
        "commits": "names",
        "details": "commits",
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class Explanation(Said, Lean, Written):
    """The effect of one outcome on a search.

    Attributes:
        run: The number of the run, counted from 1, or `None` if the outcome cost no run.
        revision: The full id of the revision, if the search is in a history.
        changes: The changes to keep, if the search tests changes.
        outcome: The outcome.
        reason: The reason why the search asked for the target. `None` if the reason is unknown or the search did not
            ask.
        suspects_before: The number of suspects before the outcome, or `None` if it is unknown, as in reductions.
        suspects_after: The number of suspects after the outcome.
        best: The best result after the outcome, as text with abbreviated ids. `None` if there is no result yet.
        message: The whole explanation, as text with abbreviated ids.
        tests: The tests to run, as indices into the search's list of tests. An empty set asks only for a build. Absent
            for the whole suite, and if the search has a single test.
        universe: The id of the read whose changes the indices refer to. Absent if they refer to the changes of the
            whole search.
    """

    run: int | None
    revision: str | None = None
    changes: str | None = None
    outcome: Outcome
    reason: str | None
    suspects_before: int | None
    suspects_after: int | None
    best: str | None
    message: str
    tests: str | None = None
    universe: int | None = None

    _conversions = {
        "outcome": Outcome,
    }


@dataclass(frozen=True, repr=False)
class CommitSuspect(Lean, Written):
    """A suspect with its probability and the reasons for it.

    Attributes:
        change: The id of the commit.
        probability: The probability that the commit is the culprit before anything was run, from 0 to 1. The
            probabilities of all suspects sum to 1.
        reasons: The reasons, strongest first.
        message: The reasons as text that can follow the name of the commit.
    """

    change: str
    probability: float
    reasons: tuple[CommitReason, ...]
    message: str

    _conversions = {
        "reasons": each(CommitReason._from),
    }


@dataclass(frozen=True, repr=False)
class RankingReason(Lean, Written):
    """A reason why a change is suspicious: it touches a target that a failing test depends on.

    Attributes:
        files: The files of the change that are in the target, with their paths in the change.
        target: The touched target.
        path: The targets on a shortest path of dependencies, from the closest failing test to this target.
        distance: The number of dependencies on the path, or 1 for the test itself.
        tests: The number of failing tests that depend on the target.
        weight: The contribution to the score: the weighted distance (Definition 10), averaged over the failing tests.
        before: Whether the dependency exists only in the graph of an earlier revision.
    """

    files: tuple[str, ...]
    target: str
    path: tuple[str, ...]
    distance: int
    tests: int
    weight: float
    before: bool = False

    _conversions = {
        "files": tuple,
        "path": tuple,
    }


@dataclass(frozen=True, repr=False)
class Suspect(Lean, Written):
    """A change that may have broken a failing test.

    Attributes:
        change: The id of the change.
        score: The score under the chosen heuristic, at least 0. A higher score is more suspicious.
        suspiciousness: The sum of the weights of the reasons (Definition 11), under any heuristic. For a change of n >
            16 source files, the sum is divided by (n / 16)^3, because mass changes touch the dependencies of every
            test.
        size: The number of files in the change.
        distance: The distance of the closest touched target, at least 1.
        closeness: The weighted distance of the closest touched target, averaged over the failing tests.
        tests: The number of failing tests that the change may have broken.
        reasons: The touched targets, closest first.
    """

    change: str
    score: float
    suspiciousness: float
    size: int
    distance: int
    closeness: float
    tests: int
    reasons: tuple[RankingReason, ...]

    _conversions = {
        "reasons": each(RankingReason._from),
    }
