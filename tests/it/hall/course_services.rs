//! The services that a learning platform has for tools, as strict as the texts that describe them: access tokens, the
//! columns of a grade book, scores, and the members of a course. A request that a strict platform refuses is a fault of
//! ours, and is kept for the test to see.

mod assertion;

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::DateTime;
use examhall::clock::Clock;
use regex::Regex;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::eventually;
use super::receiver::{Call, read_call};

/// By which the platform knows the tool.
pub const TOOL: &str = "tool-of-the-tests";
pub const ISSUER: &str = "https://lms.exam.test";
pub const SCORE_SCOPE: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
pub const COLUMN_SCOPE: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem";
pub const MEMBERS_SCOPE: &str = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";
/// How far tests move the clock at most while a call is under way.
const LEAPS_SECONDS: i64 = 1_200;
const SCORE: &str = "application/vnd.ims.lis.v1.score+json";
const COLUMN: &str = "application/vnd.ims.lis.v2.lineitem+json";
const COLUMNS: &str = "application/vnd.ims.lis.v2.lineitemcontainer+json";
const MEMBERS: &str = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json";
const TOKEN_SECONDS: i64 = 3_600;

/// How the platform is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    Up,
    /// Connections are closed before anything is answered.
    Away,
    /// Each answer takes this long.
    Slow(Duration),
}

/// What happens to the next score instead of the usual.
#[derive(Clone, Debug)]
pub enum Surprise {
    /// It is answered so, with this text, and not taken.
    Refused(u16, &'static str),
    /// It is taken, and answered with this status all the same, as Open edX does.
    TakenBut(u16),
    /// It is taken, and the connection is closed before the answer.
    TakenInSilence,
}

/// A score that was taken.
#[derive(Clone, Debug)]
pub struct TakenScore {
    /// The path of its column.
    pub column: String,
    /// As it was sent.
    pub text: String,
}

impl TakenScore {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }
}

/// A platform's services on a free port; they end when this is dropped.
pub struct CourseServices {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
    task: JoinHandle<()>,
}

struct State {
    clock: Clock,
    base: String,
    /// Where the tool's keys are.
    keys: String,
    known_assertions: HashSet<String>,
    /// The scopes of each token, and until when it is good.
    tokens: HashMap<String, (Vec<String>, i64)>,
    columns: Vec<Value>,
    /// The last second of each column and user.
    seconds: HashMap<(String, String), i64>,
    scores: Vec<TakenScore>,
    /// Every score that was posted, also those that were not taken.
    posted: Vec<String>,
    faults: Vec<String>,
    health: Health,
    surprises: VecDeque<Surprise>,
    may_add_columns: bool,
    /// How many columns a page has of a list that knows no filter; `None` of one that has all that was asked for.
    columns_a_page: Option<usize>,
    members: Vec<Value>,
    page: usize,
    /// The base of the next pages, where it is not that of the page that names them.
    next_base: Option<String>,
    member_requests: usize,
}

