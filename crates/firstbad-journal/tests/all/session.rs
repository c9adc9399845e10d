//! Sessions with journals, leases, and shared outcomes.

use std::path::Path;
use std::sync::Arc;

use firstbad::{CommitGraph, Error, Observation, Outcome, OutcomeCache, Search, Status, Target};
use firstbad_journal::{Options, Session, Test, read};
use firstbad_testkit::journal::resealed;
use serde_json::{Value, json};

fn graph(n: usize) -> Arc<CommitGraph> {
    Arc::new(CommitGraph::linear((0..n).map(|i| format!("r{i}"))).unwrap())
}

fn linear(n: usize) -> Session {
    let configuration =
        json!({"bad": [format!("r{}", n - 1)], "good": ["r0"], "test_endpoints": false, "search": "linear"});
    Session::new(firstbad::open("regression", graph(n), &configuration).unwrap())
}

fn attached(path: &Path, n: usize) -> Session {
    let mut session = linear(n);
    session.attach(path, &Options::default()).unwrap();
    session
}

/// Tells all outcomes: revision `r{culprit}` and its descendants fail.
fn finish(session: &mut Session, culprit: usize) -> u64 {
    let mut asked = 0;
    while !session.is_done() {
        for probe in session.ask(3).unwrap() {
            let number: usize = probe.revision()[1..].parse().unwrap();
            session.tell(probe.id, if number >= culprit { Outcome::Fail } else { Outcome::Pass }.into()).unwrap();
            asked += 1;
        }
    }
    asked
}

#[test]
fn a_run_resumes_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut undisturbed = linear(40);
    finish(&mut undisturbed, 20);
    let mut session = attached(&path, 40);
    for probe in session.ask(5).unwrap().into_iter().take(3) {
        session.tell(probe.id, Outcome::Fail.into()).unwrap();
    }
    let flying = session.in_flight();
    drop(session);
    let mut session = linear(40);
    let opening = session.attach(&path, &Options::default()).unwrap();
    assert!(opening.resumed && opening.torn == 0);
    assert_eq!((opening.events, session.runs(), session.in_flight()), (8, 3, flying.clone()));
    for probe in flying {
        session.tell(probe.id, Outcome::Fail.into()).unwrap();
    }
    finish(&mut session, 20);
    let points = |session: &Session| -> Value {
        serde_json::from_str::<Value>(&session.inspect().report_json().unwrap()).unwrap()["points"].clone()
    };
    assert_eq!(session.status(), Status::Found);
    assert_eq!(points(&session), points(&undisturbed));
    drop(session);
    // A finished run has its result immediately.
    assert_eq!(attached(&path, 40).status(), Status::Found);
    assert!(!folder.path().join("run.jsonl.lock").exists());
}

#[test]
fn an_incomplete_last_line_is_dropped_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut session = attached(&path, 40);
    finish(&mut session, 37);
    drop(session);
    let whole = std::fs::read(&path).unwrap();
    let header = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for end in header..whole.len() {
        std::fs::write(&path, &whole[..end]).unwrap();
        let mut session = linear(40);
        let opening = session.attach(&path, &Options::default()).unwrap();
        let complete = whole[..end].iter().filter(|&&byte| byte == b'\n').count() - 1;
        assert_eq!(opening.events, complete);
        let kept = whole[..end].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        assert_eq!(opening.torn, end - kept);
        drop(session);
        assert_eq!(std::fs::read(&path).unwrap(), &whole[..kept]);
    }
}

#[test]
fn a_second_writer_is_rejected_with_the_name_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let first = attached(&path, 4);
    let Err(error) = linear(4).attach(&path, &Options::default()) else { panic!("two writers") };
    assert_eq!(error.code(), "journal_locked");
    assert!(error.to_string().contains("another session of this process"), "{error}");
    drop(first);
    attached(&path, 4);
}

