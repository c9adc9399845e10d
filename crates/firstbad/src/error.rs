//! One error type for the whole project, with a stable code per kind.

/// What went wrong, in words for people ([`std::fmt::Display`]) and as a stable [`Error::code`] for programs.
///
/// Every message names the argument or the revision, the value, and what would be right. Nothing that was
/// observed before an error is lost by it: the search that raised it is as it was before the call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A commit graph without revisions.
    #[error("the commit graph is empty: give it at least one revision")]
    EmptyGraph,
    /// The same revision was given more than once.
    #[error("duplicate revision{}: {}; give each id once", plural(ids), list(ids))]
    DuplicateRevision {
        /// The ids concerned, in the order met.
        ids: Vec<String>,
    },
    /// Parents that are not revisions of the graph.
    #[error(
        "unknown parent{}: {}; add {} to the graph, or leave {} out of the parents",
        plural(pairs),
        pairs_list(pairs),
        them(pairs),
        them(pairs)
    )]
    UnknownParent {
        /// `(revision, parent)` pairs, in the order met.
        pairs: Vec<(String, String)>,
    },
    /// Revisions that are their own ancestors.
    #[error("the commit graph has a cycle: {}; a revision cannot be its own ancestor", ids.join(" -> "))]
    Cycle {
        /// One cycle, child to parent; the first id is repeated at the end.
        ids: Vec<String>,
    },
    /// A name that stands for no revision of the graph.
    #[error("{argument}: unknown revision {id:?}{}", suggestion(nearest, advice.as_deref()))]
    UnknownRevision {
        /// The argument that held the name.
        argument: String,
        /// The name as given.
        id: String,
        /// Names that look alike, best first.
        nearest: Vec<String>,
        /// Why it may be missing, and what to do about that; `None` if nothing is known.
        advice: Option<String>,
    },
    /// A name that stands for no build target.
    #[error("{argument}: unknown build target {name:?}{}", build_target_suggestion(nearest))]
    UnknownBuildTarget {
        /// The argument that held the name.
        argument: String,
        /// The name as given.
        name: String,
        /// Names that look alike, best first.
        nearest: Vec<String>,
    },
    /// A prefix of several ids.
    #[error("{argument}: {id:?} is the beginning of {count} revisions ({}); give more characters", list(examples))]
    AmbiguousRevision {
        /// The argument that held the prefix.
        argument: String,
        /// The prefix as given.
        id: String,
        /// How many revisions begin with it.
        count: usize,
        /// Some of them.
        examples: Vec<String>,
    },
    /// An argument with a value that cannot be meant.
    #[error("{argument}: {}; expected {expected}", found(value))]
    InvalidArgument {
        /// The argument's name.
        argument: String,
        /// The value as given.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// Two different outcomes for one revision. The first one stays.
    #[error(
        "contradiction: {revision} was told to be {first} and now to be {second}; the first answer is kept (undo it to change it)"
    )]
    Contradiction {
        /// The revision.
        revision: String,
        /// The outcome that is kept, and where it came from.
        first: String,
        /// The outcome that was refused.
        second: String,
    },
    /// A run was started for a search that another run drives.
    #[error("this search is driven by another run: wait until that one has ended, or make a search for each run")]
    SearchInUse,
    /// An answer to a probe that was never asked.
    #[error("unknown probe {id}: this search has asked {}", numbered(*asked, "probe"))]
    UnknownProbe {
        /// The id as given.
        id: u64,
        /// How many probes there are.
        asked: u64,
    },
    /// A content for a read that was never asked for.
    #[error("unknown read {id}: this search has asked to see {}", numbered(*asked, "content"))]
    UnknownRead {
        /// The id as given.
        id: u64,
        /// How many reads there are.
        asked: u64,
    },
    /// A snapshot or event list that does not belong to this search.
    #[error("snapshot: {reason}")]
    Snapshot {
        /// What does not fit.
        reason: String,
    },
    /// An oracle that answers differently for the same set of changes. The first answer stays.
    #[error(
        "the oracle is not deterministic: for {changes} it answered {first} and now {second}; the first answer is kept. With a confidence, sets are asked until they are sure"
    )]
    NonDeterministic {
        /// The set: its indices, in short.
        changes: String,
        /// The answer that is kept, and where it came from.
        first: String,
        /// The answer that was refused.
        second: String,
    },
    /// The property to be kept does not hold for all items together, so there is nothing to reduce.
    #[error("{message}")]
    NotReproduced {
        /// What was seen, in words.
        message: String,
    },
    /// A text that is no patch as git writes them.
    #[error("patch, line {line}: {message}")]
    PatchSyntax {
        /// The line of the patch, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// A patch that does not fit the files that it is applied to.
    #[error("the patch does not apply to {file}{}: {message}", hunk.map_or(String::new(), |hunk| format!(" (hunk {hunk})")))]
    PatchConflict {
        /// The file.
        file: String,
        /// The hunk in that file, from 1; `None` if it is about the file as a whole.
        hunk: Option<usize>,
        /// What does not fit.
        message: String,
    },
    /// git answered with an error, or a folder is no repository.
    #[error("git: {message}")]
    Git {
        /// git's own words, with the command that failed.
        message: String,
    },
    /// A search without an older end in a clone that does not have the whole history: where that was cut off looks like its
    /// beginning.
    #[error(
        "{argument}: {given}, and this clone is shallow: its history ends at {}, whose parents are not here, so that the commit \
         that is looked for may be missing. Fetch the rest (git fetch --unshallow; in CI fetch-depth: 0; or let it be fetched: \
         --fetch, in a program the option fetch of the repository), or give a {argument} that is here and older",
        commits.join(", ")
    )]
    Shallow {
        /// The argument that is missing.
        argument: String,
        /// What is given, in words.
        given: String,
        /// The commits at which the history was cut off, in full shas; at most five.
        commits: Vec<String>,
    },
    /// A partial clone that does not have what a revision holds.
    #[error(
        "{revision} cannot be looked at: this partial clone does not have all of its files ({count} missing, as far as can be \
         seen). Fetch them (git fetch --refetch --no-filter; or let them be fetched as they are needed: --fetch, in a program the \
         option fetch of the repository)"
    )]
    MissingObjects {
        /// The revision, as a full sha.
        revision: String,
        /// How many objects are missing, as far as git can see: what lies in a folder that is missing is not counted.
        count: usize,
    },
    /// The oracle's command cannot be run at all (exit codes 126 and 127).
    #[error("{}", self.told(&str::to_owned))]
    CommandNotFound {
        /// The command as given.
        command: String,
        /// 126 or 127.
        code: i32,
        /// Where it was tried; empty for the content of files.
        revision: String,
        /// The file that holds the command's output, or its last line; empty if there is none.
        output: String,
    },
    /// The oracle's command ended in a way that stops the run (a signal, or an exit code of 128 and above).
    #[error("{}", self.told(&str::to_owned))]
    CommandStopped {
        /// Where it happened; empty for the content of files.
        revision: String,
        /// The exit code; for a signal n it is 128 + n; `None` if it did not end by itself, or it is not known.
        code: Option<i32>,
        /// How it ended.
        reason: String,
        /// Why that stops the run.
        because: Stopping,
        /// The file that holds the command's output, or its last line; empty if there is none.
        output: String,
    },
    /// The oracle's command says that the machine failed, and not the revision: it is to be asked again.
    #[error("the machine failed{}, and not the code: {reason}{}", at(.revision), printed(.output))]
    Retry {
        /// Where it happened; empty for the content of files.
        revision: String,
        /// How it ended.
        reason: String,
        /// The file that holds the command's output, or its last line; empty if there is none.
        output: String,
    },
    /// A journal that cannot be read, or that belongs to another search.
    #[error("journal {path}: {message}")]
    Journal {
        /// The file.
        path: String,
        /// What is wrong with it, or what differs.
        message: String,
    },
    /// A journal that belongs to another test.
    #[error("{}", self.told(&str::to_owned))]
    AnotherTest {
        /// The file.
        path: String,
        /// What differs: an option, called as in Rust, or a part of one after a dot, and what it is in the journal and here.
        differences: Vec<(String, String)>,
    },
    /// Somebody else writes to the journal.
    #[error("journal {path} is in use by {holder}; one process writes to a journal at a time")]
    JournalLocked {
        /// The file.
        path: String,
        /// Who holds it: process, machine, since when.
        holder: String,
    },
    /// The outcome store cannot be used.
    #[error("outcome store {path}: {message}")]
    Store {
        /// The file.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// What cannot happen has happened: a mistake in this program.
    #[error("internal error: {message}; please report it")]
    Internal {
        /// What was not expected.
        message: String,
    },
    /// The run was interrupted from outside.
    #[error("interrupted")]
    Interrupted,
    /// An oracle was called after it was closed.
    #[error("the oracle was closed; make a new one, or close it when all searches that call it have ended")]
    OracleClosed,
    /// A file or a process could not be handled.
    #[error("{action}: {message}")]
    Io {
        /// What was being done, with the path.
        action: String,
        /// The system's words.
        message: String,
    },
}

