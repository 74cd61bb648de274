//! Sittings as those who enter and wait need them: with the paper and its keys, read again from the database at most
//! once a second however many ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use domain::attempt::Mode;
use domain::calculator::Calculator;
use domain::grade::Grade;
use domain::sitting::code::SittingCode;
use domain::sitting::{SETTLED_BEFORE_MILLISECONDS, Sitting};
use domain::time::moment::Moment;
use moka::future::Cache;
use uuid::Uuid;

use super::sealed_paper::SealedPaper;
use crate::error::Error;
use crate::http::fallback::NOT_FOUND;
use crate::sittings::Sittings;
use crate::store::templates::load_headers;
use crate::store::{candidates, sealed_parts, sittings};

/// How long a sitting is cached. A change on this server takes effect at once, one on another server within this time.
const CACHED_FOR: Duration = Duration::from_secs(1);
/// How long a sitting that nobody asks for is kept.
const KEPT: Duration = Duration::from_secs(10 * 60);
/// Sittings that are cached. A server with more asks the database more often.
const SITTINGS_CACHED_MAX: u64 = 256;
/// How long before its beginning a sitting must have been read by the server that begins it. Nothing moves a beginning
/// from [`SETTLED_BEFORE_MILLISECONDS`] before it, and a change that was allowed just before that takes a moment to be
/// stored.
const LOOKED_BEFORE_MILLISECONDS: i64 = SETTLED_BEFORE_MILLISECONDS - 1_000;

/// A sitting as it was a moment ago.
pub struct CurrentSitting {
    pub sitting: Sitting,
    /// Of the template, like the next three.
    pub minutes: u32,
    pub grade: Grade,
    pub mode: Mode,
    pub calculator: Calculator,
    /// The first start of their own that a candidate has.
    pub first_own_start: Option<Moment>,
    /// `None` until the doors have opened.
    pub paper: Option<Arc<SealedPaper>>,
    /// When it was read last, and found to be the same.
    pub read_at_ms: AtomicI64,
}

/// Whether what was read at a moment decides on a beginning: not if it could have been moved since.
#[must_use]
pub fn decides(read_at: Moment, begins_at: Moment) -> bool {
    read_at >= begins_at.plus(-LOOKED_BEFORE_MILLISECONDS)
}

impl CurrentSitting {
    /// As of when it is known.
    #[must_use]
    pub fn read_at(&self) -> Moment {
        Moment::from_milliseconds(self.read_at_ms.load(Ordering::Relaxed))
    }

    /// Whether both have the same paper, sealed at the same time.
    #[must_use]
    pub fn has_paper_of(&self, other: &Self) -> bool {
        match (&self.paper, &other.paper) {
            (Some(own), Some(other)) => own.is_same(other),
            (own, other) => own.is_none() && other.is_none(),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        let paper = |of: &Self| of.paper.as_ref().map(Arc::as_ptr);
        let template = |of: &Self| (of.minutes, of.grade, of.mode, of.calculator);
        self.sitting == other.sitting
            && self.first_own_start == other.first_own_start
            && template(self) == template(other)
            && paper(self) == paper(other)
    }
}

/// The sittings that somebody enters or waits in.
pub struct CurrentSittings {
    by_id: Cache<Uuid, Arc<CurrentSitting>>,
    /// What each was when it was read last: ten thousand seats share one copy as long as nothing changes.
    last: Cache<Uuid, Arc<CurrentSitting>>,
    /// A code never becomes that of another sitting, but a sitting that is removed may leave its code to another.
    by_code: Cache<SittingCode, Uuid>,
    /// One opens doors at a time.
    opening: tokio::sync::Mutex<()>,
    /// One reads a sitting again for a stranger at a time.
    looking: tokio::sync::Mutex<()>,
}

impl Default for CurrentSittings {
    fn default() -> Self {
        Self {
            by_id: Cache::builder().max_capacity(SITTINGS_CACHED_MAX).time_to_live(CACHED_FOR).build(),
            last: Cache::builder().max_capacity(SITTINGS_CACHED_MAX).time_to_idle(KEPT).build(),
            by_code: Cache::builder().max_capacity(SITTINGS_CACHED_MAX).time_to_live(CACHED_FOR).build(),
            opening: tokio::sync::Mutex::default(),
            looking: tokio::sync::Mutex::default(),
        }
    }
}

impl CurrentSittings {
    pub(in crate::sittings) async fn forget(&self, id: Uuid) {
        self.by_id.invalidate(&id).await;
    }
}

impl Sittings {
    /// The sitting as it was a second ago or later.
    ///
    /// # Errors
    /// 404 if there is none.
    pub async fn current(&self, id: Uuid) -> Result<Arc<CurrentSitting>, Error> {
        let loading = self.current.by_id.try_get_with(id, Box::pin(self.read_current(id)));
        loading.await.map_err(|error: Arc<Error>| error.shared())
    }

