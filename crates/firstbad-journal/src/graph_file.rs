//! A commit graph in a compressed file beside the journal, where no repository has it.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use firstbad::{CommitGraph, Error, GraphBuilder};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::file::{failed, sync_folder};

/// One line of the file: the id, its parents' ids, its time.
type Line<'a> = (std::borrow::Cow<'a, str>, Vec<std::borrow::Cow<'a, str>>, Option<i64>);

/// Writes the graph; an earlier file of that name is replaced at once or not at all.
///
/// # Errors
/// [`Error::Journal`].
pub(crate) fn write(path: &Path, graph: &CommitGraph) -> Result<(), Error> {
    let made = || -> std::io::Result<()> {
        let unfinished = crate::lock::beside(path, "new");
        let mut packed = GzEncoder::new(BufWriter::new(File::create(&unfinished)?), Compression::default());
        for node in 0..graph.len() as u32 {
            let parents = graph.parents(node).iter().map(|&parent| graph.id(parent).into()).collect();
            let line: Line<'_> = (graph.id(node).into(), parents, graph.has_times().then(|| graph.time(node)));
            serde_json::to_writer(&mut packed, &line)?;
            packed.write_all(b"\n")?;
        }
        let file = packed.finish()?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.sync_all()?;
        std::fs::rename(&unfinished, path)?;
        sync_folder(path)
    };
    made().map_err(|error| failed(path, "writing the graph", &error))
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
