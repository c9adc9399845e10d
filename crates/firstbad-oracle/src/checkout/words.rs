//! The paths in the words of commands.

use std::collections::BTreeSet;
use std::path::{Component, Path};

/// The maximum number of words to check.
const MOST: usize = 1000;

/// The characters with a special meaning in a shell.
const SIGNS: &str = "\"'`;&|()<>{}$=";

/// Returns the sorted paths that commands may name, relative to the top of a checkout. The files need not exist.
pub(crate) fn paths<'a>(commands: impl Iterator<Item = &'a [String]>) -> BTreeSet<String> {
    all(commands).filter_map(below).collect()
}

/// Returns all paths that commands may name, including those in shell lines, except the files that a shell line writes.
pub(crate) fn all<'a>(commands: impl Iterator<Item = &'a [String]>) -> impl Iterator<Item = &'a Path> {
    words(commands).flat_map(|word| {
        let is_end = |letter: char| letter.is_whitespace() || SIGNS.contains(letter);
        let line = Some(word).filter(|word| word.contains(char::is_whitespace));
        let parts = line.into_iter().flat_map(|line| line.split('>').enumerate()).flat_map(move |(place, part)| {
            part.split(is_end).filter(|part| !part.is_empty()).skip(usize::from(place > 0))
        });
        named(word).chain(parts.take(MOST).flat_map(named))
    })
}

/// Returns the sorted paths that whole words of commands may be. The files need not exist.
pub(crate) fn whole<'a>(commands: impl Iterator<Item = &'a [String]>) -> BTreeSet<&'a Path> {
    words(commands).flat_map(named).collect()
}

/// Returns the programs that commands name without a folder.
pub(crate) fn bare_programs<'a>(commands: impl Iterator<Item = &'a [String]>) -> impl Iterator<Item = &'a Path> {
    commands.filter_map(|command| command.first()).filter(|word| !is_in_folder(word)).map(Path::new)
}

/// Returns the paths, relative to the top of a checkout, that the text of a file may name. Names can be relative to the top or to
/// the file's folder, or be Python modules next to the file. The files need not exist.
pub(crate) fn within(file: &str, text: &str) -> BTreeSet<String> {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let is_python = Path::new(file).extension().is_some_and(|extension| extension == "py");
    let mut found = BTreeSet::new();
    let is_end = |letter: char| letter.is_whitespace() || SIGNS.contains(letter) || letter == ',';
    for word in text.split(is_end).filter(|word| !word.is_empty()).take(MOST) {
        // For paths such as `"$(dirname "$0")/helper"`.
        let word = word.trim_start_matches('/');
        found.extend([below(Path::new(word)), below(&folder.join(word))].into_iter().flatten());
        if is_python && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            found.extend(below(&folder.join(format!("{word}.py"))));
        }
    }
    found.remove(file);
    found
}

fn words<'a>(commands: impl Iterator<Item = &'a [String]>) -> impl Iterator<Item = &'a str> {
    commands.flat_map(|command| {
        // `PATH` applies to a program without a folder.
        let is_path = |(place, word): &(usize, &'a String)| *place > 0 || is_in_folder(word);
        command.iter().take(MOST).enumerate().filter(is_path).map(|(_, word)| word.as_str())
    })
}

fn is_in_folder(word: &str) -> bool {
    word.contains(['/', std::path::MAIN_SEPARATOR])
}

/// Returns whether a command is a shell line with several commands, which can include a build.
pub(crate) fn is_several(command: &[String]) -> bool {
    command.iter().any(|word| word.contains(char::is_whitespace) && word.contains([';', '&', '|', '\n']))
}

/// Returns a word, and the path in it before the name of a test (`a.py::test`, `a.rb:12`) or after an option (`--config=a`).
fn named(word: &str) -> impl Iterator<Item = &Path> {
    let value = word.split_once('=').map(|(_, value)| value);
    let file = word.split_once("::").map(|(file, _)| file);
    let is_line = |line: &str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    let before = word.rsplit_once(':').filter(|(_, line)| is_line(line)).map(|(file, _)| file);
    [Some(word), value, file, before].into_iter().flatten().map(Path::new)
}

/// Returns a relative path in Git's form, or `None` if it leaves its starting folder or is in `.git`.
pub(crate) fn below(path: &Path) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    let is_own = parts.first().is_some_and(|name| name.eq_ignore_ascii_case(".git"));
    (!parts.is_empty() && !is_own).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Vec<String> {
        let command: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        paths([command.as_slice()].into_iter()).into_iter().collect()
    }

    #[test]
    fn paths_are_found_in_the_text_of_a_file() {
        let of = |file, text| within(file, text).into_iter().collect::<Vec<_>>();
        assert_eq!(of("chk.sh", "./helper.py x"), ["helper.py", "x"]);
        assert!(of("t/chk.sh", r#"sh "$(dirname "$0")/helper.sh""#).contains(&"t/helper.sh".to_owned()));
        assert!(of("t/chk.py", "import helper, other").contains(&"t/other.py".to_owned()));
        assert!(of("chk.sh", "../x /.. .git/config chk.sh").iter().all(|path| path == "x"));
    }

    #[test]
    fn paths_are_found_in_the_words_of_commands() {
        assert_eq!(of(&["./chk.sh"]), ["chk.sh"]);
        assert_eq!(of(&["python3", "chk.py"]), ["chk.py"]);
        assert!(of(&["sh", "-c", "cd a && ./b/chk.sh>log"]).contains(&"b/chk.sh".to_owned()));
        assert!(of(&["pytest", "tests/test_new.py::test_a"]).contains(&"tests/test_new.py".to_owned()));
        assert!(of(&["rspec", "spec/new_spec.rb:12"]).contains(&"spec/new_spec.rb".to_owned()));
        assert!(of(&["jest", "--config=a.json"]).contains(&"a.json".to_owned()));
        let log: &[&str] = &["sh", "-c", "./chk.sh >>log 2>&1; cat text >/dev/null"];
        assert!(of(log).contains(&"text".to_owned()) && !of(log).contains(&"log".to_owned()));
        assert!(of(&["cat", "../x", "/etc/passwd", ".git/config", ".", ""]).is_empty());
        assert!(of(&["make"]).is_empty(), "a program of the machine's");
    }
}
