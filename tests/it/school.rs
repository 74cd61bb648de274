//! The school's settings: what anyone may read, how admins change them, the crest, and where reports show them.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Caller, Hall};

/// A picture of a few pixels.
fn crest(format: ImageFormat) -> Vec<u8> {
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
