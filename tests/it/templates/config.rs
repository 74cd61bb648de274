//! What a config may be, with the exact message for each that may not.

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    BANDS, PATH, adaptive, create, generate, lists, names, path_of, public_path, read, standard, update, with,
};
use crate::hall::{Answer, Hall};

const UNEQUAL_BANDS: &str = "All bands must have the same total";

/// So many topics with one question each.
fn many(topics: usize) -> Value {
    Value::Object((0..topics).map(|topic| (format!("Topic {topic}"), json!(1))).collect())
}

/// Fields of a standard config that are wrong, with the field that the error names.
fn wrong() -> Vec<(Value, &'static str)> {
    let of = |name: &str, values: &[Value]| values.iter().map(|value| json!({ name: value })).collect::<Vec<_>>();
    let fields = [
        ("name", vec![json!(null), json!(""), json!("   "), json!(7), json!("a\nb"), json!("x".repeat(201))]),
        (
            "grades",
            vec![
                json!(null),
                json!([]),
                json!([0]),
                json!([11]),
                json!([5, 11]),
                json!([5.5]),
                json!(["5"]),
                json!(5),
                json!("5"),
                json!({}),
            ],
        ),
        ("mode", vec![json!(null), json!(""), json!("Standard"), json!("fast"), json!(1)]),
        (
            "durationMinutes",
            vec![json!(null), json!(0), json!(601), json!(-1), json!(45.5), json!("45"), json!(1e300), json!([])],
        ),
        ("calculator", vec![json!(""), json!("None"), json!("graphing"), json!(1), json!(true), json!(["basic"])]),
        (
            "standardTargets",
            vec![
                json!(null),
                json!({}),
                json!({ "1": 0, "5": 0 }),
                json!({ "1": 201 }),
                json!({ "1": 101, "2": 100 }),
                json!({ "6": 1, "1": 1 }),
                json!({ "easy": 1 }),
                json!({ "1": -1, "2": 5 }),
                json!({ "1": 1.5 }),
                json!({ "1": "1" }),
                json!({ "1": u64::MAX, "2": u64::MAX }),
                json!([1, 1, 1, 1, 1]),
                json!(10),
            ],
        ),
        (
            "topicTargets",
            vec![
                json!({ "Decimals": 0 }),
                json!({ "Decimals": 201 }),
                json!({ "Decimals": 101, "Fractions": 100 }),
                json!({ "Decimals": 1.5 }),
                json!({ "Decimals": "1" }),
                json!({ "": 10 }),
                json!({ "a\u{7}": 10 }),
                // Beside the ten questions of the difficulties.
                json!({ "Decimals": 9 }),
                json!({ "Decimals": 9, "Fractions": 2 }),
                many(61),
                json!(["Decimals"]),
                json!(10),
            ],
        ),
        ("approvedOnly", vec![json!("true"), json!(1), json!([])]),
        ("sources", vec![json!("sample"), json!([7]), json!(["a\u{7}"]), json!({}), json!(vec!["sample"; 41])]),
        ("order", vec![json!(""), json!("Mixed"), json!("random"), json!(1), json!(["mixed"])]),
        ("forms", vec![json!(0), json!(9), json!(-1), json!(2.5), json!("2"), json!(true), json!([2]), json!(258)]),
        ("parallelForms", vec![json!("true"), json!(1), json!([])]),
        ("shuffleOptions", vec![json!("true"), json!(1), json!({})]),
        ("inOrder", vec![json!("true"), json!(1), json!([])]),
        ("pinned", vec![json!("g5-001"), json!([7]), json!([""]), json!(["nothing"]), json!(vec!["g5-001"; 201])]),
    ];
    fields
        .into_iter()
        .flat_map(|(name, values)| of(name, &values).into_iter().map(move |change| (change, name)).collect::<Vec<_>>())
        .collect()
}

