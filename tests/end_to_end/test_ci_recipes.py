"""The recipes of docs/ci, played through: every step they take is taken, in a process of its own, until it is found."""

import json
import shutil
import sys
from pathlib import Path

import pytest
import yaml
from github_actions import Service
from gitlab_ci import Gitlab
from situations import git

ROOT = Path(__file__).parents[2]
COMMAND = f"{sys.executable} -B check.py"

pytestmark = pytest.mark.skipif(shutil.which("jq") is None, reason="no jq, which both services have")


@pytest.fixture
def github(shop, tmp_path):
    def make(**trouble):
        folder = tmp_path / "github"
        folder.mkdir()
        return Service(ROOT / "docs/ci/github-actions.yml", tmp_path / "shop", folder, **trouble)

    return make


@pytest.fixture
def gitlab(shop, tmp_path):
    def make(**trouble):
        folder = tmp_path / "gitlab"
        folder.mkdir()
        return Gitlab(ROOT / "docs/ci/gitlab-ci.yml", tmp_path / "shop", folder, **trouble)

    return make


def events(journal):
    return [json.loads(line) for line in journal.read_text().splitlines()[1:]]


def asked_once(journal):
    """Whether no revision was tested again that had its answer, except to confirm it."""
    asked = {event["id"]: event for event in events(journal) if event["event"] == "asked"}
    told = [asked[event["id"]] for event in events(journal) if event["event"] == "told"]
    told = [one["revision"] for one in told if not one.get("confirms")]
    return len(told) == len(set(told))


def culprit(shop):
    return shop.shas[shop.culprits("main")[0].number]


def search(**more):
    return {"good": "v1.0", "bad": "main", "command": COMMAND, **more}


def journal_of(service):
    return service.artifacts(service.runs[-1].number) / "firstbad-journal/run.jsonl"


def test_github_runs_rounds_until_the_culprit_is_found(github, shop):
    service = github()
    last = service.dispatch(search())
    log = "".join(service.tools.log)
    assert last.results == {"ask": "success", "probe": "success", "tell": "success"}, log
    assert culprit(shop)[:12] in last.summary, log
    assert "::" in log, "annotations"
    assert 3 <= len(service.runs) <= 7
    assert all(run.inputs["from"] == before.number for before, run in zip(service.runs, service.runs[1:], strict=False))
    assert asked_once(journal_of(service))


def test_github_repeats_the_probe_of_a_lost_machine(github, shop):
    service = github(lost={(2, 1), (3, 0)})
    last = service.dispatch(search())
    assert [run.results["probe"] for run in service.runs[1:3]] == ["failure", "failure"]
    assert last.results["tell"] == "success", "".join(service.tools.log)
    assert culprit(shop)[:12] in last.summary
    assert asked_once(journal_of(service))
    assert [event["event"] for event in events(journal_of(service))].count("abandoned") >= 2


def test_github_resumes_a_canceled_round_with_its_outcomes(github, shop):
    service = github(cancelled={2: 2})
    cancelled = service.dispatch(search())
    assert cancelled.results == {"": "cancelled", "ask": "success", "probe": "cancelled", "tell": "skipped"}
    had = {path.name for path in service.artifacts(cancelled.number).glob("firstbad-answer-*")}
    assert len(had) == 2
    last = service.dispatch({**search(), "from": cancelled.number})
    assert culprit(shop)[:12] in last.summary, "".join(service.tools.log)
    told = {f"firstbad-answer-{event['id']}" for event in events(journal_of(service)) if event["event"] == "told"}
    assert had <= told
    assert asked_once(journal_of(service))


def test_github_stops_without_outcomes_and_says_how_to_resume(github):
    service = github(lost={(1, 0), (1, 1)})
    last = service.dispatch(search())
    assert (len(service.runs), last.results["tell"]) == (1, "failure")
    assert f"from={last.number}" in service.tools.log[-1]


def test_github_fails_without_a_culprit(github):
    service = github()
    last = service.dispatch(search(command="true"))
    assert last.results["tell"] == "failure"
    assert service.tools.log[-1].endswith("[11]\n")


