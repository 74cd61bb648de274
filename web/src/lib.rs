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

/// The address of the document of the staff pages.
pub const STAFF: &str = "/staff.html";

/// The address of the document of the page of the API.
pub const REFERENCE: &str = "/reference.html";

/// The address of the document of the page that checks receipts.
pub const VERIFY: &str = "/verify.html";

/// The address of the service worker of that page.
pub const VERIFY_WORKER: &str = "/verify-worker.js";

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
    use std::collections::BTreeSet;

    use super::*;

    /// How the names of the files begin that only the staff pages load (web/vite.staff.config.ts).
    const STAFF_FILES: &str = "/assets/staff-";
    /// How the names of the files begin that only the page which checks receipts loads (web/vite.verify.config.ts).
    const VERIFY_FILES: &str = "/assets/verify-";
    /// A word of the library that checks signatures where a browser can't, which no builder makes shorter.
    const LIBRARY_WORD: &str = "zip215";
    /// Bytes of script that a staff page may load before it can be used, in brotli: a second on a slow school line.
    /// Each knows the names of the school and of topics, and the clocks of its zone.
    const STAFF_SCRIPT_BYTES_MAX: usize = 125_000;
    /// Bytes of script that the students' entry loads, in brotli; with their heads and what the first question loads
    /// beside it, they are what tests/browser/speed.spec.ts allows. The box for a number is among them: an answer can
    /// be typed even if nothing more can be loaded.
    const STUDENT_SCRIPT_BYTES_MAX: usize = 75_400;
    /// The table of the staff pages, which names the component of each.
    const STAFF_PAGES: &str = include_str!("staff/pages.ts");
    /// As many pages have a component at least; fewer are found if the table is written in another way.
    const STAFF_PAGES_MIN: usize = 21;

    fn text(path: &str) -> &'static str {
        std::str::from_utf8(find(path).unwrap().plain).unwrap()
    }

    /// The page and every script that it imports before it runs, directly or through others. What is imported later
    /// stands in parentheses: `import("./…")`.
    fn loaded_with(entries: &[&'static str]) -> BTreeSet<&'static str> {
        let mut found = BTreeSet::new();
        let mut waiting = entries.to_vec();
        while let Some(path) = waiting.pop() {
            if !found.insert(path) {
                continue;
            }
            let script = text(path);
            let names = script.split("from").chain(script.split("import")).skip(1).filter_map(|rest| {
                let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'))?;
                rest[1..].split(quote).next()?.strip_prefix("./")
            });
            waiting.extend(names.filter_map(|name| find(&format!("/assets/{name}"))).map(|file| file.path));
        }
        found
    }

    /// Bytes of the files in brotli.
    fn compressed(paths: &BTreeSet<&str>) -> usize {
        paths.iter().filter_map(|path| find(path)).map(|file| file.brotli.unwrap_or(file.plain).len()).sum()
    }

    fn scripts(of: &str) -> Vec<&'static str> {
        let begin = format!("{STAFF_FILES}{of}-");
        let is_script = |path: &&str| path.starts_with(&begin) && path.ends_with(".js");
        files().iter().map(|file| file.path).filter(is_script).collect()
    }

    #[test]
    fn the_entries_ask_for_files_that_are_there_and_run_nothing_inline() {
        for document in [STUDENT, STAFF, VERIFY] {
            asks_for_files_that_are_there_and_runs_nothing_inline(text(document));
        }
    }

    fn asks_for_files_that_are_there_and_runs_nothing_inline(html: &str) {
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
        for file in scripts.into_iter().filter(|file| ![WORKER, VERIFY_WORKER].contains(&file.path)) {
            assert!(file.is_immutable, "{}", file.path);
            assert!(
                file.gzip.is_none_or(|bytes| bytes.len() < file.plain.len())
                    && file.brotli.is_none_or(|bytes| bytes.len() < file.plain.len())
            );
        }
        assert!([STUDENT, STAFF, VERIFY, WORKER, VERIFY_WORKER].iter().all(|path| !find(path).unwrap().is_immutable));
    }

    #[test]
    fn students_neither_load_nor_keep_a_file_of_the_staff() {
        assert!(files().iter().any(|file| file.path.starts_with(STAFF_FILES)));
        let of_staff = |file: &&File| file.path.starts_with(STAFF_FILES) || file.path == STAFF;
        let others = files().iter().filter(|file| !of_staff(file));
        let texts = others.filter_map(|file| std::str::from_utf8(file.plain).ok().map(|text| (file.path, text)));
        for (path, text) in texts {
            let named =
                files().iter().filter(of_staff).find(|file| text.contains(file.path.rsplit('/').next().unwrap()));
            assert!(named.is_none(), "{path} names {}", named.unwrap().path);
        }
    }

    #[test]
    fn no_staff_page_loads_too_much_before_its_first_use() {
        let entry = text(STAFF).split('"').find(|part| part.starts_with(STAFF_FILES) && part.ends_with(".js")).unwrap();
        let loads = STAFF_PAGES.split("import(\"./").skip(1);
        let components = loads.map(|rest| rest.split(".svelte").next().and_then(|path| path.split('/').next_back()));
        let pages: Vec<&str> = components.map(Option::unwrap).collect();
        assert!(pages.len() >= STAFF_PAGES_MIN, "{pages:?}");
        for page in pages {
            let [script] = scripts(page)[..] else { panic!("{page}: {:?}", scripts(page)) };
            let loaded = loaded_with(&[entry, script]);
            assert!(loaded.len() > 2, "{page} must share something with the entry: {loaded:?}");
            let sum = compressed(&loaded);
            assert!(sum <= STAFF_SCRIPT_BYTES_MAX, "{page} loads {sum} bytes: {loaded:?}");
        }
    }

    #[test]
    fn a_test_loads_few_scripts_before_its_first_question() {
        let mut names = text(STUDENT).split('"').filter(|part| part.ends_with(".js"));
        let loaded = loaded_with(&[names.next().unwrap()]);
        assert!(loaded.len() > 1, "{loaded:?}");
        let sum = compressed(&loaded);
        assert!(sum <= STUDENT_SCRIPT_BYTES_MAX, "{sum} bytes: {loaded:?}");
    }

    #[test]
    fn the_page_that_checks_receipts_loads_a_library_only_where_it_must() {
        let entry =
            text(VERIFY).split('"').find(|part| part.starts_with(VERIFY_FILES) && part.ends_with(".js")).unwrap();
        let loaded = loaded_with(&[entry]);
        assert!(loaded.iter().all(|path| !text(path).contains(LIBRARY_WORD)), "{loaded:?}");
        let kept: Vec<&str> = text(VERIFY_WORKER).split('"').filter(|part| part.starts_with("/assets/")).collect();
        assert!(kept.iter().all(|path| find(path).is_some()) && kept.contains(&entry), "{kept:?}");
        let has_library = |path: &&&str| path.ends_with(".js") && text(path).contains(LIBRARY_WORD);
        assert_eq!(kept.iter().filter(has_library).count(), 1, "{kept:?}");
    }

    #[test]
    fn the_worker_keeps_what_the_student_entry_can_ask_for_and_knows_its_build() {
        let kept: Vec<&str> = text(WORKER).split('"').filter(|part| part.starts_with("/assets/")).collect();
        let missing: Vec<&str> = files()
            .iter()
            .map(|file| file.path)
            // Whoever reads the page of the API, or uses the staff pages, has the network. The page that checks
            // receipts has a worker of its own.
            .filter(|path| {
                !["/assets/reference-", STAFF_FILES, VERIFY_FILES].iter().any(|begin| path.starts_with(begin))
            })
            .filter(|path| path.starts_with("/assets/") && !kept.contains(path))
            .collect();
        assert!(kept.iter().all(|path| find(path).is_some()) && missing.is_empty(), "{kept:?} {missing:?}");
        let build =
            text(STUDENT).split("name=\"build\" content=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert_eq!(build.len(), 16);
        assert!(text(WORKER).contains(&format!("\"{build}\"")));
    }
}
