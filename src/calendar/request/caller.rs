//! The caller of a request to the calendar: identified by the same credentials as everywhere, but refused with the
//! calendar's own errors.

use actix_web::HttpRequest;
use actix_web::http::header::{AUTHORIZATION, HeaderMap, ORIGIN};
use actix_web::http::{Method, StatusCode};
use domain::access::Identity;
use domain::calendar::rights::{RecordStanding, Rights};
use domain::calendar::status::Status;
use domain::time::moment::Moment;

use crate::auth::caller::Callers;
use crate::auth::cross_site;
use crate::calendar::answer::error::CalendarError;
use crate::calendar::store::authors;
use crate::calendar::store::records::Record;
use crate::database::Database;

pub struct Caller {
    identity: Option<Identity>,
    pub rights: Rights,
}

impl Caller {
    /// Identifies a caller by the token of the request, or else by the cookie of a sign-in. The cookie does not count
    /// if a page of another site sends it.
    ///
    /// # Errors
    /// 401 `incorrect_password` for an invalid token, on every route. 403 for a write that has only a cookie, if a page
    /// of another site sends it or if the request's own method is not a write.
    pub async fn of(request: &HttpRequest, method: &Method, callers: &Callers) -> Result<Self, CalendarError> {
        let has_token = has_token(request.headers());
        if !has_token && cross_site::is_foreign_write(request, method) {
            return Err(CalendarError::new(StatusCode::FORBIDDEN, "rest_cookie_invalid_nonce", "Cookie check failed"));
        }
        let identity = callers.identify(request.headers()).await?;
        if identity.is_none() && has_token {
            return Err(CalendarError::new(
                StatusCode::UNAUTHORIZED,
                "incorrect_password",
                "The provided password is an invalid application password.",
            ));
        }
        // Every `Origin` is echoed, so a page of another site may read what everyone may, but not what a cookie opens.
        let is_elsewhere = request.headers().contains_key(ORIGIN) && cross_site::refuse_foreign_page(request).is_err();
        let identity = identity.filter(|_| has_token || !is_elsewhere);
        let rights = Rights::of(identity.as_ref().map(|identity| identity.role));
        Ok(Self { identity, rights })
    }

    /// Returns whether the caller is signed in.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        self.identity.is_some()
    }

    /// The number by which the calendar knows the caller; `None` for a caller who has never written.
    pub async fn known_number(&self, database: &Database) -> Result<Option<i64>, CalendarError> {
        match &self.identity {
            Some(identity) => Ok(authors::find(database, &identity.email).await?),
            None => Ok(None),
        }
    }

    /// The number by which the calendar knows the caller, which the first write assigns; 401 for a visitor.
    pub async fn number(&self, database: &Database) -> Result<i64, CalendarError> {
        let identity = self.identity.as_ref().ok_or_else(|| CalendarError::forbidden(false))?;
        Ok(authors::number(database, &identity.email).await?)
    }

    /// Returns whether the caller with this number may change a record. Changes ask again within their transaction,
    /// since the record may have changed after the first check.
    #[must_use]
    pub fn may_edit<F>(&self, number: Option<i64>, record: &Record<F>, now: Moment) -> bool {
        self.rights.may_edit(standing(number, record, now))
    }

    /// The caller's standing to a record.
    pub async fn standing<F: Sync>(
        &self,
        database: &Database,
        record: &Record<F>,
        now: Moment,
    ) -> Result<RecordStanding, CalendarError> {
        // Only a contributor's rights depend on who the author is, so others are spared the lookup.
        let number = if self.rights == Rights::Contributor { self.known_number(database).await? } else { None };
        Ok(standing(number, record, now))
    }

    /// Refuses what the caller may not do: 401 `rest_forbidden` for a visitor, 403 for others.
    pub fn allow(&self, may: bool) -> Result<(), CalendarError> {
        if may { Ok(()) } else { Err(CalendarError::forbidden(self.is_known())) }
    }

    /// The statuses of events that count as upcoming for this caller.
    #[must_use]
    pub fn coming(&self) -> Vec<Status> {
        if self.rights.may_list_unpublished() { Status::ANY.to_vec() } else { vec![Status::Publish] }
    }
}

fn standing<F>(number: Option<i64>, record: &Record<F>, now: Moment) -> RecordStanding {
    let status = record.content.status.now(record.content.published_at, now);
    RecordStanding { is_own: number == Some(record.content.author), status }
}

/// Returns whether a request carries a token, valid or not. Other schemes identify nobody in this interface, as in the
/// original.
fn has_token(headers: &HeaderMap) -> bool {
    let sent = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let scheme = sent.trim_start().split(' ').next().unwrap_or_default();
    ["bearer", "basic"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
}
