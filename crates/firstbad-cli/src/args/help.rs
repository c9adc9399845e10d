//! The layout of `--help`.

use std::fmt::Write as _;

use clap::builder::Styles;
use clap::{Arg, Args, Command};

/// `firstbad help`.
#[derive(Debug, Clone, Args)]
pub(crate) struct HelpArgs {
    /// A command, `metric`, or `exit-codes`
    pub(crate) topic: Option<String>,
}

pub(super) const REDUCED: &str = "Patch or file";
pub(super) const SUITE: &str = "Tests";
pub(super) const REVISIONS: &str = "Revisions";
pub(super) const TEST: &str = "Test command";
pub(super) const OUTCOMES: &str = "Outcomes";
pub(super) const BUILD: &str = "Build and environment";
pub(super) const METRIC: &str = "Numbers";
pub(super) const FLAKY: &str = "Flaky tests";
pub(super) const LIMITS: &str = "Limits and parallelism";
pub(super) const SAVING: &str = "Saving and resuming";
pub(super) const OUTPUT: &str = "Output";
pub(super) const ADVANCED: &str = "Advanced";
pub(super) const GLOBAL: &str = "Global options";

const HEADINGS: [&str; 12] =
    [REDUCED, REVISIONS, SUITE, TEST, OUTCOMES, METRIC, BUILD, FLAKY, LIMITS, SAVING, OUTPUT, ADVANCED];

/// The commands in their groups.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Find", &["run", "triage", "explain", "rank"]),
    ("Inspect", &["status", "report", "replay"]),
    ("Script", &["init", "ask", "tell", "undo"]),
    ("Reduce", &["minimize", "slice", "port"]),
    ("Other", &["completions", "man", "help"]),
];

pub(super) const MORE: &str = "Use --help for all options and details.";

pub(super) const RUN: &str = "\
Examples:
  Test HEAD and look for a passing revision:
    firstbad run -- pytest -x tests/test_cart.py
  Name both endpoints:
    firstbad run --good v1.0 --bad main -- make test
  Search two branches and run four tests in parallel:
    firstbad run --good v1.0 --bad main --bad release/2 -j4 -- ./check.sh
  The test is flaky:
    firstbad run --flaky -- npm test
  A number became worse by 5% or more:
    firstbad run --good v1.0 --metric seconds --at-least 5% -- ./bench
  Also find the lines of the commit that cause the failure:
    firstbad run --preset cargo --timeout 20m --explain -- cargo test parser
  Search a list of builds without a repository:
    firstbad run --list builds.txt -- ./test.sh {}
  Resume the last run in this repository:
    firstbad run --resume

`firstbad help metric` explains --metric. `firstbad help exit-codes` prints the exit codes.";

