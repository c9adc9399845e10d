//! How commits and endpoints are named.

use firstbad::{FileStats, SubmoduleChange, short};

use super::StoryWriter;
use crate::quantities::count;

/// The maximum number of changed files to name.
const FILES: usize = 5;

impl StoryWriter<'_> {
    /// Describes the author, date, and changes of a commit. Returns nothing for an unknown commit.
    pub(super) fn described(&self, id: &str) -> Vec<(&'static str, String)> {
        let Some(commit) = self.summary.commits().get(id) else { return Vec::new() };
        let author = self.style.words(&commit.author) + &self.style.address(&commit.email);
        let date = Some(self.style.words(&commit.written())).filter(|date| !date.is_empty());
        let author = date.map_or(author.clone(), |date| format!("{author}, {date}"));
        let mut details = vec![("commit", self.style.code(id)), ("author", author)];
        if let Some(changed) = &commit.changed {
            let lines = |added: u64, deleted: u64| format!("+{added} -{deleted}");
            let file =
                |file: &FileStats| format!("{} {}", self.style.code(&file.path), lines(file.added, file.deleted));
            let mut files: Vec<String> = changed.largest.iter().take(FILES).map(file).collect();
            let more = changed.files.saturating_sub(files.len());
            files.extend((more > 0).then(|| format!("{more} more")));
            let all = match changed.files {
                0 | 1 => String::new(),
                n => format!("{}, {}: ", count(n, "file"), lines(changed.added, changed.deleted)),
            };
            details.extend((!files.is_empty()).then(|| ("changed", all + &files.join(", "))));
        }
        details.extend(commit.submodules.iter().map(|one| ("submodule", self.submodule(one))));
        let pages = [("see", &commit.url), ("request", &commit.request_url)];
        details.extend(pages.into_iter().filter_map(|(label, page)| Some((label, self.style.link(page.as_deref()?)))));
        details
    }

    /// Describes the submodule commits that came in with a commit.
    pub(super) fn submodule(&self, change: &SubmoduleChange) -> String {
        let path = self.style.code(&change.path);
        let range = self.style.code(&format!("{}..{}", short(&change.before), short(&change.after)));
        if change.commits == 0 {
            return format!("the commit of the submodule {path} changed, {range}");
        }
        let newest = change.newest.iter().map(|commit| self.style.words(commit)).collect::<Vec<_>>().join(", ");
        let more = if change.commits > change.newest.len() { ", ..." } else { "" };
        format!("{} of {path}, {range}: {newest}{more}", count(change.commits, "commit"))
    }

    /// Returns the short id and the subject of a commit.
    pub(in crate::render) fn commit(&self, id: &str) -> String {
        let code = self.style.code(short(id));
        match self.summary.commits().get(id) {
            Some(commit) if !commit.subject.trim().is_empty() => {
                format!("{code} {}", self.style.subject(&commit.subject))
            }
            _ => code,
        }
    }

    /// Returns the short id and the subject of a commit, to end a headline.
    pub(super) fn titled(&self, id: &str) -> String {
        let code = self.style.code(short(id));
        match self.summary.commits().get(id) {
            Some(commit) if !commit.subject.trim().is_empty() => {
                format!("{code} {}", self.style.title(&commit.subject))
            }
            _ => code,
        }
    }

    /// Returns the name and the short id of a bad revision, such as `main (7cfa8d2)`.
    pub(super) fn named_end(&self, leaf: &str) -> String {
        let code = self.style.code(short(leaf));
        match self.summary.names().get(leaf).and_then(|names| names.first()) {
            Some(name) => format!("{} ({code})", self.style.code(name)),
            None => code,
        }
    }

    /// Returns the names of a bad revision, and its distance from the culprit.
    pub(in crate::render) fn end(&self, leaf: &str, distance: u32) -> String {
        let name = match self.summary.names().get(leaf) {
            Some(names) => {
                // A remote's HEAD is omitted next to the branch that it points to.
                let stands_for = |name: &str| names.iter().any(|other| other.starts_with(&format!("{name}/")));
                let shown = names.iter().filter(|name| !stands_for(name)).map(|name| self.style.code(name));
                shown.collect::<Vec<_>>().join(" = ")
            }
            None => self.style.code(short(leaf)),
        };
        match self.summary.paths() {
            _ if distance == 0 => name,
            [] => format!("{name} ({} later)", count(distance as usize, "step")),
            _ => format!("{name} ({} later in the history of these paths)", count(distance as usize, "step")),
        }
    }

    /// The paths that the history was simplified to.
    pub(super) fn paths(&self) -> String {
        self.summary.paths().iter().map(|path| self.style.code(path)).collect::<Vec<_>>().join(", ")
    }
}
