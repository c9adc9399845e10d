"""Features of public projects, each with a history that it was built in, and a test of the last day of that.

Histories, features and tests were chosen before a search ran on them, and none was left out after.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

__all__ = ["FEATURES", "Feature"]


@dataclass(frozen=True)
class Feature:
    """A feature of a project, to be ported.

    Attributes:
        project: Its name on GitHub, with the owner.
        name: What is to be ported.
        base: The revision before the first commit.
        tip: The revision with all of them, which passes the test.
        paths: What counts.
        tests: What is taken from the tip.
        file: The name of a file that the test needs and that is not the project's.
        text: What is in it.
        command: Runs the test, in a work tree; `{own}` is the folder of the file.
    """

    project: str
    name: str
    base: str
    tip: str
    paths: tuple[str, ...]
    tests: tuple[str, ...]
    file: str
    text: str
    command: tuple[str, ...]


PYTHON = (sys.executable, "-B", "-W", "ignore")
PYTEST = {
    "file": "run.py",
    "text": """\
import sys

import pytest

# Not what is installed.
sys.path[:0] = ["", "src"]
# The projects' own settings ask for more than pytest.
sys.exit(pytest.main(["-q", "-x", "-c", "/dev/null", "--rootdir=.", "-p", "no:cacheprovider", *sys.argv[1:]]))
""",
}

HUMANIZE = """\
import importlib.metadata
import sys
import types

# The project is not installed, and asks for its version in one way or the other.
importlib.metadata.version = lambda name: "0"
version = types.SimpleNamespace(version="0")
sys.modules["pkg_resources"] = types.SimpleNamespace(get_distribution=lambda name: version)
sys.path.insert(0, "src")
"""

FEATURES = (
    Feature(
        project="more-itertools/more-itertools",
        name="zip_equal",
        base="v8.0.0",
        tip="v8.6.0",
        paths=("more_itertools",),
        tests=("tests/test_more.py",),
        file="none",
        text="",
        command=(*PYTHON, "-m", "unittest", "tests.test_more.ZipEqualTest"),
    ),
    Feature(
        project="more-itertools/more-itertools",
        name="distinct_permutations of a length",
        base="v8.0.0",
        tip="v8.6.0",
        paths=("more_itertools",),
        tests=("tests/test_more.py",),
        file="none",
        text="",
        command=(*PYTHON, "-m", "unittest", "tests.test_more.DistinctPermutationsTests"),
    ),
    Feature(
        project="astanin/python-tabulate",
        name="wrapping of wide columns",
        base="v0.8.5",
        tip="930a943",
        paths=("tabulate.py",),
        tests=("test",),
        **PYTEST,
        command=(*PYTHON, "{own}/run.py", "test/test_textwrapper.py"),
    ),
    Feature(
        project="python-humanize/humanize",
        name="precisedelta",
        base="2.0.0",
        tip="4.0.0",
        paths=("src/humanize",),
        tests=(),
        file="feature.py",
        text=HUMANIZE
        + """\
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
""",
        command=(*PYTHON, "{own}/feature.py"),
    ),
    Feature(
        project="python-humanize/humanize",
        name="numbers",
        base="2.0.0",
        tip="4.0.0",
        paths=("src/humanize",),
        tests=(),
        file="feature.py",
        text=HUMANIZE
        + """\
from humanize import apnumber, clamp, intcomma, intword, naturalsize

assert clamp(0.0001, floor=0.01) == "<0.01"
assert clamp(0.99, format="{:.0%}", ceil=0.99) == "99%"
assert intcomma(1234.5454545, 1) == "1,234.5"
assert intword("1200000000", "%0.2f") == "1.20 billion"
assert naturalsize(-4096, gnu=True) == "-4.0K"
assert naturalsize(-3000000) == "-3.0 MB"
assert apnumber(0) == "zero"
""",
        command=(*PYTHON, "{own}/feature.py"),
    ),
    Feature(
        project="pallets/click",
        name="choices that are no strings",
        base="8.1.0",
        tip="8.2.0",
        paths=("src/click",),
        tests=("tests",),
        **PYTEST,
        command=(*PYTHON, "{own}/run.py", "tests/test_basic.py", "tests/test_options.py", "-k", "choice"),
    ),
    Feature(
        project="npm/node-semver",
        name="subset",
        base="v7.0.0",
        tip="v7.6.0",
        paths=("classes", "functions", "internal", "ranges", "index.js"),
        tests=("test/ranges/subset.js",),
        file="feature.js",
        text="""\