#[tokio::test]
async fn every_wrong_field_is_named() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for (change, name) in wrong() {
        let answer = admin.post_json(PATH, &with(standard(), change.clone())).await;
        assert_eq!(
            (answer.status, answer.text()),
            (400, json!({ "error": format!("Invalid {name}") }).to_string()),
            "{change}"
        );
    }
    for name in ["name", "grades", "mode", "durationMinutes", "standardTargets"] {
        let mut config = standard();
        config.as_object_mut().unwrap().remove(name);
        admin.post_json(PATH, &config).await.assert_error(400, &format!("Invalid {name}"));
    }
    for body in ["", "{", "[]", "7", "null", "\"x\"", "{\"name\":\"a\\u0000\"}"] {
        admin.post_text(PATH, body).await.assert_error(400, "Invalid body");
    }
    assert_eq!(admin.get(PATH).await.json(), json!({ "templates": [] }), "nothing of it is stored");
}

#[tokio::test]
async fn an_adaptive_config_has_both_sessions_and_all_bands() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let refused = async |changes: Value, message: &str| {
        admin.post_json(PATH, &with(adaptive(), changes)).await.assert_error(400, message);
    };
    for targets in [json!(null), json!({}), json!({ "1": 201 }), json!({ "7": 1 }), json!([]), json!(5)] {
        refused(json!({ "session1Targets": targets }), "Invalid session1Targets").await;
    }
    let bands =
        |each: Value| -> Value { Value::Object(BANDS.iter().map(|band| ((*band).to_owned(), each.clone())).collect()) };
    let mut four = bands(json!({ "3": 4 }));
    four.as_object_mut().unwrap().remove("70-80");
    let six = with(bands(json!({ "3": 4 })), json!({ "50-60": { "3": 4 } }));
    let one_wrong = with(bands(json!({ "3": 4 })), json!({ "90-100": { "3": 4, "6": 0 } }));
    let one_empty = with(bands(json!({ "3": 4 })), json!({ "90-100": {} }));
    for targets in [
        json!(null),
        json!({}),
        json!([]),
        json!(5),
        four,
        six,
        one_wrong,
        one_empty,
        bands(json!(4)),
        bands(json!({ "3": 201 })),
    ] {
        refused(json!({ "session2TargetsByBand": targets }), "Invalid session2TargetsByBand").await;
    }
    let unequal = with(bands(json!({ "3": 4 })), json!({ "below-60": { "1": 5 } }));
    refused(json!({ "session2TargetsByBand": unequal }), UNEQUAL_BANDS).await;
}

#[tokio::test]
async fn fields_of_the_other_mode_are_ignored() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let noise = json!({ "session1Targets": 7, "session2TargetsByBand": { "90-100": { "1": 1 } } });
    let template = create(&admin, with(standard(), noise)).await;
    assert!(template["session1Targets"].is_null() && template["session2TargetsByBand"].is_null(), "{template}");
    let template = create(&admin, with(adaptive(), json!({ "standardTargets": "none" }))).await;
    assert!(template["standardTargets"].is_null(), "{template}");
    let answer = update(&admin, &template, json!({ "standardTargets": 7, "name": "Still adaptive" })).await;
    assert_eq!(answer.json()["template"]["name"], "Still adaptive");
}

#[tokio::test]
async fn topics_are_for_standard_templates_alone() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let targets = json!({ "topicTargets": { "Decimals": 5, "Fractions": 5 } });
    admin.post_json(PATH, &with(adaptive(), targets.clone())).await.assert_error(400, "Invalid topicTargets");
    for none in [json!({}), json!(null)] {
        create(&admin, with(adaptive(), json!({ "topicTargets": none }))).await;
    }
    let template = create(&admin, with(standard(), targets.clone())).await;
    let changed = update(&admin, &template, adaptive()).await.json()["template"].clone();
    assert!(changed["topicTargets"].is_null(), "{changed}");
    update(&admin, &template, targets.clone()).await.assert_error(400, "Invalid topicTargets");
    // They are there again with the mode, as the difficulties are.
    let again = update(&admin, &template, json!({ "mode": "standard" })).await.json()["template"].clone();
    assert_eq!(again["topicTargets"], targets["topicTargets"]);
    assert_eq!(again["standardTargets"], standard()["standardTargets"]);
}

