//! A token or a code that was stolen: a proctor ends all devices but the one at work, and whoever enters again and
//! again takes nothing from the student and from proctors.

use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::{Value, json};

use super::entrant::{Entrant, access_codes, knock};
use super::{School, path};
use crate::hall::{Answer, Caller, LiveSocket, Proctor, eventually};

const ORDER: &str = "only_this_device";
/// How many tokens of one origin a session may get in a minute.
const A_MINUTE: usize = 10;

/// A sitting whose doors are open and which begins in half an hour, with Ada and Bo; and their access codes.
async fn opened() -> (School, Value, std::collections::BTreeMap<String, String>) {
    let school = School::open().await;
    let sitting = school.sitting(40, json!({})).await;
    let people = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "externalId": "7", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    let codes = access_codes(&school, &sitting).await;
    school.advance(11);
    (school, sitting, codes)
}

fn by_code(sitting: &Value, access: &str, key: &str) -> Value {
    json!({ "type": "enter", "sittingId": sitting["id"], "access": access, "key": format!("{key}, sixteen at least") })
}

async fn chief(school: &School, sitting: &Value) -> Proctor {
    let room = json!({ "sittingId": sitting["id"] });
    Proctor::watching(&school.hall.base(), &school.hall.token("admin").await, &room).await
}

fn only_this_device(entrant: &Entrant, id: &str) -> Value {
    json!({ "type": ORDER, "id": id, "sessionId": entrant.session_id })
}

async fn state(entrant: &Entrant) -> u16 {
    entrant.caller().get(&format!("/api/live/{}", entrant.session_id)).await.status
}

/// Waits until a server that knew the token has forgotten it.
async fn until_ended(entrant: &Entrant) {
    eventually("the token is ended", async || (state(entrant).await == 403).then_some(())).await;
}

async fn refused(school: &School, enter: Value) {
    knock(&school.hall.base(), &[], enter).await.expect_error("not_expected").await;
}

/// The details of the events of a kind.
async fn details(school: &School, session_id: &str, kind: &str) -> Vec<String> {
    let events = school.admin.get(&format!("/api/live/sessions/{session_id}/events")).await.json();
    let of_kind = events["events"].as_array().unwrap().iter().filter(|event| event["kind"] == kind);
    of_kind.map(|event| event["detail"].as_str().unwrap().to_owned()).collect()
}

