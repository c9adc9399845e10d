"""Suspects without a run: build graphs, rankings, changes from Git, factors, priors."""

import asyncio
import copy
import json
import math
import pickle
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstbad as fb

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "suspicion.json").read_text())


def near(value):
    return pytest.approx(value, rel=0, abs=1e-9)


def build(targets, partial=False):
    made = {target["name"]: fb.BuildTarget(**without(target, "name")) for target in targets}
    return fb.BuildGraph(made, partial=partial)


def without(mapping, *names):
    return {key: value for key, value in mapping.items() if key not in names}


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in VECTORS["rankings"]])
def test_vectors_of_rankings(case):
    partial = case.get("partial", False)
    before = build(case["before"], partial) if "before" in case else None
    changes = [fb.Changelist(**change) for change in case["changes"]]
    ranking = fb.rank_suspects(build(case["targets"], partial), changes, case["tests"], by=case["by"], before=before)
    told = case["ranking"]
    assert [change for change, _ in ranking] == [suspect["change"] for suspect in told["suspects"]]
    assert [score for _, score in ranking] == near([suspect["score"] for suspect in told["suspects"]])
    for suspect, expected in zip(ranking.suspects, told["suspects"], strict=True):
        assert suspect.suspiciousness == near(expected["suspiciousness"])
        assert (suspect.size, suspect.distance) == (expected["size"], expected["distance"])
        assert (suspect.tests, suspect.closeness) == (expected["tests"], near(expected["closeness"]))
        for reason, why in zip(suspect.reasons, expected["reasons"], strict=True):
            assert (list(reason.files), reason.target, reason.distance) == (
                why["files"],
                why["target"],
                why["distance"],
            )
            assert (reason.before, reason.weight) == (why["before"], near(why["weight"]))
            assert (reason.tests, reason.path[-1]) == (why["tests"], reason.target)
            assert reason.before or reason.path[0] in ranking.tests
    assert list(ranking.excluded) == told["excluded"]
    assert (list(ranking.unlikely), ranking.complete) == (told["unlikely"], told["complete"])
    assert list(ranking.unplaced) == told["unplaced"]
    assert [list(cycle) for cycle in ranking.cycles] == told["cycles"]
    for prior in case.get("priors", []):
        assert ranking.prior(**prior["options"]) == near(prior["weights"])
    if "history" in case:
        history = case["history"]
        graph = fb.CommitGraph(history["revisions"])
        for prior in history["priors"]:
            weights, warning = ranking.prior_in(graph, history["bad"], history["good"], **prior["options"])
            assert (weights is None) is (warning is not None) is (prior["weights"] is None)
            assert weights is None or weights == near(prior["weights"])


@pytest.mark.parametrize("case", VECTORS["factors"])
def test_vectors_of_factors(case):
    config = dict(case["config"])
    made = getattr(fb.factors, config.pop("factor"))
    factor = made(*[config.pop(name) for name in ("factors", "text", "strength") if name in config], **config)
    change = fb.Changelist(**case["change"])
    assert factor(change) == near(case["factor"])
    assert pickle.loads(pickle.dumps(factor))(change) == factor(change)


APP = fb.BuildGraph(
    {
        "//app:test": fb.BuildTarget(files=["app_test.py"], deps=["//app:lib"], build_file="app/BUILD"),
        "//app:lib": fb.BuildTarget(files=["lib.py"], deps=["//base"]),
        "//base": fb.BuildTarget(folders=["base"]),
        "//docs": fb.BuildTarget(files=["readme"]),
    }
)
CHANGES = {"c1": ["base/x/y.py"], "c2": ["readme", "nowhere"], "c3": ["lib.py", "app/BUILD"]}