#[tokio::test]
async fn difficulties_may_go_where_topics_are() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let topics = json!({ "Decimals": 5, "Fractions": 5 });
    let alone = with(standard(), json!({ "standardTargets": null, "topicTargets": topics }));
    let template = create(&admin, alone).await;
    assert!(template["standardTargets"].is_null(), "{template}");
    update(&admin, &template, json!({ "topicTargets": null })).await.assert_error(400, "Invalid standardTargets");
    let both = update(&admin, &template, json!({ "standardTargets": { "2": 4, "3": 6 } })).await;
    assert_eq!(both.json()["template"]["standardTargets"], json!({ "1": 0, "2": 4, "3": 6, "4": 0, "5": 0 }));
    let other_total = json!({ "standardTargets": { "2": 4, "3": 7 } });
    update(&admin, &template, other_total.clone()).await.assert_error(400, "Invalid topicTargets");
    let alone = update(&admin, &template, json!({ "standardTargets": null })).await.json()["template"].clone();
    assert_eq!((&alone["standardTargets"], &alone["topicTargets"]), (&json!(null), &topics));
    let plain = update(&admin, &template, with(other_total, json!({ "topicTargets": {} }))).await;
    let plain = plain.json()["template"].clone();
    assert!(plain["topicTargets"].is_null(), "{plain}");
    // Without topics null says nothing, as it does of other targets.
    let kept = update(&admin, &template, json!({ "standardTargets": null })).await.json()["template"].clone();
    assert_eq!(kept["standardTargets"], plain["standardTargets"]);
}

#[tokio::test]
async fn what_is_usual_is_not_told() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let plain = create(&admin, standard()).await;
    let usual = json!({
        "topicTargets": {}, "approvedOnly": false, "sources": [], "order": "mixed", "pinned": [], "forms": 1,
        "parallelForms": false, "shuffleOptions": false, "inOrder": false,
    });
    assert_eq!(names(&create(&admin, with(standard(), usual.clone())).await), names(&plain));
    let chosen = json!({
        "topicTargets": { "Decimals": 5, "Fractions": 5 }, "sources": ["sample", "other", "sample"],
        "order": "easy-first", "pinned": ["g5-001"], "approvedOnly": true,
    });
    let answer = admin.post_json(PATH, &with(standard(), chosen.clone())).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let template = answer.json()["template"].clone();
    for name in ["topicTargets", "order", "pinned", "approvedOnly"] {
        assert_eq!(template[name], chosen[name], "{name}");
    }
    assert_eq!(template["sources"], json!(["sample", "other"]));
    assert_eq!(read(&admin, &template).await, template);
    // Students are told nothing of it.
    let shown = hall.anonymous().get(&public_path(&template)).await.json();
    assert_eq!(names(&shown), names(&hall.anonymous().get(&public_path(&plain)).await.json()));
    let none = json!({ "topicTargets": null, "approvedOnly": null, "sources": null, "order": null, "pinned": null });
    let cleared = update(&admin, &template, none).await.json()["template"].clone();
    assert_eq!(names(&cleared), names(&plain));
}

#[tokio::test]
async fn a_template_allows_no_calculator_unless_it_names_one() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for config in [standard(), with(adaptive(), json!({ "calculator": null }))] {
        assert_eq!(create(&admin, config).await["calculator"], "none");
    }
    let template = create(&admin, with(standard(), json!({ "calculator": "scientific" }))).await;
    assert_eq!(template["calculator"], "scientific");
    // What is not sent stays, and a change of the calculator alone leaves the drawn questions.
    update(&admin, &template, json!({ "name": "Later" })).await;
    assert_eq!(read(&admin, &template).await["calculator"], "scientific");
    for name in ["basic", "none"] {
        let changed = update(&admin, &template, json!({ "calculator": name })).await.json()["template"].clone();
        assert_eq!((&changed["calculator"], lists(&changed)), (&json!(name), lists(&template)));
        assert_eq!(hall.anonymous().get(&public_path(&template)).await.json()["calculator"], name);
    }
    update(&admin, &template, json!({ "calculator": "basic" })).await;
    assert_eq!(generate(&admin, &template).await["template"]["calculator"], "basic");
}

