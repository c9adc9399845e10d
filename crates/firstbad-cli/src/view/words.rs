//! Formats outcomes and times.

use std::time::Duration;

use firstbad::metric::amount;
use firstbad::{Observation, Outcome, with_short_ids};

use super::counts::count;
use super::facts::Facts;
use super::finished::{Finished, Running};

/// Returns the verb of an outcome.
fn verb(finished: &Finished) -> &'static str {
    match finished.outcome {
        Outcome::Pass => "passes",
        Outcome::Fail if finished.is_other_failure => "fails in another way",
        Outcome::Fail => "fails",
        Outcome::Unresolved => "unresolved",
    }
}

/// Returns the numbers of failing tests and of all tests with an outcome.
pub(super) fn tests(seen: &Observation) -> Option<(usize, usize)> {
    let count = |outcome| seen.results.values().filter(|result| result.outcome == outcome).count();
    let (failed, passed) = (count(Outcome::Fail), count(Outcome::Pass));
    (failed + passed > 0).then_some((failed, failed + passed))
}

/// Returns the result of a finished test, or of several tests.
pub(super) fn said(finished: &Finished) -> String {
    match finished.tests {
        Some((failed, tests)) => format!("fails {failed} of {}", count(tests as u64, "test")),
        None => finished.number.clone().unwrap_or_else(|| verb(finished).to_owned()),
    }
}

/// Returns the numbers of a measurement, as its note or as themselves.
pub(crate) fn number(seen: &Observation) -> Option<String> {
    let bare = || {
        let named = seen.metrics.iter().map(|(name, number)| format!("{name} {}", amount(*number, None)));
        named.chain(seen.metric.map(|number| amount(number, None))).collect::<Vec<_>>().join(", ")
    };
    let has_number = seen.metric.is_some() || !seen.metrics.is_empty();
    has_number.then(|| seen.note.as_ref().map_or_else(bare, |_| noted(seen)))
}

/// Returns the exit code or signal of a test. The results of several tests and numbers say more.
pub(super) fn how(seen: &Observation) -> String {
    if !seen.results.is_empty() || number(seen).is_some() {
        return String::new();
    }
    noted(seen).replace("exit code", "exit")
}

/// Returns the note without the place of the output.
fn noted(seen: &Observation) -> String {
    with_short_ids(seen.note.as_deref().unwrap_or_default().split("; output in ").next().unwrap_or_default())
}

/// Formats a time: `0.41 s`, `3.2 s`, `42 s`, `12 min`, `3 h 05 min`.
pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let minutes = (seconds / 60.0).round() as u64;
    match seconds {
        0.0 => "0 s".to_owned(),
        ..0.995 => format!("{seconds:.2} s"),
        ..9.95 if seconds.fract() > 0.0 => format!("{seconds:.1} s"),
        ..99.5 => format!("{seconds:.0} s"),
        _ if minutes < 120 => format!("{minutes} min"),
        _ => format!("{} h {:02} min", minutes / 60, minutes % 60),
    }
}

/// Returns the expected runs, such as `about 5 more runs (at worst 7)`.
pub(super) fn expected(facts: &Facts) -> Option<String> {
    let forecast = facts.forecast?;
    let (likely, worst) = (forecast.likely.runs, forecast.worst.runs);
    let runs = count(likely, "more run");
    Some(if worst > likely { format!("about {runs} (at worst {worst})") } else { format!("about {runs}") })
}

/// Returns the state of a walk, such as `at abc1234 with a patch of 12 changes`.
pub(super) fn carrying(facts: &Facts) -> Option<String> {
    let (short, patch) = facts.carrying.as_ref()?;
    Some(match patch {
        0 => format!("at {short} with no patch"),
        &changes => format!("at {short} with a patch of {}", count(changes as u64, "change")),
    })
}

