//! Names of programs and of the search path.

/// Returns whether a program is named by a path: its name contains a slash or, on Windows, a backslash. Such programs are not
/// searched for in `PATH`.
#[must_use]
pub fn is_path(program: &str) -> bool {
    program.contains(std::path::is_separator)
}

/// Returns whether a variable is the search path for programs. On Windows, case is ignored.
#[must_use]
pub fn is_search_path(variable: &str) -> bool {
    variable == "PATH" || cfg!(windows) && variable.eq_ignore_ascii_case("PATH")
}
