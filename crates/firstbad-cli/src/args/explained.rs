//! `--help` in full: what the table of options says of the one that an argument stands for.

use clap::Command;
use serde_json::Value;

use super::values::TABLE;

/// Arguments, and the options of a search that they stand for.
type Meanings = &'static [(&'static str, &'static str)];

/// Those of [`SearchArgs`](super::SearchArgs).
const SEARCH: Meanings = &[
    ("good", "good"),
    ("bad", "bad"),
    ("fix", "find"),
    ("search", "search"),
    ("prefer", "prefer"),
    ("propagate", "propagate"),
    ("flaky", "flake_rate"),
    ("false_pass_rate", "false_pass_rate"),
    ("confidence", "confidence"),
    ("no_test_endpoints", "test_endpoints"),
    ("no_confirm", "confirm"),
    ("distinguish_failures", "distinguish_failures"),
    ("no_check_parents", "check_parents"),
    ("prior", "prior"),
    ("test_name", "test"),
];

/// Those of [`ReduceArgs`](super::ReduceArgs).
const REDUCTION: Meanings = &[("keep", "keep"), ("algorithm", "algorithm"), ("one_minimal", "guarantee")];

/// Those of [`WalkArgs`](super::port::WalkArgs).
const WALK: Meanings = &[
    ("start", "start"),
    ("good", "good"),
    ("oldest", "oldest"),
    ("revision", "revisions"),
    ("walk", "walk"),
    ("algorithm", "algorithm"),
    ("granularity", "granularity"),
    ("flat", "hierarchical"),
    ("ignore_early_pass", "early_pass"),
    ("figure2", "figure2"),
    ("max_patch", "max_patch"),
    ("always_keep", "always_keep"),
    ("forward", "forward"),
    ("seconds_factor", "seconds_factor"),
    ("memory_factor", "memory_factor"),
];

/// Those of [`SlicingArgs`](super::SlicingArgs).
const SLICING: Meanings = &[
    ("base", "history.base"),
    ("tip", "history.tip"),
    ("path", "history.paths"),
    ("tests", "history.tests"),
    ("granularity", "history.granularity"),
    ("keep", "keep"),
    ("algorithm", "algorithm"),
    ("scheme", "scheme"),
    ("start", "start"),
    ("guarantee", "guarantee"),
    ("seed", "seed"),
    ("no_learn", "learn"),
    ("dependencies", "dependencies"),
];

/// The commands that take options of a search, the search, and which.
const COMMANDS: [(&str, &str, Meanings); 5] = [
    ("run", "regression", SEARCH),
    ("init", "regression", SEARCH),
    ("reduce", "minimize", REDUCTION),
    ("port", "port", WALK),
    ("slice", "slice", SLICING),
];

/// The command line with the meaning of each such option under its argument, for those who ask for `--help` and not
/// for `-h`.
pub(super) fn explained(program: Command) -> Command {
    COMMANDS.iter().fold(program, |program, (command, algorithm, meanings)| {
        program.mut_subcommand(command, |command| {
            meanings.iter().fold(command, |command, (argument, option)| {
                let meaning = meaning(&TABLE, algorithm, option);
                let option = option.rsplit('.').next().unwrap_or(option);
                command.mut_arg(argument, |argument| {
                    let short = argument.get_help().map(ToString::to_string).unwrap_or_default();
                    argument.long_help(format!("{short}\n\nIn Python and Node `{option}`: {meaning}"))
                })
            })
        })
    })
}

/// What the table says of an option; after a dot, of a field of it.
fn meaning<'t>(table: &'t Value, algorithm: &str, option: &str) -> &'t str {
    let fields = option.split('.').fold(&table["$defs"][algorithm], |value, name| &value["properties"][name]);
    fields["description"].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn the_table_explains_what_an_argument_stands_for() {
        let mut program = explained(Cli::command());
        for (command, algorithm, meanings) in COMMANDS {
            let command = program.find_subcommand_mut(command).unwrap();
            for (argument, option) in meanings {
                let meaning = meaning(&TABLE, algorithm, option);
                let found = command.get_arguments().find(|found| found.get_id() == argument).unwrap();
                let long = found.get_long_help().unwrap().to_string();
                assert!(long.ends_with(meaning) && !meaning.is_empty(), "{argument}: {long}");
            }
        }
    }
}
