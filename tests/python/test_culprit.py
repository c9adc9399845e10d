"""Culprits of flaky failures: probabilities, results, drivers, text."""

import asyncio
import copy
import dataclasses
import json
import math
import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from multiprocessing import get_context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstbad as fb

MERGES = fb.CommitGraph(
    {
        "root": [],
        **{f"a{n}": [f"a{n - 1}" if n else "root"] for n in range(8)},
        **{f"b{n}": [f"b{n - 1}" if n else "a2"] for n in range(8)},
        "merge": ["a7", "b7"],
        "top": ["merge"],
        "side": ["b3"],
    }
)


def linear(count=100):
    return fb.CommitGraph.linear([f"c{place}" for place in range(count)])


class Flaky:
    """Fails from `culprit` on, and elsewhere at a rate that depends only on the seed and the probe."""

    def __init__(self, culprit, rate=0.0, seed=0, graph=None):
        self.culprit, self.rate, self.seed, self.graph = culprit, rate, seed, graph

    def is_broken(self, revision):
        if self.culprit is None:
            return False
        if self.graph is not None:
            return self.graph.is_ancestor(self.culprit, revision)
        return int(revision[1:]) >= int(self.culprit[1:])

    def __call__(self, revision):
        draw = random.Random(f"{self.seed}/{fb.current_probe().id}/{revision}").random()
        return not self.is_broken(revision) and draw >= self.rate


class AsyncFlaky(Flaky):
    async def __call__(self, revision):
        await asyncio.sleep(0)
        return super().__call__(revision)


def find(oracle, **options):
    return fb.find_culprit(linear(), oracle, **{"bad": "c99", "good": "c0", "flake_rate": 0.1, **options})


def make(**options):
    return fb.CulpritSearch(linear(), **{"bad": "c99", "good": "c0", "flake_rate": 0.1, **options})


# --- Answers


def test_the_culprit_is_found_with_its_probability():
    found = find(Flaky("c42", 0.1, seed=1))
    assert (found.conclusion, found.culprit, found.reason, found.status) == ("culprit", "c42", "confident", "found")
    assert 0.99 <= found.probability < 1.0
    assert found.probability == found.posterior["c42"]
    assert found.credible_set == (fb.Hypothesis("c42", found.probability),)
    assert found.flake_rate == pytest.approx(0.1)
    assert found.runs == found.runs == len(found.observations)
    assert found.healthy_runs.runs == sum(seen.revision < "c42" for seen in found.observations)
    assert "c42" in found.message
    assert str(found).startswith("Culprit: c42 (99.")
    assert repr(found) == f"<CulpritReport: culprit after {found.runs} runs: {found.message}>"


@pytest.mark.parametrize("strategy", ["cdf", "expected-gain", "information"])
@pytest.mark.parametrize("rate", [0.0, 0.1, "estimate"])
def test_conclusions_are_as_reliable_as_promised(strategy, rate):
    truth = [random.Random(seed).choice([None, *range(1, 40)]) for seed in range(40)]
    right = runs = 0
    for seed, culprit in enumerate(truth):
        oracle = Flaky(None if culprit is None else f"c{culprit}", 0.1 if rate == "estimate" else rate, seed)
        found = fb.find_culprit(linear(40), oracle, bad="c39", flake_rate=rate, strategy=strategy)
        right += (found.conclusion, found.culprit) == (("culprit", oracle.culprit) if culprit else ("flake", None))
        runs += found.runs
    assert right >= 39
    assert runs / len(truth) < 25


def test_the_baseline_is_bisection_with_reruns():
    once = find(Flaky("c42"), strategy="bisect")
    thrice = find(Flaky("c42", 0.1, seed=1), strategy="bisect", reruns=3)
    assert once.culprit == thrice.culprit == "c42"
    assert once.runs < thrice.runs
    assert once.probability < thrice.probability


def test_a_flake_has_no_culprit():
    found = find(Flaky(None, 0.1, seed=2))
    assert (found.conclusion, found.culprit, found.status) == ("flake", None, "not_reproduced")
    assert found.probability == found.no_culprit == found.posterior.no_culprit >= 0.99
    assert "flake" in str(found)


