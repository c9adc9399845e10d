//! Sessions: searches with a journal, leases, and shared outcomes.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use firstbad::metric::Numbers;
use firstbad::reduction::KnownParts;
use firstbad::search::{Algorithm as _, answers};
use firstbad::suite::Triage;
use firstbad::{Budget, ChangeSet, Error, Event, Observation, OutcomeCache, Probe, Search, Target, World};
use hashbrown::HashMap;

use crate::contents::Contents;
use crate::difference;
use crate::disk::{Disk, ThisMachine};
use crate::file::Journal;
use crate::header::Header;
use crate::known;
use crate::options::Options;
use crate::reads;
use crate::record::{Record, now};
use crate::shared_outcomes::SharedOutcomes;
use crate::test::{Claim, Test};

/// The result of opening a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    /// The id of the run, which stays the same each time the run is resumed.
    pub id: String,
    /// Whether the journal already existed.
    pub resumed: bool,
    /// The number of events in the journal.
    pub events: usize,
    /// The number of bytes of an incomplete last line, which was removed, or 0.
    pub torn: usize,
    /// A note about the format of an older journal. See [`Header::format_note`].
    pub format_note: Option<&'static str>,
}

impl Opening {
    /// Describes data that the journal lost, or may have lost unnoticed. Returns `None` if there is nothing to report.
    #[must_use]
    pub fn recovered(&self) -> Option<String> {
        let torn =
            (self.torn > 0).then(|| format!("the last line was incomplete and was dropped ({} bytes)", self.torn));
        let told: Vec<String> = torn.into_iter().chain(self.format_note.map(str::to_owned)).collect();
        (!told.is_empty()).then(|| told.join(". "))
    }
}

/// The start and end of a probe's lease in seconds since 1970, a clock that machines share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lease {
    from: f64,
    until: f64,
}

impl Lease {
    /// Clocks can be adjusted, and those of two machines can differ. A lease that starts further in the future than its length
    /// came from a wrong clock and could last for years.
    fn holds(self, now: f64) -> bool {
        let Lease { from, until } = self;
        now < until && now >= from - (until - from)
    }
}

/// A search with an optional journal, which [`Session::attach`] adds.
pub struct Session {
    pub(crate) search: Box<dyn Search>,
    journal: Option<Journal>,
    header: Option<Header>,
    /// The number of events that are in the journal.
    written: usize,
    /// The leases of probes in flight.
    pub(crate) leases: HashMap<u64, Lease>,
    pub(crate) shared: Option<SharedOutcomes>,
    /// The outcomes of reduced parts that are known without a run.
    parts: Option<KnownParts>,
    /// The journal that was closed.
    closed: Option<String>,
    /// Whether the search continues if the journal fails.
    is_optional: bool,
    /// The reason why there is no journal anymore.
    trouble: Option<String>,
}

impl Session {
    /// Creates a session without a journal.
    #[must_use]
    pub fn new(search: Box<dyn Search>) -> Session {
        Session {
            search,
            journal: None,
            header: None,
            written: 0,
            leases: HashMap::new(),
            shared: None,
            parts: None,
            closed: None,
            is_optional: false,
            trouble: None,
        }
    }

    /// Creates a read-only session from the contents of a journal. The session writes nothing.
    ///
    /// # Errors
    /// The errors of [`Header::search`], and [`Error::Journal`] if an event does not match the search.
    pub fn view(path: &Path, contents: &Contents, world: World) -> Result<Session, Error> {
        let mut session = Session::new(contents.header.search(world)?);
        session.replay(path, contents)?;
        session.header = Some(contents.header.clone());
        Ok(session)
    }

    /// Adds a journal to the search. If the journal exists, it must belong to the same search, which is then resumed.
    ///
    /// # Errors
    /// - [`Error::JournalLocked`] if another process writes to the journal.
    /// - [`Error::Journal`] if the journal belongs to another search, or cannot be read or written. Also if this session already
    ///   has a journal or its search has started.
    pub fn attach(&mut self, path: impl AsRef<Path>, options: &Options) -> Result<Opening, Error> {
        self.attach_on(Arc::new(ThisMachine), path.as_ref(), options)
    }

