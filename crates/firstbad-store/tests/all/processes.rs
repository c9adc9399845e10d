//! Many processes that use one store at the same time, some of which are killed.
//!
//! The processes are this test binary, which runs [`child`]. They start together when their standard input closes, and report to
//! standard error.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

use crate::common::{Temp, noted, oracle};
use firstbad_store::{Entry, Store};

const PROCESSES: usize = 16;
const PUTS: usize = 100;

/// More outcomes than SQLite's page cache holds, so that changes reach the file before the transaction commits.
const MANY: u64 = 100_000;

/// The end of every note. It makes an outcome span several pages.
fn tail(run: &str) -> String {
    run.repeat(1000)
}

/// The body of the child process.
#[test]
#[ignore = "run by the other tests, in processes of their own"]
fn child() {
    let variable = |name: &str| std::env::var(format!("FIRSTBAD_STORE_TEST_{name}")).unwrap();
    let (work, path, run) = (variable("WORK"), variable("PATH"), variable("RUN"));
    eprintln!("ready");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    let mut store = Store::open(path).unwrap();
    match work.as_str() {
        "open" => assert_eq!(store.get(&oracle(), "key").unwrap(), []),
        "put once" => put(&mut store, &run, 1),
        "put" => put(&mut store, &run, PUTS),
        "put without end" => put(&mut store, &run, usize::MAX),
        "read" => read(&mut store),
        "forget" => assert_eq!(store.forget(None).unwrap(), MANY),
        #[cfg(unix)]
        "put on a full disk" => put_on_a_full_disk(&mut store),
        other => panic!("{other}"),
    }
}

fn put(store: &mut Store, run: &str, count: usize) {
    for number in 0..count {
        store.put(&oracle(), "key", run, &noted(format!("{number} {}", tail(run)))).unwrap();
        eprintln!("kept {number}");
    }
}

/// Limits the size of files to a different length on each attempt, so that writes of this process fail at different places.
#[cfg(unix)] // Windows does not have such limits.
fn put_on_a_full_disk(store: &mut Store) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::Fsize).maximum;
    let limit = |bytes| setrlimit(Resource::Fsize, Rlimit { current: bytes, maximum }).unwrap();
    let size = std::fs::metadata(store.path()).unwrap().len();
    let (mut kept, mut refused) = (0, 0);
    for most in (0..size + 40_000).step_by(500) {
        limit(Some(most));
        match store.put(&oracle(), "key", "run", &noted(format!("{kept} {}", tail("run")))) {
            Ok(()) => kept += 1,
            Err(error) => {
                assert_eq!(error.code(), "store");
                refused += 1;
            }
        }
        limit(None);
        assert_eq!(store.len().unwrap(), kept);
    }
    assert!(kept > 0 && refused > 10, "{kept} kept, {refused} refused");
    let kept_ones = store.get(&oracle(), "key").unwrap();
    let number = |note: &str| note.split_once(' ').unwrap().0.parse::<u64>().unwrap();
    assert!(kept_ones.iter().map(|one| number(one.observation.note.as_ref().unwrap())).eq(0..kept));
    store.put(&oracle(), "key", "run", &noted("more")).unwrap();
}

/// Reads until all outcomes are stored. Outcomes must be complete and must not disappear.
fn read(store: &mut Store) {
    let mut before = Vec::new();
    while before.len() < PROCESSES * PUTS {
        let mut seen = store.get(&oracle(), "key").unwrap();
        let whole = |note: &str, run: &str| note.split_once(' ').unwrap().1 == tail(run);
        assert!(seen.iter().all(|kept| whole(kept.observation.note.as_ref().unwrap(), &kept.run)));
        assert!(seen.len() >= before.len());
        let rest = seen.split_off(before.len());
        assert_eq!(seen, before);
        before.extend(rest);
    }
}

fn start(work: &str, path: &Path, run: usize) -> Child {
    command(work, path, run).spawn().unwrap()
}

