"""Makes culprit.json without the code that is tested; prints nothing, needs nothing but Python.

    python3 tests/vectors/generate_culprit.py

Scenarios are written down here, with what is told. What must be asked, believed and reported is worked out from the
definitions, hypothesis by hypothesis and in exact fractions: Bayes' rule (FACF, Section 3), NextRuns (Algorithm 2, its
sums taken to n + 1), deflaked bisection, the short verification at the end; and nobody is named before a failure of the
culprit and a pass of each parent was seen. Values under "by_hand" were worked out on paper and must agree. Choices that
only rounding would decide are refused.
"""

import json
import math
from fractions import Fraction
from pathlib import Path

FILE = Path(__file__).with_name("culprit.json")
CLOSE = Fraction(1, 10**9)


def exact(number):
    return Fraction(str(number))


def line(text):
    names = text.split()
    return [[name, names[place - 1 : place] if place else []] for place, name in enumerate(names)]


def graph(text):
    parts = [part.split(":") for part in text.split("|")]
    return [[name.strip(), parents.split()] for name, parents in parts]


def entropy(probabilities):
    return -sum(float(p) * math.log2(p) for p in probabilities if p > 0)


class Model:
    """A culprit search, the slow way."""

    def __init__(self, revisions, configuration):
        self.order = [name for name, _ in revisions]
        self.parents = dict(revisions)
        self.ancestors = {}
        for name, parents in revisions:
            self.ancestors[name] = {name}.union(*(self.ancestors[parent] for parent in parents))
        config = self.config = configuration
        (self.bad,) = config["bad"]
        before = self.ancestors[self.bad]
        self.good = config.get("good") or [name for name in self.order if name in before and not self.parents[name]]
        cleared = set().union(*(self.ancestors[good] for good in self.good))
        self.suspects = [name for name in self.order if name in before - cleared]
        self.flake = max(exact(config["flake_rate"]), exact(config.get("min_flake_rate", 0)))
        self.false_pass = exact(config.get("false_pass_rate", 0))
        nobody = config.get("prior_no_culprit", 0.4)
        nobody = Fraction(1, len(self.suspects) + 1) if nobody == "uniform" else exact(nobody)
        weights = {name: exact(weight) for name, weight in config.get("prior", {}).items()}
        rest = min([weight for weight in weights.values() if weight > 0] + [Fraction(1)])
        weights = {name: weights.get(name, rest) for name in self.suspects}
        total = sum(weights.values())
        self.prior = {name: weight / total * (1 - nobody) for name, weight in weights.items()} | {None: nobody}
        self.confidence = exact(config.get("confidence", 0.99))
        self.probes = []
        self.answers = []
        self.limit = None
        self.stopped = None

    # --- What was seen

    def evidence(self):
        """Runs per revision, and what cannot be tested."""
        sought = self.config.get("signature")
        runs, unresolved, otherwise = {}, set(), {}
        for revision, _, observation in self.answers:
            passes, fails = counts(observation)
            untestable = observation.get("outcome") == "unresolved" and passes + fails == 0
            signature = observation.get("signature")
            if signature is not None and fails:
                sought = sought or signature
                if signature != sought:
                    fails = 0
                    otherwise[revision] = otherwise.get(revision, 0) + 1
            # A revision that fails in another way three times is not asked again.
            if untestable or (passes + fails == 0 and otherwise.get(revision, 0) >= 3):
                unresolved.add(revision)
            before = runs.get(revision, (0, 0))
            runs[revision] = (before[0] + passes, before[1] + fails)
        return runs, unresolved

    def likelihood(self, culprit):
        product = Fraction(1)
        for revision, (passes, fails) in self.evidence()[0].items():
            if revision not in self.suspects and revision not in self.ancestors[self.bad]:
                if self.bad in self.ancestors[revision]:
                    continue  # what comes after may have been repaired
                fails = 0  # a failure on another branch may have a cause of its own
            if culprit in self.ancestors[revision]:
                product *= self.false_pass**passes * (1 - self.false_pass) ** fails
            else:
                product *= (1 - self.flake) ** passes * self.flake**fails
        return product

    def posterior(self):
        joint = {one: prior * self.likelihood(one) for one, prior in self.prior.items()}
        total = sum(joint.values())
        return {one: value / total for one, value in joint.items()} if total else None

    # --- What to ask

    def cumulated(self, shares):
        return {v: sum(shares[c] for c in self.suspects if c in self.ancestors[v]) for v in self.suspects}

    def shares(self):
        """What the thresholds are laid over, adding up to 1."""
        posterior = self.posterior()
        if self.config.get("strategy", "cdf") == "cdf":
            return posterior
        sums = self.cumulated(posterior) | {None: Fraction(1)}
        f = self.flake
        # A pass is worth 1, a failure 1 - f; a run at a suspect passes with 1 - f if the culprit comes after it.
        gain = {one: (1 - f) * (1 - sums[one]) + (1 - f) * (1 - (1 - f) * (1 - sums[one])) for one in posterior}
        weighed = {one: posterior[one] * gain[one] for one in posterior}
        return {one: value / sum(weighed.values()) for one, value in weighed.items()}

    def next_runs(self, want, flying):
        sums = self.cumulated(self.shares())
        likely = self.cumulated(self.posterior())
        posterior = self.posterior()
        count = want + len(flying)
        # Where broken revisions may pass, nothing is ruled out for good: what the confidence overlooks is.
        ruled_out = 1 - self.confidence if self.false_pass else 0
        selected = []
        for i in range(1, count + 1):
            threshold = Fraction(i, count + 1)
            assert all(abs(total - threshold) > CLOSE for total in sums.values()), "rounding would decide"
            # The oldest of those with the least sum that reaches the threshold; before it comes its parent with the
            # highest sum, the newest of equals.
            least = min((total for total in sums.values() if total >= threshold), default=None)
            first = next((v for v in self.suspects if sums[v] == least), None)
            parents = [v for v in self.suspects if first is not None and v in self.parents[first]]
            before = max(reversed(parents), key=sums.get, default=None) if first is not None else self.bad
            # What all parents of a merge hold together counts.
            left = likely[first] - posterior[first] if first is not None else likely[self.bad]
            if before is not None and before not in selected and left > ruled_out:
                selected.append(before)
            else:
                selected.append(first or self.bad)
        # A run in flight stands for its own revision, or else for the one that splits off nearly as much.
        others = [v for v in flying if v not in selected or (selected.remove(v) or False)]
        for place in others:
            apart = [abs(sums[v] - sums[place]) for v in selected]
            if apart:
                tied = {v for v, distance in zip(selected, apart, strict=True) if distance < min(apart) + CLOSE}
                assert len(tied) == 1, ("rounding would decide", place, tied, selected)
                selected.pop(apart.index(min(apart)))
        return selected[:want]

    def information(self, revision):
        """Bits that one more run there tells about the culprit."""
        posterior = self.posterior()
        fails = {
            c: 1 - self.false_pass if c in self.ancestors[revision] else self.flake for c in [*self.suspects, None]
        }
        q = sum(posterior[c] * fails[c] for c in posterior)
        after = 0
        for chance, of in ((q, fails), (1 - q, {c: 1 - p for c, p in fails.items()})):
            if chance:
                after += float(chance) * entropy([posterior[c] * of[c] / chance for c in posterior])
        return entropy(posterior.values()) - after

    def most_information(self):
        costs = self.config.get("costs", {})
        worth = {v: self.information(v) / costs.get(v, 1) for v in self.suspects}
        best = max(worth, key=worth.get)
        assert all(worth[best] - value > 1e-9 for v, value in worth.items() if v != best), "rounding would decide"
        return [best]

    def final(self):
        """Bisection: which hypotheses the final outcomes leave."""
        runs, _ = self.evidence()
        reruns = self.config.get("reruns", 1)
        left = [*self.suspects, None]
        for revision, (passes, _) in runs.items():
            if passes:
                left = [c for c in left if c not in self.ancestors[revision]]
        failing = [v for v in self.suspects if v in runs and runs[v][0] == 0 and runs[v][1] >= reruns]
        # The first failure after the last pass; one before a pass was a flake.
        for revision in failing:
            if any(c in self.ancestors[revision] for c in left):
                return [c for c in left if c in self.ancestors[revision]]
        return left

    def halving(self):
        left = self.final()
        behind = {v: sum(c in self.ancestors[v] for c in left if c is not None) for v in self.suspects}
        unevenness = {v: abs(2 * count - len(left)) for v, count in behind.items()}
        best = min(unevenness, key=unevenness.get)
        assert list(unevenness.values()).count(unevenness[best]) == 1, "two halve alike"
        return [best]

    def ask(self, k):
        flying = [v for v, state in self.probes if state == "flying"]
        if self.status() != "running":
            return []
        if self.limit is not None:
            k = min(k, self.limit - self.runs() - len(flying))
        choose = self.config.get("strategy", "cdf")
        posterior = self.posterior() or {None: 0}
        culprit = max(posterior, key=posterior.get)
        due = self.due()
        if k <= 0:
            chosen = []
        elif due:
            chosen = [v for v in due if v not in flying][:k]
        elif self.config["verify"] and culprit and posterior[culprit] >= self.confidence:
            chosen = self.lacking(culprit)
            for revision in flying:
                if revision in chosen:
                    chosen.remove(revision)
            chosen = chosen[:k]
        elif choose == "bisect":
            assert (k, flying) == (1, []), "say by hand what is asked"
            chosen = self.halving()
        elif choose == "information":
            assert (k, flying) == (1, []), "say by hand what is asked"
            chosen = self.most_information()
        else:
            assert not self.evidence()[1], "say by hand what is asked"
            assert "costs" not in self.config, "say by hand what is asked"
            chosen = self.next_runs(k, flying)
        return self.hand_out(chosen)

    def hand_out(self, chosen):
        self.probes += [[revision, "flying"] for revision in chosen]
        return chosen

    # --- What happens

    def tell(self, id, observation):
        if self.probes[id][1] == "answered":
            return  # the same once more
        self.probes[id][1] = "answered"
        self.answers.append((self.probes[id][0], id, observation))
        spent = self.limit is not None and self.runs() >= self.limit
        if spent and self.status() == "running" and not any(state == "flying" for _, state in self.probes):
            self.stopped = "budget"

    def undo(self, answers):
        for _, id, _ in self.answers[len(self.answers) - answers :]:
            if id is not None:
                self.probes[id][1] = "abandoned"
        del self.answers[len(self.answers) - answers :]
        self.stopped = None

    def runs(self):
        return sum(id is not None for _, id, _ in self.answers)

    # --- What comes of it

    def probable(self):
        """The suspect that is probable enough to be named."""
        if self.config.get("strategy") == "bisect":
            left = self.final()
            return left[0] if len(left) == 1 else None
        posterior = self.posterior() or {}
        return next((one for one in self.suspects if posterior.get(one, 0) >= self.confidence), None)

    def missing(self):
        """What nobody is named without: runs of these revisions with these outcomes."""
        culprit = self.probable()
        if culprit is None:
            return []
        runs, _ = self.evidence()
        fails = [(culprit, "fail")] if not runs.get(culprit, (0, 0))[1] else []
        return fails + [(v, "pass") for v in self.parents[culprit] if not runs.get(v, (0, 0))[0]]

    def due(self):
        """Those of them that can be had."""
        runs, unresolved = self.evidence()

        def given_up(revision, outcome):
            passes, fails = runs.get(revision, (0, 0))
            otherwise, rate = (fails, self.flake) if outcome == "pass" else (passes, self.false_pass)
            if self.config.get("strategy") == "bisect":
                return otherwise >= self.config.get("reruns", 1)
            return otherwise > 0 and 10 * rate**otherwise <= 1 - self.confidence

        return [v for v, outcome in self.missing() if v not in unresolved and not given_up(v, outcome)]

    def ending(self):
        found = self.proposed()
        if found[0] != "culprit" or (self.parents[found[1]] and not self.missing()):
            return found
        return (None, None) if self.due() else ("unproven", None)

    def proposed(self):
        """The ending if nothing had to be seen for it."""
        runs, unresolved = self.evidence()
        for good in self.good:
            passes, fails = runs.get(good, (0, 0))
            if fails and not passes and self.flake**fails <= 1 - self.confidence:
                return "good_end_fails", None
        if self.config.get("strategy") == "bisect":
            left = self.final()
            if len(left) > 1:
                return None, None
            return ("culprit", left[0]) if left[0] else ("flake", None)
        posterior = self.posterior()
        if posterior is None:
            return "contradictory", None
        for one, probability in posterior.items():
            assert abs(probability - self.confidence) > CLOSE, "rounding would decide"
            if probability >= self.confidence:
                if self.config["verify"] and one and self.lacking(one):
                    return None, None
                return ("culprit", one) if one else ("flake", None)
        alike = {}
        for one, probability in posterior.items():
            shows = frozenset(v for v in self.suspects if v not in unresolved and one in self.ancestors[v])
            alike[shows] = alike.get(shows, 0) + probability
        if max(alike.values()) >= self.confidence:
            return "inseparable", None
        return None, None

    def lacking(self, culprit):
        """The runs that a short verification of a culprit needs if they come out as it says."""
        runs, _ = self.evidence()
        f, g = self.flake, self.false_pass
        few = 1 - self.confidence
        # The search chose the culprit for failures that flakes would not explain, and its parent for one pass.
        chosen = max(1, math.ceil(math.log(few) / math.log(f) - 1e-9)) if f else 1
        lacking, added = [], {}
        while True:
            for parent in self.parents[culprit]:
                passes, fails = runs.get(parent, (0, 0))
                sound = [max(passes - 1, 0) + added.get(parent, 0), fails]
                passes, fails = runs.get(culprit, (0, 0))
                broken = [passes, max(fails - chosen, 0) + added.get(culprit, 0)]
                p, q = sound[0] + broken[0], sound[1] + broken[1]
                # Over all rates alike: the integral of r^q (1 - r)^p.
                alike = Fraction(math.factorial(p) * math.factorial(q), math.factorial(p + q + 1))
                apart = (1 - f) ** sound[0] * f ** sound[1] * g ** broken[0] * (1 - g) ** broken[1]
                if alike > few * apart:
                    one = parent if sound[0] <= broken[1] else culprit
                    added[one] = added.get(one, 0) + 1
                    lacking.append(one)
                    break
            else:
                return lacking

    def status(self):
        names = {"culprit": "found", "flake": "not_reproduced", "inseparable": "ambiguous", "unproven": "ambiguous"}
        ending = self.ending()[0]
        return names.get(ending, ending) if ending else self.stopped or "running"

    def report(self):
        ending, culprit = self.ending()
        status = self.status()
        sure = "bisected" if self.config.get("strategy") == "bisect" else "confident"
        report = {
            "status": status,
            "conclusion": ending if ending in ("culprit", "flake") else "inconclusive",
            "reason": {"found": sure, "not_reproduced": sure, "ambiguous": ending}.get(status, status),
            "missing": [{"revision": revision, "outcome": outcome} for revision, outcome in self.missing()],
            "culprit": culprit,
            "asked": self.runs(),
            "runs": self.runs(),
        }
        posterior = self.posterior()
        if posterior is None:
            return report
        of = {"culprit": culprit, "flake": None}
        probability = posterior[of[ending]] if ending in of else max(posterior.values())
        report |= {"probability": probability, "no_culprit": posterior[None]}
        report |= {"flake_rate": self.flake, "false_pass_rate": self.false_pass}
        report |= {
            "verified": bool(self.config["verify"]) and status in ("found", "not_reproduced"),
            "rates_consistent": True,
        }
        if status != "running":
            ranked = sorted(posterior, key=lambda one: (-posterior[one], [*self.suspects, None].index(one)))
            credible, total = [], Fraction(0)
            for one in ranked:
                if total >= self.confidence or posterior[one] == 0:
                    break
                total += posterior[one]
                credible.append({"revision": one, "probability": posterior[one]})
            report["credible_set"] = credible
        return report