/// What is kept of the answer to an order.
async fn kept_answer(school: &School) -> String {
    let connection = Database::connect(school.hall.database_url()).await.unwrap();
    let statement = Statement::from_string(
        connection.get_database_backend(),
        format!("SELECT answer FROM proctor_commands WHERE answer <> '' AND command_id LIKE '%{ORDER}%'"),
    );
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    connection.close().await.unwrap();
    row.try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn only_the_connected_device_goes_on() {
    let (school, sitting, codes) = opened().await;
    // The thief was first, so theirs is the attempt's first token.
    let thief = Entrant::enter(&school.hall, by_code(&sitting, &codes["Bo"], "the thief's")).await;
    let mut bo = Entrant::enter(&school.hall, by_code(&sitting, &codes["Bo"], "Bo's own")).await;
    bo.prepare().await;
    assert_eq!((state(&thief).await, state(&bo).await), (200, 200));
    let mut proctor = chief(&school, &sitting).await;
    let moving = proctor.command(json!({ "type": "code", "sessionId": bo.session_id })).await;
    let done = proctor.command(only_this_device(&bo, ORDER)).await;
    assert_eq!((&done["type"], &done["count"]), (&json!("done"), &json!(1)), "{done}");
    let new = done["code"].as_str().unwrap().to_owned();
    assert_ne!(new, codes["Bo"]);
    until_ended(&thief).await;
    refused(&school, by_code(&sitting, &codes["Bo"], "the thief's")).await;
    refused(&school, by_code(&sitting, &codes["Bo"], "another of the thief")).await;
    let moved = school.hall.anonymous().post_json("/api/live/move", &json!({ "code": moving["code"] })).await;
    assert_eq!((moved.status, &moved.json()["code"]), (403, &json!("bad_code")), "{}", moved.text());
    // The student notices nothing, and can go elsewhere with the new code.
    bo.socket.sync().await;
    assert_eq!(state(&bo).await, 200);
    let mut tablet = Entrant::enter(&school.hall, by_code(&sitting, &new, "Bo's tablet")).await;
    assert_eq!(tablet.session_id, bo.session_id);
    // When this is saved, so is which device is at work.
    tablet.prepare().await;
    // A repeat does nothing more, and tells the same code, which is stored nowhere.
    let repeat = proctor.command(only_this_device(&bo, ORDER)).await;
    assert_eq!((&repeat["count"], &repeat["code"]), (&json!(1), &json!(new)), "{repeat}");
    tablet.socket.sync().await;
    let kept = kept_answer(&school).await;
    assert!(!kept.contains(&new) && !kept.contains(&new.replace('-', "")), "{kept}");
    assert_eq!(details(&school, &bo.session_id, ORDER).await, ["the device at work goes on"]);
    // With another id it is another order.
    let again = proctor.command(only_this_device(&bo, "another")).await;
    assert!(again["code"].is_string() && again["code"] != json!(new), "{again}");
    until_ended(&bo).await;
    tablet.socket.sync().await;
    refused(&school, by_code(&sitting, &new, "with a void one")).await;
    let void = proctor.command(only_this_device(&bo, ORDER)).await;
    assert_eq!((&void["count"], &void["code"]), (&json!(1), &Value::Null), "{void}");
}

/// Whether the store has a device of this session at work.
async fn is_marked(school: &School, session_id: &str) -> bool {
    let connection = Database::connect(school.hall.database_url()).await.unwrap();
    let statement = Statement::from_sql_and_values(
        connection.get_database_backend(),
        "SELECT is_connected FROM seats WHERE session_id = $1",
        [session_id.parse::<uuid::Uuid>().unwrap().into()],
    );
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    connection.close().await.unwrap();
    row.try_get_by_index(0).unwrap()
}

/// Leaves a student without a connection, and waits until that is stored.
async fn disconnect(school: &School, entrant: &mut Entrant) {
    entrant.socket = LiveSocket::connect(&school.hall.base(), &[]).await.unwrap();
    eventually("the end of the connection on the record", async || {
        details(school, &entrant.session_id, "disconnected").await.first().map(|_| ())
    })
    .await;
}

/// Gives the order over HTTPS, twice; returns the new access code.
async fn ordered(school: &School, session_id: &str) -> String {
    let path = format!("/api/live/sessions/{session_id}/orders");
    let order = json!({ "id": "https", "type": ORDER });
    let done = school.admin.post_json(&path, &order).await;
    assert_eq!((done.status, &done.json()["count"]), (200, &json!(1)), "{}", done.text());
    let repeat = school.admin.post_json(&path, &order).await;
    assert_eq!(repeat.json(), done.json(), "whoever lost the answer gets it again");
    done.json()["code"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn no_device_stays_that_is_gone() {
    let (school, sitting, codes) = opened().await;
    let ada = json!({ "sittingId": sitting["id"], "key": "the device of Ada" });
    let mut ada = Entrant::signed_in(&school.hall, "ada@exam.test", ada).await;
    ada.prepare().await;
    // The thief was the last to be connected and to send something.
    let mut thief = Entrant::enter(&school.hall, by_code(&sitting, &codes["Ada"], "the thief's")).await;
    thief.prepare().await;
    disconnect(&school, &mut thief).await;
    let code = ordered(&school, &ada.session_id).await;
    until_ended(&thief).await;
    until_ended(&ada).await;
    assert_eq!(details(&school, &ada.session_id, ORDER).await, ["no device was at work"]);
    refused(&school, by_code(&sitting, &codes["Ada"], "the thief's")).await;
    let mut back = Entrant::enter(&school.hall, by_code(&sitting, &code, "the device of Ada")).await;
    assert_eq!(back.session_id, ada.session_id);
    back.socket.sync().await;
}

#[tokio::test]
async fn no_device_is_at_work_whose_server_is_gone() {
    let (mut school, sitting, codes) = opened().await;
    let mut thief = Entrant::enter(&school.hall, by_code(&sitting, &codes["Bo"], "the thief's")).await;
    thief.prepare().await;
    eventually("the device at work is noted", async || is_marked(&school, &thief.session_id).await.then_some(())).await;
    // The server leaves the mark as it is, as after a crash, and nobody comes back.
    school.hall.restart().await;
    school.admin = school.hall.signed_in("admin").await;
    assert!(is_marked(&school, &thief.session_id).await);
    ordered(&school, &thief.session_id).await;
    assert_eq!(details(&school, &thief.session_id, ORDER).await, ["no device was at work"]);
    let live = format!("/api/live/{}", thief.session_id);
    let thief = school.hall.bearer(&thief.token);
    eventually("the token is ended", async || (thief.get(&live).await.status == 403).then_some(())).await;
}

/// Enters over HTTPS; returns the answer, and who has the token.
async fn enter_by_https(school: &School, enter: &Value) -> (Value, Caller) {
    let answer = school.hall.anonymous().post_json("/api/live", enter).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let waiting = answer.json();
    let caller = school.hall.bearer(waiting["token"].as_str().unwrap());
    (waiting, caller)
}

#[tokio::test]
async fn the_device_at_work_stays_over_https() {
    let (school, sitting, codes) = opened().await;
    let mut thief = Entrant::enter(&school.hall, by_code(&sitting, &codes["Bo"], "the thief's")).await;
    thief.prepare().await;
    disconnect(&school, &mut thief).await;
    let (waiting, bo) = enter_by_https(&school, &by_code(&sitting, &codes["Bo"], "Bo's own")).await;
    let live = format!("/api/live/{}", thief.session_id);
    assert_eq!(waiting["sessionId"], json!(thief.session_id));
    let ready = json!({ "type": "ready", "seq": 9, "sha256": waiting["sealed"][0]["sha256"] });
    let saved = bo.post_json(&format!("{live}/commands"), &json!({ "commands": [ready] })).await;
    assert_eq!((saved.status, &saved.json()["saved"]), (200, &json!(9)), "{}", saved.text());
    // Commands that are refused are no work.
    let early = json!({ "commands": [{ "type": "visit", "questionId": "g5-001", "seq": 10 }] });
    let answer = thief.caller().post_json(&format!("{live}/commands"), &early).await;
    let refusal = answer.json()["replies"][0]["code"].clone();
    assert_eq!((answer.status, refusal), (200, json!("not_begun")), "{}", answer.text());
    ordered(&school, &thief.session_id).await;
    until_ended(&thief).await;
    assert_eq!(details(&school, &thief.session_id, ORDER).await, ["the device at work goes on"]);
    assert_eq!(bo.get(&live).await.status, 200);
}

#[tokio::test]
async fn a_device_that_was_ended_is_at_work_no_more() {
    let (school, sitting, codes) = opened().await;
    let (waiting, thief) = enter_by_https(&school, &by_code(&sitting, &codes["Bo"], "the thief's")).await;
    let session_id = waiting["sessionId"].as_str().unwrap();
    let live = format!("/api/live/{session_id}");
    let ready = json!({ "type": "ready", "seq": 9, "sha256": waiting["sealed"][0]["sha256"] });
    let saved = thief.post_json(&format!("{live}/commands"), &json!({ "commands": [ready] })).await;
    assert_eq!(saved.status, 200, "{}", saved.text());
    assert!(is_marked(&school, session_id).await);
    // As if another one had been at work in the moment of the order, and the thief had sent this after it.
    let other = "UPDATE seats SET device = $1 WHERE session_id = $2";
    let values = vec![vec![0_u8; 32].into(), session_id.parse::<uuid::Uuid>().unwrap().into()];
    school.execute(other, values).await.unwrap();
    ordered(&school, session_id).await;
    assert_eq!(details(&school, session_id, ORDER).await, ["the device at work goes on"]);
    eventually("the mark is taken away", async || (!is_marked(&school, session_id).await).then_some(())).await;
    assert_eq!(thief.get(&live).await.status, 403);
}

#[tokio::test]
async fn where_no_device_has_been_at_work_all_are_ended() {
    let (school, sitting, codes) = opened().await;
    let key = "a key that was copied too";
    let (waiting, old) = enter_by_https(&school, &by_code(&sitting, &codes["Bo"], key)).await;
    let session_id = waiting["sessionId"].as_str().unwrap();
    let code = ordered(&school, session_id).await;
    assert_eq!(details(&school, session_id, ORDER).await, ["no device was at work"]);
    let live = format!("/api/live/{session_id}");
    eventually("the token is ended", async || (old.get(&live).await.status == 403).then_some(())).await;
    // The key of the first entry makes no token again that was ended.
    let mut bo = Entrant::enter(&school.hall, by_code(&sitting, &code, key)).await;
    assert_eq!((bo.session_id.as_str(), json!(bo.token) == waiting["token"]), (session_id, false));
    bo.prepare().await;
    assert_eq!(old.get(&live).await.status, 403);
}

#[tokio::test]
async fn a_device_that_is_ended_is_told_as_if_it_were_taken_over() {
    let (school, sitting, codes) = opened().await;
    let mut bo = Entrant::enter(&school.hall, by_code(&sitting, &codes["Bo"], "Bo's own")).await;
    bo.prepare().await;
    eventually("the connection on the record", async || {
        details(&school, &bo.session_id, "connected").await.first().map(|_| ())
    })
    .await;
    // As if the store had not heard of the device yet.
    let session_id: uuid::Uuid = bo.session_id.parse().unwrap();
    let forget = "UPDATE seats SET device = NULL WHERE session_id = $1";
    school.execute(forget, vec![session_id.into()]).await.unwrap();
    chief(&school, &sitting).await.done(only_this_device(&bo, "a")).await;
    bo.socket.until("superseded").await;
    bo.socket.expect_close(4001).await;
    until_ended(&bo).await;
}

#[tokio::test]
async fn it_is_for_one_session() {
    let (school, sitting, codes) = opened().await;
    let mut bo = Entrant::enter(&school.hall, by_code(&sitting, &codes["Bo"], "Bo's own")).await;
    let mut proctor = chief(&school, &sitting).await;
    let for_all = proctor.command(json!({ "type": ORDER, "sessionId": "*" })).await;
    assert_eq!(for_all["code"], "bad_message", "{for_all}");
    let room = format!("/api/live/rooms/orders?sittingId={}", sitting["id"].as_str().unwrap());
    let by_https = school.admin.post_json(&room, &json!({ "id": "a", "type": ORDER })).await;
    assert_eq!((by_https.status, &by_https.json()["code"]), (400, &json!("bad_message")));
    bo.socket.sync().await;
    // Outside of sittings nobody has an access code.
    let mut practice = school.hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    practice.state().await;
    let path = format!("/api/live/sessions/{}/orders", practice.session_id);
    let done = school.admin.post_json(&path, &json!({ "id": "b", "type": ORDER })).await;
    assert_eq!((done.status, done.json()), (200, json!({ "count": 1 })), "{}", done.text());
    practice.socket().sync().await;
    practice.submit().await;
    let late = school.admin.post_json(&path, &json!({ "id": "c", "type": ORDER })).await;
    late.assert_fault(409, "The session has been submitted", "already_submitted");
}

#[tokio::test]
async fn a_thief_who_enters_again_and_again_is_in_nobodys_way() {
    let (mut school, sitting, codes) = opened().await;
    let ada = json!({ "sittingId": sitting["id"], "key": "the first device of Ada" });
    let first_device = Entrant::signed_in(&school.hall, "ada@exam.test", ada).await;
    let further = json!({ "sittingId": sitting["id"], "key": "the second device of Ada" });
    let second_device = Entrant::signed_in(&school.hall, "ada@exam.test", further).await;
    let at_work = Entrant::enter(&school.hall, by_code(&sitting, &codes["Ada"], "with her slip")).await;
    assert_eq!(at_work.session_id, first_device.session_id);
    let anyone = school.hall.anonymous();
    let steal = async |number: usize| {
        let enter = by_code(&sitting, &codes["Ada"], &format!("stolen {number}"));
        let answer = anyone.post_json("/api/live", &enter).await;
        (answer.status, answer.json()["token"].as_str().unwrap_or_default().to_owned())
    };
    let mut stolen = Vec::new();
    for minute in 0..7 {
        school.hall.clock.advance(std::time::Duration::from_secs(61));
        for number in 0..A_MINUTE {
            let (status, token) = steal(minute * A_MINUTE + number).await;
            assert_eq!(status, 200);
            stolen.push(token);
        }
        assert_eq!(steal(1_000 + minute).await.0, 429);
        // A proctor's code and Ada's own sign-in have quotas of their own.
        let made = format!("/api/live/sessions/{}/code", at_work.session_id);
        let code = Answer::to(school.admin.request(Method::POST, &made)).await.json()["code"].clone();
        let moved = anyone.post_json("/api/live/move", &json!({ "code": code })).await;
        assert_eq!(moved.status, 200, "{}", moved.text());
    }
    assert_eq!(school.read(&sitting).await["state"], "open", "{}", path(&sitting));
    // Nothing that a server remembers hides what has become of the tokens.
    school.hall.restart().await;
    let live = format!("/api/live/{}", at_work.session_id);
    for (whose, token, status) in [
        ("the first device's", &first_device.token, 200),
        ("the second device's", &second_device.token, 200),
        ("that of the device at work", &at_work.token, 200),
        ("the thief's first", &stolen[0], 403),
    ] {
        let answer = school.hall.bearer(token).get(&live).await;
        assert_eq!(answer.status, status, "{whose}: {}", answer.text());
    }
}
