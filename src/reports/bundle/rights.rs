//! Whether whoever asked for the file may have the rest of it: it takes minutes, and a right may be withdrawn
//! meanwhile.

use actix_web::web::Data;
use domain::grade::Grade;
use domain::sight::Reader;

use crate::auth::caller::{Callers, Credential, NOT_ASSIGNED};
use crate::config::Config;
use crate::error::Error;
use crate::sessions::read;
use crate::sittings::may_manage;

/// Who asked, and for the reports of which grades.
pub struct BundleRights {
    pub callers: Data<Callers>,
    pub config: Data<Config>,
    pub credential: Credential,
    pub grades: Vec<Grade>,
}

impl BundleRights {
    /// The caller as the reader of the next report.
    ///
    /// # Errors
    /// 401 or 403 when they have lost the right to it: see [`is_lost`].
    pub async fn reader(&self) -> Result<Reader, Error> {
        let caller = self.callers.who(self.credential.clone()).await?.ok_or(Error::Unauthorized)?;
        if !may_manage(&caller, &self.grades) {
            return Err(Error::Forbidden(NOT_ASSIGNED));
        }
        Ok(read::reader_of(Some(&caller), &self.config))
    }
}

/// Whether an error says that the right is lost, so that nothing more may be sent.
pub fn is_lost(error: &Error) -> bool {
    matches!(error, Error::Unauthorized | Error::Forbidden(NOT_ASSIGNED))
}
