//! Learned weights, in words.

use firstbad::capital;
use firstbad::suspicion::{ContentFit, ContentWeights};

/// The weights, each beside what it was before.
pub fn fit(fit: &ContentFit, before: &ContentWeights) -> String {
    let numbers = |weights: &ContentWeights| {
        [weights.source, weights.lines, weights.source_and_test, weights.path, weights.subject, weights.floor]
    };
    let names = ["source", "lines", "source_and_test", "path", "subject", "floor"];
    let mut text = format!("{}\n\n", capital(&fit.message));
    for ((name, now), then) in names.into_iter().zip(numbers(&fit.weights)).zip(numbers(before)) {
        text.push_str(&format!("  {name:<16}{now:>6.2}  (before {then:.2})\n"));
    }
    text
}
