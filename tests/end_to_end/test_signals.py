"""A run with a journal, a store and two jobs that signals end again and again, at any moment, and that goes on.

What `crates/firstbad-cli/tests/run/signals.rs` holds of the command line is held here of scripts in Python and in Node.
"""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REVISIONS, CULPRIT = 24, 3
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGSTOP]
MOST_SIGNALS = 8

# It leaves a process behind, which has to go with it; the process, the revision, and whether it passes.
TEST = f'sleep 600 & echo "$! $FIRSTBAD_REVISION" >> "$RUNS"; test "$(cat value)" -lt {CULPRIT}'

PYTHON = """
import sys
import firstbad as fb

folder, test = sys.argv[1:]
repository = fb.Repository(folder + "/repo")
oracle = repository.command_oracle(
    ["sh", "-c", test], env={"RUNS": folder + "/runs"}, worktrees=folder + "/trees", output_dir=folder + "/output"
)
kept = {"journal": folder + "/run.jsonl", "store": fb.OutcomeStore(folder + "/store", oracle="test", key="tree")}
ends = {"bad": "main", "good": "v1.0", "search": "linear"}
with oracle:
    report = fb.find_regressions(repository.graph("main"), oracle, jobs=2, **ends, **kept)
print(*[point.bad for point in report.points])
"""

NODE = """
import { createRequire } from "node:module";

const [packageFile, folder, test] = process.argv.slice(1);
const fb = createRequire(packageFile)("firstbad");
const repository = new fb.Repository(`${folder}/repo`);
const places = { worktrees: `${folder}/trees`, outputDir: `${folder}/output` };
const oracle = repository.commandOracle(["sh", "-c", test], { env: { RUNS: `${folder}/runs` }, ...places });
const store = new fb.OutcomeStore(`${folder}/store`, { oracle: "test", key: "tree" });
const kept = { journal: `${folder}/run.jsonl`, store };
const ends = { bad: "main", good: "v1.0", search: "linear" };
const report = await fb.findRegressions(repository.graph("main"), oracle, { jobs: 2, ...ends, ...kept });
await oracle.close();
console.log(report.points.map((point) => point.bad).join(" "));
"""

COMMANDS = {
    "python": [sys.executable, "-c", PYTHON],
    "node": ["node", "--input-type=module", "-e", NODE, "--", str(ROOT / "node/package.json")],
}


def git(folder, *words, stdin=""):
    done = subprocess.run(["git", "-C", folder, *words], input=stdin, capture_output=True, text=True, check=True)
    return done.stdout


def counting(folder):
    """A repository whose file `value` counts up from 0: a store takes revisions with equal files for one."""
    commits = [
        f"commit refs/heads/main\ncommitter T <t@example.org> {1_700_000_000 + value} +0000\ndata 1\nc\n"
        f"M 100644 inline value\ndata {len(str(value))}\n{value}\n"
        for value in range(REVISIONS)
    ]
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "fast-import", "--quiet", stdin="".join(commits))
    shas = git(folder, "rev-list", "--reverse", "main").split()
    git(folder, "tag", "v1.0", shas[0])
    return shas


def read(file):
    return file.read_text() if file.exists() else ""


def told(journal):
    """The revisions that a journal has answers for; its last line may be half written."""
    events = [json.loads(line) for line in read(journal).rpartition("\n")[0].splitlines()]
    asked = {event["id"]: event["revision"] for event in events if event.get("event") == "asked"}
    return [asked[event["id"]] for event in events if event.get("event") == "told"]


def state(pid):
    """The state of a process as Linux names it, "" if there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def lives(pid):
    return state(pid) not in ("", "Z", "X")


def soon(what):
    deadline = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.001)


@pytest.mark.skipif(not Path("/proc").exists(), reason="whether a process lives is read in /proc")
@pytest.mark.parametrize("faces", [["python"], ["node"], ["python", "node"]], ids="-".join)
def test_signals_lose_no_outcome_and_leave_no_process(faces, tmp_path):
    shas = counting(tmp_path / "repo")
    journal, runs = tmp_path / "run.jsonl", tmp_path / "runs"
    luck = random.Random("-".join(faces))
    sent = repeated = 0
    while True:
        before = told(journal)
        runs.write_text("")
        command = [*COMMANDS[faces[sent % len(faces)]], str(tmp_path), TEST]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until = read(journal).count("\n") + luck.randrange(6)
        soon(lambda process=process, until=until: read(journal).count("\n") >= until or not lives(process.pid))
        time.sleep(luck.random() * 0.02)
        which = luck.choice(SIGNALS)
        over = sent == MOST_SIGNALS
        if not over and lives(process.pid):
            process.send_signal(which)
            sent += 1
            if which == signal.SIGSTOP:
                soon(lambda process=process: state(process.pid) in ("T", "Z", ""))
                process.send_signal(signal.SIGTERM)
                process.send_signal(signal.SIGCONT)
        found, words = process.communicate(timeout=60)
        started = [line.split() for line in runs.read_text().splitlines()]
        soon(lambda started=started: not any(lives(pid) for pid, _ in started))
        after = told(journal)
        assert after[: len(before)] == before
        asked = [revision for _, revision in started]
        assert not set(asked) & set(before), "what was told is not run again"
        repeated += len(set(asked) - set(after))
        if over or process.returncode == 0:
            break
    assert (process.returncode, found.split()) == (0, [shas[CULPRIT]]), words
    assert sent >= 3, "the run was ended before it was disturbed"
    # Of what was begun and not told there is what two jobs do at a time.
    assert repeated <= 2 * sent
    assert not list((tmp_path / "trees").glob("*/*/tree-*"))
