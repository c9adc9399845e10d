"""What is seen of a value, without calling anything that belongs to it."""

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
    """A value of which only the type is known, and of a number its sign."""


OPAQUE = Opaque()


def seen(value: Any) -> tuple[str, Any, int | None]:
    """The name of a value's type, the value if JSON has it, else `OPAQUE`, and of a number its sign: -1, 0 or 1."""
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
        # What is added makes 0.0 of -0.0.
        return "float", value + 0.0 if -LARGEST <= value <= LARGEST else OPAQUE, sign
    if kind is str:
        return "str", value if len(value) <= LONGEST and is_text(value) else OPAQUE, None
    return type_name(kind), OPAQUE, None


def is_text(value: str) -> bool:
    """Whether JSON can hold a text: halves of characters are none."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def type_name(kind: type) -> str:
    """The name of a type, whatever its metaclass says."""
    name: str = _NAME.__get__(kind)
    return name if type(name) is str and len(name) <= LONGEST and is_text(name) else "object"


def attributes(value: Any) -> list[tuple[str, Any]]:
    """The attributes that an object has in its own `__dict__`, if it has the usual one, and not too many."""
    for owner in _MRO.__get__(type(value)):
        found = _DICT.__get__(owner).get("__dict__")
        if found is not None:
            members = found.__get__(value) if type(found) is GetSetDescriptorType else None
            if type(members) is not dict or len(members) > MOST_ATTRIBUTES:
                return []
            # Another thread may add some meanwhile: a copy is made at once.
            return [(name, member) for name, member in members.copy().items() if type(name) is str and is_text(name)]
    return []
