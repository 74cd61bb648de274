//! Who may sit a template, when and how often, over sockets and over HTTPS.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use domain::time::moment::Moment;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::{create, delete, lists, names, public_path, read, standard, update, with};
use crate::hall::{Answer, Caller, Candidate, Hall, LiveSocket, eventually, time_of, token};

const MINUTE: Duration = Duration::from_secs(60);

/// A student who is signed in, and their API token.
pub(super) async fn student(hall: &Hall, email: &str) -> (Caller, String) {
    let token = token::create(hall.settings(), email, "student").await;
    (hall.bearer(&token), token)
}

/// Makes a class of grade 5 with these people, and returns its id.
pub(super) async fn class(admin: &Caller, name: &str, emails: &[&str]) -> Value {
    let made = admin.post_json("/api/admin/classes", &json!({ "name": name, "grade": 5 })).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let id = made.json()["class"]["id"].clone();
    let people: Vec<Value> = emails.iter().map(|email| json!({ "email": email, "name": email })).collect();
    let path = format!("/api/admin/classes/{}/people", id.as_str().unwrap());
    let listed = Answer::to(admin.request(Method::PUT, &path).json(&people)).await;
    assert_eq!(listed.status, 200, "{}", listed.text());
    id
}

fn of_access(access: &Value) -> Value {
    with(standard(), json!({ "access": access }))
}

pub(super) fn start(template: &Value) -> Value {
    json!({ "templateId": template["id"] })
}

async fn begin(caller: &Caller, template: &Value) -> Answer {
    caller.post_json("/api/live", &start(template)).await
}

pub(super) async fn begun(caller: &Caller, template: &Value) -> Value {
    let answer = begin(caller, template).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Numbers of commands, above all earlier ones: a test that goes on has numbers above those before.
static SEQ: AtomicU64 = AtomicU64::new(1_000);

/// Hands in a test that was begun by HTTPS.
pub(super) async fn hand_in(hall: &Hall, started: &Value) {
    let path = format!("/api/live/{}/commands", started["sessionId"].as_str().unwrap());
    let caller = hall.bearer(started["token"].as_str().unwrap());
    let command = json!({ "type": "submit", "seq": SEQ.fetch_add(1, Ordering::Relaxed) });
    let answer = caller.post_json(&path, &json!({ "commands": [command] })).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    eventually("the session is stored", async || {
        let path = format!("/api/sessions/{}", started["sessionId"].as_str().unwrap());
        Some(hall.anonymous().get(&path).await.status).filter(|status| *status == 200)
    })
    .await;
}

/// The moment this many minutes from now by the hall's clock.
pub(super) fn at(hall: &Hall, minutes: i64) -> String {
    hall.clock.now().plus(minutes * 60_000).iso()
}

#[tokio::test]
async fn clients_that_say_nothing_see_what_they_saw() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    let new = ["access", "showAnswers", "practice", "questionsWithheld", "questionCounts"];
    let shown = hall.anonymous().get(&public_path(&template)).await.json();
    for document in [&template, &read(&admin, &template).await, &shown] {
        assert!(new.iter().all(|name| !names(document).contains(*name)), "{document}");
    }
    assert_eq!(shown["standardQuestions"], template["standardQuestions"], "with the keys");
    let changed = update(&admin, &template, json!({ "name": "Final" })).await.json();
    assert!(new.iter().all(|name| !names(&changed["template"]).contains(*name)), "{changed}");
    // Whoever has the link begins as often as they want, signed in or not.
    let (ada, _) = student(&hall, "ada@exam.test").await;
    let mut sessions = BTreeSet::new();
    for caller in [&hall.anonymous(), &ada, &ada] {
        let started = begun(caller, &template).await;
        assert_eq!(started["type"], "started");
        sessions.insert(started["sessionId"].as_str().unwrap().to_owned());
    }
    assert_eq!(sessions.len(), 3);
    // A code for nothing is nothing.
    let with_code = with(start(&template), json!({ "accessCode": "whatever" }));
    assert_eq!(hall.anonymous().post_json("/api/live", &with_code).await.status, 200);
}

