//! SQLite on a disk that fills up: nothing is called saved that is not, saving goes on as soon as there is space, and
//! whatever was called saved outlives the server.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::either_database::sessions::honest;
use crate::hall::{
    Bank, Caller, Candidate, Heard, PATIENCE, Process, Settings, TestStore, answer, eventually, free_address,
    program_by,
};

const STUDENTS: usize = 4;
const FILE: &str = "examhall.db";
const SESSIONS: &str = "/api/sessions";

/// Where a server has its database.
enum Disk {
    /// The kernel's limit for the size of a file: a write beyond it fails, as any input or output may.
    FileSize,
    /// A file system that is as large as its owner says: a write fails since there is no space.
    Small(Box<SmallDisk>),
}

/// A file system that exists for one process and those that enter its namespace.
struct SmallDisk {
    folder: TempDir,
    holder: Child,
}

impl SmallDisk {
    async fn with_the_database_of(settings: &Settings) -> Self {
        const MOUNT: &str = "mount -t tmpfs -o size=40m disk \"$0\" && cp \"$1\" \"$0\" && exec sleep infinity";
        let folder = tempfile::tempdir().unwrap();
        let database = settings["DATABASE_URL"].trim_start_matches("sqlite://");
        let holder = Command::new("unshare")
            .args(["--map-root-user", "--mount", "sh", "-c", MOUNT])
            .args([folder.path().to_str().unwrap(), database])
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let disk = Self { folder, holder };
        eventually("the disk is there", async || disk.inside(FILE).exists().then_some(())).await;
        disk
    }

    fn holder(&self) -> String {
        self.holder.id().unwrap().to_string()
    }

    /// A file of it, as others see it.
    fn inside(&self, name: &str) -> PathBuf {
        let folder = self.folder.path().strip_prefix("/").unwrap();
        PathBuf::from(format!("/proc/{}/root", self.holder())).join(folder).join(name)
    }
}

impl Disk {
    async fn serve(&self, settings: &Settings) -> Process {
        let command = match self {
            // The signal that comes with such a failure would end the process.
            Self::FileSize => program_by(&["/usr/bin/env", "--ignore-signal=XFSZ"], settings),
            Self::Small(disk) => {
                let mut settings = settings.clone();
                let database = disk.folder.path().join(FILE);
                settings.insert("DATABASE_URL".to_owned(), format!("sqlite://{}", database.display()));
                let target = format!("--target={}", disk.holder());
                let runner = ["/usr/bin/nsenter", &target, "--user", "--mount", "--preserve-credentials"];
                program_by(&runner, &settings)
            }
        };
        Process::serve_by(command, &free_address()).await
    }

    async fn fill(&self, process: &Process) {
        match self {
            Self::FileSize => limit_files(process, "0:").await,
            Self::Small(disk) => {
                let mut filler = File::create(disk.inside("filler")).unwrap();
                for bytes in [1 << 16, 1 << 10, 1] {
                    while filler.write_all(&vec![0; bytes]).is_ok() {}
                }
            }
        }
    }

    async fn free(&self, process: &Process) {
        match self {
            Self::FileSize => limit_files(process, "unlimited:").await,
            Self::Small(disk) => fs::remove_file(disk.inside("filler")).unwrap(),
        }
    }
}

async fn limit_files(process: &Process, bytes: &str) {
    let arguments = ["--pid", &process.id().to_string(), &format!("--fsize={bytes}")];
    assert!(Command::new("prlimit").args(arguments).status().await.unwrap().success());
}

#[tokio::test]
async fn a_write_that_fails_loses_nothing_that_was_saved() {
    let store = TestStore::with_sample_bank().await;
    nothing_is_lost(&store.settings(&[]), Disk::FileSize).await;
}

#[tokio::test]
async fn a_disk_without_space_loses_nothing_that_was_saved() {
    let store = TestStore::with_sample_bank().await;
    let settings = store.settings(&[]);
    let disk = SmallDisk::with_the_database_of(&settings).await;
    nothing_is_lost(&settings, Disk::Small(Box::new(disk))).await;
}

async fn nothing_is_lost(settings: &Settings, disk: Disk) {
    let process = disk.serve(settings).await;
    let caller = process.anonymous();
    let bank = Bank::new(caller.get("/api/questions?grade=5").await.json().as_array().unwrap().clone());
    let mut students = Vec::new();
    for _ in 0..STUDENTS {
        students.push(Candidate::start(process.base(), json!({ "grade": 5, "questionCount": 10 })).await);
    }
    let mut stored = Vec::new();
    for (round, letter) in ["A", "B"].into_iter().enumerate() {
        for student in &mut students {
            student.answer(&student.paper[round].clone(), letter).await;
        }
        disk.fill(&process).await;
        for student in &mut students {
            is_told_that_nothing_is_saved(student, 3 + 2 * round).await;
        }
        let refused = caller.post_json(SESSIONS, &honest(&bank)).await;
        refused.assert_error(503, "The service is unavailable at the moment");
        assert_eq!(refused.header("retry-after"), "5");
        eventually("the server is not ready", async || {
            (readiness(&caller).await == (503, json!("unwritable"))).then_some(())
        })
        .await;
        disk.free(&process).await;
        for student in &mut students {
            student.settle().await;
        }
        eventually("the server is ready", async || (readiness(&caller).await == (200, json!("ok"))).then_some(()))
            .await;
        let answer = caller.post_json(SESSIONS, &honest(&bank)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        stored.push(answer.json()["sessionId"].as_str().unwrap().to_owned());
    }
    let mut last = students.pop().unwrap();
    last.submit().await;
    stored.push(last.session_id.clone());
    process.kill().await;

    let process = disk.serve(settings).await;
    for student in &mut students {
        student.move_to(process.base());
        let kept = student.state().await;
        for seq in &student.saved {
            let said = &student.sent[seq];
            let is_kept = |row: &Value| row["questionId"] == said["questionId"] && row["selected"] == said["selected"];
            assert!(kept["answers"].as_array().unwrap().iter().any(is_kept), "{said} was saved: {kept}");
        }
    }
    for session_id in stored {
        let answer = process.anonymous().get(&format!("{SESSIONS}/{session_id}")).await;
        assert_eq!(answer.status, 200, "{session_id} was stored: {}", answer.text());
    }
}

async fn readiness(caller: &Caller) -> (u16, Value) {
    let answer = caller.get("/readyz").await;
    (answer.status, answer.json()["database"].clone())
}

/// Answers two questions from this one on. The first frame that is no clock must say that nothing can be saved.
async fn is_told_that_nothing_is_saved(student: &mut Candidate, from: usize) {
    for question in [student.paper[from].clone(), student.paper[from + 1].clone()] {
        student.send(answer(&question, "D")).await;
    }
    loop {
        match student.socket().hear_within(PATIENCE).await {
            Some(Heard::Frame(frame)) if frame["type"] == "time" => {}
            Some(Heard::Frame(frame)) if frame["code"] == "storage_unavailable" => return,
            other => panic!("nothing can have been saved: {other:?}"),
        }
    }
}
