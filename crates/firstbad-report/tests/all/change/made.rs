//! Reports of changes in numbers, as a search returns them.

use firstbad::metric::{ChangeConclusion, ChangeReport, MetricChange, Noise, SeriesPoint, Step, Unexplained};
use firstbad::search::{Hypothesis, Target, TargetObservation};
use firstbad::{Commit, Observation, Outcome, Status};

/// A number with noise: the number at a position, in the order of measurement.
pub(super) type Number = fn(u64, u64) -> f64;

/// Returns noise from -1 to 1 that depends on the measurement.
pub(super) fn noise(order: u64) -> f64 {
    let mixed = order.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed >> 40) as f64 / f64::from(1_u32 << 24)) * 2.0 - 1.0
}

pub(super) fn id(position: u64) -> String {
    format!("{:08x}{position:032x}", (position as u32 + 1).wrapping_mul(0x9e37_79b1))
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    f64::midpoint(sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2])
}

fn commit(position: u64, text: &str) -> Commit {
    Commit {
        subject: format!("Change {position}{text}"),
        author: format!("Ada{text}"),
        email: "ada@example.org".to_owned(),
        author_date: format!("2026-03-{:02}T12:00:00+01:00", position % 28 + 1),
        commit_date: "2026-03-01T12:00:00Z".to_owned(),
        changed: None,
        url: None,
        request_url: None,
        submodules: Vec::new(),
    }
}

fn series(positions: &[u64], number: Number) -> Vec<SeriesPoint> {
    let mut places = positions.to_vec();
    places.sort_unstable();
    places.dedup();
    let point = |position: u64| {
        let orders: Vec<u64> =
            (0..).zip(positions).filter(|(_, one)| **one == position).map(|(order, _)| order).collect();
        let values: Vec<f64> = orders.iter().map(|&order| number(position, order)).collect();
        SeriesPoint {
            revision: id(position),
            position,
            median: median(&values),
            values,
            observations: orders,
            fitted: None,
            censored: 0,
        }
    };
    places.into_iter().map(point).collect()
}

fn estimated(before: Option<f64>) -> Noise {
    Noise {
        deviation: 0.012 * before.unwrap_or(1.0),
        percent: Some(1.2),
        drift: 0.02,
        drift_range: before.map(|before| 0.004 * before),
        rebuild: None,
    }
}

/// Returns a report without a conclusion about a list of commits, from the positions in the order of measurement. `text` is part
/// of every name.
pub(super) fn measured(suspects: u64, positions: &[u64], number: Number, text: &str) -> ChangeReport {
    let series = series(positions, number);
    let at = |position| series.iter().find(|point| point.position == position).map(|point| point.median);
    let (before, after) = (at(0), at(suspects));
    let change = before.zip(after).map(|(before, after)| after - before);
    let observations = positions.iter().enumerate().map(|(order, &position)| TargetObservation {
        target: Target::from(&*id(position)),
        probe: Some(order as u64),
        observation: Observation {
            metric: Some(number(position, order as u64)),
            seconds: Some(8.5),
            ..Outcome::Pass.into()
        },
    });
    let builds = series.len() as u64;
    let main = MetricChange {
        metric: None,
        unit: Some("s".to_owned()),
        at_least: "3%".to_owned(),
        conclusion: ChangeConclusion::Undecided,
        before,
        after,
        change,
        percent: change.zip(before).filter(|(_, before)| *before > 0.0).map(|(change, before)| 100.0 * change / before),
        interval: change.zip(before).map(|(change, before)| (change - 0.02 * before, change + 0.02 * before)),
        steps: Vec::new(),
        candidates: Vec::new(),
        largest: None,
        unexplained: None,
        noise: Some(estimated(before)),
        exact: false,
        probability: Some(0.996),
        series,
    };
    ChangeReport {
        status: Status::Running,
        message: String::new(),
        bad: id(suspects),
        good: vec![id(0)],
        find: firstbad::Find::Regression,
        all_steps: false,
        confidence: 0.99,
        main,
        other_metrics: Vec::new(),
        paired: false,
        measurements: positions.len() as u64,
        builds,
        unresolved: Vec::new(),
        seconds: Some(8.5 * positions.len() as f64),
        suspects: suspects as usize,
        warnings: Vec::new(),
        asked: positions.len() as u64,
        runs: positions.len() as u64,
        observations: observations.collect(),
        commits: (0..=suspects.min(200)).map(|position| (id(position), commit(position, text))).collect(),
        names: [(id(0), vec![format!("v1.0{text}")]), (id(suspects), vec![format!("main{text}")])].into(),
    }
}

