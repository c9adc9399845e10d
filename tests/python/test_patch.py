"""Patches and their reductions, in memory and in repositories."""

import asyncio
import json
import os
import pickle
import subprocess
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstbad as fb
from firstbad._command_oracle import Revision

TEXT = """\
diff --git a/readme b/readme
index 1111111..2222222 100644
--- a/readme
+++ b/readme
@@ -1,3 +1,4 @@ intro
 one
-two
+2
+2b
 three
@@ -10,2 +11,3 @@
 ten
+10b
 eleven
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+n1
+n2
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-g
diff --git a/old name b/b.txt
similarity index 100%
rename from old name
rename to b.txt
"""

FILES = {
    "readme": "".join(
        f"{line}\n" for line in ("one", "two", "three", "4", "5", "6", "7", "8", "9", "ten", "eleven", "twelve")
    ),
    "run.sh": "exit 0\n",
    "gone.txt": "g\n",
    "old name": "content\n",
    "other": "untouched\n",
}

ENVIRONMENT = {
    **os.environ,
    "GIT_AUTHOR_NAME": "n",
    "GIT_AUTHOR_EMAIL": "e@x",
    "GIT_COMMITTER_NAME": "n",
    "GIT_COMMITTER_EMAIL": "e@x",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@pytest.fixture(scope="module")
def patch():
    return fb.Patch.parse(TEXT)


def adds_n2(part):
    return any((change.kind, change.text) == ("added", "n2") for change in part.changes)


def test_a_patch_has_files_hunks_and_changes(patch):
    assert len(patch) == 11
    assert str(patch) == TEXT
    assert bytes(patch) == TEXT.encode()
    assert repr(patch) == "<Patch: 11 changes in 5 files>"
    assert [(file.path, file.old_path, file.new_path, file.header, list(file.changes)) for file in patch.files] == [
        ("readme", "readme", "readme", (), [0, 1, 2, 3]),
        ("run.sh", "run.sh", "run.sh", ("mode",), [4]),
        ("new.txt", None, "new.txt", ("creation",), [5, 6, 7]),
        ("gone.txt", "gone.txt", None, ("deletion",), [8, 9]),
        ("b.txt", "old name", "b.txt", ("rename",), [10]),
    ]
    assert not any(file.binary for file in patch.files)
    first, second = patch.files[0].hunks
    assert first == fb.Hunk(1, 3, 1, 4, "intro", range(3))
    assert second == fb.Hunk(10, 2, 11, 3, "", range(3, 4))
    assert patch.changes[1] == fb.Change(1, 0, 0, "added", "readme", "2", 2)
    assert patch.changes[3] == fb.Change(3, 0, 1, "added", "readme", "10b", 12)
    assert patch.changes[4] == fb.Change(4, 1, None, "mode", "run.sh", "100644 -> 100755", None)
    assert [change.index for change in patch.changes] == list(patch.origin) == list(range(11))
    assert len(patch.parents) == 11 + 4 + 5
    assert patch.parents[:5] == (11, 11, 11, 12, 16)
    assert patch.dependencies == {6: (5,), 7: (5,), 8: (9,)}


def test_a_subset_knows_its_original_changes(patch):
    part = patch.subset([7, 0, 5])
    assert part.origin == (0, 5, 7)
    assert [change.text for change in part.changes] == ["two", "new.txt", "n2"]
    assert "\n two" not in str(part)
    # A line of a new file needs the creation of the file, and a deletion needs its lines.
    assert patch.subset([7]).origin == patch.subset([8]).origin == ()
    assert len(patch.subset(())) == 0
    assert bytes(patch.subset(range(11))) == bytes(patch)
    assert part.subset([0]).origin == (0,)
    for wrong, words in (([11], "changes: 11"), ([1, 1], "changes: 1"), ([-1], "changes: -1"), (3, r"3 \(int\)")):
        with pytest.raises(fb.InvalidArgumentError, match=words):
            patch.subset(wrong)


def test_patches_are_values(patch):
    same = fb.Patch.parse(TEXT.encode())
    assert same == patch
    assert hash(same) == hash(patch)
    part = patch.subset([1, 2])
    assert part == patch.subset((2, 1)) != patch
    # Its origin differs.
    assert part != fb.Patch.parse(bytes(part))
    assert part != "a text"
    for value in (patch, part, part.subset([1])):
        copied = pickle.loads(pickle.dumps(value))
        assert (copied, copied.origin, bytes(copied)) == (value, value.origin, bytes(value))


def test_applying(patch):
    after = patch.apply(FILES)
    assert after == {
        "b.txt": "content\n",
        "new.txt": "n1\nn2\n",
        "other": "untouched\n",
        "readme": "one\n2\n2b\nthree\n4\n5\n6\n7\n8\n9\nten\n10b\neleven\ntwelve\n",
        "run.sh": "exit 0\n",
    }
    of_bytes = {path: content.encode() for path, content in FILES.items()}
    assert patch.apply(of_bytes) == {path: content.encode() for path, content in after.items()}
    assert patch.subset(()).apply(FILES) == FILES
    with pytest.raises(fb.PatchError, match=r"does not apply to readme") as caught:
        patch.apply({**FILES, "readme": "something else\n"})
    assert caught.value.code == "patch_conflict"
    for wrong, words in (
        ([("readme", "")], r"\(list\)"),
        ({"readme": 5}, r"files\['readme'\]: int"),
        ({"readme": "x", "other": b"x"}, r"files\['readme'\]: str to str"),
        ({1: "x"}, "int to str"),
    ):
        with pytest.raises(fb.InvalidArgumentError, match=words):
            patch.apply(wrong)


def test_errors_contain_no_control_sequences():
    patch = fb.Patch.parse('--- "a/\\033[2Jx"\n+++ "b/\\033[2Jx"\n@@ -1 +1 @@\n-a\n+b\n')
    with pytest.raises(fb.PatchError) as caught:
        patch.apply({})
    assert "does not apply to \\u{1b}[2Jx: " in str(caught.value)


def test_bytes_that_are_not_utf_8_are_kept():
    text = b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\xff\n+\xfe\n"
    patch = fb.Patch.parse(text)
    assert bytes(patch) == text
    assert "\ufffd" in str(patch)
    assert patch.changes[0].text == "\ufffd"
    assert patch.apply({"x": b"\xff\n"}) == {"x": b"\xfe\n"}
    assert patch.apply({"x": "\udcff\n"}) == {"x": "\udcfe\n"}


@pytest.mark.parametrize("text", ["--- a/x\n+++ b/x\n@@ -1,5 +1 @@\n-a\n", "diff --cc x\n", "nothing\n"])
def test_an_invalid_patch_is_rejected_with_its_line(text):
    with pytest.raises(fb.PatchError, match="line") as caught:
        fb.Patch.parse(text)
    assert caught.value.code == "patch_syntax"
    assert isinstance(caught.value, ValueError)


def test_an_empty_text_is_a_patch_without_changes():
    assert len(fb.Patch.parse("")) == 0
    with pytest.raises(fb.InvalidArgumentError, match="int"):
        fb.Patch.parse(5)
    with pytest.raises(fb.InvalidArgumentError, match="items: 0"):
        fb.minimize_patch(fb.Patch.parse(""), adds_n2)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.frozensets(st.integers(0, 10)))
