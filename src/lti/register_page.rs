//! The page by which a platform registers itself, in English and Vietnamese. It stands in a frame of a platform that is
//! not known yet, so anybody may frame it; it reads no cookie and has nobody's data.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, ContentType, REFERRER_POLICY, VARY};
use actix_web::{HttpRequest, HttpResponse};
use domain::calendar::values::escaped;
use domain::lti::platform::Platform;
use domain::lti::registration::RegistrationFault;
use domain::school::PageLanguage;
use domain::text::direction::isolated;

use super::page::{LaunchPageParts, hidden, sources};
use super::register::RegistrationRequest;
use crate::error::Error;
use crate::http::compression::with_secret;
use crate::http::face::{PageFace, reader_language};

/// Characters of a host that are logged: the longest name that there is.
const HOST_CHARACTERS_MAX: usize = 253;
/// Closes the window when the platform listens.
const CLOSE: &str = "(window.opener||window.parent).postMessage({subject:\"org.imsglobal.lti.close\"},\"*\")";
/// Who may show it in a frame: any platform, over https.
const ANCESTORS: &str = "https:";

/// Why a platform cannot be registered.
#[derive(Debug)]
pub enum RegisterRefusal {
    Fault(RegistrationFault),
    /// The token can't be sent.
    Token,
    /// The platform does not answer, for this reason.
    Unreachable(String),
    /// The platform answers with this status.
    Answered(u16),
    /// Too many platforms wait for an admin, or are connected.
    TooMany,
    /// Its issuer and client id are connected already.
    Exists,
    Busy,
    /// The server only reads.
    ReadOnly,
    Failed(Error),
}

