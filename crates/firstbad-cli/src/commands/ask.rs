//! `firstbad ask`.

use std::path::Path;

use firstbad::suspicion::SelectionReason;
use firstbad::{Error, Probe, Search as _, Status};
use firstbad_journal::Session;
use firstbad_platform::files;
use firstbad_report::Exit;
use serde::Serialize;

use super::metric;
use crate::args::AskArgs;
use crate::opened_journal::OpenedJournal;
use crate::streams;

/// A probe with its lease.
#[derive(Serialize)]
pub(super) struct Lent {
    #[serde(flatten)]
    pub(super) probe: Probe,
    /// The good revision that the same run measures too. Only in paired searches for a change in a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) control: Option<String>,
    /// The ids of the tests to run. Absent for the whole suite, and if the search has a single test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tests: Option<Vec<String>>,
    /// A file with these ids, one in each line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tests_file: Option<String>,
    /// The end of the lease, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<f64>,
    /// The reason for the probe, if the prior has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<SelectionReason>,
}

impl Lent {
    pub(super) fn of(session: &Session, until: Option<f64>, mut probe: Probe) -> Lent {
        let why = probe.target.revision.as_deref().and_then(|revision| session.inspect().why(revision));
        let tests = session.inspect().tests(&probe.target);
        // The ids replace the indices.
        probe.target.tests = None;
        let control = metric::control(session);
        Lent { until, why, probe, control, tests, tests_file: None }
    }

    /// Writes the ids of the tests to a file beside the journal.
    fn with_file(self, journal: &Path) -> Result<Lent, Error> {
        let Some(tests) = &self.tests else { return Ok(self) };
        let path = format!("{}.tests-{}.txt", journal.display(), self.probe.id);
        let failed =
            |error: std::io::Error| Error::Io { action: format!("writing {path}"), message: error.to_string() };
        let text: String = tests.iter().flat_map(|test| [test.as_str(), "\n"]).collect();
        files::write_at_once(Path::new(&path), text.as_bytes()).map_err(failed)?;
        Ok(Lent { tests_file: Some(path), ..self })
    }
}

/// The output (docs/schema/probes.json).
#[derive(Serialize)]
struct Asked {
    schema: u32,
    status: Status,
    /// Whether the search is finished. Otherwise, an empty `probes` means that outcomes are missing.
    done: bool,
    probes: Vec<Lent>,
    /// The number of earlier probes without an outcome.
    awaited: usize,
}

/// Prints the next probes.
pub(super) fn run(args: &AskArgs) -> Result<Exit, Error> {
    if args.k == 0 {
        return Err(Error::invalid("-k", args.k, "at least 1"));
    }
    let mut at = OpenedJournal::to_write(&args.at)?;
    let first: Vec<String> =
        args.first.iter().map(|name| at.revision("--first", name)).collect::<Result<_, Error>>()?;
    if args.abandon {
        at.session.in_flight().into_iter().try_for_each(|probe| at.session.abandon(probe.id))?;
    }
    first.into_iter().try_for_each(|revision| at.session.enqueue(&revision.into()))?;
    let probes = at.session.lend(args.k, args.lease.map(|lease| lease.as_secs_f64()))?;
    let awaited = at.session.in_flight().len() - probes.len();
    streams::json(&Asked {
        schema: 1,
        status: at.session.status(),
        done: at.session.is_done(),
        probes: probes
            .into_iter()
            .map(|probe| Lent::of(&at.session, at.session.leased_until(probe.id), probe).with_file(&at.path))
            .collect::<Result<_, _>>()?,
        awaited,
    })?;
    Ok(Exit::Done)
}
