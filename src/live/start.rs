//! Begins attempts: the paper is drawn, the attempt is stored, and only then the student is answered.

mod access;
mod keys;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::access::{Identity, Role};
use domain::attempt::{ADAPTIVE_MINUTES, ADAPTIVE_STAGE_QUESTIONS, Attempt, Mode, STANDARD_MINUTES, Terms};
use domain::calculator::Calculator;
use domain::calendar::exam::event_of;
use domain::form::FormLetter;
use domain::grade::Grade;
use domain::lti::link::TEST_STUDENT;
use domain::mark::MarkScale;
use domain::option_counts::OptionCounts;
use domain::order::standing::PauseScopes;
use domain::question::KeyedQuestion;
use domain::question_types::QuestionTypes;
use domain::room::row;
use domain::selection::{PAPER_MIN, Targets, default_question_count, draw};
use domain::time::times::AttemptTimes;
use rand::seq::SliceRandom;
use uuid::Uuid;

use super::Live;
use super::journal::CommitRequest;
use super::protocol::fault::{Code, Fault};
use super::protocol::student_frame::{Start, Test};
use super::seat::{Seat, SeatHandle};
use super::store::{self, FIRST_FENCE, Hold, NewAttempt, StartChannel, Stored, Write};
use crate::auth::caller::Credential;
use crate::auth::token;
use crate::error::Error;
use crate::http::limits::CountedCaller;
use crate::questions::delivered::may_see_all;
use crate::templates::NOT_OPEN;
use crate::templates::ready::Ready;
use access::{Admission, AdmittedStart};
use keys::{begun_before, find_begun, start_key_hash};
pub(super) use keys::{random, repeatable_token};

/// How many questions a standard test may have (`docs/live-protocol.md#begin`).
const QUESTIONS: std::ops::RangeInclusive<i64> = 10..=40;

/// The attempt that a `start` has begun, now or earlier.
pub struct StartedAttempt {
    /// Its seat, if it has just begun. The seat of an earlier attempt may be on any server.
    pub seat: Option<Arc<SeatHandle>>,
    pub session_id: Uuid,
    pub token: String,
}

/// Returns the caller, if the caller is signed in.
pub async fn caller(live: &Live, credential: Option<Credential>) -> Result<Option<Identity>, Fault> {
    let Some(credential) = credential else { return Ok(None) };
    live.shared.neighbours.callers.who(credential).await.map_err(|error| {
        tracing::warn!(%error, "a start was refused: the caller could not be identified");
        Fault::storage()
    })
}

/// Begins an attempt, or finds the one that its `key` has begun. Fails with the codes of `start` in
/// `docs/live-protocol.md#errors`.
pub async fn begin(
    live: &Arc<Live>,
    start: Start,
    caller: Option<Identity>,
    address: Option<CountedCaller>,
    channel: StartChannel,
) -> Result<StartedAttempt, Fault> {
    begin_as(live, start, Starter { caller, address, is_sent: false }, channel).await
}

/// Begins a test of a template, or goes on with it, for somebody whom a learning platform has sent by a link that staff
/// have given it. The link stands for class and code; the window and the number of attempts hold. Without an account
/// the test never counts. Fails as [`begin`] does.
pub async fn begin_sent(
    live: &Arc<Live>,
    template_id: Uuid,
    annotations: Box<str>,
    caller: Option<Identity>,
) -> Result<StartedAttempt, Fault> {
    let test = Test::OfTemplate { template_id, access_code: None };
    let start = Start { test, annotations, webhook_url: None, base_url: None, key: None };
    begin_as(live, start, Starter { caller, address: None, is_sent: true }, StartChannel::Https).await
}

/// Who begins a test.
struct Starter {
    caller: Option<Identity>,
    address: Option<CountedCaller>,
    /// Whether a learning platform has sent them to it.
    is_sent: bool,
}

