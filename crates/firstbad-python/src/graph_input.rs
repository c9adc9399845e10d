//! Conversion to commit graphs, from mappings, pairs, lists, and edges.

use firstbad::GraphBuilder;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMapping, PyString, PyTuple};

use crate::errors::invalid;

/// The number of items between checks for signals, a few milliseconds of work.
const ITEMS: usize = 8192;

/// The valid forms of a graph.
const GRAPH: &str =
    "a mapping from ids to parent ids, or (id, parent ids) pairs; for a plain list of ids use CommitGraph.linear";

/// Reads the revisions of a mapping from ids to parents' ids, or of `(id, parents' ids)` pairs, with their times.
pub(crate) fn revisions(given: &Bound<'_, PyAny>, times: Option<&Bound<'_, PyAny>>) -> PyResult<GraphBuilder> {
    let mapping = given.cast::<PyMapping>().ok();
    let pairs = match mapping {
        Some(mapping) => mapping.items()?.into_any(),
        None => given.clone(),
    };
    let times_by_id = times.and_then(|times| times.cast::<PyMapping>().ok());
    let mut builder = GraphBuilder::new();
    if pairs.try_iter().is_err() {
        return Err(invalid("graph", given, GRAPH));
    }
    each(&pairs, "graph", |item| {
        let (id, parents) = pair(&item, "graph", GRAPH)?;
        let id = id_text(&id, "graph")?;
        let parents = id_list(&parents, "parents")?;
        let parents = parents.iter().map(|parent| parent.to_str()).collect::<PyResult<Vec<_>>>()?;
        builder.revision(id.to_str()?, parents);
        if let Some(times) = times_by_id {
            let time = times.get_item(&id).map_err(|_| invalid("times", id.as_any(), "a time for every revision"))?;
            builder.time(seconds(&time)?);
        }
        Ok(())
    })?;
    if let (Some(times), None) = (times, times_by_id) {
        each(times, "times", |time| {
            builder.time(seconds(&time)?);
            Ok(())
        })?;
    }
    Ok(builder)
}

/// Reads the ids of an iterable of texts. A single text is an error, because its letters are probably not ids.
pub(crate) fn ids(given: &Bound<'_, PyAny>, argument: &str) -> PyResult<Vec<String>> {
    id_list(given, argument)?.iter().map(|id| Ok(id.to_str()?.to_owned())).collect()
}

/// Reads `(parent, child)` edges.
pub(crate) fn edges(given: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let mut edges = Vec::new();
    each(given, "edges", |item| {
        let (parent, child) = pair(&item, "edges", "(parent, child) pairs")?;
        let (parent, child) = (id_text(&parent, "edges")?, id_text(&child, "edges")?);
        edges.push((parent.to_str()?.to_owned(), child.to_str()?.to_owned()));
        Ok(())
    })?;
    Ok(edges)
}

fn each<'py>(
    given: &Bound<'py, PyAny>,
    argument: &str,
    mut take: impl FnMut(Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    let items = given.try_iter().map_err(|_| invalid(argument, given, "something to iterate over"))?;
    for (count, item) in items.enumerate() {
        if count % ITEMS == ITEMS - 1 {
            given.py().check_signals()?;
        }
        take(item?)?;
    }
    Ok(())
}

fn pair<'py>(
    item: &Bound<'py, PyAny>,
    argument: &str,
    expected: &str,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    if let Ok(pair) = item.cast::<PyTuple>()
        && pair.len() == 2
    {
        return Ok((pair.get_item(0)?, pair.get_item(1)?));
    }
    match item.cast::<PyList>() {
        Ok(pair) if pair.len() == 2 => Ok((pair.get_item(0)?, pair.get_item(1)?)),
        _ => Err(invalid(argument, item, expected)),
    }
}

fn id_text<'py>(id: &Bound<'py, PyAny>, argument: &str) -> PyResult<Bound<'py, PyString>> {
    id.cast::<PyString>().cloned().map_err(|_| invalid(argument, id, "ids that are str; convert others with str()"))
}

fn id_list<'py>(given: &Bound<'py, PyAny>, argument: &str) -> PyResult<Vec<Bound<'py, PyString>>> {
    if given.is_instance_of::<PyString>() {
        return Err(invalid(argument, given, "a list of ids; put a single one into brackets"));
    }
    let mut ids = Vec::new();
    each(given, argument, |id| {
        ids.push(id_text(&id, argument)?);
        Ok(())
    })?;
    Ok(ids)
}

fn seconds(time: &Bound<'_, PyAny>) -> PyResult<i64> {
    let whole = time.extract::<i64>().or_else(|_| match time.extract::<f64>() {
        Ok(time) if time.is_finite() => Ok(time.floor() as i64),
        _ => Err(()),
    });
    whole.map_err(|()| invalid("times", time, "a finite number for every revision"))
}
