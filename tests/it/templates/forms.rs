//! Forms of a template as those who keep it see them: they follow its list, and what only a form has is locked and kept
//! as secret as the list.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};

use super::{adaptive, create, edit, generate, lists, names, path_of, public_path, read, standard, swap, update, with};
use crate::hall::{Answer, Bank, Caller, Hall, ids};

fn in_forms(forms: u8, parallel: bool) -> Value {
    with(standard(), json!({ "forms": forms, "parallelForms": parallel }))
}

/// The questions of each form, in order.
fn forms(template: &Value) -> BTreeMap<String, Vec<String>> {
    let lists = template["formLists"].as_array().into_iter().flatten();
    lists.map(|list| (list["form"].as_str().unwrap().to_owned(), ids(&list["questions"]))).collect()
}

fn orders(template: &Value, form: usize) -> Value {
    template["formLists"][form].get("optionOrder").cloned().unwrap_or_else(|| json!({}))
}

/// How many questions of each topic and difficulty these are.
fn make_up(bank: &Bank, ids: &[String]) -> BTreeMap<(String, u64), usize> {
    let mut counts = BTreeMap::new();
    for id in ids {
        let topic = bank.question(id)["topic"].as_str().unwrap().to_owned();
        *counts.entry((topic, bank.difficulty(id))).or_default() += 1;
    }
    counts
}

/// Asserts what is true of the forms of any template.
#[track_caller]
fn assert_fair(template: &Value, bank: &Bank) {
    let (list, forms) = (lists(template)["standard"].clone(), forms(template));
    assert_eq!(forms.len() as u64, template["forms"].as_u64().unwrap());
    assert_eq!(forms["A"], list);
    assert_eq!(orders(template, 0), json!({}), "form A has the options as in the bank");
    for (form, own) in &forms {
        assert_eq!(make_up(bank, own), make_up(bank, &list), "{form}");
    }
    for shown in template["formLists"].as_array().unwrap() {
        for (id, letter) in shown["correct"].as_object().unwrap() {
            assert_eq!(letter, &bank.question(id)["answer"], "keys have the letters of the bank");
        }
    }
    let others: BTreeSet<String> = forms.into_values().flatten().filter(|id| !list.contains(id)).collect();
    let told: BTreeSet<String> = template["formQuestions"].as_array().into_iter().flatten().map(id_of).collect();
    assert_eq!(told, others);
}

fn id_of(question: &Value) -> String {
    question["id"].as_str().unwrap().to_owned()
}

async fn put_list(admin: &Caller, template: &Value, ids: &[String]) -> Value {
    let body = json!({ "bucket": { "kind": "standard" }, "questionIds": ids });
    let answer = Answer::to(admin.request(Method::PUT, &format!("{}/questions", path_of(template))).json(&body)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["template"].clone()
}

#[tokio::test]
async fn forms_are_made_stored_and_followed() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let template = create(&admin, in_forms(3, false)).await;
    assert_fair(&template, &bank);
    assert_eq!(read(&admin, &template).await, template, "as it is stored");
    let made = forms(&template);
    assert!(made["B"] != made["A"] && made["C"] != made["A"]);
    assert_ne!(orders(&template, 1), json!({}));
    // A swap changes one place of each form.
    let gone = made["A"][3].clone();
    let body = json!({ "bucket": { "kind": "standard" }, "questionId": gone });
    let swapped = swap(&admin, &template, body).await.json()["template"].clone();
    assert_fair(&swapped, &bank);
    for (form, ids) in forms(&swapped) {
        let other: Vec<usize> = (0..ids.len()).filter(|place| ids[*place] != made[&form][*place]).collect();
        assert_eq!((other.len(), &made[&form][other[0]]), (1, &gone), "{form}");
    }
    // Another name changes none, and a list by hand is followed.
    let renamed = update(&admin, &template, json!({ "name": "Final" })).await.json()["template"].clone();
    assert_eq!(renamed["formLists"], swapped["formLists"]);
    let fewer: Vec<String> = lists(&swapped)["standard"].iter().rev().take(4).cloned().collect();
    let by_hand = put_list(&admin, &template, &fewer).await;
    assert_fair(&by_hand, &bank);
    for (form, ids) in forms(&by_hand).into_iter().filter(|(form, _)| form != "A") {
        let stayed: Vec<String> = forms(&swapped)[&form].iter().filter(|id| fewer.contains(id)).cloned().collect();
        assert!(ids == stayed || ids == fewer.iter().skip(1).chain(&fewer[..1]).cloned().collect::<Vec<_>>(), "{form}");
    }
    let drawn = generate(&admin, &template).await["template"].clone();
    assert_fair(&drawn, &bank);
    assert_eq!(read(&admin, &template).await, drawn);
}

