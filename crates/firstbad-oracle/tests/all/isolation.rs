//! The user's repository is only read, and no program from its configuration runs.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Repo, git, sh, snapshot};
use firstbad::Outcome;
use firstbad_git::{GraphOptions, Repository};
use firstbad_oracle::{CommandOptions, CommandOracle};

/// Creates a repository with staged and unstaged changes, untracked and ignored files, a stash, a linked worktree, and commands
/// wherever the configuration can name one. Each command would create a file in `marks`.
fn busy() -> Repo {
    let repo = Repo::new();
    repo.write(".gitattributes", "*.f filter=mark\n*.f diff=mark\n*.f merge=mark\n");
    repo.write(".gitignore", "ignored\n");
    for number in 0..4 {
        repo.write("a.f", &format!("{number}\n"));
        repo.commit(&number.to_string());
    }
    repo.git(&["tag", "-a", "-m", "t", "v1", "HEAD~2"]);
    repo.write("a.f", "stashed\n");
    repo.git(&["stash", "-q"]);
    repo.git(&["worktree", "add", "-q", "-b", "linked", repo.temp.join("linked").to_str().unwrap()]);
    repo.write("a.f", "staged\n");
    repo.write("new", "staged\n");
    repo.git(&["add", "a.f", "new"]);
    repo.write("a.f", "not staged\n");
    repo.write("untracked", "x\n");
    repo.write("ignored", "x\n");
    let marks = repo.temp.join("marks");
    std::fs::create_dir(&marks).unwrap();
    let mark = |name: &str| format!("touch {}/{name}; cat", marks.display());
    for hook in
        ["post-checkout", "pre-commit", "post-index-change", "reference-transaction", "post-merge", "pre-auto-gc"]
    {
        let path = repo.path.join(".git/hooks").join(hook);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\ntouch {}/{hook}\n", marks.display())).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (key, name) in [
        ("filter.mark.smudge", "smudge"),
        ("filter.mark.clean", "clean"),
        ("filter.mark.process", "process"),
        ("diff.mark.textconv", "textconv"),
        ("diff.external", "external"),
        ("merge.mark.driver", "merge"),
        ("core.fsmonitor", "fsmonitor"),
        ("core.pager", "pager"),
        ("core.editor", "editor"),
        ("core.sshCommand", "ssh"),
        ("core.alternateRefsCommand", "alternates"),
        ("gpg.program", "gpg"),
        ("credential.helper", "credential"),
        ("alias.rev-list", "alias"),
    ] {
        repo.git(&["config", key, &mark(name)]);
    }
    repo.git(&["config", "filter.mark.required", "true"]);
    repo.git(&["config", "core.autocrlf", "input"]);
    repo
}