#[tokio::test]
async fn what_is_not_sound_is_refused_by_name() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let there = class(&admin, "5A", &["ada@exam.test"]).await;
    let unknown = "00000000-0000-4000-8000-000000000000";
    for access in [
        json!({ "who": "anyone", "attempts": 1 }),
        json!({ "who": "classes", "classIds": [] }),
        json!({ "who": "classes", "classIds": [there, unknown] }),
        json!({ "who": "anyone", "code": "abc" }),
        json!({ "who": "anyone", "opensAt": at(&hall, 5), "closesAt": at(&hall, 5) }),
        json!({ "who": "signed-in", "tries": 1 }),
    ] {
        admin.post_json(super::PATH, &of_access(&access)).await.assert_error(400, "Invalid access");
        let template = create(&admin, standard()).await;
        update(&admin, &template, json!({ "access": access })).await.assert_error(400, "Invalid access");
    }
    let without_end = with(standard(), json!({ "showAnswers": "after-closing" }));
    admin.post_json(super::PATH, &without_end).await.assert_error(400, "Invalid showAnswers");
    let unsaid = with(standard(), json!({ "practice": "no" }));
    admin.post_json(super::PATH, &unsaid).await.assert_error(400, "Invalid practice");
    let access = json!({ "who": "classes", "classIds": [there], "attempts": 2, "opensAt": at(&hall, 5),
        "closesAt": at(&hall, 50), "code": "Apfel7" });
    let sound = with(of_access(&access), json!({ "showAnswers": "never", "practice": false }));
    let template = create(&admin, sound).await;
    for shown in [template.clone(), read(&admin, &template).await] {
        assert_eq!(
            (&shown["access"], &shown["showAnswers"], &shown["practice"]),
            (&access, &json!("never"), &json!(false))
        );
    }
    let cleared = update(&admin, &template, json!({ "access": null, "showAnswers": null, "practice": null })).await;
    assert!(!names(&cleared.json()["template"]).contains("access"), "{}", cleared.text());
}

#[tokio::test]
async fn a_start_is_refused_in_one_order() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let in_class = class(&admin, "5A", &["ada@exam.test"]).await;
    let (opens_at, closes_at) = (at(&hall, 10), at(&hall, 60));
    let access = json!({ "who": "classes", "classIds": [in_class], "attempts": 1, "opensAt": opens_at,
        "closesAt": closes_at, "code": "Apfel7" });
    let template = create(&admin, of_access(&access)).await;
    let (ada, _) = student(&hall, "ada@exam.test").await;
    let (bo, _) = student(&hall, "bo@exam.test").await;
    let coded = |code: &str| with(start(&template), json!({ "accessCode": code }));
    begin(&hall.anonymous(), &template).await.assert_fault(401, "Unauthorized", "sign_in_required");
    begin(&bo, &template).await.assert_fault(403, "Not for this account", "not_for_account");
    let early = ada.post_json("/api/live", &coded("apfel7")).await;
    assert_eq!(early.status, 403);
    assert_eq!(early.json(), json!({ "error": "Not open yet", "code": "not_open", "opensAt": opens_at }));
    hall.clock.advance(10 * MINUTE);
    begin(&ada, &template).await.assert_fault(403, "Code required", "code_required");
    ada.post_json("/api/live", &coded("birne")).await.assert_fault(403, "Wrong code", "wrong_code");
    let started = ada.post_json("/api/live", &coded("APFEL7")).await;
    assert_eq!(started.status, 200, "{}", started.text());
    hand_in(&hall, &started.json()).await;
    begin(&ada, &template).await.assert_fault(403, "Code required", "code_required");
    ada.post_json("/api/live", &coded("apfel7")).await.assert_fault(403, "No attempts left", "no_attempts_left");
    hall.clock.advance(50 * MINUTE);
    let late = ada.post_json("/api/live", &coded("apfel7")).await.json();
    assert_eq!(late, json!({ "error": "Closed", "code": "closed", "closesAt": closes_at }));
    begin(&bo, &template).await.assert_fault(403, "Not for this account", "not_for_account");
    // Staff of its grades may always try it, which counts nothing.
    for staff in [&admin, &hall.staff_of("reviewer", 5).await] {
        for _ in 0..2 {
            assert_eq!(begun(staff, &template).await["type"], "started");
        }
    }
}

