//! Reports of coverage tools.

use firstbad_coverage::{CoverageOptions, Reports};

const SOURCE: &[u8] = b"function a(x) {\n  return x ? 1 : 2;\n}\na();\n";

pub(super) fn take(input: &[u8]) {
    let mut reports = Reports::new("/shop", &CoverageOptions::default()).expect("it has no root");
    if reports.add("report", input).is_err() {
        return;
    }
    let Ok(lines) = reports.lines(&mut |_| Ok(Some(SOURCE.to_vec()))) else { return };
    for (file, lines) in &lines {
        assert!(!file.is_empty() && !file.starts_with('/') && !file.split('/').any(|part| part == ".."), "{file:?}");
        assert!(lines.windows(2).all(|two| two[0] < two[1]) && !lines.contains(&0), "{lines:?}");
    }
}
