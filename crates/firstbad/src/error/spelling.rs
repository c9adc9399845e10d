//! Options in messages, as tokens that each front end renders in its spelling.
//!
//! A token is `⟦name⟧`, `⟦name=value⟧`, or `⟦name:key=value⟧`, with brackets that are rare in other texts. The last form is an
//! entry of a mapping. The value `true` turns on a boolean option. A token from outside can only render as the name of an option.
//!
//! Reports as JSON and journals keep the tokens, so that every language can read them. A front end renders the tokens when it shows
//! a message.

/// A front end's spelling of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spelling {
    /// The spelling of Python and Rust: `flake_rate`, `search="bayes"`.
    #[default]
    Python,
    /// The spelling of Node: `flakeRate`, `search: "bayes"`.
    Node,
    /// The spelling of the command line: `--flaky`, `--search bayes`. Options without a flag are spelled as in Python.
    CommandLine,
}

const OPEN: char = '⟦';
const CLOSE: char = '⟧';

/// Creates the token of an option for a message: `option!(flake_rate)`, `option!(search = "bayes")`, or `option!(fetch = true)`.
///
/// ```
/// use firstbad::{Spelling, option};
///
/// let message = format!("try {}", option!(flake_rate = "estimate"));
/// assert_eq!(Spelling::Python.render(&message), "try flake_rate=\"estimate\"");
/// assert_eq!(Spelling::Node.render(&message), "try flakeRate: \"estimate\"");
/// assert_eq!(Spelling::CommandLine.render(&message), "try --flaky estimate");
/// ```
#[macro_export]
macro_rules! option {
    ($name:ident) => {
        concat!("⟦", stringify!($name), "⟧")
    };
    ($name:ident = $value:literal) => {
        concat!("⟦", stringify!($name), "=", $value, "⟧")
    };
}

/// Options whose flags are their names.
const FLAGS: &str = "algorithm all_steps allow_filters always_keep at_least bad base build confidence control_every coverage dependencies \
     environment exact fail_pattern false_pass_rate fetch first_parent forward good granularity guarantee jobs journal keep \
    keep_build keep_builds max_patch memory_factor metric oldest onto output_dir paired pass_pattern preset prior results \
    runner scheme search seconds_factor seed setup signature start store take tests timeout tip until walk warmup worse";

/// Options that are only in `firstbad.toml`.
const CONFIG_KEYS: &str = "check_parents configure control lfs output_limit prefer propagate stage_timeout submodules";

/// Options that are only in `firstbad.toml` under other names.
const OTHER_CONFIG_KEYS: [(&str, &str); 5] = [
    ("costs", "cached"),
    ("environment.files", "environment-files"),
    ("environment.link", "environment-link"),
    ("environment.version", "environment-version"),
    ("test", "test-name"),
];

/// Options whose flags differ from their names. Entries with a value come first.
const OTHER_FLAGS: [(&str, &str); 18] = [
    ("find=fix", "--fix"),
    ("search=bayes", "--flaky"),
    ("copy_files", "--copy"),
    ("distinguish_failures", "--distinguish-failures"),
    ("coverage.format", "--coverage-format"),
    ("coverage.root", "--coverage-root"),
    ("exit_codes", "--treat"),
    ("on_signal", "--treat signal=OUTCOME"),
    ("on_timeout", "--treat timeout=OUTCOME"),
    ("apply_patches", "--apply"),
    ("flake_rate", "--flaky"),
    ("history.granularity", "--granularity"),
    ("find_good", "--good"),
    ("known", "--import"),
    ("paths", "--path"),
    ("repository", "-C"),
    ("revisions", "--revision"),
    ("find_regressions", "firstbad run"),
];

impl Spelling {
    /// Returns the flags that the command line must have.
    #[doc(hidden)]
    pub fn flags() -> impl Iterator<Item = String> {
        let others = OTHER_FLAGS.iter().filter_map(|(_, flag)| flag.split(' ').next()).map(str::to_owned);
        others.chain(FLAGS.split_whitespace().filter_map(flag)).filter(|flag| flag.starts_with("--"))
    }

    /// Returns the keys that `firstbad.toml` must have.
    #[doc(hidden)]
    pub fn config_keys() -> impl Iterator<Item = String> {
        let names = OTHER_CONFIG_KEYS.iter().map(|(name, _)| *name).chain(CONFIG_KEYS.split_whitespace());
        names.filter_map(config_key)
    }
}

