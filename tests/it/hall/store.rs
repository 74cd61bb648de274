//! A database and a Redis prefix for one test alone.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use domain::school::PageLanguage;
use examhall::questions::seed;
use sea_orm::{ConnectionTrait, Database};
use tempfile::TempDir;
use tokio::sync::Mutex;
use url::Url;
use uuid::Uuid;

use super::services;

/// Environment variables by name.
pub type Settings = BTreeMap<String, String>;

/// Settings of every test: 32 bytes in base64, no gate. Nothing is refused for saves that are late, as they may be
/// while other tests use the machine.
const DEFAULTS: [(&str, &str); 7] = [
    ("BIND", "127.0.0.1:0"),
    ("AUTH_URL", "http://exam.localhost"),
    ("AUTH_SECRET", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="),
    ("TEST_GATE", "none"),
    ("WORKERS", "2"),
    ("SHED_AFTER_MS", "0"),
    ("LOG", "warn"),
];

/// Name of the file of a SQLite store in its folder.
const SQLITE_FILE: &str = "examhall.db";

/// The stores that others are copied from: with all tables, and with the sample bank in them. Only their copies keep
/// them alive, so they are deleted after the last test; a static is never dropped.
static TABLES: Mutex<Weak<TestStore>> = Mutex::const_new(Weak::new());
static SAMPLE: Mutex<Weak<TestStore>> = Mutex::const_new(Weak::new());

/// A store that is deleted when it is dropped.
pub struct TestStore {
    folder: TempDir,
    database_url: String,
    on_postgres: Option<PostgresDatabase>,
    /// What it is a copy of, kept alive by it.
    _sample: Option<Arc<Self>>,
}

/// A database of a Postgres server.
struct PostgresDatabase {
    server_url: String,
    name: String,
}

impl TestStore {
    /// An empty one, on SQLite or on the Postgres of `TEST_DATABASE_URL`.
    pub async fn create() -> Self {
        Self::copy_of(None).await
    }

    /// One with all tables and nothing in them. A copy takes a fraction of the time of the migrations that hundreds of
    /// first starts would repeat.
    pub async fn with_tables() -> Self {
        Self::copy_of(Some(Self::original(&TABLES, false).await)).await
    }

    /// One as a server's first start leaves it, with all tables and the 1,400 questions of the sample bank.
    pub async fn with_sample_bank() -> Self {
        Self::copy_of(Some(Self::original(&SAMPLE, true).await)).await
    }

    async fn original(kept: &Mutex<Weak<Self>>, has_bank: bool) -> Arc<Self> {
        let mut kept = kept.lock().await;
        match kept.upgrade() {
            Some(original) => original,
            None => {
                let sample = Arc::new(Self::create().await);
                let database = examhall::database::Database::open(&sample.database_url, 2, 1).await.unwrap();
                database.migrate().await.unwrap();
                if has_bank {
                    seed::seed_when_empty(&database, PageLanguage::En, false).await.unwrap();
                }
                // A store with open connections cannot be copied.
                database.close().await;
                assert!(
                    !sample.folder.path().join(format!("{SQLITE_FILE}-wal")).exists(),
                    "SQLite has not written everything to its file"
                );
                *kept = Arc::downgrade(&sample);
                sample
            }
        }
    }

    async fn copy_of(sample: Option<Arc<Self>>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        match services::find().map(|services| services.database_url.clone()) {
            Some(server_url) => {
                let name = format!("examhall_test_{}", Uuid::new_v4().simple());
                let template = sample
                    .as_ref()
                    .and_then(|sample| sample.on_postgres.as_ref())
                    .map(|database| format!(" TEMPLATE {}", database.name));
                execute(&server_url, &format!("CREATE DATABASE {name}{}", template.unwrap_or_default())).await.unwrap();
                let mut url = Url::parse(&server_url).unwrap();
                url.set_path(&name);
                Self {
                    folder,
                    database_url: url.into(),
                    on_postgres: Some(PostgresDatabase { server_url, name }),
                    _sample: sample,
                }
            }
            None => {
                let file = folder.path().join(SQLITE_FILE);
                if let Some(sample) = &sample {
                    std::fs::copy(sample.folder.path().join(SQLITE_FILE), &file).unwrap();
                }
                Self {
                    database_url: format!("sqlite://{}", file.display()),
                    folder,
                    on_postgres: None,
                    _sample: sample,
                }
            }
        }
    }

    /// The settings of a server of this store.
    pub fn settings(&self, changes: &[(&str, &str)]) -> Settings {
        let mut settings: Settings = DEFAULTS.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        settings.insert("DATABASE_URL".to_owned(), self.database_url.clone());
        if self.on_postgres.is_some() {
            settings.insert("DATABASE_CONNECTIONS".to_owned(), "8".to_owned());
        }
        if let Some(services) = services::find() {
            settings.insert("REDIS_URL".to_owned(), services.redis_url.clone());
            settings.insert("REDIS_PREFIX".to_owned(), format!("test-{}", self.folder_name()));
        }
        settings.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        settings
    }

    fn folder_name(&self) -> String {
        self.folder.path().file_name().unwrap().to_string_lossy().trim_start_matches('.').to_owned()
    }
}

impl Drop for TestStore {
    fn drop(&mut self) {
        let Some(PostgresDatabase { server_url, name }) = self.on_postgres.take() else { return };
        // In a thread of its own, because a runtime cannot block on another one.
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(execute(&server_url, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")))
        });
        // A failure does no harm: what stays is deleted with the server.
        let _ = dropping.join();
    }
}

async fn execute(url: &str, statement: &str) -> Result<(), sea_orm::DbErr> {
    let connection = Database::connect(url).await?;
    connection.execute_unprepared(statement).await?;
    connection.close().await
}
