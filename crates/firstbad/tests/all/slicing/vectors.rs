//! The steps and reports of some slices, which every language replays.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use firstbad::reduction::Need;
use firstbad::slicing::{Charge, Scheme, SliceMethod, Timeline, Uses, VersionGraph};
use firstbad::{ChangeSet, Observation, Outcome, Probe, Search, Slicer, SlicerConfig, Target};
use serde_json::{Map, Value, json};

use super::paper;

struct Situation {
    name: String,
    why: &'static str,
    items: usize,
    k: usize,
    config: SlicerConfig,
    says: fn(&Probe) -> Observation,
    /// An observation that is rejected before the first one is told.
    refused: Option<Value>,
    /// The changes that are reverted in the next set, after the outcomes of the full and the empty set.
    reverted: Option<&'static [usize]>,
}

fn says_example(probe: &Probe) -> Observation {
    probe.changes().map_or_else(|| Outcome::Unresolved.into(), paper::seen)
}

fn together(probe: &Probe) -> Observation {
    let has = |change| probe.changes().is_some_and(|changes| changes.contains(change));
    if has(1) && has(3) { Outcome::Fail.into() } else { Outcome::Pass.into() }
}

/// The dependencies of the paper's Figure 10: B.g is updated, A.g is inserted in the superclass, A.f starts to use it, and
/// B.g is deleted. B.h uses g in every version.
fn moved() -> BTreeMap<usize, Vec<Need>> {
    let uses = |all: &[&[usize]]| Some(all.iter().map(|one| one.to_vec()).collect::<Uses>());
    let line = |base, changes: &[(usize, Option<Uses>)]| Timeline { base, changes: changes.to_vec(), in_order: true };
    let (a_f, a_g, b_h, b_g) = (
        line(uses(&[]), &[(2, uses(&[&[1]]))]),
        line(None, &[(1, uses(&[]))]),
        line(uses(&[&[1, 3]]), &[]),
        line(uses(&[]), &[(0, uses(&[])), (3, None)]),
    );
    VersionGraph::new(vec![a_f, a_g, b_h, b_g], 4).unwrap().needs().unwrap()
}

/// A test of B.h, which must call the method of the superclass. Ill-formed programs do not compile.
fn says_moved(probe: &Probe) -> Observation {
    let has = |change| probe.changes().is_some_and(|changes| changes.contains(change));
    match (has(1), has(2), has(3)) {
        (false, true, _) | (false, _, true) => Outcome::Unresolved.into(),
        (true, _, true) => Outcome::Pass.into(),
        _ => Outcome::Fail.into(),
    }
}

/// The charges of the facts in the paper's first example, as a table.
fn charges() -> Vec<Charge> {
    let all: [(&str, &str, &[usize]); 6] = [
        ("B.x", "this", &[0]),
        ("B.y", "this", &[1]),
        ("B.s", "this", &[2]),
        ("B.g", "return", &[3]),
        ("B.h", "return", &[4]),
        ("B.m", "return", &[5]),
    ];
    let charge = |(name, variable, changes): (&str, &str, &[usize])| Charge {
        file: "Foo.java".into(),
        name: name.into(),
        variable: variable.into(),
        changes: changes.to_vec(),
    };
    all.into_iter().map(charge).collect()
}

/// The same facts without their changes.
fn says_without_changes(probe: &Probe) -> Observation {
    let mut seen = says_example(probe);
    let facts = seen.signals.as_mut().and_then(|signals| signals.get_mut("facts")).and_then(Value::as_array_mut);
    facts.into_iter().flatten().filter_map(Value::as_object_mut).for_each(|fact| {
        fact.remove("changes");
    });
    seen
}

/// Either of two definitions of a name is sufficient for its users.
fn says_sufficient(probe: &Probe) -> Observation {
    let has = |change| probe.changes().is_some_and(|changes| changes.contains(change));
    match (has(0) || has(1), has(3)) {
        (false, true) => Outcome::Unresolved.into(),
        (_, true) => Outcome::Pass.into(),
        _ => Outcome::Fail.into(),
    }
}

