//! What a parse may cost.
//!
//! A few KB of hostile text can keep the parser busy for minutes, or make it take gigabytes: its work may grow with the square
//! of the text. Costs are counted in what the parser does, so that a text is read or refused alike on every machine. Limits
//! are above what programs need: 400 files in three languages stay below half of them, and the densest text (`a;a;a;`) below all.
//!
//! The parser reports its progress every hundred steps, and a step takes a microsecond or, behind an error, a hundred. What
//! else it does is in its log, which takes twice as long as parsing. So a text is parsed without the log as long as that can do
//! no harm, which is enough for most files, and then again from its beginning with it. The log cannot be turned on in between:
//! what the parser makes of an ambiguity depends on where it was stopped.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

use tree_sitter::LogType;

/// The parser gets its text in pieces of so many bytes: reading a piece again counts.
const PIECE: usize = 256;
/// Bytes that the parser may read for each byte of the text, and besides: a comment without an end is read again at each step.
const READS: usize = 64;
const LEAST_READS: usize = 1 << 20;
/// Hundreds of steps: one for so many bytes of the text, and besides.
const BYTES_PER_HUNDRED: usize = 16;
const LEAST_HUNDREDS: usize = 200;
/// A hundred of steps that gets ahead by fewer is behind an error with many readings, and takes as long as two dozen.
const FEW_STEPS_AHEAD: usize = 5;
const SLOW_HUNDRED: usize = 24;
/// So many hundreds of steps do no harm, whatever the parser does in them: they take 0.3 s or 130 MB.
const HARMLESS_HUNDREDS: usize = 100;
/// How far steps with several readings of the text may exceed twice those with one, behind which few are open. What readings
/// that stay open cost at the end of the text grows with their square: this many take 100 MB.
const MOST_AMBIGUOUS: usize = 3_500;
/// Errors in a text, and one more for each so many bytes.
const MOST_ERRORS: usize = 200;
const BYTES_PER_ERROR: usize = 128;

/// What takes the parser's log.
pub(crate) type Log = Box<dyn FnMut(LogType, &str)>;

/// Why the parser was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// From here on it may do harm, so that the log is needed.
    Unlogged,
    /// A limit, in words.
    Limit(&'static str),
}

/// What the log says.
#[derive(Debug, Default)]
struct Logged {
    ambiguous: Cell<usize>,
    errors: Cell<usize>,
    /// Steps ahead in the last hundred.
    ahead: Cell<usize>,
    /// Whether the text is at its end. What is done to the tree then is no step ahead.
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

    /// How many hundreds the last one counts for.
    fn hundreds(&self) -> usize {
        let is_slow = self.ahead.take() < FEW_STEPS_AHEAD && !self.ended.get();
        if is_slow { SLOW_HUNDRED } else { 1 }
    }
}

/// Counts what the parser does with one text.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    text: &'a [u8],
    read: Cell<usize>,
    hundreds: Cell<usize>,
    logged: Option<Rc<Logged>>,
    stopped: Cell<Option<Stop>>,
}

impl<'a> Meter<'a> {
    /// A meter that stops the parser where it would need the log.
    pub(crate) fn unlogged(text: &'a [u8]) -> Self {
        Meter { text, read: Cell::new(0), hundreds: Cell::new(0), logged: None, stopped: Cell::new(None) }
    }

    /// A meter that reads the log.
    pub(crate) fn logged(text: &'a [u8]) -> Self {
        Meter { logged: Some(Rc::default()), ..Meter::unlogged(text) }
    }

    /// What is to take the parser's log.
    pub(crate) fn log(&self) -> Option<Log> {
        let logged = Rc::clone(self.logged.as_ref()?);
        Some(Box::new(move |kind, line| {
            if matches!(kind, LogType::Parse) {
                logged.line(line);
            }
        }))
    }

    /// The text from a place on, as far as one piece goes.
    pub(crate) fn piece(&self, from: usize) -> &'a [u8] {
        let piece = self.text.get(from..self.text.len().min(from + PIECE)).unwrap_or_default();
        self.read.set(self.read.get() + piece.len());
        piece
    }

    /// Takes down a hundred of steps.
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

    /// Why the parser was stopped last.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stopped.get()
    }
}
