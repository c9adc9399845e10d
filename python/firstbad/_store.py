"""Outcomes that runs share."""

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
"""The keys of revisions. Revisions with equal keys share their outcomes."""


@dataclass(frozen=True)
class StoredOutcome:
    """An outcome in a store.

    Attributes:
        key: The key with its kind: `revision:...`, `own:...` (also for trees), `changes:...`, or for iterative delta
            debugging `revision:tree:...`.
        run: The run that produced the outcome. For a run with a journal, the `id` of the session.
        observation: The observation.
        at: The time of storage, in seconds since 1970, by the clock of the machine of the run.
    """

    key: str
    run: str
    observation: Observation
    at: float


class OutcomeStore(Card):
    """A file of outcomes that searches share with `store=`, so that no test runs twice.

    Several processes on one machine can use a store at the same time. A store is a cache, which you can delete at any
    time. A problem with the store during a run, such as a full disk, does not stop the run. You get a RuntimeWarning at
    its end. For a flaky test, a search uses each stored outcome once.

    Args:
        path: The SQLite file, created with its folder if necessary.
        oracle: A name for the test, such as its command. Outcomes of different oracles are separate.
        version: A version of the test, such as a digest of the environment. Outcomes of other versions are not used.
        key: The keys of revisions. `"revision"`: their ids. `"tree"`: their files, for tests that depend only on these,
            so that reverts and amended commits share outcomes. It requires a graph from Git. Or a mapping from
            revisions to keys, or a function that is called once for each revision when a search starts. A revision with
            the key None is not shared. The key of a set is a digest of its items.

    Raises:
        StoreError: If the file is damaged, is not a store, or cannot be opened. The file is not changed.
        InvalidArgumentError: If `oracle` is empty, or `key` is invalid.

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
                f"oracle: {oracle!r} is not valid; expected the name of the test, as str, such as its command"
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
        """Returns the number of outcomes of this oracle and version.

        Raises:
            StoreError: If the store cannot be read.
        """
        return _native.count_stored(str(self.path), self.oracle, self.version)

    def __bool__(self) -> bool:
        """Returns True, also for an empty store."""
        return True

    def __iter__(self) -> Iterator[StoredOutcome]:
        """Yields the outcomes of this oracle and version, oldest first.

        Raises:
            StoreError: If the store cannot be read.
        """
        for entry in json.loads(_native.stored(str(self.path), self.oracle, self.version)):
            seen = Observation._as_written(entry["observation"])
            yield StoredOutcome(entry["key"], entry["run"], seen, entry["at"])

    def forget(self) -> int:
        """Removes the outcomes of this oracle and version, and returns their number.

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
        """Returns the key of each revision, or None if the keys are the ids."""
        if self._key == "revision":
            return None
        ids = graph.ids(0, len(graph))
        if self._key == "tree":
            if graph.repository is None:
                raise InvalidArgumentError(
                    "store: one with key='tree' is not valid with this graph; expected a graph from a Git repository, "
                    "which has trees"
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
    """Shares the outcomes of a search. `base` is the revision that its patches apply to.

    Raises:
        StoreError: If the store cannot be opened.
        InvalidArgumentError: If `store` is not a store, or its keys do not fit the search.
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
    """Refuses values that cannot store outcomes of patched trees.

    Raises:
        InvalidArgumentError: If the value is not a store, or has keys of revisions.
    """
    check_kind("store", store, OutcomeStore, "an OutcomeStore, which has a path and the name of an oracle")
    assert isinstance(store, OutcomeStore)
    if not isinstance(store._key, str):
        raise InvalidArgumentError(
            f"store: one with the key {shortened(store._key)} is not valid here; expected one without a key, because "
            "the outcomes belong to trees with patches"
        )


def share_trees(trees: _native.Variants | _native.Slices, store: OutcomeStore, search: Search[Any, Any]) -> None:
    """Shares the outcomes of trees.

    Raises:
        StoreError: If the store cannot be opened.
    """
    # A search with a journal has a name.
    trees.share(str(store.path), (store.oracle, store.version), getattr(search, "id", None) or os.urandom(16).hex())


def settle(search: Search[Any, Any]) -> None:
    """Warns about problems with the store of a search."""
    warn(_native.store_trouble(search._core))


def warn(trouble: str | None) -> None:
    """Emits a warning about a problem with a store, if any."""
    if trouble is not None:
        message, *advice = trouble.split("\nhelp: ", 1)
        words = "\nhelp: ".join([f"{message}. From then on, this run shared no outcomes", *advice])
        warnings.warn(words, RuntimeWarning, stacklevel=2)
