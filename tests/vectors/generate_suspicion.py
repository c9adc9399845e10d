"""Makes suspicion.json: rankings, priors and factors, from another reading of the definitions, in plain Python.

Nothing of the package is used. Distances come from relaxation over a table of who reaches whom, not from a search; targets
that reach one another count as one.

    python3 tests/vectors/generate_suspicion.py
"""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path

FILE = Path(__file__).with_name("suspicion.json")
HEURISTICS = ("suspiciousness", "size", "distance", "changelog")


def weight(distance):
    """Definition 10; the test itself scores like distance 1."""
    return 11 / math.sqrt(40 * math.pi) * math.exp(-0.5 * (max(distance, 1) - 1) ** 2 / 20)


class Graph:
    """Targets as dicts, with who reaches whom and how far everything is from a test."""

    def __init__(self, targets):
        self.names = [target["name"] for target in targets]
        self.targets = {target["name"]: target for target in targets}
        self.reach = {name: {name} for name in self.names}
        changed = True
        while changed:
            changed = False
            for name in self.names:
                found = set().union(self.reach[name], *(self.reach[dep] for dep in self.targets[name].get("deps", ())))
                if found != self.reach[name]:
                    self.reach[name], changed = found, True

    def group(self, name):
        return frozenset(other for other in self.reach[name] if name in self.reach[other])

    def cycles(self):
        groups = {self.group(name) for name in self.names}
        return sorted(
            (sorted(group, key=self.names.index) for group in groups if len(group) > 1),
            key=lambda group: self.names.index(group[0]),
        )

    def steps(self, test):
        """The number of dependencies between groups on a shortest path, by target; at least 1."""
        far = {name: 0 for name in self.group(test)}
        for _ in self.names:
            for name in self.names:
                for dep in self.targets[name].get("deps", ()):
                    if name in far:
                        through = far[name] + (dep not in self.group(name))
                        for member in self.group(dep):
                            far[member] = min(far.get(member, through), through)
        return {name: max(steps, 1) for name, steps in far.items()}

    def owners(self, file):
        def lists(target):
            return file in target.get("files", ()) or file == target.get("build_file")

        listed = [name for name in self.names if lists(self.targets[name])]
        if listed:
            return listed
        parts = file.split("/")
        for count in range(len(parts) - 1, -1, -1):
            folder = "/".join(parts[:count]) or "."
            found = [name for name in self.names if folder in self.targets[name].get("folders", ())]
            if found:
                return found
        return []


def reasons(change, graph, before, test):
    """What a change touches: each group once, and of the graph before only what is not seen today."""
    found = []
    now = set()
    steps = graph.steps(test)
    for file in change[1]:
        for name in graph.owners(file):
            if name in steps and graph.group(name) not in now:
                now.add(graph.group(name))
                found.append((graph, name, steps[name], False))
    if before is not None and test in before.targets:
        then = set()
        steps = before.steps(test)
        for file in change[1]:
            for name in before.owners(file):
                seen = name in graph.targets and graph.group(name) in now
                if name in steps and not seen and before.group(name) not in then:
                    then.add(before.group(name))
                    found.append((before, name, steps[name], True))
    found.sort(key=lambda reason: reason[2])
    return [
        {
            "files": [file for file in dict.fromkeys(change[1]) if set(at.owners(file)) & at.group(name)],
            "target": name,
            "distance": distance,
            "weight": weight(distance),
            "before": old,
        }
        for at, name, distance, old in found
    ]


def ranking(targets, before, changes, test, by):
    graph, old = Graph(targets), Graph(before) if before else None
    suspects, excluded = [], []
    for age, change in enumerate(changes):
        why = reasons(change, graph, old, test)
        if not why:
            excluded.append(change[0])
            continue
        total, size = 0.0, len(set(change[1]))
        for reason in why:
            total += reason["weight"]
        score = {"suspiciousness": total, "size": float(size), "distance": why[0]["weight"], "changelog": 1.0}[by]
        suspect = {"change": change[0], "score": score, "suspiciousness": total, "size": size}
        suspect |= {"distance": why[0]["distance"], "reasons": why}
        suspects.append(((-score, 0 if by == "changelog" else -size, -age), suspect))
    suspects.sort(key=lambda one: one[0])
    unplaced = []
    for _, files in changes:
        for file in files:
            if file not in unplaced and not graph.owners(file) and not (old and old.owners(file)):
                unplaced.append(file)
    return {
        "suspects": [suspect for _, suspect in suspects],
        "excluded": excluded,
        "unplaced": unplaced,
        "cycles": graph.cycles(),
    }


