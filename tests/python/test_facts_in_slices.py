"""Slices of a small history with pytest, guided by facts and coverage."""

import json
import sys
from pathlib import Path

import pytest
from test_repository import git

import firstbad as fb

ROOT = Path(__file__).parents[2]
STEPS = 6
NEEDED = (1, 4)
"""The changes that the test needs."""


def module(number, steps):
    """The content of a module after `steps` commits, with one function each. A needed function calls the next one."""
    body = "count + 1" if number < steps else "count"
    return f"def step{number}(count):\n    return {body}\n"


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q", "-b", "main")
    (folder / "shop").mkdir()
    (folder / "shop/__init__.py").write_text("")
    for steps in range(STEPS + 1):
        for number in range(STEPS):
            (folder / f"shop/m{number}.py").write_text(module(number, steps))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", f"step {steps}")
        if steps == 0:
            git(folder, "tag", "v1")
    used = "".join(f"from shop.m{number} import step{number}\n" for number in range(STEPS))
    calls = "\n".join(f"    step{number}(1)" for number in range(0, STEPS, 2))
    wanted = " and ".join(f"step{number}(1) == 2" for number in NEEDED)
    (folder / "test_shop.py").write_text(f"{used}\n\ndef test_shop():\n{calls}\n    assert {wanted}\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "the test")
    return fb.Repository(folder)


@pytest.fixture(scope="module")
def commits(repository):
    return git(repository.path, "rev-list", "--reverse", "v1..main").split()


def sliced(repository, facts, tmp_path, **options):
    """Returns the report, and the facts of each run in the journal, which repeats facts by number."""
    command = [
        sys.executable,
        "-B",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "firstbad_facts.pytest_plugin",
    ]
    env = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT / "python")}
    journal = tmp_path / f"{options}-{facts}.jsonl"
    with repository.command_oracle(command + ["--firstbad-facts"] * facts, env=env, preset="pytest") as oracle:
        report = fb.slice_history(
            repository,
            oracle,
            base="v1",
            tip="main",
            paths=["shop"],
            tests=["test_shop.py"],
            journal=journal,
            **options,
        )
    events = [json.loads(line) for line in journal.read_text().splitlines()]
    written = [event["facts"] for event in events if "facts" in event]
    return report, written


@pytest.mark.parametrize("algorithm", ["auto", "definer"])
def test_facts_arrive_and_cost_no_run(repository, commits, tmp_path, algorithm):
    scheme = {"scheme": "neg"} if algorithm == "definer" else {}
    without, none = sliced(repository, False, tmp_path, algorithm=algorithm, **scheme)
    report, facts = sliced(repository, True, tmp_path, algorithm=algorithm, **scheme)
    assert report.commits == without.commits == tuple(commits[number] for number in NEEDED)
    assert report.guarantee == "1-minimal"
    assert not none
    shown = [seen.signals["facts"] for seen in report.observations if "facts" in (seen.signals or {})]
    assert len(facts) == len(shown) == report.runs
    every = [fact for run in shown for fact in run]
    once = [fact for run in facts for fact in run if isinstance(fact, dict)]
    assert [once[fact] if isinstance(fact, int) else fact for run in facts for fact in run] == every
    assert len(once) == len({json.dumps(fact, sort_keys=True) for fact in once}) < len(every) / 2
    # The definitions that the test calls, and no others.
    places = {(fact["file"], fact["name"]) for fact in shown[0]}
    assert places == {(f"shop/m{number}.py", f"step{number}") for number in {*range(0, STEPS, 2), *NEEDED}}
    result = {"file": "shop/m1.py", "name": "step1", "variable": "return", "kind": "constant", "values": [2]}
    assert result in shown[0]
    assert report.runs <= without.runs


def test_coverage_is_a_start(repository, commits, tmp_path):
    covered = {f"shop/m{number}.py": [1, 2] if number % 2 == 0 or number in NEEDED else [1] for number in range(STEPS)}
    report = tmp_path / "covered.json"
    report.write_text(json.dumps(covered))
    within = {"base": "v1", "tip": "main", "paths": ["shop"], "tests": ["test_shop.py"]}

    def oracle(probe):
        changed = {
            int(file.path.removeprefix("shop/m")[0]) for file in probe.patch.files if file.path.startswith("shop/")
        }
        return set(NEEDED) <= changed

    whole = tuple(commits[number] for number in sorted({*range(0, STEPS, 2), *NEEDED}))
    for given in (report, str(report), [report], {"paths": report, "format": "lines", "root": None}):
        found = fb.slice_history(repository, oracle, **within, coverage=given, algorithm="coverage")
        assert found.commits == whole
        assert found.runs == 3
    found = fb.slice_history(repository, oracle, **within, coverage=report)
    assert found.commits == tuple(commits[number] for number in NEEDED)
    for options, words in [
        ({"coverage": report, "start": [0]}, r"start: \[0\] .*expected either a start or coverage"),
        ({"coverage": 5}, "coverage: 5"),
        ({"coverage": {"format": "lcov"}}, "coverage.paths: "),
        ({"coverage": {"paths": [report], "format": "gcov"}}, 'coverage.format: "gcov"'),
        ({"coverage": {"paths": report, "root": "../x"}}, "coverage.root: "),
        ({"coverage": repository.path / "shop/m1.py"}, "coverage: "),
    ]:
        with pytest.raises(fb.InvalidArgumentError, match=words):
            fb.slice_history(repository, oracle, **within, **options)
