//! The part of a commit that causes the failure.

use firstbad::Find;
use firstbad::patch::LineKind;
use firstbad::{ChangeSet, Error, MinimizeReport, Outcome, Patch, Status};
use serde::{Deserialize, Serialize};

/// The part of a point's patch, from its good revision to its bad one, that still makes the test fail.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("flatten" = "MinimizeReport")))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cause {
    /// The report of the search for it. Its items are the changes of the whole patch.
    #[serde(flatten)]
    #[cfg_attr(test, schemars(skip))]
    pub report: MinimizeReport,
    /// The number of changes (mostly lines) of the whole patch.
    pub changes: usize,
    /// The duration of the runs, in seconds.
    pub seconds: f64,
    /// The signature of the failure with the remaining changes alone; `None` without one.
    pub failure: Option<String>,
    /// The remaining changes, as a patch on the good revision. For binary files, the patch shows only their sizes.
    pub patch: String,
    /// The places of the changes in the newer revision.
    pub places: Vec<Place>,
    /// The journal of the search.
    pub journal: Option<String>,
}

/// The result of the search for the cause of one point.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CauseOfPoint {
    /// The cause; `None` if firstbad did not look for a cause or did not find one.
    pub cause: Option<Cause>,
    /// The reason why a search for the cause failed.
    pub no_cause: Option<String>,
}

impl Cause {
    /// Whether the test fails without any of the changes. If it does, the changes are not the cause.
    pub(crate) fn contradicts(&self) -> bool {
        self.report.kept.is_empty() && self.report.status != Status::NotReproduced
    }

    /// Describes the lines of the patch whose only change is the invisible line ending, if there are any.
    pub(crate) fn line_ends(&self) -> Option<String> {
        let patch = Patch::parse(self.patch.as_bytes()).ok()?;
        let hunks = patch.files().flat_map(|file| file.hunks().collect::<Vec<_>>());
        let lines: Vec<_> = hunks.flat_map(|hunk| hunk.lines().collect::<Vec<_>>()).collect();
        let is_crlf = |content: &[u8]| content.ends_with(b"\r\n");
        let bare = |content: &'_ [u8]| content.trim_ascii_end().len();
        let (mut to_crlf, mut to_lf) = (0, 0);
        for pair in lines.windows(2) {
            let [old, new] = pair else { continue };
            let is_pair = old.kind == LineKind::Removed && new.kind == LineKind::Added;
            let length = bare(old.content);
            if is_pair && length == bare(new.content) && old.content[..length] == new.content[..length] {
                to_crlf += usize::from(!is_crlf(old.content) && is_crlf(new.content));
                to_lf += usize::from(is_crlf(old.content) && !is_crlf(new.content));
            }
        }
        let (count, how) = if to_crlf >= to_lf { (to_crlf, "LF to CRLF") } else { (to_lf, "CRLF to LF") };
        let lines = if count == 1 { "line changes" } else { "lines change" };
        (count > 0).then(|| format!("of {count} {lines} from {how} and nothing else"))
    }
}

/// The result of a search for the cause of one point, with the full patch of the point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    /// The report of the search.
    pub report: MinimizeReport,
    /// The patch from the point's good revision to its bad one.
    pub patch: String,
}

/// The facts of a host about the cause of one point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum KnownCause {
    /// A search for the cause.
    Explained(Explained),
    /// The cause in a report in the form "json".
    Read(CauseOfPoint),
}

/// Adjacent changes.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The path of the file in the newer revision.
    pub file: String,
    /// The first line in the newer revision, from 1; `None` for the whole file.
    pub line: Option<usize>,
    /// The last line.
    pub end_line: Option<usize>,
    /// The changes as lines of a patch.
    pub text: String,
}

