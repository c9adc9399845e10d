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

/// Options of a [`Run`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunOptions {
    /// The maximum number of parallel tests, at least 1. Default: 1.
    pub jobs: usize,
    /// The maximum number of consecutive [retries](Run::retry) of one target. Default: 3.
    pub retries: u32,
    /// The budget, or `None` to keep the budget of the search.
    pub budget: Option<Budget>,
    /// The maximum time that useless tests can delay the confirmation of a result, unless some test took longer. Default: 5
    /// seconds.
    #[serde(skip)]
    pub lingering: Duration,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions { jobs: 1, retries: 3, budget: None, lingering: Duration::from_secs(5) }
    }
}

/// The progress of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// The status of the search.
    pub status: Status,
    /// The number of outcomes that cost a run.
    pub runs: u64,
    /// The number of outcomes of probes, including outcomes that cost no run.
    pub asked: u64,
    /// The number of probes in flight.
    pub in_flight: usize,
    /// The current revision and the size of the patch there, or `None` if the search carries no patch.
    pub carrying: Option<Carrying>,
    /// The number of suspects, or `None` if it is unknown.
    pub suspects: Option<usize>,
    /// The remaining work, or `None` if it is unknown or the search is done.
    pub forecast: Option<Forecast>,
    /// The best result so far, as text with abbreviated ids. `None` if there is no result yet.
    pub best: Option<String>,
}

/// The largest history in which a run looks ahead. In a larger one, looking ahead would delay outcomes.
const LARGE: usize = 100_000;

/// The number of times that a search may ask for a target and drop it again before the next outcome.
const MOST_USELESS: u32 = 16;

/// A run of a search: a driver's decisions about probes, which do not depend on how tests are run.
///
/// The host, such as a thread pool or an event loop, tests the probes that it [takes](Run::take) and reports their outcomes. A
/// `Run` never waits and never runs a test. All methods must be called with the same search.
#[derive(Debug)]
pub struct Run {
    options: RunOptions,
    /// Probes in flight since an earlier run that this run has not handed out.
    adopted: VecDeque<Probe>,
    /// The probes that the host has, oldest first.
    out: Vec<u64>,
    /// Cancelled probes whose tests have not ended. They still occupy places.
    lingering: Vec<u64>,
    /// The start times of the tests in `out`.
    began: HashMap<u64, Instant>,
    slowest: Duration,
    /// When a confirming run started to wait for useless tests.
    waiting: Option<Instant>,
    /// The number of consecutive retries by target.
    rows: HashMap<Target, u32>,
    /// The number of useless probes by target since the last outcome.
    useless: HashMap<Target, u32>,
    /// `None` if the forecast must be computed again.
    forecast: Option<Option<Forecast>>,
    /// The best result since the last outcome, or `None` if it must be computed again.
    best: Option<Option<String>>,
    /// The number of outcomes when the run last looked ahead, or `None` before the first time.
    looked_ahead: Option<u64>,
    /// The guard that keeps other runs from driving the search until all probes are given back.
    driving: Option<Driving>,
}

impl Run {
    /// The maximum time of a forecast, by the host's clock.
    pub const PATIENCE: Duration = Duration::from_millis(50);

    /// The time after which the host makes [`Run::take`] return, by its clock, to check for signals and the budget.
    pub const SLICE: Duration = Duration::from_millis(20);

    /// The time that the host waits for an outcome before it calls [`Run::upcoming`], by its clock. Looking ahead must not delay
    /// short tests.
    pub const BEFORE_UPCOMING: Duration = Duration::from_millis(250);

