//! A patch in a card, with highlighted changes.

use firstbad::patch::{FilePatch, Hunk, LineKind, Patch};

use crate::draw::{cut, escaped};

/// The largest number of lines.
const LINES: usize = 200;
/// The number of context lines on each side of a line that matters.
const NEAR: usize = 3;
/// The largest number of characters of a line.
const WIDTH: usize = 240;

struct Line {
    class: &'static str,
    text: String,
}

impl Line {
    fn html(&self) -> String {
        format!("<span class=\"{}\">{}</span>", self.class, escaped(&cut(&self.text, WIDTH)))
    }
}

/// Returns the patch. If `kept` is `None`, all changes matter.
pub(super) fn lines(patch: &Patch, kept: Option<&[usize]>) -> String {
    let matters = |change: usize| kept.is_none_or(|kept| kept.binary_search(&change).is_ok());
    let mut lines: Vec<Line> = Vec::new();
    let (mut left_out, mut files_left_out) = (0, 0);
    for file in patch.files() {
        if lines.len() >= LINES {
            break;
        }
        let shown = of_file(file, &matters, &mut lines);
        let left = file.changes().filter(|&change| !matters(change)).count().saturating_sub(shown);
        left_out += left;
        files_left_out += usize::from(left > 0);
    }
    if left_out > 0 {
        let lines_are = if left_out == 1 { "change does" } else { "changes do" };
        let files = if files_left_out == 1 { "file" } else { "files" };
        let text = format!("⋯ {left_out} more {lines_are} not matter, in {files_left_out} {files}");
        lines.push(Line { class: "fb-e", text });
    }
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines.push(Line { class: "fb-e", text: "⋯ and more".to_owned() });
    }
    let spans: Vec<String> = lines.iter().map(Line::html).collect();
    format!("<pre class=\"fb-c\" tabindex=\"0\" aria-label=\"Patch\">{}</pre>\n", spans.concat())
}

/// Adds the lines of a file, and returns the number of changes among them that do not matter.
fn of_file(file: FilePatch<'_>, matters: &dyn Fn(usize) -> bool, lines: &mut Vec<Line>) -> usize {
    if !file.changes().any(matters) {
        return 0;
    }
    lines.push(Line { class: "fb-i", text: format!("  {}", file.name()) });
    let first_line = file.hunks().next().map_or(file.changes().end, |hunk| hunk.changes().start);
    for (kind, change) in file.header().zip(file.changes().start..first_line) {
        let (class, sign) = if matters(change) { ("fb-k", '▸') } else { ("fb-z", ' ') };
        lines.push(Line { class, text: format!("{sign} {}", kind.as_str()) });
    }
    if file.is_binary() {
        lines.push(Line { class: "fb-z", text: "  binary".to_owned() });
    }
    file.hunks().filter(|hunk| hunk.changes().any(matters)).map(|hunk| of_hunk(hunk, matters, lines)).sum()
}

fn of_hunk(hunk: Hunk<'_>, matters: &dyn Fn(usize) -> bool, lines: &mut Vec<Line>) -> usize {
    let ((old, olds), (new, news)) = (hunk.old_span(), hunk.new_span());
    let heading = String::from_utf8_lossy(hunk.heading()).into_owned();
    lines.push(Line { class: "fb-z", text: format!("  @@ -{old},{olds} +{new},{news} @@ {heading}") });
    let all: Vec<_> = hunk.lines().collect();
    let important: Vec<bool> = all.iter().map(|line| line.change.is_some_and(matters)).collect();
    let is_near = |place: usize| {
        let (from, to) = (place.saturating_sub(NEAR), (place + NEAR + 1).min(all.len()));
        important[from..to].contains(&true)
    };
    let (mut shown, mut gap) = (0, false);
    for (place, line) in all.iter().enumerate() {
        if !is_near(place) {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) && place > 0 {
            lines.push(Line { class: "fb-e", text: "  ⋯".to_owned() });
        }
        let sign = match line.kind {
            LineKind::Context => ' ',
            LineKind::Added => '+',
            LineKind::Removed => '-',
        };
        let content = String::from_utf8_lossy(line.content);
        // The sign before the line would shift its tab stops.
        let content = content.trim_end_matches(['\n', '\r']).replace('\t', "    ");
        let (class, mark) = match (important[place], line.kind) {
            (true, LineKind::Added) => ("fb-a", '▸'),
            (true, LineKind::Removed) => ("fb-r", '▸'),
            _ => ("fb-z", ' '),
        };
        shown += usize::from(line.change.is_some() && !important[place]);
        lines.push(Line { class, text: format!("{mark} {sign}{content}") });
    }
    shown
}
