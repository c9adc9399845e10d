use hashbrown::{HashMap, HashSet};

use super::build_graph::BuildGraph;
use super::changelist::{Changelist, FileStatus};
use super::content::lessening;
use super::distance::{Distances, weighted_distance};
use super::message::message;
use super::names::Names;
use super::ranking::{Heuristic, RankOptions, Ranking, RankingReason, Suspect};
use crate::error::Error;
use crate::words::nearest::nearest;

/// Ranks changes by how suspicious they are of having broken `tests`, all of which fail. The changes must be sorted from old to
/// new. Tests are names of build targets or ids that [`BuildGraph::target_of_test`] understands.
///
/// Renames are followed: changes and tests are looked up under all names that a file has had.
///
/// For several tests, the score is the mean of the scores for each test (Culprit Finder, Definition 11, covers one test). Tests
/// that start to fail in one range mostly have one culprit (FACF, "Evaluation Dataset": 224 tests in an average range with a
/// culprit). A change is therefore more suspicious if it explains more of the tests. A change that explains only some of them is
/// still a suspect, because there can be two culprits or a flaky test.
///
/// One rule is not from the papers: the suspiciousness of a change of n > 16 source files is divided by (n / 16)^3. Otherwise,
/// mass changes would lead every ranking, because they touch the dependencies of every test.
///
/// # Errors
/// - [`Error::UnknownBuildTarget`] with similar names, if a test is in no target.
/// - [`Error::InvalidArgument`] if a change is duplicated or there are no tests.
pub fn rank<T: AsRef<str>>(
    graph: &BuildGraph,
    changes: &[Changelist],
    tests: &[T],
    options: &RankOptions<'_>,
) -> Result<Ranking, Error> {
    let mut seen = HashSet::with_capacity(changes.len());
    if let Some(twice) = changes.iter().find(|change| !seen.insert(&change.id)) {
        return Err(Error::invalid("changes", &twice.id, "each change once"));
    }
    let names = Names::of(changes);
    let tests = targets_of(graph, tests, &names)?;
    let view = View::new(graph, changes, options, &names);
    let mut found: Vec<Found> = changes.iter().map(|_| Found::default()).collect();
    for &test in &tests {
        let distances = view.distances(test);
        for (change, found) in changes.iter().zip(&mut found) {
            found.add(&view.touched(change, &distances), &view, &distances);
        }
    }
    let mut ranking = Ranking {
        tests: tests.iter().map(|&test| graph.name(test).to_owned()).collect(),
        suspects: Vec::new(),
        excluded: Vec::new(),
        unlikely: Vec::new(),
        unplaced: Vec::new(),
        cycles: graph.cycles().into_iter().map(|cycle| cycle.into_iter().map(str::to_owned).collect()).collect(),
        complete: view.graphs.iter().all(|graph| graph.kind().knows_all_inputs()),
        message: String::new(),
    };
    let mut unplaced = HashSet::new();
    let mut suspects = Vec::new();
    for (age, (change, found)) in changes.iter().zip(found).enumerate() {
        let lost = change.files.iter().filter(|&file| !view.places(change, file));
        ranking.unplaced.extend(lost.filter(|&file| unplaced.insert(file)).cloned());
        if !found.touched.is_empty() {
            suspects.push((age, found.suspect(&view, change, tests.len(), options.by)));
        } else if ranking.complete && change.files.iter().all(|file| view.has_seen(change, file)) {
            ranking.excluded.push(change.id.clone());
        } else {
            ranking.unlikely.push(change.id.clone());
        }
    }
    // Under the changelog heuristic, all suspects are equal, so their size must not count.
    let size = |suspect: &Suspect| if options.by == Heuristic::Changelog { 0 } else { suspect.size };
    suspects.sort_unstable_by(|(old, a), (new, b)| {
        b.score.total_cmp(&a.score).then(size(b).cmp(&size(a))).then(new.cmp(old))
    });
    ranking.suspects = suspects.into_iter().map(|(_, suspect)| suspect).collect();
    ranking.message = message(&ranking, changes.len());
    Ok(ranking)
}

/// Returns the build targets of tests, each once.
fn targets_of<T: AsRef<str>>(graph: &BuildGraph, tests: &[T], names: &Names<'_>) -> Result<Vec<u32>, Error> {
    if tests.is_empty() {
        return Err(Error::invalid("test", "", "at least one test"));
    }
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for test in tests.iter().map(AsRef::as_ref) {
        let target = graph.target_of_moved_test(test, names).ok_or_else(|| Error::UnknownBuildTarget {
            argument: "test".to_owned(),
            name: test.to_owned(),
            nearest: nearest(test, graph.targets()),
        })?;
        if seen.insert(target) {
            found.push(target);
        }
    }
    Ok(found)
}