def test_a_ranking_is_a_sequence_of_pairs():
    ranking = fb.rank_suspects(APP, CHANGES, "//app:test")
    assert ranking == [("c3", near(2 * 0.98134)), ("c1", near(0.95711))] or ranking == list(ranking)
    assert ranking == list(ranking)
    assert ranking != []
    assert ranking != [("c3", 0.0)]
    assert list(ranking) == [(suspect.change, suspect.score) for suspect in ranking.suspects]
    assert (ranking[0], ranking[-1], ranking[:1]) == (next(iter(ranking)), list(ranking)[1], list(ranking)[:1])
    assert (len(ranking), ranking.excluded, ranking.unplaced, ranking.cycles) == (2, (), ("nowhere",), ())
    assert (ranking.tests, ranking.unlikely, ranking.complete) == (("//app:test",), ("c2",), True)
    assert "1 file belongs to no target and did not count" in ranking.message
    with pytest.raises(IndexError):
        ranking[2]
    assert pickle.loads(pickle.dumps(ranking)) == ranking
    assert json.loads(ranking.to_json())["suspects"][0]["reasons"][0]["target"] == ranking.suspects[0].reasons[0].target


def test_rankings_as_text():
    ranking = fb.rank_suspects(APP, CHANGES, "//app:test")
    text = ranking.to_text()
    assert "base/x/y.py in //app:test -> //app:lib -> //base" in text
    assert "1 more, less suspicious" in ranking.to_text(1)
    assert "base/x/y.py" not in ranking.to_text(1)
    assert "| 1 | `c3` |" in ranking.to_markdown()
    assert ranking._repr_markdown_() == ranking.to_markdown()
    assert str(ranking) == text.rstrip("\n")
    assert repr(ranking) == f"<Ranking: {ranking.message}>"
    with pytest.raises(fb.InvalidArgumentError, match="most"):
        ranking.to_text(-1)


