//! Environments of tests, and the presets for them.

use std::path::{Component, Path, PathBuf};

use firstbad::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The environment variable with the folder of the test's environment.
pub(crate) const VARIABLE: &str = "FIRSTBAD_ENVIRONMENT";

/// The dependencies that a test needs installed, and the files that define them.
///
/// firstbad runs `command` to create the environment the first time that a revision needs it. All revisions with the same
/// contents of `files` share the environment. It stays in the cache folder for later revisions, jobs, searches, and processes.
///
/// Every stage finds the folder of the environment in `FIRSTBAD_ENVIRONMENT`. If the folder is a Python virtual environment,
/// `VIRTUAL_ENV` is also set. The programs of the environment come first in `PATH`: those in its `bin`, and those in the `.bin`
/// of a linked `node_modules`.
///
/// In JSON, an environment is an object with these fields or the name of a preset: `"venv"`, `"uv"`, `"npm"`, or `"pnpm"`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct Environment {
    /// The files that define the environment, as paths or patterns relative to the root of the revision. There must be at least
    /// one.
    ///
    /// `*` matches any part of a name, and `**/` any folders. A folder matches all files in it. Only tracked files count. If no
    /// file matches, firstbad still runs `command`.
    pub files: Vec<String>,
    /// The command that fills the environment: a program and its arguments, run in the worktree.
    ///
    /// `FIRSTBAD_ENVIRONMENT` names the folder to fill, which is empty and outside the worktree. If the command does not exit
    /// with 0, the revision is unresolved at the stage `setup`.
    pub command: Vec<String>,
    /// The paths that later worktrees contain as links into the environment, such as `node_modules`. firstbad moves the files
    /// that `command` creates at these paths into the environment. By default there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub link: Vec<String>,
    /// A program and its arguments that print what else the environment depends on, such as the versions of the tools that create
    /// it. firstbad runs the program in each worktree. By default the environment depends on nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Vec<String>>,
}

/// The environment behind the name of a preset.
struct Preset {
    name: &'static str,
    files: &'static [&'static str],
    script: &'static str,
    link: &'static [&'static str],
    version: &'static [&'static str],
}

/// Prints the interpreter's version and location, because virtual environments link to the interpreter.
const PYTHON: [&str; 3] = ["python3", "-c", "import sys; print(sys.version, sys.base_prefix)"];

/// An extra file only recreates an environment too often. A missing file makes outcomes wrong.
const PRESETS: [Preset; 4] = [
    Preset {
        name: "venv",
        files: &["*requirements*.txt", "*constraints*.txt", "requirements/**"],
        // `ls` comes first, so a revision without the file fails before the slow steps.
        script: "ls requirements.txt && python3 -m venv \"$FIRSTBAD_ENVIRONMENT\" \
                 && \"$FIRSTBAD_ENVIRONMENT/bin/python\" -m pip --disable-pip-version-check install -r requirements.txt",
        link: &[],
        version: &PYTHON,
    },
    Preset {
        name: "uv",
        files: &["uv.lock", "pyproject.toml", "uv.toml", ".python-version"],
        // The project is not installed, because it differs at each revision.
        script: "UV_PROJECT_ENVIRONMENT=\"$FIRSTBAD_ENVIRONMENT\" exec uv sync --frozen --no-install-workspace",
        link: &[],
        version: &["sh", "-c", "uv --version && uv python find"],
    },
    Preset {
        name: "npm",
        files: &["package.json", "package-lock.json", "npm-shrinkwrap.json", ".npmrc"],
        script: "exec npm ci --no-audit --no-fund",
        link: &["node_modules"],
        // Modules that are compiled for one version of Node do not run in another.
        version: &["node", "-p", "process.version + ' ' + process.execPath"],
    },
    Preset {
        name: "pnpm",
        files: &["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc", ".pnpmfile.cjs"],
        // Without this option, pnpm writes the path of the worktree into its scripts.
        script: "exec pnpm install --frozen-lockfile --config.extend-node-path=false",
        link: &["node_modules"],
        version: &["sh", "-c", "node --version && pnpm --version"],
    },
];

