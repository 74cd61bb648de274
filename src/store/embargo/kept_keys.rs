//! Which keys are kept from students by what is said of single questions, and by the rules of templates
//! (`docs/decisions/0087-who-may-sit-a-template.md`). It is read with what sittings withhold, and known to the whole
//! server without a question to the database.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use domain::grade::Grade;
use domain::session::{Session, SessionOrigin};
use domain::template::access::{ShowAnswers, TemplateRules};
use domain::time::moment::Moment;
use uuid::Uuid;

use super::{READ_TIMEOUT, TEMPLATES_AT_ONCE};
use crate::database::{Database, in_time};
use crate::store::guarded_templates::{self, KeyTemplate};
use crate::store::question_marks::{self, PracticeMarks};
use crate::store::questions;

const WHAT: &str = "which keys are kept";
/// How often it is read when class tests without an end were begun last, in milliseconds: it decides about days.
const STARTS_EVERY_MILLISECONDS: i64 = 10 * 60 * 1_000;

/// A template whose rules keep keys.
#[derive(Debug, PartialEq, Eq)]
struct GuardedTemplate {
    rules: TemplateRules,
    updated_at: Moment,
    /// None of a template that was removed: it keeps the keys of its own tests alone.
    question_ids: HashSet<String>,
}

/// What is kept, as it was read last.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct KeptKeys {
    /// What is said of single questions, grade by grade.
    marks: Vec<Arc<PracticeMarks>>,
    templates: HashMap<Uuid, Arc<GuardedTemplate>>,
    /// By question, the templates that stand and are no practice.
    of_templates: HashMap<String, Vec<Uuid>>,
    /// When tests of class tests without an end were begun last. `None` until that is known.
    last_starts: Option<Arc<HashMap<Uuid, Moment>>>,
}

impl KeptKeys {
    fn of(
        marks: Vec<Arc<PracticeMarks>>,
        templates: HashMap<Uuid, Arc<GuardedTemplate>>,
        last_starts: Option<Arc<HashMap<Uuid, Moment>>>,
    ) -> Self {
        let mut of_templates: HashMap<String, Vec<Uuid>> = HashMap::new();
        for (template_id, template) in templates.iter().filter(|(_, template)| template.rules.practice == Some(false)) {
            for id in &template.question_ids {
                of_templates.entry(id.clone()).or_default().push(*template_id);
            }
        }
        of_templates.values_mut().for_each(|ids| ids.sort_unstable());
        Self { marks, templates, of_templates, last_starts }
    }

    /// Whether everyone may read the keys of the same questions as by others. What rules say about times and people
    /// makes no difference to that.
    #[must_use]
    pub(super) fn shows_same(&self, others: &Self) -> bool {
        let has = |id: &String| others.of_templates.contains_key(id);
        let has_same = self.of_templates.len() == others.of_templates.len() && self.of_templates.keys().all(has);
        has_same && self.marks == others.marks
    }

    /// What is said about who may read the key of a question, by the question itself or by templates.
    #[must_use]
    pub fn said(&self, question_id: &str) -> Option<bool> {
        self.mark(question_id).or_else(|| self.of_templates.contains_key(question_id).then_some(false))
    }

    /// Whether everyone may read a question with its key, where `PUBLIC_ANSWERS` is so. Without public answers nobody
    /// may, whatever is said of a question.
    #[must_use]
    pub fn is_public(&self, question_id: &str, public_answers: bool) -> bool {
        public_answers && self.said(question_id) != Some(false)
    }

    /// Whether a question is one for practice: anyone may read it with its key.
    #[must_use]
    pub fn is_practice(&self, question_id: &str) -> bool {
        self.mark(question_id) == Some(true)
    }

    /// What is said of a question itself.
    fn mark(&self, question_id: &str) -> Option<bool> {
        self.marks.iter().find_map(|marks| marks.of(question_id))
    }

    /// Whether the keys of a finished test are kept from a reader who is not staff of its grade. Another server is one
    /// too: it shows to students what it gets.
    #[must_use]
    pub fn keep(&self, session: &Session, now: Moment) -> bool {
        if self.answers_from(session.template_id, now).is_some() {
            return true;
        }
        let own = session.template_id;
        session.question_ids().any(|id| match session.origin {
            SessionOrigin::Client => !self.is_public(id, true),
            SessionOrigin::Live => self.keeps_in_live(own, id, now),
        })
    }

