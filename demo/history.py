"""Creates the Git repository of the demo: a small tea shop.

Every commit has a fixed author, date, and content, so the shas are the same on every machine. Nine branches are red,
for three reasons, and some commits cannot be imported. `Commit.outcome` has the true outcome of each commit, to verify
results. The searches never see it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["GOOD", "RED", "Commit", "History", "git", "make"]

GOOD = "v1.0"
"""A tag at which the test passes."""

RED = ("main", "dev", "search", "mobile", "loyalty", "release/2", "hotfix/2.1", "gift-cards", "labels")
"""The branches on which the test fails."""

CATALOGUE = """def teas():
    return ["Assam", "Sencha"]
"""
CATALOGUE_UNFINISHED = """from shop.catalogue_parts import black, green


def teas():
    return black() + green()
"""
PRICES = """def price(cents):
    return cents
"""
PRICES_ROUNDED = """def price(cents):
    return round(cents, -1)
"""
PRICES_DOCUMENTED = '''def price(cents):
    """The price as printed."""
    return round(cents, -1)
'''
CART = """from shop.prices import price


def total(basket):
    return sum(price(cents) for cents in basket)
"""
CART_GIFT = """from shop.prices import price


def total(basket, gift_card=500):
    return max(0, sum(price(cents) for cents in basket) - gift_card)
"""
RECEIPT = """from shop.cart import total


def receipt(basket):
    return f"total {total(basket) / 100:.2f}"
"""
RECEIPT_UNFINISHED = """from shop.cart import total
from shop.columns import aligned


def receipt(basket):
    return aligned("total", total(basket))
"""
RECEIPT_COLUMNS = """from shop.cart import total


def receipt(basket):
    return f"{'total':<12}{total(basket) / 100:>8.1f}"
