//! A cache of templates for the minute in which a whole school opens one link. A template is serialised, compressed and
//! hashed once, checked against the database after a second at most, and built again only when the template or a
//! question has changed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::attempt::Mode;
use domain::band::Band;
use domain::calculator::Calculator;
use domain::form::FormLetter;
use domain::grade::Grade;
use domain::mark::chosen::ChosenScale;
use domain::option_counts::OptionCounts;
use domain::question::{KeyedQuestion, Question, WholeQuestion};
use domain::template::access::TemplateRules;
use domain::template::{Bucket, Lists, Template};
use domain::time::moment::Moment;
use moka::future::Cache;
use rand::Rng;
use rand::seq::IndexedRandom;
use uuid::Uuid;

use super::view::RunnerTemplate;
use crate::database::{self, Database};
use crate::error::{Error, UNAVAILABLE};
use crate::http::fallback::NOT_FOUND;
use crate::questions::delivered::{Delivered, PublicQuestion};
use crate::store::embargo::Withheld;
use crate::store::sessions::band_keys_to_text;
use crate::store::{questions, templates};

/// Bytes of each of the two caches below.
const READY_BYTES_MAX: u64 = 128 * 1_024 * 1_024;
/// How long a template that nobody asks for is kept.
const KEPT: Duration = Duration::from_secs(10 * 60);
/// How long a template is cached before the database is asked whether it has changed. It is also the longest time until
/// a change by another server is noticed.
const CACHED_FOR: Duration = Duration::from_secs(1);
/// How long loading a template may take. After that, its callers get 503.
const LOAD_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the database may take to say whether a template has changed. After that it counts as down, and callers get
/// what is in memory without a long wait.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);
/// Rough size of a question's key in memory, for the weight in the cache.
const KEY_BYTES: usize = 200;

/// A template in the form for students.
pub struct Ready {
    pub id: Uuid,
    pub name: String,
    /// Who may sit it, and who is told its keys.
    pub rules: TemplateRules,
    /// How many questions each list has.
    pub counts: Lists<usize>,
    /// The grade of the sessions that come from the template.
    pub grade: Grade,
    /// Whose staff may always see it.
    pub grades: Vec<Grade>,
    /// All its questions.
    pub question_ids: Vec<String>,
    /// Whether some of them are for exams alone.
    pub has_secure: bool,
    pub mode: Mode,
    pub duration_minutes: u32,
    pub calculator: Calculator,
    /// Whether students go through their questions in order.
    pub in_order: bool,
    /// By which scale its results are marked.
    pub mark_scale: ChosenScale,
    /// The first list in each of its forms.
    first: Vec<(FormLetter, Vec<Arc<KeyedQuestion>>)>,
    /// The questions whose options each attempt shows in an order of its own.
    pub option_counts: Arc<OptionCounts>,
    /// The second lists with their keys, as the text that attempts store.
    pub second_papers: Option<Arc<str>>,
    /// Whether some list has no questions, so that no test can be started.
    pub has_empty_list: bool,
    /// The template in the form for each caller.
    pub questions: Delivered,
    /// The same of each form, if some of them have questions of their own.
    own_forms: Vec<(FormLetter, OwnForm)>,
    /// Of each of `question_ids`, whether everyone may read its key.
    open: Vec<bool>,
    version: Version,
}

/// A template as whoever sits one of its forms needs it: with the questions of that form alone.
pub struct OwnForm {
    pub question_ids: Vec<String>,
    /// In the form for each caller.
    pub questions: Delivered,
}

/// When the template was last changed, and how many changes of questions this server knew before it read the template.
type Version = (Moment, u64);

impl Ready {
    /// Any of its forms, named if there are several, and the questions that those who get it begin with.
    pub fn drawn_form<R: Rng>(&self, random: &mut R) -> (Option<FormLetter>, &[Arc<KeyedQuestion>]) {
        let Some((form, list)) = self.first.choose(random) else { return (None, &[]) };
        (Some(*form).filter(|_| self.first.len() > 1), list)
    }

    /// Whether some forms have questions of their own.
    #[must_use]
    pub fn has_own_forms(&self) -> bool {
        !self.own_forms.is_empty()
    }

    /// What those of a form get, where forms have questions of their own. A test that began when there was only one is
    /// of form A.
    #[must_use]
    pub fn own_form(&self, form: Option<FormLetter>) -> Option<&OwnForm> {
        let form = form.unwrap_or(FormLetter::A);
        self.own_forms.iter().find(|(letter, _)| *letter == form).map(|(_, own)| own)
    }

