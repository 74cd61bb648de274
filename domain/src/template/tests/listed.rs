//! Lists that are put together by hand, and pins that are set apart from a draw.

use super::*;
use crate::template::by_hand::ListRefusal;
use crate::template::choice::ChoiceDraft;

fn ids(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

fn pinning(pinned: &[&str]) -> ConfigDraft {
    let choice = ChoiceDraft { pinned: FieldChange::Set(ids(pinned)), ..ChoiceDraft::default() };
    ConfigDraft { choice, ..ConfigDraft::default() }
}

#[test]
fn a_list_is_exactly_what_was_put_there() {
    let pool = pool([60; 5]);
    let (mut template, _) = template(Mode::Standard, &pool, &mut StdRng::seed_from_u64(7));
    let list = ids(&["d5-7", "d1-0", "d3-3"]);
    assert_eq!(template.put_by_hand(Bucket::Standard, &list, &pool), Ok(()));
    assert_eq!(template.paper(Bucket::Standard), list);
    let all: Vec<String> = pool.all.iter().map(|question| question.id.to_string()).collect();
    let most = &all[..LIST_QUESTIONS_MAX];
    assert_eq!(template.put_by_hand(Bucket::Standard, most, &pool), Ok(()));
    let before = template.clone();
    for wrong in
        [ids(&[]), ids(&["d1-0", "d1-1", "d1-0"]), ids(&["d1-0", "nothing"]), all[..=LIST_QUESTIONS_MAX].to_vec()]
    {
        assert_eq!(template.put_by_hand(Bucket::Standard, &wrong, &pool), Err(ListRefusal::WrongQuestions));
    }
    assert_eq!(template.put_by_hand(Bucket::Session1, &list, &pool), Err(ListRefusal::NoSuchBucket));
    assert_eq!(template, before, "nothing of it is there");
}

#[test]
fn what_a_template_draws_by_does_not_bind_the_hand() {
    let mut pool = pool([9; 5]);
    pool.chosen = Some(HashSet::new());
    let (mut template, _) = template(Mode::Standard, &pool, &mut StdRng::seed_from_u64(7));
    assert_eq!(template.paper(Bucket::Standard).len(), 0);
    assert_eq!(template.put_by_hand(Bucket::Standard, &ids(&["d1-0"]), &pool), Ok(()));
}

#[test]
fn no_student_gets_a_question_of_both_stages() {
    let pool = pool([9; 5]);
    let (mut template, _) = template(Mode::Adaptive, &pool, &mut StdRng::seed_from_u64(7));
    let (top, low) = (Bucket::Session2(Band::ALL[0]), Bucket::Session2(Band::ALL[4]));
    let refused = Err(ListRefusal::WrongQuestions);
    let first = template.paper(Bucket::Session1).to_vec();
    assert_eq!(template.put_by_hand(top, &first[..1], &pool), refused);
    let second = template.paper(top).to_vec();
    assert_eq!(template.put_by_hand(Bucket::Session1, &second[..1], &pool), refused);
    // Bands may share questions.
    assert_eq!(template.put_by_hand(low, &second, &pool), Ok(()));
    let turned: Vec<String> = first.iter().rev().cloned().collect();
    assert_eq!(template.put_by_hand(Bucket::Session1, &turned, &pool), Ok(()));
    assert_eq!(template.put_by_hand(Bucket::Standard, &turned, &pool), Err(ListRefusal::NoSuchBucket));
}

#[test]
fn pins_are_of_questions_that_a_list_has() {
    let pool = pool([9; 5]);
    let mut random = StdRng::seed_from_u64(7);
    let (mut template, _) = template(Mode::Standard, &pool, &mut random);
    template.put_by_hand(Bucket::Standard, &ids(&["d1-0", "d2-0", "d3-0"]), &pool).unwrap();
    assert_eq!(template.configure(pinning(&["d1-0", "d3-0"])), Ok(()));
    assert_eq!(template.paper(Bucket::Standard), ids(&["d1-0", "d2-0", "d3-0"]), "nothing is drawn");
    assert_eq!(template.clone().configure(pinning(&["d1-0", "d1-1"])), Err(Invalid::Field("pinned")));
    // Whoever changes something else need not mend it.
    assert_eq!(template.configure(ConfigDraft { name: Some("Final".to_owned()), ..ConfigDraft::default() }), Ok(()));
    assert_eq!(template.config.choice.pinned, ids(&["d1-0", "d3-0"]));
    template.put_by_hand(Bucket::Standard, &ids(&["d3-0", "d4-0"]), &pool).unwrap();
    assert_eq!(template.config.choice.pinned, ids(&["d3-0"]), "what is in no list is not pinned any more");
    template.swap(&swap(Bucket::Standard, "d3-0"), None, &pool, &mut random).unwrap();
    assert_eq!(template.config.choice.pinned, ids(&[]));
}
