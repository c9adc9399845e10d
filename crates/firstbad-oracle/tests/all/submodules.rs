//! Submodules are filled from the user's repositories or from their URLs.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::path::{Path, PathBuf};

use crate::commands::output;
use crate::common::{Repo, git, sh, snapshot};
use firstbad::{Error, Outcome};
use firstbad_oracle::{CommandOptions, CommandOracle};

const FILE: &str = "protocol.file.allow=always";

/// Creates a repository with three commits: without the submodule `libs/sub`, with version 1 of `inner`, and with version 2. The
/// submodule contains the submodule `deep`. Their sources are `inner` and `innermost`.
fn repo() -> (Repo, Vec<String>) {
    let repo = Repo::new();
    let at = |name: &str| repo.temp.join(name);
    let commit = |path: &Path, name: &str, text: &str| {
        std::fs::write(path.join(name), text).unwrap();
        git(path, &["add", "-A"], "");
        git(path, &["commit", "-q", "-m", text], "");
    };
    for name in ["innermost", "inner"] {
        git(repo.temp.path(), &["init", "-q", "-b", "main", name], "");
    }
    commit(&at("innermost"), "d", "deep");
    std::fs::write(at("inner").join(".gitignore"), "*.o\n").unwrap();
    git(&at("inner"), &["-c", FILE, "submodule", "--quiet", "add", "--name", "below", "../innermost", "deep"], "");
    commit(&at("inner"), "s", "1");
    git(&at("inner"), &["tag", "inner-1"], "");
    repo.write("f", "0\n");
    let mut shas = vec![repo.commit("without")];
    repo.git(&["-c", FILE, "submodule", "--quiet", "add", "--name", "own", at("inner").to_str().unwrap(), "libs/sub"]);
    shas.push(repo.commit("with"));
    commit(&at("inner"), "s", "2");
    repo.git(&["-C", "libs/sub", "-c", FILE, "pull", "-q", "origin", "main"]);
    repo.git(&["-C", "libs/sub", "-c", FILE, "submodule", "--quiet", "update", "--init"]);
    shas.push(repo.commit("newer"));
    (repo, shas)
}

fn oracle(repo: &Repo, script: &str, change: impl FnOnce(&mut CommandOptions)) -> CommandOracle {
    let mut options = CommandOptions { submodules: true, ..repo.options() };
    change(&mut options);
    CommandOracle::new(&repo.open(), sh(script), options).unwrap()
}

const LOOK: &str = "cd libs/sub && cat s deep/d; git describe --tags; git status --porcelain --ignored; cd ../..; \
                    git status --porcelain --ignored; exit 0";
const FILLED: [&str; 2] = ["1deepinner-1\n", "2deepinner-1-1-g"];

#[test]
fn submodules_are_empty_by_default() {
    let (repo, shas) = repo();
    let oracle = oracle(&repo, "LC_ALL=C ls -A libs/sub", |options| options.submodules = false);
    assert_eq!(output(&oracle.run(&shas[2]).unwrap()), "");
}

#[test]
fn submodules_are_filled_from_the_users_repositories() {
    let (repo, shas) = repo();
    // The sources are gone, so nothing can be fetched.
    for name in ["inner", "innermost"] {
        std::fs::rename(repo.temp.join(name), repo.temp.join(&format!("{name}-moved"))).unwrap();
    }
    let before = snapshot(&repo.path);
    for build in [false, true] {
        let mess = "; touch libs/sub/new libs/sub/s libs/sub/deep/new; echo x > libs/sub/s";
        let oracle = oracle(&repo, &format!("({LOOK}){mess}"), |options| options.keep_build = build);
        for number in [1, 2, 2, 1, 0, 2] {
            let seen = oracle.run(&shas[number]).unwrap();
            assert_eq!(seen.outcome, if number == 0 { Outcome::Fail } else { Outcome::Pass }, "{seen:?}");
            let text = output(&seen);
            if number > 0 {
                assert!(text.starts_with(FILLED[number - 1]) && text.lines().count() == 1, "{text}");
            }
        }
    }
    let untouched = snapshot(&repo.path) == before;
    assert!(untouched, "the repository has changed");
}

