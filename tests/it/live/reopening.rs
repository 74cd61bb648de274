//! `reopen`: a test that has ended goes on, and its next end is another version of its result.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::{fresh_key, selected, short_test};
use crate::hall::{Answer, Caller, Candidate, Hall, Proctor, Receiver, answer, eventually, time_of};

const MINUTE: Duration = Duration::from_secs(60);

/// The answer to an order for one session, with an id of its own.
async fn order(caller: &Caller, session_id: &str, kind: &str, changes: Value) -> Answer {
    let mut order = json!({ "id": fresh_key(), "type": kind });
    order.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    caller.post_json(&format!("/api/live/sessions/{session_id}/orders"), &order).await
}

async fn done(caller: &Caller, session_id: &str, kind: &str, changes: Value) {
    let answer = order(caller, session_id, kind, changes).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "count": 1 })), "{kind}");
}

async fn refused(caller: &Caller, session_id: &str, changes: Value, status: u16, code: &str) {
    let answer = order(caller, session_id, "reopen", changes).await;
    assert_eq!((answer.status, &answer.json()["code"]), (status, &json!(code)), "{}", answer.text());
}

/// Ends the test of somebody who is away, so that nobody has been shown the key.
async fn end_unseen(admin: &Caller, candidate: &mut Candidate) {
    candidate.cut();
    // An order waits for no socket that closes: the seat may take it for open a little longer.
    tokio::time::sleep(Duration::from_millis(300)).await;
    done(admin, &candidate.session_id, "finish", json!({})).await;
    until_versions(admin, &candidate.session_id, 1).await;
}

async fn versions(admin: &Caller, session_id: &str) -> Vec<Value> {
    let answer = admin.get(&format!("/api/sessions/{session_id}/versions")).await;
    if answer.status == 404 {
        return Vec::new();
    }
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["versions"].as_array().unwrap().clone()
}

async fn until_versions(admin: &Caller, session_id: &str, count: usize) -> Vec<Value> {
    eventually("the version is stored", async || {
        Some(versions(admin, session_id).await).filter(|versions| versions.len() == count)
    })
    .await
}

/// The kinds and details of what the record says of ends and reopenings.
async fn record(admin: &Caller, session_id: &str) -> Vec<(String, String)> {
    let answer = admin.get(&format!("/api/live/sessions/{session_id}/events")).await.json();
    let text = |event: &Value, name: &str| event[name].as_str().unwrap().to_owned();
    let all = answer["events"].as_array().unwrap().iter().map(|event| (text(event, "kind"), text(event, "detail")));
    all.filter(|(kind, _)| ["submitted", "reopen"].contains(&kind.as_str())).collect()
}

fn minutes_left(frame: &Value) -> f64 {
    frame["remainingMs"].as_f64().unwrap_or_else(|| panic!("{frame}")) / 60_000.0
}

#[track_caller]
fn assert_minutes_left(frame: &Value, minutes: f64) {
    let left = minutes_left(frame);
    // The clock goes on while the test works, and nothing else may be missing.
    assert!((minutes - 0.9..=minutes).contains(&left), "{left} minutes: {frame}");
}

