"""The options of every search. Generated from the tables of options by `make generate`; do not edit."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import Required

    from firstbad._environment import Environment, EnvironmentPreset
    from firstbad._option_types import CostsLike, Needs, PriorLike, Verdict
    from firstbad._patch import Patch
    from firstbad._tally import KnownRate, RateLike
    from firstbad._generated.reports import VerificationFields as VerificationReport

__all__ = [
    "COMMAND_DEFAULTS",
    "CommandOptions",
    "CommitReductionOptions",
    "CulpritOptions",
    "KINDS",
    "MinimizerOptions",
    "PatchReductionOptions",
    "PorterOptions",
    "ReductionOptions",
    "RegressionOptions",
    "SliceWayOptions",
    "SlicerOptions",
    "TextReductionOptions",
    "VerificationOptions",
    "WalkOptions",
]


class RegressionOptions(TypedDict, total=False):
    """Options of a regression search.

    Attributes:
        bad: The newer ends, which fail: one revision or several, each of which gets its regression point. With
            `find="fix"` the older ends, by default the roots.
        good: The older ends, which pass: one revision or several; by default the roots, each of which is asked before a
            point rests on it. With `find="fix"` the newer ends.
        find_good: Where no older end is given: whether to look back for one instead of assuming that the roots are, or
            the revisions to try first. Then ancestors further and further back are asked, along first parents, until
            one is otherwise than the newer end. In a history that was read from git the last tag before each newer end
            is tried first. By default no.
        search: How to search; by default `"auto"`. `"auto"`: whatever reaches the goal set by `prefer` with the fewest
            queries; every answer is trusted. `"linear"`: on a shortest path, from the leaf backwards, one by one (RPA,
            Section 3.2). `"binary"`: on a shortest path, halving; the midpoint is rounded up, towards the leaf (RPA,
            Section 3.2). `"multiplying"`: on a shortest path, with gaps that double, started again in the last gap
            (RPA, Algorithm 3). `"gallop"`: on a shortest path, with gaps that double, then halving in the last gap.
            `"bisect"`: on the whole graph, the revision that `git bisect` would test, skips included. `"weighted"`: on
            the whole graph, halving prior mass; recent revisions are likelier culprits. `"bayes"`: on the whole graph,
            flake-aware culprit finding for every newer end, with one belief over what was seen for all of them (FACF,
            Section 3). Revisions are asked again if that tells most.
        prefer: What `search="auto"` optimises for; by default `"fewest"`. `"fewest"`: the fewest queries. `"latest"`:
            the newest regression point, even if outcomes come and go.
        propagate: Whether a point found also answers for the other ends that come from it (RPA, Algorithm 2). By
            default it does, unless `prefer` is `"latest"`.
        check_parents: Whether to go on into failing parents until every parent of the answer is seen to pass; by
            default yes.
        test_endpoints: Whether to test the given ends first, each once; by default yes. What is known of them already
            costs nothing. If not, they are taken to be what they were given as, and the report says so.
        confirm: Whether to run the culprit and its parents again before firstbad names the culprit, each alone in a
            clean worktree, unless the search has already run them like this. By default yes. Nothing is confirmed
            without `clean`, or with `search="bayes"`, which repeats runs anyway.
        find: Which change is sought; by default `"regression"`. `"regression"`: from pass to fail, who broke it.
            `"fix"`: from fail to pass, who repaired it; `good` then holds the newer ends, `bad` the older ones.
        signature: The failure searched for: failures with another signature count as unresolved. By default the one
            seen at the first newer end that was tested, if any.
        distinguish_failures: Whether to distinguish failures by how the test fails, from its output or the `signature`
            of the observation. If true, other failures than that of the bad revision are unresolved. If false, all
            failures count, unless you give a `signature`. With `"auto"`, the default, firstbad first finds the culprit
            without distinguishing failures by their output. If the culprit fails in another way than the bad revision,
            the search continues, without repeating a run, until it finds the commit that introduced the failure of the
            bad revision. With `"auto"`, a `signature` of an observation counts from the start.
        prior: How likely each revision broke it, before anything is asked: `"changes"`, by what it touches and what the
            test is called, the default where the graph was read from git; `"uniform"`, all alike, the default
            elsewhere; or weights by revision, 0 or above, in any unit, where one that is not named has the least of
            them that is above 0. It decides what is asked first, and makes no revision impossible. For the searches
            `"auto"`, `"weighted"` and `"bayes"`.
        test: What the failing test is called, in words or as its runner calls it: one, or several that began to fail
            together. Cards show it, and with `prior="changes"` it says where to look. By default what the command of a
            command oracle names, else it is not known.
        costs: What a run costs at a revision, above 0: questions are then chosen by what they tell per cost. By
            default, and at revisions that are not named, 1. Python and Node also take a function of the id, which is
            called for each suspect. For the searches `"auto"`, `"weighted"` and `"bayes"`.
        flake_rate: With `search="bayes"`: how often the test fails at a healthy revision: a rate in [0, 1), counts of
            past runs, or `"estimate"`, which finds it out on the way; by default it is estimated.
        min_flake_rate: With `search="bayes"`: no flake rate below this is believed, in [0, 1); by default 0.
        false_pass_rate: With `search="bayes"`: how often the test passes at a broken revision, in the forms of
            `flake_rate`; by default never.
        prior_no_culprit: With `search="bayes"`: how likely it is beforehand that the failure of a newer end was a
            flake, in [0, 1), or `"uniform"` for 1 / (suspects + 1); by default 0.4.
        confidence: With `search="bayes"`: the probability at which an answer is taken for true, above 0.5 and below 1;
            by default 0.99.
        verify: With `search="bayes"`: whether an answer needs rates that fit what was seen, and enough runs of the
            culprit and of its parents to show that they differ, whatever the rates; by default yes. A bad revision
            whose runs do not come to that ends as `contradictory`.
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
        bad: The revision that was seen to fail: exactly one. It is a suspect like the others and may be asked again;
            its first failure belongs to `prior_no_culprit` and is not counted.
        good: Revisions that pass, ancestors of `bad`: one or several, by default its roots. They and their ancestors
            are no suspects. They are asked if the flake rate is to be estimated, and before a child of theirs is named.
        flake_rate: How often the test fails at a healthy revision: a rate in [0, 1), counts of past runs, or
            `"estimate"`, the default, which finds it out on the way.
        min_flake_rate: No flake rate below this is believed, in [0, 1); by default 0. The paper's evaluation uses 0.1.
        false_pass_rate: How often the test passes at a broken revision, in the forms of `flake_rate`; by default never.
        prior: How likely each suspect is the culprit, before anything is asked: `"changes"`, by what it touches and
            what the test is called, the default where the graph was read from git; `"uniform"`, all alike, the default
            elsewhere; or weights, 0 or above, in any unit: they are scaled to sum to what "no culprit" leaves, and a
            suspect that is not named weighs 1, or as much as the lightest one named (other than 0) if that is less.
        test: What the failing test is called, in words or as its runner calls it: one, or several that began to fail
            together. Cards show it, and with `prior="changes"` it says where to look. By default what the command of a
            command oracle names, else it is not known.
        prior_no_culprit: How likely it is beforehand that there is no culprit, in [0, 1), or `"uniform"` for 1 /
            (suspects + 1) (FACF, Section 2.4); by default 0.4, what the paper's evaluation saw.
        confidence: The probability at which a hypothesis is taken for true, above 0.5 and below 1; by default 0.99.
        strategy: How to choose the next runs; by default `"cdf"`. `"cdf"`: thresholds over the cumulative posterior
            (FACF, Algorithm 2, NextRuns), without runs that would tell nothing. `"expected-gain"`: thresholds over the
            cumulative expected gain (FACF, "Choosing the Thresholds in NextRuns"), without such runs. `"information"`:
            the runs that are expected to tell most about the culprit, looking ahead if it pays. `"bisect"`: bisection
            in which a revision fails only if it fails `reruns` times, the paper's baseline (FACF, "Bisection").
        reruns: With `choose="bisect"`: how often a revision must fail, 1 or above; by default once.
        costs: What a run costs at a revision, above 0: runs are then chosen by what they tell per cost. By default, and
            at revisions that are not named, 1. Python and Node also take a function of the id, which is called for each
            suspect.
        verify: Whether a short verification is the last stage: the culprit and its parents are run until they differ
            whatever the rates, or `bad` until no false pass explains that it passes; by default yes. What contradicts
            the conclusion takes the search up again, with both rates unknown where those told do not fit. If not, such
            rates end the search as `contradictory`. Nothing of this with `choose="bisect"`.
        signature: The failure searched for: failures with another signature count as unresolved. By default the one
            seen first at a revision that is known to fail.
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
        culprit: The conclusion to verify: the revision that was blamed, or none if the failure is said to have been a
            flake, which is correct as soon as `bad` passes. It has to be given: an inconclusive report holds no
            conclusion.
        bad: The revision that was seen to fail (the paper's s_n): exactly one.
        good: Revisions that pass, ancestors of `bad`: one or several, by default its roots. Each is checked (the
            paper's s_0).
        flake_rate: How often the test fails at a healthy revision: a rate in [0, 1), or counts of past runs; by default
            0, so that the floor holds. A culprit search reports the rate that it found.
        min_flake_rate: The flake rate is taken to be no lower than this, above 0 and below 1; by default the paper's
            0.1, so that even a test that never flaked is run 9 times.
        confidence: How sure the verdict is to be, above 0 and below 1: flakes mislead none of its checks with this
            probability. By default 0.99999999, which the paper asks of each check by itself.
        again: What an earlier verification of the same conclusion said, if this one repeats it some hours later: if the
            two differ, the conclusion depends on the time or the environment (`not_reproducible`). By default none.
        signature: The failure searched for: failures with another signature count as unresolved. By default the one
            seen first at a revision that is said to fail.
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
        algorithm: How to minimise; by default `"auto"`. `"auto"`: group testing that learns how many items are needed,
            and whether they come in clusters. Where most sets cannot be told, bisection and neighbours take over.
            `"ddmin"`: subsets, complements, finer and finer (Zeller and Hildebrandt 2002, Figure 5; IDD, Section 3.2).
            `"recursive"`: bisection with at most 2n - 1 questions (IDD, Section 3.1).
        dependencies: By index, the indices of what an item needs, all of it; a list among them means any one of its
            members. A set without what its items need is never asked, and items that need each other stay together. By
            default no item needs another.
        weights: For each item how much it weighs, above 0: its size, or how likely it is needed, against the others. By
            default all weigh alike.
        parents: The tree that the items form: for each the index of its parent, or none. Indices from the number of
            items on are groups, which are no items themselves. The tree is gone through from the top, level by level,
            and an item goes with its parent. By default there is no tree.
        depth: How many levels of the tree to go through, at least 1: what lies deeper stays together. By default all;
            entries of the tree times levels may be 2^24 at most.
        later: Items that are tried by themselves only when the tree was gone through, in passes: a list of items for
            each, in which an item goes with all that is below it. Until then each goes with its parent. When a pass
            drops something, the tree and the passes so far are gone through again before the next one. By default there
            are none.
        monotonic: Whether what has the property has it with any further item, too: then nothing is asked that follows.
            By default not.
        guarantee: How far to go; by default `"fixpoint"`. `"fixpoint"`: no single item can go, in a tree with all below
            it, if more items never hide the property. Where they may, and in a text, single ones may still go.
            `"1-minimal"`: every set with one item less was tested, and was not seen to have the property.
        keep: Which outcome means that the property holds: `"pass"`, the default, or `"fail"` if an oracle is asked.
        signature: With `keep="fail"`: the failure to be kept, others count as unresolved. By default the one seen
            first.
        confidence: If answers may be wrong: how sure the result is to be, at least 0.5 and below 1; sets are then asked
            until they are sure. By default every answer is trusted.
        flake_rate: With a `confidence`: how often a set that has the property is seen without it: a rate in [0, 1),
            counts of past runs, or `"estimate"`, the default.
        false_pass_rate: With a `confidence`: how often a set that has not the property is seen with it, in the forms of
            `flake_rate`; by default it is estimated.
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
        algorithm: How to minimise; by default `"auto"`. `"auto"`: group testing that learns how many items are needed,
            and whether they come in clusters. Where most sets cannot be told, bisection and neighbours take over.
            `"ddmin"`: subsets, complements, finer and finer (Zeller and Hildebrandt 2002, Figure 5; IDD, Section 3.2).
            `"recursive"`: bisection with at most 2n - 1 questions (IDD, Section 3.1).
        dependencies: By index, the indices of what an item needs, all of it; a list among them means any one of its
            members. A set without what its items need is never asked, and items that need each other stay together. By
            default no item needs another.
        weights: For each item how much it weighs, above 0: its size, or how likely it is needed, against the others. By
            default all weigh alike.
        depth: How many levels of the tree to go through, at least 1: what lies deeper stays together. By default all;
            entries of the tree times levels may be 2^24 at most.
        monotonic: Whether what has the property has it with any further item, too: then nothing is asked that follows.
            By default not.
        guarantee: How far to go; by default `"fixpoint"`. `"fixpoint"`: no single item can go, in a tree with all below
            it, if more items never hide the property. Where they may, and in a text, single ones may still go.
            `"1-minimal"`: every set with one item less was tested, and was not seen to have the property.
        keep: Which outcome means that the property holds: `"pass"`, the default, or `"fail"` if an oracle is asked.
        signature: With `keep="fail"`: the failure to be kept, others count as unresolved. By default the one seen
            first.
        confidence: If answers may be wrong: how sure the result is to be, at least 0.5 and below 1; sets are then asked
            until they are sure. By default every answer is trusted.
        flake_rate: With a `confidence`: how often a set that has the property is seen without it: a rate in [0, 1),
            counts of past runs, or `"estimate"`, the default.
        false_pass_rate: With a `confidence`: how often a set that has not the property is seen with it, in the forms of
            `flake_rate`; by default it is estimated.
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
        algorithm: How to minimise; by default `"auto"`. `"auto"`: group testing that learns how many items are needed,
            and whether they come in clusters. Where most sets cannot be told, bisection and neighbours take over.
            `"ddmin"`: subsets, complements, finer and finer (Zeller and Hildebrandt 2002, Figure 5; IDD, Section 3.2).
            `"recursive"`: bisection with at most 2n - 1 questions (IDD, Section 3.1).
        dependencies: By index, the indices of what an item needs, all of it; a list among them means any one of its
            members. A set without what its items need is never asked, and items that need each other stay together. By
            default no item needs another.
        weights: For each item how much it weighs, above 0: its size, or how likely it is needed, against the others. By
            default all weigh alike.
        monotonic: Whether what has the property has it with any further item, too: then nothing is asked that follows.
            By default not.
        guarantee: How far to go; by default `"fixpoint"`. `"fixpoint"`: no single item can go, in a tree with all below
            it, if more items never hide the property. Where they may, and in a text, single ones may still go.
            `"1-minimal"`: every set with one item less was tested, and was not seen to have the property.
        keep: Which outcome means that the property holds: `"pass"`, the default, or `"fail"` if an oracle is asked.
        signature: With `keep="fail"`: the failure to be kept, others count as unresolved. By default the one seen
            first.
        confidence: If answers may be wrong: how sure the result is to be, at least 0.5 and below 1; sets are then asked
            until they are sure. By default every answer is trusted.
        flake_rate: With a `confidence`: how often a set that has the property is seen without it: a rate in [0, 1),
            counts of past runs, or `"estimate"`, the default.
        false_pass_rate: With a `confidence`: how often a set that has not the property is seen with it, in the forms of
            `flake_rate`; by default it is estimated.
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
        algorithm: How to minimise; by default `"auto"`. `"auto"`: group testing that learns how many items are needed,
            and whether they come in clusters. Where most sets cannot be told, bisection and neighbours take over.
            `"ddmin"`: subsets, complements, finer and finer (Zeller and Hildebrandt 2002, Figure 5; IDD, Section 3.2).
            `"recursive"`: bisection with at most 2n - 1 questions (IDD, Section 3.1).
        dependencies: By index, the indices of what an item needs, all of it; a list among them means any one of its
            members. A set without what its items need is never asked, and items that need each other stay together. By
            default no item needs another.
        weights: For each item how much it weighs, above 0: its size, or how likely it is needed, against the others. By
            default all weigh alike.
        monotonic: Whether what has the property has it with any further item, too: then nothing is asked that follows.
            By default not.
        guarantee: How far to go; by default `"fixpoint"`. `"fixpoint"`: no single item can go, in a tree with all below
            it, if more items never hide the property. Where they may, and in a text, single ones may still go.
            `"1-minimal"`: every set with one item less was tested, and was not seen to have the property.
        signature: With `keep="fail"`: the failure to be kept, others count as unresolved. By default the one seen
            first.
        confidence: If answers may be wrong: how sure the result is to be, at least 0.5 and below 1; sets are then asked
            until they are sure. By default every answer is trusted.
        flake_rate: With a `confidence`: how often a set that has the property is seen without it: a rate in [0, 1),
            counts of past runs, or `"estimate"`, the default.
        false_pass_rate: With a `confidence`: how often a set that has not the property is seen with it, in the forms of
            `flake_rate`; by default it is estimated.
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
        dependencies: By index, the indices of what an item needs, all of it; a list among them means any one of its
            members. A set without what its items need is never asked, and items that need each other stay together. By
            default no item needs another.
        parents: The tree that the items form: for each the index of its parent, or none. Indices from the number of
            items on are groups, which are no items themselves. The tree is gone through from the top, level by level,
            and an item goes with its parent. By default there is no tree.
        depth: How many levels of the tree to go through, at least 1: what lies deeper stays together. By default all;
            entries of the tree times levels may be 2^24 at most.
        monotonic: Whether what has the property has it with any further item, too: then nothing is asked that follows.
            By default not.
        keep: Which outcome means that the property holds: `"pass"`, the default, or `"fail"` if an oracle is asked.
        signature: With `keep="fail"`: the failure to be kept, others count as unresolved. By default the one seen
            first.
        confidence: If answers may be wrong: how sure the result is to be, at least 0.5 and below 1; sets are then asked
            until they are sure. By default every answer is trusted.
        flake_rate: With a `confidence`: how often a set that has the property is seen without it: a rate in [0, 1),
            counts of past runs, or `"estimate"`, the default.
        false_pass_rate: With a `confidence`: how often a set that has not the property is seen with it, in the forms of
            `flake_rate`; by default it is estimated.
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


class PorterOptions(TypedDict, total=False):
    """Options of a `Porter`.

    Attributes:
        start: The revision at which the test fails.
        good: A revision that is thought to pass, an ancestor of `start`: the walk goes towards it and ends there. It is
            tested as any other. By default the walk follows first parents.
        oldest: The oldest revision to look at, an ancestor of `start`. By default the walk ends where history does.
        revisions: The revisions to walk along, newest first, each older than the one before and all older than `start`:
            releases, for one. By default all on the way.
        walk: How to go from revision to revision: `"gallop"`, the default, or `"strict"`. `"gallop"`: 1, 2, 4, ...
            versions on while the outcome stays, then halving in the gap. `"strict"`: one version after the other (IDD,
            Figure 2).
        algorithm: How to reduce patches; by default `"auto"`. The paper's is `"recursive"`. `"auto"`: group testing
            that learns how many items are needed, and whether they come in clusters. Where most sets cannot be told,
            bisection and neighbours take over. `"ddmin"`: subsets, complements, finer and finer (Zeller and Hildebrandt
            2002, Figure 5; IDD, Section 3.2). `"recursive"`: bisection with at most 2n - 1 questions (IDD, Section
            3.1).
        granularity: How finely patches are taken apart: `"lines"`, the default, `"definitions"`, `"hunks"` or
            `"files"`. `"files"`: to whole files. `"hunks"`: to hunks, and single changes of headers. `"definitions"`:
            to definitions, the outermost blocks of each hunk that hold changes, as the indentation of its lines tells
            them. `"edits"`: to single changes, but a line that was replaced stays with the similar one that took its
            place, up to six lines with those that they stand for, and a line with the condition that decides it.
            `"lines"`: to single changes.
        hierarchical: Whether patches are taken apart level by level, files first (IDD, Section 3.4), and no bracket is
            tried without the one that closes it; those of the answer also by definitions and blocks, of which no half
            is tried. By default they are. If not, at once to lines.
        early_pass: Whether a version that is seen to pass while a patch for it is reduced ends the walk; by default it
            does, unless an older one passes with the patch that is left of that reduction, before another one is
            needed. If not, such a pass is ignored, as in the paper (IDD, Figure 2), and a version where one commit
            holds the cause and a conflict with the patch is missed (Section 4.1).
        figure2: Whether to compute the result of the paper's Figure 2 (IDD) as well: the smallest change from the
            passing version to the failure, including the changes that the test needs. It costs further runs. Default:
            false.
        max_patch: The most changes that a carried patch may have: beyond, the search ends. By default any number.
        always_keep: Files and folders that are laid over every version as they are at `start`, and are no part of any
            patch: the test itself, what it calls. By default none.
        controlled: Whether the oracle also runs a control, a command that must pass in every version that counts as
            failing in the same way, and, going back, in every one that counts as passing with a patch: an observation
            that passes and has `control` in its signals does not. By default not, and a report says so where it
            matters.
        forward: The revision to bring the fix forward to: `start`, an ancestor of it on the walk, or a descendant. By
            default the fix is not brought forward.
        seconds_factor: A test that takes so many times as long as at the start, or was so many times as quick, fails in
            another way: above 1. By default time does not count.
        memory_factor: The same for memory. By default memory does not count.
        boundary: Revisions whose parents exist and are not here, as in a shallow clone: a walk that comes to one ends
            as `"revision_not_readable"`. By default none.
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
    controlled: bool | None
    forward: str | None
    seconds_factor: float | None
    memory_factor: float | None
    boundary: str | Iterable[str] | None


class WalkOptions(TypedDict, total=False):
    """Options of iterative delta debugging.

    Attributes:
        start: The revision at which the test fails.
        good: A revision that is thought to pass, an ancestor of `start`: the walk goes towards it and ends there. It is
            tested as any other. By default the walk follows first parents.
        oldest: The oldest revision to look at, an ancestor of `start`. By default the walk ends where history does.
        revisions: The revisions to walk along, newest first, each older than the one before and all older than `start`:
            releases, for one. By default all on the way.
        walk: How to go from revision to revision: `"gallop"`, the default, or `"strict"`. `"gallop"`: 1, 2, 4, ...
            versions on while the outcome stays, then halving in the gap. `"strict"`: one version after the other (IDD,
            Figure 2).
        algorithm: How to reduce patches; by default `"auto"`. The paper's is `"recursive"`. `"auto"`: group testing
            that learns how many items are needed, and whether they come in clusters. Where most sets cannot be told,
            bisection and neighbours take over. `"ddmin"`: subsets, complements, finer and finer (Zeller and Hildebrandt
            2002, Figure 5; IDD, Section 3.2). `"recursive"`: bisection with at most 2n - 1 questions (IDD, Section
            3.1).
        granularity: How finely patches are taken apart: `"lines"`, the default, `"definitions"`, `"hunks"` or
            `"files"`. `"files"`: to whole files. `"hunks"`: to hunks, and single changes of headers. `"definitions"`:
            to definitions, the outermost blocks of each hunk that hold changes, as the indentation of its lines tells
            them. `"edits"`: to single changes, but a line that was replaced stays with the similar one that took its
            place, up to six lines with those that they stand for, and a line with the condition that decides it.
            `"lines"`: to single changes.
        hierarchical: Whether patches are taken apart level by level, files first (IDD, Section 3.4), and no bracket is
            tried without the one that closes it; those of the answer also by definitions and blocks, of which no half
            is tried. By default they are. If not, at once to lines.
        early_pass: Whether a version that is seen to pass while a patch for it is reduced ends the walk; by default it
            does, unless an older one passes with the patch that is left of that reduction, before another one is
            needed. If not, such a pass is ignored, as in the paper (IDD, Figure 2), and a version where one commit
            holds the cause and a conflict with the patch is missed (Section 4.1).
        figure2: Whether to compute the result of the paper's Figure 2 (IDD) as well: the smallest change from the
            passing version to the failure, including the changes that the test needs. It costs further runs. Default:
            false.
        max_patch: The most changes that a carried patch may have: beyond, the search ends. By default any number.
        always_keep: Files and folders that are laid over every version as they are at `start`, and are no part of any
            patch: the test itself, what it calls. By default none.
        forward: The revision to bring the fix forward to: `start`, an ancestor of it on the walk, or a descendant. By
            default the fix is not brought forward.
        seconds_factor: A test that takes so many times as long as at the start, or was so many times as quick, fails in
            another way: above 1. By default time does not count.
        memory_factor: The same for memory. By default memory does not count.
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
    forward: str | None
    seconds_factor: float | None
    memory_factor: float | None


class SlicerOptions(TypedDict, total=False):
    """Options of a `Slicer`.

    Attributes:
        changes: The names of the changes, oldest first: the full shas of commits, for one. A probe's changes are
            indices of these. By default they are named by their indices.
        history: The history that the changes come from, with full shas. It is only kept, for who makes trees of sets of
            changes; by default they come from elsewhere.
        keep: Which outcome is to be kept: `"pass"`, the default, or `"fail"`.
        signature: With `keep="fail"`: the failure to be kept, others count as unresolved. By default the one that all
            changes show.
        algorithm: How to look for the slice; by default `"auto"`. `"auto"`: group testing; beside it, what facts say
            may go is asked at once. `"definer"`: dynamic delta refinement, by the paper's rules (Figure 9).
            `"coverage"`: the start alone, tested once, with nothing taken from it (CSlicer). `"ddmin"`: subsets,
            complements, finer and finer (Zeller and Hildebrandt 2002). `"recursive"`: bisection with at most 2n - 1
            questions (IDD, Section 3.1).
        scheme: Which changes `"definer"` reverts first; by default `"combined"`. `"random"`: parts that are drawn at
            random, and nothing by scores. `"neg"`: those below 0, which is the paper's default. `"nonpos"`: those at
            most 0. `"low"`: the lowest third. `"combined"`: those below 0, those at most 0 and the lowest third, in
            turn.
        dependencies: By index, the indices of the changes that a change is thought to rest on, all of them; a list
            among them means any one of its members. A set without these is put off, and asked where the answer rests on
            it. By default none.
        start: The indices of changes that may be enough, those that a test covers: tested once, with what they are
            thought to rest on, and dropped if that does not hold. By default there is no start.
        learn: Whether to learn from facts in `signals` which changes matter; by default it does.
        charges: The changes that flow into variables and results, each with its `file`, the qualified `name` of a
            definition, the `variable` (`"return"` for the result) and the indices of the `changes`: facts that name no
            changes count for or against these. By default there are none.
        warnings: What to know beforehand before one believes the answer, in sentences: it is among the report's
            warnings. By default there is nothing.
        guarantee: How far to go; by default `"1-minimal"`. `"fixpoint"`: no single item can go, in a tree with all
            below it, if more items never hide the property. Where they may, and in a text, single ones may still go.
            `"1-minimal"`: every set with one item less was tested, and was not seen to have the property.
        seed: What the choices of `"definer"` are drawn from; by default 0.
    """

    changes: str | Iterable[str] | None
    history: Mapping[str, Any] | None
    keep: Literal["pass", "fail"] | None
    signature: str | None
    algorithm: Literal["auto", "definer", "coverage", "ddmin", "recursive"] | None
    scheme: Literal["random", "neg", "nonpos", "low", "combined"] | None
    dependencies: Needs | None
    start: Iterable[int] | None
    learn: bool | None
    charges: Iterable[Mapping[str, Any]] | None
    warnings: str | Iterable[str] | None
    guarantee: Literal["fixpoint", "1-minimal"] | None
    seed: int | None


class SliceWayOptions(TypedDict, total=False):
    """Options of `slice_history`.

    Attributes:
        keep: Which outcome is to be kept: `"pass"`, the default, or `"fail"`.
        signature: With `keep="fail"`: the failure to be kept, others count as unresolved. By default the one that all
            changes show.
        algorithm: How to look for the slice; by default `"auto"`. `"auto"`: group testing; beside it, what facts say
            may go is asked at once. `"definer"`: dynamic delta refinement, by the paper's rules (Figure 9).
            `"coverage"`: the start alone, tested once, with nothing taken from it (CSlicer). `"ddmin"`: subsets,
            complements, finer and finer (Zeller and Hildebrandt 2002). `"recursive"`: bisection with at most 2n - 1
            questions (IDD, Section 3.1).
        scheme: Which changes `"definer"` reverts first; by default `"combined"`. `"random"`: parts that are drawn at
            random, and nothing by scores. `"neg"`: those below 0, which is the paper's default. `"nonpos"`: those at
            most 0. `"low"`: the lowest third. `"combined"`: those below 0, those at most 0 and the lowest third, in
            turn.
        start: The indices of changes that may be enough, those that a test covers: tested once, with what they are
            thought to rest on, and dropped if that does not hold. By default there is no start.
        learn: Whether to learn from facts in `signals` which changes matter; by default it does.
        guarantee: How far to go; by default `"1-minimal"`. `"fixpoint"`: no single item can go, in a tree with all
            below it, if more items never hide the property. Where they may, and in a text, single ones may still go.
            `"1-minimal"`: every set with one item less was tested, and was not seen to have the property.
        seed: What the choices of `"definer"` are drawn from; by default 0.
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
        timeout: The maximum duration of the command in seconds, without the time to prepare the worktree. By default no
            limit.
        on_timeout: The outcome of a command that exceeds `timeout`. By default `"unresolved"`.
        on_signal: The outcome of a command that dies by a signal or exits with 128 or above. `"stop"`, the default,
            ends the search with an error. With `"retry"`, the machine failed rather than the revision, so the revision
            is run again.
        exit_codes: The outcomes of single exit codes, which take precedence over all other rules. A death by signal n
            has the code 128 + n. `"retry"` also counts at other stages. By default there are none.
        preset: The test runner of the command. If the runner cannot build or runs no test, the revision is unresolved,
            whatever the exit code is. `"none"`: exit codes mean what they mean to `git bisect run`. By default
            `"auto"`: the runner that the command names, such as `["pytest", "-x"]`.
        fail_pattern: A regular expression (syntax of Rust's crate `regex`; `^` and `$` match at every line) that the
            output of a failure must match. If it does not match, the revision is unresolved. By default every failure
            counts.
        pass_pattern: A regular expression that the output of a pass must match, such as "all 12 tests passed". If it
            does not match, the revision is unresolved. By default every pass counts.
        distinguish_failures: Whether the observation of a failure also has a signature, as an unresolved one always
            has: how the command ended, and the part of the output that `fail_pattern` matches (its first group, if
            any). Without `fail_pattern`, it is the last line that looks like an error, with `#` for numbers and without
            folders, addresses, and colors. Searches for regressions count failures with another signature as
            unresolved. By default false.
        setup: A command (a program and its arguments) that runs first, after all patches, and installs things. By
            default none.
        configure: A command that runs after `setup` and configures the build. By default none.
        build: A command that runs after `configure` and builds the program under test. By default none.
        control: A command that runs after a test that failed, and must exit with 0 for the failure to count: it shows
            that nothing else is broken (Section 5.2). Iterative delta debugging also runs it after a pass with a patch.
            By default every failure counts.
        stage_timeout: The maximum duration in seconds of each of `setup`, `configure`, `build`, and `control`, and of
            the creation of the environment. By default no limit.
        environment: The environment of the test: `"venv"` (requirements.txt), `"uv"` (uv.lock), `"npm"`
            (package-lock.json), `"pnpm"` (pnpm-lock.yaml), or an environment with its files and its command. It is
            created before `setup`, once for all revisions with the same files, and kept for later runs. Stages find its
            folder in `FIRSTBAD_ENVIRONMENT` and its programs first in `PATH`. If it cannot be created, the revision is
            unresolved at the stage `setup`. By default the test uses the programs of the machine.
        apply_patches: Patches that are applied to every revision, in this order: a patch, or the text of one. A patch
            that a revision already has is left out there. If a patch does not apply, the revision is unresolved. By
            default there are none.
        copy_files: The files of your checkout that are copied into every worktree whose revision does not have them, as
            they are now: false for none, or paths relative to the top of the checkout, tracked or not. By default
            `"auto"`: the untracked files that the commands name (`["./check.sh"]`), without files that a build may have
            left, such as binaries and files in ignored folders. Journals keep the contents.
        submodules: Whether to fill submodules, from what the repository has of them or else from their URLs. If that
            fails, the revision is unresolved; if the network is the reason, it is run again. By default they are empty.
        lfs: Whether to fetch the files of Git LFS with `git-lfs`, which must be installed, from what the repository has
            of them or else from its remote. By default only the filters of your own configuration apply.
        allow_filters: Whether checkouts run the filters defined in `.git/config` and apply `.git/info/attributes`. By
            default no, so a repository cannot make firstbad run a program.
        keep_build: Whether a worktree keeps the files that the revision ignores (`.gitignore`) from one run to the
            next, so that incremental builds are fast. An unresolved result is confirmed in a fresh worktree, and its
            note says so. By default false: a worktree has only tracked files.
        env: Additional environment variables of all stages. firstbad also sets `FIRSTBAD_REVISION` (the full sha),
            `FIRSTBAD_WORKTREE`, `FIRSTBAD_OUTPUT`, `FIRSTBAD_REPOSITORY`, `FIRSTBAD_JOB` (the smallest number from 0
            that no other current run of this process has, for ports and databases), `FIRSTBAD_NEW_WORKTREE` (1 until
            the first stage has passed in the worktree, then 0), `FIRSTBAD_PATCH` (a file with the patch, if there is
            one), `FIRSTBAD_RUN`, and, for the test alone, `FIRSTBAD_SIGNALS` (a file into which it can write a JSON
            object, the `signals` of its observation). By default there are none.
        output_dir: The folder for the output of each run, `<sha>.log`. It is never removed. By default a new folder in
            the cache folder.
        output_limit: The number of bytes to keep of the output of each stage, at least 4096: if there are more, the
            first half and the last half. `fail_pattern`, `pass_pattern`, and `preset` see these. By default 16 MiB.
        kill_after: The seconds between SIGTERM and SIGKILL; after an interruption at most 0.5. By default 2.
        worktrees: The folder for the worktrees, outside the worktree of the repository. By default the cache folder
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


KINDS = {
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
    "later": "List",
    "output_dir": "Path",
    "parents": "List",
    "prior": "Prior",
    "revisions": "Names",
    "setup": "Command",
    "start": "List",
    "test": "Names",
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
