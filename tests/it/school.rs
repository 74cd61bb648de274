//! The school's settings: what anyone may read, how admins change them, the crest, and where reports show them.

use std::io::Cursor;

use chrono::{DateTime, Days, NaiveDate};
use chrono_tz::Tz;
use image::{DynamicImage, ImageFormat};
use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Caller, Hall};

/// A picture of a few pixels.
pub fn crest(format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    DynamicImage::new_rgb8(8, 8).write_to(&mut file, format).unwrap();
    file.into_inner()
}

async fn change(admin: &Caller, revision: Option<i64>, change: Value) -> Answer {
    let mut request = admin.request(Method::PATCH, "/api/admin/school");
    if let Some(revision) = revision {
        request = request.header("if-match", format!("\"{revision}\""));
    }
    Answer::to(request.json(&change)).await
}

async fn put_crest(admin: &Caller, bytes: impl Into<Vec<u8>>) -> Answer {
    let request = admin.request(Method::PUT, "/api/admin/school/crest");
    Answer::to(request.header("content-type", "image/png").body(bytes.into())).await
}

#[tokio::test]
async fn a_school_that_has_set_nothing_has_the_defaults() {
    let hall = Hall::open().await;
    let school = hall.anonymous().get("/api/school").await;
    assert_eq!(school.status, 200);
    let expected = json!({ "name": "", "crest": "", "colour": "#2348c5", "languages": ["en", "vi"], "timeZone": "" });
    assert_eq!(school.json(), expected);
    hall.anonymous().get("/api/school/crest").await.assert_error(404, "Not found");
}

#[tokio::test]
async fn what_an_admin_sets_is_what_everybody_reads() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let before = hall.anonymous().get("/api/school").await;
    let set = json!({
        "name": "  Trường Lê Lợi ", "colour": "#8A1538", "languages": ["vi", "en"], "timeZone": "Asia/Ho_Chi_Minh",
    });
    let changed = change(&admin, Some(0), set).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert_eq!((changed.json()["revision"].as_i64(), changed.header("etag")), (Some(1), "\"1\""));
    let after = hall.anonymous().get_with("/api/school", "if-none-match", before.header("etag")).await;
    let expected = json!({
        "name": "Trường Lê Lợi", "crest": "", "colour": "#8a1538", "languages": ["vi", "en"],
        "timeZone": "Asia/Ho_Chi_Minh",
    });
    assert_eq!((after.status, after.json()), (200, expected));
    let known = hall.anonymous().get_with("/api/school", "if-none-match", after.header("etag")).await;
    assert_eq!(known.status, 304);
    // One field alone leaves the others as they are.
    assert_eq!(change(&admin, None, json!({ "languages": ["vi"] })).await.status, 200);
    let school = hall.anonymous().get("/api/school").await.json();
    assert_eq!((&school["name"], &school["languages"]), (&json!("Trường Lê Lợi"), &json!(["vi"])));
    assert_eq!(change(&admin, None, json!({ "name": "", "timeZone": "" })).await.status, 200);
    let school = hall.anonymous().get("/api/school").await.json();
    assert_eq!((&school["name"], &school["timeZone"]), (&json!(""), &json!("")));
}

#[tokio::test]
async fn a_school_has_kinds_of_incidents_of_its_own() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    assert_eq!(admin.get("/api/admin/school").await.json()["incidentKinds"], json!([]));
    let kinds = json!(["Sổ đầu bài", "Fire"]);
    let changed = change(&admin, Some(0), json!({ "incidentKinds": ["  Sổ đầu bài ", "Fire"] })).await;
    assert_eq!((changed.status, &changed.json()["incidentKinds"]), (200, &kinds), "{}", changed.text());
    // Another field leaves them, and so does a crest.
    assert_eq!(change(&admin, None, json!({ "name": "Oak School" })).await.status, 200);
    assert_eq!(put_crest(&admin, crest(ImageFormat::Png)).await.json()["incidentKinds"], kinds);
    assert_eq!(admin.get("/api/admin/school").await.json()["incidentKinds"], kinds);
    assert_eq!(hall.anonymous().get("/api/school").await.json().get("incidentKinds"), None, "for proctors alone");
    assert_eq!(change(&admin, None, json!({ "incidentKinds": [] })).await.json()["incidentKinds"], json!([]));
}

#[tokio::test]
async fn two_admins_do_not_overwrite_each_other() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    assert_eq!(change(&admin, Some(0), json!({ "name": "First" })).await.status, 200);
    change(&admin, Some(0), json!({ "name": "Second" })).await.assert_error(412, "School has changed");
    assert_eq!(hall.anonymous().get("/api/school").await.json()["name"], "First");
    assert_eq!(change(&admin, Some(1), json!({ "name": "Second" })).await.status, 200);
}

#[tokio::test]
async fn wrong_settings_are_refused_by_name() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for (change_to, field) in [
        (json!({ "name": "x".repeat(121) }), "name"),
        (json!({ "name": 5 }), "name"),
        (json!({ "name": "a\u{202e}b" }), "name"),
        (json!({ "colour": "red" }), "colour"),
        (json!({ "colour": "#ffd700" }), "colour"),
        (json!({ "languages": [] }), "languages"),
        (json!({ "languages": ["fr"] }), "languages"),
        (json!({ "languages": "en" }), "languages"),
        (json!({ "timeZone": "Mars/Olympus" }), "timeZone"),
        (json!({ "incidentKinds": "Fire" }), "incidentKinds"),
        (json!({ "incidentKinds": ["Fire", "Fire"] }), "incidentKinds"),
        (json!({ "incidentKinds": [""] }), "incidentKinds"),
        (json!({ "incidentKinds": ["x".repeat(51)] }), "incidentKinds"),
        (json!({ "incidentKinds": vec!["x"; 21] }), "incidentKinds"),
        (json!({ "markScale": "school" }), "markScale"),
        (json!({ "markScale": { "type": "numbers" } }), "markScale"),
    ] {
        change(&admin, None, change_to).await.assert_error(400, &format!("Invalid {field}"));
    }
    assert_eq!(admin.get("/api/admin/school").await.json()["revision"], 0);
}

