"""Slices of histories in Git repositories."""

import asyncio
import copy
import json
import pickle
import shutil
import subprocess
import threading

import pytest
from test_repository import git

import firstbad as fb
from firstbad import _native

PLACES = ["zero", "one", "two", "three", "four"]
STEPS = [("zero", "ZERO"), ("zero", "ZERO AGAIN"), ("two", "TWO"), ("three", "THREE"), ("four", "FOUR")]
"""What each commit makes of a line: the second rewrites what the first wrote."""


def app(steps):
    now = dict(zip(PLACES, PLACES, strict=True)) | dict(steps)
    return "".join(f"above {place}\nright above\n{line}\nright below\nbelow {place}\n" for place, line in now.items())


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q", "-b", "main")
    (folder / "src").mkdir()
    (folder / "src/app").write_text(app([]))
    (folder / "NEWS").write_text("news\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "base")
    git(folder, "tag", "v1")
    for number in range(len(STEPS)):
        (folder / "src/app").write_text(app(STEPS[: number + 1]))
        (folder / "NEWS").write_text("".join(f"{n}\n" for n in range(number, -1, -1)) + "news\n")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", f"step {number}")
    (folder / "check").write_text("grep -q 'ZERO AGAIN' src/app && grep -q THREE src/app\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "the test")
    return fb.Repository(folder)


@pytest.fixture(scope="module")
def commits(repository):
    return tuple(git(repository.path, "rev-list", "--reverse", "v1..main").split())


def text(repository, probe):
    """Returns the file with a patch, without a process."""
    read = {"read": "file", "revision": probe.revision, "path": "src/app"}
    before = {"src/app": repository.read(read).decode()}
    part = [change for file in probe.patch.files if file.path == "src/app" for change in file.changes]
    return probe.patch.subset(part).apply(before)["src/app"] if part else before["src/app"]


def needs(repository, *lines):
    return lambda probe: all(line in text(repository, probe) for line in lines)


WITHIN = {"base": "v1", "tip": "main", "paths": ["src"]}


@pytest.mark.parametrize("algorithm", ["auto", "definer", "ddmin", "recursive"])
def test_a_slice_keeps_what_a_behavior_needs(repository, commits, algorithm):
    probes = []

    def oracle(probe):
        probes.append(probe)
        return needs(repository, "ZERO AGAIN", "THREE")(probe)

    found = fb.slice_history(repository, oracle, **WITHIN, algorithm=algorithm)
    assert (found.status, found.guarantee, found.of) == ("found", "1-minimal", 5)
    assert found.commits == (commits[0], commits[1], commits[3])
    assert found.kept == (0, 1, 3)
    # The first commit is a dependency: without it, the second does not merge.
    assert {why.name for why in found.why} == set(found.commits)
    assert found.runs == len(probes) == len({probe.tree for probe in probes})
    assert (probes[0].changes, probes[1].changes) == (commits[:5], ())
    assert {probe.revision for probe in probes} == {repository.resolve("v1")}
    free = [seen for seen in found.observations if not seen.ran]
    assert found.asked - found.runs == len(free)
    assert all(seen.stage == "patch" and seen.signals["conflict"] == 1 for seen in free)
    assert json.loads(found.to_json())["names"] == list(found.commits)
    assert found.details[commits[3]].subject in found.to_text()
    assert f"\n  - `{commits[3][:12]}` `" in found.to_markdown()


def test_a_command_and_tests_from_the_tip(repository, commits):
    with repository.command_oracle(["sh", "check"]) as oracle:
        found = fb.slice_history(repository, oracle, **WITHIN, tests=["check"], jobs=2)
    assert (found.status, found.commits) == ("found", (commits[0], commits[1], commits[3]))
    with repository.command_oracle(["sh", "check"]) as oracle:
        early = fb.slice_history(repository, oracle, **WITHIN, tests=["check"], budget=3)
    assert (early.status, early.runs, early.guarantee) == ("budget", 3, "best so far")


def test_a_slice_becomes_patches_and_a_branch(repository, commits, tmp_path):
    found = fb.slice_history(repository, needs(repository, "TWO", "THREE"), **WITHIN)
    made = found.patches()
    assert [commit.of for commit in made] == [commits[2], commits[3]]
    assert [commit.name for commit in made] == ["0001-step-2.patch", "0002-step-3.patch"]
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repository.path), str(clone))
    git(clone, "checkout", "-q", "v1")
    for commit in made:
        subprocess.run(
            ["git", "-c", "user.name=n", "-c", "user.email=n@example.org", "am", "-q"],
            cwd=clone,
            input=commit.patch,
            check=True,
        )
    assert (clone / "src/app").read_text() == app([("two", "TWO"), ("three", "THREE")])
    tip = found.create_branch("slice/of")
    assert tip == made[-1].made == repository.resolve("slice/of")
    assert git(repository.path, "log", "--format=%s", "v1..slice/of").split("\n") == ["step 3", "step 2"]
    with pytest.raises(fb.InvalidArgumentError, match=r"name: .*expected the name of a new branch"):
        found.create_branch("slice/of")
    with pytest.raises(fb.InvalidArgumentError, match="name: 5 is not valid"):
        found.create_branch(5)
    git(repository.path, "branch", "-D", "slice/of")
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert (again, again.patches()) == (found, made)
    with pytest.raises(fb.InvalidArgumentError, match="expected a report of slice_history"):
        fb.Slicer(3).report().patches()


