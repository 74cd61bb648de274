//! Test templates: an admin says what a test should have, the server draws its questions once and locks them, and
//! whoever has the link takes the same test (`assessment.md` 4.4).

pub mod admin;
pub mod public;
pub mod ready;
pub mod swap;
pub mod view;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::grade::Grade;
use domain::question::KeyedQuestion;
use domain::template::{self, ConfigDraft, Invalid, Shortfalls, SwapRefusal, Template, TemplateConfig};
use uuid::Uuid;

use crate::clock::Clock;
use crate::database::Database;
use crate::error::Error;
use crate::http::fallback::NOT_FOUND;
use crate::questions::QUESTION_NOT_FOUND;
use crate::questions::bank::Banks;
use crate::redis::Redis;
use crate::store::{questions, templates};
use ready::{Ready, ReadyTemplates};
use view::TestTemplate;

/// Templates that the list shows.
const LISTED_MAX: u64 = 1_000;
/// A change begins again when the template's grades change meanwhile, so often at most.
const CHANGES_TRIED_MAX: usize = 5;
/// For a service whose data is elsewhere.
const NEED_LOCAL: &str = "Test templates need the local data provider";
/// For bands that differ in their totals.
pub const UNEQUAL_BANDS: &str = "All bands must have the same total";
/// For a swap without a candidate.
pub const NO_REPLACEMENT: &str = "No eligible replacement available at this difficulty";
/// For a swap by a question that can't be the one.
pub const WRONG_REPLACEMENT: &str = "Replacement must match the same difficulty";
const BUSY: &str = "The template is being changed at the moment";

/// The templates of this service.
pub struct Templates {
    database: Database,
    banks: Arc<Banks>,
    clock: Clock,
    ready: ReadyTemplates,
    changes: AtomicU64,
    is_here: bool,
}

impl Templates {
    /// Reads them from the store when they are asked for; with `is_here` false there are none.
    #[must_use]
    pub fn new(
        database: Database,
        redis: Option<Redis>,
        banks: Arc<Banks>,
        clock: Clock,
        public_answers: bool,
        is_here: bool,
    ) -> Self {
        let ready = ReadyTemplates::new(database.clone(), redis, public_answers);
        Self { database, banks, clock, ready, changes: AtomicU64::new(0), is_here }
    }

    /// Whether there can be templates: they work with the local data provider alone (`assessment.md` 4.4).
    ///
    /// # Errors
    /// 501 with any other.
    pub fn here(&self) -> Result<(), Error> {
        if self.is_here { Ok(()) } else { Err(Error::NotHere(NEED_LOCAL)) }
    }

    /// The template as students get it. However many ask at once, it is made once; a change that this server has made
    /// is in it.
    ///
    /// # Errors
    /// 404 for an unknown one; when the store is unavailable.
    pub async fn ready(&self, id: Uuid) -> Result<Arc<Ready>, Error> {
        self.here()?;
        self.ready.of(id, (self.banks.changes(), self.changes.load(Ordering::Acquire))).await
    }

    /// The same; while the store is away, what is at hand goes on being served to those who only look at it.
    ///
    /// # Errors
    /// 404 for an unknown one; when the store is unavailable and nothing is at hand.
    pub async fn ready_or_at_hand(&self, id: Uuid) -> Result<Arc<Ready>, Error> {
        let known = (self.banks.changes(), self.changes.load(Ordering::Acquire));
        match self.ready.of(id, known).await {
            Err(Error::NotFound(message)) => Err(Error::NotFound(message)),
            Err(error) => self.ready.at_hand(id, known).await.ok_or(error),
            ready => ready,
        }
    }

    /// Those that were changed last, the newest first.
    ///
    /// # Errors
    /// When the store is unavailable.
    pub async fn list(&self) -> Result<Vec<templates::TemplateHeader>, Error> {
        Ok(templates::load_summaries(&self.database, LISTED_MAX).await?)
    }

