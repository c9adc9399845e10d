"""What counts how much of what commits touch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from firstbad import _native

__all__ = ["ContentWeights", "WeightsLike"]

_DEFAULT: dict[str, float] = json.loads(_native.content_weights())


@dataclass(frozen=True)
class ContentWeights:
    """What counts how much, in the logarithm of a suspect's weight; by default what was fitted on recorded histories.

    `fit_content` learns them from a project's own past culprits.

    Attributes:
        source: That it touches a source file. For a merge only what differs from all of its parents counts, here and
            below.
        lines: The logarithm to base 2 of one more than the lines of source files that it adds and deletes; a file that
            is only renamed counts as one line, and one of a merge as 20 at most. Where it adds and deletes more than
            100 lines of one file, as one that formats it does, the file's lines are divided by the third power of how
            many times 100 the fewer of the two are. Where a test is known and it touches more than 16 source files, the
            lines are divided by the third power of how many times 16 they are.
        source_and_test: That it touches source and test files; not of merges.
        path: How well the source files that it touches fit the name of the test's file, in [0, 1]. Where they are more
            than 16, it is divided by how many times 16 they are.
        subject: Which share of the test's words its subject has, rare words counting more, in [0, 1].
        floor: The part of the mass that all suspects share evenly, in [0, 1].
    """

    source: float = _DEFAULT["source"]
    lines: float = _DEFAULT["lines"]
    source_and_test: float = _DEFAULT["source_and_test"]
    path: float = _DEFAULT["path"]
    subject: float = _DEFAULT["subject"]
    floor: float = _DEFAULT["floor"]


WeightsLike: TypeAlias = ContentWeights | Mapping[str, float]
"""Weights, or some of them by name: the others are the defaults."""
