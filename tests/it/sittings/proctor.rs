//! Proctors of sittings: whom they see and may order, attendance, late entry, the beginning, and incidents.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{School, candidate_path, path, send};
use crate::hall::{Answer, Caller, Candidate, Hall, Heard, PROCTOR_PATH, Proctor, eventually, need_services, time_of};

/// Someone without a role, who is named as the proctor of room B12.
const PROCTOR: &str = "student@exam.test";
const ORDERS: &str = "/api/live/rooms/orders";

/// Two rooms, each begun by its proctor.
fn per_room() -> Value {
    json!({
        "start": "proctor", "perRoom": true,
        "rooms": [{ "name": "B12", "proctors": [PROCTOR] }, { "name": "B13", "proctors": ["q@exam.test"] }],
    })
}

/// Ada in B12, Bo in B13, and Cy without a room.
async fn enrol(school: &School, sitting: &Value) {
    let roster = json!([
        { "email": "ada@exam.test", "name": "Ada", "room": "B12", "seat": "4", "factor": 125, "note": "By the door" },
        { "email": "bo@exam.test", "name": "Bo", "room": "B13" },
        { "externalId": "c-3", "name": "Cy" },
    ]);
    school.enrol(sitting, roster).await;
}

/// A school with such a sitting in so many minutes.
async fn planned(minutes: i64, plan: Value) -> (School, Value) {
    let school = School::open().await;
    let sitting = school.sitting(minutes, plan).await;
    enrol(&school, &sitting).await;
    (school, sitting)
}

/// The room of a sitting as a proctor names it.
fn room(sitting: &Value, hall: Option<&str>) -> Value {
    match hall {
        Some(hall) => json!({ "sittingId": sitting["id"], "room": hall }),
        None => json!({ "sittingId": sitting["id"] }),
    }
}

fn query(sitting: &Value, hall: Option<&str>) -> String {
    let hall = hall.map(|hall| format!("&room={hall}")).unwrap_or_default();
    format!("?sittingId={}{hall}", sitting["id"].as_str().unwrap())
}

async fn chief(hall: &Hall, sitting: &Value) -> Proctor {
    Proctor::watching(&hall.base(), &hall.token("admin").await, &room(sitting, None)).await
}

async fn of_hall(hall: &Hall, sitting: &Value) -> Proctor {
    Proctor::watching(&hall.base(), &hall.token("student").await, &room(sitting, Some("B12"))).await
}

async fn enter(school: &School, sitting: &Value, names: &[&str]) -> Vec<Candidate> {
    let mut entered = Vec::new();
    for name in names {
        let candidate = school.candidate(sitting, name).await;
        entered.push(school.enter(sitting, &candidate).await);
    }
    entered
}

async fn candidate_id(school: &School, sitting: &Value, name: &str) -> String {
    school.candidate(sitting, name).await["id"].as_str().unwrap().to_owned()
}

async fn until_row(proctor: &mut Proctor, id: &str, what: &str, holds: impl Fn(&Value) -> bool) {
    proctor.until(what, |proctor| proctor.rows.get(id).is_some_and(&holds)).await;
}

/// An order with an id of its own.
#[allow(clippy::needless_pass_by_value, reason = "calls are easier to read")]
fn order(kind: &str, fields: Value) -> Value {
    let mut order = json!({ "id": Uuid::new_v4().to_string(), "type": kind });
    order.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    order
}

/// How many an order over HTTPS has reached.
async fn ordered(caller: &Caller, query: &str, order: &Value) -> u64 {
    let answer = caller.post_json(&format!("{ORDERS}{query}"), order).await;
    assert_eq!(answer.status, 200, "{order}: {}", answer.text());
    answer.json()["count"].as_u64().unwrap()
}

/// Kind, person and detail of each event that is no connection, and no change of the roster.
fn record(events: &Value) -> Vec<[String; 3]> {
    let of = |event: &Value| ["kind", "by", "detail"].map(|name| event[name].as_str().unwrap().to_owned());
    let is_action = |event: &[String; 3]| event[1].contains('@') && !["roster", "candidate"].contains(&&*event[0]);
    events.as_array().unwrap().iter().map(of).filter(is_action).collect()
}

