//! `firstbad rank`: which commits may have broken a test, without running it.

use std::path::Path;

use firstbad::suspicion::{BuildGraph, Changelist, Heuristic, PriorOptions, RankOptions, rank, rank_commits};
use firstbad::{Error, Observation, Outcome, Target};
use firstbad_build::{Loaded, Revisions, SOURCES, SourceOptions, TEXTS, load};
use firstbad_git::{Merges, Repository};
use firstbad_report::{About, Exit, Judged, Order, Ranked, ranking};
use serde_json::json;

use crate::args::{By, RankArgs};
use crate::last_run::Journals;
use crate::{input, known, streams};

/// Prints the ranking. Where no change can be to blame that is an ending of its own.
///
/// # Errors
/// Those of reading the repository and the build graph; [`Error::UnknownBuildTarget`] for the test.
pub(super) fn run(args: &RankArgs) -> Result<Exit, Error> {
    let repository = args.fetch.open(args.repository.folder())?;
    let merges = if args.first_parent { Merges::FirstParent } else { Merges::Own };
    let args = &of_last_run(args, &repository)?;
    let bad = args.bad.clone().unwrap_or_else(|| HEAD.to_owned());
    let newer = [bad];
    repository.check_between("good", &args.good, &newer, args.first_parent)?;
    let changes = repository.changes(&args.good, &newer, merges)?;
    let mut warnings = Vec::new();
    let judged = match &args.graph {
        Some(given) => {
            let judged = judged(&repository, args, &Kind::of(given)?, &changes, &mut warnings);
            Some(judged.map_err(|error| error.renamed("test", "--test"))?)
        }
        None => None,
    };
    let (order, is_empty) = match heuristic(args.by) {
        None => by_content(args, &changes, judged, &mut warnings)?,
        Some(_) => {
            let expected = "--graph beside it: it is about what the test depends on";
            let judged = judged.ok_or_else(|| Error::invalid("--by", args.by.name(), expected))?;
            let is_empty = judged.ranking.suspects.is_empty();
            (Order::Heuristic(judged), is_empty)
        }
    };
    let about = |change: &Changelist| {
        let subject = change.message.lines().next().unwrap_or_default().to_owned();
        (change.id.clone(), About { subject, author: change.author.clone() })
    };
    let mut ranked = Ranked {
        schema: 1,
        by: args.by.name().to_owned(),
        order,
        commits: changes.iter().map(about).collect(),
        warnings,
    };
    for warning in &ranked.warnings {
        streams::note(firstbad_report::plain(warning));
    }
    if args.json {
        if let Some(most) = args.most {
            ranked.cut(most);
        }
        streams::json(&ranked)?;
    } else {
        streams::print(&ranking(&ranked, &args.test, args.most.unwrap_or(SHOWN), args.markdown))?;
    }
    Ok(if is_empty { Exit::NotReproduced } else { Exit::Done })
}

/// How many suspects are printed where nothing is said.
const SHOWN: usize = 10;

/// The revision that fails where none is given.
const HEAD: &str = "HEAD";

/// The same with the ends and the test of the last run here, where no ends are given. Where that run looked back for what
/// passes, it is what it saw to pass.
///
/// # Errors
/// [`Error::InvalidArgument`] where there was no such run; those of its journal.
fn of_last_run(args: &RankArgs, repository: &Repository) -> Result<RankArgs, Error> {
    if !args.good.is_empty() {
        return Ok(args.clone());
    }
    let missing = |expected: &str| Error::InvalidArgument {
        argument: "--good".to_owned(),
        value: String::new(),
        expected: format!("a revision where the test passes{expected}"),
    };
    let last = Journals::of(repository)?.last(Some("run"))?;
    let journal = last.ok_or_else(|| missing(", or a run of firstbad run in this repository before"))?;
    let header = firstbad_journal::read(&journal)?.header;
    if header.configuration["find"] == json!("fix") {
        return Err(missing(": the last run here looked for a fix, and what is ranked may have broken a test"));
    }
    let names =
        |name: &str| -> Vec<String> { serde_json::from_value(header.configuration[name].clone()).unwrap_or_default() };
    let (good, bad) = (names("good"), names("bad"));
    let good = match good.is_empty() {
        true => known::read(&journal)?.into_iter().filter_map(passing).collect(),
        false => good,
    };
    if good.is_empty() || bad.is_empty() {
        return Err(missing(": the last run here saw none that passes"));
    }
    streams::note(format_args!(
        "ranking all changes between the ends of the last run here, {}; what it saw fail does not count",
        journal.display()
    ));
    let test = if args.test.is_empty() { names("test") } else { args.test.clone() };
    Ok(RankArgs { good, bad: bad.into_iter().next(), test, ..args.clone() })
}

