"""The benchmark of slices takes git directories as they are, and says only what the answers show."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1]
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "tests"), str(BENCHMARKS.parent / "tests" / "end_to_end")]

import slicing_projects  # noqa: E402
import slicing_searches  # noqa: E402
from situations import git  # noqa: E402
from slices import FEATURES, Feature  # noqa: E402
from slicing_coverage import covered, whole_statements  # noqa: E402
from slicing_searches import SEARCHES, Row  # noqa: E402
from test_porting_cases import digest  # noqa: E402

import firstbad as fb  # noqa: E402

VERSIONS = [
    {"a.py": "one = 1\n", "b.py": "", "changes": ""},
    {"b.py": "two = 2\n", "changes": "b"},
    {"a.py": "one = 1\n\n\ndef three():\n    return one\n"},
    {"c.py": "four = 4\n"},
    {"changes": "more"},
    {"a.py": "one = 1\n\n\ndef three():\n    return (\n        one\n        + 2\n    )\n"},
]
FEATURE = Feature(
    project="owner/name",
    name="three",
    base="v1",
    tip="v2",
    paths=("a.py", "b.py", "c.py"),
    tests=("check.py",),
    file="none",
    text="",
    command=(sys.executable, "-B", "check.py"),
)


def mirrored(tmp_path: Path) -> Path:
    """A history in which the feature needs the second and the last of the four commits that count."""
    made = tmp_path / "made"
    subprocess.run(["git", "init", "--quiet", made], check=True)
    for number, files in enumerate(VERSIONS):
        for name, text in files.items():
            (made / name).write_text(text)
        if number == len(VERSIONS) - 1:
            (made / "check.py").write_text("import a, b\nassert a.three() == 3\n")
        git(made, "add", "--all")
        git(made, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", f"change {number}")
        if number in (0, len(VERSIONS) - 1):
            git(made, "tag", "v1" if number == 0 else "v2")
    mirror = tmp_path / "mirrors" / "owner+name"
    mirror.parent.mkdir()
    git(made, "clone", "--quiet", "--mirror", str(made), str(mirror))
    return mirror


def test_all_searches_find_the_slice_and_the_mirror_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What else pytest would load here takes a second of each run.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p firstbad_facts.pytest_plugin")
    mirror = mirrored(tmp_path)
    before = digest(mirror)
    found = slicing_projects.result(FEATURE, mirror)

    assert digest(mirror) == before
    assert [row.search for row in found.rows] == [search.name for search in SEARCHES]
    assert {row.commits for row in found.rows} == {4}
    # The test imports "b" too, and that is covered.
    assert [(row.search, row.size) for row in found.rows if row.size != 2] == [("coverage alone", 3)]
    assert [row.search for row in found.rows if row.proof is None] == ["coverage alone"]
    assert [row.start for row in found.rows if row.start is not None] == [3, 3]
    assert [name.split(" ", 1)[1] for name in found.needed] == ["change 2", "change 5"]
    assert found.applies
    assert slicing_projects.Result.read(json.loads(json.dumps(slicing_projects.asdict(found)))) == replace(
        found, ends=list(found.ends)
    )
    section = slicing_projects.section([(FEATURE, found)])
    assert "| name: three | v1 (" in section
    assert "| slices not shown to be 1-minimal | none | none | met |" in section


def sliced(needed: set[int], seen: fb.Observation | None = None, **options: object) -> fb.SlicerReport:
    """Of four changes; `seen` is what is told of some that do not hold."""
    search = fb.Slicer(4, **options)
    while not search.done:
        for probe in search.ask():
            holds = needed <= set(probe.changes)
            search.tell(probe.id, holds if holds or not probe.changes or seen is None else seen)
    return search.report()


def test_a_slice_is_shown_to_be_minimal_only_by_an_answer_for_each_change() -> None:
    report = sliced({1, 3})
    assert slicing_searches.proof(report) == "2 runs"
    assert slicing_searches.proof(sliced({1, 3}, fb.Observation("fail", ran=False))) == "2 runs"
    conflict = fb.Observation("unresolved", ran=False, stage="patch")
    assert slicing_searches.proof(sliced({1, 3}, conflict)) == "1 run, 1 conflict"
    # What a report says of itself counts for nothing.
    assert slicing_searches.proof(replace(report, why=report.why[:1])) is None
    assert slicing_searches.proof(replace(report, kept=(0, 1, 3))) is None
    assert slicing_searches.proof(sliced({1, 3}, algorithm="coverage", start=[1, 2, 3])) is None
    shows = report.why[0].observation
    seen = [
        replace(one, outcome=fb.Outcome.PASS) if number == shows else one
        for number, one in enumerate(report.observations)
    ]
    assert slicing_searches.proof(replace(report, observations=tuple(seen))) is None


def rows(asked: dict[str, int], sizes: dict[str, int]) -> list[Row]:
    return [
        Row(
            "one",
            search.name,
            "found",
            20,
            asked.get(search.name, 100),
            9,
            1,
            sizes.get(search.name, 3),
            None,
            "3 runs",
        )
        for search in SEARCHES
    ]


def test_a_target_is_met_or_missed_by_its_number() -> None:
    told = slicing_searches.targets(rows({"auto": 71, "auto, dependencies": 70}, {"auto": 4}))
    assert '| one: questions, "auto" to "ddmin" | 71 of 100: 0.710 | 0.7 | **missed** |' in told
    assert '| one: questions, "auto, dependencies" to "ddmin" | 70 of 100: 0.700 | 0.7 | met |' in told
    assert '| larger slices, "auto" than "recursive" | one (4, 3) | none | **missed** |' in told
    assert '| larger slices, "auto, dependencies" than "ddmin" | none | none | met |' in told
    unproven = [replace(row, proof=None) if row.search == "auto" else row for row in rows({}, {})]
    told = slicing_searches.targets(unproven)
    assert "| slices not shown to be 1-minimal | one: auto | none | **missed** |" in told


def test_a_statement_is_covered_with_all_its_lines_and_not_with_its_body() -> None:
    text = "def f(\n    a,\n):\n    return [\n        a,\n    ]\n\n\nb = (\n    1,\n)\n"
    assert whole_statements(text, {1}) == {1, 2, 3}
    assert whole_statements(text, {5, 9}) == {4, 5, 6, 9, 10, 11}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.py", "def f():\n    return 1\n\n\ndef g():\n    return 2\n\n\nf()\n", (sys.executable, "a.py")),
        ("a.js", "// π\nfunction f() {\n  return 1;\n}\nfunction g() {\n  return 2;\n}\nf();\n", ("node", "a.js")),
    ],
)
def test_what_ran_is_covered(tmp_path: Path, name: str, text: str, words: tuple[str, ...]) -> None:
    (tmp_path / name).write_text(text)
    lines = covered(tmp_path, list(words))[name]
    numbered = list(enumerate(text.splitlines(), start=1))
    [one] = [number for number, line in numbered if "return 1" in line]
    [other] = [number for number, line in numbered if "return 2" in line]
    assert one in lines
    assert other not in lines


def test_there_are_features_enough() -> None:
    python = [one for one in FEATURES if one.command[0] != "node"]
    assert len(python) >= 3
    assert len(FEATURES) > len(python)
    assert len({slicing_projects.title(one) for one in FEATURES}) == len(FEATURES)
