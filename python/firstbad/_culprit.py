"""The culprit of a flaky failure: FACF (Henderson et al. 2023), on lists and on commit graphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from firstbad._culprit_report import CulpritReport
from firstbad._find import find, find_async
from firstbad._generated.options import CulpritOptions
from firstbad._graph import as_graph
from firstbad._options import defaults
from firstbad._run_options import KEEP, RUN, THREADS, FindAsyncOptions, FindOptions
from firstbad._search import RevisionSearch
from firstbad._shown import Options, shows
from firstbad._suspects import expected

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._build_graph import BuildGraph
    from firstbad._changelist import Changelists
    from firstbad._graph import GraphLike
    from firstbad._observation import AsyncOracle, Oracle
    from firstbad._ranking import PriorBy, Ranking
    from firstbad.factors import Factor

__all__ = ["CulpritSearch", "find_culprit", "find_culprit_async"]


CULPRIT = Options(CulpritOptions, defaults=defaults("culprit"))


@shows(CULPRIT)
class CulpritSearch(RevisionSearch[CulpritReport]):
    """A search for the culprit of a flaky failure. Use the ask/tell interface, or `run`.

    Every revision between `good` and `bad`, including `bad`, is a suspect. Probabilities follow Bayes' rule (FACF,
    Section 3). The culprit and its descendants always fail (except for `false_pass_rate`), and other revisions fail at
    the flake rate. The search can test a revision several times, also in parallel. Different outcomes are not a
    contradiction.

    The search reports a culprit only after the culprit failed and each of its parents passed in at least one run.
    Without these runs the conclusion is `inconclusive` (`missing`). The search always ends. It stops testing a revision
    after four times the runs that would settle it on average, and reports the suspects together that it cannot
    separate. For 1,000 suspects the limit is 20 runs with known rates of 0.1 and 0, and about 460 runs with an
    estimated rate.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        **options: See `CulpritOptions`.

    Raises:
        UnknownRevisionError: If an id is not in the graph.
        InvalidArgumentError: If a rate, probability, weight or cost is out of range, there are several bad revisions, a
            good revision is not a proper ancestor of the bad one, or the prior is 0 for every suspect.

    Example:
        >>> import firstbad as fb
        >>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
        >>> search = fb.CulpritSearch(graph, bad="1.3", good="1.0", flake_rate=0.05)
        >>> while not search.done:
        ...     for probe in search.ask():
        ...         search.tell(probe.id, probe.revision < "1.2")
        >>> search.report().culprit
        '1.2'
    """

    __slots__ = ()

    _algorithm = "culprit"
    _options = CULPRIT

    def __init__(self, graph: GraphLike, **options: Unpack[CulpritOptions]) -> None:
        self._open(graph, options)

    def report(self) -> CulpritReport:
        """The result so far, which is final when the search is `done`."""
        report, posterior = self._core.report_with_posterior()
        assert posterior is not None, "a culprit search keeps one"
        return CulpritReport._with(report, posterior)._of(self._core)


class FindCulpritOptions(CulpritOptions, FindOptions, total=False):
    """The options of `find_culprit`."""


class FindCulpritAsyncOptions(CulpritOptions, FindAsyncOptions, total=False):
    """The options of `find_culprit_async`."""


@shows(CULPRIT, THREADS, KEEP)
def find_culprit(
    graph: GraphLike,
    oracle: Oracle,
    *,
    build_graph: BuildGraph | None = None,
    changes: Changelists | None = None,
    factors: Iterable[Factor] | None = None,
    prior_by: PriorBy = "suspiciousness",
    exclude_unaffected: bool = True,
    before: BuildGraph | None = None,
    graphs: Mapping[str, BuildGraph] | None = None,
    **options: Unpack[FindCulpritOptions],
) -> CulpritReport:
    """Finds the culprit of a flaky failure, or concludes that it is a flake: runs a `CulpritSearch`.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        oracle: A function that tests one revision. `run` lists the values that it can return. For several runs of the
            test, return their counts: `Observation(passes=9, fails=1)`.
        build_graph: The build graph at `bad`, which determines the prior (FACF, Section 3.3). The report contains the
            ranking. If the changes come from Git, or with `prior="changes"`, the prior is multiplied by that of
            `rank_commits`. With `prior="uniform"`, only the build graph counts. `test` must be a target, the id of a
            test whose file is in a target, or several of them (see `rank_suspects`). If nothing between `good` and
            `bad` affects the test, you get a RuntimeWarning and a uniform prior.
        changes: The changes of the revisions, oldest first, as for `rank_suspects`. A revision without a change does
            not affect the test. None: read from the repository of the graph.
        factors: Functions that return a factor for a `Changelist`: above 1 for more suspicious, below 1 for less. See
            `factors`.
        prior_by: The source of the weights: the sum `"suspiciousness"` (Culprit Finder) or the minimum `"distance"`
            (FACF, Section 3.3).
        exclude_unaffected: Whether revisions that cannot affect the test have the weight 0 (FACF, Section 1). Only a
            complete build graph excludes revisions (`BuildGraph.complete`). With other graphs, such as imports, or if
            False, these revisions share 2% of the weight.
        before: The build graph at the good revision, used for deleted files and lost dependencies. None: read from the
            repository if `build_graph` came from a revision, or from the top of the worktree.
        graphs: Build graphs at other revisions, by id or name. A change is also looked up in the graphs of its revision
            and its parents.
        **options: See `CulpritOptions` and `FindOptions`.

    Raises:
        BaseException: The exception that the oracle raised, unchanged. To continue, call `run(error.firstbad_search,
            oracle)`. With a `journal`, repeat the same call.
        FirstbadError: See `CulpritSearch` and `run`.

    Example:
        >>> import firstbad as fb
        >>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
        >>> found = fb.find_culprit(graph, lambda version: version < "1.2", bad="1.3", good="1.0", flake_rate=0.05)
        >>> found.conclusion, found.culprit, found.probability > 0.99
        ('culprit', '1.2', True)
        >>> round(sum(found.posterior.values()) + found.posterior.no_culprit, 12)
        1.0
    """
    graph = as_graph(graph)
    searching, ranking = expected(
        graph, options, build_graph, changes, factors, prior_by, exclude_unaffected, before, graphs
    )
    found = find(CulpritSearch, graph, oracle, searching)
    return _ranked(found, ranking)


@shows(CULPRIT, RUN, KEEP, like=find_culprit)
async def find_culprit_async(
    graph: GraphLike,
    oracle: AsyncOracle | Oracle,
    *,
    build_graph: BuildGraph | None = None,
    changes: Changelists | None = None,
    factors: Iterable[Factor] | None = None,
    prior_by: PriorBy = "suspiciousness",
    exclude_unaffected: bool = True,
    before: BuildGraph | None = None,
    graphs: Mapping[str, BuildGraph] | None = None,
    **options: Unpack[FindCulpritAsyncOptions],
) -> CulpritReport:
    """Async version of `find_culprit`, driven by `run_async`.

    Raises:
        BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `CulpritSearch` and `run_async`.
    """
    graph = as_graph(graph)
    searching, ranking = expected(
        graph, options, build_graph, changes, factors, prior_by, exclude_unaffected, before, graphs
    )
    found = await find_async(CulpritSearch, graph, oracle, searching)
    return _ranked(found, ranking)


def _ranked(report: CulpritReport, ranking: Ranking | None) -> CulpritReport:
    """Returns the report with the ranking of its search."""
    return replace(report, ranking=ranking)._of(report._search)
