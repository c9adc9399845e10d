//! Two real files, line by line, beside other tools: a C file that has to compile and a document that has to parse.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use firstbad::{ChangeSet, Outcome, ReductionConfig, Text};
use serde_json::{Map, Value};

use super::bench::Bench;
use super::folder::Folder;
use super::play::{AUTO, OURS, Reducer, play};
use crate::figure::{Aim, Figure};

/// Said of a reduction that goes by brackets and indentation, and by what is in lines.
const OUTLINED: &str = ", outline";
/// The same, to single words.
const FINE: &str = ", outline, fine";

/// How often another tool may ask, in calls of ours by outline.
const TIMES: u64 = 10;

/// Exit code of an oracle for a file that it cannot judge.
const UNRESOLVED: i32 = 125;

/// Tools that edit inside lines.
const INSIDE_LINES: [&str; 2] = ["shrinkray", "C-Vise"];

type Write<'a> = dyn Fn(&ChangeSet) -> Vec<u8> + 'a;

/// A reducer, with how many items there are, what it is told of them, what is said of that, and what items are together.
struct Way<'a> {
    reducer: Reducer,
    count: usize,
    config: ReductionConfig,
    how: &'static str,
    write: Box<Write<'a>>,
}

/// One line of the table.
struct Row {
    reducer: String,
    calls: u64,
    lines: u64,
    bytes: u64,
}

/// One table for both files.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    println!(
        "\n### Files\n\nLines are items; different sets asked, the full one not counted. By outline: lines by their brackets and indentation, then what is in them; fine: to single words. What does not compile or parse is \
         unresolved. shrinkray and C-Vise edit inside lines, too. Another tool is stopped where it would ask more than \
         {TIMES} times as often as ours by outline, which is \"over\" that many calls, with the smallest file that it had \
         seen to hold.\n\n| file | reducer | calls | unresolved | lines | bytes | \
         guarantee |\n|---|---|---|---|---|---|---|"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reduction");
    let python = bench.options.python.clone().unwrap_or_else(|| "python3".to_owned());
    let script = |name: &str| folder.join(name).display().to_string();
    let compiles = vec![script("program_oracle.sh")];
    let parses = vec![python.clone(), "-S".to_owned(), "-I".to_owned(), script("document_oracle.py")];
    for (name, oracle) in [("program.c", compiles), ("document.json", parses)] {
        let path = folder.join(name);
        let own = own(bench, name, &path, &oracle)?;
        let Some(auto) = own.iter().find(|row| row.reducer == AUTO.name() + OUTLINED) else { continue };
        let peers = peers(bench, name, &path, &python, &oracle, TIMES * auto.calls)?;
        for other in own.iter().filter(|row| !row.reducer.starts_with("firstbad")).chain(&peers) {
            let mut aim = |measure: &str, ours: u64, theirs: u64| {
                let what = format!("{name}, auto by outline over {}: {measure}", other.reducer);
                bench.target(Figure::aimed(what, ours as f64 / theirs as f64, "", Aim::AtMost(1.0)));
            };
            // One pass of the recursion ends before it is done, and two do not stop at lines.
            if other.reducer != Reducer::Recursion.name() {
                aim("calls", auto.calls, other.calls);
            }
            if !INSIDE_LINES.iter().any(|name| other.reducer.starts_with(name)) {
                aim("bytes left", auto.bytes, other.bytes);
            }
        }
    }
    Ok(())
}

