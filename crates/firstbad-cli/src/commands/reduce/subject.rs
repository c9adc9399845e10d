//! What is reduced: a patch in work trees, or a file in folders of its own.

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
use crate::args::{Keep, ReduceArgs};
use crate::input::is_input;
use crate::reduction::{PATIENCE, PatchSearch, Pieces};
use crate::view::{Sets, count, left};
use crate::{carry, input, streams, test};

/// What is reduced, and the test.
pub(super) enum Subject {
    Patch(Box<(PatchSearch, Arc<CommandOracle>)>),
    File {
        pieces: Pieces,
        /// What it is called in the folder of a run; several files are reduced together.
        names: Vec<PathBuf>,
        /// What is known of a text without a run.
        known: Option<KnownParts>,
        /// How many bytes it has.
        whole: usize,
        oracle: Arc<FileOracle>,
        /// What was printed for the whole file.
        printed: Mutex<Option<Vec<u8>>>,
    },
}

impl Subject {
    /// What the command line names.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for what does not go together; those of reading it.
    pub(super) fn open(args: &ReduceArgs) -> Result<Subject, Error> {
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
                expected: "a folder for the files that are left, as there are several".into(),
            });
        }
        if let Some(folder) = args.files.iter().find(|path| path.is_dir()) {
            return Err(Error::invalid("FILE", folder, "a file, or several, and this is a folder"));
        }
        let names = names(&args.files)?;
        if let Some(output) = &args.output {
            output::check(output, &args.files, &names)?;
        }
        let contents = args.files.iter().map(|path| input::read(path)).collect::<Result<Vec<_>, Error>>()?;
        if let Some(first) = args.files.first().filter(|_| contents.iter().all(Vec::is_empty)) {
            let expected = "a file with something to reduce, and this one is empty";
            return Err(Error::invalid("FILE", first.display(), expected));
        }
        let oracle = Arc::new(test::file_oracle(&args.files, &names, &args.test, args.keep == Some(Keep::Fail))?);
        let pieces = Pieces::of(&contents, args.items, args.fine)?;
        let known = known(&pieces, args, &names)?;
        let whole = contents.iter().map(Vec::len).sum();
        Ok(Subject::File { pieces, names, known, whole, oracle, printed: Mutex::default() })
    }

    fn of_patch(args: &ReduceArgs) -> Result<Subject, Error> {
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
                return Err(Error::invalid("--from", from, "--to beside it, or a patch (--patch FILE)"));
            }
        };
        let (patch, bare) = Patch::parse(&text)?.with_content()?;
        if !bare.is_empty() {
            let names = bare.join(", ");
            streams::note(format_args!(
                "skipping binary files without content: {names}; git diff --binary includes their content"
            ));
        }
        if patch.is_empty() {
            return Err(Error::invalid("the patch", what, "one that changes something"));
        }
        let mut record = test::record(&args.test, TestRecord::default())?;
        carry::carry(&args.test, &mut record, &repository)?.into_iter().for_each(streams::note);
        let example = "firstbad minimize --from v1.0 --to v1.1 -- make test";
        let oracle = Arc::new(test::oracle(&repository, &record, args.test.output_dir.as_deref(), example)?);
        test::say(&oracle, &mut |note| streams::note(note));
        Ok(Subject::Patch(Box::new((PatchSearch { repository, patch, base }, oracle))))
    }

    /// Ends all tests at once, when the process is about to exit.
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

    /// What it is called.
    pub(super) fn noun(&self) -> &'static str {
        if self.is_patch() { "patch" } else { "file" }
    }

    /// Sets the time limit from the journal's test of the whole, if there is one.
    pub(super) fn know_time(&self, session: &Session) {
        let Some(seconds) = session.seconds_of_whole() else { return };
        match self {
            Subject::Patch(both) => both.1.expect_seconds(seconds),
            Subject::File { oracle, .. } => oracle.expect_seconds(seconds),
        }
    }

    /// How many pieces it has.
    pub(super) fn len(&self) -> usize {
        match self {
            Subject::Patch(both) => both.0.patch.len(),
            Subject::File { pieces, .. } => pieces.len(),
        }
    }

    /// The card of a report of it.
    pub(super) fn card(&self, report: &Report) -> String {
        match self {
            Subject::Patch(both) => card::reduction(report, card::Items::Patch(&both.0.patch)),
            Subject::File { pieces, .. } => pieces.card(report),
        }
    }

    /// With these pieces alone.
    ///
    /// # Errors
    /// Those of [`Patch::subset`].
    pub(super) fn content(&self, kept: &ChangeSet) -> Result<Vec<u8>, Error> {
        match self {
            Subject::Patch(both) => Ok(both.0.patch.subset(&kept.iter().collect::<Vec<_>>())?.to_bytes()),
            Subject::File { pieces, .. } => Ok(pieces.content(kept)),
        }
    }

    /// What is left of each of several files with these pieces; nothing of one. Its text is for an answer that shows it.
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

    /// Puts what is left with these pieces where it belongs: into a file, or several into a folder.
    ///
    /// # Errors
    /// Those of [`Subject::content`]; [`Error::Io`].
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

    /// The search, at its start, that takes a patch apart so finely.
    ///
    /// # Errors
    /// Those of [`firstbad::open`].
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

    /// How its journal is opened.
    ///
    /// # Errors
    /// Those of [`CommandOracle::record`] and [`FileOracle::record`].
    pub(super) fn options(&self, driver: Value) -> Result<Options, Error> {
        let (test, digest) = match self {
            Subject::Patch(both) => (both.1.record(), both.0.digest()),
            Subject::File { pieces, oracle, .. } => (oracle.record(), pieces.digest()),
        };
        let test = Test::Command(test.with_files().value()?);
        Ok(Options { wait: PATIENCE, test, digest, driver, is_optional: false })
    }

    /// The revision that parts of a patch are tried on; `None` for a file.
    pub(super) fn base(&self) -> Option<&str> {
        match self {
            Subject::Patch(both) => Some(&both.0.base),
            Subject::File { .. } => None,
        }
    }

    /// Tests some of the pieces.
    ///
    /// # Errors
    /// Those of the oracles.
    pub(super) fn test(&self, probe: &Probe, keep_going: &mut dyn FnMut() -> bool) -> Result<Observation, Error> {
        match self {
            Subject::Patch(both) => both.0.test(&both.1, probe, keep_going),
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

    /// The end of what the command printed for the whole file, where it was tested now.
    pub(super) fn printed(&self) -> Option<Vec<u8>> {
        match self {
            Subject::Patch(..) => None,
            Subject::File { printed, .. } => printed.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    /// Ends the oracle.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn close(&self) -> Result<(), Error> {
        match self {
            Subject::Patch(both) => both.1.close(),
            Subject::File { oracle, .. } => oracle.close(),
        }
    }
}

/// Some of its pieces, by what is left of it.
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

/// The file name of standard input in the folder of a run.
const INPUT: &str = "input";

/// What files are called in the folder of a run: as they are named from here; if one of them is not below this folder, by their
/// names alone, and where two have the same as from the folder above all of them.
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

/// The place of a path that stood before.
fn twice(paths: &[PathBuf]) -> Option<usize> {
    let mut seen = HashSet::new();
    paths.iter().position(|path| !seen.insert(path))
}

/// What is known of a text without a run: by its language, if the user or its name says one.
fn known(pieces: &Pieces, args: &ReduceArgs, names: &[PathBuf]) -> Result<Option<KnownParts>, Error> {
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