#[tokio::test]
async fn everyone_who_is_expected_has_a_row() {
    let (school, sitting) = planned(20, per_room()).await;
    let mut proctor = chief(&school.hall, &sitting).await;
    assert_eq!(proctor.rows.len(), 3);
    let ada = candidate_id(&school, &sitting, "Ada").await;
    let expected = json!({
        "sessionId": null, "student": "Ada", "account": "ada@exam.test", "grade": 5, "templateId": null,
        "mode": "standard", "state": "expected", "standing": "running", "takenOverAt": null, "connected": false, "stage": 1, "answered": 0, "marked": 0,
        "total": 0, "currentQuestionId": null, "startedAt": sitting["startsAt"], "deadline": proctor.row(&ada)["deadline"],
        "away": false, "awayCount": 0, "lastSeenAt": null, "score": null, "sittingId": sitting["id"],
        "progress": "", "at": null, "trouble": [], "refused": 0,
        "candidateId": ada, "ready": false, "room": "B12", "seat": "4", "factor": 125, "note": "By the door",
    });
    assert_eq!(proctor.row(&ada), &expected);
    let given = time_of(&expected["deadline"]) - time_of(&expected["startedAt"]);
    assert_eq!(given.num_seconds(), 45 * 75, "with the extra time");
    let list = school.admin.get(&format!("/api/live/sessions{}", query(&sitting, Some("B12")))).await;
    assert_eq!((list.status, list.json()), (200, json!({ "sessions": [expected] })));
    // A change of the roster shows by itself: a walk-in, another seat, and someone who is taken off.
    let list = format!("{}/candidates", path(&sitting));
    let added = school.admin.post_json(&list, &json!({ "email": "di@exam.test" })).await;
    let di = added.json()["candidate"]["id"].as_str().unwrap().to_owned();
    until_row(&mut proctor, &di, "the walk-in", |row| row["state"] == "expected").await;
    let (bo, cy) = (candidate_id(&school, &sitting, "Bo").await, candidate_id(&school, &sitting, "Cy").await);
    let candidate = school.candidate(&sitting, "Bo").await;
    send(&school.admin, Method::PATCH, &candidate_path(&sitting, &candidate), &json!({ "room": "B12", "seat": "5" }))
        .await;
    until_row(&mut proctor, &bo, "the move", |row| row["room"] == "B12" && row["seat"] == "5").await;
    super::delete(&school.admin, &format!("{}/candidates/{cy}", path(&sitting))).await;
    proctor.until("one is gone", |proctor| !proctor.rows.contains_key(&cy)).await;
    // Who has entered waits, and is at work when the room begins.
    let mut entered = enter(&school, &sitting, &["Ada"]).await;
    let mut proctor = chief(&school.hall, &sitting).await;
    let session_id = entered[0].session_id.clone();
    until_row(&mut proctor, &ada, "Ada waits", |row| {
        row["state"] == "waiting" && row["sessionId"] == session_id && row["connected"] == true
    })
    .await;
    assert_eq!(proctor.row(&ada)["startedAt"], sitting["startsAt"], "as planned");
    assert_eq!(ordered(&school.admin, &query(&sitting, None), &order("begin", json!({}))).await, 1);
    until_row(&mut proctor, &ada, "Ada is at work", |row| row["state"] == "active").await;
    entered[0].begin().await;
    entered[0].submit().await;
    until_row(&mut proctor, &ada, "the end", |row| row["state"] == "submitted" && row["total"] == 10).await;
    assert_eq!(proctor.row(&ada)["score"], Value::Null, "the results are held");
    let released = school.release_before_all_have_come(&sitting).await;
    assert_eq!(released.status, 200, "{}", released.text());
    until_row(&mut proctor, &ada, "the score", |row| !row["score"].is_null()).await;
    proctor.until("Bo is absent", |proctor| proctor.rows[&bo]["state"] == "absent").await;
}

