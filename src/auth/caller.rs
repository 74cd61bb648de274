//! Callers and their rights, as extractors: a handler's signature states who may use its route.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderMap, USER_AGENT};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::access::{Identity, Role};
use domain::browser_name::BrowserName;
use domain::grade::Grade;
use domain::time::moment::Moment;
use moka::future::Cache;
use uuid::Uuid;

use super::cookie::{Cookies, SIGNED_IN_SECONDS, SignInCookie};
use super::{platform_account, token};
use crate::clock::Clock;
use crate::database::{self, Database, in_time};
use crate::error::{Error, FORBIDDEN, UNAVAILABLE};
use crate::http::audit;
use crate::provider::Provider;
use crate::store::sign_ins::{self, StoredSignIn};
use crate::store::tokens;

/// How long a role is cached. With [`READ_WITHIN`], a change on another server takes effect within 5 seconds.
const CACHED_FOR: Duration = Duration::from_secs(3);
/// How long one lookup of a caller may take before the database counts as unavailable.
const READ_WITHIN: Duration = Duration::from_millis(1_800);
/// Time to end a sign-in: people do not wait longer before they leave a shared computer.
const ENDED_WITHIN: Duration = Duration::from_secs(3);
/// How long a sign-in that has ended here is remembered: longer than the result of a lookup that began before may be
/// cached.
const ENDED_FOR: Duration = Duration::from_secs(10);
/// How often sign-ins that have expired are removed.
const SWEEP_EVERY: Duration = Duration::from_secs(60 * 60);
/// Callers whose role is cached, and sign-ins that are remembered as ended.
const CALLERS_MAX: u64 = 10_000;
/// Sign-ins of one user that are listed, the latest first; nobody has so many devices. The others end with all.
const SIGN_INS_LISTED_MAX: u64 = 100;
/// For a grade to which the reviewer or manager has not been assigned.
pub const NOT_ASSIGNED: &str = "Not assigned to this grade";

/// Identifies callers, and caches their roles.
pub struct Callers {
    database: Database,
    provider: Arc<dyn Provider>,
    clock: Clock,
    cookies: Cookies,
    /// Counts the changes of roles, assignments and tokens on this server. It is part of the cache's key, so a role
    /// that was read before a change is not found after it.
    changes: AtomicU64,
    known: Cache<(Credential, u64), Option<Identity>>,
    /// The hashes of sign-ins that have ended on this server. Emptying the whole cache for each would have the database
    /// asked for everybody when a school signs out.
    ended: Cache<[u8; 32], ()>,
}

/// How a caller was identified.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Credential {
    /// The hash of an API token.
    Token([u8; 32]),
    /// The e-mail address in a sign-in's cookie, when that sign-in was, in milliseconds, and its hash in the store.
    SignIn(String, i64, [u8; 32]),
}

impl Callers {
    #[must_use]
    pub fn new(database: Database, provider: Arc<dyn Provider>, clock: Clock, cookies: Cookies) -> Self {
        Self {
            database,
            provider,
            clock,
            cookies,
            changes: AtomicU64::new(0),
            known: Cache::builder().max_capacity(CALLERS_MAX).time_to_live(CACHED_FOR).build(),
            ended: Cache::builder().max_capacity(CALLERS_MAX).time_to_live(ENDED_FOR).build(),
        }
    }

    /// The caller whom the `Authorization` header names, with an API token as Bearer or as the password of Basic.
    /// Without that header, the one whom the cookie names.
    pub async fn identify(&self, headers: &HeaderMap) -> Result<Option<Identity>, Error> {
        match self.credential(headers) {
            Some(credential) => self.who(credential).await,
            None => Ok(None),
        }
    }

    /// The user behind a credential, at most [`CACHED_FOR`] old.
    pub async fn who(&self, credential: Credential) -> Result<Option<Identity>, Error> {
        // Before the cache: a lookup that began before the sign-out may still put its answer there.
        if let Credential::SignIn(_, _, secret_hash) = &credential
            && self.ended.contains_key(secret_hash)
        {
            return Ok(None);
        }
        let key = (credential, self.changes.load(Ordering::Acquire));
        let finding = async {
            let found = self.find(&key.0);
            database::within(READ_WITHIN, found).await.ok_or(Error::Unavailable(UNAVAILABLE))?
        };
        self.known.try_get_with_by_ref(&key, finding).await.map_err(|error: Arc<Error>| error.shared())
    }

