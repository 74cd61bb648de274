//! Failed deliveries are retried, and a slow receiver delays no other.

use std::time::Duration;

use serde_json::{Value, json};

use super::{answered, attempted, finish, hall_with_receiver, reached};
use crate::hall::{Hall, Receiver, Reply, eventually, time_of};

/// Seconds between attempts.
const DELAYS: [i64; 9] = [5, 30, 120, 600, 1_800, 7_200, 21_600, 43_200, 86_400];
/// How far before the next attempt the server looks for what is due.
const SHORTLY_BEFORE_MS: i64 = 5_000;
#[tokio::test]
async fn retries_come_when_they_should_with_the_same_id() {
    let (hall, receiver) = hall_with_receiver().await;
    receiver.then((500..510).map(Reply::status));
    let admin = hall.signed_in("admin").await;
    let mut began = hall.clock.now().milliseconds();
    let id = finish(&hall, &receiver.url()).await;
    for ((attempts, status), delay) in (1..).zip(500..).zip(DELAYS) {
        let pending = answered(&hall, &admin, &id, attempts, status).await;
        let next = time_of(&pending["nextAttemptAt"]).timestamp_millis();
        let ended = hall.clock.now().milliseconds();
        // The wait is a fifth shorter or longer at most, and it began at some moment between these two.
        assert!((began + delay * 800..=ended + delay * 1_200).contains(&next), "{began} {ended} {pending}");
        advance_to(&hall, next - SHORTLY_BEFORE_MS);
        Receiver::let_others_be_told(&hall).await;
        advance_to(&hall, next);
        began = next;
        let calls = receiver.wait_for(attempts + 1).await;
        let sent = calls[attempts].header("webhook-timestamp").parse::<i64>().unwrap();
        assert!(sent >= next / 1_000, "sent at {sent}, and not before {next}");
    }
    let failed = reached(&hall, &admin, &id, "failed").await;
    assert_eq!(
        (&failed["attempts"], &failed["lastStatus"], &failed["nextAttemptAt"]),
        (&json!(10), &json!(509), &Value::Null)
    );
    hall.clock.advance(Duration::from_secs(10 * 86_400));
    receiver.expect_only(&hall, 10).await;
    let calls = receiver.calls();
    assert!(calls.iter().all(|call| call.header("webhook-id") == calls[0].header("webhook-id")));
    assert!(calls.iter().all(|call| call.body == calls[0].body));
    assert_eq!(hall.stored_session(&id).await["webhookSent"], false);
}

/// Moves the clock ahead to a time in milliseconds, unless it is later already.
fn advance_to(hall: &Hall, time: i64) {
    let milliseconds = u64::try_from(time - hall.clock.now().milliseconds()).unwrap_or_default();
    hall.clock.advance(Duration::from_millis(milliseconds));
}

/// As beside a newer server, which sends something else too.
#[tokio::test]
async fn what_is_of_an_unknown_kind_waits_for_a_server_that_knows_it() {
    let (hall, receiver) = hall_with_receiver().await;
    receiver.then([Reply::status(500)]);
    let admin = hall.signed_in("admin").await;
    let id = finish(&hall, &receiver.url()).await;
    attempted(&hall, &admin, &id).await;
    hall.alter("UPDATE deliveries SET event = 'score.corrected'").await;
    hall.clock.advance(Duration::from_secs(60));
    receiver.expect_only(&hall, 1).await;
    assert_eq!(attempted(&hall, &admin, &id).await["status"], "pending");
    hall.alter("UPDATE deliveries SET event = 'test.completed'").await;
    hall.clock.advance(Duration::from_secs(60));
    assert_eq!(reached(&hall, &admin, &id, "delivered").await["attempts"], 2);
}

