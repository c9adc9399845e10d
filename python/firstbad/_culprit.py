"""The culprit behind a flaky failure: FACF (Henderson et al. 2023), on lists and on commit graphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from firstbad._arguments import names
from firstbad._culprit_report import CulpritReport
from firstbad._find import RunOptions, ThreadOptions, find, find_async, takes_options_of
from firstbad._graph import as_graph
from firstbad._options import numbers, rate
from firstbad._run import run
from firstbad._run_async import run_async
from firstbad._search import RevisionSearch
from firstbad._suspects import expected

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._build_graph import BuildGraph
    from firstbad._change import ChangesLike
    from firstbad._graph import GraphLike
    from firstbad._observation import AsyncOracle, Oracle
    from firstbad._ranking import PriorBy
    from firstbad._tally import RateLike
    from firstbad.signals import Signal

__all__ = ["CulpritSearch", "find_culprit", "find_culprit_async"]

Choose: TypeAlias = Literal["cdf", "expected-gain", "information", "bisect"]


class CulpritSearch(RevisionSearch[CulpritReport]):
    """A search for the culprit behind a flaky failure, to be asked and told by hand or driven by `run`.

    Every revision between `good` and `bad`, `bad` included, is a suspect. The belief is Bayes' rule (FACF, Section 3):
    the culprit and what comes from it fail always (but for `false_pass_rate`), everything else at the flake rate. One
    revision may be asked several times, also side by side, and answers that differ are no contradiction.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        bad: The revision that was seen to fail: one id. It is a suspect like the others and may be asked again; its
            first failure belongs to `prior_no_culprit` and is not counted.
        good: Revisions that pass, ancestors of `bad`: one id or several, by default its roots. They and their
            ancestors are no suspects. Asked only where the flake rate is to be estimated.
        flake_rate: How often the test fails at a healthy revision: a rate in [0, 1); counts of past runs, as a `Tally`
            or as `{"passes": 95, "fails": 5}`; or `"estimate"`, which finds it out on the way.
        flake_rate_floor: No flake rate below this is believed, in [0, 1). The paper's evaluation uses 0.1.
        false_pass_rate: How often it passes at a broken revision, in the same forms.
        prior: Weights of suspects, 0 or above, in any unit: scaled to sum to what "no culprit" leaves. One that is not
            named weighs 1, or as much as the lightest one named (other than 0) if that is less. None: all alike.
        prior_no_culprit: How likely there is no culprit, in [0, 1), or `"uniform"` for 1 / (suspects + 1). None: 0.4,
            what the paper's evaluation saw.
        confidence: The probability at which a hypothesis is taken for true, above 0.5 and below 1.
        choose: How to choose the next runs. `"cdf"`: thresholds over the cumulative posterior (FACF, Algorithm 2).
            `"expected-gain"`: thresholds over the cumulative expected gain. `"information"`: what is expected to tell
            most. `"bisect"`: the paper's baseline, where a revision fails only if it fails `reruns` times.
        reruns: For `choose="bisect"`: how often a revision must fail, 1 or above. None: once.
        costs: What a run costs at a revision, above 0, where it is not 1: runs are then chosen by what they tell per
            cost.
        signature: The failure searched for; others count as unresolved. None: the one seen first at `bad`.
        seed: Kept with the configuration; nothing here is random.

    Raises:
        UnknownRevisionError: An id that is not in the graph.
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

    def __init__(
        self,
        graph: GraphLike,
        bad: str | Iterable[str],
        good: str | Iterable[str] | None = None,
        *,
        flake_rate: RateLike = "estimate",
        flake_rate_floor: float = 0.0,
        false_pass_rate: RateLike = 0.0,
        prior: Mapping[str, float] | None = None,
        prior_no_culprit: float | Literal["uniform"] | None = None,
        confidence: float = 0.99,
        choose: Choose = "cdf",
        reruns: int | None = None,
        costs: Mapping[str, float] | None = None,
        signature: str | None = None,
        seed: int = 0,
    ) -> None:
        self._open(
            graph,
            bad=names("bad", bad),
            good=names("good", good),
            flake_rate=rate(flake_rate),
            flake_rate_floor=flake_rate_floor,
            false_pass_rate=rate(false_pass_rate),
            prior=numbers("prior", prior, "a finite weight, 0 or above"),
            prior_no_culprit=prior_no_culprit,
            confidence=confidence,
            choose=choose,
            reruns=reruns,
            costs=numbers("costs", costs, "a finite cost above 0"),
            signature=signature,
            seed=seed,
        )

    def report(self) -> CulpritReport:
        """The best answer so far, at any moment; the final one when `done`."""
        report, posterior = self._core.report_with_posterior()
        assert posterior is not None, "a culprit search keeps one"
        return CulpritReport.from_json(report, posterior)


