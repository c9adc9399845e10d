//! What drivers decide, whatever they run tests with: threads, promises, processes, a person.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::carrying::Carrying;
use super::drive::{Driving, Search};
use super::event::StopReason;
use super::forecast::Forecast;
use super::observation::Observation;
use super::probe::Probe;
use super::space::World;
use super::status::Status;
use super::target::Target;
use crate::error::Error;
use crate::words::printable::short;

/// How a search is driven.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunOptions {
    /// How many tests may run side by side, at least 1. Default: 1.
    pub jobs: usize,
    /// How often in a row one target is asked again after a [retry](Run::retry). Default: 3.
    pub retries: u32,
    /// What may be spent; `None` if the search's own budget stays.
    pub budget: Option<Budget>,
    /// How long useless tests may delay the confirmation of a result, if no test took longer. Default: 5 seconds.
    #[serde(skip)]
    pub lingering: Duration,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions { jobs: 1, retries: 3, budget: None, lingering: Duration::from_secs(5) }
    }
}

/// Where a run stands, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// Where the search stands.
    pub status: Status,
    /// How many answers cost a run.
    pub runs: u64,
    /// How many answers came to probes, those that cost no run included.
    pub asked: u64,
    /// How many probes are out now.
    pub in_flight: usize,
    /// Where the search stands and how large the patch is that it carries there; `None` if it carries none.
    pub carrying: Option<Carrying>,
    /// How many revisions can still be blamed; `None` if that is not known.
    pub suspects: Option<usize>,
    /// What is still to come; `None` if that is not known, or nothing is to come.
    pub forecast: Option<Forecast>,
    /// The best answer so far in words, with short ids; `None` if there is none.
    pub best: Option<String>,
}

/// In a history of more revisions looking ahead would hold up answers.
const LARGE: usize = 100_000;

/// One run of a search: which probes are out, which of them are asked again, dropped or given back.
///
/// A host (a thread pool, an event loop) tests what it [takes](Run::take) and says what became of it: nothing here waits, and
/// nothing here runs a test. Every method gets the same search.
#[derive(Debug)]
pub struct Run {
    options: RunOptions,
    /// In flight since an earlier run, and not handed out in this one.
    adopted: VecDeque<Probe>,
    /// Probes with the host, oldest first.
    out: Vec<u64>,
    /// Probes given up whose tests have not ended yet: they hold their places.
    lingering: Vec<u64>,
    /// The start times of the tests of `out`.
    began: HashMap<u64, Instant>,
    slowest: Duration,
    /// When a confirming run started to wait for useless tests.
    waiting: Option<Instant>,
    /// How often in a row targets were asked again.
    rows: HashMap<Target, u32>,
    /// `None` if it is to be made anew.
    forecast: Option<Option<Forecast>>,
    /// The best answer since the last one came; `None` if nobody has asked for it.
    best: Option<Option<String>>,
    /// After how many answers it was looked ahead; `None` if it was not yet.
    looked_ahead: Option<u64>,
    /// The guard that keeps other runs from driving the search until all probes are given back.
    driving: Option<Driving>,
}

impl Run {
    /// How long a forecast may take, by the host's clock.
    pub const PATIENCE: Duration = Duration::from_millis(50);

    /// How long the host lets [`Run::take`] continue, by its clock, before it checks for signals and the budget.
    pub const SLICE: Duration = Duration::from_millis(20);

    /// How long the host waits for an answer before it asks what is [upcoming](Run::upcoming), by its clock: what ends sooner is
    /// not to be held up by that.
    pub const BEFORE_UPCOMING: Duration = Duration::from_millis(250);

    /// Begins a run. What the search has in flight (it was restored, or its driver was killed) is taken over. A reduction whose
    /// items together were not seen to have the property has no other answer: that one is taken back and asked for again, because
    /// the machine, a variable or the network may have been the reason.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if `jobs` is 0. [`Error::SearchInUse`] if another run drives the search: [give
    /// back](Run::give_back) the probes of that run first, or drop it. Also the errors of [`Search::set_budget`] and
    /// [`Search::undo`].
    pub fn new(search: &mut dyn Search, options: RunOptions) -> Result<Self, Error> {
        if options.jobs == 0 {
            return Err(Error::invalid("jobs", options.jobs, "at least 1"));
        }
        let driving = search.begin_driving()?;
        if let Some(budget) = options.budget {
            search.set_budget(budget)?;
        }
        // What was known without a probe stays: asking would tell the same.
        let asked = u32::try_from(search.asked()).unwrap_or(u32::MAX);
        let is_reduction = matches!(search.inspect().world(), World::Items(_));
        if is_reduction && search.status() == Status::NotReproduced && asked > 0 {
            search.undo(asked)?;
        }
        let adopted = search.in_flight().into();
        Ok(Run {
            options,
            adopted,
            out: Vec::new(),
            lingering: Vec::new(),
            began: HashMap::new(),
            slowest: Duration::ZERO,
            waiting: None,
            rows: HashMap::new(),
            forecast: None,
            best: None,
            looked_ahead: None,
            driving: Some(driving),
        })
    }

