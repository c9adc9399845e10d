//! References from a worktree to the checkout are removed, or reported before the first run.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;

use crate::common::{Repo, sh};
use firstbad::{Outcome, Spelling};
use firstbad_oracle::{CommandOptions, CommandOracle, Notice};

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn oracle(repo: &Repo, command: &[&str]) -> CommandOracle {
    CommandOracle::new(&repo.open(), words(command), repo.options()).unwrap()
}

fn warnings(oracle: &CommandOracle) -> Vec<String> {
    let notices = oracle.take_notices();
    notices.iter().filter(|one| matches!(one, Notice::Warning(_))).map(|one| one.text(Spelling::Python)).collect()
}

fn program(repo: &Repo, path: &str, text: &str) {
    repo.write(path, text);
    std::fs::set_permissions(repo.path.join(path), std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Creates the files of a virtual environment in a folder. Its program prints `PYTHONPATH`.
fn environment(repo: &Repo, folder: &str) -> String {
    let place = repo.temp.join(folder);
    let site = place.join("lib/python3.11/site-packages");
    std::fs::create_dir_all(&site).unwrap();
    std::fs::create_dir_all(place.join("bin")).unwrap();
    std::fs::write(place.join("pyvenv.cfg"), "home = /nowhere/bin\n").unwrap();
    let python = place.join("bin/python");
    std::fs::write(&python, "#!/bin/sh\necho \"$PYTHONPATH\"\n").unwrap();
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
    python.display().to_string()
}

#[test]
fn a_checkout_path_in_a_command_is_reported_with_a_fix() {
    let repo = Repo::new();
    repo.write("src/check.sh", "exit 0\n");
    repo.write(".gitignore", "built\n");
    repo.commit("one");
    repo.write("built/tool", "");
    repo.write("untracked.sh", "");
    let top = repo.path.display().to_string();
    for (command, remedy) in [
        (words(&[&format!("{top}/src/check.sh")]), "./src/check.sh"),
        (words(&["make", "-C", &top]), "Omit the path"),
        (words(&["make", &format!("-C{top}")]), "Omit the path"),
        (words(&["npm", &format!("--prefix={top}"), "test"]), "Omit the path"),
        (words(&["cargo", "test", "--manifest-path", &format!("{top}/src/check.sh")]), "./src/check.sh"),
        (sh(&format!("cd {top} && ls")), "Omit the path"),
        (sh(&format!("cd '{top}/src'; ls")), "./src"),
    ] {
        let oracle = CommandOracle::new(&repo.open(), command.clone(), repo.options()).unwrap();
        let found = warnings(&oracle);
        assert!(found.iter().any(|one| one.contains("checkout") && one.contains(remedy)), "{command:?}: {found:?}");
        assert!(oracle.take_notices().is_empty());
    }
    for path in ["built/tool", "untracked.sh", ".git/config", "nothing"] {
        assert_eq!(warnings(&oracle(&repo, &["cat", &format!("{top}/{path}")])), [""; 0], "{path}");
    }
}

#[test]
fn checkout_files_in_output_are_reported_once() {
    let repo = Repo::new();
    repo.write("lib/a.py", "");
    repo.commit("one");
    let script = "echo \"File '$FIRSTBAD_REPOSITORY/lib/a.py', line 3 $FIRSTBAD_REPOSITORY/other\"; pwd";
    let oracle = CommandOracle::new(&repo.open(), sh(script), repo.options()).unwrap();
    assert_eq!(warnings(&oracle), [""; 0]);
    oracle.run("HEAD").unwrap();
    let found = warnings(&oracle);
    assert!(found.len() == 1 && found[0].contains("lib/a.py") && found[0].contains("checkout"), "{found:?}");
    oracle.run("HEAD").unwrap();
    assert_eq!(warnings(&oracle), [""; 0]);
}

#[test]
fn an_editable_install_imports_the_revision_under_test() {
    let repo = Repo::new();
    repo.write("src/shop/__init__.py", "");
    repo.write("flat.py", "");
    repo.commit("one");
    let top = repo.path.display().to_string();
    let finder = format!("MAPPING: dict[str, str] = {{'shop': '{top}/src/shop', 'flat': '{top}/flat.py'}}\n");
    type Editable<'a> = (&'a str, Vec<(&'a str, String)>, &'a [&'a str]);
    let editables: [Editable<'_>; 4] = [
        ("path", vec![("__editable__.shop.pth", format!("{top}/src\n"))], &["src"]),
        (
            "finder",
            vec![
                (
                    "__editable__.shop-1.pth",
                    "import __editable___shop_finder; __editable___shop_finder.install()\n".into(),
                ),
                ("__editable___shop_finder.py", finder),
            ],
            &["", "src"],
        ),
        ("develop", vec![("easy-install.pth", format!("# old\n{top}/src/.\n"))], &["src"]),
        ("none", vec![("other.pth", "/usr/lib\nimport sys\n".to_owned())], &[]),
    ];
    for (name, written, roots) in editables {
        let python = environment(&repo, name);
        for (file, text) in written {
            std::fs::write(repo.temp.join(name).join("lib/python3.11/site-packages").join(file), text).unwrap();
        }
        let oracle = oracle(&repo, &[&python, "-m", "pytest"]);
        let said = oracle.take_notices();
        assert_eq!(
            said.iter().filter(|one| one.text(Spelling::Python).contains("PYTHONPATH")).count(),
            roots.len(),
            "{said:?}"
        );
        let seen = oracle.run("HEAD").unwrap();
        let printed = std::fs::read_to_string(seen.output.unwrap()).unwrap();
        let pool = printed.trim().split(':').map(str::to_owned).filter(|path| !path.is_empty()).collect::<Vec<_>>();
        let ends: Vec<bool> = roots
            .iter()
            .map(|root| {
                pool.iter().any(|one| one.ends_with(&format!("/{root}")) || root.is_empty() && !one.ends_with("src"))
            })
            .collect();
        assert!(ends.iter().all(|&found| found) && pool.len() >= roots.len(), "{name}: {pool:?}");
        assert!(pool.iter().take(roots.len()).all(|path| !path.starts_with(&top)), "{name}: {pool:?}");
    }
}

#[test]
fn a_worktree_that_cannot_come_first_is_reported() {
    let repo = Repo::new();
    repo.write("src/shop/__init__.py", "");
    repo.write("src/queue.py", "");
    repo.write(".gitignore", "built\n");
    repo.commit("one");
    repo.write("built/shop.py", "");
    let top = repo.path.display();
    let warned = |name: &str, path: &str, options: &[&str], own: bool| {
        let python = environment(&repo, name);
        let lib = repo.temp.join(name).join("lib/python3.11");
        std::fs::write(lib.join("site-packages/shop.pth"), format!("{top}/{path}\n")).unwrap();
        if own {
            std::fs::write(lib.join("queue.py"), "").unwrap();
        }
        let command: Vec<&str> = [python.as_str()].into_iter().chain(options.iter().copied()).collect();
        let found = warnings(&oracle(&repo, &command));
        found.iter().any(|one| one.contains("checkout") && one.contains("shop.pth"))
    };
    assert!(warned("isolated", "src", &["-I", "check.py"], false));
    assert!(warned("made", "built", &["check.py"], false));
    assert!(warned("shadow", "src", &["check.py"], true), "a module of Python's own would be another");
    assert!(!warned("fine", "src", &["check.py"], false));
}

#[test]
fn untracked_programs_come_from_the_checkout() {
    let repo = Repo::new();
    repo.write(".gitignore", ".venv\nnode_modules\n");
    repo.commit("one");
    let own = "#!/bin/sh\necho checkout\n";
    program(&repo, ".venv/bin/python", own);
    repo.write(".venv/pyvenv.cfg", "");
    program(&repo, "node_modules/.bin/x", own);
    let printed = |oracle: &CommandOracle| {
        let seen = oracle.run("HEAD").unwrap();
        (seen.outcome, std::fs::read_to_string(seen.output.unwrap()).unwrap())
    };
    for command in [
        vec![".venv/bin/python"],
        vec!["./.venv/bin/python"],
        vec!["env", "A=1", "node_modules/.bin/x"],
        vec!["sh", "-c", "true && .venv/bin/python"],
    ] {
        let oracle = oracle(&repo, &command);
        assert!(oracle.take_notices()[0].text(Spelling::Python).contains(&repo.path.display().to_string()));
        assert_eq!(printed(&oracle), (Outcome::Pass, "checkout\n".to_owned()), "{command:?}");
    }
    let made = "mkdir -p .venv/bin; printf '#!/bin/sh\\necho made\\n' > .venv/bin/python; chmod +x .venv/bin/python";
    let options = CommandOptions { setup: Some(sh(made)), ..repo.options() };
    let made = CommandOracle::new(&repo.open(), words(&[".venv/bin/python"]), options).unwrap();
    assert!(printed(&made).1.ends_with("made\n"), "what the setup makes comes first");
}

#[test]
fn a_worktree_has_the_refs_of_the_repository_before_each_run() {
    let repo = Repo::new();
    repo.write("f", "1\n");
    let first = repo.commit("one");
    repo.git(&["branch", "side"]);
    repo.git(&["update-ref", "refs/remotes/origin/main", &first]);
    repo.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    repo.write("f", "2\n");
    let second = repo.commit("two");
    repo.git(&["tag", "v1"]);
    repo.git(&["update-ref", "refs/notes/x", &first]);
    let script = "git for-each-ref --format='%(objectname) %(refname) %(symref)'; git branch left; git tag -f v1 HEAD~1 -m x -a; \
                  git update-ref -d refs/heads/side; git pack-refs --all; git checkout -q main";
    let options = CommandOptions {
        env: vec![("GIT_COMMITTER_NAME".into(), "a".into()), ("GIT_COMMITTER_EMAIL".into(), "a".into())],
        ..repo.options()
    };
    let oracle = CommandOracle::new(&repo.open(), sh(script), options).unwrap();
    let expected = repo.git(&["for-each-ref", "--format=%(objectname) %(refname) %(symref)"]);
    for revision in [&second, &second, &first, &second] {
        let seen = oracle.run(revision).unwrap();
        let printed = std::fs::read_to_string(seen.output.unwrap()).unwrap();
        let refs: Vec<&str> = printed.lines().filter(|line| line.contains(" refs/")).collect();
        assert_eq!(refs.join("\n").trim_end(), expected, "{printed}");
    }
}

/// Creates a repository with `key.txt`, to which the second commit applies a filter of `.git/config`.
fn filtered() -> Repo {
    let repo = Repo::new();
    repo.write("key.txt", "hello\n");
    repo.commit("one");
    for (name, value) in
        [("clean", "tr a-z n-za-m"), ("smudge", "test -d \"$GIT_DIR/objects\" && tr a-z n-za-m"), ("required", "true")]
    {
        repo.git(&["config", &format!("filter.rot.{name}"), value]);
    }
    repo.write(".gitattributes", "*.txt filter=rot\n");
    repo.git(&["add", "--renormalize", "."]);
    repo.commit("two");
    repo
}

#[test]
fn filters_of_the_repository_are_reported_and_run_only_if_allowed() {
    let repo = filtered();
    let seen = |options: CommandOptions, revision: &str| {
        let oracle = CommandOracle::new(&repo.open(), words(&["grep", "-qx", "hello", "key.txt"]), options).unwrap();
        let said = warnings(&oracle);
        (oracle.run(revision).unwrap().outcome, said, warnings(&oracle))
    };
    let (outcome, said, _) = seen(repo.options(), "HEAD");
    assert_eq!(outcome, Outcome::Fail);
    assert!(said.len() == 1 && said[0].contains("\"rot\"") && said[0].contains("allow_filters=True"), "{said:?}");
    let allowed = CommandOptions { allow_filters: true, ..repo.options() };
    assert_eq!(seen(allowed.clone(), "HEAD"), (Outcome::Pass, vec![], vec![]));
    assert_eq!(seen(allowed, "HEAD~1"), (Outcome::Pass, vec![], vec![]));
    // A revision whose attributes differ from those of `HEAD`.
    repo.git(&["branch", "with"]);
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    let (_, before, after) = seen(repo.options(), "with");
    assert!(before.is_empty() && after.len() == 1 && after[0].contains("\"rot\""), "{before:?} {after:?}");
    assert_eq!(seen(repo.options(), "HEAD"), (Outcome::Pass, vec![], vec![]));
}

#[test]
fn attributes_of_the_repository_are_reported_and_used_only_if_allowed() {
    let repo = Repo::new();
    repo.write("a.txt", "1\n");
    repo.commit("one");
    std::fs::create_dir_all(repo.path.join(".git/info")).unwrap();
    std::fs::write(repo.path.join(".git/info/attributes"), "*.txt text eol=crlf\n").unwrap();
    let script = "test $(wc -c < a.txt) = 3 && rm .git/info/attributes";
    let oracle = CommandOracle::new(&repo.open(), sh(script), repo.options()).unwrap();
    assert!(warnings(&oracle)[0].contains("info/attributes"));
    assert_eq!(oracle.run("HEAD").unwrap().outcome, Outcome::Fail);
    let options = CommandOptions { allow_filters: true, ..repo.options() };
    let oracle = CommandOracle::new(&repo.open(), sh(script), options).unwrap();
    assert_eq!(warnings(&oracle), [""; 0]);
    for _ in 0..2 {
        assert_eq!(oracle.run("HEAD").unwrap().outcome, Outcome::Pass);
    }
}
