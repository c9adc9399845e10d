"""Builds the Python packages, and checks each as a user gets it: `make packages-python`.

    python packaging/python/make_packages.py target/packages/python

makes a wheel for each Linux (glibc from 2.17, musl from 1.2) that the Rust toolchain has the standard library for, or
its source, linked by zig, and the source distribution with a wheel made from it. With the source wheels are smaller;
where it is missing rustup is asked for it. All are audited, and installed into empty environments where no compiler is
found, of this Python and of each given by `--python`, a wheel in those of its own libc. With `--wheel` and `--sdist`
files that exist are checked.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import audits
import source

ROOT = Path(__file__).resolve().parents[2]
SMOKE = Path(__file__).with_name("smoke.py")
SMALLER = ROOT / "packaging/smaller.py"
# zig must not come from a Python package, which is the first place searched.
ZIG = {"CARGO_ZIGBUILD_PYTHON_PATH": "", "CARGO_ZIGBUILD_ZIG_PATH": str(Path(__file__).with_name("zig.py"))}
# Unwind tables are a third smaller with frame pointers. No panic passes through C.
FLAGS = {"RUSTFLAGS": "-C force-frame-pointers=yes", "CFLAGS": "-fno-asynchronous-unwind-tables -fno-unwind-tables"}

# The Rust target of each platform tag.
TARGETS = {
    "manylinux2014": f"{os.uname().machine}-unknown-linux-gnu",
    "musllinux_1_2": f"{os.uname().machine}-unknown-linux-musl",
}
COMPILERS = re.compile(
    r"(.*-)?(cc|c\+\+|gcc|g\+\+|clang|clang\+\+|ld|as|make|cmake|cargo|rustc|rustup|zig|maturin)(-[\d.]+)?"
)


def main() -> None:
    """Builds the packages that are not given, and checks all packages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the packages go; what is in it is removed, if they are built")
    parser.add_argument(
        "--wheel", type=Path, action="append", default=[], help="check this one instead of building any"
    )
    parser.add_argument("--sdist", type=Path, help="check this one instead of making it")
    parser.add_argument(
        "--python", action="append", default=[], help="install into environments of this interpreter, too"
    )
    given = parser.parse_args()
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    pythons = [sys.executable, *given.python]
    if not given.wheel:
        fetch_source()
    libraries = {} if given.wheel else {tag: library(target) for tag, target in TARGETS.items()}
    wheels = given.wheel or [build(tag, folder, how) for tag, how in libraries.items() if how is not None]
    sdist = given.sdist or source.make(ROOT, folder)
    for wheel in wheels:
        audits.wheel(wheel)
    audits.sdist(sdist)
    for wheel in wheels:
        fitting = [python for python in pythons if is_of_musl(python) == ("musllinux" in wheel.name)]
        for python in fitting:
            try_out(wheel, python)
        if not fitting:
            print(f"{wheel.name}: audited, and not run: no Python of its libc was given")
    with tempfile.TemporaryDirectory() as made:
        try_out(from_source(sdist, Path(made)), sys.executable)
    # The size check comes last, after all other results.
    large = [path.name for path in [*wheels, sdist] if not audits.is_small(path)]
    if large:
        sys.exit(f"Too large: {', '.join(large)}")
    print("All packages are in order.")


def has_source() -> bool:
    """Returns whether the Rust toolchain has the source of the standard library."""
    return Path(run(["rustc", "--print", "sysroot"], capture=True).strip(), "lib/rustlib/src/rust/library/std").is_dir()


def fetch_source() -> None:
    """Fetches the source of the standard library with rustup if it is missing, and prints a line if this fails."""
    if has_source() or shutil.which("rustup") is None:
        return
    print("The source of the standard library makes smaller wheels: rustup component add rust-src")
    if subprocess.run(["rustup", "component", "add", "rust-src"], check=False).returncode != 0:
        print("rustup could not bring it: wheels are made with the library that is there, and are 0.1 MB larger")


def library(target: str) -> list[str] | None:
    """Returns the arguments of maturin for the standard library of a target, or `None` with a message."""
    # From source, the library is also optimized for size.
    if has_source():
        return ["-Z", "build-std=std,panic_unwind"]
    place = Path(run(["rustc", "--print", "target-libdir", "--target", target], capture=True).strip())
    if any(place.glob("libcore-*.rlib")):
        return []
    print(f"{target}: skipped: the Rust toolchain does not have it (rustup target add {target})")
    return None


