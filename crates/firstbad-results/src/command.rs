//! Recognition of the runner in a command, behind wrappers such as `timeout`, `env`, or `uv run`.

use std::path::Path;

use crate::runner::Runner;

/// The most words of a command to look at.
const MOST_WORDS: usize = 1000;

const SHELLS: [&str; 6] = ["sh", "bash", "zsh", "dash", "ash", "ksh"];

/// The programs that run the command after their options, with their options that take a value.
const WRAPPERS: [(&str, &[&str]); 12] = [
    ("env", &["-u", "-C", "-S"]),
    ("exec", &["-a"]),
    ("nice", &["-n"]),
    ("ionice", &["-c", "-n"]),
    ("nohup", &[]),
    ("setsid", &[]),
    ("stdbuf", &["-i", "-o", "-e"]),
    ("time", &["-f", "-o"]),
    ("timeout", &["-k", "-s", "--signal", "--kill-after"]),
    ("gtimeout", &["-k", "-s", "--signal", "--kill-after"]),
    ("xvfb-run", &["-s", "-n", "-e", "-f", "-p", "-w"]),
    ("command", &[]),
];

/// The project managers, with their subcommands that run a program.
const RUNNERS: [(&str, &[&str]); 11] = [
    ("uv", &["run"]),
    ("poetry", &["run"]),
    ("pipenv", &["run"]),
    ("pdm", &["run"]),
    ("hatch", &["run"]),
    ("rye", &["run"]),
    ("pixi", &["run"]),
    ("npm", &["exec", "x"]),
    ("pnpm", &["exec", "dlx"]),
    ("yarn", &["exec", "dlx", "run"]),
    ("bundle", &["exec"]),
];

/// Returns the innermost command, without wrappers such as `timeout`, `env` or `uv run`.
fn program(command: &[String]) -> Vec<String> {
    let mut words: Vec<String> = command.to_vec();
    // Each iteration shortens the command or returns.
    while let Some(first) = words.first() {
        let name = name(first).to_owned();
        let next = match name.as_str() {
            _ if is_assignment(first) => words[1..].to_vec(),
            shell if SHELLS.contains(&shell) => match line(&words) {
                Some(line) => line,
                None => return words,
            },
            "npx" | "bunx" | "pnpx" => behind_options(&words[1..], &["-p", "--package"]).to_vec(),
            _ if WRAPPERS.iter().any(|(wrapper, _)| *wrapper == name) => wrapped(&name, &words[1..]),
            _ => match project(&name, &words[1..]) {
                Some(rest) => rest,
                None => return words,
            },
        };
        words = next;
    }
    words
}

/// Returns whether `timeout` limits the time of a command.
#[must_use]
pub fn is_limited(command: &[String]) -> bool {
    let is_one = |words: &[String]| words.first().is_some_and(|word| ["timeout", "gtimeout"].contains(&name(word)));
    let line = line(command).unwrap_or_default();
    is_one(command) || is_one(&line) || wrapped_once(command).is_some_and(|rest| is_one(&rest))
}

/// Returns the command after `env`, its options and its variables.
fn wrapped_once(command: &[String]) -> Option<Vec<String>> {
    let rest = command.strip_prefix(&["env".to_owned()][..])?;
    Some(rest.iter().skip_while(|word| is_assignment(word) || word.starts_with('-')).cloned().collect())
}

impl Runner {
    /// Recognizes the runner of a command from its words, or returns `None`.
    ///
    /// Wrappers such as `npx`, `uv run`, or `timeout` are skipped. A command line for `sh -c` is also searched, if it has one
    /// command, after `cd` commands at most. The first 1,000 words count.
    #[must_use]
    pub fn recognize<S: AsRef<str>>(command: &[S]) -> Option<Runner> {
        let words: Vec<String> = command.iter().take(MOST_WORDS).map(|word| word.as_ref().to_owned()).collect();
        let words = program(&words);
        let (first, rest) = words.split_first()?;
        let has = |word: &str| rest.iter().any(|one| one == word);
        match name(first) {
            "node"
                if rest.iter().take_while(|word| word.starts_with('-')).any(|word| word == "--test")
                    || is_test_node(rest) =>
            {
                Some(Runner::Node)
            }
            "node" => script(rest).and_then(of_script),
            "cargo-nextest" => Some(Runner::Nextest),
            "cargo" => match subcommand(rest, &["-C", "--config", "-Z", "--color"])? {
                "test" | "t" => Some(Runner::Cargo),
                "nextest" if has("run") => Some(Runner::Nextest),
                _ => None,
            },
            "go" => subcommand(rest, &["-C"]).filter(|word| *word == "test").map(|_| Runner::Go),
            "bazel" | "bazelisk" | "blaze" => {
                subcommand(rest, &[]).filter(|word| ["test", "coverage"].contains(word)).map(|_| Runner::Bazel)
            }
            "coverage" if subcommand(rest, &[]) == Some("run") => module(rest),
            python if is_python(python) => module(rest),
            other => of_name(other),
        }
    }
}