def test_finer_than_commits(repository, commits):
    oracle = needs(repository, "THREE")
    found = fb.slice_history(repository, oracle, base="v1", tip="main", granularity="file")
    assert found.commits == (f"{commits[3]}:src/app",)
    # Every commit adds to the top of the list, so each depends on the previous one.
    assert len(fb.slice_history(repository, oracle, base="v1", tip="main").commits) == 4


def test_oracles_can_be_coroutine_functions(repository):
    oracle = needs(repository, "TWO")

    async def slowly(probe):
        await asyncio.sleep(0)
        return oracle(probe)

    here = fb.slice_history(repository, oracle, **WITHIN)
    there = asyncio.run(fb.slice_history_async(repository, slowly, **WITHIN))
    assert there.to_json() == here.to_json()


def test_the_commits_that_together_break_the_test(repository, commits):
    def oracle(probe):
        now = text(repository, probe)
        return not ("TWO" in now and "FOUR" in now)

    found = fb.slice_history(repository, oracle, **WITHIN, keep="fail")
    assert found.commits == (commits[2], commits[4])
    assert all(why.outcome == "pass" for why in found.why)


def test_searches_without_a_slice(repository):
    seen = fb.slice_history(repository, lambda probe: False, **WITHIN)
    assert (seen.status, seen.kept, seen.runs) == ("not_reproduced", (), 1)
    for make in (seen.patches, lambda: seen.create_branch("nothing")):
        with pytest.raises(fb.NotReproducedError, match="does not pass"):
            make()
    assert git(repository.path, "branch", "--list", "nothing") == ""
    seen = fb.slice_history(repository, lambda probe: True, **WITHIN)
    assert (seen.status, seen.commits, seen.runs) == ("found", (), 2)
    assert "no change is needed" in seen.message
    seen = fb.slice_history(repository, lambda probe: None, **WITHIN)
    assert (seen.status, seen.runs) == ("untestable", 1)


def test_a_run_killed_after_any_event_resumes_to_the_same_result(repository, tmp_path):
    journal, calls = tmp_path / "run.jsonl", []

    def oracle(probe):
        calls.append(probe)
        return needs(repository, "ZERO AGAIN", "THREE")(probe)

    def search(journal):
        calls.clear()
        return fb.slice_history(repository, oracle, **WITHIN, journal=journal)

    whole, runs = search(journal), len(calls)
    written = journal.read_text().splitlines()
    for kept in range(1, len(written) + 1):
        part = tmp_path / f"part-{kept}.jsonl"
        part.write_text("".join(f"{line}\n" for line in written[:kept]) + '{"torn')
        if (reads := tmp_path / "run.jsonl.reads").exists():
            shutil.copytree(reads, f"{part}.reads")
        found = search(part)
        assert unnumbered(found) == unnumbered(whole)
        assert len(calls) == runs - sum('"told"' in line and '"ran":false' not in line for line in written[:kept])


