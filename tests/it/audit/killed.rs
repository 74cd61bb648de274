//! SIGKILL while an admin works: what is stored is on record. The server is started again for each kill, so this takes
//! longer than other tests.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;

use crate::hall::{Caller, Hall, Process, eventually};

const KILLS: usize = 4;
/// Changes that are under way when the server is killed.
const AT_ONCE: usize = 40;
/// How many of them must be stored before that: otherwise the test would show nothing.
const STORED_BEFORE_A_KILL: usize = 5;

fn address(kill: usize, number: usize) -> String {
    format!("person{number}of{kill}@exam.test")
}

/// The addresses of all users.
async fn users(admin: &Caller) -> BTreeSet<String> {
    let found = admin.get("/api/admin/users").await;
    assert_eq!(found.status, 200, "{}", found.text());
    found.json().as_array().unwrap().iter().map(|user| user["email"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn no_invitation_outlives_a_kill_without_its_entry() {
    let mut hall = Hall::open().await;
    let token = hall.token("admin").await;
    hall.stop().await;
    let mut process = Process::serve(hall.settings()).await;
    for kill in 0..KILLS {
        let admin = Caller::new(process.base(), Some(&token));
        let before = users(&admin).await.len();
        let invite = async |number: usize| {
            let path = format!("/api/admin/users/{}", address(kill, number));
            let asked = admin.request(Method::PUT, &path).json(&json!({ "role": "reviewer" }));
            // Whoever is cut off does not know.
            let _ = asked.send().await;
        };
        tokio::join!(join_all((0..AT_ONCE).map(invite)), async {
            eventually("some are stored", async || {
                (users(&admin).await.len() >= before + STORED_BEFORE_A_KILL).then_some(())
            })
            .await;
            tokio::time::sleep(Duration::from_millis(kill as u64)).await;
            process.kill().await;
        });
        process = Process::serve(hall.settings()).await;
        let admin = Caller::new(process.base(), Some(&token));
        let table = admin.get("/api/admin/audit/export?action=user.invited&format=csv").await;
        assert_eq!(table.status, 200, "{}", table.text());
        let (table, users) = (table.text(), users(&admin).await);
        let is_recorded = |email: &String| table.lines().filter(|line| line.contains(&**email)).count();
        let invited: Vec<String> = (0..AT_ONCE).map(|number| address(kill, number)).collect();
        for email in invited {
            assert_eq!(is_recorded(&email), usize::from(users.contains(&email)), "{email}: {table}");
        }
    }
}
