//! Worktrees are clean for every run, reused, and removed at the end or after a kill.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;

use crate::common::{Repo, lives, sh, soon};
use firstbad::{Error, Outcome};
use firstbad_oracle::{CommandOptions, CommandOracle};

fn repo() -> (Repo, Vec<String>) {
    let repo = Repo::new();
    let mut shas = Vec::new();
    for number in 0..6 {
        repo.write("number", &format!("{number}\n"));
        repo.write(".gitignore", "*.o\n");
        shas.push(repo.commit(&number.to_string()));
    }
    (repo, shas)
}

fn oracle(repo: &Repo, script: &str) -> CommandOracle {
    CommandOracle::new(&repo.open(), sh(script), repo.options()).unwrap()
}

fn trees(repo: &Repo) -> usize {
    let folders = repo.pools().into_iter().filter(|path| path.is_dir());
    folders.map(|pool| std::fs::read_dir(pool).unwrap().filter(|e| e.as_ref().unwrap().path().is_dir()).count()).sum()
}

#[test]
fn an_immediate_change_of_the_same_size_is_restored() {
    let (repo, shas) = repo();
    let oracle = oracle(&repo, "[ \"$(cat .gitignore)\" = '*.o' ] || exit 3; printf '*.x\n' > .gitignore");
    for sha in shas.iter().chain(&shas) {
        assert_eq!(oracle.run(sha).unwrap().outcome, Outcome::Pass);
    }
}

#[test]
fn parallel_runs_have_separate_worktrees_and_later_runs_reuse_them() {
    let (repo, shas) = repo();
    let oracle = oracle(&repo, "cat number; [ -e seen ] && exit 3; touch seen; sleep 0.1; cat number");
    for _ in 0..2 {
        let barrier = Barrier::new(3);
        std::thread::scope(|scope| {
            for (number, sha) in shas.iter().enumerate().take(3) {
                let (oracle, barrier) = (&oracle, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    let seen = oracle.run(sha).unwrap();
                    assert_eq!(seen.outcome, Outcome::Pass, "{seen:?}");
                    let note = seen.note.unwrap();
                    let log = std::fs::read_to_string(note.split_once("output in ").unwrap().1).unwrap();
                    assert_eq!(log, format!("{number}\n{number}\n"));
                });
            }
        });
    }
    assert_eq!(trees(&repo), 3);
    for sha in &shas {
        assert_eq!(oracle.run(sha).unwrap().outcome, Outcome::Pass);
    }
    assert_eq!(trees(&repo), 3);
    oracle.close().unwrap();
    oracle.close().unwrap();
    assert_eq!((repo.pools().len(), oracle.run(&shas[0])), (0, Err(Error::OracleClosed)));
    assert!(oracle.output_dir().exists());
    oracle.resume();
    assert_eq!(oracle.run(&shas[0]), Err(Error::OracleClosed));
}

#[test]
fn parallel_runs_have_different_job_numbers() {
    let (repo, shas) = repo();
    let folder = tempfile::tempdir().unwrap();
    let (jobs, go_on) = (folder.path().join("jobs"), folder.path().join("go on"));
    let script =
        format!("echo $FIRSTBAD_JOB >> '{}'; until [ -e '{}' ]; do sleep 0.01; done", jobs.display(), go_on.display());
    let oracle = oracle(&repo, &script);
    for count in [3, 1] {
        std::thread::scope(|scope| {
            for sha in &shas[..count] {
                scope.spawn(|| assert_eq!(oracle.run(sha).unwrap().outcome, Outcome::Pass));
            }
            let all = || std::fs::read_to_string(&jobs).unwrap_or_default();
            soon(|| all().lines().count() == count);
            let mut numbers: Vec<String> = all().lines().map(str::to_owned).collect();
            // Other tests in this process may also use numbers.
            assert!(numbers.iter().all(|number| number.parse::<usize>().is_ok()), "{numbers:?}");
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), count);
            std::fs::remove_file(&jobs).unwrap();
            std::fs::write(&go_on, "").unwrap();
        });
        std::fs::remove_file(&go_on).unwrap();
    }
}

