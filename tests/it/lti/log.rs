//! What the log has of launches and registrations that were refused: a line for each, and nobody's data.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Campus, both, custom, hidden, merge, teacher};
use crate::hall::launch_platform::{BegunLogin, LTI, LaunchPlatform, Signing, post_form};
use crate::hall::{Answer, Caller, External, Process, Told};

/// What belongs into no log: who comes, by what a platform knows them, and what is secret.
const PERSONAL: [&str; 8] =
    ["Ada", "ada@", "learner-1", "teacher-1", "hint-1", "message-1", "course-1", "token-of-the-platform"];

/// A server beside the campus, whose log can be read.
struct Logged {
    process: Process,
    browser: Caller,
    /// Bytes of the log that were looked at.
    read: usize,
}

impl Logged {
    async fn open(campus: &Campus) -> Self {
        let mut settings = campus.hall.settings().clone();
        settings.insert("LOG".to_owned(), "info".to_owned());
        let process = Process::serve(&settings).await;
        let (browser, read) = (process.anonymous(), process.log().len());
        Self { process, browser, read }
    }

    /// The one line that a refusal has left, from its message on.
    #[track_caller]
    fn line(&mut self, answer: &Answer, message: &str) -> String {
        assert!(answer.status >= 400, "{}: {}", answer.status, answer.text());
        let log = self.process.log();
        let new = &log[self.read..];
        self.read = log.len();
        for word in PERSONAL {
            assert!(!new.contains(word), "{word}: {new}");
        }
        let mut lines = new.lines().filter_map(|line| line.split_once(message));
        let (_, facts) = lines.next().unwrap_or_else(|| panic!("no line: {new}"));
        assert_eq!(lines.next(), None, "{new}");
        facts.trim().to_owned()
    }

    /// The same of a launch.
    #[track_caller]
    fn of_launch(&mut self, answer: &Answer) -> String {
        self.line(answer, "a launch was refused")
    }

    /// The same of a registration.
    #[track_caller]
    fn of_registration(&mut self, answer: &Answer) -> String {
        self.line(answer, "a learning platform was refused")
    }

    /// The answer to a launch with these claims changed.
    async fn launch(&self, campus: &Campus, changes: Value) -> Answer {
        let login = campus.platform.login(&self.browser).await;
        let mut claims = campus.platform.claims(&login.nonce, campus.now());
        merge(&mut claims, changes);
        let token = campus.platform.token(&claims, Signing::Well);
        let headers = [("cookie", login.cookie.as_str()), ("sec-fetch-dest", "document")];
        login.launch_with(&self.browser, &[("id_token", &token)], &headers).await
    }
}

#[tokio::test]
async fn each_refused_launch_leaves_one_line_that_names_nobody() {
    let campus = Campus::open().await;
    let mut logged = Logged::open(&campus).await;
    let of_platform = |refusal: &str| format!("platform={} refusal={refusal}", campus.platform.id);
    let browser = logged.browser.clone();

    let stranger = LaunchPlatform::alone().await.login_query(&[]);
    let unknown = browser.get(&format!("/lti/login?{stranger}")).await;
    assert_eq!(logged.of_launch(&unknown), "refusal=UnknownPlatform");
    let empty = browser.get("/lti/login?iss=x").await;
    assert_eq!(logged.of_launch(&empty), "refusal=Incomplete(\"login_hint\")");

    let now = campus.now();
    for (changes, refusal) in [
        (json!({ "exp": now - 1 }), "Token(Expired)"),
        (json!({ "aud": "another-tool", "azp": null }), "Token(Audience)"),
        (json!({ "sub": null }), "Fault(Anonymous)"),
        (json!({ format!("{LTI}deployment_id"): "new" }), "PendingDeployment"),
        (json!({}), "NotPlaced"),
    ] {
        let answer = logged.launch(&campus, changes).await;
        assert_eq!(logged.of_launch(&answer), of_platform(refusal));
    }

    let login = campus.platform.login(&browser).await;
    let token = campus.platform.token(&campus.platform.claims(&login.nonce, campus.now()), Signing::Well);
    let cookie = [("cookie", login.cookie.as_str())];
    for (error, code) in [("login_required", "Some(\"login_required\")"), ("Ada <ada@exam.test>", "None")] {
        let fields = [("error", error), ("error_description", "Ada is not signed in")];
        let answer = login.launch_with(&browser, &fields, &cookie).await;
        assert_eq!(logged.of_launch(&answer), of_platform(&format!("PlatformFailed({code})")));
    }
    let forged = BegunLogin { state: "x".to_owned(), ..login.clone() };
    let answer = forged.launch(&browser, &token).await;
    assert_eq!(logged.of_launch(&answer), "refusal=Expired");
    let other = campus.platform.login(&browser).await;
    let stolen = BegunLogin { cookie: other.cookie, ..login.clone() };
    let answer = stolen.launch(&browser, &token).await;
    assert_eq!(logged.of_launch(&answer), of_platform("Expired"));
    let window = [("sec-fetch-dest", "document")];
    let answer = login.launch_with(&browser, &[("id_token", &token)], &window).await;
    assert_eq!(logged.of_launch(&answer), of_platform("NoCookies"));
}

