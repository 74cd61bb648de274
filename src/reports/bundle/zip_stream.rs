//! A zip archive that is written from its beginning to its end and never gone back into. Files are stored as they are,
//! with their lengths before them, so that every program can read it while it comes; what stays in memory is its index.

use flate2::Crc;

const FILE: [u8; 4] = *b"PK\x03\x04";
const ENTRY: [u8; 4] = *b"PK\x01\x02";
const END: [u8; 4] = *b"PK\x05\x06";
/// Of the format, as the program needs it that reads the archive.
const VERSION: u16 = 20;
const NAMES_ARE_UTF_8: u16 = 1 << 11;
const STORED: u16 = 0;
/// The first day that the format knows: the moment of writing would tell nothing.
const FIRST_DAY: u16 = 0x21;
const NONE: u16 = 0;

/// The archive so far.
#[derive(Default)]
pub(super) struct ZipStream {
    written: u32,
    files: u16,
    index: Vec<u8>,
}

impl ZipStream {
    /// The bytes of another file. `None` if the archive would have more than the format takes, which is 4 GiB.
    pub(super) fn file(&mut self, name: &str, content: &[u8]) -> Option<Vec<u8>> {
        let mut checksum = Crc::new();
        checksum.update(content);
        let size = u32::try_from(content.len()).ok()?;
        let mut description = shorts([VERSION, NAMES_ARE_UTF_8, STORED, NONE, FIRST_DAY]);
        description.extend(longs([checksum.sum(), size, size]));
        description.extend(shorts([u16::try_from(name.len()).ok()?, NONE]));
        let bytes = [&FILE[..], &description, name.as_bytes(), content].concat();
        let written = self.written.checked_add(u32::try_from(bytes.len()).ok()?)?;
        self.files = self.files.checked_add(1)?;
        for part in [&ENTRY[..], &shorts([VERSION]), &description, &shorts([NONE; 5]), &longs([self.written])] {
            self.index.extend_from_slice(part);
        }
        self.index.extend_from_slice(name.as_bytes());
        self.written = written;
        Some(bytes)
    }

    /// The end of the archive: its index.
    pub(super) fn end(self) -> Option<Vec<u8>> {
        let size = u32::try_from(self.index.len()).ok()?;
        let end = [shorts([NONE, NONE, self.files, self.files]), longs([size, self.written]), shorts([NONE])].concat();
        Some([&self.index[..], &END, &end].concat())
    }
}

fn shorts<const COUNT: usize>(numbers: [u16; COUNT]) -> Vec<u8> {
    numbers.into_iter().flat_map(u16::to_le_bytes).collect()
}

fn longs<const COUNT: usize>(numbers: [u32; COUNT]) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use zip::ZipArchive;

    use super::*;

    fn read(bytes: Vec<u8>) -> Vec<(String, Vec<u8>)> {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let all = 0..archive.len();
        all.map(|index| {
            let mut file = archive.by_index(index).unwrap();
            let mut content = Vec::new();
            file.read_to_end(&mut content).unwrap();
            (file.name().unwrap().into_owned(), content)
        })
        .collect()
    }

    #[test]
    fn other_programs_read_what_was_written() {
        let mut stream = ZipStream::default();
        let files =
            [("01-Đỗ-Gia-Bảo.pdf", vec![7; 70_000]), ("02-Ada.pdf", b"PK\x03\x04".to_vec()), ("empty", Vec::new())];
        let mut bytes = Vec::new();
        for (name, content) in &files {
            bytes.extend(stream.file(name, content).unwrap());
        }
        bytes.extend(stream.end().unwrap());
        assert_eq!(read(bytes), files.map(|(name, content)| (name.to_owned(), content)));
        assert_eq!(read(ZipStream::default().end().unwrap()), []);
    }

    #[test]
    fn what_the_format_cannot_say_is_not_written() {
        let mut stream = ZipStream { written: u32::MAX - 10, ..ZipStream::default() };
        assert!(stream.file("a.pdf", b"content").is_none());
        assert!(ZipStream::default().file(&"a".repeat(70_000), b"").is_none());
    }
}
