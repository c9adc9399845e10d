//! Searches for the cards: those of the reference sheet, and others.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::suspicion::{Ranking, RankingReason, Suspect};
use firstbad::{
    Commit, CommitGraph, Error, GraphBuilder, Observation, Outcome, Patch, RegressionConfig, RegressionSearch, Report,
    Search, World,
};
use serde_json::json;

const SUBJECTS: [&str; 8] = [
    "Add rounding of line discounts",
    "Speed up nightly job for invoices",
    "Escape <script>alert(\"x\")</script> & co. in notes",
    "Log tax table of 2026",
    "Document type hints in shop.tax",
    "\u{202e}Cache\u{1b}[31m gift card balance endpoint",
    "Rename stock level query",
    "Split webhook signature check",
];

/// Returns the sha for a number.
fn sha(number: u32) -> String {
    let digit = |place: u32| format!("{:08x}", (number * 8 + place).wrapping_mul(0x9e37_79b1).rotate_left(place * 3));
    (0..5).map(digit).collect()
}

/// Returns linear commits on a base.
fn grow(builder: &mut GraphBuilder, next: &mut u32, from: Option<u32>, count: usize) -> u32 {
    let mut last = from;
    for _ in 0..count {
        *next += 1;
        builder.revision(&sha(*next), last.map(sha).iter().map(String::as_str));
        last = Some(*next);
    }
    last.unwrap_or_default()
}

/// Returns the history of the reference sheet, with a merged branch and two tips, and its culprit.
fn history() -> (CommitGraph, u32) {
    let mut builder = GraphBuilder::new();
    let mut next = 0;
    let root = grow(&mut builder, &mut next, None, 1);
    let fork = grow(&mut builder, &mut next, Some(root), 60);
    let trunk = grow(&mut builder, &mut next, Some(fork), 24);
    let side = grow(&mut builder, &mut next, Some(fork), 15);
    let culprit = grow(&mut builder, &mut next, Some(side), 1);
    let side = grow(&mut builder, &mut next, Some(culprit), 11);
    next += 1;
    builder.revision(&sha(next), [sha(trunk).as_str(), sha(side).as_str()]);
    let merge = next;
    let split = grow(&mut builder, &mut next, Some(merge), 38);
    let main = grow(&mut builder, &mut next, Some(split), 13);
    let cards = grow(&mut builder, &mut next, Some(split), 9);
    builder.name("main", sha(main)).name("gift-cards", sha(cards)).name("v1.0", sha(root));
    (builder.build().unwrap(), culprit)
}

pub(crate) fn commits<'a>(ids: impl Iterator<Item = &'a str>, culprit: &str) -> BTreeMap<String, Commit> {
    ids.enumerate()
        .map(|(place, id)| {
            let subject = if id == culprit { "Round receipt totals to the nearest ten" } else { SUBJECTS[place % 8] };
            let date = "2025-11-14T16:02:31Z".to_owned();
            let author = "Ines <b>Okafor".to_owned();
            (
                id.to_owned(),
                Commit {
                    subject: subject.to_owned(),
                    author,
                    author_date: date.clone(),
                    commit_date: date,
                    ..Commit::default()
                },
            )
        })
        .collect()
}

fn timed(outcome: Outcome, run: usize) -> Observation {
    Observation { seconds: Some(25.0 + (run * 7 % 40) as f64 / 10.0), ..Observation::new(outcome) }
}

/// Drives a search for a number of runs, and adds the subjects of commits.
fn driven(
    mut search: RegressionSearch,
    most: usize,
    culprit: &str,
    outcome: impl Fn(&str) -> Outcome,
) -> (RegressionSearch, Report) {
    for run in 0..most {
        let Some(probe) = search.ask(1).unwrap().pop() else { break };
        search.tell(probe.id, timed(outcome(probe.revision()), run)).unwrap();
    }
    let mut report = search.report();
    let graph = graph_of(&search);
    report.commits = commits(graph.ids(), culprit);
    for leaf in &report.leaves {
        let names = graph.names(graph.get(&leaf.leaf).unwrap());
        report.names.insert(leaf.leaf.clone(), names.into_iter().take(1).map(str::to_owned).collect());
    }
    (search, Report::Regression(report))
}

