//! JUnit XML by events. Tools disagree about the nesting, so a `testcase` counts at any depth.

use std::rc::Rc;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};

use super::junit_case::{Ended, OpenCase, Part};
use crate::case::Case;
use crate::collector::Collector;
use crate::error::ResultsError;
use crate::format::Format;
use crate::limits::{DEEPEST, LONGEST_ID, cut};
use crate::report::Scope;
use crate::runner::Runner;
use crate::signature::Failure;

/// Reads JUnit XML. A report that ends early keeps the test cases before its end.
///
/// Returns the place of the result of each `testcase` in the report, in the order of their starts. A case can have no result.
///
/// # Errors
/// [`ResultsError::Syntax`] with the line, or an error about a limit.
pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<Vec<Option<usize>>, ResultsError> {
    let mut reader = reader(text);
    let mut junit = Junit { collector, open: Vec::new(), places: Vec::new(), has_suites: false, has_bare_root: false };
    loop {
        let before = reader.buffer_position();
        let line = || {
            // The offset is within `text`, so it fits.
            let offset = usize::try_from(before).unwrap_or(text.len()).min(text.len());
            text.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count() + 1
        };
        let wrong = |found: String| ResultsError::Syntax { format: Format::Junit, line: line(), found };
        match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(Event::Start(element)) => junit.start(&element)?,
            Ok(Event::Empty(element)) => {
                junit.start(&element)?;
                junit.end()?;
            }
            Ok(Event::End(_)) => junit.end()?,
            Ok(Event::Text(text)) => junit.text(&text),
            Ok(Event::CData(text)) => junit.text(&text),
            Ok(Event::GeneralRef(name)) => junit.text(&resolved(&name)),
            Ok(_) => {}
            // A crash of the runner cuts the report.
            Err(quick_xml::Error::Syntax(_)) if junit.has_results() => {
                junit.collector.is_cut();
                return Ok(junit.places);
            }
            Err(error) => return Err(wrong(error.to_string())),
        }
        if junit.open.len() > DEEPEST {
            return Err(ResultsError::TooDeep { line: line() });
        }
    }
    if !junit.open.is_empty() {
        junit.collector.is_cut();
    }
    if junit.has_suites || junit.has_results() {
        return Ok(junit.places);
    }
    let found = "no <testsuite> and no <testcase>".to_owned();
    Err(ResultsError::Syntax { format: Format::Junit, line: 1, found })
}

/// Returns a reader of XML that a tool for tests wrote.
pub(super) fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    // Tests print `&`, and some tools do not escape it.
    config.allow_dangling_amp = true;
    config.check_comments = false;
    reader
}

/// Resolves a reference. Only the predefined entities and characters are resolved, so that no entity expands.
fn resolved(name: &str) -> String {
    let character = |number: &str| {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => number.parse().ok(),
        };
        code.and_then(char::from_u32).map(String::from)
    };
    let known = match name.strip_prefix('#') {
        Some(number) => character(number),
        None => resolve_xml_entity(name).map(str::to_owned),
    };
    known.unwrap_or_else(|| format!("&{name};"))
}

/// An open element.
enum Element {
    Suite(Suite),
    /// A case with its number.
    Case(usize, Box<OpenCase>),
    Part(Part),
    Other,
}

struct Suite {
    name: Rc<str>,
    file: Option<String>,
    /// An error outside of all test cases.
    failure: Option<Failure>,
}

struct Junit<'a, 'b> {
    collector: &'a mut Collector<'b>,
    open: Vec<Element>,
    /// The place of each case's result.
    places: Vec<Option<usize>>,
    has_suites: bool,
    has_bare_root: bool,
}

impl Junit<'_, '_> {
    fn has_results(&self) -> bool {
        !self.collector.is_empty()
    }

