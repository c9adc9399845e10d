"""The options of every search. Generated from the tables of options by `make generate`; do not edit."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import Required

    from firstbad._environment import Environment, EnvironmentPreset
    from firstbad._option_types import CostsLike, Needs, PriorLike, ResultsLike, Verdict
    from firstbad._patch import Patch
    from firstbad._tally import KnownRate, RateLike
    from firstbad._generated.reports import VerificationFields as VerificationReport

__all__ = [
    "COMMAND_DEFAULTS",
    "ChangeCosts",
    "ChangeOptions",
    "CommandOptions",
    "CommitReductionOptions",
    "CulpritOptions",
    "KINDS",
    "MEASURE_DEFAULTS",
    "MeasureOptions",
    "MetricOptions",
    "MinimizerOptions",
    "PatchReductionOptions",
    "PorterOptions",
    "ReductionOptions",
    "RegressionOptions",
    "SUITE_DEFAULTS",
    "SliceWayOptions",
    "SlicerOptions",
    "SuiteOptions",
    "TextReductionOptions",
    "TriageOptions",
    "VerificationOptions",
    "WalkOptions",
]


class RegressionOptions(TypedDict, total=False):
    """Options of a regression search.

    Attributes:
        bad: The bad revisions, known to fail. With several, each gets a regression point. With `find="fix"`, these are
            the older endpoints, and the default is the roots of the history.
        good: The good revisions, known to pass. The default is the roots of the history, and a root is tested before a
            point depends on it. With `find="fix"`, these are the newer endpoints, and required.
        find_good: Whether to look for an older endpoint if none is given, or the revisions to try first. firstbad tests
            ancestors along first parents, in growing steps, until one has the other outcome. If the graph was read from
            Git, firstbad first tries the last tag before each newer endpoint. The default is false, and the roots are
            assumed to have the other outcome.
        search: How to search. The default is `"auto"`. `"auto"`: the strategy that reaches the goal set by `prefer`
            with the fewest runs. Every outcome is trusted. `"linear"`: along a shortest path, one by one from the leaf
            (RPA, Section 3.2). `"binary"`: along a shortest path by halving, with the midpoint rounded up toward the
            leaf (RPA, Section 3.2). `"multiplying"`: along a shortest path with doubling gaps, and again in the last
            gap (RPA, Algorithm 3). `"gallop"`: along a shortest path with doubling gaps, then by halving the last gap.
            `"bisect"`: on the whole graph, the revision that `git bisect` would test, including its handling of skips.
            `"weighted"`: on the whole graph, by halving the prior probability. Recent revisions are more likely
            culprits. `"bayes"`: on the whole graph with a flaky test, by flake-aware culprit finding for each newer
            endpoint (FACF, Section 3), with all runs as evidence. A revision is run again if that gives the most
            information.
        prefer: The goal of `search="auto"`. The default is `"fewest"`. `"fewest"`: the fewest runs. `"latest"`: the
            newest regression point, even if outcomes come and go.
        propagate: Whether a point also counts for the other newer endpoints that descend from it (RPA, Algorithm 2).
            The default is true, except with `prefer="latest"`.
        check_parents: Whether to continue into failing parents until all parents of the culprit pass. The default is
            true.
        test_endpoints: Whether to test each given endpoint once at the start. The default is true. Known outcomes are
            reused. If false, firstbad trusts the endpoints, and the report lists the untested ones.
        confirm: Whether to run the culprit and its parents again before firstbad reports the culprit, each alone in a
            clean worktree. The default is true. Runs that were already like this are not repeated. Has no effect
            without `check_parents`, and with `search="bayes"`, which repeats runs anyway.
        find: The change to find: `"regression"` or `"fix"`. The default is `"regression"`. `"regression"`: the change
            from pass to fail that broke the test. `"fix"`: the change from fail to pass that fixed the test. `good`
            then holds the newer revisions and `bad` the older ones.
        signature: The signature of the failure to search for. Failures with another signature count as unresolved. The
            default is the signature at the first newer endpoint that was tested, if any.
        distinguish_failures: Whether to distinguish failures by how the test fails, using its output or the `signature`
            of the observation. If true, all failures except that of the bad revision are unresolved. If false, all
            failures count, unless you give a `signature`. With `"auto"`, the default, firstbad first finds the culprit
            without comparing output. If the culprit fails in another way than the bad revision, the search continues,
            without repeating a run, to the commit that introduced the failure of the bad revision. With `"auto"`, a
            `signature` of an observation counts from the start.
        prior: The prior probability of each revision. `"changes"` ranks commits by the files they touch and the name of
            the test, and is the default if the graph was read from Git. `"uniform"` makes all revisions equally likely,
            and is the default otherwise. Weights by revision can have any unit and must be 0 or above. An unlisted
            revision weighs 1, or the smallest listed weight above 0 if that is less. The prior decides the order of the
            runs and excludes no revision. Only for the searches `"auto"`, `"weighted"`, and `"bayes"`.
        test: The names of the failing tests, as words or as the test runner prints them. List several if they began to
            fail together. Cards show the names, and `prior="changes"` compares them with the changed files. The default
            is the test that a command oracle's command names, if any.
        costs: The cost of a run by revision, above 0, in any unit. firstbad then maximizes information per cost. The
            default, also for unlisted revisions, is 1. The Python and Node APIs also accept a function of the id, which
            is called for each suspect. Only for the searches `"auto"`, `"weighted"`, and `"bayes"`.
        flake_rate: The probability that the test fails at a healthy revision: a rate in [0, 1), counts of past runs, or
            `"estimate"`. The default is `"estimate"`, which estimates the rate from the runs of the search. Only with
            `search="bayes"`.
        min_flake_rate: The minimum flake rate, in [0, 1). The default is 0. Only with `search="bayes"`.
        false_pass_rate: The probability that the test passes at a broken revision, in the same forms as `flake_rate`.
            The default is 0. Only with `search="bayes"`.
        prior_no_culprit: The prior probability that the failure of a newer endpoint was a flake, in [0, 1), or
            `"uniform"` for 1 / (suspects + 1). The default is 0.4. Only with `search="bayes"`.
        confidence: The probability at which a result is accepted, above 0.5 and below 1. The default is 0.99. Only with
            `search="bayes"`.
        verify: Whether to verify results before they are reported. The default is true. The rates must fit the runs,
            and the culprit and its parents are run until they differ at any rates. If they do not, the search for this
            endpoint ends as `contradictory`. Only with `search="bayes"`.
    """

    bad: str | Iterable[str] | None
    good: str | Iterable[str] | None
    find_good: bool | str | Iterable[str] | None
    search: Literal["auto", "linear", "binary", "multiplying", "gallop", "bisect", "weighted", "bayes"] | None
    prefer: Literal["fewest", "latest"] | None
    propagate: bool | None
    check_parents: bool | None
    test_endpoints: bool | None
    confirm: bool | None
    find: Literal["regression", "fix"] | None
    signature: str | None
    distinguish_failures: bool | Literal["auto"] | None
    prior: PriorLike | None
    test: str | Iterable[str] | None
    costs: CostsLike | None
    flake_rate: RateLike | None
    min_flake_rate: float | None
    false_pass_rate: RateLike | None
    prior_no_culprit: float | Literal["uniform"] | None
    confidence: float | None
    verify: bool | None


class CulpritOptions(TypedDict, total=False):
    """Options of a culprit search.

    Attributes:
        bad: The bad revision, known to fail. Exactly one. It is a suspect and can be run again. Its first failure is
            part of `prior_no_culprit` and is not counted as a run.
        good: The good revisions, ancestors of `bad`. The default is the roots of its history. These revisions and their
            ancestors are not suspects. firstbad runs a good revision to estimate the flake rate, and before it reports
            a child of the revision as the culprit.
        flake_rate: The probability that the test fails at a healthy revision: a rate in [0, 1), counts of past runs, or
            `"estimate"`. The default is `"estimate"`, which estimates the rate from the runs of the search.
        min_flake_rate: The minimum flake rate, in [0, 1). The default is 0. The paper's evaluation uses 0.1.
        false_pass_rate: The probability that the test passes at a broken revision, in the same forms as `flake_rate`.
            The default is 0.
        prior: The prior probability of each suspect. `"changes"` ranks commits by the files they touch and the name of
            the test, and is the default if the graph was read from Git. `"uniform"` makes all suspects equally likely,
            and is the default otherwise. Weights by revision can have any unit and must be 0 or above. They are scaled
            to sum to 1 minus `prior_no_culprit`. An unlisted suspect weighs 1, or the smallest listed weight above 0 if
            that is less.
        test: The names of the failing tests, as words or as the test runner prints them. List several if they began to
            fail together. Cards show the names, and `prior="changes"` compares them with the changed files. The default
            is the test that a command oracle's command names, if any.
        prior_no_culprit: The prior probability that there is no culprit, in [0, 1), or `"uniform"` for 1 / (suspects +
            1) (FACF, Section 2.4). The default is 0.4, the share in the paper's evaluation.
        confidence: The probability at which a hypothesis is accepted, above 0.5 and below 1. The default is 0.99.
        strategy: How to choose the next runs. The default is `"cdf"`. `"cdf"`: thresholds over the cumulative posterior
            (FACF, Algorithm 2, NextRuns), without runs that give no information. `"expected-gain"`: thresholds over the
            cumulative expected gain (FACF, "Choosing the Thresholds in NextRuns"), without runs that give no
            information. `"information"`: the runs with the highest expected information about the culprit. The choice
            looks ahead if that pays off. `"bisect"`: bisection, the paper's baseline (FACF, "Bisection"). A revision
            counts as failing only after `reruns` failures.
        reruns: The number of failures that make a revision fail, 1 or above. Only with `choose="bisect"`. The default
            is 1.
        costs: The cost of a run by revision, above 0, in any unit. firstbad then maximizes information per cost. The
            default, also for unlisted revisions, is 1. The Python and Node APIs also accept a function of the id, which
            is called for each suspect.
        verify: Whether the search verifies its conclusion before it ends. The default is true. The culprit and its
            parents are run until they differ at any rates, or `bad` is run until false passes do not explain its
            passes. If a run contradicts the conclusion, the search resumes. If the given rates do not fit the runs, it
            continues with both rates unknown. Without verification, rates that do not fit end the search as
            `contradictory`. Ignored with `choose="bisect"`.
        signature: The signature of the failure to search for. Failures with another signature count as unresolved. The
            default is the first signature observed at a revision that is known to fail.
    """

    bad: Required[str | Iterable[str]]
    good: str | Iterable[str] | None
    flake_rate: RateLike | None
    min_flake_rate: float | None
    false_pass_rate: RateLike | None
    prior: PriorLike | None
    test: str | Iterable[str] | None
    prior_no_culprit: float | Literal["uniform"] | None
    confidence: float | None
    strategy: Literal["cdf", "expected-gain", "information", "bisect"] | None
    reruns: int | None
    costs: CostsLike | None
    verify: bool | None
    signature: str | None


class VerificationOptions(TypedDict, total=False):
    """Options of a verification.

    Attributes:
        culprit: The conclusion to verify: the culprit, or none for a flake. A flake is correct as soon as `bad` passes.
            Required, because an inconclusive report has no conclusion to verify.
        bad: The bad revision, known to fail (`s_n` in the paper). Exactly one.
        good: The good revisions, ancestors of `bad` (`s_0` in the paper). The default is the roots of its history. Each
            is checked.
        flake_rate: The probability that the test fails at a healthy revision: a rate in [0, 1), or counts of past runs.
            The default is 0, so that `min_flake_rate` applies. The report of a culprit search has an estimate.
        min_flake_rate: The minimum flake rate, above 0 and below 1. The default is 0.1, as in the paper. It reruns even
            a test that never flakes 9 times.
        confidence: The probability that flakes mislead none of the checks, above 0 and below 1. The default is
            0.99999999, which the paper uses for each single check.
        again: The result of an earlier verification of the same conclusion, if this one repeats it some hours later. If
            the verdicts differ, the conclusion depends on time or environment (`not_reproducible`). The default is
            none.
        signature: The signature of the failure to search for. Failures with another signature count as unresolved. The
            default is the first signature observed at a revision that must fail.
    """

    culprit: Required[str | None]
    bad: Required[str | Iterable[str]]
    good: str | Iterable[str] | None
    flake_rate: KnownRate | None
    min_flake_rate: float | None
    confidence: float | None
    again: VerificationReport | None
    signature: str | None


class MinimizerOptions(TypedDict, total=False):
    """Options of a minimization.

    Attributes:
        algorithm: The algorithm that chooses which sets to test. Default: `"auto"`. `"auto"`: adaptive group testing.
            It learns from outcomes how many items are needed and whether needed items come in clusters. If most sets
            are unresolved, it switches to bisection and then tries neighboring items together. `"ddmin"`: the ddmin
            algorithm, which tests subsets, then complements, and then cuts the items into more parts (Zeller and
            Hildebrandt 2002, Figure 5; IDD, Section 3.2). `"recursive"`: recursive bisection with at most 2n - 1 tests
            for n items (IDD, Section 3.1).
        dependencies: The indices of the items that each item needs, by item index. A list among them means that any one
            of its members is enough. firstbad never tests a set in which a needed item is missing, and items that need
            each other stay together. Default: no dependencies.
        weights: The weight of each item, above 0: its size, or its probability of being needed relative to the other
            items. Default: equal weights.
        parents: The parent of each item in a tree, as an index, or none. Indices from the number of items on are
            groups, which are not items themselves. firstbad goes through the tree level by level from the top, and
            removes an item together with its parent. Default: no tree.
        depth: The number of tree levels to go through, at least 1. Items below the last level stay together. The number
            of tree entries times the number of levels can be at most 2^24. Default: all levels.
        later: Passes over single items that follow after the tree: one list of item indices for each pass. In its pass,
            an item is removed together with everything below it. Before its pass, it is removed only with its parent.
            If a pass removes anything, firstbad repeats the tree and all passes so far before the next pass. Default:
            no later passes.
        monotonic: Whether every set that contains a set with the property also has the property. If so, firstbad does
            not test sets whose outcomes follow from this. Default: false.
        guarantee: The guarantee to reach: `"fixpoint"` or `"1-minimal"`. Default: `"fixpoint"`. `"fixpoint"`: no single
            item can be removed, provided that adding items never hides the property. In a tree, an item is removed
            together with everything below it. In a text, or if adding items can hide the property, some single items
            may still be removable. `"1-minimal"`: every set with one item less was tested, and none of them had the
            property.
        keep: The outcome that means that the property holds: `"pass"` or `"fail"`. Default: `"pass"`, or `"fail"` if
            firstbad runs an oracle.
        signature: The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the first
            failure that firstbad observes.
        confidence: The probability, at least 0.5 and below 1, with which the result must be correct although outcomes
            can be wrong. firstbad repeats tests until it reaches this confidence. Default: firstbad trusts every
            outcome.
        flake_rate: The probability that a set with the property is observed without it: a rate in [0, 1), counts of
            past runs, or `"estimate"`. It applies only with a `confidence`. Default: `"estimate"`.
        false_pass_rate: The probability that a set without the property is observed with it, in the forms of
            `flake_rate`. It applies only with a `confidence`. Default: `"estimate"`.
    """

    algorithm: Literal["auto", "ddmin", "recursive"] | None
    dependencies: Needs | None
    weights: Iterable[float] | None
    parents: Iterable[int | None] | None
    depth: int | None
    later: Iterable[Iterable[int]] | None
    monotonic: bool | None
    guarantee: Literal["fixpoint", "1-minimal"] | None
    keep: Literal["pass", "fail"] | None
    signature: str | None
    confidence: float | None
    flake_rate: RateLike | None
    false_pass_rate: RateLike | None


class TextReductionOptions(TypedDict, total=False):
    """Options of a minimization of a text.

    Attributes:
        algorithm: The algorithm that chooses which sets to test. Default: `"auto"`. `"auto"`: adaptive group testing.
            It learns from outcomes how many items are needed and whether needed items come in clusters. If most sets
            are unresolved, it switches to bisection and then tries neighboring items together. `"ddmin"`: the ddmin
            algorithm, which tests subsets, then complements, and then cuts the items into more parts (Zeller and
            Hildebrandt 2002, Figure 5; IDD, Section 3.2). `"recursive"`: recursive bisection with at most 2n - 1 tests
            for n items (IDD, Section 3.1).
        dependencies: The indices of the items that each item needs, by item index. A list among them means that any one
            of its members is enough. firstbad never tests a set in which a needed item is missing, and items that need
            each other stay together. Default: no dependencies.
        weights: The weight of each item, above 0: its size, or its probability of being needed relative to the other
            items. Default: equal weights.
        depth: The number of tree levels to go through, at least 1. Items below the last level stay together. The number
            of tree entries times the number of levels can be at most 2^24. Default: all levels.
        monotonic: Whether every set that contains a set with the property also has the property. If so, firstbad does
            not test sets whose outcomes follow from this. Default: false.
        guarantee: The guarantee to reach: `"fixpoint"` or `"1-minimal"`. Default: `"fixpoint"`. `"fixpoint"`: no single
            item can be removed, provided that adding items never hides the property. In a tree, an item is removed
            together with everything below it. In a text, or if adding items can hide the property, some single items
            may still be removable. `"1-minimal"`: every set with one item less was tested, and none of them had the
            property.
        keep: The outcome that means that the property holds: `"pass"` or `"fail"`. Default: `"pass"`, or `"fail"` if
            firstbad runs an oracle.
        signature: The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the first
            failure that firstbad observes.
        confidence: The probability, at least 0.5 and below 1, with which the result must be correct although outcomes
            can be wrong. firstbad repeats tests until it reaches this confidence. Default: firstbad trusts every
            outcome.
        flake_rate: The probability that a set with the property is observed without it: a rate in [0, 1), counts of
            past runs, or `"estimate"`. It applies only with a `confidence`. Default: `"estimate"`.
        false_pass_rate: The probability that a set without the property is observed with it, in the forms of
            `flake_rate`. It applies only with a `confidence`. Default: `"estimate"`.
    """

    algorithm: Literal["auto", "ddmin", "recursive"] | None
    dependencies: Needs | None
    weights: Iterable[float] | None
    depth: int | None
    monotonic: bool | None
    guarantee: Literal["fixpoint", "1-minimal"] | None
    keep: Literal["pass", "fail"] | None
    signature: str | None
    confidence: float | None
    flake_rate: RateLike | None
    false_pass_rate: RateLike | None


class PatchReductionOptions(TypedDict, total=False):
    """Options of a minimization of a patch.

    Attributes:
        algorithm: The algorithm that chooses which sets to test. Default: `"auto"`. `"auto"`: adaptive group testing.
            It learns from outcomes how many items are needed and whether needed items come in clusters. If most sets
            are unresolved, it switches to bisection and then tries neighboring items together. `"ddmin"`: the ddmin
            algorithm, which tests subsets, then complements, and then cuts the items into more parts (Zeller and
            Hildebrandt 2002, Figure 5; IDD, Section 3.2). `"recursive"`: recursive bisection with at most 2n - 1 tests
            for n items (IDD, Section 3.1).
        dependencies: The indices of the items that each item needs, by item index. A list among them means that any one
            of its members is enough. firstbad never tests a set in which a needed item is missing, and items that need
            each other stay together. Default: no dependencies.
        weights: The weight of each item, above 0: its size, or its probability of being needed relative to the other
            items. Default: equal weights.
        monotonic: Whether every set that contains a set with the property also has the property. If so, firstbad does
            not test sets whose outcomes follow from this. Default: false.
        guarantee: The guarantee to reach: `"fixpoint"` or `"1-minimal"`. Default: `"fixpoint"`. `"fixpoint"`: no single
            item can be removed, provided that adding items never hides the property. In a tree, an item is removed
            together with everything below it. In a text, or if adding items can hide the property, some single items
            may still be removable. `"1-minimal"`: every set with one item less was tested, and none of them had the
            property.
        keep: The outcome that means that the property holds: `"pass"` or `"fail"`. Default: `"pass"`, or `"fail"` if
            firstbad runs an oracle.
        signature: The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the first
            failure that firstbad observes.
        confidence: The probability, at least 0.5 and below 1, with which the result must be correct although outcomes
            can be wrong. firstbad repeats tests until it reaches this confidence. Default: firstbad trusts every
            outcome.
        flake_rate: The probability that a set with the property is observed without it: a rate in [0, 1), counts of
            past runs, or `"estimate"`. It applies only with a `confidence`. Default: `"estimate"`.
        false_pass_rate: The probability that a set without the property is observed with it, in the forms of
            `flake_rate`. It applies only with a `confidence`. Default: `"estimate"`.
    """

    algorithm: Literal["auto", "ddmin", "recursive"] | None
    dependencies: Needs | None
    weights: Iterable[float] | None
    monotonic: bool | None
    guarantee: Literal["fixpoint", "1-minimal"] | None
    keep: Literal["pass", "fail"] | None
    signature: str | None
    confidence: float | None
    flake_rate: RateLike | None
    false_pass_rate: RateLike | None


class CommitReductionOptions(TypedDict, total=False):
    """Options of a minimization of a commit.

    Attributes:
        algorithm: The algorithm that chooses which sets to test. Default: `"auto"`. `"auto"`: adaptive group testing.
            It learns from outcomes how many items are needed and whether needed items come in clusters. If most sets
            are unresolved, it switches to bisection and then tries neighboring items together. `"ddmin"`: the ddmin
            algorithm, which tests subsets, then complements, and then cuts the items into more parts (Zeller and
            Hildebrandt 2002, Figure 5; IDD, Section 3.2). `"recursive"`: recursive bisection with at most 2n - 1 tests
            for n items (IDD, Section 3.1).
        dependencies: The indices of the items that each item needs, by item index. A list among them means that any one
            of its members is enough. firstbad never tests a set in which a needed item is missing, and items that need
            each other stay together. Default: no dependencies.
        weights: The weight of each item, above 0: its size, or its probability of being needed relative to the other
            items. Default: equal weights.
        monotonic: Whether every set that contains a set with the property also has the property. If so, firstbad does
            not test sets whose outcomes follow from this. Default: false.
        guarantee: The guarantee to reach: `"fixpoint"` or `"1-minimal"`. Default: `"fixpoint"`. `"fixpoint"`: no single
            item can be removed, provided that adding items never hides the property. In a tree, an item is removed
            together with everything below it. In a text, or if adding items can hide the property, some single items
            may still be removable. `"1-minimal"`: every set with one item less was tested, and none of them had the
            property.
        signature: The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the first
            failure that firstbad observes.
        confidence: The probability, at least 0.5 and below 1, with which the result must be correct although outcomes
            can be wrong. firstbad repeats tests until it reaches this confidence. Default: firstbad trusts every
            outcome.
        flake_rate: The probability that a set with the property is observed without it: a rate in [0, 1), counts of
            past runs, or `"estimate"`. It applies only with a `confidence`. Default: `"estimate"`.
        false_pass_rate: The probability that a set without the property is observed with it, in the forms of
            `flake_rate`. It applies only with a `confidence`. Default: `"estimate"`.
    """

    algorithm: Literal["auto", "ddmin", "recursive"] | None
    dependencies: Needs | None
    weights: Iterable[float] | None
    monotonic: bool | None
    guarantee: Literal["fixpoint", "1-minimal"] | None
    signature: str | None
    confidence: float | None
    flake_rate: RateLike | None
    false_pass_rate: RateLike | None


class ReductionOptions(TypedDict, total=False):
    """Options of a search for the smallest difference.

    Attributes:
        dependencies: The indices of the items that each item needs, by item index. A list among them means that any one
            of its members is enough. firstbad never tests a set in which a needed item is missing, and items that need
            each other stay together. Default: no dependencies.
        parents: The parent of each item in a tree, as an index, or none. Indices from the number of items on are
            groups, which are not items themselves. firstbad goes through the tree level by level from the top, and
            removes an item together with its parent. Default: no tree.
        depth: The number of tree levels to go through, at least 1. Items below the last level stay together. The number
            of tree entries times the number of levels can be at most 2^24. Default: all levels.
        monotonic: Whether every set that contains a set with the property also has the property. If so, firstbad does
            not test sets whose outcomes follow from this. Default: false.
        keep: The outcome that means that the property holds: `"pass"` or `"fail"`. Default: `"pass"`, or `"fail"` if
            firstbad runs an oracle.
        signature: The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the first
            failure that firstbad observes.
        confidence: The probability, at least 0.5 and below 1, with which the result must be correct although outcomes
            can be wrong. firstbad repeats tests until it reaches this confidence. Default: firstbad trusts every
            outcome.
        flake_rate: The probability that a set with the property is observed without it: a rate in [0, 1), counts of
            past runs, or `"estimate"`. It applies only with a `confidence`. Default: `"estimate"`.
        false_pass_rate: The probability that a set without the property is observed with it, in the forms of
            `flake_rate`. It applies only with a `confidence`. Default: `"estimate"`.
    """

    dependencies: Needs | None
    parents: Iterable[int | None] | None
    depth: int | None
    monotonic: bool | None
    keep: Literal["pass", "fail"] | None
    signature: str | None
    confidence: float | None
    flake_rate: RateLike | None
    false_pass_rate: RateLike | None


class TriageOptions(TypedDict, total=False):
    """Options of a triage.

    Attributes:
        bad: The bad revision, at which the tests fail. Exactly one.
        good: The good revisions, `bad` or ancestors of it. The default is the roots of its history. These revisions and
            their ancestors are not suspects. firstbad runs the first good revision to find the tests that fail there as
            well.
        tests: The ids of the failing tests, each once. The default is the tests that fail in `tonight`. Without
            `tonight`, the whole suite runs once at `bad` and, without `last`, once at the first good revision.
        tonight: The results of last night's run of the suite at `bad`, by test. They order the search and count as one
            run. The default is no results. A test of `tests` without a result there counts as failed.
        last: The results of the last green run of the suite, at the first good revision, by test. The default is no
            results.
        quarantine: The ids of tests that are listed and never searched. The default is none.
        confidence: The probability at which a verdict is accepted, for each test, above 0.5 and below 1. The default is
            0.95. A confidence of 0.99 costs 15% to 20% more test runs.
        costs: The cost of a build and the cost of a test, in any unit. The default is measured from the seconds in the
            observations, and is 10 to 1 until then.
        keep_builds: The number of builds that stay available after their run, or `"all"`. The default is 2. A run at a
            kept build costs little.
        batch: The largest number of tests of one probe, 1 or above. By default, there is no limit.
        max_tests: The largest number of tests that are searched, 1 or above. The default is 500. If there are more, the
            search takes one test of each signature first.
        prior: The prior probability of each suspect. `"changes"` ranks commits by the files they touch and the names of
            the tests, and is the default if the graph was read from Git. `"uniform"` makes all suspects equally likely,
            and is the default otherwise. Weights by revision can have any unit and must be 0 or above. An unlisted
            suspect weighs 1, or the smallest listed weight above 0 if that is less.
    """

    bad: Required[str | Iterable[str]]
    good: str | Iterable[str] | None
    tests: str | Iterable[str] | None
    tonight: ResultsLike | None
    last: ResultsLike | None
    quarantine: str | Iterable[str] | None
    confidence: float | None
    costs: Mapping[str, float] | None
    keep_builds: int | Literal["all"] | None
    batch: int | None
    max_tests: int | None
    prior: PriorLike | None


class MetricOptions(TypedDict, total=False):
    """The options of one of several metrics.

    Attributes:
        at_least: The smallest change that matters.
        unit: The unit of the number, for reports.
        worse: The direction of a regression.
    """

    at_least: float | str | None
    unit: str | None
    worse: Literal["up", "down", "either"] | None


class ChangeCosts(TypedDict, total=False):
    """The cost of a build and the cost of a measurement, in any unit.

    Attributes:
        build: The cost of a build, 0 or above.
        measurement: The cost of a measurement, above 0.
    """

    build: Required[float]
    measurement: Required[float]


class ChangeOptions(TypedDict, total=False):
    """Options of a search for a change in numbers.

    Attributes:
        bad: The bad revision, at which the number is worse. Exactly one.
        good: The good revisions, ancestors of `bad`. The default is the roots of its history. These revisions and their
            ancestors are not suspects. firstbad measures the first good revision.
        worse: The direction of a regression. `"up"` is the default: a larger number is worse. `"down"`: a smaller
            number is worse. `"either"`: both, as measured at the endpoints. `"up"`: a larger number is worse, as for
            time, memory, and size. `"down"`: a smaller number is worse, as for throughput and accuracy. `"either"`:
            both directions matter.
        find: What to find: `"regression"`, the commit that made the number worse, or `"fix"`, the commit that made it
            better. The default is `"regression"`.
        at_least: The smallest change that matters: a fraction such as `0.03`, a percentage such as `"3%"`, or an amount
            such as `"2kB"`, `"15ms"`, or `"300"` in the unit of the number. The default is 0.03.
        unit: The unit of the number, for reports: `"s"`, `"B"`, or any text of at most 20 characters. The default is
            the unit of `at_least`, if it has one.
        metrics: The options of each metric by its name, if each run measures several. Absent options have the values of
            this configuration. The default is a single metric without a name.
        confidence: The probability at which the search names a commit, above 0.5 and below 1. The default is 0.99.
        all_steps: Whether to continue while a change of at least `at_least` is unexplained. The default is false: one
            step is enough.
        exact: Whether each revision has one number without noise, such as a size. `"auto"` is the default: numbers are
            exact if both endpoints repeat theirs.
        control_every: Measure an endpoint again every so many measurements, to notice a machine that becomes slower,
            and half as often on a machine that proves to be steady. The default is 3. 0 turns this off.
        paired: Whether each run measures the first good revision as well, on the same machine, and tells its number as
            `control`. The search then compares the two. The default is false.
        max_measurements: The largest number of measurements, 6 or above. The search then ends undecided, with its best
            guess. The default is 150.
        costs: The cost of a build and the cost of a measurement, in any unit. The default is measured from the seconds
            in the observations, and is 0.25 to 1 until then: a build may be reused.
        prior: The prior probability of each suspect. `"changes"` ranks commits by the files they touch, and is the
            default if the graph was read from Git. `"uniform"` makes all suspects equally likely, and is the default
            otherwise. Weights by revision can have any unit and must be 0 or above. An unlisted suspect weighs 1, or
            the smallest listed weight above 0 if that is less.
    """

    bad: Required[str | Iterable[str]]
    good: str | Iterable[str] | None
    worse: Literal["up", "down", "either"] | None
    find: Literal["regression", "fix"] | None
    at_least: float | str | None
    unit: str | None
    metrics: Mapping[str, MetricOptions] | None
    confidence: float | None
    all_steps: bool | None
    exact: bool | Literal["auto"] | None
    control_every: int | None
    paired: bool | None
    max_measurements: int | None
    costs: ChangeCosts | None
    prior: PriorLike | None


class PorterOptions(TypedDict, total=False):
    """Options of a `Porter`.

    Attributes:
        start: The revision at which the test fails.
        good: A revision that is believed to pass, an ancestor of `start`. The walk leads to this revision and ends
            there. A galloping walk tests this revision first, and again with each new patch. At most one can be given.
            Default: the walk follows first parents.
        oldest: The oldest revision to test, an ancestor of `start`. Default: the walk goes back to the first commit.
        revisions: The revisions to walk along, for example releases, newest first. Each must be an ancestor of the
            previous one, and the first one an ancestor of `start`. Cannot be combined with `good` or `oldest`. Default:
            all revisions on the way.
        walk: The way to go from revision to revision: `"gallop"` or `"strict"`. Default: `"gallop"`. `"gallop"`: steps
            of 1, 2, 4, ... versions while the outcome stays the same, then bisection of the last step. `"strict"`: one
            version after the other (IDD, Figure 2).
        algorithm: The algorithm that reduces patches. The paper uses `"recursive"`. Default: `"auto"`. `"auto"`:
            adaptive group testing. It learns from outcomes how many items are needed and whether needed items come in
            clusters. If most sets are unresolved, it switches to bisection and then tries neighboring items together.
            `"ddmin"`: the ddmin algorithm, which tests subsets, then complements, and then cuts the items into more
            parts (Zeller and Hildebrandt 2002, Figure 5; IDD, Section 3.2). `"recursive"`: recursive bisection with at
            most 2n - 1 tests for n items (IDD, Section 3.1).
        granularity: The smallest parts of patches to remove: `"lines"`, `"edits"`, `"definitions"`, `"hunks"`, or
            `"files"`. With the algorithm `"auto"` and without `figure2`, the patch that the test needs consists of
            whole definitions. Default: `"lines"`. `"files"`: whole files. `"hunks"`: hunks, and single header changes.
            `"definitions"`: the definitions that change, which are the outermost blocks of each hunk that contain
            changes, found by the indentation of the lines. `"edits"`: edits. An edit is a single change, but a replaced
            line stays with the similar line that replaced it. Up to six dissimilar lines stay with their replacements.
            A line stays with the condition that controls it. `"lines"`: single changes.
        hierarchical: Whether to reduce patches level by level, files first (IDD, Section 3.4). If so, brackets are
            removed only in pairs, and patches in the result are also reduced by whole definitions and blocks. If not,
            patches are reduced by lines at once. Default: true.
        early_pass: Whether the walk ends at a version that passes while firstbad reduces a patch for it. An older
            version still wins if it passes with the reduced patch, before another patch is needed. If false, such
            passes are ignored, as in the paper (IDD, Figure 2). firstbad then misses a version if one commit contains
            both the cause and a conflict with the patch (Section 4.1). Default: true.
        figure2: Whether to also compute the result of the paper's Figure 2 (IDD): the smallest change from the passing
            version to the failure, including the changes that the test needs. This takes additional runs. Default:
            false.
        max_patch: The most changes that a carried patch can have, at least 1. The search ends if it needs a larger
            patch. Default: no limit.
        always_keep: Files and folders to copy from `start` into every version, such as the test and its helpers. They
            are not part of any patch. Default: none.
        paths: The files and folders to search for the cause, relative to the top of the repository. These are names,
            not patterns. Everything else stays as it is at `start` in every version and in every patch. Default: all
            files.
        controlled: Whether the oracle also runs a control command. The control must pass in every version that counts
            as the same failure. On the way back, it must also pass in every version that counts as passing with a
            patch. An observation that passes but has `control` in its signals does not count as a pass. With a control,
            the walk also ends at a version that passes without those hunks of the carried patch that do not apply.
            Default: false. Without a control, the report warns if this matters.
        until: Whether the search ends once the commit is known (`"commit"`), or also finds the patches that explain it
            (`"explanation"`). Default: `"explanation"`. `"commit"`: when the commit is known. `"explanation"`: when the
            commit is explained by a carried patch, a cause, and a repair.
        forward: The revision to bring the fix forward to: `start`, one of its ancestors on the walk, or one of its
            descendants. Default: the fix is not brought forward.
        seconds_factor: The factor, above 1, by which the run time must differ from the run time at the start to count
            as another failure. Both slower and faster runs count. Default: the run time does not matter.
        memory_factor: The factor, above 1, by which the memory use must differ from the memory use at the start to
            count as another failure. Default: memory use does not matter.
        boundary: Revisions whose parents exist but are missing from this repository, as in a shallow clone. A walk that
            reaches one of them ends with the status `"revision_not_readable"`. Default: none.
    """

    start: Required[str]
    good: str | Iterable[str] | None
    oldest: str | None
    revisions: str | Iterable[str] | None
    walk: Literal["gallop", "strict"] | None
    algorithm: Literal["auto", "ddmin", "recursive"] | None
    granularity: Literal["files", "hunks", "definitions", "edits", "lines"] | None
    hierarchical: bool | None
    early_pass: bool | None
    figure2: bool | None
    max_patch: int | None
    always_keep: str | Iterable[str] | None
    paths: str | Iterable[str] | None
    controlled: bool | None
    until: Literal["commit", "explanation"] | None
    forward: str | None
    seconds_factor: float | None
    memory_factor: float | None
    boundary: str | Iterable[str] | None


class WalkOptions(TypedDict, total=False):
    """Options of iterative delta debugging.

    Attributes:
        start: The revision at which the test fails.
        good: A revision that is believed to pass, an ancestor of `start`. The walk leads to this revision and ends
            there. A galloping walk tests this revision first, and again with each new patch. At most one can be given.
            Default: the walk follows first parents.
        oldest: The oldest revision to test, an ancestor of `start`. Default: the walk goes back to the first commit.
        revisions: The revisions to walk along, for example releases, newest first. Each must be an ancestor of the
            previous one, and the first one an ancestor of `start`. Cannot be combined with `good` or `oldest`. Default:
            all revisions on the way.
        walk: The way to go from revision to revision: `"gallop"` or `"strict"`. Default: `"gallop"`. `"gallop"`: steps
            of 1, 2, 4, ... versions while the outcome stays the same, then bisection of the last step. `"strict"`: one
            version after the other (IDD, Figure 2).
        algorithm: The algorithm that reduces patches. The paper uses `"recursive"`. Default: `"auto"`. `"auto"`:
            adaptive group testing. It learns from outcomes how many items are needed and whether needed items come in
            clusters. If most sets are unresolved, it switches to bisection and then tries neighboring items together.
            `"ddmin"`: the ddmin algorithm, which tests subsets, then complements, and then cuts the items into more
            parts (Zeller and Hildebrandt 2002, Figure 5; IDD, Section 3.2). `"recursive"`: recursive bisection with at
            most 2n - 1 tests for n items (IDD, Section 3.1).
        granularity: The smallest parts of patches to remove: `"lines"`, `"edits"`, `"definitions"`, `"hunks"`, or
            `"files"`. With the algorithm `"auto"` and without `figure2`, the patch that the test needs consists of
            whole definitions. Default: `"lines"`. `"files"`: whole files. `"hunks"`: hunks, and single header changes.
            `"definitions"`: the definitions that change, which are the outermost blocks of each hunk that contain
            changes, found by the indentation of the lines. `"edits"`: edits. An edit is a single change, but a replaced
            line stays with the similar line that replaced it. Up to six dissimilar lines stay with their replacements.
            A line stays with the condition that controls it. `"lines"`: single changes.
        hierarchical: Whether to reduce patches level by level, files first (IDD, Section 3.4). If so, brackets are
            removed only in pairs, and patches in the result are also reduced by whole definitions and blocks. If not,
            patches are reduced by lines at once. Default: true.
        early_pass: Whether the walk ends at a version that passes while firstbad reduces a patch for it. An older
            version still wins if it passes with the reduced patch, before another patch is needed. If false, such
            passes are ignored, as in the paper (IDD, Figure 2). firstbad then misses a version if one commit contains
            both the cause and a conflict with the patch (Section 4.1). Default: true.
        figure2: Whether to also compute the result of the paper's Figure 2 (IDD): the smallest change from the passing
            version to the failure, including the changes that the test needs. This takes additional runs. Default:
            false.
        max_patch: The most changes that a carried patch can have, at least 1. The search ends if it needs a larger
            patch. Default: no limit.
        always_keep: Files and folders to copy from `start` into every version, such as the test and its helpers. They
            are not part of any patch. Default: none.
        paths: The files and folders to search for the cause, relative to the top of the repository. These are names,
            not patterns. Everything else stays as it is at `start` in every version and in every patch. Default: all
            files.
        until: Whether the search ends once the commit is known (`"commit"`), or also finds the patches that explain it
            (`"explanation"`). Default: `"explanation"`. `"commit"`: when the commit is known. `"explanation"`: when the
            commit is explained by a carried patch, a cause, and a repair.
        forward: The revision to bring the fix forward to: `start`, one of its ancestors on the walk, or one of its
            descendants. Default: the fix is not brought forward.
        seconds_factor: The factor, above 1, by which the run time must differ from the run time at the start to count
            as another failure. Both slower and faster runs count. Default: the run time does not matter.
        memory_factor: The factor, above 1, by which the memory use must differ from the memory use at the start to
            count as another failure. Default: memory use does not matter.
    """

    start: Required[str]
    good: str | Iterable[str] | None
    oldest: str | None
    revisions: str | Iterable[str] | None
    walk: Literal["gallop", "strict"] | None
    algorithm: Literal["auto", "ddmin", "recursive"] | None
    granularity: Literal["files", "hunks", "definitions", "edits", "lines"] | None
    hierarchical: bool | None
    early_pass: bool | None
    figure2: bool | None
    max_patch: int | None
    always_keep: str | Iterable[str] | None
    paths: str | Iterable[str] | None
    until: Literal["commit", "explanation"] | None
    forward: str | None
    seconds_factor: float | None
    memory_factor: float | None


class SlicerOptions(TypedDict, total=False):
    """Options of a `Slicer`.

    Attributes:
        changes: The names of the changes, oldest first, for example full commit ids. Probes refer to changes by their
            index in this list. Default: each change is named by its index.
        history: The history that the changes come from, with full commit ids. The search only stores it for the code
            that builds trees from sets of changes. Default: none.
        joined: The other commits that each change is from, by change index, such as earlier commits that do not parse.
            Default: none.
        merges: The indices of the changes that are merge commits. Default: none.
        keep: The outcome to keep: `"pass"` or `"fail"`. Default: `"pass"`.
        signature: The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the failure
            of all changes together.
        algorithm: The algorithm that finds the slice. Default: `"auto"`. `"auto"`: adaptive group testing. It also
            tests the removals that facts suggest. `"definer"`: dynamic delta refinement with the rules of the paper
            (DEFINER, Figure 9). `"coverage"`: only the start, tested once and not reduced (CSlicer). `"ddmin"`: the
            ddmin algorithm, which tests subsets, then complements, and then cuts the changes into more parts (Zeller
            and Hildebrandt 2002). `"recursive"`: recursive bisection with at most 2n - 1 tests for n changes (IDD,
            Section 3.1).
        scheme: The changes that `"definer"` reverts first. Default: `"combined"`. `"random"`: random parts, regardless
            of scores. `"neg"`: changes with a score below 0. This is the paper's default. `"nonpos"`: changes with a
            score of at most 0. `"low"`: the third of the changes with the lowest scores. `"combined"`: `"neg"`,
            `"nonpos"`, and `"low"` in turn.
        dependencies: The indices of the changes that each change is predicted to depend on, by change index. A list
            among them means that any one of its members is enough. firstbad postpones sets that lack a predicted
            dependency, and tests them only if the result depends on them. Default: no dependencies.
        start: The indices of changes that may be sufficient, such as the changes that a test covers. firstbad tests
            them once, together with their predicted dependencies, and ignores them if they are not sufficient. Default:
            no start.
        always: The indices of changes that every set contains. The search then starts with these changes alone. It adds
            first the changes that they are predicted to depend on, then more of the newest ones, until the test passes.
            Only for `keep` `"pass"`, and not for the algorithms `"definer"` and `"coverage"`. Default: no changes.
        learn: Whether to learn from facts in `signals` which changes matter. Default: true.
        charges: The changes that flow into variables and results. Each entry has a `file`, the qualified `name` of a
            definition, a `variable` (`"return"` for the result), and the indices of the `changes`. Facts that do not
            name changes count for or against these. Default: none.
        warnings: Warnings to include in the report, in sentences. Default: none.
        guarantee: The guarantee to reach. Default: `"1-minimal"`. `"fixpoint"`: no single item can be removed, provided
            that adding items never hides the property. In a tree, an item is removed together with everything below it.
            In a text, or if adding items can hide the property, some single items may still be removable.
            `"1-minimal"`: every set with one item less was tested, and none of them had the property.
        seed: The seed for the random choices of `"definer"`. Default: 0.
    """

    changes: str | Iterable[str] | None
    history: Mapping[str, Any] | None
    joined: Needs | None
    merges: Iterable[int] | None
    keep: Literal["pass", "fail"] | None
    signature: str | None
    algorithm: Literal["auto", "definer", "coverage", "ddmin", "recursive"] | None
    scheme: Literal["random", "neg", "nonpos", "low", "combined"] | None
    dependencies: Needs | None
    start: Iterable[int] | None
    always: Iterable[int] | None
    learn: bool | None
    charges: Iterable[Mapping[str, Any]] | None
    warnings: str | Iterable[str] | None
    guarantee: Literal["fixpoint", "1-minimal"] | None
    seed: int | None


class SliceWayOptions(TypedDict, total=False):
    """Options of `slice_history`.

    Attributes:
        keep: The outcome to keep: `"pass"` or `"fail"`. Default: `"pass"`.
        signature: The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the failure
            of all changes together.
        algorithm: The algorithm that finds the slice. Default: `"auto"`. `"auto"`: adaptive group testing. It also
            tests the removals that facts suggest. `"definer"`: dynamic delta refinement with the rules of the paper
            (DEFINER, Figure 9). `"coverage"`: only the start, tested once and not reduced (CSlicer). `"ddmin"`: the
            ddmin algorithm, which tests subsets, then complements, and then cuts the changes into more parts (Zeller
            and Hildebrandt 2002). `"recursive"`: recursive bisection with at most 2n - 1 tests for n changes (IDD,
            Section 3.1).
        scheme: The changes that `"definer"` reverts first. Default: `"combined"`. `"random"`: random parts, regardless
            of scores. `"neg"`: changes with a score below 0. This is the paper's default. `"nonpos"`: changes with a
            score of at most 0. `"low"`: the third of the changes with the lowest scores. `"combined"`: `"neg"`,
            `"nonpos"`, and `"low"` in turn.
        start: The indices of changes that may be sufficient, such as the changes that a test covers. firstbad tests
            them once, together with their predicted dependencies, and ignores them if they are not sufficient. Default:
            no start.
        learn: Whether to learn from facts in `signals` which changes matter. Default: true.
        guarantee: The guarantee to reach. Default: `"1-minimal"`. `"fixpoint"`: no single item can be removed, provided
            that adding items never hides the property. In a tree, an item is removed together with everything below it.
            In a text, or if adding items can hide the property, some single items may still be removable.
            `"1-minimal"`: every set with one item less was tested, and none of them had the property.
        seed: The seed for the random choices of `"definer"`. Default: 0.
    """

    keep: Literal["pass", "fail"] | None
    signature: str | None
    algorithm: Literal["auto", "definer", "coverage", "ddmin", "recursive"] | None
    scheme: Literal["random", "neg", "nonpos", "low", "combined"] | None
    start: Iterable[int] | None
    learn: bool | None
    guarantee: Literal["fixpoint", "1-minimal"] | None
    seed: int | None


class CommandOptions(TypedDict, total=False):
    """Options of `Repository.command_oracle`.

    Attributes:
        timeout: The time limit of the test in seconds, at least 0. The time to prepare the worktree does not count. By
            default there is no limit.
        on_timeout: The outcome of a test that exceeds `timeout`. Values other than the default require `timeout`. By
            default `"unresolved"`.
        on_signal: The outcome of a test that a signal kills or that exits with code 128 or above. `"stop"` ends the
            search with an error. `"retry"` runs the revision again, for crashes that the machine causes. By default
            `"stop"`.
        exit_codes: The outcomes of individual exit codes, which take precedence over all other rules. A test that
            signal n kills has the code 128 + n. `"retry"` also applies to the other stages. By default there are none.
        preset: The test runner of the command. If the runner cannot build or runs no test, the revision is unresolved,
            whatever the exit code. `"none"` uses exit codes alone, as `git bisect run` does. `"auto"` detects the
            runner in the command, such as `["pytest", "-x"]`. By default `"auto"`.
        fail_pattern: A regular expression that the output of a failing test must match, in the syntax of Rust's `regex`
            crate. `^` and `$` match at every line. If the output does not match, the revision is unresolved. By default
            every failure counts.
        pass_pattern: A regular expression that the output of a passing test must match, such as "all 12 tests passed".
            If the output does not match, the revision is unresolved. By default every pass counts.
        distinguish_failures: Whether to record a signature of every failure, as firstbad always does for unresolved
            runs. Searches for regressions then count failures with another signature as unresolved. A signature says
            how the command ended and has the part of the output that `signature` matches (its first group, if any).
            Without `signature`, it has the last line that looks like an error, with `#` for numbers and without
            folders, addresses, and colors. By default false.
        setup: A command (a program and its arguments) that runs first, after all patches are applied, for example to
            install dependencies. By default there is none.
        configure: A command that runs after `setup` to configure the build. By default there is none.
        build: A command that runs after `configure` to build the program under test. By default there is none.
        control: A command that runs after a failing test to check that nothing else is broken. The failure counts only
            if this command exits with 0 (Section 5.2). Iterative delta debugging also runs it after a test passes with
            a patch. By default every failure counts.
        stage_timeout: The time limit in seconds, at least 0, of each of `setup`, `configure`, `build`, and `control`,
            and of creating the environment. By default there is no limit.
        environment: The environment of the test: `"venv"` (requirements.txt), `"uv"` (uv.lock), `"npm"`
            (package-lock.json), `"pnpm"` (pnpm-lock.yaml), or a description with files and a command. firstbad creates
            the environment before `setup`, once for all revisions with the same files, and keeps it for later runs.
            Stages find its folder in `FIRSTBAD_ENVIRONMENT` and its programs first in `PATH`. If it cannot be created,
            the revision is unresolved at the stage `setup`. By default the test uses the programs of the machine.
        apply_patches: Patches to apply to every revision, in this order, each as a patch or its text. firstbad skips a
            patch that the revision already contains. If a patch does not apply, the revision is unresolved. By default
            there are none.
        copy_files: The files of your checkout to copy into every worktree whose revision does not have them. Give paths
            of files or folders relative to the top of the checkout, tracked or not, or false to copy no files. Ignored
            files in folders are left out. `"auto"` selects the untracked files that the commands name
            (`["./check.sh"]`), except possible build output such as binaries and files in ignored folders. firstbad
            copies the contents that the files have at the start, and journals keep them. By default `"auto"`.
        submodules: Whether to fill submodules, from the repository if it has their commits, or else from their URLs. If
            a submodule cannot be filled, the revision is unresolved. If the network is the cause, firstbad runs the
            revision again. By default false, so submodules are empty.
        lfs: Whether to fetch Git LFS files that the repository does not have, with `git-lfs`, which must be installed.
            By default false, so only the filters of your own configuration apply.
        allow_filters: Whether checkouts run the filters defined in `.git/config` and apply `.git/info/attributes`. By
            default false, so a repository cannot make firstbad run a program.
        keep_build: Whether a worktree keeps ignored files (`.gitignore`) between runs, so incremental builds are fast.
            Before firstbad accepts an unresolved outcome, it repeats the run in a fresh worktree and says so in the
            note. By default false.
        env: Additional environment variables of all stages. firstbad also sets `FIRSTBAD_REVISION` (the full commit
            id), `FIRSTBAD_WORKTREE`, `FIRSTBAD_OUTPUT`, `FIRSTBAD_REPOSITORY`, `FIRSTBAD_JOB` (the lowest number from 0
            that no other current run of this process has, for ports and databases), `FIRSTBAD_NEW_WORKTREE` (1 until
            the first stage passes in the worktree, then 0), `FIRSTBAD_PATCH` (a file with the patch, if there is one),
            and `FIRSTBAD_RUN`. Only the test has `FIRSTBAD_SIGNALS`, a file for a JSON object that becomes the
            `signals` of the observation. By default there are none.
        output_dir: The folder for the output of each run, `<sha>.log`. firstbad never removes the folder. By default a
            new folder in the cache folder.
        output_limit: The number of bytes of output to keep for each stage, at least 4096. Of longer output, firstbad
            keeps the beginning and the end, in equal parts. `fail_pattern`, `pass_pattern`, and `preset` see only the
            output that is kept. By default 16 MiB.
        kill_after: The seconds between SIGTERM and SIGKILL, at least 0. After an interruption, firstbad waits at most
            0.5 seconds. By default 2.
        worktrees: The folder for worktrees, outside the worktree of the repository. By default the cache folder
            (`$XDG_CACHE_HOME` or `~/.cache`).
        environments: The folder for environments, outside the worktree of the repository. By default the cache folder.
    """

    timeout: float | None
    on_timeout: Literal["pass", "fail", "unresolved", "stop", "retry"] | None
    on_signal: Literal["pass", "fail", "unresolved", "stop", "retry"] | None
    exit_codes: Mapping[int, Verdict] | None
    preset: Literal["auto", "none", "pytest", "jest", "vitest", "mocha", "node", "cargo", "go", "ctest"] | None
    fail_pattern: str | None
    pass_pattern: str | None
    distinguish_failures: bool | None
    setup: Sequence[str | os.PathLike[str]] | None
    configure: Sequence[str | os.PathLike[str]] | None
    build: Sequence[str | os.PathLike[str]] | None
    control: Sequence[str | os.PathLike[str]] | None
    stage_timeout: float | None
    environment: EnvironmentPreset | Environment | None
    apply_patches: Patch | str | bytes | Iterable[Patch | str | bytes] | None
    copy_files: Literal["auto", False] | Sequence[str | os.PathLike[str]] | None
    submodules: bool | None
    lfs: bool | None
    allow_filters: bool | None
    keep_build: bool | None
    env: Mapping[str, str] | None
    output_dir: str | os.PathLike[str] | None
    output_limit: int | None
    kill_after: float | None
    worktrees: str | os.PathLike[str] | None
    environments: str | os.PathLike[str] | None


class SuiteOptions(TypedDict, total=False):
    """Options of `Repository.suite_oracle` about tests.

    Attributes:
        runner: The test runner: `"pytest"`, `"jest"`, `"vitest"`, `"mocha"`, `"node"`, `"cargo"`, `"nextest"`, `"go"`,
            `"ctest"`, `"bazel"`, or `"custom"`. By default, the runner that the command names, or a custom one if there
            is `results`.
        results: The place of the results of a custom runner, as `FORMAT:PATH`. The format is `junit`, `tap`, `jest`,
            `mocha`, `go`, `libtest`, or `jsonl`. The path is relative to the worktree, or `-` for the output. `exit`
            runs one test at a time and takes its exit code.
        infra: Regular expressions for failures of the machine, in the syntax of Rust's `regex` crate. A failure whose
            message matches is unresolved. They add to a built-in list: no space left, connection reset, name
            resolution, out of memory, and GPU drivers.
        keep_builds: The number of builds that stay in worktrees, or `"all"`. The default is 2. Tests that run in a kept
            build see the files that earlier tests left.
    """

    runner: str | None
    results: str | None
    infra: str | Iterable[str] | None
    keep_builds: int | Literal["all"] | None


class MeasureOptions(TypedDict, total=False):
    """Options of `Repository.measure_oracle` about numbers.

    Attributes:
        metric: The numbers to measure, one or several. `"seconds"`, `"cpu-seconds"` (with child processes), and
            `"memory"` (peak, in bytes) are about the test command. `"regex:EXPR"` reads the output: the first group of
            each match, or the whole match. `"json:PATH"` reads JSON on standard output, and `"json:FILE#PATH"` reads a
            JSON file of the worktree, with a path as in RFC 9535. `"file-size:GLOB"` is the size in bytes of all
            matching files of the worktree. `"last-number"` is the last number on standard output.
        take: How several values of one run become one number. The default is `"median"`. `"median"`: the value in the
            middle. `"min"`: the smallest value. `"mean"`: the arithmetic mean.
        warmup: The number of runs to throw away after each build. The default is 1 if a metric is a time, and 0
            otherwise.
        keep_builds: The number of builds that stay in worktrees, or `"all"`. The default is 8. A run in a kept build
            sees the files that earlier runs left.
    """

    metric: Required[str | Iterable[str]]
    take: Literal["median", "min", "mean"] | None
    warmup: int | None
    keep_builds: int | Literal["all"] | None


KINDS = {
    "always": "List",
    "always_keep": "Names",
    "apply_patches": "Patches",
    "bad": "Names",
    "boundary": "Names",
    "build": "Command",
    "changes": "Names",
    "charges": "List",
    "configure": "Command",
    "control": "Command",
    "copy_files": "CopyFiles",
    "costs": "Costs",
    "dependencies": "Needs",
    "env": "Variables",
    "environment": "Environment",
    "environments": "Path",
    "exit_codes": "ExitCodes",
    "false_pass_rate": "Rate",
    "find_good": "Names",
    "flake_rate": "Rate",
    "good": "Names",
    "infra": "Names",
    "joined": "Needs",
    "last": "Results",
    "later": "List",
    "merges": "List",
    "metric": "Names",
    "metrics": "Metrics",
    "output_dir": "Path",
    "parents": "List",
    "paths": "Names",
    "prior": "Prior",
    "quarantine": "Names",
    "revisions": "Names",
    "setup": "Command",
    "start": "List",
    "test": "Names",
    "tests": "Names",
    "tonight": "Results",
    "warnings": "Names",
    "weights": "List",
    "worktrees": "Path",
}
"""The conversion of each option that is not a plain JSON value."""

COMMAND_DEFAULTS = {
    "allow_filters": False,
    "apply_patches": [],
    "copy_files": "auto",
    "distinguish_failures": False,
    "env": {},
    "exit_codes": {},
    "keep_build": False,
    "kill_after": 2.0,
    "lfs": False,
    "on_signal": "stop",
    "on_timeout": "unresolved",
    "output_limit": 16777216,
    "preset": "auto",
    "submodules": False,
}
"""The defaults of `CommandOptions`."""

SUITE_DEFAULTS = {
    "infra": [],
    "keep_builds": 2,
}
"""The defaults of `SuiteOptions`."""

MEASURE_DEFAULTS = {
    "keep_builds": 8,
    "take": "median",
}
"""The defaults of `MeasureOptions`."""
