//! The tree that the lines of a text form by their indentation: programs, JSON, YAML, any markup that is laid out well.

use std::collections::BTreeMap;

use super::config::Need;

/// The tree of a text's lines, for [`ReductionConfig::parents`](super::ReductionConfig::parents) and
/// [`ReductionConfig::dependencies`](super::ReductionConfig::dependencies).
///
/// A line stands below the last one before it that is indented less. One that begins with a bracket (`}`, `]`, `)`, or a
/// `{` by itself) belongs to the line that it is level with: neither goes without the other. An empty line is level with
/// the next one that is not.
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
        if let (Some((head, _)), true) = (level, continues(line)) {
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

/// Whether a line goes on with the one that it is level with.
fn continues(line: &str) -> bool {
    let line = line.trim();
    line.starts_with(['}', ']', ')']) || line == "{"
}
