//! Launches that are not believed, among them all of the certification's list.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::{Campus, assert_refused, both, custom};
use crate::hall::Answer;
use crate::hall::launch_platform::{BegunLogin, LTI, LaunchPlatform, Signing};

/// What a learner reads whose launch was believed, and whose link leads nowhere.
const BELIEVED: &str = "does not lead to an exam yet";

impl Campus {
    async fn change_platform(&self, changes: Value) {
        let path = format!("/api/admin/lti/platforms/{}", self.platform.id);
        let changed = Answer::to(self.admin.request(Method::PATCH, &path).json(&changes)).await;
        assert_eq!(changed.status, 200, "{}", changed.text());
    }
}

#[tokio::test]
async fn a_launch_with_one_fault_opens_nothing() {
    let campus = Campus::open().await;
    let now = campus.now();
    let lti = |name: &str| format!("{LTI}{name}");
    assert_refused(&campus.launch(json!({})).await, 404, BELIEVED);
    let other = json!("https://elsewhere.exam.test/lti/launch");
    for (changes, sentence) in [
        (json!({ "iss": "https://elsewhere.exam.test" }), "another platform"),
        (json!({ "aud": "another-tool", "azp": null }), "another tool"),
        (json!({ "aud": ["exam-hall-1", "another-tool"], "azp": null }), "another tool"),
        (json!({ "azp": "another-tool" }), "another tool"),
        (json!({ "exp": now - 1 }), "expired"),
        (json!({ "exp": "soon" }), "can be read"),
        (json!({ "exp": null }), "can be read"),
        (json!({ "iat": now - 400 }), "too old"),
        (json!({ "iat": now + 400, "exp": now + 900 }), "too old"),
        (json!({ "iat": null }), "can be read"),
        (json!({ "nonce": "another" }), "does not belong to this login"),
        (json!({ "nonce": null }), "does not belong to this login"),
        (json!({ "sub": null }), "who you are"),
        (json!({ "sub": "" }), "who you are"),
        (json!({ lti("version"): "1.1" }), "another version"),
        (json!({ lti("version"): null }), "another version"),
        (json!({ lti("message_type"): null }), "type that this server does not know"),
        (json!({ lti("message_type"): "LtiDance" }), "type that this server does not know"),
        (json!({ lti("roles"): null }), "who you are in the course"),
        (json!({ lti("deployment_id"): null }), "which of its deployments"),
        (json!({ lti("resource_link"): null }), "which link"),
        (json!({ lti("resource_link"): { "title": "No id" } }), "which link"),
        (json!({ lti("target_link_uri"): null }), "what is to be opened"),
        (json!({ lti("target_link_uri"): other }), "leads to another server"),
        (json!({ lti("target_link_uri"): "http://exam.localhost/lti/other" }), "does not belong to this login"),
    ] {
        assert_refused(&campus.launch(changes.clone()).await, 400, sentence);
    }
    // What is of no use to us may be absent.
    let lean = json!({ "name": null, "email": null, "azp": null, lti("context"): null, lti("custom"): null });
    assert_refused(&campus.launch(lean).await, 404, BELIEVED);
    assert_refused(&campus.launch(json!({ "aud": ["exam-hall-1", "another-tool"] })).await, 404, BELIEVED);
}

#[tokio::test]
async fn a_signature_that_is_not_the_platform_s_opens_nothing() {
    let campus = Campus::open().await;
    for (signing, sentence) in [
        (Signing::WithoutKeyId, "does not name the key"),
        (Signing::AsKey("key-7"), "a key that the platform does not publish"),
        (Signing::WithNone, "not signed as it should be"),
        (Signing::WithPublicKey, "not signed as it should be"),
        (Signing::Badly, "signature of the platform"),
    ] {
        assert_refused(&campus.launch_signed(json!({}), signing).await, 400, sentence);
    }
    let browser = campus.hall.anonymous();
    for id_token in ["", "a.b.c", "not a token"] {
        let login = campus.platform.login(&browser).await;
        assert_refused(&login.launch(&browser, id_token).await, 400, "no message that can be read");
    }
}

#[tokio::test]
async fn keys_are_fetched_again_when_the_platform_has_changed_them() {
    let mut campus = Campus::open().await;
    assert_refused(&campus.launch(json!({})).await, 404, BELIEVED);
    assert_refused(&campus.launch(json!({})).await, 404, BELIEVED);
    assert_eq!(campus.platform.fetched(), 1);
    campus.platform.publish(&[0, 1]);
    campus.platform.signs_with = 1;
    // At most once a minute, whatever names are sent.
    assert_refused(&campus.launch(json!({})).await, 400, "does not publish");
    assert_eq!(campus.platform.fetched(), 1);
    campus.hall.clock.advance(Duration::from_secs(61));
    assert_refused(&campus.launch(json!({})).await, 404, BELIEVED);
    assert_eq!(campus.platform.fetched(), 2);
    campus.hall.clock.advance(Duration::from_secs(61));
    campus.platform.hide();
    let away = campus.launch_signed(json!({}), Signing::AsKey("key-9")).await;
    assert_refused(&away, 502, "cannot reach the learning platform");
    // Those that are known count all the same, and the platform is asked no more for a minute.
    assert_refused(&campus.launch(json!({})).await, 404, BELIEVED);
    let fetched = campus.platform.fetched();
    let again = campus.launch_signed(json!({}), Signing::AsKey("key-9")).await;
    assert_refused(&again, 502, "cannot reach the learning platform");
    assert_eq!(campus.platform.fetched(), fetched);
}

