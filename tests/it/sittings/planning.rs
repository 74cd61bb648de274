//! Making, listing, changing and removing sittings.

use reqwest::Method;
use serde_json::{Value, json};

use super::{PATH, School, delete, path, send, template};
use crate::hall::{Answer, token};

#[tokio::test]
async fn whoever_has_sat_the_paper_by_its_link_is_counted_before_the_exam() {
    let school = School::open().await;
    let begins = json!({ "templateId": school.template });
    for email in ["ada@exam.test", "elsewhere@exam.test"] {
        let student = school.hall.bearer(&token::create(school.hall.settings(), email, "student").await);
        let begun = student.post_json("/api/live", &begins).await;
        assert_eq!(begun.status, 200, "{}", begun.text());
    }
    let sitting = school.sitting(60, json!({})).await;
    assert_eq!(sitting["satByLink"], Value::Null, "nobody is on the roster");
    let people = ["ada", "bo"].map(|name| json!({ "email": format!("{name}@exam.test"), "name": name }));
    school.enrol(&sitting, json!(people)).await;
    assert_eq!(school.read(&sitting).await["satByLink"], 1);
    let template = school.admin.get(&format!("/api/admin/test-templates/{}", school.template)).await.json();
    assert_eq!(template["template"]["begunByLink"], 2);
    // Those who enter the sitting have not come by the link.
    school.advance(31);
    school.enter_all(&sitting).await;
    assert_eq!(school.read(&sitting).await["satByLink"], 1);
    school.advance(30);
    assert_eq!(school.read(&sitting).await["satByLink"], Value::Null, "time counts");
}

#[tokio::test]
async fn a_new_sitting_has_the_usual_rules_and_a_code() {
    let school = School::open().await;
    let starts_at = school.at(60);
    let rooms = json!([{ "name": "B12", "proctors": ["Ada@Exam.test"], "factor": 110 }]);
    let sitting = school.sitting(60, json!({ "rooms": rooms, "startsAt": starts_at })).await;
    assert_eq!(sitting["startsAt"], starts_at);
    for (name, value) in [
        ("start", json!("clock")),
        ("late", json!("cut")),
        ("results", json!("held")),
        ("perRoom", json!(false)),
        ("state", json!("draft")),
        ("released", json!(false)),
        ("minutes", json!(45)),
        ("endsAt", Value::Null),
        ("begunAt", Value::Null),
        ("version", json!(1)),
    ] {
        assert_eq!(sitting[name], value, "{name}");
    }
    let code = regex::Regex::new("^[2-9A-Y]{5}$").unwrap();
    assert!(code.is_match(sitting["code"].as_str().unwrap()), "{}", sitting["code"]);
    let room = &sitting["rooms"][0];
    assert_eq!(
        (&room["proctors"], &room["factor"], &room["candidates"]),
        (&json!(["ada@exam.test"]), &json!(110), &json!(0))
    );
    assert_eq!(school.read(&sitting).await, sitting);
    assert!(sitting.get("sealingKey").is_none() && sitting["publish"] == false);
}

#[tokio::test]
async fn a_change_is_for_the_version_that_it_names() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({ "entryUntil": school.at(70) })).await;
    let change = |version: &'static str, changes: Value| {
        let request = school.admin.request(Method::PATCH, &path(&sitting)).header("if-match", version);
        Answer::to(request.json(&changes))
    };
    let changed = change("\"1\"", json!({ "name": "Finals A", "entryUntil": null })).await;
    assert_eq!((changed.status, changed.header("etag")), (200, "\"2\""));
    let changed = changed.json()["sitting"].clone();
    assert_eq!(
        (&changed["name"], &changed["entryUntil"], &changed["version"]),
        (&json!("Finals A"), &Value::Null, &json!(2))
    );
    change("\"1\"", json!({ "name": "Finals B" })).await.assert_error(412, "Sitting has changed");
    // Without a version, whatever there is is changed.
    assert_eq!(school.patch(&sitting, json!({ "name": "Finals C" })).await.status, 200);
    // Of many who change the same version at once, one wins.
    let answers = futures_util::future::join_all((0..6).map(|_| change("\"3\"", json!({ "late": "full" })))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412, 412, 412, 412, 412]);
    let request = school.admin.request(Method::DELETE, &path(&sitting)).header("if-match", "\"3\"");
    Answer::to(request).await.assert_error(412, "Sitting has changed");
}

#[tokio::test]
async fn a_room_keeps_its_identity_and_goes_only_when_it_is_empty() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({ "rooms": [{ "name": "B12" }, { "name": "B13" }] })).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "room": "b12" }])).await;
    let id = &sitting["rooms"][0]["id"];
    let renamed =
        school.patch(&sitting, json!({ "rooms": [{ "id": id, "name": "Great hall", "extraMinutes": 5 }] })).await;
    assert_eq!(renamed.status, 200, "{}", renamed.text());
    let rooms = renamed.json()["sitting"]["rooms"].clone();
    assert_eq!((&rooms[0]["id"], &rooms[0]["name"], &rooms[0]["candidates"]), (id, &json!("Great hall"), &json!(1)));
    assert_eq!((&rooms[0]["code"], rooms.as_array().unwrap().len()), (&sitting["rooms"][0]["code"], 1));
    let candidate = &school.candidates(&sitting).await[0];
    assert_eq!((&candidate["room"], &candidate["extraMinutes"]), (&json!("Great hall"), &json!(5)));
    school.patch(&sitting, json!({ "rooms": [] })).await.assert_error(409, "Room has candidates");
}

