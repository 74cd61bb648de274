//! Exams of events before they open: what is shown of them, and who may begin them.

use std::time::Duration;

use migration::Migrator;
use migration::sea_orm_migration::MigratorTrait;
use reqwest::Method;
use serde_json::{Value, json};

use super::client::{API, Client, SITE, event, found, invalid};
use crate::hall::{Answer, Caller, Hall, Heard, LiveSocket};

const NOT_OPEN: &str = "The exam has not opened yet";
const MINUTE: Duration = Duration::from_secs(60);

/// A hall whose server has the questions itself, as templates need.
async fn hall() -> Hall {
    Hall::with(&[("DATA_PROVIDER", "local"), ("TEST_GATE", "none")]).await
}

/// A new template's id.
async fn template(hall: &Hall) -> String {
    let targets = json!({ "1": 2, "2": 2, "3": 2, "4": 2, "5": 2 });
    let config = json!({ "name": "Final", "grades": [5], "mode": "standard", "durationMinutes": 45, "standardTargets": targets });
    let answer = hall.signed_in("admin").await.post_json("/api/admin/test-templates", &config).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["template"]["id"].as_str().unwrap().to_owned()
}

/// `YYYY-MM-DD hh:mm:ss` in UTC, so many minutes after the server's time.
fn in_minutes(hall: &Hall, minutes: i64) -> String {
    hall.clock.now().plus(minutes * 60_000).utc().format("%Y-%m-%d %H:%M:%S").to_string()
}

/// An event of this exam that begins so many minutes from now and takes an hour.
async fn announce(hall: &Hall, manager: &Client, minutes: i64, exam: &Value, more: Value) -> Value {
    let mut fields =
        json!({ "start_date": in_minutes(hall, minutes), "end_date": in_minutes(hall, minutes + 60), "exam": exam });
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    manager.event(fields).await
}

async fn start(caller: &Caller, body: Value) -> Answer {
    caller.post_json("/api/live", &body).await
}

/// A start of the template that names the event, or none.
fn of(template: &str, event: &Value) -> Value {
    json!({ "templateId": template, "annotations": { "event": event } })
}

#[track_caller]
fn assert_not_open(answer: &Answer) {
    assert_eq!((answer.status, &answer.json()["error"]), (403, &json!(NOT_OPEN)), "{}", answer.text());
}

/// What a socket answers to a start.
async fn by_socket(hall: &Hall, mut body: Value) -> Value {
    let mut socket = LiveSocket::connect(&hall.base(), &[]).await.unwrap();
    body["type"] = json!("start");
    socket.send(&body).await;
    let Heard::Frame(frame) = socket.hear().await else { panic!("it closes the socket") };
    frame
}

