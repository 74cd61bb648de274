//! The receipts of finished tests, and the proofs that they are in the log of their sitting: for the student whose test
//! it is, and for staff of its grade. Neither tells a score or a right answer, so both may be had before the release.

use std::collections::HashSet;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::file_name::FileName;
use domain::merkle;
use uuid::Uuid;

use super::Receipts;
use super::note::{LogProof, extra_of};
use crate::auth::caller::{Callers, bearer};
use crate::auth::token;
use crate::error::{Error, ErrorBody};
use crate::http::answers::private;
use crate::http::attachment::attachment;
use crate::http::if_match::version_tag;
use crate::http::limits::{AddressLimit, Counted, CountedCaller};
use crate::sessions::read::{SESSION_NOT_FOUND, VERSION_NOT_FOUND, VersionQuery, parse_id};
use crate::store::receipts::{self, ReceiptName, ReceiptOwner};
use crate::store::{silent_versions, sitting_logs};

const FOR_OWNERS: &str = "Receipts are for the student and for staff of the grade";
const NO_LOG: &str = "The test is in no log";
const NOT_LOGGED_YET: &str = "The test is not in the log yet";
const RECEIPT_TYPE: &str = "application/jwt";
const TEXT: &str = "text/plain; charset=utf-8";

/// What decides on who reads.
type OwnerServices = (Data<Callers>, Data<AddressLimit>);

/// The receipt of a finished test, of its newest version or of another one: a compact JWS.
///
/// For the student, by the session's token or signed in as whom they began, and for staff of the grade; also while
/// results are held, since it tells what was handed in, and nothing of what is right. Until the release there are no
/// versions for the student that a corrected key has made, and none that follow. Its keys are at
/// `/.well-known/jwks.json`.
#[utoipa::path(
    operation_id = "readReceipt",
    tag = "students",
    security(("session_token" = []), ("api_token" = [])),
    params(
        ("id" = String, Path, description = "Session id"),
        ("version" = Option<u32>, Query, description = "Another version than the newest", minimum = 1),
    ),
    responses(
        (status = 200, description = "The receipt", body = String, content_type = "application/jwt", headers(("ETag" = String, description = "The number of the version"))),
        (status = 400, description = "`Invalid version`", body = ErrorBody),
        (status = 401, description = "Neither a token nor signed in", body = ErrorBody),
        (status = 403, description = "`Receipts are for the student and for staff of the grade`", body = ErrorBody),
        (status = 404, description = "`Session not found`, or `Version not found`", body = ErrorBody),
        (status = 429, description = "Too many with a wrong token from this address", body = ErrorBody),
    )
)]
#[get("/api/sessions/{id}/receipt")]
pub async fn receipt(
    request: HttpRequest,
    id: Path<String>,
    query: Query<VersionQuery>,
    service: Data<Receipts>,
    owners: OwnerServices,
) -> Result<HttpResponse, Error> {
    let (name, _) = service.asked(&request, &id, &query, &owners).await?;
    let jws = service.of_version(name).await?.ok_or(Error::NotFound(VERSION_NOT_FOUND))?;
    let file = FileName::of(&["receipt", &name.0.to_string(), &name.1.to_string()], "jwt");
    Ok(private(&mut attachment(&file)).insert_header(version_tag(name.1.into())).content_type(RECEIPT_TYPE).body(jws))
}

