"""The smallest part that still shows it: delta debugging (Zeller and Hildebrandt 2002; Artho, IDD, Section 3)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypedDict, TypeVar, overload

from firstbad import _native
from firstbad._errors import InvalidArgumentError
from firstbad._find import RunOptions, ThreadOptions, find, find_async, takes_options_of
from firstbad._patch import Patch
from firstbad._reduction import Keep, Kept, Needs, PropertyOptions, Reduction, ReductionOptions
from firstbad._reduction_report import MinimizeReport
from firstbad._run import run
from firstbad._run_async import run_async

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._observation import Answer
    from firstbad._tally import RateLike

__all__ = [
    "CommitOptions",
    "Granularity",
    "Minimizer",
    "minimize",
    "minimize_async",
    "minimize_patch",
    "minimize_patch_async",
]

Item = TypeVar("Item")
Algorithm: TypeAlias = Literal["auto", "ddmin", "recursive", "group", "probdd"]
GuaranteeAsked: TypeAlias = Literal["fixpoint", "1-minimal"]
Granularity: TypeAlias = Literal["lines", "hunks", "files"]

_NOT_FOR_A_PATCH = {
    "parents": "no tree, for a patch is one by itself",
    "depth": 'granularity instead: "lines", "hunks" or "files"',
    "keep": "no such option, for a failure is kept",
}


class WayOptions(TypedDict, total=False):
    """How to minimise."""

    algorithm: Algorithm
    weights: Iterable[float] | None
    guarantee: GuaranteeAsked


class MinimizerOptions(ReductionOptions, WayOptions, total=False):
    """The options of `Minimizer`."""


class Minimizer(Reduction[MinimizeReport[Kept], Kept], Generic[Kept]):
    """A search for the smallest set of items that still has a property.

    To be asked and told by hand or driven by `run`. The set of all items is asked first, to see that it has the
    property at all; no set is asked twice, unless with a `confidence`. `probe.pick(items)` are the items that a probe
    keeps.

    Args:
        items: Anything to iterate over, older items first: the newest are tried first. A text is a list of its
            characters. Or a `Patch`, whose items are its changes; it is gone through as the tree that it is, files,
            then hunks, then lines, and its own dependencies are added.
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

    @overload
    def __init__(self: Minimizer[Patch], items: Patch, **options: Unpack[MinimizerOptions]) -> None: ...
    @overload
    def __init__(self: Minimizer[list[Item]], items: Iterable[Item], **options: Unpack[MinimizerOptions]) -> None: ...
    def __init__(
        self,
        items: Iterable[Any] | Patch,
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


class PatchMinimizer(Minimizer[Patch]):
    """A Minimizer that takes a patch apart as finely as it is told."""

    __slots__ = ("_granularity",)

    def __init__(self, patch: Patch, *, granularity: Granularity, **options: Unpack[MinimizerOptions]) -> None:
        self._granularity = granularity
        super().__init__(patch, **options)

    def _completed(self, options: str) -> str:
        granularity = self._granularity if isinstance(self._granularity, str) else repr(self._granularity)
        return _native.options_in_patch(options, self._items._core, granularity)  # type: ignore[union-attr]


class AsyncMinimizeOptions(MinimizerOptions, RunOptions, total=False):
    """The options of `minimize_async`: those of `Minimizer` and of `run_async`."""


class MinimizeOptions(AsyncMinimizeOptions, ThreadOptions, total=False):
    """The options of `minimize`: those of `Minimizer` and of `run`."""


class AsyncCommitOptions(PropertyOptions, WayOptions, RunOptions, total=False):
    """The options of `Repository.minimize_commit_async`."""


class CommitOptions(AsyncCommitOptions, ThreadOptions, total=False):
    """The options of `Repository.minimize_commit`."""


class AsyncPatchOptions(AsyncCommitOptions, total=False):
    """The options of `minimize_patch_async`."""

    keep: Keep


class PatchOptions(AsyncPatchOptions, ThreadOptions, total=False):
    """The options of `minimize_patch`."""


@overload
def minimize(
    items: Patch, interesting: Callable[[Patch], Answer], **options: Unpack[MinimizeOptions]
) -> MinimizeReport[Patch]: ...
@overload
def minimize(
    items: Iterable[Item], interesting: Callable[[list[Item]], Answer], **options: Unpack[MinimizeOptions]
) -> MinimizeReport[list[Item]]: ...
@takes_options_of(Minimizer, run)
def minimize(
    items: Iterable[Any] | Patch, interesting: Callable[[Any], Answer], **options: Unpack[MinimizeOptions]
) -> MinimizeReport[Any]:
    """Finds the smallest set of items that still has a property: makes a `Minimizer` and `run`s it.

    Where the search ends early (`budget`), the report has the best answer so far.

    Args:
        items: Anything to iterate over. A text is a list of its characters: `"".join(report.items)`. Or a `Patch`; see
            `minimize_patch`.
        interesting: Does the property still hold with just these? It gets the items that are kept as a new list, in
            their original order (of a patch a patch), and returns what an oracle may: True (it holds), False, None
            (cannot be told), an Outcome or an Observation.
        **options: Those of `Minimizer` (`algorithm`, `dependencies`, ..., `seed`) and those of `run` (`jobs`,
            `executor`, `budget`, `progress`, `retries`), as keywords. Besides, as `Session.open` has them: `journal`, a
            file that keeps the run, so that the same call goes on after a crash, `known`, outcomes that exist already,
            and `store`, outcomes that runs share.

    Raises:
        NotReproducedError: The property does not hold for all items together, so there is nothing to reduce.
        BaseException: What the callback raised, the very same object. Nothing told is lost: the exception's attribute
            `firstbad_search` is the search, and `run(error.firstbad_search, interesting)` goes on with it;
            with a `journal`, the same call does.
        FirstbadError: As `Minimizer` and `run` say.

    Example:
        >>> import firstbad as fb
        >>> report = fb.minimize(range(100), lambda kept: 17 in kept and 62 in kept)
        >>> report.items, report.runs < 40
        ([17, 62], True)
    """
    return find(Minimizer, items, interesting, options)


@overload
async def minimize_async(
    items: Patch, interesting: Callable[[Patch], Awaitable[Answer] | Answer], **options: Unpack[AsyncMinimizeOptions]
) -> MinimizeReport[Patch]: ...
@overload
async def minimize_async(
    items: Iterable[Item],
    interesting: Callable[[list[Item]], Awaitable[Answer] | Answer],
    **options: Unpack[AsyncMinimizeOptions],
) -> MinimizeReport[list[Item]]: ...
@takes_options_of(Minimizer, run_async)
async def minimize_async(
    items: Iterable[Any] | Patch,
    interesting: Callable[[Any], Awaitable[Answer] | Answer],
    **options: Unpack[AsyncMinimizeOptions],
) -> MinimizeReport[Any]:
    """The same as `minimize`, for callbacks that are coroutines; driven by `run_async`.

    Raises:
        NotReproducedError: The property does not hold for all items together.
        BaseException: What the callback raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `Minimizer` and `run_async` say.
    """
    return await find_async(Minimizer, items, interesting, options)


def options_for_a_patch(options: Mapping[str, Any], granularity: Granularity, **given: Any) -> dict[str, Any]:
    """The options of a search in a patch, which is its own tree, with those that are `given` already.

    Raises:
        InvalidArgumentError: An option that is not for the caller to give.
    """
    for name, instead in _NOT_FOR_A_PATCH.items():
        if name in options and (name != "keep" or "keep" in given):
            raise InvalidArgumentError(f"{name}: {options[name]!r} is not valid here; expected {instead}")
    return {**options, **given, "granularity": granularity}


def _checked(patch: Patch) -> Patch:
    if not isinstance(patch, Patch):
        raise InvalidArgumentError(
            f"patch: {shortened(patch)} ({type(patch).__name__}) is not valid; expected a Patch; Patch.parse reads one"
        )
    return patch


@takes_options_of(Minimizer, run, but=("parents", "depth"))
def minimize_patch(
    patch: Patch,
    interesting: Callable[[Patch], Answer],
    *,
    granularity: Granularity = "lines",
    **options: Unpack[PatchOptions],
) -> MinimizeReport[Patch]:
    r"""Finds the smallest part of a patch that still has a property: files first, then hunks, then lines.

    That is the hierarchy of Artho, "Iterative Delta Debugging", Section 3.4. Only what can stand alone is asked for, so
    that each part is a patch that applies where the whole one does.

    Args:
        patch: The patch; `report.items` is a part of it, `report.items.origin` or `report.kept` say which.
        interesting: Does the property still hold with just this patch? Returns what an oracle may: True (it holds),
            False, None (cannot be told: it does not build), an Outcome or an Observation.
        granularity: How finely to take it apart: to single `"lines"`, to `"hunks"` or to `"files"`.
        **options: Those of `Minimizer` but for the tree, and those of `run`, as keywords; see `minimize`.

    Raises:
        NotReproducedError: The property does not hold with the whole patch.
        BaseException: What the callback raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `Minimizer` and `run` say.

    Example:
        >>> import firstbad as fb
        >>> patch = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n-a\n+1\n+2\n+3\n")
        >>> report = fb.minimize_patch(patch, lambda part: "2" in part.apply({"x": "a\n"})["x"])
        >>> [(change.kind, change.text) for change in report.items.changes]
        [('added', '2')]
    """
    return find(PatchMinimizer, _checked(patch), interesting, options_for_a_patch(options, granularity))


@takes_options_of(Minimizer, run_async, but=("parents", "depth"))
async def minimize_patch_async(
    patch: Patch,
    interesting: Callable[[Patch], Awaitable[Answer] | Answer],
    *,
    granularity: Granularity = "lines",
    **options: Unpack[AsyncPatchOptions],
) -> MinimizeReport[Patch]:
    """The same as `minimize_patch`, for callbacks that are coroutines; driven by `run_async`.

    Raises:
        NotReproducedError: The property does not hold with the whole patch.
        BaseException: What the callback raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `Minimizer` and `run_async` say.
    """
    return await find_async(PatchMinimizer, _checked(patch), interesting, options_for_a_patch(options, granularity))
