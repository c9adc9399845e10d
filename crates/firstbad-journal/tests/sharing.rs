//! Outcomes that are shared, where that fails: it costs runs, and no answer.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod play;

use std::sync::{Arc, Mutex};

use firstbad::{Error, Observation, Outcome, OutcomeCache, Search, Target};
use firstbad_journal::read;
use play::{Game, report};

const GAME: Game = Game::Linear(12);

/// What is kept, and how many calls there are until all fail.
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
fn whichever_call_to_a_store_fails_no_answer_is_lost() {
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
        // Whoever has waited for it once does not wait for it again.
        assert_eq!(shelf.calls, left + 1);
    }
}

#[test]
fn what_could_not_be_written_to_the_journal_is_shared() {
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

/// A belief is weighed once for all that a store or a caller knows: the state is the same as one by one.
#[test]
fn what_is_known_together_is_known_as_one_by_one() {
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
