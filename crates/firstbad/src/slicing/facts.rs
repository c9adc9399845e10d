//! Facts about a program that a run observed, read from `signals`, and the implications between them.
//!
//! A fact is about one variable or result at one place, without line numbers, which differ between versions. A
//! [delta](Facts::without) contains the facts of one run that no fact of another run implies (Section 3).

use std::cmp::Ordering;

use hashbrown::{HashMap, HashSet};
use serde_json::Value;

use super::charges::{Charges, MOST_CHARGED, Place};
use crate::error::Error;

/// The most facts of one run, about 100 MB. Real histories change far fewer definitions.
pub(super) const MOST_FACTS: usize = 1 << 18;

/// The most facts about one variable or result, and the most values in a `one_of` fact. Implication checks compare each fact
/// of one run with each fact of the other.
pub(super) const MOST_AT_PLACE: usize = 16;
pub(super) const MOST_VALUES: usize = 64;

#[derive(Debug, Clone, PartialEq)]
struct Fact {
    kind: String,
    values: Vec<Value>,
    /// The changes that may have removed the fact.
    changes: Vec<usize>,
}

/// The facts of one run.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    at: HashMap<Place, Vec<Fact>>,
}

/// The parsed `signals` of an observation.
#[derive(Debug, Default)]
pub(super) struct Signals {
    /// `None` if the run has no facts.
    pub(super) facts: Option<Facts>,
    /// The change that could not be applied.
    pub(super) conflict: Option<usize>,
}

impl Signals {
    /// Parses `signals` for a history with `count` changes. `charges` apply to facts without changes. Unknown members are
    /// ignored.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] with a JSON pointer into `signals` if a value is invalid.
    pub(super) fn read(signals: Option<&Value>, count: usize, charges: &Charges) -> Result<Self, Error> {
        let Some(Value::Object(members)) = signals else { return Ok(Signals::default()) };
        let conflict = members.get("conflict").filter(|value| !value.is_null());
        let conflict = conflict.map(|value| index(value, count, || "signals/conflict".into())).transpose()?;
        let facts =
            members.get("facts").filter(|value| !value.is_null()).map(|facts| Facts::read(facts, count, charges));
        Ok(Signals { facts: facts.transpose()?, conflict })
    }
}

fn wrong<T>(place: impl Into<String>, value: &Value, expected: impl Into<String>) -> Result<T, Error> {
    /// The length to which rejected values are shortened.
    const SHOWN: usize = 80;
    let shown: String = match value {
        Value::Array(list) => format!("a list of {}", list.len()),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => format!("{:?}", text.chars().take(SHOWN).collect::<String>()),
        other => other.to_string(),
    };
    Err(Error::invalid_value(place, shown, expected.into()))
}

fn index(value: &Value, count: usize, place: impl Fn() -> String) -> Result<usize, Error> {
    let index = value.as_u64().and_then(|index| usize::try_from(index).ok()).filter(|&index| index < count);
    match index {
        Some(index) => Ok(index),
        None => wrong(place(), value, format!("an index below {count}, the number of changes")),
    }
}

impl Facts {
    fn read(facts: &Value, count: usize, charges: &Charges) -> Result<Self, Error> {
        let Value::Array(list) = facts else { return wrong("signals/facts", facts, "a list of facts") };
        if list.len() > MOST_FACTS {
            return wrong("signals/facts", facts, format!("at most {MOST_FACTS} facts"));
        }
        let mut at: HashMap<Place, Vec<Fact>> = HashMap::new();
        let mut charged = 0;
        for (number, fact) in list.iter().enumerate() {
            let (place, fact) = read_fact(fact, number, count, charges)?;
            charged += fact.changes.len();
            if charged > MOST_CHARGED {
                let expected = format!("at most {MOST_CHARGED} changes that the facts of a run are charged to");
                return wrong(format!("signals/facts/{number}/changes"), &list[number]["changes"], expected);
            }
            let there = at.entry(place).or_default();
            there.push(fact);
            if there.len() > MOST_AT_PLACE {
                let expected = format!("at most {MOST_AT_PLACE} facts about one variable");
                return wrong(format!("signals/facts/{number}/variable"), &list[number]["variable"], expected);
            }
        }
        Ok(Facts { at })
    }

