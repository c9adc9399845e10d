"""Ranks suspects by the output of `git log` and the name of the failing test, without a build graph."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from firstbad import _native
from firstbad._arguments import names
from firstbad._build_graph import BuildGraph
from firstbad._changelist import Changelists, as_changelists, as_json
from firstbad._errors import InvalidArgumentError
from firstbad._generated.reports import CommitSuspect
from firstbad._ranked import Ranked
from firstbad._ranking import at

__all__ = ["CommitRanking", "rank_commits"]


class CommitRanking(Ranked):
    """Changes with their probabilities, the most likely first, from `rank_commits`.

    A ranking is a sequence of `(change, probability)` pairs, and equals the list of them. Among equals, the newest is
    first. Searches take a ranking as `prior`, and report its reasons.
    """

    __slots__ = ()

    _number = "probability"
    _kind = _native.CommitRanking
    _core: _native.CommitRanking

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the failing tests that were searched for. Other endings also match."""
        return tuple(self._json["words"])

    @cached_property
    def suspects(self) -> tuple[CommitSuspect, ...]:
        """All suspects with their reasons, the most likely first."""
        return tuple(map(CommitSuspect._from, self._json["suspects"]))

    @property
    def message(self) -> str:
        """A sentence about the ranked changes and the words."""
        return self._core.message()

    def prior(self) -> dict[str, float]:
        """Returns the weight of every change. The sum is 1."""
        return dict(self._pairs)

    def _as_prior(self) -> dict[str, Any]:
        """Returns the weights with their reasons, as searches take them."""
        found: dict[str, Any] = json.loads(self._core.prior())
        return found


def rank_commits(
    changes: Changelists,
    test: str | Iterable[str] | None = None,
    *,
    build_graph: BuildGraph | None = None,
    before: BuildGraph | None = None,
    graphs: Mapping[str, BuildGraph] | None = None,
) -> CommitRanking:
    """Ranks changes by their files and messages and the name of the failing test, without a run.

    A commit that touches source files is more likely to break a test than one that touches only documentation. A commit
    is even more likely if it touches the file that the test is named after, or its subject contains words of the test.
    Half of the probability is spread evenly over all commits. Searches use this ranking with `prior="changes"`.

    Args:
        changes: The changes since the test passed, oldest first, from `Repository.changes`. A mapping from ids to
            files, or `(id, files)` pairs, contain only file names.
        test: The name of the failing test, in words or as its runner names it (`"tests/test_cart.py::test_total"`), or
            several tests that started to fail together. With a `build_graph`, its target. None: unknown.
        build_graph: The build graph of the test. The probabilities of both rankings are multiplied, each with its
            floor.
        before: The build graph before the first change, as in `rank_suspects`.
        graphs: Build graphs right after some changes, as in `rank_suspects`.

    Raises:
        UnknownBuildTargetError: If the target does not exist.
        InvalidArgumentError: If a change is invalid or occurs twice, or `build_graph` is given without `test`.

    Example:
        >>> import firstbad as fb
        >>> changes = [
        ...     fb.Changelist("c1", ["docs/cart.md"], message="Explain carts"),
        ...     fb.Changelist("c2", ["src/cart.py"], message="Faster", counts={"src/cart.py": (3, 1)}),
        ...     fb.Changelist("c3", ["src/colour.py"], message="Colours", counts={"src/colour.py": (3, 1)}),
        ... ]
        >>> ranking = fb.rank_commits(changes, "tests/test_cart.py::test_total")
        >>> [change for change, probability in ranking]
        ['c2', 'c3', 'c1']
        >>> ranking.suspects[0].message
        'touches src/cart.py, which the test is named after; touches 1 source file, 4 lines'
    """
    tests = names("test", test)
    if build_graph is None:
        for name, given in {"before": before, "graphs": graphs}.items():
            if given is not None:
                raise InvalidArgumentError(f"{name}: {given!r} is not valid; expected nothing without a build_graph")
    elif not tests:
        raise InvalidArgumentError(f"test: {test!r} is not valid; expected the build target of the test")
    for name, graph in {"build_graph": build_graph, "before": before}.items():
        if not isinstance(graph, (BuildGraph, type(None))):
            raise InvalidArgumentError(f"{name}: {type(graph).__name__} is not valid; expected a BuildGraph")
    changelists = as_json(as_changelists(changes), content=True)
    native = _native.rank_commits(
        changelists,
        tests,
        None if build_graph is None else build_graph._core,
        None if before is None else before._core,
        at(graphs),
    )
    return CommitRanking(native)
