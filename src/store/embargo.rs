//! What may not leave the server yet: results until their sitting is released, and questions from the moment a sitting
//! with them opens its doors until its release (`docs/decisions/0045-one-row-ends-an-embargo.md`). It is here, below
//! all features, because every road by which such things leave asks it (`docs/security.md#embargo`).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use domain::session::Session;
use domain::time::moment::Moment;
use moka::future::Cache;
use sea_orm::DbErr;
use tokio::sync::{Mutex, watch};
use uuid::Uuid;

use super::releases::{self, OpenResults, Withholding};
use super::templates;
use crate::clock::Clock;
use crate::database::{Database, in_time};
use crate::error::{Error, UNAVAILABLE};

/// The answer to those who ask for a result before its release.
pub const RESULTS_HELD: &str = "Results are not released";
/// How long it is believed that a sitting has not been released, and which questions are withheld. This is how late a
/// release on another server is noticed at the latest. Doors that are planned open by the clock, on time.
pub const CHECK_EVERY: Duration = Duration::from_secs(1);
/// How long the database may take to answer.
const READ_TIMEOUT: Duration = Duration::from_secs(2);
/// Sittings whose release is remembered.
const RELEASES_MAX: u64 = 10_000;
/// Sittings whose doors open later are not read yet.
const AHEAD_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;

/// Knows what is withheld now, on this server.
pub struct Embargo {
    database: Database,
    clock: Clock,
    /// Counts the changes of sittings that this server has made or noticed. It is part of the cache's key, so that
    /// nothing is found that was read before a change.
    changes: watch::Sender<u64>,
    released: Cache<(Uuid, u64), OpenResults>,
    papers: ArcSwapOption<Papers>,
    current: ArcSwapOption<Withheld>,
    loading: Mutex<()>,
}

/// The questions of sittings that have not been released, those first whose doors open first.
#[derive(Clone)]
struct Papers {
    /// How many changes were known before they were read.
    known: u64,
    /// Another number for other papers.
    number: u64,
    list: Vec<WithheldPaper>,
}

#[derive(Clone, Debug)]
struct WithheldPaper {
    of: Withholding,
    question_ids: Arc<HashSet<String>>,
}

/// The questions that only staff of their grade may see now.
#[derive(Debug, Default)]
pub struct Withheld {
    /// Differs between any two sets of questions.
    pub mark: (u64, usize),
    papers: Vec<WithheldPaper>,
}

/// What of a finished test others are still to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithheldPart {
    pub questions: usize,
    /// When it is shown, unless somebody decides on that, or the last of them hands in.
    pub until: Option<Moment>,
}

impl Withheld {
    /// Whether a question is withheld.
    #[must_use]
    pub fn has(&self, question_id: &str) -> bool {
        self.papers.iter().any(|paper| paper.question_ids.contains(question_id))
    }

    /// Whether a finished test would tell of a withheld question. Its own sitting does not count: by the rule of that
    /// one its candidates may see what they have done.
    #[must_use]
    pub fn has_any<'a>(&self, question_ids: impl Iterator<Item = &'a str>, own_sitting: Option<Uuid>) -> bool {
        let others = || self.papers.iter().filter(|paper| Some(paper.of.sitting_id) != own_sitting);
        !self.papers.is_empty()
            && question_ids.into_iter().any(|id| others().any(|paper| paper.question_ids.contains(id)))
    }

    /// The same, with how many of its questions are withheld, and until when.
    #[must_use]
    pub fn part_of<'a>(
        &self,
        question_ids: impl Iterator<Item = &'a str>,
        own_sitting: Option<Uuid>,
    ) -> Option<WithheldPart> {
        let others: Vec<_> = self.papers.iter().filter(|paper| Some(paper.of.sitting_id) != own_sitting).collect();
        let has = |paper: &WithheldPaper, id: &str| paper.question_ids.contains(id);
        let ids: Vec<&str> = question_ids.filter(|id| others.iter().any(|paper| has(paper, id))).collect();
        let papers = others.into_iter().filter(|paper| ids.iter().any(|id| has(paper, id)));
        let ends: Option<Vec<Moment>> = papers.map(|paper| paper.of.releases_at).collect();
        let until = ends.and_then(|ends| ends.into_iter().max());
        (!ids.is_empty()).then_some(WithheldPart { questions: ids.len(), until })
    }
}