#[tokio::test]
async fn the_proctor_of_a_room_sees_and_orders_that_room_alone() {
    let (school, sitting) = planned(20, per_room()).await;
    let mut students = enter(&school, &sitting, &["Ada", "Bo"]).await;
    let (ada, bo) = (candidate_id(&school, &sitting, "Ada").await, candidate_id(&school, &sitting, "Bo").await);
    let mut proctor = of_hall(&school.hall, &sitting).await;
    assert_eq!(proctor.rows.keys().collect::<Vec<_>>(), [&ada]);
    let forbidden = json!("forbidden");
    // Refused watches leave the watch as it is.
    for (watch, code, sentence) in [
        (room(&sitting, None), "forbidden", "Not a proctor of this room"),
        (room(&sitting, Some("B13")), "forbidden", "Not a proctor of this room"),
        (room(&sitting, Some("B14")), "forbidden", "Not a proctor of this room"),
        (json!({ "grade": 5 }), "forbidden", "Forbidden"),
        (
            json!({ "sittingId": Uuid::new_v4() }),
            "sitting_not_found",
            "There is no such sitting, or no such room in it",
        ),
    ] {
        let mut frame = watch.clone();
        frame["type"] = json!("watch");
        frame["id"] = json!("");
        proctor.send(frame).await;
        let Some(Heard::Frame(error)) = proctor.hear_until("error").await else { panic!("{watch}: no answer") };
        assert_eq!((&error["code"], &error["error"]), (&json!(code), &json!(sentence)), "{watch}");
    }
    let theirs = school.hall.signed_in("student").await;
    for (command, id) in [("history", &students[1].session_id), ("pause", &students[1].session_id)] {
        let answer = proctor.command(json!({ "type": command, "sessionId": id })).await;
        assert_eq!(answer["code"], "unknown_session", "{answer}");
    }
    for command in ["present", "admit", "history"] {
        let answer = proctor.command(json!({ "type": command, "candidateId": bo })).await;
        assert_eq!(answer["code"], "unknown_candidate", "{answer}");
    }
    let of_bo = format!("/api/live/sessions/{}", students[1].session_id);
    let not_theirs = "Not a proctor of this room";
    theirs.get(&format!("{of_bo}/events")).await.assert_fault(403, not_theirs, "forbidden");
    let extend = json!({ "id": "x", "type": "extend", "minutes": 5 });
    theirs.post_json(&format!("{of_bo}/orders"), &extend).await.assert_fault(403, not_theirs, "forbidden");
    let of_other = theirs.post_json(&format!("{ORDERS}{}", query(&sitting, Some("B13"))), &extend).await;
    of_other.assert_fault(403, not_theirs, "forbidden");
    let events = theirs.get(&format!("/api/live/candidates/{bo}/events")).await;
    events.assert_fault(403, not_theirs, "forbidden");
    // Their own.
    assert_eq!(proctor.done(json!({ "type": "extend", "sessionId": "*", "minutes": 5 })).await, 1);
    assert_eq!(students[0].socket().until("extended").await["minutes"], 5);
    let own = format!("/api/live/sessions/{}/orders", students[0].session_id);
    assert_eq!(theirs.post_json(&own, &extend).await.json(), json!({ "count": 1 }));
    assert_eq!(students[0].socket().until("extended").await["minutes"], 5);
    let code = proctor.command(json!({ "type": "code", "sessionId": students[0].session_id })).await;
    assert_eq!(code["type"], "code", "{code}");
    assert_eq!(students[0].state().await["minutes"], 66.25, "a quarter and ten minutes more");
    assert_eq!(students[1].state().await["minutes"], 45.0);
    let proctored = theirs.get("/api/sittings/proctored").await.json()["sittings"].clone();
    assert_eq!((&proctored[0]["id"], &proctored[0]["rooms"]), (&sitting["id"], &json!(["B12"])));
    assert_eq!(proctored[0]["state"], "open");
    let told = ["start", "startsAt", "begun", "perRoom"].map(|name| &proctored[0][name]);
    assert_eq!(told, [&json!("proctor"), &sitting["startsAt"], &json!(false), &json!(true)]);
    let standing = json!({ "state": "running", "since": null, "by": null, "text": null, "minutes": 5, "pausedMs": 0 });
    let start = json!({ "name": "B12", "startsAt": sitting["startsAt"], "begunAt": null, "standing": standing });
    assert_eq!(proctored[0]["roomStarts"], json!([start]));
    assert_eq!(school.admin.get("/api/sittings/proctored").await.json(), json!({ "sittings": [] }));
    // Somebody else, with a role or without.
    let reviewer = school.hall.signed_in("reviewer").await;
    let sessions = format!("/api/live/sessions{}", query(&sitting, Some("B12")));
    reviewer.get(&sessions).await.assert_fault(403, "Not a proctor of this room", "forbidden");
    // The first one to sign in becomes admin.
    school.hall.cookie("head@exam.test").await;
    let cookie = school.hall.cookie("z@exam.test").await;
    let nobody = Answer::to(school.hall.anonymous().request(Method::GET, &sessions).header("cookie", cookie)).await;
    nobody.assert_fault(403, "Forbidden", "forbidden");
    school.hall.anonymous().get(&sessions).await.assert_fault(401, "Unauthorized", "sign_in_required");
    // Who is no longer named sees nothing more.
    let rooms = json!({ "rooms": [{ "name": "B12", "proctors": ["q@exam.test"] }, { "name": "B13" }] });
    assert_eq!(school.patch(&sitting, rooms).await.status, 200);
    loop {
        match proctor.hear_within(crate::hall::PATIENCE).await {
            Some(Heard::Closed(code)) => break assert_eq!(code, Some(4403)),
            Some(Heard::Frame(frame)) => assert!(frame["type"] != "error" || frame["code"] == forbidden, "{frame}"),
            None => panic!("the socket stays open"),
        }
    }
    assert_eq!(theirs.post_json(&own, &extend).await.status, 403);
}

