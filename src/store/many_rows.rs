//! Statements for many rows, each with its own values.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement, Value};
use uuid::Uuid;

/// Updates rows: `set` and `matching` name the values of a row `new.column1` and so on, as both databases call the
/// columns of a `VALUES` list. The caller keeps to the number of values that SQLite accepts in a statement.
pub async fn update<const COLUMNS: usize>(
    connection: &impl ConnectionTrait,
    set: &str,
    matching: &str,
    rows: impl ExactSizeIterator<Item = [Value; COLUMNS]>,
) -> Result<(), DbErr> {
    connection.execute_raw(statement(connection.get_database_backend(), set, matching, rows)).await.map(|_| ())
}

/// The statement of [`update`], for those who want what it returns.
pub fn statement<const COLUMNS: usize>(
    backend: DbBackend,
    set: &str,
    matching: &str,
    rows: impl ExactSizeIterator<Item = [Value; COLUMNS]>,
) -> Statement {
    let text = format!("{set} FROM (VALUES {}) AS new WHERE {matching}", places::<COLUMNS>(rows.len()));
    Statement::from_sql_and_values(backend, text, rows.flatten())
}

/// The places of the values of so many rows: `($1, $2), ($3, $4)`.
#[must_use]
pub fn places<const COLUMNS: usize>(rows: usize) -> String {
    let place = |row: usize| {
        let places: Vec<String> = (1..=COLUMNS).map(|column| format!("${}", row * COLUMNS + column)).collect();
        format!("({})", places.join(", "))
    };
    (0..rows).map(place).collect::<Vec<_>>().join(", ")
}

/// The condition that a column is one of these ids, and its values, of which the first has this place. On Postgres it
/// is one array, so that the text is the same for any number. The caller keeps to the number of values that SQLite
/// accepts.
#[must_use]
pub fn among(backend: DbBackend, column: &str, ids: &[Uuid], first: usize) -> (String, Vec<Value>) {
    if backend == DbBackend::Postgres {
        return (format!("{column} = ANY(${first}::uuid[])"), vec![ids.to_vec().into()]);
    }
    let places: Vec<String> = (first..first + ids.len()).map(|place| format!("${place}")).collect();
    (format!("{column} IN ({})", places.join(", ")), ids.iter().map(|id| (*id).into()).collect())
}

/// A new id for each row that a statement inserts.
#[must_use]
pub const fn new_id(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => "gen_random_uuid()",
        // Version 4, like those that this server makes itself.
        _ => {
            "unhex(hex(randomblob(6)) || '4' || substr(hex(randomblob(2)), 2) || '8' \
             || substr(hex(randomblob(2)), 2) || hex(randomblob(6)))"
        }
    }
}
