//! The matrix of tests by revisions.

use firstbad::{TestVerdict, TriageReport};

use super::columns::{Cell, Columns};
use super::letters::name;
use crate::card::element::{opened, text};
use crate::card::figures::count;
use crate::draw::{cut, escaped};
use crate::triage::told::{Group, TriageWriter};

/// The number of rows, and of rows of one culprit or verdict.
const ROWS: usize = 90;
const OF_GROUP: usize = 8;
/// The number of characters of an id, whose end tells tests apart.
const ID: usize = 46;
/// The number of ids in a tooltip.
const TOLD: usize = 8;

/// The rows of a culprit or of a verdict.
struct Block<'a> {
    head: String,
    tests: Vec<&'a TestVerdict>,
    /// The place of the culprit.
    culprit: Option<usize>,
}

/// Returns the matrix; empty if no test was run.
pub(super) fn matrix<'a>(report: &'a TriageReport, writer: &TriageWriter<'a>, groups: &[Group<'a>]) -> String {
    let columns = Columns::new(report);
    let blocks = blocks(report, writer, groups);
    if columns.count() == 0 || blocks.is_empty() {
        return String::new();
    }
    let heads: String = (0..columns.count()).map(|column| columns.head(column)).collect();
    let each = (ROWS / blocks.len()).clamp(1, OF_GROUP);
    let rows: Vec<String> = blocks.iter().take(ROWS).map(|block| of_block(block, &columns, each)).collect();
    let omitted = match blocks.len().saturating_sub(ROWS) {
        0 => String::new(),
        more => format!("<p class=\"fb-m\">and {}</p>", count(more as u64, "more culprit")),
    };
    let tests: usize = blocks.iter().map(|block| block.tests.len()).sum();
    let table = format!(
        "<div class=\"fb-x\" role=\"region\" aria-label=\"Tests by revisions\" tabindex=\"0\"><table class=\"fb-mx\" style=\"--n:{};--w:{}px\">\
         <thead><tr><th></th>{heads}</tr></thead><tbody>{}</tbody></table></div>{omitted}\n{LEGEND}",
        columns.count(),
        width(&rows),
        rows.concat()
    );
    let revisions = count(report.revisions.len() as u64, "revision");
    opened(&format!("{} at {revisions}, oldest first", count(tests as u64, "test")), &table)
}

/// What the signs mean.
const LEGEND: &str = "<p class=\"fb-l\"><span><i class=\"fb-p\">●</i> passes</span> <span><i class=\"fb-f\">■</i> fails</span> \
    <span><i class=\"fb-u\">◆</i> no result</span> <span>numbers: several runs</span> <span>⋯ revisions, folded</span></p>\n";

/// Returns the tests that were run, by culprit and by verdict.
fn blocks<'a>(report: &'a TriageReport, writer: &TriageWriter<'a>, groups: &[Group<'a>]) -> Vec<Block<'a>> {
    let of_culprits = report.culprits.iter().enumerate().map(|(place, culprit)| Block {
        head: format!("<i class=\"fb-f\">■</i> <b>{}</b> {}", name(place), writer.titled(&culprit.commit)),
        tests: writer.tests_of(culprit).collect(),
        culprit: Some(place),
    });
    // A new or intermittent test is in the rows of its culprit.
    let others = groups.iter().map(|group| Block {
        head: group.label.to_owned(),
        tests: group.tests.iter().copied().filter(|test| test.culprit.is_none()).collect(),
        culprit: None,
    });
    let mut blocks: Vec<Block<'a>> = of_culprits.chain(others).collect();
    blocks.iter_mut().for_each(|block| block.tests.retain(|test| !test.observations.is_empty()));
    blocks.retain(|block| !block.tests.is_empty());
    blocks
}

/// The width of a column where the matrix is narrow, which depends on the longest number in it.
fn width(rows: &[String]) -> u32 {
    let is_digit = |sign: char| sign.is_ascii_digit();
    let cells = rows.iter().flat_map(|rows| rows.split("</i>").skip(1));
    let digits = cells.map(|cell| cell.chars().take_while(|&sign| is_digit(sign) || sign == 'k').count());
    match digits.max().unwrap_or_default() {
        0 | 1 => 25,
        2 => 31,
        _ => 38,
    }
}