#[tokio::test]
async fn the_door_is_open_to_those_who_are_named() {
    let school = School::open().await;
    let base = school.hall.base();
    let token = school.hall.token("student").await;
    let authorization = format!("Bearer {token}");
    let headers = [("authorization", authorization.as_str())];
    assert!(crate::hall::LiveSocket::reach(&base, PROCTOR_PATH, &headers).await.is_none());
    // Letters that search for others name nobody.
    school
        .sitting(20, json!({ "rooms": [{ "name": "A", "proctors": ["studentx@exam.test", "s_udent@exam.test"] }] }))
        .await;
    assert!(crate::hall::LiveSocket::reach(&base, PROCTOR_PATH, &headers).await.is_none());
    school.sitting(20, per_room()).await;
    eventually("the door opens", async || crate::hall::LiveSocket::reach(&base, PROCTOR_PATH, &headers).await).await;
}

#[tokio::test]
async fn attendance_is_on_the_record() {
    let (school, sitting) = planned(20, per_room()).await;
    enter(&school, &sitting, &["Ada"]).await;
    let ids = [
        candidate_id(&school, &sitting, "Ada").await,
        candidate_id(&school, &sitting, "Bo").await,
        candidate_id(&school, &sitting, "Cy").await,
    ];
    let mut proctor = chief(&school.hall, &sitting).await;
    let present = json!({ "type": "present", "id": "p", "candidateId": ids[1] });
    assert_eq!((proctor.done(present.clone()).await, proctor.done(present).await), (1, 1), "a repeat gets the same");
    let reused = proctor.command(json!({ "type": "absent", "id": "p", "candidateId": ids[1] })).await;
    assert_eq!(reused["code"], "id_reused");
    until_row(&mut proctor, &ids[1], "the mark", |row| row["attendance"] == "present").await;
    assert_eq!(proctor.row(&ids[1])["attendanceBy"], "admin@exam.test");
    assert_eq!(proctor.done(json!({ "type": "present", "candidateId": ids[1] })).await, 0, "she is marked");
    // Of everyone, those who are not marked; who has entered is not absent.
    assert_eq!(proctor.done(json!({ "type": "absent", "candidateId": "*" })).await, 1);
    until_row(&mut proctor, &ids[2], "the absent one", |row| row["state"] == "absent").await;
    assert_eq!(
        (&proctor.row(&ids[0])["attendance"], &proctor.row(&ids[0])["state"]),
        (&Value::Null, &json!("waiting"))
    );
    assert_eq!(
        ordered(&school.admin, &query(&sitting, None), &order("present", json!({ "candidateId": ids[2] }))).await,
        1
    );
    until_row(&mut proctor, &ids[2], "who has come after all", |row| row["state"] == "expected").await;
    // What was done about someone without a session is on the record too.
    let told = proctor.command(json!({ "type": "history", "candidateId": ids[2] })).await;
    let expected =
        [["absent", "admin@exam.test", "not marked to absent"], ["present", "admin@exam.test", "absent to present"]];
    assert_eq!(record(&told["events"]), expected.map(|event| event.map(str::to_owned)));
    let by_https = school.admin.get(&format!("/api/live/candidates/{}/events", ids[2])).await;
    assert_eq!(by_https.json()["events"], told["events"]);
    let unknown = school.admin.get(&format!("/api/live/candidates/{}/events", Uuid::new_v4())).await;
    unknown.assert_fault(404, "Candidate not found", "unknown_candidate");
    let answer = proctor.command(json!({ "type": "present", "candidateId": Uuid::new_v4() })).await;
    assert_eq!(answer["code"], "unknown_candidate");
}