fn command(work: &str, path: &Path, run: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["processes::child", "--exact", "--ignored", "--nocapture"]);
    for (name, value) in [("WORK", work), ("PATH", path.to_str().unwrap()), ("RUN", &run.to_string())] {
        command.env(format!("FIRSTBAD_STORE_TEST_{name}"), value);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Starts all processes at once, as soon as all are ready.
fn begin(children: &mut [Child]) -> Vec<BufReader<ChildStderr>> {
    let ready = |child: &mut Child| {
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        said
    };
    let said = children.iter_mut().map(ready).collect();
    children.iter_mut().for_each(|child| drop(child.stdin.take()));
    said
}

/// Waits for the processes and checks that they succeed.
fn finish(mut children: Vec<Child>) {
    let said = begin(&mut children);
    // Reading one process at a time is enough, because no process fills its pipe.
    for (mut child, mut said) in children.into_iter().zip(said) {
        let mut words = String::new();
        said.read_to_string(&mut words).unwrap();
        assert!(child.wait().unwrap().success(), "{words}");
    }
}

/// Returns the numbers in the notes of each run, in the order stored.
fn numbers(entries: Vec<Entry>) -> HashMap<String, Vec<usize>> {
    let mut numbers: HashMap<_, Vec<_>> = HashMap::new();
    for Entry { run, observation, .. } in entries {
        let note = observation.note.unwrap();
        let (number, rest) = note.split_once(' ').unwrap();
        assert_eq!(rest, tail(&run));
        numbers.entry(run).or_default().push(number.parse().unwrap());
    }
    numbers
}

#[test]
fn concurrent_processes_lose_no_outcome() {
    let temp = Temp::new();
    let path = temp.join("outcomes.db");
    let writers = (0..PROCESSES).map(|run| start("put", &path, run));
    let readers = (0..2).map(|run| start("read", &path, run));
    finish(writers.chain(readers).collect());

    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.len().unwrap(), (PROCESSES * PUTS) as u64);
    let numbers = numbers(store.entries(None).unwrap());
    assert_eq!(numbers.len(), PROCESSES);
    assert!(numbers.values().all(|numbers| numbers.iter().copied().eq(0..PUTS)));
}

#[test]
fn concurrent_processes_can_create_the_same_file() {
    for _ in 0..20 {
        let temp = Temp::new();
        let path = temp.join("new/folder/outcomes.db");
        finish((0..PROCESSES).map(|run| start("open", &path, run)).collect());
        assert_eq!(Store::open(&path).unwrap().len().unwrap(), 0);
    }
}

#[test]
fn outcomes_of_a_killed_process_stay() {
    let temp = Temp::new();
    let path = temp.join("outcomes.db");
    let mut acknowledged = HashMap::new();
    for round in 0..5 {
        let runs = [round * 2, round * 2 + 1];
        let mut children = runs.map(|run| start("put without end", &path, run));
        let said = begin(&mut children);
        for ((mut child, said), run) in children.into_iter().zip(said).zip(runs) {
            let mut lines = said.lines().map(Result::unwrap).filter(|line| line.starts_with("kept "));
            let first = lines.by_ref().take(5 + 7 * round).count();
            child.kill().unwrap();
            child.wait().unwrap();
            acknowledged.insert(run.to_string(), first + lines.count());
        }
        let kept = numbers(Store::open(&path).unwrap().entries(None).unwrap());
        for (run, &count) in &acknowledged {
            // A process may be killed after it stores an outcome and before it reports it.
            assert!(kept[run].len() == count || kept[run].len() == count + 1, "{} of {count}", kept[run].len());
            assert!(kept[run].iter().copied().eq(0..kept[run].len()));
        }
    }
}

#[test]
fn an_interrupted_deletion_deletes_nothing() {
    let temp = Temp::new();
    let path = temp.join("outcomes.db");
    drop(Store::open(&path).unwrap());
    let fill = "WITH RECURSIVE number AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM number LIMIT ?1)
        INSERT INTO outcomes SELECT id, 'make test', '1', hex(randomblob(100)), 'run', 0.0, ?2 FROM number";
    rusqlite::Connection::open(&path).unwrap().execute(fill, (MANY as i64, r#"{"outcome":"pass"}"#)).unwrap();
    let modified = || std::fs::metadata(&path).unwrap().modified().unwrap();
    let before = modified();

    let mut child = start("forget", &path, 0);
    begin(std::slice::from_mut(&mut child));
    while modified() == before && child.try_wait().unwrap().is_none() {}
    child.kill().unwrap();
    child.wait().unwrap();
    let left = Store::open(&path).unwrap().len().unwrap();
    assert!(left == MANY || left == 0, "{left}");
}

#[test]
#[cfg(unix)] // Windows does not allow such names.
fn special_names_of_sqlite_are_files() {
    let temp = Temp::new();
    for name in [":memory:", "file:x?mode=memory", "outcomes.db"] {
        finish(vec![command("put once", name.as_ref(), 1).current_dir(temp.join("")).spawn().unwrap()]);
        assert_eq!(Store::open(temp.join(name)).unwrap().len().unwrap(), 1);
    }
}

/// The shell ignores SIGXFSZ, so writes beyond the limit fail with an error.
#[test]
#[cfg(unix)]
fn failing_writes_lose_no_stored_outcome() {
    let temp = Temp::new();
    let child = command("put on a full disk", &temp.join("outcomes.db"), 0);
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"]).arg(child.get_program()).args(child.get_args());
    shell.envs(child.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    finish(vec![shell.spawn().unwrap()]);
}
