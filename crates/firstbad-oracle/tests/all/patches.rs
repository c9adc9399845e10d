//! Patches from a repository, and runs with a patch applied.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use crate::common::{Repo, git, lives, sh, soon};
use firstbad::{Error, Observation, Outcome, Patch, Stage, Target};
use firstbad_git::{Repository, known_parts};
use firstbad_oracle::{CommandOptions, CommandOracle};

/// Creates a repository with all kinds of changes: texts, a changed rename, a copy of an empty file, binary files, modes, links,
/// a file that becomes a folder and the reverse, a submodule, unusual names, missing final newlines, and CRLF.
fn repo() -> Repo {
    let repo = Repo::new();
    let lines = |from: u32| (from..from + 40).map(|number| format!("{number}\n")).collect::<String>();
    repo.write("text", &lines(0));
    repo.write("moved", &lines(100));
    repo.write("gone", "gone\n");
    repo.write("mode", "mode\n");
    repo.write("dos", "one\r\ntwo\r\n");
    repo.write("open", "no end");
    repo.write("file-then-folder", "x\n");
    repo.write("folder-then-file/inside", "x\n");
    std::fs::write(repo.path.join("data"), [0, 1, 2, 255]).unwrap();
    std::os::unix::fs::symlink("text", repo.path.join("link")).unwrap();
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", "1".repeat(40))]);
    repo.git(&["add", "-A", "--", ":!sub"]);
    repo.git(&["commit", "-q", "-m", "root"]);

    repo.write("text", &lines(0).replace("\n3\n", "\nthree\n").replace("\n33\n", "\n33\n33.5\n"));
    std::fs::remove_file(repo.path.join("moved")).unwrap();
    repo.write("to/ärger \"here\"", &lines(100).replace("\n120\n", "\n"));
    std::fs::remove_file(repo.path.join("gone")).unwrap();
    std::fs::set_permissions(repo.path.join("mode"), std::fs::Permissions::from_mode(0o755)).unwrap();
    repo.write("dos", "one\r\nzwei\r\n");
    repo.write("open", "still no end");
    std::fs::remove_file(repo.path.join("file-then-folder")).unwrap();
    repo.write("file-then-folder/inside", "y\n");
    std::fs::remove_dir_all(repo.path.join("folder-then-file")).unwrap();
    repo.write("folder-then-file", "y\n");
    std::fs::write(repo.path.join("data"), [0, 1, 3, 255, 0]).unwrap();
    std::fs::remove_file(repo.path.join("link")).unwrap();
    std::os::unix::fs::symlink("dos", repo.path.join("link")).unwrap();
    repo.write("new.o", "new\n");
    repo.write(".gitignore", "*.o\n");
    repo.git(&["update-index", "--cacheinfo", &format!("160000,{},sub", "2".repeat(40))]);
    repo.git(&["add", "-A", "-f", "--", ":!sub"]);
    repo.git(&["commit", "-q", "-m", "all"]);
    repo
}

fn oracle(repo: &Repo, script: &str) -> CommandOracle {
    CommandOracle::new(&repo.open(), sh(script), repo.options()).unwrap()
}

fn output(seen: Observation) -> String {
    std::fs::read_to_string(seen.note.unwrap().split_once("output in ").unwrap().1).unwrap()
}

/// Returns the tree that results from applying a patch to `revision`.
fn applied(repo: &Repo, revision: &str, patch: &[u8]) -> String {
    let file = repo.temp.join("applied.patch");
    std::fs::write(&file, patch).unwrap();
    let folder = repo.temp.join("applied");
    let _ = std::fs::remove_dir_all(&folder);
    git(repo.temp.path(), &["clone", "-q", "--no-checkout", "repo", "applied"], "");
    git(&folder, &["read-tree", revision], "");
    git(&folder, &["apply", "--cached", "--allow-empty", "--whitespace=nowarn", file.to_str().unwrap()], "");
    git(&folder, &["write-tree"], "")
}

