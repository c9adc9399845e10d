//! The live view: pictures drawn over each other.

use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::frame::Frame;

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
        let width = usize::from(self.terminal.size().1);
        self.bar.set_message(frame.lines(width, self.colours).join("\n"));
        self.bar.tick();
    }

    pub(super) fn above(&self, text: &str) {
        self.bar.println(text);
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
