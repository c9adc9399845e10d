//! The situations of the paper's case studies, as small histories.

use firstbad::porting::Walk;
use firstbad::{Observation, Outcome, PorterConfig};

use super::world::{World, fails, unbuilt};

/// A history with its expected result.
pub(crate) struct Situation {
    pub(crate) name: &'static str,
    pub(crate) why: &'static str,
    pub(crate) world: World,
    /// The passing version and the next one, or `None` if there is none.
    pub(crate) ends: Option<(&'static str, &'static str)>,
    /// A line that the cause adds.
    pub(crate) cause: &'static str,
    /// A line of the carried patch, or an empty string if nothing is carried.
    pub(crate) carried: &'static str,
    /// Sets further options of the search.
    pub(crate) told: fn(&mut PorterConfig),
}

impl Situation {
    pub(crate) fn config(&self, walk: Walk) -> PorterConfig {
        let mut config = self.world.config(walk).forward(self.world.start());
        (self.told)(&mut config);
        config
    }
}

pub(crate) fn has(content: &str, line: &str) -> bool {
    content.lines().any(|own| own == line)
}

/// Adds filler lines, so that changes do not touch.
pub(crate) fn versions(count: usize, lines: impl Fn(usize) -> Vec<&'static str>) -> Vec<Vec<&'static str>> {
    const FILL: [&str; 8] = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    let around = |lines: Vec<&'static str>| {
        let mut all = Vec::new();
        for line in lines {
            all.extend(FILL);
            all.push(line);
        }
        all.extend(FILL);
        all
    };
    (0..count).map(|number| around(lines(number))).collect()
}

fn judged(is_bad: bool) -> Observation {
    if is_bad { fails("wrong") } else { Outcome::Pass.into() }
}

pub(crate) fn nothing_to_carry() -> World {
    let lines = |number: usize| vec!["start", if number >= 4 { "bug" } else { "sound" }, "end"];
    World::new(versions(30, lines), |content| judged(has(content, "bug")))
}

pub(crate) fn missing_feature() -> World {
    let lines = |number: usize| {
        vec![
            if number >= 12 { "feature" } else { "no feature" },
            if number.is_multiple_of(2) { "even" } else { "odd" },
            if number >= 5 { "bug" } else { "sound" },
        ]
    };
    World::new(versions(20, lines), |content| match has(content, "feature") {
        false => fails("unknown feature"),
        true => judged(has(content, "bug")),
    })
}

/// Some versions in the middle do not compile.
fn compile_error() -> World {
    let lines = |number: usize| {
        vec![if (7..9).contains(&number) { "broken" } else { "whole" }, if number >= 4 { "bug" } else { "sound" }]
    };
    World::new(versions(15, lines), |content| match has(content, "broken") {
        true => unbuilt("syntax"),
        false => judged(has(content, "bug")),
    })
}

/// The test calls a function that was renamed twice.
fn refactoring() -> World {
    let lines = |number: usize| {
        vec![
            match number {
                0..=6 => "def first",
                7..=11 => "def second",
                _ => "def third",
            },
            if number >= 5 { "bug" } else { "sound" },
        ]
    };
    World::new(versions(16, lines), |content| match has(content, "def third") {
        false => fails("name unknown"),
        true => judged(has(content, "bug")),
    })
}

/// All lines around the carried patch are rewritten.
fn reformatting() -> World {
    let lines = |number: usize| {
        vec![if number >= 10 { "feature" } else { "no feature" }, if number >= 4 { "bug" } else { "sound" }]
    };
    let mut all = versions(14, lines);
    for version in all.iter_mut().take(8) {
        for line in version.iter_mut().filter(|line| **line == "eight") {
            *line = "  eight";
        }
        for line in version.iter_mut().filter(|line| **line == "one") {
            *line = "  one";
        }
    }
    World::new(all, |content| match has(content, "feature") {
        false => fails("unknown feature"),
        true => judged(has(content, "bug")),
    })
}

fn hang() -> World {
    let lines = |number: usize| {
        vec![if number < 9 { "endless loop" } else { "loop" }, if number >= 4 { "bug" } else { "sound" }]
    };
    World::new(versions(14, lines), |content| match has(content, "endless loop") {
        true => Observation { outcome: Outcome::Unresolved, ..fails("timeout") },
        false => judged(has(content, "bug")),
    })
}

