//! Scores that cannot go yet, or not any more: they wait, are made up for, and are sent again, and of several tests of
//! a person the newest is told last.

use domain::session::VersionReason;
use reqwest::Method;
use serde_json::{Value, json};

use super::course::{Course, REACHES, SCORES, email, ledger, subject};
use super::course_scores::{LATER, at_work, begun_by, by_user, somebody, submit_all, taken};
use super::entrant::Entrant;
use super::{School, id, send};
use crate::hall::course_services::{CourseServices, Surprise};
use crate::hall::{Caller, Candidate, Hall, eventually};

const NO_SCOPE: &str = "the platform does not allow scores for the link";

impl Course {
    async fn set_state(&self, admin: &Caller, state: &str) {
        let path = format!("/api/admin/lti/platforms/{}", self.platform);
        let answer = send(admin, Method::PATCH, &path, &json!({ "state": state })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
}

fn resend_path(row: &Value) -> String {
    format!("{SCORES}/{}/resend", row["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_score_waits_while_its_platform_is_blocked() {
    let (school, _, course, mut entrants) = at_work(1, json!({ "results": "now" })).await;
    course.set_state(&school.admin, "blocked").await;
    submit_all(&mut entrants).await;
    let waiting = eventually("it waits", async || {
        Some(ledger(&school.admin, "?status=pending").await).filter(|waiting| waiting.len() == 1)
    })
    .await;
    assert_eq!(waiting[0]["lastError"], "the platform is not active");
    school.advance(60);
    // An attempt has its time, also if none should be made.
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    let waiting = ledger(&school.admin, "").await;
    assert_eq!((&waiting[0]["status"], &waiting[0]["attempts"]), (&json!("pending"), &json!(0)));
    assert!(course.services.posted().is_empty());
    course.set_state(&school.admin, "active").await;
    // Without waiting for the next look.
    course.services.wait_for(1).await;
    course.services.assert_no_faults();
}

#[tokio::test]
async fn a_score_that_nobody_may_be_given_stands_in_the_ledger() {
    let (school, _, course, mut entrants) = at_work(1, json!({ "results": "now" })).await;
    let forbidden = "UPDATE lti_links SET scopes = '[]' WHERE id = $1";
    super::execute(&school.hall, forbidden, vec![course.link.into()]).await.unwrap();
    submit_all(&mut entrants).await;
    let failed = eventually("it has failed", async || ledger(&school.admin, "?status=failed").await.pop()).await;
    assert_eq!((&failed["lastError"], &failed["attempts"]), (&json!(NO_SCOPE), &json!(0)));
    // Sent again it says the same, until the platform allows it.
    assert_eq!(school.admin.post_json(&resend_path(&failed), &json!({})).await.status, 200);
    let failed = eventually("it has failed again", async || {
        ledger(&school.admin, "?status=failed").await.pop().filter(|failed| failed["attempts"] == 1)
    })
    .await;
    assert_eq!(failed["lastError"], NO_SCOPE);
    assert!(course.services.posted().is_empty());
    let scopes = json!([crate::hall::course_services::SCORE_SCOPE]).to_string();
    let allowed = "UPDATE lti_links SET scopes = $2 WHERE id = $1";
    super::execute(&school.hall, allowed, vec![course.link.into(), scopes.into()]).await.unwrap();
    assert_eq!(school.admin.post_json(&resend_path(&failed), &json!({})).await.status, 200);
    course.services.wait_for(1).await;
    course.services.assert_no_faults();
}

#[tokio::test]
async fn who_is_known_after_the_end_gets_their_score_then() {
    let school = School::with(&REACHES).await;
    let sitting = school.sitting(40, json!({ "results": "now" })).await;
    let course = Course::open(&school, &sitting).await;
    school.enrol(&sitting, json!([{ "email": email(0), "name": "Learner 0" }])).await;
    school.advance(30);
    // The first one to sign in becomes admin.
    school.hall.cookie("head@exam.test").await;
    let mut entrants = vec![Entrant::signed_in(&school.hall, &email(0), json!({ "sittingId": sitting["id"] })).await];
    school.advance(11);
    entrants[0].socket.until("begin").await;
    submit_all(&mut entrants).await;
    school.hall.stored_session(&entrants[0].session_id).await;
    assert!(ledger(&school.admin, "").await.is_empty(), "nobody knows who they are in the platform");
    course.set_learners(0..1);
    course.take(&school, &sitting, json!({})).await;
    let scores = course.services.wait_for(1).await;
    assert_eq!(by_user(&scores)[&subject(0)], [json!(["FullyGraded", 0])]);
    // The same again is known.
    course.take(&school, &sitting, json!({})).await;
    assert_eq!(ledger(&school.admin, "").await.len(), 1);
    course.services.assert_no_faults();
}

#[tokio::test]
async fn all_that_failed_are_sent_again_at_once() {
    let (school, sitting, course, mut entrants) = at_work(3, json!({ "results": "now" })).await;
    let services = &course.services;
    services.then([(); 3].map(|()| Surprise::Refused(422, "no attempts left")));
    submit_all(&mut entrants).await;
    eventually("all have failed", async || (ledger(&school.admin, "?status=failed").await.len() == 3).then_some(()))
        .await;
    let path = format!("{SCORES}/resend?status=failed&sittingId={}", id(&sitting));
    let (stranger, manager) = (school.hall.staff_of("manager", 6).await, school.hall.staff_of("manager", 5).await);
    assert_eq!(stranger.post_json(&path, &json!({})).await.json(), json!({ "queued": 0 }));
    let elsewhere = format!("{SCORES}/resend?sittingId={}", uuid::Uuid::new_v4());
    assert_eq!(manager.post_json(&elsewhere, &json!({})).await.json(), json!({ "queued": 0 }));
    let pending = format!("{SCORES}/resend?status=pending");
    manager.post_json(&pending, &json!({})).await.assert_error(400, "Invalid status");
    assert_eq!(manager.post_json(&path, &json!({})).await.json(), json!({ "queued": 3 }));
    let scores = taken(&school, services, 3).await;
    assert_eq!(by_user(&scores).len(), 3);
    eventually("the ledger is done", async || {
        (ledger(&school.admin, "?status=delivered").await.len() == 3).then_some(())
    })
    .await;
    assert_eq!(manager.post_json(&path, &json!({})).await.json(), json!({ "queued": 0 }), "they have arrived");
    services.assert_no_faults();
}

/// The end had failed, and the release has arrived: there is nothing left to do about the end.
#[tokio::test]
async fn what_has_failed_before_goes_when_the_newest_is_sent_again() {
    let (school, sitting, course, mut entrants) = at_work(1, json!({})).await;
    course.services.then([Surprise::Refused(422, "not yet")]);
    submit_all(&mut entrants).await;
    let failed = eventually("the end has failed", async || ledger(&school.admin, "?status=failed").await.pop()).await;
    assert_eq!(school.release(&sitting).await.status, 200);
    taken(&school, &course.services, 1).await;
    assert_eq!(school.admin.post_json(&resend_path(&failed), &json!({})).await.status, 200);
    let scores = taken(&school, &course.services, 2).await;
    assert_eq!(by_user(&scores)[&subject(0)], [json!(["FullyGraded", 0]), json!(["FullyGraded", 0])]);
    let left = ledger(&school.admin, "").await;
    assert_eq!((left.len(), &left[0]["event"]), (1, &json!("score.released")), "{left:?}");
    course.services.assert_no_faults();
}

/// A platform that was never told a score has it from before, as after an old copy of the database was put back.
#[tokio::test]
async fn what_was_never_sent_has_not_arrived() {
    let (school, _, course, mut entrants) = at_work(1, json!({ "results": "now" })).await;
    course.services.then([Surprise::Refused(401, ""), Surprise::Refused(409, "an earlier timestamp")]);
    submit_all(&mut entrants).await;
    let failed = eventually("it has failed", async || {
        school.hall.clock.advance(LATER);
        ledger(&school.admin, "?status=failed").await.pop()
    })
    .await;
    assert_eq!(failed["lastError"], "the platform answered 409\nan earlier timestamp");
    assert!(course.services.scores().is_empty());
    course.services.assert_no_faults();
}

#[tokio::test]
async fn an_older_test_takes_no_place_of_a_newer_one() {
    let hall = Hall::with(&REACHES).await;
    let admin = hall.signed_in("admin").await;
    let template = super::template(&admin, 5).await;
    let services = CourseServices::open(&hall.base(), &hall.clock).await;
    let column = services.add_column("link-1");
    let course = Course::with(&hall, &admin, services, ("template", template.parse().unwrap()), Some(column)).await;
    let person = somebody(&hall, &course).await;
    let mut tests = Vec::new();
    for number in 1..=2 {
        hall.clock.advance(LATER);
        let mut candidate = Candidate::start(&hall.base(), json!({ "templateId": template })).await;
        begun_by(&hall, &course, &candidate.session_id, person).await;
        candidate.submit().await;
        course.services.wait_for(number).await;
        tests.push(candidate.session_id.clone());
    }
    // A corrected key changes both.
    for (session_id, score) in tests.iter().zip([700, 620]) {
        hall.change_result(session_id, VersionReason::LateWork, |result| result.score = score).await;
    }
    let last = async |count: usize| {
        let scores = eventually("a score", async || {
            hall.clock.advance(LATER);
            Some(course.services.scores()).filter(|scores| scores.len() >= count)
        })
        .await;
        assert_eq!(scores.len(), count);
        scores[count - 1].json()
    };
    assert_eq!(last(3).await["scoreGiven"], 420, "the older test has nothing to tell");
    let rows = ledger(&admin, "").await;
    assert_eq!(rows.len(), 3, "{rows:?}");
    let (newer, oldest) = (&rows[1], &rows[2]);
    assert_eq!((&oldest["sessionId"], &newer["sessionId"]), (&json!(tests[0]), &json!(tests[1])));
    for (row, count) in [(oldest, 4), (newer, 5)] {
        assert_eq!(admin.post_json(&resend_path(row), &json!({})).await.status, 200);
        assert_eq!(last(count).await["scoreGiven"], 420);
    }
    course.services.assert_no_faults();
}

#[tokio::test]
async fn an_end_that_is_sent_again_is_no_other_attempt() {
    let (school, _, course, mut entrants) = at_work(1, json!({ "results": "now" })).await;
    submit_all(&mut entrants).await;
    taken(&school, &course.services, 1).await;
    let delivered = eventually("it has arrived", async || ledger(&school.admin, "?status=delivered").await.pop()).await;
    assert_eq!(school.admin.post_json(&resend_path(&delivered), &json!({})).await.status, 200);
    let scores = taken(&school, &course.services, 2).await;
    let is_new: Vec<Value> = scores
        .iter()
        .map(|score| score.json()["https://canvas.instructure.com/lti/submission"]["new_submission"].clone())
        .collect();
    assert_eq!(is_new, [json!(true), json!(false)]);
    course.services.assert_no_faults();
}