#[tokio::test]
async fn a_template_may_say_that_questions_come_in_order() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for config in [standard(), adaptive()] {
        let template = create(&admin, with(config, json!({ "inOrder": true }))).await;
        assert_eq!(template["inOrder"], true);
        // What is not sent stays, and the drawn questions do.
        let changed = update(&admin, &template, json!({ "name": "Later" })).await.json()["template"].clone();
        assert_eq!((&changed["inOrder"], lists(&changed)), (&json!(true), lists(&template)));
        let shown = async || hall.anonymous().get(&public_path(&template)).await.json();
        assert_eq!(shown().await["inOrder"], true);
        for none in [json!(false), json!(null)] {
            update(&admin, &template, json!({ "inOrder": true })).await;
            update(&admin, &template, json!({ "inOrder": none })).await;
            assert_eq!((read(&admin, &template).await.get("inOrder"), shown().await.get("inOrder")), (None, None));
        }
    }
}

#[tokio::test]
async fn limits_are_what_they_say() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for minutes in [1, 600] {
        assert_eq!(
            create(&admin, with(standard(), json!({ "durationMinutes": minutes }))).await["durationMinutes"],
            minutes
        );
    }
    let name = "é".repeat(200);
    assert_eq!(create(&admin, with(standard(), json!({ "name": format!("  {name} ") }))).await["name"], json!(name));
    let grades: Vec<u8> = (1..=10).collect();
    let all =
        create(&admin, with(standard(), json!({ "grades": grades, "standardTargets": { "1": 100, "5": 100 } }))).await;
    assert_eq!(lists(&all)["standard"].len(), 200);
    assert_eq!(create(&admin, with(standard(), json!({ "grades": [7, 5, 7, 5] }))).await["grades"], json!([7, 5]));
    let sparse = create(&admin, with(standard(), json!({ "standardTargets": { "2": 1 } }))).await;
    assert_eq!(sparse["standardTargets"], json!({ "1": 0, "2": 1, "3": 0, "4": 0, "5": 0 }));
}

#[tokio::test]
async fn a_change_is_merged_and_then_checked() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    for (change, name) in wrong().into_iter().filter(|(change, name)| !change[*name].is_null()) {
        let answer = update(&admin, &template, change.clone()).await;
        assert_eq!(
            (answer.status, answer.text()),
            (400, json!({ "error": format!("Invalid {name}") }).to_string()),
            "{change}"
        );
    }
    update(&admin, &template, json!({ "mode": "adaptive" })).await.assert_error(400, "Invalid session1Targets");
    let half = json!({ "mode": "adaptive", "session1Targets": { "1": 1 } });
    update(&admin, &template, half).await.assert_error(400, "Invalid session2TargetsByBand");
    let unequal = with(adaptive()["session2TargetsByBand"].clone(), json!({ "90-100": { "5": 5 } }));
    let changes = with(adaptive(), json!({ "session2TargetsByBand": unequal }));
    update(&admin, &template, changes).await.assert_error(400, UNEQUAL_BANDS);
    Answer::to(admin.request(Method::PUT, &path_of(&template)).body("[]")).await.assert_error(400, "Invalid body");
    assert_eq!(read(&admin, &template).await, template, "nothing of it is stored");
}

#[tokio::test]
async fn another_mode_has_empty_lists_until_they_are_drawn() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    let changed = update(&admin, &template, adaptive()).await.json()["template"].clone();
    assert_eq!(changed["mode"], "adaptive");
    assert_eq!(lists(&changed).len(), 6);
    assert!(lists(&changed).values().all(Vec::is_empty), "{changed}");
    assert!(changed["standardQuestions"].is_null() && changed["standardTargets"].is_null(), "{changed}");
    let generated = generate(&admin, &template).await;
    assert_eq!(generated["shortfalls"], json!({}));
    assert!(lists(&generated["template"]).values().all(|list| list.len() == 4 || list.len() == 5));
}