def test_the_repr_of_a_build_graph():
    assert (len(APP), APP.targets[0], APP.cycles, APP.warnings) == (4, "//app:test", (), ())
    assert APP.dependencies("//app:lib") == ("//base",)
    assert (APP.targets_of("base/z"), APP.targets_of("nowhere")) == (("//base",), ())
    assert "//base" in APP
    assert "//bass" not in APP
    assert repr(APP) == "<BuildGraph: 4 targets, 2 dependencies, 4 files>"
    assert fb.BuildGraph({"a": ["b"], "b": ["a"]}).cycles == (("a", "b"),)
    assert fb.BuildGraph({"a": ["b"], "b": []}).targets_of("a") == ("a",)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: APP.dependencies("//app:lob"), fb.UnknownBuildTargetError, "//app:lib"),
        (lambda: fb.rank_suspects(APP, {}, "//app:tset"), fb.UnknownBuildTargetError, 'did you mean "//app:test"'),
        (lambda: fb.rank_suspects(APP, {}, "//app:tset"), LookupError, "test: unknown build target"),
        (lambda: fb.rank_suspects(APP, {}, "//app:test", by="age"), fb.InvalidArgumentError, 'by: "age"'),
        (lambda: fb.rank_suspects(APP, {}, 3), fb.InvalidArgumentError, "test: 3"),
        (lambda: fb.rank_suspects(APP, {}, []), fb.InvalidArgumentError, "test: \\[\\]"),
        (lambda: fb.rank_suspects(APP, {}, ["//app:test", 3]), fb.InvalidArgumentError, "test: "),
        (lambda: fb.rank_suspects(APP, {}, "//app:test", graphs=[APP]), fb.InvalidArgumentError, "graphs: list"),
        (lambda: fb.rank_suspects(APP, {}, "//app:test", graphs={"c": 3}), fb.InvalidArgumentError, "graphs"),
        (lambda: fb.rank_suspects(APP, {}, "//app:test").prior(unlikely=1), fb.InvalidArgumentError, "unlikely: 1"),
        (lambda: fb.Changelist("c", parents=3), fb.InvalidArgumentError, "parents: 3"),
        (lambda: fb.Changelist("c", renames=["a", "b"]), fb.InvalidArgumentError, "renames: \\['a', 'b'\\]"),
        (lambda: fb.Changelist("c", statuses={"a": 3}), fb.InvalidArgumentError, "statuses: {'a': 3}"),
        (
            lambda: fb.rank_suspects(APP, [fb.Changelist("c", statuses={"f": "lost"})], "//app:test"),
            fb.InvalidArgumentError,
            "lost",
        ),
        (lambda: fb.rank_suspects(3, {}, "t"), fb.InvalidArgumentError, "graph: int"),
        (lambda: fb.rank_suspects(APP, "c1", "//app:test"), fb.InvalidArgumentError, "changes: 'c1'"),
        (lambda: fb.rank_suspects(APP, {"c": "lib.py"}, "//app:test"), fb.InvalidArgumentError, "several paths"),
        (
            lambda: fb.rank_suspects(APP, [("c", []), ("c", [])], "//app:test"),
            fb.InvalidArgumentError,
            "each change once",
        ),
        (lambda: fb.BuildGraph([1]), fb.InvalidArgumentError, "mapping from names"),
        (lambda: fb.BuildGraph({"a": 1}), fb.InvalidArgumentError, "targets\\['a'\\]"),
        (
            lambda: fb.BuildGraph({"//lib": fb.BuildTarget(), "a": fb.BuildTarget(deps=["//lbi"])}),
            ValueError,
            'like "//lib"',
        ),
        (lambda: fb.BuildGraph.from_nx("no json"), fb.InvalidArgumentError, "no json"),
        (lambda: fb.BuildGraph.from_python("/no/such/folder"), fb.HostError, "/no/such/folder"),
        (lambda: fb.rank_suspects(APP, {}, "//app:test").prior(floor=2), fb.InvalidArgumentError, "floor: 2"),
        (lambda: fb.rank_suspects(APP, {}, "//app:test").prior(sharpness="x"), fb.InvalidArgumentError, "sharpness"),
        (lambda: fb.fit_sharpness([1]), fb.InvalidArgumentError, "cases"),
        (lambda: fb.fit_sharpness([], floor=-1), fb.InvalidArgumentError, "floor: -1"),
        (lambda: fb.Changelist(3), fb.InvalidArgumentError, "id: 3"),
        (lambda: fb.Changelist("c", "file"), fb.InvalidArgumentError, "several paths"),
        (lambda: fb.factors.size(-1), fb.InvalidArgumentError, "strength: -1"),
        (lambda: fb.factors.words("fix"), fb.InvalidArgumentError, "words: 'fix'"),
        (lambda: fb.factors.words({"!": 1}), fb.InvalidArgumentError, "with a letter"),
        (lambda: fb.factors.authors({"a": math.nan}), fb.InvalidArgumentError, "authors"),
        (lambda: fb.factors.trace(3), fb.InvalidArgumentError, "text: int"),
        (lambda: fb.factors.trace("x", line=-1), fb.InvalidArgumentError, "line: -1"),
        (lambda: fb.factors.size()("c"), fb.InvalidArgumentError, "expected a Changelist"),
        (lambda: fb.factors.weigh({"c": []}, [3]), fb.InvalidArgumentError, "functions of a Changelist"),
        (lambda: fb.factors.weigh({"c": []}, [lambda change: -1]), fb.InvalidArgumentError, "-1 of"),
        (lambda: fb.factors.weigh({"c": []}, [lambda change: None]), fb.InvalidArgumentError, "None of"),
    ],
)
def test_invalid_arguments_are_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_an_empty_changelog_is_reported():
    ranking = fb.rank_suspects(APP, [], "//app:test")
    assert ranking == []
    assert ranking.message == "there are no changes, so the cause is not in this graph"
    assert ranking.prior() == {}


def test_a_test_id_means_its_target():
    several = ["app_test.py::test_it[1]", "//app:test", "//app:lib"]
    assert fb.rank_suspects(APP, CHANGES, several).tests == ("//app:test", "//app:lib")
    assert fb.rank_suspects(APP, CHANGES, iter(several)) == fb.rank_suspects(APP, CHANGES, several[1:])


