"""Regressions of public projects, each with the commit that is known to have brought it in, and a test of its last day.

Each test uses something that came, or came again, after the commit that it is to find, so that it does not run as it is
before that. A test is run in a work tree of the project, as `{tests}/NAME test` for the test and `{tests}/NAME control`
for its control: the same with an input that the regression is not about. The tests are our own.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

__all__ = ["REGRESSIONS", "Regression"]


@dataclass(frozen=True)
class Regression:
    """A regression of a project.

    Attributes:
        project: Its name on GitHub, with the owner.
        name: What no longer worked.
        known: Where the culprit is known from.
        start: The last commit with the regression.
        culprit: The commit on the walk that brought it in: a merge, where it came in on another branch.
        oldest: Where a walk that finds nothing ends, a release.
        needs: What the test needs that came later.
        file: The name of the test's file.
        text: What is in it.
        command: Runs it, in a work tree; `{tests}` is the folder of the file and `{what}` is "test" or "control".
        fix: The commit with which the project fixed it.
        build: Builds the project.
        also: A second test, of the project, at the start.
    """

    project: str
    name: str
    known: str
    start: str
    culprit: str
    oldest: str
    needs: str
    file: str
    text: str
    command: tuple[str, ...]
    fix: str
    build: tuple[str, ...] | None = None
    also: tuple[str, ...] | None = None


def pytest(*words: str) -> tuple[str, ...]:
    """A test of a project, without its settings."""
    line = 'PYTHONPATH=.:src exec "$0" -B -m pytest -q -p no:cacheprovider -c /dev/null --rootdir=. "$@"'
    return ("sh", "-c", line, sys.executable, *words)


def python(project: str, name: str, text: str, **known: Any) -> Regression:
    command = (sys.executable, "-S", "-B", "-W", "ignore", "{tests}/regression.py", "{what}")
    return Regression(project=project, name=name, file="regression.py", text=text, command=command, **known)


def javascript(project: str, name: str, text: str, **known: Any) -> Regression:
    command = ("node", "{tests}/regression.js", "{what}")
    return Regression(project=project, name=name, file="regression.js", text=text, command=command, **known)


def c(project: str, source: str, name: str, text: str, **known: Any) -> Regression:
    """The project's file is built by itself, so that a test that does not link is no version that does not build."""
    line = "cc -w -o regression -I . {tests}/regression.c regression.o -lm && ./regression {what}"
    build = ("cc", "-w", "-c", "-o", "regression.o", source)
    return Regression(
        project=project, name=name, file="regression.c", text=text, command=("sh", "-c", line), build=build, **known
    )


