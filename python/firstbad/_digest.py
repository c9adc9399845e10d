"""What a search searches in, as a short text: so that a journal is not taken up with other items.

The same in every language, so that a journal that was begun in one goes on in another.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from decimal import Decimal
from hashlib import sha256
from typing import Any

from firstbad._patch import Patch

__all__ = ["digest"]


def digest(items: Iterable[Any] | Patch) -> str | None:
    """The SHA-256 of items, as hexadecimal text; None where one of them has no form that every language shares.

    Each item adds its kind, the number of its bytes in eight bytes, the most significant first, and its bytes: `s` and
    UTF-8 for texts, `b` for bytes, `j` and JSON for all else. A patch counts as one item: `p` and its text.
    """
    found = sha256()
    try:
        for kind, content in [(b"p", bytes(items))] if isinstance(items, Patch) else map(_form, items):
            found.update(kind + len(content).to_bytes(8, "big") + content)
    except (TypeError, ValueError, RecursionError):
        return None
    return found.hexdigest()


def _form(item: Any) -> tuple[bytes, bytes]:
    if isinstance(item, str):
        return b"s", item.encode()
    if isinstance(item, (bytes, bytearray, memoryview)):
        return b"b", bytes(item)
    return b"j", _canonical(item).encode()


def _canonical(value: Any) -> str:
    """JSON without spaces, keys sorted, numbers as JavaScript writes them.

    Raises:
        TypeError: It has no such form.
        ValueError: It has a number that is not finite.
    """
    if value is None or isinstance(value, (str, bool)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_canonical, value))}]"
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return "{" + ",".join(f"{_canonical(key)}:{_canonical(value[key])}" for key in sorted(value)) + "}"
    raise TypeError(f"no JSON form: {type(value).__name__}")


def _number(value: float) -> str:
    """A number as ECMAScript's Number::toString has it."""
    if not math.isfinite(value):
        raise ValueError("no finite number")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    _, shown, exponent = Decimal(repr(abs(value))).normalize().as_tuple()
    digits = "".join(map(str, shown))
    point = len(digits) + int(exponent)  # where the decimal point stands in the digits
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"