impl From<RegistrationFault> for RegisterRefusal {
    fn from(fault: RegistrationFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Error> for RegisterRefusal {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl RegisterRefusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::Fault(_) | Self::Token => StatusCode::BAD_REQUEST,
            Self::Unreachable(_) | Self::Answered(_) => StatusCode::BAD_GATEWAY,
            Self::TooMany | Self::Exists => StatusCode::CONFLICT,
            Self::Busy | Self::ReadOnly | Self::Failed(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    fn sentence(&self, language: PageLanguage) -> String {
        match language {
            PageLanguage::En => self.english(),
            PageLanguage::Vi => self.vietnamese(),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::Fault(fault) => {
                let sentence = fault.to_string();
                let mut letters = sentence.chars();
                let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
                format!("{first}{}.", letters.as_str())
            }
            Self::Token => "The registration token of the platform cannot be sent.".to_owned(),
            Self::Unreachable(reason) => format!("The platform does not answer: {reason}."),
            Self::Answered(status) => {
                format!("The platform has answered {status}: begin there again, since its token may have expired.")
            }
            Self::TooMany => {
                "Too many platforms wait for an administrator of Exam Hall: ask them to look at these first.".to_owned()
            }
            Self::Exists => "This platform is connected already.".to_owned(),
            Self::Busy => "Too many platforms register at the moment: try again in a minute.".to_owned(),
            Self::ReadOnly => {
                "Exam Hall is under maintenance, and nothing can be saved at the moment: begin again later.".to_owned()
            }
            Self::Failed(_) => "Exam Hall cannot do this at the moment: try again in a minute.".to_owned(),
        }
    }

    fn vietnamese(&self) -> String {
        match self {
            Self::Fault(fault) => vietnamese_of(*fault),
            Self::Token => "Không gửi được mã đăng ký của nền tảng.".to_owned(),
            Self::Unreachable(reason) => format!("Nền tảng không trả lời: {reason}."),
            Self::Answered(status) => {
                format!("Nền tảng trả lời {status}: hãy bắt đầu lại từ đó, vì mã đăng ký có thể đã hết hạn.")
            }
            Self::TooMany => {
                "Có quá nhiều nền tảng đang chờ duyệt: hãy nhờ quản trị viên Exam Hall xem những nền tảng đó trước."
                    .to_owned()
            }
            Self::Exists => "Nền tảng này đã được kết nối.".to_owned(),
            Self::Busy => "Đang có quá nhiều nền tảng đăng ký cùng lúc: hãy thử lại sau một phút.".to_owned(),
            Self::ReadOnly => "Exam Hall đang bảo trì nên hiện không lưu được gì: hãy bắt đầu lại sau.".to_owned(),
            Self::Failed(_) => "Hiện Exam Hall chưa làm được việc này: hãy thử lại sau một phút.".to_owned(),
        }
    }
}

fn vietnamese_of(fault: RegistrationFault) -> String {
    match fault {
        RegistrationFault::NoConfiguration => "Cấu hình của nền tảng không phải là JSON.".to_owned(),
        RegistrationFault::NotHttps => "Địa chỉ cấu hình của nền tảng phải đầy đủ và bắt đầu bằng https.".to_owned(),
        RegistrationFault::Issuer => {
            "Issuer của nền tảng phải là một địa chỉ trên cùng máy chủ với cấu hình.".to_owned()
        }
        RegistrationFault::Endpoint(name) => format!("Cấu hình của nền tảng thiếu {name} dùng được."),
        RegistrationFault::NoPlatform => "Cấu hình của nền tảng không nói gì về LTI.".to_owned(),
        RegistrationFault::NoClientId => "Câu trả lời của nền tảng không có client_id.".to_owned(),
    }
}

/// The words of the page in one language.
struct RegisterWords {
    title: &'static str,
    /// Before and after the host of the platform.
    asks: (&'static str, &'static str),
    exchanged: &'static str,
    connect: &'static str,
    done: &'static str,
    /// Before and after the name of the platform.
    waits: (&'static str, &'static str),
    may_close: &'static str,
    not_done: &'static str,
}

const ENGLISH: RegisterWords = RegisterWords {
    title: "Connect with Exam Hall",
    asks: ("The learning platform at ", " is to be connected with this Exam Hall."),
    exchanged: "The two exchange their addresses. Afterwards an administrator of Exam Hall must approve the platform.",
    connect: "Connect",
    done: "Registered",
    waits: ("", " waits for the approval of an administrator of Exam Hall, under School, Learning platforms."),
    may_close: "You may close this window.",
    not_done: "Not connected",
};

const VIETNAMESE: RegisterWords = RegisterWords {
    title: "Kết nối với Exam Hall",
    asks: ("Nền tảng học tập tại ", " sẽ được kết nối với Exam Hall này."),
    exchanged: "Hai bên trao đổi địa chỉ với nhau. Sau đó quản trị viên Exam Hall phải duyệt nền tảng.",
    connect: "Kết nối",
    done: "Đã đăng ký",
    waits: ("", " đang chờ quản trị viên Exam Hall duyệt, trong mục Trường, Nền tảng học tập."),
    may_close: "Bạn có thể đóng cửa sổ này.",
    not_done: "Chưa kết nối được",
};

/// The page for one request.
pub struct RegisterPage {
    face: PageFace,
    language: PageLanguage,
}

impl RegisterPage {
    pub async fn of(request: &HttpRequest) -> Self {
        Self { face: PageFace::at_any_rate(request).await, language: reader_language(request.headers()) }
    }

    fn words(&self) -> &'static RegisterWords {
        match self.language {
            PageLanguage::En => &ENGLISH,
            PageLanguage::Vi => &VIETNAMESE,
        }
    }

    /// Asks whether to go on. Nothing is fetched before the click: anybody may open this address.
    #[must_use]
    pub fn ask(&self, asked: &RegistrationRequest) -> HttpResponse {
        let RegisterWords { title, asks: (before, after), exchanged, connect, .. } = self.words();
        let host = escaped(&isolated(&asked.host()));
        let fields = [
            hidden("openid_configuration", &asked.openid_configuration),
            asked.registration_token.as_deref().map(|token| hidden("registration_token", token)).unwrap_or_default(),
        ]
        .concat();
        let body = format!(
            "<p>{before}<b>{host}</b>{after}</p><p class=\"quiet\">{exchanged}</p>\
             <form method=\"post\" action=\"/lti/register\">{fields}<button class=\"button main\">{connect}</button></form>"
        );
        self.page(StatusCode::OK, title, &body, "")
    }

    /// Says that the platform waits, and closes its window.
    #[must_use]
    pub fn done(&self, platform: &Platform) -> HttpResponse {
        let RegisterWords { done, waits: (before, after), may_close, .. } = self.words();
        let name = escaped(&isolated(&platform.name));
        self.page(StatusCode::OK, done, &format!("<p>{before}<b>{name}</b>{after}</p><p>{may_close}</p>"), CLOSE)
    }

    /// Says why it is not connected. The log has the host alone of what is asked for: the rest may be a secret.
    #[must_use]
    pub fn refused(&self, asked: &RegistrationRequest, refusal: &RegisterRefusal) -> HttpResponse {
        let host: String = asked.host().chars().take(HOST_CHARACTERS_MAX).collect();
        match refusal {
            RegisterRefusal::Failed(error) => {
                tracing::error!(host, %error, "a learning platform cannot be registered");
            }
            _ => tracing::info!(host, ?refusal, "a learning platform was refused"),
        }
        let sentence = escaped(&refusal.sentence(self.language));
        let body = format!("<p class=\"wrong\" role=\"alert\">{sentence}</p>");
        self.page(refusal.status(), self.words().not_done, &body, "")
    }

    fn page(&self, status: StatusCode, title: &str, body: &str, script: &str) -> HttpResponse {
        let sources = sources(&LaunchPageParts { script, ..LaunchPageParts::default() });
        let script = if script.is_empty() { String::new() } else { format!("<script>{script}</script>") };
        let main = format!("<div class=\"card stack\"><h1>{title}</h1>{body}</div>{script}");
        let html = self.face.framed_document(self.language, title, &main);
        let mut response = HttpResponse::build(status);
        response
            .insert_header((CONTENT_SECURITY_POLICY, self.face.framed_policy(&sources, ANCESTORS)))
            // With the usual `no-referrer` the form would look like one of another site.
            .insert_header((REFERRER_POLICY, "same-origin"))
            .insert_header((CACHE_CONTROL, "no-store"))
            .insert_header((VARY, "Accept-Language"));
        with_secret(response.insert_header(ContentType::html()).body(html))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_is_a_sentence_in_both_languages() {
        for refusal in [
            RegisterRefusal::Fault(RegistrationFault::Endpoint("jwks_uri")),
            RegisterRefusal::Fault(RegistrationFault::NotHttps),
            RegisterRefusal::Token,
            RegisterRefusal::Unreachable("no answer in time".to_owned()),
            RegisterRefusal::Answered(401),
            RegisterRefusal::TooMany,
            RegisterRefusal::Exists,
            RegisterRefusal::Busy,
            RegisterRefusal::ReadOnly,
        ] {
            let [english, vietnamese] = [PageLanguage::En, PageLanguage::Vi].map(|language| refusal.sentence(language));
            assert!(english.ends_with('.') && english.starts_with(char::is_uppercase), "{english}");
            assert!(vietnamese.ends_with('.') && vietnamese != english, "{vietnamese}");
        }
    }
}
