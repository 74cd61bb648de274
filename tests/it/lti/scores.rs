//! Scores for the grade books of learning platforms: each arrives, in its order, the newest last, and once for each
//! version, whatever the platform does meanwhile.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::session::VersionReason;
use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use super::course::{Course, REACHES, email, ledger, subject};
use super::entrant::Entrant;
use super::{School, id};
use crate::hall::course_services::{CourseServices, Health, Surprise, TakenScore};
use crate::hall::{Candidate, Hall, Process, eventually};

/// Longer than a score waits after a failure, or for an earlier one.
pub const LATER: Duration = Duration::from_secs(60);
const CORRECTIONS: &str = "/api/manager/corrections";

/// A sitting in a course, with so many learners who are at work.
pub async fn at_work(count: usize, changes: Value) -> (School, Value, Course, Vec<Entrant>) {
    let school = School::with(&REACHES).await;
    let sitting = school.sitting(40, changes).await;
    let course = Course::open(&school, &sitting).await;
    let entrants = enter_all(&school, &sitting, &course, count).await;
    (school, sitting, course, entrants)
}

pub async fn enter_all(school: &School, sitting: &Value, course: &Course, count: usize) -> Vec<Entrant> {
    course.set_learners(0..count);
    assert_eq!(course.take(school, sitting, json!({})).await["added"].as_array().unwrap().len(), count);
    school.advance(30);
    // The first one to sign in becomes admin.
    school.hall.cookie("head@exam.test").await;
    let enter = |number: usize| {
        let hall = &school.hall;
        async move { Entrant::signed_in(hall, &email(number), json!({ "sittingId": sitting["id"] })).await }
    };
    let mut entrants = Vec::new();
    for first in (0..count).step_by(20) {
        entrants.extend(join_all((first..count.min(first + 20)).map(enter)).await);
    }
    school.advance(11);
    join_all(entrants.iter_mut().map(|entrant| entrant.socket.until("begin"))).await;
    entrants
}

pub async fn submit_all(entrants: &mut [Entrant]) {
    join_all(entrants.iter_mut().map(|entrant| entrant.submit(1))).await;
}

/// The scores that were taken, once there are so many, while time passes for those that wait.
pub async fn taken(school: &School, services: &CourseServices, count: usize) -> Vec<TakenScore> {
    eventually(&format!("{count} scores"), async || {
        school.hall.clock.advance(LATER);
        tokio::time::sleep(Duration::from_millis(50)).await;
        Some(services.scores()).filter(|scores| scores.len() >= count)
    })
    .await
}

/// What each user was told, in the order in which it was taken: grading progress and score.
pub fn by_user(scores: &[TakenScore]) -> BTreeMap<String, Vec<Value>> {
    let mut told: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for score in scores {
        let score = score.json();
        let fact = json!([score["gradingProgress"], score["scoreGiven"]]);
        told.entry(score["userId"].as_str().unwrap().to_owned()).or_default().push(fact);
    }
    told
}

