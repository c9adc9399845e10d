//! The result of a search for a change in numbers, in one line.

use firstbad::metric::{AtLeast, ChangeConclusion, MetricChange, amount, percent};
use firstbad::{Status, Step};

use super::told::ChangeWriter;
use crate::draw::cut;
use crate::quantities::count;

/// The number of candidates in a report, which can be only the first ones.
const CANDIDATES: usize = 10;
/// The number of characters of the name of a metric.
const NAME: usize = 100;

impl ChangeWriter<'_> {
    /// Returns whether the search has not finished.
    pub(crate) fn is_cut_off(&self) -> bool {
        matches!(self.report.status, Status::Running | Status::Budget | Status::Stopped)
    }

    /// Returns the result and its numbers. Only the result of the main metric has the progress of the search.
    pub(super) fn result(&self, of: &MetricChange, is_main: bool) -> (String, String) {
        let ends = self.ends(of);
        let named = of.metric.as_ref().map(|name| self.style.code(&cut(name, NAME)));
        let what = named.as_deref().unwrap_or("the number");
        let with_name = |word: &str| named.as_ref().map_or(String::new(), |name| format!(" {word} {name}"));
        let answer = match of.conclusion {
            _ if is_main && self.is_cut_off() => self.progress() + &with_name("of"),
            _ if is_main && self.report.status == Status::Untestable => return (self.untestable(), String::new()),
            ChangeConclusion::Step if let [step] = &of.steps[..] => {
                let numbers = self.numbers_of(of, step);
                let numbers = named.as_ref().map_or(numbers.clone(), |name| format!("{name} from {numbers}"));
                return (format!("Changed by {}", self.titled(&step.commit)), numbers);
            }
            ChangeConclusion::Step | ChangeConclusion::Several => {
                format!("{} changed {what}", count(of.steps.len(), "commit"))
            }
            ChangeConclusion::Spread => format!("No single commit changed {what} by {}", self.at_least(of)),
            ChangeConclusion::None if is_other_way(of) => {
                format!("No change in the direction searched for{}", with_name("of"))
            }
            ChangeConclusion::None => format!("No change of {}{}", self.at_least(of), with_name("in")),
            ChangeConclusion::Set => {
                let or_more = if of.candidates.len() == CANDIDATES { " or more" } else { "" };
                format!("One of {}{or_more} commits changed {what}", of.candidates.len())
            }
            ChangeConclusion::Undecided => {
                let after = self.measurements(self.report.measurements);
                format!("Undecided{} after {after}", with_name("about"))
            }
        };
        (answer, ends)
    }

    fn progress(&self) -> String {
        let after = self.measurements(self.report.measurements);
        match (self.report.status, self.host.limit) {
            (Status::Running, _) => format!("Not finished after {after}"),
            (_, Some(limit)) => format!("Stopped after {after} ({limit})"),
            (_, None) => format!("Stopped after {after}"),
        }
    }

    /// Returns which endpoints have no number.
    fn untestable(&self) -> String {
        let ends = self.report.good.iter().take(1).chain([&self.report.bad]);
        let without: Vec<String> =
            ends.filter(|end| self.unresolved.contains(end.as_str())).map(|end| self.end(end)).collect();
        match &without[..] {
            [] => "An endpoint has no number".to_owned(),
            [end] => format!("No number at {end}"),
            ends => format!("No number at {}", ends.join(" and ")),
        }
    }

    pub(super) fn at_least(&self, of: &MetricChange) -> String {
        format!("at least {}", self.plain_unit(&of.at_least))
    }

    /// Returns the numbers at the endpoints and the change between them.
    fn ends(&self, of: &MetricChange) -> String {
        let at = |number: Option<f64>, id: Option<&String>| {
            let (number, id) = (number?, id?);
            Some(format!("{}{} at {}", self.at_least_if_censored(of, id), self.amount(of, number), self.end(id)))
        };
        let numbers = [at(of.before, self.report.good.first()), at(of.after, Some(&self.report.bad))];
        let numbers: Vec<String> = numbers.into_iter().flatten().collect();
        let Some((change, before)) = of.change.zip(of.before) else {
            return if numbers.is_empty() { "no number yet".to_owned() } else { numbers.join(", ") };
        };
        let delta = self.delta(of, Delta { change, percent: of.percent, interval: of.interval, before });
        format!("{} ({delta})", numbers.join(", "))
    }

    /// Returns the numbers before and after a commit.
    pub(super) fn numbers_of(&self, of: &MetricChange, step: &Step) -> String {
        let Step { before, after, change, percent, interval, .. } = *step;
        let least = if step.censored { "at least " } else { "" };
        // The interval of a limit is not known.
        let interval = Some(interval).filter(|_| !step.censored);
        let delta = self.delta(of, Delta { change, percent, interval, before });
        format!("{} to {least}{} ({least}{delta})", self.amount(of, before), self.amount(of, after))
    }

    fn at_least_if_censored(&self, of: &MetricChange, id: &str) -> &'static str {
        // The median is a limit if half of the numbers are.
        let is_limit = |point: &firstbad::metric::SeriesPoint| 2 * point.censored >= point.values.len() as u64;
        let point = super::told::at(of, id).filter(|point| point.censored > 0);
        if point.is_some_and(is_limit) { "at least " } else { "" }
    }

    /// Returns a change in percent if that is known and visible, and otherwise in the unit of the number.
    fn delta(&self, of: &MetricChange, delta: Delta) -> String {
        let Delta { change, percent: share, interval, before } = delta;
        let interval = interval.filter(|(from, to)| !of.exact && from < to);
        let of_before = |number: f64| signed(&percent(100.0 * number / before));
        let Some(share) = share else { return self.with_interval(of, change, interval) };
        let is_visible = self.amount(of, before) != self.amount(of, before + change);
        let in_units = if is_visible { String::new() } else { format!("{}, ", self.signed_amount(of, change)) };
        let limits = interval.map(|(from, to)| format!(", 95% interval {} to {}", of_before(from), of_before(to)));
        format!("{in_units}{}{}", signed(&percent(share)), limits.unwrap_or_default())
    }

    /// Returns a change in the unit of the number with its interval.
    pub(super) fn with_interval(&self, of: &MetricChange, change: f64, interval: Option<(f64, f64)>) -> String {
        let limits = interval.map(|(from, to)| {
            format!(", 95% interval {} to {}", self.signed_amount(of, from), self.signed_amount(of, to))
        });
        self.signed_amount(of, change) + &limits.unwrap_or_default()
    }

    pub(super) fn amount(&self, of: &MetricChange, number: f64) -> String {
        self.plain_unit(&amount(number + 0.0, of.unit.as_deref()))
    }

    pub(super) fn signed_amount(&self, of: &MetricChange, number: f64) -> String {
        self.plain_unit(&signed(&amount(number + 0.0, of.unit.as_deref())))
    }

    /// Formats a number with its unit, which can be any text. A usual unit is not in a code span.
    fn plain_unit(&self, text: &str) -> String {
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "+-./% µ°²".contains(sign);
        let is_unit = |sign: char| sign.is_ascii_alphabetic() || "/% µ°²".contains(sign);
        let unit = text.trim_start_matches(|sign: char| sign.is_ascii_digit() || "+-.e".contains(sign));
        if text.chars().all(is_plain) && unit.chars().all(is_unit) { text.to_owned() } else { self.style.words(text) }
    }
}

