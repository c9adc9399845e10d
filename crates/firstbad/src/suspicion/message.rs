use super::ranking::Ranking;

impl Ranking {
    pub(super) fn what(&self) -> String {
        match &self.tests[..] {
            [test] => format!("{test} depends on"),
            tests => format!("at least one of {} tests depends on", tests.len()),
        }
    }
}

pub(super) fn message(ranking: &Ranking, changes: usize) -> String {
    let plural = |count: usize, word: &str| if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") };
    let none = match changes {
        1 => "the change does not touch".to_owned(),
        _ => format!("none of the {changes} changes touches"),
    };
    let mut text = match (ranking.suspects.len(), changes) {
        (_, 0) => "there are no changes, so the cause is not in this graph".to_owned(),
        (0, _) if !ranking.unlikely.is_empty() => format!(
            "{none} a known file that {}. The cause may be a dependency that the build graph lacks, \
             the environment, another package, or a flake",
            ranking.what()
        ),
        (0, _) => format!(
            "{none} a file that {}. The cause may be the environment, another package, a flake, or a \
             file that no target lists",
            ranking.what()
        ),
        (suspects, _) => {
            let verb = if suspects == 1 { "touches" } else { "touch" };
            format!("{suspects} of {} {verb} files that {}", plural(changes, "change"), ranking.what())
        }
    };
    if !ranking.unplaced.is_empty() {
        let verb = if ranking.unplaced.len() == 1 { "belongs" } else { "belong" };
        text.push_str(&format!(". {} {verb} to no target and did not count", plural(ranking.unplaced.len(), "file")));
    }
    if !ranking.cycles.is_empty() {
        text.push_str(&format!(
            ". {} of targets that depend on each other, counted as one target each",
            plural(ranking.cycles.len(), "circle")
        ));
    }
    if !ranking.unlikely.is_empty() {
        let count = ranking.unlikely.len();
        let why = if ranking.complete {
            "no build graph has all their files"
        } else {
            "the build graph does not know all inputs"
        };
        text.push_str(&format!(". {count} unlikely but not excluded, because {why}"));
    }
    text
}