"""

START = {
    "check.py": Path(__file__).with_name("check.py").read_text(),
    "shop/__init__.py": "from shop import catalogue\nfrom shop.receipt import receipt\n",
    "shop/catalogue.py": CATALOGUE,
    "shop/prices.py": PRICES,
    "shop/cart.py": CART,
    "shop/receipt.py": RECEIPT,
}

# fmt: off
TEAS = (
    "Assam", "Bancha", "Ceylon", "Darjeeling", "Dooars", "Earl-Grey", "Genmaicha", "Gunpowder", "Gyokuro",
    "Hojicha", "Jasmine", "Keemun", "Kukicha", "Lapsang", "Longjing", "Matcha", "Nilgiri", "Oolong",
    "Pu-erh", "Rooibos", "Sencha", "Sikkim", "Tamaryokucha", "Tieguanyin", "Yunnan",
)
# fmt: on
WORK = ("Stock {}", "Say how to brew {}", "Reword the label of {}", "Translate {}", "Photograph {}", "Order more {}")


@dataclass(frozen=True)
class Commit:
    """A commit of the history, with the outcome of its test."""

    number: int
    lane: str
    subject: str
    parents: tuple[int, ...]
    files: Mapping[str, str]

    @property
    def outcome(self) -> str:
        """The outcome of `check.py`: `pass`, `fail`, or `unresolved`."""
        files = self.files
        if files["shop/catalogue.py"] == CATALOGUE_UNFINISHED or files["shop/receipt.py"] == RECEIPT_UNFINISHED:
            return "unresolved"
        sound = {"shop/prices.py": PRICES, "shop/cart.py": CART, "shop/receipt.py": RECEIPT}
        return "pass" if all(files[path] == text for path, text in sound.items()) else "fail"


@dataclass
class History:
    """The commits in order, the tips of branches, and the shas once the repository exists."""

    commits: list[Commit] = field(default_factory=list)
    tips: dict[str, int] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    shas: list[str] = field(default_factory=list)

    def commit(self, lane: str, subject: str, changes: Mapping[str, str], *more_parents: int) -> Commit:
        """Adds a commit on top of a lane."""
        parents = ((self.tips[lane],) if lane in self.tips else ()) + more_parents
        files = {**(self.commits[parents[0]].files if parents else {}), **changes}
        made = Commit(len(self.commits), lane, subject, parents, files)
        self.commits.append(made)
        self.tips[lane] = made.number
        return made

    def fork(self, new: str, lane: str) -> None:
        """Starts a lane at the tip of another one."""
        self.tips[new] = self.tips[lane]

    def work(self, lengths: Mapping[str, int]) -> None:
        """Adds a number of everyday commits to each lane, interleaved as in parallel work."""
        steps = sorted(((step + 0.5) / length, lane) for lane, length in lengths.items() for step in range(length))
        for _, lane in steps:
            number = len(self.commits)
            tea = TEAS[number * 7 % len(TEAS)]
            subject = WORK[number % len(WORK)].format(tea)
            path = f"notes/{lane.replace('/', '-')}.txt"
            before = self.commits[self.tips[lane]].files.get(path, "")
            self.commit(lane, subject, {path: f"{before}{subject}\n"})

    def merge(self, lane: str, other: str, take: tuple[str, ...] = ()) -> Commit:
        """Merges a lane into another one. `take` names files to take from the other side."""
        ours, theirs = self.commits[self.tips[lane]], self.commits[self.tips[other]]
        base = self.commits[max(self._ancestors(ours.number) & self._ancestors(theirs.number))].files
        changes = {
            path: text
            for path, text in theirs.files.items()
            if path in take or (text != base.get(path) and ours.files.get(path) == base.get(path))
        }
        return self.commit(lane, f"Merge {other} into {lane}", changes, theirs.number)

    def _ancestors(self, number: int) -> set[int]:
        found, todo = {number}, [number]
        while todo:
            for parent in self.commits[todo.pop()].parents:
                if parent not in found:
                    found.add(parent)
                    todo.append(parent)
        return found

    def culprits(self, branch: str) -> list[Commit]:
        """Returns the culprits of a branch: commits that fail right after passing ones.

        If unresolved commits precede the first failure, returns all of them up to that failure, oldest first.
        """
        found = []
        for number in sorted(self._ancestors(self.tips[branch])):
            commit = self.commits[number]
            parents = [self.commits[parent] for parent in commit.parents]
            if commit.outcome == "fail" and parents and all(parent.outcome == "pass" for parent in parents):
                found.append(commit)
            elif commit.outcome == "fail" and len(parents) == 1 and parents[0].outcome == "unresolved":
                stretch = [commit, *parents]
                while stretch[-1].outcome == "unresolved" and len(stretch[-1].parents) == 1:
                    stretch.append(self.commits[stretch[-1].parents[0]])
                if stretch[-1].outcome == "pass":
                    found += stretch[-2::-1]
        return found


def plan() -> History:
    """Returns the history without a repository."""
    shop = History()
    shop.commit("main", "Open the shop", START)
    shop.work({"main": 7})
    shop.tags[GOOD] = shop.tips["main"]
    shop.work({"main": 6})
    shop.fork("gift-cards", "main")
    shop.fork("labels", "main")
    shop.work({"main": 5, "gift-cards": 5, "labels": 3})

    shop.fork("rounding", "main")
    shop.work({"main": 2, "rounding": 1})
    shop.commit("rounding", "Round prices to ten cents", {"shop/prices.py": PRICES_ROUNDED})
    shop.work({"main": 2, "rounding": 2})
    shop.merge("main", "rounding")
    shop.work({"main": 4, "gift-cards": 6})

    shop.commit("main", "Split the catalogue (unfinished)", {"shop/catalogue.py": CATALOGUE_UNFINISHED})
    shop.work({"main": 4})
    shop.commit("main", "Keep the catalogue in one file", {"shop/catalogue.py": CATALOGUE})
    shop.commit("labels", "Print receipts in columns (begun)", {"shop/receipt.py": RECEIPT_UNFINISHED})
    shop.work({"labels": 2, "gift-cards": 2})
    shop.commit("labels", "Print receipts in columns", {"shop/receipt.py": RECEIPT_COLUMNS})
    shop.commit("gift-cards", "Accept gift cards", {"shop/cart.py": CART_GIFT})
    shop.work({"main": 6, "gift-cards": 6, "labels": 4})

    shop.tags["v1.5"] = shop.tips["main"]
    shop.fork("release/2", "main")
    shop.work({"release/2": 1})
    shop.commit("release/2", 'Revert "Round prices to ten cents"', {"shop/prices.py": PRICES})
    shop.fork("delivery", "main")
    shop.work({"release/2": 12, "main": 6, "delivery": 4, "labels": 4})
    shop.merge("main", "delivery")
    shop.commit("main", "Say what a price is", {"shop/prices.py": PRICES_DOCUMENTED})
    shop.commit("gift-cards", "Split the catalogue (unfinished)", {"shop/catalogue.py": CATALOGUE_UNFINISHED})
    shop.work({"gift-cards": 3})
    shop.commit("gift-cards", "Keep the catalogue in one file", {"shop/catalogue.py": CATALOGUE})
    shop.work({"release/2": 8, "main": 6, "gift-cards": 4})

    shop.tags["v2.0"] = shop.tips["release/2"]
    shop.merge("release/2", "main", take=("shop/prices.py",))
    shop.fork("dev", "main")
    shop.fork("loyalty", "main")
    shop.work({"release/2": 4, "dev": 5, "main": 5, "labels": 3, "loyalty": 3})
    shop.commit("dev", "Rename the catalogue (unfinished)", {"shop/catalogue.py": CATALOGUE_UNFINISHED})
    shop.work({"dev": 3})
    shop.commit("dev", "Keep the catalogue's name", {"shop/catalogue.py": CATALOGUE})
    shop.fork("hotfix/2.1", "release/2")
    shop.fork("mobile", "dev")
    shop.work({"release/2": 6, "hotfix/2.1": 5, "dev": 6, "main": 5, "gift-cards": 6, "loyalty": 6, "mobile": 5})
    shop.merge("dev", "main")
    shop.fork("search", "dev")
    shop.work({"main": 6, "dev": 7, "release/2": 3, "search": 6, "mobile": 4, "labels": 3})
    return shop


def git(folder: Path, *arguments: str, given: bytes | None = None) -> str:
    """Runs Git without user configuration and returns its output."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=environment,
        input=given,
        stdin=subprocess.DEVNULL if given is None else None,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode()