#[tokio::test]
async fn a_crest_is_a_picture_without_scripts() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    put_crest(&admin, b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>").await.assert_error(400, "Invalid crest");
    put_crest(&admin, b"").await.assert_error(400, "Invalid crest");
    let (png, jpeg) = (crest(ImageFormat::Png), crest(ImageFormat::Jpeg));
    put_crest(&admin, &png[..png.len() / 2]).await.assert_error(400, "Invalid crest");
    put_crest(&admin, [png.as_slice(), &vec![0; 256 * 1_024]].concat())
        .await
        .assert_error(413, "Request body too large");
    let first = put_crest(&admin, png.clone()).await;
    assert_eq!(first.status, 200, "{}", first.text());
    let address = hall.anonymous().get("/api/school").await.json()["crest"].as_str().unwrap().to_owned();
    let read = hall.anonymous().get(&address).await;
    assert_eq!((read.status, read.header("content-type")), (200, "image/png"));
    assert_eq!(read.body, png);
    assert_eq!(hall.anonymous().get_with(&address, "if-none-match", read.header("etag")).await.status, 304);
    // Another crest has another address; another name has not.
    assert_eq!(change(&admin, None, json!({ "name": "Oak School" })).await.status, 200);
    assert_eq!(hall.anonymous().get("/api/school").await.json()["crest"], address);
    assert_eq!(put_crest(&admin, jpeg).await.status, 200);
    let other = hall.anonymous().get("/api/school").await.json()["crest"].as_str().unwrap().to_owned();
    assert_ne!(other, address);
    assert_eq!(hall.anonymous().get(&other).await.header("content-type"), "image/jpeg");
    let removed = Answer::to(admin.request(Method::DELETE, "/api/admin/school/crest")).await;
    assert_eq!((removed.status, &removed.json()["crest"]), (200, &json!("")));
    assert_eq!(hall.anonymous().get(&other).await.status, 404);
}

#[tokio::test]
async fn settings_survive_a_restart() {
    let mut hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    assert_eq!(put_crest(&admin, crest(ImageFormat::WebP)).await.status, 200);
    assert_eq!(change(&admin, None, json!({ "name": "Oak School" })).await.status, 200);
    let before = hall.anonymous().get("/api/school").await.json();
    hall.restart().await;
    assert_eq!(hall.anonymous().get("/api/school").await.json(), before);
}

#[tokio::test]
async fn a_day_is_one_of_the_school() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let body = json!({
        "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example",
        "result": {
            "score": 500, "correctAnswers": 0, "totalQuestions": 0, "timeTaken": 1, "topicBreakdown": [],
            "difficultyBreakdown": [], "answers": [],
        },
    });
    let id = hall.anonymous().post_json("/api/sessions", &body).await.json()["sessionId"].clone();
    let stored = hall.stored_session(id.as_str().unwrap()).await;
    let ended: DateTime<chrono::Utc> = stored["timestamp"].as_str().unwrap().parse().unwrap();
    // At any moment the day of one of these is not that of UTC.
    for zone in [Tz::Pacific__Kiritimati, Tz::Pacific__Pago_Pago] {
        assert_eq!(change(&admin, None, json!({ "timeZone": zone.name() })).await.status, 200);
        let day = ended.with_timezone(&zone).date_naive();
        let [before, after]: [NaiveDate; 2] = [day - Days::new(1), day + Days::new(1)];
        for (query, is_found) in
            [(format!("from={day}&to={day}"), true), (format!("from={after}"), false), (format!("to={before}"), false)]
        {
            let sessions = admin.get(&format!("/api/sessions?{query}&origin=all")).await.json();
            assert_eq!(sessions["total"], json!(u8::from(is_found)), "{zone} {query}: {sessions}");
            let table = admin.get(&format!("/api/admin/results?{query}&origin=all")).await.text();
            assert_eq!(table.contains(id.as_str().unwrap()), is_found, "{zone} {query}: {table}");
        }
        let changes = async |query: String| {
            let found = admin.get(&format!("/api/admin/audit?action=school.changed&{query}")).await;
            assert_eq!(found.status, 200, "{}", found.text());
            found.json()["total"].as_u64().unwrap()
        };
        let now = hall.clock.now().utc().with_timezone(&zone).date_naive();
        assert!(changes(format!("from={now}&to={now}")).await > 0, "{zone}");
        assert_eq!(changes(format!("from={}", now + Days::new(1))).await, 0, "{zone}");
        let until = json!({ "factor": 125, "validUntil": "2026-05-05" });
        let put = admin.request(Method::PUT, "/api/admin/accommodations/ada@exam.test").json(&until);
        let put = Answer::to(put).await.json();
        let last: DateTime<chrono::Utc> = put["accommodation"]["validUntil"].as_str().unwrap().parse().unwrap();
        assert_eq!(last.with_timezone(&zone).naive_local().to_string(), "2026-05-05 23:59:59.999", "{zone}: {put}");
        assert_eq!(admin.get("/api/admin/accommodations").await.json()["timeZone"], zone.name());
    }
}
