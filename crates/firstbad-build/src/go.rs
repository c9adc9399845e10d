//! Go: `go list -json -deps ./...`, with or without `-test`.
//!
//! Packages of the main modules are build targets with the names of their import paths. If a package has tests, a second target
//! has the name of the test binary, such as `example.com/app/store.test`. The second target depends on the package and on the
//! imports of its tests, and owns the folder `testdata`. The standard library and other modules are left out.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Error;
use firstbad::suspicion::BuildGraphKind;
use serde::Deserialize;

use crate::collected::CollectedTargets;
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
        // With `-test`, the list repeats each package as its tests see it, and adds a generated `main`.
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

    /// Adds the package in `folder` and its tests as build targets.
    fn add(&self, collected: &mut CollectedTargets, folder: &str) {
        let target = collected.target(&self.import_path);
        self.files().for_each(|file| collected.file(target, paths::join(folder, file)));
        self.imports.iter().for_each(|import| collected.dep(target, self.meant(import)));
        if self.test_files().next().is_none() {
            return;
        }
        let test = collected.target(&format!("{}.test", self.import_path));
        self.test_files().for_each(|file| collected.file(test, paths::join(folder, file)));
        collected.folder(test, paths::join(folder, "testdata"));
        collected.dep(test, &self.import_path);
        let imports = self.test_imports.iter().chain(&self.x_test_imports);
        imports.for_each(|import| collected.dep(test, self.meant(import)));
    }

    /// Resolves an import that vendoring may have mapped.
    fn meant<'a>(&'a self, import: &'a String) -> &'a String {
        self.import_map.get(import).unwrap_or(import)
    }
}

/// Loads a build graph from the output of `go list`. Paths are relative to the folder of the main module. If a `go.work` joins
/// several modules, paths are relative to their common folder.
///
/// # Errors
/// [`Error::InvalidArgument`] if the text is not the output of `go list`.
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
        return Err(unreadable(text, JSON, "no package belongs to a main module"));
    }
    let slashes = |folder: &str| folder.replace('\\', "/");
    let modules = own.iter().filter_map(|package| package.module.as_ref()?.dir.as_deref());
    let modules: BTreeSet<String> = modules.map(slashes).collect();
    let folders: BTreeSet<String> = own.iter().map(|package| slashes(&package.dir)).collect();
    let among = if modules.is_empty() { &folders } else { &modules };
    // `None` only if there are no folders.
    let root = paths::common(among.iter().map(String::as_str)).unwrap_or_default();

    let mut collected = CollectedTargets::default();
    let mut warnings = Vec::new();
    let mut outside_root = BTreeSet::new();
    for package in &own {
        if let Some(Trouble { err }) = &package.error {
            warnings.push(format!("go list says of {}: {}", package.import_path, err.trim()));
        }
        match paths::relative(&package.dir, &root) {
            Some(folder) => package.add(&mut collected, &folder),
            None => {
                outside_root.insert(package.import_path.clone());
            }
        }
    }
    let of_modules = modules
        .iter()
        .filter_map(|folder| paths::relative(folder, &root))
        .flat_map(|folder| ["go.mod", "go.sum", "vendor/modules.txt"].map(|file| paths::join(&folder, file)));
    collected.workspace(of_modules.chain(["go.work".to_owned(), "go.work.sum".to_owned()]));
    let (graph, outside) = collected.finish(BuildGraphKind::Go, prefix)?;
    let (others, missing) = outside_meaning(&packages, &outside);
    warnings.extend(left_out("other modules", &others));
    warnings.extend(left_out("packages outside the modules' folder", &outside_root));
    warnings.extend(left_out("imports that are not in the list", &missing));
    Ok(Loaded { graph, warnings })
}

/// Returns the other modules in the list, and the names in `outside` that are missing from the list.
fn outside_meaning(packages: &[Package], outside: &BTreeSet<String>) -> (BTreeSet<String>, BTreeSet<String>) {
    let standard: BTreeSet<&String> =
        packages.iter().filter(|package| package.standard).map(|package| &package.import_path).collect();
    let others: BTreeSet<String> = packages
        .iter()
        .filter(|package| !package.standard && package.module.as_ref().is_some_and(|module| !module.main))
        .filter_map(|package| Some(package.module.as_ref()?.path.clone()))
        .collect();
    // `-deps` does not list test imports. Imports of the standard library have no dot in their first part.
    let missing = |name: &&String| {
        !standard.contains(name)
            && name.split('/').next().is_some_and(|first| first.contains('.'))
            && !paths::upwards(name).any(|module| others.contains(module))
    };
    let missing = outside.iter().filter(missing).cloned().collect();
    (others, missing)
}
