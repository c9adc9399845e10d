//! Every situation as a vector: the reads and outcomes of each step, and the final report.

use std::fmt::Write as _;

use firstbad::Search;
use firstbad::porting::Walk;
use serde_json::{Value, json};

use super::situations::{Situation, all as situations};
use super::world::Universes;

/// Returns all vectors as a file.
pub(crate) fn all() -> String {
    let mut lines = String::new();
    for situation in situations() {
        for walk in [Walk::Gallop, Walk::Strict] {
            let comma = if lines.is_empty() { "" } else { ",\n" };
            let _ = write!(lines, "{comma}{}", vector(&situation, walk));
        }
    }
    format!("{{\n  \"schema\": 1,\n  \"vectors\": [\n{lines}\n  ]\n}}\n")
}

fn vector(situation: &Situation, walk: Walk) -> String {
    let world = &situation.world;
    let config = situation.config(walk);
    let mut search = world.search(config.clone());
    let (mut universes, mut steps) = (Universes::new(), Vec::new());
    while !search.is_done() {
        if let Some(read) = search.reads().first() {
            let content = world.read(read, &universes);
            search.give(read.id, &content).unwrap();
            steps.push(json!({"op": "reads", "are": [read]}));
            steps.push(json!({"op": "give", "id": read.id, "content": String::from_utf8(content.clone()).unwrap()}));
            universes.insert(read.id, (read.request.clone(), content));
            continue;
        }
        let probe = search.ask(1).unwrap().remove(0);
        let seen = world.answer(&probe.target, &universes);
        steps.push(json!({"op": "ask", "k": 1, "revisions": [probe.revision()]}));
        steps.push(json!({"op": "tell", "id": probe.id, "observation": seen}));
        search.tell(probe.id, seen).unwrap();
    }
    steps.push(json!({"op": "restore"}));
    let report: Value = serde_json::from_str(&search.inspect().report_json().unwrap()).unwrap();
    steps.push(json!({"op": "report", "is": report}));
    let graph: Vec<Value> = (0..world.versions.len())
        .map(|number| match number {
            0 => json!(["r0", []]),
            number => json!([format!("r{number}"), [format!("r{}", number - 1)]]),
        })
        .collect();
    let how = if walk == Walk::Gallop { "galloping" } else { "strictly" };
    let given = serde_json::to_value(&config).unwrap();
    // Leave out defaults, as users do.
    let usual = serde_json::to_value(firstbad::PorterConfig::new(world.start())).unwrap();
    let is_own = |name: &String, value: &Value| name == "start" || usual.get(name) != Some(value);
    let configuration: serde_json::Map<String, Value> =
        given.as_object().unwrap().clone().into_iter().filter(|(name, value)| is_own(name, value)).collect();
    let steps: Vec<String> = steps.iter().map(|step| format!("        {step}")).collect();
    format!(
        "    {{\n      \"name\": \"{}, {how}\",\n      \"why\": \"{}\",\n      \"graph\": {},\n      \"algorithm\": \
         \"port\",\n      \"configuration\": {},\n      \"steps\": [\n{}\n      ]\n    }}",
        situation.name,
        situation.why,
        json!({"revisions": graph}),
        Value::Object(configuration),
        steps.join(",\n"),
    )
}