def test_sharpness_fits_past_cases():
    ranking = fb.rank_suspects(APP, CHANGES, "//app:test")
    assert fb.fit_sharpness([(ranking, "c3")], floor=0) == 8
    assert fb.fit_sharpness([(ranking, "c1")], floor=0) == 0
    assert fb.fit_sharpness([]) == 0


def test_custom_factors_and_mixtures():
    seen = []

    def mine(change):
        seen.append(change)
        return 2 if "c" in change.id else 1

    changes = [fb.Changelist("c1", ["lib.py"], added=9), fb.Changelist("d", ["lib.py"], message="Revert it")]
    found = fb.factors.weigh(changes, [mine, fb.factors.size(), fb.factors.words(["revert"])])
    assert found == {"c1": near(2 * (1 + math.log(10))), "d": 2.0}
    assert seen == changes
    error = RuntimeError("mine")

    def broken(change):
        raise error

    with pytest.raises(RuntimeError) as caught:
        fb.factors.weigh(changes, [broken])
    assert caught.value is error


def test_patch_lines_are_matched_with_trace_lines():
    text = "--- a/x.py\n+++ b/x.py\n@@ -9,3 +9,4 @@\n a\n-b\n+c\n+d\n e\n@@ -40,2 +41,1 @@\n f\n-g\n"
    lines = fb.factors.lines(fb.Patch.parse(text))
    assert lines == {"x.py": [(10, 11), (41, 41)]}
    trace = fb.factors.trace("x.py:14: wrong")
    with pytest.raises(fb.InvalidArgumentError, match="patch: str"):
        fb.factors.lines(text)
    assert [trace(fb.Changelist("c", ["x.py"], lines=known)) for known in (lines, {"x.py": [(1, 2)]}, {})] == [16, 4, 4]


LINE = fb.CommitGraph.linear([f"r{n}" for n in range(8)])
LIB = fb.BuildGraph(
    {"test": fb.BuildTarget(["t"], ["lib"]), "lib": fb.BuildTarget(["lib"]), "docs": fb.BuildTarget(["docs"])}
)


def ran(first=5, **options):
    asked = []

    def oracle(revision):
        asked.append(revision)
        return int(revision[1:]) < first

    report = fb.find_culprit(LINE, oracle, bad="r7", good="r0", flake_rate=0.1, build_graph=LIB, test="test", **options)
    return report, asked


def test_the_prior_in_one_step():
    changes = {"r1": ["docs"], "r3": ["lib"], "r5": ["lib", "docs"], "r6": ["docs"]}
    report, _ = ran(changes=changes)
    assert (report.conclusion, report.culprit) == ("culprit", "r5")
    assert {id for id, chance in report.posterior.items() if chance > 0} <= {"r3", "r5"}
    assert [change for change, _ in report.ranking] == ["r5", "r3"]
    plain = fb.find_culprit(LINE, lambda id: int(id[1:]) < 5, bad="r7", good="r0", flake_rate=0.1)
    assert plain.ranking is None
    assert report.runs < plain.runs
    assert report == ran(changes=list(changes.items()), exclude_unaffected=True, prior_by="suspiciousness")[0]
    # An excluded revision is never the culprit, even if the build graph is incomplete. No other revision becomes the
    # culprit, because r4 never passes.
    without, with_all = (ran(first=4, changes=changes, exclude_unaffected=exclude)[0] for exclude in (True, False))
    assert (without.culprit, without.reason) == (None, "unproven")
    assert without.missing == (fb.MissingRun("r4", fb.Outcome.PASS),)
    assert with_all.culprit == "r4"
    summed, _ = ran(changes=changes, prior_by="distance", factors=[lambda change: change.id == "r5"])
    assert summed.culprit == "r5"

    async def later():
        return await fb.find_culprit_async(
            LINE,
            lambda id: int(id[1:]) < 5,
            bad="r7",
            good="r0",
            flake_rate=0.1,
            build_graph=LIB,
            test="test",
            changes=changes,
        )

    again = asyncio.run(later())
    assert again == report
    assert again.ranking == report.ranking


