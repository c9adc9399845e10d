//! Escaping of untrusted text.

use firstbad::short;

/// Formats ids and untrusted text for an output.
pub(crate) trait Style {
    /// Formats an id, a command, or a path.
    fn code(&self, text: &str) -> String;

    /// Formats a revision in short.
    fn revision(&self, id: &str) -> String {
        self.code(short(id))
    }

    /// Formats untrusted text on one line.
    fn words(&self, text: &str) -> String;

    /// Formats the address after an author's name. Public outputs omit it.
    fn address(&self, _: &str) -> String {
        String::new()
    }

    /// Formats the URL of a page, which firstbad creates.
    fn link(&self, page: &str) -> String {
        page.to_owned()
    }

    /// Formats a title with the address of its page. Both are from firstbad.
    fn titled_link(&self, title: &str, _page: &str) -> String {
        title.to_owned()
    }

    /// Formats a user or a team to notify.
    fn mention(&self, user: &str) -> String {
        self.words(user)
    }

    /// Formats a sentence of the search, which can have names of revisions.
    fn sentence(&self, text: &str) -> String {
        self.words(text)
    }

    /// Formats the subject of a commit at the end of a headline or in a cell.
    fn title(&self, text: &str) -> String {
        self.words(text)
    }

    /// Formats rows of an id, a subject, and an outcome.
    fn columns(&self, rows: Vec<[String; 3]>) -> Vec<String> {
        rows.into_iter().map(|[id, subject, outcome]| format!("{id} {subject}: {outcome}")).collect()
    }

    /// Formats rows of an id, a subject, and the evidence that the change is needed.
    fn changes(&self, rows: Vec<[String; 3]>) -> Vec<String> {
        let line = |[id, subject, why]: [String; 3]| {
            let why = if why.is_empty() { why } else { format!(": {why}") };
            format!("{id} {subject}{why}")
        };
        rows.into_iter().map(line).collect()
    }

    /// Formats the subject of a commit after its id.
    fn subject(&self, text: &str) -> String {
        self.words(text)
    }
}

/// The maximum width of a column.
const WIDEST: usize = 50;

/// The style of terminals and logs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain;

impl Style for Plain {
    fn code(&self, text: &str) -> String {
        plain(text)
    }

    fn words(&self, text: &str) -> String {
        plain(text)
    }

    fn address(&self, text: &str) -> String {
        if text.is_empty() { String::new() } else { format!(" <{}>", plain(text)) }
    }

    fn subject(&self, text: &str) -> String {
        format!("({})", plain(text))
    }

    /// Omits the evidence, which the other formats have.
    fn changes(&self, rows: Vec<[String; 3]>) -> Vec<String> {
        rows.iter().map(|[id, subject, _]| format!("{id} {subject}")).collect()
    }

    fn columns(&self, rows: Vec<[String; 3]>) -> Vec<String> {
        let width =
            |cell: usize| rows.iter().map(|row| row[cell].chars().count()).max().unwrap_or_default().min(WIDEST);
        let (id, subject) = (width(0), width(1));
        let line = |row: &[String; 3]| match subject {
            0 => format!("{:<id$}  {}", row[0], row[2]),
            _ => format!("{:<id$}  {:<subject$}  {}", row[0], row[1], row[2]),
        };
        rows.iter().map(line).collect()
    }
}

/// The style of Markdown. Untrusted text is in code spans, which prevent markup, HTML, mentions, and links.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Markdown {
    /// Whether the text is in a table, where a bar ends the cell.
    pub(crate) table: bool,
}

impl Style for Markdown {
    fn code(&self, text: &str) -> String {
        let text = plain(text);
        if text.trim().is_empty() {
            return String::new();
        }
        let text = if self.table { text.replace('|', "\\|") } else { text };
        let fence = "`".repeat(longest_run(&text, '`') + 1);
        let room = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
        format!("{fence}{room}{text}{room}{fence}")
    }

    fn words(&self, text: &str) -> String {
        self.code(text)
    }

    fn titled_link(&self, title: &str, page: &str) -> String {
        format!("[{title}]({page})")
    }

    fn mention(&self, user: &str) -> String {
        format!("@{user}")
    }

    /// Formats the sentence without a code span if it has no markup.
    fn sentence(&self, text: &str) -> String {
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || " ,;:()%.'-".contains(sign);
        let lower = text.to_ascii_lowercase();
        let is_link = ["www.", "gh-"].iter().any(|link| lower.contains(link));
        if text.chars().all(is_plain) && !is_link { text.to_owned() } else { self.code(text) }
    }
}

/// Returns the length of the longest run of a character.
pub(crate) fn longest_run(text: &str, what: char) -> usize {
    text.split(|c| c != what).map(str::len).max().unwrap_or_default()
}

/// Returns a text on one line without control characters, bidirectional characters, and commands of CI services.
pub fn plain(text: &str) -> String {
    let harmless = |c: char| match c {
        '\t' | '\n' | '\r' => ' ',
        // Line and paragraph separators.
        '\u{2028}' | '\u{2029}' => ' ',
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    let text: String = text.chars().map(harmless).collect();
    // Runners of GitHub Actions still accept this old form of commands anywhere in a line.
    text.replace("##[", "## [")
}

/// Returns the escaped lines of a patch, each with its sign.
pub(crate) fn patch_lines(patch: &str) -> impl Iterator<Item = String> + '_ {
    patch.lines().map(|line| {
        let kept: String = line.chars().map(|c| if c == '\t' { '\u{e000}' } else { c }).collect();
        plain(&kept).replace('\u{e000}', "\t")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_a_terminal() {
        assert_eq!(plain("a\u{1b}[31mb\r\nc\u{202e}d\u{7}"), "a\u{fffd}[31mb  c\u{fffd}d\u{fffd}");
        assert_eq!(plain("x ##[error]y"), "x ## [error]y");
    }

    #[test]
    fn nothing_leaves_its_code_span() {
        let inside = |text: &str| Markdown { table: false }.words(text);
        assert_eq!(inside("a `b` c"), "``a `b` c``");
        assert_eq!(inside("``"), "``` `` ```");
        assert_eq!(inside("@all <b> [x](y) #1"), "`@all <b> [x](y) #1`");
        assert_eq!(inside(" "), "");
        assert_eq!(Markdown { table: true }.words("a | b"), "`a \\| b`");
    }
}
