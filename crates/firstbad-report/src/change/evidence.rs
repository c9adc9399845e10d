//! The evidence for a change in numbers: measurements, noise, drift, and the change that remains unexplained.

use firstbad::metric::{ChangeConclusion, MetricChange, Noise, Unexplained, percent};
use firstbad::{Status, Step, percent as probability};

use super::told::{ChangeWriter, Fact, at};
use super::words::{reaches, signed};
use crate::draw::cut;
use crate::quantities::count;

/// The number of parents, and of revisions without a number, that are named.
const NAMED: usize = 4;
/// The number of characters of the last output.
const OUTPUT: usize = 300;
/// The probability from which the machine drifted, and below which it did not.
const DRIFT: f64 = 0.75;
const NO_DRIFT: f64 = 0.25;

impl ChangeWriter<'_> {
    /// Returns the evidence for a commit.
    pub(super) fn evidence(&self, of: &MetricChange, step: &Step) -> Vec<Fact> {
        let interval = Some(step.interval).filter(|(from, to)| !of.exact && !step.censored && from < to);
        let least = if step.censored { "at least " } else { "" };
        let change = least.to_owned() + &self.with_interval(of, step.change, interval);
        let is_one_of_several = of.steps.len() > 1 && step.share.is_finite();
        let share =
            is_one_of_several.then(|| format!("{} of the change between the endpoints", percent(100.0 * step.share)));
        let mut facts = vec![("before", self.before(of, step)), ("after", self.after(of, step)), ("change", change)];
        facts.extend(share.map(|share| ("share", share)));
        facts.extend((!of.exact).then(|| ("probability", probability(step.probability))));
        facts
    }

    fn before(&self, of: &MetricChange, step: &Step) -> String {
        let at_parent = |parent: &String| {
            let point = at(of, parent);
            let many = point.map_or("not measured".to_owned(), |point| self.measurements(point.values.len() as u64));
            (point.map(|point| point.median), format!("{} ({many})", self.style.revision(parent)))
        };
        let before = self.amount(of, step.before);
        match &step.parents[..] {
            [] => before,
            [parent] => format!("{before} at its parent {}", at_parent(parent).1),
            parents if parents.len() <= NAMED => {
                let each = parents.iter().map(at_parent).map(|(median, words)| {
                    let median = median.map(|median| self.amount(of, median) + " at ").unwrap_or_default();
                    median + &words
                });
                format!("{before}: {}", each.collect::<Vec<_>>().join(", "))
            }
            parents => format!("{before} at the closest of {} parents", parents.len()),
        }
    }

    fn after(&self, of: &MetricChange, step: &Step) -> String {
        let least = if step.censored { "at least " } else { "" };
        let point = at(of, &step.commit);
        let limits = point.map_or(0, |point| point.censored);
        let timeouts = if limits > 0 { format!(", {}", count(limits as usize, "timeout")) } else { String::new() };
        let many = point.map(|point| format!(" ({}{timeouts})", self.measurements(point.values.len() as u64)));
        format!("{least}{}{}", self.amount(of, step.after), many.unwrap_or_default())
    }

    /// Returns the facts about a metric. The main one also has the facts about the whole search.
    pub(super) fn facts(&self, of: &MetricChange, is_main: bool) -> Vec<Fact> {
        let is_untestable = is_main && self.report.status == Status::Untestable;
        let mut facts: Vec<Fact> = Vec::new();
        let largest = |step: &Step| format!("{}: {}", self.titled(&step.commit), self.numbers_of(of, step));
        facts.extend(of.largest.as_ref().map(|step| ("largest step", largest(step))));
        facts.extend(of.unexplained.map(|left| ("unexplained", self.unexplained(of, left))));
        facts.extend(self.noise(of).filter(|_| !is_untestable).map(|noise| ("noise", noise)));
        let has_conclusion = matches!(of.conclusion, ChangeConclusion::None | ChangeConclusion::Set);
        if has_conclusion && !of.exact && !(is_main && self.is_cut_off()) {
            facts.extend(of.probability.map(|known| ("probability", probability(known))));
        }
        if is_main && !self.report.unresolved.is_empty() && !is_untestable {
            facts.push(("unresolved", self.without_number()));
        }
        facts.extend(self.last_note().filter(|_| is_untestable).map(|note| ("output", note)));
        facts
    }

    /// Returns the revisions without a number.
    fn without_number(&self) -> String {
        let unresolved = &self.report.unresolved;
        let named: Vec<String> = unresolved.iter().take(NAMED).map(|id| self.style.revision(id)).collect();
        let more = unresolved.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let have = if unresolved.len() == 1 { "has" } else { "have" };
        format!("{} {have} no number: {}{more}", count(unresolved.len(), "revision"), named.join(", "))
    }

    /// Returns the note of the last run without a number.
    fn last_note(&self) -> Option<String> {
        let ends = [&self.report.bad].into_iter().chain(self.report.good.first());
        let ends: Vec<&str> = ends.map(String::as_str).collect();
        let mut last = self.report.observations.iter().rev().filter(|one| ends.contains(&one.revision()));
        let note = last.find_map(|one| one.observation.note.as_deref())?;
        Some(self.style.words(&cut(note, OUTPUT)))
    }

    fn unexplained(&self, of: &MetricChange, left: Unexplained) -> String {
        let Unexplained { change, percent: share, interval } = left;
        let in_percent = share.map(|share| format!(" ({})", signed(&percent(share)))).unwrap_or_default();
        let amount = self.signed_amount(of, change) + &in_percent;
        let is_noise = interval.0 <= 0.0 && interval.1 >= 0.0;
        match (change, reaches(&of.at_least, change, share)) {
            (0.0, _) => "nothing".to_owned(),
            (_, true) if is_noise => format!("{amount}, which noise can explain"),
            (_, true) if self.report.all_steps => {
                let less = self.at_least(of).replacen("at least ", "", 1);
                format!("{amount}, in changes that are smaller than {less} or not settled")
            }
            (_, true) => format!("{amount}, so another commit also changed it"),
            (_, false) if is_noise && !of.exact => format!("{amount}, within the noise"),
            (_, false) => format!("{amount}, less than {}", self.at_least(of).replacen("at least ", "", 1)),
        }
    }

    fn noise(&self, of: &MetricChange) -> Option<String> {
        if of.exact {
            let repeated = of.series.iter().filter(|point| point.values.len() > 1);
            let is_equal = |values: &[f64]| values.windows(2).all(|pair| pair[0] == pair[1]);
            let words = match repeated.clone().count() {
                0 => "not measured, because the numbers are exact",
                _ if repeated.clone().all(|point| is_equal(&point.values)) => "none: repeated measurements are equal",
                _ => return None,
            };
            return Some(words.to_owned());
        }
        let noise = of.noise.as_ref()?;
        let size = noise.percent.map_or_else(|| self.amount(of, rough(noise.deviation)), |share| percent(rough(share)));
        let mut sentence = format!("{size} per measurement");
        let good = self.report.good.first().map(|good| self.end(good)).unwrap_or_default();
        match self.report.paired {
            true => sentence += &format!(", each compared with {good} on the same machine"),
            false => sentence += &self.drift(of, noise),
        }
        let rebuild = noise.rebuild.map(|rebuild| {
            let size = self.share_of_before(of, rebuild);
            format!(". Two builds of one revision differ by {size}")
        });
        Some(sentence + &rebuild.unwrap_or_default())
    }

    fn drift(&self, of: &MetricChange, noise: &Noise) -> String {
        let range = noise.drift_range.map(|range| format!(" by {}", self.share_of_before(of, range)));
        match noise.drift {
            p if p > DRIFT => {
                format!(". The machine drifted{}, which the result takes into account", range.unwrap_or_default())
            }
            p if p >= NO_DRIFT => format!(". The machine may have drifted{}", range.unwrap_or_default()),
            // Few measurements show no drift, whether there is one or not.
            _ if range.is_none() => String::new(),
            _ => ", and no drift seen".to_owned(),
        }
    }

    /// Returns an amount in percent of the number at the good revision if that is positive.
    fn share_of_before(&self, of: &MetricChange, size: f64) -> String {
        let before = of.before.filter(|&before| before > 0.0);
        before.map_or_else(|| self.amount(of, rough(size)), |before| percent(rough(100.0 * size / before)))
    }
}

/// Rounds an estimate to two digits.
fn rough(number: f64) -> f64 {
    format!("{number:.1e}").parse().unwrap_or(number)
}
