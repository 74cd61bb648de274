//! The keys that sign what platforms are sent: shown before they sign and after, and the same on all servers.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::{PLATFORMS, connected, id_of, platform};
use crate::hall::{Caller, External, Hall, Told, eventually, run};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn shown(hall: &Hall) -> Vec<String> {
    let answer = hall.anonymous().get("/lti/jwks").await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, "public, max-age=300"), "{}", answer.text());
    let keys = answer.json()["keys"].as_array().unwrap().clone();
    let kid = |key: &Value| {
        assert_eq!(
            (&key["kty"], &key["alg"], &key["use"], &key["e"]),
            (&json!("RSA"), &json!("RS256"), &json!("sig"), &json!("AQAB"))
        );
        assert_eq!(URL_SAFE_NO_PAD.decode(key["n"].as_str().unwrap()).unwrap().len(), 256);
        key["kid"].as_str().unwrap().to_owned()
    };
    keys.iter().map(kid).collect()
}

/// The name of the key that signs now, as a platform is told.
async fn signs(admin: &Caller, service: &External, id: uuid::Uuid) -> String {
    admin.post_json(&format!("{PLATFORMS}/{id}/test"), &json!({})).await;
    let call = service.calls("POST /token").pop().unwrap();
    let assertion =
        url::form_urlencoded::parse(&call.body).find(|(name, _)| name == "client_assertion").unwrap().1.into_owned();
    let header = URL_SAFE_NO_PAD.decode(assertion.split('.').next().unwrap()).unwrap();
    let header: Value = serde_json::from_slice(&header).unwrap();
    header["kid"].as_str().unwrap().to_owned()
}

/// A second or two: a key is made.
#[tokio::test]
async fn a_key_is_shown_for_a_day_before_it_signs_and_for_a_day_after() {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let (admin, service) = (hall.signed_in("admin").await, External::open().await);
    service.on("POST /token", Told::Json(200, json!({ "access_token": "t" })));
    let id = id_of(&connected(&admin, &platform("a", &format!("http://{}", service.address))).await);
    let first = shown(&hall).await;
    assert_eq!(first.len(), 1);
    assert_eq!(signs(&admin, &service, id).await, first[0]);
    let beside = hall.beside().await;
    assert_eq!(shown(&beside).await, first, "all servers have the same");

    hall.clock.advance(DAY * 88);
    let both =
        eventually("the next key is shown", async || Some(shown(&hall).await).filter(|keys| keys.len() == 2)).await;
    assert_eq!(both[1], first[0], "the newest comes first");
    let admin = hall.signed_in("admin").await;
    assert_eq!(signs(&admin, &service, id).await, first[0], "it does not sign yet");
    hall.clock.advance(DAY * 2);
    let admin = hall.signed_in("admin").await;
    eventually("the next key signs", async || (signs(&admin, &service, id).await == both[0]).then_some(())).await;
    assert_eq!(shown(&hall).await, both, "the former is shown for a day");
    hall.clock.advance(DAY * 2);
    eventually("the former is gone", async || (shown(&hall).await == both[..1]).then_some(())).await;
}

/// A second or two: keys are made.
#[tokio::test]
async fn a_key_that_others_may_know_signs_no_more_and_the_others_stay() {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let first = shown(&hall).await;
    let unknown = run(hall.settings(), &["platform-key", "take-back", "another"]).await;
    assert_eq!((unknown.status.code(), shown(&hall).await), (Some(1), first.clone()));
    let take_back = async |kid: &str| {
        let done = run(hall.settings(), &["platform-key", "take-back", kid]).await;
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        // Others know it within a minute; one that is started now at once.
        Hall::with_store_of(&hall, &[("WEBHOOK_ALLOW", "127.0.0.1")]).await
    };
    let second = shown(&take_back(&first[0]).await).await;
    assert!(second.len() == 1 && second != first, "{second:?}");

    hall.clock.advance(DAY * 88);
    let both =
        eventually("the next key is shown", async || Some(shown(&hall).await).filter(|keys| keys.len() == 2)).await;
    let other = take_back(&both[1]).await;
    assert_eq!(shown(&other).await, both[..1], "platforms know the next one already");
    let (admin, service) = (other.signed_in("admin").await, External::open().await);
    service.on("POST /token", Told::Json(200, json!({ "access_token": "t" })));
    let id = id_of(&connected(&admin, &platform("a", &format!("http://{}", service.address))).await);
    assert_eq!(signs(&admin, &service, id).await, both[0]);
}

/// A second: a key is made.
#[tokio::test]
async fn with_another_secret_another_key_signs_at_once() {
    let hall = Hall::open().await;
    let first = shown(&hall).await;
    let secret = "YW5vdGhlciBzZWNyZXQgb2YgdGhlIHNlcnZlciwgMzI=";
    let other = Hall::with_store_of(&hall, &[("AUTH_SECRET", secret)]).await;
    let second = shown(&other).await;
    assert!(second.len() == 1 && second != first, "what another secret has sealed is not shown");
    assert_eq!(shown(&hall).await, first);
    // The next key of the one does not end that of the other.
    hall.clock.advance(DAY * 88);
    eventually("the next keys are shown", async || {
        let (of_one, of_other) = (shown(&hall).await, shown(&other).await);
        (of_one.len() == 2 && of_other.len() == 2).then_some(())
    })
    .await;
    hall.clock.advance(DAY * 4);
    eventually("each has its next key alone", async || {
        let (of_one, of_other) = (shown(&hall).await, shown(&other).await);
        (of_one.len() == 1 && of_other.len() == 1 && of_one != first && of_other != second).then_some(())
    })
    .await;
}
