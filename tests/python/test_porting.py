"""Iterative delta debugging on real repositories."""

import asyncio
import functools
import json
import shutil
import sys
import time
from xml.etree import ElementTree

import pytest
from test_repository import git

import firstbad as fb

TEST = """
import sys
sys.path.insert(0, ".")
from lib import total, twice
assert twice(4) == 8, "twice is wrong"
"""

BUILD = ["python3", "-B", "-c", "import lib"]


def lib(number, broken=(), body=("    return total(a, a)",)):
    """The library at a version. Version 7 adds `twice`, and version 3 adds the bug."""
    lines = ["def total(a, b):", "    sum = a + b"]
    lines += ["    sum = sum - 1"] if number >= 3 else []
    lines += ["    return sum"]
    lines += ["", "", "def twice(a):", *body] if number >= 7 else []
    lines += ["", "", "def broken(:"] if number in broken else []
    return "\n".join(lines) + "\n"


def history(folder, **how):
    git(folder, "init", "-q", "-b", "main")
    for number in range(12):
        (folder / "lib.py").write_text(lib(number, **how))
        (folder / "version").write_text(f"{number}\n")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", str(number))
        git(folder, "tag", f"v{number}")
    return fb.Repository(folder)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """Twelve versions, all of which run."""
    return history(tmp_path_factory.mktemp("repository"))


@functools.cache
def contents(repository, revision, path):
    return repository.read({"read": "file", "revision": revision, "path": path}).decode()


def run(patched, repository, folder):
    """Returns the outcome of a version with a patch, without a process."""
    files = {path: contents(repository, patched.revision, path) for path in ("lib.py", "version")}
    source = (patched.patch.apply(files) if len(patched.patch) else files)["lib.py"]
    names = {}
    try:
        exec(source, names)
        value = names["twice"](4)
    except Exception as error:
        return fb.Observation("fail", signature=type(error).__name__, stage="test")
    return value == 8 or fb.Observation("fail", signature=f"{value is None}", stage="test")


def lines(patch):
    return [line for line in str(patch).splitlines() if line[:1] in "+-" and not line.startswith(("+++", "---"))]


def check(found, repository):
    assert (found.status, found.good, found.bad) == ("found", repository.resolve("v2"), repository.resolve("v3"))
    assert lines(found.cause) == ["+    sum = sum - 1"]
    assert lines(found.repair) == ["-    sum = sum - 1"]
    assert lines(found.forward) == ["-    sum = sum - 1"]
    assert "+def twice(a):" in lines(found.carried)
    assert "+    return total(a, a)" in lines(found.carried)
    assert found.figure2 is None
    assert found.runs == found.runs == sum(seen.ran for seen in found.observations)
    assert found.asked == len(found.observations)
    assert found.details["cause"].changes == 1
    assert found.details["forward"].on == {"revision": repository.resolve("main")}


@pytest.mark.parametrize("walk", ["gallop", "strict"])
def test_the_patch_is_carried_back_and_the_fix_forward(repository, tmp_path, walk):
    found = fb.iterative_delta_debugging(
        repository, lambda probe: run(probe, repository, tmp_path), start="main", forward="main", walk=walk
    )
    check(found, repository)
    ways = {"none", "exact", "three_way", "fuzzy", "already", "conflict"}
    assert {step.carried for step in found.steps} <= ways
    walked = [made for made in found.reductions if made.purpose == "walk" and not made.forward]
    assert [made.revision for made in walked] == [
        step.revision for step in found.steps if step.outcome == "reduced" and not step.forward
    ]
    assert [made.after is not None for made in walked] == [True]
    assert found.to_text().startswith(f"First bad commit: {found.bad[:12]} ")
    assert found.to_markdown().startswith(f"### First bad commit: `{found.bad[:12]}`")
    assert "| version |" in found.to_markdown()
    assert json.loads(found.to_json())["status"] == "found"
    assert found.warnings == (
        "patches were reduced line by line without a control, so the result may be too old or too "
        "new. Add a control, or name paths to always keep",
    )


