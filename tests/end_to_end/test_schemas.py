"""Every JSON output is what docs/schema says that it is, however a search ends."""

import json
from pathlib import Path

import pytest
from command_line import firstbad, line
from history import git
from jsonschema import Draft202012Validator

import firstbad as fb

SCHEMAS = {file.stem: json.loads(file.read_text()) for file in (Path(__file__).parents[2] / "docs/schema").iterdir()}


def held(name, text):
    """The JSON in a text, held to its schema."""
    value = json.loads(text)
    Draft202012Validator(SCHEMAS[name]).validate(value)
    return value


@pytest.fixture
def play(tmp_path):
    """Drives a search by ask and tell, each output held to its schema; gives the repository and the shas."""
    shas = line(tmp_path / "repository", 9)
    number = {sha: place for place, sha in enumerate(shas)}

    def run(*words, code=0, stdin=""):
        done = firstbad(*words, where=tmp_path / "repository", stdin=stdin)
        assert done.returncode == code, (words, done.stdout, done.stderr)
        return done.stdout

    def drive(outcome, *options, code):
        held("init", run("init", "run.jsonl", "--bad", "main", "--good", shas[0], *options))
        while True:
            asked = held("probes", run("ask", "run.jsonl", "-k", "2", "--lease", "1h"))
            if asked["done"]:
                break
            status = held("status", run("status", "run.jsonl", "--json", code=16))
            assert [one["id"] for one in status["in_flight"]] == [one["id"] for one in asked["probes"]]
            assert all(one["until"] > status["created"] for one in status["in_flight"])
            for one in asked["probes"]:
                held("told", run("tell", "run.jsonl", str(one["id"]), outcome(number[one["revision"]])))
        report = held("report", run("report", "run.jsonl", "--json", code=code))
        assert report["exit_code"] == code
        assert held("status", run("status", "run.jsonl", "--json", code=code))["status"] == report["status"]
        steps = [held("replay", step) for step in run("replay", "run.jsonl", "--json").splitlines()]
        assert steps[-1]["status"] == report["status"]
        assert held("undone", run("undo", "run.jsonl"))["undone"] == 1
        return report

    drive.run = run
    drive.shas = shas
    return drive


def test_schemas_are_valid():
    assert set(SCHEMAS) == {"init", "probes", "told", "undone", "status", "report", "replay", "ranking"}
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    ("outcome", "options", "code"),
    [
        (lambda number: "fail" if number >= 5 else "pass", [], 0),
        (lambda number: "fail" if number >= 5 else "unresolved" if number in (3, 4) else "pass", [], 10),
        (lambda number: "pass", [], 11),
        (lambda number: "fail", [], 12),
        (lambda number: "fail" if number >= 5 else "pass", ["--flaky", "0.1"], 0),
    ],
    ids=["found", "ambiguous", "not reproduced", "good end fails", "flaky"],
)
def test_every_status_matches_the_schema(play, outcome, options, code):
    report = play(outcome, *options, code=code)
    if code == 0:
        assert [point["culprit"] for point in report["points"]] == [play.shas[5]]
        assert report["points"][0]["fingerprint"]


def test_numbers_match_the_schema(play):
    run = play.run
    held("init", run("init", "n.jsonl", "--good", play.shas[0], "--bad", "main", "--metric", "seconds", "--paired"))
    asked = held("probes", run("ask", "n.jsonl"))
    while not asked["done"]:
        (probe,) = held("status", run("status", "n.jsonl", "--json", code=16))["in_flight"]
        assert probe["control"] == play.shas[0]
        number = 2 if play.shas.index(probe["revision"]) >= 5 else 1
        held("told", run("tell", "n.jsonl", str(probe["id"]), "--number", str(number), "--control-number", "1"))
        asked = held("probes", run("ask", "n.jsonl"))
    report = held("report", run("report", "n.jsonl", "--json"))
    assert [step["commit"] for step in report["steps"]] == [play.shas[5]]
    told = [held("replay", step) for step in run("replay", "n.jsonl", "--json").splitlines()]
    assert {one["observation"]["metric"] for one in told if "observation" in one} == {1, 2}