    /// The sitting as it is now.
    ///
    /// # Errors
    /// 404 if there is none.
    pub async fn refreshed(&self, id: Uuid) -> Result<Arc<CurrentSitting>, Error> {
        let read = self.read_current(id).await?;
        self.current.by_id.insert(id, Arc::clone(&read)).await;
        Ok(read)
    }

    /// The sitting as it was at that moment or later. All who ask meanwhile share one read.
    ///
    /// # Errors
    /// 404 if there is none.
    pub async fn read_since(&self, id: Uuid, moment: Moment) -> Result<Arc<CurrentSitting>, Error> {
        let _one = self.current.looking.lock().await;
        let current = self.current(id).await?;
        if current.read_at() >= moment { Ok(current) } else { self.refreshed(id).await }
    }

    /// The sitting with its doors open, for someone who may enter: the first of them opens them, and the others wait
    /// for that.
    ///
    /// # Errors
    /// 404 if there is none.
    pub async fn opened(&self, id: Uuid) -> Result<Arc<CurrentSitting>, Error> {
        let _first = self.current.opening.lock().await;
        let current = self.current(id).await?;
        if current.paper.is_some() {
            return Ok(current);
        }
        self.open_doors(id).await?;
        self.refreshed(id).await
    }

    /// The id of the sitting with that code; `None` if there is none.
    pub async fn id_of_code(&self, code: &SittingCode) -> Result<Option<Uuid>, Error> {
        if let Some(id) = self.current.by_code.get(code).await {
            return Ok(Some(id));
        }
        let found = sittings::find_by_code(&self.database, code).await?.map(|sitting| sitting.id);
        if let Some(id) = found {
            self.current.by_code.insert(code.clone(), id).await;
        }
        Ok(found)
    }

    async fn read_current(&self, id: Uuid) -> Result<Arc<CurrentSitting>, Error> {
        let read_at_ms = self.clock.now().milliseconds();
        let sitting = sittings::find(&self.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
        let template_id = sitting.template_id;
        let template = load_headers(&self.database, [template_id]).await?.remove(&template_id);
        let template = template.ok_or(Error::NotFound(NOT_FOUND))?;
        let last = self.current.last.get(&id).await;
        let known = last.as_ref().and_then(|last| last.paper.clone());
        // Whatever changes the roster makes a new version of the sitting.
        let first_own_start = match last.as_ref().filter(|last| last.sitting.version == sitting.version) {
            Some(last) => last.first_own_start,
            None => candidates::first_own_start(&self.database.read, id).await?,
        };
        let paper = match sitting.opened_at {
            Some(_) => self.sealed_paper(id, known, template.in_order).await?,
            None => None,
        };
        let read = CurrentSitting {
            sitting,
            minutes: template.duration_minutes,
            grade: template.grades.first().copied().ok_or(Error::NotFound(NOT_FOUND))?,
            mode: template.mode,
            calculator: template.calculator,
            first_own_start,
            paper,
            read_at_ms: AtomicI64::new(read_at_ms),
        };
        if let Some(last) = last {
            if last.is_same(&read) {
                last.read_at_ms.store(read_at_ms, Ordering::Relaxed);
                return Ok(last);
            }
            // A read that took longer than a later one says nothing new.
            if read.sitting.version < last.sitting.version {
                return Ok(last);
            }
        }
        let read = Arc::new(read);
        self.current.last.insert(id, Arc::clone(&read)).await;
        Ok(read)
    }

    /// The paper of a sitting: the one that is known, unless it has been sealed anew, or is read in another way.
    async fn sealed_paper(
        &self,
        id: Uuid,
        known: Option<Arc<SealedPaper>>,
        is_in_order: bool,
    ) -> Result<Option<Arc<SealedPaper>>, Error> {
        let Some(keys) = self.part_keys(id).await? else { return Ok(None) };
        if let Some(known) = known.filter(|known| known.has_keys(&keys) && known.is_in_order == is_in_order) {
            return Ok(Some(known));
        }
        let stored = sealed_parts::load(&self.database.read, id).await?;
        Ok(Some(Arc::new(SealedPaper::of(id, keys, stored, is_in_order)?)))
    }
}