/// As when the log of a sitting cannot be read, of which the event of its end is made.
#[tokio::test]
async fn a_kind_that_cannot_be_made_holds_up_no_other() {
    let (hall, receiver) = hall_with_receiver().await;
    receiver.then([Reply::status(500)]);
    let admin = hall.signed_in("admin").await;
    let id = finish(&hall, &receiver.url()).await;
    attempted(&hall, &admin, &id).await;
    hall.alter("ALTER TABLE sitting_logs RENAME TO hidden_logs").await;
    // It has been due for longer than any other, so that it is in each batch.
    hall.alter("UPDATE deliveries SET event = 'sitting.ended', next_attempt_at_ms = 0").await;
    let other = finish(&hall, &receiver.url()).await;
    reached(&hall, &admin, &other, "delivered").await;
    let of_sitting = async || {
        let listed = hall.deliveries(&admin).await;
        listed.into_iter().find(|delivery| delivery["event"] == "sitting.ended").unwrap()
    };
    let waiting = of_sitting().await;
    assert_eq!((&waiting["status"], &waiting["attempts"]), (&json!("pending"), &json!(1)), "it waits: {waiting}");
    hall.alter("ALTER TABLE hidden_logs RENAME TO sitting_logs").await;
    hall.clock.advance(Duration::from_secs(60));
    eventually("it is made again", async || (of_sitting().await["status"] == "failed").then_some(())).await;
    assert_eq!(of_sitting().await["lastError"], "the log is gone");
}

#[tokio::test]
async fn a_retry_that_succeeds_ends_it() {
    let (hall, receiver) = hall_with_receiver().await;
    receiver.then([Reply::status(503), Reply::status(404)]);
    let admin = hall.signed_in("admin").await;
    let id = finish(&hall, &receiver.url()).await;
    let pending = attempted(&hall, &admin, &id).await;
    assert_eq!((&pending["status"], &pending["lastStatus"]), (&json!("pending"), &json!(503)));
    for (attempts, status, advance) in [(2, 404, 6), (3, 200, 36)] {
        hall.clock.advance(Duration::from_secs(advance));
        answered(&hall, &admin, &id, attempts, status).await;
    }
    let delivered = reached(&hall, &admin, &id, "delivered").await;
    assert_eq!((&delivered["attempts"], &delivered["lastStatus"]), (&json!(3), &json!(200)));
    assert_eq!(hall.stored_session(&id).await["webhookSent"], true);
    let timestamps: std::collections::BTreeSet<String> =
        receiver.calls().iter().map(|call| call.header("webhook-timestamp").to_owned()).collect();
    assert_eq!(timestamps.len(), 3, "each attempt is signed at its own time");
    hall.clock.advance(Duration::from_secs(3_600));
    receiver.expect_only(&hall, 3).await;
}

#[tokio::test]
async fn a_receiver_that_hangs_delays_nobody_else() {
    let (hall, receiver) = hall_with_receiver().await;
    let hanging = Receiver::answering(Reply::Hang).await;
    let admin = hall.signed_in("admin").await;
    let mut stuck = String::new();
    for _ in 0..40 {
        stuck = finish(&hall, &hanging.url()).await;
    }
    hanging.wait_for(8).await;
    let began = std::time::Instant::now();
    let id = finish(&hall, &receiver.url()).await;
    receiver.wait_for(1).await;
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    reached(&hall, &admin, &id, "delivered").await;
    // On a busy machine the first of them have timed out by now, and others have followed.
    assert_eq!(hanging.most_open(), 8, "at most eight to one host");
    assert_eq!(hall.stored_session(&stuck).await["webhookSent"], false);
}

