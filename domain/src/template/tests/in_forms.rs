//! Forms of a template, which follow its list.

mod kept;
mod steps;

use super::*;
use crate::number::NumberKey;
use crate::option_counts::OptionCounts;
use crate::option_order::OptionOrder;
use crate::template::choice::{ChoiceDraft, ListOrder};
use crate::template::forms::TemplateForm;

const TOPICS: [&str; 2] = ["Angles", "Fractions"];

/// So many questions of each topic and difficulty, ids as `A1-0`. Those with an even number have options that may stand
/// in another order; the last of each kind asks for a number.
fn stocked(each: usize) -> QuestionPool {
    let (mut all, mut counts) = (Vec::new(), Vec::new());
    for topic in TOPICS {
        for level in 1..=5 {
            for number in 0..each {
                let id = format!("{}{level}-{number}", &topic[..1]);
                if number % 2 == 0 {
                    counts.push((Arc::from(id.as_str()), 4));
                }
                all.push(Arc::new(question(&id, topic, level)));
            }
            let id = format!("{}{level}-number", &topic[..1]);
            all.push(Arc::new(KeyedQuestion { answer: NumberKey::exact("2").into(), ..question(&id, topic, level) }));
        }
    }
    let movable = vec![Arc::new(counts.into_iter().collect::<OptionCounts>())];
    QuestionPool { all, types: QuestionTypes::All, movable, ..QuestionPool::default() }
}

fn in_forms(forms: u8, parallel: bool, targets: [usize; 5]) -> ConfigDraft {
    let choice = ChoiceDraft {
        forms: FieldChange::Set(forms),
        parallel_forms: FieldChange::Set(parallel),
        ..ChoiceDraft::default()
    };
    let standard_targets = FieldChange::Set(serde_json::to_value(Targets(targets)).unwrap());
    ConfigDraft { standard_targets, choice, ..draft(Mode::Standard) }
}

/// A new template with its forms.
fn made(draft: ConfigDraft, pool: &QuestionPool, random: &mut StdRng) -> Template {
    let (mut template, _) = drawn(draft, pool, random);
    template.follow(&[], pool, random);
    template
}

/// Changes the list, and lets the forms follow.
fn change(
    template: &mut Template,
    pool: &QuestionPool,
    random: &mut StdRng,
    change: impl FnOnce(&mut Template, &mut StdRng),
) {
    let before = list(template);
    change(template, random);
    template.follow(&before, pool, random);
}

fn swap_of<'a>(id: &'a str, pool: &QuestionPool) -> Swap<'a> {
    let replaced = Some(KeyedQuestion::clone(pool.by_id()[id]));
    Swap { bucket: Bucket::Standard, question_id: id, replaced }
}

fn list(template: &Template) -> Vec<String> {
    template.paper(Bucket::Standard).to_vec()
}

/// What each place of a list must have, sorted.
fn kinds(ids: &[String], pool: &QuestionPool) -> Vec<(String, u8, bool)> {
    let known = pool.by_id();
    let kind = |id: &String| {
        let question = known[id.as_str()];
        (question.topic.to_string(), question.difficulty.number(), question.answer.number().is_some())
    };
    let mut kinds: Vec<_> = ids.iter().map(kind).collect();
    kinds.sort();
    kinds
}

fn sorted(ids: &[String]) -> Vec<String> {
    let mut ids = ids.to_vec();
    ids.sort();
    ids
}

/// What is true of the forms of any template.
fn assert_fair(template: &Template, pool: &QuestionPool) {
    let list = list(template);
    assert_eq!(template.dealt_forms().len(), template.config.form_count() - 1);
    for form in &template.forms {
        assert_eq!(kinds(&form.question_ids, pool), kinds(&list, pool), "{form:?}");
        assert_eq!(form.question_ids.iter().collect::<HashSet<_>>().len(), list.len(), "{form:?}");
        for (id, order) in &form.orders {
            assert!(form.question_ids.contains(id) && pool.movable_options(id) == Some(4) && order.count() == 4);
        }
        if !template.config.choice.parallel_forms {
            assert_eq!(sorted(&form.question_ids), sorted(&list));
        }
        for pin in &template.config.choice.pinned {
            assert!(form.question_ids.contains(pin), "{pin}");
        }
    }
    let locked = template.question_ids();
    let dealt = template.dealt_forms().iter().flat_map(|form| &form.question_ids);
    assert!(dealt.chain(&list).all(|id| locked.contains(&**id)));
}

