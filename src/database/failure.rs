//! Classifies failures of statements: whether a retry may succeed.

use sea_orm::sqlx::{self, error::ErrorKind};
use sea_orm::{DbErr, RuntimeErr};

use super::pool::note_read_only;

/// Postgres' code for a statement that would write, on a connection that can only read.
const READ_ONLY: &str = "25006";

/// Why something was not read or stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseFailure {
    /// The database is away, busy, full or read only: the same may succeed later.
    Unavailable,
    /// The database refuses a value, and would refuse it again.
    Values,
    /// The error says neither. Halving a batch finds the part that causes it.
    Unknown,
}

impl DatabaseFailure {
    #[must_use]
    pub fn of(error: &DbErr) -> Self {
        match error {
            DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => Self::Unavailable,
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
            // A proxy without a database behind it may answer anything.
            | sqlx::Error::Protocol(_)
            | sqlx::Error::BeginFailed
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => Self::Unavailable,
            // A constraint: the driver recognises those of both databases.
            sqlx::Error::Database(error) if !matches!(error.kind(), ErrorKind::Other) => Self::Values,
            sqlx::Error::Database(error) => {
                let code = error.code().unwrap_or_default();
                if code == READ_ONLY {
                    note_read_only();
                }
                Self::of_code(&code)
            }
            _ => Self::Unknown,
        }
    }

    /// Postgres' classes: 22 data, 23 integrity; 08 connection, 25 transaction (read only), 28 sign-in, 3D no such
    /// database, 40 rollback, 53 resources, 55 state, 57 operator, 58 system. SQLite's codes, whose low byte is the
    /// kind: 18 too big, 20 mismatch; 5 busy, 6 locked, 8 read only, 10 input and output, 13 full, 14 cannot open.
    fn of_code(code: &str) -> Self {
        if let (5, Some(class)) = (code.len(), code.get(..2)) {
            return match class {
                "22" | "23" => Self::Values,
                "08" | "25" | "28" | "3D" | "40" | "53" | "55" | "57" | "58" => Self::Unavailable,
                _ => Self::Unknown,
            };
        }
        match code.parse::<u32>().map(|code| code & 0xff) {
            Ok(18 | 20) => Self::Values,
            Ok(5 | 6 | 8 | 10 | 13 | 14) => Self::Unavailable,
            _ => Self::Unknown,
        }
    }
}

/// Why the schema cannot be brought up to date. The crate of the migrations takes a step that it does not know for a
/// file that somebody has lost; here it is always that of a newer release.
pub(super) fn migration_failure(error: &DbErr) -> String {
    let text = error.to_string();
    let unknown = text.split_once("Migration file of version '").and_then(|(_, rest)| rest.split_once("' is missing"));
    match unknown {
        Some((step, _)) => format!(
            "the database was used by a newer release ({step} is not known here): start that release, or restore a \
             backup from before the upgrade"
        ),
        None => format!("the database's schema cannot be brought up to date: {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_tell_what_to_do() {
        for (code, failure) in [
            ("22021", DatabaseFailure::Values),
            ("23505", DatabaseFailure::Values),
            ("57P01", DatabaseFailure::Unavailable),
            ("53100", DatabaseFailure::Unavailable),
            ("25006", DatabaseFailure::Unavailable),
            ("3D000", DatabaseFailure::Unavailable),
            ("XX000", DatabaseFailure::Unknown),
            ("54000", DatabaseFailure::Unknown),
            ("5", DatabaseFailure::Unavailable),
            ("517", DatabaseFailure::Unavailable),
            ("13", DatabaseFailure::Unavailable),
            ("778", DatabaseFailure::Unavailable),
            ("18", DatabaseFailure::Values),
            ("1", DatabaseFailure::Unknown),
            ("", DatabaseFailure::Unknown),
        ] {
            assert_eq!(DatabaseFailure::of_code(code), failure, "{code}");
        }
    }
}
