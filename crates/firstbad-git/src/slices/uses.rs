//! What the uses of definitions stand for, by names: which definitions meet each of them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use firstbad::Error;
use firstbad::reduction::Need;
use firstbad::slicing::{Timeline, Uses, VersionGraph};
use firstbad_syntax::{Kind, MODULE, Use, Way};

use super::definitions::{Definitions, Version, of};

/// The classes that one is made of, looked up by name, are followed so far: whoever has more has a circle.
const MOST_CLASSES: usize = 64;

/// Where names may lead.
struct Names<'a> {
    all: &'a Definitions,
    /// The definitions that come and go, and others with the same names.
    by_name: HashMap<&'a str, Vec<usize>>,
    /// By what their files are called.
    modules: HashMap<&'a str, Vec<usize>>,
    /// Each class with those that it is made of, in whatever version.
    families: HashMap<usize, BTreeSet<usize>>,
    /// Names of members that are used where nothing defines them: they come from elsewhere.
    elsewhere: HashSet<&'a str>,
}

/// What changes rest on by what definitions use.
///
/// # Errors
/// Those of [`VersionGraph`].
pub(super) fn needs(all: &Definitions, changes: usize) -> Result<BTreeMap<usize, Vec<Need>>, Error> {
    let names = Names::of(all);
    let timelines = all.nodes.iter().enumerate().map(|(index, node)| {
        let mut own =
            Timeline { in_order: matches!(node.kind, Kind::Function | Kind::Variable), ..Timeline::default() };
        for (state, version) in &node.versions {
            let uses = version.as_ref().map(|version| names.uses(index, *state, version));
            match state.checked_sub(1) {
                None => own.base = uses,
                Some(change) => own.changes.push((change, uses)),
            }
        }
        own
    });
    VersionGraph::new(timelines.collect(), changes)?.needs()
}

impl<'a> Names<'a> {
    fn of(all: &'a Definitions) -> Self {
        let wanted: HashSet<&str> = all.coming_and_going().map(|node| node.own_name()).collect();
        let mut names = Names {
            all,
            by_name: HashMap::new(),
            modules: HashMap::new(),
            families: families(all),
            elsewhere: HashSet::new(),
        };
        for (index, node) in all.nodes.iter().enumerate() {
            if node.name == MODULE {
                names.modules.entry(node.own_name()).or_default().push(index);
            } else if wanted.contains(node.own_name()) {
                names.by_name.entry(node.own_name()).or_default().push(index);
            }
        }
        names.elsewhere = names.from_elsewhere();
        names
    }

    /// Names of members that some version uses where nothing defines them.
    fn from_elsewhere(&self) -> HashSet<&'a str> {
        let mut found = HashSet::new();
        for node in &self.all.nodes {
            for (state, version) in node.versions.iter().filter_map(|(state, it)| Some((*state, it.as_ref()?))) {
                let members = of(version).uses.iter().filter(|used| used.way == Way::Member);
                for used in members {
                    let Some(others) = self.by_name.get(used.name.as_str()) else { continue };
                    if !others.iter().any(|&other| self.all.nodes[other].is_at(state)) {
                        found.insert(used.name.as_str());
                    }
                }
            }
        }
        found
    }

    /// What a version of a definition uses: the definitions that meet each use. What nothing met when it was written is met
    /// from elsewhere.
    fn uses(&self, node: usize, state: usize, version: &Version) -> Uses {
        let is_met = |others: &Vec<usize>| others.iter().any(|&other| self.all.nodes[other].is_at(state));
        let own = of(version).uses.iter().map(|used| self.meeting(node, used, version));
        let mut uses: Uses = own.filter(is_met).collect();
        // A definition stands in another one.
        let outline = &version.0;
        let around = &outline.definitions[of(version).parent];
        uses.extend(
            self.all.place(&self.all.nodes[node].path, &around.name).filter(|&other| other != node).map(|it| vec![it]),
        );
        uses
    }

    fn meeting(&self, node: usize, used: &Use, version: &Version) -> Vec<usize> {
        let name = used.name.as_str();
        let named = || self.by_name.get(name).into_iter().flatten().copied();
        let is_outer = |index: &usize| !self.all.nodes[*index].name.contains('.');
        let mut found: Vec<usize> = match used.way {
            Way::Module => self.modules.get(name).cloned().unwrap_or_default(),
            Way::Imported => self.imported(name, used.from.as_deref()),
            Way::Member if self.elsewhere.contains(name) => Vec::new(),
            Way::Member => named().filter(|&index| self.all.nodes[index].kind != Kind::Import).collect(),
            Way::Own => {
                let classes = self.classes(node);
                named().filter(|&index| self.class(index).is_some_and(|class| classes.contains(&class))).collect()
            }
            Way::Bare => {
                let path = self.all.nodes[node].path.as_str();
                let around = self.classes(node);
                let is_near = |index: &usize| {
                    self.all.nodes[*index].path == path && is_outer(index)
                        || version.0.is_open && self.class(*index).is_some_and(|class| around.contains(&class))
                };
                let near: Vec<usize> = named().filter(is_near).collect();
                match near.is_empty() && version.0.is_open {
                    true => named().filter(is_outer).collect(),
                    false => near,
                }
            }
        };
        found.sort_unstable();
        found
    }

    fn imported(&self, name: &str, from: Option<&str>) -> Vec<usize> {
        let sources = from.and_then(|from| self.modules.get(from));
        let paths: Vec<&str> =
            sources.into_iter().flatten().map(|&module| self.all.nodes[module].path.as_str()).collect();
        let named = paths.iter().filter_map(|path| self.all.place(path, name));
        named.chain(self.modules.get(name).into_iter().flatten().copied()).collect()
    }

    /// The class that a definition is a member of.
    fn class(&self, node: usize) -> Option<usize> {
        let node = &self.all.nodes[node];
        let (class, _) = node.name.rsplit_once('.')?;
        self.all.place(&node.path, class)
    }

    /// The class that a definition is in, and those that it is made of, by their names.
    fn classes(&self, node: usize) -> &BTreeSet<usize> {
        static NONE: BTreeSet<usize> = BTreeSet::new();
        self.class(node).and_then(|class| self.families.get(&class)).unwrap_or(&NONE)
    }
}

/// Each class with those that it is made of, by their names.
pub(super) fn families(all: &Definitions) -> HashMap<usize, BTreeSet<usize>> {
    let classes = || all.nodes.iter().enumerate().filter(|(_, node)| node.kind == Kind::Class);
    let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, class) in classes() {
        named.entry(class.own_name()).or_default().push(index);
    }
    let bases = |class: usize| {
        let versions = all.nodes[class].versions.iter().filter_map(|(_, version)| version.as_ref());
        versions.flat_map(|version| &of(version).bases)
    };
    let family = |class: usize| {
        let (mut found, mut open) = (BTreeSet::from([class]), vec![class]);
        while let Some(class) = open.pop() {
            for &other in bases(class).filter_map(|name| named.get(name.as_str())).flatten() {
                if found.len() < MOST_CLASSES && found.insert(other) {
                    open.push(other);
                }
            }
        }
        found
    };
    classes().map(|(index, _)| (index, family(index))).collect()
}