#[test]
fn warm_builds_keep_ignored_files_in_submodules() {
    let (repo, shas) = repo();
    for (build, expected) in [(false, ".git .gitignore .gitmodules deep s "), (true, "a.o ")] {
        let script = "LC_ALL=C ls -A libs/sub | tr '\\n' ' '; touch libs/sub/a.o libs/sub/new";
        let oracle = oracle(&repo, script, |options| options.keep_build = build);
        oracle.run(&shas[1]).unwrap();
        let text = output(&oracle.run(&shas[2]).unwrap());
        assert!(text.contains(expected) && !text.contains("new"), "{text}");
        assert_eq!(text.contains("a.o"), build, "{text}");
    }
}

/// Each run finds its submodules intact, whatever an earlier test did to them.
#[test]
fn damaged_submodules_are_repaired() {
    let (repo, shas) = repo();
    for damage in [
        "rm -rf libs/sub",
        "rm -rf libs/sub/.git libs/sub/deep",
        "rm -rf libs; ln -s / libs",
        "rm -rf libs/sub; ln -s ../.git libs/sub",
        "echo garbage > libs/sub/.git/config; echo garbage > libs/sub/deep/.git/index",
        "git -C libs/sub checkout -q inner-1; git -C libs/sub config core.bare true",
    ] {
        let oracle = oracle(&repo, &format!("({LOOK}); {damage}; exit 0"), |_| {});
        for number in [2, 2, 1, 2] {
            let text = output(&oracle.run(&shas[number]).unwrap());
            assert!(text.starts_with(FILLED[number - 1]) && text.lines().count() == 1, "{damage}: {text}");
        }
    }
}

/// A link in place of a parent folder of a submodule is not followed.
#[test]
fn submodules_do_not_touch_files_outside_the_worktree() {
    let (repo, shas) = repo();
    let outside = repo.temp.join("outside");
    std::fs::create_dir_all(outside.join("sub")).unwrap();
    std::fs::write(outside.join("sub/precious"), "x").unwrap();
    for submodules in [false, true] {
        let script = format!("test -L libs && exit 3; rm -rf libs; ln -s {} libs; exit 0", outside.display());
        let oracle = oracle(&repo, &script, |options| options.submodules = submodules);
        for number in [1, 1, 2] {
            assert_eq!(oracle.run(&shas[number]).unwrap().outcome, Outcome::Pass);
            assert!(outside.join("sub/precious").exists());
        }
    }
    assert_eq!(std::fs::read_dir(outside.join("sub")).unwrap().count(), 1);
}

#[test]
fn a_submodule_can_become_a_folder_and_back() {
    let (repo, shas) = repo();
    repo.git(&["rm", "-q", "-f", "libs/sub"]);
    repo.write("libs/sub/plain", "x\n");
    let plain = repo.commit("a folder");
    let oracle = oracle(&repo, "LC_ALL=C ls -A libs/sub | tr '\\n' ' '", |_| {});
    for (sha, expected) in [
        (&shas[2], ".git .gitignore .gitmodules deep s "),
        (&plain, "plain "),
        (&shas[2], ".git .gitignore .gitmodules deep s "),
    ] {
        assert_eq!(output(&oracle.run(sha).unwrap()), expected);
    }
}

/// The user has the submodule without the needed commit.
#[test]
fn missing_commits_of_the_users_submodule_are_fetched() {
    let (repo, shas) = repo();
    repo.git(&["config", "protocol.file.allow", "always"]);
    let inner = repo.temp.join("inner");
    std::fs::write(inner.join("s"), "3").unwrap();
    git(&inner, &["commit", "-q", "-a", "-m", "3"], "");
    let newest = git(&inner, &["rev-parse", "HEAD"], "");
    repo.git(&["update-index", "--cacheinfo", &format!("160000,{newest},libs/sub")]);
    repo.git(&["commit", "-q", "-m", "newest"]);
    let oracle = oracle(&repo, "cat libs/sub/s", |_| {});
    assert_eq!(output(&oracle.run("HEAD").unwrap()), "3");
    assert_eq!(output(&oracle.run(&shas[1]).unwrap()), "1");
}