#[tokio::test]
async fn someone_who_comes_late_is_let_in() {
    let school = School::open().await;
    let plan = json!({ "startsAt": school.at(1), "entryUntil": school.at(10), "rooms": [{ "name": "B12", "proctors": [PROCTOR] }] });
    let sitting = school.sitting(1, plan).await;
    enrol(&school, &sitting).await;
    let cookie = school.hall.cookie("ada@exam.test").await;
    let may = async || {
        let request = school.hall.anonymous().request(Method::GET, "/api/sittings").header("cookie", &cookie);
        Answer::to(request).await.json()["sittings"][0]["may"].clone()
    };
    school.advance(15);
    assert_eq!(may().await, "nothing");
    let ada = candidate_id(&school, &sitting, "Ada").await;
    let mut proctor = of_hall(&school.hall, &sitting).await;
    assert_eq!(proctor.done(json!({ "type": "admit", "candidateId": ada })).await, 1);
    assert_eq!(may().await, "enter");
    until_row(&mut proctor, &ada, "who let her in", |row| row["admittedBy"] == PROCTOR).await;
    assert_eq!(proctor.done(json!({ "type": "admit", "candidateId": ada })).await, 0);
    let candidate = school.candidate(&sitting, "Ada").await;
    let student = school.enter(&sitting, &candidate).await;
    let events = school.admin.get(&format!("/api/live/sessions/{}/events", student.session_id)).await.json();
    let admitted = record(&events["events"]).into_iter().find(|event| event[0] == "admit").unwrap();
    assert_eq!(admitted, ["admit", PROCTOR, "not admitted to admitted"].map(str::to_owned));
}

#[tokio::test]
async fn a_room_begins_when_its_proctor_says_so() {
    let (school, sitting) = planned(20, per_room()).await;
    enter(&school, &sitting, &["Ada", "Bo"]).await;
    let (ada, bo) = (candidate_id(&school, &sitting, "Ada").await, candidate_id(&school, &sitting, "Bo").await);
    let (mut proctor, mut head) = (of_hall(&school.hall, &sitting).await, chief(&school.hall, &sitting).await);
    assert_eq!(proctor.done(json!({ "type": "begin" })).await, 1);
    assert_eq!(proctor.done(json!({ "type": "begin" })).await, 0, "the first beginning holds");
    until_row(&mut proctor, &ada, "the beginning", |row| row["state"] == "active").await;
    until_row(&mut head, &ada, "the beginning", |row| row["state"] == "active").await;
    assert_eq!(head.row(&bo)["state"], "waiting");
    let begun = school.read(&sitting).await;
    assert_eq!((&begun["begunAt"], begun["rooms"][0]["begunAt"].is_string()), (&Value::Null, true));
    let theirs = school.hall.signed_in("student").await;
    let all = theirs.post_json(&format!("{ORDERS}{}", query(&sitting, None)), &order("begin", json!({}))).await;
    all.assert_fault(403, "Not a proctor of this room", "forbidden");
    school.advance(5);
    assert_eq!(ordered(&school.admin, &query(&sitting, None), &order("begin", json!({}))).await, 1);
    until_row(&mut head, &bo, "the others", |row| row["state"] == "active").await;
    let (now, again) = (
        school.read(&sitting).await,
        Answer::to(school.admin.request(Method::POST, &format!("{}/begin", path(&sitting)))).await,
    );
    assert_eq!((&now["rooms"][0]["begunAt"], now["begunAt"].is_string()), (&begun["rooms"][0]["begunAt"], true));
    assert_eq!(again.json()["sitting"]["begunAt"], now["begunAt"]);
    assert_eq!(proctor.done(json!({ "type": "begin" })).await, 0);
    let told = head.command(json!({ "type": "history", "candidateId": ada })).await;
    let kinds: Vec<[String; 3]> = record(&told["events"]);
    assert_eq!(kinds.iter().filter(|event| event[0] == "begin").count(), 2, "of the room and of all: {kinds:?}");
    assert!(kinds[0][2].starts_with("not begun to begun: ") && kinds[0][1] == PROCTOR, "{kinds:?}");
}

#[tokio::test]
async fn a_sitting_that_begins_as_a_whole_is_begun_by_who_manages_it() {
    for plan in [json!({ "start": "proctor" }), json!({ "start": "clock", "perRoom": true })] {
        let mut plan = plan;
        plan["rooms"] = per_room()["rooms"].clone();
        let (school, sitting) = planned(20, plan).await;
        let mut proctor = of_hall(&school.hall, &sitting).await;
        let refused = proctor.command(json!({ "type": "begin" })).await;
        assert_eq!(
            (&refused["code"], &refused["error"]),
            (&json!("forbidden"), &json!("This sitting does not begin room by room"))
        );
        assert_eq!(school.read(&sitting).await["state"], "open");
        let mut head = chief(&school.hall, &sitting).await;
        assert_eq!((head.done(json!({ "type": "begin" })).await, head.done(json!({ "type": "begin" })).await), (1, 0));
        let begun = school.read(&sitting).await;
        assert_eq!((&begun["state"], begun["begunAt"].is_string()), (&json!("running"), true));
    }
}

