"""The vectors that all languages run: the same asks, tells and reports."""

import json
from pathlib import Path

import pytest

import firstbad as fb
from firstbad import _native

FOLDER = Path(__file__).parents[1] / "vectors"
VECTORS = [
    pytest.param(vector, id=f"{file.stem}-{vector['name']}")
    for file in sorted(FOLDER.glob("*.json"))
    if file.stem not in ("content", "suspicion", "words")  # no searches: test_suspects.py and test_words.py run them
    for vector in json.loads(file.read_text())["vectors"]
]


SEARCHES = {
    "regression": fb.RegressionSearch,
    "culprit": fb.CulpritSearch,
    "verification": fb.CulpritVerifier,
    "minimize": fb.Minimizer,
    "isolate": fb.Isolator,
    "port": fb.Porter,
    "slice": fb.Slicer,
    "triage": fb.TriageSearch,
    "change": fb.ChangeSearch,
}


def near(value):
    """Returns a value that compares fractional numbers within 1e-9, and other values exactly."""
    if isinstance(value, float):
        return pytest.approx(value, rel=0, abs=1e-9)
    if isinstance(value, dict):
        return {key: near(item) for key, item in value.items()}
    return [near(item) for item in value] if isinstance(value, list) else value


def earlier(again):
    """Returns the report of an earlier verification."""
    told = {
        "status": "found",
        "reasons": [],
        "message": "",
        "reruns": 2,
        "checks": [],
        "asked": 0,
        "runs": 0,
        "observations": [],
    }
    return fb.VerificationReport.from_json(json.dumps(told | again))


class Player:
    """Plays the steps of one vector on a search."""

    def __init__(self, vector):
        configuration = dict(vector["configuration"])
        if "again" in configuration:
            configuration["again"] = earlier(configuration["again"])
        if "items" in vector:
            items = vector["items"]
            self.world = items if vector["algorithm"] == "slice" else range(items)
        else:
            self.world = fb.CommitGraph(vector["graph"]["revisions"], vector["graph"].get("times"))
        self.search = SEARCHES[vector["algorithm"]](self.world, **configuration)

    def ask(self, k, revisions=None, changes=None):
        before = sum(event["event"] == "asked" for event in self.search.events)
        probes = self.search.ask(k)
        assert [of(probe) for probe in probes] == (changes if revisions is None else revisions)
        assert [probe.id for probe in probes] == list(range(before, before + len(probes)))

    def tell(self, id, observation, error=None):
        expecting(error, lambda: self.search.tell(id, fb.Observation(**observation)))

    def abandon(self, id, error=None):
        expecting(error, lambda: self.search.abandon(id))

    def observe(self, observation, revision=None, changes=None, error=None):
        target = indices(changes) if revision is None else revision
        expecting(error, lambda: self.search.observe(target, fb.Observation(**observation)))

    def enqueue(self, revision=None, changes=None, error=None):
        target = indices(changes) if revision is None else revision
        expecting(error, lambda: self.search.enqueue(target))

    def undo(self, answers, error=None):
        expecting(error, lambda: self.search.undo(answers))

    def wanted(self, id, expected):
        assert self.search.wanted(id) is expected

    def status(self, expected):
        assert self.search.status == expected

    def budget(self, budget):
        self.search.set_budget(fb.Budget(**budget))

    def stop(self, reason):
        self.search.stop(reason)

    def restore(self):
        snapshot = self.search.snapshot()
        self.search = type(self.search).restore(self.world, snapshot)
        assert json.loads(self.search.snapshot()) == json.loads(snapshot)

    def drive(self, outcomes, asks, k=1):
        asked = []
        while not self.search.done:
            probes = self.search.ask(k)
            assert probes, "asks nothing though nothing is in flight"
            for probe in probes:
                self.search.tell(probe.id, answer(outcomes, probe, asked.count(of(probe))))
                asked.append(of(probe))
        assert asked == asks

    def run(self, jobs=1, retries=3, budget=None):
        spending = None if budget is None else (budget.get("runs"), budget.get("cost"), budget.get("builds"))
        self.driving = _native.Run(self.search._core, jobs, retries, spending)

    def take(self, revisions=(), changes=None, error=None):
        probes = []
        expecting(error, lambda: probes.extend(self.driving.take()))
        assert [of(probe) for probe in probes] == list(revisions if changes is None else changes)

    def answered(self, id, observation, counts=False, error=None):
        counted = []
        expecting(error, lambda: counted.append(self.driving.answered(id, fb.Observation(**observation))))
        assert counted == ([] if error else [counts])

    def retry(self, id, again):
        assert self.driving.retry(id) is again

    def useless(self, are):
        assert self.driving.useless() == are

    def cancelled(self, id):
        self.driving.cancelled(id)

    def ended(self, id, expected):
        assert self.driving.ended(id) is expected

    def over(self, expected, late=False):
        assert self.driving.over(late) is expected

    def progress(self, expected):
        names = (
            "status",
            "runs",
            "asked",
            "in_flight",
            "revision",
            "patch",
            "suspects",
            "likely_runs",
            "worst_runs",
            "best",
        )
        counts, outlook = self.driving.progress()
        given = dict(zip(names, (*counts, *outlook), strict=True))
        assert {name: given[name] for name in expected} == expected

    def give_back(self):
        self.driving.give_back()

    def in_flight(self, are):
        assert [probe.id for probe in self.search.in_flight] == are

    def reads(self, are):
        assert self.search.reads == are

    def give(self, id, content):
        self.search.give(id, content.encode())

    def posterior(self, expected, no_culprit):
        posterior = self.search.report().posterior
        assert {revision: posterior[revision] for revision in expected} == near(expected)
        assert posterior.no_culprit == near(no_culprit)

    def fingerprints(self, are):
        report = self.search.report()
        findings = getattr(report, "points", getattr(report, "steps", [report]))
        assert [finding.fingerprint for finding in findings if finding.fingerprint is not None] == are

    def reasons(self, are):
        assert [[reason.code, reason.revision] for reason in self.search.report().reasons] == are

    def report(self, expected):
        # The JSON form, which all languages share.
        report = json.loads(self.search._core.report())
        # Fingerprints have a step of their own.
        for finding in [*report.get("points", ()), *report.get("steps", ()), report.get("largest") or {}]:
            finding.pop("fingerprint", None)
        assert {key: report.get(key) for key in expected} == near(expected)
        typed = self.search.report()
        for key in ("status", "runs", "conclusion", "culprit", "correct", "probability", "runs", "guarantee"):
            if key in report:
                assert getattr(typed, key) == report[key]
        for key in ("points", "steps", "credible_set", "reasons", "checks", "observations"):
            if key in report:
                assert len(getattr(typed, key)) == len(report[key])
        for key in ("kept", "lacking", "difference"):
            if key in report:
                assert list(getattr(typed, key)) == report[key]