def test_without_evidence_all_suspects_are_equal():
    for changes in ({"r3": ["docs"]}, {}, {"r0": ["lib"]}):
        with pytest.warns(RuntimeWarning, match="The build graph cannot rank these revisions") as caught:
            report, _ = ran(changes=changes)
        assert caught[0].filename == __file__
        assert report.culprit == "r5"
        uniform = fb.find_culprit(LINE, lambda id: int(id[1:]) < 5, bad="r7", good="r0", flake_rate=0.1)
        assert report.observations == uniform.observations


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"build_graph": None}, "changes: {} is not valid; expected nothing without a build_graph"),
        (
            {"build_graph": None, "changes": None, "prior_by": "distance"},
            "prior_by: 'distance' is not valid; expected nothing without a build_graph",
        ),
        (
            {"build_graph": None, "changes": None, "exclude_unaffected": False},
            "exclude_unaffected: False is not valid; expected nothing without a build_graph",
        ),
        ({"exclude_unaffected": "no"}, r"exclude_unaffected: 'no' \(str\) is not valid; expected True or False"),
        ({"prior_by": None}, r"prior_by: None \(NoneType\) is not valid; expected a text"),
        ({"test": None}, "test: None is not valid; expected the build target"),
        ({"prior": {"r1": 1}}, 'prior: "weights" is not valid; expected "changes" to also use the changes'),
        ({"changes": None}, "changes: None is not valid; expected changes, because the graph was not read"),
        ({"changes": {"x": ["lib"]}}, "changes: unknown revision"),
        ({"changes": {"r1": ["lib"]}, "prior_by": "size"}, 'by: "size"'),
        ({"changes": {"r1": ["lib"]}, "factors": [lambda change: math.inf]}, "factors: inf"),
    ],
)
def test_invalid_arguments_in_one_step_are_errors(options, message):
    given = {"build_graph": LIB, "test": "test", "changes": {}} | options
    with pytest.raises(fb.FirstbadError, match=message):
        fb.find_culprit(LINE, lambda id: True, bad="r7", **given)


def test_the_signature_shows_all_options():
    import inspect

    shown = inspect.signature(fb.find_culprit).parameters
    assert {"build_graph", "test", "changes", "factors", "prior_by", "exclude_unaffected", "prior", "jobs"} <= set(
        shown
    )


