"""Build graphs: targets, their files, and their dependencies."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from firstbad import _native
from firstbad._arguments import check_whole, checked_flag, checked_path, checked_repository, checked_text, names
from firstbad._errors import InvalidArgumentError

if TYPE_CHECKING:
    from firstbad._repository import Repository

__all__ = ["BuildGraph", "BuildTarget", "SourceKind"]

SourceKind: TypeAlias = Literal["python", "javascript", "workspaces"]
"""The content of a source tree to read: imports of Python, imports of JavaScript and TypeScript, or workspaces of npm,
yarn, bun, and pnpm.
"""


@dataclass(frozen=True)
class BuildTarget:
    """A target of a build graph (Culprit Finder, Definitions 1 and 2).

    Attributes:
        files: The files of the target. A file can belong to several targets.
        deps: The names of its direct dependencies.
        build_file: The file that defines the target. A change to this file also touches the target.
        folders: Folders whose files belong to the target, except files that a target lists and deeper folders of other
            targets. `"."` is the whole repository.
    """

    files: Iterable[str] = ()
    deps: Iterable[str] = ()
    build_file: str | None = None
    folders: Iterable[str] = ()


class BuildGraph:
    """A graph of the files that a test depends on (Culprit Finder, Definitions 1 to 5).

    Targets in a dependency cycle count as one target. The graph lives in native memory.

    Args:
        targets: A mapping from names to targets (`BuildTarget`). If each target is a file, a mapping from files to
            their dependencies.
        partial: Whether targets can have other inputs, such as files that are opened at run time. A partial graph
            excludes no change.

    Raises:
        InvalidArgumentError: If a dependency is not a target, or a value is not a target. The message suggests a
            similar name.

    Example:
        >>> import firstbad as fb
        >>> graph = fb.BuildGraph({
        ...     "//app:test": fb.BuildTarget(files=["app_test.py"], deps=["//app:lib"], build_file="app/BUILD"),
        ...     "//app:lib": fb.BuildTarget(files=["lib.py"], build_file="app/BUILD"),
        ... })
        >>> len(graph), graph.dependencies("//app:test"), graph.targets_of("app/BUILD")
        (2, ('//app:lib',), ('//app:test', '//app:lib'))
    """

    __slots__ = ("__weakref__", "_core")

    _core: _native.BuildGraph

    def __init__(self, targets: Mapping[str, BuildTarget | Iterable[str]], *, partial: bool = False) -> None:
        if not isinstance(targets, Mapping):
            raise InvalidArgumentError(
                f"targets: {type(targets).__name__} is not valid; expected a mapping from names to BuildTargets"
            )
        self._core = _native.BuildGraph(
            [_parts(name, target) for name, target in targets.items()], checked_flag("partial", partial)
        )

    @classmethod
    def _of(cls, native: _native.BuildGraph) -> BuildGraph:
        graph = cls.__new__(cls)
        graph._core = native
        return graph

    @classmethod
    def _load(cls, kind: str, text: str | bytes, prefix: str) -> BuildGraph:
        if isinstance(text, bytes):
            text = text.decode(errors="replace")
        if not isinstance(text, str):
            raise InvalidArgumentError(f"text: {type(text).__name__} is not valid; expected str or bytes")
        return cls._of(_native.BuildGraph.load(kind, text, prefix if prefix == "" else checked_path("prefix", prefix)))

    @classmethod
    def _read(
        cls, kind: str, folder: str | os.PathLike[str], roots: list[str], data: bool, configuration: bool
    ) -> BuildGraph:
        path = checked_path("folder", folder)
        wanted = checked_flag("data", data), checked_flag("configuration", configuration)
        return cls._of(_native.BuildGraph.read(kind, path, roots, *wanted))

    @classmethod
    def from_bazel(cls, text: str | bytes, prefix: str = "") -> BuildGraph:
        """Reads the output of `bazel query` with `--output=xml` or `--output=streamed_jsonproto`.

        Args:
            text: The output of a query such as `deps(//app:test)`.
            prefix: The folder of the workspace, relative to the folder that paths of changes start from. Empty if both
                are the same.

        Raises:
            InvalidArgumentError: If the text has another format.
        """
        return cls._load("bazel", text, prefix)

    @classmethod
    def from_nx(cls, text: str | bytes, prefix: str = "") -> BuildGraph:
        """Reads a file of `nx graph --file=graph.json`. The arguments are those of `from_bazel`.

        Raises:
            InvalidArgumentError: If the text has another format.
        """
        return cls._load("nx", text, prefix)

    @classmethod
    def from_turborepo(cls, text: str | bytes, prefix: str = "") -> BuildGraph:
        """Reads the output of `turbo run test --dry=json`. The arguments are those of `from_bazel`.

        Raises:
            InvalidArgumentError: If the text has another format.
        """
        return cls._load("turborepo", text, prefix)

    @classmethod
    def from_cargo(cls, text: str | bytes, prefix: str = "") -> BuildGraph:
        """Reads the output of `cargo metadata --format-version 1`. The arguments are those of `from_bazel`.

        Raises:
            InvalidArgumentError: If the text has another format.
        """
        return cls._load("cargo", text, prefix)

    @classmethod
    def from_go(cls, text: str | bytes, prefix: str = "") -> BuildGraph:
        """Reads the output of `go list -json -deps ./...`. The arguments are those of `from_bazel`.

        Raises:
            InvalidArgumentError: If the text has another format.
        """
        return cls._load("go", text, prefix)

    @classmethod
    def from_workspaces(cls, folder: str | os.PathLike[str] = ".") -> BuildGraph:
        """Reads the workspace of npm, yarn, bun or pnpm in a folder. Targets are its packages.

        Raises:
            InvalidArgumentError: If the folder has no workspace.
            HostError: If the folder cannot be read.
        """
        return cls._read("workspaces", folder, [], False, True)

    @classmethod
    def from_python(
        cls,
        folder: str | os.PathLike[str] = ".",
        *,
        roots: str | Iterable[str] = (),
        data: bool = False,
        configuration: bool = True,
    ) -> BuildGraph:
        """Reads the imports of the Python files in a folder, without running them. Targets are files.

        Args:
            folder: The folder of the project. Paths of changes start here.
            roots: The folders that absolute imports start from, such as `src`. Default: detected.
            data: Whether other files belong to the nearest package.
            configuration: Whether tests depend on the configuration files of the project.

        Raises:
            InvalidArgumentError: If the folder has no Python files.
            HostError: If the folder cannot be read.
        """
        return cls._read("python", folder, names("roots", roots), data, configuration)

    @classmethod
    def from_javascript(
        cls, folder: str | os.PathLike[str] = ".", *, data: bool = False, configuration: bool = True
    ) -> BuildGraph:
        """Reads the imports of JavaScript and TypeScript files in a folder, without running them. Targets are files.

        Args:
            folder: The folder of the project. Paths of changes start here.
            data: Whether other files belong to the nearest package.
            configuration: Whether tests depend on the configuration files of the project.

        Raises:
            InvalidArgumentError: If the folder has no JavaScript or TypeScript files.
            HostError: If the folder cannot be read.
        """
        return cls._read("javascript", folder, [], data, configuration)

    @classmethod
    def from_git(
        cls,
        repository: Repository,
        revision: str,
        kind: SourceKind,
        *,
        roots: str | Iterable[str] = (),
        data: bool = False,
        configuration: bool = True,
    ) -> BuildGraph:
        """Reads the imports or the workspace at a revision, without a checkout.

        Args:
            repository: The repository.
            revision: The revision. For a ranking, the revision that fails.
            kind: `"python"`, `"javascript"` or `"workspaces"`.
            roots: See `from_python`.
            data: See `from_python`.
            configuration: See `from_python`.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            InvalidArgumentError: If the revision has no files of this kind.
            GitError: If Git fails.
        """
        core = checked_repository("repository", repository)
        texts = checked_text("revision", revision), checked_text("kind", kind)
        wanted = checked_flag("data", data), checked_flag("configuration", configuration)
        return cls._of(_native.BuildGraph.at(core, *texts, names("roots", roots), *wanted))

    def __copy__(self) -> BuildGraph:
        return self  # nothing changes it

    def __deepcopy__(self, memo: object) -> BuildGraph:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(),)

    @classmethod
    def from_json(cls, text: str) -> BuildGraph:
        """Reads a graph that `to_json` of any front end wrote.

        If the repository has moved, a warning says so. Searches then cannot read the build graph at earlier revisions.

        Raises:
            InvalidArgumentError: If the text is not a build graph.
        """
        return cls._of(_native.BuildGraph.from_json(checked_text("text", text)))

    def to_json(self) -> str:
        """Returns the graph as JSON for another process or language."""
        return self._core.to_json()

    def __len__(self) -> int:
        return len(self._core)

    @property
    def targets(self) -> tuple[str, ...]:
        """The names of the targets, in the given order."""
        return tuple(self._core.targets())

    @property
    def complete(self) -> bool:
        """Whether the graph contains all inputs of its targets, so that it can exclude changes.

        Graphs from Bazel are complete, and so are graphs that you create without `partial`. Imports and packages of
        other tools do not show the files that a test opens, or modules with computed names.
        """
        return self._core.complete

    @property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """The groups of targets in a dependency cycle. Each group counts as one target."""
        return tuple(map(tuple, self._core.cycles()))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Messages about input that a loader could not use."""
        return tuple(self._core.warnings)

    def dependencies(self, target: str) -> tuple[str, ...]:
        """Returns the direct dependencies of a target, in the given order.

        Raises:
            UnknownBuildTargetError: If the target does not exist. The message suggests similar names.
        """
        return tuple(self._core.dependencies(checked_text("target", target)))

    def targets_of(self, file: str) -> tuple[str, ...]:
        """Returns the targets of a file: those that list the file, or else those of its deepest folder."""
        return tuple(self._core.targets_of(checked_text("file", file)))

    def __contains__(self, target: object) -> bool:
        return isinstance(target, str) and target in self._core.targets()

    def __repr__(self) -> str:
        dependencies, files = self._core.counts()
        return f"<BuildGraph: {len(self):,} targets, {dependencies:,} dependencies, {files:,} files>"


def _parts(name: object, target: object) -> tuple[str, list[str], list[str], str | None, list[str]]:
    if not isinstance(name, str):
        raise InvalidArgumentError(f"targets: {name!r} ({type(name).__name__}) is not valid; expected names, as str")
    check_whole("targets", (name,))
    place = f"targets[{name!r}]"
    if not isinstance(target, BuildTarget):
        if isinstance(target, str) or not isinstance(target, Iterable):
            raise InvalidArgumentError(
                f"{place}: {target!r} ({type(target).__name__}) is not valid; expected a BuildTarget, or targets' names"
            )
        target = BuildTarget(files=[name], deps=target)
    if target.build_file is not None:
        checked_text(f"{place}.build_file", target.build_file)
    return (
        name,
        names(f"{place}.files", target.files),
        names(f"{place}.folders", target.folders),
        target.build_file,
        names(f"{place}.deps", target.deps),
    )
