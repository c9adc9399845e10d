"""Makes reduction.json without the code that is tested; prints nothing, needs nothing but Python.

    python3 tests/vectors/generate_reduction.py

The published algorithms are written down here in their plainest form: Zeller's ddmin and dd (Zeller and Hildebrandt
2002), the bisection of IDD (Artho 2011, Section 3.1). They call an oracle that remembers; what they ask for the first time is what
must be asked. The full set is asked before, by all of them. Parts are tried from the newest item on, the one with the
highest number. Everything else was worked out on paper; `why` says how.
"""

import json
from itertools import pairwise
from pathlib import Path

FILE = Path(__file__).with_name("reduction.json")
PASS, FAIL, UNRESOLVED = ({"outcome": outcome} for outcome in ("pass", "fail", "unresolved"))


def short(items):
    """Indices as vectors write them: 0-3,7."""
    runs = []
    for item in sorted(items):
        if runs and runs[-1][1] == item - 1:
            runs[-1][1] = item
        else:
            runs.append([item, item])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


class Oracle:
    """An oracle that is asked each set once; `monotonic`, `standing`: what is known without asking."""

    def __init__(self, count, needed, hidden=None, given=None, monotonic=False):
        self.all = frozenset(range(count))
        self.needed, self.hidden, self.given, self.monotonic = set(needed), hidden or {}, given or {}, monotonic
        self.asked, self.told = [], {}
        self.test(self.all)

    def test(self, items):
        items = frozenset(items)
        if items not in self.told:
            if not whole(items, self.given):
                return "unresolved"
            follows = self.follows(items) if self.monotonic else None
            if follows:
                return follows
            self.asked.append(short(items))
            holds = "pass" if items >= self.needed else "fail"
            self.told[items] = holds if whole(items, self.hidden) else "unresolved"
        return self.told[items]

    def follows(self, items):
        if any(outcome == "pass" and items >= other for other, outcome in self.told.items()):
            return "pass"
        return "fail" if any(outcome == "fail" and items <= other for other, outcome in self.told.items()) else None

    def holds(self, items):
        return self.test(items) == "pass"

    def is_known_to_be_minimal(self, kept):
        known = self.told | ({kept - {item}: self.follows(kept - {item}) for item in kept} if self.monotonic else {})
        return all(known.get(kept - {item}) in ("fail", "unresolved") for item in kept)


def whole(items, dependencies):
    return all(items >= set(dependencies.get(item, ())) for item in items)


