"""`pytest --firstbad-good`, which reports the commit that broke each failed test."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from firstbad._pytest_command import without_group
from firstbad._pytest_culprits import _with_plugin_options

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("FIRSTBAD_", "PYTEST_"))} | {
    "PYTHONPATH": str(ROOT / "python"),
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "PYTEST_PLUGINS": "firstbad_facts.pytest_plugin",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
    "GIT_CONFIG_GLOBAL": os.devnull,
}

SHOP = "def total(prices):\n    return sum(prices)\n"
ROUNDED = "def total(prices):\n    return round(sum(prices))\n"
TESTS = """
import pytest, shop

def test_total():
    assert shop.total([0.25, 0.5]) == 0.75

def test_empty():
    assert shop.total([]) == 0
"""


class Project:
    """A repository with the history for a test."""

    def __init__(self, folder):
        self.folder = folder / "repository"
        self.cache = folder / "cache"
        self.folder.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *words):
        command = ["git", *words]
        ended = subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, check=True)
        return ended.stdout.strip()

    def commit(self, subject, files=None):
        for name, text in (files or {"notes.txt": f"{subject}\n"}).items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def pytest(self, *options, where=".", **environment):
        """Returns the exit code and the output of pytest."""
        command = [sys.executable, "-m", "pytest", *options]
        given = ENVIRONMENT | {"XDG_CACHE_HOME": str(self.cache)} | environment
        ended = subprocess.run(
            command, cwd=self.folder / where, env=given, capture_output=True, text=True, check=False, timeout=120
        )
        return ended.returncode, ended.stdout + ended.stderr

    def shell(self, line):
        """Returns the exit code and the output of a command line without messages."""
        given = ENVIRONMENT | {"XDG_CACHE_HOME": str(self.cache)}
        ended = subprocess.run(
            ["sh", "-c", line], cwd=self.folder, env=given, stdout=subprocess.PIPE, text=True, check=False, timeout=120
        )
        return ended.returncode, ended.stdout


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


@pytest.fixture
def shop(project):
    """Six commits, one of which broke one of two tests."""
    project.commit("Begin", {"shop.py": SHOP, "test_shop.py": TESTS})
    project.git("tag", "v1.0")
    project.commit("Write notes")
    project.commit("Write more notes")
    project.broken = project.commit("Round totals", {"shop.py": ROUNDED})
    project.commit("Write yet more notes")
    project.commit("Write the last notes")
    return project


def test_the_culprit_of_a_test_that_fails_is_found(shop):
    code, words = shop.pytest("--firstbad-good", "v1.0")
    assert code == 1
    assert f"First bad commit: {shop.broken[:12]} Round totals" in words
    assert words.count("First bad commit") == 1
    assert shop.git("status", "--porcelain") == ""


def test_the_plugin_is_inactive_without_its_option(shop):
    shop.commit(
        "Look",
        {
            "conftest.py": """
import sys
def pytest_unconfigure():
    print("loaded:", [name for name in sys.modules if name == "firstbad" or name.startswith("firstbad.")])
