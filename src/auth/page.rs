//! The pages that the server itself renders: the development sign-in, and a sign-in or a sign-out that failed.

use std::fmt::Write;
use std::sync::LazyLock;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, ContentType, REFERRER_POLICY};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::calendar::values::escaped;
use sha2::{Digest, Sha256};

use crate::http::pages::style_sheet;

/// What these pages need besides the style sheet of the others.
pub const STYLE: &str = "header,main{max-width:64rem;margin:0 auto;padding:1rem clamp(1rem,4vw,2rem)}\
.name{display:inline-flex;align-items:center;gap:.6rem;min-height:2.75rem;color:inherit;font-weight:600;text-decoration:none}\
svg{width:1.25em;height:1.25em;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}\
.card{max-width:40rem;margin:0 auto}label{display:grid;gap:.35rem;font-weight:600}\
input{min-width:0;min-height:3rem;padding:.5rem .9rem;color:inherit;background:var(--paper);border:1.5px solid var(--edge);\
border-radius:var(--radius);font:inherit;font-weight:400}\
.wrong{padding:.6rem 1rem;color:var(--warm);background:var(--warm-soft);border-left:4px solid;border-radius:.4rem}";
/// The sign of the hall, as the other pages have it.
pub const SIGN: &str =
    "<svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"M3 17V8l7-4 7 4v9M8 17v-5h4v5\"/></svg>";
const TO_START: &str = "<a class=\"button\" href=\"/\">To the start page</a>";

/// These pages run no script, and load nothing but styles, fonts and the icon of this site. Their own styles are
/// allowed by their hash.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'self' 'sha256-{hash}'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
});

/// The development sign-in; `wrong` says what was wrong with the last attempt.
#[must_use]
pub fn local(return_to: &str, wrong: Option<&str>) -> HttpResponse {
    let mut body = String::from(
        "<p>No identity provider is configured, and this server listens on this machine alone. So you may sign in as anyone: there is no password.</p>",
    );
    if let Some(wrong) = wrong {
        let _ = write!(body, "<p class=\"wrong\" role=\"alert\">{}</p>", escaped(wrong));
    }
    let _ = write!(
        body,
        "<form class=\"stack\" method=\"post\" action=\"/auth/local\"><input type=\"hidden\" name=\"return_to\" value=\"{}\">\
<label>E-mail address<input name=\"email\" type=\"email\" required autofocus autocomplete=\"email\"></label>\
<label>Name<input name=\"name\" autocomplete=\"name\"></label>\
<div class=\"row\"><button class=\"button main\">Sign in</button>{TO_START}</div></form>\
<p class=\"small quiet\">The first person to sign in becomes admin (or whoever has the address in <code>ADMIN_EMAIL</code>), everyone else a student until an admin \
gives them another role. For real use set <code>IDP_CLIENT_ID</code> and <code>IDP_CLIENT_SECRET</code>: this page is then gone.</p>",
        escaped(return_to)
    );
    page(if wrong.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK }, "Development sign-in", &body)
}

/// A sign-in that failed, with a link to try again.
#[must_use]
pub fn failed(status: StatusCode, sentence: &str, return_to: &str) -> HttpResponse {
    let query: String =
        url::form_urlencoded::Serializer::new(String::new()).append_pair("return_to", return_to).finish();
    let again = format!("<a class=\"button main\" href=\"/auth/sign-in?{}\">Try again</a>", escaped(&query));
    let body = format!(
        "<p class=\"wrong\" role=\"alert\">{}.</p><div class=\"row\">{again}{TO_START}</div>",
        escaped(sentence)
    );
    page(status, "You are not signed in", &body)
}

/// A sign-out that has removed the cookie and no more.
#[must_use]
pub fn signed_out_here(sentence: &str) -> HttpResponse {
    let body =
        format!("<p class=\"wrong\" role=\"alert\">{}.</p><div class=\"row\">{TO_START}</div>", escaped(sentence));
    page(StatusCode::SERVICE_UNAVAILABLE, "Signed out in this browser alone", &body)
}

fn page(status: StatusCode, heading: &str, body: &str) -> HttpResponse {
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
<meta name=\"color-scheme\" content=\"light\"><title>{heading} – Exam Hall</title><link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\
<link rel=\"stylesheet\" href=\"{}\"><style>{STYLE}</style></head><body><header><a class=\"name\" href=\"/\">{SIGN}Exam Hall</a></header>\
<main><div class=\"card stack\"><h1>{heading}</h1>{body}</div></main></body></html>",
        style_sheet().unwrap_or_default()
    );
    // With the usual `no-referrer` the browser would send `Origin: null`, and the form would look like one of another
    // site.
    let mut response = HttpResponse::build(status);
    response.insert_header((CONTENT_SECURITY_POLICY, POLICY.as_str())).insert_header((REFERRER_POLICY, "same-origin"));
    response.insert_header(ContentType::html()).body(html)
}
