"""Regression points on a commit graph: RPA (Bendik, Benes, Cerna 2018), extended for real histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firstbad._arguments import checked_flag
from firstbad._explain import Explanation
from firstbad._find import find, find_async, searched, searched_async
from firstbad._generated.options import RegressionOptions
from firstbad._options import defaults
from firstbad._report import RegressionReport
from firstbad._run_options import KEEP, RUN, THREADS, FindAsyncOptions, FindOptions
from firstbad._search import RevisionSearch
from firstbad._shown import Options, shows

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._graph import GraphLike
    from firstbad._observation import AsyncOracle, Oracle

__all__ = ["RegressionSearch", "find_regressions", "find_regressions_async"]


REGRESSION = Options(RegressionOptions, defaults=defaults("regression"))


@shows(REGRESSION)
class RegressionSearch(RevisionSearch[RegressionReport]):
    """A search for regression points. Use the ask/tell interface, or `run`.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        **options: See `RegressionOptions`.

    Raises:
        UnknownRevisionError: If an id is not in the graph.
        InvalidArgumentError: If there is no bad revision, a revision is both good and bad, or a good revision is a
            descendant of a bad one.

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
        """The result so far, which is final when the search is `done`."""
        return RegressionReport._written(self._core.report())._of(self._core)


class FindRegressionsOptions(RegressionOptions, FindOptions, total=False):
    """The options of `find_regressions`."""


class FindRegressionsAsyncOptions(RegressionOptions, FindAsyncOptions, total=False):
    """The options of `find_regressions_async`."""


@shows(REGRESSION, THREADS, KEEP)
def find_regressions(
    graph: GraphLike, oracle: Oracle, *, explain: bool = False, **options: Unpack[FindRegressionsOptions]
) -> RegressionReport:
    """Finds a regression point for every bad revision: runs a `RegressionSearch`.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        oracle: A function that tests one revision. `run` lists the values that it can return.
        explain: Whether to also reduce the patch of every regression point to the smallest part that still fails, for
            `report.causes`. It requires a command oracle and shares the budget. An exception during the reduction has
            the points as `firstbad_report`.
        **options: See `RegressionOptions` and `FindOptions`.

    Raises:
        BaseException: The exception that the oracle raised, unchanged. To continue, call `run(error.firstbad_search,
            oracle)`. With a `journal`, repeat the same call.
        FirstbadError: See `RegressionSearch` and `run`.
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
    """Async version of `find_regressions`, driven by `run_async`.

    Raises:
        BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `RegressionSearch` and `run_async`.
    """
    if not checked_flag("explain", explain):
        return await find_async(RegressionSearch, graph, oracle, options)
    explanation = Explanation(oracle, options)
    return await explanation.of_async(*await searched_async(RegressionSearch, graph, oracle, options))
