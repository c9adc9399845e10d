//! Revisions with changes: their trees, and the ways to apply changes.

// The commands in these tests are shell scripts.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::common::{Repo, git, snapshot};
use firstbad::patch::interleaved;
use firstbad::{ChangeSet, Content, Error, Observation, Outcome, Patch, Request, Stage, Target};
use firstbad_git::{Carried, Overlay, Repository, Trial, Variants, VariantsOptions, Way, universes_of};

mod parsing;

/// The variants of a repository, with the reads of a search.
struct Scene {
    variants: Variants,
    reads: Vec<(Request, Content)>,
}

impl Scene {
    fn of(repo: &Repo) -> Scene {
        Scene::with(repo, &repo.open(), None)
    }

    fn with(repo: &Repo, repository: &Repository, overlay: Option<Overlay>) -> Scene {
        let options = VariantsOptions { overlay, folder: Some(repo.temp.join("vari:ants \"of\"")), parse: true };
        Scene { variants: Variants::new(repository, options).unwrap(), reads: Vec::new() }
    }

    fn read(&mut self, from: impl Into<Target>, to: impl Into<Target>) -> u64 {
        let request = Request::Diff { from: from.into(), to: to.into() };
        let content = self.variants.read(&request, &|id| self.universe(id)).unwrap();
        self.give(request, &content)
    }

    fn give(&mut self, request: Request, content: &[u8]) -> u64 {
        self.reads.push((request, Content::new(content).unwrap()));
        self.reads.len() as u64 - 1
    }

    fn universe(&self, id: u64) -> Option<(Request, Content)> {
        self.reads.get(usize::try_from(id).ok()?).cloned()
    }

    fn patch(&self, id: u64) -> Patch {
        Patch::parse(self.reads[id as usize].1.bytes()).unwrap()
    }

    fn carried(&self, target: &Target) -> Result<Carried, Error> {
        self.variants.carried(target, &|id| self.universe(id))
    }

    /// Applies all changes between two revisions to a third one.
    fn all(&mut self, from: &str, to: &str, onto: &str) -> Result<Carried, Error> {
        let id = self.read(from, to);
        self.carried(&on(onto, 0..self.patch(id).len(), id))
    }

    /// Returns the known outcome of a target, or `None` if it must run.
    fn known(&self, target: &Target) -> Option<Observation> {
        match self.variants.trial(target, &|id| self.universe(id)).unwrap() {
            Trial::Answered(seen) => Some(*seen),
            Trial::Run(_) => None,
        }
    }

    /// Returns the content of a file in a tree.
    fn file(&self, tree: &str, path: &str) -> String {
        git(&self.folder(), &["cat-file", "-p", &format!("{tree}:{path}")], "")
    }

    /// Returns the names of all files in a tree.
    fn names(&self, tree: &str) -> Vec<String> {
        git(&self.folder(), &["ls-tree", "-r", "--name-only", tree], "").lines().map(str::to_owned).collect()
    }

    fn folder(&self) -> PathBuf {
        self.variants.folder().join(".git")
    }
}

fn on(revision: &str, changes: impl IntoIterator<Item = usize>, universe: u64) -> Target {
    let changes: ChangeSet = changes.into_iter().collect();
    Target {
        revision: Some(revision.to_owned()),
        changes: Some(changes),
        universe: Some(universe),
        ..Target::default()
    }
}

fn lines(range: std::ops::Range<u32>) -> String {
    range.map(|number| format!("line {number}\n")).collect()
}

/// Returns a file of 40 lines. `change` edits line 20 of `base`, and the test creates `older`.
fn with_change() -> (Repo, String, String) {
    let repo = Repo::new();
    repo.write("text", &lines(0..40));
    let base = repo.commit("base");
    repo.write("text", &lines(0..40).replace("line 20\n", "line twenty\nline more\n"));
    let change = repo.commit("change");
    repo.git(&["checkout", "-q", &base]);
    (repo, base, change)
}

