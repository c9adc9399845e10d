//! A failing cache costs runs but changes no result.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use crate::play::{Game, report};
use firstbad::reduction::{KnownParts, options_in_text};
use firstbad::{
    Error, Event, Minimizer, Observation, Outcome, OutcomeCache, Probe, Run, RunOptions, Search, Status, Target, Text,
};
use firstbad_journal::{Options, Session, read};
use serde_json::json;

const GAME: Game = Game::Linear(12);

/// A cache, and the number of calls until all calls fail.
#[derive(Default)]
struct Shelf {
    kept: Vec<(String, Observation)>,
    calls: usize,
    left: usize,
}

impl Shelf {
    fn call(&mut self) -> Result<(), Error> {
        self.calls += 1;
        self.left = self.left.checked_sub(1).ok_or_else(|| Error::Store {
            path: "outcomes.db".to_owned(),
            message: "another process has kept it locked".to_owned(),
        })?;
        Ok(())
    }
}

struct Cache(Arc<Mutex<Shelf>>);

impl OutcomeCache for Cache {
    fn key(&self, target: &Target) -> Option<String> {
        target.revision.clone()
    }

    fn targets(&mut self) -> Result<Vec<Target>, Error> {
        let mut shelf = self.0.lock().unwrap();
        shelf.call()?;
        Ok(shelf.kept.iter().map(|(key, _)| key.as_str().into()).collect())
    }

    fn outcomes(&mut self, key: &str) -> Result<Vec<Observation>, Error> {
        let mut shelf = self.0.lock().unwrap();
        shelf.call()?;
        Ok(shelf.kept.iter().filter(|(other, _)| other == key).map(|(_, seen)| seen.clone()).collect())
    }

    fn kept(&mut self, key: &str) -> Result<Option<usize>, Error> {
        let mut shelf = self.0.lock().unwrap();
        shelf.call()?;
        Ok(Some(shelf.kept.iter().filter(|(other, _)| other == key).count()))
    }

    fn keep(&mut self, key: &str, observation: &Observation) -> Result<(), Error> {
        let mut shelf = self.0.lock().unwrap();
        shelf.call()?;
        shelf.kept.push((key.to_owned(), observation.clone()));
        Ok(())
    }
}

fn shelf(left: usize) -> Arc<Mutex<Shelf>> {
    Arc::new(Mutex::new(Shelf { left, ..Shelf::default() }))
}

#[test]
fn no_failed_store_call_loses_an_outcome() {
    let undisturbed = GAME.undisturbed();
    for left in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let shelf = shelf(left);
        let mut session = GAME.attached(&path);
        session.share(Box::new(Cache(Arc::clone(&shelf)))).unwrap();
        while !session.is_done() {
            for probe in session.ask(3).unwrap() {
                session.tell(probe.id, GAME.answer(&probe)).unwrap();
            }
        }
        assert_eq!(report(&session), undisturbed);
        assert_eq!(read(&path).unwrap().records.len(), session.inspect().event_count());
        let shelf = shelf.lock().unwrap();
        let Some(trouble) = session.cache_trouble() else {
            assert_eq!(shelf.kept.len(), 12);
            assert!(shelf.calls > 24);
            return;
        };
        assert!(trouble.contains("kept it locked"), "{trouble}");
        // After one failure, the search does not wait for the cache again.
        assert_eq!(shelf.calls, left + 1);
    }
}

#[test]
fn outcomes_are_shared_after_journal_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let shelf = shelf(usize::MAX);
    let mut session = GAME.attached(&path);
    session.share(Box::new(Cache(Arc::clone(&shelf)))).unwrap();
    let probe = session.ask(1).unwrap().remove(0);
    std::fs::remove_file(&path).unwrap();
    session.tell(probe.id, GAME.answer(&probe)).unwrap_err();
    assert_eq!(shelf.lock().unwrap().kept.len(), 1);
}

/// A process was killed after it wrote an outcome to the journal and before it shared the outcome.
#[test]
fn a_resumed_search_shares_outcomes_of_a_killed_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let shelf = shelf(usize::MAX);
    let open = |is_shared: bool| {
        let mut session = GAME.attached(&path);
        if is_shared {
            session.share(Box::new(Cache(Arc::clone(&shelf)))).unwrap();
        }
        session
    };
    let answered = |session: &mut Session| {
        let probe = session.ask(1).unwrap().remove(0);
        session.tell(probe.id, GAME.answer(&probe)).unwrap();
        probe.revision().to_owned()
    };
    let kept = || shelf.lock().unwrap().kept.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    let first = answered(&mut open(true));
    let second = answered(&mut open(false));
    assert_eq!(kept(), [first.as_str()]);
    for _ in 0..2 {
        drop(open(true));
        assert_eq!(kept(), [first.as_str(), second.as_str()]);
    }
    // Outcomes that were taken back are not shared.
    let mut session = open(false);
    answered(&mut session);
    session.undo(1).unwrap();
    drop(session);
    drop(open(true));
    assert_eq!(kept().len(), 2);
}