pub(crate) fn graph_of(search: &RegressionSearch) -> Arc<CommitGraph> {
    match search.inspect().world() {
        World::History(graph) => graph,
        World::Items(_) => unreachable!(),
    }
}

fn config() -> RegressionConfig {
    let mut config = RegressionConfig::new(["main", "gift-cards"]).good(["v1.0"]);
    config.test = vec!["tests/test_receipt.py::test_total".to_owned()];
    config
}

fn broken_from(graph: &CommitGraph, culprits: &[String]) -> impl Fn(&str) -> Outcome + use<> {
    let nodes: Vec<_> = culprits.iter().map(|id| graph.get(id).unwrap()).collect();
    let broken = graph.descendants(&nodes);
    let graph = graph.clone();
    move |id| if broken.contains(graph.get(id).unwrap() as usize) { Outcome::Fail } else { Outcome::Pass }
}

pub(crate) fn regression() -> (RegressionSearch, Report) {
    let (graph, culprit) = history();
    let outcome = broken_from(&graph, &[sha(culprit)]);
    let unresolved = sha(culprit - 9);
    let outcome = move |id: &str| if id == unresolved { Outcome::Unresolved } else { outcome(id) };
    driven(RegressionSearch::new(graph, config()).unwrap(), 100, &sha(culprit), outcome)
}

pub(crate) fn running() -> (RegressionSearch, Report) {
    let (graph, culprit) = history();
    let outcome = broken_from(&graph, &[sha(culprit)]);
    let (mut search, _) = driven(RegressionSearch::new(graph, config()).unwrap(), 5, "", &outcome);
    search.ask(1).unwrap();
    driven(search, 0, "", outcome)
}

pub(crate) fn ambiguous() -> (RegressionSearch, Report) {
    let (graph, culprit) = history();
    let outcome = broken_from(&graph, &[sha(culprit)]);
    let unresolved = [sha(culprit - 1), sha(culprit)];
    let outcome = move |id: &str| if unresolved.contains(&id.to_owned()) { Outcome::Unresolved } else { outcome(id) };
    driven(RegressionSearch::new(graph, config()).unwrap(), 100, "", outcome)
}

pub(crate) fn trusted() -> (RegressionSearch, Report) {
    let graph = CommitGraph::linear((0..6).map(|number| format!("1.{number}"))).unwrap();
    let outcome = broken_from(&graph, &["1.1".to_owned()]);
    let mut config = RegressionConfig::new(["1.5"]).good(["1.0"]);
    config.test_endpoints = false;
    driven(RegressionSearch::new(graph, config).unwrap(), 100, "", outcome)
}

pub(crate) fn not_reproduced() -> (RegressionSearch, Report) {
    let graph = CommitGraph::linear((0..6).map(|number| format!("1.{number}"))).unwrap();
    let config = RegressionConfig::new(["1.5"]).good(["1.0"]);
    driven(RegressionSearch::new(graph, config).unwrap(), 100, "", |_| Outcome::Pass)
}

/// A search for a fix in which every run has the same outcome.
pub(crate) fn no_fix(outcome: Outcome) -> (RegressionSearch, Report) {
    let graph = CommitGraph::linear((0..6).map(|number| format!("1.{number}"))).unwrap();
    let mut config = RegressionConfig::new(["1.0"]).good(["1.5"]);
    config.find = firstbad::Find::Fix;
    driven(RegressionSearch::new(graph, config).unwrap(), 100, "", move |_| outcome)
}

pub(crate) fn fixed() -> (RegressionSearch, Report) {
    let (graph, culprit) = history();
    let outcome = broken_from(&graph, &[sha(culprit)]);
    let mut config = RegressionConfig::new(["v1.0"]).good(["main"]);
    config.find = firstbad::Find::Fix;
    driven(RegressionSearch::new(graph, config).unwrap(), 100, &sha(culprit), move |id| outcome(id).swapped())
}

