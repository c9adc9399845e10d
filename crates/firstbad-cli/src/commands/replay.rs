//! `firstbad replay`.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use firstbad::suspicion::SelectionReason;
use firstbad::{Error, Event, Find, Observation, Search, Status, Target};
use firstbad_git::{GraphOptions, Repository};
use firstbad_journal::{Contents, Options, Record, Session};
use firstbad_report::Exit;
use serde::Serialize;
use serde_json::{Value, json};

use super::metric;
use crate::answer;
use crate::args::{OutputArgs, ReplayArgs};
use crate::bisect_log::{self, BisectLog};
use crate::history;
use crate::known::{self, Known};
use crate::last_run;
use crate::opened_journal::history_of;
use crate::streams;
use crate::view::{count, number};

/// The maximum size of a bisect log in bytes, enough for half a million revisions.
const LONGEST_LOG: u64 = 1 << 26;

/// The first line of the JSON output (docs/schema/replay.json).
#[derive(Serialize)]
struct Begun<'a> {
    schema: u32,
    event: &'static str,
    /// The time in seconds since 1970.
    at: f64,
    id: &'a str,
    algorithm: &'a str,
    configuration: &'a Value,
    suspects: Option<usize>,
}

/// A step in the JSON output.
#[derive(Serialize)]
struct Step {
    schema: u32,
    /// The number of the step, from 1.
    step: usize,
    #[serde(flatten)]
    record: Record,
    /// The status after the step.
    status: Status,
    /// The number of runs so far.
    runs: u64,
    /// The number of suspects left, or `None` if it is unknown.
    suspects: Option<usize>,
    /// The reason for the probe, if the prior has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<SelectionReason>,
}

/// Removes the fields of the journal and the contents of reads from a record.
fn plain(record: &Record) -> Record {
    let mut record = Record { continues: false, ..record.clone() };
    if let Event::Read { content, .. } = &mut record.event {
        *content = None;
    }
    record
}

/// Prints the steps of a journal, or imports a bisect log.
pub(super) fn run(args: &ReplayArgs) -> Result<Exit, Error> {
    let file = &last_run::meant(args.file.as_deref(), args.repository.named(), None)?;
    let name = file.display().to_string();
    let failed = |message: String| Error::Io { action: format!("reading {name}"), message };
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|file| file.take(LONGEST_LOG + 1).read_to_end(&mut bytes))
        .map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    if bisect_log::is_one(&text) {
        if bytes.len() as u64 > LONGEST_LOG {
            return Err(failed(format!("it has more than {LONGEST_LOG} bytes")));
        }
        return bisected(args, &BisectLog::parse(&name, &text)?);
    }
    if let Some(journal) = &args.journal {
        let expected = format!("a git bisect log as FILE, and {name} is not a git bisect log");
        return Err(Error::invalid("--journal", journal, expected));
    }
    let contents = firstbad_journal::read(file)?;
    steps(args, file, &contents)
}

fn steps(args: &ReplayArgs, file: &Path, contents: &Contents) -> Result<Exit, Error> {
    let header = &contents.header;
    let (_, world) = history::world(file, contents, args.repository.named())?;
    let mut search = header.search(world)?;
    let left = |search: &dyn Search| search.inspect().suspects().map(|suspects| suspects.count_ones(..));
    let mut suspects = left(search.as_ref());
    if args.output.is_json() {
        streams::json(&Begun {
            schema: 1,
            event: "begun",
            at: header.created,
            id: &header.id,
            algorithm: &header.algorithm,
            configuration: &header.configuration,
            suspects,
        })?;
    } else {
        let counted = suspects.map(|left| format!(", {left} suspects")).unwrap_or_default();
        streams::print(&format!("      {}  {} search started{counted}\n", time(header.created), header.algorithm))?;
    }
    let mut asked: Vec<String> = Vec::new();
    for (step, record) in (1..).zip(&contents.records) {
        search.apply(&record.event)?;
        let answered = matches!(record.event, Event::Told { .. } | Event::Observed { .. } | Event::Undone { .. });
        if answered {
            suspects = left(search.as_ref());
        }
        let (mut why, mut reason) = (None, None);
        if let Event::Asked { target, .. } = &record.event {
            asked.push(shown(target));
            why = target.revision.as_deref().and_then(|revision| search.inspect().why(revision));
            // Searches that repeat runs have a reason for each.
            let has_reason = target.tests.is_some() || search.inspect().algorithm() == metric::ALGORITHM;
            reason = search.inspect().reason(target).filter(|_| has_reason);
        }
        let (status, runs) = (search.status(), search.runs());
        if args.output.is_json() {
            streams::json(&Step { schema: 1, step, record: plain(record), status, runs, suspects, why })?;
        } else {
            let mut line = format!("{step:>4}  {}  {}", time(record.at), words(&record.event, &asked));
            if answered {
                line += &suspects.filter(|&left| left > 0).map(|left| format!("  ({left} left)")).unwrap_or_default();
            }
            let reason = reason.or_else(|| why.map(|why| why.message));
            line += &reason.map(|reason| format!("  [{}]", firstbad_report::plain(&reason))).unwrap_or_default();
            streams::print(&(line + "\n"))?;
        }
    }
    if !args.output.is_json() {
        let word = search.status().as_str().replace('_', " ");
        streams::print(&format!("      {word} after {}\n", count(search.runs(), "run")))?;
    }
    Ok(Exit::Done)
}

