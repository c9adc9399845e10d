//! The decisions of every driver, tested with hosts that do everything a host may do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use firstbad::{Budget, CommitGraph, Event, Outcome, Probe, Progress, Run, RunOptions, Search, Status};
use firstbad_testkit::walk_back;
use proptest::prelude::*;
use serde_json::json;

const COUNT: usize = 40;

fn search(how: &str) -> Box<dyn Search> {
    let graph = Arc::new(CommitGraph::linear((0..COUNT).map(|number| number.to_string())).unwrap());
    let ends = json!({
        "bad": [(COUNT - 1).to_string()], "good": ["0"], "search": how, "test_endpoints": false, "confirm": false,
    });
    firstbad::open("regression", graph, &ends).unwrap()
}

fn broken_from(culprit: usize, probe: &Probe) -> Outcome {
    if probe.revision().parse::<usize>().unwrap() < culprit { Outcome::Pass } else { Outcome::Fail }
}

/// The next step of a host. The number selects a probe.
#[derive(Debug, Clone, Copy)]
enum Move {
    Take,
    Answer(usize),
    Retry(usize),
    Cancel(usize),
    End(usize),
    Late(usize),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        3 => Just(Move::Take),
        4 => any::<usize>().prop_map(Move::Answer),
        1 => any::<usize>().prop_map(Move::Retry),
        2 => any::<usize>().prop_map(Move::Cancel),
        1 => any::<usize>().prop_map(Move::End),
        1 => any::<usize>().prop_map(Move::Late),
    ];
    proptest::collection::vec(one, 0..120)
}

/// A host with its running tests and the tests that it told to stop.
struct Host {
    run: Run,
    search: Box<dyn Search>,
    jobs: usize,
    culprit: usize,
    running: BTreeMap<u64, Probe>,
    stopping: BTreeMap<u64, Probe>,
    rows: BTreeMap<String, u32>,
    told: BTreeSet<u64>,
}

fn chosen(among: &BTreeMap<u64, Probe>, number: usize) -> Option<Probe> {
    among.values().nth(number.checked_rem(among.len())?).cloned()
}

impl Host {
    fn take(&mut self) {
        let were_out = self.running.len();
        let busy = were_out + self.stopping.len();
        let probes = self.run.take(&mut *self.search, &mut || true).unwrap();
        let most = if were_out == 0 { self.jobs.max(busy + 1) } else { self.jobs.max(busy) };
        assert!(busy + probes.len() <= most, "{busy} at work and {} more for {} jobs", probes.len(), self.jobs);
        for probe in probes {
            assert!(self.running.insert(probe.id, probe).is_none(), "handed out twice");
        }
    }

    fn answer(&mut self, probe: &Probe) {
        let counts = self.run.answered(&mut *self.search, probe.id, broken_from(self.culprit, probe).into()).unwrap();
        assert_eq!(counts, self.running.remove(&probe.id).is_some());
        self.stopping.remove(&probe.id);
        if counts {
            assert!(self.told.insert(probe.id), "told twice");
            self.rows.remove(probe.revision());
        }
    }

    fn retry(&mut self, probe: &Probe, retries: u32) {
        let row = self.rows.entry(probe.revision().to_owned()).or_default();
        *row += 1;
        assert_eq!(self.run.retry(&mut *self.search, probe.id).unwrap(), *row <= retries);
        self.running.remove(&probe.id);
    }

    fn cancel(&mut self, number: usize) {
        let useless = self.run.useless(&*self.search).unwrap();
        assert!(useless.iter().all(|id| self.running.contains_key(id)), "{useless:?}");
        let Some(&id) = number.checked_rem(useless.len()).map(|place| &useless[place]) else { return };
        self.run.cancelled(&mut *self.search, id).unwrap();
        let probe = self.running.remove(&id).unwrap();
        self.stopping.insert(id, probe);
    }

