//! Files of the checkout that a test needs and git does not have: which are carried, and what is said of that.

use firstbad::{Error, short};
use firstbad_git::Repository;
use firstbad_oracle::{
    CarriedFile, CommandOptions, CopyFiles, NamedFiles, NotCarried, TestRecord, carried_files, changed_files,
    misplaced_files,
};

use crate::args::TestArgs;

/// Puts into a test what is carried, unless it has that from a journal, and what the scripts hold that it names elsewhere;
/// returns what there is to say of it.
///
/// # Errors
/// Those of [`carried_files`].
pub(crate) fn carry(args: &TestArgs, test: &mut TestRecord, repository: &Repository) -> Result<Vec<String>, Error> {
    *test = std::mem::take(test).with_scripts();
    if args.command.is_empty() && args.copy_files.is_empty() && !args.no_copy {
        return Ok(changed(test, repository));
    }
    let is_auto = args.copy_files.is_empty() && !args.no_copy;
    let copy_files = if is_auto { CopyFiles::Auto } else { CopyFiles::Paths(args.copy_files.clone()) };
    let options = CommandOptions { copy_files, ..test.options()? };
    let found = carried_files(repository, &test.command, &options)?;
    let mut said = if args.copy_files.is_empty() { notes(&found) } else { Vec::new() };
    test.kept.carried = found.carried;
    if let Ok(here) = std::env::current_dir() {
        // A word may also be no file: `npm run build` beside a file of that name.
        let hint = |(name, instead)| {
            format!("commands run at the top of a work tree: if {name} is the file here, write {instead}")
        };
        said.extend(misplaced_files(repository, &test.command, &options, &here).iter().map(hint));
    }
    Ok(said)
}

/// What is said of files that a journal carries and that are others here by now.
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
            "{path} has changed here, and the test goes on with the one that it began with; to test with the one here begin a \
             new run, which takes over what was seen with --import JOURNAL"
        )
    };
    others.map(said).collect()
}

fn notes(found: &NamedFiles) -> Vec<String> {
    let carried: Vec<&str> = found.carried.keys().map(String::as_str).collect();
    let taken = match carried.as_slice() {
        [] => None,
        [one] => Some(format!("{one} is untracked here: it is taken from your checkout (--no-copy_files: it is not)")),
        several => Some(format!(
            "{} are untracked here: they are taken from your checkout (--no-copy_files: they are not)",
            several.join(", ")
        )),
    };
    let left = found.left.iter().map(|(path, why)| {
        let why = match why {
            NotCarried::Binary => "is no text",
            NotCarried::Made => "may be what a build left",
            NotCarried::Hidden => "is hidden",
            NotCarried::Within => "only named in a file that is carried",
            NotCarried::TooLong => {
                return format!("{path} is untracked here, and too long to be taken from your checkout");
            }
        };
        // Whoever names one names all.
        let all: Vec<String> =
            carried.iter().copied().chain([path.as_str()]).map(|path| format!("--copy {path}")).collect();
        format!("{path} is untracked here and {why}: it is not taken from your checkout ({}: it is)", all.join(" "))
    });
    taken.into_iter().chain(left).collect()
}

/// What there is to say of files that the commands name and git has: of those that are other ones here, and of revisions that
/// should pass and have not all of them; these are asked for where the commands name something.
///
/// # Errors
/// Those of [`carried_files`] and [`Repository::missing_files`], and of the revisions.
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
        format!(
            "{path} has changes here that are not committed: each revision is tested with its own (a copy under another name, which \
             git does not have, is taken from your checkout)"
        )
    }));
    for revision in good()? {
        for path in repository.missing_files(&revision, &tracked)? {
            let revision = short(&revision);
            notes
                .push(format!(
                    "{path} is not there yet at {revision} (if the test needs it, --copy {path} takes it from your checkout)"
                ));
        }
    }
    Ok(notes)
}
