"""Whether a conclusion about a flaky failure holds: FACF (Henderson et al. 2023), Section 4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firstbad._errors import InvalidArgumentError
from firstbad._find import find, find_async
from firstbad._generated.options import VerificationOptions
from firstbad._options import defaults
from firstbad._run_options import KEEP, RUN, THREADS, FindAsyncOptions, FindOptions
from firstbad._search import RevisionSearch
from firstbad._shown import Options, shows
from firstbad._verification_report import VerificationReport

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._graph import GraphLike
    from firstbad._observation import AsyncOracle, Oracle

__all__ = ["CulpritVerifier", "verify_culprit", "verify_culprit_async"]


VERIFICATION = Options(VerificationOptions, defaults=defaults("verification"))


@shows(VERIFICATION)
class CulpritVerifier(RevisionSearch[VerificationReport]):
    """A check of a conclusion by reruns. Use the ask/tell interface, or `run`.

    The good ends and the parents of the culprit are to pass, before and after the culprit and the bad end fail; those
    two must then never pass. Each is run up to ceil(log((1 - confidence) / n) / log(flake rate)) times, where flakes
    could mislead the verdict in n ways (FACF, "How Many Reruns to Conduct", for one), and what proves the conclusion
    wrong ends it at once.

    Which run came before which is known from the observations' `started` and `ended`. Drivers note them; where you tell
    observations without them, one probe flies at a time.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        **options: See `VerificationOptions`.

    Raises:
        UnknownRevisionError: If an id is not in the graph.
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
    _options = VERIFICATION
    _timed = True

    def __init__(self, graph: GraphLike, **options: Unpack[VerificationOptions]) -> None:
        again = options.get("again")
        if again is not None and not isinstance(again, VerificationReport):
            raise InvalidArgumentError(
                f"again: {again!r} is not valid; expected the VerificationReport of an earlier verification"
            )
        self._open(graph, {**options, "again": again and {"culprit": again.culprit, "correct": again.correct}})

    def report(self) -> VerificationReport:
        """What is known so far, at any moment; the verdict when `done`."""
        report: VerificationReport = VerificationReport._written(self._core.report())._of(self._core)
        return report


class VerifyCulpritOptions(VerificationOptions, FindOptions, total=False):
    """The options of `verify_culprit`."""


class VerifyCulpritAsyncOptions(VerificationOptions, FindAsyncOptions, total=False):
    """The options of `verify_culprit_async`."""


@shows(VERIFICATION, THREADS, KEEP)
def verify_culprit(graph: GraphLike, oracle: Oracle, **options: Unpack[VerifyCulpritOptions]) -> VerificationReport:
    """Checks by reruns that a conclusion holds: makes a `CulpritVerifier` and drives it with `run`.

    Observations get `started` and `ended` by themselves (seconds since 1970, by the clock of the machine that runs the
    oracle), so that with `jobs` above 1 probes run side by side; times that the oracle gave itself stay.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        oracle: Does this revision pass, this time? See `run` for what it may return.
        **options: See `VerificationOptions` and `FindOptions`.

    Raises:
        BaseException: The exception that the oracle raised, unchanged. To continue, call `run(error.firstbad_search,
            oracle)`. With a `journal`, repeat the same call.
        FirstbadError: See `CulpritVerifier` and `run`.

    Example:
        >>> import firstbad as fb
        >>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
        >>> verified = fb.verify_culprit(graph, lambda version: version < "1.2", culprit="1.1", bad="1.3", good="1.0")
        >>> verified.correct, [reason.code for reason in verified.reasons]
        (False, ['culprit_passes'])
    """
    return find(CulpritVerifier, graph, oracle, options)


@shows(VERIFICATION, RUN, KEEP, like=verify_culprit)
async def verify_culprit_async(
    graph: GraphLike, oracle: AsyncOracle | Oracle, **options: Unpack[VerifyCulpritAsyncOptions]
) -> VerificationReport:
    """The same as `verify_culprit`, for oracles that are coroutines; driven by `run_async`.

    Raises:
        BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `CulpritVerifier` and `run_async`.
    """
    return await find_async(CulpritVerifier, graph, oracle, options)
