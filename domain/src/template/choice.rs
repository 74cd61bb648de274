//! What a template chooses its questions by, beside grades and difficulties: topics, reviews, sources, and single
//! questions. Everything in it may be left out.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::LIST_QUESTIONS_MAX;
use crate::attempt::Mode;
use crate::form::FORMS_MAX;
use crate::question::{TEXT_UNITS_MAX, is_refused};
use crate::question_types::QuestionTypes;
pub use crate::selection::by_topic::TopicTargets;
use crate::sitting::values::FieldChange;

/// How many topics a template may have targets of.
pub const TOPIC_TARGETS_MAX: usize = 60;
/// How many sources a template may choose.
pub const CHOSEN_SOURCES_MAX: usize = 40;
/// How many questions of a template may be pinned: as many as a list has.
pub const PINNED_MAX: usize = LIST_QUESTIONS_MAX;

/// In which order the questions of a list stand when they are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ListOrder {
    /// In none.
    #[default]
    Mixed,
    /// By difficulty.
    EasyFirst,
    /// By the names of their topics, and by difficulty within a topic.
    ByTopic,
}

impl ListOrder {
    const ALL: [Self; 3] = [Self::Mixed, Self::EasyFirst, Self::ByTopic];

    /// `mixed`, `easy-first` or `by-topic`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mixed => "mixed",
            Self::EasyFirst => "easy-first",
            Self::ByTopic => "by-topic",
        }
    }

    /// Parses an order's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }
}

/// What a template chooses its questions by. The default chooses among all questions of the grades, whatever they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TemplateChoice {
    /// The wanted questions of each topic; empty when topics do not matter. Only the list of a standard template has
    /// any, and those of a template that has become adaptive are kept, for when it is standard again.
    pub topic_targets: TopicTargets,
    /// Whether only questions are drawn that reviewers have approved.
    pub approved_only: bool,
    /// The sources from which questions are drawn, each once; empty for all.
    pub sources: Vec<String>,
    /// The types of questions that are drawn.
    pub types: QuestionTypes,
    /// The order of each list.
    pub order: ListOrder,
    /// The ids of the questions that each draw keeps, each once.
    pub pinned: Vec<String>,
    /// In how many forms a standard template is sat, from 1. An adaptive one keeps the number unread.
    pub forms: u8,
    /// Whether the other forms have questions of their own, each like one of the list.
    pub parallel_forms: bool,
    /// Whether each student sees options in an order of their own.
    pub shuffle_options: bool,
    /// Whether students go through their list in its order: a page lets them open the questions that they have seen,
    /// and the next one. Nothing here enforces it.
    pub in_order: bool,
}

impl Default for TemplateChoice {
    fn default() -> Self {
        Self {
            topic_targets: TopicTargets::new(),
            approved_only: false,
            sources: Vec::new(),
            types: QuestionTypes::default(),
            order: ListOrder::default(),
            pinned: Vec::new(),
            forms: 1,
            parallel_forms: false,
            shuffle_options: false,
            in_order: false,
        }
    }
}

impl TemplateChoice {
    /// In how many forms a template of this mode is sat.
    #[must_use]
    pub fn form_count(&self, mode: Mode) -> usize {
        if mode == Mode::Standard { usize::from(self.forms).clamp(1, FORMS_MAX) } else { 1 }
    }

    /// Whether some questions of the grades are not drawn.
    #[must_use]
    pub const fn is_selective(&self) -> bool {
        self.approved_only || !self.sources.is_empty()
    }

    /// Returns whether both choose from the same questions.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let chosen = |choice: &Self| (choice.approved_only, choice.types);
        chosen(self) == chosen(other) && self.sources == other.sources
    }
}

/// What a caller has sent of a choice.
#[derive(Clone, Debug, Default)]
pub struct ChoiceDraft {
    /// The wanted questions of each topic.
    pub topic_targets: FieldChange<TopicTargets>,
    /// Whether only approved questions are drawn.
    pub approved_only: FieldChange<bool>,
    /// The sources.
    pub sources: FieldChange<Vec<String>>,
    /// The types of questions.
    pub types: FieldChange<QuestionTypes>,
    /// The order of each list.
    pub order: FieldChange<ListOrder>,
    /// The ids of the pinned questions.
    pub pinned: FieldChange<Vec<String>>,
    /// The number of forms.
    pub forms: FieldChange<u8>,
    /// Whether other forms have questions of their own.
    pub parallel_forms: FieldChange<bool>,
    /// Whether options are shuffled.
    pub shuffle_options: FieldChange<bool>,
    /// Whether students go through their list in its order.
    pub in_order: FieldChange<bool>,
}