/// The proof that a receipt is in the log of its sitting, as `c2sp.org/tlog-proof@v1`.
///
/// For those who may have the receipt. There is one from the end of the sitting on; a later version is appended to the
/// log and names the leaf whose place it takes.
#[utoipa::path(
    operation_id = "readReceiptProof",
    tag = "students",
    security(("session_token" = []), ("api_token" = [])),
    params(
        ("id" = String, Path, description = "Session id"),
        ("version" = Option<u32>, Query, description = "Another version than the newest", minimum = 1),
    ),
    responses(
        (status = 200, description = "The proof", body = String, content_type = "text/plain"),
        (status = 400, description = "`Invalid version`", body = ErrorBody),
        (status = 401, description = "Neither a token nor signed in", body = ErrorBody),
        (status = 403, description = "`Receipts are for the student and for staff of the grade`", body = ErrorBody),
        (status = 404, description = "`Session not found`, `Version not found`, `The test is in no log`, or `The test is not in the log yet`", body = ErrorBody),
        (status = 429, description = "Too many with a wrong token from this address", body = ErrorBody),
    )
)]
#[get("/api/sessions/{id}/receipt.tlog-proof")]
pub async fn proof(
    request: HttpRequest,
    id: Path<String>,
    query: Query<VersionQuery>,
    service: Data<Receipts>,
    owners: OwnerServices,
) -> Result<HttpResponse, Error> {
    let (name, owner) = service.asked(&request, &id, &query, &owners).await?;
    if owner.sitting_id.is_none() {
        return Err(Error::NotFound(NO_LOG));
    }
    let proof = service.proof_of(name).await?.ok_or(Error::NotFound(NOT_LOGGED_YET))?;
    let file = FileName::of(&["receipt", &name.0.to_string(), &name.1.to_string()], "tlog-proof");
    Ok(private(&mut attachment(&file)).content_type(TEXT).body(proof.text()))
}

impl Receipts {
    /// The version that a request asks for, if the caller may have its receipt.
    async fn asked(
        &self,
        request: &HttpRequest,
        id: &str,
        query: &VersionQuery,
        (callers, limit): &OwnerServices,
    ) -> Result<(ReceiptName, ReceiptOwner), Error> {
        let (id, version) = (parse_id(id)?, query.number()?);
        let caller = CountedCaller::of(request);
        let refused = |refusal| limit.refused(Counted::Stranger, caller.as_ref(), refusal);
        let Some(owner) = receipts::find_owner(&self.database, id).await? else {
            return Err(refused(Error::NotFound(SESSION_NOT_FOUND)));
        };
        let mut is_staff = false;
        if !self.is_students(request, id).await? {
            match callers.identify(request.headers()).await? {
                Some(known) if known.reviews().has(owner.grade) => is_staff = true,
                Some(known) if owner.account.as_ref() == Some(&known.email) => {}
                Some(_) => return Err(Error::Forbidden(FOR_OWNERS)),
                None if bearer(request.headers()).is_some() => return Err(refused(Error::Forbidden(FOR_OWNERS))),
                None => return Err(Error::Unauthorized),
            }
        }
        // After the owner, so that the newest version which that knows is among them.
        let silent = match owner.sitting_id {
            Some(_) if !is_staff => silent_versions::load_of_test(&self.database.read, id).await?,
            _ => HashSet::new(),
        };
        let number = match version {
            Some(version) => i32::try_from(version).map_err(|_| Error::invalid("version"))?,
            None => silent_versions::newest_told(&silent, (id, owner.version)).unwrap_or(1),
        };
        if number > owner.version || silent.contains(&(id, number)) {
            return Err(Error::NotFound(VERSION_NOT_FOUND));
        }
        Ok(((id, number), owner))
    }

    /// Whether a request has the token of the session.
    async fn is_students(&self, request: &HttpRequest, id: Uuid) -> Result<bool, Error> {
        let Some(token) = bearer(request.headers()) else { return Ok(false) };
        Ok(receipts::has_token(&self.database, id, &token::hash(token)).await?)
    }

    /// The proof that a receipt is in a log; `None` if it is in none.
    async fn proof_of(&self, name: ReceiptName) -> Result<Option<LogProof>, Error> {
        let Some((sitting_id, leaf)) = sitting_logs::find_leaf(&self.database.read, name).await? else {
            return Ok(None);
        };
        let log = sitting_logs::find(&self.database.read, sitting_id).await?.and_then(|log| log.signed);
        let Some(signed) = log else { return Ok(None) };
        let leaves = self.leaves_of(sitting_id, signed.size).await?;
        let place = usize::try_from(leaf.position).unwrap_or(usize::MAX);
        let Some(hashes) = merkle::inclusion_proof(&leaves, place) else { return Ok(None) };
        let extra = extra_of(leaf.replaces);
        Ok(Some(LogProof { extra, index: leaf.position, hashes, checkpoint: signed.checkpoint }))
    }
}
