//! Random folders of files, and random edits of them.

use super::sandbox::{Entry, Tree};
use crate::random::Random;

const NAMES: [&[u8]; 16] = [
    b"a",
    b"b",
    b"c",
    b"d",
    b"d/x",
    b"d/y",
    b"d/e/z",
    b"a/b",
    b"with space",
    b"b b/b b",
    b"tab\there",
    b"quote\"back\\slash",
    "uml\u{e4}ut".as_bytes(),
    b"latin\xe4",
    b"x b/x",
    b"new\nline",
];

/// Few different lines, so that a hunk can match at several positions.
const LINES: [&[u8]; 8] = [b"", b"{", b"}", b"one", b"two", b"-- ", b"+++ x", b"\\ No newline at end of file"];

impl Random {
    /// Returns true with this probability in percent.
    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

fn lines(random: &mut Random, count: usize) -> Vec<Vec<u8>> {
    let line = |random: &mut Random| {
        if random.percent(40) {
            format!("line {}", random.below(1000)).into_bytes()
        } else {
            random.of(&LINES).to_vec()
        }
    };
    (0..count).map(|_| line(random)).collect()
}

fn content(random: &mut Random) -> Vec<u8> {
    if random.percent(8) {
        let length = random.below(300);
        return (0..=length).map(|at| if at == 0 { 0 } else { random.draw() as u8 }).collect();
    }
    let end: &[u8] = if random.percent(15) { b"\r\n" } else { b"\n" };
    let count = *random.of(&[0, 1, 2, 5, 12, 30]);
    let mut text: Vec<u8> = lines(random, count).into_iter().flat_map(|line| [&line, end].concat()).collect();
    if random.percent(25) {
        text.pop();
    }
    text
}

fn entry(random: &mut Random) -> Entry {
    if random.percent(8) {
        Entry::Link(format!("target{}", random.below(9)).into_bytes())
    } else {
        Entry::File { content: content(random), executable: random.percent(15) }
    }
}

/// Adds, removes, and changes a few lines, and sometimes the newline at the end.
fn edited(random: &mut Random, entry: &Entry) -> Entry {
    let Entry::File { content, executable } = entry else {
        return Entry::Link(format!("target{}", random.below(9)).into_bytes());
    };
    let executable = *executable ^ random.percent(15);
    if content.contains(&0) && random.percent(80) {
        let mut content = content.clone();
        let at = random.below(content.len());
        content[at] ^= 1;
        return Entry::File { content, executable };
    }
    let mut lines: Vec<Vec<u8>> = content.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    for _ in 0..random.below(5) {
        let at = random.below(lines.len() + 1);
        let many = random.below(3);
        let end = (at + many).min(lines.len());
        let count = random.below(4);
        let new = self::lines(random, count).into_iter().map(|line| [&line[..], b"\n"].concat());
        lines.splice(at..end, new.collect::<Vec<_>>());
    }
    // A line added after a line without newline gives that line a newline.
    let last = lines.len().saturating_sub(1);
    for line in lines.iter_mut().take(last).filter(|line| !line.ends_with(b"\n")) {
        line.push(b'\n');
    }
    if random.percent(20) {
        match lines.last_mut() {
            Some(line) if line.ends_with(b"\n") && line.len() > 1 => drop(line.pop()),
            Some(line) if !line.ends_with(b"\n") => line.push(b'\n'),
            _ => {}
        }
    }
    Entry::File { content: lines.concat(), executable }
}

/// Inserts an entry unless another entry is at the path, above it, or below it.
fn insert(tree: &mut Tree, path: &[u8], entry: Entry) {
    let above = |other: &[u8], path: &[u8]| path.starts_with(other) && path.get(other.len()) == Some(&b'/');
    tree.retain(|other, _| !above(other, path) && !above(path, other));
    tree.insert(path.to_vec(), entry);
}

/// Returns two sets of files.
pub(crate) fn trees(random: &mut Random) -> (Tree, Tree) {
    let mut old = Tree::new();
    for _ in 0..1 + random.below(5) {
        let path = *random.of(&NAMES);
        let entry = entry(random);
        insert(&mut old, path, entry);
    }
    let mut new = Tree::new();
    let paths: Vec<Vec<u8>> = old.keys().cloned().collect();
    for (path, entry) in &old {
        match random.below(12) {
            0 => {}
            1 | 2 => {
                // Moves the file, possibly to the path of another file.
                let target = if random.percent(40) { random.of(&paths).clone() } else { random.of(&NAMES).to_vec() };
                let entry = if random.percent(50) { edited(random, entry) } else { entry.clone() };
                insert(&mut new, &target, entry);
            }
            3 => {
                let copy = random.of(&NAMES).to_vec();
                let changed = edited(random, entry);
                insert(&mut new, path, if random.percent(50) { edited(random, entry) } else { entry.clone() });
                insert(&mut new, &copy, changed);
            }
            4 => insert(&mut new, path, self::entry(random)),
            5 => insert(&mut new, path, entry.clone()),
            _ => {
                let entry = edited(random, entry);
                insert(&mut new, path, entry);
            }
        }
    }
    if random.percent(50) {
        let path = *random.of(&NAMES);
        let entry = entry(random);
        insert(&mut new, path, entry);
    }
    (old, new)
}

/// Returns options of `git diff` for patches of all kinds.
pub(crate) fn options(random: &mut Random) -> Vec<&'static str> {
    let mut options = vec!["--binary"];
    options.extend(*random.of(&[
        &[][..],
        &["-M"],
        &["-M", "-C", "--find-copies-harder"],
        &["-B", "-M"],
        &["-M20%", "-C20%"],
    ]));
    options.extend(*random.of(&[&[][..], &[], &[], &["-U0"], &["-U1"], &["--inter-hunk-context=3"]]));
    options.extend(*random.of(&[&[][..], &[], &[], &["--no-prefix"], &["--src-prefix=i/", "--dst-prefix=w/"]]));
    options.extend(*random.of(&[&[][..], &["--patience"], &["--full-index"]]));
    options
}

