//! The pages to which the `url` of events leads: for anyone, with what a visitor may read.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::super::super::school::crest;
use super::client::{API, Client, SITE};
use crate::hall::{Answer, Hall};

const TEMPLATE: &str = "5e0c2f0e-6b0f-4d3e-9a51-3a1f6f1c0b11";

fn path(event: &Value) -> String {
    event["url"].as_str().unwrap().strip_prefix(SITE).unwrap().to_owned()
}

#[tokio::test]
async fn the_url_of_an_event_is_a_page() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager
        .event(json!({
            "title": "Maths & <b>more</b>",
            "timezone": "Asia/Ho_Chi_Minh",
            "description": "Bring a ruler.\n\n<script>alert(1)</script>And a pencil.",
            "venue": { "venue": "Great Hall", "address": "Main 1", "zip": "9000", "city": "Ghent" },
            "organizer": [{ "organizer": "Rita <i>R.</i>", "email": "rita@school.example" }],
            "exam": { "grade": 5 },
            "cost": "$5",
        }))
        .await;
    let page = hall.anonymous().get(&path(&made)).await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"), "{policy}");
    let html = page.text();
    for part in [
        "<html lang=\"en\">".to_owned(),
        "<title>Maths &amp; more – Exam Hall</title>".to_owned(),
        format!("<h1>{}</h1>", made["title"].as_str().unwrap()),
        "<dd>Friday 1 January 2027, 09:00–10:00 (Asia/Ho_Chi_Minh)</dd>".to_owned(),
        "<dd>Great Hall, Main 1, 9000 Ghent</dd>".to_owned(),
        "<dd>Rita R., rita@school.example</dd>".to_owned(),
        "<dd>$5</dd>".to_owned(),
        "<p>Bring a ruler.</p>".to_owned(),
        format!("href=\"{SITE}/test/5?minutes=30&amp;event={}\"", made["id"]),
        format!("href=\"{SITE}{API}/events/{}?ical=1\"", made["id"]),
        "tec-api-origin".to_owned(),
    ] {
        assert!(html.contains(&part), "{part}: {html}");
    }
    assert!(!html.contains("<script") && !html.contains("alert("), "{html}");
    let request = hall.anonymous().request(Method::GET, path(&made).trim_end_matches('/'));
    let translated = Answer::to(request.header("accept-language", "vi-VN,vi;q=0.9,en;q=0.5")).await.text();
    assert!(translated.contains("<html lang=\"vi\">"), "{translated}");
    assert!(translated.contains("Thứ Sáu, ngày 1 tháng 1 năm 2027, 09:00–10:00"), "{translated}");
}

#[tokio::test]
async fn the_page_has_the_school_s_name_crest_and_colour() {
    let hall = Hall::open().await;
    let (manager, admin) = (Client::of(&hall, "manager").await, hall.signed_in("admin").await);
    let made = manager.event(json!({ "title": "Finals", "exam": { "grade": 5 } })).await;
    let before = hall.anonymous().get(&path(&made)).await;
    assert!(
        before.text().contains("<span>Exam Hall</span>") && !before.text().contains("--accent:"),
        "{}",
        before.text()
    );
    let settings = json!({ "name": "Lê Lợi & <i>friends</i>", "colour": "#7a1f1f" });
    let changed = Answer::to(admin.request(Method::PATCH, "/api/admin/school").json(&settings)).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    let png = crest(image::ImageFormat::Png);
    let put = admin.request(Method::PUT, "/api/admin/school/crest").header("content-type", "image/png").body(png);
    let put = Answer::to(put).await;
    assert_eq!(put.status, 200, "{}", put.text());
    let crest = put.json()["crest"].as_str().unwrap().to_owned();
    let page = hall.anonymous().get(&path(&made)).await;
    let html = page.text();
    for part in [
        "<title>Finals – Lê Lợi &amp; &lt;i&gt;friends&lt;/i&gt;</title>".to_owned(),
        format!(
            "<img src=\"{crest}\" alt=\"\" width=\"36\" height=\"36\"><span>Lê Lợi &amp; &lt;i&gt;friends&lt;/i&gt;</span>"
        ),
        ":root{--accent:#7a1f1f;--accent-deep:#5f1818;--accent-soft:#f2e9e9}".to_owned(),
    ] {
        assert!(html.contains(&part), "{part}: {html}");
    }
    // The styles are those that the policy allows.
    let styles = html.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let hash = STANDARD.encode(Sha256::digest(styles));
    assert!(page.header("content-security-policy").contains(&format!("'sha256-{hash}'")), "{html}");
}

#[tokio::test]
async fn days_are_written_without_clocks() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager
        .event(json!({ "title": "日本", "all_day": true, "start_date": "2027-06-01", "end_date": "2027-06-03" }))
        .await;
    let page = hall.anonymous().get(&path(&made)).await;
    assert_eq!(page.status, 200, "an address of other letters: {}", path(&made));
    let html = page.text();
    assert!(html.contains("<dd>Tuesday 1 June 2027 – Thursday 3 June 2027, all day</dd>"), "{html}");
    assert!(!html.contains("class=\"description\""), "it has none: {html}");
}

#[tokio::test]
async fn what_is_not_published_has_no_page() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let anyone = hall.anonymous();
    let made = manager.event(json!({ "title": "Finals" })).await;
    let (page, id) = (path(&made), format!("/events/{}", made["id"]));
    assert_eq!(anyone.get(&page).await.status, 200);
    for status in ["draft", "pending", "private"] {
        manager.change(&id, &json!({ "status": status })).await;
        for reader in [&anyone, &manager.0] {
            assert_eq!(reader.get(&page).await.status, 404, "{status}: the page is for everyone or nobody");
        }
    }
    manager.change(&id, &json!({ "status": "publish" })).await;
    assert_eq!(anyone.get(&page).await.status, 200);
    manager.delete(&id).await;
    for gone in [page.as_str(), "/event/finals__trashed/", "/event/nothing/", "/event/nothing"] {
        assert_eq!(anyone.get(gone).await.status, 404, "{gone}");
    }
}

#[tokio::test]
async fn an_exam_that_has_not_opened_is_on_no_page() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let exam = json!({ "templateId": TEMPLATE });
    let in_year = |year: u32| {
        let [start, end] = ["09:00", "10:00"].map(|time| format!("{year}-06-01 {time}"));
        json!({ "start_date": start, "end_date": end, "exam": exam })
    };
    let (ahead, open) = (manager.event(in_year(2199)).await, manager.event(in_year(2020)).await);
    for reader in [&hall.anonymous(), &manager.0] {
        let hidden = reader.get(&path(&ahead)).await.text();
        assert!(!hidden.contains(TEMPLATE) && hidden.contains("2199"), "{hidden}");
        let opening =
            "<dt>Exam</dt><dd>Saturday 1 June 2199, 09:00. Load this page again then, and it leads to the exam.</dd>";
        assert!(hidden.contains(opening), "{hidden}");
        let shown = reader.get(&path(&open)).await.text();
        assert!(shown.contains(&format!("{SITE}/t/{TEMPLATE}?event={}", open["id"])), "{shown}");
        assert!(!shown.contains("<dt>Exam</dt>"), "the button says it: {shown}");
    }
}
