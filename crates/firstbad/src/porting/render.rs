//! The answer in words: plain text, and Markdown.

use std::fmt::Write as _;

use super::report::{PortedPatch, PorterReport, PorterStep, StepOutcome};
use crate::printable::{escaped, printable, short};

impl StepOutcome {
    /// As in the public contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            StepOutcome::Kept => "kept",
            StepOutcome::Pass => "pass",
            StepOutcome::Other => "other",
            StepOutcome::Skipped => "skipped",
            StepOutcome::Reduced => "reduced",
        }
    }
}

impl PorterReport {
    /// The patches that were found, each with its name and what it is.
    #[must_use]
    pub fn patches(&self) -> Vec<(&'static str, &'static str, &PortedPatch)> {
        let all = [
            ("carried", "what the test needs on the version that passes", &self.carried),
            ("cause", "the smallest change found that brings the failure back there", &self.cause),
            ("repair", "the smallest change found with which the failing version passes", &self.repair),
            ("figure2", "from the version that passes to the failure, what the test needs included", &self.figure2),
            ("forward", "the fix where it was brought to", &self.forward),
        ];
        all.into_iter().filter_map(|(name, what, patch)| Some((name, what, patch.as_ref()?))).collect()
    }

    /// The answer as plain text, some lines of at most 120 characters but for what names and patches need; without escape
    /// characters.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{}: {}\n", self.status.as_str(), printable(&self.message));
        if let Some(failure) = &self.failure {
            let _ = writeln!(text, "followed: {}", printable(failure));
        }
        let _ = writeln!(text, "{}", self.numbers());
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {}", printable(warning));
        }
        if let Some(also) = &self.also {
            let _ = writeln!(text, "{}: {}", if also.breaks { "warning" } else { "also" }, also.message);
        }
        if !self.steps.is_empty() {
            text.push_str("\nsteps\n");
        }
        for step in &self.steps {
            let _ = writeln!(text, "  {}", words(step));
        }
        for (name, what, patch) in self.patches() {
            let _ = writeln!(text, "\n{name}: {what} ({})", size(patch));
            for line in patch.text.as_deref().unwrap_or("(not UTF-8)").lines() {
                let _ = writeln!(text, "  {}", printable(line));
            }
        }
        text
    }

    /// The same as Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = format!("**{}**: {}\n\n", self.status.as_str(), escaped(&self.message));
        if let Some(failure) = &self.failure {
            let _ = writeln!(text, "Followed: {}\n", escaped(failure));
        }
        let _ = writeln!(text, "{}\n", self.numbers());
        for warning in &self.warnings {
            let _ = writeln!(text, "> {}\n", escaped(warning));
        }
        if let Some(also) = &self.also {
            let _ = writeln!(text, "> {}\n", escaped(&also.message));
        }
        if !self.steps.is_empty() {
            text.push_str("| revision | way | outcome | carried | patch |\n|---|---|---|---|---|\n");
        }
        for step in &self.steps {
            let way = if step.forward { "forward" } else { "back" };
            let carried = step.carried.as_deref().unwrap_or_default();
            let (revision, patch) = (escaped(short(&step.revision)), sizes(step).unwrap_or_default());
            let _ =
                writeln!(text, "| {revision} | {way} | {} | {} | {patch} |", step.outcome.as_str(), escaped(carried));
        }
        for (name, what, patch) in self.patches() {
            let body = patch.text.as_deref().unwrap_or("(not UTF-8)");
            // A fence longer than any run of the same sign in what it holds.
            let longest = body.split(|sign| sign != '`').map(str::len).max().unwrap_or_default();
            let fence = "`".repeat(longest.max(2) + 1);
            let lines: String = body.lines().map(|line| printable(line) + "\n").collect();
            let _ = writeln!(text, "\n**{name}**: {what} ({})\n\n{fence}diff\n{lines}{fence}", size(patch));
        }
        text
    }

    fn numbers(&self) -> String {
        format!(
            "{} looked at, {} left out because they do not build, {}",
            counted(self.visited, "revision"),
            self.skipped,
            counted(self.queries as usize, "run"),
        )
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn size(patch: &PortedPatch) -> String {
    format!("{} of {}, {}", counted(patch.changes, "change"), patch.of, patch.guarantee.as_str())
}

fn sizes(step: &PorterStep) -> Option<String> {
    Some(format!("{} to {}", step.before?, step.after?))
}

fn words(step: &PorterStep) -> String {
    let mut words = printable(short(&step.revision));
    let _ = write!(words, " {}", step.outcome.as_str());
    if step.forward {
        words.push_str(" (forward)");
    }
    let _ = write!(words, ": {}", printable(&step.seen));
    if let Some(carried) = &step.carried {
        let _ = write!(words, ", carried: {}", printable(carried));
    }
    if let Some(sizes) = sizes(step) {
        let _ = write!(words, ", patch: {sizes} changes");
    }
    words
}
