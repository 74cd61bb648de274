//! Marks: where a scale comes from, and that a mark is told where the score is, and nowhere before.

use domain::session::VersionReason;
use reqwest::Method;
use serde_json::{Value, json};

use super::{School, path, send};
use crate::hall::{Answer, Candidate, Receiver, answer};

fn scale(best: i64, pass: i64) -> Value {
    let (basis, rounding) = ("percent", "nearest");
    json!({
        "type": "numbers", "basis": basis, "worst": 0, "best": best, "step": 0.5, "rounding": rounding, "pass": pass,
    })
}

fn letters() -> Value {
    let labels = json!([{ "label": "Zebra", "from": 50 }, { "label": "Okapi", "from": 0 }]);
    json!({ "type": "labels", "basis": "points", "labels": labels, "pass": "Zebra" })
}

async fn set_school(school: &School, scale: Value) -> Answer {
    let request = school.admin.request(Method::PATCH, "/api/admin/school");
    Answer::to(request.json(&json!({ "markScale": scale }))).await
}

async fn set_template(school: &School, scale: Value) -> Answer {
    let path = format!("/api/admin/test-templates/{}", school.template);
    send(&school.admin, Method::PUT, &path, &json!({ "markScale": scale })).await
}

/// A student alone in a sitting, who has handed in ten questions without an answer.
async fn handed_in(school: &School, sitting: &Value) -> Candidate {
    school.enrol(sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let mut student = school.enter_all(sitting).await.remove(0);
    school.advance(6);
    student.begin().await;
    student.submit().await;
    student
}

#[tokio::test]
async fn a_sitting_has_a_copy_of_its_own_of_the_template_s_or_of_the_school_s_scale() {
    let school = School::open().await;
    let (ten, twenty) = (scale(10, 5), scale(20, 10));
    assert_eq!(school.sitting(60, json!({})).await["markScale"], Value::Null, "nobody has one");
    let set = set_school(&school, ten.clone()).await;
    assert_eq!((set.status, &set.json()["markScale"]), (200, &ten), "{}", set.text());
    assert!(school.hall.anonymous().get("/api/school").await.json().get("markScale").is_none());
    let of_school = school.sitting(60, json!({})).await;
    assert_eq!(of_school["markScale"], ten);
    assert_eq!(school.sitting(60, json!({ "markScale": null })).await["markScale"], Value::Null);
    assert_eq!(school.sitting(60, json!({ "markScale": letters() })).await["markScale"], letters());
    let template = set_template(&school, twenty.clone()).await;
    assert_eq!((template.status, &template.json()["template"]["markScale"]), (200, &twenty), "{}", template.text());
    let of_template = school.sitting(60, json!({})).await;
    assert_eq!(of_template["markScale"], twenty);
    assert_eq!(set_template(&school, Value::Null).await.json()["template"]["markScale"], Value::Null);
    assert_eq!(school.sitting(60, json!({})).await["markScale"], Value::Null);
    let again = set_template(&school, json!("school")).await;
    assert!(again.json()["template"].get("markScale").is_none(), "as the school has it");
    // Copies do not follow what they were taken from.
    assert_eq!(set_school(&school, Value::Null).await.json()["markScale"], Value::Null);
    assert_eq!(school.read(&of_school).await["markScale"], ten);
    assert_eq!(school.read(&of_template).await["markScale"], twenty);
    let repeated = Answer::to(school.admin.request(Method::POST, &format!("{}/again", path(&of_school)))).await;
    assert_eq!((repeated.status, &repeated.json()["sitting"]["markScale"]), (200, &ten), "{}", repeated.text());
}

#[tokio::test]
async fn what_is_no_scale_is_refused_by_name() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let mut wrong = scale(10, 5);
    wrong["step"] = json!(0.3);
    let invalid = "Invalid markScale";
    for wrong in [wrong, json!({}), json!("letters"), json!(5)] {
        set_school(&school, wrong.clone()).await.assert_error(400, invalid);
        set_template(&school, wrong.clone()).await.assert_error(400, invalid);
        school.patch(&sitting, json!({ "markScale": wrong })).await.assert_error(400, invalid);
        let body = json!({
            "name": "Finals", "templateId": school.template, "startsAt": school.at(60), "markScale": wrong,
        });
        school.admin.post_json(super::PATH, &body).await.assert_error(400, invalid);
    }
    // A word for templates alone.
    school.patch(&sitting, json!({ "markScale": "school" })).await.assert_error(400, invalid);
    assert_eq!(school.read(&sitting).await["markScale"], Value::Null);
}

