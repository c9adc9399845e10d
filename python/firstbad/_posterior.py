"""The probabilities of suspects, as a mapping without copies."""

from __future__ import annotations

import json
import math
from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from itertools import islice
from typing import Any

from firstbad import _native
from firstbad._arguments import check_count
from firstbad._card import Card
from firstbad._errors import InvalidArgumentError
from firstbad._generated.reports import Hypothesis

__all__ = ["Posterior"]

_CHUNK = 4096


class Posterior(Card, Mapping[str, float]):
    """The probability of every suspect at the time of the report, as a read-only mapping, oldest first.

    The probabilities of the suspects and `no_culprit` sum to 1. The mapping is a view of the core's numbers. Creating
    it takes O(1), a lookup by any name that the graph knows O(1) or O(log n), and an iteration O(n).

    Raises:
        KeyError: If `id` in `posterior[id]` is not a suspect.
    """

    __slots__ = ("_core",)

    _core: _native.Posterior | _WrittenDown

    def __init__(self, core: _native.Posterior) -> None:
        self._core = core

    @classmethod
    def of_hypotheses(cls, hypotheses: Iterable[Hypothesis], no_culprit: float) -> Posterior:
        """Returns a posterior of these suspects only, in this order."""
        found = cls.__new__(cls)
        pairs = {one.revision: one.probability for one in hypotheses if one.revision is not None}
        found._core = _WrittenDown(pairs, no_culprit)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Posterior.of_hypotheses, (tuple(Hypothesis(*pair) for pair in self.items()), self.no_culprit)

    @property
    def no_culprit(self) -> float:
        """The probability in [0, 1] that there is no culprit, because the failure was a flake."""
        return self._core.no_culprit

    def credible_set(self, level: float = 0.99, most: int | None = None) -> tuple[Hypothesis, ...]:
        """Returns the fewest hypotheses that together reach `level`, most probable first. O(n log n).

        Args:
            level: The probability to reach, in (0, 1].
            most: The maximum number of hypotheses, 1 or above. None means no maximum.

        Raises:
            InvalidArgumentError: If an argument is out of range.
        """
        if not isinstance(level, (int, float)) or not 0.0 < level <= 1.0 or math.isnan(level):
            raise InvalidArgumentError(f"level: {level!r} is not valid; expected a probability above 0 and up to 1")
        found = self._core.credible_set(level, None if most is None else check_count("most", most, 1))
        return tuple(Hypothesis(revision, probability) for revision, probability in found)

    def to_json(self, limit: int = 100) -> str:
        """Returns the most probable suspects as JSON.

        The object has `suspects` (the number of suspects), `no_culprit`, and `likeliest`, a list of objects with
        `revision` and `probability`, most probable first. Suspects with probability 0 are omitted.

        Args:
            limit: The maximum number of listed suspects, 1 or above.

        Raises:
            InvalidArgumentError: If `limit` is below 1.
        """
        best = self.credible_set(1.0, check_count("limit", limit, 1) + 1)
        named = [one for one in best if one.revision is not None and one.probability > 0][:limit]
        likeliest = [{"revision": one.revision, "probability": one.probability} for one in named]
        return json.dumps({"suspects": len(self), "no_culprit": self.no_culprit, "likeliest": likeliest})

    def __getitem__(self, id: str) -> float:
        probability = self._core.get(id) if isinstance(id, str) else None
        if probability is None:
            raise KeyError(id)
        return probability

    def __len__(self) -> int:
        return len(self._core)

    def __iter__(self) -> Iterator[str]:
        return (id for id, _ in self._pairs())

    def items(self) -> ItemsView[str, float]:
        """Returns all suspects with their probabilities, oldest first."""
        return _Items(self)

    def values(self) -> ValuesView[float]:
        """Returns the probabilities of all suspects, oldest first."""
        return _Values(self)

    def __repr__(self) -> str:
        likeliest = ", ".join(str(one) for one in self.credible_set(1.0, most=4))
        return f"<Posterior of {len(self)} suspects: {likeliest}{', ...' if len(self) > 3 else ''}>"

    def _card(self) -> str:
        likeliest = [(one.revision, one.probability) for one in self.credible_set(1.0, most=10)]
        return _native.belief_card(likeliest, len(self), self.no_culprit)

    def __copy__(self) -> Posterior:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Posterior:
        return self  # A posterior is immutable.

    def _pairs(self) -> Iterator[tuple[str, float]]:
        for start in range(0, len(self), _CHUNK):
            yield from self._core.items(start, start + _CHUNK)


class _WrittenDown:
    """A posterior from a written report, with the interface of the core's posterior."""

    __slots__ = ("_pairs", "no_culprit")

    def __init__(self, pairs: dict[str, float], no_culprit: float) -> None:
        self._pairs = pairs
        self.no_culprit = no_culprit

    def get(self, id: str) -> float | None:
        return self._pairs.get(id)

    def items(self, start: int, end: int) -> list[tuple[str, float]]:
        return list(islice(self._pairs.items(), start, end))

    def credible_set(self, level: float, most: int | None) -> list[tuple[str | None, float]]:
        known: list[tuple[str | None, float]] = [*self._pairs.items(), (None, self.no_culprit)]
        found: list[tuple[str | None, float]] = []
        mass = 0.0
        for pair in sorted(known, key=lambda pair: -pair[1]):
            if mass >= level or len(found) == most:
                break
            found.append(pair)
            mass += pair[1]
        return found

    def __len__(self) -> int:
        return len(self._pairs)


class _Items(ItemsView[str, float]):
    """Iterates without a lookup for each suspect."""

    _mapping: Posterior

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return self._mapping._pairs()


class _Values(ValuesView[float]):
    """Iterates without a lookup for each suspect."""

    _mapping: Posterior

    def __iter__(self) -> Iterator[float]:
        return (probability for _, probability in self._mapping._pairs())
