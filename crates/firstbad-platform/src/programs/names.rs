//! Names of programs, and of what they are searched for in.

/// Whether a program is named by a path, and is not to be searched for in `PATH`: it has a slash, on Windows also a backslash.
#[must_use]
pub fn is_path(program: &str) -> bool {
    program.contains(std::path::is_separator)
}

/// Whether a variable of this name is what programs are searched for in: on Windows names are the same in capitals.
#[must_use]
pub fn is_search_path(variable: &str) -> bool {
    variable == "PATH" || cfg!(windows) && variable.eq_ignore_ascii_case("PATH")
}
