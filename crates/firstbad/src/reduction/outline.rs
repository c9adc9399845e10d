//! The tree that the lines of a text form by their indentation: programs, JSON, YAML, any markup that is laid out well.

use std::collections::BTreeMap;

use super::config::Need;

/// The tree of a text's lines, for [`ReductionConfig::parents`](super::ReductionConfig::parents) and
/// [`ReductionConfig::dependencies`](super::ReductionConfig::dependencies).
///
/// A line stands below the last one before it that is indented less. One that begins with a closing bracket (`}`, `]`, `)`)
/// belongs to the line that it is level with: neither goes without the other. So does a `{` by itself, unless what is before it
/// has ended, by a closing bracket, a comma or a semicolon: objects of a list are one beside the other. An empty line is level
/// with the next one that is not.
///
/// ```
/// use firstbad::reduction::outline;
/// let (parents, dependencies) = outline(["if a {", "  b", "}", "c"]);
/// assert_eq!(parents, [None, Some(0), Some(0), None]);
/// assert_eq!(dependencies.into_keys().collect::<Vec<_>>(), [0]);
/// ```
pub fn outline<'a>(lines: impl IntoIterator<Item = &'a str>) -> (Vec<Option<usize>>, BTreeMap<usize, Vec<Need>>) {
    let lines: Vec<&str> = lines.into_iter().collect();
    let mut parents = vec![None; lines.len()];
    let mut dependencies: BTreeMap<usize, Vec<Need>> = BTreeMap::new();
    // Lines that later ones may stand below, outermost first, with their indentation.
    let mut open: Vec<(usize, usize)> = Vec::new();
    // The last line of each that belongs to it.
    let mut last: Vec<usize> = (0..lines.len()).collect();
    let mut next = 0;
    for (place, line) in lines.iter().enumerate() {
        next = next.max(place);
        while lines.get(next).is_some_and(|line| line.trim().is_empty()) {
            next += 1;
        }
        let indent = lines.get(next).map_or(0, |line| indentation(line));
        while open.last().is_some_and(|&(_, above)| above > indent) {
            open.pop();
        }
        let level = open.last().copied().filter(|&(_, above)| above == indent);
        if let Some((head, _)) = level.filter(|&(head, _)| continues(line, lines[last[head]])) {
            last[head] = place;
            parents[place] = Some(head);
            dependencies.entry(head).or_default().push(Need::Item(place));
            continue;
        }
        if level.is_some() {
            open.pop();
        }
        parents[place] = open.last().map(|&(above, _)| above);
        if !line.trim().is_empty() {
            open.push((place, indent));
        }
    }
    (parents, dependencies)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

const CLOSING: [char; 3] = ['}', ']', ')'];

/// Whether a line goes on with the one that it is level with, of which `before` is the last line so far.
fn continues(line: &str, before: &str) -> bool {
    let (line, before) = (line.trim(), before.trim());
    let has_ended = before == "{" || before.starts_with(CLOSING) || before.ends_with([',', ';']);
    line.starts_with(CLOSING) || (line == "{" && !has_ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_a_list_are_one_beside_the_other() {
        let (parents, dependencies) = outline(["[", "  {", "    \"a\": 1", "  },", "  {", "    \"b\": 1", "  }", "]"]);
        assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(0), Some(4), Some(4), Some(0)]);
        let needs = |head: usize| dependencies.get(&head).map(Vec::len);
        assert_eq!([needs(0), needs(1), needs(4)], [Some(1), Some(1), Some(1)]);
    }

    #[test]
    fn a_brace_by_itself_opens_what_is_before_it() {
        let (parents, _) = outline([
            "int f(",
            "    int a)",
            "{",
            "    a();",
            "    {",
            "        b();",
            "    }",
            "}",
            "int g()",
            "{",
            "}",
        ]);
        assert_eq!(
            parents,
            [None, Some(0), Some(0), Some(0), Some(0), Some(4), Some(4), Some(0), None, Some(8), Some(8)]
        );
    }
}