    async fn find(&self, credential: &Credential) -> Result<Option<Identity>, Error> {
        match credential {
            Credential::Token(hash) => {
                let Some(token) = tokens::find_used(&self.database, hash, self.clock.now()).await? else {
                    return Ok(None);
                };
                self.provider.identify(&token.email, token.created_at, token.role).await
            }
            Credential::SignIn(email, at_ms, secret_hash) => {
                let now = self.clock.now();
                let identifying = async {
                    match platform_account::person_of(email) {
                        Some(person_id) => platform_account::find(&self.database, email, person_id).await,
                        None => self.provider.identify(email, Moment::from_milliseconds(*at_ms), Role::Admin).await,
                    }
                };
                let exists = async { Ok(sign_ins::use_one(&self.database, secret_hash, email, now).await?) };
                let (exists, identity) = tokio::try_join!(exists, identifying)?;
                Ok(identity.filter(|_| exists))
            }
        }
    }

    /// The credential of a request. A header that is present but invalid does not fall back to the cookie.
    #[must_use]
    pub fn credential(&self, headers: &HeaderMap) -> Option<Credential> {
        if headers.contains_key(AUTHORIZATION) {
            return api_token(headers).map(|token| Credential::Token(token::hash(&token)));
        }
        self.cookies
            .who(headers, self.clock.now())
            .map(|cookie| Credential::SignIn(cookie.email, cookie.since.milliseconds(), cookie.secret_hash))
    }

    /// Stores a new sign-in of the browser with these headers. Returns its secret, which only its cookie has.
    pub async fn begin_sign_in(&self, email: &str, at: Moment, headers: &HeaderMap) -> Result<String, Error> {
        let secret = token::encode(&token::random_bytes().map_err(Error::internal)?);
        let name = headers.get(USER_AGENT).and_then(|said| said.to_str().ok()).map(BrowserName::of);
        sign_ins::insert(&self.database, &token::hash(&secret), email, at, name.unwrap_or_default()).await?;
        Ok(secret)
    }

    /// The sign-ins of a user that have neither ended nor expired, the latest first.
    pub async fn sign_ins_of(&self, email: &str) -> Result<Vec<StoredSignIn>, Error> {
        let expired = self.clock.now().plus(-SIGNED_IN_SECONDS * 1_000);
        Ok(sign_ins::load_of(&self.database, email, expired, SIGN_INS_LISTED_MAX).await?)
    }

    /// Ends the sign-in whose cookie a request carries, and with it every copy of the cookie: at once on this server,
    /// and on the others within [`CACHED_FOR`]. With `everywhere`, all sign-ins of its user end, unless this one has
    /// ended already: whoever has a copy of it ends nothing more. `false` if the database does not do so in time.
    pub async fn sign_out(&self, headers: &HeaderMap, everywhere: bool) -> bool {
        let Some(SignInCookie { email, secret_hash, .. }) = self.cookies.who(headers, self.clock.now()) else {
            return true;
        };
        let ending = async {
            if everywhere && sign_ins::exists(&self.database, &secret_hash, &email).await? {
                sign_ins::end_of(&self.database, &email).await?;
                self.forget();
            }
            sign_ins::delete(&self.database, &secret_hash).await
        };
        let is_ended = in_time("the end of a sign-in", ENDED_WITHIN, ending).await.is_some();
        if is_ended {
            self.ended.insert(secret_hash, ()).await;
        }
        is_ended
    }

    /// Ends one of the sign-ins of a user: at once on this server, and on the others within [`CACHED_FOR`]. False if
    /// none of those that are listed has this id.
    pub async fn end_sign_in(&self, email: &str, id: Uuid) -> Result<bool, Error> {
        let listed = self.sign_ins_of(email).await?;
        let Some(found) = listed.into_iter().find(|one| token::sign_in_id(&one.secret_hash) == id) else {
            return Ok(false);
        };
        let was_there = sign_ins::end_one(&self.database, &found.secret_hash, email).await?;
        if let Ok(secret_hash) = <[u8; 32]>::try_from(found.secret_hash) {
            self.ended.insert(secret_hash, ()).await;
        }
        Ok(was_there)
    }