/// The next run takes the prepared worktree for any revision, and waits for a preparation in progress.
#[test]
fn a_worktree_is_prepared_ahead_of_time() {
    let (repo, shas) = repo();
    let oracle = oracle(&repo, "echo \"$FIRSTBAD_NEW_WORKTREE\"; cat number; echo more >> number; touch left.o");
    let log = |sha: &str| std::fs::read_to_string(oracle.run(sha).unwrap().output.unwrap()).unwrap();
    let ready = |sha: &str| oracle.check_out(sha);
    ready(&shas[3]).unwrap();
    assert_eq!(trees(&repo), 1);
    // No command has run.
    assert_eq!(std::fs::read_dir(oracle.output_dir()).unwrap().count(), 0);
    assert_eq!(log(&shas[3]), "1\n3\n");
    assert_eq!(log(&shas[3]), "0\n3\n");
    // The files of the run are removed, no further worktree is created, and the prepared one stays ready.
    ready(&shas[5]).unwrap();
    ready(&shas[5]).unwrap();
    assert_eq!((log(&shas[5]), trees(&repo)), ("0\n5\n".to_owned(), 1));
    let barrier = Barrier::new(2);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            barrier.wait();
            ready(&shas[1]).unwrap();
        });
        barrier.wait();
        assert!(log(&shas[1]).ends_with("\n1\n"));
    });
    assert!(matches!(ready("nothing"), Err(Error::UnknownRevision { .. })));
    assert!(matches!(ready(&"0".repeat(40)), Err(Error::Git { .. })));
    assert_eq!(oracle.check_out_until(&shas[2], &mut || false), Err(Error::Interrupted));
    // A worktree whose preparation failed is not used.
    assert!(log(&shas[4]).ends_with("\n4\n"));
    oracle.close().unwrap();
    assert_eq!((repo.pools().len(), ready(&shas[0])), (0, Err(Error::OracleClosed)));
}

/// While a test runs in one worktree, another one is prepared, and the next run uses it. A run of a third revision takes the
/// worktree that needs no cleaning.
#[test]
fn a_worktree_prepared_during_a_test_is_used_next() {
    let (repo, shas) = repo();
    let script = "cat number; pwd; touch left; [ -p ../gate ] && read go < ../gate; true";
    let oracle = oracle(&repo, script);
    let place = |sha: &str| {
        let text = std::fs::read_to_string(oracle.run(sha).unwrap().output.unwrap()).unwrap();
        text.split_once('\n').unwrap().1.to_owned()
    };
    let first = place(&shas[0]);
    let gate = Path::new(first.trim()).parent().unwrap().join("gate");
    assert!(Command::new("mkfifo").arg(&gate).status().unwrap().success());
    std::thread::scope(|scope| {
        let running = scope.spawn(|| place(&shas[1]));
        // The command continues when a reader opens the pipe.
        let mut open = std::fs::OpenOptions::new().write(true).open(&gate).unwrap();
        oracle.check_out(&shas[4]).unwrap();
        std::io::Write::write_all(&mut open, b"go\n").unwrap();
        std::fs::remove_file(&gate).unwrap();
        assert_eq!(running.join().unwrap(), first);
    });
    assert_eq!(trees(&repo), 2);
    let spare = place(&shas[4]);
    assert_ne!(spare, first);
    oracle.check_out(&shas[2]).unwrap();
    // The most recently used worktree, after cleaning.
    assert_eq!((place(&shas[3]), trees(&repo)), (spare, 2));
}

/// A build in another worktree would start from the beginning.
#[test]
fn warm_builds_prepare_no_further_worktrees() {
    let (repo, shas) = repo();
    let options = CommandOptions { keep_build: true, ..repo.options() };
    let oracle = CommandOracle::new(&repo.open(), sh("ls"), options).unwrap();
    oracle.check_out(&shas[0]).unwrap();
    oracle.check_out(&shas[1]).unwrap();
    let text = std::fs::read_to_string(oracle.run(&shas[0]).unwrap().output.unwrap()).unwrap();
    assert_eq!((text.as_str(), trees(&repo)), ("number\n", 1));
}

