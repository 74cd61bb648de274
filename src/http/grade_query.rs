//! The `grade` of a query, as staff routes read it.

use domain::grade::Grade;
use serde::Deserialize;

use crate::error::Error;

#[derive(Deserialize)]
pub struct GradeQuery {
    grade: Option<String>,
}

impl GradeQuery {
    /// 400 `Invalid grade` if the query has no grade from 1 to 10.
    pub fn required(&self) -> Result<Grade, Error> {
        self.grade.as_deref().and_then(Grade::parse).ok_or_else(|| Error::invalid("grade"))
    }

    /// `None` if the query has no grade or an empty one; 400 `Invalid grade` if it is not from 1 to 10.
    pub fn optional(&self) -> Result<Option<Grade>, Error> {
        if self.grade.as_deref().unwrap_or_default().is_empty() { Ok(None) } else { self.required().map(Some) }
    }
}