def counts(observation):
    if "passes" in observation or "fails" in observation:
        return observation.get("passes", 0), observation.get("fails", 0)
    return {"pass": (1, 0), "fail": (0, 1), "unresolved": (0, 0)}[observation["outcome"]]


PASS, FAIL, UNRESOLVED = ({"outcome": outcome} for outcome in ("pass", "fail", "unresolved"))
VECTORS = []


def vector(name, why, revisions, configuration, *steps):
    """Plays the steps on a model and keeps what must come of each."""
    model = Model(revisions, configuration)
    made = []
    for operation, *given in steps:
        step = {"op": operation}
        if operation == "ask":
            step["k"] = given[0]
            step["revisions"] = model.hand_out(given[1]) if len(given) > 1 else model.ask(given[0])
        elif operation == "tell":
            step |= {"id": given[0], "observation": given[1]}
            if len(given) > 2:
                step["error"] = given[2]
            else:
                model.tell(*given)
        elif operation == "observe":
            step |= {"revision": given[0], "observation": given[1]}
            model.answers.append((given[0], None, given[1]))
        elif operation == "abandon":
            step["id"] = given[0]
            model.probes[given[0]][1] = "abandoned"
        elif operation == "undo":
            step["answers"] = given[0]
            model.undo(given[0])
        elif operation == "wanted":
            step |= {"id": given[0], "is": given[1]}
        elif operation == "budget":
            step["budget"] = {"runs": given[0]}
            model.limit = given[0]
            if model.stopped == "budget" and model.runs() < model.limit:
                model.stopped = None
        elif operation == "stop":
            step["reason"] = "stopped"
            model.stopped = "stopped"
        elif operation == "posterior":
            posterior = model.posterior()
            for revision, by_hand in (given[0] if given else {}).items():
                assert posterior[revision] == by_hand, (name, revision, posterior[revision], by_hand)
            step["is"] = {revision: float(posterior[revision]) for revision in model.suspects}
            step["no_culprit"] = float(posterior[None])
        elif operation == "status":
            step["is"] = model.status()
            assert step["is"] == given[0], (name, step["is"])
        elif operation == "report":
            report = model.report()
            for key, by_hand in (given[0] if given else {}).items():
                assert report[key] == by_hand, (name, key, report[key], by_hand)
            step["is"] = report
        elif operation == "drive":
            k, outcomes = given
            asks = []
            while model.status() == "running":
                asked = model.ask(k)
                for place, revision in enumerate(asked, len(model.probes) - len(asked)):
                    asks.append(revision)
                    model.tell(place, {"outcome": answer(outcomes, revision)})
            step |= {"k": k, "outcomes": outcomes, "asks": asks}
        made.append(step)
    VECTORS.append((name, why, revisions, configuration, made))


