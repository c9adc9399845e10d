"""Cards in notebooks, which the core draws for all front ends."""

import copy
import json
import pickle
from pathlib import Path

import pytest

import firstbad as fb

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "values" / "cards.json").read_text())["cards"]
SEARCHES = {"regression": fb.RegressionSearch, "culprit": fb.CulpritSearch, "verification": fb.CulpritVerifier}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_vectors(vector):
    options = dict(vector["options"])
    if vector["algorithm"] == "verification" or vector["algorithm"] == "culprit":
        options["bad"] = options["bad"][0]
    search = SEARCHES[vector["algorithm"]](fb.CommitGraph(vector["graph"]), **options)
    for outcome in vector["answers"]:
        [probe] = search.ask()
        search.tell(probe.id, fb.Observation(fb.Outcome(outcome), seconds=1.5))
    if vector["name"] == "a search that runs":
        search.ask()
    assert search.report().to_html() == vector["page"]
    assert search.to_html() == vector["page"]


def broken(revision):
    return revision < "1.2"


GRAPH = fb.CommitGraph.linear(["1.0", "1.1", "1.2", "1.3"])


def test_a_card_shows_the_history_and_leaves_the_report_unchanged():
    report = fb.find_regressions(GRAPH, broken, bad="1.3", good="1.0")
    bundle = report._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"] == repr(report)
    assert bundle["text/html"].startswith('<section class="fbad"')
    assert "<title>Commit graph" in bundle["text/html"]
    for again in (pickle.loads(pickle.dumps(report)), copy.copy(report), copy.deepcopy(report)):
        assert again == report
        assert "Broken by" in again.to_html()
    culprit = fb.find_culprit(GRAPH, broken, bad="1.3", good="1.0", flake_rate=0.0)
    assert "Probability by run" in culprit.to_html()
    assert "3 suspects" in culprit.posterior._repr_mimebundle_()["text/html"]
    assert pickle.loads(pickle.dumps(culprit)) == culprit


def test_a_report_created_by_hand_has_no_card():
    report = fb.RegressionReport(
        status="found",
        message="",
        points=(),
        leaves=(),
        asked=0,
        runs=0,
        confirmations=0,
        observations=(),
        warnings=(),
        why={},
        commits={},
        names={},
        paths=(),
        first_parent=False,
        find="regression",
    )
    assert set(report._repr_mimebundle_()) == {"text/plain"}


def test_graphs_are_pictures():
    report = fb.find_regressions(GRAPH, broken, bad="1.3", good="1.0")
    bundle = GRAPH._repr_mimebundle_()
    assert bundle["image/svg+xml"] == GRAPH.to_svg()
    assert bundle["image/svg+xml"].startswith("<svg xmlns=")
    assert "1.2 fails" in GRAPH.to_svg(report)
    assert "1.2 fails" in GRAPH.to_html(report)
    with pytest.raises(fb.InvalidArgumentError, match="report"):
        GRAPH.to_svg("report")


def test_cards_of_reductions_show_their_items():
    report = fb.minimize(["<a>", "b", "c"], lambda kept: "<a>" in kept)
    assert "1 of 3 items" in report.to_html()
    assert "&#39;&lt;a&gt;&#39;" in report.to_html()
    text = fb.minimize_text("a\n<b>\nc\n", lambda kept: "b" in kept)
    assert "1 of 3 lines" in text.to_html()
    assert "&lt;b&gt;" in text.to_html()
    assert "1 of 3 lines" not in pickle.loads(pickle.dumps(text)).to_html()
    patch = fb.Patch.parse("--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n one\n+two\n+three\n")
    assert "Part of the patch" in fb.minimize_patch(patch, lambda kept: "two" in str(kept)).to_html()
    assert "2 changes in 1 file" in patch.to_html()


def test_sessions_and_stores_have_cards(tmp_path):
    store = fb.OutcomeStore(tmp_path / "outcomes.db", oracle="make <test>")
    with fb.Session.open(tmp_path / "run.jsonl", fb.RegressionSearch(GRAPH, bad="1.3", good="1.0")) as session:
        fb.run(session, broken)
        shown = session._repr_mimebundle_()["text/html"]
        assert "run.jsonl" in shown
        assert "Broken by" in shown
    fb.find_regressions(GRAPH, broken, bad="1.3", good="1.0", store=store)
    assert "make &lt;test&gt;" in store.to_html()
    assert f"{len(store)} outcomes" in store.to_html()


def test_rankings_are_lists():
    ranking = fb.rank_commits([fb.Changelist("c1", ["a.py"]), fb.Changelist("c2", ["README"])], test="test_a")
    assert "Suspected before anything runs" in ranking._repr_mimebundle_()["text/html"]
