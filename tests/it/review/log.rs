//! The log of edits: of a grade, of all, newest first, and longer than a page.

use std::collections::BTreeSet;
use std::time::Duration;

use sea_orm::{ActiveValue::Set, Database, EntityTrait};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{edit, found, reviewer};
use crate::hall::{Caller, Hall};

async fn log(caller: &Caller, path: &str) -> Vec<Value> {
    let answer = found(&caller.get(path).await);
    assert_eq!(answer.as_object().unwrap().len(), 1);
    answer["editLog"].as_array().unwrap().clone()
}

#[tokio::test]
async fn each_grade_has_its_own() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let reviewer = reviewer(&hall, &admin, "rita@exam.test", &[6]).await;
    found(&edit(&admin, "g5-001", json!({ "question": "Of grade 5" })).await);
    hall.clock.advance(Duration::from_secs(60));
    let of_six = json!({ "questionId": "g6-001", "grade": 6, "updates": { "question": "Of grade 6" } });
    found(&reviewer.post_json("/api/review/edit", &of_six).await);
    let ids = |entries: Vec<Value>| {
        entries.iter().map(|entry| entry["questionId"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(log(&reviewer, "/api/review/edit?grade=6").await), ["g6-001"]);
    assert_eq!(ids(log(&admin, "/api/admin/review/log?grade=5").await), ["g5-001"]);
    assert_eq!(ids(log(&admin, "/api/admin/review/log?grade=7").await), [""; 0]);
    for all in ["/api/admin/review/log", "/api/admin/review/log?grade="] {
        assert_eq!(ids(log(&admin, all).await), ["g6-001", "g5-001"]);
    }
    for query in ["?grade=0", "?grade=11", "?grade=all", "?grade=5%20"] {
        admin.get(&format!("/api/admin/review/log{query}")).await.assert_error(400, "Invalid grade");
    }
}

mod own_tables {
    use super::*;

    /// Edits as they are stored, many of them at the same moment, so that pages end between two of one moment.
    async fn insert(hall: &Hall, count: usize) {
        let row = |number: usize| entities::edit::ActiveModel {
            id: Set(Uuid::new_v4()),
            question_id: Set(format!("g5-{number:03}")),
            grade: Set(5),
            edited_by: Set("rita@exam.test".to_owned()),
            edited_by_name: Set("Rita".to_owned()),
            edited_at_ms: Set(1_767_600_000_000 + i64::try_from(number / 150).unwrap()),
            changes: Set(r#"[{"field":"Question","before":"a","after":"b"}]"#.to_owned()),
            comment: Set(String::new()),
        };
        let database = Database::connect(hall.database_url()).await.unwrap();
        entities::edit::Entity::insert_many((0..count).map(row)).exec_without_returning(&database).await.unwrap();
        database.close().await.unwrap();
    }

    #[tokio::test]
    async fn the_newest_is_first_over_many_pages() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        assert_eq!(log(&admin, "/api/admin/review/log").await.len(), 0);
        let mut count = 0;
        for more in [99, 1, 1, 98, 1, 1, 204] {
            insert(&hall, more).await;
            count += more;
            for path in ["/api/review/edit?grade=5", "/api/admin/review/log", "/api/admin/review/log?grade=5"] {
                let entries = log(&admin, path).await;
                let ids: BTreeSet<&str> = entries.iter().map(|entry| entry["id"].as_str().unwrap()).collect();
                assert_eq!((entries.len(), ids.len()), (count, count), "{path}");
                assert!(entries.windows(2).all(|pair| pair[0]["editedAt"].as_str() >= pair[1]["editedAt"].as_str()));
            }
        }
        found(&edit(&admin, "g5-001", json!({ "question": "The last" })).await);
        assert_eq!(log(&admin, "/api/review/edit?grade=5").await[0]["changes"][0]["after"], "The last");
    }
}
