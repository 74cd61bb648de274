//! The two pages that the server itself renders: the development sign-in, and a sign-in that failed.

use std::fmt::Write;
use std::sync::LazyLock;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, ContentType, REFERRER_POLICY};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::calendar::values::escaped;
use sha2::{Digest, Sha256};

const STYLE: &str = "body{font:1.05rem/1.6 system-ui,sans-serif;margin:0;background:#f4f5f7;color:#1b1f24}\
main{max-width:30rem;margin:8vh auto;padding:2rem;background:#fff;border-radius:.75rem;box-shadow:0 1px 4px #0003}\
h1{margin-top:0;font-size:1.5rem}label{display:block;margin-top:1rem;font-weight:600}\
input{box-sizing:border-box;width:100%;padding:.6rem;font:inherit;border:1px solid #6b7280;border-radius:.4rem}\
button,.button{display:inline-block;margin-top:1.5rem;padding:.6rem 1.4rem;font:inherit;font-weight:600;color:#fff;background:#1d4ed8;\
border:0;border-radius:.4rem;cursor:pointer;text-decoration:none}\
button:focus-visible,input:focus-visible,a:focus-visible{outline:3px solid #f59e0b;outline-offset:2px}\
.wrong{padding:.6rem 1rem;border-left:4px solid #b91c1c;background:#fef2f2}small{color:#4b5563}";

/// These pages run no script and load nothing; their style sheet is allowed by its hash.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
});

/// The development sign-in; `wrong` says what was wrong with the last attempt.
#[must_use]
pub fn local(return_to: &str, wrong: Option<&str>) -> HttpResponse {
    let mut body = String::from(
        "<h1>Development sign-in</h1>\
<p>No identity provider is configured, and this server listens on this machine alone. So you may sign in as anyone: there is no password.</p>",
    );
    if let Some(wrong) = wrong {
        let _ = write!(body, "<p class=\"wrong\" role=\"alert\">{}</p>", escaped(wrong));
    }
    let _ = write!(
        body,
        "<form method=\"post\" action=\"/auth/local\"><input type=\"hidden\" name=\"return_to\" value=\"{}\">\
<label for=\"email\">E-mail address</label><input id=\"email\" name=\"email\" type=\"email\" required autofocus autocomplete=\"email\">\
<label for=\"name\">Name</label><input id=\"name\" name=\"name\" autocomplete=\"name\">\
<button>Sign in</button></form>\
<p><small>The first person to sign in becomes admin (or whoever has the address in <code>ADMIN_EMAIL</code>), everyone else a student until an admin \
gives them another role. For real use set <code>IDP_CLIENT_ID</code> and <code>IDP_CLIENT_SECRET</code>: this page is then gone.</small></p>",
        escaped(return_to)
    );
    page(if wrong.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK }, &body)
}

/// A sign-in that failed, with a link to try again.
#[must_use]
pub fn failed(status: StatusCode, sentence: &str, return_to: &str) -> HttpResponse {
    let query: String =
        url::form_urlencoded::Serializer::new(String::new()).append_pair("return_to", return_to).finish();
    let again = format!("<a class=\"button\" href=\"/auth/sign-in?{}\">Try again</a>", escaped(&query));
    page(
        status,
        &format!("<h1>You are not signed in</h1><p class=\"wrong\" role=\"alert\">{}.</p>{again}", escaped(sentence)),
    )
}

fn page(status: StatusCode, body: &str) -> HttpResponse {
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
<title>Sign in – Exam Hall</title><style>{STYLE}</style></head><body><main>{body}\
<p><a href=\"/\">To the start page</a></p></main></body></html>"
    );
    // With the usual `no-referrer` the browser would send `Origin: null`, and the form would look like one of another
    // site.
    let mut response = HttpResponse::build(status);
    response.insert_header((CONTENT_SECURITY_POLICY, POLICY.as_str())).insert_header((REFERRER_POLICY, "same-origin"));
    response.insert_header(ContentType::html()).body(html)
}
