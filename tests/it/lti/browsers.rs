//! What browsers carry between a platform and this server, in frames and in windows, with cookies and without.

use reqwest::Method;
use serde_json::json;

use super::{Campus, assert_refused, both, hidden};
use crate::hall::launch_platform::{BegunLogin, LAUNCH, LTI, LaunchPlatform, Signing, post_form};
use crate::hall::{Answer, Hall};

#[tokio::test]
async fn a_login_leads_to_the_platform_with_all_that_it_needs() {
    let campus = Campus::open().await;
    let browser = campus.hall.anonymous();
    let by_form = post_form(&browser, "/lti/login", campus.platform.login_query(&[]), &[]).await;
    assert_eq!(by_form.status, 302, "{}", by_form.text());
    for login in [campus.platform.login(&browser).await, BegunLogin::of(&by_form)] {
        assert!(login.url.as_str().starts_with(&format!("{}/auth?instance=7&", campus.platform.issuer)));
        for (name, value) in [
            ("scope", "openid"),
            ("response_type", "id_token"),
            ("response_mode", "form_post"),
            ("prompt", "none"),
            ("client_id", "exam-hall-1"),
            ("redirect_uri", LAUNCH),
            ("login_hint", "hint-1"),
            ("lti_message_hint", "message-1"),
        ] {
            let found = login.url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
            assert_eq!(found.as_deref(), Some(value), "{name}");
        }
        assert!(login.nonce.len() > 40 && login.state.len() > 100);
    }
    // A second tab keeps the cookie of the first, so that both can come back.
    let first = campus.platform.login(&browser).await;
    let path = format!("/lti/login?{}", campus.platform.login_query(&[]));
    let second = BegunLogin::of(&browser.get_with(&path, "cookie", &first.cookie).await);
    assert_eq!(second.cookie, first.cookie);
    assert_ne!(second.nonce, first.nonce);
}

#[tokio::test]
async fn the_cookie_works_in_a_frame_of_the_platform_alone() {
    let settings = [("WEBHOOK_ALLOW", "127.0.0.1"), ("AUTH_URL", "https://exam.localhost")];
    let hall = Hall::with(&settings).await;
    let platform = LaunchPlatform::open(&hall, json!({})).await;
    let query = platform.login_query(&[("target_link_uri", "https://exam.localhost/lti/launch")]);
    let answer = hall.anonymous().get(&format!("/lti/login?{query}")).await;
    assert_eq!(answer.status, 302, "{}", answer.text());
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("__Host-lti="), "{cookie}");
    assert!(cookie.ends_with("; Path=/; HttpOnly; Secure; SameSite=None; Partitioned; Max-Age=600"), "{cookie}");
}

#[tokio::test]
async fn without_a_cookie_a_frame_leads_to_a_window() {
    let campus = Campus::open().await;
    let browser = campus.hall.anonymous();
    let login = campus.platform.login(&browser).await;
    let token = campus.platform.token(&campus.platform.claims(&login.nonce, campus.now()), Signing::Well);
    let framed = login.launch_with(&browser, &[("id_token", &token)], &[("sec-fetch-dest", "iframe")]).await;
    assert_eq!(framed.status, 200, "{}", framed.text());
    let again = format!("href=\"/lti/login?{}", campus.platform.login_query(&[]).replace('&', "&amp;"));
    let again = again.split("&amp;lti_message_hint").next().unwrap();
    assert!(framed.text().contains(again), "{again}: {}", framed.text());
    assert!(framed.text().contains("target=\"_blank\""));
    assert_framed_by(&framed, &campus.platform.issuer);
    let window = login.launch_with(&browser, &[("id_token", &token)], &[("sec-fetch-dest", "document")]).await;
    assert_refused(&window, 400, "keeps no cookies");
    // None of it has used the launch.
    assert_refused(&login.launch(&browser, &token).await, 404, "does not lead to an exam yet");
}

#[tokio::test]
async fn the_platform_s_storage_stands_in_for_the_cookie() {
    let campus = Campus::open().await;
    let browser = campus.hall.anonymous();
    let query = campus.platform.login_query(&[("lti_storage_target", "post_message_forwarding")]);
    let page = browser.get(&format!("/lti/login?{query}")).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let html = page.text();
    let data = |name: &str| {
        let rest = html.split_once(&format!("data-{name}=\"")).unwrap().1;
        rest.split_once('"').unwrap().0.replace("&amp;", "&")
    };
    assert_eq!(data("frame"), "post_message_forwarding");
    assert_eq!(data("origin"), campus.platform.issuer);
    assert!(data("name").starts_with("state-"));
    let next = url::Url::parse(&data("next")).unwrap();
    let of = |name: &str| next.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
    let login = BegunLogin { state: of("state"), nonce: of("nonce"), cookie: String::new(), url: next.clone() };
    assert!(page.header("content-security-policy").contains("script-src 'sha256-"));
    let token = campus.platform.token(&campus.platform.claims(&login.nonce, campus.now()), Signing::Well);
    let framed = [("sec-fetch-dest", "iframe")];
    let asking = login.launch_with(&browser, &[("id_token", &token)], &framed).await;
    assert_eq!((asking.status, hidden(&asking.text(), "id_token")), (200, token.clone()));
    let guessed = [("id_token", token.as_str()), ("stored", "guessed")];
    assert_refused(&login.launch_with(&browser, &guessed, &framed).await, 400, "in another browser");
    let stored = data("value");
    let told = [("id_token", token.as_str()), ("stored", stored.as_str())];
    assert_refused(&login.launch_with(&browser, &told, &framed).await, 404, "does not lead to an exam yet");
}

