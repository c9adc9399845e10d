//! Tracefiles of lcov, as described in `geninfo(1)`: `SF:` starts a file, and `DA:<line>,<hits>` is one of its lines.

use firstbad::Error;

use crate::collected::Collected;
use crate::limits::LAST_LINE;
use crate::wrong::wrong;

/// Reads an lcov report.
///
/// # Errors
/// [`Error::InvalidArgument`] with the line, if the report is invalid.
pub(crate) fn read(name: &str, text: &str, collected: &mut Collected) -> Result<(), Error> {
    /// The file of the current records.
    enum File {
        None,
        Outside,
        Of(String),
    }
    let mut file = File::None;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let refused = |expected: &str| wrong(format_args!("{name}, line {}", number + 1), line, expected);
        match line.split_once(':') {
            _ if line.is_empty() || line.starts_with('#') => {}
            _ if line == "end_of_record" => file = File::None,
            Some(("SF", path)) => {
                file = collected.known(path).map_or(File::Outside, File::Of);
                if let File::Of(path) = &file {
                    collected.file(path);
                }
            }
            Some(("DA", data)) => {
                let Some((line, hit)) = executed(data) else {
                    return Err(refused("DA:<line, from 1>,<times it ran>"));
                };
                match &file {
                    File::None => return Err(refused("the file that a line belongs to (SF:) before it")),
                    File::Of(path) if hit => collected.add_line(path, line),
                    File::Of(_) | File::Outside => {}
                }
            }
            Some((kind, _)) if kind.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') => {}
            _ => return Err(refused("a record of a tracefile of lcov")),
        }
    }
    Ok(())
}

/// Returns the line of a `DA:` record and whether it ran. Some tools write negative counts after an overflow, and large counts as
/// `1e+06`.
fn executed(data: &str) -> Option<(u32, bool)> {
    let mut parts = data.split(',');
    let line = parts.next()?.trim().parse().ok().filter(|line| (1..=LAST_LINE).contains(line))?;
    let hits: f64 = parts.next()?.trim().parse().ok()?;
    Some((line, hits > 0.0))
}
