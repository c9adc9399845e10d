"""The situations of the paper on iterative delta debugging, each a small git repository (Artho 2011, Sections 4 to 6).

`made` writes one into a folder: fixed authors, dates and contents, so that the shas are the same on every machine. What
is to be found is known here by construction. The test, and the compiler's command, are real ones and lie beside the
repository; how a revision answers them is found out by running them, never written down.
"""

from __future__ import annotations

import itertools
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import firstbad as fb

__all__ = ["LONG", "NO_BODY", "SITUATIONS", "SQUASHED", "History", "Made", "Situation", "git", "made", "remembering"]

PYTHON = (sys.executable, "-S", "-B")
BUILD = ("cc", "-w", "-o", "test-program", "-I", "src", "{tests}/test.c")
FIRST_COMMIT = 1_300_000_000

METRES = {
    "inch": 0.0254,
    "foot": 0.3048,
    "yard": 0.9144,
    "fathom": 1.8288,
    "rod": 5.0292,
    "chain": 20.1168,
    "furlong": 201.168,
    "mile": 1609.344,
    "league": 4828.032,
    "ell": 1.143,
    "hand": 0.1016,
    "span": 0.2286,
    "cubit": 0.4572,
}
UNIT = {
    "c": "double {name}(double length)\n{{\n    return length * {factor};\n}}\n",
    "python": "def {name}(length):\n    return length * {factor}\n",
    "javascript": "function {name}(length) {{\n  return length * {factor};\n}}\n",
}
UNITS = {"c": "src/units.c", "python": "units.py", "javascript": "lib/units.js"}


def git(folder: Path, *words: str, stdin: str = "") -> str:
    """What git says."""
    done = subprocess.run(
        ["git", "-C", os.fspath(folder), *words], input=stdin.encode(), capture_output=True, check=True
    )
    return done.stdout.decode()


class History:
    """Commits in a line, oldest first, each with all of its files."""

    def __init__(self, language: str, files: Mapping[str, str]) -> None:
        self.language = language
        self.files = {"README": "Lengths, and more.\n", UNITS[language]: "", **files}
        self.commits: list[tuple[str, dict[str, str]]] = []
        self._units = itertools.permutations(METRES, 2)
        self.commit("Begin")

    def commit(self, message: str) -> None:
        self.commits.append((message, dict(self.files)))

    def edit(self, name: str, *changes: tuple[str, str]) -> None:
        """Replaces texts that a file has once."""
        for before, after in changes:
            found = self.files[name].count(before)
            if found != 1:
                raise ValueError(f"{name} has {before!r} {found} times")
            self.files[name] = self.files[name].replace(before, after)

    def change(self, message: str, name: str, *changes: tuple[str, str]) -> None:
        self.edit(name, *changes)
        self.commit(message)

    def grow(self, count: int, *, commit: bool = True) -> None:
        """So many commits that have nothing to do with anything, one more unit of length each; or all for the next."""
        name = UNITS[self.language]
        for _ in range(count):
            one, other = next(self._units)
            factor = round(METRES[one] / METRES[other], 6)
            function = UNIT[self.language].format(name=f"{one}_to_{other}", factor=factor)
            self.files[name] += "\n" * bool(self.files[name]) + function
            self.files["README"] += f"- {one} to {other}\n"
            if commit:
                self.commit(f"Convert {one} to {other}")

    def stream(self) -> Iterator[str]:
        """For `git fast-import`."""
        for number, (message, files) in enumerate(self.commits, start=1):
            yield f"commit refs/heads/main\nmark :{number}\n"
            yield f"committer A. Uthor <author@example.org> {FIRST_COMMIT + 86_400 * number} +0000\n"
            yield f"data {len(message.encode())}\n{message}\ndeleteall\n"
            for name, text in files.items():
                yield f"M 100644 inline {name}\ndata {len(text.encode())}\n{text}\n"