fn conflict(result: Result<Carried, Error>) -> (String, Option<usize>, String) {
    match result {
        Err(Error::PatchConflict { file, hunk, message }) => (file, hunk, message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_revision_without_changes_has_its_own_tree() {
    let (repo, base, change) = with_change();
    let mut scene = Scene::of(&repo);
    let id = scene.read(&*base, &*change);
    let read = scene.reads[0].1.bytes().to_vec();
    assert_eq!(read, interleaved(&repo.open().diff(&base, &change).unwrap()));
    for target in [Target::from(&*change), on(&change, [], id)] {
        let carried = scene.carried(&target).unwrap();
        let tree = repo.git(&["rev-parse", &format!("{change}^{{tree}}")]);
        assert_eq!(carried, Carried { patch: Vec::new(), tree, way: Way::None });
    }
    let request = Request::File { revision: base.clone(), path: "text".to_owned() };
    assert_eq!(scene.variants.read(&request, &|_| None).unwrap(), lines(0..40).as_bytes());
    let request = Request::Tree { revision: base };
    assert_eq!(scene.variants.read(&request, &|_| None).unwrap(), b"text\0");
}

#[test]
fn changes_apply_to_their_own_base() {
    let (repo, base, change) = with_change();
    let mut scene = Scene::of(&repo);
    let id = scene.read(&*base, &*change);
    // One removed line and two added lines.
    assert_eq!(scene.patch(id).len(), 3);
    let carried = scene.carried(&on(&base, [2], id)).unwrap();
    assert_eq!(carried.way, Way::Exact);
    let expected = lines(0..40).replace("line 20\n", "line 20\nline more\n");
    assert_eq!(scene.file(&carried.tree, "text") + "\n", expected);
    // The patch creates the same tree in a checkout.
    git(&repo.path, &["apply", "--index", "-"], &String::from_utf8(carried.patch.clone()).unwrap());
    assert_eq!(repo.git(&["write-tree"]), carried.tree);
    // A diff between two targets with changes.
    let request = Request::Diff { from: on(&base, [2], id), to: on(&base, 0..3, id) };
    let between = scene.variants.read(&request, &|id| scene.universe(id)).unwrap();
    let text = String::from_utf8(between).unwrap();
    assert!(text.contains("\n-line 20\n+line twenty\n") && !text.contains("\n+line more"), "{text}");
}

#[test]
fn a_universe_can_start_at_a_revision_with_changes() {
    let (repo, base, change) = with_change();
    let mut scene = Scene::of(&repo);
    let first = scene.read(&*base, &*change);
    let second = scene.read(on(&base, [2], first), &*change);
    // The changes are applied on top of the start of the universe.
    let carried = scene.carried(&on(&base, 0..scene.patch(second).len(), second)).unwrap();
    assert_eq!(carried.tree, repo.git(&["rev-parse", &format!("{change}^{{tree}}")]));
    let needed = universes_of([&on(&base, [0], second)], &|id| scene.universe(id));
    assert_eq!(needed.keys().copied().collect::<Vec<_>>(), [first, second]);
}

/// The numbers of reads belong to one search. Another search has another patch under the same number.
#[test]
fn variants_can_be_shared_by_several_searches() {
    let (repo, base, change) = with_change();
    let mut scene = Scene::of(&repo);
    let ids = [scene.read(&*base, &*change), scene.read(&*change, &*base)];
    let target = on(&base, [0], 0);
    let trees = ids.map(|id| scene.variants.carried(&target, &|_| scene.universe(id)).map(|carried| carried.tree));
    assert!(trees[0].is_ok() && trees[0] != trees[1], "{trees:?}");
}

#[test]
fn moved_lines_are_found_and_present_changes_are_recognized() {
    let (repo, base, change) = with_change();
    repo.write("text", &(lines(100..120) + &lines(0..40)));
    let older = repo.commit("more above");
    let mut scene = Scene::of(&repo);
    let carried = scene.all(&base, &change, &older).unwrap();
    assert_eq!(carried.way, Way::Exact);
    assert!(scene.file(&carried.tree, "text").contains("line 19\nline twenty\nline more\nline 21"));
    // Applying the changes to their own result changes nothing.
    let carried = scene.all(&base, &change, &change).unwrap();
    assert_eq!((carried.way, carried.patch), (Way::Already, Vec::new()));
}

#[test]
fn changes_that_do_not_apply_are_merged() {
    let (repo, base, change) = with_change();
    repo.write("text", &lines(0..40).replace("line 22\n", "line twenty-two\n"));
    let older = repo.commit("the context is another");
    let mut scene = Scene::of(&repo);
    let carried = scene.all(&base, &change, &older).unwrap();
    assert_eq!(carried.way, Way::ThreeWay);
    let expected =
        lines(0..40).replace("line 20\n", "line twenty\nline more\n").replace("line 22\n", "line twenty-two\n");
    assert_eq!(scene.file(&carried.tree, "text") + "\n", expected);
    git(&repo.path, &["apply", "--index", "-"], &String::from_utf8(carried.patch).unwrap());
    assert_eq!(repo.git(&["write-tree"]), carried.tree);
}

#[test]
fn renames_of_files_and_folders_are_followed() {
    let (repo, base, change) = with_change();
    repo.git(&["mv", "text", "other"]);
    let older = repo.commit("another name");
    let mut scene = Scene::of(&repo);
    let carried = scene.all(&base, &change, &older).unwrap();
    assert_eq!((carried.way, scene.names(&carried.tree)), (Way::Renamed, vec!["other".to_owned()]));
    assert!(scene.file(&carried.tree, "other").contains("line twenty\n"));

    let repo = Repo::new();
    for name in ["a", "b", "c"] {
        repo.write(&format!("src/{name}"), &(lines(0..10) + name));
    }
    let base = repo.commit("base");
    repo.write("src/new", "new\n");
    let change = repo.commit("a new file");
    repo.git(&["checkout", "-q", &base]);
    repo.git(&["mv", "src", "source"]);
    let older = repo.commit("another folder");
    let mut scene = Scene::of(&repo);
    let carried = scene.all(&base, &change, &older).unwrap();
    // Exact application is tried first, and a new file always applies.
    assert_eq!(carried.way, Way::Exact);
    repo.git(&["checkout", "-q", &base]);
    repo.write("src/new", "new\n");
    repo.write("src/a", &(lines(0..10) + "a changed"));
    let change = repo.commit("a new file, and a change");
    let carried = scene.all(&base, &change, &older).unwrap();
    assert_eq!(carried.way, Way::Renamed);
    assert_eq!(scene.names(&carried.tree), ["source/a", "source/b", "source/c", "source/new"]);
}

#[test]
fn white_space_is_ignored_if_a_merge_fails() {
    let (repo, base, change) = with_change();
    let version = repo.git(&["--version"]);
    let numbers: Vec<u32> = version.split(['.', ' ']).filter_map(|word| word.parse().ok()).collect();
    if numbers < vec![2, 44] {
        eprintln!("skipped: {version} cannot ignore white space without a work tree");
        return;
    }
    repo.write("text", &lines(0..40).replace("line", "  line"));
    let older = repo.commit("another indentation");
    repo.git(&["checkout", "-q", &base]);
    repo.write("text", &lines(0..40).replace('\n', "\r\n"));
    let dos = repo.commit("other line ends");
    let mut scene = Scene::of(&repo);
    for onto in [older, dos] {
        let carried = scene.all(&base, &change, &onto).unwrap();
        assert_eq!(carried.way, Way::Whitespace);
        let text = scene.file(&carried.tree, "text");
        assert!(text.contains("line twenty") && text.contains("line more") && !text.contains("line 20\n"), "{text}");
    }
}

/// The lines moved elsewhere, so that only the adjacent lines match.
#[test]
fn one_line_of_context_is_the_last_resort() {
    let (repo, base, change) = with_change();
    let moved = format!("tail a\ntail b\n{}tail c\ntail d\n", lines(19..22));
    repo.write("text", &(lines(0..19) + &lines(22..40) + &moved));
    let older = repo.commit("three lines stood elsewhere");
    let mut scene = Scene::of(&repo);
    let carried = scene.all(&base, &change, &older).unwrap();
    assert_eq!(carried.way, Way::Fuzzy);
    let text = scene.file(&carried.tree, "text");
    assert!(text.ends_with("tail b\nline 19\nline twenty\nline more\nline 21\ntail c\ntail d"), "{text}");
    assert!(!text.contains("line 20\n"), "{text}");
}

#[test]
fn a_conflict_names_the_file_and_hunk() {
    let (repo, base, change) = with_change();
    repo.write("text", &lines(0..40).replace("line 20\n", "another\n"));
    let older = repo.commit("the line is another");
    repo.write("text", "");
    let emptied = repo.commit("it is empty");
    repo.git(&["rm", "-q", "text"]);
    let without = repo.commit("it is not there yet");
    let mut scene = Scene::of(&repo);
    let (file, hunk, message) = conflict(scene.all(&base, &change, &older));
    assert_eq!((&*file, hunk), ("text", Some(1)));
    assert!(message.contains("three-way merge conflicts in \"text\": CONFLICT (content)"), "{message}");
    assert_eq!(conflict(scene.all(&base, &change, &older)), (file, hunk, message), "the same the second time");
    for (onto, words) in [(&emptied, "three-way merge"), (&without, "CONFLICT (modify/delete)")] {
        let (file, _, message) = conflict(scene.all(&base, &change, onto));
        assert!(file == "text" && message.contains(words), "{file}: {message}");
    }
}

/// Points the link `link` at another file.
#[cfg(unix)]
fn link(repo: &Repo, to: &str) {
    let _ = std::fs::remove_file(repo.path.join("link"));
    std::os::unix::fs::symlink(to, repo.path.join("link")).unwrap();
}

/// Binary contents, modes, links, submodules, names that are not text, files without a final line break, and CRLF.
#[test]
fn every_kind_of_change_is_carried() {
    use std::os::unix::ffi::OsStrExt as _;
    let repo = Repo::new();
    let odd = Path::new(std::ffi::OsStr::from_bytes(b"od\xff d\n\"\\:name")).to_owned();
    let submodule =
        |digit: &str| repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", digit.repeat(40))]);
    let commit = |message: &str| {
        repo.git(&["add", "-A", "--", ":!sub"]);
        repo.git(&["commit", "-q", "-m", message]);
        repo.sha("HEAD")
    };
    let binary = |bytes: &[u8]| std::fs::write(repo.path.join("data"), bytes).unwrap();
    repo.write("mode", "mode\n");
    repo.write("dos", "one\r\ntwo\r\n");
    repo.write("open", "no end");
    repo.write(":(glob)*", "magic\n");
    std::fs::write(repo.path.join(&odd), "odd\n").unwrap();
    binary(&[0, 1, 2, 255]);
    link(&repo, "mode");
    submodule("1");
    let base = commit("base");
    std::fs::set_permissions(repo.path.join("mode"), std::fs::Permissions::from_mode(0o755)).unwrap();
    repo.write("dos", "one\r\nzwei\r\n");
    repo.write("open", "still no end");
    repo.write(":(glob)*", "more magic\n");
    std::fs::write(repo.path.join(&odd), "odder\n").unwrap();
    binary(&[0, 1, 3, 255, 0]);
    link(&repo, "dos");
    submodule("2");
    let change = commit("all");
    repo.git(&["checkout", "-q", "-f", &base]);
    repo.write("unrelated", "x\n");
    let older = commit("older");
    binary(&[0, 7]);
    submodule("3");
    let other = commit("other");

    let mut scene = Scene::of(&repo);
    let id = scene.read(&*base, &*change);
    let all = 0..scene.patch(id).len();
    let carried = scene.carried(&on(&older, all.clone(), id)).unwrap();
    assert_eq!(carried.way, Way::Exact);
    let expected = |tree: &str| {
        git(&scene.folder(), &["diff-tree", "-r", "--name-only", "-z", tree, &format!("{change}^{{tree}}")], "")
    };
    assert_eq!(expected(&carried.tree), "unrelated\0");
    // Each file alone. Binary files and submodules conflict if their content differs.
    for (index, file) in scene.patch(id).files().enumerate() {
        let name = String::from_utf8_lossy(file.path()).into_owned();
        let result = scene.carried(&on(&other, file.changes(), id));
        if matches!(&*name, "data" | "sub") {
            assert_eq!(conflict(result).0, name);
        } else {
            assert_eq!(result.unwrap().way, Way::Exact, "{index} {name}");
        }
    }
}

#[test]
fn changes_apply_to_and_from_the_empty_tree() {
    let repo = Repo::new();
    let empty = repo.commit("nothing");
    repo.write("first", "1\n");
    let first = repo.commit("first");
    let mut scene = Scene::of(&repo);
    let carried = scene.all(&empty, &first, &empty).unwrap();
    assert_eq!(carried.tree, repo.git(&["rev-parse", &format!("{first}^{{tree}}")]));
    let carried = scene.all(&first, &empty, &first).unwrap();
    assert_eq!(carried.tree, "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    // The file is already deleted.
    assert_eq!(scene.all(&first, &empty, &empty).unwrap().way, Way::Already);
}

#[test]
fn sha256_repositories_have_variants() {
    let repo = Repo::init(&["--object-format=sha256"]);
    repo.write("text", &lines(0..40));
    let base = repo.commit("base");
    repo.write("text", &lines(0..40).replace("line 20\n", "line twenty\n"));
    let change = repo.commit("change");
    repo.write("text", &lines(0..40).replace("line 22\n", "line twenty-two\n"));
    let older = repo.commit("older");
    let overlay = Overlay { revision: older.clone(), paths: vec!["text".into()] };
    let mut scene = Scene::of(&repo);
    let carried = scene.all(&base, &change, &older).unwrap();
    assert_eq!((carried.way, carried.tree.len()), (Way::ThreeWay, 64));
    let scene = Scene::with(&repo, &repo.open(), Some(overlay));
    assert_eq!(
        scene.carried(&base.as_str().into()).unwrap().tree,
        repo.git(&["rev-parse", &format!("{older}^{{tree}}")])
    );
}

#[test]
fn shallow_and_partial_clones_report_missing_objects() {
    let (repo, base, change) = with_change();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    repo.git(&["branch", "-f", "tip", &change]);
    let source = format!("file://{}", repo.path.display());
    let clone = |name: &str, options: &[&str]| {
        let path = repo.temp.join(name);
        git(
            &repo.temp.join(""),
            &[&["clone", "-q", "--no-checkout", "-b", "tip"], options, &[&source, name]].concat(),
            "",
        );
        Repository::open(path).unwrap()
    };
    let shallow = clone("shallow", &["--depth=1"]);
    let scene = Scene::with(&repo, &shallow, None);
    assert_eq!(scene.carried(&change.as_str().into()).unwrap().way, Way::None);
    let error = scene.carried(&base.as_str().into()).unwrap_err();
    assert!(matches!(&error, Error::UnknownRevision { id, .. } if *id == base), "{error}");

    let partial = clone("partial", &["--filter=blob:none"]);
    let mut scene = Scene::with(&repo, &partial, None);
    let text = repo.open().diff(&base, &change).unwrap();
    let id = scene.give(Request::Diff { from: base.as_str().into(), to: change.as_str().into() }, &text);
    for onto in [&base, &change] {
        let error = scene.carried(&on(onto, 0..3, id)).unwrap_err();
        assert!(
            matches!(&error, Error::Git { message } if message.contains("is not in this partial clone")),
            "{error:?}"
        );
    }
    let request = Request::Diff { from: base.as_str().into(), to: change.as_str().into() };
    assert_eq!(scene.variants.read(&request, &|_| None).unwrap_err().code(), "git");
    // Contents of unchanged files may be missing.
    let text = b"diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n";
    let id = scene.give(request, text);
    let carried = scene.carried(&on(&base, 0..2, id)).unwrap();
    assert_eq!(scene.names(&carried.tree), ["new", "text"]);
}

#[test]
fn an_overlay_applies_to_every_tree() {
    let (repo, base, change) = with_change();
    repo.write("tests/new", "assert\n");
    repo.write("tests/*", "star\n");
    repo.write("script", "run\n");
    let tests = repo.commit("tests");
    repo.git(&["checkout", "-q", &base]);
    repo.write("tests/old", "old\n");
    repo.write("script/inside", "a folder, here\n");
    repo.write("keep/tests", "kept\n");
    let older = repo.commit("older");
    let overlay =
        |paths: &[&str]| Overlay { revision: tests.clone(), paths: paths.iter().map(PathBuf::from).collect() };
    let mut scene = Scene::with(&repo, &repo.open(), Some(overlay(&["tests/", "script"])));
    let plain = scene.carried(&older.as_str().into()).unwrap();
    assert_eq!(scene.names(&plain.tree), ["keep/tests", "script", "tests/*", "tests/new", "text"]);
    assert_eq!((plain.way, scene.file(&plain.tree, "script")), (Way::None, "run".to_owned()));
    // The patch applies to the revision itself.
    repo.git(&["checkout", "-q", &older]);
    git(&repo.path, &["apply", "--index", "-"], &String::from_utf8(plain.patch).unwrap());
    assert_eq!(repo.git(&["write-tree"]), plain.tree);
    // Both sides of a diff have the overlay, so the diff does not contain it. The result also has it.
    let id = scene.read(&*base, &*change);
    assert_eq!(scene.reads[id as usize].1.bytes(), interleaved(&repo.open().diff(&base, &change).unwrap()));
    let carried = scene.carried(&on(&older, 0..3, id)).unwrap();
    assert_eq!(scene.names(&carried.tree), ["keep/tests", "script", "tests/*", "tests/new", "text"]);
    assert!(scene.file(&carried.tree, "text").contains("line twenty"));
    // The path is a name, not a pattern.
    let scene = Scene::with(&repo, &repo.open(), Some(overlay(&["tests/*"])));
    let tree = scene.carried(&older.as_str().into()).unwrap().tree;
    assert_eq!(scene.names(&tree), ["keep/tests", "script/inside", "tests/*", "tests/old", "text"]);
    for wrong in [&["missing"][..], &["tests/n*"], &[""], &["."], &["../text"], &["/text"], &["a/../text"], &[]] {
        let options = VariantsOptions {
            overlay: Some(overlay(wrong)),
            folder: Some(repo.temp.join("vari:ants \"of\"")),
            parse: true,
        };
        let error = Variants::new(&repo.open(), options).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidArgument { argument, .. } if argument == "overlay"),
            "{wrong:?}: {error}"
        );
    }
}

#[test]
fn invalid_targets_are_rejected() {
    let (repo, base, change) = with_change();
    let mut scene = Scene::of(&repo);
    let id = scene.read(&*base, &*change);
    let file = scene.give(Request::Tree { revision: base.clone() }, b"text\0");
    let broken =
        scene.give(Request::Diff { from: base.as_str().into(), to: change.as_str().into() }, b"diff --git a/f\n");
    let own = scene.reads.len() as u64;
    scene.give(Request::Diff { from: on(&base, [0], own), to: change.as_str().into() }, b"");
    let changes: ChangeSet = [0].into_iter().collect();
    let nowhere = Target { revision: Some(base.clone()), changes: Some(changes.clone()), ..Target::default() };
    let wrong = [
        (changes.into(), "invalid_argument"),
        (nowhere, "invalid_argument"),
        (on(&base, [3], id), "invalid_argument"),
        (on(&base, [0], 99), "invalid_argument"),
        (on(&base, [0], u64::MAX), "invalid_argument"),
        (on(&base, [0], file), "invalid_argument"),
        (on(&base, [0], own), "invalid_argument"),
        (on(&base, [0], broken), "patch_syntax"),
        (on("nothing", [0], id), "unknown_revision"),
        ("--help".into(), "unknown_revision"),
    ];
    for (target, code) in &wrong {
        assert_eq!(scene.carried(target).unwrap_err().code(), *code, "{target}");
    }
    // Universes can depend on each other, up to a limit.
    let mut top = on(&base, [2], id);
    for depth in 1..=32 {
        assert!(scene.carried(&top).is_ok(), "{depth}");
        let text = format!(
            "diff --git a/{depth} b/{depth}\nnew file mode 100644\n--- /dev/null\n+++ b/{depth}\n@@ -0,0 +1 @@\n+x\n"
        );
        let next = scene.give(Request::Diff { from: top, to: change.as_str().into() }, text.as_bytes());
        top = on(&base, [0, 1], next);
    }
    let error = scene.carried(&top).unwrap_err().to_string();
    assert!(error.contains("at most 32 reads"), "{error}");
}

/// Nothing is written to the repository, no configured program runs, and the environment has no influence.
#[test]
fn variants_do_not_change_the_repository() {
    let (repo, base, change) = with_change();
    repo.write("text", &lines(0..40).replace("line 22\n", "line twenty-two\n"));
    let older = repo.commit("older");
    repo.write("text", &lines(0..40).replace("line 20\n", "another\n"));
    let other = repo.commit("other");
    let mark = repo.temp.join("run");
    let command = format!("touch {}; exit 0", mark.display());
    for key in [
        "merge.evil.driver",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.evil.smudge",
        "core.fsmonitor",
    ] {
        repo.git(&["config", key, &command]);
    }
    repo.git(&["config", "merge.default", "evil"]);
    repo.git(&["config", "filter.evil.required", "true"]);
    std::fs::write(repo.path.join(".git/info/attributes"), "* merge=evil diff=evil filter=evil\n").unwrap();
    let before = snapshot(&repo.path);
    let folder = {
        let mut scene = Scene::of(&repo);
        assert_eq!(scene.all(&base, &change, &older).unwrap().way, Way::ThreeWay);
        conflict(scene.all(&base, &change, &other));
        let folder = scene.variants.folder().to_owned();
        assert!(folder.exists() && !folder.starts_with(&repo.path));
        // No index file is left behind.
        let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, [".git"]);
        scene.variants.close().unwrap();
        assert!(!folder.exists());
        scene.variants.close().unwrap();
        folder
    };
    assert!(!folder.exists() && !folder.with_extension("lock").exists() && !mark.exists());
    assert_eq!(snapshot(&repo.path), before);
    let options = VariantsOptions { folder: Some(repo.path.join("inside")), ..VariantsOptions::default() };
    let error = Variants::new(&repo.open(), options).unwrap_err();
    assert!(matches!(&error, Error::InvalidArgument { argument, .. } if argument == "folder"), "{error}");
}

/// Leftovers of a killed process are removed by the next one.
#[test]
fn leftover_folders_are_removed() {
    let (repo, base, _) = with_change();
    let above = {
        let scene = Scene::of(&repo);
        scene.variants.folder().parent().unwrap().to_owned()
    };
    let left = above.join("1-0");
    std::fs::create_dir_all(left.join(".git")).unwrap();
    let scene = Scene::of(&repo);
    assert!(!left.exists());
    assert_eq!(scene.carried(&base.as_str().into()).unwrap().way, Way::None);
    // A folder in use stays.
    let second = Scene::of(&repo);
    assert!(scene.variants.folder().exists() && second.variants.folder().exists());
}
