//! Each call to the disk fails, alone and with those after it: it is said, loses nothing, and the run goes on.

use super::recorder::{Failing, Image};
use super::scene::{Place, SCENES};

/// How many calls in a row fail.
const ROW: [usize; 4] = [1, 2, 3, 7];

#[test]
fn whichever_call_fails_it_is_said_and_the_run_goes_on() {
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
                    let why = ["No space left on device", "Input/output error"].iter().any(|why| error.contains(why));
                    assert!(named && why, "{scene:?}, call {call}: {error}");
                }
                assert!(!played.errors.is_empty(), "{scene:?}, call {call}");
                moments += 1;
            }
        }
    }
    println!("{moments} failures");
}