@pytest.fixture
def repository(tmp_path):
    """A shop whose till breaks in the fourth of six commits, with a merged branch."""

    def git(*arguments):
        command = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *arguments]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout.strip()

    def commit(message, **files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_py", ".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        git("add", "-A")
        git("commit", "-q", "--allow-empty", "-m", message)
        return git("rev-parse", "HEAD")

    git("init", "-q", "-b", "main")
    commit("start", till_py="import tax\n", tax_py="rate = 19\n", test_till_py="import till\n", docs__a="a")
    git("tag", "good")
    commit("docs", docs__a="b")
    git("checkout", "-q", "-b", "side")
    commit("a side", docs__b="b")
    git("checkout", "-q", "main")
    commit("harmless", tax_py="rate = 20\n")
    culprit = commit("breaks", till_py="import tax\nbroken = True\n")
    git("merge", "-q", "--no-ff", "-m", "merge", "side")
    commit("more docs", docs__a="c")
    return fb.Repository(tmp_path), culprit, git


def test_changes_from_git(repository):
    repo, culprit, git = repository
    changes = repo.changes("good", "main")
    assert {change.message for change in changes} == {"docs", "a side", "harmless", "breaks", "more docs"}
    assert [change.id for change in changes][-1] == git("rev-parse", "main")
    broken = next(change for change in changes if change.id == culprit)
    assert (broken.files, broken.author, broken.email) == (("till.py",), "Ada", "ada@example.org")
    assert (broken.added, broken.deleted) == (1, 0)
    mainline = repo.changes(["good"], ["main"], merges="first-parent")
    assert [change.message for change in mainline] == ["docs", "harmless", "breaks", "merge", "more docs"]
    assert mainline[3].files == ("docs/b",)
    assert repo.changes("main", "good") == []
    with pytest.raises(fb.UnknownRevisionError, match="good"):
        repo.changes("goood", "main")
    with pytest.raises(fb.InvalidArgumentError, match="merges"):
        repo.changes("good", "main", merges="all")


@pytest.mark.parametrize("first_parent", [False, True])
def test_changes_are_read_from_the_repository(repository, first_parent):
    repo, culprit, git = repository
    build = fb.BuildGraph.from_git(repo, "main", "python")
    assert build.dependencies("till.py") == ("tax.py",)
    assert repr(fb.BuildGraph.from_python(repo.path)) == repr(build)
    graph = repo.graph(["main"], first_parent=first_parent)
    bad = {culprit, *git("rev-list", f"{culprit}..main", "--ancestry-path").split()}
    report = fb.find_culprit(
        graph,
        lambda sha: sha not in bad,
        bad="main",
        good="good",
        flake_rate=0.1,
        build_graph=build,
        test="test_till.py",
    )
    assert report.culprit == culprit
    assert report.ranking[0][0] == culprit
    assert report.ranking.excluded == ()
    assert not report.ranking.complete
    weights, _ = report.ranking.prior_in(graph, "main", ["good"])
    assert report.ranking.prior_in(graph, ["main"], "good") == (weights, None)
    harmless = git("rev-parse", f"{culprit}^")
    assert min(weights.values()) > 0
    assert sum(weights[id] for id in weights if id not in (culprit, harmless)) == near(0.02)


@pytest.mark.parametrize("later", ["renames", "deletes"])
def test_edited_lines_are_followed_through_later_commits(repository, later):
    repo, _, git = repository
    git("tag", "-f", "good")
    tax = "".join(f"x{number} = {number}\n" for number in range(20))
    for message, text in [("long", tax), ("edits", tax + "broken = True\n")]:
        (repo.path / "tax.py").write_text(text)
        git("commit", "-q", "-a", "-m", message)
        if message == "long":
            git("tag", "-f", "good")
    culprit = git("rev-parse", "HEAD")
    git("commit", "-q", "--allow-empty", "-m", "nothing")
    if later == "renames":
        git("mv", "tax.py", "duty.py")
    else:
        git("rm", "-q", "tax.py")
    (repo.path / "till.py").write_text("import duty\n" if later == "renames" else "broken = 2\n")
    git("commit", "-q", "-a", "-m", later)
    git("commit", "-q", "--allow-empty", "-m", "nothing more")
    bad = {culprit, *git("rev-list", f"{culprit}..main").split()}
    # A pickled graph can still read the graph before the changes.
    build = pickle.loads(pickle.dumps(fb.BuildGraph.from_git(repo, "main", "python")))
    options = {"bad": "main", "good": "good", "flake_rate": 0.1, "build_graph": build, "test": "test_till.py"}
    report = fb.find_culprit(repo.graph(["main"]), lambda sha: sha not in bad, **options)
    assert report.culprit == culprit
    [suspect] = [suspect for suspect in report.ranking.suspects if suspect.change == culprit]
    assert suspect.reasons[0].target == ("duty.py" if later == "renames" else "tax.py")
    assert suspect.reasons[0].before == (later == "deletes")
    moved = next(change for change in repo.changes("good", "main") if change.message == later)
    assert dict(moved.renames) == ({"tax.py": "duty.py"} if later == "renames" else {})
    assert moved.statuses["tax.py"] == "deleted"
    # Graphs can be passed explicitly, by any name of their revision.
    empty = fb.BuildGraph({"test_till.py": fb.BuildTarget(["test_till.py"])}, partial=True)
    given = options | {"before": empty, "graphs": {culprit[:12]: fb.BuildGraph.from_git(repo, culprit, "python")}}
    again = fb.find_culprit(repo.graph(["main"]), lambda sha: sha not in bad, **given)
    assert again.culprit == culprit
    assert culprit in [change for change, _ in again.ranking]


def test_build_graphs_can_be_pickled(repository, tmp_path_factory):
    repo, _, _ = repository
    made = fb.BuildGraph(
        {
            "a": fb.BuildTarget(files=["a.py"], deps=["b"], build_file="BUILD"),
            "b": fb.BuildTarget(folders=["lib"], deps=["a"]),
        }
    )
    for graph in (made, fb.BuildGraph.from_git(repo, "main", "python"), fb.BuildGraph.from_python(repo.path)):
        again = pickle.loads(pickle.dumps(graph))
        assert (again.to_json(), repr(again), again.complete) == (graph.to_json(), repr(graph), graph is made)
        assert (again.targets, again.cycles, again.warnings) == (graph.targets, graph.cycles, ())
        assert copy.deepcopy(graph) is copy.copy(graph) is graph
    again = fb.BuildGraph.from_json(made.to_json())
    files = ("a.py", "BUILD", "lib/x", "x")
    assert [again.targets_of(file) for file in files] == [("a",), ("a",), ("b",), ()]
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "none"
    # JSON escapes the backslashes of a path.
    text = graph.to_json().replace(json.dumps(str(repo.path)), json.dumps(str(elsewhere)))
    [warning] = fb.BuildGraph.from_json(text).warnings
    assert warning == f"{elsewhere} is not a repository here, so the graph cannot be read at other revisions"
    with pytest.raises(fb.InvalidArgumentError, match="expected a build graph that was written as JSON"):
        fb.BuildGraph.from_json("{}")


def test_several_tests_in_one_step(repository):
    repo, culprit, git = repository
    (repo.path / "test_tax.py").write_text("import tax\n")
    git("add", "-A")
    git("commit", "-q", "-m", "another test")
    build = fb.BuildGraph.from_git(repo, "main", "python")
    bad = {culprit, *git("rev-list", f"{culprit}..main", "--ancestry-path").split()}
    report = fb.find_culprit(
        repo.graph(["main"]),
        lambda sha: sha not in bad,
        bad="main",
        good="good",
        flake_rate=0.1,
        build_graph=build,
        test=["test_till.py::test_a", "test_tax.py::test_b"],
    )
    assert (report.culprit, report.ranking.tests) == (culprit, ("test_till.py", "test_tax.py"))
    assert {suspect.change: suspect.tests for suspect in report.ranking.suspects}[culprit] == 1


def test_with_first_parents_a_merge_has_the_changes_of_its_branch(repository):
    repo, _, git = repository
    git("checkout", "-q", "-b", "later")
    (repo.path / "till.py").write_text("import tax\nbroken = 2\n")
    git("commit", "-q", "-a", "-m", "in the branch")
    culprit = git("rev-parse", "HEAD")
    git("checkout", "-q", "main")
    git("merge", "-q", "--no-ff", "-m", "brings it", "later")
    merge = git("rev-parse", "HEAD")
    options = {
        "bad": "main",
        "flake_rate": 0.1,
        "build_graph": fb.BuildGraph.from_git(repo, "main", "python"),
        "test": "test_till.py",
    }
    for graph, found in [
        (repo.graph(["main"]), culprit),
        (repo.graph(["main"], first_parent=True), merge),
        (repo.graph(["main"], paths=["till.py", "tax.py"]), culprit),
        (repo.graph(["main"], exclude=["good"]), culprit),
    ]:
        bad = merge if merge in graph else culprit
        report = fb.find_culprit(graph, lambda sha: sha not in (culprit, merge), **options | {"bad": bad})
        assert report.culprit == found
        assert report.ranking[0][0] in graph


FILES = st.sampled_from(["t", "lib", "docs", "nowhere"])


@settings(max_examples=60, deadline=None)
@given(
    files=st.lists(st.lists(FILES, max_size=3), min_size=1, max_size=8),
    by=st.sampled_from(["suspiciousness", "distance"]),
    sharpness=st.floats(0, 5),
    floor=st.floats(0, 1),
    exclude=st.booleans(),
)
def test_priors_are_distributions(files, by, sharpness, floor, exclude):
    changes = {f"c{number}": touched for number, touched in enumerate(files)}
    ranking = fb.rank_suspects(LIB, changes, "test")
    assert {change for change, _ in ranking} | set(ranking.excluded) | set(ranking.unlikely) == set(changes)
    assert [score for _, score in ranking] == sorted((score for _, score in ranking), reverse=True)
    prior = ranking.prior(by=by, sharpness=sharpness, floor=floor, exclude=exclude)
    assert not set(ranking.unlikely) & set(ranking.excluded)
    if len(ranking):
        assert set(prior) == set(changes)
        assert sum(prior.values()) == pytest.approx(1)
    assert all(weight >= 0 for weight in prior.values())
    assert all(prior.get(change, 0) == 0 for change in ranking.excluded if exclude)


CONTENT = json.loads((Path(__file__).parents[1] / "vectors" / "content.json").read_text())["rankings"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CONTENT])
def test_vectors_of_rankings_by_content(case):
    changes = [fb.Changelist(**change) for change in case["changes"]]
    ranking = fb.rank_commits(changes, case["tests"])
    assert ranking.prior() == near(case["probabilities"])
    assert ranking == pickle.loads(pickle.dumps(ranking))
    assert list(ranking) == sorted(ranking, key=lambda pair: -pair[1])
    assert str(ranking).startswith(ranking.message)
    assert json.loads(ranking.to_json())["suspects"][0]["message"] == ranking.suspects[0].message