#[tokio::test]
async fn parallel_questions_are_in_one_form_alone() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let template = create(&admin, in_forms(2, true)).await;
    assert_fair(&template, &bank);
    let made = forms(&template);
    let own = |of: &BTreeMap<String, Vec<String>>| of["B"].iter().filter(|id| !of["A"].contains(id)).count();
    // The bank has enough of each.
    assert_eq!(own(&made), made["A"].len());
    // A pin is in every form, without a change of the others.
    let pinned = made["A"][2].clone();
    let changed = update(&admin, &template, json!({ "pinned": [pinned] })).await.json()["template"].clone();
    assert_fair(&changed, &bank);
    assert!(forms(&changed)["B"].contains(&pinned));
    assert_eq!(own(&forms(&changed)), made["A"].len() - 1);
    let kept = forms(&changed)["B"].iter().filter(|id| made["B"].contains(id)).count();
    assert_eq!(kept, made["A"].len() - 1);
    let unpinned = update(&admin, &template, json!({ "pinned": null })).await.json()["template"].clone();
    assert_fair(&unpinned, &bank);
    assert_eq!(own(&forms(&unpinned)), made["A"].len(), "what is pinned no more gives way");
    let changed = update(&admin, &template, json!({ "pinned": [pinned] })).await.json()["template"].clone();
    // Without parallel questions the forms have the list, and with them others again.
    let plain = update(&admin, &template, json!({ "parallelForms": null })).await.json()["template"].clone();
    assert_fair(&plain, &bank);
    assert_eq!((own(&forms(&plain)), plain.get("formQuestions")), (0, None));
    let again = update(&admin, &template, json!({ "parallelForms": true, "forms": 3 })).await.json();
    assert_fair(&again["template"], &bank);
    assert_eq!(own(&forms(&again["template"])), made["A"].len() - 1);
    let parallel = &again["template"]["formLists"];
    assert_eq!(parallel[1], changed["formLists"][1], "as it was with them");
    // Fewer forms, and then as many as before.
    let fewer = update(&admin, &template, json!({ "forms": 1 })).await.json()["template"].clone();
    assert_eq!(fewer.get("formLists"), None);
    let back = update(&admin, &template, json!({ "forms": 3 })).await.json()["template"].clone();
    assert_eq!(&back["formLists"], parallel);
    // A draw makes them anew.
    let drawn = generate(&admin, &template).await["template"].clone();
    assert_fair(&drawn, &bank);
    assert!(forms(&drawn).values().all(|ids| ids.contains(&pinned)), "{drawn}");
}

#[tokio::test]
async fn options_that_are_fixed_have_no_order() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let all: Vec<String> = (1..=16).map(|number| format!("g5-{number:03}")).collect();
    let (fixed, free) = all.split_at(8);
    for id in fixed {
        edit(&hall, id, |question| question.fixed_options = true).await;
    }
    for id in free {
        edit(&hall, id, |question| question.fixed_options = false).await;
    }
    let template = create(&admin, in_forms(4, false)).await;
    let template = put_list(&admin, &template, &all).await;
    for form in 1..4 {
        let orders = orders(&template, form);
        let orders = orders.as_object().unwrap();
        assert!(orders.keys().all(|id| free.contains(id)), "{orders:?}");
        // That of the bank comes once in 24 times.
        assert!(orders.len() > 3, "{orders:?}");
    }
    // Somebody fixes the options afterwards: neither students nor staff see an order of them.
    edit(&hall, &free[0], |question| question.fixed_options = true).await;
    let told = read(&admin, &template).await;
    for form in 1..4 {
        assert_eq!(orders(&told, form).get(&free[0]), None);
    }
}

