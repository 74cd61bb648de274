//! Rosters from courses of learning platforms: read page by page, said first, compared whole, and taken by themselves.

use domain::time::moment::Moment;
use examhall::store::lti_rosters::{self, DueRosters};
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::{Value, json};

use super::School;
use super::course::{Course, REACHES, email, learner};
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
    let own_id = format!("lti:{}:user-7", &course.platform[..8]);
    assert_eq!((&without["email"], &without["externalId"]), (&Value::Null, &json!(own_id)));
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

/// How many rows of rosters are known to be somebody of a platform.
async fn joins(school: &School) -> i64 {
    let connection = Database::connect(school.hall.database_url()).await.unwrap();
    let statement =
        Statement::from_string(connection.get_database_backend(), "SELECT COUNT(*) FROM lti_candidates".to_owned());
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    connection.close().await.unwrap();
    row.try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn a_number_of_the_platform_is_no_number_of_the_school() {
    let (school, sitting, course) = school_with_course().await;
    let seventeen = json!({ "user_id": "17", "roles": ["Learner"], "name": "Seventeen of the platform" });
    course.services.set_members(vec![seventeen], 50);
    let report = course.take(&school, &sitting, json!({})).await;
    assert_eq!(names(&report, "added"), ["Seventeen of the platform"]);
    let row = school.candidates(&sitting).await[0].clone();
    let list = json!([
        { "externalId": "17", "name": "Seventeen of the school" },
        { "externalId": row["externalId"], "name": row["name"] },
    ]);
    let imported = school.enrol(&sitting, list).await;
    assert_eq!((&imported["added"], &imported["updated"], joins(&school).await), (&json!(1), &json!(1), 1));
    assert_eq!(school.candidate(&sitting, "Seventeen of the platform").await["id"], row["id"]);
}

#[tokio::test]
async fn a_join_goes_with_its_row() {
    let (school, sitting, course) = school_with_course().await;
    course.set_learners(0..4);
    course.take(&school, &sitting, json!({})).await;
    assert_eq!(joins(&school).await, 4);
    // A row that becomes another child's, by a list or by hand, and those that go.
    let same = |number: usize| json!({ "email": email(number) });
    let other = json!({ "email": email(1), "externalId": "S-1", "name": "Another child" });
    school.enrol(&sitting, json!([same(0), other, same(2)])).await;
    assert_eq!(joins(&school).await, 2, "one is gone, and one is another child");
    let row = school.candidate(&sitting, "Learner 2").await;
    let path = super::candidate_path(&sitting, &row);
    assert_eq!(super::delete(&school.admin, &path).await.status, 200);
    assert_eq!(joins(&school).await, 1);
    let removed = super::delete(&school.admin, &super::path(&sitting)).await;
    assert_eq!((removed.status, joins(&school).await), (200, 0), "{}", removed.text());
}

#[tokio::test]
async fn whoever_comes_back_with_a_taken_back_import_is_known_again() {
    let (school, sitting, course) = school_with_course().await;
    course.set_learners(0..3);
    course.take(&school, &sitting, json!({})).await;
    // One stays, one becomes another child, and one goes.
    let other = json!({ "email": email(1), "externalId": "S-1", "name": "Another child" });
    school.enrol(&sitting, json!([{ "email": email(0) }, other])).await;
    assert_eq!(joins(&school).await, 1);
    let undone = school.admin.post_json(&format!("{}/candidates/undo", super::path(&sitting)), &json!({})).await;
    assert_eq!((undone.status, school.candidates(&sitting).await.len()), (200, 3), "{}", undone.text());
    assert_eq!(joins(&school).await, 3);
    let report = course.take(&school, &sitting, json!({})).await;
    assert_eq!((names(&report, "errors").len(), &report["updated"], joins(&school).await), (0, &json!(3), 3));
    course.services.assert_no_faults();
}

#[tokio::test]
async fn no_platform_takes_a_row_of_another_one() {
    let (school, sitting, course) = school_with_course().await;
    course.set_learners(0..1);
    course.take(&school, &sitting, json!({})).await;
    let other = Course::of_another_platform(&school, &sitting).await;
    let twin = json!({ "user_id": "twin", "roles": ["Learner"], "name": "Twin", "email": email(0) });
    other.services.set_members(vec![twin], 50);
    let report = other.take(&school, &sitting, json!({})).await;
    let error = "Twin: the address is that of somebody else of a learning platform";
    assert_eq!((names(&report, "errors"), &report["updated"]), (vec![error.to_owned()], &json!(0)));
    assert_eq!((names(&report, "added").len(), &report["unjoined"]), (0, &json!(1)));
    // The first one's child is known as before.
    let again = course.take(&school, &sitting, json!({})).await;
    assert_eq!((&again["updated"], names(&again, "added").len(), joins(&school).await), (&json!(1), 0, 1));
}

#[tokio::test]
async fn a_roster_of_the_schools_own_is_joined_by_hand() {
    let (school, sitting, course) = school_with_course().await;
    let path = format!("/api/admin/lti/platforms/{}", course.platform);
    super::send(&school.admin, reqwest::Method::PATCH, &path, &json!({ "trustsEmails": false })).await;
    school.enrol(&sitting, json!([{ "email": email(0), "name": "As we write it" }])).await;
    course.set_learners(0..2);
    let report = course.take(&school, &sitting, json!({ "addsNew": false })).await;
    assert_eq!((names(&report, "added").len(), &report["unjoined"]), (0, &json!(2)));
    assert_eq!(school.candidates(&sitting).await.len(), 1);
    let list = format!("{}/lti/people", super::path(&sitting));
    let people = school.admin.get(&list).await.json()["people"].clone();
    assert_eq!((people.as_array().unwrap().len(), &people[0]["subject"]), (2, &json!("user-0")));
    let row = school.candidate(&sitting, "As we write it").await;
    let join = format!("{}/lti", super::candidate_path(&sitting, &row));
    let joined = school.admin.post_json(&join, &json!({ "personId": people[0]["id"] })).await;
    assert_eq!(joined.status, 200, "{}", joined.text());
    let again = course.take(&school, &sitting, json!({})).await;
    assert_eq!((names(&again, "added"), &again["updated"]), (vec!["Learner 1".to_owned()], &json!(1)));
    assert!(school.admin.get(&list).await.json()["people"].as_array().unwrap().is_empty());
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
async fn only_those_leave_whom_the_course_does_not_have() {
    let (school, sitting, course) = school_with_course().await;
    course.set_learners(0..3);
    course.take(&school, &sitting, json!({})).await;
    let mut members: Vec<Value> = (0..3).map(learner).collect();
    members[2]["user_id"] = json!(2);
    course.services.set_members(members.clone(), 50);
    let unread = course.try_to_take(&school, &sitting, "", json!({ "removeLeft": true })).await;
    unread.assert_error(502, "The platform does not answer");
    course.services.set_members(Vec::new(), 50);
    let empty = course.try_to_take(&school, &sitting, "", json!({ "removeLeft": true })).await;
    empty.assert_error(409, "The course lists no learners");
    assert_eq!(school.candidates(&sitting).await.len(), 3);
    // Whoever has left may have no name any more, and whoever has another role has not left.
    members[2] = json!({ "status": "Deleted" });
    members[1]["roles"] = json!([]);
    course.services.set_members(members, 50);
    let report = course.take(&school, &sitting, json!({ "removeLeft": true })).await;
    assert_eq!((names(&report, "left"), school.candidates(&sitting).await.len()), (vec!["Learner 2".to_owned()], 2));
    course.services.assert_no_faults();
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

/// The link of the course as it is listed.
async fn listed(school: &School, sitting: &Value) -> Value {
    let path = format!("/api/admin/lti/links?sittingId={}", super::id(sitting));
    let answer = school.admin.get(&path).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["links"][0].clone()
}

#[tokio::test]
async fn a_roster_that_cannot_be_taken_says_so_and_is_switched_off_without_the_platform() {
    let (school, sitting, course) = school_with_course().await;
    course.set_learners(0..2);
    let state = async || {
        let link = listed(&school, &sitting).await;
        (link["takesRoster"].clone(), link["rosterTakenAt"].clone(), link["rosterFailedAt"].clone())
    };
    assert_eq!(state().await, (json!(false), Value::Null, Value::Null));
    course.take(&school, &sitting, json!({ "byItself": true })).await;
    let (by_itself, taken_at, failed_at) = state().await;
    assert!(by_itself == true && taken_at.is_string() && failed_at.is_null(), "{taken_at} {failed_at}");
    course.set_learners(0..3);
    course.services.set_health(Health::Away);
    school.advance(185);
    let passing = async || {
        school.hall.clock.advance(std::time::Duration::from_secs(61));
        listed(&school, &sitting).await
    };
    let failed = eventually("it is told that it failed", async || {
        Some(passing().await).filter(|link| link["rosterFailedAt"].is_string())
    })
    .await;
    assert_eq!((&failed["takesRoster"], &failed["rosterTakenAt"]), (&json!(true), &taken_at));
    course.services.set_health(Health::Up);
    let taken =
        eventually("it is taken", async || Some(passing().await).filter(|link| link["rosterFailedAt"].is_null())).await;
    assert!(taken["rosterTakenAt"].as_str() > taken_at.as_str(), "{taken}");
    assert_eq!(school.candidates(&sitting).await.len(), 3);

    course.services.set_health(Health::Away);
    let only = |by_itself: Value| json!({ "byItself": by_itself, "takesNow": false });
    course.try_to_take(&school, &sitting, "", only(Value::Null)).await.assert_error(400, "Invalid byItself");
    let dry = course.try_to_take(&school, &sitting, "?dryRun=true", only(json!(false))).await;
    assert_eq!((dry.status, state().await.0), (200, json!(true)), "{}", dry.text());
    let off = course.try_to_take(&school, &sitting, "", only(json!(false))).await;
    assert_eq!((off.status, names(&off.json(), "added").len()), (200, 0), "{}", off.text());
    assert_eq!(state().await.0, json!(false));
    let entries = school.admin.get("/api/admin/audit?action=roster.from_course").await.json()["entries"].clone();
    assert_eq!(entries[0]["detail"], "no longer by itself");
    course.services.assert_no_faults();
}

#[tokio::test]
async fn a_roster_is_claimed_once_and_after_a_failure_soon_again() {
    let (school, sitting, course) = school_with_course().await;
    let database = examhall::database::Database::open(school.hall.database_url(), 2, 1).await.unwrap();
    let write = &database.write;
    let start = Moment::parse(sitting["startsAt"].as_str().unwrap()).unwrap();
    let minute = |number: i64| start.plus((number - 100) * 60_000);
    let claim = async |number: i64| {
        let now = minute(number);
        let due = DueRosters {
            now,
            begins_before: now.plus(120 * 60_000),
            taken_before: now.plus(-15 * 60_000),
            failed_before: now.plus(-60_000),
        };
        lti_rosters::claim_due(&database, due).await.unwrap()
    };
    assert_eq!(claim(0).await, None, "nobody has said that it is to be taken");
    lti_rosters::set_by_itself(write, course.link, true).await.unwrap();
    let ours = Some((course.link, super::id(&sitting)));
    assert_eq!(claim(-21).await, None, "more than two hours before");
    assert_eq!((claim(0).await, claim(0).await, claim(14).await), (ours, None, None), "it may be under way");
    assert_eq!(claim(15).await, ours, "whoever has claimed it is gone");
    lti_rosters::note_failed(write, course.link, minute(15)).await.unwrap();
    assert_eq!((claim(15).await, claim(16).await, claim(16).await), (None, ours, None));
    assert_eq!(claim(17).await, None, "it is under way again");
    lti_rosters::note_taken(write, course.link, minute(17)).await.unwrap();
    assert_eq!((claim(31).await, claim(32).await), (None, ours));
    database.close().await;
}