async fn begin_as(
    live: &Arc<Live>,
    start: Start,
    starter: Starter,
    channel: StartChannel,
) -> Result<StartedAttempt, Fault> {
    let Starter { caller, address, is_sent } = starter;
    let nobody = || is_sent.then(|| TEST_STUDENT.to_owned());
    let owner = caller.as_ref().map(|caller| caller.email.clone()).or_else(nobody);
    let key_hash = start.key.as_deref().map(|key| start_key_hash(key, owner.as_deref()));
    if let Some(key_hash) = key_hash
        && let Some((session_id, salt)) = find_begun(live, key_hash).await?
    {
        return Ok(begun_before(session_id, &salt, &start));
    }
    if start.base_url.as_deref().is_some_and(|base_url| !live.shared.base.config.server.may_link_to(base_url)) {
        return Err(Fault::new(Code::BadMessage, "baseUrl must be an address that this server allows"));
    }
    // Staff of its grades may try a test at any time and as often as they want.
    let mut admission = Admission::default();
    if !is_staff_of(live, &start.test, caller.as_ref()).await? {
        if let Test::OfTemplate { template_id, access_code } = &start.test {
            let typed = access_code.as_deref();
            let admitting = async {
                if is_sent {
                    access::admit_sent(live, *template_id, caller.as_ref()).await
                } else {
                    access::admit(live, *template_id, typed, caller.as_ref(), address).await
                }
            };
            match Box::pin(admitting).await? {
                AdmittedStart::Begins(begins) => admission = begins,
                AdmittedStart::GoesOn(started) => return Ok(started),
            }
        }
        refuse_closed(live, &start).await?;
    }
    let plan = Plan { admission, ..Plan::of(live, &start, caller.as_ref()).await? };
    let salt = random()?;
    let token = start.key.as_deref().map_or_else(|| token::encode(&salt), |key| repeatable_token(key, &salt));
    let new =
        plan.attempt(live, &start, owner.clone(), channel, token::hash(&token), key_hash.map(|hash| (hash, salt)));
    let attempt = Attempt::new(new.terms.clone(), new.times, new.paper.clone(), live.services.clock.now());
    let (session_id, token_hash) = (new.terms.session_id, new.token_hash);
    // Reserved before the commit, so that a proctor's order that comes between the commit and the seat waits for the
    // seat.
    let _reserved = live.shared.registry.reserve(session_id);
    let begin = store::Commit { hold: None, writes: vec![Write::Begin(Box::new(new))] };
    let stored = live.services.journal.send(CommitRequest(begin)).await;
    match stored {
        Ok(Ok(())) => {}
        Ok(Err(_)) | Err(_) => return Err(Fault::internal()),
    }
    // Another start with the same key may have been stored first. Then the session is that one, and this one was not
    // stored.
    if let Some(key_hash) = key_hash
        && let Some((winner, salt)) = find_begun(live, key_hash).await?
        && winner != session_id
    {
        return Ok(begun_before(winner, &salt, &start));
    }
    if let (Some(number), Some(owner), Test::OfTemplate { template_id, .. }) =
        (admission.number, owner.as_deref(), &start.test)
        && let Some(quicker) = access::find_quicker(live, (*template_id, session_id), number, owner).await?
    {
        return Ok(quicker);
    }
    let hold = Hold { session_id, fence: FIRST_FENCE, orders: 0 };
    let stored = Stored::begun(attempt, token_hash);
    let open = async || Ok::<_, Fault>(Seat::open(&live.services, stored, None, Some(hold)));
    let seat = live.shared.registry.find_or_open(session_id, open).await?;
    Ok(StartedAttempt { seat: Some(seat), session_id, token })
}

/// Whether the caller is staff of all grades of a test.
async fn is_staff_of(live: &Live, test: &Test, caller: Option<&Identity>) -> Result<bool, Fault> {
    let Some(caller) = caller.filter(|caller| caller.role != Role::Student) else { return Ok(false) };
    match test {
        Test::OfGrade { grade, .. } => Ok(may_see_all(caller, &[*grade])),
        Test::OfTemplate { template_id, .. } => Ok(may_see_all(caller, &ready(live, *template_id).await?.grades)),
    }
}

/// The template of a test.
async fn ready(live: &Live, template_id: Uuid) -> Result<Arc<Ready>, Fault> {
    live.shared.neighbours.templates.ready(template_id).await.map_err(|error| match error {
        Error::NotFound(_) | Error::NotHere(_) => Fault::template_not_found(),
        error => {
            tracing::warn!(%error, "a template cannot be loaded for a start");
            Fault::storage()
        }
    })
}

