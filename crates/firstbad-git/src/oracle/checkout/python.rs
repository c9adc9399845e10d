//! Where a Python finds packages, as far as its installation says: editable installs lead into the checkout.
//!
//! All of it is read from files. Running the interpreter would run what `.pth` files say.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use firstbad_platform::files;
use regex::Regex;

use super::named;

/// How much is read of a file that says where packages are, and of a program to see what runs it, in bytes.
const MOST: u64 = 1 << 20;
const LONGEST_LINE: u64 = 512;

/// The most entries of a folder that are looked at.
const MOST_ENTRIES: usize = 20_000;

/// A module's name and its place, as the finders of editable installs have them.
static MAPPED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"['"]([\w.]+)['"]\s*:\s*['"]([^'"\n]+)['"]"#).ok());
/// Any other text in quotes.
static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"['"]([^'"\n]+)['"]"#).ok());

/// A way of a Python into the checkout.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    /// The folder that modules are imported from, relative to the top of the checkout.
    pub(super) root: PathBuf,
    /// The file that leads there.
    pub(super) by: PathBuf,
    /// Whether a module at the top of that folder would take the place of one of Python's own.
    pub(super) shadows: bool,
}

/// Where the Pythons that commands use find modules in the checkout.
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

/// The Pythons that commands name, by themselves or by scripts that run them, and those of the machine.
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

/// The Python that a program is, or that runs it.
fn python_of(program: &Path, on_path: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if is_python(program) {
        return Some(program.to_owned());
    }
    let mut start = Vec::new();
    let file = files::open_regular(program).ok()?;
    file.take(LONGEST_LINE).read_to_end(&mut start).ok()?;
    let text = String::from_utf8_lossy(start.strip_prefix(b"#!")?).into_owned();
    let words: Vec<&str> = text.lines().take(2).flat_map(str::split_whitespace).collect();
    // A long path stands in the second line, behind `'''exec'`.
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

/// The folders in which a Python looks for packages.
fn packages(program: &Path, found: &mut BTreeSet<PathBuf>) {
    let Some(prefix) = program.parent().and_then(Path::parent) else { return };
    let settings = files::open_regular(&prefix.join("pyvenv.cfg")).and_then(|file| files::read_file(file, MOST)).ok();
    let Some(settings) = settings else {
        let real = files::real_path(program).ok();
        let real = real.as_deref().and_then(Path::parent).and_then(Path::parent);
        let user = std::env::var_os("PYTHONUSERBASE").map(PathBuf::from);
        let user = user.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local")));
        found.extend([Some(prefix), real, user.as_deref()].into_iter().flatten().flat_map(of_prefix));
        return;
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
    if value("include-system-site-packages").is_some_and(|value| value.eq_ignore_ascii_case("true"))
        && let Some(home) = value("home").filter(|home| Path::new(home) != prefix.join("bin"))
    {
        let base = Path::new(&home).join("python3");
        // One environment may be made from another, which is no circle.
        packages(&base, found);
    }
}

/// The folders of packages below the folder of an installation.
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

/// The ways into the checkout of what is installed in a folder.
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
            // An environment in the checkout finds what is installed in it.
            if folder.starts_with(top) && top.join(&root).starts_with(folder) {
                continue;
            }
            let shadows = shadows(&top.join(&root), folder);
            ways.push(Way { root, by: entry.clone(), shadows });
        }
    }
    ways
}

/// A folder as a path from the top of the checkout; `None` if it lies elsewhere, or in Git's own folder.
fn inside(top: &Path, folder: &Path) -> Option<PathBuf> {
    let real = files::real_path(folder).ok()?;
    let below = real.strip_prefix(top).ok()?;
    let is_own = matches!(below.components().next(), Some(Component::Normal(name)) if name == ".git");
    (real.is_dir() && !is_own).then(|| below.to_owned())
}

/// The folders that a `.pth` file names, and those of the finders that it installs.
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

/// The folders from which modules are imported that the text of a finder names.
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

/// The folder from which a module or a package at this place is imported.
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

/// Whether a folder has a module that the Python with these packages has itself: first on the path it would be taken instead.
fn shadows(root: &Path, packages: &Path) -> bool {
    let Some(own) = packages.parent() else { return false };
    let is_own = |entry: &PathBuf| {
        let (Some(name), Some(stem)) = (entry.file_name(), entry.file_stem().and_then(OsStr::to_str)) else {
            return false;
        };
        let is_module = entry.extension().is_some_and(|end| end == "py") || entry.join("__init__.py").is_file();
        // Python's own tests are of no use to others.
        is_module && stem != "test" && (own.join(name).exists() || base_has(own, name))
    };
    entries(root).iter().any(is_own)
}

/// Whether the installation that an environment was made from has a module.
fn base_has(own: &Path, name: &OsStr) -> bool {
    let prefix = own.parent().and_then(Path::parent);
    let settings = prefix.and_then(|prefix| read(&prefix.join("pyvenv.cfg")));
    let home = settings.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("home = ")));
    let version = own.file_name().unwrap_or_default();
    home.and_then(|home| Path::new(home.trim()).parent())
        .is_some_and(|base| ["lib", "lib64"].iter().any(|lib| base.join(lib).join(version).join(name).exists()))
}
