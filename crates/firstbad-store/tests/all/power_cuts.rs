//! The power is cut, the process is killed, the disk fails, at every call below SQLite: what a caller was told to be kept
//! is there, nothing is there by half, and what failed is said.
//!
//! The process that writes is this test program again, running [`child`], with a layer between it and the system.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::collections::{BTreeSet, HashSet};
use std::io::Write as _;
use std::path::PathBuf;

use crate::common::{Temp, noted, oracle, version};
use firstbad::Error;
use firstbad_store::Store;
use firstbad_testkit::disk::preload::{Failing, Preload, Recorded};
use firstbad_testkit::disk::{Image, Loss, in_memory, power_cut};

/// What disks write at once. SQLite stands on it that bytes beside those that are written stay as they are.
const SECTOR: usize = 512;

/// The folder of the store is new, too.
const STORE: &str = "cache/outcomes.db";

/// What went wrong is of the past some time later: this many moments are two outcomes that are kept.
const SOON: usize = 40;

/// What is done with a store, one after the other: outcomes of less and of more than a page, and some that are forgotten.
fn step(store: &mut Store, number: usize) -> Result<(), Error> {
    match number {
        0 => store.put(&oracle(), "key", "run", &noted("short")),
        1 => store.put(&version("2"), "key", "run", &noted("of another version".repeat(400))),
        2 => store.put(&oracle(), "key", "run", &noted("long".repeat(2_000))),
        3 => store.forget(Some(&version("2"))).map(|_| ()),
        _ => store.put(&oracle(), &format!("key {number}"), "run", &noted("one more".repeat(100 * number))),
    }
}

const STEPS: usize = 6;

/// What is in a store, after each step: the keys and the notes.
type Contents = Vec<(String, String)>;

fn contents(store: &mut Store) -> Result<Contents, Error> {
    let entries = store.entries(None)?;
    Ok(entries.into_iter().map(|entry| (entry.key, entry.observation.note.unwrap())).collect())
}

/// What a process of these tests does. It says what was kept where the calls are recorded, so that it is known when.
#[test]
#[ignore = "run by the other tests, in processes of their own"]
fn child() {
    let variable = |name: &str| std::env::var(format!("FIRSTBAD_STORE_TEST_{name}")).unwrap();
    let (path, from) = (PathBuf::from(variable("PATH")), variable("FROM").parse().unwrap());
    let record = std::fs::File::options().append(true).open(std::env::var("FIRSTBAD_DISK_RECORD").unwrap()).unwrap();
    let mark = |text: &str| writeln!(&record, "mark {text}").unwrap();
    let mut patience = 20;
    let mut refused = |error: Error| {
        patience -= 1;
        assert!(patience > 0, "{error}");
        mark(&format!("refused {}", error.to_string().replace('\n', " ")));
    };
    let mut store = loop {
        match Store::open(&path) {
            Ok(store) => break store,
            Err(error) => refused(error),
        }
    };
    for number in from..STEPS {
        let kept = loop {
            match step(&mut store, number) {
                Ok(()) => break true,
                Err(error) => refused(error),
            }
            // Where the last call of all has failed, it is there nevertheless; nobody was told that it stays.
            if contents(&mut store).is_ok_and(|found| found == states()[number + 1]) {
                break false;
            }
        };
        if kept {
            mark(&format!("kept {}", number + 1));
        }
    }
}

/// What is in the store after so many steps.
fn states() -> Vec<Contents> {
    let temp = Temp::within(in_memory());
    let mut store = Store::open(temp.join("outcomes.db")).unwrap();
    let mut states = vec![contents(&mut store).unwrap()];
    for number in 0..STEPS {
        step(&mut store, number).unwrap();
        states.push(contents(&mut store).unwrap());
    }
    states
}

struct Place {
    temp: Temp,
    preload: Preload,
    states: Vec<Contents>,
    /// Disks that were looked at, with what had to be there at least.
    seen: HashSet<(Image, usize)>,
}

/// What one process, or one after the other, has done in a folder that was empty.
struct Played {
    root: PathBuf,
    recorded: Recorded,
}

impl Played {
    /// How many steps were kept before a moment.
    fn promised(&self, moment: usize) -> usize {
        let marks = self.recorded.marks.iter().filter(|(done, _)| *done <= moment);
        marks.filter_map(|(_, mark)| mark.strip_prefix("kept ")?.parse().ok()).max().unwrap_or(0)
    }

    fn refused(&self) -> Vec<&str> {
        self.recorded.marks.iter().filter_map(|(_, mark)| mark.strip_prefix("refused ")).collect()
    }
}

impl Place {
    fn new() -> Place {
        let temp = Temp::within(in_memory());
        std::fs::create_dir(temp.join("library")).unwrap();
        let preload = Preload::build(&temp.join("library")).unwrap();
        Place { temp, preload, states: states(), seen: HashSet::new() }
    }

    /// A process that begins with an empty disk.
    fn play(&self, failing: &Failing, skip: Option<&str>) -> Played {
        let root = self.temp.join("disk");
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir(&root).unwrap();
        std::fs::write(self.temp.join("record"), "").unwrap();
        self.go_on(0, failing, skip)
    }