def unnumbered(report):
    """Returns a report without the numbers of probes, which can change when a probe is asked again."""
    written = json.loads(report.to_json())
    for seen in written["observations"]:
        del seen["probe"]
    return written


def test_outcomes_of_equal_trees_are_shared(repository, tmp_path):
    calls = []

    def oracle(probe):
        calls.append(probe)
        return needs(repository, "TWO")(probe)

    store = fb.OutcomeStore(tmp_path / "store.db", oracle="two")
    first = fb.slice_history(repository, oracle, **WITHIN, store=store)
    runs = len(calls)
    again = fb.slice_history(repository, oracle, **WITHIN, store=store)
    assert (len(calls), again.runs, again.commits) == (runs, 0, first.commits)


def test_several_at_once(repository, commits):
    # The first two probes run in parallel.
    together = threading.Barrier(2, timeout=30)

    def oracle(probe):
        if len(probe.changes) in (0, 5):
            together.wait()
        return needs(repository, "ZERO AGAIN", "THREE")(probe)

    found = fb.slice_history(repository, oracle, **WITHIN, jobs=3)
    assert found.commits == (commits[0], commits[1], commits[3])


async def coroutine(probe):
    return True


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"base": "main"}, fb.InvalidArgumentError, "base: .*expected an ancestor of"),
        ({"base": "nowhere"}, fb.UnknownRevisionError, "nowhere"),
        ({"base": 5}, fb.InvalidArgumentError, "base: 5"),
        ({"paths": ["nothing"]}, fb.InvalidArgumentError, "paths: .*that change between"),
        ({"paths": 5}, fb.InvalidArgumentError, "paths: 5"),
        ({"tests": ["nothing"]}, fb.InvalidArgumentError, "tests: .*expected a file or folder in [0-9a-f]{40}"),
        ({"granularity": "line"}, fb.InvalidArgumentError, "granularity"),
        ({"dependencies": "all"}, fb.InvalidArgumentError, 'dependencies: "all" .*"auto", "hunks", "syntax", "none"'),
        ({"start": [9]}, fb.InvalidArgumentError, "start"),
        ({"algorithm": "coverage"}, fb.InvalidArgumentError, "expected a start or coverage, because"),
        ({"reader": lambda read: b""}, fb.InvalidArgumentError, "reader"),
        ({"store": 5}, fb.InvalidArgumentError, "store: 5"),
        ({"shceme": "neg"}, TypeError, 'did you mean "scheme"'),
        ({"oracle": 5}, fb.InvalidArgumentError, "oracle: 5"),
        ({"oracle": list(range(1000))}, fb.InvalidArgumentError, r"^oracle: .{1,40} is not valid; expected a command"),
        ({"oracle": lambda probe: "yes"}, fb.InvalidArgumentError, r"^oracle, for changes 0-\d+: outcome: 'yes'"),
        (
            {"oracle": coroutine},
            fb.InvalidArgumentError,
            r"^oracle, for changes 0-\d+: .*\nhelp: .* the _async version",
        ),
    ],
)
def test_invalid_arguments_are_errors(repository, options, error, words):
    with pytest.raises(error, match=words):
        fb.slice_history(repository, **{"oracle": lambda probe: True, **WITHIN, **options})


def test_malformed_facts_are_errors(repository):
    def oracle(probe):
        return fb.Observation("pass", signals={"facts": [{"file": "a"}]})

    with pytest.raises(fb.InvalidArgumentError, match="signals/facts/0/name"):
        fb.slice_history(repository, oracle, **WITHIN)


