"""Regression points on a commit graph: RPA (Bendik, Benes, Cerna 2018) and what it needs on real histories."""

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
        return RegressionReport._written(self._core.report())._of(self._core)


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