    /// Like [`Session::attach`], with a journal on any disk.
    pub(crate) fn attach_on(&mut self, disk: Arc<dyn Disk>, path: &Path, options: &Options) -> Result<Opening, Error> {
        let refused = |message: String| Error::Journal { path: path.display().to_string(), message };
        if let Some(journal) = &self.journal {
            return Err(refused(format!("the search already has a journal: {}", journal.path().display())));
        }
        let (path, lock, found) = Journal::lock(path, options.wait)?;
        self.is_optional = options.is_optional;
        let refused = |message: String| Error::Journal { path: path.display().to_string(), message };
        let digest = options.digest.as_deref();
        let Some(contents) = found else {
            let header = Header::of(disk.as_ref(), &path, self.inspect(), options)?;
            self.journal = Some(Journal::begin(disk, path, lock, &header)?);
            let id = header.id.clone();
            self.header = Some(header);
            self.closed = None;
            self.commit()?;
            return Ok(Opening { id, resumed: false, events: 0, torn: 0, format_note: None });
        };
        let difference = difference::between(&path, &contents.header, self.inspect(), digest)?;
        if let Some(difference) = difference {
            return Err(refused(format!(
                "it belongs to another search. {difference}\nhelp: use another journal, or the same search"
            )));
        }
        let claim = contents.header.claim(&path, &options.test)?;
        if self.inspect().event_count() > 0 {
            return Err(refused("both the journal and the search have events\nhelp: use a new search".to_owned()));
        }
        self.replay(&path, &contents)?;
        self.closed = None;
        self.written = self.inspect().event_count();
        self.journal = Some(Journal::go_on(disk, path, lock, &contents)?);
        self.header = Some(contents.header.clone());
        if let Err(error) = self.write_down(claim) {
            self.close();
            return Err(error);
        }
        // A spent budget and a stop do not apply to the resumed search.
        self.search.set_budget(Budget::default())?;
        self.search.resume()?;
        self.commit()?;
        let Contents { header, records, torn, .. } = contents;
        let format_note = header.format_note();
        Ok(Opening { id: header.id, resumed: true, events: records.len(), torn, format_note })
    }

    /// Sets the test that answers the probes from now on, like [`Options::test`]. Has no effect without a journal.
    ///
    /// # Errors
    /// [`Error::Journal`] if the journal belongs to another test, or cannot be written.
    pub fn tested_by(&mut self, given: &Test) -> Result<(), Error> {
        let (Some(journal), Some(header)) = (&self.journal, &self.header) else { return Ok(()) };
        let claim = header.claim(journal.path(), given)?;
        self.write_down(claim)?;
        self.commit()
    }

    /// Returns the duration of the slowest run of the complete set of items, in seconds. In a history, every run of an
    /// unmodified revision counts. Returns `None` if there was no such run.
    #[must_use]
    pub fn seconds_of_whole(&self) -> Option<f64> {
        let events = self.inspect().events(0);
        let count = match self.inspect().world() {
            World::Items(count) => Some(count),
            World::History(_) => None,
        };
        let is_whole = |target: &Target| target.changes.as_ref().map(ChangeSet::len) == count;
        // The duration of a run that timed out is only its time limit.
        let has_ended = |seen: &Observation| seen.signature.as_deref() != Some("timeout");
        let whole = answers(&events)
            .into_iter()
            .filter(|answer| answer.is_told && is_whole(answer.target) && has_ended(answer.observation));
        whole.filter_map(|answer| answer.observation.seconds).max_by(f64::total_cmp)
    }

    fn write_down(&mut self, claim: Claim) -> Result<(), Error> {
        let (Claim::New(test), Some(journal), Some(header)) = (claim, &mut self.journal, &mut self.header) else {
            return Ok(());
        };
        // A journal from elsewhere stays untrusted after this user runs it.
        let is_ours = header.is_ours(journal.path());
        let changed = Header { test, ..header.clone() };
        let changed = if is_ours { changed.marked(journal.path()) } else { changed };
        journal.change_header(&changed)?;
        *header = changed;
        Ok(())
    }

