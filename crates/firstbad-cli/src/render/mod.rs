//! An answer in words: for a terminal, as Markdown, as annotations, or as JSON.
//!
//! What commits, branches and tests say (subjects, authors, names, notes) was written by anybody. It goes through a
//! [`Style`], which takes away whatever could mean something to the reader of the output: terminals, Markdown and HTML,
//! and the commands that CI services read from logs.

mod annotations;
mod fit;
mod json;
mod markdown;
mod next;
mod ranking;
mod story;
mod style;
#[cfg(test)]
mod tests;
mod text;

use firstbad::Error;

pub(crate) use fit::fit;
pub(crate) use ranking::ranking;
pub(crate) use style::plain;

use crate::args::OutputArgs;
use crate::streams;
use crate::summary::Summary;

/// Prints an answer to standard output, as the command line says.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn print(summary: &Summary, output: &OutputArgs) -> Result<(), Error> {
    streams::print(&render(summary, output)?)
}

/// The answer as text in the form that was asked for.
///
/// # Errors
/// None that are known: an answer always has a JSON form.
pub(crate) fn render(summary: &Summary, output: &OutputArgs) -> Result<String, Error> {
    Ok(match output {
        OutputArgs { json: true, .. } => json::render(summary)?,
        OutputArgs { markdown: true, .. } => markdown::render(summary),
        OutputArgs { github_annotations: true, .. } => annotations::render(summary),
        _ => text::render(summary),
    })
}