    /// Returns the changes that any of these facts is charged to.
    pub(super) fn charged(&self) -> HashSet<usize> {
        self.at.values().flatten().flat_map(|fact| fact.changes.iter().copied()).collect()
    }

    /// Returns the changes charged with facts that no fact of `now` implies, once for each place.
    pub(super) fn without(&self, now: &Facts) -> Vec<usize> {
        let mut charged = Vec::new();
        for (place, facts) in &self.at {
            let there = now.at.get(place).map_or(&[][..], Vec::as_slice);
            let lost = facts.iter().filter(|fact| !there.iter().any(|other| other.implies(fact)));
            let once: HashSet<usize> = lost.flat_map(|fact| fact.changes.iter().copied()).collect();
            charged.extend(once);
        }
        charged.sort_unstable();
        charged
    }
}

fn read_fact(fact: &Value, number: usize, count: usize, charges: &Charges) -> Result<(Place, Fact), Error> {
    let at = |member: &str| format!("signals/facts/{number}/{member}");
    let Value::Object(members) = fact else {
        return wrong(
            format!("signals/facts/{number}"),
            fact,
            "an object with file, name, variable, kind, values, changes",
        );
    };
    let known = ["file", "name", "variable", "kind", "values", "changes"];
    if let Some((name, value)) = members.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        return wrong(at(&escaped(name)), value, format!("no such member; there are {}", known.join(", ")));
    }
    let text = |member: &str| match members.get(member) {
        Some(Value::String(text)) => Ok(text.clone()),
        other => wrong(at(member), other.unwrap_or(&Value::Null), "a text"),
    };
    let list = |member: &str| match members.get(member) {
        None => Ok(&[][..]),
        Some(Value::Array(list)) => Ok(list.as_slice()),
        Some(other) => wrong(at(member), other, "a list"),
    };
    let place = (text("file")?, text("name")?, text("variable")?);
    let (kind, values) = (text("kind")?, list("values")?.to_vec());
    check_values(&kind, &values, || at("values"))?;
    if !members.contains_key("changes") {
        let changes = charges.of_place(&place).to_vec();
        return Ok((place, Fact { kind, values, changes }));
    }
    let changes = list("changes")?.iter().enumerate();
    let changes = changes.map(|(place, change)| index(change, count, || format!("{}/{place}", at("changes"))));
    Ok((place, Fact { kind, values, changes: changes.collect::<Result<_, _>>()? }))
}

/// Escapes a name for a JSON pointer (RFC 6901).
fn escaped(name: &str) -> String {
    name.chars().take(80).collect::<String>().replace('~', "~0").replace('/', "~1")
}

const SIGNS: [&str; 6] = ["negative", "zero", "positive", "nonnegative", "nonpositive", "nonzero"];

fn check_values(kind: &str, values: &[Value], at: impl Fn() -> String) -> Result<(), Error> {
    let all = || Value::Array(values.to_vec());
    match kind {
        "constant" if values.len() != 1 => wrong(at(), &all(), "one value: the constant"),
        "range" => match values {
            [Value::Number(low), Value::Number(high)] if low.as_f64() <= high.as_f64() => Ok(()),
            _ => wrong(at(), &all(), "two numbers, the lowest and the highest"),
        },
        "sign" => match values {
            [Value::String(sign)] if SIGNS.contains(&sign.as_str()) => Ok(()),
            _ => wrong(at(), &all(), format!("one of {}", SIGNS.join(", "))),
        },
        "type" if values.is_empty() || !values.iter().all(Value::is_string) => {
            wrong(at(), &all(), "names of types, at least one")
        }
        "one_of" if values.is_empty() => wrong(at(), &all(), "at least one value"),
        "one_of" | "type" if values.len() > MOST_VALUES => wrong(at(), &all(), format!("at most {MOST_VALUES} values")),
        "not_none" if !values.is_empty() => wrong(at(), &all(), "no values"),
        _ => Ok(()),
    }
}