#[tokio::test]
async fn an_exam_that_has_not_opened_is_shown_to_staff_alone() {
    let hall = hall().await;
    let (anyone, student) = (Client::anonymous(&hall), Client::of(&hall, "student").await);
    let (manager, reviewer) = (Client::of(&hall, "manager").await, Client::of(&hall, "reviewer").await);
    let id = template(&hall).await;
    let exam = json!({ "templateId": id, "opensMinutesBefore": 15 });
    let made = announce(&hall, &manager, 60, &exam, json!({ "title": "Finals", "cost": "5" })).await;
    assert_eq!(made["exam"], exam);
    let own = json!({ "website": format!("https://a.example/go?to={}", id.to_uppercase()) });
    let linked = announce(&hall, &manager, 60, &exam, own).await;
    let paths = [
        format!("/events/{}", made["id"]),
        format!("/events/by-slug/{}", made["slug"].as_str().unwrap()),
        "/events".to_owned(),
        "/events?search=finals".to_owned(),
        format!("/events?include={}", made["id"]),
        format!("/events/{}?ical=1", made["id"]),
        "/events?ical=1".to_owned(),
        format!("/events/{}?_envelope=1", made["id"]),
        format!("/events/{}", linked["id"]),
    ];
    for path in &paths {
        for client in [&anyone, &student] {
            let answer = client.get(path).await;
            let shown = answer.text().to_ascii_lowercase().replace("\\/", "/").replace("\r\n ", "");
            assert!(answer.status == 200 && !shown.contains(&id) && !shown.contains("/t/"), "{path}: {shown}");
            assert!(answer.header("cache-control").contains("no-cache"), "{path}");
        }
        for client in [&manager, &reviewer] {
            let shown = client.get(path).await.text().to_ascii_lowercase().replace("\r\n ", "");
            assert!(shown.contains(&id), "{path}: {shown}");
        }
    }
    let hidden = anyone.read(&paths[0]).await;
    assert_eq!((hidden.get("exam"), &hidden["website"]), (None, &made["url"]));
    let before = anyone.0.get(&format!("{API}{}", paths[5])).await;
    hall.clock.advance(45 * MINUTE + Duration::from_secs(1));
    let shown = anyone.read(&paths[0]).await;
    let link = format!("{SITE}/t/{id}?event={}", made["id"]);
    assert_eq!((&shown["exam"], &shown["website"]), (&exam, &json!(link)));
    assert_eq!(anyone.read(&paths[8]).await["website"], linked["website"]);
    let after = anyone.0.get_with(&format!("{API}{}", paths[5]), "if-none-match", before.header("etag")).await;
    assert_eq!(after.status, 200, "a program that has the file from before gets it with the link");
    assert!(after.text().replace("\r\n ", "").contains(&link), "{}", after.text());
    let stamp = |answer: &Answer| {
        answer.text().lines().find(|line| line.starts_with("LAST-MODIFIED")).map(str::to_owned).unwrap()
    };
    assert!(stamp(&after) > stamp(&before), "and takes it for newer");
    let sequence = |answer: &Answer| {
        let text = answer.text();
        let line = text.lines().find_map(|line| line.strip_prefix("SEQUENCE:")).unwrap();
        line.trim().parse::<u32>().unwrap()
    };
    assert!(sequence(&after) > sequence(&before), "also a program that counts the changes");
}

#[tokio::test]
async fn a_start_before_that_is_refused() {
    let hall = hall().await;
    let manager = Client::of(&hall, "manager").await;
    let id = template(&hall).await;
    let exam = json!({ "templateId": id, "opensMinutesBefore": "10" });
    let made = announce(&hall, &manager, 30, &exam, json!({})).await;
    let (anyone, student) = (hall.anonymous(), hall.signed_in("student").await);
    let path = format!("/api/test-templates/{id}");
    let named = [
        of(&id, &made["id"]),
        of(&id, &json!(made["id"].to_string())),
        // A client could leave the event out, and name it with another test.
        of(&id, &Value::Null),
        of(&id, &json!(999_999)),
        json!({ "grade": 5, "questionCount": 10, "annotations": { "event": made["id"] } }),
    ];
    for body in &named {
        assert_not_open(&start(&anyone, body.clone()).await);
        assert_not_open(&start(&student, body.clone()).await);
        let refused = by_socket(&hall, body.clone()).await;
        assert_eq!((&refused["type"], &refused["code"]), (&json!("error"), &json!("not_open")), "{refused}");
    }
    for caller in [&anyone, &student] {
        assert_not_open(&caller.get(&path).await);
    }
    for role in ["reviewer", "manager"] {
        let elsewhere = hall.staff_of(role, 6).await;
        for body in &named {
            assert_not_open(&start(&elsewhere, body.clone()).await);
        }
        assert_not_open(&elsewhere.get(&path).await);
        let staff = hall.staff_of(role, 5).await;
        for body in &named {
            assert_eq!(start(&staff, body.clone()).await.status, 200, "{role}");
        }
        assert_eq!(staff.get(&path).await.status, 200, "{role}");
    }
    let admin = hall.signed_in("admin").await;
    assert_eq!(start(&admin, named[0].clone()).await.status, 200);
    assert_eq!(admin.get(&path).await.status, 200);
    hall.clock.advance(19 * MINUTE);
    assert_not_open(&start(&anyone, named[0].clone()).await);
    hall.clock.advance(MINUTE + Duration::from_secs(1));
    for body in &named {
        assert_eq!(start(&anyone, body.clone()).await.status, 200, "{body}");
    }
    assert_eq!(by_socket(&hall, named[0].clone()).await["type"], "started");
    let open = anyone.get(&path).await;
    assert_eq!(open.status, 200);
    // Put off again: neither the memory of the server nor that of a client shows it any longer, and who has begun goes
    // on.
    let key = "k3v9x0d2m7q1w8e5";
    let mut keyed = named[0].clone();
    keyed["key"] = json!(key);
    let begun = start(&anyone, keyed.clone()).await.json();
    manager
        .change(
            &format!("/events/{}", made["id"]),
            &json!({ "start_date": in_minutes(&hall, 120), "end_date": in_minutes(&hall, 180) }),
        )
        .await;
    assert_not_open(&start(&anyone, named[0].clone()).await);
    assert_not_open(&anyone.get_with(&path, "if-none-match", open.header("etag")).await);
    let again = start(&anyone, keyed).await;
    assert_eq!((again.status, &again.json()["sessionId"]), (200, &begun["sessionId"]), "{}", again.text());
}

