//! Oracles in partial clones.

// The commands are Unix shell scripts.
#![cfg(unix)]

use crate::common::{cloned, sh, source};
use firstbad::{Outcome, SlicedHistory};
use firstbad_git::{Repository, Slices};
use firstbad_oracle::CommandOracle;
use serde_json::json;

#[test]
fn missing_objects_of_a_partial_clone_are_named_or_fetched() {
    let (repo, shas) = source();
    for filter in ["blob:none", "tree:0"] {
        let name = filter.replace(':', "-");
        let path = cloned(&repo, &name, &format!("--filter={filter}"));
        let partial = Repository::open(&path).unwrap();
        let packs = || {
            let entries = std::fs::read_dir(path.join(".git/objects/pack")).unwrap();
            entries
                .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|of| of == "promisor"))
                .count()
        };
        let before = packs();
        let oracle =
            CommandOracle::new(&partial, sh("test -e folder/number && ! test -e broken"), repo.options()).unwrap();
        let error = oracle.run(&shas[3]).unwrap_err();
        assert_eq!(error.code(), "missing_objects");
        assert!(error.to_string().contains("git fetch --refetch --no-filter"), "{error}");
        assert_eq!(partial.diff(&shas[2], &shas[3]).unwrap_err().code(), "missing_objects");
        let paths = ["folder/number".to_owned(), "broken".to_owned()];
        let found = partial.missing_files(&shas[2], &paths);
        match filter {
            "tree:0" => assert_eq!(found.unwrap_err().code(), "missing_objects"),
            _ => assert_eq!(found.unwrap(), paths[1..]),
        }
        assert_eq!(packs(), before, "nothing is fetched unasked");

        let fetching = partial.clone().fetching(true);
        let oracle =
            CommandOracle::new(&fetching, sh("test -e folder/number && ! test -e broken"), repo.options()).unwrap();
        assert_eq!(oracle.run(&shas[3]).unwrap().outcome, Outcome::Pass);
        // All files are fetched at once, after the trees.
        assert_eq!(packs(), before + if filter == "tree:0" { 2 } else { 1 });
        assert_eq!(oracle.run(&shas[3]).unwrap().outcome, Outcome::Pass);
        assert_eq!(packs(), before + if filter == "tree:0" { 2 } else { 1 }, "what is there is not fetched again");
        assert_eq!(oracle.run(&shas[7]).unwrap().outcome, Outcome::Fail);
        assert!(!fetching.diff(&shas[3], &shas[4]).unwrap().is_empty());
        assert_eq!(
            fetching.tree_ids(&[shas[8].clone()]).unwrap()[0].1,
            repo.git(&["rev-parse", &format!("{}^{{tree}}", shas[8])])
        );
        assert_eq!(fetching.missing_files(&shas[2], &paths).unwrap(), paths[1..]);
        let options = json!({"history": {"base": shas[0], "tip": shas[9]}});
        let history = SlicedHistory::from_options(&options).unwrap();
        assert_eq!(Slices::open(&fetching, &history, Some(&repo.temp.join("slices"))).unwrap().changes().len(), 9);
    }
}
