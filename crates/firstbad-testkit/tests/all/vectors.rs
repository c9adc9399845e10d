//! All languages run the same vectors: the same probes in the same order, and the same reports.

use firstbad::{ChangeSet, Error, Event, Probe, Run, Search, Status, Target, World};
use firstbad_testkit::vectors::{Outcomes, Step, TOLERANCE, Vector, agrees, folder, read_all};
use serde_json::{Map, Value};

/// A search on which the steps of a vector are played.
struct Player {
    world: World,
    algorithm: String,
    search: Box<dyn Search>,
    run: Option<Run>,
}

impl Player {
    fn new(vector: &Vector) -> Result<Self, Error> {
        let world = vector.world()?;
        let algorithm = vector.algorithm.clone();
        let search = firstbad::open(&algorithm, world.clone(), &vector.configuration)?;
        Ok(Player { world, algorithm, search, run: None })
    }

    fn play(&mut self, step: &Step) -> Result<(), String> {
        let search = &mut *self.search;
        match step {
            Step::Ask { k, revisions } => {
                let before = asked(search);
                let probes = search.ask(*k).map_err(words)?;
                let ids: Vec<u64> = probes.iter().map(|probe| probe.id).collect();
                let names: Vec<String> = probes.iter().map(|probe| name(&probe.target)).collect();
                equal(&names, revisions)?;
                equal(&ids, &(before..before + names.len() as u64).collect())
            }
            Step::Tell { id, observation, error } => raises(search.tell(*id, observation.clone()), error.as_deref()),
            Step::Abandon { id, error } => raises(search.abandon(*id), error.as_deref()),
            Step::Observe { target, observation, error } => {
                raises(search.observe(target, observation.clone()), error.as_deref())
            }
            Step::Enqueue { target, error } => raises(search.enqueue(target), error.as_deref()),
            Step::Undo { answers, error } => raises(search.undo(*answers), error.as_deref()),
            Step::Wanted { id, is } => equal(&search.wanted(*id).map_err(words)?, is),
            Step::Status { is } => equal(&search.status(), is),
            Step::Budget { budget } => search.set_budget(*budget).map_err(words),
            Step::Stop { reason } => {
                search.stop(*reason).unwrap();
                Ok(())
            }
            Step::Restore {} => {
                let snapshot = search.inspect().snapshot().unwrap();
                self.search = firstbad::restore(&self.algorithm, self.world.clone(), &snapshot).map_err(words)?;
                equal(&self.search.inspect().snapshot().unwrap(), &snapshot)
            }
            Step::Drive { k, outcomes, asks } => equal(&drive(search, *k, outcomes)?, asks),
            Step::Report { is } => reports(search, is),
            Step::Reasons { are } => {
                let report = read(search)?;
                let text = |reason: &Value, key: &str| reason[key].as_str().unwrap_or_default().to_owned();
                let reasons = report["reasons"].as_array().ok_or("a report without reasons")?;
                equal(&reasons.iter().map(|one| (text(one, "code"), text(one, "revision"))).collect(), are)
            }
            Step::Fingerprints { are } => {
                let report = read(search)?;
                let several = ["points", "steps"].into_iter().find_map(|name| report.get(name)?.as_array());
                let findings = several.map_or(std::slice::from_ref(&report), Vec::as_slice);
                let name = |finding: &Value| finding["fingerprint"].as_str().map(str::to_owned);
                equal(&findings.iter().filter_map(name).collect(), are)
            }
            Step::Run { options } => {
                self.run = Some(Run::new(search, *options).map_err(words)?);
                Ok(())
            }
            Step::Reads { are } => equal(&search.reads().iter().map(json).collect(), are),
            Step::Give { id, content } => search.give(*id, content.as_bytes()).map_err(words),
            Step::InFlight { are } => equal(&search.in_flight().iter().map(|probe| probe.id).collect(), are),
            Step::Posterior { is, no_culprit } => {
                let posterior = search.inspect().posterior().ok_or("no posterior")?;
                near("no culprit", Some(posterior.no_culprit()), *no_culprit)?;
                is.iter().try_for_each(|(name, expected)| near(name, posterior.get(name), *expected))
            }
            _ => drive_on(self.run.as_mut().ok_or("no run was begun")?, search, step),
        }
    }
}

fn read(search: &dyn Search) -> Result<Value, String> {
    serde_json::from_str(&search.inspect().report_json().map_err(words)?).map_err(|error| error.to_string())
}