    /// The same in the seat of whoever has just handed in. It cannot ask whether others are still at work, so that
    /// answers which are shown later are shown by the report alone.
    #[must_use]
    pub fn keep_in_seat<'a>(
        &self,
        template_id: Option<Uuid>,
        mut question_ids: impl Iterator<Item = &'a str>,
        now: Moment,
    ) -> bool {
        let is_silent = self.rules(template_id).is_some_and(|rules| rules.show_answers != ShowAnswers::Always);
        is_silent || question_ids.any(|id| self.keeps_in_live(template_id, id, now))
    }

    /// From when students are told the keys of a template's tests, if they are not now: `Some(None)` for never.
    #[must_use]
    pub fn answers_from(&self, template_id: Option<Uuid>, now: Moment) -> Option<Option<Moment>> {
        let rules = self.rules(template_id)?;
        (!rules.shows_answers(now)).then(|| rules.shows_from())
    }

    /// A template whose answers are shown when it has closed, and when that is.
    pub(super) fn closed(&self, template_id: Option<Uuid>) -> Option<(Uuid, Moment)> {
        let rules = self.rules(template_id).filter(|rules| rules.show_answers == ShowAnswers::AfterClosing)?;
        template_id.zip(rules.access.closes_at)
    }

    /// The templates that have closed, of which a test that goes on would learn keys from this finished one.
    pub(super) fn closed_with(&self, session: &Session, now: Moment) -> BTreeSet<Uuid> {
        let mut closed: BTreeSet<Uuid> = self.closed(session.template_id).into_iter().map(|(id, _)| id).collect();
        if session.origin == SessionOrigin::Live && !self.of_templates.is_empty() {
            for id in session.question_ids().filter(|id| !self.is_practice(id)) {
                let may_run = |id: &Uuid| self.templates.get(id).is_some_and(|it| it.rules.may_run_on(now));
                let of_others = self.of_templates.get(id).into_iter().flatten().copied();
                closed.extend(of_others.filter(|id| Some(*id) != session.template_id && may_run(id)));
            }
        }
        closed
    }

    fn rules(&self, template_id: Option<Uuid>) -> Option<&TemplateRules> {
        self.templates.get(&template_id?).map(|template| &template.rules)
    }

    /// Whether a live test of this template, or of none, would tell the key of a question that is kept: by its own mark
    /// from practice, and by another template that is still to be sat from every test.
    fn keeps_in_live(&self, own: Option<Uuid>, question_id: &str, now: Moment) -> bool {
        match self.mark(question_id) {
            Some(true) => false,
            Some(false) if own.is_none() => true,
            Some(false) | None => self.is_to_be_sat(own, question_id, now),
        }
    }

    /// Whether a question is in a class test that is still to be sat, and no practice: whoever may choose it for a test
    /// of their own learns its key from scores.
    #[must_use]
    pub fn is_of_class_test(&self, question_id: &str, now: Moment) -> bool {
        !self.is_practice(question_id) && self.is_to_be_sat(None, question_id, now)
    }

    fn is_to_be_sat(&self, own: Option<Uuid>, question_id: &str, now: Moment) -> bool {
        let keeps = |id: &Uuid| Some(*id) != own && self.keeps_from_others(*id, now);
        self.of_templates.get(question_id).is_some_and(|templates| templates.iter().any(keeps))
    }

    fn keeps_from_others(&self, template_id: Uuid, now: Moment) -> bool {
        let Some(template) = self.templates.get(&template_id) else { return false };
        // As long as it is not known when it was begun last, it may be now.
        let used_at = self.last_starts.as_ref().map_or(now, |last_starts| {
            last_starts.get(&template_id).map_or(template.updated_at, |last| template.updated_at.max(*last))
        });
        template.rules.keeps_from_others(now, used_at)
    }
}

/// What has been read of keys that are kept, and of which versions it is.
#[derive(Default)]
pub(super) struct ReadKeys {
    keys: Arc<KeptKeys>,
    marks: BTreeMap<Grade, (i64, Arc<PracticeMarks>)>,
    templates: HashMap<Uuid, (i64, Arc<GuardedTemplate>)>,
    last_starts: Option<Arc<HashMap<Uuid, Moment>>>,
    /// When they were read.
    starts_read_at: Option<Moment>,
}

impl ReadKeys {
    /// How many banks and templates have been read.
    pub(super) fn len(&self) -> usize {
        self.marks.len() + self.templates.len()
    }

