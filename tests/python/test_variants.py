"""The trees of revisions with changes on them, as the binding has them."""

import json

import pytest
from test_repository import git
from walk_back import WalkBack

import firstbad as fb
from firstbad._native import Carried, Conflict, Probe, Variants


@pytest.fixture
def scene(tmp_path):
    """A line that is changed on the second of three revisions, and was another on the side."""
    folder = tmp_path / "repository"
    git(tmp_path, "init", "-q", "-b", "main", folder)
    lines = [f"line {number}\n" for number in range(20)]
    shas = {}
    for name, changed in {"first": {}, "second": {9: "new\n"}, "third": {0: "head\n"}}.items():
        for place, text in changed.items():
            lines[place] = text
        (folder / "text").write_text("".join(lines))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", name)
        shas[name] = git(folder, "rev-parse", "HEAD")
    git(folder, "checkout", "-q", shas["first"])
    (folder / "text").write_text("".join(lines).replace("new\n", "another\n"))
    git(folder, "commit", "-q", "-am", "other")
    shas["other"] = git(folder, "rev-parse", "HEAD")
    repository = fb.Repository(folder)
    search = WalkBack(repository.graph("main"), start=shas["second"], steps=1)
    return repository, search, shas, tmp_path / "variants"


def test_a_probe_becomes_a_patch_or_a_conflict(scene):
    repository, search, shas, folder = scene
    variants = Variants(repository._core, None, str(folder))
    (read,) = search.reads
    content = variants.read(search._core, json.dumps({key: value for key, value in read.items() if key != "id"}))
    assert content == repository.read(read)
    search.give(read["id"], content)
    both = (0, 1)
    carried = variants.carried(search._core, Probe(0, shas["first"], both, 0))
    assert isinstance(carried, Carried)
    assert (carried.way, carried.tree) == ("exact", git(repository.path, "rev-parse", f"{shas['second']}^{{tree}}"))
    assert carried.patch == content
    assert variants.carried(search._core, Probe(0, shas["second"], both, 0)).way == "already"
    assert variants.carried(search._core, Probe(0, shas["third"], "", 0)).patch == b""
    between = {"read": "diff", "from": shas["third"], "to": {"revision": shas["first"], "changes": "1", "universe": 0}}
    assert b"\n+new\n" not in variants.read(search._core, json.dumps(between))
    conflict = variants.carried(search._core, Probe(0, shas["other"], both, 0))
    assert isinstance(conflict, Conflict)
    assert (conflict.file, conflict.hunk) == ("text", 1)
    assert "CONFLICT (content)" in conflict.message
    assert str(conflict) == f"the patch does not apply to text (hunk 1): {conflict.message}"
    variants.close()
    variants.close()
    assert not [path for path in folder.rglob("*") if path.is_dir() and path.parent != folder]


def test_what_cannot_be_meant_is_an_error(scene):
    repository, search, shas, folder = scene
    with pytest.raises(fb.InvalidArgumentError, match="overlay"):
        Variants(repository._core, (shas["first"], ["missing"]), str(folder))
    variants = Variants(repository._core, (shas["third"], ["text"]), str(folder))
    assert b"\n+head\n" in variants.carried(search._core, Probe(0, shas["first"])).patch
    for probe in [Probe(0, shas["first"], (0,), 0), Probe(0, shas["first"], (0,)), Probe(0, None, (0,))]:
        with pytest.raises(fb.InvalidArgumentError):
            variants.carried(search._core, probe)
    with pytest.raises(fb.UnknownRevisionError):
        variants.carried(search._core, Probe(0, "nothing"))
    with pytest.raises(fb.InvalidArgumentError, match="request"):
        variants.read(search._core, "{}")
