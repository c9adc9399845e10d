"""Options, each written down once: as a field of a TypedDict, whose docstring says what it means.

Whatever takes options as keywords shows them one by one, with their defaults, in its signature and in its docstring,
so that `help` explains all of them where the reader stands.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from inspect import Parameter
from types import CodeType
from typing import Any, TypeVar

from firstbad._native import instead

__all__ = ["Options", "check", "shows", "with_attributes"]

Taker = TypeVar("Taker", bound=Callable[..., Any])

_ENTRY = re.compile(r" {4}(\*{0,2}\w+):")
_SECTIONS = ("Returns:", "Raises:", "Example:")

# By its code, what a function does not take of the options that are shown for it.
_NOT_TAKEN: dict[CodeType, Collection[str]] = {}


class Options:
    """Options that belong together.

    Attributes:
        parameters: Each option as `inspect.signature` shows it.
        meanings: What each means, as an entry of a docstring's section.
        needed: Those that have to be given.
    """

    def __init__(self, *kinds: type, defaults: Mapping[str, object]) -> None:
        """What the TypedDicts `kinds` declare; the default of what is not among the `defaults` is None."""
        self.parameters: dict[str, Parameter] = {}
        self.meanings: dict[str, str] = {}
        self.needed: list[str] = []
        for kind in kinds:
            for name, declared in kind.__annotations__.items():
                annotation = str(getattr(declared, "__forward_arg__", declared))
                default = defaults.get(name)
                if annotation.startswith("Required["):
                    annotation, default = annotation[len("Required[") : -1], Parameter.empty
                    self.needed.append(name)
                self.parameters[name] = Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            self.meanings |= _entries(kind.__doc__, "Attributes:")

    def complete(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options with the defaults of those that are not given.

        Raises:
            TypeError: As `check` says.
        """
        check(given, self)
        return {name: given.get(name, parameter.default) for name, parameter in self.parameters.items()}


def check(given: Collection[str], *known: Options) -> None:
    """Refuses options that nobody knows, and calls without those that are needed.

    Raises:
        TypeError: The option is named, and the one that may have been meant.
    """
    names = [name for options in known for name in options.parameters]
    for wrong in given:
        if wrong not in names:
            called, own, but = _called()
            taken = list(dict.fromkeys([*own, *(name for name in names if name not in but)]))
            raise TypeError(f"{called} has no option {json.dumps(wrong)}; {instead(wrong, taken)}")
    for options in known:
        for name in options.needed:
            if name not in given:
                raise TypeError(f"{_called()[0]} needs the option {name!r}, which has no default")


def _called() -> tuple[str, tuple[str, ...], Collection[str]]:
    """What the caller of this package called, as it is written, with two sets of keywords.

    They are those that it takes beside the options, and those of the options that it does not take.
    """
    own: tuple[str, ...] = ()
    but: Collection[str] = ()
    frame, name = inspect.currentframe(), "this function"
    # A generator that is a context is called by contextlib.
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in ("firstbad", "contextlib"):
        function, of = frame.f_code.co_name, frame.f_locals.get("self", frame.f_locals.get("cls"))
        owner = of.__name__ if isinstance(of, type) else type(of).__name__
        if function == "__init__" or not function.startswith("_"):
            name = owner if function == "__init__" else function if of is None else f"{owner}.{function}"
            code, only = frame.f_code, frame.f_code.co_kwonlyargcount
            own = code.co_varnames[code.co_argcount : code.co_argcount + only]
            but = _NOT_TAKEN.get(code, ())
        frame = frame.f_back
    return f"{name}()", own, but


def shows(
    *known: Options, but: Collection[str] = (), like: Callable[..., Any] | None = None
) -> Callable[[Taker], Taker]:
    """Shows the options of a function or a class one by one, after its own parameters.

    Args:
        known: The options that it takes as keywords.
        but: Those of them that it does not take.
        like: A function that explains those parameters that its own docstring does not.
    """

    def show(taker: Taker) -> Taker:
        options = {name: one for group in known for name, one in group.parameters.items() if name not in but}
        made: Any = taker.__init__ if isinstance(taker, type) else taker  # type: ignore[misc]
        signature = inspect.signature(made)
        _NOT_TAKEN[made.__code__] = but
        own = [one for one in signature.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
        made.__signature__ = signature.replace(parameters=[*own, *options.values()])
        if isinstance(taker, type):
            own = own[1:]
            taker.__signature__ = signature.replace(parameters=[*own, *options.values()])  # type: ignore[attr-defined]
        if taker.__doc__ is not None:
            meanings = _entries(like.__doc__ if like else None, "Args:") | _entries(taker.__doc__, "Args:")
            for group in known:
                meanings |= group.meanings
            names = [*(one.name for one in own if one.name not in ("self", "cls")), *options]
            taker.__doc__ = _with_section(inspect.cleandoc(taker.__doc__), "Args:", [meanings[name] for name in names])
        return taker

    return show


def with_attributes(kind: type) -> str:
    """Returns the docstring of a class, with the attributes that its bases describe."""
    entries: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        entries |= _entries(base.__dict__.get("__doc__"), "Attributes:")
    docstring = inspect.cleandoc(kind.__doc__ or "")
    return _with_section(docstring, "Attributes:", entries.values()) if entries else docstring


def _entries(docstring: str | None, section: str) -> dict[str, str]:
    """The entries of one section of a docstring, by name."""
    found: dict[str, str] = {}
    name = None
    _, _, below = inspect.cleandoc(docstring or "").partition(f"\n{section}\n")
    for line in below.splitlines():
        if not line.startswith("    "):
            break
        if entry := _ENTRY.match(line):
            name = entry[1]
            found[name] = line
        elif name is not None:
            found[name] += f"\n{line}"
    return found


def _with_section(docstring: str, section: str, entries: Iterable[str]) -> str:
    """Returns a docstring with these entries in a section, in place of those that it has there."""
    paragraphs = [one for one in docstring.split("\n\n") if not one.startswith(f"{section}\n")]
    place = next((place for place, one in enumerate(paragraphs) if one.startswith(_SECTIONS)), len(paragraphs))
    paragraphs.insert(place, "\n".join([section, *entries]))
    return "\n\n".join(paragraphs)
