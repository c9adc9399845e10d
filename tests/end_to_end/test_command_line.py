"""The same command line in the console script, in `python -m firstbad` and in Node; journals by hand; bisect logs."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from command_line import IDENTITY, PROGRAMS, firstbad, line
from history import git

import firstbad as fb

TEST = [sys.executable, "-c", "import sys; sys.exit(int(open('f').read()) >= 13)"]


@pytest.fixture
def shas(tmp_path):
    """A line of 20 commits, of which those from 13 on fail."""
    return line(tmp_path / "repository", 20)


@pytest.fixture
def run(tmp_path, shas):
    def run(*words, code=0, **more):
        done = firstbad(*words, where=tmp_path / "repository", **more)
        assert done.returncode == code, (words, done.stdout, done.stderr)
        return done

    return run


def without_chance(text):
    """Without what differs from run to run: ids, moments, durations."""
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "ID", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z?", "TIME", text)
    text = re.sub(r"\b\d{10}\.\d+", "TIME", text)
    return re.sub(r'("seconds": ?)[\d.e-]+|\b[\d.]+ ?(s|ms|seconds?)\b', "SECONDS", text)


def test_all_programs_have_the_same_output_and_exit_code(tmp_path, shas):
    session = [
        ["--version"],
        ["--help"],
        ["nonsense"],
        ["init", "run.jsonl", "--bad", "main", "--good", shas[0]],
        ["init", "run.jsonl", "--bad", "main", "--good", shas[1]],
        ["init", "bare.jsonl"],
        ["ask", "run.jsonl", "-k", "2", "--lease", "2h"],
        ["tell", "run.jsonl", "0", "fail", "--note", "naïve"],
        ["tell", "run.jsonl", "0", "pass"],
        ["tell", "run.jsonl", shas[0], "pass"],
        ["tell", "run.jsonl", "--from", "-"],
        ["ask", "run.jsonl", "--first", shas[7]],
        ["tell", "run.jsonl", shas[7][:10], "--exit-code", "0"],
        ["status", "run.jsonl"],
        ["report", "run.jsonl", "--json"],
        ["report", "missing.jsonl"],
        ["undo", "run.jsonl", "-n", "2"],
        ["replay", "run.jsonl"],
        ["replay", "run.jsonl", "--json"],
        ["run", "--bad", "main", "--good", shas[0], "--quiet", "--journal", "all.jsonl", "--", *TEST],
        ["report", "all.jsonl"],
    ]
    seen = {}
    for program in PROGRAMS:
        where = tmp_path / program.replace(" ", "-")
        git(tmp_path, "clone", "--quiet", "repository", str(where))
        ran = [
            firstbad(*words, where=where, program=program, stdin='{"id": 9, "outcome": "pass"}') for words in session
        ]
        place = re.compile(re.escape(str(where)))
        seen[program] = [
            (words, one.returncode, *(without_chance(place.sub("PLACE", text)) for text in (one.stdout, one.stderr)))
            for words, one in zip(session, ran, strict=True)
        ]
    codes = [one[1] for one in seen["python -m"]]
    assert codes == [0, 0, 2, 0, 1, 0, 0, 0, 2, 0, 2, 0, 0, 16, 16, 1, 0, 0, 0, 0, 0], seen["python -m"]
    for program in PROGRAMS:
        for one, other in zip(seen[program], seen["python -m"], strict=True):
            assert one == other, program


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_closed_pipe_is_not_an_error(program, tmp_path, shas, run):
    run("init", "run.jsonl", "--bad", "main", "--good", shas[0], "--no-test-endpoints")
    for number in range(1, 19):
        run("tell", "run.jsonl", shas[number], "pass" if number < 13 else "fail")
    closed, out = os.pipe()
    os.close(closed)
    for words in (["report", "run.jsonl"], ["replay", "run.jsonl"], ["report", "run.jsonl", "--json"]):
        with subprocess.Popen(
            [*PROGRAMS[program], *words], cwd=tmp_path / "repository", stdout=out, stderr=subprocess.PIPE, text=True
        ) as process:
            said = process.communicate(timeout=60)[1]
        assert (process.returncode, said) == (0, "")
    os.close(out)


@pytest.mark.parametrize("program", PROGRAMS)
def test_names_that_are_not_utf_8(program, tmp_path, shas):
    name = os.fsencode(tmp_path) + b"/j\xff.jsonl"
    words = [*PROGRAMS[program], "init", name, "--bad", "main", "--good", shas[0]]
    done = subprocess.run(words, cwd=tmp_path / "repository", capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert os.path.exists(name)


@pytest.mark.parametrize("program", PROGRAMS)
def test_ctrl_c_ends_a_command_that_waits(program, tmp_path, shas, run):
    run("init", "run.jsonl", "--bad", "main", "--good", shas[0])
    holder = "import sys, time, firstbad as fb\n" + (
        "repo = fb.Repository('.')\n"
        "ends = {'bad': 'main', 'good': sys.argv[1], 'test_endpoints': True}\n"
        "search = fb.RegressionSearch(repo.graph(['main', sys.argv[1]]), **ends)\n"
        "with fb.Session.open('run.jsonl', search):\n    print('mine', flush=True)\n    time.sleep(60)\n"
    )
    where = tmp_path / "repository"
    with subprocess.Popen([sys.executable, "-c", holder, shas[0]], cwd=where, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"mine\n"
            locked = firstbad("ask", "run.jsonl", "--wait", "0s", where=where, program=program)
            assert (locked.returncode, str(process.pid) in locked.stderr) == (17, True), locked.stderr
            # Who only looks does not wait.
            assert firstbad("status", "run.jsonl", where=where, program=program).returncode == 16
            with subprocess.Popen([*PROGRAMS[program], "ask", "run.jsonl"], cwd=where) as waiting:
                deadline = time.monotonic() + 3
                while time.monotonic() < deadline and not waits(waiting.pid):
                    time.sleep(0.01)
                waiting.send_signal(signal.SIGINT)
                began = time.monotonic()
                assert waiting.wait(timeout=20) == -signal.SIGINT
                assert time.monotonic() - began < 2
        finally:
            process.kill()


def waits(pid):
    """Whether a process naps, as it does between two tries for the lock."""
    with open(f"/proc/{pid}/syscall") as file:
        return file.read().split()[0] in ("35", "115", "230")


def test_several_machines_tell_at_once(tmp_path, shas, run):
    run("init", "run.jsonl", "--bad", "main", "--good", shas[0], "--no-test-endpoints")
    asked = json.loads(run("ask", "run.jsonl", "-k", "8").stdout)["probes"]
    where = tmp_path / "repository"
    seen = {one["id"]: "pass" if shas.index(one["revision"]) < 13 else "fail" for one in asked}
    program = [*PROGRAMS["python -m"], "tell", "run.jsonl"]
    tells = [
        subprocess.Popen([*program, str(id_), outcome], cwd=where, stdout=subprocess.DEVNULL)
        for id_, outcome in seen.items()
    ]
    assert [tell.wait(timeout=60) for tell in tells] == [0] * len(asked)
    events = [json.loads(text) for text in (where / "run.jsonl").read_text().splitlines()[1:]]
    assert sum(event["event"] == "told" for event in events) == len(asked)


def test_an_ambiguous_number_is_rejected(tmp_path, run):
    import firstbad as fb

    journal = tmp_path / "builds.jsonl"
    with fb.Session.open(journal, fb.RegressionSearch(fb.CommitGraph.linear([*"0123456789"]), bad="9", good="0")) as at:
        at.ask(1)
    assert "--as id" in run("tell", journal, "0", "pass", code=2).stderr
    told = json.loads(run("tell", journal, "--as", "revision", "3", "pass").stdout)["told"]
    assert told == [{"id": None, "revision": "3", "outcome": "pass"}]
    assert json.loads(run("tell", journal, "--as", "id", "0", "fail").stdout)["told"][0]["id"] == 0


def test_the_journal_has_the_meanings_of_exit_codes(shas, run):
    run("init", "run.jsonl", "--bad", "main", "--good", shas[0], "--preset", "pytest")
    run("ask", "run.jsonl")
    told = json.loads(run("tell", "run.jsonl", "0", "--exit-code", "5").stdout)["told"]
    assert told[0]["outcome"] == "unresolved", "pytest found no tests"
    told = json.loads(run("tell", "run.jsonl", shas[3], "--exit-code", "137").stdout)["told"]
    assert told[0]["outcome"] == "unresolved", "nobody is to blame for that"
    assert "pytest" in run("tell", "run.jsonl", shas[3], "--exit-code", "1", "--preset", "rspec", code=2).stderr


def bisected(where, *start):
    """A real bisection's log."""
    git(where, "bisect", "start", *start)
    git(where, "bisect", "run", *TEST)
    log = git(where, "bisect", "log")
    git(where, "bisect", "reset")
    return log


