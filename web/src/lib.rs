//! The pages, embedded in the binary: every file that Vite has built, plain and compressed, so that the server
//! compresses nothing. A crate of its own, so that a change in the server does not build the pages again.

/// One file of the pages.
pub struct File {
    /// The address, such as `/assets/student-1a2b3c.js`.
    pub path: &'static str,
    /// The value of `Content-Type`.
    pub kind: &'static str,
    /// The entity tag without quotes: a hash of the content.
    pub tag: &'static str,
    /// Whether the name changes with the content, so that browsers may cache it for ever.
    pub is_immutable: bool,
    /// The content, uncompressed.
    pub plain: &'static [u8],
    /// The content in gzip, if that is shorter.
    pub gzip: Option<&'static [u8]>,
    /// The content in brotli, if that is shorter.
    pub brotli: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The address of the document of the students' pages.
pub const STUDENT: &str = "/student.html";

/// The address of the document of the page of the API.
pub const REFERENCE: &str = "/reference.html";

/// The address of the service worker, which browsers look for under this name only.
pub const WORKER: &str = "/service-worker.js";

/// Every file of the pages.
#[must_use]
pub fn files() -> &'static [File] {
    FILES
}

/// The file at this address.
#[must_use]
pub fn find(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_student_entry_asks_for_files_that_are_there_and_runs_nothing_inline() {
        let html = std::str::from_utf8(find(STUDENT).unwrap().plain).unwrap();
        let asked: Vec<&str> =
            html.split(['"', '\'']).filter(|part| part.starts_with("/assets/") || *part == "/icon.svg").collect();
        assert!(asked.len() >= 3, "{html}");
        assert!(asked.iter().all(|path| find(path).is_some()), "{asked:?}");
        assert!(!html.contains("<style") && !html.contains("style=") && !html.contains("onload="), "{html}");
        assert!(
            html.split("<script")
                .skip(1)
                .all(|script| script.split('>').nth(1).is_some_and(|inside| inside.starts_with("</script"))),
            "{html}"
        );
    }

    #[test]
    fn scripts_are_compressed_and_kept_for_ever() {
        let scripts: Vec<&File> = files().iter().filter(|file| file.kind.starts_with("text/javascript")).collect();
        assert!(!scripts.is_empty());
        for file in scripts.into_iter().filter(|file| file.path != WORKER) {
            assert!(file.is_immutable, "{}", file.path);
            assert!(
                file.gzip.is_none_or(|bytes| bytes.len() < file.plain.len())
                    && file.brotli.is_none_or(|bytes| bytes.len() < file.plain.len())
            );
        }
        assert!(!find(STUDENT).unwrap().is_immutable && !find(WORKER).unwrap().is_immutable);
    }

    #[test]
    fn the_worker_keeps_what_the_student_entry_can_ask_for_and_knows_its_build() {
        let text = |path| std::str::from_utf8(find(path).unwrap().plain).unwrap();
        let kept: Vec<&str> = text(WORKER).split('"').filter(|part| part.starts_with("/assets/")).collect();
        let missing: Vec<&str> = files()
            .iter()
            .map(|file| file.path)
            // Whoever reads the page of the API has the network.
            .filter(|path| !path.starts_with("/assets/reference-"))
            .filter(|path| path.starts_with("/assets/") && !kept.contains(path))
            .collect();
        assert!(kept.iter().all(|path| find(path).is_some()) && missing.is_empty(), "{kept:?} {missing:?}");
        let build =
            text(STUDENT).split("name=\"build\" content=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert_eq!(build.len(), 16);
        assert!(text(WORKER).contains(&format!("\"{build}\"")));
    }
}