def answer(outcomes, revision):
    lists = [outcome for outcome in ("pass", "fail", "unresolved") if revision in outcomes.get(outcome, [])]
    return (lists or [outcomes["default"]])[0]


def write():
    def text(value):
        return json.dumps(value, default=float)

    entries = []
    for name, why, revisions, configuration, steps in VECTORS:
        lines = ",\n".join(f"        {text(step)}" for step in steps)
        entries.append(
            f'    {{\n      "name": {text(name)},\n      "why": {text(why)},\n'
            f'      "graph": {{"revisions": {text(revisions)}}},\n'
            f'      "algorithm": "culprit", "configuration": {text(configuration)},\n'
            f'      "steps": [\n{lines}\n      ]\n    }}'
        )
    FILE.write_text('{\n  "schema": 1,\n  "vectors": [\n' + ",\n".join(entries) + "\n  ]\n}\n")


def config(flake_rate, bad="e", **more):
    return {"bad": [bad], "flake_rate": flake_rate, "verify": False} | more


# Five suspects a to e; with "no culprit" 0.4 each has 0.12 beforehand.
FIVE = line("good a b c d e")
DIAMOND = graph("r: | a: r | b: a | c: a | m: b c | t: m")
# Weights whose sums meet no threshold exactly.
ODD = {"a": 1.1, "b": 0.9, "c": 1.3, "d": 0.83, "e": 0.71}
half = Fraction(1, 2)

