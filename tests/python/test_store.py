"""Outcome stores, which let runs share outcomes."""

import asyncio
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import firstbad as fb

VERSIONS = [str(number) for number in range(64)]
GRAPH = fb.CommitGraph.linear(VERSIONS)
OPTIONS = {"bad": "63", "good": "0", "search": "binary"}


def good(version):
    return int(version) < 40


def never(given):
    raise AssertionError(f"{given} is asked")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "outcomes.db"


def test_outcomes_of_other_runs_are_reused(path):
    store = fb.OutcomeStore(path, oracle="make test")
    first = fb.find_regressions(GRAPH, good, **OPTIONS, store=store)
    runs = first.runs - first.confirmations
    assert len(store) == runs > 0
    again = fb.find_regressions(GRAPH, never, **OPTIONS, store=fb.OutcomeStore(path, oracle="make test"))
    assert (again.runs, again.points[0].bad) == (0, first.points[0].bad)
    assert asyncio.run(fb.find_regressions_async(GRAPH, never, **OPTIONS, store=store)).points == again.points
    assert fb.find_regressions(GRAPH, never, **OPTIONS, store=store, jobs=3).points == again.points
    assert len(store) == runs


def test_oracles_and_versions_are_never_mixed(path):
    stores = [
        fb.OutcomeStore(path, oracle="make test"),
        fb.OutcomeStore(path, oracle="make test", version="2"),
        fb.OutcomeStore(path, oracle="make check"),
    ]
    for store in stores:
        report = fb.find_regressions(GRAPH, good, **OPTIONS, store=store)
        assert report.runs - report.confirmations == len(store) > 0
    assert stores[1].forget() == len(stores[0])
    assert [len(store) > 0 for store in stores] == [True, False, True]
    assert stores[1], "an empty one is one, too"


def test_the_outcomes_can_be_read(path):
    store = fb.OutcomeStore(path, oracle="make test")
    with fb.Session.open(path.with_name("run.jsonl"), fb.RegressionSearch(GRAPH, **OPTIONS), store=store) as session:
        report = fb.run(session, lambda version: fb.Observation(good(version), note="n", seconds=1.5))
    kept = list(store)
    # The confirmation run adds no outcome.
    seen = report.observations[: report.runs - report.confirmations]
    assert [one.key for one in kept] == [f"revision:{one.revision}" for one in seen]
    assert [one.observation.outcome for one in kept] == [one.outcome for one in seen]
    assert {(one.run, one.observation.note, one.observation.seconds) for one in kept} == {(session.id, "n", 1.5)}
    assert [one.at for one in kept] == sorted(one.at for one in kept)
    assert (store.path, store.oracle, store.version) == (path, "make test", "")
    assert "make test" in repr(store)


