//! What was measured, beside what is aimed at.

use serde_json::{Value, json};

/// A figure with its aim.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    /// The aim; `None` for a figure that is only told.
    pub(crate) aim: Option<Aim>,
}

/// What a figure should reach.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Aim {
    AtMost(f64),
    AtLeast(f64),
}

impl Figure {
    pub(crate) fn told(what: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Figure { what: what.into(), value, unit, aim: None }
    }

    pub(crate) fn aimed(what: impl Into<String>, value: f64, unit: &'static str, aim: Aim) -> Self {
        Figure { what: what.into(), value, unit, aim: Some(aim) }
    }

    pub(crate) fn verdict(&self) -> &'static str {
        match self.aim {
            None => "",
            Some(Aim::AtMost(limit)) if self.value <= limit => "met",
            Some(Aim::AtLeast(limit)) if self.value >= limit => "met",
            Some(_) => "missed",
        }
    }

    fn limit(&self) -> String {
        match self.aim {
            None => String::new(),
            Some(Aim::AtMost(limit)) => format!("at most {limit}"),
            Some(Aim::AtLeast(limit)) => format!("at least {limit}"),
        }
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "what": self.what, "value": self.value, "unit": self.unit, "aim": self.limit(), "verdict": self.verdict(),
        })
    }

    pub(crate) fn print(&self) {
        println!("| {} | {:.4} {} | {} | {} |", self.what, self.value, self.unit, self.limit(), self.verdict());
    }
}
