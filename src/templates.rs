//! Test templates: an admin specifies a test, the server draws its questions once and locks them, and everyone who has
//! the link takes the same test.
//!
//! A template keeps the ids of its questions and nothing else of them
//! (`docs/decisions/0011-templates-keep-ids-attempts-keep-papers.md`).

pub mod admin;
mod by_hand;
mod change;
mod form_views;
pub mod manager;
pub mod public;
pub mod ready;
mod record;
mod requests;
mod routes;
mod runner_access;
mod scale_choice;
pub mod swap;
pub mod view;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use domain::access::Identity;
use domain::grade::Grade;
use domain::mark::MarkScale;
use domain::template::draw::{QuestionPool, Shortfalls};
use domain::template::{Invalid, Papers, Template, TemplateConfig};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::auth::caller::NOT_ASSIGNED;
use crate::auth::token;
use crate::base::Base;
use crate::clock::Clock;
use crate::database::{Database, in_time};
use crate::error::{Error, UNAVAILABLE};
use crate::http::audit::note_subject;
use crate::http::fallback::NOT_FOUND;
use crate::questions::bank::Banks;
use crate::school::SchoolSettings;
use crate::sittings::{Sittings, may_manage};
use crate::store::attempts::RunningAttempt;
use crate::store::embargo::Withheld;
use crate::store::openings::Openings;
use crate::store::templates::TemplateHeader;
use crate::store::{attempts, releases, templates};
use ready::{Known, Ready, ReadyTemplates};

/// Templates in the list, which is not paged.
const LISTED_MAX: u64 = 1_000;
/// How long the database may take to know the token of an attempt.
const SIT_TIMEOUT: Duration = Duration::from_secs(2);
const NEED_LOCAL: &str = "Test templates need the local data provider";
pub const UNEQUAL_BANDS: &str = "All bands must have the same total";
/// The answer to a swap for which no question is eligible.
pub const NO_REPLACEMENT: &str = "No eligible replacement available at this difficulty";
/// The answer to a swap with a replacement that is not eligible.
pub const WRONG_REPLACEMENT: &str = "Replacement must match the same difficulty";
/// The answer to students who ask for an exam before it opens.
pub const NOT_OPEN: &str = "The exam has not opened yet";
/// The answer to the removal of a template that a sitting names.
pub const HAS_SITTINGS: &str = "Template has sittings";
/// The answer to a manager who changes the grades of a template that people have sat.
pub const HAS_TESTS: &str = "Template has tests";
/// The answer to a draw of questions of which one has been retired in the last seconds.
const RETIRED_MEANWHILE: &str = "A question has just been retired: try again";

/// Test templates, for admins and for whoever has a link.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(public::template)
        .service(admin::list)
        .service(admin::create)
        .service(admin::read)
        .service(admin::update)
        .service(admin::delete)
        .service(admin::generate)
        .service(admin::candidates)
        .service(admin::swap)
        .service(admin::put_questions)
        .service(manager::list)
        .service(manager::create)
        .service(manager::read)
        .service(manager::update)
        .service(manager::delete)
        .service(manager::generate)
        .service(manager::candidates)
        .service(manager::swap)
        .service(manager::put_questions);
}

pub struct Templates {
    database: Database,
    banks: Arc<Banks>,
    openings: Arc<Openings>,
    sittings: Arc<Sittings>,
    school: Arc<SchoolSettings>,
    clock: Clock,
    ready: ReadyTemplates,
    changes: AtomicU64,
    /// Without, there are no templates, and every request gets 501.
    is_here: bool,
}

impl Templates {
    #[must_use]
    pub fn open(
        base: &Base,
        banks: &Arc<Banks>,
        openings: &Arc<Openings>,
        sittings: &Arc<Sittings>,
        school: &Arc<SchoolSettings>,
    ) -> Self {
        Self {
            database: base.database.clone(),
            banks: Arc::clone(banks),
            openings: Arc::clone(openings),
            sittings: Arc::clone(sittings),
            school: Arc::clone(school),
            clock: base.clock.clone(),
            ready: ReadyTemplates::new(base.database.clone(), base.config.access.public_answers),
            changes: AtomicU64::new(0),
            is_here: base.is_local(),
        }
    }