def of(probe):
    """Returns the subject of a probe as vectors write it: a revision, maybe with tests, or indices in short form."""
    if (tests := probe.__getnewargs__()[-1]) is not None:
        return f"{probe.revision}:{tests}"
    return probe.revision or str(probe).removeprefix("no changes").removeprefix("changes ")


def indices(changes):
    """Returns the indices of a short form."""
    return fb.Probe(0, changes=changes).changes


def answer(outcomes, probe, before=0):
    if probe.revision in outcomes.get("numbers", ()):
        turns = outcomes["numbers"][probe.revision]
        measured = turns[before % len(turns)]
        return fb.Observation(**measured) if isinstance(measured, dict) else measured
    if probe.changes is not None:
        kept = set(probe.changes)
        needs = outcomes.get("dependencies", {})
        if any(not kept.issuperset(needs.get(str(item), ())) for item in kept):
            return None
        return kept.issuperset(outcomes.get("needed", ()))
    revision = probe.revision
    outcome = outcomes.get("default", "pass")
    for name in ("pass", "fail", "unresolved"):
        if revision in outcomes.get(name, ()):
            outcome = name
    if "tests" in outcomes and outcome != "unresolved":
        asked = [test for test in outcomes["tests"] if probe.tests is None or test["id"] in probe.tests]
        return {test["id"]: revision not in test["fail"] for test in asked}
    return fb.Observation(outcome, signature=outcomes.get("signatures", {}).get(revision))


def expecting(code, call):
    if code is None:
        call()
        return
    with pytest.raises(fb.FirstbadError) as caught:
        call()
    assert caught.value.code == code


@pytest.mark.parametrize("vector", VECTORS)
def test_vector(vector):
    if "error" in vector:
        expecting(vector["error"], lambda: Player(vector))
        return
    player = Player(vector)
    for number, step in enumerate(vector["steps"]):
        step = dict(step)
        operation = step.pop("op")
        if "is" in step:
            step["expected"] = step.pop("is")
        try:
            getattr(player, operation)(**step)
        except AssertionError as error:
            raise AssertionError(f"step {number} ({operation}): {error}") from error


def test_there_are_vectors():
    if not FOLDER.is_dir():
        pytest.skip("no vectors yet")
    assert VECTORS