"""
        },
    )
    code, words = shop.pytest()
    assert code == 1
    assert "First bad commit" not in words
    assert "loaded: []" in words


def test_passing_runs_have_no_section(shop):
    code, words = shop.pytest("--firstbad-good=v1.0", "test_shop.py::test_empty")
    assert code == 0
    assert "firstbad" not in words.replace("plugins: firstbad", "").replace(str(shop.folder), "")


WORDS = ["a b", "c::d", "[e]", "f'g", "ä/h", "-k", "i@j"]


@pytest.fixture
def parametrized(project):
    """Seven failing tests with hard ids."""
    test = (
        f"import pytest, shop\n@pytest.mark.parametrize('word', {WORDS})\ndef test_each(word):\n    assert shop.GOOD\n"
    )
    project.commit("Begin", {"shop.py": "GOOD = True\n", "test_shop.py": test})
    project.git("tag", "v1.0")
    project.broken = project.commit("Break it", {"shop.py": "GOOD = False\n"})
    return project


def test_several_failing_tests_are_one_triage(parametrized):
    code, words = parametrized.pytest("--firstbad-good=v1.0")
    assert code == 1
    assert "7 tests of main fail since v1.0 (1 commit): 7 broken by 1 commit" in words, words
    assert f"{parametrized.broken[:12]} Break it  (Ada)  7 tests" in words
    assert "all 7 fail here; all 7 pass at its parent" in words
    assert "First bad commit" not in words
    assert parametrized.git("status", "--porcelain") == ""


def test_tests_above_the_limit_have_one_command(parametrized):
    code, words = parametrized.pytest("--firstbad-good=v1.0", "--firstbad-max=2")
    assert code == 1
    assert "2 tests of main fail since v1.0 (1 commit): 2 broken by 1 commit" in words, words
    [command] = [line for line in words.splitlines() if " triage --good v1.0 --bad HEAD " in line]
    assert parametrized.shell(command)[1].startswith("5 tests of main fail since v1.0 (1 commit): 5 broken by 1 commit")


def test_without_a_cache_each_test_above_the_limit_has_a_command(parametrized):
    code, words = parametrized.pytest(
        "--firstbad-good=v1.0", "--firstbad-max", "1", "--firstbad-bad=main", "-p", "no:cacheprovider"
    )
    assert code == 1
    assert words.count("First bad commit") == 1
    listed = [shlex.split(line) for line in words.splitlines() if line.startswith("pytest --firstbad-good=v1.0")]
    assert len(listed) == 6
    assert listed[2] == ["pytest", "--firstbad-good=v1.0", "--firstbad-bad=main", "test_shop.py::test_each[f'g]"]
    none = parametrized.pytest("--firstbad-good=v1.0", "--firstbad-max=0", "-p", "no:cacheprovider")[1]
    assert none.count("pytest --firstbad-good=v1.0 --firstbad-bad=HEAD") == 7
    code, words = parametrized.pytest(*listed[2][1:])
    assert words.count(f"First bad commit: {parametrized.broken[:12]}") == 1


def test_without_the_option_several_failing_tests_have_one_command(parametrized):
    words = parametrized.pytest(*(f"test_shop.py::test_each[{word}]" for word in WORDS[:2]))[1]
    [command] = [line for line in words.splitlines() if " triage --good v1.0 --bad HEAD " in line]
    assert "To find the commits that broke these 2 tests:" in words
    assert "REVISION" not in words
    code, text = parametrized.shell(command)
    assert (code, text.splitlines()[0]) == (0, "2 tests of main fail since v1.0 (1 commit): 2 broken by 1 commit")
    for options in (["-k", "each and f"], ["-p", "no:cacheprovider"], ["-x"], ["-k", "none"]):
        assert "firstbad triage" not in parametrized.pytest(*options)[1]
    assert "firstbad triage" not in parametrized.pytest(FIRSTBAD_RUN="1")[1]
    parametrized.git("tag", "-d", "v1.0")
    assert "Replace REVISION by the last revision that passed." in parametrized.pytest()[1]


TWO = """
import shop
def test_total():
    assert shop.total([0.25, 0.5]) == 0.75
def test_name():
    assert shop.name() == "shop"
"""


def two_culprits(project):
    """Two tests that two commits broke."""
    shop = SHOP + "def name():\n    return 'shop'\n"
    project.commit("Begin", {"shop.py": shop, "test_shop.py": TWO})
    project.git("tag", "v1.0")
    shop = shop.replace("'shop'", "'store'")
    first = project.commit("Rename the shop", {"shop.py": shop})
    project.commit("Write notes")
    return first, project.commit("Round totals", {"shop.py": shop.replace("sum(prices)", "round(sum(prices))")})


@pytest.mark.parametrize("options", [("--firstbad-good=HEAD~2",), ("--firstbad-flaky", "--firstbad-flake-rate=0.01")])
def test_several_good_revisions_and_rates_give_one_search_for_each_test(project, options):
    first, second = two_culprits(project)
    words = project.pytest("--firstbad-good=v1.0", *options)[1]
    for broken in (second, first) if "flaky" in options[0] else (second,):
        assert f"First bad commit: {broken[:12]}" in words, words
    assert words.count("test_shop.py::test_name ---") == 1


def test_a_triage_copies_new_test_files_and_builds(project):
    two_culprits(project)
    (project.folder / "test_new.py").write_text("from made import GOOD\nfrom test_shop import *\n")
    (project.folder / "made.py").write_text("GOOD = 1\n")
    build = "python3 -c \"open('made.py', 'w').write('GOOD = 1')\""
    options = ("--firstbad-good=v1.0", "--firstbad-flaky", "--firstbad-timeout=20", "--firstbad-build", build)
    words = project.pytest(*options, "test_new.py")[1]
    assert "test_new.py is not in HEAD, so it is copied from your checkout." in words
    assert "2 tests of main fail since v1.0 (3 commits): 2 broken by 2 commits" in words, words
    assert "test_new.py::test_name" in words


def test_an_interrupted_triage_is_resumed(project):
    first, second = two_culprits(project)
    runs = project.folder.parent / "runs"
    conftest = f"""
