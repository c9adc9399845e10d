"""Iterative delta debugging on small real repositories: a compiler and two interpreters judge."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from xml.etree import ElementTree

import pytest
from command_line import PROGRAMS, ROOT, environment, firstbad
from situations import NO_BODY, SITUATIONS, git, made, remembering
from test_schemas import held

import firstbad as fb

NAMED = {situation.name: situation for situation in SITUATIONS}
MISSING = [name for name in ("cc", "node", "git") if shutil.which(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"without {', '.join(MISSING)} nothing can judge")


def ports(there, *each, control=True, shared=True):
    """Searches through Python, one for each set of options; without their control if that is not wanted.

    What is said of equal trees is shared between them, unless they are to run the command themselves.
    """
    repository, stages = fb.Repository(there.repository), there.stages()
    if not control:
        stages.pop("control", None)
    with repository.command_oracle(there.words(there.situation.test), **stages) as command:
        oracle = remembering(command) if shared else command
        told = {"start": "main", **there.situation.told}
        return [fb.iterative_delta_debugging(repository, oracle, **{**told, **options}) for options in each]


def port(there, **options):
    """One search, whose command runs for every question."""
    return ports(there, options, shared=False)[0]


def changed(patch):
    """The lines that a patch takes away and brings in."""
    return (
        []
        if patch is None
        else [line for line in str(patch).splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    )


def has(patch, texts):
    return all(any(text in line for line in changed(patch)) for text in texts)


def answer(report):
    return [report.status, report.good, report.bad, *map(changed, (report.carried, report.cause, report.repair))]


def left_out(report):
    seen = {step.seen.split(",")[0] for step in report.steps if step.outcome == "skipped"}
    return report.skipped == 4 and seen == {"unresolved (stage build"}


def hung(report):
    return any(seen.outcome == "unresolved" and seen.signature == "timeout" for seen in report.observations)


def ignored_white_space(report):
    return "whitespace" in {step.carried for step in report.steps}


PECULIAR = {"compile error": left_out, "hang": hung, "reformatting": ignored_white_space}
"""What else the strict walk shows."""


@pytest.mark.parametrize("name", NAMED)
def test_both_walks_find_the_known_result(name, tmp_path):
    situation = NAMED[name]
    there = made(situation, tmp_path)
    gallop, strict = ports(there, {"walk": "gallop"}, {"walk": "strict"})
    for report in (gallop, strict):
        assert (report.status, (report.good, report.bad)) == (situation.status, there.ends), report.to_text()
        assert has(report.cause, situation.cause), str(report.cause)
        assert has(report.carried, situation.carried), str(report.carried)
        assert (report.carried is not None) == bool(situation.carried)
        assert len(changed(report.cause)) <= 5
    assert answer(gallop) == answer(strict)
    assert PECULIAR.get(name, bool)(strict)
    assert gallop.visited <= strict.visited


def test_without_a_control_a_carried_function_is_emptied(tmp_path):
    there = made(NO_BODY, tmp_path)
    guards = [{"granularity": "hunks"}, {"always_keep": ["src/columns.c"]}]
    report, *guarded = ports(there, {"hierarchical": False}, {}, *guards, control=False)

    assert (report.status, report.good) == ("history_exhausted", None)
    assert any("so the search may have missed a passing version" in warning for warning in report.warnings)
    # A walk that carries whole hunks, or keeps the file of the function, finds it.
    for one in guarded:
        assert (one.status, (one.good, one.bad)) == ("found", there.ends), one.to_text()
        assert has(one.cause, NO_BODY.cause), one.to_text()


def test_the_ported_fix_repairs_the_newest_version(tmp_path):
    there = made(NAMED["fix brought forward"], tmp_path)
    fix = port(there).forward

    assert changed(fix) == ["-    return int(amount)", "+    return round(amount)"]
    tree = tmp_path / "tree"
    git(there.repository, "worktree", "add", "--quiet", "--detach", str(tree), "main")
    assert subprocess.run(there.words(there.situation.test), cwd=tree).returncode == 1
    git(tree, "apply", stdin=str(fix))
    assert subprocess.run(there.words(there.situation.test), cwd=tree).returncode == 0


@pytest.mark.parametrize("name", ["refactoring", "fix brought forward"])
def test_the_command_line_matches_python(name, tmp_path):
    there = made(NAMED[name], tmp_path)
    patches, figures = tmp_path / "patches", tmp_path / "figures"
    # What the patch changes is in the index of the work tree.
    words = there.command_line(
        "--json", "--quiet", "--patches", patches, "--figures", figures, "--also", "git diff --cached --quiet"
    )
    told = firstbad(*words, where=tmp_path)

    assert told.returncode == 0, told.stderr
    summary = held("report", told.stdout)
    assert (summary["status"], summary["exit_code"]) == ("found", 0)
    report = port(there)
    if report.forward is None:
        assert summary["also"] is None
    else:
        assert summary["also"]["message"] == "the other test fails with the fix, and passes without it"
        assert summary["also"]["breaks"]
    assert (summary["good"], summary["bad"]) == there.ends
    assert summary["runs"] == report.runs
    found = {one: getattr(report, one) for one in ("carried", "cause", "repair", "figure2", "forward")}
    written = {file.stem: file.read_text() for file in patches.iterdir()}
    assert written == {one: str(patch) for one, patch in found.items() if patch is not None}
    drawn = {file.name: file.read_text() for file in figures.iterdir()}
    assert drawn == {f"{one}.svg": report.to_svg(one) for one in ("sizes", "reductions", "fixpoint")}
    for svg in drawn.values():
        assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert summary["reductions"] == json.loads(report.to_json())["reductions"]


def test_the_figure_in_the_docs_is_up_to_date(shop, tmp_path):
    """`WRITE_FIGURES=1` writes it."""
    page = (ROOT / "docs/bring-a-fix-forward.md").read_text()
    session = page.split("```console\n")[1].split("```")[0]
    (tmp_path / "price_test.py").write_text("".join(re.findall(r"^> (?!END)(.*\n)", session, re.MULTILINE)))
    words = shlex.split(re.search(r"\$ firstbad (.*) -- ", session)[1])
    test = [sys.executable, "-B", tmp_path / "price_test.py"]
    told = firstbad(*words, "--figures", "drawn", "--", *test, where=tmp_path / "shop")

    assert told.returncode == 0, told.stderr
    drawn, shown = tmp_path / "shop/drawn/sizes.svg", ROOT / "docs/images/patch-sizes.svg"
    if os.environ.get("WRITE_FIGURES"):
        shutil.copy(drawn, shown)
    assert drawn.read_text() == shown.read_text()


@pytest.mark.parametrize("option", ["--patches", "--figures"])
def test_a_file_is_not_a_folder(option, tmp_path):
    there = made(NAMED["no good version"], tmp_path)
    (tmp_path / "file").write_text("mine")
    told = firstbad(*there.command_line("--quiet", option, tmp_path / "file"), where=tmp_path)

    assert (told.returncode, told.stdout) == (2, "")
    assert option in told.stderr
    assert "expected a folder, or a new path" in told.stderr
    assert (tmp_path / "file").read_text() == "mine"


def test_the_command_line_reports_that_no_version_passes(tmp_path):
    there = made(NAMED["no good version"], tmp_path)
    told = firstbad(*there.command_line("--json", "--quiet"), where=tmp_path)

    assert (told.returncode, held("report", told.stdout)["status"]) == (18, "history_exhausted"), told.stderr


def test_an_invalid_second_test_loses_no_outcome(tmp_path):
    there = made(NAMED["fix brought forward"], tmp_path)
    told = firstbad(*there.command_line("--json", "--quiet", "--also", "exit 127"), where=tmp_path)

    assert told.returncode == 0, told.stderr
    assert "--also failed" in told.stderr
    assert held("report", told.stdout)["forward"] is not None


def test_outcomes_of_another_run_are_reused(tmp_path):
    there = made(NAMED["first of several failures"], tmp_path)

    def search(*more):
        told = firstbad(
            *there.command_line("--json", "--quiet", "--store", tmp_path / "store.db", *more), where=tmp_path
        )
        assert told.returncode == 0, told.stderr
        summary = held("report", told.stdout)
        return summary["runs"], (summary["good"], summary["bad"])

    runs, ends = search()
    assert runs > 1
    assert ends == there.ends
    # The start fails twice: one run shows that it still does.
    assert search("--journal", tmp_path / "port.journal") == (1, ends)
    # Another time limit is another test.
    assert search("--timeout", "59s") == (runs, ends)
    broken = tmp_path / "broken.db"
    broken.write_text("no store")
    told = firstbad(*there.command_line("--store", broken), where=tmp_path)
    assert (told.returncode, "--store is not used" in told.stderr) == (0, True), told.stderr


def events(journal, event):
    if not journal.exists():
        return []
    return [line for line in journal.read_text().split("\n") if line.startswith(f'{{"event":"{event}"')]


def killed(words, journal, answers, folder):
    """Runs the command line, and kills it once so many answers are in its journal."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([*PROGRAMS["python -m"], *words], cwd=folder, env=environment(folder), **quiet) as running:
        deadline = time.monotonic() + 60
        while len(events(journal, "told")) < answers and running.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
        assert running.wait(timeout=20) == -signal.SIGKILL, "it ended before it could be killed"


