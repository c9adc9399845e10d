//! Creates searches from repositories and journals.

use std::collections::BTreeMap;
use std::path::{Component, Path};
use std::sync::Arc;

use firstbad::suspicion::tests_of_command;
use firstbad::{CommitGraph, Configuration, Error, Outcome, Search, World, graph::Origin, short};
use firstbad_git::{GraphOptions, Repository};
use firstbad_journal::{Contents, Header, Session, WorldRecord};
use firstbad_oracle::{TestRecord, ready_revisions};

use serde_json::Value;

use crate::args::{CachedArgs, SearchArgs};
use crate::{failure, known, streams};

/// The costs of the revisions.
pub(crate) enum Costs<'a> {
    /// The revisions that the command of `cached` prints cost less.
    Asked(&'a CachedArgs),
    /// The costs in a journal.
    Known(Option<BTreeMap<String, f64>>),
}

impl<'a> Costs<'a> {
    /// Returns the costs of a resumed search, which keeps the revisions that were cached at its start.
    pub(crate) fn begun(header: &Header) -> Self {
        Costs::Known(serde_json::from_value(header.configuration["costs"].clone()).unwrap_or_default())
    }
}

/// The search of the command line.
pub(crate) struct Described {
    pub(crate) repository: Repository,
    pub(crate) session: Session,
    /// Notes to print before the first test.
    pub(crate) notes: Vec<String>,
}

/// A function that prepares the first test while the history is read. It gets the likely first revision.
pub(crate) type Meanwhile<'a> = dyn FnMut(&Repository, &str) -> Result<(), Error> + 'a;

/// Creates the search of the command line.
pub(crate) fn search(
    args: &SearchArgs,
    costs: &Costs<'_>,
    test: &TestRecord,
    meanwhile: &mut Meanwhile<'_>,
) -> Result<Described, Error> {
    let given = args;
    let mut args = given.with_ends();
    let repository = args.fetch.open(args.repository.folder())?;
    let dates = dated(&repository, &mut args)?;
    let args = &args;
    let mut config = args.configuration()?;
    // The first worktree starts at the newer endpoint, which is usually tested first.
    let first = if args.fix { &args.good } else { &args.bad }.first();
    let (graph, begun) = std::thread::scope(|scope| {
        let graph = scope.spawn(|| graph(&repository, args));
        let begun = first.map_or(Ok(()), |revision| meanwhile(&repository, revision));
        (graph.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), begun)
    });
    // The options are resolved one by one only to improve an error.
    let graph = graph.map_err(|error| resolved(&repository, args).err().unwrap_or(error))?;
    check_apart(&graph, args)?;
    begun?;
    let mut notes = dates;
    match costs {
        Costs::Asked(cached) => {
            if let Some(costs) = ready(&repository, &graph, cached)? {
                notes.push(format!("{} of {} revisions are cached", costs.len(), graph.len()));
                config.costs = Some(costs);
            }
        }
        Costs::Known(costs) => config.costs.clone_from(costs),
    }
    let graph = Arc::new(graph);
    if config.test.is_empty() {
        config.test = tests_of_command(&test.command);
    }
    let is_begun = |asked: &String| {
        first.and_then(|first| graph.resolve(first, "bad").ok()).is_some_and(|first| graph.id(first) == asked)
    };
    if let Some(revision) = firstbad_git::first_asked(&graph, &config).filter(|asked| !is_begun(asked)) {
        meanwhile(&repository, &revision)?;
    }
    let configuration = Configuration::Regression(Box::new(config));
    let opened = || firstbad_git::open_in(&repository, graph, configuration);
    let search = streams::working("reading what the commits touch", opened)?;
    notes.extend(of_ends(given, &repository, search.as_ref())?);
    Ok(Described { repository, session: Session::new(search), notes })
}

/// Replaces dates by the last commit before each date and returns notes about them.
fn dated(repository: &Repository, args: &mut SearchArgs) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    let (newer, older) = if args.fix { ("--good", "--bad") } else { ("--bad", "--good") };
    let (newest, oldest) = if args.fix { (&mut args.good, &mut args.bad) } else { (&mut args.bad, &mut args.good) };
    let mut replace = |option: &str, names: &mut Vec<String>, tip: &str| -> Result<(), Error> {
        for name in names {
            let Some(id) = repository.last_before("revision", name, tip).map_err(|error| error.about(option))? else {
                continue;
            };
            let (sha, commit) = repository.commit(&id)?;
            let (sha, subject) = (short(&sha), firstbad_report::plain(&commit.subject));
            notes.push(format!("{option} {name} is {sha} ({subject}), the last commit of {tip} before that date"));
            *name = id;
        }
        Ok(())
    };
    replace(newer, newest, "HEAD")?;
    let tip = newest.first().cloned().unwrap_or_else(|| "HEAD".to_owned());
    replace(older, oldest, &tip)?;
    Ok(notes)
}

