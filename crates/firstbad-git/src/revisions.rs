//! Resolving revision expressions such as `main~3`.

use firstbad::{Error, nearest, option};

use crate::refs::Ref;
use crate::repository::Repository;
use crate::{dates, git};

/// The advice for a shallow clone.
const SHALLOW: &str = concat!(
    "this clone is shallow, so older commits are missing\nhelp: fetch them with ",
    option!(fetch = true),
    " or git fetch --unshallow, or set fetch-depth: 0 in CI"
);

/// The advice for a name without similar names.
const NOT_HERE: &str = "it is not a branch, tag, or commit of this repository\nhelp: check the name, or fetch it first";

/// The advice for a repository without commits.
const EMPTY: &str = "this repository has no commits yet";

impl Repository {
    /// Returns the full id of the commit that `revision` refers to in Git's syntax (`main`, `v1.0~3`, `HEAD^{/fix}`, a unique
    /// prefix).
    ///
    /// # Errors
    /// - [`Error::UnknownRevision`] with similar branch and tag names.
    /// - [`Error::AmbiguousRevision`] if the revision is a prefix of several commits.
    /// - [`Error::Git`] if Git fails.
    pub fn resolve(&self, revision: &str) -> Result<String, Error> {
        self.resolve_as("revision", revision)
    }

    /// Resolves a revision like [`Repository::resolve`]. `argument` is the name of the argument in errors.
    pub(crate) fn resolve_as(&self, argument: &str, revision: &str) -> Result<String, Error> {
        let mut found = self.resolve_all(argument, &[revision.to_owned()])?;
        found.pop().ok_or_else(|| Error::Git { message: format!("git did not resolve {revision:?}") })
    }

    /// Returns the full ids of the commits that `expressions` refer to, in order, with one call of Git. `argument` is the name of
    /// the argument in errors.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for `argument`. [`Error::Git`] if Git fails.
    pub fn resolve_all(&self, argument: &str, expressions: &[String]) -> Result<Vec<String>, Error> {
        match self.resolved(argument, expressions) {
            // The commit may be in the part of the history that was not fetched yet.
            Err(Error::UnknownRevision { .. }) if self.fetches() && self.is_shallow() => {
                self.complete_history()?;
                self.resolved(argument, expressions)
            }
            found => found,
        }
    }

    fn resolved(&self, argument: &str, expressions: &[String]) -> Result<Vec<String>, Error> {
        if expressions.is_empty() {
            return Ok(Vec::new());
        }
        // A line break would split the expression into two.
        if let Some(bad) = expressions.iter().find(|text| text.contains(['\n', '\0'])) {
            return Err(self.unknown(argument, bad));
        }
        let mut questions = String::new();
        for text in expressions {
            questions.push_str(text);
            // `:/words` treats the rest of the line as words to search for.
            questions.push_str(if text.starts_with(":/") { "\n" } else { "^{commit}\n" });
        }
        let mut command = self.git();
        command.args(["cat-file", "--batch-check"]);
        let answers = git::output(&mut command, questions.as_bytes())?;
        let answers = String::from_utf8_lossy(&answers);
        let mut found = Vec::with_capacity(expressions.len());
        for (text, answer) in expressions.iter().zip(answers.lines()) {
            let mut words = answer.split(' ');
            match (words.next(), words.next()) {
                (Some(id), Some("commit")) => found.push(id.to_owned()),
                _ => {
                    return Err(self.ambiguous(argument, text).unwrap_or_else(|| self.unknown(argument, text)));
                }
            }
        }
        if found.len() == expressions.len() {
            return Ok(found);
        }
        Err(Error::Git { message: format!("git cat-file printed {} of {} objects", found.len(), expressions.len()) })
    }

