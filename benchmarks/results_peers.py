"""The sections of RESULTS.md that compare with other tools, and the cost of growing work."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
from estimates import exponent, ratio
from shared import table

__all__ = ["bisections", "flaky_tools", "growth", "interfaces", "jobs", "numbers", "reducers", "triage"]

Data = Callable[[str], pd.DataFrame]


def _count(value: float) -> str:
    return "" if pd.isna(value) else f"{value:,.0f}"


def _time(microseconds: float) -> str:
    if pd.isna(microseconds):
        return ""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= size:
            return f"{microseconds / size:.3g} {unit}"
    return f"{microseconds:.3g} us"


def _named(tool: str, version: object) -> str:
    return tool if pd.isna(version) else f"{tool} {version}"


def bisections(data: Data) -> list[str]:
    """Whole commands beside git bisect."""
    rows = data("beside_git")
    lines = []
    for (tool, version), some in rows.groupby(["tool", "version"], sort=False):
        lines.append(
            [
                _named(str(tool), version),
                f"{some.runs.mean():.2f}",
                f"{some.confirmations.mean():.2f}",
                f"{some.right.sum():.0f} of {len(some)}",
                f"{some.seconds.median():.2f} s",
                f"{some.cpu_seconds.median():.2f} s",
                f"{some.peak_mib.median():.0f} MiB",
            ]
        )
    return [
        "## Beside git bisect",
        f"`beside_git.py DATA`: whole commands on {rows.culprit.nunique()} culprits in {rows.project.nunique()} "
        f"repositories, {rows.suspects.mean():.0f} suspects on average, with a test that takes no time. The rule of "
        "jj is in the first table, and CPU time per decision in large histories in the last.",
        table(["command", "runs", "to confirm", "right", "time, median", "CPU time", "peak memory"], lines),
        _behind_git(rows),
    ]


def _behind_git(rows: pd.DataFrame) -> str:
    means = rows.groupby("tool")[["runs", "confirmations", "seconds"]].mean()
    git, ours = (means.loc[tool] for tool in ("git bisect run", "firstbad run"))
    said = []
    if ours.runs > git.runs:
        uniform = means.loc["firstbad run --prior uniform"]
        said.append(
            "firstbad confirms most results with a run at the end, where Git trusts every single outcome. Without "
            f"it, it needs {uniform.runs - uniform.confirmations:.2f} runs with a uniform prior. These culprits are "
            "drawn evenly, so that the prior costs runs. For recorded culprits, it saves them (first table)."
        )
    if ours.seconds > git.seconds:
        said.append(
            "Git is faster if the test takes no time: firstbad starts Python and reads what the commits change."
        )
    return " ".join(said)


def flaky_tools(data: Data) -> list[str]:
    """FACF beside git_bayesect and robust-binary-search."""
    rows = data("flaky_peers")
    rows = rows[rows.runs.notna()]
    names = {str(tool): _named(str(tool), version) for tool, version in zip(rows.tool, rows.version, strict=True)}
    lines = []
    for (suspects, rate), some in rows.groupby(["suspects", "rate"], sort=False):
        fewest = some[some.right >= 0.95 * some.trials].runs.min()
        cells = [f"{suspects:,.0f}", f"{rate:g}", f"{some.trials.iloc[0]:.0f}"]
        for tool in names:
            for row in some[some.tool == tool].itertuples():
                runs = f"**{row.runs:.1f}**" if row.runs == fewest else f"{row.runs:.1f}"
                cells.append(f"{runs}, {row.right:.0f} right, {_time(row.us_per_decision)}, {row.peak_mib:.0f} MiB")
        lines.append(cells)
    return [
        "## Beside other tools for flaky tests",
        "`firstbad-benchmarks peers`: a list with one culprit, healthy revisions fail at a rate that nobody is told, "
        "confidence 0.99. The other tools run through their libraries (`robust_binary_search::AutoSearcher`, "
        "`git_bayesect.Bisector`). Runs, right results, CPU time for each decision, and peak memory. The fewest runs "
        "of tools that are right in 95% are bold.",
        table(["suspects", "rate", "trials", *names.values()], lines),
        "robust-binary-search is ahead at low rates, because it does not consider that there may be no culprit, and "
        "decides fastest. At high rates it names wrong commits.",
    ]


def reducers(data: Data) -> list[str]:
    """Reducers of files."""
    rows = data("reducers")
    files = list(dict.fromkeys(rows.file))
    fewest = rows.groupby("file")[["calls", "bytes"]].min()
    lines = []
    for tool, some in rows.groupby("tool", sort=False):
        name = f"{_named(str(tool), some.version.iloc[0])}: `{some.command.iloc[0]}`"
        if some.calls.isna().all():
            lines.append([name, "not installed", *[""] * len(files)])
            continue
        cells = []
        for row in some.set_index("file").loc[files].itertuples():
            counts = [
                _bold(count, fewest.loc[row.Index, what])
                for what, count in (("calls", row.calls), ("bytes", row.bytes))
            ]
            cells.append(("over " if row.stopped == 1 else "") + ": ".join(counts))
        lines.append([name, *cells, f"{_time(some.cpu_us_per_call.median())}, {some.peak_mib.median():.0f} MiB"])
    return [
        "## Beside other reducers",
        "`reducers.py DATA`: calls of the oracle: bytes left; the fewest are bold. A tool stops after ten times the "
        "calls of firstbad (*over*). shrinkray and C-Vise edit inside lines and know C.",
        table(["tool", *files, "CPU per call, memory"], lines),
        f"firstbad has the fewest calls for {_best(rows, 'calls')} of {len(files)} files, and the fewest bytes for "
        f"{_best(rows, 'bytes')}. Where another tool leaves fewer bytes, it made several times the calls. picire, "
        "lithium, and shrinkray need less CPU time for each call, because firstbad parses every candidate first.",
    ]


def _bold(value: float, least: float) -> str:
    if pd.isna(value):
        return ""
    return f"**{value:,.0f}**" if value == least else f"{value:,.0f}"


def _best(rows: pd.DataFrame, column: str) -> int:
    """Returns the number of files for which no other tool is better."""
    ours = rows.tool.str.startswith("firstbad")
    own, others = (rows[some].groupby("file")[column].min() for some in (ours, ~ours))
    return int((own <= others.reindex(own.index).fillna(float("inf"))).sum())


def triage(data: Data) -> list[str]:
    """Red nights beside one search for each test."""
    rows = data("triage")
    base = rows[rows.search == "the same + 3 reruns"].set_index(["night", "project", "costs"])
    lines = []
    for search, some in rows.groupby("search", sort=False):
        cells = [str(search)]
        joined = some.join(base[["builds", "cost"]].add_suffix(" base"), on=["night", "project", "costs"])
        one = joined[joined.costs == "1:1"]
        cells.append(ratio(one.builds, one["builds base"], one.project).text())
        for costs in ("10:1", "1:1", "1:10"):
            part = joined[joined.costs == costs]
            cells.append(ratio(part.cost, part["cost base"], part.project).text())
        cells.append(ratio(one.right, one.tests, one.project).percent())
        cells.append(ratio(one.wrong, one.tests, one.project).percent())
        lines.append(cells)
    nights = rows.drop_duplicates(["project", "night"])
    runs = rows.pivot_table(index="costs", columns="search", values="runs", aggfunc="sum")
    more = runs["firstbad confidence .99"] / runs["firstbad"] - 1
    costs = rows[rows.costs == "1:1"].groupby("search").cost.sum()
    facf = costs["FACF for each test"] / costs["firstbad"]
    return [
        "## Triage of red nights",
        f"`firstbad-benchmarks triage DATA`: {len(nights)} nights of {nights.project.nunique()} projects with "
        f"{nights.tests.sum():,.0f} red tests. Builds and costs in relation to a bisection for each test with 3 "
        "reruns; costs for build:test ratios of 10:1, 1:1, and 1:10; verdicts at 1:1.",
        table(["search", "builds", "cost 10:1", "1:1", "1:10", "right", "wrong"], lines),
        f"With a confidence of .99, firstbad needs {more.min():.0%} to {more.max():.0%} more test runs. A FACF search "
        f"for each test, which firstbad can also run, is right more often, for {facf:.1f} times the cost at 1:1.",
    ]


def numbers(data: Data) -> list[str]:
    """Steps in numbers beside people's ways."""
    rows = data("numbers")
    sizes = list(rows[["effect", "deviation"]].drop_duplicates().itertuples(index=False, name=None))
    lines = []
    for way, some in rows.groupby("way", sort=False):
        cells = [str(way)]
        for effect, deviation in sizes:
            part = some[(some.effect == effect) & (some.deviation == deviation)]
            right, wrong = (part[name].sum() / part.trials.sum() for name in ("right", "wrong"))
            cells.append(f"{right:.0%} / {wrong:.0%}, {part.measurements.mean():.0f} ({part.builds.mean():.0f})")
        lines.append(cells)
    head = [f"step {effect:.0%}, noise {deviation:.0%}" for effect, deviation in sizes]
    return [
        "## Changes in numbers",
        "`firstbad-benchmarks numbers`: a step at one of 100 suspects, six kinds of noise with "
        f"{rows.trials.iloc[0]:.0f} trials each: right / wrong, measurements (builds). *asv find* and *every commit* "
        "(the rule of otava) are our implementations of their rules.",
        table(["way", *head], lines),
    ]