/// Several outcomes from a cache or a caller update the probabilities at once, with the same result as one by one.
#[test]
fn outcomes_told_together_count_like_outcomes_told_separately() {
    let game = Game::Flaky;
    let shelf = shelf(usize::MAX);
    let mut one_by_one = game.session();
    let mut known = Vec::new();
    for revision in ["r80", "elsewhere", "r120", "r130", "r119", "r160"] {
        for outcome in [Outcome::Fail, Outcome::Pass, Outcome::Fail, Outcome::Fail] {
            shelf.lock().unwrap().kept.push((revision.to_owned(), outcome.into()));
            let told = one_by_one.observe(&revision.into(), outcome.into());
            assert_eq!(told.is_err(), revision == "elsewhere", "{told:?}");
            known.extend(told.is_ok().then(|| (revision.into(), outcome.into())));
        }
    }
    let (mut shared, mut assumed) = (game.session(), game.session());
    shared.share(Box::new(Cache(Arc::clone(&shelf)))).unwrap();
    assumed.assume(&known).unwrap();
    for session in [&shared, &assumed] {
        assert_eq!(session.inspect().event_count(), one_by_one.inspect().event_count());
        assert_eq!(report(session), report(&one_by_one));
    }
    assert_eq!(assumed.ask(3).unwrap(), one_by_one.ask(3).unwrap());
}

/// Returns a text with many equal lines, so that different parts are often equal.
fn text() -> Text {
    Text::parse("a\n".repeat(40).as_bytes(), false).unwrap()
}

fn reduction(text: &Text) -> Session {
    let options = options_in_text(&json!({}), text).unwrap();
    let mut session = Session::new(Box::new(Minimizer::new(text.len(), options).unwrap()));
    session.know_parts(KnownParts::of_text(text));
    session
}

fn content(text: &Text, probe: &Probe) -> Vec<u8> {
    text.subset(probe.changes().unwrap())
}

