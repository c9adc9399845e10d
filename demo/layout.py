"""Places the commits of the demo in a picture: one row for each branch, time from left to right."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from history import Commit, History

__all__ = ["ROWS", "ascii_picture", "row"]

ROWS = (
    ("labels",),
    ("gift-cards",),
    ("rounding", "delivery"),
    ("main",),
    ("loyalty",),
    ("dev",),
    ("mobile",),
    ("search",),
    ("release/2",),
    ("hotfix/2.1",),
)
"""The branches of each row, from top to bottom. Branches that share a row do not overlap in time."""

MARKS = {"pass": "-", "fail": "=", "unresolved": "?"}


def row(commit: Commit) -> int:
    """Returns the row of a commit, counted from the top."""
    return next(number for number, lanes in enumerate(ROWS) if commit.lane in lanes)


def ascii_picture(history: History, culprits: Iterable[Commit], paint: Callable[[str, str], str], width: int) -> str:
    """Draws the branches as lines of text. `paint` colors a character by its outcome."""
    column = [round(commit.number * (width - 1) / len(history.commits)) for commit in history.commits]
    cells: dict[tuple[int, int], tuple[str, str]] = {}
    rank = {"-": 0, "=": 0, "?": 1, "X": 2}

    def put(line: int, place: int, mark: str, colour: str) -> None:
        before = cells.get((line, place), (" ", ""))[0]
        if rank.get(mark, -1) >= rank.get(before, -2 if before == " " else -1):
            cells[line, place] = (mark, colour)

    named = {commit.number for commit in culprits}
    for commit in history.commits:
        line, here = row(commit), column[commit.number]
        mark = "X" if commit.number in named else MARKS[commit.outcome]
        colour = "culprit" if mark == "X" else commit.outcome
        for number in commit.parents:
            parent = history.commits[number]
            if row(parent) == line:
                for place in range(column[number] + 1, here):
                    put(line, place, MARKS[parent.outcome], parent.outcome)
                continue
            place = here if parent is not history.commits[commit.parents[0]] else column[number]
            for between in range(min(line, row(parent)) + 1, max(line, row(parent))):
                put(between, place, "|", "")
            if place == column[number]:
                for along in range(place, here):
                    put(line, along, MARKS[commit.outcome], commit.outcome)
            else:
                for along in range(column[number], place + 1):
                    put(row(parent), along, MARKS[parent.outcome], parent.outcome)
        put(line, here, mark, colour)

    lines = []
    for line, lanes in enumerate(ROWS):
        last = max((place for at, place in cells if at == line), default=0)
        drawn = "".join(paint(*cells.get((line, place), (" ", ""))) for place in range(last + 1))
        lines.append(f"  {lanes[0] if len(lanes) == 1 else '(merged)':<11} {drawn}".rstrip())
    return "\n".join(lines)
