//! Live tests that are started from a template, by socket and by HTTPS.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::{PATH, adaptive, banks, create, delete, generate, lists, standard, started_ids, update, with};
use crate::hall::{Bank, Candidate, Hall, answer, assert_result, time_of};

const MINUTE: Duration = Duration::from_secs(60);

/// Points of the first list, which has 15, and the band that they are in.
const POINTS: [(u64, &str); 7] =
    [(15, "90-100"), (14, "90-100"), (13, "80-90"), (12, "80-90"), (11, "70-80"), (9, "60-70"), (8, "below-60")];

fn start(template: &Value) -> Value {
    json!({ "templateId": template["id"], "annotations": {} })
}

/// Answers some questions rightly and all others of the stage wrongly, by whichever road the candidate has.
async fn answer_all(
    candidate: &mut Candidate,
    bank: &Bank,
    right: &[String],
    by_https: bool,
) -> BTreeMap<String, String> {
    let mut choices = BTreeMap::new();
    for id in candidate.paper.clone() {
        let choice = if right.contains(&id) { bank.key(&id) } else { bank.wrong(&id) };
        if by_https {
            let seq = candidate.act(answer(&id, choice));
            candidate.post(&[seq]).await;
        } else {
            candidate.send(answer(&id, choice)).await;
        }
        choices.insert(id, choice.to_owned());
    }
    if !by_https {
        candidate.settle().await;
    }
    choices
}

/// The answer to a command that ends something, by HTTPS.
async fn end_by_https(candidate: &mut Candidate, kind: &str) -> Value {
    let seq = candidate.act(json!({ "type": kind }));
    candidate.post(&[seq]).await["replies"][0].clone()
}

#[tokio::test]
async fn a_standard_template_gives_its_list_in_its_order() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, banks(&hall, &[7, 3]).await);
    let template = create(&admin, with(standard(), json!({ "grades": [7, 3], "durationMinutes": 95 }))).await;
    let list = lists(&template)["standard"].clone();
    let noise = json!({ "grade": 99, "mode": "weird", "durationMinutes": 3, "questionCount": "x", "questionIds": 7 });
    let asked = with(with(start(&template), noise), json!({ "annotations": { "studentId": "s-17" } }));
    for by_https in [false, true] {
        let mut candidate = if by_https {
            Candidate::start_by_https(&hall.base(), &asked).await
        } else {
            hall.sit(asked.clone()).await
        };
        let started = candidate.started.clone();
        assert_eq!(started_ids(&started), list, "every student the same");
        let expected = json!({ "grade": 7, "mode": "standard", "stage": 1, "stages": 1, "durationMinutes": 95 });
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&started[name], value, "{name}");
        }
        assert_eq!((time_of(&started["deadline"]) - time_of(&started["startedAt"])).num_minutes(), 95);
        let choices = answer_all(&mut candidate, &bank, &list[..4], by_https).await;
        let submitted = if by_https { end_by_https(&mut candidate, "submit").await } else { candidate.submit().await };
        assert_result(&submitted["result"], &bank, &list, &choices);
        let session = hall.stored_session(&candidate.session_id).await;
        assert_eq!(
            (&session["result"], &session["grade"], &session["verified"]),
            (&submitted["result"], &json!(7), &json!(true))
        );
        assert_eq!(session["annotations"], json!({ "studentId": "s-17" }));
    }
}

#[tokio::test]
async fn an_adaptive_template_gives_the_list_of_the_band() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(8).await);
    let template = create(&admin, adaptive()).await;
    let lists = lists(&template);
    for (number, (points, band)) in POINTS.into_iter().enumerate() {
        let by_https = number % 2 == 1;
        let mut candidate = if by_https {
            Candidate::start_by_https(&hall.base(), &start(&template)).await
        } else {
            hall.sit(start(&template)).await
        };
        assert_eq!(candidate.paper, lists["session1"]);
        assert_eq!((&candidate.started["stages"], &candidate.started["durationMinutes"]), (&json!(2), &json!(50)));
        let right = bank.worth(&candidate.paper, points);
        let mut choices = answer_all(&mut candidate, &bank, &right, by_https).await;
        let stage = if by_https { end_by_https(&mut candidate, "next").await } else { candidate.next().await };
        assert_eq!((&stage["band"], &stage["stage"]), (&json!(band), &json!(2)), "{points} points");
        assert_eq!(started_ids(&stage), lists[band], "{points} points");
        assert_eq!(candidate.state().await["deadline"], candidate.started["deadline"], "one time for both stages");
        candidate.paper = started_ids(&stage);
        choices.extend(answer_all(&mut candidate, &bank, &lists[band][1..], by_https).await);
        let submitted = if by_https { end_by_https(&mut candidate, "submit").await } else { candidate.submit().await };
        let whole = [lists["session1"].clone(), lists[band].clone()].concat();
        assert_result(&submitted["result"], &bank, &whole, &choices);
    }
}

