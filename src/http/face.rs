//! The face of the pages that the server writes itself: the school's name, crest and colour, and the styles that these
//! pages share.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::{ACCEPT_LANGUAGE, HeaderMap};
use actix_web::web::Data;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::calendar::values::escaped;
use domain::school::{Accent, PageLanguage, School, SchoolColour};
use domain::status_message::StatusMessage;
use domain::text::direction::isolated;
use sha2::{Digest, Sha256};

use super::pages::style_sheet;
use super::status::shown_to;
use crate::database::Database;
use crate::store::school::{self, StoredSchool};

/// The name of a school that has none.
const HALL: &str = "Exam Hall";
/// What these pages need besides the style sheet of the others.
const STYLE: &str = "header,main{max-width:64rem;margin:0 auto;padding:1rem clamp(1rem,4vw,2rem)}\
.name{display:inline-flex;align-items:center;gap:.6rem;min-height:2.75rem;color:inherit;font-weight:600;text-decoration:none;overflow-wrap:anywhere}\
.name img{flex:none;width:2.25rem;height:2.25rem;object-fit:contain}\
svg{flex:none;width:1.25em;height:1.25em;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}\
.card{max-width:40rem;margin:0 auto}label{display:grid;gap:.35rem;font-weight:600}\
input{min-width:0;min-height:3rem;padding:.5rem .9rem;color:inherit;background:var(--paper);border:1.5px solid var(--edge);\
border-radius:var(--radius);font:inherit;font-weight:400}\
.wrong{padding:.6rem 1rem;color:var(--warm);background:var(--warm-soft);border-left:4px solid;border-radius:.4rem}\
.status{max-width:40rem;margin:0 auto 1rem;padding:.6rem 1rem;background:var(--accent-soft);border:1.5px solid var(--accent);\
border-radius:var(--radius);overflow-wrap:anywhere}";
/// The sign of the hall, as the other pages have it.
const SIGN: &str = "<svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"M3 17V8l7-4 7 4v9M8 17v-5h4v5\"/></svg>";

/// What the school puts on a page.
pub struct PageFace {
    /// As HTML.
    name: String,
    /// The crest or the sign of the hall, as HTML.
    sign: String,
    styles: String,
    /// What all pages say.
    status: Arc<StatusMessage>,
}

impl PageFace {
    /// The face of this school; `more` are the styles of the page's own.
    #[must_use]
    pub fn of(stored: &StoredSchool, more: &str) -> Self {
        let name = match stored.school.name.as_str() {
            "" => HALL.to_owned(),
            name => escaped(&isolated(name)),
        };
        let sign = match stored.crest_address() {
            address if address.is_empty() => SIGN.to_owned(),
            address => format!("<img src=\"{}\" alt=\"\" width=\"36\" height=\"36\">", escaped(&address)),
        };
        Self { name, sign, styles: format!("{STYLE}{more}{}", colours(&stored.school)), status: Arc::default() }
    }

    /// The same with what all pages say.
    #[must_use]
    pub fn saying(self, status: Arc<StatusMessage>) -> Self {
        Self { status, ..self }
    }

    /// The face for a page that must be shown even if the database can't say whose it is.
    pub async fn at_any_rate(request: &HttpRequest) -> Self {
        Self::at_any_rate_with(request, "").await
    }

    /// The same with styles of the page's own.
    pub async fn at_any_rate_with(request: &HttpRequest, more: &str) -> Self {
        let loaded = match request.app_data::<Data<Database>>() {
            Some(database) => school::load(database).await.ok(),
            None => None,
        };
        Self::of(&loaded.unwrap_or_default(), more).saying(shown_to(request).await)
    }

    /// A policy that allows these styles by their hash, and beside them these sources.
    #[must_use]
    pub fn policy(&self, sources: &str) -> String {
        self.framed_policy(sources, "'none'")
    }

    /// The same for a page that pages of these origins may frame.
    #[must_use]
    pub fn framed_policy(&self, sources: &str, ancestors: &str) -> String {
        let hash = STANDARD.encode(Sha256::digest(self.styles.as_bytes()));
        format!(
            "default-src 'none'; style-src 'self' 'sha256-{hash}'; font-src 'self'; {sources}; base-uri 'none'; frame-ancestors {ancestors}"
        )
    }