    fn step(&mut self, next: Move, retries: u32) {
        match next {
            Move::Take => self.take(),
            Move::Answer(number) => {
                if let Some(probe) = chosen(&self.running, number) {
                    self.answer(&probe);
                }
            }
            Move::Retry(number) => {
                if let Some(probe) = chosen(&self.running, number) {
                    self.retry(&probe, retries);
                }
            }
            Move::Cancel(number) => self.cancel(number),
            Move::End(number) => {
                if let Some(probe) = chosen(&self.stopping, number) {
                    assert!(self.run.ended(probe.id) && !self.run.ended(probe.id));
                    self.stopping.remove(&probe.id);
                }
            }
            Move::Late(number) => {
                if let Some(probe) = chosen(&self.stopping, number) {
                    let before = self.search.inspect().event_count();
                    self.answer(&probe);
                    assert_eq!(self.search.inspect().event_count(), before, "it left a trace");
                }
            }
        }
        assert_eq!(self.search.in_flight().len(), self.running.len());
    }
}

proptest! {
    #[test]
    fn a_host_never_exceeds_its_jobs_and_gives_every_probe_back(
        moves in moves(),
        jobs in 1..6_usize,
        retries in 0..3_u32,
        culprit in 1..COUNT,
        how in prop_oneof![Just("binary"), Just("linear")],
    ) {
        let mut search = search(how);
        let run = Run::new(&mut *search, RunOptions { jobs, retries, ..RunOptions::default() }).unwrap();
        let mut host = Host {
            run, search, jobs, culprit, running: BTreeMap::new(), stopping: BTreeMap::new(), rows: BTreeMap::new(),
            told: BTreeSet::new(),
        };
        for next in moves {
            if host.run.over(&mut *host.search, false).unwrap() {
                break;
            }
            host.step(next, retries);
        }
        host.run.give_back(&mut *host.search).unwrap();
        prop_assert!(host.search.in_flight().is_empty());
        // Outcomes after the end of the run do not count.
        let events = host.search.inspect().event_count();
        for probe in host.running.values() {
            prop_assert!(!host.run.answered(&mut *host.search, probe.id, Outcome::Pass.into()).unwrap());
        }
        prop_assert_eq!(host.search.inspect().event_count(), events);
        let told: Vec<u64> = host.search.inspect().events(0).iter().filter_map(|event| match event {
            Event::Told { id, .. } => Some(*id),
            _ => None,
        }).collect();
        prop_assert_eq!(told.len(), host.told.len());
        prop_assert_eq!(told.into_iter().collect::<BTreeSet<_>>(), host.told);
    }

    #[test]
    fn a_resumed_run_has_the_same_result(left in 0..4_usize, jobs in 1..5_usize, culprit in 1..COUNT) {
        let mut search = search("binary");
        if left > 0 {
            search.ask(left).unwrap();
        }
        let mut run = Run::new(&mut *search, RunOptions { jobs, ..RunOptions::default() }).unwrap();
        let mut seen = BTreeSet::new();
        while !run.over(&mut *search, false).unwrap() {
            for probe in run.take(&mut *search, &mut || true).unwrap() {
                prop_assert!(seen.insert(probe.id));
                run.answered(&mut *search, probe.id, broken_from(culprit, &probe).into()).unwrap();
            }
        }
        run.give_back(&mut *search).unwrap();
        prop_assert_eq!(search.status(), Status::Found);
        prop_assert!(search.in_flight().is_empty());
    }
}

#[test]
fn invalid_run_options_are_rejected() {
    let mut search = search("binary");
    let jobs = Run::new(&mut *search, RunOptions { jobs: 0, ..RunOptions::default() }).unwrap_err();
    assert!(jobs.to_string().starts_with("jobs: 0 "), "{jobs}");
    let budget = Some(Budget { cost: Some(-1.0), ..Budget::default() });
    let cost = Run::new(&mut *search, RunOptions { budget, ..RunOptions::default() }).unwrap_err();
    assert!(cost.to_string().starts_with("budget.cost: "), "{cost}");
    let mut run = Run::new(&mut *search, RunOptions::default()).unwrap();
    assert_eq!(run.answered(&mut *search, 0, Outcome::Pass.into()).unwrap_err().code(), "unknown_probe");
    assert_eq!(run.cancelled(&mut *search, 0).unwrap_err().code(), "unknown_probe");
    assert!(!run.ended(0));
}

#[test]
fn a_rejected_outcome_leaves_its_probe_in_flight() {
    let mut search = search("binary");
    let mut run = Run::new(&mut *search, RunOptions::default()).unwrap();
    let [probe] = &run.take(&mut *search, &mut || true).unwrap()[..] else { panic!("one job, one probe") };
    search.observe(&probe.target, Outcome::Pass.into()).unwrap();
    assert_eq!(run.answered(&mut *search, probe.id, Outcome::Fail.into()).unwrap_err().code(), "contradiction");
    assert_eq!(run.take(&mut *search, &mut || true).unwrap(), []);
    assert!(run.answered(&mut *search, probe.id, Outcome::Pass.into()).unwrap());
}

