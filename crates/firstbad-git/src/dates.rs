//! Dates instead of revisions: a date selects the last commit before it.

use firstbad::Error;

use crate::git;
use crate::repository::Repository;

/// Returns whether a text is a date such as `2023-11-14`, `2023-11-14T12:00`, `2 weeks ago`, `yesterday` or `last monday`.
pub(crate) fn is_date(text: &str) -> bool {
    let text = text.trim();
    let day = text.split(['T', ' ']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split(['-', '/', '.']).collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_day = parts.len() == 3 && parts.iter().all(is_number) && parts[0].len() == 4;
    let is_relative = text == "yesterday" || text.strip_prefix("last ").is_some_and(|rest| !rest.is_empty());
    is_day && parts[1..].iter().all(|part| part.len() <= 2)
        || is_relative
        || text.strip_suffix(" ago").is_some_and(|before| before.contains(' '))
}

/// Returns a date in Git's format. A day without a time means midnight, whereas Git would use the current time of day.
fn moment(text: &str) -> String {
    let text = text.trim();
    let is_day = text.bytes().all(|byte| byte.is_ascii_digit() || b"-/.".contains(&byte));
    if is_day { format!("{} 00:00:00", text.replace(['/', '.'], "-")) } else { text.to_owned() }
}

/// Returns a hint for finding the last commit before a date.
pub(crate) fn advice(text: &str) -> String {
    format!(
        "it is not a revision\nhelp: for the last commit before a date, write $(git rev-list -1 --first-parent \
         --before='{}' BRANCH)",
        moment(text)
    )
}

impl Repository {
    /// Returns the last commit before the date `text` in the first-parent history of `tip`. Returns `None` if `text` is not a
    /// date or is the name of a revision.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] with `argument` if no commit is that old, and the errors of [`Repository::resolve`] for `tip`.
    pub fn last_before(&self, argument: &str, text: &str, tip: &str) -> Result<Option<String>, Error> {
        if !is_date(text) || self.resolve(text).is_ok() {
            return Ok(None);
        }
        let tip = self.resolve_as(argument, tip)?;
        let mut command = self.git();
        command.args(["rev-list", "-1", "--first-parent", &format!("--before={}", moment(text)), &tip, "--"]);
        let printed = git::output(&mut command, b"")?;
        match String::from_utf8_lossy(&printed).trim() {
            "" => Err(Error::UnknownRevision {
                argument: argument.to_owned(),
                id: text.to_owned(),
                nearest: Vec::new(),
                advice: Some("the history has no commit before this date".to_owned()),
            }),
            id => Ok(Some(id.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_date_distinguishes_dates_from_names() {
        for text in [
            "2023-11-14",
            "2023/1/4",
            "2023-11-14T12:00:00Z",
            "2023-11-14 12:00 +0100",
            "2 weeks ago",
            "yesterday",
            "last monday",
        ] {
            assert!(is_date(text), "{text}");
        }
        for text in [
            "main",
            "v2023-11-14",
            "release-2023-11-14",
            "1.2.3",
            "20231114",
            "ago",
            "last",
            "2023-11",
            "2023-11-14-rc",
            "12-11-2023",
        ] {
            assert!(!is_date(text), "{text}");
        }
        assert_eq!(
            (moment("2023/11/14").as_str(), moment("2 weeks ago").as_str()),
            ("2023-11-14 00:00:00", "2 weeks ago")
        );
    }
}