#[tokio::test]
async fn only_announced_events_open_and_close() {
    let hall = hall().await;
    let (manager, reviewer) = (Client::of(&hall, "manager").await, Client::of(&hall, "reviewer").await);
    let anyone = hall.anonymous();
    let id = template(&hall).await;
    let exam = json!({ "templateId": id });
    // Someone who may not publish cannot close a template.
    for status in ["draft", "pending", "private"] {
        let draft = announce(&hall, &reviewer, 30, &exam, json!({ "status": status })).await;
        assert_eq!(start(&anyone, of(&id, &Value::Null)).await.status, 200, "{status}");
        assert_not_open(&start(&anyone, of(&id, &draft["id"])).await);
    }
    let early = announce(&hall, &manager, 30, &exam, json!({})).await;
    assert_not_open(&start(&anyone, of(&id, &Value::Null)).await);
    // One event that has begun opens the template, but not the other event.
    let running = announce(&hall, &manager, -5, &exam, json!({})).await;
    assert_eq!(start(&anyone, of(&id, &Value::Null)).await.status, 200);
    assert_eq!(start(&anyone, of(&id, &running["id"])).await.status, 200);
    assert_not_open(&start(&anyone, of(&id, &early["id"])).await);
    // An exam in the trash is cancelled.
    found(&manager.delete(&format!("/events/{}", running["id"])).await, 200);
    assert_not_open(&start(&anyone, of(&id, &running["id"])).await);
    assert_not_open(&start(&anyone, of(&id, &Value::Null)).await);
    found(&manager.delete(&format!("/events/{}", early["id"])).await, 200);
    assert_eq!(start(&anyone, of(&id, &Value::Null)).await.status, 200, "nothing announces it any longer");
    // One that will be published later closes the template until it opens.
    let date = in_minutes(&hall, 10);
    let scheduled = announce(&hall, &manager, 30, &exam, json!({ "status": "future", "date": date })).await;
    assert_eq!(scheduled["status"], "future");
    assert_not_open(&start(&anyone, of(&id, &Value::Null)).await);
    hall.clock.advance(31 * MINUTE);
    assert_eq!(start(&anyone, of(&id, &scheduled["id"])).await.status, 200);
}

#[tokio::test]
async fn an_exam_opens_by_the_clock_of_its_zone() {
    let hall = hall().await;
    let manager = Client::of(&hall, "manager").await;
    let id = template(&hall).await;
    // Noon in Kiritimati, 14 hours east, is the evening before in UTC.
    let local = hall.clock.now().plus((14 * 60 + 30) * 60_000).utc().format("%Y-%m-%d %H:%M:%S").to_string();
    let zone = json!({ "start_date": local, "end_date": local, "timezone": "Pacific/Kiritimati" });
    let made = announce(&hall, &manager, 0, &json!({ "templateId": id }), zone).await;
    assert_not_open(&start(&hall.anonymous(), of(&id, &made["id"])).await);
    hall.clock.advance(29 * MINUTE);
    assert_not_open(&start(&hall.anonymous(), of(&id, &made["id"])).await);
    hall.clock.advance(2 * MINUTE);
    assert_eq!(start(&hall.anonymous(), of(&id, &made["id"])).await.status, 200);
}

