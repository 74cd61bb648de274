//! Deep linking: what a teacher is shown, and what the platform is told.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use serde_json::{Value, json};

use super::{Campus, assert_refused, custom, hidden};
use crate::hall::Answer;
use crate::hall::launch_platform::{DL, LAUNCH, LTI, MEMBERSHIP, Signing};

impl Campus {
    /// The claims of the answer on a page, after a check of its signature by the keys that this server publishes.
    async fn answer_on(&self, page: &Answer) -> Value {
        assert_eq!(page.status, 200, "{}", page.text());
        let token = hidden(&page.text(), "JWT");
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let (header, payload) = signed.split_once('.').unwrap();
        let json = |part: &str| -> Value { serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap() };
        let keys = self.hall.anonymous().get("/lti/jwks").await.json();
        let header = json(header);
        assert_eq!(header["alg"], "RS256");
        let key = keys["keys"].as_array().unwrap().iter().find(|key| key["kid"] == header["kid"]).unwrap();
        let number = |name: &str| URL_SAFE_NO_PAD.decode(key[name].as_str().unwrap()).unwrap();
        let public = RsaPublicKeyComponents { n: number("n"), e: number("e") };
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        public.verify(&RSA_PKCS1_2048_8192_SHA256, signed.as_bytes(), &signature).unwrap();
        json(payload)
    }
}

#[tokio::test]
async fn a_teacher_places_a_sitting_with_its_column_and_its_times() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    let sitting = campus.sitting(&template, 90).await;
    let of_others = campus.template(json!({ "name": "Of grade six", "grades": [6] })).await;
    let page = campus.choosing(json!({ "title": "<Midterm>" })).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let html = page.text();
    let id = sitting["id"].as_str().unwrap();
    for part in [
        format!("value=\"sitting:{id}\""),
        format!("value=\"template:{template}\""),
        "value=\"&lt;Midterm&gt;\"".to_owned(),
        "45 minutes".to_owned(),
        "type=\"radio\"".to_owned(),
    ] {
        assert!(html.contains(&part), "{part}: {html}");
    }
    assert!(!html.contains(&of_others), "{html}");
    let policy = page.header("content-security-policy");
    assert!(policy.contains("form-action 'self';") && policy.contains("script-src 'sha256-"), "{policy}");
    let item = format!("sitting:{id}");
    let placed = campus.choose(&page, &[("item", item.as_str()), ("title", "Maths final"), ("points", "600")]).await;
    assert!(
        placed.text().contains(&format!("action=\"{}/back?course=1\"", campus.platform.issuer)),
        "{}",
        placed.text()
    );
    let policy = placed.header("content-security-policy");
    assert!(policy.contains(&format!("form-action 'self' {}", campus.platform.issuer)), "{policy}");
    let answer = campus.answer_on(&placed).await;
    let now = campus.now();
    assert_eq!((&answer["iss"], &answer["aud"]), (&json!("exam-hall-1"), &json!(campus.platform.issuer)));
    assert_eq!(answer["exp"].as_i64().unwrap() - answer["iat"].as_i64().unwrap(), 300);
    assert!((now - 60..=now).contains(&answer["iat"].as_i64().unwrap()) && answer["nonce"].is_string());
    for (name, value) in [
        (format!("{LTI}deployment_id"), json!("1")),
        (format!("{LTI}message_type"), json!("LtiDeepLinkingResponse")),
        (format!("{LTI}version"), json!("1.3.0")),
        (format!("{DL}data"), json!("opaque <data>")),
    ] {
        assert_eq!(answer[&name], value, "{name}");
    }
    let items = answer[&format!("{DL}content_items")].as_array().unwrap();
    assert_eq!(items.len(), 1);
    let item = &items[0];
    assert_eq!((&item["type"], &item["url"]), (&json!("ltiResourceLink"), &json!(LAUNCH)));
    assert_eq!((&item["title"], &item["custom"]["sitting"]), (&json!("Maths final"), &json!(id)));
    assert_eq!((&item["lineItem"]["scoreMaximum"], &item["window"]["targetName"]), (&json!(600), &json!("_blank")));
    assert_eq!(item["submission"]["startDateTime"], sitting["startsAt"]);
    assert_eq!(item["available"]["startDateTime"], sitting["doorsAt"]);
    assert!(item.get("iframe").is_none());
}

#[tokio::test]
async fn several_are_placed_at_once_and_turning_back_places_nothing() {
    let campus = Campus::open().await;
    let (one, two) = (campus.template(json!({})).await, campus.template(json!({ "name": "Decimals" })).await);
    let page = campus.choosing(json!({ "accept_multiple": true, "accept_lineitem": false, "data": null })).await;
    assert!(page.text().contains("type=\"checkbox\"") && !page.text().contains("name=\"points\""));
    let (first, second) = (format!("template:{one}"), format!("template:{two}"));
    let fields = [("item", first.as_str()), ("item", second.as_str()), ("points", "5"), ("title", "Both")];
    let answer = campus.answer_on(&campus.choose(&page, &fields).await).await;
    let items = answer[&format!("{DL}content_items")].as_array().unwrap();
    assert_eq!(items.iter().map(|item| &item["title"]).collect::<Vec<_>>(), ["Fractions", "Decimals"]);
    assert!(items.iter().all(|item| item.get("lineItem").is_none()) && answer.get(format!("{DL}data")).is_none());
    let nothing = campus.answer_on(&campus.choose(&page, &[("item", first.as_str()), ("back", "1")]).await).await;
    assert_eq!(nothing[&format!("{DL}content_items")], json!([]));
    assert!(nothing[&format!("{DL}msg")].is_string());
}

