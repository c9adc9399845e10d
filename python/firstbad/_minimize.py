"""The smallest part that still shows it: delta debugging (Zeller and Hildebrandt 2002; Artho, IDD, Section 3)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from firstbad._find import RunOptions, ThreadOptions, find, find_async, takes_options_of
from firstbad._reduction import Keep, Kept, Needs, Reduction, ReductionOptions
from firstbad._reduction_report import MinimizeReport
from firstbad._run import run
from firstbad._run_async import run_async

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._observation import Answer
    from firstbad._tally import RateLike

__all__ = ["Minimizer", "minimize", "minimize_async"]

Item = TypeVar("Item")
Algorithm: TypeAlias = Literal["auto", "ddmin", "recursive", "group", "probdd"]
GuaranteeAsked: TypeAlias = Literal["fixpoint", "1-minimal"]


class Minimizer(Reduction[MinimizeReport[Kept], Kept], Generic[Kept]):
    """A search for the smallest set of items that still has a property.

    To be asked and told by hand or driven by `run`. The set of all items is asked first, to see that it has the
    property at all; no set is asked twice, unless with a `confidence`. `probe.pick(items)` are the items that a probe
    keeps.

    Args:
        items: Anything to iterate over, older items first: the newest are tried first. A text is a list of its
            characters.
        algorithm: `"ddmin"`: subsets, complements, finer and finer (Zeller and Hildebrandt 2002, Figure 5; Artho, IDD,
            Section 3.2). `"recursive"`: the bisection of IDD, Section 3.1. `"group"`: adaptive group testing, Hwang's
            splitting. `"probdd"`: probabilistic delta debugging. `"auto"`: group testing that learns how many items
            are needed, and whether they come in clusters.
        dependencies: By index, the indices of what an item needs, all of it; a list among them means any one of its
            members. Sets without what their items need are never asked.
        weights: For each item how much it weighs, above 0: its size, or how likely it is needed, against the others.
        parents: The tree that the items form: for each the index of its parent, or None. Indices from the number of
            items on are groups, which are no items themselves. The tree is gone through from the top, level by level,
            and an item goes with its parent.
        depth: How many levels of the tree to go through, at least 1: what lies deeper goes as one. None: all.
        monotone: Whether what has the property has it with any further item, too: then nothing is asked that follows.
        guarantee: How far to go: `"fixpoint"`, until going over it again would drop nothing, or `"1-minimal"`, until
            each set with one item less was tested.
        confidence: For callbacks that err: how sure the result is to be, from 0.5 to below 1. None: every answer is
            trusted.
        flake_rate: With a confidence: how often a set that has the property is seen without it: a rate in [0, 1),
            counts of past runs, or `"estimate"`.
        false_pass_rate: With a confidence: how often a set that has not the property is seen with it, likewise.
        keep: Which outcome means that the property holds: `"pass"`, or `"fail"` where an oracle is asked.
        signature: With `keep="fail"`: the failure to be kept; others count as unresolved. None: the one seen first.
        seed: Kept with the configuration; nothing here is random.

    Raises:
        InvalidArgumentError: No items, weights of another number, an index that no item has, a tree with a cycle, a
            rate or a confidence out of range.

    Example:
        >>> import firstbad as fb
        >>> items = ["a", "b", "c", "d"]
        >>> search = fb.Minimizer(items)
        >>> while not search.done:
        ...     for probe in search.ask():
        ...         search.tell(probe.id, {"b", "d"} <= set(probe.pick(items)))
        >>> search.report().items
        ['b', 'd']
    """

    __slots__ = ()

    _algorithm = "minimize"

    def __init__(
        self,
        items: Iterable[Any],
        *,
        algorithm: Algorithm = "auto",
        dependencies: Needs | None = None,
        weights: Iterable[float] | None = None,
        parents: Iterable[int | None] | None = None,
        depth: int | None = None,
        monotone: bool = False,
        guarantee: GuaranteeAsked = "fixpoint",
        confidence: float | None = None,
        flake_rate: RateLike = "estimate",
        false_pass_rate: RateLike = "estimate",
        keep: Keep = "pass",
        signature: str | None = None,
        seed: int = 0,
    ) -> None:
        self._open(
            items,
            algorithm=algorithm,
            dependencies=dependencies,
            weights=weights,
            parents=parents,
            depth=depth,
            monotone=monotone,
            guarantee=guarantee,
            confidence=confidence,
            flake_rate=flake_rate,
            false_pass_rate=false_pass_rate,
            keep=keep,
            signature=signature,
            seed=seed,
        )

    def report(self) -> MinimizeReport[Kept]:
        """The best answer so far, at any moment; the final one when `done`."""
        return MinimizeReport.from_json(self._core.report(), self._picked)


class AsyncMinimizeOptions(ReductionOptions, RunOptions, total=False):
    """The options of `minimize_async`: those of `Minimizer` and of `run_async`."""

    algorithm: Algorithm
    weights: Iterable[float] | None
    guarantee: GuaranteeAsked


class MinimizeOptions(AsyncMinimizeOptions, ThreadOptions, total=False):
    """The options of `minimize`: those of `Minimizer` and of `run`."""


@takes_options_of(Minimizer, run)
def minimize(
    items: Iterable[Item], interesting: Callable[[list[Item]], Answer], **options: Unpack[MinimizeOptions]
) -> MinimizeReport[list[Item]]:
    """Finds the smallest set of items that still has a property: makes a `Minimizer` and `run`s it.

    Where the search ends early (`budget`), the report has the best answer so far.

    Args:
        items: Anything to iterate over. A text is a list of its characters: `"".join(report.items)`.
        interesting: Does the property still hold with just these? It gets the items that are kept as a new list, in
            their original order, and returns what an oracle may: True (it holds), False, None (cannot be told), an
            Outcome or an Observation.
        **options: Those of `Minimizer` (`algorithm`, `dependencies`, ..., `seed`) and those of `run` (`jobs`,
            `executor`, `budget`, `progress`, `retries`), as keywords. `journal` is not available in this version; use
            `Minimizer.snapshot`.

    Raises:
        NotReproducedError: The property does not hold for all items together, so there is nothing to reduce.
        BaseException: What the callback raised, the very same object. Nothing told is lost: the exception's attribute
            `firstbad_search` is the search, and `run(error.firstbad_search, interesting)` goes on with it.
        FirstbadError: As `Minimizer` and `run` say.

    Example:
        >>> import firstbad as fb
        >>> report = fb.minimize(range(100), lambda kept: 17 in kept and 62 in kept)
        >>> report.items, report.runs < 40
        ([17, 62], True)
    """
    return find(Minimizer, items, interesting, options)


@takes_options_of(Minimizer, run_async)
async def minimize_async(
    items: Iterable[Item],
    interesting: Callable[[list[Item]], Awaitable[Answer] | Answer],
    **options: Unpack[AsyncMinimizeOptions],
) -> MinimizeReport[list[Item]]:
    """The same as `minimize`, for callbacks that are coroutines; driven by `run_async`.

    Raises:
        NotReproducedError: The property does not hold for all items together.
        BaseException: What the callback raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `Minimizer` and `run_async` say.
    """
    return await find_async(Minimizer, items, interesting, options)