#[tokio::test]
async fn a_mark_is_told_with_the_score_and_withheld_with_it() {
    let receiver = Receiver::open().await;
    let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let plan = json!({ "markScale": letters(), "webhookUrl": receiver.url() });
    let sitting = school.sitting(5, plan).await;
    let student = handed_in(&school, &sitting).await;
    let session = format!("/api/sessions/{}", student.session_id);
    let told = |answer: &Answer| answer.text().contains("Okapi");
    let held = receiver.wait_for(1).await;
    assert!(held[0].json()["result"].is_null() && held[0].json().get("mark").is_none(), "{}", held[0].json());
    let roads = [session.clone(), format!("{session}?payload=1")];
    for road in &roads {
        let answer = student.caller().get(road).await;
        assert!(!told(&answer), "{road}: {}", answer.text());
    }
    let rows = school.admin.get(&format!("/api/live/sessions?sittingId={}", sitting["id"].as_str().unwrap())).await;
    assert_eq!(rows.status, 200);
    assert!(!told(&rows), "{}", rows.text());
    let mark = json!({ "text": "Okapi", "passed": false });
    let early = school.admin.get(&session).await.json();
    assert_eq!((&early["mark"], &early["result"]["score"]), (&mark, &json!(200)), "staff of the grade see both");
    assert_eq!(early["exam"], sitting["name"], "as on the report");
    // Figures of keys tell nobody's score, and so no marks.
    let query = format!("sittingId={}", sitting["id"].as_str().unwrap());
    let figures = school.admin.get(&format!("/api/manager/results/figures?{query}")).await;
    assert_eq!(figures.status, 200);
    assert!(!told(&figures), "{}", figures.text());

    assert_eq!(school.release(&sitting).await.status, 200);
    let calls = receiver.wait_for(2).await;
    assert_eq!((&calls[1].json()["event"], &calls[1].json()["mark"]), (&json!("result.released"), &mark));
    for road in &roads {
        assert_eq!(student.caller().get(road).await.json()["mark"], mark, "{road}");
    }
    let results = school.admin.get(&format!("/api/manager/results?{query}")).await.json();
    assert_eq!((&results["markScale"], &results["rows"][0]["mark"]), (&letters(), &mark));
    assert_eq!(results["marks"], json!([{ "text": "Okapi", "passed": false, "count": 1 }]));
    let rows = school.admin.get(&format!("{}/results", path(&sitting))).await.json();
    assert_eq!(rows["rows"][0]["mark"], mark);
    for (table, columns) in [
        (format!("{}/results.csv", path(&sitting)), "score,mark,passed,right"),
        (format!("/api/manager/results.csv?{query}"), "score,mark,passed,right"),
        ("/api/admin/results".to_owned(), "score,mark,passed,correctAnswers"),
    ] {
        let text = school.admin.get(&table).await.text();
        assert!(text.contains(columns) && text.contains("200,Okapi,no,0,"), "{table}: {text}");
    }
}