# --- The belief

vector(
    "a pass on a list",
    "three suspects and no culprit, 1/4 each; a pass at b rules out a and b, the other two keep their ratio",
    line("good a b c"),
    config(0.1, "c", prior_no_culprit=0.25),
    ("posterior", {"a": Fraction(1, 4), None: Fraction(1, 4)}),
    ("observe", "b", PASS),
    ("posterior", {"a": 0, "b": 0, "c": half, None: half}),
    ("report", {"status": "running", "no_culprit": half}),
)
vector(
    "a failure on a list",
    "1/4 each; a failure at b multiplies c and no culprit by f = 1/10: 10, 10, 1 and 1 of 22",
    line("good a b c"),
    config(0.1, "c", prior_no_culprit="uniform"),
    ("observe", "b", FAIL),
    ("posterior", {"a": Fraction(10, 22), "b": Fraction(10, 22), "c": Fraction(1, 22), None: Fraction(1, 22)}),
    ("report", {"asked": 0, "runs": 0}),
)
vector(
    "false passes",
    "f = 1/10, g = 2/10: a pass at b leaves a and b with 2/10 and the others with 9/10: 2, 2, 9 and 9 of 22",
    line("good a b c"),
    config(0.1, "c", prior_no_culprit=0.25, false_pass_rate=0.2),
    ("observe", "b", PASS),
    ("posterior", {"a": Fraction(1, 11), "c": Fraction(9, 22), None: Fraction(9, 22)}),
    ("observe", "c", FAIL),
    # 2, 2, 9, 9 times 8, 8, 8, 1
    ("posterior", {"a": Fraction(16, 113), "c": Fraction(72, 113), None: Fraction(9, 113)}),
    ("report",),
)
vector(
    "the normaliser includes no culprit",
    "the paper's sums stop at n; a pass at the only suspect would then divide by 0, and it is a flake for certain",
    line("good a"),
    config(0.1, "a"),
    ("observe", "a", PASS),
    ("posterior", {"a": 0, None: 1}),
    ("report", {"conclusion": "flake", "probability": 1}),
)
vector(
    "a diamond",
    "0.12 each; a failure at b speaks for a and b (b's ancestors) against c, m, t and nobody by 10 to 1; a pass at c "
    "rules out a and c and multiplies b, m, t and nobody by 9/10: 1.2, 0.12, 0.12 and 0.4 of 1.84",
    DIAMOND,
    config(0.1, "t"),
    ("observe", "b", FAIL),
    ("observe", "c", PASS),
    (
        "posterior",
        {
            "a": 0,
            "b": Fraction(120, 184),
            "c": 0,
            "m": Fraction(12, 184),
            "t": Fraction(12, 184),
            None: Fraction(40, 184),
        },
    ),
    ("report",),
)
vector(
    "other branches",
    "a pass at s, beside t, clears a; a failure at u may have a cause of its own, and what comes after t may have been "
    "repaired: neither says anything",
    graph("r: | a: r | b: a | t: b | s: a | u: a | v: t"),
    config(0.1, "t"),
    ("observe", "u", FAIL),
    ("observe", "v", PASS),
    ("posterior", {"a": Fraction(1, 5), "b": Fraction(1, 5), "t": Fraction(1, 5)}),
    ("observe", "s", PASS),
    ("posterior", {"a": 0, "b": Fraction(1, 4), None: half}),
    ("report",),
)
vector(
    "weights",
    "named weights 3 and 0.5; those not named weigh as much as the lightest one named: 3, 0.5, 0.5 of 4, times 0.6",
    line("good a b c"),
    config(0.1, "c", prior={"a": 3, "b": 0.5}),
    ("posterior", {"a": Fraction(9, 20), "b": Fraction(3, 40), "c": Fraction(3, 40), None: Fraction(2, 5)}),
    ("report", {"no_culprit": Fraction(2, 5)}),
)
vector(
    "weights of 0 and of nobody beside the suspects",
    "b is no suspect by its weight, x none at all; a and c share what no culprit leaves",
    graph("good: | a: good | b: a | c: b | x: good"),
    config(0.1, "c", prior={"b": 0, "x": 7}, prior_no_culprit=0),
    ("posterior", {"a": half, "b": 0, "c": half, None: 0}),
    ("report",),
)
vector(
    "counts",
    "nine passes and one failure at once count as ten runs; both outcomes at a revision rule it out with what is "
    "before it",
    FIVE,
    config(0.1),
    ("observe", "b", {"passes": 9, "fails": 1}),
    ("posterior", {"a": 0, "b": 0, "c": Fraction(12, 76), None: Fraction(40, 76)}),
    ("report", {"asked": 0, "runs": 0}),
)
vector(
    "a floor",
    "a test that is said never to flake is believed to flake at the floor, as in the paper's FACF(fr=.1)",
    line("good a b c"),
    config(0, "c", prior_no_culprit=0.25, min_flake_rate=0.1),
    ("observe", "b", FAIL),
    ("posterior", {"a": Fraction(10, 22), None: Fraction(1, 22)}),
    ("report",),
)

