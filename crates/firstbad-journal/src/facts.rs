//! Deduplicates facts in a journal, because most runs show the same facts.
//!
//! If the signals of an observation have facts, its line has a list of them next to the event: `"facts": [{"file": ...}, 0, 3]`.
//! An object is a new fact. A number refers to an earlier fact, counted from 0 in the order of the journal.

use std::path::Path;

use firstbad::{Error, Event, Observation};
use hashbrown::HashMap;
use serde_json::{Map, Value};

use crate::limits;

const FACTS: &str = "facts";

/// The facts in a journal so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptFacts {
    /// Each fact with its length as JSON.
    facts: Vec<(Value, usize)>,
    numbers: HashMap<String, usize>,
    /// The total length of all facts of all lines as JSON.
    bytes: u64,
}

/// A position for [`KeptFacts::forget_since`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    facts: usize,
    bytes: u64,
}

impl KeptFacts {
    pub(crate) fn mark(&self) -> Mark {
        Mark { facts: self.facts.len(), bytes: self.bytes }
    }

    /// Forgets facts that were not written.
    pub(crate) fn forget_since(&mut self, mark: Mark) {
        self.facts.truncate(mark.facts);
        self.numbers.retain(|_, number| *number < mark.facts);
        self.bytes = mark.bytes;
    }

    /// Removes the facts of an event and returns their short form, or `None` if there are none.
    ///
    /// # Errors
    /// [`Error::Journal`] if there are more facts than a journal can hold.
    pub(crate) fn shorten(&mut self, path: &Path, event: &mut Event) -> Result<Option<Vec<Value>>, Error> {
        let Some(signals) = signals(event) else { return Ok(None) };
        // Signals can use the name `facts` for other values.
        let are_facts = |facts: &Vec<Value>| !facts.is_empty() && facts.iter().all(Value::is_object);
        if !signals.get(FACTS).and_then(Value::as_array).is_some_and(are_facts) {
            return Ok(None);
        }
        let Some(Value::Array(facts)) = signals.remove(FACTS) else { return Ok(None) };
        let short = |fact: Value| {
            let text = fact.to_string();
            self.count(path, text.len())?;
            Ok(match self.numbers.get(&text) {
                Some(&number) => number.into(),
                None => {
                    self.add(text, fact.clone());
                    fact
                }
            })
        };
        facts.into_iter().map(short).collect::<Result<_, Error>>().map(Some)
    }

    /// Restores the facts of an event.
    ///
    /// # Errors
    /// [`Error::Journal`] if an item is neither a fact nor a valid number, or if there are more facts than a journal can hold.
    pub(crate) fn restore(&mut self, path: &Path, event: &mut Event, short: Vec<Value>) -> Result<(), Error> {
        let broken = |what: &str| {
            let message = format!("{what}, but facts are objects, or numbers of earlier facts");
            Error::Journal { path: path.display().to_string(), message }
        };
        let Some(signals) = signals(event) else { return Err(broken("there are facts without signals")) };
        let mut facts = Vec::with_capacity(short.len());
        for (place, fact) in short.into_iter().enumerate() {
            let fact = match fact {
                Value::Object(_) => {
                    let text = fact.to_string();
                    self.count(path, text.len())?;
                    self.add(text, fact.clone());
                    fact
                }
                Value::Number(number) => {
                    let known = number.as_u64().and_then(|number| usize::try_from(number).ok());
                    let Some(known) = known.filter(|&known| known < self.facts.len()) else {
                        return Err(broken(&format!("fact {place} has the number {number}")));
                    };
                    // A number is short, but its fact can be long.
                    self.count(path, self.facts[known].1)?;
                    self.facts[known].0.clone()
                }
                _ => return Err(broken(&format!("fact {place} is not valid"))),
            };
            facts.push(fact);
        }
        signals.insert(FACTS.to_owned(), Value::Array(facts));
        Ok(())
    }

    fn add(&mut self, text: String, fact: Value) {
        self.facts.push((fact, text.len()));
        self.numbers.entry(text).or_insert(self.facts.len() - 1);
    }

    fn count(&mut self, path: &Path, length: usize) -> Result<(), Error> {
        self.bytes += length as u64;
        limits::check(path, "the facts of its outcomes", self.bytes, limits::FACTS)
    }
}

/// Returns the signals of an event's observation, if they have members.
fn signals(event: &mut Event) -> Option<&mut Map<String, Value>> {
    let (Event::Told { observation, .. } | Event::Observed { observation, .. }) = event else { return None };
    let observation: &mut Observation = observation;
    observation.signals.as_mut()?.as_object_mut()
}

#[cfg(test)]
mod tests {
    use firstbad::Outcome;
    use serde_json::json;

    use super::*;

    #[test]
    fn unwritten_events_are_not_used() {
        let path = Path::new("run.jsonl");
        let mut kept = KeptFacts::default();
        let short = |kept: &mut KeptFacts, name: &str| {
            let signals = Some(json!({"facts": [{ "name": name }]}));
            let mut event =
                Event::Told { id: 0, observation: Observation { signals, ..Observation::new(Outcome::Pass) } };
            kept.shorten(path, &mut event).unwrap().unwrap().remove(0)
        };
        assert!(short(&mut kept, "a").is_object());
        let before = kept.mark();
        assert!(short(&mut kept, "b").is_object());
        kept.forget_since(before);
        assert!(short(&mut kept, "c").is_object());
        assert!(short(&mut kept, "b").is_object());
        assert_eq!(
            [short(&mut kept, "a"), short(&mut kept, "c"), short(&mut kept, "b")],
            [json!(0), json!(1), json!(2)]
        );
    }
}
