//! Files that hold people's data or a secret: only their owner may open them, whatever the umask says.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use crate::config::SECRET_FILE;

/// Read and written by the owner alone.
const FILE_MODE: u32 = 0o600;
/// Entered by the owner alone.
const FOLDER_MODE: u32 = 0o700;
/// What a mode grants to others than the owner.
const OF_OTHERS: u32 = 0o077;
/// The sticky bit, of folders that belong to everyone.
const STICKY: u32 = 0o1000;

/// Creates an empty file, or empties the one that is there. A file that root creates belongs to the owner of its
/// folder, so that a command of root locks out no server.
pub fn create(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(FILE_MODE).open(path)?;
    let found = file.metadata()?;
    if found.is_file() {
        file.set_permissions(Permissions::from_mode(FILE_MODE))?;
        if let Some(folder) = fs::metadata(folder_of(path)).ok().filter(|folder| folder.uid() != found.uid()) {
            // Only root can give a file away.
            drop(chown(path, Some(folder.uid()), Some(folder.gid())));
        }
    }
    Ok(file)
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create(path)?.write_all(bytes)
}

/// Makes a folder with those above it. Folders that exist stay as they are.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder)
}

/// Takes the rights of others from a file, if there is one.
pub fn close(path: &Path) {
    let open = fs::metadata(path).ok().filter(|found| found.is_file() && found.mode() & OF_OTHERS != 0);
    if open.is_some()
        && let Err(error) = fs::set_permissions(path, Permissions::from_mode(FILE_MODE))
    {
        tracing::warn!(%error, path = %path.display(), "others may open this file, and their rights could not be taken");
    }
}

/// The folder that a file is in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Makes what a folder has been told outlast a crash: names that were given and taken.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// The file of a SQLite database, with those that SQLite and this server keep beside it.
#[derive(Clone, Debug)]
pub struct SqliteFile(PathBuf);

impl SqliteFile {
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The file beside it whose name continues like this.
    #[must_use]
    pub fn beside(&self, continued: &str) -> PathBuf {
        let mut name = self.0.clone().into_os_string();
        name.push(continued);
        name.into()
    }

    /// Makes the folder and the file when they are missing, and closes to others what is there. SQLite gives its own
    /// files the mode of the database.
    pub fn prepare(&self) -> io::Result<()> {
        make_folder(folder_of(&self.0))?;
        if !self.0.exists() {
            create(&self.0)?;
        }
        for path in [self.0.clone(), self.beside("-wal"), self.beside("-shm"), self.beside("-lock")] {
            close(&path);
        }
        close(&folder_of(&self.0).join(SECRET_FILE));
        self.close_folder();
        Ok(())
    }

    /// Closes the folder when all that is in it belongs to the server. Others may need theirs.
    fn close_folder(&self) {
        let folder = folder_of(&self.0);
        let Some(found) = fs::metadata(folder).ok().filter(|found| found.mode() & OF_OTHERS != 0) else { return };
        let (Some(own), Ok(mut entries)) = (self.0.file_name(), fs::read_dir(folder)) else { return };
        let is_own = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| {
                let name = entry.file_name();
                name == SECRET_FILE || name.as_encoded_bytes().starts_with(own.as_encoded_bytes())
            })
        };
        let is_closed = found.mode() & STICKY == 0
            && entries.all(is_own)
            && fs::set_permissions(folder, Permissions::from_mode(FOLDER_MODE)).is_ok();
        if !is_closed {
            tracing::warn!(folder = %folder.display(), "others may see which files are in the folder of the database: give it a folder of its own");
        }
    }

    /// Notes for as long as the file stays open that the database is in use. `None` while it is being restored.
    pub fn note_use(&self) -> io::Result<Option<File>> {
        locked(self.lock_file()?, File::try_lock_shared)
    }

    /// Keeps every server and command away for as long as the file stays open. `None` while one uses the database.
    pub fn keep_others_away(&self) -> io::Result<Option<File>> {
        locked(self.lock_file()?, File::try_lock)
    }

    fn lock_file(&self) -> io::Result<File> {
        let path = self.beside("-lock");
        // Opened for reading, which any lock allows, and never emptied or deleted: others may hold it.
        if !path.exists() {
            drop(create(&path)?);
        }
        File::open(path)
    }
}

fn locked(file: File, lock: fn(&File) -> Result<(), TryLockError>) -> io::Result<Option<File>> {
    match lock(&file) {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
