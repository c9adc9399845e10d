"""Regression points on a commit graph: RPA (Bendik, Benes, Cerna 2018) and what it needs on real histories."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from firstbad._arguments import checked_flag
from firstbad._explain import Explanation
from firstbad._find import find, find_async, searched, searched_async
from firstbad._options import defaults
from firstbad._report import RegressionReport
from firstbad._run_options import KEEP, RUN, THREADS, FindAsyncOptions, FindOptions
from firstbad._search import RevisionSearch
from firstbad._shown import Options, shows

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._graph import GraphLike
    from firstbad._observation import AsyncOracle, Oracle
    from firstbad._options import CostsLike, PriorLike
    from firstbad._tally import RateLike

__all__ = ["RegressionSearch", "find_regressions", "find_regressions_async"]

SearchKind: TypeAlias = Literal["auto", "linear", "binary", "multiplying", "gallop", "halving", "weighted", "bayes"]
Prefer: TypeAlias = Literal["fewest", "latest"]
Find: TypeAlias = Literal["regression", "fix"]


class RegressionOptions(TypedDict, total=False):
    """What a regression search can be told before it starts.

    Attributes:
        bad: The newer ends, which fail: one revision or several, each of which gets its regression point. With
            `find="fix"` the older ends, by default the roots.
        good: The older ends, which pass: one revision or several; by default the roots, each of which is asked before a
            point rests on it. With `find="fix"` the newer ends.
        look_back: Where no older end is given: whether to look back for one instead of assuming that the roots are, or
            the revisions to try first. Then ancestors further and further back are asked, along first parents, until
            one is otherwise than the newer end. In a history that was read from git the last tag before each newer end
            is tried first. By default no.
        search: How to search; by default `"auto"`. `"auto"`: whatever reaches the goal set by `prefer` with the fewest
            queries; every answer is trusted. `"linear"`: on a shortest path, from the leaf backwards, one by one (RPA,
            Section 3.2). `"binary"`: on a shortest path, halving; the midpoint is rounded up, towards the leaf (RPA,
            Section 3.2). `"multiplying"`: on a shortest path, with gaps that double, started again in the last gap
            (RPA, Algorithm 3). `"gallop"`: on a shortest path, with gaps that double, then halving in the last gap.
            `"halving"`: on the whole graph, the revision that `git bisect` would test, skips included. `"weighted"`: on
            the whole graph, halving prior mass; recent revisions are likelier culprits. `"bayes"`: on the whole graph,
            flake-aware culprit finding for every newer end, with one belief over what was seen for all of them (FACF,
            Section 3). Revisions are asked again if that tells most.
        prefer: What `search="auto"` optimises for; by default `"fewest"`. `"fewest"`: the fewest queries. `"latest"`:
            the newest regression point, even if outcomes come and go.
        propagate: Whether a point found also answers for the other ends that come from it (RPA, Algorithm 2). By
            default it does, unless `prefer` is `"latest"`.
        clean: Whether to go on into failing parents until every parent of the answer is seen to pass; by default yes.
        verify_ends: Whether to test the given ends first, each once; by default yes. What is known of them already
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
        flake_rate_floor: With `search="bayes"`: no flake rate below this is believed, in [0, 1); by default 0.
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
    look_back: bool | str | Iterable[str] | None
    search: SearchKind
    prefer: Prefer
    propagate: bool | None
    clean: bool
    verify_ends: bool
    confirm: bool
    find: Find
    signature: str | None
    distinguish_failures: Literal["auto"] | bool
    prior: PriorLike | None
    test: str | Iterable[str] | None
    costs: CostsLike | None
    flake_rate: RateLike | None
    flake_rate_floor: float | None
    false_pass_rate: RateLike | None
    prior_no_culprit: float | Literal["uniform"] | None
    confidence: float | None
    verify: bool | None


REGRESSION = Options(RegressionOptions, defaults=defaults("regression"))


@shows(REGRESSION)
class RegressionSearch(RevisionSearch[RegressionReport]):
    """A search for regression points, to be asked and told by hand or driven by `run`.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        **options: Those of `RegressionOptions`, as keywords.

    Raises:
        UnknownRevisionError: An id that is not in the graph.
        InvalidArgumentError: No newer end, a revision that is both good and bad, an older end after a newer one.

    Example:
        >>> import firstbad as fb
        >>> search = fb.RegressionSearch(fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"]), bad="1.3", good="1.0")
        >>> while not search.done:
        ...     for probe in search.ask():
        ...         search.tell(probe.id, probe.revision < "1.2")
        >>> [(point.good, point.bad) for point in search.report().points]
        [('1.1', '1.2')]
    """

    __slots__ = ()

    _algorithm = "regression"
    _options = REGRESSION

    def __init__(self, graph: GraphLike, **options: Unpack[RegressionOptions]) -> None:
        self._open(graph, options)

    def report(self) -> RegressionReport:
        """The best answer so far, at any moment; the final one when `done`."""
        report: RegressionReport = RegressionReport._written(self._core.report())._of(self._core)
        return report


class FindRegressionsOptions(RegressionOptions, FindOptions, total=False):
    """The options of `find_regressions`."""


class FindRegressionsAsyncOptions(RegressionOptions, FindAsyncOptions, total=False):
    """The options of `find_regressions_async`."""


@shows(REGRESSION, THREADS, KEEP)
def find_regressions(
    graph: GraphLike, oracle: Oracle, *, explain: bool = False, **options: Unpack[FindRegressionsOptions]
) -> RegressionReport:
    """Finds a regression point for every bad revision: makes a `RegressionSearch` and drives it with `run`.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        oracle: Does this revision pass? See `run` for what it may return.
        explain: Whether to go on, for every point with a good side, with the patch from good to bad, to the smallest
            part of it that still fails: `report.causes`. That needs a command oracle. The budget is for all together;
            what ends the second half early has the points as `firstbad_report`.
        **options: Those of `RegressionOptions` and `FindOptions`, as keywords.

    Raises:
        BaseException: What the oracle raised, the very same object. Nothing told is lost: the exception's attribute
            `firstbad_search` is the search, and `run(error.firstbad_search, oracle)` goes on with it;
            with a `journal`, the same call does.
        FirstbadError: As `RegressionSearch` and `run` say.
    """
    if not checked_flag("explain", explain):
        return find(RegressionSearch, graph, oracle, options)
    explanation = Explanation(oracle, options)
    return explanation.of(*searched(RegressionSearch, graph, oracle, options))


@shows(REGRESSION, RUN, KEEP, like=find_regressions)
async def find_regressions_async(
    graph: GraphLike,
    oracle: AsyncOracle | Oracle,
    *,
    explain: bool = False,
    **options: Unpack[FindRegressionsAsyncOptions],
) -> RegressionReport:
    """The same as `find_regressions`, for oracles that are coroutines; driven by `run_async`.

    Raises:
        BaseException: What the oracle raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `RegressionSearch` and `run_async` say.
    """
    if not checked_flag("explain", explain):
        return await find_async(RegressionSearch, graph, oracle, options)
    explanation = Explanation(oracle, options)
    return await explanation.of_async(*await searched_async(RegressionSearch, graph, oracle, options))
