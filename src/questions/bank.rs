//! The bank of a grade, held ready: serialised, compressed and hashed once, dropped when a question changes.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use domain::grade::Grade;
use domain::question::{KeyedQuestion, Question};
use tokio::sync::Mutex;

use super::delivered::Delivered;
use crate::database::Database;
use crate::error::{Error, UNAVAILABLE};
use crate::http::fallback::NOT_FOUND;
use crate::provider::Provider;
use crate::redis::Redis;
use crate::store::questions;

/// A server asks so often whether a bank has changed: the longest that it serves an old one when Redis is down.
pub const CHECK_EVERY: Duration = Duration::from_secs(2);
/// The store gives a bank within this time, or whoever asks comes again.
const LOAD_TIMEOUT: Duration = Duration::from_secs(10);

/// The bank of one grade.
#[derive(Debug)]
pub struct Bank {
    /// What grading needs of each question.
    pub keyed: Vec<Arc<KeyedQuestion>>,
    /// All questions, as each caller may have them.
    pub questions: Delivered,
    version: i64,
}

impl Bank {
    /// Questions by id.
    #[must_use]
    pub fn key(&self) -> HashMap<&str, &Arc<KeyedQuestion>> {
        self.keyed.iter().map(|question| (&*question.id, question)).collect()
    }
}

/// One grade's place.
#[derive(Default)]
struct Slot {
    bank: ArcSwapOption<Bank>,
    loading: Mutex<()>,
}

/// The banks of all grades.
pub struct Banks {
    database: Database,
    provider: Arc<dyn Provider>,
    redis: Option<Redis>,
    public_answers: bool,
    slots: [Slot; Grade::COUNT],
    /// The versions that the store had when it was last asked.
    versions: std::sync::Mutex<BTreeMap<Grade, i64>>,
    changes: AtomicU64,
}

impl Banks {
    /// Empty; each bank is loaded when it is first asked for.
    #[must_use]
    pub fn new(database: Database, provider: Arc<dyn Provider>, redis: Option<Redis>, public_answers: bool) -> Self {
        Self {
            database,
            provider,
            redis,
            public_answers,
            slots: Default::default(),
            versions: Default::default(),
            changes: AtomicU64::new(0),
        }
    }

    /// The bank of a grade. However many ask at once, it is made once.
    ///
    /// # Errors
    /// When it is not at hand and the store is unavailable.
    pub async fn of(&self, grade: Grade) -> Result<Arc<Bank>, Error> {
        let slot = self.slot(grade)?;
        self.provider.keep_bank(grade).await?;
        if let Some(bank) = slot.bank.load_full() {
            return Ok(bank);
        }
        let _alone = slot.loading.lock().await;
        if let Some(bank) = slot.bank.load_full() {
            return Ok(bank);
        }
        let loading = tokio::time::timeout(LOAD_TIMEOUT, self.load(grade));
        let bank = Arc::new(loading.await.map_err(|_| Error::Unavailable(UNAVAILABLE))??);
        slot.bank.store(Some(Arc::clone(&bank)));
        Ok(bank)
    }

    /// Drops what has changed here, and tells the other servers; to be called after each change of questions.
    pub async fn changed(&self) {
        self.drop_changed().await;
        if let Some(redis) = &self.redis {
            redis.tell_banks_changed().await;
        }
    }

    /// A number that rises with each change of any bank that this server has made or noticed, for whoever keeps
    /// something that is made of questions.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Notices what other servers have changed; never returns.
    pub async fn watch(&self) {
        let by_asking = async {
            loop {
                tokio::time::sleep(CHECK_EVERY).await;
                self.drop_changed().await;
            }
        };
        match &self.redis {
            Some(redis) => drop(
                futures_util::future::join(
                    by_asking,
                    redis.listen_for_changed_banks(async || self.drop_changed().await),
                )
                .await,
            ),
            None => by_asking.await,
        }
    }

    /// Drops each bank whose version is no longer that of the store; to be called once before anyone is served, so that
    /// the first reading is no change. Without the store, what is at hand goes on serving.
    pub async fn drop_changed(&self) {
        let versions = match tokio::time::timeout(LOAD_TIMEOUT, questions::load_versions(&self.database)).await {
            Ok(Ok(versions)) => BTreeMap::from_iter(versions),
            Ok(Err(error)) => return tracing::warn!(%error, "the versions of the banks cannot be read"),
            Err(_) => return tracing::warn!("the versions of the banks are not read in time"),
        };
        for (grade, version) in &versions {
            let Ok(slot) = self.slot(*grade) else { continue };
            if slot.bank.load().as_ref().is_some_and(|bank| bank.version != *version) {
                slot.bank.store(None);
            }
        }
        let mut known = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        if *known != versions {
            *known = versions;
            self.changes.fetch_add(1, Ordering::Release);
        }
    }

    /// The version is read first: a bank that changes meanwhile is then taken for old, and made once more.
    async fn load(&self, grade: Grade) -> Result<Bank, Error> {
        let versions = questions::load_versions(&self.database).await?;
        let version = versions.into_iter().find(|(of, _)| *of == grade).map_or(0, |(_, version)| version);
        let questions = questions::load_bank(&self.database, grade).await?;
        let keyed = questions.iter().map(|question| Arc::new(question.keyed())).collect();
        let without_keys =
            (!self.public_answers).then(|| questions.iter().map(Question::delivered).collect::<Vec<_>>());
        let questions = Delivered::of(&questions, without_keys.as_ref(), self.redis.as_ref()).await?;
        Ok(Bank { keyed, questions, version })
    }

    fn slot(&self, grade: Grade) -> Result<&Slot, Error> {
        self.slots.get(usize::from(grade.number()) - 1).ok_or(Error::NotFound(NOT_FOUND))
    }
}