#[tokio::test]
async fn the_exam_of_a_grade_opens_only_if_it_says_when() {
    let hall = hall().await;
    let (manager, anyone) = (Client::of(&hall, "manager").await, hall.anonymous());
    let body = |event: &Value| json!({ "grade": 5, "questionCount": 10, "annotations": { "event": event } });
    let open = announce(&hall, &manager, 60, &json!({ "grade": 5 }), json!({})).await;
    assert_eq!(start(&anyone, body(&open["id"])).await.status, 200);
    let exam = json!({ "grade": 5, "opensMinutesBefore": 5 });
    let closed = announce(&hall, &manager, 60, &exam, json!({})).await;
    assert_eq!(closed["exam"]["opensMinutesBefore"], 5);
    assert_not_open(&start(&anyone, body(&closed["id"])).await);
    assert_eq!(start(&anyone, body(&Value::Null)).await.status, 200);
    for minutes in [json!(-1), json!(10_081), json!("soon"), json!(1.5), json!([])] {
        let exam = json!({ "grade": 5, "opensMinutesBefore": minutes });
        invalid(&manager.post("/events", &event(json!({ "exam": exam }))).await, &["exam"]);
    }
    let form = "title=A&start_date=2037-01-01&end_date=2037-01-01&exam[grade]=3&exam[opensMinutesBefore]=45";
    assert_eq!(found(&manager.post_form("/events", form).await, 201)["exam"]["opensMinutesBefore"], 45);
    let padded = manager.send(Method::POST, "/events", &event(json!({ "exam": { "grade": "05" } }))).await;
    invalid(&padded, &["exam"]);
}

