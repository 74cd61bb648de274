//! The pages as browsers get them: what may run on them, how long they are kept, and the gate before tests.

use reqwest::Method;

use crate::hall::{Answer, Browser, Hall};

const PAGES: [&str; 12] = [
    "/",
    "/test/5",
    "/test/5?mode=adaptive",
    "/t/5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5",
    "/report/0b0e39a5-31c1-4a60-a9a0-5d0c55a0a6f5",
    "/continue",
    "/s/K7PQ2",
    "/sittings",
    "/staff",
    "/staff/sittings/5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5/desk?room=Hall",
    "/sittings/5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5/screen",
    "/verify",
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
async fn addresses_of_the_staff_and_of_receipts_have_documents_of_their_own() {
    let hall = Hall::with(&[("TEST_GATE", "none")]).await;
    for path in PAGES {
        let page = hall.anonymous().get(path).await;
        let is_of_staff = path.starts_with("/staff") || path.ends_with("/screen");
        let is_of_receipts = path == "/verify";
        let html = page.text();
        assert_eq!(html.contains("src=\"/assets/staff-"), is_of_staff, "{path}: {html}");
        assert_eq!(html.contains("src=\"/assets/verify-"), is_of_receipts, "{path}: {html}");
        assert_eq!(html.contains("src=\"/assets/student-"), !is_of_staff && !is_of_receipts, "{path}: {html}");
    }
    assert_eq!(hall.anonymous().get("/verify.html").await.status, 404);
    assert_eq!(hall.anonymous().get("/staff.html").await.status, 404);
    assert_eq!(hall.anonymous().get("/staffroom").await.status, 404);
}

#[tokio::test]
async fn an_unknown_address_is_a_page_for_people_and_json_for_programs() {
    let hall = Hall::open().await;
    let accepted = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for path in ["/nothing", "/test", "/test/5/6", "/report", "/nothing/at/all?x=1", "/apiary", "/v10"] {
        let page = hall.anonymous().get_with(path, "accept", accepted).await;
        assert_eq!((page.status, page.header("content-type")), (404, "text/html; charset=utf-8"), "{path}");
        assert_eq!((page.header("cache-control"), page.header("etag")), ("no-cache", ""), "{path}");
        assert!(page.header("content-security-policy").starts_with("default-src 'self';"), "{path}");
        let html = page.text();
        assert!(html.contains("<div id=\"page\">") && html.contains("src=\"/assets/student-"), "{path}: {html}");
        let head = Answer::to(hall.anonymous().request(Method::HEAD, path).header("accept", accepted)).await;
        assert_eq!((head.status, head.header("content-type"), head.body.len()), (404, page.header("content-type"), 0));
        hall.anonymous().get(path).await.assert_error(404, "Not found");
        hall.anonymous().get_with(path, "accept", "application/json").await.assert_error(404, "Not found");
    }
    for path in ["/api", "/api/nothing", "/v1/nothing", "/assets/none.js"] {
        hall.anonymous().get_with(path, "accept", accepted).await.assert_error(404, "Not found");
    }
    let posted = Answer::to(hall.anonymous().request(Method::POST, "/nothing").header("accept", accepted)).await;
    posted.assert_error(404, "Not found");
}

#[tokio::test]
async fn pages_learn_that_a_guest_is_one_without_an_error() {
    let hall = Hall::open().await;
    let guest = hall.anonymous().get("/api/me?guests=true").await;
    assert_eq!((guest.status, guest.body.len()), (204, 0));
    for path in ["/api/me", "/api/me?guests=false"] {
        hall.anonymous().get(path).await.assert_error(401, "Unauthorized");
    }
    hall.anonymous().get("/api/me?guests=perhaps").await.assert_error(400, "Invalid query");
    let mut browser = Browser::of(&hall);
    browser.sign_in_locally_well("ada@exam.test").await;
    let me = browser.get("/api/me?guests=true").await;
    assert_eq!((me.status, me.json()["email"].clone()), (200, serde_json::json!("ada@exam.test")));
}

#[tokio::test]
async fn the_servers_own_pages_load_the_style_of_the_others_and_nothing_else() {
    let hall = Hall::open().await;
    let sign_in = hall.anonymous().get("/auth/sign-in?return_to=/test/5").await;
    let failed = hall.anonymous().get_with("/auth/callback?state=none", "accept", "text/html").await;
    for page in [sign_in, failed] {
        let html = page.text();
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'self' 'sha256-"), "{policy}");
        assert!(!html.contains("<script") && !html.contains("style="), "{html}");
        let sheet = html.split('"').find(|part| part.starts_with("/assets/student-") && part.ends_with(".css"));
        let sheet = hall.anonymous().get(sheet.expect("a style sheet")).await;
        assert_eq!((sheet.status, sheet.header("content-type")), (200, "text/css; charset=utf-8"));
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
async fn service_workers_are_asked_for_again_and_keep_files_that_are_there() {
    let hall = Hall::open().await;
    for (worker, fewest) in [("/service-worker.js", 5), ("/verify-worker.js", 3)] {
        let worker = hall.anonymous().get(worker).await;
        assert_eq!((worker.status, worker.header("content-type")), (200, "text/javascript; charset=utf-8"));
        assert_eq!(worker.header("cache-control"), "no-cache");
        assert!(worker.header("content-security-policy").starts_with("default-src 'self';"));
        let text = worker.text();
        let kept: Vec<&str> = text.split('"').filter(|part| part.starts_with("/assets/")).collect();
        assert!(kept.len() >= fewest, "{text}");
        for path in kept {
            assert_eq!(hall.anonymous().get(path).await.status, 200, "{path}");
        }
    }
}

#[tokio::test]
async fn a_page_with_a_secret_in_its_address_is_told_to_nobody() {
    let hall = Hall::open().await;
    for path in &PAGES[4..6] {
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
    for open in ["/", PAGES[3], PAGES[4], PAGES[5], PAGES[6], PAGES[7]] {
        assert_eq!(hall.anonymous().get(open).await.status, 200, "{open}");
    }
    let mut browser = Browser::of(&hall);
    browser.sign_in_locally_well("ada@exam.test").await;
    assert_eq!(browser.get("/test/5?mode=adaptive").await.status, 200);
}