/// Returns notes about the default endpoints.
fn of_ends(given: &SearchArgs, repository: &Repository, search: &dyn Search) -> Result<Vec<String>, Error> {
    let (newer, older) = if given.fix { ("--good", "--bad") } else { ("--bad", "--good") };
    let (newest, oldest) = if given.fix { (&given.good, &given.bad) } else { (&given.bad, &given.good) };
    let mut notes = Vec::new();
    if newest.is_empty() {
        let (sha, commit) = repository.commit("HEAD")?;
        notes.push(format!("{newer} is HEAD: {} ({})", short(&sha), firstbad_report::plain(&commit.subject)));
    }
    if !oldest.is_empty() {
        return Ok(notes);
    }
    let what = if given.fix { "fails" } else { "passes" };
    match &search.inspect().configuration()?["find_good"] {
        Value::Array(tags) => {
            let tags: Vec<String> = tags.iter().filter_map(Value::as_str).map(|id| called(search, id)).collect();
            notes.push(format!("no {older} given, looking for a revision that {what}, first {}", tags.join(", ")));
        }
        Value::Bool(true) => {
            notes.push(format!("no {older} given, looking for an older revision that {what}"));
        }
        _ => {}
    }
    Ok(notes)
}

/// Returns the name of a revision: a tag, a branch, or the short id.
fn called(search: &dyn Search, id: &str) -> String {
    let World::History(graph) = search.inspect().world() else { return short(id).to_owned() };
    let names = graph.get(id).map(|node| graph.names(node)).unwrap_or_default();
    let mut short_names = names.iter().copied().filter(|name| !name.starts_with("refs/") && !id.starts_with(name));
    let is_tag = |name: &&str| names.contains(&format!("refs/tags/{name}").as_str());
    let name = short_names.clone().find(is_tag).or(short_names.next());
    firstbad_report::plain(name.unwrap_or(short(id)))
}

/// Returns the costs of the cached revisions.
fn ready(
    repository: &Repository,
    graph: &CommitGraph,
    args: &CachedArgs,
) -> Result<Option<BTreeMap<String, f64>>, Error> {
    let Some(command) = &args.cached else { return Ok(None) };
    let cost = args.cached_cost;
    if !(cost > 0.0 && cost <= 1.0) {
        return Err(Error::invalid("cached-cost in firstbad.toml", cost, "a cost above 0 and at most 1"));
    }
    let found = ready_revisions(repository, command, args.cached_timeout);
    let found = found.map_err(|error| error.renamed("command", "cached in firstbad.toml"))?;
    Ok(Some(found.into_iter().filter(|id| graph.get(id).is_some()).map(|id| (id, cost)).collect()))
}

/// Resolves each endpoint, so that an error names its option.
fn resolved(repository: &Repository, args: &SearchArgs) -> Result<(), Error> {
    for (option, names) in [("--good", &args.good), ("--bad", &args.bad)] {
        repository.resolve_all("revision", names).map_err(|error| error.about(option))?;
    }
    Ok(())
}

/// Refuses a commit that is both good and bad.
fn check_apart(graph: &CommitGraph, args: &SearchArgs) -> Result<(), Error> {
    let node = |name: &String| graph.resolve(name, "bad").ok();
    let same = |good: &String| args.bad.iter().find(|bad| node(good).is_some() && node(good) == node(bad));
    let Some((good, bad)) = args.good.iter().find_map(|good| Some((good, same(good)?))) else { return Ok(()) };
    let sha = node(good).map(|node| graph.id(node)).unwrap_or_default();
    let value = if good == bad {
        good.clone()
    } else {
        format!("{good}, which is the same commit as --bad {bad} ({})", short(sha))
    };
    let expected = "a revision other than --bad".to_owned();
    Err(Error::InvalidArgument { argument: "--good".to_owned(), value, expected })
}