/// A status, a media type, further header lines, and a body.
struct Told(u16, &'static str, String, String);

impl Told {
    fn json(status: u16, body: &Value) -> Self {
        Self(status, "application/json", String::new(), body.to_string())
    }

    fn nothing(status: u16) -> Self {
        Self(status, "application/json", String::new(), String::new())
    }
}

impl CourseServices {
    /// For a tool at that base, whose clock this is.
    pub async fn open(tool: &str, clock: &Clock) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State {
            clock: clock.clone(),
            base: format!("http://{address}"),
            keys: format!("{tool}/lti/jwks"),
            known_assertions: HashSet::new(),
            tokens: HashMap::new(),
            columns: Vec::new(),
            seconds: HashMap::new(),
            scores: Vec::new(),
            posted: Vec::new(),
            faults: Vec::new(),
            health: Health::Up,
            surprises: VecDeque::new(),
            may_add_columns: true,
            columns_a_page: None,
            members: Vec::new(),
            page: 50,
            next_base: None,
            member_requests: 0,
        }));
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { address, state, task }
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap())
    }

    pub fn token_url(&self) -> String {
        format!("http://{}/token", self.address)
    }

    /// The list of the course's columns. It has a query string, as Moodle's has.
    pub fn columns_url(&self) -> String {
        format!("http://{}/columns?course=7", self.address)
    }

    pub fn members_url(&self) -> String {
        format!("http://{}/members?course=7", self.address)
    }

    /// Adds a column; returns its address, which has a query string.
    pub fn add_column(&self, resource_link_id: &str) -> String {
        self.with(|state| {
            state.add_column(json!({ "label": "A column", "scoreMaximum": 100, "resourceLinkId": resource_link_id }))
        })
    }

    /// Forgets all columns, as when a teacher removes them.
    pub fn remove_columns(&self) {
        self.with(|state| state.columns.clear());
    }

    pub fn columns(&self) -> Vec<Value> {
        self.with(|state| state.columns.clone())
    }

    pub fn forbid_columns(&self) {
        self.with(|state| state.may_add_columns = false);
    }

    /// From now on the list of columns knows no filter, and has so many on a page.
    pub fn page_columns(&self, count: usize) {
        self.with(|state| state.columns_a_page = Some(count));
    }

    /// From now on next pages are said to be at this base.
    pub fn lead_to(&self, base: &str) {
        self.with(|state| state.next_base = Some(base.to_owned()));
    }

    pub fn set_health(&self, health: Health) {
        self.with(|state| state.health = health);
    }

    /// The tool has another base now, after a restart.
    pub fn follow(&self, tool: &str) {
        self.with(|state| state.keys = format!("{tool}/lti/jwks"));
    }

    /// The next scores meet these, in this order.
    pub fn then(&self, surprises: impl IntoIterator<Item = Surprise>) {
        self.with(|state| state.surprises.extend(surprises));
    }

    pub fn set_members(&self, members: Vec<Value>, page: usize) {
        self.with(|state| (state.members, state.page) = (members, page));
    }

    pub fn member_requests(&self) -> usize {
        self.with(|state| state.member_requests)
    }

    /// How many tokens were given.
    pub fn tokens(&self) -> usize {
        self.with(|state| state.tokens.len())
    }

    /// The scores that were taken, in their order.
    pub fn scores(&self) -> Vec<TakenScore> {
        self.with(|state| state.scores.clone())
    }

    /// Every score that was posted, as it was sent.
    pub fn posted(&self) -> Vec<String> {
        self.with(|state| state.posted.clone())
    }

    /// Waits until this many scores have been taken.
    pub async fn wait_for(&self, count: usize) -> Vec<TakenScore> {
        eventually(&format!("{count} scores"), async || Some(self.scores()).filter(|scores| scores.len() >= count))
            .await
    }

    /// Asserts that a strict platform has had nothing to refuse.
    pub fn assert_no_faults(&self) {
        let faults = self.with(|state| state.faults.clone());
        assert!(faults.is_empty(), "a strict platform refuses:\n  {}", faults.join("\n  "));
    }
}

impl Drop for CourseServices {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let Some(call) = read_call(&mut stream).await else { return };
    let (health, keys) = {
        let state = state.lock().unwrap();
        (state.health, state.keys.clone())
    };
    match health {
        Health::Up => {}
        Health::Away => return,
        Health::Slow(time) => tokio::time::sleep(time).await,
    }
    let is_token = call.line.starts_with("POST /token");
    let known_keys = if is_token { assertion::keys(&keys).await } else { Vec::new() };
    let told = state.lock().unwrap().answer(&call, &known_keys);
    let Some(Told(status, kind, headers, body)) = told else { return };
    let head = format!(
        "HTTP/1.1 {status} Told\r\ncontent-type: {kind}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).await;
}

impl State {
    /// `None` closes the connection.
    fn answer(&mut self, call: &Call, keys: &[assertion::Key]) -> Option<Told> {
        let (method, target) = call.line.split_once(' ').unwrap();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let answered = match (method, path) {
            ("POST", "/token") => self.token(call, keys),
            ("GET", "/columns") => self.list_columns(call, query),
            ("POST", "/columns") => self.create_column(call),
            ("GET", "/members") => self.list_members(call, query),
            ("POST", path) if path.ends_with("/scores") => return self.take_score(call, path, query),
            _ => Err(format!("404 there is no {method} {path}")),
        };
        Some(answered.unwrap_or_else(|fault| self.fault(&call.line, &fault)))
    }

    fn fault(&mut self, line: &str, fault: &str) -> Told {
        self.faults.push(format!("{line}: {fault}"));
        let status = fault.get(..3).and_then(|status| status.parse().ok()).unwrap_or(400);
        Told::json(status, &json!({ "error": fault }))
    }

