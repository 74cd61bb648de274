//! The pages as browsers get them: what may run on them, how long they are kept, and the gate before tests.

use reqwest::Method;

use crate::hall::{Answer, Browser, Hall};

const PAGES: [&str; 6] = [
    "/",
    "/test/5",
    "/test/5?mode=adaptive",
    "/t/5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5",
    "/report/0b0e39a5-31c1-4a60-a9a0-5d0c55a0a6f5",
    "/continue",
];

#[tokio::test]
async fn every_page_runs_nothing_but_files_of_the_site() {
    let hall = Hall::with(&[("TEST_GATE", "none")]).await;
    for path in PAGES {
        let page = hall.anonymous().get(path).await;
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"), "{path}");
        let policy = page.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'self';") && !policy.contains("unsafe") && !policy.contains("script-src"),
            "{path}: {policy}"
        );
        assert!(
            policy.contains("frame-ancestors 'none'") && policy.contains("img-src 'self' data: https:"),
            "{path}: {policy}"
        );
        assert_eq!(page.header("x-content-type-options"), "nosniff");
    }
}

#[tokio::test]
async fn the_head_of_a_page_can_be_asked_for_alone() {
    let hall = Hall::with(&[("TEST_GATE", "none")]).await;
    for path in PAGES {
        let head = Answer::to(hall.anonymous().request(Method::HEAD, path)).await;
        assert_eq!(
            (head.status, head.header("content-type"), head.body.len()),
            (200, "text/html; charset=utf-8", 0),
            "{path}"
        );
    }
}

#[tokio::test]
async fn files_are_kept_for_ever_and_pages_asked_for_again() {
    let hall = Hall::with(&[("TEST_GATE", "none")]).await;
    let page = hall.anonymous().get("/").await;
    assert_eq!(page.header("cache-control"), "no-cache");
    let again = hall.anonymous().get_with("/", "if-none-match", page.header("etag")).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    let html = page.text();
    let scripts: Vec<&str> =
        html.split('"').filter(|part| part.starts_with("/assets/") && part.ends_with(".js")).collect();
    assert!(!scripts.is_empty(), "{html}");
    for path in scripts {
        for encoding in ["br", "gzip"] {
            let script = hall.anonymous().get_with(path, "accept-encoding", encoding).await;
            assert_eq!((script.status, script.header("content-encoding")), (200, encoding), "{path}");
            assert_eq!(script.header("cache-control"), "public, max-age=31536000, immutable", "{path}");
            assert_eq!(script.header("content-type"), "text/javascript; charset=utf-8", "{path}");
        }
        let plain = hall.anonymous().get_with(path, "accept-encoding", "identity").await;
        assert_eq!(plain.status, 200, "{path}");
    }
    hall.anonymous().get("/assets/none.js").await.assert_error(404, "Not found");
}

#[tokio::test]
async fn the_service_worker_is_asked_for_again_and_keeps_files_that_are_there() {
    let hall = Hall::open().await;
    let worker = hall.anonymous().get("/service-worker.js").await;
    assert_eq!((worker.status, worker.header("content-type")), (200, "text/javascript; charset=utf-8"));
    assert_eq!(worker.header("cache-control"), "no-cache");
    assert!(worker.header("content-security-policy").starts_with("default-src 'self';"));
    let text = worker.text();
    let kept: Vec<&str> = text.split('"').filter(|part| part.starts_with("/assets/")).collect();
    assert!(kept.len() >= 5, "{text}");
    for path in kept {
        assert_eq!(hall.anonymous().get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_page_with_a_secret_in_its_address_is_told_to_nobody() {
    let hall = Hall::open().await;
    for path in &PAGES[4..] {
        let page = hall.anonymous().get(path).await;
        let told = ["cache-control", "referrer-policy", "x-robots-tag"].map(|name| page.header(name).to_owned());
        assert_eq!(told, ["no-store", "no-referrer", "noindex"], "{path}");
    }
}

#[tokio::test]
async fn the_gate_leads_to_the_sign_in_and_back() {
    let hall = Hall::with(&[("TEST_GATE", "sign-in")]).await;
    let page = hall.anonymous().get("/test/5?mode=adaptive").await;
    assert_eq!((page.status, page.header("location")), (303, "/auth/sign-in?return_to=%2Ftest%2F5%3Fmode%3Dadaptive"));
    for open in ["/", PAGES[3], PAGES[4], PAGES[5]] {
        assert_eq!(hall.anonymous().get(open).await.status, 200, "{open}");
    }
    let mut browser = Browser::of(&hall);
    browser.sign_in_locally_well("ada@exam.test").await;
    assert_eq!(browser.get("/test/5?mode=adaptive").await.status, 200);
}
