//! The embargo: results may not leave the server until their sitting is released, and a template with its questions
//! from the moment a sitting names it until its release (`docs/decisions/0045-one-row-ends-an-embargo.md`). It is here,
//! below all features, because every road by which such things leave asks it (`docs/security.md#embargo`).

mod kept_keys;
mod papers;
mod reopened;
mod running;
mod withheld;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use domain::access::Identity;
use domain::grade::Grade;
use domain::session::Session;
use domain::sight::{EmbargoState, OpenResults, Reader, SchoolSight, Sight, StaffSight};
use moka::future::Cache;
use tokio::sync::{Mutex, watch};
use uuid::Uuid;

use super::releases::{self, Withholding};
use crate::clock::Clock;
use crate::database::{Database, in_time};
use crate::error::{Error, UNAVAILABLE};
pub use kept_keys::KeptKeys;
use kept_keys::ReadKeys;
use papers::QuestionLists;
pub use reopened::TEST_GOES_ON;
use running::RunningTests;
pub use withheld::{Withheld, WithheldPart};

/// The answer to those who ask for a result before its release.
pub const RESULTS_HELD: &str = "Results are not released";
/// How long it is cached that a sitting has not been released, and which questions are withheld. It is also the longest
/// time until a server notices a sitting that another one has made or released.
pub const CHECK_EVERY: Duration = Duration::from_secs(1);
/// How long the database may take to answer each question.
const READ_TIMEOUT: Duration = Duration::from_secs(2);
/// Sittings whose release is cached.
const RELEASES_MAX: u64 = 10_000;
/// Templates whose questions are read at once. Each read has to end within its timeout, however many templates an
/// installation withholds when it starts.
const TEMPLATES_AT_ONCE: usize = 100;

/// Knows what is withheld now, on this server.
pub struct Embargo {
    database: Database,
    clock: Clock,
    /// Counts the changes of sittings that this server has made or noticed. It is part of the cache's key, so that
    /// nothing is found that was read before a change.
    changes: watch::Sender<u64>,
    released: Cache<(Uuid, u64), OpenResults>,
    running: RunningTests,
    papers: ArcSwapOption<Papers>,
    /// Of what was read last: the mark of its papers, and that of its keys.
    marks: watch::Sender<(u64, u64)>,
    /// What has been read of the templates, also if the others are not there yet. Whoever has it reads alone.
    lists: Mutex<QuestionLists>,
    /// What has been read of keys that are kept by single questions and by templates.
    known_keys: Mutex<ReadKeys>,
}

/// The questions of sittings that have not been released.
#[derive(Clone)]
struct Papers {
    /// How many changes were known before they were read.
    known: u64,
    list: Vec<WithheldPaper>,
    withheld: Arc<Withheld>,
}

#[derive(Clone, Debug)]
struct WithheldPaper {
    of: Withholding,
    question_ids: Arc<HashSet<String>>,
}

/// A test in its seat.
#[derive(Clone, Copy, Debug)]
pub struct SeatTest {
    pub session_id: Uuid,
    pub sitting_id: Option<Uuid>,
    pub template_id: Option<Uuid>,
}

impl Embargo {
    #[must_use]
    pub fn new(database: Database, clock: Clock) -> Self {
        Self {
            database,
            clock,
            changes: watch::Sender::new(0),
            released: Cache::builder().max_capacity(RELEASES_MAX).time_to_live(CHECK_EVERY).build(),
            running: RunningTests::default(),
            papers: ArcSwapOption::empty(),
            marks: watch::Sender::default(),
            lists: Mutex::default(),
            known_keys: Mutex::default(),
        }
    }