/// Returns pathspecs relative to the top of the repository. `:/` and `:(top)` already are.
pub(crate) fn from_top(repository: &Repository, paths: &[String]) -> Vec<String> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    let top = repository.path().canonicalize().unwrap_or_default();
    let folder = here.strip_prefix(&top).unwrap_or(Path::new(""));
    paths.iter().map(|path| below(folder, path)).collect()
}

/// Returns plain paths relative to the top of the repository.
pub(crate) fn names_from_top(repository: &Repository, paths: &[String]) -> Vec<String> {
    let plain = |spec: String| {
        [":/", ":(top)"].iter().find_map(|magic| spec.strip_prefix(magic)).map(str::to_owned).unwrap_or(spec)
    };
    from_top(repository, paths).into_iter().map(plain).collect()
}

/// Returns the paths that limit changes, or none if a path is the whole repository.
pub(crate) fn limits_from_top(repository: &Repository, paths: &[String]) -> Vec<String> {
    let names = names_from_top(repository, paths);
    if names.iter().any(|name| name.is_empty() || name == ".") { Vec::new() } else { names }
}

fn below(folder: &Path, spec: &str) -> String {
    let magic = match spec.strip_prefix(":(").and_then(|rest| rest.find(')')) {
        Some(end) => end + 3,
        None if spec.starts_with(':') => {
            1 + spec[1..].chars().take_while(|sign| matches!(sign, '!' | '^' | '/')).count()
        }
        None => 0,
    };
    let (magic, path) = spec.split_at(magic);
    if folder.as_os_str().is_empty() || magic.contains('/') || magic.contains("top") {
        return spec.to_owned();
    }
    let mut parts: Vec<Component<'_>> = Vec::new();
    let joined = folder.join(path);
    for part in joined.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(parts.last(), Some(Component::Normal(_))) => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    let names: Vec<_> = parts.iter().map(|part| part.as_os_str().to_string_lossy()).collect();
    let path = if names.is_empty() { ".".to_owned() } else { names.join("/") };
    format!("{magic}{path}")
}

/// Returns the history between the endpoints.
fn graph(repository: &Repository, args: &SearchArgs) -> Result<CommitGraph, Error> {
    repository.graph(&GraphOptions {
        tips: args.bad.iter().chain(&args.good).cloned().collect(),
        exclude: Vec::new(),
        first_parent: args.first_parent,
        paths: from_top(repository, &args.path),
    })
}

/// Returns the world of a journal and its repository. A journal from elsewhere uses the repository of the current folder.
pub(crate) fn world(
    journal: &Path,
    contents: &Contents,
    repository: Option<&Path>,
) -> Result<(Option<Repository>, World), Error> {
    let WorldRecord::Git(origin) = &contents.header.world else {
        return Ok((None, contents.header.world(journal, None)?));
    };
    let folder = origin.repository.as_str();
    let is_followed = repository.is_some() || contents.header.is_ours(journal);
    let read = |place: &Path| {
        let Origin { tips, exclude, first_parent, paths, .. } = origin.clone();
        let repository = Repository::open(place)?;
        let graph = repository.graph(&GraphOptions { tips, exclude, first_parent, paths })?;
        Ok((repository, graph))
    };
    let here = Path::new(".");
    let found = match read(repository.unwrap_or(Path::new(if is_followed { folder } else { "." }))) {
        // The repository was moved, or this is a clone of it.
        Err(error) if repository.is_none() && is_followed => read(here).map_err(|_: Error| error).inspect(|_| {
            streams::note(format_args!(
                "using the repository in the current folder for {}, because {folder} cannot be read",
                journal.display()
            ));
        }),
        found => found,
    };
    let whose = match is_followed {
        true => format!("the history of its repository {folder} cannot be read"),
        false => {
            format!("it was started elsewhere, in the repository {folder}, whose history is not in this repository")
        }
    };
    let (repository, graph) = found.map_err(|error: Error| {
        let asked = Repository::open(repository.unwrap_or(here)).ok();
        Error::Journal { path: journal.display().to_string(), message: lost(contents, &whose, asked.as_ref(), &error) }
    })?;
    check_is_whole(journal, contents, &repository, &graph)?;
    let world = contents.header.world(journal, Some(graph))?;
    Ok((Some(repository), world))
}

