//! The live view in a terminal.

use std::cell::Cell;
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::finished::Finished;
use super::frame::{Frame, Paper};

/// The time between two frames.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) struct Live {
    terminal: Term,
    bar: ProgressBar,
    colours: bool,
    last: Cell<Option<Instant>>,
}

impl Live {
    /// Returns the live view, or `None` if standard error is not a suitable terminal.
    pub(super) fn on_terminal() -> Option<Live> {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let terminal = Term::stderr();
        if !terminal.is_term() || set("CI") || std::env::var_os("TERM").is_none_or(|name| name == "dumb") {
            return None;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::term(terminal.clone(), 20));
        bar.set_style(ProgressStyle::with_template("{msg}").ok()?);
        Some(Live { terminal, bar, colours: !set("NO_COLOR"), last: Cell::default() })
    }

    pub(super) fn draw(&self, frame: &Frame<'_>) {
        if self.last.get().is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.last.set(Some(Instant::now()));
        self.bar.set_message(self.picture(frame));
        self.bar.tick();
    }

    /// Prints the line of a finished test above the current frame.
    pub(super) fn leave(&self, finished: &Finished, frame: &Frame<'_>) {
        self.bar.set_message(self.picture(frame));
        self.above(&self.paper().finished(finished));
    }

    fn picture(&self, frame: &Frame<'_>) -> String {
        frame.lines(self.paper()).join("\n")
    }

    fn paper(&self) -> Paper {
        let (rows, columns) = self.terminal.size();
        Paper { rows: usize::from(rows), columns: usize::from(columns), colours: self.colours }
    }

    pub(super) fn above(&self, text: &str) {
        self.bar.println(text);
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::io::Result;
    use std::sync::{Arc, Mutex};

    use firstbad::Outcome;
    use indicatif::TermLike;

    use super::super::facts::Facts;
    use super::super::finished::Running;
    use super::*;

    /// A terminal that records its output.
    #[derive(Debug, Clone, Default)]
    struct Written(Arc<Mutex<String>>);

    impl TermLike for Written {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> Result<()> {
            Ok(())
        }
        fn flush(&self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn running_tests_are_below_finished_tests() {
        let written = Written::default();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::term_like(Box::new(written.clone())));
        bar.set_style(ProgressStyle::with_template("{msg}").unwrap());
        let live = Live { terminal: Term::stderr(), bar, colours: false, last: Cell::default() };
        let [first, next] = ["abc", "def"].map(|short| Running { short: short.to_owned(), subject: String::new() });
        let facts = Facts::default();
        let running = |test| vec![(test, Duration::ZERO)];
        let frame = Frame { title: "make test", elapsed: Duration::ZERO, running: running(&first), facts: &facts };
        live.draw(&frame);
        assert!(written.0.lock().unwrap().contains("⠋ abc"));
        let finished = Finished {
            short: "abc".to_owned(),
            outcome: Outcome::Pass,
            is_other_failure: false,
            how: String::new(),
            seconds: None,
            subject: String::new(),
            tests: None,
            number: None,
        };
        written.0.lock().unwrap().clear();
        live.leave(&finished, &Frame { running: running(&next), ..frame });
        let text = written.0.lock().unwrap().clone();
        assert!(text.contains("✓ abc") && text.contains("⠋ def") && !text.contains("⠋ abc"), "{text}");
    }
}
