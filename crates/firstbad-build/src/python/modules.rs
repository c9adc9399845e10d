//! Resolution of Python imports.

use std::cell::Cell;
use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};

use crate::paths::{self, is_below, join, parent, upwards};

/// The names of the standard library. An import of such a name does not refer to a distant folder of the same name.
const STANDARD: &str = "\
    abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect \
    builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall \
    concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm \
    decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp \
    fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip \
    hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword \
    lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt \
    multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib \
    pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd \
    py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy \
    sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd \
    sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau \
    symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit \
    tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata \
    unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp \
    zipfile zipimport zlib zoneinfo \
";

/// The extensions of modules. If a module has several files, the first extension wins.
const KINDS: [&str; 4] = [".py", ".pyx", ".pyi", ".pxd"];

/// The files that mark a folder as a Python project.
const PROJECTS: [&str; 3] = ["pyproject.toml", "setup.py", "setup.cfg"];

/// The modules of a source tree.
#[derive(Debug)]
pub(super) struct Modules<'a> {
    /// The file of each module by its path without the extension.
    files: HashMap<&'a str, &'a str>,
    /// Additional files of modules, such as stubs.
    pub(super) beside: Vec<(&'a str, &'a str)>,
    /// The places by full name.
    named: HashMap<String, Vec<Place<'a>>>,
    standard: HashSet<&'static str>,
    /// The remaining comparisons. Without a limit, every import could match many files of the same name.
    left: Cell<u64>,
}

/// The maximum number of comparisons for one tree, which take a few seconds.
pub(super) const MOST_COMPARED: u64 = 1 << 26;

/// A module with one of the folders that its name may start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place<'a> {
    file: &'a str,
    root: &'a str,
    /// Whether only files below the root can import it, as for a single module next to a script or test.
    narrow: bool,
}

/// Returns whether a file is a module.
pub(crate) fn is_module(path: &str) -> bool {
    stem(path).is_some()
}

fn stem(file: &str) -> Option<(usize, &str)> {
    KINDS.iter().enumerate().find_map(|(rank, kind)| Some((rank, file.strip_suffix(kind)?)))
}

