//! Statements of backups and restores: the copy of SQLite, the check of a copy, and the removal of what a database from
//! the past must no longer claim.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use migration::Migrator;
use migration::sea_orm_migration::MigratorTrait;
use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sea_orm::sqlx::{self, ConnectOptions, Connection, SqliteConnection};
use sea_orm::{DbErr, SqlxSqliteConnector};
use thiserror::Error;
use url::Url;

/// How long a restore waits for another process that uses the database for a moment, such as a checkpoint.
const RELEASE_WITHIN: Duration = Duration::from_secs(1);
/// The first step of the schema; a database without it is not one of this service.
const FIRST_STEP: &str = "m01_questions";
/// The table of the schema's steps.
const STEPS: &str = "seaql_migrations";
/// Added to the fence of each seat in a restore. A server that was cut off from the database before the restore may
/// still hold a seat; it must find a higher fence than its own. No seat moves so often.
const FENCES_PASSED: i64 = 1_000_000_000;
/// How connections of these commands are shown in `pg_stat_activity`, so that they are not taken for servers.
const APPLICATION_NAME: &str = "examhall backup";

/// Why a copy cannot take the database's place.
#[derive(Debug, Error)]
pub enum CopyFault {
    #[error("it is not a database of Exam Hall")]
    NotOurs,
    #[error("it was made by a newer release, whose schema this one does not know ({0})")]
    Newer(String),
    #[error("it is damaged: {0}")]
    Damaged(String),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// Whether the file of a SQLite database can be replaced.
#[derive(Debug, PartialEq, Eq)]
pub enum SqliteUse {
    /// Nobody uses it, and all that was committed is in the file itself.
    Free,
    InUse,
    /// SQLite cannot read it, for this reason.
    Damaged(String),
}

/// What a restore must know of a Postgres database.
#[derive(Debug)]
pub struct PostgresUse {
    /// Connections of servers and of other commands.
    pub connections: i64,
    /// The schema in which its tables are or will be.
    pub schema: String,
    /// The steps of its schema; none when it is empty.
    pub steps: Vec<String>,
}

/// Writes a copy of the SQLite database, as it is at this moment, to an empty file. Others read and write meanwhile.
pub async fn copy_sqlite(database: &Path, copy: &Path) -> Result<(), sqlx::Error> {
    let mut connection = existing(database).connect().await?;
    let copied = sqlx::query("VACUUM INTO ?").bind(copy.to_string_lossy().as_ref()).execute(&mut connection).await;
    connection.close().await?;
    copied.map(|_| ())
}

/// Makes a copy ready to take the database's place, unless it is damaged or not known to this release.
pub async fn settle_sqlite(copy: &Path) -> Result<(), CopyFault> {
    // Ends the write-ahead log, so that the file is everything.
    let options = existing(copy).journal_mode(SqliteJournalMode::Delete).synchronous(SqliteSynchronous::Full);
    let mut connection = options.connect().await.map_err(damaged)?;
    let settled = settle(&mut connection).await;
    connection.close().await?;
    settled
}

async fn settle(connection: &mut SqliteConnection) -> Result<(), CopyFault> {
    let answer: String =
        sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut *connection).await.map_err(damaged)?;
    if answer != "ok" {
        return Err(CopyFault::Damaged(answer));
    }
    if !has_table(connection, STEPS).await? {
        return Err(CopyFault::NotOurs);
    }
    let steps = sqlx::query_scalar("SELECT version FROM seaql_migrations").fetch_all(&mut *connection).await?;
    check_steps(&steps)?;
    if has_table(connection, "seats").await? {
        let forget = "UPDATE seats SET server = NULL, by_socket = 0, fence = fence + ?";
        sqlx::query(forget).bind(FENCES_PASSED).execute(&mut *connection).await?;
        sqlx::query("DELETE FROM servers").execute(&mut *connection).await?;
    }
    // Some of them may have been ended since the backup, because a device was stolen.
    if has_table(connection, "sign_ins").await? {
        sqlx::query("DELETE FROM sign_ins").execute(connection).await?;
    }
    Ok(())
}

/// SQLite's error for a file that it cannot read is a fault of the copy.
fn damaged(error: sqlx::Error) -> CopyFault {
    match error {
        sqlx::Error::Database(error) => CopyFault::Damaged(error.message().to_owned()),
        error => error.into(),
    }
}

async fn has_table(connection: &mut SqliteConnection, name: &str) -> Result<bool, sqlx::Error> {
    let found = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?");
    Ok(found.bind(name).fetch_one(connection).await? > 0)
}

/// Whether all these steps of a schema are known to this release, and the first one is among them.
pub fn check_steps(steps: &[String]) -> Result<(), CopyFault> {
    let migrations = Migrator::migrations();
    let known: BTreeSet<&str> = migrations.iter().map(|step| step.name()).collect();
    if !steps.iter().any(|step| step == FIRST_STEP) {
        return Err(CopyFault::NotOurs);
    }
    match steps.iter().find(|step| !known.contains(step.as_str())) {
        Some(step) => Err(CopyFault::Newer(step.clone())),
        None => Ok(()),
    }
}