def test_a_resumed_run_ignores_its_own_outcomes_in_the_store(path):
    store = fb.OutcomeStore(path, oracle="flaky")
    journal = path.with_name("run.jsonl")
    options = {"bad": "63", "good": "0", "flake_rate": 0.4, "journal": journal, "store": store}
    whole = fb.find_culprit(GRAPH, good, bad="63", good="0", flake_rate=0.4)
    fb.find_culprit(GRAPH, good, **options, budget=whole.runs // 2)
    report = fb.find_culprit(GRAPH, good, **options)
    assert report.runs == whole.runs
    assert report.culprit == "40"
    assert report.runs == len(report.observations) == len(store)
    assert len({seen.revision for seen in report.observations}) < report.runs, "some are asked again"


def test_each_outcome_of_a_flaky_test_counts_once(path):
    store = fb.OutcomeStore(path, oracle="flaky")
    options = {"bad": "63", "good": "0", "flake_rate": 0.2, "store": store}
    first = fb.find_culprit(GRAPH, good, **options)
    second = fb.find_culprit(GRAPH, good, **options)
    assert second.culprit == first.culprit == "40"
    assert second.asked == 0
    assert len(second.observations) <= len(first.observations)
    # A known outcome and a stored outcome are the same evidence.
    known = fb.find_culprit(GRAPH, good, **options, known=first.observations)
    assert len(known.observations) == len(first.observations)


def test_revisions_share_by_keys_of_the_caller(path):
    calls = []

    def pairwise(version):
        calls.append(version)
        return None if version == "20" else str(int(version) // 2)

    def good_pairs(version):
        return int(version) // 2 < 20

    fb.find_regressions(
        GRAPH,
        good_pairs,
        **OPTIONS,
        store=fb.OutcomeStore(path, oracle="o", key={v: str(int(v) // 2) for v in VERSIONS}),
    )
    calls.clear()
    report = fb.find_regressions(GRAPH, good_pairs, **OPTIONS, store=fb.OutcomeStore(path, oracle="o", key=pairwise))
    assert sorted(calls) == sorted(VERSIONS), "each once"
    assert report.points[0].bad == "40"
    assert report.runs - report.confirmations <= 1


def test_reductions_of_equal_items_share_outcomes(path):
    store = fb.OutcomeStore(path, oracle="o")
    first = fb.minimize("abcdef", lambda kept: "c" in kept, store=store)
    assert len(store) == first.runs
    assert fb.minimize("abcdef", never, store=store).kept == first.kept
    assert fb.minimize("abcdeg", lambda kept: "c" in kept, store=store).runs > 0
    things = [object(), object()]
    count = len(store)
    fb.minimize(things, lambda kept: things[1] in kept, store=store)
    assert len(store) == count, "what has no digest is not shared"


def test_store_errors_give_one_warning_and_never_end_a_run(path):
    store = fb.OutcomeStore(path, oracle="o")

    def damages(version):
        path.write_bytes(b"no store any more" * 500)
        return good(version)

    with pytest.warns(
        RuntimeWarning, match=r"outcomes\.db: .*. From then on, this run shared no outcomes\nhelp: "
    ) as caught:
        report = fb.find_regressions(GRAPH, damages, **OPTIONS, store=store)
    assert len(caught) == 1
    assert report.points[0].bad == "40"
    with pytest.raises(fb.StoreError):
        len(store)


def test_store_errors_do_not_hide_errors_of_the_oracle(path):
    store = fb.OutcomeStore(path, oracle="o")
    told = []

    def fails(version):
        path.write_bytes(b"no store any more" * 500)
        told.append(version)
        if len(told) == 3:
            raise ZeroDivisionError
        return good(version)

    with pytest.raises(ZeroDivisionError):  # where warnings are errors, as here, too
        fb.find_regressions(GRAPH, fails, **OPTIONS, store=store)


def test_closing_a_session_reports_store_errors(path):
    store = fb.OutcomeStore(path, oracle="o")
    session = fb.Session.open(path.with_name("run.jsonl"), fb.RegressionSearch(GRAPH, **OPTIONS), store=store)
    path.write_bytes(b"no store any more" * 500)
    assert fb.run(session, good).status == "found"
    with pytest.warns(RuntimeWarning, match="shared no outcomes"):
        session.close()
    session.close()


def test_invalid_arguments_are_errors(path, tmp_path):
    (tmp_path / "text").write_text("no store\n" * 100)
    store = fb.OutcomeStore(path, oracle="o")
    reduction = fb.OutcomeStore(path, oracle="o", key="tree")
    cases = [
        (fb.InvalidArgumentError, "oracle: ''", lambda: fb.OutcomeStore(path, oracle="")),
        (fb.InvalidArgumentError, "oracle: None", lambda: fb.OutcomeStore(path, oracle=None)),
        (TypeError, "oracle", lambda: fb.OutcomeStore(path)),
        (fb.InvalidArgumentError, "version: 2", lambda: fb.OutcomeStore(path, oracle="o", version=2)),
        (fb.InvalidArgumentError, "key: 'sha'.*tree", lambda: fb.OutcomeStore(path, oracle="o", key="sha")),
        (fb.InvalidArgumentError, "key: 3", lambda: fb.OutcomeStore(path, oracle="o", key=3)),
        (fb.InvalidArgumentError, r"path: 3 \(int\)", lambda: fb.OutcomeStore(3, oracle="o")),
        (fb.StoreError, "text", lambda: fb.OutcomeStore(tmp_path / "text", oracle="o")),
        (fb.InvalidArgumentError, "store: '.*expected an OutcomeStore", lambda: found(str(path))),
        (fb.InvalidArgumentError, "key='tree'.*from a Git repository", lambda: found(reduction)),
        (fb.InvalidArgumentError, "key 7 for '0'", lambda: found(fb.OutcomeStore(path, oracle="o", key=lambda id: 7))),
    ]

    def found(store):
        return fb.find_regressions(GRAPH, good, **OPTIONS, store=store)

    for error, words, call in cases:
        with pytest.raises(error, match=words):
            call()
    assert fb.minimize("abc", lambda kept: "c" in kept, store=reduction).items == ["c"]
    assert found(store).status == "found"


def test_worker_processes_do_not_open_the_store(path):
    store = fb.OutcomeStore(path, oracle="o")
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as executor:
        report = fb.find_regressions(GRAPH, good, **OPTIONS, store=store, executor=executor, jobs=2)
    assert len(store) == report.runs - report.confirmations


def git(folder, *arguments):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=n", "-c", "user.email=e@x"]
    command = ["git", *identity, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for number in range(8):
        (folder / "number").write_text("".join(f"{line}\n" for line in range(number)))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", str(number))
        git(folder, "tag", f"v{number}")
    return folder


def test_equal_trees_share_outcomes(repository, path):
    # The same history with other messages, and so other hashes.
    git(repository, "checkout", "-q", "-b", "again", "v0")
    for number in range(1, 8):
        git(repository, "checkout", "-q", f"v{number}", "--", ".")
        git(repository, "commit", "-q", "-m", f"again {number}")
    repo = fb.Repository(repository)
    bad = repo.resolve("v4")
    first = repo.graph("main")

    def passes(revision):
        return not first.is_ancestor(bad, revision)

    options = {"good": "v0", "store": fb.OutcomeStore(path, oracle="o", key="tree"), "search": "binary"}
    assert fb.find_regressions(first, passes, bad="main", **options).points[0].bad == bad

    def passes_again(revision):
        return int(git(repository, "log", "-1", "--format=%s", revision).split()[-1].strip("v")) < 4

    # The culprit must run in this search.
    report = fb.find_regressions(repo.graph("again"), passes_again, bad="again", **options)
    assert report.runs == report.confirmations
    assert git(repository, "log", "-1", "--format=%s", report.points[0].bad) == "again 4"


def test_searches_for_causes_share_outcomes(repository, path):
    repo = fb.Repository(repository)
    journal = path.with_name("run.jsonl")
    runs = path.with_name("runs")
    command = ["sh", "-c", "echo x >> $RUNS; ! grep -q 3 number"]
    options = {"bad": "main", "good": "v0", "explain": True}
    with repo.command_oracle(
        command, env={"RUNS": str(runs)}, worktrees=path.with_name("trees"), output_dir=path.with_name("output")
    ) as oracle:
        store = fb.OutcomeStore(path, oracle="grep")
        report = fb.find_regressions(repo.graph("main"), oracle, **options, journal=journal, store=store)
        ran = len(runs.read_text())
        assert [change.text for change in report.causes[0].items.changes] == ["3"]
        bad = report.points[0].bad
        assert path.with_name(f"run.jsonl.cause-{bad[:12]}.jsonl").exists()
        again = fb.find_regressions(repo.graph("main"), oracle, **options, journal=journal)
        assert (again.points, again.causes[0].kept) == (report.points, report.causes[0].kept)
        shared = fb.find_regressions(repo.graph("main"), oracle, **options, store=store)
        assert (shared.runs, shared.causes[0].runs) == (0, 0)
        assert repo.minimize_commit(bad, oracle, store=store).runs == 0
        other = repo.diff(f"{bad}~1", bad)
        assert fb.minimize_patch(other, lambda part: "+3" in str(part), store=store).runs > 0, "of no revision"
        assert len(runs.read_text()) == ran


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_several_processes_can_use_a_store(path):
    script = """
import sys
import firstbad as fb
graph = fb.CommitGraph.linear([str(number) for number in range(64)])
store = fb.OutcomeStore(sys.argv[1], oracle="o")
report = fb.find_regressions(graph, lambda v: int(v) < 40, bad="63", good="0", search="binary", store=store)
print(report.points[0].bad)
"""
    command = [sys.executable, "-c", script, path]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=60)[0] for process in processes] == ["40\n"] * 3
    assert {one.observation.outcome for one in fb.OutcomeStore(path, oracle="o")} == {fb.Outcome.PASS, fb.Outcome.FAIL}


def test_stored_outcomes_are_told_before_the_first_probe(tmp_path):
    """Other endpoints in an earlier search do not cause new runs."""
    graph = fb.CommitGraph.linear([str(number) for number in range(64)])
    store = fb.OutcomeStore(tmp_path / "outcomes.db", oracle="test")
    costs = [
        fb.find_regressions(graph, lambda build: int(build) < 40, bad=bad, good=good, store=store).runs
        for bad, good in (("63", "0"), ("62", "1"), ("55", "7"), ("63", "20"), ("41", "38"))
    ]
    # Only new endpoints run. Earlier outcomes are told immediately.
    assert costs[0] > 6
    assert costs[1:] == [2, 2, 1, 1]