@dataclass(frozen=True)
class Situation:
    """A history, its test, and what is to be found.

    Attributes:
        name: What it is called.
        why: What is peculiar to it.
        history: Makes its commits.
        test: The command of the test, run in a work tree; `{tests}` is the folder with `files`.
        files: What lies beside the repository.
        bad: The message of the commit that broke it; None if all versions are broken.
        cause: Lines that the smallest change has, which brings the failure back.
        carried: Lines that the test needs on the good version; none: nothing is carried.
        build: The command that builds, if there is one.
        control: The command that must pass where a failure counts.
        status: How the search ends.
        told: Options of the search.
        timeout: Seconds that the test may take.
    """

    name: str
    why: str
    history: Callable[[], History]
    test: tuple[str, ...]
    files: Mapping[str, str]
    bad: str | None
    cause: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    build: tuple[str, ...] | None = None
    control: tuple[str, ...] | None = None
    status: str = "found"
    told: Mapping[str, Any] = field(default_factory=dict)
    timeout: float | None = None


@dataclass(frozen=True)
class Made:
    """A situation in a folder.

    Attributes:
        situation: Which one it is.
        repository: The repository's folder.
        tests: The folder with the test.
        shas: The commits, oldest first.
    """

    situation: Situation
    repository: Path
    tests: Path
    shas: tuple[str, ...]

    @property
    def ends(self) -> tuple[str | None, str | None]:
        """The commit before the one that broke it, and that one."""
        if self.situation.bad is None:
            return None, None
        messages = [message for message, _ in self.situation.history().commits]
        at = messages.index(self.situation.bad)
        return self.shas[at - 1], self.shas[at]

    def words(self, command: tuple[str, ...] | None) -> list[str] | None:
        """A command of the situation, as it is run."""
        return None if command is None else [word.format(tests=self.tests) for word in command]

    def stages(self) -> dict[str, Any]:
        """The options of a command oracle, the test without a name not among them."""
        situation = self.situation
        given = {"build": self.words(situation.build), "control": self.words(situation.control)}
        given["timeout"] = situation.timeout
        return {name: value for name, value in given.items() if value is not None}

    def command_line(self, *more: str) -> list[str]:
        """The words after `firstbad`."""
        words = ["port", "-C", str(self.repository), "--start", "main", *more]
        for name, value in self.situation.told.items():
            for one in value if isinstance(value, list) else [value]:
                words += [f"--{name.replace('_', '-')}", str(one)]
        for name, value in self.stages().items():
            words += [f"--{name}", f"{value}s" if name == "timeout" else shlex.join(value)]
        return [*words, "--", *(self.words(self.situation.test) or [])]


def made(situation: Situation, folder: Path) -> Made:
    """Writes a situation into a folder, which is made."""
    repository, tests = folder / "repository", folder / "tests"
    tests.mkdir(parents=True)
    for name, text in situation.files.items():
        (tests / name).write_text(text)
    git(folder, "init", "--quiet", "--initial-branch=main", str(repository))
    git(repository, "fast-import", "--quiet", stdin="".join(situation.history().stream()))
    shas = tuple(git(repository, "rev-list", "--reverse", "main").split())
    return Made(situation, repository, tests, shas)


def remembering(oracle: fb.CommandOracle) -> Callable[[fb.PortProbe], fb.Observation]:
    """An oracle that runs a command once for each tree."""
    seen: dict[str, fb.Observation] = {}

    def ask(probe: fb.PortProbe) -> fb.Observation:
        if probe.tree not in seen:
            told = oracle._core.run(probe.revision, bytes(probe.patch) or None, True)
            seen[probe.tree] = fb.Observation.from_json(told)
        return seen[probe.tree]

    return ask


# --- Nothing to copy_files: a parser of archives, in Python. All versions run the test (Section 6.3).

MANIFEST = """\
def fields(text):
    found = {}
    last = None
    for line in text.splitlines():
        if line.startswith(" ") and last:
            found[last] += line[1:]
            continue
        name, _, value = line.partition(":")
        last = name.strip().lower()
        found[last] = value.strip()
    return found
"""
ARCHIVE = """\
from manifest import fields


class Archive:
    def __init__(self, entries):
        self.entries = dict(entries)

    def names(self):
        return sorted(self.entries)

    def main(self):
        return fields(self.entries["META-INF/MANIFEST.MF"])["main-class"]

    def home(self):
        return fields(self.entries["META-INF/MANIFEST.MF"]).get("home")
"""
ARCHIVE_TEST = """\
import sys

sys.path.insert(0, "")
from archive import Archive

archive = Archive({"META-INF/MANIFEST.MF": "Main-Class: org.exam\\n ple.Main\\nHome: https://example.org\\n"})
if archive.main() != "org.example.Main":
    sys.exit(f"error: the main class is {archive.main()}")
if archive.home() != "https://example.org":
    sys.exit(f"error: the home is {archive.home()}")
"""


