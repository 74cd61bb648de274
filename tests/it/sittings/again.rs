//! A sitting that is held again: what comes along, and what does not.

use chrono::{Datelike, NaiveDate, TimeDelta};
use reqwest::Method;
use serde_json::{Value, json};

use super::{School, path, send, template, time};
use crate::hall::{Answer, time_of};

const WEEK_MILLISECONDS: i64 = 7 * 24 * 3_600_000;

async fn again(school: &School, sitting: &Value, body: Value) -> Value {
    let answer = send(&school.admin, Method::POST, &format!("{}/again", path(sitting)), &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("etag"), "\"1\"");
    answer.json()["sitting"].clone()
}

/// A sitting with two candidates, one of whom has needs and times of their own.
async fn held(school: &School) -> Value {
    let rooms = json!([{ "name": "B12", "proctors": ["p@exam.test"], "endsAt": school.at(90), "factor": 110 }]);
    let plan = json!({
        "rooms": rooms, "entryUntil": school.at(20), "doorsAt": school.at(0), "late": "full",
        "results": school.at(24 * 60),
    });
    let sitting = school.sitting(10, plan).await;
    let roster = json!([
        { "email": "ada@exam.test", "name": "Ada" },
        {
            "email": "bo@exam.test", "externalId": "7", "name": "Bo", "room": "B12", "seat": "2", "factor": 150,
            "extraMinutes": 5, "startsAt": school.at(15), "note": "by the door",
        },
    ]);
    school.enrol(&sitting, roster).await;
    sitting
}

/// The candidate's fields without ids and what happens in a sitting.
fn planned(candidate: &Value) -> Value {
    let mut fields = candidate.clone();
    fields.as_object_mut().unwrap().retain(|name, _| !["id", "state", "sessionId", "startsAt"].contains(&&**name));
    fields
}

#[tokio::test]
async fn everybody_comes_along_and_nothing_of_what_happened() {
    let school = School::open().await;
    let sitting = held(&school).await;
    let before = school.candidates(&sitting).await;
    let slips = format!("{}/slips.pdf", path(&sitting));
    assert_eq!(Answer::to(school.admin.request(Method::POST, &slips)).await.status, 200);
    assert_eq!(school.candidate(&sitting, "Bo").await["hasAccessCode"], true);
    let mut student = school.enter(&sitting, &before[0]).await;
    school.advance(11);
    student.begin().await;
    let running = again(&school, &sitting, json!({})).await;
    let of_running = school.candidates(&running).await;
    student.submit().await;
    school.advance(10 * 24 * 60);
    let ended = again(&school, &sitting, json!({})).await;
    let of_ended = school.candidates(&ended).await;
    for (next, after, weeks) in [(&running, &of_running, 1), (&ended, &of_ended, 2)] {
        let by = time_of(&next["startsAt"]) - time_of(&sitting["startsAt"]);
        assert_eq!(by.num_milliseconds(), weeks * WEEK_MILLISECONDS);
        for field in ["doorsAt", "entryUntil", "results"] {
            assert_eq!(time_of(&next[field]) - time_of(&sitting[field]), by, "{field}");
        }
        assert_eq!(time_of(&next["rooms"][0]["endsAt"]) - time_of(&sitting["rooms"][0]["endsAt"]), by);
        for field in ["name", "templateId", "start", "late", "publish", "webhookUrl"] {
            assert_eq!(next[field], sitting[field], "{field}");
        }
        for field in ["proctors", "factor", "name"] {
            assert_eq!(next["rooms"][0][field], sitting["rooms"][0][field], "{field}");
        }
        assert_eq!((&next["state"], &next["counts"]["expected"]), (&json!("draft"), &json!(2)));
        for field in ["openedAt", "begunAt", "endedAt", "releasedAt"] {
            assert_eq!(next[field], Value::Null, "{field}");
        }
        for field in ["id", "code"] {
            assert_ne!(next[field], sitting[field], "{field}");
            assert_ne!(next["rooms"][0][field], sitting["rooms"][0][field], "{field}");
        }
        assert_eq!(
            after.iter().map(planned).collect::<Vec<_>>(),
            before.iter().map(planned).collect::<Vec<_>>(),
            "rooms, seats, notes and needs, and no codes"
        );
        assert!(after.iter().all(|one| one["state"] == "expected" && one["sessionId"].is_null()), "{after:?}");
        assert_eq!(time_of(&after[1]["startsAt"]) - time_of(&before[1]["startsAt"]), by);
        assert!(before.iter().all(|one| after.iter().all(|other| other["id"] != one["id"])));
    }
    assert_ne!(running["code"], ended["code"]);
}

