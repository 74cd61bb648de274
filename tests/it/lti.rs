//! Learning platforms: their launches, and what these lead to.

mod apart;
mod choices;
mod learners;
mod links;
mod people;
mod staff;

#[path = "lti"]
mod edge {
    use super::*;

    mod bad_launches;
    mod browsers;
    mod log;
}

use serde_json::{Value, json};

use crate::hall::launch_platform::{LTI, LaunchPlatform, MEMBERSHIP, Signing, post_form};
use crate::hall::{Answer, Caller, Hall};

/// A server that a platform of the tests may send people to.
struct Campus {
    hall: Hall,
    admin: Caller,
    platform: LaunchPlatform,
}

impl Campus {
    async fn open() -> Self {
        Self::with(json!({})).await
    }

    /// `changes` of what the admin has entered of the platform.
    async fn with(changes: Value) -> Self {
        let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
        let admin = hall.signed_in("admin").await;
        let platform = LaunchPlatform::open(&hall, changes).await;
        Self { hall, admin, platform }
    }

    /// Seconds by the server's clock.
    fn now(&self) -> i64 {
        self.hall.clock.now().milliseconds() / 1_000
    }

    /// The answer to a launch whose claims were changed, in a window.
    async fn launch(&self, changes: Value) -> Answer {
        self.launch_in(changes, "document").await
    }

    /// The same with what the browser says of where it shows the answer.
    async fn launch_in(&self, changes: Value, destination: &str) -> Answer {
        self.launch_from(&self.platform, changes, destination).await
    }

    /// The same from another platform.
    async fn launch_from(&self, platform: &LaunchPlatform, changes: Value, destination: &str) -> Answer {
        let browser = self.hall.anonymous();
        let login = platform.login(&browser).await;
        let mut claims = platform.claims(&login.nonce, self.now());
        merge(&mut claims, changes);
        let token = platform.token(&claims, Signing::Well);
        let headers = [("cookie", login.cookie.as_str()), ("sec-fetch-dest", destination)];
        login.launch_with(&browser, &[("id_token", &token)], &headers).await
    }

    /// The answer to a launch that is signed like this.
    async fn launch_signed(&self, changes: Value, signing: Signing) -> Answer {
        let browser = self.hall.anonymous();
        let login = self.platform.login(&browser).await;
        let mut claims = self.platform.claims(&login.nonce, self.now());
        merge(&mut claims, changes);
        login.launch(&browser, &self.platform.token(&claims, signing)).await
    }

    /// A template of grade 5, of 45 minutes.
    async fn template(&self, changes: Value) -> String {
        let mut body = json!({
            "name": "Fractions", "grades": [5], "durationMinutes": 45, "mode": "standard",
            "standardTargets": { "1": 1, "2": 2, "3": 2, "4": 2, "5": 3 },
        });
        merge(&mut body, changes);
        let made = self.admin.post_json("/api/admin/test-templates", &body).await;
        assert_eq!(made.status, 200, "{}", made.text());
        made.json()["template"]["id"].as_str().unwrap().to_owned()
    }

    /// A sitting of a template in so many minutes.
    async fn sitting(&self, template: &str, minutes: i64) -> Value {
        let starts_at = self.hall.clock.now().plus(minutes * 60_000).iso();
        let body = json!({ "name": "Finals", "templateId": template, "startsAt": starts_at });
        let made = self.admin.post_json("/api/admin/sittings", &body).await;
        assert_eq!(made.status, 200, "{}", made.text());
        made.json()["sitting"].clone()
    }

