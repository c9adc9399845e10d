"""Packs wheels again, as small as deflate gets: `python packaging/python/smaller.py dist/*.whl`.

A wheel is loaded from the network by each user. Zopfli finds a shorter way to write the same for half a minute, and pip
unpacks it as any other zip file.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from unittest import mock

from zopfli import zlib as zopfli

# What zlib's container has around what is deflated.
HEADER, CHECKSUM = 2, 4


class Compressor:
    """Deflates one file, as `zlib.compressobj` does."""

    def __init__(self) -> None:
        self._content = bytearray()

    def compress(self, content: bytes) -> bytes:
        """Takes in a part of the file; nothing is written before all of it is known."""
        self._content += content
        return b""

    def flush(self) -> bytes:
        """The file, deflated."""
        packed: bytes = zopfli.compress(bytes(self._content), numiterations=5, blocksplittingmax=100)
        return packed[HEADER:-CHECKSUM]


def compressor(*_: object) -> Compressor:
    """What a zip file asks for, whatever the method and the level that it names."""
    return Compressor()


def pack(wheel: Path) -> None:
    """Puts a wheel with the same files in the same order in a wheel's place."""
    packed = wheel.with_suffix(".packed")
    # The standard library takes no compressor of one's own.
    patched = mock.patch("zipfile._get_compressor", compressor)
    with patched, zipfile.ZipFile(wheel) as old, zipfile.ZipFile(packed, "w") as new:
        for file in old.infolist():
            new.writestr(file, old.read(file), zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(packed) as new:
        assert old.namelist() == new.namelist(), f"{wheel.name}: other files than before"
        for name in old.namelist():
            assert old.read(name) == new.read(name), f"{wheel.name}: {name} is not what it was"
    packed.replace(wheel)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        pack(Path(name))