import os, signal
os.environ.setdefault("TESTS", str(os.getpid()))
def pytest_sessionstart():
    if "FIRSTBAD_REVISION" in os.environ:
        with open({str(runs)!r}, "a+") as runs:
            runs.write(".")
            runs.seek(0)
            if len(runs.read()) == 2:
                os.kill(int(os.environ["TESTS"]), signal.SIGINT)
                signal.pause()
"""
    (project.folder / "conftest.py").write_text(conftest)
    options = ("--firstbad-good=v1.0", "--firstbad-journal=../searches", "--firstbad-copy=conftest.py")
    words = project.pytest(*options)[1]
    assert "Interrupted. To resume, use the same options." in words, words
    assert "broken by" not in words
    words = project.pytest(*options)[1]
    assert "2 tests of main fail since v1.0 (3 commits): 2 broken by 2 commits" in words, words
    assert all(f"  {broken[:12]} " in words for broken in (first, second))
    [journal] = (project.folder.parent / "searches").glob("triage-*.jsonl")
    assert sum('"told"' in line for line in journal.read_text().splitlines()) < len(runs.read_text())


NESTED = {
    "service/pytest.ini": "[pytest]\naddopts = --strict-markers\n",
    "service/src/store/__init__.py": "FULL = True\n",
    "service/tests/conftest.py": """
import pytest
def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true")
    parser.addoption("--level")
def pytest_collection_modifyitems(config, items):
    if not (config.getoption("--slow") and config.getoption("--level") == "tests"):
        for item in items:
            item.add_marker(pytest.mark.skip(reason="not asked for"))
""",
    "service/tests/deep/test_store.py": """
import os, subprocess, sys, store
class TestStore:
    def test_full(self):
        assert os.path.basename(os.getcwd()) == "service"
        code = "import store; assert store.FULL"
        assert subprocess.run([sys.executable, "-c", code]).returncode == 0
