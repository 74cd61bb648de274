//! What the failure of a batch says about its rows: whether the same batch may be stored later.

use sea_orm::sqlx::{self, error::ErrorKind};
use sea_orm::{DbErr, RuntimeErr};

/// Why a batch was not committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchFailure {
    /// The database is down, busy or full: the same batch may succeed later.
    Store,
    /// The database refuses a value, and would refuse it again.
    Values,
    /// The error says neither: halving the batch finds the commit that causes it.
    Unknown,
}

impl BatchFailure {
    #[must_use]
    pub fn of(error: &DbErr) -> Self {
        match error {
            DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => Self::Store,
            DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
                Self::of_driver(error)
            }
            _ => Self::Unknown,
        }
    }

    fn of_driver(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => Self::Store,
            sqlx::Error::Database(error) if !matches!(error.kind(), ErrorKind::Other) => Self::Values,
            sqlx::Error::Database(error) => Self::of_code(error.code().as_deref().unwrap_or_default()),
            _ => Self::Unknown,
        }
    }

    /// Postgres' classes: 22 data, 23 integrity; 08 connection, 25 transaction (read only), 40 rollback, 53 resources,
    /// 55 state, 57 operator, 58 system. SQLite's codes, whose low byte is the kind: 18 too big, 20 mismatch; 5 busy, 6
    /// locked, 8 read only, 10 input and output, 13 full, 14 cannot open.
    fn of_code(code: &str) -> Self {
        if let (5, Some(class)) = (code.len(), code.get(..2)) {
            return match class {
                "22" | "23" => Self::Values,
                "08" | "25" | "40" | "53" | "55" | "57" | "58" => Self::Store,
                _ => Self::Unknown,
            };
        }
        match code.parse::<u32>().map(|code| code & 0xff) {
            Ok(18 | 20) => Self::Values,
            Ok(5 | 6 | 8 | 10 | 13 | 14) => Self::Store,
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_tell_what_to_do() {
        for (code, failure) in [
            ("22021", BatchFailure::Values),
            ("23505", BatchFailure::Values),
            ("57P01", BatchFailure::Store),
            ("53100", BatchFailure::Store),
            ("XX000", BatchFailure::Unknown),
            ("54000", BatchFailure::Unknown),
            ("5", BatchFailure::Store),
            ("517", BatchFailure::Store),
            ("13", BatchFailure::Store),
            ("18", BatchFailure::Values),
            ("1", BatchFailure::Unknown),
            ("", BatchFailure::Unknown),
        ] {
            assert_eq!(BatchFailure::of_code(code), failure, "{code}");
        }
    }
}
