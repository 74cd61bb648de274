//! `POST /api/manager/corrections`: corrects a key, or says what that would do.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, post};
use domain::access::Identity;
use domain::correction::{AnswerSet, Correction, CorrectionOutlook, CorrectionScope};
use domain::question::{Choice, KeyedQuestion, OptionsDigest};
use domain::resources::EditRequest;
use domain::review::EditRefusal;
use domain::session::{AskedQuestion, TextState};
use domain::time::moment::Moment;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;
use uuid::Uuid;

use super::fields::{CorrectKey, Mend};
use super::revert::answer;
use super::scope::OwnScope;
use super::view::CorrectionView;
use super::{BUSY, Corrections};
use crate::auth::caller::{Manager, Staff};
use crate::auth::refusals::ManagerRefusals;
use crate::database::{Transaction, bound_stalls};
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::audit;
use crate::http::fields::JsonFields;
use crate::http::if_match::{IfMatch, version_tag};
use crate::http::parameters::flag;
use crate::provider::Provider;
use crate::questions::QUESTION_NOT_FOUND;
use crate::questions::bank::Banks;
use crate::store::corrections::{self, CORRECTIONS_OF_SCOPE_MAX, NewCorrection, StoredCorrection};
use crate::store::edits::{self, EditError};
use crate::store::questions::load_by_ids;
use crate::store::retired::load_asked;
use crate::store::{correction_outlook, former_questions};

const CORRECTIONS_CHANGED: &str = "Corrections have changed";
const TOO_MANY: &str = "Too many corrections";
const ID_TAKEN: &str = "There is another correction with this id";
const QUESTION_CHANGED: &str = "Question has changed";

#[derive(Deserialize)]
struct DryRunQuery {
    #[serde(rename = "dryRun")]
    dry_run: Option<String>,
}

/// The correction, or what it would do.
#[derive(serde::Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = CorrectionAnswer)]
#[allow(dead_code, reason = "describes an answer")]
enum CorrectionAnswer {
    Made(CorrectionView),
    Foreseen(CorrectionOutlook),
}

/// Corrects the key of a question for the tests of a sitting, of a template or of a grade between two times.
///
/// The correction holds at once for whoever hands in there; the finished tests follow in the background, each once, and
/// those whose result changes get another version. It is for managers of all grades concerned, and for admins. Of
/// several corrections of one question the newest rules. With `dryRun` nothing is stored, and the answer says what
/// would follow.
///
/// A request with an `id` may be repeated: the second time it is answered as the first time, and changes nothing.
#[utoipa::path(
    operation_id = "correctKey",
    tag = "results",
    security(("api_token" = [])),
    params(
        ("dryRun" = Option<bool>, Query, description = "Tell what the correction would do, and store nothing"),
        ("If-Match" = Option<String>, Header, description = "The version that the dry run gave: no correction of the question has been made or reverted since"),
    ),
    request_body = CorrectKey,
    responses(
        (status = 200, description = "The correction; with `dryRun` what it would do", body = CorrectionAnswer, headers(("ETag" = String, description = "The version of the correction; with `dryRun` of all corrections of the question"))),
        (status = 400, description = "`Invalid <field>`, or `Invalid dryRun`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown, or `Question not found`: nobody in the scope is asked it", body = ErrorBody),
        (status = 409, description = "`Question has changed`: it is no longer as `edit.before` says, or nobody in the scope was asked it with `optionTexts`; `Too many corrections`; or `There is another correction with this id`", body = ErrorBody),
        (status = 412, description = "`Corrections have changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 503, description = "Too many ask at once, or the database is busy", body = ErrorBody),
    )
)]
#[post("/api/manager/corrections")]
pub async fn make(
    asked: After<Manager, After<Query<DryRunQuery>, JsonFields>>,
    if_match: IfMatch,
    service: Data<Corrections>,
    provider: Data<dyn Provider>,
    banks: Data<Banks>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(query, fields)) = asked;
    let is_dry_run = flag("dryRun", query.dry_run.as_deref())?;
    let mut asked = CorrectKey::read(&fields)?;
    if !asked.kind.takes(asked.options.count()) {
        return Err(Error::invalid("options"));
    }
    let now = service.clock.now();
    let own = service.own_scope(&caller, &asked.scope, now).await?;
    if let Some(mend) = &asked.edit {
        Staff(caller.clone()).reviewing(mend.grade)?;
    }
    if let Some(id) = asked.id.filter(|_| !is_dry_run)
        && let Some(made) = corrections::find(&service.database.read, id).await?
    {
        return answer(&service, repeated(made, &asked, &own.scope, &caller)?).await;
    }
    let key = service.asked_key(&own, &asked).await?;
    let texts = service.option_texts(&key).await?;
    if !can_be_right(&asked.options, &key, texts.as_deref()) {
        return Err(Error::invalid("options"));
    }
    let correction = Correction {
        number: i64::MAX,
        question_id: Arc::clone(&key.id),
        kind: asked.kind,
        options: asked.options.clone(),
        of_options: key.options.filter(|_| asked.kind.names_options()),
        nobody_loses: asked.nobody_loses,
        scope: own.scope,
    };
    if is_dry_run {
        let (mut outlook, version) = service.foresee(own.sight, correction).await?;
        outlook.option_texts = texts;
        return Ok(private(&mut HttpResponse::Ok()).insert_header(version_tag(version)).json(outlook));
    }
    audit::note_subject(&asked.question_id, &detail(&correction));
    let new = NewCorrection { correction, comment: asked.comment.clone(), by: caller.email.clone() };
    let mend = asked.edit.take();
    let has_edit = mend.is_some();
    let request = CorrectionRequest { asked: &asked, caller: &caller, if_match: &if_match, now };
    let made = service.store(&request, new, mend, &**provider).await?;
    if has_edit {
        banks.changed().await;
    }
    service.news.notify_one();
    answer(&service, made).await
}