    /// Reads what has changed. `None` if the database does not tell; what has come by then stays known. The same value
    /// means that nothing has changed.
    pub(super) async fn refreshed(&mut self, database: &Database, now: Moment) -> Option<Arc<KeptKeys>> {
        let marks = self.refresh_marks(database).await?;
        let standing = self.refresh_templates(database).await?;
        let removed = in_time(WHAT, READ_TIMEOUT, guarded_templates::load_removed(&database.read)).await?;
        let starts = self.refresh_starts(database, now).await;
        if !marks && !standing && !starts && removed.iter().all(|(id, _)| self.keys.templates.contains_key(id)) {
            return Some(Arc::clone(&self.keys));
        }
        let marks = self.marks.values().map(|(_, marks)| Arc::clone(marks)).collect();
        let mut templates: HashMap<Uuid, Arc<GuardedTemplate>> = HashMap::new();
        for (id, rules) in removed {
            // It keeps nothing from others, so that it does not matter when it was used.
            let updated_at = Moment::from_milliseconds(0);
            let rules = rules.unwrap_or_else(|| {
                if !self.keys.templates.contains_key(&id) {
                    tracing::error!(%id, "what a removed template said cannot be read: its tests tell no keys");
                }
                guarded_templates::kept_rules()
            });
            templates.insert(id, Arc::new(GuardedTemplate { rules, updated_at, question_ids: HashSet::new() }));
        }
        templates.extend(self.templates.iter().map(|(id, (_, template))| (*id, Arc::clone(template))));
        let keys = KeptKeys::of(marks, templates, self.last_starts.clone());
        // A change of a bank or of a template need not be one of this.
        if keys != *self.keys {
            self.keys = Arc::new(keys);
        }
        Some(Arc::clone(&self.keys))
    }

    /// Reads the marks of the banks that have changed. Returns whether there were any.
    async fn refresh_marks(&mut self, database: &Database) -> Option<bool> {
        let versions = in_time(WHAT, READ_TIMEOUT, questions::load_versions(database)).await?;
        let mut is_other = false;
        for (grade, version) in versions {
            if self.marks.get(&grade).is_some_and(|(known, _)| *known == version) {
                continue;
            }
            let marks = in_time(WHAT, READ_TIMEOUT, question_marks::load(&database.read, grade)).await?;
            self.marks.insert(grade, (version, Arc::new(marks)));
            is_other = true;
        }
        Some(is_other)
    }

    /// Reads the templates that have changed. Returns whether there were any, or some are gone.
    async fn refresh_templates(&mut self, database: &Database) -> Option<bool> {
        let versions = in_time(WHAT, READ_TIMEOUT, guarded_templates::load_versions(&database.read)).await?;
        let named: HashMap<Uuid, i64> = versions.into_iter().collect();
        let before = self.templates.len();
        self.templates.retain(|id, _| named.contains_key(id));
        let is_new = |(id, version): (&Uuid, &i64)| {
            (self.templates.get(id).is_none_or(|(known, _)| known != version)).then_some(*id)
        };
        let mut new: Vec<Uuid> = named.iter().filter_map(is_new).collect();
        new.sort_unstable();
        for ids in new.chunks(TEMPLATES_AT_ONCE) {
            let loading = guarded_templates::load_those(&database.read, ids);
            for KeyTemplate { id, updated_at, rules, question_ids } in in_time(WHAT, READ_TIMEOUT, loading).await? {
                let guarded = GuardedTemplate { rules, updated_at, question_ids };
                self.templates.insert(id, (updated_at.milliseconds(), Arc::new(guarded)));
            }
        }
        Some(before != self.templates.len() || !new.is_empty())
    }
    /// Reads when class tests without an end were begun last, of those that have not been changed for long. Returns
    /// whether it is known anew. What cannot be read stays as it was: nothing else waits for it.
    async fn refresh_starts(&mut self, database: &Database, now: Moment) -> bool {
        if self.starts_read_at.is_some_and(|at| now.since(at) < STARTS_EVERY_MILLISECONDS) {
            return false;
        }
        let soon = now.plus(STARTS_EVERY_MILLISECONDS);
        let rest = |template: &GuardedTemplate| {
            template.rules.is_open_ended() && !template.rules.keeps_from_others(soon, template.updated_at)
        };
        let ids: Vec<Uuid> =
            self.templates.iter().filter(|(_, (_, template))| rest(template)).map(|(id, _)| *id).collect();
        let mut last_starts = HashMap::new();
        for ids in ids.chunks(TEMPLATES_AT_ONCE) {
            let loading = guarded_templates::load_last_starts(&database.read, ids);
            let Some(found) = in_time(WHAT, READ_TIMEOUT, loading).await else { return false };
            last_starts.extend(found);
        }
        self.starts_read_at = Some(now);
        let last_starts = Some(Arc::new(last_starts));
        let is_other = self.last_starts != last_starts;
        self.last_starts = last_starts;
        is_other
    }
}

#[cfg(test)]
mod tests;
