//! Bazel: `bazel query 'deps(//...)' --output=xml`, or `--output=streamed_jsonproto`.
//!
//! Rules are targets. Labels of source files are paths from the workspace's root; a generated file stands for the rule
//! that makes it. The BUILD file of a rule, and the `.bzl` files that this one loads where the query says so, belong to
//! the rule. What lies in external repositories is left out and counted.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Error;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde::Deserialize;

use crate::draft::Draft;
use crate::loaded::Loaded;
use crate::paths;
use crate::warnings::{left_out, unreadable};

const XML: &str = "the output of `bazel query --output=xml`";
const JSON: &str = "the output of `bazel query --output=streamed_jsonproto`";

/// A build graph from what `bazel query` prints; which of the two forms it is, its first character says.
///
/// # Errors
/// [`Error::InvalidArgument`] for a text in neither form.
pub fn bazel(text: &str) -> Result<Loaded, Error> {
    bazel_below(text, "")
}

pub(crate) fn bazel_below(text: &str, prefix: &str) -> Result<Loaded, Error> {
    let query = if text.trim_start().starts_with('<') { Query::from_xml(text)? } else { Query::from_json(text)? };
    query.graph(prefix)
}

/// What a query says, as far as it matters, in its own labels.
#[derive(Debug, Default)]
struct Query {
    rules: Vec<Rule>,
    /// Generated files, and the rules that make them.
    made: BTreeMap<String, String>,
    sources: BTreeSet<String>,
    /// BUILD files, and the files that they load.
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
        let mut query = Query::default();
        let mut reader = Reader::from_str(text);
        // The rule or file whose elements are being read.
        let mut source: Option<String> = None;
        let mut rule: Option<Rule> = None;
        let mut met_query = false;
        loop {
            let event = reader.read_event().map_err(|error| unreadable(text, XML, error))?;
            let (element, opens) = match event {
                Event::Eof => break,
                Event::Start(element) => (element, true),
                Event::Empty(element) => (element, false),
                Event::End(element) => {
                    match element.name().as_ref() {
                        "rule" => query.rules.extend(rule.take()),
                        "source-file" => source = None,
                        _ => {}
                    }
                    continue;
                }
                _ => continue,
            };
            let of = |name: &str| attribute(&element, name).map_err(|why| unreadable(text, XML, why));
            let name = of("name")?.unwrap_or_default();
            match element.name().as_ref() {
                "query" => met_query = true,
                "rule" => {
                    let found = Rule { name, location: of("location")?, ..Rule::default() };
                    if opens {
                        rule = Some(found);
                    } else {
                        query.rules.push(found);
                    }
                }
                "rule-input" => rule.iter_mut().for_each(|rule| rule.rule_input.push(name.clone())),
                "rule-output" => rule.iter_mut().for_each(|rule| rule.rule_output.push(name.clone())),
                "source-file" => {
                    query.sources.insert(name.clone());
                    source = opens.then_some(name);
                }
                "load" => {
                    if let Some(source) = &source {
                        query.loads.entry(source.clone()).or_default().push(name);
                    }
                }
                "generated-file" => {
                    if let Some(by) = of("generating-rule")? {
                        query.made.insert(name, by);
                    }
                }
                _ => {}
            }
        }
        if met_query { Ok(query) } else { Err(unreadable(text, XML, "there is no <query>")) }
    }

    fn graph(self, prefix: &str) -> Result<Loaded, Error> {
        let mut left = LeftOut::default();
        let mut draft = Draft::default();
        let mut made: BTreeMap<String, String> = BTreeMap::new();
        for (file, rule) in &self.made {
            if let (Some(file), Some(rule)) = (own(file), own(rule)) {
                made.insert(file, rule);
            }
        }
        // All rules first, so that inputs can be told apart.
        let mut rules = Vec::new();
        for rule in self.rules {
            let Some(name) = left.own(&rule.name) else { continue };
            draft.target(&name);
            made.extend(rule.rule_output.iter().filter_map(|file| Some((own(file)?, name.clone()))));
            rules.push((name, rule));
        }
        let sources: BTreeSet<String> = self.sources.iter().filter_map(|label| own(label)).collect();
        let loads: BTreeMap<String, &Vec<String>> =
            self.loads.iter().filter_map(|(file, loads)| Some((own(file)?, loads))).collect();
        for (name, rule) in rules {
            let target = draft.target(&name);
            for input in &rule.rule_input {
                let Some(input) = left.own(input) else { continue };
                if draft.contains(&input) {
                    draft.dep(target, input);
                } else if let Some(rule) = made.get(&input) {
                    draft.dep(target, rule.clone());
                } else {
                    // A query without `deps(...)` does not list files; one that does and lacks this was too narrow.
                    if !sources.is_empty() && !sources.contains(&input) {
                        left.unlisted.insert(input.clone());
                    }
                    draft.file(target, path(&input));
                }
            }
            let build_file = build_file(&name, rule.location.as_deref(), &sources);
            for file in build_file.iter().flat_map(|label| loads.get(label)).flat_map(|loads| loads.iter()) {
                if let Some(file) = left.own(file) {
                    draft.file(target, path(&file));
                }
            }
            if let Some(build_file) = build_file {
                draft.file(target, path(&build_file));
            }
        }
        let (graph, outside) = draft.finish(prefix)?;
        Ok(Loaded { graph, warnings: left.warnings(&outside) })
    }
}

