//! Absolute paths in the words of commands.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The maximum number of parts of a command to check.
const MOST: usize = 1000;

/// The characters that end a word in a shell. A dollar sign and braces can be part of a path.
const SIGNS: &str = "\"'`;&|()<>";

/// A part of a command, and whether it comes from a shell line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    pub(super) is_in_line: bool,
}

/// Returns the words of a command. Splits words that are shell lines into their parts.
pub(super) fn parts(command: &[String]) -> impl Iterator<Item = Part<'_>> {
    command.iter().flat_map(|word| of_word(word)).take(MOST)
}

fn of_word(word: &str) -> Vec<Part<'_>> {
    if !word.contains(char::is_whitespace) {
        return vec![Part { text: word, is_in_line: false }];
    }
    let is_end = |letter: char| letter.is_whitespace() || SIGNS.contains(letter);
    let parts = word.split(is_end).filter(|part| !part.is_empty());
    parts.map(|text| Part { text, is_in_line: true }).collect()
}

/// Returns the absolute paths that a part of a command can contain.
pub(super) fn absolute(part: Part<'_>) -> Vec<PathBuf> {
    let text = part.text;
    let value = text.split_once('=').map(|(_, value)| value);
    // An option with an attached value, such as `-C/folder`.
    let attached = text.strip_prefix('-').and_then(|rest| rest.get(1..)).filter(|rest| rest.starts_with('/'));
    let address = text.split_once("file://").map(|(_, path)| path);
    let mut found = Vec::new();
    // A `file:///` URL comes first, because splitting it at the colon finds the same path with three slashes.
    for whole in [address, Some(text), value, attached].into_iter().flatten() {
        let test = whole.split_once("::").map(|(file, _)| file);
        for one in [Some(whole), test].into_iter().flatten().chain(whole.split(':')) {
            let path = home(one, part.is_in_line).unwrap_or_else(|| PathBuf::from(one));
            if path.is_absolute() && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// Expands a path in the user's home folder that starts with `~` or `$HOME`.
fn home(text: &str, is_in_line: bool) -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").filter(|home: &OsString| Path::new(home).is_absolute());
    let written = ["~", "$HOME", "${HOME}"].into_iter().find_map(|home| text.strip_prefix(home));
    let rest = written.filter(|rest| is_in_line && (rest.is_empty() || rest.starts_with('/')))?;
    Some(Path::new(&home()?).join(rest.trim_start_matches('/')))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Vec<String> {
        let command: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        parts(&command).flat_map(absolute).map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn absolute_paths_are_found_anywhere_in_a_command() {
        assert_eq!(of(&["/r/check.sh"]), ["/r/check.sh"]);
        assert_eq!(of(&["make", "-C", "/r"]), ["/r"]);
        assert_eq!(of(&["make", "-C/r"]), ["/r"]);
        assert_eq!(of(&["npm", "--prefix=/r", "test"]), ["/r"]);
        assert!(of(&["sh", "-c", "cd '/r/a' && make"]).contains(&"/r/a".to_owned()));
        assert!(of(&["pytest", "/r/t.py::test_a"]).contains(&"/r/t.py".to_owned()));
        assert!(of(&["pip", "install", "file:///r"]).contains(&"/r".to_owned()));
        assert!(of(&["env", "PYTHONPATH=/x:/r/src", "python"]).contains(&"/r/src".to_owned()));
        let home = std::env::var("HOME").unwrap();
        assert_eq!(of(&["sh", "-c", "cd ~/r; ls"]), [format!("{home}/r")]);
        assert_eq!(of(&["sh", "-c", "ls ${HOME}/r"]), [format!("{home}/r")]);
        assert!(of(&["make", "test", "~/r", "a/b", "https://x/r"]).iter().all(|path| path == "//x/r"));
    }
}
