//! `firstbad init`.

use firstbad::{Error, Search as _, Status};
use firstbad_journal::{Options, Session, Test};
use firstbad_oracle::TestRecord;
use firstbad_report::Exit;
use serde::Serialize;
use serde_json::{Map, json};

use super::metric;
use super::triage::{Night, ends, runner, search};
use crate::args::InitArgs;
use crate::driver_record::DriverRecord;
use crate::history::{self, Costs, Described};
use crate::opened_journal::{history_of, warn_of_losses};
use crate::{carry, known, streams, test};

/// The output (docs/schema/init.json).
#[derive(Serialize)]
struct Begun {
    schema: u32,
    journal: String,
    /// The id of the run, which stays the same when the run is resumed.
    id: String,
    /// Whether the journal already contained this search.
    resumed: bool,
    algorithm: &'static str,
    status: Status,
    done: bool,
    /// The number of revisions in the history.
    revisions: Option<usize>,
    /// The number of imported outcomes.
    known: usize,
    /// The number of outcomes whose revisions are not in the history.
    left_out: usize,
}

/// Creates the journal, or resumes a journal of the same search.
pub(super) fn run(args: &InitArgs) -> Result<Exit, Error> {
    let known = args.import.as_deref().map(known::read).transpose()?.unwrap_or_default();
    if args.triage {
        return triage(args, known);
    }
    args.night.refuse()?;
    if !args.metric.metric.is_empty() {
        return metric(args, known);
    }
    args.metric.refuse(None)?;
    let mut record = test::record(&args.test, TestRecord::default())?;
    let begun = match std::fs::metadata(&args.journal) {
        Ok(found) if found.len() > 0 => Some(firstbad_journal::read(&args.journal)?),
        _ => None,
    };
    let begun = begun.as_ref().map(|contents| Costs::begun(&contents.header));
    let Described { repository, session, notes } =
        history::search(&args.search, &begun.unwrap_or(Costs::Asked(&args.cached)), &record, &mut |_, _| Ok(()))?;
    notes.into_iter().chain(carry::carry(&args.test, &mut record, &repository)?).for_each(streams::note);
    let test = if record == TestRecord::default() { Test::ByHand } else { Test::Command(record.value()?) };
    let driver = DriverRecord::new(None, None, args.test.output_dir.as_deref(), args.search.fetch)?.value()?;
    begin(session, &args.journal, known, Options { test, driver, ..Options::default() })
}

/// Creates the journal of a triage.
fn triage(args: &InitArgs, known: known::Known) -> Result<Exit, Error> {
    let given = &args.search;
    let [good] = &given.good[..] else {
        let expected = "one good revision: the last one at which the suite was green";
        return Err(Error::invalid("--good", given.good.join(", "), expected));
    };
    let bad = match &given.bad[..] {
        [] => "HEAD",
        [bad] => bad,
        more => return Err(Error::invalid("--bad", more.join(", "), "one bad revision")),
    };
    let repository = given.fetch.open(given.repository.folder())?;
    let mut record = test::record(&args.test, TestRecord::default())?;
    carry::carry(&args.test, &mut record, &repository)?.into_iter().for_each(streams::note);
    let is_by_hand = record == TestRecord::default();
    record.suite = Some(args.suite.over(Default::default()));
    let night = Night::read(&args.night, &repository, runner(&record))?;
    let mut options = Map::new();
    options.insert("keep_builds".to_owned(), json!(args.suite.keep_builds));
    options.insert("confidence".to_owned(), json!(given.confidence));
    options.insert("prior".to_owned(), json!(given.prior));
    let ends = ends(&repository, good, bad)?;
    let session = search(&repository, &args.night, night, ends, given.first_parent, options)?;
    let test = if is_by_hand { Test::ByHand } else { Test::Command(record.value()?) };
    let driver = DriverRecord::new(None, None, args.test.output_dir.as_deref(), given.fetch)?.value()?;
    begin(session, &args.journal, known, Options { test, driver, ..Options::default() })
}

/// Creates the journal of a search for a change in a number.
fn metric(args: &InitArgs, known: known::Known) -> Result<Exit, Error> {
    let repository = args.search.fetch.open(args.search.repository.folder())?;
    let (session, notes) = metric::search(&repository, &args.search, &args.metric)?;
    let mut record = test::record(&args.test, TestRecord::default())?;
    notes.into_iter().chain(carry::carry(&args.test, &mut record, &repository)?).for_each(streams::note);
    let is_by_hand = record == TestRecord::default();
    record.measure = Some(args.metric.over(args.suite.keep_builds, Default::default()));
    let test = if is_by_hand { Test::ByHand } else { Test::Command(record.value()?) };
    let driver = DriverRecord::new(None, None, args.test.output_dir.as_deref(), args.search.fetch)?.value()?;
    begin(session, &args.journal, known, Options { test, driver, ..Options::default() })
}

/// Saves a new search with its known outcomes in a journal.
pub(super) fn begin(
    mut session: Session,
    journal: &std::path::Path,
    known: known::Known,
    options: Options,
) -> Result<Exit, Error> {
    let opening = session.attach(journal, &options)?;
    warn_of_losses(journal, &opening);
    let graph = history_of(&session);
    let (known, left_out) = match &graph {
        Some(graph) => known::within(known, graph),
        None => (known, 0),
    };
    session.assume(&known)?;
    if left_out > 0 {
        streams::note(format_args!(
            "ignoring {left_out} imported outcomes, because their revisions are not in this history"
        ));
    }
    streams::json(&Begun {
        schema: 1,
        journal: journal.display().to_string(),
        id: opening.id,
        resumed: opening.resumed,
        algorithm: session.inspect().algorithm(),
        status: session.status(),
        done: session.is_done(),
        revisions: graph.map(|graph| graph.len()),
        known: known.len(),
        left_out,
    })?;
    Ok(Exit::Done)
}