@pytest.mark.parametrize("budget", [0, 5, fb.Budget(runs=5)])
def test_a_used_up_budget_keeps_outcomes(budget):
    found = find(Flaky("c42", 0.1, seed=1), budget=budget)
    assert (found.conclusion, found.reason, found.status, found.culprit) == ("inconclusive", "budget", "budget", None)
    assert sum(one.probability for one in found.credible_set) >= 0.99
    assert found.probability == found.credible_set[0].probability
    assert found.runs == (budget if budget == 0 else 5)


def test_a_search_resumes_with_a_larger_budget():
    search = make()
    assert fb.run(search, Flaky("c42", 0.1, seed=1), budget=5).reason == "budget"
    assert fb.run(search, Flaky("c42", 0.1, seed=1), budget=50) == find(Flaky("c42", 0.1, seed=1))


def test_unresolved_revisions_are_reported_as_a_set():
    found = find(lambda revision: None if 30 <= int(revision[1:]) < 60 else int(revision[1:]) < 45)
    assert (found.conclusion, found.reason, found.status, found.culprit) == (
        "inconclusive",
        "inseparable",
        "ambiguous",
        None,
    )
    # c60 fails, but its ancestors can also be the culprit.
    assert {one.revision for one in found.credible_set} <= {f"c{place}" for place in range(30, 61)}
    assert sum(one.probability for one in found.credible_set) >= 0.99
    assert "31 suspects" in found.message


def test_no_culprit_before_it_failed():
    search = make(flake_rate=0, prior={"c42": 1e6}, prior_no_culprit=0)
    missing = (fb.MissingRun("c42", fb.Outcome.FAIL), fb.MissingRun("c41", fb.Outcome.PASS))
    assert search.report().missing == missing
    assert [probe.revision for probe in search.ask(3)] == ["c42", "c41"]
    search.tell(0, False)
    assert (search.report().missing, search.status) == (missing[1:], "running")
    search.tell(1, None)
    found = search.report()
    assert (found.status, found.conclusion, found.reason, found.culprit) == (
        "ambiguous",
        "inconclusive",
        "unproven",
        None,
    )
    assert found.missing == missing[1:]
    assert "no run of c41 passed" in found.message
    search.observe("c41", True)
    assert (search.report().culprit, search.report().missing) == ("c42", ())


def test_impossible_outcomes_are_contradictory_and_kept():
    search = make(flake_rate=0, verify=False)
    search.observe("c42", False)
    search.observe("c60", True)
    found = search.report()
    assert (found.conclusion, found.reason, found.status) == ("inconclusive", "contradictory", "contradictory")
    assert found.culprit is None
    assert [seen.revision for seen in found.observations] == ["c42", "c60"]
    assert "flake rate" in found.message
    assert len(list(found.posterior.items())) == 99
    search.undo()
    assert (search.status, search.report().posterior["c43"]) == ("running", 0.0)


def test_conclusions_are_verified_and_wrong_rates_reported():
    broken = 42
    told = make(flake_rate=0)
    found = fb.run(told, lambda revision: int(revision[1:]) < broken)
    assert (found.culprit, found.verified, found.rates_consistent, found.failure_streak) == ("c42", True, True, None)
    later = fb.run(make(flake_rate=0, verify=False), lambda revision: int(revision[1:]) < broken)
    assert (later.culprit, later.verified) == ("c42", False)
    assert later.runs < found.runs
    search = make(flake_rate=0)
    search.observe("c42", False)
    search.observe("c60", True)
    found = search.report()
    assert (found.status, found.rates_consistent) == ("running", False)
    assert found.flake_rate + found.false_pass_rate > 0
    assert "The given rates do not fit the outcomes: " in found.message