#[tokio::test]
async fn a_test_that_was_handed_in_by_mistake_goes_on_where_it_stood() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let mut candidate = hall.sit(short_test()).await;
    let (first, second) = (candidate.paper[0].clone(), candidate.paper[1].clone());
    candidate.answer(&first, bank.key(&first)).await;
    hall.clock.advance(10 * MINUTE);
    let submitted = candidate.submit().await;
    assert!(submitted["result"].is_object(), "{submitted}");
    hall.clock.advance(45 * MINUTE);
    let id = candidate.session_id.clone();
    refused(&admin, &id, json!({}), 409, "answers_seen").await;
    done(&admin, &id, "reopen", json!({ "force": true })).await;

    let resumed = candidate.resume().await;
    assert_eq!((&resumed["state"], &resumed["questionIds"]), (&json!("active"), &candidate.started["questionIds"]));
    assert_eq!(selected(&resumed, &first).as_deref(), Some(bank.key(&first)));
    assert_minutes_left(&resumed, 20.0);
    candidate.answer(&second, bank.key(&second)).await;
    let again = candidate.submit().await;
    assert_eq!((&again["reason"], &again["result"]["correctAnswers"]), (&json!("student"), &json!(2)));

    let listed = until_versions(&admin, &id, 2).await;
    let told: Vec<&Value> = ["version", "reason", "by", "correctAnswers"].map(|name| &listed[1][name]).into();
    assert_eq!(json!(told), json!([2, "reopened", "admin@exam.test", 2]));
    assert_eq!(listed[1]["comment"], "Reopened after the student had seen the answers");
    let stored = admin.get(&format!("/api/sessions/{id}")).await.json();
    assert_eq!(
        (&stored["version"], &stored["reason"], &stored["previous"]["version"]),
        (&json!(2), &json!("reopened"), &json!(1))
    );
    assert!(stored.get("goesOn").is_none(), "{stored}");
    // Eleven minutes are no part of the time that the test has taken.
    let taken = stored["result"]["timeTaken"].as_u64().unwrap();
    assert!((600..660).contains(&taken), "{taken}");
    let record = record(&admin, &id).await;
    let kinds: Vec<&str> = record.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["submitted", "reopen", "submitted"]);
    assert!(record[1].1.ends_with("the student had seen the answers"), "{record:?}");
}

#[tokio::test]
async fn a_page_that_only_posts_hears_of_it_and_goes_on() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut candidate = Candidate::start_by_https(&hall.base(), &short_test()).await;
    let path = format!("/api/live/{}?wait=reopening", candidate.session_id);
    // A test that goes on is answered at once.
    assert_eq!(candidate.caller().get(&path).await.json()["state"], "active");
    let submit = candidate.act(json!({ "type": "submit" }));
    candidate.post(&[submit]).await;
    let (student, id) = (candidate.caller(), candidate.session_id.clone());
    let in_vain = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        hall.clock.advance(Duration::from_secs(26));
    };
    let (answer, ()) = tokio::join!(student.get(&path), in_vain);
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    hall.bearer("a stranger's").get(&path).await.assert_fault(403, "Wrong token", "bad_token");
    let reopening = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        done(&admin, &id, "reopen", json!({ "force": true })).await;
    };
    let (answer, ()) = tokio::join!(student.get(&path), reopening);
    assert_eq!((answer.status, &answer.json()["state"]), (200, &json!("active")));
    let question = candidate.paper[0].clone();
    let seq = candidate.act(answer_command(&question));
    assert_eq!(candidate.post(&[seq]).await["replies"], json!([]));
    // The hand-in has another number than the first one, and is another hand-in.
    let again = candidate.act(json!({ "type": "submit" }));
    let body = candidate.post(&[again]).await;
    assert_eq!((&body["replies"][0]["type"], &body["state"]), (&json!("submitted"), &json!("submitted")));
    until_versions(&admin, &id, 2).await;
    let state = candidate.state().await;
    assert_eq!((&state["state"], selected(&state, &question).as_deref()), (&json!("submitted"), Some("A")));
}

fn answer_command(question_id: &str) -> Value {
    answer(question_id, "A")
}

#[tokio::test]
async fn whatever_the_student_sends_after_the_answer_to_the_proctor_is_taken() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut candidate = hall.sit(short_test()).await;
    let id = candidate.session_id.clone();
    for round in 0..6 {
        let question = candidate.paper[round].clone();
        candidate.submit().await;
        done(&admin, &id, "reopen", json!({ "force": true })).await;
        // No seat of the run before answers for the test any more.
        let seq = candidate.act(answer_command(&question));
        let body = candidate.post(&[seq]).await;
        assert_eq!((&body["state"], &body["replies"]), (&json!("active"), &json!([])), "round {round}");
        assert_eq!(selected(&candidate.resume().await, &question).as_deref(), Some("A"));
    }
    candidate.submit().await;
    let listed = until_versions(&admin, &id, 7).await;
    let reasons: Vec<&Value> = listed.iter().map(|version| &version["reason"]).collect();
    assert_eq!(reasons[0], "submitted");
    assert!(reasons[1..].iter().all(|reason| *reason == "reopened"), "{reasons:?}");
    // The record of ends and reopenings is that of the versions.
    let kinds: Vec<String> = record(&admin, &id).await.into_iter().map(|(kind, _)| kind).collect();
    let expected: Vec<&str> = (0..13).map(|place| if place % 2 == 0 { "submitted" } else { "reopen" }).collect();
    assert_eq!(kinds, expected);
}

