//! Going on with another device: own attempts, further tokens for their owner, and codes of proctors.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::short_test;
use crate::hall::{Answer, Caller, Candidate, Hall, Hold, LiveSocket, Proctor, answer, eventually, time_of, token};

/// A student who is signed in, and their API token.
async fn student(hall: &Hall, email: &str) -> (Caller, String) {
    let token = token::create(hall.settings(), email, "student").await;
    (hall.bearer(&token), token)
}

async fn start(caller: &Caller, test: Value) -> Value {
    let answer = caller.post_json("/api/live", &test).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn mine(caller: &Caller) -> Vec<Value> {
    let answer = caller.get("/api/live/mine").await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"), "{}", answer.text());
    answer.json()["attempts"].as_array().unwrap().clone()
}

fn token_path(started: &Value) -> String {
    format!("/api/live/{}/token", started["sessionId"].as_str().unwrap())
}

async fn further_token(caller: &Caller, started: &Value) -> String {
    let answer = Answer::to(caller.request(Method::POST, &token_path(started))).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let token = answer.json()["token"].as_str().unwrap().to_owned();
    assert!(token.len() >= 43 && token != started["token"], "256 bits of its own: {token}");
    token
}

async fn resume(base: &str, session_id: &Value, token: &str) -> (LiveSocket, Value) {
    let mut socket = LiveSocket::connect(base, &[]).await.unwrap();
    socket.send(&json!({ "type": "resume", "sessionId": session_id, "token": token })).await;
    let resumed = socket.expect("resumed").await;
    (socket, resumed)
}

/// The record's events of these kinds: kind, by and detail.
async fn record(admin: &Caller, session_id: &Value, kinds: &[&str]) -> Vec<[String; 3]> {
    let answer = admin.get(&format!("/api/live/sessions/{}/events", session_id.as_str().unwrap())).await;
    let events = answer.json()["events"].as_array().unwrap().clone();
    let of = events.iter().filter(|event| kinds.contains(&event["kind"].as_str().unwrap()));
    of.map(|event| ["kind", "by", "detail"].map(|name| event[name].as_str().unwrap().to_owned())).collect()
}

/// A code of an admin for a session.
async fn code(admin: &Caller, session_id: &str) -> String {
    let answer = Answer::to(admin.request(Method::POST, &format!("/api/live/sessions/{session_id}/code"))).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["code"].as_str().unwrap().to_owned()
}

/// How many codes a session has.
async fn codes_of(hall: &Hall, session_id: &str) -> i64 {
    let connection = Database::connect(hall.database_url()).await.unwrap();
    let session_id: Uuid = session_id.parse().unwrap();
    let query = "SELECT COUNT(*) FROM move_codes WHERE session_id = $1";
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), query, vec![session_id.into()]);
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    connection.close().await.unwrap();
    row.try_get_by_index(0).unwrap()
}

/// How many more wrong codes the code of a session may have.
async fn guesses_left(hall: &Hall, session_id: &str) -> Option<i32> {
    let connection = Database::connect(hall.database_url()).await.unwrap();
    let session_id: Uuid = session_id.parse().unwrap();
    let query = "SELECT guesses_left FROM move_codes WHERE session_id = $1";
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), query, vec![session_id.into()]);
    let row = connection.query_one_raw(statement).await.unwrap();
    connection.close().await.unwrap();
    row.map(|row| row.try_get_by_index(0).unwrap())
}

async fn move_by(hall: &Hall, code: &str) -> Answer {
    hall.anonymous().post_json("/api/live/move", &json!({ "code": code })).await
}

