"""Searches that are killed, forked, or lose their worktrees. No process is left, and no outcome is lost."""

import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

import firstbad as fb

SCRIPT = """
import sys
import firstbad as fb

repository, folder = fb.Repository(sys.argv[1]), sys.argv[2]
# One child in the group, one without our environment, and one in a session of its own.
line = (
    "sleep 300 & one=$!; env -i sleep 300 & two=$!; setsid sleep 300 & three=$!; "
    'echo $$ $one $two $three > "$PIDS/$FIRSTBAD_REVISION"; wait'
)
oracle = repository.command_oracle(
    ["sh", "-c", line], env={"PIDS": folder + "/pids"}, worktrees=folder + "/trees", output_dir=folder + "/output"
)
graph = repository.graph()
fb.find_regressions(graph, oracle, bad=graph.leaves, good=graph.roots, jobs=2, search="linear", test_endpoints=False)
"""


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", folder], check=True)
    identity = ["-c", "user.name=n", "-c", "user.email=e@x"]
    for number in range(8):
        commit = ["commit", "-q", "--allow-empty", "-m", str(number)]
        subprocess.run(["git", *identity, *commit], cwd=folder, check=True)
    return fb.Repository(folder)


def soon(what):
    deadline = time.monotonic() + 20
    while not what():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.01)


def lives(pid):
    """Returns whether a process is alive, ignoring zombies."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def pids(folder):
    return [pid for file in (folder / "pids").iterdir() for pid in file.read_text().split()]


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes that left their group are found in /proc")
@pytest.mark.parametrize("killer", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_commands_end_with_the_script_that_runs_them(killer, repository, tmp_path):
    (tmp_path / "pids").mkdir()
    script = subprocess.Popen([sys.executable, "-c", SCRIPT, repository.path, tmp_path])
    try:
        soon(lambda: len(pids(tmp_path)) == 8)
        script.send_signal(killer)
        # The script dies of the signal.
        assert script.wait(20) == -killer
        soon(lambda: not any(map(lives, pids(tmp_path))))
    finally:
        script.kill()
    left = list((tmp_path / "trees").glob("*/*/tree-*"))
    assert left
    repository.command_oracle(["true"], worktrees=tmp_path / "trees", output_dir=tmp_path / "output").close()
    assert not any(path.exists() for path in left)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_leaves_the_oracle_to_its_parent(repository, tmp_path):
    """The child neither uses nor closes the oracle, and does not keep its commands alive."""
    (tmp_path / "pids").mkdir()
    fork = """
import os, threading, time
def fork():
    while len(os.listdir(folder + "/pids")) < 2:
        time.sleep(0.01)
    if os.fork() == 0:
        try:
            oracle(graph.leaves[0])
        except fb.InvalidArgumentError as error:
            said = str(error)
        else:
            said = "nothing"
        oracle.interrupt()
        oracle.close()
        own = repository.command_oracle(["true"], worktrees=folder + "/own", output_dir=folder + "/output")
        said += f" {own(graph.leaves[0]).outcome}"
        own.close()
        with open(folder + "/said.new", "w") as file:
            file.write(f"{os.getpid()} {said}")
        os.rename(folder + "/said.new", folder + "/said")
        time.sleep(600)
threading.Thread(target=fork, daemon=True).start()
"""
    script = SCRIPT.replace("fb.find_regressions", fork + "fb.find_regressions")
    parent = subprocess.Popen([sys.executable, "-c", script, repository.path, tmp_path])
    said = tmp_path / "said"
    try:
        soon(said.exists)
        child, words = said.read_text().split(maxsplit=1)
        assert "the command oracle" in words
        assert "expected one created in this process, because a fork needs a new one" in words
        assert words.endswith(" pass")
        assert all(map(lives, pids(tmp_path)))
        parent.terminate()
        parent.wait(20)
        # The fork is alive, but the commands of its parent are not.
        soon(lambda: not any(map(lives, pids(tmp_path))))
        assert lives(child)
    finally:
        parent.kill()
        if said.exists():
            os.kill(int(said.read_text().split()[0]), signal.SIGKILL)


@pytest.mark.parametrize("lost", ["trees", "tree"])
def test_removed_worktrees_lose_no_outcome(lost, repository, tmp_path):
    trees = tmp_path / "trees"
    graph = repository.graph()

    def remove():
        for folder in [trees] if lost == "trees" else trees.glob("*/*/tree-?"):
            shutil.rmtree(folder)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with repository.command_oracle(["false"], worktrees=trees, output_dir=tmp_path / "output") as oracle:

            def answer(revision):
                seen = oracle(revision)
                remove()
                return seen

            report = fb.find_regressions(graph, answer, bad=graph.leaves, good=graph.roots, test_endpoints=False)
    assert report.status == "found"


def test_a_worktree_that_cannot_be_removed_is_a_warning(repository, tmp_path):
    trees = tmp_path / "trees"
    oracle = repository.command_oracle(["true"], worktrees=trees, output_dir=tmp_path / "output")
    oracle(repository.resolve("HEAD"))
    [pool] = [path for path in trees.glob("*/*") if path.is_dir()]
    # A folder in place of the lock cannot be removed as a file.
    lock = pool.with_suffix(".lock")
    lock.unlink()
    lock.mkdir()
    words = r"cannot remove the folder .*\. The next command oracle of the repository tries again"
    with pytest.warns(RuntimeWarning, match=words):
        oracle.close()


def test_a_sub_interpreter_works_or_is_refused():
    script = """
