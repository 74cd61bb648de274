//! Stored results that change, by the function through which every change of them goes.

use domain::scoring::TestResult;
use domain::session::VersionReason;
use examhall::database::Database;
use examhall::error::Error;
use examhall::sessions::versions::{NewVersion, append};

use super::Hall;

/// Who changes results.
pub const CHANGED_BY: &str = "teacher@exam.test";

impl Hall {
    /// Gives a stored test another result; returns the number of the version.
    pub async fn change_result(
        &self,
        session_id: &str,
        reason: VersionReason,
        change: impl FnOnce(&mut TestResult),
    ) -> u32 {
        let changed = self.change_result_of(session_id, None, reason, change).await.unwrap();
        changed.expect("it has another version")
    }

    /// The same of an expected version; `None` if it has no other now.
    pub async fn change_result_of(
        &self,
        session_id: &str,
        expected: Option<u32>,
        reason: VersionReason,
        change: impl FnOnce(&mut TestResult),
    ) -> Result<Option<u32>, Error> {
        let database = Database::open(self.database_url(), 2, 1).await.unwrap();
        let transaction = database.begin_alone().await.unwrap();
        let sends_sessions = self.settings().get("DATA_PROVIDER").is_some_and(|provider| provider == "api");
        let appended = append(&transaction, sends_sessions, session_id.parse().unwrap(), expected, |session| {
            let mut result = session.result.inside_the_server().clone();
            change(&mut result);
            let (by, comment) = (Some(CHANGED_BY.to_owned()), Some("As agreed".to_owned()));
            Ok(Some(NewVersion { by, comment, ..NewVersion::of_result(reason, self.clock.now(), result) }))
        })
        .await;
        if appended.is_ok() {
            transaction.commit().await.unwrap();
        } else {
            transaction.rollback().await.unwrap();
        }
        database.close().await;
        appended
    }
}
