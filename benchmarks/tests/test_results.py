"""RESULTS.md and the estimates in it."""

import numpy as np
import pandas as pd
import pytest
from estimates import cochran, exponent, friedman, mcnemar, mean, ratio, wilcoxon
from results import HERE, page


def test_the_page_comes_from_the_files() -> None:
    """`.venv/bin/python benchmarks/results.py` writes it."""
    text = (HERE / "RESULTS.md").read_text()
    assert text == page(HERE / "data")
    assert len(text.splitlines()) <= 250


def test_every_linked_plot_exists() -> None:
    text = (HERE / "RESULTS.md").read_text()
    linked = {part.split(")")[0] for part in text.split("](data/")[1:]} - {""}
    assert len(linked) >= 5
    assert not [name for name in linked if not (HERE / "data" / name).exists()]


def test_intervals_come_from_projects() -> None:
    projects = pd.Series(["a"] * 50 + ["b"] * 50)
    values = pd.Series([1.0] * 50 + [3.0] * 50)
    found = mean(values, projects)
    assert (found.value, found.low, found.high) == (2, 1, 3)
    assert ratio(values, values, projects).text() == "1.00 [1.00, 1.00]"
    assert mean(values[:50], projects[:50]).text() == "1.00"
    assert mean(values[:50] / 2, projects[:50]).percent() == "50.0%"


def test_paired_tests_see_a_difference() -> None:
    random = np.random.default_rng(0)
    runs = pd.Series(random.integers(5, 20, 100))
    right = pd.Series(random.integers(0, 2, 100))
    assert wilcoxon(runs, runs) == mcnemar(right, right) == 1
    assert wilcoxon(runs, runs + 1) < 1e-9
    # Ten discordant pairs, all in one direction: 2 / 2**10.
    better = right.copy()
    better[right[right == 0].index[:10]] = 1
    assert mcnemar(better, right) == pytest.approx(2 / 2**10)


def test_omnibus_tests() -> None:
    # The textbook example of Cochran: three treatments of 12 subjects, Q = 16/3 with two degrees of freedom.
    rows = [[1, 1, 0]] * 4 + [[0, 1, 0]] * 2 + [[1, 1, 1]] * 3 + [[0, 0, 0]] * 3
    table = pd.DataFrame(rows)
    expected = 3 * 2 * ((7 - 19 / 3) ** 2 + (9 - 19 / 3) ** 2 + (3 - 19 / 3) ** 2) / (4 * 2 * 1 + 2 * 1 * 2)
    assert cochran(table) == pytest.approx(np.exp(-expected / 2))
    runs = pd.DataFrame({"a": range(10), "b": range(1, 11), "c": range(2, 12)})
    assert friedman(runs) == pytest.approx(np.exp(-10), rel=1e-6)


def test_exponents() -> None:
    sizes = pd.Series([1.0, 10, 100, 1000])
    assert exponent(sizes, 3 * sizes**1.5) == pytest.approx(1.5)
