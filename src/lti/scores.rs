//! Scores for the grade books of platforms, as a kind of deliveries: their bytes, where they go, and what platforms
//! answer. They are queued with the results that they tell (`src/store/lti_scores.rs`).

pub mod admin;
mod answers;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use domain::lti::link::BoundLink;
use domain::lti::platform::{Platform, PlatformState};
use domain::lti::score::{
    CanvasSubmission, SCORE_MEDIA_TYPE, ScoreMessage, SubmissionTimes, next_timestamp, score_of_facts,
};
use domain::lti::{SCOPE_SCORE, addresses};
use domain::session::Session;
use domain::sight::Reader;
use domain::time::moment::Moment;
use sea_orm::DbErr;
use uuid::Uuid;

use super::line_items;
use super::services::PlatformServices;
use crate::base::Base;
use crate::clock::Clock;
use crate::database::{Database, Transaction};
use crate::error::Error;
use crate::outgoing::client::{Header, Letter, PostError, ReceiverAnswer};
use crate::outgoing::kind::{Draft, Judgement, OutgoingKind};
use crate::outgoing::store::Delivery;
use crate::store::embargo::Embargo;
use crate::store::lti_places::{self, PlaceQueue, ScoreAddress, ScorePlace};
use crate::store::lti_scores::{self, NO_COLUMN, SCORE_ENDED, SCORE_EVENTS, ScoreText};
use crate::store::{lti, session_versions, sessions};
use answers::{EarlierAttempts, NOT_FOUND, UNAUTHORIZED, excuse, judgement};

/// Why nothing is sent to a platform that an admin has not let in, or has shut out.
const NOT_ACTIVE: &str = "the platform is not active";
/// How long a score waits for its platform to be active: longer than a term. What waits longer is forgotten by all.
const WAITS_FOR_PLATFORM_MILLISECONDS_MAX: i64 = 180 * 24 * 60 * 60 * 1_000;
/// Why a score goes nowhere: the link or the person was removed.
const GONE: &str = "the link, or the person, is gone";
/// Why a score is sent no more: it would take the place of a newer one.
const NEWER_TOLD: &str = "the platform has the score of a newer test";

/// What the scores of finished tests are made of.
pub struct ScoreDeliveries {
    database: Database,
    clock: Clock,
    services: Arc<PlatformServices>,
    /// Decides whether a platform is told the result.
    embargo: Arc<Embargo>,
    /// The turns of those who look for the column of a link.
    turns: Mutex<HashMap<Uuid, Arc<tokio::sync::Mutex<()>>>>,
}

/// The bytes of scores by their deliveries, and the deliveries that have nothing to tell any more.
#[derive(Default)]
struct KeptTexts {
    texts: HashMap<Uuid, String>,
    gone: HashSet<Uuid>,
}

/// What the platform had of a test before.
#[derive(Clone, Copy)]
struct ToldBefore {
    /// This score, which is sent again.
    this: bool,
    /// Its result has a message of its own.
    by_release: bool,
}

impl ScoreDeliveries {
    #[must_use]
    pub fn open(base: &Base, services: Arc<PlatformServices>) -> Self {
        let (database, clock) = (base.database.for_background(), base.clock.clone());
        Self { database, clock, services, embargo: Arc::clone(&base.embargo), turns: Mutex::default() }
    }
}