#[test]
fn missing_submodules_are_fetched_once() {
    let (repo, shas) = repo();
    let clone = repo.temp.join("clone");
    git(repo.temp.path(), &["clone", "-q", "repo", "clone"], "");
    // A revision could name any local folder. Git also requires a setting to allow this.
    let options = CommandOptions { submodules: true, ..repo.options() };
    let oracle = CommandOracle::new(&firstbad_git::Repository::open(&clone).unwrap(), sh("true"), options).unwrap();
    let seen = oracle.run(&shas[1]).unwrap();
    assert_eq!(seen.outcome, Outcome::Unresolved);
    assert!(seen.note.unwrap().contains("transport 'file' not allowed"));
    oracle.close().unwrap();
    git(&clone, &["config", "protocol.file.allow", "always"], "");
    let before = snapshot(&clone);
    let options = CommandOptions { submodules: true, ..repo.options() };
    let oracle = CommandOracle::new(&firstbad_git::Repository::open(&clone).unwrap(), sh(LOOK), options).unwrap();
    for number in [1, 2] {
        let seen = oracle.run(&shas[number]).unwrap();
        assert!(output(&seen).starts_with(FILLED[number - 1]), "{}", output(&seen));
        // From now on, only the fetched commits are available.
        for name in ["inner", "innermost"] {
            let _ = std::fs::rename(repo.temp.join(name), repo.temp.join(&format!("{name}-moved")));
        }
    }
    assert!(snapshot(&clone) == before);
    oracle.close().unwrap();
    assert_eq!(repo.pools(), [""; 0].map(PathBuf::from));
}

#[test]
fn a_submodule_that_cannot_be_filled_is_unresolved() {
    let (repo, shas) = repo();
    git(repo.temp.path(), &["clone", "-q", "repo", "clone"], "");
    for name in ["inner", "innermost"] {
        std::fs::rename(repo.temp.join(name), repo.temp.join(&format!("{name}-moved"))).unwrap();
    }
    let mark = repo.temp.join("mark");
    let note = |revision: &str| {
        let options = CommandOptions { submodules: true, ..repo.options() };
        let clone = firstbad_git::Repository::open(repo.temp.join("clone")).unwrap();
        let seen = CommandOracle::new(&clone, sh("exit 1"), options).unwrap().run(revision).unwrap();
        assert_eq!((seen.outcome, seen.seconds), (Outcome::Unresolved, None), "{seen:?}");
        assert!(output(&seen).starts_with("cannot fill the submodule "));
        seen.note.unwrap()
    };
    let missing = note(&shas[1]);
    assert!(missing.starts_with("cannot fill the submodule libs/sub: fatal: "), "{missing}");
    assert!(missing.contains("inner") && missing.contains("; output in "), "{missing}");
    let clone = repo.temp.join("clone");
    let declare = |text: &str| {
        std::fs::write(clone.join(".gitmodules"), text).unwrap();
        git(&clone, &["add", ".gitmodules"], "");
        git(&clone, &["commit", "-q", "--allow-empty", "-m", "declared"], "");
        git(&clone, &["rev-parse", "HEAD"], "")
    };
    for (text, words) in [
        (String::new(), "the revision's .gitmodules does not list it"),
        ("[submodule \"x\"]\n\tpath = libs/sub\n".to_owned(), "the revision's .gitmodules has no URL for it"),
        ("[submodule \"../../x\"]\n\tpath = libs/sub\n\turl = /x\n".to_owned(), "it has the name \"../../x\""),
        ("[submodule \"x\"]\n\tpath = libs/sub\n\turl = -u/x\n".to_owned(), "looks like an option"),
        (format!("[submodule \"x\"]\n\tpath = libs/sub\n\turl = \"ext::touch {}\"\n", mark.display()), "not allowed"),
        (format!("[submodule \"x\"]\n\tpath = libs/sub\n\turl = {}\n", repo.path.display()), "git fetch"),
    ] {
        let note = note(&declare(&text));
        assert!(note.starts_with("cannot fill the submodule libs/sub: ") && note.contains(words), "{note}");
    }
    assert!(!mark.exists());
    // A revision that disables its submodule can be tested.
    let none = declare("[submodule \"x\"]\n\tpath = libs/sub\n\turl = /x\n\tupdate = none\n");
    let options = CommandOptions { submodules: true, ..repo.options() };
    let oracle = CommandOracle::new(&firstbad_git::Repository::open(&clone).unwrap(), sh("exit 0"), options).unwrap();
    assert_eq!(oracle.run(&none).unwrap().outcome, Outcome::Pass);
    assert_eq!(oracle.run_until(&none, &mut || false), Err(Error::Interrupted));
}

