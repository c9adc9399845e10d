//! What a question costs besides its answer.

use firstbad::reduction::Method;
use firstbad::{Minimizer, Outcome, ReductionConfig, Search};

use super::bench::Bench;
use super::play::{OURS, Reducer, name, play};
use super::problem::Problem;
use crate::figure::{Aim, Figure};
use crate::statistics::median;
use crate::time::processor_seconds;

const COUNT: usize = 4096;
const NEEDED: usize = 30;
const ROUNDS: u64 = 9;

/// Questions in a round, at least: the account of processor time is kept in ticks.
const QUESTIONS: f64 = 50_000.0;

/// One table: asking and telling, in processor time, over the number of sets asked.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### A question\n\n{COUNT} items, {NEEDED} needed, scattered; the median of {ROUNDS} lists, each reduced again and again with \
         answers known before. The search is made outside the clock.\n\n| algorithm | sets asked | us per question |\n|---|---|---|"
    );
    for reducer in OURS {
        let Reducer::Ours(algorithm) = reducer else { continue };
        let (mut asked, mut spent) = (0.0, Vec::new());
        for round in 0..ROUNDS {
            let problem = Problem::scattered(COUNT, NEEDED, round);
            let mut answers = Vec::new();
            play(reducer, COUNT, &ReductionConfig::default(), &mut |set| {
                answers.push(problem.outcome(set));
                answers[answers.len() - 1]
            })?;
            let searches = (QUESTIONS / answers.len() as f64).ceil() as usize;
            let make = || Minimizer::new(COUNT, ReductionConfig::default().algorithm(algorithm));
            let mut ready = (0..searches).map(|_| make()).collect::<Result<Vec<_>, _>>().map_err(words)?;
            let (seconds, done) = processor_seconds(|| ready.iter_mut().try_for_each(|one| replay(one, &answers)));
            done?;
            let questions = (searches * answers.len()) as f64;
            asked += answers.len() as f64 / ROUNDS as f64;
            spent.push(1e6 * seconds / questions);
        }
        let each = median(spent);
        println!("| {} | {asked:.1} | {each:.2} |", name(algorithm));
        if algorithm == Method::Auto {
            bench.target(Figure::aimed(format!("{COUNT} items, auto: a question"), each, "us", Aim::AtMost(1.0)));
        }
    }
    bench.progress("overhead");
    Ok(())
}

/// One reduction whose answers are known.
fn replay(search: &mut Minimizer, answers: &[Outcome]) -> Result<(), String> {
    for &answer in answers {
        let probe = search.ask(1).map_err(words)?.pop().ok_or("asks nothing")?;
        search.tell(probe.id, answer.into()).map_err(words)?;
    }
    if search.is_done() { Ok(()) } else { Err("asks for more than before".to_owned()) }
}

fn words(error: firstbad::Error) -> String {
    error.to_string()
}