""",
}


@pytest.fixture
def nested(project):
    """Tests in a separate root folder that import the checkout and require options."""
    project.commit("Begin", NESTED)
    project.git("tag", "v1.0")
    project.commit("Write notes")
    project.broken = project.commit("Empty the store", {"service/src/store/__init__.py": "FULL = False\n"})
    # Older revisions have another configuration than the newest one.
    conftest = NESTED["service/tests/conftest.py"].replace('"--level")', '"--level")\n    parser.addoption("--new")', 1)
    configuration = "[pytest]\naddopts = --new=1\n"
    project.commit("Add an option", {"service/tests/conftest.py": conftest, "service/pytest.ini": configuration})
    return project


@pytest.mark.parametrize(
    ("where", "options"),
    [
        ("service", ("tests", "--slow", "--level", "tests")),
        (
            "service",
            ("--slow", "--level=tests", "-qq", "-x", "-k", "full", "--rootdir", "ROOT", "tests/deep/test_store.py"),
        ),
        ("service", ("--slow", "--level=tests", "-c", "ROOT/pytest.ini", "--junitxml=report.xml", "--", "tests/deep")),
    ],
)
def test_searches_repeat_the_folder_and_options_of_the_run(nested, where, options):
    root = str(nested.folder / "service")
    options = [option.replace("ROOT", root) for option in options]
    paths = f"{root}/src{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"
    code, words = nested.pytest("--firstbad-good=v1.0", *options, where=where, PYTHONPATH=paths)
    assert code == 1
    assert f"First bad commit: {nested.broken[:12]} Empty the store" in words, words


def test_a_triage_repeats_the_folder_and_options_of_the_run(nested):
    other = "service/tests/deep/test_other.py"
    test = NESTED["service/tests/deep/test_store.py"]
    nested.git("checkout", "-q", "-B", "other", "v1.0")
    nested.commit("Add a test", {other: test})
    nested.git("tag", "v1.1")
    broken = nested.commit("Empty the store", {"service/src/store/__init__.py": "FULL = False\n"})
    nested.commit("Write notes", {"notes.txt": "more"})
    paths = f"{nested.folder}/service/src{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"
    options = ("--firstbad-good=v1.1", "--slow", "--level=tests", "-k", "full")
    words = nested.pytest(*options, where="service", PYTHONPATH=paths)[1]
    assert f"{broken[:12]} Empty the store  (Ada)  2 tests" in words, words
    assert f"{other}::TestStore::test_full" in words


def test_selection_options_do_not_change_the_searched_test(project):
    skipped = "import pytest, shop\ndef test_total():\n    pytest.skip('not today')\n"
    total = "import pytest, shop\n@pytest.mark.slow\ndef test_total():\n    assert shop.total([0.25]) == 0.25\n"
    configuration = "[pytest]\nmarkers = slow\n"
    files = {"shop.py": SHOP, "pytest.ini": configuration, "test_shop.py": total.replace("@pytest.mark.slow\n", "")}
    project.commit("Begin", files)
    project.git("tag", "v1.0")
    project.commit("Skip it", {"test_shop.py": skipped})
    project.commit("Round totals, and mark the test", {"shop.py": ROUNDED, "test_shop.py": total})
    code, words = project.pytest("-qq", "-m", "slow", "--firstbad-good=v1.0")
    assert code == 1
    # A skipped test did not pass.
    assert "Narrowed down to 2 commits" in words, words


FINDER = """
import importlib.util, sys
MAPPING = {"store": PLACE}
class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name in MAPPING:
            return importlib.util.spec_from_file_location(name, MAPPING[name] + "/__init__.py")
