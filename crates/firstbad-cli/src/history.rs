//! From a repository, or from a journal, to a search.

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

/// What runs of a search cost.
pub(crate) enum Costs<'a> {
    /// Those of which a command says that they are ready less; all alike if there is no such command.
    Asked(&'a CachedArgs),
    /// The costs in a journal.
    Known(Option<BTreeMap<String, f64>>),
}

impl<'a> Costs<'a> {
    /// Those of a search that a journal has begun: what was ready then.
    pub(crate) fn begun(args: &'a CachedArgs, header: &'a Header) -> Self {
        if args.cached.is_none() {
            return Costs::Asked(args);
        }
        Costs::Known(serde_json::from_value(header.configuration["costs"].clone()).unwrap_or_default())
    }
}

/// A search that the command line describes.
pub(crate) struct Described {
    pub(crate) repository: Repository,
    pub(crate) session: Session,
    /// What is to be said of it before the first test.
    pub(crate) notes: Vec<String>,
}

/// What can be done for the first run while the history is read, and then while what the commits touch is; it is told what that
/// will likely test, the second time only where it is another revision.
pub(crate) type Meanwhile<'a> = dyn FnMut(&Repository, &str) -> Result<(), Error> + 'a;

/// The search that the command line describes, for a test, without a journal.
///
/// # Errors
/// Those of reading the repository and of [`firstbad_git::open`], and those of what is done meanwhile.
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
    // Whatever is tested first, this is less far from it than nothing is.
    let first = if args.fix { &args.good } else { &args.bad }.first();
    let (graph, begun) = std::thread::scope(|scope| {
        let graph = scope.spawn(|| graph(&repository, args));
        let begun = first.map_or(Ok(()), |revision| meanwhile(&repository, revision));
        (graph.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), begun)
    });
    // Which option it is about is asked only where something is wrong.
    let graph = graph.map_err(|error| resolved(&repository, args).err().unwrap_or(error))?;
    check_apart(&graph, args)?;
    begun?;
    let mut notes = dates;
    match costs {
        Costs::Asked(cached) => {
            if let Some(costs) = ready(&repository, &graph, cached)? {
                notes.push(format!("{} of {} revisions are ready", costs.len(), graph.len()));
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

/// Replaces dates by the last commit before them, in the history of the newer revision, or of `HEAD` for the newer revision itself.
/// Returns notes about the replacements.
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

/// Which ends are meant where none were given.
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
            notes.push(format!("without {older}, looking back for a revision that {what}: {} first", tags.join(", ")));
        }
        Value::Bool(true) => {
            notes.push(format!("without {older}, looking back for a revision that {what}, further and further"));
        }
        _ => {}
    }
    Ok(notes)
}

/// What a revision is called, in the history of a search: a tag, or else a branch, or the beginning of its id.
fn called(search: &dyn Search, id: &str) -> String {
    let World::History(graph) = search.inspect().world() else { return short(id).to_owned() };
    let names = graph.get(id).map(|node| graph.names(node)).unwrap_or_default();
    let mut short_names = names.iter().copied().filter(|name| !name.starts_with("refs/") && !id.starts_with(name));
    let is_tag = |name: &&str| names.contains(&format!("refs/tags/{name}").as_str());
    let name = short_names.clone().find(is_tag).or(short_names.next());
    firstbad_report::plain(name.unwrap_or(short(id)))
}

/// What runs cost at the revisions of a history that a command says are ready; `None` if there is no such command.
fn ready(
    repository: &Repository,
    graph: &CommitGraph,
    args: &CachedArgs,
) -> Result<Option<BTreeMap<String, f64>>, Error> {
    let Some(command) = &args.cached else { return Ok(None) };
    let cost = args.cached_cost;
    if !(cost > 0.0 && cost <= 1.0) {
        return Err(Error::invalid("--cached-cost", cost, "a cost above 0 and at most 1"));
    }
    let found = ready_revisions(repository, command, args.cached_timeout);
    let found = found.map_err(|error| error.renamed("command", "--cached"))?;
    Ok(Some(found.into_iter().filter(|id| graph.get(id).is_some()).map(|id| (id, cost)).collect()))
}

/// Looks both ends up, to say of which option one is that does not exist.
///
/// # Errors
/// Those of [`Repository::resolve_all`], about the option.
fn resolved(repository: &Repository, args: &SearchArgs) -> Result<(), Error> {
    for (option, names) in [("--good", &args.good), ("--bad", &args.bad)] {
        repository.resolve_all("revision", names).map_err(|error| error.about(option))?;
    }
    Ok(())
}

/// # Errors
/// Where a revision is both a good and a bad end.
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
    let expected = "another revision than --bad".to_owned();
    Err(Error::InvalidArgument { argument: "--good".to_owned(), value, expected })
}

/// git's pathspecs as they mean the same from the top of the repository: from the current folder, where that is in the work tree,
/// unless they say that they are from the top (`:/`, `:(top)`).
pub(crate) fn from_top(repository: &Repository, paths: &[String]) -> Vec<String> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    let top = repository.path().canonicalize().unwrap_or_default();
    let folder = here.strip_prefix(&top).unwrap_or(Path::new(""));
    paths.iter().map(|path| below(folder, path)).collect()
}