#[test]
fn a_diff_contains_every_change_of_a_commit() {
    let repo = repo();
    let repository = repo.open();
    for (old, new) in [("HEAD~1", "HEAD"), ("HEAD", "HEAD~1"), ("HEAD", "HEAD")] {
        let patch = repository.diff(old, new).unwrap();
        assert_eq!(applied(&repo, old, &patch), repo.git(&["rev-parse", &format!("{new}^{{tree}}")]));
        assert_eq!(Patch::parse(&patch).unwrap().as_bytes(), patch);
    }
    let patch = String::from_utf8(repository.diff("HEAD~1", "HEAD").unwrap()).unwrap();
    for part in [
        "rename from moved\nrename to \"to/\\303\\244rger \\\"here\\\"\"\n",
        "deleted file mode 100644\n",
        "old mode 100644\nnew mode 100755\n",
        "GIT binary patch\n",
        "-Subproject commit 1111111111111111111111111111111111111111\n",
        "--- a/text\n+++ b/text\n@@ -1,7 +1,7 @@\n 0\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n",
    ] {
        assert!(patch.contains(part), "{part}\nis not in\n{patch}");
    }
    assert!(repository.diff("HEAD", "HEAD").unwrap().is_empty());
}

#[test]
fn a_root_commit_creates_everything() {
    for repo in [repo(), {
        let repo = Repo::init(&["--object-format=sha256"]);
        repo.write("f", "1\n");
        repo.commit("one");
        repo
    }] {
        let repository = repo.open();
        let root = repo.git(&["rev-list", "--max-parents=0", "HEAD"]);
        let patch = repository.diff_root(&root).unwrap();
        let parsed = Patch::parse(&patch).unwrap();
        assert!(parsed.files().all(|file| file.old_path().is_none()));
        assert_eq!(applied(&repo, "--empty", &patch), repo.git(&["rev-parse", &format!("{root}^{{tree}}")]));
        assert_eq!(repository.parents(&root).unwrap(), [""; 0]);
    }
}

#[test]
fn a_diff_does_not_depend_on_the_configuration() {
    let repo = repo();
    let repository = repo.open();
    let usual = repository.diff("HEAD~1", "HEAD").unwrap();
    let mark = format!("touch {}; cat", repo.temp.join("mark").display());
    for (key, value) in [
        ("color.ui", "always"),
        ("core.abbrev", "4"),
        ("core.attributesFile", repo.temp.join("attributes").to_str().unwrap()),
        ("core.quotePath", "false"),
        ("diff.algorithm", "patience"),
        ("diff.context", "0"),
        ("diff.external", &mark),
        ("diff.ignoreSubmodules", "all"),
        ("diff.indentHeuristic", "false"),
        ("diff.interHunkContext", "100"),
        ("diff.mark.command", &mark),
        ("diff.mark.textconv", &mark),
        ("diff.mnemonicPrefix", "true"),
        ("diff.noprefix", "true"),
        ("diff.orderFile", repo.temp.join("order").to_str().unwrap()),
        ("diff.renameLimit", "1"),
        ("diff.renames", "false"),
        ("diff.submodule", "log"),
        ("diff.suppressBlankEmpty", "true"),
        ("diff.wordRegex", "."),
        ("diff.wsErrorHighlight", "all"),
    ] {
        repo.git(&["config", key, value]);
    }
    std::fs::write(repo.temp.join("attributes"), "* -diff\n").unwrap();
    std::fs::write(repo.temp.join("order"), "text\n").unwrap();
    // The attributes are not committed, so they do not apply to the revision.
    repo.write(".gitattributes", "* diff=mark\n");
    let changed = repository.diff("HEAD~1", "HEAD").unwrap();
    assert_eq!(String::from_utf8_lossy(&changed), String::from_utf8_lossy(&usual));
    // Committed attributes apply, but the commands still do not run.
    repo.write(".gitattributes", "* diff=mark\ndos -diff\n");
    repo.git(&["add", ".gitattributes"]);
    repo.git(&["commit", "-q", "-m", "attributes"]);
    let patch = String::from_utf8(repository.diff("HEAD~2", "HEAD").unwrap()).unwrap();
    assert_eq!(patch.matches("GIT binary patch").count(), 2);
    assert!(!repo.temp.join("mark").exists());
}

