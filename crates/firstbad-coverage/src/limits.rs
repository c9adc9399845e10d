/// The largest report in bytes. Real reports are far smaller. Parsing needs several times as much memory.
pub(crate) const LARGEST_REPORT: usize = 128 << 20;

/// The largest line number. No file within the size limit has more lines.
pub(crate) const LAST_LINE: u32 = LARGEST_REPORT as u32;
