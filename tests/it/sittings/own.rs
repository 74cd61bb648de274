//! What a person who is signed in sees of their own sittings.

use reqwest::Method;
use serde_json::{Value, json};

use super::{School, path};
use crate::hall::Answer;

async fn get(school: &School, cookie: &str, path: &str) -> Answer {
    Answer::to(school.hall.anonymous().request(Method::GET, path).header("cookie", cookie)).await
}

async fn own(school: &School, cookie: &str) -> Vec<Value> {
    let answer = get(school, cookie, "/api/sittings").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["sittings"].as_array().unwrap().clone()
}

#[tokio::test]
async fn everyone_sees_their_own_sittings_and_what_they_may_do() {
    let school = School::open().await;
    // The first one to sign in becomes admin.
    school.hall.cookie("head@exam.test").await;
    let ada = school.hall.cookie("ada@exam.test").await;
    assert_eq!(own(&school, &ada).await, Vec::<Value>::new());
    let put = json!({ "factor": 120 });
    super::send(&school.admin, Method::PUT, "/api/admin/accommodations/ada%40exam.test", &put).await;
    let sitting = school.sitting(60, json!({ "entryUntil": school.at(70) })).await;
    school.enrol(&sitting, json!([{ "email": "ADA@exam.test", "name": "Ada", "room": "B12", "seat": "4" }])).await;
    let other = school.sitting(30, json!({ "name": "Others" })).await;
    school.enrol(&other, json!([{ "email": "bo@exam.test" }])).await;
    let [only] = &own(&school, &ada).await[..] else { panic!("one sitting") };
    for (name, value) in [
        ("id", &sitting["id"]),
        ("code", &sitting["code"]),
        ("name", &json!("Finals")),
        ("state", &json!("expected")),
        ("may", &json!("wait")),
        ("minutes", &json!(54.0)),
        ("room", &json!("B12")),
        ("seat", &json!("4")),
        ("startsAt", &sitting["startsAt"]),
        ("doorsAt", &sitting["doorsAt"]),
        ("sessionId", &Value::Null),
        ("released", &json!(false)),
    ] {
        assert_eq!(&only[name], value, "{name}");
    }
    let may = async || own(&school, &ada).await[0]["may"].clone();
    school.advance(31);
    assert_eq!(may().await, "enter");
    let candidate = school.candidate(&sitting, "Ada").await;
    let mut student = school.enter(&sitting, &candidate).await;
    assert_eq!(may().await, "resume");
    school.advance(30);
    student.begin().await;
    student.submit().await;
    assert_eq!(may().await, "nothing");
    let released =
        Answer::to(school.admin.request(Method::POST, &format!("{}/release?force=true", path(&sitting)))).await;
    assert_eq!((released.status, may().await), (200, json!("result")));
    school.advance(60);
    let later = school.sitting(20, json!({ "name": "Next" })).await;
    let missed = school.sitting(-15, json!({ "name": "Missed", "entryUntil": school.at(-5) })).await;
    for sitting in [&later, &missed] {
        school.enrol(sitting, json!([{ "email": "ada@exam.test" }])).await;
    }
    let listed: Vec<_> = own(&school, &ada).await.iter().map(|one| (one["name"].clone(), one["may"].clone())).collect();
    let expected = [("Missed", "nothing"), ("Next", "enter"), ("Finals", "result")];
    assert_eq!(listed, expected.map(|(name, may)| (json!(name), json!(may))));
}

#[tokio::test]
async fn a_sitting_goes_into_ones_own_calendar() {
    let school = School::open().await;
    school.hall.cookie("head@exam.test").await;
    let (ada, bo) = (school.hall.cookie("ada@exam.test").await, school.hall.cookie("bo@exam.test").await);
    let sitting =
        school.sitting(60, json!({ "startsAt": "2030-06-01T09:00:00+07:00", "name": "Finals; part 1" })).await;
    let candidates = json!([{ "email": "ada@exam.test", "room": "B12", "seat": "4", "extraMinutes": 15 }]);
    school.enrol(&sitting, candidates).await;
    let file = format!("/api/sittings/{}/calendar.ics", sitting["id"].as_str().unwrap());
    let answer = get(&school, &ada, &file).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/calendar; charset=utf-8"));
    let text = answer.text().replace("\r\n ", "");
    for line in [
        "SUMMARY:Finals\\; part 1".to_owned(),
        "DTSTART:20300601T020000Z".to_owned(),
        "DTEND:20300601T030000Z".to_owned(),
        "LOCATION:B12\\, 4".to_owned(),
        format!("URL:http://exam.localhost/s/{}", sitting["code"].as_str().unwrap()),
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in:\n{text}");
    }
    get(&school, &bo, &file).await.assert_error(404, "Not found");
    assert_eq!(school.hall.anonymous().get(&file).await.status, 401);
    get(&school, &ada, "/api/sittings/none/calendar.ics").await.assert_error(404, "Not found");
}