    fn start(&mut self, element: &BytesStart<'_>) -> Result<(), ResultsError> {
        let attribute = |name: &str| attribute(element, name);
        let opened = match element.local_name().as_ref() {
            "testsuites" => {
                self.has_suites = true;
                self.has_bare_root = element.attributes().next().is_none();
                self.recognize(&attribute("name").unwrap_or_default());
                Element::Other
            }
            "testsuite" => {
                self.has_suites = true;
                let name = attribute("name").unwrap_or_default();
                self.recognize(&name);
                // Node names neither itself nor the root.
                if self.has_bare_root && attribute("disabled").is_some() && attribute("hostname").is_some() {
                    self.collector.recognized(Runner::Node);
                }
                let file = attribute("file").or_else(|| attribute("filepath")).filter(|file| !file.is_empty());
                Element::Suite(Suite { name: cut(&name, LONGEST_ID).into(), file, failure: None })
            }
            "testcase" => {
                if self.has_bare_root && attribute("classname").as_deref() == Some("test") {
                    self.collector.recognized(Runner::Node);
                }
                self.places.push(None);
                Element::Case(self.places.len() - 1, Box::new(self.case(element)))
            }
            name => match Part::of(name, &attribute) {
                Some(part) => Element::Part(part),
                None => Element::Other,
            },
        };
        self.open.push(opened);
        Ok(())
    }

    /// Recognizes the runner by the names that it gives to its suites.
    fn recognize(&mut self, name: &str) {
        let runner = match name {
            "pytest" | "pytest tests" => Runner::Pytest,
            "vitest tests" => Runner::Vitest,
            "jest tests" => Runner::Jest,
            "Mocha Tests" => Runner::Mocha,
            "nextest-run" => Runner::Nextest,
            _ => return,
        };
        self.collector.recognized(runner);
    }

    fn case(&self, element: &BytesStart<'_>) -> OpenCase {
        let attribute = |name: &str| attribute(element, name).filter(|value| !value.is_empty());
        let suites = self.open.iter().filter_map(|open| match open {
            Element::Suite(suite) => Some(suite),
            _ => None,
        });
        let names = suites.clone().map(|suite| Rc::clone(&suite.name)).filter(|name| !name.is_empty()).collect();
        let file = attribute("file").or_else(|| attribute("filepath"));
        let inherited = || suites.filter_map(|suite| suite.file.clone()).next_back();
        let case = Case {
            file: file.or_else(inherited),
            class: attribute("classname").or_else(|| attribute("class")),
            suites: names,
            name: attribute("name").unwrap_or_default(),
            seconds: attribute("time").and_then(|time| seconds(&time)),
            ..Case::default()
        };
        let status = attribute("status").or_else(|| attribute("result"));
        OpenCase::new(case, status.as_deref())
    }

    fn end(&mut self) -> Result<(), ResultsError> {
        match self.open.pop() {
            Some(Element::Case(number, case)) => {
                if let Ended::Case(case) = case.end() {
                    self.places[number] = Some(self.collector.place(*case)?);
                }
            }
            Some(Element::Part(part)) => match self.open.last_mut() {
                Some(Element::Case(_, case)) => case.add(part),
                Some(Element::Suite(suite)) => suite.failure = suite.failure.take().or(part.failure()),
                _ => {}
            },
            Some(Element::Suite(Suite { name, file, failure: Some(failure) })) => {
                let case = Case { name: name.to_string(), file, scope: Scope::File, failure, ..Case::default() };
                self.collector.push(case)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some(Element::Part(part)) = self.open.last_mut() {
            part.text(text);
        }
    }
}

/// Parses a time. Some tools write `1,234.5`.
fn seconds(time: &str) -> Option<f64> {
    time.trim().trim_end_matches('s').replace(',', "").parse().ok()
}

/// Returns the value of an attribute. Unknown entities stay as they are.
fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found =
        element.attributes().with_checks(false).flatten().find(|found| found.key.local_name().as_ref() == name)?;
    let value: &str = &found.value;
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        // The longest reference is that of a character: `#x10ffff`.
        match rest.find(';').filter(|end| *end <= 10) {
            Some(end) => {
                text.push_str(&resolved(&rest[..end]));
                rest = &rest[end + 1..];
            }
            None => text.push('&'),
        }
    }
    text.push_str(rest);
    Some(text)
}
