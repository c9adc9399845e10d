"""Reductions: the smallest set with a property, and the smallest difference that decides it."""

import asyncio
import json
import pickle
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstbad as fb

ITEMS = [f"item {number}" for number in range(40)]
ALGORITHMS = ["auto", "ddmin", "recursive"]


def needing(*needed):
    """Returns the property of sets that contain these items."""
    return lambda kept: set(needed) <= set(kept)


def needing_items_3_and_17(kept):
    assert fb.current_probe().pick(ITEMS) == kept
    return {ITEMS[3], ITEMS[17]} <= set(kept)


def raise_in_another_process(kept):
    raise ValueError(len(kept))


@st.composite
def properties(draw):
    """Returns a property of sets of up to 12 items. Some sets are unresolved, and all items together have it."""
    count = draw(st.integers(1, 12))
    sets = st.frozensets(st.integers(0, count - 1))
    true = draw(st.sets(sets, max_size=30)) | {frozenset(range(count))}
    unresolved = draw(st.sets(sets, max_size=10)) - true
    return count, lambda kept: None if frozenset(kept) in unresolved else frozenset(kept) in true


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_kept_items_are_in_their_original_order(algorithm):
    asked = []

    def interesting(kept):
        asked.append(kept)
        return {"d", "b"} <= set(kept)

    report = fb.minimize("abcdef", interesting, algorithm=algorithm)
    assert (report.status, report.items, report.kept) == ("found", ["b", "d"], (1, 3))
    assert report.guarantee in ("1-minimal", "fixpoint")
    assert report.runs == report.runs == len(asked) == len(report.observations)
    assert asked[0] == list("abcdef")
    assert all(kept == sorted(kept) for kept in asked)
    assert ["".join(kept) for kept in asked] == [
        "".join("abcdef"[index] for index in seen.changes) for seen in report.observations
    ]
    assert str(report).startswith("2 of 6 items are kept. ")
    assert "2 of 6" in repr(report)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(
    properties(),
    st.sampled_from(ALGORITHMS),
    st.sampled_from(["fixpoint", "1-minimal"]),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
)
def test_the_result_has_the_property_and_no_set_is_tested_twice(problem, algorithm, guarantee, jobs, order):
    count, property_of = problem
    search = fb.Minimizer(range(count), algorithm=algorithm, guarantee=guarantee)
    while not search.done:
        search.ask(jobs - len(search.in_flight) or 1)
        probe = order.choice(search.in_flight)
        search.tell(probe.id, property_of(probe.changes))
    report = search.report()
    assert report.status == "found"
    assert property_of(report.items) is True
    asked = [seen.set for seen in report.observations]
    assert len(set(asked)) == len(asked)
    if guarantee == "1-minimal":
        assert report.guarantee == "1-minimal"
    if report.guarantee == "1-minimal":
        for index in report.kept:
            assert property_of([item for item in report.items if item != index]) is not True


@st.composite
def dependencies(draw):
    """Returns the needs of up to 20 items: items, or any one of several, possibly with cycles."""
    count = draw(st.integers(1, 20))
    index = st.integers(0, count - 1)
    need = index | st.lists(index, min_size=1, max_size=3)
    return count, draw(st.dictionaries(index, st.lists(need, max_size=2, unique_by=str)))