    fn replay(&mut self, path: &Path, contents: &Contents) -> Result<(), Error> {
        let line = Cell::new(1);
        let mut events = contents.records.iter().map(|record| {
            line.set(line.get() + 1);
            &record.event
        });
        self.search.apply_all(&mut events).map_err(|error| Error::Journal {
            path: path.display().to_string(),
            message: format!("line {} does not fit: {}", line.get(), error.message()),
        })?;
        for record in &contents.records {
            match (&record.event, record.until) {
                (Event::Asked { id, .. }, Some(until)) => {
                    self.leases.insert(*id, Lease { from: record.at, until });
                }
                (Event::Told { id, .. } | Event::Abandoned { id }, _) => {
                    self.leases.remove(id);
                }
                _ => {}
            }
        }
        if let Some(parts) = self.parts.take() {
            self.know_parts(parts);
        }
        Ok(())
    }

    /// Writes the new events and waits until they are on disk.
    pub(crate) fn commit(&mut self) -> Result<(), Error> {
        match self.write() {
            Err(error) if self.is_optional => {
                self.trouble = Some(error.to_string());
                self.journal = None;
                Ok(())
            }
            written => written,
        }
    }

    fn write(&mut self) -> Result<(), Error> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let events = self.search.inspect().events(self.written);
        if events.is_empty() {
            return Ok(());
        }
        let at = now();
        let leases = &self.leases;
        let until = |event: &Event| match event {
            Event::Asked { id, .. } => leases.get(id).map(|lease| lease.until),
            _ => None,
        };
        let record = |(place, event): (usize, Event)| Record {
            until: until(&event),
            event,
            at,
            continues: place > 0,
            facts: None,
        };
        let mut records: Vec<Record> = events.into_iter().enumerate().map(record).collect();
        records.iter_mut().try_for_each(|record| reads::keep(journal.disk(), journal.path(), &mut record.event))?;
        let count = records.len();
        journal.append(records)?;
        self.written += count;
        Ok(())
    }

    pub(crate) fn check_open(&self) -> Result<(), Error> {
        match &self.closed {
            Some(path) => {
                let message = "it is closed\nhelp: open it again".to_owned();
                Err(Error::Journal { path: path.clone(), message })
            }
            None => Ok(()),
        }
    }

    /// Returns the path of the journal, if there is one.
    #[must_use]
    pub fn journal(&self) -> Option<&Path> {
        self.journal.as_ref().map(Journal::path)
    }

    /// Returns whether the journal is still at its path and can be resumed.
    #[must_use]
    pub fn journal_is_there(&self) -> bool {
        self.journal.as_ref().is_some_and(Journal::is_there)
    }

    /// Returns why there is no journal anymore. Only an [optional](Options::is_optional) journal can fail like this.
    #[must_use]
    pub fn journal_trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Returns the header of the journal, if there is one.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Releases the journal, so other processes can write to it. The search stays readable.
    pub fn close(&mut self) {
        if let Some(journal) = self.journal.take() {
            self.closed = Some(journal.path().display().to_string());
        }
    }

    /// Shares outcomes with other searches from now on. The search learns the known outcomes of its revisions immediately and
    /// does not ask for other known outcomes. The cache receives the outcomes that the search is told.
    ///
    /// # Errors
    /// [`Error::Journal`](firstbad::Error::Journal) if the outcomes cannot be written. [`Error::InvalidArgument`] if the search tests
    /// several tests at once or measures numbers, because a store has one outcome for each revision.
    pub fn share(&mut self, cache: Box<dyn OutcomeCache>) -> Result<(), Error> {
        self.check_open()?;
        let alone = match self.inspect().algorithm() {
            Triage::NAME => Some("a triage"),
            Numbers::NAME => Some("a search for a change"),
            _ => None,
        };
        if let Some(search) = alone {
            let expected = format!("no store for {search}, because a store has one outcome for each revision");
            return Err(Error::InvalidArgument { argument: "store".to_owned(), value: "a store".to_owned(), expected });
        }
        let cache = match &self.parts {
            Some(parts) => parts.over(Some(cache)),
            None => cache,
        };
        let mut shared = SharedOutcomes::new(cache, self.search.as_ref());
        shared.catch_up(self.search.as_ref());
        shared.tell_all(self.search.as_mut());
        self.shared = Some(shared);
        self.commit()
    }

    /// Uses known outcomes for parts of this reduction instead of asking for them.
    pub fn know_parts(&mut self, parts: KnownParts) {
        self.shared = Some(SharedOutcomes::new(parts.over(None), self.search.as_ref()));
        self.parts = Some(parts);
    }

    /// Returns why outcomes are no longer shared, if so. The search stays correct but may take longer.
    #[must_use]
    pub fn cache_trouble(&self) -> Option<&str> {
        self.shared.as_ref().and_then(SharedOutcomes::trouble)
    }

    /// Tells outcomes that are known before the search starts. A resumed journal does not get outcomes that it already has.
    ///
    /// # Errors
    /// The errors of [`Search::observe`].
    pub fn assume(&mut self, known: &[(Target, Observation)]) -> Result<(), Error> {
        self.check_open()?;
        let told = known::tell(self.search.as_mut(), known);
        self.commit()?;
        told
    }

    /// Asks for probes like [`Search::ask`], and leases them for `lease` seconds. A probe without an outcome by then is handed
    /// out again. A late outcome still counts.
    ///
    /// # Errors
    /// The errors of [`Search::ask`], and [`Error::InvalidArgument`] if `lease` is not a positive number.
    pub fn lend(&mut self, k: usize, lease: Option<f64>) -> Result<Vec<Probe>, Error> {
        self.lend_while(k, lease, &mut || true)
    }

    /// Like [`Session::lend`], but can return early when `keep_going` returns false, as [`Search::ask_while`] does.
    ///
    /// # Errors
    /// The errors of [`Session::lend`].
    pub fn lend_while(
        &mut self,
        k: usize,
        lease: Option<f64>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Probe>, Error> {
        if lease.is_some_and(|lease| !lease.is_finite() || lease <= 0.0) {
            return Err(Error::invalid("lease", lease.unwrap_or(f64::NAN), "seconds, above 0"));
        }
        self.check_open()?;
        self.expire()?;
        let probes = match &mut self.shared {
            Some(shared) => shared.ask(self.search.as_mut(), k, keep_going)?,
            None => self.search.ask_while(k, keep_going)?,
        };
        if let Some(lease) = lease {
            let from = now();
            let lease = Lease { from, until: from + lease };
            self.leases.extend(probes.iter().map(|probe| (probe.id, lease)));
        }
        if let Err(error) = self.commit() {
            // The caller does not receive these probes, so they would stay in flight.
            for probe in &probes {
                self.give_up(probe.id)?;
            }
            return Err(error);
        }
        Ok(probes)
    }

    /// Abandons probes whose leases have ended.
    fn expire(&mut self) -> Result<(), Error> {
        if self.leases.is_empty() {
            return Ok(());
        }
        let now = now();
        let mut expired: Vec<u64> =
            self.leases.iter().filter(|(_, lease)| !lease.holds(now)).map(|(&id, _)| id).collect();
        expired.sort_unstable();
        expired.into_iter().try_for_each(|id| self.give_up(id))
    }

    /// Abandons a probe and its lease.
    pub(crate) fn give_up(&mut self, id: u64) -> Result<(), Error> {
        match &mut self.shared {
            Some(shared) => shared.abandon(self.search.as_mut(), id)?,
            None => self.search.abandon(id)?,
        }
        self.leases.remove(&id);
        Ok(())
    }

    /// Updates the shared outcomes after the search was told or lost outcomes directly.
    pub(crate) fn read_shared(&mut self) {
        if let Some(shared) = &mut self.shared {
            shared.read(self.search.as_ref());
        }
    }

    /// Updates the waiting probes after the probes in flight changed directly.
    pub(crate) fn find_waiting(&mut self) {
        if let Some(shared) = &mut self.shared {
            shared.find_waiting(self.search.as_ref());
        }
    }

    /// Ends all leases. The caller takes over all probes in flight, without a time limit.
    pub fn take_over(&mut self) {
        self.leases.clear();
    }

    /// Returns the end of a probe's lease in seconds since 1970, or `None` if the probe has no lease.
    #[must_use]
    pub fn leased_until(&self, id: u64) -> Option<f64> {
        self.leases.get(&id).map(|lease| lease.until)
    }
}
