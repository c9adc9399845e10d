"""What iterative delta debugging answers."""

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
"""A figure of a report; see `PorterReport.to_svg`."""


@dataclass(frozen=True, repr=False, kw_only=True)
class PorterReport(SearchReport, PorterFields):
    """The answer of iterative delta debugging, final or so far (Artho, "Iterative Delta Debugging", 2011).

    Attributes:
        details: What there is to know about each of the patches that were found, by their names.
    """

    details: Mapping[str, PatchDetails] = field(hash=False)

    _algorithm: ClassVar[str] = "port"

    @classmethod
    def _fields(cls, written: Mapping[str, Any]) -> dict[str, Any]:
        patches = [name for name, convert in cls._conversions.items() if convert is ported_patch and written[name]]
        return {**super()._fields(written), "details": {name: PatchDetails._from(written[name]) for name in patches}}

    def to_svg(self, figure: Figure) -> str:
        """A figure as one SVG file: without scripts and links, for light, dark and paper.

        Where there is nothing to be shown, it says so.

        Args:
            figure: `"sizes"`: the sizes of the patches along the walk, before and after reduction (Artho, Figures 9 to
                22); `"reductions"`: the size of each patch before its reduction against the one after (Figures 23
                and 24); `"fixpoint"`: what was taken away after the first round over files, hunks and lines, until
                nothing changed any more (Figure 25).

        Raises:
            InvalidArgumentError: There is no such figure.
        """
        return _native.port_svg(self._text, figure)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def __repr__(self) -> str:
        return f"<PorterReport: {self.status} after {self.runs} runs: {self.message}>"
