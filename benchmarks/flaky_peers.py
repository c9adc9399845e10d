"""Measures git_bayesect on the trials of firstbad's own benchmarks.

Each argument SUSPECTS:RATE:TRIALS prints one line of CSV: tool, version, suspects, rate, trials, correct results, mean
runs, microseconds of processor time per decision, and the peak memory of this process so far in MiB.
"""

from __future__ import annotations

import resource
import sys
import time
from importlib import import_module, metadata

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
    """Measures searches in a list from the newest revision to the good one, which git_bayesect may also test."""
    numpy, bayesect = import_module("numpy"), import_module("git_bayesect")
    right = runs = 0
    seconds = 0.0
    for trial in range(trials):
        random = Random(trial)
        culprit = int(random.fraction() * suspects)
        start = time.process_time()
        bisector = bayesect.Bisector(numpy.ones(suspects + 1))
        asked = 0
        while bisector.distribution.max() < CONFIDENCE and asked < 5000:
            index = bisector.select()
            bisector.record(index, suspects - 1 - index >= culprit or random.fraction() < rate)
            asked += 1
        seconds += time.process_time() - start
        runs += asked
        right += suspects - 1 - int(bisector.distribution.argmax()) == culprit
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = f"{right},{runs / trials:.2f},{1e6 * seconds / runs:.2f},{peak:.0f}"
    return f"git_bayesect,{metadata.version('git_bayesect')},{suspects},{rate:g},{trials},{figures}"


def main() -> None:
    for argument in sys.argv[1:]:
        suspects, rate, trials = argument.split(":")
        print(row(int(suspects), float(rate), int(trials)))


if __name__ == "__main__":
    main()
