//! Who calls, as extractors: a handler's signature states who may use its route.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use moka::future::Cache;

use super::token;
use crate::clock::Clock;
use crate::database::Database;
use crate::domain::access::Role;
use crate::error::Error;
use crate::provider::local::users::{self, Identity};

/// How long a role is believed before the store is asked again: a demotion takes effect within this time.
const BELIEVED_FOR: Duration = Duration::from_secs(5);
/// Callers remembered at once.
const CALLERS_MAX: u64 = 10_000;
/// For someone whose role is too low.
pub const FORBIDDEN: &str = "Forbidden";

/// Finds out who calls.
pub struct Callers {
    database: Database,
    clock: Clock,
    known: Cache<[u8; 32], Option<Identity>>,
}

impl Callers {
    /// Knows nobody yet.
    #[must_use]
    pub fn new(database: Database, clock: Clock) -> Self {
        Self { database, clock, known: Cache::builder().max_capacity(CALLERS_MAX).time_to_live(BELIEVED_FOR).build() }
    }

    /// Whom the request's `Authorization` header names: an API token as Bearer, or as the password of Basic.
    ///
    /// # Errors
    /// When the store is unavailable.
    pub async fn identify(&self, headers: &HeaderMap) -> Result<Option<Identity>, Error> {
        let Some(token) = api_token(headers) else { return Ok(None) };
        let hash = token::hash(&token);
        let found = self.known.try_get_with(hash, users::find_by_token(&self.database, &hash, self.clock.now())).await;
        found.map_err(|error| Error::internal(error.to_string()))
    }
}

/// The credentials of a Bearer `Authorization` header.
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, credentials) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| credentials.trim())
}

fn api_token(headers: &HeaderMap) -> Option<String> {
    if let Some(token) = bearer(headers) {
        return Some(token.to_owned());
    }
    let (scheme, credentials) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(STANDARD.decode(credentials.trim()).ok()?).ok()?;
    decoded.split_once(':').map(|(_, password)| password.to_owned())
}

/// Anyone at all; who it is, when that can be told.
pub struct Anyone(pub Option<Identity>);

impl Anyone {
    /// Reviewers, managers and admins.
    #[must_use]
    pub fn is_staff(&self) -> bool {
        self.0.as_ref().is_some_and(|identity| identity.role != Role::Student)
    }
}

/// An admin: 401 for nobody, 403 for anyone else.
pub struct Admin(pub Identity);

/// An admin: 401 for everyone else, as `GET /api/sessions` has it (`decisions.md` 3).
pub struct AdminOnly(pub Identity);

type Extracting<T> = Pin<Box<dyn Future<Output = Result<T, Error>>>>;

async fn caller(request: HttpRequest) -> Result<Option<Identity>, Error> {
    let callers = request.app_data::<Data<Callers>>().ok_or_else(|| Error::internal("no callers in the app"))?;
    callers.identify(request.headers()).await
}

impl FromRequest for Anyone {
    type Error = Error;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async { caller(request).await.map(Self) })
    }
}

impl FromRequest for Admin {
    type Error = Error;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async {
            match caller(request).await? {
                Some(identity) if identity.role == Role::Admin => Ok(Self(identity)),
                Some(_) => Err(Error::Forbidden(FORBIDDEN)),
                None => Err(Error::Unauthorized),
            }
        })
    }
}

impl FromRequest for AdminOnly {
    type Error = Error;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async { caller(request).await?.filter(|identity| identity.role == Role::Admin).map(Self).ok_or(Error::Unauthorized) })
    }
}
