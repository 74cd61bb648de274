//! Two servers of one store: one of them has the seat, and the other one writes nothing.

use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement, TransactionTrait};
use serde_json::json;

use super::{selected, short_test};
use crate::hall::{Answer, Caller, Candidate, Hall, Heard, LiveSocket, answer, eventually, need_services};

async fn resume_at(hall: &Hall, frame: &serde_json::Value) -> (LiveSocket, serde_json::Value) {
    let mut socket = hall.socket().await;
    socket.send(frame).await;
    let resumed = socket.expect("resumed").await;
    (socket, resumed)
}

/// Waits until the server lets the socket go; what came before the close.
async fn until_closed(socket: &mut LiveSocket) -> (Vec<serde_json::Value>, Option<u16>) {
    let mut frames = Vec::new();
    loop {
        match socket.hear().await {
            Heard::Frame(frame) => frames.push(frame),
            Heard::Closed(code) => return (frames, code),
        }
    }
}

async fn fence(connection: &impl ConnectionTrait, session_id: &str) -> i64 {
    let id: uuid::Uuid = session_id.parse().unwrap();
    let backend = connection.get_database_backend();
    let statement =
        Statement::from_sql_and_values(backend, "SELECT fence FROM seats WHERE session_id = $1", [id.into()]);
    connection.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

async fn raise_fence(connection: &impl ConnectionTrait, session_id: &str) {
    let id: uuid::Uuid = session_id.parse().unwrap();
    let backend = connection.get_database_backend();
    let statement = Statement::from_sql_and_values(
        backend,
        "UPDATE seats SET fence = fence + 1 WHERE session_id = $1",
        [id.into()],
    );
    assert_eq!(connection.execute_raw(statement).await.unwrap().rows_affected(), 1);
}

async fn store_of(hall: &Hall) -> DatabaseConnection {
    Database::connect(hall.database_url()).await.unwrap()
}

#[tokio::test]
async fn a_socket_at_another_server_takes_over() {
    let (hall, question) = (Hall::open().await, 3);
    let other = hall.beside().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[question].clone();
    candidate.answer(&question, "B").await;
    let (mut taking, resumed) = resume_at(&other, &candidate.resume_frame()).await;
    assert_eq!(selected(&resumed, &question).as_deref(), Some("B"));
    // The first server saves nothing more: it learns of the new holder from a message or when its commit fails.
    candidate.send(answer(&question, "C")).await;
    let (frames, code) = until_closed(candidate.socket()).await;
    assert_eq!((frames.iter().any(|frame| frame["type"] == "saved"), code), (false, Some(4001)), "{frames:?}");
    assert!(frames.iter().any(|frame| frame["type"] == "superseded"), "{frames:?}");
    taking.send(&json!({ "type": "answer", "seq": 2, "questionId": question, "selected": "D" })).await;
    taking.expect_saved(2).await;
    candidate.move_to(&other.base());
    assert_eq!(selected(&candidate.state().await, &question).as_deref(), Some("D"));
    taking.send(&json!({ "type": "submit", "seq": 3 })).await;
    taking.expect("submitted").await;
    assert_eq!(hall.stored_session(&candidate.session_id).await["sessionId"], candidate.session_id.as_str());
}

#[tokio::test]
async fn a_wrong_token_moves_no_seat() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    let mut frame = candidate.resume_frame();
    frame["token"] = json!("nobody's");
    let mut socket = other.socket().await;
    socket.send(&frame).await;
    socket.expect_error("bad_token").await;
    candidate.answer(&question, "A").await;
    let connection = store_of(&hall).await;
    assert_eq!(fence(&connection, &candidate.session_id).await, 1);
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_seat_that_was_taken_writes_nothing() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "A").await;
    let connection = store_of(&hall).await;
    raise_fence(&connection, &candidate.session_id).await;
    candidate.send(answer(&question, "B")).await;
    let (frames, code) = until_closed(candidate.socket()).await;
    assert_eq!((frames.iter().any(|frame| frame["type"] == "saved"), code), (false, Some(1012)), "{frames:?}");
    // The student comes again, and what was not acknowledged is sent again.
    let resumed = candidate.resume().await;
    assert_eq!(selected(&resumed, &question).as_deref(), Some("A"));
    candidate.settle().await;
    assert_eq!(selected(&candidate.state().await, &question).as_deref(), Some("B"));
    connection.close().await.unwrap();
}

#[tokio::test]
async fn an_end_is_not_stored_by_a_seat_that_was_taken() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let connection = store_of(&hall).await;
    raise_fence(&connection, &candidate.session_id).await;
    let seq = candidate.send(json!({ "type": "submit" })).await;
    until_closed(candidate.socket()).await;
    assert_eq!(hall.anonymous().get(&format!("/api/sessions/{}", candidate.session_id)).await.status, 404);
    assert_eq!(candidate.resume().await["state"], "active");
    candidate.carry(seq).await;
    let submitted = candidate.socket().expect("submitted").await;
    assert_eq!(submitted["sessionId"], candidate.session_id.as_str());
    connection.close().await.unwrap();
}

