//! The numbers of runs that a search may take.

use std::fmt::Write as _;

use firstbad::porting::{Purpose, Until, Walk};
use firstbad::{Observation, Outcome, PorterConfig, PorterReport, Search as _, Status};

use super::situations::{has, missing_feature, nothing_to_carry, versions};
use super::text;
use super::world::{World, fails, unbuilt, universes_of};

fn runs(report: &PorterReport, purpose: Purpose) -> u64 {
    report.reductions.iter().filter(|made| made.purpose == purpose).map(|made| made.runs).sum()
}

/// Versions as texts, oldest first.
fn world(versions: Vec<String>, test: impl Fn(&str) -> Observation + 'static) -> World {
    World { versions, test: Box::new(test) }
}

fn judged(is_bad: bool) -> Observation {
    if is_bad { fails("wrong") } else { Outcome::Pass.into() }
}

/// No version before the feature builds. The walk halves to the edge of this block instead of testing each version.
#[test]
fn versions_that_fail_to_build_alike_are_one_state() {
    for (count, came, cause, most) in [(40, 25, 10, 12), (120, 80, 30, 17), (400, 300, 60, 22)] {
        let lines = move |number: usize| {
            vec![if number >= came { "feature" } else { "none" }, if number >= cause { "bug" } else { "sound" }]
        };
        let world = World::new(versions(count, lines), |content| match has(content, "feature") {
            false => unbuilt("no feature"),
            true => judged(has(content, "bug")),
        });
        let report = world.play(world.config(Walk::Gallop));
        let (good, bad) = (format!("r{}", cause - 1), format!("r{cause}"));
        assert_eq!((report.good, report.bad), (Some(good), Some(bad)));
        let bare = report.steps.iter().filter(|step| step.patch == 0 && step.place > 0).count();
        assert!(bare <= most, "{bare} of {count}");
    }
}

/// The skipped versions may contain the culprit, and both ends of the block are found.
#[test]
fn a_block_around_the_culprit_is_left_out_as_a_whole() {
    let lines = |number: usize| {
        vec![if (30..130).contains(&number) { "broken" } else { "whole" }, if number >= 77 { "bug" } else { "sound" }]
    };
    let world = World::new(versions(200, lines), |content| match has(content, "broken") {
        true => unbuilt("syntax"),
        false => judged(has(content, "bug")),
    });
    let report = world.play(world.config(Walk::Gallop));
    assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r29"), Some("r130")));
    assert_eq!(report.between.len(), 100);
    assert!(report.runs_to_commit.unwrap() <= 40, "{:?}", report.runs_to_commit);
}

/// The walk carries whole hunks. Which lines are needed is proved once, at the failing version.
#[test]
fn the_carried_patch_is_proved_once() {
    for size in [3, 6, 12, 24] {
        let of = move |number: usize| {
            let mut content = "start\n".to_owned();
            (0..if number >= 20 { size } else { 0 }).for_each(|line| _ = writeln!(content, "step {line}"));
            content + "one\ntwo\nthree\nfour\nfive\nsix\nseven\n" + if number < 10 { "sound\n" } else { "bug\n" }
        };
        let world = world((0..30).map(of).collect(), move |content| match content.matches("step").count() == size {
            false => fails("no step"),
            true => judged(has(content, "bug")),
        });
        let report = world.play(PorterConfig { figure2: true, ..world.config(Walk::Gallop) });
        assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r9"), Some("r10")), "{}", report.message);
        assert_eq!(report.carried.as_ref().unwrap().changes, size);
        assert_eq!(report.carried.as_ref().unwrap().guarantee, firstbad::reduction::Guarantee::OneMinimal);
        assert!(runs(&report, Purpose::Walk) <= 1 && runs(&report, Purpose::Carried) <= size as u64);
        assert_eq!(runs(&report, Purpose::Figure2), 0);
        assert_eq!(report.figure2.unwrap().changes, size + 2);
    }
}

/// Only the reverse of the cause can be a repair, so it is tested first.
#[test]
fn the_reverse_of_the_cause_is_tested_first() {
    let of = |number: usize| {
        let line = |line: usize| match (number, line) {
            (0, _) => format!("{line}\n"),
            (_, 417) => format!("{line} wrong\n"),
            _ if line % 12 < 3 => format!("{line} new\n"),
            _ => format!("{line}\n"),
        };
        (0..480).map(line).collect()
    };
    let world = world((0..3).map(of).collect(), |content| judged(has(content, "417 wrong")));
    let report = world.play(world.config(Walk::Gallop));
    assert_eq!(text(report.cause.as_ref()), "-417\n+417 wrong");
    assert_eq!(text(report.repair.as_ref()), "-417 wrong\n+417");
    assert_eq!(runs(&report, Purpose::Repair), 1);
    assert!(runs(&report, Purpose::Cause) <= 16, "{:?}", report.reductions);
}

/// The feature and the cause come in one hunk. The hunk is carried to the oldest version and then taken apart.
#[test]
fn a_cause_in_a_carried_hunk_is_found() {
    let lines = |number: usize| vec![if number >= 5 { "feature\nbug" } else { "sound" }, "end"];
    let world = World::new(versions(12, lines), |content| match has(content, "feature") {
        false => fails("no feature"),
        true => judged(has(content, "bug")),
    });
    for walk in [Walk::Strict, Walk::Gallop] {
        let report = world.play(world.config(walk));
        assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r4"), Some("r5")), "{}", report.message);
        assert!(text(report.carried.as_ref()).contains("+feature"), "{:?}", report.carried);
        assert!(text(report.cause.as_ref()).contains("+bug"), "{:?}", report.cause);
    }
}

