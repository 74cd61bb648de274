//! The connections to the database that requests do not share.

use std::time::Duration;

use examhall::database::Database;
use examhall::webhooks::store::count_waiting;
use tokio::time::timeout;

use crate::hall::TestStore;

/// Connections of requests: on SQLite there are as many that read.
const CONNECTIONS: u32 = 4;
/// Much longer than a count of an empty table takes.
const WITHIN: Duration = Duration::from_millis(1_500);

#[tokio::test]
async fn the_outbox_waits_for_no_request() {
    let store = TestStore::create().await;
    let settings = store.settings(&[]);
    let database = Database::open(&settings["DATABASE_URL"], CONNECTIONS, 1).await.unwrap();
    database.migrate().await.unwrap();
    let mut held = Vec::new();
    for _ in 0..CONNECTIONS {
        held.push(database.snapshot().await.unwrap());
    }
    assert!(timeout(WITHIN, count_waiting(&database)).await.is_err(), "requests hold all of theirs");
    assert_eq!(timeout(WITHIN, count_waiting(&database.for_background())).await.unwrap().unwrap(), 0);
    drop(held);
    database.close().await;
}