impl Fact {
    /// Returns whether a variable with this fact also has the other one. A fact of an unknown kind implies only itself.
    fn implies(&self, other: &Fact) -> bool {
        if self.kind == other.kind && self.values == other.values {
            return true;
        }
        let values = self.values.as_slice();
        match (self.kind.as_str(), other.kind.as_str()) {
            // Facts that hold for each of the values.
            ("constant" | "one_of", _) => values.iter().all(|value| other.is_true_of(value)),
            ("range", "range") => {
                let (inner, outer) = (numbers(values), numbers(&other.values));
                inner.zip(outer).is_some_and(|(inner, outer)| outer.0 <= inner.0 && inner.1 <= outer.1)
            }
            ("range", "sign") => numbers(values).is_some_and(|(low, high)| has_sign(low, high, &other.values)),
            ("range" | "sign", "not_none") => true,
            ("sign", "sign") => sign_implies(text(values), text(&other.values)),
            ("type", "type") => values.iter().all(|name| other.values.contains(name)),
            ("type", "not_none") => !values.iter().any(|name| name.as_str().is_some_and(|name| NONES.contains(&name))),
            _ => false,
        }
    }

    fn is_true_of(&self, value: &Value) -> bool {
        match self.kind.as_str() {
            "constant" | "one_of" => self.values.contains(value),
            "range" => value
                .as_f64()
                .zip(numbers(&self.values))
                .is_some_and(|(value, (low, high))| low <= value && value <= high),
            "sign" => value.as_f64().is_some_and(|value| has_sign(value, value, &self.values)),
            "not_none" => !value.is_null(),
            "type" => types(value).iter().any(|name| self.values.iter().any(|other| other == name)),
            _ => false,
        }
    }
}

/// The names of the type without a value in several languages.
const NONES: [&str; 4] = ["NoneType", "null", "undefined", "None"];

/// Returns the names of a value's type in several languages, as far as JSON shows it.
fn types(value: &Value) -> &'static [&'static str] {
    match value {
        Value::Null => &NONES,
        Value::Bool(_) => &["bool", "boolean"],
        Value::Number(number) if number.is_f64() => &["float", "number"],
        Value::Number(_) => &["int", "number"],
        Value::String(_) => &["str", "string"],
        Value::Array(_) | Value::Object(_) => &[],
    }
}

fn numbers(values: &[Value]) -> Option<(f64, f64)> {
    values.first()?.as_f64().zip(values.get(1)?.as_f64())
}

fn text(values: &[Value]) -> &str {
    values.first().and_then(Value::as_str).unwrap_or_default()
}

/// Returns whether every number from `low` to `high` has the sign.
fn has_sign(low: f64, high: f64, sign: &[Value]) -> bool {
    let side = |number: f64| number.partial_cmp(&0.0);
    match text(sign) {
        "negative" => side(high) == Some(Ordering::Less),
        "positive" => side(low) == Some(Ordering::Greater),
        "zero" => side(low) == Some(Ordering::Equal) && side(high) == Some(Ordering::Equal),
        "nonnegative" => low >= 0.0,
        "nonpositive" => high <= 0.0,
        "nonzero" => low > 0.0 || high < 0.0,
        _ => false,
    }
}

