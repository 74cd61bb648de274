//! A report shows for ever what was asked, and says what the bank has become.

use domain::grade::Grade;
use domain::question::{Question, VersionDigest};
use examhall::store::{former_questions, questions};
use serde_json::{Value, json};

use super::{Report, test};
use crate::hall::{Caller, Hall, TestStore, answer};

async fn edit(admin: &Caller, id: &str, updates: Value) {
    let asked = json!({ "questionId": id, "grade": 5, "comment": "", "updates": updates });
    let answer = admin.post_json("/api/review/edit", &asked).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

async fn shown(hall: &Hall, session_id: &str) -> Value {
    let answer = hall.anonymous().get(&format!("/api/report/{session_id}/questions")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

mod either_provider {
    use super::*;

    #[tokio::test]
    async fn what_was_asked_stays_on_page_and_paper() {
        let hall = Hall::open().await;
        let (bank, admin) = (hall.bank(5).await, hall.signed_in("admin").await);
        let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
        for id in candidate.paper.clone() {
            candidate.send(answer(&id, bank.wrong(&id))).await;
        }
        candidate.settle().await;
        candidate.submit().await;
        hall.stored_session(&candidate.session_id).await;
        let mut body = test(&bank, 1, json!({}));
        let id = candidate.paper[0].clone();
        body["result"]["answers"][0] = json!({ "questionId": id, "selected": bank.wrong(&id) });
        let created = hall.anonymous().post_json("/api/sessions", &body).await;
        let sent = created.json()["sessionId"].as_str().unwrap().to_owned();
        let before = shown(&hall, &candidate.session_id).await;
        assert_eq!((&before["changed"], &before["withheld"]), (&json!([]), &Value::Null));
        let changes = [
            json!({ "question": "Who asks this today?", "options": ["one", "two", "three", "four"] }),
            json!({ "answer": bank.wrong(&id), "explanation": "Explained today" }),
        ];
        for change in changes {
            edit(&admin, &id, change).await;
        }
        assert_eq!(hall.bank(5).await.question(&id)["explanation"], "Explained today");
        for session in [&candidate.session_id, &sent] {
            let after = shown(&hall, session).await;
            assert_eq!(&after["questions"][0], bank.question(&id), "with its key, options and explanation");
            assert_eq!(
                (&after["changed"], &after["removed"], &after["replaced"]),
                (&json!([id]), &json!([]), &json!([]))
            );
            let text = Report::of_session(&hall.anonymous(), session).await.text();
            assert!(text.contains("Questions are shown as they were asked."), "{text}");
            assert!(text.contains("The bank has changed question 1 since the test."), "{text}");
            assert!(!text.contains("Who asks this today?"), "{text}");
        }
        assert_eq!(shown(&hall, &candidate.session_id).await["questions"], before["questions"]);
    }
}

#[tokio::test]
async fn every_version_that_ends_is_kept_once() {
    let store = TestStore::create().await;
    let url = store.settings(&[])["DATABASE_URL"].clone();
    let database = examhall::database::Database::open(&url, 2, 1).await.unwrap();
    database.migrate().await.unwrap();
    let question = |id: &str| {
        let json = json!({
            "id": id, "grade": 5, "topic": "Shapes", "subtopic": "", "difficulty": 1, "source": "",
            "type": "multiple-choice", "question": "How many?", "options": ["five", "six"], "answer": "A",
            "explanation": "", "image": "",
        });
        serde_json::from_value::<Question>(json).unwrap()
    };
    let mut bank: Vec<Question> = ["a", "b", "c"].map(question).to_vec();
    let (grade, first) = (Grade::new(5).unwrap(), bank.clone());
    questions::put(&database, &bank).await.unwrap();
    let versions: Vec<_> = first.iter().map(|one| (&*one.id, VersionDigest::of(one))).collect();
    assert_eq!(former_questions::load(&database, &versions).await.unwrap().len(), 0, "all are in the bank");
    // No report shows where a question comes from.
    bank[0].source = "A book".to_owned();
    questions::put(&database, &bank).await.unwrap();
    assert_eq!(former_questions::load(&database, &versions).await.unwrap().len(), 0);
    for text in ["Another text", &first[1].question, "Another text"] {
        text.clone_into(&mut bank[1].question);
        questions::put(&database, &bank).await.unwrap();
    }
    questions::replace_bank(&database, grade, &bank[..2]).await.unwrap();
    let kept = former_questions::load(&database, &versions).await.unwrap();
    assert_eq!((kept.len(), &kept[&first[1].id], &kept[&first[2].id]), (2, &first[1], &first[2]));
    let between = [(&*first[1].id, VersionDigest::of(&bank[1]))];
    assert_eq!(former_questions::load(&database, &between).await.unwrap()[&first[1].id].question, "Another text");
    database.close().await;
}