@settings(max_examples=150, derandomize=True, deadline=None)
@given(dependencies(), st.frozensets(st.integers(0, 19), max_size=3), st.sampled_from(ALGORITHMS), st.integers(1, 4))
def test_sets_without_dependencies_are_never_tested(problem, needed, algorithm, k):
    count, needs = problem
    needed = {item for item in needed if item < count}

    def whole(kept):
        return all(
            any(one in kept for one in need) if isinstance(need, list) else need in kept
            for item in kept
            for need in needs.get(item, ())
        )

    def interesting(kept):
        assert whole(kept), kept
        return needed <= set(kept)

    for search in (
        fb.Minimizer(range(count), dependencies=needs, algorithm=algorithm, guarantee="1-minimal"),
        fb.Isolator(range(count), dependencies=needs),
    ):
        while not search.done:
            for probe in search.ask(k):
                search.tell(probe.id, interesting(probe.changes))
        report = search.report()
        if report.status == "not_reproduced":
            assert isinstance(search, fb.Isolator)
            assert not needed
        else:
            assert (report.status, report.guarantee) == ("found", "1-minimal")
            assert whole(report.kept)
            assert needed <= set(report.kept)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(
    properties(),
    st.data(),
    st.sampled_from(ALGORITHMS),
    st.integers(1, 4),
    st.booleans(),
)
def test_every_reduction_ends(problem, data, algorithm, k, tree):
    count, property_of = problem
    index = st.integers(0, count - 1)
    need = index | st.lists(index, min_size=1, max_size=3)
    needs = data.draw(st.dictionaries(index, st.lists(need, max_size=2, unique_by=str)))
    above = [data.draw(st.none() | st.integers(item + 1, count)) for item in range(count)] if tree else []
    parents = [*above, None] if tree else None

    def whole(kept):
        return all(
            any(one in kept for one in need) if isinstance(need, list) else need in kept
            for item in kept
            for need in needs.get(item, ())
        ) and all(not tree or above[item] in (None, count) or above[item] in kept for item in kept)

    search = fb.Minimizer(range(count), dependencies=needs, parents=parents, algorithm=algorithm, guarantee="1-minimal")
    asked = set()
    while not search.done:
        for probe in search.ask(k):
            assert whole(probe.changes)
            assert probe.changes not in asked
            asked.add(probe.changes)
            search.tell(probe.id, property_of(probe.changes))
    report = search.report()
    assert (report.status, report.guarantee) == ("found", "1-minimal")
    assert property_of(report.kept) is True
    # No single item can be removed.
    for item in report.kept:
        fewer = tuple(other for other in report.kept if other != item)
        if whole(fewer):
            assert property_of(fewer) is not True


def test_dependencies_can_be_any_mapping_or_sequence():
    as_lists = fb.Minimizer(range(4), dependencies={3: [0, [1, 2]]})
    as_others = fb.Minimizer(range(4), dependencies={3: (0, range(1, 3))})
    for wrong, shown in (("a", "'a' (str)"), (None, "None (NoneType)"), (1.5, "1.5 (float)"), (True, "True (bool)")):
        with pytest.raises(fb.InvalidArgumentError) as error:
            fb.Minimizer(range(4), dependencies={wrong: [1]})
        assert str(error.value) == f"dependencies: {shown} is not valid; expected the index of an item"
    assert as_lists.snapshot() == as_others.snapshot()
    numpy = pytest.importorskip("numpy")
    of_numpy = fb.Minimizer(range(4), dependencies={numpy.int64(3): [numpy.int32(0), numpy.array([1, 2])]})
    assert of_numpy.snapshot() == as_lists.snapshot()


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.integers(1, 30), st.data(), st.integers(1, 3))
def test_isolation_finds_the_deciding_items(count, data, jobs):
    needed = data.draw(st.frozensets(st.integers(0, count - 1), min_size=1))
    with ThreadPoolExecutor(jobs) as pool:
        report = fb.isolate(range(count), lambda kept: needed <= set(kept), jobs=jobs, executor=pool)
    assert (report.status, report.guarantee, len(report.difference)) == ("found", "1-minimal", 1)
    assert needed <= set(report.kept)
    assert not needed <= set(report.lacking)
    assert set(report.kept) - set(report.lacking) == set(report.difference)
    assert set(report.lacking) < set(report.kept)
    assert report.items == list(report.difference)
    assert report.runs == report.runs == len(report.observations)
    assert "1 of" in str(report)
    assert "found" in repr(report)


def test_trees_are_reduced_level_by_level():
    sizes = []

    def interesting(kept):
        sizes.append(len(kept))
        return 5 in kept

    # Two groups of four, of which the second remains.
    parents = [8, 8, 8, 8, 9, 9, 9, 9, None, None]
    assert fb.minimize(range(8), interesting, parents=parents, depth=1).items == [4, 5, 6, 7]
    assert set(sizes) <= {8, 4, 0}
    assert fb.minimize(range(8), interesting, parents=parents).items == [5]


