//! Sign-in and the store: when it is slow or away, and when one person comes twice at once.

use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database};
use serde_json::json;

use super::soon;
use crate::hall::{Answer, Hall, LiveSocket};

#[tokio::test]
async fn someone_new_who_signs_in_twice_at_once_is_in_both_times() {
    let hall = Hall::open().await;
    let emails: Vec<String> = (0..80).map(|number| format!("new-{}@exam.test", number / 4)).collect();
    let cookies = join_all(emails.iter().map(|email| hall.cookie(email))).await;
    for (email, cookie) in emails.iter().zip(&cookies) {
        let me = hall.anonymous().get_with("/api/me", "cookie", cookie).await;
        assert_eq!((me.status, me.json()["email"].as_str()), (200, Some(email.as_str())), "{}", me.text());
    }
}

#[tokio::test]
async fn whoever_is_signed_in_reads_and_resumes_while_nobody_can_be_looked_up() {
    let hall = Hall::with(&[("TEST_GATE", "sign-in")]).await;
    let cookie = hall.cookie("ada@exam.test").await;
    let headers = [("cookie", cookie.as_str()), ("origin", "http://exam.localhost")];
    let mut socket = LiveSocket::connect(&hall.base(), &headers).await.unwrap();
    socket.send(&json!({ "type": "start", "grade": 5, "questionCount": 10 })).await;
    let started = socket.expect("started").await;
    assert_eq!(hall.anonymous().get_with("/api/questions?grade=5", "cookie", &cookie).await.status, 200);
    let store = Database::connect(hall.database_url()).await.unwrap();
    store.execute_unprepared("ALTER TABLE users RENAME TO users_away").await.unwrap();
    soon("what was believed is over", async || {
        hall.anonymous().get_with("/api/me", "cookie", &cookie).await.status >= 500
    })
    .await;
    assert_eq!(
        hall.anonymous().get_with("/api/questions?grade=5", "cookie", &cookie).await.status,
        200,
        "the bank is at hand"
    );
    let mut second = LiveSocket::connect(&hall.base(), &headers).await.unwrap();
    second.send(&json!({ "type": "resume", "sessionId": started["sessionId"], "token": started["token"] })).await;
    second.expect("resumed").await;
    let mut third = LiveSocket::connect(&hall.base(), &headers).await.unwrap();
    third.send(&json!({ "type": "start", "grade": 5, "questionCount": 10 })).await;
    assert_eq!(third.expect("error").await["code"], "storage_unavailable", "which is not that they are not signed in");
    store.execute_unprepared("ALTER TABLE users_away RENAME TO users").await.unwrap();
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_deleted_user_comes_back_with_nothing() {
    let hall = Hall::open().await;
    let admin = hall.bearer(&hall.token("admin").await);
    let before = hall.cookie("rita@exam.test").await;
    let give_role = async || {
        let changed = Answer::to(
            admin.request(Method::PATCH, "/api/admin/users/rita%40exam.test").json(&json!({ "role": "reviewer" })),
        )
        .await;
        assert_eq!(changed.status, 200, "{}", changed.text());
    };
    give_role().await;
    let assignment = json!({ "email": "rita@exam.test", "name": "Rita", "grades": [5] });
    assert_eq!(admin.post_json("/api/admin/review/assignments", &assignment).await.status, 200);
    assert_eq!(hall.anonymous().get_with("/api/me", "cookie", &before).await.json()["grades"], json!([5]));
    assert_eq!(Answer::to(admin.request(Method::DELETE, "/api/admin/users/rita%40exam.test")).await.status, 200);
    hall.clock.advance(std::time::Duration::from_secs(1));
    let after = hall.cookie("rita@exam.test").await;
    give_role().await;
    assert_eq!(hall.anonymous().get_with("/api/me", "cookie", &after).await.json()["grades"], json!([]));
    hall.anonymous().get_with("/api/me", "cookie", &before).await.assert_error(401, "Unauthorized");
}
