//! `firstbad rank`.

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

/// Prints the ranking. Its exit code is 11 if no commit is suspect.
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
            let expected = "--graph as well, because this order needs the dependencies of the test";
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
    if args.is_json() {
        if let Some(most) = args.most {
            ranked.cut(most);
        }
        streams::json(&ranked)?;
    } else {
        streams::print(&ranking(&ranked, &args.test, args.most.unwrap_or(SHOWN), args.is_markdown()))?;
    }
    Ok(if is_empty { Exit::NotReproduced } else { Exit::Done })
}

/// The number of suspects to print by default.
const SHOWN: usize = 10;

/// The default bad revision.
const HEAD: &str = "HEAD";

/// Adds the endpoints and the test of the last run if no endpoints are given.
fn of_last_run(args: &RankArgs, repository: &Repository) -> Result<RankArgs, Error> {
    if !args.good.is_empty() {
        return Ok(args.clone());
    }
    let missing = |expected: &str| Error::InvalidArgument {
        argument: "--good".to_owned(),
        value: String::new(),
        expected: format!("a revision that passes the test{expected}"),
    };
    let last = Journals::of(repository)?.last(Some("run"))?;
    let journal = last.ok_or_else(|| missing(", or run `firstbad run` first"))?;
    let header = firstbad_journal::read(&journal)?.header;
    if header.configuration["find"] == json!("fix") {
        return Err(missing(", because the last run in this repository searched for a fix"));
    }
    let names =
        |name: &str| -> Vec<String> { serde_json::from_value(header.configuration[name].clone()).unwrap_or_default() };
    let (good, bad) = (names("good"), names("bad"));
    let good = match good.is_empty() {
        true => known::read(&journal)?.into_iter().filter_map(passing).collect(),
        false => good,
    };
    if good.is_empty() || bad.is_empty() {
        return Err(missing(", because the last run in this repository found none"));
    }
    streams::note(format_args!(
        "ranking the commits between the endpoints of the last run ({}), without its outcomes",
        journal.display()
    ));
    let test = if args.test.is_empty() { names("test") } else { args.test.clone() };
    let mut ranked = args.clone();
    (ranked.good, ranked.bad, ranked.test) = (good, bad.into_iter().next(), test);
    Ok(ranked)
}

/// Returns the revision of a passing run.
fn passing((target, seen): (Target, Observation)) -> Option<String> {
    target.revision.filter(|_| seen.outcome == Outcome::Pass)
}

/// Ranks the suspects by their content and the build graph. Also returns whether there are no suspects.
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

/// Ranks the suspects by the build graph.
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

/// Returns the heuristic of the paper, or `None` for the probability.
fn heuristic(by: By) -> Option<Heuristic> {
    match by {
        By::Probability => None,
        By::Suspiciousness => Some(Heuristic::Suspiciousness),
        By::Size => Some(Heuristic::Size),
        By::Distance => Some(Heuristic::Distance),
        By::Changelog => Some(Heuristic::Changelog),
    }
}

/// The source of the build graph.
enum Kind {
    /// Source files at a revision.
    Source(String),
    /// A file with the output of a build tool.
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

    /// Returns the graph of the first good revision, which has the files that were deleted since.
    fn graph_before(&self, repository: &Repository, args: &RankArgs) -> Result<Option<BuildGraph>, Error> {
        match (self, &args.before, &args.good[..]) {
            (Kind::Text(kind, _), Some(file), _) => Ok(Some(text(kind, file, &args.prefix)?.graph)),
            (Kind::Source(_), Some(file), _) => Err(Error::invalid(
                "--before",
                file,
                "--graph KIND=FILE as well, because other graphs are read at --good",
            )),
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
