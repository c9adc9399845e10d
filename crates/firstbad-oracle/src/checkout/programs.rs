//! Untracked programs of the checkout, such as those in a virtual environment or in `node_modules`. Worktrees lack them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::named::{self, Part};
use super::words;

/// The names of folders with installed programs, and the files that mark such a folder.
const NAMES: [&str; 1] = ["node_modules"];
const MARKS: [&str; 2] = ["pyvenv.cfg", "conda-meta"];

/// Returns whether a path is in a folder that a package manager has filled.
pub(crate) fn is_installed(top: &Path, path: &str) -> bool {
    let above = Path::new(path).ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    let is_one = |folder: &Path| {
        let is_called_so = folder.file_name().is_some_and(|name| NAMES.iter().any(|one| name == *one));
        is_called_so || MARKS.iter().any(|mark| top.join(folder).join(mark).exists())
    };
    above.into_iter().any(is_one)
}

/// Returns the parts of commands that name installed files, with the files in the checkout.
pub(super) fn installed<'a>(top: &Path, commands: impl Iterator<Item = &'a [String]>) -> BTreeMap<String, PathBuf> {
    let file = |part: Part<'_>| {
        let path =
            words::below(Path::new(part.text)).filter(|_| part.text.contains(['/', std::path::MAIN_SEPARATOR]))?;
        let file = top.join(&path);
        (file.is_file() && is_installed(top, &path)).then(|| (part.text.to_owned(), file))
    };
    commands.flat_map(named::parts).filter_map(file).collect()
}

/// Returns a command with the files of the checkout instead of the files that its worktree lacks.
pub(super) fn in_checkout<'a>(
    command: &'a [String],
    installed: &BTreeMap<String, PathBuf>,
    tree: &Path,
) -> Cow<'a, [String]> {
    let mut missing = installed.iter().filter(|(name, _)| !tree.join(name).exists()).peekable();
    if missing.peek().is_none() {
        return Cow::Borrowed(command);
    }
    let mut words = command.to_vec();
    for (name, file) in missing {
        let Some(file) = file.to_str() else { continue };
        for word in &mut words {
            if word == name {
                file.clone_into(word);
            } else if word.contains(char::is_whitespace) {
                *word = in_line(word, name, file);
            }
        }
    }
    Cow::Owned(words)
}

/// Replaces `name` with a path in a shell line.
fn in_line(line: &str, name: &str, path: &str) -> String {
    // Paths that need quotes are left alone.
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+@".contains(letter);
    if !path.chars().all(is_plain) {
        return line.to_owned();
    }
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| is_plain(letter) || "~$".contains(letter));
    let mut written = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        written.push_str(before);
        let is_whole = !is_part(written.chars().next_back()) && !is_part(after.chars().next());
        written.push_str(if is_whole { path } else { name });
        rest = after;
    }
    written + rest
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_files_missing_in_the_worktree_come_from_the_checkout() {
        let (top, tree) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for path in
            [".venv/pyvenv.cfg", ".venv/bin/python", "node_modules/.bin/jest", "build/test", "a/node_modules/x/y.js"]
        {
            std::fs::create_dir_all(top.path().join(path).parent().unwrap()).unwrap();
            std::fs::write(top.path().join(path), "").unwrap();
        }
        let line = "./.venv/bin/python -m a && .venv/bin/python x/.venv/bin/python b/node_modules/.bin/jest";
        let command =
            ["env", ".venv/bin/python", "node_modules/.bin/jest", "build/test", "a/node_modules/x/y.js", line];
        let command: Vec<String> = command.map(str::to_owned).to_vec();
        let installed = installed(top.path(), [command.as_slice()].into_iter());
        let at = |path: &str| top.path().join(path).display().to_string();
        let (python, jest) = (at(".venv/bin/python"), at("node_modules/.bin/jest"));
        let written = in_checkout(&command, &installed, tree.path());
        assert_eq!(written[..4], ["env".to_owned(), python.clone(), jest, "build/test".to_owned()]);
        assert_eq!(written[4], at("a/node_modules/x/y.js"));
        assert_eq!(written[5], format!("{python} -m a && {python} x/.venv/bin/python b/node_modules/.bin/jest"));
        std::fs::create_dir_all(tree.path().join(".venv/bin")).unwrap();
        std::fs::write(tree.path().join(".venv/bin/python"), "").unwrap();
        assert_eq!(in_checkout(&command, &installed, tree.path())[1], ".venv/bin/python");
    }
}
