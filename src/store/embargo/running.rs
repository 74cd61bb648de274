//! Which class tests still go on although they have closed: begun before there was an end, reopened, or longer than an
//! end that was moved. Whoever has handed in waits for them (`docs/decisions/0087-who-may-sit-a-template.md`).

use std::sync::Arc;

use domain::session::Session;
use domain::sight::Reader;
use domain::time::moment::Moment;
use moka::future::Cache;
use uuid::Uuid;

use super::{CHECK_EVERY, Embargo, READ_TIMEOUT};
use crate::database::in_time;
use crate::error::{Error, UNAVAILABLE};
use crate::store::guarded_templates;

/// Templates of which it is remembered whether tests of theirs go on.
const RUNNING_MAX: u64 = 10_000;

/// Whether tests of templates go on, as it was read a second ago at most. It is asked only of those that have closed.
pub(super) struct RunningTests(Cache<Uuid, bool>);

impl Default for RunningTests {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(RUNNING_MAX).time_to_live(CHECK_EVERY).build())
    }
}

impl Embargo {
    /// From when a reader is told the keys of a test, if its template keeps them now: `Some(None)` for never. A moment
    /// that has passed is the end of a template of which a test still goes on.
    pub async fn answers_from(&self, session: &Session, reader: Reader) -> Result<Option<Option<Moment>>, Error> {
        if reader.is_above_embargo(session.grade) {
            return Ok(None);
        }
        let (keys, now) = (Arc::clone(&self.withheld().await?.keys), self.clock.now());
        if let Some(kept) = keys.answers_from(session.template_id, now) {
            return Ok(Some(kept));
        }
        let Some((template_id, closed_at)) = keys.closed(session.template_id) else { return Ok(None) };
        Ok(self.is_any_running([template_id]).await?.then_some(Some(closed_at)))
    }

    /// Whether a test of any of these templates goes on.
    pub(super) async fn is_any_running(&self, templates: impl IntoIterator<Item = Uuid>) -> Result<bool, Error> {
        for template_id in templates {
            let asking = async {
                let found = guarded_templates::is_running(&self.database.read, template_id);
                let found = in_time("the tests of a template that go on", READ_TIMEOUT, found).await;
                found.ok_or(Error::Unavailable(UNAVAILABLE))
            };
            let running = self.running.0.try_get_with(template_id, asking).await;
            if running.map_err(|error: Arc<Error>| error.shared())? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
