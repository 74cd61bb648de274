//! The lists of a template as those who sit it get them.

use super::*;
use crate::form::FormLetter;
use crate::option_order::OptionOrder;
use crate::template::form_papers::FormList;
use crate::template::forms::TemplateForm;

fn whole(id: &str, options: usize) -> (String, Question) {
    let options: Vec<String> = (0..options).map(|number| format!("option {number}")).collect();
    let question = json!({
        "id": id, "grade": 5, "topic": "T", "subtopic": "", "difficulty": 1, "source": "", "type": "multiple-choice",
        "question": "Which?", "options": options, "answer": "A", "explanation": "", "image": "", "fixedOptions": false,
    });
    (id.to_owned(), serde_json::from_value(question).unwrap())
}

/// A template of two questions in two forms, of which the second has one of its own.
fn two_forms(mode: Mode) -> Template {
    let (mut template, _) = template(mode, &pool([9; 5]), &mut StdRng::seed_from_u64(1));
    let ids = |ids: [&str; 2]| ids.map(str::to_owned).to_vec();
    let first = if mode == Mode::Standard { Bucket::Standard } else { Bucket::Session1 };
    template.papers.put(first, ids(["a", "b"]));
    let order = |text: &str| OptionOrder::parse(text).unwrap();
    let orders = BTreeMap::from([("b".to_owned(), order("CADB")), ("c".to_owned(), order("BAC"))]);
    template.config.choice.forms = 2;
    template.forms = vec![TemplateForm { question_ids: ids(["c", "b"]), orders, ..TemplateForm::default() }];
    template
}

fn ids<'a>(questions: &[&'a Question]) -> Vec<&'a str> {
    questions.iter().map(|question| question.id.as_str()).collect()
}

fn orders(list: &FormList<'_>) -> Vec<Option<String>> {
    list.keyed().iter().map(|question| question.order.map(|order| order.to_string())).collect()
}

#[test]
fn each_form_has_its_questions_and_its_order_of_options() {
    let by_id: HashMap<String, Question> = [whole("a", 4), whole("b", 4), whole("c", 3)].into();
    let mut template = two_forms(Mode::Standard);
    let lists = template.form_lists(&by_id);
    assert_eq!(lists.iter().map(|list| Some(list.form)).collect::<Vec<_>>(), [0, 1].map(FormLetter::at));
    assert_eq!(lists.iter().map(|list| ids(&list.questions)).collect::<Vec<_>>(), [["a", "b"], ["c", "b"]]);
    assert_eq!(orders(&lists[0]), [None, None], "form A is as the bank");
    assert_eq!(orders(&lists[1]), [Some("BAC".to_owned()), Some("CADB".to_owned())]);
    assert_eq!(ids(&template.questions_of_other_forms(&by_id)), ["c"]);
    assert!(template.shuffled_options(by_id.values()).is_empty());

    // Where each attempt draws the order of options, the form says nothing of it.
    template.config.choice.shuffle_options = true;
    let lists = template.form_lists(&by_id);
    assert_eq!([orders(&lists[0]), orders(&lists[1])], [[None, None], [None, None]]);
    let printed = template.printed_forms(&by_id);
    assert_eq!(orders(&printed[1]), [Some("BAC".to_owned()), Some("CADB".to_owned())], "as on paper");
    let counts = template.shuffled_options(by_id.values());
    assert_eq!(["a", "b", "c", "d"].map(|id| counts.get(id)), [Some(4), Some(4), Some(3), None]);
}

#[test]
fn what_has_changed_in_the_bank_is_left_out() {
    let template = two_forms(Mode::Standard);
    let by_id: HashMap<String, Question> = [whole("a", 4), whole("c", 4)].into();
    let lists = template.form_lists(&by_id);
    assert_eq!(lists.iter().map(|list| ids(&list.questions)).collect::<Vec<_>>(), [["a"], ["c"]], "b is deleted");
    assert_eq!(orders(&lists[1]), [None], "c has another option now");
    assert!(template.printed_forms(&by_id)[1].option_orders().is_empty(), "staff are told the same");
}

#[test]
fn forms_beyond_those_that_are_asked_for_are_not_dealt() {
    let by_id: HashMap<String, Question> = [whole("a", 4), whole("b", 4), whole("c", 3)].into();
    let mut template = two_forms(Mode::Standard);
    assert!(template.question_ids().contains("c"));
    // An older release of the server knows nothing of forms, and stores a choice without their number.
    template.config.choice.forms = 1;
    assert_eq!(template.form_lists(&by_id).len(), 1);
    assert_eq!(template.printed_forms(&by_id).len(), 1);
    assert!(template.questions_of_other_forms(&by_id).is_empty());
    assert!(!template.question_ids().contains("c"), "it may be retired");
}

#[test]
fn an_adaptive_template_has_form_a_alone() {
    let template = two_forms(Mode::Adaptive);
    let by_id: HashMap<String, Question> = [whole("a", 4), whole("b", 4), whole("c", 3)].into();
    let lists = template.form_lists(&by_id);
    assert_eq!(lists.iter().map(|list| ids(&list.questions)).collect::<Vec<_>>(), [["a", "b"]]);
    assert!(template.questions_of_other_forms(&by_id).is_empty());
}