def parts(items, count):
    """As even parts as can be, the newest first."""
    items = sorted(items)
    edges = [part * len(items) // count for part in range(count + 1)]
    return [frozenset(items[start:end]) for start, end in pairwise(edges)][::-1]


def ddmin(oracle, kept, n=2):
    """ddmin2(c, n), Section 3; a single item is tried without as well."""
    if len(kept) < 2:
        return frozenset() if kept and oracle.holds(()) else kept
    subsets = parts(kept, n)
    for subset in subsets:
        if oracle.holds(subset):
            return ddmin(oracle, subset)
    for subset in subsets:
        if oracle.holds(kept - subset):
            return ddmin(oracle, kept - subset, max(n - 1, 2))
    return ddmin(oracle, kept, min(2 * n, len(kept))) if n < len(kept) else kept


def dd(oracle, lacking, holding, n=2):
    """dd2(c_pass, c_fail, n), Section 5; here the larger set is the one that has the property."""
    difference = holding - lacking
    if len(difference) < 2:
        return lacking, holding
    deltas = parts(difference, min(n, len(difference)))
    fewer = max(len(deltas) - 1, 2)
    for delta in deltas:
        if oracle.test(lacking | delta) == "pass":
            return dd(oracle, lacking, lacking | delta)
    for delta in deltas:
        if oracle.test(holding - delta) == "fail":
            return dd(oracle, holding - delta, holding)
    for delta in deltas:
        if oracle.test(lacking | delta) == "fail":
            return dd(oracle, lacking | delta, holding, fewer)
    for delta in deltas:
        if oracle.test(holding - delta) == "pass":
            return dd(oracle, lacking, holding - delta, fewer)
    if len(deltas) < len(difference):
        return dd(oracle, lacking, holding, 2 * len(deltas))
    return lacking, holding


def bisect(oracle, kept, part):
    """One pass of Section 3.1, and whether every set was decided."""
    verdict = oracle.test(kept - part)
    if verdict == "pass":
        return kept - part, True
    if len(part) == 1:
        return kept, verdict == "fail"
    newer, older = parts(part, 2)
    kept, one = bisect(oracle, kept, newer)
    kept, other = bisect(oracle, kept, older)
    return kept, verdict == "fail" and one and other


def recursive(oracle):
    """Passes until nothing changes, or until one leaves no doubt."""
    kept, decided = oracle.all, False
    while not decided and kept:
        before = kept
        kept, decided = bisect(oracle, kept, kept)
        decided |= kept == before
    return kept


VECTORS = []


def vector(name, why, items, configuration, *steps, algorithm="minimize"):
    VECTORS.append((name, why, items, algorithm, configuration, list(steps)))


def published(name, why, items, configuration, outcomes, asks=None, kept=None):
    """Drives a published algorithm to its end; `asks` and `kept` were worked out by hand and must agree."""
    method = configuration["algorithm"]
    oracle = Oracle(
        items,
        outcomes["needed"],
        hidden={int(item): needs for item, needs in outcomes.get("dependencies", {}).items()},
        monotonic=configuration.get("monotonic", False),
    )
    if method == "ddmin":
        answer = ddmin(oracle, oracle.all)
    else:
        answer = recursive(oracle)
    assert asks is None or asks == oracle.asked, (name, oracle.asked)
    assert kept is None or kept == sorted(answer), (name, answer)
    proved = method == "ddmin" or oracle.is_known_to_be_minimal(answer)
    report = found(sorted(answer), len(oracle.asked), "1-minimal" if proved else "fixpoint")
    vector(name, why, items, configuration, drive(outcomes, oracle.asked), report)


def isolated(name, why, items, configuration, outcomes, difference):
    oracle = Oracle(
        items,
        outcomes["needed"],
        hidden={int(item): needs for item, needs in outcomes.get("dependencies", {}).items()},
        given={int(item): needs for item, needs in configuration.get("dependencies", {}).items()},
    )
    assert oracle.test(()) == "fail"
    lacking, holding = dd(oracle, frozenset(), oracle.all)
    assert sorted(holding - lacking) == difference, (name, holding - lacking)
    expected = {
        "status": "found",
        "kept": sorted(holding),
        "lacking": sorted(lacking),
        "difference": difference,
        "guarantee": "1-minimal",
        "runs": len(oracle.asked),
    }
    steps = drive(outcomes, oracle.asked), report(**expected)
    vector(name, why, items, configuration, *steps, algorithm="isolate")


def drive(outcomes, asks):
    return {"op": "drive", "outcomes": outcomes, "asks": asks}


def report(**values):
    return {"op": "report", "is": values}


def found(kept, runs, guarantee):
    return report(status="found", kept=kept, guarantee=guarantee, runs=runs)


def needing(*needed, **hidden):
    return {"needed": list(needed)} | ({"dependencies": hidden["hidden"]} if hidden else {})


def ask(k, *sets):
    return {"op": "ask", "k": k, "changes": list(sets)}


def tell(probe, observation, error=None):
    return {"op": "tell", "id": probe, "observation": observation} | ({"error": error} if error else {})


def observe(changes, observation, error=None):
    step = {"op": "observe", "changes": changes, "observation": observation}
    return step | ({"error": error} if error else {})


def enqueue(changes):
    return {"op": "enqueue", "changes": changes}


def wanted(probe, is_it):
    return {"op": "wanted", "id": probe, "is": is_it}


def undo(answers, error=None):
    return {"op": "undo", "answers": answers} | ({"error": error} if error else {})


def status(is_it):
    return {"op": "status", "is": is_it}


def budget(runs):
    return {"op": "budget", "budget": {"runs": runs}}


def serially(outcomes, *sets):
    """Asks these sets one after another and tells their outcomes, from probe number `first` on."""
    first, sets = (sets[0], sets[1:]) if isinstance(sets[0], int) else (0, sets)
    steps = []
    for place, (changes, outcome) in enumerate(zip(sets, outcomes, strict=True)):
        steps += [ask(1, changes), tell(first + place, {"p": PASS, "f": FAIL, "u": UNRESOLVED}[outcome])]
    return steps


RESTORE = {"op": "restore"}
RECURSIVE = {"algorithm": "recursive"}

# --- The published algorithms

published(
    "figure 3",
    "Artho 2011, Figure 3: eight elements, the sixth of which is needed, steps 1 to 6; the full set is asked "
    "first, which the paper takes for granted",
    8,
    RECURSIVE,
    needing(5),
    asks=["0-7", "", "0-3", "0-5", "0-4", "0-3,5", "5"],
    kept=[5],
)
published("recursive, two items", "Artho 2011, Section 3.1, twice into both halves", 8, RECURSIVE, needing(1, 6))
published(
    "recursive, all items",
    "the worst case, 2n - 1 questions beside the full set: without all, the newer half, each of it, the older "
    "half, each",
    4,
    RECURSIVE,
    needing(0, 1, 2, 3),
    asks=["0-3", "", "0-1", "0-2", "0-1,3", "2-3", "0,2-3", "1-3"],
    kept=[0, 1, 2, 3],
)
published(
    "recursive, an odd number", "halves of 11: the newer one has the larger part", 11, RECURSIVE, needing(3, 4, 9)
)
published(
    "recursive, none needed", "the first question of the paper, without anything, is the last", 6, RECURSIVE, needing()
)
published("recursive, one item", "the full set and the empty one", 1, RECURSIVE, needing(0), asks=["0", ""], kept=[0])
published(
    "recursive, items that need newer ones",
    "0 needs 5 and 2 needs 4: sets without are unresolved, are not taken, and their items are tried again in "
    "another pass",
    6,
    RECURSIVE,
    needing(3, hidden={"0": [5], "2": [4]}),
)
published(
    "recursive, unresolved to a fixpoint",
    "each item needs the next newer one, so that a pass takes away one item in the end only; passes until nothing"
    " changes",
    5,
    RECURSIVE,
    needing(4, hidden={"0": [1], "1": [2], "2": [3]}),
    kept=[4],
)
published(
    "ddmin, the example of its paper",
    "Zeller and Hildebrandt 2002, Section 3: changes 1, 7 and 8 of 8. There parts are tried from the first on, "
    "here from the last: in a mirror, 8, 2 and 1, which are 7, 1 and 0. Quarters, then without the third one; of "
    "the six left without the second third; of the four left each alone and without each",
    8,
    {"algorithm": "ddmin"},
    needing(0, 1, 7),
    asks=[
        *("0-7", "4-7", "0-3", "6-7", "4-5", "2-3", "0-1", "0-5", "0-3,6-7"),
        *("0-1,6-7", "7", "6", "1", "0", "0-1,6", "0-1,7", "0,7", "1,7"),
    ],
    kept=[0, 1, 7],
)
published(
    "ddmin, the same three as they stand",
    "the same algorithm with 1, 7 and 8",
    8,
    {"algorithm": "ddmin"},
    needing(0, 6, 7),
)
published(
    "ddmin, one item", "is even that one needed?", 1, {"algorithm": "ddmin"}, needing(0), asks=["0", ""], kept=[0]
)
published(
    "ddmin, an odd number",
    "parts as even as can be: boundaries at i * length / parts",
    7,
    {"algorithm": "ddmin"},
    needing(1, 5),
)
published(
    "ddmin, one of eight",
    "halves as long as one holds; the last item is tried without",
    8,
    {"algorithm": "ddmin"},
    needing(6),
    asks=["0-7", "4-7", "6-7", "7", "6", ""],
    kept=[6],
)
published(
    "ddmin, sets that cannot be told",
    "unresolved is treated as not interesting (Section 3): 3 needs 1, 5 needs 4",
    6,
    {"algorithm": "ddmin"},
    needing(2, 5, hidden={"3": [1], "5": [4]}),
)
published(
    "ddmin, monotonic",
    "subsets of sets that have not the property are not asked: no single item is, all lie within 2-3 or 0-1",
    4,
    {"algorithm": "ddmin", "monotonic": True},
    needing(0, 3),
    asks=["0-3", "2-3", "0-1", "0-2", "0-1,3", "0,3"],
    kept=[0, 3],
)

# --- dd

isolated(
    "dd, one item",
    "Zeller and Hildebrandt 2002, Section 5: with one item needed both sets draw near to it",
    8,
    {},
    needing(5),
    [5],
)
isolated(
    "dd, two items", "any of the two may make the difference: the other one is in both sets", 8, {}, needing(2, 5), [5]
)
isolated("dd, an odd number", "the same", 9, {}, needing(0, 4, 7), [7])
isolated(
    "dd, sets that cannot be told",
    "2 and 4 need each other, and nobody said so: a difference of two, neither of which can be told alone",
    6,
    {},
    needing(4, hidden={"2": [4], "4": [2]}),
    [2, 4],
)
isolated(
    "dd, dependencies",
    "the same said beforehand of 3, which needs 1: sets that cannot stand are not asked",
    4,
    {"dependencies": {"3": [1]}},
    needing(3),
    [3],
)
vector(
    "dd, the property holds without any item",
    "there is no difference to look for",
    3,
    {},
    *serially("pp", "0-2", ""),
    report(
        status="not_reproduced",
        guarantee="best so far",
        asked=2,
        runs=2,
        message="the property holds without items, so there is no difference to find",
    ),
    algorithm="isolate",
)
vector(
    "dd, nothing is known to lack the property",
    "the empty set cannot be told, which Zeller's algorithm takes for granted",
    3,
    {},
    *serially("pu", "0-2", ""),
    report(status="not_reproduced", guarantee="best so far", runs=2),
    algorithm="isolate",
)
vector(
    "dd, not reproduced",
    "all items together have not the property",
    3,
    {},
    *serially("f", "0-2"),
    report(status="not_reproduced", kept=[0, 1, 2], lacking=[], guarantee="best so far", runs=1),
    algorithm="isolate",
)
vector(
    "dd, half way",
    "the best so far at any moment: 2-3 is enough, 3 alone is not, 2 alone is",
    4,
    {},
    *serially("pfp", "0-3", "", "2-3"),
    report(status="running", kept=[2, 3], lacking=[], difference=[2, 3], guarantee="best so far"),
    *serially("fp", 3, "3", "2"),
    report(status="found", kept=[2], lacking=[], difference=[2], guarantee="1-minimal", runs=5),
    algorithm="isolate",
)

# --- What is said about the items

vector(
    "weights",
    "halves by weight: 3 weighs as much as the others together; of 0, 1 and 2 the two newer ones are the heavier half",
    4,
    RECURSIVE | {"weights": [1, 1, 1, 5]},
    drive(needing(0), ["0-3", "", "0-2", "0"]),
    found([0], 4, "1-minimal"),
)
vector(
    "dependencies",
    "3 needs 2, and is needed: 2 is never tried without; 0-1, then 0-2 show that 3 is needed; 0 and 1 go "
    "together. 2 alone was not tested, so that 1-minimal is not claimed",
    4,
    RECURSIVE | {"dependencies": {"1": [0], "3": [2]}},
    drive(needing(3), ["0-3", "", "0-1", "0-2", "2-3"]),
    found([2, 3], 5, "fixpoint"),
)
vector(
    "dependencies go with what they need",
    "2 is needed, 3 needs it and may go alone; 0 cannot go without 1, which needs it, but both go at once",
    4,
    RECURSIVE | {"dependencies": {"1": [0], "3": [2]}},
    drive(needing(2), ["0-3", "", "0-1", "0-2", "2"]),
    found([2], 5, "1-minimal"),
)
vector(
    "any one of several",
    "2 needs 0 or 1: without 1 it stands on 0; without both it would go, which is known not to do",
    3,
    RECURSIVE | {"dependencies": {"2": [[0, 1]]}},
    drive(needing(2), ["0-2", "", "0", "0-1", "0,2"]),
    found([0, 2], 5, "1-minimal"),
)
vector(
    "a cycle",
    "1 and 2 need each other and are one: three units, halved into 0 and the two newer ones",
    4,
    RECURSIVE | {"dependencies": {"1": [2], "2": [1]}},
    drive(needing(1), ["0-3", "", "0", "0-2", "1-2"]),
    found([1, 2], 5, "1-minimal"),
)
vector(
    "a tree",
    "two groups of two: first the groups, the newer one goes; then the items of the other. The empty set is known"
    " by then",
    4,
    RECURSIVE | {"parents": [4, 4, 5, 5, None, None]},
    drive(needing(1), ["0-3", "", "0-1", "0", "1"]),
    found([1], 5, "1-minimal"),
)
vector(
    "a tree, one level of it",
    "the items of a group are kept or dropped as one",
    4,
    RECURSIVE | {"parents": [4, 4, 5, 5, None, None], "depth": 1},
    drive(needing(1), ["0-3", "", "0-1"]),
    found([0, 1], 3, "1-minimal"),
)
vector(
    "an item as parent",
    "1 and 2 hang under 0, which is needed with 1: as one branch they stay, then 2 goes, and 1 stays; 0 is not "
    "tried, because 1 would go with it",
    3,
    RECURSIVE | {"parents": [None, 0, 0]},
    drive(needing(1), ["0-2", "", "0", "0-1"]),
    found([0, 1], 4, "1-minimal"),
)
vector(
    "1-minimal",
    "the pass is over with 2-3: that neither may go alone is then tested as well, the newer one first",
    4,
    RECURSIVE | {"guarantee": "1-minimal"},
    drive(needing(2, 3), ["0-3", "", "0-1", "0-2", "0-1,3", "2-3", "2", "3"]),
    found([2, 3], 8, "1-minimal"),
)
vector(
    "not asked to be 1-minimal",
    "the same without: whether neither may go alone is not tested",
    4,
    RECURSIVE,
    drive(needing(2, 3), ["0-3", "", "0-1", "0-2", "0-1,3", "2-3"]),
    found([2, 3], 6, "fixpoint"),
)

# --- The project's own algorithms: what comes of them, not how

vector(
    "auto, all that there is to know",
    "every set of three items was observed: nothing is asked, and 0 and 2 are what is needed",
    3,
    {"algorithm": "auto"},
    *(observe(set_, PASS if set_ in ("0,2", "0-2") else FAIL) for set_ in ("", "0", "1", "2", "0-1", "1-2", "0,2")),
    status("running"),
    ask(1, "0-2"),
    tell(0, PASS),
    ask(1),
    found([0, 2], 1, "1-minimal"),
)
vector(
    "auto, one item",
    "the full set and the empty one",
    1,
    {"algorithm": "auto"},
    drive(needing(0), ["0", ""]),
    found([0], 2, "1-minimal"),
)
vector(
    "auto, one item that may go",
    "nothing is left",
    1,
    {"algorithm": "auto"},
    drive(needing(), ["0", ""]),
    found([], 2, "1-minimal"),
)
vector(
    "auto, what an item needs",
    "1 needs 0: it is not asked alone, and all sets that can stand were observed",
    2,
    {"dependencies": {"1": [0]}},
    observe("0", FAIL),
    observe("", FAIL),
    observe("0-1", PASS),
    ask(2),
    found([0, 1], 0, "1-minimal"),
)

# --- Which failure

OURS, THEIRS = FAIL | {"signature": "ours"}, FAIL | {"signature": "theirs"}
vector(
    "another failure",
    "a failure is to be kept, the one that all items show; the empty set fails in another way, which is "
    "unresolved. 1 may go, 0 may not",
    2,
    RECURSIVE | {"keep": "fail"},
    ask(1, "0-1"),
    tell(0, OURS),
    ask(1, ""),
    tell(1, THEIRS),
    ask(1, "0"),
    tell(2, OURS),
    found([0], 3, "1-minimal"),
)
vector(
    "another failure told first",
    "the empty set is answered before all items are: which failure is meant is known only then",
    2,
    RECURSIVE | {"keep": "fail"},
    ask(2, "0-1", ""),
    tell(1, THEIRS),
    tell(0, OURS),
    ask(1, "0"),
    tell(2, PASS),
    ask(1, "1"),
    tell(3, OURS),
    found([1], 4, "1-minimal"),
)
vector(
    "the failure is given",
    "all items fail in another way: there is nothing to reduce",
    2,
    RECURSIVE | {"keep": "fail", "signature": "ours"},
    ask(1, "0-1"),
    tell(0, THEIRS),
    report(
        status="not_reproduced",
        kept=[0, 1],
        guarantee="best so far",
        message="the test is unresolved with all 2 items together, so there is nothing to reduce",
    ),
)

# --- Oracles that err

SURE = {"confidence": 0.95, "flake_rate": 0, "false_pass_rate": 0.1}
vector(
    "confidence",
    "one set in ten has the property by mistake: a pass speaks ten to one. One item counts as 10 judgements to "
    "come (8 and 2 log2(2)), which leave each 0.05 / 10: 1000 to 1 is enough, 100 to 1 is not. No set lacks it by"
    " mistake, so that one failure decides",
    1,
    RECURSIVE | SURE,
    *serially("pppf", "0", "0", "0", ""),
    found([0], 4, "1-minimal"),
)
vector(
    "confidence, refuted",
    "the property does not hold for the item after all",
    1,
    RECURSIVE | SURE,
    *serially("ppf", "0", "0", "0"),
    report(status="not_reproduced", kept=[0], runs=3),
)
vector(
    "confidence, one probe one answer",
    "another probe may be answered otherwise, the same one may not",
    1,
    RECURSIVE | SURE | {"flake_rate": 0.3},
    ask(1, "0"),
    tell(0, FAIL),
    tell(0, FAIL),
    tell(0, PASS, "non_deterministic"),
    ask(1, "0"),
    tell(1, PASS),
    report(status="running", runs=2),
)

# --- The waist

vector(
    "not reproduced",
    "the property does not hold for all items",
    3,
    RECURSIVE,
    *serially("f", "0-2"),
    ask(2),
    report(
        status="not_reproduced",
        kept=[0, 1, 2],
        guarantee="best so far",
        asked=1,
        runs=1,
        message="the property does not hold for all 3 items together, so there is nothing to reduce",
    ),
)
vector(
    "several at a time",
    "should all items hold, the empty set is next; should that not, the older half. Answers come in any order; "
    "until the empty set is told, 1 is tried without in case that it has not the property",
    4,
    RECURSIVE,
    ask(3, "0-3", "", "0-1"),
    wanted(2, True),
    tell(2, PASS),
    report(status="running", guarantee="best so far"),
    tell(0, PASS),
    report(status="running", kept=[0, 1]),
    ask(1, "0"),
    tell(3, FAIL),
    tell(1, FAIL),
    ask(2, "1"),
    tell(4, PASS),
    found([1], 5, "1-minimal"),
)
vector(
    "wanted",
    "nothing is needed, so that what comes after a failure of the empty set has become useless; its answer counts"
    " all the same, and changes nothing",
    4,
    RECURSIVE,
    ask(3, "0-3", "", "0-1"),
    tell(0, PASS),
    wanted(1, True),
    wanted(2, True),
    tell(1, PASS),
    wanted(2, False),
    wanted(1, False),
    tell(2, PASS),
    found([], 3, "1-minimal"),
)
vector(
    "abandoned",
    "the same set under another id; the late answer of the first one counts, and the second may say the same again",
    2,
    RECURSIVE,
    ask(1, "0-1"),
    {"op": "abandon", "id": 0},
    ask(1, "0-1"),
    tell(0, PASS),
    tell(1, PASS),
    ask(1, ""),
    {"op": "abandon", "id": 7, "error": "unknown_probe"},
    report(status="running", kept=[0, 1]),
)
vector(
    "observed",
    "what is known is not asked, and was no query; a set within 2-3 that holds is the best so far",
    4,
    RECURSIVE,
    observe("0-3", PASS),
    observe("", FAIL),
    report(status="running", runs=0),
    ask(1, "0-1"),
    tell(0, FAIL),
    observe("0-2", FAIL),
    ask(1, "0-1,3"),
    tell(1, PASS),
    observe("3", PASS),
    found([3], 2, "1-minimal"),
)
vector(
    "enqueued",
    "a set to be tried first, even before the full one; what is known by then is not asked again",
    4,
    RECURSIVE,
    enqueue("2"),
    ask(2, "2", "0-3"),
    tell(0, PASS),
    tell(1, PASS),
    report(status="running", kept=[2]),
    *serially("ffp", 2, "", "0-1", "0-2"),
    found([2], 5, "1-minimal"),
)
vector(
    "another answer",
    "the first one is kept; taken back, the other one is accepted under the old id",
    2,
    RECURSIVE,
    *serially("pf", "0-1", ""),
    tell(1, PASS, "non_deterministic"),
    observe("", UNRESOLVED, "non_deterministic"),
    observe("", FAIL),
    tell(1, FAIL),
    report(status="running", runs=2),
    undo(1),
    tell(1, PASS),
    found([], 2, "1-minimal"),
)
vector(
    "taken back",
    "an answer that is undone was never told: the set is asked again",
    4,
    RECURSIVE,
    *serially("pfp", "0-3", "", "0-1"),
    report(status="running", kept=[0, 1]),
    undo(2),
    report(status="running", kept=[0, 1, 2, 3], runs=1),
    *serially("ffpp", 3, "", "0-1", "0-2", "2"),
    undo(9, "invalid_argument"),
    found([2], 5, "1-minimal"),
)
vector(
    "restored",
    "configuration and events are the state: what is in flight, what is known, what is next",
    8,
    RECURSIVE | {"monotonic": True},
    *serially("pf", "0-7", ""),
    ask(1, "0-3"),
    RESTORE,
    tell(2, FAIL),
    RESTORE,
    drive(needing(5), ["0-5", "0-4", "0-3,5", "5"]),
    RESTORE,
    found([5], 7, "1-minimal"),
)
vector(
    "dd, restored",
    "the same",
    4,
    {},
    *serially("pf", "0-3", ""),
    ask(1, "2-3"),
    RESTORE,
    tell(2, PASS),
    RESTORE,
    *serially("ff", 3, "3", "2"),
    report(status="found", kept=[2, 3], lacking=[2], difference=[3]),
    algorithm="isolate",
)
vector(
    "budget",
    "two runs: the best so far is there all the same, and more of it goes on",
    4,
    RECURSIVE,
    budget(3),
    *serially("pfp", "0-3", "", "0-1"),
    status("budget"),
    ask(1),
    report(status="budget", kept=[0, 1], guarantee="best so far", runs=3),
    budget(10),
    drive(needing(0), ["0"]),
    found([0], 4, "1-minimal"),
)
vector(
    "stopped",
    "from outside; what is in flight still counts",
    4,
    RECURSIVE,
    *serially("pf", "0-3", ""),
    ask(1, "0-1"),
    {"op": "stop", "reason": "stopped"},
    status("stopped"),
    tell(2, PASS),
    report(status="stopped", kept=[0, 1], guarantee="best so far", message="2 of 4 items are kept so far"),
)


def write():
    def text(value):
        return json.dumps(value)

    entries = []
    for name, why, items, algorithm, configuration, steps in VECTORS:
        lines = ",\n".join(f"        {text(step)}" for step in steps)
        entries.append(
            f'    {{\n      "name": {text(name)},\n      "why": {text(why)},\n      "items": {items},\n'
            f'      "algorithm": {text(algorithm)}, "configuration": {text(configuration)},\n'
            f'      "steps": [\n{lines}\n      ]\n    }}'
        )
    FILE.write_text('{\n  "schema": 1,\n  "vectors": [\n' + ",\n".join(entries) + "\n  ]\n}\n")


if __name__ == "__main__":
    write()
