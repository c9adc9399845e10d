"""Runs only the wanted tests and writes the result of each test as a JSON line.

firstbad writes this file and passes it to pytest with `-p`. Python 3.6 and pytest 5.4 can load it.
"""

import json
import os

import pytest

RESULTS = "FIRSTBAD_PYTEST_RESULTS"
WANTED = "FIRSTBAD_PYTEST_TESTS"
LONGEST = 16000


def pytest_configure(config):
    # With pytest-xdist, only the controller writes.
    if RESULTS in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Writer(os.environ[RESULTS]), "firstbad_results_writer")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    if WANTED not in os.environ:
        return
    with open(os.environ[WANTED], encoding="utf-8") as file:
        wanted = set(json.load(file))
    shorter = {end for nodeid in wanted for end in ends(nodeid)}
    kept, others = [], []
    for item in items:
        whole = item.nodeid.partition("::")[0]
        is_wanted = item.nodeid in shorter or whole in wanted or any(end in wanted for end in ends(item.nodeid))
        (kept if is_wanted else others).append(item)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = kept


def ends(nodeid):
    """Returns the id without its first folders, because ids can start at another folder than pytest's."""
    path, separator, name = nodeid.partition("::")
    parts = path.split("/")
    return ["/".join(parts[place:]) + separator + name for place in range(len(parts))]


class Writer:
    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8")
        self.tests = {}
        self.write({"runner": "pytest"})

    def write(self, line):
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def pytest_runtest_logstart(self, nodeid, location):
        self.write({"started": nodeid})

    def pytest_collectreport(self, report):
        if report.failed:
            line = {"id": report.nodeid, "scope": "file", "outcome": "unresolved", "file": report.nodeid}
            line.update(failure(report))
            self.write(line)

    def pytest_runtest_logreport(self, report):
        test = self.tests.setdefault(
            report.nodeid, {"passes": 0, "fails": 0, "seconds": 0.0, "attempt": None, "first": {}}
        )
        test["seconds"] += getattr(report, "duration", 0.0) or 0.0
        outcome = report.outcome
        if outcome in ("failed", "rerun"):
            # The teardown of a failed test can fail too.
            test["fails"] += test["attempt"] != "failed"
            test["attempt"] = "failed"
            test["first"] = test["first"] or failure(report)
        elif outcome == "skipped" and test["attempt"] is None:
            test["attempt"] = "skipped"
            test["first"] = test["first"] or {"message": reason(report)}
        elif outcome == "passed" and report.when == "call" and test["attempt"] is None:
            test["attempt"] = "passed"
        if outcome == "rerun":
            test["attempt"] = None
        elif report.when == "teardown":
            self.finish(report, self.tests.pop(report.nodeid))

    def finish(self, report, test):
        passed = test["attempt"] == "passed"
        line = {
            "id": report.nodeid,
            "file": report.location[0].replace(os.sep, "/"),
            "outcome": "fail" if test["fails"] else "pass" if passed else "skipped",
            "passes": int(passed),
            "fails": test["fails"],
            "seconds": test["seconds"],
        }
        line.update(test["first"])
        self.write(line)

    def pytest_unconfigure(self, config):
        self.file.close()


def failure(report):
    """Returns the message and the end of the traceback, which has the innermost frame."""
    text = getattr(report, "longreprtext", "") or str(report.longrepr or "")
    crash = getattr(report.longrepr, "reprcrash", None)
    message = getattr(crash, "message", "") or ""
    return {"message": message[:LONGEST], "text": text[-LONGEST:]}


def reason(report):
    reason = getattr(report, "wasxfail", None)
    if reason is None and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
    return str(reason or "")[:LONGEST]
