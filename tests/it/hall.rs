//! The exam hall under test: the app on a free port with a database of its own, and its clients.

mod balancer;
mod bank;
mod browser;
mod caller;
mod candidate;
mod cluster;
pub mod course_services;
mod data_service;
mod deploy_files;
mod deployed;
mod external;
mod foreign_tool;
mod front;
mod hold;
mod identity_provider;
pub mod launch_platform;
mod link;
mod mixed_bank;
pub mod numbered;
pub mod oracle;
mod postgres;
mod process;
mod proctor;
mod receipts;
mod receiver;
mod redis;
mod server;
mod services;
mod socket;
mod store;
pub mod token;
mod versions;

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use examhall::clock::Clock;
use examhall::config::Config;
use regex::Regex;
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};

pub use bank::{Bank, assert_result, plain};
pub use browser::{Browser, Form};
pub use caller::{Answer, Caller};
pub use candidate::{Candidate, answer, ids};
pub use cluster::{Cluster, SERVERS, Setup};
use data_service::DataService;
pub use data_service::PROVIDER_KEY;
pub use deploy_files::{names_set, option_names, repository, repository_text, yaml, yaml_document};
pub use deployed::{deployed, make_certificate};
pub use external::{External, KEY, Told, bank as external_bank, user_path as external_user_path};
pub use foreign_tool::ForeignTool;
pub use front::{Front, Passed};
pub use hold::Hold;
pub use identity_provider::{CLIENT_SECRET, IdentityProvider};
pub use link::Link;
pub use postgres::{PostgresPair, PostgresServer, own_folder};
pub use process::{Process, free_address, program, program_by, run};
pub use proctor::{PROCTOR_PATH, Proctor};
pub use receipts::drawing_hash;
pub use receiver::{Call, Receiver, Reply};
pub use redis::RedisServer;
use server::RunningServer;
pub use services::needed as need_services;
pub use socket::{Heard, LiveSocket};
pub use store::{Settings, TestStore};
pub use versions::CHANGED_BY;

/// How long a test waits for something that should happen soon. Much longer than it takes, so that only a real failure
/// ends it.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A running server with its store; both end when it is dropped.
pub struct Hall {
    running: Option<RunningServer>,
    /// The server's clock, which tests move.
    pub clock: Clock,
    settings: Settings,
    // The last fields, so that they are dropped after the server.
    store: Arc<TestStore>,
    /// With `TEST_DATA_PROVIDER=api`: the server that has the data.
    data: Option<Arc<DataService>>,
}

impl Hall {
    /// With the settings of most tests.
    pub async fn open() -> Self {
        Self::with(&[]).await
    }

    /// With some settings changed. The store begins with the sample bank, unless the changes are about where the
    /// questions come from: then its tables are empty.
    pub async fn with(changes: &[(&str, &str)]) -> Self {
        let clock = Clock::movable();
        let changes_any = |names: &[&str]| changes.iter().any(|(name, _)| names.contains(name));
        let is_elsewhere = is_elsewhere() && !changes_any(&["DATA_PROVIDER"]);
        let data = if is_elsewhere { Some(Arc::new(DataService::open(&clock, changes).await)) } else { None };
        let is_empty = is_elsewhere || changes_any(&["DATA_PROVIDER", "SAMPLE_BANK"]);
        let store = if is_empty { TestStore::with_tables().await } else { TestStore::with_sample_bank().await };
        Self::of(Arc::new(store), data, clock, changes).await
    }

    /// A second server of the same store.
    pub async fn beside(&self) -> Self {
        Self::of(self.store.clone(), self.data.clone(), Clock::movable(), &[]).await
    }

    /// The same with other settings.
    pub async fn with_store_of(other: &Self, changes: &[(&str, &str)]) -> Self {
        Self::of(other.store.clone(), other.data.clone(), other.clock.clone(), changes).await
    }

    async fn of(store: Arc<TestStore>, data: Option<Arc<DataService>>, clock: Clock, changes: &[(&str, &str)]) -> Self {
        let mut settings = store.settings(changes);
        settings.extend(data.iter().flat_map(|data| data.settings()));
        let mut hall = Self { running: None, clock, settings, store, data };
        hall.begin().await;
        hall
    }

    /// Starts the server again after `stop`.
    pub async fn begin(&mut self) {
        let config = Config::from_environment(|name| self.settings.get(name).cloned()).unwrap();
        self.running = Some(RunningServer::start(config, self.clock.clone()).await);
    }

    /// The planned stop.
    pub async fn stop(&mut self) {
        self.running.take().unwrap().stop().await;
    }

    /// Stops and starts again, on another port.
    pub async fn restart(&mut self) {
        self.stop().await;
        self.begin().await;
    }