class _Ends(TypedDict):
    bad: str | Iterable[str]


class AsyncCulpritOptions(_Ends, RunOptions, total=False):
    """The options of `find_culprit_async`: those of `CulpritSearch` and of `run_async`."""

    good: str | Iterable[str] | None
    flake_rate: RateLike
    flake_rate_floor: float
    false_pass_rate: RateLike
    prior: Mapping[str, float] | None
    prior_no_culprit: float | Literal["uniform"] | None
    confidence: float
    choose: Choose
    reruns: int | None
    costs: Mapping[str, float] | None
    signature: str | None
    seed: int


class CulpritOptions(AsyncCulpritOptions, ThreadOptions, total=False):
    """The options of `find_culprit`: those of `CulpritSearch` and of `run`."""


@takes_options_of(CulpritSearch, run)
def find_culprit(
    graph: GraphLike,
    oracle: Oracle,
    *,
    build_graph: BuildGraph | None = None,
    test: str | None = None,
    changes: ChangesLike | None = None,
    signals: Iterable[Signal] | None = None,
    prior_by: PriorBy = "suspiciousness",
    exclude_unaffected: bool = True,
    **options: Unpack[CulpritOptions],
) -> CulpritReport:
    """Finds who broke a flaky test, or that nobody did: makes a `CulpritSearch` and `run`s it.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        oracle: Does this revision pass, this time? See `run` for what it may return. It may run the test several
            times and return the counts: `Observation(passes=9, fails=1)`.
        build_graph: What the test depends on, at `bad`: the prior is then made of it (FACF, Section 3.3), the ranking
            is in the report. Where nothing between `good` and `bad` affects the test, a RuntimeWarning says so, and all
            revisions are taken for equally likely: a flake will be found out, and what the build graph lacks, too.
        test: The target of the test in the build graph, or a test's id whose file is in one.
        changes: What each revision changed, oldest first, as `rank_suspects` takes it; a revision without a change does
            not affect the test. None: from the repository that the graph was read from.
        signals: Functions of a `Change` that say how much more (above 1) or less suspicious it is; see `signals`.
        prior_by: What weights come from: the summed `"suspiciousness"` (Culprit Finder) or the minimum `"distance"`
            (FACF, Section 3.3).
        exclude_unaffected: Whether revisions that do not affect the test weigh nothing: they share the outcome of those
            before them (FACF, Section 1). False: a tenth of the whole is spread evenly over all.
        **options: Those of `CulpritSearch` (`bad`, which is needed, `good`, `flake_rate`, ..., `seed`) and those of
            `run` (`jobs`, `executor`, `budget`, `progress`, `retries`), as keywords. Besides, as `Session.open` has
            them: `journal`, a file that keeps the run, so that the same call goes on after a crash, `known`, outcomes
            that exist already, and `store`, outcomes that runs share.

    Raises:
        BaseException: What the oracle raised, the very same object. Nothing told is lost: the exception's attribute
            `firstbad_search` is the search, and `run(error.firstbad_search, oracle)` goes on with it;
            with a `journal`, the same call does.
        FirstbadError: As `CulpritSearch` and `run` say.

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
    searching, ranking = expected(graph, options, build_graph, test, changes, signals, prior_by, exclude_unaffected)
    return replace(find(CulpritSearch, graph, oracle, searching), ranking=ranking)


@takes_options_of(CulpritSearch, run_async)
async def find_culprit_async(
    graph: GraphLike,
    oracle: AsyncOracle | Oracle,
    *,
    build_graph: BuildGraph | None = None,
    test: str | None = None,
    changes: ChangesLike | None = None,
    signals: Iterable[Signal] | None = None,
    prior_by: PriorBy = "suspiciousness",
    exclude_unaffected: bool = True,
    **options: Unpack[AsyncCulpritOptions],
) -> CulpritReport:
    """The same as `find_culprit`, for oracles that are coroutines; driven by `run_async`.

    Raises:
        BaseException: What the oracle raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `CulpritSearch` and `run_async` say.
    """
    graph = as_graph(graph)
    searching, ranking = expected(graph, options, build_graph, test, changes, signals, prior_by, exclude_unaffected)
    return replace(await find_async(CulpritSearch, graph, oracle, searching), ranking=ranking)
