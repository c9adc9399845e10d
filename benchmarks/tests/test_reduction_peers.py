"""Files are what the recipe says, and all reducers are counted and stopped by the same rule."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1]
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS.parent / "tests" / "end_to_end")]

import reduction_cvise  # noqa: E402
import reduction_files  # noqa: E402
import reduction_peers  # noqa: E402
import reduction_table  # noqa: E402
from reduction.oracles import interesting  # noqa: E402
from reduction_files import Case  # noqa: E402
from reduction_peers import Answers, Oracle, Reducer, Row, Stopped  # noqa: E402
from situations import git  # noqa: E402

ENTRY = """
[[file]]
language = "{language}"
name = "{name}"
repository = "owner/name"
commit = "{commit}"
path = "a.json"
oracle = ["raises", "document['a']", "KeyError: 'a'"]
"""


def entry(language: str = "JSON", name: str = "a.json", commit: str = 40 * "0") -> str:
    return ENTRY.format(language=language, name=name, commit=commit)


def test_the_recipe_has_five_files_of_each_language_and_three_of_those_that_were_added() -> None:
    found = Counter(one.language for one in reduction_files.cases())
    added = ("Shell", "Ruby", "XML")
    assert found == {language: 3 if language in added else 5 for language in reduction_files.LANGUAGES}


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (entry(language="Java"), "the language of a.json is 'Java'; it has to be one of C, JSON, Python, JavaScript"),
        (entry(commit="main"), "the commit of a.json is 'main'; it has to have 40 hexadecimal digits"),
        (entry(name="../a.json"), "the name '../a.json' has to be that of a file, without a folder"),
        (entry() + entry(), "the name 'a.json' comes twice in JSON; each has to be there once"),
    ],
)
def test_a_wrong_recipe_is_refused(recipe: str, said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("..", r"\.\.")):
        reduction_files.cases(recipe)


def test_the_same_name_in_two_languages_is_fine() -> None:
    assert len(reduction_files.cases(entry() + entry(language="C"))) == 2


def test_a_file_and_its_oracle_come_out_of_a_repository(tmp_path: Path) -> None:
    project = tmp_path / "repositories" / "owner+name.git"
    work = tmp_path / "work"
    work.mkdir()
    git(work, "init", "--quiet")
    (work / "a.json").write_text('{"b": 1}\n')
    (work / "beside.json").write_text('{"maximum": 3}\n')
    git(work, "add", "--all")
    git(work, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "a file")
    git(work, "clone", "--quiet", "--bare", str(work), str(project))
    found = reduction_files.directory(project.parent, "owner/name")
    assert found == project
    assert reduction_files.directory(project.parent, "owner/other") is None

    oracle_of = ("schema", "{beside}", "4 is greater than the maximum of 3")
    commit = git(work, "rev-parse", "HEAD").strip()
    one = Case("JSON", "b.json", "owner/name", commit, "a.json", oracle_of, "beside.json")
    file, oracle = reduction_files.made(one, project, tmp_path / "out")
    assert file.read_text() == '{"b": 1}\n'
    assert file == reduction_files.placed(one, tmp_path / "out")
    assert reduction_files.holds(oracle, b"4", ".json")
    assert not reduction_files.holds(oracle, b"3", ".json")


def test_a_tool_that_is_not_there_is_named(tmp_path: Path) -> None:
    oracle = tmp_path / "oracle"
    looks = "import oracles; oracles.tool('no-such-linter')"
    oracle.write_text(f'#!/bin/sh\ncd {reduction_files.ORACLES.parent} && exec {sys.executable} -c "{looks}"\n')
    oracle.chmod(0o755)
    with pytest.raises(RuntimeError, match="no-such-linter is not there"):
        reduction_files.holds(oracle, b"", ".py")


@pytest.mark.parametrize(
    ("words", "yes", "no"),
    [
        (["raises", "document['a']", "KeyError: 'a'"], "{}", '{"a": 1}'),
        (["raises", "document['a']", "KeyError: 'a'"], "{}", "{"),
        (["metaschema", "Draft4Validator", "0 is not of type"], '{"exclusiveMinimum": 0}', '{"maximum": 0}'),
        (
            ["defaults", "'no' is not of type 'boolean'"],
            '{"items": {"type": "boolean", "default": "no"}}',
            '{"items": {"type": "string", "default": "no"}}',
        ),
        (
            ["defaults", "'no' is not of type 'boolean'"],
            '{"items": {"type": "boolean", "default": "no"}}',
            '{"items": {"type": "boolean", "default": "no"}, "type": "what"}',
        ),
        (["python", "F841", "variable `a`"], "def f():\n    a = 1\n", "def f():\n    a = 1\n    return a\n"),
        (["python", "F841", "variable `a`"], "def f():\n    a = 1\n", "def f():\n    a = 1\nreturn 1\n"),
    ],
)
def test_oracles_tell_one_from_the_other(words: list[str], yes: str, no: str, tmp_path: Path) -> None:
    assert [interesting(*words, file=written(tmp_path, one)) for one in (yes, no)] == [True, False]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_a_warning_counts_in_its_function_only_and_without_errors(tmp_path: Path) -> None:
    words = ["c", "-Wunused-variable", "f", "unused variable 'a'"]
    unused = "void {}(void) {{ int a; }}\n"
    texts = [unused.format("f"), unused.format("g"), unused.format("f") + "int b = ;\n"]
    assert [interesting(*words, file=written(tmp_path, text)) for text in texts] == [True, False, False]


def written(folder: Path, text: str) -> Path:
    file = folder / "candidate"
    file.write_text(text)
    return file


def has_a(file: Path) -> bool:
    return b"a" in file.read_bytes()


def oracle(tmp_path: Path, most_calls: int | None = None, judge: Callable[[Path], bool] = has_a) -> Oracle:
    return Oracle(judge, tmp_path / "candidate", b"abcd", most_calls, Answers())


def test_calls_are_distinct_ones_without_the_whole_file(tmp_path: Path) -> None:
    asked = oracle(tmp_path)
    assert [asked([*parts]) for parts in ([b"abcd"], [b"ab"], [b"a", b"b"], [b"cd"])] == [True, True, True, False]
    assert (asked.calls, asked.total, asked.best) == (2, 4, b"ab")


def test_one_call_too_many_ends_a_reducer_and_what_is_known_does_not(tmp_path: Path) -> None:
    asked = oracle(tmp_path, most_calls=2)
    for content in (b"abc", b"ab", b"abc", b"abcd"):
        asked([content])
    assert not asked.stopped
    with pytest.raises(Stopped):
        asked([b"a"])
    assert (asked.stopped, asked.calls, asked.best) == (True, 2, b"ab")


def test_answers_are_kept_in_a_file(tmp_path: Path) -> None:
    kept = tmp_path / "answers.txt"

    def never(_file: Path) -> bool:
        raise AssertionError("asked again")

    for judge in (has_a, never):
        asked = Oracle(judge, tmp_path / "candidate", b"abcd", None, Answers(kept))
        assert [asked([b"ab"]), asked([b"cd"]), asked.calls] == [True, False, 2]


def fake(reduce: Callable[[list[bytes], Oracle], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(reduction_peers.PEERS, "picire", Reducer(lambda: "1", reduce))


def test_a_reducer_that_was_stopped_is_told_with_its_best(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(lines: list[bytes], interesting: Oracle) -> bytes:
        for count in range(len(lines), 0, -1):
            try:
                interesting(lines[:count])
            except Exception:
                return b""
            except BaseException as error:
                raise SystemExit("in a task") from error
        return lines[0]

    fake(endless, monkeypatch)
    path = tmp_path / "file.txt"
    path.write_bytes(b"a\nb\nc\nd\n")
    row = reduction_peers.measure("picire", path, has_a, most_calls=2)
    assert row == Row("picire 1", 2, True, 3, 2, 4, row.seconds, ((0, 8), (1, 6), (2, 4)))
    assert [row.bytes_after(calls) for calls in range(4)] == [8, 6, 4, 4]
    row = reduction_peers.measure("picire", path, has_a, most_calls=3)
    assert (row.calls, row.stopped, row.bytes) == (3, False, 2)


def test_a_reducer_that_breaks_down_is_told_and_has_no_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_lines: list[bytes], _interesting: Oracle) -> bytes:
        raise KeyError("what")

    fake(broken, monkeypatch)
    path = tmp_path / "file.txt"
    path.write_bytes(b"a\n")
    assert reduction_peers.measure("picire", path, has_a) == Row("picire 1")
    assert capsys.readouterr().err == "picire 1, file.txt: KeyError: 'what'\n"


@pytest.mark.parametrize("name", reduction_peers.OURS)
def test_ours_are_counted_by_the_same_counter(name: str, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(b"".join(b"%d\n" % number for number in range(50)) + b"a\n")
    row = reduction_peers.measure(name, path, has_a)
    assert (row.bytes, row.lines, row.stopped) == (1 if name == "firstbad fine" else 2, 1, False)
    assert row.calls is not None
    assert 1 <= row.calls < 20
    assert row.total >= row.calls


# Asks about the file without its last line until the answer is no, as often as its own test says.
PRETENDED = """\
#!/bin/sh
test "$1 $2 $3" = "--n 1 --tidy" || exit 3
shift 3
test "$1" = --not-c && shift
while cp "$2" last && sed -i '$d' "$2" && "$1"; do :; done
cp last "$2"
"""


@pytest.fixture
def pretended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in place of C-Vise."""
    program = tmp_path / "programs" / "cvise"
    program.parent.mkdir()
    program.write_text(PRETENDED)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.usefixtures("pretended")