#[tokio::test]
async fn a_restart_in_between_loses_nothing() {
    let mut hall = Hall::open().await;
    let admin_token = hall.token("admin").await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "B").await;
    hall.clock.advance(12 * MINUTE);
    end_unseen(&hall.bearer(&admin_token), &mut candidate).await;
    hall.restart().await;
    hall.clock.advance(30 * MINUTE);
    done(&hall.bearer(&admin_token), &candidate.session_id, "reopen", json!({ "minutes": 4 })).await;
    hall.restart().await;
    candidate.move_to(&hall.base());
    let resumed = candidate.resume().await;
    assert_eq!((&resumed["state"], selected(&resumed, &question).as_deref()), (&json!("active"), Some("B")));
    assert_minutes_left(&resumed, 22.0);
    // Nobody comes: the server's clock ends it.
    candidate.cut();
    hall.clock.advance(23 * MINUTE);
    let listed = until_versions(&hall.bearer(&admin_token), &candidate.session_id, 2).await;
    assert_eq!((&listed[1]["reason"], &listed[1]["comment"]), (&json!("reopened"), &Value::Null));
    let late = candidate.resume().await;
    assert_eq!((&late["state"], &late["reason"]), (&json!("submitted"), &json!("deadline")));
}

#[tokio::test]
async fn another_device_goes_on_by_token_and_by_code() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "C").await;
    end_unseen(&admin, &mut candidate).await;
    done(&admin, &candidate.session_id, "reopen", json!({})).await;
    let mut other = candidate.elsewhere(&hall.base()).await;
    other.socket().sync().await;
    assert_eq!(selected(&other.state().await, &question).as_deref(), Some("C"));
    let made =
        Answer::to(admin.request(Method::POST, &format!("/api/live/sessions/{}/code", candidate.session_id))).await;
    let moved = hall.anonymous().post_json("/api/live/move", &json!({ "code": made.json()["code"] })).await;
    assert_eq!((moved.status, &moved.json()["sessionId"]), (200, &json!(candidate.session_id)), "{}", moved.text());
    other.submit().await;
}

#[tokio::test]
async fn an_undo_takes_back_the_end_that_was_ordered_and_no_other() {
    let hall = Hall::open().await;
    let (admin, other) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    let mut candidate = hall.sit(short_test()).await;
    let id = candidate.session_id.clone();
    let nothing = async |caller: &Caller, id: &str| {
        let answer = order(caller, id, "undo", json!({})).await;
        assert_eq!((answer.status, &answer.json()["code"]), (409, &json!("nothing_to_undo")), "{}", answer.text());
    };
    end_unseen(&admin, &mut candidate).await;
    done(&other, &id, "reopen", json!({})).await;
    // The test goes on already, and the next end is somebody else's.
    nothing(&admin, &id).await;
    done(&other, &id, "finish", json!({})).await;
    until_versions(&admin, &id, 2).await;
    nothing(&admin, &id).await;
    let undone = order(&other, &id, "undo", json!({})).await;
    assert_eq!((undone.status, &undone.json()["undone"]), (200, &json!("finish")), "{}", undone.text());
    assert_eq!(candidate.resume().await["state"], "active");

    // Nor is it that of a student.
    let mut candidate = hall.sit(short_test()).await;
    let id = candidate.session_id.clone();
    end_unseen(&admin, &mut candidate).await;
    done(&other, &id, "reopen", json!({})).await;
    candidate.resume().await;
    candidate.submit().await;
    until_versions(&admin, &id, 2).await;
    nothing(&admin, &id).await;
}