"""


def test_editable_installs_use_the_code_of_the_revision(nested, tmp_path):
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    place = repr(str(nested.folder / "service/src/store"))
    (hooks / "__editable___store_finder.py").write_text(FINDER.replace("PLACE", place))
    customize = "import sys, __editable___store_finder\nsys.meta_path.append(__editable___store_finder.Finder)\n"
    (hooks / "sitecustomize.py").write_text(customize)
    paths = f"{hooks}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"
    options = ("tests/deep", "--slow", "--level=tests")
    code, words = nested.pytest("--firstbad-good=v1.0", *options, where="service", PYTHONPATH=paths)
    assert code == 1
    assert f"First bad commit: {nested.broken[:12]}" in words, words


def test_options_in_configuration_do_not_start_nested_searches(shop):
    code, words = shop.pytest(PYTEST_ADDOPTS="--firstbad-good=v1.0")
    assert code == 1
    assert words.count(f"First bad commit: {shop.broken[:12]}") == 1, words
    logs = [log.read_text() for log in shop.cache.rglob("*.log")]
    assert logs
    assert not any("= firstbad =" in log for log in logs)


def test_a_release_with_its_own_commits_can_be_the_good_revision(shop):
    shop.git("checkout", "-q", "v1.0")
    shop.commit("Release", {"version.txt": "1.0.1\n"})
    shop.git("tag", "v1.0.1")
    shop.git("checkout", "-q", "main")
    code, words = shop.pytest("--firstbad-good=v1.0.1")
    assert code == 1
    assert f"First bad commit: {shop.broken[:12]} Round totals" in words, words


def test_the_search_for_a_newer_test_starts_at_its_first_commit(project):
    project.commit("Begin", {"shop.py": SHOP})
    project.git("tag", "v1.0")
    project.commit("Write notes")
    born = project.commit("Test it", {"test_shop.py": TESTS})
    project.commit("Write more notes")
    broken = project.commit("Round totals", {"shop.py": ROUNDED})
    code, words = project.pytest("--firstbad-good=v1.0")
    assert code == 1
    assert f"test_shop.py is not in v1.0. The search starts at {born[:12]}, which added it." in words, words
    assert f"First bad commit: {broken[:12]}" in words
    assert not list(project.cache.rglob(f"{project.git('rev-parse', 'v1.0')}*.log"))


def test_a_new_test_that_never_passed_is_reported(project):
    project.commit("Begin", {"shop.py": ROUNDED})
    project.git("tag", "v1.0")
    born = project.commit("Test it", {"test_shop.py": TESTS})
    port = "To test older revisions, add --firstbad-copy test_shop.py"
    code, words = project.pytest("--firstbad-good=v1.0")
    assert code == 1
    assert f"No result: test_shop.py is not in v1.0. HEAD added it. {port}" in words, words
    assert not list(project.cache.rglob("*.log")), "nothing is run"
    project.commit("Write notes")
    code, words = project.pytest("--firstbad-good=v1.0")
    absent = f"No result: test_shop.py is not in v1.0. {born[:12]} added it, and the test already fails there."
    assert f"{absent} {port}" in words, words


def test_uncommitted_changes_are_reported_and_not_searched(shop):
    (shop.folder / "notes.txt").write_text("changed\n")
    (shop.folder / "test_new.py").write_text("def test_new():\n    assert False\n")
    code, words = shop.pytest("--firstbad-good=v1.0")
    assert code == 1
    assert "The search tests commits up to HEAD, without uncommitted changes." in words
    assert f"{shop.broken[:12]} Round totals" in words
    assert "failed before  test_new.py::test_new  fails at v1.0 as well" in words


def test_an_uncommitted_test_file_is_copied_from_the_checkout(shop):
    new = shop.folder / "tests" / "test_new.py"
    new.parent.mkdir()
    new.write_text("import shop\ndef test_new():\n    assert shop.total([0.5]) == 0.5\n")
    options = ("--firstbad-good=v1.0", "--firstbad-journal=../../searches", "test_new.py", "-p", "no:cacheprovider")
    modules = os.pathsep.join([str(shop.folder), str(ROOT / "python")])
    for text in ("", "", "# It is another file now.\n"):
        new.write_text(new.read_text() + text)
        code, words = shop.pytest(*options, where="tests", PYTHONPATH=modules)
        assert code == 1
        assert "tests/test_new.py is not in HEAD, so it is copied from your checkout." in words
        assert f"First bad commit: {shop.broken[:12]}" in words, words
    assert len(list((shop.folder.parent / "searches").glob("*.jsonl"))) == 2


def test_a_changed_test_file_gives_a_warning(shop):
    tests = shop.folder / "test_shop.py"
    tests.write_text(TESTS.replace("[]", "[0.5]").replace("== 0\n", "== 0.5\n"))
    changed = "test_shop.py has changes here that are not in HEAD. Each revision is tested with its committed file."
    code, words = shop.pytest("--firstbad-good=v1.0", "test_shop.py::test_empty")
    assert code == 1
    assert changed in words, words
    assert "error: the test passes at main (" in words, words
    assert "The search ran the test alone. A test that fails only after other tests also needs those tests." in words
    shop.git("checkout", "-q", "test_shop.py")
    assert changed not in shop.pytest("--firstbad-good=v1.0")[1]


@pytest.mark.parametrize(
    "options",
    [("--firstbad-copy=made.py",), ("--firstbad-build", "python3 -c \"open('made.py', 'w').write('ONE = 1')\"")],
)
def test_build_output_is_built_or_copied(project, options):
    shop = "from made import ONE\n" + SHOP
    project.commit("Begin", {"shop.py": shop, "test_shop.py": TESTS, ".gitignore": "made.py\n"})
    project.git("tag", "v1.0")
    project.commit("Write notes")
    broken = project.commit("Round totals", {"shop.py": shop.replace("sum(prices)", "round(sum(prices))")})
    (project.folder / "made.py").write_text("ONE = 1\n")
    code, words = project.pytest("--firstbad-good=v1.0")
    assert code == 1
    assert "All 2 tested revisions are unresolved: exit code 4" in words, words
    assert "Worktrees have no build output. Use --firstbad-build COMMAND to build each revision" in words, words
    code, words = project.pytest("--firstbad-good=v1.0", *options)
    assert code == 1
    assert f"First bad commit: {broken[:12]}" in words, words
    assert "What a build writes" not in words
    code, words = project.pytest("--firstbad-good=v1.0", "--firstbad-max=0", *options)
    [command] = [line for line in words.splitlines() if line.startswith("pytest --firstbad-good")]
    assert shlex.split(command)[3] == "=".join(options)


def test_a_new_test_is_copied_into_older_revisions(project):
    project.commit("Begin", {"shop.py": SHOP})
    project.git("tag", "v1.0")
    broken = project.commit("Round totals", {"shop.py": ROUNDED})
    project.commit("Test it", {"test_shop.py": TESTS})
    code, words = project.pytest("--firstbad-good=v1.0", "--firstbad-copy", "test_shop.py")
    assert code == 1
    assert f"First bad commit: {broken[:12]}" in words, words


def test_the_plugin_works_if_warnings_are_errors(shop):
    """The package is installed, so that pytest rewrites the package of the plugin."""
    made = shop.folder.parent / "installed" / "some_plugin-1.0.dist-info"
    made.mkdir(parents=True)
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: some-plugin\nVersion: 1.0\n")
    (made / "entry_points.txt").write_text("[pytest11]\nfirstbad = firstbad_facts.pytest_plugin\n")
    (made / "RECORD").write_text("firstbad_facts/__init__.py,,\nfirstbad_facts/pytest_plugin.py,,\n")
    modules = os.pathsep.join([str(made.parent), str(ROOT / "python")])
    options = ("--firstbad-good=v1.0", "-W", "error")
    code, words = shop.pytest(*options, PYTHONPATH=modules, PYTEST_DISABLE_PLUGIN_AUTOLOAD="", PYTEST_PLUGINS="")
    assert code == 1
    assert f"First bad commit: {shop.broken[:12]}" in words, words


def test_a_usage_error_of_pytest_is_not_a_failed_test(project):
    project.commit("Begin", {"shop.py": SHOP, "test_shop.py": TESTS, "conftest.py": ""})
    project.git("tag", "v1.0")
    project.commit("Add an option", {"conftest.py": "def pytest_addoption(parser):\n    raise ValueError('mine')\n"})
    project.commit("Round totals", {"shop.py": ROUNDED, "conftest.py": ""})
    code, words = project.pytest("--firstbad-good=v1.0")
    assert code == 1
    assert "Narrowed down to 2 commits" in words, words


def test_a_crash_at_a_revision_is_unresolved(project):
    project.commit("Begin", {"shop.py": SHOP, "test_shop.py": TESTS})
    project.git("tag", "v1.0")
    project.commit("Crash", {"shop.py": "import os\nos.abort()\n"})
    project.commit("Round totals", {"shop.py": ROUNDED})
    code, words = project.pytest("--firstbad-good=v1.0")
    assert code == 1
    assert "No answer" not in words, words
    assert "Narrowed down to 2 commits" in words, words


@pytest.mark.parametrize("options", [("-x", "-p", "xdist", "-n", "2"), ("--stepwise",), ("--sw", "--maxfail=1")])
def test_a_run_that_stops_at_the_first_failure_is_searched(shop, options):
    code, words = shop.pytest("--firstbad-good=v1.0", *options)
    assert code != 0
    assert f"First bad commit: {shop.broken[:12]}" in words, words


@pytest.mark.parametrize("ending", ["raise KeyboardInterrupt", "pytest.exit('enough')"])
def test_a_run_that_was_interrupted_is_not_searched(shop, ending):
    shop.commit("Stop", {"test_stop.py": f"import pytest\ndef test_stop():\n    {ending}\n"})
    _code, words = shop.pytest("--firstbad-good=v1.0")
    assert "No search for culprits, because the tests were interrupted." in words, words
    assert "First bad commit" not in words


def test_failed_tests_come_before_failed_fixtures(shop):
    shop.commit("Ask for what is nowhere", {"test_a.py": "def test_a(nowhere):\n    pass\n"})
    code, words = shop.pytest("--firstbad-good=v1.0", "--firstbad-max=1")
    assert code == 1
    assert f"First bad commit: {shop.broken[:12]}" in words, words


def test_a_journal_resumes_an_interrupted_search(shop):
    test = f"""
