//! The `grade` of a query, as staff routes read it.

use domain::grade::Grade;
use serde::Deserialize;

use crate::error::Error;

/// The query of a route that is about a grade.
#[derive(Deserialize)]
pub struct GradeQuery {
    grade: Option<String>,
}

impl GradeQuery {
    /// The grade.
    ///
    /// # Errors
    /// 400 `Invalid grade` when it is absent or not 1 to 10.
    pub fn required(&self) -> Result<Grade, Error> {
        self.grade.as_deref().and_then(Grade::parse).ok_or_else(|| Error::invalid("grade"))
    }

    /// The grade, or `None` when the query has none or an empty one.
    ///
    /// # Errors
    /// 400 `Invalid grade` when it is there and not 1 to 10.
    pub fn optional(&self) -> Result<Option<Grade>, Error> {
        if self.grade.as_deref().unwrap_or_default().is_empty() { Ok(None) } else { self.required().map(Some) }
    }
}
