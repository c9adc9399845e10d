//! Shares outcomes between searches through a cache.

use firstbad::search::{Answer, answers};
use firstbad::{Error, Event, Observation, OutcomeCache, Probe, Search, Target, printable};
use hashbrown::{HashMap, HashSet};

use crate::duplicates::Duplicates;

/// The number of attempts to find a probe to run while another one is in flight. If nearly all next probes are known or
/// duplicates, looking further ahead takes longer than waiting.
const IN_VAIN: usize = 8;

/// A cache, and the outcomes that this search has used from it.
pub(crate) struct SharedOutcomes {
    cache: Box<dyn OutcomeCache>,
    /// Whether the search can run a revision repeatedly, because outcomes vary.
    repeats: bool,
    /// For each key, the number of its outcomes that the search was told, because each counts once. If outcomes do not vary, for
    /// each key and target, because one outcome then counts for all targets with the same key.
    used: HashMap<(String, Option<Target>), usize>,
    /// The outcomes that this search was told, by key, if outcomes do not vary.
    own: HashMap<String, Observation>,
    /// The targets of the probes in flight.
    asked: HashMap<u64, Target>,
    /// The probes in flight with the same files.
    duplicates: Duplicates,
    /// The targets with known outcomes, if outcomes do not vary.
    known: HashSet<Target>,
    /// The reason why the cache is no longer used.
    trouble: Option<String>,
}

impl SharedOutcomes {
    /// Creates the state for a search, which may have outcomes already.
    pub(crate) fn new(cache: Box<dyn OutcomeCache>, search: &dyn Search) -> SharedOutcomes {
        let mut shared = SharedOutcomes {
            cache,
            repeats: search.inspect().repeats(),
            used: HashMap::new(),
            own: HashMap::new(),
            asked: HashMap::new(),
            duplicates: Duplicates::default(),
            known: HashSet::new(),
            trouble: None,
        };
        shared.read(search);
        shared
    }

