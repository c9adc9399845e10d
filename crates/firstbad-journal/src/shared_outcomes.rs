//! Between a search and the outcomes that other searches have paid for.

use firstbad::search::{Answer, answers};
use firstbad::{Error, Event, Observation, OutcomeCache, Probe, Search, Target, printable};
use hashbrown::{HashMap, HashSet};

use crate::duplicates::Duplicates;

/// So often the search is asked in vain for what is worth a test while there is one to wait for: looking further ahead then takes
/// longer than that, where nearly all that may come next is known or the same.
const IN_VAIN: usize = 8;

/// A cache, and what this search has had from it.
pub(crate) struct SharedOutcomes {
    cache: Box<dyn OutcomeCache>,
    /// Whether the search may ask the same again, because answers vary.
    repeats: bool,
    /// By key, how many of the outcomes there this search has been told: each counts once. Where answers do not vary, by
    /// key and target: then an outcome goes for all that share the key.
    used: HashMap<(String, Option<Target>), usize>,
    /// What this very search was told, by key, where answers do not vary.
    own: HashMap<String, Observation>,
    /// What the probes test, for their answers to be kept.
    asked: HashMap<u64, Target>,
    /// Which probes in flight are tested, and which wait for the answer of another one.
    duplicates: Duplicates,
    /// What this search knows, where answers do not vary.
    known: HashSet<Target>,
    /// Why the cache is not used any more.
    trouble: Option<String>,
}

impl SharedOutcomes {
    /// A cache for a search that has perhaps come some way.
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

    /// Takes in what the search was told so far. What was taken back is not told again: not what it saw itself, nor what others
    /// saw.
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

    /// Looks anew which of the probes in flight wait for another one.
    pub(crate) fn find_waiting(&mut self, search: &dyn Search) {
        self.duplicates = Duplicates::default();
        for probe in search.in_flight() {
            let key = self.cache.key(&probe.target);
            self.begin(key, probe.id);
        }
    }

    /// Whether a probe is to be tested: no other one in flight tests the same, or answers vary.
    fn begin(&mut self, key: Option<String>, id: u64) -> bool {
        self.duplicates.begin(key.filter(|_| !self.repeats), id)
    }

    /// Where it is counted how many of the outcomes under a key were told.
    fn place(&self, key: String, target: &Target) -> (String, Option<Target>) {
        (key, (!self.repeats).then(|| target.clone()))
    }

    /// Counts an answer among those that this search was told, if answers do not vary.
    fn add_own(&mut self, key: Option<&str>, observation: &Observation) {
        if let (false, Some(key)) = (self.repeats, key)
            && !self.own.contains_key(key)
        {
            self.own.insert(key.to_owned(), observation.clone());
        }
    }

    /// Why the cache is not used any more, if so.
    pub(crate) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Stores the outcomes that this search has and the cache lacks. An earlier process may have been killed after
    /// it wrote an outcome to the journal, before it stored the outcome in the cache.
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

    /// Tells the search what is known of its revisions, before it asks.
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
        // Together: a belief is weighed once. It ends with a revision of another history, or an outcome that contradicts
        // what is known, which is worth nothing here.
        let mut new = new.iter();
        while new.len() > 0 {
            let _ = search.apply_all(&mut new);
        }
        self.known.clear();
    }

    /// Returns probes that the search asks for and whose outcomes are not known. The search receives the known outcomes.
    /// If another probe in flight tests the same files, a probe waits for its outcome. There may be fewer than `k`
    /// probes while others are being tested, or if `keep_going` returns false.
    ///
    /// # Errors
    /// Those of [`Search::ask`].
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
                // Only a new run can confirm an outcome, so the cache is not used. The cache already has the first
                // outcome.
                if probe.confirms {
                    probes.push(probe);
                    continue;
                }
                let key = self.cache.key(&probe.target);
                match self.outcomes(key.as_deref(), &probe.target, 1).pop() {
                    Some(observation) => {
                        search.abandon(probe.id)?;
                        // One that contradicts what is known is not worth more than a run.
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

    /// Whether a probe in flight is tested, and does not wait for another one.
    fn is_testing(&self, search: &dyn Search) -> bool {
        search.in_flight().iter().any(|probe| !self.waits(probe.id))
    }

    /// Those of these probes that are useless, with all that wait for them.
    ///
    /// # Errors
    /// Those of [`Search::useless`].
    pub(crate) fn useless(&self, search: &dyn Search, ids: &[u64]) -> Result<Vec<u64>, Error> {
        let groups: Vec<Vec<u64>> = ids.iter().map(|&id| self.duplicates.with_waiting(id)).collect();
        let useless: HashSet<u64> = search.useless(&groups.concat())?.into_iter().collect();
        let are_useless = |group: &&Vec<u64>| group.iter().all(|id| useless.contains(id));
        Ok(groups.iter().filter(are_useless).map(|group| group[0]).collect())
    }

    /// Whether a probe waits for the answer of another one.
    pub(crate) fn waits(&self, id: u64) -> bool {
        self.duplicates.waits(id)
    }

    /// Gives a probe up, and those that wait for it.
    ///
    /// # Errors
    /// Those of [`Search::abandon`].
    pub(crate) fn abandon(&mut self, search: &mut dyn Search, id: u64) -> Result<(), Error> {
        search.abandon(id)?;
        self.duplicates.end(id).into_iter().try_for_each(|other| search.abandon(other))
    }

    /// Tells the answer of a probe, which the search has accepted, for those that wait for it.
    ///
    /// # Errors
    /// Those of [`Search::abandon`].
    pub(crate) fn answered(
        &mut self,
        search: &mut dyn Search,
        id: u64,
        observation: &Observation,
    ) -> Result<(), Error> {
        for other in self.duplicates.end(id) {
            search.abandon(other)?;
            if let Some(target) = self.asked.get(&other) {
                // One that contradicts what is known is worth nothing.
                let _ = search.observe(target, observation.clone());
            }
        }
        Ok(())
    }

    /// At most so many outcomes of a target that this search has not been told, in their order.
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

    /// Keeps an answer that the search has accepted.
    pub(crate) fn keep(&mut self, id: u64, observation: &Observation) {
        let key = self.asked.get(&id).and_then(|target| self.cache.key(target));
        self.add_own(key.as_deref(), observation);
        // What cost no run is not worth a place.
        if let (true, None, Some(key)) = (observation.ran, &self.trouble, key)
            && let Err(error) = self.cache.keep(&key, observation)
        {
            self.trouble = Some(printable(&error.to_string()));
        }
    }
}
