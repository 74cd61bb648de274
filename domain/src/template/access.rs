//! Who may sit a template, when and how often, and who is told its keys before and after
//! (`docs/decisions/0087-who-may-sit-a-template.md`). Everything in it may be left out: a template without it is for
//! everyone who has its link.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Invalid;
use crate::sitting::values::FieldChange;
use crate::time::moment::Moment;
use crate::time::timer::GRACE_MILLISECONDS;

/// How often an account may sit a template, at most.
const ATTEMPTS: RangeInclusive<u8> = 1..=20;
/// How many classes a template may be for.
pub const CLASSES_OF_TEMPLATE_MAX: usize = 50;
/// Characters of the code of a template.
const CODE_CHARACTERS: RangeInclusive<usize> = 4..=20;
/// For how many days a class test that never ends, or never shows its answers, counts as one that is still to be sat:
/// after its last change, its last start and its end. Otherwise the banks would be in old class tests after some time,
/// and no practice would tell what was right.
pub const TO_BE_SAT_DAYS: i64 = 60;
/// For how many hours after its end it is asked whether tests of a class test still go on, before others are told keys.
const RUNS_ON_HOURS: i64 = 24;
const HOUR_MILLISECONDS: i64 = 60 * 60 * 1_000;

/// Whom a template is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Audience {
    /// Everyone who has the link.
    #[default]
    Anyone,
    /// Everyone who is signed in.
    SignedIn,
    /// The people of some classes, known by their e-mail addresses.
    Classes,
}

/// A word that whoever sits the test has to type: 4 to 20 letters and digits. Their case does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct TemplateCode(String);

impl TemplateCode {
    /// Reads a code; `None` if it cannot be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let code = text.trim();
        let is_code = CODE_CHARACTERS.contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_code.then(|| Self(code.to_owned()))
    }

    /// Whether somebody has typed the code.
    #[must_use]
    pub fn is(&self, typed: &str) -> bool {
        self.0.eq_ignore_ascii_case(typed.trim())
    }
}

/// Who may sit a template, when and how often. The default is everyone, at any time and as often as they want.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TemplateAccess {
    /// Whom it is for.
    pub who: Audience,
    /// With `classes`: their ids, each once.
    #[serde(default)]
    #[schema(max_items = 50)]
    pub class_ids: Vec<Uuid>,
    /// How often each account may sit it; null for as often as it wants. It needs another `who` than `anyone`.
    #[schema(minimum = 1, maximum = 20)]
    pub attempts: Option<u8>,
    /// From when it may be begun; null for at once.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub opens_at: Option<Moment>,
    /// Until when it may be begun, and when every test of it ends at the latest; null for no end.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub closes_at: Option<Moment>,
    /// A code that has to be typed before: 4 to 20 letters `A` to `Z` and digits, whatever their case; null for none.
    #[schema(value_type = Option<String>, min_length = 4, max_length = 20)]
    pub code: Option<TemplateCode>,
}

/// Why somebody may not begin a test of a template, in the order in which it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessRefusal {
    /// They are not signed in.
    NotSignedIn,
    /// It is not for their account.
    NotForThem,
    /// It has not opened yet.
    NotOpenYet(Moment),
    /// It has closed.
    Closed(Moment),
}

/// What a typed code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedCode {
    /// The right one, or none is needed.
    Right,
    /// None was typed, and one is needed.
    Missing,
    /// Another one than that of the template.
    Wrong,
}

