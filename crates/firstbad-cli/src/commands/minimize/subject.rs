//! The patch or the files to reduce.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use firstbad::reduction::{Granularity, KnownParts};
use firstbad::{ChangeSet, Error, Observation, Patch, Probe, Report};
use firstbad_git::{known_texts, known_texts_of_files};
use firstbad_journal::{Options, Session, Test};
use firstbad_oracle::{CommandOracle, FileOracle, TestRecord};
use firstbad_platform::files::{self, write_at_once};
use firstbad_report::{ReducedFile, card, share};
use serde_json::{Map, Value};

use super::output;
use crate::args::{Keep, MinimizeArgs};
use crate::input::is_input;
use crate::reduction::{PATIENCE, PatchSearch, Pieces};
use crate::view::{Sets, count, left};
use crate::{carry, input, streams, test};

/// A patch or files, with the test.
pub(super) enum Subject {
    Patch(Box<(PatchSearch, Arc<CommandOracle>)>),
    File {
        pieces: Pieces,
        /// The names of the files in the folder of a run.
        names: Vec<PathBuf>,
        /// The candidates whose outcome is known without a run.
        known: Option<KnownParts>,
        /// The size in bytes.
        whole: usize,
        oracle: Arc<FileOracle>,
        /// The output for the whole file.
        printed: Mutex<Option<Vec<u8>>>,
    },
}

impl Subject {
    /// Opens the patch or files of the command line.
    pub(super) fn open(args: &MinimizeArgs) -> Result<Subject, Error> {
        if args.files.is_empty() {
            if let Some(output) = &args.output {
                let patch = args.patch.as_slice();
                output::check(output, patch, patch)?;
            }
            return Subject::of_patch(args);
        }
        if args.files.len() > 1 && args.output.is_none() {
            return Err(Error::InvalidArgument {
                argument: "--output".into(),
                value: String::new(),
                expected: "a folder for the reduced files".into(),
            });
        }
        if let Some(folder) = args.files.iter().find(|path| path.is_dir()) {
            return Err(Error::invalid("FILE", folder, "files, not a folder"));
        }
        let names = names(&args.files)?;
        if let Some(output) = &args.output {
            output::check(output, &args.files, &names)?;
        }
        let contents = args.files.iter().map(|path| input::read(path)).collect::<Result<Vec<_>, Error>>()?;
        if let Some(first) = args.files.first().filter(|_| contents.iter().all(Vec::is_empty)) {
            let expected = "a file that is not empty";
            return Err(Error::invalid("FILE", first.display(), expected));
        }
        let oracle = Arc::new(test::file_oracle(&args.files, &names, &args.test, args.keep == Some(Keep::Fail))?);
        let pieces = Pieces::of(&contents, args.items, args.fine)?;
        let known = known(&pieces, args, &names)?;
        let whole = contents.iter().map(Vec::len).sum();
        Ok(Subject::File { pieces, names, known, whole, oracle, printed: Mutex::default() })
    }

    fn of_patch(args: &MinimizeArgs) -> Result<Subject, Error> {
        if args.from.is_none() && args.patch.is_none() {
            let expected = "a file, or a patch (--from REF --to REF, or --patch FILE)";
            return Err(Error::InvalidArgument {
                argument: "FILE".into(),
                value: String::new(),
                expected: expected.into(),
            });
        }
        let repository = args.fetch.open(args.repository.folder())?;
        let base = repository.resolve(args.from.as_deref().unwrap_or("HEAD"));
        let base = base.map_err(|error| error.renamed("revision", "--from"))?;
        let (what, text) = match (&args.patch, &args.to) {
            (Some(path), _) => (input::name(path), input::read(path)?),
            (None, Some(to)) => {
                let text = repository.diff_to_reduce(&base, to).map_err(|error| error.renamed("new", "--to"))?;
                (format!("from {base} to {to}"), text)
            }
            (None, None) => {
                let from = args.from.as_deref().unwrap_or_default();
                return Err(Error::invalid("--from", from, "--to as well, or --patch FILE"));
            }
        };
        let (patch, bare) = Patch::parse(&text)?.with_content()?;
        if !bare.is_empty() {
            let names = bare.join(", ");
            streams::note(format_args!("ignoring binary files without content: {names} (use git diff --binary)"));
        }
        if patch.is_empty() {
            return Err(Error::invalid("the patch", what, "a patch with changes"));
        }
        let mut record = test::record(&args.test, TestRecord::default())?;
        carry::carry(&args.test, &mut record, &repository)?.into_iter().for_each(streams::note);
        let example = "firstbad minimize --from v1.0 --to v1.1 -- make test";
        let oracle = Arc::new(test::oracle(&repository, &record, args.test.output_dir.as_deref(), example)?);
        test::say(&oracle, &mut |note| streams::note(note));
        Ok(Subject::Patch(Box::new((PatchSearch { repository, patch, base }, oracle))))
    }