/// The build graphs for lookups, and the names of files.
struct View<'a> {
    /// The present graph, then the graph before all changes if there is one, then the graphs after single changes.
    graphs: Vec<&'a BuildGraph>,
    before: bool,
    /// The additional graphs of each change: its own graph and those of its parents.
    own: HashMap<&'a str, Vec<usize>>,
    names: &'a Names<'a>,
}

#[derive(Clone, Copy)]
struct Touched {
    /// The index of the graph.
    graph: usize,
    target: u32,
    distance: u32,
}

/// The distances from a test, by graph. `None` if the graph does not have the test.
type TestDistances<'a> = Vec<Option<Distances<'a>>>;

impl<'a> View<'a> {
    fn new(graph: &'a BuildGraph, changes: &'a [Changelist], options: &RankOptions<'a>, names: &'a Names<'a>) -> Self {
        let mut graphs = vec![graph];
        graphs.extend(options.before);
        let given: HashMap<&str, usize> =
            (graphs.len()..).zip(options.graphs).map(|(number, (change, _))| (*change, number)).collect();
        graphs.extend(options.graphs.iter().map(|(_, graph)| *graph));
        let mut own = HashMap::new();
        for (place, change) in changes.iter().enumerate().filter(|_| !given.is_empty()) {
            let previous = place.checked_sub(1).map(|place| changes[place].id.as_str());
            let previous = previous.filter(|_| change.parents.is_empty());
            let parents = change.parents.iter().map(String::as_str).chain(previous);
            let known = std::iter::once(change.id.as_str()).chain(parents).filter_map(|id| given.get(id).copied());
            own.insert(change.id.as_str(), known.collect());
        }
        View { graphs, before: options.before.is_some(), own, names }
    }

    fn distances(&self, test: u32) -> TestDistances<'a> {
        let here = |(number, graph): (usize, &&'a BuildGraph)| {
            // A new test had no dependencies before.
            let test = if number == 0 { Some(test) } else { self.earlier(test, graph) };
            test.map(|test| Distances::from(graph, test))
        };
        self.graphs.iter().enumerate().map(here).collect()
    }

    /// Returns the target in another graph that corresponds to a test of the present graph. It has the same name, or owns most of
    /// the test's renamed files.
    fn earlier(&self, test: u32, other: &BuildGraph) -> Option<u32> {
        let name = self.graphs[0].name(test);
        other.find(name).or_else(|| {
            let own = |names: &&[&str]| names.iter().any(|file| self.graphs[0].owners.of(file).any(|t| t == test));
            let mut shared: HashMap<u32, usize> = HashMap::new();
            for target in self.names.renamed().filter(own).flatten().flat_map(|file| other.owners.of(file)) {
                *shared.entry(target).or_default() += 1;
            }
            let most = |(target, count): &(u32, usize)| (std::cmp::Reverse(*count), other.name(*target));
            shared.into_iter().min_by_key(most).map(|(target, _)| target)
        })
    }

    /// Returns the indices of the graphs for a change, the present graph first.
    fn graphs_for(&self, change: &Changelist) -> impl Iterator<Item = usize> {
        let own = self.own.get(change.id.as_str()).map(Vec::as_slice).unwrap_or_default();
        (0..=usize::from(self.before)).chain(own.iter().copied())
    }

    /// Returns the targets of a file in a graph, under any of its names.
    fn owners<'b>(&'b self, graph: usize, file: &'b str) -> impl Iterator<Item = u32> + use<'a, 'b> {
        self.names.all(file).flat_map(move |name| self.graphs[graph].owners.of(name))
    }

    /// Returns whether a file of a change is in a target of any graph.
    fn places(&self, change: &Changelist, file: &str) -> bool {
        self.graphs_for(change).any(|graph| self.owners(graph, file).next().is_some())
    }

    /// Returns whether a graph describes a revision that has the file. An input of a target would be listed there.
    fn has_seen(&self, change: &Changelist, file: &str) -> bool {
        let Some(status) = change.statuses.get(file) else { return self.places(change, file) };
        let now = self.names.lasts(file) || (self.before && self.names.precedes(file));
        let own = || self.own.get(change.id.as_str()).is_some_and(|own| !own.is_empty());
        now || self.places(change, file) || (own() && *status != FileStatus::Deleted)
    }

    /// Returns the dependencies of a test that a change touches, each target or cycle of targets once (Definitions 8 and 11).
    /// Other graphs count only for targets without a path in the present graph.
    fn touched(&self, change: &Changelist, distances: &TestDistances<'_>) -> Vec<Touched> {
        let today = self.graphs[0];
        let mut found = Vec::new();
        let mut now: HashSet<u32> = HashSet::new();
        let mut earlier: HashSet<(usize, u32)> = HashSet::new();
        let mut earlier_names: HashSet<&str> = HashSet::new();
        // In a graph of files, another name of a file would be another target.
        let mut renamed: HashSet<&str> = HashSet::new();
        for graph in self.graphs_for(change) {
            let (at, Some(distances)) = (self.graphs[graph], &distances[graph]) else { continue };
            for file in &change.files {
                if graph > 0 && renamed.contains(file.as_str()) {
                    continue;
                }
                for target in self.owners(graph, file) {
                    let Some(distance) = distances.to(target) else { continue };
                    let component = at.components.of(target);
                    let anew = if graph == 0 {
                        renamed.extend(self.names.others(file).next().map(|_| file.as_str()));
                        now.insert(component)
                    } else {
                        let name = at.name(target);
                        let counted = today.find(name).map(|target| today.components.of(target));
                        counted.is_none_or(|component| !now.contains(&component))
                            && earlier.insert((graph, component))
                            && earlier_names.insert(name)
                    };
                    if anew {
                        found.push(Touched { graph, target, distance });
                    }
                }
            }
        }
        found
    }
}

