"""Compiles and lints all crates for other systems than this one, and runs tests for them.

    python tools/systems.py lint [target...]    each target below that rustup has, or these
    python tools/systems.py wine                the tests that need no git and no Unix shell, under Wine
    python tools/systems.py musl                the tests of the crates that have to do with the system

What a machine lacks is skipped, and a line says so. C code comes along (SQLite, grammars), so that each target needs
a C compiler: MinGW's for Windows; `musl-gcc`, or zig, for musl; zig for macOS (`pip install ziglang`), where nothing
is linked. Where rustc's source is there and its library for a target is not, that is built from it: so it is in Debian
with the packages rustc-web, cargo-web, rust-web-clippy and rust-web-src, and /usr/bin first on `PATH`.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET_FOLDER = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))

WINDOWS = "x86_64-pc-windows-gnu"
MACOS = "aarch64-apple-darwin"
MUSL = "x86_64-unknown-linux-musl"


@dataclass(frozen=True)
class Compiler:
    """The C compiler of a target."""

    programs: tuple[str, ...]
    """Any of these on `PATH`."""
    zig: str | None = None
    """The name of the target in zig."""
    words: str = ""
    """The package to install."""


COMPILERS = {
    WINDOWS: Compiler(("x86_64-w64-mingw32-gcc",), words="Debian's mingw-w64"),
    MACOS: Compiler(() if sys.platform != "darwin" else ("cc",), "aarch64-macos", "the package ziglang"),
    MUSL: Compiler(("x86_64-linux-musl-gcc", "musl-gcc"), "x86_64-linux-musl", "Debian's musl-tools or ziglang"),
}

UNDER_WINE = (
    "firstbad-platform",
    "firstbad-journal",
    "firstbad-git",
    "firstbad-oracle",
    "firstbad-store",
    "firstbad-build",
    "firstbad-cli",
    "firstbad-coverage",
    "firstbad-report",
    "firstbad-results",
    "firstbad-syntax",
    "firstbad",
)
"""The crates whose tests run under Wine."""

NEED_GIT = {
    "firstbad-build": {"suspects"},
    "firstbad-cli": {"shells"},
    "firstbad-git": {
        "changes",
        "clones",
        "graph",
        "names",
        "open",
        "reports",
        "slices",
        "slices_syntax",
        "tree_source",
        "variants_property",
    },
    "firstbad-oracle": {"line_ends"},
}
"""Files of tests that need git, which is not there under Wine."""

NOT_UNDER_WINE = (
    "a_link_leads_to_its_folder",
    "a_journal_belongs_to_one_command",
    "running_a_journal_from_elsewhere_does_not_make_it_trusted",
    "outcomes_are_shared_after_journal_errors",
)
"""Tests of what Wine 8 does not have: junctions, and files that lose their name while they are open."""

NOT_FROM_SOURCE = ("a_panic_in_keep_going_leaves_nothing_running",)
"""Tests that need panics to unwind, which they do not with musl and GCC's library for that."""

OF_THE_SYSTEM = (
    "firstbad-platform",
    "firstbad-git",
    "firstbad-oracle",
    "firstbad-journal",
    "firstbad-store",
    "firstbad",
)
"""The crates whose tests are run for musl."""


def main(words: list[str]) -> int:
    """Runs the commands, and returns the exit code."""
    match words:
        case ["lint", *targets]:
            return lint(targets or list(COMPILERS))
        case ["wine"]:
            return wine()
        case ["musl"]:
            return musl()
    print(__doc__, file=sys.stderr)
    return 2


def lint(targets: Iterable[str]) -> int:
    """Lints all crates and tests for each target."""
    failed = []
    for target in targets:
        found = environment(target)
        if isinstance(found, str):
            print(f"{target}: skipped, {found}")
            continue
        command = ["cargo", "clippy", "--workspace", "--all-targets", "--quiet", *for_target(target)]
        if subprocess.run([*command, "--", "-D", "warnings"], cwd=ROOT, env=found, check=False).returncode:
            failed.append(target)
        print(f"{target}: {'there are errors' if target in failed else 'compiled and linted'}", flush=True)
    return 1 if failed else 0


def musl() -> int:
    """Runs tests that are linked with musl on this machine."""
    found = environment(MUSL)
    if isinstance(found, str):
        print(f"{MUSL}: skipped, {found}")
        return 0
    return tests(MUSL, OF_THE_SYSTEM, found, {}, NOT_FROM_SOURCE if is_from_source(MUSL) else [])


def wine() -> int:
    """Runs tests for Windows under Wine."""
    program = next(filter(None, map(shutil.which, ("wine64", "wine", "/usr/lib/wine/wine64"))), None)
    found = environment(WINDOWS)
    if program is None or isinstance(found, str):
        print(f"{WINDOWS}: skipped, {'there is no Wine: install wine64' if program is None else found}")
        return 0
    found |= {"CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER": program, "WINEDEBUG": "-all"}
    found["WINEPREFIX"] = str(prepared(program, found))
    files = [f"{crate}/{name}" for crate, names in NEED_GIT.items() for name in sorted(names)]
    print(f"skipped, for there is no git: {', '.join(files)}")
    print(f"skipped, for Wine does not have it: {', '.join(NOT_UNDER_WINE)}", flush=True)
    return tests(WINDOWS, UNDER_WINE, found, NEED_GIT, NOT_UNDER_WINE)


def prepared(program: str, env: dict[str, str]) -> Path:
    """Returns a folder for the state of Wine."""
    prefix = TARGET_FOLDER / "wine"
    env = env | {"WINEPREFIX": str(prefix)}
    system = prefix / "drive_c/windows/system32"
    if not system.is_dir():
        prefix.mkdir(parents=True, exist_ok=True)
        subprocess.run([program, "wineboot", "--init"], env=env, check=True)
    library = system / "bcryptprimitives.dll"
    if not library.exists():
        source = ROOT / "tools/wine/bcryptprimitives.c"
        subprocess.run(["x86_64-w64-mingw32-gcc", "-shared", "-O1", "-o", library, source], check=True)
    return prefix


