//! Item statistics. They are counted once for all callers who ask at the same time, because a count reads every test of
//! a grade (`docs/decisions/0012-item-statistics.md`).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web::{Bytes, Data, Query, block};
use actix_web::{HttpResponse, get};
use domain::grade::Grade;
use domain::item_statistics::{GradeItems, ItemStatistics};
use domain::session::SessionOrigin;
use futures_util::future::join;
use moka::future::Cache;
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::auth::caller::Staff;
use crate::auth::refusals::StaffRefusals;
use crate::base::Base;
use crate::database::Database;
use crate::error::{Error, ErrorBody, UNAVAILABLE};
use crate::http::after::After;
use crate::http::session_conditions::{OriginChoice, origin_or_live};
use crate::provider::NO_SUCH_CALL;
use crate::store::Unreadable;
use crate::store::graded::{self, Graded};
use crate::store::measurements;
use crate::strain::{Deferrable, Strain};

/// How long figures are shown before they are counted again. A test that has just ended appears after this time.
const KEPT_FOR: Duration = Duration::from_secs(5);
/// Tests of one page. Two pages are in memory, since the next one is read while this one is counted.
const TESTS_AT_ONCE: u64 = 500;
/// The time for counting one grade. It includes waiting for the counts of other grades.
const COUNTED_WITHIN: Duration = Duration::from_secs(120);

/// The figures of the grades that were asked for in the last few seconds.
pub struct ItemStatisticsCache {
    database: Database,
    is_here: bool,
    known: Cache<(Grade, Option<SessionOrigin>), Bytes>,
    /// Only one grade is counted at a time. A teacher who waits costs less than a database that counts ten grades at
    /// once.
    alone: Mutex<()>,
    strain: Arc<Strain>,
}

impl ItemStatisticsCache {
    /// Starts empty.
    #[must_use]
    pub fn open(base: &Base) -> Self {
        Self {
            database: base.database.clone(),
            is_here: base.is_local(),
            known: Cache::builder().max_capacity(3 * Grade::COUNT as u64).time_to_live(KEPT_FOR).build(),
            alone: Mutex::default(),
            strain: Arc::clone(&base.strain),
        }
    }

    /// Returns the figures of a grade as JSON. Callers who ask at the same time share one count.
    ///
    /// # Errors
    /// 501 when finished tests are in an external service, and 503 when counting takes too long or must wait for saves.
    async fn of(&self, grade: Grade, origin: Option<SessionOrigin>) -> Result<Bytes, Error> {
        if !self.is_here {
            return Err(Error::NotHere(NO_SUCH_CALL));
        }
        let counting = async {
            self.strain.admit(Deferrable::Bulk)?;
            timeout(COUNTED_WITHIN, self.count(grade, origin)).await.map_err(|_| Error::Unavailable(UNAVAILABLE))?
        };
        self.known.try_get_with((grade, origin), counting).await.map_err(|error: Arc<Error>| error.shared())
    }

    async fn count(&self, grade: Grade, origin: Option<SessionOrigin>) -> Result<Bytes, Error> {
        let _alone = self.alone.lock().await;
        let mut statistics = ItemStatistics::default();
        let mut tests = graded::load_after(&self.database, grade, origin, None, TESTS_AT_ONCE).await?;
        while let Some(last) = tests.last().map(Graded::place) {
            let next = graded::load_after(&self.database, grade, origin, Some(last), TESTS_AT_ONCE);
            let (counted, next) = join(block(move || add(statistics, &tests)), next).await;
            statistics = counted.map_err(Error::internal)?.map_err(Error::internal)?;
            tests = next?;
        }
        // Only live tests are measured, so that the figures of others have nothing of it.
        let measured = match origin {
            Some(SessionOrigin::Client) => HashMap::new(),
            _ => measurements::load(&self.database, grade).await?,
        };
        let figures = block(move || serde_json::to_vec(&statistics.figures(grade).with_measured(measured)));
        Ok(figures.await.map_err(Error::internal)??.into())
    }
}

fn add(mut statistics: ItemStatistics, tests: &[Graded]) -> Result<ItemStatistics, Unreadable> {
    for test in tests {
        statistics.add(&test.outcomes()?);
    }
    Ok(statistics)
}

#[derive(Deserialize)]
struct ItemsQuery {
    grade: Option<String>,
    origin: Option<String>,
}

impl ItemsQuery {
    fn grade(&self) -> Result<Grade, Error> {
        self.grade.as_deref().and_then(Grade::parse).ok_or_else(|| Error::invalid("grade"))
    }
}

/// Returns statistics of a grade's questions, counted from its stored tests.
///
/// Only live sessions are counted, unless `origin` says otherwise, and of the others only those that the server has
/// graded itself. The figures are up to 5 seconds old.
///
/// A question with at least 30 live answers has `measured`: its difficulty on the scale of labels, measured in batches
/// some times a day.
#[utoipa::path(
    operation_id = "listItemStatistics",
    tag = "review",
    security(("api_token" = [])),
    params(
        ("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10),
        ("origin" = inline(Option<OriginChoice>), Query, description = "`live`, also without it, `client` or `all`"),
    ),
    responses(
        (status = 200, description = "Reliability of the tests, figures of each question", body = GradeItems),
        (status = 400, description = "`Invalid grade` or `Invalid origin`", body = ErrorBody),
        StaffRefusals,
    )
)]
#[get("/api/admin/items")]
pub async fn items(
    asked: After<Staff, Query<ItemsQuery>>,
    items: Data<ItemStatisticsCache>,
) -> Result<HttpResponse, Error> {
    let After(staff, asked) = asked;
    let (grade, origin) = (asked.grade()?, origin_or_live(&asked.origin)?);
    staff.reviewing(grade)?;
    Ok(HttpResponse::Ok().content_type("application/json").body(items.of(grade, origin).await?))
}
