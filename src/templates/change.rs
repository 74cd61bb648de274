//! The one way to change a template: while nobody else can, and with the sittings whose candidates wait for it.

use std::collections::HashSet;
use std::sync::Arc;

use domain::access::{Identity, Role};
use domain::template::draft::ConfigDraft;
use domain::template::draw::QuestionPool;
use domain::template::{Bucket, Template, TemplateConfig};
use uuid::Uuid;

use super::record::change_of;
use super::{HAS_SITTINGS, HAS_TESTS, RETIRED_MEANWHILE, Templates, refuse_others};
use crate::database::Transaction;
use crate::error::Error;
use crate::http::audit::note_detail;
use crate::http::fallback::NOT_FOUND;
use crate::sittings::SITTING_OPEN;
use crate::store::{choosable, releases, results, templates};

/// Attempts to change a template. An attempt starts over if the template's grades, or what it chooses, have changed in
/// the meantime, which is rare.
const CHANGES_TRIED_MAX: usize = 5;
const BUSY: &str = "The template is being changed at the moment";

impl Templates {
    /// Changes a template while nobody else can, on this server or another. When `change` refuses, nothing is stored.
    /// `read` is called in the transaction with what `change` has made, and returns what the answer needs of it: once
    /// the change is stored, nothing may refuse it any more.
    ///
    /// # Errors
    /// 403 for a template that the caller does not manage, and 409 while the doors of one of its sittings are open.
    /// With `is_forced` they get the new paper, unless they have begun, or the template becomes one of another mode or
    /// of other grades.
    pub(super) async fn change<T, U, E>(
        &self,
        caller: &Identity,
        id: Uuid,
        is_forced: bool,
        change: impl FnOnce(&mut Template) -> Result<T, E>,
        read: impl AsyncFnOnce(&Transaction, T) -> Result<U, Error>,
    ) -> Result<Result<(Template, U), E>, Error> {
        let now = self.clock.now();
        let transaction = self.database.begin().await?;
        let open = self.sittings.lock_open_of(&transaction, id, is_forced, now).await?;
        let mut template = templates::lock(&transaction, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
        refuse_others(caller, &template.config.grades)?;
        let kind = |template: &Template| (template.config.mode, template.config.grades.clone());
        let before = kind(&template);
        let known: HashSet<String> = template.question_ids().into_iter().map(str::to_owned).collect();
        let made = match change(&mut template) {
            Ok(made) => made,
            Err(refusal) => return Ok(transaction.rollback().await.map(|()| Err(refusal))?),
        };
        // Attempts that wait can take another paper and other minutes, but not become another kind of test.
        if !open.is_empty() && kind(&template) != before {
            return Err(Error::Conflict(SITTING_OPEN));
        }
        // Whoever manages the new grades would see the results of the old ones.
        if template.config.grades != before.1 && caller.role != Role::Admin {
            self.refuse_used(&transaction, id).await?;
        }
        let made = read(&transaction, made).await?;
        if !templates::hold_questions(&transaction, &template, &known).await? {
            return Err(Error::Conflict(RETIRED_MEANWHILE));
        }
        templates::save(&transaction, &mut template, now).await?;
        let resealed = self.sittings.take_paper(open, &template).await?;
        self.sittings.commit_all(transaction, resealed).await?;
        self.changed();
        Ok(Ok((template, made)))
    }

    /// Refuses a template that people have sat, or are to sit in a sitting.
    async fn refuse_used(&self, transaction: &Transaction, id: Uuid) -> Result<(), Error> {
        if releases::is_named(transaction, id).await? {
            return Err(Error::Conflict(HAS_SITTINGS));
        }
        let tests = results::count_of_templates(&self.database, vec![id]).await?;
        if tests.is_empty() { Ok(()) } else { Err(Error::Conflict(HAS_TESTS)) }
    }

    /// Changes a template with the help of the questions of its grades. They are read before the template is locked, so
    /// that the lock is short. If the grades, or what is chosen of them, have changed by then, the change starts over.
    pub(super) async fn change_with_pool<T, U, E: Into<Error>>(
        &self,
        caller: &Identity,
        id: Uuid,
        is_forced: bool,
        change: impl Fn(&mut Template, &QuestionPool) -> Result<T, E>,
        read: impl AsyncFn(&Transaction, T) -> Result<U, Error>,
    ) -> Result<(Template, U), Error> {
        for _ in 0..CHANGES_TRIED_MAX {
            let config = self.managed(caller, id).await?.config;
            let pool = self.pool(&config).await?;
            let with_pool = |template: &mut Template| -> Result<T, Option<E>> {
                if !is_pool_of(&config, &template.config) {
                    return Err(None);
                }
                let list_before = template.paper(Bucket::Standard).to_vec();
                let made = change(template, &pool).map_err(Some)?;
                template.follow(&list_before, &pool, &mut rand::rng());
                Ok(made)
            };
            match self.change(caller, id, is_forced, with_pool, &read).await? {
                Ok(changed) => return Ok(changed),
                Err(Some(refusal)) => return Err(refusal.into()),
                Err(None) => {}
            }
        }
        Err(Error::Unavailable(BUSY))
    }

    /// Changes the configuration. The lists stay as they are, and the forms follow what is asked of them. Returns what
    /// the record says of it, too.
    pub async fn update(
        &self,
        caller: &Identity,
        id: Uuid,
        draft: &ConfigDraft,
        is_forced: bool,
    ) -> Result<(Template, String), Error> {
        for _ in 0..CHANGES_TRIED_MAX {
            // Strangers do not learn whether its doors are open.
            let found = self.managed(caller, id).await?;
            // The bank is read for forms alone. What is wrong with the draft is said below.
            let wanted = draft.clone().config(Some(&found.config)).ok();
            let wanted = wanted.filter(|wanted| has_forms(wanted, &found) && wants_other_forms(&found.config, wanted));
            let pool = match &wanted {
                Some(wanted) => self.pool(wanted).await?,
                None => QuestionPool::default(),
            };
            let configure = |template: &mut Template| -> Result<String, Option<Error>> {
                let before = template.config.clone();
                template.configure(draft.clone()).map_err(|refusal| Some(Error::from(refusal)))?;
                let config = &template.config;
                // Nobody gives a template to grades that they do not manage.
                refuse_others(caller, &config.grades).map_err(Some)?;
                let told = change_of(&before, config);
                note_detail(&told);
                if !wants_other_forms(&before, config) {
                    return Ok(told);
                }
                let is_read = || wanted.as_ref().is_some_and(|wanted| is_pool_of(wanted, config));
                if has_forms(config, template) && !is_read() {
                    return Err(None);
                }
                template.follow_config(&before, &pool, &mut rand::rng());
                Ok(told)
            };
            match self.change(caller, id, is_forced, configure, async |_, made| Ok(made)).await? {
                Ok(changed) => return Ok(changed),
                Err(Some(refusal)) => return Err(refusal),
                Err(None) => {}
            }
        }
        Err(Error::Unavailable(BUSY))
    }

    /// The questions of a template's grades. Reviews and sources are read only for a template that chooses by them.
    pub(super) async fn pool(&self, config: &TemplateConfig) -> Result<QuestionPool, Error> {
        let (mut all, mut movable) = (Vec::new(), Vec::new());
        for grade in &config.grades {
            let bank = self.banks.of(*grade).await?;
            all.extend_from_slice(&bank.keyed);
            movable.push(Arc::clone(bank.option_counts()));
        }
        let chosen = if config.choice.is_selective() {
            Some(choosable::load_ids(&self.database, &config.grades, &config.choice).await?)
        } else {
            None
        };
        Ok(QuestionPool { all, chosen, types: config.choice.types, movable })
    }
}

/// Whether the questions that were read for one config are those of another.
fn is_pool_of(read: &TemplateConfig, config: &TemplateConfig) -> bool {
    read.grades == config.grades && read.choice.is_like(&config.choice)
}

/// Whether a template has forms beside the list, or is to have some. Those that are not dealt follow too.
fn has_forms(config: &TemplateConfig, template: &Template) -> bool {
    config.form_count() > 1 || !template.forms.is_empty()
}

/// Whether a change of the config changes the forms, although the list stays.
fn wants_other_forms(before: &TemplateConfig, after: &TemplateConfig) -> bool {
    let choice = |config: &TemplateConfig| (config.choice.parallel_forms, config.choice.pinned.clone());
    (before.form_count(), choice(before)) != (after.form_count(), choice(after))
}
