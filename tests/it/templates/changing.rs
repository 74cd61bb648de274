//! Questions that change under a template: it keeps ids, so an edited question is right wherever it is shown.

use serde_json::json;

use super::{create, edit, lists, public_path, read, standard, swap};
use crate::hall::{Hall, eventually};

#[tokio::test]
async fn an_edited_question_is_right_everywhere() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    let id = lists(&template)["standard"][3].clone();
    let path = public_path(&template);
    for server in [&hall, &other] {
        assert!(!server.anonymous().get(&path).await.text().contains("How much is an edited question?"));
    }
    edit(&hall, &id, |question| question.question = "How much is an edited question?".to_owned()).await;
    assert_eq!(read(&admin, &template).await["standardQuestions"][3]["question"], "How much is an edited question?");
    for server in [&hall, &other] {
        let shown = eventually("the edited question is served", async || {
            Some(server.anonymous().get(&path).await)
                .filter(|answer| answer.text().contains("How much is an edited question?"))
        })
        .await;
        assert_eq!(shown.json()["standardQuestions"][3]["id"], json!(id), "in its place");
    }
}

#[tokio::test]
async fn a_question_that_has_become_easier_is_swapped_for_an_easy_one() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    let hard =
        template["standardQuestions"].as_array().unwrap().iter().find(|question| question["difficulty"] == 5).unwrap();
    let id = hard["id"].as_str().unwrap();
    edit(&hall, id, |question| question.difficulty = domain::question::Difficulty::new(1).unwrap()).await;
    let body = swap(&admin, &template, json!({ "bucket": { "kind": "standard" }, "questionId": id })).await.json();
    assert_eq!(body["replacement"]["difficulty"], 1, "{body}");
}