/// Whether a question can have these answers: the letters of its options, as far as its text is known, or numbers.
fn can_be_right(answers: &AnswerSet, key: &KeyedQuestion, texts: Option<&[String]>) -> bool {
    let options = texts.map_or(Choice::ALL.len(), <[String]>::len);
    let are_there = match answers {
        AnswerSet::Options(letters) => letters.iter().all(|option| (option as usize) < options),
        AnswerSet::Numbers(_) => true,
    };
    are_there && answers.are_of(&key.answer)
}

/// A request for a correction.
#[derive(Clone, Copy)]
struct CorrectionRequest<'a> {
    asked: &'a CorrectKey,
    caller: &'a Identity,
    if_match: &'a IfMatch,
    now: Moment,
}

/// The correction that there is with the id of a request, if the request has made it.
fn repeated(
    made: StoredCorrection,
    asked: &CorrectKey,
    scope: &CorrectionScope,
    caller: &Identity,
) -> Result<StoredCorrection, Error> {
    let StoredCorrection { correction, comment, made: act, .. } = &made;
    let has_scope = match (&correction.scope, scope) {
        (CorrectionScope::Grade(stored), CorrectionScope::Grade(named)) => {
            // It ended when it was made.
            (stored.grade, stored.from, stored.until) == (named.grade, named.from, named.until.min(act.at))
        }
        (stored, named) => stored == named,
    };
    let is_same = has_scope
        && *correction.question_id == *asked.question_id
        && (correction.kind, &correction.options) == (asked.kind, &asked.options)
        && asked.seen_options().is_none_or(|seen| correction.of_options == Some(seen))
        && (correction.nobody_loses, comment, &act.by) == (asked.nobody_loses, &asked.comment, &caller.email);
    if is_same { Ok(made) } else { Err(Error::Conflict(ID_TAKEN)) }
}

/// What the audit says of it.
fn detail(correction: &Correction) -> String {
    let options = correction.options.text();
    let scope = match &correction.scope {
        CorrectionScope::Sitting(id) => format!("sitting {id}"),
        CorrectionScope::Template(id) => format!("template {id}"),
        CorrectionScope::Grade(scope) => format!("grade {}", scope.grade.number()),
    };
    let losing = if correction.nobody_loses { "" } else { ", scores may fall" };
    format!("{} {options} in {scope}{losing}", correction.kind.name())
}