    fn token(&mut self, call: &Call, keys: &[assertion::Key]) -> Result<Told, String> {
        if call.header("content-type") != "application/x-www-form-urlencoded" {
            return Err("400 not a form".to_owned());
        }
        let fields: HashMap<String, String> = url::form_urlencoded::parse(&call.body).into_owned().collect();
        let field = |name: &str| fields.get(name).map_or("", String::as_str);
        if field("grant_type") != "client_credentials" {
            return Err("400 unsupported_grant_type".to_owned());
        }
        if field("client_assertion_type") != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" {
            return Err("400 client_assertion_type".to_owned());
        }
        let claims = assertion::verified(field("client_assertion"), keys)?;
        let now = self.clock.now().milliseconds() / 1_000;
        if claims["iss"] != TOOL || claims["sub"] != TOOL {
            return Err(format!("401 iss and sub are the client id: {claims}"));
        }
        if claims["aud"] != format!("{}/token", self.base) {
            return Err(format!("401 aud is the address of the tokens: {claims}"));
        }
        let (iat, exp) = (claims["iat"].as_i64().unwrap_or_default(), claims["exp"].as_i64().unwrap_or_default());
        // Tests move the clock by minutes while an assertion is under way.
        if !(now - LEAPS_SECONDS..=now + 5).contains(&iat) || exp <= iat || exp - now > 60 {
            return Err(format!("401 iat and exp at {now}: {claims}"));
        }
        let jti = claims["jti"].as_str().filter(|jti| jti.len() >= 16).ok_or("401 jti is missing")?;
        if !self.known_assertions.insert(jti.to_owned()) {
            return Err("401 jti was there before".to_owned());
        }
        let scopes: Vec<String> = field("scope").split(' ').map(str::to_owned).collect();
        let known = [SCORE_SCOPE, COLUMN_SCOPE, MEMBERS_SCOPE];
        if !scopes.iter().all(|scope| known.contains(&scope.as_str())) {
            return Err(format!("400 invalid_scope: {scopes:?}"));
        }
        let token = format!("token-{}", self.tokens.len() + 1);
        self.tokens.insert(token.clone(), (scopes.clone(), now + TOKEN_SECONDS));
        let scope = scopes.join(" ");
        Ok(Told::json(
            200,
            &json!({ "access_token": token, "token_type": "bearer", "expires_in": TOKEN_SECONDS, "scope": scope }),
        ))
    }

    fn refuse_without(&self, call: &Call, scope: &str) -> Result<(), String> {
        let bearer = call.headers.get("authorization").and_then(|value| value.strip_prefix("Bearer "));
        let token = bearer.ok_or("401 no bearer token")?;
        let (scopes, until) = self.tokens.get(token).ok_or_else(|| format!("401 unknown token {token}"))?;
        if *until <= self.clock.now().milliseconds() / 1_000 {
            return Err("401 the token is over".to_owned());
        }
        if scopes.iter().any(|known| known == scope) {
            Ok(())
        } else {
            Err(format!("403 the token is not for {scope}"))
        }
    }

    fn add_column(&mut self, mut column: Value) -> String {
        let id = format!("{}/columns/{}?course=7", self.base, self.columns.len() + 1);
        column["id"] = json!(id);
        self.columns.push(column);
        id
    }

    fn list_columns(&self, call: &Call, query: &str) -> Result<Told, String> {
        self.refuse_without(call, COLUMN_SCOPE)?;
        if call.header("accept") != COLUMNS {
            return Err(format!("406 accept of columns: {}", call.header("accept")));
        }
        let asked: HashMap<String, String> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        if asked.get("course").is_none_or(|course| course != "7") {
            return Err("404 the query of the list was lost".to_owned());
        }
        let fits = |column: &&Value| {
            [("resource_link_id", "resourceLinkId"), ("resource_id", "resourceId")]
                .iter()
                .all(|(asked_as, name)| asked.get(*asked_as).is_none_or(|wanted| column[name] == wanted.as_str()))
        };
        let Some(count) = self.columns_a_page else {
            let found: Vec<&Value> = self.columns.iter().filter(fits).collect();
            return Ok(Told(200, COLUMNS, String::new(), json!(found).to_string()));
        };
        let from: usize = asked.get("from").map_or(0, |from| from.parse().unwrap());
        let found: Vec<&Value> = self.columns.iter().skip(from).take(count).collect();
        let link = self.next("columns", from + count, self.columns.len(), "rel=\"next\"");
        Ok(Told(200, COLUMNS, link, json!(found).to_string()))
    }

    /// The header that names the next page, if there is one.
    fn next(&self, list: &str, from: usize, count: usize, rel: &str) -> String {
        if from >= count {
            return String::new();
        }
        let base = self.next_base.as_ref().unwrap_or(&self.base);
        format!("link: <{base}/{list}?course=7&from={from}>; {rel}\r\n")
    }

    fn create_column(&mut self, call: &Call) -> Result<Told, String> {
        self.refuse_without(call, COLUMN_SCOPE)?;
        if call.header("content-type") != COLUMN {
            return Err(format!("415 content-type of a column: {}", call.header("content-type")));
        }
        if !self.may_add_columns {
            return Ok(Told::json(403, &json!({ "error": "columns are made by teachers" })));
        }
        let column = call.json();
        if !column["label"].is_string() || column["scoreMaximum"].as_u64().is_none_or(|maximum| maximum == 0) {
            return Err(format!("400 a column without label or maximum: {column}"));
        }
        let id = self.add_column(column);
        let made = self.columns.iter().find(|column| column["id"] == id.as_str()).unwrap();
        Ok(Told(201, COLUMN, String::new(), made.to_string()))
    }