/// Why the ending of a command stops the run, and so which option says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopping {
    /// A signal ended it, or it exited with 128 or above.
    Signal,
    /// It took longer than its timeout.
    Timeout,
    /// The caller said so of its exit code.
    ExitCode,
}

impl Stopping {
    fn advice(self, option: &dyn Fn(&str) -> String) -> String {
        match self {
            Stopping::Signal => {
                format!("set {} or {} to choose an outcome for that", option("on_signal"), option("exit_codes"))
            }
            Stopping::Timeout => {
                let (on_timeout, timeout) = (option("on_timeout"), option("timeout"));
                format!("set {on_timeout} to choose an outcome for that, or a longer {timeout}")
            }
            Stopping::ExitCode => format!("{} says that this code stops", option("exit_codes")),
        }
    }
}

impl Error {
    /// The message, with each option that it advises called what `option` makes of its name in Rust: what a caller sets is
    /// called otherwise in Node and at the command line. [`std::fmt::Display`] has the names of Rust and Python.
    #[must_use]
    pub fn told(&self, option: &dyn Fn(&str) -> String) -> String {
        match self {
            Error::CommandNotFound { command, code, revision, output } => format!(
                "command not found or not executable: {command} (exit code {code}){}; {} (set {} to choose an \
                 outcome for it){}",
                at(revision),
                if revision.is_empty() { "nothing is concluded from that" } else { "no revision is blamed for that" },
                option("exit_codes"),
                printed(output)
            ),
            Error::CommandStopped { revision, reason, because, output, .. } => format!(
                "the command stopped the run{}: {reason} ({}){}",
                at(revision),
                because.advice(option),
                printed(output)
            ),
            Error::AnotherTest { path, differences } => {
                // A part of an option has no name of its own.
                let called = |name: &String| if name.contains('.') { name.clone() } else { option(name) };
                let differences: Vec<String> =
                    differences.iter().map(|(name, words)| format!("its {} {words}", called(name))).collect();
                format!(
                    "journal {path}: it belongs to another test: {}; give another file, or the same test",
                    differences.join("; ")
                )
            }
            other => other.to_string(),
        }
    }

