"""What a culprit search answers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from firstbad import _native
from firstbad._generated.reports import CulpritFields
from firstbad._posterior import Posterior
from firstbad._words import SearchReport

if TYPE_CHECKING:
    from firstbad._ranking import Ranking

__all__ = ["CulpritReport"]


@dataclass(frozen=True, repr=False, kw_only=True)
class CulpritReport(SearchReport, CulpritFields):
    """The answer of a culprit search, final or the best so far (FACF: Henderson et al. 2023).

    A report that was read has the hypotheses of `credible_set` alone in its posterior: a million suspects are not
    written down.

    Attributes:
        posterior: The probability of every suspect when the report was made: a read-only mapping, nothing is computed
            before it is looked at. Not part of comparisons between reports.
        ranking: The suspects as the build graph ranks them, where `find_culprit` was given one. Not part of comparisons
            either.
    """

    posterior: Posterior = field(compare=False)
    ranking: Ranking | None = field(default=None, compare=False)

    _algorithm: ClassVar[str] = "culprit"

    @classmethod
    def _fields(cls, written: Any) -> dict[str, Any]:
        found = super()._fields(written)
        return {**found, "posterior": Posterior.of_hypotheses(found["credible_set"], found["no_culprit"])}

    @classmethod
    def _with(cls, text: str, posterior: _native.Posterior) -> CulpritReport:
        """Returns the report that the core wrote, with the posterior at the same moment."""
        return replace(cls._written(text), posterior=Posterior(posterior))

    def __repr__(self) -> str:
        runs = f"{self.runs} {'run' if self.runs == 1 else 'runs'}"
        return f"<CulpritReport: {self.conclusion} after {runs}: {self.message}>"