    /// Whether a surprise comes is decided after all checks, so that a score that is refused by surprise is sound too.
    fn take_score(&mut self, call: &Call, path: &str, query: &str) -> Option<Told> {
        let text = String::from_utf8_lossy(&call.body).into_owned();
        self.posted.push(text.clone());
        let column = path.trim_end_matches("/scores").to_owned();
        let id = format!("{}{column}?{query}", self.base);
        if !self.columns.iter().any(|one| one["id"] == id.as_str()) {
            return Some(Told::json(404, &json!({ "error": "no such column" })));
        }
        let score = match self.refuse_without(call, SCORE_SCOPE).and_then(|()| sound_score(call)) {
            Ok(score) => score,
            Err(fault) => return Some(self.fault(&call.line, &fault)),
        };
        let surprise = self.surprises.pop_front();
        if let Some(Surprise::Refused(status, text)) = surprise {
            return Some(Told(status, "text/plain", String::new(), text.to_owned()));
        }
        let (user, second) = (score["userId"].as_str().unwrap().to_owned(), second_of(&score));
        let place = (column.clone(), user);
        if self.seconds.get(&place).is_some_and(|last| second <= *last) {
            return Some(Told::json(409, &json!({ "error": "Refusing score with an earlier timestamp" })));
        }
        self.seconds.insert(place, second);
        self.scores.push(TakenScore { column, text });
        match surprise {
            Some(Surprise::TakenInSilence) => None,
            Some(Surprise::TakenBut(status)) => Some(Told::nothing(status)),
            _ => Some(Told::nothing(if self.scores.len().is_multiple_of(2) { 201 } else { 200 })),
        }
    }

    fn list_members(&mut self, call: &Call, query: &str) -> Result<Told, String> {
        self.refuse_without(call, MEMBERS_SCOPE)?;
        self.member_requests += 1;
        if call.header("accept") != MEMBERS {
            return Err(format!("406 accept of members: {}", call.header("accept")));
        }
        let asked: HashMap<String, String> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        if asked.get("course").is_none_or(|course| course != "7") {
            return Err("404 the query of the list was lost".to_owned());
        }
        let from: usize = asked.get("from").map_or(0, |from| from.parse().unwrap());
        let page: Vec<&Value> = self.members.iter().skip(from).take(self.page).collect();
        // One page has it in quotes and the other not: both are right.
        let rel = if from == 0 { "rel=\"next\"" } else { "rel=next" };
        let link = self.next("members", from + self.page, self.members.len(), rel);
        let body = json!({ "id": format!("{}/members", self.base), "context": { "id": "7" }, "members": page });
        Ok(Told(200, MEMBERS, link, body.to_string()))
    }
}

/// A score in all that a strict platform looks at.
fn sound_score(call: &Call) -> Result<Value, String> {
    if call.header("content-type") != SCORE {
        return Err(format!("400 content-type of a score: {}", call.header("content-type")));
    }
    if call.headers.get("accept").is_some_and(|accept| accept != "*/*" && accept != SCORE) {
        return Err("400 accept of a score".to_owned());
    }
    let score: Value = serde_json::from_slice(&call.body).map_err(|error| format!("400 {error}"))?;
    let is_sound = score["userId"].as_str().is_some_and(|user| !user.is_empty())
        && ["Initialized", "Started", "InProgress", "Submitted", "Completed"]
            .iter()
            .any(|one| score["activityProgress"] == *one)
        && ["FullyGraded", "Pending", "PendingManual", "Failed", "NotReady"]
            .iter()
            .any(|one| score["gradingProgress"] == *one);
    if !is_sound {
        return Err(format!("400 userId and progress: {score}"));
    }
    let (given, maximum) = (&score["scoreGiven"], &score["scoreMaximum"]);
    let has_points = given.as_u64().is_some() && maximum.as_u64().is_some_and(|maximum| maximum > 0);
    if !(has_points || given.is_null() && maximum.is_null()) {
        return Err(format!("400 scoreGiven and scoreMaximum: {score}"));
    }
    let stamp = Regex::new(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$").unwrap();
    if !score["timestamp"].as_str().is_some_and(|text| stamp.is_match(text)) {
        return Err(format!("400 timestamp: {score}"));
    }
    Ok(score)
}

fn second_of(score: &Value) -> i64 {
    DateTime::parse_from_rfc3339(score["timestamp"].as_str().unwrap()).unwrap().timestamp()
}
