//! Who may read the paper of a sitting, and when: each road by which a template or its questions leave the server, for
//! each who may ask, from the days before the doors until after the release.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::{School, delete, path};
use crate::hall::{Answer, Caller, Proctor, eventually, token};

const NOT_OPEN: &str = "The exam has not opened yet";
/// Days before its doors the sitting is planned.
const MINUTES_AHEAD: i64 = 3 * 24 * 60;

/// Someone who asks.
struct Asker {
    name: &'static str,
    caller: Caller,
    /// Whether they are staff of the grade.
    is_theirs: bool,
    /// Their token, if they watch a room of the sitting.
    watches: Option<String>,
}

async fn askers(school: &School) -> Vec<Asker> {
    let hall = &school.hall;
    let settings = hall.settings();
    let (proctor, admin) = (token::create(settings, "pia@exam.test", "student").await, hall.token("admin").await);
    let asker = |name, caller, is_theirs| Asker { name, caller, is_theirs, watches: None };
    vec![
        asker("anyone", hall.anonymous(), false),
        asker("a student", hall.signed_in("student").await, false),
        Asker { watches: Some(proctor.clone()), ..asker("a proctor without a role", hall.bearer(&proctor), false) },
        asker("a reviewer without a grade", hall.signed_in("reviewer").await, false),
        asker("a reviewer of another grade", hall.staff_of("reviewer", 6).await, false),
        asker("a manager of another grade", hall.staff_of("manager", 6).await, false),
        asker("a reviewer of the grade", hall.staff_of("reviewer", 5).await, true),
        asker("a manager of the grade", hall.staff_of("manager", 5).await, true),
        Asker { watches: Some(admin.clone()), ..asker("an admin", hall.bearer(&admin), true) },
    ]
}

/// The ids of the questions of a template.
async fn paper(school: &School, template: &str) -> Vec<String> {
    let read = school.admin.get(&format!("/api/admin/test-templates/{template}")).await.json();
    let list = read["template"]["standardQuestions"].as_array().unwrap().clone();
    list.iter().map(|question| question["id"].as_str().unwrap().to_owned()).collect()
}

/// How many of these questions an answer has, as a text.
fn told(text: &str, ids: &[String]) -> usize {
    ids.iter().filter(|id| text.contains(&format!("\"{id}\""))).count()
}

/// Asks on each road whose answer depends on the state of the sitting, and for the rows and lists, which name the
/// template in none.
async fn assert_roads(school: &School, sitting: &Value, ids: &[String], state: &str, is_free: bool) {
    let template = &school.template;
    for asker in &askers(school).await {
        let (caller, may_read) = (&asker.caller, is_free || asker.is_theirs);
        let place = format!("{state}, {}", asker.name);
        let shared = caller.get(&format!("/api/test-templates/{template}")).await;
        if may_read {
            assert_eq!((shared.status, told(&shared.text(), ids)), (200, ids.len()), "{place}");
        } else {
            shared.assert_error(403, NOT_OPEN);
        }
        let bank = caller.get("/api/questions?grade=5").await.text();
        assert_eq!(told(&bank, ids), if may_read { ids.len() } else { 0 }, "the bank: {place}");
        let start = json!({ "templateId": template, "annotations": {} });
        let practice = caller.post_json("/api/live", &start).await;
        assert_eq!(practice.status, if may_read { 200 } else { 403 }, "{place}: {}", practice.text());
        let chosen = json!({ "grade": 5, "mode": "standard", "durationMinutes": 30, "questionIds": ids });
        let practice = caller.post_json("/api/live", &chosen).await;
        assert_eq!(practice.status, if may_read { 200 } else { 400 }, "{place}: {}", practice.text());
        // Whatever the state, these are for staff of the grade.
        for road in ["/api/admin/items?grade=5", "/api/review/questions?grade=5"] {
            let answer = caller.get(road).await;
            assert_eq!(answer.status == 200, asker.is_theirs, "{road}: {place}: {}", answer.text());
            assert!(asker.is_theirs || told(&answer.text(), ids) == 0, "{road}: {place}");
        }
        for road in ["/api/sittings", "/api/sittings/proctored"] {
            let list = caller.get(road).await.text();
            assert!(!list.contains(template), "{road}: {place}: {list}");
        }
        if let Some(token) = &asker.watches {
            assert_rows(school, sitting, token, &place).await;
        }
    }
}

/// Rows name no template, neither in frames nor over HTTPS.
async fn assert_rows(school: &School, sitting: &Value, token: &str, place: &str) {
    let room = json!({ "sittingId": sitting["id"], "room": "B12" });
    let rows = Proctor::roster(&school.hall.base(), token, &room).await;
    assert_eq!(rows.len(), 1, "{place}");
    let list = format!("/api/live/sessions?sittingId={}&room=B12", sitting["id"].as_str().unwrap());
    let list = school.hall.bearer(token).get(&list).await;
    assert_eq!(list.json()["sessions"].as_array().unwrap().len(), 1, "{place}: {}", list.text());
    for row in rows.values().chain(list.json()["sessions"].as_array().unwrap()) {
        assert!(row["templateId"].is_null(), "{place}: {row}");
        assert!(!row.to_string().contains(&school.template), "{place}: {row}");
    }
}