def test_evidence_in_a_bisect_log(tmp_path, shas, run):
    where = tmp_path / "repository"
    (where / "log").write_text(bisected(where, "main", shas[0], "--", "f"))
    report = json.loads(run("replay", "log", "--json").stdout)
    assert [point["culprit"] for point in report["points"]] == [shas[13]]
    outcomes = [seen["outcome"] for seen in report["observations"]]
    assert (report["runs"], "fail" in outcomes) == (0, True)
    assert shas[13][:12] in run("replay", "log").stdout


def test_a_journal_resumes_an_unfinished_bisection(tmp_path, shas, run):
    where = tmp_path / "repository"
    git(where, "bisect", "start", "--term-old=swift", "--term-new=slow")
    git(where, "bisect", "slow", "main")
    git(where, "bisect", "swift", shas[0])
    git(where, "bisect", "skip", shas[14])
    git(where, "bisect", "slow", shas[16])
    (where / "log").write_text(git(where, "bisect", "log"))
    git(where, "bisect", "reset")
    # Branches move; the log says where they were.
    git(where, *IDENTITY, "commit", "--quiet", "--allow-empty", "--message=later")
    assert json.loads(run("replay", "log", "--json", code=16).stdout)["status"] == "running"
    begun = json.loads(run("replay", "log", "--journal", "run.jsonl").stdout)
    assert (begun["known"], begun["left_out"], begun["status"]) == (2, 0, "running")
    run("run", "--journal", "run.jsonl", "--quiet", "--", *TEST)
    report = json.loads(run("report", "run.jsonl", "--json").stdout)
    assert [point["culprit"] for point in report["points"]] == [shas[13]]
    probes = {one["revision"]: one["probe"] for one in report["observations"]}
    assert (probes[shas[14]], probes[shas[16]]) == (None, None), "what the log knows is not tested again"


