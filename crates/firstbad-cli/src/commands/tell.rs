//! `firstbad tell`.

use std::path::{Path, PathBuf};

use firstbad::{Error, Event, Observation, Outcome, Search as _, Status, Target};
use firstbad_journal::Session;
use firstbad_oracle::TestRecord;
use firstbad_report::Exit;
use serde::Serialize;
use serde_json::{Map, Value};

use super::metric;
use super::triage::{reported, runner};
use crate::args::{Naming, TellArgs, ToldOutcome};
use crate::ending::Reading;
use crate::opened_journal::{OpenedJournal, history_of};
use crate::{failure, input, known, printed, streams};

/// The probe of an outcome.
#[derive(Debug, Clone)]
enum Which {
    Id(u64),
    Target(Target),
}

/// The outcome of a probe.
#[derive(Debug, Clone)]
enum Said {
    Seen(Box<Observation>),
    Abandon,
}

/// The output (docs/schema/told.json).
#[derive(Serialize)]
struct Told {
    schema: u32,
    status: Status,
    done: bool,
    /// The number of runs.
    runs: u64,
    told: Vec<One>,
    refused: Vec<Refused>,
}

/// A recorded outcome.
#[derive(Serialize)]
struct One {
    /// The probe, or `None` if the revision was not asked.
    id: Option<u64>,
    #[serde(flatten)]
    target: Option<Target>,
    outcome: &'static str,
}

/// A refused outcome.
#[derive(Serialize)]
struct Refused {
    /// The file and the line.
    source: String,
    /// The code of the error.
    code: &'static str,
    message: String,
}

/// Records one outcome, or the outcomes of files.
pub(super) fn run(args: &TellArgs) -> Result<Exit, Error> {
    let given = if args.from.is_empty() { None } else { Some(entries(&args.from)) };
    let mut at = OpenedJournal::to_write(&args.at)?;
    let reading = Reading::of(args.preset.as_deref(), &args.treat, at.session.header())?;
    let (mut told, mut refused) = (Vec::new(), Vec::new());
    match given {
        None => {
            let (which, said) = single(&at, args, &reading)?;
            told.push(tell(&mut at, which, said)?);
        }
        Some(entries) => {
            for (source, entry) in entries {
                let done = entry.and_then(|entry| read(&at, entry, &reading));
                match done.and_then(|(which, said)| tell(&mut at, which, said)) {
                    Ok(one) => told.push(one),
                    // If the journal cannot be written, later outcomes also fail.
                    Err(error @ Error::Journal { .. }) => return Err(error),
                    Err(error) => {
                        let message = failure::words(&error);
                        streams::note(format_args!("{source}: {message}"));
                        refused.push(Refused { source, code: error.code(), message });
                    }
                }
            }
        }
    }
    let exit = if refused.is_empty() { Exit::Done } else { Exit::Usage };
    let (status, done, runs) = (at.session.status(), at.session.is_done(), at.session.runs());
    streams::json(&Told { schema: 1, status, done, runs, told, refused })?;
    Ok(exit)
}

/// Returns the outcome of the command line.
fn single(at: &OpenedJournal, args: &TellArgs, reading: &Reading) -> Result<(Which, Said), Error> {
    let Some(probe) = &args.probe else {
        return Err(Error::invalid_value(
            "PROBE",
            String::new(),
            "no probe\nhelp: give the id of a probe from `firstbad ask`, the tested revision, or --from FILE",
        ));
    };
    let which = which(at, probe, args.naming)?;
    let outcome = match (args.outcome, args.exit_code) {
        _ if args.number.is_some() => Observation {
            metric: args.number,
            control: args.control_number,
            censored: args.censored,
            ..Observation::new(Outcome::Pass)
        },
        (Some(ToldOutcome::Pass | ToldOutcome::Fail), _) if metric::is_searched(&at.session) => {
            let outcome = if args.outcome == Some(ToldOutcome::Pass) { "pass" } else { "fail" };
            let expected = "--number N instead, or unresolved, because this search compares numbers";
            return Err(Error::invalid("OUTCOME", outcome, expected));
        }
        _ if !args.results.is_empty() => of_reports(at, &args.results, which.clone())?,
        (Some(ToldOutcome::Abandon), _) => {
            if let (None, Some(target)) = at_hand(at, which.clone()) {
                let expected = "a revision with a probe that has no outcome yet";
                return Err(Error::invalid("PROBE", target.to_string(), expected));
            }
            return Ok((which, Said::Abandon));
        }
        (Some(ToldOutcome::Pass), _) => Observation::new(Outcome::Pass),
        (Some(ToldOutcome::Fail), _) => Observation::new(Outcome::Fail),
        (Some(ToldOutcome::Unresolved), _) => Observation::new(Outcome::Unresolved),
        (None, Some(code)) => {
            let output = args.output.as_deref().map(input::read).transpose()?;
            match reading.observation(code, output.as_deref(), probe)? {
                Some(seen) => seen,
                None => return Ok((which, Said::Abandon)),
            }
        }
        (None, None) => {
            return Err(Error::invalid_value(
                "OUTCOME",
                String::new(),
                "no outcome\nhelp: give pass, fail, unresolved, abandon, --exit-code CODE, --results FILE, or --number N",
            ));
        }
    };
    let mut observation = outcome;
    observation.signature.clone_from(&args.signature);
    observation.note = args.note.clone().or(observation.note);
    observation.seconds = args.seconds;
    observation.output = args.output.as_ref().map(|path| path.display().to_string());
    Ok((which, Said::Seen(Box::new(observation))))
}

