//! The connections to the database that requests do not share.

use std::time::Duration;

use domain::delivery::DeliveryStatus;
use examhall::database::Database;
use examhall::store::operations::count_deliveries;
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
    let count = async |database: &Database| timeout(WITHIN, count_deliveries(database, DeliveryStatus::Pending)).await;
    assert!(count(&database).await.is_err(), "requests hold all of theirs");
    assert_eq!(count(&database.for_background()).await.unwrap().unwrap(), 0);
    drop(held);
    database.close().await;
}