#[test]
fn another_search_is_rejected_with_its_differences() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    drop(attached(&path, 4));
    let refused = |algorithm: &str, graph: Arc<CommitGraph>, configuration: Value| {
        let mut session = Session::new(firstbad::open(algorithm, graph, &configuration).unwrap());
        let error = session.attach(&path, &Options::default()).unwrap_err();
        assert!(matches!(error, Error::Journal { .. }));
        error.to_string()
    };
    let bad = json!({"bad": ["r3"], "good": ["r0"], "test_endpoints": false, "search": "binary"});
    assert!(refused("regression", graph(4), bad).contains("Its search is \"linear\", not \"binary\""));
    let same = json!({"bad": ["r3"], "good": ["r0"], "test_endpoints": false, "search": "linear"});
    let other = Arc::new(
        CommitGraph::new([("r0", vec![]), ("r1", vec!["r0"]), ("r2", vec!["r0"]), ("r3", vec!["r2"])]).unwrap(),
    );
    assert!(refused("regression", other, same).contains("\"r2\" has other parents in this search"));
    assert!(refused("culprit", graph(4), json!({"bad": ["r3"], "flake_rate": 0.1})).contains("Its algorithm is"));
}

/// If clocks are adjusted during a run, no lease ends years later, and none ends within minutes.
#[test]
fn leases_survive_clock_changes() {
    // How far the clock was ahead when a probe was leased for ten minutes, and whether the lease is still valid.
    for (ahead, holds) in
        [(-1e9, false), (-700.0, false), (-300.0, true), (0.0, true), (300.0, true), (700.0, false), (1e9, false)]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let mut session = attached(&path, 6);
        let lent = session.lend(1, Some(600.0)).unwrap().remove(0);
        drop(session);
        let text = std::fs::read_to_string(&path).unwrap();
        let (header, line) = text.trim_end().split_once('\n').unwrap();
        let mut record: Value = serde_json::from_str(line).unwrap();
        for field in ["at", "until"] {
            record[field] = json!(record[field].as_f64().unwrap() + ahead);
        }
        std::fs::write(&path, resealed(&format!("{header}\n{record}\n"))).unwrap();

        let mut session = attached(&path, 6);
        let next = session.lend(1, Some(600.0)).unwrap().remove(0);
        assert_eq!(next.target == lent.target, !holds, "{ahead}");
        // The outcome of an expired lease still counts.
        session.tell(lent.id, Outcome::Fail.into()).unwrap();
        assert_eq!(session.runs(), 1, "{ahead}");
    }
}

#[test]
fn an_expired_probe_is_asked_again_and_a_late_outcome_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut session = attached(&path, 4);
    let lent = session.lend(2, Some(1e-9)).unwrap();
    assert_eq!(lent.len(), 2);
    drop(session);
    // Leases outlive the process.
    let mut session = attached(&path, 4);
    assert!(session.leased_until(lent[0].id).is_some());
    let again = session.lend(2, Some(1000.0)).unwrap();
    let names = |probes: &[firstbad::Probe]| probes.iter().map(|p| p.revision().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&again), names(&lent));
    assert_eq!(session.runs(), 0);
    session.tell(lent[0].id, Outcome::Fail.into()).unwrap();
    session.tell(lent[0].id, Outcome::Fail.into()).unwrap();
    assert_eq!(session.runs(), 1);
    assert!(!session.wanted(again[0].id).unwrap());
    assert_eq!(session.lend(1, Some(-1.0)).unwrap_err().code(), "invalid_argument");
}

#[test]
fn taking_over_ends_all_leases() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = attached(&folder.path().join("run.jsonl"), 10);
    let lent = session.lend(1, Some(1e-9)).unwrap();
    session.take_over();
    let next = session.ask(1).unwrap();
    assert_ne!(lent[0].target, next[0].target);
    assert_eq!(session.in_flight(), [lent, next].concat());
}

#[test]
fn a_closed_search_without_events_can_get_another_journal() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = attached(&folder.path().join("one.jsonl"), 10);
    session.close();
    assert_eq!(session.ask(1).unwrap_err().code(), "journal");
    session.attach(folder.path().join("two.jsonl"), &Options::default()).unwrap();
    assert_eq!(session.ask(1).unwrap().len(), 1);
}

#[test]
fn known_outcomes_are_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let configuration = json!({"bad": ["r7"], "flake_rate": 0.1});
    let known = vec![("r5".into(), Outcome::Fail.into()), ("r5".into(), Outcome::Fail.into())];
    for _ in 0..2 {
        let mut session = Session::new(firstbad::open("culprit", graph(8), &configuration).unwrap());
        session.attach(&path, &Options::default()).unwrap();
        session.assume(&known).unwrap();
        assert_eq!(session.inspect().events(0).len(), 2);
        assert_eq!(session.runs(), 0);
    }
}