    /// The stable code of this kind of error, in `snake_case`; the same in Rust, Python and Node.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::EmptyGraph => "empty_graph",
            Error::DuplicateRevision { .. } => "duplicate_revision",
            Error::UnknownParent { .. } => "unknown_parent",
            Error::Cycle { .. } => "cycle",
            Error::UnknownRevision { .. } => "unknown_revision",
            Error::UnknownBuildTarget { .. } => "unknown_build_target",
            Error::AmbiguousRevision { .. } => "ambiguous_revision",
            Error::InvalidArgument { .. } => "invalid_argument",
            Error::Contradiction { .. } => "contradiction",
            Error::SearchInUse => "search_in_use",
            Error::UnknownProbe { .. } => "unknown_probe",
            Error::UnknownRead { .. } => "unknown_read",
            Error::Snapshot { .. } => "snapshot",
            Error::NonDeterministic { .. } => "non_deterministic",
            Error::NotReproduced { .. } => "not_reproduced",
            Error::PatchSyntax { .. } => "patch_syntax",
            Error::PatchConflict { .. } => "patch_conflict",
            Error::Git { .. } => "git",
            Error::Shallow { .. } => "shallow",
            Error::MissingObjects { .. } => "missing_objects",
            Error::CommandNotFound { .. } => "command_not_found",
            Error::CommandStopped { .. } => "command_stopped",
            Error::Retry { .. } => "retry",
            Error::Journal { .. } | Error::AnotherTest { .. } => "journal",
            Error::JournalLocked { .. } => "journal_locked",
            Error::Store { .. } => "store",
            Error::Internal { .. } => "internal",
            Error::Interrupted => "interrupted",
            Error::OracleClosed => "oracle_closed",
            Error::Io { .. } => "io",
        }
    }

    /// What programs want to know of it beside its code, by name: of an oracle's command the `revision` (its full id),
    /// the `exit_code` (for a signal n 128 + n) and the `output` (the file that holds it).
    #[must_use]
    pub fn details(&self) -> Details<'_> {
        match self {
            Error::CommandNotFound { code, revision, output, .. } => {
                Details { revision: there(revision), exit_code: Some(*code), output: there(output) }
            }
            Error::CommandStopped { code, revision, output, .. } => {
                Details { revision: there(revision), exit_code: *code, output: there(output) }
            }
            Error::Retry { revision, output, .. } => {
                Details { revision: there(revision), exit_code: None, output: there(output) }
            }
            _ => Details::default(),
        }
    }

    /// An [`Error::InvalidArgument`].
    pub fn invalid(argument: impl Into<String>, value: impl std::fmt::Debug, expected: impl Into<String>) -> Self {
        Error::InvalidArgument { argument: argument.into(), value: format!("{value:?}"), expected: expected.into() }
    }
}

