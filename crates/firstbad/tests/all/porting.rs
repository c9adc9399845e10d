//! Iterative delta debugging on small histories.

mod runs;
pub(crate) mod situations;
mod vectors;
pub(crate) mod world;

use firstbad::porting::{PorterReduction, Purpose, Reason, StepOutcome, Walk};
use firstbad::{Observation, Outcome, PorterConfig, PorterReport, Search, Status};
use situations::{cause_and_conflict, has, missing_feature, nothing_to_carry, versions};
use world::{World, fails, unbuilt, universes_of};

/// Checks the report of every kind of walk.
fn both(world: &World, check: impl Fn(&PorterReport)) {
    for walk in [Walk::Strict, Walk::Gallop] {
        check(&world.play(world.config(walk).forward(world.start())));
    }
}

fn text(patch: Option<&firstbad::PortedPatch>) -> String {
    let patch = patch.map(|patch| patch.text.clone().unwrap()).unwrap_or_default();
    let is_line = |line: &&str| (line.starts_with('+') || line.starts_with('-')) && !line[1..].starts_with(['+', '-']);
    patch.lines().filter(is_line).collect::<Vec<_>>().join("\n")
}

/// Both kinds of walk find the expected result in every situation.
#[test]
fn every_situation_has_the_expected_result() {
    for situation in situations::all() {
        for walk in [Walk::Strict, Walk::Gallop] {
            let report = situation.world.play(situation.config(walk));
            let about = format!("{} {walk:?}: {}", situation.name, report.message);
            let ends = report.good.as_deref().zip(report.bad.as_deref());
            assert_eq!(ends, situation.ends, "{about}");
            assert!(text(report.cause.as_ref()).contains(situation.cause), "{about}");
            assert!(text(report.carried.as_ref()).contains(situation.carried), "{about}");
            assert_eq!(report.carried.is_some(), !situation.carried.is_empty(), "{about}");
            assert_eq!(report.forward.is_some(), situation.ends.is_some(), "{about}");
        }
    }
}

/// The paper's jar parser, for which nothing is carried.
#[test]
fn a_walk_can_need_no_patch() {
    let world = nothing_to_carry();
    both(&world, |report| {
        assert_eq!(
            (report.status, report.good.as_deref(), report.bad.as_deref()),
            (Status::Found, Some("r3"), Some("r4"))
        );
        assert_eq!(report.carried, None);
        assert!(text(report.cause.as_ref()).contains("+bug"));
        assert!(text(report.repair.as_ref()).contains("-bug"));
        assert!(text(report.forward.as_ref()).contains("-bug"));
        assert!(
            report.message.starts_with("r4 fails like the start, and the next older version r3 passes"),
            "{}",
            report.message
        );
        assert_eq!(report.warnings, Vec::<String>::new());
    });
    let (strict, gallop) = (world.play(world.config(Walk::Strict)), world.play(world.config(Walk::Gallop)));
    assert!(gallop.visited * 2 < strict.visited, "{} {}", gallop.visited, strict.visited);
}

/// The test needs a feature that is newer than the bug, so the feature is carried back.
#[test]
fn a_needed_feature_is_carried_back_and_the_fix_forward() {
    both(&missing_feature(), |report| {
        assert_eq!(
            (report.status, report.good.as_deref(), report.bad.as_deref()),
            (Status::Found, Some("r4"), Some("r5"))
        );
        assert_eq!(text(report.carried.as_ref()), "-no feature\n+feature");
        assert!(text(report.cause.as_ref()).contains("+bug"));
        assert!(!text(report.cause.as_ref()).contains("feature"));
        assert!(text(report.repair.as_ref()).contains("-bug"));
        let forward = report.forward.as_ref().unwrap();
        assert_eq!(forward.on, "r19".into());
        assert!(text(Some(forward)).contains("-bug") && !text(Some(forward)).contains("feature"));
        let reduced: Vec<&str> = report
            .steps
            .iter()
            .filter(|step| step.outcome == StepOutcome::Reduced && !step.forward)
            .map(|step| step.revision.as_str())
            .collect();
        assert_eq!(reduced, ["r11"]);
        assert_eq!(report.warnings.len(), 1, "nothing guards what a pass needs");
    });
}

