//! Power cuts at every moment. Everything that was reported as saved is on disk.

use std::collections::HashSet;

use firstbad::Event;
use firstbad_testkit::disk::{Image, Loss};

use super::recorder::Failing;
use super::scene::{Place, SCENES, Scene, check_left};

/// The number of moments after which an error is no longer relevant: a header, some probes, and some outcomes.
const SOON: usize = 24;

/// Cuts the power at up to `most` moments from `from` on, and returns the number of cuts.
///
/// # Errors
/// The data that was lost.
fn cut_all(
    scene: Scene,
    place: &Place,
    (from, most): (usize, usize),
    random: u64,
    events: &[Event],
) -> Result<usize, String> {
    let undisturbed = scene.undisturbed();
    let (mut cuts, mut seen) = (0, HashSet::new());
    for moment in from..place.disk.moments().min(from.saturating_add(most)) {
        for loss in Loss::some(random) {
            let cut = place.disk.power_cut(moment, loss);
            cuts += 1;
            if !seen.insert(cut.clone()) {
                continue;
            }
            let (image, promised) = cut;
            check_left(scene, &image, promised, events, &undisturbed)
                .map_err(|words| format!("{scene:?}, moment {moment}, {loss:?}: {words}"))?;
        }
    }
    Ok(cuts)
}

/// Plays a run without failures.
fn plain(scene: Scene, idle: Option<&str>) -> Result<usize, String> {
    let place = Place::new(&Image::default());
    idle.into_iter().for_each(|name| place.disk.skip_syncs(name));
    let played = place.play(scene, 0).unwrap();
    cut_all(scene, &place, (0, usize::MAX), 20, &played.events)
}

/// Kills a run at each disk call without a power cut and resumes it. Data that the killed run had not synced must not be lost
/// after the journal is opened.
fn killed(scene: Scene, idle: Option<&str>) -> Result<usize, String> {
    let mut cuts = 0;
    for call in 0.. {
        let place = Place::new(&Image::default());
        idle.into_iter().for_each(|name| place.disk.skip_syncs(name));
        place.disk.fail(Failing::Killed(call));
        if place.play(scene, 0).is_ok() {
            return Ok(cuts);
        }
        let from = place.disk.moments();
        place.disk.fail(Failing::default());
        let played = place.play(scene, 0).unwrap();
        cuts += cut_all(scene, &place, (from, SOON), 1, &played.events)
            .map_err(|words| format!("killed at {call}: {words}"))?;
    }
    unreachable!()
}

#[test]
fn power_cuts_lose_nothing_that_was_promised() {
    let cuts: Vec<_> = SCENES.map(|scene| plain(scene, None).unwrap()).into();
    println!("{cuts:?} power cuts");
}

#[test]
fn power_cuts_after_a_kill_lose_nothing_that_was_promised() {
    let cuts: Vec<_> = SCENES.map(|scene| killed(scene, None).unwrap()).into();
    println!("{cuts:?} power cuts");
}

#[test]
fn power_cuts_after_a_failure_lose_nothing_that_was_promised() {
    let mut cuts = 0;
    for scene in SCENES {
        let whole = Place::new(&Image::default());
        whole.play(scene, 0).unwrap();
        for call in 0..whole.disk.calls() {
            for row in 1..3 {
                let place = Place::new(&Image::default());
                place.disk.fail(Failing::Some(call..call + row, 2));
                let played = place.play(scene, row).unwrap();
                let words = |words| format!("{row} failures from {call}: {words}");
                cuts += cut_all(scene, &place, (place.disk.failed(), SOON), 1, &played.events).map_err(words).unwrap();
            }
        }
    }
    println!("{cuts} power cuts");
}

/// Without any one of the syncs, some power cut loses data, so every sync is needed.
#[test]
fn a_missing_sync_is_detected() {
    for scene in SCENES {
        let place = Place::new(&Image::default());
        place.play(scene, 0).unwrap();
        let names = place.disk.synced();
        assert!(names.len() >= 4, "{names:?}");
        for name in &names {
            let lost = killed(scene, Some(name)).and_then(|_| plain(scene, Some(name)));
            assert!(lost.is_err(), "{scene:?}: {name} is synced in vain");
            println!("{scene:?}, {name}: {}", lost.unwrap_err());
        }
    }
}
