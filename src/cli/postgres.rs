//! Calls Postgres' own programs, which every operator of Postgres knows, for `examhall backup` and `examhall restore`.

use std::path::Path;
use std::process::{ExitStatus, Stdio};

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};

use super::CliFailure;
use crate::store::backups::{after_dump, ask_postgres, before_dump, postgres_environment, quoted, table_names};

/// How long a dump waits for a lock, such as that of a server that migrates.
const LOCK_WAIT: &str = "--lock-wait-timeout=30s";
/// The exit code of psql after a statement that failed, and with it the transaction.
const STATEMENT_FAILED: i32 = 3;

/// Writes the tables of this service, as they are at this moment, to a file in the format of `pg_restore`.
pub(super) async fn dump(url: &str, target: &Path) -> Result<(), CliFailure> {
    let found = ask_postgres(url).await.map_err(|error| format!("the database cannot be asked: {error}"))?;
    if found.steps.is_empty() {
        return Err("there is no database yet: it has none of the tables".into());
    }
    let mut command = program("pg_dump", url)?;
    command.args(["--format=custom", "--no-owner", "--no-privileges", "--no-password", LOCK_WAIT]);
    for table in table_names().await? {
        command.arg(format!("--table={}.{}", quoted(&found.schema), quoted(&table)));
    }
    command.arg("--file").arg(target);
    let mut child = spawn(command)?;
    ended("pg_dump", child.wait().await)
}

/// The steps of the schema that a dump has.
pub(super) async fn steps(dump: &Path) -> Result<Vec<String>, CliFailure> {
    let mut command = Command::new("pg_restore");
    command.args(["--data-only", "--table=seaql_migrations", "--file=-"]).arg(dump);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
    let output = spawn(command)?.wait_with_output().await?;
    ended("pg_restore", Ok(output.status))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = text.lines().skip_while(|line| !line.starts_with("COPY ")).skip(1);
    Ok(rows.take_while(|line| *line != "\\.").filter_map(|row| row.split('\t').next()).map(str::to_owned).collect())
}

/// Why a dump was not loaded.
pub(super) enum LoadFailure {
    /// The database is as it was.
    Unchanged(CliFailure),
    /// The connection was lost, perhaps only after the end of the transaction.
    Unknown(CliFailure),
}

impl<T: Into<CliFailure>> From<T> for LoadFailure {
    fn from(failure: T) -> Self {
        Self::Unchanged(failure.into())
    }
}

/// Replaces the tables of this service by those of a dump, in one transaction.
pub(super) async fn load(url: &str, schema: &str, dump: &Path) -> Result<(), LoadFailure> {
    let mut command = program("psql", url)?;
    command.args(["--no-psqlrc", "--no-password", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut writer = spawn(command)?;
    let mut input = writer.stdin.take().ok_or("psql cannot be written to")?;
    let mut command = Command::new("pg_restore");
    command.args(["--no-owner", "--no-privileges", "--file=-"]).arg(dump);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut reader = spawn(command)?;
    let mut output = reader.stdout.take().ok_or("pg_restore cannot be read")?;
    let carried = async {
        input.write_all(before_dump(schema, &table_names().await?).as_bytes()).await?;
        tokio::io::copy(&mut output, &mut input).await?;
        ended("pg_restore", reader.wait().await)?;
        // Without these the transaction does not commit: a dump that breaks off changes nothing.
        input.write_all(after_dump(schema).as_bytes()).await?;
        Ok::<_, CliFailure>(input.shutdown().await?)
    };
    let carried = carried.await;
    drop(input);
    // psql's own failure says more than the pipe that it has closed.
    match writer.wait().await? {
        status if status.success() => Ok(carried?),
        status if status.code() == Some(STATEMENT_FAILED) => Ok(ended("psql", Ok(status))?),
        status => Err(LoadFailure::Unknown(format!("psql failed ({status})").into())),
    }
}

/// A program that connects to the database. The password travels in its environment, because everyone can read command
/// lines.
fn program(name: &str, url: &str) -> Result<Command, CliFailure> {
    let mut command = Command::new(name);
    command.envs(postgres_environment(url)?).stdin(Stdio::null()).kill_on_drop(true);
    Ok(command)
}

fn spawn(mut command: Command) -> Result<Child, CliFailure> {
    command.spawn().map_err(|error| {
        let name = command.as_std().get_program().to_string_lossy().into_owned();
        format!("{name} cannot be started: {error}; install Postgres' client programs (on Debian: postgresql-client), of the server's major version").into()
    })
}

/// What went wrong is on standard error already, in the words of the program.
fn ended(name: &str, status: std::io::Result<ExitStatus>) -> Result<(), CliFailure> {
    match status? {
        status if status.success() => Ok(()),
        status => Err(format!("{name} failed ({status}): nothing was changed").into()),
    }
}