    /// A whole document. `title` and `main` are HTML.
    #[must_use]
    pub fn document(&self, language: PageLanguage, title: &str, main: &str) -> String {
        self.document_with(language, title, main, "")
    }

    /// The same for a page that may be in a frame: the start page opens beside it, since no frame may show it.
    #[must_use]
    pub fn framed_document(&self, language: PageLanguage, title: &str, main: &str) -> String {
        self.document_with(language, title, main, " target=\"_blank\" rel=\"noopener\"")
    }

    fn document_with(&self, language: PageLanguage, title: &str, main: &str, link: &str) -> String {
        let Self { name, sign, styles, status } = self;
        let said = match status.for_readers(language) {
            (_, "") => String::new(),
            (language, text) => {
                format!("<p class=\"status\" role=\"status\" lang=\"{}\">{}</p>", language.code(), escaped(text))
            }
        };
        format!(
            "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
<meta name=\"color-scheme\" content=\"light\"><title>{title} – {name}</title><link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\
<link rel=\"stylesheet\" href=\"{}\"><style>{styles}</style></head><body><header><a class=\"name\" href=\"/\"{link}>{sign}<span>{name}</span></a></header>\
<main>{said}{main}</main></body></html>",
            language.code(),
            style_sheet().unwrap_or_default(),
        )
    }
}

/// The school's colour in place of the pages' own.
fn colours(school: &School) -> String {
    if school.colour == SchoolColour::DEFAULT {
        return String::new();
    }
    let Accent { accent, deep, soft } = school.colour.accent();
    format!(":root{{--accent:{};--accent-deep:{};--accent-soft:{}}}", accent.hex(), deep.hex(), soft.hex())
}

/// The first language of the reader that the pages have.
#[must_use]
pub fn reader_language(headers: &HeaderMap) -> PageLanguage {
    let wanted = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let named = |tag: &str| PageLanguage::parse(&tag.trim().get(..2)?.to_ascii_lowercase());
    wanted.split(',').find_map(named).unwrap_or(PageLanguage::En)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn the_first_language_that_is_known_counts() {
        for (sent, code) in [("vi-VN,vi;q=0.9,en;q=0.5", "vi"), ("fr, en-GB, VI", "en"), ("fr", "en"), ("", "en")] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static(sent));
            assert_eq!(reader_language(&headers).code(), code, "{sent}");
        }
        assert_eq!(reader_language(&HeaderMap::new()), PageLanguage::En);
    }

    #[test]
    fn a_page_is_the_school_s_and_nothing_of_its_name_is_markup() {
        let mut stored = StoredSchool::default();
        let plain = PageFace::of(&stored, "").document(PageLanguage::En, "T", "M");
        assert!(
            plain.contains("<title>T – Exam Hall</title>") && plain.contains(SIGN) && !plain.contains("--accent:#")
        );
        stored.school.name = "Lê <Lợi>".to_owned();
        stored.school.colour = SchoolColour::parse("#1d6b3f").unwrap();
        stored.crest_revision = Some(3);
        let page = PageFace::of(&stored, ".own{}").document(PageLanguage::Vi, "T", "M");
        for part in ["lang=\"vi\"", "T – Lê &lt;Lợi&gt;", "/api/school/crest?v=3", "--accent:#1d6b3f", ".own{}"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("Exam Hall") && !page.contains("<Lợi>"), "{page}");
    }

    #[test]
    fn a_page_says_what_all_pages_say_as_plain_text() {
        let face = || PageFace::of(&StoredSchool::default(), "");
        assert!(!face().document(PageLanguage::En, "T", "M").contains("role=\"status\""));
        let status = StatusMessage { en: "Back at <b>2".to_owned(), vi: String::new() };
        let page = face().saying(Arc::new(status)).document(PageLanguage::Vi, "T", "M");
        assert!(page.contains("<p class=\"status\" role=\"status\" lang=\"en\">Back at &lt;b&gt;2</p>M"), "{page}");
    }
}
