"""Packs wheels and npm tarballs again, as small as deflate gets.

    python packaging/smaller.py dist/*.whl packages/*.tgz

Each user loads a package from the network. Zopfli finds a shorter way to write the same in half a minute; what installs
a package unpacks it as any other.
"""

from __future__ import annotations

import gzip
import sys
import zipfile
from pathlib import Path
from unittest import mock

from zopfli import gzip as zopfli_gzip
from zopfli import zlib as zopfli_zlib

# More iterations and blocks take minutes and save a thousandth.
HOW = {"numiterations": 5, "blocksplittingmax": 100}
# The sizes of zlib's header and checksum.
HEADER, CHECKSUM = 2, 4


class Compressor:
    """Compresses one file with the interface of `zlib.compressobj`."""

    def __init__(self) -> None:
        self._content = bytearray()

    def compress(self, content: bytes) -> bytes:
        """Adds content. The output starts only in `flush`."""
        self._content += content
        return b""

    def flush(self) -> bytes:
        """Returns the compressed file."""
        packed: bytes = zopfli_zlib.compress(bytes(self._content), **HOW)
        return packed[HEADER:-CHECKSUM]


def compressor(*_: object) -> Compressor:
    """Returns a compressor for a zip file, for any method and level."""
    return Compressor()


def pack_wheel(wheel: Path) -> None:
    """Replaces a wheel by a smaller one with the same files in the same order."""
    packed = wheel.with_suffix(".packed")
    # The standard library does not accept a custom compressor.
    patched = mock.patch("zipfile._get_compressor", compressor)
    with patched, zipfile.ZipFile(wheel) as old, zipfile.ZipFile(packed, "w") as new:
        for file in old.infolist():
            new.writestr(file, old.read(file), zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(packed) as new:
        assert old.namelist() == new.namelist(), f"{wheel.name}: other files than before"
        for name in old.namelist():
            assert old.read(name) == new.read(name), f"{wheel.name}: {name} is not what it was"
    packed.replace(wheel)


def pack_tarball(tarball: Path) -> None:
    """Replaces a tarball by a smaller one with the same content."""
    content = gzip.decompress(tarball.read_bytes())
    packed: bytes = zopfli_gzip.compress(content, **HOW)
    assert gzip.decompress(packed) == content, f"{tarball.name}: it is not what it was"
    tarball.write_bytes(packed)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        pack = {".whl": pack_wheel, ".tgz": pack_tarball}.get(path.suffix)
        if pack is None:
            sys.exit(f"{path}: expected a wheel (.whl) or an npm tarball (.tgz)")
        pack(path)
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB packed")