#[tokio::test]
async fn so_does_each_page_of_a_launch_that_is_left_in_vain() {
    let campus = Campus::open().await;
    let mut logged = Logged::open(&campus).await;
    let browser = logged.browser.clone();
    for path in ["/lti/enter", "/lti/choice"] {
        let answer = post_form(&browser, path, "ticket=x".to_owned(), &[]).await;
        assert_eq!(logged.of_launch(&answer), "refusal=TicketOld", "{path}");
    }
    let template = campus.template(json!({})).await;
    assert_eq!(campus.place(&format!("template:{template}")).await.status, 200);
    let choosing = campus.choosing(json!({})).await;
    let staff = campus.launch_in(both(custom("template", &template), teacher()), "iframe").await;
    let path = format!("/api/admin/lti/platforms/{}", campus.platform.id);
    let blocking = campus.admin.request(Method::PATCH, &path).json(&json!({ "state": "blocked" }));
    assert_eq!(Answer::to(blocking).await.status, 200);
    for (path, page) in [("/lti/choice", choosing), ("/lti/enter", staff)] {
        let html = page.text();
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("ticket", &hidden(&html, "ticket"));
        let answer = post_form(&browser, path, form.finish(), &[]).await;
        let expected = format!("platform={} refusal=BlockedPlatform", campus.platform.id);
        assert_eq!(logged.of_launch(&answer), expected, "{path}");
    }
}

#[tokio::test]
async fn so_does_each_refused_registration() {
    let campus = Campus::open().await;
    let mut logged = Logged::open(&campus).await;
    let browser = logged.browser.clone();
    let service = External::open().await;
    let asked = |configuration: &str| {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("openid_configuration", configuration);
        form.append_pair("registration_token", "token-of-the-platform").finish()
    };
    let http = asked("http://lms.exam.test/config?hint-1");
    let shown = browser.get(&format!("/lti/register?{http}")).await;
    let refused = "host=\"lms.exam.test\" refusal=Fault(NotHttps)";
    assert_eq!(logged.of_registration(&shown), refused);
    assert_eq!(logged.of_registration(&post_form(&browser, "/lti/register", http, &[]).await), refused);
    let private = asked("https://10.0.0.1/config");
    let line = logged.of_registration(&post_form(&browser, "/lti/register", private, &[]).await);
    assert!(line.starts_with("host=\"10.0.0.1\" refusal=Unreachable("), "{line}");
    let ours = asked(&format!("http://{}/config", service.address));
    service.on("GET /config", Told::Json(401, json!({ "error": "Ada" })));
    let answered = post_form(&browser, "/lti/register", ours.clone(), &[]).await;
    assert_eq!(logged.of_registration(&answered), "host=\"127.0.0.1\" refusal=Answered(401)");
    let foreign = json!({ "issuer": "https://ada@lms.exam.test" });
    service.on("GET /config", Told::Json(200, foreign));
    let wrong = post_form(&browser, "/lti/register", ours, &[]).await;
    assert_eq!(logged.of_registration(&wrong), "host=\"127.0.0.1\" refusal=Fault(Issuer)");
}
