"""From a build graph to the prior of a culprit search."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from firstbad import _native
from firstbad._arguments import names
from firstbad._changelist import Changelist, Changelists, as_changelists
from firstbad._errors import InvalidArgumentError
from firstbad._ranking import PriorBy, Ranking, rank_suspects
from firstbad.factors import Factor, weigh

if TYPE_CHECKING:
    from firstbad._build_graph import BuildGraph
    from firstbad._graph import CommitGraph

__all__ = ["expected"]


def expected(
    graph: CommitGraph,
    options: Mapping[str, Any],
    build_graph: BuildGraph | None,
    test: str | None,
    changes: Changelists | None,
    factors: Iterable[Factor] | None,
    prior_by: PriorBy,
    exclude_unaffected: bool,
) -> tuple[dict[str, Any], Ranking | None]:
    """The options of a culprit search with the prior that a build graph gives, and the ranking that it comes from.

    Raises:
        FirstbadError: As `find_culprit` says.
    """
    if build_graph is None:
        for name, value in {"test": test, "changes": changes, "factors": factors}.items():
            if value is not None:
                raise InvalidArgumentError(f"{name}: {value!r} is not valid; expected nothing without a build_graph")
        return dict(options), None
    if test is None:
        raise InvalidArgumentError("test: None is not valid; expected the build target of the test, with a build_graph")
    if options.get("prior") is not None:
        raise InvalidArgumentError(
            "prior: not valid with a build_graph, which makes one; expected one of the two (see factors)"
        )
    bad, good = names("bad", options.get("bad")), names("good", options.get("good"))
    listed = _from_git(graph, good, bad) if changes is None else as_changelists(changes)
    ranking = rank_suspects(build_graph, listed, test)
    weights: dict[str, float] | None
    weights, warning = ranking._core.prior_in(
        graph._core, bad, good, prior_by, 1.0, 0.1, bool(exclude_unaffected), weigh(listed, factors or ())
    )
    if warning is not None:
        warnings.warn(f"build_graph: {warning}", RuntimeWarning, stacklevel=3)
    return {**options, "prior": weights}, ranking


def _from_git(graph: CommitGraph, good: list[str], bad: list[str]) -> list[Changelist]:
    """What the revisions of a graph changed, from the repository that it was read from."""
    core = graph._core
    if core.repository is None:
        raise InvalidArgumentError(
            "changes: None is not valid; expected changes, because the graph was not read from a repository"
        )
    # What an end means is for the graph to say: it was read before.
    ends = [graph.resolve(name) for name in bad]
    starts = [graph.resolve(name) for name in good] or list(graph.roots)
    merges = "first-parent" if core.first_parent else "own"
    found = Changelist._listed(_native.Repository(core.repository).changes(starts, ends, merges))
    return [change for change in found if change.id in graph]
