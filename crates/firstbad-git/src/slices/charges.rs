//! The changes that flow into the values of a program (DEFINER, Section 4, "Learning"): updates that flow into a return value,
//! call sites of parameters, and accesses of attributes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use firstbad::Error;
use firstbad::slicing::Charge;
use firstbad_syntax::{Kind, Target, flows};

use super::definitions::{Atomic, Definitions, Node, of};
use super::{Slices, uses};

/// The maximum number of statements to analyze, which takes some seconds. Definitions after that get no charges.
const MOST_ASKED: usize = 1 << 24;
/// The maximum total number of charged changes, because journals store them.
const MOST_CHARGED: usize = 1 << 17;
/// The variable that stands for the result of a definition.
const RESULT: &str = "return";

impl Slices {
    /// Returns the changes that flow into the results, parameters, and attributes of changed definitions. Facts that name no
    /// changes count for or against these.
    ///
    /// The result of a definition is the variable `return`, and an attribute of its object is `self.name` or `this.name`. An
    /// attribute or variable itself is the variable `this` of the definition with its name.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub fn charges(&self) -> Result<Vec<Charge>, Error> {
        let all = self.read_definitions()?;
        let mut charges = Charging::of(&all).charges();
        charges.iter_mut().for_each(|charge| charge.changes = self.chain.changes_of(charge.changes.drain(..)));
        charges.retain(|charge| !charge.changes.is_empty());
        Ok(charges)
    }
}

/// The state of the analysis.
struct Charging<'a> {
    all: &'a Definitions,
    families: HashMap<usize, BTreeSet<usize>>,
    /// The names of the attributes and variables of each class.
    members: HashMap<usize, BTreeSet<&'a str>>,
    /// The atomic changes of callers, by the called name.
    callers: HashMap<&'a str, Vec<Atomic<'a>>>,
    /// The changes that flow into attributes, by attribute name.
    setters: BTreeMap<&'a str, BTreeSet<usize>>,
    asked: usize,
    charged: usize,
}

fn flow(atomic: &Atomic<'_>, target: Target<'_>) -> bool {
    let before = atomic.before.map(|(outline, own)| (&**outline, *own));
    let after = atomic.after.map(|(outline, own)| (&**outline, *own));
    flows(before, after, target)
}

/// Returns the names of the attributes and variables of each class.
fn members(all: &Definitions) -> HashMap<usize, BTreeSet<&str>> {
    let mut found: HashMap<usize, BTreeSet<&str>> = HashMap::new();
    for node in all.nodes.iter().filter(|node| matches!(node.kind, Kind::Attribute | Kind::Variable)) {
        if let Some((class, name)) = node.name.rsplit_once('.')
            && let Some(class) = all.place(&node.path, class)
        {
            found.entry(class).or_default().insert(name);
        }
    }
    found
}

impl<'a> Charging<'a> {
    fn of(all: &'a Definitions) -> Self {
        let mut charging = Charging {
            all,
            families: uses::families(all),
            members: members(all),
            callers: HashMap::new(),
            setters: BTreeMap::new(),
            asked: 0,
            charged: 0,
        };
        for atomic in all.nodes.iter().flat_map(Node::changes) {
            let versions = || [atomic.before, atomic.after].into_iter().flatten();
            let called: BTreeSet<&str> = versions().flat_map(|(outline, own)| outline.called(*own)).collect();
            for name in called {
                charging.callers.entry(name).or_default().push(atomic);
            }
            let attributes: BTreeSet<&str> = versions().flat_map(|(outline, own)| outline.attributes(*own)).collect();
            for name in attributes {
                if charging.flow(&atomic, Target::Attribute(name)) {
                    charging.setters.entry(name).or_default().insert(atomic.change);
                }
            }
        }
        charging
    }

    fn flow(&mut self, atomic: &Atomic<'_>, target: Target<'_>) -> bool {
        let sizes = [atomic.before, atomic.after].into_iter().flatten().map(|(outline, own)| outline.size(*own));
        self.asked = self.asked.saturating_add(1 + sizes.sum::<usize>());
        self.asked <= MOST_ASKED && flow(atomic, target)
    }

    fn charges(mut self) -> Vec<Charge> {
        let mut found = Vec::new();
        let all = self.all;
        for node in all.nodes.iter().filter(|node| node.changes().next().is_some()) {
            let charges = match node.kind {
                Kind::Function => self.of_function(node),
                Kind::Variable | Kind::Attribute => {
                    let own = node.changes().map(|atomic| atomic.change);
                    let set = self.setters.get(node.own_name()).into_iter().flatten().copied();
                    vec![("this".to_owned(), own.chain(set).collect())]
                }
                Kind::Module | Kind::Class | Kind::Import => Vec::new(),
            };
            for (variable, changes) in charges {
                let changes: Vec<usize> = changes.into_iter().collect();
                self.charged += changes.len();
                if !changes.is_empty() && self.charged <= MOST_CHARGED {
                    found.push(Charge { file: node.path.clone(), name: node.name.clone(), variable, changes });
                }
            }
        }
        found
    }

    fn of_function(&mut self, node: &'a Node) -> Vec<(String, BTreeSet<usize>)> {
        let changes: Vec<Atomic<'a>> = node.changes().collect();
        let result = changes.iter().filter(|atomic| self.flow(atomic, Target::Result)).map(|atomic| atomic.change);
        let mut found = vec![(RESULT.to_owned(), result.collect())];
        let versions = || node.versions.iter().filter_map(|(_, version)| version.as_ref());
        let mut parameters: BTreeMap<&str, usize> = BTreeMap::new();
        for version in versions() {
            let own = of(version).parameters.iter().enumerate();
            parameters.extend(own.map(|(place, name)| (name.as_str(), place)));
        }
        for (name, place) in parameters {
            found.push((name.to_owned(), self.of_parameter(node, name, place)));
        }
        let Some(object) = versions().next().and_then(|(outline, _)| outline.language.own_object()) else {
            return found;
        };
        let class = node.name.rsplit_once('.').and_then(|(class, _)| self.all.place(&node.path, class));
        let family = class.and_then(|class| self.families.get(&class)).into_iter().flatten();
        let attributes: BTreeSet<&str> =
            family.filter_map(|class| self.members.get(class)).flatten().copied().collect();
        found.extend(attributes.into_iter().filter_map(|name| {
            let changes = self.setters.get(name)?;
            Some((format!("{object}.{name}"), changes.clone()))
        }));
        found
    }

    /// Returns the changes of call sites that flow into a parameter.
    fn of_parameter(&mut self, node: &Node, name: &str, place: usize) -> BTreeSet<usize> {
        // A constructor is called by the name of its class.
        let call = match (node.own_name(), node.name.rsplit_once('.')) {
            ("__init__" | "__new__" | "constructor", Some((class, _))) => class.rsplit('.').next().unwrap_or(class),
            (own, _) => own,
        };
        let target = Target::Argument { call, name, place: Some(place) };
        let callers = self.callers.get(call).cloned().unwrap_or_default();
        let flowing = callers.iter().filter(|atomic| self.flow(atomic, target));
        flowing.map(|atomic| atomic.change).collect()
    }
}