#[test]
fn a_missing_reader_error_names_the_read() {
    let graph = Arc::new(CommitGraph::linear(["r0", "r1"]).unwrap());
    let mut search = walk_back::open(graph, "r1", 1).unwrap();
    let mut run = Run::new(&mut search, RunOptions::default()).unwrap();
    let error = run.take(&mut search, &mut || true).unwrap_err();
    assert_eq!(
        error.to_string(),
        "reader: nothing is not valid; expected a repository, or a function that returns the patch from \"r0\" to \"r1\""
    );
}

#[test]
fn progress_computes_one_forecast_per_outcome() {
    let mut search = search("binary");
    let mut run = Run::new(&mut *search, RunOptions::default()).unwrap();
    let mut asked = 0;
    let mut look = |run: &mut Run, search: &dyn Search| {
        run.progress(search, &mut || {
            asked += 1;
            true
        })
        .unwrap()
    };
    let before = look(&mut run, &*search);
    assert_eq!((before.runs, before.asked, before.in_flight), (0, 0, 0));
    assert_eq!(before.suspects, before.forecast.map(|forecast| forecast.suspects));
    let [probe] = &run.take(&mut *search, &mut || true).unwrap()[..] else { panic!("one job, one probe") };
    let during = look(&mut run, &*search);
    assert_eq!((during.in_flight, during.forecast), (1, before.forecast));
    run.answered(&mut *search, probe.id, Outcome::Pass.into()).unwrap();
    let after = look(&mut run, &*search);
    assert_eq!((after.runs, after.asked, after.in_flight), (1, 1, 0));
    let likely = |progress: Progress| progress.forecast.unwrap().likely;
    assert!(after.suspects < before.suspects && likely(after) < likely(before));
    assert!(asked > 0);
}

#[test]
fn a_second_run_is_rejected_until_the_first_gives_its_probes_back() {
    let mut search = search("binary");
    let mut first = Run::new(&mut *search, RunOptions::default()).unwrap();
    let [probe] = &first.take(&mut *search, &mut || true).unwrap()[..] else { panic!("one job, one probe") };
    let before = search.inspect().events(0);
    let budget = Some(Budget { runs: Some(1), ..Budget::default() });
    for options in [RunOptions::default(), RunOptions { budget, ..RunOptions::default() }] {
        let refused = Run::new(&mut *search, options).unwrap_err();
        assert_eq!(refused.code(), "search_in_use", "{refused}");
    }
    assert_eq!(search.inspect().events(0), before, "the first run goes on undisturbed");
    assert!(first.answered(&mut *search, probe.id, Outcome::Pass.into()).unwrap());
    first.give_back(&mut *search).unwrap();
    let second = Run::new(&mut *search, RunOptions::default()).unwrap();
    drop(second);
    Run::new(&mut *search, RunOptions::default()).unwrap();
}

#[test]
fn a_run_that_fails_to_start_releases_the_search() {
    let mut search = search("binary");
    let budget = Some(Budget { cost: Some(-1.0), ..Budget::default() });
    Run::new(&mut *search, RunOptions { budget, ..RunOptions::default() }).unwrap_err();
    Run::new(&mut *search, RunOptions::default()).unwrap();
}

/// Plays a search until only the confirmation is left. Returns the run, the search, and the probes whose tests never end.
fn before_confirmation(lingering: std::time::Duration, is_cancelled: bool) -> (Run, Box<dyn Search>, Vec<Probe>) {
    let graph = Arc::new(CommitGraph::linear((0..COUNT).map(|number| number.to_string())).unwrap());
    let ends = json!({"bad": [(COUNT - 1).to_string()], "good": ["0"], "search": "linear"});
    let mut search = firstbad::open("regression", graph, &ends).unwrap();
    let options = RunOptions { jobs: 4, lingering, ..RunOptions::default() };
    let mut run = Run::new(&mut *search, options).unwrap();
    let mut endless = Vec::new();
    while !search.inspect().is_confirming() {
        for probe in run.take(&mut *search, &mut || true).unwrap() {
            // Older revisions are tested in parallel and become useless once the boundary is known.
            if (1..36).contains(&probe.revision().parse::<usize>().unwrap()) {
                endless.push(probe);
            } else {
                let outcome = broken_from(37, &probe);
                run.answered(&mut *search, probe.id, outcome.into()).unwrap();
            }
        }
    }
    assert!(!endless.is_empty());
    if is_cancelled {
        for id in run.useless(&*search).unwrap() {
            run.cancelled(&mut *search, id).unwrap();
        }
    }
    (run, search, endless)
}