#[tokio::test]
async fn incidents_are_reported() {
    let (school, sitting) = planned(20, per_room()).await;
    enter(&school, &sitting, &["Ada"]).await;
    let (ada, bo) = (candidate_id(&school, &sitting, "Ada").await, candidate_id(&school, &sitting, "Bo").await);
    let mut proctor = of_hall(&school.hall, &sitting).await;
    let incident = |candidate: &str, kind: &str, text: &str| json!({ "type": "incident", "candidateId": candidate, "kind": kind, "text": text });
    let mut device = incident(&ada, "device", "=1+1 on her telephone");
    device["id"] = json!("i");
    assert_eq!((proctor.done(device.clone()).await, proctor.done(device).await), (1, 1));
    assert_eq!(proctor.command(incident(&bo, "device", "x")).await["code"], "unknown_candidate", "of another room");
    assert_eq!(proctor.command(incident(&ada, "", "x")).await["code"], "bad_message");
    assert_eq!(proctor.command(incident(&ada, "device", &"x".repeat(1_001))).await["code"], "bad_message");
    let fire = order("incident", json!({ "kind": "alarm", "text": "Fire drill" }));
    assert_eq!(ordered(&school.admin, &query(&sitting, Some("B13")), &fire).await, 1);
    let report = school.admin.get(&format!("{}/incidents", path(&sitting))).await;
    assert_eq!(report.header("cache-control"), "no-store");
    let incidents = report.json()["incidents"].clone();
    let of = |index: usize| ["room", "candidate", "kind", "text", "by"].map(|name| incidents[index][name].clone());
    assert_eq!(incidents.as_array().unwrap().len(), 2, "{incidents}");
    assert_eq!(of(0), [json!("B12"), json!("Ada"), json!("device"), json!("=1+1 on her telephone"), json!(PROCTOR)]);
    assert_eq!(of(1), [json!("B13"), Value::Null, json!("alarm"), json!("Fire drill"), json!("admin@exam.test")]);
    let table = school.admin.get(&format!("{}/incidents.csv", path(&sitting))).await.text();
    let lines: Vec<&str> = table.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], "at,room,candidate,email,externalId,seat,kind,text,by");
    assert!(
        lines[1].ends_with(&format!(",B12,Ada,ada@exam.test,,4,device,'=1+1 on her telephone,{PROCTOR}")),
        "{table}"
    );
    for (candidate, expected) in [(&ada, vec!["device: =1+1 on her telephone"]), (&bo, vec!["alarm: Fire drill"])] {
        let events = school.admin.get(&format!("/api/live/candidates/{candidate}/events")).await.json();
        let details: Vec<String> = record(&events["events"]).into_iter().map(|[.., detail]| detail).collect();
        assert_eq!(details, expected);
    }
    let reviewer = school.hall.signed_in("reviewer").await;
    reviewer.get(&format!("{}/incidents", path(&sitting))).await.assert_error(403, "Forbidden");
}