impl Embargo {
    #[must_use]
    pub fn new(database: Database, clock: Clock) -> Self {
        Self {
            database,
            clock,
            changes: watch::Sender::new(0),
            released: Cache::builder().max_capacity(RELEASES_MAX).time_to_live(CHECK_EVERY).build(),
            papers: ArcSwapOption::empty(),
            current: ArcSwapOption::empty(),
            loading: Mutex::default(),
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

    /// Whether the candidates of a sitting may see their results. All who ask at the same time share one query. An
    /// unknown sitting has not been released.
    pub async fn is_released(&self, sitting_id: Uuid) -> Result<bool, Error> {
        Ok(self.open_results(sitting_id).await?.shown)
    }

    async fn open_results(&self, sitting_id: Uuid) -> Result<OpenResults, Error> {
        let finding = async {
            let found = releases::find_open_results(&self.database.read, sitting_id);
            let found = in_time("the release of a sitting", READ_TIMEOUT, found).await;
            found.map(Option::unwrap_or_default).ok_or(Error::Unavailable(UNAVAILABLE))
        };
        let key = (sitting_id, *self.changes.borrow());
        self.released.try_get_with(key, finding).await.map_err(|error: Arc<Error>| error.shared())
    }

    /// Whether only staff of the grade may see the result of a test. Of one that was ended before it began it tells the
    /// paper, which others are still to write, whatever is shown at once.
    pub async fn is_held(&self, session: &Session) -> Result<bool, Error> {
        match session.sitting_id {
            Some(sitting_id) => {
                let open = self.open_results(sitting_id).await?;
                Ok(!if session.ended_unbegun() { open.released } else { open.shown })
            }
            None => Ok(false),
        }
    }

    /// Whether the right options of a test, and its questions, would tell of withheld ones.
    pub async fn tells_withheld(&self, session: &Session) -> Result<bool, Error> {
        let ids = session.result.answers.iter().map(|line| &*line.question_id);
        Ok(self.withheld().await?.has_any(ids, session.sitting_id))
    }

    /// The questions that are withheld now: to the millisecond of the doors, and with every change that this server
    /// knows of.
    pub async fn withheld(&self) -> Result<Arc<Withheld>, Error> {
        let papers = match self.papers.load_full().filter(|papers| papers.known == *self.changes.borrow()) {
            Some(papers) => papers,
            None => self.load().await?,
        };
        Ok(self.at(&papers, self.clock.now()))
    }

    /// The same without asking the database: what this server knew last.
    #[must_use]
    pub fn withheld_at_hand(&self) -> Arc<Withheld> {
        self.papers.load_full().map(|papers| self.at(&papers, self.clock.now())).unwrap_or_default()
    }

    /// Reads again and again what other servers have changed. Never returns.
    pub async fn watch(&self) {
        loop {
            self.clock.sleep(CHECK_EVERY).await;
            let _alone = self.loading.lock().await;
            if let Err(error) = self.read().await {
                tracing::warn!(%error, "the questions that are withheld cannot be read");
            }
        }
    }

    fn at(&self, papers: &Papers, now: Moment) -> Arc<Withheld> {
        let open = papers.list.partition_point(|paper| paper.of.opens_at <= now);
        let mark = (papers.number, open);
        if let Some(current) = self.current.load_full().filter(|current| current.mark == mark) {
            return current;
        }
        let withheld = Arc::new(Withheld { mark, papers: papers.list.iter().take(open).cloned().collect() });
        self.current.store(Some(Arc::clone(&withheld)));
        withheld
    }

    /// Reads the papers once for all who ask meanwhile. While the database is down those that were read last count.
    async fn load(&self) -> Result<Arc<Papers>, Error> {
        let _alone = self.loading.lock().await;
        let known = *self.changes.borrow();
        if let Some(papers) = self.papers.load_full().filter(|papers| papers.known == known) {
            return Ok(papers);
        }
        match (self.read().await, self.papers.load_full()) {
            (Ok(papers), _) => Ok(papers),
            (Err(_), Some(last)) => {
                let last = Arc::new(Papers { known, ..(*last).clone() });
                self.papers.store(Some(Arc::clone(&last)));
                Ok(last)
            }
            (Err(error), None) => Err(error),
        }
    }

    async fn read(&self) -> Result<Arc<Papers>, Error> {
        let known = *self.changes.borrow();
        let last = self.papers.load_full();
        let number = last.as_ref().map_or(0, |last| last.number);
        let known_lists = last.iter().flat_map(|last| &last.list).map(|paper| {
            let of = &paper.of;
            ((of.template_id, of.template_version), Arc::clone(&paper.question_ids))
        });
        let reading = in_time("which questions are withheld", READ_TIMEOUT, self.papers(known_lists.collect())).await;
        let list = reading.ok_or(Error::Unavailable(UNAVAILABLE))?;
        let is_same =
            last.is_some_and(|last| last.list.iter().map(|paper| paper.of).eq(list.iter().map(|paper| paper.of)));
        let papers = Arc::new(Papers { known, number: if is_same { number } else { number + 1 }, list });
        self.papers.store(Some(Arc::clone(&papers)));
        Ok(papers)
    }

    async fn papers(&self, mut lists: HashMap<(Uuid, i64), Arc<HashSet<String>>>) -> Result<Vec<WithheldPaper>, DbErr> {
        let found = releases::load_withholding(&self.database, self.clock.now().plus(AHEAD_MILLISECONDS)).await?;
        let mut papers = Vec::with_capacity(found.len());
        for of in found {
            let key = (of.template_id, of.template_version);
            if !lists.contains_key(&key)
                && let Some(template) = templates::find(&self.database, of.template_id).await?
            {
                let ids = template.question_ids().into_iter().map(str::to_owned).collect();
                lists.insert(key, Arc::new(ids));
            }
            let question_ids = lists.get(&key).cloned().unwrap_or_default();
            papers.push(WithheldPaper { of, question_ids });
        }
        Ok(papers)
    }
}
