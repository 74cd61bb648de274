//! Receivers keep their places for what is not their fault: slow answers, and a slow database.

use std::time::Duration;

use sea_orm::{
    ConnectionTrait, Database, DatabaseTransaction, DbBackend, SqliteTransactionMode, TransactionOptions,
    TransactionTrait,
};
use serde_json::{Value, json};

use super::{answered, finish, finished, hall_with_receiver};
use crate::hall::{Bank, Hall, Process, Receiver, Reply, eventually};

/// Longer than a prompt answer takes, and well within the time of an attempt.
const SLOWLY: Duration = Duration::from_millis(3_500);

/// Waits until this many events are under way at the same time.
async fn expect_at_once(hall: &Hall, receiver: &Receiver, count: usize) {
    for _ in 0..2 * count {
        finish(hall, &receiver.url()).await;
    }
    eventually(&format!("{count} at once"), async || (receiver.most_open() == count).then_some(())).await;
}

#[tokio::test]
async fn a_receiver_that_answers_slowly_keeps_its_places() {
    let (hall, receiver) = hall_with_receiver().await;
    let admin = hall.signed_in("admin").await;
    receiver.always(Reply::After(SLOWLY));
    let id = finish(&hall, &receiver.url()).await;
    answered(&hall, &admin, &id, 1, 200).await;
    expect_at_once(&hall, &receiver, 8).await;
}

/// Keeps others from writing until it ends.
async fn occupied(hall: &Hall) -> DatabaseTransaction {
    let connection = Database::connect(hall.database_url()).await.unwrap();
    let mode = Some(SqliteTransactionMode::Immediate);
    let options = TransactionOptions { sqlite_transaction_mode: mode, ..TransactionOptions::default() };
    let transaction = connection.begin_with_options(options).await.unwrap();
    if transaction.get_database_backend() == DbBackend::Postgres {
        transaction.execute_unprepared("LOCK TABLE deliveries IN EXCLUSIVE MODE").await.unwrap();
    }
    transaction
}

#[tokio::test]
async fn a_slow_database_is_no_fault_of_the_receiver() {
    let (hall, receiver) = hall_with_receiver().await;
    let admin = hall.signed_in("admin").await;
    receiver.then([Reply::status(500)]);
    let id = finish(&hall, &receiver.url()).await;
    answered(&hall, &admin, &id, 1, 500).await;
    let occupied = occupied(&hall).await;
    hall.clock.advance(Duration::from_secs(10));
    // The next attempt is claimed only when the database is free again.
    tokio::time::sleep(SLOWLY).await;
    assert_eq!(receiver.calls().len(), 1);
    occupied.rollback().await.unwrap();
    answered(&hall, &admin, &id, 2, 200).await;
    receiver.always(Reply::Hang);
    // Each of the two prompt answers has given it one place more.
    expect_at_once(&hall, &receiver, 10).await;
}

#[tokio::test]
async fn a_server_that_starts_reads_who_has_accepted_before_and_who_is_awaited() {
    let (mut hall, receiver) = hall_with_receiver().await;
    let admin = hall.signed_in("admin").await;
    let id = finish(&hall, &receiver.url()).await;
    answered(&hall, &admin, &id, 1, 200).await;
    hall.sit(json!({ "grade": 5, "webhookUrl": receiver.url() })).await;
    hall.stop().await;
    let process = Process::serve(hall.settings()).await;
    let bank: Value = process.anonymous().get("/api/questions?grade=5").await.json();
    let body = finished(&Bank::new(bank.as_array().unwrap().clone()), &receiver.url());
    assert_eq!(process.anonymous().post_json("/api/sessions", &body).await.status, 200);
    // It delivers nothing before it has read them.
    receiver.wait_for(2).await;
    assert!(!process.log().contains("cannot be asked"), "{}", process.log());
}
