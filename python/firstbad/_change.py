"""The commit that changed a number: a search for many measurements of few revisions."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from firstbad._change_report import ChangeReport
from firstbad._command_oracle import MeasureOracle
from firstbad._find import find, find_async
from firstbad._generated.options import ChangeOptions
from firstbad._graph import as_graph
from firstbad._observation import Observation
from firstbad._options import defaults
from firstbad._paired import Pair, Paired
from firstbad._run_options import RUN, THREADS, UNSHARED, UnsharedAsyncOptions, UnsharedOptions
from firstbad._search import RevisionSearch
from firstbad._shown import Options, check, shows

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad import _native
    from firstbad._graph import GraphLike
    from firstbad._observation import AsyncMeasure, Measure, Measured

__all__ = ["ChangeSearch", "find_change", "find_change_async"]

CHANGE = Options(ChangeOptions, defaults=defaults("change"))


@shows(CHANGE)
class ChangeSearch(RevisionSearch[ChangeReport]):
    """A search for the commit that changed a number. Use the ask/tell interface, or `run`.

    Tell the number of each probe, or an `Observation` with a `metric`. Tell None if a revision cannot be measured. If
    the search has several `metrics`, tell numbers by name. With `paired=True`, tell an `Observation` with a `metric`
    and a `control`, which `run` does for you. A search can ask for a revision several times, and every number counts.

    The search names a commit only after it measured the commit and each of its parents, and their numbers differ. If
    the endpoints do not differ by `at_least`, the search names no commit. The search always ends.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        **options: See `ChangeOptions`.

    Raises:
        UnknownRevisionError: If an id is not in the graph.
        InvalidArgumentError: If a weight, cost or the confidence is out of range, there are several bad revisions, a
            good revision is not an ancestor of the bad one, or there is no revision between them.

    Example:
        >>> import firstbad as fb
        >>> sizes = {"1.0": 500, "1.1": 501, "1.2": 640, "1.3": 639}
        >>> search = fb.ChangeSearch(fb.CommitGraph.linear(sizes), bad="1.3", good="1.0", at_least="10%")
        >>> while not search.done:
        ...     for probe in search.ask():
        ...         search.tell(probe.id, sizes[probe.revision])
        >>> [(step.commit, step.before, step.after) for step in search.report().steps]
        [('1.2', 501.0, 640.0)]
    """

    __slots__ = ()

    _algorithm = "change"
    _options = CHANGE
    _measures = True

    def __init__(self, graph: GraphLike, **options: Unpack[ChangeOptions]) -> None:
        self._open(graph, options)

    def _observation(self, answer: Any) -> Observation:
        if isinstance(answer, Pair):
            seen, control = map(self._observation, answer)
            if control.metric is None:
                return Observation(None, note="not compared: the run measured no number at the good revision")
            return replace(seen, control=control.metric)
        return answer if isinstance(answer, Observation) else Observation.from_json(self._core.observed(answer))

    def _prepared(self, oracle: Callable[..., Any]) -> Callable[..., Any]:
        if not json.loads(self._core.configuration())["paired"]:
            return oracle
        good = self.report().good[0]
        return partial(oracle.run_paired, control=good) if isinstance(oracle, MeasureOracle) else Paired(oracle, good)

    def tell(self, id: int | _native.Probe, outcome: Measured) -> None:  # type: ignore[override]
        """Tells the number of a probe, given as the probe or its id. See `Search.tell`.

        If you tell the number of a probe again, the first one counts.

        Raises:
            UnknownProbeError: If the search has not asked for this probe.
            InvalidArgumentError: If `outcome` is not a finite number, or not numbers by name in a search with several
                metrics.
        """
        super().tell(id, outcome)  # type: ignore[arg-type]

    def observe(self, revision: str, outcome: Measured) -> None:  # type: ignore[override]
        """Tells a number that the search did not ask for. It costs no run. See `HistorySearch.observe`.

        Raises:
            UnknownRevisionError: If the revision does not exist.
            InvalidArgumentError: If `outcome` is not a finite number, or not numbers by name in a search with several
                metrics.
        """
        super().observe(revision, outcome)  # type: ignore[arg-type]

    def report(self) -> ChangeReport:
        """The result so far, which is final when the search is `done`."""
        return ChangeReport._written(self._core.report())._of(self._core)


class ChangeRunOptions(ChangeOptions, UnsharedOptions, total=False):
    """The options of `find_change`."""


class ChangeAsyncOptions(ChangeOptions, UnsharedAsyncOptions, total=False):
    """The options of `find_change_async`."""


@shows(CHANGE, THREADS, UNSHARED)
def find_change(graph: GraphLike, measure: Measure, **options: Unpack[ChangeRunOptions]) -> ChangeReport:
    """Finds the commit that made a program slower, larger, or less accurate: runs a `ChangeSearch`.

    firstbad repeats measurements until it is certain enough, and measures the endpoints between others to notice a
    machine that becomes slower. The result can also be that nothing changed, that many commits share the change, or
    that the noise is too large.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        measure: A function of a revision that returns its number, or None if the revision cannot be measured. It can
            also return an `Observation`, or numbers by name if the search has `metrics`. It can raise `Retry` if the
            machine failed rather than the code. With `paired=True`, each run calls it for the revision and then for the
            first good revision. Runs at the same time disturb measurements of time, so keep `jobs=1` for them.
        **options: See `ChangeOptions` and `FindOptions`.

    Raises:
        BaseException: The exception that `measure` raised, unchanged. To continue, call `run(error.firstbad_search,
            measure)`. With a `journal`, repeat the same call.
        FirstbadError: See `ChangeSearch` and `run`.

    Example:
        >>> import firstbad as fb
        >>> sizes = {"1.0": 500, "1.1": 501, "1.2": 640, "1.3": 639}
        >>> graph = fb.CommitGraph.linear(sizes)
        >>> report = fb.find_change(graph, lambda version: sizes[version], bad="1.3", good="1.0", at_least="10%")
        >>> report.conclusion, report.steps[0].commit
        ('step', '1.2')
    """
    check(options, CHANGE, THREADS, UNSHARED)
    return find(ChangeSearch, as_graph(graph), measure, options)


@shows(CHANGE, RUN, UNSHARED, like=find_change)
async def find_change_async(
    graph: GraphLike, measure: AsyncMeasure | Measure, **options: Unpack[ChangeAsyncOptions]
) -> ChangeReport:
    """Async version of `find_change`, driven by `run_async`.

    Raises:
        BaseException: The exception that `measure` raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `ChangeSearch` and `run_async`.
    """
    check(options, CHANGE, RUN, UNSHARED)
    return await find_async(ChangeSearch, as_graph(graph), measure, options)