#[tokio::test]
async fn the_other_proctors_of_a_room_see_its_incidents() {
    let two = json!([{ "name": "B12", "proctors": [PROCTOR, "reviewer@exam.test"] }, { "name": "B13" }]);
    let (school, sitting) = planned(20, json!({ "start": "proctor", "perRoom": true, "rooms": two })).await;
    let mut proctor = of_hall(&school.hall, &sitting).await;
    let [ada, bo, cy] = [
        candidate_id(&school, &sitting, "Ada").await,
        candidate_id(&school, &sitting, "Bo").await,
        candidate_id(&school, &sitting, "Cy").await,
    ];
    let note = |candidate: &str, text: &str| json!({ "type": "incident", "candidateId": candidate, "kind": "device", "text": text });
    assert_eq!(proctor.done(note(&ada, "of Ada")).await, 1);
    let mut head = chief(&school.hall, &sitting).await;
    assert_eq!(head.done(note(&bo, "of Bo")).await, 1);
    assert_eq!(head.done(note(&cy, "of Cy, who has no room")).await, 1);
    assert_eq!(head.done(json!({ "type": "incident", "kind": "alarm", "text": "of the whole exam" })).await, 1);
    let address = format!("/api/sittings/{}/incidents", sitting["id"].as_str().unwrap());
    let texts = async |caller: &Caller, room: &str| {
        let answer = caller.get(&format!("{address}{room}")).await;
        assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"), "{}", answer.text());
        let texts = answer.json()["incidents"].as_array().unwrap().iter().map(|one| one["text"].clone()).collect();
        Value::Array(texts)
    };
    let (theirs, other) = (school.hall.signed_in("student").await, school.hall.signed_in("reviewer").await);
    for caller in [&theirs, &other] {
        assert_eq!(texts(caller, "?room=B12").await, json!(["of Ada", "of the whole exam"]));
        for room in ["", "?room=B13", "?room=nowhere"] {
            caller.get(&format!("{address}{room}")).await.assert_error(403, "Not a proctor of this room");
        }
    }
    let set = json!({ "incidentKinds": ["Sổ đầu bài"] });
    assert_eq!(send(&school.admin, Method::PATCH, "/api/admin/school", &set).await.status, 200);
    let listed = other.get(&format!("{address}?room=B12")).await.json();
    assert_eq!(listed["kinds"], json!(["Sổ đầu bài"]), "to choose from");
    let own =
        json!({ "type": "incident", "candidateId": ada, "kind": "Sổ đầu bài", "text": "of a kind of the school's" });
    assert_eq!(proctor.done(own).await, 1);
    let seen = listed["incidents"][0].clone();
    assert_eq!([&seen["candidate"], &seen["room"], &seen["by"]], [&json!("Ada"), &json!("B12"), &json!(PROCTOR)]);
    let own_kind = "of a kind of the school's";
    let all = json!(["of Ada", "of Bo", "of Cy, who has no room", "of the whole exam", own_kind]);
    assert_eq!(texts(&school.admin, "").await, all);
    assert_eq!(texts(&school.admin, "?room=B13").await, json!(["of Bo", "of the whole exam"]));
    school.admin.get(&format!("{address}?room=nowhere")).await.assert_error(404, "Not found");
    school.hall.anonymous().get(&address).await.assert_error(401, "Unauthorized");
}

#[tokio::test]
async fn orders_before_the_beginning_take_no_time() {
    let (school, sitting) = planned(20, per_room()).await;
    let mut students = enter(&school, &sitting, &["Ada", "Bo"]).await;
    let (ada, bo) = (candidate_id(&school, &sitting, "Ada").await, candidate_id(&school, &sitting, "Bo").await);
    let mut head = chief(&school.hall, &sitting).await;
    until_row(&mut head, &ada, "Ada waits", |row| row["state"] == "waiting").await;
    for room in ["B12", "B13"] {
        assert_eq!(ordered(&school.admin, &query(&sitting, Some(room)), &order("pause", json!({}))).await, 1);
    }
    for student in &mut students {
        student.socket().until("paused").await;
    }
    assert_eq!(head.row(&ada)["state"], "waiting", "nobody's time counts");
    let grade = async || school.admin.get("/api/live/sessions?grade=5").await.json()["sessions"].clone();
    assert_eq!(grade().await, json!([]), "who waits is in the rooms of the sitting");
    assert_eq!(ordered(&school.admin, &query(&sitting, Some("B13")), &order("unpause", json!({}))).await, 1);
    students[1].socket().until("unpaused").await;
    assert_eq!(head.done(json!({ "type": "begin" })).await, 1);
    until_row(&mut head, &ada, "she is paused", |row| row["state"] == "paused").await;
    until_row(&mut head, &bo, "he is not", |row| row["state"] == "active").await;
    eventually("the grade's room shows them", async || {
        Some(grade().await).filter(|list| list.as_array().unwrap().len() == 2)
    })
    .await;
    assert_eq!(
        ordered(&school.admin, &query(&sitting, Some("B13")), &order("notice", json!({ "text": "Silence" }))).await,
        1
    );
    assert_eq!(students[1].socket().until("notice").await["text"], "Silence");
    assert_eq!(head.done(json!({ "type": "finish", "sessionId": "*" })).await, 2);
    for id in [&ada, &bo] {
        until_row(&mut head, id, "the end", |row| row["state"] == "submitted").await;
    }
    assert_eq!(grade().await, json!([]));
}