#[test]
fn diffs_of_parents_and_unknown_revisions() {
    let repo = Repo::new();
    git(&repo.path, &["fast-import", "--quiet"], &crate::common::history(0, 60));
    let repository = repo.open();
    for line in repo.git(&["rev-list", "--all", "--parents"]).lines() {
        let (id, parents) = line.split_once(' ').unwrap_or((line, ""));
        assert_eq!(repository.parents(id).unwrap().join(" "), parents);
    }
    for (old, new, argument) in [("nowhere", "w0", "old"), ("w0", "nowhere", "new"), ("w0", "--output=x", "new")] {
        let error = repository.diff(old, new).unwrap_err();
        assert!(matches!(&error, Error::UnknownRevision { argument: named, .. } if named == argument), "{error}");
    }
    assert_eq!(repository.parents("nowhere").unwrap_err().code(), "unknown_revision");
    assert_eq!(repository.diff_root("nowhere").unwrap_err().code(), "unknown_revision");
}

/// Prints the types, modes, and contents of all files outside `.git`, and then Git's view of them.
const LOOK: &str = "find . -path ./.git -prune -o -print | sort | while read -r f; do ls -ld \"$f\" | cut -c1-10; \
                    echo \"$f\"; readlink \"$f\"; test -f \"$f\" && cksum < \"$f\"; done; \
                    echo; git status --porcelain; git ls-files -s; git write-tree; git rev-parse HEAD";

#[test]
fn only_a_patched_run_sees_its_patch() {
    let repo = repo();
    let repository = repo.open();
    let (root, all) = (repo.sha("HEAD~1"), repo.sha("HEAD"));
    let looks = oracle(&repo, &format!("{LOOK}; touch left.o; mkdir -p sub; touch sub/left; exit 0"));
    let plain = output(looks.run(&root).unwrap());
    for (old, new) in [(&root, &all), (&all, &root)] {
        let patch = repository.diff(old, new).unwrap();
        let seen = output(looks.run_patched(old, &patch).unwrap());
        let (files, git) = seen.split_once("\n\n").unwrap();
        assert_eq!(files, output(looks.run(new).unwrap()).split_once("\n\n").unwrap().0);
        let tree = repo.git(&["rev-parse", &format!("{new}^{{tree}}")]);
        assert!(git.contains("M  text\n") && git.ends_with(&format!("{tree}\n{old}\n")), "{git}");
    }
    assert_eq!(output(looks.run(&root).unwrap()), plain);
    // Any part of the patch applies, and leaves nothing for the next run.
    let patch = Patch::parse(&repository.diff(&root, &all).unwrap()).unwrap();
    for part in [vec![], vec![0], vec![patch.len() - 1], (0..patch.len() / 2).collect(), (3..patch.len()).collect()] {
        let subset = patch.subset(&part).unwrap();
        let seen = output(looks.run_patched(&root, subset.as_bytes()).unwrap());
        let expected = applied(&repo, &root, subset.as_bytes());
        assert!(seen.ends_with(&format!("{expected}\n{root}\n")), "{seen}");
        assert_eq!(output(looks.run(&root).unwrap()), plain);
    }
}

