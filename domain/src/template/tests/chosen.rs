//! What a template chooses: topics beside difficulties, approved questions and sources, pins, and the order of a list.

use super::*;
use crate::number::NumberKey;
use crate::selection::by_topic::TopicTargets;
use crate::template::choice::{ChoiceDraft, ListOrder};

const TOPICS: [&str; 3] = ["Angles", "Fractions", "Số"];

/// So many questions of each topic and difficulty, with ids `<topic's first letter><difficulty>-<number>`.
fn stocked(stock: [[usize; 5]; 3]) -> QuestionPool {
    let mut all = Vec::new();
    for (topic, counts) in TOPICS.into_iter().zip(stock) {
        for (level, count) in counts.into_iter().enumerate() {
            for number in 0..count {
                let id = format!("{}{}-{number}", &topic[..1], level + 1);
                all.push(Arc::new(question(&id, topic, level as i64 + 1)));
            }
        }
    }
    QuestionPool { all, types: QuestionTypes::All, ..QuestionPool::default() }
}

fn topics(wanted: [usize; 3]) -> TopicTargets {
    let named = TOPICS.into_iter().zip(wanted).filter(|(_, count)| *count > 0);
    named.map(|(topic, count)| (topic.to_owned(), count)).collect()
}

fn pins(ids: &[&str]) -> FieldChange<Vec<String>> {
    FieldChange::Set(ids.iter().map(|id| (*id).to_owned()).collect())
}

/// A standard template by topic, and by difficulty if it has any.
fn by_topic(wanted: [usize; 3], difficulties: Option<[usize; 5]>) -> ConfigDraft {
    let standard_targets = match difficulties {
        Some(counts) => FieldChange::Set(serde_json::to_value(Targets(counts)).unwrap()),
        None => FieldChange::Clear,
    };
    let choice = ChoiceDraft { topic_targets: FieldChange::Set(topics(wanted)), ..ChoiceDraft::default() };
    ConfigDraft { standard_targets, choice, ..draft(Mode::Standard) }
}

/// How many of the list each topic and each difficulty has, after a look for repeats.
fn counted(list: &[String], pool: &QuestionPool) -> ([usize; 3], [usize; 5]) {
    let (mut of_topics, mut of_levels) = ([0; 3], [0; 5]);
    assert_eq!(list.iter().collect::<HashSet<_>>().len(), list.len(), "{list:?}");
    for id in list {
        let question = pool.all.iter().find(|question| &*question.id == id).unwrap();
        of_topics[TOPICS.iter().position(|topic| *topic == &*question.topic).unwrap()] += 1;
        of_levels[usize::from(question.difficulty.number()) - 1] += 1;
    }
    (of_topics, of_levels)
}

fn stock() -> impl Strategy<Value = [[usize; 5]; 3]> {
    prop::array::uniform3(prop::array::uniform5(0..4_usize))
}

