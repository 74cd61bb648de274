//! Puts finished tests together: each test with its answers, and the numbers of each question.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use actix_web::web::block;
use domain::attempt::Mode;
use domain::correction::{AnswerSet, CorrectionKind};
use domain::form::FormLetter;
use domain::item_statistics::{ItemResponse, ItemStatistics};
use domain::mark::ResultMark;
use domain::option_order::OptionOrder;
use domain::question::{Key, KeyedQuestion, Selected};
use domain::session::AskedQuestion;
use domain::sight::StaffSight;
use domain::template::{Bucket, Template};
use futures_util::future::join;
use uuid::Uuid;

use super::Results;
use super::asked::{Asked, Subject};
use super::discrimination::discriminations;
use super::marks::mark_of;
use crate::error::Error;
use crate::sittings::view::CandidateView;
use crate::store::marks::KnownScales;
use crate::store::results::{FinishedTest, load_after};
use crate::store::retired::load_asked;
use crate::store::sessions::load_keys;
use crate::store::{Unreadable, former_questions};

/// Tests whose results one answer shows, newest first: as many as a sitting has candidates. To see more, the caller
/// narrows the dates.
pub const RESULT_ROWS_MAX: usize = 20_000;
/// Tests of one page. Two pages are in memory, since the next one is read while this one is counted.
const TESTS_AT_ONCE: u64 = 500;

/// The results of what was asked for.
pub struct Gathered {
    /// In the order of the paper; of a grade, by id.
    pub questions: Vec<GatheredQuestion>,
    /// The newest first. Without the answers if the caller may not see people.
    pub tests: Vec<GatheredTest>,
    /// Everyone on the roster of a sitting, by name.
    pub candidates: Vec<CandidateView>,
    pub statistics: ItemStatistics,
    /// Whether there are more tests than these.
    pub truncated: bool,
}

/// A question that somebody was asked.
pub struct GatheredQuestion {
    pub id: String,
    /// Its place on the paper of the newest test in form A that has it, from 1, or in the list of the template; of a
    /// question that only another form has, its place there.
    pub number: usize,
    /// The form that has it, if form A has not.
    pub form: Option<FormLetter>,
    /// Of an adaptive template 1 or 2, else 1; `None` for a grade, in which tests differ.
    pub stage: Option<u8>,
    /// The key by which the newest test was graded.
    pub right: Option<Key>,
    /// What a correction of the key has made of it in that test, with the options or numbers that are right too.
    pub corrected: (Option<CorrectionKind>, AnswerSet),
    /// As the newest test asked it, as far as that is kept; `None` if nothing of it is known.
    pub asked: Option<AskedQuestion>,
    /// From -1 to 1, how well it tells strong students from weak ones; `None` where all did equally well.
    pub discrimination: Option<f64>,
}

/// A finished test with its answers.
pub struct GatheredTest {
    pub test: FinishedTest,
    pub answers: Vec<GatheredAnswer>,
    /// The orders in which the student saw options, with the places of their questions among all; those whose options
    /// stood as in the bank are left out.
    pub orders: Vec<(u32, OptionOrder)>,
    /// On the scale of the test, or of its sitting.
    pub mark: Option<ResultMark>,
}

/// The place of the question among all, the chosen option or what was typed, and whether it is right.
pub type GatheredAnswer = (u32, Option<Selected>, bool);

/// A question as the newest test has it.
struct SeenQuestion {
    id: String,
    /// Of that test.
    session_id: Uuid,
    /// Its place on that paper, from 1; or on the newest that had the order of the list.
    number: usize,
    /// Of which form that paper was; `None` if it had the order of the list.
    form: Option<FormLetter>,
    right: Option<Key>,
    corrected: (Option<CorrectionKind>, AnswerSet),
    corrected_in: Option<CorrectedIn>,
}

/// What a correction has made of a question in an older test, if the newest one keeps its result.
struct CorrectedIn {
    session_id: Uuid,
    right: Option<Key>,
    corrected: (Option<CorrectionKind>, AnswerSet),
}

impl CorrectedIn {
    /// Says of a question what it is by the correction. Letters do so only if both tests have asked the same options.
    fn apply(&self, question: &mut GatheredQuestion, keys: &HashMap<Uuid, Vec<Arc<KeyedQuestion>>>, newest: Uuid) {
        let options = |session_id: Uuid| {
            let key = keys.get(&session_id)?.iter().find(|key| *key.id == *question.id);
            key.map(|key| key.options)
        };
        let names_options = self.corrected.0.is_some_and(CorrectionKind::names_options);
        if !names_options {
            question.corrected = self.corrected.clone();
        } else if options(self.session_id) == options(newest) {
            (question.right, question.corrected) = (self.right.clone(), self.corrected.clone());
        }
    }
}

