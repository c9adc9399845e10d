"""Decisions on large graphs, which run on a separate thread so that signals are handled, also in forks."""

import json
import subprocess
import sys

import pytest

SETUP = """
import json, os, signal, sys, threading, time
from pathlib import Path
import firstbad as fb

def merges(size):
    def parents(number):
        if number == 0:
            return []
        return {0: [number - 5, number - 1], 4: [number - 4]}.get(number % 8, [number - 1])
    return fb.CommitGraph({str(number): [str(parent) for parent in parents(number)] for number in range(size)})

def culprit(size):
    return fb.CulpritSearch(merges(size), bad=str(size - 1), good="0", flake_rate=0.1)

def helpers():
    return {task.name for task in Path("/proc/self/task").iterdir() if (task / "comm").read_text() == "firstbad\\n"}
"""


def printed(script):
    """Returns the JSON that a script prints."""
    run = subprocess.run([sys.executable, "-c", SETUP + script], capture_output=True, text=True, timeout=100)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_a_signal_interrupts_a_long_decision():
    script = """
search = culprit(500_000)
heard = []
def handler(number, frame):
    heard.append(time.monotonic())
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, handler)
began = time.monotonic()
signal.setitimer(signal.ITIMER_REAL, 0.01)
try:
    search.ask(1)
except KeyboardInterrupt:
    # It waits until the search is free again.
    search.status
over = time.monotonic()
# What nobody waited for is put back.
while search.in_flight and time.monotonic() < over + 20:
    pass
print(json.dumps({"heard": heard[0] - began, "over": over - began, "in_flight": len(search.in_flight)}))
"""
    times = printed(script)
    assert times["heard"] < times["over"] / 2
    assert times["in_flight"] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_one_thread_makes_all_long_decisions_of_a_thread():
    script = """
search, seen = culprit(20_000), []
for _ in range(5):
    search.abandon(search.ask(1)[0].id)
    seen.append(sorted(helpers()))
print(json.dumps(seen))
"""
    first, *others = printed(script)
    assert len(first) == 1
    assert others == [first] * 4


def test_a_forked_process_has_its_own_helper():
    script = """
search = culprit(20_000)
before = search.ask(1)[0]
child = os.fork()
search.tell(before.id, True)
after = search.ask(1)[0].revision
if child == 0:
    os._exit(0 if after != before.revision else 1)
print(json.dumps(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
"""
    assert printed(script) == 0


def test_an_abandoned_decision_does_not_keep_the_process_alive():
    script = """
search = culprit(20_000)
started = threading.Event()
def ask_on():
    started.set()
    while True:
        search.abandon(search.ask(1)[0].id)
threading.Thread(target=ask_on, daemon=True).start()
started.wait()
print(json.dumps(True))
"""
    assert printed(script)