/// Takes the schema back to before exams had openings, as an earlier version has left it.
async fn forget_openings(hall: &Hall) {
    let steps = Migrator::migrations();
    let later = steps.iter().rev().take_while(|step| !step.name().starts_with("m16_")).count();
    let connection = sea_orm::Database::connect(hall.database_url()).await.unwrap();
    Migrator::down(&connection, Some(u32::try_from(later + 1).unwrap())).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn events_from_before_have_their_openings_after_an_upgrade() {
    let mut hall = hall().await;
    let manager = Client::of(&hall, "manager").await;
    let (id, other) = (template(&hall).await, template(&hall).await);
    let ahead = announce(&hall, &manager, 30, &json!({ "templateId": id }), json!({})).await;
    announce(&hall, &manager, -30, &json!({ "templateId": other }), json!({})).await;
    let graded = announce(&hall, &manager, 30, &json!({ "grade": 5 }), json!({})).await;
    hall.stop().await;
    forget_openings(&hall).await;
    hall.begin().await;
    let anyone = hall.anonymous();
    assert_not_open(&start(&anyone, of(&id, &ahead["id"])).await);
    assert_not_open(&anyone.get(&format!("/api/test-templates/{id}")).await);
    assert_eq!(start(&anyone, of(&other, &Value::Null)).await.status, 200);
    let practice = json!({ "grade": 5, "questionCount": 10, "annotations": { "event": graded["id"] } });
    assert_eq!(start(&anyone, practice).await.status, 200);
    hall.clock.advance(31 * MINUTE);
    assert_eq!(start(&anyone, of(&id, &ahead["id"])).await.status, 200);
}

/// The status of a template for whoever has this token, if any, of this session.
async fn read_with(hall: &Hall, template: &str, session: &Value, token: Option<&Value>) -> Answer {
    let caller = token.map_or_else(|| hall.anonymous(), |token| hall.bearer(token.as_str().unwrap()));
    caller.get(&format!("/api/test-templates/{template}?sessionId={}", session.as_str().unwrap_or("seven"))).await
}

#[tokio::test]
async fn who_has_begun_reads_the_template_whatever_has_become_of_the_event() {
    for public_answers in ["true", "false"] {
        let hall =
            Hall::with(&[("DATA_PROVIDER", "local"), ("TEST_GATE", "none"), ("PUBLIC_ANSWERS", public_answers)]).await;
        let manager = Client::of(&hall, "manager").await;
        let (id, other) = (template(&hall).await, template(&hall).await);
        let exam = json!({ "templateId": id });
        let made = announce(&hall, &manager, -5, &exam, json!({})).await;
        announce(&hall, &manager, 60, &json!({ "templateId": other }), json!({})).await;
        let begun = start(&hall.anonymous(), of(&id, &made["id"])).await.json();
        let second = start(&hall.anonymous(), of(&id, &made["id"])).await.json();
        let (session, token) = (&begun["sessionId"], &begun["token"]);
        let later = json!({ "start_date": in_minutes(&hall, 120), "end_date": in_minutes(&hall, 180) });
        manager.change(&format!("/events/{}", made["id"]), &later).await;

        let admin = hall.signed_in("admin").await;
        let code = format!("/api/live/sessions/{}/code", session.as_str().unwrap());
        let code = Answer::to(admin.request(Method::POST, &code)).await.json()["code"].clone();
        let moved = hall.anonymous().post_json("/api/live/move", &json!({ "code": code })).await.json();
        assert_eq!(&moved["sessionId"], session);
        for token in [token, &moved["token"]] {
            let read = read_with(&hall, &id, session, Some(token)).await;
            assert_eq!(read.status, 200, "{}", read.text());
            let first = &read.json()["standardQuestions"][0];
            assert!(first["question"].is_string(), "{}", read.text());
            assert_eq!(first["answer"].is_string(), public_answers == "true", "{first}");
        }
        assert_not_open(&read_with(&hall, &id, session, None).await);
        assert_not_open(&read_with(&hall, &id, session, Some(&json!("guessed"))).await);
        assert_not_open(&read_with(&hall, &id, &Value::Null, Some(token)).await);
        assert_not_open(&read_with(&hall, &id, &second["sessionId"], Some(token)).await);
        assert_not_open(&read_with(&hall, &other, session, Some(token)).await);

        let commands = format!("/api/live/{}/commands", session.as_str().unwrap());
        let submit = json!({ "commands": [{ "type": "submit", "seq": 1 }] });
        assert_eq!(hall.bearer(token.as_str().unwrap()).post_json(&commands, &submit).await.status, 200);
        assert_not_open(&read_with(&hall, &id, session, Some(token)).await);
        assert_not_open(&read_with(&hall, &id, session, Some(&moved["token"])).await);
    }
}

#[tokio::test]
async fn who_sets_an_event_is_told_that_its_test_is_open_already() {
    let hall = hall().await;
    let (manager, reviewer) = (Client::of(&hall, "manager").await, Client::of(&hall, "reviewer").await);
    let id = template(&hall).await;
    let exam = json!({ "templateId": id });
    let fields = |minutes: i64, more: Value| {
        let mut fields = event(json!({ "start_date": in_minutes(&hall, minutes),
            "end_date": in_minutes(&hall, minutes + 60), "exam": exam }));
        fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        fields
    };
    let link = format!("{SITE}/t/{id}");
    // Nothing closes the template as long as its event is a draft.
    let draft = reviewer.post("/events", &fields(30, json!({ "status": "draft" }))).await;
    assert_eq!((draft.status, draft.header("x-exam-open-already")), (201, link.as_str()));
    let ahead = manager.post("/events", &fields(30, json!({}))).await;
    assert_eq!((ahead.status, ahead.header("x-exam-open-already")), (201, ""), "this one closes it");
    let running = manager.post("/events", &fields(-5, json!({}))).await;
    assert_eq!((running.status, running.header("x-exam-open-already")), (201, ""), "nobody is surprised by that");
    let other = manager.post("/events", &fields(60, json!({}))).await;
    assert_eq!((other.status, other.header("x-exam-open-already")), (201, link.as_str()));
    let path = format!("/events/{}", found(&other, 201)["id"]);
    let changed = manager.send(Method::PUT, &path, &json!({ "title": "Finals" })).await;
    assert_eq!((changed.status, changed.header("x-exam-open-already")), (200, link.as_str()));
    let without = manager.send(Method::PUT, &path, &json!({ "exam": {} })).await;
    assert_eq!((without.status, without.header("x-exam-open-already")), (200, ""));
}
