//! A real OpenID provider as a process of its own (`tests/oidc`), with what a test may do to it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;

use examhall::clock::Clock;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::{Caller, Hall};

/// Who Exam Hall is to the provider.
const CLIENT_ID: &str = "examhall";
/// Its secret, with signs that must be escaped on their way.
pub const CLIENT_SECRET: &str = "s3cret+of/the=tests&alone%:";
/// Where people may be sent back to: the `AUTH_URL`s of the tests.
const REDIRECT_URIS: &str = "http://exam.localhost/auth/callback https://exam.localhost/auth/callback";

/// A running provider; it ends when it is dropped.
pub struct IdentityProvider {
    /// `http://127.0.0.1:<port>`.
    pub issuer: String,
    control: Caller,
    // Its standard input stays open as long as this: it ends when that closes, also when the tests are killed.
    _child: Child,
}

/// How many requests the provider has had.
#[derive(Debug)]
pub struct Counts {
    /// Of its configuration.
    pub discovery: u64,
    /// Of its keys.
    pub jwks: u64,
    /// Of tokens for codes.
    pub token: u64,
}

impl IdentityProvider {
    /// Starts it on a free port; installs it first when it is not there.
    pub async fn start() -> Self {
        let folder = tokio::task::spawn_blocking(installed).await.expect("the identity provider cannot be installed");
        let mut command = Command::new("node");
        command.arg("server.mjs").current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        command.envs([("CLIENT_ID", CLIENT_ID), ("CLIENT_SECRET", CLIENT_SECRET), ("REDIRECT_URIS", REDIRECT_URIS)]);
        let mut child = command.spawn().expect("node cannot be started: please install Node.js 20.19 or later");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = tokio::time::timeout(super::PATIENCE, lines.next_line())
            .await
            .expect("the identity provider does not start")
            .unwrap();
        let ready: Value = serde_json::from_str(&line.expect("the identity provider ended")).unwrap();
        let issuer = ready["issuer"].as_str().unwrap().to_owned();
        Self { control: Caller::new(&issuer, None), issuer, _child: child }
    }

    /// The settings of an Exam Hall whose people sign in here.
    pub fn settings(&self) -> [(&str, &str); 3] {
        [("IDP_CLIENT_ID", CLIENT_ID), ("IDP_CLIENT_SECRET", CLIENT_SECRET), ("IDP_ISSUER_URL", &self.issuer)]
    }

    /// From now on signs with a new key, and knows the old one no longer.
    pub async fn turn_keys(&self) {
        self.tell("keys", &json!({})).await;
    }

    /// From now on each identity token has this fault; `None`: none.
    pub async fn spoil(&self, fault: Option<&str>) {
        self.tell("tokens", &json!({ "fault": fault })).await;
    }

    /// From now on answers as it should, `up`; with 503, `failing`; or never, `hanging`. Its pages for people stay.
    pub async fn set_health(&self, health: &str) {
        self.tell("health", &json!({ "health": health })).await;
    }

    /// How many requests it has had.
    pub async fn counts(&self) -> Counts {
        let counts = self.control.get("/_control/counts").await.json();
        let of = |name: &str| counts[name].as_u64().unwrap();
        Counts { discovery: of("discovery"), jwks: of("jwks"), token: of("token") }
    }

    async fn tell(&self, what: &str, how: &Value) {
        let answer = self.control.post_json(&format!("/_control/{what}"), how).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
}

impl Hall {
    /// A server whose people sign in at a provider of its own.
    pub async fn with_provider(changes: &[(&str, &str)]) -> (Self, IdentityProvider) {
        let provider = IdentityProvider::start().await;
        let hall = Self::with(&[&provider.settings(), changes].concat()).await;
        (hall, provider)
    }

    /// A second server of the same store, with some settings changed from those of most tests.
    pub async fn beside_with(&self, changes: &[(&str, &str)]) -> Self {
        Self::of(self.store.clone(), self.data.clone(), Clock::movable(), changes).await
    }
}

/// The folder of the provider, with what it needs installed: once, however many tests ask, also of several runs at
/// once.
fn installed() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oidc");
        let lock = File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join("identity-provider.lock")).unwrap();
        lock.lock().unwrap();
        if !is_installed(&folder) {
            install(&folder);
        }
        folder
    })
}

/// Whether npm has finished after the lock file was last written.
fn is_installed(folder: &Path) -> bool {
    let written = |path: &str| std::fs::metadata(folder.join(path)).and_then(|file| file.modified());
    written("node_modules/.package-lock.json").is_ok_and(|done| done >= written("package-lock.json").unwrap())
}

fn install(folder: &Path) {
    let output = std::process::Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    let output = output.expect("npm cannot be started: please install Node.js 20.19 or later, with npm");
    assert!(
        output.status.success(),
        "npm ci in {} failed: {}",
        folder.display(),
        String::from_utf8_lossy(&output.stderr)
    );
}