fn marks(repo: &Repo) -> Vec<String> {
    let entries = std::fs::read_dir(repo.temp.join("marks")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

fn use_everything(path: &Path, options: CommandOptions) {
    let repository = Repository::open(path).unwrap();
    repository.graph(&GraphOptions::default()).unwrap();
    let paths = GraphOptions { paths: vec!["a.f".to_owned()], ..GraphOptions::default() };
    repository.graph(&paths).unwrap();
    repository.resolve("nowhere").unwrap_err();
    // A name that makes Git read the index, for which it would start the monitor.
    repository.resolve(":a.f").unwrap_err();
    repository.tree_ids(&[":a.f".to_owned()]).unwrap_err();
    repository.changes(&["v1".to_owned()], &["main".to_owned()], firstbad_git::Merges::Own).unwrap();
    repository.commit(":0:a.f").unwrap_err();
    let script = "cat a.f; git config core.autocrlf; echo x >> a.f; git add -A; git -c user.name=x -c user.email=x commit -qm x; \
                  git branch x; git stash -q; git tag -f v1; git gc -q; git checkout -q HEAD~1; grep -q 2 a.f && exit 1; exit 0";
    let mut options = options;
    options.timeout = Some(Duration::from_secs(60));
    let surrounded = options.clone();
    let oracle = CommandOracle::new(&repository, sh(script), options).unwrap();
    for revision in ["main", "v1", "main~3", "main"] {
        let seen = oracle.run(revision);
        // The script fails at the root because it checks out the parent.
        assert!(matches!(seen.unwrap().outcome, Outcome::Pass | Outcome::Fail));
    }
    let patch = repository.diff("main~1", "main").unwrap();
    assert_eq!(repository.parents("main").unwrap().len(), 1);
    assert!(matches!(oracle.run_patched("main~1", &patch).unwrap().outcome, Outcome::Pass | Outcome::Fail));
    let options = CommandOptions {
        keep_build: true,
        submodules: true,
        setup: Some(sh("git add -A; git -c user.name=x -c user.email=x commit -qm x; git stash -q")),
        apply_patches: vec![b"--- /dev/null\n+++ b/fix\n@@ -0,0 +1 @@\n+fix\n".to_vec()],
        ..surrounded
    };
    let surrounded = CommandOracle::new(&repository, sh("cat fix; git checkout -q HEAD"), options).unwrap();
    for revision in ["main", "main~3"] {
        assert_eq!(surrounded.run(revision).unwrap().outcome, Outcome::Pass);
    }
    assert_eq!(repository.tree_ids(&["main".to_owned(), "v1".to_owned()]).unwrap().len(), 2);
    let log = oracle.output_dir().join(format!("{}.log", repository.resolve("main").unwrap()));
    let text = std::fs::read_to_string(log).unwrap();
    assert!(text.starts_with("3\ninput\n"), "{text}");
}

#[test]
fn the_users_repository_is_not_modified() {
    let repo = busy();
    let linked = repo.temp.join("linked");
    // Creating the repository runs its filters and hooks.
    for name in marks(&repo) {
        std::fs::remove_file(repo.temp.join("marks").join(name)).unwrap();
    }
    let before = (snapshot(&repo.path), snapshot(&linked));
    use_everything(&repo.path, repo.options());
    use_everything(&linked, repo.options());
    assert!(snapshot(&repo.path) == before.0, "the repository has changed");
    assert!(snapshot(&linked) == before.1, "the linked work tree has changed");
    assert_eq!(marks(&repo), [""; 0]);
}

#[test]
fn the_configured_commands_would_create_marks() {
    let repo = busy();
    git(repo.temp.path(), &["-C", "repo", "status"], "");
    let _ = Command::new("git").args(["checkout", "-q", "-f", "HEAD~1"]).current_dir(&repo.path).output();
    let found = marks(&repo);
    for name in ["fsmonitor", "post-index-change", "process"] {
        assert!(found.iter().any(|mark| mark == name), "{found:?}");
    }
}

/// Git sets such variables for hooks and aliases. They would redirect all commands to the repository that they name.
#[test]
fn git_variables_of_other_repositories_are_ignored() {
    let (repo, other) = (busy(), busy());
    let before = (snapshot(&repo.path), snapshot(&other.path));
    let ended = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "isolation::child_with_variables", "--ignored", "--nocapture"])
        .env("TEST_REPO", &repo.path)
        .env("TEST_TEMP", repo.temp.path())
        .env("GIT_DIR", other.path.join(".git"))
        .env("GIT_WORK_TREE", &other.path)
        .env("GIT_INDEX_FILE", other.path.join(".git/index"))
        .env("GIT_OBJECT_DIRECTORY", other.path.join(".git/objects"))
        .env("GIT_PREFIX", "a/")
        .env("GIT_CONFIG_PARAMETERS", format!("'core.hooksPath'='{}'", other.path.join(".git/hooks").display()))
        .stdout(Stdio::piped())
        .output()
        .unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
    assert!(snapshot(&repo.path) == before.0 && snapshot(&other.path) == before.1);
}

#[test]
#[ignore = "run by the test above"]
fn child_with_variables() {
    let path = |name: &str| std::env::var_os(name).map(std::path::PathBuf::from);
    let (Some(repo), Some(temp)) = (path("TEST_REPO"), path("TEST_TEMP")) else { return };
    let options = CommandOptions {
        worktrees: Some(temp.join("trees")),
        output_dir: Some(temp.join("child")),
        ..CommandOptions::default()
    };
    use_everything(&repo, options);
}

