"""Regression points on a commit graph: RPA (Bendik, Benes, Cerna 2018) and what it needs on real histories."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from firstbad import _native
from firstbad._arguments import names
from firstbad._errors import InvalidArgumentError
from firstbad._graph import GraphLike, as_graph
from firstbad._report import RegressionReport
from firstbad._run import run
from firstbad._run_async import run_async
from firstbad._search import Search

if TYPE_CHECKING:
    from firstbad._budget import Budget
    from firstbad._observation import AsyncOracle, Oracle
    from firstbad._progress import ProgressLike

__all__ = ["RegressionSearch", "find_regressions", "find_regressions_async"]

SearchKind: TypeAlias = Literal["auto", "linear", "binary", "multiplying", "gallop", "halving", "weighted"]
Prefer: TypeAlias = Literal["fewest", "latest"]
Find: TypeAlias = Literal["regression", "fix"]

Self = TypeVar("Self", bound="RegressionSearch")


class RegressionSearch(Search[RegressionReport]):
    """A search for regression points, to be asked and told by hand or driven by `run`.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        bad: The newer ends, which fail: one id or several. With `find="fix"` the older ends, by default the roots.
        good: The older ends, which pass; by default the roots, each of which is asked before a point rests on it.
            With `find="fix"` the newer ends.
        search: How to search. On a shortest path: `"linear"`, `"binary"`, `"multiplying"` (RPA, Section 3.2 and
            Algorithm 3), `"gallop"`. On the DAG: `"halving"` (as `git bisect` does), `"weighted"` (recent revisions
            are likelier). `"auto"` takes what reaches `prefer` with the fewest queries.
        prefer: What `"auto"` optimises for: the `"fewest"` queries, or the `"latest"` point, even where outcomes come
            and go.
        propagate: Whether a point found also answers for other ends that come from it (RPA, Algorithm 2). None: yes,
            unless `prefer` is `"latest"`.
        clean: Whether to go on into failing parents until every parent of the answer is seen to pass.
        verify_ends: Whether to test the given ends first.
        find: `"regression"` for what broke it, `"fix"` for what repaired it.
        signature: The failure searched for; others count as unresolved. None: the one seen first at a newer end.
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
        seed: int = 0,
    ) -> None:
        configuration = {
            "bad": names("bad", bad),
            "good": names("good", good),
            "search": search,
            "prefer": prefer,
            "propagate": propagate,
            "clean": clean,
            "verify_ends": verify_ends,
            "find": find,
            "signature": signature,
            "seed": seed,
        }
        self._core = _native.regression_search(as_graph(graph)._core, json.dumps(configuration, default=repr))

    @classmethod
    def restore(cls: type[Self], graph: GraphLike, snapshot: str) -> Self:
        """The search that a snapshot was taken of, probes in flight included.

        Raises:
            SnapshotError: The text is no snapshot of a regression search, or was taken on another history.
        """
        search = cls.__new__(cls)
        search._core = _native.restore_regression(as_graph(graph)._core, snapshot)
        return search

    def report(self) -> RegressionReport:
        """The best answer so far, at any moment; the final one when `done`."""
        return RegressionReport.from_json(self._core.report())


def find_regressions(
    graph: GraphLike,
    oracle: Oracle,
    *,
    bad: str | Iterable[str] | None = None,
    good: str | Iterable[str] | None = None,
    search: SearchKind = "auto",
    prefer: Prefer = "fewest",
    propagate: bool | None = None,
    clean: bool = True,
    verify_ends: bool = False,
    find: Find = "regression",
    signature: str | None = None,
    seed: int = 0,
    jobs: int = 1,
    executor: Executor | None = None,
    journal: None = None,
    budget: Budget | int | None = None,
    progress: ProgressLike = None,
    retries: int = 3,
) -> RegressionReport:
    """Finds a regression point for every bad revision: makes a `RegressionSearch` and `run`s it.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        oracle: Does this revision pass? See `run` for what it may return.
        bad: The newer ends, which fail; this and what follows up to `seed` as in `RegressionSearch`.
        good: The older ends, which pass; by default the roots.
        search: How to search.
        prefer: What `search="auto"` optimises for.
        propagate: Whether a point found also answers for other ends that come from it.
        clean: Whether to go on into failing parents.
        verify_ends: Whether to test the given ends first.
        find: `"regression"` or `"fix"`.
        signature: The failure searched for.
        seed: Kept with the configuration.
        jobs: How many probes to have out at the same time; this and what follows as in `run`.
        executor: Where to run them instead of threads of our own.
        journal: Not available in this version; use `RegressionSearch.snapshot`.
        budget: A `Budget`, or a number of runs.
        progress: True for a bar, or a function that gets every `Progress`.
        retries: How often a revision may be asked again after `Retry`.

    Raises:
        BaseException: What the oracle raised, the very same object. Nothing told is lost: the exception's attribute
            `firstbad_search` is the search, and `run(error.firstbad_search, oracle)` goes on with it.
        FirstbadError: As `RegressionSearch` and `run` say.
    """
    _no_journal(journal)
    made = RegressionSearch(
        graph,
        bad,
        good,
        search=search,
        prefer=prefer,
        propagate=propagate,
        clean=clean,
        verify_ends=verify_ends,
        find=find,
        signature=signature,
        seed=seed,
    )
    with _kept(made):
        return run(made, oracle, jobs=jobs, executor=executor, budget=budget, progress=progress, retries=retries)


async def find_regressions_async(
    graph: GraphLike,
    oracle: AsyncOracle | Oracle,
    *,
    bad: str | Iterable[str] | None = None,
    good: str | Iterable[str] | None = None,
    search: SearchKind = "auto",
    prefer: Prefer = "fewest",
    propagate: bool | None = None,
    clean: bool = True,
    verify_ends: bool = False,
    find: Find = "regression",
    signature: str | None = None,
    seed: int = 0,
    jobs: int = 1,
    journal: None = None,
    budget: Budget | int | None = None,
    progress: ProgressLike = None,
    retries: int = 3,
) -> RegressionReport:
    """The same as `find_regressions`, for oracles that are coroutines; driven by `run_async`.

    Raises:
        BaseException: What the oracle raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `RegressionSearch` and `run_async` say.
    """
    _no_journal(journal)
    made = RegressionSearch(
        graph,
        bad,
        good,
        search=search,
        prefer=prefer,
        propagate=propagate,
        clean=clean,
        verify_ends=verify_ends,
        find=find,
        signature=signature,
        seed=seed,
    )
    with _kept(made):
        return await run_async(made, oracle, jobs=jobs, budget=budget, progress=progress, retries=retries)


def _no_journal(journal: Any) -> None:
    if journal is not None:
        raise InvalidArgumentError(
            f"journal: {journal!r} is not valid; journals are not available in this version; use snapshot()"
        )


@contextmanager
def _kept(search: RegressionSearch) -> Iterator[None]:
    """Hands the search to whoever catches what ends it early."""
    try:
        yield
    except BaseException as error:
        try:
            error.firstbad_search = search  # type: ignore[attr-defined]
        except AttributeError:
            raise error from None
        if sys.version_info >= (3, 11) and search.queries:
            error.add_note(
                f"firstbad: {search.queries} answers are kept; fb.run(error.firstbad_search, oracle) goes on from there"
            )
        raise