#[tokio::test]
async fn an_end_by_a_proctor_is_undone_for_one_student() {
    let hall = Hall::open().await;
    let admin_token = hall.token("admin").await;
    let admin = hall.bearer(&admin_token);
    let mut candidate = hall.sit(short_test()).await;
    candidate.cut();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut proctor = Proctor::watching(&hall.base(), &admin_token, &json!({ "grade": 5 })).await;
    let id = candidate.session_id.clone();
    assert_eq!(proctor.done(json!({ "type": "finish", "sessionId": id })).await, 1);
    until_versions(&admin, &id, 1).await;
    proctor.until("the row is submitted", |proctor| proctor.row(&id)["state"] == "submitted").await;
    assert_eq!(proctor.done(json!({ "type": "undo", "sessionId": id })).await, 1);
    proctor.until("the row goes on", |proctor| proctor.row(&id)["state"] != "submitted").await;
    assert_eq!(candidate.resume().await["state"], "active");
    // By `reopen`, as the desk does it later.
    candidate.cut();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(proctor.done(json!({ "type": "finish", "sessionId": id })).await, 1);
    until_versions(&admin, &id, 2).await;
    assert_eq!(proctor.done(json!({ "type": "reopen", "sessionId": id, "minutes": 2 })).await, 1);
    let resumed = candidate.resume().await;
    assert_eq!(resumed["state"], "active");
    assert_minutes_left(&resumed, 32.0);
    proctor.until("the row is active", |proctor| proctor.row(&id)["state"] == "active").await;
    candidate.submit().await;
    proctor.until("and submitted again", |proctor| proctor.row(&id)["state"] == "submitted").await;
    proctor.until_alike(&hall.base()).await;
}

#[tokio::test]
async fn each_refusal_has_its_name() {
    let hall = Hall::open().await;
    let admin_token = hall.token("admin").await;
    let admin = hall.bearer(&admin_token);
    let mut candidate = hall.sit(short_test()).await;
    let id = candidate.session_id.clone();
    refused(&admin, &id, json!({}), 409, "not_submitted").await;
    refused(&admin, &uuid::Uuid::new_v4().to_string(), json!({}), 404, "unknown_session").await;
    for wrong in
        [json!({ "minutes": 0 }), json!({ "minutes": -3 }), json!({ "minutes": 100_000 }), json!({ "force": "yes" })]
    {
        refused(&admin, &id, wrong, 400, "bad_message").await;
    }
    let everyone = json!({ "id": "all", "type": "reopen" });
    let of_room = admin.post_json("/api/live/rooms/orders?grade=5", &everyone).await;
    assert_eq!(of_room.status, 400, "{}", of_room.text());
    let mut proctor = Proctor::watching(&hall.base(), &admin_token, &json!({ "grade": 5 })).await;
    let by_socket = proctor.command(json!({ "type": "reopen", "sessionId": "*" })).await;
    assert_eq!((&by_socket["type"], &by_socket["code"]), (&json!("error"), &json!("bad_message")), "{by_socket}");
    // Whose time is over has nothing left but what is given.
    candidate.cut();
    hall.clock.advance(31 * MINUTE);
    until_versions(&admin, &id, 1).await;
    for who in [hall.signed_in("student").await, hall.staff_of("reviewer", 6).await] {
        assert_eq!(order(&who, &id, "reopen", json!({ "minutes": 5 })).await.status, 403);
    }
    refused(&admin, &id, json!({}), 409, "too_little_time").await;
    done(&hall.staff_of("reviewer", 5).await, &id, "reopen", json!({ "minutes": 5 })).await;
    assert_minutes_left(&candidate.state().await, 5.0);
    refused(&admin, &id, json!({}), 409, "not_submitted").await;
    hall.clock.advance(6 * MINUTE);
    until_versions(&admin, &id, 2).await;
    hall.clock.advance(24 * 60 * MINUTE);
    refused(&admin, &id, json!({ "minutes": 5, "force": true }), 409, "too_old").await;
    assert_eq!(versions(&admin, &id).await.len(), 2);
}