#[tokio::test]
async fn a_scale_that_changes_marks_everyone_anew_and_stands_on_the_record() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({ "results": "now" })).await;
    let student = handed_in(&school, &sitting).await;
    let session = format!("/api/sessions/{}", student.session_id);
    let mark = async |caller: &crate::hall::Caller| caller.get(&session).await.json().get("mark").cloned();
    assert_eq!(mark(&student.caller()).await, None);
    let pdf = format!("/api/report/{}/pdf", student.session_id);
    let table = format!("{}/results.csv", path(&sitting));
    assert!(!school.admin.get(&table).await.text().contains("mark"), "no column without a scale");
    school.hall.change_result(&student.session_id, VersionReason::LateWork, |result| result.correct_answers = 8).await;
    let mut reports = Vec::new();
    for (scale, text, passed) in [(scale(10, 5), "8.0", true), (scale(20, 17), "16.0", false)] {
        let changed = school.patch(&sitting, json!({ "markScale": scale })).await;
        assert_eq!((changed.status, &changed.json()["sitting"]["markScale"]), (200, &scale), "{}", changed.text());
        assert_eq!(mark(&student.caller()).await, Some(json!({ "text": text, "passed": passed })));
        let report = student.caller().get(&pdf).await;
        assert_eq!(report.status, 200);
        reports.push(report.body);
    }
    assert_ne!(reports[0], reports[1], "a report of a moment ago is not given out with the old mark");
    let read = student.caller().get(&session).await.json();
    assert_eq!((&read["version"], &read["previous"]["mark"]["text"]), (&json!(2), &json!("0.0")), "{read}");
    let versions = school.admin.get(&format!("{session}/versions")).await.json();
    let marks: Vec<&Value> = versions["versions"].as_array().unwrap().iter().map(|one| &one["mark"]["text"]).collect();
    assert_eq!(marks, ["0.0", "16.0"]);
    let earlier = school.admin.get(&format!("{session}?version=1")).await.json();
    assert_eq!(earlier["mark"], json!({ "text": "0.0", "passed": false }));
    let candidate = school.candidate(&sitting, "Ada").await;
    let events = format!("/api/live/candidates/{}/events", candidate["id"].as_str().unwrap());
    let record = school.admin.get(&events).await.text();
    let from = "0 to 10 by percent in steps of 0.5, nearest, pass 5";
    let to = "0 to 20 by percent in steps of 0.5, nearest, pass 17";
    assert!(record.contains(&format!("markScale none to {from}")), "{record}");
    assert!(record.contains(&format!("markScale {from} to {to}")), "{record}");
    assert_eq!(school.patch(&sitting, json!({ "markScale": null })).await.status, 200);
    assert_eq!(mark(&school.admin).await, None);
}

#[tokio::test]
async fn a_test_outside_a_sitting_keeps_the_scale_of_its_start() {
    let school = School::open().await;
    assert_eq!(set_school(&school, scale(10, 5)).await.status, 200);
    let bank = school.hall.bank(5).await;
    let mut student = school.hall.sit(json!({ "templateId": school.template, "annotations": {} })).await;
    assert_eq!(set_school(&school, scale(20, 10)).await.status, 200);
    let right = student.paper[..4].to_vec();
    for id in &right {
        student.send(answer(id, bank.key(id))).await;
    }
    student.settle().await;
    student.submit().await;
    let session = school.hall.stored_session(&student.session_id).await;
    assert_eq!(session["mark"], json!({ "text": "4.0", "passed": false }), "{session}");
    assert_eq!(session["exam"], "Final paper", "the template that it was practised with");
    let query = format!("/api/manager/results?templateId={}", school.template);
    let results = school.admin.get(&query).await.json();
    assert_eq!((&results["markScale"], &results["marks"]), (&Value::Null, &json!([])));
    assert_eq!(results["rows"][0]["mark"]["text"], "4.0");
    let table = school.admin.get("/api/admin/results").await.text();
    assert!(table.contains(",4,no,"), "{table}");
    // Practice has no mark.
    let mut practice = school.hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    practice.submit().await;
    let session = school.hall.stored_session(&practice.session_id).await;
    assert!(session.get("exam").is_none(), "{session}");
    assert!(session.get("mark").is_none() && session["result"]["score"] == 200, "{session}");
}
