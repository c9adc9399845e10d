"""Outcomes that runs share: what one has paid for, no other pays for again."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from firstbad import _native
from firstbad._arguments import check_kind, checked_path
from firstbad._card import Card
from firstbad._errors import InvalidArgumentError
from firstbad._observation import Observation

if TYPE_CHECKING:
    from firstbad._search import Search

__all__ = ["OutcomeStore", "StoredOutcome", "check_for_trees", "settle", "share", "share_trees", "warn"]

KeyLike: TypeAlias = "Literal['revision', 'tree'] | Mapping[str, str] | Callable[[str], str | None]"
"""What revisions are filed under: those with equal keys share their outcomes."""


@dataclass(frozen=True)
class StoredOutcome:
    """One outcome in a store.

    Attributes:
        key: What it is filed under, with its kind: `revision:...`, `own:...` (a tree, too), `changes:...`; of iterative
            delta debugging `revision:tree:...`.
        run: The run that saw it: of one with a journal, the session's `id`.
        observation: What was seen.
        at: When it was kept, in seconds since 1970, by the clock of the machine that saw it.
    """

    key: str
    run: str
    observation: Observation
    at: float


class OutcomeStore(Card):
    """A file of outcomes that searches share, as `store=`: nobody asks again what another run has asked.

    Any number of processes on one machine may use a file at once. It is a cache: delete it, and nothing is lost but
    time. Trouble with it during a run (a full disk, a damaged file) never ends the run: a RuntimeWarning at its end
    says what happened. Of a flaky test each outcome is evidence of its own, so a search takes each once.

    Args:
        path: The file (SQLite); made if need be, with its folder.
        oracle: What is tested, in your words: a command, a test's name. Outcomes of different oracles are never mixed.
        version: What makes older outcomes worthless when it changes: a digest of the environment, a number.
        key: What revisions are filed under. `"revision"`: their ids. `"tree"`: what is in them, for tests that depend
            on nothing else, so that reverts and amended messages share; needs a graph read from git. A mapping from
            revisions to keys, or a function that is called once for each revision when a search begins; without a key
            (None) a revision is not shared. Sets of items are filed under a digest of the items.

    Raises:
        StoreError: A file that is damaged or no store, which is left as it is; a path that cannot be opened.
        InvalidArgumentError: An oracle without a name, a key that is none.

    Example:
        >>> import tempfile, firstbad as fb
        >>> store = fb.OutcomeStore(tempfile.mkdtemp() + "/outcomes.db", oracle="make test")
        >>> graph = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])
        >>> for _ in range(2):
        ...     report = fb.find_regressions(graph, lambda version: version < "1.2", bad="1.3", good="1.0", store=store)
        ...     report.points[0].bad, report.runs - report.confirmations, len(store)
        ('1.2', 4, 4)
        ('1.2', 0, 4)
    """

    __slots__ = ("_key", "oracle", "path", "version")

    def __init__(
        self, path: str | os.PathLike[str], *, oracle: str, version: str = "", key: KeyLike = "revision"
    ) -> None:
        if not isinstance(oracle, str) or not oracle:
            raise InvalidArgumentError(
                f"oracle: {oracle!r} is not valid; expected a name for what is tested, as str: a command, a test's name"
            )
        if not isinstance(version, str):
            raise InvalidArgumentError(f"version: {version!r} is not valid; expected a text")
        meant = key in ("revision", "tree") if isinstance(key, str) else isinstance(key, Mapping) or callable(key)
        if not meant:
            raise InvalidArgumentError(
                f'key: {shortened(key)} is not valid; expected "revision", "tree", a mapping from revisions to keys, '
                "or a function"
            )
        self._key = key
        self.path: Path = _native.store(checked_path("path", path))
        """The file, as an absolute path."""
        self.oracle = oracle
        """What is tested."""
        self.version = version
        """The version of what is tested."""

    def __len__(self) -> int:
        """How many outcomes there are of this oracle in this version.

        Raises:
            StoreError: If the store cannot be read.
        """
        return _native.count_stored(str(self.path), self.oracle, self.version)

    def __bool__(self) -> bool:
        """An empty store is one, too."""
        return True

    def __iter__(self) -> Iterator[StoredOutcome]:
        """The outcomes of this oracle in this version, oldest first.

        Raises:
            StoreError: If the store cannot be read.
        """
        for entry in json.loads(_native.stored(str(self.path), self.oracle, self.version)):
            seen = Observation._as_written(entry["observation"])
            yield StoredOutcome(entry["key"], entry["run"], seen, entry["at"])

    def forget(self) -> int:
        """Removes the outcomes of this oracle in this version, and says how many.

        Raises:
            StoreError: If the store cannot be written.
        """
        return _native.forget_stored(str(self.path), self.oracle, self.version)

    def _card(self) -> str:
        return _native.store_card(len(self), self.oracle, self.version, str(self.path))

    def __repr__(self) -> str:
        version = f", version={self.version!r}" if self.version else ""
        return f"OutcomeStore({str(self.path)!r}, oracle={self.oracle!r}{version})"

    def _keys(self, graph: _native.CommitGraph) -> dict[str, str] | None:
        """The key of each revision; None if they are their own."""
        if self._key == "revision":
            return None
        ids = graph.ids(0, len(graph))
        if self._key == "tree":
            if graph.repository is None:
                raise InvalidArgumentError(
                    "store: one with key='tree' is not valid with this graph; expected a graph read from git, which "
                    "alone has trees"
                )
            return dict(_native.Repository(graph.repository, False).tree_ids(ids))
        found = dict(self._key) if isinstance(self._key, Mapping) else {id: self._key(id) for id in ids}
        for revision, key in found.items():
            if not isinstance(revision, str) or not (key is None or isinstance(key, str)):
                raise InvalidArgumentError(
                    f"store: the key {key!r} for {revision!r} is not valid; expected a text, or None for a revision "
                    "that is not shared"
                )
        return {revision: key for revision, key in found.items() if key is not None}


def share(search: Search[Any, Any], store: OutcomeStore, run: str, base: str | None = None) -> None:
    """Shares the outcomes of a search from here on; `base` is the revision that its patches are applied to.

    Raises:
        StoreError: If the store cannot be opened.
        InvalidArgumentError: No store, or one whose keys do not fit the search.
    """
    check_kind("store", store, OutcomeStore, "an OutcomeStore, which has a path and the name of an oracle")
    graph = search._core.graph
    keys, items = None, None
    if graph is not None:
        keys = store._keys(graph)
    else:
        items = search._digest()
        if items is not None and base is not None:
            items = f"{items}@{base}"
    _native.share(search._core, str(store.path), (store.oracle, store.version), run, keys, items)


def check_for_trees(store: object) -> None:
    """Refuses what cannot hold outcomes of trees with patches on them.

    Raises:
        InvalidArgumentError: No store, or one with keys of revisions.
    """
    check_kind("store", store, OutcomeStore, "an OutcomeStore, which has a path and the name of an oracle")
    assert isinstance(store, OutcomeStore)
    if not isinstance(store._key, str):
        raise InvalidArgumentError(
            f"store: one with the key {shortened(store._key)} is not valid here; expected one without a key: outcomes "
            "are those of trees, with patches on them"
        )


def share_trees(trees: _native.Variants | _native.Slices, store: OutcomeStore, search: Search[Any, Any]) -> None:
    """Shares what a search sees of trees from here on.

    Raises:
        StoreError: If the store cannot be opened.
    """
    # A search with a journal has a name.
    trees.share(str(store.path), (store.oracle, store.version), getattr(search, "id", None) or os.urandom(16).hex())


def settle(search: Search[Any, Any]) -> None:
    """Says what kept outcomes from being shared, if anything did."""
    warn(_native.store_trouble(search._core))


def warn(trouble: str | None) -> None:
    """Says what kept outcomes from being shared; None: nothing did."""
    if trouble is not None:
        warnings.warn(f"{trouble}; from there on this run shared no outcomes", RuntimeWarning, stacklevel=2)