def archive() -> History:
    history = History("python", {"manifest.py": MANIFEST, "archive.py": ARCHIVE})
    history.grow(8)
    history.change(
        "Split fields in one go",
        "manifest.py",
        ('        name, _, value = line.partition(":")\n', '        name, value = line.split(":")[:2]\n'),
    )
    history.grow(6)
    history.change(
        "Say how many",
        "archive.py",
        ("    def main", "    def __len__(self):\n        return len(self.entries)\n\n    def main"),
    )
    history.grow(8)
    return history


# --- A compile error that goes away by itself: a loader, in C. Versions in the middle do not build, the older ones do.

LOADER = """\
#include <string.h>
#include "loader.h"

static const char *known[] = {"base", "net", "text"};

static int find(const char *name)
{
    for (int at = 0; at < 3; at++)
        if (strcmp(known[at], name) == 0)
            return at;
    return -1;
}

int load(const char *name)
{
    char plain[64];
    size_t length = strcspn(name, "@");
    if (length >= sizeof plain)
        return -1;
    memcpy(plain, name, length);
    plain[length] = 0;
    return find(plain);
}
"""
LOADER_TEST = """\
#include <stdio.h>
#include "loader.h"

int main(void)
{
    if (load("net") != 1) {
        puts("error: a plain name is not loaded");
        return 1;
    }
    if (load("text@2.1") != 2) {
        puts("error: a name with a version is not loaded");
        return 1;
    }
    return 0;
}
"""


def loader() -> History:
    history = History("c", {"src/loader.c": LOADER, "src/loader.h": "int load(const char *name);\n"})
    history.grow(4)
    history.change(
        "Keep what was asked for",
        "src/loader.c",
        ("    plain[length] = 0;\n", "    strcpy(plain + length, name + length);\n"),
    )
    history.grow(3)
    history.change("Look up by length", "src/loader.c", ("    return find(plain);", "    return find(plain, length);"))
    history.grow(3)
    history.change(
        "Look up by name alone", "src/loader.c", ("    return find(plain, length);", "    return find(plain);")
    )
    history.grow(5)
    return history


# --- A missing feature: comments in a table, in JavaScript. The test is in the repository, and new.

CSV = """\
function cells(line) {
  const found = [];
  let cell = "";
  let quoted = false;
  for (const letter of line) {
    if (letter === '"') {
      quoted = !quoted;
    } else if (letter === "," && !quoted) {
      found.push(cell);
      cell = "";
    } else {
      cell += letter;
    }
  }
  found.push(cell);
  return found;
}

function parse(text) {
  const lines = text.split("\\n").filter((line) => line.length > 0);
  return lines.map((line) => cells(line));
}

module.exports = { parse };
"""
CSV_TEST = """\
const { parse } = require("../lib/csv.js");

if (parse("# prices\\ntea,2\\n", { comment: "#" }).length !== 1) {
  console.log("error: a comment is a line");
  process.exit(1);
}
if (parse('"tea,green",2\\n', { comment: "#" })[0][0] !== "tea,green") {
  console.log("error: a comma in quotes separates");
  process.exit(1);
}
"""


def take_comments(history: History) -> None:
    history.change(
        "Take comments",
        "lib/csv.js",
        ("function parse(text) {", "function parse(text, { comment = null } = {}) {"),
        ("line.length > 0", "line.length > 0 && line[0] !== comment"),
    )


def quotes_begin(history: History) -> None:
    history.change(
        "Quotes begin at the beginning",
        "lib/csv.js",
        ("      quoted = !quoted;", "      quoted = cell.length > 0 && !quoted;"),
    )