fn one(name: &str, why: &'static str, config: SlicerConfig, says: fn(&Probe) -> Observation) -> Situation {
    Situation { name: name.into(), why, items: 5, k: 1, config, says, refused: None, reverted: None }
}

/// Situations with dependencies from definitions.
fn by_definitions() -> [Situation; 3] {
    let usual = SlicerConfig::default;
    [
        Situation {
            items: 4,
            ..one(
                "a method moves to the superclass",
                "what inserts it above cannot go alone, by the multi-version graph (Figure 10)",
                usual().dependencies(moved()),
                says_moved,
            )
        },
        Situation {
            items: 6,
            ..one(
                "facts are charged by the table",
                "facts that name no changes count against those that the search was told of",
                SlicerConfig {
                    charges: charges(),
                    warnings: vec!["a grammar is not there".into()],
                    ..usual().algorithm(SliceMethod::Definer).dependencies(paper::dependencies())
                },
                says_without_changes,
            )
        },
        one(
            "either of two definitions is enough",
            "a sufficient dependency is any one of several",
            usual().dependencies([(3, vec![Need::AnyOf(vec![1, 0])])].into()),
            says_sufficient,
        ),
    ]
}

/// The cases of the paper's Section 2.2 on its first example. The next test shows what a run taught.
fn what_a_run_teaches() -> [Situation; 4] {
    let config = || SlicerConfig {
        scheme: Scheme::Neg,
        ..SlicerConfig::default().algorithm(SliceMethod::Definer).dependencies(paper::dependencies())
    };
    let case = |name: &str, why: &'static str, reverted: &'static [usize]| Situation {
        items: 6,
        reverted: Some(reverted),
        ..one(name, why, config(), says_example)
    };
    [
        case("case 1, a pass without extra signals", "what was reverted matters less", &[0]),
        case("case 2, a pass with extra signals", "what could have caused them matters less, reverted or not", &[0, 2]),
        case(
            "case 3, a failure with one change reverted",
            "what could have caused the facts that went matters more",
            &[3],
        ),
        case("case 4, a failure with several reverted", "nobody knows which of them it was", &[2, 3]),
    ]
}

fn situations() -> Vec<Situation> {
    use SliceMethod::{Auto, Coverage, Ddmin, Definer, Recursive};
    let example = |algorithm: SliceMethod, items: usize, k: usize| Situation {
        name: format!("example {}, {algorithm:?}, {k} at a time", if items == 6 { 1 } else { 2 }).to_lowercase(),
        why: "the paper's examples, with predictions, facts and conflicts",
        items,
        k,
        config: SlicerConfig::default().algorithm(algorithm).dependencies(paper::dependencies()),
        says: says_example,
        refused: None,
        reverted: None,
    };
    let usual = SlicerConfig::default;
    let mut all: Vec<Situation> = [Auto, Definer, Ddmin, Recursive].into_iter().map(|one| example(one, 6, 1)).collect();
    all.extend([example(Auto, 8, 1), example(Definer, 8, 1), example(Auto, 8, 3)]);
    all.extend([
        one("nothing is needed", "the base has it", usual(), |_| Outcome::Pass.into()),
        one("not reproduced", "all together have it not", usual(), |_| Outcome::Fail.into()),
        one("untestable", "all together cannot be tested", usual(), |_| Outcome::Unresolved.into()),
        one(
            "two together break it",
            "a failure is kept",
            SlicerConfig { keep: Outcome::Fail, ..usual().changes(["a", "b", "c", "d", "e"]) },
            together,
        ),
        one(
            "coverage alone",
            "the start is tested once, and nothing is taken from it",
            SlicerConfig { keep: Outcome::Fail, ..usual().algorithm(Coverage).start([1, 2, 3]) },
            together,
        ),
        one(
            "a start that is not enough",
            "it is dropped",
            SlicerConfig { keep: Outcome::Fail, ..usual().start([1, 2]) },
            together,
        ),
        Situation {
            refused: Some(json!({"outcome": "fail", "signals": {"facts": [{"file": "a"}]}})),
            ..one(
                "malformed facts",
                "they are refused by their place",
                SlicerConfig { keep: Outcome::Fail, ..usual() },
                together,
            )
        },
    ]);
    all.extend(by_definitions());
    all.extend(what_a_run_teaches());
    all
}

