//! The copies of the banks in this server's own database. Exams read only these, so that they go on while the external
//! service is down.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use domain::grade::Grade;
use domain::question::Question;
use domain::time::moment::Moment;
use futures_util::stream::{self, StreamExt};
use tokio::sync::{Mutex, MutexGuard};

use super::client::ProviderAnswer;
use super::questions::{ReadBank, read_bank};
use super::{ExternalProvider, envelopes};
use crate::error::{Error, UNAVAILABLE};
use crate::store::questions;

/// The age at which a copy in use is refreshed. An edit made elsewhere reaches exams after about this time.
const NEWS_AFTER_MILLISECONDS: i64 = 5_000;
/// How often all copies are refreshed, including those that nobody uses.
const KEEP_EVERY: Duration = Duration::from_secs(15);
/// After a failed fetch, callers who need a bank without a copy are refused at once for this time. Otherwise each of
/// them would wait for the service in turn.
const RESTS_MILLISECONDS: i64 = 2_000;
/// Banks that are fetched at the same time when all are needed.
pub const BANKS_AT_ONCE: usize = 4;

/// The state of the copies, one for each grade.
#[derive(Default)]
pub struct Copies([Kept; Grade::COUNT]);

/// The state of one copy.
#[derive(Default)]
pub struct Kept {
    /// Locked while the copy is replaced, and while one of its questions is edited.
    news: Mutex<News>,
    /// Whether a background task is refreshing the copy.
    is_asking: AtomicBool,
    /// Numbers fetches and edits in the order in which they begin, so that an older bank never replaces a newer one.
    numbers: AtomicU64,
    /// Milliseconds since 1970.
    asked_at_ms: AtomicI64,
    is_here: AtomicBool,
    waited_in_vain: Mutex<Option<(Moment, Error)>>,
}

/// Which version of the external bank corresponds to which version of the copy.
#[derive(Default)]
struct News {
    number: u64,
    external: Option<String>,
    here: Option<i64>,
}

impl Kept {
    fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::AcqRel) + 1
    }
}

/// The right to change the bank of a grade. On one server only one caller has it at a time.
pub struct Editing<'a> {
    kept: &'a Kept,
    news: MutexGuard<'a, News>,
}

impl Copies {
    fn of(&self, grade: Grade) -> Result<&Kept, Error> {
        self.0.get(usize::from(grade.number()) - 1).ok_or(Error::Unavailable(UNAVAILABLE))
    }
}

impl ExternalProvider {
    /// Refreshes every copy, again and again. Never returns.
    pub async fn keep_copies(&self) {
        loop {
            for grade in Grade::all() {
                // The client has logged the outage, and the copy stays in use.
                drop(self.ask_for_news(grade).await);
            }
            self.clock.sleep(KEEP_EVERY).await;
        }
    }

    /// Fetches a bank that has never been here. For any other bank, starts a refresh in the background when it is due.
    pub(super) async fn keep(&self, grade: Grade) -> Result<(), Error> {
        let kept = self.copies.of(grade)?;
        if !kept.is_here.load(Ordering::Acquire) {
            if questions::find_version(&self.database, grade).await?.is_none() {
                return self.bring(grade).await;
            }
            kept.is_here.store(true, Ordering::Release);
        }
        let now = self.clock.now();
        let is_time =
            now.since(Moment::from_milliseconds(kept.asked_at_ms.load(Ordering::Acquire))) > NEWS_AFTER_MILLISECONDS;
        if is_time && !kept.is_asking.swap(true, Ordering::AcqRel) {
            let api = self.clone();
            // In the background, since a copy that is a few seconds old is good enough for this caller.
            tokio::spawn(async move {
                drop(api.ask_for_news(grade).await);
                if let Ok(kept) = api.copies.of(grade) {
                    kept.is_asking.store(false, Ordering::Release);
                }
            });
        }
        Ok(())
    }

    /// Fetches a bank once for all callers who need it. When the fetch fails, it fails for all of them.
    async fn bring(&self, grade: Grade) -> Result<(), Error> {
        let kept = self.copies.of(grade)?;
        let mut waited_in_vain = kept.waited_in_vain.lock().await;
        if kept.is_here.load(Ordering::Acquire) {
            return Ok(());
        }
        if let Some((at, error)) = &*waited_in_vain
            && (0..RESTS_MILLISECONDS).contains(&self.clock.now().since(*at))
        {
            return Err(error.shared());
        }
        let brought = self.ask_for_news(grade).await;
        *waited_in_vain = brought.as_ref().err().map(|error| (self.clock.now(), error.shared()));
        brought
    }

    async fn ask_for_news(&self, grade: Grade) -> Result<(), Error> {
        let kept = self.copies.of(grade)?;
        kept.asked_at_ms.store(self.clock.now().milliseconds(), Ordering::Release);
        let here = questions::find_version(&self.database, grade).await?;
        // When another server or process has changed the copy, its version differs from the one noted here. The bank is
        // then fetched as a whole and compared.
        let known = Some(kept.news.lock().await)
            .filter(|news| here.is_some() && news.here == here)
            .and_then(|news| news.external.clone());
        let number = kept.next_number();
        let answer = self.fetch_news(grade, known).await?;
        if !answer.is_old {
            self.replace(grade, number, &answer).await?;
        }
        Ok(())
    }

    /// Fetches the present bank of a grade and updates its copy.
    pub(super) async fn bring_bank(&self, grade: Grade) -> Result<Vec<Question>, Error> {
        let number = self.copies.of(grade)?.next_number();
        let answer = self.fetch(grade).await?;
        self.replace(grade, number, &answer).await
    }

    /// Fetches the banks of all grades.
    pub(super) async fn bring_banks(&self) -> Result<Vec<(Grade, Vec<Question>)>, Error> {
        let bring = |grade| async move { Ok((grade, self.bring_bank(grade).await?)) };
        let banks: Vec<_> = stream::iter(Grade::all()).map(bring).buffered(BANKS_AT_ONCE).collect().await;
        banks.into_iter().collect()
    }

    /// Waits until nobody else on this server is changing the bank of that grade.
    pub(super) async fn editing(&self, grade: Grade) -> Result<Editing<'_>, Error> {
        let kept = self.copies.of(grade)?;
        Ok(Editing { kept, news: kept.news.lock().await })
    }

    /// Replaces the copy by the answer's bank, unless the copy is newer. Returns the bank of the answer.
    async fn replace(&self, grade: Grade, number: u64, answer: &ProviderAnswer) -> Result<Vec<Question>, Error> {
        let ReadBank { questions: bank, practice, left_out } = read_bank(grade, answer)?;
        let kept = self.copies.of(grade)?;
        let mut news = kept.news.lock().await;
        if news.number < number {
            let here = Some(questions::replace_marked_bank(&self.database, grade, &bank, &practice).await?);
            // Entries of an unchanged bank have been reported before.
            if news.here != here {
                envelopes::tell_left_out("questions", left_out);
            }
            *news = News { number, external: answer.version.clone(), here };
        }
        kept.is_here.store(true, Ordering::Release);
        Ok(bank)
    }
}

impl Editing<'_> {
    /// Replaces the copy by this bank and ends the change.
    pub async fn replace(mut self, api: &ExternalProvider, grade: Grade, bank: &[Question]) -> Result<(), Error> {
        // Numbered first: a bank that was fetched before the edit must not replace this one.
        *self.news = News { number: self.kept.next_number(), ..News::default() };
        questions::replace_bank(&api.database, grade, bank).await?;
        self.kept.is_here.store(true, Ordering::Release);
        Ok(())
    }
}
