//! The style of option names in messages.

/// The style of option names in messages, which depends on the front end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spelling {
    /// The style of Rust and Python: `allow_filters`.
    #[default]
    Snake,
    /// The style of Node: `allowFilters`.
    Camel,
    /// The style of the command line: `--allow-filters`.
    CommandLine,
}

impl Spelling {
    /// Returns the name of an option.
    pub(crate) fn option(self, name: &str) -> String {
        match self {
            Spelling::Snake => name.to_owned(),
            Spelling::Camel => {
                let mut words = name.split('_');
                let first = words.next().unwrap_or_default().to_owned();
                words.fold(first, |name, word| {
                    let (start, rest) = word.split_at(word.len().min(1));
                    name + &start.to_uppercase() + rest
                })
            }
            Spelling::CommandLine => format!("--{}", name.replace('_', "-")),
        }
    }

    /// Returns a boolean option, turned on.
    pub(crate) fn on(self, name: &str) -> String {
        match self {
            Spelling::Snake => format!("{name}=True"),
            Spelling::Camel => format!("{}: true", self.option(name)),
            Spelling::CommandLine => self.option(name),
        }
    }

    /// Returns an option with a string value.
    pub(crate) fn with(self, name: &str, value: &str) -> String {
        match self {
            Spelling::Snake => format!("{name}={}", quoted(value)),
            Spelling::Camel => format!("{}: {}", self.option(name), quoted(value)),
            Spelling::CommandLine => format!("{} {value}", self.option(name)),
        }
    }

    /// Returns the option that changes the meaning of an exit code.
    pub(crate) fn exit_code(self, code: i32, meaning: &str) -> String {
        match self {
            Spelling::Snake => format!("exit_codes={{{code}: {meaning:?}}}"),
            Spelling::Camel => format!("exitCodes: {{ {code}: {meaning:?} }}"),
            Spelling::CommandLine => format!("--exit-code {code}={meaning}"),
        }
    }
}

/// Adds quotes to a text unless it starts with one.
fn quoted(text: &str) -> String {
    if text.starts_with('"') { text.to_owned() } else { format!("{text:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_front_end_reads_its_own_names() {
        let of = |spelling: Spelling| {
            (spelling.on("allow_filters"), spelling.with("preset", "none"), spelling.exit_code(124, "unresolved"))
        };
        let texts = |on: &str, with: &str, code: &str| (on.to_owned(), with.to_owned(), code.to_owned());
        let (snake, camel) = (of(Spelling::Snake), of(Spelling::Camel));
        assert_eq!(snake, texts("allow_filters=True", "preset=\"none\"", "exit_codes={124: \"unresolved\"}"));
        assert_eq!(camel, texts("allowFilters: true", "preset: \"none\"", "exitCodes: { 124: \"unresolved\" }"));
        let line = texts("--allow-filters", "--preset none", "--exit-code 124=unresolved");
        assert_eq!(of(Spelling::CommandLine), line);
    }
}