#[test]
fn equal_texts_in_flight_are_tested_once() {
    let text = text();
    let mut alone = reduction(&text);
    let answer = |probe: &Probe| if content(&text, probe).len() >= 14 { Outcome::Pass } else { Outcome::Fail };
    while !alone.is_done() {
        for probe in alone.ask(1).unwrap() {
            alone.tell(probe.id, answer(&probe).into()).unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut session = reduction(&text);
    session.attach(&path, &Options::default()).unwrap();
    let (mut answered, mut flying, mut resumed) = (HashSet::new(), Vec::<Probe>::new(), 0);
    while !session.is_done() {
        for probe in session.ask(4).unwrap() {
            let same = |other: &Probe| content(&text, other) == content(&text, &probe);
            assert!(!flying.iter().any(same) && !answered.contains(&content(&text, &probe)));
            flying.push(probe);
        }
        assert_eq!(session.in_flight(), flying);
        if answered.len() == 3 * (resumed + 1) {
            resumed += 1;
            session.close();
            session = reduction(&text);
            session.attach(&path, &Options::default()).unwrap();
            assert_eq!(session.in_flight(), flying, "those that wait still do");
        }
        if !flying.is_empty() {
            let probe = flying.remove(0);
            session.tell(probe.id, answer(&probe).into()).unwrap();
            answered.insert(content(&text, &probe));
        }
        let useless = session.useless(&flying.iter().map(|probe| probe.id).collect::<Vec<_>>()).unwrap();
        flying.retain(|probe| !useless.contains(&probe.id));
        useless.into_iter().for_each(|id| session.abandon(id).unwrap());
    }
    assert!(resumed > 1);
    let best = |session: &Session| session.inspect().best(&mut str::to_owned);
    assert_eq!(best(&session), best(&alone));
}

#[test]
fn known_outcomes_are_not_used_endlessly_during_a_run() {
    let lines: String = (0..400).map(|line| format!("line {line}\n")).collect();
    let text = Text::parse(lines.as_bytes(), false).unwrap();
    let (parsed, first) = (Arc::new(Mutex::new(0)), Mutex::new(None));
    let mut known = KnownParts::of_text(&text);
    let counted = Arc::clone(&parsed);
    // The whole text and its first part parse.
    let accepts = Arc::new(move |part: &[u8]| {
        *counted.lock().unwrap() += 1;
        part == lines.as_bytes() || first.lock().unwrap().get_or_insert_with(|| part.to_vec()) == part
    });
    known.in_language(0, "Lists", accepts).unwrap();
    let options = options_in_text(&json!({}), &text).unwrap();
    let mut session = Session::new(Box::new(Minimizer::new(text.len(), options).unwrap()));
    session.know_parts(known);
    let whole = session.ask(1).unwrap().remove(0);
    session.tell(whole.id, Outcome::Pass.into()).unwrap();
    let probe = session.ask(1).unwrap().remove(0);
    assert_eq!(*parsed.lock().unwrap(), 2);
    assert!(session.ask(3).unwrap().is_empty());
    let ahead = *parsed.lock().unwrap() - 2;
    assert!((8..=24).contains(&ahead), "{ahead} parts were parsed");
    // Without a probe to wait for, the search continues to its end.
    session.tell(probe.id, Outcome::Fail.into()).unwrap();
    assert!(session.ask(3).unwrap().is_empty() && session.is_done());
}

#[test]
fn outcomes_that_were_taken_back_are_asked_again() {
    let text = text();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let open = || {
        let mut session = reduction(&text);
        session.attach(&path, &Options::default()).unwrap();
        session
    };
    let mut session = open();
    for _ in 0..2 {
        let whole = session.ask(1).unwrap().remove(0);
        assert_eq!(whole.changes().unwrap().len(), text.len());
        session.tell(whole.id, Outcome::Fail.into()).unwrap();
        session.undo(1).unwrap();
        assert_eq!(session.runs(), 0);
    }
    session.close();
    session = open();
    let whole = session.ask(1).unwrap().remove(0);
    assert_eq!(whole.changes().unwrap().len(), text.len());
    session.tell(whole.id, Outcome::Pass.into()).unwrap();
    assert_eq!(session.inspect().events(0).iter().filter(|event| matches!(event, Event::Observed { .. })).count(), 0);
}

#[test]
fn outcomes_of_other_runs_are_told_once_even_after_an_undo() {
    let shelf = shelf(usize::MAX);
    shelf.lock().unwrap().kept.push(("r12".to_owned(), Outcome::Fail.into()));
    let mut session = GAME.session();
    session.share(Box::new(Cache(Arc::clone(&shelf)))).unwrap();
    assert_eq!(session.inspect().event_count(), 1);
    session.undo(1).unwrap();
    assert_eq!(session.ask(1).unwrap()[0].revision(), "r12");
}

#[test]
fn waiting_probes_are_abandoned_with_the_probe_that_runs() {
    let text = text();
    let mut session = reduction(&text);
    let first = session.ask(1).unwrap().remove(0);
    session.tell(first.id, Outcome::Pass.into()).unwrap();
    let all = session.ask(12).unwrap();
    let events = session.inspect().events(0);
    let asked = events.iter().filter(|event| matches!(event, Event::Asked { .. })).count();
    assert!(asked > 1 + all.len(), "one waits: {asked} asked, {} to be tested", 1 + all.len());
    all.iter().for_each(|probe| session.abandon(probe.id).unwrap());
    let abandoned = session.inspect().events(0).iter().filter(|event| matches!(event, Event::Abandoned { .. })).count();
    assert!(session.in_flight().is_empty());
    assert_eq!(abandoned + 1, asked);
}

/// Returns lines that differ from their neighbors, so the reduction cannot predict which parts are equal.
fn in_turns(pairs: usize) -> Text {
    Text::parse("a\nb\n".repeat(pairs).as_bytes(), false).unwrap()
}

#[test]
fn a_driver_is_called_between_known_outcomes() {
    let text = in_turns(60);
    let mut at_once = reduction(&text);
    let answer = |probe: &Probe| if content(&text, probe).len() >= 200 { Outcome::Pass } else { Outcome::Fail };
    while !at_once.is_done() {
        for probe in at_once.ask(1).unwrap() {
            at_once.tell(probe.id, answer(&probe).into()).unwrap();
        }
    }
    let mut sliced = reduction(&text);
    let mut run = Run::new(&mut sliced, RunOptions::default()).unwrap();
    let mut empty = 0;
    while !run.over(&mut sliced, false).unwrap() {
        let probes = run.take(&mut sliced, &mut || false).unwrap();
        empty += usize::from(probes.is_empty());
        for probe in probes {
            run.answered(&mut sliced, probe.id, answer(&probe).into()).unwrap();
        }
    }
    assert!(empty > 10, "{empty} slices without a probe");
    assert_eq!(sliced.inspect().events(0), at_once.inspect().events(0), "slices change nothing");
}

#[test]
fn a_budget_ends_a_reduction_between_known_outcomes() {
    let text = in_turns(60);
    let mut session = reduction(&text);
    let mut run = Run::new(&mut session, RunOptions::default()).unwrap();
    loop {
        let is_late = session.inspect().event_count() > 300;
        if run.over(&mut session, is_late).unwrap() {
            break;
        }
        for probe in run.take(&mut session, &mut || false).unwrap() {
            let holds = probe.changes().unwrap().len() == text.len();
            run.answered(&mut session, probe.id, if holds { Outcome::Pass } else { Outcome::Fail }.into()).unwrap();
        }
    }
    assert_eq!(session.status(), Status::Budget);
    assert!(session.inspect().event_count() < 320, "{}", session.inspect().event_count());
}

#[test]
fn a_journal_without_equal_pieces_is_resumed() {
    let text = text();
    let mut options = options_in_text(&json!({}), &text).unwrap();
    assert!(!options.guess.as_ref().unwrap().repeats.is_empty());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    options.guess.as_mut().unwrap().repeats.clear();
    let mut before = Session::new(Box::new(Minimizer::new(text.len(), options).unwrap()));
    before.attach(&path, &Options::default()).unwrap();
    let whole = before.ask(1).unwrap().remove(0);
    before.tell(whole.id, Outcome::Pass.into()).unwrap();
    before.close();
    let mut session = reduction(&text);
    assert!(session.attach(&path, &Options::default()).unwrap().resumed);
    assert_eq!(session.runs(), 1);
}
