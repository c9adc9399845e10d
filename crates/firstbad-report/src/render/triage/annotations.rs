//! A triage as commands that GitHub Actions turns into annotations.

use firstbad::{Status, TestVerdict, TriageReport, Verdict, capital};

use crate::render::annotations::command;
use crate::style::{Plain, Style as _};
use crate::summary::Summary;
use crate::triage::told::{Found, Host, TriageWriter};

/// The number of annotations of one level, because a step has a limit.
const MOST: usize = 10;
/// The number of tests that an annotation lists.
const TESTS: usize = 10;

/// Renders one command for each culprit, for each test that one of several commits broke, and for each flaky test.
pub(in crate::render) fn render(summary: &Summary, report: &TriageReport) -> String {
    let writer = TriageWriter::new(report, Host::of(summary), &Plain);
    let told = writer.told();
    let mut errors: Vec<String> = told.culprits.iter().map(|found| culprit(&writer, found)).collect();
    errors.extend(
        of_verdict(&writer, Verdict::BrokenIn)
            .map(|one| test(&writer, one, "error", "Broken by one of several commits")),
    );
    let warnings: Vec<String> =
        of_verdict(&writer, Verdict::Flaky).map(|one| test(&writer, one, "warning", "Flaky test")).collect();
    let is_told = !errors.is_empty() || !warnings.is_empty();
    let limited = |commands: Vec<String>| commands.into_iter().take(MOST).collect::<String>();
    let commands = limited(errors) + &limited(warnings);
    let level = if summary.status() == Status::Running { "notice" } else { "warning" };
    if is_told { commands } else { command(level, &[], &capital(&told.headline)) }
}

fn of_verdict<'a>(writer: &TriageWriter<'a>, verdict: Verdict) -> impl Iterator<Item = &'a TestVerdict> {
    writer.report.tests.iter().filter(move |test| test.verdict == verdict)
}

fn culprit<'a>(writer: &TriageWriter<'a>, found: &Found<'a>) -> String {
    let title = format!("{} broke {}", found.title, found.count);
    let mut lines = vec![format!("evidence: {}; {}", found.evidence, found.odds)];
    lines.extend(found.failure.iter().map(|failure| format!("failure: {failure}")));
    lines.extend(found.of.tests.iter().take(TESTS).map(|id| format!("- {}", writer.test(id))));
    let more = found.of.tests.len().saturating_sub(TESTS);
    lines.extend((more > 0).then(|| format!("- and {more} more")));
    command("error", &[("title", &title)], &lines.join("\n"))
}

fn test(writer: &TriageWriter<'_>, test: &TestVerdict, level: &str, what: &str) -> String {
    let title = format!("{what}: {}", writer.test(&test.id));
    let file = file(&test.id).map(|file| Plain.code(file));
    let mut properties: Vec<(&str, &str)> = file.iter().map(|file| ("file", file.as_str())).collect();
    properties.push(("title", &title));
    command(level, &properties, &writer.note(test))
}

/// Returns the file in the id of a test, if the id starts with one.
pub(super) fn file(id: &str) -> Option<&str> {
    let (file, _) = id.split_once("::")?;
    let is_relative = !file.starts_with('/') && file.split('/').all(|part| !part.is_empty() && part != "..");
    let has_extension = file.rsplit('/').next().is_some_and(|name| name.contains('.'));
    (is_relative && has_extension && !file.contains([':', '\\'])).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_relative_path() {
        assert_eq!(file("shop/test_a.py::TestA::test_b"), Some("shop/test_a.py"));
        for id in ["test", "crate::module::test", "../a.py::x", "/etc/a.py::x", "C:\\a.py::x", "a//b.py::x", "pkg/x::T"]
        {
            assert_eq!(file(id), None, "{id}");
        }
    }
}