/// Refuses a start before its exam opens: by the event that its annotations name, and by the events of its template,
/// since a client might name none.
async fn refuse_closed(live: &Live, start: &Start) -> Result<(), Fault> {
    let unknown = |error: Error| {
        tracing::warn!(%error, "a start was refused: it could not be read whether the exam is open");
        Fault::storage()
    };
    let by_event = match event_of(&start.annotations) {
        Some(event) => live.shared.neighbours.templates.is_event_closed(event).await.map_err(unknown)?,
        None => false,
    };
    let by_template = match start.test {
        Test::OfTemplate { template_id, .. } => {
            live.shared.neighbours.templates.is_closed(template_id).await.map_err(unknown)?
        }
        Test::OfGrade { .. } => false,
    };
    if by_event || by_template { Err(Fault::new(Code::NotOpen, NOT_OPEN)) } else { Ok(()) }
}

/// The test that a `start` asks for, after all checks.
struct Plan {
    grade: Grade,
    mode: Mode,
    minutes: u32,
    calculator: Calculator,
    types: QuestionTypes,
    shuffles: bool,
    paper: Vec<Arc<KeyedQuestion>>,
    /// Those of the questions whose options the attempt shows in an order of its own.
    option_counts: Arc<OptionCounts>,
    template_id: Option<Uuid>,
    form: Option<FormLetter>,
    second_papers: Option<Arc<str>>,
    /// By which scale the result is marked.
    mark_scale: Option<Arc<MarkScale>>,
    admission: Admission,
}

impl Plan {
    async fn of(live: &Live, start: &Start, caller: Option<&Identity>) -> Result<Self, Fault> {
        let (grade, mode, duration_minutes, question_count, question_ids, types, shuffles) = match &start.test {
            Test::OfTemplate { template_id, .. } => return Self::of_template(live, *template_id, caller).await,
            Test::OfGrade { grade, mode, duration_minutes, question_count, question_ids, types, shuffle_options } => {
                (*grade, *mode, *duration_minutes, *question_count, question_ids, *types, *shuffle_options)
            }
        };
        if live.shared.base.config.access.gate_starts && caller.is_none() {
            return Err(Fault::new(Code::SignInRequired, "Sign in to start this test"));
        }
        let (minutes, count) = match mode {
            Mode::Adaptive => (ADAPTIVE_MINUTES, ADAPTIVE_STAGE_QUESTIONS),
            Mode::Standard => {
                let minutes = within(duration_minutes, STANDARD_MINUTES, "durationMinutes must be 15 to 70")?;
                let asked = question_count.map(|count| within(count, QUESTIONS, "questionCount must be 10 to 40"));
                (minutes, asked.transpose()?.map_or_else(|| default_question_count(minutes), |count| count as usize))
            }
        };
        let bank = live.services.banks.of(grade).await.map_err(|error| {
            tracing::warn!(%error, "a bank cannot be loaded for a start");
            Fault::storage()
        })?;
        // What an exam withholds is in no student's practice.
        let is_staff = caller.is_some_and(|caller| may_see_all(caller, &[grade]));
        let pool = bank.questions_for(is_staff, types);
        let paper = match question_ids {
            None => draw(&pool, Targets::standard(count), &HashSet::new(), &mut rand::rng()),
            Some(_) if mode == Mode::Adaptive => return Err(invalid("questionIds are for standard tests")),
            Some(ids) if is_staff => chosen(&pool, ids)?,
            Some(ids) => chosen(&without_class_tests(live, pool).await?, ids)?,
        };
        if paper.len() < PAPER_MIN {
            return Err(invalid("The grade has fewer than 10 questions of these types"));
        }
        Ok(Self {
            grade,
            mode,
            minutes,
            calculator: Calculator::None,
            types,
            shuffles,
            paper,
            option_counts: if shuffles { Arc::clone(bank.option_counts()) } else { Arc::default() },
            template_id: None,
            form: None,
            second_papers: None,
            mark_scale: None,
            admission: Admission::default(),
        })
    }