    /// Answers 501 unless the data is in this server's own database, since the contract of external services has no
    /// templates.
    pub fn here(&self) -> Result<(), Error> {
        if self.is_here { Ok(()) } else { Err(Error::NotHere(NEED_LOCAL)) }
    }

    /// The template in the form for students. Callers who ask for it at the same time share one load. It contains every
    /// change that this server has made.
    pub async fn ready(&self, id: Uuid) -> Result<Arc<Ready>, Error> {
        self.here()?;
        let withheld = self.sittings.changes.embargo.withheld().await?;
        self.ready.of(id, self.known(&withheld), &withheld).await
    }

    /// Like `ready`, but while the database is down the last known version is still served. That is enough for callers
    /// who only read the template; starting a test needs the current one.
    pub async fn ready_or_at_hand(&self, id: Uuid) -> Result<Arc<Ready>, Error> {
        let withheld = self.sittings.changes.embargo.withheld().await?;
        let known = self.known(&withheld);
        match self.ready.of(id, known, &withheld).await {
            Err(Error::NotFound(message)) => Err(Error::NotFound(message)),
            Err(error) => self.ready.at_hand(id, known).await.ok_or(error),
            ready => ready,
        }
    }

    /// What this server knows of that may have changed since a template was made ready.
    fn known(&self, withheld: &Withheld) -> Known {
        (self.banks.changes(), self.changes.load(Ordering::Acquire), withheld.keys_mark)
    }

    /// Whether students may not see the template yet, since every announced event of the calendar that has it lies
    /// ahead. A template without events is open to everyone who has its link.
    pub async fn is_closed(&self, id: Uuid) -> Result<bool, Error> {
        let opens_at = self.openings.of_template(id).await?;
        Ok(opens_at.is_some_and(|opens_at| opens_at > self.clock.now()))
    }

    /// Whether only staff of its grades may see the template, since an exam has it, or some of its questions.
    pub async fn is_withheld(&self, ready: &Ready) -> Result<bool, Error> {
        let withheld = self.sittings.changes.embargo.withheld().await?;
        let has_any = withheld.has_any(ready.question_ids.iter().map(String::as_str), None);
        Ok(has_any || withheld.has_template(ready.id) || self.is_exams_alone(ready).await?)
    }

    /// Whether the template has questions that are for exams alone, and an exam has it: whoever knows its link from
    /// there must not practise with them afterwards.
    async fn is_exams_alone(&self, ready: &Ready) -> Result<bool, Error> {
        if !ready.has_secure {
            return Ok(false);
        }
        let asking = releases::is_named(&self.database.read, ready.id);
        in_time("the sittings of a template", SIT_TIMEOUT, asking).await.ok_or(Error::Unavailable(UNAVAILABLE))
    }

    /// The scale by which a test of the template is marked that begins now.
    pub async fn mark_scale(&self, ready: &Ready) -> Result<Option<MarkScale>, Error> {
        if !ready.mark_scale.is_of_school() {
            return Ok(ready.mark_scale.scale(None));
        }
        // Kept in memory: a whole school begins at the same moment.
        let stored = self.school.get().await?;
        Ok(ready.mark_scale.scale(stored.school.mark_scale.clone()))
    }

    /// The running attempt at the template that this is the token of. Whoever has begun needs its questions, on another
    /// device too, whatever has become of the event. The candidates of a sitting have a sealed paper instead.
    pub async fn find_running(&self, id: Uuid, session_id: Uuid, token: &str) -> Result<Option<RunningAttempt>, Error> {
        let token_hash = token::hash(token);
        let asking = async {
            let Some(attempt) = attempts::find_running(&self.database, session_id, id).await? else { return Ok(None) };
            if token::matches(token, &attempt.token_hash) {
                return Ok(Some(attempt));
            }
            let has_token = attempts::has_further_token(&self.database, session_id, &token_hash).await;
            has_token.map(|is_theirs| is_theirs.then_some(attempt))
        };
        in_time("the attempt of a token", SIT_TIMEOUT, asking).await.ok_or(Error::Unavailable(UNAVAILABLE))
    }

