//! Drivers that give wrong, repeated, late, and unexpected outcomes.

use firstbad::{Budget, ChangeSet, Error, MOST_IN_FLIGHT, Observation, Outcome, Search, StopReason, Target};
use firstbad_testkit::scenes::{Scene, show};

/// The maximum number of steps of a play.
const STEPS: usize = 300;

/// The first byte selects the search and the second the history. Every two following bytes are a step.
pub(super) fn take(input: &[u8]) {
    let [kind, seed, steps @ ..] = input else { return };
    let scene = Scene::new(usize::from(*kind) % Scene::KINDS, u64::from(*seed));
    let Ok(search) = scene.open() else { return };
    let mut driver = Driver { search, items: scene.items, asked: 0 };
    for step in steps.chunks_exact(2).take(STEPS) {
        driver.step(step[0], usize::from(step[1]));
    }
    driver.check();
}

struct Driver {
    search: Box<dyn Search>,
    items: usize,
    /// The number of probes so far. Their ids are lower.
    asked: u64,
}

impl Driver {
    fn step(&mut self, what: u8, which: usize) {
        match what % 16 {
            0..=2 => self.ask([1, 2, 3, 5, 8, 0, usize::MAX][which % 7]),
            3..=7 => self.answer(which),
            8 => allowed(self.search.tell(self.any_id(which), observation(which / 3))),
            9 => allowed(self.search.abandon(self.any_id(which))),
            10 => allowed(self.search.observe(&self.target(which), observation(which / 16))),
            11 => allowed(self.search.enqueue(&self.target(which))),
            12 => allowed(self.search.undo((which % 5) as u32)),
            13 => self.interfere(which),
            14 => self.again(which),
            _ => self.look(which),
        }
    }

    fn ask(&mut self, k: usize) {
        if k % 2 == 1 {
            allowed(show(&mut *self.search));
        }
        let before = self.search.in_flight().len();
        match self.search.ask(k) {
            Err(error) => assert!(k == 0, "{error}"),
            Ok(probes) => {
                assert!(probes.len() <= k && before + probes.len() <= MOST_IN_FLIGHT.max(before));
                let nothing_awaited = self.search.in_flight().is_empty() && self.search.reads().is_empty();
                assert!(!probes.is_empty() || !nothing_awaited || self.search.is_done(), "stuck");
                self.asked = probes.iter().map(|probe| probe.id + 1).fold(self.asked, u64::max);
            }
        }
    }

    /// Tells the outcome of a probe in flight.
    fn answer(&mut self, which: usize) {
        let flying = self.search.in_flight();
        if let Some(probe) = flying.get(which / 4 % flying.len().max(1)) {
            match self.search.tell(probe.id, observation(which)) {
                // The search may know another outcome by now.
                Ok(()) | Err(Error::Contradiction { .. } | Error::NonDeterministic { .. }) => {}
                Err(error) => assert!(observation(which).cost.is_some(), "{error}"),
            }
        }
    }

    /// Returns the id of a probe, which may not exist.
    fn any_id(&self, which: usize) -> u64 {
        match which {
            255 => u64::MAX,
            _ => which as u64 % (self.asked + 2),
        }
    }

    /// Returns a valid or invalid target.
    fn target(&self, which: usize) -> Target {
        let place = which % (self.items + 2);
        let changes = || ChangeSet::from_iter((0..self.items).filter(|item| which >> (item % 8) & 1 == 1));
        match self.search.inspect().algorithm() {
            "minimize" | "isolate" | "slice" if which != 200 => {
                Target { changes: Some(changes()), ..Target::default() }
            }
            _ if which == 201 => Target { changes: Some(changes()), ..Target::default() },
            _ => Target::from(place.to_string()),
        }
    }

    fn interfere(&mut self, which: usize) {
        match which % 6 {
            0 => allowed(self.search.stop(StopReason::Stopped)),
            1 => allowed(self.search.stop(StopReason::Budget)),
            2 => allowed(self.search.resume()),
            3 => allowed(self.search.set_budget(Budget { runs: Some(which as u64 / 6), ..Budget::default() })),
            4 => allowed(self.search.set_budget(Budget { cost: Some(f64::NAN), ..Budget::default() })),
            _ => allowed(self.search.set_budget(Budget::default())),
        }
    }

    /// Repeats an event, or applies one that never happened.
    fn again(&mut self, which: usize) {
        let events = self.search.inspect().events(0);
        if let Some(event) = events.get(which % events.len().max(1)) {
            allowed(self.search.apply(event));
            self.asked = self.search.in_flight().iter().map(|probe| probe.id + 1).fold(self.asked, u64::max);
        }
    }

    fn look(&mut self, which: usize) {
        let search = &mut self.search;
        let id = which as u64 % (self.asked + 2);
        match which % 4 {
            0 => allowed(search.wanted(id).map(|_| ())),
            1 => allowed(search.give(id, b"diff --git a/x b/x\n")),
            2 => {
                let mut games = 0;
                let mut keep_going = || {
                    games += 1;
                    games < 50
                };
                allowed(search.inspect().forecast(which / 4 % 5, &mut keep_going).map(|_| ()));
            }
            _ => {
                let _ = (search.inspect().posterior(), search.inspect().suspects());
            }
        }
    }

    /// Checks that the search can be restored from its snapshot.
    fn check(&self) {
        let inspect = self.search.inspect();
        let written = inspect.snapshot().expect("a JSON form");
        let again = firstbad::restore(inspect.algorithm(), inspect.world(), &written).expect("its own snapshot");
        assert_eq!(again.inspect().snapshot().expect("a JSON form"), written);
        assert_eq!(again.inspect().report_json(), inspect.report_json());
        assert_eq!(again.in_flight(), self.search.in_flight());
        assert_eq!(again.status(), self.search.status());
    }
}

/// Returns an observation of the driver.
fn observation(which: usize) -> Observation {
    let outcome = [Outcome::Fail, Outcome::Pass, Outcome::Unresolved, Outcome::Fail][which % 4];
    let mut seen = Observation::new(outcome);
    match which / 4 % 32 {
        7 => seen.signature = Some("another".into()),
        11 => seen.signature = Some("one".into()),
        13 => seen.cost = Some(f64::NAN),
        17 => seen.cost = Some(f64::MAX),
        19 => seen.ran = false,
        _ => {}
    }
    seen
}

/// Accepts success and expected errors.
fn allowed(answer: Result<(), Error>) {
    if let Err(error) = answer {
        assert!(error.code() != "internal", "{error}");
    }
}
