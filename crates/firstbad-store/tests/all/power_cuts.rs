//! Cuts the power, kills the process, or makes the disk fail at every system call below SQLite. Stored outcomes must survive,
//! must never be incomplete, and failures must be reported.
//!
//! The writing process is this test binary, which runs [`child`] with a recording layer between SQLite and the system.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::collections::{BTreeSet, HashSet};
use std::io::Write as _;
use std::path::PathBuf;

use crate::common::{Temp, noted, oracle, version};
use firstbad::Error;
use firstbad_store::Store;
use firstbad_testkit::disk::preload::{Failing, Preload, Recorded};
use firstbad_testkit::disk::{Image, Loss, in_memory, power_cut};

/// The unit of atomic disk writes. SQLite relies on neighboring bytes staying unchanged.
const SECTOR: usize = 512;

/// The folder of the store does not exist yet.
const STORE: &str = "cache/outcomes.db";

/// The number of moments to test after a failure. About two outcomes are stored in that time.
const SOON: usize = 40;

/// One write to the store. The steps store outcomes smaller and larger than a page, and delete some.
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

/// The keys and notes in a store after a step.
type Contents = Vec<(String, String)>;

fn contents(store: &mut Store) -> Result<Contents, Error> {
    let entries = store.entries(None)?;
    Ok(entries.into_iter().map(|entry| (entry.key, entry.observation.note.unwrap())).collect())
}

/// The body of the child process. It writes its marks into the record of system calls, which shows when each outcome was stored.
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
            // If the very last call failed, the outcome may still be in the file, but nothing was promised.
            if contents(&mut store).is_ok_and(|found| found == states()[number + 1]) {
                break false;
            }
        };
        if kept {
            mark(&format!("kept {}", number + 1));
        }
    }
}

/// Returns the contents of the store after each step.
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
    /// Disk images already tested, with the number of promised steps.
    seen: HashSet<(Image, usize)>,
}

/// The recorded calls of one or more processes that started with an empty folder.
struct Played {
    root: PathBuf,
    recorded: Recorded,
}

impl Played {
    /// Returns how many steps were promised before a moment.
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

    /// Runs a process on an empty disk.
    fn play(&self, failing: &Failing, skip: Option<&str>) -> Played {
        let root = self.temp.join("disk");
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir(&root).unwrap();
        std::fs::write(self.temp.join("record"), "").unwrap();
        self.go_on(0, failing, skip)
    }

    /// Runs the next process in the same folder, starting at a step.
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

    /// Returns how many steps the store on a disk image contains.
    ///
    /// # Errors
    /// A description of the damage.
    fn steps(&self, image: &Image) -> Result<usize, String> {
        let root = self.temp.join("left");
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir(&root).unwrap();
        image.make(&root);
        let mut store = Store::open(root.join(STORE)).map_err(|error| error.to_string())?;
        let found = contents(&mut store).map_err(|error| error.to_string())?;
        let steps = self.states.iter().position(|state| *state == found);
        let steps = steps.ok_or_else(|| format!("{} outcomes, as after no step", found.len()))?;
        // A damaged-looking store must still accept the remaining steps.
        (steps..STEPS).try_for_each(|number| step(&mut store, number)).map_err(|error| error.to_string())?;
        match contents(&mut store).map_err(|error| error.to_string())? == self.states[STEPS] {
            true => Ok(steps),
            false => Err("what came after was not kept".to_owned()),
        }
    }

    /// Cuts the power at each of these moments, and returns the number of distinct disk images.
    ///
    /// # Errors
    /// A description of the lost outcomes.
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

    /// Runs all steps without failures, and cuts the power at every moment.
    fn plain(&mut self, skip: Option<&str>) -> Result<usize, String> {
        let played = self.play(&Failing::None, skip);
        assert_eq!(played.promised(usize::MAX), STEPS);
        self.cut_all(&played, 0..played.recorded.operations.len() + 1, 8)
    }
}

#[test]
fn power_cuts_lose_no_stored_outcome() {
    let mut place = Place::new();
    println!("{} disks", place.plain(None).unwrap());
}

/// Shows that every sync is needed, and that these tests notice a missing one.
#[test]
fn a_missing_sync_is_noticed() {
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

/// Kills the process at each system call. Its outcomes must survive, also if the power is cut while the next process runs.
#[test]
fn kills_at_any_call_lose_no_stored_outcome() {
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

/// Makes `row` consecutive calls fail, starting at each call, with so many quarters of the data written anyway. Every failure
/// must be reported, and retried outcomes must be stored once.
fn failing_calls_lose_no_outcome(row: usize, quarters: usize) {
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
fn a_failing_call_is_reported_and_loses_no_outcome() {
    failing_calls_lose_no_outcome(1, 2);
}

#[test]
fn consecutive_failing_calls_are_reported_and_lose_no_outcome() {
    failing_calls_lose_no_outcome(3, 0);
}
