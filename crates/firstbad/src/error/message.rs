use std::fmt;

use super::{Error, Stopping, there};
use crate::error::spelling::Spelling;
use crate::option;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(Spelling::Python))
    }
}

impl std::error::Error for Error {}

impl Error {
    /// Returns the message with options in the spelling of a front end. [`Display`](fmt::Display) uses [`Spelling::Python`].
    #[must_use]
    pub fn said(&self, spelling: Spelling) -> String {
        spelling.render(&self.message())
    }

    /// Returns the message with options as tokens, to be included in the message of another error.
    #[must_use]
    #[allow(clippy::too_many_lines, reason = "one arm for each kind of error")]
    pub fn message(&self) -> String {
        match self {
            Error::EmptyGraph => "the commit graph is empty\nhelp: give at least one revision".to_owned(),
            Error::DuplicateRevision { ids } => {
                format!("duplicate revision{}: {}\nhelp: give each id once", plural(ids), list(ids))
            }
            Error::UnknownParent { pairs } => {
                let (parents, them) = (pairs_list(pairs), them(pairs));
                let s = plural(pairs);
                format!(
                    "unknown parent{s}: {parents}\nhelp: add {them} to the graph, or remove {them} from the parents"
                )
            }
            Error::Cycle { ids } => {
                format!("the commit graph has a cycle: {}\nhelp: remove one of these parents", ids.join(" -> "))
            }
            Error::UnknownRevision { argument, id, nearest, advice } => {
                format!(
                    "{}: unknown revision {id:?}{}",
                    Spelling::token(argument),
                    suggestion(nearest, advice.as_deref())
                )
            }
            Error::UnknownBuildTarget { argument, name, nearest } => {
                format!("{}: unknown build target {name:?}{}", Spelling::token(argument), alike(nearest, "build graph"))
            }
            Error::AmbiguousRevision { argument, id, count, examples } => format!(
                "{}: {id:?} is ambiguous, because {count} revisions start with it ({})\nhelp: give more characters",
                Spelling::token(argument),
                list(examples)
            ),
            // The expected value is the whole problem, with its fix.
            Error::InvalidArgument { argument, value, expected }
                if value.is_empty() && expected.contains("\nhelp: ") =>
            {
                format!("{}: {expected}", Spelling::token(argument))
            }
            Error::InvalidArgument { argument, value, expected } => {
                format!("{}: {}; expected {expected}", Spelling::token(argument), found(value))
            }
            Error::Contradiction { revision, first, second } => format!(
                "contradiction: the outcome of {revision} was {first} and is now {second}\nhelp: undo the first outcome, which is kept, \
                 to change it"
            ),
            Error::SearchInUse => {
                "another run uses this search\nhelp: wait until that run has finished, or create a search for each run"
                    .to_owned()
            }
            Error::UnknownProbe { id, asked } => {
                format!("unknown probe {id}: this search has asked {}", numbered(*asked, "probe"))
            }
            Error::UnknownRead { id, asked } => {
                format!("unknown read {id}: this search has asked to see {}", numbered(*asked, "content"))
            }
            Error::Snapshot { reason } => format!("snapshot: {reason}"),
            Error::NonDeterministic { changes, first, second } => format!(
                "the oracle is not deterministic: the outcome of {changes} was {first} and is now {second}\nhelp: set a confidence to \
                 repeat runs. The first outcome is kept"
            ),
            Error::NotReproduced { message } | Error::Results { message, .. } => message.clone(),
            Error::PatchSyntax { line, message } => format!("patch, line {line}: {message}"),
            Error::PatchConflict { file, hunk, message } => {
                let hunk = hunk.map_or(String::new(), |hunk| format!(" (hunk {hunk})"));
                format!("the patch does not apply to {file}{hunk}: {message}")
            }
            Error::Git { message } => format!("git: {message}"),
            Error::Shallow { argument, given, commits } => format!(
                "{argument}: {given}, but this clone is shallow and ends at {}, so the culprit may be missing\nhelp: fetch the \
                 history with {FETCH} or git fetch --unshallow, set fetch-depth: 0 in CI, or give an older {argument}",
                commits.join(", "),
                argument = Spelling::token(argument)
            ),
            Error::MissingObjects { revision, count } => format!(
                "{revision} cannot be read, because this partial clone lacks at least {count} of its files\nhelp: fetch them with \
                 {FETCH} or git fetch --refetch --no-filter"
            ),
            Error::CommandNotFound { command, code, revision, output } => format!(
                "command {}: {command}{}{}\nhelp: paths are relative to the top of the repository. If only old revisions lack it, use \
                 {}",
                if *code == 126 { "not executable" } else { "not found" },
                there(revision).map_or_else(String::new, |revision| format!(" (at {revision})")),
                printed(output),
                Spelling::token_entry("exit_codes", &code.to_string(), "unresolved")
            ),
            Error::CommandStopped { revision, reason, because, output, .. } => {
                format!("the test stopped the run{}: {reason}{}{}", at(revision), printed(output), because.advice())
            }
            Error::Retry { revision, reason, output } => {
                format!("the machine failed{}: {reason}{}", at(revision), printed(output))
            }
            Error::Journal { path, message } => format!("journal {path}: {message}"),
            Error::AnotherTest { path, differences } => {
                let differences: Vec<String> =
                    differences.iter().map(|(name, words)| format!("Its {} {words}", Spelling::token(name))).collect();
                format!(
                    "journal {path} was recorded with another test. {}\nhelp: use another journal, or the same test",
                    differences.join(". ")
                )
            }
            Error::JournalLocked { path, holder } => {
                format!(
                    "journal {path} is in use by {holder}\nhelp: wait, because one process can write to a journal at a time"
                )
            }
            Error::Store { path, message } => format!("outcome store {path}: {message}"),
            Error::Internal { message } => format!("internal error: {message}\nhelp: please report this error"),
            Error::Interrupted => "interrupted".to_owned(),
            Error::OracleClosed => {
                "the oracle is closed\nhelp: create a new oracle, or close it after all searches that use it".to_owned()
            }
            Error::Io { action, message } => format!("{action}: {message}"),
        }
    }
}

