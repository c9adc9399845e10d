//! Copies untracked files of the checkout into worktrees.

use firstbad::{Error, short};
use firstbad_git::Repository;
use firstbad_oracle::{
    CarriedFile, CommandOptions, CopyFiles, NamedFiles, NotCarried, TestRecord, carried_files, changed_files,
    misplaced_files,
};

use crate::args::TestArgs;

/// Adds the copied files and the named scripts to a test, unless a journal has them. Returns notes.
pub(crate) fn carry(args: &TestArgs, test: &mut TestRecord, repository: &Repository) -> Result<Vec<String>, Error> {
    *test = std::mem::take(test).with_scripts();
    if args.command.is_empty() && args.copy_files.is_empty() {
        return Ok(changed(test, repository));
    }
    let copy_files = match args.copy_files.as_slice() {
        [] => CopyFiles::Auto,
        [_] if args.copies_nothing() => CopyFiles::Paths(Vec::new()),
        _ if args.copies_nothing() => {
            return Err(Error::invalid("--copy", "none", "none alone, or ./none for a file of that name"));
        }
        paths => CopyFiles::Paths(paths.to_vec()),
    };
    let options = CommandOptions { copy_files, ..test.options()? };
    let found = carried_files(repository, &test.command, &options)?;
    let mut said = if args.copy_files.is_empty() { notes(&found) } else { Vec::new() };
    test.kept.carried = found.carried;
    if let Ok(here) = std::env::current_dir() {
        // The word can also mean something else, such as the script of `npm run build`.
        let hint = |(name, instead)| {
            format!(
                "commands run at the top of the repository, for the file in this folder use {instead} instead of {name}"
            )
        };
        said.extend(misplaced_files(repository, &test.command, &options, &here).iter().map(hint));
    }
    Ok(said)
}

/// Returns notes about copied files that changed since the journal was created.
fn changed(test: &TestRecord, repository: &Repository) -> Vec<String> {
    let here = |path: &str| {
        let options =
            CommandOptions { copy_files: CopyFiles::Paths(vec![path.to_owned()]), ..CommandOptions::default() };
        carried_files(repository, &[], &options).ok()?.carried.remove(path)
    };
    let is_other = |(path, file): &(&String, &CarriedFile)| here(path).is_some_and(|other| other != **file);
    let others = test.kept.carried.iter().filter(is_other);
    let said = |(path, _): (&String, _)| {
        format!(
            "{path} has changed, but a resumed run uses the old file (to use the new file, start a new run with --import JOURNAL)"
        )
    };
    others.map(said).collect()
}

fn notes(found: &NamedFiles) -> Vec<String> {
    let carried: Vec<&str> = found.carried.keys().map(String::as_str).collect();
    let taken = match carried.as_slice() {
        [] => None,
        [one] => Some(format!("copying the untracked file {one} into each revision (--copy none turns this off)")),
        several => Some(format!(
            "copying the untracked files {} into each revision (--copy none turns this off)",
            several.join(", ")
        )),
    };
    let left = found.left.iter().map(|(path, why)| {
        let why = match why {
            NotCarried::Binary => "is binary",
            NotCarried::Made => "may be the output of a build",
            NotCarried::Hidden => "is hidden",
            NotCarried::Within => "is only named in a copied file",
            NotCarried::TooLong => {
                return format!("the untracked file {path} is not copied, because it is too large");
            }
        };
        // Options replace the automatic choice, so the hint names all files.
        let all: Vec<String> =
            carried.iter().copied().chain([path.as_str()]).map(|path| format!("--copy {path}")).collect();
        format!("the untracked file {path} is not copied, because it {why} ({} copies it)", all.join(" "))
    });
    taken.into_iter().chain(left).collect()
}

/// Returns notes about tracked files that have local changes or are missing at good revisions.
pub(crate) fn missing(
    test: &TestRecord,
    repository: &Repository,
    good: impl FnOnce() -> Result<Vec<String>, Error>,
) -> Result<Vec<String>, Error> {
    let options = CommandOptions { copy_files: CopyFiles::Auto, ..test.options()? };
    let mut tracked = carried_files(repository, &test.command, &options)?.tracked;
    tracked.retain(|path| !test.kept.carried.contains_key(path));
    let mut notes = Vec::new();
    if tracked.is_empty() {
        return Ok(notes);
    }
    notes.extend(changed_files(repository, &tracked)?.iter().map(|path| {
        format!("{path} has uncommitted changes, which are not tested (an untracked copy under another name is copied)")
    }));
    for revision in good()? {
        for path in repository.missing_files(&revision, &tracked)? {
            let revision = short(&revision);
            notes.push(format!("{path} does not exist at {revision} (if the test needs it, use --copy {path})"));
        }
    }
    Ok(notes)
}
