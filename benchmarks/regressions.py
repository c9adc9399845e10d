"""Regressions of public projects, each with its known culprit and a test of our own.

Each test uses a feature that is newer than the culprit, so it does not run without that feature. The control is the
same test with an input that the regression does not affect.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["REGRESSIONS", "Regression"]


@dataclass(frozen=True)
class Regression:
    """A regression of a project.

    Attributes:
        project: The owner and the name on GitHub.
        name: The name of the regression.
        file: The name of the test's file.
        text: The text of the test's file.
        known: The source that names the culprit.
        start: The last commit with the regression.
        culprit: The culprit on the walk, or the merge of the culprit's branch.
        oldest: The release at which a walk without a passing version ends.
        fix: The commit with which the project fixed it.
        also: Arguments of pytest for a second test, from the project, at the start.
    """

    project: str
    name: str
    file: str
    text: str
    known: str
    start: str
    culprit: str
    oldest: str
    fix: str
    also: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.project.split('/')[1]}: {self.name}"

    def words(self, tests: Path, what: str) -> list[str]:
        """Returns the command of the test or of the control, for a worktree of the project."""
        file = str(tests / self.file)
        if self.file.endswith(".py"):
            return [sys.executable, "-S", "-B", "-W", "ignore", file, what]
        if self.file.endswith(".js"):
            return ["node", file, what]
        return ["sh", "-c", f"cc -w -o regression -I . {file} regression.o -lm && ./regression {what}"]

    @property
    def build(self) -> list[str] | None:
        """The command that compiles the project's file alone, so that an error of the linker is not a build failure."""
        library = self.project.split("/")[1]
        return ["cc", "-w", "-c", "-o", "regression.o", f"{library}.c"] if self.file.endswith(".c") else None

    @property
    def second(self) -> list[str] | None:
        """The command of the second test, without the settings of the project."""
        line = 'PYTHONPATH=.:src exec "$0" -B -m pytest -q -p no:cacheprovider -c /dev/null --rootdir=. "$@"'
        return ["sh", "-c", line, sys.executable, *self.also] if self.also else None


REGRESSIONS = (
    Regression(
        "astanin/python-tabulate",
        "wrapping a cell that says True",
        "regression.py",
        """\
import sys

sys.path.insert(0, "")
from tabulate import tabulate, tabulate_formats

word = {"test": "True", "control": "Truth"}[sys.argv[1]]
assert "colon_grid" in tabulate_formats, "there are no grids with colons"
table = tabulate([["Second Entry", word]], headers=["Title", "When"], tablefmt="colon_grid", maxcolwidths=[7, 5])
assert f"| Second  | {word}" in table, f"wrapped in another way: {table}"
""",
        known='the message of the fix, d29909b: "this regressed in e8e3091", which 34dec68 merged',
        start="537d7b03932263062d37a7e747f19a385709b9f7",
        culprit="34dec68",
        fix="d29909b",
        also=("test/test_output.py",),
        oldest="v0.8.9",
    ),
    Regression(
        "jmespath/jmespath.py",
        "a filter below a projection",
        "regression.py",
        """\
import sys

sys.path.insert(0, "")
import jmespath

machines = {"racks": [{"machines": [{"name": "a", "state": "off"}, {"name": "b", "state": "on"}]}]}
of = {"test": "racks[*]", "control": "racks[0]"}[sys.argv[1]]
found = jmespath.search(of + ".machines[?state=='on'].name", machines)
assert found == {"test": [["b"]], "control": ["b"]}[sys.argv[1]], f"found {found}"
""",
        known='7979027, "Fix regression when parsing filters", undoes 7d46116, which 0c77ac8 merged',
        start="80167db",
        culprit="0c77ac8",
        fix="7979027",
        also=("tests/test_parser.py", "-k", "not Caching and not AddsExpression"),
        oldest="c38a158",
    ),
    Regression(
        "python-humanize/humanize",
        "parts of a byte",
        "regression.py",
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
        known='11e62ee, "Fix regression in naturalsize for float", fixes the lines that fb61d5a rewrote',
        start="a0602c7",
        culprit="fb61d5a",
        fix="11e62ee",
        oldest="4.9.0",
    ),
    Regression(
        "pallets/click",
        "completion in fish",
        "regression.py",
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
        also=("tests/test_shell_completion.py",),
        oldest="8.2.0",
    ),
    Regression(
        "npm/node-semver",
        "the difference to a release",
        "regression.js",
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
        known="d588e37 (#755, for #606) undoes 58c791f (#566)",
        start="753e02b",
        culprit="58c791f",
        fix="d588e37",
        oldest="v7.3.8",
    ),
    Regression(
        "npm/node-semver",
        "prereleases of exact carets",
        "regression.js",
        """\
const path = require('path')
const { satisfies } = require(path.resolve('.'))

const range = { test: '^0.2.3', control: '^1.2.3' }[process.argv[2]]
const options = { includePrerelease: true }
if (satisfies('0.2.3-alpha', range, options)) throw new Error(`the prerelease is in ${range}`)
if (!satisfies(range.slice(1), range, options)) throw new Error(`the release is not in ${range}`)
""",
        known="046da7f (#872, for #557) undoes 044c54c",
        start="046da7f^",
        culprit="044c54c",
        fix="046da7f",
        oldest="v6.3.0",
    ),
    Regression(
        "DaveGamble/cJSON",
        "adding behind what was detached",
        "regression.c",
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
        known='a65abf2, "error list head\'s prev when detach the last item", fixes how 3ece4c8 finds the tail',
        start="a65abf2^",
        culprit="3ece4c8",
        fix="a65abf2",
        oldest="v1.7.12",
    ),
    Regression(
        "DaveGamble/cJSON",
        "comparing small numbers",
        "regression.c",
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
        known="8943c73 replaces the comparison that c06d826 added",
        start="65578af",
        culprit="c06d826",
        fix="8943c73",
        oldest="v1.7.12",
    ),
    Regression(
        "kgabis/parson",
        "objects that were cleared",
        "regression.c",
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
        known='3c4ee26, "Fixes a bug in json_object_clear", fixes the code that 6b3d6f4 rewrote',
        start="1314bf8",
        culprit="6b3d6f4",
        fix="3c4ee26",
        oldest="4f3eaa6",
    ),
)
