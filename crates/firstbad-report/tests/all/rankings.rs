//! Rankings as text and as Markdown.

use firstbad::suspicion::{BuildGraphBuilder, Changelist, RankOptions, rank};
use firstbad_report::ranking_markdown;

#[test]
fn names_cannot_break_a_table() {
    let mut builder = BuildGraphBuilder::new();
    builder.target("test").file("a|b`<script>");
    let graph = builder.build().unwrap();
    let ranking =
        rank(&graph, &[Changelist::new("c`|\n1", ["a|b`<script>"])], &["test"], &RankOptions::default()).unwrap();
    let text = ranking_markdown(&ranking, 5);
    assert_eq!(text.lines().count(), 5, "{text}");
    assert!(
        text.lines()
            .last()
            .unwrap()
            .starts_with("| 1 | `` c`\\| 1 `` | 0.98 | 1 | 0.98: `` a\\|b`<script> `` by `test` |"),
        "{text}"
    );
}
