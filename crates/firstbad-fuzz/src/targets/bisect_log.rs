//! `git bisect log`.

use firstbad_cli::BisectLog;

pub(super) fn take(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(log) = BisectLog::parse("log", text) else { return };
    // What it says can be written as a log, and says the same.
    if log.outcomes().iter().all(|(target, _)| is_plain(&target.to_string())) {
        let mut lines = vec!["git bisect start".to_owned()];
        for (target, seen) in log.outcomes() {
            let outcome = match seen.outcome {
                firstbad::Outcome::Pass => "good",
                firstbad::Outcome::Fail => "bad",
                firstbad::Outcome::Unresolved => "skip",
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