#[tokio::test]
async fn the_number_of_forms_changes_and_is_kept_by_an_adaptive_template() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let plain = create(&admin, standard()).await;
    let template = create(&admin, in_forms(2, false)).await;
    let first = template["formLists"][1].clone();
    let more = update(&admin, &template, json!({ "forms": 8 })).await.json()["template"].clone();
    assert_fair(&more, &bank);
    assert_eq!(more["formLists"][1], first, "what there was stays");
    assert_eq!(forms(&more).into_keys().collect::<String>(), "ABCDEFGH");
    let to_adaptive = with(adaptive(), json!({ "grades": [5] }));
    let changed = update(&admin, &template, to_adaptive).await.json()["template"].clone();
    assert!(["forms", "formLists", "formQuestions"].iter().all(|name| changed.get(name).is_none()), "{changed}");
    update(&admin, &template, json!({ "forms": 2 })).await.assert_error(400, "Invalid forms");
    let back = update(&admin, &template, json!({ "mode": "standard" })).await.json()["template"].clone();
    assert_eq!(back["forms"], 8);
    assert_fair(&back, &bank);
    let none = json!({ "forms": null, "parallelForms": null, "shuffleOptions": null });
    let one = update(&admin, &template, none).await.json()["template"].clone();
    assert_eq!(names(&one), names(&plain));
}

#[tokio::test]
async fn what_only_a_form_has_is_not_retired() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, in_forms(2, true)).await;
    let only = id_of(&template["formQuestions"][0]);
    let retire = async || Answer::to(admin.request(Method::DELETE, &format!("/api/admin/questions/{only}"))).await;
    let refused = retire().await;
    assert_eq!((refused.status, &refused.json()["templates"]), (409, &json!(["Midterm"])));
    // It cannot be pinned: the list has no such question.
    update(&admin, &template, json!({ "pinned": [only] })).await.assert_error(400, "Invalid pinned");
    update(&admin, &template, json!({ "forms": 1 })).await;
    assert_eq!(retire().await.status, 200);
    let again = update(&admin, &template, json!({ "forms": 8 })).await.json()["template"].clone();
    assert!(forms(&again).values().all(|ids| !ids.contains(&only)), "{again}");
}

#[tokio::test]
async fn what_only_a_form_has_is_withheld_as_the_list_is() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, in_forms(2, true)).await;
    let only = id_of(&template["formQuestions"][0]);
    // A template that has it in its own list is withheld with it.
    let practice = create(&admin, standard()).await;
    put_list(&admin, &practice, std::slice::from_ref(&only)).await;
    let stranger = hall.anonymous();
    let name = json!(only).to_string();
    let has_it = async || stranger.get("/api/questions?grade=5").await.text().contains(&name);
    assert!(has_it().await);
    assert_eq!(stranger.get(&public_path(&practice)).await.status, 200);
    let starts_at = hall.clock.now().plus(24 * 60 * 60 * 1_000);
    let sitting = json!({ "name": "Finals", "templateId": template["id"], "startsAt": starts_at });
    let planned = admin.post_json("/api/admin/sittings", &sitting).await;
    assert_eq!(planned.status, 200, "{}", planned.text());
    assert!(!has_it().await);
    for withheld in [&template, &practice] {
        let refused = stranger.get(&public_path(withheld)).await;
        assert_eq!(refused.status, 403, "{}", refused.text());
        assert!(!refused.text().contains(&name));
    }
}
