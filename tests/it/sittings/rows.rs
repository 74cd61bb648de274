//! What the database itself holds to be true.

use entities::attempt;
use migration::Migrator;
use migration::sea_orm_migration::MigratorTrait;
use sea_orm::sea_query::Query;
use sea_orm::{ConnectionTrait, EntityTrait, PaginatorTrait, QuerySelect};
use serde_json::json;
use uuid::Uuid;

use super::{School, id};
use crate::hall::TestStore;

#[tokio::test]
async fn a_candidate_has_one_attempt() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let ada = school.candidate(&sitting, "Ada").await;
    school.enter(&sitting, &ada).await;
    let another =
        school.hall.sit(json!({ "grade": 5, "mode": "standard", "durationMinutes": 30, "annotations": {} })).await;
    let take = "UPDATE attempts SET sitting_id = $1, candidate_id = $2 WHERE session_id = $3";
    let session: Uuid = another.session_id.parse().unwrap();
    let values = vec![id(&sitting).into(), id(&ada).into(), session.into()];
    let refused = school.execute(take, values).await.unwrap_err().to_string().to_lowercase();
    assert!(refused.contains("unique") || refused.contains("duplicate"), "{refused}");
}

/// Steps before the one that adds sittings.
const STEPS_BEFORE: u32 = 16;

#[tokio::test]
async fn tests_from_before_there_were_sittings_survive() {
    let store = TestStore::create().await;
    let url = store.settings(&[])["DATABASE_URL"].clone();
    let database = examhall::database::Database::open(&url, 2, 1).await.unwrap();
    Migrator::up(&database.write, Some(STEPS_BEFORE)).await.unwrap();
    let mut insert = Query::insert();
    insert.into_table("attempts").columns([
        "session_id",
        "token_hash",
        "grade",
        "mode",
        "duration_minutes",
        "started_at_ms",
        "deadline_ms",
        "annotations",
        "base_url",
        "paper",
        "extended_minutes",
    ]);
    for number in 0..3_u128 {
        insert.values_panic([
            Uuid::from_u128(number).into(),
            vec![1_u8; 32].into(),
            5_i16.into(),
            "standard".into(),
            30_i32.into(),
            1_i64.into(),
            2_i64.into(),
            "{}".into(),
            "https://exam.example".into(),
            "[]".into(),
            0_i32.into(),
        ]);
    }
    database.write.execute(&insert).await.unwrap();
    database.migrate().await.unwrap();
    let found: Vec<(Option<Uuid>, Option<Uuid>, Option<i64>)> = attempt::Entity::find()
        .select_only()
        .columns([attempt::Column::SittingId, attempt::Column::CandidateId, attempt::Column::GivenMs])
        .into_tuple()
        .all(&database.read)
        .await
        .unwrap();
    assert_eq!(found, [(None, None, None); 3]);
    Migrator::down(&database.write, Some(1)).await.unwrap();
    Migrator::up(&database.write, None).await.unwrap();
    assert_eq!(attempt::Entity::find().count(&database.read).await.unwrap(), 3);
    database.close().await;
}
