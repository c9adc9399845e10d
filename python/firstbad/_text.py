"""Texts: their lines as a tree, and the smallest part of a text that still shows it."""

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
"""Options that a text says itself."""

__all__ = ["Outline", "minimize_text", "minimize_text_async", "outline"]


@dataclass(frozen=True)
class Outline:
    """The tree that the lines of a text form, as `minimize` takes it.

    Attributes:
        parents: For each line the index of the line that it stands below; None at the top.
        dependencies: By index, the indices of the lines that a line does not stand without: the brackets that close it.
            A tuple among them means any one of its members: `try` stands with one of its clauses.
    """

    parents: tuple[int | None, ...]
    dependencies: dict[int, tuple[int | tuple[int, ...], ...]]


def outline(text: str | Iterable[str]) -> Outline:
    r"""The tree that the lines of a text form by their brackets and indentation: programs, JSON, YAML, any markup.

    A line stands below the last one before it whose brackets are open, or else that is indented less. One that closes
    brackets of another goes with it, and neither goes without the other; one that opens as many again, and `else` and
    its like, needs what it goes on with. A `{` by itself belongs to what it is level with, unless what is before it has
    ended, by a closing bracket, a comma or a semicolon. A line that ends a block by a word (`fi`, `done`, `esac`, `end`
    and its like) or by a tag (`</p>`) goes with the line that it is level with, likewise a `then` or a `do`. In a text
    that begins with a tag (XML, HTML) tags are brackets, however their lines are indented. `#if` goes with its
    `#endif`, a line with a backslash at its end with the next one. An empty line is level with the next one that is
    not.

    Args:
        text: A text, or its lines, with their ends or without.

    Raises:
        InvalidArgumentError: Neither a text nor texts.

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
    """A Minimizer of the pieces of a text, or of several files, whose callbacks get texts."""

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
    r"""Finds the smallest text that still has a property: blocks first, then what is in them, then what is in lines.

    What a block is, brackets and indentation say; see `outline`. A line goes with the one that it stands below, and a
    block with the bracket that closes it. When no more lines go,
    blocks are tried without what stands around them, elements of lists are left out (in XML and HTML elements and
    attributes), quoted texts become empty, numbers 0 and names short, or `int` where a type stands as in C. The comma
    before a bracket goes when what was behind it went, and a block of Python with nothing left in it gets `pass`. No
    grammar is needed. Texts that are equal are tested once, and with a `language` those that do not parse are not
    tested.

    Indices are those of lines; from the number of lines on, those of what is in them. `guarantee` is `"1-minimal"` by
    default: each piece that is left was tried without, and each line alone, whatever stands below it and whatever
    bracket it closes; so were each block, what stands around it, and each two lines that are next to each other in what
    is left, if no bracket ties them to others or a block ends on one and the next begins on the other. A line that
    `fine` made of several is none of these. What `dependencies` say, they are never tried without.

    Args:
        text: A text, whose lines end with `\n`, or its lines, with their ends, as an open file gives them. Or several
            files that are reduced together, texts by their names: what goes from one lets more go from another, and a
            name is shortened in all of them alike.
        interesting: Does the property still hold with just this text (of several files a dict, with all their names)?
            Returns what an oracle may: True (it holds), False, None (cannot be told: it does not compile), an Outcome
            or an Observation.
        fine: Whether to go on within lines, to single words and signs, and to the blanks and line ends that lay them
            out. What a string or a comment says stays together.
        language: The language that the text, or each file, is in: `"python"`, `"javascript"`, `"typescript"`, `"tsx"`
            or `"json"`. Then nothing is tested that does not parse, which costs no run and counts as unresolved. By
            default anything is tested.
        **options: Those of `MinimizerOptions` but for `parents` and `later`, and `FindOptions`, as keywords.

    Returns:
        A report whose `items` are the text that is kept; of several files a dict of them. Indices count the lines of
        all files first.

    Raises:
        NotReproducedError: The property does not hold for the whole text.
        InvalidArgumentError: There is no grammar for the language, or the text does not parse in it; as `Minimizer`
            says.
        BaseException: What the callback raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `Minimizer` and `run` say.

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
    """The same as `minimize_text`, for callbacks that are coroutines; driven by `run_async`.

    Raises:
        NotReproducedError: The property does not hold for the whole text.
        BaseException: What the callback raised, the very same object, with the search as `firstbad_search`.
        FirstbadError: As `Minimizer` and `run_async` say.
    """
    return await find_async(TextMinimizer, _taken_apart(text, fine, language, options), interesting, options)


def _taken_apart(
    text: str | Iterable[str] | Mapping[str, str], fine: bool, language: str | None, options: Mapping[str, Any]
) -> _native.Text:
    """The pieces of a text, which are a tree by themselves."""
    for name in _TREE:
        if name in options:
            raise InvalidArgumentError(
                f"{name}: {shortened(options[name])} is not valid here; expected none, for the text says what stands "
                "below what; use minimize with outline for another tree"
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