def test_cvise_asks_through_a_socket() -> None:
    asked: list[bytes] = []

    def has_b(content: bytes) -> bool:
        asked.append(content)
        return b"b" in content

    assert reduction_cvise.reduced(b"a\nb\nc\nd\n", ".json", has_b) == b"a\nb\n"
    assert asked == [b"a\nb\nc\n", b"a\nb\n", b"a\n"]


@pytest.mark.usefixtures("pretended")
def test_cvise_is_ended_by_what_the_answer_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def remembered(*arguments: object, **options: object) -> object:
        started.append(start(*arguments, **options))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", remembered)
    asked = oracle(tmp_path, most_calls=1)
    with pytest.raises(Stopped):
        reduction_cvise.reduced(b"a\nb\nc\n", ".json", lambda content: asked([content]))
    assert [process.poll() is None for process in started] == [False]
    assert asked.best == b"abcd"


def test_cvise_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cvise").write_text("#!/bin/sh\necho no such pass\nexit 4\n")
    (tmp_path / "cvise").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(RuntimeError, match="cvise ended with 4: no such pass"):
        reduction_cvise.reduced(b"a\n", ".c", lambda _content: True)


def test_the_table_names_stops_and_ratios() -> None:
    case = Case("JSON", "a.json", "owner/name", 40 * "0", "a.json", ("raises", "document", "x"))
    rows = {
        "firstbad by outline": Row("firstbad by outline 1", 40, False, 41, 5, 1050, 0, ((0, 5000), (40, 1050))),
        "firstbad fine": Row("firstbad fine 1", 90, False, 91, 4, 900, 0, ((0, 5000), (51, 1000), (90, 900))),
        "firstbad lines": Row("firstbad lines 1", 10, False, 11, 6, 60, 0, ((0, 5000), (10, 60))),
        "picire": Row("picire"),
        "lithium": Row("lithium 2", 50, False, 60, 7, 2000),
        "shrinkray": Row("shrinkray 3", 400, True, 401, 1, 1000),
        "C-Vise": Row("C-Vise 4", 400, True, 401, 1, 1100),
    }
    said = reduction_table.table("JSON", [reduction_table.Measured(case, 200, 5000, rows)]).splitlines()
    assert said[4] == (
        "| a.json | 5,000 / 200 | 40 / 1,050 / 5 | 90 / 900 / 4 | 10 / 60 / 6 | not run | 50 / 2,000 / 7 "
        "| over 400 / 1,000 / 1 | over 400 / 1,100 / 1 | 0.80 | 1.05 | 1.80 | 0.90 | 0.20 | 0.03 "
        "| 2 of 3 | 2 of 3 | 3 of 3 |"
    )
    assert said[2].endswith(
        "| calls, by outline | bytes, by outline | calls, fine | bytes, fine | calls, lines | bytes, lines "
        "| ahead, by outline | ahead, fine | ahead, lines |"
    )
    assert said[-3:] == [
        "- firstbad by outline: *calls* at most 1 on 1 of 1 files, *bytes* at most 1.05 on 1 of 1; "
        "*ahead* on 0 beside picire, 1 beside lithium, 0 beside shrinkray, 1 beside C-Vise.",
        "- firstbad fine: *calls* at most 1 on 0 of 1 files, *bytes* at most 1.05 on 1 of 1; "
        "*ahead* on 0 beside picire, 0 beside lithium, 1 beside shrinkray, 1 beside C-Vise.",
        "- firstbad lines: *calls* at most 1 on 1 of 1 files, *bytes* at most 1.05 on 1 of 1; "
        "*ahead* on 0 beside picire, 1 beside lithium, 1 beside shrinkray, 1 beside C-Vise.",
    ]