    /// Returns the full ids of the commit and the tree of each revision, in order, with one call of Git. Revisions with equal
    /// trees have the same files, so a test outcome for one is valid for the other.
    ///
    /// # Errors
    /// The errors of [`Repository::resolve`] for `revisions`. [`Error::MissingObjects`] in a partial clone.
    pub fn tree_ids(&self, revisions: &[String]) -> Result<Vec<(String, String)>, Error> {
        // Expressions that use the rest of the line must be resolved first.
        let is_plain = |text: &String| !text.starts_with(":/") && !text.contains(['\n', '\0']);
        let resolved;
        let names = if revisions.iter().all(is_plain) {
            revisions
        } else {
            resolved = self.resolve_all("revisions", revisions)?;
            &resolved
        };
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let questions: String =
            names.iter().map(|name| format!("{name}^{{commit}}\n{name}^{{commit}}^{{tree}}\n")).collect();
        // Before version 2.45, Git exits with an error if a partial clone lacks an object.
        let (_, answers) = git::finished(self.git().args(["cat-file", "--batch-check"]), questions.as_bytes())?;
        let answers = String::from_utf8_lossy(&answers);
        let answers: Vec<(&str, &str)> =
            answers.lines().map(|line| line.split_once(' ').unwrap_or((line, ""))).collect();
        let pairs = answers.chunks(2).map(|pair| match pair {
            [(commit, is_commit), (tree, is_tree)]
                if is_commit.starts_with("commit ") && is_tree.starts_with("tree ") =>
            {
                Some(((*commit).to_owned(), (*tree).to_owned()))
            }
            _ => None,
        });
        if let Some(found) = pairs.collect::<Option<Vec<_>>>()
            && found.len() == names.len()
        {
            return Ok(found);
        }
        // Find out which revision failed and why.
        let commits = self.resolve_all("revisions", revisions)?;
        let missing = || Error::Git { message: "a commit's tree is missing from the repository".to_owned() };
        if self.promisor().is_none() {
            return Err(missing());
        }
        self.complete_revisions(&commits.iter().map(String::as_str).collect::<Vec<_>>())?;
        let questions: String = commits.iter().map(|commit| format!("{commit}^{{tree}}\n")).collect();
        let answers = git::output(self.git().args(["cat-file", "--batch-check"]), questions.as_bytes())?;
        let answers = String::from_utf8_lossy(&answers);
        let trees =
            answers.lines().map(|line| line.split_once(" tree ").map(|(id, _)| id.to_owned()).ok_or_else(missing));
        commits.into_iter().zip(trees).map(|(commit, tree)| Ok((commit, tree?))).collect()
    }

    fn unknown(&self, argument: &str, text: &str) -> Error {
        // If the refs cannot be read, the error has no suggestions.
        let refs = self.refs();
        let is_empty = refs.as_ref().is_ok_and(Vec::is_empty);
        let refs = refs.unwrap_or_default();
        // Suggest full names for a full name.
        let full = text.starts_with("refs/");
        let name = |found: &Ref| match found.short() {
            Some((_, short)) if !full => short.to_owned(),
            _ => found.name.clone(),
        };
        let names: Vec<String> = refs.iter().map(name).collect();
        let nearest = nearest(text, names.iter().map(String::as_str));
        let (argument, id) = (argument.to_owned(), text.to_owned());
        if dates::is_date(text) && !is_empty {
            return Error::UnknownRevision { argument, id, nearest: Vec::new(), advice: Some(dates::advice(text)) };
        }
        let advice = match nearest.is_empty() {
            _ if self.is_shallow() => Some(SHALLOW),
            true if is_empty => Some(EMPTY),
            is_alone => is_alone.then_some(NOT_HERE),
        };
        Error::UnknownRevision { argument, id, nearest, advice: advice.map(str::to_owned) }
    }

    /// Returns the error for a prefix of several commits. Git reports such a prefix as missing if it expects a commit.
    fn ambiguous(&self, argument: &str, prefix: &str) -> Option<Error> {
        if prefix.len() < 4 || !prefix.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut command = self.git();
        command.arg("rev-parse").arg(format!("--disambiguate={prefix}"));
        let objects = git::output(&mut command, b"").ok()?;
        let mut command = self.git();
        command.args(["cat-file", "--batch-check=%(objecttype) %(objectname)"]);
        let kinds = git::output(&mut command, &objects).ok()?;
        let kinds = String::from_utf8_lossy(&kinds);
        let commits: Vec<&str> = kinds.lines().filter_map(|line| line.strip_prefix("commit ")).collect();
        (commits.len() > 1).then(|| Error::AmbiguousRevision {
            argument: argument.to_owned(),
            id: prefix.to_owned(),
            count: commits.len(),
            examples: commits.iter().take(5).map(|&id| id.to_owned()).collect(),
        })
    }
}