def test_every_subset_applies(taken):
    patch = fb.Patch.parse(TEXT)
    part = patch.subset(taken)
    assert set(part.origin) <= taken
    after = part.apply(FILES)
    assert after["other"] == "untouched\n"
    assert ("n2" in after.get("new.txt", "")) is ({5, 7} <= taken)


@pytest.mark.parametrize(("granularity", "kept"), [("lines", (5, 7)), ("hunks", (5, 6, 7)), ("files", (5, 6, 7))])
def test_a_patch_is_reduced_level_by_level(patch, granularity, kept):
    parts = []

    def interesting(part):
        parts.append(part)
        part.apply(FILES)
        return adds_n2(part)

    report = fb.minimize_patch(patch, interesting, granularity=granularity)
    assert (report.status, report.kept, report.items.origin) == ("found", kept, kept)
    assert isinstance(report.items, fb.Patch)
    assert parts[0] == patch
    # Only parts that can stand alone are tested.
    assert [part.origin for part in parts] == [seen.changes for seen in report.observations]
    assert adds_n2(report.items)


@settings(max_examples=80, derandomize=True, deadline=None)
@given(st.frozensets(st.integers(0, 10), max_size=4), st.integers(1, 4), st.sampled_from(["lines", "hunks", "files"]))
def test_the_difference_is_within_the_patch(needed, k, granularity):
    patch = fb.Patch.parse(TEXT)
    depth = {"files": 1, "hunks": 2, "lines": None}[granularity]
    needed = {*needed, *(other for change in needed for other in patch.dependencies.get(change, ()))}
    for search in (fb.Isolator(patch, depth=depth), fb.Minimizer(patch, depth=depth, guarantee="1-minimal")):
        while not search.done:
            for probe in search.ask(k):
                # Each set can stand alone.
                assert patch.subset(probe.changes).origin == probe.changes
                search.tell(probe.id, needed <= set(probe.changes))
        report = search.report()
        if isinstance(search, fb.Isolator) and not needed:
            assert report.status == "not_reproduced"
            continue
        assert (report.status, report.guarantee) == ("found", "1-minimal")
        assert needed <= set(report.kept)
        if isinstance(search, fb.Isolator):
            assert not needed <= set(report.lacking) < set(report.kept)
            assert set(report.kept) - set(report.lacking) == set(report.difference)
            assert needed & set(report.difference)
        elif granularity == "lines":
            assert needed == set(report.kept)