proptest! {
    #[test]
    fn both_targets_hold_as_far_as_the_stock_goes(seed: u64, stock in stock(), table in prop::array::uniform3(prop::array::uniform5(0..3_usize))) {
        // The totals of a table are targets that can hold together.
        let wanted: [usize; 3] = table.map(|row| row.iter().sum());
        let levels: [usize; 5] = std::array::from_fn(|level| table.iter().map(|row| row[level]).sum());
        prop_assume!(levels.iter().sum::<usize>() > 0);
        let pool = stocked(stock);
        let (template, short) = drawn(by_topic(wanted, Some(levels)), &pool, &mut StdRng::seed_from_u64(seed));
        let list = template.paper(Bucket::Standard);
        let (of_topics, of_levels) = counted(list, &pool);
        for place in 0..3 {
            prop_assert_eq!(of_topics[place] + short.topics.get(TOPICS[place]).copied().unwrap_or(0), wanted[place]);
        }
        let missing = short.lists.get(Bucket::Standard).cloned().unwrap_or_default();
        for level in 0..5 {
            prop_assert_eq!(of_levels[level] + missing.get(&(level as u8 + 1)).copied().unwrap_or(0), levels[level]);
        }
        // The smallest cut: some difficulties as they are wanted, and of the others what the topics have and want.
        let cuts = (0..32_u32).map(|cut| {
            let is_cut = |level: usize| (cut >> level) & 1 == 1;
            let cut_levels: usize = (0..5).filter(|level| is_cut(*level)).map(|level| levels[level]).sum();
            let of_topic = |place: usize| -> usize {
                let left: usize = (0..5).filter(|level| !is_cut(*level)).map(|level| stock[place][level]).sum();
                left.min(wanted[place])
            };
            cut_levels + (0..3).map(of_topic).sum::<usize>()
        });
        prop_assert_eq!(list.len(), cuts.min().unwrap());
        if (0..3).all(|place| (0..5).all(|level| stock[place][level] >= table[place][level])) {
            prop_assert_eq!(serde_json::to_value(short).unwrap(), json!({}));
        }
    }

    #[test]
    fn topics_alone_get_their_counts_and_mixed_difficulties(seed: u64, stock in stock(), wanted in prop::array::uniform3(0..8_usize)) {
        prop_assume!(wanted.iter().sum::<usize>() > 0);
        let pool = stocked(stock);
        let (template, short) = drawn(by_topic(wanted, None), &pool, &mut StdRng::seed_from_u64(seed));
        let (of_topics, _) = counted(template.paper(Bucket::Standard), &pool);
        for place in 0..3 {
            let has = stock[place].iter().sum::<usize>();
            prop_assert_eq!(of_topics[place], wanted[place].min(has));
            let missing = short.topics.get(TOPICS[place]).copied();
            prop_assert_eq!(missing, Some(wanted[place].saturating_sub(has)).filter(|missing| *missing > 0));
        }
        prop_assert_eq!(short.lists, Lists::default());
    }

    #[test]
    fn pins_stay_count_and_are_never_repeated(seed: u64, stock in stock(), wanted in prop::array::uniform3(0..5_usize), first in 0..30_usize, count in 1..6_usize, is_by_both: bool) {
        let total = wanted.iter().sum::<usize>();
        prop_assume!(total > 0);
        let pool = stocked(stock);
        let pinned: Vec<&str> = pool.all.iter().map(|question| &*question.id).skip(first).step_by(3).take(count).collect();
        let mut draft = by_topic(wanted, is_by_both.then_some([0, 0, 0, 0, total]));
        draft.choice.pinned = pins(&pinned);
        let mut random = StdRng::seed_from_u64(seed);
        let (mut template, _) = drawn(draft, &pool, &mut random);
        for _ in 0..3 {
            let list = template.paper(Bucket::Standard).to_vec();
            let (of_topics, of_levels) = counted(&list, &pool);
            prop_assert!(pinned.iter().all(|pin| list.iter().any(|id| id == pin)));
            let (pinned_topics, pinned_levels) = counted(&pinned.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>(), &pool);
            for place in 0..3 {
                prop_assert!(of_topics[place] <= wanted[place].max(pinned_topics[place]));
            }
            if is_by_both {
                for (level, bound) in [0, 0, 0, 0, total].into_iter().enumerate() {
                    prop_assert!(of_levels[level] <= bound.max(pinned_levels[level]));
                }
            }
            template.draw(&pool, &mut random);
        }
        prop_assert_eq!(template.config.choice.pinned.len(), pinned.len());
    }
}

#[test]
fn with_equal_stock_difficulties_are_even() {
    let pool = stocked([[9; 5]; 3]);
    let mut random = StdRng::seed_from_u64(7);
    for _ in 0..20 {
        let (template, _) = drawn(by_topic([5, 6, 4], None), &pool, &mut random);
        assert_eq!(counted(template.paper(Bucket::Standard), &pool), ([5, 6, 4], [3; 5]));
    }
}

#[test]
fn only_what_is_chosen_is_drawn_and_swapped_in_but_a_pin_stays() {
    let mut pool = stocked([[4; 5]; 3]);
    let is_chosen = |id: &&str| id.ends_with("-0") || id.ends_with("-1");
    pool.chosen = Some(pool.all.iter().map(|question| &*question.id).filter(is_chosen).map(str::to_owned).collect());
    let mut random = StdRng::seed_from_u64(7);
    let mut draft = by_topic([3, 3, 2], None);
    draft.choice.pinned = pins(&["A1-3"]);
    let (mut template, short) = drawn(draft, &pool, &mut random);
    assert_eq!(short, Shortfalls::default());
    let list = template.paper(Bucket::Standard).to_vec();
    assert_eq!(list.len(), 8);
    assert!(list.iter().all(|id| id == "A1-3" || is_chosen(&id.as_str())), "{list:?}");
    // Of the same topic and difficulty two are chosen.
    let bucket = Bucket::Standard;
    let replaced = Some(question("A1-3", "Angles", 1));
    let pinned = Swap { bucket, question_id: "A1-3", replaced };
    let eligible: HashSet<&str> =
        template.eligible(&pinned, &pool).unwrap().into_iter().map(|question| &*question.id).collect();
    let expected: HashSet<&str> =
        ["A1-0", "A1-1"].into_iter().filter(|id| !list.iter().any(|other| other == id)).collect();
    assert_eq!(eligible, expected);
    assert_eq!(template.swap(&pinned, Some("A1-2"), &pool, &mut random), Err(SwapRefusal::NotEligible));
    assert_eq!(template.swap(&pinned, Some("F1-0"), &pool, &mut random), Err(SwapRefusal::NotEligible));
    let id = expected.into_iter().next().unwrap();
    assert_eq!(template.swap(&pinned, Some(id), &pool, &mut random).as_deref(), Ok(id));
    assert_eq!(template.config.choice.pinned, Vec::<String>::new(), "its pin goes with it");
}

