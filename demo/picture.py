"""Draws docs/images/search.svg: the runs, the outcomes, and the culprits of a search in the demo's history.

    python demo/picture.py docs/images/search.svg

All marks come from a real search. It makes one run at a time, which keeps it the same on every machine. All figures
count test runs. The SVG needs no library.
"""

from __future__ import annotations

import sys
import tempfile
from html import escape
from pathlib import Path

import git_bisect
from demo import CHECK
from history import GOOD, RED, Commit, History, git, make
from layout import ROWS, row

import firstbad as fb

WIDTH, LEFT, RIGHT, TOP, STEP = 1000, 24, 112, 106, 42
COLOURS = {"pass": "#1a7f37", "fail": "#cf222e", "unresolved": "#bf8700"}
GREY, LINE, INK, MUTED = "#c4ccd4", "#d7dde3", "#1f2328", "#59636e"
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


def places(history: History, asked: dict[int, int]) -> list[float]:
    """Returns the horizontal position of each commit. A tested commit gets room for its number."""
    room = [14.0 if commit.number in asked else 0.0 for commit in history.commits]
    free = (WIDTH - LEFT - RIGHT - sum(room)) / len(room)
    found, at = [], float(LEFT)
    for extra in room:
        at += free + extra
        found.append(at - (free + extra) / 2)
    return found


def edge(x0: float, y0: float, x1: float, y1: float) -> str:
    """Draws a line from a parent to its child, with a bend if the row changes."""
    if y0 == y1:
        return f"M{x0:.1f} {y0}H{x1:.1f}"
    bend = min(12.0, x1 - x0)
    return f"M{x0:.1f} {y0}C{x0 + bend:.1f} {y0} {x0:.1f} {y1} {x0 + bend:.1f} {y1}H{x1:.1f}"


def merge(x0: float, y0: float, x1: float, y1: float) -> str:
    """Draws a line from a merged branch to the merge."""
    bend = min(12.0, x1 - x0)
    return f"M{x0:.1f} {y0}H{x1 - bend:.1f}C{x1:.1f} {y0} {x1 - bend:.1f} {y1} {x1:.1f} {y1}"


def text(x: float, y: float, words: str, size: float = 12, colour: str = INK, **more: str) -> str:
    """Draws text at a position."""
    attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}"{attributes}>{escape(words)}</text>'