#[test]
fn known_outcomes_of_abbreviated_revisions_are_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let id = |place: usize| format!("{place}abc{:036}", 0);
    let graph = Arc::new(CommitGraph::linear((0..8).map(id)).unwrap());
    let configuration = json!({"bad": [id(7)], "flake_rate": 0.1});
    for _ in 0..2 {
        let mut session = Session::new(firstbad::open("culprit", Arc::clone(&graph), &configuration).unwrap());
        session.attach(&path, &Options::default()).unwrap();
        session.assume(&[("5abc".into(), Outcome::Fail.into())]).unwrap();
        assert_eq!(session.inspect().events(0).len(), 1);
    }
}

#[test]
fn queued_suspects_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    attached(&path, 8).enqueue(&"r3".into()).unwrap();
    assert_eq!(attached(&path, 8).ask(1).unwrap()[0].revision(), "r3");
}

#[test]
fn a_stored_graph_is_restored_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut session = attached(&path, 40);
    finish(&mut session, 30);
    let contents = read(&path).unwrap();
    let world = contents.header.world(&path, None).unwrap();
    let view = Session::view(&path, &contents, world).unwrap();
    assert_eq!(view.inspect().report_json().unwrap(), session.inspect().report_json().unwrap());
    assert_eq!(view.inspect().fingerprint(), session.inspect().fingerprint());
}

/// Pairs of revisions with the same key. Another run has the outcome of the pair r30 and r31.
struct Pairs;

impl OutcomeCache for Pairs {
    fn key(&self, target: &Target) -> Option<String> {
        let number: usize = target.revision.as_ref()?[1..].parse().unwrap();
        Some((number / 2).to_string())
    }

    fn outcomes(&mut self, key: &str) -> Result<Vec<Observation>, Error> {
        Ok(if key == "15" { vec![Outcome::Fail.into()] } else { Vec::new() })
    }

    fn keep(&mut self, _: &str, _: &Observation) -> Result<(), Error> {
        Ok(())
    }
}

#[test]
fn equal_keys_share_outcomes_within_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut session = attached(&path, 40);
    session.share(Box::new(Pairs)).unwrap();
    // A linear search descends and asks for one revision of each pair, except r30 and r31.
    let asked = |session: &mut Session, times: usize| -> Vec<String> {
        let probes = (0..times).map(|_| {
            let probe = session.ask(1).unwrap().remove(0);
            session.tell(probe.id, Outcome::Fail.into()).unwrap();
            probe.revision().to_owned()
        });
        probes.collect()
    };
    assert_eq!(asked(&mut session, 3), ["r38", "r37", "r35"]);
    drop(session);
    let mut session = attached(&path, 40);
    session.share(Box::new(Pairs)).unwrap();
    assert_eq!(asked(&mut session, 2), ["r33", "r29"]);
    assert_eq!(session.runs(), 5);
}

#[test]
fn equal_histories_are_never_reported_as_different() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    drop(attached(&path, 4));
    let refused = |configuration: Value| {
        let mut session = Session::new(firstbad::open("regression", graph(4), &configuration).unwrap());
        session.attach(&path, &Options::default()).unwrap_err().to_string()
    };
    // Other endpoints define another part of the same history.
    let words = refused(json!({"bad": ["r2"], "good": ["r0"], "test_endpoints": false, "search": "linear"}));
    assert!(words.contains("Its bad is [\"r3\"], not [\"r2\"]") && !words.contains("history"), "{words}");
    // A fingerprint that was modified.
    let text = std::fs::read_to_string(&path).unwrap();
    let fingerprint = read(&path).unwrap().header.fingerprint;
    std::fs::write(&path, resealed(&text.replace(&fingerprint, &"0".repeat(32)))).unwrap();
    let words = refused(json!({"bad": ["r3"], "good": ["r0"], "test_endpoints": false, "search": "linear"}));
    assert!(words.contains("Its fingerprint is 000") && !words.contains("another:"), "{words}");
}