/// The revision of an answer that says that it passes.
fn passing((target, seen): (Target, Observation)) -> Option<String> {
    target.revision.filter(|_| seen.outcome == Outcome::Pass)
}

/// The suspects by what they touch and, where a build graph says it, by what the test depends on; and whether there are none.
fn by_content(
    args: &RankArgs,
    changes: &[Changelist],
    judged: Option<Judged>,
    warnings: &mut Vec<String>,
) -> Result<(Order, bool), Error> {
    let content = rank_commits(changes, &args.test)?;
    let (ranking, is_empty) = match &judged {
        Some(Judged { ranking, .. }) => {
            let prior = ranking.prior(&PriorOptions::default())?;
            if ranking.suspects.is_empty() {
                warnings.push(ranking.message.clone());
            }
            (content.with_build_graph(ranking, &prior), ranking.suspects.is_empty())
        }
        None => {
            let is_empty = content.suspects.is_empty();
            (content, is_empty)
        }
    };
    Ok((Order::Content { message: ranking.message(), ranking, build_graph: judged }, is_empty))
}

/// What a build graph says of the changes.
fn judged(
    repository: &Repository,
    args: &RankArgs,
    kind: &Kind,
    changes: &[Changelist],
    warnings: &mut Vec<String>,
) -> Result<Judged, Error> {
    let now = kind.graph(repository, args)?;
    let before = kind.graph_before(repository, args)?;
    let by = heuristic(args.by).unwrap_or_default();
    let options = RankOptions { by, before: before.as_ref(), ..RankOptions::default() };
    let ranking = rank(&now.graph, changes, &args.test, &options)?;
    warnings.extend(now.warnings);
    Ok(Judged { graph: kind.name().to_owned(), targets: now.graph.len(), ranking })
}

/// The heuristic of the paper; `None` if it is none of those.
fn heuristic(by: By) -> Option<Heuristic> {
    match by {
        By::Probability => None,
        By::Suspiciousness => Some(Heuristic::Suspiciousness),
        By::Size => Some(Heuristic::Size),
        By::Distance => Some(Heuristic::Distance),
        By::Changelog => Some(Heuristic::Changelog),
    }
}

/// Where the build graph comes from.
enum Kind {
    /// Source files, as they are at a revision.
    Source(String),
    /// A file with what a tool printed.
    Text(String, std::path::PathBuf),
}

impl Kind {
    fn of(given: &str) -> Result<Kind, Error> {
        let (kind, file) = given.split_once('=').map_or((given, None), |(kind, file)| (kind, Some(file)));
        match file {
            None if SOURCES.contains(&kind) => Ok(Kind::Source(kind.to_owned())),
            Some(file) if TEXTS.contains(&kind) => Ok(Kind::Text(kind.to_owned(), file.into())),
            _ => {
                let texts = TEXTS.map(|kind| format!("{kind}=FILE")).join(", ");
                Err(Error::invalid("--graph", given, format!("one of {}, {texts}", SOURCES.join(", "))))
            }
        }
    }

    fn name(&self) -> &str {
        match self {
            Kind::Source(kind) | Kind::Text(kind, _) => kind,
        }
    }

    fn graph(&self, repository: &Repository, args: &RankArgs) -> Result<Loaded, Error> {
        match self {
            Kind::Source(kind) => revisions(repository, kind).at(args.bad.as_deref().unwrap_or(HEAD)),
            Kind::Text(kind, file) => text(kind, file, &args.prefix),
        }
    }

    /// The graph of the first good revision: files that were deleted since are looked up in it.
    fn graph_before(&self, repository: &Repository, args: &RankArgs) -> Result<Option<BuildGraph>, Error> {
        match (self, &args.before, &args.good[..]) {
            (Kind::Text(kind, _), Some(file), _) => Ok(Some(text(kind, file, &args.prefix)?.graph)),
            (Kind::Source(_), Some(file), _) => {
                Err(Error::invalid("--before", file, "a --graph from a file beside it; others are read at --good"))
            }
            (Kind::Source(kind), None, [good, ..]) => {
                Ok(revisions(repository, kind).before(good)?.map(|loaded| loaded.graph))
            }
            _ => Ok(None),
        }
    }
}

fn revisions(repository: &Repository, kind: &str) -> Revisions {
    Revisions::new(repository.clone(), kind, SourceOptions::default())
}

fn text(kind: &str, file: &Path, prefix: &str) -> Result<Loaded, Error> {
    load(kind, &input::text(file, input::read(file)?)?, prefix)
}