/// Takes some seconds: two hundred people sign in, enter and hand in, and three scores of each are sent.
#[tokio::test]
async fn two_hundred_hand_in_while_the_platform_is_away() {
    const COUNT: usize = 200;
    let (school, sitting, course, mut entrants) = at_work(COUNT, json!({})).await;
    let services = &course.services;
    services.set_health(Health::Away);
    submit_all(&mut entrants).await;
    eventually("all wait in the ledger", async || {
        let waiting = school.admin.get("/api/admin/lti/scores?status=pending").await.json();
        (waiting["total"] == COUNT).then_some(())
    })
    .await;
    assert_eq!(school.release(&sitting).await.status, 200);
    let question = school.sealed_questions(&sitting).await[0]["id"].as_str().unwrap().to_owned();
    let correction = json!({ "questionId": question, "kind": "all", "scope": { "sittingId": sitting["id"] } });
    let made = school.admin.post_json(CORRECTIONS, &correction).await;
    assert_eq!(made.status, 200, "{}", made.text());
    eventually("all tests have followed", async || {
        let list = school.admin.get(CORRECTIONS).await.json();
        (list["corrections"][0]["progress"]["finished"] == true).then_some(())
    })
    .await;
    assert!(services.scores().is_empty(), "the platform is away");
    services.set_health(Health::Up);
    for parts in 1..3 {
        taken(&school, services, parts * COUNT).await;
    }
    let scores = taken(&school, services, 3 * COUNT).await;
    let told = by_user(&scores);
    assert_eq!((scores.len(), told.len()), (3 * COUNT, COUNT));
    for number in 0..COUNT {
        let mine = &told[&subject(number)];
        let (released, corrected) = (mine[1][1].as_u64().unwrap(), mine[2][1].as_u64().unwrap());
        assert_eq!(mine[..2], [json!(["Pending", null]), json!(["FullyGraded", released])]);
        assert_eq!((&mine[2][0], released), (&json!("FullyGraded"), 0), "nobody has answered anything");
        assert!(corrected > released, "a question counts as right for all: {mine:?}");
    }
    eventually("the ledger is done", async || {
        let page = school.admin.get("/api/admin/lti/scores?status=delivered").await.json();
        (page["total"] == 3 * COUNT).then_some(())
    })
    .await;
    assert_eq!(services.scores().len(), 3 * COUNT, "each version once");
    assert!(services.tokens() < 10, "one token serves many scores");
    services.assert_no_faults();
}