def test_outcomes_from_files_match_the_schema(play, tmp_path):
    play.run("init", "run.jsonl", "--bad", "main", "--good", play.shas[0], "--treat", "3=stop")
    play.run("ask", "run.jsonl", "-k", "2")
    answers = '{"id": 0, "exit_code": 1}\n{"id": 7, "outcome": "pass"}\n{"id": 1, "exit_code": 3}\nnonsense\n'
    told = held("told", play.run("tell", "run.jsonl", "--from", "-", stdin=answers, code=2))
    assert [(one["id"], one["outcome"]) for one in told["told"]] == [(0, "fail")]
    assert [(one["code"], one["source"]) for one in told["refused"]] == [
        ("unknown_probe", "standard input, line 2"),
        ("command_stopped", "standard input, line 3"),
        ("invalid_argument", "standard input, line 4"),
    ]
    by_revision = json.dumps({play.shas[3]: "pass", play.shas[0]: {"outcome": "pass", "seconds": 2.5}})
    told = held("told", play.run("tell", "run.jsonl", "--from", "-", stdin=by_revision))
    assert {one["revision"]: one["id"] for one in told["told"]} == {play.shas[3]: None, play.shas[0]: 1}


def test_other_searches_match_the_schema(tmp_path):
    """Journals that a script has made."""
    graph = fb.CommitGraph.linear([f"b{number}" for number in range(9)])
    makes = {
        "culprit": lambda: fb.CulpritSearch(graph, bad="b8", good="b0", flake_rate=0.1),
        "minimize": lambda: fb.Minimizer(list("abcdefgh")),
    }
    for name, make in makes.items():
        journal = tmp_path / f"{name}.jsonl"
        with fb.Session.open(journal, make()) as session:
            session.ask(1)
        asked = held("probes", firstbad("ask", journal, "--abandon", where=tmp_path).stdout)
        assert ("changes" if name == "minimize" else "revision") in asked["probes"][0]
        assert firstbad("tell", journal, str(asked["probes"][0]["id"]), "fail", where=tmp_path).returncode == 0
        done = firstbad("report", journal, "--json", where=tmp_path)
        report = held("report", done.stdout)
        assert report["algorithm"] == name
        assert done.returncode == report["exit_code"]
        for step in firstbad("replay", journal, "--json", where=tmp_path).stdout.splitlines():
            held("replay", step)


def test_a_ranking_matches_the_schema(tmp_path):
    folder = tmp_path / "repository"
    line(folder, 2)
    written = [("lib.py", "x = 1\n"), ("test_a.py", "import lib\n"), ("readme.md", "words\n"), ("lib.py", "x = 2\n")]
    for name, text in written:
        (folder / name).write_text(text)
        git(folder, "add", "--all")
        author = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        git(folder, *author, "commit", "--quiet", "--message", f"Write {name}")
    ends = ("rank", "--good", "main~3", "--bad", "main", "--json")
    imports = ("--test", "test_a.py::test_x", "--graph", "python")
    likely = held("ranking", firstbad(*ends, "--test", "test_a.py::test_x", where=folder).stdout)
    assert (likely["by"], likely["build_graph"], len(likely["suspects"])) == ("probability", None, 3)
    both = held("ranking", firstbad(*ends, *imports, where=folder).stdout)
    assert both["build_graph"]["graph"] == "python"
    assert both["suspects"][0]["reasons"][0]["kind"] == "affects"
    done = firstbad(*ends, *imports, "--by", "suspiciousness", where=folder)
    ranking = held("ranking", done.stdout)
    assert (done.returncode, ranking["graph"], ranking["tests"]) == (0, "python", ["test_a.py"])
    assert [ranking["commits"][suspect["change"]]["subject"] for suspect in ranking["suspects"]] == [
        "Write lib.py",
        "Write test_a.py",
    ]
    assert (len(ranking["unlikely"]), ranking["excluded"], ranking["complete"]) == (1, [], False)
    ends = ("rank", "--good", "main~2", "--bad", "main~1", "--json")
    nobody = firstbad(*ends, *imports, "--by", "suspiciousness", where=folder)
    assert (nobody.returncode, held("ranking", nobody.stdout)["suspects"]) == (11, [])