    /// Puts people on its roster.
    async fn enrol(&self, sitting: &Value, candidates: Value) {
        let path = format!("/api/admin/sittings/{}/candidates", sitting["id"].as_str().unwrap());
        let body = json!({ "candidates": candidates });
        let answer = Answer::to(self.admin.request(reqwest::Method::PUT, &path).json(&body)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    /// A teacher opens the page on which exams are chosen.
    async fn choosing(&self, settings: Value) -> Answer {
        let mut asked = json!({
            "accept_types": ["ltiResourceLink"], "accept_presentation_document_targets": ["iframe", "window"],
            "accept_multiple": false, "deep_link_return_url": format!("{}/back?course=1", self.platform.issuer),
            "data": "opaque <data>", "accept_lineitem": true,
        });
        merge(&mut asked, settings);
        let request = json!({
            "sub": "teacher-1", format!("{LTI}roles"): [format!("{MEMBERSHIP}Instructor")],
            format!("{LTI}message_type"): "LtiDeepLinkingRequest", format!("{LTI}resource_link"): null,
            "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings": asked,
        });
        self.launch_in(request, "iframe").await
    }

    /// Gives the deployment something, as a teacher who chooses it.
    async fn place(&self, item: &str) -> Answer {
        let page = self.choosing(json!({})).await;
        assert_eq!(page.status, 200, "{}", page.text());
        self.choose(&page, &[("item", item), ("points", "100")]).await
    }

    /// Sends the form of that page with these fields.
    async fn choose(&self, page: &Answer, fields: &[(&str, &str)]) -> Answer {
        let html = page.text();
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("ticket", &hidden(&html, "ticket")).append_pair("data", &hidden(&html, "data"));
        form.extend_pairs(fields);
        post_form(&self.hall.anonymous(), "/lti/choice", form.finish(), &[]).await
    }

    /// Goes on with the ticket of a page.
    async fn enter(&self, page: &Answer) -> Answer {
        self.enter_as(page, &[]).await
    }

    /// The same with these headers.
    async fn enter_as(&self, page: &Answer, headers: &[(&str, &str)]) -> Answer {
        assert_eq!(page.status, 200, "{}", page.text());
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("ticket", &hidden(&page.text(), "ticket"));
        post_form(&self.hall.anonymous(), "/lti/enter", form.finish(), headers).await
    }
}

/// What a link asks for.
fn custom(kind: &str, id: &str) -> Value {
    json!({ format!("{LTI}custom"): { kind: id, "due": "$ResourceLink.submission.endDateTime" } })
}

/// The roles of a teacher.
fn teacher() -> Value {
    json!({ "sub": "teacher-1", format!("{LTI}roles"): [format!("{MEMBERSHIP}Instructor")] })
}

/// Sets the members of an object; `null` takes one away.
fn merge(value: &mut Value, changes: Value) {
    let Value::Object(changes) = changes else { panic!("changes are an object") };
    let object = value.as_object_mut().unwrap();
    for (name, change) in changes {
        if change.is_null() { drop(object.remove(&name)) } else { drop(object.insert(name, change)) }
    }
}

/// Both changes.
fn both(mut one: Value, other: Value) -> Value {
    merge(&mut one, other);
    one
}

/// The value of a hidden field of a page.
fn hidden(html: &str, name: &str) -> String {
    let marker = format!("name=\"{name}\" value=\"");
    let rest = html.split_once(&marker).unwrap_or_else(|| panic!("no field {name}: {html}")).1;
    let value = rest.split_once('"').unwrap().0;
    value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#039;", "'").replace("&amp;", "&")
}

/// Asserts that nothing was opened, for this reason.
#[track_caller]
fn assert_refused(answer: &Answer, status: u16, sentence: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert!(answer.header("content-type").starts_with("text/html"), "{}", answer.header("content-type"));
    assert!(answer.text().contains(sentence), "{sentence}: {}", answer.text());
    assert!(answer.header("set-cookie").is_empty() && answer.header("location").is_empty());
}

/// The session and the token of an exam to which an answer leads.
#[track_caller]
fn exam_of(answer: &Answer, page: &str) -> (String, String) {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let location = answer.header("location");
    let (path, secret) = location.split_once('#').unwrap_or_else(|| panic!("no secret: {location}"));
    assert_eq!(path, page);
    let (session, token) = secret.split_once('.').unwrap();
    (session.to_owned(), token.to_owned())
}