/// The paper's result takes additional runs, so it is computed only on request.
#[test]
fn figure2_is_found_on_request() {
    for (world, expected) in [(nothing_to_carry(), ["+bug", ""]), (missing_feature(), ["+bug", "+feature"])] {
        let plain = world.play(world.config(Walk::Gallop));
        let asked = world.play(PorterConfig { figure2: true, ..world.config(Walk::Gallop) });
        let own =
            |report: &PorterReport| report.reductions.iter().find(|made| made.purpose == Purpose::Figure2).cloned();
        assert_eq!((&plain.figure2, own(&plain)), (&None, None));
        let figure2 = text(asked.figure2.as_ref());
        assert!(expected.iter().all(|line| figure2.contains(line)), "{figure2}");
        assert!(
            plain.runs + own(&asked).map_or(0, |made| made.runs) <= asked.runs,
            "it also takes the carried lines apart"
        );
    }
}

/// No set is tested twice at the same version, and every reported observation was told.
#[test]
fn no_target_is_tested_twice() {
    both(&missing_feature(), |report| {
        let mut targets: Vec<String> = report.observations.iter().map(|one| one.target.to_string()).collect();
        targets.sort();
        let count = targets.len();
        targets.dedup();
        assert_eq!(targets.len(), count);
    });
}

/// One commit contains the cause and a conflict with the patch, so a pass during the reduction ends the walk.
#[test]
fn a_cause_and_a_conflict_in_one_commit() {
    let world = cause_and_conflict();
    both(&world, |report| {
        assert_eq!(
            (report.status, report.good.as_deref(), report.bad.as_deref()),
            (Status::Found, Some("r4"), Some("r5"))
        );
        assert_eq!(text(report.carried.as_ref()), "+newest call");
        assert!(text(report.cause.as_ref()).contains("+bug") && !text(report.cause.as_ref()).contains("call"));
    });
}

/// With half of the feature, the test passes. If the control fails, this is not a pass (Section 5.2). Without a control, an
/// older version passes with the whole feature. The carried patch is not reduced to a hollow pass.
#[test]
fn a_hollow_pass_does_not_end_the_walk() {
    let lines = |number: usize| {
        let (head, body) = if number >= 9 { ("feature", "body") } else { ("no feature", "no body") };
        vec![head, body, if number >= 4 { "bug" } else { "sound" }]
    };
    let found = |controlled: bool| {
        let world = World::new(versions(15, lines), move |content| {
            let has = |line: &str| has(content, line);
            match (has("feature"), has("body")) {
                (false, _) => fails("unknown feature"),
                (true, true) if has("bug") => fails("wrong"),
                (true, true) => Outcome::Pass.into(),
                (true, false) if controlled => Observation {
                    signals: Some(serde_json::json!({ "control": "fail (signature \"no body\")" })),
                    ..Outcome::Pass.into()
                },
                (true, false) => Outcome::Pass.into(),
            }
        });
        for walk in [Walk::Strict, Walk::Gallop] {
            let report = world.play(world.config(walk));
            let about = format!("{report:?}");
            let hollow: u64 = report.reductions.iter().filter_map(|made| made.failed.get(&Reason::Control)).sum();
            assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r3"), Some("r4")), "{about}");
            assert_eq!(
                (text(report.carried.as_ref()), hollow > 0),
                ("-no feature\n+feature\n-no body\n+body".to_owned(), controlled),
                "{about}"
            );
            assert_eq!(text(report.cause.as_ref()), "-sound\n+bug", "{about}");
            let doubted = |warning: &String| {
                warning.contains("r8 passed with a part of a patch") && warning.contains("does not count")
            };
            assert_eq!(report.warnings.iter().any(doubted), !controlled, "{about}");
        }
    };
    found(false);
    found(true);
}

