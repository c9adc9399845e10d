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
        far = dict.fromkeys(self.group(test), 0)
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


class Names:
    """All names that each file has had, by relaxation over the renames of all changes, in whatever order."""

    def __init__(self, changes):
        pairs = [pair for change in changes for pair in change.get("renames", {}).items()]
        self.known = {name: {name} for pair in pairs for name in pair}
        changed = True
        while changed:
            changed = False
            for old, new in pairs:
                both = self.known[old] | self.known[new]
                for name in both:
                    if self.known[name] != both:
                        self.known[name], changed = both, True
        # No file is followed through more than 64 names.
        self.many = {name for name, names in self.known.items() if len(names) > 64}
        self.created, self.deleted = set(), set()
        for change in changes:
            moved = set(change.get("renames", {})) | set(change.get("renames", {}).values())
            for file, status in change.get("statuses", {}).items():
                if file not in moved and status != "modified":
                    (self.created if status == "added" else self.deleted).add(file)

    def of(self, name):
        return {name} if name in self.many else self.known.get(name, {name})

    def lasts(self, name):
        return name not in self.many and not self.of(name) & self.deleted

    def precedes(self, name):
        return name not in self.many and not self.of(name) & self.created


def reasons(change, graph, before, test, names):
    """What a change touches of one test's: each group once, and of the graph before only what is not seen today."""
    found = []
    now, moved = set(), set()
    steps = graph.steps(test)
    for file in change["files"]:
        for name in owners(graph, file, names):
            if name in steps:
                moved |= {file} if len(names.of(file)) > 1 else set()
                if graph.group(name) not in now:
                    now.add(graph.group(name))
                    found.append((graph, name, steps[name], False))
    old = test_before(graph, before, test, names) if before is not None else None
    if old is not None:
        then = set()
        steps = before.steps(old)
        for file in change["files"]:
            for name in [] if file in moved else owners(before, file, names):
                seen = name in graph.targets and graph.group(name) in now
                if name in steps and not seen and before.group(name) not in then:
                    then.add(before.group(name))
                    found.append((before, name, steps[name], True))
    return found


def test_before(graph, before, test, names):
    """The same name, or the target of most of its files that were renamed."""
    if test in before.targets:
        return test
    shared = {}
    for files in {frozenset(files) for name, files in names.known.items() if name not in names.many}:
        if any(test in graph.owners(file) for file in files):
            for file in files:
                for owner in before.owners(file):
                    shared[owner] = shared.get(owner, 0) + 1
    return min(shared, key=lambda name: (-shared[name], name)) if shared else None


def owners(graph, file, names):
    return [owner for name in [file, *sorted(names.of(file) - {file})] for owner in graph.owners(name)]


def joined(change, graph, before, tests, names):
    """The same for several tests: each target once, with the mean of its weights and the closest of its distances."""
    each = [reasons(change, graph, before, test, names) for test in tests]
    whole = {}
    for found in each:
        for at, name, distance, old in found:
            whole.setdefault((old, at.group(name)), []).append((distance, name, at))
    told = []
    for (old, group), seen in whole.items():
        distance, name, at = min(seen, key=lambda one: one[0])
        told.append(
            {
                "files": [file for file in dict.fromkeys(change["files"]) if set(owners(at, file, names)) & group],
                "target": name,
                "distance": distance,
                "tests": len(seen),
                "weight": math.fsum(weight(one[0]) for one in seen) / len(tests),
                "before": old,
            }
        )
    told.sort(key=lambda reason: reason["distance"])
    closest = [max(weight(reason[2]) for reason in found) for found in each if found]
    return told, sum(closest) / len(tests), len(closest)