#[tokio::test]
async fn results_that_are_seen_at_once_are_told_at_once() {
    let (school, sitting, course, mut entrants) = at_work(1, json!({ "results": "now" })).await;
    let services = &course.services;
    services.set_health(Health::Slow(Duration::from_millis(200)));
    submit_all(&mut entrants).await;
    let first = services.wait_for(1).await[0].json();
    let submission = "https://canvas.instructure.com/lti/submission";
    let expected = json!({
        "userId": "user-0", "scoreGiven": 0, "scoreMaximum": 600, "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&first[name], value, "{first}");
    }
    assert_eq!(first[submission], json!({ "new_submission": true }));
    let comment = first["comment"].as_str().unwrap();
    let report = format!("/report/{}", entrants[0].session_id);
    assert!(comment.starts_with("200 on the scale of 200 to 800. ") && comment.ends_with(&report), "{comment}");
    assert!(first["submission"]["startedAt"].is_string() && first["submission"]["submittedAt"].is_string());
    school.hall.change_result(&entrants[0].session_id, VersionReason::LateWork, |result| result.score = 620).await;
    let second = taken(&school, services, 2).await[1].json();
    assert_eq!((&second["scoreGiven"], &second[submission]), (&json!(420), &json!({ "new_submission": false })));
    assert_eq!(school.release(&sitting).await.status, 200);
    let listed = ledger(&school.admin, "").await;
    assert_eq!(listed.len(), 2, "the release tells nothing new: {listed:?}");
    assert_eq!((&listed[0]["event"], &listed[1]["event"]), (&json!("score.changed"), &json!("score.ended")));
    assert_eq!((&listed[0]["scoreGiven"], &listed[0]["name"]), (&json!(420), &json!("Learner 0")));
    services.assert_no_faults();
}

#[tokio::test]
async fn a_held_result_is_told_by_its_release_alone() {
    let (school, sitting, course, mut entrants) = at_work(1, json!({})).await;
    let services = &course.services;
    let waiting = async || {
        let listed = school.admin.get(&format!("/api/admin/lti/links?sittingId={}", id(&sitting))).await;
        assert_eq!(listed.status, 200, "{}", listed.text());
        listed.json()["links"][0]["waiting"].clone()
    };
    assert_eq!(waiting().await, 1, "somebody is at work");
    submit_all(&mut entrants).await;
    services.wait_for(1).await;
    assert_eq!(waiting().await, 1, "that it has ended is no result");
    school.hall.change_result(&entrants[0].session_id, VersionReason::LateWork, |result| result.score = 620).await;
    school.hall.clock.advance(LATER);
    let pages = school.admin.get("/api/admin/lti/scores").await.json();
    assert_eq!((pages["total"].as_u64(), services.scores().len()), (Some(1), 1), "a version that is held is not told");
    assert_eq!(school.release(&sitting).await.status, 200);
    let scores = taken(&school, services, 2).await;
    let expected = [json!(["Pending", null]), json!(["FullyGraded", 420])];
    assert_eq!(by_user(&scores)["user-0"], expected);
    eventually("no test that waits", async || (waiting().await == 0).then_some(())).await;
    services.assert_no_faults();
}

#[tokio::test]
async fn a_repeat_is_the_same_message_and_may_have_arrived() {
    let (school, _, course, mut entrants) = at_work(1, json!({ "results": "now" })).await;
    let services = &course.services;
    services.then([
        Surprise::Refused(403, "403 Forbidden (Rate Limit Exceeded)"),
        Surprise::Refused(500, ""),
        Surprise::TakenInSilence,
    ]);
    submit_all(&mut entrants).await;
    taken(&school, services, 1).await;
    eventually("it counts as arrived", async || {
        school.hall.clock.advance(LATER);
        (ledger(&school.admin, "?status=delivered").await.len() == 1).then_some(())
    })
    .await;
    let posted = services.posted();
    assert_eq!(posted.len(), 4, "{posted:?}");
    assert!(posted.iter().all(|text| *text == posted[0]), "the same bytes: {posted:?}");
    assert_eq!(services.scores().len(), 1);
    services.assert_no_faults();
}

/// Open edX stores a score of somebody whom it does not know, and answers 500.
#[tokio::test]
async fn a_score_that_was_stored_before_a_500_arrives_once() {
    let (school, _, course, mut entrants) = at_work(1, json!({ "results": "now" })).await;
    course.services.then([Surprise::TakenBut(500)]);
    submit_all(&mut entrants).await;
    taken(&school, &course.services, 1).await;
    eventually("it counts as arrived", async || {
        school.hall.clock.advance(LATER);
        (ledger(&school.admin, "?status=delivered").await.len() == 1).then_some(())
    })
    .await;
    assert_eq!(course.services.scores().len(), 1);
    course.services.assert_no_faults();
}

#[tokio::test]
async fn what_is_refused_stands_in_the_ledger_and_is_sent_again_by_hand() {
    let (school, _, course, mut entrants) = at_work(2, json!({ "results": "now" })).await;
    let services = &course.services;
    services.then([Surprise::Refused(422, "no attempts left"), Surprise::Refused(422, "no attempts left")]);
    submit_all(&mut entrants).await;
    let failed = eventually("both have failed", async || {
        Some(ledger(&school.admin, "?status=failed").await).filter(|failed| failed.len() == 2)
    })
    .await;
    assert_eq!(failed[0]["lastStatus"], 422);
    assert_eq!(failed[0]["lastError"], "the platform answered 422\nno attempts left");
    let resend = |row: &Value| format!("/api/admin/lti/scores/{}/resend", row["id"].as_str().unwrap());
    // Staff of another grade see nothing of it.
    let stranger = school.hall.staff_of("manager", 6).await;
    assert!(ledger(&stranger, "").await.is_empty());
    stranger.post_json(&resend(&failed[0]), &json!({})).await.assert_error(403, "Not assigned to this grade");
    let manager = school.hall.staff_of("manager", 5).await;
    assert_eq!(ledger(&manager, "").await.len(), 2);
    for row in &failed {
        let answer = manager.post_json(&resend(row), &json!({})).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let scores = services.wait_for(2).await;
    assert_eq!(by_user(&scores).len(), 2);
    let posted = services.posted();
    for number in 0..2 {
        let mine: Vec<&String> = posted.iter().filter(|text| text.contains(&subject(number))).collect();
        assert!(mine.len() == 2 && mine[0] != mine[1], "a score that is sent again has another moment: {mine:?}");
    }
    services.assert_no_faults();
}

#[tokio::test]
async fn sending_an_old_score_again_sends_the_newest() {
    let (school, _, course, mut entrants) = at_work(1, json!({ "results": "now" })).await;
    submit_all(&mut entrants).await;
    course.services.wait_for(1).await;
    school.hall.change_result(&entrants[0].session_id, VersionReason::LateWork, |result| result.score = 620).await;
    taken(&school, &course.services, 2).await;
    let oldest = ledger(&school.admin, "").await.remove(1);
    assert_eq!(oldest["event"], "score.ended");
    let path = format!("/api/admin/lti/scores/{}/resend", oldest["id"].as_str().unwrap());
    assert_eq!(school.admin.post_json(&path, &json!({})).await.status, 200);
    let scores = taken(&school, &course.services, 3).await;
    let expected = [json!(["FullyGraded", 0]), json!(["FullyGraded", 420]), json!(["FullyGraded", 420])];
    assert_eq!(by_user(&scores)["user-0"], expected);
    course.services.assert_no_faults();
}

#[tokio::test]
async fn a_column_is_found_made_and_looked_for_again() {
    let school = School::with(&REACHES).await;
    let sitting = school.sitting(40, json!({ "results": "now" })).await;
    let course = Course::without_column(&school, &sitting).await;
    let services = &course.services;
    let mut entrants = enter_all(&school, &sitting, &course, 2).await;
    entrants[0].submit(1).await;
    services.wait_for(1).await;
    let made = services.columns();
    assert_eq!(made.len(), 1);
    assert_eq!((&made[0]["label"], &made[0]["resourceLinkId"]), (&json!("Finals"), &json!("link-1")));
    assert_eq!(made[0]["resourceId"], format!("sitting-{}", id(&sitting)));
    // A teacher has removed it.
    services.remove_columns();
    entrants[1].submit(1).await;
    let scores = taken(&school, services, 2).await;
    assert_eq!((services.columns().len(), scores.len(), &*scores[0].column), (1, 2, "/columns/1"));
    services.assert_no_faults();
}

/// How many of these scores were tried.
fn tried(scores: &[Value]) -> usize {
    scores.iter().filter(|score| score["attempts"] != 0).count()
}

/// Whoever ends at the same moment goes to the same column, also when a teacher has removed it.
#[tokio::test]
async fn many_who_hand_in_at_once_have_one_column() {
    const COUNT: usize = 8;
    let school = School::with(&REACHES).await;
    let sitting = school.sitting(40, json!({ "results": "now" })).await;
    let course = Course::without_column(&school, &sitting).await;
    let services = &course.services;
    let mut entrants = enter_all(&school, &sitting, &course, COUNT).await;
    services.set_health(Health::Away);
    submit_all(&mut entrants).await;
    eventually("the column is looked for", async || {
        let waiting = ledger(&school.admin, "?status=pending").await;
        (waiting.len() == COUNT && tried(&waiting) > 0).then_some(())
    })
    .await;
    for _ in 0..5 {
        school.hall.clock.advance(Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(tried(&ledger(&school.admin, "").await), 1, "the others wait for the column");
    services.set_health(Health::Slow(Duration::from_millis(50)));
    taken(&school, services, COUNT).await;
    assert_eq!(services.columns().len(), 1);
    services.remove_columns();
    let posted = services.posted().len();
    for entrant in &entrants {
        school.hall.change_result(&entrant.session_id, VersionReason::LateWork, |result| result.score = 620).await;
    }
    eventually("all have met no column", async || (services.posted().len() >= posted + COUNT).then_some(())).await;
    let scores = taken(&school, services, 2 * COUNT).await;
    assert_eq!(services.columns().len(), 1);
    assert!(scores.iter().all(|score| score.column == "/columns/1"), "{scores:?}");
}

#[tokio::test]
async fn a_column_on_a_later_page_is_found_and_no_other_is_made() {
    let school = School::with(&REACHES).await;
    let sitting = school.sitting(40, json!({ "results": "now" })).await;
    let course = Course::without_column(&school, &sitting).await;
    let services = &course.services;
    services.page_columns(2);
    for number in 0..4 {
        services.add_column(&format!("another-{number}"));
    }
    services.add_column("link-1");
    let mut entrants = enter_all(&school, &sitting, &course, 1).await;
    submit_all(&mut entrants).await;
    let scores = services.wait_for(1).await;
    assert_eq!((services.columns().len(), &*scores[0].column), (5, "/columns/5"));
    services.assert_no_faults();
}

#[tokio::test]
async fn a_list_of_columns_that_is_not_whole_has_none_made() {
    let school = School::with(&REACHES).await;
    let sitting = school.sitting(40, json!({ "results": "now" })).await;
    let course = Course::without_column(&school, &sitting).await;
    let services = &course.services;
    services.page_columns(1);
    services.add_column("another");
    services.add_column("link-1");
    let mut entrants = enter_all(&school, &sitting, &course, 1).await;
    services.lead_to(&format!("https://{}", services.address));
    submit_all(&mut entrants).await;
    let failed = eventually("it has failed", async || ledger(&school.admin, "?status=failed").await.pop()).await;
    assert_eq!(failed["lastError"], "the platform's list of columns goes on at another address");
    assert_eq!((services.columns().len(), services.scores().len()), (2, 0));
}

#[tokio::test]
async fn without_a_column_and_the_right_to_make_one_it_fails_with_the_reason() {
    let school = School::with(&REACHES).await;
    let sitting = school.sitting(40, json!({ "results": "now" })).await;
    let course = Course::without_column(&school, &sitting).await;
    course.services.forbid_columns();
    let mut entrants = enter_all(&school, &sitting, &course, 1).await;
    submit_all(&mut entrants).await;
    let failed = eventually("it has failed", async || ledger(&school.admin, "?status=failed").await.pop()).await;
    assert_eq!(failed["lastError"], "the platform lets no column be made: it answered 403");
    assert!(course.services.scores().is_empty());
    course.services.assert_no_faults();
}

/// A killed server had posted a score and not noted the answer: the next one posts the same bytes, and learns that they
/// had arrived.
#[tokio::test]
async fn a_score_outlives_a_kill() {
    let mut hall = Hall::with(&REACHES).await;
    let admin_token = hall.token("admin").await;
    let template = super::template(&hall.bearer(&admin_token), 5).await;
    let services = CourseServices::open(&hall.base(), &hall.clock).await;
    let column = services.add_column("link-1");
    let target = ("template", template.parse().unwrap());
    let course = Course::with(&hall, &hall.bearer(&admin_token), services, target, Some(column)).await;
    hall.stop().await;
    let process = Process::serve(hall.settings()).await;
    course.services.follow(process.base());
    let mut candidate = Candidate::start(process.base(), json!({ "templateId": template })).await;
    let person = somebody(&hall, &course).await;
    begun_by(&hall, &course, &candidate.session_id, person).await;
    course.services.then([Surprise::TakenInSilence]);
    candidate.submit().await;
    course.services.wait_for(1).await;
    process.kill().await;
    hall.clock.advance(Duration::from_secs(300));
    hall.begin().await;
    course.services.follow(&hall.base());
    let admin = hall.bearer(&admin_token);
    eventually("it counts as arrived", async || {
        hall.clock.advance(LATER);
        (ledger(&admin, "?status=delivered").await.len() == 1).then_some(())
    })
    .await;
    let posted = course.services.posted();
    assert!(posted.len() >= 2 && posted.iter().all(|text| *text == posted[0]), "{posted:?}");
    assert_eq!(course.services.scores().len(), 1);
    course.services.assert_no_faults();
}

/// A person of the platform, as a launch notes them.
pub async fn somebody(hall: &Hall, course: &Course) -> Uuid {
    let person = Uuid::new_v4();
    let platform: Uuid = course.platform.parse().unwrap();
    let of_person = "INSERT INTO lti_people (id, platform_id, subject, created_at_ms) VALUES ($1, $2, 'user-0', 0)";
    super::execute(hall, of_person, vec![person.into(), platform.into()]).await.unwrap();
    person
}

/// Notes that a test was begun by the link, as a launch does.
pub async fn begun_by(hall: &Hall, course: &Course, session_id: &str, person: Uuid) {
    let of_test = "INSERT INTO lti_tests (session_id, link_id, person_id) VALUES ($1, $2, $3)";
    let session: Uuid = session_id.parse().unwrap();
    super::execute(hall, of_test, vec![session.into(), course.link.into(), person.into()]).await.unwrap();
}
