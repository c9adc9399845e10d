"""The reduction of text by its tree of lines."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, overload

from firstbad import _native
from firstbad._errors import InvalidArgumentError
from firstbad._find import find, find_async
from firstbad._generated.options import TextReductionOptions
from firstbad._minimize import MINIMIZE, Minimizer
from firstbad._run_options import KEEP, RUN, THREADS, FindAsyncOptions, FindOptions
from firstbad._shown import shows

if TYPE_CHECKING:
    from typing_extensions import Unpack  # for type checkers only; it need not be installed

    from firstbad._observation import Answer
    from firstbad._reduction_report import MinimizeReport

_TREE = ("parents", "later")
"""Options that the text determines."""

__all__ = ["Outline", "minimize_text", "minimize_text_async", "outline"]


@dataclass(frozen=True)
class Outline:
    """The tree of the lines of a text, as `minimize` takes it.

    Attributes:
        parents: For each line the index of its parent line, or None at the top.
        dependencies: By index, the indices of the lines that a line needs, such as its closing brackets. A tuple among
            them means any one of its members: a `try` needs one of its clauses.
    """

    parents: tuple[int | None, ...]
    dependencies: dict[int, tuple[int | tuple[int, ...], ...]]


def outline(text: str | Iterable[str]) -> Outline:
    r"""Returns the tree of the lines of a text by brackets and indentation, for programs, JSON, YAML, and markup.

    The parent of a line is the last line before it with an open bracket, or else the last one with less indentation. A
    line and the line that closes its brackets need each other. An `else`, or a line that closes and reopens brackets,
    needs the block that it continues. A `{` alone belongs to the line before it at the same level, unless that line
    ends with a closing bracket, a comma, or a semicolon. A line that ends a block by a word (`fi`, `done`, `esac`,
    `end`) or a tag (`</p>`), a `then`, and a `do` belong to the line at the same level. In XML and HTML, tags count as
    brackets. An `#if` belongs to its `#endif`, and a line that ends with a backslash to the next line. An empty line
    has the level of the next line with text.

    Args:
        text: The text, or its lines, with or without line ends.

    Raises:
        InvalidArgumentError: If `text` is neither a text nor lines.

    Example:
        >>> import firstbad as fb
        >>> lines = ["if a {", "  b", "}", "c"]
        >>> tree = fb.outline(lines)
        >>> tree.parents, tree.dependencies
        ((None, 0, 0, None), {0: (2,)})
        >>> fb.minimize(lines, lambda kept: "  b" in kept, parents=tree.parents, dependencies=tree.dependencies).items
        ['if a {', '  b', '}']
    """
    return _outlined(_lines(text))


class TextOptions(TextReductionOptions, FindOptions, total=False):
    """The options of `minimize_text`."""


class TextAsyncOptions(TextReductionOptions, FindAsyncOptions, total=False):
    """The options of `minimize_text_async`."""


class TextMinimizer(Minimizer[Any]):
    """A `Minimizer` of the pieces of a text or of several files. The oracle gets texts."""

    __slots__ = ()

    def _open(self, items: Any, options: Mapping[str, Any]) -> None:
        super()._open(items, options)
        items.known_to(self._core)

    def _given(self, probe: _native.Probe) -> str | dict[str, str]:
        return self._decoded(self._items.pick(probe))  # type: ignore[union-attr]

    def _completed(self, options: str) -> str:
        return _native.options_in_text(options, self._items)  # type: ignore[arg-type]

    def _picked(self, indices: Iterable[int]) -> str | dict[str, str]:
        return self._decoded(self._items.subset(indices))  # type: ignore[union-attr, arg-type]

    def _decoded(self, files: list[bytes]) -> str | dict[str, str]:
        names = self._items.names  # type: ignore[union-attr]
        texts = [file.decode("utf-8", "surrogatepass") for file in files]
        return texts[0] if names is None else dict(zip(names, texts, strict=True))


@overload
def minimize_text(
    text: str | Iterable[str],
    interesting: Callable[[str], Answer],
    *,
    fine: bool = ...,
    language: str | None = ...,
    **options: Unpack[TextOptions],
) -> MinimizeReport[str]: ...
@overload
def minimize_text(
    text: Mapping[str, str],
    interesting: Callable[[dict[str, str]], Answer],
    *,
    fine: bool = ...,
    language: str | None = ...,
    **options: Unpack[TextOptions],
) -> MinimizeReport[dict[str, str]]: ...
@shows(MINIMIZE, THREADS, KEEP, but=_TREE)
def minimize_text(
    text: str | Iterable[str] | Mapping[str, str],
    interesting: Callable[[Any], Answer],
    *,
    fine: bool = False,
    language: str | None = None,
    **options: Unpack[TextOptions],
) -> MinimizeReport[Any]:
    r"""Finds the smallest text that still has a property: first by blocks, then by lines, then within lines.

    Brackets and indentation define the blocks (see `outline`), without a grammar. When no more lines can be removed,
    the search unwraps blocks, removes list elements (in XML and HTML, elements and attributes), empties quoted texts,
    replaces numbers by 0, and shortens names. Types of C become `int`. A comma that became the last one is removed, and
    an empty block of Python gets `pass`. Equal texts are tested once. With a `language`, texts that do not parse are
    not tested.

    Indices below the number of lines are lines, and later ones are pieces within lines. The default `guarantee` is
    `"1-minimal"`: the search tried to remove each remaining piece, line, block, frame of a block, and pair of adjacent
    lines. The exceptions are pairs that brackets tie to other lines, and lines that `fine` joined. A line is never
    removed while a remaining line needs it by `dependencies`.

    Args:
        text: A text, its lines with line ends, or a mapping from file names to texts. Several files are reduced
            together, and a name is shortened in all of them.
        interesting: A function that tests a text, or a dict of all files. It returns True if the text has the property,
            False, None (unresolved), an Outcome, or an Observation.
        fine: Whether to also remove single words, signs, blanks, and line ends. Strings and comments stay whole.
        language: The language of the text or files: `"python"`, `"javascript"`, `"typescript"`, `"tsx"` or `"json"`. A
            text that does not parse is unresolved without a run. None: every text is tested.
        **options: See `MinimizerOptions`, without `parents` and `later`, and `FindOptions`.

    Returns:
        A report whose `items` are the reduced text, or a dict of files. Indices count the lines of all files first.

    Raises:
        NotReproducedError: If the whole text does not have the property.
        InvalidArgumentError: If the language is unknown, the text does not parse in it, or an option is invalid.
        BaseException: The exception that `interesting` raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Minimizer` and `run`.

    Example:
        >>> import firstbad as fb
        >>> text = "def f():\n    return 1\n\ndef g():\n    print(2)\n    return 3\n"
        >>> fb.minimize_text(text, lambda kept: "print" in kept).items
        'print()\n'
        >>> files = {"a.h": "int f(int);\nint g(int);\n", "a.c": '#include "a.h"\nint x = f(2);\n'}
        >>> fb.minimize_text(files, lambda kept: "int f" in kept["a.h"] and "f(" in kept["a.c"]).items
        {'a.h': 'int f();\n', 'a.c': 'int x = f();\n'}
    """
    return find(TextMinimizer, _taken_apart(text, fine, language, options), interesting, options)


@overload
async def minimize_text_async(
    text: str | Iterable[str],
    interesting: Callable[[str], Awaitable[Answer] | Answer],
    *,
    fine: bool = ...,
    language: str | None = ...,
    **options: Unpack[TextAsyncOptions],
) -> MinimizeReport[str]: ...
@overload
async def minimize_text_async(
    text: Mapping[str, str],
    interesting: Callable[[dict[str, str]], Awaitable[Answer] | Answer],
    *,
    fine: bool = ...,
    language: str | None = ...,
    **options: Unpack[TextAsyncOptions],
) -> MinimizeReport[dict[str, str]]: ...
@shows(MINIMIZE, RUN, KEEP, but=_TREE, like=minimize_text)
async def minimize_text_async(
    text: str | Iterable[str] | Mapping[str, str],
    interesting: Callable[[Any], Awaitable[Answer] | Answer],
    *,
    fine: bool = False,
    language: str | None = None,
    **options: Unpack[TextAsyncOptions],
) -> MinimizeReport[Any]:
    """Async version of `minimize_text`, driven by `run_async`.

    Raises:
        NotReproducedError: If the whole text does not have the property.
        BaseException: The exception that `interesting` raised, unchanged. Its `firstbad_search` is the search.
        FirstbadError: See `Minimizer` and `run_async`.
    """
    return await find_async(TextMinimizer, _taken_apart(text, fine, language, options), interesting, options)


def _taken_apart(
    text: str | Iterable[str] | Mapping[str, str], fine: bool, language: str | None, options: Mapping[str, Any]
) -> _native.Text:
    """Returns the pieces of a text with their tree."""
    for name in _TREE:
        if name in options:
            raise InvalidArgumentError(
                f"{name}: {shortened(options[name])} is not valid here; expected none, because the text sets the "
                "tree. For another tree, use minimize with outline"
            )
    if not isinstance(fine, bool):
        raise InvalidArgumentError(f"fine: {fine!r} ({type(fine).__name__}) is not valid; expected True or False")
    if not isinstance(language, (str, type(None))):
        raise InvalidArgumentError(
            f"language: {shortened(language)} ({type(language).__name__}) is not valid; expected a name, as text"
        )
    names: list[str] | None = None
    if isinstance(text, Mapping):
        names, texts = list(text), ["".join(_lines(file)) for file in text.values()]
        for wrong in (name for name in names if not isinstance(name, str)):
            raise InvalidArgumentError(
                f"text: {shortened(wrong)} ({type(wrong).__name__}) is not valid; expected str as the name of each file"
            )
    else:
        texts = ["".join(_lines(text))]
    if not any(texts):
        raise InvalidArgumentError(f"text: {text!r} is not valid; expected at least one line")
    return _native.Text([file.encode("utf-8", "surrogatepass") for file in texts], names, fine, language)


def _outlined(lines: list[str]) -> Outline:
    parents, dependencies = _native.outline(lines)
    return Outline(
        tuple(parents),
        {
            line: tuple(need if isinstance(need, int) else tuple(need) for need in needed)
            for line, needed in dependencies.items()
        },
    )


def _lines(text: str | Iterable[str]) -> list[str]:
    if isinstance(text, str):
        return list(StringIO(text))  # not splitlines(), which cuts at form feeds, too
    if isinstance(text, (bytes, bytearray, memoryview)):
        kind = type(text).__name__
        raise InvalidArgumentError(f"text: {shortened(text)} ({kind}) is not valid; expected str: decode it first")
    lines = list(text) if isinstance(text, Iterable) else [text]
    for wrong in (line for line in lines if not isinstance(line, str)):
        raise InvalidArgumentError(
            f"text: {shortened(wrong)} ({type(wrong).__name__}) is not valid; expected a text, or its lines, as str"
        )
    return lines
