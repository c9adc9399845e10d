"""The report of a regression search."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, ClassVar

from firstbad import _native
from firstbad._generated.reports import RegressionFields
from firstbad._patch import Patch
from firstbad._reduction_report import MinimizeReport
from firstbad._words import SearchReport

__all__ = ["RegressionReport"]


@dataclass(frozen=True, repr=False, kw_only=True)
class RegressionReport(SearchReport, RegressionFields):
    """The result of a regression search, final or the best so far.

    Attributes:
        causes: With `explain`, the smallest part of the patch from good to bad that still fails, parallel to `points`.
            None for a point without a search for its cause (`message` has the reason). Empty without `explain`.
    """

    causes: tuple[MinimizeReport[Patch] | None, ...] = ()
    _explained: tuple[dict[str, Any] | None, ...] = field(default=(), repr=False, compare=False)

    _algorithm: ClassVar[str] = "regression"

    @classmethod
    def from_json(cls, text: str) -> RegressionReport:
        """Reads a report from JSON, written by `to_json` of any front end or by the command line with `--json`.

        Raises:
            InvalidArgumentError: If the text is not a report of this kind.
        """
        report = super().from_json(text)
        read: list[dict[str, Any] | None] = json.loads(_native.read_causes(text))
        if not any(read):
            return report
        explained = tuple(cause and cause["known"] for cause in read)
        return report._with_causes(report._text, tuple(_cause(cause) for cause in read), explained)

    def to_bisect_log(self) -> str:
        """Returns the outcomes as a `git bisect log`, for `git bisect replay`.

        Git has one bad revision. If there are several, the log has the bad revision of the first point. Revisions with
        contradictory outcomes are skipped.
        """
        return self._in_form("bisect_log")

    def _known(self) -> dict[str, Any]:
        return {"causes": self._explained}

    def _card(self) -> str:
        card = super()._card()
        if not any(self._explained):
            return card
        return card + _native.cause_cards(self._algorithm, self._text, json.dumps(self._known()))

    def _with_causes(
        self,
        written: str,
        causes: tuple[MinimizeReport[Patch] | None, ...],
        explained: tuple[dict[str, Any] | None, ...],
    ) -> RegressionReport:
        """Returns the report that the core wrote, with the causes of its points and their explanation."""
        return self._written(written, causes=causes, _explained=explained)._of(self._search)

    def __repr__(self) -> str:
        runs = f"{self.runs} {'run' if self.runs == 1 else 'runs'}"
        return f"<RegressionReport: {self.status} after {runs}: {self.message}>"


def _cause(read: dict[str, Any] | None) -> MinimizeReport[Patch] | None:
    """Returns the cause of a point from a parsed report."""
    if read is None or read["report"] is None:
        return None
    part = Patch(_native.Patch.part(read["patch"].encode(), read["report"]["kept"]))
    return MinimizeReport._written(json.dumps(read["report"]), items=part)
