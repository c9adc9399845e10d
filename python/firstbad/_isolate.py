"""Zeller's dd (Zeller and Hildebrandt 2002, Section 5): the smallest difference that decides a property."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from firstbad._find import find, find_async
from firstbad._generated.options import ReductionOptions
from firstbad._options import defaults
from firstbad._patch import Patch
from firstbad._reduction import Kept, Reduction
from firstbad._reduction_report import IsolateReport
from firstbad._run_options import KEEP, RUN, THREADS, FindAsyncOptions, FindOptions
from firstbad._shown import Options, shows

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._observation import Answer

__all__ = ["Isolator", "isolate", "isolate_async"]

Item = TypeVar("Item")


ISOLATE = Options(ReductionOptions, defaults=defaults("isolate"))


@shows(ISOLATE)
class Isolator(Reduction[IsolateReport[Kept], Kept], Generic[Kept]):
    """A search for the smallest difference between a set with a property and a set without it.

    Use the ask/tell interface, or `run`. Unlike `Minimizer`, this search also adds items to the set without the
    property, which needs far fewer runs. The result is a difference, not a set with the property. The search tests all
    items first, then none. Without a `confidence`, it never tests a set twice.

    Args:
        items: An iterable, older items first, or a `Patch`, whose items are its changes with their dependencies. A text
            is a list of its characters.
        **options: See `ReductionOptions`.

    Raises:
        InvalidArgumentError: If there are no items, an index is out of range, the tree has a cycle, or a rate or
            confidence is out of range.

    Example:
        >>> import firstbad as fb
        >>> search = fb.Isolator("abcd")
        >>> while not search.done:
        ...     for probe in search.ask():
        ...         search.tell(probe.id, {1, 3} <= set(probe.changes))
        >>> len(search.report().difference)
        1
    """

    __slots__ = ()

    _algorithm = "isolate"
    _options = ISOLATE

    @overload
    def __init__(self: Isolator[Patch], items: Patch, **options: Unpack[ReductionOptions]) -> None: ...
    @overload
    def __init__(self: Isolator[list[Item]], items: Iterable[Item], **options: Unpack[ReductionOptions]) -> None: ...
    def __init__(self, items: Iterable[Any] | Patch, **options: Unpack[ReductionOptions]) -> None:
        self._open(items, options)

    def report(self) -> IsolateReport[Kept]:
        """The result so far, which is final when the search is `done`."""
        report: IsolateReport[Kept] = IsolateReport._picked(self._core.report(), self._picked)
        return report._made_of(self._items)._of(self._core)


class IsolateOptions(ReductionOptions, FindOptions, total=False):
    """The options of `isolate`."""


class IsolateAsyncOptions(ReductionOptions, FindAsyncOptions, total=False):
    """The options of `isolate_async`."""


@overload
def isolate(
    items: Patch, interesting: Callable[[Patch], Answer], **options: Unpack[IsolateOptions]
) -> IsolateReport[Patch]: ...
@overload
def isolate(
    items: Iterable[Item], interesting: Callable[[list[Item]], Answer], **options: Unpack[IsolateOptions]
) -> IsolateReport[list[Item]]: ...
@shows(ISOLATE, THREADS, KEEP)
def isolate(
    items: Iterable[Any] | Patch, interesting: Callable[[Any], Answer], **options: Unpack[IsolateOptions]
) -> IsolateReport[Any]:
    """Finds the smallest difference that decides whether a property holds: runs an `Isolator`.

    Args:
        items: An iterable, or a `Patch`. A text is a list of its characters.
        interesting: A function that tests a set, given as a new list in the original order, or as a `Patch`. It returns
            True if the set has the property, False, None (unresolved), an Outcome, or an Observation.
        **options: See `ReductionOptions` and `FindOptions`.

    Raises:
        NotReproducedError: If all items together do not have the property, or no items have it.
        BaseException: The exception that `interesting` raised, unchanged. To continue, call `run(error.firstbad_search,
            interesting)`. With a `journal`, repeat the same call.
        FirstbadError: See `Isolator` and `run`.

    Example:
        >>> import firstbad as fb
        >>> report = fb.isolate(range(100), lambda kept: 17 in kept and 62 in kept)
        >>> len(report.items), set(report.kept) - set(report.lacking) == set(report.difference)
        (1, True)
    """
    return find(Isolator, items, interesting, options)


@overload
async def isolate_async(
    items: Patch, interesting: Callable[[Patch], Awaitable[Answer] | Answer], **options: Unpack[IsolateAsyncOptions]
) -> IsolateReport[Patch]: ...
@overload
async def isolate_async(
    items: Iterable[Item],
    interesting: Callable[[list[Item]], Awaitable[Answer] | Answer],
    **options: Unpack[IsolateAsyncOptions],
) -> IsolateReport[list[Item]]: ...
@shows(ISOLATE, RUN, KEEP, like=isolate)
async def isolate_async(
    items: Iterable[Any] | Patch,
    interesting: Callable[[Any], Awaitable[Answer] | Answer],
    **options: Unpack[IsolateAsyncOptions],
) -> IsolateReport[Any]:
    """Async version of `isolate`, driven by `run_async`.

    Raises:
        NotReproducedError: If all items together do not have the property, or no items have it.
        BaseException: The exception that `interesting` raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Isolator` and `run_async`.
    """
    return await find_async(Isolator, items, interesting, options)
