"""How a search came to its answer."""

from __future__ import annotations

import json

from firstbad import _native
from firstbad._generated.reports import Explanation

__all__ = ["explanations"]


def explanations(search: _native.Search) -> list[Explanation]:
    """An explanation for each answer that counts."""
    return [Explanation._from(one) for one in json.loads(search.explanations())]