/// A warm build uses the worktree with the fewest changed files. Without warm builds, the most recently used one is as good.
#[test]
fn a_warm_build_uses_the_worktree_with_the_fewest_changes() {
    let repo = Repo::new();
    let shas: Vec<String> = (0..9)
        .map(|number| {
            repo.write(&format!("file-{number}"), "x\n");
            repo.commit(&number.to_string())
        })
        .collect();
    for (keep_build, expected) in [(true, 0), (false, 1)] {
        let options = CommandOptions { keep_build, ..repo.options() };
        let oracle = CommandOracle::new(&repo.open(), sh("pwd; sleep 0.05"), options).unwrap();
        let place = |sha: &str| {
            let note = oracle.run(sha).unwrap().note.unwrap();
            std::fs::read_to_string(note.split_once("output in ").unwrap().1).unwrap()
        };
        let barrier = Barrier::new(2);
        std::thread::scope(|scope| {
            for sha in [&shas[0], &shas[8]] {
                let (place, barrier) = (&place, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    place(sha)
                });
            }
        });
        // Each revision is still in its worktree.
        let places = [place(&shas[0]), place(&shas[8])];
        assert_ne!(places[0], places[1]);
        assert_eq!(place(&shas[2]), places[expected], "{keep_build:?}");
        // An unknown revision is an error and does not prevent further runs.
        assert!(oracle.run(&"0".repeat(40)).is_err());
        oracle.run(&shas[3]).unwrap();
    }
}

/// Every run starts with exactly the files of its revision, whatever an earlier run did.
#[test]
fn every_run_starts_from_a_clean_tree() {
    let (repo, shas) = repo();
    repo.write("dir/file", "x\n");
    repo.write("link-target", "x\n");
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", shas[0])]);
    repo.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ./nowhere\n");
    repo.git(&["add", "dir", "link-target", ".gitmodules"]);
    repo.git(&["commit", "-q", "-m", "more"]);
    let last = repo.sha("HEAD");
    let check = "git status --porcelain --ignored; find . -path ./.git -prune -o -print | sort; cat number; git config core.hooksPath";
    let reference = {
        let oracle = oracle(&repo, check);
        let log = |sha: &str| {
            oracle.run(sha).unwrap();
            std::fs::read_to_string(oracle.output_dir().join(format!("{sha}.log"))).unwrap()
        };
        [log(&shas[2]), log(&last)]
    };
    for damage in [
        "echo y > number; echo y > new; echo y > new.o; rm -f link-target",
        "git init -q nested; git init -q nested/deeper; touch nested/x nested/deeper/x",
        "rm number; mkdir number; git init -q number; touch number/x",
        "mkdir ro; touch ro/x; chmod 500 ro",
        "rm -rf .git",
        "rm -rf .git; git init -q other; ln -s other/.git .git",
        "touch .git/index.lock .git/HEAD.lock",
        "echo garbage > .git/index",
        "echo garbage > .git/config",
        "rm -rf * .git",
        "git config user.name x; git config user.email x; git checkout -q -b own; git commit -q --allow-empty -m own; git tag own",
        "echo '*' > .git/info/exclude; mkdir -p .git/info; echo number filter=x > .git/info/attributes; touch hidden",
        "mkdir -p sub; touch sub/left; git init -q sub/inner",
        "ln -sf number link-target; rm -rf dir; ln -s / dir",
    ] {
        let mut options = repo.options();
        options.output_dir = Some(repo.temp.join("once-more"));
        options.env.push(("DAMAGE".to_owned(), damage.to_owned()));
        let oracle =
            CommandOracle::new(&repo.open(), sh(&format!("({check}); eval \"$DAMAGE\"; exit 0")), options).unwrap();
        for (number, sha) in [&last, &shas[2], &shas[2], &last, &last].into_iter().enumerate() {
            let seen = oracle.run(sha).unwrap();
            let log = seen.note.unwrap().split_once("output in ").unwrap().1.to_owned();
            let expected = &reference[usize::from(sha == &last)];
            let text = std::fs::read_to_string(log).unwrap();
            assert!(text.starts_with(expected.as_str()), "run {number} after {damage}\n{text}\nand not\n{expected}");
        }
        assert_eq!(trees(&repo), 1);
    }
}