def test_github_fails_if_the_test_cannot_run(github):
    service = github()
    last = service.dispatch(search(command="no-such-program"))
    assert last.results["tell"] == "failure"
    assert service.tools.log[-1].endswith("[19]\n"), "no end could be tested"
    assert "exit code 127, which means that the command was not found" in journal_of(service).read_text()


# What fails crashes instead.
CRASHING = f"{COMMAND} || kill -SEGV $$"


def test_github_continues_after_a_crash(github, shop):
    service = github()
    last = service.dispatch(search(command=CRASHING, options="--treat signal=fail"))
    assert culprit(shop)[:12] in last.summary, "".join(service.tools.log)
    assert asked_once(journal_of(service))


def test_github_ends_if_a_crash_has_no_outcome(github):
    service = github()
    last = service.dispatch(search(command=CRASHING))
    assert last.results == {"ask": "success", "probe": "success", "tell": "failure"}, "".join(service.tools.log)
    assert service.tools.log[-1].endswith("[19]\n"), "no bad end could be tested"
    assert "which means a crash or a signal" in journal_of(service).read_text()
    rounds = len(service.runs)
    again = service.dispatch({**search(command=CRASHING), "from": last.number})
    assert (again.results["ask"], again.results["probe"], len(service.runs)) == ("success", "skipped", rounds + 1)


def test_github_accepts_valid_outcomes_next_to_an_invalid_one(github, shop):
    service = github(cancelled={2: 2})
    cancelled = service.dispatch(search())
    had = sorted(service.artifacts(cancelled.number).glob("firstbad-answer-*/*"))
    # A disk was full: half an answer, and no end of its line.
    had[0].write_text(had[0].read_text()[:9])
    last = service.dispatch({**search(), "from": cancelled.number})
    assert culprit(shop)[:12] in last.summary, "".join(service.tools.log)
    told = {event["id"] for event in events(journal_of(service)) if event["event"] == "told"}
    ids = [int(path.parent.name.removeprefix("firstbad-answer-")) for path in had]
    assert [id_ in told for id_ in ids] == [False, True]


def test_github_retries_a_failed_machine(github, shop, tmp_path):
    # The first two machines have no network.
    network = tmp_path / "network"
    command = f"echo . >> {network}; test $(wc -l < {network}) -gt 3 || exit 75; {COMMAND}"
    service = github()
    failed = service.dispatch(search(command=command, options="--treat 75=retry"))
    assert failed.results["tell"] == "failure", "no probe was answered"
    last = service.dispatch({**search(command=command, options="--treat 75=retry"), "from": failed.number})
    assert culprit(shop)[:12] in last.summary, "".join(service.tools.log)
    assert asked_once(journal_of(service))


@pytest.fixture
def action(shop, tmp_path):
    """The workflow of one job, with the action."""
    folder = tmp_path / "github"
    folder.mkdir()
    return Service(ROOT / "docs/ci/github-action.yml", tmp_path / "shop", folder)


def test_the_action_finds_the_culprit_in_one_job(action, shop):
    last = action.dispatch(search())
    log = "".join(action.tools.log)
    assert last.results == {"find": "success"}, log
    assert culprit(shop)[:12] in last.summary, log
    assert "::error" in log, "annotations"
    assert f"commit {culprit(shop)}" in action.tools.log[-1], "its output is used by the next step"
    assert asked_once(journal_of(action))


def test_the_action_finds_a_passing_revision(action, shop):
    last = action.dispatch(search(good=""))
    assert last.results == {"find": "success"}, "".join(action.tools.log)
    assert culprit(shop)[:12] in last.summary


def test_the_action_fails_without_a_culprit_and_keeps_the_journal(action):
    last = action.dispatch(search(command="true"))
    assert last.results == {"find": "failure"}
    assert action.tools.log[-1].endswith("[11]\n")
    assert events(journal_of(action))