    /// Whether the sign-in of a user with this hash has not ended, by the database: one that another server has ended
    /// is still known here for [`CACHED_FOR`].
    pub async fn is_signed_in(&self, email: &str, secret_hash: &[u8; 32]) -> Result<bool, Error> {
        Ok(sign_ins::exists(&self.database, secret_hash, email).await?)
    }

    /// Ends all sign-ins of a user but the one whose hash this is. API tokens stay. False, and none ends, if that one
    /// has ended itself.
    pub async fn end_other_sign_ins(&self, email: &str, kept: &[u8; 32]) -> Result<bool, Error> {
        let have_ended = sign_ins::end_others(&self.database, email, kept).await?;
        self.forget();
        Ok(have_ended)
    }

    /// Ends all sign-ins of a user. API tokens stay.
    pub async fn end_sign_ins_of(&self, email: &str) -> Result<(), Error> {
        sign_ins::end_of(&self.database, email).await?;
        self.forget();
        Ok(())
    }

    /// Removes sign-ins that have expired, now and then; never returns.
    pub async fn sweep(&self) {
        loop {
            let expired = self.clock.now().plus(-SIGNED_IN_SECONDS * 1_000);
            if let Err(error) = sign_ins::delete_before(&self.database, expired).await {
                tracing::warn!(%error, "expired sign-ins cannot be removed");
            }
            self.clock.sleep(SWEEP_EVERY).await;
        }
    }

    /// Empties the cache. To be called when a role, an assignment or a token has changed: the change takes effect at
    /// once on this server, and on the others within [`CACHED_FOR`].
    pub fn forget(&self) {
        self.changes.fetch_add(1, Ordering::Release);
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

/// Any caller, also one who can't be identified.
pub struct Anyone(pub Option<Identity>);

/// Whoever is signed in. Others get 401.
pub struct SignedIn(pub Identity);

/// An admin. Callers who are not signed in get 401, others 403.
pub struct Admin(pub Identity);

/// An admin. All others get 401, also those who are signed in, as the contract of `GET /api/sessions` has it.
pub struct AdminOnly(pub Identity);

/// A reviewer, a manager or an admin. Callers who are not signed in get 401, students 403.
pub struct Staff(pub Identity);

impl Staff {
    /// Refuses (403) a grade whose questions the caller may not see, review and edit.
    pub fn reviewing(&self, grade: Grade) -> Result<(), Error> {
        if self.0.reviews().has(grade) { Ok(()) } else { Err(Error::Forbidden(NOT_ASSIGNED)) }
    }
}

/// A manager or an admin. Callers who are not signed in get 401, others 403.
pub struct Manager(pub Identity);

impl Manager {
    /// Refuses (403) a grade that the caller may not sign off.
    pub fn signing_off(&self, grade: Grade) -> Result<(), Error> {
        if self.0.signs_off().has(grade) { Ok(()) } else { Err(Error::Forbidden(NOT_ASSIGNED)) }
    }
}

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

/// The caller if they have at least this role: 401 for those who are not signed in, 403 for the others.
async fn at_least(role: Role, request: HttpRequest) -> Result<Identity, Error> {
    let identity = caller(request.clone()).await?.ok_or(Error::Unauthorized)?;
    if identity.role < role {
        return Err(Error::Forbidden(FORBIDDEN));
    }
    audit::note_caller(&request, &identity);
    Ok(identity)
}

impl FromRequest for SignedIn {
    type Error = Error;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async { at_least(Role::Student, request).await.map(Self) })
    }
}

impl FromRequest for Staff {
    type Error = Error;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async { at_least(Role::Reviewer, request).await.map(Self) })
    }
}

impl FromRequest for Manager {
    type Error = Error;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async { at_least(Role::Manager, request).await.map(Self) })
    }
}

impl FromRequest for Admin {
    type Error = Error;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async { at_least(Role::Admin, request).await.map(Self) })
    }
}

impl FromRequest for AdminOnly {
    type Error = Error;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let admin = caller(request.clone()).await?.filter(|identity| identity.role == Role::Admin);
            let admin = admin.ok_or(Error::Unauthorized)?;
            audit::note_caller(&request, &admin);
            Ok(Self(admin))
        })
    }
}
