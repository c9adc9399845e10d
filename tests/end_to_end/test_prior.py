"""What commits touch as a prior: the same questions from Python, from Node and on the command line."""

import json

import pytest
from command_line import IDENTITY, firstbad
from history import git
from test_languages import in_node

import firstbad as fb

TEST = ["sh", "tests/test_cart.sh"]


@pytest.fixture
def shop(tmp_path):
    """A repository of 21 commits, of which the fifteenth breaks the cart; the others touch notes and colours."""
    folder = tmp_path / "repository"
    (folder / "tests").mkdir(parents=True)
    (folder / "src").mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / "tests" / "test_cart.sh").write_text("! grep -q broken src/cart.py\n")
    (folder / "src" / "cart.py").write_text("fine\n")
    for number in range(21):
        (folder / ("notes.md" if number % 2 else "src/colours.py")).write_text(f"{number}\n")
        if number == 14:
            (folder / "src" / "cart.py").write_text("broken\n")
        git(folder, "add", ".")
        git(folder, *IDENTITY, "commit", "--quiet", f"--message=Step {number}")
    git(folder, "tag", "v1", "main~20")
    return folder


def searched(shop, **options):
    repository = fb.Repository(shop)
    with repository.command_oracle(TEST) as oracle:
        return fb.find_regressions(repository.graph("main"), oracle, bad="main", good="v1", **options)


def asked(report):
    return [seen.revision for seen in report.observations]


def test_the_command_names_the_test_for_the_prior(shop):
    culprit = git(shop, "rev-parse", "main~6").strip()
    alike, named = searched(shop, prior="uniform"), searched(shop)
    assert [report.points[0].bad for report in (alike, named)] == [culprit, culprit]
    runs = [report.runs - report.confirmations for report in (named, alike)]
    assert runs == [4, 7], "two of them are the ends"
    assert asked(searched(shop, prior="changes", test="tests/test_cart.sh")) == asked(named)
    assert asked(searched(shop, prior="changes")) == asked(named)
    assert len(asked(searched(shop, prior="changes", test="colours"))) > 4


def test_all_front_ends_ask_the_same(shop):
    named = searched(shop)
    call = """(async () => {
        const repository = new fb.Repository("repository");
        const oracle = repository.commandOracle(%s);
        const report = await fb.findRegressions(repository.graph("main"), oracle,
            { bad: "main", good: "v1" });
        await oracle.close();
        return { report: report.observations.map(({ revision }) => revision) };
    })()"""
    there = in_node(call % json.dumps(TEST), shop.parent)
    assert there["report"] == asked(named)
    run = ["run", "--bad", "main", "--good", "v1", "--json", "--quiet"]
    told = firstbad(*run, "--", *TEST, where=shop)
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["runs"] == named.runs
    (shop / "firstbad.toml").write_text('test-name = "colours"\n')
    other = firstbad(*run, "--", *TEST, where=shop)
    assert json.loads(other.stdout)["runs"] > named.runs


def test_a_flaky_search_uses_the_prior(shop):
    repository = fb.Repository(shop)
    with repository.command_oracle(TEST) as oracle:
        report = fb.find_culprit(repository.graph("main"), oracle, bad="main", good="v1", flake_rate=0.05)
    assert report.culprit == git(shop, "rev-parse", "main~6").strip()


def test_a_journal_with_weights_resumes(shop, tmp_path):
    journal = tmp_path / "run.jsonl"
    first = searched(shop, prior="changes", journal=journal, budget=2)
    assert first.status == "budget"
    assert asked(searched(shop, prior="changes", journal=journal)) == asked(searched(shop, prior="changes"))


def test_unused_priors_are_rejected(shop):
    # A test's name says what a report is about, whatever the prior is.
    assert asked(searched(shop, test="cart", prior="uniform")) == asked(searched(shop, prior="uniform"))
    with pytest.raises(fb.InvalidArgumentError, match=r"prior: .* expected weights by revision, or a graph"):
        fb.find_regressions(fb.CommitGraph.linear(["a", "b"]), lambda _: True, bad="b", prior="changes")


