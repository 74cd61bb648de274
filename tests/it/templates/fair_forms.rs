//! Forms are fair by construction: whatever a template asks for, each has the same number, the same difficulties and
//! the same topics, and what a teacher has looked at does not move.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use super::{PATH, adaptive, create, generate, lists, read, standard, swap, update, with};
use crate::hall::{Caller, Hall, ids};

const TEMPLATES: usize = 16;
const SEED: u64 = 0x000F_02A5;
const LETTERS: &str = "ABCD";

/// Questions by id.
type Questions = BTreeMap<String, Value>;

/// A form as staff see it.
#[derive(Clone, Debug, PartialEq)]
struct SeenForm {
    letter: String,
    ids: Vec<String>,
    orders: BTreeMap<String, String>,
}

async fn school() -> (Hall, Caller, Questions) {
    let hall = Hall::with(&[("SAMPLE_BANK", "off")]).await;
    let bank = hall.store_mixed_bank().await;
    let admin = hall.signed_in("admin").await;
    (hall, admin, bank.into_iter().map(|one| (one["id"].as_str().unwrap().to_owned(), one)).collect())
}

fn forms(template: &Value) -> Vec<SeenForm> {
    let form = |form: &Value| {
        let orders = form.get("optionOrder").map(|orders| orders.as_object().unwrap().clone()).unwrap_or_default();
        SeenForm {
            letter: form["form"].as_str().unwrap().to_owned(),
            ids: ids(&form["questions"]),
            orders: orders.into_iter().map(|(id, order)| (id, order.as_str().unwrap().to_owned())).collect(),
        }
    };
    template["formLists"].as_array().map(|lists| lists.iter().map(form).collect()).unwrap_or_default()
}

/// What must be the same in each form.
fn cell(bank: &Questions, id: &str) -> (String, u64, String) {
    let text = |name: &str| bank[id][name].as_str().unwrap().to_owned();
    (text("topic"), bank[id]["difficulty"].as_u64().unwrap(), text("type"))
}

fn cells(bank: &Questions, ids: &[String]) -> BTreeMap<(String, u64, String), usize> {
    let mut counts = BTreeMap::new();
    for id in ids {
        *counts.entry(cell(bank, id)).or_default() += 1;
    }
    counts
}

