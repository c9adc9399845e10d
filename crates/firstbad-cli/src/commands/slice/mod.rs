//! `firstbad slice`.

mod product;

use std::sync::Arc;

use firstbad::digest::{Item, digest};
use firstbad::{Error, Report, Search as _, Status};
use firstbad_git::{Repository, Slices, Trial};
use firstbad_journal::Session;
use firstbad_report::Exit;
use serde_json::{Value, json};

use crate::args::{SliceArgs, SlicingArgs};
use crate::drive::{Job, Plan};
use crate::history;
use crate::opened_search::{Given, OpenedSearch, OracleArgs};
use crate::shared::{self, SharedTest};
use crate::{answer, failure, not_reproduced, streams};
use product::Product;

const EXAMPLE: &str = "firstbad slice --base v1.0 --tip main -- ./test";

/// Finds the slice.
pub(crate) fn run(args: &SliceArgs) -> Result<Exit, Error> {
    args.print.without_bisect_log("firstbad slice")?;
    let mut slicing = Slicing::open(args)?;
    // Tests can report facts about the code that they run.
    slicing.search.oracle.trace(&slicing.slices)?;
    let signals = slicing.search.signals()?;
    let note = slicing.share()?;
    let (slices, oracle) = (&slicing.slices, Arc::clone(&slicing.search.oracle));
    let base = slices.ground();
    let test = |probe: &Job, keep_going: &mut dyn FnMut() -> bool| {
        let carried = match slices.trial(&probe.target)? {
            Trial::Answered(seen) => return Ok(*seen),
            Trial::Run(carried) => carried,
        };
        let patch = Some(carried.patch.as_slice()).filter(|patch| !patch.is_empty());
        let seen = oracle.run_with_signature(base, patch, keep_going)?;
        Ok(slices.seen(&carried, seen))
    };
    let (jobs, deadline) = (slicing.search.jobs(), slicing.search.deadline(&args.drive));
    let plan = Plan::new(&test, jobs, deadline, &signals);
    let ended = slicing.search.drive(&plan, args.print.quiet, note);
    if let Some(trouble) = slices.cache_trouble() {
        streams::note(shared::no_more(&trouble));
    }
    let made = finish(args, &slicing);
    // The next run removes what cannot be removed now.
    [oracle.close().err(), slices.close().err()].into_iter().flatten().for_each(streams::note);
    let Made { exit, failed } = made?;
    let exit = slicing.search.exit(ended, &args.drive, exit);
    match failed {
        Some(error) if matches!(exit, Exit::Done | Exit::Ambiguous) => {
            failure::say(&error);
            Ok(Exit::of(&error))
        }
        _ => Ok(exit),
    }
}

/// The exit code of a report, and the error if the slice could not be written.
struct Made {
    exit: Exit,
    failed: Option<Error>,
}

/// Prints the report and writes the slice.
fn finish(args: &SliceArgs, slicing: &Slicing) -> Result<Made, Error> {
    let OpenedSearch { session, repository, .. } = &slicing.search;
    let mut summary = answer::summary(session, Some(repository))?;
    let product = Product::of(args);
    let mut failed = None;
    let is_found = summary.status() == Status::Found;
    match (&summary.report, &mut summary.slice) {
        (Report::Slice(report), Some(sliced)) if is_found => {
            failed = product.make(&slicing.slices, report, sliced).err();
        }
        (Report::Slice(_), _) if product.is_wanted() => {
            streams::note("no patches or branch are written, because no slice was found")
        }
        _ => {}
    }
    if matches!(summary.status(), Status::NotReproduced | Status::Untestable) {
        not_reproduced::explain_why_not("history", &summary.asked, slicing.slices.changes().len(), None);
    }
    answer::print(&summary, &args.print, session)?;
    Ok(Made { exit: summary.exit(), failed })
}

struct Slicing {
    search: OpenedSearch,
    slices: Slices,
}

impl Slicing {
    /// Opens the search of the command line or of a journal.
    fn open(args: &SliceArgs) -> Result<Slicing, Error> {
        let given = Given {
            command: "slice",
            algorithm: "slice",
            repository: &args.repository,
            fetch: args.fetch,
            is_described: args.search.is_given(),
            test: &args.test,
            oracle: OracleArgs::Command,
            drive: &args.drive,
            store: args.share.store.as_deref(),
            trust: args.share.trust,
            example: EXAMPLE,
        };
        let mut made = None;
        let fresh = |repository: &Repository, _: &_, _: &_| {
            Product::of(args).check(repository)?;
            let (slices, session) = fresh(repository, &args.search)?;
            made = Some(slices);
            Ok(session)
        };
        let search = OpenedSearch::open(&given, fresh, names_digest)?;
        let slices = match made {
            Some(slices) => {
                slices.remember(&search.session.inspect().events(0));
                slices
            }
            None => {
                Product::of(args).check(&search.repository)?;
                let inspect = search.session.inspect();
                let (configuration, events) = (inspect.configuration()?, inspect.events(0));
                Slices::of_search(&search.repository, &configuration, &events)?
            }
        };
        Ok(Slicing { search, slices })
    }

    /// Shares outcomes through the store. Returns a note if that fails.
    fn share(&self) -> Result<Option<String>, Error> {
        let Some(store) = &self.search.driver.store else { return Ok(None) };
        let shared = SharedTest { store, test: &self.search.test };
        shared.by_trees(|cache| self.slices.share(cache), &self.search.session)
    }
}

/// Creates the search of the command line.
fn fresh(repository: &Repository, given: &SlicingArgs) -> Result<(Slices, Session), Error> {
    if !given.is_given() {
        let expected = "the revision before the first change, or a journal to resume".to_owned();
        return Err(Error::InvalidArgument { argument: "base".to_owned(), value: String::new(), expected });
    }
    let mut options = given.configuration();
    options["history"]["paths"] = json!(history::limits_from_top(repository, &given.path));
    options["history"]["tests"] = json!(history::names_from_top(repository, &given.tests));
    let slices = Slices::of_options(repository, &options)?;
    if !given.start.is_empty() {
        options["start"] = json!(start(repository, &slices, &given.start)?);
    }
    let search = slices.search(&options)?;
    Ok((slices, Session::new(search)))
}

/// Returns the indices of the changes in these commits.
fn start(repository: &Repository, slices: &Slices, revisions: &[String]) -> Result<Vec<usize>, Error> {
    let mut indices = Vec::new();
    for revision in revisions {
        let sha = repository.resolve(revision)?;
        let before = indices.len();
        let changes = slices.changes().iter().enumerate();
        indices.extend(changes.filter(|(_, change)| change.is_of(&sha)).map(|(index, _)| index));
        if indices.len() == before {
            let expected = "a commit between --base and --tip with changes";
            return Err(Error::invalid("start", revision, expected));
        }
    }
    indices.sort_unstable();
    indices.dedup();
    Ok(indices)
}

/// Returns the digest of the changes' names. Python and Node resume a journal by the same digest.
fn names_digest(session: &Session) -> Result<Option<String>, Error> {
    let configuration = session.inspect().configuration()?;
    let names: Vec<&str> =
        configuration["changes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    Ok(digest(names.into_iter().map(Item::Text)))
}
