"""The demo, as a stranger runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from history import RED, git

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What the demo prints, and what it found."""
    folder = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, ROOT / "demo/demo.py", "--json", folder / "found.json"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert [file.name for file in folder.iterdir()] == ["found.json"], "the demo leaves nothing behind"
    return done.stdout, json.loads((folder / "found.json").read_text())


def blamed(report, branches):
    """The commits that a report blames for each branch."""
    found = {branch: set() for branch in branches.values()}
    for point in report["points"]:
        for leaf in point["leaves"]:
            found[branches[leaf]] |= set(point["candidates"] or [point["bad"]])
    return {branch: sorted(shas) for branch, shas in found.items()}


def test_python_and_node_agree_and_name_the_true_culprits(run, shop, tmp_path):
    _, found = run
    branches = {git(tmp_path / "shop", "rev-parse", branch).strip(): branch for branch in RED}
    true = {branch: sorted(shas) for branch, shas in found["culprits"].items()}
    assert set(true) == set(RED)
    for program in ("python", "node", "single"):
        assert blamed(found[program], branches) == true, program
        assert found[program]["status"] == "ambiguous"
        assert found[program]["runs"] < sum(answer["runs"] for answer in found["git"])
    points = [
        [sorted((point["good"], point["bad"], point["parents_pass"]) for point in found[program]["points"])]
        for program in ("python", "node", "single")
    ]
    assert points[0] == points[1] == points[2]


def test_the_history_agrees_with_the_test(shop, tmp_path):
    """The ground truth that the demo judges by, held to real runs of the test around every culprit."""
    codes = {"pass": 0, "fail": 1, "unresolved": 125}
    culprits = {commit.number for branch in RED for commit in shop.culprits(branch)}
    around = culprits | {parent for number in culprits for parent in shop.commits[number].parents}
    around |= set(shop.tips.values()) | set(shop.tags.values())
    for number in sorted(around):
        git(tmp_path / "shop", "checkout", "--quiet", shop.shas[number])
        done = subprocess.run([sys.executable, "check.py"], cwd=tmp_path / "shop", capture_output=True, check=False)
        assert done.returncode == codes[shop.commits[number].outcome], shop.commits[number]
    assert len({shop.commits[number].outcome for number in around}) == 3


def test_the_repository_is_the_same_everywhere(shop):
    assert len(shop.commits) == len(set(shop.shas)) == 223
    assert shop.shas[0].startswith("1e9f2131"), "the README's and the docs' outputs name its shas"


def test_the_triage_finds_the_planted_verdicts(run):
    printed, found = run
    assert found["night"]["verdicts"] == found["night"]["planted"]
    assert list(found["night"]["planted"].values()).count("flaky") == 1
    assert "9 tests of main fail since v1.0 (56 commits): 8 broken by 3 commits, 1 flaky" in printed
    assert "9 of 9 verdicts are right" in printed


def test_output_has_no_color_without_a_terminal(run):
    printed, _ = run
    assert "\x1b" not in printed
    assert "Side by side" in printed


def test_the_picture_is_up_to_date(tmp_path):
    subprocess.run([sys.executable, ROOT / "demo/picture.py", tmp_path / "search.svg"], check=True)

    def ours(file):
        # How often git asks depends on its version.
        return [line for line in file.read_text().splitlines() if "git bisect run" not in line]

    assert ours(tmp_path / "search.svg") == ours(ROOT / "docs/images/search.svg"), "run `make picture`"
