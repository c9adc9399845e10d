//! Properties of every card.

/// Panics unless tags balance, text is escaped, and nothing links to other files.
pub(crate) fn check(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>') || open.last() == Some(&"style"), "a stray >: {}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        let known = [
            "section", "style", "p", "b", "i", "code", "dl", "div", "dt", "dd", "table", "thead", "tbody", "tr", "th",
            "td", "span", "svg", "title", "path", "g", "rect", "circle", "text", "details", "summary", "pre", "ol",
            "ul", "li", "br",
        ];
        assert!(known.contains(&name), "<{tag}>");
        // Text in quotes is the value of an attribute.
        let names: String = tag.to_lowercase().split('"').step_by(2).collect();
        for word in ["script", "href", "src=", "onclick", "onload", "id=", "url("] {
            assert!(!names.contains(&format!(" {word}")), "<{tag}>");
        }
        assert!(tag.matches('"').count().is_multiple_of(2), "<{tag}>");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> in {}", &html[..html.len().min(200)]);
        } else if !tag.ends_with('/') && name != "br" {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
    for sign in html.chars() {
        assert!(sign == '\n' || !sign.is_control(), "{sign:?}");
        assert!(!('\u{202a}'..='\u{202e}').contains(&sign) && !('\u{2066}'..='\u{2069}').contains(&sign), "{sign:?}");
    }
    assert!(html.len() < 400_000, "{} bytes", html.len());
}

/// Checks a page, which contains one card.
pub(crate) fn check_page(page: &str) {
    let (start, end) = (page.find("<section").unwrap(), page.rfind("</section>").unwrap() + "</section>".len());
    check(&page[start..end]);
}
