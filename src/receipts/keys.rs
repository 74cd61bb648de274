//! The public keys of receipts, where verifiers look for them.

use std::sync::Arc;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;
use actix_web::{HttpResponse, get};

use super::Receipts;
use super::key::{JsonWebKeys, ReceiptPublicKey};
use crate::error::Error;
use crate::store::receipts;

/// How long others may cache the list. A new key is listed before it signs for that long only if the school waits.
const CACHED: &str = "public, max-age=300";

/// The public keys with which receipts and checkpoints of logs have been signed.
///
/// The present key comes first. Former keys stay, so that receipts which they have signed can be checked for ever.
#[utoipa::path(
    operation_id = "readReceiptKeys",
    tag = "students",
    responses(
        (status = 200, description = "The keys", body = JsonWebKeys),
        (status = 503, description = "The database does not answer", body = crate::error::ErrorBody),
    )
)]
#[get("/.well-known/jwks.json")]
pub async fn list(receipts: Data<Receipts>) -> Result<HttpResponse, Error> {
    let keys = receipts.public_keys().await?;
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, CACHED)).json(&*keys))
}

impl Receipts {
    async fn public_keys(&self) -> Result<Arc<JsonWebKeys>, Error> {
        let present = self.signer.key().public();
        let reading = async {
            let known = receipts::load_keys(&self.database.read).await.map_err(Error::from)?;
            let former = known.iter().filter_map(ReceiptPublicKey::of_known).filter(|key| key != present);
            let keys = std::iter::once(present.clone()).chain(former).map(|key| key.json()).collect();
            Ok::<_, Error>(Arc::new(JsonWebKeys { keys }))
        };
        self.keys.try_get_with((), reading).await.map_err(|error: Arc<Error>| error.shared())
    }
}