impl Corrections {
    /// The key of a question as the newest test of the scope was asked it with the options that the caller has seen, or
    /// as the next one will be.
    async fn asked_key(&self, own: &OwnScope, asked: &CorrectKey) -> Result<Arc<KeyedQuestion>, Error> {
        let (question_id, seen) = (&*asked.question_id, asked.seen_options());
        let found = async |seen: Option<OptionsDigest>| {
            let question = (question_id, seen);
            correction_outlook::find_asked(&self.database.read, own.sight, &own.scope, question).await
        };
        if let Some(key) = found(seen).await? {
            return Ok(key);
        }
        if seen.is_some() && found(None).await?.is_some() {
            return Err(Error::Conflict(QUESTION_CHANGED));
        }
        let is_to_come = own.template.as_ref().is_some_and(|template| template.question_ids().contains(question_id));
        let mut bank = if is_to_come { load_by_ids(&self.database, [question_id]).await? } else { Default::default() };
        let question = bank.remove(question_id).ok_or(Error::NotFound(QUESTION_NOT_FOUND))?;
        let key = question.keyed();
        if seen.is_some() && key.options != seen {
            return Err(Error::Conflict(QUESTION_CHANGED));
        }
        Ok(Arc::new(key))
    }

    /// The options of a question as it was asked, as far as its text is known.
    async fn option_texts(&self, key: &Arc<KeyedQuestion>) -> Result<Option<Vec<String>>, Error> {
        let keys = [Arc::clone(key)];
        let bank = load_asked(&self.database, [&*key.id]).await?;
        let former = former_questions::load(&self.database, &AskedQuestion::missing(&keys, &bank)).await?;
        let text = AskedQuestion::all(&keys, bank, former).remove(&*key.id);
        let text = text.filter(|asked| asked.state != TextState::Replaced);
        Ok(text.map(|asked| asked.question.options))
    }

    /// Makes the correction, and mends its question in the same transaction, unless the question is in an external
    /// service: then it is mended before, and a repeat finds it so.
    async fn store(
        &self,
        request: &CorrectionRequest<'_>,
        new: NewCorrection,
        mend: Option<Mend>,
        provider: &dyn Provider,
    ) -> Result<StoredCorrection, Error> {
        let (question_id, comment) = (Arc::clone(&new.correction.question_id), new.comment.clone());
        let mend = mend.map(|Mend { grade, updates, seen }| EditRequest {
            question_id: &question_id,
            grade,
            updates,
            seen,
            comment,
            editor: request.caller,
        });
        let mend = match mend {
            Some(asked) if !self.has_questions => {
                mended(provider.edit(asked).await)?;
                None
            }
            mend => mend,
        };
        let transaction = self.database.begin().await?;
        bound_stalls(&transaction).await?;
        if let Some(asked) = mend {
            mended(edits::apply_in(&transaction, asked, &self.clock).await)?;
        }
        let stored = self.insert(&transaction, request, new).await?;
        transaction.commit().await?;
        Ok(stored)
    }

    async fn insert(
        &self,
        transaction: &Transaction,
        request: &CorrectionRequest<'_>,
        new: NewCorrection,
    ) -> Result<StoredCorrection, Error> {
        let CorrectionRequest { asked, caller, if_match, now } = *request;
        if !corrections::lock(transaction, &self.clock).await? {
            return Err(Error::Unavailable(BUSY));
        }
        // The same request may have come twice at the same time.
        if let Some(id) = asked.id
            && let Some(made) = corrections::find(&**transaction, id).await?
        {
            return repeated(made, asked, &new.correction.scope, caller);
        }
        let version = corrections::find_version_of(&**transaction, &new.correction.question_id).await?;
        if_match.check(version, CORRECTIONS_CHANGED)?;
        if corrections::count_of_scope(&**transaction, &new.correction.scope).await? >= CORRECTIONS_OF_SCOPE_MAX {
            return Err(Error::Conflict(TOO_MANY));
        }
        Ok(corrections::insert(transaction, asked.id.unwrap_or_else(Uuid::new_v4), new, now).await?)
    }
}

/// A question that is as it was to become is mended too: an earlier request may have done it.
fn mended(edited: Result<Uuid, EditError>) -> Result<(), Error> {
    match edited {
        Ok(_) | Err(EditError::Refused(EditRefusal::NoChanges)) => Ok(()),
        Err(EditError::Unknown) => Err(Error::NotFound(QUESTION_NOT_FOUND)),
        Err(EditError::Refused(EditRefusal::Invalid)) => Err(Error::invalid("edit")),
        Err(EditError::Refused(EditRefusal::Changed)) => Err(Error::Conflict(QUESTION_CHANGED)),
        Err(EditError::Failed(cause)) => Err(cause),
    }
}
