//! Recognition of the runner from a command.

use crate::runner::Runner;

/// Programs that run the program in a following word.
const LAUNCHERS: [&str; 41] = [
    "npx",
    "pnpm",
    "yarn",
    "bunx",
    "bun",
    "npm",
    "exec",
    "dlx",
    "run",
    "uv",
    "uvx",
    "poetry",
    "pipenv",
    "hatch",
    "pdm",
    "rye",
    "tox",
    "nox",
    "coverage",
    "env",
    "nice",
    "time",
    "timeout",
    "xvfb-run",
    "stdbuf",
    "sudo",
    "nohup",
    "command",
    "python",
    "python3",
    "py",
    "c8",
    "nyc",
    "cross-env",
    "dotenv",
    "direnv",
    "mise",
    "conda",
    "micromamba",
    "pixi",
    "sh",
];

/// How many words of a command to search.
const WORDS: usize = 40;

impl Runner {
    /// Recognizes the runner of a command from its words, or returns `None`.
    ///
    /// The search stops at the first program that is neither a runner nor a launcher such as `npx` or `uv run`. A command line for
    /// `sh -c` is also searched.
    #[must_use]
    pub fn recognize<S: AsRef<str>>(command: &[S]) -> Option<Runner> {
        let words: Vec<&str> = command.iter().map(AsRef::as_ref).take(WORDS).collect();
        if let Some(script) = script(&words) {
            let parts = script.split(&['\n', ';', '&', '|'][..]);
            return parts.rev().find_map(|part| of_words(&part.split_whitespace().collect::<Vec<_>>()));
        }
        of_words(&words)
    }
}

/// Returns the script of `sh -c SCRIPT`.
pub(super) fn script<'a>(words: &[&'a str]) -> Option<&'a str> {
    let is_shell = matches!(program(words.first()?), "sh" | "bash" | "dash" | "zsh" | "ash" | "ksh");
    let flag = words
        .get(1..)?
        .iter()
        .position(|word| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c'))?;
    words.get(flag + 2).copied().filter(|_| is_shell)
}

fn of_words(words: &[&str]) -> Option<Runner> {
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        let next = || after.iter().find(|word| !word.starts_with('+'));
        let is_after = |name: &str| after.iter().take(WORDS).any(|word| *word == name);
        match program(word) {
            "pytest" | "py.test" => return Some(Runner::Pytest),
            "jest" => return Some(Runner::Jest),
            "vitest" => return Some(Runner::Vitest),
            "mocha" | "_mocha" => return Some(Runner::Mocha),
            "ctest" => return Some(Runner::Ctest),
            "cargo-nextest" => return Some(Runner::Nextest),
            "cargo" if next() == Some(&"nextest") => return Some(Runner::Nextest),
            "cargo" if matches!(next(), Some(&"test" | &"t")) => return Some(Runner::Cargo),
            "go" if after.first() == Some(&"test") => return Some(Runner::Go),
            "bazel" | "bazelisk" | "blaze" if is_after("test") || is_after("coverage") => return Some(Runner::Bazel),
            // A script of Node can also be a runner: `node node_modules/.bin/jest`.
            "node" | "nodejs" if is_after("--test") => return Some(Runner::Node),
            "node" | "nodejs" => {}
            name if LAUNCHERS.contains(&name) || name.starts_with("python3.") => {}
            // An option or its value, or `NAME=VALUE`.
            name if name.starts_with('-')
                || name.contains('=')
                || rest.len() < words.len() && is_value(rest, words) => {}
            _ => return None,
        }
        rest = after;
    }
    None
}

/// Returns whether the first word of `rest` follows an option in `words`, whose value it can be.
fn is_value(rest: &[&str], words: &[&str]) -> bool {
    words[..words.len() - rest.len()].last().is_some_and(|before| before.starts_with('-') || *before == "timeout")
}

/// Returns the name of a program without its folder and extension.
pub(super) fn program<'a>(word: &&'a str) -> &'a str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let ends = [".exe", ".cmd", ".bat", ".js", ".mjs", ".cjs"];
    ends.iter().find_map(|end| name.strip_suffix(end)).filter(|name| !name.is_empty()).unwrap_or(name)
}