# --- NextRuns

vector(
    "the first run",
    "0.12 each: 1/2 is reached at e (0.60); d before it is not selected and has 0.48, so d is taken (lines 10 and 11)",
    FIVE,
    config(0.1),
    ("ask", 1),
    ("report",),
)
vector(
    "four at once",
    "0.2, 0.4, 0.6 and 0.8 over 0.13, 0.26, 0.39, 0.52, 0.65 and 1: b, so a; d, so c; e, so d; no culprit, so e",
    FIVE,
    config(0.1, prior_no_culprit=0.35),
    ("ask", 4),
    ("report",),
)
vector(
    "thresholds on one suspect",
    "nearly all is on c: the first threshold takes b before it, the second c, and the third c again",
    FIVE,
    config(0.1, prior={"c": 1000}, prior_no_culprit=0.01),
    ("ask", 3, ["b", "c", "c"]),
    ("report",),
)
vector(
    "a flake is proved at the bad end",
    "with 0.9 on no culprit all three thresholds fall there, and rerun e",
    FIVE,
    config(0.3, prior_no_culprit=0.9),
    ("ask", 3),
    ("tell", 2, FAIL),
    ("tell", 0, FAIL),
    ("posterior",),
    ("ask", 2),
    ("report",),
)
vector(
    "a revision that is ruled out is not taken before the likeliest",
    "after a pass at b its cumulated probability is 0: c itself is run, not b again",
    FIVE,
    config(0.1, prior={"c": 20}),
    ("observe", "b", PASS),
    ("ask", 1),
    ("report",),
)
vector(
    "expected gain",
    "the same thresholds over p (1 + f T), T being the mass after a suspect: early suspects weigh more than no culprit",
    FIVE,
    config(0.5, strategy="expected-gain", prior_no_culprit=0.37),
    ("ask", 1),
    ("tell", 0, FAIL),
    ("ask", 3),
    ("report",),
)
vector(
    "expected gain and cdf differ",
    "with nobody 0.41, half the probability is reached at g (0.516) and half the gain at f: e before it is run, not f",
    line("good a b c d e f g h"),
    config(0.5, "h", strategy="expected-gain", prior_no_culprit=0.41),
    ("ask", 1, ["e"]),
    ("report",),
)
vector(
    "next runs on a diamond",
    "sums over ancestors: a 0.13, b and c 0.26, m 0.52, t 0.65; 1/2 is reached at m, and before it comes the newest of "
    "b and c",
    DIAMOND,
    config(0.1, "t", prior_no_culprit=0.35),
    ("ask", 1, ["c"]),
    ("tell", 0, PASS),
    ("posterior",),
    ("ask", 2),
    ("report",),
)
vector(
    "several roots",
    "good clears r and a only; the other root s is a suspect, and m joins both sides",
    graph("r: | a: r | s: | b: a | s1: s | m: b s1 | t: m"),
    config(0.1, "t", good=["a"], prior_no_culprit=0.33),
    ("posterior", {"s": Fraction(67, 500), None: Fraction(33, 100)}),
    ("ask", 3),
    ("report",),
)

# --- Runs in flight