def growth(data: Data) -> list[str]:
    """The cost as the work grows, with fitted exponents."""
    rows = data("scale")
    rows = rows[rows.size_is != "jobs"]
    lines = []
    for (series, size_is), some in rows.groupby(["series", "size_is"], sort=False):
        first, last = some.iloc[0], some.iloc[-1]
        sizes = f"{first['size']:,.0f} to {last['size']:,.0f} {size_is}"
        runs, times = exponent(some["size"], some.runs), exponent(some["size"], some.us_per_decision)
        lines.append(
            [
                str(series),
                sizes,
                f"{first.runs:,.0f} to {last.runs:,.0f}",
                f"{runs:.2f}",
                f"{_time(first.us_per_decision)} to {_time(last.us_per_decision)}",
                f"{times:.2f}",
                f"{last.peak_mib:,.0f} MiB",
            ]
        )
    return [
        "## Cost as the work grows",
        "`firstbad-benchmarks scale`: runs of the oracle and CPU time for each decision, with the exponents of "
        "fitted power laws ([plot](data/scale.svg)), and the peak memory at the largest size.",
        table(["search", "size", "runs", "exponent", "CPU per decision", "exponent", "memory"], lines),
    ]


def jobs(data: Data) -> list[str]:
    """Rounds of several runs at a time."""
    rows = data("scale")
    lines = [
        [
            f"{row['size']:.0f}",
            f"{row.decisions / 1000:.1f}",
            f"{_fewest(1000, row['size']):.1f}",
            f"{row.runs / 1000:.1f}",
        ]
        for _, row in rows[rows.size_is == "jobs"].iterrows()
    ]
    return [
        "The same command: rounds and runs with several jobs, means over all 1,000 culprits of a list.",
        table(["jobs", "rounds", "fewest possible", "runs"], lines),
    ]


def _fewest(suspects: int, jobs: int) -> float:
    """Returns the mean depth of the leaves in the shallowest tree with at most jobs + 1 children for each node."""
    depth = 0
    while (jobs + 1) ** (depth + 1) <= suspects:
        depth += 1
    whole = (jobs + 1) ** depth
    split = -(-(suspects - whole) // jobs)
    return depth + (suspects - whole + split) / suspects


def interfaces(data: Data) -> list[str]:
    """Decisions through Python and Node."""
    rows = data("interfaces")
    cells = [f"{row.search} {row.us_per_decision:.3g} us" for _, row in rows.iterrows()]
    by = rows.assign(cell=cells).groupby("language", sort=False).cell.agg(", ".join)
    said = "; ".join(f"{language}: {cell}" for language, cell in by.items())
    return [f"`interfaces.py`: a decision with 1,000 revisions or items through {said}."]