/// Checks that the graph has the revisions of the journal's prior. If a clone became shallow, it lacks some of them.
fn check_is_whole(
    journal: &Path,
    contents: &Contents,
    repository: &Repository,
    graph: &CommitGraph,
) -> Result<(), Error> {
    let weights = contents.header.configuration["prior"]["weights"].as_object();
    let missing = weights.and_then(|weights| weights.keys().find(|id| graph.get(id).is_none()));
    let is_shallow = || repository.boundary().is_ok_and(|boundary| !boundary.is_empty());
    match missing.filter(|_| is_shallow()) {
        None => Ok(()),
        Some(missing) => Err(Error::Journal {
            path: journal.display().to_string(),
            message: format!(
                "the clone {} became shallow, so commit {} of this search is missing\nhelp: fetch the history with git \
                 fetch --unshallow, or set fetch-depth: 0 in CI",
                repository.path().display(),
                short(missing)
            ),
        }),
    }
}

/// The maximum number of outcomes in a message.
const SHOWN: usize = 10;

/// Returns the message for a journal whose history is missing.
fn lost(contents: &Contents, whose: &str, repository: Option<&Repository>, error: &Error) -> String {
    let words = failure::words(error);
    let (problem, advice) = words.split_once("\nhelp: ").unwrap_or((&words, ""));
    let answers = answers_of(contents, repository).unwrap_or_default();
    let (seen, or_else) = answers.split_once("\nhelp: ").unwrap_or(("", "run in a clone of it, or name one with -C"));
    // Only a complete history helps in a shallow clone.
    let help = if advice.contains("--unshallow") { advice } else { or_else };
    format!("{whose} ({problem}){seen}\nhelp: {help}")
}

/// Returns the outcomes of a journal with another history, as the end of a message.
pub(crate) fn answers_of(contents: &Contents, repository: Option<&Repository>) -> Option<String> {
    let known = known::seen(contents);
    let seen: Vec<(&str, Outcome)> =
        known.iter().filter_map(|(target, seen)| Some((target.revision.as_deref()?, seen.outcome))).collect();
    if seen.is_empty() {
        return None;
    }
    let found = repository.and_then(|repository| repository.commits(seen.iter().map(|seen| seen.0)).ok());
    let found = found.unwrap_or_default();
    let here = seen.iter().filter(|(id, _)| found.contains_key(*id)).count();
    let what_to_do = match here {
        0 => "run in a clone of that repository, or name one with -C".into(),
        _ => format!(
            "import the {here} of {} outcomes of this history in a new run with --import and this file",
            seen.len()
        ),
    };
    Some(format!(", {}\nhelp: {what_to_do}", listed(&seen)))
}

/// Lists the outcomes of a journal.
fn listed(seen: &[(&str, Outcome)]) -> String {
    let shown: Vec<String> =
        seen.iter().take(SHOWN).map(|(id, outcome)| format!("{} {}", short(id), outcome.as_str())).collect();
    let more = seen.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("its outcomes are {}{more}", shown.join(", "))
}

/// Returns a note if no branch or tag contains the endpoints of a resumed search, for example after a rebase.
pub(crate) fn left_behind(contents: &Contents, repository: &Repository) -> Option<String> {
    let WorldRecord::Git(origin) = &contents.header.world else { return None };
    let known = known::seen(contents);
    let seen: Vec<(&str, Outcome)> =
        known.iter().filter_map(|(target, seen)| Some((target.revision.as_deref()?, seen.outcome))).collect();
    let ids: Vec<&str> =
        origin.tips.iter().map(String::as_str).chain(seen.iter().map(|seen| seen.0)).take(LOOKED_UP).collect();
    // The note is not worth an error.
    let lost = repository.left_behind(&ids).ok()?;
    let ends: Vec<&str> = origin.tips.iter().map(String::as_str).filter(|tip| lost.contains(tip)).map(short).collect();
    if ends.is_empty() {
        return None;
    }
    let here = seen.iter().filter(|(id, _)| !lost.contains(id)).count();
    let what_to_do = match here {
        _ if seen.is_empty() => "start a new run to search the current history".to_owned(),
        0 => "start a new run to search the current history".to_owned(),
        _ => format!("start a new run with --import and this file to reuse {here} of {} outcomes", seen.len()),
    };
    Some(format!(
        "no branch or tag contains {} any more (was it rebased?). This run continues in the old history, {what_to_do}",
        ends.join(", ")
    ))
}

/// The maximum number of commits to look up.
const LOOKED_UP: usize = 1000;