impl<'a> Modules<'a> {
    /// Collects the modules among `paths`. Absolute names start from `roots`, or from detected folders if `roots` is empty.
    /// `most` is usually [`MOST_COMPARED`].
    pub(super) fn new(paths: &BTreeSet<&'a str>, roots: &'a [String], most: u64) -> Modules<'a> {
        let mut files: HashMap<&'a str, &'a str> = HashMap::new();
        let mut beside = Vec::new();
        for rank in 0..KINDS.len() {
            for &path in paths {
                let Some(stem) = stem(path).filter(|(found, _)| *found == rank).map(|(_, stem)| stem) else { continue };
                match files.get(stem) {
                    Some(&first) => beside.push((first, path)),
                    None => {
                        files.insert(stem, path);
                    }
                }
            }
        }
        let standard = STANDARD.split_whitespace().collect();
        let mut modules = Modules { files, beside, named: HashMap::new(), standard, left: Cell::new(most) };
        let found = if roots.is_empty() { projects(paths) } else { roots.iter().map(String::as_str).collect() };
        let all: Vec<(&'a str, &'a str)> = modules.files.iter().map(|(stem, file)| (*stem, *file)).collect();
        for (stem, file) in all {
            for root in upwards(parent(file)).filter(|root| found.contains(root)) {
                modules.name(Place { file, root, narrow: false }, stem);
            }
            if roots.is_empty() {
                let root = modules.base(file);
                let narrow = parent(file) == root;
                modules.name(Place { file, root, narrow }, stem);
            }
        }
        for places in modules.named.values_mut() {
            places.sort_unstable_by_key(|place| (place.root.len(), place.root, place.file, place.narrow));
            places.dedup_by_key(|place| (place.root, place.file));
        }
        modules
    }

    fn name(&mut self, place: Place<'a>, stem: &str) {
        let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
        let Some(name) = stem.strip_prefix(place.root).map(|rest| rest.trim_start_matches('/')) else { return };
        let word = |part: &str| part.chars().all(|c| c.is_alphanumeric() || c == '_') && !part.is_empty();
        if name.split('/').all(word) {
            self.named.entry(name.replace('/', ".")).or_default().push(place);
        }
    }

    /// Returns the files of all modules.
    pub(super) fn files(&self) -> impl Iterator<Item = &'a str> {
        self.files.values().copied()
    }

    /// Returns the `__init__` file that makes a folder a package.
    pub(super) fn init(&self, folder: &str) -> Option<&'a str> {
        self.files.get(join(folder, "__init__").as_str()).copied()
    }

    /// Returns the `__init__` files of the packages around a file, innermost first.
    pub(super) fn packages(&self, file: &str) -> impl Iterator<Item = &'a str> {
        upwards(parent(file)).map_while(|folder| self.init(folder))
    }

    /// Returns the folder that contains the outermost package of a file, or the folder of the file if there is no package.
    fn base(&self, file: &'a str) -> &'a str {
        let outside = upwards(parent(file)).find(|folder| folder.is_empty() || self.init(folder).is_none());
        outside.unwrap_or("")
    }

    /// Returns the file of the longest proper prefix of a name that `importer` can import.
    pub(super) fn beginning(&self, name: &str, importer: &str) -> Option<&'a str> {
        let shorter = |name: &str| name.rfind('.');
        let mut end = shorter(name);
        while let Some(at) = end {
            if let Some(file) = self.exactly(&name[..at], importer) {
                return Some(file);
            }
            end = shorter(&name[..at]);
        }
        None
    }

    /// Returns the nearest file with exactly this name that `importer` can import.
    pub(super) fn exactly(&self, name: &str, importer: &str) -> Option<&'a str> {
        let standard = name.split('.').next().is_some_and(|first| self.standard.contains(first));
        let above = |place: &Place<'_>| is_below(importer, place.root);
        let seen = |place: &&Place<'a>| above(place) || !(place.narrow || standard);
        let nearness = |place: &&Place<'a>| {
            let shared = importer.split('/').zip(place.file.split('/')).take_while(|(a, b)| a == b).count();
            (if above(place) { place.root.len() + 1 } else { 0 }, shared)
        };
        // `rev` makes the first of several equally near files win.
        let places = self.named.get(name)?;
        self.left.set(self.left.get().saturating_sub(places.len() as u64));
        if self.left.get() == 0 {
            return None;
        }
        Some(places.iter().filter(seen).rev().max_by_key(nearness)?.file)
    }

    /// Returns a warning if imports were left out because of [`MOST_COMPARED`].
    pub(super) fn left_out(&self) -> Option<String> {
        let words = "imports are left out, because they would be compared with more than";
        (self.left.get() == 0).then(|| format!("{words} {MOST_COMPARED} files of the same names"))
    }

    /// Returns the file of a relative name with `level` dots in `importer`. An empty name is the package.
    pub(super) fn relative(&self, level: usize, name: &str, importer: &str) -> Option<&'a str> {
        let folder = upwards(parent(importer)).nth(level.checked_sub(1)?)?;
        let name = name.trim_matches('.');
        let stem = join(folder, &name.replace('.', "/"));
        let module = || if name.is_empty() { None } else { self.files.get(stem.as_str()).copied() };
        self.init(&stem).or_else(module)
    }
}

/// Returns the folders that imports start from if no roots are given: the root, projects, and their `src` folders.
fn projects<'a>(paths: &BTreeSet<&'a str>) -> HashSet<&'a str> {
    let projects: HashSet<&str> = paths
        .iter()
        .filter(|path| PROJECTS.contains(&paths::name(path)))
        .map(|path| parent(path))
        .chain([""])
        .collect();
    let inside = |folder: &&str| {
        let plain = !paths.contains(join(folder, "__init__.py").as_str());
        plain && matches!(paths::name(folder), "src" | "lib" | "python") && projects.contains(parent(folder))
    };
    let folders: HashSet<&'a str> =
        paths.iter().filter(|path| stem(path).is_some()).flat_map(|path| upwards(parent(path))).collect();
    let inner: Vec<&str> = folders.into_iter().filter(inside).collect();
    projects.into_iter().chain(inner).collect()
}