    /// Whether everyone may still read the same keys.
    fn shows_same(&self, withheld: &Withheld, public_answers: bool) -> bool {
        let mut each = self.question_ids.iter().zip(&self.open);
        each.all(|(id, open)| withheld.keys.is_public(id, public_answers) == *open)
    }

    fn size(&self) -> u32 {
        let questions: usize = self.first.iter().map(|(_, list)| list.len()).sum();
        let keys = KEY_BYTES * questions + self.second_papers.as_deref().map_or(0, str::len);
        let own: usize = self.own_forms.iter().map(|(_, own)| own.questions.size()).sum();
        u32::try_from(self.questions.size() + own + keys).unwrap_or(u32::MAX)
    }
}

/// The templates that are asked for. Unknown ids are not remembered, or requests for invented ids could push the others
/// out.
pub(super) struct ReadyTemplates {
    database: Database,
    public_answers: bool,
    /// By id and by the changes that this server knows. After a change it looks for another key, so it never finds what
    /// was read before.
    current: Cache<(Uuid, Known), Arc<Ready>>,
    /// The last version of each template, with the changes that were known when it was found to be current. It saves
    /// building the template again, and is served while the database is down.
    built: Cache<Uuid, (Known, Arc<Ready>)>,
}

/// The numbers of changes that this server knows of: of questions, of templates, and of keys that are kept.
pub(super) type Known = (u64, u64, u64);

impl ReadyTemplates {
    pub(super) fn new(database: Database, public_answers: bool) -> Self {
        let current = Cache::builder()
            .max_capacity(READY_BYTES_MAX)
            .weigher(|_, ready: &Arc<Ready>| ready.size())
            .time_to_live(CACHED_FOR);
        let built = Cache::builder()
            .max_capacity(READY_BYTES_MAX)
            .weigher(|_, (_, ready): &(Known, Arc<Ready>)| ready.size())
            .time_to_idle(KEPT);
        Self { database, public_answers, current: current.build(), built: built.build() }
    }

    /// The template as it is after these changes.
    pub(super) async fn of(&self, id: Uuid, known: Known, withheld: &Withheld) -> Result<Arc<Ready>, Error> {
        match self.current.get(&(id, known)).await {
            Some(ready) => Ok(ready),
            None => self.load_once(id, known, withheld).await,
        }
    }

    /// The template as it was when the database last answered, unless this server knows of a change since.
    pub(super) async fn at_hand(&self, id: Uuid, known: Known) -> Option<Arc<Ready>> {
        self.built.get(&id).await.filter(|(then, _)| *then == known).map(|(_, ready)| ready)
    }

    /// Loads the template once for all callers who ask for it in the meantime.
    async fn load_once(&self, id: Uuid, known: Known, withheld: &Withheld) -> Result<Arc<Ready>, Error> {
        let loading = Box::pin(async {
            let loading = database::within(LOAD_TIMEOUT, self.load(id, known, withheld));
            loading.await.ok_or(Error::Unavailable(UNAVAILABLE))?
        });
        self.current.try_get_with((id, known), loading).await.map_err(|error: Arc<Error>| error.shared())
    }

