"""Ctrl-C in a separate process."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import firstbad as fb

SETUP = """
import json, signal, sys, threading, time
import firstbad as fb

VERSIONS = [str(number) for number in range(64)]
GRAPH = fb.CommitGraph.linear(VERSIONS)

def tell_all(error):
    search = error.firstbad_search
    kept = {"runs": search.runs, "in_flight": len(search.in_flight), "status": search.status}
    print(json.dumps(kept), flush=True)
"""

BLOCKING = """
calls = []
def oracle(version):
    calls.append(version)
    if len(calls) == 4:
        # A signal just before a thread blocks in Python's own waits is lost on them: be ready once it does.
        threading.Timer(0.05, print, ["ready"], {{"flush": True}}).start()
    if len(calls) > 3:
        {block}
    return int(version) < 40
try:
    fb.find_regressions(GRAPH, oracle, bad="63", good="0", search="binary", test_endpoints=False, jobs={jobs})
except KeyboardInterrupt as error:
    tell_all(error)
"""


def interrupted(script, *arguments):
    """Returns the output of a script after "ready" and an interrupt, and the time until it ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", SETUP + script, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            first = process.stdout.readline()
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
            took = time.monotonic() - began
        finally:
            process.kill()
    assert (first, process.returncode) == ("ready\n", 0), err
    return json.loads(out.splitlines()[-1]), took


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("block", ["time.sleep(60)", "threading.Event().wait()"])
def test_ctrl_c_ends_a_run_and_keeps_outcomes(jobs, block):
    kept, took = interrupted(BLOCKING.format(block=block, jobs=jobs))
    assert took < 1.5
    assert kept["runs"] == 3
    assert kept["in_flight"] == 0
    assert kept["status"] == "running"


@pytest.mark.parametrize("stubborn", [False, True])
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_a_command_with_all_its_processes(jobs, stubborn, tmp_path):
    """The stubborn command ignores SIGTERM, and has a long grace period."""
    line = "trap '' TERM; while :; do sleep 0.05; done" if stubborn else "sleep 60"
    repository = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", repository], check=True)
    for number in range(8):
        subprocess.run(
            ["git", "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "--allow-empty", "-m", str(number)],
            cwd=repository,
            check=True,
        )
    script = f"""
import os
repository = fb.Repository(sys.argv[1])
command = ["sh", "-c", "echo $$ > '" + sys.argv[2] + "'/$FIRSTBAD_REVISION; {line}"]
places = {{"worktrees": sys.argv[2] + "/trees", "output_dir": sys.argv[2] + "/output"}}
oracle = repository.command_oracle(command, kill_after=300, **places)
graph = repository.graph()
def announce():
    while len([name for name in os.listdir(sys.argv[2]) if len(name) == 40]) < {jobs}:
        time.sleep(0.01)
    print("ready", flush=True)
threading.Thread(target=announce, daemon=True).start()
try:
    ends = {{"bad": graph.leaves, "good": graph.roots, "test_endpoints": False}}
    fb.find_regressions(graph, oracle, jobs={jobs}, search="linear", **ends)
except KeyboardInterrupt as error:
    tell_all(error)
"""
    folder = tmp_path / "runs"
    folder.mkdir()
    kept, took = interrupted(script, str(repository), str(folder))
    assert took < 2
    assert kept == {"runs": 0, "in_flight": 0, "status": "running"}
    started = [int(file.read_text()) for file in folder.iterdir() if len(file.name) == 40]
    assert len(started) == jobs
    for process in started:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
    assert not list((folder / "trees").glob("*/*/tree-*"))


def alive(group):
    """Returns whether a process of a group is alive, ignoring zombies."""
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group, *_ = file.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(its_group) == group and state not in "ZX":
            return True
    return False


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_leaves_only_a_resumable_journal(jobs, tmp_path):
    """The command is blocked when the signal arrives, and has a child process."""
    repository = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", repository], check=True)
    for number in range(16):
        subprocess.run(
            ["git", "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "--allow-empty", "-m", str(number)],
            cwd=repository,
            check=True,
        )
    script = f"""
import os
repository, runs = fb.Repository(sys.argv[1]), sys.argv[2]
line = (
    'echo $$ > "$RUNS/$FIRSTBAD_REVISION"; for n in 1 2 3; do mkdir $RUNS-ticket-$n 2>/dev/null && exit 1; done; '
    'sleep 60 & wait'
)
oracle = repository.command_oracle(
    ["sh", "-c", line], env={{"RUNS": runs}}, worktrees=runs + "-trees", output_dir=runs + "-output"
)
graph = repository.graph()
def announce():
    while sum(file.stat().st_size > 0 for file in os.scandir(runs)) < {3 + jobs}:
        time.sleep(0.01)
    print("ready", flush=True)
threading.Thread(target=announce, daemon=True).start()
try:
    fb.find_regressions(
        graph, oracle, bad=graph.leaves, good=graph.roots, test_endpoints=False, jobs={jobs}, search="linear",
        journal=sys.argv[3],
    )
except KeyboardInterrupt as error:
    tell_all(error)
"""
    runs, journal = tmp_path / "runs", tmp_path / "run.jsonl"
    runs.mkdir()
    kept, took = interrupted(script, str(repository), str(runs), str(journal))
    assert took < 2
    assert kept == {"runs": 3, "in_flight": 0, "status": "running"}
    assert not [file.name for file in runs.iterdir() if alive(int(file.read_text()))]
    assert not list(tmp_path.glob("runs-trees/*/*/.git"))
    told = [json.loads(line) for line in journal.read_text().splitlines() if '"told"' in line]
    assert len(told) == 3
    graph = fb.Repository(repository).graph()
    asked, failed = [], set()

    def oracle(revision):
        asked.append(revision)
        return revision not in failed

    # With the ask/tell interface, a function can resume the journal of a command.
    search = fb.RegressionSearch(graph, bad=graph.leaves, good=graph.roots, search="linear", test_endpoints=False)
    with fb.Session.open(journal, search) as session:
        failed |= {seen.revision for seen in session.report().observations}
        report = fb.run(session, oracle, jobs=jobs)
    assert report.points[0].bad in failed
    assert len(asked) - report.confirmations == len(set(asked) - failed)
    assert report.runs == len(asked) + 3


def test_ctrl_c_ends_the_wait_for_a_journal(tmp_path):
    path = tmp_path / "run.jsonl"
    graph = fb.CommitGraph.linear([str(number) for number in range(64)])
    script = """
threading.Timer(0.2, print, ["ready"], {"flush": True}).start()
try:
    fb.Session.open(sys.argv[1], fb.RegressionSearch(GRAPH, bad="63", good="0"), wait=60)
except KeyboardInterrupt:
    print(json.dumps({}), flush=True)
"""
    with fb.Session.open(path, fb.RegressionSearch(graph, bad="63", good="0")):
        _, took = interrupted(script, str(path))
    assert took < 1.5
    fb.Session.open(path, fb.RegressionSearch(graph, bad="63", good="0"), wait=1).close()


def test_ctrl_c_ends_the_creation_of_a_large_graph():
    script = """
import threading
ids = [str(number) for number in range(2_000_000)]
try:
    print("ready", flush=True)
    while True:
        fb.CommitGraph.linear(ids)
except KeyboardInterrupt:
    print(json.dumps({}), flush=True)
"""
    _, took = interrupted(script)
    assert took < 1.5
