//! The folders where Python looks for packages. Editable installs refer to the checkout.
//!
//! This module only reads files, because running the interpreter would run the code in `.pth` files.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use firstbad_platform::files;
use regex::Regex;

use super::named;

/// The maximum bytes to read from a path file, and from a script to find its interpreter.
const MOST: u64 = 1 << 20;
const LONGEST_LINE: u64 = 512;

/// The maximum number of entries of a folder to check.
const MOST_ENTRIES: usize = 20_000;

/// The maximum number of environments on top of each other.
const MOST_BASES: usize = 8;

/// A module's name and location, as written in the finders of editable installs.
static MAPPED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"['"]([\w.]+)['"]\s*:\s*['"]([^'"\n]+)['"]"#).ok());
/// Any text in quotes.
static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"['"]([^'"\n]+)['"]"#).ok());

/// A folder of the checkout from which a Python imports modules.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    /// The folder, relative to the top of the checkout.
    pub(super) root: PathBuf,
    /// The installed file that refers to the folder.
    pub(super) by: PathBuf,
    /// Whether a module in the folder would shadow a module of Python itself.
    pub(super) shadows: bool,
}

/// Finds the folders of the checkout from which the Pythons that commands use import modules.
pub(super) fn ways<'a>(
    top: &Path,
    commands: impl Iterator<Item = &'a [String]>,
    path: Option<&OsStr>,
    uses_machine: bool,
) -> Vec<Way> {
    let mut folders = BTreeSet::new();
    for program in interpreters(top, commands, path, uses_machine) {
        packages(&program, &mut folders);
    }
    let mut found: Vec<Way> = folders.iter().flat_map(|folder| of_folder(top, folder)).collect();
    found.sort_unstable();
    found.dedup_by(|later, first| later.root == first.root);
    found
}

/// Finds the Pythons that commands name, directly or through a script's first line, and those on `PATH` if `uses_machine` is set.
fn interpreters<'a>(
    top: &Path,
    commands: impl Iterator<Item = &'a [String]>,
    path: Option<&OsStr>,
    uses_machine: bool,
) -> BTreeSet<PathBuf> {
    let on_path = |name: &str| {
        let folders = path.map(std::env::split_paths).into_iter().flatten();
        folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)).find(|file| file.is_file())
    };
    let file = |text: &str| match text.contains(['/', std::path::MAIN_SEPARATOR]) {
        true => Some(top.join(text)).filter(|file| file.is_file()),
        false => on_path(text),
    };
    let named = commands.flat_map(named::parts).filter_map(|part| python_of(&file(part.text)?, &on_path));
    let mut found: BTreeSet<PathBuf> = named.collect();
    if uses_machine {
        found.extend(["python3", "python"].iter().filter_map(|name| on_path(name)));
    }
    found
}

/// Returns the program if it is a Python, or the Python that its first line names.
fn python_of(program: &Path, on_path: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if is_python(program) {
        return Some(program.to_owned());
    }
    let mut start = Vec::new();
    let file = files::open_regular(program).ok()?;
    file.take(LONGEST_LINE).read_to_end(&mut start).ok()?;
    let text = String::from_utf8_lossy(start.strip_prefix(b"#!")?).into_owned();
    let words: Vec<&str> = text.lines().take(2).flat_map(str::split_whitespace).collect();
    // Scripts with a long interpreter path name it in the second line, after `'''exec'`.
    let named = words.iter().map(|word| word.trim_matches(['"', '\''])).find(|word| is_python(Path::new(word)))?;
    match Path::new(named).is_absolute() {
        true => Some(PathBuf::from(named)),
        false => on_path(named),
    }
}

fn is_python(program: &Path) -> bool {
    let name = program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    version.is_some_and(|version| version.chars().all(|letter| letter.is_ascii_digit() || letter == '.'))
}

/// Adds the folders in which a Python looks for packages.
fn packages(program: &Path, found: &mut BTreeSet<PathBuf>) {
    // The base of an environment can itself be an environment. Hostile ones can name each other.
    let mut next = Some(program.to_owned());
    for _ in 0..MOST_BASES {
        let Some(program) = next else { return };
        next = packages_and_base(&program, found);
    }
}