    /// Returns a function that ends all tests before the process exits.
    pub(super) fn last_act(&self) -> Box<dyn Fn() + Send> {
        match self {
            Subject::Patch(parts) => {
                let oracle = Arc::clone(&parts.1);
                Box::new(move || oracle.kill())
            }
            Subject::File { oracle, .. } => {
                let oracle = Arc::clone(oracle);
                Box::new(move || oracle.kill())
            }
        }
    }

    pub(super) fn is_patch(&self) -> bool {
        matches!(self, Subject::Patch(..))
    }

    pub(super) fn is_array(&self) -> bool {
        matches!(self, Subject::File { pieces: Pieces::Array(_), .. })
    }

    pub(super) fn noun(&self) -> &'static str {
        if self.is_patch() { "patch" } else { "file" }
    }

    /// Sets the time limit from the journal's run of the whole.
    pub(super) fn know_time(&self, session: &Session) {
        let Some(seconds) = session.seconds_of_whole() else { return };
        match self {
            Subject::Patch(both) => both.1.expect_seconds(seconds),
            Subject::File { oracle, .. } => oracle.expect_seconds(seconds),
        }
    }

    /// Returns the number of items.
    pub(super) fn len(&self) -> usize {
        match self {
            Subject::Patch(both) => both.0.patch.len(),
            Subject::File { pieces, .. } => pieces.len(),
        }
    }

    /// Returns the HTML card of a report.
    pub(super) fn card(&self, report: &Report) -> String {
        match self {
            Subject::Patch(both) => card::reduction(report, card::Items::Patch(&both.0.patch)),
            Subject::File { pieces, .. } => pieces.card(report),
        }
    }

    /// Returns the content with some of the items.
    pub(super) fn content(&self, kept: &ChangeSet) -> Result<Vec<u8>, Error> {
        match self {
            Subject::Patch(both) => Ok(both.0.patch.subset(&kept.iter().collect::<Vec<_>>())?.to_bytes()),
            Subject::File { pieces, .. } => Ok(pieces.content(kept)),
        }
    }

    /// Returns the result for each of several files, or nothing for one file.
    pub(super) fn reduced_files(&self, kept: &ChangeSet, with_text: bool) -> Vec<ReducedFile> {
        let Subject::File { pieces, names, .. } = self else { return Vec::new() };
        if names.len() < 2 {
            return Vec::new();
        }
        let [before, after] = [&ChangeSet::all(pieces.len()), kept].map(|set| pieces.files(set));
        let file = |(name, (before, after)): (&PathBuf, (Vec<u8>, Vec<u8>))| ReducedFile {
            name: name.to_string_lossy().into_owned(),
            text: with_text.then(|| String::from_utf8_lossy(&after).into_owned()),
            sizes: [before.len(), after.len()],
            lines: [lines_in(&before), lines_in(&after)],
        };
        names.iter().zip(before.into_iter().zip(after)).map(file).collect()
    }

    /// Writes the result to a file, or several files to a folder.
    pub(super) fn write(&self, path: &Path, kept: &ChangeSet) -> Result<(), Error> {
        let writing = |path: &Path, error: &std::io::Error| Error::Io {
            action: format!("writing {}", path.display()),
            message: error.to_string(),
        };
        match self {
            Subject::File { pieces, names, .. } if names.len() > 1 => {
                for (name, content) in names.iter().zip(pieces.files(kept)) {
                    let path = path.join(name);
                    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
                    made.and_then(|()| write_at_once(&path, &content)).map_err(|error| writing(&path, &error))?;
                }
                Ok(())
            }
            _ => write_at_once(path, &self.content(kept)?).map_err(|error| writing(path, &error)),
        }
    }

    /// Creates the search.
    pub(super) fn session(&self, finely: Granularity, options: Map<String, Value>) -> Result<Session, Error> {
        match self {
            Subject::Patch(both) => both.0.session(finely, options),
            Subject::File { pieces, known, .. } => {
                let mut session = pieces.session(options)?;
                known.iter().cloned().for_each(|known| session.know_parts(known));
                Ok(session)
            }
        }
    }

    /// Returns the options of the journal.
    pub(super) fn options(&self, driver: Value) -> Result<Options, Error> {
        let (test, digest) = match self {
            Subject::Patch(both) => (both.1.record(), both.0.digest()),
            Subject::File { pieces, oracle, .. } => (oracle.record(), pieces.digest()),
        };
        let test = Test::Command(test.with_files().value()?);
        Ok(Options { wait: PATIENCE, test, digest, driver, is_optional: false })
    }

    /// Returns the revision of a patch.
    pub(super) fn base(&self) -> Option<&str> {
        match self {
            Subject::Patch(both) => Some(&both.0.base),
            Subject::File { .. } => None,
        }
    }

    /// Tests a candidate.
    pub(super) fn test(&self, probe: &Probe, keep_going: &mut dyn FnMut() -> bool) -> Result<Observation, Error> {
        match self {
            Subject::Patch(both) => both.0.test(both.1.as_ref(), probe, keep_going),
            Subject::File { pieces, oracle, printed, .. } => {
                let kept = probe.changes().cloned().unwrap_or_else(|| ChangeSet::all(0));
                let run = oracle.run_until(&pieces.files(&kept), keep_going)?;
                if kept.len() == pieces.len() {
                    run.observation.seconds.into_iter().for_each(|seconds| oracle.expect_seconds(seconds));
                    *printed.lock().unwrap_or_else(PoisonError::into_inner) = Some(run.printed);
                }
                Ok(run.observation)
            }
        }
    }

    /// Returns the output for the whole file, if it ran in this process.
    pub(super) fn printed(&self) -> Option<Vec<u8>> {
        match self {
            Subject::Patch(..) => None,
            Subject::File { printed, .. } => printed.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    pub(super) fn close(&self) -> Result<(), Error> {
        match self {
            Subject::Patch(both) => both.1.close(),
            Subject::File { oracle, .. } => oracle.close(),
        }
    }
}

impl Sets for Subject {
    fn name(&self, set: &ChangeSet) -> String {
        match self {
            Subject::Patch(both) => format!("{} of {} changes", set.len(), both.0.patch.len()),
            Subject::File { pieces, whole, .. } => {
                let left = pieces.content(set).len();
                format!("{} ({})", count(left as u64, "byte"), share(left, *whole))
            }
        }
    }

    fn left(&self, set: &ChangeSet) -> String {
        match self {
            Subject::Patch(both) => left(set.len(), both.0.patch.len(), "change"),
            Subject::File { pieces, whole, .. } => {
                let content = pieces.content(set);
                let [bytes, lines] = [content.len(), lines_in(&content)];
                let size = format!("{} in {}", count(bytes as u64, "byte"), count(lines as u64, "line"));
                format!("{size} left ({})", share(bytes, *whole))
            }
        }
    }
}

pub(super) fn lines_in(text: &[u8]) -> usize {
    text.split_inclusive(|&byte| byte == b'\n').count()
}

const INPUT: &str = "input";

/// Returns the names of the files in the folder of a run: the given paths, the file names, or the paths below a common folder.
fn names(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let plain: Vec<PathBuf> =
        paths.iter().map(|path| path.components().filter(|part| *part != Component::CurDir).collect()).collect();
    let is_below = |path: &PathBuf| path.components().all(|part| matches!(part, Component::Normal(_)));
    let names: Vec<PathBuf> = if paths.len() > 1 && plain.iter().all(is_below) {
        plain
    } else {
        let name =
            |path: &PathBuf| if is_input(path) { Some(INPUT.into()) } else { path.file_name().map(PathBuf::from) };
        let named = |path: &PathBuf| name(path).ok_or_else(|| Error::invalid("FILE", path, "the path of a file"));
        paths.iter().map(named).collect::<Result<_, Error>>()?
    };
    if twice(&names).is_none() {
        return Ok(names);
    }
    let finding = |path: &Path, error: std::io::Error| Error::Io {
        action: format!("finding {}", path.display()),
        message: error.to_string(),
    };
    let real: Vec<PathBuf> = paths
        .iter()
        .map(|path| files::real_path(path).map_err(|error| finding(path, error)))
        .collect::<Result<_, Error>>()?;
    if let Some(place) = twice(&real) {
        return Err(Error::invalid("FILE", &paths[place], "each file once"));
    }
    let is_above = |folder: &&Path| real.iter().all(|path| path.starts_with(folder));
    let above = real[0].ancestors().find(is_above).unwrap_or(Path::new(""));
    Ok(real.iter().map(|path| path.strip_prefix(above).unwrap_or(path).to_owned()).collect())
}

/// Returns the place of the first duplicate.
fn twice(paths: &[PathBuf]) -> Option<usize> {
    let mut seen = HashSet::new();
    paths.iter().position(|path| !seen.insert(path))
}

/// Returns the candidates whose outcome is known because they do not parse.
fn known(pieces: &Pieces, args: &MinimizeArgs, names: &[PathBuf]) -> Result<Option<KnownParts>, Error> {
    let Pieces::Text(text) = pieces else {
        return match &args.language {
            None => Ok(None),
            Some(language) => Err(Error::invalid("--language", language, "the items of an outline (--items outline)")),
        };
    };
    let by_name = || known_texts_of_files(text, names.iter().map(|name| name.to_str().unwrap_or_default()));
    let known = match args.language.as_deref() {
        None => by_name(),
        Some("none") => KnownParts::of_text(text),
        Some(language) => known_texts(text, Some(language)).map_err(|error| match error {
            Error::InvalidArgument { value, expected, .. } => Error::InvalidArgument {
                argument: "--language".to_owned(),
                value,
                expected: if expected.contains("or none") { expected } else { format!("{expected}, or none") },
            },
            other => other,
        })?,
    };
    Ok(Some(known))
}