#[tokio::test]
async fn handing_in_early_counts_the_list_of_the_band() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(8).await);
    let template = create(&admin, adaptive()).await;
    let lists = lists(&template);
    let mut candidate = hall.sit(start(&template)).await;
    let choices = answer_all(&mut candidate, &bank, &lists["session1"], false).await;
    let submitted = candidate.submit().await;
    assert_result(
        &submitted["result"],
        &bank,
        &[lists["session1"].clone(), lists["90-100"].clone()].concat(),
        &choices,
    );
    // The same for one whose time is up.
    let late = hall.sit(start(&template)).await;
    hall.clock.advance(51 * MINUTE);
    let session = hall.stored_session(&late.session_id).await;
    assert_result(
        &session["result"],
        &bank,
        &[lists["session1"].clone(), lists["below-60"].clone()].concat(),
        &BTreeMap::new(),
    );
}

#[tokio::test]
async fn the_gate_is_for_tests_without_a_template() {
    let hall = Hall::with(&[("TEST_GATE", "sign-in")]).await;
    let template = create(&hall.signed_in("admin").await, standard()).await;
    hall.anonymous().post_json("/api/live", &json!({ "grade": 5 })).await.assert_fault(
        401,
        "Unauthorized",
        "sign_in_required",
    );
    let mut candidate = hall.sit(start(&template)).await;
    candidate.submit().await;
    Candidate::start_by_https(&hall.base(), &start(&template)).await;
    // An unknown one is unknown to whoever asks.
    let unknown = json!({ "templateId": uuid::Uuid::new_v4() });
    hall.anonymous().post_json("/api/live", &unknown).await.assert_fault(404, "Not found", "template_not_found");
}

#[tokio::test]
async fn what_is_no_template_starts_nothing() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    delete(&admin, &template).await;
    for template_id in [template["id"].clone(), json!(uuid::Uuid::new_v4()), json!("nothing"), json!("")] {
        let asked = json!({ "templateId": template_id, "grade": 5 });
        hall.anonymous().post_json("/api/live", &asked).await.assert_fault(404, "Not found", "template_not_found");
        let mut socket = hall.socket().await;
        socket.send(&with(asked, json!({ "type": "start" }))).await;
        socket.expect_error("template_not_found").await;
        socket.expect_close(4404).await;
    }
    for template_id in [json!(7), json!([]), json!({}), json!(true)] {
        hall.anonymous()
            .post_json("/api/live", &json!({ "templateId": template_id, "grade": 5 }))
            .await
            .assert_some_error(400);
    }
}

#[tokio::test]
async fn a_template_without_questions_is_no_test() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    assert_eq!(update(&admin, &template, adaptive()).await.status, 200);
    let refused = async || {
        hall.anonymous().post_json("/api/live", &start(&template)).await.assert_some_error(400);
        let mut socket = hall.socket().await;
        socket.send(&with(start(&template), json!({ "type": "start" }))).await;
        socket.expect_error("invalid_test").await;
    };
    refused().await;
    generate(&admin, &template).await;
    hall.sit(start(&template)).await;
    // A band that would find its list empty.
    let bank = hall.bank(8).await;
    let hard = bank.mix(&bank.ids())[4];
    let answer = admin.post_json(PATH, &with(adaptive(), json!({ "session1Targets": { "5": hard } }))).await.json();
    assert_eq!(answer["shortfalls"]["session2"]["90-100"], json!({ "5": 4 }));
    let short = answer["template"].clone();
    hall.anonymous().post_json("/api/live", &start(&short)).await.assert_some_error(400);
}

#[tokio::test]
async fn a_start_with_a_key_is_one_test() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, adaptive()).await;
    let asked = with(start(&template), json!({ "key": uuid::Uuid::new_v4().to_string() }));
    let first = Candidate::start_by_https(&hall.base(), &asked).await;
    generate(&admin, &template).await;
    delete(&admin, &template).await;
    let again = Candidate::start_by_https(&hall.base(), &asked).await;
    assert_eq!((&again.session_id, &again.token, &again.paper), (&first.session_id, &first.token, &first.paper));
}

#[tokio::test]
async fn a_long_template_is_alerted_twice_and_a_short_one_once() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let (long, short) =
        (with(adaptive(), json!({ "durationMinutes": 31 })), with(adaptive(), json!({ "durationMinutes": 30 })));
    let (long, short) = (create(&admin, long).await, create(&admin, short).await);
    let mut candidates = [hall.sit(start(&long)).await, hall.sit(start(&short)).await];
    hall.clock.advance(21 * MINUTE);
    assert_eq!(candidates[0].socket().until("alert").await["remainingMs"], 600_000);
    hall.clock.advance(5 * MINUTE);
    for candidate in &mut candidates {
        assert_eq!(candidate.socket().until("alert").await["remainingMs"], 300_000);
    }
}