    /// Whether there is nothing more to do. A search whose time is up (`is_late`) ends with that.
    ///
    /// # Errors
    /// Those of [`Search::stop`].
    pub fn over(&mut self, search: &mut dyn Search, is_late: bool) -> Result<bool, Error> {
        if is_late {
            search.stop(StopReason::Budget)?;
        }
        Ok(search.is_done())
    }

    /// Probes for the places that are free, those taken over first; what is not wanted of them is abandoned. Empty when
    /// answers must come first, or no place is free. Answer what the search has to [read](Search::reads) before.
    ///
    /// Many outcomes can be known without a run. `take` calls `keep_going` between them, which must return false after
    /// [`Run::SLICE`]. Then the result can be empty although no probe is in flight. Call `take` again.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `reader` if nothing can go on before a read is answered; [`Error::Internal`] if the
    /// search asks for nothing though nothing is out; those of [`Search::ask`] and [`Search::abandon`].
    pub fn take(&mut self, search: &mut dyn Search, keep_going: &mut dyn FnMut() -> bool) -> Result<Vec<Probe>, Error> {
        let mut is_cut_short = false;
        let mut going = || {
            let goes_on = keep_going();
            is_cut_short |= !goes_on;
            goes_on
        };
        let free = self.places();
        let mut probes = Vec::new();
        while probes.len() < free
            && let Some(probe) = self.adopted.pop_front()
        {
            if search.wanted(probe.id)? {
                self.out.push(probe.id);
                probes.push(probe);
            } else {
                search.abandon(probe.id)?;
            }
        }
        let must_wait = self.must_wait(search)?;
        // The tests that it gave up no longer hold all places.
        let free = self.places();
        if !must_wait && free > 0 {
            for probe in search.ask_while(free, &mut going)? {
                self.out.push(probe.id);
                probes.push(probe);
            }
        }
        if self.out.is_empty() && !is_cut_short && !must_wait && !search.is_done() {
            return Err(stuck(search));
        }
        self.began.extend(probes.iter().map(|probe| (probe.id, Instant::now())));
        Ok(probes)
    }

    /// Whether the confirmation of a result must wait for useless tests, which could disturb it. After as long as the
    /// slowest test took, the run gives up these tests.
    fn must_wait(&mut self, search: &mut dyn Search) -> Result<bool, Error> {
        let is_confirming = search.inspect().is_confirming();
        let others = if is_confirming { self.useless(search)? } else { Vec::new() };
        if !is_confirming || (others.is_empty() && self.lingering.is_empty()) {
            self.waiting = None;
            return Ok(false);
        }
        self.waiting.get_or_insert_with(Instant::now);
        if self.patience().is_some() {
            return Ok(true);
        }
        for id in others {
            self.cancelled(search, id)?;
        }
        Ok(false)
    }

    /// Returns how long the host waits for results before it calls [`Run::take`] again. Returns `None` if it waits for a
    /// result however long that takes.
    #[must_use]
    pub fn patience(&self) -> Option<Duration> {
        let left = self.slowest.max(self.options.lingering).checked_sub(self.waiting?.elapsed())?;
        Some(left).filter(|left| !left.is_zero())
    }

    /// How many tests may begin. If all that run were given up, one always may: nobody can say when they end.
    fn places(&self) -> usize {
        let free = self.options.jobs.saturating_sub(self.out.len() + self.lingering.len());
        if self.out.is_empty() { free.max(1) } else { free }
    }

    /// Passes an answer on, and says whether it counts: the test of a [cancelled](Run::cancelled) probe was told to stop,
    /// so that what it says is not to be trusted; it only frees its place. An answer ends the row of retries of its target.
    ///
    /// # Errors
    /// Those of [`Search::tell`]; the probe is still out then.
    pub fn answered(&mut self, search: &mut dyn Search, id: u64, observation: Observation) -> Result<bool, Error> {
        if self.ended(id) {
            return Ok(false);
        }
        // Most runs have no retries, and need not look.
        let target = if self.rows.is_empty() { None } else { target(search, id) };
        search.tell(id, observation)?;
        self.out.retain(|&other| other != id);
        if let Some(began) = self.began.remove(&id) {
            self.slowest = self.slowest.max(began.elapsed());
        }
        if let Some(target) = target {
            self.rows.remove(&target);
        }
        (self.forecast, self.best) = (None, None);
        Ok(true)
    }

    /// Gives a probe back whose worker failed, to be asked again. False if that was too often in a row for its target: then
    /// the host raises what the test ended with. Of a [cancelled](Run::cancelled) probe it only frees the place.
    ///
    /// # Errors
    /// Those of [`Search::abandon`].
    pub fn retry(&mut self, search: &mut dyn Search, id: u64) -> Result<bool, Error> {
        if self.ended(id) {
            return Ok(true);
        }
        let target = target(search, id);
        search.abandon(id)?;
        self.began.remove(&id);
        self.out.retain(|&other| other != id);
        // What somebody else took back meanwhile is none of this run's.
        let Some(target) = target else { return Ok(true) };
        let row = self.rows.entry(target).or_default();
        *row += 1;
        Ok(*row <= self.options.retries)
    }

