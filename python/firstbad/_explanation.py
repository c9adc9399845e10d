"""Explanations of a search, outcome by outcome."""

from __future__ import annotations

import json

from firstbad import _native
from firstbad._generated.reports import Explanation

__all__ = ["explanations"]


def explanations(search: _native.Search) -> list[Explanation]:
    """Returns an explanation for each outcome that counts."""
    return [Explanation._from(one) for one in json.loads(search.explanations())]