import os, signal, shop
def test_total():
    # The second run of the first search is interrupted, as by Ctrl-C.
    place = {str(shop.folder.parent / "runs")!r}
    if "FIRSTBAD_REVISION" in os.environ:
        with open(place, "a") as runs:
            runs.write(os.environ["FIRSTBAD_REVISION"] + "\\n")
        with open(place) as runs:
            if len(runs.readlines()) == 2:
                os.kill(int(os.environ["TESTS"]), signal.SIGINT)
                signal.pause()
    assert shop.total([0.25, 0.5]) == 0.75
"""
    conftest = "import os\nos.environ.setdefault('TESTS', str(os.getpid()))\n"
    shop.git("checkout", "-q", "--orphan", "again")
    shop.commit("Begin", {"shop.py": SHOP, "test_shop.py": test, "conftest.py": conftest})
    shop.git("tag", "v2.0")
    shop.commit("Write notes")
    broken = shop.commit("Round totals", {"shop.py": ROUNDED})
    options = ("--firstbad-good=v2.0", "--firstbad-journal=../searches")
    code, words = shop.pytest(*options)
    assert code == 1
    assert "Interrupted after 1 run. To resume, use the same options." in words, words
    assert (
        "pytest --firstbad-good=v2.0 --firstbad-bad=HEAD --firstbad-journal=../searches test_shop.py::test_total"
        in words
    )
    code, words = shop.pytest(*options, "-p", "no:cacheprovider")
    assert "First bad commit" in words
    code, words = shop.pytest(*options)
    assert f"First bad commit: {broken[:12]} Round totals" in words, words
    [first, *_] = sorted((shop.folder.parent / "searches").glob("test_shop.py-test_total-*.jsonl"))
    assert json.loads(first.read_text().splitlines()[0])
    runs = (shop.folder.parent / "runs").read_text().split()
    assert len(runs) > len(set(runs)), "the one that was interrupted is run again"


def test_flaky_tests_use_the_flaky_search(shop):
    runs = shop.folder.parent / "runs"
    test = f"""
