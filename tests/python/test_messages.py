"""Messages about invalid arguments: the argument, the value, and the expected value."""

import os
import pickle
import re
import subprocess
from concurrent.futures import ProcessPoolExecutor

import pytest

import firstbad as fb

LINE = fb.CommitGraph.linear([str(number) for number in range(8)])


def passes(revision):
    return int(revision) < 5


def found(**options):
    return fb.find_regressions(LINE, passes, **{"bad": "7", "good": "0", **options})


def git(folder, *arguments):
    identity = ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *identity, *arguments],
        cwd=folder,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Eight commits with a counter in `value`."""
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q", "-b", "main")
    for number in range(8):
        (folder / "value").write_text(f"{number}\n")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", str(number))
    return folder


@pytest.fixture
def oracle(folder, tmp_path):
    """Creates oracles and cleans up."""
    made = []

    def make(command, **options):
        options = {"worktrees": tmp_path / "trees", "output_dir": tmp_path / "output", **options}
        made.append(fb.Repository(folder).command_oracle(command, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


class Client:
    """A class that resembles Dask's client."""

    def submit(self):
        raise NotImplementedError

    def get_executor(self):
        raise NotImplementedError


async def later():
    return LINE


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: found(executor=4), "executor: 4 (int) is not valid; expected an executor of concurrent.futures"),
        (lambda: found(executor=4), ". For threads, use jobs=4"),
        (lambda: found(executor=Client()), ". For a Dask client, use client.get_executor()"),
        (
            lambda: fb.RegressionSearch(LINE, bad="7").ask("2"),
            "k: '2' is not valid; expected a whole number, 1 or above",
        ),
        (lambda: fb.RegressionSearch(LINE, bad="7").tell("a", True), "id: 'a' is not valid"),
        (lambda: fb.minimize_text(b"a", len), "text: b'a' (bytes) is not valid; expected str: decode it first"),
    ],
)
def test_invalid_values_are_named_with_the_expected_value(call, message):
    with pytest.raises(fb.InvalidArgumentError, match=re.escape(message)):
        call()