/// Asserts that the forms of a template are alike and keep to what is chosen. Returns the list, what is pinned, and the
/// forms.
#[track_caller]
fn assert_alike(bank: &Questions, template: &Value) -> (Vec<String>, BTreeSet<String>, Vec<SeenForm>) {
    let list = lists(template)["standard"].clone();
    let pinned: BTreeSet<String> = template.get("pinned").map(ids).unwrap_or_default().into_iter().collect();
    let count = template.get("forms").map_or(1, |forms| usize::try_from(forms.as_u64().unwrap()).unwrap());
    let forms = forms(template);
    if count == 1 {
        assert!(forms.is_empty() && template.get("formQuestions").is_none(), "{template}");
        return (list, pinned, forms);
    }
    let letters: Vec<String> = ('A'..='H').take(count).map(String::from).collect();
    assert_eq!(forms.iter().map(|form| form.letter.clone()).collect::<Vec<_>>(), letters);
    assert_eq!((&forms[0].ids, forms[0].orders.len()), (&list, 0), "A is the list, with the options as in the bank");
    for (form, shown) in forms.iter().zip(template["formLists"].as_array().unwrap()) {
        let letter = &form.letter;
        assert_eq!(form.ids.len(), list.len(), "{letter}");
        assert_eq!(form.ids.iter().collect::<BTreeSet<_>>().len(), list.len(), "{letter} asks each once");
        assert_eq!(cells(bank, &form.ids), cells(bank, &list), "{letter}: topics, difficulties and types");
        assert!(pinned.iter().all(|id| form.ids.contains(id)), "{letter} has what is pinned");
        if template["parallelForms"] != true {
            assert_eq!(form.ids.iter().collect::<BTreeSet<_>>(), list.iter().collect(), "{letter}: the same questions");
        }
        let difficulties: Vec<u64> = form.ids.iter().map(|id| cell(bank, id).1).collect();
        let by_topic: Vec<(String, u64)> =
            form.ids.iter().map(|id| cell(bank, id)).map(|cell| (cell.0, cell.1)).collect();
        match template["order"].as_str() {
            Some("easy-first") => assert!(difficulties.is_sorted(), "{letter}: {difficulties:?}"),
            Some("by-topic") => assert!(by_topic.is_sorted(), "{letter}: {by_topic:?}"),
            _ => {}
        }
        for (id, order) in &form.orders {
            let question = &bank[id];
            assert!(form.ids.contains(id), "{letter}: {id} is not asked");
            assert!(question["type"] != "number" && question["fixedOptions"] != true, "{letter}: {question}");
            let in_bank = &LETTERS[..question["options"].as_array().unwrap().len()];
            let mut letters: Vec<char> = order.chars().collect();
            letters.sort_unstable();
            assert!(
                letters.iter().collect::<String>() == in_bank && order != in_bank,
                "{letter}: {order} of {question}"
            );
        }
        let keys: BTreeMap<&str, &Value> = form.ids.iter().map(|id| (id.as_str(), &bank[id]["answer"])).collect();
        assert_eq!(shown["correct"], json!(keys), "{letter}: keys are those of the bank");
    }
    let others: BTreeSet<&String> = forms.iter().flat_map(|form| &form.ids).filter(|id| !list.contains(id)).collect();
    let told: Vec<Value> =
        template.get("formQuestions").map(|list| list.as_array().unwrap().clone()).unwrap_or_default();
    let told: BTreeSet<String> = told.iter().map(|question| question["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(told.iter().collect::<BTreeSet<_>>(), others, "the texts of parallel questions");
    (list, pinned, forms)
}

/// … and that parallel questions are used where there are enough.
#[track_caller]
fn assert_fair(bank: &Questions, template: &Value) {
    let (list, pinned, forms) = assert_alike(bank, template);
    if template["parallelForms"] == true {
        assert_parallel(bank, &list, &pinned, &forms);
    }
}

/// Where the stock has enough of a kind, no question is asked in two forms, unless it is pinned.
#[track_caller]
fn assert_parallel(bank: &Questions, list: &[String], pinned: &BTreeSet<String>, forms: &[SeenForm]) {
    let stock = cells(bank, &bank.keys().cloned().collect::<Vec<_>>());
    for (kind, count) in cells(bank, list) {
        let of_kind = |form: &SeenForm| -> Vec<String> {
            form.ids.iter().filter(|id| cell(bank, id) == kind && !pinned.contains(*id)).cloned().collect()
        };
        let kept = pinned.iter().filter(|id| cell(bank, id) == kind).count();
        let wanted = (count - kept) * forms.len();
        if wanted + kept <= stock[&kind] {
            let seen: BTreeSet<String> = forms.iter().flat_map(of_kind).collect();
            assert_eq!(seen.len(), wanted, "{kind:?}: {forms:?}");
        }
    }
}

/// What a template may ask for.
fn config(random: &mut StdRng) -> Value {
    let mut targets: BTreeMap<String, usize> =
        (1..=5).map(|one| (one.to_string(), random.random_range(0..5))).collect();
    *targets.entry("3".to_owned()).or_default() += 1;
    let mut config = with(standard(), json!({ "standardTargets": targets }));
    for (name, values) in [
        ("forms", json!([1, 2, 3, 4, 5, 6, 7, 8])),
        ("parallelForms", json!([true, false])),
        ("shuffleOptions", json!([true, false, null])),
        ("order", json!(["mixed", "easy-first", "by-topic"])),
        ("types", json!(["all", "multiple-choice", "number"])),
    ] {
        config[name] = values.as_array().unwrap().choose(random).unwrap().clone();
    }
    if random.random_ratio(1, 2) {
        // One of difficulty 3, of the types that are drawn.
        config["pinned"] = json!([if config["types"] == "number" { "N045" } else { "L033" }]);
    }
    config
}

#[tokio::test]
async fn each_form_has_the_same_number_and_difficulty() {
    let (_hall, admin, bank) = school().await;
    let mut random = StdRng::seed_from_u64(SEED);
    let mut moved = 0;
    for _ in 0..TEMPLATES {
        let config = config(&mut random);
        let template = create(&admin, config.clone()).await;
        let stored = read(&admin, &template).await;
        assert_eq!(stored["formLists"], template["formLists"], "{config}: as it was answered");
        assert_fair(&bank, &stored);
        assert_fair(&bank, &generate(&admin, &template).await["template"]);
        // Other forms: those that there are stay, and what is said of neither changes nothing.
        let before = forms(&read(&admin, &template).await);
        let count = random.random_range(1..=8);
        let changed = update(&admin, &template, json!({ "forms": count, "name": "Another name" })).await;
        assert_eq!(changed.status, 200, "{}", changed.text());
        let changed = changed.json()["template"].clone();
        // Fewer forms keep what they had when they shared the stock with more.
        if count < before.len() {
            drop(assert_alike(&bank, &changed));
        } else {
            assert_fair(&bank, &changed);
        }
        let after = forms(&changed);
        let kept = before.len().min(after.len());
        assert_eq!(before[..kept], after[..kept], "{config}");
        let renamed = update(&admin, &template, json!({ "name": "A third name" })).await.json();
        assert_eq!(forms(&renamed["template"]), after, "{config}");
        let list = lists(&changed)["standard"].clone();
        moved += usize::from(after.iter().any(|form| form.ids != list));
    }
    assert!(moved > TEMPLATES / 3, "{moved}: forms are in other orders");
}

#[tokio::test]
async fn a_swap_moves_nothing_else() {
    let (_hall, admin, bank) = school().await;
    for has_parallel in [false, true] {
        let config = json!({ "forms": 4, "parallelForms": has_parallel, "types": "all" });
        let template = create(&admin, with(standard(), config)).await;
        let (before, list) = (forms(&template), lists(&template)["standard"].clone());
        let swapped = swap(&admin, &template, json!({ "bucket": { "kind": "standard" }, "questionId": list[3] })).await;
        assert_eq!(swapped.status, 200, "{}", swapped.text());
        let new = swapped.json()["replacement"]["id"].as_str().unwrap().to_owned();
        let template = read(&admin, &template).await;
        assert_fair(&bank, &template);
        let after = forms(&template);
        assert_eq!(lists(&template)["standard"][3], new);
        for (before, after) in before.iter().zip(&after) {
            // A form may have had the question that the list has now.
            let gone: Vec<&String> = before.ids.iter().filter(|id| !after.ids.contains(id) && **id != new).collect();
            assert!(gone.len() <= 1, "{gone:?} are no longer in form {}", before.letter);
            let kept = |form: &SeenForm, other: &SeenForm| -> Vec<String> {
                form.ids.iter().filter(|id| other.ids.contains(id)).cloned().collect()
            };
            assert_eq!(kept(before, after), kept(after, before), "{}", before.letter);
            let orders = |form: &SeenForm, other: &SeenForm| {
                let orders = form.orders.clone().into_iter();
                orders.filter(|(id, _)| other.ids.contains(id)).collect::<BTreeMap<String, String>>()
            };
            assert_eq!(orders(before, after), orders(after, before), "{}", before.letter);
        }
    }
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn what_is_no_number_of_forms_is_refused_by_name() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        let template = create(&admin, standard()).await;
        let wrong = [
            ("forms", vec![json!(0), json!(9), json!(-1), json!(1.5), json!("4"), json!(true), json!([4]), json!(1e9)]),
            ("parallelForms", vec![json!("yes"), json!(1), json!([]), json!({})]),
            ("shuffleOptions", vec![json!("true"), json!(0), json!([true]), json!({})]),
        ];
        for (name, values) in wrong {
            for value in values {
                let message = format!("Invalid {name}");
                let changes = json!({ name: value });
                admin.post_json(PATH, &with(standard(), changes.clone())).await.assert_error(400, &message);
                update(&admin, &template, changes).await.assert_error(400, &message);
            }
        }
        let several = json!({ "forms": 2 });
        admin.post_json(PATH, &with(adaptive(), several.clone())).await.assert_error(400, "Invalid forms");
        let placement = create(&admin, with(adaptive(), json!({ "forms": 1, "shuffleOptions": true }))).await;
        assert_eq!(placement["shuffleOptions"], true);
        update(&admin, &placement, several).await.assert_error(400, "Invalid forms");
        assert_eq!(read(&admin, &template).await, template, "nothing of it was stored");
    }

    #[tokio::test]
    async fn null_is_as_if_nothing_had_been_said() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        let plain = create(&admin, standard()).await;
        let nothing = json!({ "forms": null, "parallelForms": null, "shuffleOptions": null });
        let template = create(&admin, with(standard(), nothing.clone())).await;
        let names = |template: &Value| template.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&template), names(&plain));
        let several = json!({ "forms": 3, "parallelForms": true, "shuffleOptions": true });
        let changed = update(&admin, &template, several).await.json()["template"].clone();
        assert_eq!(forms(&changed).len(), 3, "{changed}");
        assert_eq!([&changed["parallelForms"], &changed["shuffleOptions"]], [&json!(true), &json!(true)]);
        let back = update(&admin, &template, nothing).await.json()["template"].clone();
        assert_eq!((names(&back), lists(&back)), (names(&plain), lists(&template)));
    }

    #[tokio::test]
    async fn students_are_told_nothing_of_forms_by_the_link() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        for has_parallel in [false, true] {
            let several = json!({ "forms": 4, "parallelForms": has_parallel, "shuffleOptions": true });
            let template = create(&admin, with(standard(), several)).await;
            let shown = hall.anonymous().get(&super::super::public_path(&template)).await;
            assert_eq!(shown.status, 200, "{}", shown.text());
            for name in ["forms", "formLists", "parallelForms", "shuffleOptions", "optionOrder"] {
                assert!(!shown.text().contains(&format!("\"{name}\"")), "{name}: {}", shown.text());
            }
            // Whoever starts it in any form finds the texts of all their questions, and not which form has which.
            let shown = shown.json();
            let of_forms = shown.get("formQuestions").map_or(0, |list| list.as_array().unwrap().len());
            assert_eq!(of_forms > 0, has_parallel);
            let lists = [&shown["standardQuestions"], &shown["formQuestions"]];
            let known = lists.into_iter().filter_map(Value::as_array).flatten();
            let known: BTreeSet<&str> = known.map(|question| question["id"].as_str().unwrap()).collect();
            let asked: BTreeSet<String> = forms(&template).into_iter().flat_map(|form| form.ids).collect();
            assert_eq!(known, asked.iter().map(String::as_str).collect());
        }
    }
}
