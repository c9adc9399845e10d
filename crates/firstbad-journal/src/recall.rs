//! Between a search and the outcomes that other searches have paid for.

use firstbad::{Error, Event, Observation, OutcomeCache, Probe, Search, Target};
use hashbrown::HashMap;

/// A cache, and what this search has had from it.
pub(crate) struct Recall {
    cache: Box<dyn OutcomeCache>,
    /// By key, how many of the outcomes there this search has been told: each counts once.
    used: HashMap<String, usize>,
    /// What the probes test, for their answers to be kept.
    asked: HashMap<u64, Target>,
    /// Why the cache is not used any more.
    trouble: Option<String>,
}

impl Recall {
    /// A cache for a search that has perhaps come some way.
    pub(crate) fn new(cache: Box<dyn OutcomeCache>, search: &dyn Search) -> Recall {
        let mut recall = Recall { cache, used: HashMap::new(), asked: HashMap::new(), trouble: None };
        for event in search.events(0) {
            match event {
                Event::Asked { id, target } => {
                    recall.asked.insert(id, target);
                }
                Event::Observed { target, .. } => recall.spend(&target),
                _ => {}
            }
        }
        recall
    }

    fn spend(&mut self, target: &Target) {
        if let Some(key) = self.cache.key(target) {
            *self.used.entry(key).or_default() += 1;
        }
    }

    /// Why the cache is not used any more, if so.
    pub(crate) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
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
                match self.outcome(&probe.target) {
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
            let (wanted, useless): (Vec<_>, Vec<_>) =
                probes.into_iter().partition(|probe| search.wanted(probe.id).unwrap_or(false));
            probes = wanted;
            useless.iter().try_for_each(|probe| search.abandon(probe.id))?;
            if probes.len() >= k {
                return Ok(probes);
            }
        }
    }

    /// The next outcome of a target that this search has not been told.
    fn outcome(&mut self, target: &Target) -> Option<Observation> {
        let key = self.trouble.is_none().then(|| self.cache.key(target))??;
        let seen = match self.cache.recall(&key) {
            Ok(seen) => seen,
            Err(error) => {
                self.trouble = Some(error.to_string());
                return None;
            }
        };
        let used = self.used.entry(key).or_default();
        let next = seen.into_iter().nth(*used)?;
        *used += 1;
        Some(next)
    }

    /// Keeps an answer that the search has accepted.
    pub(crate) fn keep(&mut self, id: u64, observation: &Observation) {
        let key = self.asked.get(&id).and_then(|target| self.cache.key(target));
        if let (None, Some(key)) = (&self.trouble, key)
            && let Err(error) = self.cache.keep(&key, observation)
        {
            self.trouble = Some(error.to_string());
        }
    }
}