impl Cause {
    /// Creates the cause from a search among the changes of the full patch of a point.
    ///
    /// # Errors
    /// The errors of [`Patch::subset`].
    pub fn of(report: &MinimizeReport, patch: &Patch, find: Find, journal: Option<String>) -> Result<Cause, Error> {
        Ok(Cause {
            report: MinimizeReport { message: message(report, patch, find), ..report.clone() },
            changes: patch.len(),
            seconds: report.observations.iter().filter_map(|seen| seen.observation.seconds).sum(),
            failure: failure(report),
            patch: patch.subset(&report.kept)?.summarized().to_string(),
            places: places(patch, &report.kept, find),
            journal,
        })
    }
}

/// Returns the message of the search. If the whole patch did not fail, returns its outcome instead.
fn message(report: &MinimizeReport, patch: &Patch, find: Find) -> String {
    if report.status != Status::NotReproduced {
        return report.message.clone();
    }
    let all: ChangeSet = (0..patch.len()).collect();
    let seen = report.observations.iter().filter(|seen| seen.target.changes.as_ref() == Some(&all));
    let outcomes: Vec<Outcome> = seen.map(|seen| seen.observation.outcome).collect();
    let what = match find {
        Find::Regression => "the whole change, applied to its parent,",
        Find::Fix => "the whole change, reverted,",
    };
    let does = if outcomes.contains(&Outcome::Pass) {
        "passes, so the test is flaky or depends on more than the files"
    } else if outcomes.contains(&Outcome::Fail) {
        "fails in another way"
    } else {
        "is unresolved"
    };
    format!("{what} {does}")
}

/// Returns the signature of the last failure with the kept changes.
fn failure(report: &MinimizeReport) -> Option<String> {
    let kept: ChangeSet = report.kept.iter().copied().collect();
    let seen = report.observations.iter().rev().filter(|seen| seen.target.changes.as_ref() == Some(&kept));
    seen.map(|seen| &seen.observation).find(|seen| seen.outcome == Outcome::Fail)?.signature.clone()
}

/// Returns the places in the newer revision. The patch of a fix is reversed, so its old side is newer.
pub(crate) fn places(patch: &Patch, kept: &[usize], find: Find) -> Vec<Place> {
    let is_kept = |change: usize| kept.binary_search(&change).is_ok();
    let mut places = Vec::new();
    for file in patch.files() {
        let path = match find {
            Find::Regression => file.new_path(),
            Find::Fix => file.old_path(),
        };
        let name = String::from_utf8_lossy(path.unwrap_or(file.path())).into_owned();
        let first_line = file.hunks().next().map_or(file.changes().end, |hunk| hunk.changes().start);
        let whole: Vec<String> = (file.changes().start..first_line)
            .filter(|&change| is_kept(change))
            .filter_map(|change| patch.change(change))
            .map(|change| format!("{} {}\n", change.kind.as_str(), String::from_utf8_lossy(&change.text)))
            .collect();
        if !whole.is_empty() {
            places.push(Place { file: name.clone(), line: None, end_line: None, text: whole.concat() });
        }
        for hunk in file.hunks() {
            let (start, here) = match find {
                Find::Regression => (hunk.new_span().0, LineKind::Added),
                Find::Fix => (hunk.old_span().0, LineKind::Removed),
            };
            // In a hunk without lines, the start is the line before.
            let mut line = start.max(1);
            let mut open: Option<Place> = None;
            for part in hunk.lines() {
                let stands = part.kind == LineKind::Context || part.kind == here;
                match part.change.filter(|&change| is_kept(change)) {
                    Some(_) => {
                        let place = open.get_or_insert_with(|| Place {
                            file: name.clone(),
                            line: Some(line),
                            end_line: Some(line),
                            text: String::new(),
                        });
                        if stands {
                            place.end_line = Some(line);
                        }
                        let sign = if part.kind == LineKind::Added { '+' } else { '-' };
                        let content = String::from_utf8_lossy(part.content);
                        place.text.push_str(&format!("{sign}{}\n", content.trim_end_matches(['\n', '\r'])));
                    }
                    // A change that is not kept separates kept changes only if it has a line in the newer revision.
                    None if stands => places.extend(open.take()),
                    None => {}
                }
                line += usize::from(stands);
            }
            places.extend(open);
        }
    }
    places
}