pub(super) const TRIAGE: &str = "\
Examples:
  Compare the reports of tonight with those of the last green run:
    firstbad triage --good v1.4 --good-results last/*.xml --bad-results tonight/*.xml -- pytest
  Without reports, run the whole suite once at each endpoint:
    firstbad triage --good HEAD~200 -- npx vitest run
  Build each revision, four at a time, and run the tests of a list:
    firstbad triage --good v1.4 --tests red.txt -j4 --build make -- ctest --test-dir build
  Use a runner that firstbad does not know:
    firstbad triage --good v1.4 --tests red.txt --results junit:out.xml -- ./run-tests.sh {tests}
  Resume the last triage in this repository:
    firstbad triage --resume

`firstbad help exit-codes` prints the exit codes.";

/// The text of `firstbad help exit-codes`.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
    0  Found, or done
    1  An error of Git, of a file, or of the network
    2  Invalid arguments
   10  Ambiguous: unresolved revisions prevent a single culprit
   11  Not reproduced: the test passes at the bad revision, the number did not change, or (rank) no suspect is left
   12  The test fails at the good revision
   13  Too flaky: the outcomes fit no culprit, or no single commit changed the number
   14  A limit was reached; the journal keeps the outcomes
   15  The test command stopped the search
   16  Not finished yet
   17  Another process writes to the journal
   18  No passing revision was found
   19  The bad revision is unresolved
128+n  Ended by signal n
";

/// Sorts the arguments of a command by their headings. Help prints the headings in the order of the arguments.
pub(super) fn in_order(command: Command) -> Command {
    rebuilt(command, |_| true)
}

/// Removes the options that are only in `firstbad.toml`, and shows those with a page of `firstbad help`.
pub(super) fn without_hidden(command: Command) -> Command {
    let command = command.mut_args(|argument| match has_page(&argument) {
        true => argument.hide(false).hide_short_help(true),
        false => argument,
    });
    rebuilt(command, |argument| !argument.is_hide_set())
}

/// Returns whether a page of `firstbad help` shows an option instead of the help of its command.
pub(super) fn has_page(argument: &Arg) -> bool {
    argument.is_hide_set() && argument.get_help_heading() == Some(METRIC)
}

fn rebuilt(command: Command, is_kept: impl Fn(&&Arg) -> bool) -> Command {
    let place = |argument: &Arg| {
        argument
            .get_help_heading()
            .map_or(0, |heading| 1 + HEADINGS.iter().position(|one| *one == heading).unwrap_or(HEADINGS.len()))
    };
    let mut arguments: Vec<Arg> = command.get_arguments().filter(is_kept).cloned().collect();
    arguments.sort_by_key(place);
    let names = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
    let Some(name) = names.into_iter().find(|name| *name == command.get_name()) else { return command };
    let mut ordered = Command::new(name).args(arguments);
    if let Some(about) = command.get_about() {
        ordered = ordered.about(about.clone());
    }
    if let Some(about) = command.get_long_about() {
        ordered = ordered.long_about(about.clone());
    }
    if let Some(text) = command.get_after_help() {
        ordered = ordered.after_help(text.clone());
    }
    if let Some(text) = command.get_after_long_help() {
        ordered = ordered.after_long_help(text.clone());
    }
    ordered
}

/// Lists the commands of the program in groups.
pub(super) fn with_groups(program: Command) -> Command {
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut template = "{about}\n\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in GROUPS {
        let _ = write!(template, "\n{header}{group}:{header:#}\n");
        for name in names {
            let about = program.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string);
            let _ = writeln!(template, "  {literal}{name:<11}{literal:#}  {}", about.unwrap_or_default());
        }
    }
    let _ = write!(template, "\n{header}Options:{header:#}\n{{options}}\n");
    template
        .push_str("\n`firstbad COMMAND --help` explains a command.\n`firstbad help exit-codes` prints the exit codes.");
    program.help_template(template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;

    fn built() -> Command {
        let mut program = Cli::program().term_width(80);
        program.build();
        program
    }

    #[test]
    fn short_help_of_every_command_fits_one_screen() {
        let mut program = built();
        let names: Vec<String> = program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        let mut pages: Vec<(String, String)> = vec![(String::new(), program.render_help().to_string())];
        for name in names {
            let mut command = program.find_subcommand(&name).unwrap().clone().term_width(80);
            pages.push((name, command.render_help().to_string()));
        }
        for (name, page) in pages {
            let lines: Vec<&str> = page.lines().collect();
            assert!(lines.len() <= 45, "{name}: {} lines\n{page}", lines.len());
            for line in lines {
                assert!(line.chars().count() <= 80, "{name}: {line:?}");
                // A continuation line is indented and does not start with an option or an argument.
                let is_continued = line.starts_with("          ") && !line.trim_start().starts_with(['-', '[', '<']);
                assert!(
                    !is_continued || line.trim().is_empty(),
                    "{name}: more than one line for an option: {line:?}\n{page}"
                );
            }
        }
    }

    #[test]
    fn run_has_at_most_45_options() {
        let program = built();
        let run = program.find_subcommand("run").unwrap();
        let options: Vec<&str> = run
            .get_opts()
            .chain(run.get_arguments().filter(|argument| !argument.get_action().takes_values()))
            .filter(|argument| !argument.is_hide_set())
            .map(|argument| argument.get_id().as_str())
            .collect();
        assert!(options.len() <= 45, "{}: {options:?}", options.len());
    }

    #[test]
    fn every_command_is_in_a_group() {
        let program = built();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut commands: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        grouped.sort_unstable();
        commands.sort_unstable();
        assert_eq!(commands, grouped);
    }

    #[test]
    fn first_lines_of_options_are_short() {
        for command in built().get_subcommands() {
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(
                    (1..=70).contains(&help.chars().count()),
                    "{} {}: {help}",
                    command.get_name(),
                    argument.get_id()
                );
            }
        }
    }
}