def build(tag: str, folder: Path, library: list[str]) -> Path:
    """Returns the wheel for a tag."""
    for old in folder.glob(f"*{tag}*.whl"):
        old.unlink()
    command = [sys.executable, "-m", "maturin", "build", "--profile", "published", "--compression-level", "9", *library]
    command += ["--locked", "--zig", "--compatibility", tag, "--target", TARGETS[tag], "--out", str(folder)]
    # Building the standard library requires unstable features.
    env = ZIG | FLAGS | ({"RUSTC_BOOTSTRAP": "1"} if library else {})
    with third_party(TARGETS[tag]) as bill:
        command += ["--sbom-include", str(bill)]
        # Without an optimization level, zig links its checks of undefined behavior, which are not called.
        run([*command, "--", "-C", "link-arg=-O2", *unwinder(tag)], cwd=ROOT, env=env)
    [wheel] = folder.glob(f"*{tag}*.whl")
    run([sys.executable, str(SMALLER), str(wheel)])
    return wheel


@contextlib.contextmanager
def third_party(target: str) -> Iterator[Path]:
    """Adds the licenses of compiled code to ours while a wheel is built, and yields their list."""
    file = ROOT / "LICENSE-THIRD-PARTY"
    with tempfile.TemporaryDirectory() as folder:
        bill = Path(folder, audits.BILL)
        try:
            run(["node", str(ROOT / "packaging/third-party.mjs"), "firstbad-python", target, str(file), str(bill)])
            yield bill
        finally:
            file.unlink(missing_ok=True)


def unwinder(tag: str) -> list[str]:
    """Returns arguments of rustc that link libgcc_s before zig's unwinder.

    Before Python 3.14, glibc unwinds daemon threads with libgcc_s when the interpreter ends. Two unwinders in one
    process cause a segmentation fault.
    """
    if not tag.startswith("manylinux"):
        return []
    library = Path(run(["cc", "-print-file-name=libgcc_s.so.1"], capture=True).strip())
    if not library.is_absolute():
        sys.exit("libgcc_s.so.1: cc does not know where it is; install gcc's runtime library")
    return ["-C", f"link-arg={library.resolve()}"]


def is_of_musl(python: str) -> bool:
    """Returns whether an interpreter is linked against musl. Wheels for glibc and musl are not interchangeable."""
    said = run([python, "-c", "import sysconfig; print(sysconfig.get_config_var('SOABI'))"], capture=True)
    return said.strip().endswith("-musl")


def from_source(sdist: Path, folder: Path) -> Path:
    """Returns the wheel that pip builds from a source distribution, with the locked versions only."""
    tools = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
    arguments = f"--locked {os.environ.get('MATURIN_PEP517_ARGS', '')}".strip()
    run([*tools, "--wheel-dir", str(folder), str(sdist)], env={"MATURIN_PEP517_ARGS": arguments})
    [wheel] = folder.glob("*.whl")
    return wheel


def try_out(wheel: Path, python: str) -> None:
    """Installs a wheel into an empty environment without a compiler and without an index, and uses it.

    It runs `pip install firstbad` with the folder of the wheel in `PIP_FIND_LINKS`.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        programs = without_compilers(folder / "programs")
        wheels = folder / "wheels"
        wheels.mkdir()
        shutil.copy(wheel, wheels)
        environment = {"PATH": str(programs), "HOME": place, "XDG_CACHE_HOME": str(folder / "cache")}
        environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_ONLY_BINARY": ":all:"}
        run([python, "-m", "venv", str(folder / "venv")])
        installed = folder / "venv/bin/python"
        run([str(folder / "venv/bin/pip"), "install", "--quiet", "firstbad"], env=environment)
        version = run([str(installed), "-I", str(SMOKE)], cwd=folder, env=environment, capture=True).strip()
        print(f"{wheel.name}: {version}")


def without_compilers(folder: Path) -> Path:
    """Returns a folder with the programs of this machine, except compilers and linkers."""
    folder.mkdir()
    for program in (program for place in os.get_exec_path() for program in Path(place).glob("*")):
        to = folder / program.name
        other = COMPILERS.fullmatch(program.name) or program.name.startswith(("python", "pip", "firstbad"))
        if not other and not os.path.lexists(to):
            to.symlink_to(program)
    for compiler in ("cc", "gcc", "clang", "cargo", "rustc"):
        assert shutil.which(compiler, path=str(folder)) is None
    return folder


def run(command: list[str], cwd: Path | None = None, env: dict[str, str] | None = None, capture: bool = False) -> str:
    """Runs a command and returns its output if `capture` is true.

    Raises:
        SystemExit: If the command fails. Its output is printed.
    """
    # Prefer the tools of the current environment.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ended = subprocess.run(
        command, cwd=cwd, env=os.environ | {"PATH": path} | (env or {}), text=True, check=False,
        stdout=subprocess.PIPE if capture else None,
    )  # fmt: skip
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {ended.returncode}\n{ended.stdout or ''}")
    return ended.stdout or ""


if __name__ == "__main__":
    main()