/// A question with the newest test that has it.
struct PlacedQuestion {
    newest: Uuid,
    corrected_in: Option<CorrectedIn>,
    question: GatheredQuestion,
}

/// What has been counted so far.
#[derive(Default)]
struct Counting {
    /// In the order in which they were first seen.
    questions: Vec<SeenQuestion>,
    places: HashMap<String, u32>,
    tests: Vec<GatheredTest>,
    statistics: ItemStatistics,
    scales: KnownScales,
    truncated: bool,
}

impl Counting {
    fn add(mut self, tests: Vec<FinishedTest>) -> Result<Self, Unreadable> {
        for test in tests {
            if self.tests.len() >= RESULT_ROWS_MAX {
                self.truncated = true;
                return Ok(self);
            }
            let mut answers = Vec::new();
            let responses = test.answers()?;
            let form = test.form().filter(|form| *form != FormLetter::A);
            for (number, response) in (1..).zip(&responses) {
                let place = self.place(response, test.session_id, (number, form));
                answers.push((place, response.selected.clone(), response.is_correct));
            }
            self.statistics.add(&responses);
            drop(responses);
            let orders = test.orders()?.into_iter();
            let orders = orders.filter_map(|(id, order)| Some((*self.places.get(&*id)?, order))).collect();
            let mark = mark_of(&test, &mut self.scales)?;
            self.tests.push(GatheredTest { test: test.without_result(), answers, orders, mark });
        }
        Ok(self)
    }

    /// The place of a question among all. With it comes its number on this paper, and the form of that, if it has not
    /// the order of the list.
    fn place(&mut self, response: &ItemResponse<'_>, session_id: Uuid, on_paper: (usize, Option<FormLetter>)) -> u32 {
        let (number, form) = on_paper;
        if let Some(place) = self.places.get(&*response.question_id) {
            let mut seen = self.questions.get_mut(*place as usize);
            // Numbers of another form would mix with those of the list.
            if let Some(seen) = seen.as_mut().filter(|seen| form.is_none() && seen.form.is_some()) {
                (seen.number, seen.form) = (number, None);
            }
            // The newest test may be one that keeps its result, since it would have lost by the correction.
            if let Some(seen) = seen.filter(|seen| seen.corrected.0.is_none() && response.correction.is_some()) {
                let corrected = (response.correction, response.also_right.clone());
                seen.corrected_in = Some(CorrectedIn { session_id, right: response.key.clone(), corrected });
            }
            return *place;
        }
        let place = u32::try_from(self.questions.len()).unwrap_or(u32::MAX);
        let id = response.question_id.clone().into_owned();
        self.places.insert(id.clone(), place);
        let corrected = (response.correction, response.also_right.clone());
        self.questions.push(SeenQuestion {
            id,
            session_id,
            number,
            form,
            right: response.key.clone(),
            corrected,
            corrected_in: None,
        });
        place
    }

    /// Puts the questions, each with the newest test that has it, into the order of the papers that were sat, and the
    /// answers with them: the template may have been drawn again since. Tests of a grade have papers of their own, so
    /// their questions are in the order of ids.
    fn in_order(mut self, template: Option<&Template>) -> (Vec<PlacedQuestion>, Vec<GatheredTest>, ItemStatistics) {
        let paper = template.map(TemplatePaper::of);
        let mut questions: Vec<(u32, SeenQuestion)> = (0..).zip(std::mem::take(&mut self.questions)).collect();
        questions.sort_by_cached_key(|(_, question)| {
            let place = paper.as_ref().map(|paper| paper.place(question));
            (place, question.id.clone())
        });
        let mut moved = vec![0; questions.len()];
        for (new, (old, _)) in (0..).zip(&questions) {
            if let Some(place) = moved.get_mut(*old as usize) {
                *place = new;
            }
        }
        for test in &mut self.tests {
            let of_answers = test.answers.iter_mut().map(|(place, _, _)| place);
            for place in of_answers.chain(test.orders.iter_mut().map(|(place, _)| place)) {
                *place = moved.get(*place as usize).copied().unwrap_or(*place);
            }
        }
        // It names nobody, so those who see no people have it too.
        let discriminations = discriminations(&self.tests, questions.len());
        let one = |(index, ((_, question), discrimination)): (usize, ((u32, SeenQuestion), Option<f64>))| {
            let place = paper.as_ref().map(|paper| paper.place(&question));
            let SeenQuestion { id, session_id: newest, right, corrected, corrected_in, .. } = question;
            let stage = place.map(|place| place.stage);
            let (form, number) = place.map_or((None, index + 1), |place| (place.form, place.number));
            let question = GatheredQuestion { id, number, form, stage, right, corrected, asked: None, discrimination };
            PlacedQuestion { newest, corrected_in, question }
        };
        (questions.into_iter().zip(discriminations).enumerate().map(one).collect(), self.tests, self.statistics)
    }
}

