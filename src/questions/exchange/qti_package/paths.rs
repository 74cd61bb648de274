//! Names of files in a package, and the ways in which items name them.

use percent_encoding::percent_decode_str;

/// How Common Cartridges begin the address of a file that belongs to the course.
const COURSE_FILES: [&str; 2] = ["$IMS-CC-FILEBASE$", "$IMS_CC_FILEBASE$"];
/// The folders in which such files are: by the standard, and in Canvas' exports of quizzes.
const COURSE_FOLDERS: [&str; 2] = ["web_resources/", ""];
/// The ends of names of XML files. D2L and Canvas write some items as `.qti`.
const XML: [&str; 2] = [".xml", ".qti"];
const PICTURES: [&str; 6] = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"];
const ZIPS: [&str; 3] = [".zip", ".imscc", ".mbz"];
/// A name with slashes, as some programs for Windows do not write it.
pub fn plain(name: &str) -> String {
    let name = name.replace('\\', "/");
    name.strip_prefix("./").map(str::to_owned).unwrap_or(name)
}

/// Returns whether a name stays within the folder in which a zip is unpacked.
pub fn is_within(name: &str) -> bool {
    let is_drive = name.as_bytes().get(1) == Some(&b':');
    !name.is_empty()
        && !name.starts_with('/')
        && !is_drive
        && !name.contains('\0')
        && name.split('/').all(|part| part != "..")
}

pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The folder of a file, with a slash at its end; empty for the outermost.
pub fn folder(path: &str) -> &str {
    path.rfind('/').and_then(|end| path.get(..=end)).unwrap_or_default()
}

pub fn is_xml(name: &str) -> bool {
    ends(name, &XML)
}

pub fn is_picture(name: &str) -> bool {
    ends(name, &PICTURES)
}

pub fn is_zip(name: &str) -> bool {
    ends(name, &ZIPS)
}

fn ends(name: &str, with: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    with.iter().any(|end| name.ends_with(end))
}

/// The files that an address in the file `from` may mean, likeliest first.
pub fn candidates(from: Option<&str>, address: &str) -> Vec<String> {
    let without_query = address.split(['?', '#']).next().unwrap_or_default();
    let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let decoded = decode(without_query);
    // A name may itself have a question mark, or what looks like a code.
    let forms = [decoded.clone(), without_query.to_owned(), decode(address), decode(&decoded)];
    let mut found = Vec::new();
    for form in forms {
        let form = form.replace('\\', "/");
        let course = COURSE_FILES.iter().find_map(|base| form.trim_start_matches('/').strip_prefix(base));
        let paths: Vec<Option<String>> = match course {
            Some(rest) => COURSE_FOLDERS.iter().map(|folder| joined(folder, rest.trim_start_matches('/'))).collect(),
            None => vec![joined(folder(from.unwrap_or_default()), &form), joined("", form.trim_start_matches('/'))],
        };
        for path in paths.into_iter().flatten() {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// A path from a folder, without dots; `None` if it leaves the package.
pub fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = if path.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    parts.retain(|part| !part.is_empty());
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_means_a_file_of_the_package_alone() {
        for (from, address, wanted) in [
            (Some("items/a.xml"), "pictures/a%20b.png", "items/pictures/a b.png"),
            (Some("items/a.xml"), "../pictures/a.png", "pictures/a.png"),
            (Some("items/a.xml"), "./a.png?canvas_=1&x#y", "items/a.png"),
            (Some("items/a.xml"), "..\\pictures\\a.png", "pictures/a.png"),
            (
                Some("g1/g1.xml"),
                "$IMS-CC-FILEBASE$/Uploaded%20Media/a.png?canvas_download=1",
                "web_resources/Uploaded Media/a.png",
            ),
            (Some("g1/g1.xml"), "%24IMS-CC-FILEBASE%24/a.png", "web_resources/a.png"),
            (Some("g1/g1.xml"), "%2524IMS-CC-FILEBASE%2524/a.png", "web_resources/a.png"),
            (None, "/a.png", "a.png"),
        ] {
            assert!(
                candidates(from, address).contains(&wanted.to_owned()),
                "{address}: {:?}",
                candidates(from, address)
            );
        }
        for address in ["../a.png", "..", "%2e%2e/a.png", "", "..\\..\\etc/passwd.png"] {
            let found = candidates(Some("a.xml"), address);
            assert!(found.iter().all(|path| is_within(path)), "{address}: {found:?}");
        }
    }
}
