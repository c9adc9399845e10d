"""One answer, four ways to ask: a notebook, Python, Node, and the command line show the same card."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import firstbad as fb

ROOT = Path(__file__).parents[2]
TEST = ["python3", "check.py"]

NODE = """
import { createRequire } from "node:module";
const fb = createRequire(%s)("firstbad");
const repo = new fb.Repository(".");
const oracle = repo.commandOracle(["python3", "check.py"], { failPattern: "^total" });
const branches = ["main", "gift-cards"];
const report = await fb.findRegressions(repo.graph(branches), oracle, { bad: branches, good: "v1.0" });
await oracle.close();
process.stdout.write(report.toHtml());
"""


def without_chance(page):
    """Without what differs from run to run: how long it took, and where the output is."""
    page = re.sub(r' title="[^"]*; output in [^"]*"', "", page)
    return re.sub(r"[\d.]+\u00a0(ms|s|min|h)\b", "TIME", page)


def test_all_front_ends_show_the_same_card(shop, tmp_path, monkeypatch):
    repository = tmp_path / "shop"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(repository)
    branches = ["main", "gift-cards"]
    repo = fb.Repository(".")
    with repo.command_oracle(TEST, fail_pattern="^total") as oracle:
        report = fb.find_regressions(repo.graph(branches), oracle, bad=branches, good="v1.0")
    page = report.to_html()
    assert "2 causes on 2 red branches" in page
    assert "Round prices to ten cents" in page
    assert "<title>Commit graph" in page
    # What a notebook shows is the card alone.
    assert report._repr_mimebundle_()["text/html"] in page

    def printed(command):
        return subprocess.run(command, cwd=repository, check=False, capture_output=True, text=True, env=os.environ)

    node = printed(["node", "--input-type=module", "-e", NODE % json.dumps(str(ROOT / "node/package.json"))])
    assert node.returncode == 0, node.stderr
    assert without_chance(node.stdout) == without_chance(page)
    ends = ["--good", "v1.0", "--bad", "main", "--bad", "gift-cards", "--fail-pattern", "^total"]
    for words in (
        ["run", *ends, "--journal", "run.jsonl", "--format=html", "-q", "--", *TEST],
        ["report", "run.jsonl", "--format=html"],
    ):
        line = printed([sys.executable, "-m", "firstbad", *words])
        assert line.returncode == 0, line.stderr
        assert without_chance(line.stdout.rstrip("\n")) == without_chance(page.rstrip("\n"))