#[test]
fn a_journal_belongs_to_one_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let by = |test: Test| {
        let mut session = linear(4);
        session.attach(&path, &Options { test, ..Options::default() }).map(|_| session).map_err(|error| {
            assert_eq!(error.code(), "journal");
            error.to_string()
        })
    };
    let command = |name: &str| Test::Command(json!({"command": [name]}));
    // The journal starts without a test and has one outcome, and then a command takes over.
    let mut session = by(Test::ByHand).unwrap();
    let probe = session.ask(1).unwrap().remove(0);
    session.tell(probe.id, Outcome::Fail.into()).unwrap();
    session.tested_by(&command("true")).unwrap();
    let probe = session.ask(1).unwrap().remove(0);
    session.tell(probe.id, Outcome::Fail.into()).unwrap();
    let words = session.tested_by(&command("false")).unwrap_err().to_string();
    assert!(words.contains("Its command is [\"true\"], not [\"false\"]"), "{words}");
    drop(session);
    assert_eq!(read(&path).unwrap().header.test, json!({"command": ["true"]}));
    let before = std::fs::read(&path).unwrap();
    assert!(by(command("false")).err().unwrap().contains("was recorded with another test"));
    assert!(by(Test::Function).err().unwrap().contains("not with a function"));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(by(command("true")).unwrap().runs(), 2);
    assert_eq!(by(Test::ByHand).unwrap().runs(), 2);
}

#[test]
fn a_mark_identifies_an_unchanged_journal_in_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let options = Options { test: Test::Command(json!({"command": ["a"], "timeout": 0.1})), ..Options::default() };
    let mut session = linear(4);
    session.attach(&path, &options).unwrap();
    drop(session);
    let is_ours = |path: &Path| read(path).unwrap().header.is_ours(path);
    assert!(is_ours(&path));
    // Another path of the same folder also counts.
    #[cfg(unix)] // Links need rights on Windows.
    {
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).unwrap();
        assert!(is_ours(&link.join("run.jsonl")));
    }
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::copy(&path, elsewhere.join("run.jsonl")).unwrap();
    assert!(!is_ours(&elsewhere.join("run.jsonl")));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, resealed(&text.replace("\"a\"", "\"b\""))).unwrap();
    assert!(!is_ours(&path));
    std::fs::write(&path, text).unwrap();
    assert!(is_ours(&path));
}

#[test]
fn running_a_journal_from_elsewhere_does_not_make_it_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("run.jsonl"), folder.path().join("there/run.jsonl"));
    std::fs::create_dir(folder.path().join("there")).unwrap();
    drop(attached(&here, 4));
    for name in ["run.jsonl", "run.jsonl.graph.gz"] {
        std::fs::copy(here.with_file_name(name), there.with_file_name(name)).unwrap();
    }
    for (path, is_ours) in [(&here, true), (&there, false)] {
        let mut session = attached(path, 4);
        session.tested_by(&Test::Command(json!({"command": ["a"]}))).unwrap();
        let header = read(path).unwrap().header;
        assert_eq!((header.is_ours(path), &header.test), (is_ours, &json!({"command": ["a"]})));
    }
}

/// The changed files of commits are read again on resume and may be late, so they do not belong to the configuration.
#[test]
fn data_read_for_a_prior_is_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let by = |prior: Value, test: &[&str]| {
        let configuration =
            json!({"bad": ["r39"], "good": ["r0"], "test_endpoints": false, "prior": prior, "test": test});
        Session::new(firstbad::open("regression", graph(40), &configuration).unwrap())
    };
    let read = json!({"weights": {"r30": 0.9, "r10": 0.1}, "reasons": {"r30": [{"kind": "no_source"}]}});
    let not_read = json!({"weights": {}, "reasons": {}, "warning": "it could not be read"});
    let mut session = by(read, &["tests/test_cart.py"]);
    session.attach(&path, &Options::default()).unwrap();
    let probe = session.ask(1).unwrap().remove(0);
    session.tell(probe.id, Outcome::Fail.into()).unwrap();
    drop(session);
    let mut session = by(not_read, &[]);
    let opening = session.attach(&path, &Options::default()).unwrap();
    assert!(opening.resumed);
    assert_eq!((opening.events, session.runs()), (2, 1));
    finish(&mut session, 5);
    assert_eq!(session.status(), Status::Found);
    drop(session);
    let refused = by(json!({"r30": 0.9}), &[]).attach(&path, &Options::default()).unwrap_err();
    assert!(refused.to_string().contains("Its prior is"), "{refused}");
}