FIGURES = ("sizes", "reductions", "fixpoint")


def texts(svg):
    """Returns the texts of a figure, which is one well-formed document."""
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not names & {"script", "a", "image", "foreignObject", "use"}
    return " ".join(root.itertext())


def test_a_report_has_the_data_of_its_tables_and_figures(repository, tmp_path):
    seen = []
    found = fb.iterative_delta_debugging(
        repository,
        lambda probe: run(probe, repository, tmp_path),
        start="main",
        forward="main",
        figure2=True,
        progress=seen.append,
    )
    assert "sum = sum - 1" in str(found.figure2)
    assert "def twice" in str(found.figure2)
    reduced = {made.purpose: made for made in found.reductions}
    assert list(reduced) == ["walk", "carried", "cause", "repair", "figure2", "forward"]
    for name, details in found.details.items():
        assert (reduced[name].before, reduced[name].after) == (details.of, details.changes)
        assert reduced[name].reason is None
    walk = reduced["walk"]
    assert (walk.revision, walk.place, walk.reason) == (repository.resolve("v6"), 5, "test")
    assert walk.result == "reduced"
    assert walk.before >= walk.first >= walk.after > 0
    assert sum(made.runs for made in found.reductions) < found.runs
    assert sum(made.free for made in found.reductions) <= found.asked - found.runs
    assert set(walk.failed) <= {"test", "patch", "parse"}
    assert found.conflicts == sum(one.stage == "patch" for one in found.observations)
    assert any("parse" in made.failed for made in found.reductions), "a function without its body"
    assert {(one.ran, one.note) for one in found.observations if one.stage == "parse"} == {
        (False, 'not run: "lib.py" does not parse as Python')
    }
    assert not any(one.signature == "IndentationError" for one in found.observations)
    flat = fb.iterative_delta_debugging(
        repository, lambda probe: run(probe, repository, tmp_path), start="main", hierarchical=False
    )
    assert not any(one.stage == "parse" for one in flat.observations), "which files matter is not known there"
    assert found.seconds is None
    step = next(step for step in found.steps if step.outcome == "reduced")
    assert (step.place, step.patch, step.reason, step.alone) == (5, 0, "test", None)

    words = found.to_markdown()
    reduction = f"| `{walk.revision[:12]}` | a patch to carry | another failure | {walk.before} to {walk.after} |"
    assert f"{reduction} {walk.runs} |" in words
    shown = [texts(found.to_svg(figure)) for figure in FIGURES]
    assert f"{walk.revision[:8]}, walk (another failure)" in shown[0]
    assert all(f"{made.revision[:8]}, {made.purpose}" in shown[1] for made in found.reductions)
    assert shown[2]

    assert {one.revision for one in seen[:-1]} <= {repository.resolve(f"v{number}") for number in range(12)}
    assert (seen[0].revision, seen[0].patch) == (repository.resolve("main"), 0)
    assert max(one.patch for one in seen[:-1]) > walk.after
    assert (seen[-1].kind, seen[-1].revision, seen[-1].patch) == ("done", None, None)


def test_empty_figures_have_text_and_unknown_figures_are_errors(repository):
    report = fb.Porter(repository.graph("main"), start="main").report()
    assert "No patch was needed." in texts(report.to_svg("sizes"))
    assert "No patch was reduced." in texts(report.to_svg("reductions"))
    assert "No patch was reduced." in texts(report.to_svg("fixpoint"))
    with pytest.raises(fb.InvalidArgumentError, match='figure: "size" is not valid; expected one of "sizes", "reduct'):
        report.to_svg("size")