def test_patches_are_accepted_as_items(patch):
    assert fb.minimize(patch, adds_n2).items == patch.subset([5, 7])
    # The dependencies of the patch, and the given ones.
    assert fb.minimize(patch, adds_n2, dependencies={7: [0, [1, 2]]}).kept in ((0, 1, 5, 7), (0, 2, 5, 7))
    assert fb.minimize(patch, adds_n2, parents=[None] * 11, algorithm="ddmin", guarantee="1-minimal").kept == (5, 7)
    apart = fb.isolate(patch, adds_n2, parents=[None] * 11)
    assert (apart.difference, apart.lacking) == ((7,), (5,))
    assert isinstance(apart.items, fb.Patch)
    assert fb.isolate(patch, adds_n2, depth=1).items.origin == (5, 6, 7)
    search = fb.Minimizer(patch)
    [probe] = search.ask()
    assert patch.subset(probe.changes) == patch
    search.tell(probe.id, True)
    again = fb.Minimizer.restore(patch, search.snapshot())
    assert fb.run(again, adds_n2).items.origin == (5, 7)

    async def main():
        async def interesting(part):
            return adds_n2(part)

        return await fb.minimize_patch_async(patch, interesting, jobs=2, granularity="files")

    assert asyncio.run(main()).kept == (5, 6, 7)


def test_patches_are_sent_to_processes(patch):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert fb.minimize_patch(patch, adds_n2, executor=pool).items.origin == (5, 7)


def test_invalid_arguments_are_errors(patch):
    with pytest.raises(fb.InvalidArgumentError, match='granularity: "words"'):
        fb.minimize_patch(patch, adds_n2, granularity="words")
    with pytest.raises(fb.InvalidArgumentError, match=r"dependencies\[0\]: 1 \(int\)"):
        fb.minimize(patch, adds_n2, dependencies={0: 1})
    with pytest.raises(fb.InvalidArgumentError, match=r"interesting, for changes 0-10: .*3 \(int\)"):
        fb.minimize_patch(patch, lambda part: 3)
    with pytest.raises(fb.InvalidArgumentError, match=r"patch: .*\(str\).*Patch\.parse"):
        fb.minimize_patch(TEXT, adds_n2)
    with pytest.raises(fb.InvalidArgumentError, match=r"patch: .*\(str\).*Patch\.parse"):
        asyncio.run(fb.minimize_patch_async(TEXT, adds_n2))
    for options, words in (({"depth": 1}, "depth: 1 .*granularity"), ({"parents": [None] * 11}, "parents: .*tree")):
        with pytest.raises(fb.InvalidArgumentError, match=words):
            fb.minimize_patch(patch, adds_n2, **options)
        with pytest.raises(fb.InvalidArgumentError, match=words):
            asyncio.run(fb.minimize_patch_async(patch, adds_n2, **options))
    # The caller chooses the outcome to keep.
    assert fb.minimize_patch(patch, lambda part: not adds_n2(part), keep="fail").kept == (5, 7)