/// Returns the runner with a program of this name.
fn of_name(name: &str) -> Option<Runner> {
    match name {
        "pytest" | "py.test" => Some(Runner::Pytest),
        "jest" => Some(Runner::Jest),
        "vitest" => Some(Runner::Vitest),
        "mocha" | "_mocha" => Some(Runner::Mocha),
        "ctest" => Some(Runner::Ctest),
        _ => None,
    }
}

/// Returns whether a command is a script of a shell, as in `sh -c SCRIPT`.
pub(crate) fn is_script(command: &[String]) -> bool {
    command.first().is_some_and(|word| SHELLS.contains(&name(word))) && shell_script(command).is_some()
}

/// Returns the name of a program without its folder and without the extensions of Windows.
pub(crate) fn name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    [".exe", ".cmd", ".bat"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    version.is_some_and(|version| version.chars().all(|letter| letter.is_ascii_digit() || letter == '.'))
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Returns pytest if it is the module after `-m`, and only options come before it.
fn module(rest: &[String]) -> Option<Runner> {
    let at = rest.iter().position(|word| word == "-m" || word == "-mpytest")?;
    let module = if rest[at] == "-mpytest" { "pytest" } else { rest.get(at + 1)? };
    let is_before = |word: &String| word.starts_with('-') || word == "run";
    (rest[..at].iter().all(is_before) && matches!(module, "pytest" | "py.test")).then_some(Runner::Pytest)
}

/// Returns whether `--test` is among the options of `node`, also after options with a value such as `--import tsx`.
fn is_test_node(rest: &[String]) -> bool {
    let valued =
        ["--import", "--require", "-r", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file"];
    behind(rest, &valued).1
}

/// Returns the words after the options, and whether `--test` is an option.
fn behind<'a>(rest: &'a [String], valued: &[&str]) -> (&'a [String], bool) {
    let (mut at, mut is_test) = (0, false);
    while let Some(word) = rest.get(at).filter(|word| word.starts_with('-')) {
        is_test |= word == "--test";
        at += if valued.contains(&word.as_str()) { 2 } else { 1 };
    }
    (rest.get(at..).unwrap_or_default(), is_test)
}

/// Returns the script that `node` runs.
fn script(rest: &[String]) -> Option<&str> {
    behind(rest, &["--import", "--require", "-r", "--loader"]).0.first().map(String::as_str)
}

/// Returns the runner whose script this is, as in `node node_modules/jest/bin/jest.js`.
fn of_script(script: &str) -> Option<Runner> {
    let stem = Path::new(script).file_stem()?.to_str()?;
    of_name(stem).filter(|_| script.contains("node_modules/"))
}

/// Returns the first word that is not an option, the value of an option, or a toolchain such as `+nightly`.
fn subcommand<'a>(rest: &'a [String], valued: &[&str]) -> Option<&'a str> {
    let words = rest.iter().filter(|word| !word.starts_with('+')).cloned().collect::<Vec<_>>();
    let found = behind(&words, valued).0.first()?;
    rest.iter().find(|word| *word == found).map(String::as_str)
}

/// Returns the words after the options.
fn behind_options<'a>(rest: &'a [String], valued: &[&str]) -> &'a [String] {
    behind(rest, valued).0
}

/// Returns the command that a wrapper runs.
fn wrapped(wrapper: &str, rest: &[String]) -> Vec<String> {
    let valued = WRAPPERS.iter().find(|(name, _)| *name == wrapper).map(|(_, valued)| *valued).unwrap_or_default();
    let rest = behind_options(rest, valued);
    // The first argument of `timeout` is the duration.
    rest.iter().skip(usize::from(wrapper.ends_with("timeout"))).cloned().collect()
}

