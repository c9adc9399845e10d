"""The smallest slices of the histories of public projects.

python slicing_projects.py [DATA] [--to FOLDER] [--only NAME] writes FOLDER/slicing_projects.csv with a row per feature
and search. DATA/repositories has a Git directory for each project, as from `git clone --mirror`. The rows of features
that do not run stay in the file.

Features, ranges, and tests were chosen before any search ran on them. This file has those of all projects that other
benchmarks also use, whatever the results. Every search tests equal trees once. If Git cannot merge a set, this is a
conflict without a run. `found_runs` counts the runs until the slice passes, and `runs` adds those of the proof. For
DEFINER, the test also writes facts, from which the algorithm learns. The other searches have only the outcomes.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shared import directory

import firstbad as fb

REGISTER = Path(__file__).parents[1] / "node" / "dist" / "facts" / "register.js"
RUN_PYTEST = """\
import sys

import pytest

# The version under test, not an installed one.
sys.path[:0] = ["", "src"]
# The settings of the project can require plugins, and installed ones take half of the time.
options = ["-q", "-x", "-c", "/dev/null", "--rootdir=.", "-p", "no:cacheprovider", "-p", "firstbad_facts.pytest_plugin"]
sys.exit(pytest.main([*options, *sys.argv[1:]]))
"""
WRAPPED = "import runpy\n\n\ndef test_feature():\n    runpy.run_path({!r}, run_name='__main__')\n"


@dataclass(frozen=True)
class Feature:
    """A feature of a project: its commits after `base` up to `tip`, and its test.

    Attributes:
        paths: The files and folders that the slice considers.
        tests: The files and folders that every slice takes from the tip.
        arguments: Arguments of pytest. None if the test is `text`, a script in Python or JavaScript.
    """

    project: str
    name: str
    base: str
    tip: str
    paths: tuple[str, ...]
    tests: tuple[str, ...] = ()
    arguments: tuple[str, ...] | None = None
    text: str = ""

    def words(self, folder: Path, has_facts: bool) -> list[str]:
        """Writes the files of the test into a folder, and returns the command."""
        script, runner, wrapper = (folder / name for name in ("feature", "run.py", "test_feature.py"))
        script.write_text(self.text)
        runner.write_text(RUN_PYTEST)
        wrapper.write_text(WRAPPED.format(str(script)))
        python, facts = [sys.executable, "-B", "-W", "ignore"], ["--firstbad-facts"] * has_facts
        if self.arguments is not None:
            return [*python, str(runner), *self.arguments, *facts]
        if "require(" in self.text:
            return ["node", *["--import", REGISTER.as_uri()] * has_facts, str(script)]
        # Only pytest collects facts.
        return [*python, str(runner), str(wrapper), *facts] if has_facts else [*python, str(script)]


HUMANIZE = """\
import importlib.metadata
import sys
import types

# The project is not installed, and needs its version.
importlib.metadata.version = lambda name: "0"
version = types.SimpleNamespace(version="0")
sys.modules["pkg_resources"] = types.SimpleNamespace(get_distribution=lambda name: version)
sys.path.insert(0, "src")
"""
PRECISEDELTA = """\
import datetime

from humanize import precisedelta

delta = datetime.timedelta(seconds=3633, days=2, microseconds=123000)
assert precisedelta(delta) == "2 days, 1 hour and 33.12 seconds"
assert precisedelta(delta, format="%0.4f") == "2 days, 1 hour and 33.1230 seconds"
assert precisedelta(delta, minimum_unit="microseconds") == "2 days, 1 hour, 33 seconds and 123 milliseconds"
assert precisedelta(delta, suppress=["days"]) == "49 hours and 33.12 seconds"
assert precisedelta(datetime.timedelta(seconds=1), minimum_unit="minutes") == "0.02 minutes"
assert precisedelta(datetime.timedelta(seconds=1), minimum_unit="minutes", format="%0.0f") == "0 minutes"
assert precisedelta(datetime.timedelta(days=4000), minimum_unit="years", format="%d") == "10 years"
"""
NUMBERS = """\
from humanize import apnumber, clamp, intcomma, intword, naturalsize

assert clamp(0.0001, floor=0.01) == "<0.01"
assert clamp(0.99, format="{:.0%}", ceil=0.99) == "99%"
assert intcomma(1234.5454545, 1) == "1,234.5"
assert intword("1200000000", "%0.2f") == "1.20 billion"
assert naturalsize(-4096, gnu=True) == "-4.0K"
assert naturalsize(-3000000) == "-3.0 MB"
assert apnumber(0) == "zero"
"""
SUBSET = """\
const Module = require("module");
const assert = require("assert");
// These replace the dependencies of the project.
const tap = { plan: () => {}, end: () => {}, equal: assert.strictEqual, test: (name, run) => run(tap) };
class Cache extends Map { constructor() { super(); } }
const parts = { tap, "lru-cache": Cache };
const load = Module._load;
Module._load = (name, ...rest) => parts[name] || load(name, ...rest);
require(process.cwd() + "/test/ranges/subset.js");
"""
COMMAS = """\
const { deepStrictEqual } = require("assert");
const qs = require(process.cwd() + "/lib");

