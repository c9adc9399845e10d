"""A search of a real repository with two commands at a time is interrupted, and goes on from its snapshot."""

import json
import signal
import subprocess
import sys
import time

from history import git

SCRIPT = """
import json, sys
from pathlib import Path
import firstbad as fb

folder = Path(sys.argv[1])
saved = folder / "snapshot.json"
repository = fb.Repository(folder / "shop")
graph = repository.graph(["main", "gift-cards"])
command = ["sh", "-c", 'echo $FIRSTBAD_REVISION >> "$RUNS"; sleep 0.3; exec python3 check.py']
oracle = repository.command_oracle(
    command, env={"RUNS": str(folder / "runs")}, worktrees=folder / "trees", output_dir=folder / "output"
)
try:
    if saved.exists():
        search = fb.RegressionSearch.restore(graph, saved.read_text())
        report = fb.run(search, oracle, jobs=2)
    else:
        report = fb.find_regressions(graph, oracle, bad=["main", "gift-cards"], good="v1.0", jobs=2)
except KeyboardInterrupt as error:
    saved.write_text(error.firstbad_search.snapshot())
    sys.exit(3)
finally:
    oracle.close()
told = [seen.revision for seen in report.observations]
print(json.dumps({"status": report.status, "bad": [point.bad for point in report.points], "told": told}))
"""


def start(folder):
    return subprocess.Popen([sys.executable, "-c", SCRIPT, folder], stdout=subprocess.PIPE, text=True)


def runs(folder):
    file = folder / "runs"
    return file.read_text().split() if file.exists() else []


def test_an_interrupted_search_resumes_from_its_snapshot(shop, tmp_path):
    before = git(tmp_path / "shop", "for-each-ref"), git(tmp_path / "shop", "status", "--porcelain=2", "--branch")

    with start(tmp_path) as first:
        deadline = time.monotonic() + 30
        while len(runs(tmp_path)) < 5 and time.monotonic() < deadline:
            time.sleep(0.02)
        first.send_signal(signal.SIGINT)
        began = time.monotonic()
        assert first.wait(timeout=20) == 3
        assert time.monotonic() - began < 5

    snapshot = json.loads((tmp_path / "snapshot.json").read_text())
    told = {event["id"] for event in snapshot["events"] if event["event"] == "told"}
    kept = {event["revision"] for event in snapshot["events"] if event["event"] == "asked" and event["id"] in told}
    assert kept, "something was told before the interrupt"
    assert not list((tmp_path / "trees").rglob(".git")), "work trees are removed"
    ran = len(runs(tmp_path))

    with start(tmp_path) as second:
        printed, _ = second.communicate(timeout=60)
    assert second.returncode == 0
    found = json.loads(printed)
    culprits = {shop.shas[shop.culprits(branch)[0].number] for branch in ("main", "gift-cards")}
    assert found["status"] == "found"
    assert set(found["bad"]) == culprits
    assert not kept & set(runs(tmp_path)[ran:]), "what was told before is not run again"
    assert len(found["told"]) - len(set(found["told"])) <= 4, "only what confirms an answer is told twice"
    assert before == (
        git(tmp_path / "shop", "for-each-ref"),
        git(tmp_path / "shop", "status", "--porcelain=2", "--branch"),
    )