const Module = require("module");
const assert = require("assert");

// In place of what the project installs: as much of it as is used here.
const tap = { plan: () => {}, end: () => {}, equal: assert.strictEqual, test: (name, run) => run(tap) };
class Cache extends Map {
  constructor() {
    super();
  }
}
const parts = { tap, "lru-cache": Cache };
const load = Module._load;
Module._load = (name, ...rest) => parts[name] || load(name, ...rest);
require(process.cwd() + "/test/ranges/subset.js");
""",
        command=("node", "{own}/feature.js"),
    ),
    Feature(
        project="ljharb/qs",
        name="lists with commas",
        base="v6.5.0",
        tip="v6.9.4",
        paths=("lib",),
        tests=(),
        file="feature.js",
        text="""\
const { deepStrictEqual } = require("assert");
const qs = require(process.cwd() + "/lib");

const comma = { comma: true };
deepStrictEqual(qs.parse("foo=bar,tee", comma), { foo: ["bar", "tee"] });
deepStrictEqual(qs.parse("foo[bar]=coffee,tee", comma), { foo: { bar: ["coffee", "tee"] } });
deepStrictEqual(qs.parse({ foo: "bar,tee" }, comma), { foo: ["bar", "tee"] });
deepStrictEqual(qs.parse("foo[]=1,2,3&foo[]=4,5,6", comma), { foo: [["1", "2", "3"], ["4", "5", "6"]] });
deepStrictEqual(qs.parse("foo=a%2C%20b,c%2C%20d", comma), { foo: ["a, b", "c, d"] });
deepStrictEqual(qs.stringify({ a: ["b", "c"] }, { arrayFormat: "comma" }), "a=b%2Cc");
const date = new Date(7);
const told = { arrayFormat: "comma", serializeDate: (one) => String(one.getTime()) };
deepStrictEqual(qs.stringify({ a: [date] }, told), "a=7");
""",
        command=("node", "{own}/feature.js"),
    ),
    Feature(
        project="pytoolz/toolz",
        name="excepts",
        base="0.7.4",
        tip="0.9.0",
        paths=("toolz",),
        tests=(),
        file="feature.py",
        text="""\
import sys

sys.path.insert(0, "")
import toolz
import toolz.curried


def refuses(value):
    \"\"\"Refuses it.\"\"\"
    raise ValueError(value)


safe = toolz.excepts(ValueError, refuses, lambda error: 2 * error.args[0])
assert safe(3) == 6
assert safe.func is refuses
assert safe.__name__ == "refuses_excepting_ValueError"
assert toolz.excepts((KeyError, ValueError), refuses)(3) is None
assert toolz.curried.excepts(ValueError)(refuses)(3) is None
try:
    toolz.excepts(KeyError, refuses)(3)
except ValueError:
    pass
else:
    raise AssertionError
""",
        command=(*PYTHON, "{own}/feature.py"),
    ),
    Feature(
        project="tj/commander.js",
        name="choices of an option",
        base="v5.0.0",
        tip="v7.0.0",
        paths=("index.js",),
        tests=(),
        file="feature.js",
        text="""\
const { deepStrictEqual, throws } = require("assert");
const { Command, Option } = require(process.cwd());

const parsed = (words) => {
  const colour = new Option("-c, --colour <name>", "how it looks").choices(["red", "blue"]).default("blue", "dark");
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} }).addOption(colour);
  return program.parse(words, { from: "user" }).opts();
};
deepStrictEqual(parsed([]), { colour: "blue" });
deepStrictEqual(parsed(["--colour", "red"]), { colour: "red" });
deepStrictEqual(parsed(["-cred"]), { colour: "red" });
throws(() => parsed(["--colour", "green"]), /allowed choices are red, blue/i);
""",
        command=("node", "{own}/feature.js"),
    ),
)
