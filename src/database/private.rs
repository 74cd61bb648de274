//! Files that hold people's data or a secret: only their owner may open them, whatever the umask says.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use crate::config::SECRET_FILE;

/// Read and written by the owner alone.
const FILE_MODE: u32 = 0o600;
/// Entered by the owner alone.
const FOLDER_MODE: u32 = 0o700;
/// The bits of a mode that grant anything to users other than the owner.
const OF_OTHERS: u32 = 0o077;
/// The sticky bit, of folders that belong to everyone.
const STICKY: u32 = 0o1000;

/// Creates an empty file, or empties the one that is there. A file that root creates belongs to the owner of its
/// folder, so that a command of root locks out no server. A symbolic link is refused: whoever may write to the folder
/// could have root change a file elsewhere.
pub fn create(path: &Path) -> io::Result<File> {
    let file = match create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => open(OpenOptions::new().write(true), path, 0)?,
        created => return created,
    };
    if file.metadata()?.is_file() {
        file.set_permissions(Permissions::from_mode(FILE_MODE))?;
        file.set_len(0)?;
    }
    Ok(file)
}

/// The same for a file that must not be there yet, under whatever kind of name.
pub fn create_new(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path)?;
    // The umask may have taken rights of the owner, too.
    file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    let uid = file.metadata()?.uid();
    if let Some(folder) = fs::metadata(folder_of(path)).ok().filter(|folder| folder.uid() != uid) {
        // Only root can give a file away.
        drop(fchown(&file, Some(folder.uid()), Some(folder.gid())));
    }
    Ok(file)
}

/// Opens the file of this name itself, and not what a symbolic link leads to.
fn open(options: &mut OpenOptions, path: &Path, flags: i32) -> io::Result<File> {
    options.custom_flags(libc::O_NOFOLLOW | flags).open(path).map_err(|error| {
        let is_link = error.raw_os_error() == Some(libc::ELOOP);
        if is_link { io::Error::other("it is a symbolic link") } else { error }
    })
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
    // SQLite's locks on a file would end when this process closes it again, so it is opened only if it must be.
    let is_open = |found: &fs::Metadata| found.is_file() && found.mode() & OF_OTHERS != 0;
    let closed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() && fs::metadata(path).is_ok_and(|found| is_open(&found)) => {
            Err(io::Error::other("it is a symbolic link: close the file itself"))
        }
        Ok(found) if is_open(&found) => close_opened(path, is_open),
        _ => Ok(()),
    };
    if let Err(error) = closed {
        tracing::warn!(%error, path = %path.display(), "others may open this file, and their rights could not be taken");
    }
}

/// What the name means may have changed since, so what has been opened is looked at.
fn close_opened(path: &Path, is_open: impl Fn(&fs::Metadata) -> bool) -> io::Result<()> {
    // A pipe would wait for a writer.
    let file = open(OpenOptions::new().read(true), path, libc::O_NONBLOCK)?;
    let found = file.metadata()?;
    if found.nlink() > 1 {
        return Err(io::Error::other("it has another name"));
    }
    if is_open(&found) { file.set_permissions(Permissions::from_mode(FILE_MODE)) } else { Ok(()) }
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
        match create_new(&self.0) {
            // A link may lead to a database elsewhere, but none is made there.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists || !self.0.exists() => return Err(error),
            _ => {}
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
        // The rights of what was looked at are changed, whatever has its name by then.
        let Ok(opened) = File::open(folder) else { return };
        let Some(found) = opened.metadata().ok().filter(|found| found.mode() & OF_OTHERS != 0) else { return };
        let (Some(own), Ok(mut entries)) = (self.0.file_name(), fs::read_dir(folder)) else { return };
        let is_own = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| {
                let name = entry.file_name();
                name == SECRET_FILE || name.as_encoded_bytes().starts_with(own.as_encoded_bytes())
            })
        };
        let is_closed = found.mode() & STICKY == 0
            && entries.all(is_own)
            && opened.set_permissions(Permissions::from_mode(FOLDER_MODE)).is_ok();
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
        match create_new(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        open(OpenOptions::new().read(true), &path, libc::O_NONBLOCK)
    }
}

fn locked(file: File, lock: fn(&File) -> Result<(), TryLockError>) -> io::Result<Option<File>> {
    match lock(&file) {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    /// A folder with a file of someone else, open to others, and a link to it under the name of a file of ours.
    fn planted() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let (victim, link) = (folder.path().join("victim"), folder.path().join("own"));
        fs::write(&victim, "kept").unwrap();
        fs::set_permissions(&victim, Permissions::from_mode(0o644)).unwrap();
        symlink(&victim, &link).unwrap();
        (folder, victim, link)
    }

    #[test]
    fn what_a_link_leads_to_is_left_alone() {
        let (folder, victim, link) = planted();
        assert!(create(&link).unwrap_err().to_string().contains("symbolic link"));
        assert!(create_new(&link).is_err() && write(&link, b"other").is_err());
        close(&link);
        assert_eq!((mode(&victim), fs::read_to_string(&victim).unwrap().as_str()), (0o644, "kept"));
        // Nor is a file made where a link leads.
        let nowhere = folder.path().join("nowhere");
        let database = SqliteFile::new(&folder.path().join("hall.db"));
        for own in [database.path().to_owned(), database.beside("-lock")] {
            symlink(&nowhere, &own).unwrap();
            assert!(create(&own).is_err());
        }
        assert!(database.prepare().is_err() && database.note_use().is_err() && !nowhere.exists());
    }

    #[test]
    fn other_names_of_a_file_are_left_alone() {
        let (folder, victim, _) = planted();
        let name = folder.path().join("other-name");
        fs::hard_link(&victim, &name).unwrap();
        close(&name);
        assert_eq!(mode(&victim), 0o644);
    }

    #[test]
    fn a_file_is_emptied_and_closed() {
        let (_folder, victim, _) = planted();
        write(&victim, b"new").unwrap();
        assert_eq!((mode(&victim), fs::read(&victim).unwrap().as_slice()), (0o600, b"new".as_slice()));
        fs::set_permissions(&victim, Permissions::from_mode(0o644)).unwrap();
        close(&victim);
        assert_eq!(mode(&victim), 0o600);
    }
}