/// At the older version, the failure needs fewer changes than at the version of its patch, and the pass needs as many as the
/// failure.
#[test]
fn changes_that_older_versions_do_not_need_are_dropped() {
    let lines = |number: usize| {
        vec![
            if number >= 12 { "feature" } else { "no feature" },
            if (8..12).contains(&number) { "broken" } else { "whole" },
            if number >= 4 { "bug" } else { "sound" },
        ]
    };
    let world = World::new(versions(16, lines), |content| match (has(content, "feature"), has(content, "broken")) {
        (_, true) => fails("broken"),
        (false, false) => fails("unknown feature"),
        (true, false) => {
            if has(content, "bug") {
                fails("wrong")
            } else {
                Outcome::Pass.into()
            }
        }
    });
    both(&world, |report| {
        assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r3"), Some("r4")), "{}", report.message);
        let carried = text(report.carried.as_ref());
        assert!(carried.contains("+feature") && !carried.contains("broken"), "{carried}");
        assert_eq!(report.carried.as_ref().unwrap().guarantee, firstbad::reduction::Guarantee::OneMinimal);
    });
}

/// No version builds with half a block. Half blocks are tried on the walk, but not for the patches of the result, unless
/// patches are reduced by lines at once.
#[test]
fn blocks_are_removed_as_a_whole() {
    let lines = |number: usize| {
        let block = "if (a) {\n  b\n}\nfeature\nwhile (c) {\n  d\n}";
        vec!["start", if number >= 4 { block } else { "nothing" }, if number >= 4 { "bug" } else { "sound" }]
    };
    let world = World::new(versions(12, lines), |content| {
        if content.matches('{').count() != content.matches('}').count() {
            return unbuilt("syntax");
        }
        if has(content, "bug") { fails("wrong") } else { Outcome::Pass.into() }
    });
    let halves = |hierarchical: bool| {
        let mut config = world.config(Walk::Gallop);
        config.hierarchical = hierarchical;
        let report = world.play(config);
        assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r3"), Some("r4")), "{}", report.message);
        assert_eq!(text(report.cause.as_ref()), if hierarchical { "-sound\n+bug" } else { "+bug" });
        let unbuilt = |one: &&firstbad::TargetObservation| one.observation.stage == Some(firstbad::Stage::Build);
        report.observations.iter().filter(unbuilt).count()
    };
    assert_eq!(halves(true), 0);
    assert!(halves(false) > 0);
}

/// No version builds with a single bracket, so no run is spent on one. Without the paper's result, whole definitions are
/// carried, and with it, an empty pair is not.
#[test]
fn brackets_stay_paired_on_the_walk() {
    let lines = |number: usize| {
        let block = "feature\nif (a) {\n  while (b) {\n    c\n  }\n  d\n}";
        vec![if number >= 8 { block } else { "nothing" }, if number >= 4 { "bug" } else { "sound" }]
    };
    let world = World::new(versions(16, lines), |content| {
        if content.matches('{').count() != content.matches('}').count() {
            return unbuilt("syntax");
        }
        match (has(content, "feature"), has(content, "bug")) {
            (false, _) => fails("no feature"),
            (true, true) => fails("wrong"),
            (true, false) => Outcome::Pass.into(),
        }
    });
    for (figure2, carried) in
        [(true, "+feature"), (false, "-nothing\n+feature\n+if (a) {\n+  while (b) {\n+    c\n+  }\n+  d\n+}")]
    {
        for walk in [Walk::Strict, Walk::Gallop] {
            let report = world.play(PorterConfig { figure2, ..world.config(walk) });
            assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r3"), Some("r4")), "{}", report.message);
            assert_eq!(text(report.carried.as_ref()), carried);
            let is_built = |made: &PorterReduction| !made.failed.contains_key(&Reason::Build);
            assert!(report.reductions.iter().all(is_built), "{:?}", report.reductions);
        }
    }
}

/// The paper's loop (Figure 2) continues here and carries the bug to the end of the history.
#[test]
fn early_passes_can_be_ignored() {
    let world = cause_and_conflict();
    for walk in [Walk::Strict, Walk::Gallop] {
        let mut config = world.config(walk);
        config.early_pass = false;
        let report = world.play(config);
        assert_eq!((report.status, report.good), (Status::HistoryExhausted, None));
        assert!(!report.warnings.iter().any(|warning| warning.contains("ends the walk too early")));
        let passes = |one: &&firstbad::TargetObservation| one.observation.outcome == Outcome::Pass;
        assert!(report.observations.iter().any(|one| passes(&one)), "a pass was seen, and did not count");
    }
}

