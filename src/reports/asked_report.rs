//! Which report of a test is asked for: of which of its versions, and in which language.

use domain::school::PageLanguage;
use serde::Deserialize;
use uuid::Uuid;

use super::printing::asked_language;
use crate::error::Error;
use crate::sessions::read::version_number;

/// A report that is asked for.
#[derive(Clone, Copy)]
pub(super) struct AskedReport {
    pub session_id: Uuid,
    /// `None` for the newest.
    pub version: Option<u32>,
    /// `None` for the school's.
    pub language: Option<PageLanguage>,
}

#[derive(Deserialize)]
pub struct ReportQuery {
    version: Option<String>,
    language: Option<String>,
}

impl ReportQuery {
    /// What is asked for of this session; 400 `Invalid version` or `Invalid language`.
    pub(super) fn asked(&self, session_id: Uuid) -> Result<AskedReport, Error> {
        let (version, language) = (version_number(&self.version)?, asked_language(&self.language)?);
        Ok(AskedReport { session_id, version, language })
    }
}
