//! Graphs, compared with the output of `git rev-list --parents`.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{Repo, git, history};
use firstbad::CommitGraph;
use firstbad_git::{GraphOptions, Repository};

type Rows = BTreeMap<String, (Option<i64>, Vec<String>)>;

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn options(tips: &[&str], exclude: &[&str]) -> GraphOptions {
    GraphOptions { tips: texts(tips), exclude: texts(exclude), ..GraphOptions::default() }
}

fn rows(graph: &CommitGraph) -> Rows {
    let ids = |nodes: &[u32]| nodes.iter().map(|&node| graph.id(node).to_owned()).collect();
    (0..graph.len() as u32)
        .map(|node| (graph.id(node).to_owned(), (Some(graph.time(node)), ids(graph.parents(node)))))
        .collect()
}

/// Returns the expected graph from the output of Git: included commits with their parents, and other parents as roots.
fn expected(repo: &Repo, options: &GraphOptions) -> (Rows, Vec<String>) {
    let mut arguments = texts(&["rev-list", "--topo-order", "--reverse", "--parents", "--timestamp"]);
    if options.first_parent {
        arguments.push("--first-parent".to_owned());
    }
    if options.tips.is_empty() {
        arguments.push("--all".to_owned());
    }
    arguments.extend(options.tips.iter().cloned());
    arguments.extend(options.exclude.iter().map(|name| format!("^{name}")));
    arguments.push("--".to_owned());
    arguments.extend(options.paths.iter().cloned());
    let text = repo.git(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let mut found = Rows::new();
    let mut order = Vec::new();
    for line in text.lines() {
        let mut words = line.split(' ').map(str::to_owned);
        let time = words.next().unwrap().parse().unwrap();
        let id = words.next().unwrap();
        let parents = if options.first_parent { words.take(1).collect() } else { words.collect::<Vec<_>>() };
        order.push(id.clone());
        found.insert(id, (Some(time), parents));
    }
    let beyond: BTreeSet<String> =
        found.values().flat_map(|(_, parents)| parents).filter(|id| !found.contains_key(*id)).cloned().collect();
    for id in beyond {
        let time = repo.git(&["show", "-s", "--format=%ct", &id]).parse().unwrap();
        found.insert(id, (Some(time), Vec::new()));
    }
    (found, order)
}

fn check(repo: &Repo, options: &GraphOptions) {
    let graph = repo.open().graph(options).unwrap();
    let (expected, order) = expected(repo, options);
    assert_eq!(rows(&graph), expected, "{options:?}");
    for node in 0..graph.len() as u32 {
        assert!(graph.parents(node).iter().all(|&parent| parent < node));
    }
    let ids: Vec<&str> = graph.ids().filter(|id| order.iter().any(|known| known == id)).collect();
    assert_eq!(ids, order, "{options:?}");
}

fn check_all(repo: &Repo) {
    check(repo, &GraphOptions::default());
    check(repo, &options(&["w0"], &[]));
    check(repo, &options(&["w1", "w0", "w1~1"], &[]));
    check(repo, &options(&["w0", "w2"], &["w1~3", "w3"]));
    check(repo, &options(&["w0", "w1", "w2", "w3"], &["w0~9"]));
    let first_parent = |tips, exclude| GraphOptions { first_parent: true, ..options(tips, exclude) };
    check(repo, &first_parent(&["w0"], &[]));
    check(repo, &first_parent(&["w1"], &["w1~4"]));
    let paths = |options| GraphOptions { paths: texts(&["f1", "f3"]), ..options };
    check_kept(repo, &paths(GraphOptions::default()));
    check_kept(repo, &paths(options(&["w0", "w2"], &["w1~3"])));
    check_kept(repo, &paths(first_parent(&["w1"], &["w1~4"])));
    for back in 0..12 {
        let (older, newer) = (format!("w0~{}", back + 1), format!("w1~{}", back / 2));
        check_kept(repo, &paths(options(&["w0", &older, &newer], &[])));
        check_kept(repo, &GraphOptions { first_parent: true, ..paths(options(&["w0", &older], &[])) });
    }
}

/// Checks a history that is simplified to paths. It must contain Git's commits, the tips, and the first parents, with the same
/// ancestry as in the whole history.
fn check_kept(repo: &Repo, options: &GraphOptions) {
    let graph = repo.open().graph(options).unwrap();
    let whole = repo.open().graph(&GraphOptions { paths: Vec::new(), ..options.clone() }).unwrap();
    let (of_git, order) = expected(repo, options);
    let tips: Vec<String> = options.tips.iter().map(|tip| repo.sha(tip)).collect();
    let node = |id: &str| graph.get(id).unwrap_or_else(|| panic!("{id} is missing: {options:?}"));
    for id in order.iter().chain(&tips) {
        node(id);
    }
    let first_parent = |id: &str| whole.parents(whole.get(id).unwrap()).first().map(|&parent| whole.id(parent));
    let before: BTreeSet<&str> = order.iter().filter_map(|id| first_parent(id)).collect();
    for id in &order {
        let begins = graph.parents(node(id)).is_empty();
        assert!(!begins || first_parent(id).is_none(), "nothing before {id}: {options:?}");
    }
    for child in 0..graph.len() as u32 {
        let id = graph.id(child);
        let is_kept = tips.iter().any(|tip| tip == id) || before.contains(id);
        assert!(of_git.contains_key(id) || is_kept || graph.parents(child).is_empty(), "{id}");
        // If commits are left out between such a revision and its parent, the origin must list the revision.
        let [here, real] = [(&graph, child), (&whole, whole.get(id).unwrap())]
            .map(|(graph, node)| graph.parents(node).iter().map(|&parent| graph.id(parent)).collect::<Vec<_>>());
        let is_beyond = !order.iter().any(|known| known == id) && !here.is_empty() && here != real;
        assert_eq!(graph.origin().unwrap().kept.iter().any(|kept| kept == id), is_beyond, "{id}: {options:?}");
        for &parent in graph.parents(child) {
            assert!(parent < child, "{options:?}");
            let older = whole.get(graph.id(parent)).unwrap();
            assert!(whole.is_ancestor(older, whole.get(id).unwrap()), "{options:?}");
        }
    }
    if !options.first_parent {
        for (id, (_, parents)) in &of_git {
            for parent in parents {
                assert!(graph.is_ancestor(node(parent), node(id)), "{parent} of {id}: {options:?}");
            }
        }
    }
    // The endpoints have the same ancestry as in the whole history.
    for tip in &tips {
        for other in graph.ids().map(str::to_owned).collect::<Vec<_>>() {
            let [real_tip, real_other] = [tip, &other].map(|id| whole.get(id).unwrap());
            let (is, should) = (graph.is_ancestor(node(&other), node(tip)), whole.is_ancestor(real_other, real_tip));
            assert_eq!(is, should, "{other} before {tip}: {options:?}");
        }
    }
}

#[test]
fn endpoints_that_do_not_touch_the_paths_are_kept() {
    let repo = Repo::new();
    let mut shas = Vec::new();
    for number in 0..12 {
        repo.write(if number % 4 == 3 { "lib" } else { "doc" }, &number.to_string());
        shas.push(repo.commit("step"));
    }
    let lib = GraphOptions { paths: texts(&["lib"]), ..options(&[&shas[10], &shas[1], &shas[5]], &[]) };
    let graph = repo.open().graph(&lib).unwrap();
    let ids: Vec<&str> = graph.ids().collect();
    assert_eq!(ids, [&shas[1], &shas[3], &shas[5], &shas[7], &shas[10]], "one line, from end to end");
    assert_eq!(graph.origin().unwrap().kept, [&*shas[5], &*shas[10]], "others lie before them");
    for (place, id) in ids.iter().enumerate().skip(1) {
        assert_eq!(rows(&graph)[*id].1, [ids[place - 1].to_owned()]);
    }
    // Without named tips, only the first parents are kept.
    let all = GraphOptions { paths: texts(&["lib"]), ..GraphOptions::default() };
    let graph = repo.open().graph(&all).unwrap();
    let ids: Vec<&str> = graph.ids().collect();
    assert_eq!(ids, [&shas[2], &shas[3], &shas[7], &shas[11]]);
    let none = GraphOptions { paths: texts(&["nothing"]), ..options(&[&shas[10]], &[]) };
    let refused = repo.open().graph(&none).unwrap_err().to_string();
    assert!(refused.starts_with("paths: [\"nothing\"] is not valid"), "{refused}");
}

/// Each of these commits needs a walk over the whole history.
#[test]
fn only_the_newest_starts_of_paths_get_a_parent() {
    let repo = Repo::new();
    let commit = |branch: usize, mark: usize, from: usize, file: &str| {
        let from = if from > 0 { format!("from :{from}\n") } else { String::new() };
        let committer = format!("committer T <t@example.org> {} +0000", 1_700_000_000 + mark);
        format!(
            "commit refs/heads/b{branch}\nmark :{mark}\n{committer}\ndata 1\nx\n{from}M 100644 inline {file}\ndata 2\n{mark:02}\n"
        )
    };
    // Twenty commits in a line, and a branch from each that adds the file.
    let line = (1..=20).map(|mark| commit(0, mark, mark - 1, "doc"));
    let branches = (1..=20).map(|mark| commit(mark, 20 + mark, mark, "lib"));
    git(&repo.path, &["fast-import", "--quiet"], &line.chain(branches).collect::<String>());
    let tips = (1..=20).map(|branch| format!("b{branch}")).collect();
    let graph = repo.open().graph(&GraphOptions { tips, paths: texts(&["lib"]), ..GraphOptions::default() }).unwrap();
    let begins = |branch: usize| graph.parents(graph.get(&repo.sha(&format!("b{branch}"))).unwrap()).is_empty();
    assert_eq!((1..=20).filter(|&branch| begins(branch)).count(), 4);
    assert!(!begins(20));
}

fn import(repo: &Repo, from: u32, count: u32) {
    let marks = repo.temp.join("marks");
    let (import, export) =
        (format!("--import-marks-if-exists={}", marks.display()), format!("--export-marks={}", marks.display()));
    git(&repo.path, &["fast-import", "--quiet", "--force", &import, &export], &history(from, count));
    repo.git(&["symbolic-ref", "HEAD", "refs/heads/w0"]);
}

#[test]
fn graphs_match_git_without_a_commit_graph_file() {
    let repo = Repo::new();
    import(&repo, 0, 120);
    check_all(&repo);
}

#[test]
fn graphs_match_git_with_whole_partial_and_split_commit_graph_files() {
    let repo = Repo::new();
    import(&repo, 0, 120);
    repo.git(&["commit-graph", "write", "--reachable"]);
    check_all(&repo);
    import(&repo, 120, 90);
    check_all(&repo);
    repo.git(&["commit-graph", "write", "--reachable", "--split=no-merge"]);
    import(&repo, 210, 30);
    repo.git(&["commit-graph", "write", "--reachable", "--split=no-merge"]);
    import(&repo, 240, 10);
    assert!(repo.path.join(".git/objects/info/commit-graphs/commit-graph-chain").exists());
    check_all(&repo);
    // A repository that borrows its commit-graph file from another.
    let shared = repo.temp.join("shared");
    git(repo.temp.path(), &["clone", "-q", "--bare", "--shared", "repo", "shared"], "");
    let graph = Repository::open(shared).unwrap().graph(&GraphOptions::default()).unwrap();
    assert_eq!(rows(&graph), rows(&repo.open().graph(&GraphOptions::default()).unwrap()));
}

/// Writes a wrong time into the commit-graph file, which shows whether the file is used.
fn with_a_false_time() -> (Repo, String) {
    let repo = Repo::new();
    import(&repo, 0, 1);
    repo.git(&["commit-graph", "write", "--reachable"]);
    let root = repo.sha("HEAD");
    let time: u32 = repo.git(&["show", "-s", "--format=%ct"]).parse().unwrap();
    rewrite(&repo, &time.to_be_bytes(), &(time + 1).to_be_bytes());
    (repo, root)
}

/// Replaces bytes in the commit-graph file and updates the checksum.
fn rewrite(repo: &Repo, from: &[u8], to: &[u8]) {
    let file = repo.path.join(".git/objects/info/commit-graph");
    let mut bytes = std::fs::read(&file).unwrap();
    let places: Vec<usize> = (0..bytes.len() - from.len()).filter(|&i| bytes[i..].starts_with(from)).collect();
    assert_eq!(places.len(), 1);
    bytes[places[0]..places[0] + to.len()].copy_from_slice(to);
    let end = bytes.len() - 20;
    let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
    hasher.update(&bytes[..end]);
    let checksum = hasher.try_finalize().unwrap();
    bytes[end..].copy_from_slice(checksum.as_slice());
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, bytes).unwrap();
}

