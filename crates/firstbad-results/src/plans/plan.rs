//! Plans: commands that run chosen tests and write their results.

use super::words::{Arguments, batches, insert};
use crate::error::ResultsError;
use crate::format::Format;
use crate::tree::Tree;

/// The most bytes of the arguments for tests. Longer lists become a file, or several commands if the runner reads no file.
pub(super) const MOST_ARGUMENTS: usize = if cfg!(windows) { 20_000 } else { 100_000 };

/// A request for commands that run tests.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The words of the user's command. The arguments replace `{tests}`, or are added if the command has no `{tests}`.
    pub command: &'a [String],
    /// The ids of the tests to run, or `None` for the whole suite.
    pub tests: Option<&'a [String]>,
    /// The absolute path of an empty folder for the files of the plan and for the results. Every run needs its own folder, because
    /// a runner that fails early leaves old results.
    pub folder: &'a str,
    /// The tree of the command. Files of tests that do not exist at this revision are left out.
    pub tree: Tree<'a>,
    /// The place of the results of a custom runner, which only [`Runner::Custom`](crate::Runner::Custom) needs.
    pub results: Option<&'a ResultsAt>,
    /// Whether these tests had no result before. Some runners then run more tests, so that hidden tests are found.
    pub again: bool,
    /// The major and minor version of the runner, or `None` for a recent version. Only CTest before 3.29 needs it.
    pub version: Option<(u32, u32)>,
}

impl<'a> Request<'a> {
    /// Creates a request for a command, with a tree in which every file exists.
    #[must_use]
    pub fn new(command: &'a [String], tests: Option<&'a [String]>, folder: &'a str) -> Request<'a> {
        let tree = Tree::new("", &|_| true);
        Request { command, tests, folder, tree, results: None, again: false, version: None }
    }

    pub(super) fn path(&self, name: &str) -> String {
        let separator = if self.folder.contains('\\') { '\\' } else { '/' };
        format!("{}{separator}{name}", self.folder.trim_end_matches(['/', '\\']))
    }
}

/// A command that runs tests, with everything that it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The ids of the tests, or `None` for the whole suite.
    pub tests: Option<Vec<String>>,
    /// The words of the command.
    pub argv: Vec<String>,
    /// The changes of the environment.
    pub environment: Vec<EnvironmentChange>,
    /// The files to write before the command starts.
    pub files: Vec<PlannedFile>,
    /// The place of the results.
    pub results: ResultsAt,
}

/// A variable of the environment that a command needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentChange {
    /// The name of the variable.
    pub name: String,
    /// The value of the variable.
    pub value: String,
    /// Whether the value is a folder to put before the folders that the variable has, such as those of `PYTHONPATH`.
    pub is_first: bool,
}

/// A file that a command needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedFile {
    /// The absolute path.
    pub path: String,
    /// The content.
    pub content: String,
}

/// The place and the format of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultsAt {
    /// The format, or `None` if the exit code is the result.
    pub format: Option<Format>,
    /// The place.
    pub place: Place,
}

/// The place of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A file. A relative path starts at the folder of the command.
    File(String),
    /// All files of this name below a folder, which is relative to the folder of the command. Files from before the start of the
    /// command are results of an earlier run.
    Folder {
        /// The folder.
        path: String,
        /// The name of the files.
        name: String,
    },
    /// The standard output, together with the standard error if possible.
    Output,
    /// The exit code, for one test at a time.
    ExitCode,
}

impl std::str::FromStr for ResultsAt {
    type Err = ResultsError;

    /// Parses `FORMAT:PATH`, such as `junit:out.xml` or `tap:-` for standard output, or `exit`.
    ///
    /// # Errors
    /// [`ResultsError::UnknownResults`] for another value.
    fn from_str(given: &str) -> Result<ResultsAt, ResultsError> {
        if given == "exit" {
            return Ok(ResultsAt { format: None, place: Place::ExitCode });
        }
        let unknown = || ResultsError::UnknownResults { given: given.to_owned() };
        let (name, path) = given.split_once(':').filter(|(_, path)| !path.is_empty()).ok_or_else(unknown)?;
        let format = serde_json::from_value::<Format>(name.into()).map_err(|_| unknown())?;
        let place = if path == "-" { Place::Output } else { Place::File(path.to_owned()) };
        Ok(ResultsAt { format: Some(format), place })
    }
}

/// Makes a plan for each batch of tests, or one for the whole suite.
pub(super) fn in_batches(
    request: &Request<'_>,
    length: impl Fn(&str) -> usize,
    make: impl Fn(Option<&[String]>, usize) -> Result<Plan, ResultsError>,
) -> Result<Vec<Plan>, ResultsError> {
    let Some(tests) = request.tests else { return Ok(vec![make(None, 0)?]) };
    let batches = batches(tests, length, MOST_ARGUMENTS);
    batches.into_iter().enumerate().map(|(number, batch)| make(Some(batch), number)).collect()
}

/// Makes a plan without files and variables.
pub(super) fn plain(
    command: &[String],
    tests: Option<&[String]>,
    arguments: Arguments,
    results: ResultsAt,
) -> Result<Plan, ResultsError> {
    let argv = insert(command, arguments)?;
    Ok(Plan { tests: tests.map(<[String]>::to_vec), argv, environment: Vec::new(), files: Vec::new(), results })
}

pub(super) fn file(format: Format, path: String) -> ResultsAt {
    ResultsAt { format: Some(format), place: Place::File(path) }
}

/// Returns the different files of ids, in order, or `None` if an id has no file. Missing files are left out, unless all are missing.
pub(super) fn files_of(tests: &[String], tree: &Tree<'_>) -> Option<Vec<String>> {
    let mut files: Vec<&str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for test in tests {
        let file = place_and_name(test).0?;
        if seen.insert(file) {
            files.push(file);
        }
    }
    let existing: Vec<&str> = files.iter().copied().filter(|file| tree.has(file)).collect();
    let kept = if existing.is_empty() { files } else { existing };
    // An id must not become an option.
    let safe = |file: &str| if file.starts_with('-') { format!("./{file}") } else { file.to_owned() };
    Some(kept.into_iter().map(safe).collect())
}

/// Splits an id into its file and its name. An id without a name is a file.
pub(super) fn place_and_name(id: &str) -> (Option<&str>, &str) {
    let is_file = |place: &str| {
        let name = place.rsplit('/').next().unwrap_or(place);
        name.contains('.') && !place.contains(['\n', ' ', '('])
            || name.rsplit_once('.').is_some_and(|(_, end)| is_extension(end))
    };
    match id.split_once("::") {
        Some((place, name)) if is_file(place) => (Some(place), name),
        None if is_file(id) && is_extension(id.rsplit('.').next().unwrap_or_default()) => (Some(id), ""),
        _ => (None, id),
    }
}

fn is_extension(end: &str) -> bool {
    matches!(end, "py" | "js" | "ts" | "mjs" | "cjs" | "mts" | "cts" | "jsx" | "tsx" | "vue" | "svelte")
}