impl ChoiceDraft {
    /// Whether targets of topics are sent.
    pub(super) fn has_topics(&self) -> bool {
        matches!(&self.topic_targets, FieldChange::Set(targets) if !targets.is_empty())
    }

    /// Whether more than one form is asked for.
    pub(super) fn has_forms(&self) -> bool {
        matches!(&self.forms, FieldChange::Set(forms) if *forms > 1)
    }

    /// Whether it says which questions are pinned.
    pub(super) fn sets_pinned(&self) -> bool {
        matches!(self.pinned, FieldChange::Set(_))
    }

    /// The complete choice. What was left out is taken from the stored one.
    pub(super) fn choice(self, stored: TemplateChoice) -> TemplateChoice {
        TemplateChoice {
            topic_targets: self.topic_targets.or_stored(Some(stored.topic_targets)).unwrap_or_default(),
            approved_only: self.approved_only.or_stored(Some(stored.approved_only)).unwrap_or_default(),
            sources: self.sources.or_stored(Some(stored.sources)).unwrap_or_default(),
            types: self.types.or_stored(Some(stored.types)).unwrap_or_default(),
            order: self.order.or_stored(Some(stored.order)).unwrap_or_default(),
            pinned: self.pinned.or_stored(Some(stored.pinned)).unwrap_or_default(),
            forms: self.forms.or_stored(Some(stored.forms)).unwrap_or(1),
            parallel_forms: self.parallel_forms.or_stored(Some(stored.parallel_forms)).unwrap_or_default(),
            shuffle_options: self.shuffle_options.or_stored(Some(stored.shuffle_options)).unwrap_or_default(),
            in_order: self.in_order.or_stored(Some(stored.in_order)).unwrap_or_default(),
        }
    }
}

/// Reads the targets of topics: 1 to 200 of each, and no more in all than a list may have. Topics are taken as they are
/// written, since the bank has them as texts.
#[must_use]
pub fn topic_targets(value: &Value) -> Option<TopicTargets> {
    let counts = value.as_object().filter(|counts| counts.len() <= TOPIC_TARGETS_MAX)?.iter();
    let counts = counts.map(|(topic, count)| {
        let count = usize::try_from(count.as_u64()?).ok().filter(|count| (1..=LIST_QUESTIONS_MAX).contains(count))?;
        is_name(topic).then(|| (topic.clone(), count))
    });
    let targets = counts.collect::<Option<TopicTargets>>()?;
    (targets.values().sum::<usize>() <= LIST_QUESTIONS_MAX).then_some(targets)
}

/// Reads the names of sources, each once.
#[must_use]
pub fn sources(value: &Value) -> Option<Vec<String>> {
    // Some questions say no source.
    texts(value, CHOSEN_SOURCES_MAX, is_text)
}

/// Reads the ids of pinned questions, each once. Whether there are such questions is not known here.
#[must_use]
pub fn pinned(value: &Value) -> Option<Vec<String>> {
    texts(value, PINNED_MAX, is_name)
}

/// Reads a number of forms, 1 to 8.
#[must_use]
pub fn forms(value: &Value) -> Option<u8> {
    value
        .as_u64()
        .and_then(|forms| u8::try_from(forms).ok())
        .filter(|forms| (1..=FORMS_MAX).contains(&usize::from(*forms)))
}

/// A list of that many texts at most, each once, in the order of their first occurrence.
fn texts(value: &Value, most: usize, is_sound: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let given = value.as_array().filter(|given| given.len() <= most)?;
    let mut texts: Vec<String> = Vec::new();
    for text in given {
        let text = text.as_str().filter(|text| is_sound(text))?;
        if !texts.iter().any(|other| other == text) {
            texts.push(text.to_owned());
        }
    }
    Some(texts)
}

/// Returns whether a question could have this text as its topic or its id.
fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && is_text(text)
}

