"""Regression searches with different costs of runs."""

import pytest

import firstbad as fb

GRAPH = fb.CommitGraph.linear([str(number) for number in range(20)])


def first(**options):
    [probe] = fb.RegressionSearch(GRAPH, **{"bad": "19", "good": "0", "test_endpoints": False, **options}).ask()
    return probe.revision


def test_cheap_revisions_are_tested_first():
    assert first() == "9"
    assert first(costs={"7": 0.1}) == "7"
    assert first(costs={"9": 50}) in {"8", "10"}


@pytest.mark.parametrize("find", ["regression", "fix"])
def test_a_function_is_called_for_each_suspect_once(find):
    called = []

    def cost(revision):
        called.append(revision)
        return 0.1 if revision == "8" else 1

    bad, good = ("16", "4") if find == "regression" else ("4", "16")
    assert first(bad=bad, good=good, find=find, costs=cost) == "8"
    assert called == [str(number) for number in range(5, 17)]


def test_a_culprit_search_accepts_a_cost_function():
    def asked(costs):
        search = fb.CulpritSearch(GRAPH, bad="19", good="0", flake_rate=0.1, strategy="information", costs=costs)
        return [probe.revision for probe in search.ask(4)]

    costs = {str(number): 0.2 if number % 3 else 5.0 for number in range(20)}
    assert asked(costs.get) == asked(costs) != asked(None)


def test_a_run_accepts_a_cost_function():
    asked = []

    def passes(revision):
        asked.append(revision)
        return int(revision) < 13

    report = fb.find_regressions(
        GRAPH, passes, bad="19", good="0", test_endpoints=False, costs=lambda revision: 0.1 if revision == "6" else 1
    )
    assert report.points[0].bad == "13"
    assert asked[0] == "6"


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"5": 0}, r'costs\["5"\]: 0'),
        (lambda revision: None, r'costs\["1"\]: None is not valid; expected a finite cost above 0'),
        (lambda revision: -1, r"costs\[\"[0-9]+\"\]: -1"),
        (3, r"costs: 3 \(int\) is not valid; expected a mapping of numbers by id"),
    ],
)
def test_invalid_costs_are_rejected(costs, message):
    with pytest.raises(fb.InvalidArgumentError, match=message):
        first(costs=costs)


def test_searches_by_history_reject_costs():
    with pytest.raises(fb.InvalidArgumentError, match="costs"):
        first(search="binary", costs={"5": 0.5})


def test_errors_of_a_cost_function_are_unchanged():
    def cost(revision):
        raise LookupError(revision)

    with pytest.raises(LookupError, match="1"):
        first(costs=cost)
