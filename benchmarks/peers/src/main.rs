//! Measures robust-binary-search: one argument SUSPECTS:RATE:TRIALS per row of the table that is printed.

use std::time::Instant;

use robust_binary_search::AutoSearcher;

/// SplitMix64, as in `firstbad_testkit::simulated`.
struct Random(u64);

impl Random {
    fn fraction(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// What the command line tool built on it ends at.
const LIKELIHOOD: f64 = 0.99;

fn row(suspects: usize, rate: f64, trials: u64) {
    let (mut right, mut runs, mut seconds) = (0u64, 0u64, 0.0);
    for trial in 0..trials {
        let mut random = Random(trial);
        let culprit = (random.fraction() * suspects as f64) as usize;
        // It was seen to fail at the last one, which is therefore not tested.
        let mut searcher = AutoSearcher::new(suspects - 1);
        let start = Instant::now();
        let mut asked = 0;
        while searcher.likelihood(searcher.best_index()) <= LIKELIHOOD && asked < 5000 {
            let index = searcher.next_index();
            searcher.report(index, index >= culprit || random.fraction() < rate);
            asked += 1;
        }
        seconds += start.elapsed().as_secs_f64();
        runs += asked;
        right += u64::from(searcher.best_index() == culprit);
    }
    println!(
        "| robust-binary-search | {suspects} | {rate} | {trials} | {:.1}% | {:.1} | {:.1} |",
        100.0 * right as f64 / trials as f64,
        runs as f64 / trials as f64,
        1e6 * seconds / runs as f64
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for argument in std::env::args().skip(1) {
        let [suspects, rate, trials] = argument.split(':').collect::<Vec<_>>()[..] else {
            return Err(format!("{argument}: SUSPECTS:RATE:TRIALS").into());
        };
        row(suspects.parse()?, rate.parse()?, trials.parse()?);
    }
    Ok(())
}
