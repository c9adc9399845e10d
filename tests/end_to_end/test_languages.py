"""A run that was begun in one language goes on in the other, and finds what it would have found alone."""

import json
import subprocess
from pathlib import Path

import pytest

import firstbad as fb

ROOT = Path(__file__).parents[2]

NODE = """
import { createRequire } from "node:module";
const fb = createRequire(%s)("firstbad");
const asked = [];
const heard = (subject, answer) => (asked.push(subject), answer);
const done = await (%s);
console.log(JSON.stringify({ ...done, asked }));
"""


def in_node(call, folder):
    """What a call resolves with in Node, and `asked`: what its callback was asked."""
    program = NODE % (json.dumps(str(ROOT / "node/package.json")), call)
    done = subprocess.run(
        ["node", "--input-type=module", "-e", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# The same items in both languages: of all kinds that have the same form in both.
ITEMS = ["a", "ü\U0001f600", 7, 2.5, 1.0, True, None, b"\x00\xff", [1, ["x"]]]
ITEMS += [{"b": 1, "a": "é", "\uff5e": 0, "\U0001f600": 0}]
JS_ITEMS = """["a", "ü\\u{1f600}", 7, 2.5, 1, true, null, Buffer.from([0, 255]), [1, ["x"]],
  { "\\u{1f600}": 0, "\\uff5e": 0, a: "é", b: 1 }]"""
PATCH = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-a\n-b\n-c\n+A\n+B\n+C\n"


def regression_here(journal, **options):
    graph = fb.CommitGraph.linear([f"r{n}" for n in range(100)])
    asked = []

    def oracle(revision):
        asked.append(revision)
        return int(revision[1:]) < 42

    report = fb.find_regressions(graph, oracle, bad="r99", good="r0", journal=journal, **options)
    return report.status, report.runs, [(point.good, point.bad) for point in report.points], asked


def regression_there(journal, **options):
    call = """fb.findRegressions(fb.CommitGraph.linear(Array.from({ length: 100 }, (_, n) => `r${n}`)),
        (revision) => heard(revision, Number(revision.slice(1)) < 42),
        { bad: "r99", good: "r0", journal: %s, ...%s })"""
    report = in_node(call % (json.dumps(str(journal)), json.dumps(options)), journal.parent)
    points = [(point["good"], point["bad"]) for point in report["points"]]
    return report["status"], report["runs"], points, report["asked"]


def reduction_here(journal, **options):
    asked = []

    def interesting(kept):
        asked.append(len(kept))
        return 7 in kept and b"\x00\xff" in kept

    report = fb.minimize(ITEMS, interesting, journal=journal, **options)
    return report.status, report.runs, list(report.kept), asked


def reduction_there(journal, **options):
    call = """fb.minimize(%s, (kept) => heard(kept.length, kept.includes(7) && kept.some(Buffer.isBuffer)),
        { journal: %s, ...%s })"""
    report = in_node(call % (JS_ITEMS, json.dumps(str(journal)), json.dumps(options)), journal.parent)
    return report["status"], report["runs"], report["kept"], report["asked"]


def patch_here(journal, **options):
    asked = []

    def interesting(part):
        asked.append(str(part))
        return "+B\n" in str(part)

    report = fb.minimize_patch(fb.Patch.parse(PATCH), interesting, journal=journal, **options)
    return report.status, report.runs, list(report.kept), asked


def patch_there(journal, **options):
    call = """fb.minimizePatch(fb.Patch.parse(%s), (part) => heard(`${part}`, `${part}`.includes("+B\\n")),
        { journal: %s, ...%s })"""
    report = in_node(call % (json.dumps(PATCH), json.dumps(str(journal)), json.dumps(options)), journal.parent)
    return report["status"], report["runs"], report["kept"], report["asked"]


def versions(folder):
    """A repository of ten versions: the fifth brought what the test calls, and the third broke it."""
    repository = folder / "repo"
    if repository.exists():
        return repository
    commits = []
    for version in range(10):
        lines = ["one", "two", "sound" if version < 3 else "bug", "three", "four", "five", "six"]
        text = "\n".join([*lines, *(["call"] if version > 4 else []), "seven", ""])
        about = f"commit refs/heads/main\ncommitter T <t@example.org> {1_700_000_000 + version} +0000\ndata 1\nc"
        commits.append(f"{about}\nM 100644 inline app\ndata {len(text)}\n{text}\n")
        commits.append(f"M 100644 inline version\ndata 1\n{version}\n")
    subprocess.run(["git", "init", "-q", "-b", "main", repository], check=True)
    subprocess.run(["git", "-C", repository, "fast-import", "--quiet"], input="".join(commits).encode(), check=True)
    return repository


def port_here(journal, **options):
    repository = versions(journal.parent)
    asked = []

    def at(revision, path):
        return subprocess.run(
            ["git", "-C", repository, "show", f"{revision}:{path}"], capture_output=True, check=True
        ).stdout

    def oracle(probe):
        asked.append(f"{probe.revision} {probe.patch}")
        files = {path: at(probe.revision, path) for path in ("app", "version")}
        lines = probe.patch.apply(files)["app"].splitlines()
        if b"call" not in lines:
            return fb.Observation(None, stage="build", signature="nothing to call")
        return fb.Observation(b"bug" not in lines, stage=None if b"bug" not in lines else "test")

    report = fb.iterative_delta_debugging(repository, oracle, start="main", forward="main", journal=journal, **options)
    return report.status, report.runs, report.to_json(), asked


def port_there(journal, **options):
    versions(journal.parent)
    call = """(async () => {
        const { execFileSync } = await import("node:child_process");
        const at = (revision, path) => execFileSync("git", ["-C", "repo", "show", `${revision}:${path}`]);
        const oracle = ({ revision, patch }) => {
          const files = { app: at(revision, "app"), version: at(revision, "version") };
          const lines = Buffer.from(patch.apply(files).app).toString().split("\\n");
          const bug = lines.includes("bug");
          return heard(`${revision} ${patch}`, !lines.includes("call")
            ? { outcome: "unresolved", stage: "build", signature: "nothing to call" }
            : bug ? { outcome: "fail", stage: "test" } : "pass");
        };
        const report = await fb.iterativeDeltaDebugging("repo", oracle,
            { start: "main", forward: "main", journal: %s, ...%s });
        return { status: report.status, runs: report.runs, text: report.toJson() };
    })()"""
    report = in_node(call % (json.dumps(str(journal)), json.dumps(options)), journal.parent)
    return report["status"], report["runs"], report["text"], report["asked"]


def features(folder):
    """A repository of eight commits after the first: each adds a line, two of them to one file."""
    repository = folder / "features"
    if repository.exists():
        return repository
    commits = []
    for number in range(9):
        lines = "".join(f"feature {line}\n" for line in range(number - number % 2, number + 1))
        about = f"commit refs/heads/main\ncommitter T <t@example.org> {1_700_000_000 + number} +0000\ndata 1\nc"
        commits.append(f"{about}\nM 100644 inline part{number // 2}\ndata {len(lines)}\n{lines}\n")
    subprocess.run(["git", "init", "-q", "-b", "main", repository], check=True)
    subprocess.run(["git", "-C", repository, "fast-import", "--quiet"], input="".join(commits).encode(), check=True)
    return repository


def slice_here(journal, **options):
    asked = []

    def oracle(probe):
        asked.append(str(probe.patch))
        return "+feature 3\n" in asked[-1] and "+feature 6\n" in asked[-1]

    report = fb.slice_history(features(journal.parent), oracle, base="main~8", tip="main", journal=journal, **options)
    return report.status, report.runs, report.to_json(), asked


def slice_there(journal, **options):
    features(journal.parent)
    call = """(async () => {
        const oracle = ({ patch }) =>
          heard(`${patch}`, `${patch}`.includes("+feature 3\\n") && `${patch}`.includes("+feature 6\\n"));
        const report = await fb.sliceHistory("features", { oracle, base: "main~8", tip: "main", journal: %s, ...%s });
        return { status: report.status, runs: report.runs, text: report.toJson() };
    })()"""
    report = in_node(call % (json.dumps(str(journal)), json.dumps(options)), journal.parent)
    return report["status"], report["runs"], report["text"], report["asked"]


LANGUAGES = {
    "regression": (regression_here, regression_there),
    "reduction": (reduction_here, reduction_there),
    "patch": (patch_here, patch_there),
    "port": (port_here, port_there),
    "slice": (slice_here, slice_there),
}


@pytest.mark.parametrize("kind", LANGUAGES)
@pytest.mark.parametrize("first", ["python", "node"])
def test_a_run_resumes_in_the_other_language(kind, first, tmp_path):
    begins, goes_on = LANGUAGES[kind] if first == "python" else reversed(LANGUAGES[kind])
    alone = [language(tmp_path / f"alone-{place}.jsonl") for place, language in enumerate(LANGUAGES[kind])]
    assert alone[0] == alone[1], "both languages ask the same"
    status, runs, found, asked = alone[0]
    assert status == "found"

    journal = tmp_path / "run.jsonl"
    assert begins(journal, budget=2)[:2] == ("budget", 2)
    assert goes_on(journal) == (status, runs, found, asked[2:])
    assert begins(journal) == (status, runs, found, []), "it is done, and whoever opens it sees that"


def test_other_items_are_rejected_in_both_languages(tmp_path):
    journal = tmp_path / "run.jsonl"
    reduction_here(journal)
    with pytest.raises(fb.FirstbadError, match="It has other items of the same number"):
        fb.minimize(list(reversed(ITEMS)), lambda kept: True, journal=journal)
    call = f"fb.minimize({JS_ITEMS}.reverse(), () => true, {{ journal: {json.dumps(str(journal))} }})"
    refused = in_node(f"{call}.catch(({{ code, message }}) => ({{ code, message }}))", tmp_path)
    assert refused["code"] == "journal"
    assert "It has other items of the same number" in refused["message"]
