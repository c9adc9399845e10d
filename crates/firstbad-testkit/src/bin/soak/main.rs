//! The program that `make soak` runs: long and large searches. It prints times and memory, and exits with 1 if memory grows.
//!
//! ```text
//! soak history [COMMITS [LEAVES]]     a history of a million commits with merges, 1,000 of its leaves bad
//! soak observations [COUNT]           100,000 observations told to one search, of each kind
//! soak jobs [JOBS [ITEMS]]            64 probes in flight, answered in any order, of each kind
//! soak searches [SECONDS [SEED]]      random searches of every kind for an hour
//! ```
//!
//! The first three run at a tenth of the size and then at full size. If ten times the work takes much more than ten times as
//! long, the line has the factor.

use std::error::Error;
use std::process::ExitCode;

use peak_alloc::PeakAlloc;

mod history;
mod jobs;
mod memory;
mod observations;
mod searches;
mod timed;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The error of a failed run.
type Trouble = Box<dyn Error>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("soak: {trouble}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> Result<(), Trouble> {
    let number = |place: usize, default: u64| match words.get(place) {
        None => Ok(default),
        Some(word) => word.parse::<u64>().map_err(|error| format!("{word:?} is no number: {error}")),
    };
    let size = |place, default| number(place, default).map(|number| number as usize);
    match words.first().map(String::as_str) {
        Some("history") => history::soak(size(1, 1_000_000)?, size(2, 1000)?),
        Some("observations") => observations::soak(size(1, 100_000)?),
        Some("jobs") => jobs::soak(size(1, 64)?, size(2, 2000)?),
        Some("searches") => searches::soak(number(1, 3600)?, number(2, 0)?),
        _ => Err("history, observations, jobs or searches".into()),
    }
}