#[test]
fn the_command_finds_the_patch_in_a_file() {
    let repo = repo();
    let root = repo.sha("HEAD~1");
    let patch = repo.open().diff("HEAD~1", "HEAD").unwrap();
    let oracle = oracle(&repo, "cat \"$FIRSTBAD_PATCH\" || exit 3; echo $FIRSTBAD_REVISION; exit 1");
    let seen = oracle.run_patched("HEAD~1", &patch).unwrap();
    assert_eq!(seen.outcome, Outcome::Fail);
    let log = oracle.output_dir().join(format!("{root}.patch-1.log"));
    assert_eq!(seen.note.as_deref(), Some(&*format!("exit code 1, patch 1; output in {}", log.display())));
    assert_eq!(output(seen), String::from_utf8(patch).unwrap() + &root + "\n");
    // An empty patch also counts as a patch.
    let seen = oracle.run_patched(&root, b"").unwrap();
    assert!(seen.note.as_ref().unwrap().contains(&format!("{root}.patch-2.log")));
    assert_eq!(output(seen), format!("{root}\n"));
    assert!(oracle.run(&root).unwrap().note.unwrap().starts_with("exit code 3; output in "));
}

#[test]
fn an_empty_patch_is_a_plain_run() {
    let repo = repo();
    let looks = oracle(&repo, LOOK);
    let plain = output(looks.run("HEAD").unwrap());
    for empty in ["", "\n"] {
        assert_eq!(output(looks.run_patched("HEAD", empty.as_bytes()).unwrap()), plain);
    }
    assert_eq!(looks.run_patched("HEAD", b"a text without any diff\n").unwrap_err().code(), "patch_syntax");
}

#[test]
fn a_patch_that_does_not_apply_is_unresolved_and_changes_nothing() {
    let repo = repo();
    let looks = oracle(&repo, LOOK);
    let plain = output(looks.run("HEAD~1").unwrap());
    let conflict = |patch: &str| {
        let seen = looks.run_patched("HEAD~1", patch.as_bytes()).unwrap();
        assert_eq!((seen.outcome, seen.seconds, &seen.output), (Outcome::Unresolved, None, &None), "{seen:?}");
        seen.note.unwrap()
    };
    let second = conflict(
        "--- a/gone\n+++ b/gone\n@@ -1 +1 @@\n-gone\n+here\n--- a/text\n+++ b/text\n@@ -1,3 +1,3 @@\n 0\n-1\n+one\n 2\n\
         @@ -8,3 +8,3 @@\n 7\n-nine\n+9\n 9\n",
    );
    assert_eq!(second, "the patch does not apply to text (hunk 2): the revision has other lines at line 8");
    let missing = conflict("--- a/no where\n+++ b/no where\n@@ -1 +1 @@\n-1\n+2\n");
    assert!(missing.starts_with("the patch does not apply to no where: "), "{missing}");
    let there =
        conflict("diff --git a/mode b/mode\nnew file mode 100644\n--- /dev/null\n+++ b/mode\n@@ -0,0 +1 @@\n+1\n");
    assert!(there.starts_with("the patch does not apply to mode: "), "{there}");
    let binary = repo.open().diff("HEAD", "HEAD~1").unwrap();
    let binary = Patch::parse(&binary).unwrap();
    let data: Vec<usize> = binary.files().find(|file| file.path() == b"data").unwrap().changes().collect();
    let data = conflict(&binary.subset(&data).unwrap().to_string());
    assert!(data.starts_with("the patch does not apply to data: "), "{data}");
    // An invalid patch and an unknown revision are errors.
    assert_eq!(
        looks.run_patched("HEAD", b"--- a/text\n+++ b/text\n@@ -1,2 +1,2 @@\n 0\n").unwrap_err().code(),
        "patch_syntax"
    );
    assert_eq!(looks.run_patched("nowhere", b"").unwrap_err().code(), "unknown_revision");
    assert_eq!(looks.run_patched(&"12".repeat(20), b"").unwrap_err().code(), "unknown_revision");
    assert_eq!(output(looks.run("HEAD~1").unwrap()), plain);
}

