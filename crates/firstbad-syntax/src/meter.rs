//! Limits on the time and memory of a parse.
//!
//! A few KB of hostile text can keep the parser busy for minutes or make it allocate gigabytes, because its work can grow
//! quadratically. Costs are counted in parser operations rather than in seconds, so every machine accepts and refuses the same
//! texts. Real programs stay below the limits: 400 files in three languages use less than half of them, and even the densest text
//! (`a;a;a;`) passes.
//!
//! The parser reports its progress every hundred steps. A step takes one microsecond, or a hundred after a syntax error. Other
//! costs appear only in the parser's log, which takes twice as long as parsing. The first attempt therefore parses without the
//! log and stops before it can do harm, which is enough for most files. The second attempt starts over with the log. Turning the
//! log on halfway would change the tree, because the parser resolves ambiguities differently after a stop.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

use tree_sitter::LogType;

/// The size of the pieces that the parser reads, in bytes. Reading a piece again counts.
const PIECE: usize = 256;
/// The bytes that the parser can read per byte of the text, and in addition. An unterminated comment is read again at each step.
const READS: usize = 64;
const LEAST_READS: usize = 1 << 20;
/// The bytes of text per allowed hundred of steps, and the hundreds allowed in addition.
const BYTES_PER_HUNDRED: usize = 16;
const LEAST_HUNDREDS: usize = 200;
/// A hundred with fewer steps ahead follows an error in an ambiguous text. It takes as long as [`SLOW_HUNDRED`] others.
const FEW_STEPS_AHEAD: usize = 5;
const SLOW_HUNDRED: usize = 24;
/// The hundreds of steps that are harmless in any text: they take at most 0.3 s and 130 MB.
const HARMLESS_HUNDREDS: usize = 100;
/// The maximum excess of ambiguous steps over twice the unambiguous ones. Memory at the end of the text grows with the square of
/// the open readings: this many take 100 MB.
const MOST_AMBIGUOUS: usize = 3_500;
/// The syntax errors allowed in any text, and the bytes of text per additional error.
const MOST_ERRORS: usize = 200;
const BYTES_PER_ERROR: usize = 128;

/// The callback that receives the parser's log.
pub(crate) type Log = Box<dyn FnMut(LogType, &str)>;

/// Why the parser was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The harmless steps are used up, so the log is needed.
    Unlogged,
    /// A limit was exceeded. The text describes the limit.
    Limit(&'static str),
}

/// The counts read from the log.
#[derive(Debug, Default)]
struct Logged {
    ambiguous: Cell<usize>,
    errors: Cell<usize>,
    /// The steps ahead in the last hundred.
    ahead: Cell<usize>,
    /// Whether the parser has reached the end of the text. Work on the tree after that has no steps ahead.
    ended: Cell<bool>,
}

impl Logged {
    fn line(&self, line: &str) {
        let step = line.strip_prefix("process version:").and_then(|rest| rest.split_once("version_count:"));
        if let Some((_, readings)) = step {
            self.ahead.set(self.ahead.get() + 1);
            let before = self.ambiguous.get();
            self.ambiguous.set(if readings.starts_with("1,") { before.saturating_sub(2) } else { before + 1 });
        } else if line.starts_with("resume version:") {
            self.errors.set(self.errors.get() + 1);
        } else if line == "accept" {
            self.ended.set(true);
        }
    }

    /// Returns how many hundreds the last one counts for.
    fn hundreds(&self) -> usize {
        let is_slow = self.ahead.take() < FEW_STEPS_AHEAD && !self.ended.get();
        if is_slow { SLOW_HUNDRED } else { 1 }
    }
}

/// A counter of the parser's work on one text.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    text: &'a [u8],
    read: Cell<usize>,
    hundreds: Cell<usize>,
    logged: Option<Rc<Logged>>,
    stopped: Cell<Option<Stop>>,
}

impl<'a> Meter<'a> {
    /// Returns a meter that stops the parser once it needs the log.
    pub(crate) fn unlogged(text: &'a [u8]) -> Self {
        Meter { text, read: Cell::new(0), hundreds: Cell::new(0), logged: None, stopped: Cell::new(None) }
    }

    /// Returns a meter that reads the log.
    pub(crate) fn logged(text: &'a [u8]) -> Self {
        Meter { logged: Some(Rc::default()), ..Meter::unlogged(text) }
    }

    /// Returns the callback for the parser's log, or `None` for a meter without the log.
    pub(crate) fn log(&self) -> Option<Log> {
        let logged = Rc::clone(self.logged.as_ref()?);
        Some(Box::new(move |kind, line| {
            if matches!(kind, LogType::Parse) {
                logged.line(line);
            }
        }))
    }

    /// Returns the piece of the text that starts at `from`.
    pub(crate) fn piece(&self, from: usize) -> &'a [u8] {
        let piece = self.text.get(from..self.text.len().min(from + PIECE)).unwrap_or_default();
        self.read.set(self.read.get() + piece.len());
        piece
    }

    /// Records a hundred steps. Breaks if a limit is exceeded or the log is needed.
    pub(crate) fn hundred(&self) -> ControlFlow<()> {
        self.hundreds.set(self.hundreds.get() + self.logged.as_ref().map_or(1, |logged| logged.hundreds()));
        let needs_log = self.logged.is_none() && self.hundreds.get() > HARMLESS_HUNDREDS;
        self.stopped.set(self.limit().map(Stop::Limit).or(needs_log.then_some(Stop::Unlogged)));
        if self.stopped.get().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn limit(&self) -> Option<&'static str> {
        let length = self.text.len();
        let logged = self.logged.as_deref();
        let (ambiguous, errors) = logged.map_or((0, 0), |logged| (logged.ambiguous.get(), logged.errors.get()));
        let limits = [
            (self.hundreds.get(), LEAST_HUNDREDS + length / BYTES_PER_HUNDRED, "parsing it takes too long"),
            (self.read.get(), LEAST_READS + length * READS, "the parser reads it again too often"),
            (ambiguous, MOST_AMBIGUOUS, "it can be read in too many ways"),
            (errors, MOST_ERRORS + length / BYTES_PER_ERROR, "it has too many syntax errors"),
        ];
        limits.into_iter().find_map(|(is, most, words)| (is > most).then_some(words))
    }

    /// Returns why the parser was last stopped.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stopped.get()
    }
}
