//! Configurations and answers as platforms send them, and as they should not.

use serde_json::{Value, json};

use super::*;

const ADDRESS: &str = "https://lms.example/mod/lti/openid-configuration.php";

fn moodle() -> Value {
    json!({
        "issuer": "https://lms.example",
        "authorization_endpoint": "https://lms.example/mod/lti/auth.php",
        "token_endpoint": "https://lms.example/mod/lti/token.php",
        "jwks_uri": "https://lms.example/mod/lti/certs.php",
        "registration_endpoint": "https://lms.example/mod/lti/openid-registration.php",
        PLATFORM_CONFIGURATION: {"product_family_code": "moodle", "version": "4.5"},
    })
}

fn parse(document: &Value) -> Result<PlatformConfiguration, RegistrationFault> {
    PlatformConfiguration::parse(ADDRESS, document.to_string().as_bytes(), |_| false)
}

fn with(name: &str, value: Value) -> Value {
    let mut document = moodle();
    document[name] = value;
    document
}

#[test]
fn a_platform_says_where_it_answers() {
    let found = parse(&moodle()).unwrap();
    assert_eq!((&*found.issuer, found.product.as_deref()), ("https://lms.example", Some("moodle")));
    assert_eq!(found.endpoints.jwks, "https://lms.example/mod/lti/certs.php");
    let elsewhere = with("authorization_endpoint", json!("https://sso.canvaslms.com/api/lti/authorize_redirect"));
    assert!(parse(&elsewhere).is_ok(), "an endpoint may lie on another host");
}

#[test]
fn what_is_wrong_with_a_configuration_is_named() {
    for (name, value, fault) in [
        ("issuer", json!("https://other.example"), RegistrationFault::Issuer),
        ("issuer", json!(null), RegistrationFault::Issuer),
        ("token_endpoint", json!("http://lms.example/token"), RegistrationFault::Endpoint("token_endpoint")),
        ("jwks_uri", json!("https://u:p@lms.example/keys"), RegistrationFault::Endpoint("jwks_uri")),
        ("registration_endpoint", json!(7), RegistrationFault::Endpoint("registration_endpoint")),
        (PLATFORM_CONFIGURATION, json!(null), RegistrationFault::NoPlatform),
    ] {
        assert_eq!(parse(&with(name, value.clone())), Err(fault), "{name}: {value}");
    }
    assert_eq!(parse(&json!([])), Err(RegistrationFault::NoConfiguration));
    let plain = PlatformConfiguration::parse("http://lms.example/c", moodle().to_string().as_bytes(), |_| false);
    assert_eq!(plain, Err(RegistrationFault::NotHttps));
}

#[test]
fn the_tool_asks_for_what_moodle_and_canvas_want() {
    let asked = tool_registration("https://exam.example:8443", false);
    for name in ["response_types", "initiate_login_uri", "redirect_uris", "client_name", "jwks_uri", "scope"] {
        assert!(!asked[name].is_null(), "{name}");
    }
    assert_eq!(asked["token_endpoint_auth_method"], "private_key_jwt");
    assert_eq!(asked["redirect_uris"], json!(["https://exam.example:8443/lti/launch"]));
    let tool = &asked[TOOL_CONFIGURATION];
    assert_eq!(tool["domain"], "exam.example:8443");
    let variables = json!({"due": "$ResourceLink.submission.endDateTime", "history": "$ResourceLink.id.history"});
    assert_eq!(
        (&tool["custom_parameters"], &asked["logo_uri"]),
        (&variables, &json!("https://exam.example:8443/icon.svg"))
    );
    assert_eq!(asked["scope"].as_str().unwrap().split(' ').count(), 4);
}

#[test]
fn whoever_shows_work_from_the_grade_book_is_asked_for_it() {
    let types = |shows_work| -> Vec<String> {
        let asked = tool_registration("https://exam.example", shows_work);
        let messages = asked[TOOL_CONFIGURATION]["messages"].as_array().unwrap().clone();
        messages.iter().map(|message| message["type"].as_str().unwrap().to_owned()).collect()
    };
    let review = "LtiSubmissionReviewRequest";
    assert_eq!(types(false), ["LtiResourceLinkRequest", "LtiDeepLinkingRequest"]);
    assert_eq!(types(true), ["LtiResourceLinkRequest", "LtiDeepLinkingRequest", review]);
    assert!(!parse(&moodle()).unwrap().shows_work);
    let told = json!({"messages_supported": [{"type": "LtiResourceLinkRequest"}, 7, {"type": review}]});
    assert!(parse(&with(PLATFORM_CONFIGURATION, told)).unwrap().shows_work);
}

#[test]
fn the_answer_names_the_client() {
    let answer = json!({
        "client_id": "abc", "scope": "https://purl.imsglobal.org/spec/lti-ags/scope/score",
        TOOL_CONFIGURATION: {"deployment_id": 7},
    });
    let found = RegistrationAnswer::parse(answer.to_string().as_bytes()).unwrap();
    assert_eq!((&*found.client_id, found.deployment_id.as_deref(), found.scopes.len()), ("abc", Some("7"), 1));
    let short = RegistrationAnswer::parse(br#"{"client_id":"abc"}"#).unwrap();
    assert_eq!((short.deployment_id, short.scopes.len()), (None, 4));
    for text in ["", "{}", r#"{"client_id":""}"#, r#"{"client_id":null}"#] {
        assert_eq!(RegistrationAnswer::parse(text.as_bytes()), Err(RegistrationFault::NoClientId), "{text}");
    }
}