def test_the_progress_bar_shows_the_carried_patch(repository, tmp_path, capsys):
    pytest.importorskip("tqdm")
    fb.iterative_delta_debugging(
        repository, lambda probe: run(probe, repository, tmp_path), start="main", progress=True
    )
    assert f"{repository.resolve('main')[:16]}, patch of 0" in capsys.readouterr().err


def test_names_in_figures_are_escaped(repository, tmp_path):
    found = fb.iterative_delta_debugging(repository, lambda probe: run(probe, repository, tmp_path), start="main")
    name = "<script>"
    named = found.to_json().replace(repository.resolve("v6"), name)
    assert f"{name}, walk" in texts(fb.PorterReport.from_json(named).to_svg("reductions"))


def test_the_oracle_can_be_a_coroutine_function(repository, tmp_path):
    async def oracle(probe):
        await asyncio.sleep(0)
        return run(probe, repository, tmp_path)

    async def control(probe):
        assert probe.revision
        return True

    found = asyncio.run(
        fb.iterative_delta_debugging_async(repository, oracle, control=control, start="main", forward="main", jobs=3)
    )
    check(found, repository)
    assert found.warnings == ()


def test_a_command_with_stages(tmp_path):
    """Version 5 does not build without the patch, and is skipped."""
    folder = tmp_path / "repository"
    folder.mkdir()
    repository = history(folder, broken=(5,))
    with repository.command_oracle([sys.executable, "-B", "-c", TEST], build=BUILD) as oracle:
        found = fb.iterative_delta_debugging(
            folder, oracle, start="main", forward="main", granularity="hunks", walk="strict"
        )
    assert (found.status, found.good, found.bad) == ("found", repository.resolve("v2"), repository.resolve("v3"))
    assert found.failure == 'fail (signature "exit code 1: AssertionError: twice is wrong")'
    assert (found.skipped, found.between) == (1, ())
    assert lines(found.cause) == ["+    sum = sum - 1"]
    assert {step.revision for step in found.steps if step.outcome == "skipped"} == {repository.resolve("v5")}


def test_a_control_limits_what_a_pass_can_remove(tmp_path):
    """Line by line, the reduction removes the body of the function, and no version passes (Section 5.2).

    Level by level, the walk carries the function as a whole.
    """
    folder = tmp_path / "repository"
    folder.mkdir()
    repository = history(folder, body=('    """Two of it."""', "    return total(a, a)"))

    def hollow(probe):
        seen = run(probe, repository, tmp_path)
        # All wrong return values are the same failure for this test.
        return seen if seen is True or seen.signature == "KeyError" else fb.Observation("fail", signature="wrong")

    unguarded = fb.iterative_delta_debugging(repository, hollow, start="main", hierarchical=False)
    assert (unguarded.status, unguarded.good) == ("history_exhausted", None)
    whole = fb.iterative_delta_debugging(repository, hollow, start="main")
    assert (whole.status, whole.good) == ("found", repository.resolve("v2"))
    assert "return total(a, a)" in str(whole.carried)

    def control(probe):
        seen = run(probe, repository, tmp_path)
        return seen is True or seen.signature == "False"

    guarded = fb.iterative_delta_debugging(repository, hollow, control=control, start="main", forward="main")
    check(guarded, repository)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_command_ends_with_the_budget(repository, jobs):
    """Both tests sleep longer than the limit. The run stops them and does not wait."""
    began = time.monotonic()
    with repository.command_oracle(["sleep", "600"]) as oracle:
        found = fb.iterative_delta_debugging(
            repository, oracle, control=["sleep", "600"], start="main", jobs=jobs, budget=fb.Budget(seconds=0.5)
        )
        again = asyncio.run(
            fb.iterative_delta_debugging_async(
                repository, oracle, start="main", jobs=jobs, budget=fb.Budget(seconds=0.5)
            )
        )
    assert (found.status, again.status, found.runs) == ("budget", "budget", 0)
    assert time.monotonic() - began < 300