HUGE = 10**30
LONE = "a\ud800"
SEARCH = fb.RegressionSearch(LINE, bad="7", good="0")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        # Whole numbers out of the range of the core.
        (lambda: found(jobs=HUGE), f"jobs: {HUGE} is not valid; expected a whole number, at most 9223372036854775807"),
        (lambda: found(budget=HUGE), f"budget: {HUGE} is not valid; expected a whole number, at most "),
        (
            lambda: found(retries=1 << 32),
            "retries: 4294967296 is not valid; expected a whole number, at most 4294967295",
        ),
        (lambda: SEARCH.tell(HUGE, True), f"id: {HUGE} is not valid; expected a whole number, at most "),
        (lambda: SEARCH.give(HUGE, b""), f"id: {HUGE} is not valid; expected a whole number, at most "),
        (lambda: SEARCH.undo(HUGE), f"n: {HUGE} is not valid; expected a whole number, at most 4294967295"),
        # Other types.
        (lambda: found(explain="no"), "explain: 'no' (str) is not valid; expected True or False"),
        (lambda: found(journal=""), "journal: '' (str) is not valid; expected a path"),
        (lambda: LINE.parents(None), "id: None (NoneType) is not valid; expected a text, as str"),
        (lambda: LINE.distance("0", 7), "revision: 7 (int) is not valid; expected a text, as str"),
        (lambda: SEARCH.enqueue(3), "revision: 3 (int) is not valid; expected a revision's id, as str"),
        (lambda: SEARCH.give(0, "text"), "content: 'text' (str) is not valid; expected bytes"),
        (lambda: SEARCH.apply(3), "event: 3 (int) is not valid; expected one, as in search.events"),
        (lambda: fb.run(3, passes), "search: 3 (int) is not valid; expected a search, for instance "),
        (lambda: fb.RegressionSearch.restore(LINE, None), "snapshot: None (NoneType) is not valid; expected a text"),
        (lambda: fb.Minimizer.restore("ab", None), "snapshot: None (NoneType) is not valid; expected a text"),
        (lambda: fb.Session.open("x", SEARCH, wait="1"), "wait: '1' is not valid; expected seconds as a number"),
        (lambda: fb.RegressionReport.from_json(3), "text: 3 (int) is not valid; expected a text, as str"),
        (lambda: fb.MinimizeReport.from_json(3, list), "text: 3 (int) is not valid; expected a text, as str"),
        (lambda: fb.Observation.from_json(3), "text: 3 (int) is not valid; expected a text, as str"),
        (lambda: fb.Observation.from_json("{}"), "text: '{}' is not valid; expected an observation as a JSON object"),
        (lambda: fb.Repository(None), "path: None (NoneType) is not valid; expected a path"),
        (lambda: fb.Repository(""), "path: '' (str) is not valid; expected a path"),
        (lambda: fb.Repository("a\0b"), "path: 'a\\x00b' (str) is not valid; expected a path"),
        (lambda: fb.CommitGraph.from_git("."[:0]), "path: '' (str) is not valid; expected a path"),
        (
            lambda: fb.BuildGraph.from_git(3, "HEAD", "python"),
            "repository: 3 (int) is not valid; expected a Repository",
        ),
        (lambda: fb.BuildGraph({"a": []}, partial="no"), "partial: 'no' (str) is not valid; expected True or False"),
        (lambda: fb.BuildGraph({"a": []}).targets_of(3), "file: 3 (int) is not valid; expected a text, as str"),
        (lambda: fb.hunk_dependencies(3), "patches: 3 is not valid; expected Patches"),
        (lambda: fb.fit_sharpness(3), "cases: 3 is not valid; expected (Ranking, change) pairs"),
        # Lone surrogates.
        (lambda: found(bad=LONE), "bad: 'a\\ud800' is not valid; expected a string without lone surrogates"),
        (lambda: found(test=["a", LONE]), "test: 'a\\ud800' is not valid; expected a string without lone surrogates"),
        (
            lambda: found(signature=LONE),
            "signature: 'a\\ud800' is not valid; expected a string without lone surrogates",
        ),
        (lambda: found(prior={LONE: 1.0}), "prior: 'a\\ud800' is not valid; expected a string without lone surrogates"),
        (
            lambda: found(known={LONE: True}),
            "known: 'a\\ud800' is not valid; expected a string without lone surrogates",
        ),
        (
            lambda: fb.CommitGraph({"a": [LONE]}),
            "parents: 'a\\ud800' is not valid; expected strings without lone surrog",
        ),
        (
            lambda: fb.CommitGraph.linear([LONE]),
            "ids: 'a\\ud800' is not valid; expected strings without lone surrogates",
        ),
        (lambda: LINE.resolve(LONE), "name: 'a\\ud800' is not valid; expected a string without lone surrogates"),
        (lambda: SEARCH.observe(LONE, True), "revision: 'a\\ud800' is not valid; expected a string without lone surr"),
        (lambda: fb.Patch.parse(LONE), "text: '\\ud800' is not valid; expected a text without lone surrogates"),
        (
            lambda: fb.BuildGraph({LONE: []}),
            "targets: 'a\\ud800' is not valid; expected a string without lone surrogates",
        ),
        (
            lambda: fb.rank_commits({"c": [LONE]}),
            "changes['c']: 'a\\ud800' is not valid; expected a string without lone",
        ),
    ],
)
def test_values_outside_of_the_core_range_are_errors(call, message):
    with pytest.raises(fb.InvalidArgumentError, match=re.escape(message)) as caught:
        call()
    assert caught.value.code == "invalid_argument"


def test_invalid_ids_are_in_no_graph():
    assert LONE not in LINE
    assert LONE not in LINE.ids
    assert LINE.ids.count(LONE) == 0
    with pytest.raises(ValueError, match="is not in the commit graph"):
        LINE.ids.index(LONE)


def test_a_huge_number_of_probes_means_all():
    assert len(fb.RegressionSearch(LINE, bad="7", good="0").ask(HUGE)) > 1