@pytest.mark.parametrize("form", ["object", "lines", "log", "report", "journal"])
def test_known_outcomes_are_not_tested(form, tmp_path, shas, run):
    where = tmp_path / "repository"
    outcomes = {shas[number]: "pass" if number < 13 else "fail" for number in range(20) if number != 12}
    elsewhere = {"0" * 40: "pass"}
    if form == "object":
        text = json.dumps(outcomes | elsewhere)
    elif form == "lines":
        pairs = (outcomes | elsewhere).items()
        text = "\n".join(json.dumps({"revision": sha, "outcome": outcome, "seconds": 2}) for sha, outcome in pairs)
    elif form == "log":
        words = {"pass": "good", "fail": "bad"}
        text = "git bisect start\n" + "".join(f"git bisect {words[seen]} {sha}\n" for sha, seen in outcomes.items())
    else:
        made = run(
            "run", "--bad", "main", "--good", shas[0], "--quiet", "--json", "--journal", "old.jsonl", "--", *TEST
        )
        text = made.stdout if form == "report" else (where / "old.jsonl").read_text()
    (where / "known").write_text(text)
    done = run("init", "run.jsonl", "--bad", "main", "--good", shas[0], "--import", "known")
    assert ("ignoring" in done.stderr) == (form in ("object", "lines"))
    asked = json.loads(run("ask", "run.jsonl").stdout)
    left = [one["revision"] for one in asked["probes"]]
    assert left == ([] if form in ("report", "journal") else [shas[12]])


def test_the_command_line_retries_a_failed_machine(tmp_path):
    shas = line(tmp_path / "repo", 8)
    runs, journal = tmp_path / "runs", tmp_path / "run.jsonl"
    # Every second time what the test needs cannot be fetched.
    fetch = f"echo run >> '{runs}'; test $(($(wc -l < '{runs}') % 2)) = 0 || exit 75"
    repository = fb.Repository(tmp_path / "repo")
    options = {"setup": ["sh", "-c", fetch], "exit_codes": {75: "retry"}}
    with repository.command_oracle(["sh", "-c", "test $(cat f) -lt 5"], **options) as oracle:
        begun = fb.find_regressions(
            repository.graph("main"), oracle, bad="main", good=shas[0], journal=journal, budget=1
        )
    assert begun.status == "budget"
    told = firstbad("run", "--journal", journal, "--trust-journal", "--json", where=tmp_path / "repo")

    assert told.returncode == 0, told.stderr
    summary = json.loads(told.stdout)
    assert [point["culprit"] for point in summary["points"]] == [shas[5]]
    assert told.stderr.count("the machine failed at revision") == summary["runs"] - 1
    assert len(runs.read_text().splitlines()) == 2 * summary["runs"]