/// A target that a change touches, for all tests together.
struct Reason {
    touched: Touched,
    path: Vec<String>,
    tests: usize,
    /// The sum of the weighted distances over the tests.
    weights: f64,
}

/// The findings about a change.
#[derive(Default)]
struct Found {
    touched: Vec<Reason>,
    by_component: HashMap<(usize, u32), usize>,
    tests: usize,
    /// The sum over the tests of the weighted distance of the closest target.
    closeness: f64,
}

impl Found {
    /// Adds the findings for another test.
    fn add(&mut self, touched: &[Touched], view: &View<'_>, distances: &TestDistances<'_>) {
        let Some(closest) = touched.iter().map(|touched| touched.distance).min() else { return };
        self.tests += 1;
        self.closeness += weighted_distance(closest);
        for &touched in touched {
            let path = || distances[touched.graph].as_ref().map(|from| from.path(touched.target)).unwrap_or_default();
            let component = view.graphs[touched.graph].components.of(touched.target);
            let place = *self.by_component.entry((touched.graph, component)).or_insert_with(|| {
                self.touched.push(Reason { touched, path: path(), tests: 0, weights: 0.0 });
                self.touched.len() - 1
            });
            let reason = &mut self.touched[place];
            reason.tests += 1;
            reason.weights += weighted_distance(touched.distance);
            if touched.distance < reason.touched.distance {
                reason.touched = touched;
                reason.path = path();
            }
        }
    }

    fn suspect(mut self, view: &View<'_>, change: &Changelist, tests: usize, by: Heuristic) -> Suspect {
        self.touched.sort_by_key(|reason| reason.touched.distance);
        let count = tests as f64;
        let sum = self.touched.iter().map(|reason| reason.weights).sum::<f64>() / count;
        let suspiciousness = sum / lessening(change);
        let closeness = self.closeness / count;
        let size = change.files.iter().collect::<HashSet<_>>().len();
        let score = match by {
            Heuristic::Suspiciousness => suspiciousness,
            Heuristic::Size => size as f64,
            Heuristic::Distance => closeness,
            Heuristic::Changelog => 1.0,
        };
        Suspect {
            change: change.id.clone(),
            score,
            suspiciousness,
            size,
            distance: self.touched.first().map_or(1, |reason| reason.touched.distance),
            closeness,
            tests: self.tests,
            reasons: self.touched.into_iter().map(|reason| reason.told(view, change, count)).collect(),
        }
    }
}

impl Reason {
    fn told(self, view: &View<'_>, change: &Changelist, tests: f64) -> RankingReason {
        let Touched { graph, target, distance } = self.touched;
        let at = view.graphs[graph];
        let component = at.components.of(target);
        let inside = |file: &&String| view.owners(graph, file).any(|target| at.components.of(target) == component);
        let mut seen = HashSet::new();
        RankingReason {
            files: change.files.iter().filter(inside).filter(|&file| seen.insert(file)).cloned().collect(),
            target: at.name(target).to_owned(),
            path: self.path,
            distance,
            tests: self.tests,
            weight: self.weights / tests,
            before: graph > 0,
        }
    }
}
