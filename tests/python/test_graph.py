"""Commit graphs: creation, queries, and invalid input."""

import copy
import pickle
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstbad as fb

DIAMOND = {"m": ["a", "b"], "a": ["r"], "b": ["r"], "r": []}


@st.composite
def histories(draw):
    count = draw(st.integers(1, 12))
    return {
        f"v{child}": [
            f"v{parent}" for parent in draw(st.lists(st.integers(0, child - 1), max_size=3, unique=True)) if child
        ]
        if child
        else []
        for child in range(count)
    }


def test_a_mapping_in_any_order_keeps_the_order_of_parents():
    g = fb.CommitGraph(DIAMOND)
    assert len(g) == 4
    assert g.parents("m") == ("a", "b")
    assert sorted(g.children("r")) == ["a", "b"]
    assert (g.roots, g.leaves) == (("r",), ("m",))
    assert g.is_ancestor("r", "m")
    assert not g.is_ancestor("a", "b")
    assert g.is_ancestor("a", "a")
    assert (g.distance("r", "m"), g.distance("m", "r"), g.distance("m", "m")) == (2, None, 0)
    assert "a" in g
    assert "x" not in g
    assert 5 not in g


def test_graphs_from_pairs_edges_and_lists():
    pairs = fb.CommitGraph([("r", []), ["a", ("r",)], ("b", iter(["a"]))])
    edges = fb.CommitGraph.from_edges([("r", "a"), ("a", "b")])
    linear = fb.CommitGraph.linear(id for id in ["r", "a", "b"])
    for g in (pairs, edges, linear):
        assert list(g.ids) == ["r", "a", "b"]
        assert g.parents("b") == ("a",)


def test_versions_keep_their_order():
    came = ["10.0.0-nightly.1", "10.0.0-nightly.2", "10.0.0-rc.1", "10.0.0", "10.1.0", "10.10.0"]
    graph = fb.CommitGraph.from_versions(sorted(came), scheme="semver")
    assert list(graph.ids) == came
    report = fb.find_regressions(graph, lambda version: came.index(version) < 3, bad="10.10.0", good="10.0.0-nightly.1")
    assert report.points[0].bad == "10.0.0"
    python = ["1.0.dev1", "1.0rc1", "1.0", "1.0.post1", "1.10"]
    assert list(fb.CommitGraph.from_versions(sorted(python), scheme="pep440").ids) == python
    for versions, scheme, words in (
        (["1.2"], "semver", r'^versions: "1.2" is not valid; expected versions with three numbers'),
        (["1.2"], "calver", r'^scheme: "calver" is not valid; expected one of semver, pep440$'),
        (["1.2"], None, r"^scheme: None \(NoneType\) is not valid"),
    ):
        with pytest.raises(fb.InvalidArgumentError, match=words):
            fb.CommitGraph.from_versions(versions, scheme=scheme)


def test_any_mapping_is_accepted():
    class Lazy(Mapping):
        def __getitem__(self, id):
            return DIAMOND[id]

        def __iter__(self):
            return iter(DIAMOND)

        def __len__(self):
            return len(DIAMOND)

    assert fb.CommitGraph(Lazy()).leaves == ("m",)


@settings(max_examples=50, derandomize=True, deadline=None)
@given(histories())
def test_the_repr_of_a_graph(history):
    g = fb.CommitGraph(dict(reversed(history.items())))
    assert set(g.ids) == set(history)
    assert {id: list(g.parents(id)) for id in g.ids} == history
    order = {id: place for place, id in enumerate(g.ids)}
    assert all(order[parent] < order[id] for id, parents in history.items() for parent in parents)
    assert set(g.roots) == {id for id, parents in history.items() if not parents}
    for id in g.ids:
        assert all(id in g.parents(child) for child in g.children(id))
    networkx = pytest.importorskip("networkx")
    drawn = g.to_networkx()
    for a in g.ids:
        for b in g.ids:
            expected = networkx.shortest_path_length(drawn, a, b) if networkx.has_path(drawn, a, b) else None
            assert g.distance(a, b) == expected


@settings(max_examples=30, derandomize=True, deadline=None)
@given(histories(), st.booleans())
def test_a_pickled_graph_is_equal(history, timed):
    times = {id: 100 - place for place, id in enumerate(history)} if timed else None
    g = fb.CommitGraph(dict(reversed(history.items())), times)
    again = pickle.loads(pickle.dumps(g))
    assert again.ids == g.ids
    assert [again.parents(id) for id in again] == [g.parents(id) for id in g]
    assert [again._core.time(rank) for rank in range(len(g))] == [g._core.time(rank) for rank in range(len(g))]
    assert copy.deepcopy(g) is copy.copy(g) is g


def test_ids_are_a_view_that_behaves_like_a_list():
    names = [f"v{place}" for place in range(10_000)]
    ids = fb.CommitGraph.linear(names).ids
    assert len(ids) == 10_000
    assert ids == names
    assert names == list(ids)
    assert (ids[0], ids[-1], ids[5:8], ids[::4000]) == ("v0", "v9999", ["v5", "v6", "v7"], names[::4000])
    assert ids[8:5] == []
    assert ids.index("v77") == 77
    assert ids.count("v77") == 1
    assert "v10000" not in ids
    assert next(reversed(ids)) == "v9999"
    with pytest.raises(IndexError):
        ids[10_000]
    with pytest.raises(ValueError, match="nope"):
        ids.index("nope")
    assert "10000 in all" in repr(ids)


