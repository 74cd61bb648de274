//! Doors that open early for one, and close for those who have no time left.

use reqwest::Method;
use serde_json::{Value, json};

use super::entrant::knock;
use super::{School, id, path, send};
use crate::hall::{Answer, Proctor, time_of};

async fn enter(school: &School, sitting: &Value, email: &str) -> crate::hall::LiveSocket {
    // The first one to sign in becomes admin.
    school.hall.cookie("head@exam.test").await;
    let cookie = school.hall.cookie(email).await;
    knock(&school.hall.base(), &[("cookie", &cookie)], json!({ "sittingId": sitting["id"] })).await
}

#[tokio::test]
async fn who_starts_early_opens_no_doors_for_others() {
    let school = School::open().await;
    let sitting = school.sitting(24 * 60, json!({})).await;
    let people = json!([
        { "email": "ada@exam.test", "name": "Ada", "startsAt": school.at(20) }, { "email": "bo@exam.test", "name": "Bo" },
    ]);
    school.enrol(&sitting, people).await;
    enter(&school, &sitting, "ada@exam.test").await.expect("waiting").await;
    let refused = enter(&school, &sitting, "bo@exam.test").await.expect_error("not_open").await;
    assert_eq!(refused["doorsAt"], sitting["doorsAt"]);
    school.advance(24 * 60 - 29);
    enter(&school, &sitting, "bo@exam.test").await.expect("waiting").await;
    // Doors that have opened for all stay open, however late they are to open now.
    let di =
        school.admin.post_json(&format!("{}/candidates", path(&sitting)), &json!({ "email": "di@exam.test" })).await;
    assert_eq!(di.status, 200, "{}", di.text());
    assert_eq!(school.patch(&sitting, json!({ "doorsAt": school.at(20) })).await.status, 200);
    enter(&school, &sitting, "di@exam.test").await.expect("waiting").await;
}

/// Every change that opens doors which are due, with its path and its body.
fn changes(sitting: &Value, candidate: &Value) -> [(&'static str, Method, String, Value); 6] {
    let (at, of_candidate) = (path(sitting), super::candidate_path(sitting, candidate));
    [
        ("/api/admin/sittings/{id}", Method::PATCH, at.clone(), json!({ "name": "Another name" })),
        (
            "/api/admin/sittings/{id}/candidates",
            Method::PUT,
            format!("{at}/candidates"),
            json!([{ "email": "ada@exam.test" }]),
        ),
        (
            "/api/admin/sittings/{id}/candidates",
            Method::POST,
            format!("{at}/candidates"),
            json!({ "email": "bo@exam.test" }),
        ),
        (
            "/api/admin/sittings/{id}/candidates/{candidateId}",
            Method::PATCH,
            of_candidate.clone(),
            json!({ "seat": "14" }),
        ),
        ("/api/admin/sittings/{id}/candidates/{candidateId}", Method::DELETE, of_candidate, json!({})),
        ("/api/admin/sittings/{id}/begin", Method::POST, format!("{at}/begin"), json!({})),
    ]
}

#[tokio::test]
async fn doors_without_a_paper_stay_closed_as_the_document_says() {
    const REFUSAL: &str = "The template has a list without questions";
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let ada = school.candidate(&sitting, "Ada").await;
    let template = format!("/api/admin/test-templates/{}", school.template);
    let bands = ["90-100", "80-90", "70-80", "60-70", "below-60"];
    let second: serde_json::Map<String, Value> =
        bands.map(|band| (band.to_owned(), json!({ "3": 1 }))).into_iter().collect();
    // The lists of another mode are empty until they are drawn.
    let adaptive = json!({ "mode": "adaptive", "session1Targets": { "1": 1 }, "session2TargetsByBand": second });
    let changed = send(&school.admin, Method::PUT, &template, &adaptive).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    school.advance(31);
    let document = school.hall.anonymous().get("/api/openapi.json").await.json();
    for (route, method, path, body) in changes(&sitting, &ada) {
        send(&school.admin, method.clone(), &path, &body).await.assert_error(409, REFUSAL);
        let described = &document["paths"][route][method.as_str().to_lowercase()]["responses"]["409"]["description"];
        assert!(described.as_str().is_some_and(|text| text.contains(REFUSAL)), "{method} {route}: {described}");
    }
    let draw = school.admin.request(Method::POST, &format!("{template}/generate?force=true"));
    assert_eq!(Answer::to(draw).await.status, 200);
    for (route, method, path, body) in changes(&sitting, &ada) {
        let answer = send(&school.admin, method.clone(), &path, &body).await;
        assert_eq!(answer.status, 200, "{method} {route}: {}", answer.text());
    }
}

#[tokio::test]
async fn nobody_is_let_in_to_hand_in_at_once() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    let people =
        json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo", "factor": 200 }]);
    school.enrol(&sitting, people).await;
    school.advance(51);
    enter(&school, &sitting, "ada@exam.test").await.expect_error("entry_closed").await;
    let ada = school.candidate(&sitting, "Ada").await;
    let room = json!({ "sittingId": sitting["id"] });
    let mut proctor = Proctor::watching(&school.hall.base(), &school.hall.token("admin").await, &room).await;
    let refused = proctor.command(json!({ "type": "admit", "candidateId": ada["id"] })).await;
    assert_eq!(
        (&refused["code"], &refused["error"]),
        (&json!("sitting_ended"), &json!("The candidate has no time left"))
    );
    assert_eq!(proctor.done(json!({ "type": "admit", "candidateId": "*" })).await, 1, "Bo, who has time");
    // With time of her own she can be let in.
    let more = json!({ "extraMinutes": 30 });
    send(&school.admin, Method::PATCH, &super::candidate_path(&sitting, &ada), &more).await;
    assert_eq!(proctor.done(json!({ "type": "admit", "candidateId": ada["id"] })).await, 1);
    let mut socket = enter(&school, &sitting, "ada@exam.test").await;
    socket.expect("waiting").await;
    let begun = socket.expect("begin").await;
    let time = socket.until("time").await;
    assert_eq!((time_of(&time["deadline"]) - time_of(&begun["startedAt"])).num_minutes(), 75);
}