#[tokio::test]
async fn nobody_listening_is_retried() {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let admin = hall.signed_in("admin").await;
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let id = finish(&hall, &format!("http://{closed}/hook")).await;
    let tried = attempted(&hall, &admin, &id).await;
    assert_eq!((&tried["status"], &tried["lastStatus"]), (&json!("pending"), &Value::Null));
    assert!(tried["lastError"].is_string() && tried["nextAttemptAt"].is_string(), "{tried}");
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn retry_after_is_respected() {
        let (hall, receiver) = hall_with_receiver().await;
        receiver.then([Reply::Status(429, "retry-after: 3600\r\n".to_owned())]);
        let admin = hall.signed_in("admin").await;
        let id = finish(&hall, &receiver.url()).await;
        attempted(&hall, &admin, &id).await;
        hall.clock.advance(Duration::from_secs(3_500));
        receiver.expect_only(&hall, 1).await;
        hall.clock.advance(Duration::from_secs(1_000));
        receiver.wait_for(2).await;
        reached(&hall, &admin, &id, "delivered").await;
    }

    #[tokio::test]
    async fn retry_after_is_respected_up_to_a_day() {
        let (hall, receiver) = hall_with_receiver().await;
        receiver.then([Reply::Status(503, "retry-after: 99999999\r\n".to_owned())]);
        let admin = hall.signed_in("admin").await;
        let id = finish(&hall, &receiver.url()).await;
        attempted(&hall, &admin, &id).await;
        hall.clock.advance(Duration::from_secs(86_000));
        receiver.expect_only(&hall, 1).await;
        hall.clock.advance(Duration::from_secs(20_000));
        receiver.wait_for(2).await;
    }

    #[tokio::test]
    async fn nonsense_in_retry_after_is_no_trap() {
        let (hall, receiver) = hall_with_receiver().await;
        let replies = [(503, "soon"), (429, "-5"), (503, "99999999999999999999999"), (429, "")];
        receiver.then(replies.map(|(status, value)| Reply::Status(status, format!("retry-after: {value}\r\n"))));
        let admin = hall.signed_in("admin").await;
        let id = finish(&hall, &receiver.url()).await;
        for (attempts, (status, _)) in (1..).zip(replies) {
            answered(&hall, &admin, &id, attempts, status).await;
            hall.clock.advance(Duration::from_secs(90_000));
        }
        reached(&hall, &admin, &id, "delivered").await;
    }

    #[tokio::test]
    async fn gone_stops_at_once() {
        let (hall, receiver) = hall_with_receiver().await;
        receiver.always(Reply::status(410));
        let admin = hall.signed_in("admin").await;
        let id = finish(&hall, &receiver.url()).await;
        let failed = reached(&hall, &admin, &id, "failed").await;
        assert_eq!((&failed["attempts"], &failed["lastStatus"]), (&json!(1), &json!(410)));
        hall.clock.advance(Duration::from_secs(86_400));
        receiver.expect_only(&hall, 1).await;
    }

    #[tokio::test]
    async fn a_redirect_is_a_failure_and_is_not_followed() {
        let (hall, receiver) = hall_with_receiver().await;
        let elsewhere = Receiver::open().await;
        let admin = hall.signed_in("admin").await;
        for status in [301, 302, 303, 307, 308] {
            receiver.always(Reply::Status(status, format!("location: {}\r\n", elsewhere.url())));
            let id = finish(&hall, &receiver.url()).await;
            let failed = attempted(&hall, &admin, &id).await;
            assert_eq!(failed["lastStatus"], status);
            assert_ne!(failed["status"], "delivered");
            assert_eq!(hall.stored_session(&id).await["webhookSent"], false);
        }
        assert!(elsewhere.calls().is_empty(), "{:?}", elsewhere.calls());
    }

    #[tokio::test]
    async fn a_request_takes_ten_seconds_at_most() {
        let (hall, hanging) = hall_with_receiver().await;
        hanging.always(Reply::Hang);
        let admin = hall.signed_in("admin").await;
        let began = std::time::Instant::now();
        let id = finish(&hall, &hanging.url()).await;
        let tried = attempted(&hall, &admin, &id).await;
        assert!(began.elapsed() < Duration::from_secs(14), "{:?}", began.elapsed());
        assert!(tried["lastError"].as_str().is_some_and(|error| !error.is_empty()), "{tried}");
        assert_eq!(tried["status"], "pending");
    }

    #[tokio::test]
    async fn an_answer_without_end_is_not_read() {
        let (hall, receiver) = hall_with_receiver().await;
        receiver.always(Reply::Endless);
        let admin = hall.signed_in("admin").await;
        let began = std::time::Instant::now();
        let id = finish(&hall, &receiver.url()).await;
        reached(&hall, &admin, &id, "delivered").await;
        assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    }
}
