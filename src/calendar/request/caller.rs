//! Who asks the calendar: by the same credentials as everywhere, refused in the calendar's own envelope.

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

/// Someone who asks.
pub struct Caller {
    identity: Option<Identity>,
    /// What they may do.
    pub rights: Rights,
}

impl Caller {
    /// Whom a request's credentials name: a token that it carries, else the cookie of a sign-in, which counts for nothing
    /// when another site's page sends it.
    ///
    /// # Errors
    /// 401 `incorrect_password` for a token that is none, on every route; 403 for a write that has but a cookie, by another
    /// site's page or in a request that is none by itself; when the store is unavailable.
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
        // A page elsewhere may read what everyone may, as its origin is echoed: not what a cookie opens.
        let is_elsewhere = request.headers().contains_key(ORIGIN) && cross_site::refuse_foreign_page(request).is_err();
        let identity = identity.filter(|_| has_token || !is_elsewhere);
        let rights = Rights::of(identity.as_ref().map(|identity| identity.role));
        Ok(Self { identity, rights })
    }

    /// Whether it is known who asks.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        self.identity.is_some()
    }

    /// The number by which the calendar knows them; none when they have never written.
    ///
    /// # Errors
    /// When the store is unavailable.
    pub async fn known_number(&self, database: &Database) -> Result<Option<i64>, CalendarError> {
        match &self.identity {
            Some(identity) => Ok(authors::find(database, &identity.email).await?),
            None => Ok(None),
        }
    }

    /// The number by which the calendar knows them, drawn when they first write.
    ///
    /// # Errors
    /// 401 for a visitor; when the store is unavailable.
    pub async fn number(&self, database: &Database) -> Result<i64, CalendarError> {
        let identity = self.identity.as_ref().ok_or_else(|| CalendarError::forbidden(false))?;
        Ok(authors::number(database, &identity.email).await?)
    }

    /// Whether they may change a record, by the number that they have; asked again by whoever changes it, since the record
    /// may have changed meanwhile.
    #[must_use]
    pub fn may_edit<F>(&self, number: Option<i64>, record: &Record<F>, now: Moment) -> bool {
        self.rights.may_edit(standing(number, record, now))
    }

    /// How they stand to a record.
    ///
    /// # Errors
    /// When the store is unavailable.
    pub async fn standing<F: Sync>(
        &self,
        database: &Database,
        record: &Record<F>,
        now: Moment,
    ) -> Result<RecordStanding, CalendarError> {
        // Nobody else's rights depend on whose it is.
        let number = if self.rights == Rights::Contributor { self.known_number(database).await? } else { None };
        Ok(standing(number, record, now))
    }

    /// What they may do, or a refusal.
    ///
    /// # Errors
    /// 401 `rest_forbidden` for a visitor, 403 for everyone else.
    pub fn allow(&self, may: bool) -> Result<(), CalendarError> {
        if may { Ok(()) } else { Err(CalendarError::forbidden(self.is_known())) }
    }

    /// The statuses of the events that count as coming, for them.
    #[must_use]
    pub fn coming(&self) -> Vec<Status> {
        if self.rights.may_list_unpublished() { Status::ANY.to_vec() } else { vec![Status::Publish] }
    }
}

fn standing<F>(number: Option<i64>, record: &Record<F>, now: Moment) -> RecordStanding {
    let status = record.content.status.now(record.content.published_at, now);
    RecordStanding { is_own: number == Some(record.content.author), status }
}

/// Whether a request carries a token, good or not. Other schemes name nobody to this interface, as in the reference.
fn has_token(headers: &HeaderMap) -> bool {
    let sent = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let scheme = sent.trim_start().split(' ').next().unwrap_or_default();
    ["bearer", "basic"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
}
