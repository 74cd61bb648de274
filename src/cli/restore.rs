//! `examhall restore`: replaces all data by that of a backup, or changes nothing.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::backup::Part;
use super::output::{print, print_error};
use super::postgres::LoadFailure;
use super::{CliFailure, postgres};
use crate::clock::Clock;
use crate::config::Config;
use crate::database::private::{SqliteFile, create, folder_of, make_folder, sync_folder};
use crate::database::{primary_url, sqlite_file};
use crate::store::backups::{self, PostgresUse, SqliteUse};

/// How a SQLite database and a dump of Postgres begin.
const SQLITE_MAGIC: &[u8] = b"SQLite format 3\0";
const DUMP_MAGIC: &[u8] = b"PGDMP";
/// The hint for a restore into a database that others are using.
pub(super) const IN_USE: &str = "a server or another command uses the database: stop it first";

pub(super) async fn restore(config: &Config, path: &Path) -> Result<ExitCode, CliFailure> {
    let url = &config.store.database_url;
    // Which database it was must be said: the options of a shell are not those of the service.
    let (former, into) = match sqlite_file(url) {
        Some(database) => {
            check_magic(path, SQLITE_MAGIC, "SQLite", DUMP_MAGIC, "Postgres")?;
            (replace(&SqliteFile::new(&database), path).await?, database.display().to_string())
        }
        None => {
            check_magic(path, DUMP_MAGIC, "Postgres", SQLITE_MAGIC, "SQLite")?;
            (load(&primary_url(url).await?, path).await?, "the Postgres database of DATABASE_URL".to_owned())
        }
    };
    print(&format!("restored {} into {into}", path.display()))?;
    if let Some(former) = former {
        tell_former(&former);
    }
    Ok(ExitCode::SUCCESS)
}

fn tell_former(path: &Path) {
    print_error(&format!("what the database held before is in {}", path.display()));
}

/// The file must begin as backups of this database do.
fn check_magic(path: &Path, own: &[u8], name: &str, other: &[u8], other_name: &str) -> Result<(), CliFailure> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(own.len().max(other.len()) as u64).read_to_end(&mut head));
    read.map_err(|error| unreadable(path, &error))?;
    if head.starts_with(own) {
        return Ok(());
    }
    if head.starts_with(other) {
        let text = format!("{} is a backup of {other_name}, and DATABASE_URL names {name}", path.display());
        return Err(text.into());
    }
    Err(format!("{} is not a backup", path.display()).into())
}

fn unreadable(path: &Path, error: &io::Error) -> CliFailure {
    format!("{} cannot be read: {error}", path.display()).into()
}

fn unusable(path: &Path, reason: impl std::fmt::Display) -> CliFailure {
    format!("{} is not used: {reason}", path.display()).into()
}

/// `20260105T090000123Z`, for names of files.
fn stamp() -> String {
    Clock::system().now().iso().chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Replaces a SQLite file. Returns where the former one is.
async fn replace(database: &SqliteFile, path: &Path) -> Result<Option<PathBuf>, CliFailure> {
    let failed = |error: io::Error| format!("{} cannot be replaced: {error}", database.path().display());
    make_folder(folder_of(database.path())).map_err(failed)?;
    // Held until the end, so that no server opens the database while it is replaced.
    let _alone = database.keep_others_away().map_err(failed)?.ok_or(IN_USE)?;
    check_is_backup(database, path)?;
    let part = Part::beside(database.path())?;
    copy(path, &part.0).map_err(|error| unreadable(path, &error))?;
    backups::settle_sqlite(&part.0).await.map_err(|fault| unusable(path, fault))?;
    let mut former = None;
    if database.path().exists() {
        match backups::release_sqlite(database.path()).await {
            SqliteUse::Free => {}
            SqliteUse::InUse => return Err(IN_USE.into()),
            SqliteUse::Damaged(reason) => print_error(&format!("the database that is replaced is damaged: {reason}")),
        }
        former = Some(put_aside(database).map_err(failed)?);
    }
    part.finish(database.path()).inspect_err(|_| former.iter().for_each(|former| tell_former(former)))?;
    Ok(former)
}

/// Refuses the database itself, and a copy that was taken of the file alone.
fn check_is_backup(database: &SqliteFile, path: &Path) -> Result<(), CliFailure> {
    if fs::canonicalize(path).ok() == fs::canonicalize(database.path()).ok() {
        return Err(unusable(path, "it is the database itself"));
    }
    let log = SqliteFile::new(path).beside("-wal");
    if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        let reason = format!("{} lies beside it, so it is a database in use and not a backup", log.display());
        return Err(unusable(path, reason));
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    io::copy(&mut File::open(from)?, &mut create(to)?).map(|_| ())
}

/// Keeps the former database under another name. Its logs go first: SQLite would play them back over the new file.
fn put_aside(database: &SqliteFile) -> io::Result<PathBuf> {
    let aside = SqliteFile::new(&database.beside(&format!(".before-restore-{}", stamp())));
    for log in ["-wal", "-journal"] {
        match fs::rename(database.beside(log), aside.beside(log)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    // It can be made again from the log.
    drop(fs::remove_file(database.beside("-shm")));
    // A second name, so that at no moment there is no database: a server that starts then would make an empty one.
    fs::hard_link(database.path(), aside.path()).or_else(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Err(error),
        // Not every file system can give a second name.
        _ => copy(database.path(), aside.path()),
    })?;
    sync_folder(folder_of(database.path()))?;
    Ok(aside.path().to_owned())
}

/// Replaces what Postgres holds. Returns where a dump of that is.
async fn load(url: &str, path: &Path) -> Result<Option<PathBuf>, CliFailure> {
    let PostgresUse { connections, schema, steps } =
        backups::ask_postgres(url).await.map_err(|error| format!("the database cannot be asked: {error}"))?;
    if connections > 0 {
        return Err(IN_USE.into());
    }
    let of_backup = postgres::steps(path).await?;
    backups::check_steps(&of_backup).map_err(|fault| unusable(path, fault))?;
    let mut former = None;
    if !steps.is_empty() {
        backups::check_steps(&steps).map_err(|fault| format!("the database is not replaced: {fault}"))?;
        let aside = SqliteFile::new(path).beside(&format!(".before-restore-{}", stamp()));
        let part = Part::beside(&aside)?;
        postgres::dump(url, &part.0).await?;
        part.finish(&aside)?;
        former = Some(Former { path: aside, is_told: true });
    }
    match postgres::load(url, &schema, path).await {
        Ok(()) => Ok(former.map(Former::into_path)),
        Err(LoadFailure::Unchanged(failure)) => {
            former.into_iter().for_each(|former| drop(fs::remove_file(former.into_path())));
            Err(failure)
        }
        Err(LoadFailure::Unknown(failure)) => {
            Err(format!("{failure}: look whether the database holds the former data or the restored").into())
        }
    }
}

/// A dump of what is being replaced. When it is dropped early, as by a signal, nobody knows what the database holds
/// now, so it says where the dump is.
struct Former {
    path: PathBuf,
    is_told: bool,
}

impl Former {
    /// The caller goes on from here.
    fn into_path(mut self) -> PathBuf {
        self.is_told = false;
        std::mem::take(&mut self.path)
    }
}

impl Drop for Former {
    fn drop(&mut self) {
        if self.is_told {
            tell_former(&self.path);
        }
    }
}
