use super::classes::FileClass;

/// Options whose value selects tests, in pytest, jest, vitest, mocha, node, go, ctest, and GoogleTest.
const FILTERS: &[&str] = &[
    "-k",
    "-t",
    "-g",
    "-R",
    "-run",
    "--run",
    "--grep",
    "--fgrep",
    "--filter",
    "--test-name-pattern",
    "--testNamePattern",
    "--tests-regex",
    "--gtest_filter",
    "--test",
];

/// Makefile variables that select tests.
const VARIABLES: &[&str] = &["TEST", "TESTS", "TESTCASE"];

/// The words between `cargo` and the name of a test.
const SUBCOMMANDS: &[&str] = &["test", "t", "nextest", "run"];

/// The maximum number of arguments that are examined.
const MOST: usize = 1000;

/// Returns the tests that a command runs, for [`rank_commits`](super::rank_commits). The tests are the files, ids, and filters
/// among the arguments. The list is empty if there are none.
///
/// ```
/// use firstbad::suspicion::tests_of_command;
///
/// let tests = |words: &[&str]| tests_of_command(&words.iter().map(|word| word.to_string()).collect::<Vec<_>>());
/// assert_eq!(tests(&["pytest", "-x", "tests/test_a.py::test_b"]), ["tests/test_a.py::test_b"]);
/// assert_eq!(tests(&["npx", "jest", "a.test.ts", "-t", "rounds totals"]), ["a.test.ts rounds totals"]);
/// assert_eq!(tests(&["cargo", "test", "cart::rounds"]), ["cart::rounds"]);
/// assert_eq!(tests(&["go", "test", "./cart", "-run", "TestTotal"]), ["./cart TestTotal"]);
/// assert_eq!(tests(&["make", "check", "TESTS=t/cart.sh"]), ["t/cart.sh"]);
/// assert!(tests(&["make", "test"]).is_empty());
/// ```
#[must_use]
pub fn tests_of_command(command: &[String]) -> Vec<String> {
    let is_script = |word: &&String| word.contains(char::is_whitespace);
    // In `sh -c "pytest tests/test_a.py"`, the words of the script count.
    let shells = ["sh", "bash", "dash", "zsh"];
    let program = command.first().map_or("", |program| program.rsplit('/').next().unwrap_or(program));
    let words: Vec<&str> = match command.iter().find(is_script).filter(|_| shells.contains(&program)) {
        Some(script) => script.split(|at: char| at.is_whitespace() || "\"';&|()".contains(at)).collect(),
        None => command.iter().map(String::as_str).collect(),
    };
    let (mut names, mut filters) = (Vec::new(), Vec::new());
    let mut words = words.into_iter().filter(|word| !word.is_empty()).take(MOST).skip(1).peekable();
    let (is_cargo, is_go) = (program == "cargo", program == "go");
    let mut has_subcommand = false;
    while let Some(word) = words.next() {
        let (option, value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
        if FILTERS.contains(&option) {
            filters.extend(value.or_else(|| words.next()));
        } else if let Some(value) = value.filter(|_| VARIABLES.contains(&option)) {
            names.extend(value.split_whitespace());
        } else if word.starts_with('-') || (is_cargo && SUBCOMMANDS.contains(&word)) {
            has_subcommand |= SUBCOMMANDS.contains(&word);
        } else if word.contains("::") || FileClass::of(word.split("::").next().unwrap_or(word)) == FileClass::Test {
            // The argument of `make test` does not name a test.
            if word != "test" && word != "tests" {
                names.push(word);
            }
        } else if (is_cargo && has_subcommand) || (is_go && word.starts_with("./") && word != "./...") {
            names.push(word);
        }
    }
    let filter = filters.join(" ");
    match (names.is_empty(), filter.is_empty()) {
        (true, true) => Vec::new(),
        (true, false) => vec![filter],
        (false, _) => names.into_iter().map(|name| format!("{name} {filter}").trim_end().to_owned()).collect(),
    }
}
