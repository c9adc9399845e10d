#!/usr/bin/env python3
"""zig, whose linker puts functions and data in an order that packs well, and keeps equal functions once.

    CARGO_ZIGBUILD_PYTHON_PATH= CARGO_ZIGBUILD_ZIG_PATH=packaging/python/zig.py cargo zigbuild

takes the arguments of zig. LLD has options for that, which zig does not know and does not pass on; but zig says how it
starts LLD, and so a library is linked once more, with the options. A wheel is a fifteenth smaller.
"""

from __future__ import annotations

import os
import subprocess
import sys

ZIG = [sys.executable, "-m", "ziglang"]
SMALLER = ["--bp-compression-sort=both", "--icf=all"]


def main(words: list[str]) -> int:
    """Runs zig with these arguments, and returns its exit code."""
    if words[:1] not in (["cc"], ["c++"]) or "-shared" not in words:
        return subprocess.run([*ZIG, *words], check=False).returncode
    env = os.environ | {"ZIG_VERBOSE_LINK": "1"}
    ended = subprocess.run([*ZIG, *words], env=env, stderr=subprocess.PIPE, text=True, check=False)
    lines = ended.stderr.splitlines()
    for line in lines:
        if not line.startswith(("ld.lld ", "ar ")):
            print(line, file=sys.stderr)
    if ended.returncode:
        return ended.returncode
    output = words[words.index("-o") + 1]
    calls = [line.split(" ") for line in lines if line.startswith("ld.lld ")]
    # The other calls link system libraries.
    call = next((call for call in calls if call[call.index("-o") + 1] == output), None)
    if call is None:
        print(f"zig does not say how it links {output}; blanks in paths are not told from others", file=sys.stderr)
        return 1
    return subprocess.run([*ZIG, *call, *SMALLER], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
