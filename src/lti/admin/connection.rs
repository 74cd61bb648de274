//! `POST /api/admin/lti/platforms/{id}/test`: fetches a platform's keys and asks for a token, and says in words what is
//! in the way.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};
use domain::lti::platform::Platform;
use domain::lti::{SCOPE_LINE_ITEM, SCOPE_MEMBERS, SCOPE_SCORE};
use serde::Serialize;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use super::LearningPlatforms;
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::audit::with_detail;

/// Platforms that are tried out at once.
const CONNECTIONS_AT_ONCE_MAX: usize = 4;
/// What this server asks tokens for.
const USED: [&str; 3] = [SCOPE_LINE_ITEM, SCOPE_SCORE, SCOPE_MEMBERS];
const BUSY: &str = "The server is busy";
static TESTING: Semaphore = Semaphore::const_new(CONNECTIONS_AT_ONCE_MAX);

/// What became of a test.
#[derive(Serialize, ToSchema)]
struct ConnectionReport {
    /// Whether all of it works.
    ok: bool,
    /// Each step, in its order.
    checks: Vec<ConnectionCheck>,
}

/// One step of a test.
#[derive(Serialize, ToSchema)]
struct ConnectionCheck {
    name: CheckedPart,
    ok: bool,
    /// What is in the way, or what was found.
    message: String,
}

/// What is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum CheckedPart {
    /// The platform's public keys.
    Keys,
    /// An access token.
    Token,
}

/// Tries a platform out: fetches its keys, and asks it for an access token.
#[utoipa::path(
    operation_id = "testPlatform",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Platform id")),
    responses(
        (status = 200, description = "What became of it", body = ConnectionReport),
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 503, description = "Too many at once", body = ErrorBody),
    )
)]
#[post("/api/admin/lti/platforms/{id}/test")]
pub async fn test(asked: After<Admin, Path<String>>, service: Data<LearningPlatforms>) -> Result<HttpResponse, Error> {
    let After(_admin, id) = asked;
    let platform = service.find(&id).await?;
    let _place = TESTING.try_acquire().map_err(|_| Error::Unavailable(BUSY))?;
    let (keys, token) = tokio::join!(service.check_keys(&platform), service.check_token(&platform));
    let checks = vec![ConnectionCheck::of(CheckedPart::Keys, keys), ConnectionCheck::of(CheckedPart::Token, token)];
    let ok = checks.iter().all(|check| check.ok);
    let detail = format!("{}: {}", platform.name, if ok { "works" } else { "fails" });
    let response = private(&mut HttpResponse::Ok()).json(ConnectionReport { ok, checks });
    Ok(with_detail(response, detail))
}

impl ConnectionCheck {
    fn of(name: CheckedPart, result: Result<String, String>) -> Self {
        let ok = result.is_ok();
        Self { name, ok, message: result.unwrap_or_else(|reason| reason) }
    }
}

impl LearningPlatforms {
    async fn check_keys(&self, platform: &Platform) -> Result<String, String> {
        let keys = self.platform_keys.fetch(&platform.endpoints.jwks).await.map_err(|error| error.to_string())?;
        match keys.len() {
            0 => Err("the platform's key set has no keys".to_owned()),
            1 => Ok("1 key".to_owned()),
            count => Ok(format!("{count} keys")),
        }
    }

    /// Asks for what this server uses. A platform that refuses all together is asked which it gives: scores may go
    /// where columns may not be made.
    async fn check_token(&self, platform: &Platform) -> Result<String, String> {
        let Err(reason) = self.ask_for(platform, &USED).await else { return Ok(String::new()) };
        let (mut given, mut refused) = (Vec::new(), Vec::new());
        for scope in USED {
            let list = if self.ask_for(platform, &[scope]).await.is_ok() { &mut given } else { &mut refused };
            list.push(short(scope));
        }
        if given.is_empty() {
            return Err(reason);
        }
        let said = format!("given for {}, refused for {}: {reason}", given.join(", "), refused.join(", "));
        if given.contains(&short(SCOPE_SCORE)) { Ok(said) } else { Err(said) }
    }

    async fn ask_for(&self, platform: &Platform, scopes: &[&str]) -> Result<(), String> {
        // A token from before says nothing of now.
        self.services.forget_token(platform, scopes).await;
        self.services.authorization(platform, scopes).await.map(drop).map_err(|error| error.to_string())
    }
}

/// The end of a scope, which names it.
fn short(scope: &str) -> &str {
    scope.rsplit_once('/').map_or(scope, |(_, name)| name)
}