#[tokio::test]
async fn a_socket_is_told_the_same() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let opens_at = at(&hall, 10);
    let access = json!({ "who": "signed-in", "attempts": 1, "opensAt": opens_at, "code": "Apfel7" });
    let template = create(&admin, of_access(&access)).await;
    let (_, token) = student(&hall, "ada@exam.test").await;
    let bearer = format!("Bearer {token}");
    let frame = |code: Option<&str>| with(start(&template), json!({ "type": "start", "accessCode": code }));
    let mut stranger = LiveSocket::connect(&hall.base(), &[]).await.unwrap();
    stranger.send(&frame(None)).await;
    assert_eq!(stranger.expect("error").await["code"], "sign_in_required");
    let mut socket = LiveSocket::connect(&hall.base(), &[("authorization", &bearer)]).await.unwrap();
    socket.send(&frame(None)).await;
    let early = socket.expect("error").await;
    assert_eq!((&early["code"], &early["opensAt"]), (&json!("not_open"), &json!(opens_at)));
    hall.clock.advance(10 * MINUTE);
    for (code, told) in [(None, "code_required"), (Some("birne"), "wrong_code")] {
        socket.send(&frame(code)).await;
        assert_eq!(socket.expect("error").await["code"], told);
    }
    socket.send(&frame(Some("apfel7"))).await;
    let started = socket.expect("started").await;
    // Another tab of the account goes on with it, without the code.
    let mut second = LiveSocket::connect(&hall.base(), &[("authorization", &bearer)]).await.unwrap();
    second.send(&frame(None)).await;
    let resumed = second.expect("resumed").await;
    assert_eq!(resumed["sessionId"], started["sessionId"]);
    assert_ne!(resumed["token"], started["token"]);
}

#[tokio::test]
async fn tabs_that_begin_at_once_begin_one_attempt() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, of_access(&json!({ "who": "signed-in", "attempts": 3 }))).await;
    let (_, token) = student(&hall, "ada@exam.test").await;
    for round in 1..=3 {
        let starts = (0..6).map(|tab| {
            let caller = hall.bearer(&token);
            let keyed = with(start(&template), json!({ "key": format!("round {round}, of tab {tab}") }));
            async move { caller.post_json("/api/live", &keyed).await }
        });
        let answers = join_all(starts).await;
        let sessions: BTreeSet<String> = answers
            .iter()
            .map(|answer| {
                assert_eq!(answer.status, 200, "{}", answer.text());
                answer.json()["sessionId"].as_str().unwrap().to_owned()
            })
            .collect();
        assert_eq!(sessions.len(), 1, "round {round}");
        let tokens: BTreeSet<String> =
            answers.iter().map(|answer| answer.json()["token"].as_str().unwrap().to_owned()).collect();
        assert_eq!(tokens.len(), 6, "each device has its own");
        hand_in(&hall, &answers[0].json()).await;
    }
    begin(&hall.bearer(&token), &template).await.assert_fault(403, "No attempts left", "no_attempts_left");
    let (bo, _) = student(&hall, "bo@exam.test").await;
    assert_eq!(begun(&bo, &template).await["type"], "started", "each account is counted for itself");
}

#[tokio::test]
async fn a_test_that_is_reopened_goes_on_and_counts_once() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let sound = json!({ "access": { "who": "signed-in", "attempts": 1 }, "showAnswers": "never" });
    let template = create(&admin, with(standard(), sound)).await;
    let (ada, _) = student(&hall, "ada@exam.test").await;
    let started = begun(&ada, &template).await;
    hand_in(&hall, &started).await;
    begin(&ada, &template).await.assert_fault(403, "No attempts left", "no_attempts_left");
    let session = started["sessionId"].as_str().unwrap();
    let order = json!({ "id": uuid::Uuid::new_v4(), "type": "reopen" });
    let orders = format!("/api/live/sessions/{session}/orders");
    let reopened = admin.post_json(&orders, &order).await;
    assert_eq!(reopened.status, 200, "no key was shown: {}", reopened.text());
    let again = begun(&ada, &template).await;
    assert_eq!((&again["type"], &again["sessionId"]), (&json!("resumed"), &started["sessionId"]));
    hand_in(&hall, &again).await;
    begin(&ada, &template).await.assert_fault(403, "No attempts left", "no_attempts_left");
    // Whoever gets another attempt begins another test.
    assert_eq!(update(&admin, &template, json!({ "access": { "who": "signed-in", "attempts": 2 } })).await.status, 200);
    assert_ne!(begun(&ada, &template).await["sessionId"], started["sessionId"]);
}

#[tokio::test]
async fn a_test_ends_when_its_template_closes() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let closes_at = at(&hall, 20);
    let template = create(&admin, of_access(&json!({ "who": "anyone", "closesAt": closes_at }))).await;
    let mut candidate = Candidate::start(&hall.base(), start(&template)).await;
    assert_eq!(time_of(&candidate.started["deadline"]), time_of(&json!(closes_at)), "45 minutes would be longer");
    hall.clock.advance(21 * MINUTE);
    for remaining in [600_000, 300_000] {
        assert_eq!(candidate.socket().expect("alert").await["remainingMs"], remaining);
    }
    let submitted = candidate.socket().expect("submitted").await;
    assert_eq!(submitted["reason"], "deadline");
    let late = begin(&hall.anonymous(), &template).await;
    assert_eq!((late.status, &late.json()["code"]), (403, &json!("closed")));
    let session = hall.stored_session(&candidate.session_id).await;
    assert!(Moment::parse(session["completedAt"].as_str().unwrap()).unwrap() <= Moment::parse(&closes_at).unwrap());
}