/// Returns the flag of an option, or `None` if the command line does not have the option.
fn flag(name: &str) -> Option<String> {
    let other = OTHER_FLAGS.iter().find(|(option, _)| *option == name).map(|(_, flag)| (*flag).to_owned());
    other.or_else(|| FLAGS.split_whitespace().any(|flag| flag == name).then(|| format!("--{}", name.replace('_', "-"))))
}

/// Returns the key of an option that is only in `firstbad.toml`.
fn config_key(name: &str) -> Option<String> {
    let other = OTHER_CONFIG_KEYS.iter().find(|(option, _)| *option == name).map(|(_, key)| (*key).to_owned());
    other.or_else(|| CONFIG_KEYS.split_whitespace().any(|key| key == name).then(|| name.replace('_', "-")))
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (start, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        name + &start.to_uppercase() + rest
    })
}

/// Replaces what stands in brackets and is a token.
fn replaced(text: &str, render: impl Fn(&str) -> Option<String>) -> String {
    let mut parts = text.split(OPEN);
    let mut rendered = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(CLOSE).and_then(|(token, rest)| Some((render(token)?, rest))) {
            Some((option, rest)) => rendered.extend([&option, rest]),
            None => {
                rendered.push(OPEN);
                rendered.push_str(part);
            }
        }
    }
    rendered
}

/// Whether a letter can be part of the name of an option.
fn is_name(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_.".contains(letter)
}

impl Spelling {
    /// Returns the name of an option.
    #[must_use]
    pub fn option(self, name: &str) -> String {
        match self {
            Spelling::Python => name.to_owned(),
            Spelling::Node => camel_case(name),
            Spelling::CommandLine => flag(name)
                .or_else(|| config_key(name).map(|key| format!("{key} in firstbad.toml")))
                .unwrap_or_else(|| name.to_owned()),
        }
    }

    /// Returns an option with a string value, or a boolean option turned on if the value is `true`.
    #[must_use]
    pub fn with(self, name: &str, value: &str) -> String {
        let quoted = if value.starts_with('"') { value.to_owned() } else { format!("{value:?}") };
        match (self, value) {
            (Spelling::Python, "true") => format!("{name}=True"),
            (Spelling::Python, _) => format!("{name}={quoted}"),
            (Spelling::Node, "true") => format!("{}: true", camel_case(name)),
            (Spelling::Node, _) => format!("{}: {quoted}", camel_case(name)),
            (Spelling::CommandLine, _) => match (flag(&format!("{name}={value}")), flag(name), config_key(name)) {
                (Some(flag), ..) => flag,
                (None, Some(flag), _) if value == "true" => flag,
                (None, Some(flag), _) => match flag.strip_suffix("OUTCOME") {
                    Some(flag) => format!("{flag}{value}"),
                    None => format!("{flag} {value}"),
                },
                (None, None, Some(key)) if value == "true" => format!("{key} = true in firstbad.toml"),
                (None, None, Some(key)) => format!("{key} = {quoted} in firstbad.toml"),
                (None, None, None) => Spelling::Python.with(name, value),
            },
        }
    }

    /// Returns an option with an entry of a mapping, such as the meaning of an exit code.
    #[must_use]
    pub fn entry(self, name: &str, key: &str, value: &str) -> String {
        match self {
            Spelling::Python => format!("{name}={{{key}: {value:?}}}"),
            Spelling::Node => format!("{}: {{ {key}: {value:?} }}", camel_case(name)),
            Spelling::CommandLine => format!("{} {key}={value}", self.option(name)),
        }
    }

    /// Turns the option at the start of an argument such as `exit_codes[1]` into a token. An argument that does not start with an
    /// option stays unchanged.
    #[must_use]
    pub fn token(argument: &str) -> String {
        let end = argument.find(|letter| !is_name(letter)).unwrap_or(argument.len());
        match argument.split_at(end) {
            ("", rest) => rest.to_owned(),
            (name, rest) => format!("{OPEN}{name}{CLOSE}{rest}"),
        }
    }

    /// Makes a token of an option with a value.
    #[must_use]
    pub fn token_with(name: &str, value: &str) -> String {
        format!("{OPEN}{name}={value}{CLOSE}")
    }