/// Returns the rows of a culprit or a verdict. Tests with equal results share a row.
fn of_block(block: &Block<'_>, columns: &Columns<'_>, most: usize) -> String {
    let mut rows: Vec<(Vec<Cell>, Vec<&str>)> = Vec::new();
    let mut rest: (Vec<Cell>, Vec<&str>) = (vec![[0; 3]; columns.count()], Vec::new());
    for test in &block.tests {
        let cells = columns.cells(test);
        if let Some((_, ids)) = rows.iter_mut().find(|(known, _)| *known == cells) {
            ids.push(&test.id);
        } else if rows.len() < most {
            rows.push((cells, vec![&test.id]));
        } else {
            rest.1.push(&test.id);
            rest.0
                .iter_mut()
                .zip(cells)
                .for_each(|(sum, cell)| sum.iter_mut().zip(cell).for_each(|(sum, runs)| *sum += runs));
        }
    }
    let head =
        format!("<tr class=\"fb-gr\"><th colspan=\"{}\"><span>{}</span></th></tr>", columns.count() + 1, block.head);
    let rows: String = rows.iter().map(|(cells, ids)| row(&named(ids), ids, cells, block, columns)).collect();
    let rest = match rest.1.len() {
        0 => String::new(),
        more => row(&format!("{}, summed", count(more as u64, "other test")), &rest.1, &rest.0, block, columns),
    };
    head + &rows + &rest
}

/// The end of the first id, and how many tests follow.
fn named(ids: &[&str]) -> String {
    let [first, rest @ ..] = ids else { return String::new() };
    let letters = first.chars().count();
    let shown: String = if letters > ID {
        ['…'].into_iter().chain(first.chars().skip(letters + 1 - ID)).collect()
    } else {
        (*first).to_owned()
    };
    let more = if rest.is_empty() { String::new() } else { format!(" <b>+{}</b>", rest.len()) };
    format!("<code>{}</code>{more}", text(&shown))
}

fn row(named: &str, ids: &[&str], cells: &[Cell], block: &Block<'_>, columns: &Columns<'_>) -> String {
    let mut title = ids.iter().take(TOLD).copied().collect::<Vec<_>>().join(", ");
    if ids.len() > TOLD {
        title += &format!(" and {} more", ids.len() - TOLD);
    }
    let cells: String = cells
        .iter()
        .enumerate()
        .map(|(column, cell)| {
            let is_culprit = block.culprit.is_some() && columns.culprit(column) == block.culprit;
            format!("<td{}>{}</td>", if is_culprit { " class=\"fb-k\"" } else { "" }, runs(cell))
        })
        .collect();
    format!("<tr><th title=\"{}\">{named}</th>{cells}</tr>", escaped(&cut(&title, 1000)))
}

/// The runs of a cell, with a sign for each outcome.
fn runs([passes, fails, unresolved]: &Cell) -> String {
    let sign = |runs: u64, class: &str, sign: &str| match runs {
        0 => None,
        1 => Some(format!("<i class=\"{class}\">{sign}</i>")),
        2..1000 => Some(format!("<i class=\"{class}\">{sign}</i>{runs}")),
        _ => Some(format!("<i class=\"{class}\">{sign}</i>{}k", runs / 1000)),
    };
    let of_unresolved = if passes + fails == 0 { *unresolved } else { 0 };
    let signs = [sign(*fails, "fb-f", "■"), sign(*passes, "fb-p", "●"), sign(of_unresolved, "fb-u", "◆")];
    signs.into_iter().flatten().collect::<Vec<_>>().join("<br>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_a_sign_for_each_outcome() {
        assert_eq!(runs(&[0, 0, 0]), "");
        assert_eq!(runs(&[1, 0, 3]), "<i class=\"fb-p\">●</i>");
        assert_eq!(runs(&[12, 1, 0]), "<i class=\"fb-f\">■</i><br><i class=\"fb-p\">●</i>12");
        assert_eq!(runs(&[0, 0, 2]), "<i class=\"fb-u\">◆</i>2");
    }

    #[test]
    fn an_id_keeps_its_end() {
        let long = format!("{}::test_a[1]", "x".repeat(80));
        assert!(named(&[&long, "b", "c"]).ends_with("::test_a[1]</code> <b>+2</b>"));
        assert_eq!(named(&["<a>"]), "<code>&lt;a&gt;</code>");
    }
}