#[tokio::test]
async fn of_many_at_once_one_is_done_and_a_repeat_gets_its_answer() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut candidate = hall.sit(short_test()).await;
    end_unseen(&admin, &mut candidate).await;
    let id = candidate.session_id.clone();
    let answers = join_all((0..8).map(|_| order(&admin, &id, "reopen", json!({ "minutes": 1 })))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
    let losers = answers.iter().filter(|answer| answer.status == 409);
    assert!(losers.into_iter().all(|answer| answer.json()["code"] == "not_submitted"));
    assert_minutes_left(&candidate.resume().await, 31.0);
    end_unseen_again(&admin, &mut candidate).await;
    let path = format!("/api/live/sessions/{id}/orders");
    let same = json!({ "id": "the same one", "type": "reopen" });
    let answers = join_all((0..6).map(|_| admin.post_json(&path, &same))).await;
    assert!(
        answers.iter().all(|answer| (answer.status, answer.json()) == (200, json!({ "count": 1 }))),
        "{}",
        answers[0].text()
    );
    let reopened = record(&admin, &id).await.into_iter().filter(|(kind, _)| kind == "reopen").count();
    assert_eq!(reopened, 2);
}

async fn end_unseen_again(admin: &Caller, candidate: &mut Candidate) {
    candidate.cut();
    tokio::time::sleep(Duration::from_millis(300)).await;
    done(admin, &candidate.session_id, "finish", json!({})).await;
    until_versions(admin, &candidate.session_id, 2).await;
}

#[tokio::test]
async fn whoever_has_been_shown_the_key_goes_on_by_force_alone() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let id_of = |candidate: &Candidate| candidate.session_id.clone();
    let roads = ["", "session", "report", "submit"];
    for road in roads {
        let mut candidate = hall.sit(short_test()).await;
        end_unseen(&admin, &mut candidate).await;
        let id = id_of(&candidate);
        // Staff may look at whatever they like.
        for path in [format!("/api/sessions/{id}"), format!("/api/report/{id}/pdf")] {
            assert_eq!(admin.get(&path).await.status, 200, "{path}");
        }
        candidate.state().await;
        let shown = match road {
            "session" => hall.anonymous().get(&format!("/api/sessions/{id}")).await,
            "report" => hall.anonymous().get(&format!("/api/report/{id}/pdf")).await,
            "submit" => candidate.try_post(&json!({ "commands": [{ "type": "submit", "seq": 90 }] })).await,
            _ => candidate.caller().get(&format!("/api/live/{id}")).await,
        };
        assert_eq!(shown.status, 200, "{road}: {}", shown.text());
        if road.is_empty() {
            done(&admin, &id, "reopen", json!({})).await;
            continue;
        }
        refused(&admin, &id, json!({ "minutes": 5 }), 409, "answers_seen").await;
        done(&admin, &id, "reopen", json!({ "force": true })).await;
        candidate.resume().await;
        candidate.submit().await;
        let listed = until_versions(&admin, &id, 2).await;
        assert_eq!(listed[1]["comment"], "Reopened after the student had seen the answers", "{road}");
    }
}

#[tokio::test]
async fn the_report_says_that_the_test_goes_on() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut candidate = hall.sit(short_test()).await;
    candidate.submit().await;
    let id = candidate.session_id.clone();
    let report = format!("/api/report/{id}/pdf");
    let roads = [format!("/api/sessions/{id}"), format!("/api/sessions/{id}?payload=1"), report.clone()];
    for path in &roads {
        assert_eq!(hall.anonymous().get(path).await.status, 200, "{path}");
    }
    done(&admin, &id, "reopen", json!({ "force": true })).await;
    for path in &roads {
        for reader in [hall.anonymous(), candidate.caller(), hall.signed_in("student").await] {
            reader.get(path).await.assert_error(409, "The test goes on");
        }
    }
    let stored = admin.get(&format!("/api/sessions/{id}")).await.json();
    assert_eq!((&stored["version"], &stored["goesOn"]), (&json!(1), &json!(true)));
    assert_eq!(admin.get(&report).await.status, 200);
    candidate.resume().await;
    candidate.submit().await;
    for path in &roads {
        assert_eq!(hall.anonymous().get(path).await.status, 200, "{path}");
    }
    assert_eq!(hall.stored_session(&id).await["version"], 2);
}

