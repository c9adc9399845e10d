"""The report of a triage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from firstbad._generated.reports import TriageFields
from firstbad._words import SearchReport

__all__ = ["TriageReport"]


@dataclass(frozen=True, repr=False, kw_only=True)
class TriageReport(SearchReport, TriageFields):
    """The result of a triage, final or the best so far."""

    _algorithm: ClassVar[str] = "triage"

    def __repr__(self) -> str:
        runs = f"{self.runs} {'run' if self.runs == 1 else 'runs'}"
        return f"<TriageReport: {self.status} after {runs}: {self.message}>"
