/// The purpose of a file, from its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileClass {
    /// Configuration of continuous integration and of tools.
    Ci,
    Test,
    Documentation,
    Build,
    /// All other files.
    Source,
}

const CI_FOLDERS: &[&str] = &[".github", ".gitlab", ".circleci", ".buildkite", ".azure-pipelines", "ci"];
const CI_NAMES: &[&str] =
    &["tox.ini", "noxfile.py", "appveyor.yml", "azure-pipelines.yml", "jenkinsfile", "codecov.yml"];

const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "testdata",
    "t",
    "spec",
    "specs",
    "__tests__",
    "__mocks__",
    "fixture",
    "fixtures",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "e2e",
];
const TEST_NAMES: &[&str] = &["conftest.py"];

const DOCUMENTATION_FOLDERS: &[&str] = &[
    "doc",
    "docs",
    "documentation",
    "example",
    "examples",
    "man",
    "website",
    "changelog.d",
    "newsfragments",
    "changes.d",
];
const DOCUMENTATION_STEMS: &[&str] = &[
    "readme",
    "changes",
    "changelog",
    "history",
    "news",
    "license",
    "licence",
    "copying",
    "authors",
    "contributors",
    "contributing",
    "notice",
    "security",
    "code_of_conduct",
    "todo",
    "upgrading",
];
const DOCUMENTATION_ENDINGS: &[&str] =
    &["md", "markdown", "rst", "txt", "adoc", "png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "pdf", "css", "scss"];

const BUILD_STEMS: &[&str] = &["setup", "makefile", "gnumakefile", "configure", "build", "dockerfile", "meson"];
const BUILD_NAMES: &[&str] = &[
    "pipfile",
    "gemfile",
    "rakefile",
    "go.mod",
    "go.sum",
    "yarn.lock",
    "pom.xml",
    "build.gradle",
    "workspace",
    "manifest.in",
    "requirements.txt",
    "cmakelists.txt",
];
const BUILD_ENDINGS: &[&str] = &[
    "toml", "json", "json5", "yml", "yaml", "lock", "cfg", "ini", "cmake", "mk", "am", "ac", "m4", "in", "bzl",
    "bazel", "gradle",
];

impl FileClass {
    /// Returns the first matching class of a path, which is relative to the top folder.
    pub(super) fn of(path: &str) -> FileClass {
        let lower = path.to_lowercase();
        let mut folders: Vec<&str> = lower.split('/').filter(|part| !part.is_empty()).collect();
        let name = folders.pop().unwrap_or_default();
        // `LICENSE-MIT` is a license.
        let stem = name.split(['.', '-']).next().unwrap_or_default();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let lies_in = |names: &[&str]| folders.iter().any(|folder| names.contains(folder));
        if lies_in(CI_FOLDERS) || CI_NAMES.contains(&name) || name.starts_with('.') {
            FileClass::Ci
        } else if lies_in(TEST_FOLDERS) || TEST_NAMES.contains(&name) || is_test(path, name) {
            FileClass::Test
        } else if BUILD_NAMES.contains(&name) {
            FileClass::Build
        } else if lies_in(DOCUMENTATION_FOLDERS)
            || DOCUMENTATION_STEMS.contains(&stem)
            || DOCUMENTATION_ENDINGS.contains(&ending)
        {
            FileClass::Documentation
        } else if BUILD_STEMS.contains(&stem) || BUILD_ENDINGS.contains(&ending) {
            FileClass::Build
        } else {
            FileClass::Source
        }
    }
}

/// Returns whether a path, relative to the top folder, is a test by its name.
#[must_use]
pub fn is_test_file(path: &str) -> bool {
    FileClass::of(path) == FileClass::Test
}

/// Returns whether a path, relative to the top folder, is documentation by its name. Style sheets are not.
#[must_use]
pub fn is_documentation(path: &str) -> bool {
    FileClass::of(path) == FileClass::Documentation && !path.ends_with("css")
}

fn is_test(path: &str, name: &str) -> bool {
    let bare = name.rsplit_once('.').map_or(name, |(bare, _)| bare);
    let own = path.rsplit('/').next().unwrap_or(path);
    let own = own.rsplit_once('.').map_or(own, |(bare, _)| bare);
    ["test_", "test-"].iter().any(|start| bare.starts_with(start))
        || ["_test", "-test", ".test", ".spec", "_spec", "_tests"].iter().any(|end| bare.ends_with(end))
        // Java, C#, and Kotlin tests are named like `CartTest`. `contest` is not a test.
        || ["Test", "Tests", "Spec"].iter().any(|end| own.ends_with(end))
        || bare == "test"
        || bare == "tests"
}

#[cfg(test)]
mod tests {
    use super::FileClass::{self, Build, Ci, Documentation, Source, Test};

    #[test]
    fn files_are_classified_by_their_names() {
        let known: [(FileClass, &[&str]); 5] = [
            (Ci, &[".github/workflows/ci.yml", "tox.ini", ".pre-commit-config.yaml", "ci/run.sh", ".gitignore"]),
            (
                Test,
                &[
                    "tests/test_a.py",
                    "src/cart.test.ts",
                    "a/__tests__/b.js",
                    "conftest.py",
                    "src/CartTest.java",
                    "t/t1234-log.sh",
                    "cart_test.go",
                    "test.js",
                    "bench/fixtures/a.json",
                ],
            ),
            (
                Documentation,
                &["README", "docs/conf.py", "CHANGES.rst", "LICENSE-MIT", "a/picture.png", "src/style.css"],
            ),
            (Build, &["setup.py", "Cargo.toml", "package-lock.json", "CMakeLists.txt", "Makefile", "requirements.txt"]),
            (Source, &["src/cart.py", "lib/parse.js", "contest.py", "src/latest.c", "a/testify.rs", "tabulate.py"]),
        ];
        for (class, paths) in known {
            for path in paths {
                let found = FileClass::of(path);
                assert!(found == class, "{path}: {found:?}, not {class:?}");
            }
        }
    }
}
