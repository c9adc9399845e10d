//! Learning saves runs, and misleading facts do little harm: simulated subjects of the paper.

use std::collections::BTreeMap;

use firstbad::reduction::Need;
use firstbad::{ChangeSet, Observation, Outcome, Search, Slicer, SlicerConfig};
use firstbad_testkit::sliced::{SUBJECTS, SlicedHistory, Subject};

#[derive(Clone, Copy, PartialEq)]
enum Facts {
    None,
    Told,
    Noise,
}

/// Returns the average number of runs for a subject.
fn runs(subject: Subject, facts: Facts, told: bool) -> f64 {
    const SEEDS: u64 = 6;
    let one = |seed: u64| {
        let history = SlicedHistory::new(subject, seed);
        let needs = history.needs.iter().enumerate().filter(|(_, needs)| told && !needs.is_empty());
        let needs: BTreeMap<usize, Vec<Need>> =
            needs.map(|(change, needs)| (change, needs.iter().map(|&other| Need::Item(other)).collect())).collect();
        let config = SlicerConfig::default().dependencies(needs);
        let mut search = Slicer::new(subject.changes, config).expect("a configuration");
        while !search.is_done() {
            for probe in search.ask(1).expect("1") {
                let set = probe.changes().expect("changes");
                let mut seen = Observation::from(history.outcome(set));
                if seen.outcome != Outcome::Unresolved && facts != Facts::None {
                    seen.signals = Some(history.signals(set, (facts == Facts::Noise).then_some(seed)));
                }
                search.tell(probe.id, seen).expect("an answer");
            }
        }
        let report = search.report();
        assert_eq!(report.kept.into_iter().collect::<ChangeSet>(), history.slice);
        report.runs as f64
    };
    (0..SEEDS).map(one).sum::<f64>() / SEEDS as f64
}

#[test]
fn facts_save_runs_and_noise_adds_at_most_a_tenth_and_two() {
    for subject in SUBJECTS.into_iter().filter(|subject| subject.changes == 50) {
        for told in [true, false] {
            let without = runs(subject, Facts::None, told);
            let learnt = runs(subject, Facts::Told, told);
            let noise = runs(subject, Facts::Noise, told);
            assert!(learnt <= without, "{}: {learnt:.1} with facts, {without:.1} without", subject.name);
            assert!(noise <= 1.1 * without + 2.0, "{}: {noise:.1} with noise, {without:.1} without", subject.name);
        }
    }
}