    /// `http://127.0.0.1:<port>`.
    pub fn base(&self) -> String {
        format!("http://{}", self.running.as_ref().unwrap().address)
    }

    /// The events that this server delivers.
    pub fn outgoing_events(&self) -> &[&'static str] {
        &self.running.as_ref().unwrap().events
    }

    /// The environment variables of this server, for the command line beside it.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Address of the store.
    pub fn database_url(&self) -> &str {
        &self.settings["DATABASE_URL"]
    }

    /// A statement about the store as a whole, such as one that hides a table.
    pub async fn alter(&self, statement: &str) {
        let connection = Database::connect(self.database_url()).await.unwrap();
        connection.execute_unprepared(statement).await.unwrap();
        connection.close().await.unwrap();
    }

    /// Address of the store that has the questions, reviews, users and sessions.
    pub fn data_url(&self) -> &str {
        self.data.as_ref().map_or(self.database_url(), |data| data.database_url())
    }

    /// Someone without a token.
    pub fn anonymous(&self) -> Caller {
        Caller::new(&self.base(), None)
    }

    /// Someone with this token.
    pub fn bearer(&self, token: &str) -> Caller {
        Caller::new(&self.base(), Some(token))
    }

    /// Someone with an API token of a role.
    pub async fn signed_in(&self, role: &str) -> Caller {
        self.bearer(&self.token(role).await)
    }

    /// Someone with an API token of a role who is assigned to this grade.
    pub async fn staff_of(&self, role: &str, grade: u8) -> Caller {
        let email = format!("{role}-of-{grade}@exam.test");
        let kind = if role == "manager" { "managers" } else { "assignments" };
        let assignment = json!({ "email": email, "name": "Somebody", "grades": [grade] });
        let assigned = self.signed_in("admin").await.post_json(&format!("/api/admin/review/{kind}"), &assignment).await;
        assert_eq!(assigned.status, 200, "{}", assigned.text());
        self.bearer(&token::create(&self.settings, &email, role).await)
    }

    /// A new API token of a role.
    pub async fn token(&self, role: &str) -> String {
        token::create(&self.settings, &format!("{role}@exam.test"), role).await
    }

    /// The cookie of someone who has signed in by the development sign-in; the first one becomes admin.
    pub async fn cookie(&self, email: &str) -> String {
        let form = self
            .anonymous()
            .request(reqwest::Method::POST, "/auth/local")
            .header("content-type", "application/x-www-form-urlencoded");
        let answer = Answer::to(form.body(format!("email={email}&name=Somebody&return_to=/"))).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        answer.header("set-cookie").split(';').next().unwrap().to_owned()
    }

    /// The bank of a grade, with its key.
    pub async fn bank(&self, grade: u8) -> Bank {
        let answer = self.anonymous().get(&format!("/api/questions?grade={grade}")).await;
        Bank::new(answer.json().as_array().unwrap().clone())
    }

    /// A socket on which nothing has been sent yet.
    pub async fn socket(&self) -> LiveSocket {
        LiveSocket::connect(&self.base(), &[]).await.unwrap()
    }

    /// A student who has started a live test.
    pub async fn sit(&self, start: Value) -> Candidate {
        Candidate::start(&self.base(), start).await
    }

    /// A stored session, as soon as it is stored.
    pub async fn stored_session(&self, session_id: &str) -> Value {
        let path = format!("/api/sessions/{session_id}");
        eventually("the session is stored", async || {
            Some(self.anonymous().get(&path).await).filter(|answer| answer.status == 200)
        })
        .await
        .json()
    }

    /// The deliveries that admins see, the newest first.
    pub async fn deliveries(&self, admin: &Caller) -> Vec<Value> {
        let answer = admin.get("/api/admin/webhooks").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["deliveries"].as_array().unwrap().clone()
    }
}

/// Whether the data of the tests is in a second server.
fn is_elsewhere() -> bool {
    match std::env::var("TEST_DATA_PROVIDER") {
        Ok(provider) => {
            assert_eq!(provider, "api", "TEST_DATA_PROVIDER is api or not set");
            true
        }
        Err(_) => false,
    }
}

/// Polls until there is a value; fails after `PATIENCE`.
pub async fn eventually<T>(what: &str, mut probe: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = probe().await {
            return found;
        }
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

/// A time of the server's JSON.
pub fn time_of(value: &Value) -> chrono::DateTime<chrono::Utc> {
    let text = value.as_str().unwrap_or_else(|| panic!("not a time: {value}"));
    static SHAPE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$").unwrap());
    assert!(SHAPE.is_match(text), "not ISO 8601 UTC with milliseconds and Z: {text}");
    chrono::DateTime::parse_from_rfc3339(text).unwrap().to_utc()
}
