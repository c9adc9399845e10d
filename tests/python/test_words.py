"""Reports as text, equal in all front ends, and reports from JSON."""

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import firstbad as fb

CASES = json.loads((Path(__file__).parents[1] / "vectors" / "words.json").read_text())["reports"]
KINDS = {
    kind._algorithm: kind
    for kind in (
        fb.RegressionReport,
        fb.CulpritReport,
        fb.VerificationReport,
        fb.MinimizeReport,
        fb.IsolateReport,
        fb.SlicerReport,
        fb.PorterReport,
    )
}


def read(case, text):
    kind = KINDS[case["algorithm"]]
    return kind.from_json(text, list) if case["algorithm"] in ("minimize", "isolate") else kind.from_json(text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_reports_match_the_vectors(case):
    report = read(case, json.dumps(case["report"]))
    assert report.to_text() == case["text"]
    assert str(report) == case["text"].rstrip("\n")
    assert report.to_markdown() == case["markdown"]
    assert report.to_annotations() == report.to_annotations("github") == case["github"]
    assert report.to_annotations("gitlab") == case["gitlab"]
    assert report.to_rows() == json.loads(case["rows"])
    assert report.to_html() == case["page"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_reports_survive_json_and_pickle(case):
    report = read(case, json.dumps(case["report"]))
    for other in (
        read(case, report.to_json()),
        pickle.loads(pickle.dumps(report)),
        copy.copy(report),
        copy.deepcopy(report),
    ):
        assert other == report
        assert other.to_text() == case["text"]
    assert "\n" not in repr(report)


def test_reports_have_the_subjects_of_commits():
    [case] = [case for case in CASES if case["name"] == "a regression"]
    report = read(case, json.dumps(case["report"]))
    assert report.commits["2" * 40] == fb.Commit(
        "Commit 2", "A | `B` <b> @all", "2026-01-31T00:00:00+01:00", "2026-01-31T01:00:00Z", "", None, None, None, ()
    )
    broken = report.commits["3" * 40]
    assert broken.changed == fb.CommitStats(9, 12, 3, (broken.changed.largest[0], fb.FileStats("a.py", 1, 0)))
    assert (broken.url, broken.request_url) == ("https://example.org/commit/3", "https://example.org/pull/7")
    assert report.names["5" * 40] == ("main", "v2|x")


def test_json_has_only_the_credible_set_of_a_posterior():
    [case] = [case for case in CASES if case["name"] == "a culprit"]
    report = read(case, json.dumps(case["report"]))
    assert dict(report.posterior) == {report.culprit: report.probability}
    assert report.posterior.credible_set(0.5) == report.credible_set[:1]
    assert pickle.loads(pickle.dumps(report)).posterior == report.posterior


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "7", json.dumps(CASES[-1]["report"])])
def test_invalid_reports_are_rejected(text):
    with pytest.raises(fb.InvalidArgumentError, match=r"^(text|report): .* is not valid; expected a report of the alg"):
        fb.RegressionReport.from_json(text)


def test_unknown_services_are_errors():
    report = read(CASES[0], json.dumps(CASES[0]["report"]))
    expected = r"^service: 'jenkins' is not valid; expected 'github' or 'gitlab'$"
    with pytest.raises(fb.InvalidArgumentError, match=expected):
        report.to_annotations("jenkins")


def test_rows_are_a_table_of_pandas_and_of_polars():
    report = read(CASES[0], json.dumps(CASES[0]["report"]))
    columns = ["run", "revision", "subject", "changes", "outcome", "seconds"]
    by_pandas, by_polars = report.to_pandas(), report.to_polars()
    # Empty columns are omitted.
    filled = [name for name in report.to_rows()[0] if any(row[name] is not None for row in report.to_rows())]
    assert list(by_pandas.columns) == by_polars.columns == filled
    assert [name for name in columns if name != "changes"] == by_polars.columns[:5]
    assert by_polars.rows(named=True) == [{name: row[name] for name in filled} for row in report.to_rows()]
    assert by_pandas["run"].tolist() == by_polars["run"].to_list() == list(range(1, report.runs + 1))
    assert by_pandas["seconds"].sum() == by_polars["seconds"].sum() > 10.0
    assert set(by_pandas[by_pandas.revision == "2" * 40].subject) == {"Commit 2"}
    # A search without runs has no rows, and so no columns.
    [case] = [case for case in CASES if case["name"] == "not finished"]
    empty = read(case, json.dumps({**case["report"], "observations": []}))
    assert (len(empty.to_pandas()), len(empty.to_polars())) == (0, 0)


