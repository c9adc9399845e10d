"""The culprit behind a flaky failure: FACF (Henderson et al. 2023), on lists and on commit graphs."""

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
    """A search for the culprit behind a flaky failure. Use the ask/tell interface, or `run`.

    Every revision between `good` and `bad`, `bad` included, is a suspect. The belief is Bayes' rule (FACF, Section 3):
    the culprit and what comes from it fail always (but for `false_pass_rate`), everything else at the flake rate. One
    revision may be asked several times, also side by side, and answers that differ are no contradiction.

    Nobody is named before a failure of the culprit and a pass of each of its parents was seen; the search asks for
    those runs itself, and without them the conclusion is `inconclusive` (`missing`). It ends whatever the oracle says:
    a revision is not run again once its runs are four times what would settle it by themselves, on average, and
    suspects that only such revisions or unresolved ones tell apart are the answer together. With known rates of 0.1 and
    0 and 1,000 suspects these are 20 runs, with an estimate about 460.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        **options: See `CulpritOptions`.

    Raises:
        UnknownRevisionError: If an id is not in the graph.
        InvalidArgumentError: A rate, probability, weight or cost out of range; several bad revisions; a good one that
            is no ancestor of the bad one, or is it; a prior that is 0 for every suspect.

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
        found: CulpritReport = CulpritReport._written(report, posterior)._of(self._core)
        return found


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
    """Finds who broke a flaky test, or that nobody did: makes a `CulpritSearch` and drives it with `run`.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        oracle: Does this revision pass, this time? See `run` for what it may return. It may run the test several times
            and return the counts: `Observation(passes=9, fails=1)`.
        build_graph: What `test` depends on, at `bad`: the prior is then made of it (FACF, Section 3.3), the ranking is
            in the report. Where the changes come from git, or with `prior="changes"`, what they touch speaks as well:
            both probabilities are multiplied. `prior="uniform"`: the build graph alone. `test` is then its target, or a
            test's id whose file is in one; several, where several tests began to fail at once (see `rank_suspects`).
            Where nothing between `good` and `bad` affects the test, a RuntimeWarning says so, and all revisions are
            taken for equally likely: a flake will be found out, and what the build graph lacks, too.
        changes: What each revision changed, oldest first, as `rank_suspects` takes it; a revision without a change does
            not affect the test. None: from the repository that the graph was read from.
        factors: Functions of a `Changelist` that say how much more (above 1) or less suspicious it is; see `factors`.
        prior_by: What weights come from: the summed `"suspiciousness"` (Culprit Finder) or the minimum `"distance"`
            (FACF, Section 3.3).
        exclude_unaffected: Whether revisions that cannot affect the test weigh nothing: they share the outcome of those
            before them (FACF, Section 1). Only a build graph that knows all inputs says so (`BuildGraph.complete`); of
            others, like those of imports, the revisions that they do not call affecting share 2 % of the weight. False:
            it is so with every graph.
        before: The build graph at the good revision, where deleted files and lost dependencies are looked up. None:
            made from the repository, where `build_graph` was: a revision of it, or the top folder of its work tree.
        graphs: Build graphs at revisions between, by any name of theirs: a change is looked up in that of its own
            revision and in those of its parents, too.
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
    """The same as `find_culprit`, for oracles that are coroutines; driven by `run_async`.

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
    """The report with the ranking that its search began with."""
    ranked: CulpritReport = replace(report, ranking=ranking)._of(report._search)
    return ranked
