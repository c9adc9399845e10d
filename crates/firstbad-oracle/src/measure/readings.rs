//! The numbers of one run.

use std::path::Path;

use firstbad::metric::amount;
use firstbad::{Error, Observation, Outcome};
use regex::bytes::Regex;

use super::kind::{MetricKind, Reader};
use super::text;
use super::values::Found;
use crate::judging::signature::COLOURS;
use crate::options::measure::Take;
use crate::process::group::Finished;

/// The most metrics.
const MOST: usize = 100;

/// The metrics of an oracle.
#[derive(Debug)]
pub(super) struct Readings {
    kinds: Vec<MetricKind>,
    take: Take,
    colors: Regex,
}

/// What a run left behind.
pub(super) struct Traces<'a> {
    pub(super) finished: &'a Finished,
    /// Standard output and standard error, without colors.
    pub(super) output: &'a [u8],
    /// Standard output without colors, if a metric needs it.
    pub(super) stdout: &'a [u8],
    pub(super) tree: &'a Path,
}

/// A metric without a number, and why.
pub(super) struct Missing {
    pub(super) kind: String,
    pub(super) why: String,
}

impl Readings {
    /// # Errors
    /// [`Error::InvalidArgument`] for `metric` if there is none, or if one is invalid or given twice.
    pub(super) fn new(kinds: &[String], take: Take) -> Result<Readings, Error> {
        if kinds.is_empty() || kinds.len() > MOST {
            let expected = format!("1 to {MOST} metrics, such as {}", MetricKind::NAMES.join(", "));
            return Err(Error::invalid("metric", kinds, expected));
        }
        if let Some(twice) = kinds.iter().enumerate().find(|(place, kind)| kinds[..*place].contains(kind)) {
            return Err(Error::invalid("metric", twice.1, "each metric once"));
        }
        let kinds = kinds.iter().map(|kind| MetricKind::parse(kind)).collect::<Result<_, _>>()?;
        let colors = Regex::new(COLOURS).map_err(|error| Error::Internal { message: error.to_string() })?;
        Ok(Readings { kinds, take, colors })
    }

    pub(super) fn kinds(&self) -> &[MetricKind] {
        &self.kinds
    }

    pub(super) fn has_time(&self) -> bool {
        self.kinds.iter().any(MetricKind::is_time)
    }

    /// Returns whether a number is read from standard output alone.
    pub(super) fn read_stdout(&self) -> bool {
        self.kinds.iter().any(MetricKind::reads_stdout)
    }

    /// Returns whether a number is read from all output.
    pub(super) fn read_output(&self) -> bool {
        self.kinds.iter().any(|kind| matches!(kind.reader, Reader::Regex(_)))
    }

    pub(super) fn read_memory(&self) -> bool {
        self.kinds.iter().any(|kind| matches!(kind.reader, Reader::Memory))
    }

    /// Removes colors from output.
    pub(super) fn plain(&self, text: &[u8]) -> Vec<u8> {
        self.colors.replace_all(text, &b""[..]).into_owned()
    }

    /// Removes the files of earlier runs.
    pub(super) fn clear(&self, tree: &Path) -> std::io::Result<()> {
        self.kinds.iter().try_for_each(|kind| match &kind.reader {
            Reader::Json(json) => json.clear(tree),
            _ => Ok(()),
        })
    }

    /// Adds the number of each metric to an observation. Returns the first metric without a number if there is one.
    pub(super) fn read(&self, traces: &Traces<'_>, seen: Observation) -> Result<Observation, Missing> {
        let mut numbers = Vec::new();
        for kind in &self.kinds {
            let missing = |why| Missing { kind: kind.to_string(), why };
            let number = of_reader(&kind.reader, traces).map_err(missing)?;
            // Every reader returns at least one value.
            let number = self.take.of(number).ok_or_else(|| missing("there is no value".to_owned()))?;
            numbers.push((kind, number));
        }
        Ok(self.with(seen, &numbers))
    }

    /// Adds the limits that a run exceeded: the time limit, and the processor time until then. `None` if no metric is a time.
    pub(super) fn limits(&self, limit: f64, finished: &Finished, seen: Observation) -> Option<Observation> {
        let of_kind = |kind: &Reader| match kind {
            Reader::Seconds => Some(limit),
            Reader::CpuSeconds => Some(finished.cpu.as_secs_f64()),
            _ => None,
        };
        let numbers: Vec<_> = self.kinds.iter().filter_map(|kind| Some((kind, of_kind(&kind.reader)?))).collect();
        let is_any = !numbers.is_empty();
        is_any.then(|| Observation { censored: true, ..self.with(seen, &numbers) })
    }

    fn with(&self, mut seen: Observation, numbers: &[(&MetricKind, f64)]) -> Observation {
        seen.outcome = Outcome::Pass;
        match (&self.kinds[..], numbers) {
            ([_], [(_, number)]) => seen.metric = Some(*number),
            _ => seen.metrics = numbers.iter().map(|(kind, number)| (kind.to_string(), *number)).collect(),
        }
        seen
    }

    /// Returns the numbers of an observation as text.
    pub(super) fn described(&self, seen: &Observation) -> String {
        let at_least = if seen.censored { "at least " } else { "" };
        let described = self.kinds.iter().filter_map(|kind| {
            let name = kind.to_string();
            match seen.metrics.get(&name) {
                Some(&number) => Some(format!("{name} {at_least}{}", amount(number, kind.unit()))),
                None => seen.metric.map(|number| format!("{at_least}{}", amount(number, kind.unit()))),
            }
        });
        described.collect::<Vec<_>>().join(", ")
    }

    /// Returns a number of the first metric with its unit.
    pub(super) fn amount(&self, number: f64) -> String {
        amount(number, self.kinds.first().and_then(MetricKind::unit))
    }
}

fn of_reader(reader: &Reader, traces: &Traces<'_>) -> Found {
    match reader {
        Reader::Seconds => Ok(vec![traces.finished.took.as_secs_f64()]),
        Reader::CpuSeconds => Ok(vec![traces.finished.cpu.as_secs_f64()]),
        Reader::Memory => {
            let bytes = traces.finished.memory.ok_or("the system does not report the memory of so short a run")?;
            Ok(vec![bytes as f64])
        }
        Reader::Regex(expression) => expression.read(traces.output),
        Reader::Json(json) => json.read(traces.stdout, traces.tree),
        Reader::FileSize(size) => size.read(traces.tree),
        Reader::LastNumber => text::last_number(traces.stdout),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(kinds: &[&str]) -> String {
        let kinds: Vec<String> = kinds.iter().map(|kind| (*kind).to_owned()).collect();
        Readings::new(&kinds, Take::Median).unwrap_err().to_string()
    }

    #[test]
    fn metrics_are_given_once() {
        assert!(refused(&[]).contains("expected 1 to 100 metrics, such as seconds"), "{}", refused(&[]));
        assert!(
            refused(&["memory", "seconds", "memory"]).contains("\"memory\" is not valid; expected each metric once")
        );
    }

    #[test]
    fn colors_are_not_part_of_the_output() {
        let readings = Readings::new(&["last-number".to_owned()], Take::Median).unwrap();
        assert_eq!(readings.plain(b"\x1b[32m12.5\x1b[0m s"), b"12.5 s");
    }
}
