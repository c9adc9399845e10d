//! Draws the live view as lines of text.

use std::time::Duration;

use console::Style;
use firstbad::Outcome;

use super::counts::{count, left};
use super::facts::Facts;
use super::finished::{Finished, Running};
use super::words::{carrying, expected, said, time};

/// The content of the live view.
#[derive(Clone)]
pub(super) struct Frame<'a> {
    pub(super) title: &'a str,
    pub(super) elapsed: Duration,
    /// The running tests and their times so far.
    pub(super) running: Vec<(&'a Running, Duration)>,
    pub(super) facts: &'a Facts,
}

/// The maximum number of running tests to show.
const SHOWN: usize = 8;

/// A narrower line shows little more than the subject.
const WIDE: usize = 60;

/// A lower view has no empty rows.
const HIGH: usize = 14;

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// The size and colors of the terminal.
#[derive(Clone, Copy)]
pub(super) struct Paper {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) colours: bool,
}

impl Paper {
    fn style(self, style: Style) -> Style {
        style.force_styling(self.colours)
    }

    fn dim(self) -> Style {
        self.style(Style::new().dim())
    }

    fn bold(self) -> Style {
        self.style(Style::new().bold())
    }

    fn is_wide(self) -> bool {
        self.columns >= WIDE
    }

    fn cut(self, line: &str) -> String {
        console::truncate_str(line, self.columns, "…").into_owned()
    }

    /// Returns the line of a finished test.
    pub(super) fn finished(self, seen: &Finished) -> String {
        let (mark, colour) = match seen.outcome {
            Outcome::Pass => ("✓", Style::new().green()),
            Outcome::Fail if !seen.is_other_failure => ("✗", Style::new().red()),
            // Another failure rules out no suspect.
            Outcome::Fail | Outcome::Unresolved => ("?", Style::new().yellow()),
        };
        let colour = self.style(colour);
        if !self.is_wide() {
            return self.cut(&format!("{} {}", colour.apply_to(format!("{mark} {}", seen.short)), seen.subject));
        }
        let took = seen.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).map(time);
        let how = match seen.outcome {
            // A pass has exit code 0.
            Outcome::Pass => String::new(),
            _ => format!("  {}", self.dim().apply_to(&seen.how)),
        };
        let verdict = colour.apply_to(format!("{mark} {}  {:<16}", seen.short, said(seen)));
        self.cut(&format!("  {verdict} {:>8}  {}{how}", took.unwrap_or_default(), seen.subject))
    }

    fn running(self, running: &Running, since: Duration) -> String {
        let turn = SPINNER[(since.as_millis() / 100) as usize % SPINNER.len()];
        let Running { short, subject } = running;
        if !self.is_wide() {
            return format!("{} {subject}", self.bold().apply_to(format!("{turn} {short}")));
        }
        let words = self.bold().apply_to(format!("{turn} {short}  {:<16}", "running"));
        format!("  {words} {:>8}  {subject}", time(whole(since)))
    }
}

impl Frame<'_> {
    /// Returns the lines that fit the terminal, the most important first.
    pub(super) fn lines(&self, paper: Paper) -> Vec<String> {
        let elapsed = time(whole(self.elapsed));
        let room = paper.columns.saturating_sub(elapsed.len() + 2);
        let title = console::truncate_str(self.title, room, "…");
        let margin = if paper.is_wide() { "  " } else { "" };
        let best = self.facts.best.iter().take(3);
        let best: Vec<String> = best.map(|best| format!("{margin}{}", paper.bold().apply_to(best))).collect();
        let empty = if paper.rows >= HIGH { vec![String::new()] } else { Vec::new() };
        // The title, the numbers, and a row for the cursor.
        let most = paper.rows.saturating_sub(3 + 2 * empty.len()).max(1);
        let shown = self.running.len().min(SHOWN).min(most);
        let mut lines = vec![format!("{}  {}", paper.bold().apply_to(title), paper.dim().apply_to(elapsed))];
        lines.extend(empty.clone());
        lines.extend(self.running.iter().take(shown).map(|(running, since)| paper.running(running, *since)));
        let left = self.running.len() - shown;
        lines.extend((left > 0 && shown < most).then(|| format!("{margin}  and {left} more")));
        let numbers = vec![format!("{margin}{}", self.numbers(paper.columns - margin.len().min(paper.columns)))];
        let used = lines.len() + empty.len() + numbers.len() + 1;
        lines.extend(empty.into_iter().chain(numbers));
        lines.extend(best.into_iter().take(paper.rows.saturating_sub(used)));
        lines.iter().map(|line| paper.cut(line)).collect()
    }

    /// Returns the numbers that fit a width.
    fn numbers(&self, room: usize) -> String {
        let facts = self.facts;
        let runs = count(facts.runs(), "run");
        let suspects = || facts.suspects.map(|(some, of)| left(some, of, "suspect"));
        let mut parts = match facts.left.clone().or_else(suspects) {
            Some(left) => vec![left, format!(" after {runs}")],
            None => vec![runs],
        };
        let more = [carrying(facts), expected(facts)].into_iter().flatten();
        let more = more.chain(facts.time_left().map(|left| format!("{} to go", time(whole(left)))));
        parts.extend(more.map(|part| format!(", {part}")));
        let mut text = String::new();
        for part in parts {
            // A later part can be shorter and still fit.
            if text.is_empty() || console::measure_text_width(&text) + console::measure_text_width(&part) <= room {
                text += &part;
            }
        }
        text
    }
}

