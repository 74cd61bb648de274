//! The development sign-in, which is there only while nobody else can reach the server.

use reqwest::Method;
use serde_json::json;

use super::flow::{assert_return, returns};
use super::{assert_page, assert_signed_out};
use crate::hall::{Answer, Browser, Caller, Form, Hall};

/// What the form sends.
const ADA: [(&str, &str); 3] = [("email", "ada@exam.test"), ("name", "Ada"), ("return_to", "/")];

async fn post(caller: &Caller, fields: &[(&str, &str)], headers: &[(&str, &str)]) -> Answer {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request = caller
        .request(Method::POST, "/auth/local")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body);
    Answer::to(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

const OWN: (&str, &str) = ("origin", "http://exam.localhost");

#[tokio::test]
async fn the_pages_are_the_school_s_and_in_the_reader_s_language() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let settings = json!({ "name": "Lê Lợi", "colour": "#7a1f1f" });
    let changed = Answer::to(admin.request(Method::PATCH, "/api/admin/school").json(&settings)).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    let mut browser = Browser::of(&hall);
    let page = browser.visit("/auth/sign-in").await;
    assert_page(&page, 200, "<span>Lê Lợi</span>");
    assert_page(&page, 200, ":root{--accent:#7a1f1f;");
    let back = hall.anonymous().request(Method::GET, "/auth/callback").header("accept", "text/html");
    let failed = Answer::to(back.header("accept-language", "vi-VN,vi;q=0.9")).await;
    assert_page(&failed, 404, "<h1>Bạn chưa đăng nhập</h1>");
    assert_page(&failed, 404, "<html lang=\"vi\">");
    assert_page(&failed, 404, "<title>Bạn chưa đăng nhập – Lê Lợi</title>");
}

#[tokio::test]
async fn a_page_asks_who_it_is() {
    let hall = Hall::open().await;
    let mut browser = Browser::of(&hall);
    let page = browser.visit("/auth/sign-in?return_to=/test/5%3Fmode%3Dadaptive").await;
    assert_page(&page, 200, "<form");
    let form = Form::of(&page.text(), &browser.steps.last().unwrap().url);
    assert_eq!(form.action.as_str(), "http://exam.localhost/auth/local");
    assert_eq!(form.fields["return_to"], "/test/5?mode=adaptive");
    let answer = browser.submit(&form.fill("email", "Ada@Exam.Test").fill("name", "Ada L.")).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(browser.target(&answer).unwrap().as_str(), "http://exam.localhost/test/5?mode=adaptive");
    let cookie = browser.session_cookie().unwrap();
    assert_eq!(cookie.name, "examhall");
    assert!(cookie.has("httponly"), "{cookie:?}");
    assert_eq!(["samesite", "path", "max-age"].map(|name| cookie.attribute(name)), ["Lax", "/", "43200"]);
    let grades: Vec<u64> = (1..=10).collect();
    assert_eq!(
        browser.me().await.unwrap(),
        json!({ "email": "ada@exam.test", "name": "Ada L.", "image": "", "role": "admin", "grades": grades })
    );
}

#[tokio::test]
async fn the_page_repeats_nothing_as_code() {
    let hall = Hall::open().await;
    let mut browser = Browser::of(&hall);
    let return_to = "/\"><script>alert(1)</script>";
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("return_to", return_to).finish();
    let page = browser.visit(&format!("/auth/sign-in?{query}")).await;
    assert!(!page.text().contains("<script>alert"), "{}", page.text());
    let form = Form::of(&page.text(), &browser.steps.last().unwrap().url);
    assert!(["/", return_to].contains(&form.fields["return_to"].as_str()), "{form:?}");
}

#[tokio::test]
async fn no_return_leads_to_another_site() {
    let hall = Hall::open().await;
    for (return_to, is_kept) in returns() {
        let mut browser = Browser::of(&hall);
        let page = browser.visit("/auth/sign-in").await;
        let form = Form::of(&page.text(), &browser.steps.last().unwrap().url)
            .fill("email", "ada@exam.test")
            .fill("return_to", &return_to);
        let answer = browser.submit(&form.fill("name", "Ada")).await;
        assert_eq!(answer.status, 303, "{return_to:?}: {}", answer.text());
        assert_return(&browser, &answer, &return_to, is_kept);
    }
}

