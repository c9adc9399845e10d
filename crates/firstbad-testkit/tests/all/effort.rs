//! Fixed numbers of runs for searches, so that every change of the effort is visible. Update a number that decreases. A number
//! that increases needs a reason. Regression searches are counted without runs that confirm their result, except for rows with
//! `confirmed`.

use std::fmt::Write as _;

use firstbad::World;
use firstbad_testkit::plays::{Manner, Play};
use firstbad_testkit::scenes::Scene;
use firstbad_testkit::simulated::Random;
use serde_json::{Value, json};

/// For each kind of search: additional options, the total number of runs one after another, and the numbers of runs and rounds
/// with four jobs.
const RUNS: &str = "\
0 regression, as it is: 164, 195 in 64
1 regression, as it is: 67, 92 in 40
2 regression, as it is: 118, 163 in 57
3 regression, as it is: 142, 185 in 58
4 regression, as it is: 113, 154 in 42
5 regression, as it is: 92, 139 in 53
6 regression, as it is: 93, 148 in 53
7 regression, as it is: 98, 159 in 53
8 regression, as it is: 90, 140 in 48
9 regression, as it is: 250, 322 in 105
10 regression, as it is: 179, 228 in 102
11 culprit, as it is: 244, 315 in 90
12 culprit, as it is: 298, 375 in 107
13 culprit, as it is: 248, 310 in 94
14 culprit, as it is: 76, 119 in 41
15 culprit, as it is: 334, 396 in 112
16 verification, as it is: 180, 180 in 180
17 minimize, as it is: 258, 409 in 106
18 minimize, as it is: 538, 672 in 175
19 minimize, as it is: 279, 481 in 121
20 minimize, as it is: 877, 1523 in 382
21 isolate, as it is: 168, 282 in 74
22 port, as it is: 235, 323 in 125
23 port, as it is: 265, 322 in 94
24 slice, as it is: 280, 409 in 124
25 slice, as it is: 365, 516 in 161
26 slice, as it is: 554, 681 in 185
27 triage, as it is: 170, 223 in 61
28 triage, as it is: 239, 343 in 94
29 triage, as it is: 243, 366 in 107
30 change, as it is: 244, 328 in 93
31 change, as it is: 97, 101 in 85
0 regression, confirmed: 171, 228 in 97
2 regression, confirmed: 130, 196 in 90
3 regression, confirmed: 151, 218 in 91
4 regression, confirmed: 121, 188 in 76
5 regression, confirmed: 100, 169 in 83
6 regression, confirmed: 106, 182 in 87
7 regression, confirmed: 111, 194 in 88
8 regression, confirmed: 104, 175 in 83
0 regression, branches: 168, 223 in 61
1 regression, branches: 124, 143 in 46
2 regression, branches: 146, 194 in 57
4 regression, branches: 107, 181 in 46
5 regression, branches: 115, 160 in 49
6 regression, branches: 122, 171 in 50
7 regression, branches: 134, 199 in 57
8 regression, branches: 114, 158 in 45
9 regression, branches: 285, 341 in 103
6 regression, prior: 104, 165 in 58
8 regression, prior: 98, 153 in 54
6 regression, costs: 99, 141 in 52
8 regression, costs: 94, 140 in 50
13 culprit, prior: 266, 327 in 101
17 minimize, tree: 299, 544 in 138
17 minimize, weights: 258, 430 in 108
";

/// The number of worlds for each kind, and the number of revisions or items.
const WORLDS: u64 = 16;
const ITEMS: usize = 48;

/// Returns additional options by kind, each with its name.
fn told(items: usize) -> Vec<(usize, &'static str, Value)> {
    let by_place = |weight: &dyn Fn(usize) -> f64| -> Value {
        (0..items).map(|place| (place.to_string(), json!(weight(place)))).collect::<serde_json::Map<_, _>>().into()
    };
    let newest = [items - 1, items - 2, items - 5].map(|place| place.to_string());
    let prior = by_place(&|place| if place % 7 == 3 { 9.0 } else { 1.0 });
    let costs = by_place(&|place| if place % 5 == 0 { 1.0 } else { 4.0 });
    let above = |item: usize| match (item % 12, item % 4) {
        (0, _) => None,
        (above, 0) => Some(item - above),
        (_, above) => Some(item - above),
    };
    let tree: Vec<Option<usize>> = (0..items).map(above).collect();
    let mut told: Vec<(usize, &str, Value)> = (0..Scene::KINDS).map(|kind| (kind, "as it is", json!({}))).collect();
    told.extend([0, 2, 3, 4, 5, 6, 7, 8].map(|kind| (kind, "confirmed", json!({ "confirm": true }))));
    told.extend([0, 1, 2, 4, 5, 6, 7, 8, 9].map(|kind| (kind, "branches", json!({ "bad": newest }))));
    told.extend([
        (6, "prior", json!({ "prior": prior })),
        (8, "prior", json!({ "prior": prior })),
        (6, "costs", json!({ "costs": costs })),
        (8, "costs", json!({ "costs": costs })),
        (13, "prior", json!({ "prior": prior })),
        (17, "tree", json!({ "parents": tree, "later": [[items - 1, items - 2], [3]] })),
        (17, "weights", json!({ "weights": (0..items).map(|item| 1 + item % 4).collect::<Vec<_>>() })),
    ]);
    told
}

/// Returns the numbers of runs and rounds in all worlds.
fn runs(kind: usize, more: &Value, jobs: usize) -> (usize, usize) {
    let mut rounds = 0;
    let played = (0..WORLDS).map(|seed| {
        let mut scene = Scene::sized(kind, seed, ITEMS);
        let configuration = scene.configuration.as_object_mut().unwrap();
        if scene.algorithm == "regression" {
            configuration.insert("confirm".to_owned(), json!(false));
        }
        configuration.extend(more.as_object().unwrap().clone());
        let is_mended = scene.configuration["find"] == "fix"
            || !matches!(scene.world(), World::History(_)) && scene.configuration["keep"] != "fail";
        let manner = if is_mended { Manner::Mends } else { Manner::Breaks };
        let mut play = Play::of(&scene, manner, Random::new(seed)).unwrap();
        if let World::History(graph) = play.search.inspect().world() {
            // An ancestor of the newest revision.
            let newest = graph.get(&(ITEMS - 1).to_string()).unwrap();
            let culprits: Vec<usize> = graph.ancestors(&[newest]).ones().filter(|&node| node > 0).collect();
            play.oracle.culprit = graph.id(culprits[seed as usize * 5 % culprits.len()] as u32).parse().unwrap();
        }
        while !play.search.is_done() {
            if play.ask(jobs).unwrap() == 0 {
                break;
            }
            rounds += 1;
            while !play.flying.is_empty() {
                play.tell().unwrap();
            }
        }
        play.told.len()
    });
    (played.sum(), rounds)
}

#[test]
fn searches_take_the_expected_number_of_runs() {
    let mut made = String::new();
    for (kind, what, more) in told(ITEMS) {
        let algorithm = Scene::sized(kind, 0, ITEMS).algorithm;
        let [(one, _), (four, rounds)] = [1, 4].map(|jobs| runs(kind, &more, jobs));
        writeln!(made, "{kind} {algorithm}, {what}: {one}, {four} in {rounds}").unwrap();
    }
    assert_eq!(made, RUNS, "so many are taken now:\n{made}");
}
