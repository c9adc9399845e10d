"""Confirmation runs before a culprit is reported."""

import asyncio
import json
import subprocess
import threading

import pytest

import firstbad as fb

GRAPH = fb.CommitGraph.linear([f"r{number}" for number in range(10)])


def broken_by(culprit):
    return lambda revision: int(revision[1:]) < culprit


def test_confirming_probes_are_marked_and_counted():
    probes = []

    def oracle(revision):
        probes.append(fb.current_probe())
        return broken_by(4)(revision)

    report = fb.find_regressions(GRAPH, oracle, bad="r9", good="r0", jobs=1)
    confirming = [probe.revision for probe in probes if probe.confirms]
    assert report.points[0].bad == "r4"
    assert report.points[0].confirmed
    assert report.confirmations == len(confirming) <= 1
    assert set(confirming) <= {"r3", "r4"}
    plain = fb.find_regressions(GRAPH, broken_by(4), bad="r9", good="r0", confirm=False)
    assert (plain.runs, plain.confirmations) == (report.runs - report.confirmations, 0)
    assert not plain.points[0].confirmed


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_service_outage_does_not_name_a_culprit(jobs):
    lock, runs = threading.Lock(), []

    def oracle(revision):
        with lock:
            runs.append(revision)
            return len(runs) <= 4 and broken_by(9)(revision)

    report = fb.find_regressions(GRAPH, oracle, bad="r9", good="r0", jobs=jobs)
    assert report.status == "contradictory"
    assert report.points == ()
    assert report.message.startswith("no culprit found: ")
    assert json.loads(report.to_json())["status"] == "contradictory"


def test_a_confirming_run_is_alone():
    lock, running, beside = threading.Lock(), set(), []

    def oracle(revision):
        probe = fb.current_probe()
        with lock:
            if probe.confirms:
                beside.append(set(running))
            running.add(probe.id)
        try:
            return broken_by(6)(revision)
        finally:
            with lock:
                running.discard(probe.id)

    report = fb.find_regressions(GRAPH, oracle, bad="r9", good="r0", jobs=4)
    assert report.points[0].confirmed
    assert beside
    assert not any(beside)


def test_the_async_function_confirms():
    async def oracle(revision):
        return broken_by(5)(revision)

    report = asyncio.run(fb.find_regressions_async(GRAPH, oracle, bad="r9", good="r0", jobs=4))
    assert report.points[0].confirmed
    assert 1 <= report.confirmations <= 2


def test_a_resumed_journal_keeps_confirmations(tmp_path):
    journal = tmp_path / "run.jsonl"
    first = fb.find_regressions(GRAPH, broken_by(5), bad="r9", good="r0", jobs=4, journal=journal)
    again = fb.find_regressions(GRAPH, pytest.fail, bad="r9", good="r0", jobs=4, journal=journal)
    assert again == first
    assert '"confirms":true' in journal.read_text().replace(" ", "")


def git(folder, *words):
    config = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
    done = subprocess.run(["git", "-C", folder, *config, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    """Six commits, of which the fourth changes nothing."""
    git(tmp_path, "init", "-q", "-b", "main")
    for number in range(6):
        if number != 3:
            (tmp_path / "number").write_text(f"{number}\n")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", str(number))
    return fb.Repository(tmp_path)


def test_a_commit_with_the_files_of_its_parent_is_not_a_culprit(repository, tmp_path):
    empty = git(tmp_path, "rev-parse", "HEAD~2")
    test = ["sh", "-c", f"! git merge-base --is-ancestor {empty} HEAD"]
    with repository.command_oracle(test) as oracle:
        report = fb.find_regressions(repository.graph(["main"]), oracle, bad="main", good="main~5")
    assert report.status == "contradictory"
    assert "has the same files as its parent" in report.message
    assert not report.points[0].confirmed
    assert empty in report.points[0].inconsistent


def test_a_good_revision_that_fails_without_any_change_contradicts_the_point(repository, tmp_path):
    count = tmp_path / "count"
    count.write_text("0")
    # Every run after the search fails.
    script = f'n=$(cat "{count}"); echo $((n + 1)) > "{count}"; [ "$n" -lt 6 ] && [ "$(cat number)" -lt 4 ]'
    with repository.command_oracle(["sh", "-c", script]) as oracle:
        report = fb.find_regressions(repository.graph(["main"]), oracle, bad="main", good="main~5", explain=True)
    assert report.runs <= 6
    assert report.status == "contradictory"
    assert "without any of the changes" in report.message
    assert not report.points[0].confirmed
    assert json.loads(report.to_json())["points"][0]["confirmed"] is False


def test_a_kept_build_is_confirmed_by_a_fresh_one(repository):
    # Later builds in a worktree keep the result of the first build.
    test = ["sh", "-c", '[ -e built ] || cp number built; [ "$(cat built)" -lt 4 ]']
    graph = repository.graph(["main"])
    with repository.command_oracle(test, keep_build=True) as oracle:
        report = fb.find_regressions(graph, oracle, bad="main", good="main~5")
    assert all(point.confirmed for point in report.points)
    assert report.status in ("contradictory", "good_end_fails", "found")


@pytest.mark.parametrize("distinguish", ["auto", True, False])
def test_the_failure_of_the_bad_revision_is_searched_for(distinguish):
    def oracle(revision):
        number = int(revision[1:])
        failure = "wrong sum" if number >= 7 else "no such module"
        return True if number < 4 else fb.Observation("fail", signals={"failure": failure})

    report = fb.find_regressions(GRAPH, oracle, bad="r9", good="r0", distinguish_failures=distinguish)
    if distinguish is False:
        assert report.points[0].bad == "r4"
    else:
        assert report.points[0].bad == "r7"
        assert report.points[0].candidates[0] == "r4"
    if distinguish == "auto":
        assert 'in another way since r4 ("no such module"), and since r7 as at r9' in report.warnings[0]


def test_wrong_values_are_named():
    with pytest.raises(fb.InvalidArgumentError, match=r'distinguish_failures.*"auto", true, or false'):
        fb.find_regressions(GRAPH, broken_by(4), bad="r9", good="r0", distinguish_failures="always")
    with pytest.raises(fb.InvalidArgumentError, match="confirm"):
        fb.find_regressions(GRAPH, broken_by(4), bad="r9", good="r0", confirm="yes")


def test_an_oracle_that_always_returns_none_stops_after_two_runs():
    runs = []
    report = fb.find_regressions(GRAPH, lambda revision: runs.append(revision), bad="r9", good="r0")
    assert sorted(runs) == ["r0", "r9"]
    assert report.points == ()
    assert "the oracle returned None each time. Is a return missing?" in report.message
    # An explicit outcome needs no hint.
    report = fb.find_regressions(GRAPH, lambda revision: fb.Outcome.UNRESOLVED, bad="r9", good="r0")
    assert "returned None" not in report.message
