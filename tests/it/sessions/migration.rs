//! Sessions that were stored before their bodies had a table of their own: all of them survive, and it is known which
//! were live.

use domain::access::{Grades, Identity, Role};
use domain::grade::Grade;
use domain::resources::SessionFilter;
use domain::session::SessionOrigin;
use domain::sight::SchoolSight;
use examhall::database::Database;
use examhall::store::{graded, session_lists, sessions};
use migration::Migrator;
use migration::sea_orm_migration::MigratorTrait;
use sea_orm::ConnectionTrait;
use sea_orm::sea_query::Query;
use uuid::Uuid;

use crate::hall::TestStore;

/// Steps before the one that is tested.
const STEPS_BEFORE: u32 = 12;
/// More than one page of the copy.
const SESSIONS: u128 = 450;
const RESULT: &str = r#"{"score":500,"correctAnswers":1,"totalQuestions":1,"accuracy":100.0,"timeTaken":61,"topicBreakdown":[],"difficultyBreakdown":[],"answers":[{"questionId":"q","selected":"A","correct":"A","isCorrect":true}]}"#;
const KEYS: &str = r#"[{"id":"q","topic":"T","difficulty":1,"answer":"A"}]"#;

async fn insert_session(database: &Database, number: u128) {
    let annotations = match number {
        0 => r#"{"name":"Nguyễn Ánh","studentId":"s-17","event":23}"#.to_owned(),
        1 => r#"{"name":"\ud800"}"#.to_owned(),
        _ => format!(r#"{{"studentId":{number}}}"#),
    };
    let event = (number == 0).then_some(23_i64);
    // A client may have sent more seconds than the column of the lists holds.
    let result = if number == 2 { RESULT.replace("61", "4294967295") } else { RESULT.to_owned() };
    let mut insert = Query::insert();
    insert.into_table("sessions").columns([
        "session_id",
        "grade",
        "started_at_ms",
        "completed_at_ms",
        "webhook_sent",
        "report_url",
        "annotations",
        "result",
        "verified",
        "drawings",
        "graded_by",
        "score",
        "correct_answers",
        "total_questions",
        "event_id",
    ]);
    let drawings = (number == 0).then(|| r#"{"q":{"strokes":[]}}"#.to_owned());
    insert.values_panic([
        Uuid::from_u128(number).into(),
        5_i16.into(),
        1_000_i64.into(),
        i64::try_from(number + 2_000).unwrap().into(),
        true.into(),
        "https://exam.example/report".into(),
        annotations.into(),
        result.into(),
        true.into(),
        drawings.into(),
        KEYS.into(),
        500_i32.into(),
        1_i32.into(),
        1_i32.into(),
        event.into(),
    ]);
    database.write.execute(&insert).await.unwrap();
}

async fn insert_attempt(database: &Database, session_id: Uuid, owner: Option<&str>, template_id: Uuid) {
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
        "owner",
        "paper",
        "template_id",
        "ended_at_ms",
        "ended_by",
    ]);
    insert.values_panic([
        session_id.into(),
        vec![0_u8; 32].into(),
        5_i16.into(),
        "standard".into(),
        30_i32.into(),
        1_000_i64.into(),
        2_000_i64.into(),
        "{}".into(),
        "https://exam.example".into(),
        owner.map(str::to_owned).into(),
        KEYS.into(),
        template_id.into(),
        2_000_i64.into(),
        "student".into(),
    ]);
    database.write.execute(&insert).await.unwrap();
}

#[tokio::test]
async fn every_session_survives_and_says_where_it_comes_from() {
    let store = TestStore::create().await;
    let settings = store.settings(&[]);
    let database = Database::open(&settings["DATABASE_URL"], 4, 1).await.unwrap();
    Migrator::up(&database.write, Some(STEPS_BEFORE)).await.unwrap();
    for number in 0..SESSIONS {
        insert_session(&database, number).await;
    }
    let template = Uuid::new_v4();
    insert_attempt(&database, Uuid::from_u128(0), Some("ada@exam.test"), template).await;
    insert_attempt(&database, Uuid::from_u128(1), None, template).await;
    database.migrate().await.unwrap();

    let admin = Identity {
        email: "admin@exam.test".to_owned(),
        name: String::new(),
        image: String::new(),
        role: Role::Admin,
        reviewer_of: Grades::NONE,
        manager_of: Grades::NONE,
        deployment: None,
    };
    let sight = SchoolSight::of(&admin).unwrap();
    let all = session_lists::page(&database, sight, &SessionFilter::default(), 0, 1_000).await.unwrap();
    assert_eq!((all.0.len(), all.1), (450, 450));
    let live = SessionFilter { origin: Some(SessionOrigin::Live), ..SessionFilter::default() };
    let (found, total) = session_lists::page(&database, sight, &live, 0, 10).await.unwrap();
    assert_eq!(total, 2);
    let first = found.iter().find(|entry| entry.summary.session_id == Uuid::from_u128(0)).unwrap();
    assert_eq!(
        (first.account.as_deref(), first.template_id, first.event, first.student.as_str(), first.time_taken),
        (Some("ada@exam.test"), Some(template), Some(23), "Nguyễn Ánh", 61)
    );
    assert!(first.summary.webhook_sent && first.verified);
    let long = all.0.iter().find(|entry| entry.summary.session_id == Uuid::from_u128(2)).unwrap();
    assert_eq!(long.time_taken, i32::MAX, "as with sessions that are stored now");
    let by_name = SessionFilter { text: Some("nguyen anh".to_owned()), ..SessionFilter::default() };
    assert_eq!(session_lists::page(&database, sight, &by_name, 0, 10).await.unwrap().1, 1);
    let whole = sessions::find(&database, Uuid::from_u128(0)).await.unwrap().unwrap();
    assert_eq!(
        (whole.result.inside_the_server().time_taken, whole.asked_keys().len(), whole.origin),
        (61, 1, SessionOrigin::Live)
    );
    assert_eq!(whole.drawings.unwrap().get(), r#"{"q":{"strokes":[]}}"#);
    let other = sessions::find(&database, Uuid::from_u128(449)).await.unwrap().unwrap();
    assert_eq!((other.origin, other.account, other.drawings.is_none()), (SessionOrigin::Client, None, true));
    let grade = Grade::new(5).unwrap();
    assert_eq!(graded::load_after(&database, grade, Some(SessionOrigin::Live), None, 1_000).await.unwrap().len(), 2);
    assert_eq!(graded::load_after(&database, grade, None, None, 1_000).await.unwrap().len(), 450);
    database.close().await;
}