def git(folder, *arguments):
    done = subprocess.run(["git", *arguments], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Six commits on main. The fourth, v3, breaks the test in one line of many."""
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q", "-b", "main")
    for number in range(6):
        (folder / "number").write_text(f"{number}\n")
        broken = number >= 3
        lines = [f"line {line}{' changed' if broken and line % 3 == 0 else ''}\n" for line in range(20)]
        if broken:
            lines.insert(10, "BUG\n")
            (folder / "added").write_text("new\n")
        (folder / "code").write_text("".join(lines))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", str(number))
        git(folder, "tag", f"v{number}")
    return folder


@pytest.fixture
def oracle(folder, tmp_path):
    """Passes without BUG, and is unresolved without the file `code`."""
    line = "test -f code || exit 125; ! grep -q BUG code"
    with fb.Repository(folder).command_oracle(
        ["sh", "-c", line], worktrees=tmp_path / "trees", output_dir=tmp_path / "output"
    ) as oracle:
        yield oracle


def test_the_patch_between_two_revisions(folder):
    repository = fb.Repository(folder)
    patch = repository.diff("v2", "v3")
    assert {file.path for file in patch.files} == {"added", "code", "number"}
    assert len(repository.diff("v3", "v3")) == 0
    with pytest.raises(fb.UnknownRevisionError, match="new"):
        repository.diff("v2", "v99")


def test_a_command_runs_with_a_part_of_a_patch(folder, oracle):
    patch = fb.Repository(folder).diff("v2", "v3")
    assert oracle.run_patched("v2", patch).outcome is fb.Outcome.FAIL
    assert oracle.run_patched("v2", patch.subset(())).outcome is fb.Outcome.PASS
    assert oracle("v2").outcome is fb.Outcome.PASS


def test_a_conflict_is_the_same_observation_everywhere(tmp_path):
    """Rust, Node and the command line have the same test on the same file."""
    case = json.loads((Path(__file__).parents[1] / "patch_conflict.json").read_text())
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / case["file"]).write_text(case["content"])
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    patch = fb.Patch.parse(case["patch"])
    where = {"worktrees": tmp_path / "trees", "output_dir": tmp_path / "output"}
    with fb.Repository(folder).command_oracle(["false"], **where) as oracle:
        expected = fb.Observation(**case["observation"])
        assert oracle.run_patched("HEAD", patch) == expected
        # The same in a reduction.
        assert Revision(oracle, "HEAD")(patch) == expected


def test_a_patch_does_not_remove_user_files(tmp_path):
    """The patch is for another repository, which has a file of the same name as the user's file."""
    mine = tmp_path / "mine"
    mine.write_text("x\n")
    folder = tmp_path / "repository"
    theirs = folder / str(mine).lstrip("/")
    theirs.parent.mkdir(parents=True)
    theirs.write_text("x\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    new = "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n"
    evil = f"diff --git {mine} {mine}\ndeleted file mode 100644\n--- {mine}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    where = {"worktrees": tmp_path / "trees", "output_dir": tmp_path / "output"}
    repository = fb.Repository(folder)
    with (
        repository.command_oracle(["true"], **where) as oracle,
        pytest.raises(fb.PatchError, match=r"line 7: the name .* is absolute"),
    ):
        oracle.run_patched("HEAD", (new + evil).encode())
    with pytest.raises(fb.PatchError, match="is absolute"):
        repository.command_oracle(["true"], apply_patches=[new + evil], **where)
    assert mine.exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_part_of_a_commit_that_breaks_it(folder, oracle, jobs):
    before = git(folder, "status", "--porcelain"), git(folder, "for-each-ref")
    report = fb.Repository(folder).minimize_commit("v3", oracle, jobs=jobs)
    assert (report.status, [change.text for change in report.items.changes]) == ("found", ["BUG"])
    assert all(seen.seconds is not None for seen in report.observations)
    assert (git(folder, "status", "--porcelain"), git(folder, "for-each-ref")) == before
    files = fb.Repository(folder).minimize_commit("v3", oracle, granularity="files")
    assert [file.path for file in files.items.files] == ["code"]


def test_a_budget_of_seconds_ends_commands(folder, tmp_path):
    line = 'test -s "$FIRSTBAD_PATCH" && sleep 60'
    repository = fb.Repository(folder)
    with repository.command_oracle(["sh", "-c", line], worktrees=tmp_path / "t", output_dir=tmp_path / "o") as oracle:
        began = time.monotonic()
        report = repository.minimize_commit("v3", oracle, budget=fb.Budget(seconds=0.3))
        assert time.monotonic() - began < 10
    assert (report.status, report.runs, len(report.items)) == ("budget", 0, len(repository.diff("v2", "v3")))


def test_a_function_can_test_parts_of_a_commit(folder, oracle):
    repository = fb.Repository(folder)

    def passes(part):
        return not any(change.text == "BUG" for change in part.changes)

    async def passes_later(part):
        return passes(part)

    assert len(repository.minimize_commit("v3", passes).items) == 1
    assert len(asyncio.run(repository.minimize_commit_async("v3", passes_later)).items) == 1
    assert len(asyncio.run(repository.minimize_commit_async("v3", oracle)).items) == 1
    # From an older parent, the patch is larger, but the result is the same.
    report = repository.minimize_commit("v5", oracle, parent="v1")
    assert [change.text for change in report.items.changes] == ["BUG"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"keep": "pass"}, "keep: 'pass' .*failure is kept"),
        ({"keep": "fail"}, "keep: 'fail' .*failure is kept"),
        ({"depth": 1}, "depth: 1 .*granularity"),
        ({"parents": [None]}, "parents: .*tree"),
        ({"granularity": "words"}, 'granularity: "words"'),
    ],
)
def test_commit_arguments_cannot_be_options(folder, options, words):
    repository = fb.Repository(folder)
    with pytest.raises(fb.InvalidArgumentError, match=words):
        repository.minimize_commit("v3", pytest.fail, **options)
    with pytest.raises(fb.InvalidArgumentError, match=words):
        asyncio.run(repository.minimize_commit_async("v3", pytest.fail, **options))


