//! Templates held ready for the minute in which a whole school opens one link: serialised, compressed and hashed once,
//! asked for again after a second at most, and made anew only when the template or a question has changed.

use std::sync::Arc;
use std::time::Duration;

use domain::attempt::Mode;
use domain::grade::Grade;
use domain::question::{KeyedQuestion, Question};
use domain::template::Template;
use domain::time::moment::Moment;
use moka::future::Cache;
use uuid::Uuid;

use super::view::RunnerTemplate;
use crate::database::Database;
use crate::error::{Error, UNAVAILABLE};
use crate::http::fallback::NOT_FOUND;
use crate::questions::delivered::Delivered;
use crate::redis::Redis;
use crate::store::sessions::band_keys_to_text;
use crate::store::{questions, templates};

/// Bytes of the templates that are held ready.
const READY_BYTES_MAX: u64 = 128 * 1_024 * 1_024;
/// A template that nobody asks for is let go.
const KEPT: Duration = Duration::from_secs(10 * 60);
/// What another server has changed is noticed within this time.
const BELIEVED_FOR: Duration = Duration::from_secs(1);
/// The store gives a template within this time, or whoever asks comes again.
const LOAD_TIMEOUT: Duration = Duration::from_secs(10);
/// The store says within this time whether a template has changed, or it is taken to be away.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);
/// About what a question's key takes in memory.
const KEY_BYTES: usize = 200;

/// A template as students get it.
pub struct Ready {
    /// The grade of its sessions.
    pub grade: Grade,
    /// One list, or a second one by band.
    pub mode: Mode,
    /// Whole minutes.
    pub duration_minutes: u32,
    /// The first list, in its order.
    pub paper: Vec<Arc<KeyedQuestion>>,
    /// The second lists with their keys, as an attempt keeps them.
    pub second_papers: Option<Arc<str>>,
    /// Whether a list has no questions, so that no test can be started.
    pub has_empty_list: bool,
    /// The template, as each caller may have it.
    pub questions: Delivered,
    version: Version,
}

/// When the template was last changed, and which changes of questions had been noticed before it was read.
type Version = (Moment, u64);

impl Ready {
    fn size(&self) -> u32 {
        let keys = KEY_BYTES * self.paper.len() + self.second_papers.as_deref().map_or(0, str::len);
        u32::try_from(self.questions.size() + keys).unwrap_or(u32::MAX)
    }
}

/// Those that are asked for. An unknown one is not remembered.
pub(super) struct ReadyTemplates {
    database: Database,
    redis: Option<Redis>,
    public_answers: bool,
    /// By id and by the changes of questions and of templates that this server knows of: what was read before a change
    /// is never found after it.
    current: Cache<(Uuid, Known), Arc<Ready>>,
    /// The last of each, which may still be as it should, with the changes that were known when it last was.
    built: Cache<Uuid, (Known, Arc<Ready>)>,
}

/// The changes of questions and of templates that this server knows of.
type Known = (u64, u64);

impl ReadyTemplates {
    pub(super) fn new(database: Database, redis: Option<Redis>, public_answers: bool) -> Self {
        let current = Cache::builder()
            .max_capacity(READY_BYTES_MAX)
            .weigher(|_, ready: &Arc<Ready>| ready.size())
            .time_to_live(BELIEVED_FOR);
        let built = Cache::builder()
            .max_capacity(READY_BYTES_MAX)
            .weigher(|_, (_, ready): &(Known, Arc<Ready>)| ready.size())
            .time_to_idle(KEPT);
        Self { database, redis, public_answers, current: current.build(), built: built.build() }
    }

    /// The template as it is after these changes.
    pub(super) async fn of(&self, id: Uuid, known: Known) -> Result<Arc<Ready>, Error> {
        match self.current.get(&(id, known)).await {
            Some(ready) => Ok(ready),
            None => self.load_once(id, known).await,
        }
    }

    /// The template as it was when the store could last be asked, unless this server knows of a change since.
    pub(super) async fn at_hand(&self, id: Uuid, known: Known) -> Option<Arc<Ready>> {
        self.built.get(&id).await.filter(|(then, _)| *then == known).map(|(_, ready)| ready)
    }

    /// Whoever asks meanwhile waits for the first.
    async fn load_once(&self, id: Uuid, known: Known) -> Result<Arc<Ready>, Error> {
        let loading = Box::pin(async {
            let loading = tokio::time::timeout(LOAD_TIMEOUT, self.load(id, known));
            loading.await.map_err(|_| Error::Unavailable(UNAVAILABLE))?
        });
        self.current.try_get_with((id, known), loading).await.map_err(|error: Arc<Error>| error.shared())
    }

    /// The time of the last change is read first: a template that changes meanwhile is then taken for old.
    async fn load(&self, id: Uuid, known: Known) -> Result<Arc<Ready>, Error> {
        let Some(updated_at) = self.find_updated_at(id).await? else {
            self.built.invalidate(&id).await;
            return Err(Error::NotFound(NOT_FOUND));
        };
        let version = (updated_at, known.0);
        let built = self.built.get(&id).await.map(|(_, ready)| ready).filter(|ready| ready.version == version);
        let ready = match built {
            Some(ready) => ready,
            None => {
                let template = templates::find(&self.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
                Arc::new(self.build(&template, version).await?)
            }
        };
        self.built.insert(id, (known, Arc::clone(&ready))).await;
        Ok(ready)
    }

    async fn find_updated_at(&self, id: Uuid) -> Result<Option<Moment>, Error> {
        let finding = tokio::time::timeout(CHECK_TIMEOUT, templates::find_updated_at(&self.database, id));
        Ok(finding.await.map_err(|_| Error::Unavailable(UNAVAILABLE))??)
    }

    async fn build(&self, template: &Template, version: Version) -> Result<Ready, Error> {
        let lists = template.questions(&questions::load_by_ids(&self.database, template.question_ids()).await?);
        let mode = template.config.mode;
        let delivered = (!self.public_answers)
            .then(|| lists.map(mode, |list| list.into_iter().flatten().map(Question::delivered).collect::<Vec<_>>()));
        let without_keys = delivered.as_ref().map(|delivered| RunnerTemplate::of(template, delivered));
        let questions =
            Delivered::of(&RunnerTemplate::of(template, &lists), without_keys.as_ref(), self.redis.as_ref()).await?;
        let keyed = lists.map(mode, |list| {
            list.into_iter().flatten().map(|question| Arc::new(question.keyed())).collect::<Vec<_>>()
        });
        Ok(Ready {
            grade: template
                .config
                .grades
                .first()
                .copied()
                .ok_or_else(|| Error::internal("a template without a grade"))?,
            mode,
            duration_minutes: template.config.duration_minutes,
            has_empty_list: keyed
                .standard
                .iter()
                .chain(&keyed.session1)
                .chain(keyed.session2.values())
                .any(Vec::is_empty),
            second_papers: if mode == Mode::Adaptive { Some(band_keys_to_text(&keyed.session2)?.into()) } else { None },
            paper: keyed.standard.or(keyed.session1).unwrap_or_default(),
            questions,
            version,
        })
    }
}
