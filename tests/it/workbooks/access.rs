//! Who may, and `GET /api/admin/questions`.

use serde_json::json;

use super::{IMPORT, changed, empty_hall, good, import, post, question_of, workbook_of};
use crate::hall::{Hall, plain};

#[tokio::test]
async fn the_list_is_the_bank_of_the_grade() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for grade in 1..=10 {
        assert_eq!(plain(super::questions(&admin, grade).await), hall.bank(grade).await.questions);
    }
    for query in [
        "",
        "?grade=",
        "?grade=0",
        "?grade=11",
        "?grade=all",
        "?grade=-1",
        "?grade=5.0",
        "?grade=%00",
        "?grade=99999999999999999999",
    ] {
        admin.get(&format!("/api/admin/questions{query}")).await.assert_error(400, "Invalid grade");
    }
}

#[tokio::test]
async fn the_list_has_what_was_changed_merged() {
    let hall = Hall::with(&[("PUBLIC_ANSWERS", "false")]).await;
    let admin = hall.signed_in("admin").await;
    let row = changed("g5-014", &json!({ "question": "Changed?" }));
    assert_eq!(
        import(&admin, &workbook_of(std::slice::from_ref(&row))).await,
        json!({ "added": 0, "updated": 1, "errors": [] })
    );
    let list = super::questions(&admin, 5).await;
    assert_eq!(list.len(), 140);
    assert_eq!(list.iter().find(|question| question["id"] == "g5-014").unwrap(), &question_of(&row));
}

#[tokio::test]
async fn an_empty_bank_is_an_empty_list() {
    let (_hall, admin) = empty_hall().await;
    assert!(super::questions(&admin, 1).await.is_empty());
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn only_admins_may() {
        let hall = Hall::open().await;
        let file = workbook_of(&[good("q-1")]);
        for path in [
            "/api/admin/questions?grade=5",
            "/api/admin/export?grade=5",
            "/api/admin/questions",
            "/api/admin/export?grade=x",
        ] {
            hall.anonymous().get(path).await.assert_error(401, "Unauthorized");
            hall.bearer("forged").get(path).await.assert_error(401, "Unauthorized");
            for role in ["student", "reviewer", "manager"] {
                hall.signed_in(role).await.get(path).await.assert_error(403, "Forbidden");
            }
        }
        for path in [IMPORT, "/api/admin/import?dryRun=true", "/api/admin/import?dryRun=nonsense"] {
            post(&hall.anonymous(), path, &file).await.assert_error(401, "Unauthorized");
            for role in ["student", "reviewer", "manager"] {
                post(&hall.signed_in(role).await, path, &file).await.assert_error(403, "Forbidden");
            }
        }
        assert_eq!(hall.bank(5).await.questions.len(), 120);
    }
}
