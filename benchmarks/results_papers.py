"""The sections of RESULTS.md that compare with the papers."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import papers
from estimates import cochran, friedman, mcnemar, mean, ratio, share, wilcoxon
from shared import table

__all__ = ["features", "flaky", "porting", "regressions", "slices", "suspects"]

Data = Callable[[str], pd.DataFrame]

RPA = ("RPA multiplying", "RPA binary", "git bisect")


def regressions(data: Data) -> list[str]:
    """RPA, Tables 1 and 2 and Figures 3 to 6."""
    one, several = data("regressions"), data("branches")
    leaves = several.leaves.mean() if len(several) > 0 else 0
    return [
        "## Regression points (RPA)",
        f"`firstbad-benchmarks regressions DATA`: {len(one):,} searches with one bad revision and {len(several)} with "
        f"several ({leaves:.1f} on average) in {one.project.nunique()} projects. *Clean*: all parents of the culprit "
        "passed or were given as good. `git bisect` is a copy of Git's algorithm that is compared with Git in the "
        "same run, and `jj bisect` is our implementation of its rule. The prior comes from what commits change, and "
        "was fitted on these projects.",
        _searches(one, several),
        "Tables 1 and 2 of the paper: share of the searches with strictly fewer runs, and with a strictly closer "
        "regression point, than the search of the column. Paper (1,069 searches in 84 projects) / here.",
        _versus(one, "runs", papers.RPA_TABLE_1, "fewer runs than"),
        _versus(one, "distance", papers.RPA_TABLE_2, "closer than"),
        _explanations(one),
        "Figures 3 and 4: [runs](data/runs.svg), [distances](data/distances.svg). Figures 5 and 6: [several bad "
        "revisions](data/branches.svg).",
    ]


def _searches(one: pd.DataFrame, several: pd.DataFrame) -> str:
    rows = []
    names = [name.removesuffix(" runs") for name in one if name.endswith(" runs")]
    git = one["git bisect runs"]
    for name in names:
        if one[f"{name} runs"].isna().all():
            continue
        runs = one[f"{name} runs"]
        found = ratio(runs, git, one.project)
        clean = share(one[f"{name} clean"] == 1, one.project)
        most = papers.RPA_MOST_RUNS.get(name)
        leaves = several.get(name) if len(several) > 0 else None
        shared = mean(leaves, several.project).text("{:.2f}".format) if leaves is not None else ""
        propagated = several.get(f"{name} propagated") if len(several) > 0 else None
        if propagated is not None:
            shared += f", propagated {propagated.mean():.2f}"
        rows.append(
            [
                name,
                f"{runs.mean():.2f}",
                found.text(),
                f"{runs.max():.0f}" + (f" (paper: {most})" if most else ""),
                f"{one[f'{name} distance'].median():.0f}",
                clean.percent(),
                shared,
            ]
        )
    head = ["search", "runs", "in relation to git", "most", "distance, median", "clean", "runs, several bad revisions"]
    return table(head, rows)


def _versus(one: pd.DataFrame, what: str, paper: dict[str, dict[str, float]], title: str) -> str:
    names = [*RPA, "firstbad"]
    rows = []
    for name in names:
        cells = [name]
        for other in names:
            if other == name:
                cells.append("")
                continue
            here = (one[f"{name} {what}"] < one[f"{other} {what}"]).mean()
            known = paper.get(name, {}).get(other)
            cells.append(f"{here:.0%}" if known is None else f"{known:.0%} / {here:.0%}")
        rows.append(cells)
    return table([title, *names], rows)


def _explanations(one: pd.DataFrame) -> str:
    """Returns why searches are behind the paper or each other, if they are."""
    said = []
    if one["RPA binary runs"].mean() < one["firstbad runs"].mean():
        said.append("RPA binary needs fewer runs than firstbad, because it does not test all parents.")
    near = one[one["RPA multiplying distance"] <= 7]
    fewer = (one["RPA multiplying runs"] < one["git bisect runs"]).mean()
    if fewer < papers.RPA_TABLE_1["RPA multiplying"]["git bisect"] and not near.empty:
        of_near = (near["RPA multiplying runs"] < near["git bisect runs"]).mean()
        latest = near["firstbad latest runs"].mean() / near["git bisect runs"].mean()
        said.append(
            "The multiplying search wins in the paper and not here, because the culprits here are far from the bad "
            f"revision (Git's points: {one['git bisect distance'].median():.0f} commits, median). Among the "
            f"{len(near)} searches where it found a point within 7 commits, it needed fewer runs than Git in "
            f"{of_near:.0%}, and `firstbad latest` needed {latest:.2f} times Git's runs."
        )
    for name, what in (("firstbad + prior", "The prior"), ("firstbad + prior and test", "With the test, it")):
        more = one[f"{name} runs"] - one["firstbad runs"]
        if more.notna().any():
            said.append(f"{what} costs two runs or more in {(more >= 2).sum()} searches (at most {more.max():.0f}).")
    return " ".join(said)


def flaky(data: Data) -> list[str]:
    """FACF, Figures 2 to 4."""
    trials = data("culprits")
    names = [name.removesuffix(" runs") for name in trials if name.endswith(" runs")]
    right = pd.DataFrame({name: trials[f"{name} right"] for name in names})
    runs = pd.DataFrame({name: trials[f"{name} runs"] for name in names})
    broken = trials.culprit == 1
    rows = []
    for name in names:
        known = papers.FACF_WITH_CULPRIT.get(name)
        against = "FACF(all)"
        tests = (mcnemar(right[name], right[against]), wilcoxon(runs[name], runs[against]))
        rows.append(
            [
                name,
                share(right[name] == 1, trials.project).percent(),
                mean(runs[name], trials.project).text("{:.1f}".format),
                f"{right[name][broken].mean():.1%}" + (f" (paper: {known:.1%})" if known else ""),
                f"{runs[name][broken].mean():.1f}",
                f"{right[name][~broken].mean():.1%}",
                f"{runs[name][~broken].mean():.1f}",
                *("" if name == against else _p(value) for value in tests),
            ]
        )
    head = ["algorithm", "accuracy", "runs", "with a culprit", "runs", "without", "runs", "McNemar", "Wilcoxon"]
    return [
        "## Flaky tests (FACF)",
        f"`firstbad-benchmarks culprits DATA`: {len(trials):,} searches in pieces of {trials.project.nunique()} "
        f"histories with merges, {trials.suspects.mean():.0f} suspects on average; healthy revisions fail at a rate "
        "of 0, 0.01, 0.1, 0.3, or 0.5, which each algorithm but the last knows from 100 earlier runs. 40% have no "
        f"culprit, as in the paper. Cochran's Q test of accuracy: p {_p(cochran(right))}; Friedman's test of runs: p "
        f"{_p(friedman(runs))}. The last columns are p-values against FACF(all). The paper calls those below "
        f"{papers.FACF_SIGNIFICANCE:g} significant.",
        table(head, rows),
        _facf_conclusions(right, runs),
        "Figure 2: [runs](data/culprits.svg).",
    ]


def _p(value: float) -> str:
    return "< 1e-12" if value < 1e-12 else f"{value:.2g}"


def _facf_conclusions(right: pd.DataFrame, runs: pd.DataFrame) -> str:
    cost, accuracy = runs.mean(), right.mean()
    cheaper = [name for name in right if name.startswith("Bisect") and cost[name] <= cost["FACF(all)"]]
    return (
        f"FACF(all) is right in {accuracy['FACF(all)']:.1%}, a bisection of the same cost in at most "
        f"{accuracy[cheaper].max():.1%}, and Bisect(8) in {accuracy['Bisect(8)']:.1%}, with "
        f"{cost['Bisect(8)'] / cost['FACF(all)']:.1f} times the runs. In the paper, priors save runs, and thresholds "
        f"by information do not. Here, they need {cost['FACF(priors)'] / cost['FACF']:.2f} and "
        f"{cost['FACF(heur-thresholds)'] / cost['FACF']:.2f} times the runs of FACF. FACF(priors) is the default of "
        "firstbad if it knows the rate."
    )


ORDERS = [
    "newest first",
    "size",
    "changelog + newest first",
    "changelog + size",
    "changelog + distance",
    "suspiciousness",
]


def suspects(data: Data) -> list[str]:
    """Culprit Finder: the share of culprits among the first n."""
    all_rows = data("suspects")
    rows = []
    for order in ["random", *ORDERS]:
        cells = [order]
        for tests in ("as changed", "held fixed"):
            some = all_rows[all_rows.tests == tests]
            for most in (1, 5, 10):
                if order == "random":
                    hits = (most / some.suspects).clip(upper=1.0)
                    found = mean(hits, some.project)
                else:
                    found = share(some[order] <= most, some.project)
                cells.append(found.percent() if most == 5 else f"{found.value:.0%}")
        rows.append(cells)
    some = all_rows[all_rows.tests == "as changed"]
    lost = some.suspiciousness.isna().sum()
    best = (some.suspiciousness <= 5).mean()
    newest = (some["changelog + newest first"] <= 5).mean()
    behind = []
    if best < papers.CULPRIT_FINDER_FIRST_FIVE:
        behind.append(
            f"The paper reports {papers.CULPRIT_FINDER_FIRST_FIVE:.0%} among the first five in 140 projects of one "
            f"large repository. Here it is {best:.0%}: a test of a small library imports nearly all of it, so "
            "distances tell little."
        )
    if best < newest:
        behind.append(
            "The newest of the changes that the filter leaves are a better guess: the failing revision is often "
            "close to the culprit, which is one of the five newest changes in "
            f"{(some['newest first'] <= 5).mean():.0%}."
        )
    return [
        "## Suspects (Culprit Finder)",
        f"`firstbad-benchmarks suspects DATA`: {len(some)} proven culprits in {some.project.nunique()} projects, "
        f"{some.suspects.mean():.0f} suspects on average. The changelog filter leaves "
        f"{(some.left / some.suspects).mean():.0%} of them, and removes {lost} culprits. Share of the culprits that "
        "are first, among the first five, and among the first ten, with the tests as they were changed / without "
        "changes of tests.",
        table(["order", "1", "5", "10", "fixed: 1", "5", "10"], rows),
        " ".join(behind),
    ]


def porting(data: Data) -> list[str]:
    """IDD, Tables 2 to 4."""
    rows = data("porting")
    steps = {"step_patch": "patch", "step_build": "build", "step_test": "test", "step_timeout": "timeout"}
    steps |= {"step_control": "control"}
    parts = {"part_none": "not run", "part_build": "build", "part_test": "test", "part_timeout": "timeout"}
    parts |= {"part_control": "control"}
    sums = []
    for (group, search), some in rows.groupby(["group", "search"], sort=False):
        right = f"{some.right.sum():.0f} of {len(some)}"
        known = some.to_commit.fillna(some.runs).sum()
        counts = [f"{some[name].sum():.0f}" for name in (*steps, *parts)]
        removed = f"{some.removed.mean():.0%}"
        sums.append(
            [f"{search}, {len(some)} {group}", right, f"{known:.0f}", f"{some.runs.sum():.0f}", *counts, removed]
        )
    for name, counts in papers.IDD_TABLE_2.items():
        more = papers.IDD_TABLE_3[name]
        cells = [counts.get(step, "") for step in steps] + [more.get(part, "") for part in parts]
        total = sum(pair[4][list(papers.IDD_TABLE_2).index(name)] for pair in papers.IDD_TABLE_4.values())
        sums.append([f"{name} in the paper, 13 cases", "", "", total, *cells, f"{more['removed']:.0%}"])
    head = ["search", "right", "runs to the commit", "all runs", *steps.values(), *parts.values(), "removed"]
    public = rows[rows.group == "public projects"]
    return [
        "## Iterative delta debugging (IDD)",
        "`porting.py DATA`. Tables 2 and 3: versions at which a carried patch did not work (columns 5 to 9), parts "
        "of patches that did not keep the outcome (columns 10 to 14), and the share of a patch that a reduction "
        "removes. *IDD-h* and *IDD* are the paper's searches with a control; *as printed* has none.",
        table(head, sums),
        "Table 4: changed lines, firstbad / IDD-h / IDD, and the paper's IDD-h / IDD. *Carried*: what the test needs "
        "at the passing version. *Final*: the fix at the start. *Human*: the fix of the project.",
        table(["case", "carried", "initial", "final", "human", "runs"], [*_cases(public), *_paper_cases()]),
        _patches(public),
    ]


def _cases(public: pd.DataFrame) -> list[list[str]]:
    rows = []
    for case, some in public.groupby("case", sort=False):
        cells = [str(case)]
        for what in ("carried", "initial", "final"):
            cells.append(" / ".join("-" if pd.isna(value) else f"{value:.0f}" for value in some[what]))
        human = some.human.iloc[0]
        runs = " / ".join(
            f"{value:.0f}" + ("" if right else " (wrong)") for value, right in zip(some.runs, some.right, strict=True)
        )
        rows.append([*cells, "" if pd.isna(human) else f"{human:.0f}", runs])
    return rows


def _paper_cases() -> list[list[str]]:
    def pair(values: tuple[object, object] | None) -> str:
        return "" if values is None else " / ".join(map(str, values))

    return [
        [f"paper: {name}", pair(carried), pair(initial), pair(final), "" if human is None else str(human), pair(runs)]
        for name, (carried, initial, final, human, runs) in papers.IDD_TABLE_4.items()
    ]


def _patches(public: pd.DataFrame) -> str:
    ours, theirs = (public[public.search == name].set_index("case").runs for name in ("firstbad", "IDD-h"))
    cases = pd.Series(ours.index, ours.index)
    found = ratio(ours, theirs, cases)
    return (
        f"firstbad needs {found.text()} times the runs of IDD-h. Its carried patches are longer, because they consist "
        "of whole definitions, as the fix of a project does."
    )


def slices(data: Data) -> list[str]:
    """DEFINER, Tables 2 and 3 and Figures 9 and 10."""
    rows = data("slices")
    found = rows.assign(cost=rows.found_runs + rows.found_unbuilt).pivot(index="subject", columns="way", values="cost")
    sizes = rows.drop_duplicates("subject").set_index("subject")
    lines = []
    for subject, size in sizes.iterrows():
        here = [f"{found.loc[subject, f'DEFINER {name}']:.0f}" for name in ("default", "learn", "basic")]
        schemes = [f"{found.loc[subject, f'DEFINER {name}']:.0f}" for name in ("random", "nonpos", "low", "combined")]
        paper = " / ".join(map(str, papers.DEFINER_RUNS[str(subject)]))
        own = f"{found.loc[subject, 'firstbad + dependencies']:.0f}"
        cells = [str(subject), size.commits, f"{size.slice} / {size.covered}", paper, " / ".join(here)]
        lines.append([*cells, " / ".join(schemes), own])
    sums = rows.groupby("way", sort=False)[["found_runs", "found_unbuilt", "proven_runs", "proven_unbuilt"]].sum()
    subjects = pd.Series(found.index, found.index)
    against = ratio(found["firstbad + dependencies"], found["DEFINER default"], subjects)
    ways = [
        [way, *(f"{value:.0f}" for value in some)]
        for way, some in sums.iterrows()
        if str(way).startswith(("firstbad", "ddmin"))
    ]
    return [
        "## Slices (DEFINER)",
        "`firstbad-benchmarks slices`: simulated histories with the sizes of the paper's eight subjects, 100 seeds. "
        "Runs until the smallest slice was found, with those that did not build. Table 2 and Figure 9: commits, and "
        "slices of DEFINER / CSlicer, which the simulation takes from the paper. Figure 10: default / learning / "
        "basic. Table 3: the schemes random / nonpos / low / combined; default is neg. (The digits of the paper's "
        "Table 3 are lost.)",
        table(["subject", "commits", "slices", "paper's runs", "here", "schemes here", "firstbad"], lines),
        "DEFINER takes more runs here than in the paper, because the simulated facts say less than those of real "
        f"runs. firstbad needs {against.text()} times the runs of DEFINER's default here. Sums over the subjects, "
        "until found and until every commit of the slice is proven to be needed ([history "
        "left](data/slice_sizes.svg), as in Figure 10):",
        table(["search", "found: runs", "not built", "proven: runs", "not built"], ways),
    ]


def features(data: Data) -> list[str]:
    """DEFINER in real histories."""
    rows = data("slicing_projects")
    searches = list(dict.fromkeys(rows.search))
    lines = []
    for (project, feature), some in rows.groupby(["project", "feature"], sort=False):
        of = some.set_index("search")
        cells = [
            f"{of.loc[name].found_runs:.0f} / {of.loc[name].runs:.0f}" if name in of.index else "" for name in searches
        ]
        lines.append([f"{str(project).split('/')[-1]}: {feature}", some.commits.iloc[0], some["slice"].min(), *cells])
    return [
        "`slicing_projects.py DATA`: slices of public projects for features, with the tests of the projects or ours. "
        "Runs until the smallest slice was found / until it was proven.",
        table(["feature", "commits", "slice", *searches], lines),
    ]
