"""The report of a verification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from firstbad._generated.reports import VerificationFields
from firstbad._words import SearchReport

__all__ = ["VerificationReport"]


@dataclass(frozen=True, repr=False, kw_only=True)
class VerificationReport(SearchReport, VerificationFields):
    """The result of a verification (FACF: Henderson et al. 2023, Section 4, "Culprit Verification")."""

    _algorithm: ClassVar[str] = "verification"

    def __repr__(self) -> str:
        return f"<VerificationReport: {self.message}>"