#[test]
fn unusual_repositories_have_worktrees() {
    let repo = Repo::new();
    repo.write("f", "1\n");
    repo.commit("one");
    repo.write("f", "2\n");
    repo.commit("two");
    let url = format!("file://{}", repo.path.display());
    let clone = |name: &str, arguments: &[&str]| {
        git(repo.temp.path(), &[&["clone", "-q"], arguments, &[name]].concat(), "");
        repo.temp.join(name)
    };
    // The last repository borrows from one that borrows.
    let bare = clone("bare", &["--bare", "repo"]);
    let shallow = clone("shallow", &["--depth=1", &url]);
    let shared = clone("shared", &["--shared", "--bare", "repo"]);
    let twice = clone("twice", &["--shared", "shared"]);
    let sha256 = Repo::init(&["--object-format=sha256"]);
    sha256.write("f", "2\n");
    sha256.commit("two");
    for path in [&bare, &shallow, &shared, &twice, &sha256.path] {
        let mut options = repo.options();
        options.output_dir = Some(repo.temp.join("special"));
        let before = snapshot(path);
        let repository = Repository::open(path).unwrap();
        let oracle = CommandOracle::new(&repository, sh("grep -q 2 f && git log --oneline"), options).unwrap();
        let seen = oracle.run("HEAD").unwrap();
        assert_eq!(seen.outcome, Outcome::Pass, "{}: {seen:?}", path.display());
        let created = repository.diff_root("HEAD").unwrap();
        assert!(String::from_utf8(created).unwrap().ends_with("@@ -0,0 +1 @@\n+2\n"));
        let seen = oracle.run_patched("HEAD", b"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-2\n+3\n").unwrap();
        assert_eq!(seen.outcome, Outcome::Fail, "{}: {seen:?}", path.display());
        let count = if [&shallow, &sha256.path].contains(&path) { 0 } else { 1 };
        assert_eq!(repository.parents("HEAD").unwrap().len(), count);
        drop(oracle);
        assert!(snapshot(path) == before);
    }
}

/// A test that replaces parts of its worktree with links only loses files of the worktree.
#[test]
fn links_left_by_a_test_are_not_followed() {
    let repo = Repo::new();
    repo.write(".gitignore", "*.o\n");
    repo.write("folder/file", "one\n");
    let old = repo.commit("old");
    repo.write("folder/file", "two\n");
    let new = repo.commit("new");
    let mine = repo.temp.join("mine");
    std::fs::create_dir_all(mine.join("info")).unwrap();
    for name in ["config", "index", "exclude", "info/exclude", "file", "HEAD"] {
        std::fs::write(mine.join(name), "mine\n").unwrap();
    }
    let before = snapshot(&mine);
    let mine_shown = mine.display();
    for damage in [
        format!("ln -sf {mine_shown}/config .git/config"),
        format!("ln -f {mine_shown}/config .git/config"),
        format!("ln -sf {mine_shown}/index .git/index"),
        format!("ln -sf {mine_shown}/HEAD .git/HEAD"),
        format!("rm -rf .git/info && ln -s {mine_shown}/info .git/info"),
        format!("rm -rf .git/objects && ln -s {mine_shown} .git/objects"),
        format!("rm -rf .git && ln -s {mine_shown} .git"),
        format!("rm -rf .git && echo gitdir: {mine_shown} > .git"),
        format!("rm -rf folder && ln -s {mine_shown} folder"),
        format!("echo {mine_shown} > .git/commondir"),
    ] {
        let script = format!("test ! -L .git && test ! -L folder && cat folder/file && {damage}");
        let oracle = CommandOracle::new(&repo.open(), sh(&script), repo.options()).unwrap();
        let patch = repo.open().diff(&old, &new).unwrap();
        for seen in [oracle.run(&old), oracle.run(&new), oracle.run_patched(&old, &patch), oracle.run(&old)] {
            assert_eq!(seen.unwrap().outcome, Outcome::Pass, "{damage}");
        }
        oracle.close().unwrap();
        assert_eq!(snapshot(&mine), before, "{damage}");
    }
}
