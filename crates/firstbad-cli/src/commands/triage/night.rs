//! The reports of last night and of the last green run, and lists of tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use firstbad::{Error, Outcome, TestResult};
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
    pub(crate) fn read(args: &NightArgs, repository: &Repository, runner: Runner) -> Result<Night, Error> {
        let root = repository.path().to_string_lossy().into_owned();
        let exists = |path: &str| Path::new(&root).join(path).exists();
        let reader = Reader::new().runner(runner).tree(Tree::new(&root, &exists));
        let read = |files: &[PathBuf]| -> Result<BTreeMap<String, TestResult>, Error> {
            let reports = files.iter().map(|file| reader.read_file(file)).collect::<Result<Vec<_>, _>>()?;
            Ok(results(&reports))
        };
        let mut night = Night {
            tests: args.tests.as_deref().map(ids_in).transpose()?.unwrap_or_default(),
            tonight: read(&args.bad_results)?,
            last: read(&args.good_results)?,
            quarantine: args.quarantine.as_deref().map(ids_in).transpose()?.unwrap_or_default(),
        };
        night.choose();
        Ok(night)
    }

    /// Returns whether nothing says which tests are red.
    pub(crate) fn is_unknown(&self) -> bool {
        self.tests.is_empty() && self.tonight.is_empty()
    }

    /// Chooses the tests that fail tonight, unless there is a list.
    pub(super) fn choose(&mut self) {
        if self.tests.is_empty() {
            let red = self.tonight.iter().filter(|(_, result)| result.outcome == Outcome::Fail);
            self.tests = red.map(|(id, _)| id.clone()).collect();
        }
    }
}

/// Reads ids, one in each line.
fn ids_in(path: &Path) -> Result<Vec<String>, Error> {
    let text = input::text(path, input::read_text(path)?)?;
    let mut seen = std::collections::HashSet::new();
    let ids = text.lines().map(str::trim).filter(|id| !id.is_empty() && seen.insert(*id));
    Ok(ids.map(str::to_owned).collect())
}