def test_a_sufficient_start_is_used(repository, commits):
    found = fb.slice_history(repository, needs(repository, "TWO"), **WITHIN, start=[2, 4])
    assert (found.commits, found.runs < 6) == ((commits[2],), True)


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """A function that starts to call a function of an earlier commit, and a language without a grammar."""
    folder = tmp_path_factory.mktemp("calls")
    git(folder, "init", "-q", "-b", "main")
    (folder / "app.py").write_text("def total():\n    return 1\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "base")
    git(folder, "tag", "v1")
    used = "from lib import helper\n\n\ndef total():\n    return helper()\n"
    for path, text in [("lib.py", "def helper():\n    return 2\n"), ("A.java", "class A {}\n"), ("app.py", used)]:
        (folder / path).write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", path)
    return fb.Repository(folder)


def well_formed(probe):
    uses, defines = ("return helper()" in str(probe.patch), "def helper" in str(probe.patch))
    return "unresolved" if uses and not defines else uses


def test_changes_depend_on_the_definitions_that_they_use(calls):
    commits = git(calls.path, "rev-list", "--reverse", "v1..main").split()
    reports = [
        fb.slice_history(calls, well_formed, base="v1", tip="main", dependencies=kind)
        for kind in ("none", "hunks", "syntax", "auto")
    ]
    assert {report.commits for report in reports} == {(commits[0], commits[2])}
    [warning] = reports[3].warnings
    assert '"A.java"' in warning
    assert 'the cargo feature "java" has it' in warning
    parts = fb.slice_history(calls, well_formed, base="v1", tip="main", granularity="definition")
    assert f"{commits[2]}:app.py#total" in parts.commits
    assert {name.split("#")[0] for name in parts.commits} == {f"{commits[0]}:lib.py", f"{commits[2]}:app.py"}


def test_definitions_and_coverage(calls):
    slices = _native.Slices(calls._core, json.dumps({"history": {"base": "v1", "tip": "main"}}))
    try:
        assert slices.covered({"lib.py": [2], "A.java": [1]}) == [0, 1]
        assert slices.covered({"app.py": [4]}) == []
        assert ("app.py", "total", "function") in slices.definitions()
    finally:
        slices.close()


@pytest.fixture
def release(tmp_path):
    """A release branch, and a feature on main that needs an earlier commit."""
    git(tmp_path, "init", "-q", "-b", "main")

    def commit(name, text, subject):
        (tmp_path / name).write_text(text)
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", subject)
        return git(tmp_path, "rev-parse", "HEAD").strip()

    commit("app", "base\n", "Base")
    git(tmp_path, "branch", "release")
    shas = [commit("helper", "helper\n", "Helper (#1)"), commit("docs", "docs\n", "Docs")]
    shas.append(commit("feature", "feature\n", "Feature"))
    git(tmp_path, "checkout", "-q", "release")
    commit("version", "1.1\n", "Version 1.1")
    git(tmp_path, "checkout", "-q", "main")
    return fb.Repository(tmp_path), shas


def test_a_commit_is_picked_for_another_branch(release):
    repository, (helper, docs, feature) = release

    def oracle(probe):
        assert probe.revision == onto
        assert feature in probe.changes
        return "+helper" in str(probe.patch)

    onto = git(repository.path, "rev-parse", "release").strip()
    found = fb.slice_history(repository, oracle, onto="release", tip="main")
    assert found.commits == (helper, feature)
    assert found.cherry_pick == f"git cherry-pick -x {helper} {feature}"
    assert found.always == (2,)
    assert f"{feature[:12]} Feature needs #1 (1-minimal, " in found.to_markdown().replace("`", "")
    assert "not needed  1 commit" in found.to_text()
    newest = found.create_branch("picked")
    assert f"(cherry picked from commit {feature})" in git(repository.path, "log", "-1", "--format=%B", newest)
    assert git(repository.path, "merge-base", "release", "picked").strip() == onto
    alone = fb.slice_history(repository, lambda _: True, onto="release", tip="main")
    assert (alone.commits, alone.runs) == ((feature,), 1)
    with pytest.raises(fb.InvalidArgumentError, match='pass onto="release" instead of base'):
        fb.slice_history(repository, oracle, base="release", tip="main")
    with pytest.raises(fb.InvalidArgumentError, match="the branch to pick for as onto"):
        fb.slice_history(repository, oracle, tip="main")
    assert docs not in found.commits