#[test]
fn a_confirming_run_waits_for_tests_that_no_longer_matter() {
    for is_cancelled in [false, true] {
        let (mut run, mut search, endless) = before_confirmation(std::time::Duration::from_secs(3600), is_cancelled);
        assert!(run.take(&mut *search, &mut || true).unwrap().is_empty());
        assert!(run.patience().unwrap() > std::time::Duration::from_secs(3000));
        for probe in &endless {
            if is_cancelled {
                assert!(run.ended(probe.id));
            } else {
                assert!(run.answered(&mut *search, probe.id, Outcome::Pass.into()).unwrap());
            }
        }
        let confirming = run.take(&mut *search, &mut || true).unwrap();
        assert!(confirming.len() == 1 && confirming[0].confirms, "{confirming:?}");
        assert_eq!(run.patience(), None);
    }
}

#[test]
fn an_endless_test_does_not_block_the_confirmation_forever() {
    for is_cancelled in [false, true] {
        let (mut run, mut search, endless) = before_confirmation(std::time::Duration::ZERO, is_cancelled);
        while !search.is_done() {
            let confirming = run.take(&mut *search, &mut || true).unwrap();
            if confirming.is_empty() {
                // The wait is as long as the slowest test, which is very short here.
                assert!(run.patience().is_none_or(|left| left < std::time::Duration::from_secs(5)));
                continue;
            }
            assert!(confirming.len() == 1 && confirming[0].confirms, "{confirming:?}");
            run.answered(&mut *search, confirming[0].id, broken_from(37, &confirming[0]).into()).unwrap();
        }
        assert_eq!(search.status(), Status::Found);
        assert!(endless.iter().all(|probe| run.ended(probe.id)), "what they say does not count");
    }
}

#[test]
fn a_confirming_run_starts_even_if_useless_tests_occupy_all_places() {
    let graph = Arc::new(CommitGraph::linear((0..COUNT).map(|number| number.to_string())).unwrap());
    let ends = json!({"bad": [(COUNT - 1).to_string()], "good": ["0"], "search": "linear", "test_endpoints": false});
    let mut search = firstbad::open("regression", graph, &ends).unwrap();
    let options = RunOptions { jobs: 2, lingering: std::time::Duration::ZERO, ..RunOptions::default() };
    let mut run = Run::new(&mut *search, options).unwrap();
    assert_eq!(run.take(&mut *search, &mut || true).unwrap().len(), 2);
    // Another process finds the culprit and shares its outcomes.
    for (revision, outcome) in [("38", Outcome::Fail), ("37", Outcome::Fail), ("36", Outcome::Pass)] {
        let shared = firstbad::Observation { reused: true, ..outcome.into() };
        search.observe(&revision.to_owned().into(), shared).unwrap();
    }
    assert!(search.inspect().is_confirming());
    let confirming = loop {
        let taken = run.take(&mut *search, &mut || true).unwrap();
        if !taken.is_empty() {
            break taken;
        }
    };
    assert!(confirming.len() == 1 && confirming[0].confirms, "{confirming:?}");
}

/// A search that asks for a target again and again and never waits for it ends with an error instead of a loop.
#[test]
fn a_target_that_is_never_wanted_ends_the_run() {
    let mut search = search("binary");
    let mut run = Run::new(&mut *search, RunOptions::default()).unwrap();
    let ended = (0..100).find_map(|_| {
        let probes = run.take(&mut *search, &mut || true).unwrap();
        probes.into_iter().find_map(|probe| {
            let cancelled = run.cancelled(&mut *search, probe.id);
            run.ended(probe.id);
            cancelled.err()
        })
    });
    let error = ended.unwrap();
    assert_eq!(error.code(), "internal");
    assert!(error.to_string().contains("never waited for the outcome"), "{error}");
    run.give_back(&mut *search).unwrap();
    assert!(search.in_flight().is_empty());
}