def ranking(targets, before, changes, tests, by, partial=False):
    graph, old = Graph(targets), Graph(before) if before else None
    names = Names(changes)
    suspects, excluded, unlikely = [], [], []

    def placed(file):
        return bool(owners(graph, file, names) or (old and owners(old, file, names)))

    def seen(change, file):
        if placed(file):
            return True
        return file in change.get("statuses", {}) and (names.lasts(file) or (old is not None and names.precedes(file)))

    for age, change in enumerate(changes):
        why, closeness, hit = joined(change, graph, old, tests, names)
        if not why:
            certain = not partial and all(seen(change, file) for file in change["files"])
            (excluded if certain else unlikely).append(change["id"])
            continue
        total, size = 0.0, len(set(change["files"]))
        for reason in why:
            total += reason["weight"]
        score = {"suspiciousness": total, "size": float(size), "distance": closeness, "changelog": 1.0}[by]
        suspect = {"change": change["id"], "score": score, "suspiciousness": total, "size": size}
        suspect |= {"distance": why[0]["distance"], "closeness": closeness, "tests": hit, "reasons": why}
        suspects.append(((-score, 0 if by == "changelog" else -size, -age), suspect))
    suspects.sort(key=lambda one: one[0])
    unplaced = []
    for change in changes:
        for file in change["files"]:
            if file not in unplaced and not placed(file):
                unplaced.append(file)
    return {
        "suspects": [suspect for _, suspect in suspects],
        "excluded": excluded,
        "unlikely": unlikely,
        "unplaced": unplaced,
        "cycles": graph.cycles(),
        "complete": not partial,
    }


def prior(suspects, others, by="suspiciousness", sharpness=1.0, floor=0.1, unlikely=0.02, exclude=True, factors=None):
    """Weights that sum to 1, of (change, suspiciousness, closeness), and of the unlikely and the excluded changes."""
    factors = factors or {}
    if not suspects:
        return {}
    doubtful, excluded = others
    doubtful = [*doubtful, *([] if exclude else excluded)]
    part = unlikely if doubtful else 0.0
    strength = {change: (total if by == "suspiciousness" else near) ** sharpness for change, total, near in suspects}
    base = {change: (1 - part) * value / sum(strength.values()) for change, value in strength.items()}
    even = dict.fromkeys(base, (1 - part) / len(suspects))
    for change in doubtful:
        base[change] = even[change] = part / len(doubtful)
    scaled = {change: value * factors.get(change, 1.0) for change, value in base.items()}
    whole = math.fsum(scaled.values())
    if whole == 0:
        floor, whole = 1.0, 1.0
    weights = {change: (1 - floor) * scaled[change] / whole + floor * even[change] for change in base}
    if exclude:
        weights |= dict.fromkeys(excluded, 0.0)
    return weights


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
        (suspect["change"], suspect["suspiciousness"], suspect["closeness"])
        for suspect in told["suspects"]
        if suspect["change"] in between
    ]
    if not inside:
        return None
    matter = {change for change, *_ in inside} | (set(told["unlikely"]) & between)
    doubtful = [id for id, _ in revisions if id in told["unlikely"] and id in between]
    excluded = []
    for id in (id for id, _ in revisions if id in between - matter):
        # Is there a parent from which nothing that matters, and nothing older than the suspects, came on the way?
        came = [above([id]) - above([parent]) - {id} for parent in parents[id]]
        shares = len(came) < 2 or any(way <= between - matter for way in came)
        (excluded if told["complete"] and shares else doubtful).append(id)
    return prior(inside, (doubtful, excluded), **options)


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


def random_moves(rng, changes, files):
    """Renames and statuses, possible ones and others."""
    for change in changes:
        change["statuses"] = {file: rng.choice(["added", "modified", "deleted"]) for file in change["files"]}
        if rng.random() < 0.5:
            old, new = rng.sample([*files, "moved/1", "moved/2", "//t:0", "//t:1"], 2)
            change["files"] += [old, new]
            change["renames"] = {old: new}
            change["statuses"] |= {old: "deleted", new: "added"}


