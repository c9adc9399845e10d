"""Explanations of regression points: choice of points, options, and the rest of the budget."""

import ast
import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import firstbad as fb
from firstbad import _native

FILE = Path(__file__).parents[1] / "vectors" / "values" / "explanations.json"
ENVIRONMENT = {
    **os.environ,
    **{f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


@pytest.mark.parametrize("vector", json.loads(FILE.read_text())["explanations"], ids=lambda vector: vector["name"])
def test_explanations_are_the_same_everywhere(vector):
    given = (json.dumps(vector[name]) for name in ("configuration", "report", "budget"))
    text = _native.explain(*given)
    assert json.loads(text) == vector["explanation"]
    for told in vector["told"]:
        cause = None if told["cause"] is None else json.dumps(told["cause"])
        text = _native.explained(text, told["place"], cause)
        assert json.loads(text).items() >= told["then"].items()
    with pytest.raises(fb.InvalidArgumentError, match="place: 99"):
        _native.explained(text, 99, None)


def git(folder, *arguments):
    done = subprocess.run(["git", *arguments], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def text(fifth, more=""):
    return "".join(f"{fifth if line == 5 else line}\n" for line in range(1, 11)) + more


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Eight commits on main. The fourth, v3, breaks the test in one line of several."""
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q", "-b", "main")
    for number in range(8):
        (folder / "number").write_text(f"{number}\n")
        (folder / "code").write_text(text("five", "more\nBUG\nand more\n") if number >= 3 else text("5"))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", str(number))
        git(folder, "tag", f"v{number}")
    return folder


@pytest.fixture
def made(folder, tmp_path):
    """Creates command oracles that pass without BUG."""
    where = {"worktrees": tmp_path / "trees", "output_dir": tmp_path / "output"}
    opened = []

    def make(**options):
        oracle = fb.Repository(folder).command_oracle(["sh", "-c", "! grep -q BUG code"], **where, **options)
        opened.append(oracle)
        return oracle

    yield make
    for oracle in opened:
        oracle.close()


@pytest.fixture(params=["run", "run_async"])
def explained(request, folder):
    """Finds regressions with their causes, by the sync and the async function."""
    graph = fb.Repository(folder).graph("main")

    def find(oracle, **options):
        given = {"bad": "main", "good": "v0", "explain": True} | options
        if request.param == "run":
            return fb.find_regressions(graph, oracle, **given)

        async def main():
            return await fb.find_regressions_async(graph, oracle, **given)

        return asyncio.run(main())

    return find


def test_a_flake_rate_of_zero_is_not_estimated(explained, made):
    report = explained(made(), search="bayes", flake_rate=0.0, check_parents=False)
    [cause] = report.causes
    assert (cause.status, [change.text for change in cause.items.changes]) == ("found", ["BUG"])
    # A reliable test runs once for each set.
    assert len({seen.changes for seen in cause.observations}) == cause.runs


def test_causes_are_read_from_json(explained, made):
    report = explained(made())
    again = fb.RegressionReport.from_json(report.to_json())
    [cause], [read] = report.causes, again.causes
    assert (str(read.items), read.kept, read.guarantee, read.runs) == (
        str(cause.items),
        cause.kept,
        cause.guarantee,
        cause.runs,
    )
    assert len(read.observations) > 0
    assert again == report
    assert "that keeps the failure" in again.to_html()
    assert "that keeps the failure" in report.to_html()
    assert again.message == report.message
    for form in ("text", "markdown", "github", "gitlab", "json"):
        assert again._in_form(form) == report._in_form(form)
    assert fb.RegressionReport.from_json(again.to_json()) == again
    text = json.loads(report.to_json())
    text["causes"] = [{"cause": None, "no_cause": "it rained"}]
    dry = fb.RegressionReport.from_json(json.dumps(text))
    assert dry.causes == (None,)
    assert "not found: it rained" in dry.to_text()
    text["causes"][0]["cause"] = {"status": "found"}
    with pytest.raises(fb.InvalidArgumentError, match=r"^text: .* expected a report with its causes, as JSON"):
        fb.RegressionReport.from_json(json.dumps(text))


def test_a_point_of_an_unfinished_search_is_not_explained(explained, made):
    report = explained(made(), search="linear", test_endpoints=True, budget=3)
    [point] = report.points
    assert (report.status, point.good is None) == ("budget", False)
    assert report.causes == (None,)
    assert f"{point.bad} has no cause to find, because the search for it has not finished" in report.message


def test_a_patch_that_does_not_apply_is_unresolved(explained, made):
    fixup = "--- a/code\n+++ b/code\n@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n"
    report = explained(made(apply_patches=fixup))
    [cause] = report.causes
    assert (report.status, cause.status, cause.runs) == ("found", "not_reproduced", 0)
    [seen] = cause.observations
    assert (seen.outcome, seen.ran, "does not apply" in seen.note) == (fb.Outcome.UNRESOLVED, False, True)


def test_a_cost_budget_covers_search_and_explanation(explained, made, monkeypatch):
    def costly(method):
        return lambda *arguments: fb.Observation(method(*arguments).outcome, cost=1.0)

    monkeypatch.setattr(fb.CommandOracle, "__call__", costly(fb.CommandOracle.__call__))
    monkeypatch.setattr(fb.CommandOracle, "_run_with_signature", costly(fb.CommandOracle._run_with_signature))
    first = explained(made(), explain=False).runs
    report = explained(made(), budget=fb.Budget(cost=first + 2.0))
    [cause] = report.causes
    assert (report.status, cause.status, cause.runs) == ("found", "budget", 2)


def test_two_fixes_of_one_commit_have_separate_journals(folder, tmp_path, made):
    git(folder, "checkout", "-q", "-B", "broken", "v4")
    tips = []
    for name in ("one", "two"):
        git(folder, "checkout", "-q", "-B", name, "broken")
        (folder / "code").write_text(text("five", f"{name}\n"))
        git(folder, "commit", "-q", "-a", "-m", f"Repaired: {name}")
        tips.append(git(folder, "rev-parse", "HEAD"))
    graph = fb.Repository(folder).graph(tips, exclude="v3")
    journal = tmp_path / "run.jsonl"
    report = fb.find_regressions(
        graph, made(), bad="v4", good=tips, find="fix", propagate=False, journal=journal, explain=True
    )
    assert [point.good for point in report.points] == tips
    assert [cause.status for cause in report.causes] == ["found", "found"]
    kept = {path.name for path in tmp_path.glob("run.jsonl.cause-*.jsonl")}
    assert kept == {f"run.jsonl.cause-{tip[:12]}.jsonl" for tip in tips}


def program(first, words):
    check = "value=$(sum) || exit 1\n[ \"$value\" = 3 ] || { echo 'error: wrong sum' >&2; exit 1; }\n"
    return f"set -u\n{first}# adds up\nsum() {{\n  {words}\n}}\n{check}"


def test_a_part_that_fails_in_another_way_is_not_the_cause(tmp_path):
    folder = tmp_path / "repository"
    git(tmp_path, "init", "-q", "-b", "main", str(folder))
    for text in (program("", "echo 3"), program("two=2\nthree=3\n", 'echo "$two"')):
        (folder / "prog").write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", "a commit")
    repo = fb.Repository(folder)
    with repo.command_oracle(["sh", "prog"], worktrees=tmp_path / "trees", output_dir=tmp_path / "output") as oracle:
        report = repo.minimize_commit("main", oracle)
        # The comment between the definitions separates them.
        whole = repo.minimize_commit("main", oracle, granularity="definitions")
        assert oracle.run_patched("main~1", report.items).signature is None
    # The second change also fails without the first, because it uses a missing name.
    assert [change.text for change in report.items.changes] == ["two=2", '  echo "$two"']
    [kept] = [seen for seen in report.observations if seen.changes == report.kept]
    assert kept.signature == report.observations[0].signature == "exit code 1: error: wrong sum"
    assert [change.text for change in whole.items.changes] == ["two=2", "  echo 3", '  echo "$two"']


OLD, NEW = (
    f"def total(a, b):\n{body}\n\nassert total(1, 2) == 3, 'wrong sum'\n"
    for body in ("    return (\n        a + b\n    )", "    sums = [\n        a - b,\n    ]\n    return sums[0]")
)


def rewritten(tmp_path):
    """A program, and a commit that rewrites some lines. Half of the commit is rarely a valid program."""
    folder = tmp_path / "repository"
    git(tmp_path, "init", "-q", "-b", "main", str(folder))
    for text in (OLD, NEW):
        (folder / "prog.py").write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", "a commit")
    return fb.Repository(folder)


def test_parts_that_do_not_parse_are_not_run(tmp_path):
    repo = rewritten(tmp_path)
    ran = []

    def passes(part):
        [text] = part.apply({"prog.py": OLD}).values() if len(part) else [OLD]
        ran.append(text)
        try:
            exec(compile(text, "prog.py", "exec"), {})
        except AssertionError:
            return False
        except Exception:
            return None
        return True

    with repo.command_oracle([sys.executable, "-B", "prog.py"], worktrees=tmp_path / "trees") as oracle:
        of_command = repo.minimize_commit("main", oracle)
        graph = repo.graph("main")
        explained = fb.find_regressions(graph, oracle, bad="main", explain=True, journal=tmp_path / "run.jsonl")
    of_function = repo.minimize_commit("main", passes)
    # Replaced lines are never split.
    [cause] = explained.causes
    assert (cause.status, [seen for seen in cause.observations if not seen.ran]) == ("found", [])
    for report in (of_command, of_function):
        assert report.status == "found"
        left_out = [seen for seen in report.observations if not seen.ran]
        assert left_out
        assert {(seen.stage, seen.note) for seen in left_out} == {
            (fb.Stage.PARSE, 'not run: "prog.py" does not parse as Python')
        }
        assert report.runs == len(report.observations) - len(left_out)
        assert not any("SyntaxError" in (seen.signature or "") for seen in report.observations)
    assert all(ast.parse(text) for text in ran)
