//! `firstbad rank`: which commits may have broken a test, by the build graph alone.

use std::path::Path;

use firstbad::Error;
use firstbad::suspicion::{BuildGraph, Heuristic, RankOptions, rank};
use firstbad_build::{Loaded, Revisions, SOURCES, SourceOptions, TEXTS, load};
use firstbad_git::{Commit, Merges, Repository};

use crate::args::{By, RankArgs};
use crate::exit::Exit;
use crate::summary::{About, Ranked};
use crate::{render, streams};

/// Prints the ranking. Where no change can be to blame that is an ending of its own.
///
/// # Errors
/// Those of reading the repository and the build graph; [`Error::UnknownBuildTarget`] for the test.
pub(super) fn run(args: &RankArgs) -> Result<Exit, Error> {
    let repository = Repository::open(&args.repository)?;
    let merges = if args.first_parent { Merges::FirstParent } else { Merges::Own };
    let changes = repository.changes(&args.good, std::slice::from_ref(&args.bad), merges)?;
    let kind = Kind::of(args)?;
    let now = kind.graph(&repository, args)?;
    let before = kind.graph_before(&repository, args)?;
    let options = RankOptions { by: heuristic(args.by), before: before.as_ref(), ..RankOptions::default() };
    let ranking = rank(&now.graph, &changes, &args.test, &options)?;
    let commits = repository.commits(ranking.suspects.iter().map(|suspect| suspect.change.as_str()))?;
    let about = |Commit { sha, subject, author, .. }| (sha, About { subject, author });
    let ranked = Ranked {
        schema: 1,
        graph: kind.name().to_owned(),
        targets: now.graph.len(),
        commits: commits.into_iter().map(about).collect(),
        warnings: now.warnings,
        ranking,
    };
    for warning in &ranked.warnings {
        streams::note(render::plain(warning));
    }
    if args.json {
        streams::json(&ranked)?;
    } else {
        streams::print(&render::ranking(&ranked, args.most, args.markdown))?;
    }
    Ok(if ranked.ranking.suspects.is_empty() { Exit::NotReproduced } else { Exit::Done })
}

fn heuristic(by: By) -> Heuristic {
    match by {
        By::Suspiciousness => Heuristic::Suspiciousness,
        By::Size => Heuristic::Size,
        By::Distance => Heuristic::Distance,
        By::Changelog => Heuristic::Changelog,
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
    fn of(args: &RankArgs) -> Result<Kind, Error> {
        let Some(given) = &args.graph else { return Kind::guessed(&args.test[0]) };
        let (kind, file) = given.split_once('=').map_or((given.as_str(), None), |(kind, file)| (kind, Some(file)));
        match file {
            None if SOURCES.contains(&kind) => Ok(Kind::Source(kind.to_owned())),
            Some(file) if TEXTS.contains(&kind) => Ok(Kind::Text(kind.to_owned(), file.into())),
            _ => {
                let texts = TEXTS.map(|kind| format!("{kind}=FILE")).join(", ");
                Err(Error::invalid("--graph", given, format!("one of {}, {texts}", SOURCES.join(", "))))
            }
        }
    }

    /// The language of the file that the test is in.
    fn guessed(test: &str) -> Result<Kind, Error> {
        let file = test.split("::").next().unwrap_or(test);
        let extension = Path::new(file).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension {
            "py" => Ok(Kind::Source("python".to_owned())),
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => Ok(Kind::Source("javascript".to_owned())),
            _ => Err(Error::invalid("--graph", (), "--graph beside a --test that is no Python or JavaScript file")),
        }
    }

    fn name(&self) -> &str {
        match self {
            Kind::Source(kind) | Kind::Text(kind, _) => kind,
        }
    }

    fn graph(&self, repository: &Repository, args: &RankArgs) -> Result<Loaded, Error> {
        match self {
            Kind::Source(kind) => revisions(repository, kind).at(&args.bad),
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
    let text = std::fs::read_to_string(file)
        .map_err(|error| Error::Io { action: format!("reading {}", file.display()), message: error.to_string() })?;
    load(kind, &text, prefix)
}
