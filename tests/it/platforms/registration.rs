//! Platforms that register themselves, and wait.

use serde_json::{Value, json};
use url::form_urlencoded::Serializer;

use super::PLATFORMS;
use crate::hall::{Answer, External, Hall, Told};

const REGISTER: &str = "/lti/register";
const LTI: &str = "https://purl.imsglobal.org/spec/lti-platform-configuration";
const TOOL: &str = "https://purl.imsglobal.org/spec/lti-tool-configuration";

/// A hall, and a platform that it may reach.
async fn open() -> (Hall, External) {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let service = External::open().await;
    service.on("GET /config", Told::Json(200, configuration(&service)));
    service.on("POST /register", Told::Json(200, json!({ "client_id": "client-1", TOOL: { "deployment_id": "7" } })));
    (hall, service)
}

fn configuration(service: &External) -> Value {
    let base = format!("http://{}", service.address);
    json!({
        "issuer": base, "authorization_endpoint": format!("{base}/auth"), "token_endpoint": format!("{base}/token"),
        "jwks_uri": format!("{base}/keys"), "registration_endpoint": format!("{base}/register"),
        LTI: { "product_family_code": "moodle", "version": "4.5" },
    })
}

fn asked(service: &External) -> String {
    let mut form = Serializer::new(String::new());
    form.append_pair("openid_configuration", &format!("http://{}/config", service.address));
    form.append_pair("registration_token", "token-of-the-platform").finish()
}

async fn click(hall: &Hall, form: String) -> Answer {
    let request = hall.anonymous().request(reqwest::Method::POST, REGISTER);
    Answer::to(request.header("content-type", "application/x-www-form-urlencoded").body(form)).await
}

#[tokio::test]
async fn a_platform_registers_itself_and_waits() {
    let (hall, service) = open().await;
    let page = hall.anonymous().get(&format!("{REGISTER}?{}", asked(&service))).await;
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(page.header("content-security-policy").ends_with("frame-ancestors https:"), "{:?}", page.headers);
    assert!(!page.headers.contains_key("x-frame-options") && !page.headers.contains_key("set-cookie"));
    assert!(page.text().contains("127.0.0.1") && page.text().contains("token-of-the-platform"), "{}", page.text());
    assert!(service.calls("GET /config").is_empty(), "nothing is fetched before the click");

    let done = click(&hall, asked(&service)).await;
    assert_eq!(done.status, 200, "{}", done.text());
    assert!(done.text().contains("org.imsglobal.lti.close"), "{}", done.text());
    for line in ["GET /config", "POST /register"] {
        let calls = service.calls(line);
        assert_eq!((calls.len(), calls[0].header("authorization")), (1, "Bearer token-of-the-platform"), "{line}");
    }
    let sent = service.calls("POST /register")[0].json();
    assert_eq!(sent["initiate_login_uri"], "http://exam.localhost/lti/login");
    assert_eq!(sent[TOOL]["domain"], "exam.localhost");

    let admin = hall.signed_in("admin").await;
    let platforms = admin.get(PLATFORMS).await.json()["platforms"].clone();
    let platform = &platforms[0];
    assert_eq!((platforms.as_array().unwrap().len(), &platform["state"]), (1, &json!("pending")));
    assert_eq!((&platform["clientId"], &platform["issuer"]), (&json!("client-1"), &configuration(&service)["issuer"]));
    assert_eq!(platform["deployments"], json!([{ "id": "7", "state": "active" }]));
    let facts = &platform["registration"];
    assert_eq!(
        (&facts["product"], &facts["version"], facts["scopes"].as_array().unwrap().len()),
        (&json!("moodle"), &json!("4.5"), 4)
    );
    assert_eq!(click(&hall, asked(&service)).await.status, 409, "it is connected already");
}

#[tokio::test]
async fn what_cannot_be_registered_leaves_nothing_behind() {
    let (hall, service) = open().await;
    for form in ["", "openid_configuration=x", "openid_configuration=http%3A%2F%2Flms.exam.test%2Fconfig"] {
        assert_eq!(click(&hall, form.to_owned()).await.status, 400, "{form}");
        assert_eq!(hall.anonymous().get(&format!("{REGISTER}?{form}")).await.status, 400, "{form}");
    }
    let header = format!("{}%0D%0Ax", asked(&service));
    assert_eq!(click(&hall, header).await.status, 400, "a token that is no header");
    for (field, value) in [
        ("issuer", json!("https://other.exam.test")),
        ("token_endpoint", json!("http://lms.exam.test/token")),
        (LTI, Value::Null),
    ] {
        let mut told = configuration(&service);
        told[field] = value;
        service.then("GET /config", [Told::Json(200, told)]);
        assert_eq!(click(&hall, asked(&service)).await.status, 400, "{field}");
    }
    service.then("GET /config", [Told::Json(401, json!({})), Told::Text(200, "", "x".repeat(100_000)), Told::Cut]);
    for what in ["it is refused", "it is too long", "it is cut"] {
        assert_eq!(click(&hall, asked(&service)).await.status, 502, "{what}");
    }
    assert!(service.calls("POST /register").is_empty());
    service.then("POST /register", [Told::Json(200, json!({}))]);
    assert_eq!(click(&hall, asked(&service)).await.status, 400, "no client id");
    let closed = Hall::open().await;
    assert_eq!(click(&closed, asked(&service)).await.status, 400, "an address of the server's own network");
    let admin = hall.signed_in("admin").await;
    assert_eq!(admin.get(PLATFORMS).await.json(), json!({ "platforms": [] }));
}

#[tokio::test]
async fn no_more_wait_than_an_admin_can_look_at() {
    let (hall, service) = open().await;
    for number in 0..20 {
        service.then("POST /register", [Told::Json(200, json!({ "client_id": format!("client {number}") }))]);
        assert_eq!(click(&hall, asked(&service)).await.status, 200, "{number}");
    }
    let asked_before = service.calls("").len();
    assert_eq!(click(&hall, asked(&service)).await.status, 409);
    assert_eq!(service.calls("").len(), asked_before, "the platform is not asked in vain");
}
