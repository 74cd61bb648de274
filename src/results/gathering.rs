//! Puts finished tests together: each test with its answers, and the numbers of each question.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use actix_web::web::block;
use domain::item_statistics::{ItemResponse, ItemStatistics};
use domain::question::{Choice, Question};
use domain::template::{Bucket, Template};
use futures_util::future::join;

use super::Results;
use super::asked::{Asked, Subject};
use crate::error::Error;
use crate::sittings::view::CandidateView;
use crate::store::Unreadable;
use crate::store::questions::load_by_ids;
use crate::store::results::{FinishedFilter, FinishedTest, load_after};

/// Tests whose results one answer shows, the newest: as many as a sitting has candidates. More are looked at by their
/// dates.
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
    /// Its place on the paper, from 1.
    pub number: usize,
    /// Of an adaptive template 1 or 2, else 1; `None` if tests differ in it.
    pub stage: Option<u8>,
    /// The right option, by which the newest test was graded.
    pub right: Option<Choice>,
    /// As it is now; `None` if it no longer exists.
    pub now: Option<Question>,
}

/// A finished test with its answers.
pub struct GatheredTest {
    pub test: FinishedTest,
    pub answers: Vec<GatheredAnswer>,
}

/// The place of the question among all, the chosen option, and whether it is right.
pub type GatheredAnswer = (u32, Option<Choice>, bool);

/// What has been counted so far.
#[derive(Default)]
struct Counting {
    /// In the order in which they were first seen, with the right option.
    questions: Vec<(String, Option<Choice>)>,
    places: HashMap<String, u32>,
    tests: Vec<GatheredTest>,
    statistics: ItemStatistics,
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
            let mut responses: Vec<ItemResponse<'_>> = Vec::new();
            for answer in test.answers()? {
                let place = self.place(&answer.response.question_id, answer.right);
                answers.push((place, answer.response.selected, answer.response.is_correct));
                responses.push(answer.response);
            }
            self.statistics.add(&responses);
            drop(responses);
            self.tests.push(GatheredTest { test: test.without_result(), answers });
        }
        Ok(self)
    }

    fn place(&mut self, question_id: &str, right: Option<Choice>) -> u32 {
        if let Some(place) = self.places.get(question_id) {
            return *place;
        }
        let place = u32::try_from(self.questions.len()).unwrap_or(u32::MAX);
        self.questions.push((question_id.to_owned(), right));
        self.places.insert(question_id.to_owned(), place);
        place
    }

    /// Puts the questions into the order of the paper, and the answers with them.
    fn in_order(mut self, template: Option<&Template>) -> (Vec<GatheredQuestion>, Vec<GatheredTest>, ItemStatistics) {
        let paper = template.map(places_on_paper).unwrap_or_default();
        let mut order: Vec<u32> = (0..).take(self.questions.len()).collect();
        let questions = std::mem::take(&mut self.questions);
        let id = |place: u32| questions.get(place as usize).map_or("", |(id, _)| id.as_str());
        // Those that the template no longer has come last.
        order.sort_by_key(|place| (paper.get(id(*place)).map_or((u8::MAX, 0), |found| *found), id(*place).to_owned()));
        let mut moved = vec![0; order.len()];
        for (new, old) in (0..).zip(&order) {
            if let Some(place) = moved.get_mut(*old as usize) {
                *place = new;
            }
        }
        for (place, _, _) in self.tests.iter_mut().flat_map(|test| &mut test.answers) {
            *place = moved.get(*place as usize).copied().unwrap_or(*place);
        }
        let one = |(index, old): (usize, &u32)| {
            let (id, right) = questions.get(*old as usize)?.clone();
            let place = paper.get(id.as_str()).copied();
            let number = place.map_or(index + 1, |(_, number)| number);
            Some(GatheredQuestion { id, number, stage: place.map(|(stage, _)| stage), right, now: None })
        };
        (order.iter().enumerate().filter_map(one).collect(), self.tests, self.statistics)
    }
}

/// The stage of each question of a template, and its place on the paper of those who get it.
fn places_on_paper(template: &Template) -> HashMap<&str, (u8, usize)> {
    let mut places = HashMap::new();
    let first = template.paper(Bucket::Session1).len();
    for bucket in Bucket::all(template.config.mode) {
        let (stage, before) = match bucket {
            Bucket::Session2(_) => (2, first),
            Bucket::Standard | Bucket::Session1 => (1, 0),
        };
        for (index, id) in template.paper(bucket).iter().enumerate() {
            if let Entry::Vacant(place) = places.entry(id.as_str()) {
                place.insert((stage, before + index + 1));
            }
        }
    }
    places
}

impl Results {
    /// Reads and counts everything that was asked for: to be called in a turn.
    pub(super) async fn gather(&self, asked: &Asked) -> Result<Gathered, Error> {
        let counting = self.count(asked.filter).await?;
        let truncated = counting.truncated;
        let (mut questions, tests, statistics) = counting.in_order(asked.subject.template());
        let ids: Vec<String> = questions.iter().map(|question| question.id.clone()).collect();
        let mut known = load_by_ids(&self.database, ids.iter().map(String::as_str)).await?;
        for question in &mut questions {
            question.now = known.remove(&question.id);
        }
        let candidates = match &asked.subject {
            Subject::Sitting(managed, _) if asked.with_people => self.sittings.views(managed).await?,
            _ => Vec::new(),
        };
        let tests = if asked.with_people { tests } else { Vec::new() };
        Ok(Gathered { questions, tests, candidates, statistics, truncated })
    }

    async fn count(&self, filter: FinishedFilter) -> Result<Counting, Error> {
        let mut counting = Counting::default();
        let mut tests = load_after(&self.database, filter, None, TESTS_AT_ONCE).await?;
        while let Some(last) = tests.last().map(FinishedTest::place).filter(|_| !counting.truncated) {
            let next = load_after(&self.database, filter, Some(last), TESTS_AT_ONCE);
            let (counted, next) = join(block(move || counting.add(tests)), next).await;
            counting = counted.map_err(Error::internal)?.map_err(Error::internal)?;
            tests = next?;
        }
        Ok(counting)
    }
}