/// Returns some numbers below a bound, in any order.
pub(crate) fn some(random: &mut Random, bound: usize) -> Vec<usize> {
    let percent = *random.of(&[10, 30, 50, 70, 90, 97]);
    let mut numbers: Vec<usize> = (0..bound).filter(|_| random.percent(percent)).collect();
    for at in (1..numbers.len()).rev() {
        numbers.swap(at, random.below(at + 1));
    }
    numbers
}

/// Returns similar files, so that a patch applies at another position or not at all.
pub(crate) fn nearby(random: &mut Random, tree: &Tree) -> Tree {
    let mut other = tree.clone();
    for entry in other.values_mut() {
        if let Entry::File { content, .. } = entry
            && !content.contains(&0)
        {
            let mut lines: Vec<Vec<u8>> = content.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            for _ in 0..random.below(3) {
                let at = random.below(lines.len() + 1);
                let whole = at < lines.len() || lines.last().is_none_or(|line| line.ends_with(b"\n"));
                match random.below(3) {
                    0 if at < lines.len() => drop(lines.remove(at)),
                    1 if whole && !lines.is_empty() => lines.insert(at, random.of(&lines).clone()),
                    _ if whole => lines.insert(at, b"moved\n".to_vec()),
                    _ => continue,
                }
            }
            *content = lines.concat();
        }
    }
    if random.percent(10) {
        other.pop_first();
    }
    other
}

/// Removes, repeats, swaps, or changes a few lines or bytes of a text.
pub(crate) fn damaged(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    for _ in 0..1 + random.below(3) {
        if lines.is_empty() {
            break;
        }
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.swap(at, other),
            3 => lines.truncate(at),
            4 => drop(lines[at].pop()),
            _ => {
                let place = random.below(lines[at].len() + 1);
                let byte = if random.percent(50) { *random.of(b" +-@\\\"\n\r0129,ab/\t") } else { random.draw() as u8 };
                let line = &mut lines[at];
                match random.below(3) {
                    0 if place < line.len() => line[place] = byte,
                    1 if place < line.len() => drop(line.remove(place)),
                    _ => line.insert(place, byte),
                }
            }
        }
    }
    lines.concat()
}