/// The line with the bug replaces another line next to the carried patch. No part of that change makes sense alone.
#[test]
fn a_cause_and_a_conflict_in_rewritten_lines() {
    let lines = |number: usize| match number {
        0..=4 => vec!["old call\nsound"],
        5..=9 => vec!["new call\nbug"],
        _ => vec!["newest call\nbug"],
    };
    let world = World::new(versions(15, lines), |content| match (has(content, "sound"), has(content, "bug")) {
        _ if ["old call", "new call"].iter().any(|call| has(content, call)) => fails("unknown call"),
        _ if !has(content, "newest call") => fails("no call"),
        (true, false) => Outcome::Pass.into(),
        (false, true) => fails("wrong"),
        _ => fails("nonsense"),
    });
    both(&world, |report| {
        assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r4"), Some("r5")), "{}", report.message);
        assert_eq!(text(report.carried.as_ref()), "-old call\n+newest call");
        // A less demanding test would pass there with half of the call.
        assert!(report.warnings.iter().any(|warning| warning.contains("ends the walk too early")));
        assert_eq!(text(report.cause.as_ref()), "-sound\n+bug");
    });
}

#[test]
fn versions_that_do_not_build_are_skipped() {
    let lines = |number: usize| {
        vec![if (6..9).contains(&number) { "broken" } else { "whole" }, if number >= 4 { "bug" } else { "sound" }]
    };
    let world = World::new(versions(15, lines), |content| match (has(content, "broken"), has(content, "bug")) {
        (true, _) => unbuilt("syntax"),
        (false, true) => fails("wrong"),
        (false, false) => Outcome::Pass.into(),
    });
    both(&world, |report| {
        assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r3"), Some("r4")));
        assert_eq!((report.carried.is_none(), report.between.len()), (true, 0));
    });
    // If such versions are between `good` and `bad`, any of them can be the culprit.
    let lines = |number: usize| {
        vec![if (3..6).contains(&number) { "broken" } else { "whole" }, if number >= 4 { "bug" } else { "sound" }]
    };
    let world = World { versions: World::new(versions(15, lines), |_| Outcome::Pass.into()).versions, ..world };
    both(&world, |report| {
        assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r2"), Some("r6")));
        assert_eq!(report.between, ["r5", "r4", "r3"]);
        assert!(report.message.contains("3 revisions between them do not build"), "{}", report.message);
    });
}

/// No older version builds without a patch, so skipped versions are restored.
#[test]
fn a_build_fix_is_carried_if_no_older_version_builds() {
    let lines =
        |number: usize| vec![if number < 9 { "broken" } else { "whole" }, if number >= 4 { "bug" } else { "sound" }];
    let world = World::new(versions(15, lines), |content| match (has(content, "broken"), has(content, "bug")) {
        (true, _) => unbuilt("syntax"),
        (false, true) => fails("wrong"),
        (false, false) => Outcome::Pass.into(),
    });
    both(&world, |report| {
        assert_eq!((report.good.as_deref(), report.bad.as_deref()), (Some("r3"), Some("r4")));
        assert_eq!(text(report.carried.as_ref()), "-broken\n+whole");
    });
}

#[test]
fn a_search_without_a_passing_version_says_why() {
    let always = |seen: fn(&str) -> Observation| World::new(versions(9, |_| vec!["same"]), seen);
    both(&always(|_| Outcome::Pass.into()), |report| {
        assert_eq!((report.status, report.runs), (Status::NotReproduced, 1));
    });
    both(&always(|_| Outcome::Unresolved.into()), |report| assert_eq!(report.status, Status::Untestable));
    both(&always(|_| unbuilt("x")), |report| assert_eq!(report.status, Status::Untestable));
    both(&always(|_| Outcome::Fail.into()), |report| {
        assert_eq!((report.status, report.good.as_deref()), (Status::HistoryExhausted, None));
        assert!(report.message.contains("at r0"), "{}", report.message);
    });
    let world = always(|_| Outcome::Fail.into());
    let mut config = world.config(Walk::Gallop);
    config.boundary = vec!["r0".into()];
    assert_eq!(world.play(config).status, Status::RevisionNotReadable);
    let world = missing_feature();
    let mut config = world.config(Walk::Gallop);
    config.max_patch = Some(1);
    config.granularity = firstbad::reduction::Granularity::Files;
    let report = world.play(config);
    assert_eq!((report.status, report.good), (Status::PatchTooLarge, None));
    assert!(report.message.contains("4 changes. The limit is 1"), "{}", report.message);
}