def table() -> History:
    history = History("javascript", {"lib/csv.js": CSV})
    history.grow(5)
    quotes_begin(history)
    history.grow(4)
    history.change("Ignore carriage returns", "lib/csv.js", ('text.split("\\n")', "text.split(/\\r?\\n/)"))
    history.grow(3)
    take_comments(history)
    history.grow(3)
    history.files["test/csv.js"] = CSV_TEST
    history.commit("Test comments")
    return history


# --- Refactoring: a shop in Python, whose function and file were given other names.

BASKET = """\
DELIVERY = 490


def total(items):
    amount = 0
    for price, count in items:
        amount += price * count
    return amount + delivery(amount)


def delivery(amount):
    if amount >= 5000:
        return 0
    return DELIVERY


def lines(items):
    return [f"{count} x {price}" for price, count in items]
"""
BASKET_TEST = """\
import sys

sys.path.insert(0, "")
from cart import grand_total

if grand_total([(100, 2)]) != 690:
    sys.exit("error: delivery is not charged")
if grand_total([(2500, 2)]) != 5000:
    sys.exit("error: delivery is charged for a large basket")
"""


def basket() -> History:
    history = History("python", {"basket.py": BASKET})
    history.grow(5)
    history.change("Deliver above", "basket.py", ("    if amount >= 5000:", "    if amount > 5000:"))
    history.grow(3)
    history.change("A sum of prices", "basket.py", ("def total(items):", "def total_price(items):"))
    history.grow(3)
    history.files["cart.py"] = history.files.pop("basket.py")
    history.change("A basket is a cart", "cart.py", ("def total_price(items):", "def grand_total(items):"))
    history.grow(4)
    return history


# --- Reformatting: escapes, in C. All lines were indented anew between the bug and what the test needs.

ESCAPE = """\
const char *escaped(char letter)
{
    switch (letter) {
    case '\\n':
        return "\\\\n";
    case '"':
        return "\\\\\\"";
    case '\\\\':
        return "\\\\\\\\";
    case '\\r':
        return "\\\\r";
    default:
        return 0;
    }
}
"""
ESCAPE_TEST = """\
#include <stdio.h>
#include <string.h>

const char *escaped(char letter);

int main(void)
{
    const char *tab = escaped('\\t');
    if (!tab || strcmp(tab, "\\\\t") != 0) {
        puts("error: no escape for a tab");
        return 1;
    }
    const char *slash = escaped('\\\\');
    if (!slash || strcmp(slash, "\\\\\\\\") != 0) {
        puts("error: a backslash is not escaped");
        return 1;
    }
    return 0;
}
"""


def escapes() -> History:
    narrow = ESCAPE.replace("    ", "  ")
    history = History("c", {"src/escape.c": narrow})
    history.grow(4)
    history.change("Escape once", "src/escape.c", ('    return "\\\\\\\\";', '    return "\\\\";'))
    history.grow(3)
    history.files["src/escape.c"] = history.files["src/escape.c"].replace("  ", "    ")
    history.commit("Indent by four")
    history.grow(3)
    history.change(
        "Escape tabs",
        "src/escape.c",
        ("    case '\\r':\n", "    case '\\t':\n        return \"\\\\t\";\n    case '\\r':\n"),
    )
    history.grow(3)
    return history


# --- A hang: words, in C. An older version does not come to an end.

WORDS = """\
#include <string.h>
#include "words.h"

static int counts(size_t length)
{
    return length > 0;
}

size_t words(const char *text)
{
    size_t found = 0;
    while (*text) {
        size_t length = strcspn(text, " \\t");
        if (counts(length))
            found++;
        text += length;
        text += *text == ' ';
    }
    return found;
}
"""
WORDS_TEST = """\
#include <stdio.h>
#include "words.h"

int main(void)
{
    if (words("tea\\tfor two") != 3) {
        puts("error: words between tabs are not counted");
        return 1;
    }
    if (words("a cup of tea") != 4) {
        puts("error: a short word is not counted");
        return 1;
    }
    return 0;
}
"""


