//! Many changes of a template, one after another.

use super::*;

/// One change of a template.
#[derive(Clone, Debug)]
enum Step {
    Draw,
    Swap(usize),
    Take(usize),
    Turn,
    Forms(u8),
    Parallel(bool),
    Pin(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        Just(Step::Draw),
        (0..12_usize).prop_map(Step::Swap),
        (1..12_usize).prop_map(Step::Take),
        Just(Step::Turn),
        (1..9_u8).prop_map(Step::Forms),
        any::<bool>().prop_map(Step::Parallel),
        (0..12_usize).prop_map(Step::Pin),
    ]
}

proptest! {
    #[test]
    fn forms_stay_fair_whatever_is_done(seed: u64, each in 1..6_usize, steps in prop::collection::vec(step(), 0..20)) {
        let pool = stocked(each);
        let mut random = StdRng::seed_from_u64(seed);
        let mut template = made(in_forms(4, true, [2, 1, 3, 1, 2]), &pool, &mut random);
        for step in steps {
            let before = list(&template);
            let config = template.config.clone();
            match step {
                Step::Draw => drop(template.draw(&pool, &mut random)),
                Step::Swap(place) => {
                    let Some(id) = before.get(place) else { continue };
                    let _ = template.swap(&swap_of(id, &pool), None, &pool, &mut random);
                }
                Step::Take(count) => {
                    let kept: Vec<String> = before.iter().take(count).cloned().collect();
                    let _ = template.put_by_hand(Bucket::Standard, &kept, &pool);
                }
                Step::Turn => {
                    let turned: Vec<String> = before.iter().rev().cloned().collect();
                    let _ = template.put_by_hand(Bucket::Standard, &turned, &pool);
                }
                Step::Forms(forms) => template.config.choice.forms = forms,
                Step::Parallel(parallel) => template.config.choice.parallel_forms = parallel,
                Step::Pin(place) => template.config.choice.pinned = before.get(place).cloned().into_iter().collect(),
            }
            if matches!(step, Step::Forms(_) | Step::Parallel(_) | Step::Pin(_)) {
                template.follow_config(&config, &pool, &mut random);
                assert_given_way(&template, &config, &pool);
            } else {
                template.follow(&before, &pool, &mut random);
            }
            assert_fair(&template, &pool);
            parallels(&template);
        }
    }
}

/// What is not pinned any more is in no other form, unless all that could stand for it are taken.
fn assert_given_way(template: &Template, before: &TemplateConfig, pool: &QuestionPool) {
    let (was, is) = (&before.choice, &template.config.choice);
    if !was.parallel_forms || !is.parallel_forms {
        return;
    }
    let list = list(template);
    let taken: HashSet<&String> = template.forms.iter().flat_map(|form| &form.question_ids).chain(&list).collect();
    let kind = |id: &String| kinds(std::slice::from_ref(id), pool);
    for id in was.pinned.iter().filter(|id| !is.pinned.contains(id) && list.contains(id)) {
        let has_free = pool.drawable().any(|question| {
            let other = question.id.to_string();
            !taken.contains(&other) && kind(&other) == kind(id)
        });
        assert!(!has_free || !template.forms.iter().any(|form| form.question_ids.contains(id)), "{id} {template:?}");
    }
}