#[tokio::test]
async fn own_attempts_are_listed_while_they_last() {
    let hall = Hall::open().await;
    let ((ada, _), (bo, _)) = (student(&hall, "ada@exam.test").await, student(&hall, "bo@exam.test").await);
    let first = start(&ada, json!({ "grade": 5, "annotations": { "name": "Somebody else" } })).await;
    hall.clock.advance(Duration::from_secs(1));
    let second = start(&ada, json!({ "grade": 6, "mode": "adaptive" })).await;
    start(&bo, short_test()).await;
    start(&hall.anonymous(), short_test()).await;
    let own = mine(&ada).await;
    let expected = |started: &Value| {
        json!({ "sessionId": started["sessionId"], "grade": started["grade"], "templateId": null, "mode": started["mode"],
            "startedAt": started["startedAt"], "deadline": started["deadline"], "state": "active" })
    };
    assert_eq!(own, [expected(&second), expected(&first)], "the newest first, and nobody else's");
    let admin = hall.signed_in("admin").await;
    let order = format!("/api/live/sessions/{}/orders", first["sessionId"].as_str().unwrap());
    assert_eq!(admin.post_json(&order, &json!({ "id": "a", "type": "pause" })).await.status, 200);
    assert_eq!(mine(&ada).await[1]["state"], "paused");
    let submit = json!({ "commands": [{ "type": "submit", "seq": 1 }] });
    let session = hall.bearer(second["token"].as_str().unwrap());
    let path = format!("/api/live/{}/commands", second["sessionId"].as_str().unwrap());
    assert_eq!(session.post_json(&path, &submit).await.status, 200);
    assert_eq!(mine(&ada).await.len(), 1);
    hall.clock.advance(Duration::from_secs(24 * 60 * 60));
    assert_eq!(mine(&ada).await.len(), 1, "a paused one has no deadline");
    assert_eq!(mine(&bo).await, [] as [Value; 0], "whose time is up");
    assert_eq!(mine(&admin).await, [] as [Value; 0]);
    hall.anonymous().get("/api/live/mine").await.assert_fault(401, "Unauthorized", "sign_in_required");
}

#[tokio::test]
async fn another_device_goes_on_where_the_first_was() {
    let mut hall = Hall::open().await;
    let (ada, token) = student(&hall, "ada@exam.test").await;
    let authorization = format!("Bearer {token}");
    let mut first = LiveSocket::connect(&hall.base(), &[("authorization", &authorization)]).await.unwrap();
    first.send(&json!({ "type": "start", "grade": 5, "questionCount": 10 })).await;
    let started = first.expect("started").await;
    let question = started["questionIds"][0].as_str().unwrap();
    let mut command = answer(question, "C");
    command["seq"] = json!(1);
    first.send(&command).await;
    first.until("saved").await;

    let further = further_token(&ada, &started).await;
    let state = hall.bearer(&further).get(&format!("/api/live/{}", started["sessionId"].as_str().unwrap())).await;
    assert_eq!((state.status, &state.json()["token"]), (200, &json!(further)), "by HTTPS, which takes nothing over");
    let (_second, resumed) = resume(&hall.base(), &started["sessionId"], &further).await;
    assert_eq!((&resumed["token"], &resumed["seq"]), (&json!(further), &json!(1)));
    assert_eq!(resumed["answers"][0]["selected"], "C", "{resumed}");
    first.until("superseded").await;
    first.expect_close(4001).await;
    // Its own token stays good, so the first device can take the session back.
    let (_first, back) = resume(&hall.base(), &started["sessionId"], started["token"].as_str().unwrap()).await;
    assert_eq!(back["answers"], resumed["answers"]);

    let admin = hall.signed_in("admin").await;
    let rows = Proctor::roster(&hall.base(), &hall.token("admin").await, &json!({ "grade": 5 })).await;
    let row = &rows[started["sessionId"].as_str().unwrap()];
    assert!(row["takenOverAt"].is_string(), "{row}");
    assert_eq!(record(&admin, &started["sessionId"], &["taken over"]).await.len(), 2, "there and back");
    let expected = ["token", "student", "signed in as ada@exam.test"].map(str::to_owned);
    assert_eq!(record(&admin, &started["sessionId"], &["token"]).await, [expected]);
    hall.restart().await;
    let (_third, resumed) = resume(&hall.base(), &started["sessionId"], &further).await;
    assert_eq!(resumed["answers"], back["answers"], "after a restart");
}

#[tokio::test]
async fn a_token_serves_on_every_server() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let (ada, _) = student(&hall, "ada@exam.test").await;
    let started = start(&ada, short_test()).await;
    let there = other.bearer(&token::create(hall.settings(), "ada@exam.test", "student").await);
    let further = further_token(&there, &started).await;
    let path = format!("/api/live/{}", started["sessionId"].as_str().unwrap());
    assert_eq!(hall.bearer(&further).get(&path).await.status, 200, "where the seat is");
    let (mut socket, _) = resume(&other.base(), &started["sessionId"], &further).await;
    socket.sync().await;
    let admin = other.signed_in("admin").await;
    let code = code(&admin, started["sessionId"].as_str().unwrap()).await;
    let moved = move_by(&hall, &code).await;
    assert_eq!((moved.status, &moved.json()["sessionId"]), (200, &started["sessionId"]), "{}", moved.text());
}