def test_kept_files_are_added_to_every_version(repository, tmp_path):
    """The kept file has the content at the start, under any name, and is not part of a patch."""

    def oracle(probe):
        asked.append((probe.revision, "+11\n" in str(probe.patch)))
        return run(probe, repository, tmp_path)

    asked = []
    found = fb.iterative_delta_debugging(repository, oracle, start="HEAD", always_keep=["version"], forward="HEAD")
    assert (found.status, found.good) == ("found", repository.resolve("v2"))
    start = repository.resolve("main")
    assert all(kept for revision, kept in asked if revision != start)
    assert "version" not in str(found.carried)
    assert "version" not in str(found.cause)
    assert found.warnings == ()


def test_other_files_stay_as_they_are_at_the_start(repository, tmp_path):
    """With `paths`, versions that differ in other files need no run, and patches do not contain other files."""

    def oracle(probe):
        asked.append(probe.revision)
        return run(probe, repository, tmp_path)

    asked = []
    everything = fb.iterative_delta_debugging(repository, lambda probe: run(probe, repository, tmp_path), start="HEAD")
    found = fb.iterative_delta_debugging(repository, oracle, start="HEAD", paths=["lib.py"])
    assert (found.status, found.good) == ("found", repository.resolve("v2"))
    assert len(asked) == found.runs < everything.runs
    assert "version" not in str(found.carried) + str(found.cause) + str(found.repair)
    short = fb.iterative_delta_debugging(repository, oracle, start="HEAD", paths=["lib.py"], until="commit")
    assert (short.good, short.runs) == (found.good, found.runs_to_commit)
    with pytest.raises(fb.InvalidArgumentError, match="paths"):
        fb.iterative_delta_debugging(repository, oracle, start="HEAD", paths=["missing"])


def test_the_regression_check_finds_other_failures(repository, tmp_path):
    asked = []

    def also(probe):
        asked.append((probe.revision, len(probe.patch)))
        return not len(probe.patch)

    found = fb.iterative_delta_debugging(
        repository, lambda probe: run(probe, repository, tmp_path), also=also, start="main", forward="main"
    )
    main = repository.resolve("main")
    assert asked == [(main, 0), (main, 1)]
    assert found.also.breaks
    assert found.also.message == "the other test fails with the fix, and passes without it"
    assert "warning: the other test fails" in found.to_text()
    assert found.asked == len(found.observations)

    async def sound(probe):
        await asyncio.sleep(0)
        return True

    again = asyncio.run(
        fb.iterative_delta_debugging_async(
            repository, lambda probe: run(probe, repository, tmp_path), also=sound, start="main", forward="main"
        )
    )
    assert (again.also.breaks, again.also.before.outcome) == (False, fb.Outcome.PASS)
    unported = fb.iterative_delta_debugging(
        repository, lambda probe: run(probe, repository, tmp_path), also=also, start="main"
    )
    assert unported.also is None


def test_a_run_killed_after_any_event_resumes_to_the_same_result(repository, tmp_path):
    journal, calls = tmp_path / "run.jsonl", []

    def oracle(probe):
        calls.append(probe)
        return run(probe, repository, tmp_path)

    def search(journal):
        calls.clear()
        return fb.iterative_delta_debugging(repository, oracle, start="v8", forward="v8", journal=journal)

    whole, runs = search(journal), len(calls)
    assert (whole.good, whole.bad, whole.runs) == (repository.resolve("v2"), repository.resolve("v3"), runs)
    written = journal.read_text().splitlines()
    for kept in range(1, len(written) + 1):
        part = tmp_path / f"part-{kept}.jsonl"
        part.write_text("".join(f"{line}\n" for line in written[:kept]) + '{"torn')
        shutil.copytree(f"{journal}.reads", f"{part}.reads")
        found = search(part)
        assert unnumbered(found) == unnumbered(whole)
        told = sum('"told"' in line and '"ran":false' not in line for line in written[:kept])
        assert len(calls) == runs - told


