//! Learners: who they are here, and how they get into their exam.

use std::time::Duration;

use domain::grade::Grade;
use domain::lti::link::TEST_STUDENT;
use examhall::database::Database;
use examhall::store::{graded, measurements};
use serde_json::{Value, json};

use super::{Campus, assert_refused, both, custom, exam_of};
use crate::hall::launch_platform::LTI;

const TEST_USER: &str = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser";

/// Another person.
fn grace() -> Value {
    json!({ "sub": "learner-2", "name": "Grace Hopper", "email": "grace@exam.test" })
}

impl Campus {
    /// A template that the deployment was given, and what a link to it asks for.
    async fn placed_template(&self, changes: Value) -> (String, Value) {
        let template = self.template(changes).await;
        let placed = self.place(&format!("template:{template}")).await;
        assert_eq!(placed.status, 200, "{}", placed.text());
        let asked = custom("template", &template);
        (template, asked)
    }

    /// The state of an exam for whoever has its token.
    async fn state(&self, (session, token): &(String, String)) -> Value {
        let answer = self.hall.bearer(token).get(&format!("/api/live/{session}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    pub(super) async fn hand_in(&self, (session, token): &(String, String)) {
        let body = json!({ "commands": [{ "type": "submit", "seq": 1_000 }] });
        let answer = self.hall.bearer(token).post_json(&format!("/api/live/{session}/commands"), &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        self.hall.stored_session(session).await;
    }
}

#[tokio::test]
async fn a_learner_begins_a_test_in_a_window_and_goes_on_with_it() {
    let campus = Campus::open().await;
    let (template, asked) = campus.placed_template(json!({})).await;
    let page = format!("/continue?template={template}");
    let framed = campus.launch_in(asked.clone(), "iframe").await;
    assert!(framed.text().contains("target=\"_blank\"") && framed.text().contains("45 minutes"), "{}", framed.text());
    let exam = exam_of(&campus.enter(&framed).await, &page);
    let state = campus.state(&exam).await;
    assert_eq!((&state["type"], &state["state"]), (&json!("resumed"), &json!("active")));
    // The same person, whatever they are called now and in whatever window, has the same test.
    let renamed = both(asked.clone(), json!({ "name": "Ada King", "email": null }));
    let again = exam_of(&campus.enter(&campus.launch(renamed).await).await, &page);
    assert_eq!(again.0, exam.0);
    assert_ne!(again.1, exam.1);
    let other = exam_of(&campus.enter(&campus.launch(both(asked.clone(), grace())).await).await, &page);
    assert_ne!(other.0, exam.0);
    campus.hand_in(&exam).await;
    let after = campus.launch(asked).await;
    assert!(after.text().contains(&format!("href=\"/report/{}\"", exam.0)), "{}", after.text());
    let second = exam_of(&campus.enter(&after).await, &page);
    assert_ne!(second.0, exam.0);
}

#[tokio::test]
async fn a_link_stands_for_class_and_code_and_not_for_more_attempts() {
    let campus = Campus::open().await;
    let access = json!({ "who": "signed-in", "attempts": 1, "code": "ALGEBRA1", "closesAt": null, "opensAt": null });
    let (template, asked) = campus.placed_template(json!({ "access": access })).await;
    let page = format!("/continue?template={template}");
    let exam = exam_of(&campus.enter(&campus.launch(asked.clone()).await).await, &page);
    campus.hand_in(&exam).await;
    let after = campus.launch(asked.clone()).await;
    assert!(after.text().contains("/report/") && !after.text().contains("name=\"ticket\""), "{}", after.text());
    let ticket = campus.launch(both(asked, grace())).await;
    campus.hall.clock.advance(Duration::from_secs(12 * 60 * 60));
    assert_refused(&campus.enter(&ticket).await, 400, "open for too long");
}

#[tokio::test]
async fn a_candidate_is_known_by_their_address_where_the_platform_is_trusted_for_it() {
    for trusts in [true, false] {
        let campus = Campus::with(json!({ "trustsEmails": trusts })).await;
        let template = campus.template(json!({})).await;
        let sitting = campus.sitting(&template, 10).await;
        campus.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
        let id = sitting["id"].as_str().unwrap();
        assert_eq!(campus.place(&format!("sitting:{id}")).await.status, 200);
        let asked = custom("sitting", id);
        let answer = campus.launch(asked.clone()).await;
        if !trusts {
            assert_refused(&answer, 403, "not on the roster");
            continue;
        }
        let exam = exam_of(&answer, &format!("/s/{id}"));
        assert_eq!(campus.state(&exam).await["type"], "waiting");
        assert_refused(&campus.launch(both(asked.clone(), grace())).await, 403, "not on the roster");
        // Two accounts of the platform with one address are two people.
        let twin = both(asked.clone(), json!({ "sub": "learner-3" }));
        assert_refused(&campus.launch(twin).await, 403, "not on the roster");
        // Once known, the address does not matter any more.
        let moved = both(asked, json!({ "email": "ada.king@exam.test" }));
        let again = exam_of(&campus.launch(moved).await, &format!("/s/{id}"));
        assert_eq!(again.0, exam.0);
    }
}

#[tokio::test]
async fn before_the_doors_a_page_waits_and_goes_in_by_itself() {
    let campus = Campus::with(json!({ "trustsEmails": true })).await;
    let template = campus.template(json!({})).await;
    let sitting = campus.sitting(&template, 90).await;
    campus.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let id = sitting["id"].as_str().unwrap();
    assert_eq!(campus.place(&format!("sitting:{id}")).await.status, 200);
    let page = campus.launch(custom("sitting", id)).await;
    let wait = page.text().split_once("data-wait=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
    let wait: i64 = wait.parse().unwrap();
    assert!((59 * 60_000..=60 * 60_000).contains(&wait), "{wait}");
    let early = campus.enter(&page).await;
    assert!(early.status == 200 && early.text().contains("data-wait"), "{}", early.text());
    campus.hall.clock.advance(Duration::from_secs(60 * 60 + 1));
    let exam = exam_of(&campus.enter(&page).await, &format!("/s/{id}"));
    assert_eq!(campus.state(&exam).await["type"], "waiting");
    // In a frame there is a button in between.
    let framed = campus.launch_in(custom("sitting", id), "iframe").await;
    assert_eq!(exam_of(&campus.enter(&framed).await, &format!("/s/{id}")).0, exam.0);
}

#[tokio::test]
async fn a_test_student_counts_for_nobody() {
    let campus = Campus::with(json!({ "trustsEmails": true })).await;
    let (template, asked) = campus.placed_template(json!({})).await;
    let roles = format!("{LTI}roles");
    let student = json!({ roles.as_str(): [TEST_USER, "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"] });
    let page = campus.launch(both(asked, student.clone())).await;
    assert!(page.text().contains("never counts"), "{}", page.text());
    let (first, again) = (campus.enter(&page).await, campus.enter(&page).await);
    let address = format!("/continue?template={template}");
    assert_ne!(exam_of(&first, &address).0, exam_of(&again, &address).0);
    let links = campus.admin.get(&format!("/api/admin/lti/links?templateId={template}")).await.json();
    let path = format!("/api/admin/lti/links/{}", links["links"][0]["id"].as_str().unwrap());
    let removed = campus.admin.request(reqwest::Method::DELETE, &path);
    assert_eq!(crate::hall::Answer::to(removed).await.status, 200);
    assert_refused(&campus.enter(&page).await, 404, "does not lead to an exam yet");
    let sitting = campus.sitting(&template, 10).await;
    campus.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let id = sitting["id"].as_str().unwrap();
    assert_eq!(campus.place(&format!("sitting:{id}")).await.status, 200);
    let other = json!({ format!("{LTI}resource_link"): { "id": "link-2" } });
    let asked = both(custom("sitting", id), other);
    assert_refused(&campus.launch(both(asked.clone(), student)).await, 403, "a test student is on none");
    let nobody = json!({ roles.as_str(): ["http://purl.imsglobal.org/vocab/lis/v2/membership#Mentor"] });
    assert_refused(&campus.launch(both(asked, nobody)).await, 403, "names you as neither");
}

#[tokio::test]
async fn a_test_of_a_test_student_is_in_no_results_and_no_figures() {
    let campus = Campus::open().await;
    let (template, asked) = campus.placed_template(json!({})).await;
    let address = format!("/continue?template={template}");
    let roles = [TEST_USER, "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"];
    let student = json!({ format!("{LTI}roles"): roles, "sub": "test-student", "name": "Test student" });
    let tried = exam_of(&campus.enter(&campus.launch(both(asked.clone(), student)).await).await, &address);
    campus.hand_in(&tried).await;
    let submitted = async || {
        let sources = campus.admin.get("/api/manager/sources").await.json();
        let of = |kind: &str| -> Vec<Value> {
            sources[kind].as_array().unwrap().iter().map(|one| one["submitted"].clone()).collect()
        };
        (of("templates"), of("grades"))
    };
    assert_eq!(submitted().await, (vec![], vec![]));
    // It is a test all the same, and whoever has its secret sees how it went.
    assert_eq!(campus.hall.stored_session(&tried.0).await["sessionId"], tried.0.as_str());

    let sat = exam_of(&campus.enter(&campus.launch(asked).await).await, &address);
    campus.hand_in(&sat).await;
    assert_eq!(submitted().await, (vec![json!(1)], vec![json!(1)]));
    for of in [format!("templateId={template}"), "grade=5".to_owned()] {
        let results = campus.admin.get(&format!("/api/manager/results?{of}")).await.json();
        let rows = results["rows"].as_array().unwrap();
        assert_eq!((rows.len(), &rows[0]["student"]), (1, &json!("Ada Lovelace")), "{of}: {results}");
        let table = campus.admin.get(&format!("/api/manager/results.csv?{of}")).await.text();
        assert!(table.contains("Ada Lovelace") && !table.contains("Test student"), "{of}: {table}");
    }
    assert_eq!(campus.admin.get("/api/admin/items?grade=5").await.json()["sessions"], 1);
    let read = campus.admin.get(&format!("/api/admin/test-templates/{template}")).await.json();
    assert_eq!(read["template"]["begunByLink"], 1, "{read}");
    // Difficulties are measured by the same tests.
    let database = Database::open(campus.hall.database_url(), 1, 1).await.unwrap();
    let grade = Grade::new(5).unwrap();
    assert_eq!(graded::load_live_before(&database, grade, None, 10).await.unwrap().len(), 1);
    let marks = measurements::load_marks(&database).await.unwrap();
    assert!(marks.iter().any(|(of, mark)| *of == grade && mark.starts_with("1 ")), "{marks:?}");
    database.close().await;
    // Staff tell it from those of people.
    let read = campus.admin.get(&format!("/api/sessions/{}", tried.0)).await.json();
    assert_eq!(read["account"], TEST_STUDENT);
}
