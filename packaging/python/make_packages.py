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
# zig is looked for in Python's packages first: there is to be none.
ZIG = {"CARGO_ZIGBUILD_PYTHON_PATH": "", "CARGO_ZIGBUILD_ZIG_PATH": str(Path(__file__).with_name("zig.py"))}
# What unwinds the stack is a third shorter with frame pointers; no panic goes through C.
FLAGS = {"RUSTFLAGS": "-C force-frame-pointers=yes", "CFLAGS": "-fno-asynchronous-unwind-tables -fno-unwind-tables"}

# What each tag promises, and the Rust target for it.
TARGETS = {
    "manylinux2014": f"{os.uname().machine}-unknown-linux-gnu",
    "musllinux_1_2": f"{os.uname().machine}-unknown-linux-musl",
}
COMPILERS = re.compile(
    r"(.*-)?(cc|c\+\+|gcc|g\+\+|clang|clang\+\+|ld|as|make|cmake|cargo|rustc|rustup|zig|maturin)(-[\d.]+)?"
)


def main() -> None:
    """Builds what is not given, and checks all."""
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
    # At last, so that all else is known of one that is too large.
    large = [path.name for path in [*wheels, sdist] if not audits.is_small(path)]
    if large:
        sys.exit(f"Too large: {', '.join(large)}")
    print("All packages are in order.")


def has_source() -> bool:
    """Whether the Rust toolchain has the source of the standard library."""
    return Path(run(["rustc", "--print", "sysroot"], capture=True).strip(), "lib/rustlib/src/rust/library/std").is_dir()


def fetch_source() -> None:
    """Asks rustup for the source of the standard library where it is missing; a line says so if it did not come."""
    if has_source() or shutil.which("rustup") is None:
        return
    print("The source of the standard library makes smaller wheels: rustup component add rust-src")
    if subprocess.run(["rustup", "component", "add", "rust-src"], check=False).returncode != 0:
        print("rustup could not bring it: wheels are made with the library that is there, and are 0.1 MB larger")


def library(target: str) -> list[str] | None:
    """How maturin is told to come by the standard library for a target; `None`, and a line, if there is no way."""
    # Of its source it is made for size, as all else is.
    if has_source():
        return ["-Z", "build-std=std,panic_unwind"]
    place = Path(run(["rustc", "--print", "target-libdir", "--target", target], capture=True).strip())
    if any(place.glob("libcore-*.rlib")):
        return []
    print(f"{target}: skipped: the Rust toolchain does not have it (rustup target add {target})")
    return None


def build(tag: str, folder: Path, library: list[str]) -> Path:
    """The wheel for a tag."""
    for old in folder.glob(f"*{tag}*.whl"):
        old.unlink()
    command = [sys.executable, "-m", "maturin", "build", "--profile", "published", "--compression-level", "9", *library]
    command += ["--locked", "--zig", "--compatibility", tag, "--target", TARGETS[tag], "--out", str(folder)]
    # What the standard library is made with is not stable.
    env = ZIG | FLAGS | ({"RUSTC_BOOTSTRAP": "1"} if library else {})
    with third_party(TARGETS[tag]) as bill:
        command += ["--sbom-include", str(bill)]
        # Without an optimisation level zig links its own checks of undefined behaviour in, which nothing calls.
        run([*command, "--", "-C", "link-arg=-O2", *unwinder(tag)], cwd=ROOT, env=env)
    [wheel] = folder.glob(f"*{tag}*.whl")
    run([sys.executable, str(SMALLER), str(wheel)])
    return wheel


@contextlib.contextmanager
def third_party(target: str) -> Iterator[Path]:
    """While a wheel is made, licences of what is compiled into it lie beside our own; a file says what that is."""
    file = ROOT / "LICENSE-THIRD-PARTY"
    with tempfile.TemporaryDirectory() as folder:
        bill = Path(folder, audits.BILL)
        try:
            run(["node", str(ROOT / "packaging/third-party.mjs"), "firstbad-python", target, str(file), str(bill)])
            yield bill
        finally:
            file.unlink(missing_ok=True)


def unwinder(tag: str) -> list[str]:
    """Links against glibc's own way to unwind a stack, before zig brings another one, as arguments of rustc.

    Before Python 3.14 a daemon thread that wants to go on while the interpreter ends is unwound by glibc with libgcc_s;
    with both in one process that ends in a segmentation fault.
    """
    if not tag.startswith("manylinux"):
        return []
    library = Path(run(["cc", "-print-file-name=libgcc_s.so.1"], capture=True).strip())
    if not library.is_absolute():
        sys.exit("libgcc_s.so.1: cc does not know where it is; install gcc's runtime library")
    return ["-C", f"link-arg={library.resolve()}"]


def is_of_musl(python: str) -> bool:
    """Whether an interpreter is linked against musl: wheels for glibc do not fit, and the other way round."""
    said = run([python, "-c", "import sysconfig; print(sysconfig.get_config_var('SOABI'))"], capture=True)
    return said.strip().endswith("-musl")


def from_source(sdist: Path, folder: Path) -> Path:
    """The wheel that pip makes of a source distribution, with the versions that are locked and no others."""
    tools = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
    arguments = f"--locked {os.environ.get('MATURIN_PEP517_ARGS', '')}".strip()
    run([*tools, "--wheel-dir", str(folder), str(sdist)], env={"MATURIN_PEP517_ARGS": arguments})
    [wheel] = folder.glob("*.whl")
    return wheel


def try_out(wheel: Path, python: str) -> None:
    """Installs a wheel into an empty environment without a compiler and without an index, and uses it.

    As recipes do it: `pip install firstbad`, with the place of the wheel in the variable `PIP_FIND_LINKS`.
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
    """A folder with the programs of this machine but for those that compile or link."""
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
    """Runs a command; what it printed, if that is wanted.

    Raises:
        SystemExit: It failed; what it printed is shown.
    """
    # Tools of the environment that this runs in come first.
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