    /// Whether the exam of a calendar event has not opened, or is no longer announced. An event without an exam, or
    /// whose exam is always open, is not closed.
    pub async fn is_event_closed(&self, event: i64) -> Result<bool, Error> {
        let opening = self.openings.of_event(event).await?;
        Ok(opening.is_some_and(|opening| !opening.is_open(self.clock.now())))
    }

    /// Of the templates that were changed last those that the caller manages, the newest first.
    pub async fn list(&self, caller: &Identity) -> Result<Vec<TemplateHeader>, Error> {
        let all = templates::load_summaries(&self.database, LISTED_MAX).await?;
        Ok(all.into_iter().filter(|template| may_manage(caller, &template.grades)).collect())
    }

    /// The template of that id, if the caller manages it.
    ///
    /// # Errors
    /// 404 for an unknown one, 403 for one of a grade that is not theirs.
    pub async fn managed(&self, caller: &Identity, id: Uuid) -> Result<Template, Error> {
        let template = self.load(id).await?;
        refuse_others(caller, &template.config.grades)?;
        Ok(template)
    }

    async fn load(&self, id: Uuid) -> Result<Template, Error> {
        templates::find(&self.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))
    }

    /// Creates a template and draws its questions.
    ///
    /// # Errors
    /// 400 for a pinned question that its grades do not have.
    pub async fn create(&self, config: TemplateConfig, created_by: &str) -> Result<(Template, Shortfalls), Error> {
        let pool = self.pool(&config).await?;
        if !pool.has_all(&config.choice.pinned) {
            return Err(Error::invalid("pinned"));
        }
        let now = self.clock.now();
        let mut template = Template {
            id: Uuid::new_v4(),
            config,
            papers: Papers::default(),
            forms: Vec::new(),
            created_by: created_by.to_owned(),
            created_at: now,
            updated_at: now,
        };
        let shortfalls = template.draw(&pool, &mut rand::rng());
        template.follow(&[], &pool, &mut rand::rng());
        note_subject(&template.id.to_string(), &template.config.name);
        if templates::insert(&self.database, &template).await? {
            if template.config.rules.guards_keys() {
                self.changed();
            }
            Ok((template, shortfalls))
        } else {
            Err(Error::Conflict(RETIRED_MEANWHILE))
        }
    }

    /// Draws all questions of a template again, but for the pinned ones.
    pub async fn generate(
        &self,
        caller: &Identity,
        id: Uuid,
        is_forced: bool,
    ) -> Result<(Template, Shortfalls), Error> {
        let draw = |template: &mut Template, pool: &QuestionPool| Ok::<_, Error>(template.draw(pool, &mut rand::rng()));
        self.change_with_pool(caller, id, is_forced, draw, async |_, shortfalls| Ok(shortfalls)).await
    }

    /// Removes a template that no sitting names. Tests that were started from it continue, since each attempt has a
    /// copy of its paper.
    pub async fn delete(&self, caller: &Identity, id: Uuid) -> Result<(), Error> {
        let transaction = self.database.begin().await?;
        let template = templates::lock(&transaction, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
        refuse_others(caller, &template.config.grades)?;
        if releases::is_named(&transaction, id).await? {
            return Err(Error::Conflict(HAS_SITTINGS));
        }
        templates::delete(&transaction, &template).await?;
        transaction.commit().await?;
        self.changed();
        Ok(())
    }

    fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Release);
        self.sittings.changes.embargo.changed();
    }
}

/// Refuses (403) whoever does not manage all of these grades.
fn refuse_others(caller: &Identity, grades: &[Grade]) -> Result<(), Error> {
    if may_manage(caller, grades) { Ok(()) } else { Err(Error::Forbidden(NOT_ASSIGNED)) }
}

/// The template id in a path. A text that is no id gets the same 404 as an unknown id.
fn known(text: &str) -> Result<Uuid, Error> {
    text.parse().map_err(|_| Error::NotFound(NOT_FOUND))
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        match invalid {
            Invalid::Field(name) => Self::invalid(name),
            Invalid::UnequalBands => Self::Invalid(UNEQUAL_BANDS.to_owned()),
        }
    }
}