/// The same for what takes paths as they are written, and not as patterns.
pub(crate) fn names_from_top(repository: &Repository, paths: &[String]) -> Vec<String> {
    let plain = |spec: String| {
        [":/", ":(top)"].iter().find_map(|magic| spec.strip_prefix(magic)).map(str::to_owned).unwrap_or(spec)
    };
    from_top(repository, paths).into_iter().map(plain).collect()
}

/// The same for what changes are kept to: none where one of them is all of the repository.
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
    // All of the repository, perhaps.
    let path = if names.is_empty() { ".".to_owned() } else { names.join("/") };
    format!("{magic}{path}")
}

/// The part of the history between the ends.
fn graph(repository: &Repository, args: &SearchArgs) -> Result<CommitGraph, Error> {
    repository.graph(&GraphOptions {
        tips: args.bad.iter().chain(&args.good).cloned().collect(),
        exclude: Vec::new(),
        first_parent: args.first_parent,
        paths: from_top(repository, &args.path),
    })
}

/// The world of a journal, from the repository where it is that of one: the one that is given, or else the one that the
/// journal was begun in. What a journal from elsewhere says is not followed: there the repository is the one here.
///
/// # Errors
/// Those of reading the repository, and of [`Header::world`](firstbad_journal::Header::world).
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
        // It was moved, or is a clone of what is gone.
        Err(error) if repository.is_none() && is_followed => read(here).map_err(|_: Error| error).inspect(|_| {
            streams::note(format_args!("the history of {} is read here, and no longer in {folder}", journal.display()));
        }),
        found => found,
    };
    let whose = match is_followed {
        true => format!("its history, that of the repository {folder}, is not to be read"),
        false => format!("it was begun elsewhere, on the repository {folder}, and its history is not in the one here"),
    };
    let (repository, graph) = found.map_err(|error: Error| {
        let asked = Repository::open(repository.unwrap_or(here)).ok();
        Error::Journal { path: journal.display().to_string(), message: lost(contents, &whose, asked.as_ref(), &error) }
    })?;
    let world = contents.header.world(journal, Some(graph))?;
    Ok((Some(repository), world))
}

/// How many answers of a journal without its history are shown.
const SHOWN: usize = 10;

/// What is said of a journal whose history is not there: what it knows, and what can be done with it.
fn lost(contents: &Contents, whose: &str, repository: Option<&Repository>, error: &Error) -> String {
    let answers = answers_of(contents, repository);
    let or_else = "; stand in a clone of it, or name one with --repository";
    format!("{whose} ({}){}", failure::words(error), answers.unwrap_or_else(|| or_else.to_owned()))
}

/// The answers of a journal whose history is another than that of the repository here, and what can be done with them, to be said
/// after that; `None` if it has none.
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
        0 => {
            "none of these revisions is here: stand in a clone of that repository, or name one with --repository".into()
        }
        _ => format!("{here} of {} are about commits that are here: {TAKEN_OVER}", seen.len()),
    };
    Some(format!("; {}; {what_to_do}", listed(&seen)))
}

/// How the answers of another history are used.
const TAKEN_OVER: &str =
    "a new run takes over those of its own history with --import and this file (and --journal with another)";

/// The answers of a journal, as many as are shown.
fn listed(seen: &[(&str, Outcome)]) -> String {
    let shown: Vec<String> =
        seen.iter().take(SHOWN).map(|(id, outcome)| format!("{} {}", short(id), outcome.as_str())).collect();
    let more = seen.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("its answers: {}{more}", shown.join(", "))
}

/// What is said where a journal is gone on with whose ends no branch or tag has any more, after a rebase for one: which history is
/// searched, and which answers are about commits that are still in use. `None` where all is as it was.
pub(crate) fn left_behind(contents: &Contents, repository: &Repository) -> Option<String> {
    let WorldRecord::Git(origin) = &contents.header.world else { return None };
    let known = known::seen(contents);
    let seen: Vec<(&str, Outcome)> =
        known.iter().filter_map(|(target, seen)| Some((target.revision.as_deref()?, seen.outcome))).collect();
    let ids: Vec<&str> =
        origin.tips.iter().map(String::as_str).chain(seen.iter().map(|seen| seen.0)).take(LOOKED_UP).collect();
    // What cannot be asked is not worth an error.
    let lost = repository.left_behind(&ids).ok()?;
    let ends: Vec<&str> = origin.tips.iter().map(String::as_str).filter(|tip| lost.contains(tip)).map(short).collect();
    if ends.is_empty() {
        return None;
    }
    let here = seen.iter().filter(|(id, _)| !lost.contains(id)).count();
    let what_to_do = match here {
        _ if seen.is_empty() => "a new run searches what the branches have now".to_owned(),
        0 => format!(
            "{}; none is about a commit of a branch or tag: begin a new run for what they have now",
            listed(&seen)
        ),
        _ => format!("{}; {here} of {} are about commits of branches or tags: {TAKEN_OVER}", listed(&seen), seen.len()),
    };
    Some(format!(
        "no branch or tag has {} any more (was it rebased?): this run goes on in the history as it was; {what_to_do}",
        ends.join(", ")
    ))
}

/// How many commits are looked up.
const LOOKED_UP: usize = 1000;
