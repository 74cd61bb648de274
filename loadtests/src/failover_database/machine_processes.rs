//! The processes of a machine, found by the folder in which they run. Those of Postgres change their names, their
//! groups and their environment, but never leave its data.

use std::path::Path;
use std::process::{Command, Stdio};

/// The ids of all processes that run in a folder, or in one below it.
pub fn of_folder(folder: &Path) -> Vec<u32> {
    let mut found = Vec::new();
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // Of those that have ended and were not yet asked for, there is no folder.
        if std::fs::read_link(process.path().join("cwd")).is_ok_and(|place| place.starts_with(folder)) {
            found.push(id);
        }
    }
    found
}

/// Those of a folder that call themselves so.
pub fn named(folder: &Path, name: &str) -> Vec<u32> {
    let calls_itself_so = |id: &u32| {
        let words = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains(name)
    };
    of_folder(folder).into_iter().filter(calls_itself_so).collect()
}

/// Sends a signal to all of them. It waits for the program that does it, which takes a few milliseconds.
pub fn signal(name: &str, ids: &[u32]) {
    if ids.is_empty() {
        return;
    }
    let ids = ids.iter().map(u32::to_string);
    // One that has ended meanwhile makes the program fail, which is no fault.
    let _ = Command::new("kill").arg(name).args(ids).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_found_by_their_folder_and_ended() {
        let folder = std::env::temp_dir().join(format!("exh-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(folder.join("below")).unwrap();
        let mut child = Command::new("sleep").arg("60").current_dir(folder.join("below")).spawn().unwrap();
        assert_eq!(of_folder(&folder.join("other")), Vec::<u32>::new());
        assert_eq!(named(&folder, "sleep"), [child.id()]);
        assert_eq!((of_folder(&folder), named(&folder, "walsender")), (vec![child.id()], vec![]));
        signal("-KILL", &of_folder(&folder));
        assert!(!child.wait().unwrap().success());
        assert_eq!(of_folder(&folder), Vec::<u32>::new());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
