"""Measures git_bayesect on the trials of firstbad's own benchmarks.

One argument SUSPECTS:RATE:TRIALS per row of the table that is printed. `pip install git_bayesect` first.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module

CONFIDENCE = 0.99
MASK = 2**64 - 1


class Random:
    """SplitMix64, as in `firstbad_testkit::simulated`."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def fraction(self) -> float:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return ((z ^ (z >> 31)) >> 11) / 2**53


def row(suspects: int, rate: float, trials: int) -> str:
    """Its list goes from the newest revision to the good one, which it may test, and suspects, as well."""
    numpy, bayesect = import_module("numpy"), import_module("git_bayesect")
    right = runs = 0
    seconds = 0.0
    for trial in range(trials):
        random = Random(trial)
        culprit = int(random.fraction() * suspects)
        start = time.perf_counter()
        bisector = bayesect.Bisector(numpy.ones(suspects + 1))
        asked = 0
        while bisector.distribution.max() < CONFIDENCE and asked < 5000:
            index = bisector.select()
            bisector.record(index, suspects - 1 - index >= culprit or random.fraction() < rate)
            asked += 1
        seconds += time.perf_counter() - start
        runs += asked
        right += suspects - 1 - int(bisector.distribution.argmax()) == culprit
    return (
        f"| git_bayesect | {suspects} | {rate:g} | {trials} | {100 * right / trials:.1f}% "
        f"| {runs / trials:.1f} | {1e6 * seconds / runs:.1f} |"
    )


def main() -> None:
    for argument in sys.argv[1:]:
        suspects, rate, trials = argument.split(":")
        print(row(int(suspects), float(rate), int(trials)))


if __name__ == "__main__":
    main()