/// Checks that the report has these values. Fingerprints have a separate step.
fn reports(search: &dyn Search, expected: &Map<String, Value>) -> Result<(), String> {
    let mut report = read(search)?;
    for point in report["points"].as_array_mut().into_iter().flatten() {
        point.as_object_mut().and_then(|point| point.remove("fingerprint")).ok_or("a point has no name")?;
    }
    // Steps of a walk have no fingerprints.
    for name in ["steps", "largest"] {
        if let Some(steps) = report.get_mut(name) {
            *steps = nameless(steps.take());
        }
    }
    for (key, expected) in expected {
        let given = report.get(key).ok_or_else(|| format!("a report has no {key:?}"))?;
        if !agrees(given, expected) {
            return Err(format!("{key}: {given} where {expected} is expected"));
        }
    }
    Ok(())
}

/// Returns steps without their fingerprints.
fn nameless(mut steps: Value) -> Value {
    match &mut steps {
        Value::Array(several) => several.iter_mut().for_each(|step| *step = nameless(step.take())),
        Value::Object(step) => drop(step.remove("fingerprint")),
        _ => {}
    }
    steps
}

/// Checks that a probability is as expected within [`TOLERANCE`].
fn near(what: &str, given: Option<f64>, expected: f64) -> Result<(), String> {
    match given {
        Some(given) if (given - expected).abs() <= TOLERANCE => Ok(()),
        _ => Err(format!("{what}: {given:?} where {expected} is expected")),
    }
}

/// Plays a step of a run.
fn drive_on(run: &mut Run, search: &mut dyn Search, step: &Step) -> Result<(), String> {
    match step {
        Step::Take { revisions, error } => {
            let probes = run.take(search, &mut || true);
            let names = |probes: &Vec<Probe>| probes.iter().map(|probe| name(&probe.target)).collect();
            equal(&probes.as_ref().map(names).unwrap_or_default(), revisions)?;
            raises(probes.map(drop), error.as_deref())
        }
        Step::Answered { id, observation, counts, error } => {
            let counted = run.answered(search, *id, observation.clone());
            equal(counted.as_ref().unwrap_or(&false), counts)?;
            raises(counted.map(drop), error.as_deref())
        }
        Step::Retry { id, again } => equal(&run.retry(search, *id).map_err(words)?, again),
        Step::Useless { are } => equal(&run.useless(search).map_err(words)?, are),
        Step::Cancelled { id } => run.cancelled(search, *id).map_err(words),
        Step::Ended { id, is } => equal(&run.ended(*id), is),
        Step::Over { late, is } => equal(&run.over(search, *late).map_err(words)?, is),
        Step::Progress { is } => {
            let progress = run.progress(search, &mut || true).map_err(words)?;
            let mut given = json(&progress);
            given["likely_runs"] = given["forecast"]["likely"]["runs"].clone();
            given["revision"] = given["carrying"]["revision"].clone();
            given["patch"] = given["carrying"]["patch"].clone();
            given["worst_runs"] = given["forecast"]["worst"]["runs"].clone();
            is.iter().try_for_each(|(key, expected)| equal(&given[key], expected))
        }
        Step::GiveBack {} => run.give_back(search).map_err(words),
        other => Err(format!("{other:?} is not played")),
    }
}

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

/// Returns a revision's id, with a set of tests if there is one, or a set of changes as text.
fn name(target: &Target) -> String {
    if let Target { revision: Some(revision), tests: Some(tests), .. } = target {
        return format!("{revision}:{tests}");
    }
    let changes = target.changes.as_ref().map(ChangeSet::to_string);
    target.revision.clone().or(changes).unwrap_or_default()
}

fn asked(search: &dyn Search) -> u64 {
    search.inspect().events(0).iter().filter(|event| matches!(event, Event::Asked { .. })).count() as u64
}

fn drive(search: &mut dyn Search, k: usize, outcomes: &Outcomes) -> Result<Vec<String>, String> {
    let mut asked = Vec::new();
    while !search.is_done() {
        let probes = search.ask(k).map_err(words)?;
        if probes.is_empty() {
            return Err(format!("asks nothing though nothing is in flight, after {asked:?}"));
        }
        for probe in probes {
            let target = name(&probe.target);
            let before = asked.iter().filter(|one| **one == target).count();
            search.tell(probe.id, outcomes.answer(&probe.target, before)).map_err(words)?;
            asked.push(target);
        }
    }
    Ok(asked)
}