def tests(
    target: str, crates: Iterable[str], env: dict[str, str], without: Mapping[str, set[str]], names: Iterable[str]
) -> int:
    """Runs the tests of crates, except some test files and names, and prints their number."""
    lines = []
    code = 0
    for crate in crates:
        files = without.get(crate, set())
        # A test file can have the name of a module of the crate.
        parts: list[tuple[list[str], set[str]]] = (
            [(["--lib"], set()), (["--test", "all"], files)] if files else [([], set())]
        )
        for part, needing in parts:
            skipped = [*names, *(f"{file}::" for file in sorted(needing))]
            command = ["cargo", "test", *for_target(target), "--no-fail-fast", "-p", crate, *part]
            command += ["--", *(word for name in skipped for word in ("--skip", name))]
            process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
            for line in process.stdout or ():
                print(line, end="", flush=True)
                lines.append(line)
            code = process.wait() or code
    passed, failed, ignored, left_out = counted(lines)
    print(f"{target}: {passed} tests passed, {failed} failed, {ignored} run by others, {left_out} left out by name")
    return code


def counted(lines: Iterable[str]) -> tuple[int, int, int, int]:
    """Returns the numbers of passed, failed, ignored and filtered tests, from the output of Rust's test programs."""
    pattern = re.compile(r"test result: .* (\d+) passed; (\d+) failed; (\d+) ignored; .* (\d+) filtered out")
    found = [tuple(map(int, match.groups())) for match in map(pattern.match, lines) if match]
    passed, failed, ignored, left_out = (sum(column) for column in zip(*found, (0, 0, 0, 0), strict=True))
    return passed, failed, ignored, left_out


def is_installed(target: str) -> bool:
    """Returns whether the compiler has the standard library for a target."""
    return (Path(asked("rustc", "--print", "sysroot")) / "lib/rustlib" / target).is_dir()


def is_from_source(target: str) -> bool:
    """Returns whether the source is available instead. For musl, the unwinder comes from GCC (see `unwinding`)."""
    source = Path(asked("rustc", "--print", "sysroot")) / "lib/rustlib/src/rust/library/std"
    has_rest = target != MUSL or all(map(shutil.which, ("musl-gcc", "gcc", "ar")))
    return has_rest and not is_installed(target) and source.is_dir()


def asked(*command: str) -> str:
    """Returns the output of a command."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def for_target(target: str) -> list[str]:
    """Returns the arguments of cargo for a target."""
    from_source = ["-Zbuild-std=std,panic_unwind,panic_abort,test,proc_macro"] if is_from_source(target) else []
    return [*from_source, "--target", target]


def environment(target: str) -> dict[str, str] | str:
    """Returns the environment of cargo for a target, or a message about a missing tool."""
    env = dict(os.environ)
    if not is_installed(target):
        if not is_from_source(target):
            return f"the target is not installed: rustup target add {target}"
        # Building the standard library requires unstable features.
        env["RUSTC_BOOTSTRAP"] = "1"
    compiler = COMPILERS[target]
    tools = TARGET_FOLDER / "systems"
    program = next(filter(None, map(shutil.which, compiler.programs)), None)
    if program is not None:
        env[f"CC_{target.replace('-', '_')}"] = program
    elif compiler.zig and (zig := zig_program()):
        for tool, words in (("cc", f"cc -target {compiler.zig} -fno-sanitize=undefined"), ("ar", "ar")):
            path = script(tools / f"{target}-{tool}", f"{zig} {words}")
            env[f"{'CC' if tool == 'cc' else 'AR'}_{target.replace('-', '_')}"] = str(path)
    else:
        return f"there is no C compiler for it: install {compiler.words}"
    if target == MUSL and is_from_source(target):
        env["CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER"] = "musl-gcc"
        flags = f"-Clink-self-contained=no -L{unwinding(tools)}"
        # rustdoc compiles the examples in comments.
        env |= {f"CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_{kind}FLAGS": flags for kind in ("RUST", "RUSTDOC")}
    if target == WINDOWS:
        # Nothing links with Node here, and its build script only checks that this file exists.
        library = tools / "libnode.dll"
        library.parent.mkdir(parents=True, exist_ok=True)
        library.touch()
        env["LIBNODE_PATH"] = str(tools)
    return env


def unwinding(tools: Path) -> Path:
    """Returns a folder with GCC's unwind library for musl, and the symbols that it needs from glibc."""
    folder = tools / "unwinding"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(asked("gcc", "-print-file-name=libgcc_eh.a"), folder / "libunwind.a")
    subprocess.run(["musl-gcc", "-c", ROOT / "tools/musl/find_object.c", "-o", folder / "find_object.o"], check=True)
    subprocess.run(["ar", "r", folder / "libunwind.a", folder / "find_object.o"], check=True, capture_output=True)
    return folder


def zig_program() -> str | None:
    """Returns the command that starts zig, if it is available."""
    if importlib.util.find_spec("ziglang"):
        return f"{sys.executable} -m ziglang"
    return shutil.which("zig")


def script(path: Path, command: str) -> Path:
    """Creates a program that runs a command, because build scripts need a path.

    Build scripts also pass target names that zig does not know.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    known = 'for word; do shift; case $word in --target=*) ;; *) set -- "$@" "$word" ;; esac; done'
    path.write_text(f'#!/bin/sh\n{known}\nexec {command} "$@"\n')
    path.chmod(0o755)
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
