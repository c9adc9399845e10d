"""Values that the core writes as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Written", "each", "every"]

Conversion = Callable[[Any], Any]


class Written:
    """A dataclass that the core writes as a JSON object."""

    __slots__ = ()

    _conversions: ClassVar[Mapping[str, Conversion]] = {}
    """The conversions from JSON by field. Null is not converted."""
    _names: ClassVar[Mapping[str, str]] = {}
    """The JSON names of fields, if they differ."""

    @classmethod
    def _from(cls, written: Mapping[str, Any]) -> Self:
        """Returns the value that the core wrote."""
        return cls(**cls._fields(written))

    @classmethod
    def _fields(cls, written: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the values of the fields that the core wrote."""
        found = {}
        for field in cls.__dataclass_fields__:  # type: ignore[attr-defined]
            name = cls._names.get(field, field)
            if name in written:
                value, convert = written[name], cls._conversions.get(field)
                found[field] = value if convert is None or value is None else convert(value)
        return found


def each(convert: Conversion) -> Conversion:
    """Returns the conversion of a list."""

    def converted(values: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(map(convert, values))

    return converted


def every(convert: Conversion) -> Conversion:
    """Returns the conversion of a mapping's values."""

    def converted(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: convert(value) for name, value in values.items()}

    return converted