vector(
    "four and four",
    "the second four are those of eight thresholds that the first four do not cover",
    line("good a b c d e f g h i j k l"),
    config(0.1, "l", prior={"b": 1.3, "c": 0.7, "e": 1.9, "h": 2.1, "k": 0.6}, prior_no_culprit=0.37),
    ("ask", 4),
    ("ask", 4),
    ("report",),
)
vector(
    "one after the other in flight",
    "the run in flight is counted in: thresholds 1/3 and 2/3, the one nearest to it is left out",
    line("good a b c d e f g h i"),
    config(0.1, "i", prior={"a": 1, "c": 2.5, "f": 1.7}, prior_no_culprit=0.35),
    ("ask", 1),
    ("ask", 1),
    ("ask", 1),
    ("tell", 1, FAIL),
    ("ask", 1),
    ("report",),
)
vector(
    "answers in any order, and late ones",
    "the answer to an abandoned probe still counts, and a belief does not know in which order it was told",
    FIVE,
    config(0.1, prior_no_culprit=0.35),
    ("ask", 3),
    ("abandon", 1),
    ("tell", 2, FAIL),
    ("tell", 0, PASS),
    ("posterior",),
    ("tell", 1, PASS),
    ("tell", 1, PASS),
    ("tell", 1, FAIL, "contradiction"),
    ("tell", 9, FAIL, "unknown_probe"),
    ("posterior",),
    ("report", {"asked": 3, "runs": 3}),
)
vector(
    "wanted",
    "after a pass at d a run at b tells nothing more; one at e does",
    FIVE,
    config(0.1, prior_no_culprit=0.35),
    ("ask", 4),
    ("tell", 2, PASS),
    ("wanted", 0, False),
    ("wanted", 1, False),
    ("wanted", 3, True),
    ("report",),
)

# --- Endings