REGRESSIONS = (
    python(
        "astanin/python-tabulate",
        "wrapping a cell that says True",
        """\
import sys

sys.path.insert(0, "")
from tabulate import tabulate, tabulate_formats

word = {"test": "True", "control": "Truth"}[sys.argv[1]]
assert "colon_grid" in tabulate_formats, "there are no grids with colons"
table = tabulate([["Second Entry", word]], headers=["Title", "When"], tablefmt="colon_grid", maxcolwidths=[7, 5])
assert f"| Second  | {word}" in table, f"wrapped in another way: {table}"
""",
        known='the message of d29909b, which mends it: "this regressed in e8e3091", merged with 34dec68',
        start="537d7b03932263062d37a7e747f19a385709b9f7",
        culprit="34dec68",
        fix="d29909b",
        also=pytest("test/test_output.py"),
        oldest="v0.8.9",
        needs='the format "colon_grid", in a module that was moved into a package',
    ),
    python(
        "jmespath/jmespath.py",
        "a filter below a projection",
        """\
import sys

sys.path.insert(0, "")
import jmespath

machines = {"racks": [{"machines": [{"name": "a", "state": "off"}, {"name": "b", "state": "on"}]}]}
of = {"test": "racks[*]", "control": "racks[0]"}[sys.argv[1]]
found = jmespath.search(of + ".machines[?state=='on'].name", machines)
assert found == {"test": [["b"]], "control": ["b"]}[sys.argv[1]], f"found {found}"
""",
        known='7979027, "Fix regression when parsing filters", undoes what 7d46116 did, merged with 0c77ac8',
        start="80167db",
        culprit="0c77ac8",
        fix="7979027",
        also=pytest("tests/test_parser.py", "-k", "not Caching and not AddsExpression"),
        oldest="c38a158",
        needs="raw string literals (JEP-12)",
    ),
    python(
        "python-humanize/humanize",
        "parts of a byte",
        """\
import importlib.metadata
import sys
import types

# What an installation would write.
importlib.metadata.version = lambda name: "0"
sys.modules["humanize._version"] = types.SimpleNamespace(__version__="0")
sys.path.insert(0, "src")
import humanize

humanize.i18n.activate("en_GB")
size, words = {"test": (1.5, "1 Bytes"), "control": (1500, "1.5 kB")}[sys.argv[1]]
assert humanize.naturalsize(size) == words, f"{size} is shown as {humanize.naturalsize(size)}"
""",
        known='11e62ee, "Fix regression in naturalsize for float", mends the lines that fb61d5a rewrote',
        start="a0602c7",
        culprit="fb61d5a",
        fix="11e62ee",
        oldest="4.9.0",
        needs="British English as a locale",
    ),
    python(
        "pallets/click",
        "completion in fish",
        """\
import sys

sys.path.insert(0, "src")
import click
from click.testing import CliRunner


@click.command()
@click.option("--name", help="Who it is.")
def cli(name):
    pass


shell, word, line = {
    "test": ("fish", "--na", "plain,--name\\tWho it is.\\n"),
    "control": ("zsh", "1", "plain\\n--name\\nWho it is.\\n"),
}[sys.argv[1]]
said = {"_CLI_COMPLETE": f"{shell}_complete", "COMP_WORDS": "cli --na", "COMP_CWORD": word}
result = CliRunner(capture="fd").invoke(cli, [], prog_name="cli", env=said)
assert result.output == line, f"{shell} is told {result.output!r}"
""",
        known='CHANGES.md of 8.4.2: "completion broken in 8.4.0 by #3126", which is 19fd4d6',
        start="e3e69e3b",
        culprit="19fd4d6",
        fix="b7e5fd4c",
        also=pytest("tests/test_shell_completion.py"),
        oldest="8.2.0",
        needs='CliRunner(capture="fd")',
    ),
    javascript(
        "npm/node-semver",
        "the difference to a release",
        """\
const assert = require('assert')
const path = require('path')
const diff = require(path.resolve('functions/diff'))
const coerce = require(path.resolve('functions/coerce'))

const before = coerce('v1.1.0-rc', { includePrerelease: true })
assert.strictEqual(before.version, '1.1.0-rc', 'the prerelease is lost')
const [after, expected] = { test: ['2.1.1', 'major'], control: ['2.0.0-rc', 'premajor'] }[process.argv[2]]
const found = diff(before, after)
assert.strictEqual(found, expected, `called ${found}`)
""",
        known="d588e37 (#755, for #606) takes back what 58c791f (#566) put in",
        start="753e02b",
        culprit="58c791f",
        fix="d588e37",
        oldest="v7.3.8",
        needs="coerce with includePrerelease",
    ),
    javascript(
        "npm/node-semver",
        "prereleases of exact carets",
        """\
const path = require('path')
const { satisfies } = require(path.resolve('.'))

const range = { test: '^0.2.3', control: '^1.2.3' }[process.argv[2]]
const options = { includePrerelease: true }
if (satisfies('0.2.3-alpha', range, options)) throw new Error(`the prerelease is in ${range}`)
if (!satisfies(range.slice(1), range, options)) throw new Error(`the release is not in ${range}`)
""",
        known="046da7f (#872, for #557) takes back what 044c54c put in",
        start="046da7f^",
        culprit="044c54c",
        fix="046da7f",
        oldest="v6.3.0",
        needs="a cache of its own: between e08d916 and ad8ff11 it comes from a package that is not installed",
    ),
    c(
        "DaveGamble/cJSON",
        "cJSON.c",
        "adding behind what was detached",
        """\
#include <stdio.h>
#include <string.h>
#include "cJSON.h"

int main(int count, char **words)
{
    int last = strcmp(words[1], "test") == 0 ? 2 : 1;
    cJSON *numbers = cJSON_CreateArray();
    cJSON_AddItemToArray(numbers, cJSON_CreateNumber(1));
    cJSON_AddItemToArray(numbers, cJSON_CreateNumber(2));
    cJSON_AddItemToArray(numbers, cJSON_CreateNumber(3));
    cJSON_DetachItemFromArray(numbers, last);
    cJSON_AddItemToArray(numbers, cJSON_ParseWithLength("4, and more", 1));
    if (cJSON_GetArraySize(numbers) != 3) {
        printf("error: an item is lost\\n");
        return 1;
    }
    return 0;
}
""",
        known='a65abf2, "error list head\'s prev when detach the last item": the tail is found so since 3ece4c8',
        start="a65abf2^",
        culprit="3ece4c8",
        fix="a65abf2",
        oldest="v1.7.12",
        needs="cJSON_ParseWithLength",
    ),
    c(
        "DaveGamble/cJSON",
        "cJSON.c",
        "comparing small numbers",
        """\
#include <stdio.h>
#include <string.h>
#include "cJSON.h"

int main(int count, char **words)
{
    const char *second = strcmp(words[1], "test") == 0 ? "3e-17" : "3";
    cJSON *one = cJSON_ParseWithLength("1e-17", 5);
    cJSON *other = cJSON_ParseWithLength(second, strlen(second));
    if (one == NULL || other == NULL) {
        printf("error: not read\\n");
        return 1;
    }
    if (cJSON_Compare(one, other, 1)) {
        printf("error: the numbers are said to be equal\\n");
        return 1;
    }
    return 0;
}
""",
        known="8943c73 replaces the comparison that c06d826 put in",
        start="65578af",
        culprit="c06d826",
        fix="8943c73",
        oldest="v1.7.12",
        needs="cJSON_ParseWithLength",
    ),
    c(
        "kgabis/parson",
        "parson.c",
        "objects that were cleared",
        """\
#include <stdio.h>
#include <string.h>
#include "parson.h"

int main(int count, char **words)
{
    int round, rounds = strcmp(words[1], "test") == 0 ? 40 : 1;
    char name[] = "key a";
    JSON_Value *value = json_value_init_object();
    JSON_Object *object = json_object(value);
    json_set_float_serialization_format("%.2f");
    for (round = 0; round < rounds; round++) {
        name[4] = (char)('A' + round);
        json_object_set_number(object, name, 1.5);
        json_object_clear(object);
    }
    json_object_set_number(object, "first", 1.5);
    json_object_set_number(object, "second", 2.5);
    if (json_object_get_value(object, "second") == NULL) {
        printf("error: the second one is lost\\n");
        return 1;
    }
    if (strcmp(json_serialize_to_string(json_object_get_value(object, "second")), "2.50") != 0) {
        printf("error: shown in another way\\n");
        return 1;
    }
    return 0;
}
""",
        known='3c4ee26, "Fixes a bug in json_object_clear", in what 6b3d6f4 rewrote',
        start="1314bf8",
        culprit="6b3d6f4",
        fix="3c4ee26",
        oldest="4f3eaa6",
        needs="json_set_float_serialization_format",
    ),
)
