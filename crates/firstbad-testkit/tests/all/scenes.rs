//! The scenes of every kind are valid searches.

use firstbad_testkit::scenes::Scene;

#[test]
fn every_kind_opens_in_every_world() {
    for kind in 0..Scene::KINDS {
        for seed in 0..300 {
            let opened = Scene::new(kind, seed).open();
            assert!(opened.is_ok(), "kind {kind}, seed {seed}: {}", opened.err().expect("an error"));
        }
    }
}