/// Returns the line of a finished test: `12 runs, 31 suspects left, about 5 more runs: abc1234 fails (exit 1, 3.2 s) subject`.
pub(super) fn line(facts: &Facts, finished: &Finished, elapsed: Duration) -> String {
    let mut parts = vec![count(facts.runs(), "run")];
    parts.extend(carrying(facts));
    let suspects = facts.suspects.filter(|suspects| suspects.0 > 0);
    let suspects = suspects.map(|(left, _)| format!("{} left", count(left as u64, "suspect")));
    parts.extend(facts.likeliest.clone().or(suspects));
    parts.extend(facts.left.as_ref().map(|left| format!("{left} after {}", time(elapsed))));
    parts.extend(facts.forecast.map(|forecast| format!("about {}", count(forecast.likely.runs, "more run"))));
    let seconds = finished.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).map(time);
    let how: Vec<String> =
        Some(finished.how.clone()).filter(|how| !how.is_empty()).into_iter().chain(seconds).collect();
    let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) };
    let Finished { short, subject, .. } = finished;
    format!("{}: {short} {}{how} {subject}", parts.join(", "), said(finished)).trim_end().to_owned()
}

/// Returns a line with the running tests and their times so far.
pub(super) fn still_running<'a>(running: impl Iterator<Item = (&'a Running, Duration)>) -> String {
    let one = |(Running { short, subject, .. }, elapsed): (&Running, Duration)| {
        format!("{short} for {} {subject}", time(elapsed)).trim_end().to_owned()
    };
    format!("still running: {}", running.map(one).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::left;

    #[test]
    fn a_line_after_a_silence_lists_the_running_tests() {
        let named = |short: &str, subject: &str| Running { short: short.to_owned(), subject: subject.to_owned() };
        let running = [(named("abc", "Round prices"), 61), (named("0-4,7", ""), 5)];
        let running = running.iter().map(|(one, seconds)| (one, Duration::from_secs(*seconds)));
        assert_eq!(still_running(running), "still running: abc for 61 s Round prices, 0-4,7 for 5 s");
    }

    #[test]
    fn a_line_contains_the_size_of_a_slice() {
        let finished = Finished {
            short: "0-4,7".to_owned(),
            outcome: Outcome::Pass,
            is_other_failure: false,
            how: String::new(),
            seconds: Some(3.0),
            subject: String::new(),
            tests: None,
            number: None,
        };
        let facts = Facts { passes: 3, left: Some(left(6, 60, "change")), ..Facts::default() };
        let words = "3 runs, 6 of 60 changes left after 42 s: 0-4,7 passes (3 s)";
        assert_eq!(line(&facts, &finished, Duration::from_secs(42)), words);
    }

    #[test]
    fn a_line_about_a_flaky_test_names_the_most_likely_culprit() {
        let finished = Finished {
            short: "abc".to_owned(),
            outcome: Outcome::Fail,
            is_other_failure: false,
            how: "exit 1".to_owned(),
            seconds: None,
            subject: "Round prices".to_owned(),
            tests: None,
            number: None,
        };
        let mut facts = Facts { fails: 12, suspects: Some((31, 812)), ..Facts::default() };
        assert_eq!(
            line(&facts, &finished, Duration::ZERO),
            "12 runs, 31 suspects left: abc fails (exit 1) Round prices"
        );
        facts.likeliest = Some("the most likely culprit is abc (61.2%)".to_owned());
        let words = "12 runs, the most likely culprit is abc (61.2%): abc fails (exit 1) Round prices";
        assert_eq!(line(&facts, &finished, Duration::ZERO), words);
        let other = Finished { is_other_failure: true, ..finished };
        assert!(line(&facts, &other, Duration::ZERO).contains(": abc fails in another way (exit 1)"));
    }

    #[test]
    fn times_are_rounded() {
        let words = |milliseconds| time(Duration::from_millis(milliseconds));
        let shown = [14, 410, 3200, 4000, 41_900, 119_000, 719_000, 11_100_000].map(words);
        assert_eq!(shown, ["0.01 s", "0.41 s", "3.2 s", "4 s", "42 s", "2 min", "12 min", "3 h 05 min"]);
    }
}
