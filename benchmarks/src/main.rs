//! Measures firstbad against git and other tools: how often it asks, where it ends, what it costs. See README.md.

mod decisions;
mod faces;
mod figure;
mod flaky;
mod graphs;
mod journal;
mod memory;
mod numbers;
mod options;
mod parallel;
mod parts;
mod prior;
mod recorded;
mod reduction;
mod repositories;
mod rounds;
mod slicing;
mod speed;
mod statistics;
mod suspects;
mod time;
mod triage;

use std::process::ExitCode;

use crate::options::Options;

const USAGE: &str = "usage:
  firstbad-benchmarks recorded DATA [--good oldest|roots] [--only PROJECT] [--dump CSV] [--json FILE] [--no-git]
  firstbad-benchmarks speed DATA [--json FILE]
  firstbad-benchmarks flaky DATA [--trials N] [--only PART] [--json FILE] [--python PROGRAM]
  firstbad-benchmarks reduction [--trials N] [--only PART] [--json FILE] [--python PROGRAM]
  firstbad-benchmarks slicing [--trials N] [--only WAY]
  firstbad-benchmarks journal [--trials N] [--only PART] [--json FILE]
  firstbad-benchmarks suspects DATA REPOS [--only PROJECT] [--trials N] [--dump CSV]
  firstbad-benchmarks prior DATA REPOS [--only PROJECT]
  firstbad-benchmarks pairs REPOS [--only PROJECT] [--trials N] [--dump CSV]
  firstbad-benchmarks rounds DATA [--only lists|clock|histories] [--trials N]
  firstbad-benchmarks triage DATA [--trials N] [--seed N]... [--only PART] [--json FILE]
  firstbad-benchmarks numbers [--trials N] [--seed N] [--only PART] [--json FILE]
  firstbad-benchmarks decisions [--trials N] [--python PROGRAM]
  firstbad-benchmarks faces DATA [--python PROGRAM] [--node PROGRAM]
  firstbad-benchmarks all DATA [--repositories REPOS] [any of these]

DATA is a folder with histories/*.json.gz and graphs/*.json.gz (record.py makes such files).
REPOS is a folder with the repositories of those projects: owner+name, owner+name.git or owner+name/repo.";

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<(String, Options), String> {
    let command = arguments.next().ok_or("a command is needed")?;
    let mut options = Options::default();
    // These are made from seeds and from what lies beside the program.
    if !["reduction", "slicing", "journal", "decisions", "numbers", "pairs"].contains(&command.as_str()) {
        options.data = arguments.next().ok_or("DATA is needed")?.into();
    }
    if ["suspects", "prior", "pairs"].contains(&command.as_str()) {
        options.repositories = Some(arguments.next().ok_or("REPOS is needed")?.into());
    }
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--good" => match value()?.as_str() {
                "oldest" => options.roots = false,
                "roots" => options.roots = true,
                other => return Err(format!("--good {other}: oldest or roots")),
            },
            "--only" => options.only = Some(value()?),
            "--dump" => options.dump = Some(value()?.into()),
            "--json" => options.json = Some(value()?.into()),
            "--repositories" => options.repositories = Some(value()?.into()),
            "--python" => options.python = Some(value()?),
            "--node" => options.node = Some(value()?),
            "--trials" => {
                let trials = value()?;
                let number = trials.parse().ok().filter(|&number| number > 0);
                options.trials = Some(number.ok_or(format!("--trials {trials}: a number above 0"))?);
            }
            "--seed" => {
                let seed = value()?;
                options.seeds.push(seed.parse().map_err(|_| format!("--seed {seed}: a number, 0 or above"))?);
            }
            "--no-git" => options.no_git = true,
            other => return Err(format!("unknown argument {other}")),
        }
    }
    Ok((command, options))
}

/// Everything, in one go; the figures of `--json` are those of the recorded histories.
fn all(options: &Options) -> Result<bool, String> {
    let git = std::process::Command::new("git").arg("--version").output().map_err(|error| format!("git: {error}"))?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    println!(
        "# Figures\n\n{}, {cores} cores. Made by `firstbad-benchmarks all`; see README.md for the method.\n",
        String::from_utf8_lossy(&git.stdout).trim()
    );
    let sound = recorded::run(options)?;
    println!();
    speed::run(&Options { data: options.data.clone(), ..Options::default() })?;
    println!();
    flaky::run(&Options {
        data: options.data.clone(),
        python: options.python.clone(),
        trials: options.trials,
        ..Options::default()
    })?;
    println!();
    let exact = reduction::run(&Options { python: options.python.clone(), ..Options::default() })?;
    println!();
    journal::run(&Options::default())?;
    println!();
    suspects::run(&Options {
        data: options.data.clone(),
        repositories: options.repositories.clone(),
        ..Options::default()
    })?;
    println!();
    decisions::run(&Options { python: options.python.clone(), ..Options::default() })?;
    println!();
    faces::run(options)?;
    Ok(sound && exact)
}

fn main() -> ExitCode {
    let (command, options) = match parse(std::env::args().skip(1)) {
        Ok(parsed) => parsed,
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let done = match command.as_str() {
        "recorded" => recorded::run(&options),
        "speed" => speed::run(&options),
        "flaky" => flaky::run(&options),
        "reduction" => reduction::run(&options),
        "slicing" => slicing::run(&options),
        "journal" => journal::run(&options),
        "suspects" => suspects::run(&options),
        "prior" => prior::run(&options),
        "pairs" => prior::pairs::run(&options),
        "rounds" => rounds::run(&options),
        "decisions" => decisions::run(&options),
        "faces" => faces::run(&options),
        "triage" => triage::run(&options),
        "numbers" => numbers::run(&options),
        "all" => all(&options),
        // Measurements of memory in their own process, which `speed` and `triage` start.
        "child" if options.only.as_deref() == Some("triage") => triage::run_child(&options.data),
        "child" => speed::run_child(options.only.as_deref().unwrap_or_default(), &options.data),
        other => Err(format!("unknown command {other}\n{USAGE}")),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
