"""The culprits of a red suite: one search for many failing tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firstbad import _native
from firstbad._calls import SuiteCall
from firstbad._find import find, find_async
from firstbad._generated.options import TriageOptions
from firstbad._graph import as_graph
from firstbad._options import defaults
from firstbad._run_options import RUN, THREADS, UNSHARED, UnsharedAsyncOptions, UnsharedOptions
from firstbad._search import HistorySearch
from firstbad._shown import Options, check, shows
from firstbad._triage_report import TriageReport

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._graph import GraphLike
    from firstbad._observation import AsyncSuiteCallback, SuiteCallback

__all__ = ["TriageSearch", "triage", "triage_async"]

TRIAGE = Options(TriageOptions, defaults=defaults("triage"))


@shows(TRIAGE)
class TriageSearch(HistorySearch[TriageReport, SuiteCall]):
    """A search for the commits that broke the tests of a red suite. Use the ask/tell interface, or `run`.

    A probe has a `revision` and `tests`, the ids of the tests to run there, so that one build serves many tests. The
    tests are None for the whole suite, and empty for a build alone. Tell the outcomes by id. The outcomes of other
    failing tests count as well, unknown tests are ignored, and a missing test is unresolved. A single outcome is that
    of every test of the probe. If the revision cannot be built, tell `Observation("unresolved", stage="build")`.

    A commit is named only after a test failed there and passed at each parent. A test that does not exist at the good
    revision need not exist at the parents. The search always ends.

    If neither `tests` nor `tonight` is given, the search first asks for the whole suite at `bad` and, without `last`,
    at the first good revision.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        **options: See `TriageOptions`.

    Raises:
        UnknownRevisionError: If an id is not in the graph.
        InvalidArgumentError: If a weight, cost, duration or the confidence is out of range, there are several bad
            revisions, a good revision is neither the bad one nor an ancestor of it, or a test is listed twice.

    Example:
        >>> import firstbad as fb
        >>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
        >>> search = fb.TriageSearch(graph, bad="1.3", good="1.0", tests=["test_a", "test_b"])
        >>> while not search.done:
        ...     for probe in search.ask():
        ...         passes = {"test_a": probe.revision < "1.1", "test_b": probe.revision < "1.3"}
        ...         search.tell(probe.id, {test: passes[test] for test in probe.tests})
        >>> [(culprit.commit, culprit.tests) for culprit in search.report().culprits]
        [('1.1', ('test_a',)), ('1.3', ('test_b',))]
    """

    __slots__ = ()

    _algorithm = "triage"
    _options = TRIAGE

    def __init__(self, graph: GraphLike, **options: Unpack[TriageOptions]) -> None:
        self._open(graph, options)

    def _given(self, probe: _native.Probe) -> SuiteCall:
        return SuiteCall(probe.revision, probe.tests)

    def report(self) -> TriageReport:
        """The result so far, which is final when the search is `done`."""
        return TriageReport._written(self._core.report())._of(self._core)


class TriageRunOptions(TriageOptions, UnsharedOptions, total=False):
    """The options of `triage`."""


class TriageAsyncOptions(TriageOptions, UnsharedAsyncOptions, total=False):
    """The options of `triage_async`."""


@shows(TRIAGE, THREADS, UNSHARED)
def triage(graph: GraphLike, oracle: SuiteCallback, **options: Unpack[TriageRunOptions]) -> TriageReport:
    """Finds the commits that broke the tests of a red suite: runs a `TriageSearch`.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        oracle: A function of a revision and of the ids of the tests to run there. The tests are None for the whole
            suite, and empty for a build alone. The function returns outcomes by test (an Outcome, a boolean with True
            for a pass, None for unresolved, an Observation, or a `TestResult`), or one outcome of all tests. It can
            return more tests than asked, and a missing test is unresolved. It can raise `Retry` if the machine failed
            rather than the code. `Repository.suite_oracle` runs a test runner.
        **options: See `TriageOptions` and `FindOptions`.

    Raises:
        BaseException: The exception that the oracle raised, unchanged. To continue, call `run(error.firstbad_search,
            oracle)`. With a `journal`, repeat the same call.
        FirstbadError: See `TriageSearch` and `run`.

    Example:
        >>> import firstbad as fb
        >>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
        >>> def run_suite(revision, tests):
        ...     return {"test_a": revision < "1.1", "test_b": revision < "1.3", "test_c": True}
        >>> report = fb.triage(graph, run_suite, bad="1.3", good="1.0")
        >>> {test.id: test.culprit for test in report.tests}
        {'test_a': '1.1', 'test_b': '1.3'}
    """
    check(options, TRIAGE, THREADS, UNSHARED)
    return find(TriageSearch, as_graph(graph), oracle, options)


@shows(TRIAGE, RUN, UNSHARED, like=triage)
async def triage_async(
    graph: GraphLike, oracle: AsyncSuiteCallback | SuiteCallback, **options: Unpack[TriageAsyncOptions]
) -> TriageReport:
    """Async version of `triage`, driven by `run_async`.

    Raises:
        BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `TriageSearch` and `run_async`.
    """
    check(options, TRIAGE, RUN, UNSHARED)
    return await find_async(TriageSearch, as_graph(graph), oracle, options)
