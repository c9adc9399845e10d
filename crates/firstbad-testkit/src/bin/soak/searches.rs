//! Random searches of every kind in sequence, none of which may leak memory.

use std::time::{Duration, Instant};

use firstbad::Search;
use firstbad_testkit::plays::{Manner, Play};
use firstbad_testkit::scenes::Scene;
use firstbad_testkit::simulated::Random;

use crate::{HEAP, Trouble, memory};

/// The total number of samples of resident memory.
const SAMPLES: u32 = 1200;

/// The number of samples per printed line.
const LINES: usize = 60;

/// The maximum number of outcomes that a search is told.
const MOST: usize = 150;

/// Plays searches for `seconds` seconds.
pub(crate) fn soak(seconds: u64, seed: u64) -> Result<(), Trouble> {
    let mut random = Random::new(seed);
    let mut samples: Vec<u64> = Vec::with_capacity(SAMPLES as usize + 1);
    let (start, length) = (Instant::now(), Duration::from_secs(seconds));
    let (mut plays, mut told) = (0, 0);
    println!("{:?} of random searches, from the seed {seed}", length);
    // One search of each kind creates all values that are cached for the whole process.
    for kind in 0..Scene::KINDS {
        let scene = Scene::new(kind, random.draw());
        told += played(Play::of(&scene, Manner::Breaks, Random::new(random.draw()))?)?;
    }
    let heap = HEAP.current_usage();
    while start.elapsed() < length || samples.is_empty() {
        for _ in 0..20 {
            told += played(Play::new(random.draw())?)?;
            plays += 1;
        }
        if start.elapsed() >= length / SAMPLES * samples.len() as u32 {
            samples.push(memory::resident().unwrap_or_default());
            if samples.len() % LINES == 1 {
                line(start.elapsed(), plays, told, &samples);
            }
        }
    }
    line(start.elapsed(), plays, told, &samples);
    let left = HEAP.current_usage() as i64 - heap as i64;
    println!("heap left behind by {plays} searches: {left} bytes");
    match memory::growth(&samples) {
        _ if left != 0 => Err(format!("{left} bytes stayed behind").into()),
        Some(growth) if memory::is_growing(growth) => Err(format!("resident memory grew by {growth} bytes").into()),
        Some(growth) => {
            println!("resident memory after the warm-up grew by {growth} bytes: flat");
            Ok(())
        }
        None => Ok(()),
    }
}

fn line(time: Duration, plays: u64, told: usize, samples: &[u64]) {
    let resident = samples.last().map_or(0.0, |&bytes| bytes as f64 / f64::from(1 << 20));
    println!("{:7.0} s  {plays:9} searches  {told:10} answers  {resident:7.1} MiB resident", time.as_secs_f64());
}

/// Plays a search to its end or until its budget is used up, with random other operations. Returns the number of outcomes that
/// the search was told.
fn played(mut play: Play) -> Result<usize, Trouble> {
    let most = play.bound().min(MOST);
    let width = 1 + play.random.below(64) as usize;
    while play.told.len() < most && !(play.search.is_done() && play.flying.is_empty()) {
        let k = 1 + play.random.below(width as u64) as usize;
        if !play.search.is_done() && play.ask(k)? == 0 && play.flying.is_empty() && !play.search.is_done() {
            return Err(format!("stuck: {:?}", play.search.inspect().configuration()).into());
        }
        if !play.flying.is_empty() {
            play.tell()?;
        }
        match play.random.below(40) {
            0 if !play.flying.is_empty() => {
                let probe = play.flying.swap_remove(0);
                play.search.abandon(probe.id)?;
            }
            1 if !play.told.is_empty() => play.search.undo(1)?,
            2 => continued(&mut play)?,
            _ => {}
        }
    }
    play.report()?;
    Ok(play.told.len())
}

/// Continues the search from its snapshot.
fn continued(play: &mut Play) -> Result<(), Trouble> {
    let inspect = play.search.inspect();
    let again: Box<dyn Search> = firstbad::restore(inspect.algorithm(), inspect.world(), &inspect.snapshot()?)?;
    play.search = again;
    Ok(())
}
