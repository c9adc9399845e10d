//! Slices of simulated histories, shaped like the eight subjects of the paper: how many runs each way to search takes.

use std::collections::BTreeMap;

use firstbad::reduction::Need;
use firstbad::slicing::{Scheme, SliceMethod};
use firstbad::{ChangeSet, Observation, Outcome, Search as _, Slicer, SlicerConfig};
use firstbad_testkit::sliced::{SUBJECTS, SlicedHistory, Subject};

use crate::figure::{Aim, Figure};
use crate::options::Options;

const TRIALS: u64 = 100;

/// What a search knows beside the answers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Facts {
    Unknown,
    Told,
    Noise,
}

/// A way to search.
#[derive(Debug, Clone, Copy)]
struct Way {
    name: &'static str,
    method: SliceMethod,
    scheme: Scheme,
    told: bool,
    start: bool,
    facts: Facts,
}

/// How many runs, and builds that failed, until something was reached.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Spent {
    runs: f64,
    broken: f64,
}

/// What one search took: until the smallest slice was seen to hold; until it was shown that no change of it can go alone,
/// where the rest can be built (the paper's Definition 2); and until its end, the proof with those that rest on each.
type Taken = [Spent; 3];

fn ways() -> Vec<Way> {
    let plain =
        |name, method| Way { name, method, scheme: Scheme::Combined, told: false, start: false, facts: Facts::Unknown };
    let auto = |name| plain(name, SliceMethod::Auto);
    let mut ways = vec![
        plain("ddmin, no knowledge", SliceMethod::Ddmin),
        plain("recursive, no knowledge", SliceMethod::Recursive),
        auto("auto, no knowledge"),
        Way { facts: Facts::Told, ..auto("auto, facts") },
        Way { facts: Facts::Noise, ..auto("auto, noise") },
        Way { told: true, ..auto("auto, dependencies") },
        Way { told: true, facts: Facts::Told, ..auto("auto, dependencies and facts") },
        Way { told: true, facts: Facts::Noise, ..auto("auto, dependencies and noise") },
        Way { told: true, start: true, ..auto("auto, dependencies, coverage start") },
        Way { told: true, start: true, facts: Facts::Told, ..auto("auto, dependencies, coverage start, facts") },
        Way { told: true, ..plain("recursive, dependencies", SliceMethod::Recursive) },
    ];
    let schemes = [
        ("definer random", Scheme::Random),
        ("definer neg", Scheme::Neg),
        ("definer nonpos", Scheme::Nonpos),
        ("definer low", Scheme::Low),
        ("definer combined", Scheme::Combined),
    ];
    let basic = Way { scheme: Scheme::Random, ..plain("definer random, no knowledge", SliceMethod::Definer) };
    ways.push(basic);
    ways.push(Way { name: "definer neg, facts", scheme: Scheme::Neg, facts: Facts::Told, ..basic });
    for (name, scheme) in schemes {
        let facts = if scheme == Scheme::Random { Facts::Unknown } else { Facts::Told };
        ways.push(Way { name, scheme, told: true, facts, ..basic });
    }
    ways
}

/// One search of a history.
fn taken(way: Way, history: &SlicedHistory, seed: u64) -> Result<Taken, String> {
    let needs = history.needs.iter().enumerate().filter(|(_, needs)| way.told && !needs.is_empty());
    let needs: BTreeMap<usize, Vec<Need>> =
        needs.map(|(change, needs)| (change, needs.iter().map(|&other| Need::Item(other)).collect())).collect();
    let start = way.start.then(|| history.covered.iter().collect());
    let config = SlicerConfig {
        algorithm: way.method,
        scheme: way.scheme,
        dependencies: needs,
        start,
        learn: way.facts != Facts::Unknown,
        seed,
        ..SlicerConfig::default()
    };
    let mut search = Slicer::new(history.needs.len(), config).map_err(|error| error.to_string())?;
    let (mut spent, mut taken) = (Spent::default(), Taken::default());
    while !search.is_done() {
        for probe in search.ask(1).map_err(|error| error.to_string())? {
            let set = probe.changes().ok_or("a set of changes")?;
            let mut seen = Observation::from(history.outcome(set));
            match seen.outcome {
                Outcome::Unresolved => spent.broken += 1.0,
                _ => spent.runs += 1.0,
            }
            if seen.outcome != Outcome::Unresolved && way.facts != Facts::Unknown {
                seen.signals = Some(history.signals(set, (way.facts == Facts::Noise).then_some(seed)));
            }
            if *set == history.slice {
                taken[0] = spent;
            }
            if *set == history.slice || is_alone(history, set, way.told) {
                taken[1] = spent;
            }
            search.tell(probe.id, seen).map_err(|error| error.to_string())?;
        }
    }
    taken[2] = spent;
    match search.report().kept.into_iter().collect::<ChangeSet>() == history.slice {
        true => Ok(taken),
        false => Err(format!("{}: another slice than that which is needed, seed {seed}", way.name)),
    }
}

