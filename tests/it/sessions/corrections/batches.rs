//! How many tests follow a correction by one transaction.

use domain::correction::{AnswerSet, Correction, CorrectionKind, CorrectionScope};
use examhall::database::Database;
use examhall::store::correction_work::{TakenPiece, find_next};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;
use uuid::Uuid;

use super::Corrected;

/// Bytes of one drawing: two of them are too much for one transaction.
const DRAWING_BYTES: usize = 1_200_000;

#[tokio::test]
async fn a_transaction_copies_few_large_drawings() {
    let school = Corrected::open().await;
    for _ in 0..5 {
        school.sit(Some(school.wrong())).await;
    }
    let database = Database::open(school.hall.database_url(), 2, 1).await.unwrap();
    let correction = Correction {
        number: 1,
        question_id: school.question().into(),
        kind: CorrectionKind::All,
        options: AnswerSet::default(),
        of_options: None,
        nobody_loses: true,
        scope: CorrectionScope::Template(school.template.parse().unwrap()),
    };
    let all =
        TakenPiece { step: i64::MAX, piece: 0, first_id: Uuid::nil(), last_id: Uuid::max(), after_id: None, fence: 1 };
    let next = async |after: Option<Uuid>, count: u64| {
        find_next(&database.read, &all, &correction, after, count).await.unwrap()
    };
    let ids = next(None, 100).await;
    assert_eq!((ids.len(), next(None, 2).await), (5, ids[..2].to_vec()), "they are small");
    let drawings = json!({ school.question(): { "strokes": "x".repeat(DRAWING_BYTES) } }).to_string();
    let text = "UPDATE session_bodies SET drawings = $1 WHERE session_id <> $2 AND session_id <> $3";
    let values = vec![drawings.into(), ids[3].into(), ids[4].into()];
    let backend = database.write.get_database_backend();
    database.write.execute_raw(Statement::from_sql_and_values(backend, text, values)).await.unwrap();
    assert_eq!(next(None, 100).await, ids[..1], "one at least, and not two");
    assert_eq!(next(Some(ids[1]), 100).await, ids[2..], "those that are small come along");
    database.close().await;
    // All follow all the same.
    let made = school.correct(json!({ "kind": "all", "options": [] })).await;
    assert_eq!(made["progress"]["total"], 5);
    for id in &ids {
        assert_eq!(school.score(&id.to_string()).await, 800);
    }
}
