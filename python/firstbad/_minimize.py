"""The smallest part that still shows it: delta debugging (Zeller and Hildebrandt 2002; Artho, IDD, Section 3)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypedDict, TypeVar, overload

from firstbad import _native
from firstbad._errors import InvalidArgumentError
from firstbad._find import find, find_async
from firstbad._generated.options import CommitReductionOptions, MinimizerOptions, PatchReductionOptions
from firstbad._options import defaults
from firstbad._patch import Patch
from firstbad._reduction import Kept, Reduction
from firstbad._reduction_report import MinimizeReport
from firstbad._run_options import KEEP, RUN, THREADS, FindAsyncOptions, FindOptions
from firstbad._shown import Options, shows

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._observation import Answer

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
Granularity: TypeAlias = Literal["lines", "edits", "definitions", "hunks", "files"]

_TREE = ("parents", "depth", "later")

_NOT_FOR_A_PATCH = {
    "parents": "no tree, for a patch is one by itself",
    "later": "no passes, for a patch says itself what is tried when",
    "depth": 'granularity instead: "lines", "edits", "definitions", "hunks" or "files"',
    "keep": "no such option, for a failure is kept",
}


MINIMIZE = Options(MinimizerOptions, defaults=defaults("minimize"))


@shows(MINIMIZE)
class Minimizer(Reduction[MinimizeReport[Kept], Kept], Generic[Kept]):
    """A search for the smallest set of items that still has a property.

    To be asked and told by hand or driven by `run`. The set of all items is asked first, to see that it has the
    property at all; no set is asked twice, unless with a `confidence`. `probe.pick(items)` are the items that a probe
    keeps.

    Args:
        items: Anything to iterate over, older items first: the newest are tried first. A text is a list of its
            characters. Lines of a text, each with its line end, are gone through as the tree that they are (see
            `outline`), with the guarantee `"1-minimal"`, unless options say what the items are to each other, or
            another algorithm than `"auto"`. Or a `Patch`, whose items are its changes; it is gone through as the tree
            that it is, files, then hunks, then lines, and its own dependencies are added.
        **options: See `MinimizerOptions`.

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
    _options = MINIMIZE

    @overload
    def __init__(self: Minimizer[Patch], items: Patch, **options: Unpack[MinimizerOptions]) -> None: ...
    @overload
    def __init__(self: Minimizer[list[Item]], items: Iterable[Item], **options: Unpack[MinimizerOptions]) -> None: ...
    def __init__(self, items: Iterable[Any] | Patch, **options: Unpack[MinimizerOptions]) -> None:
        self._open(items, options)

    def _completed(self, options: str) -> str:
        if isinstance(self._items, list):
            return _native.options_in_lines(options, self._items)
        return super()._completed(options)

    def report(self) -> MinimizeReport[Kept]:
        """The result so far, which is final when the search is `done`."""
        report = MinimizeReport._written(self._core.report(), self._picked)
        made: MinimizeReport[Kept] = report._made_of(self._items)._of(self._core)
        return made


class GranularityOptions(TypedDict, total=False):
    """How finely a patch is taken apart.

    Attributes:
        granularity: How far to go: whole files, hunks (and single header changes), definitions (the outermost blocks of
            each hunk that hold changes, as the indentation tells them), edits (single changes, but what was replaced
            goes with what took its place, and a line with the condition that decides it), or single changes.
    """

    granularity: Granularity


class PatchMinimizer(Minimizer[Patch]):
    """A Minimizer that takes a patch apart as finely as it is told."""

    __slots__ = ("_granularity",)

    _options = Options(MinimizerOptions, GranularityOptions, defaults=defaults("minimize"))

    def __init__(self, patch: Patch, *, granularity: Granularity, **options: Unpack[MinimizerOptions]) -> None:
        self._granularity = granularity
        super().__init__(patch, **options)

    def _completed(self, options: str) -> str:
        granularity = self._granularity if isinstance(self._granularity, str) else repr(self._granularity)
        return _native.options_in_patch(options, self._items._core, granularity)  # type: ignore[union-attr]


class MinimizeOptions(MinimizerOptions, FindOptions, total=False):
    """The options of `minimize`."""


class MinimizeAsyncOptions(MinimizerOptions, FindAsyncOptions, total=False):
    """The options of `minimize_async`."""


class CommitOptions(CommitReductionOptions, FindOptions, total=False):
    """The options of `Repository.minimize_commit`."""


class CommitAsyncOptions(CommitReductionOptions, FindAsyncOptions, total=False):
    """The options of `Repository.minimize_commit_async`."""


class PatchOptions(PatchReductionOptions, FindOptions, total=False):
    """The options of `minimize_patch`."""


class PatchAsyncOptions(PatchReductionOptions, FindAsyncOptions, total=False):
    """The options of `minimize_patch_async`."""


