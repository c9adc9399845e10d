"""Regression points on a commit graph: RPA (Bendik, Benes, Cerna 2018) and what it needs on real histories."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

from firstbad._arguments import names
from firstbad._explain import Explanation
from firstbad._find import RunOptions, ThreadOptions, find, find_async, takes_options_of
from firstbad._options import rate
from firstbad._report import RegressionReport
from firstbad._run import run
from firstbad._run_async import run_async
from firstbad._search import RevisionSearch

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._graph import GraphLike
    from firstbad._observation import AsyncOracle, Oracle
    from firstbad._tally import RateLike

__all__ = ["RegressionSearch", "find_regressions", "find_regressions_async"]

SearchKind: TypeAlias = Literal["auto", "linear", "binary", "multiplying", "gallop", "halving", "weighted", "bayes"]
Prefer: TypeAlias = Literal["fewest", "latest"]
Find: TypeAlias = Literal["regression", "fix"]


class RegressionSearch(RevisionSearch[RegressionReport]):
    """A search for regression points, to be asked and told by hand or driven by `run`.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        bad: The newer ends, which fail: one id or several. With `find="fix"` the older ends, by default the roots.
        good: The older ends, which pass; by default the roots, each of which is asked before a point rests on it.
            With `find="fix"` the newer ends.
        search: How to search. On a shortest path: `"linear"`, `"binary"`, `"multiplying"` (RPA, Section 3.2 and
            Algorithm 3), `"gallop"`. On the DAG: `"halving"` (as `git bisect` does), `"weighted"` (recent revisions
            are likelier). With a flaky test, on the DAG: `"bayes"` (FACF for every newer end, with one belief over
            what was seen for all of them; revisions are asked again where that tells most). `"auto"` takes what
            reaches `prefer` with the fewest queries, and trusts every answer.
        prefer: What `"auto"` optimises for: the `"fewest"` queries, or the `"latest"` point, even where outcomes come
            and go.
        propagate: Whether a point found also answers for other ends that come from it (RPA, Algorithm 2). None: yes,
            unless `prefer` is `"latest"`.
        clean: Whether to go on into failing parents until every parent of the answer is seen to pass.
        verify_ends: Whether to test the given ends first.
        find: `"regression"` for what broke it, `"fix"` for what repaired it.
        signature: The failure searched for; others count as unresolved. None: the one seen first at a newer end.
        flake_rate: With `search="bayes"`: how often the test fails at a healthy revision, as in `CulpritSearch`. None:
            it is estimated.
        flake_rate_floor: With `search="bayes"`: no flake rate below this is believed, in [0, 1). None: 0.
        false_pass_rate: With `search="bayes"`: how often the test passes at a broken revision. None: never.
        prior_no_culprit: With `search="bayes"`: how likely a newer end's failure was a flake, in [0, 1), or
            `"uniform"`. None: 0.4.
        confidence: With `search="bayes"`: the probability at which an answer is taken for true, above 0.5 and below 1.
            None: 0.99.
        seed: Kept with the configuration; nothing here is random.

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

    def __init__(
        self,
        graph: GraphLike,
        bad: str | Iterable[str] | None = None,
        good: str | Iterable[str] | None = None,
        *,
        search: SearchKind = "auto",
        prefer: Prefer = "fewest",
        propagate: bool | None = None,
        clean: bool = True,
        verify_ends: bool = False,
        find: Find = "regression",
        signature: str | None = None,
        flake_rate: RateLike | None = None,
        flake_rate_floor: float | None = None,
        false_pass_rate: RateLike | None = None,
        prior_no_culprit: float | Literal["uniform"] | None = None,
        confidence: float | None = None,
        seed: int = 0,
    ) -> None:
        self._open(
            graph,
            bad=names("bad", bad),
            good=names("good", good),
            search=search,
            prefer=prefer,
            propagate=propagate,
            clean=clean,
            verify_ends=verify_ends,
            find=find,
            signature=signature,
            flake_rate=rate(flake_rate),
            flake_rate_floor=flake_rate_floor,
            false_pass_rate=rate(false_pass_rate),
            prior_no_culprit=prior_no_culprit,
            confidence=confidence,
            seed=seed,
        )

    def report(self) -> RegressionReport:
        """The best answer so far, at any moment; the final one when `done`."""
        return RegressionReport.from_json(self._core.report())


class AsyncRegressionOptions(RunOptions, total=False):
    """The options of `find_regressions_async`: those of `RegressionSearch` and of `run_async`."""

    bad: str | Iterable[str] | None
    good: str | Iterable[str] | None
    search: SearchKind
    prefer: Prefer
    propagate: bool | None
    clean: bool
    verify_ends: bool
    find: Find
    signature: str | None
    flake_rate: RateLike | None
    flake_rate_floor: float | None
    false_pass_rate: RateLike | None
    prior_no_culprit: float | Literal["uniform"] | None
    confidence: float | None
    seed: int


class RegressionOptions(AsyncRegressionOptions, ThreadOptions, total=False):
    """The options of `find_regressions`: those of `RegressionSearch` and of `run`."""


@takes_options_of(RegressionSearch, run)
def find_regressions(
    graph: GraphLike, oracle: Oracle, *, explain: bool = False, **options: Unpack[RegressionOptions]
) -> RegressionReport:
    """Finds a regression point for every bad revision: makes a `RegressionSearch` and `run`s it.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        oracle: Does this revision pass? See `run` for what it may return.
        explain: Whether to go on, for every point with a good side, with the patch from good to bad, to the smallest
            part of it that still fails: `report.causes`. That needs a command oracle. The budget is for all together;
            what ends the second half early has the points as `firstbad_report`.
        **options: Those of `RegressionSearch` (`bad`, `good`, `search`, ..., `seed`) and those of `run` (`jobs`,
            `executor`, `budget`, `progress`, `retries`), as keywords. Besides, as `Session.open` has them: `journal`, a
            file that keeps the run, so that the same call goes on after a crash, `known`, outcomes that exist already,
            and `store`, outcomes that runs share.

    Raises:
        BaseException: What the oracle raised, the very same object. Nothing told is lost: the exception's attribute
            `firstbad_search` is the search, and `run(error.firstbad_search, oracle)` goes on with it;
            with a `journal`, the same call does.
        FirstbadError: As `RegressionSearch` and `run` say.
    """
    if not explain:
        return find(RegressionSearch, graph, oracle, options)
    explanation = Explanation(RegressionSearch, oracle, options)
    return explanation.of(find(explanation.search, graph, oracle, options))


@takes_options_of(RegressionSearch, run_async)
async def find_regressions_async(
    graph: GraphLike, oracle: AsyncOracle | Oracle, *, explain: bool = False, **options: Unpack[AsyncRegressionOptions]
) -> RegressionReport:
    """The same as `find_regressions`, for oracles that are coroutines; driven by `run_async`.

    Raises:
        BaseException: What the oracle raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `RegressionSearch` and `run_async` say.
    """
    if not explain:
        return await find_async(RegressionSearch, graph, oracle, options)
    explanation = Explanation(RegressionSearch, oracle, options)
    return await explanation.of_async(await find_async(explanation.search, graph, oracle, options))