/// A student whose requests come to another server than the one that has the seat.
struct Elsewhere {
    candidate: Candidate,
    caller: Caller,
    path: String,
    question: String,
}

impl Elsewhere {
    /// Reads and answers at the other server.
    async fn served(hall: &Hall, other: &Hall) -> Self {
        let mut candidate = hall.sit(short_test()).await;
        let question = candidate.paper[0].clone();
        candidate.answer(&question, "A").await;
        let caller = other.bearer(&candidate.token);
        let path = format!("/api/live/{}", candidate.session_id);
        let state = caller.get(&path).await;
        assert_eq!((state.status, selected(&state.json(), &question).as_deref()), (200, Some("A")));
        let body = json!({ "commands": [{ "type": "answer", "seq": 2, "questionId": question, "selected": "C" }] });
        let request = caller.request(reqwest::Method::POST, &format!("{path}/commands")).json(&body);
        let posted = Answer::to(request).await;
        assert_eq!((posted.status, &posted.json()["saved"]), (200, &json!(2)), "{}", posted.text());
        assert_eq!(caller.get(&path).await.json()["seq"], 2);
        Self { candidate, caller, path, question }
    }
}

#[tokio::test]
async fn two_servers_that_both_sweep_end_an_attempt_once() {
    let mut hall = Hall::open().await;
    let other = hall.beside().await;
    let candidate = hall.sit(short_test()).await;
    hall.stop().await;
    other.clock.advance(std::time::Duration::from_secs(31 * 60));
    hall.clock.advance(std::time::Duration::from_secs(31 * 60));
    hall.begin().await;
    let stored = other.stored_session(&candidate.session_id).await;
    assert_eq!(stored["sessionId"], candidate.session_id.as_str());
    let events =
        hall.signed_in("admin").await.get(&format!("/api/live/sessions/{}/events", candidate.session_id)).await.json();
    let ends = events["events"].as_array().unwrap().iter().filter(|event| event["kind"] == "submitted").count();
    assert_eq!(ends, 1, "{events}");
}

mod several_servers {
    use super::*;

    /// Only Postgres has writers that wait for each other in the middle of a batch.
    #[tokio::test]
    async fn who_takes_a_seat_waits_for_the_batch_under_way() {
        need_services();
        let hall = Hall::open().await;
        let other = hall.beside().await;
        let mut candidate = hall.sit(short_test()).await;
        let question = candidate.paper[0].clone();
        candidate.answer(&question, "A").await;
        let connection = store_of(&hall).await;
        let transaction = connection.begin().await.unwrap();
        // The batch has locked its seat when it comes to this row.
        transaction.execute_unprepared("UPDATE journal_entries SET seq = seq").await.unwrap();
        candidate.send(answer(&question, "B")).await;
        let waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'WITH held%' AND datname = current_database()";
        eventually("the batch waits", async || {
            let row = connection
                .query_one_raw(Statement::from_string(connection.get_database_backend(), waits))
                .await
                .unwrap()
                .unwrap();
            Some(()).filter(|()| row.try_get_by_index::<i64>(0).unwrap() > 0)
        })
        .await;
        let mut taking = other.socket().await;
        taking.send(&candidate.resume_frame()).await;
        taking.expect_silence(std::time::Duration::from_millis(500)).await;
        transaction.rollback().await.unwrap();
        let resumed = taking.expect("resumed").await;
        assert_eq!(
            selected(&resumed, &question).as_deref(),
            Some("B"),
            "what the first server may have acknowledged is there"
        );
        connection.close().await.unwrap();
    }

    /// How often requests are tried whose answer has to come from another server within a second.
    const TRIES: usize = 3;

    #[tokio::test]
    async fn requests_are_answered_by_whoever_has_the_seat() {
        need_services();
        let hall = Hall::open().await;
        let other = hall.beside().await;
        for _ in 0..TRIES {
            let Elsewhere { mut candidate, caller, path, question } = Elsewhere::served(&hall, &other).await;
            let connection = store_of(&hall).await;
            let fence = fence(&connection, &candidate.session_id).await;
            connection.close().await.unwrap();
            // A server that is silent for a second is taken for gone, as it should be; on a busy machine it is only
            // late.
            if fence > 1 {
                continue;
            }
            // The socket has kept the session all the while, and knows of what came by the other road.
            candidate.socket().sync().await;
            candidate.seq = 2;
            candidate.answer(&question, "D").await;
            assert_eq!(selected(&caller.get(&path).await.json(), &question).as_deref(), Some("D"));
            return;
        }
        panic!("each time the seat was claimed by the server that was asked");
    }
}

/// Servers hear each other over Redis alone, which these tests have only where `several_servers` runs.
mod edge {
    use super::*;

    #[tokio::test]
    async fn without_redis_the_server_that_is_asked_takes_the_seat() {
        let hall = Hall::open().await;
        let other = hall.beside().await;
        let elsewhere = Elsewhere::served(&hall, &other).await;
        let connection = store_of(&hall).await;
        assert!(fence(&connection, &elsewhere.candidate.session_id).await > 1);
        connection.close().await.unwrap();
    }
}
