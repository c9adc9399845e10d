"""Inspection of values without calling their code."""

from __future__ import annotations

from types import GetSetDescriptorType
from typing import Any

#: Numbers beyond this are not the same in every language.
LARGEST = 2**53

#: The longest text that is kept as a value.
LONGEST = 100

#: The most attributes of an object that are looked at.
MOST_ATTRIBUTES = 32

_NAME = type.__dict__["__name__"]
_MRO = type.__dict__["__mro__"]
_DICT = type.__dict__["__dict__"]


class Opaque:
    """A value with a known type, and for a number a known sign."""


OPAQUE = Opaque()


def seen(value: Any) -> tuple[str, Any, int | None]:
    """Returns the type name of a value, its JSON value or `OPAQUE`, and the sign of a number: -1, 0 or 1."""
    kind = type(value)
    if value is None or kind is bool:
        return kind.__name__, value, None
    if kind is int:
        sign = (value > 0) - (value < 0)
        return "int", value if -LARGEST <= value <= LARGEST else OPAQUE, sign
    if kind is float:
        if value != value:
            return "float", OPAQUE, None
        sign = (value > 0) - (value < 0)
        # Adding 0.0 converts -0.0 to 0.0.
        return "float", value + 0.0 if -LARGEST <= value <= LARGEST else OPAQUE, sign
    if kind is str:
        return "str", value if len(value) <= LONGEST and is_text(value) else OPAQUE, None
    return type_name(kind), OPAQUE, None


def is_text(value: str) -> bool:
    """Returns whether JSON can contain a text, which lone surrogates prevent."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def type_name(kind: type) -> str:
    """Returns the name of a type, independently of its metaclass."""
    name: str = _NAME.__get__(kind)
    return name if type(name) is str and len(name) <= LONGEST and is_text(name) else "object"


def attributes(value: Any) -> list[tuple[str, Any]]:
    """Returns the attributes in the `__dict__` of an object, if it is a plain dict and not too large."""
    for owner in _MRO.__get__(type(value)):
        found = _DICT.__get__(owner).get("__dict__")
        if found is not None:
            members = found.__get__(value) if type(found) is GetSetDescriptorType else None
            if type(members) is not dict or len(members) > MOST_ATTRIBUTES:
                return []
            # Another thread can add members, so copy them in one step.
            return [(name, member) for name, member in members.copy().items() if type(name) is str and is_text(name)]
    return []
