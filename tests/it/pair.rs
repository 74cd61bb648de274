//! Two servers, one the data service of the other: the whole assessment through the pair, and what happens when one of
//! them is killed in the middle.

mod outage;

#[path = "pair"]
mod edge {
    use super::*;

    mod assessment;
}

use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Caller, Hall, PROVIDER_KEY, Process, Settings, TestStore, eventually, free_address};

/// Who is admin at the server that students see.
const ADMIN: &str = "head@exam.test";

/// The server with the data: a process that can be killed, and comes back where it was.
struct DataServer {
    process: Option<Process>,
    address: String,
    settings: Settings,
    // The last field: the store goes after the server.
    _store: TestStore,
}

impl DataServer {
    async fn open() -> Self {
        let store = TestStore::create().await;
        let (settings, address) = (store.settings(&[("PROVIDER_API_KEY", PROVIDER_KEY)]), free_address());
        let process = Some(Process::serve_at(&settings, &address).await);
        Self { process, address, settings, _store: store }
    }

    async fn kill(&mut self) {
        self.process.take().unwrap().kill().await;
    }

    async fn come_back(&mut self) {
        self.process = Some(Process::serve_at(&self.settings, &self.address).await);
    }

    fn base(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// A server whose data is here.
    async fn front(&self) -> Hall {
        Hall::with(&self.changes().each_ref().map(|(name, value)| (*name, value.as_str()))).await
    }

    fn changes(&self) -> [(&'static str, String); 6] {
        [
            ("DATA_PROVIDER", "api".to_owned()),
            ("EXTERNAL_API_BASE_URL", self.base()),
            ("EXTERNAL_API_KEY", PROVIDER_KEY.to_owned()),
            ("EXTERNAL_API_TIMEOUT_MS", "2000".to_owned()),
            ("ADMIN_EMAIL", ADMIN.to_owned()),
            ("WEBHOOK_ALLOW", "127.0.0.1".to_owned()),
        ]
    }

    /// Asks it directly.
    async fn get(&self, path: &str) -> Answer {
        let caller = Caller::new(&self.base(), None);
        Answer::to(caller.request(Method::GET, path).header("x-api-key", PROVIDER_KEY)).await
    }

    /// The session as whoever has its link reads it, without the account, as soon as it is there.
    async fn session(&self, id: &str) -> Value {
        let path = format!("/sessions/{id}");
        let answer = eventually("the session has arrived", async || {
            Some(self.get(&path).await).filter(|answer| answer.status == 200)
        })
        .await;
        let mut session = answer.json();
        let account = session.as_object_mut().and_then(|session| session.remove("account"));
        assert_eq!(account, Some(Value::Null), "nobody was signed in");
        session
    }

    async fn has_session(&self, id: &str) -> bool {
        self.get(&format!("/sessions/{id}")).await.status == 200
    }
}

/// A start of ten questions of grade 5.
fn ten_questions() -> Value {
    json!({ "grade": 5, "questionCount": 10, "durationMinutes": 15 })
}
