//! What a template tells everyone about who may sit it, and the caller about their own account.

use std::collections::BTreeMap;

use domain::access::Identity;
use domain::band::Band;
use domain::template::Lists;
use domain::template::access::{Audience, TemplateAccess};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use super::Templates;
use super::ready::Ready;
use crate::error::Error;
use crate::store::{classes, counted_attempts};

/// What the account of a caller may do with a template.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OwnAccess {
    /// Whether the template is for the account; `None` if nobody is signed in, and it does not matter.
    pub(super) is_admitted: Option<bool>,
    /// How many tests it may still begin.
    pub(super) attempts_left: Option<u8>,
    /// Whether it has begun one that goes on.
    pub(super) is_running: bool,
}

/// Who may sit a template, when and how often: neither its code nor its classes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunnerAccess {
    /// Whom it is for.
    who: Audience,
    /// How often each account may sit it; null for as often as it wants.
    #[schema(minimum = 1, maximum = 20)]
    attempts: Option<u8>,
    /// From when it may be begun; null for at once.
    #[schema(value_type = Option<String>, format = DateTime)]
    opens_at: Option<Moment>,
    /// Until when it may be begun, and when every test of it ends at the latest; null for no end.
    #[schema(value_type = Option<String>, format = DateTime)]
    closes_at: Option<Moment>,
    /// Whether a code has to be typed before.
    code_required: bool,
    /// How many tests the caller's account may still begin; absent where that is not counted, or not known, and where
    /// the caller may see the questions.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts_left: Option<u8>,
    /// Whether it is for the account of the caller, who is signed in; absent like `attemptsLeft`.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    for_account: Option<bool>,
    /// True if the caller's account has begun a test that goes on: a start goes on with it, whatever the window, the
    /// code and the attempts are; absent otherwise.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    goes_on: Option<bool>,
}

impl RunnerAccess {
    /// What everyone is told, with what is told of the caller; `None` of a template that is for everyone.
    pub(super) fn of(access: &TemplateAccess, own: Option<OwnAccess>) -> Option<Self> {
        let own = own.unwrap_or_default();
        (*access != TemplateAccess::default()).then(|| Self {
            who: access.who,
            attempts: access.attempts,
            opens_at: access.opens_at,
            closes_at: access.closes_at,
            code_required: access.code.is_some(),
            attempts_left: own.attempts_left,
            for_account: own.is_admitted,
            goes_on: own.is_running.then_some(true),
        })
    }
}

/// How many questions each list of a template has.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionCounts {
    /// Of a standard template.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    standard: Option<usize>,
    /// Of the first list of an adaptive template.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    session1: Option<usize>,
    /// Of its second list for each band.
    #[schema(value_type = Option<BTreeMap<String, usize>>, nullable = false)]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    session2: BTreeMap<Band, usize>,
}

impl QuestionCounts {
    pub(super) fn of(counts: &Lists<usize>) -> Self {
        Self { standard: counts.standard, session1: counts.session1, session2: counts.session2.clone() }
    }
}

impl Templates {
    /// Whether the questions of a template are for those alone who sit it, and for staff.
    pub(super) fn restricts(&self, ready: &Ready) -> bool {
        ready.rules.access.restricts(self.clock.now())
    }

    /// What the account of a caller may do with a template.
    pub(super) async fn own_access(&self, ready: &Ready, caller: Option<&Identity>) -> Result<OwnAccess, Error> {
        let access = &ready.rules.access;
        let Some(caller) = caller.filter(|_| access.needs_account()) else { return Ok(OwnAccess::default()) };
        let is_of_classes = access.who == Audience::Classes
            && classes::has_person(&self.database.read, &access.class_ids, &caller.email).await?;
        if access.admits(true, is_of_classes).is_err() {
            return Ok(OwnAccess { is_admitted: Some(false), ..OwnAccess::default() });
        }
        let begun = counted_attempts::find(&self.database, ready.id, &caller.email, self.clock.now()).await?;
        Ok(OwnAccess {
            is_admitted: Some(true),
            attempts_left: access.attempts_left(begun.begun),
            is_running: begun.running.is_some(),
        })
    }
}
