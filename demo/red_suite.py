"""Creates a repository whose test suite is red: three commits broke eight tests, and a ninth test is flaky.

Like the history of the other parts, it is the same on every machine.
"""

from __future__ import annotations

from pathlib import Path

from history import History, make

__all__ = ["CAUSES", "FLAKY", "GOOD", "make_red_suite"]

GOOD = "v1.0"
"""A tag at which the suite passes."""

PRICES = """def price(cents):
    return cents
"""
STOCK = """BOX = 12


def boxes(packs):
    return packs // BOX
"""
LABELS = """def label(tea):
    return f"{tea} tea"
"""
TEST_PRICES = """import pytest

from shop.prices import price


@pytest.mark.parametrize("cents", [335, 410, 495, 999, 1001])
def test_price(cents):
    assert price(cents) == cents
"""
TEST_STOCK = """from shop.stock import boxes


def test_a_full_box():
    assert boxes(12) == 1


def test_two_boxes():
    assert boxes(30) == 2


def test_an_empty_shelf():
    assert boxes(0) == 0
"""
TEST_LABELS = """from shop.labels import label


def test_label():
    assert label("Assam") == "Assam tea"


def test_label_ends_with_its_kind():
    assert label("Sencha").lower().endswith("tea")
"""
# The file counts the runs, so that the test fails by the same "chance" in every demo.
TEST_DELIVERY = """import os
from pathlib import Path


def test_courier_answers():
    calls = Path(os.environ["SHOP_CALLS"])
    calls.write_text(calls.read_text() + "x")
    assert len(calls.read_text()) % 4 != 1, "the courier does not answer"
"""

START = {
    "conftest.py": "",
    "shop/__init__.py": "",
    "shop/prices.py": PRICES,
    "shop/stock.py": STOCK,
    "shop/labels.py": LABELS,
    "tests/test_prices.py": TEST_PRICES,
    "tests/test_stock.py": TEST_STOCK,
    "tests/test_labels.py": TEST_LABELS,
    "tests/test_delivery.py": TEST_DELIVERY,
}

ROUNDED, PACKED, CAPITALS = "Round prices to ten cents", "Count stock in packs", "Print labels in capitals"

CAUSES = {
    ROUNDED: [f"tests/test_prices.py::test_price[{cents}]" for cents in (335, 495, 999, 1001)],
    PACKED: [f"tests/test_stock.py::{name}" for name in ("test_a_full_box", "test_two_boxes", "test_an_empty_shelf")],
    CAPITALS: ["tests/test_labels.py::test_label"],
}
"""The tests that each commit broke, by the subject of the commit."""

FLAKY = "tests/test_delivery.py::test_courier_answers"


def plan() -> History:
    """Returns the history without a repository."""
    shop = History()
    shop.commit("main", "Open the shop", START)
    shop.work({"main": 4})
    shop.tags[GOOD] = shop.tips["main"]
    shop.work({"main": 9})
    shop.fork("packs", "main")
    shop.work({"main": 5, "packs": 3})
    shop.commit("packs", PACKED, {"shop/stock.py": STOCK.replace("def boxes(packs)", "def boxes(packs, per_box)")})
    shop.work({"main": 4, "packs": 4})
    shop.commit("main", ROUNDED, {"shop/prices.py": PRICES.replace("return cents", "return round(cents, -1)")})
    shop.work({"main": 6})
    shop.merge("main", "packs")
    shop.work({"main": 8})
    shop.commit("main", CAPITALS, {"shop/labels.py": LABELS.replace('tea"', 'tea".upper()')})
    shop.work({"main": 13})
    return shop


def make_red_suite(folder: Path) -> History:
    """Writes the repository into a new directory and checks out `main`. Returns the history with shas."""
    return make(folder, plan())