/// Rounds to whole seconds.
fn whole(duration: Duration) -> Duration {
    Duration::from_secs(duration.as_secs_f64().round() as u64)
}

#[cfg(test)]
mod tests {
    use firstbad::{Expense, Forecast};

    use super::*;

    fn finished(short: &str, outcome: Outcome) -> Finished {
        Finished {
            short: short.to_owned(),
            outcome,
            is_other_failure: false,
            how: "exit 1".to_owned(),
            seconds: Some(3.2),
            subject: "Größe geändert".to_owned(),
            tests: None,
            number: None,
        }
    }

    const WALL: Paper = Paper { rows: 40, columns: 80, colours: false };
    const NOTE: Paper = Paper { rows: 8, columns: 40, colours: false };

    #[test]
    fn a_frame_shows_the_running_tests_and_the_forecast() {
        let play = |runs: u64| Expense { runs, rounds: runs };
        let facts = Facts {
            passes: 1,
            fails: 1,
            suspects: Some((31, 812)),
            forecast: Some(Forecast { suspects: 40, likely: play(5), worst: play(7) }),
            best: vec!["the culprit is after def, up to abc Größe geändert".to_owned()],
            ..Facts::default()
        };
        let next = Running { short: "fed".to_owned(), subject: "Next".to_owned() };
        let running = vec![(&next, Duration::from_secs(83))];
        let frame = Frame { title: "make test", elapsed: Duration::from_secs(90), running, facts: &facts };
        let expected = [
            "make test  90 s",
            "",
            "  ⠋ fed  running              83 s  Next",
            "",
            "  31 of 812 suspects left after 2 runs, about 5 more runs (at worst 7)",
            "  the culprit is after def, up to abc Größe geändert",
        ];
        assert_eq!(frame.lines(WALL), expected);
        let expected = [
            "make test  90 s",
            "⠋ fed Next",
            "31 of 812 suspects left after 2 runs",
            "the culprit is after def, up to abc Grö…",
        ];
        assert_eq!(frame.lines(NOTE), expected);
        assert_eq!(frame.lines(Paper { columns: 30, ..NOTE })[2], "31 of 812 suspects left");
        let many = Frame { running: vec![frame.running[0]; 20], ..frame.clone() };
        let lines = many.lines(NOTE);
        assert!(lines.len() < NOTE.rows && lines.iter().any(|line| line.contains("suspects left")), "{lines:?}");
        assert!(many.lines(WALL).iter().any(|line| line.contains("and 12 more")));
        let facts = Facts { left: Some(left(5, 60, "change")), passes: 12, ..Facts::default() };
        assert_eq!(Frame { facts: &facts, ..frame.clone() }.numbers(80), "5 of 60 changes left after 12 runs");
        let carrying = Facts { carrying: Some(("abc".to_owned(), 12)), ..Facts::default() };
        let frame = Frame { facts: &carrying, ..frame };
        assert_eq!(frame.lines(WALL)[4], "  0 runs, at abc with a patch of 12 changes");
        let bright = |columns| frame.lines(Paper { columns, colours: true, ..WALL });
        for line in bright(24) {
            assert!(console::measure_text_width(&line) <= 24, "{line:?}");
        }
        assert!(bright(80)[0].contains('\u{1b}') && !frame.lines(WALL).concat().contains('\u{1b}'));
    }

    #[test]
    fn a_finished_run_leaves_a_line() {
        let fails = finished("abc", Outcome::Fail);
        assert_eq!(WALL.finished(&fails), "  ✗ abc  fails               3.2 s  Größe geändert  exit 1");
        let passes = finished("def", Outcome::Pass);
        assert_eq!(WALL.finished(&passes), "  ✓ def  passes              3.2 s  Größe geändert");
        assert_eq!(NOTE.finished(&fails), "✗ abc Größe geändert");
    }
}