vector(
    "a culprit without flakes",
    "f = 0: plain bisection with the prior on no culprit",
    FIVE,
    config(0, prior=ODD, prior_no_culprit=0.35),
    ("drive", 1, {"default": "pass", "fail": ["c", "d", "e"]}),
    ("report", {"conclusion": "culprit", "culprit": "c", "probability": 1}),
)
vector(
    "a culprit with a flaky test",
    "f = 0.1: the answers are as they should be, and failures are repeated until 0.99 is reached",
    FIVE,
    config(0.1, prior=ODD, prior_no_culprit=0.35),
    ("drive", 1, {"default": "pass", "fail": ["b", "c", "d", "e"]}),
    ("report", {"conclusion": "culprit", "culprit": "b"}),
)
vector(
    "a flake",
    "a pass at the bad end rules out everybody",
    FIVE,
    config(0.2, prior=ODD, prior_no_culprit=0.35),
    ("drive", 1, {"default": "pass"}),
    ("report", {"conclusion": "flake", "probability": 1, "culprit": None}),
)
vector(
    "a flake where broken revisions may pass",
    "no pass proves it, many do; the bad end is rerun",
    line("good a"),
    config(0.1, "a", false_pass_rate=0.2),
    ("observe", "a", {"passes": 4}),
    ("report", {"conclusion": "flake"}),
)
vector(
    "a culprit where broken revisions may pass",
    "a passes several times: once it has less than 0.01 left it counts as ruled out, and b is run itself",
    line("good a b c"),
    config(0.1, "c", false_pass_rate=0.2, prior={"a": 1.1, "b": 0.9, "c": 1.3}),
    ("drive", 1, {"default": "pass", "fail": ["b", "c"]}),
    ("report", {"culprit": "b"}),
)
vector(
    "a diamond to its end",
    "c broke it: b passes, c fails; two at a time",
    DIAMOND,
    config(0.1, "t", prior={"a": 1.1, "b": 0.9, "c": 1.3, "m": 0.83, "t": 0.71}, prior_no_culprit=0.35),
    ("drive", 2, {"default": "pass", "fail": ["c", "m", "t"]}),
    ("report", {"culprit": "c"}),
)
vector(
    "the first suspect is named after a pass of the good end",
    "a fails, and so does all after it: good was only said to pass, and is run before a is named",
    FIVE,
    config(0.1, prior=ODD, prior_no_culprit=0.35),
    ("drive", 1, {"default": "fail", "pass": ["good"]}),
    ("report", {"conclusion": "culprit", "culprit": "a", "missing": []}),
)
vector(
    "a suspect that the prior alone names",
    "c has 0.99 and more before any run: it is to fail, and b to pass, first",
    FIVE,
    config(0.1, prior={"c": 1000}, prior_no_culprit=0),
    ("report", {"status": "running", "culprit": None}),
    ("ask", 2),
    ("ask", 1),
    ("tell", 0, FAIL),
    ("report", {"missing": [{"revision": "b", "outcome": "pass"}]}),
    ("tell", 1, PASS),
    ("report", {"culprit": "c"}),
)
vector(
    "a suspect that the prior alone names does not do it",
    "c passes, and is out of the question",
    FIVE,
    config(0.1, prior={"c": 1000}, prior_no_culprit=0),
    ("ask", 1),
    ("tell", 0, PASS),
    ("posterior", {"c": 0, "d": half, "e": half}),
    ("status", "running"),
    ("report",),
)
vector(
    "a culprit whose parent cannot be tested",
    "what comes after b on the other branch passes, so that b is no suspect; but nobody saw b pass, and nobody will",
    graph("r: | a: r | b: r | s: b | m: a b | t: m s"),
    config(0, "t"),
    ("observe", "s", PASS),
    ("observe", "a", PASS),
    ("observe", "m", FAIL),
    ("observe", "b", UNRESOLVED),
    ("posterior", {"a": 0, "b": 0, "m": 1}),
    ("ask", 1),
    ("report", {"status": "ambiguous", "conclusion": "inconclusive", "reason": "unproven", "culprit": None}),
    ("observe", "b", PASS),
    ("report", {"culprit": "m", "missing": []}),
)
vector(
    "a culprit whose parent never passes",
    "b is no suspect, because s comes from it and passes; it fails three times (0.0007 at f = 0.09, a tenth of what the "
    "confidence overlooks), and is given up",
    graph("r: | a: r | b: r | s: b | m: a b | t: m s"),
    config(0.09, "t"),
    ("observe", "s", PASS),
    ("observe", "a", PASS),
    ("observe", "m", {"fails": 5}),
    ("ask", 1, ["b"]),
    ("tell", 0, FAIL),
    ("observe", "m", {"fails": 5}),
    ("ask", 1, ["b"]),
    ("tell", 1, FAIL),
    ("ask", 1, ["b"]),
    ("tell", 2, FAIL),
    ("report", {"reason": "unproven", "missing": [{"revision": "b", "outcome": "pass"}]}),
)
vector(
    "a root is not named",
    "nothing passes before s: that it broke t was not seen",
    graph("r: | a: r | s: | b: a | s1: s | m: b s1 | t: m"),
    config(0, "t", good=["a"], prior_no_culprit=0.33),
    ("observe", "s", FAIL),
    ("observe", "b", PASS),
    ("report", {"status": "ambiguous", "reason": "unproven", "missing": []}),
)
vector(
    "a merge where broken revisions may pass",
    "each parent has less than 0.01 left, both together more: b is run until both have, and then m is named",
    graph("r: | a: r | b: r | m: a b | t: m"),
    config(0.05, "t", false_pass_rate=0.02, prior={"a": 1.1, "b": 0.9, "m": 1.3}),
    ("drive", 1, {"default": "pass", "fail": ["m", "t"]}),
    ("report", {"conclusion": "culprit", "culprit": "m"}),
)
vector(
    "inseparable",
    "c and d cannot be tested: b passes and e fails three times, so it is c, d or e, and no test tells which",
    FIVE,
    config(0.1),
    ("observe", "c", UNRESOLVED),
    ("observe", "d", UNRESOLVED),
    ("observe", "b", PASS),
    ("observe", "e", {"fails": 3}),
    ("posterior",),
    ("report", {"status": "ambiguous", "conclusion": "inconclusive", "culprit": None, "runs": 0}),
)
vector(
    "unresolved is no evidence",
    "the belief stays as it was, and the revision is not asked again: a alone is left to be asked beside b",
    line("good a b"),
    config(0.1, "b", prior_no_culprit=0.35),
    ("ask", 1),
    ("tell", 0, UNRESOLVED),
    ("posterior", {"a": Fraction(13, 40), "b": Fraction(13, 40)}),
    ("ask", 1, ["b"]),
    ("report", {"asked": 1, "runs": 1}),
)
vector(
    "all that could tell cannot be tested",
    "the bad end itself is unresolved, and it is the only suspect: it or nobody",
    line("good a"),
    config(0.1, "a"),
    ("ask", 1, ["a"]),
    ("tell", 0, UNRESOLVED),
    ("report", {"status": "ambiguous", "reason": "inseparable", "probability": Fraction(3, 5)}),
)
vector(
    "another failure",
    "the first signature seen is the one searched for; another one is no failure of ours, and after three of them the "
    "revision is not asked again",
    line("good a b"),
    config(0.1, "b"),
    ("observe", "b", {"outcome": "fail", "signature": "ours"}),
    ("posterior",),
    ("observe", "a", {"outcome": "fail", "signature": "theirs"}),
    ("posterior",),
    ("observe", "a", {"outcome": "fail", "signature": "theirs"}),
    ("observe", "a", {"outcome": "fail", "signature": "theirs"}),
    ("observe", "b", {"fails": 3, "signature": "ours"}),
    ("report", {"status": "ambiguous", "runs": 0}),
)
vector(
    "the failure searched for is given",
    "so the first one seen may be another",
    line("good a b"),
    config(0.1, "b", signature="ours"),
    ("observe", "b", {"outcome": "fail", "signature": "theirs"}),
    ("posterior", {"a": Fraction(3, 10), "b": Fraction(3, 10)}),
    ("observe", "b", {"outcome": "fail", "signature": "ours"}),
    ("observe", "b", FAIL),
    ("posterior", {None: Fraction(4, 604)}),
    ("report",),
)
vector(
    "contradictory at rate 0",
    "a test that never flakes cannot both fail and pass at a",
    FIVE,
    config(0),
    ("observe", "a", FAIL),
    ("observe", "a", PASS),
    ("status", "contradictory"),
    ("ask", 2),
    ("report", {"conclusion": "inconclusive", "reason": "contradictory"}),
)
vector(
    "taken back",
    "an undone answer was never told; the probe may be answered again",
    FIVE,
    config(0),
    ("ask", 1),
    ("tell", 0, FAIL),
    ("observe", "d", PASS),
    ("status", "contradictory"),
    ("undo", 1),
    ("posterior", {"a": Fraction(1, 4), "d": Fraction(1, 4), "e": 0}),
    ("undo", 1),
    ("posterior", {"a": Fraction(12, 100)}),
    ("tell", 0, PASS),
    ("posterior", {"e": Fraction(12, 52)}),
    ("report", {"runs": 1}),
)
vector(
    "the good end fails",
    "three failures in a row at f = 0.1 are no flakes any more (0.001 is below 1 - 0.99)",
    FIVE,
    config(0.1),
    ("observe", "good", FAIL),
    ("status", "running"),
    ("observe", "good", {"fails": 2}),
    ("status", "good_end_fails"),
    ("ask", 1),
    ("report", {"reason": "good_end_fails", "culprit": None}),
)
vector(
    "budget",
    "two runs are allowed: the posterior and a credible set are there all the same, and more budget goes on",
    FIVE,
    config(0.3, prior_no_culprit=0.35),
    ("budget", 2),
    ("ask", 4),
    ("ask", 1),
    ("tell", 0, FAIL),
    ("status", "running"),
    ("tell", 1, FAIL),
    ("status", "budget"),
    ("report", {"conclusion": "inconclusive", "reason": "budget"}),
    ("budget", 3),
    ("ask", 4),
    ("report", {"status": "running"}),
)
vector(
    "stopped",
    "from outside; what is in flight still counts",
    FIVE,
    config(0.3, prior_no_culprit=0.35),
    ("ask", 1),
    ("stop",),
    ("status", "stopped"),
    ("tell", 0, FAIL),
    ("posterior",),
    ("report", {"conclusion": "inconclusive", "reason": "stopped"}),
)
vector(
    "restored",
    "configuration and events are the state: belief, probes in flight and what is asked next",
    DIAMOND,
    config(0.1, "t", prior={"m": 2}, prior_no_culprit=0.31),
    ("ask", 3),
    ("tell", 1, FAIL),
    ("restore",),
    ("posterior",),
    ("tell", 0, PASS),
    ("ask", 1),
    ("restore",),
    ("report",),
)