def test_weights_order_the_tests():
    def runs(weights):
        return fb.minimize(range(256), needing(200), weights=weights).runs

    assert runs([100 if item == 200 else 0.1 for item in range(256)]) < runs(None)


def test_only_failures_with_the_first_signature_are_kept():
    def oracle(kept):
        if 3 in kept:
            return fb.Observation("fail", signature="the one")
        return fb.Observation("fail", signature="another") if 5 in kept else True

    assert fb.minimize(range(8), oracle, keep="fail").items == [3]
    assert fb.minimize(range(8), lambda kept: 5 not in kept, keep="fail").items == [5]
    with pytest.raises(fb.NotReproducedError):
        fb.minimize(range(8), oracle, keep="fail", signature="another")


def test_with_a_confidence_sets_are_tested_repeatedly():
    calls = {}

    def flaky(kept):
        key = tuple(kept)
        calls[key] = calls.get(key, 0) + 1
        return {2, 6} <= set(kept) and calls[key] % 4 != 0

    report = fb.minimize(range(8), flaky, confidence=0.99, flake_rate=0.25, false_pass_rate=0.0)
    assert (report.status, report.items) == ("found", [2, 6])
    assert max(calls.values()) > 1


def test_a_property_that_does_not_hold_at_all_is_an_error_with_the_search():
    for function in (fb.minimize, fb.isolate):
        with pytest.raises(fb.NotReproducedError, match="does not hold for all 40 items") as caught:
            function(ITEMS, lambda kept: False)
        assert caught.value.code == "not_reproduced"
        assert isinstance(caught.value, LookupError)
        search = caught.value.firstbad_search
        assert (search.status, search.runs) == ("not_reproduced", 1)
        assert not getattr(caught.value, "__notes__", [])
    with pytest.raises(fb.NotReproducedError, match="the property holds without items"):
        fb.isolate(ITEMS, lambda kept: True)
    with pytest.raises(fb.NotReproducedError, match="the property is unresolved without items"):
        fb.isolate(ITEMS, lambda kept: True if kept else None)
    # With the ask/tell interface, the status is a normal report.
    assert fb.run(fb.Minimizer(ITEMS), lambda kept: None).status == "not_reproduced"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"items": []}, "items: 0"),
        ({"items": 5}, r"items: 5 \(int\)"),
        ({"weights": [1, 2]}, "weights: 2"),
        ({"weights": [1, 2, 0]}, r"weights\[2\]"),
        ({"weights": [1, 2, float("nan")]}, "weights"),
        ({"weights": 3}, r"weights: 3 \(int\)"),
        ({"dependencies": {0: [9]}}, r"dependencies\[0\]: 9"),
        ({"dependencies": {9: [0]}}, "dependencies: 9"),
        ({"dependencies": {0: [1, 1]}}, r"dependencies\[0\].*duplicate"),
        ({"dependencies": {0: [[]]}}, r"dependencies\[0\]"),
        ({"dependencies": {0: 1}}, r"dependencies\[0\]: 1 \(int\)"),
        ({"dependencies": {"a": [1]}}, "dependencies"),
        ({"dependencies": [[1], []]}, r"dependencies: .*\(list\)"),
        ({"parents": [None]}, "parents: 1"),
        ({"parents": [1, 0, None]}, r"parents\[0\].*cycle"),
        ({"parents": [7, None, None]}, r"parents\[0\]: 7"),
        ({"depth": 0}, "depth: 0"),
        ({"guarantee": "best so far"}, "guarantee"),
        ({"guarantee": "global"}, "guarantee"),
        ({"algorithm": "magic"}, "algorithm"),
        ({"keep": "unresolved"}, 'keep: "unresolved" .*expected "pass" or "fail"$'),
        ({"keep": "good"}, 'keep: "good" .*expected "pass" or "fail"$'),
        ({"confidence": 1}, "confidence"),
        ({"confidence": 0.9, "flake_rate": 2}, "flake_rate"),
        ({"flake_rate": 0.1}, "flake_rate: 0.1 .*confidence"),
        ({"false_pass_rate": 0.1}, "false_pass_rate: 0.1 .*confidence"),
        ({"monotonic": "yes"}, "monotonic"),
        ({"journal": 3}, "journal: 3"),
        ({"known": 3}, "known: 3"),
        ({"known": [(7, 8, 9)]}, r"known\[0\]: .7, 8, 9."),
        ({"jobs": 0}, "jobs"),
        ({"retries": -1}, "retries"),
        ({"interesting": None}, "oracle: None"),
        ({"interesting": lambda kept: 3}, r"interesting, for changes 0-2: .*3 \(int\)"),
    ],
)
def test_invalid_arguments_are_errors(options, words):
    options = {"items": range(3), "interesting": needing(1), **options}
    with pytest.raises(fb.InvalidArgumentError, match=words) as caught:
        fb.minimize(**options)
    assert caught.value.code == "invalid_argument"