fn is_text(text: &str) -> bool {
    text.encode_utf16().count() <= TEXT_UNITS_MAX && !text.chars().any(is_refused)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn topics_have_counts() {
        let read = |value: Value| topic_targets(&value);
        let expected = TopicTargets::from([("Fractions".to_owned(), 3), ("Số thập phân".to_owned(), 200 - 3)]);
        assert_eq!(read(json!({ "Fractions": 3, "Số thập phân": 197 })), Some(expected));
        assert_eq!(read(json!({})), Some(TopicTargets::new()));
        let many = |count: usize| -> Value {
            Value::Object((0..count).map(|topic| (format!("T{topic}"), json!(1))).collect())
        };
        assert_eq!(read(many(TOPIC_TARGETS_MAX)).map(|targets| targets.len()), Some(TOPIC_TARGETS_MAX));
        let long = "x".repeat(TEXT_UNITS_MAX + 1);
        for wrong in [
            many(TOPIC_TARGETS_MAX + 1),
            json!({ "Fractions": 0 }),
            json!({ "Fractions": 201 }),
            json!({ "Fractions": 100, "Decimals": 101 }),
            json!({ "Fractions": -1 }),
            json!({ "Fractions": 1.5 }),
            json!({ "Fractions": "1" }),
            json!({ "Fractions": null }),
            json!({ "Fractions": u64::MAX }),
            json!({ "": 1 }),
            json!({ " ": 1 }),
            json!({ "a\u{7}": 1 }),
            json!({ (long.as_str()): 1 }),
            json!(["Fractions"]),
            json!("Fractions"),
            json!(5),
        ] {
            assert_eq!(read(wrong.clone()), None, "{wrong}");
        }
    }

    #[test]
    fn sources_and_pins_are_short_lists() {
        assert_eq!(sources(&json!(["b", "a", "b"])), Some(vec!["b".to_owned(), "a".to_owned()]));
        assert_eq!(pinned(&json!([])), Some(Vec::new()));
        let many = |count: usize| -> Value { (0..count).map(|number| json!(format!("q{number}"))).collect() };
        assert_eq!(sources(&many(CHOSEN_SOURCES_MAX)).map(|sources| sources.len()), Some(CHOSEN_SOURCES_MAX));
        assert_eq!(sources(&many(CHOSEN_SOURCES_MAX + 1)), None);
        assert_eq!(pinned(&many(PINNED_MAX)).map(|pinned| pinned.len()), Some(PINNED_MAX));
        assert_eq!(pinned(&many(PINNED_MAX + 1)), None);
        for wrong in [json!([1]), json!([null]), json!(["a\u{7}"]), json!("a"), json!({ "a": 1 })] {
            assert_eq!((sources(&wrong), pinned(&wrong)), (None, None), "{wrong}");
        }
        assert_eq!((sources(&json!([""])), pinned(&json!([""]))), (Some(vec![String::new()]), None));
    }

    #[test]
    fn forms_are_one_to_eight() {
        assert_eq!([1, 2, 8].map(|count| forms(&json!(count))), [Some(1), Some(2), Some(8)]);
        for wrong in [json!(0), json!(9), json!(257), json!(-1), json!(2.5), json!("2"), json!(true), json!([2])] {
            assert_eq!(forms(&wrong), None, "{wrong}");
        }
        assert_eq!(TemplateChoice::default().forms, 1);
        let count = |forms, mode| TemplateChoice { forms, ..TemplateChoice::default() }.form_count(mode);
        assert_eq!([0, 1, 4, 8, 9].map(|forms| count(forms, Mode::Standard)), [1, 1, 4, 8, 8]);
        assert_eq!([0, 4].map(|forms| count(forms, Mode::Adaptive)), [1, 1]);
    }

    #[test]
    fn orders_have_names() {
        for order in ListOrder::ALL {
            assert_eq!(ListOrder::parse(order.name()), Some(order));
            assert_eq!(serde_json::to_value(order).unwrap(), order.name());
        }
        assert_eq!(ListOrder::parse("random"), None);
    }

    #[test]
    fn what_is_stored_is_read_again_and_nothing_is_the_default() {
        let choice = TemplateChoice {
            topic_targets: TopicTargets::from([("Fractions".to_owned(), 3)]),
            approved_only: true,
            sources: vec!["sample".to_owned()],
            types: QuestionTypes::All,
            order: ListOrder::EasyFirst,
            pinned: vec!["q1".to_owned()],
            forms: 4,
            parallel_forms: true,
            shuffle_options: true,
            in_order: true,
        };
        let text = serde_json::to_string(&choice).unwrap();
        assert_eq!(serde_json::from_str::<TemplateChoice>(&text).unwrap(), choice);
        assert_eq!(serde_json::from_str::<TemplateChoice>("{}").unwrap(), TemplateChoice::default());
        let kept = ChoiceDraft::default().choice(choice.clone());
        assert_eq!(kept, choice);
        let cleared = ChoiceDraft {
            topic_targets: FieldChange::Clear,
            approved_only: FieldChange::Clear,
            sources: FieldChange::Clear,
            types: FieldChange::Clear,
            order: FieldChange::Clear,
            pinned: FieldChange::Clear,
            forms: FieldChange::Clear,
            parallel_forms: FieldChange::Clear,
            shuffle_options: FieldChange::Clear,
            in_order: FieldChange::Clear,
        };
        assert_eq!(cleared.choice(choice), TemplateChoice::default());
    }
}