#[tokio::test]
async fn an_order_to_a_grade_or_a_template_leaves_sittings_alone() {
    let (school, sitting) = planned(20, per_room()).await;
    let mut students = enter(&school, &sitting, &["Ada", "Bo"]).await;
    let begin = order("begin", json!({}));
    ordered(&school.admin, &query(&sitting, None), &begin).await;
    for student in &mut students {
        student.begin().await;
    }
    let mut own = school
        .hall
        .sit(json!({ "grade": 5, "mode": "standard", "durationMinutes": 30, "questionCount": 10, "annotations": {} }))
        .await;
    for room in [format!("?templateId={}", school.template), "?grade=5".to_owned()] {
        let finish = order("finish", json!({ "sessionId": "*" }));
        ordered(&school.admin, &room, &finish).await;
    }
    own.socket().until("submitted").await;
    for student in &students {
        assert_eq!(student.state().await["type"], "resumed");
        assert!(student.state().await.get("held").is_none(), "at work");
    }
    let finish = order("finish", json!({ "sessionId": "*" }));
    assert_eq!(ordered(&school.admin, &query(&sitting, None), &finish).await, 2);
}

/// A proctor on another server sees what happens here, and gives orders. Servers hear each other over Redis alone, and
/// of connections from each other alone; without it they read the database every ten seconds.
async fn watch_elsewhere(hears: bool) {
    let (school, sitting) = planned(20, per_room()).await;
    let other = school.hall.beside().await;
    let clocks = [school.hall.clock.clone(), other.clock.clone()];
    // Time passes faster for those who only read the database.
    let passing = tokio::spawn(async move {
        if hears {
            return;
        }
        loop {
            clocks.iter().for_each(|clock| clock.advance(Duration::from_secs(1)));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let mut proctor = of_hall(&other, &sitting).await;
    let ada = candidate_id(&school, &sitting, "Ada").await;
    assert_eq!(proctor.rows.keys().collect::<Vec<_>>(), [&ada]);
    let candidate = school.candidate(&sitting, "Ada").await;
    let moved =
        send(&school.admin, Method::PATCH, &candidate_path(&sitting, &candidate), &json!({ "seat": "9" })).await;
    assert_eq!(moved.status, 200, "{}", moved.text());
    until_row(&mut proctor, &ada, "the other seat", |row| row["seat"] == "9").await;
    let mut students = enter(&school, &sitting, &["Ada"]).await;
    until_row(&mut proctor, &ada, "Ada waits", |row| row["state"] == "waiting" && (!hears || row["connected"] == true))
        .await;
    let mut head = chief(&school.hall, &sitting).await;
    assert_eq!(proctor.done(json!({ "type": "begin" })).await, 1);
    until_row(&mut head, &ada, "the beginning", |row| row["state"] == "active").await;
    assert_eq!(proctor.done(json!({ "type": "extend", "sessionId": "*", "minutes": 7 })).await, 1);
    assert_eq!(students[0].socket().until("extended").await["minutes"], 7);
    assert_eq!(head.done(json!({ "type": "absent", "candidateId": ada })).await, 1);
    until_row(&mut proctor, &ada, "the mark", |row| row["attendance"] == "absent" && row["state"] == "active").await;
    passing.abort();
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn without_redis_a_proctor_on_another_server_sees_the_same_later() {
        watch_elsewhere(false).await;
    }
}

mod several_servers {
    use super::*;

    #[tokio::test]
    async fn a_proctor_on_another_server_sees_the_same() {
        need_services();
        watch_elsewhere(true).await;
    }
}

#[tokio::test]
async fn a_manager_is_offered_the_staff_and_no_student() {
    let school = School::open().await;
    let invite = async |email: &str, role: &str, name: &str| {
        let body = json!({ "role": role, "name": name });
        let invited = send(&school.admin, Method::PUT, &format!("/api/admin/users/{email}"), &body).await;
        assert_eq!(invited.status, 200, "{}", invited.text());
    };
    invite("rita@exam.test", "reviewer", "Rita Nguyễn").await;
    invite("sam@exam.test", "student", "Sam").await;
    let manager = school.hall.staff_of("manager", 5).await;
    let offered = manager.get("/api/admin/proctors").await;
    assert_eq!(offered.header("cache-control"), "no-store");
    let people = offered.json()["people"].clone();
    let people = people.as_array().unwrap();
    assert!(people.contains(&json!({ "email": "rita@exam.test", "name": "Rita Nguyễn" })), "{people:?}");
    assert!(people.iter().any(|one| one["email"] == "admin@exam.test"), "{people:?}");
    assert!(people.iter().all(|one| one["email"] != "sam@exam.test"), "{people:?}");
}