/// Returns the observation of a probe's test reports.
fn of_reports(at: &OpenedJournal, files: &[PathBuf], which: Which) -> Result<Observation, Error> {
    let record = at.session.header().map(|header| TestRecord::read(&header.test)).transpose()?.unwrap_or_default();
    let wanted = at_hand(at, which).1.and_then(|target| at.session.inspect().tests(&target)).unwrap_or_default();
    let is_empty = |file: &&PathBuf| std::fs::metadata(file).is_ok_and(|found| found.len() == 0);
    let (empty, files): (Vec<&PathBuf>, Vec<&PathBuf>) = files.iter().partition(is_empty);
    empty.iter().for_each(|file| streams::note(format_args!("{} is empty, so it has no results", file.display())));
    let files: Vec<PathBuf> = files.into_iter().cloned().collect();
    Ok(Observation::of_results(reported(&files, at.repository.as_ref(), runner(&record), &wanted)?))
}

/// Returns the probe of PROBE. A number is an id unless it can only be a revision.
fn which(at: &OpenedJournal, text: &str, naming: Option<Naming>) -> Result<Which, Error> {
    let id = text.parse::<u64>().ok().filter(|_| naming != Some(Naming::Revision));
    let revision = |name: &str| at.revision("PROBE", name).map(|id| Which::Target(id.into()));
    match (id, naming) {
        (Some(id), Some(_)) => Ok(Which::Id(id)),
        (None, Some(Naming::Id)) => Err(Error::invalid("PROBE", text, "a number, because of --as id")),
        (Some(id), None) => {
            let exact = history_of(&at.session).is_some_and(|graph| graph.get(text).is_some());
            match (at.session.wanted(id).is_ok(), exact) {
                (true, true) => {
                    let expected = "--as id or --as revision as well, because a probe and a revision have this name";
                    Err(Error::invalid("PROBE", text, expected))
                }
                (true, false) => Ok(Which::Id(id)),
                // A short commit id can consist of digits only.
                _ => revision(text).or(Ok(Which::Id(id))),
            }
        }
        (None, _) => revision(text),
    }
}

/// Returns the probe without an outcome that is meant, and its target.
fn at_hand(at: &OpenedJournal, which: Which) -> (Option<u64>, Option<Target>) {
    match which {
        Which::Id(id) => (Some(id), asked(&at.session, id)),
        Which::Target(target) => {
            let mut flying = at.session.in_flight().into_iter();
            (flying.find(|probe| probe.target == target).map(|probe| probe.id), Some(target))
        }
    }
}

/// Records one outcome.
fn tell(at: &mut OpenedJournal, which: Which, said: Said) -> Result<One, Error> {
    let (id, target) = at_hand(at, which);
    let outcome = match &said {
        Said::Seen(observation) => observation.outcome.as_str(),
        Said::Abandon => "abandon",
    };
    match (id, &target, said) {
        (Some(id), _, Said::Seen(observation)) => at.session.tell(id, *observation)?,
        (Some(id), _, Said::Abandon) => at.session.abandon(id)?,
        (None, Some(target), Said::Seen(observation)) => at.session.observe(target, *observation)?,
        // An abandoned probe can be abandoned again.
        (None, _, Said::Abandon) | (None, None, _) => {}
    }
    Ok(One { id, target, outcome })
}

/// Returns the target of a probe.
fn asked(session: &Session, wanted: u64) -> Option<Target> {
    session.inspect().events(0).into_iter().find_map(|event| match event {
        Event::Asked { id, target, .. } if id == wanted => Some(target),
        _ => None,
    })
}

/// Returns the outcomes of files with their places.
fn entries(files: &[PathBuf]) -> known::Entries {
    let mut all = Vec::new();
    for file in files {
        let name = input::name(file);
        match input::read_text(file) {
            Ok(bytes) => all.extend(known::entries(&name, &String::from_utf8_lossy(&bytes))),
            Err(error) => all.push((name, Err(error))),
        }
    }
    all
}

/// Reads the outcome of a file.
fn read(at: &OpenedJournal, mut entry: Map<String, Value>, reading: &Reading) -> Result<(Which, Said), Error> {
    let which = match entry.remove("id") {
        Some(id) => {
            entry.remove("revision");
            entry.remove("changes");
            Which::Id(id.as_u64().ok_or_else(|| invalid("id", &id, "the number of a probe"))?)
        }
        None => {
            let mut target = known::target(&mut entry)?;
            if let (Some(name), None) = (&target.revision, &target.changes) {
                target.revision = Some(at.revision("revision", name)?);
            }
            Which::Target(target)
        }
    };
    if entry.get("outcome").and_then(Value::as_str) == Some("abandon") {
        return Ok((which, Said::Abandon));
    }
    if let Some(code) = entry.remove("exit_code") {
        if entry.contains_key("outcome") {
            return Err(invalid("exit_code", &code, "an outcome or an exit_code, not both"));
        }
        let number = code.as_i64().and_then(|code| i32::try_from(code).ok());
        let number = number.ok_or_else(|| invalid("exit_code", &code, "a whole number"))?;
        // The output can change the outcome of the exit code.
        let output = entry.get("output").and_then(Value::as_str).and_then(|path| printed::read(Path::new(path)));
        let name = match &which {
            Which::Id(id) => format!("of probe {id}"),
            Which::Target(target) => target.to_string(),
        };
        let Some(judged) = reading.observation(number, output.as_deref(), &name)? else {
            return Ok((which, Said::Abandon));
        };
        entry.insert("outcome".to_owned(), judged.outcome.as_str().into());
        if let (Some(note), false) = (judged.note, entry.contains_key("note")) {
            entry.insert("note".to_owned(), note.into());
        }
    }
    Ok((which, Said::Seen(Box::new(known::observation(entry)?))))
}

/// Returns an error that shows a JSON value.
fn invalid(name: &str, value: &Value, expected: &str) -> Error {
    Error::invalid(name, format_args!("{value}"), expected)
}
