//! `examhall questions import` and `export`.

use std::path::Path;
use std::process::Output;

use serde_json::json;

use super::{changed, empty_hall, good, questions, workbook_of};
use crate::hall::{Hall, eventually, plain, run};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

async fn examhall(hall: &Hall, arguments: &[&str]) -> Output {
    run(hall.settings(), &[&["questions"], arguments].concat()).await
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_workbook_is_imported_and_the_running_server_notices() {
    let (hall, admin) = empty_hall().await;
    let folder = tempfile::tempdir().unwrap();
    assert!(hall.bank(5).await.questions.is_empty());
    let path = file(folder.path(), "q.xlsx", &workbook_of(&[good("a"), good("b")]));
    let dry = examhall(&hall, &["import", &path, "--dry-run"]).await;
    assert_eq!(
        (dry.status.code(), text(&dry.stdout).trim()),
        (Some(0), "2 added, 0 updated, 0 rows with errors (dry run: nothing was written)")
    );
    assert!(questions(&admin, 5).await.is_empty());
    let done = examhall(&hall, &["import", &path]).await;
    assert_eq!(
        (done.status.code(), text(&done.stdout).trim(), text(&done.stderr).as_str()),
        (Some(0), "2 added, 0 updated, 0 rows with errors", "")
    );
    eventually("the running server notices", async || (hall.bank(5).await.questions.len() == 2).then_some(())).await;
}

#[tokio::test]
async fn an_export_is_imported_elsewhere() {
    let (hall, (other, admin)) = (Hall::open().await, empty_hall().await);
    let folder = tempfile::tempdir().unwrap();
    for (grade, count) in [("all", 1_400), ("3", 140)] {
        let path = folder.path().join("export.xlsx");
        let done = examhall(&hall, &["export", "--grade", grade, path.to_str().unwrap()]).await;
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        assert!(text(&done.stdout).starts_with(&format!("{count} questions written to ")), "{}", text(&done.stdout));
        let done = examhall(&other, &["import", path.to_str().unwrap()]).await;
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    }
    let mut questions = questions(&admin, 7).await;
    assert_eq!(questions.len(), 140);
    questions.retain(|question| question["type"] == "multiple-choice");
    assert_eq!(plain(questions), hall.bank(7).await.questions);
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn files_of_other_systems_are_read_and_written() {
        let (hall, admin) = empty_hall().await;
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "q.txt", b"Q?{=1 ~2 ~3 ~4}\n\nEssay{}\n");
        let done = examhall(&hall, &["import", &path, "--grade", "5", "--difficulty", "3", "--topic", "Sums"]).await;
        assert_eq!(text(&done.stdout).trim(), "1 added, 0 updated, 1 rows with errors (the other rows were written)");
        assert_eq!(text(&done.stderr), "Line 3: it is no multiple choice: an essay\n");
        assert_eq!(questions(&admin, 5).await[0]["topic"], "Sums");
        let done = examhall(&hall, &["export", "--grade", "5", "--format", "moodle-xml", "-"]).await;
        assert!(text(&done.stdout).contains("<tag><text>topic:Sums</text></tag>"), "{}", text(&done.stdout));
    }

    #[tokio::test]
    async fn rows_with_errors_are_told_and_fail_the_command() {
        let (hall, admin) = empty_hall().await;
        let folder = tempfile::tempdir().unwrap();
        let path = file(
            folder.path(),
            "q.xlsx",
            &workbook_of(&[
                changed("a", &json!({ "answer": "x" })),
                good("b"),
                changed("c", &json!({ "grade": null })),
            ]),
        );
        let done = examhall(&hall, &["import", &path]).await;
        assert_eq!(
            (done.status.code(), text(&done.stdout).trim()),
            (Some(1), "1 added, 0 updated, 2 rows with errors (the other rows were written)")
        );
        assert_eq!(text(&done.stderr), "Row 2: answer must be one of A, B, C, D\nRow 4: grade required\n");
        assert_eq!(questions(&admin, 5).await.len(), 1);
    }

    #[tokio::test]
    async fn what_cannot_be_read_fails_with_a_sentence() {
        let (hall, _admin) = empty_hall().await;
        let folder = tempfile::tempdir().unwrap();
        let large = file(folder.path(), "large.xlsx", &vec![0; 20 * 1_024 * 1_024 + 1]);
        let other = file(folder.path(), "notes.txt", b"no workbook");
        for (path, reason) in [
            ("/nowhere/q.xlsx", "cannot be read"),
            (&large, "larger than 20 MiB"),
            (&other, "Not a spreadsheet workbook"),
        ] {
            let done = examhall(&hall, &["import", path]).await;
            let message = text(&done.stderr);
            assert_eq!((done.status.code(), message.trim().lines().count()), (Some(1), 1), "{message}");
            assert!(message.contains(reason) && message.contains(path) && done.stdout.is_empty(), "{message}");
        }
        let done = examhall(&hall, &["export", "--grade", "5", "/nowhere/q.xlsx"]).await;
        assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    }

    #[tokio::test]
    async fn wrong_usage_is_exit_2_and_help_is_0() {
        let (hall, _admin) = empty_hall().await;
        let wrong: [&[&str]; 6] = [
            &[],
            &["import"],
            &["export", "q.xlsx"],
            &["export", "--grade", "11", "q.xlsx"],
            &["export", "--grade", "5"],
            &["import", "a", "b"],
        ];
        for arguments in wrong {
            assert_eq!(examhall(&hall, arguments).await.status.code(), Some(2), "{arguments:?}");
        }
        for arguments in [&["--help"] as &[&str], &["import", "--help"], &["export", "--help"]] {
            assert_eq!(examhall(&hall, arguments).await.status.code(), Some(0), "{arguments:?}");
        }
    }
}
