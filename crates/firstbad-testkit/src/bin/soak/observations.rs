//! Many observations told to one search.

use firstbad::{ChangeSet, Event, Observation, Target};
use firstbad_testkit::plays::Play;
use firstbad_testkit::scenes::Scene;
use firstbad_testkit::simulated::Random;

use crate::{Trouble, jobs, timed};

/// The number of revisions or items, each of which gets at most a hundred observations.
const ITEMS: usize = 1000;

/// The number of observations per batch, as from a store. After each batch, the search is asked, told an outcome, and reports.
const PAUSE: usize = 1000;

/// Tells `count` observations to a search of each kind.
pub(crate) fn soak(count: usize) -> Result<(), Trouble> {
    for kind in 0..Scene::KINDS {
        timed::at_two_sizes(&jobs::name(kind), count, |count| told(kind, count))?;
    }
    Ok(())
}

fn told(kind: usize, count: usize) -> Result<String, Trouble> {
    let flaky = matches!(kind, 9..=16);
    // Without flakes, each revision gets only one observation.
    let items = if flaky || kind >= 17 { ITEMS } else { count };
    let scene = Scene::sized(kind, 3, items);
    let mut play = Play::of(&scene, jobs::manner(&scene), Random::new(5))?;
    play.oracle.culprit = jobs::older(&scene);
    let mut together = Vec::new();
    for number in 0..count {
        let target = match play.search.inspect().algorithm() {
            "minimize" | "isolate" | "slice" => {
                let (from, step) = (number / 500, 2 + number % 500);
                Target { changes: Some((from..items).step_by(step).collect::<ChangeSet>()), ..Target::default() }
            }
            _ => Target::from((number * 7919 % items).to_string()),
        };
        let observation = Observation::from(play.oracle.answer(&target));
        together.push(Event::Observed { target, observation });
        if together.len() == PAUSE || number + 1 == count {
            play.search.apply_all(&mut together.iter())?;
            together.clear();
            if !play.search.is_done() && play.ask(1)? > 0 {
                play.tell()?;
                play.report()?;
            }
        }
    }
    play.report()?;
    Ok(format!("{} events, {:?}", play.search.inspect().event_count(), play.search.status()))
}
