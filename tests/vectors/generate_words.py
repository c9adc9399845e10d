"""Makes words.json: reports, and what they are in words, with commits that are called what nobody should trust.

The words are those of today: look at what changes. With the package built: `python tests/vectors/generate_words.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import firstbad as fb

FILE = Path(__file__).with_name("words.json")

NASTY = "Fix `it` | <b> [a](javascript:b) @all #1 ::error::\u001b[2J\u202e ##[x] %0A*x*"

SHAS = [f"{number}" * 40 for number in range(6)]
NAMES = {SHAS[5]: ["main", "v2|x"], SHAS[4]: ["side"]}


def commits(subjects: dict[str, str]) -> dict[str, Any]:
    """What these commits are called."""
    dates = {"author_date": "2026-01-31T00:00:00+01:00", "commit_date": "2026-01-31T01:00:00Z"}
    files = [{"path": NASTY, "added": 5, "deleted": 2}, {"path": "a.py", "added": 1, "deleted": 0}]
    more = {
        "email": "a@b\u001b[2J",
        "changed": {"files": 9, "added": 12, "deleted": 3, "largest": files},
        "url": "https://example.org/commit/3",
        "request_url": "https://example.org/pull/7",
    }
    return {
        sha: {"subject": subject, "author": "A | `B` <b> @all", **dates, **(more if subject == NASTY else {})}
        for sha, subject in subjects.items()
    }


def case(name: str, report: Any, **more: Any) -> dict[str, Any]:
    """A report with what it is in words."""
    written = {**json.loads(report._text), **more}
    kind = type(report)
    text = json.dumps(written)
    reduction = kind in (fb.MinimizeReport, fb.IsolateReport)
    again = kind.from_json(text, list) if reduction else kind.from_json(text)
    forms = {"text": again.to_text(), "markdown": again.to_markdown()}
    forms |= {"github": again.to_annotations("github"), "gitlab": again.to_annotations("gitlab")}
    forms["page"] = again.to_html()
    forms["rows"] = json.dumps(again.to_rows(), separators=(",", ":"), ensure_ascii=False)
    return {"name": name, "algorithm": kind._algorithm, "report": written, **forms}


def regressions() -> list[dict[str, Any]]:
    """On a line of six commits, of which the fourth breaks it."""
    called = commits({sha: NASTY if place == 3 else f"Commit {place}" for place, sha in enumerate(SHAS)})
    line = fb.CommitGraph.linear(SHAS)

    def fails(sha: str) -> fb.Observation:
        return fb.Observation(SHAS.index(sha) < 3, seconds=2.5)

    def holes(sha: str) -> fb.Observation:
        note = f"exit code 125; output in {NASTY}"
        return fb.Observation(fb.Outcome.UNRESOLVED, note=note) if sha == SHAS[2] else fails(sha)

    bad = [SHAS[5], SHAS[4], SHAS[1]]
    found = fb.find_regressions(line, fails, bad=SHAS[5], good=SHAS[0])
    running = fb.RegressionSearch(line, bad=SHAS[5], good=SHAS[0])
    [probe] = running.ask()
    running.tell(probe.id, False)
    fix = fb.find_regressions(line, lambda sha: SHAS.index(sha) >= 3, bad=SHAS[0], good=SHAS[5], find="fix")
    good_fails = fb.find_regressions(line, lambda sha: False, bad=SHAS[5], good=SHAS[0])
    return [
        case("a regression", found, commits=called, names=NAMES),
        case("of builds, not of commits", found),
        case("several ends, and candidates", fb.find_regressions(line, holes, bad=bad, good=SHAS[0]), commits=called),
        case("not finished", running.report()),
        case("a fix", fix, commits=called, names=NAMES),
        case("a good end fails", good_fails),
    ]


def culprits() -> list[dict[str, Any]]:
    """On the same line, with a flaky test."""
    called = commits({SHAS[3]: NASTY, SHAS[2]: ""})
    line = fb.CommitGraph.linear(SHAS)
    ends = {"bad": SHAS[5], "good": SHAS[0], "flake_rate": 0.1}
    found = fb.find_culprit(line, lambda sha: SHAS.index(sha) < 3, **ends)
    flake = fb.find_culprit(line, lambda sha: True, **ends)
    verified = fb.verify_culprit(line, lambda sha: SHAS.index(sha) < 3, culprit=SHAS[3], **ends)
    refuted = fb.verify_culprit(line, lambda sha: SHAS.index(sha) < 2, culprit=SHAS[3], **ends)
    return [
        case("a culprit", found, commits=called),
        case("a flake", flake),
        case("a culprit is confirmed", verified, commits=called),
        case("a culprit is refuted", refuted, commits=called),
    ]


def reductions() -> list[dict[str, Any]]:
    """Of eight items, two of which it takes; and of three changes of a history."""
    items = list("abcdefgh")
    slicer = fb.Slicer([SHAS[1], f"{SHAS[2]}:src/a|b.py#0", SHAS[3]])
    sliced = fb.run(slicer, lambda probe: {0, 1} <= set(probe.changes or ()))
    called = commits({SHAS[1]: "Commit 1", SHAS[2]: NASTY})
    return [
        case("the smallest set", fb.minimize(items, lambda kept: {"b", "g"} <= set(kept))),
        case("the smallest difference", fb.isolate(items, lambda kept: {"b", "g"} <= set(kept))),
        case("a slice", sliced, commits=called),
    ]


def ports() -> list[dict[str, Any]]:
    """What the vectors of iterative delta debugging answer, of versions that are called what nobody should trust."""
    vectors = json.loads(FILE.with_name("porting.json").read_text())["vectors"]
    cases = []
    for name in ("missing feature, galloping", "no good version, galloping"):
        [vector] = [vector for vector in vectors if vector["name"] == name]
        [*_, written] = [step["is"] for step in vector["steps"] if step["op"] == "report"]
        called = commits({step["revision"]: NASTY for step in written["steps"]})
        cases.append(case(f"a port: {name}", fb.PorterReport.from_json(json.dumps(written)), commits=called))
    return cases


def main() -> None:
    """Writes the file."""
    cases = [*regressions(), *culprits(), *reductions(), *ports()]
    FILE.write_text(json.dumps({"schema": 1, "reports": cases}, indent=1, ensure_ascii=True) + "\n")


if __name__ == "__main__":
    main()