# --- Other choices

vector(
    "information",
    "the run whose outcome tells most, worked out for each suspect; no single run can end the search",
    line("good a b c d e f g"),
    config(0.1, "g", strategy="information", false_pass_rate=0.15, confidence=0.9999),
    ("ask", 1),
    ("tell", 0, FAIL),
    ("ask", 1),
    ("tell", 1, PASS),
    ("ask", 1),
    ("report",),
)
vector(
    "information on a graph, with weights",
    "the same over ancestors",
    graph("r: | a: r | b: a | x: a | y: x | c: b | m: c y | t: m"),
    config(
        0.1,
        "t",
        strategy="information",
        false_pass_rate=0.15,
        confidence=0.9999,
        prior={"a": 1, "b": 2, "x": 3, "y": 1.5, "c": 1, "m": 0.5, "t": 2.5},
    ),
    ("ask", 1),
    ("tell", 0, FAIL),
    ("ask", 1),
    ("report",),
)
vector(
    "costs",
    "d and e cost ten times as much, c a little less: the choice is by bits per cost",
    line("good a b c d e f g"),
    config(
        0.1, "g", strategy="information", false_pass_rate=0.15, confidence=0.9999, costs={"d": 10, "e": 10, "c": 0.9}
    ),
    ("ask", 1),
    ("tell", 0, FAIL),
    ("ask", 1),
    ("report",),
)
vector(
    "deflaked bisection",
    "k = 3: a revision passes with its first pass and fails with its third failure; then the first failure after the "
    "last pass is sought",
    line("good a b c d e f g"),
    config(0.1, "g", strategy="bisect", reruns=3),
    ("drive", 1, {"default": "pass", "fail": ["b", "c", "d", "e", "f", "g"]}),
    ("report", {"conclusion": "culprit", "culprit": "b", "runs": 7}),
)
vector(
    "deflaked bisection finds a flake",
    "d fails twice and passes then; f and g pass: no failure is left",
    line("good a b c d e f g"),
    config(0.1, "g", strategy="bisect", reruns=3),
    ("ask", 1),
    ("tell", 0, FAIL),
    ("ask", 1),
    ("tell", 1, FAIL),
    ("ask", 1),
    ("tell", 2, PASS),
    ("drive", 1, {"default": "pass"}),
    ("report", {"conclusion": "flake"}),
)
vector(
    "plain bisection",
    "k = 1 believes each failure",
    line("good a b c d e f g"),
    config(0, "g", strategy="bisect"),
    ("drive", 1, {"default": "pass", "fail": ["f", "g"]}),
    ("report", {"culprit": "f"}),
)

# --- The short verification

vector(
    "a culprit is verified",
    "f = 0: c fails and b passes once each; 3! 3! / 7! = 1/140 is less than 0.01, so each is run three times more, "
    "in turns",
    FIVE,
    config(0, prior=ODD, prior_no_culprit=0.35, verify=True),
    ("drive", 1, {"default": "pass", "fail": ["c", "d", "e"]}),
    ("report", {"conclusion": "culprit", "culprit": "c", "verified": True}),
)
vector(
    "a verification all at once",
    "the runs in flight are counted in",
    line("good a b"),
    config(0, "b", verify=True),
    ("observe", "a", PASS),
    ("observe", "b", FAIL),
    ("ask", 4, ["a", "b", "a", "b"]),
    ("ask", 4, ["a", "b"]),
    ("tell", 0, PASS),
    ("tell", 1, FAIL),
    ("tell", 2, PASS),
    ("tell", 3, FAIL),
    ("tell", 4, PASS),
    ("status", "running"),
    ("tell", 5, FAIL),
    ("report", {"status": "found", "culprit": "b", "verified": True}),
)
vector(
    "runs that were seen before count",
    "ten failures of b and ten passes of a are enough",
    line("good a b"),
    config(0.1, "b", verify=True),
    ("observe", "a", {"passes": 10}),
    ("observe", "b", {"fails": 10}),
    ("report", {"status": "found", "culprit": "b", "verified": True, "runs": 0}),
)
vector(
    "each parent of a merge is verified",
    "m broke it: b and c pass",
    DIAMOND,
    config(0.1, "t", prior={"a": 1.1, "b": 0.9, "c": 1.3, "m": 0.83, "t": 0.71}, prior_no_culprit=0.35, verify=True),
    ("drive", 1, {"default": "pass", "fail": ["m", "t"]}),
    ("report", {"culprit": "m", "verified": True}),
)
vector(
    "a verification that fails takes the search up again",
    "b passes where it should fail, and is cleared: c is left, and a flake",
    line("good a b c"),
    config(0.4, "c", verify=True),
    ("observe", "a", PASS),
    ("observe", "b", {"fails": 7}),
    ("ask", 1, ["a"]),
    ("tell", 0, PASS),
    ("status", "running"),
    ("observe", "b", PASS),
    ("status", "running"),
    ("posterior", {"a": 0, "b": 0, "c": Fraction(1, 3), None: Fraction(2, 3)}),
    ("report",),
)

if __name__ == "__main__":
    write()
