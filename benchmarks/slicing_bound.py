"""The fewest runs that a slice and its proof can take on average, for a few changes: the best of all ways to search.

python slicing_bound.py prints a table as Markdown. Each of a few changes is needed with the same chance, which the
search knows, and none rests on another; all and none of them were run before. A way to search is a tree of questions:
which set is run next, by what was seen. Of all ways the one with the fewest runs on average is found by dynamic
programming, once where the slice has to be found and run, and once where each set with one change less has to be run as
well.
"""

from __future__ import annotations

import math
from functools import cache

from shared import table

CHANGES = (2, 3, 4)
CHANCES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)


def wanted(slice_: int, count: int, proven: bool) -> frozenset[int]:
    """The sets that have to be run if this one is the slice, apart from all and none."""
    less = [slice_ & ~(1 << change) for change in range(count) if slice_ >> change & 1]
    return frozenset([slice_, *(less if proven else [])]) - {0, (1 << count) - 1}


def fewest(count: int, chance: float, proven: bool) -> float:
    """The runs of the best search on average."""
    weights = probabilities(count, chance)
    sets = range(1 << count)
    wants = [wanted(one, count, proven) for one in sets]
    within = [sum(1 << one for one in sets if one & ~kept == 0) for kept in sets]

    def members(possible: int) -> list[int]:
        return [one for one in sets if possible >> one & 1]

    @cache
    def runs(possible: int, ran: frozenset[int]) -> float:
        """The runs that are still to come, times how likely it comes to these possible slices."""
        slices = members(possible)
        if len(slices) == 1:
            return weights[slices[0]] * len(wants[slices[0]] - ran)
        best = math.inf
        for kept in sets[1:-1]:
            passes, fails = possible & within[kept], possible & ~within[kept]
            # What tells nothing may wait until the slice is known.
            if passes and fails:
                best = min(best, went_on(passes, ran | {kept}) + went_on(fails, ran | {kept}))
        return sum(weights[one] for one in slices) + best

    def went_on(possible: int, ran: frozenset[int]) -> float:
        """The same; what was run counts where it may have to be."""
        return runs(possible, ran & frozenset().union(*(wants[one] for one in members(possible))))

    return went_on(sum(1 << one for one in sets if one), frozenset())


def probabilities(count: int, chance: float) -> list[float]:
    """How likely each set is the slice, if it is not empty."""
    sizes = [one.bit_count() for one in range(1 << count)]
    weights = [chance**size * (1 - chance) ** (count - size) for size in sizes]
    return [0.0, *(weight / (1 - weights[0]) for weight in weights[1:])]


def main() -> None:
    lines = []
    for count in CHANGES:
        for chance in CHANCES:
            weights = probabilities(count, chance)
            bits = -sum(weight * math.log2(weight) for weight in weights if weight)
            proof = sum(weight * len(wanted(one, count, True) - {one}) for one, weight in enumerate(weights))
            found, proven = (fewest(count, chance, what) for what in (False, True))
            figures = [bits, proof, found, proven, bits + proof - proven]
            lines.append([count, chance, *(f"{figure:.2f}" for figure in figures)])
    names = ["changes", "needed", "bits", "runs of the proof", "found", "proven", "bits and proof above proven"]
    print("## The fewest runs\n\n" + table(names, lines))


if __name__ == "__main__":
    main()