/// Writes everything committed into the database file itself, which SQLite does only while no other process has it
/// open.
pub async fn release_sqlite(database: &Path) -> SqliteUse {
    let options = existing(database).busy_timeout(RELEASE_WITHIN);
    let released = async {
        let mut connection = options.connect().await?;
        let mode: Result<String, _> =
            sqlx::query_scalar("PRAGMA journal_mode = DELETE").fetch_one(&mut connection).await;
        connection.close().await?;
        mode
    };
    match released.await {
        Ok(mode) if mode == "delete" => SqliteUse::Free,
        Ok(_) => SqliteUse::InUse,
        Err(sqlx::Error::Database(error)) if error.message().contains("locked") => SqliteUse::InUse,
        Err(error) => SqliteUse::Damaged(error.to_string()),
    }
}

fn existing(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(file).create_if_missing(false).disable_statement_logging()
}

/// Asks Postgres who uses the database at `url`, and what it holds.
pub async fn ask_postgres(url: &str) -> Result<PostgresUse, sqlx::Error> {
    let options = url.parse::<PgConnectOptions>()?.application_name(APPLICATION_NAME).disable_statement_logging();
    let mut connection = options.connect().await?;
    let others =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'examhall'";
    let connections = sqlx::query_scalar(others).fetch_one(&mut connection).await?;
    let schema = sqlx::query_scalar("SELECT coalesce(current_schema(), 'public')").fetch_one(&mut connection).await?;
    let is_empty: bool =
        sqlx::query_scalar("SELECT to_regclass('seaql_migrations') IS NULL").fetch_one(&mut connection).await?;
    let steps = if is_empty {
        Vec::new()
    } else {
        sqlx::query_scalar("SELECT version FROM seaql_migrations").fetch_all(&mut connection).await?
    };
    connection.close().await?;
    Ok(PostgresUse { connections, schema, steps })
}

/// The environment variables with which Postgres' own programs connect to `url`. On their command lines, others could
/// read the password.
pub fn postgres_environment(url: &str) -> Result<Vec<(&'static str, String)>, sqlx::Error> {
    // Written anew, so that a socket, a port or a password stands in one place, wherever the address has it.
    let url: Url = url.parse::<PgConnectOptions>()?.to_url_lossy();
    let plain = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let mut environment = vec![
        ("PGHOST", plain(url.host_str().unwrap_or_default()).trim_matches(['[', ']']).to_owned()),
        ("PGPORT", url.port().unwrap_or(5432).to_string()),
        ("PGUSER", plain(url.username())),
        ("PGDATABASE", plain(url.path().trim_start_matches('/'))),
        ("PGAPPNAME", APPLICATION_NAME.to_owned()),
    ];
    environment.extend(url.password().map(|password| ("PGPASSWORD", plain(password))));
    for (key, variable) in
        [("sslmode", "PGSSLMODE"), ("sslrootcert", "PGSSLROOTCERT"), ("sslcert", "PGSSLCERT"), ("sslkey", "PGSSLKEY")]
    {
        environment
            .extend(url.query_pairs().find(|(name, _)| name == key).map(|(_, text)| (variable, text.into_owned())));
    }
    Ok(environment)
}

/// The names of all tables of this release's schema, from a database in memory that is made for the question.
pub async fn table_names() -> Result<Vec<String>, DbErr> {
    let unread = |error: sqlx::Error| DbErr::Custom(error.to_string());
    let memory = SqliteConnectOptions::new().in_memory(true).disable_statement_logging();
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(memory).await.map_err(unread)?;
    let connection = SqlxSqliteConnector::from_sqlx_sqlite_pool(pool.clone());
    Migrator::up(&connection, None).await?;
    let names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    sqlx::query_scalar(names).fetch_all(&pool).await.map_err(unread)
}