#[test]
fn an_adaptive_template_keeps_pins_in_the_list_that_has_them() {
    let pool = pool([9; 5]);
    let mut random = StdRng::seed_from_u64(7);
    let (mut template, _) = template(Mode::Adaptive, &pool, &mut random);
    let top = Band::ALL[0];
    let (first, second) =
        (template.paper(Bucket::Session1)[0].clone(), template.paper(Bucket::Session2(top))[0].clone());
    template.config.choice.pinned = vec![second.clone(), first.clone()];
    for _ in 0..20 {
        assert_eq!(template.draw(&pool, &mut random), Shortfalls::default());
        assert!(template.paper(Bucket::Session1).contains(&first));
        assert!(template.paper(Bucket::Session2(top)).contains(&second));
        assert!(!template.paper(Bucket::Session1).contains(&second), "no student sees it twice");
    }
    assert_eq!(template.config.choice.pinned, [second, first]);
    // A new template has its pins in the first list.
    let choice = ChoiceDraft { pinned: pins(&["d5-3", "d5-4"]), ..ChoiceDraft::default() };
    let (template, _) = drawn(ConfigDraft { choice, ..draft(Mode::Adaptive) }, &pool, &mut random);
    let list = template.paper(Bucket::Session1);
    assert!(list.iter().any(|id| id == "d5-3") && list.iter().any(|id| id == "d5-4"));
    assert_eq!(list.len(), 6, "more pins than a target wants leave less to draw");
    assert_eq!(template.paper(Bucket::Session2(top)).len(), 3);
}

#[test]
fn a_pin_of_a_question_that_is_gone_is_forgotten() {
    let mut pool = pool([9; 5]);
    let mut random = StdRng::seed_from_u64(7);
    let (mut template, _) = template(Mode::Standard, &pool, &mut random);
    template.config.choice.pinned = template.paper(Bucket::Standard).to_vec();
    let gone = template.config.choice.pinned.remove(0);
    let kept = template.config.choice.pinned.clone();
    template.config.choice.pinned.push(gone.clone());
    pool.all.retain(|question| *question.id != *gone);
    template.draw(&pool, &mut random);
    assert_eq!(template.config.choice.pinned, kept);
}

#[test]
fn no_list_is_longer_than_a_list_may_be() {
    let pool = stocked([[40; 5], [40; 5], [40; 5]]);
    let mut random = StdRng::seed_from_u64(7);
    let pinned: Vec<&str> = pool.all.iter().map(|question| &*question.id).take(150).collect();
    for difficulties in [None, Some([0, 0, 0, 0, 190])] {
        let mut by_topic = by_topic([0, 100, 90], difficulties);
        by_topic.choice.pinned = pins(&pinned);
        let (template, short) = drawn(by_topic, &pool, &mut random);
        assert_eq!(template.paper(Bucket::Standard).len(), LIST_QUESTIONS_MAX);
        assert_eq!(short.topics.values().sum::<usize>(), 190 - 50);
    }
    let choice = ChoiceDraft { pinned: pins(&pinned), ..ChoiceDraft::default() };
    let standard_targets = FieldChange::Set(json!({ "5": 120 }));
    let (template, short) =
        drawn(ConfigDraft { standard_targets, choice, ..draft(Mode::Standard) }, &pool, &mut random);
    assert_eq!(template.paper(Bucket::Standard).len(), LIST_QUESTIONS_MAX);
    // Beside the pins fifty have room.
    assert_eq!(serde_json::to_value(short).unwrap(), json!({ "standard": { "5": 70 } }));
}

#[test]
fn a_list_has_the_order_that_is_asked_for() {
    let pool = stocked([[3; 5]; 3]);
    let mut random = StdRng::seed_from_u64(7);
    let list = |order: ListOrder, random: &mut StdRng| {
        let mut draft = by_topic([10, 10, 10], None);
        draft.choice.order = FieldChange::Set(order);
        drawn(draft, &pool, random).0.paper(Bucket::Standard).to_vec()
    };
    let level = |id: &String| id.bytes().find(u8::is_ascii_digit).unwrap();
    let place = |id: &String| TOPICS.iter().position(|topic| topic.as_bytes()[0] == id.as_bytes()[0]).unwrap();
    let easy = list(ListOrder::EasyFirst, &mut random);
    assert!(easy.is_sorted_by_key(level), "{easy:?}");
    assert!(!easy.is_sorted_by_key(|id| (level(id), place(id))), "topics are mixed");
    let by_topic = list(ListOrder::ByTopic, &mut random);
    assert!(by_topic.is_sorted_by_key(|id| (place(id), level(id))), "{by_topic:?}");
    let mixed = list(ListOrder::Mixed, &mut random);
    assert!(!mixed.is_sorted_by_key(level) && !mixed.is_sorted_by_key(place), "{mixed:?}");
}