def test_a_command_oracle_belongs_to_its_repository(folder, oracle, tmp_path):
    git(folder, "clone", "-q", folder, tmp_path / "copy")
    other = fb.Repository(tmp_path / "copy")
    with pytest.raises(fb.InvalidArgumentError, match=rf"^oracle: .*{folder.name}.*{tmp_path.name}"):
        other.minimize_commit("v3", oracle)


def test_commits_that_break_nothing_are_named(folder, oracle):
    repository = fb.Repository(folder)
    with pytest.raises(fb.NotReproducedError) as caught:
        repository.minimize_commit("v2", oracle)
    assert caught.value.firstbad_search.status == "not_reproduced"
    with pytest.raises(fb.InvalidArgumentError, match="culprit: 'v0'"):
        repository.minimize_commit("v0", oracle)
    with pytest.raises(fb.UnknownRevisionError, match="v99"):
        repository.minimize_commit("v99", oracle)
    with pytest.raises(fb.InvalidArgumentError, match=r"culprit: 'v3'.*has the same files"):
        repository.minimize_commit("v3", oracle, parent="v3")


@pytest.mark.parametrize("jobs", [1, 2])
def test_regressions_are_explained(folder, oracle, jobs):
    graph = fb.Repository(folder).graph("main")
    report = fb.find_regressions(graph, oracle, bad="main", good="v0", explain=True, jobs=jobs)
    [point], [cause] = report.points, report.causes
    assert point.bad == git(folder, "rev-parse", "v3")
    assert (cause.status, [change.text for change in cause.items.changes]) == ("found", ["BUG"])
    assert "1 of" in str(report)
    plain = fb.find_regressions(graph, oracle, bad="main", good="v0")
    assert (plain.causes, plain.points) == ((), report.points)

    async def main():
        return await fb.find_regressions_async(graph, oracle, bad="main", good="v0", explain=True)

    assert asyncio.run(main()).causes[0].kept == cause.kept


def test_the_cause_of_a_flaky_failure_is_confirmed(folder, oracle):
    graph = fb.Repository(folder).graph("main")
    report = fb.find_regressions(graph, oracle, bad="main", good="v0", search="bayes", flake_rate=0.1, explain=True)
    [cause] = report.causes
    assert [change.text for change in cause.items.changes] == ["BUG"]
    assert len({seen.set for seen in cause.observations}) < cause.runs  # sets are asked until they are sure