def words() -> History:
    header = "#include <stddef.h>\n\nsize_t words(const char *text);\n"
    history = History("c", {"src/words.c": WORDS, "src/words.h": header})
    history.grow(4)
    history.change("Letters are no words", "src/words.c", ("    return length > 0;", "    return length > 1;"))
    history.grow(4)
    history.change("Skip all space", "src/words.c", ("text += *text == ' ';", 'text += strspn(text, " \\t");'))
    history.grow(5)
    return history


# --- A driver that ends at the first of several failures, in JavaScript: an older bug hides the one that is followed.

TITLES = """\
function capitals(words) {
  return words.map((word) => word[0].toUpperCase() + word.slice(1));
}

module.exports = { capitals };
"""
SLUGS = """\
function slug(title) {
  const plain = title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return plain.replace(/^-+/, "").replace(/-+$/, "");
}

module.exports = { slug };
"""
DRIVER = """\
const path = require("node:path");
const { capitals } = require(path.resolve("lib/titles.js"));
const { slug } = require(path.resolve("lib/slugs.js"));

const tests = {
  titles: () => capitals(["green", "tea"]).join(" ") === "Green Tea",
  slugs: () => slug("Tea for two!") === "tea-for-two",
};
for (const [name, passes] of Object.entries(tests)) {
  if (!passes()) {
    console.log(`error: ${name}`);
    process.exit(1);
  }
}
"""


def titles() -> History:
    history = History("javascript", {"lib/titles.js": TITLES, "lib/slugs.js": SLUGS})
    history.grow(3)
    history.change(
        "Whole words in capitals", "lib/titles.js", ("word[0].toUpperCase() + word.slice(1)", "word.toUpperCase()")
    )
    history.grow(3)
    history.change("Simpler slugs", "lib/slugs.js", ('.replace(/^-+/, "").replace(/-+$/, "")', '.replace(/^-+/, "")'))
    history.grow(4)
    history.change(
        "First letters only", "lib/titles.js", ("word.toUpperCase()", "word[0].toUpperCase() + word.slice(1)")
    )
    history.grow(4)
    return history


# --- A hollowed function, in C: without its body the test fails in the same way, everywhere (Section 5.2).

TEXT = """\
#include <string.h>

void pad(char *out, const char *word, int width)
{
    int length = strlen(word);
    memcpy(out, word, length);
    memset(out + length, ' ', width - length);
    out[width] = 0;
}
"""
COLUMNS = """\
void pad(char *out, const char *word, int width);

void columns(char *out, const char **words, int width)
{
    for (; *words; out += width)
        pad(out, *words++, width);
}
"""
COLUMNS_TEST = """\
import ctypes
import sys

library = ctypes.CDLL("./libtext.so")
if not hasattr(library, "columns"):
    sys.exit("error: there are no columns")
line = ctypes.create_string_buffer(80)
first, expected = (b"four", b"fourmate") if "wide" in sys.argv else (b"tea", b"tea mate")
library.columns(line, (ctypes.c_char_p * 3)(first, b"mate", None), 4)
if line.value != expected:
    sys.exit("error: the columns are wrong")
"""


def columns() -> History:
    history = History("c", {"src/text.c": TEXT})
    history.grow(4)
    history.change("Fill up to the end", "src/text.c", ("' ', width - length);", "'.', width - length);"))
    history.grow(4)
    history.files["src/columns.c"] = COLUMNS
    history.commit("Print columns")
    history.grow(4)
    return history


# --- Cause and conflict in one commit, in JavaScript: what is carried does not apply there (Section 4.1).

PRICE = """\
const DIGITS = 2;

function price(cents) {
  const whole = Math.floor(cents / 100);
  const rest = String(cents % 100).padStart(DIGITS, "0");
  return whole + "." + rest;
}

function vat(cents) {
  return Math.round(cents * 0.19);
}

module.exports = { price, vat };
"""
PRICE_TEST = """\
const { format } = require(require("node:path").resolve("lib/price.js"));

if (typeof format !== "function") {
  console.log("error: there is no format");
  process.exit(1);
}
const seen = format(1999, { currency: "EUR" });
if (!seen.endsWith(" EUR")) {
  console.log("error: the currency is missing");
  process.exit(1);
}
if (seen !== "19.99 EUR") {
  console.log("error: the amount is wrong");
  process.exit(1);
}
"""


