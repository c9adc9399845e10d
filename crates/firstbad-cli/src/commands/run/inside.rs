//! `--into-submodules`: if the culprit updates a submodule, find the culprit inside the submodule.

use std::sync::Arc;
use std::time::Instant;

use firstbad::{Configuration, Error, Find, RegressionConfig, RegressionPoint};
use firstbad_git::{GraphOptions, Repository};
use firstbad_journal::Session;
use firstbad_oracle::CommandOracle;
use firstbad_report::{Inside, Summary};

use crate::answer;
use crate::drive::{Job, Plan, drive};
use crate::signals::Signals;
use crate::view::View;

/// The settings of the searches in submodules.
pub(super) struct Inner<'a> {
    pub(super) repository: &'a Repository,
    pub(super) oracle: &'a CommandOracle,
    pub(super) title: &'a str,
    pub(super) jobs: usize,
    pub(super) deadline: Option<Instant>,
    pub(super) signals: &'a Signals,
    pub(super) quiet: bool,
}

/// Searches the submodules that the culprits update and adds the results to the summary. Each run tests the culprit with
/// another commit of the submodule.
pub(super) fn search(summary: &mut Summary, how: &Inner<'_>) -> Result<(), Error> {
    let is_named = |point: &&RegressionPoint| {
        !summary.is_provisional(point) && point.candidates.is_empty() && point.older().is_some()
    };
    let culprits: Vec<(String, Find)> =
        summary.points().iter().filter(is_named).map(|point| (point.newer().to_owned(), point.find)).collect();
    for (culprit, find) in culprits {
        let moved = summary.commits().get(&culprit).map(|commit| commit.submodules.clone()).unwrap_or_default();
        for change in moved.into_iter().filter(|change| change.commits > 0) {
            let submodule = Repository::open(how.repository.path().join(&change.path))?;
            let tips = vec![change.after.clone(), change.before.clone()];
            let graph = submodule.graph(&GraphOptions { tips, ..GraphOptions::default() })?;
            let (bad, good) = match find {
                Find::Regression => (&change.after, &change.before),
                Find::Fix => (&change.before, &change.after),
            };
            let config = RegressionConfig { find, ..RegressionConfig::new([bad]).good([good]) };
            let configuration = Configuration::Regression(Box::new(config));
            let search = firstbad_git::open_in(&submodule, Arc::new(graph), configuration)?;
            let mut session = Session::new(search);
            let test = |probe: &Job, keep_going: &mut dyn FnMut() -> bool| match probe.revision() {
                same if same == change.after => how.oracle.run_until(&culprit, keep_going),
                other => {
                    let patch = link(&change.path, &change.after, other);
                    how.oracle.run_patched_until(&culprit, patch.as_bytes(), keep_going)
                }
            };
            let mut view = View::new(how.quiet, format!("{} in {}", how.title, change.path), Some(&submodule));
            let plan = Plan::new(&test, how.jobs, how.deadline, how.signals);
            let ended = drive(&mut session, &plan, &mut view);
            view.close();
            let found = answer::summary(&session, Some(&submodule))?;
            summary.inside.push(Inside { path: change.path, summary: found });
            ended?;
        }
    }
    Ok(())
}

/// Returns the patch that updates a submodule from one commit to another.
fn link(path: &str, from: &str, to: &str) -> String {
    format!(
        "diff --git a/{path} b/{path}\nindex {from}..{to} 160000\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-Subproject commit \
         {from}\n+Subproject commit {to}\n"
    )
}