def make(folder: Path, history: History | None = None) -> History:
    """Writes a history into a new directory, by default that of the shop, and checks out `main`. Adds the shas."""
    history = history or plan()
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "fast-import", "--quiet", "--export-marks=.git/demo-marks", given=_stream(history))
    marks = dict(line.split() for line in (folder / ".git/demo-marks").read_text().splitlines())
    history.shas = [marks[f":{commit.number + 1}"] for commit in history.commits]
    git(folder, "checkout", "--quiet", "main")
    return history


def _stream(history: History) -> bytes:
    """Returns the history in the format of `git fast-import`."""
    out: list[str] = []
    for commit in history.commits:
        time = 1_700_000_000 + commit.number * 9_000
        person = f"{['Ada', 'Bo', 'Chi', 'Dov', 'Eve'][commit.number % 5]} <dev@shop.example> {time} +0000"
        before = history.commits[commit.parents[0]].files if commit.parents else {}
        out += [f"commit refs/heads/{commit.lane}", f"mark :{commit.number + 1}"]
        out += [f"author {person}", f"committer {person}", _data(commit.subject)]
        out += [f"{word} :{parent + 1}" for word, parent in zip(("from", "merge"), commit.parents, strict=False)]
        out += [
            f"M 100644 inline {path}\n{_data(text)}" for path, text in commit.files.items() if before.get(path) != text
        ]
    for tag, number in history.tags.items():
        out += [f"reset refs/tags/{tag}", f"from :{number + 1}", ""]
    return ("\n".join(out) + "\ndone\n").encode()


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}"
