//! Numbers in JSON.

use std::io;
use std::path::Path;

use firstbad::Error;
use firstbad_platform::{files, trees};
use serde_json::Value;
use serde_json_path::JsonPath;

use super::text::short;
use super::values::{Found, MOST_VALUES, is_below};

/// The largest JSON file.
const MOST_BYTES: u64 = 64 << 20;

/// The longest path, in bytes, and the most filters in it. The time to parse filters inside filters doubles with each.
const LONGEST: usize = 1000;
const MOST_FILTERS: usize = 8;
/// The most brackets and parentheses in a path, which can be inside each other.
const MOST_BRACKETS: usize = 100;

/// A path in JSON.
#[derive(Debug, Clone)]
pub(super) struct JsonReader {
    /// The file below the worktree, or `None` for standard output.
    pub(super) file: Option<String>,
    path: JsonPath,
}

impl JsonReader {
    /// # Errors
    /// [`Error::InvalidArgument`] for `metric` if the file is outside the worktree or the path is invalid.
    pub(super) fn parse(kind: &str, text: &str) -> Result<JsonReader, Error> {
        let wrong = |expected: &str| Err(Error::invalid("metric", kind, expected));
        let (file, path) = match text.split_once('#') {
            Some((file, path)) if !text.starts_with('$') => (Some(file), path),
            _ => (None, text),
        };
        if file.is_some_and(|file| !is_below(file)) {
            return wrong("a file below the worktree before #, for example json:out/result.json#$.mean");
        }
        if !path.starts_with('$') {
            return wrong("a JSON path that starts with $, for example json:$.results[0].mean");
        }
        let count = |of: &[char]| path.matches(of).count();
        if path.len() > LONGEST || count(&['?']) > MOST_FILTERS || count(&['(', '[']) > MOST_BRACKETS {
            let expected = format!("a JSON path of at most {LONGEST} bytes and {MOST_FILTERS} filters");
            return wrong(&expected);
        }
        match JsonPath::parse(path) {
            Ok(path) => Ok(JsonReader { file: file.map(str::to_owned), path }),
            Err(error) => wrong(&format!("a JSON path as in RFC 9535 ({error})")),
        }
    }

    /// Removes the file of an earlier run, so that its numbers are not read again.
    pub(super) fn clear(&self, tree: &Path) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        trees::Folder::open(tree)?.remove_file(Path::new(file))
    }

    /// Returns the numbers at the path.
    pub(super) fn read(&self, stdout: &[u8], tree: &Path) -> Found {
        let value = match &self.file {
            Some(file) => {
                let bytes = files::open_regular(&tree.join(file)).and_then(|file| files::read_file(file, MOST_BYTES));
                let bytes = bytes.map_err(|error| match error.kind() {
                    io::ErrorKind::NotFound => format!("{file} was not written"),
                    io::ErrorKind::FileTooLarge => format!("{file} is larger than {MOST_BYTES} bytes"),
                    _ => format!("{file} cannot be read: {error}"),
                })?;
                serde_json::from_slice(&bytes).map_err(|error| format!("{file} is not JSON: {error}"))?
            }
            None => of_output(stdout)?,
        };
        self.numbers(&value)
    }

    fn numbers(&self, value: &Value) -> Found {
        let mut values = Vec::new();
        for node in self.path.query(value).iter() {
            if values.len() >= MOST_VALUES {
                return Err(format!("it selects more than {MOST_VALUES} values"));
            }
            let number = node.as_f64().filter(|number| number.is_finite());
            values.push(number.ok_or_else(|| format!("it selects {}, which is not a number", described(node)))?);
        }
        if values.is_empty() { Err("it selects nothing".to_owned()) } else { Ok(values) }
    }
}

/// Reads standard output: the whole of it is JSON, or its last line.
fn of_output(stdout: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(stdout).or_else(|error| {
        let text = stdout.trim_ascii_end();
        let last = text.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        serde_json::from_slice(last).map_err(|_| match text.is_empty() {
            true => "standard output is empty".to_owned(),
            false => format!("standard output is not JSON: {error}"),
        })
    })
}

fn described(node: &Value) -> String {
    match node {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => short(text),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(text: &str) -> JsonReader {
        JsonReader::parse(text, text).unwrap()
    }

    fn read(path: &str, stdout: &str) -> Found {
        reader(path).read(stdout.as_bytes(), Path::new("/nonexistent"))
    }

    #[test]
    fn a_path_selects_numbers_of_the_output() {
        assert_eq!(read("$.a[*].t", r#"{"a": [{"t": 1}, {"t": 2.5}, {"u": 3}]}"#), Ok(vec![1.0, 2.5]));
        assert_eq!(read("$.t", "warming up\n{\"t\": 1}\n{\"t\": 2}\n"), Ok(vec![2.0]), "the last line");
        assert_eq!(read("$[?match(@.n, 'p.*')].t", r#"[{"n": "parse", "t": 4}]"#), Ok(vec![4.0]));
        assert_eq!(read("$['a#b']", r#"{"a#b": 5}"#), Ok(vec![5.0]));
    }

    #[test]
    fn hostile_output_has_no_number() {
        for (path, stdout, why) in [
            ("$.t", "", "standard output is empty"),
            ("$.t", "no", "standard output is not JSON"),
            ("$.t", r#"{"t": "1"}"#, "it selects \"1\", which is not a number"),
            ("$.t", r#"{"t": null}"#, "it selects null, which is not a number"),
            ("$.t", r#"{"t": {}}"#, "it selects an object"),
            ("$.t", r#"{"u": 1}"#, "it selects nothing"),
            ("$.t", r#"{"t": 1e999}"#, "standard output is not JSON: number out of range"),
        ] {
            let error = read(path, stdout).unwrap_err();
            assert!(error.starts_with(why), "{stdout}: {error}");
        }
        assert!(read("$..t", &"[".repeat(1_000_000)).is_err(), "the depth is limited");
        let many = format!("[{}0]", "0,".repeat(MOST_VALUES));
        assert_eq!(read("$[*]", &many), Err(format!("it selects more than {MOST_VALUES} values")));
    }

    #[test]
    fn hostile_paths_are_refused() {
        for path in [
            format!("$.{}", "a".repeat(LONGEST)),
            format!("$[?{}", "count(@[?".repeat(9)),
            format!("$[?{}@.a{}]", "(".repeat(101), ")".repeat(101)),
        ] {
            assert!(JsonReader::parse("json", &path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_file_must_be_new_and_small() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        let reader = reader("r.json#$.t");
        assert_eq!(reader.read(b"{\"t\": 9}", folder.path()), Err("r.json was not written".to_owned()));
        std::fs::write(&path, r#"{"t": 7}"#).unwrap();
        assert_eq!(reader.read(b"", folder.path()), Ok(vec![7.0]));
        reader.clear(folder.path()).unwrap();
        reader.clear(folder.path()).unwrap();
        assert!(!path.exists());
        std::fs::File::create(&path).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert!(reader.read(b"", folder.path()).unwrap_err().contains("larger than"));
    }
}
