"""The report of a search for a change in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from firstbad import _native
from firstbad._generated.reports import ChangeFields
from firstbad._words import SearchReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ChangeReport"]


@dataclass(frozen=True, repr=False, kw_only=True)
class ChangeReport(SearchReport, ChangeFields):
    """The result of a search for a change in numbers, final or the best so far."""

    _algorithm: ClassVar[str] = "change"

    def to_svg(self) -> str:
        """Returns the measurements as an SVG file without scripts and links, for light and dark themes and paper."""
        return _native.change_svg(self._text)

    def plot(self, *, metric: str | None = None, ax: Axes | None = None) -> Axes:
        """Draws the measurements with matplotlib. See `firstbad.plot.change`.

        Raises:
            ImportError: If matplotlib is not installed.
            InvalidArgumentError: If the report has no measurement, or there is no such metric.
        """
        from firstbad._change_plot import change

        return change(self, metric=metric, ax=ax)

    def __repr__(self) -> str:
        runs = f"{self.runs} {'run' if self.runs == 1 else 'runs'}"
        return f"<ChangeReport: {self.status} after {runs}: {self.message}>"