/// The test driver stops at the first failure, and an older failure hides the followed one.
fn first_of_several() -> World {
    let lines = |number: usize| {
        vec![if (3..10).contains(&number) { "other bug" } else { "other" }, if number >= 6 { "bug" } else { "sound" }]
    };
    World::new(versions(16, lines), |content| match has(content, "other bug") {
        true => fails("other"),
        false => judged(has(content, "bug")),
    })
}

/// Without the body of the feature, the test always fails in the same way.
fn hollowed() -> World {
    let lines = |number: usize| {
        let (head, body) = if number >= 9 { ("def feature", "body") } else { ("nothing", "here") };
        vec![head, body, if number >= 4 { "bug" } else { "sound" }]
    };
    World::new(versions(14, lines), |content| match (has(content, "def feature"), has(content, "body")) {
        (false, _) => fails("unknown feature"),
        // The control detects the missing body.
        (true, false) => Observation { stage: Some(firstbad::Stage::Control), ..unbuilt("the feature does nothing") },
        (true, true) => judged(has(content, "bug")),
    })
}

pub(crate) fn cause_and_conflict() -> World {
    let lines = |number: usize| match number {
        0..=4 => vec!["old call", "sound"],
        5..=9 => vec!["new call", "bug"],
        _ => vec!["newest call", "bug"],
    };
    World::new(versions(15, lines), |content| match has(content, "newest call") {
        false => fails("unknown call"),
        true => judged(has(content, "bug")),
    })
}

fn no_good_version() -> World {
    let lines = |number: usize| vec![if number >= 6 { "feature" } else { "no feature" }, "bug"];
    World::new(versions(12, lines), |content| match has(content, "feature") {
        false => fails("unknown feature"),
        true => judged(has(content, "bug")),
    })
}

/// The lines around the bug change later, so the fix does not apply to the newest version unchanged.
fn fix_forward() -> World {
    let lines = |number: usize| vec!["head", if number >= 4 { "bug" } else { "sound" }, "tail"];
    let mut all = versions(14, lines);
    for version in all.iter_mut().skip(9) {
        let at = version.iter().position(|line| *line == "bug").unwrap_or_default();
        (version[at - 1], version[at + 1]) = ("EIGHT", "ONE");
    }
    World::new(all, |content| judged(has(content, "bug")))
}

type Ends = Option<(&'static str, &'static str)>;

fn one(name: &'static str, why: &'static str, world: World, ends: Ends, carried: &'static str) -> Situation {
    let cause = if ends.is_some() { "+bug" } else { "" };
    Situation { name, why, world, ends, cause, carried, told: |_| {} }
}

pub(crate) fn all() -> Vec<Situation> {
    let (early, late) = (Some(("r3", "r4")), Some(("r4", "r5")));
    let runs = "the paper's jar parser (Section 6.3): all versions run the test";
    let class_loader = "the paper's class loader: versions that do not compile by themselves are left out";
    let figure1 = "Figure 1: what the test needs is carried back";
    let renamed = "the name that the test calls is carried over two renamings";
    let hollow = "line by line the body of what is carried would go; the control keeps it (Section 5.2)";
    let inside = "a pass inside a reduction is the version that passes (Section 4.1)";
    let both = "cause and conflict in one commit";
    let ported = "a fix that is ported forward";
    let missed =
        one("early pass ignored", "Figure 2 as printed misses the version that passes", cause_and_conflict(), None, "");
    let guarded = one("hollowed function", hollow, hollowed(), early, "+body");
    vec![
        one("nothing to carry", runs, nothing_to_carry(), early, ""),
        one("compile error", class_loader, compile_error(), early, ""),
        Situation {
            told: |config| config.figure2 = true,
            ..one("missing feature", figure1, missing_feature(), late, "+feature")
        },
        one("refactoring", renamed, refactoring(), late, "+def third"),
        one("reformatting", "the lines around what is carried are written anew", reformatting(), early, "+feature"),
        one("hang", "a version in which the test hangs is no version that fails", hang(), early, "-endless loop"),
        one(
            "first of several failures",
            "an older failure hides the one that is followed",
            first_of_several(),
            Some(("r5", "r6")),
            "-other bug",
        ),
        Situation { told: |config| config.controlled = true, ..guarded },
        one(both, inside, cause_and_conflict(), late, "+newest call"),
        Situation { told: |config| config.early_pass = false, ..missed },
        one("no good version", "the walk ends where the history does", no_good_version(), None, ""),
        one(ported, "the lines around the fix have changed since (Section 4.2)", fix_forward(), early, ""),
    ]
}