def drawn(history: History, report: fb.RegressionReport, gits: list[git_bisect.Answer]) -> str:
    """Draws the picture."""
    number = {sha: place for place, sha in enumerate(history.shas)}
    seen = {number[each.revision]: (order + 1, each.outcome.value) for order, each in enumerate(report.observations)}
    x = places(history, {place: order for place, (order, _) in seen.items()})
    y = [TOP + STEP * row(commit) for commit in history.commits]
    height = TOP + STEP * len(ROWS) + 30
    git_runs = sum(answer.runs for answer in gits)
    git_wrong = [answer.branch for answer in gits if not git_bisect.judged(answer, history)[0]]
    summary = f"{report.runs} test runs find what broke {len(RED)} branches of {len(history.commits)} commits"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="{FONT}" role="img">',
        f"<title>{escape(summary)}</title>",
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="10" fill="#ffffff" stroke="{LINE}"/>',
        text(LEFT, 34, summary, 19, font_weight="600"),
        text(
            LEFT,
            56,
            f"git bisect run, one branch after the other: {git_runs} test runs, and a commit that is not the culprit "
            f"for {' and '.join(git_wrong)}",
            13,
            MUTED,
        ),
    ]
    for commit in history.commits:
        here = commit.number
        for place, parent in enumerate(commit.parents):
            path = (edge if place == 0 else merge)(x[parent], y[parent], x[here], y[here])
            out.append(f'<path d="{path}" fill="none" stroke="{LINE}" stroke-width="2"/>')
    out += [
        f'<circle cx="{x[commit.number]:.1f}" cy="{y[commit.number]}" r="1.7" fill="{GREY}"/>'
        for commit in history.commits
        if commit.number not in seen
    ]
    for point in report.points:
        blamed = [number[sha] for sha in point.candidates or (point.bad,)]
        out += callout(history.commits[blamed[0]], [x[place] for place in blamed], y[blamed[0]], len(blamed))
    for place, (order, outcome) in sorted(seen.items(), key=lambda item: item[1]):
        out.append(f'<circle cx="{x[place]:.1f}" cy="{y[place]}" r="7.4" fill="{COLOURS[outcome]}"/>')
        out.append(text(x[place], y[place] + 3, str(order), 8.5, "#ffffff", text_anchor="middle", font_weight="600"))
    for branch in RED:
        tip = history.tips[branch]
        out.append(f'<circle cx="{x[tip]:.1f}" cy="{y[tip]}" r="4" fill="{COLOURS["fail"]}"/>')
        out.append(text(x[tip] + 10, y[tip] + 4, branch, 12.5, COLOURS["fail"], font_weight="600"))
    for commit in history.commits:
        if commit.lane == "release/2" and commit.subject.startswith("Revert"):
            out.append(text(x[commit.number] - 2, y[commit.number] + 20, "takes the culprit back", 11.5, MUTED))
        if commit.lane == "release/2" and len(commit.parents) > 1:
            out.append(text(x[commit.number] + 10, y[commit.number] - 10, "brings it again", 11.5, MUTED))
    good = history.tags[GOOD]
    out.append(f'<circle cx="{x[good]:.1f}" cy="{y[good]}" r="4" fill="{COLOURS["pass"]}"/>')
    out.append(text(x[good], y[good] + 20, GOOD, 12.5, COLOURS["pass"], text_anchor="middle", font_weight="600"))
    at = float(LEFT)
    for colour, words in (
        (COLOURS["pass"], "passes"),
        (COLOURS["fail"], "fails"),
        (COLOURS["unresolved"], "does not run"),
    ):
        out.append(f'<circle cx="{at + 7:.1f}" cy="{height - 22}" r="6" fill="{colour}"/>')
        out.append(text(at + 18, height - 18, words, 12, MUTED))
        at += 36 + 6.6 * len(words)
    out.append(f'<circle cx="{at + 7:.1f}" cy="{height - 22}" r="2" fill="{GREY}"/>')
    out.append(text(at + 16, height - 18, "never tested", 12, MUTED))
    out.append(text(at + 118, height - 18, "The numbers are the order in which commits were tested.", 12, MUTED))
    return "\n".join([*out, "</svg>"]) + "\n"


def callout(commit: Commit, xs: list[float], y: float, count: int) -> list[str]:
    """Draws a ring around a culprit, or around all its candidates, with its subject."""
    left, right = min(xs) - 12, max(xs) + 12
    words = f"culprit: {commit.subject}" if count == 1 else f"one of {count}: those before the last do not run"
    return [
        f'<rect x="{left:.1f}" y="{y - 12}" width="{right - left:.1f}" height="24" rx="12" fill="#ffebe9" '
        f'stroke="{COLOURS["fail"]}" stroke-width="2"/>',
        text(left, y - 18, words, 12.5, INK, font_weight="600"),
    ]


def main() -> None:
    """Runs the search and draws it."""
    with tempfile.TemporaryDirectory(prefix="firstbad-picture-") as name:
        folder = Path(name)
        history = make(folder / "shop")
        repository = fb.Repository(folder / "shop")
        with repository.command_oracle(CHECK, worktrees=folder / "trees", output_dir=folder / "output") as oracle:
            report = fb.find_regressions(repository.graph(RED), oracle, bad=RED, good=GOOD)
        git(folder, "clone", "--quiet", str(folder / "shop"), str(folder / "clone"))
        gits = [git_bisect.bisect(folder / "clone", branch, CHECK, folder / "log") for branch in RED]
    Path(sys.argv[1]).write_text(drawn(history, report, gits), encoding="utf-8")


if __name__ == "__main__":
    main()