import _xxsubinterpreters as interpreters
import firstbad
inside = '''
try:
    import firstbad as fb
    graph = fb.CommitGraph.linear([str(number) for number in range(64)])
except ImportError as error:
    print("refused:", error)
else:
    report = fb.find_regressions(graph, lambda one: int(one) < 41, bad="63", good="0")
    try:
        fb.CommitGraph.linear("ab")
    except fb.InvalidArgumentError:
        print("found", report.points[0].bad)
'''
interpreters.run_string(interpreters.create(), inside)
"""
    pytest.importorskip("_xxsubinterpreters")
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "found 41\n" or ended.stdout.startswith("refused:"), ended.stdout


VERSIONS = [str(number) for number in range(14)]


def killed_at(path, call, when):
    """Runs a process that is killed at a call of its oracle, or ends. Returns the tested versions."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        calls = 0

        def oracle(version):
            nonlocal calls
            calls += 1
            if calls == call and when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            os.write(writer, f"{version}\n".encode())
            if calls == call:
                os.kill(os.getpid(), signal.SIGKILL)
            return int(version) < 4

        try:
            found = run(path, oracle)
            os.write(writer, f"found {found}\n".encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as said:
        lines = said.read().split("\n")[:-1]
    _, status = os.waitpid(child, 0)
    ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    assert ended == (0 if lines and lines[-1].startswith("found") else signal.SIGKILL)
    return lines


def run(path, oracle, **more):
    graph = fb.CommitGraph.linear(VERSIONS)
    report = fb.find_regressions(graph, oracle, bad="13", good="0", search="linear", journal=path, **more)
    return [point.bad for point in report.points]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_killed_run_repeats_only_probes_in_flight(when, tmp_path):
    """For every k, a process is killed at its k-th call, and the next process finishes the search."""
    undisturbed = killed_at(tmp_path / "undisturbed", 0, when)
    assert undisturbed[-1] == "found ['4']"
    answers = len(undisturbed) - 1
    for call in range(1, answers + 1):
        path = tmp_path / f"{call}.jsonl"
        first = killed_at(path, call, when)
        second = killed_at(path, 0, when)
        assert second[-1] == undisturbed[-1]
        # The interrupted call has no outcome. All earlier calls have one on disk.
        assert first[: call - 1] + second[:-1] == undisturbed[:-1]
    # A run that is killed at every outcome.
    path = tmp_path / "again.jsonl"
    lives = [killed_at(path, 2, when) for _ in range(answers - 1)]
    assert [life[0] for life in lives] == undisturbed[: answers - 1]
    assert killed_at(path, 0, when) == undisturbed[answers - 1 :]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_is_refused_the_journal_of_its_parent(tmp_path):
    search = fb.RegressionSearch(fb.CommitGraph.linear(VERSIONS), bad="13", good="0", search="linear")
    with fb.Session.open(tmp_path / "run.jsonl", search) as session:
        [probe] = session.ask()
        child = os.fork()
        if child == 0:
            try:
                session.tell(probe.id, True)
            except fb.JournalError as error:
                os._exit(7 if "the parent process opened it before a fork" in str(error) else 1)
            finally:
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        # The end of the child does not release the lock.
        again = fb.RegressionSearch(fb.CommitGraph.linear(VERSIONS), bad="13", good="0", search="linear")
        with pytest.raises(fb.JournalError) as caught:
            fb.Session.open(tmp_path / "run.jsonl", again)
        assert caught.value.code == "journal_locked"
        session.tell(probe.id, False)
        assert session.runs == 1


def test_durations_do_not_follow_a_clock_that_is_set(monkeypatch):
    clock = iter([4e9, 1e9, 3e9] * 20)
    monkeypatch.setattr(time, "time", lambda: next(clock))
    graph = fb.CommitGraph.linear(VERSIONS)
    report = fb.verify_culprit(
        graph, lambda version: int(version) < 4, bad="13", good="0", culprit="4", budget=fb.Budget(seconds=60)
    )
    assert report.status != "budget"
    assert len(report.observations) > 2
    assert all(0 <= seen.ended - seen.started < 60 for seen in report.observations)
