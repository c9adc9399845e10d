//! Failures.

/// A failure as a report has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failure {
    /// The type of the exception, or a generic word such as `failure`.
    pub kind: Option<String>,
    /// The message, or an empty text if only the text is known.
    pub message: String,
    /// The text of the failure with its stack, or the output of the test.
    pub text: String,
    /// The file of the innermost frame, if the report names it.
    pub frame: Option<String>,
}

/// A failure with the parts that a signature needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Described {
    pub(crate) kind: Option<String>,
    pub(crate) message: String,
    pub(crate) frame: Option<String>,
}
