"""The types of reports. Generated from the types of reports in Rust by `make generate`; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from firstbad._lean import Lean
from firstbad._observation import ChangesObservation, Observation, Outcome, PortObservation, RevisionObservation
from firstbad._patch import Patch, ported_patch
from firstbad._tally import Tally
from firstbad._values import CheckMethods, HypothesisMethods, PointMethods, Said
from firstbad._written import Written, each, every

__all__ = [
    "Also",
    "Changed",
    "ChangedFile",
    "Check",
    "Commit",
    "Conclusion",
    "ContentReason",
    "ContentReasonKind",
    "ContentSuspect",
    "CulpritFields",
    "Ending",
    "Explanation",
    "Find",
    "Guarantee",
    "Hypothesis",
    "IsolateFields",
    "LeafReport",
    "MinimizeFields",
    "MissingRun",
    "PatchDetails",
    "PorterFields",
    "PorterReason",
    "PorterReduction",
    "PorterStep",
    "Purpose",
    "RankingReason",
    "Reason",
    "ReasonCode",
    "ReductionEnding",
    "RegressionFields",
    "RegressionPoint",
    "Role",
    "SliceSize",
    "SlicerFields",
    "Status",
    "StepOutcome",
    "SubmoduleChange",
    "Suspect",
    "VerificationFields",
    "VerificationReason",
    "Why",
    "WhyTried",
]


@dataclass(frozen=True, repr=False)
class ChangedFile(Lean, Written):
    """A file that a commit changed.

    Attributes:
        path: Its name, seen from the top folder.
        added: How many lines were added.
        deleted: How many lines were deleted.
    """

    path: str
    added: int
    deleted: int


@dataclass(frozen=True, repr=False)
class Changed(Lean, Written):
    """What a commit changed, counted.

    Attributes:
        files: How many files.
        added: How many lines it added; binary files have none.
        deleted: How many lines it deleted.
        largest: The files with the most lines changed, the most first: at most ten.
    """

    files: int
    added: int
    deleted: int
    largest: tuple[ChangedFile, ...]

    _conversions = {
        "largest": each(ChangedFile._from),
    }


@dataclass(frozen=True, repr=False)
class SubmoduleChange(Lean, Written):
    """A submodule that a commit updates to another commit.

    Attributes:
        path: The path of the submodule, relative to the top folder.
        before: The commit of the submodule before the update.
        after: The commit of the submodule after the update.
        commits: The number of submodule commits that came in, or 0 if they are not available.
        newest: The newest of these commits, at most five, each as an abbreviated id and a subject.
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
    """What people know a commit by.

    The texts are whatever its author wrote: what shows them makes them harmless.

    Attributes:
        subject: The first line of the commit message, cut to 200 characters.
        author: The name of the author, cut to 200 characters.
        email: The author's e-mail address; empty if it is not known.
        author_date: When it was written (git's author date): ISO 8601, to the second, with the author's own offset from
            UTC, as `git show` has it.
        commit_date: When it got its place in the history (git's commit date), likewise with the committer's offset.
        changed: What it changed, against its first parent; of commits that are to blame, where it could be read.
        submodules: The submodules that it updates to other commits, read for the same commits as `changed`.
        url: Its page at the forge that the repository was cloned from, where that is a known one and has the commit.
        request_url: The page of the pull or merge request that it was part of, likewise: its message names it, or that
            of a merge that brought it.
    """

    subject: str
    author: str
    author_date: str
    commit_date: str
    email: str = ""
    changed: Changed | None = None
    submodules: tuple[SubmoduleChange, ...] = ()
    url: str | None = None
    request_url: str | None = None

    _conversions = {
        "changed": Changed._from,
        "submodules": each(SubmoduleChange._from),
    }


Find: TypeAlias = Literal["regression", "fix"]
"""Which change is sought.

`regression`: from pass to fail, who broke it. `fix`: from fail to pass, who repaired it; `good` then holds the newer
ends, `bad` the older ones.
"""


