//! Launches as edX really sends them, the bad launches of the certification suite, and what platforms leave out.

use serde_json::{Value, json};

use super::*;

fn lti(name: &str) -> String {
    of_lti(name)
}

fn resource() -> Value {
    json!({
        "iss": "https://lms", "aud": "client", "azp": "client", "sub": "ext-1", "exp": 1_795_861_900,
        "iat": 1_795_858_300, "nonce": "n-1", "name": "Ada Lovelace", "email": "Ada@School.example",
        lti("version"): "1.3.0", lti("message_type"): "LtiResourceLinkRequest", lti("deployment_id"): "1",
        lti("target_link_uri"): "https://exam/lti/launch",
        lti("roles"): ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
        lti("resource_link"): {"id": "link-1", "title": " Maths\tfinal ", "description": ""},
        lti("context"): {"id": "course-1", "label": "M", "title": "Maths"},
        lti("launch_presentation"): {"document_target": "window", "return_url": "https://lms/back", "locale": "en"},
        lti("custom"): {"sitting": "42", "due": "$ResourceLink.submission.endDateTime"},
        lti("tool_platform"): {"guid": "x", "product_family_code": "moodle"},
        AGS_CLAIM: {"scope": ["https://purl.imsglobal.org/spec/lti-ags/scope/score"], "lineitems": "https://lms/i",
            "lineitem": "https://lms/i/1"},
        NRPS_CLAIM: {"context_memberships_url": "https://lms/members", "service_versions": ["2.0"]},
    })
}

fn deep_linking() -> Value {
    let mut claims = resource();
    claims[lti("message_type")] = json!("LtiDeepLinkingRequest");
    claims.as_object_mut().unwrap().remove(&lti("resource_link"));
    claims[format!("{DEEP_LINKING_CLAIM}deep_linking_settings")] = json!({
        "accept_types": ["ltiResourceLink", "link"], "accept_presentation_document_targets": ["iframe", "window"],
        "accept_multiple": "true", "auto_create": true, "title": "", "text": "",
        "deep_link_return_url": "https://lms/return", "data": "opaque", "accept_lineitem": true,
    });
    claims
}

fn without(mut claims: Value, name: &str) -> Value {
    claims.as_object_mut().unwrap().remove(name);
    claims
}

fn with(mut claims: Value, name: &str, value: Value) -> Value {
    claims[name] = value;
    claims
}

#[test]
fn a_launch_of_edx_is_read() {
    let launch = Launch::parse(&resource()).unwrap();
    let link = ResourceLink { id: "link-1".to_owned(), title: Some("Maths final".to_owned()) };
    assert_eq!(launch.kind, LaunchKind::Resource(link));
    assert_eq!((launch.subject.as_deref(), launch.role), (Some("ext-1"), LaunchRole::Learner));
    assert_eq!(launch.email.as_deref(), Some("ada@school.example"));
    assert_eq!((launch.custom.get("sitting"), launch.custom.get("due")), (Some("42"), None));
    let ags = launch.ags.unwrap();
    assert_eq!((ags.line_items.as_deref(), ags.line_item.as_deref()), (Some("https://lms/i"), Some("https://lms/i/1")));
    assert_eq!(launch.nrps.unwrap().memberships, "https://lms/members");
    assert_eq!((launch.product.as_deref(), launch.locale.as_deref()), (Some("moodle"), Some("en")));
    assert_eq!(launch.context.unwrap().title.as_deref(), Some("Maths"));
}

#[test]
fn what_may_be_absent_may_be_null_or_nonsense() {
    let mut claims = resource();
    let optional = ["context", "launch_presentation", "custom", "tool_platform"]
        .map(lti)
        .into_iter()
        .chain(["name", "email", AGS_CLAIM, NRPS_CLAIM, "azp"].map(str::to_owned));
    for name in optional {
        for value in [json!(null), json!(7), json!([])] {
            if name != "azp" {
                assert!(Launch::parse(&with(resource(), &name, value)).is_ok(), "{name}");
            }
        }
        claims = without(claims, &name);
    }
    let launch = Launch::parse(&claims).unwrap();
    assert_eq!((launch.name, launch.email, launch.ags, launch.nrps, launch.context), (None, None, None, None, None));
}