/// Adds the package folders of one installation. Returns the Python that an environment also uses packages of.
fn packages_and_base(program: &Path, found: &mut BTreeSet<PathBuf>) -> Option<PathBuf> {
    let prefix = program.parent().and_then(Path::parent)?;
    let settings = files::open_regular(&prefix.join("pyvenv.cfg")).and_then(|file| files::read_file(file, MOST)).ok();
    let Some(settings) = settings else {
        let real = files::real_path(program).ok();
        let real = real.as_deref().and_then(Path::parent).and_then(Path::parent);
        let user = std::env::var_os("PYTHONUSERBASE").map(PathBuf::from);
        let user = user.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local")));
        found.extend([Some(prefix), real, user.as_deref()].into_iter().flatten().flat_map(of_prefix));
        return None;
    };
    found.extend(of_prefix(prefix));
    let settings = String::from_utf8_lossy(&settings).into_owned();
    let value = |name: &str| {
        let pairs = settings.lines().filter_map(|line| line.split_once('='));
        pairs
            .map(|(key, value)| (key.trim(), value.trim()))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.to_owned())
    };
    let is_open = value("include-system-site-packages").is_some_and(|value| value.eq_ignore_ascii_case("true"));
    is_open.then(|| Some(Path::new(&value("home")?).join("python3"))).flatten()
}

/// Returns the package folders of an installation.
fn of_prefix(prefix: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for lib in ["lib", "lib64", "local/lib", "Lib"].map(|name| prefix.join(name)) {
        let versions = entries(&lib).into_iter().filter(|folder| {
            folder
                .file_name()
                .and_then(OsStr::to_str)
                .is_some_and(|name| name.starts_with("python") || name.starts_with("pypy"))
        });
        for folder in versions.chain([lib.clone()]) {
            found.extend(
                ["site-packages", "dist-packages"].map(|name| folder.join(name)).into_iter().filter(|one| one.is_dir()),
            );
        }
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).into_iter().flatten().take(MOST_ENTRIES);
    read.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// Finds the folders of the checkout that the entries of a package folder refer to.
fn of_folder(top: &Path, folder: &Path) -> Vec<Way> {
    let mut ways = Vec::new();
    for entry in entries(folder) {
        let name = entry.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let roots = if name.ends_with(".pth") || name.ends_with(".egg-link") {
            of_path_file(folder, &entry)
        } else if entry.is_symlink() {
            files::real_path(&entry).ok().and_then(|real| real.parent().map(Path::to_owned)).into_iter().collect()
        } else {
            continue;
        };
        for root in roots {
            let Some(root) = inside(top, &root) else { continue };
            // The packages of an environment inside the checkout are not part of the revision.
            if folder.starts_with(top) && top.join(&root).starts_with(folder) {
                continue;
            }
            let shadows = shadows(&top.join(&root), folder);
            ways.push(Way { root, by: entry.clone(), shadows });
        }
    }
    ways
}

/// Returns a folder relative to the top of the checkout, or `None` if it is outside the checkout or in `.git`.
fn inside(top: &Path, folder: &Path) -> Option<PathBuf> {
    let real = files::real_path(folder).ok()?;
    let below = real.strip_prefix(top).ok()?;
    let is_own = matches!(below.components().next(), Some(Component::Normal(name)) if name == ".git");
    (real.is_dir() && !is_own).then(|| below.to_owned())
}

/// Returns the folders that a `.pth` file names, and those in the finders that it installs.
fn of_path_file(folder: &Path, file: &Path) -> Vec<PathBuf> {
    let Some(text) = read(file) else { return Vec::new() };
    let mut roots = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some(imported) = line.strip_prefix("import ").or_else(|| line.strip_prefix("import\t")) else {
            roots.push(folder.join(line));
            continue;
        };
        let is_end = |letter: char| !(letter.is_alphanumeric() || letter == '_');
        let module = imported.trim_start().split(is_end).next().unwrap_or_default();
        let finder = read(&folder.join(format!("{module}.py"))).filter(|_| !module.is_empty());
        roots.extend(finder.map(|text| of_finder(&text)).unwrap_or_default());
    }
    roots
}