#[test]
fn the_commit_graph_file_is_read_unless_disabled_or_damaged() {
    let (repo, root) = with_a_false_time();
    let true_time: i64 =
        git(&repo.path, &["-c", "core.commitGraph=false", "show", "-s", "--format=%ct"], "").parse().unwrap();
    let time = |options: &GraphOptions| {
        let graph = repo.open().graph(options).unwrap();
        graph.time(graph.get(&root).unwrap())
    };
    assert_eq!(time(&GraphOptions::default()), true_time + 1);
    repo.git(&["config", "core.commitGraph", "no"]);
    assert_eq!(time(&GraphOptions::default()), true_time);
    repo.git(&["config", "core.commitGraph", "yes"]);
    // A damaged file is left to Git, which warns and reads the commits.
    let file = repo.path.join(".git/objects/info/commit-graph");
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, "CGPH nonsense").unwrap();
    assert_eq!(time(&GraphOptions::default()), true_time);
}

#[test]
fn replaced_objects_change_the_graph() {
    let repo = Repo::new();
    import(&repo, 0, 60);
    repo.git(&["commit-graph", "write", "--reachable"]);
    let whole = repo.open().graph(&GraphOptions::default()).unwrap().len();
    let cut = repo.git(&["rev-list", "--first-parent", "--skip=3", "-1", "w0"]);
    repo.git(&["replace", "--graft", &cut]);
    check(&repo, &options(&["w0"], &[]));
    assert!(repo.open().graph(&options(&["w0"], &[])).unwrap().len() < whole);
}

