//! Which keys are kept from students by what is said of single questions, and by the rules of templates
//! (`docs/decisions/0087-who-may-sit-a-template.md`). It is read with what sittings withhold, and known to the whole
//! server without a question to the database.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use domain::grade::Grade;
use domain::session::{Session, SessionOrigin};
use domain::sight::Reader;
use domain::template::access::TemplateRules;
use domain::time::moment::Moment;
use uuid::Uuid;

use super::{Embargo, READ_TIMEOUT, TEMPLATES_AT_ONCE};
use crate::database::{Database, in_time};
use crate::error::Error;
use crate::store::question_marks::{self, PracticeMarks};
use crate::store::{guarded_templates, questions, templates};

const WHAT: &str = "which keys are kept";

/// A template whose rules keep keys.
#[derive(Debug, PartialEq, Eq)]
struct GuardedTemplate {
    rules: TemplateRules,
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
}

impl KeptKeys {
    fn of(marks: Vec<Arc<PracticeMarks>>, templates: HashMap<Uuid, Arc<GuardedTemplate>>) -> Self {
        let mut of_templates: HashMap<String, Vec<Uuid>> = HashMap::new();
        for (template_id, template) in templates.iter().filter(|(_, template)| template.rules.practice == Some(false)) {
            for id in &template.question_ids {
                of_templates.entry(id.clone()).or_default().push(*template_id);
            }
        }
        of_templates.values_mut().for_each(|ids| ids.sort_unstable());
        Self { marks, templates, of_templates }
    }

    /// Whether everyone may read a question with its key, where `PUBLIC_ANSWERS` is so.
    #[must_use]
    pub fn is_public(&self, question_id: &str, public_answers: bool) -> bool {
        match self.mark(question_id) {
            Some(is_practice) => is_practice,
            None => public_answers && !self.of_templates.contains_key(question_id),
        }
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

    /// Whether the keys of a finished test are kept from a reader who is not staff of its grade.
    #[must_use]
    pub fn keep(&self, session: &Session, reader: Reader, now: Moment) -> bool {
        if !self.shows_own(session.template_id, now) {
            return true;
        }
        // Another server says by its own options what it shows of the bank that it shares.
        if reader.is_server() {
            return false;
        }
        match session.origin {
            SessionOrigin::Client => session.question_ids().any(|id| !self.is_public(id, true)),
            SessionOrigin::Live => self.keep_others(session.template_id, session.question_ids(), now),
        }
    }

    /// The same in the seat of whoever has just handed in.
    #[must_use]
    pub fn keep_in_seat<'a>(
        &self,
        template_id: Option<Uuid>,
        question_ids: impl Iterator<Item = &'a str>,
        now: Moment,
    ) -> bool {
        !self.shows_own(template_id, now) || self.keep_others(template_id, question_ids, now)
    }

    /// From when students are told the keys of a template's tests, if they are not now: `Some(None)` for never.
    #[must_use]
    pub fn answers_from(&self, template_id: Option<Uuid>, now: Moment) -> Option<Option<Moment>> {
        let guarded = template_id.and_then(|id| self.templates.get(&id))?;
        (!guarded.rules.shows_answers(now)).then(|| guarded.rules.shows_from())
    }

    /// Whether students are told the keys of tests of this template.
    fn shows_own(&self, template_id: Option<Uuid>, now: Moment) -> bool {
        self.answers_from(template_id, now).is_none()
    }

    /// Whether a test of this template, or of none, would tell keys of another one that is still to be sat.
    fn keep_others<'a>(&self, own: Option<Uuid>, mut question_ids: impl Iterator<Item = &'a str>, now: Moment) -> bool {
        let keeps = |id: &Uuid| {
            Some(*id) != own && self.templates.get(id).is_some_and(|template| template.rules.keeps_from_others(now))
        };
        !self.of_templates.is_empty()
            && question_ids.any(|id| {
                !self.is_practice(id) && self.of_templates.get(id).is_some_and(|templates| templates.iter().any(keeps))
            })
    }
}

impl Embargo {
    /// From when a reader is told the keys of a test, if its template keeps them now: `Some(None)` for never.
    pub async fn answers_from(&self, session: &Session, reader: Reader) -> Result<Option<Option<Moment>>, Error> {
        if reader.is_above_embargo(session.grade) {
            return Ok(None);
        }
        Ok(self.withheld().await?.keys.answers_from(session.template_id, self.clock.now()))
    }
}

/// What has been read of keys that are kept, and of which versions it is.
#[derive(Default)]
pub(super) struct ReadKeys {
    keys: Arc<KeptKeys>,
    marks: BTreeMap<Grade, (i64, Arc<PracticeMarks>)>,
    templates: HashMap<Uuid, (i64, Arc<GuardedTemplate>)>,
}

impl ReadKeys {
    /// How many banks and templates have been read.
    pub(super) fn len(&self) -> usize {
        self.marks.len() + self.templates.len()
    }

    /// Reads what has changed. `None` if the database does not tell; what has come by then stays known. The same value
    /// means that nothing has changed.
    pub(super) async fn refreshed(&mut self, database: &Database) -> Option<Arc<KeptKeys>> {
        let marks = self.refresh_marks(database).await?;
        let standing = self.refresh_templates(database).await?;
        let removed = in_time(WHAT, READ_TIMEOUT, guarded_templates::load_removed(&database.read)).await?;
        if !marks && !standing && removed.iter().all(|(id, _)| self.keys.templates.contains_key(id)) {
            return Some(Arc::clone(&self.keys));
        }
        let marks = self.marks.values().map(|(_, marks)| Arc::clone(marks)).collect();
        let mut templates: HashMap<Uuid, Arc<GuardedTemplate>> = HashMap::new();
        for (id, rules) in removed {
            templates.insert(id, Arc::new(GuardedTemplate { rules, question_ids: HashSet::new() }));
        }
        templates.extend(self.templates.iter().map(|(id, (_, template))| (*id, Arc::clone(template))));
        let keys = KeptKeys::of(marks, templates);
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
            let found = in_time(WHAT, READ_TIMEOUT, templates::load_those(database, ids)).await?;
            for template in found {
                let question_ids = template.question_ids().into_iter().map(str::to_owned).collect();
                let (id, version) = (template.id, template.updated_at.milliseconds());
                let guarded = GuardedTemplate { rules: template.config.rules, question_ids };
                self.templates.insert(id, (version, Arc::new(guarded)));
            }
        }
        Some(before != self.templates.len() || !new.is_empty())
    }
}

#[cfg(test)]
mod tests;
