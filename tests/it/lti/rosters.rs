//! Rosters from courses of learning platforms: read page by page, said first, compared whole, and taken by themselves.

use serde_json::{Value, json};

use super::School;
use super::course::{Course, REACHES, learner};
use crate::hall::course_services::Health;
use crate::hall::eventually;

async fn school_with_course() -> (School, Value, Course) {
    let school = School::with(&REACHES).await;
    let sitting = school.sitting(300, json!({})).await;
    let course = Course::open(&school, &sitting).await;
    (school, sitting, course)
}

fn names(report: &Value, kind: &str) -> Vec<String> {
    report[kind].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_course_of_many_pages_comes_once_and_leaves_by_a_yes() {
    let (school, sitting, course) = school_with_course().await;
    let mut members: Vec<Value> = (0..120).map(learner).collect();
    members[7]["email"] = Value::Null;
    members.push(json!({ "user_id": "teacher", "roles": ["Instructor"], "name": "A teacher" }));
    members.push(json!({ "user_id": "gone", "roles": ["Learner"], "status": "Inactive", "name": "Gone" }));
    course.services.set_members(members.clone(), 50);
    let dry = course.try_to_take(&school, &sitting, "?dryRun=true", json!({})).await;
    assert_eq!((dry.status, school.candidates(&sitting).await.len()), (200, 0), "{}", dry.text());
    let report = course.take(&school, &sitting, json!({})).await;
    assert_eq!(report, dry.json());
    assert_eq!((names(&report, "added").len(), names(&report, "withoutEmail")), (120, vec!["Learner 7".to_owned()]));
    assert_eq!(course.services.member_requests(), 6, "three pages each time");
    let roster = school.candidates(&sitting).await;
    let without = roster.iter().find(|one| one["name"] == "Learner 7").unwrap();
    assert_eq!((&without["email"], &without["externalId"]), (&Value::Null, &json!("user-7")));
    // The same again changes nothing, and one who has left stays until somebody says otherwise.
    members.remove(0);
    course.services.set_members(members, 50);
    let again = course.take(&school, &sitting, json!({})).await;
    assert_eq!((names(&again, "added").len(), &again["updated"]), (0, &json!(119)));
    assert_eq!((names(&again, "left"), school.candidates(&sitting).await.len()), (vec!["Learner 0".to_owned()], 120));
    let removing = course.take(&school, &sitting, json!({ "removeLeft": true })).await;
    assert_eq!(
        (names(&removing, "left"), school.candidates(&sitting).await.len()),
        (vec!["Learner 0".to_owned()], 119)
    );
    course.services.assert_no_faults();
}

#[tokio::test]
async fn whoever_is_on_the_roster_stays_who_they_are() {
    let (school, sitting, course) = school_with_course().await;
    school.enrol(&sitting, json!([{ "email": "learner0@exam.test", "name": "As we write it" }])).await;
    course.set_learners(0..2);
    let report = course.take(&school, &sitting, json!({})).await;
    assert_eq!((names(&report, "added"), &report["updated"]), (vec!["Learner 1".to_owned()], &json!(1)));
    let roster = school.candidates(&sitting).await;
    assert!(roster.len() == 2 && roster.iter().any(|one| one["name"] == "As we write it"), "{roster:?}");
    // A platform that is not trusted joins nobody by an address.
    let path = format!("/api/admin/lti/platforms/{}", course.platform);
    super::send(&school.admin, reqwest::Method::PATCH, &path, &json!({ "trustsEmails": false })).await;
    school.enrol(&sitting, json!([{ "email": "learner5@exam.test", "name": "Somebody" }])).await;
    course.set_learners(5..6);
    let report = course.take(&school, &sitting, json!({})).await;
    assert_eq!(names(&report, "added"), ["Learner 5"]);
    let roster = school.candidates(&sitting).await;
    let new = roster.iter().find(|one| one["name"] == "Learner 5").unwrap();
    assert_eq!(new["email"], Value::Null);
    course.services.assert_no_faults();
}

#[tokio::test]
async fn a_list_that_is_not_whole_changes_nothing() {
    let (school, sitting, course) = school_with_course().await;
    course.set_learners(0..3);
    course.services.set_health(Health::Away);
    let away = course.try_to_take(&school, &sitting, "", json!({})).await;
    away.assert_error(502, "The platform does not answer");
    assert!(school.candidates(&sitting).await.is_empty());
    course.services.set_health(Health::Up);
    // A next page that is not fetched is not the end of the list: whoever is on it has not left.
    course.take(&school, &sitting, json!({})).await;
    course.services.set_members((0..3).map(learner).collect(), 2);
    course.services.lead_to(&format!("https://{}", course.services.address));
    let elsewhere = course.try_to_take(&school, &sitting, "", json!({ "removeLeft": true })).await;
    elsewhere.assert_error(502, "The platform does not answer");
    assert_eq!(school.candidates(&sitting).await.len(), 3);
    let other = school.sitting(300, json!({})).await;
    course.try_to_take(&school, &other, "", json!({})).await.assert_error(400, "Invalid linkId");
    let path = format!("/api/admin/lti/platforms/{}", course.platform);
    super::send(&school.admin, reqwest::Method::PATCH, &path, &json!({ "state": "blocked" })).await;
    course.try_to_take(&school, &sitting, "", json!({})).await.assert_error(409, "The platform is not active");
}

#[tokio::test]
async fn a_roster_is_taken_by_itself_before_the_sitting() {
    let (school, sitting, course) = school_with_course().await;
    course.set_learners(0..2);
    course.take(&school, &sitting, json!({ "byItself": true })).await;
    course.set_learners(1..5);
    // Two hours before the start.
    school.advance(185);
    let roster = eventually("those who joined since have come", async || {
        school.hall.clock.advance(std::time::Duration::from_secs(61));
        Some(school.candidates(&sitting).await).filter(|roster| roster.len() == 5)
    })
    .await;
    assert!(roster.iter().any(|one| one["name"] == "Learner 0"), "nobody is removed without a yes");
    course.services.assert_no_faults();
}