#[async_trait]
impl OutgoingKind for ScoreDeliveries {
    fn events(&self) -> &'static [&'static str] {
        &SCORE_EVENTS
    }

    async fn find_awaited(&self) -> Result<Vec<String>, Error> {
        Ok(lti_scores::find_awaited_columns(&self.database).await?)
    }

    async fn drafts(&self, due: &[&Delivery]) -> Result<Vec<Draft>, Error> {
        let session_ids: Vec<Uuid> = due.iter().map(|due| due.session_id).collect();
        let addresses = lti_places::load_addresses(&self.database.read, &session_ids).await?;
        let places: HashSet<ScorePlace> = addresses.values().map(ScoreAddress::place).collect();
        let queues = lti_places::find_queues(&self.database, &places).await?;
        let no_column = addresses.values().filter(|to| to.line_item.is_none()).map(|to| to.link_id).collect();
        let first_of_links = lti_places::find_first_of_links(&self.database, &no_column).await?;
        let now = self.clock.now();
        let obstacle = |due: &Delivery, to: &ScoreAddress| {
            let is_late = first_of_links.get(&to.link_id).is_some_and(|first| *first != due.id);
            let in_place = obstacle(due, to, queues.get(&to.place()).copied().unwrap_or_default(), now);
            in_place.or_else(|| is_late.then_some(Draft::TooEarly))
        };
        // The bytes are made when nothing else is in the way: what they tell is true then.
        let free: Vec<(&Delivery, &ScoreAddress)> = due
            .iter()
            .filter_map(|due| Some((*due, addresses.get(&due.session_id)?)))
            .filter(|(due, to)| obstacle(due, to).is_none())
            .collect();
        let KeptTexts { texts, gone } = self.texts(&free).await?;
        let draft = |due: &&Delivery| {
            let Some(to) = addresses.get(&due.session_id) else { return Draft::Void(GONE.to_owned()) };
            if let Some(obstacle) = obstacle(due, to) {
                return obstacle;
            }
            match texts.get(&due.id) {
                // Without a column it is looked for within the attempt, at the host that has the list of columns.
                Some(body) => {
                    Draft::Ready(Letter { url: to.way().0, media_type: SCORE_MEDIA_TYPE, body: body.clone() })
                }
                None if gone.contains(&due.id) => Draft::Void("the session is gone".to_owned()),
                None => Draft::NotNow,
            }
        };
        Ok(due.iter().map(draft).collect())
    }

    async fn headers(&self, due: &Delivery, letter: &mut Letter) -> Result<Vec<Header>, PostError> {
        let (platform, link) = self.target(due).await?;
        let last_status = due.last_status.and_then(|status| u16::try_from(status).ok());
        if last_status == Some(UNAUTHORIZED) {
            self.services.forget_token(&platform, &[SCOPE_SCORE]).await;
        }
        let known = link.line_item.clone().filter(|_| last_status != Some(NOT_FOUND));
        let column = match known {
            Some(column) => column,
            None => Box::pin(self.find_column(&platform, &link)).await?,
        };
        letter.url =
            addresses::with_path(&column, "scores").ok_or_else(|| PostError::Hopeless(NO_COLUMN.to_owned()))?;
        self.services.refuse_plain(&letter.url)?;
        Ok(vec![self.services.authorization(&platform, &[SCOPE_SCORE]).await?])
    }

    fn judge(&self, due: &Delivery, answer: &ReceiverAnswer) -> Judgement {
        judgement(EarlierAttempts::of(due), answer)
    }

    fn excuse(&self, due: &Delivery, error: PostError) -> Judgement {
        excuse(EarlierAttempts::of(due), error)
    }

    async fn note_accepted(&self, transaction: &Transaction, accepted: &[&Delivery]) -> Result<(), DbErr> {
        let ids: Vec<Uuid> = accepted.iter().map(|due| due.id).collect();
        lti_scores::note_taken(transaction, &ids, self.clock.now()).await
    }
}

impl ScoreDeliveries {
    /// The bytes of these scores. Those that are sent for the first time are made, and kept before anything is sent.
    async fn texts(&self, due: &[(&Delivery, &ScoreAddress)]) -> Result<KeptTexts, Error> {
        let ids: Vec<Uuid> = due.iter().map(|(due, _)| due.id).collect();
        if ids.is_empty() {
            return Ok(KeptTexts::default());
        }
        let mut texts = lti_scores::find_texts(&self.database, &ids).await?;
        let new: Vec<_> = due.iter().filter(|(due, _)| !texts.contains_key(&due.id)).copied().collect();
        if new.is_empty() {
            return Ok(KeptTexts { texts, gone: HashSet::new() });
        }
        let (made, gone) = self.make_texts(&new).await?;
        texts.extend(lti_scores::keep_texts(&self.database, &made).await?);
        Ok(KeptTexts { texts, gone })
    }

