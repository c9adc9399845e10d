//! The test reports that a search starts with: those of the configuration, or runs of the whole suite at the endpoints.

use std::collections::BTreeMap;

use super::config::TriageConfig;
use crate::graph::Node;
use crate::search::TestResult;

/// The failing tests, and the reports of last night and of the last green run.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reports {
    pub(super) tests: Vec<String>,
    pub(super) tonight: BTreeMap<String, TestResult>,
    pub(super) last: BTreeMap<String, TestResult>,
}

impl Reports {
    pub(super) fn of(config: &TriageConfig) -> Self {
        let TriageConfig { tests, tonight, last, .. } = config;
        Reports { tests: tests.clone(), tonight: tonight.clone(), last: last.clone() }
    }
}

/// Which runs of the whole suite are missing. There are none if the configuration names tests or has a report.
#[derive(Debug, Clone, Copy)]
pub(super) struct Missing {
    pub(super) at_bad: bool,
    pub(super) at_good: bool,
    /// The runs at the bad revision without any result.
    pub(super) attempts: u32,
}

impl Missing {
    pub(super) fn of(config: &TriageConfig, bad: Node, good: Node) -> Self {
        let at_bad = config.tests.is_empty() && config.tonight.is_empty();
        Missing { at_bad, at_good: at_bad && config.last.is_empty() && good != bad, attempts: 0 }
    }
}