/// A start that fails in two ways shows no failure to follow.
#[test]
fn a_start_must_fail_twice_in_the_same_way() {
    let world = World::new(versions(3, |_| vec!["same"]), |_| Outcome::Fail.into());
    let mut search = world.search(world.config(Walk::Gallop));
    for signature in ["one", "other"] {
        let probe = search.ask(1).unwrap().remove(0);
        search.tell(probe.id, fails(signature)).unwrap();
    }
    let report = search.report();
    assert_eq!(report.status, Status::Contradictory);
    assert!(report.message.contains("two runs at the start r2 had different outcomes"), "{}", report.message);
}

/// The report describes the start by its own observations, even if others were told first.
#[test]
fn the_start_is_described_by_its_own_observations() {
    let world = World::new(versions(3, |_| vec!["same"]), |_| unbuilt("no compiler"));
    let mut search = world.search(world.config(Walk::Gallop));
    search.observe(&"r0".into(), Outcome::Pass.into()).unwrap();
    let report = world.finish(&mut search);
    assert_eq!(report.status, Status::Untestable);
    assert!(report.message.contains("the start r2 is unresolved: unresolved (stage build"), "{}", report.message);
}

/// A pass of a part of a difference counts even if it was told before the difference was read.
#[test]
fn a_pass_told_before_its_difference_counts() {
    let world = cause_and_conflict();
    let expected = world.play(world.config(Walk::Strict));
    let is_part = |one: &&firstbad::TargetObservation| {
        one.target.universe.is_some() && one.target.revision.as_deref() == Some("r4")
    };
    let passes = |one: &&firstbad::TargetObservation| one.observation.outcome == Outcome::Pass;
    let known = expected.observations.iter().filter(is_part).find(passes).unwrap();
    let mut search = world.search(world.config(Walk::Strict));
    search.observe(&known.target, known.observation.clone()).unwrap();
    let report = world.finish(&mut search);
    assert_eq!((&report.good, &report.bad, &report.cause), (&expected.good, &expected.bad, &expected.cause));
    assert_eq!(report.warnings, expected.warnings);
}

/// If equal versions contradict each other after `good` and `bad` are known, the report keeps both and adds the
/// contradiction.
#[test]
fn later_contradictions_keep_the_good_and_bad_version() {
    let world = nothing_to_carry();
    let mut search = world.search(world.config(Walk::Gallop));
    while search.reads().is_empty() {
        let probe = search.ask(1).unwrap().remove(0);
        search.tell(probe.id, world.answer(&probe.target, &universes_of(&search))).unwrap();
    }
    let read = search.reads().remove(0);
    search.give(read.id, b"").unwrap();
    let report = search.report();
    assert_eq!((report.status, report.good.as_deref()), (Status::Contradictory, Some("r3")));
    assert!(report.message.ends_with("Later, equal versions had different outcomes"), "{}", report.message);
}

#[test]
fn invalid_options_are_named() {
    let world = nothing_to_carry();
    let refused = |change: fn(&mut firstbad::PorterConfig)| {
        let mut config = world.config(Walk::Gallop);
        change(&mut config);
        firstbad::Porter::new(world.graph(), config).map(|_| ()).unwrap_err().to_string()
    };
    let flat = refused(|config| {
        config.hierarchical = false;
        config.granularity = firstbad::reduction::Granularity::Hunks;
    });
    assert!(flat.starts_with("granularity: \"hunks\" is not valid; expected \"lines\""), "{flat}");
    assert!(refused(|config| config.max_patch = Some(0)).starts_with("max_patch: 0"));
    assert!(refused(|config| config.good = vec!["r29".into()]).starts_with("good: \"r29\""));
    assert!(refused(|config| config.good = vec!["r1".into(), "r2".into()]).starts_with("good: "));
    assert!(refused(|config| config.start = "r99".into()).starts_with("start: unknown revision"));
    assert!(refused(|config| config.revisions = Some(vec!["r3".into(), "r5".into()])).starts_with("revisions[1]"));
    assert!(refused(|config| config.forward = Some("r99".into())).starts_with("forward: unknown revision"));
}

