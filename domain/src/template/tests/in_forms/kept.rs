//! What forms keep when the template changes, and what comes back.

use super::*;

/// Changes the config, and lets the forms follow.
fn configure(template: &mut Template, draft: ConfigDraft, pool: &QuestionPool, random: &mut StdRng) {
    let before = template.config.clone();
    template.configure(draft).unwrap();
    template.follow_config(&before, pool, random);
}

/// Asks for so many forms.
fn number(forms: u8) -> ConfigDraft {
    let choice = ChoiceDraft { forms: FieldChange::Set(forms), ..ChoiceDraft::default() };
    ConfigDraft { choice, ..ConfigDraft::default() }
}

/// What those who sit a form beside the first get: questions, and the orders of their options.
type Dealt = (Vec<String>, BTreeMap<String, OptionOrder>);

fn dealt(template: &Template) -> Vec<Dealt> {
    template.dealt_forms().iter().map(|form| (form.question_ids.clone(), form.orders.clone())).collect()
}

/// Of what forms had those questions that the list has not.
fn parallels_of(dealt: &[Dealt], template: &Template) -> HashSet<String> {
    let list = list(template);
    dealt.iter().flat_map(|(ids, _)| ids).filter(|id| !list.contains(id)).cloned().collect()
}

/// Swaps a question for this one, or for one that no form has; returns its id.
fn swapped(
    template: &mut Template,
    gone: &str,
    wanted: Option<&str>,
    pool: &QuestionPool,
    random: &mut StdRng,
) -> String {
    let swap = swap_of(gone, pool);
    let eligible = template.eligible(&swap, pool).unwrap();
    let is_free = |id: &&str| !template.question_ids().contains(id);
    let came = wanted.or_else(|| eligible.into_iter().map(|question| &*question.id).find(is_free)).unwrap().to_owned();
    change(template, pool, random, |template, random| {
        template.swap(&swap, Some(&came), pool, random).unwrap();
    });
    came
}

#[test]
fn a_swap_moves_nothing_else() {
    let pool = stocked(20);
    let mut random = StdRng::seed_from_u64(7);
    for parallel in [false, true] {
        let mut template = made(in_forms(3, parallel, [3; 5]), &pool, &mut random);
        let (before, forms) = (list(&template), template.forms.clone());
        let gone = before[4].clone();
        change(&mut template, &pool, &mut random, |template, random| {
            let wanted = swap_of(&gone, &pool);
            let eligible = template.eligible(&wanted, &pool).unwrap();
            // A question of a form would leave that form.
            let is_free = |id: &&str| !template.question_ids().contains(id);
            let came = eligible.into_iter().map(|question| &*question.id).find(is_free).unwrap();
            template.swap(&wanted, Some(came), &pool, random).unwrap();
        });
        assert_fair(&template, &pool);
        for (was, is) in forms.iter().zip(&template.forms) {
            let moved: Vec<usize> =
                (0..15).filter(|place| was.question_ids[*place] != is.question_ids[*place]).collect();
            assert!(moved.len() <= 1, "{was:?} {is:?}");
            assert!(!is.question_ids.contains(&gone), "who swaps a question wants it nowhere");
            for (id, order) in was.orders.iter().filter(|(id, _)| is.question_ids.contains(id)) {
                assert_eq!(is.orders.get(id), Some(order));
            }
            let stayed = is.orders.keys().filter(|id| was.question_ids.contains(id));
            assert!(stayed.into_iter().all(|id| was.orders.contains_key(id)), "an order of the bank stays too");
        }
        let again = template.forms.clone();
        let now = list(&template);
        template.follow(&now, &pool, &mut random);
        assert_eq!(template.forms, again, "nothing has changed");
    }
}

#[test]
fn a_question_that_the_list_gains_leaves_the_forms() {
    let pool = stocked(20);
    let mut random = StdRng::seed_from_u64(7);
    let mut template = made(in_forms(3, true, [2; 5]), &pool, &mut random);
    let gained = template.forms[1].question_ids.iter().find(|id| !id.ends_with("number")).unwrap().clone();
    let mut by_hand = list(&template);
    assert!(!by_hand.contains(&gained));
    by_hand.push(gained.clone());
    change(&mut template, &pool, &mut random, |template, _| {
        template.put_by_hand(Bucket::Standard, &by_hand, &pool).unwrap();
    });
    assert_fair(&template, &pool);
    assert!(!template.forms.iter().any(|form| form.question_ids.contains(&gained)), "{gained} {template:?}");
}

