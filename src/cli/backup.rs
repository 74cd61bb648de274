//! `examhall backup`: writes all data to a file, while servers run. Each database has its own format
//! (docs/decisions/0039-backups-in-the-databases-own-formats.md).

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::output::{print, print_error};
use super::{CliFailure, postgres};
use crate::config::{Config, secret_path};
use crate::database::private::{self, create_new, folder_of};
use crate::database::{primary_url, sqlite_file};
use crate::store::backups;

/// Bytes of a megabyte, the unit in which sizes are printed.
const MEGABYTE: f64 = 1_000_000.0;

pub(super) async fn backup(config: &Config, path: &Path, replaces: bool) -> Result<ExitCode, CliFailure> {
    if path.exists() && !replaces {
        return Err(format!("{} exists: name another file, or add --replace", path.display()).into());
    }
    let url = &config.store.database_url;
    if let Some(database) = sqlite_file(url) {
        refuse_own_files(path, &database, &secret_path(url))?;
    }
    let part = Part::beside(path)?;
    match sqlite_file(url) {
        Some(database) => copy(&database, &part.0).await?,
        // A standby may be behind what was called saved.
        None => postgres::dump(&primary_url(url).await?, &part.0).await?,
    }
    let bytes = part.finish(path)?;
    print(&format!("{}: {:.1} MB", path.display(), bytes as f64 / MEGABYTE))?;
    if config.access.secret.is_none() {
        let secret = secret_path(url);
        print_error(&format!("keep {} as well: the backup does not hold the secret", secret.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// A backup in the place of a file in use would take away what the server writes from then on.
fn refuse_own_files(path: &Path, database: &Path, secret: &Path) -> Result<(), CliFailure> {
    let own = ["", "-wal", "-shm", "-journal", "-lock"].map(|end| {
        let mut file = database.as_os_str().to_owned();
        file.push(end);
        PathBuf::from(file)
    });
    let place = |path: &Path| fs::canonicalize(path).ok();
    let is_own = |own: &Path| place(path).is_some_and(|path| place(own) == Some(path));
    match own.iter().map(PathBuf::as_path).chain([secret]).find(|own| is_own(own)) {
        Some(_) => Err(format!("{} belongs to the database itself: name another file", path.display()).into()),
        None => Ok(()),
    }
}

async fn copy(database: &Path, target: &Path) -> Result<(), CliFailure> {
    if !database.exists() {
        return Err(format!("there is no database yet: {} does not exist", database.display()).into());
    }
    let copied = backups::copy_sqlite(database, target).await;
    Ok(copied.map_err(|error| format!("{} cannot be copied: {error}", database.display()))?)
}

/// A file that is not whole yet, so that no interrupted backup is taken for one; removed when it is dropped.
pub(super) struct Part(pub(super) PathBuf);

impl Part {
    pub(super) fn beside(path: &Path) -> Result<Self, CliFailure> {
        let name = path.file_name().ok_or_else(|| format!("{} is not a file", path.display()))?;
        let mut part = OsString::from(".");
        part.push(name);
        part.push(format!(".{}.part", std::process::id()));
        let part = folder_of(path).join(part);
        // One that another command of this number has left. Whoever else made it could read what is written.
        drop(fs::remove_file(&part));
        create_new(&part).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        Ok(Self(part))
    }

    /// Gives it its name, and returns its size. After this a crash takes nothing of it away.
    pub(super) fn finish(self, path: &Path) -> Result<u64, CliFailure> {
        let finish = || {
            let file = File::open(&self.0)?;
            file.sync_all()?;
            fs::rename(&self.0, path)?;
            private::sync_folder(folder_of(path))?;
            Ok(file.metadata()?.len())
        };
        finish().map_err(|error: std::io::Error| format!("{} cannot be written: {error}", path.display()).into())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Gone already when it was finished. SQLite may have kept logs beside it.
        for end in ["", "-journal", "-wal", "-shm"] {
            let mut path = self.0.clone().into_os_string();
            path.push(end);
            drop(fs::remove_file(path));
        }
    }
}
