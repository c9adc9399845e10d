"""The recipes of docs/ci for red suites, played through: every step they take is taken, in a process of its own."""

import json
import shutil
from pathlib import Path

import pytest
from github_actions import Service
from gitlab_ci import Gitlab
from situations import git

ROOT = Path(__file__).parents[2]
CODE = "def total(prices):\n    return sum(prices)\n\n\ndef name():\n    return 'shop'\n"
TESTS = """
import pytest, shop

@pytest.mark.parametrize("price", [0.5, 0.25])
def test_total(price):
    assert shop.total([price, 1]) == price + 1

def test_name():
    assert shop.name() == "shop"
"""
# A report with a failure that does not happen again.
REPORT = """<testsuite name="pytest">
<testcase classname="test_shop" name="test_total[0.5]"><failure message="assert 2 == 1.5"/></testcase>
<testcase classname="test_shop" name="test_name"/>
<testcase classname="test_shop" name="test_total[0.25]"/>
<testcase classname="test_notes" name="test_notes"><failure message="connection lost"/></testcase>
</testsuite>
"""

pytestmark = pytest.mark.skipif(shutil.which("jq") is None, reason="no jq, which both services have")


class Suite:
    """A repository whose suite is green."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        git(folder, "init", "--quiet", "--initial-branch=main")
        self.commit("Begin", {"shop.py": CODE, "test_shop.py": TESTS, "test_notes.py": "def test_notes():\n    pass\n"})
        git(folder, "tag", "v1.0")

    def commit(self, subject, files=None):
        for name, text in (files or {"notes.txt": subject}).items():
            (self.folder / name).write_text(text)
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        git(self.folder, "add", "--all")
        git(self.folder, *who, "commit", "--quiet", "--message", subject)
        return git(self.folder, "rev-parse", "HEAD").strip()

    def make_red(self):
        """Breaks tests with two commits."""
        self.commit("Write notes")
        code = CODE.replace("'shop'", "'store'")
        name = self.commit("Rename the `shop`", {"shop.py": code})
        self.commit("Write more notes")
        total = self.commit("Round totals", {"shop.py": code.replace("sum(prices)", "round(sum(prices))")})
        return name, total


@pytest.fixture
def suite(tmp_path):
    return Suite(tmp_path / "suite")


def folder_of(repository):
    folder = repository.parent / "service"
    folder.mkdir()
    return folder


def issues(service):
    path = service.tools.folder / "calls/issues.json"
    return json.loads(path.read_text()) if path.exists() else []


def holds_for_issues(service, name, total):
    """Whether there is one issue for each culprit, which the last night updated."""
    found = {issue["title"]: issue for issue in issues(service)}
    assert list(found) == [f"{total[:12]} Round totals", f"{name[:12]} Rename the shop"], "".join(service.tools.log)
    body = found[f"{total[:12]} Round totals"]["body"]
    assert "- `test_shop.py::test_total[0.5]`" in body
    assert "test_name" not in body
    assert body.endswith("</details>\n")
    return [issue["changes"] for issue in found.values()]


def test_github_keeps_one_issue_for_each_culprit_of_a_red_night(suite):
    service = Service(ROOT / "docs/ci/github-nightly.yml", suite.folder, folder_of(suite.folder))
    assert service.dispatch({}).results == {"suite": "success", "issues": "skipped"}, "".join(service.tools.log)
    assert (service.artifacts("1000") / "green/junit.xml").exists()
    name, total = suite.make_red()
    red = service.dispatch({})
    assert red.results == {"suite": "failure", "issues": "success"}, "".join(service.tools.log)
    assert "broken by 2 commits" in red.summary
    assert holds_for_issues(service, name, total) == [1, 1]
    # The next night compares with the same green run.
    suite.commit("Write the last notes")
    service.dispatch({})
    assert holds_for_issues(service, name, total) == [2, 2]


def test_github_has_no_issue_before_the_first_green_night(suite):
    suite.make_red()
    service = Service(ROOT / "docs/ci/github-nightly.yml", suite.folder, folder_of(suite.folder))
    assert service.dispatch({}).results == {"suite": "failure", "issues": "success"}
    assert issues(service) == []


def test_gitlab_keeps_one_issue_for_each_culprit_of_a_red_night(suite):
    service = Gitlab(ROOT / "docs/ci/gitlab-nightly.yml", suite.folder, folder_of(suite.folder))
    assert service.pipeline({}) == {"suite": "success", "issues": "skipped"}, "".join(service.tools.log)
    name, total = suite.make_red()
    for changes in (1, 2):
        assert service.pipeline({}) == {"suite": "failed", "issues": "success"}, "".join(service.tools.log)
        assert holds_for_issues(service, name, total) == [changes, changes]
        suite.commit(f"Write notes after night {changes}")
    assert json.loads((service.artifacts("suite") / "1/firstbad/annotations.json").read_text())


def test_gitlab_has_no_issue_before_the_first_green_night(suite):
    suite.make_red()
    service = Gitlab(ROOT / "docs/ci/gitlab-nightly.yml", suite.folder, folder_of(suite.folder))
    assert service.pipeline({}) == {"suite": "failed", "issues": "success"}, "".join(service.tools.log)
    assert issues(service) == []


def test_the_action_runs_a_triage_of_test_reports(suite):
    _name, total = suite.make_red()
    suite.commit("Keep a report", {"red one.xml": REPORT})
    service = Service(ROOT / "docs/ci/github-action.yml", suite.folder, folder_of(suite.folder))
    *_, step, last = service.plan["jobs"]["find"]["steps"]
    step["with"] |= {"bad-results": "red *.xml\n", "max-runs": "60"}
    outputs = "${{ steps.firstbad.outputs.%s }}"
    last["env"] = {name.upper(): outputs % name for name in ("culprits", "flaky", "verdicts")}
    last["run"] = 'printf "%s\\n" "$CULPRITS" "$FLAKY" "$VERDICTS"'
    run = service.dispatch({"good": "v1.0", "bad": "main", "command": "pytest"})
    assert run.results == {"find": "success"}, "".join(service.tools.log)
    assert f"`{total[:12]}` `Round totals`" in run.summary
    culprits, flaky, verdicts = service.tools.log[-1].splitlines()[1:4]
    assert (culprits, json.loads(flaky)) == (total, ["test_notes.py::test_notes"])
    assert json.loads(verdicts) == [
        {"id": "test_notes.py::test_notes", "verdict": "flaky", "culprit": None},
        {"id": "test_shop.py::test_total[0.5]", "verdict": "broken", "culprit": total},
    ]
    kept = service.artifacts(run.number) / "firstbad-journal"
    assert "<!-- firstbad:fingerprint=" in (kept / "run.jsonl.md").read_text()


def test_the_action_runs_a_triage_of_a_list_of_tests(suite):
    name, _total = suite.make_red()
    suite.commit("Keep a list", {"red.txt": "test_shop.py::test_name\n"})
    service = Service(ROOT / "docs/ci/github-action.yml", suite.folder, folder_of(suite.folder))
    step = service.plan["jobs"]["find"]["steps"][-2]
    step["with"] |= {"tests": "red.txt", "results": "exit"}
    run = service.dispatch({"good": "v1.0", "bad": "main", "command": "pytest {tests} --quiet"})
    assert run.results == {"find": "success"}, "".join(service.tools.log)
    assert f"commit {name}" in service.tools.log[-1]


def test_the_component_runs_a_triage_of_test_reports(suite):
    _name, total = suite.make_red()
    suite.commit("Keep reports", {"red.xml": REPORT})
    given = {"good": "v1.0", "command": "pytest", "bad-results": "red*.xml", "options": "--max-runs 60"}
    service = Gitlab(ROOT / "templates/firstbad.yml", suite.folder, folder_of(suite.folder), inputs=given)
    assert service.pipeline({}) == {"firstbad": "success"}, "".join(service.tools.log)
    kept = service.artifacts("firstbad") / "1/firstbad"
    assert total[:12] in (kept / "report.md").read_text()
    verdicts = {test["id"]: test["verdict"] for test in json.loads((kept / "report.json").read_text())["tests"]}
    assert verdicts == {"test_notes.py::test_notes": "flaky", "test_shop.py::test_total[0.5]": "broken"}
