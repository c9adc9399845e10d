"""Audits of packages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from email.parser import Parser
from pathlib import Path

__all__ = ["is_small", "sdist", "wheel"]

# Seven tenths of a packed wheel are code. Unwind tables and grammar tables are a tenth each.
LARGEST = 5_000_000
PACKAGES = ("firstbad", "firstbad_facts")
LICENCES = {"LICENSE-APACHE", "LICENSE-MIT"}
# Includes the licenses of the compiled crates.
LICENCES_OF_WHEELS = LICENCES | {"LICENSE-THIRD-PARTY"}
# The software bill of materials of a wheel.
BILL = "firstbad.cyclonedx.json"
# The only kinds of files in a source distribution.
SOURCES = re.compile(
    r"(Cargo\.(toml|lock)|LICENSE-(APACHE|MIT)|PKG-INFO|pyproject\.toml|python/README\.md"
    r"|python/firstbad(_facts)?/(\w+\.pyi?|py\.typed)"
    r"|crates/firstbad(-\w+)?/(Cargo\.toml|build\.rs|options\.json|README\.md|LICENSE-(APACHE|MIT)"
    r"|src/(\w+/)*\w+\.(rs|sh|css|js|svg|json)))"
)


def wheel(path: Path) -> None:
    """Audits a wheel: its files, its metadata, and the system requirements of its native module."""
    assert "-cp310-abi3-" in path.name, f"{path.name}: not for Python 3.10 and newer"
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        said = archive.read(next(name for name in names if name.endswith(".dist-info/METADATA"))).decode()
        bills = [archive.read(name).decode() for name in names if "/sboms/" in name]
    metadata(said, LICENCES_OF_WHEELS)
    others = [name for name in names if not name.startswith((*(f"{one}/" for one in PACKAGES), "firstbad-"))]
    assert not others, f"{path.name}: it should not have {others}"
    assert {name.rsplit("/")[-1] for name in names if "/licenses/" in name} == LICENCES_OF_WHEELS, names
    bill(path, bills)
    assert {"firstbad/py.typed", "firstbad/_native.pyi", "firstbad_facts/py.typed"} <= set(names)
    for command in (["abi3audit", "--strict", "--summary"], ["twine", "check", "--strict"]):
        tool(command, path)
    system(path)


def bill(path: Path, bills: list[str]) -> None:
    """Checks that a wheel has one bill of materials, for its system, without details of the build machine."""
    assert len(bills) == 1, f"{path.name}: {len(bills)} lists of what it is made of"
    names = {component["name"] for component in json.loads(bills[0])["components"]}
    assert {"firstbad", "libsqlite3-sys", "pyo3"} <= names, f"{path.name}: it is made of more than {names}"
    others = {name for name in names if name.startswith("windows-")}
    assert not others or "-win" in path.name, f"{path.name}: it is not made of {others}"
    assert "file:" not in bills[0], f"{path.name}: it names a folder of the machine that made it"


def system(path: Path) -> None:
    """Checks that the tag of a wheel fits its native module."""
    tag = path.stem.rsplit("-", 1)[-1].split(".")[-1]
    if tag.startswith("musllinux"):
        # This machine has no musl, so the module may depend only on its libc.
        with tempfile.TemporaryDirectory() as empty:
            said = tool(["auditwheel", "show", "--ldpaths", empty], path)
        needed = re.search(r"required by the wheel:\n(\{[^}]*\})", said)
        assert needed, said
        assert json.loads(needed[1]).keys() == {"libc.so"}, said
    else:
        said = tool(["auditwheel", "show"], path)
        consistent, _, _ = said.partition("The wheel references")
        assert f'"{tag}"' in consistent, f"{path.name}: {said}"
        assert "libgcc_s.so.1" in said, f"{path.name}: it brings its own way to unwind a stack"


def sdist(path: Path) -> None:
    """Audits a source distribution: its files and metadata."""
    top = path.name.removesuffix(".tar.gz")
    with tarfile.open(path) as archive:
        names = {name.removeprefix(f"{top}/") for name in archive.getnames()}
        said = archive.extractfile(f"{top}/PKG-INFO")
        assert said is not None
        metadata(said.read().decode(), LICENCES)
    others = sorted(name for name in names if not SOURCES.fullmatch(name))
    assert not others, f"{path.name}: it should not have {others}"
    assert {"Cargo.lock", "python/README.md"} | LICENCES <= names
    tool(["twine", "check", "--strict"], path)


def is_small(path: Path) -> bool:
    """Prints the size of a package, and returns whether it is below the limit."""
    size = path.stat().st_size
    print(f"{path.name}: {size / 1e6:.2f} MB of {LARGEST / 1e6:.1f} MB")
    return size <= LARGEST


def metadata(said: str, licences: set[str]) -> None:
    """Audits the metadata of a package."""
    fields = Parser().parsestr(said)
    needed = [one for one in fields.get_all("Requires-Dist", []) if "extra ==" not in one]
    assert not needed, f"dependencies at run time: {needed}"
    assert fields["License-Expression"] == "MIT OR Apache-2.0"
    assert set(fields.get_all("License-File", [])) == licences
    assert fields["Requires-Python"] == ">=3.10"
    assert fields["Description-Content-Type"].startswith("text/markdown")
    page = fields.get_payload()
    assert isinstance(page, str)
    assert page.lstrip().startswith("# firstbad\n"), "the page has no description"
    # Relative links do not work on the page of the registry.
    relative = re.findall(r"\]\((?!https?://|#)([^)]+)\)", page)
    assert not relative, relative


def tool(command: list[str], path: Path) -> str:
    """Runs a tool on a package and returns its output."""
    line = [sys.executable, "-m", *command, str(path)]
    ended = subprocess.run(line, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{' '.join(command)} {path.name}:\n{ended.stdout}{ended.stderr}"
    print(f"{path.name}: {' '.join(command[:2])}: in order")
    return ended.stdout
