//! Decides about tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;

use super::algorithm::Triage;
use super::belief::Belief;
use super::evidence::{Facts, Given};
use super::likelihood::Cells;
use super::rule::{Case, Decided, Decision, prior};

impl Triage {
    /// Returns the decided tests that raise the prior of a subject.
    fn decided(&self, group: Option<u32>, found: &BTreeMap<(Option<u32>, usize), u32>) -> Decided {
        let by_signature = !self.groups.is_empty();
        if by_signature && group.is_none() {
            return Decided { by_signature, at: Vec::new() };
        }
        let mut at: BTreeMap<u32, u32> = BTreeMap::new();
        for (&(other, place), &tests) in found {
            if !by_signature || other == group {
                *at.entry(place as u32).or_default() += tests;
            }
        }
        Decided { by_signature, at: at.into_iter().collect() }
    }

    /// Decides about every test whose facts or prior changed, until nothing changes.
    pub(super) fn settle(&mut self) {
        let searched = self.searched();
        for number in searched.clone() {
            self.refresh(number);
        }
        loop {
            let mut found: BTreeMap<(Option<u32>, usize), u32> = BTreeMap::new();
            for subject in &self.subjects[searched.clone()] {
                if let Some(place) = subject.culprit() {
                    *found.entry((subject.group, place)).or_default() += 1;
                }
            }
            let mut priors: HashMap<Option<u32>, Arc<Decided>> = HashMap::new();
            let mut named: BTreeMap<usize, u32> = BTreeMap::new();
            found.iter().for_each(|(&(_, place), &tests)| *named.entry(place).or_default() += tests);
            let mut changed = false;
            for number in searched.clone().filter(|&number| self.subjects[number].is_open()).collect::<Vec<_>>() {
                let group = self.subjects[number].group;
                let prior = priors.entry(group).or_insert_with(|| Arc::new(self.decided(group, &found)));
                let belief = self.belief(number, &Arc::clone(prior));
                let is_shared = |place: usize| named.get(&place).is_some_and(|&tests| tests >= 2);
                let decision = self.decide(number, &belief, &is_shared);
                let subject = &mut self.subjects[number];
                subject.belief = Some(belief);
                subject.decision = decision;
                if let Some(place) = subject.culprit() {
                    *named.entry(place).or_default() += 1;
                }
                changed |= !subject.is_open();
            }
            if !changed {
                break;
            }
        }
        self.beliefs.retain(|_, belief| Arc::strong_count(belief) > 1);
        self.cells.retain(|_, cells| Arc::strong_count(cells) > 1);
    }

    /// Computes the facts about a subject again if they changed, and opens it again.
    fn refresh(&mut self, number: usize) {
        let good = self.good();
        let subject = &mut self.subjects[number];
        if !std::mem::take(&mut subject.is_changed) || subject.listed.is_some() {
            return;
        }
        let (red_tonight, green_last, is_new) = (subject.red_tonight, subject.green_last, subject.is_new(good));
        let given = Given { bad: self.ends.bad, red_tonight, green_last, is_new };
        let (facts, older) = Facts::of(&subject.evidence, (&self.past, &self.pasts), given, &self.untestable);
        if *subject.facts != facts || subject.belief.is_none() {
            subject.facts = Arc::new(facts);
        }
        subject.older = older;
        subject.decision = Decision::Open(Vec::new());
    }

    fn belief(&mut self, number: usize, decided: &Arc<Decided>) -> Arc<Belief> {
        let key = (Arc::clone(&self.subjects[number].facts), Arc::clone(decided));
        let Triage { past, pasts, shares, beliefs, cells, .. } = self;
        let belief = beliefs.entry(key).or_insert_with_key(|(facts, decided)| {
            let cells = cells.entry(Arc::clone(facts)).or_insert_with(|| Arc::new(Cells::new(past, pasts, facts)));
            Arc::new(Belief::new(past, Arc::clone(cells), facts, &prior(shares, decided)))
        });
        Arc::clone(belief)
    }

    fn decide(&self, number: usize, belief: &Belief, is_shared: &dyn Fn(usize) -> bool) -> Decision {
        let subject = &self.subjects[number];
        let case = Case {
            graph: &self.graph,
            past: &self.past,
            belief,
            evidence: &subject.evidence,
            bad: self.ends.bad,
            good: self.good(),
            confidence: self.config.confidence,
            red_tonight: subject.red_tonight,
            is_new: subject.is_new(self.good()),
            is_shared,
            is_unresolved: &|node| self.is_silent(node) || subject.evidence.is_unresolved(node),
        };
        case.decide()
    }
}