/// Notes in a table what goes with the tables of this release and is not in a dump: views of them, and of such views,
/// with their indexes, and what others may do with all of these. A view that belongs to another role is noted and not
/// repeated: made by the role that restores, it would read with that role's rights.
const NOTE_ATTACHED: &str = r"SET search_path = '';
CREATE TEMPORARY TABLE examhall_attached ON COMMIT DROP AS
WITH RECURSIVE own AS (
    SELECT to_regclass(name)::oid AS id FROM unnest(ARRAY[{tables}]) AS name WHERE to_regclass(name) IS NOT NULL
), users(id, used) AS (
    SELECT DISTINCT r.ev_class, d.refobjid FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
    WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND r.ev_class <> d.refobjid
), views(id) AS (
    SELECT users.id FROM users JOIN own ON users.used = own.id UNION SELECT users.id FROM users JOIN views ON users.used = views.id
), relations AS (
    SELECT c.*, c.oid::regclass::text AS name, c.oid IN (SELECT id FROM views) AS is_view,
        c.oid IN (SELECT id FROM own) OR pg_get_userbyid(c.relowner) = current_user AS is_repeated
    FROM pg_class c
    WHERE c.oid IN (SELECT id FROM own) OR c.oid IN (SELECT id FROM views) AND c.relkind IN ('v', 'm')
), statements(place, relation, statement, is_repeated) AS (
    SELECT 1, oid, CASE relkind
        WHEN 'm' THEN format('CREATE MATERIALIZED VIEW %s AS %s WITH NO DATA', name, rtrim(pg_get_viewdef(oid), ';'))
        ELSE format('CREATE VIEW %s%s AS %s', name, ' WITH (' || array_to_string(reloptions, ', ') || ')', pg_get_viewdef(oid)) END, is_repeated
    FROM relations WHERE is_view
    UNION ALL SELECT 2, r.oid, pg_get_indexdef(i.indexrelid), true
    FROM relations r JOIN pg_index i ON i.indrelid = r.oid WHERE r.is_view AND r.is_repeated
    UNION ALL SELECT 3, r.oid, format('GRANT %s ON %s TO %s%s', a.privilege_type, name,
        CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
        CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END), true
    FROM relations r CROSS JOIN LATERAL aclexplode(r.relacl) a WHERE a.grantee <> r.relowner AND r.is_repeated
    UNION ALL SELECT 4, r.oid, format('GRANT %s (%I) ON %s TO %s', a.privilege_type, t.attname, name,
        CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END), true
    FROM relations r JOIN pg_attribute t ON t.attrelid = r.oid CROSS JOIN LATERAL aclexplode(t.attacl) a
    WHERE r.is_repeated
)
SELECT row_number() OVER (ORDER BY place, relation) AS number, statement, is_repeated,
    CASE WHEN is_repeated THEN '' ELSE 'it belongs to another role, which can make it again' END AS fault
FROM statements;
";
/// Repeats what was noted, as often as more of it succeeds, since one view may need another. Warns of the rest: a view
/// may need a column that an older schema lacks.
const REPEAT_ATTACHED: &str = r"DO $$ DECLARE attached record; has_more boolean; BEGIN
LOOP
    has_more := false;
    FOR attached IN SELECT * FROM pg_temp.examhall_attached WHERE is_repeated ORDER BY number LOOP
        BEGIN
            EXECUTE attached.statement;
            DELETE FROM pg_temp.examhall_attached WHERE number = attached.number;
            has_more := true;
        EXCEPTION WHEN OTHERS THEN
            UPDATE pg_temp.examhall_attached SET fault = SQLERRM WHERE number = attached.number;
        END;
    END LOOP;
    EXIT WHEN NOT has_more;
END LOOP;
FOR attached IN SELECT * FROM pg_temp.examhall_attached ORDER BY number LOOP
    RAISE WARNING 'lost with the former tables: % (%)', attached.statement, attached.fault;
END LOOP;
END $$;
";

/// The statements before those of a dump: they begin a transaction that removes the tables of this release.
#[must_use]
pub fn before_dump(schema: &str, tables: &[String]) -> String {
    let tables: Vec<String> = tables.iter().map(|table| format!("{}.{}", quoted(schema), quoted(table))).collect();
    let texts: Vec<String> = tables.iter().map(|table| format!("'{}'", table.replace('\'', "''"))).collect();
    let note = NOTE_ATTACHED.replace("{tables}", &texts.join(", "));
    format!(
        "\\set VERBOSITY terse\nBEGIN;\nSET client_min_messages = warning;\nSET lock_timeout = '10s';\n{note}\
         DROP TABLE IF EXISTS {} CASCADE;\n",
        tables.join(", ")
    )
}

/// The statements after those of a dump, without which nothing of it counts.
#[must_use]
pub fn after_dump(schema: &str) -> String {
    format!("{}{REPEAT_ATTACHED}COMMIT;\n", forgetting(schema))
}

/// The statement that removes from Postgres what a database from the past must no longer claim.
fn forgetting(schema: &str) -> String {
    let schema = quoted(schema);
    let [seats, sign_ins] = ["seats", "sign_ins"].map(|table| format!("{schema}.{table}").replace('\'', "''"));
    format!(
        "DO $$ BEGIN IF to_regclass('{seats}') IS NOT NULL THEN\n\
         UPDATE {schema}.seats SET server = NULL, by_socket = false, fence = fence + {FENCES_PASSED};\n\
         DELETE FROM {schema}.servers;\nEND IF;\n\
         IF to_regclass('{sign_ins}') IS NOT NULL THEN DELETE FROM {schema}.sign_ins; END IF; END $$;\n"
    )
}

/// Removes from the Postgres database at `url` what one from the past must no longer claim.
pub async fn settle_postgres(url: &str, schema: &str) -> Result<(), sqlx::Error> {
    let options = url.parse::<PgConnectOptions>()?.application_name(APPLICATION_NAME).disable_statement_logging();
    let mut connection = options.connect().await?;
    let settled = sqlx::raw_sql(sqlx::AssertSqlSafe(forgetting(schema))).execute(&mut connection).await;
    connection.close().await?;
    settled.map(|_| ())
}

/// A name as Postgres reads it, whatever is in it.
#[must_use]
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
