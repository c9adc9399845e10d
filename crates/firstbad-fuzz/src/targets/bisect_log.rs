//! `git bisect log`.

use firstbad::{Find, Outcome};
use firstbad_cli::BisectLog;

pub(super) fn take(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(log) = BisectLog::parse("log", text) else { return };
    // A parsed log can be written and parsed again.
    if log.outcomes().iter().all(|(target, _)| is_plain(&target.to_string())) {
        let (start, passes, fails) = match log.find {
            Find::Regression => ("git bisect start", "good", "bad"),
            Find::Fix => ("git bisect start --term-new=fixed --term-old=broken", "fixed", "broken"),
        };
        let mut lines = vec![start.to_owned()];
        for (target, seen) in log.outcomes() {
            let outcome = match seen.outcome {
                Outcome::Pass => passes,
                Outcome::Fail => fails,
                Outcome::Unresolved => "skip",
            };
            lines.push(format!("git bisect {outcome} {target}"));
        }
        let again = BisectLog::parse("log", &lines.join("\n")).expect("it was read before");
        assert_eq!(again.outcomes(), log.outcomes());
    }
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
