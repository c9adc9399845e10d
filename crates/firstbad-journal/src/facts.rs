//! Facts in a journal: runs show mostly the same ones, so each is written once, and by its number from then on.
//!
//! A line whose observation has facts among its signals has them beside the event: `"facts": [{"file": ...}, 0, 3]`, where a
//! number is that of a fact before it, counted from 0 in the order in which they stand in the journal.

use std::path::Path;

use firstbad::{Error, Event, Observation};
use hashbrown::HashMap;
use serde_json::{Map, Value};

use crate::limits;

const FACTS: &str = "facts";

/// The facts of a journal, as far as it goes.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptFacts {
    /// Each with its length as JSON.
    facts: Vec<(Value, usize)>,
    numbers: HashMap<String, usize>,
    /// How long all facts of all lines are, as JSON.
    bytes: u64,
}

/// What [`KeptFacts::forget_since`] goes back to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    facts: usize,
    bytes: u64,
}

impl KeptFacts {
    pub(crate) fn mark(&self) -> Mark {
        Mark { facts: self.facts.len(), bytes: self.bytes }
    }

    /// Forgets what was not written after all.
    pub(crate) fn forget_since(&mut self, mark: Mark) {
        self.facts.truncate(mark.facts);
        self.numbers.retain(|_, number| *number < mark.facts);
        self.bytes = mark.bytes;
    }

    /// Takes the facts out of an event, in short; `None` if it has none.
    ///
    /// # Errors
    /// [`Error::Journal`] if they are more than a journal may have.
    pub(crate) fn shorten(&mut self, path: &Path, event: &mut Event) -> Result<Option<Vec<Value>>, Error> {
        let Some(signals) = signals(event) else { return Ok(None) };
        // What is called so but is none stays where it is.
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

    /// Puts facts back into an event.
    ///
    /// # Errors
    /// [`Error::Journal`] for what is neither a fact nor the number of one before it, and if they are more than a journal may
    /// have.
    pub(crate) fn restore(&mut self, path: &Path, event: &mut Event, short: Vec<Value>) -> Result<(), Error> {
        let broken = |what: &str| {
            let message = format!("{what}; facts are objects, or numbers of facts before them");
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
                    // A number is short, and what it stands for need not be.
                    self.count(path, self.facts[known].1)?;
                    self.facts[known].0.clone()
                }
                _ => return Err(broken(&format!("fact {place} is none"))),
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
        limits::check(path, "what its answers say of facts", self.bytes, limits::FACTS)
    }
}

/// The signals of an event's observation, if they have members.
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
    fn what_was_not_written_is_not_counted_on() {
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