pub(crate) fn several() -> (RegressionSearch, Report) {
    let mut builder = GraphBuilder::new();
    let mut next = 0;
    let root = grow(&mut builder, &mut next, None, 1);
    let fork = grow(&mut builder, &mut next, Some(root), 23);
    let one = grow(&mut builder, &mut next, Some(fork), 31);
    let shared = grow(&mut builder, &mut next, Some(one), 20);
    let main = grow(&mut builder, &mut next, Some(shared), 14);
    let search = grow(&mut builder, &mut next, Some(shared), 17);
    let two = grow(&mut builder, &mut next, Some(fork), 12);
    let payments = grow(&mut builder, &mut next, Some(two), 13);
    builder.name("main", sha(main)).name("search", sha(search)).name("payments", sha(payments)).name("v1.0", sha(root));
    let graph = builder.build().unwrap();
    let outcome = broken_from(&graph, &[sha(one), sha(two)]);
    let config = RegressionConfig::new(["main", "search", "payments"]).good(["v1.0"]);
    driven(RegressionSearch::new(graph, config).unwrap(), 100, &sha(one), outcome)
}

fn opened(algorithm: &str, world: impl Into<World>, options: &serde_json::Value) -> Result<Box<dyn Search>, Error> {
    firstbad::open(algorithm, world.into(), options)
}

/// A test that fails at every broken revision, and in a third of the runs at others.
fn flaky(mut search: Box<dyn Search>, culprit: usize) -> (Box<dyn Search>, Report) {
    let mut state = 5u64;
    for run in 0..200 {
        let Some(probe) = search.ask(1).unwrap().pop() else { break };
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number: usize = probe.revision()[1..].parse().unwrap();
        let fails = number >= culprit || (state >> 33).is_multiple_of(3);
        search.tell(probe.id, timed(if fails { Outcome::Fail } else { Outcome::Pass }, run)).unwrap();
    }
    let report = Report::of(search.inspect()).unwrap();
    (search, report)
}

fn line() -> Arc<CommitGraph> {
    Arc::new(CommitGraph::linear((0..49).map(|number| format!("r{number}"))).unwrap())
}

pub(crate) fn culprit() -> (Box<dyn Search>, Report) {
    let options =
        json!({"bad": ["r48"], "good": ["r0"], "flake_rate": 0.3, "test": ["tests/test_rates.py::test_refresh"]});
    flaky(opened("culprit", line(), &options).unwrap(), 31)
}

pub(crate) fn verification() -> (Box<dyn Search>, Report) {
    let options = json!({"bad": ["r48"], "good": ["r0"], "culprit": "r31", "flake_rate": 0.3});
    flaky(opened("verification", line(), &options).unwrap(), 31)
}

fn minimized(items: usize, matters: &[usize]) -> Report {
    let mut search = opened("minimize", items, &json!({})).unwrap();
    let mut run = 0;
    while let Some(probe) = search.ask(1).unwrap().pop() {
        let kept: Vec<usize> = probe.changes().unwrap().iter().collect();
        let holds = matters.iter().all(|item| kept.contains(item));
        run += 1;
        search.tell(probe.id, timed(if holds { Outcome::Pass } else { Outcome::Fail }, run)).unwrap();
    }
    Report::of(search.inspect()).unwrap()
}

const DIFF: &str = "\
--- a/shop/prices.py
+++ b/shop/prices.py
@@ -12,8 +12,10 @@ def subtotal(lines)
     return sum(line.cents for line in lines)
 
 def price(cents):
-    \"\"\"In cents.\"\"\"
+    \"\"\"In cents, rounded as the till does it.\"\"\"
-    return cents
+    return round(cents, -1)
 
 def discount(cents, percent):
-    return cents - cents * percent / 100
+    return cents - cents * percent // 100
+
+# end
--- a/shop/receipt.py
+++ b/shop/receipt.py
@@ -40,3 +40,3 @@ def receipt(orders)
     total = price(sum(orders))
