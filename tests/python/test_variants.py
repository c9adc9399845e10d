"""Trees of revisions with changes, as the binding creates them."""

import json

import pytest
from test_repository import git

import firstbad as fb
from firstbad._native import Carried, Probe, Variants


@pytest.fixture
def scene(tmp_path):
    """A line that the second of three revisions changes, and that differs on a branch."""
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
    search = fb.Porter(repository.graph("main"), start=shas["second"])
    while not search.reads:
        for probe in search.ask():
            search.tell(probe.id, probe.revision == shas["first"])
    return repository, search, shas, tmp_path / "variants"


def test_a_probe_becomes_a_patch_or_a_conflict(scene):
    repository, search, shas, folder = scene
    variants = Variants(repository._core, None, str(folder))
    (read,) = search.reads
    content = variants.read(search._core, json.dumps({key: value for key, value in read.items() if key != "id"}))
    assert content == repository.read(read)
    search.give(read["id"], content)
    both = (0, 1)
    carried = variants.trial(search._core, Probe(0, shas["first"], both, 0))
    assert isinstance(carried, Carried)
    assert (carried.way, carried.tree) == ("exact", git(repository.path, "rev-parse", f"{shas['second']}^{{tree}}"))
    assert carried.patch == content
    assert variants.trial(search._core, Probe(0, shas["second"], both, 0)).way == "already"
    assert variants.trial(search._core, Probe(0, shas["third"], "", 0)).patch == b""
    between = {"read": "diff", "from": shas["third"], "to": {"revision": shas["first"], "changes": "1", "universe": 0}}
    assert b"\n+new\n" not in variants.read(search._core, json.dumps(between))
    conflict = json.loads(variants.trial(search._core, Probe(0, shas["other"], both, 0)))
    assert (conflict["outcome"], conflict["stage"], conflict["ran"]) == ("unresolved", "patch", False)
    assert conflict["note"].startswith("the patch does not apply to text (hunk 1): ")
    assert "CONFLICT (content)" in conflict["note"]
    # Equal files run once, except the start, which runs twice.
    again, start = Probe(1, shas["second"]), Probe(2, shas["first"], "")
    seen = variants.seen(Probe(0, shas["first"], both, 0), carried, fb.Observation("fail", signals={"own": 1}))
    assert json.loads(seen)["signals"] == {"own": 1, "carried": "exact", "tree": carried.tree}
    known = json.loads(variants.trial(search._core, again))
    assert (known["outcome"], known["ran"], known["signals"]["carried"]) == ("fail", False, "none")
    assert isinstance(variants.trial(search._core, start), Carried)
    # A failure counts only if the control passes.
    failed, passed = fb.Observation("fail", seconds=2.0), fb.Observation("pass")
    guarded = [variants.wants_control(probe, seen) for probe in (start, again) for seen in (failed, passed)]
    assert guarded == [True, False, True, False]
    # A pass with a patch stays a pass and records the control, but does not count on the way back.
    brought = Probe(0, shas["first"], both, 0)
    assert variants.wants_control(brought, passed)
    hollow = json.loads(variants.seen(brought, carried, passed, fb.Observation("fail")))
    assert (hollow["outcome"], hollow["signals"]["control"]) == ("pass", "fail")
    assert json.loads(variants.seen(start, carried, failed, passed))["outcome"] == "fail"
    guarded = json.loads(variants.seen(start, carried, failed, fb.Observation("fail", note="it is hollow")))
    assert (guarded["outcome"], guarded["stage"]) == ("unresolved", "control")
    assert guarded["note"] == "the test and the control fail: it is hollow"
    variants.close()
    variants.close()
    assert not [path for path in folder.rglob("*") if path.is_dir() and path.parent != folder]


def test_invalid_arguments_are_errors(scene):
    repository, search, shas, folder = scene
    with pytest.raises(fb.InvalidArgumentError, match="overlay"):
        Variants(repository._core, (shas["first"], ["missing"]), str(folder))
    variants = Variants(repository._core, (shas["third"], ["text"]), str(folder))
    assert b"\n+head\n" in variants.trial(search._core, Probe(0, shas["first"])).patch
    for probe in [Probe(0, shas["first"], (0,), 0), Probe(0, shas["first"], (0,)), Probe(0, None, (0,))]:
        with pytest.raises(fb.InvalidArgumentError):
            variants.trial(search._core, probe)
    with pytest.raises(fb.UnknownRevisionError):
        variants.trial(search._core, Probe(0, "nothing"))
    with pytest.raises(fb.InvalidArgumentError, match="request"):
        variants.read(search._core, "{}")