#[test]
fn parallel_forms_come_and_go() {
    let pool = stocked(20);
    let mut random = StdRng::seed_from_u64(7);
    let mut template = made(in_forms(3, false, [2; 5]), &pool, &mut random);
    let parallel = |parallel| ConfigDraft {
        choice: ChoiceDraft { parallel_forms: FieldChange::Set(parallel), ..ChoiceDraft::default() },
        ..ConfigDraft::default()
    };
    let plain = dealt(&template);
    configure(&mut template, parallel(true), &pool, &mut random);
    assert_fair(&template, &pool);
    assert!(parallels(&template).len() > 10);
    let own = dealt(&template);
    configure(&mut template, parallel(false), &pool, &mut random);
    assert_fair(&template, &pool);
    assert_eq!(parallels(&template), HashSet::new());
    assert_eq!(dealt(&template), plain, "as they were without");
    configure(&mut template, parallel(true), &pool, &mut random);
    assert_eq!(dealt(&template), own, "as they were with them");

    // What happens meanwhile happens to those that are put by as well.
    configure(&mut template, parallel(false), &pool, &mut random);
    let gained = own[0]
        .0
        .iter()
        .find(|id| !id.ends_with("number") && parallels_of(&own, &template).contains(*id))
        .unwrap()
        .clone();
    let mut by_hand = list(&template);
    by_hand.remove(0);
    by_hand.push(gained.clone());
    change(&mut template, &pool, &mut random, |template, _| {
        template.put_by_hand(Bucket::Standard, &by_hand, &pool).unwrap();
    });
    configure(&mut template, parallel(true), &pool, &mut random);
    assert_fair(&template, &pool);
    parallels(&template);
    assert!(!template.forms.iter().any(|form| form.question_ids.contains(&gained)), "the list has it now");
}

#[test]
fn a_swap_that_is_undone_is_as_it_was() {
    let pool = stocked(20);
    let mut random = StdRng::seed_from_u64(7);
    let mut template = made(in_forms(4, false, [3; 5]), &pool, &mut random);
    let forms = dealt(&template);
    // Any of those whose options are in another order somewhere.
    let gone = forms[0].1.keys().next().unwrap().clone();
    let came = swapped(&mut template, &gone, None, &pool, &mut random);
    assert!(!template.forms.iter().any(|form| form.orders.contains_key(&gone)));
    assert_ne!(dealt(&template), forms);
    swapped(&mut template, &came, Some(&gone), &pool, &mut random);
    assert_eq!(dealt(&template), forms, "also where the options stood as in the bank");
}

#[test]
fn a_draw_makes_the_forms_anew() {
    let mut pool = stocked(20);
    pool.all.retain(|question| &*question.topic == "Angles");
    let mut random = StdRng::seed_from_u64(7);
    let mut template = made(in_forms(2, true, [2; 5]), &pool, &mut random);
    let before = parallels(&template);
    change(&mut template, &pool, &mut random, |template, random| drop(template.draw(&pool, random)));
    assert_fair(&template, &pool);
    let kept = parallels(&template).intersection(&before).count();
    assert!(kept < before.len() / 2, "{kept} of {}", before.len());
}

#[test]
fn what_is_unpinned_is_parallel_again() {
    let pool = stocked(20);
    let mut random = StdRng::seed_from_u64(7);
    let mut template = made(in_forms(3, true, [2; 5]), &pool, &mut random);
    let pinning = |ids: &[&String]| {
        let pinned = FieldChange::Set(ids.iter().map(|id| (*id).clone()).collect());
        ConfigDraft { choice: ChoiceDraft { pinned, ..ChoiceDraft::default() }, ..ConfigDraft::default() }
    };
    let pin = list(&template).into_iter().find(|id| !id.ends_with("number")).unwrap();
    let has_pin = |template: &Template| template.forms.iter().filter(|form| form.question_ids.contains(&pin)).count();
    assert_eq!(has_pin(&template), 0);
    configure(&mut template, pinning(&[&pin]), &pool, &mut random);
    assert_eq!(has_pin(&template), 2);
    configure(&mut template, pinning(&[]), &pool, &mut random);
    assert_fair(&template, &pool);
    assert_eq!(has_pin(&template), 0, "the stock has enough others");
}

#[test]
fn forms_that_are_dealt_come_before_those_that_are_not() {
    let mut pool = stocked(5);
    pool.types = QuestionTypes::MultipleChoice;
    pool.all.retain(|question| &*question.topic == "Angles" && question.difficulty.number() == 1);
    let mut random = StdRng::seed_from_u64(7);
    let mut template = made(in_forms(4, true, [2, 0, 0, 0, 0]), &pool, &mut random);
    configure(&mut template, number(2), &pool, &mut random);
    // The list gains the only question of its own that form B has.
    let list = list(&template);
    let own = template.forms[0].question_ids.iter().find(|id| !list.contains(id)).unwrap().clone();
    let mut with_own = list.clone();
    with_own[0] = own;
    change(&mut template, &pool, &mut random, |template, _| {
        template.put_by_hand(Bucket::Standard, &with_own, &pool).unwrap();
    });
    assert_fair(&template, &pool);
    assert_eq!(parallels(&template).len(), 3);
    let of_b = &template.forms[0].question_ids;
    assert!(of_b.iter().any(|id| !with_own.contains(id)) && !of_b.contains(&list[0]), "{template:?}");
}

#[test]
fn more_forms_leave_the_first_ones_as_they_are() {
    let pool = stocked(20);
    let mut random = StdRng::seed_from_u64(7);
    let mut template = made(in_forms(2, true, [2; 5]), &pool, &mut random);
    let first = template.forms[0].clone();
    configure(&mut template, number(8), &pool, &mut random);
    assert_fair(&template, &pool);
    assert_eq!((template.forms.len(), &template.forms[0]), (7, &first));
    let all = dealt(&template);
    configure(&mut template, number(2), &pool, &mut random);
    assert_eq!(template.dealt_forms(), [first]);
    configure(&mut template, number(1), &pool, &mut random);
    assert_eq!(template.dealt_forms(), []);
    configure(&mut template, number(8), &pool, &mut random);
    assert_eq!(dealt(&template), all, "they come back as they were");
}
