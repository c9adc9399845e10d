"""Outcomes that are known before a search starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, SupportsFloat, TypeAlias

from firstbad._arguments import check_whole
from firstbad._errors import InvalidArgumentError
from firstbad._observation import Observation, SuiteObservation

if TYPE_CHECKING:
    from firstbad._observation import SuiteAnswer

__all__ = ["KnownOutcomes", "pairs"]

KnownOutcomes: TypeAlias = (
    "Mapping[Any, SuiteAnswer | SupportsFloat] | Iterable[tuple[Any, SuiteAnswer | SupportsFloat]]"
    " | Iterable[Observation]"
)
"""Known outcomes: outcomes by revision, pairs of a revision and an outcome (a flaky test can have several), or
observations as in `report.observations`. In reductions, a tuple of indices replaces the revision.
"""


def pairs(known: KnownOutcomes, convert: Callable[[Any], Observation]) -> list[tuple[Any, Any]]:
    """Returns known outcomes as pairs of a revision, or of indices, and an observation.

    `convert` returns the observation of an outcome.

    Raises:
        InvalidArgumentError: If a value is neither a pair nor an observation with its subject, or an outcome is
            invalid.
    """
    if isinstance(known, Mapping):
        return [_checked(about, answer, convert) for about, answer in known.items()]
    given: Any = known
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise _refused("known", given)
    return [_pair(place, one, convert) for place, one in enumerate(given)]


def _pair(place: int, one: Any, convert: Callable[[Any], Observation]) -> tuple[Any, Any]:
    if isinstance(one, Observation):
        if getattr(one, "universe", None) is not None:
            # The changes are those of a diff that only the original search has read.
            raise InvalidArgumentError(
                f"known[{place}]: {shortened(one)} is not valid; expected an observation of a revision without changes "
                "on it. A journal keeps all observations"
            )
        # An observation has either a revision or changes.
        about: Any = getattr(one, "revision", None) or getattr(one, "changes", None)
        if isinstance(one, SuiteObservation) and one.set is not None:
            about = (one.revision, one.set)
        if about is not None:
            return about, one
    elif isinstance(one, (tuple, list)) and len(one) == 2:
        return _checked(one[0], one[1], convert)
    raise _refused(f"known[{place}]", one)


def _checked(about: Any, answer: Any, convert: Callable[[Any], Observation]) -> tuple[Any, Any]:
    if isinstance(about, str):
        check_whole("known", (about,))
    try:
        return about, convert(answer)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"known, for {about!r}: {error}") from None


def _refused(argument: str, given: object) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"{argument}: {shortened(given)} ({type(given).__name__}) is not valid; expected outcomes by revision, pairs "
        "(revision, outcome), or observations as in report.observations. Reductions use indices instead of revisions"
    )
