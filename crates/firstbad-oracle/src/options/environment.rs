//! What the environment of a test is.

use std::path::{Component, Path, PathBuf};

use firstbad::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The variable that names the folder of an environment.
pub(crate) const VARIABLE: &str = "FIRSTBAD_ENVIRONMENT";

/// What a test needs installed, and the files that say so: the same environment serves all revisions at which these files are
/// the same. Made by `command` when a revision first needs it, and kept in the cache folder: later revisions, jobs, searches
/// and processes find it there.
///
/// All stages find its folder in `FIRSTBAD_ENVIRONMENT`. Where the folder is a virtual environment of Python `VIRTUAL_ENV` is
/// set too, and its `bin`, and `.bin` in what is linked as `node_modules`, come first in `PATH`.
///
/// As JSON an object with these fields, or the name of a preset: `"venv"`, `"uv"`, `"npm"`, `"pnpm"`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct Environment {
    /// The files that say what belongs into it, as paths from the revision's root, or patterns of them: `*` stands for
    /// anything within a name, `**/` for folders, and a folder for all that it holds. What is not tracked is not seen. At least
    /// one pattern; it is no error that no file is there: then the command is run all the same.
    pub files: Vec<String>,
    /// A program and its arguments, run in the work tree. It fills the folder that `FIRSTBAD_ENVIRONMENT` names, which is empty
    /// and outside the work tree. Where it does not end with 0 the revision is unresolved at the stage `setup`.
    pub command: Vec<String>,
    /// Paths that later work trees find as links into the environment, such as `node_modules`. What the command leaves there in
    /// the work tree is moved into the environment. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub link: Vec<String>,
    /// A program and its arguments, run in each work tree, that prints what else the environment depends on: the versions of
    /// the tools that make it. None: nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Vec<String>>,
}

/// What stands for a name.
struct Preset {
    name: &'static str,
    files: &'static [&'static str],
    script: &'static str,
    link: &'static [&'static str],
    version: &'static [&'static str],
}

/// The interpreter, and where it lies: a virtual environment has links to it.
const PYTHON: [&str; 3] = ["python3", "-c", "import sys; print(sys.version, sys.base_prefix)"];

/// Files are named rather too many than too few: each one more makes an environment more often than need be, and each one less
/// makes answers wrong.
const PRESETS: [Preset; 4] = [
    Preset {
        name: "venv",
        files: &["*requirements*.txt", "*constraints*.txt", "requirements/**"],
        // The file first: where there is none, nothing else is worth its time.
        script: "ls requirements.txt && python3 -m venv \"$FIRSTBAD_ENVIRONMENT\" \
                 && \"$FIRSTBAD_ENVIRONMENT/bin/python\" -m pip --disable-pip-version-check install -r requirements.txt",
        link: &[],
        version: &PYTHON,
    },
    Preset {
        name: "uv",
        files: &["uv.lock", "pyproject.toml", "uv.toml", ".python-version"],
        // The project itself is what is tested, and another one at each revision.
        script: "UV_PROJECT_ENVIRONMENT=\"$FIRSTBAD_ENVIRONMENT\" exec uv sync --frozen --no-install-workspace",
        link: &[],
        version: &["sh", "-c", "uv --version && uv python find"],
    },
    Preset {
        name: "npm",
        files: &["package.json", "package-lock.json", "npm-shrinkwrap.json", ".npmrc"],
        script: "exec npm ci --no-audit --no-fund",
        link: &["node_modules"],
        // What is compiled for one Node does not run in another.
        version: &["node", "-p", "process.version + ' ' + process.execPath"],
    },
    Preset {
        name: "pnpm",
        files: &["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc", ".pnpmfile.cjs"],
        // Its scripts would name the work tree that they were made in.
        script: "exec pnpm install --frozen-lockfile --config.extend-node-path=false",
        link: &["node_modules"],
        version: &["sh", "-c", "node --version && pnpm --version"],
    },
];

impl Environment {
    /// The names of all presets.
    pub const NAMES: [&'static str; 4] = ["venv", "uv", "npm", "pnpm"];

    /// The environment that has a name, one of [`Environment::NAMES`].
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names `environment`.
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

    /// The environment that JSON stands for.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names `environment`, for what is neither a preset's name nor a description.
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
    /// [`Error::InvalidArgument`] that names the field.
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
        // Two that lie in one another could not both be there.
        let lies_in_another =
            |path: &&String| self.link.iter().filter(|link| Path::new(path).starts_with(link)).count() > 1;
        if let Some(path) = self.link.iter().find(|path| !stays_inside(path) || lies_in_another(path)) {
            let expected = "paths from the revision's root, none within another";
            return Err(Error::invalid("environment.link", path, expected));
        }
        Ok(())
    }

    /// The paths that are linked.
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

/// Whether a path leads to a place below the folder that it starts from, and not into git's own.
fn stays_inside(path: &str) -> bool {
    let parts: Vec<Component<'_>> = Path::new(path).components().collect();
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(name) if !name.eq_ignore_ascii_case(".git") && !path.contains('\0'));
    // A path that ends with "/." or has "//" in it is written in a way that git may read otherwise.
    !parts.is_empty() && parts.iter().all(is_name) && !path.contains("//") && !path.ends_with('/')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_stand_for_descriptions_that_are_written_out() {
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
    fn what_is_no_environment_is_named() {
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