    /// Starts a run. The run takes over probes in flight, for example after a restore or if the last driver was killed.
    ///
    /// If a reduction ended because all items together lacked the property, the run takes back that outcome and asks again. The
    /// machine, a variable, or the network may have been the reason.
    ///
    /// # Errors
    /// - [`Error::InvalidArgument`] if `jobs` is 0.
    /// - [`Error::SearchInUse`] if another run drives the search. Drop that run or [give back](Run::give_back) its probes first.
    /// - The errors of [`Search::set_budget`] and [`Search::undo`].
    pub fn new(search: &mut dyn Search, options: RunOptions) -> Result<Self, Error> {
        if options.jobs == 0 {
            return Err(Error::invalid("jobs", options.jobs, "at least 1"));
        }
        let driving = search.begin_driving()?;
        if let Some(budget) = options.budget {
            search.set_budget(budget)?;
        }
        // Outcomes told without a probe stay, because asking would give the same outcomes.
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
            useless: HashMap::new(),
            forecast: None,
            best: None,
            looked_ahead: None,
            driving: Some(driving),
        })
    }

    /// Returns whether the run is over. If `is_late` is true, the time budget is used up, and the search is stopped.
    ///
    /// # Errors
    /// The errors of [`Search::stop`].
    pub fn over(&mut self, search: &mut dyn Search, is_late: bool) -> Result<bool, Error> {
        if is_late {
            search.stop(StopReason::Budget)?;
        }
        Ok(search.is_done())
    }

    /// Returns probes for the free places, probes of an earlier run first. Probes of an earlier run that are no longer wanted are
    /// abandoned. Serve the [reads](Search::reads) of the search before this call.
    ///
    /// The list is empty if outcomes must come first or no place is free. Many outcomes can be known without a run. `take` calls
    /// `keep_going` between them, which must return false after [`Run::SLICE`]. The list can then be empty although no probe is
    /// in flight. Call `take` again.
    ///
    /// # Errors
    /// - [`Error::InvalidArgument`] for `reader`, if a read must be served first.
    /// - [`Error::Internal`] if nothing is in flight and the search asks for nothing.
    /// - The errors of [`Search::ask`] and [`Search::abandon`].
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
        // Cancelled tests no longer occupy all places.
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

    /// Returns how long the host waits for outcomes before it calls [`Run::take`] again. `None` means no time limit.
    #[must_use]
    pub fn patience(&self) -> Option<Duration> {
        let left = self.slowest.max(self.options.lingering).checked_sub(self.waiting?.elapsed())?;
        Some(left).filter(|left| !left.is_zero())
    }

    /// Returns the number of tests that can start. One test can start even if cancelled tests occupy all places, because they may
    /// never end.
    fn places(&self) -> usize {
        let free = self.options.jobs.saturating_sub(self.out.len() + self.lingering.len());
        if self.out.is_empty() { free.max(1) } else { free }
    }

    /// Tells an outcome to the search and returns whether it counts. The outcome of a [cancelled](Run::cancelled) probe does not
    /// count, because its test was stopped. It only frees the place. An outcome resets the retries of its target.
    ///
    /// # Errors
    /// The errors of [`Search::tell`]. The probe then stays in flight.
    pub fn answered(&mut self, search: &mut dyn Search, id: u64, observation: Observation) -> Result<bool, Error> {
        if self.ended(id) {
            return Ok(false);
        }
        // Most runs have no retries.
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
        self.useless.clear();
        Ok(true)
    }

    /// Gives back a probe whose worker failed, so that the search asks again. Returns false if its target has no retries left.
    /// The host then raises the error of the worker. For a [cancelled](Run::cancelled) probe, this only frees the place.
    ///
    /// # Errors
    /// The errors of [`Search::abandon`].
    pub fn retry(&mut self, search: &mut dyn Search, id: u64) -> Result<bool, Error> {
        if self.ended(id) {
            return Ok(true);
        }
        let target = target(search, id);
        search.abandon(id)?;
        self.began.remove(&id);
        self.out.retain(|&other| other != id);
        // Another caller may have taken back the probe.
        let Some(target) = target else { return Ok(true) };
        let row = self.rows.entry(target).or_default();
        *row += 1;
        Ok(*row <= self.options.retries)
    }

    /// Returns the probes whose outcomes can no longer change the result. The host tries to stop their tests. If a test stops,
    /// the host reports its probe as [cancelled](Run::cancelled). Otherwise, the probe stays in flight and its outcome counts.
    ///
    /// # Errors
    /// Errors do not occur for the search of this run.
    pub fn useless(&self, search: &dyn Search) -> Result<Vec<u64>, Error> {
        search.useless(&self.out)
    }

    /// Gives up a probe whose test was told to stop. The test occupies a place until it [has ended](Run::ended).
    ///
    /// # Errors
    /// - [`Error::Internal`] if the search asks for the same target again and again and never waits for its outcome.
    /// - The errors of [`Search::abandon`].
    pub fn cancelled(&mut self, search: &mut dyn Search, id: u64) -> Result<(), Error> {
        let target = target(search, id);
        search.abandon(id)?;
        self.began.remove(&id);
        if let Some(place) = self.out.iter().position(|&other| other == id) {
            self.out.remove(place);
            self.lingering.push(id);
        }
        let Some(target) = target else { return Ok(()) };
        let count = self.useless.entry(target.clone()).or_default();
        *count += 1;
        match *count {
            ..=MOST_USELESS => Ok(()),
            _ => Err(unwanted(&target)),
        }
    }

    /// Frees the place of a [cancelled](Run::cancelled) probe whose test has ended. Returns false if the probe was not cancelled.
    /// The host must then report its outcome.
    pub fn ended(&mut self, id: u64) -> bool {
        let place = self.lingering.iter().position(|&other| other == id);
        place.map(|place| self.lingering.swap_remove(place)).is_some()
    }

    /// Gives back all probes at the end of a run. Report outcomes before this call, and stop running tests after it. The other
    /// probes count as [cancelled](Run::cancelled).
    ///
    /// # Errors
    /// The first error of [`Search::abandon`], after all probes were tried. The error that ended the run is more important.
    /// The next run of the journal still finds the probes in flight.
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

    /// Returns the targets that will probably be taken next, the most likely first. A host can prepare them while tests run.
    ///
    /// The run looks ahead once after each outcome and returns an empty list in between. The list is always empty for reductions
    /// and in very large histories.
    ///
    /// # Errors
    /// The errors of [`Inspect::upcoming`](super::Inspect::upcoming).
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

    /// Returns the progress of the run. The forecast is computed again after each outcome. `keep_going` must return false after
    /// [`Run::PATIENCE`] to stop the computation.
    ///
    /// # Errors
    /// The errors of [`Inspect::forecast`](super::Inspect::forecast).
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

/// Returns the target of a probe, or `None` if the probe is not in flight.
fn target(search: &dyn Search, id: u64) -> Option<Target> {
    search.in_flight().into_iter().find(|probe| probe.id == id).map(|probe| probe.target)
}

/// Returns the error for a search that drops every target that it asks for.
fn unwanted(target: &Target) -> Error {
    let message = format!("the search asked for {target} {MOST_USELESS} times and never waited for the outcome");
    Error::Internal { message }
}

/// Returns the error for a search that cannot continue.
fn stuck(search: &dyn Search) -> Error {
    match search.reads().first() {
        Some(read) => Error::InvalidArgument {
            argument: "reader".to_owned(),
            value: "nothing".to_owned(),
            expected: format!("a repository, or a function that returns {}", read.request),
        },
        None => {
            let message = "the search is not done, asks for nothing and waits for nothing".to_owned();
            Error::Internal { message }
        }
    }
}