#[tokio::test]
async fn a_token_is_for_whoever_began_the_test_alone() {
    let hall = Hall::open().await;
    let ((ada, _), (bo, _)) = (student(&hall, "ada@exam.test").await, student(&hall, "bo@exam.test").await);
    let (started, nobodys) = (start(&ada, short_test()).await, start(&hall.anonymous(), short_test()).await);
    let not_own = "Only the person who began this test may go on with it elsewhere";
    for (caller, of) in [(&bo, &started), (&hall.signed_in("admin").await, &started), (&ada, &nobodys)] {
        caller.post_json(&token_path(of), &json!({})).await.assert_fault(403, not_own, "forbidden");
    }
    let sessions_own = hall.bearer(started["token"].as_str().unwrap());
    for caller in [&hall.anonymous(), &sessions_own] {
        let answer = caller.post_json(&token_path(&started), &json!({})).await;
        answer.assert_fault(401, "Unauthorized", "sign_in_required");
    }
    for id in [Uuid::new_v4().to_string(), "nothing".to_owned()] {
        let answer = ada.post_json(&format!("/api/live/{id}/token"), &json!({})).await;
        answer.assert_fault(404, "Session not found", "unknown_session");
    }
    for body in ["[]", "{", "7", r#"{"code":7}"#] {
        let answer = ada.post_text(&token_path(&started), body).await;
        assert_eq!((answer.status, &answer.json()["code"]), (400, &json!("bad_message")), "{body}");
    }
    let path = format!("/api/live/{}/commands", started["sessionId"].as_str().unwrap());
    let submitted = sessions_own.post_json(&path, &json!({ "commands": [{ "type": "submit", "seq": 1 }] })).await;
    assert_eq!(submitted.status, 200, "{}", submitted.text());
    let refused = ada.post_json(&token_path(&started), &json!({})).await;
    refused.assert_fault(409, "The test has been submitted", "already_submitted");
}

#[tokio::test]
async fn tokens_are_not_made_without_end() {
    let hall = Hall::open().await;
    let (ada, _) = student(&hall, "ada@exam.test").await;
    let started = start(&ada, short_test()).await;
    for _ in 0..10 {
        further_token(&ada, &started).await;
    }
    hall.clock.advance(Duration::from_secs(20));
    let refused = ada.post_json(&token_path(&started), &json!({})).await;
    assert_eq!((refused.status, &refused.json()["code"]), (429, &json!("rate_limited")));
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((20..=40).contains(&wait), "{wait}");
    let code = code(&hall.signed_in("admin").await, started["sessionId"].as_str().unwrap()).await;
    assert_eq!(move_by(&hall, &code).await.status, 200, "a proctor's codes are counted apart");
    hall.clock.advance(Duration::from_secs(wait));
    further_token(&ada, &started).await;
}

#[tokio::test]
async fn a_proctors_code_moves_a_student_once() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut candidate = hall.sit(short_test()).await;
    let session_id = json!(candidate.session_id);
    let path = format!("/api/live/sessions/{}/code", candidate.session_id);
    let made = Answer::to(admin.request(Method::POST, &path)).await.json();
    let shape = regex::Regex::new("^[2-9ACDEFGHJKMNPQRTVWXY]{4}-[2-9ACDEFGHJKMNPQRTVWXY]{4}$").unwrap();
    let code = made["code"].as_str().unwrap();
    assert!(shape.is_match(code), "{made}");
    let holds = time_of(&made["expiresAt"]) - time_of(&candidate.started["startedAt"]);
    assert!((120..140).contains(&holds.num_seconds()), "{made}");

    let typed = code.replace('-', " ").to_lowercase();
    let moved = move_by(&hall, &typed).await;
    assert_eq!((moved.status, &moved.json()["sessionId"]), (200, &session_id), "{}", moved.text());
    let further = moved.json()["token"].as_str().unwrap().to_owned();
    let (_socket, resumed) = resume(&hall.base(), &session_id, &further).await;
    assert_eq!(resumed["token"], json!(further));
    candidate.socket().until("superseded").await;
    move_by(&hall, code).await.assert_fault(403, BAD_CODE, "bad_code");
    let expected = [["code", "admin@exam.test", ""], ["token", "student", "with a code of admin@exam.test"]];
    let found = record(&admin, &session_id, &["code", "token"]).await;
    assert_eq!(found, expected.map(|event| event.map(str::to_owned)));
}

const BAD_CODE: &str = "The code is wrong, has been used, or is more than two minutes old";

#[tokio::test]
async fn of_many_with_one_code_one_is_moved() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let candidate = hall.sit(short_test()).await;
    let code = code(&admin, &candidate.session_id).await;
    let answers = join_all((0..20).map(|_| move_by(&hall, &code))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    // Some may wait for their turn, since all of them begin alike.
    assert!(statuses[0] == 200 && statuses[1..].iter().all(|status| [403, 429].contains(status)), "{statuses:?}");
}

