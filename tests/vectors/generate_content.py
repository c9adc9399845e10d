"""Makes content.json: suspects by what they touch, by the formula written down once more, from traits that were read by hand.

z(c) = source src + lines log2(1 + L / s^3) + source_and_test srctest + path dep / s + subject word
s = max(1, source files / 16) where a test is known, else 1
L is the sum over source files of (added + deleted) / max(1, min(added, deleted) / 100)^3
p(c) = (1 - floor) exp(z) / sum exp(z) + floor / n; of several tests the mean
"""

import json
import math
from pathlib import Path

FILE = Path(__file__).with_name("content.json")
WEIGHTS = {"source": 2.5, "lines": 0.25, "source_and_test": 1.0, "path": 2.0, "subject": 5.0, "floor": 0.5}


def change(id, subject, files, /, *, lines=0, tests=False, paths=(), words=(), source=True, parents=(), renames=None):
    """A change as it is given, and its traits as a reader sees them."""
    given = {
        "id": id,
        "message": f"{subject}\n\nThe total of the body counts for nothing.",
        "files": list(files),
        "counts": {file: list(count) for file, count in files.items()},
        "parents": list(parents),
        "renames": renames or {},
    }
    return given, {"source": source, "lines": lines, "tests": tests, "paths": set(paths), "words": set(words)}


def share(wanted, there, all_words):
    rare = {word: math.log(1 + len(all_words) / (1 + sum(word in words for words in all_words))) for word in wanted}
    return sum(rare[word] for word in wanted & there) / sum(rare.values()) if wanted else 0.0


def probabilities(changes, tests):
    paths, words = ([traits[name] for _, traits in changes] for name in ("paths", "words"))
    found = [0.0] * len(changes)
    for test in tests or [{"stem": None, "of_file": set(), "all": set()}]:
        logs = []
        for given, traits in changes:
            named = test["stem"] in {Path(file).stem for file in given["files"]} and traits["source"]
            dep = 1.0 if named else share(test["of_file"], traits["paths"], paths)
            spread = max(1.0, traits["source"] * len(given["files"]) / 16) if test["all"] else 1.0
            logs.append(
                WEIGHTS["source"] * traits["source"]
                + WEIGHTS["lines"] * math.log2(1 + traits["lines"] / spread**3)
                + WEIGHTS["source_and_test"] * (traits["source"] and traits["tests"])
                + WEIGHTS["path"] * dep / spread
                + WEIGHTS["subject"] * share(test["all"], traits["words"], words)
            )
        total = sum(math.exp(log) for log in logs)
        for place, log in enumerate(logs):
            found[place] += (1 - WEIGHTS["floor"]) * math.exp(log) / total + WEIGHTS["floor"] / len(changes)
    return [probability / max(1, len(tests)) for probability in found]


SHOP = [
    change("docs", "Explain carts", {"docs/cart.md": (40, 2)}, source=False, words={"explain", "cart"}),
    change("cart", "Faster", {"src/cart.py": (3, 1)}, lines=4, paths={"cart"}, words={"faster"}),
    change(
        "words",
        "Round the totals",
        {"src/money.py": (7, 0), "tests/test_money.py": (5, 0)},
        lines=7,
        tests=True,
        paths={"money"},
        words={"round", "total"},
    ),
    change(
        "moved",
        "Colours",
        {"src/old.py": (0, 0), "src/colour.py": (0, 0)},
        lines=1,
        paths={"old", "colour"},
        words={"colour"},
        renames={"src/old.py": "src/colour.py"},
    ),
    change(
        "merge",
        "Merge",
        {"src/cart.py": (500, 9), "tests/test_cart.py": (1, 0)},
        lines=20,
        paths={"cart"},
        words={"merg"},
        parents=["a", "b"],
    ),
    change(
        "ci", "Run on arm", {".github/workflows/ci.yml": (3, 0), "Makefile": (1, 1)}, source=False, words={"run", "arm"}
    ),
]
# No word that is made of these ends in s, ed or ing.
LETTERS = "abcdefghijklmnopqrtuvwxyz"
WIDE = change(
    "wide",
    "Format",
    {"src/cart.py": (700, 700), **{f"src/x{letter}.py": (50, 50) for letter in LETTERS}},
    lines=1400 / 7**3 + 100 * len(LETTERS),
    paths={"cart", *(f"x{letter}" for letter in LETTERS)},
    words={"format"},
)
FORMAT = change(
    "format",
    "Indent with blanks",
    {"src/cart.py": (4000, 3900)},
    lines=7900 / 39**3,
    paths={"cart"},
    words={"indent", "with", "blank"},
)
CART = ("tests/test_cart.py::TestCart::test_total[3]", {"stem": "cart", "of_file": {"cart"}, "all": {"cart", "total"}})
WORDS = ("rounds colours", {"stem": None, "of_file": set(), "all": {"round", "colour"}})


def case(name, changes, tests):
    found = probabilities(changes, [read for _, read in tests])
    expected = {given["id"]: probability for (given, _), probability in zip(changes, found, strict=True)}
    return {
        "name": name,
        "changes": [given for given, _ in changes],
        "tests": [test for test, _ in tests],
        "probabilities": expected,
    }


CASES = [
    case("the test is not known", SHOP, []),
    case("the test is known by its id", SHOP, [CART]),
    case("the test is known in words", SHOP, [WORDS]),
    case("of several tests the mean", SHOP, [CART, WORDS]),
    case("a change of everything", [*SHOP, WIDE], []),
    case("a change of everything, and the test is known", [*SHOP, WIDE], [CART]),
    case("a file is written anew", [*SHOP, FORMAT], []),
    case("a file is written anew, and the test is named after it", [*SHOP, FORMAT], [CART]),
    case("a single suspect", SHOP[:1], [CART]),
]

if __name__ == "__main__":
    FILE.write_text(json.dumps({"schema": 1, "rankings": CASES}, indent=1) + "\n")
