//! Roads of an embargo that are stories of their own: practice that goes on, adaptive tests, and shared papers.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::json;

use super::{School, path, send};
use crate::hall::{Answer, Caller, Candidate, eventually};

/// An adaptive template of grade 5.
pub async fn adaptive(school: &School) -> String {
    let of_bands = json!({
        "90-100": { "5": 4 },
        "80-90": { "4": 1, "5": 3 },
        "70-80": { "3": 2, "4": 2 },
        "60-70": { "2": 2, "3": 2 },
        "below-60": { "1": 3, "2": 1 },
    });
    let config = json!({
        "name": "Placement", "grades": [5], "mode": "adaptive", "durationMinutes": 50,
        "session1Targets": { "1": 1, "2": 1, "3": 1, "4": 1, "5": 1 }, "session2TargetsByBand": of_bands,
    });
    let answer = school.admin.post_json("/api/admin/test-templates", &config).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["template"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn practice_that_goes_on_opens_no_other_paper() {
    let school = School::open().await;
    let practising = school.hall.sit(json!({ "templateId": school.template, "annotations": {} })).await;
    let at = format!("/api/test-templates/{}", school.template);
    let with_token = format!("{at}?sessionId={}", practising.session_id);
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    school.advance(31);
    assert_eq!(practising.caller().get(&with_token).await.status, 200, "its own questions");
    school.hall.anonymous().get(&at).await.assert_error(403, "The exam has not opened yet");
    let redraw = format!("/api/admin/test-templates/{}/generate?force=true", school.template);
    let redrawn = Answer::to(school.admin.request(Method::POST, &redraw)).await;
    assert_eq!(redrawn.status, 200, "{}", redrawn.text());
    practising.caller().get(&with_token).await.assert_error(403, "The exam has not opened yet");
}

#[tokio::test]
async fn practice_in_a_form_with_questions_of_its_own_goes_on() {
    let school = School::open().await;
    let managed = format!("/api/admin/test-templates/{}", school.template);
    let forms = json!({ "forms": 3, "parallelForms": true });
    assert_eq!(send(&school.admin, Method::PUT, &managed, &forms).await.status, 200);
    let mut practising = BTreeMap::new();
    // That a form does not come happens once in a million times.
    for _ in 0..40 {
        let start = json!({ "templateId": school.template, "annotations": {} });
        let begun = Candidate::start_by_https(&school.hall.base(), &start).await;
        practising.insert(begun.started["form"].as_str().unwrap().to_owned(), begun);
    }
    assert_eq!(practising.keys().collect::<Vec<_>>(), ["A", "B", "C"]);
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    school.advance(31);
    let at = format!("/api/test-templates/{}", school.template);
    school.hall.anonymous().get(&at).await.assert_error(403, "The exam has not opened yet");
    let with_token = |begun: &Candidate| format!("{at}?sessionId={}", begun.session_id);
    for (form, begun) in &practising {
        let answer = begun.caller().get(&with_token(begun)).await;
        assert_eq!(answer.status, 200, "{form}: {}", answer.text());
        let read = answer.json();
        let ids = read["standardQuestions"].as_array().unwrap().iter().map(|question| &question["id"]);
        assert_eq!(json!(ids.collect::<Vec<_>>()), json!(begun.paper), "{form}: its own questions");
        assert!(read.get("formQuestions").is_none(), "{form}: those of others are withheld");
    }
    let redrawn = Answer::to(school.admin.request(Method::POST, &format!("{managed}/generate?force=true"))).await;
    assert_eq!(redrawn.status, 200, "{}", redrawn.text());
    for begun in practising.values() {
        begun.caller().get(&with_token(begun)).await.assert_error(403, "The exam has not opened yet");
    }
}

#[tokio::test]
async fn a_proctor_without_a_role_learns_no_band() {
    let school = School::open().await;
    let template = adaptive(&school).await;
    let rooms = json!([{ "name": "B12", "proctors": ["student@exam.test"] }]);
    let sitting = school.sitting(60, json!({ "templateId": template, "rooms": rooms })).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada", "room": "B12" }])).await;
    school.advance(31);
    let ada = school.candidate(&sitting, "Ada").await;
    let mut student = school.enter(&sitting, &ada).await;
    let sealed = student.started["sealed"].clone();
    assert_eq!(sealed.as_array().unwrap().len(), 6, "one part for each band");
    school.advance(30);
    let begun = student.begin().await;
    assert_eq!(begun["keys"].as_object().unwrap().len(), 1, "no band's key: {begun}");
    let stage = student.next().await;
    let band = stage["keys"].as_object().unwrap().keys().next().unwrap().clone();
    let proctor = school.hall.signed_in("student").await;
    let candidate = ada["id"].as_str().unwrap();
    for road in [format!("sessions/{}", student.session_id), format!("candidates/{candidate}")] {
        let told = eventually("the stage on the record", async || {
            let given = proctor.get(&format!("/api/live/{road}/events")).await;
            assert_eq!(given.status, 200, "{}", given.text());
            given.text().contains("\"stage\"").then(|| given.text())
        });
        let told = told.await;
        assert!(!told.contains(&band), "{road}: {told}");
    }
    student.submit().await;
    let row = proctor.get(&format!("/api/live/candidates/{candidate}/events")).await.text();
    assert!(!row.contains(&band) && !row.contains("score"), "{row}");
    let own = student.state().await;
    assert!(own["held"] == true && own.get("result").is_none(), "{own}");
}

#[tokio::test]
async fn a_paper_of_two_sittings_waits_for_both() {
    let school = School::open().await;
    let anyone = school.hall.anonymous();
    let at = format!("/api/test-templates/{}", school.template);
    let template = school.admin.get(&format!("/api/admin/test-templates/{}", school.template)).await.json();
    let question = template["template"]["standardQuestions"][0]["id"].to_string();
    let shows = async |caller: &Caller| caller.get("/api/questions?grade=5").await.text().contains(&question);
    let first = school.sitting(10, json!({ "name": "First" })).await;
    let second = school.sitting(70, json!({ "name": "Second", "doorsAt": school.at(12) })).await;
    for sitting in [&first, &second] {
        let roster = json!([{ "email": "ada@exam.test", "name": "Ada" }]);
        school.enrol(sitting, roster).await;
    }
    let mut student = school.enter_all(&first).await.remove(0);
    school.advance(14);
    student.begin().await;
    student.submit().await;
    school.release(&first).await.assert_error(409, "Another sitting needs the paper");
    assert_eq!(school.release_before_all_have_come(&first).await.status, 200);
    assert!(!shows(&anyone).await, "the second has open doors");
    anyone.get(&at).await.assert_error(403, "The exam has not opened yet");
    let own = format!("/api/report/{}/questions", student.session_id);
    let told = anyone.get(&own).await;
    assert!(told.status == 403 || !told.text().contains(&question), "{}", told.text());
    let practice = json!({ "templateId": school.template, "annotations": {} });
    assert_eq!(anyone.post_json("/api/live", &practice).await.status, 403);
    let begun = send(&school.admin, Method::POST, &format!("{}/begin", path(&second)), &json!({})).await;
    assert_eq!(begun.status, 200, "{}", begun.text());
    school.advance(60);
    assert_eq!(school.release(&second).await.status, 200);
    assert!(shows(&anyone).await);
    assert_eq!(anyone.get(&at).await.status, 200);
}
