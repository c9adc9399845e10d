"""A local Dask cluster with worker processes that die."""

import os
import signal
import sys

import pytest

import firstbad as fb

distributed = pytest.importorskip("distributed")

VERSIONS = [str(number) for number in range(256)]
GRAPH = fb.CommitGraph.linear(VERSIONS)
BROKEN = 150
OPTIONS = {"bad": "255", "good": "0", "search": "binary", "jobs": 3}


@pytest.fixture
def client(tmp_path):
    """Three workers, each a process with one thread, which end with the test."""
    with (
        distributed.LocalCluster(
            n_workers=3,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            local_directory=tmp_path / "dask",
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def deadly(folder, when):
    """An oracle that kills its worker: in the `"third"` run overall, or in each run of the `"culprit"`.

    It is a nested function, so that Dask sends its code to the workers, which cannot import this file.
    """
    folder, broken = str(folder), BROKEN

    def run_number():
        number = 0
        while True:
            try:
                os.close(os.open(f"{folder}/run-{number}", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                number += 1
            else:
                return number

    def oracle(version):
        number = run_number()
        if (when == "third" and number == 2) or (when == "culprit" and int(version) == broken):
            os.kill(os.getpid(), signal.SIGKILL)
        return fb.Observation(int(version) < broken, note=f"process {os.getpid()}")

    return oracle


def told_once(events):
    """Returns whether the search asked for nothing again after its outcome."""
    told, revisions = set(), {}
    for event in events:
        if event["event"] == "asked":
            revisions[event["id"]] = event["revision"]
            if event["revision"] in told and not event.get("confirms"):
                return False
        elif event["event"] == "told":
            told.add(revisions[event["id"]])
    return True


def test_a_killed_worker_costs_only_one_run(client, tmp_path):
    executor = client.get_executor()
    search = fb.RegressionSearch(GRAPH, bad="255", good="0", search="binary")
    with fb.Session.open(tmp_path / "run.jsonl", search) as session:
        report = fb.run(session, deadly(tmp_path, "third"), jobs=3, executor=executor)
        assert told_once(session.events)
    assert len(list(tmp_path.glob("run-*"))) > report.runs
    assert (report.status, [(point.good, point.bad) for point in report.points]) == ("found", [("149", "150")])
    processes = {seen.note for seen in report.observations}
    assert f"process {os.getpid()}" not in processes
    assert len(processes) > 1
    told = [seen.revision for seen in report.observations]
    assert len(set(told)) == len(told) - report.confirmations == report.runs - report.confirmations
    with fb.Session.open(tmp_path / "run.jsonl", fb.RegressionSearch(GRAPH, bad="255", good="0", search="binary")) as s:
        assert s.report() == report


def test_repeatedly_killed_workers_end_the_run_and_the_next_call_resumes(client, tmp_path):
    executor = client.get_executor()
    journal = tmp_path / "run.jsonl"
    # The scheduler tries a task on another worker three times. If a result is lost with its worker, the executor of
    # distributed raises a TypeError.
    with pytest.raises((distributed.KilledWorker, TypeError)) as caught:
        fb.find_regressions(GRAPH, deadly(tmp_path, "culprit"), **OPTIONS, executor=executor, journal=journal)
    search = caught.value.firstbad_search
    assert search.in_flight == []
    if sys.version_info >= (3, 11):
        assert "The same call with this journal resumes the search" in caught.value.__notes__[0]
    before = {seen.revision for seen in search.report().observations}
    report = fb.find_regressions(GRAPH, deadly(tmp_path, "never"), **OPTIONS, executor=executor, journal=journal)
    assert [point.bad for point in report.points] == ["150"]
    told = [seen.revision for seen in report.observations]
    assert before <= set(told)
    assert len(set(told)) == len(told) - report.confirmations


def test_errors_of_an_oracle_come_back_from_workers(client):
    def oracle(version):
        raise ZeroDivisionError(version)

    with pytest.raises(ZeroDivisionError) as caught:
        fb.find_regressions(GRAPH, oracle, **OPTIONS, executor=client.get_executor())
    assert caught.value.args[0] in VERSIONS
