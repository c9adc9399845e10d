//! Bazel: `bazel query 'deps(//...)' --output=xml` or `--output=streamed_jsonproto`.
//!
//! Rules are build targets. Labels of source files become paths relative to the workspace. A generated file stands for the rule
//! that generates it. A rule also owns its BUILD file and the `.bzl` files that the BUILD file loads, if the query lists them.
//! Items in external repositories are left out and counted.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Error;
use firstbad::suspicion::BuildGraphKind;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde::Deserialize;

use crate::collected::CollectedTargets;
use crate::loaded::Loaded;
use crate::paths;
use crate::warnings::{left_out, unreadable};

const XML: &str = "the output of `bazel query --output=xml`";
const JSON: &str = "the output of `bazel query --output=streamed_jsonproto`";

/// Loads a build graph from the output of `bazel query`, in either format.
///
/// # Errors
/// [`Error::InvalidArgument`] if the text has neither format.
pub fn bazel(text: &str) -> Result<Loaded, Error> {
    bazel_below(text, "")
}

pub(crate) fn bazel_below(text: &str, prefix: &str) -> Result<Loaded, Error> {
    let query = if text.trim_start().starts_with('<') { Query::from_xml(text)? } else { Query::from_json(text)? };
    query.graph(prefix)
}

/// The relevant parts of a query, with labels as printed.
#[derive(Debug, Default)]
struct Query {
    rules: Vec<Rule>,
    /// Generated files with their rules.
    made: BTreeMap<String, String>,
    sources: BTreeSet<String>,
    /// BUILD files with the files that they load.
    loads: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Rule {
    name: String,
    location: Option<String>,
    rule_input: Vec<String>,
    rule_output: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    rule: Option<Rule>,
    source_file: Option<SourceFile>,
    generated_file: Option<GeneratedFile>,
}

#[derive(Debug, Deserialize)]
struct SourceFile {
    name: String,
    #[serde(default)]
    subinclude: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeneratedFile {
    name: String,
    generating_rule: String,
}

impl Query {
    fn from_json(text: &str) -> Result<Query, Error> {
        let mut query = Query::default();
        let mut items = serde_json::Deserializer::from_str(text).into_iter::<Item>().peekable();
        if items.peek().is_none() {
            return Err(unreadable(text, &format!("{XML}, or {JSON}"), "it is empty"));
        }
        for item in items {
            let item = item.map_err(|error| unreadable(text, &format!("{XML}, or {JSON}"), error))?;
            query.rules.extend(item.rule);
            if let Some(file) = item.source_file {
                query.loads.insert(file.name.clone(), file.subinclude);
                query.sources.insert(file.name);
            }
            if let Some(file) = item.generated_file {
                query.made.insert(file.name, file.generating_rule);
            }
        }
        Ok(query)
    }

    fn from_xml(text: &str) -> Result<Query, Error> {
        let mut reader = Reader::from_str(text);
        let mut xml = Xml::default();
        loop {
            match reader.read_event().map_err(|error| unreadable(text, XML, error))? {
                Event::Eof => break,
                Event::Start(element) => xml.element(&element, true).map_err(|why| unreadable(text, XML, why))?,
                Event::Empty(element) => xml.element(&element, false).map_err(|why| unreadable(text, XML, why))?,
                Event::End(element) => match element.name().as_ref() {
                    "rule" => xml.query.rules.extend(xml.rule.take()),
                    "source-file" => xml.source = None,
                    _ => {}
                },
                _ => {}
            }
        }
        if xml.met_query { Ok(xml.query) } else { Err(unreadable(text, XML, "there is no <query>")) }
    }