/// Whether a set is the slice without one change, and could have been built if that was known.
fn is_alone(history: &SlicedHistory, set: &ChangeSet, told: bool) -> bool {
    set.len() + 1 == history.slice.len()
        && set.iter().all(|change| history.slice.contains(change))
        && (!told || history.builds(set))
}

fn mean(way: Way, subject: Subject, trials: u64) -> Result<Taken, String> {
    let mut sum = Taken::default();
    for seed in 0..trials {
        let one = taken(way, &SlicedHistory::new(subject, seed), seed)?;
        for (sum, one) in sum.iter_mut().zip(one) {
            sum.runs += one.runs / trials as f64;
            sum.broken += one.broken / trials as f64;
        }
    }
    Ok(sum)
}

/// The tables; whether all slices were those that are needed.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let trials = options.trials.unwrap_or(TRIALS);
    println!(
        "# Slices\n\nSimulated histories with the sizes of the paper's eight subjects (by the tables that its \
         authors published); every second change rests on one or two earlier ones, drawn evenly. Means over {trials} seeds, summed \
         over the subjects. Runs are of the test; *not built* are sets that could not be built. *Found*: until the smallest \
         slice was seen to hold. *Alone*: until no change of it can go alone, where the rest can be built (Definition 2). \
         *Proof*: until the end, with those that rest on each change; sets that are thought not to be built are asked there. \
         All and none of the changes are run in each search, and counted.\n"
    );
    println!("| way | found: runs | not built | alone: runs | not built | proof: runs | not built |");
    println!("|---|{}", "---|".repeat(6));
    let mut sums: BTreeMap<&str, (Taken, Vec<Taken>)> = BTreeMap::new();
    for way in ways() {
        if options.only.as_ref().is_some_and(|only| !way.name.contains(only.as_str())) {
            continue;
        }
        let each = SUBJECTS.iter().map(|&subject| mean(way, subject, trials)).collect::<Result<Vec<_>, _>>()?;
        let mut sum = Taken::default();
        for one in &each {
            for (sum, one) in sum.iter_mut().zip(one) {
                sum.runs += one.runs;
                sum.broken += one.broken;
            }
        }
        let figures: Vec<String> = sum.iter().map(|spent| format!("{:.0} | {:.0}", spent.runs, spent.broken)).collect();
        println!("| {} | {} |", way.name, figures.join(" | "));
        sums.insert(way.name, (sum, each));
    }
    if options.only.is_none() {
        aims(&sums);
        println!("\n{}", orientation(trials));
        paper(&sums);
    }
    Ok(true)
}

/// What a search takes that knows what is thought not to be known: an orientation, for a run may be of two kinds at once.
fn orientation(trials: u64) -> String {
    let in_all = |start: bool| -> [f64; 3] {
        let each = SUBJECTS.iter().map(|&subject| least(subject, start, trials));
        each.fold([0.0; 3], |sum, one| [0, 1, 2].map(|kind| sum[kind] + one[kind]))
    };
    let line = |what: &str, [first, bits, proof]: [f64; 3]| {
        format!("{what}: {first:.0} and {bits:.0} and {proof:.0}, {:.0} in all.", first + bits + proof)
    };
    format!(
        "For a search that is told all dependencies, and how often a change is needed without another one that rests on it: the \
         first runs (all, none, the start), one run for each bit of what is needed, and the runs of the whole proof, which tell \
         next to nothing by then. {} {}",
        line("Dependencies", in_all(false)),
        line("With a coverage start", in_all(true))
    )
}

/// The first runs, the bits, and the runs of the proof, for one subject.
fn least(subject: Subject, start: bool, trials: u64) -> [f64; 3] {
    let (mut tops, mut open, mut proof) = (0.0, 0.0, 0.0);
    for seed in 0..trials {
        let history = SlicedHistory::new(subject, seed);
        let kept: Vec<usize> = history.slice.iter().collect();
        let gone_with = |change: usize| {
            let mut gone = vec![change];
            let rests = |other: usize, gone: &[usize]| history.needs[other].iter().any(|need| gone.contains(need));
            for &other in &kept {
                if rests(other, &gone) {
                    gone.push(other);
                }
            }
            gone.len()
        };
        let alone = kept.iter().filter(|&&change| gone_with(change) == 1).count();
        let all = if start { history.covered.len() } else { history.needs.len() };
        tops += alone as f64;
        open += (all - kept.len() + alone) as f64;
        // Without all of the slice, nothing is left to be run that was not.
        proof += kept.iter().filter(|&&change| gone_with(change) < kept.len()).count() as f64;
    }
    let rate = tops / open;
    let entropy = |rate: f64| if rate > 0.0 { -rate * rate.log2() } else { 0.0 };
    let bits = open * (entropy(rate) + entropy(1.0 - rate));
    let first = if start { 3.0 } else { 2.0 };
    [first, bits / trials as f64, proof / trials as f64]
}

