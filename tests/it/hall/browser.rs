//! A browser of one person: it keeps cookies as browsers do, says where its requests come from, and fills in forms.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use regex::Regex;
use reqwest::header::{COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use url::Url;

use super::{Answer, Caller, Hall};

/// Bytes of name and value above which browsers drop a cookie.
const COOKIE_BYTES_MAX: usize = 4096;
/// Redirects that a browser follows, one after the other.
const REDIRECTS_MAX: usize = 20;
/// What a browser asks for when a person goes somewhere.
const PAGES: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// A browser with its cookies.
#[derive(Clone)]
pub struct Browser {
    /// The origin by which people know Exam Hall, and where it really is.
    public: Url,
    real: String,
    client: Caller,
    /// The page that is open.
    page: Option<Url>,
    cookies: Vec<Cookie>,
    /// Every request that it has made.
    pub steps: Vec<Step>,
}

/// A request that was made and how it was answered.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where.
    pub url: Url,
    /// The status.
    pub status: u16,
    /// What it was told to keep.
    pub cookies: Vec<Cookie>,
}

/// A cookie as it was set.
#[derive(Clone, Debug)]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// By lower-case name; empty for those without a value.
    pub attributes: BTreeMap<String, String>,
    host: String,
    path: String,
}

/// A form of a page.
#[derive(Clone, Debug)]
pub struct Form {
    /// Where it goes.
    pub action: Url,
    /// What it holds, by name.
    pub fields: BTreeMap<String, String>,
}

/// Who makes a browser ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Initiator {
    /// The person, by typing.
    Person,
    /// A page of the same origin.
    SameOrigin,
    /// A page of another site.
    OtherSite,
}

impl Cookie {
    fn parse(text: &str, url: &Url) -> Self {
        let mut parts = text.split(';').map(str::trim);
        let (name, value) = parts.next().unwrap().split_once('=').unwrap_or_else(|| panic!("not a cookie: {text}"));
        let attribute = |part: &str| {
            part.split_once('=')
                .map_or((part.to_lowercase(), String::new()), |(name, value)| (name.to_lowercase(), value.to_owned()))
        };
        let attributes: BTreeMap<String, String> = parts.map(attribute).collect();
        let default_path = || url.path().rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let path = attributes.get("path").filter(|path| path.starts_with('/')).cloned().unwrap_or_else(default_path);
        Self {
            name: name.to_owned(),
            value: value.to_owned(),
            attributes,
            host: url.host_str().unwrap().to_owned(),
            path,
        }
    }

    /// Whether it has this attribute.
    pub fn has(&self, attribute: &str) -> bool {
        self.attributes.contains_key(attribute)
    }

    /// An attribute's value, or the empty text.
    pub fn attribute(&self, attribute: &str) -> &str {
        self.attributes.get(attribute).map_or("", String::as_str)
    }

    /// Whether it is set only to be forgotten.
    pub fn is_over(&self) -> bool {
        match (self.attributes.get("max-age"), self.attributes.get("expires")) {
            (Some(seconds), _) => seconds.parse::<i64>().unwrap() <= 0,
            (None, Some(time)) => DateTime::parse_from_rfc2822(time).unwrap() <= Utc::now(),
            (None, None) => false,
        }
    }

    /// What browsers refuse to keep.
    fn assert_sound(&self, url: &Url) {
        assert!(!self.has("domain"), "a cookie for other hosts too: {self:?}");
        assert!(!self.has("secure") || url.scheme() == "https", "Secure over http is not kept: {self:?}");
        let is_host_bound = self.has("secure") && self.path == "/";
        assert!(!self.name.starts_with("__Host-") || is_host_bound, "not what __Host- promises: {self:?}");
    }

    fn goes_to(&self, url: &Url, method: &Method, initiator: Initiator) -> bool {
        let below = url
            .path()
            .strip_prefix(self.path.trim_end_matches('/'))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let is_allowed = match self.attribute("samesite").to_lowercase().as_str() {
            "strict" => initiator != Initiator::OtherSite,
            "none" => true,
            _ => initiator != Initiator::OtherSite || *method == Method::GET,
        };
        self.host == url.host_str().unwrap() && below && is_allowed && (url.scheme() == "https" || !self.has("secure"))
    }
}