fn sign_implies(sign: &str, other: &str) -> bool {
    matches!(
        (sign, other),
        ("negative", "nonpositive" | "nonzero")
            | ("positive", "nonnegative" | "nonzero")
            | ("zero", "nonnegative" | "nonpositive")
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn implies(one: (&str, Value), other: (&str, Value)) -> bool {
        let fact = |(kind, values): (&str, Value)| {
            let fact =
                json!({"file": "f", "name": "n", "variable": "v", "kind": kind, "values": values, "changes": [0]});
            Signals::read(Some(&json!({ "facts": [fact] })), 1, &Charges::default()).unwrap().facts.unwrap()
        };
        fact(other).without(&fact(one)).is_empty()
    }

    #[test]
    fn facts_imply_weaker_facts() {
        let constant = |value: Value| ("constant", json!([value]));
        let follows = [
            (constant(json!(0)), ("one_of", json!([0, 1]))),
            (constant(json!(2)), ("range", json!([0, 5]))),
            (constant(json!("")), ("not_none", json!([]))),
            (constant(json!(-1)), ("sign", json!(["nonpositive"]))),
            (constant(json!("a")), ("type", json!(["str", "bytes"]))),
            (constant(json!(null)), ("type", json!(["NoneType"]))),
            (("one_of", json!([1])), constant(json!(1))),
            (("one_of", json!([1, 2])), ("one_of", json!([3, 2, 1]))),
            (("one_of", json!([1, 2])), ("range", json!([1, 2]))),
            (("range", json!([1, 2])), ("range", json!([0, 2]))),
            (("range", json!([1, 2])), ("sign", json!(["positive"]))),
            (("range", json!([0, 2])), ("not_none", json!([]))),
            (("sign", json!(["zero"])), ("sign", json!(["nonnegative"]))),
            (("type", json!(["int"])), ("type", json!(["str", "int"]))),
            (("type", json!(["int"])), ("not_none", json!([]))),
            (("opaque", json!([1])), ("opaque", json!([1]))),
        ];
        for (one, other) in follows {
            assert!(implies(one.clone(), other.clone()), "{one:?} implies {other:?}");
        }
        let does_not_follow = [
            (("one_of", json!([0, 1])), constant(json!(0))),
            (constant(json!(null)), ("not_none", json!([]))),
            (constant(json!(true)), ("type", json!(["int"]))),
            (constant(json!(6)), ("range", json!([0, 5]))),
            (("range", json!([0, 2])), ("sign", json!(["positive"]))),
            (("range", json!([0, 3])), ("range", json!([0, 2]))),
            (("type", json!(["int", "NoneType"])), ("not_none", json!([]))),
            (("sign", json!(["nonnegative"])), ("sign", json!(["positive"]))),
            (("opaque", json!([1])), ("opaque", json!([2]))),
            (constant(json!(1)), ("opaque", json!([1]))),
        ];
        for (one, other) in does_not_follow {
            assert!(!implies(one.clone(), other.clone()), "{one:?} does not imply {other:?}");
        }
    }

    /// The tracers of all languages produce these facts for the same programs (`tests/vectors/values/facts.json`).
    #[test]
    fn facts_of_all_tracers_are_read() {
        let text = include_str!("../../../../tests/vectors/values/facts.json");
        let all: Value = serde_json::from_str(text).unwrap();
        for vector in all["facts"].as_array().unwrap() {
            for language in ["python", "javascript"] {
                let listed = vector["facts"].as_array().unwrap().iter().map(|fact| {
                    let values = if fact[3].is_array() { &fact[3] } else { &fact[3][language] };
                    json!({"file": "shop", "name": fact[0], "variable": fact[1], "kind": fact[2], "values": values})
                });
                let listed: Vec<Value> = listed.collect();
                let signals = json!({ "facts": listed });
                let facts = Signals::read(Some(&signals), 1, &Charges::default()).unwrap().facts.unwrap();
                let read: Vec<&Fact> = facts.at.values().flatten().collect();
                assert_eq!(read.len(), listed.len(), "{}", vector["name"]);
                assert!(read.iter().all(|fact| fact.implies(fact)));
                // A constant implies every other fact about its place.
                for there in facts.at.values() {
                    let constant = there.iter().find(|fact| fact.kind == "constant");
                    assert!(
                        constant.is_none_or(|constant| there.iter().all(|other| constant.implies(other))),
                        "{there:?}"
                    );
                }
            }
        }
    }
}
