//! Resolution of names to the definitions that they may refer to.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use firstbad::Error;
use firstbad::reduction::Need;
use firstbad::slicing::{Timeline, Uses, VersionGraph};
use firstbad_syntax::{Kind, MODULE, Use, Way};

use super::definitions::{Definitions, Version, of};

/// The maximum number of ancestors of a class. More indicate a cycle.
const MOST_CLASSES: usize = 64;

/// The maximum number of definitions with the same name. If there are more, the name is too ambiguous to use.
const MOST_OF_A_NAME: usize = 64;

/// The index of names.
struct Names<'a> {
    all: &'a Definitions,
    /// The names of inserted or deleted definitions.
    wanted: HashSet<&'a str>,
    /// The definitions with a wanted name.
    by_name: HashMap<&'a str, Vec<usize>>,
    /// The modules by name.
    modules: HashMap<&'a str, Vec<usize>>,
    /// Each class with its ancestors in any version.
    families: HashMap<usize, BTreeSet<usize>>,
    /// The names of members that are used while no definition exists. These members come from elsewhere.
    elsewhere: HashSet<&'a str>,
}

/// Returns the dependencies of changes that follow from the uses of definitions. If `in_order`, changes of one function or
/// variable are reverted newest first.
///
/// # Errors
/// The errors of [`VersionGraph`].
pub(super) fn needs(all: &Definitions, changes: usize, in_order: bool) -> Result<BTreeMap<usize, Vec<Need>>, Error> {
    let names = Names::of(all);
    let timelines = all.nodes.iter().enumerate().map(|(index, node)| {
        let mut own = Timeline {
            in_order: in_order && matches!(node.kind, Kind::Function | Kind::Variable),
            ..Timeline::default()
        };
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
            wanted,
            by_name: HashMap::new(),
            modules: HashMap::new(),
            families: families(all),
            elsewhere: HashSet::new(),
        };
        for (index, node) in all.nodes.iter().enumerate() {
            if node.name == MODULE {
                names.modules.entry(node.own_name()).or_default().push(index);
            } else if names.wanted.contains(node.own_name()) {
                names.by_name.entry(node.own_name()).or_default().push(index);
            }
        }
        names.elsewhere = names.met_elsewhere();
        names
    }

    /// Returns the names of members that some version uses while no definition exists.
    fn met_elsewhere(&self) -> HashSet<&'a str> {
        let mut found = HashSet::new();
        for node in &self.all.nodes {
            for (state, version) in node.versions.iter().filter_map(|(state, it)| Some((*state, it.as_ref()?))) {
                let members = of(version).uses.iter().filter(|used| used.way == Way::Member);
                for used in members {
                    let others = self.named(used.name.as_str());
                    if !others.is_empty() && !others.iter().any(|&other| self.all.nodes[other].is_at(state)) {
                        found.insert(used.name.as_str());
                    }
                }
            }
        }
        found
    }

    /// Returns the uses of a version, each as the definitions that satisfy it. Uses without any definition at that time are left
    /// out, because they refer to code elsewhere.
    fn uses(&self, node: usize, state: usize, version: &Version) -> Uses {
        let is_met = |others: &Vec<usize>| others.iter().any(|&other| self.all.nodes[other].is_at(state));
        let own = of(version).uses.iter().map(|used| self.meeting(node, used, version));
        let mut uses: Uses = own.filter(is_met).collect();
        // A definition needs the definition around it.
        let outline = &version.0;
        let around = &outline.definitions[of(version).parent];
        uses.extend(
            self.all.place(&self.all.nodes[node].path, &around.name).filter(|&other| other != node).map(|it| vec![it]),
        );
        uses
    }

    fn meeting(&self, node: usize, used: &Use, version: &Version) -> Vec<usize> {
        let name = used.name.as_str();
        if !self.wanted.contains(name) {
            return Vec::new();
        }
        let mut found: Vec<usize> = match used.way {
            Way::Module => self.modules.get(name).cloned().unwrap_or_default(),
            Way::Imported => self.imported(name, used.from.as_deref()),
            Way::Member if self.elsewhere.contains(name) => Vec::new(),
            Way::Member => {
                let is_member = |index: &usize| self.all.nodes[*index].kind != Kind::Import;
                self.named(name).iter().copied().filter(is_member).collect()
            }
            Way::Own => self.members(node, name),
            Way::Bare => {
                let mut near: Vec<usize> = self.all.place(&self.all.nodes[node].path, name).into_iter().collect();
                if version.0.is_open {
                    near.extend(self.members(node, name));
                }
                if near.is_empty() && version.0.is_open {
                    let is_outer = |index: &usize| !self.all.nodes[*index].name.contains('.');
                    near = self.named(name).iter().copied().filter(is_outer).collect();
                }
                near
            }
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns all definitions with a name, or none if there are too many.
    fn named(&self, name: &str) -> &[usize] {
        self.by_name.get(name).map(Vec::as_slice).filter(|all| all.len() <= MOST_OF_A_NAME).unwrap_or_default()
    }

    /// Returns the members with a name in the class of a definition and in its ancestors.
    fn members(&self, node: usize, name: &str) -> Vec<usize> {
        let of_class = |&class: &usize| {
            let class = &self.all.nodes[class];
            self.all.place(&class.path, &format!("{}.{name}", class.name))
        };
        self.classes(node).iter().filter_map(of_class).collect()
    }

    fn imported(&self, name: &str, from: Option<&str>) -> Vec<usize> {
        let sources = from.and_then(|from| self.modules.get(from));
        let paths: Vec<&str> =
            sources.into_iter().flatten().map(|&module| self.all.nodes[module].path.as_str()).collect();
        let named = paths.iter().filter_map(|path| self.all.place(path, name));
        named.chain(self.modules.get(name).into_iter().flatten().copied()).collect()
    }

    /// Returns the class that contains a definition.
    fn class(&self, node: usize) -> Option<usize> {
        let node = &self.all.nodes[node];
        let (class, _) = node.name.rsplit_once('.')?;
        self.all.place(&node.path, class)
    }

    /// Returns the class that contains a definition, and its ancestors by name.
    fn classes(&self, node: usize) -> &BTreeSet<usize> {
        static NONE: BTreeSet<usize> = BTreeSet::new();
        self.class(node).and_then(|class| self.families.get(&class)).unwrap_or(&NONE)
    }
}

/// Returns each class with its ancestors, resolved by name.
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