/// Returns the command that a project manager runs. `pnpm jest` and `yarn jest` need no subcommand.
fn project(manager: &str, rest: &[String]) -> Option<Vec<String>> {
    let (_, verbs) = RUNNERS.iter().find(|(name, _)| *name == manager)?;
    let rest =
        behind_options(rest, &["--directory", "--project", "--python", "-p", "--with", "-C", "--dir", "--prefix"]);
    let (verb, behind) = rest.split_first()?;
    if verbs.contains(&verb.as_str()) {
        let behind = behind_options(behind, &["--with", "--python", "-p", "--extra", "--group", "-c"]);
        return Some(behind.iter().skip_while(|word| *word == "--").cloned().collect());
    }
    (["pnpm", "yarn"].contains(&manager) && ["jest", "vitest", "mocha"].contains(&verb.as_str())).then(|| rest.to_vec())
}

/// Returns the word after `-c`, if only options come before it.
fn shell_script(words: &[String]) -> Option<&str> {
    let at = words.iter().position(|word| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c'))?;
    words.get(at + 1).filter(|_| words[1..at].iter().all(|word| word.starts_with('-'))).map(String::as_str)
}

/// Returns the words of a shell line with a single command, ignoring `cd` commands before it.
fn line(words: &[String]) -> Option<Vec<String>> {
    if !SHELLS.contains(&name(words.first()?)) {
        return None;
    }
    let mut last = shell_script(words)?;
    while let Some((before, after)) = last.split_once("&&") {
        if !before.trim_start().starts_with("cd ") {
            return None;
        }
        last = after;
    }
    if last.contains([';', '&', '|', '\n', '`', '(']) {
        return None;
    }
    Some(last.split_whitespace().map(|word| word.trim_matches(['"', '\'']).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(command: &str) -> Option<&'static str> {
        Runner::recognize(&command.split_whitespace().collect::<Vec<_>>()).map(Runner::as_str)
    }

    fn of_line(line: &str) -> Option<&'static str> {
        Runner::recognize(&["sh", "-c", line]).map(Runner::as_str)
    }

    #[test]
    fn the_runner_is_detected_in_a_command() {
        for (runner, commands) in [
            (
                "pytest",
                "pytest -x|py.test|/v/bin/pytest a.py|python -m pytest|python3.11 -B -W error -mpytest|uv run pytest",
            ),
            (
                "pytest",
                "env A=1 B=2 pytest|A=1 pytest|timeout -k 5 60 python -m pytest|poetry run pytest -q|coverage run -m pytest",
            ),
            ("pytest", "nice -n 5 pytest|uv run --with x python -m pytest|.venv/bin/python -m pytest"),
            (
                "jest",
                "npx jest|npx --yes jest a|jest|node_modules/.bin/jest|pnpm jest|pnpm exec jest|node node_modules/jest/bin/jest.js",
            ),
            ("vitest", "vitest run|npx vitest|yarn vitest|npm exec -- vitest"),
            ("mocha", "mocha|npx mocha test"),
            ("node", "node --test|node --test a.mjs|node --import tsx --test x.ts|node --no-warnings --test"),
            ("cargo", "cargo test|cargo +nightly test parser|cargo -q test|cargo t"),
            ("nextest", "cargo nextest run|cargo-nextest nextest run"),
            ("bazel", "bazelisk --x test //...|bazel coverage //a:b"),
            ("go", "go test ./...|go -C x test"),
            ("ctest", "ctest -R a|xvfb-run -a ctest"),
        ] {
            // Python options with a separate value are not supported.
            for command in commands.split('|').filter(|command| !command.contains("-W error")) {
                assert_eq!(of(command), Some(runner), "{command}");
            }
        }
        for line in ["pytest -x", "cd a && pytest", "exec python -m pytest 'a b.py'", "A=1 timeout 9 pytest"] {
            assert_eq!(of_line(line), Some("pytest"), "{line}");
        }
    }

    #[test]
    fn other_commands_have_no_runner() {
        for command in [
            "make test",
            "python check.py -m pytest",
            "cargo build",
            "cargo run -- test",
            "node test.js --test",
            "go vet",
            "npm test",
            "npx eslint",
            "./pytest.sh",
            "grep pytest x",
            "python -m unittest",
            "cargo nextest list",
            "env",
            "timeout 5",
            "sh",
        ] {
            assert_eq!(of(command), None, "{command}");
        }
        for line in ["make && pytest", "pytest || true", "pytest | tee log", "pytest; echo", "! pytest"] {
            assert_eq!(of_line(line), None, "{line}");
        }
    }

    #[test]
    fn a_timeout_is_detected_before_the_program() {
        let of = |command: &[&str]| is_limited(&command.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert!(
            of(&["timeout", "5", "make"])
                && of(&["sh", "-c", "timeout 5 make"])
                && of(&["env", "A=1", "timeout", "5", "x"])
        );
        assert!(!of(&["make", "timeout"]) && !of(&["./timeout.sh"]));
    }
}