/// A home folder can be a repository, and Git searches parent folders if `.git` is missing.
#[test]
fn a_worktree_without_its_repository_is_not_part_of_another() {
    let (repo, shas) = repo();
    crate::common::git(repo.temp.path(), &["init", "-q", "-b", "home"], "");
    crate::common::git(repo.temp.path(), &["fetch", "-q", "./repo", "main:home2"], "");
    crate::common::git(repo.temp.path(), &["checkout", "-q", "home2"], "");
    std::fs::write(repo.temp.join("number"), "precious\n").unwrap();
    std::fs::write(repo.temp.join("untracked"), "precious\n").unwrap();
    let home = || {
        (crate::common::snapshot(&repo.temp.join(".git")), std::fs::read_to_string(repo.temp.join("number")).unwrap())
    };
    let before = home();
    let users = crate::common::snapshot(&repo.path);
    let git_dir = repo.path.join(".git");
    for lead_away in [
        "true".to_owned(),
        format!("ln -s {} .git", git_dir.display()),
        format!("echo gitdir: {} > .git", git_dir.display()),
    ] {
        let oracle = oracle(&repo, &format!("cat number; rm -rf .git; {lead_away}"));
        for sha in [&shas[0], &shas[3], &shas[0]] {
            assert_eq!(oracle.run(sha).unwrap().outcome, Outcome::Pass);
        }
    }
    assert!(crate::common::snapshot(&repo.path) == users);
    assert!(home() == before && repo.temp.join("untracked").exists());
}

#[test]
fn the_pool_of_a_dead_process_is_removed_at_the_next_start() {
    let (repo, shas) = repo();
    let alive = oracle(&repo, "exit 0");
    alive.run(&shas[0]).unwrap();
    let mut victim = Victim::start(&repo);
    assert_eq!(repo.pools().iter().filter(|path| path.is_dir()).count(), 2);
    // Kills the watcher first, so nothing ends the commands.
    crate::common::kill(victim.watcher(), "KILL");
    victim.end("KILL");
    let pids = victim.pids();
    assert!(pids.split_whitespace().all(lives));
    // Its pool is removed and its command is ended. The pool of the running process stays.
    let next = oracle(&repo, "exit 0");
    soon(|| !pids.split_whitespace().any(lives));
    let pools: Vec<_> = repo.pools().into_iter().filter(|path| path.is_dir()).collect();
    assert_eq!(pools.len(), 2, "{pools:?}");
    assert!(pools.iter().all(|pool| !pool.display().to_string().contains(&format!("/{}-", victim.child.id()))));
    assert_eq!(alive.run(&shas[1]).unwrap().outcome, Outcome::Pass);
    drop((alive, next));
    assert_eq!(repo.pools().len(), 0);
}

#[test]
fn commands_end_with_their_process() {
    for signal in ["TERM", "HUP", "KILL"] {
        let (repo, _) = repo();
        let mut victim = Victim::start(&repo);
        let (pids, watcher) = (victim.pids(), victim.watcher().to_string());
        assert!(pids.split_whitespace().all(lives));
        victim.end(signal);
        soon(|| !pids.split_whitespace().any(lives));
        soon(|| !lives(&watcher));
    }
}

#[test]
fn a_removed_worktree_neither_loses_nor_causes_an_outcome() {
    let (repo, shas) = repo();
    let oracle = oracle(&repo, "exit 3");
    let remove = || std::fs::remove_dir_all(repo.temp.join("trees")).unwrap();
    for sha in &shas[..3] {
        assert_eq!(oracle.run(sha).unwrap().outcome, Outcome::Fail);
        remove();
    }
    oracle.close().unwrap();
    // The worktree disappears while the command runs, so its exit code says nothing about the revision.
    let oracle = self::oracle(&repo, "rm -rf $FIRSTBAD_WORKTREE; exit 3");
    let error = oracle.run(&shas[0]).unwrap_err();
    assert!(error.code() == "io" && error.to_string().contains("it was removed"), "{error}");
    assert_eq!(oracle.run(&shas[0]).unwrap_err().code(), "io");
    oracle.close().unwrap();
    assert_eq!(repo.pools().len(), 0);
}