/// Our algorithms, and those as published.
fn own(bench: &mut Bench, name: &str, path: &Path, command: &[String]) -> Result<Vec<Row>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let temporary = Folder::new()?;
    let extension = path.extension().unwrap_or_default();
    let candidate = temporary.path().join("candidate").with_extension(extension);
    let mut known: HashMap<Vec<u8>, Outcome> = HashMap::new();
    let mut rows = Vec::new();
    let flat = ReductionConfig::default();
    let by_lines = |set: &ChangeSet| set.iter().map(|line| lines[line]).collect::<String>().into_bytes();
    let mut ways: Vec<Way> = Vec::new();
    for (fine, how) in [(false, OUTLINED), (true, FINE)] {
        let text = Text::parse(text.as_bytes(), fine).map_err(|error| error.to_string())?;
        let options = firstbad::reduction::options_in_text(&Value::Object(Map::new()), &text);
        let config = options.map_err(|error| error.to_string())?;
        let count = text.len();
        ways.push(Way { reducer: AUTO, count, config, how, write: Box::new(move |set| text.subset(set)) });
    }
    // The quick ones first.
    let published = [Reducer::Recursion, Reducer::Fixpoint, Reducer::Ddmin];
    for reducer in OURS.into_iter().rev().chain(published) {
        let config = flat.clone();
        ways.push(Way { reducer, count: lines.len(), config, how: "", write: Box::new(by_lines) });
    }
    for Way { reducer, count, config, how, write } in ways {
        let mut failure = None;
        // One answer for all reducers: a file is judged once.
        let mut oracle = |set: &ChangeSet| {
            let content = write(set);
            *known.entry(content.clone()).or_insert_with(|| {
                judge(command, &candidate, &content).unwrap_or_else(|error| {
                    failure = Some(error);
                    Outcome::Unresolved
                })
            })
        };
        let played = play(reducer, count, &config, &mut oracle)?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let left = write(&played.kept);
        let holds = known.get(&left) == Some(&Outcome::Pass);
        bench.hold(holds, || format!("{name}, {}: the result was not seen to hold", reducer.name()));
        let (bytes, lines) = (left.len() as u64, left.split_inclusive(|&byte| byte == b'\n').count() as u64);
        let row = Row { reducer: reducer.name() + how, calls: played.asked, lines, bytes };
        println!(
            "| {name} | {} | {} | {} | {} | {bytes} | {} |",
            row.reducer, row.calls, played.unresolved, row.lines, played.guarantee
        );
        rows.push(row);
        bench.progress(format!("{name}, {}", reducer.name()));
    }
    Ok(rows)
}

fn judge(command: &[String], candidate: &Path, content: &[u8]) -> Result<Outcome, String> {
    fs::write(candidate, content).map_err(|error| format!("{}: {error}", candidate.display()))?;
    let (program, arguments) = command.split_first().ok_or("an oracle is needed")?;
    let status = Command::new(program)
        .args(arguments)
        .arg(candidate)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("{program}: {error}"))?;
    match status.code() {
        Some(0) => Ok(Outcome::Pass),
        Some(1) => Ok(Outcome::Fail),
        Some(UNRESOLVED) => Ok(Outcome::Unresolved),
        _ => Err(format!("{program}: {status}")),
    }
}

/// The other tools, where they are installed.
fn peers(
    bench: &mut Bench,
    name: &str,
    path: &Path,
    python: &str,
    command: &[String],
    most_calls: u64,
) -> Result<Vec<Row>, String> {
    let script: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("reduction_peers.py");
    let output = Command::new(python)
        .arg(script)
        .arg(format!("--most-calls={most_calls}"))
        .arg(path)
        .arg("--")
        .args(command)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{python}: {error}"))?;
    let mut rows = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let told: Value = serde_json::from_str(line).map_err(|error| format!("reduction_peers.py: {error}"))?;
        let reducer = told["peer"].as_str().unwrap_or_default().to_owned();
        let number = |key: &str| told[key].as_u64();
        let (Some(calls), Some(lines), Some(bytes)) = (number("calls"), number("lines"), number("bytes")) else {
            println!("| {name} | {reducer} | not installed | | | | |");
            continue;
        };
        let over = if told["stopped"] == true { "over " } else { "" };
        println!("| {name} | {reducer} | {over}{calls} | | {lines} | {bytes} | |");
        rows.push(Row { reducer, calls, lines, bytes });
    }
    bench.progress(format!("{name}, other tools"));
    Ok(rows)
}