impl Form {
    /// The only form of a page.
    pub fn of(page: &str, url: &Url) -> Self {
        let form = Regex::new(r#"(?s)<form([^>]*)>(.*?)</form>"#).unwrap();
        let forms: Vec<_> = form.captures_iter(page).collect();
        assert_eq!(forms.len(), 1, "one form expected: {page}");
        assert_eq!(attribute(&forms[0][1], "method").unwrap_or_default().to_lowercase(), "post", "{page}");
        let action = url.join(&attribute(&forms[0][1], "action").unwrap_or_default()).unwrap();
        let inputs = Regex::new(r"<input[^>]*>").unwrap();
        let field = |input: regex::Match<'_>| {
            Some((attribute(input.as_str(), "name")?, attribute(input.as_str(), "value").unwrap_or_default()))
        };
        Self { action, fields: inputs.find_iter(&forms[0][2]).filter_map(field).collect() }
    }

    /// Fills in a field that must be there.
    pub fn fill(mut self, name: &str, text: &str) -> Self {
        assert!(self.fields.contains_key(name), "the form has no field {name}: {:?}", self.fields);
        self.fields.insert(name.to_owned(), text.to_owned());
        self
    }
}

/// An attribute of an element, with its characters as they are meant.
fn attribute(element: &str, name: &str) -> Option<String> {
    let found = Regex::new(&format!(r#"(?:^|\s){name}\s*=\s*"([^"]*)""#)).unwrap().captures(element)?;
    let plain = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&#x2F;", "/"),
        ("&amp;", "&"),
    ];
    Some(plain.into_iter().fold(found[1].to_owned(), |text, (written, meant)| text.replace(written, meant)))
}

impl Browser {
    /// Someone at this server, which they know by its `AUTH_URL`.
    pub fn of(hall: &Hall) -> Self {
        Self::at(&hall.settings()["AUTH_URL"], &hall.base())
    }

    /// Someone at the server that really is at `base`, as if a proxy stood before it.
    pub fn at(public: &str, base: &str) -> Self {
        let public = Url::parse(public).unwrap();
        Self {
            public,
            real: base.to_owned(),
            client: Caller::new("", None),
            page: None,
            cookies: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// The same person with the same cookies, at another server of the same name.
    pub fn moved_to(&self, hall: &Hall) -> Self {
        Self { real: hall.base(), public: Url::parse(&hall.settings()["AUTH_URL"]).unwrap(), ..self.clone() }
    }

    /// The origin by which people know Exam Hall.
    pub fn origin(&self) -> String {
        self.public.origin().ascii_serialization()
    }

    /// The person goes to a path of Exam Hall, or to another address, and to wherever that sends them.
    pub async fn visit(&mut self, address: &str) -> Answer {
        let answer = self.open(address).await;
        self.follow(answer).await
    }

    /// The same without following where it sends them.
    pub async fn open(&mut self, address: &str) -> Answer {
        let url = self.public.join(address).unwrap();
        self.send(Method::GET, url, Initiator::Person, |request| request).await
    }

    /// A page of Exam Hall asks for JSON.
    pub async fn get(&mut self, path: &str) -> Answer {
        self.fetch(Method::GET, path, None).await
    }

    /// A page of Exam Hall sends JSON.
    pub async fn fetch(&mut self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let (origin, is_safe) = (self.origin(), method == Method::GET);
        let request =
            self.with_cookies(method, path).header("sec-fetch-site", "same-origin").header("sec-fetch-mode", "cors");
        let request = if is_safe { request } else { request.header(ORIGIN, origin) };
        let answer = Answer::to(body.iter().fold(request, |request, body| request.json(body))).await;
        self.keep(&self.public.join(path).unwrap(), &answer);
        answer
    }

    /// A request with this person's cookies and nothing that says where it comes from.
    pub fn with_cookies(&self, method: Method, path: &str) -> RequestBuilder {
        let url = self.public.join(path).unwrap();
        let cookies = self.cookie_header(&url, &method, Initiator::SameOrigin);
        let request = self.request(method, &url);
        if cookies.is_empty() { request } else { request.header(COOKIE, cookies) }
    }

    /// The person sends a form of the page that is open.
    pub async fn submit(&mut self, form: &Form) -> Answer {
        let origin = self.page.as_ref().unwrap_or(&self.public).origin();
        let initiator = if origin == form.action.origin() { Initiator::SameOrigin } else { Initiator::OtherSite };
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&form.fields).finish();
        let send = |request: RequestBuilder| {
            let request = request
                .header(ORIGIN, origin.ascii_serialization())
                .header("content-type", "application/x-www-form-urlencoded");
            request.body(body)
        };
        self.send(Method::POST, form.action.clone(), initiator, send).await
    }

    /// Goes wherever an answer sends it, to a page.
    pub async fn follow(&mut self, mut answer: Answer) -> Answer {
        for _ in 0..REDIRECTS_MAX {
            match self.target(&answer) {
                Some(url) => answer = self.redirected(url).await,
                None => return answer,
            }
        }
        panic!("redirects have no end: {:?}", self.steps);
    }

    /// Where an answer sends a browser.
    pub fn target(&self, answer: &Answer) -> Option<Url> {
        let base = &self.steps.last().unwrap().url;
        (300..400).contains(&answer.status).then(|| base.join(answer.header("location")).unwrap())
    }

    async fn redirected(&mut self, url: Url) -> Answer {
        let from = self.steps.last().unwrap().url.origin();
        let initiator = if from == url.origin() { Initiator::SameOrigin } else { Initiator::OtherSite };
        self.send(Method::GET, url, initiator, |request| request).await
    }

    /// Signs in at the identity provider, up to the answer of the callback.
    pub async fn sign_in(&mut self, login: &str) -> Answer {
        self.sign_in_towards("/", login).await
    }

    /// The same with a page to return to.
    pub async fn sign_in_towards(&mut self, return_to: &str, login: &str) -> Answer {
        let callback = self.authorise(return_to, login).await;
        self.redirected(callback).await
    }

    /// Signs in, and must succeed.
    pub async fn sign_in_well(&mut self, login: &str) {
        let answer = self.sign_in(login).await;
        assert_eq!(answer.status, 303, "{login}: {}", answer.text());
        assert!(self.session_cookie().is_some(), "{login}: {:?}", self.steps.last());
    }

    /// Says who they are to the identity provider: the address of the callback, which is not gone to.
    pub async fn authorise(&mut self, return_to: &str, login: &str) -> Url {
        let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("return_to", return_to).finish();
        let mut answer = self.open(&format!("/auth/sign-in?{query}")).await;
        for _ in 0..REDIRECTS_MAX {
            let url = self.steps.last().unwrap().url.clone();
            answer = match self.target(&answer) {
                Some(next) if next.path() == "/auth/callback" => return next,
                Some(next) => self.redirected(next).await,
                None => {
                    assert_eq!(answer.status, 200, "{url}: {}", answer.text());
                    let form = Form::of(&answer.text(), &url);
                    let is_login = form.fields.contains_key("login");
                    self.submit(&if is_login { form.fill("login", login).fill("password", "any") } else { form }).await
                }
            };
        }
        panic!("the identity provider has no end: {:?}", self.steps);
    }

    /// Signs in on a development server: the answer to the form.
    pub async fn sign_in_locally(&mut self, email: &str, name: &str) -> Answer {
        let page = self.visit("/auth/sign-in").await;
        assert_eq!(page.status, 200, "{}", page.text());
        let form = Form::of(&page.text(), &self.steps.last().unwrap().url).fill("email", email).fill("name", name);
        self.submit(&form).await
    }

    /// The same, and must succeed.
    pub async fn sign_in_locally_well(&mut self, email: &str) {
        let answer = self.sign_in_locally(email, "Somebody").await;
        assert_eq!(answer.status, 303, "{email}: {}", answer.text());
        assert!(self.session_cookie().is_some(), "{email}: {:?}", self.steps.last());
    }

    /// The cookie that says who is signed in, if it is kept.
    pub fn session_cookie(&self) -> Option<&Cookie> {
        self.cookies.iter().find(|cookie| cookie.name.ends_with("examhall"))
    }

    /// Every cookie of Exam Hall that is kept.
    pub fn cookies(&self) -> Vec<&Cookie> {
        self.cookies.iter().filter(|cookie| Some(cookie.host.as_str()) == self.public.host_str()).collect()
    }

    /// Puts another value into the cookie that says who is signed in.
    pub fn forge(&mut self, value: &str) {
        let cookie =
            self.cookies.iter_mut().find(|cookie| cookie.name.ends_with("examhall")).expect("nobody is signed in");
        cookie.value = value.to_owned();
    }

    /// Gives the cookie that says who is signed in another name.
    pub fn rename(&mut self, name: &str) {
        let cookie =
            self.cookies.iter_mut().find(|cookie| cookie.name.ends_with("examhall")).expect("nobody is signed in");
        cookie.name = name.to_owned();
    }

    /// Forgets every cookie.
    pub fn forget_cookies(&mut self) {
        self.cookies.clear();
    }

    /// The `Cookie` header that a page of Exam Hall sends to a path.
    pub fn cookie_header_for(&self, path: &str) -> String {
        self.cookie_header(&self.public.join(path).unwrap(), &Method::GET, Initiator::SameOrigin)
    }

    /// Who Exam Hall takes this person for; `None` when signed out.
    pub async fn me(&mut self) -> Option<Value> {
        let answer = self.get("/api/me").await;
        if answer.status == 200 {
            return Some(answer.json());
        }
        answer.assert_error(401, "Unauthorized");
        None
    }

    async fn send(
        &mut self,
        method: Method,
        url: Url,
        initiator: Initiator,
        add: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Answer {
        let site = match initiator {
            Initiator::Person => "none",
            Initiator::SameOrigin => "same-origin",
            Initiator::OtherSite => "cross-site",
        };
        let cookies = self.cookie_header(&url, &method, initiator);
        let request = self
            .request(method, &url)
            .header("accept", PAGES)
            .header("sec-fetch-site", site)
            .header("sec-fetch-mode", "navigate");
        let request = if cookies.is_empty() { request } else { request.header(COOKIE, cookies) };
        let answer = Answer::to(add(request)).await;
        self.keep(&url, &answer);
        if !answer.headers.contains_key(LOCATION) {
            self.page = Some(url);
        }
        answer
    }

    fn request(&self, method: Method, url: &Url) -> RequestBuilder {
        if url.origin() == self.public.origin() {
            let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
            let host = &self.public[url::Position::BeforeHost..url::Position::AfterPort];
            return self.client.request(method, &format!("{}{path}", self.real)).header(HOST, host);
        }
        let is_loopback = url.host_str() == Some("127.0.0.1");
        assert!(is_loopback, "sent to another site: {url}");
        self.client.request(method, url.as_str())
    }

    fn cookie_header(&self, url: &Url, method: &Method, initiator: Initiator) -> String {
        let cookies = self.cookies.iter().filter(|cookie| cookie.goes_to(url, method, initiator));
        cookies.map(|cookie| format!("{}={}", cookie.name, cookie.value)).collect::<Vec<_>>().join("; ")
    }

    fn keep(&mut self, url: &Url, answer: &Answer) {
        let set = answer.headers.get_all(SET_COOKIE).iter().map(|text| Cookie::parse(text.to_str().unwrap(), url));
        let cookies: Vec<Cookie> = set.collect();
        for cookie in &cookies {
            cookie.assert_sound(url);
            self.cookies
                .retain(|kept| (&kept.name, &kept.host, &kept.path) != (&cookie.name, &cookie.host, &cookie.path));
            if !cookie.is_over() && cookie.name.len() + cookie.value.len() <= COOKIE_BYTES_MAX {
                self.cookies.push(cookie.clone());
            }
        }
        self.steps.push(Step { url: url.clone(), status: answer.status, cookies });
    }
}