KILLED = NAMED["first of several failures"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What a search answers that nobody kills."""
    return port(made(KILLED, tmp_path_factory.mktemp("whole")))


@pytest.mark.parametrize("answers", [2, 9])
def test_a_killed_search_resumes_with_only_its_journal(answers, whole, tmp_path):
    there = made(KILLED, tmp_path)
    journal = tmp_path / "port.journal"
    killed(there.command_line("--journal", str(journal)), journal, answers, tmp_path)
    before = len(events(journal, "told"))
    told = firstbad("port", "--journal", journal, "--json", "--quiet", where=tmp_path)

    assert told.returncode == 0, told.stderr
    summary = held("report", told.stdout)
    assert (summary["good"], summary["bad"]) == there.ends
    steps = firstbad("replay", journal, "--json", where=tmp_path).stdout.splitlines()
    assert "read" in {held("replay", step).get("event") for step in steps}
    held("status", firstbad("status", journal, "--json", where=tmp_path).stdout)
    # Files that were tested before the kill are known.
    assert summary["runs"] == whole.runs
    for name in ("carried", "cause", "repair"):
        assert summary[name]["text"] == str(getattr(whole, name)), name
    # What was answered is not asked again.
    assert before + len(events(journal, "told")[before:]) == whole.asked


def test_python_resumes_a_journal_of_the_command_line(whole, tmp_path):
    there = made(KILLED, tmp_path)
    journal = tmp_path / "port.journal"
    killed(there.command_line("--journal", str(journal)), journal, 10, tmp_path)
    before = len(events(journal, "told"))
    report = port(there, journal=journal)

    assert answer(report) == answer(whole)
    assert len(events(journal, "told")) == report.asked > before
