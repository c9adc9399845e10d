"""The values in `tests/vectors/values`, which all languages must compute."""

import json
import re
from pathlib import Path

import pytest

import firstbad as fb
from firstbad import _native
from firstbad._digest import digest

FOLDER = Path(__file__).parents[1] / "vectors" / "values"


def vectors(name):
    return json.loads((FOLDER / f"{name}.json").read_text())[name]


def named(name):
    return [pytest.param(vector, id=vector["name"]) for vector in vectors(name)]


def header(path):
    return json.loads(path.read_text().splitlines()[0])


def item(written):
    [(kind, value)] = written.items()
    return bytes(value) if kind == "bytes" else fb.Patch.parse(value) if kind == "patch" else value


@pytest.mark.parametrize("vector", named("patch-names"))
def test_patch_paths_stay_in_the_folder(vector):
    if vector["refused"]:
        with pytest.raises(fb.PatchError, match="the name"):
            fb.Patch.parse(vector["patch"])
    else:
        assert [file.path for file in fb.Patch.parse(vector["patch"]).files] == [vector["name"]]


@pytest.mark.parametrize("vector", named("digests"))
def test_digests_are_the_same_in_every_language(vector, tmp_path):
    items = [item(written) for written in vector["items"]]
    items = items[0] if items and isinstance(items[0], fb.Patch) else items
    assert digest(items) == vector["is"]
    if items:
        path = tmp_path / "run.jsonl"
        fb.Session.open(path, fb.Minimizer(items)).close()
        assert header(path)["world"]["items"].get("digest") == vector["is"]


def test_python_types_with_the_same_json_form():
    assert digest([(1, 2.0), bytearray(b"a")]) == digest([[1.0, 2], memoryview(b"a")])


@pytest.mark.parametrize("vector", named("graphs"))
def test_graph_text_is_the_same_in_every_language(vector):
    kind = fb.CommitGraph if vector["of"] == "commits" else fb.BuildGraph
    graph = kind.from_json(vector["written"])
    assert graph.to_json() == vector["written"]
    if isinstance(graph, fb.CommitGraph):
        assert list(graph.ids) == vector["ids"]


def test_probabilities_have_one_form():
    for probability, text in vectors("percents"):
        assert _native.percent(probability) == text
    assert str(fb.Hypothesis("a", 0.9995)) == "a 99.95%"


@pytest.mark.parametrize("vector", named("samples"))
def test_samples_are_the_same_in_every_language(vector):
    options = {name: vector[name] for name in ("culprit", "earlier", "share", "seed")}
    assert fb.sample_for_verification(vector["conclusion"], **options) == tuple(vector["is"])


@pytest.mark.parametrize(
    "wrong", [{"conclusion": 1}, {"culprit": 1}, {"earlier": [1]}, {"share": 2}, {"share": "x"}, {"seed": -1}]
)
def test_invalid_samples_are_errors(wrong):
    with pytest.raises(fb.InvalidArgumentError, match=next(iter(wrong))):
        fb.sample_for_verification(**{"conclusion": "a"} | wrong)


@pytest.mark.parametrize("vector", named("structures"))
def test_patches_and_texts_make_one_configuration(vector, tmp_path):
    path = tmp_path / "run.jsonl"
    options = {name: value for name, value in vector["options"].items() if name != "dependencies"}
    needs = vector["options"].get("dependencies", {})
    options |= {"dependencies": {int(item): needed for item, needed in needs.items()}, "journal": path, "budget": 1}
    if "patch" in vector:
        patch = fb.Patch.parse(vector["patch"])
        fb.minimize_patch(patch, lambda _: True, granularity=vector["granularity"], **options)
    else:
        fb.minimize_text(vector["text"], lambda _: True, **options)
    made = header(path)["configuration"]
    assert {name: made.get(name) for name in vector["is"]} == vector["is"]


def test_type_checkers_know_the_stages_of_the_core():
    names = [stage.value for stage in fb.Stage]
    expected = ", ".join(f'"{name}"' for name in names)
    with pytest.raises(fb.InvalidArgumentError, match=f"expected one of {expected}$"):
        _native.stage_name("none of them")
    package = Path(fb.__file__).parent
    for file, before in {
        "_native.pyi": r"def stage_name\(value: Any\) -> ",
        "_observation.py": r"stage: Stage \| ",
    }.items():
        text = (package / file).read_text(encoding="utf-8")
        assert re.findall(before + r"Literal\[(.*?)\]", text) == [expected], file
