//! The answer in words: plain text, and Markdown.

use std::fmt::Write as _;

use super::report::{SlicerReport, Why};
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
            let why = self.reason(change).map(|why| format!(": {}", self.words(why))).unwrap_or_default();
            let _ = writeln!(text, "  {}{why}", printable(short(name)));
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
            let why = self.reason(change).map(|why| self.words(why)).unwrap_or_default();
            let _ = writeln!(text, "| {} | {} |", escaped(short(name)), escaped(&why));
        }
        text
    }

    fn reason(&self, change: usize) -> Option<&Why> {
        self.why.iter().find(|why| why.change == change)
    }

    /// What was seen without a change.
    fn words(&self, why: &Why) -> String {
        let others: Vec<&str> = self
            .kept
            .iter()
            .zip(&self.names)
            .filter(|&(&change, _)| change != why.change && !why.changes.contains(change))
            .map(|(_, name)| short(name))
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
        format!("{without} {seen} (answer {})", why.observation)
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