fn vector(situation: &Situation) -> String {
    let mut search = Slicer::new(situation.items, situation.config.clone()).unwrap();
    let mut steps = Vec::new();
    let mut refused = situation.refused.clone();
    let mut reverted = situation.reverted;
    while !search.is_done() {
        let probes = search.ask(situation.k).unwrap();
        let sets: Vec<String> = probes.iter().map(|probe| probe.changes().unwrap().to_string()).collect();
        steps.push(json!({"op": "ask", "k": situation.k, "changes": sets}));
        for probe in probes {
            if let Some(observation) = refused.take() {
                let told = serde_json::from_value(observation.clone()).unwrap();
                let code = search.tell(probe.id, told).unwrap_err().code();
                steps.push(json!({"op": "tell", "id": probe.id, "observation": observation, "error": code}));
            }
            let seen = (situation.says)(&probe);
            steps.push(json!({"op": "tell", "id": probe.id, "observation": seen}));
            search.tell(probe.id, seen).unwrap();
        }
        if let Some(gone) = reverted.filter(|_| search.runs() == 2) {
            reverted = None;
            let set: ChangeSet = (0..situation.items).filter(|change| !gone.contains(change)).collect();
            let seen = paper::seen(&set);
            steps.push(json!({"op": "observe", "changes": set.to_string(), "observation": seen}));
            search.observe(&Target { changes: Some(set), ..Target::default() }, seen).unwrap();
        }
    }
    steps.push(json!({"op": "restore"}));
    let report: Value = serde_json::from_str(&search.inspect().report_json().unwrap()).unwrap();
    steps.push(json!({"op": "report", "is": report}));
    // Leave out defaults, as users do.
    let usual = serde_json::to_value(SlicerConfig::default()).unwrap();
    let given = serde_json::to_value(&situation.config).unwrap();
    let configuration: Map<String, Value> =
        given.as_object().unwrap().clone().into_iter().filter(|(name, value)| usual.get(name) != Some(value)).collect();
    let steps: Vec<String> = steps.iter().map(|step| format!("        {step}")).collect();
    format!(
        "    {{\n      \"name\": \"{}\",\n      \"why\": \"{}\",\n      \"items\": {},\n      \"algorithm\": \"slice\",\n      \
         \"configuration\": {},\n      \"steps\": [\n{}\n      ]\n    }}",
        situation.name,
        situation.why,
        situation.items,
        Value::Object(configuration),
        steps.join(",\n"),
    )
}

#[test]
fn a_moved_method_depends_on_the_insertion_above() {
    assert_eq!(moved(), [(2, vec![Need::Item(1)]), (3, vec![Need::Item(0), Need::Item(1)])].into());
}

#[test]
fn the_vectors_match_the_slices() {
    let mut lines = String::new();
    for situation in situations() {
        let comma = if lines.is_empty() { "" } else { ",\n" };
        let _ = write!(lines, "{comma}{}", vector(&situation));
    }
    let all = format!("{{\n  \"schema\": 1,\n  \"vectors\": [\n{lines}\n  ]\n}}\n");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/slicing.json");
    if env::var_os("WRITE_VECTORS").is_some() {
        fs::write(&file, &all).unwrap();
    }
    assert!(fs::read_to_string(&file).unwrap_or_default() == all, "they change with WRITE_VECTORS=1");
}
