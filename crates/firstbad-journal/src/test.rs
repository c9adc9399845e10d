//! What answers the probes of a search: as far as it can be written down, it is compared.

use serde_json::Value;

use crate::fields;

/// What answers the probes of a search.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Test {
    /// Nobody says: probes are asked and told by hand.
    #[default]
    ByHand,
    /// A function, which can neither be written down nor compared.
    Function,
    /// A command: a JSON object with all that its outcome may depend on, among that `command`.
    Command(Value),
}

/// What comes of a test and the one that a journal has written down.
#[derive(Debug, PartialEq)]
pub(crate) enum Claim {
    /// There is nothing to be written.
    Agreed,
    /// The journal says nothing of its command yet: this is to be written.
    New(Value),
}

/// Compares what is given with what a journal has, `null` if that is nothing.
///
/// # Errors
/// What differs, in words.
pub(crate) fn claim(theirs: &Value, given: &Test) -> Result<Claim, String> {
    // Without a command it says how a test that runs elsewhere is read, and whoever has the command says it anew.
    let command = theirs.get("command");
    match (given, command) {
        (Test::ByHand, _) | (Test::Function, None) => Ok(Claim::Agreed),
        (Test::Function, Some(command)) => Err(format!(
            "it belongs to a test by a command, {}, and here a function is given, which cannot be compared with that; give \
             the command, or another file; a session that is opened by hand takes answers from anybody",
            fields::shown(command)
        )),
        (Test::Command(ours), None) => Ok(if ours == theirs { Claim::Agreed } else { Claim::New(ours.clone()) }),
        (Test::Command(ours), Some(_)) => match fields::differences(theirs, ours) {
            found if found.is_empty() => Ok(Claim::Agreed),
            found => {
                Err(format!("it belongs to another test: {}; give another file, or the same test", found.join("; ")))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_is_named_whatever_it_is() {
        let theirs = json!({"command": ["make", "test"], "timeout": 90.0, "exit_codes": {"3": "fail"}});
        let refused = |ours: Value| claim(&theirs, &Test::Command(ours)).unwrap_err();
        let words = refused(json!({"command": ["make", "check"], "exit_codes": {"3": "fail"}}));
        let whole =
            r#"its command is ["make","test"], and here ["make","check"]; its timeout is 90.0, and here not given"#;
        assert!(words.contains(whole), "{words}");
        let words = refused(json!({"command": ["make", "test"], "timeout": 90.0, "exit_codes": {"3": "stop"}}));
        assert!(words.contains(r#"its exit_codes is {"3":"fail"}, and here {"3":"stop"}"#), "{words}");
        let words =
            refused(json!({"command": ["make", "test"], "timeout": 90.0, "exit_codes": {"3": "fail"}, "setup": ["a"]}));
        assert!(words.contains(r#"its setup is not given, and here ["a"]"#), "{words}");
        assert_eq!(claim(&theirs, &Test::Command(theirs.clone())), Ok(Claim::Agreed));
        assert_eq!(claim(&theirs, &Test::ByHand), Ok(Claim::Agreed));
        assert!(claim(&theirs, &Test::Function).unwrap_err().contains(r#"["make","test"]"#));
    }

    #[test]
    fn long_values_that_begin_alike_are_not_shown_as_the_same() {
        let long = |end: &str| json!({"command": ["a"], "fixups": [format!("{}{end}", "x".repeat(500))]});
        let words = claim(&long("a"), &Test::Command(long("b"))).unwrap_err();
        assert!(words.contains("its fixups is another, though it begins alike: "), "{words}");
    }

    #[test]
    fn a_journal_without_a_command_takes_the_first() {
        let ours = json!({"command": ["make"]});
        for theirs in [Value::Null, json!({"preset": "pytest"})] {
            assert_eq!(claim(&theirs, &Test::Command(ours.clone())), Ok(Claim::New(ours.clone())));
            assert_eq!(claim(&theirs, &Test::Function), Ok(Claim::Agreed));
        }
    }
}
