//! Many probes in flight.

use firstbad_testkit::plays::{Manner, Play};
use firstbad_testkit::scenes::Scene;
use firstbad_testkit::simulated::Random;

use crate::{Trouble, timed};

/// Plays searches of each kind over `items` revisions or items, with `jobs` probes in flight, and tells their outcomes in any
/// order.
pub(crate) fn soak(jobs: usize, items: usize) -> Result<(), Trouble> {
    for kind in 0..Scene::KINDS {
        let name = name(kind);
        timed::at_two_sizes(&name, items, |items| {
            let scene = Scene::sized(kind, 3, items);
            let mut play = Play::of(&scene, manner(&scene), Random::new(5))?;
            play.oracle.culprit = older(&scene);
            let mut widest = 0;
            while !play.search.is_done() {
                let room = jobs - play.flying.len();
                if room > 0 {
                    play.ask(room)?;
                }
                widest = widest.max(play.flying.len());
                match (play.flying.is_empty(), play.search.is_done()) {
                    (false, _) => play.tell()?,
                    (true, true) => {}
                    (true, false) => return Err("stuck".into()),
                }
            }
            Ok(format!("{} answers, up to {widest} in flight, {:?}", play.told.len(), play.search.status()))
        })?;
    }
    Ok(())
}

/// Returns the test that a scene's search expects. The culprit breaks or fixes a property. In some reductions, a pass means that
/// the property holds.
pub(crate) fn manner(scene: &Scene) -> Manner {
    let holds = matches!(scene.algorithm, "minimize" | "isolate" | "slice") && scene.configuration["keep"] != "fail";
    if holds || scene.configuration["find"] == "fix" { Manner::Mends } else { Manner::Breaks }
}

/// Returns an older revision, or the one to verify if the search has one.
pub(crate) fn older(scene: &Scene) -> usize {
    let said = scene.configuration["culprit"].as_str().and_then(|culprit| culprit.parse().ok());
    let mut place = scene.items - 1;
    while place > scene.items / 3 {
        place = scene.parents[place][0];
    }
    said.unwrap_or(place.max(1))
}

/// Returns the name of a kind of search.
pub(crate) fn name(kind: usize) -> String {
    let scene = Scene::sized(kind, 0, 2);
    let way = ["search", "strategy", "algorithm"].iter().find_map(|field| scene.configuration[field].as_str());
    format!("{kind:2} {} {}", scene.algorithm, way.unwrap_or_default())
}