-    lines.append(f\"total {total / 100:.2f}\")
+    lines.append(f\"total {price(total) / 100:.2f} <{currency}>\")
     return \"\\n\".join(lines)
--- a/shop/tax.py
+++ b/shop/tax.py
@@ -1,2 +1,2 @@
 import shop
-TAX = 19
+TAX = 20
";

pub(crate) fn patch() -> (Report, Patch) {
    let patch = Patch::parse(DIFF.as_bytes()).unwrap();
    (minimized(patch.len(), &[2, 3, 8, 9]), patch)
}

pub(crate) fn text() -> (Report, Vec<String>) {
    let line = |number: usize| match number {
        3 => "BEGIN:VEVENT\n".to_owned(),
        40 => "RRULE:FREQ=MONTHLY;BYDAY=<5MO>;UNTIL=20260230T000000Z\n".to_owned(),
        59 => "\tEND:VEVENT\u{7}".to_owned(),
        _ => format!("X-LINE:{number}\n"),
    };
    (minimized(60, &[3, 40, 59]), (0..60).map(line).collect())
}

pub(crate) fn ranking() -> Ranking {
    let reason = |file: &str, path: &[&str], weight: f64| RankingReason {
        files: vec![file.to_owned()],
        target: (*path.last().unwrap()).to_owned(),
        path: path.iter().map(|&target| target.to_owned()).collect(),
        distance: path.len() as u32,
        tests: 1,
        weight,
        before: false,
    };
    let suspect = |change: u32, score: f64, reasons: Vec<RankingReason>| Suspect {
        change: sha(change),
        score,
        suspiciousness: score,
        size: reasons.len(),
        distance: 1,
        closeness: score,
        tests: 1,
        reasons,
    };
    let (till, tax) = (
        reason("shop/till.py", &["//shop:test", "//shop:till"], 0.98),
        reason("base/<tax>.py", &["//shop:test", "//shop:till", "//base:tax"], 0.96),
    );
    Ranking {
        tests: vec!["//shop:test".to_owned()],
        suspects: vec![suspect(1, 1.94, vec![till.clone(), tax]), suspect(2, 0.98, vec![till])],
        excluded: vec![sha(3), sha(4)],
        unlikely: Vec::new(),
        unplaced: vec!["README".to_owned()],
        cycles: Vec::new(),
        complete: true,
        message: "2 of 4 changes are suspects".to_owned(),
    }
}

/// Histories that are hard to draw: many branches, merges of merges, and random parents.
pub(crate) fn graphs() -> Vec<(&'static str, CommitGraph)> {
    let octopus: Vec<String> = (0..300).map(|number| format!("b{number}")).collect();
    let mut star: Vec<(String, Vec<String>)> = vec![("r".to_owned(), vec![])];
    star.extend(octopus.iter().map(|id| (id.clone(), vec!["r".to_owned()])));
    let tips = CommitGraph::new(star.clone()).unwrap();
    star.push(("m".to_owned(), octopus));
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut tangle: Vec<(String, Vec<String>)> = vec![("n0".to_owned(), vec![])];
    for number in 1..3000usize {
        let mut parents: Vec<String> =
            (0..=random(3)).map(|_| format!("n{}", number - 1 - random(number.min(40)))).collect();
        parents.sort_unstable();
        parents.dedup();
        tangle.push((format!("n{number}"), parents));
    }
    vec![
        (
            "small",
            CommitGraph::new([("m", vec!["a", "b"]), ("b", vec!["r"]), ("a", vec!["r"]), ("r", vec![])]).unwrap(),
        ),
        ("one", CommitGraph::linear(["only"]).unwrap()),
        ("line", CommitGraph::linear((0..20_000).map(|number| format!("build-{number}"))).unwrap()),
        ("tips", tips),
        ("octopus", CommitGraph::new(star).unwrap()),
        ("tangle", CommitGraph::new(tangle).unwrap()),
    ]
}

/// A slice that needs two of twelve commits, before and after the runs.
pub(crate) fn slice() -> (Report, Report) {
    let name = |number: u32| match number {
        8 => format!("{}:src/<b>.py#2", sha(8)),
        number => sha(number),
    };
    let config = firstbad::SlicerConfig::default().changes((0..12).map(name));
    let mut search = firstbad::Slicer::new(12usize, config).unwrap();
    let report = |search: &firstbad::Slicer| {
        let mut report = search.report();
        let ids: Vec<String> = (0..12).map(sha).collect();
        report.commits = commits(ids.iter().map(String::as_str), &sha(3));
        Report::Slice(Box::new(report))
    };
    let running = report(&search);
    let mut run = 0;
    while let [probe] = &search.ask(1).unwrap()[..] {
        let changes = probe.target.changes.as_ref().unwrap();
        let outcome = if changes.contains(3) && changes.contains(8) { Outcome::Pass } else { Outcome::Fail };
        run += 1;
        search.tell(probe.id, timed(outcome, run)).unwrap();
    }
    (report(&search), running)
}
