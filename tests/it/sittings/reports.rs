//! Reports of sittings: they show the paper that was sealed, and say what another class is still to write.

use serde_json::{Value, json};

use super::super::reports::Report;
use super::School;
use crate::hall::Answer;

async fn shown(school: &School, session: &str) -> Value {
    let answer: Answer = school.hall.anonymous().get(&format!("/api/report/{session}/questions")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn a_report_shows_the_sealed_paper_and_what_is_withheld_for_others() {
    let school = School::open().await;
    let sitting = school.sitting(40, json!({ "results": "now" })).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test" }])).await;
    school.advance(15);
    let mut ada = school.enter_all(&sitting).await.remove(0);
    let (bank, id) = (school.hall.bank(5).await, ada.paper.first().cloned());
    assert!(id.is_none(), "the paper is sealed");
    let sealed = school.sealed_questions(&sitting).await;
    let id = sealed[0]["id"].as_str().unwrap().to_owned();
    let asked =
        json!({ "questionId": id, "grade": 5, "comment": "", "updates": { "question": "Asked after the sealing?" } });
    assert_eq!(school.admin.post_json("/api/review/edit", &asked).await.status, 200);
    school.advance(26);
    ada.begin().await;
    ada.submit().await;
    let report = shown(&school, &ada.session_id).await;
    assert_eq!((report["questions"].as_array().unwrap().len(), &report["changed"]), (10, &json!([id])));
    let staff = school.admin.get("/api/admin/questions?grade=5").await.json();
    let now = staff.as_array().unwrap().iter().find(|question| question["id"] == id).unwrap();
    assert_eq!(now["question"], "Asked after the sealing?");
    assert_ne!(report["questions"][0]["question"], now["question"]);
    assert!(bank.ids().len() > 10 && report["withheld"].is_null(), "{report}");

    let text = Report::of_session(&school.hall.anonymous(), &ada.session_id).await.text();
    assert_eq!(text.lines().next(), Some("Finals"), "the exam's name is the title: {text}");
    assert!(text.contains("Test report · Mathematics, grade 5"), "{text}");
    for id in [ada.session_id.as_str(), sitting["id"].as_str().unwrap(), "candidateId", "sittingId"] {
        assert!(!text.contains(id), "{id} says nothing to a reader: {text}");
    }

    // Two other classes write the same paper later.
    let until = school.at(300);
    let held = school.sitting(60, json!({ "name": "6b", "results": until })).await;
    school.advance(61);
    let report = shown(&school, &ada.session_id).await;
    assert_eq!((&report["questions"], &report["withheld"]), (&json!([]), &json!({ "count": 10, "until": until })));
    let text = Report::of_session(&school.hall.anonymous(), &ada.session_id).await.text();
    assert!(text.contains("another class is still to write 10 questions"), "{text}");
    let by_hand = school.sitting(60, json!({ "name": "6c", "results": "held" })).await;
    school.advance(61);
    assert_eq!(shown(&school, &ada.session_id).await["withheld"], json!({ "count": 10, "until": null }));
    for other in [&by_hand, &held] {
        assert_eq!(school.release_before_all_have_come(other).await.status, 200);
    }
    let report = shown(&school, &ada.session_id).await;
    assert_eq!((report["questions"].as_array().unwrap().len(), &report["withheld"]), (10, &Value::Null));
    let staff = school.admin.get(&format!("/api/report/{}/questions", ada.session_id)).await.json();
    assert_eq!(staff["changed"], json!([id]));
}