def test_ask_and_tell():
    search = fb.Minimizer(ITEMS)
    [probe] = search.ask()
    assert (probe.id, probe.revision, probe.changes) == (0, None, tuple(range(40)))
    assert probe.changes is probe.changes
    assert probe.pick(ITEMS) == ITEMS
    assert probe.pick(ITEMS) is not ITEMS
    assert (str(probe), repr(probe)) == ("changes 0-39", "Probe(id=0, changes='0-39')")
    assert search.in_flight == [probe]
    assert search.wanted(0)
    search.tell(0, True)
    while not search.done:
        for probe in search.ask(3):
            search.tell(probe.id, needing(ITEMS[3], ITEMS[30])(probe.pick(ITEMS)))
    assert search.report().items == [ITEMS[3], ITEMS[30]]
    assert search.events[0] == {"event": "asked", "id": 0, "changes": "0-39"}


def test_probes_are_values():
    probe = fb.Probe(3, changes=[7, 0, 1, 2, 3])
    assert probe == fb.Probe(3, changes="0-3,7") != fb.Probe(3, changes="0-3")
    assert len({probe, fb.Probe(3, changes=range(4)), fb.Probe(3, changes="0-3,7")}) == 2
    assert pickle.loads(pickle.dumps(probe)) == probe
    assert eval(repr(probe), {"Probe": fb.Probe}) == probe
    assert fb.Probe(0, changes=()).changes == ()
    assert fb.Probe(0, changes=()).pick([1, 2]) == []
    assert fb.Probe(0, "main").pick([1, 2]) == [1, 2]
    both = fb.Probe(0, "main", "1-2")
    assert (both.revision, both.changes, pickle.loads(pickle.dumps(both))) == ("main", (1, 2), both)
    with pytest.raises(fb.InvalidArgumentError, match="at least 8 items"):
        probe.pick([1, 2])
    for nothing in ({}, {"changes": [-1]}, {"changes": "3-1"}, {"changes": 5}):
        with pytest.raises(fb.InvalidArgumentError, match=r"changes|revision"):
            fb.Probe(0, **nothing)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.frozensets(st.integers(0, 300)))
def test_picking_is_indexing(indices):
    items = [object() for _ in range(301)]
    probe = fb.Probe(0, changes=indices)
    assert probe.changes == tuple(sorted(indices))
    assert probe.pick(items) == [items[index] for index in sorted(indices)]


