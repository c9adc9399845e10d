//! Properties of the test cases in JUnit XML. They are inserted into the text, so that everything else stays as it is.

use std::ops::Range;

use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};

use super::junit::reader;

/// Names and values.
type Properties = Vec<(&'static str, String)>;

/// Adds properties to each test case. Test cases are numbered in the order of their starts.
pub(crate) fn add(text: &str, properties: &dyn Fn(usize) -> Properties) -> String {
    let mut additions = Additions { text, properties, cases: 0, open: Vec::new(), edits: Vec::new() };
    let mut reader = reader(text);
    loop {
        let start = offset(reader.buffer_position());
        let event = reader.read_event();
        let tag = start..offset(reader.buffer_position());
        match event {
            Ok(Event::Start(element)) => additions.start(&element, tag.end),
            Ok(Event::Empty(element)) => additions.empty(&element, tag),
            Ok(Event::End(_)) => additions.end(),
            Ok(Event::Decl(declaration)) => {
                let is_other = |encoding: &str| !encoding.eq_ignore_ascii_case("utf-8");
                if declaration.encoding().is_some_and(|encoding| encoding.is_ok_and(|encoding| is_other(&encoding))) {
                    additions.edits.push((tag, r#"<?xml version="1.0" encoding="UTF-8"?>"#.to_owned()));
                }
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    additions.apply()
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// An open test case.
struct Case {
    /// The prefix of its name, with a colon.
    prefix: String,
    /// The elements to insert.
    content: String,
    /// The text to replace: nothing after the start of the case, or an empty element with its properties.
    at: Range<usize>,
    /// Whether the case has an element with properties at this place.
    has_element: bool,
}

struct Additions<'a> {
    text: &'a str,
    properties: &'a dyn Fn(usize) -> Properties,
    cases: usize,
    /// The open elements. Elements other than test cases are `None`.
    open: Vec<Option<Case>>,
    edits: Vec<(Range<usize>, String)>,
}

impl Additions<'_> {
    fn start(&mut self, element: &BytesStart<'_>, end: usize) {
        if element.local_name().as_ref() == "properties"
            && let Some(case) = self.open_case()
        {
            (case.at, case.has_element) = (end..end, true);
        }
        let case = self.case(element, end);
        self.open.push(case);
    }

    fn empty(&mut self, element: &BytesStart<'_>, tag: Range<usize>) {
        let slash = tag.end.saturating_sub(2)..tag.end;
        if element.local_name().as_ref() == "properties"
            && let Some(case) = self.open_case()
        {
            case.at = tag;
        } else if let Some(case) = self.case(element, tag.end)
            && !case.content.is_empty()
        {
            let name = element.name();
            self.edits.push((slash, format!(">{}</{}>", in_element(&case), name.as_ref())));
        }
    }

    fn end(&mut self) {
        if let Some(Some(case)) = self.open.pop()
            && !case.content.is_empty()
        {
            let words = if case.has_element { case.content.clone() } else { in_element(&case) };
            self.edits.push((case.at, words));
        }
    }

    /// Returns the innermost open element if it is a test case without a place for its properties.
    fn open_case(&mut self) -> Option<&mut Case> {
        self.open.last_mut()?.as_mut().filter(|case| case.at.is_empty() && !case.has_element)
    }

    /// Returns the next case if the element is one.
    fn case(&mut self, element: &BytesStart<'_>, end: usize) -> Option<Case> {
        if element.local_name().as_ref() != "testcase" {
            return None;
        }
        let name = element.name();
        let prefix = name.as_ref().strip_suffix("testcase").unwrap_or_default().to_owned();
        let property = |(name, value): (&str, String)| {
            format!("<{prefix}property name=\"{}\" value=\"{}\"/>", escape(name), escape(valid(&value)))
        };
        let content = (self.properties)(self.cases).into_iter().map(property).collect();
        self.cases += 1;
        Some(Case { content, prefix, at: end..end, has_element: false })
    }

    fn apply(mut self) -> String {
        self.edits.sort_by_key(|(at, _)| at.start);
        let mut text = String::with_capacity(self.text.len());
        let mut copied = 0;
        for (at, words) in self.edits {
            text.push_str(self.text.get(copied..at.start).unwrap_or_default());
            text.push_str(&words);
            copied = at.end;
        }
        text.push_str(self.text.get(copied..).unwrap_or_default());
        text
    }
}

fn in_element(Case { prefix, content, .. }: &Case) -> String {
    format!("<{prefix}properties>{content}</{prefix}properties>")
}

/// Replaces characters that XML cannot have, and line ends, which attributes cannot have.
fn valid(text: &str) -> String {
    let valid = |sign: char| match sign {
        '\t' | '\n' | '\r' => ' ',
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        sign if sign.is_control() => '\u{fffd}',
        sign => sign,
    };
    text.chars().map(valid).collect()
}