/// The Python API, the Node API, and the command line have the same test on the same file.
#[test]
fn a_conflict_is_the_same_observation_in_all_front_ends() {
    let case: serde_json::Value = serde_json::from_str(include_str!("../../../../tests/patch_conflict.json")).unwrap();
    let repo = Repo::new();
    repo.write(case["file"].as_str().unwrap(), case["content"].as_str().unwrap());
    repo.commit("one");
    let seen = oracle(&repo, "exit 1").run_patched("HEAD", case["patch"].as_str().unwrap().as_bytes()).unwrap();
    assert_eq!(serde_json::to_value(&seen).unwrap(), case["observation"]);
}

/// Patches without context, without prefixes, and with line endings that differ from the attributes.
#[test]
fn patches_of_unusual_shapes_apply() {
    let repo = Repo::new();
    repo.write("f", "1\n2\n3\n4\n");
    repo.write("dos", "one\r\ntwo\r\n");
    repo.commit("one");
    repo.write(".gitattributes", "dos text\n");
    repo.git(&["add", ".gitattributes"]);
    repo.git(&["commit", "-q", "-m", "attributes"]);
    let shows = oracle(&repo, "cat f dos");
    let seen = |patch: &str| output(shows.run_patched("HEAD", patch.as_bytes()).unwrap());
    let dos = "one\r\ntwo\r\n";
    assert_eq!(seen("--- a/f\n+++ b/f\n@@ -3 +3 @@\n-3\n+three\n"), format!("1\n2\nthree\n4\n{dos}"));
    assert_eq!(seen("--- f\n+++ f\n@@ -3,2 +3,3 @@\n 3\n+3.5  \n 4\n"), format!("1\n2\n3\n3.5  \n4\n{dos}"));
    assert_eq!(seen("--- a/dos\n+++ b/dos\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+zwei\r\n"), "1\n2\n3\n4\none\r\nzwei\r\n");
}

#[test]
fn patched_runs_end_like_other_runs() {
    let repo = repo();
    let patch = repo.open().diff("HEAD~1", "HEAD").unwrap();
    let mut options = repo.options();
    options.timeout = Some(Duration::from_millis(300));
    let pids = repo.temp.join("pids");
    let script = format!("sleep 300 & echo $! $$ > {}; wait", pids.display());
    let slow = CommandOracle::new(&repo.open(), sh(&script), options).unwrap();
    let dead = || std::fs::read_to_string(&pids).unwrap().split_whitespace().all(|pid| !lives(pid));
    let seen = slow.run_patched("HEAD~1", &patch).unwrap();
    assert_eq!(seen.outcome, Outcome::Unresolved);
    assert!(seen.note.unwrap().starts_with("still running after 0.3 s, patch 1; output in /"));
    assert!(dead());
    assert_eq!(slow.run_patched_until("HEAD~1", &patch, &mut || false), Err(Error::Interrupted));
    let endless = oracle(&repo, &script);
    std::fs::remove_file(&pids).unwrap();
    std::thread::scope(|scope| {
        let run = scope.spawn(|| endless.run_patched("HEAD~1", &patch));
        soon(|| std::fs::read_to_string(&pids).is_ok_and(|text| text.ends_with('\n')));
        endless.interrupt();
        assert_eq!(run.join().unwrap(), Err(Error::Interrupted));
    });
    assert!(dead());
    let stops = oracle(&repo, "exit 130");
    let error = stops.run_patched("HEAD~1", &patch).unwrap_err();
    assert!(error.code() == "command_stopped" && error.to_string().contains("exit code 130, patch 1"), "{error}");
}

#[test]
fn patched_runs_do_not_change_the_users_repository() {
    let repo = repo();
    let before = crate::common::snapshot(&repo.path);
    let repository = Repository::open(&repo.path).unwrap();
    let patch = repository.diff("HEAD~1", "HEAD").unwrap();
    repository.diff_root("HEAD").unwrap();
    repository.parents("HEAD").unwrap();
    let oracle = CommandOracle::new(&repository, sh("git add -A; git stash -q"), repo.options()).unwrap();
    for _ in 0..2 {
        oracle.run_patched("HEAD~1", &patch).unwrap();
    }
    assert!(crate::common::snapshot(&repo.path) == before);
}

