//! How far the review has come, as managers and admins see it.

use serde_json::{Value, json};

use super::{assert_done, assign, found, manager, person, reviewer};
use crate::hall::{Caller, Hall};

async fn submit(caller: &Caller, grade: u8, numbers: std::ops::Range<u8>, status: &str) {
    for number in numbers {
        let body =
            json!({ "questionId": format!("g{grade}-{number:03}"), "grade": grade, "status": status, "note": "" });
        assert_done(&caller.post_json("/api/review/submit", &body).await);
    }
}

fn counts(reviewer: &str, reviewed: u64, approved: u64, flagged: u64) -> Value {
    json!({ "email": format!("{reviewer}@exam.test"), "name": reviewer, "reviewedCount": reviewed, "approvedCount": approved, "flaggedCount": flagged })
}

/// Grade 5: Ada 3 approved and 1 flagged, Rita 2 flagged, one put back to pending; grade 6: the admin 1 approved.
async fn some_reviews(hall: &Hall, admin: &Caller) {
    let rita = reviewer(hall, admin, "rita@exam.test", &[5]).await;
    let ada = reviewer(hall, admin, "ada@exam.test", &[4, 5]).await;
    submit(&rita, 5, 1..6, "approved").await;
    submit(&ada, 5, 1..4, "approved").await;
    submit(&ada, 5, 6..7, "flagged").await;
    submit(&rita, 5, 4..6, "flagged").await;
    submit(&rita, 5, 7..8, "pending").await;
    submit(admin, 6, 1..2, "approved").await;
}

#[tokio::test]
async fn admins_see_all_grades() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    some_reviews(&hall, &admin).await;
    let stats = found(&admin.get("/api/admin/review/stats").await);
    let names: Vec<&str> = stats.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["perGrade", "totalApproved", "totalFlagged", "totalPending", "totalQuestions"]);
    let totals =
        ["totalQuestions", "totalApproved", "totalFlagged", "totalPending"].map(|name| stats[name].as_u64().unwrap());
    assert_eq!(totals, [1_400, 4, 3, 1_393]);
    let grades: Vec<u64> =
        stats["perGrade"].as_array().unwrap().iter().map(|grade| grade["grade"].as_u64().unwrap()).collect();
    assert_eq!(grades, (1..=10).collect::<Vec<_>>());
    let five = json!({ "grade": 5, "total": 140, "approved": 3, "flagged": 3, "pending": 134, "reviewers": [counts("ada", 4, 3, 1), counts("rita", 2, 0, 2)] });
    assert_eq!(stats["perGrade"][4], five);
    assert_eq!(
        stats["perGrade"][5],
        json!({ "grade": 6, "total": 140, "approved": 1, "flagged": 0, "pending": 139, "reviewers": [counts("admin", 1, 1, 0)] })
    );
    assert_eq!(
        stats["perGrade"][0],
        json!({ "grade": 1, "total": 140, "approved": 0, "flagged": 0, "pending": 140, "reviewers": [] })
    );
    let as_manager = found(&admin.get("/api/manager/stats").await);
    assert_eq!((&as_manager["allowedGrades"], as_manager["perGrade"].as_array().unwrap().len()), (&Value::Null, 10));
    assert!(as_manager.as_object().unwrap().contains_key("allowedGrades"));
}

#[tokio::test]
async fn managers_see_their_grades_with_those_assigned() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    some_reviews(&hall, &admin).await;
    let max = manager(&hall, &admin, "max@exam.test", &[4, 5]).await;
    let assigned = |names: &[&str]| {
        names
            .iter()
            .map(|name| json!({ "email": format!("{name}@exam.test"), "name": format!("Name of {name}@exam.test") }))
            .collect::<Vec<_>>()
    };
    let expected = json!({
        "allowedGrades": [4, 5], "totalQuestions": 280, "totalApproved": 3, "totalFlagged": 3, "totalPending": 274,
        "perGrade": [
            { "grade": 4, "total": 140, "approved": 0, "flagged": 0, "pending": 140, "reviewers": [], "assignedReviewers": assigned(&["ada"]) },
            {
                "grade": 5, "total": 140, "approved": 3, "flagged": 3, "pending": 134, "reviewers": [counts("ada", 4, 3, 1), counts("rita", 2, 0, 2)],
                "assignedReviewers": assigned(&["ada", "rita"]),
            },
        ],
    });
    assert_eq!(found(&max.get("/api/manager/stats").await), expected);
    let nobody = person(&hall, "new@exam.test", "manager").await;
    assign(&admin, "assignments", "new@exam.test", &[5]).await;
    let none = json!({ "allowedGrades": [], "totalQuestions": 0, "totalApproved": 0, "totalFlagged": 0, "totalPending": 0, "perGrade": [] });
    assert_eq!(found(&nobody.get("/api/manager/stats").await), none, "reviewing a grade is not signing it off");
}

#[tokio::test]
async fn an_empty_bank_has_ten_empty_grades() {
    let hall = Hall::with(&[("SAMPLE_BANK", "off")]).await;
    let stats = found(&hall.signed_in("admin").await.get("/api/admin/review/stats").await);
    assert_eq!(stats["perGrade"].as_array().unwrap().len(), 10);
    assert_eq!((&stats["totalQuestions"], &stats["perGrade"][9]["total"]), (&json!(0), &json!(0)));
}