/// With factors, a very different time or memory counts as another failure.
#[test]
fn a_hang_is_another_failure_if_time_matters() {
    let lines = |number: usize| {
        vec![match number {
            0..=2 => "sound",
            3..=5 => "slow",
            _ => "bug",
        }]
    };
    let world = World::new(versions(9, lines), |content| {
        if has(content, "sound") {
            return Outcome::Pass.into();
        }
        Observation { seconds: Some(if has(content, "slow") { 90.0 } else { 1.0 }), ..fails("wrong") }
    });
    let plain = world.play(world.config(Walk::Strict));
    assert_eq!(plain.carried, None);
    let mut config = world.config(Walk::Strict);
    config.seconds_factor = Some(10.0);
    let report = world.play(config);
    assert_eq!(report.good.as_deref(), Some("r2"));
    assert!(report.steps.iter().any(|step| step.revision == "r5" && step.outcome == StepOutcome::Reduced));
}

/// A search that is killed after any event resumes with the same result, also with several jobs.
#[test]
fn a_killed_walk_resumes_after_every_event() {
    let world = missing_feature();
    let config = || world.config(Walk::Gallop).forward(world.start());
    let mut whole = world.search(config());
    let expected = world.finish(&mut whole);
    let events = whole.inspect().events(0);
    for count in 0..=events.len() {
        let mut search = world.search(config());
        events[..count].iter().for_each(|event| search.apply(event).unwrap());
        assert_eq!(search.inspect().events(0), events[..count]);
        let snapshot = search.inspect().snapshot().unwrap();
        let mut restored = firstbad::AskTell::<firstbad::porting::Port>::restore(world.graph(), &snapshot).unwrap();
        assert_eq!(world.finish(&mut search), expected, "after {count} events");
        assert_eq!(world.finish(&mut restored), expected, "after {count} events, from a snapshot");
    }
}

#[test]
fn several_jobs_find_the_same_result() {
    let world = missing_feature();
    let expected = world.play(world.config(Walk::Gallop));
    for jobs in [2, 3, 8] {
        let mut search = world.search(world.config(Walk::Gallop));
        let mut most = 0;
        while !search.is_done() {
            let mut universes = universes_of(&search);
            for read in search.reads() {
                let content = world.read(&read, &universes);
                search.give(read.id, &content).unwrap();
                universes = universes_of(&search);
            }
            let mut probes = search.in_flight();
            probes.extend(search.ask(jobs - probes.len()).unwrap());
            most = most.max(probes.len());
            // The last probe is the fastest.
            if let Some(probe) = probes.pop() {
                search.tell(probe.id, world.answer(&probe.target, &universes)).unwrap();
            }
        }
        let report = search.report();
        assert_eq!((&report.good, &report.bad), (&expected.good, &expected.bad));
        assert_eq!(text(report.cause.as_ref()), text(expected.cause.as_ref()));
        assert!(most >= jobs.min(5), "it keeps them busy: {most} of {jobs}");
    }
}

/// A second test is reported with its outcomes, and counts as broken only if it passed before.
#[test]
fn a_second_test_is_reported() {
    let world = nothing_to_carry();
    let report = world.play(world.config(Walk::Gallop).forward(world.start()));
    let said = |before: Outcome, after: Outcome| {
        let also = report.clone().with_also(before.into(), after.into()).also.unwrap();
        (also.breaks, also.message)
    };
    assert!(!said(Outcome::Pass, Outcome::Pass).0);
    assert!(!said(Outcome::Fail, Outcome::Fail).0);
    assert!(!said(Outcome::Pass, Outcome::Unresolved).0);
    let (breaks, message) = said(Outcome::Pass, Outcome::Fail);
    assert!(breaks && message == "the other test fails with the fix, and passes without it");
}

/// The vectors that all languages replay. `WRITE_VECTORS=1 cargo test -p firstbad --test all porting::vectors` writes them.
#[test]
fn the_vectors_match_the_walks() {
    let played = vectors::all();
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/porting.json");
    if std::env::var_os("WRITE_VECTORS").is_some() {
        std::fs::write(&file, &played).unwrap();
    }
    assert!(std::fs::read_to_string(&file).unwrap_or_default() == played, "they are due to be written again");
}
