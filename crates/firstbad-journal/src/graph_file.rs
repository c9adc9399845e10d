//! Stores a commit graph that is not in a repository, in a compressed file next to the journal.

use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use firstbad::{CommitGraph, Error, GraphBuilder};
use firstbad_platform::files;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::disk::{Disk, failed, sync_name, write_whole};
use crate::limits;

/// A line of the file: the id, the ids of the parents, and the time.
type Line<'a> = (std::borrow::Cow<'a, str>, Vec<std::borrow::Cow<'a, str>>, Option<i64>);

/// Writes a graph and replaces an earlier file atomically.
///
/// # Errors
/// [`Error::Journal`].
pub(crate) fn write(disk: &dyn Disk, path: &Path, graph: &CommitGraph) -> Result<(), Error> {
    let mut room = Room::default();
    let written = write_whole(disk, path, |file| {
        let mut packed = GzEncoder::new(BufWriter::new(file), Compression::default());
        let mut text = Vec::new();
        for node in 0..graph.len() as u32 {
            let parents = graph.parents(node).iter().map(|&parent| graph.id(parent).into()).collect();
            let line: Line<'_> = (graph.id(node).into(), parents, graph.has_times().then(|| graph.time(node)));
            text.clear();
            serde_json::to_writer(&mut text, &line)?;
            text.push(b'\n');
            room.take(text.len()).map_err(std::io::Error::other)?;
            packed.write_all(&text)?;
        }
        packed.finish()?.flush()
    });
    let written = written.and_then(|_| sync_name(disk, path));
    written.map_err(|error| failed(path, "writing the graph", &error))
}

/// Reads a graph with this number of revisions.
///
/// # Errors
/// [`Error::Journal`], and those of [`GraphBuilder::build`].
pub(crate) fn read(path: &Path, revisions: usize) -> Result<CommitGraph, Error> {
    let failed = |error: &std::io::Error| failed(path, "reading the graph", error);
    let refused = |message: String| Error::Journal { path: path.display().to_string(), message };
    let file = files::open_regular(path).map_err(|error| failed(&error))?;
    let mut unpacked = BufReader::new(GzDecoder::new(BufReader::new(file)));
    let (mut builder, mut room, mut text) = (GraphBuilder::new(), Room::default(), Vec::new());
    loop {
        text.clear();
        // One byte more than the limit detects a line that is too long without reading all of it.
        let line = unpacked.by_ref().take(limits::REVISION as u64 + 1).read_until(b'\n', &mut text);
        if line.map_err(|error| failed(&error))? == 0 {
            break;
        }
        room.take(text.len()).map_err(|words| refused(format!("the graph: {words}")))?;
        if room.lines > revisions {
            return Err(refused(format!("the graph has more than the {revisions} revisions that the journal says")));
        }
        let (id, parents, time): Line<'_> = serde_json::from_slice(&text).map_err(|error| failed(&error.into()))?;
        builder.revision(&id, parents);
        if let Some(time) = time {
            builder.time(time);
        }
    }
    if room.lines != revisions {
        return Err(refused(format!("the graph has {} revisions, and the journal says {revisions}", room.lines)));
    }
    builder.build()
}

/// The amounts read or written so far.
#[derive(Default)]
struct Room {
    lines: usize,
    bytes: u64,
}

impl Room {
    /// # Errors
    /// The limit that was exceeded.
    fn take(&mut self, line: usize) -> Result<(), String> {
        self.lines += 1;
        self.bytes += line as u64;
        match () {
            () if line > limits::REVISION => {
                Err(format!("revision {} takes more than {} bytes with its parents", self.lines, limits::REVISION))
            }
            () if self.bytes > limits::HISTORY => Err(format!("it takes more than {} bytes", limits::HISTORY)),
            () if self.lines > limits::REVISIONS => Err(format!("it has more than {} revisions", limits::REVISIONS)),
            () => Ok(()),
        }
    }
}