#[tokio::test]
async fn long_hints_keep_nobody_from_the_platform_s_storage() {
    let campus = Campus::open().await;
    let browser = campus.hall.anonymous();
    let long = "m".repeat(3_000);
    let framed = [("sec-fetch-dest", "iframe")];
    for storage in [Some("_parent"), None] {
        let mut more = vec![("lti_message_hint", long.as_str())];
        more.extend(storage.map(|frame| ("lti_storage_target", frame)));
        let answer = browser.get(&format!("/lti/login?{}", campus.platform.login_query(&more))).await;
        let html = answer.text();
        let data = |name: &str| {
            let rest = html.split_once(&format!("data-{name}=\"")).unwrap_or_else(|| panic!("{name}: {html}")).1;
            rest.split_once('"').unwrap().0.replace("&amp;", "&")
        };
        let next = if storage.is_some() { data("next") } else { answer.header("location").to_owned() };
        let url = url::Url::parse(&next).unwrap();
        let of = |name: &str| url.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
        let login = BegunLogin { state: of("state"), nonce: of("nonce"), cookie: String::new(), url: url.clone() };
        let token = campus.platform.token(&campus.platform.claims(&login.nonce, campus.now()), Signing::Well);
        let asking = login.launch_with(&browser, &[("id_token", &token)], &framed).await;
        if storage.is_none() {
            assert_refused(&asking, 400, "keeps no cookies");
            continue;
        }
        assert_eq!((asking.status, hidden(&asking.text(), "id_token")), (200, token.clone()));
        // Where the platform has nothing, there is no way into a window without the hints: the page says so.
        assert!(asking.text().contains("keeps no cookies") && !asking.text().contains("/lti/login"));
        let stored = data("value");
        let told = [("id_token", token.as_str()), ("stored", stored.as_str())];
        assert_refused(&login.launch_with(&browser, &told, &framed).await, 404, "does not lead to an exam yet");
    }
}

/// Canvas has three: one that issues, one that signs people in, and that of the school, whose pages show the frame.
#[tokio::test]
async fn pages_that_the_platform_has_signed_may_frame_what_follows() {
    let campus = Campus::open().await;
    let own = campus.platform.issuer.clone();
    let school = format!("{own} https://school.lms.test");
    let from = |address: &str| {
        let told = json!({ "document_target": "iframe", "return_url": address });
        json!({ format!("{LTI}launch_presentation"): told })
    };
    let of_school = from("https://school.lms.test/courses/7?x=1");
    assert_framed_by(&campus.launch_in(of_school.clone(), "iframe").await, &school);
    // The first launch of an installation is refused, and has to say so.
    let new = both(of_school.clone(), json!({ format!("{LTI}deployment_id"): "new" }));
    let waiting = campus.launch_in(new, "iframe").await;
    assert_refused(&waiting, 403, "waits for the approval");
    assert_framed_by(&waiting, &school);
    for address in ["http://school.lms.test/", "https://*/", "https://school.lms.test;frame-src/", "courses/7"] {
        assert_framed_by(&campus.launch_in(from(address), "iframe").await, &own);
    }
    // Nobody's word counts before it is known whose it is.
    assert_framed_by(&campus.launch_in(both(of_school, json!({ "exp": campus.now() - 1 })), "iframe").await, &own);
    assert_framed_by(&campus.launch_signed(from("https://school.lms.test/"), Signing::Badly).await, &own);
    let page = campus.choosing(json!({ "deep_link_return_url": "https://school.lms.test/back" })).await;
    assert_eq!(page.status, 200, "{}", page.text());
    assert_framed_by(&page, &school);
    let chosen = campus.choose(&page, &[("back", "1")]).await;
    assert_eq!(chosen.status, 200, "{}", chosen.text());
    assert_framed_by(&chosen, &school);
}

#[tokio::test]
async fn a_launch_may_come_while_somebody_is_signed_in_and_a_ticket_from_our_own_pages_alone() {
    let campus = Campus::open().await;
    let browser = campus.hall.anonymous();
    let signed_in = campus.hall.cookie("head@exam.test").await;
    let login = campus.platform.login(&browser).await;
    let token = campus.platform.token(&campus.platform.claims(&login.nonce, campus.now()), Signing::Well);
    let cookies = format!("{signed_in}; {}", login.cookie);
    let headers = [("cookie", cookies.as_str()), ("sec-fetch-site", "same-site"), ("sec-fetch-dest", "iframe")];
    let answer = login.launch_with(&browser, &[("id_token", &token)], &headers).await;
    assert_refused(&answer, 404, "does not lead to an exam yet");
    for path in ["/lti/enter", "/lti/choice"] {
        let answer = post_form(&browser, path, "ticket=x".to_owned(), &[("sec-fetch-site", "cross-site")]).await;
        assert_refused(&answer, 400, "open for too long");
        let with_cookie = [("sec-fetch-site", "cross-site"), ("cookie", signed_in.as_str())];
        assert_eq!(post_form(&browser, path, "ticket=x".to_owned(), &with_cookie).await.status, 403);
        assert_refused(&post_form(&browser, path, "ticket=x".to_owned(), &[]).await, 400, "open for too long");
        let read = Answer::to(browser.request(Method::GET, path)).await;
        assert_eq!(read.status, 404);
    }
}

/// Asserts that pages of this origin may frame the answer, and that no older header says otherwise.
#[track_caller]
fn assert_framed_by(answer: &Answer, origin: &str) {
    let policy = answer.header("content-security-policy");
    assert!(policy.ends_with(&format!("frame-ancestors {origin}")), "{policy}");
    assert!(answer.header("x-frame-options").is_empty());
}