def test_the_action_passes_every_option(action, shop, monkeypatch):
    plan = yaml.safe_load((ROOT / "action.yml").read_text())
    options = {
        "preset": "pytest", "fail-pattern": "total", "setup": "true", "build": "true", "keep-build": "true",
        "timeout": "60", "treat": "timeout=fail\nsignal=retry\n77=pass", "jobs": "2", "max-runs": "3", "max-time": "1h",
        "flaky": "0.1", "explain": "true", "false-pass-rate": "0.05", "copy": "check.py", "artifact": "",
    }  # fmt: skip
    [step] = [one for one in action.plan["jobs"]["find"]["steps"] if "with" in one and "uses" in one][1:]
    step["with"] |= options
    assert set(plan["inputs"]) == set(options) | {
        "good", "bad", "command", "repository", "environment", "journal", "package",
        "good-results", "bad-results", "tests", "results",
    }  # fmt: skip
    last = action.dispatch(search(good="v1.0\nv1.0~1", bad="main\norigin/gift-cards"))
    assert last.results == {"find": "failure"}
    assert action.tools.log[-1].endswith("[14]\n"), "the budget is used up\n" + "".join(action.tools.log)
    assert not action.artifacts(last.number).exists()
    header = json.loads((action.folder / "machines/1000-find-0/work/firstbad/run.jsonl").read_text().splitlines()[0])
    configuration, test = json.dumps(header["configuration"]), json.dumps(header)
    assert "0.1" in configuration
    assert "0.05" in configuration
    words = (
        '"pytest"',
        '"total"',
        '"keep_build": true',
        "check.py",
        '"on_timeout": "fail"',
        '"on_signal": "retry"',
        '"77": "pass"',
    )
    assert all(word in test for word in words), test


VARIABLES = {"GOOD": "v1.0", "BAD": "origin/main", "COMMAND": COMMAND}


def test_gitlab_finds_the_culprit_in_rounds(gitlab, shop):
    service = gitlab()
    results = service.pipeline(VARIABLES)
    assert set(results.values()) == {"success"}, "".join(service.tools.log)
    assert culprit(shop)[:12] in (service.artifacts("report") / "1/firstbad/report.md").read_text()
    assert asked_once(service.artifacts("report") / "1/firstbad/run.jsonl")


def test_gitlab_repeats_the_probe_of_a_lost_machine(gitlab, shop):
    service = gitlab(lost={(1, "probe 2", 1), (1, "probe 3", 4)})
    results = service.pipeline(VARIABLES)
    assert (results["probe 2"], results["probe 3"], results["report"]) == ("warning", "warning", "success")
    assert culprit(shop)[:12] in (service.artifacts("report") / "1/firstbad/report.md").read_text()


def test_gitlab_resumes_a_canceled_pipeline_from_the_cache(gitlab, shop):
    service = gitlab()
    service.pipeline(VARIABLES, until="probe 3")
    before = events(service.folder / "caches/firstbad-1/firstbad/run.jsonl")
    assert sum(event["event"] == "told" for event in before) >= 4
    results = service.pipeline(VARIABLES)
    assert results["report"] == "success", "".join(service.tools.log)
    journal = service.artifacts("report") / "1/firstbad/run.jsonl"
    assert events(journal)[: len(before)] == before
    assert asked_once(journal)


def test_gitlab_continues_after_a_crash(gitlab, shop):
    service = gitlab()
    results = service.pipeline({**VARIABLES, "COMMAND": CRASHING, "OPTIONS": "--treat signal=fail"})
    assert set(results.values()) == {"success"}, "".join(service.tools.log)
    assert culprit(shop)[:12] in (service.artifacts("report") / "1/firstbad/report.md").read_text()
    crash = {**VARIABLES, "COMMAND": CRASHING, "SEARCH": "2"}
    # One pipeline is enough to see that no bad end can be tested; another one says so, too.
    for code in (19, 19):
        assert service.pipeline(crash)["report"] == "failed"
        assert service.tools.log[-1].endswith(f"[{code}]\n"), "".join(service.tools.log)


def test_gitlab_runs_one_pipeline_for_a_search(gitlab):
    service = gitlab()
    assert list(service.started("web")) == ["search"]
    assert "search" not in service.started("parent_pipeline")


