//! Go: `go list -json -deps ./...` (or `-test`), one JSON object after the other.
//!
//! Packages of the main modules are targets, named by their import paths. A package with tests has a second target, named
//! as Go names its test binary (`example.com/app/store.test`), that depends on the package and on what its tests import;
//! its folder `testdata` is its own. The standard library and other modules are left out.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Error;
use serde::Deserialize;

use crate::draft::Draft;
use crate::loaded::Loaded;
use crate::paths;
use crate::warnings::{left_out, unreadable};

const JSON: &str = "the output of `go list -json -deps ./...`";

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Package {
    import_path: String,
    dir: String,
    name: String,
    standard: bool,
    for_test: Option<String>,
    module: Option<Module>,
    error: Option<Trouble>,
    import_map: BTreeMap<String, String>,

    go_files: Vec<String>,
    cgo_files: Vec<String>,
    #[serde(rename = "CFiles")]
    c_files: Vec<String>,
    #[serde(rename = "CXXFiles")]
    cxx_files: Vec<String>,
    #[serde(rename = "MFiles")]
    m_files: Vec<String>,
    #[serde(rename = "HFiles")]
    h_files: Vec<String>,
    #[serde(rename = "FFiles")]
    f_files: Vec<String>,
    #[serde(rename = "SFiles")]
    s_files: Vec<String>,
    swig_files: Vec<String>,
    #[serde(rename = "SwigCXXFiles")]
    swig_cxx_files: Vec<String>,
    syso_files: Vec<String>,
    embed_files: Vec<String>,
    imports: Vec<String>,

    test_go_files: Vec<String>,
    test_embed_files: Vec<String>,
    test_imports: Vec<String>,
    #[serde(rename = "XTestGoFiles")]
    x_test_go_files: Vec<String>,
    #[serde(rename = "XTestEmbedFiles")]
    x_test_embed_files: Vec<String>,
    #[serde(rename = "XTestImports")]
    x_test_imports: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Module {
    path: String,
    main: bool,
    dir: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Trouble {
    err: String,
}

impl Package {
    fn is_own(&self) -> bool {
        // `-test` lists every package once more as its tests see it, and a generated main for each.
        let for_tests = self.for_test.is_some() || self.import_path.contains(' ');
        let generated = self.name == "main" && self.import_path.ends_with(".test");
        let main_module = self.module.as_ref().is_none_or(|module| module.main);
        !self.standard && main_module && !for_tests && !generated && !self.import_path.is_empty()
    }

    fn files(&self) -> impl Iterator<Item = &String> {
        [
            &self.go_files,
            &self.cgo_files,
            &self.c_files,
            &self.cxx_files,
            &self.m_files,
            &self.h_files,
            &self.f_files,
            &self.s_files,
            &self.swig_files,
            &self.swig_cxx_files,
            &self.syso_files,
            &self.embed_files,
        ]
        .into_iter()
        .flatten()
    }

    fn test_files(&self) -> impl Iterator<Item = &String> {
        [&self.test_go_files, &self.x_test_go_files, &self.test_embed_files, &self.x_test_embed_files]
            .into_iter()
            .flatten()
    }

    /// An import as the package that it means: vendoring may map it.
    fn meant<'a>(&'a self, import: &'a String) -> &'a String {
        self.import_map.get(import).unwrap_or(import)
    }
}

/// A build graph from what `go list` prints. Paths count from the main module's folder; from the folder that holds them
/// all where a `go.work` joins several.
///
/// # Errors
/// [`Error::InvalidArgument`] for a text that is no such list.
pub fn go(text: &str) -> Result<Loaded, Error> {
    go_below(text, "")
}

pub(crate) fn go_below(text: &str, prefix: &str) -> Result<Loaded, Error> {
    let packages: Vec<Package> = serde_json::Deserializer::from_str(text)
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|error| unreadable(text, JSON, error))?;
    let own: Vec<&Package> = packages.iter().filter(|package| package.is_own()).collect();
    if own.is_empty() {
        return Err(unreadable(text, JSON, "there is no package of a main module"));
    }
    let modules = own.iter().filter_map(|package| package.module.as_ref()?.dir.as_deref());
    let folders = own.iter().map(|package| package.dir.as_str());
    let slashes = |folder: &str| folder.replace('\\', "/");
    let modules: BTreeSet<String> = modules.map(slashes).collect();
    let folders: BTreeSet<String> = folders.map(slashes).collect();
    let among = if modules.is_empty() { &folders } else { &modules };
    let root = paths::common(among.iter().map(String::as_str)).unwrap_or_default();

    let mut draft = Draft::default();
    let mut warnings = Vec::new();
    let mut elsewhere = BTreeSet::new();
    for package in &own {
        let name = &package.import_path;
        if let Some(Trouble { err }) = &package.error {
            warnings.push(format!("go list says of {name}: {}", err.trim()));
        }
        let Some(folder) = paths::relative(&package.dir, &root) else {
            elsewhere.insert(name.clone());
            continue;
        };
        let target = draft.target(name);
        package.files().for_each(|file| draft.file(target, paths::join(&folder, file)));
        package.imports.iter().for_each(|import| draft.dep(target, package.meant(import)));
        if package.test_files().next().is_none() {
            continue;
        }
        let test = draft.target(&format!("{name}.test"));
        package.test_files().for_each(|file| draft.file(test, paths::join(&folder, file)));
        draft.folder(test, paths::join(&folder, "testdata"));
        draft.dep(test, name);
        let imports = package.test_imports.iter().chain(&package.x_test_imports);
        imports.for_each(|import| draft.dep(test, package.meant(import)));
    }
    let of_modules = modules
        .iter()
        .filter_map(|folder| paths::relative(folder, &root))
        .flat_map(|folder| ["go.mod", "go.sum", "vendor/modules.txt"].map(|file| paths::join(&folder, file)));
    draft.workspace(of_modules.chain(["go.work".to_owned(), "go.work.sum".to_owned()]));
    let (graph, outside) = draft.finish(prefix)?;
    let others = other_modules(&packages);
    warnings.extend(left_out("other modules", &others));
    warnings.extend(left_out("packages outside the modules' folder", &elsewhere));
    warnings.extend(left_out("imports that are not in the list", &missing(&packages, &others, outside)));
    Ok(Loaded { graph, warnings })
}

/// The modules that packages of the list come from, main modules left out.
fn other_modules(packages: &[Package]) -> BTreeSet<String> {
    packages
        .iter()
        .filter(|package| !package.standard && package.module.as_ref().is_some_and(|module| !module.main))
        .filter_map(|package| Some(package.module.as_ref()?.path.clone()))
        .collect()
}

/// Those of the imports from outside that nothing in the list accounts for. Test imports are not among `-deps`; the
/// standard library's have no dot in their first part.
fn missing(packages: &[Package], others: &BTreeSet<String>, outside: BTreeSet<String>) -> BTreeSet<String> {
    let standard = |name: &String| packages.iter().any(|package| package.standard && package.import_path == *name);
    let is_missing = |name: &String| {
        !standard(name)
            && name.split('/').next().is_some_and(|first| first.contains('.'))
            && !others.iter().any(|module| paths::is_below(name, module))
    };
    outside.into_iter().filter(is_missing).collect()
}
