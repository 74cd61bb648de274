//! The bank of a grade, held ready: serialised, compressed and hashed once, dropped when a question changes.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web::Bytes;
use arc_swap::ArcSwapOption;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;

use crate::cache::redis::{Redis, SharedBody};
use crate::database::Database;
use crate::domain::grade::Grade;
use crate::domain::question::{KeyedQuestion, Question};
use crate::error::Error;
use crate::provider::local::questions;

/// A server asks so often whether a bank has changed: the longest that it serves an old one when Redis is down.
pub const CHECK_EVERY: Duration = Duration::from_secs(2);
/// The store gives a bank within this time, or whoever asks comes again.
const LOAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Of 11; higher takes much longer for little.
const BROTLI_QUALITY: i32 = 9;
const BROTLI_WINDOW_BITS: i32 = 22;

/// A bank's JSON, ready to be sent in each encoding.
#[derive(Debug)]
pub struct Body {
    /// JSON.
    pub plain: Bytes,
    /// The same in gzip.
    pub gzip: Bytes,
    /// The same in brotli.
    pub brotli: Bytes,
    /// Hash of the JSON, for the entity tags.
    pub tag: String,
}

/// The bank of one grade.
#[derive(Debug)]
pub struct Bank {
    /// What grading needs of each question.
    pub keyed: Vec<Arc<KeyedQuestion>>,
    /// With answers and explanations.
    pub full: Body,
    /// Without; only while `PUBLIC_ANSWERS` is off.
    pub delivered: Option<Body>,
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
    redis: Option<Redis>,
    public_answers: bool,
    slots: [Slot; Grade::COUNT],
}

impl Banks {
    /// Empty; each bank is loaded when it is first asked for.
    #[must_use]
    pub fn new(database: Database, redis: Option<Redis>, public_answers: bool) -> Self {
        Self { database, redis, public_answers, slots: Default::default() }
    }

    /// The bank of a grade. However many ask at once, it is made once.
    ///
    /// # Errors
    /// When it is not at hand and the store is unavailable.
    pub async fn of(&self, grade: Grade) -> Result<Arc<Bank>, Error> {
        let slot = self.slot(grade)?;
        if let Some(bank) = slot.bank.load_full() {
            return Ok(bank);
        }
        let _alone = slot.loading.lock().await;
        if let Some(bank) = slot.bank.load_full() {
            return Ok(bank);
        }
        let loading = tokio::time::timeout(LOAD_TIMEOUT, self.load(grade));
        let bank = Arc::new(loading.await.map_err(|_| Error::Unavailable("The service is unavailable at the moment"))??);
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

    /// Notices what other servers have changed; never returns.
    pub async fn watch(&self) {
        let by_asking = async {
            loop {
                tokio::time::sleep(CHECK_EVERY).await;
                self.drop_changed().await;
            }
        };
        match &self.redis {
            Some(redis) => drop(futures_util::future::join(by_asking, redis.listen_for_changed_banks(async || self.drop_changed().await)).await),
            None => by_asking.await,
        }
    }

    /// Drops each bank whose version is no longer that of the store. Without the store, what is at hand goes on serving.
    async fn drop_changed(&self) {
        let versions = match tokio::time::timeout(LOAD_TIMEOUT, questions::load_versions(&self.database)).await {
            Ok(Ok(versions)) => versions,
            Ok(Err(error)) => return tracing::warn!(%error, "the versions of the banks cannot be read"),
            Err(_) => return tracing::warn!("the versions of the banks are not read in time"),
        };
        for (grade, version) in versions {
            let Ok(slot) = self.slot(grade) else { continue };
            if slot.bank.load().as_ref().is_some_and(|bank| bank.version != version) {
                slot.bank.store(None);
            }
        }
    }

    /// The version is read first: a bank that changes meanwhile is then taken for old, and made once more.
    async fn load(&self, grade: Grade) -> Result<Bank, Error> {
        let versions = questions::load_versions(&self.database).await?;
        let version = versions.into_iter().find(|(of, _)| *of == grade).map_or(0, |(_, version)| version);
        let questions = questions::load_bank(&self.database, grade).await?;
        let keyed = questions.iter().map(|question| Arc::new(question.keyed())).collect();
        let full = self.body(serde_json::to_vec(&questions)?).await?;
        let delivered = if self.public_answers {
            None
        } else {
            Some(self.body(serde_json::to_vec(&questions.iter().map(Question::delivered).collect::<Vec<_>>())?).await?)
        };
        Ok(Bank { keyed, full, delivered, version })
    }

    /// The shared copy is found by the hash of the JSON itself, so it can't be of anything else.
    async fn body(&self, plain: Vec<u8>) -> Result<Body, Error> {
        let tag: String = Sha256::digest(&plain).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let name = format!("bank-body:{tag}");
        if let Some(redis) = &self.redis
            && let Some(shared) = redis.find_body(&name).await.filter(|shared| shared.plain == plain)
        {
            return Ok(ready(shared, tag));
        }
        let shared = actix_web::web::block(move || compress(plain)).await.map_err(Error::internal)?.map_err(Error::internal)?;
        if let Some(redis) = &self.redis {
            redis.keep_body(&name, &shared).await;
        }
        Ok(ready(shared, tag))
    }

    fn slot(&self, grade: Grade) -> Result<&Slot, Error> {
        self.slots.get(usize::from(grade.number()) - 1).ok_or(Error::NotFound("Not found"))
    }
}

fn ready(shared: SharedBody, tag: String) -> Body {
    Body { plain: shared.plain.into(), gzip: shared.gzip.into(), brotli: shared.brotli.into(), tag }
}

fn compress(plain: Vec<u8>) -> std::io::Result<SharedBody> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&plain)?;
    let mut compressed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: BROTLI_QUALITY, lgwin: BROTLI_WINDOW_BITS, ..Default::default() };
    brotli::BrotliCompress(&mut plain.as_slice(), &mut compressed, &parameters)?;
    Ok(SharedBody { gzip: gzip.finish()?, brotli: compressed, plain })
}
