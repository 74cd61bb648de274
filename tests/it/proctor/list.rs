//! The same by plain HTTPS: who is in a room, and what happened to a session.

use serde_json::json;

use super::{assign, test_of};
use crate::hall::{Candidate, Hall};

#[tokio::test]
async fn the_list_has_all_who_have_not_submitted() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let here = hall.sit(test_of("Ada")).await;
    let https = Candidate::start_by_https(&hall.base(), &test_of("Bob")).await;
    let mut over = hall.sit(test_of("Cay")).await;
    over.submit().await;
    hall.sit(json!({ "grade": 6 })).await;
    let list = admin.get("/api/live/sessions?grade=5").await;
    assert_eq!((list.status, list.header("cache-control")), (200, "no-store"), "{}", list.text());
    let mut rows: Vec<_> = list.json()["sessions"].as_array().unwrap().clone();
    rows.sort_by_key(|row| row["student"].to_string());
    let shown: Vec<_> =
        rows.iter().map(|row| (row["sessionId"].as_str().unwrap(), row["connected"].as_bool().unwrap())).collect();
    assert_eq!(shown, [(here.session_id.as_str(), true), (https.session_id.as_str(), false)]);
    assert_eq!(rows[0].as_object().unwrap().len(), 25);
}

#[tokio::test]
async fn a_room_must_be_named() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let unknown = "00000000-0000-4000-8000-000000000000";
    for query in ["", "?grade=", "?grade=11", "?grade=five", "?grade=5&templateId=00000000-0000-4000-8000-000000000000"]
    {
        admin.get(&format!("/api/live/sessions{query}")).await.assert_fault(400, "Invalid grade", "invalid_grade");
    }
    for template_id in [unknown, "none"] {
        admin.get(&format!("/api/live/sessions?templateId={template_id}")).await.assert_some_error(404);
    }
}

#[tokio::test]
async fn only_the_grades_assigned() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let ada = hall.sit(test_of("Ada")).await;
    let events = format!("/api/live/sessions/{}/events", ada.session_id);
    let reviewer = hall.signed_in("reviewer").await;
    for path in ["/api/live/sessions?grade=5", &events] {
        reviewer.get(path).await.assert_fault(403, "Not assigned to this grade", "forbidden");
    }
    assign(&hall, &admin, "assignments", "reviewer@exam.test", &[5]).await;
    for path in ["/api/live/sessions?grade=5", &events] {
        assert_eq!(reviewer.get(path).await.status, 200, "{path}");
    }
    reviewer.get("/api/live/sessions?grade=6").await.assert_fault(403, "Not assigned to this grade", "forbidden");
}