/// The questions that other forms have and the list has not, each once: no two forms share one.
fn parallels(template: &Template) -> HashSet<String> {
    let list = list(template);
    let of_forms: Vec<&String> =
        template.forms.iter().flat_map(|form| &form.question_ids).filter(|id| !list.contains(id)).collect();
    let distinct: HashSet<String> = of_forms.iter().map(|id| (*id).clone()).collect();
    assert_eq!(distinct.len(), of_forms.len(), "{of_forms:?}");
    distinct
}

#[test]
fn forms_have_the_list_in_other_orders() {
    let pool = stocked(6);
    let mut random = StdRng::seed_from_u64(7);
    let template = made(in_forms(4, false, [4; 5]), &pool, &mut random);
    assert_fair(&template, &pool);
    let mut orders: Vec<Vec<String>> = template.forms.iter().map(|form| form.question_ids.clone()).collect();
    orders.push(list(&template));
    assert_eq!(orders.iter().collect::<HashSet<_>>().len(), 4, "{orders:?}");
    assert!(template.forms.iter().all(|form| form.orders.len() > 3));
    assert_ne!(template.forms[0].orders, template.forms[1].orders);
    assert_eq!(made(in_forms(1, true, [4; 5]), &pool, &mut random).forms, []);
}

#[test]
fn a_short_list_is_in_another_order_too() {
    let pool = stocked(6);
    for seed in 0..40 {
        let mut random = StdRng::seed_from_u64(seed);
        let template = made(in_forms(2, false, [1, 1, 0, 0, 0]), &pool, &mut random);
        assert_ne!(template.forms[0].question_ids, list(&template));
        let template = made(in_forms(2, false, [1, 0, 0, 0, 0]), &pool, &mut random);
        assert_eq!(template.forms[0].question_ids, list(&template), "there is only one order");
    }
}

#[test]
fn a_form_keeps_to_the_order_that_is_asked_for() {
    let pool = stocked(6);
    let mut random = StdRng::seed_from_u64(7);
    let level = |id: &String| id.as_bytes()[1];
    let mut template = |order: ListOrder| {
        let draft = in_forms(3, true, [4; 5]);
        let choice = ChoiceDraft { order: FieldChange::Set(order), ..draft.choice };
        made(ConfigDraft { choice, ..draft }, &pool, &mut random)
    };
    let easy = template(ListOrder::EasyFirst);
    assert!(easy.forms.iter().all(|form| form.question_ids.is_sorted_by_key(level)), "{easy:?}");
    let by_topic = template(ListOrder::ByTopic);
    let topic_and_level = |id: &String| (id.as_bytes()[0], level(id));
    assert!(by_topic.forms.iter().all(|form| form.question_ids.is_sorted_by_key(topic_and_level)), "{by_topic:?}");
    let mixed = template(ListOrder::Mixed);
    assert!(!mixed.forms.iter().any(|form| form.question_ids.is_sorted_by_key(level)), "{mixed:?}");
}

#[test]
fn parallel_forms_share_no_question_where_the_stock_allows() {
    let pool = stocked(20);
    let mut random = StdRng::seed_from_u64(7);
    let template = made(in_forms(4, true, [2; 5]), &pool, &mut random);
    assert_fair(&template, &pool);
    let numbers = list(&template).iter().filter(|id| id.ends_with("number")).count();
    assert_eq!(parallels(&template).len(), 3 * (10 - numbers), "there is one number of each kind");
}

#[test]
fn a_small_stock_is_shared_out_and_the_rest_is_of_the_list() {
    let mut pool = stocked(5);
    pool.types = QuestionTypes::MultipleChoice;
    pool.all.retain(|question| &*question.topic == "Angles" && question.difficulty.number() == 1);
    let mut random = StdRng::seed_from_u64(7);
    let template = made(in_forms(4, true, [2, 0, 0, 0, 0]), &pool, &mut random);
    assert_fair(&template, &pool);
    assert_eq!(parallels(&template).len(), 3, "five less two of the list");
    let list = list(&template);
    let own = |form: &TemplateForm| form.question_ids.iter().filter(|id| !list.contains(id)).count();
    assert_eq!(template.forms.iter().map(own).collect::<Vec<_>>(), [1, 1, 1]);
}

