//! What results and lists show of corrections, and to whom.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::{Corrected, PATH, template};
use crate::hall::{Answer, Caller};

async fn listed(caller: &Caller, query: &str) -> Vec<Value> {
    let list = caller.get(&format!("{PATH}{query}")).await.json();
    list["corrections"].as_array().unwrap_or_else(|| panic!("{list}")).clone()
}

#[tokio::test]
async fn a_question_is_shown_as_corrected_although_the_newest_test_keeps_its_result() {
    let school = Corrected::open().await;
    school.sit(Some(school.wrong())).await;
    school.hall.clock.advance(Duration::from_secs(60));
    school.sit(Some(school.right())).await;
    school.correct(json!({})).await;
    let query = format!("templateId={}", school.template);
    let shown = async || {
        let results = school.admin.get(&format!("/api/manager/results?{query}")).await.json();
        let questions = results["questions"].as_array().unwrap();
        questions.iter().find(|one| one["id"] == school.question()).unwrap().clone()
    };
    let question = shown().await;
    assert_eq!((&question["correction"], &question["correct"]), (&json!("key"), &json!(school.wrong())));
    let table = school.admin.get(&format!("/api/manager/results.csv?{query}")).await.text();
    assert!(table.contains("corrected: key"), "{table}");
    // With other options its letter is another one's.
    let updates = json!({ "options": ["one", "two"], "answer": "B" });
    let edit = json!({ "questionId": school.question(), "grade": 5, "updates": updates });
    assert_eq!(school.admin.post_json("/api/review/edit", &edit).await.status, 200);
    school.hall.clock.advance(Duration::from_secs(60));
    school.sit(Some("B")).await;
    let question = shown().await;
    assert_eq!((&question["correction"], &question["correct"]), (&Value::Null, &json!("B")));
}

#[tokio::test]
async fn what_holds_for_tests_is_listed_with_them() {
    let school = Corrected::open().await;
    let id = school.sit(None).await;
    let manager = school.manager("five@exam.test", &[5]).await;
    let all = |scope: Value| json!({ "kind": "all", "options": [], "scope": scope });
    let of_grade = json!({ "grade": 5, "from": "2000-01-01", "to": "2100-01-01" });
    school.hall.clock.advance(Duration::from_secs(60));
    // One by an admin is about joint exams too, so that no manager of one grade reverts it.
    let by_admin = school.correct(all(of_grade.clone())).await;
    assert_eq!(by_admin["own"], true);
    let query = format!("?templateId={}", school.template);
    let seen = listed(&manager, &query).await;
    assert_eq!((seen.len(), &seen[0]["id"], &seen[0]["own"]), (1, &by_admin["id"], &json!(false)));
    assert_eq!(listed(&manager, "").await.len(), 0);
    school.delete(&manager, &by_admin).await.assert_error(403, "Not assigned to this grade");
    let long_past = all(json!({ "grade": 5, "from": "2000-01-01", "to": "2000-01-01" }));
    school.admin.post_json(PATH, &school.body(&long_past)).await.assert_error(404, "Question not found");
    // Those of templates are among those of their grades.
    let of_template = school.correct(all(school.scope())).await;
    let of_five = listed(&manager, "?grade=5").await;
    assert_eq!((of_five.len(), &of_five[0]["id"]), (1, &of_template["id"]));
    assert_eq!((listed(&school.admin, "?grade=5").await.len(), listed(&school.admin, "?grade=6").await.len()), (2, 0));
    assert_eq!(listed(&school.admin, &query).await.len(), 2);
    assert_eq!(school.score(&id).await, 800);
    // Another template of the grade, of which nobody has sat a test.
    let (other, _) = template(&school.admin, &[5]).await;
    assert_eq!(listed(&manager, &format!("?templateId={other}")).await.len(), 0);
    // Who may not manage the template is not shown what holds for its tests.
    let six = school.manager("six@exam.test", &[6]).await;
    assert_eq!(listed(&six, &query).await.len(), 0);
}

#[tokio::test]
async fn managers_keep_what_they_made_when_a_template_goes() {
    let school = Corrected::open().await;
    let manager = school.manager("five@exam.test", &[5]).await;
    school.sit(None).await;
    let (other, _) = template(&school.admin, &[5]).await;
    let started = school.hall.anonymous().post_json("/api/live", &json!({ "templateId": other })).await.json();
    let student = school.hall.bearer(started["token"].as_str().unwrap());
    let path = format!("/api/live/{}/commands", started["sessionId"].as_str().unwrap());
    student.post_json(&path, &json!({ "commands": [{ "type": "submit", "seq": 1 }] })).await;
    school.hall.clock.advance(Duration::from_secs(60));
    let scope = json!({ "grade": 5, "from": "2000-01-01", "to": "2100-01-01" });
    let body = school.body(&json!({ "kind": "all", "options": [], "scope": scope }));
    let made = manager.post_json(PATH, &body).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let made = school.followed(&made.json()).await;
    let removing = school.admin.request(Method::DELETE, &format!("/api/admin/test-templates/{other}"));
    assert_eq!(Answer::to(removing).await.status, 200);
    assert_eq!(listed(&manager, "").await.len(), 1);
    let reverted = school.delete(&manager, &made).await;
    assert_eq!(reverted.status, 200, "{}", reverted.text());
    // What others have made is no more theirs than before.
    let again = school.manager("also5@exam.test", &[5]).await;
    assert_eq!(listed(&again, "").await.len(), 0);
}