Ending: TypeAlias = Literal[
    "open",
    "searched",
    "propagated",
    "not_reproduced",
    "no_passing_revision",
    "untestable",
    "contradictory",
]
"""How the answer for one newer end came about.

`open`: not answered yet. `searched`: by a search of its own. `propagated`: a point found for another end answers for it
too (RPA, Algorithm 2). `not_reproduced`: it does not fail, or with another failure, or (for a fix) nothing before it
failed. `no_passing_revision`: it fails, and nothing before it was seen to pass. `untestable`: it could not be tested,
and no older revision that could be was seen to fail. `contradictory`: a revision that the result depends on had two
different outcomes. With `search="bayes"`: no culprit explains the outcomes at the given flake rate, or the rates are
unknown and so high that a run carries too little information.
"""


@dataclass(frozen=True, repr=False)
class LeafReport(Lean, Written):
    """What became of one newer end.

    Attributes:
        leaf: The end.
        replaced_by: The older revision that was searched from, where the end itself could not be tested; else `None`.
        ending: How its answer came about.
        points: Its points, as indices into the report's points.
    """

    leaf: str
    ending: Ending
    points: tuple[int, ...]
    replaced_by: str | None = None

    _conversions = {
        "points": tuple,
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class RegressionPoint(PointMethods, Lean, Written):
    """An edge (or a stretch of history) between a passing revision and a failing one (RPA, Definition 2).

    Attributes:
        good: The revision that passes; `None` if no ancestor was seen to. With `find="fix"` the newer one.
        bad: The revision that fails. With `find="fix"` the older one.
        culprit: The revision that changed the outcome; `None` if there are candidates, if no ancestor had the other
            outcome, or if its own outcomes were inconsistent.
        leaves: The newer ends that this point answers for, in the order in which they were given.
        distances: Parallel to `leaves`: how many edges a shortest path from `bad` to the leaf has.
        clean: Whether the newer revision was seen to be as it is and every parent of it to be otherwise: then it is the
            culprit by itself. Never where there is no parent: a first commit has nothing that it could have broken.
        confirmed: Whether the culprit and its parents were each run alone in a clean worktree, the parents after the
            culprit, with the same outcomes. Always false with `confirm=False`. Also false with `search="bayes"`,
            because `probability` says how certain the point is.
        trusted: The untested endpoints that the point depends on (`verify_ends=False`). Includes the older side if it
            never had the given outcome in a run.
        exceptions: Outcomes that come and go: revisions that were seen, before the older side, to be like the newer
            one, or after the newer side, on the way to a leaf, to be like the older one; at most 10, oldest first.
        candidates: All suspects left, oldest first, if unresolved revisions stand between; empty if the edge itself was
            tested. With `beyond_paths` the newer revision is among them.
        beyond_paths: Whether the newer revision touches none of the paths that the history was simplified to: what is
            to blame may be a commit before it that was not looked at.
        same_change: The culprits of other points that make the same change (equal patch-ids), such as its cherry-picks.
            Together they are one finding.
        unresolved_parents: Parents of the newer revision that could not be tested, in their own order.
        probability: With `search="bayes"`: how likely the point is right for all of its leaves, in [0, 1].
        find: What the point is: a regression, or (with `find="fix"`) the repair of one.
        fingerprint: A name for this finding, 32 hexadecimal digits: the same in every run, language, and version. It
            depends only on `find` and on the id of the culprit, or on the ids of all candidates. With fewer candidates
            it is another finding.
    """

    good: str | None
    bad: str
    culprit: str | None
    leaves: tuple[str, ...]
    distances: tuple[int, ...]
    clean: bool
    confirmed: bool
    trusted: tuple[str, ...]
    exceptions: tuple[str, ...]
    candidates: tuple[str, ...]
    beyond_paths: bool
    same_change: tuple[str, ...]
    unresolved_parents: tuple[str, ...]
    probability: float | None
    find: Find
    fingerprint: str

    _conversions = {
        "leaves": tuple,
        "distances": tuple,
        "trusted": tuple,
        "exceptions": tuple,
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
    "history_exhausted",
    "patch_too_large",
    "revision_not_readable",
]
"""Where a search stands.

`running`: not done yet: there is something to ask, or answers are awaited. `found`: every bad revision has its answer,
down to an edge. `ambiguous`: unresolved revisions stand between: the answer names candidates. `not_reproduced`: no bad
revision fails (or not with the failure searched for). `good_end_fails`: a revision given as good fails.
`no_passing_revision`: no revision that passes was found, so nobody is blamed. `untestable`: what was given as bad
cannot be tested, nor what takes its place, so nobody is blamed. `budget`: the budget was used up first. `stopped`: the
caller or its oracle stopped it first. `contradictory`: the answers fit no single culprit at the flake rate given.
`too_flaky`: the test fails, or passes, by itself so often that telling would take too many runs. `history_exhausted`:
no revision on the way passes, and there is none older. `patch_too_large`: what the test needs became larger than it may
be. `revision_not_readable`: older revisions exist, and are not in this repository.
"""


ContentReasonKind: TypeAlias = Literal[
    "named",
    "paths",
    "subject",
    "source",
    "no_source",
    "affects",
    "unlikely",
    "excluded",
]
"""Why a commit is tried early, or late.

`named`: it touches a source file that the test is named after. `paths`: it touches source files whose names have words
of the test's file. `subject`: its subject has words of the test. `source`: it touches source files. `no_source`: it
touches no source file. `affects`: by the build graph the test depends on what it touches. `unlikely`: the build graph
does not say that the test depends on what it touches. `excluded`: by the build graph it cannot have broken the test.
"""


@dataclass(frozen=True, repr=False)
class ContentReason(Lean, Written):
    """Why a commit is tried early, or late.

    Attributes:
        kind: What it is.
        file: Of `named`: the file. Of `affects`: the first such file, of the closest target.
        words: Of `paths` and `subject`: the words, as the test has them.
        files: Of `source`: how many.
        lines: Of `source`: how many lines it adds and deletes there; 0 also where they were not counted.
        tests: Of `source`: whether it touches tests, too.
        target: Of `affects`: the target.
        depth: Of `affects`: how many dependencies lead there from the closest failing test; 0 for the test itself.
    """

    kind: ContentReasonKind
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
class WhyTried(Lean, Written):
    """Why a revision was tried: what spoke for it, or for the one right after it, before anything was run.

    Attributes:
        message: The same for people, to follow the name of the revision.
        before: The child that is likelier to be the culprit than the revision itself: then the reasons are the child's,
            for the test of its parent tells as much.
        reasons: What counts most first, at most three.
    """

    message: str
    reasons: tuple[ContentReason, ...]
    before: str | None = None

    _conversions = {
        "reasons": each(ContentReason._from),
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class RegressionFields(Written):
    """The answer of a regression search, final or the best so far.

    Attributes:
        status: Where the search stands.
        message: The same in one sentence, for people.
        find: Which change was looked for.
        points: The regression points, in the order found.
        leaves: What became of each newer end, in the order given.
        warnings: What is to be known before one believes the answer, or its cost, in sentences.
        queries: How many answers came from the oracle.
        confirmations: The number of runs that confirmed or contradicted the result.
        observations: Everything that was seen, in the order told.
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
    """

    status: Status
    message: str
    find: Find = "regression"
    points: tuple[RegressionPoint, ...]
    leaves: tuple[LeafReport, ...]
    warnings: tuple[str, ...] = ()
    queries: int
    confirmations: int = 0
    observations: tuple[RevisionObservation, ...]
    why: Mapping[str, WhyTried] = field(default_factory=dict, hash=False)
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
        "why": every(WhyTried._from),
        "commits": every(Commit._from),
        "names": every(tuple),
        "paths": tuple,
    }


Conclusion: TypeAlias = Literal["culprit", "flake", "inconclusive"]
"""Who is to blame.

`culprit`: one revision (FACF: `CULPRIT_VERSION_IDENTIFIED`). `flake`: nobody: the failure was a flake (FACF:
`FLAKE_IDENTIFIED`). `inconclusive`: it cannot be said, or not yet.
"""


@dataclass(frozen=True)
class Hypothesis(HypothesisMethods, Written):
    """A hypothesis with its probability.

    Attributes:
        revision: The suspect; nothing for "no culprit".
        probability: Its posterior probability, in [0, 1].
    """

    revision: str | None
    probability: float


@dataclass(frozen=True, repr=False)
class MissingRun(Lean, Written):
    """An outcome of a revision that was not seen.

    Attributes:
        revision: The revision.
        outcome: The outcome that no run of it had: a pass or a failure.
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
"""Why a search has, or has not, come to its conclusion.

`running`: not done yet. `confident`: the conclusion's probability has reached the confidence asked for. `bisected`:
with `choose="bisect"`: nothing else is left if every outcome is what its reruns make of it. How likely that is, the
probability says. `inseparable`: the suspects left differ only at revisions that cannot be tested: unresolved ones,
those inside a block of such, and those whose runs did not settle it. `unproven`: one revision has reached the
confidence, and is not named: of what it rests on, the `missing` runs were not seen and cannot be had, or it has no
parent that could pass. `missing`: CulpritReport.missing `contradictory`: the answers fit no single culprit at the flake
rate given. `good_end_fails`: the end that was given as good fails. `too_flaky`: the rates found, see `flake_rate` and
`false_pass_rate`, would take too many runs. `budget`: the budget was used up first. `stopped`: the caller or its oracle
stopped it first.
"""


@dataclass(frozen=True, repr=False, kw_only=True)
class CulpritFields(Written):
    """The answer of a culprit search, final or the best so far (FACF: Henderson et al.

    2023).

    Attributes:
        status: Where the search stands.
        conclusion: Who is to blame.
        reason: Why that, or why not more.
        message: The same in one or two sentences, for people.
        culprit: The culprit; nothing unless the conclusion is `culprit`.
        probability: The posterior probability of the conclusion, in [0, 1]: for `culprit` that it is this revision, for
            `flake` that there is no culprit, for `inconclusive` that of the most probable hypothesis.
        no_culprit: The posterior probability that there is no culprit, in [0, 1].
        credible_set: The fewest hypotheses that reach the confidence together, most probable first, once the search has
            ended; for `inseparable` all those that cannot be told apart; while it runs only the most probable ones, at
            most ten.
        missing: Where one suspect has reached the confidence: what was not seen (yet), of a failure of it and a pass of
            each of its parents. Nobody is named before all of it was; else the conclusion is `inconclusive` and the
            reason `unproven`. Empty in all other cases.
        warnings: What is to be known before one believes the answer, or its cost, in sentences.
        queries: How many answers came from the oracle.
        runs: How many executions of the test all answers stand for, counts included.
        flake_rate: The flake rate: as given, or its posterior mean if it is estimated, in [0, 1).
        false_pass_rate: The rate of false passes, likewise.
        rates_fit: Whether the rates told fit what was seen; true if none were told. False once what was seen is `1 / (1
            - confidence)` times as likely with both rates unknown: these are then estimated instead (`verify`).
        verified: Whether the short verification at the end has confirmed the conclusion (`verify`).
        burst: Once the search has ended: how many failures came in a row at revisions that are healthy by the most
            probable hypothesis, by `started` or else in the order told, if neither the flake rate nor chance explains
            that with the confidence asked for.
        seen_at_healthy: Runs at revisions that are healthy by the most probable hypothesis: what was seen of the flake
            rate.
        observations: Everything that was seen, in the order told.
        why: Why revisions were tried, for those that were asked or are to blame and of which the prior knows it
            (`prior="changes"`).
        fingerprint: A name for this finding, as that of a `RegressionPoint`: of the culprit, or of all suspects that
            cannot be told apart. `None` as long as there is no culprit.
        commits: What the commits that the answer names are called, by their full ids, where the history is a
            repository's; empty elsewhere, while the search runs, and where the repository could not say it.
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
    queries: int
    runs: int
    flake_rate: float
    false_pass_rate: float
    rates_fit: bool
    verified: bool
    burst: int | None
    seen_at_healthy: Tally
    observations: tuple[RevisionObservation, ...]
    why: Mapping[str, WhyTried] = field(default_factory=dict, hash=False)
    fingerprint: str | None
    commits: Mapping[str, Commit] = field(default_factory=dict, hash=False)
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "credible_set": each(Hypothesis._from),
        "missing": each(MissingRun._from),
        "warnings": tuple,
        "seen_at_healthy": Tally._from,
        "observations": each(RevisionObservation._as_written),
        "why": every(WhyTried._from),
        "commits": every(Commit._from),
    }


