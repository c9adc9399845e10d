"""The smallest difference that decides it: Zeller's dd (Zeller and Hildebrandt 2002, Section 5)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from firstbad._find import RunOptions, ThreadOptions, find, find_async, takes_options_of
from firstbad._patch import Patch
from firstbad._reduction import Keep, Kept, Needs, Reduction, ReductionOptions
from firstbad._reduction_report import IsolateReport
from firstbad._run import run
from firstbad._run_async import run_async

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._observation import Answer
    from firstbad._tally import RateLike

__all__ = ["Isolator", "isolate", "isolate_async"]

Item = TypeVar("Item")


class Isolator(Reduction[IsolateReport[Kept], Kept], Generic[Kept]):
    """A search for the smallest difference between a set that has a property and one that has it not.

    To be asked and told by hand or driven by `run`. Unlike `Minimizer` it also adds items to the set without the
    property, which takes far fewer questions; its answer is the difference, not a set that has the property by itself.
    All items are asked first, then none; no set is asked twice, unless with a `confidence`.

    Args:
        items: Anything to iterate over, older items first. A text is a list of its characters. Or a `Patch`, whose
            items are its changes; its own dependencies are added.
        dependencies: By index, the indices of what an item needs, all of it; a list among them means any one of its
            members. Sets without what their items need are never asked.
        parents: The tree that the items form: for each the index of its parent, or None. Indices from the number of
            items on are groups, which are no items themselves. An item goes with its parent.
        depth: How many levels of the tree to look at, at least 1: what lies deeper goes as one. None: all.
        monotone: Whether what has the property has it with any further item, too: then nothing is asked that follows.
        confidence: For callbacks that err: how sure the result is to be, from 0.5 to below 1. None: every answer is
            trusted.
        flake_rate: With a confidence: how often a set that has the property is seen without it: a rate in [0, 1),
            counts of past runs, or `"estimate"`.
        false_pass_rate: With a confidence: how often a set that has not the property is seen with it, likewise.
        keep: Which outcome means that the property holds: `"pass"`, or `"fail"` where an oracle is asked.
        signature: With `keep="fail"`: the failure to be kept; others count as unresolved. None: the one seen first.
        seed: Kept with the configuration; nothing here is random.

    Raises:
        InvalidArgumentError: No items, an index that no item has, a tree with a cycle, a rate or a confidence out of
            range.

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

    @overload
    def __init__(self: Isolator[Patch], items: Patch, **options: Unpack[ReductionOptions]) -> None: ...
    @overload
    def __init__(self: Isolator[list[Item]], items: Iterable[Item], **options: Unpack[ReductionOptions]) -> None: ...
    def __init__(
        self,
        items: Iterable[Any] | Patch,
        *,
        dependencies: Needs | None = None,
        parents: Iterable[int | None] | None = None,
        depth: int | None = None,
        monotone: bool = False,
        confidence: float | None = None,
        flake_rate: RateLike = "estimate",
        false_pass_rate: RateLike = "estimate",
        keep: Keep = "pass",
        signature: str | None = None,
        seed: int = 0,
    ) -> None:
        self._open(
            items,
            dependencies=dependencies,
            parents=parents,
            depth=depth,
            monotone=monotone,
            confidence=confidence,
            flake_rate=flake_rate,
            false_pass_rate=false_pass_rate,
            keep=keep,
            signature=signature,
            seed=seed,
        )

    def report(self) -> IsolateReport[Kept]:
        """The best answer so far, at any moment; the final one when `done`."""
        return IsolateReport.from_json(self._core.report(), self._picked)


class AsyncIsolateOptions(ReductionOptions, RunOptions, total=False):
    """The options of `isolate_async`: those of `Isolator` and of `run_async`."""


class IsolateOptions(AsyncIsolateOptions, ThreadOptions, total=False):
    """The options of `isolate`: those of `Isolator` and of `run`."""


@overload
def isolate(
    items: Patch, interesting: Callable[[Patch], Answer], **options: Unpack[IsolateOptions]
) -> IsolateReport[Patch]: ...
@overload
def isolate(
    items: Iterable[Item], interesting: Callable[[list[Item]], Answer], **options: Unpack[IsolateOptions]
) -> IsolateReport[list[Item]]: ...
@takes_options_of(Isolator, run)
def isolate(
    items: Iterable[Any] | Patch, interesting: Callable[[Any], Answer], **options: Unpack[IsolateOptions]
) -> IsolateReport[Any]:
    """Finds the smallest difference that decides whether a property holds: makes an `Isolator` and `run`s it.

    Args:
        items: Anything to iterate over, or a `Patch`. A text is a list of its characters.
        interesting: Does the property hold with just these? It gets the items that are kept as a new list, in their
            original order (of a patch a patch), and returns what an oracle may: True (it holds), False, None (cannot be
            told), an Outcome or an Observation.
        **options: Those of `Isolator` (`dependencies`, ..., `seed`) and those of `run` (`jobs`, `executor`, `budget`,
            `progress`, `retries`), as keywords. Besides, as `Session.open` has them: `journal`, a file that keeps the
            run, so that the same call goes on after a crash, `known`, outcomes that exist already, and `store`,
            outcomes that runs share.

    Raises:
        NotReproducedError: The property does not hold for all items together, or holds without any.
        BaseException: What the callback raised, the very same object. Nothing told is lost: the exception's attribute
            `firstbad_search` is the search, and `run(error.firstbad_search, interesting)` goes on with it;
            with a `journal`, the same call does.
        FirstbadError: As `Isolator` and `run` say.

    Example:
        >>> import firstbad as fb
        >>> report = fb.isolate(range(100), lambda kept: 17 in kept and 62 in kept)
        >>> len(report.items), set(report.kept) - set(report.lacking) == set(report.difference)
        (1, True)
    """
    return find(Isolator, items, interesting, options)


@overload
async def isolate_async(
    items: Patch, interesting: Callable[[Patch], Awaitable[Answer] | Answer], **options: Unpack[AsyncIsolateOptions]
) -> IsolateReport[Patch]: ...
@overload
async def isolate_async(
    items: Iterable[Item],
    interesting: Callable[[list[Item]], Awaitable[Answer] | Answer],
    **options: Unpack[AsyncIsolateOptions],
) -> IsolateReport[list[Item]]: ...
@takes_options_of(Isolator, run_async)
async def isolate_async(
    items: Iterable[Any] | Patch,
    interesting: Callable[[Any], Awaitable[Answer] | Answer],
    **options: Unpack[AsyncIsolateOptions],
) -> IsolateReport[Any]:
    """The same as `isolate`, for callbacks that are coroutines; driven by `run_async`.

    Raises:
        NotReproducedError: The property does not hold for all items together, or holds without any.
        BaseException: What the callback raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `Isolator` and `run_async` say.
    """
    return await find_async(Isolator, items, interesting, options)
