//! The database is recovered to a moment with the commands of `docs/database.md`, typed as they stand there. It takes
//! seconds: a cluster is made, copied and started three times.

use reqwest::Method;
use serde_json::json;

use super::*;
use crate::hall::{Answer, Candidate, PostgresServer, Process, TestStore, eventually, need_services, own_folder, run};

/// The lines of a shell below a heading of the document.
fn commands_below(heading: &str) -> String {
    let text = include_str!("../../../docs/database.md");
    let (_, section) = text.split_once(&format!("### {heading}\n")).expect("the document has the heading");
    let (_, block) = section.split_once("```sh\n").expect("it has commands");
    let block = block.split("```").next().unwrap();
    // Servers are no services of this machine, and their commands are called by the test.
    let is_of_postgres = |line: &&str| !line.starts_with("systemctl ") && !line.starts_with("examhall ");
    block.lines().filter(is_of_postgres).collect::<Vec<_>>().join("\n")
}

async fn type_in(server: &PostgresServer, lines: &str) {
    let output = server.type_in(lines).await;
    assert!(output.status.success(), "{lines}\n{output:?}");
}

#[tokio::test]
async fn a_database_is_recovered_to_a_moment_as_the_document_says() {
    need_services();
    let folder = own_folder();
    let server = PostgresServer::create(folder.path(), "").await;
    let here =
        |heading: &str| commands_below(heading).replace("/backups", &format!("{}/backups", folder.path().display()));
    type_in(&server, &here("Keep the log")).await;
    let store = TestStore::create().await;
    let settings = store.settings(&[("DATABASE_URL", &server.url())]);
    let process = Process::serve(&settings).await;
    type_in(&server, &here("A copy each night")).await;

    let mut candidate = Candidate::start(process.base(), json!({ "grade": 5, "questionCount": 10 })).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "A").await;
    sign_in(&process).await;
    let moment: String = server.value("SELECT now()::text").await;
    sleep(Duration::from_millis(100)).await;
    candidate.answer(&question, "B").await;
    process.kill().await;

    let lines = here("Go back to a moment");
    assert!(lines.contains("2026-01-05 10:31:00+01"), "{lines}");
    type_in(&server, &lines.replace("2026-01-05 10:31:00+01", &moment)).await;
    eventually("the recovery has ended", async || {
        (!server.value::<bool>("SELECT pg_is_in_recovery()").await).then_some(())
    })
    .await;
    let recovered = run(&settings, &["recovered"]).await;
    assert!(recovered.status.success(), "{recovered:?}");
    assert_eq!(server.value::<i64>("SELECT count(*) FROM seats WHERE server IS NULL").await, 1);
    assert!(server.value::<i64>("SELECT min(fence) FROM seats").await > 1_000_000);
    assert_eq!(server.value::<i64>("SELECT count(*) FROM sign_ins").await, 0);

    let process = Process::serve(&settings).await;
    candidate.move_to(process.base());
    let resumed = candidate.resume().await;
    assert_eq!(resumed["seq"], 1, "{resumed}");
    let refused = run(&settings, &["recovered"]).await;
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(1) && told.contains("stop it first"), "{told}");
}

async fn sign_in(process: &Process) {
    let asked = process
        .anonymous()
        .request(Method::POST, "/auth/local")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("email=head@exam.test&name=Somebody&return_to=/");
    assert_eq!(Answer::to(asked).await.status, 303);
}