def prices() -> History:
    history = History("javascript", {"lib/price.js": PRICE})
    history.grow(5)
    history.change(
        "Prices have a currency",
        "lib/price.js",
        ("function price(cents) {", "function priceIn(cents, currency) {"),
        ("Math.floor(cents / 100)", "Math.floor(cents / 1000)"),
        ('return whole + "." + rest;', 'return whole + "." + rest + " " + currency;'),
        ("{ price, vat }", "{ priceIn, vat }"),
    )
    history.grow(4)
    history.change(
        "Options of a price",
        "lib/price.js",
        ("function priceIn(cents, currency) {", "function format(cents, { currency }) {"),
        ("{ priceIn, vat }", "{ format, vat }"),
    )
    history.grow(4)
    return history


# --- No good version, in Python: what is tested never worked.

STORE = """\
class Store:
    def __init__(self):
        self.items = {}

    def put(self, name, value):
        self.items[name.lower()] = value

    def get(self, name):
        return self.items.get(name)
"""
STORE_TEST = """\
import sys

sys.path.insert(0, "")
from store import Store

store = Store()
store.put("Tea", 3)
if not hasattr(store, "names") or store.names() != ["tea"]:
    sys.exit("error: names are not listed")
if store.get("Tea") != 3:
    sys.exit("error: a name with a capital is not found")
"""


def store() -> History:
    history = History("python", {"store.py": STORE})
    history.grow(6)
    history.change(
        "List names",
        "store.py",
        ("    def get", "    def names(self):\n        return sorted(self.items)\n\n    def get"),
    )
    history.grow(5)
    return history


# --- A fix that is brought forward, in Python: the lines around it have changed since (Section 4.2).

TAX = """\
RATES = {"food": 7, "other": 19}


def tax(net, kind):
    rate = RATES[kind]
    amount = net * rate / 100
    return round(amount)


def gross(net, kind):
    return net + tax(net, kind)
"""
TAX_TEST = """\
import sys

sys.path.insert(0, "")
from tax import gross

if gross(100, "other") != 119:
    sys.exit("error: the tax is wrong")
if gross(110, "food") != 118:
    sys.exit("error: the tax is not rounded")
"""


def taxes() -> History:
    history = History("python", {"tax.py": TAX})
    history.grow(5)
    history.change("Whole cents", "tax.py", ("    return round(amount)", "    return int(amount)"))
    history.grow(4)
    history.change(
        "Say what is taxed",
        "tax.py",
        ("def tax(net, kind):", "def tax(net, kind, rates=RATES):"),
        (
            "    rate = RATES[kind]\n    amount = net * rate / 100\n",
            "    percent = rates[kind]\n    amount = percent * net / 100\n",
        ),
        ("    return int(amount)\n\n\n", "    return int(amount)\n\n\ndef kinds():\n    return sorted(RATES)\n\n\n"),
    )
    history.grow(5)
    return history


def _python(name: str) -> tuple[str, ...]:
    return (*PYTHON, "{tests}/" + name)


def _c(*names: str) -> tuple[str, ...]:
    """The compiler's command for a program of these files and the test."""
    return (*BUILD, *(f"src/{name}.c" for name in names))


NO_BODY = Situation(
    "hollowed function",
    "without its body the function that is carried fails in the same way, in all versions (Section 5.2)",
    columns,
    _python("test.py"),
    {"test.py": COLUMNS_TEST},
    "Fill up to the end",
    ("    memset(out + length, ",),
    ("+        pad(out, *words++, width);",),
    ("sh", "-c", "cc -shared -fPIC -o libtext.so src/[ct]*.c"),
    (*_python("test.py"), "wide"),
)
"""Guarded by its control."""

