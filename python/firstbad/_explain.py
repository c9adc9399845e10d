"""From a regression point to what in it does the harm: the patch from good to bad, minimised."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from firstbad._budget import Budget
from firstbad._errors import InvalidArgumentError
from firstbad._find import kept
from firstbad._minimize import Minimizer
from firstbad._patch import Patch
from firstbad._repository import CommandOracle, Revision
from firstbad._run import run
from firstbad._run_async import run_async
from firstbad._run_options import parted

if TYPE_CHECKING:
    from firstbad._observation import Observation
    from firstbad._reduction_report import MinimizeReport
    from firstbad._report import RegressionPoint, RegressionReport

__all__ = ["Explanation"]

Plan: TypeAlias = tuple[Minimizer[Patch], Revision]


class Explanation:
    """The second half of a regression search with `explain`; made before the first, so that one budget does for both.

    Raises:
        InvalidArgumentError: The oracle is no command oracle, which alone can run a part of a patch.
    """

    def __init__(self, oracle: object, options: Mapping[str, Any]) -> None:
        if not isinstance(oracle, CommandOracle):
            raise InvalidArgumentError(
                "explain: True is not valid with this oracle; expected one made by Repository.command_oracle, for it "
                "has to run parts of a patch"
            )
        self._oracle = oracle
        self._searching, self._running, keeping = parted(options)
        self._journal = keeping.get("journal")
        self._store = keeping.get("store")
        self._budget = Budget.of(self._running.pop("budget", None))
        self._began = time.monotonic()
        self._causes: list[MinimizeReport[Patch] | None] = []

    def of(self, report: RegressionReport) -> RegressionReport:
        """The report with the causes of its points."""
        with _handed_out(report):
            for point in report.points:
                plan = self._plan(point)
                if plan is None:
                    self._causes.append(None)
                    continue
                with kept(plan[0], **self._keeping(point)) as search:
                    self._causes.append(run(search, plan[1], **self._running, budget=self._left(report)))
        return self._with_causes(report)

    async def of_async(self, report: RegressionReport) -> RegressionReport:
        """The same on an event loop."""
        with _handed_out(report):
            for point in report.points:
                plan = self._plan(point)
                if plan is None:
                    self._causes.append(None)
                    continue
                with kept(plan[0], **self._keeping(point)) as search:
                    self._causes.append(await run_async(search, plan[1], **self._running, budget=self._left(report)))
        return self._with_causes(report)

    def _plan(self, point: RegressionPoint) -> Plan | None:
        """The search for the cause of a point, with its callback; None where there is nothing to search in."""
        if point.good is None:
            return None
        patch = self._oracle.repository.diff(point.good, point.bad)
        return (Minimizer(patch, keep="fail", **self._options()), Revision(self._oracle, point.good)) if patch else None

    def _keeping(self, point: RegressionPoint) -> dict[str, Any]:
        """How the search for the cause of a point is kept, if the first half is."""
        journal = None if self._journal is None else f"{os.fspath(self._journal)}.cause-{point.bad[:12]}.jsonl"
        return {"journal": journal, "store": self._store, "base": point.good}

    def _options(self) -> dict[str, Any]:
        """What the search knows of the failure; a pass that is false for it is a flake of "it fails"."""
        known = self._searching
        options = {"signature": known.get("signature"), "seed": known.get("seed", 0)}
        if known.get("search") == "bayes":
            options["confidence"] = known.get("confidence") or 0.99
            options["flake_rate"] = known.get("false_pass_rate") or 0.0
            options["false_pass_rate"] = known.get("flake_rate") or "estimate"
        return options

    def _left(self, report: RegressionReport) -> Budget | None:
        """What of the budget is not spent."""
        if self._budget is None:
            return None
        done = [cause for cause in self._causes if cause is not None]
        runs = report.queries + sum(cause.queries for cause in done)
        seen: chain[Observation] = chain(report.observations, *(cause.observations for cause in done))
        cost = sum(one.cost or 0.0 for one in seen)
        return self._budget.less(runs, time.monotonic() - self._began, cost)

    def _with_causes(self, report: RegressionReport) -> RegressionReport:
        words = [report.message] if report.message else []
        for point, cause in zip(report.points, self._causes, strict=True):
            if cause is None:
                why = "no ancestor was seen to pass" if point.good is None else f"{point.good} has the same files"
                words.append(f"no part of {point.bad} can be blamed: {why}")
        return replace(report, message="; ".join(words), causes=tuple(self._causes))


@contextmanager
def _handed_out(report: RegressionReport) -> Iterator[None]:
    """Hands the points to whoever catches what ends the second half early."""
    try:
        yield
    except BaseException as error:
        try:
            error.firstbad_report = report  # type: ignore[attr-defined]
        except AttributeError:
            raise error from None
        raise
