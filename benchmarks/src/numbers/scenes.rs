//! Other histories than a list with one step, and the time of a decision.

use firstbad_testkit::simulated::Random;

use super::play::{answer, config, search};
use super::table::{Score, seeds};
use super::world::{Machine, Noise, World};
use crate::figure::{Aim, Figure};
use crate::options::Options;
use crate::time::processor_seconds;

type Scene = fn(&mut Random) -> Result<World, String>;

fn step(world: &mut World, random: &mut Random, effect: f64) {
    let suspect = 1 + random.below(world.suspects() as u64) as u32;
    world.steps.push((suspect, effect.ln_1p()));
}

fn long(random: &mut Random) -> Result<World, String> {
    let mut world = World::list(1000)?;
    step(&mut world, random, 0.05);
    Ok(world)
}

fn stretches(random: &mut Random) -> Result<World, String> {
    let mut world = World::list(100)?;
    for place in 1..100 {
        if random.chance(20) {
            let length = 1 + (-5.0 * (1.0 - random.fraction()).ln()) as usize;
            (place..(place + length).min(100)).for_each(|place| world.unresolved[place] = true);
        }
    }
    step(&mut world, random, 0.05);
    Ok(world)
}

fn nothing(_: &mut Random) -> Result<World, String> {
    World::list(100)
}

fn tiny(random: &mut Random) -> Result<World, String> {
    let mut world = World::list(100)?;
    step(&mut world, random, 0.003);
    Ok(world)
}

fn ramp(random: &mut Random) -> Result<World, String> {
    let mut world = World::list(100)?;
    let first = 1 + random.below(80) as u32;
    world.steps = (first..first + 20).map(|place| (place, 0.003)).collect();
    Ok(world)
}

fn merges(random: &mut Random) -> Result<World, String> {
    let mut parents: Vec<(String, Vec<String>)> = vec![("r0".into(), Vec::new())];
    let name = |place: usize| format!("r{place}");
    let mut tip = 0;
    while parents.len() < 200 {
        // A branch of up to five commits beside one of up to three, and their merge.
        let mut ends = [tip; 2];
        for (branch, length) in [1 + random.below(5), random.below(4)].into_iter().enumerate() {
            for _ in 0..length {
                parents.push((name(parents.len()), vec![name(ends[branch])]));
                ends[branch] = parents.len() - 1;
            }
        }
        if ends[1] != tip && ends[0] != tip {
            parents.push((name(parents.len()), vec![name(ends[0]), name(ends[1])]));
        }
        tip = parents.len() - 1;
    }
    let graph = firstbad::CommitGraph::new(parents).map_err(|error| error.to_string())?;
    let unresolved = vec![false; graph.len()];
    let mut world = World { graph: graph.into(), steps: Vec::new(), unresolved };
    step(&mut world, random, 0.05);
    Ok(world)
}

const SCENES: [(&str, Scene, f64); 6] = [
    ("list of 1,000", long, 0.01),
    ("about 10% without a number", stretches, 0.01),
    ("merges", merges, 0.01),
    ("no change", nothing, 0.01),
    ("a change of 0.3%", tiny, 0.01),
    ("a ramp of 6% in 20 commits", ramp, 0.01),
];

pub(super) fn run(options: &Options) -> Result<Vec<Figure>, String> {
    let seeds = seeds(options, 200);
    println!(
        "### Other histories\n\nA step of 5% unless said otherwise, normal noise of 1%, {} trials.\n",
        seeds.len()
    );
    println!("| history | right | set with the culprit | wrong | undecided | measurements | most |");
    println!("|---|---|---|---|---|---|---|");
    for (name, scene, deviation) in SCENES {
        let (mut score, mut most) = (Score::default(), 0);
        for &seed in &seeds {
            let world = scene(&mut Random::new(seed))?;
            let mut machine = Machine::new(&world, Noise::Normal, deviation, seed ^ 0x5eed);
            let config = config(&machine);
            let answer = answer(&mut machine, config)?;
            score.add(&machine, &answer);
            most = most.max(machine.count);
        }
        let share = |sum: f64| format!("{:.3}", sum / score.trials);
        let rest = score.trials - score.right - score.sets - score.wrong;
        let cells = [score.right, score.sets, score.wrong, rest].map(share).join(" | ");
        println!("| {name} | {cells} | {:.1} | {most} |", score.measurements / score.trials);
    }
    Ok(Vec::new())
}

/// Measures the time of a decision with 1,000 suspects and 150 measurements.
pub(super) fn decisions(options: &Options) -> Result<Vec<Figure>, String> {
    println!("### Decisions\n\n1,000 suspects, processor time.\n\n| target | measured | aim | |\n|---|---|---|---|");
    let mut figures = Vec::new();
    for (name, scene) in [("line", long as Scene), ("merges", merges)] {
        let mut random = Random::new(options.seeds.first().copied().unwrap_or(1));
        let mut world = scene(&mut random)?;
        world.steps.iter_mut().for_each(|step| step.1 = 0.03);
        let mut machine = Machine::new(&world, Noise::Normal, 0.2, 3);
        let config = config(&machine);
        let (seconds, report) = processor_seconds(|| search(&mut machine, config));
        let decisions = report?.measurements as f64;
        let what = format!("{name}: mean of {decisions} decisions");
        let figure = Figure::aimed(what, 1000.0 * seconds / decisions, "ms", Aim::AtMost(20.0));
        figure.print();
        figures.push(figure);
    }
    Ok(figures)
}