#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn words(error: Error) -> String {
    error.to_string()
}

fn equal<T: PartialEq + std::fmt::Debug>(given: &T, expected: &T) -> Result<(), String> {
    if given == expected { Ok(()) } else { Err(format!("{given:?} where {expected:?} is expected")) }
}

fn raises(result: Result<(), Error>, code: Option<&str>) -> Result<(), String> {
    equal(&result.as_ref().err().map(Error::code), &code)
        .map_err(|difference| result.err().map_or(difference.clone(), |error| format!("{difference}: {error}")))
}

fn run(vector: &Vector) -> Result<(), String> {
    if vector.error.is_some() {
        return raises(Player::new(vector).map(drop), vector.error.as_deref());
    }
    let mut player = Player::new(vector).map_err(words)?;
    for (place, step) in vector.steps.iter().enumerate() {
        player.play(step).map_err(|difference| format!("step {place}, {step:?}: {difference}"))?;
    }
    Ok(())
}

/// Returns all vectors with the names of their files.
fn vectors() -> Vec<(String, Vector)> {
    let files = read_all(&folder()).unwrap();
    let named = |(file, of): (String, firstbad_testkit::vectors::VectorFile)| {
        of.vectors.into_iter().map(move |vector| (format!("{file}: {}", vector.name), vector))
    };
    files.into_iter().flat_map(named).collect()
}

#[test]
fn every_vector_passes() {
    let vectors = vectors();
    let troubles: Vec<String> = vectors
        .iter()
        .filter_map(|(name, vector)| run(vector).err().map(|trouble| format!("{name}: {trouble}\n  {}", vector.why)))
        .collect();
    assert!(troubles.is_empty(), "{} of {}:\n{}", troubles.len(), vectors.len(), troubles.join("\n"));
    assert!(!vectors.is_empty());
}

#[test]
fn a_vector_with_a_wrong_expectation_fails() {
    for (name, vector) in vectors() {
        for place in 0..vector.steps.len().max(1) {
            let mut other = vector.clone();
            let another = || Some("another".to_owned());
            match other.steps.get_mut(place) {
                None => other.error = another(),
                Some(Step::Report { is }) => {
                    is.insert("runs".into(), Value::from(u32::MAX));
                }
                Some(Step::Drive { asks, .. }) => asks.push("another".into()),
                Some(Step::Ask { revisions, .. }) => revisions.push("another".into()),
                Some(Step::Fingerprints { are }) => are.push("another".into()),
                Some(Step::Reasons { are }) => are.push(("another".into(), "another".into())),
                Some(Step::Posterior { no_culprit, .. }) => *no_culprit += 2.0 * TOLERANCE,
                Some(Step::Wanted { is, .. }) => *is = !*is,
                Some(Step::Status { is }) if *is == Status::Stopped => *is = Status::Running,
                Some(Step::Status { is }) => *is = Status::Stopped,
                Some(
                    Step::Tell { error, .. }
                    | Step::Abandon { error, .. }
                    | Step::Observe { error, .. }
                    | Step::Enqueue { error, .. }
                    | Step::Undo { error, .. },
                ) => *error = another(),
                Some(Step::Take { revisions, .. }) => revisions.push("another".into()),
                Some(Step::Answered { counts: is, .. }) => *is = !*is,
                Some(Step::Retry { again: is, .. } | Step::Ended { is, .. } | Step::Over { is, .. }) => *is = !*is,
                Some(Step::Useless { are } | Step::InFlight { are }) => are.push(u64::MAX),
                Some(Step::Reads { are }) => are.push(Value::Null),
                Some(Step::Progress { is }) => {
                    is.insert("asked".into(), Value::from(u32::MAX));
                }
                Some(
                    Step::Budget { .. }
                    | Step::Stop { .. }
                    | Step::Restore {}
                    | Step::Run { .. }
                    | Step::Cancelled { .. }
                    | Step::GiveBack {}
                    | Step::Give { .. },
                ) => continue,
            }
            assert!(run(&other).is_err(), "{name} holds whatever is expected in step {place}");
        }
        let last = vector.steps.last();
        let says = last
            .is_none_or(|step| matches!(step, Step::Report { .. } | Step::Drive { .. } | Step::Fingerprints { .. }));
        assert!(says, "{name} ends with {last:?}; let it end with a report");
    }
}