#[tokio::test]
async fn a_launch_counts_once_in_the_browser_of_its_login() {
    let campus = Campus::open().await;
    let browser = campus.hall.anonymous();
    let (login, other) = (campus.platform.login(&browser).await, campus.platform.login(&browser).await);
    let token = campus.platform.token(&campus.platform.claims(&login.nonce, campus.now()), Signing::Well);
    let stolen = BegunLogin { cookie: other.cookie.clone(), ..login.clone() };
    assert_refused(&stolen.launch(&browser, &token).await, 400, "in another browser");
    let swapped = BegunLogin { cookie: login.cookie.clone(), state: "a".to_owned(), ..other.clone() };
    assert_refused(&swapped.launch(&browser, &token).await, 400, "in another browser");
    // The refused ones have not used it.
    assert_refused(&login.launch(&browser, &token).await, 404, BELIEVED);
    assert_refused(&login.launch(&browser, &token).await, 400, "has been used already");
    assert_refused(&other.launch(&browser, &token).await, 400, "does not belong to this login");
    let late = campus.platform.login(&browser).await;
    campus.hall.clock.advance(Duration::from_secs(601));
    let token = campus.platform.token(&campus.platform.claims(&late.nonce, campus.now()), Signing::Well);
    assert_refused(&late.launch(&browser, &token).await, 400, "has expired");
    let failed = campus.platform.login(&browser).await;
    let fields = [("error", "login_required"), ("error_description", "Ada is not signed in")];
    let answer = failed.launch_with(&browser, &fields, &[("cookie", failed.cookie.as_str())]).await;
    assert_refused(&answer, 400, "could not sign you in");
    assert!(!answer.text().contains("Ada"));
}

#[tokio::test]
async fn an_unknown_deployment_waits_for_an_admin() {
    let campus = Campus::open().await;
    let unknown = json!({ format!("{LTI}deployment_id"): "course-7" });
    for _ in 0..2 {
        assert_refused(&campus.launch(unknown.clone()).await, 403, "waits for the approval");
    }
    let path = format!("/api/admin/lti/platforms/{}", campus.platform.id);
    let mut deployments = campus.admin.get(&path).await.json()["platform"]["deployments"].clone();
    assert_eq!(deployments[1], json!({ "id": "course-7", "state": "pending" }));
    deployments[1]["state"] = json!("active");
    campus.change_platform(json!({ "deployments": deployments })).await;
    assert_refused(&campus.launch(unknown).await, 404, BELIEVED);
    // A login of one deployment is none of another.
    let browser = campus.hall.anonymous();
    for (named, status, sentence) in [("course-7", 400, "does not belong to this login"), ("1", 404, BELIEVED)] {
        let query = campus.platform.login_query(&[("lti_deployment_id", named)]);
        let login = BegunLogin::of(&browser.get(&format!("/lti/login?{query}")).await);
        let token = campus.platform.token(&campus.platform.claims(&login.nonce, campus.now()), Signing::Well);
        assert_refused(&login.launch(&browser, &token).await, status, sentence);
    }
}

#[tokio::test]
async fn only_an_active_platform_that_is_known_launches() {
    let campus = Campus::open().await;
    let browser = campus.hall.anonymous();
    let login = campus.platform.login(&browser).await;
    for (state, sentence) in [("blocked", "has blocked this learning platform"), ("pending", "waits for the approval")]
    {
        campus.change_platform(json!({ "state": state })).await;
        let query = campus.platform.login_query(&[]);
        assert_refused(&browser.get(&format!("/lti/login?{query}")).await, 403, sentence);
        let token = campus.platform.token(&campus.platform.claims(&login.nonce, campus.now()), Signing::Well);
        assert_refused(&login.launch(&browser, &token).await, 403, sentence);
    }
    let stranger = LaunchPlatform::alone().await;
    let query = stranger.login_query(&[]);
    let unknown = browser.get(&format!("/lti/login?{query}")).await;
    assert_refused(&unknown, 404, "is not connected with Exam Hall");
    let in_vietnamese = browser.get_with(&format!("/lti/login?{query}"), "accept-language", "vi").await;
    assert_refused(&in_vietnamese, 404, "chưa được kết nối với Exam Hall");
    let empty = browser.get("/lti/login?iss=x").await;
    assert_refused(&empty, 400, "login_hint is missing");
}

#[tokio::test]
async fn what_a_link_names_is_no_right() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    assert_refused(&campus.launch(custom("template", &template)).await, 404, BELIEVED);
    let staff = both(custom("template", &template), super::teacher());
    assert_refused(&campus.launch(staff).await, 404, "was given to your learning platform");
    assert_refused(&campus.launch(custom("template", "7")).await, 404, BELIEVED);
}