def test_observed_and_enqueued():
    search = fb.Minimizer(range(8))
    search.observe(range(8), True)
    search.observe([5, 4], True)
    assert search.runs == 0
    assert search.report().kept == (4, 5)
    assert [(seen.set, seen.changes, seen.probe) for seen in search.report().observations] == [
        ("0-7", tuple(range(8)), None),
        ("4-5", (4, 5), None),
    ]
    search.enqueue((4,))
    assert search.ask()[0].changes == (4,)
    for call in (search.enqueue, lambda indices: search.observe(indices, True)):
        for wrong, words in (([8], "indices: 8"), ([1, 1], "indices: 1.*duplicate"), ([-1], "indices: -1"), (5, "5")):
            with pytest.raises(fb.InvalidArgumentError, match=words):
                call(wrong)
    with pytest.raises(fb.NonDeterministicError, match="not deterministic") as caught:
        search.observe([4, 5], False)
    assert caught.value.code == "non_deterministic"
    assert isinstance(caught.value, fb.ContradictionError)
    with pytest.raises(fb.InvalidArgumentError, match=r"revision: \[1\] \(list\)"):
        fb.RegressionSearch({"a": []}, bad="a").observe([1], True)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(
    st.sampled_from([fb.Minimizer, fb.Isolator]),
    st.frozensets(st.integers(0, 19), min_size=1, max_size=5),
    st.lists(st.integers(0, 3), max_size=14),
    st.integers(1, 4),
)
def test_snapshots_and_events_restore_the_search(kind, needed, moves, k):
    interesting = needing(*needed)
    search = kind(range(20))
    for move in moves:
        flying = search.in_flight
        if move == 0:
            search.ask(k)
        elif move == 1 and flying:
            search.tell(flying[-1].id, interesting(flying[-1].changes))
        elif move == 2 and flying:
            search.abandon(flying[0].id)
        elif move == 3 and search.runs:
            search.undo()
    restored = kind.restore(range(20), search.snapshot())
    replayed = kind(range(20))
    for event in search.events:
        replayed.apply(event)
    for other in (restored, replayed):
        assert other.snapshot() == search.snapshot()
        assert other.in_flight == search.in_flight
        assert other.report() == search.report()
        assert other.ask(2) == kind.restore(range(20), search.snapshot()).ask(2)
    assert fb.run(restored, interesting).status == "found"
    assert needed <= set(restored.report().kept)


def test_snapshots_of_other_searches_are_rejected():
    text = fb.Minimizer(range(20)).snapshot()
    for call in (
        lambda: fb.Minimizer.restore(range(19), text),
        lambda: fb.Isolator.restore(range(20), text),
        lambda: fb.Minimizer.restore(range(20), "nonsense"),
        lambda: fb.RegressionSearch.restore({"a": []}, text),
    ):
        with pytest.raises(fb.SnapshotError) as caught:
            call()
        assert caught.value.code == "snapshot"


def test_exceptions_are_unchanged_and_the_search_can_resume():
    trouble = KeyboardInterrupt("stop")

    def interesting(kept):
        if len(calls) == 4:
            raise trouble
        calls.append(kept)
        return 7 in kept

    calls = []
    with pytest.raises(KeyboardInterrupt) as caught:
        fb.minimize(range(20), interesting)
    assert caught.value is trouble
    search = trouble.firstbad_search
    assert (search.runs, search.in_flight) == (4, [])
    calls.append(None)
    assert fb.run(search, interesting).items == [7]
    asked = [seen.set for seen in search.report().observations]
    assert len(set(asked)) == len(asked)


def test_failed_machines_are_retried_a_few_times():
    failures = []

    def interesting(kept):
        if len(kept) < 20 and len(failures) < 2:
            failures.append(kept)
            raise fb.Retry("machine")
        return 7 in kept

    steps = []
    report = fb.minimize(range(20), interesting, retries=2, progress=steps.append)
    assert report.items == [7]
    assert failures[0] == failures[1]
    kinds = [step.kind for step in steps]
    assert (kinds.count("retried"), kinds.count("told"), kinds[-1]) == (2, report.runs, "done")
    assert all(step.probe.changes is not None for step in steps[:-1])

    failures.clear()
    with pytest.raises(fb.Retry):
        fb.minimize(range(20), interesting, retries=1)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_used_up_budget_gives_the_best_result_so_far(algorithm):
    interesting = needing(3, 11, 12)
    seen = []
    for runs in range(12):
        search = fb.Minimizer(range(20), algorithm=algorithm)
        report = fb.run(search, interesting, budget=runs)
        if report.status != "budget":
            break
        assert (report.runs, report.guarantee) == (runs, "best so far")
        assert interesting(report.items)
        seen.append(len(report.items))
    assert seen == sorted(seen, reverse=True)
    assert seen[0] == 20
    assert fb.run(search, interesting, budget=1000).items == [3, 11, 12]
    assert fb.minimize(range(20), interesting, budget=5, algorithm=algorithm).status == "budget"