/// The runs that the authors published for each subject: with learning and predicted builds, with learning, with neither.
const PUBLISHED: [[u32; 3]; 8] =
    [[28, 168, 286], [25, 25, 39], [89, 89, 18], [28, 172, 174], [32, 57, 74], [7, 28, 126], [5, 7, 20], [35, 35, 29]];

/// Prints the paper's Table 2 with Figure 10, and its Table 3.
fn paper(sums: &BTreeMap<&str, (Taken, Vec<Taken>)>) {
    let cell = |name: &str, at: usize| {
        let found = sums.get(name).map(|(_, each)| each[at][0]);
        found.map_or_else(String::new, |spent| format!("{:.0}", spent.runs + spent.broken))
    };
    let row = |at: usize, names: &[&str]| names.iter().map(|name| cell(name, at)).collect::<Vec<_>>().join(" | ");
    println!(
        "\n## The paper's Table 2 and Figure 10\n\nRuns until the smallest slice was found, with those that did not build. \
         The paper's, then ours: the default (learning, predicted builds), learning alone, and neither.\n"
    );
    println!(
        "| subject | commits | slice | paper: default | learning | neither | ours: default | learning | neither | auto |"
    );
    println!("|---|{}", "---|".repeat(9));
    let ours = ["definer neg", "definer neg, facts", "definer random, no knowledge", "auto, dependencies"];
    for (at, subject) in SUBJECTS.iter().enumerate() {
        let published = PUBLISHED[at].map(|runs| runs.to_string()).join(" | ");
        println!("| {} | {} | {} | {published} | {} |", subject.name, subject.changes, subject.slice, row(at, &ours));
    }
    let schemes = ["definer random", "definer neg", "definer nonpos", "definer low", "definer combined"];
    println!(
        "\n## The paper's Table 3\n\nThe same with predicted builds, by scheme. The paper's digits are lost. It says that \
         `low` takes the fewest runs for I1, I2, and C2, and that `combined` wins most often.\n"
    );
    println!("| subject | random | neg | nonpos | low | combined |\n|---|---|---|---|---|---|");
    for (at, subject) in SUBJECTS.iter().enumerate() {
        println!("| {} | {} |", subject.name, row(at, &schemes));
    }
}

fn aims(sums: &BTreeMap<&str, (Taken, Vec<Taken>)>) {
    println!("\n| what | value | aim | |\n|---|---|---|---|");
    let aimed =
        [("auto, no knowledge", 365.0), ("auto, dependencies", 260.0), ("auto, dependencies, coverage start", 150.0)];
    for (name, limit) in aimed {
        let Some((sum, _)) = sums.get(name) else { continue };
        let kinds = ["until the slice was found", "until no change can go alone", "with the whole proof"];
        for (kind, spent) in kinds.into_iter().zip(sum) {
            Figure::aimed(format!("{name}: runs {kind}"), spent.runs, "", Aim::AtMost(limit)).print();
        }
        let both = sum[1].runs + sum[1].broken;
        let what = format!("{name}: the same until no change can go alone, with what was not built");
        Figure::aimed(what, both, "", Aim::AtMost(limit)).print();
    }
    let pairs = [
        ("auto, no knowledge", "auto, facts"),
        ("auto, no knowledge", "auto, noise"),
        ("auto, dependencies", "auto, dependencies and facts"),
        ("auto, dependencies", "auto, dependencies and noise"),
    ];
    for (without, with) in pairs {
        let Some(((_, without), (_, learnt))) = sums.get(without).zip(sums.get(with)) else { continue };
        // How far above a tenth more the worst subject is.
        let all = |taken: &Taken| taken[2].runs + taken[2].broken;
        let above = without.iter().zip(learnt).map(|(without, learnt)| all(learnt) - 1.1 * all(without));
        let worst = above.fold(f64::NEG_INFINITY, f64::max);
        Figure::aimed(
            format!("{with}: runs and what was not built, above a tenth more, worst subject"),
            worst,
            "",
            Aim::AtMost(2.0),
        )
        .print();
    }
}
