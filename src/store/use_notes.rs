//! Notes of when a sign-in or a token was last used. They are worth little, so that they never stand in the way of what
//! is worth more: one server writes one at a time, and not for long.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::DbErr;

use crate::clock::Clock;
use crate::database::{Database, in_time};

/// How long one note may take. Whoever writes it holds a connection, on SQLite the only one that stores answers.
const NOTED_WITHIN: Duration = Duration::from_millis(1_500);
/// How long nothing is noted after a note that failed: the database has other worries.
const NOTED_AGAIN_AFTER: Duration = Duration::from_secs(30);

/// Begins to note a use, unless a note of this server is under way or has just failed: a use that is passed over is
/// noted when its owner is looked up again, which is soon. The caller does not wait.
pub(super) fn begin(
    database: &Database,
    what: &'static str,
    noting: impl Future<Output = Result<(), DbErr>> + Send + 'static,
) {
    let Ok(turn) = Arc::clone(&database.noting).try_lock_owned() else { return };
    tokio::spawn(async move {
        if in_time(what, NOTED_WITHIN, noting).await.is_none() {
            Clock::system().sleep(NOTED_AGAIN_AFTER).await;
        }
        drop(turn);
    });
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::Instant;

    use tokio::sync::oneshot;

    use super::*;

    async fn database(folder: &tempfile::TempDir) -> Database {
        let url = format!("sqlite://{}", folder.path().join("notes.db").display());
        Database::open(&url, 2, 1).await.unwrap()
    }

    /// A note that is done when the receiver hears of it.
    fn note() -> (impl Future<Output = Result<(), DbErr>> + Send + 'static, oneshot::Receiver<()>) {
        let (told, done) = oneshot::channel();
        let noting = async move {
            let _ = told.send(());
            Ok(())
        };
        (noting, done)
    }

    #[tokio::test]
    async fn one_use_is_noted_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let database = database(&folder).await;
        let (release, released) = oneshot::channel::<()>();
        begin(&database, "first", async move {
            let _ = released.await;
            Ok(())
        });
        let (noting, passed_over) = note();
        begin(&database, "second", noting);
        assert!(passed_over.await.is_err(), "it is dropped, and waits for nothing");
        release.send(()).unwrap();
        // The first one has ended when its turn is over.
        drop(database.noting.lock().await);
        let (noting, done) = note();
        begin(&database, "third", noting);
        assert!(done.await.is_ok());
    }

    #[tokio::test]
    async fn a_note_that_hangs_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let database = database(&folder).await;
        let (held, given_up) = oneshot::channel::<()>();
        let began = Instant::now();
        begin(&database, "hanging", async move {
            let _held = held;
            pending::<()>().await;
            Ok(())
        });
        assert!(given_up.await.is_err());
        assert!(began.elapsed() >= NOTED_WITHIN);
        let (noting, passed_over) = note();
        begin(&database, "after it", noting);
        assert!(passed_over.await.is_err(), "nothing is noted for a while");
    }
}