def test_a_stopped_search_reports_the_best_result_so_far():
    search = fb.Minimizer(range(20))
    for _ in range(3):
        for probe in search.ask():
            search.tell(probe.id, 7 in probe.changes)
    search.stop()
    report = search.report()
    assert (report.status, report.guarantee) == ("stopped", "best so far")
    assert 7 in report.items


def test_a_budget_can_limit_seconds():
    began = time.monotonic()
    report = fb.minimize(
        range(1000), lambda kept: time.sleep(0.02) or {3, 600} <= set(kept), budget=fb.Budget(seconds=0.1)
    )
    assert report.status == "budget"
    assert time.monotonic() - began < 2


def test_every_call_gets_a_new_list():
    def interesting(kept):
        holds = 7 in kept
        kept.clear()
        return holds

    items = list(range(20))
    assert fb.minimize(items, interesting).items == [7]
    assert items == list(range(20))
    search = fb.Minimizer(items)
    items.clear()
    assert fb.run(search, needing(7)).items == [7]


def test_any_object_is_an_item():
    items = [object() for _ in range(10)]
    assert fb.minimize(iter(items), lambda kept: items[4] in kept).items == [items[4]]


def test_jobs_are_kept_busy():
    gate = threading.Barrier(3, timeout=5)
    waiting = iter(range(3))

    def interesting(kept):
        if next(waiting, None) is not None:
            gate.wait()
        return {3, 30} <= set(kept)

    report = fb.minimize(range(40), interesting, jobs=3)
    assert report.items == [3, 30]


def test_processes_get_the_kept_items():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        report = fb.minimize(ITEMS, needing_items_3_and_17, executor=pool, jobs=2)
        assert report.items == [ITEMS[3], ITEMS[17]]
        with pytest.raises(ValueError, match="40"):
            fb.minimize(ITEMS, raise_in_another_process, executor=pool)


def test_useless_probes_are_canceled():
    cancelled = []

    async def interesting(kept):
        try:
            # All items run first. If they do not have the property, the probes in parallel are useless.
            await asyncio.sleep(0 if len(kept) == 40 else 60)
        except asyncio.CancelledError:
            cancelled.append(kept)
            raise
        return False

    async def main():
        return await fb.run_async(fb.Minimizer(range(40)), interesting, jobs=4)

    began = time.monotonic()
    assert asyncio.run(main()).status == "not_reproduced"
    assert cancelled
    assert time.monotonic() - began < 5


def test_coroutines():
    async def interesting(kept):
        await asyncio.sleep(0)
        return {3, 30} <= set(kept)

    async def main():
        minimal = await fb.minimize_async(range(40), interesting, jobs=3, guarantee="1-minimal")
        assert (minimal.items, minimal.guarantee) == ([3, 30], "1-minimal")
        blocking = await fb.minimize_async(range(40), needing(5), budget=1000)
        assert blocking.items == [5]
        apart = await fb.isolate_async(range(40), interesting, jobs=2)
        assert apart.items in ([3], [30])
        with pytest.raises(fb.NotReproducedError) as caught:
            await fb.minimize_async(range(40), needing(99))
        assert caught.value.firstbad_search.runs == 1

    asyncio.run(main())
    with pytest.raises(fb.InvalidArgumentError, match=r"interesting, for changes 0-39: .*\n.*_async version"):
        fb.minimize(range(40), interesting)


def test_logs_and_reports_can_be_kept(caplog):
    with caplog.at_level("INFO", logger="firstbad"):
        report = fb.minimize("abc", lambda kept: "b" in kept)
    assert "changes 0-2: pass (answer 1)" in caplog.messages
    assert pickle.loads(pickle.dumps(report)) == report
    assert json.loads(json.dumps(report.kept)) == [1]
