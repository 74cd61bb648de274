//! Files that hold people's data, and their folders, can be opened by their owner alone: also those that were open
//! before, and whatever the umask says.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::hall::{Process, Settings, program, run};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode() & 0o777
}

fn assert_private(folder: &Path) {
    assert_eq!(mode(folder), 0o700, "{}", folder.display());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

fn settings(folder: &Path) -> Settings {
    let url = format!("sqlite://{}/hall.db", folder.display());
    [("DATABASE_URL", url.as_str()), ("TEST_GATE", "none"), ("LOG", "warn")]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into()
}

/// A server with an open umask, and a student in it, so that every file of the database is there.
async fn serve(settings: &Settings) -> Process {
    let mut command = tokio::process::Command::new("/bin/sh");
    command.args(["-c", "umask 000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_examhall")]);
    command.env_clear().envs(settings).kill_on_drop(true);
    let process = Process::serve_by(command, &crate::hall::free_address()).await;
    crate::hall::Candidate::start(process.base(), serde_json::json!({ "grade": 5 })).await;
    process
}

#[tokio::test]
async fn new_files_are_private() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("kept/data");
    let process = serve(&settings(&folder)).await;
    assert!(folder.join("hall.db-wal").exists() && folder.join("auth_secret").exists());
    assert_private(&folder);
    assert_eq!(mode(folder.parent().unwrap()), 0o700);
    let backup = parent.path().join("backup.db");
    let mut command = program(&settings(&folder));
    let made = command.arg("backup").arg(&backup).output().await.unwrap();
    assert!(made.status.success(), "{made:?}");
    let export = parent.path().join("questions.xlsx");
    run(&settings(&folder), &["questions", "export", "--grade", "all", export.to_str().unwrap()]).await;
    for path in [backup, export] {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
    process.kill().await;
    assert_private(&folder);
}

#[tokio::test]
async fn files_that_were_open_are_closed() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data");
    serve(&settings(&folder)).await.kill().await;
    for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        fs::set_permissions(path, Permissions::from_mode(0o644)).unwrap();
    }
    fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
    let _process = serve(&settings(&folder)).await;
    assert_private(&folder);
}

#[tokio::test]
async fn a_folder_with_the_files_of_others_stays_theirs() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.path().join("index.html"), "").unwrap();
    let process = serve(&settings(folder.path())).await;
    assert_eq!(mode(folder.path()), 0o755);
    assert_eq!(mode(&folder.path().join("hall.db")), 0o600);
    assert!(process.log().contains("give it a folder of its own"), "{}", process.log());
}
