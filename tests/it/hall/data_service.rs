//! A second Exam Hall server that has the data of the one under test. With `TEST_DATA_PROVIDER=api` the tests of
//! `either_provider` run against it.

use examhall::clock::Clock;
use examhall::config::Config;

use super::Settings;
use super::server::RunningServer;
use super::store::TestStore;

/// The key between the two.
pub const PROVIDER_KEY: &str = "a-key-between-two-servers";
/// Settings that a test changes for its server and that the server with the data needs too.
const OF_DATA: [&str; 1] = ["SAMPLE_BANK"];
/// The tests are not about how fast the data comes: a dev build on a busy machine takes long over an import of
/// thousands of rows.
const TIMEOUT_MILLISECONDS: &str = "60000";

/// The server with the data; it stops when it is dropped.
pub struct DataService {
    running: RunningServer,
    settings: Settings,
    // The last field, so that the store is dropped after the server.
    _store: TestStore,
}

impl DataService {
    /// With a store of its own, and the clock of the server under test.
    pub async fn open(clock: &Clock, changes: &[(&str, &str)]) -> Self {
        let of_data: Vec<_> = changes.iter().copied().filter(|(name, _)| OF_DATA.contains(name)).collect();
        let store =
            if of_data.is_empty() { TestStore::with_sample_bank().await } else { TestStore::with_tables().await };
        let settings = store.settings(&[&of_data[..], &[("PROVIDER_API_KEY", PROVIDER_KEY)]].concat());
        let config = Config::from_environment(|name| settings.get(name).cloned()).unwrap();
        Self { running: RunningServer::start(config, clock.clone()).await, settings, _store: store }
    }

    /// Address of its store.
    pub fn database_url(&self) -> &str {
        &self.settings["DATABASE_URL"]
    }

    /// What the server under test needs to find it.
    pub fn settings(&self) -> [(String, String); 4] {
        let base = format!("http://{}/v1", self.running.address);
        [
            ("DATA_PROVIDER", "api".to_owned()),
            ("EXTERNAL_API_BASE_URL", base),
            ("EXTERNAL_API_KEY", PROVIDER_KEY.to_owned()),
            ("EXTERNAL_API_TIMEOUT_MS", TIMEOUT_MILLISECONDS.to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
    }
}