def random_case(rng, number):
    count = rng.randint(1, 9)
    targets = random_targets(rng, count)
    before = random_targets(rng, rng.randint(1, 9)) if number % 3 == 0 else None
    files = [f"d{n % 3}/f{n}" for n in range(9)] + ["d0/BUILD", "d1/BUILD", "d0/deep/x", "d1/y", "shared", "none"]
    ids = [f"r{n}" for n in range(rng.randint(1, 7))]
    changes = [
        {"id": id, "files": [rng.choice(files) for _ in range(rng.randint(0, 4))]} for id in ids if rng.random() < 0.85
    ]
    revisions = [["root", []]]
    for place, id in enumerate(ids):
        known = ["root", *ids[:place]]
        before_it = [known[-1]] if rng.random() < 0.7 else sorted(rng.sample(known, min(2, len(known))))
        revisions.append([id, before_it])
    good = [] if number % 2 else ["root"]
    case = {"name": f"random {number}", "why": "relaxation over a table of who reaches whom", "targets": targets}
    if before:
        case["before"] = before
    if number % 5 == 1:
        case["partial"] = True
    if number % 4 > 1:
        random_moves(rng, changes, files)
    tests = rng.sample([target["name"] for target in targets], rng.randint(1, count)) if number % 2 else ["//t:0"]
    case |= {"changes": changes, "tests": tests, "by": HEURISTICS[number % 4]}
    case["ranking"] = told = ranking(targets, before, changes, tests, case["by"], case.get("partial", False))
    suspects = [(one["change"], one["suspiciousness"], one["closeness"]) for one in told["suspects"]]
    others = told["unlikely"], told["excluded"]
    case["priors"] = []
    case["history"] = {"revisions": revisions, "bad": ids[-1], "good": good, "priors": []}
    for by, sharpness, floor, unlikely, exclude in [
        ("suspiciousness", 1.0, 0.1, 0.02, True),
        ("distance", 1.0, 0.1, 0.02, True),
        ("distance", 3.5, 0.0, 0.0, True),
        ("suspiciousness", 0.0, 0.5, 0.3, False),
        ("suspiciousness", 2.0, 1.0, 0.02, False),
    ]:
        options = {"by": by, "sharpness": sharpness, "floor": floor, "unlikely": unlikely, "exclude": exclude}
        options["factors"] = {change["id"]: rng.choice([0.0, 0.5, 4.0]) for change in changes if rng.random() < 0.3}
        case["priors"].append({"options": options, "weights": prior(suspects, others, **options)})
        weights = history_prior(told, revisions, ids[-1], good, options)
        case["history"]["priors"].append({"options": options, "weights": weights})
    return case


def listed(changes):
    return [{"id": id, "files": files} for id, files in changes]


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
        yield "figure 6 of the paper", figure, None, listed(changes), ["test"], by
        yield "figure 6, two tests", figure, None, listed(changes), ["test", "T3"], by
    lost = [dict(figure[0], deps=[]), *figure[1:]]
    deleted = listed([["deletes", ["old.java"]], ["loses", ["t1.java"]], ["beside", ["t3.java", "no/where"]]])
    old = [dict(figure[0], files=["test.java", "old.java"]), *figure[1:]]
    yield "deleted files and lost edges", lost, old, deleted, ["test"], "suspiciousness"
    yield "the same without the graph before", lost, None, deleted, ["test"], "suspiciousness"
    circle = [
        {"name": "test", "files": ["t"], "deps": ["a"]},
        {"name": "a", "files": ["a.py"], "deps": ["b"]},
        {"name": "b", "files": ["b.py"], "deps": ["a", "c"]},
        {"name": "c", "files": ["c.py"], "deps": []},
    ]
    two = listed([["ab", ["a.py", "b.py"]], ["c", ["c.py"]]])
    yield "a circle", circle, None, two, ["test"], "suspiciousness"
    yield "an empty changelog", circle, None, [], ["test"], "suspiciousness"
    yield "nothing that matters", circle, None, listed([["x", ["readme"]]]), ["a"], "suspiciousness"
    chain = [{"name": f"c{n}", "files": [f"f{n}"], "deps": [f"c{n + 1}"] if n < 29 else []} for n in range(30)]
    yield "a long chain", chain, None, listed([f"r{n}", [f"f{n}"]] for n in range(30)), ["c0"], "distance"
    yield from moved_cases()