VERDICTS = '"pass", "fail", "unresolved", "stop", "retry"'


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"env": {"PORT": 8080}}, "env['PORT']: 8080 (int) is not valid; expected a text; convert others with str()"),
        ({"env": ["A=b"]}, "env: ['A=b'] (list) is not valid; expected a mapping from names to texts"),
        ({"env": {"A=": "b"}}, "env: 'A=' is not valid; expected a name without `=` and zero bytes"),
        ({"env": {"A": "b\0"}}, "env['A']: 'b\\x00' is not valid; expected a text without zero bytes"),
        ({"exit_codes": {"a": "fail"}}, "exit_codes: 'a' is not valid; expected an exit code, an int of 32 bits"),
        ({"exit_codes": {HUGE: "fail"}}, f"exit_codes: {HUGE} is not valid; expected an exit code, an int of 32 bits"),
        ({"exit_codes": {1: 3}}, 'exit_codes["1"]: 3 is not valid; expected one of its names, as a text'),
        ({"exit_codes": {1: "bad"}}, f'exit_codes["1"]: "bad" is not valid; expected one of {VERDICTS}'),
        (
            {"exit_codes": [3]},
            "exit_codes: [3] (list) is not valid; expected a mapping from exit codes to what they mean",
        ),
        ({"on_signal": 3}, "on_signal: 3 is not valid; expected one of its names, as a text"),
        ({"on_timeout": "bad"}, f'on_timeout: "bad" is not valid; expected one of {VERDICTS}'),
        ({"submodules": "yes"}, 'submodules: "yes" is not valid; expected a boolean'),
        ({"fail_pattern": LONE}, "fail_pattern: 'a\\ud800' is not valid; expected a string without lone surrogates"),
        ({"output_dir": ""}, "output_dir: '' (str) is not valid; expected a path"),
        ({"setup": ["a\0b"]}, "setup: 'a\\x00b' is not valid; expected texts without zero bytes"),
    ],
)
def test_options_of_commands_are_checked(oracle, options, message):
    with pytest.raises(fb.InvalidArgumentError, match=re.escape(message)):
        oracle(["true"], **options)


def test_arguments_of_repositories_are_checked(folder, oracle):
    repository = fb.Repository(folder)
    for call, message in [
        (lambda: repository.resolve(3), "revision: 3 (int) is not valid; expected a text, as str"),
        (lambda: repository.diff("main", None), "new: None (NoneType) is not valid; expected a text, as str"),
        (
            lambda: repository.graph(first_parent="yes"),
            "first_parent: 'yes' (str) is not valid; expected True or False",
        ),
        (lambda: repository.changes("main", "main", merges=3), "merges: 3 (int) is not valid; expected a text, as str"),
        (lambda: repository.read(3), "request: 3 (int) is not valid; expected one, as in search.reads"),
        (lambda: repository.minimize_commit(None, passes), "culprit: None (NoneType) is not valid; expected a text"),
        (lambda: oracle(["true"])(3), "revision: 3 (int) is not valid; expected a text, as str"),
        (lambda: oracle(["true"]).run_patched("main", 3), "patch: int is not valid; expected str or bytes"),
    ]:
        with pytest.raises(fb.InvalidArgumentError, match=re.escape(message)):
            call()


def test_arguments_similar_to_a_graph_give_advice(folder):
    networkx = pytest.importorskip("networkx")
    coming = later()
    for given, message in [
        (fb.Repository(folder), "(Repository) is not valid; expected a graph of it: repository.graph()"),
        (networkx.DiGraph([("a", "b")]), "(DiGraph) is not valid; expected CommitGraph.from_networkx(graph)"),
        (coming, "(coroutine) is not valid; expected what it gives: await it first"),
    ]:
        with pytest.raises(fb.InvalidArgumentError, match=re.escape(message)):
            fb.find_regressions(given, passes, bad="7")
    coming.close()


def test_a_probe_is_accepted_as_its_id():
    search = fb.RegressionSearch(LINE, bad="7", good="0", test_endpoints=False)
    [one, other] = search.ask(2)
    assert search.wanted(one)
    search.abandon(other)
    search.tell(one, passes(one.revision))
    assert search.runs == 1


def test_endless_retries_name_the_revision_and_the_number():
    error = fb.Retry("no network")

    def fails(revision):
        raise error

    with pytest.raises(fb.Retry) as caught:
        fb.find_regressions(LINE, fails, bad="7", good="0", retries=2)
    assert caught.value is error
    assert (error.revision, error.tries) == ("7", 3)
    notes = getattr(error, "__notes__", ["3 times in a row"])
    assert "3 times in a row" in "".join(notes)


