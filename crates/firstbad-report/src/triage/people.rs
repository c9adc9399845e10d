//! The people who should know about a culprit, and its pull request.

use firstbad::{TriageCulprit, shortened};

use super::told::{People, TriageWriter};

/// The number of co-authors and of owners that are shown.
const MOST: usize = 5;

impl TriageWriter<'_> {
    pub(crate) fn people(&self, culprit: &TriageCulprit) -> People {
        let commit = self.report.commits.get(&culprit.commit);
        let of = &culprit.people;
        let is_mentioned = self.host.mention && culprit.probability >= self.report.confidence;
        let name = |name: &String| self.name(name, is_mentioned);
        let author = of.author.as_ref().or(commit.map(|commit| &commit.author));
        let request = of.pull_request.as_deref().or(commit.and_then(|commit| commit.request_url.as_deref()));
        People {
            author: author.map(name).filter(|name| !name.is_empty()),
            request: request.map(|request| self.request(request)).filter(|request| !request.is_empty()),
            co_authors: of.co_authors.iter().take(MOST).map(name).collect(),
            owners: of.owners.iter().take(MOST).map(name).collect(),
        }
    }

    /// Returns a name. Only a mentioned user or team keeps its `@`.
    fn name(&self, name: &str, is_mentioned: bool) -> String {
        let name = shortened(name.trim());
        match name.strip_prefix('@') {
            Some(user) if is_mentioned && is_user(user) => self.style.mention(user),
            _ => self.style.words(name.trim_start_matches('@')),
        }
    }

    fn request(&self, request: &str) -> String {
        match request_number(request) {
            Some(number) if is_page(request) => self.style.titled_link(&format!("#{number}"), request),
            Some(number) => format!("#{number}"),
            None if is_page(request) => self.style.link(request),
            None => self.style.words(shortened(request)),
        }
    }
}

/// Returns whether a text is the name of a user, or of a team after its organization.
fn is_user(name: &str) -> bool {
    let is_part = |part: &str| {
        let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
        part.starts_with(|sign: char| sign.is_ascii_alphanumeric()) && part.chars().all(is_sign) && part.len() <= 100
    };
    let mut parts = name.split('/');
    name.split('/').count() <= 4 && parts.all(is_part)
}

/// Returns whether a text is a URL without characters that mean anything in Markdown.
fn is_page(text: &str) -> bool {
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "-._~/:?=&%#".contains(sign);
    text.starts_with("https://") && text.len() <= 500 && text.chars().all(is_sign)
}

/// Returns the number of a pull request, which a URL has at its end.
fn request_number(request: &str) -> Option<&str> {
    let number = request.rsplit('/').next().unwrap_or_default().trim_start_matches(['#', '!']);
    let is_number = !number.is_empty() && number.len() <= 10 && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && (is_page(request) || !request.contains('/'))).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_users_and_teams_are_mentioned() {
        assert!(["ada", "o-1/team.x", "a_b"].into_iter().all(is_user));
        assert!(!["", "a b", "/x", "a//b", "-a", "a\n@all", "a/b/c/d/e", "é", "a`b"].into_iter().any(is_user));
    }

    #[test]
    fn a_pull_request_is_a_number_or_a_page() {
        let numbers = ["812", "#812", "!812", "https://github.com/o/r/pull/812"].map(request_number);
        assert_eq!(numbers, [Some("812"); 4]);
        let none = ["", "x", "8 1", "javascript:alert(1)/7", "https://x/)/7", "12345678901"].map(request_number);
        assert_eq!(none, [None; 6]);
        assert!(is_page("https://example.org/a?b=1") && !is_page("https://x/[a](b)") && !is_page("http://x"));
    }
}