/// The call is carried over a change of the lines beside it.
#[test]
fn the_lines_of_the_old_patch_are_tested_first() {
    let of = |number: usize| {
        let before = if number >= 20 { "call\n" } else { "" };
        let beside = if number >= 15 { "beside new\n" } else { "beside old\n" };
        let rest: String = (0..40).fold(String::new(), |text, line| {
            text + &format!("{line}{}\n", if number >= 15 && line % 9 == 8 { " new" } else { "" })
        });
        format!("start\n{before}{beside}{rest}{}", if number < 10 { "sound\n" } else { "bug\n" })
    };
    let world = world((0..30).map(of).collect(), |content| match has(content, "call") {
        false => fails("no call"),
        true => judged(has(content, "bug")),
    });
    let report = world.play(world.config(Walk::Gallop));
    assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r9"), Some("r10")), "{}", report.message);
    let conflict = report.reductions.iter().find(|made| made.reason == Some(firstbad::porting::Reason::Patch)).unwrap();
    assert_eq!((conflict.revision.as_str(), conflict.runs), ("r14", 1), "{conflict:?}");
    assert_eq!(text(report.carried.as_ref()), "+call");
}

/// The culprit rewrote a hunk of the carried patch. If a control guards the test, the other hunks are enough for a pass.
#[test]
fn a_rewritten_hunk_is_left_out_first() {
    let lines = |number: usize| {
        vec![
            if number >= 20 { "feature" } else { "no feature" },
            match number {
                0..10 => "wrap cell",
                10..20 => "cast = bug\nnew = cast\nwrap cast",
                _ => "cast = bug\nnew = cast\nloop cast",
            },
        ]
    };
    let found = |controlled: bool| {
        let world = World::new(versions(30, lines), |content| {
            let has = |line: &str| has(content, line);
            match (has("feature"), has("cast = bug"), has("loop cast")) {
                (false, ..) => fails("no feature"),
                (true, true, true) => fails("wrong"),
                (true, true, false) => fails("other"),
                (true, false, true) => fails("no cast"),
                (true, false, false) => Outcome::Pass.into(),
            }
        });
        let report = world.play(PorterConfig { controlled, ..world.config(Walk::Gallop) });
        assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r9"), Some("r10")), "{}", report.message);
        assert_eq!(text(report.cause.as_ref()).matches("+cast = bug").count(), 1, "{:?}", report.cause);
        report.runs_to_commit.unwrap()
    };
    let (guarded, alone) = (found(true), found(false));
    assert!(guarded < alone, "{guarded} {alone}");
}

/// A revision that probably passes is tested before the walk, and again with each new patch.
#[test]
fn the_good_revision_is_tested_first() {
    let good = |world: &World| {
        let report = world.play(PorterConfig { good: vec!["r1".to_owned()], ..world.config(Walk::Gallop) });
        let order: Vec<(String, usize)> = report.steps.iter().map(|step| (step.revision.clone(), step.patch)).collect();
        (report, order)
    };
    let (report, order) = good(&nothing_to_carry());
    assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r3"), Some("r4")));
    assert_eq!(order[1], ("r1".to_owned(), 0));
    assert!(report.visited <= 7, "{order:?}");
    let (report, order) = good(&missing_feature());
    assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r4"), Some("r5")));
    let carrying = order.iter().position(|(_, patch)| *patch > 0).unwrap();
    assert_eq!((order[1].0.as_str(), order[carrying].0.as_str()), ("r1", "r1"));
}

/// The explanation can be left out. The report says how many runs the commit took.
#[test]
fn a_search_can_end_at_the_commit() {
    let world = missing_feature();
    let whole = world.play(world.config(Walk::Gallop));
    let short = world.play(PorterConfig { until: Until::Commit, ..world.config(Walk::Gallop) });
    assert_eq!((short.status, &short.good, &short.bad), (Status::Found, &whole.good, &whole.bad));
    assert_eq!((short.runs_to_commit, whole.runs_to_commit), (Some(short.runs), Some(short.runs)));
    assert!(short.runs < whole.runs && short.cause.is_none() && short.repair.is_none());
    let unknown = World::new(versions(5, |_| vec!["bug"]), |_| fails("wrong"));
    assert_eq!(unknown.play(unknown.config(Walk::Gallop)).runs_to_commit, None);
}

/// As soon as the commit is known, the progress of all front ends says so.
#[test]
fn progress_names_the_culprit_while_it_is_explained() {
    let world = missing_feature();
    let mut search = world.search(world.config(Walk::Gallop));
    let mut universes = universes_of(&search);
    let mut lines = Vec::new();
    while world.step(&mut search, &mut universes) {
        let report = search.report();
        let best = search.inspect().best(&mut |revision| revision.to_owned());
        lines.push((report.runs_to_commit.is_some() && report.status == Status::Running, best));
    }
    let says =
        |best: &[String]| best.iter().any(|line| line.starts_with("culprit known: r5; now explaining it (about "));
    assert!(lines.iter().any(|(is_known, _)| *is_known));
    assert!(lines.iter().all(|(is_known, best)| says(best) == *is_known), "{lines:?}");
}
