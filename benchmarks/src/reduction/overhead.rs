//! What a question costs besides its answer.

use firstbad::reduction::Method;
use firstbad::{Minimizer, Outcome, ReductionConfig, Search};

use super::Bench;
use super::play::{OURS, Reducer, name};
use super::problem::Problem;
use crate::speed::{Aim, Figure, processor_seconds};
use crate::statistics::median;

const COUNT: usize = 4096;
const NEEDED: usize = 30;
const ROUNDS: u64 = 9;

/// Questions in a round, at least: the account of processor time is kept in ticks.
const QUESTIONS: f64 = 50_000.0;

/// One table: making the search, asking, telling and counting, in processor time, over the number of sets asked.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### A question\n\n{COUNT} items, {NEEDED} needed, scattered; the median of {ROUNDS} lists, each reduced again and again; all of it \
         with the oracle in the same process.\n\n| algorithm | sets asked | us per question |\n|---|---|---|"
    );
    for reducer in OURS {
        let Reducer::Ours(algorithm) = reducer else { continue };
        let (mut asked, mut spent) = (0.0, Vec::new());
        for round in 0..ROUNDS {
            let problem = Problem::scattered(COUNT, NEEDED, round);
            let (seconds, done) = processor_seconds(|| {
                let (mut questions, mut searches) = (0.0, 0.0);
                while questions < QUESTIONS {
                    questions += search(algorithm, &problem)?;
                    searches += 1.0;
                }
                Ok::<_, String>((questions, searches))
            });
            let (questions, searches) = done?;
            asked += questions / searches / ROUNDS as f64;
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

/// One reduction; the number of questions.
fn search(algorithm: Method, problem: &Problem) -> Result<f64, String> {
    let words = |error: firstbad::Error| error.to_string();
    let mut search = Minimizer::new(problem.count, ReductionConfig::default().algorithm(algorithm)).map_err(words)?;
    while !search.is_done() {
        let probe = search.ask(1).map_err(words)?.pop().ok_or("asks nothing")?;
        // Nothing depends on anything here: the oracle is a few lookups.
        let holds = problem.holds(probe.changes().ok_or("asks for no changes")?);
        search.tell(probe.id, if holds { Outcome::Pass } else { Outcome::Fail }.into()).map_err(words)?;
    }
    Ok(search.queries() as f64)
}