#[test]
fn what_is_pinned_is_in_every_form_and_only_what_is_chosen_comes() {
    let mut pool = stocked(8);
    pool.chosen =
        Some(pool.all.iter().map(|question| question.id.to_string()).filter(|id| !id.ends_with('0')).collect());
    let mut random = StdRng::seed_from_u64(7);
    let draft = in_forms(3, true, [2; 5]);
    let choice = ChoiceDraft { pinned: FieldChange::Set(vec!["A1-0".to_owned(), "F5-1".to_owned()]), ..draft.choice };
    let template = made(ConfigDraft { choice, ..draft }, &pool, &mut random);
    assert_fair(&template, &pool);
    assert!(parallels(&template).iter().all(|id| !id.ends_with('0')), "{template:?}");
}

#[test]
fn an_order_goes_with_the_options_that_it_is_of() {
    let mut pool = stocked(6);
    let mut random = StdRng::seed_from_u64(7);
    let mut template = made(in_forms(2, false, [4; 5]), &pool, &mut random);
    let had = template.forms[0].orders.clone();
    let of_three = had.keys().next().unwrap().clone();
    pool.movable = vec![Arc::new([(Arc::from(of_three.as_str()), 3)].into_iter().collect::<OptionCounts>())];
    template.follow(&list(&template), &pool, &mut random);
    assert_eq!(template.forms[0].orders, BTreeMap::<String, OptionOrder>::new(), "they are fixed, or of other options");
}

#[test]
fn only_standard_templates_have_forms_and_an_adaptive_one_keeps_the_number() {
    let adaptive = ConfigDraft { mode: Some(Mode::Adaptive), ..in_forms(2, false, [1; 5]) };
    assert_eq!(adaptive.config(None), Err(Invalid::Field("forms")));
    assert!(ConfigDraft { mode: Some(Mode::Adaptive), ..in_forms(1, true, [1; 5]) }.config(None).is_ok());
    let pool = stocked(20);
    let mut random = StdRng::seed_from_u64(7);
    let mut template = made(in_forms(3, true, [2; 5]), &pool, &mut random);
    template.configure(draft(Mode::Adaptive)).unwrap();
    assert_eq!((template.config.choice.forms, template.config.form_count()), (3, 1));
    template.follow(&[], &pool, &mut random);
    assert_eq!(template.forms, []);
    template.configure(ConfigDraft { mode: Some(Mode::Standard), ..ConfigDraft::default() }).unwrap();
    assert_eq!(template.config.form_count(), 3);
}

#[test]
fn what_only_a_form_has_is_locked_but_cannot_be_pinned() {
    let pool = stocked(20);
    let mut random = StdRng::seed_from_u64(7);
    let mut template = made(in_forms(2, true, [2; 5]), &pool, &mut random);
    let parallel = parallels(&template).into_iter().next().unwrap();
    assert!(template.question_ids().contains(parallel.as_str()));
    let choice = ChoiceDraft { pinned: FieldChange::Set(vec![parallel]), ..ChoiceDraft::default() };
    let pinning = ConfigDraft { choice, ..ConfigDraft::default() };
    assert_eq!(template.configure(pinning), Err(Invalid::Field("pinned")));
}

#[test]
fn forms_are_stored_and_old_ones_have_none() {
    let form = TemplateForm {
        question_ids: vec!["q2".to_owned(), "q1".to_owned()],
        orders: BTreeMap::from([("q1".to_owned(), OptionOrder::parse("CADB").unwrap())]),
        ..TemplateForm::default()
    };
    let text = serde_json::to_string(&[&form]).unwrap();
    assert_eq!(text, r#"[{"questionIds":["q2","q1"],"orders":{"q1":"CADB"}}]"#);
    assert_eq!(serde_json::from_str::<Vec<TemplateForm>>(&text).unwrap(), [form]);
    let turned = TemplateForm {
        put_by: vec!["q3".to_owned()],
        left: vec![("q4".to_owned(), OptionOrder::parse("BA")), ("q5".to_owned(), None)],
        ..TemplateForm::default()
    };
    let text = serde_json::to_string(&[&turned]).unwrap();
    assert_eq!(text, r#"[{"questionIds":[],"putBy":["q3"],"left":[["q4","BA"],["q5",null]]}]"#);
    assert_eq!(serde_json::from_str::<Vec<TemplateForm>>(&text).unwrap(), [turned]);
    assert_eq!(serde_json::from_str::<Vec<TemplateForm>>("[{}]").unwrap(), [TemplateForm::default()]);
}