@overload
def minimize(
    items: Patch, interesting: Callable[[Patch], Answer], **options: Unpack[MinimizeOptions]
) -> MinimizeReport[Patch]: ...
@overload
def minimize(
    items: Iterable[Item], interesting: Callable[[list[Item]], Answer], **options: Unpack[MinimizeOptions]
) -> MinimizeReport[list[Item]]: ...
@shows(MINIMIZE, THREADS, KEEP)
def minimize(
    items: Iterable[Any] | Patch, interesting: Callable[[Any], Answer], **options: Unpack[MinimizeOptions]
) -> MinimizeReport[Any]:
    """Finds the smallest set of items that still has a property: makes a `Minimizer` and drives it with `run`.

    Where the search ends early (`budget`), the report has the best answer so far.

    Args:
        items: Anything to iterate over. A text is a list of its characters: `"".join(report.items)`; for the lines of
            one, see `Minimizer` (and `minimize_text`, which goes on within lines). Or a `Patch`; see `minimize_patch`.
        interesting: Does the property still hold with just these? It gets the items that are kept as a new list, in
            their original order (of a patch a patch), and returns what an oracle may: True (it holds), False, None
            (cannot be told), an Outcome or an Observation.
        **options: See `MinimizerOptions` and `FindOptions`.

    Raises:
        NotReproducedError: If all items together do not have the property.
        BaseException: The exception that `interesting` raised, unchanged. To continue, call `run(error.firstbad_search,
            interesting)`. With a `journal`, repeat the same call.
        FirstbadError: See `Minimizer` and `run`.

    Example:
        >>> import firstbad as fb
        >>> report = fb.minimize(range(100), lambda kept: 17 in kept and 62 in kept)
        >>> report.items, report.runs < 40
        ([17, 62], True)
    """
    return find(Minimizer, items, interesting, options)


@overload
async def minimize_async(
    items: Patch, interesting: Callable[[Patch], Awaitable[Answer] | Answer], **options: Unpack[MinimizeAsyncOptions]
) -> MinimizeReport[Patch]: ...
@overload
async def minimize_async(
    items: Iterable[Item],
    interesting: Callable[[list[Item]], Awaitable[Answer] | Answer],
    **options: Unpack[MinimizeAsyncOptions],
) -> MinimizeReport[list[Item]]: ...
@shows(MINIMIZE, RUN, KEEP, like=minimize)
async def minimize_async(
    items: Iterable[Any] | Patch,
    interesting: Callable[[Any], Awaitable[Answer] | Answer],
    **options: Unpack[MinimizeAsyncOptions],
) -> MinimizeReport[Any]:
    """The same as `minimize`, for callbacks that are coroutines; driven by `run_async`.

    Raises:
        NotReproducedError: If all items together do not have the property.
        BaseException: The exception that `interesting` raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Minimizer` and `run_async`.
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


@shows(MINIMIZE, THREADS, KEEP, but=_TREE)
def minimize_patch(
    patch: Patch,
    interesting: Callable[[Patch], Answer],
    *,
    granularity: Granularity = "lines",
    **options: Unpack[PatchOptions],
) -> MinimizeReport[Patch]:
    r"""Finds the smallest part of a patch that still has a property: files, hunks, definitions, lines.

    That is the hierarchy of Artho, "Iterative Delta Debugging", Section 3.4, with blocks as the indentation tells them.
    Only what can stand alone is asked for: each part is a patch that applies where the whole one does, and holds no
    line without the one that its block begins with, unless brackets stand around the block.

    Args:
        patch: The patch; `report.items` is a part of it, `report.items.origin` or `report.kept` say which.
        interesting: Does the property still hold with just this patch? Returns what an oracle may: True (it holds),
            False, None (cannot be told: it does not build), an Outcome or an Observation.
        granularity: How finely to take it apart: to single `"lines"`; to `"edits"`, of which none is half of what was
            replaced nor a line without the condition that decides it; to `"definitions"`, to `"hunks"` or to `"files"`.
        **options: See `MinimizerOptions` but for the tree, and `FindOptions`.

    Raises:
        NotReproducedError: If the whole patch does not have the property.
        BaseException: The exception that `interesting` raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Minimizer` and `run`.

    Example:
        >>> import firstbad as fb
        >>> patch = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n-a\n+1\n+2\n+3\n")
        >>> report = fb.minimize_patch(patch, lambda part: "2" in part.apply({"x": "a\n"})["x"])
        >>> [(change.kind, change.text) for change in report.items.changes]
        [('added', '2')]
    """
    return find(PatchMinimizer, _checked(patch), interesting, options_for_a_patch(options, granularity))


@shows(MINIMIZE, RUN, KEEP, but=_TREE, like=minimize_patch)
async def minimize_patch_async(
    patch: Patch,
    interesting: Callable[[Patch], Awaitable[Answer] | Answer],
    *,
    granularity: Granularity = "lines",
    **options: Unpack[PatchAsyncOptions],
) -> MinimizeReport[Patch]:
    """The same as `minimize_patch`, for callbacks that are coroutines; driven by `run_async`.

    Raises:
        NotReproducedError: If the whole patch does not have the property.
        BaseException: The exception that `interesting` raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Minimizer` and `run_async`.
    """
    return await find_async(PatchMinimizer, _checked(patch), interesting, options_for_a_patch(options, granularity))