#[tokio::test]
async fn marks_change_nothing_for_those_who_wait_or_plan() {
    let school = School::open().await;
    let sitting = school.sitting(20, json!({})).await;
    school
        .enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }, { "externalId": "7", "name": "Bo" }]))
        .await;
    let mut ada = enter(&school, &sitting, "ada@exam.test").await;
    ada.expect("waiting").await;
    let version = school.read(&sitting).await["version"].clone();
    let beside = school.hall.beside().await;
    let room = json!({ "sittingId": sitting["id"] });
    let mut proctor = Proctor::watching(&school.hall.base(), &school.hall.token("admin").await, &room).await;
    let mut other = Proctor::watching(&beside.base(), &beside.token("admin").await, &room).await;
    let bo = school.candidate(&sitting, "Bo").await["id"].as_str().unwrap().to_owned();
    assert_eq!(proctor.done(json!({ "type": "present", "candidateId": bo })).await, 1);
    let is_marked = |proctor: &Proctor| proctor.rows.get(&bo).is_some_and(|row| row["attendance"] == "present");
    proctor.until("the mark", is_marked).await;
    other.until("the mark on another server", is_marked).await;
    let incident = json!({ "type": "incident", "candidateId": bo, "kind": "device", "text": "A telephone" });
    assert_eq!(proctor.done(incident).await, 1);
    assert_eq!(school.read(&sitting).await["version"], version);
    let tag = format!("\"{version}\"");
    let request = school.admin.request(Method::PATCH, &path(&sitting)).header("if-match", tag);
    assert_eq!(Answer::to(request.json(&json!({ "name": "Finals A" }))).await.status, 200);
    ada.expect("waiting").await;
    ada.expect_silence(std::time::Duration::from_millis(300)).await;
}

#[tokio::test]
async fn doors_that_open_at_that_moment_concern_a_change_of_the_register() {
    let school = School::open().await;
    let sitting = school.sitting(20, json!({})).await;
    let accommodation = "/api/admin/accommodations/ada%40exam.test";
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    // They are being opened, with copies of a register without her.
    let held = school.hold(&sitting).await;
    let opening = "UPDATE sittings SET opened_at_ms = 1 WHERE id = $1";
    school.within(&held, opening, vec![id(&sitting).into()]).await;
    let (at, more) = (format!("{accommodation}?apply=all"), json!({ "factor": 150 }));
    let (answer, ()) = tokio::join!(send(&school.admin, Method::PUT, &at, &more), async {
        tokio::time::sleep(std::time::Duration::from_millis(700)).await;
        held.commit().await.unwrap();
    });
    assert_eq!(answer.status, 200, "{}", answer.text());
    let concerns = answer.json()["concerns"].clone();
    assert_eq!((&concerns[0]["name"], &concerns[0]["applied"]), (&json!("Ada"), &json!(true)), "{concerns}");
    assert_eq!(school.candidate(&sitting, "Ada").await["factor"], 150);
}
