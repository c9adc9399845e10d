"""Whether a conclusion about a flaky failure holds: FACF (Henderson et al. 2023), Section 4."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

from firstbad._arguments import names
from firstbad._errors import InvalidArgumentError
from firstbad._find import RunOptions, ThreadOptions, find, find_async, takes_options_of
from firstbad._options import rate
from firstbad._run import run
from firstbad._run_async import run_async
from firstbad._search import RevisionSearch
from firstbad._verification_report import VerificationReport

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._graph import GraphLike
    from firstbad._observation import AsyncOracle, Oracle
    from firstbad._tally import KnownRate

__all__ = ["CulpritVerifier", "verify_culprit", "verify_culprit_async"]


class CulpritVerifier(RevisionSearch[VerificationReport]):
    """A check of a conclusion by reruns, to be asked and told by hand or driven by `run`.

    The good end and the parents of the culprit are to pass, before and after the culprit and the bad end fail; those
    two must then never pass. Each is run up to ceil(log(1 - confidence) / log(flake rate)) times (FACF, "How Many
    Reruns to Conduct"), and what proves the conclusion wrong ends it at once.

    Which run came before which is known from the observations' `started` and `ended`. Drivers note them; where you
    tell observations without them, one probe flies at a time.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        bad: The revision that was seen to fail (the paper's s_n): one id.
        good: Revisions that pass, ancestors of `bad`; the first is checked (s_0). By default the roots.
        culprit: The conclusion to be verified: the culprit (s_k), or None where the failure is said to have been a
            flake, which is correct as soon as `bad` passes.
        flake_rate: How often the test fails at a healthy revision: a rate in [0, 1), or counts of past runs, as a
            `Tally` or a mapping with `passes` and `fails`. A culprit search reports the rate that it found.
        flake_rate_floor: The rate is taken to be no lower than this, in (0, 1): by default the paper's 0.1, so that
            even a test that never flaked is run 8 times.
        confidence: How sure each check is to be, in (0, 1): by default the paper's 0.99999999.
        again: What the same verification said some hours before: where the two differ, the conclusion depends on the
            time or the environment (`not_reproducible`).
        signature: The failure searched for; others count as unresolved. None: the one seen first at `bad` or `culprit`.
        seed: Kept with the configuration; nothing here is random.

    Raises:
        UnknownRevisionError: An id that is not in the graph.
        InvalidArgumentError: A rate or a confidence out of range, a culprit that is no suspect between the ends, an
            earlier verification of another conclusion.

    Example:
        >>> import firstbad as fb
        >>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
        >>> search = fb.CulpritVerifier(graph, bad="1.3", good="1.0", culprit="1.2")
        >>> fb.run(search, lambda version: version < "1.2").correct
        True
    """

    __slots__ = ()

    _algorithm = "verification"
    _timed = True

    def __init__(
        self,
        graph: GraphLike,
        bad: str | Iterable[str],
        good: str | Iterable[str] | None = None,
        *,
        culprit: str | None,
        flake_rate: KnownRate = 0.0,
        flake_rate_floor: float = 0.1,
        confidence: float = 1 - 1e-8,
        again: VerificationReport | None = None,
        signature: str | None = None,
        seed: int = 0,
    ) -> None:
        if again is not None and not isinstance(again, VerificationReport):
            raise InvalidArgumentError(
                f"again: {again!r} is not valid; expected the VerificationReport of an earlier verification"
            )
        self._open(
            graph,
            culprit=culprit,
            bad=names("bad", bad),
            good=names("good", good),
            flake_rate=rate(flake_rate),
            flake_rate_floor=flake_rate_floor,
            confidence=confidence,
            again=None if again is None else {"culprit": again.culprit, "correct": again.correct},
            signature=signature,
            seed=seed,
        )

    def report(self) -> VerificationReport:
        """What is known so far, at any moment; the verdict when `done`."""
        return VerificationReport.from_json(self._core.report())


class _Ends(TypedDict):
    bad: str | Iterable[str]
    culprit: str | None


class AsyncVerificationOptions(_Ends, RunOptions, total=False):
    """The options of `verify_culprit_async`: those of `CulpritVerifier` and of `run_async`."""

    good: str | Iterable[str] | None
    flake_rate: KnownRate
    flake_rate_floor: float
    confidence: float
    again: VerificationReport | None
    signature: str | None
    seed: int


class VerificationOptions(AsyncVerificationOptions, ThreadOptions, total=False):
    """The options of `verify_culprit`: those of `CulpritVerifier` and of `run`."""


@takes_options_of(CulpritVerifier, run)
def verify_culprit(graph: GraphLike, oracle: Oracle, **options: Unpack[VerificationOptions]) -> VerificationReport:
    """Checks by reruns that a conclusion holds: makes a `CulpritVerifier` and `run`s it.

    Observations get `started` and `ended` by themselves (seconds since 1970, by the clock of the machine that runs
    the oracle), so that with `jobs` above 1 probes run side by side; times that the oracle gave itself stay.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        oracle: Does this revision pass, this time? See `run` for what it may return.
        **options: Those of `CulpritVerifier` (`culprit` and `bad`, which are needed, `good`, `flake_rate`, ..., `seed`)
            and those of `run` (`jobs`, `executor`, `budget`, `progress`, `retries`), as keywords. Besides, as
            `Session.open` has them: `journal`, a file that keeps the run, so that the same call goes on after a crash,
            `known`, outcomes that exist already, and `store`, outcomes that runs share.

    Raises:
        BaseException: What the oracle raised, the very same object. Nothing told is lost: the exception's attribute
            `firstbad_search` is the search, and `run(error.firstbad_search, oracle)` goes on with it;
            with a `journal`, the same call does.
        FirstbadError: As `CulpritVerifier` and `run` say.

    Example:
        >>> import firstbad as fb
        >>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
        >>> verified = fb.verify_culprit(graph, lambda version: version < "1.2", culprit="1.1", bad="1.3", good="1.0")
        >>> verified.correct, [reason.code for reason in verified.reasons]
        (False, ['culprit_passes'])
    """
    return find(CulpritVerifier, graph, oracle, options)


@takes_options_of(CulpritVerifier, run_async)
async def verify_culprit_async(
    graph: GraphLike, oracle: AsyncOracle | Oracle, **options: Unpack[AsyncVerificationOptions]
) -> VerificationReport:
    """The same as `verify_culprit`, for oracles that are coroutines; driven by `run_async`.

    Raises:
        BaseException: What the oracle raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `CulpritVerifier` and `run_async` say.
    """
    return await find_async(CulpritVerifier, graph, oracle, options)