def unnumbered(report):
    """Returns a report without the numbers of probes, which can change when a probe is asked again."""
    written = json.loads(report.to_json())
    for seen in written["observations"]:
        del seen["probe"]
    return written


def test_a_search_driven_by_hand(repository):
    graph = repository.graph("main")
    search = fb.Porter(graph, start="main")
    (first,) = search.ask()
    assert (first.revision, first.changes) == (repository.resolve("main"), None)
    search.tell(first.id, fb.Observation("fail", signature="x"))
    (second,) = search.ask()
    assert (second.revision, second.changes) == (repository.resolve("main"), ())
    search.tell(second.id, fb.Observation("fail", signature="x"))
    search.observe("v10" if "v10" in graph else repository.resolve("v10"), False)
    restored = fb.Porter.restore(graph, search.snapshot())
    assert restored.report().message == search.report().message
    assert repr(search.report()).startswith("<PorterReport: running after 2 runs")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"start": "nowhere"}, fb.UnknownRevisionError, 'start: unknown revision "nowhere"'),
        ({"start": "main", "oldest": "nowhere"}, fb.UnknownRevisionError, 'oldest: unknown revision "nowhere"'),
        ({"start": "main", "revisions": ["v3", "v33"]}, fb.UnknownRevisionError, 'revisions: unknown revision "v33"'),
        ({"start": "main", "forward": "nowhere"}, fb.UnknownRevisionError, 'forward: unknown revision "nowhere"'),
        ({"start": "main", "hierarchical": False, "granularity": "files"}, fb.InvalidArgumentError, "granularity"),
        ({"start": "v3", "good": "v5"}, fb.InvalidArgumentError, "good: .*expected an ancestor of the start"),
        ({"start": "main", "max_patch": 0}, fb.InvalidArgumentError, "max_patch: 0"),
        ({"start": "main", "forward": "v3", "seconds_factor": 0.5}, fb.InvalidArgumentError, "seconds_factor"),
        ({"start": "main", "always_keep": ["nothing/here"]}, fb.InvalidArgumentError, 'always_keep: "nothing/here"'),
        ({"start": "main", "reader": lambda read: b""}, fb.InvalidArgumentError, "reader"),
        ({"start": "main", "revisions": ["v3", "v5"]}, fb.InvalidArgumentError, r"revisions\[1\]"),
        ({}, TypeError, "start"),
    ],
)
def test_invalid_arguments_are_errors(repository, options, error, words):
    with pytest.raises(error, match=words):
        fb.iterative_delta_debugging(repository, lambda probe: False, **options)


def test_known_outcomes_of_changes_belong_to_their_search(repository, tmp_path):
    found = fb.iterative_delta_debugging(repository, lambda probe: run(probe, repository, tmp_path), start="main")
    with pytest.raises(fb.InvalidArgumentError, match="a revision without changes"):
        fb.iterative_delta_debugging(repository, lambda probe: True, start="main", known=found.observations)
    own = [seen for seen in found.observations if seen.set is None]
    again = fb.iterative_delta_debugging(
        repository, lambda probe: run(probe, repository, tmp_path), start="main", known=own
    )
    assert (again.good, again.bad) == (found.good, found.bad)
    assert again.asked < found.asked


