"""`firstbad slice`, held against Python on the same history: one command judges."""

import json

import pytest
from command_line import IDENTITY, firstbad
from history import git
from test_porting import events, killed
from test_schemas import held

import firstbad as fb

PLACES = ["zero", "one", "two", "three", "four", "five", "six", "seven"]
STEPS = [("zero", "ZERO"), ("zero", "ZERO AGAIN"), *((place, place.upper()) for place in PLACES[1:])]
"""What each commit makes of a line: the second rewrites what the first wrote."""
TEST = ["sh", "-c", "grep -q 'ZERO AGAIN' app && grep -q THREE app && grep -q SIX app"]
NEEDED = [0, 1, 4, 7]


def app(steps):
    now = dict(zip(PLACES, PLACES, strict=True)) | dict(steps)
    return "".join(f"above {place}\nright above\n{line}\nright below\nbelow {place}\n" for place, line in now.items())


@pytest.fixture
def there(tmp_path):
    """The repository."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    for number in range(len(STEPS) + 1):
        (folder / "app").write_text(app(STEPS[:number]))
        git(folder, "add", "app")
        git(folder, *IDENTITY, "commit", "--quiet", f"--message=Step {number}")
    git(folder, "tag", "v1", f"main~{len(STEPS)}")
    return folder


def sliced(there, **options):
    """The same through Python."""
    repository = fb.Repository(there)
    with repository.command_oracle(TEST) as oracle:
        return fb.slice_history(repository, oracle, base="v1", tip="main", **options)


def words(*more):
    return ["slice", "--base", "v1", "--tip", "main", *map(str, more), "--", *TEST]


def shas(there):
    steps = git(there, "rev-list", "--reverse", "v1..main").split()
    return [steps[number] for number in NEEDED]


def unnumbered(written):
    """A report without what differs between two runs, and without what only the command line knows."""
    differs = ("observations", "slice", "run_seconds", "waited", "journal", "repository")
    return {name: value for name, value in written.items() if name not in differs}


@pytest.mark.parametrize("algorithm", ["auto", "definer", "ddmin"])
def test_the_command_line_matches_python(algorithm, there):
    told = firstbad(*words("--json", "--quiet", "--algorithm", algorithm), where=there)

    assert told.returncode == 0, told.stderr
    summary = held("report", told.stdout)
    report = sliced(there, algorithm=algorithm)
    assert summary["names"] == shas(there) == list(report.commits)
    assert unnumbered(summary) == unnumbered(json.loads(report.to_json()))
    assert (summary["runs"], summary["exit_code"]) == (report.runs, 0)


def test_patches_and_a_branch_are_those_of_python(there, tmp_path):
    told = firstbad(*words("--json", "--quiet", "--patches", "patches", "--branch", "feature"), where=there)

    assert told.returncode == 0, told.stderr
    summary = held("report", told.stdout)
    made = sliced(there).patches()
    assert summary["slice"]["branch"] == {"name": "feature", "commit": git(there, "rev-parse", "feature").strip()}
    assert summary["slice"]["branch"]["commit"] == made[-1].made
    assert summary["slice"]["patches"] == [
        f"patches/000{place + 1}-Step-{step + 1}.patch" for place, step in enumerate(NEEDED)
    ]
    assert [(there / path).read_bytes() for path in summary["slice"]["patches"]] == [commit.patch for commit in made]
    again = firstbad(*words("--branch", "feature"), where=there)
    assert (again.returncode, "--branch" in again.stderr) == (2, True), again.stderr


@pytest.mark.parametrize("answers", [1, 6])
def test_a_killed_search_resumes_with_only_its_journal(answers, there, tmp_path):
    whole = sliced(there)
    journal = tmp_path / "slice.journal"
    killed(words("--journal", journal), journal, answers, there)
    told = firstbad("slice", "--journal", journal, "--json", "--quiet", where=there)

    assert told.returncode == 0, told.stderr
    summary = held("report", told.stdout)
    assert summary["names"] == shas(there)
    assert (summary["runs"], summary["asked"]) == (whole.runs, whole.asked)
    assert (
        held("report", firstbad("report", journal, "--json", where=there).stdout)["observations"]
        == summary["observations"]
    )
    assert held("status", firstbad("status", journal, "--json", where=there).stdout)["status"] == "found"
    steps = firstbad("replay", journal, "--json", where=there).stdout.splitlines()
    assert {"asked", "told"} <= {held("replay", step).get("event") for step in steps}


def test_a_journal_resumes_in_python_and_back(there, tmp_path):
    whole = sliced(there)
    journal = tmp_path / "slice.journal"
    begun = firstbad(*words("--journal", journal, "--max-runs", "2", "--quiet"), where=there)
    assert begun.returncode == 14, begun.stderr
    before = len(events(journal, "told"))
    more = sliced(there, journal=journal, budget=5)
    assert (more.status, len(events(journal, "told"))) == ("budget", more.asked)
    assert more.asked > before
    told = firstbad(*words("--journal", journal, "--json", "--quiet"), where=there)

    assert told.returncode == 0, told.stderr
    summary = held("report", told.stdout)
    assert (summary["names"], summary["runs"]) == (list(whole.commits), whole.runs)
    other = ["slice", "--base", "main~3", "--journal", journal, "--", *TEST]
    refused = firstbad(*other, where=there)
    assert refused.returncode == 1
    assert "slice.journal" in refused.stderr


@pytest.mark.parametrize(
    ("test", "code", "status"),
    [("exit 1", 11, "not_reproduced"), ("exit 125", 19, "untestable"), ("exit 0", 0, "found")],
)
def test_searches_without_a_slice(test, code, status, there):
    told = firstbad("slice", "--base", "v1", "--json", "--", "sh", "-c", test, where=there)

    assert told.returncode == code, told.stderr
    summary = held("report", told.stdout)
    assert (summary["status"], summary["names"]) == (status, [])
