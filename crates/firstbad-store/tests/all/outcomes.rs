//! Outcomes are returned exactly, in order, and only for their own oracle and key.

use crate::common::{Temp, noted, oracle, refused, version};
use firstbad::{Error, Observation, Outcome, Stage};
use firstbad_store::{Entry, OracleKey, Store};
use proptest::prelude::*;

fn store(temp: &Temp) -> Store {
    Store::open(temp.join("outcomes.db")).unwrap()
}

fn signals() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

fn observations() -> impl Strategy<Value = Observation> {
    let number = || prop::option::of(any::<f64>().prop_filter("finite", |number| number.is_finite()));
    let words = || prop::option::of(any::<String>());
    let outcome = prop_oneof![Just(Outcome::Pass), Just(Outcome::Fail), Just(Outcome::Unresolved)];
    let counts = (any::<Option<u32>>(), any::<Option<u32>>());
    let numbers = (number(), number(), number(), number(), number());
    let rest = (prop::option::of(signals()), words(), words());
    let stages = (prop::option::of(prop::sample::select(Stage::ALL.to_vec())), any::<Option<u64>>());
    (outcome, words(), stages, counts, numbers, rest).prop_map(|(outcome, signature, stages, counts, numbers, rest)| {
        let ((passes, fails), (metric, seconds, cost, started, ended)) = (counts, numbers);
        let (signals, note, output) = rest;
        let (stage, memory) = stages;
        Observation {
            outcome,
            signature,
            stage,
            passes,
            fails,
            metric,
            seconds,
            memory,
            cost,
            started,
            ended,
            signals,
            note,
            output,
            ran: true,
            reused: false,
            ..Observation::new(Outcome::Pass)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn observations_round_trip(
        seen in prop::collection::vec((any::<String>(), observations()), 1..4),
        (name, version, key) in (any::<String>(), any::<String>(), any::<String>()),
    ) {
        let temp = Temp::new();
        let oracle = OracleKey { name, version };
        let mut store = store(&temp);
        for (run, observation) in &seen {
            store.put(&oracle, &key, run, observation).unwrap();
        }
        let kept = Store::open(store.path()).unwrap().get(&oracle, &key).unwrap();
        let kept: Vec<_> = kept.into_iter().map(|kept| (kept.run, kept.observation)).collect();
        prop_assert_eq!(&kept, &seen);
        let bits = |of: &[(String, Observation)]| of.iter().map(|(_, one)| one.metric.map(f64::to_bits)).collect::<Vec<_>>();
        prop_assert_eq!(bits(&kept), bits(&seen));
    }
}

#[test]
fn the_layout_number_matches_the_fields_of_an_observation() {
    let full = Observation {
        outcome: Outcome::Pass,
        signature: Some(String::new()),
        stage: Some(Stage::Test),
        passes: Some(1),
        fails: Some(1),
        metric: Some(1.0),
        seconds: Some(1.0),
        memory: Some(1),
        cost: Some(1.0),
        started: Some(1.0),
        ended: Some(1.0),
        signals: Some(1.into()),
        note: Some(String::new()),
        output: Some(String::new()),
        ran: true,
        reused: true,
        ..Observation::new(Outcome::Pass)
    };
    let temp = Temp::new();
    store(&temp).put(&oracle(), "key", "run", &full).unwrap();
    let connection = rusqlite::Connection::open(temp.join("outcomes.db")).unwrap();
    let kept: String = connection.query_row("SELECT observation FROM outcomes", (), |row| row.get(0)).unwrap();
    let layout: i32 = connection.query_row("PRAGMA user_version", (), |row| row.get(0)).unwrap();
    // Older programs reject unknown fields, so a change here must come with a new layout number.
    let fields = r#"{"outcome":"pass","signature":"","stage":"test","passes":1,"fails":1,"metric":1.0,"seconds":1.0,"memory":1,"cost":1.0,"started":1.0,"ended":1.0,"signals":1,"note":"","output":"","reused":true}"#;
    assert_eq!((layout, kept.as_str()), (3, fields));
}

#[test]
fn equal_outcomes_are_stored_separately() {
    let temp = Temp::new();
    let mut store = store(&temp);
    (0..2).for_each(|_| store.put(&oracle(), "key", "run", &noted("x")).unwrap());
    let kept = store.get(&oracle(), "key").unwrap();
    assert_eq!(kept.iter().map(|kept| &kept.observation).collect::<Vec<_>>(), [&noted("x"), &noted("x")]);
    assert!(kept[0].at <= kept[1].at && kept[0].at > 1.7e9, "seconds since 1970: {}", kept[0].at);
}

#[test]
fn oracles_versions_and_keys_are_separate() {
    let temp = Temp::new();
    let mut store = store(&temp);
    let other = OracleKey { name: "make lint".into(), version: "1".into() };
    let all = [(oracle(), "a"), (oracle(), "b"), (version("2"), "a"), (other.clone(), "a")];
    for (number, (oracle, key)) in all.iter().enumerate() {
        store.put(oracle, key, "run", &noted(number.to_string())).unwrap();
    }
    for (number, (oracle, key)) in all.iter().enumerate() {
        let kept = store.get(oracle, key).unwrap();
        assert_eq!(kept.into_iter().map(|kept| kept.observation).collect::<Vec<_>>(), [noted(number.to_string())]);
    }

    let entry = |Entry { oracle, key, observation, .. }| (oracle, key, observation.note.unwrap());
    let listed = |entries: Vec<Entry>| entries.into_iter().map(entry).collect::<Vec<_>>();
    let expected = |numbers: &[usize]| {
        let one = |&number: &usize| (all[number].0.clone(), all[number].1.to_owned(), number.to_string());
        numbers.iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(listed(store.entries(None).unwrap()), expected(&[0, 1, 2, 3]));
    assert_eq!(listed(store.entries(Some(&oracle())).unwrap()), expected(&[0, 1]));

    assert_eq!(store.forget(Some(&oracle())).unwrap(), 2);
    assert_eq!(listed(store.entries(None).unwrap()), expected(&[2, 3]));
    assert_eq!((store.forget(Some(&oracle())).unwrap(), store.len().unwrap()), (0, 2));
    assert_eq!((store.forget(None).unwrap(), store.len().unwrap()), (2, 0));
    store.put(&other, "a", "run", &noted("again")).unwrap();
    assert_eq!(store.len().unwrap(), 1);
}

#[test]
fn an_observation_that_cannot_be_read_back_is_rejected() {
    let temp = Temp::new();
    let mut store = store(&temp);
    let deep = (0..200).fold(serde_json::Value::from(1), |inner, _| vec![inner].into());
    let observation = Observation { signals: Some(deep), ..noted("x") };
    let error = store.put(&oracle(), "key", "run", &observation).unwrap_err();
    assert!(matches!(&error, Error::InvalidArgument { argument, .. } if argument == "observation"), "{error}");
    assert_eq!(store.get(&oracle(), "key").unwrap(), []);
}

#[test]
fn a_number_that_is_not_finite_is_missing() {
    let temp = Temp::new();
    let mut store = store(&temp);
    store.put(&oracle(), "key", "run", &Observation { metric: Some(f64::NAN), ..noted("x") }).unwrap();
    assert_eq!(store.get(&oracle(), "key").unwrap()[0].observation, noted("x"));
}

#[test]
fn a_store_can_move_to_another_thread() {
    fn sent<T: Send>(_: &T) {}
    let temp = Temp::new();
    sent(&store(&temp));
    let writers = (0..8).map(|run: usize| {
        let mut store = store(&temp);
        std::thread::spawn(move || {
            (0..20).for_each(|_| store.put(&oracle(), "key", &run.to_string(), &noted("x")).unwrap());
        })
    });
    writers.collect::<Vec<_>>().into_iter().for_each(|writer| writer.join().unwrap());
    assert_eq!(store(&temp).len().unwrap(), 160);
    assert!(refused(Store::open(temp.join(""))).1.starts_with("it cannot be opened"));
}