    /// Records the outcomes that the search has so far. Outcomes that were taken back are not told again.
    pub(crate) fn read(&mut self, search: &dyn Search) {
        self.asked.clear();
        self.used.clear();
        self.own.clear();
        self.known.clear();
        let events = search.inspect().events(0);
        for event in &events {
            match event {
                Event::Asked { id, target, confirms: false } => _ = self.asked.insert(*id, target.clone()),
                Event::Observed { target, .. } => {
                    if let Some(key) = self.cache.key(target) {
                        *self.used.entry(self.place(key, target)).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
        for Answer { target, observation, is_told, .. } in answers(&events) {
            if is_told {
                let key = self.cache.key(target);
                self.add_own(key.as_deref(), observation);
            }
            self.known.insert(target.clone());
        }
        self.find_waiting(search);
    }

    /// Updates which probes in flight wait for another one.
    pub(crate) fn find_waiting(&mut self, search: &dyn Search) {
        self.duplicates = Duplicates::default();
        for probe in search.in_flight() {
            let key = self.cache.key(&probe.target);
            self.begin(key, probe.id);
        }
    }

    /// Returns whether a probe must run: no other probe in flight has the same files, or outcomes vary.
    fn begin(&mut self, key: Option<String>, id: u64) -> bool {
        self.duplicates.begin(key.filter(|_| !self.repeats), id)
    }

    /// Returns the entry that counts the outcomes told for a key and target.
    fn place(&self, key: String, target: &Target) -> (String, Option<Target>) {
        (key, (!self.repeats).then(|| target.clone()))
    }

    /// Records an outcome of this search, if outcomes do not vary.
    fn add_own(&mut self, key: Option<&str>, observation: &Observation) {
        if let (false, Some(key)) = (self.repeats, key)
            && !self.own.contains_key(key)
        {
            self.own.insert(key.to_owned(), observation.clone());
        }
    }

    /// Returns why the cache is no longer used, if so.
    pub(crate) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Stores the outcomes that this search has and the cache lacks. An earlier process may have been killed after it wrote an
    /// outcome to the journal and before it stored the outcome in the cache.
    pub(crate) fn catch_up(&mut self, search: &dyn Search) {
        let events = search.inspect().events(0);
        let mut told: Vec<(String, Vec<&Observation>)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for Answer { target, observation, is_told, confirms } in answers(&events) {
            let is_own = is_told && observation.ran && !confirms;
            if let (true, Some(key)) = (is_own, self.cache.key(target)) {
                let place = *places.entry(key.clone()).or_insert(told.len());
                if place == told.len() {
                    told.push((key, Vec::new()));
                }
                told[place].1.push(observation);
            }
        }
        let kept = told.into_iter().try_for_each(|(key, seen)| {
            // If the cache cannot count its outcomes, assume that it has all of them.
            let kept = self.cache.kept(&key)?.unwrap_or(usize::MAX);
            seen.into_iter().skip(kept).try_for_each(|observation| self.cache.keep(&key, observation))
        });
        self.trouble = kept.err().map(|error: Error| printable(&error.to_string()));
    }

    /// Tells the search the known outcomes of its revisions before it asks.
    pub(crate) fn tell_all(&mut self, search: &mut dyn Search) {
        if self.trouble.is_some() {
            return;
        }
        let targets = self.cache.targets().unwrap_or_else(|error| {
            self.trouble = Some(printable(&error.to_string()));
            Vec::new()
        });
        let mut new = Vec::new();
        for target in targets {
            if !self.repeats && self.known.contains(&target) {
                continue;
            }
            let key = self.cache.key(&target);
            let seen = self.outcomes(key.as_deref(), &target, if self.repeats { usize::MAX } else { 1 });
            new.extend(seen.into_iter().map(|observation| Event::Observed { target: target.clone(), observation }));
        }
        // One call updates the probabilities only once. It stops at a revision of another history, or at an outcome that
        // contradicts the known ones, which is useless here.
        let mut new = new.iter();
        while new.len() > 0 {
            let _ = search.apply_all(&mut new);
        }
        self.known.clear();
    }

    /// Returns probes that the search asks for and whose outcomes are not known. The search receives the known outcomes.
    ///
    /// If another probe in flight tests the same files, a probe waits for its outcome. There may be fewer than `k` probes while
    /// others are in flight, or if `keep_going` returns false.
    ///
    /// # Errors
    /// The errors of [`Search::ask`].
    pub(crate) fn ask(
        &mut self,
        search: &mut dyn Search,
        k: usize,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Probe>, Error> {
        let mut probes: Vec<Probe> = Vec::new();
        let mut in_vain = 0;
        loop {
            let found = probes.len();
            let asked = search.ask(k - probes.len())?;
            if asked.is_empty() {
                return Ok(probes);
            }
            let (mut learnt, mut waits) = (false, false);
            for probe in asked {
                // Only a new run can confirm an outcome. The cache already has the first one.
                if probe.confirms {
                    probes.push(probe);
                    continue;
                }
                let key = self.cache.key(&probe.target);
                match self.outcomes(key.as_deref(), &probe.target, 1).pop() {
                    Some(observation) => {
                        search.abandon(probe.id)?;
                        // The search may reject an outcome that contradicts the known ones.
                        learnt |= search.observe(&probe.target, observation).is_ok();
                    }
                    None => {
                        self.asked.insert(probe.id, probe.target.clone());
                        if self.begin(key, probe.id) {
                            probes.push(probe);
                        } else {
                            waits = true;
                        }
                    }
                }
            }
            if !learnt && !waits {
                return Ok(probes);
            }
            if !probes.is_empty() {
                let useless = self.useless(search, &probes.iter().map(|probe| probe.id).collect::<Vec<_>>())?;
                probes.retain(|probe| !useless.contains(&probe.id));
                useless.iter().try_for_each(|&id| self.abandon(search, id))?;
            }
            in_vain = if probes.len() > found { 0 } else { in_vain + 1 };
            if probes.len() >= k || in_vain >= IN_VAIN && self.is_testing(search) || !keep_going() {
                return Ok(probes);
            }
        }
    }

    /// Returns whether a probe in flight runs and does not wait for another one.
    fn is_testing(&self, search: &dyn Search) -> bool {
        search.in_flight().iter().any(|probe| !self.waits(probe.id))
    }

    /// Returns which of these probes are useless, if all probes that wait for them are also useless.
    ///
    /// # Errors
    /// The errors of [`Search::useless`].
    pub(crate) fn useless(&self, search: &dyn Search, ids: &[u64]) -> Result<Vec<u64>, Error> {
        let groups: Vec<Vec<u64>> = ids.iter().map(|&id| self.duplicates.with_waiting(id)).collect();
        let useless: HashSet<u64> = search.useless(&groups.concat())?.into_iter().collect();
        let are_useless = |group: &&Vec<u64>| group.iter().all(|id| useless.contains(id));
        Ok(groups.iter().filter(are_useless).map(|group| group[0]).collect())
    }

    /// Returns whether a probe waits for the outcome of another one.
    pub(crate) fn waits(&self, id: u64) -> bool {
        self.duplicates.waits(id)
    }

    /// Abandons a probe and those that wait for it.
    ///
    /// # Errors
    /// The errors of [`Search::abandon`].
    pub(crate) fn abandon(&mut self, search: &mut dyn Search, id: u64) -> Result<(), Error> {
        search.abandon(id)?;
        self.duplicates.end(id).into_iter().try_for_each(|other| search.abandon(other))
    }

    /// Uses the accepted outcome of a probe for the probes that wait for it.
    ///
    /// # Errors
    /// The errors of [`Search::abandon`].
    pub(crate) fn answered(
        &mut self,
        search: &mut dyn Search,
        id: u64,
        observation: &Observation,
    ) -> Result<(), Error> {
        for other in self.duplicates.end(id) {
            search.abandon(other)?;
            if let Some(target) = self.asked.get(&other) {
                // The search may reject an outcome that contradicts the known ones.
                let _ = search.observe(target, observation.clone());
            }
        }
        Ok(())
    }

    /// Returns at most `most` outcomes of a target that this search has not been told, in order.
    fn outcomes(&mut self, key: Option<&str>, target: &Target, most: usize) -> Vec<Observation> {
        let Some(key) = key.filter(|_| self.trouble.is_none()) else { return Vec::new() };
        let seen = self.cache.outcomes(key).unwrap_or_else(|error| {
            self.trouble = Some(printable(&error.to_string()));
            Vec::new()
        });
        if self.trouble.is_some() {
            return Vec::new();
        }
        let own = self.own.get(key).cloned();
        let used = self.used.entry(self.place(key.to_owned(), target)).or_default();
        // If the key does not contain the revision, the outcome may come from another revision with the same files.
        let is_own = target.revision.as_deref().is_some_and(|revision| key.contains(revision));
        let reused = |seen| Observation { reused: !is_own, ..seen };
        let next: Vec<_> = own.into_iter().chain(seen).skip(*used).take(most).map(reused).collect();
        *used += next.len();
        next
    }

    /// Stores an outcome that the search has accepted.
    pub(crate) fn keep(&mut self, id: u64, observation: &Observation) {
        let key = self.asked.get(&id).and_then(|target| self.cache.key(target));
        self.add_own(key.as_deref(), observation);
        // An outcome without a run is not worth storing.
        if let (true, None, Some(key)) = (observation.ran, &self.trouble, key)
            && let Err(error) = self.cache.keep(&key, observation)
        {
            self.trouble = Some(printable(&error.to_string()));
        }
    }
}