def test_a_ranking_by_content_is_a_prior():
    changes = {"b": ["readme.md"], "c": ["cart.py"], "d": ["readme.md"]}
    ranking = fb.rank_commits(changes, "test_cart.py")
    search = fb.RegressionSearch(fb.CommitGraph.linear([*"abcd"]), bad="d", good="a", prior=ranking)
    assert search.why("c").message == "touches cart.py, which the test is named after; touches 1 source file"
    assert search.why("b").before == "c"
    assert search.why("a") is search.why("d") is search.why("x") is None
    again = fb.RegressionSearch.restore(fb.CommitGraph.linear([*"abcd"]), search.snapshot())
    assert again.why("c") == search.why("c")
    flaky = fb.CulpritSearch(fb.CommitGraph.linear([*"abcd"]), bad="d", good="a", prior=ranking)
    assert flaky.why("c") == search.why("c")
    report = fb.run(search, lambda revision: revision < "c")
    assert report.why["c"] == search.why("c")
    assert fb.RegressionSearch(fb.CommitGraph.linear([*"abcd"]), bad="d", prior=ranking.prior()).why("c") is None


def test_invalid_arguments_of_rank_commits_are_errors():
    graph = build([{"name": "t", "files": ["a.py"]}])
    for options, words in [
        ({"before": graph}, "before: .* expected nothing without a build_graph"),
        ({"build_graph": graph}, "test: None is not valid"),
        ({"build_graph": {}, "test": "t"}, "build_graph: dict is not valid"),
        ({"test": 3}, "test: 3"),
    ]:
        with pytest.raises(fb.InvalidArgumentError, match=words):
            fb.rank_commits({"c": ["a.py"]}, **options)
    both = fb.rank_commits({"c": ["a.py"], "d": ["b.py"]}, "t", build_graph=graph)
    assert [reason.kind for reason in both.suspects[0].reasons] == ["affects", "source"]
    assert [reason.kind for reason in both.suspects[1].reasons] == ["unlikely", "source"]
    assert both.suspects[1].probability == near(0.02)
