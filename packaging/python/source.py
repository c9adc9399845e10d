"""Builds the source distribution.

maturin packs the crates with the dependencies of their tests. This module removes these dependencies, and shortens
Cargo.lock to the rest, so that the package builds with `--locked`.
"""

from __future__ import annotations

import gzip
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import tomllib

__all__ = ["make"]

TEST_CRATES = ("firstbad-testkit",)
# Reproducible archives need a fixed time. 1980 is the first year that all formats support.
TIME = 315532800


def make(root: Path, folder: Path) -> Path:
    """Writes the source distribution into the folder."""
    for old in folder.glob("*.tar.gz"):
        old.unlink()
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([sys.executable, "-m", "maturin", "sdist", "--out", place], cwd=root, check=True)
        [packed] = Path(place).glob("*.tar.gz")
        with tarfile.open(packed) as archive:
            archive.extractall(place, filter="data")
        top = Path(place) / packed.name.removesuffix(".tar.gz")
        without_tests(top)
        lock(top, root / "Cargo.lock")
        return pack(top, folder / packed.name)


def without_tests(top: Path) -> None:
    """Removes crates that only tests need, and their dependents."""
    for crate in TEST_CRATES:
        for file in sorted((top / "crates" / crate).rglob("*"), reverse=True):
            file.rmdir() if file.is_dir() else file.unlink()
        (top / "crates" / crate).rmdir()
    for manifest in (top / "Cargo.toml", *top.glob("crates/*/Cargo.toml")):
        text = re.sub(r"^\[dev-dependencies\]\n(?:(?!\[).*\n)*", "", manifest.read_text(), flags=re.MULTILINE)
        crates = "|".join(TEST_CRATES)
        manifest.write_text(re.sub(rf"^(?:{crates}) = .*\n", "", text, flags=re.MULTILINE))
        assert "dev-dependencies" not in tomllib.loads(manifest.read_text()), manifest


def lock(top: Path, before: Path) -> None:
    """Removes unused entries from Cargo.lock, and checks that nothing else changes."""
    command = ["cargo", "metadata", "--format-version", "1", "--manifest-path", str(top / "Cargo.toml")]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    subprocess.run([*command, "--locked"], stdout=subprocess.DEVNULL, check=True)
    kept, known = (
        {(one["name"], one["version"], one.get("checksum")) for one in tomllib.loads(path.read_text())["package"]}
        for path in (top / "Cargo.lock", before)
    )
    assert kept <= known, f"not the versions of {before}: {kept - known}"


def pack(top: Path, file: Path) -> Path:
    """Packs a folder reproducibly."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(path for path in top.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(path.relative_to(top.parent).as_posix())
            entry.size, entry.mtime, entry.mode = path.stat().st_size, TIME, 0o644
            with path.open("rb") as content:
                archive.addfile(entry, content)
    file.write_bytes(gzip.compress(packed.getvalue(), mtime=TIME))
    return file