/// A change and what it is relative to.
#[derive(Debug, Clone, Copy)]
struct Delta {
    change: f64,
    percent: Option<f64>,
    interval: Option<(f64, f64)>,
    before: f64,
}

/// Returns a formatted number with a plus sign if it is positive.
pub(super) fn signed(number: &str) -> String {
    let is_positive = !number.starts_with('-') && number.contains(|sign: char| ('1'..='9').contains(&sign));
    if is_positive { format!("+{number}") } else { number.to_owned() }
}

/// Returns whether a change reaches the smallest one that matters, in any direction.
pub(crate) fn reaches(at_least: &str, change: f64, share: Option<f64>) -> bool {
    match serde_json::from_value(at_least.into()) {
        Ok(AtLeast::Share(least)) => share.is_some_and(|share| share.abs() >= 100.0 * least),
        Ok(AtLeast::Amount { amount, .. }) => change.abs() >= amount,
        Err(_) => false,
    }
}

/// Returns whether the number changed by enough, but not in the direction that was searched for.
pub(crate) fn is_other_way(of: &MetricChange) -> bool {
    of.conclusion == ChangeConclusion::None && of.change.is_some_and(|change| reaches(&of.at_least, change, of.percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_compared_in_its_own_unit() {
        assert!(reaches("3%", 1.0, Some(-3.0)) && !reaches("3%", 1e9, Some(2.9)) && !reaches("3%", 1e9, None));
        assert!(reaches("2kB", -2000.0, None) && !reaches("2kB", 1999.0, Some(50.0)) && !reaches("<b>", 1.0, None));
        assert_eq!(["0%", "3%", "-3%", "0.25%"].map(signed), ["0%", "+3%", "-3%", "+0.25%"]);
    }
}
