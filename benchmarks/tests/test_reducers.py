"""Tests of the counter, the oracles, and the reducers that need no other tool."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import reducers
from reducers import Oracle, Stopped, Tool, measure, placed
from reduction.oracles import (
    FILES,
    HERE,
    chart,
    conversion,
    document,
    overwritten,
    redeclared,
    versions,
)

LINES = b"".join(b"%d\n" % number for number in range(50)) + b"a\n"


def has_a(content: bytes) -> bool:
    return b"a" in content


def worker(limit: object) -> dict[str, object]:
    return {"retries": {"limit": limit}}


DOCUMENT = json.dumps({"defaults": {"worker": worker(1)}, "pools": [{"workers": [worker(None)]}]})
OVERWRITTEN = "for result in (1, 2):\n    for result in (3, 4):\n        print(result)\n"
CASES = [
    (FILES["program.c"].judge, (HERE / "program.c").read_text(), "int main(void) { return 0; }\n"),
    (document, DOCUMENT, DOCUMENT.replace("null", "2")),
    (conversion, "int count(unsigned long n) { int a = n; return a; }\n", "int count(int n) { return n; }\n"),
    (versions, '{"a": [{"version_added": "1.0.0"}]}', '{"a": [{"version_added": "1.0"}]}'),
    (overwritten, OVERWRITTEN, OVERWRITTEN.replace("in (3, 4)", "in range(")),
    (redeclared, "var colonIndex = 1;\nvar colonIndex = 2;\n", "var colonIndex = 1;\n"),
    (chart, '<a name="T:System.Web.Helpers.Chart"/>', '<a name="T:System.Web.Helpers"/>'),
]


@pytest.mark.parametrize(("judge", "yes", "no"), CASES)
def test_an_oracle_requires_its_fault(judge: Callable[[bytes], bool], yes: str, no: str) -> None:
    assert [judge(content) for content in (yes.encode(), no.encode(), b"", b"\xff\x00")] == [True] + [False] * 3


def test_files_of_missing_projects_are_left_out(tmp_path: Path) -> None:
    assert list(placed(None, tmp_path)) == list(placed(tmp_path, tmp_path)) == ["program.c", "document.json"]


def test_calls_are_different_contents_without_the_whole_file() -> None:
    oracle = Oracle(has_a, b"abcd", None)
    assert [oracle(content) for content in (b"abcd", b"ab", b"ab", b"cd")] == [True, True, True, False]
    assert (oracle.calls, oracle.total, oracle.best) == (2, 4, b"ab")


def test_the_limit_stops_only_new_contents() -> None:
    oracle = Oracle(has_a, b"abcd", 2)
    for content in (b"abc", b"ab", b"abc", b"abcd"):
        oracle(content)
    assert not oracle.stopped
    with pytest.raises(Stopped):
        oracle(b"a")
    assert (oracle.stopped, oracle.calls, oracle.best) == (True, 2, b"ab")


@pytest.mark.parametrize("name", ["firstbad", "firstbad, whole lines"])
def test_firstbad_finds_the_needed_line(name: str) -> None:
    row = measure(name, LINES, ".txt", has_a, None)
    assert (row["bytes"], row["lines"], row["stopped"]) == (2, 1, 0)
    assert 1 <= row["calls"] < 20


def test_a_stopped_reducer_leaves_its_best_content(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(whole: bytes, _suffix: str, interesting: Oracle) -> bytes:
        for end in range(len(whole), -1, -1):
            try:
                interesting(whole[end:])
            except Exception:
                return b""
            except BaseException as error:
                raise SystemExit("in a task") from error
        return whole

    monkeypatch.setitem(reducers.TOOLS, "picire", Tool("picire", lambda: "1", endless))
    row = measure("picire", b"a\nb\n", ".txt", lambda content: b"\n" in content, 2)
    assert [row[name] for name in ("calls", "total", "stopped", "lines", "bytes")] == [2, 2, 1, 1, 1]


def test_a_broken_reducer_has_no_figures(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(_whole: bytes, _suffix: str, _interesting: Oracle) -> bytes:
        raise KeyError("what")

    monkeypatch.setitem(reducers.TOOLS, "picire", Tool("picire", lambda: "1", broken))
    assert measure("picire", b"a\n", ".txt", has_a, None) == {"version": "1"}
    assert capsys.readouterr().err == "picire 1, .txt: KeyError: 'what'\n"


def test_a_missing_environment_leaves_the_figures_empty(tmp_path: Path) -> None:
    row = reducers.measured("picire", "utils.js", tmp_path, 1, tmp_path)
    assert row == {"file": "utils.js", "language": "JavaScript", "tool": "picire", "command": "picire"}


# Removes the last line as long as its test succeeds.
PRETENDED = """\
#!/bin/sh
test "$1 $2 $3" = "--n 1 --tidy" || exit 3
shift 3
test "$1" = --not-c && shift
while cp "$2" last && sed -i '$d' "$2" && "$1"; do :; done
cp last "$2"
"""


def pretend(script: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "cvise").write_text(script)
    (folder / "cvise").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.skipif(sys.platform != "linux", reason="reducers.py adopts orphans as Linux does")
def test_cvise_asks_through_pipes_and_ends_at_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(PRETENDED, tmp_path, monkeypatch)
    oracle = Oracle(lambda content: b"b" in content, b"a\nb\nc\nd\n", None)
    assert reducers.cvise(oracle.whole, ".json", oracle) == b"a\nb\n"
    assert (oracle.calls, oracle.total, oracle.peak > 0) == (3, 3, True)
    oracle = Oracle(has_a, b"a\nb\nc\n", 1)
    with pytest.raises(Stopped):
        reducers.cvise(oracle.whole, ".c", oracle)
    assert oracle.best == b"a\nb\n"


@pytest.mark.skipif(sys.platform != "linux", reason="reducers.py adopts orphans as Linux does")
def test_an_error_of_cvise_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend("#!/bin/sh\necho no such pass\nexit 4\n", tmp_path, monkeypatch)
    with pytest.raises(RuntimeError, match="cvise ended with 4: no such pass"):
        reducers.cvise(b"a\n", ".c", Oracle(has_a, b"a\n", None))
