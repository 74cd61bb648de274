//! The pages that launches are answered with. Most stand in a frame on a page of the platform, so each says who may
//! frame it, and where its forms may lead.

use std::fmt::Write;

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, ContentType, REFERRER_POLICY, VARY};
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::calendar::values::escaped;
use domain::lti::addresses::{is_origin, origin};
use domain::lti::platform::Platform;
use domain::school::PageLanguage;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::refusal::LaunchRefusal;
use super::words::LaunchWords;
use crate::http::compression::with_secret;
use crate::http::face::{PageFace, reader_language};

/// Origins of one platform that a policy names.
const ORIGINS_MAX: usize = 20;
/// Who may frame a page that only says a sentence to somebody whose platform is not known.
const ANYBODY: &str = "https: http:";
/// What the browser says of a page that is to be shown in a frame.
const FRAMES: [&[u8]; 4] = [b"iframe", b"frame", b"embed", b"object"];

/// How a page is made for one request.
#[derive(Clone)]
pub struct LaunchPage<'a> {
    pub language: PageLanguage,
    /// Whether a frame shows it; `None` if the browser does not say.
    pub is_framed: Option<bool>,
    /// From which platform somebody comes, if that is known.
    platform_id: Option<Uuid>,
    ancestors: String,
    request: &'a HttpRequest,
}

/// What a page has beside its text.
#[derive(Clone, Copy, Default)]
pub struct LaunchPageParts<'a> {
    /// Styles of its own.
    pub styles: &'a str,
    /// The text of its script.
    pub script: &'a str,
    /// Origins that its forms may lead to, beside this one.
    pub form_origins: &'a [String],
}

impl<'a> LaunchPage<'a> {
    /// A page for somebody who comes from this platform, or from one that is not known.
    #[must_use]
    pub fn of(request: &'a HttpRequest, platform: Option<&Platform>) -> Self {
        let ancestors = platform.map_or_else(|| ANYBODY.to_owned(), |platform| origins_of(platform).join(" "));
        Self {
            language: reader_language(request.headers()),
            is_framed: is_framed(request),
            platform_id: platform.map(|platform| platform.id),
            ancestors,
            request,
        }
    }

    /// A page that no frame may show.
    #[must_use]
    pub fn in_a_window(request: &'a HttpRequest) -> Self {
        Self { ancestors: "'none'".to_owned(), ..Self::of(request, None) }
    }

    /// The same page, in the language of the platform's pages if this server speaks it.
    #[must_use]
    pub fn in_language(mut self, locale: Option<&str>) -> Self {
        let named = locale.and_then(|locale| PageLanguage::parse(&locale.get(..2)?.to_ascii_lowercase()));
        self.language = named.unwrap_or(self.language);
        self
    }

    /// The same page for somebody who is found to come from this platform.
    #[must_use]
    pub fn with_platform(self, platform_id: Option<Uuid>) -> Self {
        Self { platform_id, ..self }
    }

    /// The same page, which pages of these origins may frame too: those that the platform has signed.
    #[must_use]
    pub fn framed_by(mut self, origins: &[String]) -> Self {
        for origin in origins {
            if self.ancestors.split(' ').all(|known| known != origin) {
                self.ancestors.push(' ');
                self.ancestors.push_str(origin);
            }
        }
        self
    }

    /// The words of these pages in its language.
    #[must_use]
    pub fn words(&self) -> &'static LaunchWords {
        LaunchWords::of(self.language)
    }

    /// A sentence that says why a launch leads nowhere. Who it was stands in no log; which platform and what was wrong
    /// do, for whoever is asked why nobody gets in.
    pub async fn refused(&self, refusal: LaunchRefusal) -> HttpResponse {
        let platform = self.platform_id.map(tracing::field::display);
        tracing::info!(platform, ?refusal, "a launch was refused");
        let parts = LaunchPageParts::default();
        self.shown(refusal.status(), self.words().not_opened, &self.said(refusal), parts).await
    }

    /// The sentence of a refusal, as HTML.
    #[must_use]
    pub fn said(&self, refusal: LaunchRefusal) -> String {
        format!("<p class=\"wrong\" role=\"alert\">{}</p>", escaped(&refusal.sentence(self.language)))
    }

    /// A page with this heading, which is text, and this body, which is HTML.
    pub async fn shown(
        &self,
        status: StatusCode,
        heading: &str,
        body: &str,
        parts: LaunchPageParts<'_>,
    ) -> HttpResponse {
        let face = PageFace::at_any_rate_with(self.request, parts.styles).await;
        let heading = escaped(heading);
        let script = if parts.script.is_empty() { String::new() } else { format!("<script>{}</script>", parts.script) };
        let main = format!("<div class=\"card stack\"><h1>{heading}</h1>{body}</div>{script}");
        let html = face.framed_document(self.language, &heading, &main);
        let mut response = HttpResponse::build(status);
        response
            .insert_header((CONTENT_SECURITY_POLICY, face.framed_policy(&sources(&parts), &self.ancestors)))
            // With the usual `no-referrer` the forms would look like those of another site.
            .insert_header((REFERRER_POLICY, "same-origin"))
            .insert_header((CACHE_CONTROL, "no-store"))
            .insert_header((VARY, "Accept-Language"));
        with_secret(response.insert_header(ContentType::html()).body(html))
    }
}

/// What a policy allows a page with these parts beside its styles.
pub(super) fn sources(parts: &LaunchPageParts<'_>) -> String {
    let mut sources = String::from("img-src 'self'; form-action 'self'");
    for origin in parts.form_origins {
        sources.push(' ');
        sources.push_str(origin);
    }
    if !parts.script.is_empty() {
        let hash = STANDARD.encode(Sha256::digest(parts.script.as_bytes()));
        let _ = write!(sources, "; script-src 'sha256-{hash}'");
    }
    sources
}

/// The origins of a platform's pages: those that an admin has named, and those at which it signs people in.
#[must_use]
pub fn origins_of(platform: &Platform) -> Vec<String> {
    let own = [&platform.issuer, &platform.endpoints.authorization].into_iter().filter_map(|address| origin(address));
    let named = platform.frame_origins.iter().filter(|origin| is_origin(origin)).cloned();
    let mut origins: Vec<String> = Vec::new();
    for origin in own.chain(named).take(ORIGINS_MAX) {
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    origins
}

/// Whether a frame shows the answer; `None` if the browser does not say.
fn is_framed(request: &HttpRequest) -> Option<bool> {
    let destination = request.headers().get("sec-fetch-dest")?.as_bytes();
    if destination == b"document" { Some(false) } else { FRAMES.contains(&destination).then_some(true) }
}

/// A hidden field of a form.
#[must_use]
pub fn hidden(name: &str, value: &str) -> String {
    format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escaped(value))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn forms_lead_where_they_are_meant_to_and_only_the_own_script_runs() {
        assert_eq!(sources(&LaunchPageParts::default()), "img-src 'self'; form-action 'self'");
        let origins = ["https://lms.example".to_owned()];
        let said = sources(&LaunchPageParts { script: "1", form_origins: &origins, ..LaunchPageParts::default() });
        let expected =
            "form-action 'self' https://lms.example; script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='";
        assert!(said.ends_with(expected), "{said}");
    }

    #[test]
    fn the_browser_says_whether_a_frame_shows_the_page() {
        let framed =
            |value: &str| is_framed(&TestRequest::get().insert_header(("sec-fetch-dest", value)).to_http_request());
        assert_eq!((framed("iframe"), framed("document"), framed("empty")), (Some(true), Some(false), None));
        assert_eq!(is_framed(&TestRequest::get().to_http_request()), None);
    }
}
