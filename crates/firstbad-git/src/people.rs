//! The people who should know about the culprits of a triage.

use firstbad::TriageReport;
use firstbad::suspicion::Changelist;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::repository::Repository;

/// The places of a file with code owners, in the order in which forges look for it.
const PLACES: [&str; 4] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];

/// The largest file of code owners, the most changed files to look up, and the most people of a culprit.
const LARGEST: usize = 1 << 20;
const MOST_FILES: usize = 1000;
const MOST: usize = 10;

const TRAILER: &str = "co-authored-by:";

/// Fills the people of each culprit, as far as the repository names them.
pub(crate) fn fill(report: &mut TriageReport, repository: &Repository, changes: &[Changelist]) {
    let owners = Owners::of(repository, &report.bad);
    for culprit in &mut report.culprits {
        let commit = report.commits.get(&culprit.commit);
        let people = &mut culprit.people;
        people.author = commit.map(|commit| commit.author.clone()).filter(|author| !author.is_empty());
        people.pull_request = commit.and_then(|commit| commit.request_url.clone().or_else(|| commit.request()));
        if let Some(change) = changes.iter().find(|change| change.id == culprit.commit) {
            people.co_authors = co_authors(&change.message);
            people.owners = owners.as_ref().map(|owners| owners.of_files(&change.files)).unwrap_or_default();
        }
    }
}

/// Returns the co-authors that the trailers of a commit message name.
fn co_authors(message: &str) -> Vec<String> {
    let trailers = message.lines().filter_map(|line| {
        let name = line.get(..TRAILER.len()).filter(|start| start.eq_ignore_ascii_case(TRAILER));
        name.map(|_| line[TRAILER.len()..].split('<').next().unwrap_or_default().trim().to_owned())
    });
    let mut names: Vec<String> = trailers.filter(|name| !name.is_empty()).take(MOST).collect();
    names.dedup();
    names
}

/// The owners of files. Patterns are those of `.gitignore`, and the last match counts.
struct Owners {
    patterns: Gitignore,
    /// The owners of each pattern, in the order of the patterns.
    owners: Vec<(String, Vec<String>)>,
}

impl Owners {
    /// Reads the file of code owners at a revision, or returns `None` if there is none.
    fn of(repository: &Repository, revision: &str) -> Option<Owners> {
        let mut found = repository.contents_of(revision, &PLACES.map(str::to_owned)).ok()?;
        let text = PLACES.iter().find_map(|place| found.remove(*place)).filter(|text| text.len() <= LARGEST)?;
        Some(Owners::parse(&String::from_utf8_lossy(&text)))
    }

    fn parse(text: &str) -> Owners {
        let mut builder = GitignoreBuilder::new("");
        let mut owners = Vec::new();
        for line in text.lines() {
            // A section of GitLab is not a pattern.
            let line = line.split(" #").next().unwrap_or_default().trim();
            let mut words = line.split_whitespace();
            let Some(pattern) = words.next().filter(|word| !word.starts_with(['#', '[', '^', '!'])) else { continue };
            let names: Vec<String> = words.map(str::to_owned).collect();
            // A folder owns its files.
            let below = format!("{}/**", pattern.trim_end_matches('/'));
            let patterns = [pattern.to_owned(), below].into_iter().filter(|pattern| !pattern.ends_with('/'));
            for pattern in patterns {
                if builder.add_line(None, &pattern).is_ok() {
                    owners.push((pattern, names.clone()));
                }
            }
        }
        Owners { patterns: builder.build().unwrap_or_else(|_| Gitignore::empty()), owners }
    }

    fn of_files(&self, files: &[String]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for file in files.iter().take(MOST_FILES) {
            let matched = self.patterns.matched(file, false);
            let Some(glob) = matched.inner() else { continue };
            // The last line of a pattern counts.
            let of_pattern = self.owners.iter().rev().find(|(pattern, _)| pattern == glob.original());
            for owner in of_pattern.into_iter().flat_map(|(_, owners)| owners) {
                if found.len() < MOST && !found.contains(owner) {
                    found.push(owner.clone());
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn co_authors_are_those_of_the_trailers() {
        let message = "Round prices\n\nCo-authored-by: Ada <ada@x>\nco-authored-by: Bob <b@x>\nCo-authored-by: <c@x>\nSigned-off-by: Eve\n";
        assert_eq!(co_authors(message), ["Ada", "Bob"]);
        assert_eq!(co_authors("Größe"), [""; 0]);
    }

    #[test]
    fn the_last_pattern_names_the_owners() {
        let owners =
            Owners::parse("* @all\n# comment\n/docs/ @writers # why\n*.rs @rust @core\n[Section]\nsrc/free.rs\n");
        let of = |files: &[&str]| owners.of_files(&files.iter().map(|file| (*file).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["README"]), ["@all"]);
        assert_eq!(of(&["docs/deep/a.md", "src/a.rs"]), ["@writers", "@rust", "@core"]);
        // A line without owners takes them away.
        assert_eq!(of(&["src/free.rs"]), [""; 0]);
        assert_eq!(of(&["sub/docs/x"]), ["@all"]);
    }
}
