//! One picture of the live view, as lines of text.

use std::collections::VecDeque;
use std::time::Duration;

use console::Style;
use firstbad::Outcome;

use super::facts::Facts;
use super::finished::{Finished, Running};
use super::words::{carrying, count, expected, time, verb};

/// What is shown.
#[derive(Clone)]
pub(super) struct Frame<'a> {
    pub(super) title: &'a str,
    pub(super) elapsed: Duration,
    /// What runs, and how long already.
    pub(super) running: Vec<(&'a Running, Duration)>,
    pub(super) recent: &'a VecDeque<Finished>,
    pub(super) facts: &'a Facts,
}

/// How many tests that run are shown.
const SHOWN: usize = 8;

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

impl Frame<'_> {
    /// The lines, none wider than `width` columns.
    pub(super) fn lines(&self, width: usize, colours: bool) -> Vec<String> {
        let style = |style: Style| style.force_styling(colours);
        let (dim, bold) = (style(Style::new().dim()), style(Style::new().bold()));
        let colour = |outcome: Outcome| match outcome {
            Outcome::Pass => style(Style::new().green()),
            Outcome::Fail => style(Style::new().red()),
            Outcome::Unresolved => style(Style::new().yellow()),
        };
        let elapsed = time(whole(self.elapsed));
        let room = width.saturating_sub(elapsed.len() + 2);
        let title = console::truncate_str(self.title, room, "…");
        let mut lines = vec![format!("{}  {}", bold.apply_to(title), dim.apply_to(elapsed)), String::new()];
        for seen in self.recent {
            let mark = match seen.outcome {
                Outcome::Pass => "✓",
                Outcome::Fail => "✗",
                Outcome::Unresolved => "?",
            };
            let took = seen.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).map(time);
            let how = match seen.outcome {
                // That a test passes with 0 goes without saying.
                Outcome::Pass => String::new(),
                _ => format!("  {}", dim.apply_to(&seen.how)),
            };
            let verdict = colour(seen.outcome).apply_to(format!("{mark} {}  {:<16}", seen.short, verb(seen.outcome)));
            let why = reason(&seen.why, &dim);
            lines.push(format!("  {verdict} {:>8}  {}{how}{why}", took.unwrap_or_default(), seen.subject));
        }
        for (Running { short, subject, why }, since) in self.running.iter().take(SHOWN) {
            let turn = SPINNER[(since.as_millis() / 100) as usize % SPINNER.len()];
            let running = bold.apply_to(format!("{turn} {short}  {:<16}", "running"));
            lines.push(format!("  {running} {:>8}  {subject}{}", time(whole(*since)), reason(why, &dim)));
        }
        if self.running.len() > SHOWN {
            lines.push(format!("    and {} more", self.running.len() - SHOWN));
        }
        lines.push(String::new());
        lines.push(format!("  {}", self.numbers().join(", ")));
        lines.extend(self.facts.best.iter().take(3).map(|best| format!("  {}", bold.apply_to(best))));
        lines.into_iter().map(|line| console::truncate_str(&line, width, "…").into_owned()).collect()
    }

    fn numbers(&self) -> Vec<String> {
        let facts = self.facts;
        let answers = count(facts.answers(), "answer");
        let left =
            |left: usize, of: usize, what: &str| format!("{left} of {} left after {answers}", count(of as u64, what));
        let mut parts = vec![match (facts.changes, facts.suspects) {
            (Some((some, of)), _) => left(some, of, "change"),
            (None, Some((some, of))) => left(some, of, "suspect"),
            (None, None) => answers,
        }];
        parts.extend(carrying(facts));
        parts.extend(expected(facts));
        parts.extend(facts.time_left().map(|left| format!("{} to go", time(whole(left)))));
        parts
    }
}

/// Why something is tried, behind its subject.
fn reason(why: &str, dim: &Style) -> String {
    if why.is_empty() { String::new() } else { format!("  {}", dim.apply_to(why)) }
}

/// Times that run are shown in whole seconds.
fn whole(duration: Duration) -> Duration {
    Duration::from_secs(duration.as_secs_f64().round() as u64)
}

#[cfg(test)]
mod tests {
    use firstbad::{Expense, Forecast};

    use super::*;

    #[test]
    fn a_picture_says_what_runs_what_is_known_and_what_to_expect() {
        let finished = |short: &str, outcome: Outcome| Finished {
            short: short.to_owned(),
            outcome,
            how: "exit 1".to_owned(),
            seconds: Some(3.2),
            subject: "Größe geändert".to_owned(),
            why: String::new(),
        };
        let recent = VecDeque::from([finished("abc", Outcome::Fail), finished("def", Outcome::Pass)]);
        let play = |runs: u64| Expense { runs, rounds: runs };
        let facts = Facts {
            passes: 1,
            fails: 1,
            suspects: Some((31, 812)),
            forecast: Some(Forecast { suspects: 40, likely: play(5), worst: play(7) }),
            best: vec!["broken after def, at the latest by abc Größe geändert".to_owned()],
            ..Facts::default()
        };
        let why = "touches a.py".to_owned();
        let next = Running { short: "fed".to_owned(), subject: "Next".to_owned(), why };
        let running = vec![(&next, Duration::from_secs(83))];
        let frame =
            Frame { title: "make test", elapsed: Duration::from_secs(90), running, recent: &recent, facts: &facts };
        let expected = [
            "make test  90 s",
            "",
            "  ✗ abc  fails               3.2 s  Größe geändert  exit 1",
            "  ✓ def  passes              3.2 s  Größe geändert",
            "  ⠋ fed  running              83 s  Next  touches a.py",
            "",
            "  31 of 812 suspects left after 2 answers, about 5 more runs (at worst 7)",
            "  broken after def, at the latest by abc Größe geändert",
        ];
        assert_eq!(frame.lines(80, false), expected);
        let facts = Facts { changes: Some((5, 60)), passes: 12, ..Facts::default() };
        assert_eq!(Frame { facts: &facts, ..frame.clone() }.numbers(), ["5 of 60 changes left after 12 answers"]);
        let carrying = Facts { carrying: Some(("abc".to_owned(), 12)), ..Facts::default() };
        let frame = Frame { facts: &carrying, ..frame };
        assert_eq!(frame.lines(80, false)[6], "  0 answers, at abc with a patch of 12 changes");
        for line in frame.lines(24, true) {
            assert!(console::measure_text_width(&line) <= 24, "{line:?}");
        }
        assert!(frame.lines(80, true)[0].contains('\u{1b}') && !frame.lines(80, false).concat().contains('\u{1b}'));
    }
}
