"""The report of iterative delta debugging."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from firstbad import _native
from firstbad._generated.reports import PatchDetails, PorterFields
from firstbad._patch import ported_patch
from firstbad._words import SearchReport

__all__ = ["Figure", "PorterReport"]

Figure: TypeAlias = Literal["sizes", "reductions", "fixpoint"]
"""The name of a figure. See `PorterReport.to_svg`."""


@dataclass(frozen=True, repr=False, kw_only=True)
class PorterReport(SearchReport, PorterFields):
    """The result of iterative delta debugging, final or the best so far (Artho, "Iterative Delta Debugging", 2011).

    Attributes:
        details: The details of each patch, by the name of its field.
    """

    details: Mapping[str, PatchDetails] = field(hash=False)

    _algorithm: ClassVar[str] = "port"

    @classmethod
    def _fields(cls, written: Mapping[str, Any]) -> dict[str, Any]:
        patches = [name for name, convert in cls._conversions.items() if convert is ported_patch and written[name]]
        return {**super()._fields(written), "details": {name: PatchDetails._from(written[name]) for name in patches}}

    def to_svg(self, figure: Figure) -> str:
        """Returns a figure as an SVG file without scripts and links, for light themes, dark themes, and paper.

        If the report has no data for the figure, the figure says so.

        Args:
            figure: `"sizes"`: the sizes of the patches along the walk, before and after reduction (Artho, Figures 9 to
                22). `"reductions"`: the size of each patch before and after its reduction (Figures 23 and 24).
                `"fixpoint"`: the part of each patch that later rounds removed, until a fixpoint (Figure 25).

        Raises:
            InvalidArgumentError: If there is no such figure.
        """
        return _native.port_svg(self._text, figure)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def __repr__(self) -> str:
        return f"<PorterReport: {self.status} after {self.runs} runs: {self.message}>"
