//! The changes that a fact counts for or against, if the fact does not name them.

use hashbrown::{HashMap, HashSet};
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The most changes that facts of one run, or of the table, can be charged to.
pub(super) const MOST_CHARGED: usize = 1 << 20;

/// The most variables and results with charges, equal to the most facts in one run.
const MOST_PLACES: usize = 1 << 18;

/// The subject of a fact: file, qualified name, and variable or result.
pub(super) type Place = (String, String, String);

/// The changes that flow into one variable or result.
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("kind" = "Charge")))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charge {
    /// The path of the file, relative to the top of the repository.
    pub file: String,
    /// The qualified name of the definition.
    pub name: String,
    /// The name of the variable, or `"return"` for the result.
    pub variable: String,
    /// The indices of the changes.
    pub changes: Vec<usize>,
}

/// All charges of a search.
#[derive(Debug, Default)]
pub(super) struct Charges {
    at: HashMap<Place, Vec<usize>>,
}

impl Charges {
    /// Creates the charges for a history with `count` changes.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if there are too many charges, if an index is not a change, or if a place occurs
    /// twice.
    pub(super) fn of(charges: &[Charge], count: usize) -> Result<Self, Error> {
        if charges.len() > MOST_PLACES {
            return Err(Error::invalid(
                "charges",
                charges.len(),
                format!("at most {MOST_PLACES} variables and results"),
            ));
        }
        let mut at: HashMap<Place, Vec<usize>> = HashMap::new();
        let mut charged = 0;
        for (number, charge) in charges.iter().enumerate() {
            let wrong = charge.changes.iter().find(|&&change| change >= count);
            if let Some(change) = wrong {
                let argument = format!("charges[{number}].changes");
                return Err(Error::invalid(argument, change, format!("indices of changes, below {count}")));
            }
            charged += charge.changes.len();
            if charged > MOST_CHARGED {
                return Err(Error::invalid("charges", charged, format!("at most {MOST_CHARGED} changes in all")));
            }
            let once: HashSet<usize> = charge.changes.iter().copied().collect();
            let mut changes: Vec<usize> = once.into_iter().collect();
            changes.sort_unstable();
            let place = (charge.file.clone(), charge.name.clone(), charge.variable.clone());
            if at.insert(place, changes).is_some() {
                let expected = "each variable of a definition once; this one is a duplicate";
                return Err(Error::invalid(format!("charges[{number}]"), &charge.variable, expected));
            }
        }
        Ok(Charges { at })
    }

    /// Returns the changes that flow into a place.
    pub(super) fn of_place(&self, place: &Place) -> &[usize] {
        self.at.get(place).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charge(variable: &str, changes: &[usize]) -> Charge {
        Charge { file: "a.py".into(), name: "f".into(), variable: variable.into(), changes: changes.to_vec() }
    }

    #[test]
    fn charges_are_found_by_place() {
        let all = Charges::of(&[charge("return", &[2, 0, 2]), charge("x", &[])], 3).unwrap();
        let at = |variable: &str| all.of_place(&("a.py".into(), "f".into(), variable.into())).to_vec();
        assert_eq!((at("return"), at("x"), at("y")), (vec![0, 2], vec![], vec![]));
    }

    #[test]
    fn invalid_charges_are_named() {
        let refused = |charges: &[Charge]| Charges::of(charges, 3).unwrap_err().to_string();
        assert!(refused(&[charge("x", &[3])]).contains("charges[0].changes: 3"));
        assert!(refused(&[charge("x", &[]), charge("x", &[1])]).contains("charges[1]"));
    }
}