/// Returns the import folders that a finder's source names.
fn of_finder(text: &str) -> Vec<PathBuf> {
    let (Some(mapped), Some(quoted)) = (MAPPED.as_ref(), QUOTED.as_ref()) else { return Vec::new() };
    let named = mapped.captures_iter(text).map(|found| (Some(found[1].to_owned()), found[2].to_owned()));
    let named: Vec<(Option<String>, String)> = named.collect();
    let others = quoted.captures_iter(text).map(|found| found[1].to_owned());
    let others = others.filter(|path| !named.iter().any(|(_, known)| known == path)).map(|path| (None, path));
    let places: Vec<(Option<String>, String)> = others.collect();
    let is_path = |(_, path): &(Option<String>, String)| Path::new(path).is_absolute();
    named
        .into_iter()
        .chain(places)
        .filter(is_path)
        .filter_map(|(module, path)| root(module.as_deref(), Path::new(&path)))
        .collect()
}

/// Returns the import folder of a module or package at this path.
fn root(module: Option<&str>, path: &Path) -> Option<PathBuf> {
    let init = path.file_name().is_some_and(|name| name == "__init__.py");
    let mut place = if init { path.parent()?.to_owned() } else { path.to_owned() };
    if let Some(module) = module {
        let is_part = |place: &Path, part: &str| place.file_stem().is_some_and(|stem| stem == part);
        let mut matched = false;
        for part in module.split('.').rev() {
            if !is_part(&place, part) {
                break;
            }
            matched = true;
            place.pop();
        }
        if matched {
            return Some(place);
        }
    }
    if place.is_file() {
        place.pop();
    }
    while place.join("__init__.py").is_file() {
        place.pop();
    }
    Some(place)
}

fn read(file: &Path) -> Option<String> {
    let bytes = files::open_regular(file).and_then(|file| files::read_file(file, MOST)).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns whether a folder has a module that would shadow one of Python itself if the folder came first on the path.
fn shadows(root: &Path, packages: &Path) -> bool {
    let Some(own) = packages.parent() else { return false };
    let is_own = |entry: &PathBuf| {
        let (Some(name), Some(stem)) = (entry.file_name(), entry.file_stem().and_then(OsStr::to_str)) else {
            return false;
        };
        let is_module = entry.extension().is_some_and(|end| end == "py") || entry.join("__init__.py").is_file();
        // Projects do not import Python's own `test` package.
        is_module && stem != "test" && (own.join(name).exists() || base_has(own, name))
    };
    entries(root).iter().any(is_own)
}

/// Returns whether the base installation of an environment has a module.
fn base_has(own: &Path, name: &OsStr) -> bool {
    let prefix = own.parent().and_then(Path::parent);
    let settings = prefix.and_then(|prefix| read(&prefix.join("pyvenv.cfg")));
    let home = settings.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("home = ")));
    let version = own.file_name().unwrap_or_default();
    home.and_then(|home| Path::new(home.trim()).parent())
        .is_some_and(|base| ["lib", "lib64"].iter().any(|lib| base.join(lib).join(version).join(name).exists()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environments_with_circular_bases_are_handled() {
        let folder = tempfile::tempdir().unwrap();
        for (name, other) in [("a", "b"), ("b", "a")] {
            let prefix = folder.path().join(name);
            std::fs::create_dir_all(prefix.join("lib/python3.11/site-packages")).unwrap();
            let home = folder.path().join(other).join("bin");
            let settings = format!("home = {}\ninclude-system-site-packages = true\n", home.display());
            std::fs::write(prefix.join("pyvenv.cfg"), settings).unwrap();
        }
        let mut found = BTreeSet::new();
        packages(&folder.path().join("a/bin/python"), &mut found);
        let expected = ["a", "b"].map(|name| folder.path().join(name).join("lib/python3.11/site-packages"));
        assert!(found.iter().eq(&expected), "{found:?}");
    }
}