    /// The template of that id.
    ///
    /// # Errors
    /// 404 for an unknown one; when the store is unavailable.
    pub async fn load(&self, id: Uuid) -> Result<Template, Error> {
        templates::find(&self.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))
    }

    /// Makes a template, with its questions drawn.
    ///
    /// # Errors
    /// When the store is unavailable.
    pub async fn create(&self, config: TemplateConfig, created_by: &str) -> Result<(Template, Shortfalls), Error> {
        let pool = self.pool(&config.grades).await?;
        let (papers, shortfalls) = template::generate(&config, &pool, &mut rand::rng());
        let now = self.clock.now();
        let template = Template {
            id: Uuid::new_v4(),
            config,
            papers,
            created_by: created_by.to_owned(),
            created_at: now,
            updated_at: now,
        };
        templates::insert(&self.database, &template).await?;
        Ok((template, shortfalls))
    }

    /// Changes what was asked for; the questions that are locked stay.
    ///
    /// # Errors
    /// 404 for an unknown one, 400 for what the config comes to; when the store is unavailable.
    pub async fn update(&self, id: Uuid, draft: ConfigDraft) -> Result<Template, Error> {
        let configure = |template: &mut Template| {
            template.config = draft.config(Some(&template.config))?;
            Ok::<(), Invalid>(())
        };
        let changed = templates::change(&self.database, id, self.clock.now(), configure).await?;
        let (template, ()) = changed.ok_or(Error::NotFound(NOT_FOUND))??;
        self.changed();
        Ok(template)
    }

    /// Draws all questions of a template anew.
    ///
    /// # Errors
    /// 404 for an unknown one; when the store is unavailable.
    pub async fn generate(&self, id: Uuid) -> Result<(Template, Shortfalls), Error> {
        let draw = |template: &mut Template, pool: &[Arc<KeyedQuestion>]| {
            let (papers, shortfalls) = template::generate(&template.config, pool, &mut rand::rng());
            template.papers = papers;
            Ok(shortfalls)
        };
        self.change_with_pool(id, draw).await
    }

    /// Removes a template. Tests that were started from it go on.
    ///
    /// # Errors
    /// 404 for an unknown one; when the store is unavailable.
    pub async fn delete(&self, id: Uuid) -> Result<(), Error> {
        let is_deleted = templates::delete(&self.database, id).await?;
        self.changed();
        if is_deleted { Ok(()) } else { Err(Error::NotFound(NOT_FOUND)) }
    }

    /// Changes a template by the questions of its grades. They are read before the template is locked; when its
    /// grades have changed until then, it begins again.
    async fn change_with_pool<T>(
        &self,
        id: Uuid,
        change: impl Fn(&mut Template, &[Arc<KeyedQuestion>]) -> Result<T, SwapRefusal>,
    ) -> Result<(Template, T), Error> {
        for _ in 0..CHANGES_TRIED_MAX {
            let grades = self.load(id).await?.config.grades;
            let pool = self.pool(&grades).await?;
            let with_pool = |template: &mut Template| {
                let is_same = template.config.grades == grades;
                if is_same { change(template, &pool).map_err(Some) } else { Err(None) }
            };
            let changed = templates::change(&self.database, id, self.clock.now(), with_pool).await?;
            match changed.ok_or(Error::NotFound(NOT_FOUND))? {
                Ok(changed) => {
                    self.changed();
                    return Ok(changed);
                }
                Err(Some(refusal)) => return Err(refusal.into()),
                Err(None) => {}
            }
        }
        Err(Error::Unavailable(BUSY))
    }

    /// All questions of these grades.
    async fn pool(&self, grades: &[Grade]) -> Result<Vec<Arc<KeyedQuestion>>, Error> {
        let mut pool = Vec::new();
        for grade in grades {
            pool.extend_from_slice(&self.banks.of(*grade).await?.keyed);
        }
        Ok(pool)
    }

    /// As admins see it.
    async fn shown(&self, template: Template) -> Result<TestTemplate, Error> {
        let questions = template.questions(&questions::load_by_ids(&self.database, template.question_ids()).await?);
        Ok(TestTemplate::of(template, questions))
    }

    fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Release);
    }
}

/// The id in a path.
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

impl From<SwapRefusal> for Error {
    fn from(refusal: SwapRefusal) -> Self {
        match refusal {
            SwapRefusal::NoSuchBucket => Self::invalid("bucket"),
            SwapRefusal::QuestionNotFound => Self::NotFound(QUESTION_NOT_FOUND),
            SwapRefusal::NoneEligible => Self::Conflict(NO_REPLACEMENT),
            SwapRefusal::NotEligible => Self::Invalid(WRONG_REPLACEMENT.to_owned()),
        }
    }
}
