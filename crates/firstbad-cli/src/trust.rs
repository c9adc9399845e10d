//! Decides whether to run the command of a journal.

use std::path::Path;

use firstbad::Error;
use firstbad_journal::Header;
use firstbad_oracle::TestRecord;
use firstbad_report::plain;

use crate::driver_record::DriverRecord;
use crate::{streams, test};

/// Returns the test and the settings of a journal that may be used. A journal from elsewhere needs `--trust-journal` or a
/// command.
pub(crate) fn followed(
    journal: &Path,
    header: &Header,
    is_given: bool,
    is_trusted: bool,
) -> Result<(TestRecord, DriverRecord), Error> {
    let refused = |message: String| Error::Journal { path: journal.display().to_string(), message };
    let test = TestRecord::read(&header.test).map_err(|error| refused(format!("its test cannot be read: {error}")))?;
    let driver = DriverRecord::read(journal, &header.driver)?;
    if header.is_ours(journal) {
        return Ok((test, driver));
    }
    let words = plain(&match driver == DriverRecord::default() {
        true => test::words(&test)?,
        false => format!("{}, with {}", test::words(&test)?, driver.value()?),
    });
    if is_trusted {
        streams::note(format_args!("trusting {}, which was started elsewhere and runs {words}", journal.display()));
        return Ok((test, driver));
    }
    if is_given || test.command.is_empty() {
        return Ok(Default::default());
    }
    Err(refused(format!(
        "it was started elsewhere (by another user, on another machine, or in another folder) and would run {words}\nhelp: \
         to run this command, add --trust-journal. To run another command, give it after `--`"
    )))
}