    /// The next process in the same folder, from a step on.
    fn go_on(&self, from: usize, failing: &Failing, skip: Option<&str>) -> Played {
        let (root, record) = (self.temp.join("disk"), self.temp.join("record"));
        let mut command = self.preload.command(&std::env::current_exe().unwrap(), &root, &record, failing, skip);
        command.args(["--exact", "power_cuts::child", "--ignored", "--nocapture", "--test-threads=1"]);
        command.env("FIRSTBAD_STORE_TEST_PATH", root.join(STORE)).env("FIRSTBAD_STORE_TEST_FROM", from.to_string());
        let output = command.output().unwrap();
        let killed = matches!(failing, Failing::Killed(_));
        assert!(killed || output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Played { root, recorded: Recorded::read(&record).unwrap() }
    }

    /// How many steps are in the store that is on a disk.
    ///
    /// # Errors
    /// What is wrong with it.
    fn steps(&self, image: &Image) -> Result<usize, String> {
        let root = self.temp.join("left");
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir(&root).unwrap();
        image.make(&root);
        let mut store = Store::open(root.join(STORE)).map_err(|error| error.to_string())?;
        let found = contents(&mut store).map_err(|error| error.to_string())?;
        let steps = self.states.iter().position(|state| *state == found);
        let steps = steps.ok_or_else(|| format!("{} outcomes, as after no step", found.len()))?;
        // It can be gone on with.
        (steps..STEPS).try_for_each(|number| step(&mut store, number)).map_err(|error| error.to_string())?;
        match contents(&mut store).map_err(|error| error.to_string())? == self.states[STEPS] {
            true => Ok(steps),
            false => Err("what came after was not kept".to_owned()),
        }
    }

    /// Cuts the power at every moment from one on; how many different disks that left.
    ///
    /// # Errors
    /// What was lost.
    fn cut_all(&mut self, played: &Played, moments: std::ops::Range<usize>, random: u64) -> Result<usize, String> {
        let before_these = self.seen.len();
        for moment in moments.start..moments.end.min(played.recorded.operations.len() + 1) {
            let promised = played.promised(moment);
            for loss in Loss::some(random) {
                let done = &played.recorded.operations[..moment];
                let left = power_cut(done, &Image::default(), &played.root, loss, SECTOR);
                if self.seen.insert((left.clone(), promised)) {
                    let steps = self.steps(&left).map_err(|words| format!("moment {moment}, {loss:?}: {words}"))?;
                    if steps < promised {
                        return Err(format!(
                            "moment {moment}, {loss:?}: {promised} steps were promised, {steps} are there"
                        ));
                    }
                }
            }
        }
        Ok(self.seen.len() - before_these)
    }

    /// A run without any failure.
    fn plain(&mut self, skip: Option<&str>) -> Result<usize, String> {
        let played = self.play(&Failing::None, skip);
        assert_eq!(played.promised(usize::MAX), STEPS);
        self.cut_all(&played, 0..played.recorded.operations.len() + 1, 8)
    }
}

#[test]
fn power_cuts_lose_nothing_that_was_kept() {
    let mut place = Place::new();
    println!("{} disks", place.plain(None).unwrap());
}

/// Without any of the syncs some power cut loses something: each is needed, and this test sees that.
#[test]
fn a_missing_sync_is_seen() {
    let mut place = Place::new();
    let played = place.play(&Failing::None, None);
    let names: BTreeSet<&String> = played.recorded.synced.iter().collect();
    assert!(names.len() >= 4, "{names:?}");
    for name in names {
        let lost = place.plain(Some(name));
        println!("{name}: {lost:?}");
        assert!(lost.is_err(), "{name} is synced in vain");
    }
}

/// A process is killed in the middle of each call: what it has kept is there for the next one, and what either has kept is
/// there if the power is cut while that one goes on.
#[test]
fn killed_at_every_call_it_loses_nothing_that_was_kept() {
    let mut place = Place::new();
    let calls = place.play(&Failing::None, None).recorded.calls;
    assert!(calls > 50, "{calls}");
    let mut disks = 0;
    for call in 0..calls {
        let killed = place.play(&Failing::Killed(call), None);
        let (left, promised) = (Image::of(&killed.root), killed.promised(usize::MAX));
        let steps = place.steps(&left).unwrap();
        assert!((promised..=promised + 1).contains(&steps), "{promised} {steps}");
        let both = place.go_on(steps, &Failing::None, None);
        let since = killed.recorded.operations.len();
        let words = |words| format!("killed at {call}: {words}");
        disks += place.cut_all(&both, since..since + SOON, 0).map_err(words).unwrap();
    }
    println!("{disks} disks");
}

/// Some calls fail, one after the other, of what was to be written so many quarters are there nevertheless: wherever that begins,
/// it is said, what is tried again is kept once, and nothing is lost.
fn nothing_is_lost_where_calls_fail(row: usize, quarters: usize) {
    let mut place = Place::new();
    let calls = place.play(&Failing::None, None).recorded.calls;
    let (mut silent, mut disks) = (Vec::new(), 0);
    for call in 0..calls {
        let failing = Failing::Some(call..call + row, quarters);
        let played = place.play(&failing, None);
        let refused = played.refused();
        if refused.is_empty() {
            silent.push(call);
        }
        for message in refused {
            assert!(message.contains(STORE), "{message}");
        }
        assert_eq!(place.steps(&Image::of(&played.root)), Ok(STEPS), "{failing:?}");
        let failed = played.recorded.marks.iter().find(|(_, mark)| mark == "failing").unwrap().0;
        disks +=
            place.cut_all(&played, failed..failed + SOON, 0).map_err(|words| format!("{failing:?}: {words}")).unwrap();
    }
    println!("{silent:?} were made good for, {disks} disks");
}

#[test]
fn whichever_call_fails_it_is_said_and_nothing_is_lost() {
    nothing_is_lost_where_calls_fail(1, 2);
}

#[test]
fn whichever_call_fails_with_those_after_it_it_is_said_and_nothing_is_lost() {
    nothing_is_lost_where_calls_fail(3, 0);
}
