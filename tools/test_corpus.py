"""Tests of the choice of fuzzing inputs."""

from __future__ import annotations

from pathlib import Path

import corpus

A, B, C, D = map(Path, ["a", "b", "c", "d"])

# As libFuzzer writes it: two inputs, one of them kept before.
CONTROL = """2
1
kept/a
found/b
STARTED 0 12
FT 0 3 5 7
COV 0 100
STARTED 1 40
FT 1 5
COV 1
"""


def test_what_inputs_reach_is_read_from_a_merge() -> None:
    assert corpus.features(CONTROL) == {Path("kept/a"): {3, 5, 7}, Path("found/b"): {5}}


def test_an_input_that_ended_the_merge_reaches_nothing() -> None:
    assert corpus.features("1\n0\na\nSTARTED 0 12\n") == {}


def test_each_input_reaches_most_of_what_those_before_it_do_not() -> None:
    reached = {A: frozenset({1, 2, 3}), B: frozenset({2, 3}), C: frozenset({3, 4, 5, 6}), D: frozenset({1})}
    sizes = dict.fromkeys(reached, 1)
    assert corpus.best(reached, sizes, most=4) == [C, A], "what reaches nothing new is not kept"
    assert corpus.best(reached, sizes, most=1) == [C]


def test_of_inputs_that_reach_the_same_the_smallest_is_kept() -> None:
    reached = dict.fromkeys([A, B], frozenset({1}))
    assert corpus.best(reached, {A: 9, B: 2}, most=2) == [B]