@pytest.mark.parametrize(
    ("make", "kind", "code", "words"),
    [
        (lambda: fb.CommitGraph({}), fb.GraphError, "empty_graph", "empty"),
        (lambda: fb.CommitGraph([("a", []), ("a", [])]), fb.GraphError, "duplicate_revision", '"a"'),
        (lambda: fb.CommitGraph({"a": ["x"]}), fb.GraphError, "unknown_parent", '"x"'),
        (lambda: fb.CommitGraph({"a": ["b"], "b": ["a"]}), fb.GraphError, "cycle", "a -> b -> a"),
        (lambda: fb.CommitGraph({1: []}), fb.InvalidArgumentError, "invalid_argument", r"1 \(int\)"),
        (lambda: fb.CommitGraph({"a": [1]}), fb.InvalidArgumentError, "invalid_argument", r"parents: 1 \(int\)"),
        (lambda: fb.CommitGraph({"a": "bc"}), fb.InvalidArgumentError, "invalid_argument", "brackets"),
        (lambda: fb.CommitGraph(["ab", "cd"]), fb.InvalidArgumentError, "invalid_argument", "linear"),
        (lambda: fb.CommitGraph(7), fb.InvalidArgumentError, "invalid_argument", "7"),
        (lambda: fb.CommitGraph({"a": []}, times=[1, 2]), fb.InvalidArgumentError, "invalid_argument", "times"),
        (lambda: fb.CommitGraph({"a": []}, times={}), fb.InvalidArgumentError, "invalid_argument", "'a'"),
        (lambda: fb.CommitGraph({"a": []}, times=["x"]), fb.InvalidArgumentError, "invalid_argument", "'x'"),
        (lambda: fb.CommitGraph.linear("abc"), fb.InvalidArgumentError, "invalid_argument", "list of ids"),
        (lambda: fb.CommitGraph.from_edges([("a",)]), fb.InvalidArgumentError, "invalid_argument", "edges"),
        (lambda: fb.CommitGraph(DIAMOND).parents("q"), fb.UnknownRevisionError, "unknown_revision", '"q"'),
        (lambda: fb.CommitGraph.from_git("/nonexistent"), fb.HostError, "io", "nonexistent"),
    ],
)
def test_invalid_graphs_are_errors(make, kind, code, words):
    with pytest.raises(kind, match=words) as caught:
        make()
    assert caught.value.code == code
    assert isinstance(caught.value, fb.FirstbadError)


def test_errors_of_a_custom_mapping_are_unchanged():
    error = RuntimeError("mine")

    def pairs():
        yield "a", []
        raise error

    with pytest.raises(RuntimeError) as caught:
        fb.CommitGraph(pairs())
    assert caught.value is error


def test_times_by_id_or_in_order_reach_networkx():
    pytest.importorskip("networkx")
    for times in ({"m": 4, "a": 2, "b": 3.7, "r": 1}, [4, 2, 3, 1]):
        drawn = fb.CommitGraph(DIAMOND, times=times).to_networkx()
        assert dict(drawn.nodes(data="time")) == {"r": 1, "a": 2, "b": 3, "m": 4}
        assert set(drawn.edges) == {("r", "a"), ("r", "b"), ("a", "m"), ("b", "m")}


def test_drawings_and_repr_name_the_revisions():
    g = fb.CommitGraph(DIAMOND)
    for text in (g.to_dot(), g.to_mermaid()):
        assert all(id in text for id in DIAMOND)
    assert repr(g) == "<CommitGraph: 4 revisions, 1 root, 1 leaf>"


def test_a_unique_sha_prefix_is_enough():
    g = fb.CommitGraph.linear(["a" * 40, "ab" * 20])
    assert g.resolve("abab") == "ab" * 20
    with pytest.raises(fb.UnknownRevisionError) as caught:
        fb.CommitGraph.linear(["ab" * 20, "abab" + "c" * 36]).resolve("abab")
    assert caught.value.code == "ambiguous_revision"


def test_a_networkx_round_trip_keeps_the_graph():
    networkx = pytest.importorskip("networkx")
    graph = fb.CommitGraph({"m": ["b", "a"], "a": ["r"], "b": ["r"], "r": []}, times={"m": 4, "a": 2, "b": 3, "r": 1})
    drawn = graph.to_networkx()
    again = fb.CommitGraph.from_networkx(drawn)
    assert [(id, again.parents(id)) for id in again] == [(id, graph.parents(id)) for id in graph]
    assert again.to_networkx().nodes(data=True)["b"]["time"] == 3
    # The `parents` of a node count only if its edges agree.
    drawn.remove_edge("a", "m")
    assert fb.CommitGraph.from_networkx(drawn).parents("m") == ("b",)
    plain = fb.CommitGraph.from_networkx(networkx.DiGraph([("r", "a"), ("a", "m")]))
    assert (list(plain), plain.roots, plain.leaves) == (["r", "a", "m"], ("r",), ("m",))
    with pytest.raises(fb.GraphError, match="cycle"):
        fb.CommitGraph.from_networkx(networkx.DiGraph([("a", "b"), ("b", "a")]))


def test_rustworkx_has_the_ids_in_their_order():
    rustworkx = pytest.importorskip("rustworkx")
    graph = fb.CommitGraph({"m": ["b", "a"], "a": ["r"], "b": ["r"], "r": []})
    drawn = graph.to_rustworkx()
    assert drawn.nodes() == list(graph)
    edges = {(drawn[parent], drawn[child]) for parent, child in drawn.edge_list()}
    assert edges == {("r", "a"), ("r", "b"), ("a", "m"), ("b", "m")}
    assert rustworkx.is_directed_acyclic_graph(drawn)
