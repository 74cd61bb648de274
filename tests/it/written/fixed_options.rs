//! Whether options keep their order: by a rule where nobody has said it, also of questions from before an upgrade.

use migration::Migrator;
use migration::sea_orm_migration::MigratorTrait;

use super::*;

const SPEAKING: [&str; 3] = ["twelve", "six", "Cả A và B đều đúng"];

async fn is_fixed(admin: &Caller, question: &Value) -> bool {
    find(admin, &question["id"]).await.unwrap()["fixedOptions"] == true
}

async fn edit(caller: &Caller, question: &Value, updates: Value) {
    let body = json!({ "questionId": question["id"], "grade": 5, "comment": "", "updates": updates });
    let edited = caller.post_json("/api/review/edit", &body).await;
    assert_eq!(edited.status, 200, "{}", edited.text());
}

/// Takes the schema back to before it held who has decided, as an earlier version has left it.
async fn forget_who_decided(hall: &Hall) {
    let steps = Migrator::migrations();
    let later = steps.iter().rev().take_while(|step| !step.name().starts_with("m46_")).count();
    let connection = sea_orm::Database::connect(hall.database_url()).await.unwrap();
    Migrator::down(&connection, Some(u32::try_from(later + 1).unwrap())).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn the_rule_finds_stored_questions_and_people_have_the_last_word() {
    let mut hall = Hall::open().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    let free = write(&manager, json!({ "options": SPEAKING, "fixedOptions": false })).await;
    let plain = write(&manager, json!({})).await;
    let fixed = write(&manager, json!({ "fixedOptions": true })).await;
    let found = async |admin: &Caller| {
        [is_fixed(admin, &free).await, is_fixed(admin, &plain).await, is_fixed(admin, &fixed).await]
    };
    assert_eq!(found(&admin).await, [false, false, true]);
    hall.stop().await;
    forget_who_decided(&hall).await;
    hall.begin().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    assert_eq!(found(&admin).await, [true, false, true], "the rule decides where nobody has");
    let samples: Vec<Value> =
        bank(&admin).await.into_iter().filter(|question| question["source"] == "sample").collect();
    assert!(samples.len() > 100 && samples.iter().all(|sample| sample["fixedOptions"] != true), "an order is chance");
    // An edit of something else changes nothing in it, and is no change of it.
    edit(&manager, &free, json!({ "question": "When is noon?" })).await;
    assert_eq!(change_of(&history(&manager, &free["id"]).await[0], "Fixed options"), None);
    assert_eq!(found(&admin).await, [true, false, true]);
    edit(&manager, &free, json!({ "fixedOptions": false })).await;
    hall.restart().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    assert_eq!(found(&admin).await, [false, false, true], "as somebody has said");
    edit(&manager, &plain, json!({ "options": SPEAKING })).await;
    assert!(is_fixed(&admin, &plain).await);
    let logged = change_of(&history(&manager, &plain["id"]).await[0], "Fixed options");
    assert_eq!(logged, Some(("no".to_owned(), "yes".to_owned())));
}
