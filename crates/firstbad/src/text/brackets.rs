//! Which brackets belong together.

use super::tokens::{Kind, Tokens};

/// For each token that is a bracket the one that belongs to it; `None` for all others, and for brackets without one.
pub(super) fn pairs(text: &[u8], tokens: &Tokens) -> Vec<Option<usize>> {
    let mut pairs = vec![None; tokens.all.len()];
    // Open ones of each kind that nothing around them closed: what is between two that belong together was forgotten.
    let mut open: Vec<usize> = Vec::new();
    let mut of_kind = [0usize; 3];
    let kind_of = |token: usize| match text[tokens.all[token].start as usize] {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    };
    for (place, token) in tokens.all.iter().enumerate() {
        let kind = match token.kind {
            Kind::Open => {
                open.push(place);
                of_kind[kind_of(place)] += 1;
                continue;
            }
            Kind::Close => kind_of(place),
            _ => continue,
        };
        // One too many.
        if of_kind[kind] == 0 {
            continue;
        }
        while let Some(last) = open.pop() {
            of_kind[kind_of(last)] -= 1;
            if kind_of(last) == kind {
                (pairs[last], pairs[place]) = (Some(place), Some(last));
                break;
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::super::style::Style;
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn what_has_no_partner_disturbs_no_others() {
        let text = b"( ] [ ( ] )";
        let found = tokens(text, Style::Plain);
        let pairs = pairs(text, &found);
        let paired: Vec<(usize, usize)> =
            pairs.iter().enumerate().filter_map(|(one, other)| Some((one, (*other)?))).filter(|(a, b)| a < b).collect();
        assert_eq!(paired, [(0, 10), (4, 8)]);
    }
}