SITUATIONS = (
    Situation(
        "nothing to carry",
        "all versions run the test, as those of the paper's parser of archives do (Section 6.3)",
        archive,
        _python("test.py"),
        {"test.py": ARCHIVE_TEST},
        "Split fields in one go",
        ('+        name, value = line.split(":")[:2]',),
    ),
    Situation(
        "compile error",
        "versions in the middle do not build, as in the paper's loader of classes; older ones do by themselves",
        loader,
        ("./test-program",),
        {"test.c": LOADER_TEST},
        "Keep what was asked for",
        ("+    strcpy(plain + length, name + length);",),
        build=_c("loader"),
    ),
    Situation(
        "missing feature",
        "the test needs an option that older versions do not have (Figure 1)",
        table,
        ("node", "test/csv.js"),
        {},
        "Quotes begin at the beginning",
        ("-      quoted = !quoted;",),
        ("+function parse(text, { comment = null } = {}) {",),
        told={"always_keep": ["test"]},
    ),
    Situation(
        "refactoring",
        "the function that is tested had two other names, and its file another one",
        basket,
        _python("test.py"),
        {"test.py": BASKET_TEST},
        "Deliver above",
        ("+    if amount > 5000:",),
        ("+def grand_total(items):",),
    ),
    Situation(
        "reformatting",
        "the lines around what is carried were indented anew",
        escapes,
        ("./test-program",),
        {"test.c": ESCAPE_TEST},
        "Escape once",
        ('-    return "\\\\\\\\";',),
        ("    case '\\t':",),
        _c("escape"),
    ),
    Situation(
        "hang",
        "older versions do not come to an end, which is another outcome",
        words,
        ("./test-program",),
        {"test.c": WORDS_TEST},
        "Letters are no words",
        ("+    return length > 1;",),
        ('+        text += strspn(text, " \\t");',),
        _c("words"),
        timeout=1,
    ),
    Situation(
        "first of several failures",
        "the driver of the tests ends at the first failure, and an older one hides the one that is followed",
        titles,
        ("node", "{tests}/driver.js"),
        {"driver.js": DRIVER},
        "Simpler slugs",
        ('-  return plain.replace(/^-+/, "").replace(/-+$/, "");',),
        ("+  return words.map((word) => word[0].toUpperCase() + word.slice(1));",),
    ),
    NO_BODY,
    Situation(
        "cause and conflict",
        "one commit brings the bug in and rewrites the lines around what is carried (Section 4.1)",
        prices,
        ("node", "{tests}/test.js"),
        {"test.js": PRICE_TEST},
        "Prices have a currency",
        ("+  const whole = Math.floor(cents / 1000);",),
        ("+function format(cents, { currency }) {",),
    ),
    Situation(
        "no good version",
        "what is tested never worked",
        store,
        _python("test.py"),
        {"test.py": STORE_TEST},
        None,
        status="history_exhausted",
    ),
    Situation(
        "fix brought forward",
        "the lines around the fix have changed since (Section 4.2)",
        taxes,
        _python("test.py"),
        {"test.py": TAX_TEST},
        "Whole cents",
        ("+    return int(amount)",),
        told={"forward": "main"},
    ),
)


# --- For the figures: a long history, and one whose commits hold much that does not belong together.


def long_table() -> History:
    history = History("javascript", {"lib/csv.js": CSV})
    history.grow(20)
    quotes_begin(history)
    history.grow(90)
    take_comments(history)
    history.grow(36)
    history.files["test/csv.js"] = CSV_TEST
    history.commit("Test comments")
    return history


def squashed_table() -> History:
    history = History("javascript", {"lib/csv.js": CSV})
    history.grow(4)
    history.grow(12, commit=False)
    quotes_begin(history)
    history.grow(3)
    history.grow(12, commit=False)
    take_comments(history)
    history.grow(3)
    history.files["test/csv.js"] = CSV_TEST
    history.commit("Test comments")
    return history


LONG = Situation(
    "long history",
    "150 commits, with the bug far behind what the test needs",
    long_table,
    ("node", "test/csv.js"),
    {},
    "Quotes begin at the beginning",
    ("-      quoted = !quoted;",),
    ("+function parse(text, { comment = null } = {}) {",),
    told={"always_keep": ["test"]},
)
SQUASHED = Situation(
    "squashed commits",
    "the commits with the bug and with what the test needs hold twelve more changes each",
    squashed_table,
    ("node", "test/csv.js"),
    {},
    "Quotes begin at the beginning",
    ("-      quoted = !quoted;",),
    ("+function parse(text, { comment = null } = {}) {",),
    told={"always_keep": ["test"]},
)
