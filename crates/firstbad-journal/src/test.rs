//! The tests of journals, and how they are compared.

use std::path::Path;

use firstbad::Error;
use serde_json::Value;

use crate::fields;

/// The source of a search's outcomes.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Test {
    /// Unknown: a person or another program asks for probes and tells the outcomes.
    #[default]
    ByHand,
    /// A function, which cannot be recorded or compared.
    Function,
    /// A command: a JSON object with everything that its outcomes can depend on, including the `command`.
    Command(Value),
}

/// The result of comparing a test with the one in a journal.
#[derive(Debug, PartialEq)]
pub(crate) enum Claim {
    /// The journal needs no change.
    Agreed,
    /// The journal has no command yet and must record this one.
    New(Value),
}

/// Compares a test with the one in a journal, which is `null` if the journal has none. In a search among revisions
/// (`of_revisions`), exit codes that stopped the search may have a new meaning, because they produced no outcome.
///
/// # Errors
/// [`Error::Journal`], [`Error::AnotherTest`].
pub(crate) fn claim(journal: &Path, theirs: &Value, given: &Test, of_revisions: bool) -> Result<Claim, Error> {
    let path = || journal.display().to_string();
    // Without a command, the record only has the options of an external test, and the new command repeats them.
    let command = theirs.get("command");
    match (given, command) {
        (Test::ByHand, _) | (Test::Function, None) => Ok(Claim::Agreed),
        (Test::Function, Some(command)) => Err(Error::Journal {
            path: path(),
            message: format!(
                "it was recorded with the command {}, not with a function\nhelp: use the same command, or another \
                 journal. A session that you drive with ask and tell accepts any outcome",
                fields::shown(command)
            ),
        }),
        (Test::Command(ours), None) => Ok(if ours == theirs { Claim::Agreed } else { Claim::New(ours.clone()) }),
        (Test::Command(ours), Some(_)) if ours == theirs => Ok(Claim::Agreed),
        (Test::Command(ours), Some(_)) => {
            let ours_of_theirs = without_new_limits(theirs, ours);
            let (theirs, given) = match of_revisions {
                true => (&answered(theirs, theirs), &answered(theirs, &ours_of_theirs)),
                false => (theirs, &ours_of_theirs),
            };
            match fields::differences(theirs, given) {
                found if found.is_empty() => Ok(Claim::New(ours.clone())),
                differences => Err(Error::AnotherTest { path: path(), differences }),
            }
        }
    }
}

/// Removes the time limits that `theirs` does not have, because you can add them when you resume, for example if a run
/// hangs.
fn without_new_limits(theirs: &Value, test: &Value) -> Value {
    let mut test = test.clone();
    if let Some(fields) = test.as_object_mut() {
        if theirs["timeout"].is_null() {
            fields.remove("timeout");
            if theirs["on_timeout"].is_null() {
                fields.remove("on_timeout");
            }
        }
        if theirs["stage_timeout"].is_null() {
            fields.remove("stage_timeout");
        }
    }
    test
}