/// What a template says about the questions of tests.
struct TemplatePaper<'a> {
    is_adaptive: bool,
    /// Questions of the first stage.
    first: usize,
    /// The band of each question of the second stage, as its number.
    bands: HashMap<&'a str, usize>,
    /// The number of each question of the list of a standard template.
    numbers: HashMap<&'a str, usize>,
}

/// Where a question stands among the others. What form A has not comes behind what it has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct QuestionPlace {
    stage: u8,
    band: usize,
    form: Option<FormLetter>,
    number: usize,
}

impl<'a> TemplatePaper<'a> {
    fn of(template: &'a Template) -> Self {
        let mut bands = HashMap::new();
        for (band, bucket) in Bucket::all(template.config.mode).enumerate() {
            if matches!(bucket, Bucket::Session2(_)) {
                for id in template.paper(bucket) {
                    bands.entry(id.as_str()).or_insert(band);
                }
            }
        }
        let first = template.paper(Bucket::Session1).len();
        let numbers = template.paper(Bucket::Standard).iter().map(String::as_str).zip(1..).collect();
        Self { is_adaptive: template.config.mode == Mode::Adaptive, first, bands, numbers }
    }

    fn place(&self, question: &SeenQuestion) -> QuestionPlace {
        let id = question.id.as_str();
        let is_second = self.is_adaptive && question.number > self.first;
        let band = self.bands.get(id).copied().filter(|_| is_second);
        // Nobody may have sat form A.
        let in_list = question.form.and_then(|_| self.numbers.get(id).copied());
        let (form, number) = in_list.map_or((question.form, question.number), |number| (None, number));
        QuestionPlace { stage: if is_second { 2 } else { 1 }, band: band.unwrap_or(usize::MAX), form, number }
    }
}

impl Results {
    /// Reads and counts everything that was asked for: to be called in a turn.
    pub(super) async fn gather(&self, asked: &Asked) -> Result<Gathered, Error> {
        let counting = self.count(asked).await?;
        let truncated = counting.truncated;
        let (questions, tests, statistics) = counting.in_order(asked.subject.template());
        let questions = self.with_texts(asked.sight, questions).await?;
        let candidates = match &asked.subject {
            Subject::Sitting(managed, _) if asked.sight.shows_people() => self.sittings.views(managed).await?,
            _ => Vec::new(),
        };
        let tests = if asked.sight.shows_people() { tests } else { Vec::new() };
        Ok(Gathered { questions, tests, candidates, statistics, truncated })
    }

    /// The questions as the newest tests that have them asked them, with what corrections have made of them.
    async fn with_texts(&self, sight: StaffSight, placed: Vec<PlacedQuestion>) -> Result<Vec<GatheredQuestion>, Error> {
        let tests = |one: &PlacedQuestion| {
            std::iter::once(one.newest).chain(one.corrected_in.as_ref().map(|corrected| corrected.session_id))
        };
        let tests: HashSet<Uuid> = placed.iter().flat_map(tests).collect();
        let of_tests = load_keys(&self.database, sight, &tests.into_iter().collect::<Vec<_>>()).await?;
        let key = |PlacedQuestion { newest, question, .. }: &PlacedQuestion| {
            of_tests.get(newest)?.iter().find(|key| *key.id == *question.id).cloned()
        };
        let keys: Vec<Arc<KeyedQuestion>> = placed.iter().filter_map(key).collect();
        let bank = load_asked(&self.database, placed.iter().map(|one| one.question.id.as_str())).await?;
        let former = former_questions::load(&self.database, &AskedQuestion::missing(&keys, &bank)).await?;
        let mut known = AskedQuestion::all(&keys, bank, former);
        let with_text = |PlacedQuestion { newest, corrected_in, mut question }: PlacedQuestion| {
            if let Some(corrected) = corrected_in {
                corrected.apply(&mut question, &of_tests, newest);
            }
            let asked = known.remove(&question.id);
            GatheredQuestion { asked, ..question }
        };
        Ok(placed.into_iter().map(with_text).collect())
    }

    async fn count(&self, asked: &Asked) -> Result<Counting, Error> {
        let Asked { filter, sight, .. } = asked;
        let mut counting = Counting::default();
        let mut tests = load_after(&self.database, *sight, filter, None, TESTS_AT_ONCE).await?;
        while let Some(last) = tests.last().map(FinishedTest::place).filter(|_| !counting.truncated) {
            let next = load_after(&self.database, *sight, filter, Some(last), TESTS_AT_ONCE);
            let (counted, next) = join(block(move || counting.add(tests)), next).await;
            counting = counted.map_err(Error::internal)?.map_err(Error::internal)?;
            tests = next?;
        }
        Ok(counting)
    }
}
