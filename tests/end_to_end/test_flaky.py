"""A flaky command on a real repository, searched from Python and from Node."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from history import RED, git

ROOT = Path(__file__).parents[2]

# One healthy run in five fails: which ones, the commit and the number of its run decide.
FLAKY = """
import hashlib, os, runpy, sys
from pathlib import Path

commit = os.environ["FIRSTBAD_REVISION"]
with open(Path(os.environ["RUNS"]) / commit, "a+") as file:
    file.write(".")
    file.seek(0)
    run = len(file.read())
sys.argv = ["check.py"]
try:
    runpy.run_path("check.py", run_name="__main__")
except SystemExit as ended:
    luck = hashlib.sha256(f"{commit} {run}".encode()).digest()[0] / 256
    sys.exit(1 if ended.code == 0 and luck < 0.2 else ended.code)
"""
PYTHON = """
import json, sys
import firstbad as fb

search, branches, command, env, options = json.loads(sys.argv[1])
repository = fb.Repository("shop")
with repository.command_oracle(command, env=env, worktrees="trees", output_dir="output") as oracle:
    find = getattr(fb, search)
    report = find(repository.graph(branches), oracle, bad=branches, good="v1.0", flake_rate=0.2, **options)
seen = [[one.revision, one.outcome] for one in report.observations]
points = [[point.bad, point.candidates, point.leaves] for point in getattr(report, "points", [])]
print(json.dumps([report.status, getattr(report, "culprit", None), points, seen]))
"""
NODE = """
import * as fb from "INDEX";

const [search, branches, command, env, options] = JSON.parse(process.argv[2]);
const repository = new fb.Repository("shop");
const oracle = repository.commandOracle(command, { env, worktrees: "trees", outputDir: "output" });
const find = { find_culprit: fb.findCulprit, find_regressions: fb.findRegressions }[search];
const ends = { bad: branches, good: "v1.0", flakeRate: 0.2 };
const report = await find(repository.graph(branches), oracle, { ...ends, ...options });
await oracle.close();
const seen = report.observations.map(({ revision, outcome }) => [revision, outcome]);
const points = (report.points ?? []).map(({ bad, candidates, leaves }) => [bad, candidates, leaves]);
console.log(JSON.stringify([report.status, report.culprit ?? null, points, seen]));
"""


@pytest.fixture
def searched(shop, tmp_path):
    """Searches the shop from one language; gives status, culprit, points and all that was seen."""
    (tmp_path / "flaky.py").write_text(FLAKY)
    (tmp_path / "find.mjs").write_text(NODE.replace("INDEX", (ROOT / "node/dist/index.mjs").as_uri()))

    def search(language, *what):
        runs = tmp_path / "runs"
        shutil.rmtree(runs, ignore_errors=True)
        runs.mkdir()
        function, branches, options = what
        command = [sys.executable, "-B", str(tmp_path / "flaky.py")]
        given = json.dumps([function, branches, command, {"RUNS": str(runs)}, options])
        program = [sys.executable, "-c", PYTHON] if language == "python" else ["node", "find.mjs"]
        before = git(tmp_path / "shop", "for-each-ref"), git(tmp_path / "shop", "status", "--porcelain=2", "--branch")
        done = subprocess.run([*program, given], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert before == (
            git(tmp_path / "shop", "for-each-ref"),
            git(tmp_path / "shop", "status", "--porcelain=2", "--branch"),
        )
        assert not list((tmp_path / "trees").rglob(".git")), "work trees are removed"
        status, culprit, points, seen = json.loads(done.stdout)
        assert len(seen) == sum(len(file.read_text()) for file in runs.iterdir()), "every answer is a run of its own"
        return status, culprit, points, seen

    return search


def test_python_and_node_find_the_same_culprit_by_the_same_runs(searched, shop):
    answers = [searched(language, "find_culprit", ["main"], {}) for language in ("python", "node")]
    status, culprit, _, seen = answers[0]
    assert answers[0] == answers[1]
    assert (status, culprit) == ("found", shop.shas[shop.culprits("main")[0].number])
    outcomes = {commit: {outcome for other, outcome in seen if other == commit} for commit, _ in seen}
    assert any(
        "fail" in outcomes[sha] and commit.outcome == "pass"
        for sha, commit in zip(shop.shas, shop.commits, strict=True)
        if sha in outcomes
    ), "the test did flake"


def test_several_red_branches_and_a_flake(searched, shop):
    true = {shop.shas[shop.tips[branch]]: [shop.shas[one.number] for one in shop.culprits(branch)] for branch in RED}
    healthy = shop.culprits("gift-cards")[0].parents[0]
    assert shop.commits[healthy].outcome == "pass"
    branches = [*RED, shop.shas[healthy]]
    answers = [searched(language, "find_regressions", branches, {"search": "bayes"}) for language in ("python", "node")]
    assert answers[0] == answers[1]
    status, _, points, _ = answers[0]
    blamed = {leaf: candidates or [bad] for bad, candidates, leaves in points for leaf in leaves}
    assert status == "ambiguous", "one culprit stands behind commits that do not run"
    assert {leaf: sorted(commits) for leaf, commits in blamed.items()} == {
        leaf: sorted(commits) for leaf, commits in true.items()
    }
    assert shop.shas[healthy] not in blamed
