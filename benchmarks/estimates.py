"""Means with intervals over projects, the statistical tests of the papers, and fitted exponents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

__all__ = ["Estimate", "cochran", "exponent", "friedman", "mcnemar", "mean", "ratio", "share", "wilcoxon"]

_DRAWS = 2000


@dataclass(frozen=True)
class Estimate:
    """A value with a 95% interval, from projects that are drawn anew 2,000 times. One project gives no interval."""

    value: float
    low: float
    high: float

    def text(self, form: Callable[[float], str] = "{:.2f}".format) -> str:
        return form(self.value) + self._interval(form)

    def percent(self) -> str:
        places = 1 if self.high - self.low < 0.02 else 0
        return f"{100 * self.value:.1f}%" + self._interval(lambda value: f"{100 * value:.{places}f}")

    def _interval(self, form: Callable[[float], str]) -> str:
        return "" if np.isnan(self.low) else f" [{form(self.low)}, {form(self.high)}]"


def ratio(over: pd.Series, under: pd.Series, projects: pd.Series) -> Estimate:
    """Returns the ratio of two sums. Projects are drawn with all their rows."""
    sums = pd.DataFrame({"over": over, "under": under}).groupby(projects.to_numpy()).sum().to_numpy(float)
    whole = sums.sum(axis=0)
    if len(sums) == 1:
        return Estimate(whole[0] / whole[1], np.nan, np.nan)
    drawn = np.random.default_rng(1).integers(len(sums), size=(_DRAWS, len(sums)))
    totals = sums[drawn].sum(axis=1)
    low, high = np.quantile(totals[:, 0] / totals[:, 1], [0.025, 0.975])
    return Estimate(whole[0] / whole[1], low, high)


def mean(values: pd.Series, projects: pd.Series) -> Estimate:
    """Returns the mean over all rows."""
    return ratio(values, pd.Series(1.0, values.index), projects)


def share(holds: pd.Series, projects: pd.Series) -> Estimate:
    """Returns the share of the rows for which something holds."""
    return mean(holds.astype(float), projects)


def cochran(right: pd.DataFrame) -> float:
    """Returns the p-value of Cochran's Q test for the accuracy of several algorithms, one in each column."""
    table = right.to_numpy(float)
    columns, rows, count = table.sum(axis=0), table.sum(axis=1), table.shape[1]
    differences = ((columns - columns.mean()) ** 2).sum()
    statistic = count * (count - 1) * differences / (rows * (count - rows)).sum()
    return float(stats.chi2.sf(statistic, count - 1))


def friedman(runs: pd.DataFrame) -> float:
    """Returns the p-value of Friedman's test for the runs of several algorithms, one in each column."""
    return float(stats.friedmanchisquare(*runs.to_numpy(float).T).pvalue)


def mcnemar(one: pd.Series, other: pd.Series) -> float:
    """Returns the p-value of McNemar's exact test for the accuracy of two algorithms."""
    better, worse = int(((one == 1) & (other == 0)).sum()), int(((one == 0) & (other == 1)).sum())
    return 1.0 if better + worse == 0 else float(stats.binomtest(better, better + worse).pvalue)


def wilcoxon(one: pd.Series, other: pd.Series) -> float:
    """Returns the p-value of the Wilcoxon signed-rank test for the runs of two algorithms."""
    if (one == other).all():
        return 1.0
    tested: Any = stats.wilcoxon(one, other)
    return float(tested.pvalue)


def exponent(sizes: pd.Series, costs: pd.Series) -> float:
    """Returns the exponent of a power law, fitted to the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])