#[test]
fn both_targets_have_one_total_and_one_of_them_is_there() {
    let refused = |draft: ConfigDraft, stored: Option<&TemplateConfig>| draft.config(stored).unwrap_err();
    let of_topics = Invalid::Field("topicTargets");
    assert_eq!(refused(by_topic([1, 2, 3], Some([1, 1, 1, 1, 1])), None), of_topics);
    let both = by_topic([1, 2, 2], Some([1, 1, 1, 1, 1])).config(None).unwrap();
    assert_eq!(both.targets.standard, Some(Targets([1; 5])));
    let alone = by_topic([1, 2, 3], None).config(None).unwrap();
    assert_eq!((alone.targets.standard, alone.choice.topic_targets.clone()), (None, topics([1, 2, 3])));
    assert_eq!(refused(by_topic([0; 3], None), None), Invalid::Field("standardTargets"));
    // Whichever of two changes: the totals stay equal, or one of them goes.
    let targets = |value: Value| ConfigDraft { standard_targets: FieldChange::Set(value), ..ConfigDraft::default() };
    assert_eq!(refused(targets(json!({ "1": 6 })), Some(&both)), of_topics);
    assert_eq!(
        targets(json!({ "1": 6 })).config(Some(&alone)).unwrap().targets.standard,
        Some(Targets([6, 0, 0, 0, 0]))
    );
    let cleared = ConfigDraft { standard_targets: FieldChange::Clear, ..ConfigDraft::default() };
    assert_eq!(cleared.config(Some(&both)).unwrap().targets.standard, None);
    let topics_of = |topic_targets: FieldChange<TopicTargets>| ConfigDraft {
        choice: ChoiceDraft { topic_targets, ..ChoiceDraft::default() },
        ..ConfigDraft::default()
    };
    assert_eq!(refused(topics_of(FieldChange::Set(topics([1, 2, 3]))), Some(&both)), of_topics);
    assert_eq!(topics_of(FieldChange::Clear).config(Some(&both)).unwrap().choice.topic_targets, topics([0; 3]));
    assert_eq!(refused(topics_of(FieldChange::Clear), Some(&alone)), Invalid::Field("standardTargets"));
    // Without topics nobody can take the difficulties away.
    let plain = draft(Mode::Standard).config(None).unwrap();
    let cleared = ConfigDraft { standard_targets: FieldChange::Clear, ..ConfigDraft::default() };
    assert_eq!(cleared.config(Some(&plain)).unwrap(), plain);
}

#[test]
fn topics_are_for_standard_templates_and_kept_while_they_are_adaptive() {
    let adaptive = ConfigDraft { mode: Some(Mode::Adaptive), ..by_topic([1, 2, 3], None) };
    assert_eq!(adaptive.config(None), Err(Invalid::Field("topicTargets")));
    let none = ConfigDraft { mode: Some(Mode::Adaptive), ..by_topic([0; 3], None) };
    assert!(none.config(None).is_ok());
    let standard = by_topic([1, 2, 3], None).config(None).unwrap();
    let adaptive = draft(Mode::Adaptive).config(Some(&standard)).unwrap();
    assert_eq!(adaptive.choice.topic_targets, topics([1, 2, 3]));
    let mut random = StdRng::seed_from_u64(7);
    let (mut template, _) = template(Mode::Adaptive, &pool([9; 5]), &mut random);
    template.config = adaptive.clone();
    template.draw(&pool([9; 5]), &mut random);
    assert_eq!(template.paper(Bucket::Session1).len(), 5, "not read");
    let again = ConfigDraft { mode: Some(Mode::Standard), ..ConfigDraft::default() }.config(Some(&adaptive)).unwrap();
    assert_eq!((again.targets.standard, again.choice.topic_targets), (None, topics([1, 2, 3])));
}

#[test]
fn questions_of_other_types_are_not_drawn() {
    let number = KeyedQuestion { answer: NumberKey::exact("0.5").into(), ..question("n1", "Angles", 1) };
    let all = vec![Arc::new(question("l1", "Angles", 1)), Arc::new(number)];
    let drawn = |types: QuestionTypes| {
        let pool = QuestionPool { all: all.clone(), types, ..QuestionPool::default() };
        pool.drawable().map(|question| question.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(drawn(QuestionTypes::default()), ["l1"]);
    assert_eq!(drawn(QuestionTypes::Number), ["n1"]);
    assert_eq!(drawn(QuestionTypes::All), ["l1", "n1"]);
}
