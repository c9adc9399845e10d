//! What a parse may cost.
//!
//! A few KB of hostile text can keep the parser busy for minutes, or make it take gigabytes: its work may grow with the square
//! of the text. Costs are counted in what the parser does, so that a text is read or refused alike on every machine. Limits
//! are above what programs need: 400 files in three languages stay below half of them, and the densest text (`a;a;a;`) below all.
//!
//! The parser reports its progress every hundred steps, and a step takes a microsecond or, behind an error, a hundred. What
//! else it does is in its log, which takes more time than parsing. So a text that takes more than a few steps is parsed twice:
//! first on trial, with the log on for one of eight hundreds. Turning the log on and off stops the parser, and what it makes of
//! an ambiguity may depend on where it was stopped, so the second tree is the one that counts.

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
/// So many hundreds of steps do no harm, whatever the parser does in them: nothing is logged.
const HARMLESS_HUNDREDS: usize = 60;
/// One of so many hundreds after them is logged on trial.
const SAMPLE: usize = 8;
/// How far steps with several readings of the text may exceed twice those with one, behind which few are open. What readings
/// that stay open cost at the end of the text grows with their square: this many take 100 MB.
const MOST_AMBIGUOUS: usize = 3_500;
/// Errors in a text, and one more for each so many bytes.
const MOST_ERRORS: usize = 500;
const BYTES_PER_ERROR: usize = 64;

/// What takes the parser's log.
pub(crate) type Log = Box<dyn FnMut(LogType, &str)>;

/// How a text is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// To see what it costs.
    Trial,
    /// What it costs is known.
    Known,
}

/// Why the parser was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// To turn the log on or off.
    Log,
    /// A limit, in words.
    Limit(&'static str),
}

/// What the log said of one hundred of steps.
#[derive(Debug, Default)]
struct Logged {
    ambiguous: Cell<usize>,
    single: Cell<usize>,
    errors: Cell<usize>,
}

impl Logged {
    fn line(&self, line: &str) {
        let count = |cell: &Cell<usize>| cell.set(cell.get() + 1);
        let step = line.strip_prefix("process version:").and_then(|rest| rest.split_once("version_count:"));
        if let Some((_, readings)) = step {
            count(if readings.starts_with("1,") { &self.single } else { &self.ambiguous });
        } else if line.starts_with("resume version:") {
            count(&self.errors);
        }
    }
}

/// Counts what the parser does with one text.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    text: &'a [u8],
    pass: Pass,
    read: Cell<usize>,
    hundreds: Cell<usize>,
    ambiguous: Cell<usize>,
    errors: Cell<usize>,
    logged: Rc<Logged>,
    stopped: Cell<Option<Stop>>,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(text: &'a [u8], pass: Pass) -> Self {
        let zero = Cell::<usize>::default;
        let (read, hundreds, ambiguous, errors) = (zero(), zero(), zero(), zero());
        Meter { text, pass, read, hundreds, ambiguous, errors, logged: Rc::default(), stopped: Cell::default() }
    }

    /// What takes the log of the next hundred of steps; `None` if it is not logged.
    pub(crate) fn log(&self) -> Option<Log> {
        let logged = Rc::clone(&self.logged);
        self.is_logged().then(|| -> Log {
            Box::new(move |kind, line| {
                if matches!(kind, LogType::Parse) {
                    logged.line(line);
                }
            })
        })
    }

    /// Logged hundreds are spread out, so that no text goes along with them.
    fn is_logged(&self) -> bool {
        let hundreds = self.hundreds.get();
        let mixed = (hundreds as u32).wrapping_mul(0x9e37_79b9).rotate_left(7).wrapping_mul(0x85eb_ca6b);
        self.pass == Pass::Trial && hundreds >= HARMLESS_HUNDREDS && (mixed >> 16).is_multiple_of(SAMPLE as u32)
    }

    /// The text from a place on, as far as one piece goes.
    pub(crate) fn piece(&self, from: usize) -> &'a [u8] {
        let piece = self.text.get(from..self.text.len().min(from + PIECE)).unwrap_or_default();
        self.read.set(self.read.get() + piece.len());
        piece
    }

    /// Takes down a hundred of steps.
    pub(crate) fn hundred(&self) -> ControlFlow<()> {
        let was_logged = self.is_logged();
        self.hundreds.set(self.hundreds.get() + 1);
        let [ambiguous, single, errors] =
            [&self.logged.ambiguous, &self.logged.single, &self.logged.errors].map(|cell| SAMPLE * cell.take());
        self.ambiguous.set((self.ambiguous.get() + ambiguous).saturating_sub(2 * single));
        self.errors.set(self.errors.get() + errors);
        let turned = was_logged != self.is_logged();
        self.stopped.set(self.limit().map(Stop::Limit).or(turned.then_some(Stop::Log)));
        if self.stopped.get().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn limit(&self) -> Option<&'static str> {
        let length = self.text.len();
        let limits = [
            (&self.hundreds, LEAST_HUNDREDS + length / BYTES_PER_HUNDRED, "parsing it takes too long"),
            (&self.read, LEAST_READS + length * READS, "the parser reads it again too often"),
            (&self.ambiguous, MOST_AMBIGUOUS, "it can be read in too many ways"),
            (&self.errors, MOST_ERRORS + length / BYTES_PER_ERROR, "it has too many syntax errors"),
        ];
        limits.into_iter().find_map(|(is, most, words)| (is.get() > most).then_some(words))
    }

    /// Why the parser was stopped since this was last asked.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stopped.take()
    }
}
