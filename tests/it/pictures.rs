//! Pictures of questions: uploads, what is left of them, who sees them, and when they are deleted.

use std::io::Cursor;
use std::time::Duration;

use examhall::database::Database;
use examhall::store::pictures;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use reqwest::Method;
use serde_json::json;

use crate::hall::{Answer, Caller, Hall, eventually};

const UPLOAD: &str = "/api/review/pictures";

pub fn file(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let picture = RgbImage::from_pixel(width, height, Rgb([90, 20, 20]));
    DynamicImage::from(picture).write_to(&mut file, format).unwrap();
    file.into_inner()
}

async fn send(caller: &Caller, bytes: impl Into<Vec<u8>>) -> Answer {
    Answer::to(caller.request(Method::POST, UPLOAD).body(bytes.into())).await
}

/// Uploads a picture; returns its address.
pub async fn upload(caller: &Caller, bytes: impl Into<Vec<u8>>) -> String {
    let answer = send(caller, bytes).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let url = answer.json()["url"].as_str().unwrap().to_owned();
    assert_eq!(answer.header("location"), url);
    url
}

/// Gives a picture to a question of grade 5.
pub async fn show(admin: &Caller, id: &str, url: &str) {
    let updates = json!({ "image": url, "imageDescription": "A clock" });
    let edit = json!({ "questionId": id, "grade": 5, "updates": updates });
    let answer = admin.post_json("/api/review/edit", &edit).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[tokio::test]
async fn a_picture_is_stored_once_and_served_for_ever() {
    let hall = Hall::open().await;
    let (admin, reviewer) = (hall.signed_in("admin").await, hall.staff_of("reviewer", 5).await);
    let other = hall.beside().await;
    for (format, kind) in
        [(ImageFormat::Png, "image/png"), (ImageFormat::Jpeg, "image/jpeg"), (ImageFormat::WebP, "image/png")]
    {
        let answer = send(&reviewer, file(40, 30, format)).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        let told = answer.json();
        assert_eq!((&told["width"], &told["height"]), (&json!(40), &json!(30)), "{told}");
        let url = told["url"].as_str().unwrap();
        assert_eq!(upload(&admin, file(40, 30, format)).await, url, "{format:?}");
        for server in [&hall, &other] {
            let picture = server.anonymous().get(url).await;
            assert_eq!((picture.status, picture.header("content-type")), (200, kind));
            assert_eq!(picture.body.len() as u64, told["bytes"].as_u64().unwrap());
            assert_eq!(picture.header("cache-control"), "public, max-age=31536000, immutable");
            let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
            assert_eq!(picture.header("content-security-policy"), policy);
            assert_eq!(picture.header("x-content-type-options"), "nosniff");
            let known = server.anonymous().get_with(url, "if-none-match", picture.header("etag")).await;
            assert_eq!((known.status, known.body.len()), (304, 0));
        }
    }
    for unknown in [format!("/media/{}", "0".repeat(64)), "/media/clock.png".to_owned(), "/media/".to_owned()] {
        hall.anonymous().get(&unknown).await.assert_error(404, "Not found");
    }
}

#[tokio::test]
async fn a_form_brings_one_too_and_a_large_one_is_made_small() {
    let hall = Hall::open().await;
    let reviewer = hall.staff_of("reviewer", 5).await;
    let head = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n";
    let form = [head.as_bytes(), &file(3_200, 1_600, ImageFormat::Png), b"\r\n--edge--\r\n"].concat();
    let request = reviewer.request(Method::POST, UPLOAD).header("content-type", "multipart/form-data; boundary=edge");
    let told = Answer::to(request.body(form)).await.json();
    assert_eq!((&told["width"], &told["height"]), (&json!(1_600), &json!(800)), "{told}");
    assert!(told["bytes"].as_u64().unwrap() <= 512 * 1_024);
}

#[tokio::test]
async fn a_drawing_is_harmless() {
    let hall = Hall::open().await;
    let reviewer = hall.staff_of("reviewer", 5).await;
    let drawing = "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 30\" onload=\"alert(1)\">\
        <script>alert(2)</script><image href=\"https://evil.test/a.png\"/><circle r=\"4\" onclick=\"alert(3)\"/></svg>";
    let url = upload(&reviewer, drawing).await;
    let served = hall.anonymous().get(&url).await;
    assert_eq!(served.header("content-type"), "image/svg+xml");
    let expected = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 30\"><circle r=\"4\"/></svg>";
    assert_eq!(served.text(), expected);
}

#[tokio::test]
async fn what_is_no_picture_is_refused() {
    let hall = Hall::open().await;
    let reviewer = hall.staff_of("reviewer", 5).await;
    let png = file(40, 30, ImageFormat::Png);
    let bomb = "<!DOCTYPE svg [<!ENTITY a \"aaaa\">]><svg><text>&a;</text></svg>";
    for bytes in [&b""[..], b"GIF89a", b"<html></html>", bomb.as_bytes(), &png[..png.len() / 2], b"\x89PNG\r\n\x1a\n"] {
        send(&reviewer, bytes).await.assert_error(400, "Invalid picture");
    }
    let sent = reviewer.request(Method::POST, UPLOAD).body(vec![0; 8 * 1_024 * 1_024 + 1]);
    assert!(matches!(Answer::status_unless_cut(sent).await, None | Some(413)));
    let nobody = hall.bearer(&hall.token("reviewer").await);
    send(&nobody, png.clone()).await.assert_error(403, "Not assigned to this grade");
    send(&hall.signed_in("student").await, png.clone()).await.assert_error(403, "Forbidden");
    assert_eq!(send(&hall.anonymous(), png).await.status, 401);
}

#[tokio::test]
async fn a_picture_that_no_question_has_shown_is_deleted_after_a_month() {
    const HOUR: Duration = Duration::from_secs(60 * 60);
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let (unused, former, retired) = (
        upload(&admin, file(10, 10, ImageFormat::Png)).await,
        upload(&admin, file(11, 10, ImageFormat::Png)).await,
        upload(&admin, file(12, 10, ImageFormat::Png)).await,
    );
    let ids = hall.bank(5).await.ids();
    show(&admin, &ids[0], &former).await;
    show(&admin, &ids[0], "https://exam.example/a.png").await;
    show(&admin, &ids[1], &retired).await;
    let gone = Answer::to(admin.request(Method::DELETE, &format!("/api/admin/questions/{}", ids[1]))).await;
    assert_eq!(gone.status, 200, "{}", gone.text());
    hall.clock.advance(29 * DAY);
    let again = upload(&admin, file(13, 10, ImageFormat::Png)).await;
    hall.clock.advance(2 * DAY);
    let database = Database::open(hall.database_url(), 1, 1).await.unwrap();
    let digest = unused.trim_start_matches("/media/");
    eventually("what nobody uses is deleted", async || {
        hall.clock.advance(HOUR);
        pictures::find(&database, digest).await.unwrap().is_none().then_some(())
    })
    .await;
    database.close().await;
    // A server that has none of them in memory.
    let other = hall.beside().await;
    other.anonymous().get(&unused).await.assert_error(404, "Not found");
    for kept in [former, retired, again] {
        assert_eq!(other.anonymous().get(&kept).await.status, 200);
    }
}