    /// Makes a token of an option with an entry of a mapping.
    #[must_use]
    pub fn token_entry(name: &str, key: &str, value: &str) -> String {
        format!("{OPEN}{name}:{key}={value}{CLOSE}")
    }

    /// Renders the tokens in a message. Other texts in brackets stay as they are.
    #[must_use]
    pub fn render(self, message: &str) -> String {
        replaced(message, |token| self.rendered(token))
    }

    /// Renders the tokens in the strings of a JSON text.
    #[must_use]
    pub fn render_json(self, text: &str) -> String {
        replaced(text, |token| {
            let token: String = serde_json::from_str(&format!("\"{token}\"")).ok()?;
            let string = serde_json::to_string(&self.rendered(&token)?).ok()?;
            string.get(1..string.len() - 1).map(str::to_owned)
        })
    }

    /// Renders what is between the brackets of a token; `None` if it is something else.
    fn rendered(self, token: &str) -> Option<String> {
        let (start, value) = token.split_once('=').map_or((token, None), |(start, value)| (start, Some(value)));
        let (name, key) = start.split_once(':').map_or((start, None), |(name, key)| (name, Some(key)));
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        match (key, value) {
            (Some(key), Some(value)) => Some(self.entry(name, key, value)),
            (None, Some(value)) => Some(self.with(name, value)),
            (None, None) => Some(self.option(name)),
            (Some(_), None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_all(message: &str) -> [String; 3] {
        [Spelling::Python, Spelling::Node, Spelling::CommandLine].map(|spelling| spelling.render(message))
    }

    #[test]
    fn every_front_end_has_its_spelling() {
        for (token, python, node, line) in [
            (option!(stage_timeout), "stage_timeout", "stageTimeout", "stage-timeout in firstbad.toml"),
            (option!(submodules = true), "submodules=True", "submodules: true", "submodules = true in firstbad.toml"),
            (
                option!(prefer = "latest"),
                "prefer=\"latest\"",
                "prefer: \"latest\"",
                "prefer = \"latest\" in firstbad.toml",
            ),
            (option!(on_signal = "fail"), "on_signal=\"fail\"", "onSignal: \"fail\"", "--treat signal=fail"),
            (option!(on_timeout), "on_timeout", "onTimeout", "--treat timeout=OUTCOME"),
            (
                option!(flake_rate = "estimate"),
                "flake_rate=\"estimate\"",
                "flakeRate: \"estimate\"",
                "--flaky estimate",
            ),
            (option!(allow_filters = true), "allow_filters=True", "allowFilters: true", "--allow-filters"),
            (option!(find = "fix"), "find=\"fix\"", "find: \"fix\"", "--fix"),
            (option!(min_flake_rate), "min_flake_rate", "minFlakeRate", "min_flake_rate"),
            (&Spelling::token("exit_codes[1]"), "exit_codes[1]", "exitCodes[1]", "--treat[1]"),
            (
                &Spelling::token("environment.files"),
                "environment.files",
                "environment.files",
                "environment-files in firstbad.toml",
            ),
            (&Spelling::token("--good"), "--good", "--good", "--good"),
            ("⟦exit_codes:3=stop⟧", "exit_codes={3: \"stop\"}", "exitCodes: { 3: \"stop\" }", "--treat 3=stop"),
        ] {
            assert_eq!(in_all(&format!("a {token}; b")), [python, node, line].map(|words| format!("a {words}; b")));
        }
    }

    #[test]
    fn brackets_around_other_text_stay() {
        for text in ["a⟧b⟦ä_é⟦", "⟦⟧", "⟦A test⟧", "⟦a:b⟧", "⟦timeout"] {
            assert_eq!(in_all(text), [text; 3]);
        }
    }

    #[test]
    fn tokens_in_json_are_rendered_within_their_strings() {
        let message =
            format!("{} or {}, \"b\"", option!(search = "bayes"), Spelling::token_with("signature", r#""a\d""#));
        let text = serde_json::to_string(&[message.as_str(), "⟦A⟧ ⟦"]).unwrap();
        for spelling in [Spelling::Python, Spelling::Node, Spelling::CommandLine] {
            let read: Vec<String> = serde_json::from_str(&spelling.render_json(&text)).unwrap();
            assert_eq!(read, [spelling.render(&message), "⟦A⟧ ⟦".to_owned()]);
        }
    }
}