#[tokio::test]
async fn the_questions_are_for_those_who_sit_it() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let in_class = class(&admin, "5A", &["ada@exam.test"]).await;
    let access = json!({ "who": "classes", "classIds": [in_class], "attempts": 1, "code": "Apfel7" });
    let template = create(&admin, of_access(&access)).await;
    let other = create(&admin, of_access(&json!({ "who": "signed-in" }))).await;
    let path = public_path(&template);
    let (ada, _) = student(&hall, "ada@exam.test").await;
    let (bo, _) = student(&hall, "bo@exam.test").await;
    let list = lists(&template)["standard"].clone();
    let mut own = json!({ "who": "classes", "attempts": 1, "opensAt": null, "closesAt": null, "codeRequired": true });
    for (caller, account) in [
        (&hall.anonymous(), json!({})),
        (&bo, json!({ "forAccount": false })),
        (&ada, json!({ "forAccount": true, "attemptsLeft": 1 })),
    ] {
        let answer = caller.get(&path).await;
        let shown = answer.json();
        assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
        assert_eq!((&shown["questionsWithheld"], &shown["questionCounts"]), (&json!(true), &json!({ "standard": 10 })));
        assert_eq!(shown["access"], with(own.clone(), account), "{shown}");
        assert!(!answer.text().contains("Apfel7") && !answer.text().contains(in_class.as_str().unwrap()));
        assert!(list.iter().all(|id| !answer.text().contains(id.as_str())), "{}", answer.text());
    }
    let elsewhere = begun(&bo, &other).await;
    let started = ada.post_json("/api/live", &with(start(&template), json!({ "accessCode": "apfel7" }))).await.json();
    let with_token = |started: &Value, session: &Value| {
        let caller = hall.bearer(started["token"].as_str().unwrap());
        let path = format!("{path}?sessionId={}", session["sessionId"].as_str().unwrap());
        async move { caller.get(&path).await.json() }
    };
    let shown = with_token(&started, &started).await;
    assert_eq!(lists(&shown)["standard"], list);
    assert!(shown["standardQuestions"][0]["answer"].is_null(), "a class test shows no keys: {shown}");
    for (token, session) in [(&elsewhere, &elsewhere), (&elsewhere, &started), (&started, &elsewhere)] {
        let shown = with_token(token, session).await;
        assert_eq!((&shown["questionsWithheld"], &shown["standardQuestions"]), (&json!(true), &Value::Null), "{shown}");
    }
    own["attemptsLeft"] = json!(0);
    assert_eq!(ada.get(&path).await.json()["access"], with(own, json!({ "forAccount": true, "goesOn": true })));
    hand_in(&hall, &started).await;
    assert_eq!(with_token(&started, &started).await["questionsWithheld"], true, "it has ended");
    for staff in [&admin, &hall.staff_of("reviewer", 5).await] {
        assert_eq!(staff.get(&path).await.json()["standardQuestions"], template["standardQuestions"]);
    }
    let elsewhere = hall.staff_of("reviewer", 6).await.get(&path).await.json();
    assert_eq!((&elsewhere["questionsWithheld"], &elsewhere["access"]["forAccount"]), (&json!(true), &json!(false)));
}

#[tokio::test]
async fn guesses_at_a_code_slow_the_account_that_guesses_and_not_its_class() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, of_access(&json!({ "who": "signed-in", "code": "Apfel7" }))).await;
    let (ada, _) = student(&hall, "ada@exam.test").await;
    let (bo, _) = student(&hall, "bo@exam.test").await;
    let coded = |code: &str| with(start(&template), json!({ "accessCode": code }));
    let mut told = BTreeSet::new();
    // All begin as the code does.
    for number in 0..16 {
        let guess = coded(&format!("apf{number:03}"));
        let guessing = async { ada.post_json("/api/live", &guess).await.json() };
        let moving = async {
            loop {
                tokio::time::sleep(Duration::from_millis(20)).await;
                hall.clock.advance(MINUTE);
            }
        };
        let answer = tokio::select! { answer = guessing => answer, _ = moving => unreachable!() };
        told.insert(answer["code"].as_str().unwrap().to_owned());
    }
    assert_eq!(told, ["rate_limited", "wrong_code"].map(str::to_owned).into());
    // One more waits for the clock, which stands, and holds what turn there is.
    let guess = coded("apf999");
    let holding = ada.post_json("/api/live", &guess);
    let classmate = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        bo.post_json("/api/live", &coded("apfel7")).await
    };
    let begun = tokio::select! { begun = classmate => begun, _ = holding => unreachable!("it is slowed") };
    assert_eq!(begun.status, 200, "{}", begun.text());
}

