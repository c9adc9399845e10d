"""The report of a culprit search."""

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
    """The result of a culprit search, final or the best so far (FACF: Henderson et al. 2023).

    The posterior of a report from JSON contains only the hypotheses of `credible_set`.

    Attributes:
        posterior: The probability of every suspect at the time of the report, as a read-only mapping that is computed
            on access. Comparisons between reports ignore it.
        ranking: The ranking of the suspects by the build graph, if you passed one to `find_culprit`. Comparisons
            between reports ignore it.
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
