"""Verification of a conclusion about a flaky failure: FACF (Henderson et al. 2023), Section 4."""

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
    """A verification of a conclusion by reruns. Use the ask/tell interface, or `run`.

    The conclusion holds if the good revisions and the parents of the culprit pass, both before and after the culprit
    and the bad revision fail, and these two never pass. Each revision runs up to ceil(log((1 - confidence) / n) /
    log(flake rate)) times, for n ways in which flakes can mislead the verdict (FACF, "How Many Reruns to Conduct", for
    n = 1). A proof that the conclusion is wrong ends the verification.

    The order of runs comes from `started` and `ended` of the observations, which drivers record. If you tell
    observations without times, only one probe can be in flight.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        **options: See `VerificationOptions`.

    Raises:
        UnknownRevisionError: If an id is not in the graph.
        InvalidArgumentError: If a rate or confidence is out of range, the culprit is not a suspect, or an earlier
            verification has another conclusion.

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
        """The result so far, which is the verdict when the search is `done`."""
        return VerificationReport._written(self._core.report())._of(self._core)


class VerifyCulpritOptions(VerificationOptions, FindOptions, total=False):
    """The options of `verify_culprit`."""


class VerifyCulpritAsyncOptions(VerificationOptions, FindAsyncOptions, total=False):
    """The options of `verify_culprit_async`."""


@shows(VERIFICATION, THREADS, KEEP)
def verify_culprit(graph: GraphLike, oracle: Oracle, **options: Unpack[VerifyCulpritOptions]) -> VerificationReport:
    """Verifies a conclusion by reruns: runs a `CulpritVerifier`.

    firstbad sets `started` and `ended` of observations, in seconds since 1970 by the clock of the machine of the
    oracle, unless the oracle sets them. With `jobs` above 1, probes run in parallel.

    Args:
        graph: A CommitGraph, or a mapping from ids to parent ids.
        oracle: A function that tests one revision. `run` lists the values that it can return.
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
    """Async version of `verify_culprit`, driven by `run_async`.

    Raises:
        BaseException: The exception that the oracle raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `CulpritVerifier` and `run_async`.
    """
    return await find_async(CulpritVerifier, graph, oracle, options)
