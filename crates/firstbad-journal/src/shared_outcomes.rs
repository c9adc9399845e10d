//! Between a search and the outcomes that other searches have paid for.

use firstbad::{Error, Event, Inspect, Observation, OutcomeCache, Probe, Search, Target};
use hashbrown::{HashMap, HashSet};

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
    /// What this search knows, where answers do not vary.
    known: HashSet<Target>,
    /// Why the cache is not used any more.
    trouble: Option<String>,
}

impl SharedOutcomes {
    /// A cache for a search that has perhaps come some way.
    pub(crate) fn new(cache: Box<dyn OutcomeCache>, search: &dyn Inspect) -> SharedOutcomes {
        let mut shared = SharedOutcomes {
            cache,
            repeats: search.repeats(),
            used: HashMap::new(),
            own: HashMap::new(),
            asked: HashMap::new(),
            known: HashSet::new(),
            trouble: None,
        };
        for event in search.events(0) {
            match event {
                Event::Asked { id, target } => {
                    shared.asked.insert(id, target);
                }
                Event::Told { id, observation } => {
                    shared.known.extend(shared.asked.get(&id).cloned());
                    let key = shared.asked.get(&id).and_then(|target| shared.cache.key(target));
                    shared.add_own(key.as_deref(), &observation);
                }
                Event::Observed { target, .. } => {
                    if let Some(key) = shared.cache.key(&target) {
                        *shared.used.entry(shared.place(key, &target)).or_default() += 1;
                    }
                    shared.known.insert(target);
                }
                _ => {}
            }
        }
        shared
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

    /// Tells the search what is known of its revisions, before it asks.
    pub(crate) fn tell_all(&mut self, search: &mut dyn Search) {
        let targets = self.cache.targets().unwrap_or_else(|error| {
            self.trouble = Some(error.to_string());
            Vec::new()
        });
        let mut new = Vec::new();
        for target in targets {
            if !self.repeats && self.known.contains(&target) {
                continue;
            }
            let seen = self.outcomes(&target, if self.repeats { usize::MAX } else { 1 });
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

    /// Probes as the search asks for them, without those whose outcome is known: the search is told that.
    ///
    /// # Errors
    /// Those of [`Search::ask`].
    pub(crate) fn ask(&mut self, search: &mut dyn Search, k: usize) -> Result<Vec<Probe>, Error> {
        let mut probes: Vec<Probe> = Vec::new();
        loop {
            let asked = search.ask(k - probes.len())?;
            if asked.is_empty() {
                return Ok(probes);
            }
            let mut learnt = false;
            for probe in asked {
                match self.outcomes(&probe.target, 1).pop() {
                    Some(observation) => {
                        search.abandon(probe.id)?;
                        // One that contradicts what is known is not worth more than a run.
                        learnt |= search.observe(&probe.target, observation).is_ok();
                    }
                    None => {
                        self.asked.insert(probe.id, probe.target.clone());
                        probes.push(probe);
                    }
                }
            }
            if !learnt {
                return Ok(probes);
            }
            let useless = search.useless(&probes.iter().map(|probe| probe.id).collect::<Vec<_>>())?;
            probes.retain(|probe| !useless.contains(&probe.id));
            useless.iter().try_for_each(|&id| search.abandon(id))?;
            if probes.len() >= k {
                return Ok(probes);
            }
        }
    }

    /// At most so many outcomes of a target that this search has not been told, in their order.
    fn outcomes(&mut self, target: &Target, most: usize) -> Vec<Observation> {
        let Some(key) = self.trouble.is_none().then(|| self.cache.key(target)).flatten() else { return Vec::new() };
        let seen = self.cache.outcomes(&key).unwrap_or_else(|error| {
            self.trouble = Some(error.to_string());
            Vec::new()
        });
        if self.trouble.is_some() {
            return Vec::new();
        }
        let own = self.own.get(&key).cloned();
        let used = self.used.entry(self.place(key, target)).or_default();
        let next: Vec<_> = own.into_iter().chain(seen).skip(*used).take(most).collect();
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
            self.trouble = Some(error.to_string());
        }
    }
}