def test_a_test_can_be_too_flaky():
    graph = fb.CommitGraph.linear([str(number) for number in range(41)])
    found = []
    for seed in range(6):
        chance = random.Random(seed)
        search = fb.CulpritSearch(graph, bad="40", false_pass_rate="estimate")
        report = fb.run(search, lambda revision, by=chance: by.random() < (0.45 if int(revision) < 20 else 0.35))
        assert report.runs <= 64 * 6
        found.append(report)
    flaky = [report for report in found if report.status == "too_flaky"]
    assert flaky
    assert {(report.reason, report.conclusion, report.culprit) for report in flaky} == {
        ("too_flaky", "inconclusive", None)
    }
    assert flaky[0].message.startswith("the test is too flaky")


def test_a_failing_good_revision_is_not_the_culprit():
    search = make(flake_rate="estimate")
    for _ in range(20):
        search.observe("c0", False)
    found = search.report()
    assert (found.status, found.reason, found.conclusion) == ("good_end_fails", "good_end_fails", "inconclusive")
    assert "c0" in found.message


def test_merges_and_side_branches_are_searched():
    for culprit in ("a1", "a5", "b4", "merge", "top"):
        found = fb.find_culprit(MERGES, Flaky(culprit, 0.1, 3, MERGES), bad="top", flake_rate=0.1)
        assert found.culprit == culprit
        assert "side" not in found.posterior
        assert len(found.posterior) == len(MERGES) - 2


def test_several_branches_at_once_with_a_flaky_test():
    oracle = Flaky("b1", 0.1, 3, MERGES)
    report = fb.find_regressions(MERGES, oracle, bad=["top", "side"], search="bayes", flake_rate=0.1, confidence=0.999)
    [point] = report.points
    assert (report.status, point.bad, point.good, point.leaves) == ("found", "b1", "b0", ("top", "side"))
    assert 0.99 < point.probability < 1.0
    assert "probability" in str(point)
    assert fb.find_regressions(MERGES, lambda name: name[0] != "t", bad="top").points[0].probability is None


# --- Counts, costs, rates


def test_outcomes_can_be_counts():
    def ten_runs(revision):
        return fb.Observation(passes=9, fails=1) if int(revision[1:]) < 42 else fb.Observation(fails=10)

    found = find(ten_runs, flake_rate=fb.RunCounts(passes=95, fails=5))
    assert found.culprit == "c42"
    # An outcome with counts is one run of the oracle.
    assert found.runs == found.asked == len(found.observations)
    assert {(seen.passes or 0) + (seen.fails or 0) for seen in found.observations} == {10}
    assert found.flake_rate == pytest.approx(0.07, abs=0.03)
    assert find(ten_runs, flake_rate={"passes": 95, "fails": 5}) == found

    def either_way(revision):
        return fb.Observation(passes=9, fails=1) if int(revision[1:]) < 42 else fb.Observation(passes=1, fails=9)

    both = find(either_way, false_pass_rate=0.1)
    assert both.culprit == "c42"
    assert both.false_pass_rate == pytest.approx(0.1)


def test_counts_determine_the_outcome():
    assert fb.Observation(passes=3).outcome is fb.Outcome.PASS
    assert fb.Observation(fails=3).outcome is fb.Outcome.FAIL
    assert fb.Observation(passes=2, fails=1).outcome is fb.Outcome.UNRESOLVED
    assert fb.Observation(passes=0).outcome is fb.Outcome.UNRESOLVED
    assert fb.Observation(True, passes=2, fails=1).outcome is fb.Outcome.PASS
    assert fb.Observation(None).outcome is fb.Outcome.UNRESOLVED
    assert str(fb.Observation(passes=2, fails=1, note="slow")) == "unresolved (passes 2, fails 1, note 'slow')"
    for fields in ({}, {"passes": -1}, {"fails": 1.5}, {"passes": "3"}, {"outcome": 3}):
        with pytest.raises(fb.InvalidArgumentError, match=next(iter(fields), "outcome")):
            fb.Observation(**fields)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"outcome": "pass", "fails": 2}, "outcome: .*counts"),
        ({"outcome": True, "started": 3.0, "ended": 2.0}, "ended: 2.* at or after started"),
        ({"outcome": True, "started": math.nan}, "started: nan"),
        ({"outcome": True, "ended": "soon"}, "ended: 'soon'"),
        ({"outcome": True, "cost": -1}, "cost: -1"),
    ],
)
def test_invalid_observations_are_errors(fields, words):
    search = make()
    with pytest.raises(fb.InvalidArgumentError, match=words):
        search.observe("c5", fb.Observation(**fields))
    assert search.report().observations == ()