    /// Returns also the deliveries whose tests are gone.
    async fn make_texts(&self, new: &[(&Delivery, &ScoreAddress)]) -> Result<(Vec<ScoreText>, HashSet<Uuid>), Error> {
        let delivery_ids: Vec<Uuid> = new.iter().map(|(due, _)| due.id).collect();
        let arrived = lti_scores::find_arrived(&self.database, &delivery_ids).await?;
        let ids: Vec<Uuid> = new.iter().map(|(due, _)| due.session_id).collect();
        let released = lti_scores::find_released(&self.database, &ids).await?;
        let places: HashSet<ScorePlace> = new.iter().map(|(_, to)| to.place()).collect();
        let last = lti_scores::find_last_moments(&self.database, &places).await?;
        let sessions = sessions::find_many(&self.database.read, ids).await?;
        // Each score tells of its own version, also when another one has come since.
        let is_newest = |due: &Delivery| match sessions.get(&due.session_id) {
            Some(Ok(session)) => i64::from(session.version.number) == i64::from(due.version),
            Some(Err(_)) | None => true,
        };
        let superseded = new.iter().filter(|(due, _)| !is_newest(due)).map(|(due, _)| (due.session_id, due.version));
        let earlier = session_versions::find_earlier(&self.database, &sessions, superseded).await?;
        let (mut texts, mut gone) = (Vec::with_capacity(new.len()), HashSet::new());
        for (due, to) in new {
            let newest = sessions.get(&due.session_id).filter(|_| is_newest(due));
            let session = match newest.or_else(|| earlier.get(&(due.session_id, due.version))) {
                Some(Ok(session)) => session,
                Some(Err(error)) => {
                    tracing::error!(delivery = %due.id, %error, "a score waits");
                    continue;
                }
                None => {
                    gone.insert(due.id);
                    continue;
                }
            };
            let timestamp = next_timestamp(self.clock.now(), last.get(&to.place()).copied());
            let past = ToldBefore { this: arrived.contains(&due.id), by_release: released.contains(&due.session_id) };
            match self.body(due, to, session, past, timestamp).await {
                Ok(body) => texts.push(ScoreText {
                    delivery_id: due.id,
                    link_id: to.link_id,
                    person_id: to.person_id,
                    timestamp,
                    body,
                }),
                Err(error) => tracing::warn!(delivery = %due.id, %error, "a score waits"),
            }
        }
        Ok((texts, gone))
    }

    /// What the platform is told: the score as soon as its students may see theirs, and until then that it comes later.
    async fn body(
        &self,
        due: &Delivery,
        to: &ScoreAddress,
        session: &Session,
        past: ToldBefore,
        timestamp: Moment,
    ) -> Result<String, Error> {
        let is_end = due.event == SCORE_ENDED;
        // Sent again it is no other attempt of the student's.
        let is_new_submission = is_end && !past.this;
        // A platform is told scores, and no keys.
        let reader = Reader::Receiver { has_public_answers: false, is_of_release: !is_end };
        let sight = self.embargo.sight(session, reader).await?;
        // The end of a test whose result was held says so also when it arrives late: the score has its own message.
        let facts = session.told_facts(sight).filter(|_| !(is_end && past.by_release));
        let (user, times) = (to.subject.clone(), times(session, timestamp));
        let message = match facts {
            None => ScoreMessage::pending(user, timestamp, times),
            Some(facts) => {
                let score = score_of_facts(facts, to.form());
                let comment = format!("{} on the scale of 200 to 800. Report: {}", facts.score, session.report_url);
                let graded = ScoreMessage::graded(user, score, timestamp, times, is_new_submission);
                ScoreMessage { comment: Some(comment), ..graded }
            }
        };
        let canvas = Some(CanvasSubmission { new_submission: is_new_submission });
        Ok(serde_json::to_string(&ScoreMessage { canvas, ..message })?)
    }