def prior(suspects, others, by="suspiciousness", sharpness=1.0, floor=0.1, exclude=True, factors=None):
    """Weights that sum to 1, of (change, suspiciousness, distance) and of changes that do not matter."""
    factors = factors or {}
    strength = {
        change: (total if by == "suspiciousness" else weight(distance)) ** sharpness * factors.get(change, 1.0)
        for change, total, distance in suspects
    }
    if not suspects and exclude:
        return {}
    count = len(suspects) + (0 if exclude else len(others))
    total = sum(strength.values())
    if total == 0:
        floor = 1.0
    weights = {
        change: (1 - floor) * (value / total if total else 0) + floor / count for change, value in strength.items()
    }
    weights |= dict.fromkeys(others, 0.0 if exclude else floor / count)
    whole = sum(weights.values())
    return {change: value / whole for change, value in weights.items()} if whole else weights


def history_prior(told, revisions, bad, good, options):
    """The same over the revisions between; None if nothing matters."""
    parents = dict(revisions)

    def above(ids):
        found, todo = set(), list(ids)
        while todo:
            one = todo.pop()
            if one not in found:
                found.add(one)
                todo += parents[one]
        return found

    starts = good or [id for id, before in revisions if not before]
    between = above([bad]) - above(starts)
    inside = [
        (suspect["change"], suspect["suspiciousness"], suspect["distance"])
        for suspect in told["suspects"]
        if suspect["change"] in between
    ]
    if not inside:
        return None
    named = {change for change, *_ in inside}
    return prior(inside, [id for id, _ in revisions if id in between and id not in named], **options)


def random_targets(rng, count):
    names = [f"//t:{number}" for number in range(count)]
    targets = []
    for number, name in enumerate(names):
        target = {"name": name, "files": [f"d{number % 3}/f{number}"], "deps": []}
        target["deps"] = [other for other in names if other != name and rng.random() < 1.6 / count]
        if rng.random() < 0.3:
            target["build_file"] = f"d{number % 3}/BUILD"
        if rng.random() < 0.3:
            target["folders"] = [rng.choice([".", "d0", "d1", "d0/deep"])]
        if rng.random() < 0.3:
            target["files"].append("shared")
        targets.append(target)
    return targets


def random_case(rng, number):
    count = rng.randint(1, 9)
    targets = random_targets(rng, count)
    before = random_targets(rng, rng.randint(1, 9)) if number % 3 == 0 else None
    files = [f"d{n % 3}/f{n}" for n in range(9)] + ["d0/BUILD", "d1/BUILD", "d0/deep/x", "d1/y", "shared", "none"]
    ids = [f"r{n}" for n in range(rng.randint(1, 7))]
    changes = [[id, [rng.choice(files) for _ in range(rng.randint(0, 4))]] for id in ids if rng.random() < 0.85]
    revisions = [["root", []]]
    for place, id in enumerate(ids):
        known = ["root", *ids[:place]]
        before_it = [known[-1]] if rng.random() < 0.7 else sorted(rng.sample(known, min(2, len(known))))
        revisions.append([id, before_it])
    good = [] if number % 2 else ["root"]
    case = {"name": f"random {number}", "why": "relaxation over a table of who reaches whom", "targets": targets}
    if before:
        case["before"] = before
    case |= {"changes": changes, "test": "//t:0", "by": HEURISTICS[number % 4]}
    case["ranking"] = told = ranking(targets, before, changes, "//t:0", case["by"])
    suspects = [(one["change"], one["suspiciousness"], one["distance"]) for one in told["suspects"]]
    case["priors"] = []
    case["history"] = {"revisions": revisions, "bad": ids[-1], "good": good, "priors": []}
    for by, sharpness, floor, exclude in [
        ("suspiciousness", 1.0, 0.1, True),
        ("distance", 1.0, 0.1, True),
        ("distance", 3.5, 0.0, True),
        ("suspiciousness", 0.0, 0.5, False),
        ("suspiciousness", 2.0, 1.0, False),
    ]:
        options = {"by": by, "sharpness": sharpness, "floor": floor, "exclude": exclude}
        options["factors"] = {change[0]: rng.choice([0.0, 0.5, 4.0]) for change in changes if rng.random() < 0.3}
        case["priors"].append({"options": options, "weights": prior(suspects, told["excluded"], **options)})
        weights = history_prior(told, revisions, ids[-1], good, options)
        case["history"]["priors"].append({"options": options, "weights": weights})
    return case


