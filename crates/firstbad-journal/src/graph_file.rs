//! A commit graph in a compressed file beside the journal, for one that is in no repository.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use firstbad::{CommitGraph, Error, GraphBuilder};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::disk::{failed, write_whole};

/// One line of the file: the id, its parents' ids, its time.
type Line<'a> = (std::borrow::Cow<'a, str>, Vec<std::borrow::Cow<'a, str>>, Option<i64>);

/// Writes the graph; an earlier file of that name is replaced at once or not at all.
///
/// # Errors
/// [`Error::Journal`].
pub(crate) fn write(path: &Path, graph: &CommitGraph) -> Result<(), Error> {
    let written = write_whole(path, |file| {
        let mut packed = GzEncoder::new(BufWriter::new(file), Compression::default());
        for node in 0..graph.len() as u32 {
            let parents = graph.parents(node).iter().map(|&parent| graph.id(parent).into()).collect();
            let line: Line<'_> = (graph.id(node).into(), parents, graph.has_times().then(|| graph.time(node)));
            serde_json::to_writer(&mut packed, &line)?;
            packed.write_all(b"\n")?;
        }
        packed.finish()?.flush()
    });
    written.map_err(|error| failed(path, "writing the graph", &error))
}

/// Reads a graph back.
///
/// # Errors
/// [`Error::Journal`], and those of [`GraphBuilder::build`].
pub(crate) fn read(path: &Path) -> Result<CommitGraph, Error> {
    let file = File::open(path).map_err(|error| failed(path, "reading the graph", &error))?;
    let mut builder = GraphBuilder::new();
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let line = line.map_err(|error| failed(path, "reading the graph", &error))?;
        let (id, parents, time): Line<'_> =
            serde_json::from_str(&line).map_err(|error| failed(path, "reading the graph", &error.into()))?;
        builder.revision(&id, parents);
        if let Some(time) = time {
            builder.time(time);
        }
    }
    builder.build()
}
