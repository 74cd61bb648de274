//! What must never be in a log: secrets, codes, tokens, cookies and addresses of people.

use crate::hall::{Browser, CLIENT_SECRET, Hall, Process};

#[tokio::test]
async fn a_log_of_everything_has_no_secret() {
    let (mut hall, provider) = Hall::with_provider(&[("LOG", "trace")]).await;
    hall.stop().await;
    let process = Process::serve(hall.settings()).await;
    let mut browser = Browser::at("http://exam.localhost", process.base());
    let callback = browser.authorise("/", "ada@exam.test").await;
    let pending: Vec<String> = browser.cookies().into_iter().map(|cookie| cookie.value.clone()).collect();
    assert_eq!(browser.open(callback.as_str()).await.status, 303);
    assert!(browser.me().await.is_some());
    let cookie = browser.session_cookie().unwrap().value.clone();
    let made = browser
        .fetch(reqwest::Method::POST, "/api/admin/tokens", Some(&serde_json::json!({ "name": "LMS", "role": "admin" })))
        .await
        .json();
    let token = made["token"].as_str().unwrap().to_owned();
    assert_eq!(
        Browser::at("http://exam.localhost", process.base()).sign_in("unverified:eve@exam.test").await.status,
        403
    );
    provider.spoil(Some("nonce")).await;
    assert_eq!(Browser::at("http://exam.localhost", process.base()).sign_in("bob@exam.test").await.status, 502);
    let log = process.log();
    assert!(log.len() > 1_000, "it does log: {log}");
    let code = callback.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned();
    let written: String = url::form_urlencoded::byte_serialize(CLIENT_SECRET.as_bytes()).collect();
    let mut secrets =
        vec![CLIENT_SECRET.to_owned(), written, code, cookie, token, hall.settings()["AUTH_SECRET"].clone()];
    secrets.extend(pending);
    // What every token of this provider begins with, and people's addresses.
    secrets.extend(
        ["eyJhbGciOi", "ada@exam.test", "ada%40exam.test", "eve@exam.test", "bob@exam.test"].map(str::to_owned),
    );
    for secret in secrets {
        let line = log.lines().find(|line| line.contains(&secret));
        assert!(line.is_none(), "{secret} is in the log: {}", line.unwrap_or_default());
    }
    process.terminate().await;
}