def test_expensive_revisions_are_tested_later():
    costs = {f"c{place}": 1.0 for place in range(100)}
    costs["c50"] = costs["c49"] = costs["c51"] = 1000.0
    [probe] = make(costs=costs, strategy="information").ask()
    assert probe.revision not in {"c49", "c50", "c51"}


def test_a_prior_guides_the_search():
    search = make(prior={f"c{place}": 0.0 for place in range(100)} | {"c7": 3, "c9": Fraction(1)}, prior_no_culprit=0.2)
    posterior = search.report().posterior
    assert posterior["c7"] == pytest.approx(0.6)
    assert posterior["c9"] == pytest.approx(0.2)
    assert posterior["c8"] == 0.0
    written = json.loads(posterior.to_json(limit=2))
    assert list(written) == ["suspects", "no_culprit", "likeliest"]
    assert (written["suspects"], written["no_culprit"]) == (len(posterior), posterior.no_culprit)
    assert [one["revision"] for one in written["likeliest"]] == ["c7", "c9"]
    assert all(one["probability"] == posterior[one["revision"]] for one in written["likeliest"])
    # Revisions with the probability 0 are not listed.
    assert all(one["probability"] > 0 for one in json.loads(posterior.to_json())["likeliest"])
    with pytest.raises(fb.InvalidArgumentError, match="limit"):
        posterior.to_json(limit=0)
    again = make(prior=posterior, prior_no_culprit=posterior.no_culprit).report().posterior
    assert dict(again) == pytest.approx(dict(posterior))
    assert make(prior_no_culprit="uniform").report().no_culprit == pytest.approx(1 / 100)
    assert make().report().no_culprit == pytest.approx(0.4)


# --- The belief is Bayes' rule


@st.composite
def histories(draw):
    """Returns a graph, its suspects, and their numbers of passes and fails."""
    count = draw(st.integers(2, 9))
    if draw(st.booleans()):
        parents = {f"r{place}": [f"r{place - 1}"] if place else [] for place in range(count)}
    else:
        parents = {"r0": []}
        for place in range(1, count):
            older = st.lists(st.integers(0, place - 1), min_size=1, max_size=3, unique=True)
            parents[f"r{place}"] = [f"r{parent}" for parent in draw(older)]
    graph = fb.CommitGraph(parents)
    bad = f"r{count - 1}"
    suspects = [name for name in parents if name != "r0" and graph.is_ancestor(name, bad)]
    seen = st.tuples(st.sampled_from(suspects), st.integers(0, 3), st.integers(0, 3)).filter(lambda one: sum(one[1:]))
    return graph, bad, suspects, draw(st.lists(seen, max_size=8))


def by_bayes_rule(graph, suspects, weights, nobody, flake_rate, false_pass_rate, seen):
    """Computes FACF, Section 3, for each hypothesis. The last one is "no culprit"."""
    likelihoods = []
    for suspect in [*suspects, None]:
        likelihood = 1.0
        for revision, passes, fails in seen:
            if suspect is not None and graph.is_ancestor(suspect, revision):
                likelihood *= false_pass_rate**passes * (1 - false_pass_rate) ** fails
            else:
                likelihood *= (1 - flake_rate) ** passes * flake_rate**fails
        likelihoods.append(likelihood)
    total = sum(weights[name] for name in suspects)
    priors = [(1 - nobody) * weights[name] / total for name in suspects] + [nobody]
    joint = [prior * likelihood for prior, likelihood in zip(priors, likelihoods, strict=True)]
    return [one / sum(joint) for one in joint]


