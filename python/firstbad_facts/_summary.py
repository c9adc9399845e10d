"""Facts about all values of a variable."""

from __future__ import annotations

from typing import Any

from firstbad_facts._values import OPAQUE, seen

#: The most values of a variable that is one of few.
FEW = 5

#: The most types of a variable that are told.
MOST_TYPES = 8

#: The signs that are told, by those that were seen of -1, 0 and 1.
_SIGNS = {
    (-1,): "negative",
    (0,): "zero",
    (1,): "positive",
    (0, 1): "nonnegative",
    (-1, 0): "nonpositive",
    (-1, 1): "nonzero",
}


class Summary:
    """A summary of constant size of the values of a variable."""

    __slots__ = ("high", "low", "others", "signs", "types", "unsigned", "values")

    def __init__(self) -> None:
        #: The values, with their types, for equal ones of other types are others.
        self.values: set[tuple[str, Any]] = set()
        #: Whether there were values that are not among them.
        self.others = False
        self.types: set[str] = set()
        self.signs: set[int] = set()
        #: Whether there were values without a sign.
        self.unsigned = False
        #: The lowest and the highest number; None while there was none, or one that is too large.
        self.low: float | None = None
        self.high: float | None = None

    def add(self, value: Any) -> None:
        """Adds a value."""
        kind, known, sign = seen(value)
        if len(self.types) <= MOST_TYPES:
            self.types.add(kind)
        if known is OPAQUE:
            self.others = True
        elif len(self.values) <= FEW:
            self.values.add((kind, known))
        if sign is None:
            self.unsigned = True
            return
        self.signs.add(sign)
        if known is not OPAQUE:
            self.low = known if self.low is None else min(self.low, known)
            self.high = known if self.high is None else max(self.high, known)

    def facts(self) -> list[tuple[str, list[Any]]]:
        """Returns the kinds of facts that hold for all values, each with its values."""
        facts: list[tuple[str, list[Any]]] = []
        values = [value for _, value in sorted(self.values, key=_order)]
        if values and not self.others and len(values) <= FEW:
            facts.append(("constant" if len(values) == 1 else "one_of", values))
        if not self.unsigned:
            if not self.others and self.low is not None:
                facts.append(("range", [self.low, self.high]))
            sign = _SIGNS.get(tuple(sorted(self.signs)))
            if sign is not None:
                facts.append(("sign", [sign]))
        if 0 < len(self.types) <= MOST_TYPES:
            facts.append(("type", sorted(self.types)))
        if "NoneType" not in self.types and len(self.types) <= MOST_TYPES:
            facts.append(("not_none", []))
        return facts

    def packed(self) -> list[Any]:
        """Returns the summary as lists of built-in values, for another process."""
        return [list(self.values), self.others, list(self.types), list(self.signs), self.unsigned, self.low, self.high]

    def merge(self, packed: list[Any]) -> None:
        """Adds the summary of another process."""
        values, others, types, signs, unsigned, low, high = packed
        self.values.update((kind, value) for kind, value in values)
        self.others |= others
        self.types.update(types)
        self.signs.update(signs)
        self.unsigned |= unsigned
        self.low = low if self.low is None else self.low if low is None else min(self.low, low)
        self.high = high if self.high is None else self.high if high is None else max(self.high, high)


def _order(value: tuple[str, Any]) -> tuple[str, Any]:
    # NoneType has one value, and values of the other types have an order.
    return value