#[tokio::test]
async fn the_record_says_which_rules_have_changed_and_no_code() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, of_access(&json!({ "who": "signed-in", "attempts": 1, "code": "Apfel7" }))).await;
    let detail = async || {
        let found = admin.get("/api/admin/audit?action=template.changed").await.json();
        found["entries"][0]["detail"].as_str().unwrap().to_owned()
    };
    let name = template["name"].as_str().unwrap();
    let opened = json!({ "access": { "who": "signed-in", "attempts": 3, "code": "Birne8" }, "practice": true });
    assert_eq!(update(&admin, &template, opened).await.status, 200);
    assert_eq!(detail().await, format!("{name}; code: changed; attempts: 1 → 3; practice: none → true"));
    let freed = json!({ "access": { "who": "anyone" }, "showAnswers": "never", "markScale": null });
    assert_eq!(update(&admin, &template, freed).await.status, 200);
    let told = "code: removed; who: signed-in → anyone; attempts: 3 → none; showAnswers: always → never; markScale: school → none";
    assert_eq!(detail().await, format!("{name}; {told}"));
    assert_eq!(update(&admin, &template, json!({ "name": "Final" })).await.status, 200);
    assert_eq!(detail().await, "Final");
}

#[tokio::test]
async fn a_class_is_not_removed_while_templates_are_for_it() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let in_class = class(&admin, "5A", &["ada@exam.test"]).await;
    let access = json!({ "who": "classes", "classIds": [in_class], "closesAt": at(&hall, 60) });
    create(&admin, with(of_access(&access), json!({ "name": "Fractions" }))).await;
    create(&admin, with(of_access(&access), json!({ "name": "Decimals" }))).await;
    let remove = async || {
        let path = format!("/api/admin/classes/{}", in_class.as_str().unwrap());
        Answer::to(admin.request(Method::DELETE, &path)).await
    };
    let refused = remove().await;
    let told = json!({ "error": "Templates are for this class", "templates": ["Decimals", "Fractions"] });
    assert_eq!((refused.status, refused.json()), (409, told));
    let (ada, _) = student(&hall, "ada@exam.test").await;
    let listed = admin.get("/api/admin/test-templates").await.json()["templates"].clone();
    assert_eq!(begun(&ada, &listed[0]).await["type"], "started");
    // What has closed is sat by nobody any more.
    hall.clock.advance(61 * MINUTE);
    assert_eq!(remove().await.status, 200);
}

#[tokio::test]
async fn a_test_whose_time_is_up_does_not_go_on() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, of_access(&json!({ "who": "signed-in", "attempts": 2 }))).await;
    let (ada, _) = student(&hall, "ada@exam.test").await;
    let first = begun(&ada, &template).await;
    // As if no server had been there to end it.
    let text = "UPDATE attempts SET deadline_ms = 0, hard_end_ms = NULL, ended_at_ms = NULL";
    hall.alter(text).await;
    let shown = ada.get(&public_path(&template)).await.json();
    assert!(shown["access"]["goesOn"].is_null(), "{shown}");
    let second = begun(&ada, &template).await;
    assert_eq!(second["type"], "started");
    assert_ne!(second["sessionId"], first["sessionId"]);
}

#[tokio::test]
async fn what_a_removed_template_has_said_of_its_tests_still_holds() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, with(standard(), json!({ "showAnswers": "never" }))).await;
    let started = begun(&hall.anonymous(), &template).await;
    hand_in(&hall, &started).await;
    assert_eq!(delete(&admin, &template).await.status, 200);
    let path = format!("/api/sessions/{}", started["sessionId"].as_str().unwrap());
    let stored = hall.anonymous().get(&path).await.json();
    assert!(stored["result"]["score"].is_number(), "{stored}");
    assert!(stored["result"]["answers"][0]["correct"].is_null(), "{stored}");
    assert!(admin.get(&path).await.json()["result"]["answers"][0]["correct"].is_string());
}
