"""Incomplete clones, histories of paths, and logs for `git bisect`."""

import os
import re
import subprocess

import pytest
from test_repository import git

import firstbad as fb


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    """Ten commits on main. Every other commit touches `lib`, and the seventh adds `lib/broken`."""
    folder = tmp_path_factory.mktemp("origin")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "uploadpack.allowFilter", "true")
    git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    (folder / "lib").mkdir()
    for number in range(10):
        name = "lib/broken" if number == 6 else "lib/number" if number % 2 == 0 else "notes"
        (folder / name).write_text(f"{number}\n")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", str(number))
    git(folder, "tag", "v0", "main~9")
    return folder


def cloned(origin, folder, how):
    git(folder, "clone", "-q", how, origin.as_uri(), "clone")
    return folder / "clone"


def broken(origin, id):
    tree = subprocess.run(["git", "ls-tree", "-r", id], cwd=origin, check=True, capture_output=True, text=True)
    return "lib/broken" not in tree.stdout


def test_the_boundary_of_a_shallow_clone_is_not_a_root(origin, tmp_path):
    clone = cloned(origin, tmp_path, "--depth=5")
    graph = fb.CommitGraph.from_git(clone)
    words = r"^good: nothing is given, .*shallow.*\nhelp: .*git fetch --unshallow"
    for search in (fb.RegressionSearch, fb.CulpritSearch):
        with pytest.raises(fb.GitError, match=words) as caught:
            search(graph, bad="main", **({} if search is fb.RegressionSearch else {"flake_rate": 0.1}))
        assert caught.value.code == "shallow"
        assert git(origin, "rev-parse", "main~4") in str(caught.value)
    found = fb.find_regressions(graph, lambda id: broken(origin, id), bad="main", good="main~4")
    assert found.points[0].bad == git(origin, "rev-parse", "main~3")


def test_missing_history_is_fetched_if_allowed(origin, tmp_path):
    clone = cloned(origin, tmp_path, "--depth=1")
    assert len(fb.Repository(clone).graph()) == 1
    repository = fb.Repository(clone, fetch=True)
    assert repository.resolve("v0") == git(origin, "rev-parse", "main~9")
    found = fb.find_regressions(repository.graph(), lambda id: broken(origin, id), bad="main")
    assert found.points[0].bad == git(origin, "rev-parse", "main~3")
    (tmp_path / "other").mkdir()
    assert len(fb.CommitGraph.from_git(cloned(origin, tmp_path / "other", "--depth=1"), fetch=True)) == 10


def test_a_partial_clone_fetches_or_gives_advice(origin, tmp_path):
    clone = cloned(origin, tmp_path, "--filter=blob:none")
    old = git(origin, "rev-parse", "main~9")
    places = {"worktrees": tmp_path / "trees", "output_dir": tmp_path / "output"}
    with fb.Repository(clone).command_oracle(["test", "-e", "lib/number"], **places) as oracle:
        with pytest.raises(fb.GitError, match="git fetch --refetch --no-filter") as caught:
            oracle(old)
        assert caught.value.code == "missing_objects"
    with fb.Repository(clone, fetch=True).command_oracle(["test", "-e", "lib/number"], **places) as oracle:
        assert oracle(old).outcome == "pass"


def test_git_lfs_must_be_installed(origin, tmp_path, monkeypatch):
    programs = tmp_path / "programs"
    programs.mkdir()
    git_itself = subprocess.run(["which", "git"], check=True, capture_output=True, text=True).stdout.strip()
    (programs / "git").symlink_to(git_itself)
    monkeypatch.setenv("PATH", os.fspath(programs))
    monkeypatch.setenv(
        "GIT_EXEC_PATH",
        subprocess.run([git_itself, "--exec-path"], check=True, capture_output=True, text=True).stdout.strip(),
    )
    with pytest.raises(fb.InvalidArgumentError, match="git-lfs on this machine"):
        fb.Repository(origin).command_oracle(["true"], lfs=True, worktrees=tmp_path / "trees")


def test_endpoints_outside_the_paths_are_reported(origin):
    ends = {"bad": git(origin, "rev-parse", "main"), "good": git(origin, "rev-parse", "main~8")}
    graph = fb.CommitGraph.from_git(origin, tips=list(ends.values()), paths="lib")
    assert len(graph) == 7
    report = fb.find_regressions(graph, lambda id: broken(origin, id), **ends)
    point = report.points[0]
    assert (point.bad, point.parents_pass) == (git(origin, "rev-parse", "main~3"), False)
    assert (report.paths, report.first_parent) == (("lib",), False)
    first = f"among commits that touch these paths, {point.bad} is the first that fails"
    assert report.message == f"{first}, but its parent was not tested"
    assert "parent" not in report.to_text().replace("its real parent was not tested", "")
    assert fb.RegressionReport.from_json(report.to_json()).paths == ("lib",)


def test_outcomes_become_a_bisect_log(origin, tmp_path):
    clone = cloned(origin, tmp_path, "--no-local")
    graph = fb.CommitGraph.from_git(clone, tips=["main", "main~8"], paths="lib")
    report = fb.find_regressions(graph, lambda id: broken(origin, id), bad="main", good="main~8")
    log = tmp_path / "log"
    log.write_text(report.to_bisect_log())
    assert log.read_text().startswith("git bisect start '--' 'lib'\n")
    replayed = git(clone, "bisect", "replay", os.fspath(log))
    # Newer versions of Git print 'bad' in quotes.
    assert re.search(f"{report.points[0].bad} is the first '?bad'? commit", replayed)