#[tokio::test]
async fn the_next_one_comes_first_and_the_last_one_that_ended_follows() {
    let school = School::open().await;
    for (name, minutes) in [("later", 300), ("long ago", -400), ("soon", 20), ("lately", -200), ("now", -5)] {
        school.sitting(minutes, json!({ "name": name })).await;
    }
    let list = school.admin.get(PATH).await.json()["sittings"].clone();
    let names: Vec<_> =
        list.as_array().unwrap().iter().map(|one| (one["name"].clone(), one["state"].clone())).collect();
    let expected =
        [("now", "running"), ("soon", "open"), ("later", "draft"), ("lately", "ended"), ("long ago", "ended")];
    assert_eq!(names, expected.map(|(name, state)| (json!(name), json!(state))));
}

#[tokio::test]
async fn what_has_begun_to_count_stays() {
    let school = School::open().await;
    let other = template(&school.admin, 5).await;
    let sitting = school.sitting(40, json!({})).await;
    assert_eq!(school.patch(&sitting, json!({ "templateId": other })).await.status, 200);
    school.advance(20);
    // Postponed while people wait: the doors stay open, though the usual half hour before the start lies ahead again.
    let postponed = school.patch(&sitting, json!({ "startsAt": school.at(60) })).await.json()["sitting"].clone();
    assert_eq!((&postponed["state"], postponed["openedAt"].is_string()), (&json!("open"), true));
    school.patch(&sitting, json!({ "templateId": school.template })).await.assert_error(409, "Sitting is open");
    school.patch(&sitting, json!({ "startsAt": school.at(-1) })).await.assert_error(400, "Invalid startsAt");
    school.advance(61);
    assert_eq!(school.read(&sitting).await["state"], "running");
    delete(&school.admin, &path(&sitting)).await.assert_error(409, "Sitting has candidates at work");
    for changes in [json!({ "startsAt": school.at(10) }), json!({ "start": "proctor" }), json!({ "late": "full" })] {
        school.patch(&sitting, changes).await.assert_error(409, "Sitting has begun");
    }
    assert_eq!(school.patch(&sitting, json!({ "endsAt": school.at(60), "results": "now" })).await.status, 200);
    school.advance(46);
    assert_eq!(school.read(&sitting).await["state"], "ended");
}

#[tokio::test]
async fn only_a_draft_is_removed() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({ "rooms": [{ "name": "B12" }] })).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "room": "B12" }])).await;
    assert_eq!(delete(&school.admin, &path(&sitting)).await.status, 200);
    school.admin.get(&path(&sitting)).await.assert_error(404, "Not found");
    assert_eq!(school.admin.get(PATH).await.json()["sittings"], json!([]));
    delete(&school.admin, &path(&sitting)).await.assert_error(404, "Not found");
}

#[tokio::test]
async fn a_manager_of_all_grades_of_the_template_plans_its_sittings() {
    let school = School::open().await;
    let manager = school.hall.signed_in("manager").await;
    let assign = json!({ "email": "manager@exam.test", "name": "M", "grades": [5] });
    let assigned = send(&school.admin, Method::POST, "/api/admin/review/managers", &assign).await;
    assert_eq!(assigned.status, 200, "{}", assigned.text());
    let body = json!({ "name": "Finals", "templateId": school.template, "startsAt": school.at(60) });
    let own = manager.post_json(PATH, &body).await;
    assert_eq!(own.status, 200, "{}", own.text());
    let elsewhere = template(&school.admin, 6).await;
    let other = school.sitting(60, json!({ "templateId": elsewhere })).await;
    for path in ["", "/candidates", "/results", "/results.csv", "/results.xlsx", "/slips.pdf"] {
        manager.get(&format!("{}{path}", super::path(&other))).await.assert_error(403, "Not assigned to this grade");
    }
    let body = json!({ "name": "Finals", "templateId": elsewhere, "startsAt": school.at(60) });
    manager.post_json(PATH, &body).await.assert_error(403, "Not assigned to this grade");
    let moved = json!({ "templateId": elsewhere });
    let own = own.json()["sitting"].clone();
    send(&manager, Method::PATCH, &path(&own), &moved).await.assert_error(403, "Not assigned to this grade");
    let seen = manager.get(PATH).await.json()["sittings"].as_array().unwrap().len();
    assert_eq!((seen, school.admin.get(PATH).await.json()["sittings"].as_array().unwrap().len()), (1, 2));
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn the_field_that_is_wrong_is_named() {
        let school = School::open().await;
        let good = json!({ "name": "Finals", "templateId": school.template, "startsAt": school.at(60) });
        for (field, value) in [
            ("name", json!("")),
            ("name", Value::Null),
            ("name", json!(5)),
            ("templateId", json!("00000000-0000-4000-8000-000000000000")),
            ("templateId", json!("none")),
            ("startsAt", json!("2026-06-01T09:00:00")),
            ("start", json!("soon")),
            ("doorsAt", json!(school.at(61))),
            ("entryUntil", json!(school.at(10))),
            ("endsAt", good["startsAt"].clone()),
            ("late", json!("half")),
            ("results", json!("later")),
            ("perRoom", json!("yes")),
            ("webhookUrl", json!("javascript:alert(1)")),
            ("rooms", json!([{ "name": "B12" }, { "name": "b12" }])),
            ("rooms", json!([{ "name": "B12", "factor": 99 }])),
            ("rooms", json!([{ "name": "B12", "proctors": ["nobody"] }])),
        ] {
            let mut body = good.clone();
            body[field] = value.clone();
            let answer = school.admin.post_json(PATH, &body).await;
            assert_eq!(
                (answer.status, answer.json()["error"].clone()),
                (400, json!(format!("Invalid {field}"))),
                "{value}"
            );
        }
        school.admin.get(&format!("{PATH}/none")).await.assert_error(404, "Not found");
    }
}
