//! The answer in words: plain text, and Markdown.

use std::fmt::Write as _;

use super::report::SlicerReport;
use crate::printable::{escaped, printable, short};
use crate::search::Outcome;

impl SlicerReport {
    /// The answer as plain text, without escape characters.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{}: {}\n{}\n", self.status.as_str(), printable(&self.message), self.numbers());
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {}", printable(warning));
        }
        if !self.kept.is_empty() {
            text.push_str("\nslice, oldest first\n");
        }
        for (&change, name) in self.kept.iter().zip(&self.names) {
            let why = self.evidence(change, brief).map(|words| format!(": {words}")).unwrap_or_default();
            let _ = writeln!(text, "  {}", printable(&(brief(name) + &why)));
        }
        text
    }

    /// The same as Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text =
            format!("**{}**: {}\n\n{}\n\n", self.status.as_str(), escaped(&self.message), escaped(&self.numbers()));
        for warning in &self.warnings {
            let _ = writeln!(text, "> {}\n", escaped(warning));
        }
        if !self.kept.is_empty() {
            text.push_str("| change | why it is needed |\n|---|---|\n");
        }
        for (&change, name) in self.kept.iter().zip(&self.names) {
            let why = self.evidence(change, brief).unwrap_or_default();
            let _ = writeln!(text, "| {} | {} |", escaped(&brief(name)), escaped(&why));
        }
        text
    }

    /// What shows that a change of the slice is needed, in words; `None` if that was not shown yet. `named` says how a change
    /// is written, by its name.
    #[must_use]
    pub fn evidence(&self, change: usize, named: impl Fn(&str) -> String) -> Option<String> {
        let why = self.why.iter().find(|why| why.change == change)?;
        let others: Vec<String> = self
            .kept
            .iter()
            .zip(&self.names)
            .filter(|&(&other, _)| other != change && !why.changes.contains(other))
            .map(|(_, name)| named(name))
            .collect();
        let without = match others.len() {
            0 => "without it".to_owned(),
            _ => format!("without it and {}", others.join(", ")),
        };
        let seen = match (why.outcome, why.ran) {
            (Outcome::Pass, _) => "the test passes",
            (Outcome::Fail, _) => "the test fails",
            (Outcome::Unresolved, false) => "the rest cannot be put together",
            (Outcome::Unresolved, true) => "the test could not be run",
        };
        Some(format!("{without} {seen} (answer {})", why.observation))
    }

    fn numbers(&self) -> String {
        let counted =
            |count: u64, what: &str| if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") };
        let free = self.asked.saturating_sub(self.queries);
        let runs = counted(self.queries, "run");
        let free = if free == 0 { String::new() } else { format!(", {} without one", counted(free, "answer")) };
        format!("{} of {} changes, {runs}{free}, {}", self.kept.len(), self.of, self.guarantee.as_str())
    }
}

/// A change as people read it: of a sha in its name the beginning.
fn brief(name: &str) -> String {
    match name.split_once(':') {
        Some((sha, part)) => format!("{}:{part}", short(sha)),
        None => short(name).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shas_are_shortened_in_parts_of_commits_too() {
        let sha = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(brief(sha), "0123456789ab");
        assert_eq!(brief(&format!("{sha}:src/a:b#0")), "0123456789ab:src/a:b#0");
        assert_eq!(brief("first: it"), "first: it");
    }
}