def test_repository_text_has_no_control_sequences(tmp_path, capfd):
    evil = "\x1b[31m\x9b2J\u202e\n ::error::"
    ids = [f"{number}{evil}" for number in range(6)]
    seen = {id: fb.Observation("fail" if place > 3 else "pass", note=evil) for place, id in enumerate(ids)}
    seen[ids[3]] = fb.Observation("unresolved", note=evil, signature=evil)
    graph = fb.CommitGraph.linear(ids)
    search = fb.RegressionSearch(graph, bad=ids[5], good=ids[0])
    report = fb.run(search, seen.get, progress=True)
    culprit = fb.find_culprit(graph, seen.get, bad=ids[5], good=ids[0], flake_rate=0.1)
    words = [repr(one) for one in (report, culprit, search, graph, culprit.posterior, report.observations[0])]
    words += [str(one) for one in (report, culprit, report.points[0], report.observations[0], *report.explain())]
    words += [report.message, culprit.message, *report.warnings, *(one.message for one in report.explain())]
    words += [report.to_markdown(), report.to_json(), report.to_html(), str(culprit.posterior.credible_set(1.0)[0])]
    with pytest.raises(fb.FirstbadError) as error:
        graph.distance(ids[0], evil)
    words += [str(error.value), *capfd.readouterr()]
    assert fb.RegressionReport.from_json(report.to_json()).message == report.message
    for text in words:
        assert not set(text) & set("\x1b\x9b\u202e"), text
    for text in (str(report), report.to_markdown()):
        assert not any(line.lstrip().startswith("::") for line in text.splitlines()), text
    repository = fb.Repository(_hostile_submodule(tmp_path))
    with repository.command_oracle(["true"], submodules=True) as oracle:
        report = fb.find_regressions(repository.graph("main"), oracle, bad="main", good=repository.resolve("main~2"))
    for text in (repr(report), str(report), report.message, report.observations[0].note):
        assert "\x1b" not in text
    assert "sub\\u{1b}[31m" in report.observations[0].note


def _hostile_submodule(folder):
    """A repository with a submodule at a path that contains an escape sequence."""

    def git(*words, given=None):
        who = ["-c", "user.name=a", "-c", "user.email=a@x"]
        done = subprocess.run(["git", "-C", folder, *who, *words], input=given, check=True, capture_output=True)
        return done.stdout.decode().strip()

    path = "sub\x1b[31m"
    git("init", "-q", "-b", "main")
    (folder / ".gitmodules").write_text(f'[submodule "s"]\n\tpath = "{path}"\n\turl = ext::x\n')
    for number in range(3):
        (folder / "f").write_text(str(number))
        git("add", ".gitmodules", "f")
        git("update-index", "--add", "--cacheinfo", f"160000,{'12' * 20},{path}")
        git("commit", "-q", "-m", "c")
    return folder


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_table_libraries_are_imported_on_demand(library, monkeypatch):
    report = read(CASES[0], json.dumps(CASES[0]["report"]))
    monkeypatch.setitem(sys.modules, library, None)
    assert report.to_rows()
    with pytest.raises(ImportError, match=library):
        getattr(report, f"to_{library}")()


def test_a_repr_omits_unset_fields():
    seen = fb.Observation(True, seconds=1.5)
    assert repr(seen) == "Observation(outcome=<Outcome.PASS: 'pass'>, seconds=1.5)"
    report = read(CASES[0], json.dumps(CASES[0]["report"]))
    assert repr(report.observations[0]).startswith("RevisionObservation(revision='5555")
    assert "None" not in repr(report.observations[0])
    assert "None" not in repr(report.leaves[0])


def test_options_are_tokens_in_json_and_python_names_in_text():
    graph = fb.CommitGraph.linear([str(number) for number in range(8)])
    written = json.loads(fb.find_regressions(graph, lambda id: int(id) < 4, bad="7", good="0").to_json())
    written["message"] += "; try ⟦search=bayes⟧"
    written["warnings"] = ["try ⟦flake_rate=estimate⟧ ⟦lfs=true⟧ and not ⟦This⟧"]
    report = fb.RegressionReport.from_json(json.dumps(written))
    assert report.message.endswith('; try search="bayes"')
    assert report.warnings == ('try flake_rate="estimate" lfs=True and not ⟦This⟧',)
    assert 'try flake_rate="estimate" lfs=True' in report.to_text()
    again = json.loads(report.to_json())
    assert (again["message"], again["warnings"]) == (written["message"], written["warnings"])
