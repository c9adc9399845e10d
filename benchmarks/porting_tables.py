"""The tables of the paper on iterative delta debugging (Artho 2011), with our figures and those of the paper."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from statistics import mean
from typing import Any

from shared import table

import firstbad as fb

__all__ = ["SEARCHES", "Row", "Search", "observed", "table2", "table3", "table4"]


@dataclass(frozen=True)
class Search:
    """A way to search.

    Attributes:
        name: The name in the tables.
        options: Options of `iterative_delta_debugging`.
        guarded: Whether the search has the control and the files that are always kept.
    """

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    guarded: bool = True


_HIERARCHICAL = {"walk": "strict", "algorithm": "recursive"}
_FLAT = {**_HIERARCHICAL, "hierarchical": False}
SEARCHES = (
    Search("firstbad"),
    Search("IDD-h", _HIERARCHICAL),
    Search("IDD", _FLAT),
    Search("IDD, as printed", {**_FLAT, "early_pass": False}, guarded=False),
)
"""The last one is Figure 2 of the paper: without a control, and without passes inside a reduction (Section 4.1)."""


@dataclass(frozen=True)
class Row:
    """The result of one search.

    Attributes:
        group: "public projects" or "situations".
        case: The name of the case.
        search: The name of the search.
        right: Whether the search named the known culprit.
        named: The id of the named commit, or None.
        to_commit: The number of runs until the commit was known, or None if it was not.
        runs: The number of all runs.
        explained: The number of runs of the same search without `forward`, or None if it was not run.
        steps: The numbers of versions at which a carried patch did not work, by reason.
        parts: The numbers of parts of patches that did not keep the outcome, by reason.
        shares: The share of the changes that each reduction removed.
        carried: The number of changes that the test needs at the passing version.
        initial: The number of changes that make the failing version pass.
        final: The number of changes of the fix at the start, or None.
        human: The number of changed lines in the project's own fix, or None.
        also: What the second test said, or None.
    """

    group: str
    case: str
    search: str
    right: bool
    named: str | None
    to_commit: int | None
    runs: int
    explained: int | None
    steps: dict[str, int]
    parts: dict[str, int]
    shares: list[float]
    carried: int
    initial: int
    final: int | None
    human: int | None
    also: str | None


def observed(
    group: str, case: str, search: str, right: bool, report: fb.PorterReport, explained: int | None, human: int | None
) -> Row:
    """Returns the row of a report."""
    details = report.details

    def size(name: str) -> int | None:
        return details[name].changes if name in details else None

    steps: Counter[str] = Counter(str(step.reason) for step in report.steps if step.patch and step.reason is not None)
    parts: Counter[str] = Counter()
    for made in report.reductions:
        parts.update({str(reason): count for reason, count in made.failed.items()})
    ended = [made for made in report.reductions if made.after is not None and made.before > 0]
    return Row(
        group=group,
        case=case,
        search=search,
        right=right,
        named=report.bad,
        to_commit=report.runs_to_commit,
        runs=report.runs,
        explained=explained,
        steps=dict(steps),
        parts=dict(parts),
        shares=[1 - made.after / made.before for made in ended if made.after is not None],
        carried=size("carried") or 0,
        initial=size("repair") or 0,
        final=size("forward"),
        human=human,
        also=None if report.also is None else report.also.message,
    )


# --- The paper's numbers, summed over its cases.

_STEPS = {"patch": ("patch",), "build": ("setup", "configure", "build"), "test error": ("test",)}
_STEPS |= {"timeout": ("timeout",), "control": ("control",), "other": ("parse", "effort", "unresolved")}
_PAPER_STEPS = {"IDD-h": [217, 70, 18, 3, "", ""], "IDD": [433, 88, 28, 1, "", ""]}
_PARTS = {"no run": ("patch", "parse"), "build": ("setup", "configure", "build"), "test": ("test",)}
_PARTS |= {"timeout": ("timeout",), "control": ("control",), "other": ("effort", "unresolved")}
_PAPER_PARTS = {
    "IDD-h": ["", 350231, 5461 + 4189 + 19282, 1302, "", "", "42%"],
    "IDD": ["", 1073686, 13090 + 8530 + 31286, 1998, "", "", "30%"],
}
_PAPER_CASES = {
    "Uncrustify (comments)": ("567 / 667", "", "", 50, "39170 / 52483"),
    "JPF (infinite loop)": ("0 / 0", "169 / 344", "272 / 1133", 255, "15013 / 57140"),
    "JNuke (jar file parser)": ("0 / 0", "19 / 55", "2 / 20", 2, "117 / 335"),
    "JNuke (class loader)": ("635 / 586", "", "", 2, "26141 / 96870"),
    "JNuke (bytecode instr.)": ("1017 / 1448", "700 / 1395", "238 / 2098", 4, "148619 / 647490"),
    "itext (Unicode problem)": ("86 / 94", "", "", "", "3597 / 12678"),
    "hsqldb (deadlock)": ("0 / 0", "15 / 102", "> 4000 / > 6000", 411, "164472 / 200579"),
    "hsqldb (NullPointerException)": ("0 / 0", "766 / 964", "239 / 2030", 107, "6012 / 110469"),
}
"""IDD-h / IDD. The other five cases ended after 0 runs, because no version passed and nothing had to be carried."""


def _sums(rows: list[Row], classes: dict[str, tuple[str, ...]], which: str, last: bool) -> list[list[Any]]:
    lines: list[list[Any]] = []
    for group in dict.fromkeys(row.group for row in rows):
        for search in SEARCHES:
            own = [row for row in rows if (row.group, row.search) == (group, search.name)]
            total: Counter[str] = Counter()
            for row in own:
                total.update(getattr(row, which))
            shares = [share for row in own for share in row.shares]
            removed = [f"{mean(shares):.0%}" if shares else ""] if last else []
            cells = [sum(total[reason] for reason in reasons) for reasons in classes.values()]
            lines.append([f"{search.name}, {len(own)} {group}", *cells, *removed])
    return lines


def table2(rows: list[Row]) -> str:
    """Table 2: the versions at which a carried patch did not work, by reason."""
    paper = [[f"the paper's {name}, 13 cases", *cells] for name, cells in _PAPER_STEPS.items()]
    return table(["search", *_STEPS], _sums(rows, _STEPS, "steps", False) + paper)


def table3(rows: list[Row]) -> str:
    """Table 3: the parts of patches that did not keep the outcome, by reason, and the mean reduction."""
    paper = [[f"the paper's {name}, 13 cases", *cells] for name, cells in _PAPER_PARTS.items()]
    return table(["search", *_PARTS, "removed"], _sums(rows, _PARTS, "parts", True) + paper)


def table4(rows: list[Row]) -> str:
    """Table 4: the sizes of patches in changed lines, and the runs."""
    names = ["case", "the test needs", "initial fix", "fix at the start", "fix by the project", "runs"]
    lines: list[list[Any]] = []
    for case in dict.fromkeys(row.case for row in rows):
        of = [row for row in rows if row.case == case]

        def each(values: list[Any]) -> str:
            return " / ".join("-" if value is None else str(value) for value in values)

        human = of[0].human
        cells = [[row.carried for row in of], [row.initial or None for row in of], [row.final for row in of]]
        runs = [f"{row.runs}{'' if row.right else ' (wrong)'}" for row in of]
        lines.append([case, *map(each, cells), "" if human is None else human, each(runs)])
    lines += [[f"the paper: {case}", *cells] for case, cells in _PAPER_CASES.items()]
    return table(names, lines)
