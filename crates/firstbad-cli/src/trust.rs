//! What a journal says is to be run: followed where this user began it here, and else only where she says so.

use std::path::Path;

use firstbad::Error;
use firstbad_journal::Header;
use firstbad_oracle::TestRecord;
use firstbad_report::plain;

use crate::driver_record::DriverRecord;
use crate::{streams, test};

/// The test and its driver as a journal has them, as far as they may be followed. Of a journal that was begun elsewhere
/// that is nothing, unless the user trusts it; whoever gives a command herself (`is_given`) needs nothing of it.
///
/// # Errors
/// [`Error::Journal`] that shows the command of a journal that was begun elsewhere and is not trusted, or for words that
/// this version does not know.
pub(crate) fn followed(
    journal: &Path,
    header: &Header,
    is_given: bool,
    is_trusted: bool,
) -> Result<(TestRecord, DriverRecord), Error> {
    let refused = |message: String| Error::Journal { path: journal.display().to_string(), message };
    let test = TestRecord::read(&header.test)
        .map_err(|error| refused(format!("what it says about the test cannot be read: {error}")))?;
    let driver = DriverRecord::read(journal, &header.driver)?;
    if header.is_ours(journal) {
        return Ok((test, driver));
    }
    let words = plain(&match driver == DriverRecord::default() {
        true => test::words(&test)?,
        false => format!("{}, with {}", test::words(&test)?, driver.value()?),
    });
    if is_trusted {
        streams::note(format_args!("trusting {}, which was begun elsewhere: it runs {words}", journal.display()));
        return Ok((test, driver));
    }
    if is_given || test.command.is_empty() {
        return Ok(Default::default());
    }
    Err(refused(format!(
        "it was begun elsewhere (by somebody else, on another machine, or in another folder), and a journal is a program: it \
         would run {words}; if that is what you want, add --trust-journal, or give the command yourself, after --"
    )))
}