    /// The platform and the link of a score.
    async fn target(&self, due: &Delivery) -> Result<(Platform, BoundLink), PostError> {
        let found = async {
            let found = lti_places::load_addresses(&self.database.read, &[due.session_id]).await?;
            let Some(to) = found.get(&due.session_id) else { return Ok(None) };
            let platform = lti::load_platform(&self.database.read, to.platform_id).await?;
            Ok::<_, DbErr>(platform.zip(lti::find_link_by_id(&self.database.read, to.link_id).await?))
        };
        let found = found.await.map_err(|error| {
            tracing::warn!(delivery = %due.id, %error, "the link of a score cannot be read");
            PostError::Unsent("the link cannot be read".to_owned())
        })?;
        found.ok_or_else(|| PostError::Hopeless(GONE.to_owned()))
    }

    /// Finds the column of a link that was read, or makes it: one attempt at a time, and the others go where it goes.
    /// Else each would make a column of its own.
    async fn find_column(&self, platform: &Platform, read: &BoundLink) -> Result<String, PostError> {
        let turn = self.turn(read.id);
        let _alone = turn.lock().await;
        let link = lti::find_link_by_id(&self.database.read, read.id).await.map_err(|error| {
            tracing::warn!(link = %read.id, %error, "the link of a score cannot be read");
            PostError::Unsent("the link cannot be read".to_owned())
        })?;
        let link = link.ok_or_else(|| PostError::Hopeless(GONE.to_owned()))?;
        if let Some(column) = link.line_item.clone().filter(|_| link.line_item != read.line_item) {
            return Ok(column);
        }
        let finding = Box::pin(line_items::find_or_make(&self.services, platform, &link));
        let column = finding.await.map_err(|error| match error {
            // Of the score nothing was sent.
            PostError::Failed(reason) => PostError::Unsent(reason),
            error => error,
        })?;
        let noting = lti_scores::set_line_item(&self.database, link.id, link.line_item.as_deref(), &column);
        let noted = noting.await;
        Ok(match noted {
            Ok(column) => column,
            Err(error) => {
                // It is looked for again at the next score.
                tracing::warn!(%error, link = %link.id, "the column of a link cannot be noted");
                column
            }
        })
    }

    /// By which one attempt at a time looks for the column of a link.
    fn turn(&self, link_id: Uuid) -> Arc<tokio::sync::Mutex<()>> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(turns.entry(link_id).or_default())
    }
}

/// What is in the way of a score, if anything is.
fn obstacle(due: &Delivery, to: &ScoreAddress, queue: PlaceQueue, now: Moment) -> Option<Draft> {
    if PlatformState::parse(&to.state) != Some(PlatformState::Active) {
        let waits = now.since(Moment::from_milliseconds(due.created_at_ms));
        let is_forgotten = waits > WAITS_FOR_PLATFORM_MILLISECONDS_MAX;
        return Some(if is_forgotten { Draft::Void(NOT_ACTIVE.to_owned()) } else { Draft::ShutOut });
    }
    if queue.first.is_some_and(|first| first != due.id) {
        return Some(Draft::TooEarly);
    }
    let ended_at = to.completed_at_ms.map(Moment::from_milliseconds);
    if ended_at.is_some_and(|ended_at| queue.told_until.is_some_and(|told_until| ended_at < told_until)) {
        return Some(Draft::Void(NEWER_TOLD.to_owned()));
    }
    to.way().1.map(|fault| Draft::Void(fault.to_owned()))
}

/// When the test was sat. Canvas refuses an end that is ahead of its clock.
fn times(session: &Session, timestamp: Moment) -> SubmissionTimes {
    let submitted_at = session.completed_at.min(timestamp);
    SubmissionTimes { started_at: Some(session.started_at.min(submitted_at)), submitted_at: Some(submitted_at) }
}
