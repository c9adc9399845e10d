"""Suspects by what they touch: a prior from `git log` and the name of the failing test, without a build graph."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from firstbad import _native
from firstbad._arguments import names
from firstbad._build_graph import BuildGraph
from firstbad._changelist import Changelists, as_changelists, as_json
from firstbad._errors import InvalidArgumentError
from firstbad._ranked import Ranked
from firstbad._ranking import at
from firstbad._why import CommitReason, reasons_from

__all__ = ["CommitRanking", "CommitSuspect", "rank_commits"]


@dataclass(frozen=True)
class CommitSuspect:
    """A suspect, with what speaks for it.

    Attributes:
        change: The commit.
        probability: How likely it is the culprit, before anything was run, in [0, 1]; that of all suspects together is
            1.
        reasons: Why, what counts most first.
        message: The same for people, to follow the name of the commit.
    """

    change: str
    probability: float
    reasons: tuple[CommitReason, ...]
    message: str


class CommitRanking(Ranked):
    """Changes with their probabilities, the likeliest first; made by `rank_commits`.

    It is a sequence of `(change, probability)` pairs and equals the list of them; of equals the newest comes first.
    Searches take it as their `prior`, and say why they tried a revision.
    """

    __slots__ = ()

    _number = "probability"
    _kind = _native.CommitRanking
    _core: _native.CommitRanking

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the failing tests that were looked for; other endings are found, too."""
        return tuple(self._json["words"])

    @cached_property
    def suspects(self) -> tuple[CommitSuspect, ...]:
        """All suspects with their reasons, the likeliest first."""
        return tuple(
            CommitSuspect(one["change"], one["probability"], reasons_from(one["reasons"]), one["message"])
            for one in self._json["suspects"]
        )

    @property
    def message(self) -> str:
        """What was ranked, and by which words, in a sentence."""
        return self._core.message()

    def prior(self) -> dict[str, float]:
        """A weight for every change, summing to 1."""
        return dict(self._pairs)

    def _as_prior(self) -> dict[str, Any]:
        """The weights with their reasons, as searches take them."""
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
    """Ranks changes by what they touch and by what the failing test is called, without running any.

    A commit that touches source files is likelier to have broken a test than one that touches documentation alone; one
    that touches the file that the test is named after, or whose subject has the test's words, is likelier still. Half
    of the mass is shared by all. It is the prior that searches make with `prior="changes"`.

    Args:
        changes: The changes since the test passed, oldest first, as `Repository.changes` gives them. Of a mapping from
            ids to files, or `(id, files)` pairs, only the names of the files are known.
        test: What the failing test is called, in words or as its runner calls it (`"tests/test_cart.py::test_total"`),
            or several that began to fail together. With a `build_graph` a target of it. None: not known.
        build_graph: What the test depends on: the probabilities of both are then multiplied, each with its floor.
        before: The build graph before the first change, as in `rank_suspects`.
        graphs: Build graphs right after some changes, as in `rank_suspects`.

    Raises:
        UnknownBuildTargetError: If the target does not exist.
        InvalidArgumentError: A change that is given twice, or that is none; a build graph without a test.

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