import shop
def test_total():
    with open({str(runs)!r}, "a+") as runs:
        runs.write(".")
        runs.seek(0)
        flake = len(runs.read()) in (4, 11)
    assert shop.total([0.25, 0.5]) == 0.75 and not flake
"""
    shop.git("checkout", "-q", "--orphan", "again")
    shop.commit("Begin", {"shop.py": SHOP, "test_shop.py": test})
    shop.git("tag", "v2.0")
    for number in range(6):
        shop.commit(f"Write {number}")
    broken = shop.commit("Round totals", {"shop.py": ROUNDED})
    for number in range(6, 9):
        shop.commit(f"Write {number}")
    solid = ("--firstbad-good=v2.0", "test_shop.py")
    flaky = (*solid, "--firstbad-flaky", "--firstbad-flake-rate=0.1")
    _code, words = shop.pytest(*flaky, "--firstbad-max=0")
    assert "--firstbad-bad=HEAD --firstbad-flaky --firstbad-flake-rate=0.1 test_shop.py::test_total" in words, words
    runs.unlink()
    _code, words = shop.pytest(*flaky)
    assert "  probability 99." in words, words
    assert f"First bad commit: {broken[:12]} Round totals" in words, words


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--firstbad-good=v9",), "--firstbad-good: "),
        (("--firstbad-good=v1.0", "--firstbad-bad=v9"), "--firstbad-bad: "),
        (
            ("--firstbad-good=v1.0", "--firstbad-copy=no.py"),
            "--firstbad-copy: 'no.py' is not valid; expected a file in",
        ),
        (("--firstbad-build=make",), "--firstbad-build: it also needs --firstbad-good REV"),
        (
            ("--firstbad-good=v1.0", "--firstbad-max=-1"),
            "--firstbad-max: -1 is not valid; expected a whole number, 0 or",
        ),
        (
            ("--firstbad-good=v1.0", "--firstbad-timeout=0"),
            "--firstbad-timeout: 0.0 is not valid; expected seconds",
        ),
        (("--firstbad-max=2",), "--firstbad-max: it also needs --firstbad-good REV"),
        (("--firstbad-flaky",), "--firstbad-flaky: it also needs --firstbad-good REV"),
        (
            ("--firstbad-good=v1.0", "--firstbad-flake-rate=0.1"),
            "--firstbad-flake-rate: it also needs --firstbad-flaky",
        ),
        (
            ("--firstbad-good=v1.0", "--firstbad-flaky", "--firstbad-flake-rate=1.5"),
            "--firstbad-flake-rate: 1.5 is not valid; expected",
        ),
        (
            ("--firstbad-good=v1.0", "--firstbad-flaky", "--firstbad-false-pass-rate=often"),
            '--firstbad-false-pass-rate: "often" is not valid; expected',
        ),
    ],
)
def test_invalid_options_are_errors_before_the_tests(shop, options, message):
    code, words = shop.pytest(*options)
    assert code == 4
    assert message in words
    assert "test_total" not in words


def test_outside_of_a_repository_there_is_nothing_to_search(tmp_path):
    (tmp_path / "test_it.py").write_text("def test_it():\n    assert False\n")
    command = [sys.executable, "-m", "pytest", "--firstbad-good=v1.0"]
    ended = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert ended.returncode == 4
    assert "is in no git repository" in ended.stderr


def test_collection_errors_prevent_the_search(shop):
    shop.commit("Break a file", {"test_other.py": "import no_such_module\n"})
    _code, words = shop.pytest("--firstbad-good=v1.0")
    assert "No search for culprits, because not all tests could be collected." in words
    assert "First bad commit" not in words
    _code, words = shop.pytest("--firstbad-good=v1.0", "--continue-on-collection-errors")
    assert "Not all tests could be collected. These tests failed." in words
    assert words.count("First bad commit") == 1


def test_only_the_main_process_of_xdist_searches(shop):
    noted = shop.folder.parent / "workers"
    conftest = f"""
