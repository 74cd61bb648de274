//! Sign-ins that are ended: every copy of the cookie dies, on every server.

use std::time::{Duration, Instant};

use reqwest::Method;
use sea_orm::{ConnectionTrait, Database};
use serde_json::json;

use super::{first_admin, soon, user_path, with_role};
use crate::hall::{Answer, Browser, Hall, Heard, Hold, LiveSocket, PROCTOR_PATH};

async fn me(hall: &Hall, cookie: &str) -> u16 {
    hall.anonymous().get_with("/api/me", "cookie", cookie).await.status
}

async fn sign_out(hall: &Hall, cookie: &str, query: &str) -> Answer {
    let request = hall.anonymous().request(Method::POST, &format!("/auth/sign-out{query}"));
    Answer::to(request.header("cookie", cookie).header("origin", "http://exam.localhost")).await
}

async fn count(hall: &Hall) -> usize {
    let store = Database::connect(hall.database_url()).await.unwrap();
    let rows = store
        .query_all_raw(sea_orm::Statement::from_string(store.get_database_backend(), "SELECT email FROM sign_ins"));
    let count = rows.await.unwrap().len();
    store.close().await.unwrap();
    count
}

#[tokio::test]
async fn a_copy_of_a_cookie_dies_at_sign_out() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let (copied, another) = (hall.cookie("ada@exam.test").await, hall.cookie("ada@exam.test").await);
    for server in [&hall, &other] {
        assert_eq!((me(server, &copied).await, me(server, &another).await), (200, 200));
    }
    assert_eq!(sign_out(&hall, &copied, "").await.status, 204);
    assert_eq!(me(&hall, &copied).await, 401, "at once where it was ended");
    soon("it is over on the other server", async || me(&other, &copied).await == 401).await;
    assert_eq!((me(&hall, &another).await, me(&other, &another).await), (200, 200), "another device stays signed in");
    assert_eq!(sign_out(&hall, &copied, "?everywhere=true").await.status, 204);
    assert_eq!(me(&hall, &another).await, 200, "an ended sign-in ends no others");
}

#[tokio::test]
async fn signing_out_everywhere_ends_all_devices_and_nobody_else() {
    let hall = Hall::open().await;
    let (first, second) = (hall.cookie("ada@exam.test").await, hall.cookie("ada@exam.test").await);
    let someone = hall.cookie("ben@exam.test").await;
    sign_out(&hall, &first, "?everywhere=perhaps").await.assert_error(400, "Invalid query");
    assert_eq!(sign_out(&hall, &first, "?everywhere=true").await.status, 204);
    assert_eq!((me(&hall, &first).await, me(&hall, &second).await, me(&hall, &someone).await), (401, 401, 200));
    let again = hall.cookie("ada@exam.test").await;
    assert_eq!(me(&hall, &again).await, 200);
}

#[tokio::test]
async fn an_admin_signs_a_user_out_and_removes_them_with_their_sign_ins() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let (one, two) = (hall.cookie("ada@exam.test").await, hall.cookie("ada@exam.test").await);
    let path = user_path("ada@exam.test");
    assert_eq!(admin.fetch(Method::DELETE, &format!("{path}/sign-ins"), None).await.status, 200);
    assert_eq!((me(&hall, &one).await, me(&hall, &two).await), (401, 401));
    let again = hall.cookie("ada@exam.test").await;
    assert_eq!((me(&hall, &again).await, count(&hall).await), (200, 2));
    assert_eq!(admin.fetch(Method::DELETE, &path, None).await.status, 200);
    assert_eq!((me(&hall, &again).await, count(&hall).await), (401, 1));
}

#[tokio::test]
async fn the_store_has_no_cookie_and_forgets_expired_sign_ins() {
    let mut hall = Hall::open().await;
    hall.cookie("ada@exam.test").await;
    assert_eq!(count(&hall).await, 1);
    hall.clock.advance(Duration::from_secs(12 * 3_600 + 1));
    hall.cookie("ben@exam.test").await;
    hall.restart().await;
    soon("the expired one is removed", async || count(&hall).await == 1).await;
}

