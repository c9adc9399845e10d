"""Makes git-bisect.json from what the real git does; prints nothing, needs nothing but git (2.30 or later).

    python3 tests/vectors/generate_git.py

Small repositories with fixed names and dates are made with `git fast-import`, so their shas are always the same.
`git bisect` is run by hand to its end, and what it asks is what must be asked. Then the rest is derived here, without
the code that is tested: parents that git leaves untested are asked in their own order, the answer is the edge below
git's first bad commit, or, where only skipped commits are left, git's own list of them.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

EPOCH = 1_700_000_000
FILE = Path(__file__).with_name("git-bisect.json")

# Revisions as "name: parents @ date", parents first; the first one is good, the last one is bad. Without a date a
# revision is a minute younger than the one before it.
LINE = [f"v{place}: " + (f"v{place - 1}" if place else "") for place in range(16)]
HISTORIES = {
    "linear": " | ".join(LINE),
    "one feature branch": "r: | a: r | b: a | x: a | y: x | c: b | m: c y | d: m | e: d | f: e",
    "merge after merge": (
        "r: | a: r | f1: a | f2: f1 | b: a | m1: b f2 | g1: b | g2: g1 | c: m1 | m2: c g2 | h1: c | d: m2 "
        "| m3: d h1 | e: m3"
    ),
    "octopus": "r: | a: r | x: a | y: a | y2: y | z: a | z2: z | z3: z2 | o: x y2 z3 | b: o | c: b",
    "criss-cross": (
        "r: | a1: r | b1: r | a2: a1 b1 | b2: b1 a1 | a3: a2 | b3: b2 | a4: a3 b3 | b4: b3 a3 | m: a4 b4 | t: m"
    ),
    "several roots": "r: | a: r | b: a | s: | s1: s | s2: s1 | m: b s2 | q: | q1: q | n: m q1 | c: n | d: c",
    "equal dates": (
        "r: @ 7 | a: r @ 7 | b: r @ 7 | c: r @ 7 | d: a b @ 7 | e: b c @ 7 | f: d e @ 7 | g: e @ 7 | h: f g @ 7 "
        "| i: h @ 7 | j: i @ 7"
    ),
    "date skew": (
        "r: @ 0 | a: r @ 900 | b: a @ 10 | x: a @ 5 | y: x @ 800 | z: y @ 6 | c: b @ 700 | m: c z @ 20 | d: m @ 600 "
        "| k: d @ 1 | e: d @ 30 | n: e k @ 2 | f: n @ 40"
    ),
    "newest first": " | ".join(f"{line} @ {100 - 5 * place}" for place, line in enumerate(LINE[:12])),
    "long-lived branches": (
        "r: | a0: r | b0: r | c0: r | a1: a0 b0 | b1: b0 | c1: c0 | a2: a1 | b2: b1 | c2: c1 | a3: a2 b2 | b3: b2 "
        "| c3: c2 | a4: a3 | b4: b3 | c4: c3 | a5: a4 b4 | b5: b4 | c5: c4 | m: a5 b5 | n: m c5 | t: n"
    ),
    "git errs": "root: | p: root | g: p | b: p | m: b g",
}

# History, culprits, skipped; what comes from a culprit fails. Where outcomes come and go, the failing ones after "=".
RUNS = [
    ("linear", "v1", ""),
    ("linear", "v6", ""),
    ("linear", "v8", ""),
    ("linear", "v15", ""),
    ("linear", "v6", "v7"),
    ("linear", "v11", "v7 v9 v10"),
    ("linear", "v9", "v6 v7 v8"),
    ("linear", "v12", "v3 v4 v5 v6 v7 v8 v9"),
    ("linear", "v4", "v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12 v13 v14"),
    ("one feature branch", "x", ""),
    ("one feature branch", "b", ""),
    ("one feature branch", "m", ""),
    ("one feature branch", "f", ""),
    ("one feature branch", "y", "c d"),
    ("merge after merge", "f2", ""),
    ("merge after merge", "g1", ""),
    ("merge after merge", "m2", ""),
    ("merge after merge", "c", "m1 g2"),
    ("octopus", "y", ""),
    ("octopus", "o", ""),
    ("octopus", "z2", "o y2"),
    ("criss-cross", "b1", ""),
    ("criss-cross", "a3", ""),
    ("criss-cross", "m", "a3 b3"),
    ("several roots", "b", ""),
    ("several roots", "s2", ""),
    ("several roots", "n", "m"),
    ("equal dates", "b", ""),
    ("equal dates", "e", ""),
    ("equal dates", "h", "f"),
    ("date skew", "x", ""),
    ("date skew", "c", ""),
    ("date skew", "k", ""),
    ("date skew", "e", "m d"),
    ("newest first", "v5", ""),
    ("newest first", "v9", "v5 v6"),
    ("long-lived branches", "a2", ""),
    ("long-lived branches", "c4", ""),
    ("long-lived branches", "b3", "a4 b4 c2"),
    ("git errs", "= p b m", ""),
]


class Repository:
    """A bare repository with one empty commit for each line of a history."""

    def __init__(self, folder, history):
        self.folder = folder
        self.names, self.parents, self.times = [], {}, {}
        for place, revision in enumerate(history.split(" | ")):
            line, _, date = revision.partition("@")
            name, _, parents = line.partition(":")
            self.names.append(name.strip())
            self.parents[name] = parents.split()
            self.times[name] = EPOCH + 60 * (int(date) if date else place)
        self.git("init", "--quiet", "--bare", "--initial-branch=main", ".")
        mark = {name: f":{place + 1}" for place, name in enumerate(self.names)}
        stream = []
        for name in self.names:
            if not self.parents[name]:
                stream.append("reset refs/heads/main")
            who = f"T <t@example.org> {self.times[name]} +0000"
            stream += ["commit refs/heads/main", f"mark {mark[name]}", f"author {who}", f"committer {who}"]
            stream += [f"data {len(name)}", name]
            stream += [
                f"{'merge' if place else 'from'} {mark[parent]}" for place, parent in enumerate(self.parents[name])
            ]
            stream.append("")
        self.git("fast-import", "--quiet", "--force", "--export-marks=marks", text="\n".join(stream) + "\n")
        shas = dict(line.split() for line in Path(folder, "marks").read_text().splitlines())
        self.sha = {name: shas[mark[name]] for name in self.names}
        self.name = {sha: name for name, sha in self.sha.items()}

    def git(self, *arguments, text="", check=True):
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "LC_ALL": "C",
        }
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=environment, input=text, capture_output=True, text=True
        )
        if check and done.returncode:
            raise RuntimeError(f"git {arguments[0]}: {done.stderr}{done.stdout}")
        # Newer versions of git write 'bad'.
        return (done.stdout + done.stderr).replace("'bad'", "bad")

    def bisect(self, bad, good, outcome):
        """What git asks, and what it names in the end: the first bad commit, or all that it could be."""
        first = self.name[self.git("rev-list", "--bisect", self.sha[bad], "^" + self.sha[good]).strip()]
        said = self.git("bisect", "start", "--no-checkout", self.sha[bad], self.sha[good])
        asked = []
        while "first bad commit" not in said:
            revision = self.name[self.git("rev-parse", "BISECT_HEAD").strip()]
            asked.append(revision)
            word = {"pass": "good", "fail": "bad", "unresolved": "skip"}[outcome[revision]]
            said = self.git("bisect", word, check=False)
        assert asked[:1] == [first], f"rev-list prints {first}, bisect asks {asked}"
        named = [self.name[sha] for sha in said.split() if sha in self.name]
        self.git("bisect", "reset")
        return asked, named[:1] if "is the first bad commit" in said else named

    def ancestors(self, name):
        """Itself included, nearest first, first parents first."""
        met = [name]
        for at in met:
            met += [parent for parent in self.parents[at] if parent not in met]
        return met


def outcomes(repository, culprits, skipped):
    if culprits.startswith("="):
        failing = culprits.split()[1:]
    else:
        failing = [n for n in repository.names if set(repository.ancestors(n)) & set(culprits.split())]
    outcome = {name: "fail" if name in failing else "pass" for name in repository.names}
    outcome.update(dict.fromkeys(skipped.split(), "unresolved"))
    return outcome


def vector(repository, history, culprits, skipped):
    good, bad = repository.names[0], repository.names[-1]
    outcome = outcomes(repository, culprits, skipped)
    asked, named = repository.bisect(bad, good, outcome)
    known = {bad, good, *asked}
    to_ask = []
    # Where only skipped commits are left, git lists them and the bad one.
    (first_bad,) = [name for name in named if outcome[name] == "fail"]
    while True:
        to_ask += [parent for parent in repository.parents[first_bad] if parent not in known]
        known.update(to_ask)
        failing = [parent for parent in repository.parents[first_bad] if outcome[parent] == "fail"]
        if not failing:
            break
        # Only where outcomes come and go; the history with that is so small that nothing else is left to ask.
        (first_bad,) = failing
    parents = repository.parents[first_bad]
    passing = [parent for parent in parents if outcome[parent] == "pass"]
    unresolved = [parent for parent in parents if outcome[parent] == "unresolved"]
    nearest = [n for n in repository.ancestors(first_bad) if n in known and outcome[n] == "pass"]
    is_edge = bool(passing) and not unresolved
    candidates = [] if is_edge else [name for name in repository.names if name in named]
    distance = shortest(repository, first_bad, bad)
    sha = repository.sha
    older = (passing or nearest)[0]
    trusted = [name for name in repository.names if name in (good, bad) and name in {older, first_bad, *parents}]
    exceptions = [
        name
        for name in repository.names
        if name in (*asked, *to_ask)
        and (
            (outcome[name] == "fail" and name in before(repository, older))
            or (outcome[name] == "pass" and name in before(repository, bad) and first_bad in before(repository, name))
        )
    ]
    point = {
        "good": sha[older],
        "bad": sha[first_bad],
        "culprit": None if candidates or first_bad in exceptions else sha[first_bad],
        "leaves": [sha[bad]],
        "distances": [distance],
        "clean": len(passing) == len(parents) and not trusted,
        "untested_endpoints": [sha[name] for name in trusted],
        "exceptions": [sha[name] for name in exceptions],
        "candidates": [sha[name] for name in candidates],
        "unresolved_parents": [sha[name] for name in unresolved],
        "confirmed": False,
        "outside_paths": False,
        "same_change": [],
        "probability": None,
        "find": "regression",
    }
    steps = []
    for id, name in enumerate(asked):
        steps.append({"op": "ask", "k": 1, "revisions": [sha[name]]})
        steps.append({"op": "tell", "id": id, "observation": {"outcome": outcome[name]}})
    listed = {word: [sha[n] for n in repository.names if outcome[n] == word] for word in ("fail", "unresolved")}
    listed = {word: shas for word, shas in listed.items() if shas}
    steps.append({"op": "drive", "k": 1, "outcomes": {"default": "pass", **listed}, "asks": [sha[n] for n in to_ask]})
    report = {"status": "found" if is_edge else "ambiguous", "runs": len(asked) + len(to_ask), "points": [point]}
    steps.append({"op": "report", "is": report})
    ending = f"names {named[0]}" if len(named) == 1 else f"says that it could be any of {', '.join(named)}"
    name = f"{history}, {culprits.replace('= ', 'failing ')}"
    why = f"git asks {' '.join(asked) or 'nothing'} and {ending}"
    if to_ask:
        why += f"; then the parents that git left untested, {' '.join(to_ask)}"
    if history == "git errs":
        why += f"; git's answer {named[0]} has a failing parent and is no regression point, (root, {first_bad}) is one"
    return {
        "name": name + (f", skipping {skipped}" if skipped else ""),
        "why": why,
        "graph": {
            "revisions": [[sha[n], [sha[p] for p in repository.parents[n]]] for n in repository.names],
            "times": [repository.times[n] for n in repository.names],
        },
        "algorithm": "regression",
        "configuration": {
            "bad": [sha[bad]],
            "good": [sha[good]],
            "search": "bisect",
            "clean": True,
            "confirm": False,
            "test_endpoints": False,
        },
        "steps": steps,
    }


def before(repository, revision):
    """A revision and all of its ancestors."""
    found, open_ = set(), [revision]
    while open_:
        name = open_.pop()
        if name not in found:
            found.add(name)
            open_ += repository.parents[name]
    return found


def shortest(repository, ancestor, revision):
    level, edges = {revision}, 0
    while ancestor not in level:
        level, edges = {parent for name in level for parent in repository.parents[name]}, edges + 1
    return edges


def text(vectors):
    """JSON with a line for each revision and step."""

    def lines(items, indent):
        return "[\n" + ",\n".join(indent + "  " + json.dumps(item) for item in items) + "\n" + indent + "]"

    def one(of):
        rows = [f'"name": {json.dumps(of["name"])}', f'"why": {json.dumps(of["why"])}']
        revisions, times = of["graph"]["revisions"], of["graph"]["times"]
        rows.append(f'"graph": {{"revisions": {lines(revisions, "      ")},\n      "times": {json.dumps(times)}}}')
        rows.append(f'"algorithm": {json.dumps(of["algorithm"])}')
        rows.append(f'"configuration": {json.dumps(of["configuration"])}')
        rows.append(f'"steps": {lines(of["steps"], "      ")}')
        return "    {\n      " + ",\n      ".join(rows) + "\n    }"

    return '{\n  "schema": 1,\n  "vectors": [\n' + ",\n".join(map(one, vectors)) + "\n  ]\n}\n"


def main():
    vectors = []
    for history, revisions in HISTORIES.items():
        with tempfile.TemporaryDirectory() as folder:
            repository = Repository(folder, revisions)
            vectors += [vector(repository, *run) for run in RUNS if run[0] == history]
    FILE.write_text(text(vectors), encoding="utf-8")


if __name__ == "__main__":
    main()