def test_gitlab_rejects_outcomes_of_another_test(gitlab):
    service = gitlab()
    service.pipeline(VARIABLES, until="probe 2")
    journal = service.folder / "caches/firstbad-1/firstbad/run.jsonl"
    before = journal.read_bytes()
    for other in ({"COMMAND": "true"}, {"GOOD": "v1.0~1"}):
        results = service.pipeline(VARIABLES | other)
        assert (results["ask 1"], results["report"]) == ("failed", "skipped")
        assert "Set another SEARCH." in service.tools.log[-1]
        assert journal.read_bytes() == before
    assert set(service.pipeline(VARIABLES | {"GOOD": "v1.0~1", "SEARCH": "2"}).values()) == {"success"}


def test_gitlab_fails_if_more_rounds_are_needed(gitlab):
    service = gitlab(lost={(1, f"probe {round_}", place) for round_ in range(2, 7) for place in range(1, 5)})
    assert service.pipeline(VARIABLES)["report"] == "failed"
    assert service.tools.log[-1].endswith("[16]\n")


def component(shop, tmp_path, **inputs):
    folder = tmp_path / "gitlab"
    folder.mkdir()
    given = {"good": "v1.0", "bad": "origin/main", "command": COMMAND, **inputs}
    return Gitlab(ROOT / "templates/firstbad.yml", tmp_path / "shop", folder, inputs=given)


def test_the_component_finds_the_culprit_in_one_job(shop, tmp_path):
    service = component(shop, tmp_path, options="--jobs 2 --timeout 1m", job="who broke it", stage="after")
    assert service.pipeline({}) == {"who broke it": "success"}, "".join(service.tools.log)
    kept = service.artifacts("who broke it") / "1/firstbad"
    assert culprit(shop)[:12] in (kept / "report.md").read_text()
    assert json.loads((kept / "annotations.json").read_text())
    assert asked_once(kept / "run.jsonl")


def test_the_component_finds_a_passing_revision(shop, tmp_path):
    service = component(shop, tmp_path, good="")
    assert service.pipeline({}) == {"firstbad": "success"}, "".join(service.tools.log)
    assert culprit(shop)[:12] in (service.artifacts("firstbad") / "1/firstbad/report.md").read_text()


def test_the_component_resumes_from_the_cache(shop, tmp_path):
    command = f"test $((1 + 1)) = 2 && {COMMAND}"
    service = component(shop, tmp_path, options="--max-runs 3", command=command)
    assert service.pipeline({}) == {"firstbad": "failed"}
    assert service.tools.log[-1].endswith("[14]\n")
    [cache] = (service.folder / "caches").iterdir()
    before = events(cache / "firstbad/run.jsonl")
    service.plan["firstbad"]["variables"]["OPTIONS"] = ""
    assert service.pipeline({}) == {"firstbad": "success"}, "".join(service.tools.log)
    journal = service.artifacts("firstbad") / "1/firstbad/run.jsonl"
    assert events(journal)[: len(before)] == before
    assert asked_once(journal)


def test_the_component_starts_a_new_search_for_another_commit(shop, tmp_path):
    service = component(shop, tmp_path, bad="HEAD")
    assert service.pipeline({}) == {"firstbad": "success"}, "".join(service.tools.log)
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    git(tmp_path / "shop", *who, "commit", "--quiet", "--allow-empty", "--message", "Next")
    assert service.pipeline({}) == {"firstbad": "success"}, "".join(service.tools.log)
    assert culprit(shop)[:12] in (service.artifacts("firstbad") / "1/firstbad/report.md").read_text()


def test_the_component_does_not_report_another_search(shop, tmp_path):
    service = component(shop, tmp_path)
    assert service.pipeline({}) == {"firstbad": "success"}, "".join(service.tools.log)
    service.plan["firstbad"]["variables"]["GOOD"] = "origin/main~1"
    assert service.pipeline({}) == {"firstbad": "failed"}
    assert "it belongs to another search" in "".join(service.tools.log)
    kept = service.artifacts("firstbad") / "1/firstbad"
    assert [path.name for path in kept.iterdir()] == ["run.jsonl"]