#[tokio::test]
async fn a_make_up_can_be_held_again() {
    let school = School::open().await;
    let sitting = school.sitting(10, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    school.advance(3 * 60);
    let made = send(&school.admin, Method::POST, &format!("{}/make-up", path(&sitting)), &json!({})).await;
    let next = again(&school, &made.json()["sitting"], json!({})).await;
    assert_eq!((&next["name"], &next["counts"]["total"]), (&json!("Finals (make-up)"), &json!(1)));
    let weeks = time_of(&next["startsAt"]) - time_of(&sitting["startsAt"]);
    assert_eq!(weeks.num_milliseconds(), 2 * WEEK_MILLISECONDS, "a week after the make-up, which lies ahead");
}

#[tokio::test]
async fn the_clocks_of_the_school_decide_what_a_week_is() {
    let school = School::open().await;
    let zone = json!({ "timeZone": "Europe/Berlin" });
    assert_eq!(send(&school.admin, Method::PATCH, "/api/admin/school", &zone).await.status, 200);
    // The clocks go back on the last Sunday of October.
    let october = NaiveDate::from_ymd_opt(school.hall.clock.now().utc().year() + 1, 10, 31).unwrap();
    let sunday = october - TimeDelta::days(october.weekday().num_days_from_sunday().into());
    let at = |days, hour| time((sunday + TimeDelta::days(days)).and_hms_opt(hour, 0, 0).unwrap().and_utc());
    let sitting = school.sitting(10, json!({ "startsAt": at(-3, 7), "endsAt": at(-3, 9) })).await;
    let next = again(&school, &sitting, json!({})).await;
    assert_eq!((&next["startsAt"], &next["endsAt"]), (&json!(at(4, 8)), &json!(at(4, 10))));
    let given = again(&school, &sitting, json!({ "startsAt": at(10, 9) })).await;
    assert_eq!(given["endsAt"], json!(at(10, 11)));
}

#[tokio::test]
async fn every_field_of_a_new_sitting_may_differ() {
    let school = School::open().await;
    let sitting = held(&school).await;
    let other = template(&school.admin, 5).await;
    let changes = json!({
        "name": "Second test", "templateId": other, "startsAt": school.at(2 * 24 * 60), "start": "proctor",
        "entryUntil": null, "endsAt": school.at(2 * 24 * 60 + 90), "results": "held",
        "rooms": [{ "id": sitting["rooms"][0]["id"], "name": "B13" }, { "name": "C1" }],
    });
    let next = again(&school, &sitting, changes.clone()).await;
    for field in ["name", "templateId", "startsAt", "start", "entryUntil", "endsAt", "results"] {
        assert_eq!(next[field], changes[field], "{field}");
    }
    let rooms: Vec<_> =
        next["rooms"].as_array().unwrap().iter().map(|room| (&room["name"], &room["candidates"])).collect();
    assert_eq!(rooms, [(&json!("B13"), &json!(1)), (&json!("C1"), &json!(0))]);
    let refused =
        async |body: Value| send(&school.admin, Method::POST, &format!("{}/again", path(&sitting)), &body).await;
    refused(json!({ "rooms": [{ "name": "C1" }] })).await.assert_error(409, "Room has candidates");
    let unknown = "00000000-0000-4000-8000-000000000000";
    for (body, field) in [
        (json!({ "name": " " }), "name"),
        (json!({ "startsAt": "soon" }), "startsAt"),
        (json!({ "templateId": unknown }), "templateId"),
        (json!({ "endsAt": "2020-01-01T09:00:00Z" }), "endsAt"),
        (json!({ "rooms": [{ "name": "" }] }), "rooms"),
        (json!([]), "body"),
    ] {
        refused(body).await.assert_error(400, &format!("Invalid {field}"));
    }
    let elsewhere = school.hall.staff_of("manager", 6).await;
    let theirs = elsewhere.post_json(&format!("{}/again", path(&sitting)), &json!({})).await;
    theirs.assert_error(403, "Not assigned to this grade");
    let manager = school.hall.staff_of("manager", 5).await;
    let of_six = template(&school.admin, 6).await;
    let taken = manager.post_json(&format!("{}/again", path(&sitting)), &json!({ "templateId": of_six })).await;
    taken.assert_error(403, "Not assigned to this grade");
    let without_body = Answer::to(manager.request(Method::POST, &format!("{}/again", path(&sitting)))).await;
    assert_eq!(without_body.status, 200, "{}", without_body.text());
}

#[tokio::test]
async fn a_paper_that_was_sat_and_released_is_known_until_it_is_drawn_anew() {
    let school = School::open().await;
    let sitting = held(&school).await;
    let candidates = school.candidates(&sitting).await;
    let mut student = school.enter(&sitting, &candidates[0]).await;
    school.advance(11);
    student.begin().await;
    student.submit().await;
    let next = again(&school, &sitting, json!({})).await;
    assert_eq!(next.get("knownFrom"), None, "nobody has seen a result");
    assert_eq!(school.release_before_all_have_come(&sitting).await.status, 200);
    assert_eq!(school.read(&next).await["knownFrom"], 1);
    let other = template(&school.admin, 5).await;
    let with_other = again(&school, &sitting, json!({ "templateId": other })).await;
    assert_eq!(with_other.get("knownFrom"), None, "another paper");
    assert_eq!(school.read(&sitting).await.get("knownFrom"), None, "it is over");
}

#[tokio::test]
async fn a_sitting_of_other_grades_is_counted_and_not_named() {
    let school = School::open().await;
    let of_six = template(&school.admin, 6).await;
    let sitting = school.sitting(60, json!({})).await;
    let resit = school.sitting(60, json!({ "templateId": of_six, "name": "Resit Ada N." })).await;
    for one in [&sitting, &resit] {
        school.enrol(one, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    }
    let manager = school.hall.staff_of("manager", 5).await;
    let seen = manager.get(&path(&sitting)).await.json();
    assert_eq!(seen["sitting"]["elsewhere"], json!({ "candidates": 1, "sittings": [] }));
    let of_admin = json!({ "candidates": 1, "sittings": [{ "id": resit["id"], "name": "Resit Ada N." }] });
    assert_eq!(school.read(&sitting).await["elsewhere"], of_admin);
}

#[tokio::test]
async fn who_is_in_another_sitting_at_the_same_time_is_counted() {
    let school = School::open().await;
    let sitting = held(&school).await;
    let minutes = school.read(&sitting).await["minutes"].as_i64().unwrap();
    let one = again(&school, &sitting, json!({})).await;
    assert_eq!(one.get("elsewhere"), None, "a week later");
    let other = again(&school, &sitting, json!({ "name": "Make-up" })).await;
    let found = |sitting: &Value| sitting["elsewhere"].clone();
    let of_one = json!({ "candidates": 2, "sittings": [{ "id": one["id"], "name": one["name"] }] });
    assert_eq!(found(&other), of_one);
    let of_other = json!({ "candidates": 2, "sittings": [{ "id": other["id"], "name": "Make-up" }] });
    assert_eq!(found(&school.read(&one).await), of_other);
    // One who is on both rosters by another name of theirs is one, and the rest is free.
    school.enrol(&other, json!([{ "externalId": "7", "name": "Bo" }, { "email": "cy@exam.test", "name": "Cy" }])).await;
    assert_eq!(found(&school.read(&other).await)["candidates"], 1);
    let start = time_of(&one["startsAt"]) + TimeDelta::minutes(minutes);
    let moved = json!({ "startsAt": start.to_rfc3339(), "doorsAt": null, "entryUntil": null });
    let answer = send(&school.admin, Method::PATCH, &path(&other), &moved).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(school.read(&other).await.get("elsewhere"), None, "it begins when the other one is over");
}
