//! When the exams of the calendar's events open. The calendar writes it with each event; starts of tests and the links
//! of templates ask for it. It is here, below all of them, so that none of these features needs another one for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use domain::calendar::status::Status;
use domain::time::moment::Moment;
use entities::calendar::event::{Column, Entity};
use moka::future::Cache;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::database::{self, Database};
use crate::error::{Error, UNAVAILABLE};

/// How long an opening is cached. It is also the longest time until a change by another server is noticed.
const CACHED_FOR: Duration = Duration::from_secs(1);
/// Templates whose openings are remembered.
const OPENINGS_MAX: u64 = 10_000;
/// How long the database may take to answer.
const FIND_TIMEOUT: Duration = Duration::from_secs(2);

/// The statuses of events that everyone sees, now or from their publication on. Those whose author alone decides, such
/// as drafts, must not close a template for others.
const ANNOUNCED: [Status; 2] = [Status::Publish, Status::Future];

/// The opening of an event's exam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// From when students may begin.
    pub opens_at: Moment,
    /// Whether the event is published, or will be.
    pub is_announced: bool,
}

/// The openings of all events.
pub struct Openings {
    database: Database,
    /// Counts the changes of events on this server. It is part of the cache's key, so that nothing is found that was
    /// read before a change.
    changes: AtomicU64,
    current: Cache<(Uuid, u64), Option<Moment>>,
    /// What was last read, for the time in which the database is down.
    last: Cache<Uuid, Option<Moment>>,
}

impl Opening {
    /// Whether students may begin now.
    #[must_use]
    pub fn is_open(self, now: Moment) -> bool {
        self.is_announced && self.opens_at <= now
    }
}

impl Openings {
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            changes: AtomicU64::new(0),
            current: Cache::builder().max_capacity(OPENINGS_MAX).time_to_live(CACHED_FOR).build(),
            last: Cache::builder().max_capacity(OPENINGS_MAX).build(),
        }
    }

    /// To be called when an event has changed.
    pub fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Release);
    }

    /// When the first of the announced events with this template opens. `None` if there are none, and nothing closes
    /// the template. While the database is down, the last answer is used.
    pub async fn of_template(&self, template: Uuid) -> Result<Option<Moment>, Error> {
        let key = (template, self.changes.load(Ordering::Acquire));
        let found = self.current.try_get_with(key, self.find_of_template(template)).await;
        match found {
            Ok(opens_at) => {
                self.last.insert(template, opens_at).await;
                Ok(opens_at)
            }
            Err(error) => self.last.get(&template).await.ok_or_else(|| Arc::as_ref(&error).shared()),
        }
    }

    /// The opening of an event's exam. `None` if there is no such event, or nothing closes its exam.
    pub async fn of_event(&self, event: i64) -> Result<Option<Opening>, Error> {
        let query = Entity::find_by_id(event).select_only().columns([Column::ExamOpensAtMs, Column::Status]);
        let finding = query.into_tuple::<(Option<i64>, String)>().one(&self.database.read);
        let Some((Some(opens_at), status)) = in_time(finding).await? else { return Ok(None) };
        let is_announced = ANNOUNCED.iter().any(|announced| announced.name() == status);
        Ok(Some(Opening { opens_at: Moment::from_milliseconds(opens_at), is_announced }))
    }

    async fn find_of_template(&self, template: Uuid) -> Result<Option<Moment>, Error> {
        let query = Entity::find()
            .select_only()
            .column_as(Column::ExamOpensAtMs.min(), "opens_at_ms")
            .filter(Column::ExamTemplate.eq(template.to_string()))
            .filter(Column::Status.is_in(ANNOUNCED.map(Status::name)));
        let found = in_time(query.into_tuple::<Option<i64>>().one(&self.database.read)).await?;
        Ok(found.flatten().map(Moment::from_milliseconds))
    }
}

async fn in_time<T>(finding: impl Future<Output = Result<T, DbErr>>) -> Result<T, Error> {
    Ok(database::within(FIND_TIMEOUT, finding).await.ok_or(Error::Unavailable(UNAVAILABLE))??)
}