    /// Must be called after each change of a sitting, or of the template of one, that this server makes or notices.
    pub fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Changes whenever [`Self::changed`] is called.
    #[must_use]
    pub fn listen(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Changes whenever other templates or questions are withheld (the first number), or other keys are kept from
    /// everyone (the second), as far as this server has noticed.
    #[must_use]
    pub fn marks(&self) -> watch::Receiver<(u64, u64)> {
        self.marks.subscribe()
    }

    /// How far the results of a sitting are open. All who ask at the same time share one query. An unknown sitting has
    /// not been released.
    pub async fn open_results(&self, sitting_id: Uuid) -> Result<OpenResults, Error> {
        let finding = async {
            let found = releases::find_open_results(&self.database.read, sitting_id);
            let found = in_time("the release of a sitting", READ_TIMEOUT, found).await;
            found.map(Option::unwrap_or_default).ok_or(Error::Unavailable(UNAVAILABLE))
        };
        // The count is read before the query runs, so an answer from before a change is not found after it.
        let key = (sitting_id, *self.changes.borrow());
        self.released.try_get_with(key, finding).await.map_err(|error: Arc<Error>| error.shared())
    }

    /// What a reader may see of a finished test: the only way to its result. 409 with [`TEST_GOES_ON`] of one that was
    /// reopened.
    pub async fn sight(&self, session: &Session, reader: Reader) -> Result<Sight, Error> {
        let state = match reader {
            // They are shown everything, also while the database does not answer.
            _ if reader.is_above_embargo(session.grade) => EmbargoState::Held,
            Reader::Receiver { is_of_release: true, .. } => self.state_after_release(session).await?,
            _ if self.is_held(session).await? => EmbargoState::Held,
            _ => self.state_after_release(session).await?,
        };
        self.of_ended(session, reader, Sight::of(session, reader, state)).await
    }

    /// The sight of the external service that keeps the school's finished tests, and their secrets with them.
    #[must_use]
    pub const fn sight_of_keeper(session: &Session) -> Sight {
        Sight::of_keeper(session)
    }

    /// The right of somebody to read questions and results of all these grades, if they have it.
    #[must_use]
    pub fn staff_sight(identity: &Identity, grades: &[Grade]) -> Option<StaffSight> {
        StaffSight::of(identity, grades)
    }

    /// The right of an admin to read all questions, and lists of all finished tests.
    #[must_use]
    pub fn school_sight(identity: &Identity) -> Option<SchoolSight> {
        SchoolSight::of(identity)
    }

    /// What somebody is told in their seat about the test that they have handed in, by what is known without asking the
    /// database. One that was ended before it began is shown by the report alone, when the others may see theirs.
    #[must_use]
    pub fn sight_of_seat<'a>(
        &self,
        SeatTest { session_id, sitting_id, template_id }: SeatTest,
        open: OpenResults,
        was_begun: bool,
        question_ids: &(impl Iterator<Item = &'a str> + Clone),
    ) -> Sight {
        let is_held = sitting_id.is_some() && !(open.are_shown() && was_begun);
        let withheld = self.withheld_at_hand();
        let tells = || {
            withheld.has_any(question_ids.clone(), sitting_id)
                || withheld.keys.keep_in_seat(template_id, question_ids.clone(), self.clock.now())
        };
        let state = if is_held || tells() { EmbargoState::Held } else { EmbargoState::Open };
        Sight::of_seat(session_id, state)
    }

    /// Whether only staff of the grade may see the result of a test.
    pub async fn is_held(&self, session: &Session) -> Result<bool, Error> {
        match session.sitting_id {
            Some(sitting_id) => Ok(self.open_results(sitting_id).await?.holds(!session.ended_unbegun())),
            None => Ok(false),
        }
    }

    /// Whether the right options of a test, and its questions, would tell of withheld ones, or of those whose keys are
    /// kept.
    async fn state_after_release(&self, session: &Session) -> Result<EmbargoState, Error> {
        let (withheld, now) = (self.withheld().await?, self.clock.now());
        let tells_withheld = withheld.has_any(session.question_ids(), session.sitting_id)
            || withheld.keys.keep(session, now)
            || self.is_any_running(withheld.keys.closed_with(session, now)).await?;
        Ok(if tells_withheld { EmbargoState::KeysWithheld } else { EmbargoState::Open })
    }

    /// What is withheld now, with every change that this server knows of.
    pub async fn withheld(&self) -> Result<Arc<Withheld>, Error> {
        let papers = match self.papers.load_full().filter(|papers| papers.known == *self.changes.borrow()) {
            Some(papers) => papers,
            None => self.load().await?,
        };
        Ok(Arc::clone(&papers.withheld))
    }

    /// Reads what is withheld before the server answers its first request. What comes late is asked for again, as long
    /// as each time brings more of it.
    pub async fn prepare(&self) -> Result<(), Error> {
        loop {
            let known = self.read_so_far().await;
            let Err(error) = self.withheld().await else { return Ok(()) };
            if self.read_so_far().await <= known {
                return Err(error);
            }
        }
    }

    /// How much has been read, so that it is known whether another read brings more.
    async fn read_so_far(&self) -> usize {
        self.lists.lock().await.len() + self.known_keys.lock().await.len()
    }

    /// The same as [`Self::withheld`] without asking the database: what this server knew last.
    #[must_use]
    pub fn withheld_at_hand(&self) -> Arc<Withheld> {
        self.papers.load_full().map(|papers| Arc::clone(&papers.withheld)).unwrap_or_default()
    }

    /// Reads again and again what other servers have changed. Never returns.
    pub async fn watch(&self) {
        loop {
            self.clock.sleep(CHECK_EVERY).await;
            let mut lists = self.lists.lock().await;
            if let Err(error) = self.read(&mut lists).await {
                tracing::warn!(%error, "the questions that are withheld cannot be read");
            }
        }
    }

    /// Reads the papers once for all who ask meanwhile. While the database is down those that were read last count.
    async fn load(&self) -> Result<Arc<Papers>, Error> {
        let mut lists = self.lists.lock().await;
        let known = *self.changes.borrow();
        // Another caller has read them while this one waited for the lock.
        if let Some(papers) = self.papers.load_full().filter(|papers| papers.known == known) {
            return Ok(papers);
        }
        match (self.read(&mut lists).await, self.papers.load_full()) {
            (Ok(papers), _) => Ok(papers),
            (Err(_), Some(last)) => {
                // They count as current, or each request would wait for a database that is down.
                let last = Arc::new(Papers { known, ..(*last).clone() });
                self.papers.store(Some(Arc::clone(&last)));
                Ok(last)
            }
            (Err(error), None) => Err(error),
        }
    }

    async fn read(&self, lists: &mut QuestionLists) -> Result<Arc<Papers>, Error> {
        // Read before the papers: a change during the read makes them out of date.
        let known = *self.changes.borrow();
        let last = self.papers.load_full();
        let list = self.papers(lists).await.ok_or(Error::Unavailable(UNAVAILABLE))?;
        let reading = async { self.known_keys.lock().await.refreshed(&self.database, self.clock.now()).await };
        let keys = reading.await.ok_or(Error::Unavailable(UNAVAILABLE))?;
        let of_list = |list: &[WithheldPaper]| list.iter().map(|paper| paper.of).collect::<Vec<_>>();
        let has_same_papers = last.as_ref().is_some_and(|last| of_list(&last.list) == of_list(&list));
        let withheld = match last.as_ref().map(|last| &last.withheld) {
            Some(same) if has_same_papers && Arc::ptr_eq(&same.keys, &keys) => Arc::clone(same),
            before => Arc::new(Withheld::after(before.map(|before| &**before), has_same_papers, &list, keys)),
        };
        let marks = (withheld.papers_mark, withheld.keys_mark);
        let papers = Arc::new(Papers { known, list, withheld });
        self.papers.store(Some(Arc::clone(&papers)));
        self.marks.send_if_modified(|told| std::mem::replace(told, marks) != marks);
        Ok(papers)
    }
}
