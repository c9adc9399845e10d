//! Tests of folders and repositories that change during a run.

use super::scene::{Ran, Scene};

/// The number of runs before the fault.
const BEFORE: u64 = 2;

/// A search among 12 revisions. Its third run also causes the fault.
fn disturbed(scene: &Scene, arguments: &[&str], fault: &str) -> Ran {
    let fault = format!(
        "here=$PWD; cd \"$OLDPWD\"; unset GIT_DIR GIT_WORK_TREE; R={}; {fault}; cd $here",
        scene.repository_folder()
    );
    let script = scene.script(&format!("if [ $(cat asked 2>/dev/null | wc -l) -eq {BEFORE} ]; then\n{fault}\nfi"));
    let (good, bad) = scene.ends();
    let first = ["run", "--json", "--search", "linear", "--good", &good, "--bad", &bad];
    scene.program(&[&first, arguments, &["--", "sh", "-c", &script]].concat())
}

fn scene() -> Scene {
    Scene::line(12, 5)
}

#[test]
fn a_removed_journal_is_not_suggested_for_resuming() {
    let moved = "the file was moved or replaced";
    for (fault, words) in [
        ("rm -r $here/kept", "the file was removed"),
        ("rm $here/kept/run.jsonl", "the file was removed"),
        ("mv $here/kept $here/elsewhere", moved),
        ("cp $here/kept/run.jsonl $here/copy; mv $here/copy $here/kept/run.jsonl", "the file was removed"),
        ("mv $here/kept $here/elsewhere; cp -r $here/elsewhere $here/kept", moved),
    ] {
        let scene = scene();
        std::fs::create_dir(scene.path("kept")).unwrap();
        let journal = scene.path("kept/run.jsonl").display().to_string();
        let ran = disturbed(&scene, &["--journal", &journal], fault);
        assert_eq!(ran.code, 1, "{fault}: {}", ran.words);
        assert!(ran.words.contains(words) && ran.words.contains(&journal), "{fault}: {}", ran.words);
        assert!(!ran.words.contains("to go on"), "{fault}: {}", ran.words);
        assert_eq!(ran.answer["runs"], BEFORE + 1, "{fault}: {}", ran.words);
        assert!(ran.answer.get("journal").is_none_or(serde_json::Value::is_null), "{fault}");
        // A moved worktree is replaced.
        let elsewhere = scene.path("elsewhere/run.jsonl");
        if elsewhere.exists() {
            let on = scene.program(&["run", "--json", "--trust-journal", "--journal", elsewhere.to_str().unwrap()]);
            assert_eq!(on.found(), (0, vec![scene.sha(5)]), "{}", on.words);
        }
    }
}

#[test]
fn a_run_continues_if_its_cache_journal_fails() {
    for fault in ["rm -r $here/cache/firstbad/journals", "rm $here/cache/firstbad/journals/*/*.jsonl"] {
        let scene = scene();
        let ran = disturbed(&scene, &[], fault);
        assert_eq!(ran.found(), (0, vec![scene.sha(5)]), "{fault}: {}", ran.words);
        assert_eq!(ran.words.matches("the search is no longer saved: ").count(), 1, "{}", ran.words);
    }
}

#[test]
fn a_removed_worktree_is_reported_and_the_journal_resumes() {
    for (fault, goes_on) in [
        ("rm -r $PWD", true),
        ("rm -r $here/cache/firstbad/worktrees", true),
        ("mv $PWD $PWD-moved", true),
        ("rm -r $here/cache", false),
    ] {
        let scene = scene();
        let ran = disturbed(&scene, &[], fault);
        assert_eq!((ran.code, &ran.answer["runs"]), (1, &BEFORE.into()), "{fault}: {}", ran.words);
        assert!(ran.words.contains("the result is unknown"), "{fault}: {}", ran.words);
        assert_eq!(ran.words.contains("to resume: "), goes_on, "{fault}: {}", ran.words);
        if let Some(journal) =
            scene.own_journals().iter().find(|path| path.extension().is_some_and(|end| end == "jsonl"))
        {
            let on = scene.program(&["run", "--json", "--journal", journal.to_str().unwrap()]);
            assert_eq!(on.found(), (0, vec![scene.sha(5)]), "{}", on.words);
        }
    }
}

#[test]
fn a_locked_repository_is_searched() {
    for fault in [
        "touch $R/.git/index.lock $R/.git/HEAD.lock $R/.git/config.lock",
        "touch $R/.git/packed-refs.lock $R/.git/refs/heads/main.lock $R/.git/shallow.lock",
        "touch \"$(git rev-parse --git-dir)/index.lock\" \"$(git rev-parse --git-dir)/HEAD.lock\"",
        "git -C $R gc -q --prune=now",
        "git -C $R repack -adq; git -C $R pack-refs --all; git -C $R prune; git -C $R commit-graph write",
        "git -C $R worktree prune --expire=now",
    ] {
        for jobs in ["1", "2"] {
            let scene = scene();
            let ran = disturbed(&scene, &["--jobs", jobs], fault);
            assert_eq!(ran.found(), (0, vec![scene.sha(5)]), "{fault}: {}", ran.words);
            assert_eq!(scene.work_trees(), Vec::<std::path::PathBuf>::new(), "{fault}");
        }
    }
}

/// Git can remove unreferenced revisions during a search.
#[test]
fn revisions_that_were_removed_are_named() {
    let scene = scene();
    let fault = "git -C $R for-each-ref --format='delete %(refname)' | git -C $R update-ref --stdin; \
                 rm -rf $R/.git/logs; git -C $R -c gc.auto=0 prune --expire=now; git -C $R repack -adq; \
                 git -C $R prune-packed; rm -f $R/.git/objects/pack/*";
    let ran = disturbed(&scene, &[], fault);
    assert!(ran.code != 0 && ran.answer["runs"] == BEFORE + 1, "{}", ran.words);
    assert!(ran.words.contains("unknown revision"), "{}", ran.words);
    assert!(ran.words.contains("to resume: "), "{}", ran.words);
}