    fn graph(self, prefix: &str) -> Result<Loaded, Error> {
        let mut collected = CollectedTargets::default();
        let mut known = Known::default();
        let made = self.made.iter().filter_map(|(file, rule)| Some((own(file)?, own(rule)?)));
        known.made.extend(made);
        // Inputs can only be classified once all rules are known.
        let mut rules = Vec::new();
        for rule in self.rules {
            let Some(name) = own(&rule.name) else {
                known.external.insert(rule.name);
                continue;
            };
            collected.target(&name);
            known.made.extend(rule.rule_output.iter().filter_map(|file| Some((own(file)?, name.clone()))));
            rules.push((name, rule));
        }
        known.sources.extend(self.sources.iter().filter_map(|label| own(label)));
        for (file, loads) in self.loads {
            let (inside, outside): (Vec<String>, Vec<String>) = loads.into_iter().partition(|file| own(file).is_some());
            if let Some(file) = own(&file) {
                known.external.extend(outside);
                known.loads.insert(file, inside.iter().filter_map(|file| own(file)).map(|file| path(&file)).collect());
            }
        }
        for (name, rule) in rules {
            let target = collected.target(&name);
            for input in &rule.rule_input {
                known.input(&mut collected, target, input);
            }
            known.build_file(&mut collected, target, &name, &rule);
        }
        let (graph, outside) = collected.finish(BuildGraphKind::Bazel, prefix)?;
        let mut warnings = Vec::new();
        warnings.extend(left_out("labels of external repositories", &known.external));
        warnings.extend(left_out("rules that make files but are not in the query", &outside));
        if let Some(first) = known.unlisted.first() {
            let count = known.unlisted.len();
            warnings.push(format!(
                "{count} inputs, such as {first}, are not in the query and count as files. Query deps(...)"
            ));
        }
        Ok(Loaded { graph, warnings })
    }
}

/// The state of the XML reader.
#[derive(Debug, Default)]
struct Xml {
    query: Query,
    met_query: bool,
    /// The open rule element.
    rule: Option<Rule>,
    /// The open source file element.
    source: Option<String>,
}

impl Xml {
    /// Processes an element. `opens` is false for an empty element.
    ///
    /// # Errors
    /// A description of the problem.
    fn element(&mut self, element: &BytesStart<'_>, opens: bool) -> Result<(), String> {
        let kind = element.name();
        let kind = kind.as_ref();
        let named = || attribute(element, "name")?.ok_or_else(|| format!("there is a <{kind}> without a name"));
        match (kind, &mut self.rule, &self.source) {
            ("query", ..) => self.met_query = true,
            ("rule", ..) => {
                let found = Rule { name: named()?, location: attribute(element, "location")?, ..Rule::default() };
                if opens {
                    self.rule = Some(found);
                } else {
                    self.query.rules.push(found);
                }
            }
            ("rule-input", Some(rule), _) => rule.rule_input.push(named()?),
            ("rule-output", Some(rule), _) => rule.rule_output.push(named()?),
            ("source-file", ..) => {
                let name = named()?;
                self.query.sources.insert(name.clone());
                self.source = opens.then_some(name);
            }
            ("load", _, Some(source)) => self.query.loads.entry(source.clone()).or_default().push(named()?),
            ("generated-file", ..) => {
                if let Some(by) = attribute(element, "generating-rule")? {
                    self.query.made.insert(named()?, by);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// The labels of a query in their short form.
#[derive(Debug, Default)]
struct Known {
    /// Generated files with their rules.
    made: BTreeMap<String, String>,
    sources: BTreeSet<String>,
    /// BUILD files with the paths of the local files that they load.
    loads: BTreeMap<String, Vec<String>>,
    /// Labels in external repositories.
    external: BTreeSet<String>,
    /// Inputs that are missing from the query.
    unlisted: BTreeSet<String>,
}

impl Known {
    /// Adds an input of a rule, which is another rule or a file.
    fn input(&mut self, collected: &mut CollectedTargets, target: usize, label: &str) {
        let Some(input) = own(label) else {
            self.external.insert(label.to_owned());
            return;
        };
        if collected.contains(&input) {
            collected.dep(target, input);
        } else if let Some(rule) = self.made.get(&input) {
            collected.dep(target, rule.clone());
        } else {
            collected.file(target, path(&input));
            // A query without `deps(...)` lists no files at all. If it lists some files but not this one, the query was too
            // narrow.
            if !self.sources.is_empty() && !self.sources.contains(&input) {
                self.unlisted.insert(input);
            }
        }
    }

    /// Adds the BUILD file of a rule and the files that it loads.
    fn build_file(&self, collected: &mut CollectedTargets, target: usize, name: &str, rule: &Rule) {
        let Some(build_file) = build_file(name, rule.location.as_deref(), &self.sources) else { return };
        for file in self.loads.get(&build_file).into_iter().flatten() {
            // The product of rules and loads may exceed the limit.
            if collected.is_full() {
                return;
            }
            collected.file(target, file.as_str());
        }
        collected.file(target, path(&build_file));
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    let found = element.try_get_attribute(name).map_err(|error| error.to_string())?;
    let value = found.map(|found| found.normalized_value(quick_xml::XmlVersion::Implicit1_0));
    value.transpose().map(|value| value.map(|value| value.into_owned())).map_err(|error| error.to_string())
}

/// Returns the short form of a label, `//package:name`, or `None` if the label is in an external repository.
fn own(label: &str) -> Option<String> {
    let label = label.strip_prefix("@@").or_else(|| label.strip_prefix('@')).unwrap_or(label);
    let rest = label.strip_prefix("//")?;
    // Targets bound in WORKSPACE files.
    if rest.starts_with("external:") {
        return None;
    }
    Some(match rest.split_once(':') {
        Some(_) => label.to_owned(),
        None => format!("{label}:{}", paths::name(rest)),
    })
}

/// Returns the path of a file label.
fn path(label: &str) -> String {
    let (package, name) = label.trim_start_matches('/').split_once(':').unwrap_or(("", label));
    paths::join(package, name)
}

/// Returns the label of the BUILD file that contains a rule.
fn build_file(rule: &str, location: Option<&str>, sources: &BTreeSet<String>) -> Option<String> {
    const NAMES: [&str; 2] = ["BUILD.bazel", "BUILD"];
    let package = rule.split_once(':').map_or(rule, |(package, _)| package);
    // The format is `/home/me/project/app/BUILD.bazel:12:4`. A macro may change the file, but not the package.
    let said = location.and_then(|location| {
        let file = location.rsplitn(3, ':').last().unwrap_or(location);
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        NAMES.into_iter().find(|known| *known == name)
    });
    let listed = || NAMES.into_iter().find(|name| sources.contains(&format!("{package}:{name}")));
    said.or_else(listed).map(|name| format!("{package}:{name}"))
}
