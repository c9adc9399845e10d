"""Makes change.json: searches for changes in numbers.

The expected probes and reports are those of today: look at what changes. With the package built:
`python tests/vectors/generate_change.py`.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import firstbad as fb

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

from test_vectors import answer

FILE = Path(__file__).with_name("change.json")
COUNT = 24
LINE = [[f"r{number}", [f"r{number - 1}"] if number else []] for number in range(COUNT)]
ENDS = {"bad": ["r23"], "good": ["r0"]}
MERGES = [
    ["v1", []],
    *(["a1", ["v1"]], ["a2", ["a1"]], ["b1", ["v1"]], ["b2", ["b1"]], ["b3", ["b2"]], ["m1", ["a2", "b3"]]),
    *(["c1", ["m1"]], ["c2", ["c1"]], ["d1", ["m1"]], ["m2", ["c2", "d1"]], ["v2", ["m2"]]),
]
SLOW = {"b2", "b3", "m1", "c1", "c2", "d1", "m2", "v2"}
KEYS = (
    *("status", "conclusion", "message", "metric", "unit", "before", "after", "change", "percent", "interval", "steps"),
    *(
        "candidates",
        "largest",
        "unexplained",
        "noise",
        "exact",
        "probability",
        "measurements",
        "unresolved",
        "warnings",
    ),
)

chance = random.Random(11)


def noisy(number: float, noise: float = 0.01) -> list[float]:
    """Returns five measurements of a revision."""
    return [round(number * (1 + chance.gauss(0, noise)), 4) for _ in range(5)]


def along(number: Callable[[int], float], noise: float = 0.01) -> dict[str, Any]:
    """Returns noisy measurements of each revision of the line."""
    return {f"r{place}": noisy(number(place), noise) for place in range(COUNT)}


def exactly(number: Callable[[int], Any]) -> dict[str, Any]:
    """Returns the only result of each revision of the line."""
    return {f"r{place}": [number(place)] for place in range(COUNT)}


def timed(place: int) -> list[Any]:
    """Returns times, of which those from r9 on exceed the limit."""
    return noisy(20) if place < 9 else [{"metric": 60.0, "censored": True}]


def paired(place: int) -> list[Any]:
    """Returns pairs of a machine whose speed changes."""
    speeds = (1, 1.3, 1.1, 1.2) if place % 2 else (1.2, 1, 1.3)
    pairs = [(noisy(speed * (1.1 if place >= 6 else 1), 0.005)[0], noisy(speed, 0.005)[0]) for speed in speeds]
    return [{"metric": metric, "control": control} for metric, control in pairs]


def several(place: int) -> list[Any]:
    """Returns the numbers of two metrics."""
    size = 1100.0 if place >= 18 else 1000.0
    return [{"metrics": {"size": size, "time": time}} for time in noisy(1.2 if place >= 5 else 1)]


SCENES: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    (
        "a step in noise",
        "r15 is 10% slower, and the noise of a measurement is 1%",
        {"unit": "s"},
        along(lambda place: 0.22 if place >= 15 else 0.2),
    ),
    (
        "a step in a history with merges",
        "b2 on a merged branch is 20% slower, so its descendants are slower",
        {"bad": ["v2"], "good": ["v1"], "prior": "uniform"},
        {name: noisy(1.2 if name in SLOW else 1) for name, _ in MERGES},
    ),
    (
        "numbers without noise are halved",
        "sizes repeat, and r15 is larger by 100 bytes",
        {"at_least": "50B"},
        exactly(lambda place: 1000 + place % 3 + (100 if place >= 15 else 0)),
    ),
    (
        "revisions without a number separate the candidates",
        "r13 to r15 cannot be measured, and one of r13 to r16 is larger",
        {},
        exactly(lambda place: None if 13 <= place < 16 else 1000 if place < 13 else 1100),
    ),
    (
        "a timeout is at least the limit",
        "from r9 on, the benchmark exceeds its limit of 60 seconds",
        {"unit": "s"},
        {f"r{place}": timed(place) for place in range(COUNT)},
    ),
    (
        "paired numbers do not depend on the speed of the machine",
        "the machine is up to 30% slower, which its control shows, and r6 is slower by 10%",
        {"bad": ["r11"], "paired": True, "at_least": 0.05},
        {f"r{place}": paired(place) for place in range(12)},
    ),
    (
        "two metrics have two culprits on shared builds",
        "the time changes at r5 and the size at r18",
        {"metrics": {"size": {"at_least": "50B"}, "time": {"unit": "s", "at_least": 0.05}}},
        {f"r{place}": several(place) for place in range(COUNT)},
    ),
    (
        "all steps",
        "r7 and r16 are slower by 15% each",
        {"all_steps": True, "unit": "s"},
        along(lambda place: 0.2 * (1.15 if place >= 7 else 1) * (1.15 if place >= 16 else 1)),
    ),
    ("no change", "the endpoints do not differ", {}, along(lambda _: 5)),
    (
        "a ramp has no culprit",
        "each commit is larger by 10 bytes, so no commit is larger by 50",
        {"at_least": "50B"},
        exactly(lambda place: 1000 + 10 * place),
    ),
    (
        "a lower throughput, two probes at a time",
        "r15 is slower by 20%",
        {"worse": "down"},
        along(lambda place: 72 if place >= 15 else 90),
    ),
    ("an improvement", "r15 is faster by 20%", {"find": "fix"}, along(lambda place: 0.8 if place >= 15 else 1)),
    (
        "too few measurements",
        "the noise is as large as the change, so ten measurements do not decide",
        {"max_measurements": 10},
        along(lambda place: 1.05 if place >= 15 else 1, 0.05),
    ),
    (
        "a search resumes from its snapshot",
        "the search is restored in the middle, with a probe in flight",
        {},
        along(lambda place: 0.22 if place >= 15 else 0.2),
    ),
]
ERRORS: list[tuple[str, str, dict[str, Any], str]] = [
    ("the confidence of a coin", "the confidence is above 0.5", {"confidence": 0.5}, "invalid_argument"),
    ("an amount of nothing", "the smallest change is above 0", {"at_least": "0kB"}, "invalid_argument"),
    ("an unknown unit", "amounts have units that firstbad knows", {"at_least": "3 apples"}, "invalid_argument"),
    ("two bad revisions", "there is exactly one bad revision", {"bad": ["r2", "r1"]}, "invalid_argument"),
    ("a missing revision", "r99 does not exist", {"good": ["r99"]}, "unknown_revision"),
    ("nothing between the endpoints", "there must be a suspect", {"good": ["r23"]}, "invalid_argument"),
    ("paired metrics", "a run has one control", {"paired": True, "metrics": {"a": {}}}, "invalid_argument"),
]


def played(name: str, why: str, options: dict[str, Any], numbers: dict[str, Any]) -> dict[str, Any]:
    """Plays a scene, and returns its vector."""
    revisions = MERGES if "v1" in numbers else LINE[: len(numbers)]
    configuration = {**ENDS, **options}
    search, outcomes = fb.ChangeSearch(fb.CommitGraph(revisions), **configuration), {"numbers": numbers}
    steps: list[dict[str, Any]] = []
    if "snapshot" in name:
        for turn in range(8):
            [probe] = search.ask()
            steps.append({"op": "ask", "k": 1, "revisions": [probe.revision]})
            if turn == 7:
                steps.append({"op": "restore"})
            metric = answer(outcomes, probe, turn)
            search.tell(probe.id, metric)
            steps.append({"op": "tell", "id": probe.id, "observation": {"outcome": "pass", "metric": metric}})
    asks: list[str] = []
    at_once = 2 if "two probes" in name else 1
    while not search.done:
        for probe in search.ask(at_once):
            search.tell(probe.id, answer(outcomes, probe, asks.count(probe.revision)))
            asks.append(probe.revision)
    steps.append({"op": "drive", "k": at_once, "outcomes": outcomes, "asks": asks})
    report = json.loads(search._core.report())
    for step in [*report["steps"], report["largest"] or {}]:
        step.pop("fingerprint", None)
    steps.append({"op": "report", "is": {key: report[key] for key in KEYS}})
    steps.append({"op": "fingerprints", "are": [step.fingerprint for step in search.report().steps]})
    return {**head(name, why, revisions, configuration), "steps": steps}


def head(name: str, why: str, revisions: list[Any], configuration: dict[str, Any]) -> dict[str, Any]:
    """Returns a vector without its steps."""
    graph = {"revisions": revisions}
    return {"name": name, "why": why, "graph": graph, "algorithm": "change", "configuration": configuration}


def written(vector: dict[str, Any]) -> str:
    """Returns a vector with each step on a line."""
    parts = []
    for key, value in vector.items():
        if key == "steps":
            lines = ",\n".join(f"        {json.dumps(step)}" for step in value)
            parts.append(f'      "steps": [\n{lines}\n      ]')
        else:
            parts.append(f"      {json.dumps(key)}: {json.dumps(value)}")
    return "    {\n" + ",\n".join(parts) + "\n    }"


def main() -> None:
    """Writes the file."""
    vectors = [played(*scene) for scene in SCENES]
    vectors += [{**head(name, why, LINE, {**ENDS, **options}), "error": code} for name, why, options, code in ERRORS]
    body = ",\n".join(map(written, vectors))
    FILE.write_text(f'{{\n  "schema": 1,\n  "vectors": [\n{body}\n  ]\n}}\n')


if __name__ == "__main__":
    main()
