//! Measures firstbad beside the papers and other tools. See README.md.

mod csv;
mod culprits;
mod memory;
mod numbers;
mod options;
mod parallel;
mod problem;
mod quick;
mod regressions;
mod scale;
mod slicing;
mod suspects;
mod time;
mod triage;

use std::process::ExitCode;

use crate::options::Options;

const USAGE: &str = "usage: firstbad-benchmarks MEASUREMENT [DATA] [--to FOLDER] [--trials N] [--seed N]... [--python PROGRAM]
       firstbad-benchmarks quick [--record]

Each measurement writes CSV files to FOLDER (default: benchmarks/data). DATA is a folder with histories/, graphs/, and
repositories/. These measurements need it: regressions, culprits, suspects, triage. These do not: peers, slices, numbers, scale.";

type Measure = fn(&Options) -> Result<(), String>;

/// The measurements, and whether they need data.
const MEASUREMENTS: [(&str, bool, Measure); 8] = [
    ("regressions", true, regressions::run),
    ("culprits", true, culprits::run),
    ("suspects", true, suspects::run),
    ("triage", true, triage::run),
    ("peers", false, culprits::run_peers),
    ("slices", false, slicing::run),
    ("numbers", false, numbers::run),
    ("scale", false, scale::run),
];

fn run(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["quick"] => return quick::run(false),
        ["quick", "--record"] => return quick::run(true),
        ["child", series, size] => return scale::run_child(series, size),
        _ => {}
    }
    let mut words = words.into_iter();
    let name = words.next().ok_or(USAGE)?;
    let found = MEASUREMENTS.iter().find(|(other, ..)| *other == name);
    let (_, needs_data, measure) = found.ok_or_else(|| format!("unknown measurement {name}\n{USAGE}"))?;
    let data = if *needs_data { words.next().ok_or_else(|| format!("{name} needs DATA\n{USAGE}"))? } else { "" };
    let to = concat!(env!("CARGO_MANIFEST_DIR"), "/data").into();
    let mut options = Options { data: data.into(), to, trials: None, seeds: Vec::new(), python: None };
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value\n{USAGE}"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word} {value}: not a number"));
        match word {
            "--to" => options.to = value.into(),
            "--trials" => options.trials = Some(number()?.max(1)),
            "--seed" => options.seeds.push(number()?),
            "--python" => options.python = Some(value.into()),
            _ => return Err(format!("unknown option {word}\n{USAGE}")),
        }
    }
    measure(&options)
}

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
