//! The innermost stack frame in the tree.

use crate::tree::{Tree, is_absolute};

/// The number of lines of a text that are searched.
const LINES: usize = 2000;

/// The longest path of a frame in bytes.
const LONGEST_PATH: usize = 1000;

/// The number of frames that are looked up in the tree.
const FRAMES: usize = 50;

/// Folders of packages that are not the project's own code.
const PACKAGES: [&str; 7] =
    ["node_modules/", "site-packages/", "dist-packages/", ".cargo/registry/", "/rustc/", "/pkg/mod/", "vendor/bundle/"];

/// Returns the file of the innermost frame in the tree that the text of a failure has.
pub(super) fn innermost(text: &str, tree: &Tree<'_>) -> Option<String> {
    let frames: Vec<(&str, Order)> = text.lines().take(LINES).filter_map(path).collect();
    let of = |order: Order| frames.iter().filter(move |(_, other)| *other == order).map(|(path, _)| *path);
    let own = |path: &str| own(path, tree);
    // Only Python prints the innermost frame last, and its text has no other frames.
    let last = of(Order::InnermostLast).rev().take(FRAMES).find_map(own);
    last.or_else(|| of(Order::InnermostFirst).take(FRAMES).find_map(own))
}

/// Returns the path if the file is in the tree and not in a package.
pub(super) fn own(path: &str, tree: &Tree<'_>) -> Option<String> {
    let path = path.strip_prefix("file://").unwrap_or(path);
    if path.len() > LONGEST_PATH
        || path.contains(char::is_control)
        || path.starts_with("node:")
        || PACKAGES.iter().any(|folder| path.replace('\\', "/").contains(folder))
    {
        return None;
    }
    let local = tree.local(path)?;
    // The frames of a standard library can be relative to another folder.
    (is_absolute(path) || tree.root().is_empty() || local.contains('/') || tree.has(&local) || local.contains('.'))
        .then_some(local)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    InnermostFirst,
    InnermostLast,
}

/// Returns the path of a line that is a stack frame.
fn path(line: &str) -> Option<(&str, Order)> {
    let words = line.trim();
    // Python: `File "a.py", line 3, in f`, and pytest: `a.py:3: TypeError`.
    if let Some(rest) = words.strip_prefix("File \"") {
        return rest.split_once("\", line ").map(|(path, _)| (path, Order::InnermostLast));
    }
    if let Some((path, rest)) = words.split_once(".py:") {
        let is_frame = rest.starts_with(|sign: char| sign.is_ascii_digit()) && !path.contains(' ');
        return is_frame.then_some((&words[..path.len() + ".py".len()], Order::InnermostLast));
    }
    // JavaScript: `at f (a.js:3:7)`, `at a.js:3:7`, and `❯ f a.js:3:7`. Rust: `at ./src/lib.rs:3:7`.
    if let Some(rest) = words.strip_prefix("at ").or_else(|| words.strip_prefix("❯ ")) {
        let place = rest.rsplit_once('(').map_or(rest, |(_, place)| place.trim_end_matches(')'));
        let place = place.rsplit(' ').next().unwrap_or(place);
        return numbered(place).filter(|path| !is_name_only(path)).map(|path| (path, Order::InnermostFirst));
    }
    // Rust: `thread 'a' panicked at src/lib.rs:3:7:`.
    if let Some((_, place)) = words.split_once("panicked at ") {
        let place = place.rsplit("', ").next().unwrap_or(place);
        return numbered(place.trim_end_matches(':')).map(|path| (path, Order::InnermostFirst));
    }
    // Go: `a_test.go:3: words` and `/a/b.go:3 +0x28`. C++: `a.cc:3: Failure`.
    let place = words.split_once([' ', '\t']).map_or(words, |(place, _)| place).trim_end_matches(':');
    let path = numbered(place)?;
    let is_source = [".go", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".rb", ".php", ".swift"];
    is_source.iter().any(|end| path.ends_with(end)).then_some((path, Order::InnermostFirst))
}

/// Returns whether a runtime prints the names of files without their folders, so that frames of libraries look alike.
fn is_name_only(path: &str) -> bool {
    [".java", ".kt", ".scala", ".groovy", ".clj"].iter().any(|end| path.ends_with(end))
}

/// Removes `:3:7` or `:3` from the end of a place.
fn numbered(place: &str) -> Option<&str> {
    let (path, number) = place.rsplit_once(':')?;
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(number) {
        return None;
    }
    match path.rsplit_once(':') {
        Some((path, number)) if is_number(number) => Some(path),
        _ => Some(path),
    }
}