impl Error {
    /// An [`Error::Internal`] for something that has no JSON form.
    pub fn internal(what: &str, error: &dyn std::fmt::Display) -> Self {
        Error::Internal { message: format!("{what} has no JSON form: {error}") }
    }

    /// The argument that it is about, where that is one which a caller may know by another name; `None` for other errors.
    #[must_use]
    pub fn argument(&self) -> Option<&str> {
        match self {
            Error::InvalidArgument { argument, .. }
            | Error::UnknownRevision { argument, .. }
            | Error::AmbiguousRevision { argument, .. }
            | Error::Shallow { argument, .. } => Some(argument),
            _ => None,
        }
    }

    /// The same, about an argument by another name; an error that has no [argument](Error::argument) stays as it is.
    #[must_use]
    pub fn about(mut self, name: &str) -> Self {
        if let Error::InvalidArgument { argument, .. }
        | Error::UnknownRevision { argument, .. }
        | Error::AmbiguousRevision { argument, .. }
        | Error::Shallow { argument, .. } = &mut self
        {
            name.clone_into(argument);
        }
        self
    }

    /// An [`Error::InvalidArgument`] with a value that is in words already.
    pub fn invalid_value(argument: impl Into<String>, value: String, expected: impl Into<String>) -> Self {
        Error::InvalidArgument { argument: argument.into(), value, expected: expected.into() }
    }
}

/// Where a command ran, for a message.
fn at(revision: &str) -> String {
    there(revision).map_or_else(String::new, |revision| format!(" at revision {revision}"))
}

/// What it printed.
fn printed(output: &str) -> String {
    there(output).map_or_else(String::new, |output| format!(". Output: {output}"))
}

fn there(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// What is wrong with the value of an argument: an empty one was not given.
fn found(value: &str) -> String {
    if value.is_empty() { "nothing was given".to_owned() } else { format!("{value} is not valid") }
}

/// What programs want to know of an error beside its code; `None` where it has nothing of the kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Details<'a> {
    /// The revision that it happened at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<&'a str>,
    /// The exit code of a command; for a signal n it is 128 + n.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The file that holds the output of a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<&'a str>,
}

const SHOWN: usize = 5;

fn plural<T>(items: &[T]) -> &'static str {
    if items.len() == 1 { "" } else { "s" }
}

/// So many of something, with their ids.
fn numbered(many: u64, what: &str) -> String {
    match many {
        0 => format!("no {what} yet"),
        1 => format!("1 {what}, whose id is 0"),
        many => format!("{many} {what}s, whose ids are 0 to {}", many - 1),
    }
}

fn them<T>(items: &[T]) -> &'static str {
    if items.len() == 1 { "it" } else { "them" }
}

fn list(ids: &[String]) -> String {
    shown(ids.iter().map(|id| format!("{id:?}")), ids.len())
}

fn pairs_list(pairs: &[(String, String)]) -> String {
    shown(pairs.iter().map(|(child, parent)| format!("{parent:?} (a parent of {child:?})")), pairs.len())
}

fn shown(items: impl Iterator<Item = String>, count: usize) -> String {
    let mut text = items.take(SHOWN).collect::<Vec<_>>().join(", ");
    if count > SHOWN {
        text.push_str(&format!(" and {} more", count - SHOWN));
    }
    text
}

fn suggestion(nearest: &[String], advice: Option<&str>) -> String {
    match advice {
        Some(advice) if nearest.is_empty() => format!("; {advice}"),
        Some(advice) => format!("{}; {advice}", alike(nearest, "commit graph")),
        None => alike(nearest, "commit graph"),
    }
}

fn build_target_suggestion(nearest: &[String]) -> String {
    alike(nearest, "build graph")
}

fn alike(nearest: &[String], place: &str) -> String {
    match nearest {
        [] => format!("; it is not in the {place}"),
        names => format!("; did you mean {}?", names.iter().map(|n| format!("{n:?}")).collect::<Vec<_>>().join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_there_are_are_counted() {
        for (asked, words) in
            [(0, "no probe yet"), (1, "1 probe, whose id is 0"), (3, "3 probes, whose ids are 0 to 2")]
        {
            let error = Error::UnknownProbe { id: 7, asked };
            assert_eq!(error.to_string(), format!("unknown probe 7: this search has asked {words}"));
        }
    }
}