def test_every_report_names_unreadable_changes(shop):
    repository = fb.Repository(shop)
    graph = repository.graph("main")
    moved = shop.rename(shop.with_name("moved"))
    try:
        search = fb.RegressionSearch(graph, bad="main", good="v1")
        belief = fb.CulpritSearch(graph, bad="main", good="v1")
    finally:
        moved.rename(shop)
    for report in (search.report(), belief.report()):
        (warning,) = report.warnings
        assert warning.startswith("firstbad cannot read the changes of the commits, so all suspects are equally likely")
    assert fb.RegressionSearch(graph, bad="main", good="v1").report().warnings == ()


CART = "touches src/cart.py, which the test is named after; touches 2 source files, 4 lines"


def test_all_front_ends_give_reasons(shop):
    culprit = git(shop, "rev-parse", "main~6").strip()
    report = searched(shop, prior="changes")
    assert report.why[culprit] == fb.SelectionReason(CART, report.why[culprit].reasons, None)
    assert report.why[culprit].reasons[0] == fb.CommitReason("named", file="src/cart.py")
    before = report.why[git(shop, "rev-parse", "main~7").strip()]
    assert (before.before, before.message) == (culprit, f"right before {culprit[:12]}, which {CART}")
    call = """(async () => {
        const repository = new fb.Repository("repository");
        const oracle = repository.commandOracle(%s);
        const ends = { bad: "main", good: "v1", prior: "changes" };
        const report = await fb.findRegressions(repository.graph("main"), oracle, ends);
        await oracle.close();
        return { report: report.why };
    })()"""
    there = in_node(call % json.dumps(TEST), shop.parent)["report"]
    assert {revision: why["message"] for revision, why in there.items()} == {
        revision: why.message for revision, why in report.why.items()
    }
    assert there[culprit]["reasons"][0] == {"kind": "named", "file": "src/cart.py"}
    assert searched(shop, prior="uniform").why == {}


def test_all_front_ends_rank_the_same(shop):
    repository = fb.Repository(shop)
    changes = repository.changes("v1", "main")
    ranking = fb.rank_commits(changes, "tests/test_cart.sh")
    told = json.loads(
        firstbad("rank", "--good", "v1", "--bad", "main", "--test", "tests/test_cart.sh", "--json", where=shop).stdout
    )
    assert [suspect["change"] for suspect in told["suspects"]] == [change for change, _ in ranking]
    assert [suspect["message"] for suspect in told["suspects"]] == [suspect.message for suspect in ranking.suspects]
    call = """(async () => {
        const repository = new fb.Repository("repository");
        const ranking = fb.rankCommits(await repository.changes("v1", "main"), { test: "tests/test_cart.sh" });
        return { report: { pairs: [...ranking], text: ranking.toText(3) } };
    })()"""
    there = in_node(call, shop.parent)["report"]
    assert there == {"pairs": [list(pair) for pair in ranking], "text": ranking.to_text(3)}
    assert asked(searched(shop, prior=ranking)) == asked(searched(shop, prior="changes"))


def test_imports_and_changes_form_one_prior(shop):
    (shop / "tests" / "test_till.py").write_text("import cart\n")
    (shop / "src" / "__init__.py").write_text("")
    git(shop, "add", ".")
    git(shop, *IDENTITY, "commit", "--quiet", "--message=Test of the till")
    culprit = git(shop, "rev-parse", "main~7").strip()
    repository = fb.Repository(shop)
    build = fb.BuildGraph.from_git(repository, "main", "python", roots=["src"])
    ends = {"bad": "main", "good": "v1", "flake_rate": 0.05, "build_graph": build, "test": "tests/test_till.py"}
    graph = repository.graph("main")

    def passes(revision):
        return not graph.is_ancestor(culprit, revision)

    both = fb.find_culprit(graph, passes, **ends)
    alone = fb.find_culprit(graph, passes, **ends, prior="uniform")
    assert both.culprit == alone.culprit == culprit
    assert both.why[culprit].message.startswith("touches src/cart.py, which the test depends on; ")
    assert alone.why == {}
    assert both.ranking == alone.ranking
    ranking = fb.rank_commits(repository.changes("v1", "main"), "tests/test_till.py", build_graph=build)
    assert culprit in dict(ranking[:2])
    with pytest.raises(fb.InvalidArgumentError, match=r"prior: .* to also use the changes"):
        fb.find_culprit(graph, passes, **ends, prior={culprit: 1.0})
