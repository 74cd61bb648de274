//! The pages that the server itself renders: the development sign-in, and a sign-in or a sign-out that failed.

use std::fmt::Write;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, ContentType, REFERRER_POLICY, VARY};
use actix_web::{HttpRequest, HttpResponse};
use domain::calendar::values::escaped;
use domain::school::PageLanguage;

use super::sign_in::{
    BAD_ADDRESS, BAD_STATE, NOT_COMPLETED, NOT_VERIFIED, PROVIDER_FAILED, PROVIDER_SLOW, SIGN_IN_OFF,
};
use super::sign_out::NOT_ENDED;
use crate::error::{READ_ONLY, UNAVAILABLE};
use crate::http::face::{PageFace, reader_language};
use crate::http::fallback::NOT_FOUND;
use crate::http::status::at_hand_for;
use crate::store::school::StoredSchool;

/// These pages run no script, and load nothing but styles, fonts, the icon and the crest of this site.
const SOURCES: &str = "img-src 'self'; form-action 'self'";

/// The words of these pages in one language. The development sign-in is for those who run the program, in English.
struct Words {
    language: PageLanguage,
    to_start: &'static str,
    again: &'static str,
    not_signed_in: &'static str,
    signed_out_here: &'static str,
}

const ENGLISH: Words = Words {
    language: PageLanguage::En,
    to_start: "To the start page",
    again: "Try again",
    not_signed_in: "You are not signed in",
    signed_out_here: "Signed out in this browser alone",
};

const VIETNAMESE: Words = Words {
    language: PageLanguage::Vi,
    to_start: "Về trang đầu",
    again: "Thử lại",
    not_signed_in: "Bạn chưa đăng nhập",
    signed_out_here: "Chỉ mới đăng xuất trong trình duyệt này",
};

/// What the server says, as it says it to programs, and in Vietnamese.
const SENTENCES: [(&str, &str); 12] = [
    (SIGN_IN_OFF, "Máy chủ này chưa được nối với hệ thống đăng nhập nào"),
    (BAD_STATE, "Lần đăng nhập này đã hết hạn, hoặc được bắt đầu trong một trình duyệt khác"),
    (NOT_COMPLETED, "Việc đăng nhập chưa hoàn tất"),
    (NOT_VERIFIED, "Hệ thống đăng nhập chưa xác minh địa chỉ e-mail của bạn"),
    (BAD_ADDRESS, "Địa chỉ e-mail của bạn không dùng được ở đây: có thể trong đó có ký tự không nhìn thấy"),
    (PROVIDER_FAILED, "Hệ thống đăng nhập gặp lỗi"),
    (PROVIDER_SLOW, "Hệ thống đăng nhập không trả lời kịp"),
    (NOT_FOUND, "Không tìm thấy"),
    ("Too many requests", "Có quá nhiều yêu cầu cùng lúc"),
    (UNAVAILABLE, "Máy chủ tạm thời không phục vụ được"),
    (READ_ONLY, "Hệ thống đang bảo trì, chỉ xem được: hiện giờ không lưu được gì"),
    (
        NOT_ENDED,
        "Bạn đã đăng xuất trong trình duyệt này, nhưng máy chủ chưa kết thúc được phiên đăng nhập ở mọi nơi: phiên sẽ tự hết trong vòng 12 giờ",
    ),
];

/// The development sign-in; `wrong` says what was wrong with the last attempt.
pub async fn local(request: &HttpRequest, return_to: &str, wrong: Option<&str>) -> HttpResponse {
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
<div class=\"row\"><button class=\"button main\">Sign in</button>{}</div></form>\
<p class=\"small quiet\">The first person to sign in becomes admin (or whoever has the address in <code>ADMIN_EMAIL</code>), everyone else a student until an admin \
gives them another role. For real use set <code>IDP_CLIENT_ID</code> and <code>IDP_CLIENT_SECRET</code>: this page is then gone.</p>",
        escaped(return_to),
        to_start(&ENGLISH),
    );
    let status = if wrong.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    page(&PageFace::at_any_rate(request).await, status, &ENGLISH, "Development sign-in", &body)
}

/// A sign-in that failed, with a link to try again.
pub async fn failed(request: &HttpRequest, status: StatusCode, sentence: &str, return_to: &str) -> HttpResponse {
    let words = words(request);
    let query: String =
        url::form_urlencoded::Serializer::new(String::new()).append_pair("return_to", return_to).finish();
    let again = format!("<a class=\"button main\" href=\"/auth/sign-in?{}\">{}</a>", escaped(&query), words.again);
    let body = format!("{}<div class=\"row\">{again}{}</div>", said(sentence, words), to_start(words));
    // Without a database nobody waits for it once more.
    let face = match status {
        StatusCode::INTERNAL_SERVER_ERROR | StatusCode::SERVICE_UNAVAILABLE => nobodys(request),
        _ => PageFace::at_any_rate(request).await,
    };
    page(&face, status, words, words.not_signed_in, &body)
}

/// A sign-out that has removed the cookie and no more, while the database was away.
#[must_use]
pub fn signed_out_here(request: &HttpRequest, sentence: &str) -> HttpResponse {
    let words = words(request);
    let body = format!("{}<div class=\"row\">{}</div>", said(sentence, words), to_start(words));
    page(&nobodys(request), StatusCode::SERVICE_UNAVAILABLE, words, words.signed_out_here, &body)
}

fn words(request: &HttpRequest) -> &'static Words {
    match reader_language(request.headers()) {
        PageLanguage::En => &ENGLISH,
        PageLanguage::Vi => &VIETNAMESE,
    }
}

/// A sentence of the server, in English where nobody has translated it.
fn said(sentence: &str, words: &Words) -> String {
    let translated = SENTENCES.iter().find(|(english, _)| *english == sentence).map(|(_, vietnamese)| *vietnamese);
    match (words.language, translated) {
        (PageLanguage::Vi, Some(vietnamese)) => format!("<p class=\"wrong\" role=\"alert\">{vietnamese}.</p>"),
        _ => format!("<p class=\"wrong\" role=\"alert\" lang=\"en\">{}.</p>", escaped(sentence)),
    }
}

fn to_start(words: &Words) -> String {
    format!("<a class=\"button\" href=\"/\">{}</a>", words.to_start)
}

/// With what pages say as far as it is known without the database.
fn nobodys(request: &HttpRequest) -> PageFace {
    PageFace::of(&StoredSchool::default(), "").saying(at_hand_for(request))
}

fn page(face: &PageFace, status: StatusCode, words: &Words, heading: &str, body: &str) -> HttpResponse {
    let main = format!("<div class=\"card stack\"><h1>{heading}</h1>{body}</div>");
    let html = face.document(words.language, heading, &main);
    // With the usual `no-referrer` the browser would send `Origin: null`, and the form would look like one of another
    // site.
    let mut response = HttpResponse::build(status);
    response.insert_header((CONTENT_SECURITY_POLICY, face.policy(SOURCES)));
    response.insert_header((REFERRER_POLICY, "same-origin")).insert_header((VARY, "Accept-Language"));
    response.insert_header(ContentType::html()).body(html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_in_the_language_of_the_page_where_it_has_one() {
        let (english, vietnamese) = SENTENCES[0];
        assert!(said(english, &VIETNAMESE).contains(vietnamese));
        assert!(said(english, &ENGLISH).contains(english));
        assert!(said("Invalid <query>", &VIETNAMESE).contains("lang=\"en\">Invalid &lt;query&gt;."));
    }
}