def test_a_command_that_cannot_run_is_described(folder, oracle):
    [sha] = fb.CommitGraph.from_git(folder).leaves
    for command, code in [
        (["sh", "-c", "exit 126"], 126),
        (["no-such-program"], 127),
        (["sh", "-c", "kill -9 $$"], 137),
    ]:
        with pytest.raises(fb.CommandError) as caught:
            oracle(command)("main")
        error = caught.value
        assert (error.revision, error.exit_code) == (sha, code)
        assert sha in str(error.output)


def test_a_closed_oracle_says_so(oracle):
    closed = oracle(["true"])
    closed.close()
    with pytest.raises(fb.OracleClosedError, match="the oracle is closed\nhelp: create a new oracle"):
        closed("main")


def test_a_command_oracle_is_for_threads(folder, oracle):
    graph = fb.CommitGraph.from_git(folder)
    command = oracle(["true"])
    with pytest.raises(TypeError, match=re.escape("run it in threads (jobs=4)")):
        pickle.dumps(command)
    with ProcessPoolExecutor(1) as pool, pytest.raises(TypeError, match="cannot be pickled"):
        fb.find_regressions(graph, command, bad="main", executor=pool)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"timeout": "60"}, 'timeout: "60" is not valid; expected a number'),
        ({"stage_timeout": "5m"}, 'stage_timeout: "5m" is not valid; expected a number'),
        ({"timeout": 0}, "timeout: 0 is not valid; expected more than 0 seconds"),
    ],
)
def test_times_are_seconds(oracle, options, message):
    with pytest.raises(fb.InvalidArgumentError, match=re.escape(message)):
        oracle(["true"], **options)


def test_an_invalid_history_range_is_rejected(folder, tmp_path):
    for options, message in [
        (
            {"tips": []},
            "tips: [] is not valid; expected at least one, or no tips, which means HEAD and all branches and tags",
        ),
        ({"paths": []}, "paths: [] is not valid; expected at least one, or no paths, which means all commits"),
        ({"paths": [""]}, 'paths: [""] is not valid; expected texts that are not empty'),
        ({"exclude": ""}, 'exclude: [""] is not valid; expected texts that are not empty'),
    ]:
        for make in (fb.CommitGraph.from_git, lambda folder, **part: fb.Repository(folder).graph(**part)):
            with pytest.raises(fb.InvalidArgumentError, match=re.escape(message)):
                make(folder, **options)
    assert len(fb.CommitGraph.from_git(folder, exclude=[])) == 8
    with pytest.raises(fb.GitError, match=re.escape(f"{tmp_path} is not in a Git repository")):
        fb.Repository(tmp_path)


def test_endpoints_can_be_git_expressions(folder):
    graph = fb.CommitGraph.from_git(folder)
    old, new = graph.resolve("main~6"), graph.resolve("HEAD~1")
    assert graph.distance("main~6", "HEAD~1") == 5
    value = {id: number for number, id in enumerate(graph)}
    report = fb.find_regressions(graph, lambda id: value[id] < 4, bad="HEAD~1", good="main~6", prior="uniform")
    assert (report.points[0].leaves, report.points[0].bad) == ((new,), graph.resolve("main~3"))
    culprit = fb.find_culprit(graph, lambda id: value[id] < 4, bad="HEAD~1", good="main~6", flake_rate=0.0)
    assert culprit.culprit == graph.resolve("main~3")
    assert old == git(folder, "rev-parse", "main~6")
    with pytest.raises(
        fb.UnknownRevisionError, match=re.escape('bad: unknown revision "main~99"\nhelp: did you mean "main"?')
    ):
        fb.RegressionSearch(graph, bad="main~99")


def test_commits_missing_from_a_shallow_clone_are_named(folder, tmp_path):
    git(tmp_path, "clone", "-q", "--depth", "2", folder.as_uri(), "copy")
    graph = fb.CommitGraph.from_git(tmp_path / "copy")
    words = r"clone is shallow.*\nhelp: .*git fetch --unshallow, or set fetch-depth: 0 in CI"
    with pytest.raises(fb.UnknownRevisionError, match=words):
        fb.RegressionSearch(graph, bad="main", good=git(folder, "rev-parse", "main~5"))