def named_cases():
    """What the paper shows, and what people may get wrong."""
    figure = [
        {"name": "test", "files": ["test.java"], "deps": ["T1"]},
        {"name": "T1", "files": ["t1.java"], "deps": ["T2"]},
        {"name": "T2", "files": ["t2.java"], "deps": []},
        {"name": "T3", "files": ["t3.java"], "deps": ["T2"]},
    ]
    changes = [["both", ["t1.java", "t2.java"]], ["far", ["t2.java"]], ["beside", ["t3.java"]], ["near", ["t1.java"]]]
    for by in HEURISTICS:
        yield "figure 6 of the paper", figure, None, changes, "test", by
    lost = [dict(figure[0], deps=[]), *figure[1:]]
    deleted = [["deletes", ["old.java"]], ["loses", ["t1.java"]], ["beside", ["t3.java", "no/where"]]]
    old = [dict(figure[0], files=["test.java", "old.java"]), *figure[1:]]
    yield "deleted files and lost edges", lost, old, deleted, "test", "suspiciousness"
    yield "the same without the graph before", lost, None, deleted, "test", "suspiciousness"
    circle = [
        {"name": "test", "files": ["t"], "deps": ["a"]},
        {"name": "a", "files": ["a.py"], "deps": ["b"]},
        {"name": "b", "files": ["b.py"], "deps": ["a", "c"]},
        {"name": "c", "files": ["c.py"], "deps": []},
    ]
    yield "a circle", circle, None, [["ab", ["a.py", "b.py"]], ["c", ["c.py"]]], "test", "suspiciousness"
    yield "an empty changelog", circle, None, [], "test", "suspiciousness"
    yield "nothing that matters", circle, None, [["x", ["readme"]]], "a", "suspiciousness"
    chain = [{"name": f"c{n}", "files": [f"f{n}"], "deps": [f"c{n + 1}"] if n < 29 else []} for n in range(30)]
    yield "a long chain", chain, None, [[f"r{n}", [f"f{n}"]] for n in range(30)], "c0", "distance"


def number_of(config, change):
    kind = config["factor"]
    if kind == "size":
        return (1 + math.log1p(change.get("added", 0) + change.get("deleted", 0))) ** config["strength"]
    if kind == "words":
        message = change.get("message", "").lower()
        there = [
            factor
            for word, factor in config["factors"].items()
            if re.search(rf"(?<![^\W_]){re.escape(word.lower())}(?![^\W_])", message)
        ]
        return math.prod(there)
    if kind == "authors":
        known = {name.lower(): factor for name, factor in config["factors"].items()}
        return known.get(change.get("email", "").lower(), known.get(change.get("author", "").lower(), 1.0))
    # The traces below name each file in full, with its line right behind.
    found = [1.0]
    for file in change["files"]:
        named = [int(line or 0) for line in re.findall(rf"(?:^|[\s/(]){re.escape(file)}(?::(\d+))?", config["text"])]
        ranges = change.get("lines", {}).get(file, [])
        near = any(first - 3 <= line <= last + 3 for line in named if line for first, last in ranges)
        if named:
            found.append(config["line"] if near else config["file"])
    return max(found)


def factors(rng):
    words = ["Revert", "fix", "refactor", "hot fix", "docs"]
    configs = [
        {"factor": "size", "strength": 1.0},
        {"factor": "size", "strength": 0.5},
        {"factor": "words", "factors": {"revert": 0.25, "FIX": 2.0, "hot fix": 3.0, "docs": 0.0}},
        {"factor": "authors", "factors": {"ada@example.org": 2.0, "ADA": 5.0, "bob": 0.5}},
        {"factor": "trace", "text": "at lib/a.py:10\n  (web/b.js:20:3)\n /ci/c.rs:7", "file": 4.0, "line": 16.0},
    ]
    for config in configs:
        for number in range(8):
            author = rng.choice(["Ada", "Bob", "Eve"])
            files = rng.sample(["lib/a.py", "web/b.js", "c.rs", "other/a.py", "readme"], rng.randint(0, 3))
            change = {"id": f"c{number}", "files": files, "author": author, "email": f"{author.lower()}@example.org"}
            change["message"] = " ".join(rng.sample(words, 2)) + rng.choice(["ed", "", ".\nprefix fixes", "_x", "!"])
            change["added"], change["deleted"] = rng.randint(0, 300), rng.randint(0, 30)
            if rng.random() < 0.6:
                change["lines"] = {file: [[start := rng.randint(1, 25), start + rng.randint(0, 3)]] for file in files}
            yield {"config": config, "change": change, "factor": number_of(config, change)}


def main():
    rng = random.Random(6)
    rankings = []
    for number, (name, targets, before, changes, test, by) in enumerate(named_cases()):
        case = {"name": f"{name} {number}", "why": "by hand and by the other reading", "targets": targets}
        if before:
            case["before"] = before
        case |= {"changes": changes, "test": test, "by": by, "ranking": ranking(targets, before, changes, test, by)}
        rankings.append(case)
    rankings += [random_case(rng, number) for number in range(32)]
    parts = (",\n".join(json.dumps(case) for case in cases) for cases in (rankings, factors(rng)))
    FILE.write_text('{"schema": 1, "rankings": [\n%s\n], "factors": [\n%s\n]}\n' % tuple(parts))


if __name__ == "__main__":
    main()