import sys
def pytest_sessionfinish(session):
    if hasattr(session.config, "workerinput"):
        with open({str(noted)!r}, "a") as workers:
            workers.write(f"{{'firstbad' in sys.modules}}\\n")
"""
    shop.commit("Look at workers", {"conftest.py": conftest})
    code, words = shop.pytest("-p", "xdist", "-n", "2", "--firstbad-good=v1.0")
    assert code == 1
    assert noted.read_text().split() == ["False", "False"]
    assert words.count(f"First bad commit: {shop.broken[:12]}") == 1, words


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        ('Check it, or use exit_codes={4: "fail"} if that is the failure (preset="none")', "Check it"),
        ('Allow more time with timeout, or use on_timeout="fail"', "Allow more time with --firstbad-timeout"),
        ('Relative paths. If only old revisions lack it, use exit_codes={127: "unresolved"}', "Relative paths"),
        ('No test ran\nhelp: use preset="pytest" to make such revisions unresolved', "No test ran"),
    ],
)
def test_hints_name_only_options_of_the_plugin(hint, shown):
    assert _with_plugin_options(hint) == shown


def test_worker_groups_are_not_part_of_an_id():
    assert without_group("test_a.py::test_b@group") == "test_a.py::test_b"
    assert without_group("test_a.py::test_b[a@b]@group") == "test_a.py::test_b[a@b]"
    assert without_group("test_a.py::test_b[a@b]") == "test_a.py::test_b[a@b]"
    assert without_group("a@b/test_a.py::test_b") == "a@b/test_a.py::test_b"


@pytest.mark.parametrize("is_absolute", [False, True])
def test_a_test_outside_of_the_repository_runs_in_place(shop, tmp_path, is_absolute):
    checks = tmp_path / "checks"
    checks.mkdir()
    begun = "import sys\nsys.path.insert(0, '.')\nimport shop\n\n"
    test = f"{begun}def test_total():\n    assert shop.total([0.25, 0.5]) == 0.75\n"
    (checks / "test_outside.py").write_text(test, encoding="utf-8")
    path = str(checks / "test_outside.py") if is_absolute else "../checks/test_outside.py"
    code, words = shop.pytest("-q", "-p", "no:cacheprovider", "--firstbad-good=v1.0", path)
    assert code == 1
    assert f"First bad commit: {shop.broken[:12]} Round totals" in words


def test_a_revision_at_which_the_test_hangs_is_unresolved(project):
    hang = "import sys, os\nif os.environ.get('FIRSTBAD_REVISION'):\n    while True: pass\n"
    project.commit("good", {"shop.py": SHOP, "test_shop.py": TESTS})
    project.git("tag", "v1.0")
    project.commit("hang", {"shop.py": hang + SHOP})
    broken = project.commit("broken", {"shop.py": ROUNDED})
    # The timeout is far longer than a run.
    code, words = project.pytest("--firstbad-good=v1.0", "--firstbad-timeout=12", "-p", "no:cacheprovider")
    assert code == 1
    assert "still running after 12 s" in words or broken[:12] in words
