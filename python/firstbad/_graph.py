"""Commit graphs: revisions and their parents."""

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

    The graph lives in native memory, and methods create only the texts that they return. Memory is O(V + E), about 6 MB
    for 85,000 commits.

    Args:
        parents: A mapping from ids to the ids of their parents, in any order, or `(id, parent ids)` pairs. The first
            parent is the mainline, as in Git.
        times: The times of the revisions, in any unit: a mapping from ids, or one number for each revision in the order
            of `parents`. Searches use times to order equal revisions as Git does. None: the order of `parents`, parents
            first.

    Raises:
        GraphError: If the graph is empty, an id occurs twice, a parent is missing, or there is a cycle.
        InvalidArgumentError: If an id is not a str or contains lone surrogates, or a time is not a number.

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
        """Creates a graph from versions or builds, oldest first. Each is the only parent of the next.

        Raises:
            GraphError: If there are no ids, or an id occurs twice.
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
        """Creates a graph from `(parent, child)` pairs.

        Raises:
            GraphError: If there are no pairs, or there is a cycle.
        """
        with _whole("edges"):
            return cls._of(_native.CommitGraph.from_edges(edges))

    @classmethod
    def from_networkx(cls: type[Self], graph: networkx.DiGraph[str]) -> Self:
        """Creates a graph from a networkx DiGraph with edges from parent to child.

        A node can have the attributes `parents`, the order of its parents, and `time`, which is used if all nodes have
        one. `to_networkx` writes both.

        Raises:
            GraphError: If the graph is empty, or there is a cycle.
            InvalidArgumentError: If a node is not a str, or a time is not a number.
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
        """Reads the commit graph of a Git repository.

        Ids are full hashes. Every argument that takes an id also takes branches, tags, and unique prefixes.

        Args:
            path: The repository, or a folder inside it.
            tips: The revisions to start from, in Git's syntax. Default: HEAD and all branches and tags.
            exclude: Revisions to leave out with their ancestors. The commits at the boundary stay as roots.
            first_parent: Whether to follow only first parents.
            paths: Keep only commits that touch these paths (git's pathspecs, from the top level), the first parents of
                those that have no other such commit before them, and `tips`. Default: all commits.
            fetch: Whether firstbad can fetch the missing history of a shallow clone, as in `Repository`.

        Raises:
            GitError: If the path is not in a repository, or Git fails.
            InvalidArgumentError: If an argument is empty or has the wrong type, or no commit touches `paths`.
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
        """Reads a graph that `to_json` of any front end wrote. The repository need not exist.

        Raises:
            InvalidArgumentError: If the text is not a graph.
        """
        return cls._of(_native.CommitGraph.from_json(checked_text("text", text)))

    def to_json(self) -> str:
        """Returns the graph as JSON for another process or language.

        A graph from Git includes its branches, its tags, and the path of the repository.
        """
        return self._core.to_json()

    def __len__(self) -> int:
        return len(self._core)

    def __iter__(self) -> Iterator[str]:
        """Yields the ids, parents before children."""
        return iter(self.ids)

    def __contains__(self, id: object) -> bool:
        return id in self.ids

    @property
    def ids(self) -> Ids:
        """All ids, parents before children, as a view without a copy."""
        return Ids(self._core)

    def resolve(self, name: str) -> str:
        """Returns the id for a name: an id, a branch, a tag, or a unique prefix of a hash.

        Raises:
            UnknownRevisionError: If the name matches no revision, or several. The message suggests similar names.
        """
        return self._core.resolve(checked_text("name", name))

    def parents(self, id: str) -> tuple[str, ...]:
        """Returns the parents of a revision, in their order.

        Raises:
            UnknownRevisionError: If the revision does not exist.
        """
        return tuple(self._core.parents(checked_text("id", id)))

    def children(self, id: str) -> tuple[str, ...]:
        """Returns the children of a revision, oldest first.

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
        """Returns whether `ancestor` is `revision` or one of its ancestors, as `git merge-base --is-ancestor` does.

        Raises:
            UnknownRevisionError: If a revision does not exist.
        """
        return self.distance(ancestor, revision) is not None

    def distance(self, ancestor: str, revision: str) -> int | None:
        """Returns the number of edges on a shortest path from `ancestor` to `revision`, or None without a path.

        Raises:
            UnknownRevisionError: If a revision does not exist.
        """
        return self._core.distance(checked_text("ancestor", ancestor), checked_text("revision", revision))

    def to_dot(self) -> str:
        """Returns the graph in the DOT language of Graphviz, with edges from parent to child."""
        return self._core.dot()

    def to_mermaid(self) -> str:
        """Returns the graph in the language of Mermaid, for Markdown, with edges from parent to child."""
        return self._core.mermaid()

    def to_svg(self, report: Words | None = None) -> str:
        """Returns the graph as an SVG image from left to right, with at most about 200 commits. Long runs are folded.

        Args:
            report: A report of a search in this graph. The image shows its outcomes and regression points.
        """
        return self._core.card(_written(report), True)

    def _svg(self) -> str:
        return self.to_svg()

    def _card(self, report: Words | None = None) -> str:
        return self._core.card(_written(report), False)

    def to_html(self, report: Words | None = None) -> str:
        """Returns an HTML page with the image of `to_svg` and a legend, as in a notebook.

        Args:
            report: A report of a search in this graph. The image shows its outcomes and regression points.
        """
        return _native.card_page(self._card(report))

    def to_networkx(self) -> networkx.DiGraph[str]:
        """Returns the graph as a networkx DiGraph with edges from parent to child.

        A node has the attributes `time`, its time or its rank in a graph without times, and `parents`, their order.

        Raises:
            ModuleNotFoundError: If networkx is not installed (`pip install firstbad[networkx]`).
        """
        import networkx

        graph = networkx.DiGraph()
        for rank, id in enumerate(self.ids):
            parents = self.parents(id)
            graph.add_node(id, time=self._core.time(rank), parents=parents)
            graph.add_edges_from((parent, id) for parent in parents)
        return graph

    def to_rustworkx(self) -> rustworkx.PyDiGraph[str, None]:
        """Returns the graph as a rustworkx PyDiGraph of ids, with edges from parent to child and the indices of `ids`.

        Raises:
            ModuleNotFoundError: If rustworkx is not installed (`pip install firstbad[rustworkx]`).
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
    """Names the argument if a text with lone surrogates reaches the core.

    Raises:
        InvalidArgumentError: If a text contains lone surrogates.
    """
    try:
        yield
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(
            f"{argument}: {error.object!r} is not valid; expected strings without lone surrogates"
        ) from None


def _check(given: object) -> None:
    """Explains how to convert values that resemble a graph.

    Raises:
        InvalidArgumentError: If the value is a repository, an awaitable, or a graph of another library.
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
    """Returns the arguments of the core for a report."""
    if report is not None and not getattr(report, "_text", ""):
        raise InvalidArgumentError(f"report: {shortened(report)} is not valid; expected a report of a search, or None")
    return None if report is None else (report._algorithm, report._text)


GraphLike: TypeAlias = "CommitGraph | Revisions"
"""A commit graph, or a mapping from ids to parent ids."""


def as_graph(given: GraphLike) -> CommitGraph:
    """Returns a commit graph, created if necessary.

    Raises:
        GraphError: If the graph is not valid.
        InvalidArgumentError: If the type is wrong.
    """
    return given if isinstance(given, CommitGraph) else CommitGraph(given)