@settings(max_examples=150, derandomize=True, deadline=None)
@given(
    histories(), st.sampled_from([0.01, 0.1, 0.4]), st.sampled_from([0.0, 0.05, 0.3]), st.randoms(use_true_random=False)
)
def test_the_posterior_is_bayes_rule_in_any_order(history, flake_rate, false_pass_rate, chance):
    graph, bad, suspects, seen = history
    weights = {name: float(chance.randint(1, 9)) for name in suspects}
    expected = by_bayes_rule(graph, suspects, weights, 0.4, flake_rate, false_pass_rate, seen)
    for _ in range(2):
        search = fb.CulpritSearch(
            graph,
            bad=bad,
            good="r0",
            flake_rate=flake_rate,
            false_pass_rate=false_pass_rate,
            prior=weights,
            verify=False,
        )
        for revision, passes, fails in seen:
            search.observe(revision, fb.Observation(passes=passes, fails=fails))
        posterior = search.report().posterior
        assert posterior.keys() == set(suspects)
        assert [*map(posterior.get, suspects), posterior.no_culprit] == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert sum(posterior.values()) + posterior.no_culprit == pytest.approx(1.0)
        chance.shuffle(seen)


@settings(max_examples=50, derandomize=True, deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_an_estimated_rate_gives_a_posterior(history, chance):
    graph, bad, _, seen = history
    reports = []
    for _ in range(2):
        search = fb.CulpritSearch(graph, bad=bad, good="r0", flake_rate="estimate", false_pass_rate="estimate")
        for revision, passes, fails in seen:
            search.observe(revision, fb.Observation(passes=passes, fails=fails))
        reports.append(search.report())
        chance.shuffle(seen)
    first, second = reports
    assert sum(first.posterior.values()) + first.no_culprit == pytest.approx(1.0)
    assert dict(first.posterior) == pytest.approx(dict(second.posterior), rel=1e-9, abs=1e-12)
    assert first.flake_rate == pytest.approx(second.flake_rate)
    assert 0.0 <= first.flake_rate < 1.0


# --- The posterior as a mapping


def test_a_posterior_does_not_change_later():
    search = make()
    before = search.report().posterior
    search.observe("c50", True)
    after = search.report().posterior
    assert before["c1"] == pytest.approx(0.6 / 99)
    assert after["c1"] == 0.0
    assert list(after)[:2] == ["c1", "c2"]
    assert list(after.items())[:2] == [("c1", 0.0), ("c2", 0.0)]
    assert (len(after), len(after.keys()), len(after.values()), len(after.items())) == (99, 99, 99, 99)
    assert max(after.values()) == after["c99"]
    assert ("c99", after["c99"]) in after.items()
    assert "c0" not in after
    assert 5 not in after
    assert after.get("c0") is None
    with pytest.raises(KeyError, match="unheard"):
        after["unheard of"]
    with pytest.raises(TypeError):
        after["c1"] = 1.0
    assert after == dict(after) != before
    assert "no culprit 57" in repr(after)


def test_credible_sets_reach_their_level():
    posterior = make().report().posterior
    assert posterior.credible_set(0.4) == (fb.Hypothesis(None, 0.4),)
    assert len(posterior.credible_set()) == 99
    assert len(posterior.credible_set(most=5)) == 5
    assert str(posterior.credible_set(most=2)[1]) == "c1 0.6%"
    for level in (0, 1.5, -0.1, math.nan, "all"):
        with pytest.raises(fb.InvalidArgumentError, match="level"):
            posterior.credible_set(level)
    with pytest.raises(fb.InvalidArgumentError, match="most"):
        posterior.credible_set(most=0)


def test_reports_can_be_copied_compared_and_kept_in_sets():
    found, again = (find(Flaky("c42", 0.1, seed=1)) for _ in range(2))
    assert found == again
    assert len({found, again}) == 1
    assert copy.deepcopy(found) == found
    assert dataclasses.asdict(found)["credible_set"][0]["revision"] == "c42"
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.culprit = "c1"


def test_a_large_posterior_is_read_in_chunks():
    posterior = fb.CulpritSearch(linear(10_000), bad="c9999").report().posterior
    assert len(list(posterior)) == len(posterior) == 9_999
    assert sum(posterior.values()) == pytest.approx(0.6)
    assert len(posterior.credible_set(0.7)) == 5_001


# --- Ask and tell: undo, snapshots, several probes at once


def test_undo_and_snapshots_restore_the_posterior():
    search = make()
    start = dict(search.report().posterior)
    for _ in range(3):
        [probe] = search.ask()
        search.tell(probe.id, int(probe.revision[1:]) < 42)
    restored = fb.CulpritSearch.restore(linear(), search.snapshot())
    assert restored.report() == search.report()
    assert dict(restored.report().posterior) == dict(search.report().posterior)
    assert [probe.revision for probe in restored.ask(3)] == [probe.revision for probe in search.ask(3)]
    search.undo(3)
    assert dict(search.report().posterior) == pytest.approx(start)
    with pytest.raises(fb.SnapshotError, match="culprit"):
        fb.RegressionSearch.restore(linear(), search.snapshot())
    with pytest.raises(fb.SnapshotError):
        fb.CulpritSearch.restore(linear(50), search.snapshot())


def test_options_survive_a_snapshot():
    options = {"prior": {"c3": 5.0}, "flake_rate": fb.RunCounts(9, 1), "false_pass_rate": "estimate", "confidence": 0.9}
    search = make(**options, prior_no_culprit="uniform", costs={"c9": 2}, strategy="information")
    restored = fb.CulpritSearch.restore(linear(), search.snapshot())
    assert dict(restored.report().posterior) == dict(search.report().posterior)
    assert restored.snapshot() == search.snapshot()


def test_a_revision_can_have_several_probes_in_flight():
    search = make(flake_rate=0.4)
    probes = search.ask(60)
    assert len({probe.id for probe in probes}) == len(probes) == 60
    assert len({probe.revision for probe in probes}) < 60
    first = probes[0]
    search.tell(first.id, True)
    search.tell(first.id, True)
    with pytest.raises(fb.ContradictionError, match=first.revision):
        search.tell(first.id, False)
    other = next(probe for probe in probes[1:])
    search.tell(other.id, False)
    assert search.runs == 2


# --- Drivers


@pytest.mark.parametrize("options", [{}, {"jobs": 4}, {"strategy": "information", "jobs": 8}])
def test_threads_coroutines_and_executors_agree_on_the_culprit(options):
    oracle, awaited = Flaky("c42", 0.1, seed=4), AsyncFlaky("c42", 0.1, seed=4)
    with ThreadPoolExecutor(4) as pool:
        reports = [
            find(oracle, **options),
            find(oracle, executor=pool, **options),
            asyncio.run(fb.find_culprit_async(linear(), awaited, bad="c99", flake_rate=0.1, **options)),
            asyncio.run(fb.find_culprit_async(linear(), oracle, bad="c99", flake_rate=0.1, **options)),
        ]
    assert [report.culprit for report in reports] == ["c42"] * 4


def test_processes_can_run_the_probes():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert find(Flaky("c42", 0.1, seed=4), jobs=2, executor=pool).culprit == "c42"


def test_an_exception_in_an_oracle_loses_no_outcome():
    calls = []
    problem = RuntimeError("disk full")

    def oracle(revision):
        calls.append(revision)
        if len(calls) == 4:
            raise problem
        return int(revision[1:]) < 42

    with pytest.raises(RuntimeError) as caught:
        find(oracle)
    assert caught.value is problem
    assert problem.firstbad_search.runs == 3
    assert fb.run(problem.firstbad_search, oracle).culprit == "c42"


# --- Invalid arguments


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"flake_rate": 1}, "flake_rate: 1"),
        ({"flake_rate": -0.1}, "flake_rate: -0.1"),
        ({"flake_rate": math.nan}, "flake_rate: .*nan.*number"),
        ({"flake_rate": "often"}, "flake_rate: .*often.*estimate"),
        ({"flake_rate": True}, "flake_rate"),
        ({"flake_rate": {"passes": 1}}, "flake_rate: .*counts"),
        ({"flake_rate": {"passes": 1, "fails": -1}}, "flake_rate: .*-1"),
        ({"flake_rate": {"passes": 1, "fails": math.nan}}, "flake_rate: .*nan"),
        ({"min_flake_rate": 1.0}, "min_flake_rate: 1"),
        ({"min_flake_rate": math.nan}, "min_flake_rate: .*nan"),
        ({"false_pass_rate": 0.95}, "false_pass_rate: 0.95 .*expected rates with a sum below 1"),
        ({"prior": {"c1": math.nan}}, r'prior\["c1"\]: nan'),
        ({"prior": {"c1": -1}}, r'prior\["c1"\]: -1'),
        ({"prior": {"c1": "much"}}, r"prior\[\"c1\"\]: 'much'"),
        ({"prior": {"c1": True}}, r'prior\["c1"\]: True'),
        ({"prior": {7: 1.0}}, r"prior: 7 \(int\)"),
        ({"prior": [1.0]}, r"prior: \[1.0\] \(list\)"),
        ({"prior": {f"c{place}": 0 for place in range(100)}}, "prior: .*0 for every suspect"),
        ({"prior_no_culprit": 1}, "prior_no_culprit: 1"),
        ({"prior_no_culprit": math.nan}, "prior_no_culprit: .*nan"),
        ({"prior_no_culprit": "even"}, "prior_no_culprit: .*uniform"),
        ({"confidence": 1}, "confidence: 1"),
        ({"confidence": 0.5}, "confidence: 0.5"),
        ({"confidence": math.inf}, "confidence: .*inf"),
        ({"strategy": "random"}, "strategy: .*random.*information"),
        ({"reruns": 3}, "reruns: 3.*bisect"),
        ({"strategy": "bisect", "reruns": 0}, "reruns: 0"),
        ({"strategy": "bisect", "reruns": 1.5}, "reruns: 1.5"),
        ({"costs": {"c1": 0}}, r'costs\["c1"\]: 0'),
        ({"costs": {"c1": math.inf}}, r'costs\["c1"\]: inf'),
        ({"signature": 3}, "signature: 3"),
        ({"good": "c99"}, "good: .*c99"),
        ({"bad": ["c99", "c98"]}, "bad: .*exactly one"),
        ({"bad": []}, "bad: .*exactly one"),
        ({"bad": "c0", "good": None}, "bad: .*c0.*root"),
        ({"journal": 3}, "journal: 3"),
        ({"jobs": 0}, "jobs: 0"),
    ],
)
def test_invalid_options_are_errors(options, words):
    with pytest.raises(fb.InvalidArgumentError, match=words) as caught:
        find(Flaky("c42"), **options)
    assert caught.value.code == "invalid_argument"