/// Describes an observation, by its numbers if it has some.
fn described(observation: &Observation) -> String {
    let number = number(observation).map(|number| firstbad_report::plain(&number));
    number.unwrap_or_else(|| observation.describe())
}

/// Describes an event.
fn words(event: &Event, asked: &[String]) -> String {
    let about = |id: &u64| usize::try_from(*id).ok().and_then(|id| asked.get(id)).map_or("", String::as_str);
    match event {
        Event::Asked { id, target, confirms } => {
            format!("asked  #{id} {}{}", shown(target), if *confirms { " to confirm" } else { "" })
        }
        Event::Told { id, observation } => format!("told   #{id} {}: {}", about(id), described(observation)),
        Event::Abandoned { id } => format!("abandoned #{id} {}", about(id)),
        Event::Enqueued { target } => format!("next   {}", shown(target)),
        Event::Observed { target, observation } => format!("known  {}: {}", shown(target), described(observation)),
        Event::Undone { answers: 1 } => "undid the last outcome".to_owned(),
        Event::Undone { answers } => format!("undid the last {answers} outcomes"),
        Event::Stopped { reason } => match reason {
            firstbad::StopReason::Budget => "stopped: a limit was reached".to_owned(),
            firstbad::StopReason::Stopped => "stopped".to_owned(),
        },
        Event::Budgeted { budget } => match (budget.runs, budget.cost) {
            (None, None) => "no limit".to_owned(),
            (runs, cost) => {
                let runs = runs.map(|runs| count(runs, "run"));
                let cost = cost.map(|cost| format!("a cost of {cost}"));
                format!("limit: {}", runs.into_iter().chain(cost).collect::<Vec<_>>().join(" and "))
            }
        },
        Event::Read { id, .. } => format!("read   #{id}"),
        Event::Resumed => "resumed".to_owned(),
        // A later version can have other events.
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}

/// Returns the short name of a target.
fn shown(target: &Target) -> String {
    const LONG: usize = 12;
    match (&target.revision, &target.changes) {
        (Some(id), None) if id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) => id[..LONG].to_owned(),
        _ => target.to_string(),
    }
}

/// Formats a time in UTC.
fn time(at: f64) -> String {
    // The format ends with the year 9999.
    let at = if (0.0..253_402_300_800.0).contains(&at) { at } else { 0.0 };
    let since = std::time::Duration::try_from_secs_f64(at).unwrap_or_default();
    humantime::format_rfc3339_seconds(std::time::SystemTime::UNIX_EPOCH + since).to_string()
}

/// Reports the result of a bisect log, or creates a journal with its outcomes.
fn bisected(args: &ReplayArgs, log: &BisectLog) -> Result<Exit, Error> {
    let repository = args.fetch.open(args.repository.folder())?;
    let (newer, older) = if log.find == Find::Fix { ("good", "bad") } else { ("bad", "good") };
    repository.check_between(older, &log.older, std::slice::from_ref(&log.newer), false)?;
    // Tested revisions stay in the history even if they do not touch the paths.
    let seen = log.seen.iter().map(|(id, _)| id).filter(|_| !log.paths.is_empty());
    let graph = repository.graph(&GraphOptions {
        tips: std::iter::once(&log.newer).chain(&log.older).chain(seen).cloned().collect(),
        exclude: Vec::new(),
        first_parent: log.first_parent,
        paths: log.paths.clone(),
    })?;
    // Git also trusts the endpoints.
    let configuration = json!({ "find": log.find, newer: [log.newer], older: log.older, "test_endpoints": false, "confirm": args.journal.is_some() });
    let session = Session::new(firstbad::open("regression", Arc::new(graph), &configuration)?);
    let known: Known = log.seen.iter().map(|(id, outcome)| (id.clone().into(), (*outcome).into())).collect();
    match &args.journal {
        Some(journal) => super::init::begin(session, journal, known, Options::default()),
        None => proven(args.output.is_json(), session, &repository, known),
    }
}

fn proven(json: bool, mut session: Session, repository: &Repository, known: Known) -> Result<Exit, Error> {
    let (known, left_out) = match history_of(&session) {
        Some(graph) => known::within(known, &graph),
        None => (known, 0),
    };
    if left_out > 0 {
        streams::note(format_args!("ignoring {left_out} marks, because their revisions are not in this history"));
    }
    session.assume(&known)?;
    let summary = answer::summary(&session, Some(repository))?;
    answer::print(&summary, &OutputArgs::json(json), &session)?;
    Ok(summary.exit())
}