#[tokio::test]
async fn a_code_is_good_for_two_minutes_and_until_the_next() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let candidate = hall.sit(short_test()).await;
    candidate.state().await;
    let (older, newer) = (code(&admin, &candidate.session_id).await, code(&admin, &candidate.session_id).await);
    move_by(&hall, &older).await.assert_fault(403, BAD_CODE, "bad_code");
    hall.clock.advance(Duration::from_secs(110));
    let path = format!("/api/live/{}/token", candidate.session_id);
    let by_session = hall.anonymous().post_json(&path, &json!({ "code": newer })).await;
    assert_eq!(by_session.status, 200, "{}", by_session.text());
    assert_eq!(by_session.json().as_object().unwrap().keys().collect::<Vec<_>>(), ["line", "token"]);
    let late = code(&admin, &candidate.session_id).await;
    hall.clock.advance(Duration::from_secs(121));
    move_by(&hall, &late).await.assert_fault(403, BAD_CODE, "bad_code");
}

#[tokio::test]
async fn a_code_is_for_one_session_and_a_few_guesses() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let (ada, bo) = (hall.sit(short_test()).await, hall.sit(short_test()).await);
    let (of_ada, of_bo) = (code(&admin, &ada.session_id).await, code(&admin, &bo.session_id).await);
    let path = format!("/api/live/{}/token", bo.session_id);
    for wrong in [of_ada.as_str(), "2222-2222", "none", "", "2222-2223"] {
        let answer = hall.anonymous().post_json(&path, &json!({ "code": wrong })).await;
        answer.assert_fault(403, BAD_CODE, "bad_code");
    }
    // They are counted apart from their answers.
    eventually("the end of the code", async || {
        hall.clock.advance(Duration::from_secs(1));
        (codes_of(&hall, &bo.session_id).await == 0).then_some(())
    })
    .await;
    hall.anonymous().post_json(&path, &json!({ "code": of_bo })).await.assert_fault(403, BAD_CODE, "bad_code");
    assert_eq!(move_by(&hall, &of_ada).await.status, 200, "the guesses at another session do not count");
    for body in [json!({}), json!({ "code": null })] {
        let answer = hall.anonymous().post_json("/api/live/move", &body).await;
        assert_eq!((answer.status, &answer.json()["code"]), (400, &json!("bad_message")));
    }
}

#[tokio::test]
async fn guesses_count_for_the_code_at_which_they_were_made() {
    let hall = Hall::open().await;
    let (admin, bo) = (hall.signed_in("admin").await, hall.sit(short_test()).await);
    let guess = async |number: usize| {
        let path = format!("/api/live/{}/token", bo.session_id);
        let wrong = json!({ "code": format!("2222-222{number}") });
        hall.anonymous().post_json(&path, &wrong).await.assert_fault(403, BAD_CODE, "bad_code");
    };
    code(&admin, &bo.session_id).await;
    for number in 2..6 {
        guess(number).await;
    }
    // Before those are counted there is another code, as if it had been made in the same millisecond as the first.
    let new = code(&admin, &bo.session_id).await;
    hall.alter("UPDATE move_codes SET expires_at_ms = expires_at_ms - 1000").await;
    guess(6).await;
    hall.clock.advance(Duration::from_secs(1));
    eventually("the guess at the new code is counted", async || {
        (guesses_left(&hall, &bo.session_id).await == Some(4)).then_some(())
    })
    .await;
    hall.clock.advance(Duration::from_secs(1));
    assert_eq!(move_by(&hall, &new).await.status, 200);
}

#[tokio::test]
async fn guesses_at_one_session_slow_those_at_another_as_little_as_possible() {
    let hall = Hall::open().await;
    let (ada, bo) = (hall.sit(short_test()).await, hall.sit(short_test()).await);
    let guess = async |session_id: &str, number: usize| {
        // Codes have no 0 and no 1.
        let wrong = json!({ "code": format!("2222-22{}{}", 2 + number / 8, 2 + number % 8) });
        hall.anonymous().post_json(&format!("/api/live/{session_id}/token"), &wrong).await
    };
    for number in 0..10 {
        guess(&ada.session_id, number).await.assert_fault(403, BAD_CODE, "bad_code");
    }
    guess(&ada.session_id, 10).await.assert_fault(429, "Too many requests", "rate_limited");
    guess(&bo.session_id, 11).await.assert_fault(403, BAD_CODE, "bad_code");
}