#[tokio::test]
async fn an_address_must_be_one() {
    let hall = Hall::open().await;
    let long = format!("{}@exam.test", "x".repeat(250));
    for email in ["", "ada", "@exam.test", "ada@", "a b@exam.test", "a\0@exam.test", "a\n@exam.test", long.as_str()] {
        let mut browser = Browser::of(&hall);
        let answer = browser.sign_in_locally(email, "Ada").await;
        assert_eq!(answer.status, 400, "{email:?}: {}", answer.text());
        assert!(answer.header("content-type").starts_with("text/html"), "{email:?}");
        assert_signed_out(&browser);
        post(&hall.anonymous(), &[("email", email), ("name", "Ada"), ("return_to", "/")], &[OWN])
            .await
            .assert_error(400, "Invalid email");
    }
    post(&hall.anonymous(), &ADA[1..], &[OWN]).await.assert_some_error(400);
}

#[tokio::test]
async fn odd_names_are_kept_or_refused_and_never_a_failure() {
    let hall = Hall::open().await;
    for name in ["", " ", "李小龍", "<b>Ada</b>", "A\0da", "A\nda", &"x".repeat(5_000)] {
        let mut browser = Browser::of(&hall);
        let answer = browser.sign_in_locally("ada@exam.test", name).await;
        assert!([303, 400].contains(&answer.status), "{name:?}: {}", answer.text());
        if let Some(me) = browser.me().await {
            assert!(!me["name"].as_str().unwrap().chars().any(char::is_control), "{me}");
        }
    }
}

#[tokio::test]
async fn other_sites_may_not_send_it() {
    let hall = Hall::open().await;
    let anyone = hall.anonymous();
    let foreign: [&[(&str, &str)]; 4] = [
        &[("origin", "https://evil.test")],
        &[("origin", "null")],
        &[("sec-fetch-site", "cross-site")],
        &[("origin", "https://evil.test"), ("sec-fetch-site", "cross-site")],
    ];
    for headers in foreign {
        let answer = post(&anyone, &ADA, headers).await;
        answer.assert_error(403, "Cross-site request refused");
        assert!(!answer.headers.contains_key("set-cookie"));
    }
    assert_eq!(post(&anyone, &ADA, &[OWN]).await.status, 303);
}

#[tokio::test]
async fn it_is_not_there_behind_a_proxy() {
    let hall = Hall::open().await;
    for header in
        [("x-forwarded-for", "203.0.113.7"), ("forwarded", "for=203.0.113.7"), ("x-forwarded-for", "127.0.0.1")]
    {
        let answer = post(&hall.anonymous(), &ADA, &[OWN, header]).await;
        answer.assert_error(404, "Not found");
        assert!(!answer.headers.contains_key("set-cookie"));
    }
}

#[tokio::test]
async fn it_is_not_there_where_others_can_reach_the_server() {
    let hall = Hall::with(&[("BIND", "0.0.0.0:0")]).await;
    post(&hall.anonymous(), &ADA, &[OWN]).await.assert_error(404, "Not found");
    let page = hall.anonymous().get("/auth/sign-in").await;
    assert!(!page.text().contains("/auth/local"), "{}", page.text());
}

#[tokio::test]
async fn it_is_not_there_beside_an_identity_provider() {
    // One that is not even there.
    let hall = Hall::with(&[
        ("IDP_CLIENT_ID", "examhall"),
        ("IDP_CLIENT_SECRET", "secret"),
        ("IDP_ISSUER_URL", "http://127.0.0.1:1"),
    ])
    .await;
    post(&hall.anonymous(), &ADA, &[OWN]).await.assert_error(404, "Not found");
    let page = hall.anonymous().get("/auth/sign-in").await;
    assert!(!page.text().contains("/auth/local"), "{}", page.text());
}

#[tokio::test]
async fn without_a_provider_a_callback_is_no_way_in() {
    let hall = Hall::open().await;
    let answer = hall.anonymous().get("/auth/callback?code=x&state=y").await;
    assert!([400, 404].contains(&answer.status), "{}", answer.text());
    answer.assert_some_error(answer.status);
    assert!(!answer.headers.contains_key("set-cookie"));
}

#[tokio::test]
async fn nobody_signs_in_by_a_public_name() {
    let hall = Hall::with(&[("AUTH_URL", "https://exam.school.example")]).await;
    for host in ["exam.school.example", "evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "192.0.2.1"] {
        post(&hall.anonymous(), &ADA, &[("host", host), ("origin", "https://exam.school.example")])
            .await
            .assert_error(404, "Not found");
    }
    for header in ["x-forwarded-for", "forwarded", "x-real-ip", "via"] {
        post(&hall.anonymous(), &ADA, &[("host", "localhost"), (header, "for=192.0.2.1")])
            .await
            .assert_error(404, "Not found");
    }
    for host in ["localhost", "127.0.0.1:8080", "[::1]:8080"] {
        assert_eq!(post(&hall.anonymous(), &ADA, &[("host", host)]).await.status, 303, "{host}");
    }
}
