//! The live view: pictures drawn over each other.

use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::finished::Finished;
use super::frame::{Frame, Paper};

/// How often a picture is drawn.
const PAUSE: Duration = Duration::from_millis(100);

/// A terminal that is drawn on.
pub(super) struct Live {
    terminal: Term,
    bar: ProgressBar,
    colours: bool,
    last: Option<Instant>,
}

impl Live {
    /// The terminal at standard error; `None` if that is no terminal, or if plain lines were asked for.
    pub(super) fn on_terminal() -> Option<Live> {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let terminal = Term::stderr();
        if !terminal.is_term() || set("CI") || std::env::var_os("TERM").is_none_or(|name| name == "dumb") {
            return None;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::term(terminal.clone(), 20));
        bar.set_style(ProgressStyle::with_template("{msg}").ok()?);
        Some(Live { terminal, bar, colours: !set("NO_COLOR"), last: None })
    }

    pub(super) fn draw(&mut self, frame: &Frame<'_>) {
        if self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.last = Some(Instant::now());
        self.bar.set_message(frame.lines(self.paper()).join("\n"));
        self.bar.tick();
    }

    /// Leaves the line of a test that has ended, above the pictures.
    pub(super) fn leave(&self, finished: &Finished) {
        self.above(&self.paper().finished(finished));
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
