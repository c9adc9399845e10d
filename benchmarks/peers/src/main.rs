//! Measures robust-binary-search on the trials of firstbad's own benchmarks.
//!
//! Each argument SUSPECTS:RATE:TRIALS prints one line of CSV: tool, version, suspects, rate, trials, correct results, mean
//! runs, microseconds of processor time per decision, and the peak memory of this process so far in MiB.

use std::fs;
use std::thread;

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

/// The command line tool of robust-binary-search stops at this likelihood.
const LIKELIHOOD: f64 = 0.99;

/// The version of robust-binary-search. The manifest requires exactly this version.
const VERSION: &str = "0.1.1";

/// The seconds of processor time of this thread.
fn processor_seconds() -> f64 {
    // Linux updates the time only at ticks and when the thread yields.
    thread::yield_now();
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|field| field.parse::<f64>().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e9
}

/// The peak memory of this process in MiB.
fn peak_mib() -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = field.and_then(|rest| rest.split_whitespace().next()).and_then(|field| field.parse::<f64>().ok());
    kib.unwrap_or(f64::NAN) / 1024.0
}

fn row(suspects: usize, rate: f64, trials: u64) {
    let (mut right, mut runs) = (0u64, 0u64);
    let start = processor_seconds();
    for trial in 0..trials {
        let mut random = Random(trial);
        let culprit = (random.fraction() * suspects as f64) as usize;
        // The last revision is known to fail and is not tested.
        let mut searcher = AutoSearcher::new(suspects - 1);
        let mut asked = 0;
        while searcher.likelihood(searcher.best_index()) <= LIKELIHOOD && asked < 5000 {
            let index = searcher.next_index();
            searcher.report(index, index >= culprit || random.fraction() < rate);
            asked += 1;
        }
        runs += asked;
        right += u64::from(searcher.best_index() == culprit);
    }
    let decision = 1e6 * (processor_seconds() - start) / runs as f64;
    let mean = runs as f64 / trials as f64;
    let peak = peak_mib();
    println!("robust-binary-search,{VERSION},{suspects},{rate},{trials},{right},{mean:.2},{decision:.2},{peak:.0}");
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
