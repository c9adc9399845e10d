"""Git repositories: their graphs and command oracles."""

import asyncio
import copy
import json
import os
import pickle
import shutil
import subprocess
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import firstbad as fb

ENVIRONMENT = {
    **os.environ,
    "GIT_AUTHOR_NAME": "n",
    "GIT_AUTHOR_EMAIL": "e@x",
    "GIT_COMMITTER_NAME": "n",
    "GIT_COMMITTER_EMAIL": "e@x",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def git(folder, *arguments):
    done = subprocess.run(["git", *arguments], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Ten commits on main. The file `value` is bad from the sixth commit on."""
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q", "-b", "main")
    for number in range(10):
        (folder / "value").write_text("good\n" if number < 6 else "bad\n")
        (folder / "number").write_text(f"{number}\n")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", str(number))
        git(folder, "tag", f"v{number}")
    git(folder, "checkout", "-q", "-b", "topic", "v3")
    git(folder, "commit", "-q", "--allow-empty", "-m", "topic")
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", "-m", "merge", "topic")
    return folder


class Says:
    """An oracle that reads the repository, for use in other processes."""

    def __init__(self, repository):
        self.repository = repository

    def __call__(self, revision):
        return self.repository.read({"read": "file", "revision": revision, "path": "value"}) == b"good\n"


def test_a_repository_is_opened_again_in_other_processes(folder):
    repository = fb.Repository(folder / ".git" / "..", fetch=True)
    for again in (pickle.loads(pickle.dumps(repository)), copy.deepcopy(repository)):
        assert (again.path, again._fetch, again.resolve("main")) == (repository.path, True, repository.resolve("main"))
    graph = repository.graph("main")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        report = fb.find_regressions(graph, Says(repository), bad="main", good="v0", executor=pool)
    assert report.points[0].bad == repository.resolve("v6")
    assert copy.deepcopy(graph) is graph


def told(graph):
    """Finds the first bad revision of a pickled graph in another process."""
    place = graph.ids.index(graph.resolve("v6"))
    return fb.find_regressions(graph, lambda revision: graph.ids.index(revision) < place, bad="main", good="v0")


def test_a_graph_from_git_can_be_pickled(folder):
    repository = fb.Repository(folder)
    graph = repository.graph(["main"], exclude="v1", first_parent=True, paths=["value"])
    again = pickle.loads(pickle.dumps(graph))
    assert again.ids == graph.ids
    assert again.to_json() == graph.to_json(), "times, branches, and where it was read from"
    names = ("main", "v6", graph.ids[-1][:10])
    assert [again.resolve(name) for name in names] == [graph.resolve(name) for name in names]
    assert again._core.repository == graph._core.repository == str(folder)
    whole = repository.graph("main")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        report = pool.submit(told, whole).result()
    assert report.points[0].bad == repository.resolve("v6")


def test_references_to_the_checkout_give_a_warning(folder):
    repository = fb.Repository(folder)
    with pytest.warns(RuntimeWarning, match="checkout"), repository.command_oracle(["make", "-C", folder]):
        pass
    script = 'echo "$FIRSTBAD_REPOSITORY/value"'
    with (
        repository.command_oracle(["sh", "-c", script]) as oracle,
        pytest.warns(RuntimeWarning, match="a file in your checkout"),
    ):
        oracle("main")


def test_filters_run_only_if_allowed(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    for name in ("clean", "smudge"):
        git(tmp_path, "config", f"filter.rot.{name}", "tr a-z n-za-m")
    (tmp_path / ".gitattributes").write_text("key filter=rot\n")
    (tmp_path / "key").write_text("hello\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    repository = fb.Repository(tmp_path)
    with (
        pytest.warns(RuntimeWarning, match="allow_filters=True"),
        repository.command_oracle(["grep", "-q", "hello", "key"]) as oracle,
    ):
        assert oracle("main").outcome == "fail"
    with repository.command_oracle(["grep", "-q", "hello", "key"], allow_filters=True) as oracle:
        assert oracle("main").outcome == "pass"


def test_the_preset_follows_the_command(folder, tmp_path):
    runner = tmp_path / "pytest"
    runner.write_text("#!/bin/sh\nexit 5\n")
    runner.chmod(0o755)
    outcomes = []
    for options in ({}, {"preset": "none"}, {"preset": None}, {"preset": "pytest"}):
        with fb.Repository(folder).command_oracle([runner], **options) as oracle:
            outcomes.append(oracle("main").outcome.value)
    assert outcomes == ["unresolved", "fail", "unresolved", "unresolved"]


def test_a_date_means_the_last_revision_before_it(folder):
    repository = fb.Repository(folder)
    with pytest.raises(fb.UnknownRevisionError, match="--before="):
        repository.resolve("2023-11-14")


def test_a_graph_does_not_need_its_repository(folder, tmp_path):
    moved = tmp_path / "moved"
    shutil.copytree(folder, moved)
    graph = fb.CommitGraph.from_git(moved)
    text = graph.to_json()
    shutil.rmtree(moved)
    again = fb.CommitGraph.from_json(text)
    assert (again.ids, again.resolve("main")) == (graph.ids, graph.resolve("main"))
    foreign = json.loads(text)
    foreign["origin"]["tips"] = ["--output=x"]
    with pytest.raises(
        fb.InvalidArgumentError, match=r"text: \"--output=x\" among the ids of its origin, which are full"
    ):
        fb.CommitGraph.from_json(json.dumps(foreign))
    with pytest.raises(fb.InvalidArgumentError, match="expected a commit graph that was written as JSON"):
        fb.CommitGraph.from_json("{}")


@pytest.fixture
def oracles(folder, tmp_path):
    """Creates oracles and cleans up."""
    made = []

    def make(command, **options):
        options = {"worktrees": tmp_path / "trees", "output_dir": tmp_path / "output", **options}
        made.append(fb.Repository(folder).command_oracle(command, **options))
        return made[-1]

    yield make
    for oracle in made:
        oracle.close()


def _waits_for_another_tree():
    """A command that waits for a second worktree. With one job, only the preparation of worktrees creates one."""
    return ["sh", "-c", "until [ $(ls -d ../tree-*/ | wc -l) -ge 2 ]; do :; done; grep -q good value"]


def test_the_next_revision_is_checked_out_during_a_test(folder, oracles):
    graph = fb.Repository(folder).graph("main")
    oracle = oracles(_waits_for_another_tree(), timeout=60)
    found = fb.find_regressions(graph, oracle, bad="main", good="v0")
    assert [point.bad for point in found.points] == [fb.Repository(folder).resolve("v6")]
    assert {observed.outcome for observed in found.observations} == {fb.Outcome.PASS, fb.Outcome.FAIL}


def test_the_next_revision_is_checked_out_during_an_async_test(folder, oracles):
    graph = fb.Repository(folder).graph("main")
    oracle = oracles(_waits_for_another_tree(), timeout=60)
    found = asyncio.run(fb.find_regressions_async(graph, oracle, bad="main", good="v0"))
    assert [point.bad for point in found.points] == [fb.Repository(folder).resolve("v6")]


def test_a_failed_machine_is_retried(folder, oracles, tmp_path):
    graph = fb.Repository(folder).graph("main")
    runs = tmp_path / "runs"
    # Every second time, the requirements cannot be fetched.
    fetch = f"echo run >> '{runs}'; test $(($(wc -l < '{runs}') % 2)) = 0 || exit 75"
    oracle = oracles(["grep", "-q", "good", "value"], setup=["sh", "-c", fetch], exit_codes={75: "retry"})
    found = fb.find_regressions(graph, oracle, bad="main", good="v0")
    assert [point.bad for point in found.points] == [fb.Repository(folder).resolve("v6")]
    assert len(runs.read_text().splitlines()) == 2 * found.runs
    with pytest.raises(fb.Retry, match=r"the machine failed at revision .*setup: exit code 75"):
        oracles(["true"], setup=["sh", "-c", "exit 75"], exit_codes={75: "retry"})("main")


def test_a_journal_belongs_to_one_search(folder, tmp_path):
    repository = fb.Repository(folder)
    path = tmp_path / "run.jsonl"
    fb.find_regressions(repository.graph("main"), lambda _: True, bad="main", good="v0", journal=path)
    with pytest.raises(fb.JournalError, match=r"Its bad is \[.*\], not \[") as caught:
        fb.find_regressions(repository.graph("main"), lambda _: True, bad="main~1", good="v0", journal=path)
    assert "shallow" not in str(caught.value)
    assert "other commits" not in str(caught.value)
    # The message says how to read the missing part of the graph.
    with pytest.raises(
        fb.InvalidArgumentError, match=r"it is not an ancestor of the graph's tips\nhelp: also name it as a tip"
    ):
        fb.find_regressions(repository.graph("v0"), lambda _: True, bad="main", good="v0")


def test_a_journal_belongs_to_one_command(folder, oracles, tmp_path):
    graph = fb.Repository(folder).graph("main")
    path = tmp_path / "run.jsonl"
    test = ["grep", "-q", "good", "value"]

    def call(oracle, **more):
        return fb.find_regressions(graph, oracle, bad="main", good="v0", journal=path, **more)

    assert call(oracles(test, exit_codes={3: "fail"}), budget=2).status == "budget"
    before = path.read_bytes()
    for other, words in [
        (
            oracles(["true"]),
            r"""Its command is \["grep","-q","good","value"\], not \["true"\]. Its exit_codes is """,
        ),
        (oracles(test, exit_codes={3: "stop"}), r"""Its exit_codes is {"3":"fail"}, not {"3":"stop"}"""),
        (oracles(test, exit_codes={3: "fail"}, fail_pattern="x"), 'Its fail_pattern is set only in this run, to "x"'),
        (oracles(test, exit_codes={3: "fail"}, setup=["true"]), r"Its setup is set only in this run, to \["),
        (oracles(test, exit_codes={3: "fail"}, env={"A": "secret"}), "Its env is set only in this run"),
        (lambda revision: True, "it was recorded with the command .*, not with a function"),
    ]:
        with pytest.raises(fb.JournalError, match=words) as caught:
            call(other)
        assert caught.value.code == "journal"
        assert "secret" not in str(caught.value)
        assert path.read_bytes() == before
    # With the ask/tell interface, only another command is refused.
    with fb.Session.open(path, fb.RegressionSearch(graph, bad="main", good="v0")) as session:
        with pytest.raises(fb.JournalError, match="was recorded with another test"):
            fb.run(session, oracles(["true"]))
        assert session.runs == 2
        fb.run(session, lambda revision: int(git(folder, "show", f"{revision}:number")) < 6, budget=3)
    assert [point.bad for point in call(oracles(test, exit_codes={3: "fail"})).points] == [
        git(folder, "rev-parse", "v6")
    ]
    # By default, a crash stops the run, so no outcome is stored.
    assert call(oracles(test, exit_codes={3: "fail"}, on_signal="fail")).status == "found"
    with pytest.raises(fb.JournalError, match='Its on_signal is "fail", not "pass"'):
        call(oracles(test, exit_codes={3: "fail"}, on_signal="pass"))


def test_revision_names_cannot_run_programs(tmp_path):
    folder, mark, monitor = tmp_path / "repository", tmp_path / "mark", tmp_path / "monitor"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "a.py").write_text("1\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "1")
    monitor.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    monitor.chmod(0o755)
    git(folder, "config", "core.fsmonitor", str(monitor))
    repo = fb.Repository(folder)
    for look in (repo.resolve, repo.tree_ids, lambda name: repo.diff(name, "main"), lambda name: repo.graph([name])):
        with pytest.raises(fb.UnknownRevisionError):
            look(":a.py")
        assert not mark.exists()
    git(folder, "rev-parse", ":a.py")
    assert mark.exists(), "git by itself does run it"


def test_a_journal_of_a_cause_belongs_to_one_command(folder, oracles, tmp_path):
    repo = fb.Repository(folder)
    options = {"journal": tmp_path / "cause.jsonl"}
    repo.minimize_commit("v6", oracles(["grep", "-q", "good", "value"]), **options)
    with pytest.raises(fb.JournalError, match="was recorded with another test"):
        repo.minimize_commit("v6", oracles(["false"]), **options)


def test_an_endpoint_outside_the_paths_is_not_the_culprit(folder, oracles):
    repo = fb.Repository(folder)
    graph = repo.graph(["v9", "v1"], paths="value")
    oracle = oracles(["sh", "-c", 'test "$(cat number)" -lt 8'])
    [point] = fb.find_regressions(graph, oracle, bad="v9", good="v1").points
    assert (point.good, point.bad) == (repo.resolve("v6"), repo.resolve("v9"))
    assert (point.outside_paths, point.candidates) == (True, (point.bad,))
    assert "it does not touch the paths, and the commits between were not considered" in str(point)
    [point] = fb.find_regressions(graph, oracles(["grep", "-q", "good", "value"]), bad="v9", good="v1").points
    assert (point.bad, point.outside_paths, point.candidates) == (repo.resolve("v6"), False, ())
    report = fb.find_culprit(graph, oracle, bad="v9", good="v1", flake_rate=0.01)
    assert report.culprit == repo.resolve("v9")
    assert "touches none of the paths. The culprit may be an earlier commit that was not considered" in str(report)
    with pytest.raises(fb.InvalidArgumentError, match=r'paths: \["nothing"\] is not valid'):
        repo.graph("v9", paths="nothing")


def test_graphs_from_git(folder):
    g = fb.CommitGraph.from_git(folder, tips=["main"])
    assert len(g) == 12
    assert set(g.ids) == set(git(folder, "rev-list", "main").split())
    head = git(folder, "rev-parse", "main")
    assert g.leaves == (head,)
    assert list(g.parents("main")) == git(folder, "rev-parse", "main^1", "main^2").split()
    assert g.resolve("v3") == g.resolve(git(folder, "rev-parse", "v3")[:9]) == git(folder, "rev-parse", "v3")
    assert g.is_ancestor("v3", "topic")
    assert g.distance("v9", "main") == 1
    repository = fb.Repository(folder)
    assert list(repository.graph("main").ids) == list(g.ids)
    assert len(repository.graph()) == 12
    assert len(fb.CommitGraph.from_git(folder, ["main"], ["v5"])) == len(repository.graph("main", exclude="v5"))
    assert set(repository.graph("main", first_parent=True).ids) == set(
        git(folder, "rev-list", "--first-parent", "main").split()
    )
    value = repository.graph("v9", paths="value")
    # The tip stays even if it does not touch the path.
    touching = set(git(folder, "rev-list", "v9", "--", "value").split())
    assert set(value.ids) == touching | {git(folder, "rev-parse", "v9")} != touching
    assert repository.resolve("v9~2") == git(folder, "rev-parse", "v7")
    assert str(folder) in repr(repository)


def test_unknown_revisions_are_errors(folder, tmp_path):
    with pytest.raises(fb.GitError) as caught:
        fb.Repository(tmp_path)
    assert caught.value.code == "git"
    repository = fb.Repository(folder)
    for call in (lambda: repository.resolve("nope"), lambda: repository.graph("nope")):
        with pytest.raises(fb.FirstbadError, match="nope"):
            call()


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_command_finds_the_commit(folder, oracles, jobs):
    before = git(folder, "status", "--porcelain"), git(folder, "for-each-ref")
    with oracles(["grep", "-q", "good", "value"]) as oracle:
        report = fb.find_regressions(
            fb.Repository(folder).graph("main"), oracle, bad="main", good="v0", jobs=jobs, prefer="fewest"
        )
    assert report.status == "found"
    assert [point.bad for point in report.points] == [git(folder, "rev-parse", "v6")]
    assert report.points[0].parents_pass
    assert all(seen.seconds is not None and seen.note for seen in report.observations)
    assert (git(folder, "status", "--porcelain"), git(folder, "for-each-ref")) == before
    assert list(oracle.output_dir.glob("*.log"))


def test_exit_codes_of_a_command(oracles):
    def ending(line, **options):
        return oracles(["sh", "-c", line], **options)("main")

    assert ending("exit 0").outcome is fb.Outcome.PASS
    assert ending("exit 1").outcome is fb.Outcome.FAIL
    assert ending("exit 125").outcome is fb.Outcome.UNRESOLVED
    assert ending("exit 3", exit_codes={3: "unresolved"}).outcome is fb.Outcome.UNRESOLVED
    assert ending("exit 127", exit_codes={127: "fail"}).outcome is fb.Outcome.FAIL
    assert ending("kill -9 $$", on_signal="fail").outcome is fb.Outcome.FAIL
    assert ending('test "$MINE" = yes', env={"MINE": "yes"}).outcome is fb.Outcome.PASS
    assert ending("sleep 60", timeout=0.05).outcome is fb.Outcome.UNRESOLVED
    assert ending("sleep 60", timeout=0.05, on_timeout="fail").outcome is fb.Outcome.FAIL
    for line, code, advice in (
        ("exit 127", "command_not_found", 'use exit_codes={127: "unresolved"}'),
        ("kill -9 $$", "command_stopped", "set on_signal or exit_codes to choose an outcome"),
    ):
        with pytest.raises(fb.CommandError) as caught:
            ending(line)
        assert caught.value.code == code
        assert advice in str(caught.value)
    with pytest.raises(fb.CommandError):
        oracles(["/no/such/program"])("main")
    assert oracles(["/no/such/program"], exit_codes={127: "unresolved"})("main").outcome is fb.Outcome.UNRESOLVED


@pytest.fixture
def unpublished(folder):
    """Writes untracked files into the checkout."""
    made = []

    def write(name, text):
        made.append(folder / name)
        made[-1].write_text(text)
        return made[-1]

    yield write
    for path in made:
        path.unlink()


def test_untracked_test_files_are_copied(oracles, unpublished):
    unpublished("check.sh", ". ./helper.sh 2> /dev/null || exit 3\n")
    oracle = oracles(["sh", "check.sh"])
    assert oracle.carried == ("check.sh",)
    assert oracle("v0").outcome is fb.Outcome.FAIL, "its helper is not carried"
    helper = unpublished("helper.sh", "true\n")
    oracle = oracles(["sh", "check.sh"], copy_files=["check.sh", helper])
    assert oracle.carried == ("check.sh", "helper.sh")
    assert oracle("v0").outcome is fb.Outcome.PASS
    oracle = oracles(["sh", "check.sh"], copy_files=False, exit_codes={2: "unresolved", 127: "unresolved"})
    assert (oracle.carried, oracle("v0").outcome) == ((), fb.Outcome.UNRESOLVED)


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("make test", {}, r'\["sh", "-c"'),
        (b"make", {}, r'\["sh", "-c"'),
        ([], {}, "command"),
        (["sleep", 5], {}, "5"),
        (["true"], {"timeout": -1}, "timeout"),
        (["true"], {"on_timeout": "skip"}, "on_timeout"),
        (["true"], {"on_signal": "skip"}, "on_signal"),
        (["true"], {"copy_files": "check.sh"}, 'copy_files: .check.sh. .* "auto", False or a list of paths'),
        (["true"], {"copy_files": True}, "copy_files: True"),
        (["true"], {"copy_files": ["../check.sh"]}, r'copy_files: "\.\./check\.sh" \(it is not inside the checkout'),
        (["true"], {"exit_codes": {1: "skip"}}, "exit_codes"),
        (["true"], {"keep_build": "cold"}, 'keep_build: "cold"'),
        (["true"], {"setup": "npm ci"}, r'setup: .*\nhelp: .*\["sh", "-c"'),
        (["true"], {"setup": ["sleep", 5]}, "setup: 5"),
        (["true"], {"setup": []}, "setup"),
        (["true"], {"configure": "./configure"}, r'configure: .*\nhelp: .*\["sh", "-c"'),
        (["true"], {"build": "make"}, r'build: .*\nhelp: .*\["sh", "-c"'),
        (["true"], {"build": []}, r"build: \[\]"),
        (["true"], {"control": ["a", 5]}, "control: 5"),
        (["true"], {"control": [""]}, "control"),
        (["true"], {"stage_timeout": -1}, "stage_timeout"),
        (["true"], {"pass_pattern": "a("}, r'pass_pattern: "a\(" .* regular expression \(unclosed group\)'),
        (["true"], {"output_limit": 100}, "output_limit: 100 .* at least 4096"),
        (["true"], {"output_limit": -1}, "output_limit: -1"),
        (["true"], {"environment": "conda"}, 'environment: "conda" .* "venv", "uv", "npm", "pnpm"'),
        (["true"], {"environment": 5}, "environment: 5 .* preset's name"),
        (["true"], {"environment": {"files": ["a"]}}, "environment: .*missing field `command`"),
        (["true"], {"environment": {"files": "a", "command": ["b"]}}, "environment.files: 'a' .* list of texts"),
        (["true"], {"environment": {"files": ["/a"], "command": ["b"]}}, 'environment.files: "/a" .* root'),
        (["true"], {"environment": {"files": ["a"], "command": ["b"], "links": []}}, "unknown field `links`"),
        (["true"], {"environment": {"files": ["a"], "command": ["b", 5]}}, r"environment.command: \['b', 5\]"),
        (["true"], {"apply_patches": [5]}, r"apply_patches\[0\]: 5"),
        (["true"], {"apply_patches": 5}, r"apply_patches\[0\]: 5"),
        (["true"], {"fail_pattern": "a("}, r'fail_pattern: "a\(" .* regular expression \(unclosed group\)'),
        (["true"], {"preset": "pytset"}, 'preset: "pytset" .* "pytest"'),
    ],
)
def test_invalid_commands_are_errors(oracles, command, options, words):
    with pytest.raises(fb.InvalidArgumentError, match=words):
        oracles(command, **options)


def printed(seen):
    with open(seen.output) as file:
        return file.read()


def test_revisions_with_the_same_lock_file_share_an_environment(folder, oracles, tmp_path):
    made = tmp_path / "made"
    line = f'echo made >> {made}; mkdir modules; echo x > modules/name; cp other "$FIRSTBAD_ENVIRONMENT/" || true'
    environment = {
        "files": ["no-such.lock"],
        "command": ["sh", "-c", line],
        "link": ["modules"],
        "version": ("echo", "3.11"),
    }
    line = 'test -L modules && test -e "$FIRSTBAD_ENVIRONMENT/modules/name"'
    graph = fb.Repository(folder).graph("main")
    for _ in range(2):
        oracle = oracles(
            ["grep", "-q", "good", "value"],
            setup=["sh", "-c", line],
            environment=environment,
            environments=tmp_path / "environments",
        )
        found = fb.find_regressions(graph, oracle, bad="main", good="v0")
        assert [point.bad for point in found.points] == [fb.Repository(folder).resolve("v6")]
    assert made.read_text() == "made\n"
    broken = oracles(
        ["true"], environment={**environment, "command": ["false"]}, environments=tmp_path / "environments"
    )
    seen = broken("main")
    assert (seen.outcome, seen.stage) == (fb.Outcome.UNRESOLVED, "setup")
    assert seen.note.startswith("environment failed: exit code 1")


def test_the_environment_of_a_command(folder, oracles):
    fix = b"--- a/value\n+++ b/value\n@@ -1 +1 @@\n-bad\n+good\n"
    new = fb.Patch.parse("--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new\n")
    line = 'cat value new; echo "$FIRSTBAD_NEW_WORKTREE"; echo "$FIRSTBAD_REPOSITORY"'
    setup = ["sh", "-c", "echo set up"]
    oracle = oracles(["sh", "-c", line], setup=setup, apply_patches=[fix, new])
    for fresh in ("1", "0"):
        seen = oracle("v7")
        assert seen.outcome is fb.Outcome.PASS
        assert seen.output == str(oracle.output_dir / seen.output.rsplit("/", 1)[-1])
        assert seen.note.endswith(f"; output in {seen.output}")
        first, setup_words, second, *words = printed(seen).splitlines()
        assert (first[:12], setup_words, second[:12]) == ("==> setup: s", "set up", "==> test: sh")
        assert words == ["good", "new", fresh, str(folder)]
    # The first patch does not fit this revision.
    seen = oracles(["true"], apply_patches=[new, "--- a/value\n+++ b/value\n@@ -1 +1 @@\n-worse\n+good\n"])("v7")
    assert seen.outcome is fb.Outcome.UNRESOLVED
    assert seen.note.startswith("fix-up 2 of 2: the patch does not apply to value (hunk 1)")
    assert oracles(["true"], apply_patches=new)("v7").outcome is fb.Outcome.PASS
    with pytest.raises(fb.PatchError, match=r"apply_patches\[0\]"):
        oracles(["true"], apply_patches="fix.patch")
    seen = oracles(["true"], setup=["sleep", "60"], stage_timeout=0.05)("v7")
    assert (seen.outcome, seen.seconds) == (fb.Outcome.UNRESOLVED, None)
    assert "stage_timeout" in seen.signals["doubt"]["help"]
    assert (seen.stage, seen.signature) == (fb.Stage.SETUP, "timeout")


def test_long_output_is_kept_short(oracles):
    line = "echo first; head -c 100000 /dev/zero | tr '\\0' x; echo; echo last"
    words = printed(oracles(["sh", "-c", line], output_limit=4096)("v7"))
    assert len(words) < 6000
    assert (words[:6], words[-6:]) == ("first\n", "\nlast\n")
    assert "bytes of output are left out here" in words


def test_a_failure_must_match_the_pattern(oracles):
    def outcome(line, **options):
        return oracles(["sh", "-c", line], **options)("main").outcome.value

    assert outcome("echo a; echo total is 7; exit 1", fail_pattern=r"^total is \d$") == "fail"
    assert outcome("echo the total is 7; exit 1", fail_pattern=r"^total is \d$") == "unresolved"
    assert outcome("exit 2", preset="pytest") == "unresolved"
    assert outcome("exit 1", preset="pytest") == "fail"
    assert outcome("exit 2", preset="pytest", exit_codes={2: "fail"}) == "fail"


def stages(failing):
    """Returns the commands of all stages. The failing stage exits with 3."""
    names = ("setup", "configure", "build", "control")
    return {name: ["sh", "-c", f"echo error: in {name} 7; exit {3 if name == failing else 0}"] for name in names}


@pytest.mark.parametrize("stage", ["setup", "configure", "build", "control"])
def test_failing_stages(oracles, stage):
    seen = oracles(["false"], **stages(stage))("v7")
    assert (seen.outcome, seen.stage) == (fb.Outcome.UNRESOLVED, fb.Stage(stage))
    assert seen.signature == f"exit code 3: error: in {stage} #"
    assert seen.note == f"{stage} failed: exit code 3; output in {seen.output}"
    assert printed(seen).endswith(f"error: in {stage} 7\n")
    assert str(seen).startswith(f"unresolved (stage {stage}, signature ")


def test_passing_stages(oracles):
    seen = oracles(["false"], **stages(None))("v7")
    assert (seen.outcome, seen.stage, seen.signature) == (fb.Outcome.FAIL, fb.Stage.TEST, None)
    headings = [line.split(":")[0] for line in printed(seen).splitlines() if line.startswith("==>")]
    assert headings == ["==> setup", "==> configure", "==> build", "==> test", "==> control"]
    seen = oracles(["true"], **stages("control"))("v7")
    assert (seen.outcome, seen.stage, seen.signature) == (fb.Outcome.PASS, None, None)


def test_a_pass_must_match_the_pattern(oracles):
    seen = oracles(["echo", "all 12 passed"], pass_pattern=r"^all \d+ passed$")("v7")
    assert (seen.outcome, seen.stage) == (fb.Outcome.PASS, None)
    seen = oracles(["true"], pass_pattern=r"^all \d+ passed$")("v7")
    assert (seen.outcome, seen.stage) == (fb.Outcome.UNRESOLVED, fb.Stage.TEST)
    assert seen.signature.startswith("exit code 0, but the output has no match of ")


def test_failures_have_signatures_on_request(folder, oracles):
    command = ["sh", "-c", "echo Error: $FIRSTBAD_WORKTREE/value has 7 words; exit 1"]
    plain = oracles(command)
    words = "exit code 1: Error: value has # words"
    assert plain("main").signature is None
    assert plain._run_with_signature("main").signature == words
    patch = fb.Repository(folder).diff("v3", "v4")
    assert plain._run_with_signature("v3", patch).signature == words
    assert plain.run_patched("v3", patch).signature is None
    assert oracles(command, distinguish_failures=True)("main").signature == words
    assert oracles(command, distinguish_failures=True, fail_pattern=r"has (\d+)")("main").signature == "exit code 1: 7"


def test_observations_have_the_memory_of_the_test(oracles):
    # A smaller size could be the memory of the test process itself, which a child starts with.
    line = "x=$(head -c 300000000 /dev/zero | tr '\\0' a); echo ${#x}"
    assert oracles(["sh", "-c", line])("v7").memory >= 300_000_000


def test_submodules_and_builds_are_kept_on_request(folder, tmp_path):
    above = tmp_path / "above"
    git(tmp_path, "init", "-q", "-b", "main", above)
    git(above, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", folder, "sub")
    (above / ".gitignore").write_text("*.o\n")
    git(above, "add", ".gitignore")
    git(above, "commit", "-q", "-m", "with a submodule")
    places = {"worktrees": tmp_path / "trees", "output_dir": tmp_path / "output"}
    command = ["sh", "-c", "LC_ALL=C ls sub made.o; touch made.o sub/new"]
    full, kept = "sub:\nnumber\nvalue\n", "made.o\n\n"
    for submodules, keep_build, words in (
        (False, False, ["sub:\n", "sub:\n"]),
        (True, False, [full, full]),
        (True, True, [full, kept + full]),
    ):
        options = {"submodules": submodules, "keep_build": keep_build, **places}
        with fb.Repository(above).command_oracle(command, **options) as oracle:
            seen = [printed(oracle("main")) for _ in words]
        assert [text[text.index("\n") + 1 :] if "cannot" in text else text for text in seen] == words


def test_trees_have_ids(folder):
    repository = fb.Repository(folder)
    tree = git(folder, "rev-parse", "v3^{tree}")
    shas = [git(folder, "rev-parse", name) for name in ("v3", "topic")]
    assert repository.tree_ids(["v3", "topic"]) == [(sha, tree) for sha in shas]
    assert repository.tree_ids("v3") == [(shas[0], tree)]
    with pytest.raises(fb.UnknownRevisionError, match="revisions"):
        repository.tree_ids(["v3", "nope"])


def test_interrupt_and_resume(oracles):
    oracle = oracles(["sh", "-c", "echo started; sleep 60"])
    timer = threading.Timer(0.2, oracle.interrupt)
    timer.start()
    began = time.monotonic()
    with pytest.raises(fb.Interrupted) as caught:
        oracle("main")
    assert caught.value.code == "interrupted"
    with pytest.raises(fb.Interrupted):
        oracle("main")
    assert time.monotonic() - began < 5
    timer.join()


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_oracle_is_usable_after_a_budget_of_seconds(folder, oracles, jobs):
    oracle = oracles(["sh", "-c", 'test -n "$QUICK" || sleep 60'])
    graph = fb.Repository(folder).graph("main")
    began = time.monotonic()
    report = fb.find_regressions(graph, oracle, bad="main", good="v0", jobs=jobs, budget=fb.Budget(seconds=0.3))
    assert time.monotonic() - began < 5
    assert (report.status, report.runs) == ("budget", 0)
    with pytest.raises(fb.CommandError):
        # After `resume`, the command runs again, and is not found.
        oracles(["/no/such/program"])("main")
    oracle.interrupt()
    oracle.resume()


def test_worktrees_are_prepared_in_advance(oracles, tmp_path):
    oracle = oracles(["git", "rev-parse", "HEAD"])
    assert oracle.check_out("v3") is None
    assert len(list(tmp_path.glob("trees/*/*/tree-*/number"))) == 1
    assert not list(oracle.output_dir.iterdir())
    revision = oracle._repository.resolve("v3")
    assert oracle("v3").outcome is fb.Outcome.PASS
    assert (oracle.output_dir / f"{revision}.log").read_text() == f"{revision}\n"
    assert len(list(tmp_path.glob("trees/*/*/tree-*/number"))) == 1
    with pytest.raises(fb.UnknownRevisionError):
        oracle.check_out("nothing")
    oracle.interrupt()
    with pytest.raises(fb.Interrupted):
        oracle.check_out("v3")
    oracle.close()
    with pytest.raises(fb.OracleClosedError):
        oracle.check_out("v3")


def test_a_failed_incremental_build_is_repeated_from_scratch(tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / ".gitignore").write_text("*.o\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "ignore")
    build = ["sh", "-c", "test ! -e made.o && touch made.o"]
    with fb.Repository(folder).command_oracle(["true"], build=build, keep_build=True) as oracle:
        seen = [oracle("main") for _ in range(2)]
    assert [one.outcome for one in seen] == [fb.Outcome.PASS, fb.Outcome.PASS]
    assert ["; after a fresh build, because" in one.note for one in seen] == [False, True]


def test_a_closed_oracle_runs_nothing(oracles):
    oracle = oracles(["true"])
    with oracle:
        assert oracle("main").outcome is fb.Outcome.PASS
    oracle.close()
    with pytest.raises(fb.OracleClosedError):
        oracle("main")


def test_a_repository_is_a_reader(folder):
    repository = fb.Repository(folder)
    base, tip = repository.resolve("v5"), repository.resolve("v6")

    def added(older, newer, text):
        changes = repository.diff(older, newer).changes
        return next(change.index for change in changes if change.text.rstrip() == text)

    deciding = {base: added(base, tip, "bad"), tip: added(tip, base, "good")}

    def oracle(probe):
        return (probe.revision == base) != (deciding[probe.revision] in (probe.changes or ()))

    found = fb.run(fb.Porter(repository.graph("v6"), start=tip), oracle, reader=repository)
    assert (found.good, found.bad) == (base, tip)
    assert [str(part).splitlines()[-1] for part in (found.cause, found.repair)] == ["+bad", "+good"]
    assert found.details["cause"].of == len(repository.diff(base, tip).changes)
    absent = fb.Porter(fb.CommitGraph.linear(["a" * 40, "b" * 40]), start="b" * 40)
    with pytest.raises(fb.UnknownRevisionError, match="a" * 40):
        fb.run(absent, lambda probe: probe.revision == "a" * 40, reader=repository)


def test_a_cherry_picked_change_is_one_finding(tmp_path):
    def commit(name, text):
        (tmp_path / name).write_text(text)
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", f"{name} {text}")
        return git(tmp_path, "rev-parse", "HEAD")

    git(tmp_path, "init", "-q", "-b", "main")
    good = commit("value", "good")
    git(tmp_path, "branch", "next")
    culprit = commit("value", "bad")
    git(tmp_path, "checkout", "-q", "next")
    commit("other", "more")
    git(tmp_path, "cherry-pick", "-x", culprit)
    picked = git(tmp_path, "rev-parse", "HEAD")
    repository = fb.Repository(tmp_path)
    oracle = repository.command_oracle(["grep", "-q", "good", "value"])
    report = fb.find_regressions(repository.graph(), oracle, bad=["main", "next"], good=good)
    assert {point.bad: point.same_change for point in report.points} == {culprit: (picked,), picked: (culprit,)}
    assert "the same change is" in str(report)
    assert str(report).count("First bad commit") == 1
    assert fb.RegressionReport.from_json(report.to_json()) == report
    # Both culprits were tested, so the evidence of the first one is enough.
    assert f"the same change is {picked[:12]} (value bad), on next\n" in str(report)
    commit("other", "later")
    report = fb.find_regressions(repository.graph(), oracle, bad=["main", "next"], good=good, test_endpoints=False)
    # The tip of `main` was not tested, but the same change was.
    assert "  evidence    was given as bad, not tested, " in str(report)
    evidence = "fails here (2 runs), passes at its parent "
    assert f"the same change is {picked[:12]} (value bad), on next (1 step later) ({evidence}" in str(report)
