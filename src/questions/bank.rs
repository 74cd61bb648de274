//! The bank of each grade, kept in memory: serialised, compressed and hashed once, and discarded when a question
//! changes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use domain::grade::Grade;
use domain::option_counts::OptionCounts;
use domain::question::{KeyedQuestion, Question, WholeQuestion};
use domain::question_types::QuestionTypes;
use domain::topic::TopicSpellings;
use tokio::sync::{Mutex, watch};

use super::delivered::{Delivered, PublicQuestion};
use crate::base::Base;
use crate::clock::Clock;
use crate::database::{self, Database};
use crate::error::{Error, UNAVAILABLE};
use crate::http::fallback::NOT_FOUND;
use crate::provider::Provider;
use crate::redis::Redis;
use crate::store::embargo::{Embargo, Withheld};
use crate::store::{questions, retired};

/// How often a server checks whether a bank has changed. Without Redis, this is the longest that it serves an old one.
pub const CHECK_EVERY: Duration = Duration::from_secs(2);
/// How long a server waits before it tries again to remove something from Redis.
const REMOVE_AGAIN: Duration = Duration::from_secs(2);
/// How long a read of the database may take. After that, a caller who waits for it gets 503.
const LOAD_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub struct Bank {
    /// What drawing and grading need of each question, of all that there are: for staff of the grade.
    pub keyed: Vec<Arc<KeyedQuestion>>,
    /// The same without those that an exam withholds now, and those that are for exams alone: for everyone else.
    pub public: Vec<Arc<KeyedQuestion>>,
    /// Those of all questions whose options may stand in another order.
    option_counts: Arc<OptionCounts>,
    /// All questions, in the form for each caller, by the types that callers ask for.
    questions: [Arc<Delivered>; QuestionTypes::CHOICES.len()],
    version: i64,
    /// Which questions are withheld.
    papers_mark: u64,
    /// The last mark of kept keys that has been found to be no other for these questions.
    keys_mark: AtomicU64,
    /// Of each of `keyed`, whether everyone may read its key.
    open: Vec<bool>,
}

impl Bank {
    /// The questions that everyone may see, by id.
    #[must_use]
    pub fn public_key(&self) -> HashMap<&str, &Arc<KeyedQuestion>> {
        self.public.iter().map(|question| (&*question.id, question)).collect()
    }

    /// The questions that a caller may draw from.
    #[must_use]
    pub fn questions_for(&self, is_staff_of_grade: bool, types: QuestionTypes) -> Vec<Arc<KeyedQuestion>> {
        let all = if is_staff_of_grade { &self.keyed } else { &self.public };
        all.iter().filter(|question| types.have(&question.answer)).cloned().collect()
    }

    /// The questions whose options may stand in another order.
    #[must_use]
    pub const fn option_counts(&self) -> &Arc<OptionCounts> {
        &self.option_counts
    }

    /// How the topics of its questions are spelled.
    #[must_use]
    pub fn topic_spellings(&self) -> TopicSpellings {
        TopicSpellings::of(self.keyed.iter().map(|question| &*question.topic))
    }

    /// The questions of these types, in the form for each caller.
    #[must_use]
    pub fn delivered(&self, types: QuestionTypes) -> &Delivered {
        let [multiple_choice, number, all] = &self.questions;
        match types {
            QuestionTypes::MultipleChoice => multiple_choice,
            QuestionTypes::Number => number,
            QuestionTypes::All => all,
        }
    }
}

#[derive(Default)]
struct Slot {
    bank: ArcSwapOption<Bank>,
    loading: Mutex<()>,
}

pub struct Banks {
    database: Database,
    provider: Arc<dyn Provider>,
    redis: Option<Redis>,
    embargo: Arc<Embargo>,
    public_answers: bool,
    slots: [Slot; Grade::COUNT],
    /// The versions that the database had when it was last asked. A bank is put into its slot and taken out of it under
    /// this lock, so that one which was read before a change is never kept after it.
    versions: std::sync::Mutex<BTreeMap<Grade, i64>>,
    /// Held while the versions are read, so that an older reading never replaces a newer one.
    reading: Mutex<()>,
    changes: watch::Sender<u64>,
}