#[test]
fn a_shallow_clone_gives_a_shallow_graph() {
    let repo = Repo::new();
    import(&repo, 0, 60);
    let url = format!("file://{}", repo.path.display());
    git(repo.temp.path(), &["clone", "-q", "--depth=4", &url, "shallow"], "");
    let shallow = Repo { path: repo.temp.join("shallow"), temp: crate::common::Temp::new() };
    check(&shallow, &options(&["HEAD"], &[]));
    assert!(shallow.open().graph(&GraphOptions::default()).unwrap().len() < 30);
}

#[test]
fn a_repeated_parent_occurs_once() {
    let repo = Repo::new();
    let (a, b) = (repo.commit("a"), repo.commit("b"));
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    let text = format!(
        "tree {tree}\nparent {b}\nparent {a}\nparent {b}\nauthor A <a@b> 1000000009 +0000\ncommitter A <a@b> 1000000009 +0000\n\nm\n"
    );
    let odd = git(&repo.path, &["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], &text);
    repo.git(&["update-ref", "refs/heads/main", &odd]);
    for write in [&["status"][..], &["commit-graph", "write", "--reachable"]] {
        repo.git(write);
        let graph = repo.open().graph(&GraphOptions::default()).unwrap();
        assert_eq!(rows(&graph)[&odd].1, [b.clone(), a.clone()]);
        assert_eq!(repo.open().parents(&odd).unwrap(), [b.clone(), a.clone()]);
        // The result is the same if only the parents are in the file.
        repo.git(&["commit-graph", "write", "--reachable"]);
    }
}

#[test]
fn a_second_parent_never_replaces_a_first_parent() {
    let repo = Repo::new();
    let root = repo.commit("root, without the file");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("g", "1");
    let side = repo.commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let merge = repo.sha("HEAD");
    let touching_g = |tips: &[&str], exclude: &[&str]| GraphOptions {
        first_parent: true,
        paths: texts(&["g"]),
        ..options(tips, exclude)
    };
    let graph = repo.open().graph(&touching_g(&["main"], &[])).unwrap();
    let found: Vec<_> = rows(&graph).into_iter().map(|(id, (_, p))| (id, p)).collect();
    let mut expected = [(merge.clone(), vec![root.clone()]), (root.clone(), Vec::new())];
    expected.sort();
    assert_eq!(found, expected);
    let graph = repo.open().graph(&touching_g(&["main"], &[&root])).unwrap();
    assert_eq!(rows(&graph)[&merge].1, [root]);
    assert!(!rows(&graph).contains_key(&side));
}

#[test]
fn sha256_repositories_work() {
    let repo = Repo::init(&["--object-format=sha256"]);
    repo.commit("a");
    repo.commit("b");
    repo.git(&["commit-graph", "write", "--reachable"]);
    check(&repo, &GraphOptions::default());
    assert_eq!(repo.open().resolve("HEAD").unwrap().len(), 64);
}

#[test]
fn a_commit_graph_file_with_a_repeated_commit_is_ignored() {
    let bytes = |sha: &str| gix_hash::ObjectId::from_hex(sha.as_bytes()).unwrap().as_slice().to_vec();
    for other in ["HEAD~1", "HEAD~2"] {
        let repo = Repo::new();
        import(&repo, 0, 12);
        let expected = rows(&repo.open().graph(&GraphOptions::default()).unwrap());
        repo.git(&["commit-graph", "write", "--reachable"]);
        rewrite(&repo, &bytes(&repo.sha(other)), &bytes(&repo.sha("HEAD")));
        let read = repo.open().graph(&GraphOptions::default()).unwrap();
        assert_eq!(rows(&read), expected, "{other}");
    }
}

#[test]
fn a_commit_graph_file_with_a_wrong_checksum_is_ignored() {
    let repo = Repo::new();
    import(&repo, 0, 12);
    let expected = rows(&repo.open().graph(&GraphOptions::default()).unwrap());
    for split in [&[][..], &["--split"]] {
        repo.git(&[&["commit-graph", "write", "--reachable"][..], split].concat());
        let info = repo.path.join(".git/objects/info");
        let chain = std::fs::read_to_string(info.join("commit-graphs/commit-graph-chain"));
        let file = chain.map_or_else(
            |_| info.join("commit-graph"),
            |chain| info.join(format!("commit-graphs/graph-{}.graph", chain.trim())),
        );
        let bytes = std::fs::read(&file).unwrap();
        for place in (0..bytes.len()).step_by(41) {
            let mut other = bytes.clone();
            other[place] ^= 1 << (place % 8);
            std::fs::remove_file(&file).unwrap();
            std::fs::write(&file, &other).unwrap();
            let read = repo.open().graph(&GraphOptions::default()).unwrap();
            assert_eq!(rows(&read), expected, "byte {place} of {}", bytes.len());
        }
        if info.join("commit-graph").exists() {
            std::fs::remove_file(info.join("commit-graph")).unwrap();
        }
    }
}

/// Creates a commit with these dates, as import tools write them.
fn dated(repo: &Repo, parent: &str, [author, committer]: [&str; 2]) -> String {
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    let text = format!(
        "tree {}\nparent {parent}\nauthor Ada <ada@example.org> {author} +0000\ncommitter Ada <ada@example.org> {committer} +0000\n\nc\n",
        tree.trim()
    );
    let command = ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"];
    git(&repo.path, &command, &text).trim().to_owned()
}

#[test]
fn dates_before_1970_and_far_in_the_future_are_read() {
    let repo = Repo::new();
    repo.write("f", "1");
    let mut tip = repo.commit("a");
    let first = tip.clone();
    for dates in [["-5", "-5"], ["5", "-86400"], ["-86400", "5"], ["9223372036854775808", "99999999999999999999999"]] {
        tip = dated(&repo, &tip, dates);
    }
    let opened = repo.open();
    let graph = opened.graph(&options(&[&tip], &[])).unwrap();
    assert_eq!(graph.len(), 5);
    let (sha, _) = opened.commit(&tip).unwrap();
    assert_eq!(sha, tip);
    for sha in git(&repo.path, &["rev-list", &tip, &format!("^{first}")], "").lines() {
        let (_, commit) = opened.commit(sha).unwrap();
        assert!(!commit.author_date.contains('%') && !commit.commit_date.contains('%'), "{commit:?}");
    }
    assert!(opened.changes(&[first], &[tip], firstbad_git::Merges::Own).is_ok());
}
