"""Build graphs: which files belong to which targets, and what these depend on."""

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
"""What a source tree is read for: imports of Python, of JavaScript and TypeScript, or workspaces of npm and others."""


@dataclass(frozen=True)
class BuildTarget:
    """A target of a build graph (Culprit Finder, Definitions 1 and 2).

    Attributes:
        files: The files that belong to it. A file may belong to several targets.
        deps: The names of the targets that it depends on directly.
        build_file: The file that defines it: a change to that touches the target, too.
        folders: Folders of which every file belongs to it that no target lists and that is in no deeper folder of
            another target; `"."` is all of them.
    """

    files: Iterable[str] = ()
    deps: Iterable[str] = ()
    build_file: str | None = None
    folders: Iterable[str] = ()


class BuildGraph:
    """Which files a test depends on, and how closely (Culprit Finder, Definitions 1 to 5).

    Targets may depend on one another in a circle; each circle counts as one target. The graph lives outside Python.

    Args:
        targets: A mapping from names to a `BuildTarget` each, or to the names of what they depend on, where each target
            is a file itself.
        partial: Whether a target may need more than is written here, files that are opened at run time for one. No
            change is excluded then.

    Raises:
        InvalidArgumentError: A dependency that is no target, with the nearest name; something that is no target.

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
        """What `bazel query --output=xml` or `--output=streamed_jsonproto` prints, told apart by its content.

        Args:
            text: The output, of a query like `deps(//app:test)`.
            prefix: The folder of the workspace, seen from the folder that changes count their paths from; empty if the
                two are one.

        Raises:
            InvalidArgumentError: If the type is wrong.
        """
        return cls._load("bazel", text, prefix)

    @classmethod
    def from_nx(cls, text: str | bytes, prefix: str = "") -> BuildGraph:
        """What `nx graph --file=graph.json` writes; the arguments are those of `from_bazel`.

        Raises:
            InvalidArgumentError: If the type is wrong.
        """
        return cls._load("nx", text, prefix)

    @classmethod
    def from_turborepo(cls, text: str | bytes, prefix: str = "") -> BuildGraph:
        """What `turbo run test --dry=json` prints; the arguments are those of `from_bazel`.

        Raises:
            InvalidArgumentError: If the type is wrong.
        """
        return cls._load("turborepo", text, prefix)

    @classmethod
    def from_cargo(cls, text: str | bytes, prefix: str = "") -> BuildGraph:
        """What `cargo metadata --format-version 1` prints; the arguments are those of `from_bazel`.

        Raises:
            InvalidArgumentError: If the type is wrong.
        """
        return cls._load("cargo", text, prefix)

    @classmethod
    def from_go(cls, text: str | bytes, prefix: str = "") -> BuildGraph:
        """What `go list -json -deps ./...` prints; the arguments are those of `from_bazel`.

        Raises:
            InvalidArgumentError: If the type is wrong.
        """
        return cls._load("go", text, prefix)

    @classmethod
    def from_workspaces(cls, folder: str | os.PathLike[str] = ".") -> BuildGraph:
        """The workspace of npm, yarn, bun or pnpm in a folder; targets are its packages.

        Raises:
            InvalidArgumentError: There is none.
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
        """The imports in the Python files below a folder; targets are files. Nothing is imported or run.

        Args:
            folder: The project's folder, from which changes count their paths.
            roots: Folders that absolute imports start from, like `src`. None given: they are found.
            data: Whether other files belong to the nearest package.
            configuration: Whether tests depend on the files that configure the project.

        Raises:
            InvalidArgumentError: There is no Python.
            HostError: If the folder cannot be read.
        """
        return cls._read("python", folder, names("roots", roots), data, configuration)

    @classmethod
    def from_javascript(
        cls, folder: str | os.PathLike[str] = ".", *, data: bool = False, configuration: bool = True
    ) -> BuildGraph:
        """The imports in the JavaScript and TypeScript files below a folder; targets are files. Nothing is run.

        Args:
            folder: The project's folder, from which changes count their paths.
            data: Whether other files belong to the nearest package.
            configuration: Whether tests depend on the files that configure the project.

        Raises:
            InvalidArgumentError: There is neither.
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
        """The same as `from_python` and its like at a revision, without a checkout.

        Args:
            repository: The repository.
            revision: The revision; for a ranking that of the failure.
            kind: What to read: `"python"`, `"javascript"` or `"workspaces"`.
            roots: As in `from_python`.
            data: As in `from_python`.
            configuration: As in `from_python`.

        Raises:
            UnknownRevisionError: If Git cannot find the revision.
            InvalidArgumentError: There is nothing of that kind.
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
        """The graph that `to_json` wrote, in any language.

        Where a repository is not at the same place, the graph stands alone, and a warning says so: no prior then looks
        at the graph before the changes.

        Raises:
            InvalidArgumentError: It is no build graph.
        """
        return cls._of(_native.BuildGraph.from_json(checked_text("text", text)))

    def to_json(self) -> str:
        """All that it is, as JSON, for another process or language; a pickle has the same."""
        return self._core.to_json()

    def __len__(self) -> int:
        return len(self._core)

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets' names, in the order given."""
        return tuple(self._core.targets())

    @property
    def complete(self) -> bool:
        """Whether it knows all inputs of its targets, so that what touches none of them cannot matter.

        Graphs of Bazel do, and those made by hand that are not `partial`. Imports, and packages of other tools, do not
        say which files a test opens, or what is loaded by a name made at run time.
        """
        return self._core.complete

    @property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Groups of targets that depend on one another in a circle; each counts as one target."""
        return tuple(map(tuple, self._core.cycles()))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a loader could not use, and why, in words."""
        return tuple(self._core.warnings)

    def dependencies(self, target: str) -> tuple[str, ...]:
        """What a target depends on directly, in the order given.

        Raises:
            UnknownBuildTargetError: If the target does not exist. The message suggests similar names.
        """
        return tuple(self._core.dependencies(checked_text("target", target)))

    def targets_of(self, file: str) -> tuple[str, ...]:
        """The targets that a file belongs to: those that list it, or else those of the longest folder above it."""
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
