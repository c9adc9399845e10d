"""Writes RESULTS.md, and the plots beside the CSV files in data/, from which all figures come."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import results_papers
import results_peers
from matplotlib import pyplot

from firstbad import plot

HERE = Path(__file__).parent
SIZE = (7, 4)
"""Of a plot, in inches."""
SECTIONS = (
    results_papers.regressions,
    results_papers.flaky,
    results_papers.suspects,
    results_papers.porting,
    results_papers.slices,
    results_papers.features,
    results_peers.bisections,
    results_peers.flaky_tools,
    results_peers.reducers,
    results_peers.triage,
    results_peers.numbers,
    results_peers.growth,
    results_peers.jobs,
    results_peers.interfaces,
)
HEAD = """\
# Results

Made by `make bench DATA=folder` from the files in `data/`. Do not edit it. [README.md](README.md) describes the
method. Each section names the command that measures it. A value in brackets is a 95% interval, from projects drawn anew
2,000 times. *Runs* are runs of the test, which is what users pay for.
"""


class NothingMeasuredError(Exception):
    """A file has no rows."""


def page(folder: Path) -> str:
    """Returns the text of RESULTS.md."""

    @cache
    def data(name: str) -> pd.DataFrame:
        rows = pd.read_csv(folder / f"{name}.csv")
        if rows.empty and name != "branches":
            raise NothingMeasuredError(name)
        return rows

    parts: list[str] = []
    for section in SECTIONS:
        try:
            parts += section(data)
        except NothingMeasuredError as error:
            parts.append(f"{error.args[0]}.csv has no rows: the data has nothing to measure.")
    return "\n".join([HEAD, *(part.rstrip("\n") + "\n" for part in parts)])


def plots(folder: Path) -> None:
    """Draws the plots."""
    one, several = pd.read_csv(folder / "regressions.csv"), pd.read_csv(folder / "branches.csv")
    trials = pd.read_csv(folder / "culprits.csv")
    names = ["git bisect", "firstbad", "firstbad latest", "RPA binary", "RPA multiplying", "RPA linear"]
    shares(folder / "runs.svg", {name: one[f"{name} runs"] for name in names}, "runs", log=True)
    distances = {name: one[f"{name} distance"].dropna() for name in names}
    shares(folder / "distances.svg", distances, "commits between the point and the bad revision")
    names = ["git bisect", "firstbad", "firstbad latest", "RPA binary", "RPA binary propagated", "RPA multiplying"]
    shares(folder / "branches.svg", {name: several[name] for name in names}, "runs", log=True)
    ways = ["Bisect(1)", "Bisect(8)", "FACF", "FACF(all)", "firstbad rates unknown"]
    shares(folder / "culprits.svg", {name: trials[f"{name} runs"] for name in ways}, "runs", log=True)
    sizes = pd.read_csv(folder / "slice_sizes.csv")
    ways = ["DEFINER basic", "DEFINER learn", "DEFINER default", "ddmin", "firstbad", "firstbad + dependencies"]
    lines(folder / "slice_sizes.svg", sizes[sizes.way.isin(ways)], "way", "run", "left")
    scale = pd.read_csv(folder / "scale.csv")
    lines(folder / "scale.svg", scale[scale.size_is != "jobs"], "series", "size", "us_per_decision", log=True)


def shares(path: Path, searches: Mapping[str, pd.Series], label: str, *, log: bool = False) -> None:
    """Draws cumulative distributions, as the papers do. Without searches, there is nothing to draw."""
    if any(len(values) == 0 for values in searches.values()):
        return
    _, axes = pyplot.subplots(figsize=SIZE)
    plot.run_shares({name: [int(value) for value in values] for name, values in searches.items()}, ax=axes)
    if log:
        axes.set_xscale("symlog", linthresh=10)
    axes.set_xlabel(label)
    save(axes, path)


def lines(path: Path, rows: pd.DataFrame, name: str, across: str, up: str, *, log: bool = False) -> None:
    """Draws a line for each name."""
    _, axes = pyplot.subplots(figsize=SIZE)
    for label, some in rows.groupby(name, sort=False):
        axes.plot(some[across], some[up], marker="o" if log else None, label=label, linewidth=1.5)
    axes.set_xscale("log")
    if log:
        axes.set_yscale("log")
    axes.set_xlabel({"size": "size", "run": "runs"}[across])
    axes.set_ylabel({"us_per_decision": "us of CPU time for each decision", "left": "share of the history left"}[up])
    axes.legend(fontsize=7)
    save(axes, path)


def save(axes: Any, path: Path) -> None:
    pyplot.rcParams["svg.hashsalt"] = path.name
    axes.figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(axes.figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=HERE / "data", help="the folder with the CSV files")
    parser.add_argument("--to", type=Path, default=HERE / "RESULTS.md", help="the page to write")
    options = parser.parse_args()
    plots(options.data)
    options.to.write_text(page(options.data))


if __name__ == "__main__":
    main()
