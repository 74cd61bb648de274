//! Standard output and standard error of the commands. Standard output may be a pipe whose reader has ended, a full
//! disk, or closed, and no command ends in a panic for that.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};

use super::CliFailure;

/// Prints what the command was called for.
pub(super) fn print(line: &str) -> Result<(), CliFailure> {
    write(format!("{line}\n").as_bytes())
}

/// Writes to standard output, to the last byte.
pub(super) fn write(bytes: &[u8]) -> Result<(), CliFailure> {
    let mut output = io::stdout().lock();
    let written = output.write_all(bytes).and_then(|()| output.flush());
    written.map_err(|error| format!("standard output cannot be written: {error}").into())
}

/// Returns whether the caller has closed standard output. The runtime has then opened the null device for reading and
/// writing in its place, whereas a caller who redirects to it opens it for writing alone.
pub(super) fn is_closed() -> bool {
    let of_file = |file: &File| file.metadata().ok().filter(|found| found.file_type().is_char_device());
    let Ok(mut output) = io::stdout().as_fd().try_clone_to_owned().map(File::from) else { return true };
    let null = File::open("/dev/null").ok().as_ref().and_then(of_file).map(|found| found.rdev());
    let device = of_file(&output).map(|found| found.rdev());
    device.is_some() && device == null && output.read(&mut [0]).is_ok()
}

#[allow(clippy::print_stderr, reason = "what is not the result of the command, a line each")]
pub(super) fn print_error(line: &str) {
    eprintln!("{line}");
}