#[test]
fn a_patch_cannot_remove_the_users_files() {
    let repo = Repo::new();
    repo.write("text", "one\n");
    let base = repo.commit("base");
    let mine = repo.temp.join("mine");
    std::fs::write(&mine, "x\n").unwrap();
    let mine_shown = mine.display();
    let edit = "diff --git a/text b/text\n--- a/text\n+++ b/text\n@@ -1 +1 @@\n-one\n+two\n";
    let oracle = oracle(&repo, "true");
    for name in [mine_shown.to_string(), "../../../mine".to_owned(), ".git/config".to_owned()] {
        let removal = format!(
            "diff --git {name} {name}\ndeleted file mode 100644\n--- {name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        );
        let refused = oracle.run_patched(&base, format!("{edit}{removal}").as_bytes()).unwrap_err();
        assert_eq!(refused.code(), "patch_syntax", "{refused}");
        let options =
            CommandOptions { apply_patches: vec![(edit.to_owned() + &removal).into_bytes()], ..repo.options() };
        assert!(CommandOracle::new(&repo.open(), sh("true"), options).is_err());
        assert!(mine.exists());
    }
}

#[test]
fn files_removed_from_the_index_are_removed_from_the_worktree() {
    let repo = Repo::new();
    repo.write(".gitignore", "*.o\n");
    repo.write("a.o", "x\n");
    repo.write("dir/b.o", "x\n");
    repo.git(&["add", "-f", "a.o", "dir/b.o"]);
    let base = repo.commit("base");
    let removal = |name: &str| {
        format!(
            "diff --git a/{name} b/{name}\ndeleted file mode 100644\n--- a/{name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        )
    };
    let options =
        CommandOptions { apply_patches: vec![removal("a.o").into_bytes()], keep_build: true, ..repo.options() };
    let oracle = CommandOracle::new(&repo.open(), sh("test ! -e a.o && test ! -e dir/b.o"), options).unwrap();
    let seen = oracle.run_patched(&base, removal("dir/b.o").as_bytes()).unwrap();
    assert_eq!(seen.outcome, Outcome::Pass);
}

#[test]
fn known_parts_require_readable_files_that_keep_their_names() {
    let repo = Repo::new();
    for path in ["a.py", "old.py"] {
        repo.write(path, "x = 1\n");
    }
    let base = repo.commit("base");
    let added = |old: &str, new: &str| format!("--- {old}\n+++ {new}\n@@ -1 +1,3 @@\n x = 1\n+y = (\n+)\n");
    let renamed = format!(
        "diff --git a/old.py b/new.py\nrename from old.py\nrename to new.py\n{}",
        added("a/old.py", "b/new.py")
    );
    let text = [added("a/a.py", "b/a.py"), added("a/not_here.py", "b/not_here.py"), renamed].concat();
    let patch = Patch::parse(text.as_bytes()).unwrap();
    let known = known_parts(&repo.open(), &base, &patch).unwrap();
    assert_eq!(format!("{known:?}"), "KnownParts { languages: [Some(\"Python\")], .. }", "a.py alone");
    let mut cache = known.over(None);
    let mut is_left_out = |changes: &[usize]| {
        let changes = Some(changes.iter().copied().collect());
        let key = cache.key(&Target { changes, ..Target::default() }).unwrap();
        cache.outcomes(&key).unwrap().iter().any(|seen| seen.stage == Some(Stage::Parse))
    };
    assert!(is_left_out(&[0]) && is_left_out(&[0, 2]));
    assert!(!is_left_out(&[0, 1]) && !is_left_out(&[2]) && !is_left_out(&[4, 5]));
}