/// Adds a step at a position whose parent is the position before.
pub(super) fn with_step(mut report: ChangeReport, position: u64) -> ChangeReport {
    let point = |position: u64| report.main.series.iter().find(|point| point.position == position).unwrap();
    let (before, after) = (point(position - 1).median, point(position).median);
    let change = after - before;
    report.main.steps.push(Step {
        commit: id(position),
        parents: vec![id(position - 1)],
        before,
        after,
        censored: false,
        change,
        percent: Some(100.0 * change / before),
        interval: (change - 0.02 * before, change + 0.02 * before),
        share: change / report.main.change.unwrap(),
        probability: 0.996,
        measurements: (point(position - 1).values.len() + point(position).values.len()) as u64,
        fingerprint: format!("{position:032x}"),
    });
    report.main.steps.sort_by(|one, other| other.change.abs().total_cmp(&one.change.abs()));
    let explained: f64 = report.main.steps.iter().map(|step| step.change).sum();
    let left = report.main.change.unwrap() - explained;
    let good = report.main.before.unwrap();
    report.main.unexplained = Some(Unexplained {
        change: left,
        percent: Some(100.0 * left / good),
        interval: (left - 0.02 * report.main.after.unwrap(), left + 0.02 * report.main.after.unwrap()),
    });
    for point in &mut report.main.series {
        let steps = report.main.steps.iter().filter(|step| point.position >= position_of(&step.commit));
        point.fitted = Some(good + steps.map(|step| step.change).sum::<f64>());
    }
    (report.status, report.main.conclusion) = match report.main.steps.len() {
        1 => (Status::Found, ChangeConclusion::Step),
        _ => (Status::Found, ChangeConclusion::Several),
    };
    report
}

fn position_of(id: &str) -> u64 {
    u64::from_str_radix(&id[8..], 16).unwrap()
}

/// The positions that a search for a step at 41 of 59 commits measures.
pub(super) const SEARCH: [u64; 24] =
    [0, 59, 59, 0, 0, 59, 30, 45, 0, 37, 41, 59, 39, 40, 0, 41, 40, 59, 41, 40, 0, 42, 59, 0];

/// A step from 36.7 to 126 ms.
pub(super) fn step(text: &str) -> ChangeReport {
    let number: Number = |position, order| if position < 41 { 0.0367 } else { 0.126 } * (1.0 + 0.012 * noise(order));
    with_step(measured(59, &SEARCH, number, text), 41)
}

/// Three steps, of which one improves the number.
pub(super) fn several(text: &str) -> ChangeReport {
    let number: Number = |position, order| {
        let level = match position {
            0..10 => 100.0,
            10..25 => 150.0,
            25..60 => 130.0,
            _ => 142.0,
        };
        level * (1.0 + 0.01 * noise(order))
    };
    let positions = [0, 80, 0, 80, 40, 20, 10, 9, 10, 9, 25, 24, 60, 59, 60, 59, 24, 25, 30, 70];
    let mut report = measured(80, &positions, number, text);
    report.main.unit = Some("req/s".to_owned());
    [10, 25, 60].into_iter().fold(report, with_step)
}

pub(super) fn candidates(report: &mut ChangeReport, positions: &[(u64, f64)]) {
    let one = |&(position, probability): &(u64, f64)| Hypothesis { revision: Some(id(position)), probability };
    report.main.candidates = positions.iter().map(one).collect();
}

/// A number without a change, or with a change of this factor.
pub(super) fn flat(change: f64, text: &str) -> ChangeReport {
    let number: Number = |_, order| 0.0367 * (1.0 + 0.008 * noise(order));
    let positions = [0, 59, 59, 0, 0, 59, 0, 59, 0, 59, 20];
    let mut report = measured(59, &positions, number, text);
    (report.status, report.main.conclusion) = (Status::NoChange, ChangeConclusion::None);
    if change != 0.0 {
        let good = report.main.before.unwrap();
        report.main.after = Some(good * (1.0 + change));
        report.main.change = Some(good * change);
        report.main.percent = Some(100.0 * change);
        report.main.interval = Some((good * (change - 0.01), good * (change + 0.01)));
    }
    report
}

/// A size that grows a little in each commit.
pub(super) fn spread(text: &str) -> ChangeReport {
    let number: Number = |position, _| 100.0 + position as f64;
    let mut report = measured(16, &[0, 16, 0, 16, 8, 4, 2, 1, 3, 12], number, text);
    (report.status, report.main.conclusion, report.main.exact) = (Status::Spread, ChangeConclusion::Spread, true);
    (report.main.unit, report.main.noise, report.main.probability) = (None, None, Some(1.0));
    report.main.interval = report.main.change.map(|change| (change, change));
    report.main.largest = with_step(report.clone(), 2).main.steps.pop();
    report
}

/// A step at one of three commits, of which two have no number.
pub(super) fn set(text: &str) -> ChangeReport {
    let mut report = step(text);
    (report.status, report.main.conclusion) = (Status::Ambiguous, ChangeConclusion::Set);
    (report.main.steps, report.main.unexplained) = (Vec::new(), None);
    report.unresolved = vec![id(38), id(40)];
    candidates(&mut report, &[(41, 0.5), (40, 0.3), (38, 0.196)]);
    report
}

/// Noise that hides the step.
pub(super) fn undecided(text: &str) -> ChangeReport {
    let number: Number = |position, order| if position < 41 { 0.0367 } else { 0.038 } * (1.0 + 0.1 * noise(order));
    let mut report = measured(59, &SEARCH, number, text);
    report.status = Status::TooFlaky;
    if let Some(noise) = &mut report.main.noise {
        (noise.drift, noise.drift_range, noise.percent) = (0.9, Some(0.0015), Some(9.8));
        noise.rebuild = Some(0.0007);
    }
    candidates(&mut report, &[(41, 0.62), (45, 0.2), (30, 0.1)]);
    report.main.probability = Some(0.62);
    report
}