#[test]
fn runs_continue_after_the_repository_is_repacked() {
    let (repo, shas) = repo();
    let oracle = oracle(&repo, "[ $(cat number) -lt 3 ]");
    for (number, sha) in shas.iter().enumerate() {
        let expected = if number < 3 { Outcome::Pass } else { Outcome::Fail };
        assert_eq!(oracle.run(sha).unwrap().outcome, expected);
        match number % 3 {
            0 => repo.git(&["gc", "-q", "--prune=now"]),
            1 => repo.git(&["repack", "-q", "-a", "-d", "-f"]),
            _ => repo.git(&["pack-refs", "--all"]),
        };
    }
}

/// Another process during a run, with its command, a child of the command, and a child in a new session.
struct Victim {
    child: Child,
    pids: PathBuf,
}

impl Victim {
    fn start(repo: &Repo) -> Victim {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "pool::child_that_is_killed", "--ignored", "--nocapture"])
            .env("TEST_REPO", &repo.path)
            .env("TEST_TEMP", repo.temp.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let victim = Victim { child, pids: repo.temp.join("pid") };
        soon(|| victim.pids().ends_with('\n'));
        victim
    }

    fn pids(&self) -> String {
        std::fs::read_to_string(&self.pids).unwrap_or_default()
    }

    fn watcher(&self) -> u32 {
        let mut found = 0;
        soon(|| {
            let processes = std::fs::read_dir("/proc").unwrap().flatten();
            let mut pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
            let is_ours = |pid: &u32| {
                let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
                String::from_utf8_lossy(&words).contains("firstbad-watcher")
                    && stat.contains(&format!(") S {} ", self.child.id()))
            };
            found = pids.find(is_ours).unwrap_or(0);
            found > 0
        });
        found
    }

    fn end(&mut self, signal: &str) {
        crate::common::kill(self.child.id(), signal);
        self.child.wait().unwrap();
    }
}

#[test]
#[ignore = "run by the tests above"]
fn child_that_is_killed() {
    let path = |name: &str| std::env::var_os(name).map(std::path::PathBuf::from);
    let (Some(repo), Some(temp)) = (path("TEST_REPO"), path("TEST_TEMP")) else { return };
    // Under nohup, every child process inherits that SIGHUP is ignored.
    let always = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    signal_hook::flag::register_conditional_default(signal_hook::consts::SIGHUP, always).unwrap();
    let options = CommandOptions {
        worktrees: Some(temp.join("trees")),
        output_dir: Some(temp.join("child")),
        ..CommandOptions::default()
    };
    let script = format!(
        "sleep 300 & one=$!; env -i sleep 300 & two=$!; setsid sleep 300 & echo $one $two $! $$ > {}; wait",
        temp.join("pid").display()
    );
    let oracle = CommandOracle::new(&firstbad_git::Repository::open(repo).unwrap(), sh(&script), options).unwrap();
    let _ = oracle.run("HEAD");
}

#[test]
fn a_process_group_with_a_reused_number_is_not_killed() {
    let (repo, _) = repo();
    let oracle_before = oracle(&repo, "exit 0");
    let above = repo.pools()[0].parent().unwrap().to_owned();
    let mut bystander = {
        use std::os::unix::process::CommandExt as _;
        // Without inherited output, a failing test does not wait for this process.
        let mut sleep = Command::new("sleep");
        sleep.arg("300").process_group(0).current_dir("/").stdout(Stdio::null()).stderr(Stdio::null());
        sleep.spawn().unwrap()
    };
    let fake = above.join("4000000-7");
    std::fs::create_dir(&fake).unwrap();
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    std::fs::write(fake.join("tree-1.run"), format!("{} 1 {boot}", bystander.id())).unwrap();
    let _next = oracle(&repo, "exit 0");
    assert!(!fake.exists());
    assert!(lives(&bystander.id().to_string()));
    bystander.kill().unwrap();
    bystander.wait().unwrap();
    drop(oracle_before);
}

#[test]
fn worktrees_inside_the_checkout_are_rejected() {
    let (repo, _) = repo();
    for inside in [repo.path.join("trees"), repo.path.join(".git/trees"), repo.path.clone()] {
        let options = CommandOptions { worktrees: Some(inside), ..repo.options() };
        let error = CommandOracle::new(&repo.open(), sh("exit 0"), options).unwrap_err();
        assert!(error.code() == "invalid_argument" && error.to_string().contains("worktrees"), "{error}");
    }
    assert!(!Path::new(&repo.path.join("trees")).exists());
}