#[tokio::test]
async fn a_proctor_who_signs_out_watches_no_more() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let mut admin = first_admin(&hall).await;
    let mut proctor = with_role(&hall, &mut admin, "proctor@exam.test", "admin").await;
    let cookie = proctor.cookie_header_for(PROCTOR_PATH);
    let headers = [("cookie", cookie.as_str()), ("origin", "http://exam.localhost")];
    let mut sockets = Vec::new();
    for server in [&hall, &other] {
        let mut socket = LiveSocket::reach(&server.base(), PROCTOR_PATH, &headers).await.unwrap();
        socket.send(&json!({ "type": "watch", "grade": 5 })).await;
        socket.expect("roster").await;
        sockets.push(socket);
    }
    assert_eq!(proctor.fetch(Method::POST, "/auth/sign-out", None).await.status, 204);
    for mut socket in sockets {
        let code = loop {
            if let Heard::Closed(code) = socket.hear().await {
                break code;
            }
        };
        assert_eq!(code, Some(4401));
    }
    let refused = LiveSocket::reach(&hall.base(), PROCTOR_PATH, &headers).await;
    assert!(refused.is_none());
}

#[tokio::test]
async fn a_school_that_signs_out_at_once_is_out() {
    let hall = Hall::open().await;
    let cookies = futures_util::future::join_all((0..60).map(|number| {
        let hall = &hall;
        async move { hall.cookie(&format!("student-{number}@exam.test")).await }
    }))
    .await;
    futures_util::future::join_all(cookies.iter().map(async |cookie| {
        assert_eq!(me(&hall, cookie).await, 200);
        assert_eq!(sign_out(&hall, cookie, "").await.status, 204);
        assert_eq!(me(&hall, cookie).await, 401);
    }))
    .await;
    assert_eq!(count(&hall).await, 0);
    assert!(Browser::of(&hall).me().await.is_none());
}

#[tokio::test]
async fn signing_in_again_ends_the_sign_in_before() {
    let hall = Hall::open().await;
    let mut browser = Browser::of(&hall);
    let mut cookies = Vec::new();
    for email in ["ada@exam.test", "ada@exam.test", "ben@exam.test"] {
        browser.sign_in_locally_well(email).await;
        cookies.push(browser.cookie_header_for("/"));
        assert_eq!(count(&hall).await, 1, "the one before is not left in the store");
    }
    assert_eq!(
        [me(&hall, &cookies[0]).await, me(&hall, &cookies[1]).await, me(&hall, &cookies[2]).await],
        [401, 401, 200]
    );
    let (provided, _provider) = Hall::with_provider(&[]).await;
    let mut browser = Browser::of(&provided);
    for _ in 0..2 {
        browser.sign_in_well("ada@exam.test").await;
        assert_eq!(count(&provided).await, 1);
    }
    assert_eq!(browser.me().await.unwrap()["email"], "ada@exam.test");
}

#[tokio::test]
async fn signing_out_while_the_store_is_away_clears_the_cookie_and_says_so() {
    let hall = Hall::open().await;
    let sentence = "You are signed out in this browser, but the server could not end the sign-in everywhere";
    let cookie = hall.cookie("ada@exam.test").await;
    let hold =
        Hold::take(&hall, "DELETE FROM sign_ins WHERE email = ''", "LOCK TABLE sign_ins IN ACCESS EXCLUSIVE MODE")
            .await;
    for (query, accept) in [("", "*/*"), ("", "text/html"), ("?everywhere=true", "*/*")] {
        let began = Instant::now();
        let request = hall.anonymous().request(Method::POST, &format!("/auth/sign-out{query}"));
        let request = request.header("cookie", &cookie).header("origin", "http://exam.localhost");
        let answer = Answer::to(request.header("accept", accept)).await;
        assert!(began.elapsed() < Duration::from_secs(6), "after {:?}", began.elapsed());
        assert_eq!(answer.status, 503, "{}", answer.text());
        assert!(answer.text().contains(sentence), "{}", answer.text());
        assert_eq!(answer.header("content-type").starts_with("text/html"), accept == "text/html");
        assert!(answer.header("set-cookie").starts_with("examhall=; "), "{}", answer.header("set-cookie"));
        assert!(answer.header("set-cookie").contains("Max-Age=0"));
        assert_eq!(answer.header("retry-after"), "", "without the cookie nothing would be ended");
    }
    // Until then the sign-in may have been ended by what was under way.
    hold.release().await;
    assert_eq!(sign_out(&hall, &cookie, "").await.status, 204);
    assert_eq!(me(&hall, &cookie).await, 401);
}
