//! Tests that have a stored result and go on again: nobody but staff of the grade is shown that result, and it is noted
//! which students have been shown a key (`docs/live-protocol.md#reopening`).

use std::time::Duration;

use domain::session::{Session, SessionOrigin};
use domain::sight::{Reader, Sight};
use uuid::Uuid;

use super::Embargo;
use crate::database::in_time;
use crate::error::{Error, UNAVAILABLE};
use crate::store::reopenings::{self, EndStanding};

/// The answer to those who ask for the result of a test that goes on.
pub const TEST_GOES_ON: &str = "The test goes on";
/// How long the database may take to answer each question.
const READ_TIMEOUT: Duration = Duration::from_secs(2);
/// How long after its end a test is shown on a server that writes nothing although nobody can note that.
const READ_AFTER_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;

impl Embargo {
    /// Whether a test was reopened and goes on.
    pub async fn goes_on(&self, session_id: Uuid) -> Result<bool, Error> {
        Ok(self.standing(session_id).await?.is_some_and(|standing| standing.goes_on))
    }

    /// The sight of a person, unless their test goes on. Of whoever may be the student it is stored first that they see
    /// the key.
    pub(super) async fn of_ended(&self, session: &Session, reader: Reader, sight: Sight) -> Result<Sight, Error> {
        let is_asked = reader.is_person() && !reader.is_above_embargo(session.grade);
        if !is_asked || session.origin != SessionOrigin::Live {
            return Ok(sight);
        }
        let Some(standing) = self.standing(session.session_id).await? else { return Ok(sight) };
        if standing.goes_on {
            return Err(Error::Conflict(TEST_GOES_ON));
        }
        // However long ago it ended: late work may come by a file at any time. Once noted, it is never written again.
        if !sight.shows_keys() || !reader.may_be_student() || standing.has_seen_answers {
            return Ok(sight);
        }
        if self.database.is_read_only() {
            // Nothing hangs on it after a release: no test is reopened, and what comes late counts as after the key.
            // Nor does much of a test of former days, which nobody could read for as long as nothing is written.
            let is_old = self.clock.now().since(session.completed_at) > READ_AFTER_MILLISECONDS;
            return if is_old || self.is_released(session).await? { Ok(sight) } else { Err(Error::ReadOnly) };
        }
        let noting = reopenings::note_answers_seen(&self.database, session.session_id, self.clock.now());
        let noted = in_time("that a student sees a key", READ_TIMEOUT, noting).await;
        if noted.ok_or(Error::Unavailable(UNAVAILABLE))? { Ok(sight) } else { Err(Error::Conflict(TEST_GOES_ON)) }
    }

    /// Whether the sitting of a test has been released; no test without one is.
    async fn is_released(&self, session: &Session) -> Result<bool, Error> {
        match session.sitting_id {
            // What was ended before it began waits for the release, whatever the rule.
            Some(sitting_id) => Ok(!self.open_results(sitting_id).await?.holds(false)),
            None => Ok(false),
        }
    }

    async fn standing(&self, session_id: Uuid) -> Result<Option<EndStanding>, Error> {
        let finding = reopenings::find_standing(&self.database, session_id);
        in_time("whether a test goes on", READ_TIMEOUT, finding).await.ok_or(Error::Unavailable(UNAVAILABLE))
    }
}
