//! A provider that fails, hangs, lies or is not there.

use super::{assert_page, assert_signed_out};
use crate::hall::{Browser, Hall, IdentityProvider, eventually};

/// For a provider that answers wrongly or not at all.
const FAILED: &str = "The identity provider failed";
/// For one that takes too long.
const TOO_SLOW: &str = "The identity provider did not answer in time";

#[tokio::test]
async fn a_provider_that_fails_at_the_start_stops_nothing_else() {
    let provider = IdentityProvider::start().await;
    for (health, status, sentence) in [("failing", 502, FAILED), ("hanging", 504, TOO_SLOW)] {
        provider.set_health(health).await;
        let hall = Hall::with(&provider.settings()).await;
        let mut browser = Browser::of(&hall);
        assert_page(&browser.open("/auth/sign-in").await, status, sentence);
        hall.anonymous().get("/auth/sign-in").await.assert_error(status, sentence);
        let admin = hall.signed_in("admin").await;
        assert_eq!(admin.get("/api/sessions").await.status, 200);
        assert_eq!(admin.get("/readyz").await.status, 200);
        provider.set_health("up").await;
        eventually("sign-in works once the provider is back", async || {
            Some(browser.open("/auth/sign-in").await.status).filter(|status| *status == 303)
        })
        .await;
        browser.sign_in_well("ada@exam.test").await;
    }
}

#[tokio::test]
async fn a_provider_that_fails_within_a_sign_in_signs_nobody_in() {
    let (hall, provider) = Hall::with_provider(&[]).await;
    for (health, status, sentence) in [("failing", 502, FAILED), ("hanging", 504, TOO_SLOW)] {
        let mut browser = Browser::of(&hall);
        let callback = browser.authorise("/", "ada@exam.test").await;
        provider.set_health(health).await;
        assert_page(&browser.open(callback.as_str()).await, status, sentence);
        assert_signed_out(&browser);
        provider.set_health("up").await;
        eventually("sign-in works again", async || {
            Some(Browser::of(&hall).sign_in("ada@exam.test").await.status).filter(|status| *status == 303)
        })
        .await;
    }
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_a_clean_answer() {
    let hall = Hall::with(&[
        ("IDP_CLIENT_ID", "examhall"),
        ("IDP_CLIENT_SECRET", "secret"),
        ("IDP_ISSUER_URL", "http://127.0.0.1:1"),
    ])
    .await;
    hall.anonymous().get("/auth/sign-in").await.assert_error(502, FAILED);
    assert_page(&Browser::of(&hall).open("/auth/sign-in").await, 502, FAILED);
}

#[tokio::test]
async fn a_provider_must_be_the_one_that_is_configured() {
    let provider = IdentityProvider::start().await;
    let elsewhere = provider.issuer.replace("127.0.0.1", "localhost");
    let hall =
        Hall::with(&[("IDP_CLIENT_ID", "examhall"), ("IDP_CLIENT_SECRET", "secret"), ("IDP_ISSUER_URL", &elsewhere)])
            .await;
    hall.anonymous().get("/auth/sign-in").await.assert_error(502, FAILED);
}

#[tokio::test]
async fn a_wrong_secret_signs_nobody_in() {
    let (hall, _provider) = Hall::with_provider(&[("IDP_CLIENT_SECRET", "wrong")]).await;
    let mut browser = Browser::of(&hall);
    assert_page(&browser.sign_in("ada@exam.test").await, 502, FAILED);
    assert_signed_out(&browser);
}