Role: TypeAlias = Literal["good", "parent", "culprit", "bad"]
"""What a revision is checked as.

`good`: a good end, `s_0`: it must pass. `parent`: a parent of the culprit, `s_(k-1)`: it must pass. `culprit`: the
culprit, `s_k`: it must never pass. `bad`: the revision that was seen to fail, `s_n`: it must never pass; if the failure
is said to have been a flake, it must pass.
"""


@dataclass(frozen=True, repr=False)
class Check(CheckMethods, Lean, Written):
    """The runs of one check.

    Attributes:
        role: What the revision is checked as.
        revision: The revision.
        runs: Its runs.
    """

    role: Role
    revision: str
    runs: Tally

    _conversions = {
        "runs": Tally._from,
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
"""Why a conclusion is not correct, or cannot be trusted ("When is a Culprit Incorrect?").

`bad_never_passes`: the flake cannot be reproduced: the revision that was seen to fail never passes. `bad_passes`: the
revision that was seen to fail passes: it was a flake. `culprit_passes`: the culprit passes. `parent_never_passes`: a
parent of the culprit never passes. `good_never_passes`: the good end never passes: the failure may depend on the time
or the environment. `no_good_pass_before_bad_fail`: no pass of the good end came before a failure of the bad one.
`no_bad_fail_before_good_pass`: no failure of the bad end came before a pass of the good one.
`no_parent_pass_before_culprit_fail`: no pass of a parent came before a failure of the culprit.
`no_culprit_fail_before_parent_pass`: no failure of the culprit came before a pass of a parent. `not_reproducible`: an
earlier verification said otherwise. `unresolved`: a revision cannot be tested, so nothing is proved about it.
"""


@dataclass(frozen=True, repr=False)
class VerificationReason(Said, Lean, Written):
    """A reason with its revision, in a sentence.

    Attributes:
        code: Which condition it is.
        revision: The revision that it is about.
        message: A sentence for people.
    """

    code: ReasonCode
    revision: str
    message: str


@dataclass(frozen=True, repr=False, kw_only=True)
class VerificationFields(Written):
    """The answer of a verification.

    Attributes:
        status: Where the verification stands: `found` once there is a verdict, `ambiguous` if a revision cannot be
            tested.
        correct: The verdict; `None` as long as there is none.
        reasons: Why the conclusion is not correct, or why nothing can be said; empty if it is correct.
        message: The same in one sentence, for people.
        culprit: The conclusion verified: the culprit, or `None` for a flake.
        reruns: How many runs each check takes at most: `ceil(log((1 - C) / n) / log(f))` for the `n` ways in which
            flakes could mislead the verdict: two for each good end and each parent of the culprit, one for a flake.
        checks: What each check saw.
        warnings: Warnings about the result, in sentences.
        queries: How many answers came from the oracle.
        observations: Everything that was seen, in the order told.
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
    warnings: tuple[str, ...] = ()
    queries: int
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
"""What is certain about a reduction's result.

`best so far`: nothing yet: it was ended before. `fixpoint`: no single item can go, in a tree with all below it, if more
items never hide the property. Where they may, and in a text, single ones may still go. `1-minimal`: every set with one
item less was tested, and was not seen to have the property.
"""


@dataclass(frozen=True, repr=False, kw_only=True)
class MinimizeFields(Written):
    """The smallest set that still has the property, final or the best so far.

    Attributes:
        status: Where the search stands.
        message: The same in one sentence, for people.
        kept: The items that are kept, as indices, ascending.
        guarantee: What is certain about them.
        warnings: Warnings about the result, in sentences.
        queries: How many answers came from the oracle.
        observations: Everything that was seen, in the order told.
    """

    status: Status
    message: str
    kept: tuple[int, ...]
    guarantee: Guarantee
    warnings: tuple[str, ...] = ()
    queries: int
    observations: tuple[ChangesObservation, ...]
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "kept": tuple,
        "warnings": tuple,
        "observations": each(ChangesObservation._as_written),
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class IsolateFields(Written):
    """Two sets as near to each other as was found: one has the property, the other one, within it, has it not.

    Attributes:
        status: Where the search stands.
        message: The same in one sentence, for people.
        kept: The items of the set that has the property, as indices, ascending.
        lacking: The items of the set that has it not: all of them in `kept`.
        difference: What is in the one and not in the other.
        guarantee: What is certain about the difference.
        warnings: Warnings about the result, in sentences.
        queries: How many answers came from the oracle.
        observations: Everything that was seen, in the order told.
    """

    status: Status
    message: str
    kept: tuple[int, ...]
    lacking: tuple[int, ...]
    difference: tuple[int, ...]
    guarantee: Guarantee
    warnings: tuple[str, ...] = ()
    queries: int
    observations: tuple[ChangesObservation, ...]
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "kept": tuple,
        "lacking": tuple,
        "difference": tuple,
        "warnings": tuple,
        "observations": each(ChangesObservation._as_written),
    }


@dataclass(frozen=True, repr=False)
class Also(Lean, Written):
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

    _conversions = {
        "before": Observation._as_written,
        "after": Observation._as_written,
    }


@dataclass(frozen=True, repr=False)
class PatchDetails(Lean, Written):
    """A patch that the search found.

    Attributes:
        on: What it is a patch of: a revision, or a revision with a part of an earlier read on it.
        changes: How many changes it has.
        of: How many changes it was reduced from.
        guarantee: What is certain about its size.
    """

    on: dict[str, Any]
    changes: int
    of: int
    guarantee: Guarantee


ReductionEnding: TypeAlias = Literal["reduced", "passed", "contradicted", "running"]
"""How a reduction ended.

`reduced`: a smallest patch was found. `passed`: the same, and a part of the whole was seen to pass (Section 4.1): that
version is the answer, unless an older one passes with the smallest patch. `contradicted`: the answers did not go
together. `running`: it goes on.
"""


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
"""Why an answer is not the outcome that is followed.

`patch`: the patch does not apply. `parse`: a file does not parse with it, so that nothing was run. `setup`: what the
test needs around it could not be set up. `configure`: the build could not be configured. `build`: it does not build.
`test`: the test fails in another way, or, going forward, fails. `timeout`: the test was ended because of its time.
`control`: the control fails. `effort`: the same failure, with another time or memory than the factors allow.
`unresolved`: it could not be told, and not at which stage.
"""


Purpose: TypeAlias = Literal["walk", "carried", "cause", "repair", "figure2", "forward"]
"""What a patch was reduced for.

`walk`: to go on with it, because the patch carried so far does not do. `carried`: `PorterReport.carried`. `cause`:
`PorterReport.cause`. `repair`: `PorterReport.repair`. `figure2`: `PorterReport.figure2`. `forward`:
`PorterReport.forward`.
"""


@dataclass(frozen=True, repr=False)
class PorterReduction(Lean, Written):
    """A reduction: what lies between two trees, taken apart.

    Attributes:
        purpose: What it was for.
        revision: The revision that the patch is for.
        place: Where that lies: as `PorterStep.place`.
        forward: Whether it was made on the way forward.
        reason: On the walk: why the patch carried so far does not do there; `None` for other purposes.
        before: How many changes it began with.
        first: How many were left when files, hunks and lines had been gone through once; `None` unless it ended as
            reduced.
        after: How many were left where nothing more could be taken away; `None` unless it ended as reduced.
        ending: How it ended.
        runs: How many answers cost a run.
        free: How many answers cost none: conflicts, files that do not parse, files that were tested before.
        failed: How many of these answers were another outcome, by why.
    """

    purpose: Purpose
    revision: str
    place: int
    forward: bool
    before: int
    ending: ReductionEnding
    runs: int
    free: int
    failed: Mapping[PorterReason, int] = field(hash=False)
    reason: PorterReason | None = None
    first: int | None = None
    after: int | None = None


StepOutcome: TypeAlias = Literal["kept", "pass", "other", "skipped", "reduced"]
"""What a version showed.

`kept`: the outcome that is followed: going back the failure of the start, going forward a pass. `pass`: it passes,
going back. `other`: another outcome. `skipped`: it does not build by itself, and was left out. `reduced`: another
outcome, and a smaller or other patch was made with which the outcome is kept.
"""


@dataclass(frozen=True, repr=False)
class PorterStep(Lean, Written):
    """One version on the way.

    Attributes:
        revision: The revision.
        forward: Whether it lies on the way forward.
        outcome: What it showed.
        seen: The same in words: outcome, failure and stage, with the patch carried there.
        carried: How the patch was carried there: what the oracle's `signals` say under `"carried"`; `None` if they do
            not.
        place: Where it lies: 0 at the start, 1 at the revision before it on the way, -1 at the one after it.
        patch: How many changes the patch has that was carried there.
        reason: Why it did not show the outcome that is followed with the patch; `None` if it did, or passed.
        alone: Why it did not without the patch; `None` if it did, passed, or was not tested, or if no patch was
            carried.
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
    """The answer of iterative delta debugging, final or so far.

    Attributes:
        status: Where the search stands.
        message: The same in some sentences, for people.
        failure: The failure that is followed, in words; `None` before it was seen.
        good: The newest revision on the walk that passes with the patch carried there; `None` if none was found.
        bad: The revision after it on the walk, which fails as the start does with its own patch; `None` if none was
            found.
        between: Revisions between them that do not build by themselves, newest first: any of them may be the one that
            broke it.
        carried: What the test needs: `good` passes with it. Its guarantee is about the failure of `bad`, which needs
            all of it; where `good` does not pass with what that failure needs, about the pass. `None` if it is nothing,
            or was not found out.
        cause: The smallest change found that brings the failure back on `good` with `carried`.
        repair: The smallest change found with which the bad side passes.
        figure2: The result of the paper's Figure 2: a smallest change from `good` to the failure, including the changes
            that the test needs. `None` without the option `figure2`.
        forward: The fix for the revision that it was brought forward to, where a run showed that it passes.
        also: What a second test says of that fix; `None` if none was run.
        steps: What was looked at on the way, in that order.
        reductions: The reductions, in the order in which they were begun.
        visited: How many revisions were tested on the walk back and forward.
        skipped: How many revisions were left out because they do not build by themselves.
        warnings: Warnings about the result, in sentences.
        queries: How many answers cost a run.
        asked: How many answers came to probes.
        conflicts: How many of all answers were that a patch does not apply.
        seconds: How long the tests took together, in seconds, as far as that was told; `None` if it never was.
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
    also: Also | None = None
    steps: tuple[PorterStep, ...]
    reductions: tuple[PorterReduction, ...]
    visited: int
    skipped: int
    warnings: tuple[str, ...]
    queries: int
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
        "also": Also._from,
        "steps": each(PorterStep._from),
        "reductions": each(PorterReduction._from),
        "warnings": tuple,
        "observations": each(PortObservation._as_written),
        "commits": every(Commit._from),
    }


@dataclass(frozen=True, repr=False)
class SliceSize(Lean, Written):
    """How far the search was after a run (Figure 13, "history reduction per test run").

    Attributes:
        run: How many answers had cost a run.
        changes: How many changes the smallest set had that was seen to hold.
    """

    run: int
    changes: int


@dataclass(frozen=True, repr=False)
class Why(Lean, Written):
    """What shows that one change of the slice is needed.

    Attributes:
        change: The change, as an index.
        name: Its name.
        set: The set that was asked: the slice without the change, and without those that rest on it where it could not
            be built with them.
        observation: The number of the answer among the observations.
        outcome: What was seen of the set: not what is to be kept.
        ran: Whether that cost a run: a conflict does not, nor does what was seen of equal files before.
        unbuilt: The numbers of the answers before it, where sets with more changes could not be built: the slice
            without the change alone is the first of them.
    """

    change: int
    name: str
    set: str
    observation: int
    outcome: Outcome
    ran: bool
    unbuilt: tuple[int, ...] = ()

    _conversions = {
        "outcome": Outcome,
        "unbuilt": tuple,
    }

    _names = {
        "set": "changes",
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class SlicerFields(Written):
    """The smallest slice that was found, final or the best so far.

    Attributes:
        status: Where the search stands.
        message: The same in some sentences, for people.
        kept: The changes of the slice, as indices, oldest first. All, before it is known whether they hold together;
            none if they do not.
        commits: Their names.
        of: How many changes there were.
        guarantee: What is certain about the slice. `"1-minimal"`: no change of it can go, neither alone nor with those
            that rest on it.
        why: For each change of the slice the answer that shows that it is needed, newest first; only those that were
            shown so far.
        sizes: How many changes were left after each run that made them fewer.
        warnings: Warnings about the result, in sentences.
        queries: How many answers cost a run.
        asked: How many answers came to probes, those that cost no run included.
        observations: Everything that was seen, in the order told.
        details: What the commits that the answer names are called, by their full ids, where the history is a
            repository's; empty elsewhere, while the search runs, and where the repository could not say it.
    """

    status: Status
    message: str
    kept: tuple[int, ...]
    commits: tuple[str, ...]
    of: int
    guarantee: Guarantee
    why: tuple[Why, ...]
    sizes: tuple[SliceSize, ...]
    warnings: tuple[str, ...]
    queries: int
    asked: int
    observations: tuple[ChangesObservation, ...]
    details: Mapping[str, Commit] = field(default_factory=dict, hash=False)
    _text: str = field(default="", repr=False, compare=False)

    _conversions = {
        "kept": tuple,
        "commits": tuple,
        "why": each(Why._from),
        "sizes": each(SliceSize._from),
        "warnings": tuple,
        "observations": each(ChangesObservation._as_written),
        "details": every(Commit._from),
    }

    _names = {
        "commits": "names",
        "details": "commits",
    }


@dataclass(frozen=True, repr=False, kw_only=True)
class Explanation(Said, Lean, Written):
    """What one answer did for a search.

    Attributes:
        run: Which run of the test it was, from 1; `None` if it cost none.
        revision: The revision, if the search is about a history.
        changes: The changes that are kept, if the search is about changes.
        outcome: What was seen.
        reason: Why that was asked, as far as it can be told from what was known then; `None` if it cannot, or nobody
            asked.
        suspects_before: How many revisions could be blamed before the answer; `None` if that is not known, as for
            items.
        suspects_after: How many could be blamed after it.
        best: The best answer after it in words, with short ids; `None` if there was none yet.
        message: All of it in words, with short ids.
        universe: The number of the read whose changes the indices name; `None` if they name all that there are.
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
    universe: int | None = None

    _conversions = {
        "outcome": Outcome,
    }


@dataclass(frozen=True, repr=False)
class ContentSuspect(Lean, Written):
    """A suspect, with what speaks for it.

    Attributes:
        change: The commit.
        probability: How likely it is the culprit, before anything was run, in [0, 1]; that of all suspects together is
            1.
        reasons: Why, what counts most first.
        message: The same for people, to follow the name of the commit.
    """

    change: str
    probability: float
    reasons: tuple[ContentReason, ...]
    message: str

    _conversions = {
        "reasons": each(ContentReason._from),
    }


@dataclass(frozen=True, repr=False)
class RankingReason(Lean, Written):
    """Why a change is suspicious: it touches a target that a failing test depends on.

    Attributes:
        files: The files of the change that are in the target, as the change names them.
        target: The target.
        path: The targets on a shortest path of dependencies, from the closest failing test to this one.
        distance: How many dependencies that is; 1 for the test itself.
        tests: How many of the failing tests depend on it.
        weight: What it adds to the score: the weighted distance (Definition 10), the mean over the failing tests.
        before: Whether it is so only in the graph of an earlier revision.
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
        change: The change.
        score: What it was ranked by: higher is more suspicious, never below 0.
        suspiciousness: The sum of the weights of its reasons (Definition 11), whatever it was ranked by; of a change of
            n > 16 source files divided by (n / 16)^3, because one of everything touches what the tests depend on
            whatever it is about.
        size: The number of its files.
        distance: The distance of the closest target that it touches, 1 or above.
        closeness: How close it comes to the failing tests: the weighted distance of the closest target, the mean over
            the tests.
        tests: How many of the failing tests it may have broken.
        reasons: What it touches, the closest first.
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
