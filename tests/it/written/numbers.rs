//! Numbers that are written here: how they are stored, their faults, and their edits.

use super::*;

/// A question that asks for half a kilogram, with some fields changed.
fn number(changes: &Value) -> Value {
    let mut number = question(&json!({
        "type": "number", "options": [], "answer": "0,5", "tolerance": "0.05", "unit": " kg ",
        "forms": ["mixed", "decimal"], "language": "vi",
    }));
    number.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    number
}

async fn write_number(caller: &Caller) -> Value {
    let answer = caller.post_json(OF_STAFF, &number(&json!({}))).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()
}

async fn edit(caller: &Caller, id: &Value, updates: Value, before: Value) -> Answer {
    let body = json!({ "questionId": id, "grade": 5, "comment": "", "updates": updates, "before": before });
    caller.post_json("/api/review/edit", &body).await
}

#[tokio::test]
async fn a_number_is_stored_as_it_is_meant_and_in_the_history() {
    let hall = Hall::open().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    let written = write_number(&manager).await;
    let expected = number(&json!({
        "id": written["id"], "source": "written", "answer": "0.5", "unit": "kg", "forms": ["decimal", "mixed"],
        "image": "", "imageDescription": "",
    }));
    assert_eq!(written, expected);
    assert_eq!(find(&admin, &written["id"]).await.as_ref(), Some(&written));
    let id = written["id"].as_str().unwrap();
    assert!(!hall.bank(5).await.ids().iter().any(|known| known == id), "nobody has asked for numbers");
    let numbers = hall.anonymous().get("/api/questions?grade=5&types=number").await.json();
    assert!(numbers.as_array().unwrap().contains(&written));
    let [first] = &history(&manager, &written["id"]).await[..] else { panic!("one entry") };
    let written = |after: &str| Some((String::new(), after.to_owned()));
    for (field, after) in [
        ("Type", written("number")),
        ("Answer", written("0.5")),
        ("Tolerance", written("0.05")),
        ("Unit", written("kg")),
        ("Forms", written("decimal, mixed")),
        ("Language", written("vi")),
        ("Option A", None),
    ] {
        assert_eq!(change_of(first, field), after, "{field}");
    }
}

#[tokio::test]
async fn a_wrong_number_is_refused_field_by_field() {
    let hall = Hall::open().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    let count = bank(&admin).await.len();
    let no_number = "answer must be a number in digits, such as 12, -3 or 0.5";
    for (changes, field, message) in [
        (json!({ "answer": "half" }), "answer", no_number),
        (json!({ "answer": "1/2" }), "answer", no_number),
        (json!({ "answer": "1,234" }), "answer", no_number),
        (json!({ "options": ["1", "2"] }), "options", "a question of the type number has no options"),
        (json!({ "tolerance": "-1" }), "tolerance", "tolerance must be a number in digits that is not negative"),
        (json!({ "unit": "5 cm" }), "unit", "unit must have at most 20 characters, and not begin like a number"),
        (json!({ "forms": ["roman"] }), "forms", "forms must be some of decimal, fraction, mixed"),
        (json!({ "language": "fr" }), "language", "language must be en or vi"),
    ] {
        let refused = manager.post_json(OF_STAFF, &number(&changes)).await;
        let expected = json!({ "error": message, "faults": [{ "field": field, "message": message }] });
        assert_eq!((refused.status, refused.json()), (400, expected), "{changes}");
    }
    assert_eq!(bank(&admin).await.len(), count);
}

#[tokio::test]
async fn an_edit_of_a_number_overwrites_nothing_that_was_not_seen() {
    let hall = Hall::open().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    let written = write_number(&manager).await;
    let id = &written["id"];
    let seen: Value = ["answer", "tolerance", "unit", "forms", "language", "options"]
        .map(|name| (name.to_owned(), written[name].clone()))
        .into_iter()
        .collect();
    let updates = json!({ "answer": "−3", "tolerance": "0", "unit": "", "forms": ["fraction"], "language": "en" });
    let edited = edit(&manager, id, updates.clone(), seen.clone()).await;
    assert_eq!(edited.status, 200, "{}", edited.text());
    let now = find(&admin, id).await.unwrap();
    for (name, value) in [("answer", "-3"), ("tolerance", "0"), ("unit", ""), ("language", "en"), ("type", "number")]
        .map(|(name, value)| (name, json!(value)))
    {
        assert_eq!(now[name], value, "{name}");
    }
    assert_eq!(now["forms"], json!(["fraction"]));
    let newest = history(&manager, id).await.remove(0);
    assert_eq!(change_of(&newest, "Unit"), Some(("kg".to_owned(), String::new())));
    assert_eq!(change_of(&newest, "Forms"), Some(("decimal, mixed".to_owned(), "fraction".to_owned())));
    // One field that is another one by now is enough.
    for name in ["answer", "tolerance", "unit", "forms", "language"] {
        let before = json!({ name: seen[name] });
        edit(&manager, id, json!({ "topic": "Weights" }), before).await.assert_error(409, "Question has changed");
    }
    edit(&manager, id, updates, json!({})).await.assert_error(400, "No changes");
}

#[tokio::test]
async fn an_edit_leaves_the_type_as_it_is() {
    let hall = Hall::open().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    let (letter, written) = (write(&manager, json!({})).await, write_number(&manager).await);
    for updates in [
        json!({ "options": ["1", "2"] }),
        json!({ "answer": "B" }),
        json!({ "answer": "1/2" }),
        json!({ "tolerance": "-1" }),
        json!({ "unit": "5 cm" }),
        json!({ "forms": [] }),
        json!({ "language": "fr" }),
        json!({ "type": "multiple-choice" }),
    ] {
        edit(&manager, &written["id"], updates, json!({})).await.assert_error(400, "Invalid updates");
    }
    for updates in [json!({ "answer": "3" }), json!({ "unit": "kg" }), json!({ "options": [] })] {
        edit(&manager, &letter["id"], updates, json!({})).await.assert_error(400, "Invalid updates");
    }
    assert_eq!(find(&admin, &written["id"]).await.as_ref(), Some(&written));
    assert_eq!(find(&admin, &letter["id"]).await.as_ref(), Some(&letter));
}