/// What a query names and the graph has not.
#[derive(Debug, Default)]
struct LeftOut {
    /// Labels of other repositories.
    external: BTreeSet<String>,
    /// Inputs that are taken for files, though the query lists files and not these.
    unlisted: BTreeSet<String>,
}

impl LeftOut {
    /// A label in its short form; one of another repository is left out.
    fn own(&mut self, label: &str) -> Option<String> {
        let own = own(label);
        if own.is_none() {
            self.external.insert(label.to_owned());
        }
        own
    }

    /// The same in words; `rules` make files, and are not in the query.
    fn warnings(&self, rules: &BTreeSet<String>) -> Vec<String> {
        let mut warnings = Vec::new();
        warnings.extend(left_out("labels of external repositories", &self.external));
        warnings.extend(left_out("rules that make files but are not in the query", rules));
        if let Some(first) = self.unlisted.first() {
            let count = self.unlisted.len();
            warnings.push(format!(
                "{count} inputs are not in the query, {first} for one, and are taken for files; query deps(...)"
            ));
        }
        warnings
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    let found = element.try_get_attribute(name).map_err(|error| error.to_string())?;
    let value = found.map(|found| found.normalized_value(quick_xml::XmlVersion::Implicit1_0));
    value.transpose().map(|value| value.map(|value| value.into_owned())).map_err(|error| error.to_string())
}

/// A label of the main repository in its short form, `//package:name`; nothing for one of another repository.
fn own(label: &str) -> Option<String> {
    let label = label.strip_prefix("@@").or_else(|| label.strip_prefix('@')).unwrap_or(label);
    let rest = label.strip_prefix("//")?;
    // What WORKSPACE files bind.
    if rest.starts_with("external:") {
        return None;
    }
    Some(match rest.split_once(':') {
        Some(_) => label.to_owned(),
        None => format!("{label}:{}", paths::name(rest)),
    })
}

/// The path of a file by its label.
fn path(label: &str) -> String {
    let (package, name) = label.trim_start_matches('/').split_once(':').unwrap_or(("", label));
    paths::join(package, name)
}

/// The label of the BUILD file that a rule is written in.
fn build_file(rule: &str, location: Option<&str>, sources: &BTreeSet<String>) -> Option<String> {
    const NAMES: [&str; 2] = ["BUILD.bazel", "BUILD"];
    let package = rule.split_once(':').map_or(rule, |(package, _)| package);
    // `/home/me/project/app/BUILD.bazel:12:4`; a macro may have put the rule elsewhere, but never into another package.
    let said = location.and_then(|location| {
        let file = location.rsplitn(3, ':').last().unwrap_or(location);
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        NAMES.into_iter().find(|known| *known == name)
    });
    let listed = || NAMES.into_iter().find(|name| sources.contains(&format!("{package}:{name}")));
    said.or_else(listed).map(|name| format!("{package}:{name}"))
}