#[test]
fn submodules_run_no_command_of_the_user() {
    use std::os::unix::fs::PermissionsExt as _;
    let (repo, _) = repo();
    let modules = repo.path.join(".git/modules/own");
    let mark = repo.temp.join("marks");
    std::fs::create_dir(&mark).unwrap();
    repo.write("libs/sub/.gitattributes", "s filter=mark\n");
    git(&repo.path.join("libs/sub"), &["add", "-A"], "");
    git(&repo.path.join("libs/sub"), &["commit", "-q", "-m", "attributes"], "");
    let sha = repo.commit("attributes");
    for hook in ["post-checkout", "reference-transaction", "post-index-change"] {
        for folder in [&modules, &repo.path.join(".git")] {
            let path = folder.join("hooks").join(hook);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, format!("#!/bin/sh\ntouch {}/{hook}\n", mark.display())).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    for key in ["filter.mark.smudge", "filter.mark.process", "core.fsmonitor", "core.sshCommand"] {
        for folder in [&modules, &repo.path.join(".git")] {
            git(
                repo.temp.path(),
                &[
                    "--git-dir",
                    folder.to_str().unwrap(),
                    "config",
                    key,
                    &format!("touch {}/{key}; cat", mark.display()),
                ],
                "",
            );
        }
    }
    for entry in std::fs::read_dir(&mark).unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let before = snapshot(&repo.path);
    let oracle = oracle(&repo, "cat libs/sub/s libs/sub/deep/d", |_| {});
    for _ in 0..2 {
        assert_eq!(output(&oracle.run(&sha).unwrap()), "2deep");
    }
    assert_eq!(std::fs::read_dir(&mark).unwrap().count(), 0);
    assert!(snapshot(&repo.path) == before);
}

#[test]
fn a_patch_can_move_a_submodule() {
    let (repo, shas) = repo();
    let patch = repo.open().diff(&shas[2], &shas[1]).unwrap();
    let oracle = oracle(&repo, "cat libs/sub/s", |_| {});
    assert_eq!(output(&oracle.run_patched(&shas[2], &patch).unwrap()), "1");
    assert_eq!(output(&oracle.run(&shas[2]).unwrap()), "2");
}

#[test]
fn a_link_above_a_submodule_is_not_followed() {
    let (repo, shas) = repo();
    let mine = repo.temp.join("mine");
    std::fs::create_dir_all(mine.join("sub/.git")).unwrap();
    std::fs::write(mine.join("sub/file"), "mine\n").unwrap();
    std::fs::write(mine.join("sub/.git/config"), "mine\n").unwrap();
    let before = snapshot(&mine);
    for filled in [true, false] {
        let script = format!("test ! -L libs && rm -rf libs && ln -s {} libs", mine.display());
        let oracle = oracle(&repo, &script, |options| options.submodules = filled);
        for number in [1, 1, 2, 1] {
            assert_eq!(oracle.run(&shas[number]).unwrap().outcome, Outcome::Pass);
        }
        oracle.close().unwrap();
        assert_eq!(snapshot(&mine), before);
    }
}

#[test]
fn a_network_failure_is_retried() {
    let (repo, shas) = repo();
    std::fs::remove_dir_all(repo.path.join(".git/modules")).unwrap();
    // Port 1 is closed, so the fetch fails.
    repo.git(&["config", "submodule.own.url", "http://127.0.0.1:1/inner.git"]);
    let error = oracle(&repo, LOOK, |_| {}).run(&shas[1]).unwrap_err();
    assert!(matches!(&error, Error::Retry { revision, .. } if *revision == shas[1]), "{error:?}");
    // A local folder that does not exist is not a network failure.
    repo.git(&["config", "submodule.own.url", repo.temp.join("nothing").to_str().unwrap()]);
    assert_eq!(oracle(&repo, LOOK, |_| {}).run(&shas[1]).unwrap().outcome, Outcome::Unresolved);
}
