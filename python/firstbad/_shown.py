"""Options as fields of TypedDicts, whose docstrings document them.

Functions that take options show them with their defaults in their signature and docstring, so that `help` explains all
of them.
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

# The options that a function does not take, by the code of the function.
_NOT_TAKEN: dict[CodeType, Collection[str]] = {}


class Options:
    """A group of options.

    Attributes:
        parameters: The parameter of each option for `inspect.signature`.
        meanings: The docstring entry of each option.
        needed: The required options.
    """

    def __init__(self, *kinds: type, defaults: Mapping[str, object]) -> None:
        """Collects the options of TypedDicts. The default of an option outside `defaults` is None."""
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
        """Returns the options, completed with their defaults.

        Raises:
            TypeError: See `check`.
        """
        check(given, self)
        return {name: given.get(name, parameter.default) for name, parameter in self.parameters.items()}


def check(given: Collection[str], *known: Options) -> None:
    """Refuses unknown options, and calls without required options.

    Raises:
        TypeError: If an option is unknown or missing. The message suggests a similar name.
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
    """Returns the call of this package in the caller, as text.

    The other results are the parameters besides the options, and the options that the function does not take.
    """
    own: tuple[str, ...] = ()
    but: Collection[str] = ()
    frame, name = inspect.currentframe(), "this function"
    # contextlib calls generators that are context managers.
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
    """Shows the options of a function or class in its signature and docstring.

    Args:
        known: The options that it takes as keywords.
        but: The options among them that it does not take.
        like: A function whose docstring explains the parameters that its own docstring omits.
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
    """Returns the entries of a section of a docstring, by name."""
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
    """Returns a docstring with these entries as the section about arguments."""
    paragraphs = [one for one in docstring.split("\n\n") if not one.startswith(f"{section}\n")]
    place = next((place for place, one in enumerate(paragraphs) if one.startswith(_SECTIONS)), len(paragraphs))
    paragraphs.insert(place, "\n".join([section, *entries]))
    return "\n\n".join(paragraphs)
