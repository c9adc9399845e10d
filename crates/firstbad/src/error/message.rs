use std::fmt;

use super::{Error, Stopping, there};
use crate::option;
use crate::words::spelling::Spelling;

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
            Error::EmptyGraph => "the commit graph is empty: give it at least one revision".to_owned(),
            Error::DuplicateRevision { ids } => {
                format!("duplicate revision{}: {}; give each id once", plural(ids), list(ids))
            }
            Error::UnknownParent { pairs } => {
                let (parents, them) = (pairs_list(pairs), them(pairs));
                let s = plural(pairs);
                format!("unknown parent{s}: {parents}; add {them} to the graph, or leave {them} out of the parents")
            }
            Error::Cycle { ids } => {
                format!("the commit graph has a cycle: {}; a revision cannot be its own ancestor", ids.join(" -> "))
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
                "{}: {id:?} is the beginning of {count} revisions ({}); give more characters",
                Spelling::token(argument),
                list(examples)
            ),
            Error::InvalidArgument { argument, value, expected } => {
                format!("{}: {}; expected {expected}", Spelling::token(argument), found(value))
            }
            Error::Contradiction { revision, first, second } => format!(
                "contradiction: {revision} was told to be {first} and now to be {second}; the first answer is kept (undo it to \
                 change it)"
            ),
            Error::SearchInUse => {
                "this search is driven by another run: wait until that one has ended, or make a search for each run"
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
                "the oracle is not deterministic: for {changes} it answered {first} and now {second}; the first answer is kept. \
                 With a confidence, sets are asked until they are sure"
            ),
            Error::NotReproduced { message } => message.clone(),
            Error::PatchSyntax { line, message } => format!("patch, line {line}: {message}"),
            Error::PatchConflict { file, hunk, message } => {
                let hunk = hunk.map_or(String::new(), |hunk| format!(" (hunk {hunk})"));
                format!("the patch does not apply to {file}{hunk}: {message}")
            }
            Error::Git { message } => format!("git: {message}"),
            Error::Shallow { argument, given, commits } => format!(
                "{argument}: {given}, and this clone is shallow: its history ends at {}, whose parents are not here, so that the \
                 commit that is looked for may be missing. Fetch the rest (git fetch --unshallow; in CI fetch-depth: 0; or let it \
                 be fetched with {FETCH}), or give a {argument} that is here and older",
                commits.join(", "),
                argument = Spelling::token(argument)
            ),
            Error::MissingObjects { revision, count } => format!(
                "{revision} cannot be looked at: this partial clone does not have all of its files ({count} missing, as far as can \
                 be seen). Fetch them (git fetch --refetch --no-filter; or let them be fetched as they are needed, with {FETCH})"
            ),
            Error::CommandNotFound { command, code, revision, output } => format!(
                "command not found or not executable: {command} (exit code {code}){}; {} (set {} to choose an outcome for it){}",
                at(revision),
                if revision.is_empty() { "nothing is concluded from that" } else { "no revision is blamed for that" },
                option!(exit_codes),
                printed(output)
            ),
            Error::CommandStopped { revision, reason, because, output, .. } => {
                format!(
                    "the command stopped the run{}: {reason} ({}){}",
                    at(revision),
                    because.advice(),
                    printed(output)
                )
            }
            Error::Retry { revision, reason, output } => {
                format!("the machine failed{}, and not the code: {reason}{}", at(revision), printed(output))
            }
            Error::Journal { path, message } => format!("journal {path}: {message}"),
            Error::AnotherTest { path, differences } => {
                let differences: Vec<String> =
                    differences.iter().map(|(name, words)| format!("its {} {words}", Spelling::token(name))).collect();
                format!(
                    "journal {path}: it belongs to another test: {}; give another file, or the same test",
                    differences.join("; ")
                )
            }
            Error::JournalLocked { path, holder } => {
                format!("journal {path} is in use by {holder}; one process writes to a journal at a time")
            }
            Error::Store { path, message } => format!("outcome store {path}: {message}"),
            Error::Internal { message } => format!("internal error: {message}; please report it"),
            Error::Interrupted => "interrupted".to_owned(),
            Error::OracleClosed => {
                "the oracle was closed; make a new one, or close it when all searches that call it have ended"
                    .to_owned()
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
                concat!("set ", option!(on_signal), " or ", option!(exit_codes), " to choose an outcome for that")
            }
            Stopping::Timeout => {
                concat!("set ", option!(on_timeout), " to choose an outcome for that, or a longer ", option!(timeout))
            }
            Stopping::ExitCode => concat!(option!(exit_codes), " says that this code stops"),
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

fn suggestion(nearest: &[String], advice: Option<&str>) -> String {
    match advice {
        Some(advice) if nearest.is_empty() => format!("; {advice}"),
        Some(advice) => format!("{}; {advice}", alike(nearest, "commit graph")),
        None => alike(nearest, "commit graph"),
    }
}

fn alike(nearest: &[String], place: &str) -> String {
    match nearest {
        [] => format!("; it is not in the {place}"),
        names => format!("; did you mean {}?", names.iter().map(|n| format!("{n:?}")).collect::<Vec<_>>().join(" or ")),
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