def test_no_cause_without_a_passing_revision(folder, oracle):
    graph = fb.Repository(folder).graph("main", exclude="v3")
    report = fb.find_regressions(graph, oracle, bad="main", explain=True)
    assert (report.status, report.points, report.causes) == ("no_passing_revision", (), ())
    assert "no passing revision found" in report.message


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """A repository whose last commit is empty."""
    folder = tmp_path_factory.mktemp("empty")
    git(folder, "init", "-q", "-b", "main")
    for number in range(3):
        git(folder, "commit", "-q", "--allow-empty", "-m", str(number))
    return folder


def test_an_empty_patch_has_no_cause(empty, tmp_path):
    repository = fb.Repository(empty)
    good, bad = repository.resolve("main~1"), repository.resolve("main")
    with repository.command_oracle(
        ["sh", "-c", f"test $FIRSTBAD_REVISION != {bad}"], worktrees=tmp_path / "t", output_dir=tmp_path / "o"
    ) as oracle:
        report = fb.find_regressions(repository.graph("main"), oracle, bad="main", explain=True)
    assert ([point.bad for point in report.points], report.causes) == ([bad], (None,))
    assert f"{good} has the same files" in report.message


def test_one_budget_covers_all_searches(folder, oracle):
    graph = fb.Repository(folder).graph("main")
    search = fb.find_regressions(graph, oracle, bad="main", good="v0")
    report = fb.find_regressions(graph, oracle, bad="main", good="v0", explain=True, budget=search.runs + 2)
    [cause] = report.causes
    assert (report.status, cause.status, cause.guarantee, cause.runs) == ("found", "budget", "best so far", 2)
    assert oracle.run_patched(report.points[0].good, cause.items).outcome is fb.Outcome.FAIL


def test_only_commands_can_explain(folder, oracle):
    asked = []
    with pytest.raises(fb.InvalidArgumentError, match=r"explain: True.*command_oracle"):
        fb.find_regressions({"a": [], "b": ["a"]}, asked.append, bad="b", explain=True)
    assert not asked
    # An exception that ends the search has the points.
    graph = fb.Repository(folder).graph("main")
    seen = []

    def stop(step):
        seen.append(step)
        if step.probe is not None and step.probe.changes is not None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        fb.find_regressions(graph, oracle, bad="main", good="v0", explain=True, progress=stop)
    assert len(caught.value.firstbad_report.points) == 1
    assert fb.run(caught.value.firstbad_search, lambda part: "BUG" not in str(part)).status == "found"


def test_hunks_of_a_series_depend_on_the_hunks_that_added_their_lines():
    first = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n one\n+two\n")
    second = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n")
    (_, by_context) = fb.hunk_dependencies([first, second])
    assert by_context == fb.HunkDependency(of=fb.HunkId(1, 0, 0), needs=(fb.HunkId(0, 0, 0),))
    assert fb.hunk_dependencies([first, second], reach="touched")[1].needs == ()
    assert fb.hunk_dependencies([]) == ()
    with pytest.raises(fb.InvalidArgumentError, match="reach: "):
        fb.hunk_dependencies([first], reach="far")
    with pytest.raises(fb.InvalidArgumentError, match="patches: 'text' is not valid"):
        fb.hunk_dependencies(["text"])


def test_a_patch_cannot_be_constructed_from_text():
    with pytest.raises(fb.InvalidArgumentError, match=r"patch: 'x' \(str\) is not valid; expected Patch.parse\(text\)"):
        fb.Patch("x")  # type: ignore[arg-type]


def test_a_patch_without_the_content_of_a_binary_file_reduces_the_rest():
    bare = "diff --git a/logo b/logo\nindex 2222..3333 100644\nBinary files a/logo and b/logo differ\n"
    rest = "--- a/t\n+++ b/t\n@@ -1 +1 @@\n-a\n+b\n"
    patch = fb.Patch.parse(bare + rest)
    with pytest.raises(fb.PatchError, match="logo"):
        patch.apply({"t": "a\n"})
    left = patch.with_content()
    assert (str(left), left.origin) == (rest, (1, 2))
    assert pickle.loads(pickle.dumps(left)) == left
    assert left.with_content() == left
    report = fb.minimize_patch(left, lambda part: "b" in part.apply({"t": "a\n"})["t"])
    assert report.kept == (1,)
