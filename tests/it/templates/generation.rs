//! What is drawn for a template: as many as wanted of each difficulty, from all its grades, never twice for one
//! student.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{BANDS, PATH, adaptive, assert_no_repeats, banks, create, generate, lists, names, read, standard, with};
use crate::hall::{Bank, Hall, time_of};

/// Asserts that a list has its targets, and each question is the one of the bank.
#[track_caller]
fn assert_drawn(bank: &Bank, questions: &Value, targets: &Value) {
    let questions = questions.as_array().unwrap();
    let ids: Vec<String> = questions.iter().map(|question| question["id"].as_str().unwrap().to_owned()).collect();
    let wanted =
        ["1", "2", "3", "4", "5"].map(|difficulty| usize::try_from(targets[difficulty].as_u64().unwrap_or(0)).unwrap());
    assert_eq!(bank.mix(&ids), wanted);
    for question in questions {
        assert_eq!(question, bank.question(question["id"].as_str().unwrap()));
    }
}

#[tokio::test]
async fn a_standard_template_has_one_list() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let template = create(&admin, standard()).await;
    let expected = [
        "calculator",
        "createdAt",
        "createdBy",
        "durationMinutes",
        "grades",
        "id",
        "mode",
        "name",
        "standardQuestions",
        "standardTargets",
        "updatedAt",
    ];
    assert_eq!(names(&template), expected.into());
    for name in ["name", "grades", "mode", "durationMinutes", "standardTargets"] {
        assert_eq!(template[name], standard()[name], "{name}");
    }
    assert_eq!(template["createdBy"], "admin@exam.test");
    assert_eq!(time_of(&template["createdAt"]), time_of(&template["updatedAt"]));
    assert_eq!(template["id"].as_str().unwrap().parse::<uuid::Uuid>().unwrap().get_version_num(), 4);
    assert_drawn(&bank, &template["standardQuestions"], &template["standardTargets"]);
    assert_no_repeats(&template);
    assert_eq!(read(&admin, &template).await, template);
}

#[tokio::test]
async fn an_adaptive_template_has_a_list_and_one_for_each_band() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(8).await);
    let template = create(&admin, adaptive()).await;
    let expected = [
        "calculator",
        "createdAt",
        "createdBy",
        "durationMinutes",
        "grades",
        "id",
        "mode",
        "name",
        "session1Questions",
        "session1Targets",
        "session2QuestionsByBand",
        "session2TargetsByBand",
        "updatedAt",
    ];
    assert_eq!(names(&template), expected.into());
    assert_eq!(names(&template["session2QuestionsByBand"]), BANDS.into());
    assert_eq!(names(&template["session2TargetsByBand"]), BANDS.into());
    assert_drawn(&bank, &template["session1Questions"], &template["session1Targets"]);
    for band in BANDS {
        assert_drawn(&bank, &template["session2QuestionsByBand"][band], &template["session2TargetsByBand"][band]);
    }
    assert_no_repeats(&template);
    assert_eq!(read(&admin, &template).await, template);
}

#[tokio::test]
async fn the_pool_is_the_union_of_the_grades() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let (third, both) = (hall.bank(3).await, banks(&hall, &[3, 7]).await);
    let all_of_third = third.mix(&third.ids())[4];
    let all_of_both = both.mix(&both.ids())[4];
    let template =
        create(&admin, with(standard(), json!({ "grades": [3, 7], "standardTargets": { "5": all_of_both } }))).await;
    assert_eq!(lists(&template)["standard"].len(), all_of_both);
    let of_third = lists(&template)["standard"].iter().filter(|id| id.starts_with("g3-")).count();
    assert_eq!(of_third, all_of_third, "all of both grades are there");
    assert_drawn(&both, &template["standardQuestions"], &template["standardTargets"]);
}

#[tokio::test]
async fn what_is_missing_is_told_and_not_filled() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let has = bank.mix(&bank.ids());
    let config = with(standard(), json!({ "standardTargets": { "1": 3, "5": has[4] + 2 } }));
    let body = admin.post_json(PATH, &config).await.json();
    assert_eq!(body["shortfalls"], json!({ "standard": { "5": 2 } }));
    assert_eq!(bank.mix(&lists(&body["template"])["standard"]), [3, 0, 0, 0, has[4]]);
    assert_eq!(generate(&admin, &body["template"]).await["shortfalls"], json!({ "standard": { "5": 2 } }));

    // Session 1 takes every question of difficulty 3, so that a band that wants some of them gets none.
    let total = has[4] + 4;
    let easy = json!({ "1": total / 3, "2": total / 3, "4": total - 2 * (total / 3) });
    let bands = json!({
        "90-100": { "5": total },
        "80-90": easy,
        "70-80": with(easy.clone(), json!({ "1": total / 3 - 1, "3": 1 })),
        "60-70": easy,
        "below-60": easy,
    });
    let config = with(
        adaptive(),
        json!({ "grades": [5], "session1Targets": { "3": has[2] + 1 }, "session2TargetsByBand": bands }),
    );
    let body = admin.post_json(PATH, &config).await.json();
    let expected = json!({ "session1": { "3": 1 }, "session2": { "90-100": { "5": 4 }, "70-80": { "3": 1 } } });
    assert_eq!(body["shortfalls"], expected);
    assert_no_repeats(&body["template"]);
}

#[tokio::test]
async fn a_template_is_drawn_at_random_and_in_a_random_order() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let (one, other) = (create(&admin, standard()).await, create(&admin, standard()).await);
    assert_ne!(lists(&one), lists(&other), "one in many million is the same");
    // Of every question in the bank only the order can differ.
    let all: Vec<usize> = bank.mix(&bank.ids()).into();
    let everything = json!({ "1": all[0], "2": all[1], "3": all[2], "4": all[3], "5": all[4] });
    let whole = create(&admin, with(standard(), json!({ "standardTargets": everything }))).await;
    let list = lists(&whole)["standard"].clone();
    assert_eq!(list.iter().collect::<BTreeSet<_>>().len(), 120);
    let difficulties: Vec<u64> = list.iter().map(|id| bank.difficulty(id)).collect();
    assert!(!difficulties.is_sorted(), "shuffled over the difficulties");
}

#[tokio::test]
async fn drawing_anew_takes_the_config_as_it_is_now() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(6).await);
    let template = create(&admin, standard()).await;
    let changes = json!({ "grades": [6], "standardTargets": { "4": 5 }, "name": "Final", "durationMinutes": 20 });
    let changed = super::update(&admin, &template, changes).await.json()["template"].clone();
    assert_eq!(lists(&changed), lists(&template), "not drawn anew");
    assert_eq!(
        (&changed["name"], &changed["durationMinutes"], &changed["grades"]),
        (&json!("Final"), &json!(20), &json!([6]))
    );
    let body = generate(&admin, &template).await;
    assert_eq!(names(&body), ["shortfalls", "template"].into());
    assert_drawn(&bank, &body["template"]["standardQuestions"], &json!({ "4": 5 }));
    assert!(time_of(&body["template"]["updatedAt"]) > time_of(&changed["updatedAt"]));
    assert_eq!(read(&admin, &template).await, body["template"]);
}
