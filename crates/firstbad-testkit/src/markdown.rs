//! Markdown of tests.

use crate::Failure;

/// Returns Markdown without its code spans, by the rules of CommonMark: a run of backticks ends with one as long.
///
/// # Errors
/// [`Failure`] if a code span is open at the end of a line.
pub fn outside_code(markdown: &str) -> Result<String, Failure> {
    let mut outside = String::new();
    for line in markdown.lines() {
        let mut rest = line;
        while let Some(start) = rest.find('`') {
            let run = rest[start..].chars().take_while(|&c| c == '`').count();
            outside.push_str(&rest[..start]);
            let inside = &rest[start + run..];
            let ends = inside.match_indices('`').map(|(at, _)| at).filter(|&at| !inside[..at].ends_with('`'));
            let end = ends.into_iter().find(|&at| inside[at..].chars().take_while(|&c| c == '`').count() == run);
            let Some(end) = end else { return Err(Failure::new("an open code span", line)) };
            rest = &inside[end + run..];
        }
        outside.push_str(rest);
        outside.push('\n');
    }
    Ok(outside)
}
