//! Cobertura XML: a `<class>` names a file relative to one of the `<source>` folders and contains `<line number= hits=>`.

use firstbad::Error;
use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};

use crate::collected::Collected;
use crate::limits::LAST_LINE;
use crate::paths::is_absolute;
use crate::wrong::wrong;

/// The greatest number of source folders. Each file is looked up in all of them.
const MOST_SOURCES: usize = 64;

const EXPECTED: &str = "Cobertura's XML: <class filename=...> with <line number=... hits=...>";

/// Reads a Cobertura report.
///
/// # Errors
/// [`Error::InvalidArgument`] with the line, if the report is invalid.
pub(crate) fn read(name: &str, text: &str, collected: &mut Collected) -> Result<(), Error> {
    let mut reader = Reader::from_str(text);
    let mut report = Report::default();
    loop {
        let before = reader.buffer_position();
        let refused = |why: String| {
            // The offset is within `text`, so it fits.
            let offset = usize::try_from(before).unwrap_or(text.len()).min(text.len());
            let line = text.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count() + 1;
            wrong(format_args!("{name}, line {line}"), &why, EXPECTED)
        };
        match reader.read_event().map_err(|error| refused(error.to_string()))? {
            Event::Eof => break,
            Event::Start(element) => report.element(&element, collected).map_err(refused)?,
            Event::Empty(element) => {
                report.element(&element, collected).map_err(refused)?;
                report.end(element.name().as_ref());
            }
            Event::Text(text) => report.text(&text),
            Event::GeneralRef(name) => report.text(resolve_xml_entity(&name).unwrap_or_default()),
            Event::End(element) => report.end(element.name().as_ref()),
            _ => {}
        }
        if report.sources.len() > MOST_SOURCES {
            return Err(wrong(name, "<sources>", format!("at most {MOST_SOURCES} folders in <sources>")));
        }
    }
    if report.met_coverage { Ok(()) } else { Err(wrong(name, "no <coverage>", EXPECTED)) }
}

#[derive(Default)]
struct Report {
    met_coverage: bool,
    in_source: bool,
    sources: Vec<String>,
    /// The files of the current class: one, or one in each source folder.
    files: Option<Vec<String>>,
}

impl Report {
    /// Processes the start of an element.
    ///
    /// # Errors
    /// A description of the problem.
    fn element(&mut self, element: &BytesStart<'_>, collected: &mut Collected) -> Result<(), String> {
        match (element.name().as_ref(), &self.files) {
            ("coverage", _) => self.met_coverage = true,
            ("source", _) => {
                self.sources.push(String::new());
                self.in_source = true;
            }
            ("class", _) => {
                let path = attribute(element, "filename")?.ok_or("there is a <class> without a filename")?;
                self.files = Some(self.found(&path, collected));
            }
            // A method repeats lines of its class.
            ("line", Some(files)) => {
                let number =
                    |name: &str| attribute(element, name)?.ok_or_else(|| format!("there is a <line> without {name}"));
                let (line, hits) = (number("number")?, number("hits")?);
                let line: u32 =
                    line.trim().parse().ok().filter(|line| *line <= LAST_LINE).ok_or(format!("line {line}"))?;
                let hits: f64 = hits.trim().parse().map_err(|_| format!("hits {hits}"))?;
                // Tools write line 0 for code without a line.
                if hits > 0.0 && line > 0 {
                    files.iter().for_each(|file| collected.add_line(file, line));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some(source) = self.sources.last_mut().filter(|_| self.in_source) {
            source.push_str(text);
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "source" => {
                self.in_source = false;
                if let Some(source) = self.sources.last_mut() {
                    *source = source.trim().to_owned();
                }
            }
            "class" => self.files = None,
            _ => {}
        }
    }

    /// Returns the files that a name may refer to. Files that do not exist are harmless, because they have no changes.
    fn found(&self, path: &str, collected: &mut Collected) -> Vec<String> {
        let folders = self.sources.iter().filter(|folder| !folder.is_empty() && !is_absolute(path));
        let mut paths: Vec<String> = folders.map(|folder| format!("{folder}/{path}")).collect();
        if paths.is_empty() {
            paths.push(path.to_owned());
        }
        let files: Vec<String> = paths.iter().filter_map(|path| collected.known(path)).collect();
        for file in &files {
            collected.file(file);
        }
        files
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    let found = element.try_get_attribute(name).map_err(|error| error.to_string())?;
    let value = found.map(|found| found.normalized_value(quick_xml::XmlVersion::Implicit1_0));
    value.transpose().map(|value| value.map(|value| value.into_owned())).map_err(|error| error.to_string())
}