#[test]
fn each_bad_launch_of_the_certification_is_refused() {
    for (name, fault) in [
        (lti("version"), LaunchFault::Version),
        (lti("message_type"), LaunchFault::MessageType),
        (lti("roles"), LaunchFault::Roles),
        (lti("deployment_id"), LaunchFault::DeploymentId),
        (lti("resource_link"), LaunchFault::ResourceLink),
        (lti("target_link_uri"), LaunchFault::TargetLinkUri),
        ("sub".to_owned(), LaunchFault::Anonymous),
        ("nonce".to_owned(), LaunchFault::Nonce),
    ] {
        assert_eq!(Launch::parse(&without(resource(), &name)), Err(fault), "without {name}");
        for value in [json!(null), json!(""), json!(17)] {
            assert_eq!(Launch::parse(&with(resource(), &name, value.clone())), Err(fault), "{name}: {value}");
        }
    }
    for (name, value, fault) in [
        (lti("version"), json!("1.1"), LaunchFault::Version),
        (lti("message_type"), json!("ContentItemSelection"), LaunchFault::MessageType),
        (lti("resource_link"), json!({"title": "no id"}), LaunchFault::ResourceLink),
        (lti("deployment_id"), json!("a\u{0}b"), LaunchFault::DeploymentId),
        ("sub".to_owned(), json!("x".repeat(ID_CHARACTERS_MAX + 1)), LaunchFault::Anonymous),
    ] {
        assert_eq!(Launch::parse(&with(resource(), &name, value)), Err(fault), "{name}");
    }
    assert_eq!(Launch::parse(&json!("token")), Err(LaunchFault::NoLaunch));
    let nobody = with(resource(), &lti("roles"), json!([]));
    assert_eq!(Launch::parse(&nobody).unwrap().role, LaunchRole::Other, "no role is a role that does nothing");
}

#[test]
fn deep_linking_needs_no_link_and_no_person() {
    let mut claims = deep_linking();
    for name in ["sub".to_owned(), lti("roles")] {
        claims = without(claims, &name);
    }
    let launch = Launch::parse(&claims).unwrap();
    assert_eq!((&launch.subject, launch.role, launch.tells_role), (&None, LaunchRole::Other, false));
    for roles in [json!([]), json!(["Learner"])] {
        assert!(Launch::parse(&with(claims.clone(), &lti("roles"), roles)).unwrap().tells_role);
    }
    let no_list = with(claims.clone(), &lti("roles"), json!("Instructor"));
    assert_eq!(Launch::parse(&no_list), Err(LaunchFault::Roles));
    let null = with(claims, &lti("roles"), json!(null));
    assert!(!Launch::parse(&null).unwrap().tells_role);
    let LaunchKind::DeepLinking(settings) = launch.kind else { panic!("{:?}", launch.kind) };
    assert_eq!((&*settings.return_url, settings.data.as_deref()), ("https://lms/return", Some("opaque")));
    assert!(settings.accepts_links && settings.accepts_multiple, "{settings:?}");
    assert_eq!((settings.accepts_line_item, settings.title), (Some(true), None));
    let name = format!("{DEEP_LINKING_CLAIM}deep_linking_settings");
    assert_eq!(Launch::parse(&without(deep_linking(), &name)), Err(LaunchFault::DeepLinkingSettings));
}

#[test]
fn a_review_names_whose_work_is_shown() {
    let review = with(resource(), &lti("message_type"), json!("LtiSubmissionReviewRequest"));
    assert_eq!(Launch::parse(&review), Err(LaunchFault::ForUser));
    let review = with(review, &lti("for_user"), json!({"user_id": "ext-7"}));
    let launch = Launch::parse(&review).unwrap();
    let LaunchKind::SubmissionReview { link, for_user } = launch.kind else { panic!("{:?}", launch.kind) };
    assert_eq!((link.map(|link| link.id).as_deref(), &*for_user), (Some("link-1"), "ext-7"));
}

#[test]
fn a_token_is_new_and_for_this_tool() {
    let now = Moment::from_milliseconds(1_795_858_300_000);
    let check = |claims: &Value, later: i64| check_token(claims, "client", now.plus(later * 1_000));
    for later in [-60, 0, 300] {
        assert_eq!(check(&resource(), later), Ok(()), "{later}");
    }
    for later in [-61, 301, -999_999_999] {
        assert_eq!(check(&resource(), later), Err(LaunchFault::IssuedAt), "{later}");
    }
    for value in [json!(null), json!("1795858300"), json!(1e300), json!(i64::MIN)] {
        assert_eq!(check(&with(resource(), "iat", value.clone()), 0), Err(LaunchFault::IssuedAt), "{value}");
    }
    assert_eq!(check(&with(resource(), "iat", json!(1_795_858_300.5)), 0), Ok(()));
    assert_eq!(check(&with(resource(), "azp", json!("other")), 0), Err(LaunchFault::AuthorizedParty));
    let several = with(without(resource(), "azp"), "aud", json!(["client", "other"]));
    assert_eq!(check(&several, 0), Err(LaunchFault::AuthorizedParty));
    assert_eq!(check(&with(several, "azp", json!("client")), 0), Ok(()));
    assert_eq!(check(&with(without(resource(), "azp"), "aud", json!(["client"])), 0), Ok(()));
}