    /// Reads the time of the last change before the template. If the template changes in between, that time is too old
    /// and it is built once more.
    async fn load(&self, id: Uuid, known: Known, withheld: &Withheld) -> Result<Arc<Ready>, Error> {
        let Some(updated_at) = self.find_updated_at(id).await? else {
            // Otherwise it would be served again as soon as the database is down.
            self.built.invalidate(&id).await;
            return Err(Error::NotFound(NOT_FOUND));
        };
        let version = (updated_at, known.0);
        let is_same = |ready: &Arc<Ready>| ready.version == version && ready.shows_same(withheld, self.public_answers);
        let built = self.built.get(&id).await.map(|(_, ready)| ready).filter(is_same);
        let ready = match built {
            Some(ready) => ready,
            None => {
                let template = templates::find(&self.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
                Arc::new(self.build(&template, version, withheld).await?)
            }
        };
        self.built.insert(id, (known, Arc::clone(&ready))).await;
        Ok(ready)
    }

    async fn find_updated_at(&self, id: Uuid) -> Result<Option<Moment>, Error> {
        let finding = database::within(CHECK_TIMEOUT, templates::find_updated_at(&self.database, id));
        Ok(finding.await.ok_or(Error::Unavailable(UNAVAILABLE))??)
    }

    async fn build(&self, template: &Template, version: Version, withheld: &Withheld) -> Result<Ready, Error> {
        let by_id = questions::load_by_ids(&self.database, template.question_ids()).await?;
        let lists = template.questions(&by_id);
        // Students of other forms find theirs beside the list.
        let of_forms = template.questions_of_other_forms(&by_id);
        let mode = template.config.mode;
        let of_list = lists.map(mode, |list| list.into_iter().flatten().collect::<Vec<_>>());
        let questions = self.delivered(template, &of_list, &of_forms, withheld).await?;
        let form_lists = template.form_lists(&by_id);
        let mut own_forms = Vec::new();
        if !of_forms.is_empty() {
            for list in &form_lists {
                let question_ids = list.questions.iter().map(|question| question.id.clone()).collect();
                let only = Lists { standard: Some(list.questions.clone()), ..Lists::default() };
                let questions = self.delivered(template, &only, &[], withheld).await?;
                own_forms.push((list.form, OwnForm { question_ids, questions }));
            }
        }
        let secure = questions::find_secure(&self.database.read, template.question_ids().into_iter()).await?;
        let question_ids: Vec<String> = template.question_ids().into_iter().map(str::to_owned).collect();
        let open = question_ids.iter().map(|id| withheld.keys.is_public(id, self.public_answers)).collect();
        let keyed = |list: &Vec<Question>| list.iter().map(|question| Arc::new(question.keyed())).collect::<Vec<_>>();
        let second: BTreeMap<Band, _> = lists.session2.iter().map(|(band, list)| (*band, keyed(list))).collect();
        let first: Vec<_> = form_lists.iter().map(|list| (list.form, list.keyed())).collect();
        let option_counts = template.shuffled_options(by_id.values());
        Ok(Ready {
            id: template.id,
            name: template.config.name.clone(),
            rules: template.config.rules.clone(),
            counts: lists.map(mode, |list| list.map_or(0, Vec::len)),
            has_secure: !secure.is_empty(),
            grade: template
                .config
                .grades
                .first()
                .copied()
                .ok_or_else(|| Error::internal("a template without a grade"))?,
            grades: template.config.grades.clone(),
            question_ids,
            mode,
            duration_minutes: template.config.duration_minutes,
            calculator: template.config.calculator,
            in_order: template.config.choice.in_order,
            mark_scale: template.config.mark_scale.clone(),
            has_empty_list: first.iter().map(|(_, list)| list).chain(second.values()).any(Vec::is_empty),
            second_papers: match mode {
                Mode::Adaptive => Some(band_keys_to_text(&second, &option_counts)?.into()),
                Mode::Standard => None,
            },
            first,
            option_counts: Arc::new(option_counts),
            questions,
            own_forms,
            open,
            version,
        })
    }

    /// The template with these lists, and these questions beside them, in the form for each caller.
    async fn delivered(
        &self,
        template: &Template,
        lists: &Lists<Vec<&Question>>,
        of_forms: &[&Question],
        withheld: &Withheld,
    ) -> Result<Delivered, Error> {
        let mode = template.config.mode;
        let is_keyless = template.config.rules.is_keyless();
        let is_public = |question: &Question| !is_keyless && withheld.keys.is_public(&question.id, self.public_answers);
        let mut listed = Bucket::all(mode).filter_map(|bucket| lists.get(bucket)).flatten().chain(of_forms);
        let are_all_public = self.public_answers && listed.all(|question| is_public(question));
        let form = |question| public_form(question, is_public(question));
        let delivered = (!are_all_public)
            .then(|| lists.map(mode, |list| list.into_iter().flatten().copied().map(form).collect::<Vec<_>>()));
        let forms_delivered: Vec<_> = of_forms.iter().copied().map(form).collect();
        let without_keys =
            delivered.as_ref().map(|delivered| RunnerTemplate::of(template, delivered, &forms_delivered));
        let plain = |question| WholeQuestion::of(question).plain();
        let whole = lists.map(mode, |list| list.into_iter().flatten().copied().map(plain).collect::<Vec<_>>());
        let forms_whole: Vec<_> = of_forms.iter().copied().map(plain).collect();
        let with_keys = RunnerTemplate::of(template, &whole, &forms_whole);
        let whole = None::<&RunnerTemplate<'_, WholeQuestion>>;
        // It may be the paper of an exam, now or later, so that it is in no memory but this server's.
        Delivered::of(whole, &with_keys, without_keys.as_ref(), &template.config.grades, None).await
    }
}

/// A question as everyone gets it who may see it.
fn public_form(question: &Question, has_key: bool) -> PublicQuestion<'_> {
    if has_key {
        PublicQuestion::WithKey(WholeQuestion::of(question).plain())
    } else {
        PublicQuestion::Keyless(question.delivered())
    }
}
