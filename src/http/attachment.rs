//! Answers that browsers save as a file, and how the file is called.

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::{HttpResponse, HttpResponseBuilder};
use domain::file_name::FileName;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What is percent-encoded in `filename*` (RFC 8187). Names have no other sign than these two.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.');

/// The answer with a file of that name.
#[must_use]
pub fn attachment(name: &FileName) -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_DISPOSITION, disposition(name)));
    response
}

/// The name in ASCII, and in all its letters if it has others.
fn disposition(name: &FileName) -> String {
    let plain = name.ascii();
    if plain == name.as_str() {
        return format!("attachment; filename=\"{plain}\"");
    }
    let full = utf8_percent_encode(name.as_str(), ENCODED);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{full}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_in_both_forms() {
        assert_eq!(
            disposition(&FileName::of(&["audit", "2026-11-20"], "csv")),
            "attachment; filename=\"audit-2026-11-20.csv\""
        );
        let name = FileName::of(&["Toán 5\"; x=\"", "slips"], "pdf");
        let expected = "attachment; filename=\"Toan-5-x-slips.pdf\"; filename*=UTF-8''To%C3%A1n-5-x-slips.pdf";
        assert_eq!(disposition(&name), expected);
    }
}
