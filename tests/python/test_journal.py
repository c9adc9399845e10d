"""`journal=` of every function, and processes that end during a run."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

import pytest

import firstbad as fb

VERSIONS = [str(number) for number in range(64)]
GRAPH = fb.CommitGraph.linear(VERSIONS)
PATCH = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1 +1,4 @@\n-a\n+1\n+2\n+3\n+4\n")
TEXT = "def f():\n    return 1\n\ndef g():\n    print(2)\n    return 3\n"


def good(version):
    return int(version) < 40


FUNCTIONS = {
    "find_regressions": (GRAPH, good, {"bad": "63", "good": "0"}),
    "find_culprit": (GRAPH, good, {"bad": "63", "good": "0", "flake_rate": 0.1}),
    "verify_culprit": (GRAPH, good, {"bad": "63", "good": "0", "culprit": "40"}),
    "minimize": (range(64), lambda kept: {17, 42} <= set(kept), {}),
    "isolate": (range(64), lambda kept: {17, 42} <= set(kept), {}),
    "minimize_patch": (PATCH, lambda part: "2" in part.apply({"x": "a\n"})["x"], {}),
    "minimize_text": (TEXT, lambda kept: "print" in kept, {}),
}


class Killed(BaseException):
    """An exception that ends a run from outside."""


def called(name, oracle, twin, **more):
    world, _, options = FUNCTIONS[name]
    if not twin:
        return getattr(fb, name)(world, oracle, **options, **more)

    async def awaited(given):
        return oracle(given)

    async def main():
        return await getattr(fb, f"{name}_async")(world, awaited, **options, **more)

    return asyncio.run(main())


@pytest.mark.parametrize("twin", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_same_call_resumes_a_run(name, twin, tmp_path):
    path = tmp_path / "run.jsonl"
    asked, left = [], 0

    def oracle(given):
        nonlocal left
        if left == 0:
            raise Killed
        left -= 1
        asked.append(str(given))
        return FUNCTIONS[name][1](given)

    left = 3
    with pytest.raises(Killed) as caught:
        called(name, oracle, twin, journal=path)
    search = caught.value.firstbad_search
    assert (search.runs, search.in_flight, search.path) == (3, [], path.resolve())
    if sys.version_info >= (3, 11):
        [note] = caught.value.__notes__
        assert "run.jsonl" in note
        assert "has all outcomes (3)" in note
        assert "The same call with this journal resumes the search" in note
    left = 1000
    report = called(name, oracle, twin, journal=path)
    uninterrupted = []

    def whole(given):
        uninterrupted.append(str(given))
        return FUNCTIONS[name][1](given)

    assert called(name, whole, twin).status == report.status
    # A resumed run confirms the result as well as an uninterrupted one.
    assert asked == uninterrupted
    # After the end, the same call returns the same result without a run.
    left = 0
    assert called(name, oracle, twin, journal=path) == report
    # Another run knows all outcomes, and has nothing to ask.
    if name != "verify_culprit":  # whose runs have to be in an order that another run cannot know
        known = called(name, oracle, twin, known=report.observations)
        assert getattr(known, "asked", known.runs) == 0


def test_a_budget_counts_outcomes_of_earlier_calls(tmp_path):
    path = tmp_path / "run.jsonl"
    options = {"bad": "63", "good": "0", "search": "binary", "journal": path}
    assert fb.find_regressions(GRAPH, good, **options, budget=2).status == "budget"
    assert fb.find_regressions(GRAPH, good, **options, budget=2).runs == 2
    assert fb.find_regressions(GRAPH, good, **options, budget=4).runs == 4
    assert fb.find_regressions(GRAPH, good, **options).status == "found"


def test_a_function_always_releases_the_journal(tmp_path):
    path = tmp_path / "run.jsonl"
    for known in ({"x": True}, {"1": 5}):
        with pytest.raises(fb.FirstbadError, match="known"):
            fb.find_regressions(GRAPH, good, bad="63", good="0", journal=path, known=known)
    with pytest.raises(fb.NotReproducedError):
        fb.minimize("abc", lambda kept: False, journal=tmp_path / "other.jsonl")
    fb.find_regressions(GRAPH, good, bad="63", good="0", journal=path)
    with pytest.raises(fb.JournalError, match="belongs to another search"):
        fb.find_regressions(GRAPH, good, bad="62", good="0", journal=path)
    with pytest.raises(fb.InvalidArgumentError, match=r"journal: 3 \(int\)"):
        fb.find_regressions(GRAPH, good, bad="63", journal=3)


def dies_at_40(folder_and_version):
    folder, version = folder_and_version.split(":")
    mark = os.path.join(folder, "mark")
    if version == "40" and not os.path.exists(mark):
        open(mark, "x").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return int(version) < 40


def test_a_broken_pool_reaches_the_caller_and_the_next_call_resumes(tmp_path):
    versions = [f"{tmp_path}:{number}" for number in range(64)]
    graph = fb.CommitGraph.linear(versions)
    options = {"bad": versions[-1], "good": versions[0], "search": "binary", "jobs": 2}
    path = tmp_path / "run.jsonl"
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as executor, pytest.raises(BrokenProcessPool) as caught:
        fb.find_regressions(graph, dies_at_40, **options, executor=executor, journal=path)
    assert caught.value.firstbad_search.in_flight == []
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as executor:
        report = fb.find_regressions(graph, dies_at_40, **options, executor=executor, journal=path)
    assert [point.bad for point in report.points] == [versions[40]]
    told = [seen.revision for seen in report.observations]
    assert len(told) - report.confirmations == len(set(told))


ORPHANS = """
import os, signal, sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
import firstbad as fb

def blocked(version):
    os.write(1, f"{os.getpid()}\\n".encode())
    while True:
        signal.pause()

with ProcessPoolExecutor(2, mp_context=get_context("fork")) as executor:
    graph = fb.CommitGraph.linear([str(number) for number in range(64)])
    fb.find_regressions(
        graph, blocked, bad="63", good="0", search="binary", jobs=2, executor=executor, journal=sys.argv[1]
    )
"""


def test_workers_that_outlive_a_killed_process_do_not_keep_its_journal(tmp_path):
    path = tmp_path / "run.jsonl"
    workers = []
    with subprocess.Popen([sys.executable, "-c", ORPHANS, path], stdout=subprocess.PIPE, text=True) as process:
        try:
            workers = [int(process.stdout.readline()) for _ in range(2)]
            process.kill()
            process.wait()
            for worker in workers:
                os.kill(worker, 0)  # still there
            search = fb.RegressionSearch(GRAPH, bad="63", good="0", search="binary")
            with fb.Session.open(path, search) as session:
                assert len(session.in_flight) == 2
                assert [point.bad for point in fb.run(session, good).points] == ["40"]
        finally:
            for worker in workers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)


class Elsewhere(Executor):
    """An executor that implements only `submit`."""

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_a_driver_does_not_end_leases_of_others(tmp_path):
    path = tmp_path / "run.jsonl"
    with fb.Session.open(path, fb.RegressionSearch(GRAPH, bad="63", good="0", search="binary")) as session:
        [lent] = session.ask(lease=1e-9)
    asked = []

    def oracle(version):
        asked.append(version)
        return good(version)

    with fb.Session.open(path, fb.RegressionSearch(GRAPH, bad="63", good="0", search="binary")) as session:
        report = fb.run(session, oracle, executor=Elsewhere(), jobs=3)
        assert asked[0] == lent.revision
        assert len(asked) - report.confirmations == len(set(asked))
        assert lent.id not in {event["id"] for event in session.events if event["event"] == "abandoned"}
