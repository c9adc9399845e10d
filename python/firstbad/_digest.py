"""What a search searches in, as a short text: so that a journal is not resumed with other items.

The core makes it, the same in every language, so that a journal that was begun in one goes on in another.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from firstbad import _native
from firstbad._patch import Patch

__all__ = ["digest"]


def digest(items: Iterable[Any] | Patch | _native.Text) -> str | None:
    """The digest of items; None if one of them has no form that every language shares."""
    if isinstance(items, Patch):
        return _native.digest([("patch", bytes(items))])
    if isinstance(items, _native.Text):
        return items.digest()
    try:
        return _native.digest([_form(item) for item in items])
    except (TypeError, ValueError, RecursionError):
        return None


def _form(item: Any) -> tuple[str, bytes]:
    """The kind of an item and its content, as the core takes them.

    Raises:
        TypeError: It has no JSON form.
        ValueError: It has a number that is not finite, half of a surrogate pair, or itself in it.
    """
    if isinstance(item, str):
        return "text", item.encode()
    if isinstance(item, (bytes, bytearray, memoryview)):
        return "bytes", bytes(item)
    written = json.dumps(item, ensure_ascii=False, allow_nan=False).encode()
    _check_keys(item)
    return "json", written


def _check_keys(value: Any) -> None:
    """Refuses keys that JSON would turn into texts.

    Raises:
        TypeError: A key is no text.
    """
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("a key of a JSON object is a text")
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return
    for part in value:
        _check_keys(part)