#[tokio::test]
async fn a_result_that_may_be_sent_is_sent_as_changed() {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let admin = hall.signed_in("admin").await;
    let receiver = Receiver::open().await;
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10, "webhookUrl": receiver.url() })).await;
    candidate.submit().await;
    receiver.wait_for(1).await;
    done(&admin, &candidate.session_id, "reopen", json!({ "force": true })).await;
    candidate.resume().await;
    candidate.submit().await;
    let calls = receiver.wait_for(2).await;
    let told: Vec<Value> =
        calls.iter().map(|call| call.json()).map(|call| json!([call["event"], call["version"]])).collect();
    assert_eq!(told, [json!(["test.completed", 1]), json!(["result.changed", 2])]);
    receiver.expect_only(&hall, 2).await;
}

#[tokio::test]
async fn an_adaptive_test_goes_on_in_the_stage_that_its_student_knows() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut candidate = hall.sit(json!({ "grade": 5, "mode": "adaptive" })).await;
    let first = candidate.paper.clone();
    candidate.answer(&first[0], "A").await;
    end_unseen(&admin, &mut candidate).await;
    done(&admin, &candidate.session_id, "reopen", json!({})).await;
    let resumed = candidate.resume().await;
    assert_eq!((&resumed["stage"], crate::hall::ids(&resumed["questionIds"])), (&json!(1), first));
    candidate.next().await;
    let second = candidate.paper.clone();
    candidate.answer(&second[0], "B").await;
    end_unseen_again(&admin, &mut candidate).await;
    done(&admin, &candidate.session_id, "reopen", json!({})).await;
    let resumed = candidate.resume().await;
    assert_eq!((&resumed["stage"], selected(&resumed, &second[0]).as_deref()), (&json!(2), Some("B")));
    let submitted = candidate.submit().await;
    assert_eq!(submitted["result"]["totalQuestions"], 40);
    until_versions(&admin, &candidate.session_id, 3).await;
}

#[tokio::test]
async fn commands_that_come_late_meet_one_end_or_the_other() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for _ in 0..4 {
        let mut candidate = hall.sit(short_test()).await;
        let (id, question) = (candidate.session_id.clone(), candidate.paper[0].clone());
        candidate.submit().await;
        let late = json!({ "commands": [{ "type": "answer", "seq": 40, "questionId": question, "selected": "D" }] });
        let (posted, reopened) =
            tokio::join!(candidate.try_post(&late), order(&admin, &id, "reopen", json!({ "force": true })));
        assert_eq!(reopened.status, 200, "{}", reopened.text());
        let state = candidate.state().await;
        assert_eq!(state["state"], "active", "{state}");
        let body = posted.json();
        let is_refused = body["replies"][0]["code"] == "already_submitted";
        assert_eq!(posted.status, 200, "{body}");
        assert_eq!(selected(&state, &question).is_none(), is_refused, "{body} {state}");
        candidate.seq = 41;
        candidate.resume().await;
        candidate.submit().await;
        let listed = until_versions(&admin, &id, 2).await;
        assert_eq!(listed[1]["reason"], "reopened");
    }
}

#[tokio::test]
async fn the_time_of_the_server_is_told_with_the_test() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    hall.clock.advance(29 * MINUTE);
    end_unseen(&admin, &mut candidate).await;
    hall.clock.advance(3 * 60 * MINUTE);
    done(&admin, &candidate.session_id, "reopen", json!({})).await;
    let resumed = candidate.resume().await;
    assert_minutes_left(&resumed, 1.0);
    let left = (time_of(&resumed["deadline"]) - time_of(&resumed["serverTime"])).num_milliseconds();
    assert!((left - resumed["remainingMs"].as_i64().unwrap()).abs() <= 50, "{resumed}");
    candidate.answer(&question, "A").await;
    hall.clock.advance(2 * MINUTE);
    assert_eq!(candidate.socket().until("submitted").await["reason"], "deadline");
    assert_eq!(until_versions(&admin, &candidate.session_id, 2).await[1]["reason"], "reopened");
}