/// Removes the meanings of exit codes for which `theirs` recorded no outcome, because they stopped the search or repeated the
/// run.
fn answered(theirs: &Value, test: &Value) -> Value {
    let is_silent = |verdict: &Value| verdict == "stop" || verdict == "retry";
    let are_crashes_silent = theirs["on_signal"].is_null() || is_silent(&theirs["on_signal"]);
    let mut test = test.clone();
    let Some(fields) = test.as_object_mut() else { return test };
    if are_crashes_silent {
        fields.remove("on_signal");
    }
    if is_silent(&theirs["on_timeout"]) {
        fields.remove("on_timeout");
        // A run that ended in time would also have ended with a longer limit.
        let is_longer = match (theirs["timeout"].as_f64(), fields.get("timeout").and_then(Value::as_f64)) {
            (Some(before), Some(now)) => now >= before,
            (before, _) => before.is_some(),
        };
        if is_longer {
            fields.remove("timeout");
        }
    }
    if let Some(codes) = fields.get_mut("exit_codes").and_then(Value::as_object_mut) {
        codes.retain(|code, _| match (&theirs["exit_codes"][code], code.parse()) {
            (Value::Null, Ok(0..=125)) => true,
            (Value::Null, Ok(126 | 127)) => !theirs["preset"].is_null(),
            (Value::Null, _) => !are_crashes_silent || !theirs["preset"].is_null(),
            (verdict, _) => !is_silent(verdict),
        });
        if codes.is_empty() {
            fields.remove("exit_codes");
        }
    }
    test
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claimed(theirs: &Value, given: &Test, of_revisions: bool) -> Result<Claim, Error> {
        claim(Path::new("run.jsonl"), theirs, given, of_revisions)
    }

    fn refused(theirs: &Value, ours: Value) -> String {
        claimed(theirs, &Test::Command(ours), true).unwrap_err().to_string()
    }

    #[test]
    fn every_difference_is_named() {
        let theirs = json!({"command": ["make", "test"], "timeout": 90.0, "exit_codes": {"3": "fail"}});
        let words = refused(&theirs, json!({"command": ["make", "check"], "exit_codes": {"3": "fail"}}));
        let whole =
            r#"Its command is ["make","test"], not ["make","check"]. Its timeout is set only in the journal, to 90.0"#;
        assert!(words.contains(whole), "{words}");
        let words =
            refused(&theirs, json!({"command": ["make", "test"], "timeout": 90.0, "exit_codes": {"3": "stop"}}));
        assert!(words.contains(r#"Its exit_codes is {"3":"fail"}, not {"3":"stop"}"#), "{words}");
        let words = refused(
            &theirs,
            json!({"command": ["make", "test"], "timeout": 90.0, "exit_codes": {"3": "fail"}, "setup": ["a"]}),
        );
        assert!(words.contains(r#"Its setup is set only in this run, to ["a"]"#), "{words}");
        assert_eq!(claimed(&theirs, &Test::Command(theirs.clone()), true), Ok(Claim::Agreed));
        assert_eq!(claimed(&theirs, &Test::ByHand, true), Ok(Claim::Agreed));
        assert!(claimed(&theirs, &Test::Function, true).unwrap_err().to_string().contains(r#"["make","test"]"#));
    }

    #[test]
    fn long_values_with_a_common_prefix_are_shown_as_different() {
        let long = |end: &str| json!({"command": ["a"], "setup": [format!("{}{end}", "x".repeat(500))]});
        let words = refused(&long("a"), long("b"));
        assert!(words.contains("Its setup differs after its start: "), "{words}");
        let carries =
            |text: &str| json!({"command": ["a"], "carried": {"chk.sh": {"content": text}}, "apply_patches": [text]});
        let words = refused(&carries("YQ=="), carries("Yg=="));
        assert!(words.contains("Its apply_patches differs. Its carried.chk.sh differs"), "{words}");
        let words = refused(&carries("YQ=="), json!({"command": ["a"]}));
        assert!(
            words.contains("Its apply_patches is set only in the journal. Its carried is set only in the journal"),
            "{words}"
        );
        let words =
            refused(&json!({"command": ["a"]}), json!({"command": ["a"], "carried": {"chk.sh": {"content": "x"}}}));
        assert!(words.contains("Its carried is set only in this run, to \"chk.sh\""), "{words}");
    }

    #[test]
    fn exit_codes_that_stopped_a_run_can_change_their_meaning() {
        let of = |fields: Value| {
            let mut test = json!({"command": ["a"]});
            test.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            test
        };
        let goes_on = |before: Value, now: Value| {
            let among_revisions = claimed(&of(before.clone()), &Test::Command(of(now.clone())), true);
            assert!(claimed(&of(before), &Test::Command(of(now.clone())), false).is_err());
            among_revisions == Ok(Claim::New(of(now)))
        };
        let [fails, stops] = ["fail", "stop"].map(|verdict| json!({"on_signal": verdict}));
        assert!(goes_on(json!({}), fails.clone()) && goes_on(json!({"on_signal": "retry"}), fails.clone()));
        assert!(!goes_on(fails.clone(), stops) && !goes_on(fails, json!({"on_signal": "pass"})));
        let codes = |codes: Value| json!({"exit_codes": codes});
        assert!(goes_on(json!({}), codes(json!({"127": "fail", "139": "unresolved"}))));
        assert!(goes_on(codes(json!({"3": "stop", "4": "fail"})), codes(json!({"3": "pass", "4": "fail"}))));
        for other in [json!({"3": "unresolved"}), json!({"125": "fail"}), json!({"139": "fail", "3": "stop"})] {
            assert!(!goes_on(json!({}), codes(other)));
        }
        assert!(!goes_on(json!({"on_signal": "fail"}), json!({"on_signal": "fail", "exit_codes": {"139": "pass"}})));
        assert!(!goes_on(json!({"preset": "mocha"}), json!({"preset": "mocha", "exit_codes": {"130": "pass"}})));
        // A run that exceeds its time limit is unresolved by default.
        let late = |verdict: &str, timeout: f64| json!({"on_timeout": verdict, "timeout": timeout});
        assert!(!goes_on(json!({"timeout": 1.0}), late("fail", 1.0)) && !goes_on(json!({"timeout": 1.0}), json!({})));
        assert!(goes_on(late("stop", 1.0), late("fail", 1.0)) && goes_on(late("stop", 1.0), late("stop", 2.0)));
        assert!(goes_on(late("stop", 1.0), json!({})) && !goes_on(late("stop", 1.0), late("fail", 0.5)));
    }

    #[test]
    fn a_time_limit_can_be_added_later() {
        let of = |limits: Value| {
            let mut test = json!({"command": ["a"]});
            test.as_object_mut().unwrap().extend(limits.as_object().unwrap().clone());
            test
        };
        for of_revisions in [true, false] {
            let later = of(json!({"timeout": 2.0, "on_timeout": "fail", "stage_timeout": 9.0}));
            let claim = claimed(&of(json!({})), &Test::Command(later.clone()), of_revisions);
            assert_eq!(claim, Ok(Claim::New(later)));
            let limited = of(json!({"timeout": 1.0, "stage_timeout": 1.0}));
            for other in [json!({"timeout": 2.0, "stage_timeout": 1.0}), json!({"timeout": 1.0, "stage_timeout": 2.0})]
            {
                claimed(&limited, &Test::Command(of(other)), of_revisions).unwrap_err();
            }
        }
    }

    #[test]
    fn a_journal_without_a_command_records_the_first() {
        let ours = json!({"command": ["make"]});
        for theirs in [Value::Null, json!({"preset": "pytest"})] {
            assert_eq!(claimed(&theirs, &Test::Command(ours.clone()), true), Ok(Claim::New(ours.clone())));
            assert_eq!(claimed(&theirs, &Test::Function, true), Ok(Claim::Agreed));
        }
    }
}
