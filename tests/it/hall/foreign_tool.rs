//! The tool of others in `tests/lti` as a process of its own. It shows whether a platform of these tests is one that
//! others understand too.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::{Caller, PATIENCE};

/// A running tool; it ends when it is dropped.
pub struct ForeignTool {
    /// `http://127.0.0.1:<port>`; its keys are at `/lti/jwks` below it.
    pub url: String,
    control: Caller,
    // Its standard input stays open as long as this: it ends when that closes, also when the tests are killed.
    _child: Child,
}

impl ForeignTool {
    /// Starts it on a free port; installs what it needs first when that is not there.
    pub async fn start() -> Self {
        let folder = tokio::task::spawn_blocking(installed).await.expect("the tool cannot be installed");
        let mut command = Command::new(folder.join("generated/python/bin/python3"));
        command.arg("tool.py").current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("the tool cannot be started");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = tokio::time::timeout(PATIENCE, lines.next_line()).await.expect("the tool does not start").unwrap();
        let ready: Value = serde_json::from_str(&line.expect("the tool has ended")).unwrap();
        let url = ready["url"].as_str().unwrap().to_owned();
        Self { control: Caller::new(&url, None), url, _child: child }
    }

    /// Gives it a command of `tests/lti/tool.py`, and returns what it has seen.
    pub async fn ask(&self, command: &str, body: &Value) -> Value {
        let answer = self.control.post_json(&format!("/_control/{command}"), body).await;
        assert_eq!(answer.status, 200, "{command}: {}", answer.text());
        answer.json()
    }
}

/// The folder of the tool, with its packages. The script lets tests that run at once wait for each other.
fn installed() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("tests/lti");
    let script = std::process::Command::new(root.join("scripts/python-packages"))
        .arg(&folder)
        .stdin(Stdio::null())
        .output()
        .expect("scripts/python-packages cannot be started");
    assert!(script.status.success(), "scripts/python-packages: {}", String::from_utf8_lossy(&script.stderr));
    folder
}
