"""Digests of items, so that a journal is not resumed with other items.

The core computes the digest, so all front ends can resume the same journal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from firstbad import _native
from firstbad._patch import Patch

__all__ = ["digest"]


def digest(items: Iterable[Any] | Patch | _native.Text) -> str | None:
    """Returns the digest of items, or None if an item has no JSON form."""
    if isinstance(items, Patch):
        return _native.digest([("patch", bytes(items))])
    if isinstance(items, _native.Text):
        return items.digest()
    try:
        return _native.digest([_form(item) for item in items])
    except (TypeError, ValueError, RecursionError):
        return None


def _form(item: Any) -> tuple[str, bytes]:
    """Returns the kind of an item and its content, as the core takes them.

    Raises:
        TypeError: If the item has no JSON form.
        ValueError: If the item contains a number that is not finite, a lone surrogate, or itself.
    """
    if isinstance(item, str):
        return "text", item.encode()
    if isinstance(item, (bytes, bytearray, memoryview)):
        return "bytes", bytes(item)
    written = json.dumps(item, ensure_ascii=False, allow_nan=False).encode()
    _check_keys(item)
    return "json", written


def _check_keys(value: Any) -> None:
    """Refuses keys that JSON would convert to texts.

    Raises:
        TypeError: If a key is not a text.
    """
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("a key of a JSON object is a text")
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return
    for part in value:
        _check_keys(part)
