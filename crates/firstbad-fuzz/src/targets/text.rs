//! Texts in pieces.

use firstbad::{ChangeSet, Minimizer, Outcome, ReductionConfig, Search as _, Text};

/// The maximum number of sets to test in a text.
const MOST: usize = 32;

/// Reduces a text while it keeps its first byte. The last byte selects the granularity.
pub(super) fn texts(input: &[u8]) {
    let Some((last, content)) = input.split_last() else { return };
    let Ok(text) = Text::parse(content, last % 2 == 1) else { return };
    assert_eq!(text.subset(&ChangeSet::all(text.len())), content, "all pieces are the text");
    let config = ReductionConfig::default().in_text(&text);
    let Ok(mut search) = Minimizer::new(text.len(), config) else { panic!("a text says nothing that is no option") };
    for _ in 0..MOST {
        let Some(probe) = search.ask(1).ok().and_then(|mut asked| asked.pop()) else { return };
        let part = text.subset(probe.changes().unwrap_or(&ChangeSet::all(0)));
        // An empty block gets an additional word.
        assert!(part.len() <= content.len() + 5 * text.line_count());
        let holds = part.contains(&content[0]);
        let answered = search.tell(probe.id, if holds { Outcome::Pass } else { Outcome::Fail }.into());
        assert!(answered.is_ok(), "{answered:?}");
    }
}