#[tokio::test]
async fn a_paper_is_for_staff_of_its_grades_from_the_plan_to_the_release() {
    let school = School::open().await;
    let ids = paper(&school, &school.template).await;
    let anyone = school.hall.anonymous();
    let shared = format!("/api/test-templates/{}", school.template);
    assert_eq!(anyone.get(&shared).await.status, 200, "practice that no sitting names");
    let rooms = json!([{ "name": "B12", "proctors": ["pia@exam.test"] }]);
    let sitting = school.sitting(MINUTES_AHEAD, json!({ "rooms": rooms })).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada", "room": "B12" }])).await;
    assert_roads(&school, &sitting, &ids, "planned", false).await;
    school.advance(u64::try_from(MINUTES_AHEAD).unwrap() - 29);
    let mut ada = school.enter_all(&sitting).await.remove(0);
    assert_roads(&school, &sitting, &ids, "doors", false).await;
    school.advance(30);
    ada.begin().await;
    assert_roads(&school, &sitting, &ids, "running", false).await;
    ada.submit().await;
    assert_roads(&school, &sitting, &ids, "ended", false).await;
    assert_eq!(school.release(&sitting).await.status, 200);
    assert_roads(&school, &sitting, &ids, "released", true).await;
}

#[tokio::test]
async fn a_plan_that_is_given_up_gives_its_paper_back() {
    let school = School::open().await;
    let anyone = school.hall.anonymous();
    let first = school.template.clone();
    let second = super::template(&school.admin, 5).await;
    let shared = async |template: &str| anyone.get(&format!("/api/test-templates/{template}")).await.status;
    let sitting = school.sitting(MINUTES_AHEAD, json!({})).await;
    assert_eq!(shared(&first).await, 403);
    // The papers may share questions, and each of them closes both.
    let (of_first, of_second) = (paper(&school, &first).await, paper(&school, &second).await);
    let common = of_first.iter().collect::<BTreeSet<_>>().intersection(&of_second.iter().collect()).count();
    let with_common = if common > 0 { 403 } else { 200 };
    assert_eq!(shared(&second).await, with_common);
    assert_eq!(school.patch(&sitting, json!({ "templateId": second })).await.status, 200);
    assert_eq!((shared(&first).await, shared(&second).await), (with_common, 403), "another paper");
    assert_eq!(delete(&school.admin, &path(&sitting)).await.status, 200);
    assert_eq!((shared(&first).await, shared(&second).await), (200, 200), "the draft is gone");
    let again = school.sitting(60, json!({})).await;
    school.enrol(&again, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    school.advance(31);
    school.enter_all(&again).await;
    assert_eq!(shared(&first).await, 403);
    assert_eq!(delete(&school.admin, &path(&again)).await.status, 200);
    assert_eq!(school.read(&again).await["state"], "ended", "called off, and kept for its record");
    assert_eq!(shared(&first).await, 200);
}

#[tokio::test]
async fn an_exam_that_nobody_has_released_keeps_its_paper() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let draw = format!("/api/admin/test-templates/{}/generate", school.template);
    let before = paper(&school, &school.template).await;
    assert_eq!(Answer::to(school.admin.request(Method::POST, &draw)).await.status, 200);
    let after = paper(&school, &school.template).await;
    let anyone = school.hall.anonymous();
    let bank = async || anyone.get("/api/questions?grade=5").await.text();
    let dropped: Vec<String> = before.into_iter().filter(|id| !after.contains(id)).collect();
    let shown = bank().await;
    assert_eq!((told(&shown, &after), told(&shown, &dropped)), (0, dropped.len()), "a new draw before the doors");
    school.advance(5 * 24 * 60);
    assert_eq!(told(&bank().await, &after), 0, "days after its time");
    assert_eq!(school.release_before_all_have_come(&sitting).await.status, 200);
    assert_eq!(told(&bank().await, &after), after.len());
}

#[tokio::test]
async fn another_server_closes_the_paper_soon_and_a_practice_that_runs_keeps_it() {
    let school = School::open().await;
    let beside = school.hall.beside().await;
    let practising = school.hall.sit(json!({ "templateId": school.template, "annotations": {} })).await;
    let at = format!("/api/test-templates/{}", school.template);
    assert_eq!(beside.anonymous().get(&at).await.status, 200);
    school.sitting(MINUTES_AHEAD, json!({})).await;
    eventually("the other server closes the paper", async || {
        Some(beside.anonymous().get(&at).await).filter(|answer| answer.status == 403)
    })
    .await
    .assert_error(403, NOT_OPEN);
    let own = practising.caller().get(&format!("{at}?sessionId={}", practising.session_id)).await;
    assert_eq!(own.status, 200, "{}", own.text());
}

#[tokio::test]
async fn a_paper_of_two_grades_is_for_those_who_have_both() {
    let school = School::open().await;
    let targets = json!({ "1": 2, "2": 2, "3": 2, "4": 2, "5": 2 });
    let config = json!({
        "name": "Both", "grades": [5, 6], "mode": "standard", "durationMinutes": 45, "standardTargets": targets,
    });
    let made = school.admin.post_json("/api/admin/test-templates", &config).await.json();
    let template = made["template"]["id"].as_str().unwrap().to_owned();
    let sitting = school.sitting(MINUTES_AHEAD, json!({ "templateId": template })).await;
    let at = format!("/api/test-templates/{template}");
    let reviewer = school.hall.staff_of("reviewer", 5).await;
    reviewer.get(&at).await.assert_error(403, NOT_OPEN);
    let start = json!({ "templateId": template, "annotations": {} });
    assert_eq!(reviewer.post_json("/api/live", &start).await.status, 403);
    let both = json!({ "email": "reviewer-of-5@exam.test", "name": "Somebody", "grades": [5, 6] });
    assert_eq!(school.admin.post_json("/api/admin/review/assignments", &both).await.status, 200);
    assert_eq!(reviewer.get(&at).await.status, 200);
    assert_eq!(reviewer.post_json("/api/live", &start).await.status, 200);
    assert_eq!(delete(&school.admin, &path(&sitting)).await.status, 200);
    assert_eq!(school.hall.anonymous().get(&at).await.status, 200);
}