    /// The probes that are out and whose answers could not change anything any more. The host tries to end the test of each:
    /// if it can, the probe is [cancelled](Run::cancelled); if not, it stays out, and its answer counts.
    ///
    /// # Errors
    /// None for a search that knows its probes.
    pub fn useless(&self, search: &dyn Search) -> Result<Vec<u64>, Error> {
        search.useless(&self.out)
    }

    /// Gives up a probe whose test was told to stop. It holds its place until the test [has ended](Run::ended).
    ///
    /// # Errors
    /// Those of [`Search::abandon`].
    pub fn cancelled(&mut self, search: &mut dyn Search, id: u64) -> Result<(), Error> {
        search.abandon(id)?;
        self.began.remove(&id);
        if let Some(place) = self.out.iter().position(|&other| other == id) {
            self.out.remove(place);
            self.lingering.push(id);
        }
        Ok(())
    }

    /// Frees the place of a test that has ended, however it did. False if its probe was not [cancelled](Run::cancelled):
    /// then it is out as before, and what became of it matters.
    pub fn ended(&mut self, id: u64) -> bool {
        let place = self.lingering.iter().position(|&other| other == id);
        place.map(|place| self.lingering.swap_remove(place)).is_some()
    }

    /// Gives back all that is in flight, at the end of a run, whatever ended it: say what came by then first, and stop what
    /// still runs afterwards. The rest counts as [cancelled](Run::cancelled).
    ///
    /// # Errors
    /// The first of those of [`Search::abandon`], after all was tried. It is no match for what ended the run: whoever opens
    /// the journal finds the probes in flight.
    pub fn give_back(&mut self, search: &mut dyn Search) -> Result<(), Error> {
        self.driving = None;
        self.adopted.clear();
        self.lingering.append(&mut self.out);
        let mut first = Ok(());
        for probe in search.in_flight() {
            let abandoned = search.abandon(probe.id);
            first = first.and(abandoned);
        }
        first
    }

    /// What will likely be taken next, the likeliest first, so that it can be made ready while tests run; each answer is looked
    /// ahead of once, and then there is nothing more until one has come. Empty for searches that are no histories, and in
    /// histories that are too large for that.
    ///
    /// # Errors
    /// Those of [`Inspect::upcoming`](super::Inspect::upcoming).
    pub fn upcoming(&mut self, search: &dyn Search) -> Result<Vec<Target>, Error> {
        let answers = search.asked();
        if self.looked_ahead == Some(answers) || self.out.is_empty() {
            return Ok(Vec::new());
        }
        self.looked_ahead = Some(answers);
        match search.inspect().world() {
            World::History(graph) if graph.len() <= LARGE => search.inspect().upcoming(),
            _ => Ok(Vec::new()),
        }
    }

    /// Where the run stands, for whoever listens. What is to come is reckoned anew after each answer; `keep_going` ends that
    /// early, and is to say no after [`Run::PATIENCE`].
    ///
    /// # Errors
    /// Those of [`Inspect::forecast`](super::Inspect::forecast).
    pub fn progress(&mut self, search: &dyn Search, keep_going: &mut dyn FnMut() -> bool) -> Result<Progress, Error> {
        let forecast = match self.forecast {
            _ if search.is_done() => None,
            Some(known) => known,
            None => search.inspect().forecast(self.options.jobs, keep_going)?,
        };
        self.forecast = Some(forecast);
        let written = || {
            let parts = search.inspect().best(&mut |revision| short(revision).to_owned());
            (!parts.is_empty()).then(|| parts.join("; "))
        };
        let best = self.best.get_or_insert_with(written).clone();
        let suspects = search.inspect().suspects().map(|suspects| suspects.count_ones(..));
        Ok(Progress {
            status: search.status(),
            runs: search.runs(),
            asked: search.asked(),
            in_flight: self.out.len(),
            carrying: search.inspect().carrying(),
            suspects,
            forecast,
            best,
        })
    }
}

/// What a probe in flight tests; `None` if it is not in flight.
fn target(search: &dyn Search, id: u64) -> Option<Target> {
    search.in_flight().into_iter().find(|probe| probe.id == id).map(|probe| probe.target)
}

/// Why nothing can go on.
fn stuck(search: &dyn Search) -> Error {
    match search.reads().first() {
        Some(read) => Error::InvalidArgument {
            argument: "reader".to_owned(),
            value: "nothing".to_owned(),
            expected: format!("a repository, or a function that gives {}: the search has to see it", read.request),
        },
        None => {
            let message = "the search is not done, asks for nothing and waits for nothing".to_owned();
            Error::Internal { message }
        }
    }
}
