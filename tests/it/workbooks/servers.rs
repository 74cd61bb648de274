//! Imports while others write and read: servers beside each other, and running tests.

use sea_orm::{ConnectionTrait, Database, TransactionTrait};
use serde_json::json;

use super::{IMPORT, changed, empty_hall, good, import, post, questions, workbook_of};
use crate::hall::{Candidate, Hall, eventually, need_services, plain};

#[tokio::test]
async fn other_servers_notice_an_import() {
    let hall = Hall::open().await;
    let beside = hall.beside().await;
    let admin = hall.signed_in("admin").await;
    assert_eq!((beside.bank(5).await.questions.len(), beside.bank(7).await.questions.len()), (120, 120));
    import(&admin, &workbook_of(&[changed("g5-001", &json!({ "grade": 7 }))])).await;
    eventually("the grade that it left", async || (beside.bank(5).await.questions.len() == 119).then_some(())).await;
    eventually("the grade that it joined", async || (beside.bank(7).await.questions.len() == 121).then_some(())).await;
}

#[tokio::test]
async fn two_imports_at_once_add_each_question_once() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let beside = hall.beside().await;
    let other = beside.signed_in("admin").await;
    for round in 0..5 {
        let rows: Vec<_> = (0..700)
            .map(|number| changed(&format!("q-{round}-{number}"), &json!({ "grade": number % 10 + 1 })))
            .collect();
        let backwards: Vec<_> = rows.iter().rev().cloned().collect();
        let (rows, backwards) = (workbook_of(&rows), workbook_of(&backwards));
        let (one, two) = futures_util::future::join(import(&admin, &rows), import(&other, &backwards)).await;
        let sum = |name: &str| one[name].as_u64().unwrap() + two[name].as_u64().unwrap();
        assert_eq!((sum("added"), sum("updated")), (700, 700), "{one} {two}");
    }
    assert_eq!(hall.bank(1).await.questions.len(), 120 + 350);
}

#[tokio::test]
async fn a_running_test_keeps_the_key_of_its_start() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut candidate: Candidate = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    let bank = hall.bank(5).await;
    let question = candidate.paper[0].clone();
    let other = bank.wrong(&question).to_owned();
    let right = bank.key(&question).to_owned();
    candidate.answer(&question, &right).await;
    import(&admin, &workbook_of(&[changed(&question, &json!({ "answer": other }))])).await;
    assert_eq!(hall.bank(5).await.key(&question), other);
    candidate.submit().await;
    let session = hall.stored_session(&candidate.session_id).await;
    assert_eq!(session["result"]["correctAnswers"], 1, "{session}");
}

mod own_tables {
    use super::*;

    /// From now on the store refuses to add the question `refused`.
    async fn refuse_one(hall: &Hall) {
        let statement = if hall.database_url().starts_with("sqlite:") {
            "CREATE TRIGGER refuse BEFORE INSERT ON questions WHEN NEW.id = 'refused' BEGIN SELECT RAISE(ABORT, 'refused'); END"
        } else {
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$; \
             CREATE TRIGGER refuse BEFORE INSERT ON questions FOR EACH ROW WHEN (NEW.id = 'refused') EXECUTE FUNCTION refuse()"
        };
        let database = Database::connect(hall.database_url()).await.unwrap();
        database.execute_unprepared(statement).await.unwrap();
        database.close().await.unwrap();
    }

    #[tokio::test]
    async fn an_import_that_no_store_takes_writes_nothing() {
        let (hall, admin) = empty_hall().await;
        import(&admin, &workbook_of(&[good("a")])).await;
        let before = hall.bank(5).await.questions;
        refuse_one(&hall).await;
        // Several statements' worth, the bad one in the last.
        let mut rows: Vec<_> = (0..1_200).map(|number| good(&format!("q-{number}"))).collect();
        rows.push(changed("a", &json!({ "question": "Overwritten?" })));
        rows.push(good("refused"));
        post(&admin, IMPORT, &workbook_of(&rows)).await.assert_error(500, "Internal server error");
        assert_eq!(plain(questions(&admin, 5).await), before);
        assert_eq!(hall.bank(5).await.questions, before);
        rows.pop();
        assert_eq!(import(&admin, &workbook_of(&rows)).await, json!({ "added": 1_200, "updated": 1, "errors": [] }));
    }
}

/// SQLite's one writer is waited for by other rules.
mod several_servers {
    use super::*;

    #[tokio::test]
    async fn who_changes_questions_does_not_wait_for_ever() {
        need_services();
        let (hall, admin) = empty_hall().await;
        import(&admin, &workbook_of(&[good("a")])).await;
        let database = Database::connect(hall.database_url()).await.unwrap();
        let other = database.begin().await.unwrap();
        other.execute_unprepared("LOCK TABLE questions IN EXCLUSIVE MODE").await.unwrap();
        let file = workbook_of(&[good("b")]);
        let edit = json!({ "questionId": "a", "grade": 5, "comment": "", "updates": { "question": "Edited?" } });
        let (imported, edited) =
            futures_util::future::join(post(&admin, IMPORT, &file), admin.post_json("/api/review/edit", &edit)).await;
        for answer in [imported, edited] {
            answer.assert_error(503, "The service is unavailable at the moment");
        }
        other.rollback().await.unwrap();
        assert_eq!(import(&admin, &file).await["added"], 1);
    }
}