    /// Takes the test that the template has locked, in one of its forms. Who may start it was decided before.
    async fn of_template(live: &Live, template_id: Uuid, caller: Option<&Identity>) -> Result<Self, Fault> {
        let ready = ready(live, template_id).await?;
        let is_theirs = caller.is_some_and(|caller| may_see_all(caller, &ready.grades));
        if !is_theirs && live.shared.neighbours.templates.is_withheld(&ready).await.map_err(|_| Fault::storage())? {
            return Err(Fault::new(Code::NotOpen, NOT_OPEN));
        }
        if ready.has_empty_list {
            return Err(invalid("The template has a list without questions"));
        }
        let mark_scale = live.shared.neighbours.templates.mark_scale(&ready).await.map_err(|error| {
            tracing::warn!(%error, "the scale of marks cannot be read for a start");
            Fault::storage()
        })?;
        let (form, paper) = ready.drawn_form(&mut rand::rng());
        Ok(Self {
            grade: ready.grade,
            mode: ready.mode,
            minutes: ready.duration_minutes,
            calculator: ready.calculator,
            types: QuestionTypes::default(),
            shuffles: false,
            paper: paper.to_vec(),
            option_counts: Arc::clone(&ready.option_counts),
            template_id: Some(template_id),
            form,
            second_papers: ready.second_papers.clone(),
            mark_scale: mark_scale.map(Arc::new),
            admission: Admission::default(),
        })
    }

    fn attempt(
        self,
        live: &Live,
        start: &Start,
        owner: Option<String>,
        channel: StartChannel,
        token_hash: [u8; 32],
        start_key: Option<([u8; 32], [u8; 32])>,
    ) -> NewAttempt {
        let times = AttemptTimes::new(live.services.clock.now(), self.minutes);
        let times = AttemptTimes { hard_end: self.admission.closes_at, ..times };
        let terms = Terms {
            session_id: Uuid::new_v4(),
            grade: self.grade,
            mode: self.mode,
            duration_minutes: self.minutes,
            calculator: self.calculator,
            types: self.types,
            shuffles: self.shuffles,
            annotations: start.annotations.clone(),
            webhook_url: start.webhook_url.clone(),
            base_url: start.base_url.clone().unwrap_or_else(|| live.shared.base.config.server.auth_url.as_str().into()),
            template_id: self.template_id,
            student: row::student(&start.annotations, owner.as_deref()),
            account: owner.as_deref().map(Into::into),
            sitting: None,
            form: self.form,
            mark_scale: self.mark_scale,
        };
        let paper = self.option_counts.shuffled(self.paper, terms.session_id);
        NewAttempt {
            terms,
            paper,
            second_papers: self.second_papers,
            times,
            // The transaction that stores it knows whether the grade or the template is paused.
            paused_in: PauseScopes::default(),
            pause_text: None,
            token_hash,
            start_key,
            owner,
            counted: self.admission.number,
            server: live.services.server_id,
            channel,
            entry: None,
        }
    }
}

/// The questions that are in no class test which is still to be sat: whoever chose one of those again and again would
/// learn its key from the scores.
async fn without_class_tests(live: &Live, mut pool: Vec<Arc<KeyedQuestion>>) -> Result<Vec<Arc<KeyedQuestion>>, Fault> {
    let withheld = live.services.embargo.withheld().await.map_err(|_| Fault::storage())?;
    let now = live.services.clock.now();
    pool.retain(|question| !withheld.keys.is_of_class_test(&question.id, now));
    Ok(pool)
}

/// The client's own choice: 10 to 40 distinct questions of the grade, shuffled once.
fn chosen(pool: &[Arc<KeyedQuestion>], ids: &[String]) -> Result<Vec<Arc<KeyedQuestion>>, Fault> {
    let distinct: HashSet<&str> = ids.iter().map(String::as_str).collect();
    let count = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    if !QUESTIONS.contains(&count) || distinct.len() != ids.len() {
        return Err(invalid("questionIds must be 10 to 40 distinct ids"));
    }
    let key: HashMap<&str, &Arc<KeyedQuestion>> = pool.iter().map(|question| (&*question.id, question)).collect();
    let question = |id: &String| {
        key.get(id.as_str())
            .map(|question| Arc::clone(question))
            .ok_or_else(|| invalid("questionIds must be of the grade"))
    };
    let mut paper = ids.iter().map(question).collect::<Result<Vec<_>, _>>()?;
    paper.shuffle(&mut rand::rng());
    Ok(paper)
}

fn within(number: i64, range: std::ops::RangeInclusive<i64>, error: &str) -> Result<u32, Fault> {
    u32::try_from(number).ok().filter(|_| range.contains(&number)).ok_or_else(|| invalid(error))
}

fn invalid(error: &str) -> Fault {
    Fault::new(Code::InvalidTest, error)
}
