//! The reports of last night and of the last green run, and lists of tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use firstbad::{Error, TestResult};
use firstbad_git::Repository;
use firstbad_results::{Reader, Runner, Tree, results};

use crate::args::NightArgs;
use crate::input;

/// The tests of a triage, and what is known about them.
#[derive(Debug, Default)]
pub(crate) struct Night {
    pub(crate) tests: Vec<String>,
    pub(crate) tonight: BTreeMap<String, TestResult>,
    pub(crate) last: BTreeMap<String, TestResult>,
    pub(crate) quarantine: Vec<String>,
}

impl Night {
    /// Reads the reports and lists of the command line.
    pub(crate) fn read(args: &NightArgs, repository: &Repository, runner: Option<Runner>) -> Result<Night, Error> {
        let read = |files: &[PathBuf]| reported(files, Some(repository), runner, &[]);
        Ok(Night {
            tests: args.tests.as_deref().map(ids_in).transpose()?.unwrap_or_default(),
            tonight: read(&args.bad_results)?,
            last: read(&args.good_results)?,
            quarantine: args.quarantine.as_deref().map(ids_in).transpose()?.unwrap_or_default(),
        })
    }
}

/// Reads the results of test reports. Ids that a report spells in another way than `wanted` are those of `wanted`.
pub(crate) fn reported(
    files: &[PathBuf],
    repository: Option<&Repository>,
    runner: Option<Runner>,
    wanted: &[String],
) -> Result<BTreeMap<String, TestResult>, Error> {
    let root = repository.map(|repository| repository.path().to_string_lossy().into_owned()).unwrap_or_default();
    let exists = |path: &str| !root.is_empty() && Path::new(&root).join(path).exists();
    let reader = Reader::new().tree(Tree::new(&root, &exists));
    let reader = runner.map_or(reader, |runner| reader.runner(runner));
    let reports = files.iter().map(|file| reader.read_file(file)).collect::<Result<Vec<_>, _>>()?;
    let mut found = results(&reports);
    for (id, result) in reports.iter().flat_map(|report| report.results_of(wanted)) {
        found.entry(id).or_insert(result);
    }
    Ok(found)
}

/// Reads ids, one in each line.
fn ids_in(path: &Path) -> Result<Vec<String>, Error> {
    let text = input::text(path, input::read_text(path)?)?;
    let mut seen = std::collections::HashSet::new();
    let ids = text.lines().map(str::trim).filter(|id| !id.is_empty() && seen.insert(*id));
    Ok(ids.map(str::to_owned).collect())
}
