//! The words of a command, with places for the arguments of a runner.

use super::escape::quoted;
use crate::command::{is_script, name};
use crate::error::ResultsError;

/// The word that the arguments of a runner or the ids of tests replace.
pub(super) const TESTS: &str = "{tests}";
/// The word that the path of a file with ids replaces.
pub(super) const TESTS_FILE: &str = "{tests_file}";

/// Arguments for a command.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    /// Options, which a `--` must not precede.
    pub(super) options: Vec<String>,
    /// Files, patterns, or labels, which come after the options.
    pub(super) operands: Vec<String>,
    /// Arguments that a `--` must precede.
    pub(super) behind: Vec<String>,
}

impl Arguments {
    fn all(self, has_dashes: bool) -> Vec<String> {
        let mut all = self.options;
        all.extend(self.operands);
        if !self.behind.is_empty() && !has_dashes {
            all.push("--".to_owned());
        }
        all.extend(self.behind);
        all
    }
}

/// Puts arguments into a command: at `{tests}`, or at the end of the options and of the command.
///
/// # Errors
/// [`ResultsError::NoPlace`] if the command is a script without `{tests}`.
pub(super) fn insert(command: &[String], arguments: Arguments) -> Result<Vec<String>, ResultsError> {
    if command.iter().any(|word| word.contains(TESTS)) {
        let dashes = command.iter().position(|word| word == "--");
        let place = command.iter().position(|word| word.contains(TESTS));
        let has_dashes = dashes.is_some_and(|dashes| place.is_some_and(|place| dashes < place));
        let words = if has_dashes && !arguments.behind.is_empty() {
            // The options go before the dashes, and the place is behind them.
            let mut words = replaced(command, &arguments.behind);
            let at = dashes.unwrap_or_default();
            words.splice(at..at, arguments.options.into_iter().chain(arguments.operands));
            words
        } else {
            replaced(command, &arguments.all(has_dashes))
        };
        return Ok(words);
    }
    if is_script(command) || command.is_empty() {
        return Err(ResultsError::NoPlace { command: command.join(" ") });
    }
    let mut words = command.to_vec();
    let dashes = words.iter().position(|word| word == "--");
    match dashes {
        // `npm test -- ...` and `npx -- jest`: all words behind the dashes are for the runner.
        Some(_) if arguments.behind.is_empty() => words.extend(arguments.all(true)),
        Some(at) => {
            words.extend(arguments.behind);
            words.splice(at..at, arguments.options.into_iter().chain(arguments.operands));
        }
        None => {
            if name(&words[0]) == "npm" && arguments.behind.is_empty() {
                words.push("--".to_owned());
            }
            words.extend(arguments.all(false));
        }
    }
    Ok(words)
}

/// Replaces `{tests}`. Inside a longer word, such as a script, the arguments are quoted.
pub(super) fn replaced(command: &[String], arguments: &[String]) -> Vec<String> {
    let mut words = Vec::with_capacity(command.len() + arguments.len());
    for word in command {
        if word == TESTS {
            words.extend_from_slice(arguments);
        } else if word.contains(TESTS) {
            let quoted: Vec<String> = arguments.iter().map(|argument| quoted(argument)).collect();
            words.push(word.replace(TESTS, &quoted.join(" ")));
        } else {
            words.push(word.clone());
        }
    }
    words
}

/// Splits texts into groups whose lengths add up to at most `most` bytes. A longer text is alone.
pub(super) fn batches(texts: &[String], length: impl Fn(&str) -> usize, most: usize) -> Vec<&[String]> {
    let mut batches = Vec::new();
    let (mut start, mut sum) = (0, 0);
    for (place, text) in texts.iter().enumerate() {
        let length = length(text);
        if place > start && sum + length > most {
            batches.push(&texts[start..place]);
            (start, sum) = (place, 0);
        }
        sum += length;
    }
    if start < texts.len() {
        batches.push(&texts[start..]);
    }
    batches
}