const comma = { comma: true };
deepStrictEqual(qs.parse("foo=bar,tee", comma), { foo: ["bar", "tee"] });
deepStrictEqual(qs.parse("foo[bar]=coffee,tee", comma), { foo: { bar: ["coffee", "tee"] } });
deepStrictEqual(qs.parse({ foo: "bar,tee" }, comma), { foo: ["bar", "tee"] });
deepStrictEqual(qs.parse("foo[]=1,2,3&foo[]=4,5,6", comma), { foo: [["1", "2", "3"], ["4", "5", "6"]] });
deepStrictEqual(qs.parse("foo=a%2C%20b,c%2C%20d", comma), { foo: ["a, b", "c, d"] });
deepStrictEqual(qs.stringify({ a: ["b", "c"] }, { arrayFormat: "comma" }), "a=b%2Cc");
const told = { arrayFormat: "comma", serializeDate: (one) => String(one.getTime()) };
deepStrictEqual(qs.stringify({ a: [new Date(7)] }, told), "a=7");
"""
HUMANIZE_RANGE = ("2.0.0", "4.0.0", ("src/humanize",))
SEMVER_RANGE = ("v7.0.0", "v7.6.0", ("classes", "functions", "internal", "ranges", "index.js"))
FEATURES = (
    Feature(
        *("astanin/python-tabulate", "wrapping of wide columns", "v0.8.5", "930a943", ("tabulate.py",)),
        tests=("test",),
        arguments=("test/test_textwrapper.py",),
    ),
    Feature("python-humanize/humanize", "precisedelta", *HUMANIZE_RANGE, text=HUMANIZE + PRECISEDELTA),
    Feature("python-humanize/humanize", "numbers", *HUMANIZE_RANGE, text=HUMANIZE + NUMBERS),
    Feature(
        *("pallets/click", "choices that are not strings", "8.1.0", "8.2.0", ("src/click",)),
        tests=("tests",),
        arguments=("tests/test_basic.py", "tests/test_options.py", "-k", "choice"),
    ),
    Feature("npm/node-semver", "subset", *SEMVER_RANGE, tests=("test/ranges/subset.js",), text=SUBSET),
    Feature("ljharb/qs", "lists with commas", "v6.5.0", "v6.9.4", ("lib",), text=COMMAS),
)
SEARCHES: dict[str, dict[str, Any]] = {
    "firstbad": {},
    "DEFINER": {"algorithm": "definer", "scheme": "neg"},
    "ddmin": {"algorithm": "ddmin", "dependencies": "none"},
}
"""Options of `slice_history`."""


def row(feature: Feature, search: str, mirror: Path) -> dict[str, Any]:
    """Returns the row of a search. The worktrees belong to a clone."""
    with tempfile.TemporaryDirectory() as folder:
        clone, began = Path(folder) / "clone", time.monotonic()
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", mirror, clone], check=True)
        history = {"base": feature.base, "tip": feature.tip, "paths": feature.paths, "tests": feature.tests or None}
        words = feature.words(Path(folder), search == "DEFINER")
        running = {"timeout": 60, "output_dir": f"{folder}/output", "env": {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}}
        with fb.Repository(clone).command_oracle(words, **running) as oracle:
            report = fb.slice_history(clone, oracle, **history, **SEARCHES[search])
    seen = report.observations
    found = next(at for at, one in enumerate(seen) if one.changes == report.kept and one.outcome is fb.Outcome.PASS)
    needed = {why.change for why in report.why if why.outcome is not fb.Outcome.PASS}
    return {
        "project": feature.project,
        "feature": feature.name,
        "commits": report.of,
        "search": search,
        "slice": len(report.kept),
        "found_runs": sum(one.ran for one in seen[: found + 1]),
        "runs": report.runs,
        "conflicts": sum(one.stage == "patch" for one in seen),
        "proven": int(report.guarantee == "1-minimal" and needed == set(report.kept)),
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?", help="folder with repositories/")
    parser.add_argument("--to", type=Path, default=Path(__file__).parent / "data", help="folder of the CSV file")
    parser.add_argument("--only", default="", help="part of the names of features")
    options = parser.parse_args()
    mirrors = {one: options.data and directory(options.data / "repositories", one.project) for one in FEATURES}
    found = [one for one in FEATURES if mirrors[one] and options.only in f"{one.project}: {one.name}"]
    jobs = [(one, search, mirrors[one]) for one in found for search in SEARCHES]
    if not jobs:
        parser.exit(message="No repository of a feature found. The file is unchanged. See benchmarks/README.md.\n")
    path = options.to / "slicing_projects.csv"
    known = csv.DictReader(path.read_text().splitlines() if path.exists() else [])
    rows = {(line["feature"], line["search"]): line for line in known}
    options.to.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(2) as pool:
        for line in pool.map(row, *zip(*jobs, strict=True)):
            print(", ".join(map(str, line.values())), file=sys.stderr)
            rows[line["feature"], line["search"]] = line
    order = [(one.name, search) for one in FEATURES for search in SEARCHES]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(line), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[key] for key in order if key in rows)


if __name__ == "__main__":
    main()
