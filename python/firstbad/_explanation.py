"""How a search came to its answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from firstbad import _native
from firstbad._lean import Lean
from firstbad._observation import Outcome

__all__ = ["Explanation", "explanations"]


@dataclass(frozen=True, repr=False, kw_only=True)
class Explanation(Lean):
    """What one answer did for a search. As text it is its `message`.

    Attributes:
        run: Which run of the test it was, from 1; None if it cost none.
        revision: What was tested, as its full id; None if it is about items alone.
        changes: The set of items or changes that was tested, in short: `"0-3,7"`; None for a revision as it is.
        outcome: What was seen.
        reason: Why that was asked, as far as what was known then can tell; None if it cannot, or nobody asked.
        suspects_before: How many revisions could be blamed before the answer; None if that is not known, as for items.
        suspects_after: How many could be blamed after it.
        best: The best answer after it in words, with short ids; None if there was none yet.
        message: All of it in words, with short ids.
    """

    run: int | None
    revision: str | None
    changes: str | None
    outcome: Outcome
    reason: str | None
    suspects_before: int | None
    suspects_after: int | None
    best: str | None
    message: str

    def __str__(self) -> str:
        return self.message


def explanations(search: _native.Search) -> list[Explanation]:
    """An explanation for each answer that counts."""
    written: list[dict[str, Any]] = json.loads(search.explanations())
    return [_explanation(one) for one in written]


def _explanation(written: dict[str, Any]) -> Explanation:
    fields: dict[str, Any] = {name: written.get(name) for name in Explanation.__dataclass_fields__}
    fields["outcome"] = Outcome(written["outcome"])
    return Explanation(**fields)