impl TemplateAccess {
    /// Reads what a caller sends. A field that is misspelt is refused: otherwise the test would be open to more people
    /// than was meant.
    #[must_use]
    pub fn parse(value: &Value) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Sent {
            who: Audience,
            class_ids: Option<Vec<Uuid>>,
            attempts: Option<u8>,
            opens_at: Option<Moment>,
            closes_at: Option<Moment>,
            code: Option<String>,
        }
        let sent = Sent::deserialize(value).ok()?;
        let code = sent.code.filter(|code| !code.trim().is_empty());
        let access = Self {
            who: sent.who,
            // Those of other audiences are left over from a form.
            class_ids: sent.class_ids.filter(|_| sent.who == Audience::Classes).unwrap_or_default(),
            attempts: sent.attempts,
            opens_at: sent.opens_at,
            closes_at: sent.closes_at,
            code: code.map(|code| TemplateCode::parse(&code).ok_or(())).transpose().ok()?,
        };
        access.is_sound().then_some(access)
    }

    fn is_sound(&self) -> bool {
        let mut ids = self.class_ids.clone();
        ids.sort_unstable();
        ids.dedup();
        let has_classes = (1..=CLASSES_OF_TEMPLATE_MAX).contains(&ids.len()) && ids.len() == self.class_ids.len();
        let are_counted = self.attempts.is_none_or(|attempts| ATTEMPTS.contains(&attempts) && self.needs_account());
        let is_window = self.opens_at.zip(self.closes_at).is_none_or(|(opens_at, closes_at)| opens_at < closes_at);
        (self.who != Audience::Classes || has_classes) && are_counted && is_window
    }

    /// Whether whoever sits it has to be signed in.
    #[must_use]
    pub fn needs_account(&self) -> bool {
        self.who != Audience::Anyone
    }

    /// Whether it is for certain people alone, or for those who have a code.
    #[must_use]
    pub fn is_for_some(&self) -> bool {
        self.needs_account() || self.code.is_some()
    }

    /// Whether its questions are for those alone who sit it, and for staff: it is for some, or may not be begun now.
    #[must_use]
    pub fn restricts(&self, now: Moment) -> bool {
        self.is_for_some() || self.window(now).is_err()
    }

    /// Whether somebody may sit it, as far as that depends on their account.
    ///
    /// # Errors
    /// Why they may not.
    pub fn admits(&self, is_signed_in: bool, is_of_classes: bool) -> Result<(), AccessRefusal> {
        match self.who {
            Audience::Anyone => Ok(()),
            Audience::SignedIn | Audience::Classes if !is_signed_in => Err(AccessRefusal::NotSignedIn),
            Audience::Classes if !is_of_classes => Err(AccessRefusal::NotForThem),
            Audience::SignedIn | Audience::Classes => Ok(()),
        }
    }

    /// Whether it may be begun now.
    ///
    /// # Errors
    /// Why it may not.
    pub fn window(&self, now: Moment) -> Result<(), AccessRefusal> {
        if let Some(opens_at) = self.opens_at.filter(|opens_at| now < *opens_at) {
            return Err(AccessRefusal::NotOpenYet(opens_at));
        }
        self.closes_at.filter(|closes_at| *closes_at <= now).map_or(Ok(()), |at| Err(AccessRefusal::Closed(at)))
    }

    /// What somebody has typed as the code.
    #[must_use]
    pub fn typed(&self, typed: Option<&str>) -> TypedCode {
        match (&self.code, typed.filter(|typed| !typed.trim().is_empty())) {
            (None, _) => TypedCode::Right,
            (Some(_), None) => TypedCode::Missing,
            (Some(code), Some(typed)) if code.is(typed) => TypedCode::Right,
            (Some(_), Some(_)) => TypedCode::Wrong,
        }
    }

    /// How many tests an account that has begun so many may still begin; `None` if there is no limit.
    #[must_use]
    pub fn attempts_left(&self, begun: u32) -> Option<u8> {
        let left = |attempts: u8| attempts.saturating_sub(u8::try_from(begun).unwrap_or(u8::MAX));
        self.attempts.map(left)
    }
}

/// When students are told the keys of the tests that they have handed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShowAnswers {
    /// As soon as they may see the result.
    #[default]
    Always,
    /// When the template has closed.
    AfterClosing,
    /// Never.
    Never,
}

impl ShowAnswers {
    const ALL: [Self; 3] = [Self::Always, Self::AfterClosing, Self::Never];

    /// `always`, `after-closing` or `never`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::AfterClosing => "after-closing",
            Self::Never => "never",
        }
    }

    /// Parses a name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|answers| answers.name() == name)
    }
}

/// What a template says about who may sit it, and about its keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TemplateRules {
    /// Who may sit it.
    pub access: TemplateAccess,
    /// When students are told the keys of their tests.
    pub show_answers: ShowAnswers,
    /// Whether anyone may read its questions with their keys; `None` if the template does not say.
    pub practice: Option<bool>,
}

