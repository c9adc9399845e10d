//! If disk calls fail, alone or in a row, the run reports the error, loses nothing, and continues.

use std::sync::Arc;

use firstbad_testkit::disk::Image;
use serde_json::json;

use super::recorder::Failing;
use super::scene::{Place, SCENES, Scene};
use crate::{Options, Test};

/// The numbers of consecutive calls that fail.
const ROW: [usize; 4] = [1, 2, 3, 7];

#[test]
fn every_failed_disk_call_is_reported_and_the_run_continues() {
    let mut moments = 0;
    for scene in SCENES {
        let undisturbed = scene.undisturbed();
        let place = Place::new(&Image::default());
        place.play(scene, 0).unwrap();
        for call in 0..place.disk.calls() {
            for (row, quarters) in ROW.into_iter().flat_map(|row| [(row, 0), (row, 2), (row, 3)]) {
                let place = Place::new(&Image::default());
                place.disk.fail(Failing::Some(call..call + row, quarters));
                let played = place.play(scene, row).unwrap();
                assert_eq!(played.found, undisturbed, "{scene:?}, call {call}");
                for error in &played.errors {
                    let named = error.contains("run.jsonl");
                    // Error numbers are the same in all C libraries. Their texts differ.
                    let why = ["(os error 28)", "(os error 5)"].iter().any(|why| error.contains(why));
                    assert!(named && why, "{scene:?}, call {call}: {error}");
                }
                assert!(!played.errors.is_empty(), "{scene:?}, call {call}");
                moments += 1;
            }
        }
    }
    println!("{moments} failures");
}

/// If any call fails while a journal is opened, the session releases the journal.
#[test]
fn a_journal_that_could_not_be_opened_is_released() {
    let options = Options { test: Test::Command(json!({"command": ["make"]})), ..Options::default() };
    let mut failed = 0;
    for begun in [false, true] {
        for call in 0.. {
            let place = Place::new(&Image::default());
            let attach = |options: &Options| {
                let mut session = Scene::Revisions.session();
                let attached = session.attach_on(Arc::clone(&place.disk) as _, &place.journal(), options);
                (session, attached)
            };
            if begun {
                attach(&Options::default()).1.unwrap();
            }
            let first = place.disk.calls() + call;
            place.disk.fail(Failing::Some(first..first + 1, 0));
            let (session, attached) = attach(&options);
            if attached.is_ok() {
                break;
            }
            assert_eq!(attach(&options).1.map(|_| ()), Ok(()), "call {call}");
            drop(session);
            failed += 1;
        }
    }
    assert!(failed >= 10, "{failed}");
}
