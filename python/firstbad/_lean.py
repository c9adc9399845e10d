"""A short repr for dataclasses, without defaults."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

__all__ = ["Lean"]


class Lean:
    """A dataclass (with `repr=False`) whose repr omits fields with default values.

    Fields of a subclass come first, so that an observation starts with its revision.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        bases = (base for base in type(self).__mro__[1:] if is_dataclass(base))
        inherited = {one.name for base in bases for one in fields(base)}
        shown = [one for one in fields(self) if one.repr and _is_set(self, one)]  # type: ignore[arg-type]
        shown.sort(key=lambda one: one.name in inherited)
        words = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in shown)
        return f"{type(self).__qualname__}({words})"


def _is_set(whole: object, one: Field[Any]) -> bool:
    value = getattr(whole, one.name)
    if one.default_factory is not MISSING:
        return bool(value != one.default_factory())
    # None is also a default of fields that the class does not declare as such.
    return value is not None and (one.default is MISSING or bool(value != one.default))