const FETCH: &str = option!(fetch = true);

impl Stopping {
    fn advice(self) -> &'static str {
        match self {
            Stopping::Signal => {
                concat!("\nhelp: set ", option!(on_signal), " or ", option!(exit_codes), " to choose an outcome for it")
            }
            Stopping::Timeout => {
                concat!(
                    "\nhelp: set ",
                    option!(on_timeout),
                    " to choose an outcome for it, or set a longer ",
                    option!(timeout)
                )
            }
            Stopping::ExitCode => concat!("\nhelp: change ", option!(exit_codes), " to choose another outcome for it"),
        }
    }
}

fn at(revision: &str) -> String {
    there(revision).map_or_else(String::new, |revision| format!(" at revision {revision}"))
}

fn printed(output: &str) -> String {
    there(output).map_or_else(String::new, |output| format!(". Output: {output}"))
}

fn found(value: &str) -> String {
    if value.is_empty() { "nothing was given".to_owned() } else { format!("{value} is not valid") }
}

const SHOWN: usize = 5;

fn plural<T>(items: &[T]) -> &'static str {
    if items.len() == 1 { "" } else { "s" }
}

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

/// Describes why a revision is unknown. The advice can have a second line with help.
fn suggestion(nearest: &[String], advice: Option<&str>) -> String {
    match (advice, advice.and_then(|advice| advice.split_once("\nhelp: "))) {
        (None, _) => alike(nearest, "commit graph"),
        (Some(advice), _) if nearest.is_empty() => format!(": {advice}"),
        (Some(_), Some((problem, help))) => {
            format!(": {problem}{} Otherwise, {help}", alike(nearest, "commit graph"))
        }
        (Some(advice), None) => format!(": {advice}{}", alike(nearest, "commit graph")),
    }
}

fn alike(nearest: &[String], place: &str) -> String {
    match nearest {
        [] => format!(": it is not in the {place}"),
        names => {
            format!("\nhelp: did you mean {}?", names.iter().map(|n| format!("{n:?}")).collect::<Vec<_>>().join(" or "))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::error::Error;

    #[test]
    fn messages_count_the_existing_ids() {
        for (asked, words) in
            [(0, "no probe yet"), (1, "1 probe, whose id is 0"), (3, "3 probes, whose ids are 0 to 2")]
        {
            let error = Error::UnknownProbe { id: 7, asked };
            assert_eq!(error.to_string(), format!("unknown probe 7: this search has asked {words}"));
        }
    }
}