#[tokio::test]
async fn only_staff_choose_and_only_of_their_grades() {
    let campus = Campus::open().await;
    let of_others = campus.template(json!({ "grades": [6] })).await;
    let mine = campus.template(json!({})).await;
    let settings = json!({ "accept_types": ["ltiResourceLink"], "deep_link_return_url": "https://lms.exam.test/back" });
    let request = |roles: Value, settings: Value| {
        json!({
            format!("{LTI}roles"): roles, format!("{LTI}message_type"): "LtiDeepLinkingRequest",
            "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings": settings,
        })
    };
    for roles in [json!([format!("{MEMBERSHIP}Learner")]), json!([])] {
        let answer = campus.launch(request(roles, settings.clone())).await;
        assert_refused(&answer, 403, "chosen by teachers");
    }
    assert_refused(&campus.launch(request(json!("Instructor"), settings)).await, 400, "who you are in the course");
    let staff = json!([format!("{MEMBERSHIP}ContentDeveloper")]);
    let files = json!({ "accept_types": ["file"], "deep_link_return_url": "https://lms.exam.test/back" });
    assert_refused(&campus.launch(request(staff.clone(), files)).await, 400, "takes no links");
    let scripted = json!({ "accept_types": ["ltiResourceLink"], "deep_link_return_url": "javascript:alert(1)" });
    assert_refused(&campus.launch(request(staff, scripted)).await, 400, "takes no links");
    let page = campus.choosing(json!({})).await;
    let item = format!("template:{of_others}");
    let forged = campus.choose(&page, &[("item", item.as_str())]).await;
    assert_refused(&forged, 403, "have no rights");
    let item = format!("template:{mine}");
    let two = campus.choose(&page, &[("item", item.as_str()), ("item", item.as_str())]).await;
    assert_refused(&two, 400, "takes no links");
    let looked = campus.choose(&page, &[("look", item.as_str())]).await;
    assert_eq!((looked.status, looked.header("location")), (303, format!("/staff/templates/{mine}").as_str()));
    // Whoever else has the page is not signed in by it.
    assert_refused(&campus.choose(&page, &[("look", item.as_str())]).await, 400, "has been used already");
}

#[tokio::test]
async fn a_platform_need_not_say_who_chooses() {
    let campus = Campus::open().await;
    let template = campus.template(json!({})).await;
    let item = format!("template:{template}");
    let asked = json!({
        format!("{LTI}message_type"): "LtiDeepLinkingRequest", format!("{LTI}resource_link"): null,
        "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings": {
            "accept_types": ["ltiResourceLink"], "deep_link_return_url": format!("{}/back", campus.platform.issuer),
        },
    });
    let roles = format!("{LTI}roles");
    let without = |names: &[&str]| {
        let mut request = asked.clone();
        request[roles.as_str()] = json!([format!("{MEMBERSHIP}Instructor")]);
        for name in names {
            request[*name] = Value::Null;
        }
        request
    };
    for names in [&["sub", roles.as_str()] as &[&str], &[roles.as_str()], &["sub"]] {
        let page = campus.launch_in(without(names), "iframe").await;
        assert_eq!(page.status, 200, "{names:?}: {}", page.text());
        assert!(page.text().contains(&item) && !page.text().contains("name=\"look\""), "{names:?}: {}", page.text());
        assert_refused(&campus.choose(&page, &[("look", item.as_str())]).await, 403, "have no rights");
        let answer = campus.answer_on(&campus.choose(&page, &[("item", item.as_str())]).await).await;
        assert_eq!(answer[&format!("{DL}content_items")].as_array().unwrap().len(), 1, "{names:?}");
    }
    assert_eq!(campus.launch(custom("template", &template)).await.status, 200, "it was given");
    let entries = campus.admin.get("/api/admin/audit?action=link.placed").await.json()["entries"].clone();
    assert_eq!((entries.as_array().unwrap().len(), &entries[0]["subject"]), (3, &json!(template)));
    assert!(entries[0]["actor"] == "deep linking" && entries[1]["actor"].as_str().unwrap().starts_with("lti:"));
    // All that is checked of other messages is checked of one that names nobody.
    let nobody = without(&["sub", roles.as_str()]);
    let now = campus.now();
    for (changes, sentence) in [
        (json!({ "iss": "https://elsewhere.exam.test" }), "another platform"),
        (json!({ "aud": "another-tool", "azp": null }), "another tool"),
        (json!({ "aud": ["exam-hall-1", "another-tool"], "azp": null }), "another tool"),
        (json!({ "aud": null }), "another tool"),
        (json!({ "azp": "another-tool" }), "another tool"),
        (json!({ "exp": now - 1 }), "expired"),
        (json!({ "exp": null }), "can be read"),
        (json!({ "iat": now - 400 }), "too old"),
        (json!({ "nonce": "another" }), "does not belong to this login"),
        (json!({ format!("{LTI}deployment_id"): null }), "which of its deployments"),
    ] {
        let mut request = nobody.clone();
        request.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        assert_refused(&campus.launch(request).await, 400, sentence);
    }
    for (signing, sentence) in [
        (Signing::Badly, "signature of the platform"),
        (Signing::WithNone, "not signed as it should be"),
        (Signing::WithPublicKey, "not signed as it should be"),
        (Signing::AsKey("key-7"), "a key that the platform does not publish"),
    ] {
        assert_refused(&campus.launch_signed(nobody.clone(), signing).await, 400, sentence);
    }
}
