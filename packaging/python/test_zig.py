"""Tests of the link order."""

import sys
from pathlib import Path

import pytest

import zig

# A fake zig that records its arguments and prints the command line of LLD on request.
FAKE = """
import os, sys
with open({log!r}, "a") as log:
    print(*sys.argv[1:], file=log)
if "ZIG_VERBOSE_LINK" in os.environ:
    print("warning: odd", "ar rcs a.a a.o", "ld.lld -o libc.so.6 c.o", {said!r}, sep="\\n", file=sys.stderr)
sys.exit({code})
"""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def make(said: str = "ld.lld -o out.so a.o", code: int = 0):
        log = tmp_path / "log"
        program = tmp_path / "fake.py"
        program.write_text(FAKE.format(log=str(log), said=said, code=code))
        monkeypatch.setattr(zig, "ZIG", [sys.executable, str(program)])
        return lambda: log.read_text().splitlines()

    return make


def test_a_library_is_linked_once_more(fake, capfd):
    called = fake()
    words = ["cc", "-shared", "-o", "out.so", "a.o"]
    assert zig.main(words) == 0
    assert called() == [" ".join(words), "ld.lld -o out.so a.o --bp-compression-sort=both --icf=all"]
    assert capfd.readouterr().err == "warning: odd\n"


@pytest.mark.parametrize("words", [["cc", "-c", "a.c"], ["version"], ["ar", "rcs", "-shared"]])
def test_all_else_is_as_zig_does_it(fake, words):
    called = fake(code=3)
    assert zig.main(words) == 3
    assert called() == [" ".join(words)]


def test_a_library_that_is_not_linked_is_not_linked_again(fake):
    called = fake(code=1)
    assert zig.main(["cc", "-shared", "-o", "out.so"]) == 1
    assert len(called()) == 1


def test_a_zig_that_says_nothing_is_an_error(fake, capfd):
    fake(said="")
    assert zig.main(["cc", "-shared", "-o", "out.so"]) == 1
    assert "zig does not say how it links out.so" in capfd.readouterr().err