impl Environment {
    /// The names of all presets.
    pub const NAMES: [&'static str; 4] = ["venv", "uv", "npm", "pnpm"];

    /// Returns the preset environment with this name, one of [`Environment::NAMES`].
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `environment` if there is no such preset.
    pub fn preset(name: &str) -> Result<Environment, Error> {
        let texts = |given: &[&str]| given.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let row = PRESETS.iter().find(|row| row.name == name).ok_or_else(|| {
            let names = Environment::NAMES.map(|name| format!("{name:?}"));
            Error::invalid("environment", name, format!("one of {}, or files and a command", names.join(", ")))
        })?;
        Ok(Environment {
            files: texts(row.files),
            command: texts(&["sh", "-c", row.script]),
            link: texts(row.link),
            version: Some(texts(row.version)),
        })
    }

    /// Reads an environment from JSON.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `environment` if the value is neither the name of a preset nor a valid description.
    pub fn read(value: &Value) -> Result<Environment, Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            files: Vec<String>,
            command: Vec<String>,
            #[serde(default)]
            link: Vec<String>,
            version: Option<Vec<String>>,
        }
        if let Value::String(name) = value {
            return Environment::preset(name);
        }
        let expected = "a preset's name, or an object with files, command, and perhaps link and version";
        let Fields { files, command, link, version } =
            Fields::deserialize(value).map_err(|error| Error::InvalidArgument {
                argument: "environment".to_owned(),
                value: value.to_string(),
                expected: format!("{expected} ({error})"),
            })?;
        let read = Environment { files, command, link, version };
        read.check()?;
        Ok(read)
    }

    /// # Errors
    /// [`Error::InvalidArgument`] for the first invalid field.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let commands = [("environment.command", Some(&self.command)), ("environment.version", self.version.as_ref())];
        for (argument, command) in commands {
            if let Some(command) = command
                && command.first().is_none_or(String::is_empty)
            {
                return Err(Error::invalid(argument, command, "a program and its arguments"));
            }
        }
        if self.files.is_empty() {
            return Err(Error::invalid("environment.files", &self.files, "at least one file, such as \"uv.lock\""));
        }
        if let Some(file) = self.files.iter().find(|file| !stays_inside(file.strip_suffix('/').unwrap_or(file))) {
            return Err(Error::invalid(
                "environment.files",
                file,
                "paths from the revision's root, or patterns of them",
            ));
        }
        // A link inside another linked path cannot exist.
        let lies_in_another =
            |path: &&String| self.link.iter().filter(|link| Path::new(path).starts_with(link)).count() > 1;
        if let Some(path) = self.link.iter().find(|path| !stays_inside(path) || lies_in_another(path)) {
            let expected = "paths from the revision's root, none within another";
            return Err(Error::invalid("environment.link", path, expected));
        }
        Ok(())
    }

    pub(crate) fn links(&self) -> impl Iterator<Item = PathBuf> {
        self.link.iter().map(PathBuf::from)
    }
}

impl TryFrom<Value> for Environment {
    type Error = Error;

    fn try_from(value: Value) -> Result<Environment, Error> {
        Environment::read(&value)
    }
}

/// Returns whether a relative path stays below its starting folder and outside `.git`.
fn stays_inside(path: &str) -> bool {
    let parts: Vec<Component<'_>> = Path::new(path).components().collect();
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(name) if !name.eq_ignore_ascii_case(".git") && !path.contains('\0'));
    // Git may read a path that ends with `/.` or contains `//` as another path.
    !parts.is_empty() && parts.iter().all(is_name) && !path.contains("//") && !path.ends_with('/')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn environment_presets_expand_to_descriptions() {
        for (row, name) in PRESETS.iter().zip(Environment::NAMES) {
            assert_eq!(row.name, name);
            let preset = Environment::preset(name).unwrap();
            preset.check().unwrap();
            let written = serde_json::to_value(&preset).unwrap();
            assert!(written.is_object());
            assert_eq!(Environment::read(&written), Ok(preset.clone()));
            assert_eq!(serde_json::from_value::<Environment>(json!(name)).unwrap(), preset);
        }
    }

    #[test]
    fn invalid_environments_are_named() {
        let refused = |value: Value| Environment::read(&value).unwrap_err().to_string();
        assert!(refused(json!("conda")).starts_with(r#"environment: "conda" is not valid; expected one of "venv""#));
        assert!(refused(json!(3)).contains("expected a preset's name"));
        assert!(refused(json!({"files": ["a"]})).contains("missing field `command`"));
        assert!(refused(json!({"files": ["a"], "command": ["b"], "links": []})).contains("links"));
        for (field, wrong) in [
            ("files", json!([])),
            ("files", json!(["/etc/passwd"])),
            ("files", json!(["a/../../b"])),
            ("files", json!([""])),
            ("command", json!([])),
            ("command", json!([""])),
            ("version", json!([])),
            ("link", json!(["."])),
            ("link", json!(["node_modules/"])),
            ("link", json!([".git/hooks"])),
            ("link", json!(["../node_modules"])),
            ("link", json!(["a", "a/b"])),
            ("link", json!(["a", "a"])),
        ] {
            let mut value = json!({"files": ["lock"], "command": ["install"]});
            value[field] = wrong.clone();
            let words = refused(value);
            assert!(words.starts_with(&format!("environment.{field}: ")), "{wrong}: {words}");
        }
    }
}
