//! A session as a search: every step is recorded.

use firstbad::{Budget, Driving, Error, Event, Inspect, Observation, Probe, Read, Search, Status, StopReason, Target};

use crate::session::Session;

impl Search for Session {
    fn begin_driving(&mut self) -> Result<Driving, Error> {
        self.search.begin_driving()
    }

    fn ask(&mut self, k: usize) -> Result<Vec<Probe>, Error> {
        self.lend(k, None)
    }

    fn ask_while(&mut self, k: usize, keep_going: &mut dyn FnMut() -> bool) -> Result<Vec<Probe>, Error> {
        self.lend_while(k, None, keep_going)
    }

    fn tell(&mut self, id: u64, observation: Observation) -> Result<(), Error> {
        self.check_open()?;
        let kept = self.shared.is_some().then(|| observation.clone());
        let before = self.search.runs();
        let told = self.search.tell(id, observation);
        let mut answered = Ok(());
        if told.is_ok() {
            self.leases.remove(&id);
            if let (Some(shared), Some(kept)) = (&mut self.shared, &kept) {
                answered = shared.answered(self.search.as_mut(), id, kept);
            }
        }
        let written = self.commit();
        if let (Some(shared), Some(kept)) = (&mut self.shared, kept)
            && self.search.runs() > before
        {
            shared.keep(id, &kept);
        }
        written.and(told).and(answered)
    }

    fn abandon(&mut self, id: u64) -> Result<(), Error> {
        self.check_open()?;
        self.give_up(id)?;
        self.commit()
    }

    fn observe(&mut self, target: &Target, observation: Observation) -> Result<(), Error> {
        self.check_open()?;
        self.search.observe(target, observation)?;
        self.commit()
    }

    fn enqueue(&mut self, target: &Target) -> Result<(), Error> {
        self.check_open()?;
        self.search.enqueue(target)?;
        self.commit()
    }

    fn stop(&mut self, reason: StopReason) -> Result<(), Error> {
        self.check_open()?;
        self.search.stop(reason)?;
        self.commit()
    }

    fn undo(&mut self, answers: u32) -> Result<(), Error> {
        self.check_open()?;
        self.search.undo(answers)?;
        self.read_shared();
        self.commit()
    }

    fn apply(&mut self, event: &Event) -> Result<(), Error> {
        self.check_open()?;
        self.search.apply(event)?;
        match event {
            Event::Undone { .. } => self.read_shared(),
            _ => self.find_waiting(),
        }
        self.commit()
    }

    fn apply_all(&mut self, events: &mut dyn Iterator<Item = &Event>) -> Result<(), Error> {
        self.check_open()?;
        let applied = self.search.apply_all(events);
        self.read_shared();
        self.commit()?;
        applied
    }

    fn reads(&self) -> Vec<Read> {
        self.search.reads()
    }

    fn give(&mut self, id: u64, content: &[u8]) -> Result<(), Error> {
        self.check_open()?;
        self.search.give(id, content)?;
        self.commit()
    }

    fn resume(&mut self) -> Result<(), Error> {
        self.check_open()?;
        self.search.resume()?;
        self.commit()
    }

    fn set_budget(&mut self, budget: Budget) -> Result<(), Error> {
        self.check_open()?;
        self.search.set_budget(budget)?;
        self.commit()
    }

    fn useless(&self, ids: &[u64]) -> Result<Vec<u64>, Error> {
        match &self.shared {
            Some(shared) => shared.useless(self.search.as_ref(), ids),
            None => self.search.useless(ids),
        }
    }

    fn status(&self) -> Status {
        self.search.status()
    }

    /// Returns the probes in flight, except those that wait for another probe with the same files.
    fn in_flight(&self) -> Vec<Probe> {
        let mut probes = self.search.in_flight();
        if let Some(shared) = &self.shared {
            probes.retain(|probe| !shared.waits(probe.id));
        }
        probes
    }

    fn runs(&self) -> u64 {
        self.search.runs()
    }

    fn asked(&self) -> u64 {
        self.search.asked()
    }

    fn fresh(&self) -> Result<Box<dyn Search>, Error> {
        self.search.fresh()
    }

    fn inspect(&self) -> &dyn Inspect {
        self.search.inspect()
    }
}