@pytest.mark.parametrize("options", [{"prior": {"nobody": 1}}, {"good": "nobody"}, {"costs": {"nobody": 1}}])
def test_unknown_revisions_are_named(options):
    with pytest.raises(fb.UnknownRevisionError, match=f'{next(iter(options))}: unknown revision "nobody"'):
        make(**options)


def test_other_branches_cannot_be_good():
    with pytest.raises(fb.InvalidArgumentError, match=r"good: .*ancestor of bad"):
        fb.CulpritSearch(MERGES, bad="a7", good="b2")


def test_only_the_bayesian_search_accepts_its_options():
    with pytest.raises(fb.InvalidArgumentError, match=r"flake_rate: .*bayes"):
        fb.RegressionSearch(MERGES, bad="top", flake_rate=0.1)
    with pytest.raises(fb.InvalidArgumentError, match=r"confidence: .*nan"):
        fb.RegressionSearch(MERGES, bad="top", search="bayes", confidence=math.nan)


def test_a_misspelled_option_is_a_type_error():
    with pytest.raises(TypeError, match="flakerate"):
        find(Flaky("c42"), flakerate=0.1)
    with pytest.raises(TypeError, match="bad"):
        fb.find_culprit(linear(), Flaky("c42"))
    with pytest.raises(TypeError, match="executor"):
        asyncio.run(fb.find_culprit_async(linear(), Flaky("c42"), bad="c99", executor=None))


def test_run_counts():
    assert fb.RunCounts(95, 5).rate == 0.05
    assert fb.RunCounts().rate is None
    assert str(fb.RunCounts(1)) == "0 of 1 run failed"
    with pytest.raises(fb.InvalidArgumentError, match="fails: -1"):
        fb.RunCounts(fails=-1)