def moved_cases():
    """Files, and tests, that were moved, deleted, or came and went."""
    modified, gone, new = "modified", "deleted", "added"
    now = [
        {"name": "tests/test.py", "files": ["tests/test.py"], "deps": ["src/lib.py"]},
        {"name": "src/lib.py", "files": ["src/lib.py"], "deps": []},
        {"name": "docs", "files": ["readme"], "deps": []},
    ]
    before = [
        {"name": "test.py", "files": ["test.py"], "deps": ["lib.py", "old.py"]},
        {"name": "lib.py", "files": ["lib.py"], "deps": []},
        {"name": "old.py", "files": ["old.py"], "deps": []},
    ]
    changes = [
        {"id": "edits", "files": ["lib.py"], "statuses": {"lib.py": modified}},
        {"id": "edits what goes", "files": ["old.py"], "statuses": {"old.py": modified}},
        {"id": "creates", "files": ["brief.py"], "statuses": {"brief.py": new}},
        {"id": "drops", "files": ["brief.py"], "statuses": {"brief.py": gone}},
        {"id": "to b", "files": ["lib.py", "b.py"], "renames": {"lib.py": "b.py"},
         "statuses": {"lib.py": gone, "b.py": new}},
        {"id": "edits b", "files": ["b.py"], "statuses": {"b.py": modified}},
        {"id": "to src", "files": ["b.py", "src/lib.py"], "renames": {"b.py": "src/lib.py"},
         "statuses": {"b.py": gone, "src/lib.py": new}},
        {"id": "moves the test", "files": ["test.py", "tests/test.py"], "renames": {"test.py": "tests/test.py"},
         "statuses": {"test.py": gone, "tests/test.py": new}},
        {"id": "deletes", "files": ["old.py"], "statuses": {"old.py": gone}},
        {"id": "words", "files": ["readme"], "statuses": {"readme": modified}},
        {"id": "not an input", "files": ["notes"], "statuses": {"notes": modified}},
        {"id": "nobody looked", "files": ["notes"]},
    ]  # fmt: skip
    for name, then in [("moved", before), ("moved, without the graph before", None)]:
        yield name, now, then, changes, ["tests/test.py"], "suspiciousness"
        yield name + ", by the old name", now, then, changes, ["test.py"], "distance"
    names = [f"n{place}" for place in range(70)]
    often = [
        {"id": f"c{place}", "files": [old, after], "renames": {old: after}, "statuses": {old: gone, after: new}}
        for place, (old, after) in enumerate(zip(names, names[1:], strict=False))
    ]
    target = [{"name": "test", "files": ["n69"], "deps": []}]
    yield "moved too often to be followed", target, None, often, ["test"], "suspiciousness"


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
    for number, (name, targets, before, changes, tests, by) in enumerate(named_cases()):
        case = {"name": f"{name} {number}", "why": "by hand and by the other reading", "targets": targets}
        if before:
            case["before"] = before
        case |= {"changes": changes, "tests": tests, "by": by}
        resolved = ["tests/test.py" if test == "test.py" else test for test in tests]
        case["ranking"] = ranking(targets, before, changes, resolved, by)
        rankings.append(case)
    rankings += [random_case(rng, number) for number in range(48)]
    parts = (",\n".join(json.dumps(case) for case in cases) for cases in (rankings, factors(rng)))
    FILE.write_text('{"schema": 1, "rankings": [\n%s\n], "factors": [\n%s\n]}\n' % tuple(parts))


if __name__ == "__main__":
    main()