impl TemplateRules {
    /// Whether keys depend on these rules, so that a server has to know them for other roads than the template's own.
    #[must_use]
    pub fn guards_keys(&self) -> bool {
        self.show_answers != ShowAnswers::Always || self.practice == Some(false)
    }

    /// Whether the template itself has no keys for whoever is not its staff: it is a class test, and no practice.
    #[must_use]
    pub fn is_keyless(&self) -> bool {
        self.access.is_for_some() || self.guards_keys()
    }

    /// From when students are told the keys of tests of this template; `None` for never.
    #[must_use]
    pub fn shows_from(&self) -> Option<Moment> {
        match self.show_answers {
            ShowAnswers::Always => Some(Moment::from_milliseconds(i64::MIN)),
            // The rules are read with an end, so that there is one.
            ShowAnswers::AfterClosing => self.access.closes_at,
            ShowAnswers::Never => None,
        }
    }

    /// Whether students are told the keys of tests of this template now, if none of them goes on: until the grace is
    /// over, answers are still taken.
    #[must_use]
    pub fn shows_answers(&self, now: Moment) -> bool {
        match self.show_answers {
            ShowAnswers::Always => true,
            ShowAnswers::AfterClosing => self.has_closed(now),
            ShowAnswers::Never => false,
        }
    }

    fn has_closed(&self, now: Moment) -> bool {
        self.access.closes_at.is_some_and(|closes_at| closes_at.plus(GRACE_MILLISECONDS) < now)
    }

    /// Whether others could learn keys of a test of this template that people sit for themselves.
    fn is_class_test(&self) -> bool {
        self.practice == Some(false) && (self.access.is_for_some() || self.show_answers != ShowAnswers::Always)
    }

    /// Whether no end says until when it is to be sat, so that its last start does ([`TO_BE_SAT_DAYS`]).
    #[must_use]
    pub fn is_open_ended(&self) -> bool {
        self.is_class_test() && (self.access.closes_at.is_none() || self.show_answers == ShowAnswers::Never)
    }

    /// Whether finished tests of others, such as practice with the same questions, would tell the keys of a class test
    /// that is still to be sat. It was changed or begun last at `used_at`.
    #[must_use]
    pub fn keeps_from_others(&self, now: Moment, used_at: Moment) -> bool {
        if !self.is_open_ended() {
            return self.is_class_test() && !self.has_closed(now);
        }
        let last = self.access.closes_at.map_or(used_at, |closes_at| closes_at.max(used_at));
        now < last.plus(TO_BE_SAT_DAYS * 24 * HOUR_MILLISECONDS)
    }

    /// Whether it is a class test that has closed a short while ago, so that some of its tests may still go on.
    #[must_use]
    pub fn may_run_on(&self, now: Moment) -> bool {
        let may = |closes_at: Moment| now <= closes_at.plus(RUNS_ON_HOURS * HOUR_MILLISECONDS);
        self.is_class_test() && self.has_closed(now) && self.access.closes_at.is_some_and(may)
    }
}

/// The fields of the rules that a caller has sent.
#[derive(Clone, Debug, Default)]
pub struct RulesDraft {
    /// Who may sit it.
    pub access: FieldChange<TemplateAccess>,
    /// When students are told the keys of their tests.
    pub show_answers: FieldChange<ShowAnswers>,
    /// Whether anyone may read its questions with their keys.
    pub practice: FieldChange<bool>,
}

impl RulesDraft {
    /// The complete rules.
    ///
    /// # Errors
    /// `showAnswers` if the keys are to be shown after an end that there is not.
    pub fn rules(self, stored: TemplateRules) -> Result<TemplateRules, Invalid> {
        let rules = TemplateRules {
            access: self.access.or_stored(Some(stored.access)).unwrap_or_default(),
            show_answers: self.show_answers.or_stored(Some(stored.show_answers)).unwrap_or_default(),
            practice: self.practice.or_stored(stored.practice),
        };
        if rules.show_answers == ShowAnswers::AfterClosing && rules.access.closes_at.is_none() {
            return Err(Invalid::Field("showAnswers"));
        }
        Ok(rules)
    }
}

#[cfg(test)]
mod tests;