#[tokio::test]
async fn one_who_guesses_keeps_no_neighbour_out() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let candidate = hall.sit(short_test()).await;
    let code = code(&admin, &candidate.session_id).await;
    let guesses: Vec<String> = (0..100).map(|guess| format!("2222-2{:03}", 222 + guess)).collect();
    let guessing = join_all(guesses.iter().map(|guess| move_by(&hall, guess)));
    tokio::select! {
        _ = guessing => panic!("a hundred guesses at codes that begin alike are done at once"),
        moved = move_by(&hall, &code) => assert_eq!(moved.status, 200, "{}", moved.text()),
    }
}

#[tokio::test]
async fn whoever_is_refused_does_not_wait_for_the_writer() {
    let hall = Hall::open().await;
    let (ada, _) = student(&hall, "ada@exam.test").await;
    let nobodys = start(&hall.anonymous(), short_test()).await;
    let path = token_path(&nobodys);
    // A wrong code takes nothing from it before it is answered.
    code(&hall.signed_in("admin").await, nobodys["sessionId"].as_str().unwrap()).await;
    let hold = Hold::take(
        &hall,
        "DELETE FROM attempt_tokens WHERE made_at_ms < 0",
        "LOCK TABLE attempt_tokens, move_codes, attempts IN SHARE MODE",
    )
    .await;
    let began = Instant::now();
    for _ in 0..3 {
        assert_eq!(ada.post_json(&path, &json!({})).await.status, 403);
        assert_eq!(ada.post_json(&format!("/api/live/{}/token", Uuid::new_v4()), &json!({})).await.status, 404);
        move_by(&hall, "2222-2222").await.assert_fault(403, BAD_CODE, "bad_code");
        assert_eq!(ada.post_json(&path, &json!({ "code": "2222-2222" })).await.status, 403);
    }
    assert!(began.elapsed() < Duration::from_secs(5), "after {:?}", began.elapsed());
    hold.release().await;
}

#[tokio::test]
async fn guesses_at_codes_are_slowed_and_right_ones_pass() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let candidate: Candidate = hall.sit(short_test()).await;
    let path = format!("/api/live/sessions/{}/code", candidate.session_id);
    let code = admin.post_json(&path, &json!({})).await.json()["code"].as_str().unwrap().to_owned();
    let letters: Vec<char> = "23456789".chars().collect();
    let wrong = |number: usize| format!("{}{}AA-AAAA", letters[number / 8], letters[number % 8]);
    let answers = join_all((0..60).map(async |number| move_by(&hall, &wrong(number)).await)).await;
    answers.iter().for_each(|answer| answer.assert_fault(403, BAD_CODE, "bad_code"));
    let (slowed, _) =
        tokio::join!(join_all((0..4).map(async |number| move_by(&hall, &wrong(60 + number)).await)), async {
            assert_eq!(move_by(&hall, &code).await.status, 200);
        });
    slowed.iter().for_each(|answer| answer.assert_fault(429, "Too many requests", "rate_limited"));
}

#[tokio::test]
async fn who_asks_for_tests_of_others_is_told_to_stop() {
    let hall = Hall::open().await;
    let (ada, _) = student(&hall, "ada@exam.test").await;
    let (bo, _) = student(&hall, "bo@exam.test").await;
    let started = start(&bo, short_test()).await;
    let (path, body) = (token_path(&started), json!({}));
    let answers = join_all((0..60).map(|_| ada.post_json(&path, &body))).await;
    let told: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 429).collect();
    assert!((10..=30).contains(&told.len()), "{} of 60", told.len());
    told[0].assert_fault(429, "Too many requests", "rate_limited");
    further_token(&bo, &started).await;
}

#[tokio::test]
async fn codes_are_made_by_those_who_may_watch() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut candidate: Candidate = hall.sit(short_test()).await;
    let path = format!("/api/live/sessions/{}/code", candidate.session_id);
    hall.anonymous().post_json(&path, &json!({})).await.assert_fault(401, "Unauthorized", "sign_in_required");
    hall.signed_in("student").await.post_json(&path, &json!({})).await.assert_fault(403, "Forbidden", "forbidden");
    let reviewer = hall.signed_in("reviewer").await;
    reviewer.post_json(&path, &json!({})).await.assert_fault(403, "Not assigned to this grade", "forbidden");
    candidate.submit().await;
    let refused = admin.post_json(&path, &json!({})).await;
    refused.assert_fault(409, "The test has been submitted", "already_submitted");
}
