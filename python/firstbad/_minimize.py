"""Delta debugging (Zeller and Hildebrandt 2002; Artho, "Iterative Delta Debugging", Section 3)."""

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
    "parents": "no tree, because a patch has its own",
    "later": "no passes, because the granularity sets them",
    "depth": 'granularity instead: "lines", "edits", "definitions", "hunks" or "files"',
    "keep": "no such option, because a failure is kept",
}


MINIMIZE = Options(MinimizerOptions, defaults=defaults("minimize"))


@shows(MINIMIZE)
class Minimizer(Reduction[MinimizeReport[Kept], Kept], Generic[Kept]):
    """A search for the smallest set of items that still has a property.

    Use the ask/tell interface, or `run`. The search tests all items first, to check that they have the property.
    Without a `confidence`, it never tests a set twice. `probe.pick(items)` returns the items of a probe.

    Args:
        items: An iterable, older items first, or a `Patch`, whose items are its changes. The search tries to remove the
            newest items first. A text is a list of its characters. For lines of a text, each with its line end, and for
            a `Patch`, the search uses their tree (see `outline`), with the guarantee `"1-minimal"`. Options that
            describe the items, or another algorithm than `"auto"`, replace the tree of lines. A patch always adds its
            own dependencies.
        **options: See `MinimizerOptions`.

    Raises:
        InvalidArgumentError: If there are no items, the number of weights differs, an index is out of range, the tree
            has a cycle, or a rate or confidence is out of range.

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
        report: MinimizeReport[Kept] = MinimizeReport._picked(self._core.report(), self._picked)
        return report._made_of(self._items)._of(self._core)


class GranularityOptions(TypedDict, total=False):
    """The unit of a reduction of a patch.

    Attributes:
        granularity: The smallest unit: files, hunks (and header changes), definitions (the outermost blocks of a hunk,
            by indentation), edits (a change with the line that it replaces, or a line with its condition), or single
            changes.
    """

    granularity: Granularity


class PatchMinimizer(Minimizer[Patch]):
    """A `Minimizer` of the parts of a patch."""

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
    """Finds the smallest set of items that still has a property: runs a `Minimizer`.

    If the search uses up its `budget`, the report contains the smallest set so far.

    Args:
        items: An iterable, or a `Patch` (see `minimize_patch`). A text is a list of its characters:
            `"".join(report.items)`. For lines, see `Minimizer` and `minimize_text`.
        interesting: A function that tests a set, given as a new list in the original order, or as a `Patch`. It returns
            True if the set has the property, False, None (unresolved), an Outcome, or an Observation.
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
    """Async version of `minimize`, driven by `run_async`.

    Raises:
        NotReproducedError: If all items together do not have the property.
        BaseException: The exception that `interesting` raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Minimizer` and `run_async`.
    """
    return await find_async(Minimizer, items, interesting, options)


def options_for_a_patch(options: Mapping[str, Any], granularity: Granularity, **given: Any) -> dict[str, Any]:
    """Returns the options of a search in a patch, which determines its own tree.

    Raises:
        InvalidArgumentError: If an option is not allowed for a patch.
    """
    for name, instead in _NOT_FOR_A_PATCH.items():
        if name in options and (name != "keep" or "keep" in given):
            raise InvalidArgumentError(f"{name}: {options[name]!r} is not valid here; expected {instead}")
    return {**options, **given, "granularity": granularity}


def _checked(patch: Patch) -> Patch:
    if not isinstance(patch, Patch):
        raise InvalidArgumentError(
            f"patch: {shortened(patch)} ({type(patch).__name__}) is not valid; "
            "expected a Patch, such as Patch.parse(text)"
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
    r"""Finds the smallest part of a patch that still has a property, by files, hunks, definitions, and lines.

    The hierarchy is that of Artho, "Iterative Delta Debugging", Section 3.4, with blocks by indentation. Each part
    applies to the same files as the whole patch. A part contains a line only with the first line of its block, unless
    brackets enclose the block.

    Args:
        patch: The patch. `report.items` is the reduced patch, and `report.kept` lists the indices of its changes.
        interesting: A function that tests a part of the patch. It returns True if the part has the property, False,
            None (unresolved, such as a failed build), an Outcome, or an Observation.
        granularity: The smallest unit: `"lines"`, `"edits"`, `"definitions"`, `"hunks"` or `"files"`. An edit keeps
            replaced lines together, and a line with its condition.
        **options: See `MinimizerOptions`, without the tree, and `FindOptions`.

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
    """Async version of `minimize_patch`, driven by `run_async`.

    Raises:
        NotReproducedError: If the whole patch does not have the property.
        BaseException: The exception that `interesting` raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Minimizer` and `run_async`.
    """
    return await find_async(PatchMinimizer, _checked(patch), interesting, options_for_a_patch(options, granularity))