impl Banks {
    /// Also forgets what in Redis is older than the database.
    pub async fn open(base: &Base, data: &Arc<dyn Provider>) -> Self {
        let (database, redis, embargo) = (base.database.clone(), base.redis.clone(), Arc::clone(&base.embargo));
        let banks = Self::new(database, Arc::clone(data), redis, embargo, base.config.access.public_answers);
        banks.drop_changed().await;
        banks
    }

    #[must_use]
    pub fn new(
        database: Database,
        provider: Arc<dyn Provider>,
        redis: Option<Redis>,
        embargo: Arc<Embargo>,
        public_answers: bool,
    ) -> Self {
        Self {
            database,
            provider,
            redis,
            embargo,
            public_answers,
            slots: Default::default(),
            versions: Default::default(),
            reading: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }

    /// The bank of a grade. Callers who ask for it at the same time share one load, unless the bank changes during it.
    /// What exams withhold at this moment is in no public part of it.
    pub async fn of(&self, grade: Grade) -> Result<Arc<Bank>, Error> {
        let slot = self.slot(grade)?;
        self.provider.keep_bank(grade).await?;
        let withheld = self.embargo.withheld().await?;
        let is_current = |bank: &Arc<Bank>| self.is_current(bank, &withheld);
        if let Some(bank) = slot.bank.load_full().filter(is_current) {
            return Ok(bank);
        }
        // Only one caller loads the bank; the others find it when they get the lock.
        let _alone = slot.loading.lock().await;
        if let Some(bank) = slot.bank.load_full().filter(is_current) {
            return Ok(bank);
        }
        let loading = tokio::time::timeout(LOAD_TIMEOUT, Box::pin(self.load(grade, &withheld)));
        let bank = Arc::new(loading.await.map_err(|_| Error::Unavailable(UNAVAILABLE))??);
        // Something of it may have become secret while it was stored there.
        if !self.keep(grade, slot, &bank) || !self.is_current(&bank, &self.embargo.withheld_at_hand()) {
            self.remove_shared(std::iter::once(grade)).await;
        }
        Ok(bank)
    }

    /// Whether a bank is what everyone may see now. Other rules of a template, or other questions in it, often keep no
    /// other keys of a grade, and making a bank takes long.
    fn is_current(&self, bank: &Bank, withheld: &Withheld) -> bool {
        if bank.papers_mark != withheld.papers_mark {
            return false;
        }
        if bank.keys_mark.load(Ordering::Relaxed) == withheld.keys_mark {
            return true;
        }
        let is_open = |question: &KeyedQuestion| withheld.keys.is_public(&question.id, self.public_answers);
        let is_same = bank.keyed.iter().zip(&bank.open).all(|(question, open)| is_open(question) == *open);
        if is_same {
            bank.keys_mark.store(withheld.keys_mark, Ordering::Relaxed);
        }
        is_same
    }

    /// Whether the bank that this server has of a grade is what everyone may see now.
    fn has_current(&self, grade: Grade) -> bool {
        let bank = self.slot(grade).ok().and_then(|slot| slot.bank.load_full());
        bank.is_some_and(|bank| self.is_current(&bank, &self.embargo.withheld_at_hand()))
    }

    /// The retired ones among these questions of a grade that were everyone's: a test that was begun with them is
    /// graded by them.
    pub async fn retired(
        &self,
        grade: Grade,
        ids: impl Iterator<Item = &str>,
    ) -> Result<Vec<Arc<KeyedQuestion>>, Error> {
        let ids: Vec<&str> = ids.collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let withheld = self.embargo.withheld().await?;
        let retired = retired::load_open(&self.database, grade, &ids).await?;
        let everyones = retired.iter().filter(|question| !withheld.has(&question.id));
        Ok(everyones.map(|question| Arc::new(question.keyed())).collect())
    }

    /// Puts a bank into its slot, unless it has changed while it was loaded. The caller who loaded it may use it
    /// anyway, since the change came after the call; those who wait load the new one. Returns whether it is kept.
    fn keep(&self, grade: Grade, slot: &Slot, bank: &Arc<Bank>) -> bool {
        let versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = versions.get(&grade).is_none_or(|version| *version <= bank.version);
        if is_new {
            slot.bank.store(Some(Arc::clone(bank)));
        }
        is_new
    }

    /// Discards the banks that have changed, and notifies the other servers. Must be called after each change of
    /// questions.
    pub async fn changed(&self) {
        self.drop_changed().await;
        if let Some(redis) = &self.redis {
            // After this server has forgotten the bank, so that its caller finds the change even while Redis hangs.
            redis.tell_banks_changed().await;
        }
    }

    /// A number that rises with each change of a bank that this server has made or noticed. Caches of things made from
    /// questions use it to see that they are outdated.
    #[must_use]
    pub fn changes(&self) -> u64 {
        *self.changes.borrow()
    }

    /// Notices changes that other servers have made. Redis reports them at once; polling finds them without Redis, or
    /// when a message was lost. Never returns.
    pub async fn watch(&self, clock: &Clock) {
        let by_asking = async {
            loop {
                clock.sleep(CHECK_EVERY).await;
                self.drop_changed().await;
            }
        };
        match &self.redis {
            Some(redis) => {
                let by_message = redis.listen_for_changed_banks(clock, async || self.drop_changed().await);
                let outdated = Box::pin(self.remove_outdated(redis, clock));
                futures_util::future::join3(by_asking, by_message, outdated).await;
            }
            None => by_asking.await,
        }
    }

    /// Removes from Redis what servers of earlier versions have left there; all banks whenever one has changed or an
    /// exam withholds other questions; and those of which other keys are kept, or that this server does not know: a
    /// question that was for everyone may be secret now. Each server does so when it notices, so that what a slower one
    /// has stored meanwhile does not stay. Never returns.
    async fn remove_outdated(&self, redis: &Redis, clock: &Clock) {
        let (mut marks, mut changes) = (self.embargo.marks(), self.changes.subscribe());
        let of_earlier_versions = async {
            while let Err(error) = redis.remove_earlier_bodies().await {
                tracing::warn!(%error, "Redis failed; what earlier versions have left there is removed later");
                clock.sleep(REMOVE_AGAIN).await;
            }
        };
        let of_others = async {
            let mut papers = marks.borrow().0;
            loop {
                // Both senders live as long as this.
                let is_of_bank = tokio::select! { _ = marks.changed() => false, _ = changes.changed() => true };
                let papers_now = marks.borrow().0;
                let is_of_all = std::mem::replace(&mut papers, papers_now) != papers_now || is_of_bank;
                let outdated: Vec<Grade> =
                    Grade::all().filter(|grade| is_of_all || !self.has_current(*grade)).collect();
                while !self.remove_shared(outdated.iter().copied()).await {
                    clock.sleep(REMOVE_AGAIN).await;
                }
            }
        };
        // Side by side: a search that fails again and again must not keep what has become secret there.
        futures_util::future::join(of_earlier_versions, of_others).await;
    }

    /// Removes the banks of these grades from Redis; false if it fails, which is only logged.
    async fn remove_shared(&self, grades: impl Iterator<Item = Grade>) -> bool {
        let Some(redis) = &self.redis else { return true };
        let names = grades.flat_map(|grade| QuestionTypes::CHOICES.map(|types| shared_name(grade, types)));
        let removed = redis.remove_bodies(names).await;
        removed.inspect_err(|error| tracing::warn!(%error, "Redis failed; outdated banks stay there for now")).is_ok()
    }

    /// Discards each bank whose version differs from the database's. If the database does not answer, the banks in
    /// memory remain in use.
    ///
    /// Must be called once before the first request, so that the first reading does not count as a change.
    pub async fn drop_changed(&self) {
        let _alone = self.reading.lock().await;
        let versions = match database::within(LOAD_TIMEOUT, questions::load_versions(&self.database)).await {
            Some(Ok(versions)) => BTreeMap::from_iter(versions),
            Some(Err(error)) => return tracing::warn!(%error, "the versions of the banks cannot be read"),
            None => return tracing::warn!("the versions of the banks are not read in time"),
        };
        let mut known = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        for (grade, version) in &versions {
            let Ok(slot) = self.slot(*grade) else { continue };
            if slot.bank.load().as_ref().is_some_and(|bank| bank.version != *version) {
                slot.bank.store(None);
            }
        }
        if *known != versions {
            *known = versions;
            // What is said of questions beside their fields may be another too.
            self.embargo.changed();
            self.changes.send_modify(|count| *count += 1);
        }
    }

    /// Reads the version before the questions. If the bank changes in between, its version is too old and it is loaded
    /// once more.
    async fn load(&self, grade: Grade, withheld: &Withheld) -> Result<Bank, Error> {
        let versions = questions::load_versions(&self.database).await?;
        let version = versions.into_iter().find(|(of, _)| *of == grade).map_or(0, |(_, version)| version);
        let all = questions::load_bank(&self.database, grade).await?;
        let secure = questions::load_secure(&self.database, grade).await?;
        let keyed: Vec<_> = all.iter().map(|question| Arc::new(question.keyed())).collect();
        let everyones = all.iter().filter(|question| withheld.everyones(*question, &secure).is_some());
        let everyones: HashSet<&str> = everyones.map(|question| question.id.as_str()).collect();
        let delivered = async |types| self.delivered(grade, types, (&all, &everyones), withheld).await.map(Arc::new);
        let multiple_choice = delivered(QuestionTypes::MultipleChoice).await?;
        let number = delivered(QuestionTypes::Number).await?;
        // Most banks have no others, and compressing them takes a while.
        let is_plain = all.iter().all(|question| QuestionTypes::MultipleChoice.have(&question.answer));
        let both = if is_plain { Arc::clone(&multiple_choice) } else { delivered(QuestionTypes::All).await? };
        let questions = [multiple_choice, number, both];
        let public = keyed.iter().filter(|question| everyones.contains(&*question.id)).cloned().collect();
        let option_counts = Arc::new(OptionCounts::of(&all));
        let is_open = |question: &Question| withheld.keys.is_public(&question.id, self.public_answers);
        Ok(Bank {
            open: all.iter().map(is_open).collect(),
            keyed,
            public,
            option_counts,
            questions,
            version,
            papers_mark: withheld.papers_mark,
            keys_mark: AtomicU64::new(withheld.keys_mark),
        })
    }

    /// The questions of these types, of which everyone may see some.
    async fn delivered(
        &self,
        grade: Grade,
        types: QuestionTypes,
        (all, everyones): (&[Question], &HashSet<&str>),
        withheld: &Withheld,
    ) -> Result<Delivered, Error> {
        let plain = |question| WholeQuestion::of(question).plain();
        let asked = || all.iter().filter(|question| types.have(&question.answer));
        let for_staff: Vec<_> = asked().map(plain).collect();
        let listed: Vec<&Question> = asked().filter(|question| everyones.contains(question.id.as_str())).collect();
        let public: Vec<_> = listed.iter().copied().map(plain).collect();
        let is_public = |question: &&Question| withheld.keys.is_public(&question.id, self.public_answers);
        let without_keys = (!self.public_answers || !listed.iter().all(is_public)).then(|| {
            let mut forms = Vec::with_capacity(listed.len());
            for question in listed.iter().copied() {
                forms.push(if is_public(&question) {
                    PublicQuestion::WithKey(plain(question))
                } else {
                    PublicQuestion::Keyless(question.delivered())
                });
            }
            forms
        });
        let for_staff = (public.len() < for_staff.len()).then_some(for_staff);
        let name = shared_name(grade, types);
        let shared = self.redis.as_ref().map(|redis| (redis, name.as_str()));
        Delivered::of(for_staff.as_ref(), &public, without_keys.as_ref(), &[grade], shared).await
    }

    fn slot(&self, grade: Grade) -> Result<&Slot, Error> {
        self.slots.get(usize::from(grade.number()) - 1).ok_or(Error::NotFound(NOT_FOUND))
    }
}

/// The name of a grade's public bank in Redis. There is one for each grade and choice of types, so that a new bank
/// replaces the old one.
fn shared_name(grade: Grade, types: QuestionTypes) -> String {
    match types {
        QuestionTypes::MultipleChoice => format!("bank:{}", grade.number()),
        types => format!("bank:{}:{}", grade.number(), types.name()),
    }
}
