//! Reads the reports that a runner wrote.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use firstbad_platform::files;
use firstbad_results::limits::LARGEST_REPORT;
use firstbad_results::{Place, Plan, Reader, Report, ResultsError, Runner, Tree};

/// The most files of a folder with results, and their greatest depth.
const MOST_FILES: usize = 10_000;
const DEEPEST: usize = 40;

/// Removes the results of an earlier run from a worktree.
pub(super) fn clear(plan: &Plan, tree: &Path) -> io::Result<()> {
    match &plan.results.place {
        Place::File(path) if Path::new(path).is_relative() => firstbad_platform::trees::Folder::open(tree)
            .and_then(|folder| folder.remove(Path::new(path)))
            .or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }),
        _ => Ok(()),
    }
}

/// Reads the reports of a plan, or `None` if the runner wrote none. `output` is the output of the command, which started at `start`.
///
/// # Errors
/// [`ResultsError`] if a report is too large or invalid.
pub(super) fn read(
    plan: &Plan,
    runner: Runner,
    folder: &Path,
    start: SystemTime,
    output: impl FnOnce() -> io::Result<Vec<u8>>,
) -> Result<Option<Report>, ResultsError> {
    let exists = |path: &str| folder.join(path).is_file();
    let root = folder.to_string_lossy();
    let reader = Reader::new().runner(runner).tree(Tree::new(&root, &exists));
    let reader = plan.results.format.map_or(reader, |format| reader.format(format));
    let one = |bytes: io::Result<Vec<u8>>| match bytes {
        Ok(bytes) if bytes.is_empty() => Ok(None),
        Ok(bytes) => match reader.read(&bytes) {
            Err(ResultsError::Empty) => Ok(None),
            read => read.map(Some),
        },
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            Err(ResultsError::TooLarge { bytes: LARGEST_REPORT + 1 })
        }
        Err(_) => Ok(None),
    };
    match &plan.results.place {
        Place::File(path) => one(content(&folder.join(path))),
        Place::Output => one(output()),
        Place::ExitCode => Ok(None),
        Place::Folder { path, name } => {
            let mut all: Option<Report> = None;
            // Bazel's folder of results is a link, which it creates in the worktree.
            let is_new =
                |file: &PathBuf| std::fs::metadata(file).and_then(|found| found.modified()).is_ok_and(|at| at >= start);
            for file in named(&folder.join(path), name).into_iter().filter(is_new) {
                let Some(report) = one(content(&file))? else { continue };
                match &mut all {
                    Some(all) => all.tests.extend(report.tests),
                    None => all = Some(report),
                }
            }
            Ok(all)
        }
    }
}

fn content(path: &Path) -> io::Result<Vec<u8>> {
    files::read_file(files::open_regular(path)?, LARGEST_REPORT as u64)
}

/// Returns the files of this name below a folder, without following links below it.
fn named(folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < DEEPEST {
                folders.push((entry.path(), depth + 1));
            } else if kind.is_file() && entry.file_name() == name && found.len() < MOST_FILES {
                found.push(entry.path());
            }
        }
    }
    found.sort_unstable();
    found
}
