"""Commit graphs: revisions, their parents, and what can be asked about how they hang together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from inspect import isawaitable
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from firstbad import _native
from firstbad._arguments import checked_flag, checked_path, checked_text, given
from firstbad._card import Card
from firstbad._errors import InvalidArgumentError
from firstbad._ids import Ids

if TYPE_CHECKING:
    import networkx
    import rustworkx

    from firstbad._words import Words

__all__ = ["CommitGraph", "GraphLike", "as_graph"]

Self = TypeVar("Self", bound="CommitGraph")

Revisions: TypeAlias = "Mapping[str, Iterable[str]] | Iterable[tuple[str, Iterable[str]]]"


class CommitGraph(Card):
    """A directed acyclic graph of revisions, child to parents (RPA, Definition 1, with any number of roots).

    The graph lives outside Python; asking for ids, parents or leaves makes only the texts asked for. Memory is
    O(V + E): about 6 MB for 85,000 commits.

    Args:
        parents: A mapping from ids to the ids of their parents, in any order, or `(id, parent ids)` pairs. The order
            of parents is kept; the first one is the mainline, as in git.
        times: When the revisions were made, in any unit: a mapping from ids, or one number for each revision in the
            order of `parents`. Used where git's order between equals is asked for; without it the order of input,
            parents first, counts as time.

    Raises:
        GraphError: It is empty, an id is there twice, a parent is missing, or there is a cycle; ids are named.
        InvalidArgumentError: An id that is no str, or has lone surrogates; a time that is no number.

    Example:
        >>> import firstbad as fb
        >>> g = fb.CommitGraph({"m": ["a", "b"], "a": ["r"], "b": ["r"], "r": []})
        >>> len(g), g.roots, g.leaves, g.distance("r", "m")
        (4, ('r',), ('m',), 2)
    """

    __slots__ = ("__weakref__", "_core")

    _core: _native.CommitGraph

    def __init__(self, parents: Revisions, times: Mapping[str, float] | Iterable[float] | None = None) -> None:
        _check(parents)
        with _whole("parents"):
            self._core = _native.CommitGraph(parents, times)

    @classmethod
    def _of(cls: type[Self], native: _native.CommitGraph) -> Self:
        graph = cls.__new__(cls)
        graph._core = native
        return graph

    @classmethod
    def linear(cls: type[Self], ids: Iterable[str]) -> Self:
        """A graph from versions or builds, oldest first, each the only parent of the next.

        Raises:
            GraphError: It is empty, or an id is there twice.
        """
        with _whole("ids"):
            return cls._of(_native.CommitGraph.linear(ids))

    @classmethod
    def from_versions(cls: type[Self], versions: Iterable[str], *, scheme: Literal["semver", "pep440"]) -> Self:
        """Creates a graph from versions in any order. Each version is the only parent of the next higher one.

        Versions are compared by the rules of the scheme: `10.0.0-rc.1` comes before `10.0.0`. Equal versions keep
        their order.

        Args:
            versions: The versions.
            scheme: `"semver"` for the versions of npm and Cargo, with or without a leading `v`, or `"pep440"` for those
                of Python packages.

        Raises:
            InvalidArgumentError: If a version is not valid in the scheme.
            GraphError: If there are no versions, or a version occurs twice.
        """
        with _whole("versions"):
            return cls._of(_native.CommitGraph.from_versions(versions, checked_text("scheme", scheme)))

    @classmethod
    def from_edges(cls: type[Self], edges: Iterable[tuple[str, str]]) -> Self:
        """A graph from `(parent, child)` pairs, in the paper's direction.

        Raises:
            GraphError: It is empty, or there is a cycle.
        """
        with _whole("edges"):
            return cls._of(_native.CommitGraph.from_edges(edges))

    @classmethod
    def from_networkx(cls: type[Self], graph: networkx.DiGraph[str]) -> Self:
        """A graph from a networkx DiGraph, with edges from parent to child.

        What `to_networkx` gives comes back as it was. A node's `parents` are their order, where it has them; `time` is
        its time, where all nodes have one.

        Raises:
            GraphError: It is empty, or there is a cycle.
            InvalidArgumentError: A node that is no str, a time that is no number.
        """
        parents = {}
        for node, data in graph.nodes(data=True):
            ordered, there = tuple(data.get("parents", ())), tuple(graph.predecessors(node))
            parents[node] = ordered if sorted(map(str, ordered)) == sorted(map(str, there)) else there
        times = [data.get("time") for _, data in graph.nodes(data=True)]
        return cls(parents, None if None in times else times)

    @classmethod
    def from_git(
        cls: type[Self],
        path: str | os.PathLike[str] = ".",
        tips: str | Iterable[str] | None = None,
        exclude: str | Iterable[str] | None = None,
        first_parent: bool = False,
        paths: str | Iterable[str] | None = None,
        *,
        fetch: bool = False,
    ) -> Self:
        """The commit graph of a git repository.

        Ids are full shas; branches, tags and unique beginnings of shas are understood wherever an id is taken.

        Args:
            path: The repository, or a folder inside it.
            tips: Where to start, as git writes revisions; by default HEAD and all branches and tags.
            exclude: What to leave out, with its ancestors; the commits at the boundary stay, as roots.
            first_parent: Whether to follow only first parents.
            paths: Keep only commits that touch these paths (git's pathspecs, from the top level), the first parents of
                those that have no other such commit before them, and `tips`; by default all.
            fetch: Whether the rest of a shallow clone's history may be fetched, as for `Repository`.

        Raises:
            GitError: If the path is not in a repository, or Git fails.
            InvalidArgumentError: No path, `tips` or `paths` without anything in them, an empty text, or `paths` that no
                commit touches.
        """
        repository = _native.Repository(checked_path("path", path), checked_flag("fetch", fetch))
        first = checked_flag("first_parent", first_parent)
        return cls._of(repository.graph(given("tips", tips), given("exclude", exclude), first, given("paths", paths)))

    def __copy__(self: Self) -> Self:
        return self  # nothing changes it

    def __deepcopy__(self: Self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(),)

    @classmethod
    def from_json(cls: type[Self], text: str) -> Self:
        """The graph that `to_json` wrote, in any language.

        Nothing is read from the repository that it came from, which need not be there.

        Raises:
            InvalidArgumentError: It is no graph.
        """
        return cls._of(_native.CommitGraph.from_json(checked_text("text", text)))

    def to_json(self) -> str:
        """All that it is, as JSON, for another process or language; a pickle has the same.

        Where it was read from git, branches and tags and the repository's path are in it.
        """
        return self._core.to_json()

    def __len__(self) -> int:
        return len(self._core)

    def __iter__(self) -> Iterator[str]:
        """The ids, parents before children."""
        return iter(self.ids)

    def __contains__(self, id: object) -> bool:
        return id in self.ids

    @property
    def ids(self) -> Ids:
        """All ids, parents before children, as a sequence that copies nothing up front."""
        return Ids(self._core)

    def resolve(self, name: str) -> str:
        """The id that a name stands for: itself, a branch or tag, or a unique beginning of a sha.

        Raises:
            UnknownRevisionError: None or several; the nearest names are in the message.
        """
        return self._core.resolve(checked_text("name", name))

    def parents(self, id: str) -> tuple[str, ...]:
        """The parents of a revision, in their own order.

        Raises:
            UnknownRevisionError: If the revision does not exist.
        """
        return tuple(self._core.parents(checked_text("id", id)))

    def children(self, id: str) -> tuple[str, ...]:
        """The children of a revision, oldest first.

        Raises:
            UnknownRevisionError: If the revision does not exist.
        """
        return tuple(self._core.children(checked_text("id", id)))

    @property
    def roots(self) -> tuple[str, ...]:
        """The revisions without parents, oldest first."""
        return tuple(self._core.roots())

    @property
    def leaves(self) -> tuple[str, ...]:
        """The revisions without children, oldest first."""
        return tuple(self._core.leaves())

    def is_ancestor(self, ancestor: str, revision: str) -> bool:
        """Whether `ancestor` is `revision` or one of its ancestors, as in `git merge-base --is-ancestor`.

        Raises:
            UnknownRevisionError: If a revision does not exist.
        """
        return self.distance(ancestor, revision) is not None

    def distance(self, ancestor: str, revision: str) -> int | None:
        """The number of edges on a shortest path from `ancestor` up to `revision`; None if there is no path.

        Raises:
            UnknownRevisionError: If a revision does not exist.
        """
        return self._core.distance(checked_text("ancestor", ancestor), checked_text("revision", revision))

    def to_dot(self) -> str:
        """The graph in Graphviz's language, with edges from parent to child, as the paper draws them."""
        return self._core.dot()

    def to_mermaid(self) -> str:
        """The graph in Mermaid's language, for Markdown, with edges from parent to child."""
        return self._core.mermaid()

    def to_svg(self, report: Words | None = None) -> str:
        """The graph as a picture: from left to right, long runs of commits folded, with some 200 commits at most.

        Args:
            report: A report of a search in this graph: what was seen where, and the edges at which it broke.
        """
        return self._core.card(_written(report), True)

    def _svg(self) -> str:
        return self.to_svg()

    def _card(self, report: Words | None = None) -> str:
        return self._core.card(_written(report), False)

    def to_html(self, report: Words | None = None) -> str:
        """The same picture on a page that needs no other file, with its legend: what a notebook shows.

        Args:
            report: A report of a search in this graph: what was seen where, and the edges at which it broke.
        """
        return _native.card_page(self._card(report))

    def to_networkx(self) -> networkx.DiGraph[str]:
        """The graph as a networkx DiGraph, with edges from parent to child, as the paper draws them.

        A node's `time` is its time, or its rank where no times were given; `parents` keeps their order.

        Raises:
            ModuleNotFoundError: networkx is not installed (`pip install firstbad[networkx]`).
        """
        import networkx

        graph = networkx.DiGraph()
        for rank, id in enumerate(self.ids):
            parents = self.parents(id)
            graph.add_node(id, time=self._core.time(rank), parents=parents)
            graph.add_edges_from((parent, id) for parent in parents)
        return graph

    def to_rustworkx(self) -> rustworkx.PyDiGraph[str, None]:
        """The graph as a rustworkx PyDiGraph of ids, with edges from parent to child; indices are those of `ids`.

        Raises:
            ModuleNotFoundError: rustworkx is not installed (`pip install firstbad[rustworkx]`).
        """
        import rustworkx

        graph: rustworkx.PyDiGraph[str, None] = rustworkx.PyDiGraph()
        index = dict(zip(self.ids, graph.add_nodes_from(list(self.ids)), strict=True))
        graph.add_edges_from_no_data([(index[parent], index[id]) for id in self.ids for parent in self.parents(id)])
        return graph

    def __repr__(self) -> str:
        def counted(count: int, one: str, many: str) -> str:
            return f"{count:,} {one if count == 1 else many}"

        roots, leaves = len(self._core.roots()), len(self._core.leaves())
        return (
            f"<CommitGraph: {counted(len(self), 'revision', 'revisions')}, "
            f"{counted(roots, 'root', 'roots')}, {counted(leaves, 'leaf', 'leaves')}>"
        )


@contextmanager
def _whole(argument: str) -> Iterator[None]:
    """Says which text of many has halves of characters, where the core reads them one by one.

    Raises:
        InvalidArgumentError: There is one.
    """
    try:
        yield
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(
            f"{argument}: {error.object!r} is not valid; expected strings without lone surrogates"
        ) from None


def _check(given: object) -> None:
    """Says what is to be done with what is nearly a graph.

    Raises:
        InvalidArgumentError: It is a repository, something to be awaited, or another library's graph.
    """
    if callable(getattr(given, "graph", None)):
        expected = "a graph of it: repository.graph()"
    elif isawaitable(given):
        expected = "what it gives: await it first"
    elif callable(getattr(given, "predecessors", None)):
        expected = "CommitGraph.from_networkx(graph)"
    else:
        return
    raise InvalidArgumentError(f"graph: {given!r} ({type(given).__name__}) is not valid; expected {expected}")


def _written(report: Words | None) -> tuple[str, str] | None:
    """A report as the core takes it."""
    if report is not None and not getattr(report, "_text", ""):
        raise InvalidArgumentError(f"report: {shortened(report)} is not valid; expected a report of a search, or None")
    return None if report is None else (report._algorithm, report._text)


GraphLike: TypeAlias = "CommitGraph | Revisions"
"""A commit graph, or what one is made of."""


def as_graph(given: GraphLike) -> CommitGraph:
    """A commit graph from what stands for one.

    Raises:
        GraphError: It cannot be made.
        InvalidArgumentError: If the type is wrong.
    """
    return given if isinstance(given, CommitGraph) else CommitGraph(given)
