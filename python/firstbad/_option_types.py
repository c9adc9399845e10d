"""The types of options that are more than one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from firstbad._observation import TestAnswer

__all__ = ["CostsLike", "Needs", "PriorLike", "ResultsLike", "Verdict"]


class Reasoned(Protocol):
    """Weights with reasons, such as a `CommitRanking`."""

    def _as_prior(self) -> dict[str, Any]: ...


PriorLike: TypeAlias = Mapping[str, float] | Reasoned | Literal["changes", "uniform"]
"""The prior probability of each suspect: weights by id, a `CommitRanking`, or the name of a rule."""

CostsLike: TypeAlias = Mapping[str, float] | Callable[[str], float]
"""The cost of a run: a number by id, or a function of the id."""

Needs: TypeAlias = "Mapping[int, Iterable[int | Iterable[int]]]"
"""The indices that each item needs, by its index. A list among them means any one of its members."""

ResultsLike: TypeAlias = "Mapping[str, TestAnswer | Mapping[str, Any]]"
"""The results of tests by id, such as those of `read_results`."""

Verdict: TypeAlias = Literal["pass", "fail", "unresolved", "stop", "retry"]
"""The meaning of an exit code, a signal, or a timeout.

`stop` ends the search with a CommandError. `retry` runs the revision again, as `Retry` does, if the machine failed.
"""
