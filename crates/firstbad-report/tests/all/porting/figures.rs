//! Counts and figures of reports.

use firstbad::porting::{PorterReduction, Purpose, Reason, ReductionResult, Walk};
use firstbad::{Budget, PorterReport, Search as _};

use firstbad_report::porting::{Figure, reasons, steps_markdown, steps_text, svg as svg_of};

use super::situations;
use super::situations::{cause_and_conflict, missing_feature, nothing_to_carry};
use super::world::World;

/// The outcome of every version.
fn both(world: &World, check: impl Fn(&PorterReport)) {
    for walk in [Walk::Strict, Walk::Gallop] {
        check(&world.play(world.config(walk).forward(world.start())));
    }
}

/// Returns the names of the elements in a well-formed document.
fn elements(svg: &str) -> Vec<String> {
    let (mut open, mut all): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag has an end");
        assert!(!text.contains('>') && !tag.contains("&\"") && entities(text) && entities(tag), "{part}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{svg}");
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).next().unwrap_or_default().to_owned();
        if !tag.ends_with('/') {
            open.push(name.clone());
        }
        all.push(name);
    }
    assert!(open.is_empty() && svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    all
}

/// Returns whether each `&` starts an entity.
fn entities(text: &str) -> bool {
    let is_known = |rest: &str| ["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|name| rest.starts_with(name));
    text.split('&').skip(1).all(is_known)
}

fn played(walk: Walk) -> PorterReport {
    let world = missing_feature();
    world.play(world.config(walk).forward(world.start()))
}

#[test]
fn every_reduction_is_reported_with_its_runs() {
    let report = played(Walk::Gallop);
    let walk: Vec<&PorterReduction> = report.reductions.iter().filter(|made| made.purpose == Purpose::Walk).collect();
    let [made] = walk[..] else { panic!("one reduction: {}", steps_text(&report)) };
    assert_eq!((made.revision.as_str(), made.place, made.forward), ("r11", 8, false));
    assert_eq!((made.reason, made.result), (Some(Reason::Test), ReductionResult::Reduced));
    assert_eq!((made.before, made.first, made.after), (4, Some(2), Some(2)));
    assert_eq!((made.runs, made.free), (1, 0));
    let purposes: Vec<Purpose> = report.reductions.iter().skip(1).map(|made| made.purpose).collect();
    let ends = [Purpose::Carried, Purpose::Cause, Purpose::Repair, Purpose::Forward];
    assert_eq!(purposes, ends);
    for (made, patch) in report.reductions[1..].iter().zip(report.patches()) {
        assert_eq!((made.before, made.after), (patch.2.of, Some(patch.2.changes)), "{}", patch.0);
    }
}

/// The walk and the reductions have all runs, and every unwanted outcome is counted at its version.
#[test]
fn the_counts_add_up() {
    for situation in situations::all() {
        for walk in [Walk::Strict, Walk::Gallop] {
            let report = situation.world.play(situation.config(walk));
            let about = format!("{} {walk:?}: {}", situation.name, steps_text(&report));
            let inside: u64 = report.reductions.iter().map(|made| made.runs + made.free).sum();
            assert!(inside < report.asked && report.runs + report.conflicts == report.asked, "{about}");
            let conflicts = report
                .observations
                .iter()
                .filter(|seen| seen.observation.stage.is_some_and(|at| at == firstbad::Stage::Patch));
            assert_eq!(conflicts.count() as u64, report.conflicts, "{about}");
            for count in reasons(&report) {
                let with = report.steps.iter().filter(|step| step.patch > 0 && step.reason == Some(count.reason));
                assert_eq!(with.count(), count.carried, "{about}");
                // A walk with whole hunks may start again with lines.
                assert!(count.reductions <= 2 * (count.carried + count.alone), "{about}");
                assert!(steps_markdown(&report).contains(count.reason.words()), "{about}");
                assert!(steps_text(&report).contains(count.reason.words()), "{about}");
            }
            for made in &report.reductions {
                let failed: u64 = made.failed.values().sum();
                assert!(failed <= made.runs + made.free, "{about}");
                if let Some((first, after)) = made.fixpoint() {
                    assert!(made.before >= first && first >= after, "{about}");
                }
            }
        }
    }
}

#[test]
fn reasons_are_counted_by_stage() {
    let world = missing_feature();
    let report = world.play(world.config(Walk::Strict).forward(world.start()));
    let rows: Vec<_> = reasons(&report)
        .into_iter()
        .map(|row| (row.reason, row.alone, row.carried, row.reductions, row.parts))
        .collect();
    assert_eq!(rows, [(Reason::Test, 2, 1, 2, 5)], "{}", steps_text(&report));
}

/// A part of the patch passes, and the reduction continues.
#[test]
fn a_reduction_that_saw_a_pass_says_so() {
    both(&cause_and_conflict(), |report| {
        let ended: Vec<_> = report.reductions.iter().filter(|made| made.result == ReductionResult::Passed).collect();
        assert_eq!(ended.len(), 1, "{}", steps_text(report));
        assert_eq!((ended[0].revision.as_str(), ended[0].after), ("r4", None));
        assert!(steps_markdown(report).contains("and a part of it passes"));
    });
}

/// Undone outcomes do not count, and later outcomes count as before.
#[test]
fn counts_are_the_same_after_an_undo() {
    let world = missing_feature();
    let expected = played(Walk::Gallop);
    for count in 1..=u32::try_from(expected.asked).unwrap() {
        let mut search = world.search(world.config(Walk::Gallop).forward(world.start()));
        world.finish(&mut search);
        search.undo(count).unwrap();
        let before = search.report();
        let inside: u64 = before.reductions.iter().map(|made| made.runs + made.free).sum();
        assert!(inside <= before.asked, "{count}: {}", steps_text(&before));
        let report = world.finish(&mut search);
        assert_eq!((&report.steps, &report.reductions), (&expected.steps, &expected.reductions), "{count}");
        assert_eq!(svg_of(&report, Figure::Sizes), svg_of(&expected, Figure::Sizes));
    }
}

#[test]
fn a_stopped_search_reports_the_unfinished_reduction() {
    let world = missing_feature();
    let mut search = world.search(world.config(Walk::Gallop));
    let whole = played(Walk::Gallop);
    let mut running = 0;
    for runs in 0..whole.runs {
        search.set_budget(Budget { runs: Some(runs), ..Budget::default() }).unwrap();
        let report = world.finish(&mut search);
        let open: Vec<_> = report.reductions.iter().filter(|made| made.result == ReductionResult::Running).collect();
        assert!(open.len() <= 1 && open.iter().all(|made| made.after.is_none()), "{}", steps_text(&report));
        running += open.len();
        Figure::ALL.iter().for_each(|&figure| drop(elements(&svg_of(&report, figure))));
    }
    assert!(running > 1, "{running}");
}

#[test]
fn figures_are_well_formed_and_show_every_reduction() {
    for situation in situations::all() {
        let report = situation.world.play(situation.config(Walk::Strict));
        for figure in Figure::ALL {
            let all = elements(&svg_of(&report, figure));
            assert!(!all.iter().any(|name| ["script", "a", "image", "use"].contains(&name.as_str())));
        }
        let ended = report.reductions.iter().filter(|made| made.after.is_some()).count();
        let svg = svg_of(&report, Figure::Reductions);
        assert_eq!(svg.matches("changes before").count(), usize::from(ended > 0), "{}", situation.name);
        let titles = report.reductions.iter().filter(|made| made.after.is_some());
        for made in titles {
            assert!(svg.contains(&format!("{}, {}", made.revision, made.purpose.as_str())), "{svg}");
        }
    }
}

#[test]
fn untrusted_names_are_escaped() {
    let mut report = played(Walk::Strict);
    let name = "<script>alert(\"1\" & '2')</script>\u{1b}\u{202e}";
    report.good = Some(name.to_owned());
    report.steps.iter_mut().for_each(|step| step.revision = name.to_owned());
    for made in &mut report.reductions {
        (made.revision, made.first) = (name.to_owned(), Some(made.before));
    }
    for figure in Figure::ALL {
        let svg = svg_of(&report, figure);
        assert!(!elements(&svg).contains(&"script".to_owned()), "{svg}");
        assert!(svg.contains("&lt;script&gt;") && !svg.contains(['\u{1b}', '\u{202e}']), "{svg}");
    }
}

/// Ten thousand characters, and the largest numbers.
#[test]
fn figures_stay_small_whatever_they_show() {
    let mut report = played(Walk::Strict);
    for (step, place) in report.steps.iter_mut().zip([i64::MAX, i64::MIN, 0].into_iter().cycle()) {
        (step.revision, step.place, step.patch) = ("ä".repeat(10_000), place, usize::MAX);
    }
    for made in &mut report.reductions {
        (made.revision, made.place) = ("ß".repeat(10_000), i64::MIN);
        (made.before, made.first, made.after) = (usize::MAX, Some(1), Some(usize::MAX));
    }
    for figure in Figure::ALL {
        let svg = svg_of(&report, figure);
        elements(&svg);
        assert!(svg.len() < 40_000 && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[test]
fn figures_without_reductions_have_text() {
    let world = nothing_to_carry();
    let search = world.search(world.config(Walk::Gallop));
    let report = search.report();
    let words = ["No patch was needed.", "No patch was reduced.", "No patch was reduced."];
    for (figure, words) in Figure::ALL.into_iter().zip(words) {
        let svg = svg_of(&report, figure);
        assert!(svg.contains(words) && !elements(&svg).contains(&"circle".to_owned()), "{svg}");
    }
    let done = world.play(world.config(Walk::Gallop));
    assert!(svg_of(&done, Figure::Sizes).contains(words[0]), "only what is carried is drawn");
    assert!(svg_of(&done, Figure::Fixpoint).contains("None, because"));
}

/// A bar for the changes that later rounds removed, the largest first.
#[test]
fn the_fixpoint_has_a_bar_for_each_gain() {
    let mut report = played(Walk::Strict);
    let count = report.reductions.len();
    for (made, first) in report.reductions.iter_mut().zip([2, 8, 1].into_iter().cycle()) {
        (made.before, made.first, made.after) = (9, Some(first), Some(1));
    }
    let svg = svg_of(&report, Figure::Fixpoint);
    let gained = (0..count).filter(|place| place % 3 < 2).count();
    assert_eq!(svg.matches("rx=\"2\"").count(), gained, "{svg}");
    assert!(
        svg.contains(&format!("{gained} of {count} reductions were reduced further")) && svg.contains("9 to 8, then 1")
    );
    for _ in 0..3 {
        report.reductions.extend(report.reductions.clone());
    }
    let many = svg_of(&report, Figure::Fixpoint);
    assert_eq!(many.matches("rx=\"2\"").count(), 16, "{many}");
    assert!(many.contains(">The 16 largest gains are shown.<"), "{many}");
    assert!(svg.find(">8 to 1<").unwrap() < svg.find(">2 to 1<").unwrap(), "the largest gain first");
}

#[test]
fn a_figure_that_there_is_not_is_named() {
    let words = "size".parse::<Figure>().unwrap_err().to_string();
    assert!(words.contains("figure") && words.contains("\"size\"") && words.contains("\"fixpoint\""), "{words}");
}