def test_outcomes_of_equal_trees_are_shared(repository, tmp_path):
    calls = []

    def oracle(probe):
        calls.append(probe.tree)
        return run(probe, repository, tmp_path)

    def search(oracle="test", **options):
        calls.clear()
        store = fb.OutcomeStore(tmp_path / "store.db", oracle=oracle)
        return fb.iterative_delta_debugging(repository, oracle_of, start="main", store=store, **options)

    oracle_of = oracle
    first = search()
    runs = len(calls)
    assert (first.bad, first.runs) == (repository.resolve("v3"), runs)
    assert {kept.key.rpartition(":")[0] for kept in fb.OutcomeStore(tmp_path / "store.db", oracle="test")} == {
        "revision:tree"
    }
    again = search()
    # The start normally fails twice, but one run confirms a known failure.
    assert (len(calls), again.runs, again.asked, answer(again)) == (1, 1, first.asked, answer(first))
    # Another walk reaches some of the same trees. With another name or a control, nothing is known.
    assert answer(search(walk="strict")) == answer(first)
    known = len(calls)
    assert answer(search("another test", walk="strict")) == answer(first)
    assert known < len(calls)
    control = search(control=lambda probe: True)
    assert (control.bad, len(calls)) == (first.bad, runs)
    assert len(fb.OutcomeStore(tmp_path / "store.db", oracle="test")) > runs


def answer(report):
    return [report.status, report.good, report.bad, str(report.cause), str(report.repair), str(report.carried)]


def test_unusable_stores_are_errors(repository, tmp_path):
    def search(store):
        return fb.iterative_delta_debugging(repository, lambda probe: False, start="main", store=store)

    with pytest.raises(fb.InvalidArgumentError, match="store: 5"):
        search(5)
    with pytest.raises(fb.InvalidArgumentError, match=r"store: one with the key {'a': 'b'} is not valid here"):
        search(fb.OutcomeStore(tmp_path / "store.db", oracle="test", key={"a": "b"}))


def test_an_oracle_must_be_callable(repository):
    with pytest.raises(fb.InvalidArgumentError, match="oracle"):
        fb.iterative_delta_debugging(repository, None, start="main")


async def coroutine(probe):
    return False


@pytest.mark.parametrize(
    ("callbacks", "words"),
    [
        ({"oracle": lambda probe: "yes"}, r"^oracle, at revision '[0-9a-f]{40}': outcome: 'yes'"),
        ({"oracle": coroutine}, r"^oracle, at revision '[0-9a-f]{40}': .*\nhelp: .* the _async version"),
        (
            {"oracle": lambda probe: False, "control": lambda probe: 2},
            r"^control, at revision '[0-9a-f]{40}': outcome: 2",
        ),
    ],
)
def test_an_invalid_outcome_is_named_with_its_revision(repository, callbacks, words):
    with pytest.raises(fb.InvalidArgumentError, match=words):
        fb.iterative_delta_debugging(repository, start="main", **callbacks)


def test_an_invalid_outcome_of_a_coroutine_is_named_with_its_revision(repository):
    async def oracle(probe):
        return "yes"

    with pytest.raises(fb.InvalidArgumentError, match=r"^oracle, at revision '[0-9a-f]{40}': outcome: 'yes'"):
        asyncio.run(fb.iterative_delta_debugging_async(repository, oracle, start="main"))


def test_the_end_of_a_shallow_clone_is_reported(repository, tmp_path):
    git(tmp_path, "clone", "-q", "--depth", "4", f"file://{repository.path}", "clone")
    with pytest.raises(fb.GitError, match="git fetch --unshallow") as caught:
        fb.iterative_delta_debugging(tmp_path / "clone", lambda probe: False, start="HEAD")
    assert caught.value.code == "shallow"
    assert repository.resolve("v8") in str(caught.value)
    found = fb.iterative_delta_debugging(tmp_path / "clone", lambda probe: False, start="HEAD", oldest="HEAD~3")
    assert found.status in ("history_exhausted", "revision_not_readable")


def test_the_start_must_fail(repository):
    assert fb.iterative_delta_debugging(repository, lambda probe: True, start="main").status == "not_reproduced"
    assert fb.iterative_delta_debugging(repository, lambda probe: None, start="main").status == "untestable"
    always = fb.iterative_delta_debugging(repository, lambda probe: False, start="main", oldest="v4")
    assert (always.status, always.steps[-1].revision) == ("history_exhausted", repository.resolve("v4"))
