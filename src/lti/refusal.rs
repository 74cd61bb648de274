//! Why a launch leads nowhere: one clear sentence for the person in front of it, in English or Vietnamese.

use actix_web::http::StatusCode;
use domain::lti::claims::LaunchFault;
use domain::school::PageLanguage;
use sea_orm::DbErr;

use super::refusal_in_vietnamese::vietnamese_of;
use super::verify::TokenFault;
use crate::error::Error;
use crate::live::protocol::fault::{Code, Fault};

/// Why a launch leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchRefusal {
    /// The login lacks this field.
    Incomplete(&'static str),
    /// No such issuer and client id, or an issuer alone that has several.
    UnknownPlatform,
    /// It waits for an admin.
    PendingPlatform,
    BlockedPlatform,
    /// It waits for an admin.
    PendingDeployment,
    /// The platform itself says that it has failed, with this code if it is a known one.
    PlatformFailed(Option<&'static str>),
    /// The state is too old, of another browser, or none of ours.
    Expired,
    /// The browser keeps no cookies, not even in a window of its own.
    NoCookies,
    /// The launch has been used.
    Used,
    Token(TokenFault),
    Fault(LaunchFault),
    KeysUnreachable,
    /// `target_link_uri` is not one of ours.
    ForeignTarget,
    /// The link leads to nothing that its deployment was given; for learners.
    NotPlaced,
    /// The same, for staff.
    NotGiven,
    /// The link is one of a copied course, and staff have not said yes yet.
    NotConfirmed,
    /// Somebody has removed the link here, and staff have not said yes since.
    LinkRemoved,
    /// The sitting or the template is gone.
    Gone,
    /// Neither staff nor a learner.
    NoRole,
    /// The platform's teachers have no rights for its grades.
    NoRights,
    /// The platform's teachers may only choose exams.
    OnlyChooses,
    NotOnRoster,
    /// The platform's view of a student, at a sitting.
    TestUserAtSitting,
    EntryClosed,
    NotOpen,
    Closed,
    NoAttemptsLeft,
    TooMany,
    /// Only staff choose.
    ChoiceIsForStaff,
    /// The platform takes no links to tools.
    TakesNoLinks,
    /// Whose work is to be shown has handed nothing in.
    NothingHandedIn,
    /// The window was open for too long.
    TicketOld,
    Unavailable,
    /// The server only reads.
    ReadOnly,
    Internal,
}

impl LaunchRefusal {
    /// The sentence, with its full stop. Nothing in it is markup.
    #[must_use]
    pub fn sentence(self, language: PageLanguage) -> String {
        match language {
            PageLanguage::En => self.english(),
            PageLanguage::Vi => vietnamese_of(self),
        }
    }

    fn english(self) -> String {
        let sentence = match self {
            Self::Incomplete(field) => {
                return format!("The learning platform has sent an incomplete login: {field} is missing.");
            }
            Self::Token(fault) => return as_sentence(&fault.to_string()),
            Self::Fault(fault) => return as_sentence(&fault.to_string()),
            Self::UnknownPlatform => {
                "This learning platform is not connected with Exam Hall: an administrator of Exam Hall can connect it."
            }
            Self::PendingPlatform => {
                "This learning platform waits for the approval of an administrator of Exam Hall: come back after it."
            }
            Self::BlockedPlatform => "An administrator of Exam Hall has blocked this learning platform.",
            Self::PendingDeployment => {
                "This installation of Exam Hall in the learning platform waits for the approval of an administrator of \
                 Exam Hall: come back after it."
            }
            Self::PlatformFailed(_) => {
                "The learning platform could not sign you in: sign in there, and follow the link again."
            }
            Self::Expired => {
                "This launch has expired, or was begun in another browser: follow the link in your course again."
            }
            Self::NoCookies => {
                "This browser keeps no cookies for Exam Hall, so nobody can be sure who comes: allow them, and follow the \
                 link in your course again."
            }
            Self::Used => "This launch has been used already: follow the link in your course again.",
            Self::KeysUnreachable => {
                "Exam Hall cannot reach the learning platform at the moment: follow the link again in a minute."
            }
            Self::ForeignTarget => "The link leads to another server: ask whoever manages the learning platform.",
            Self::NotPlaced => "This link does not lead to an exam yet: ask your teacher.",
            Self::NotGiven => {
                "This link does not lead to an exam that was given to your learning platform: choose one by editing the \
                 link in the course, or ask an administrator of Exam Hall."
            }
            Self::NotConfirmed => {
                "This link was copied from another course, and your teacher has not said yet that it leads to the right \
                 exam: ask them to open it."
            }
            Self::LinkRemoved => {
                "This link was removed in Exam Hall, and your teacher has not said since that it leads to an exam: ask \
                 them to open it."
            }
            Self::Gone => "The exam to which this link leads has been removed: ask your teacher.",
            Self::NoRole => {
                "Exams are for learners and staff of the course, and the learning platform names you as neither."
            }
            Self::NoRights => {
                "Staff of your learning platform have no rights for the grades of this exam: an administrator of Exam \
                 Hall can give them."
            }
            Self::OnlyChooses => {
                "Staff of your learning platform only choose exams here: to see this page, sign in to Exam Hall with an \
                 account of your own."
            }
            Self::NotOnRoster => {
                "You are not on the roster of this exam: ask your teacher, who can take you over from the course."
            }
            Self::TestUserAtSitting => {
                "This exam is for the people on its roster, and a test student is on none: look at it as a teacher."
            }
            Self::EntryClosed => "The entry is over: ask your teacher.",
            Self::NotOpen => "This test has not opened yet.",
            Self::Closed => "This test has closed.",
            Self::NoAttemptsLeft => "You have no attempts left at this test.",
            Self::TooMany => "There were too many requests: try again in a minute.",
            Self::ChoiceIsForStaff => {
                "Exams are chosen by teachers, and the learning platform does not name you as one."
            }
            Self::TakesNoLinks => "This place of the learning platform takes no links to exams.",
            Self::NothingHandedIn => "Nothing was handed in here by this person.",
            Self::TicketOld => "This page was open for too long: follow the link in your course again.",
            Self::Unavailable => "Exam Hall is not available at the moment: follow the link again in a minute.",
            Self::ReadOnly => {
                "Exam Hall is under maintenance, and nothing can be saved at the moment: follow the link again later."
            }
            Self::Internal => "Something has gone wrong in Exam Hall: follow the link in your course again.",
        };
        sentence.to_owned()
    }

    /// The status of the page.
    #[must_use]
    pub fn status(self) -> StatusCode {
        match self {
            Self::Incomplete(_)
            | Self::PlatformFailed(_)
            | Self::Expired
            | Self::NoCookies
            | Self::Used
            | Self::Token(_)
            | Self::Fault(_)
            | Self::ForeignTarget
            | Self::TakesNoLinks
            | Self::TicketOld => StatusCode::BAD_REQUEST,
            Self::UnknownPlatform | Self::NotPlaced | Self::NotGiven | Self::Gone | Self::NothingHandedIn => {
                StatusCode::NOT_FOUND
            }
            Self::PendingPlatform
            | Self::BlockedPlatform
            | Self::PendingDeployment
            | Self::NotConfirmed
            | Self::LinkRemoved
            | Self::NoRole
            | Self::NoRights
            | Self::OnlyChooses
            | Self::NotOnRoster
            | Self::TestUserAtSitting
            | Self::EntryClosed
            | Self::NotOpen
            | Self::Closed
            | Self::NoAttemptsLeft
            | Self::ChoiceIsForStaff => StatusCode::FORBIDDEN,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::KeysUnreachable => StatusCode::BAD_GATEWAY,
            Self::Unavailable | Self::ReadOnly => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// A sentence that an error tells without its capital and its full stop.
fn as_sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(['.']).collect()
}

impl From<TokenFault> for LaunchRefusal {
    fn from(fault: TokenFault) -> Self {
        match fault {
            TokenFault::Claims(fault) => Self::Fault(fault),
            fault => Self::Token(fault),
        }
    }
}

impl From<LaunchFault> for LaunchRefusal {
    fn from(fault: LaunchFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Error> for LaunchRefusal {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound(_) => Self::Gone,
            Error::TooMany(_) => Self::TooMany,
            // A form that is none of a page of ours.
            Error::Invalid(_) | Error::TooLarge | Error::TooSlow => Self::TicketOld,
            Error::Unavailable(_) | Error::NoDatabase | Error::NotHere(_) => Self::Unavailable,
            Error::ReadOnly => Self::ReadOnly,
            error => {
                tracing::error!(?error, "a launch failed");
                Self::Internal
            }
        }
    }
}

impl From<DbErr> for LaunchRefusal {
    fn from(error: DbErr) -> Self {
        Error::from(error).into()
    }
}

impl From<Fault> for LaunchRefusal {
    fn from(fault: Fault) -> Self {
        match fault.code {
            Code::NotExpected => Self::NotOnRoster,
            Code::EntryClosed => Self::EntryClosed,
            Code::NotOpen => Self::NotOpen,
            Code::Closed => Self::Closed,
            Code::NoAttemptsLeft => Self::NoAttemptsLeft,
            Code::RateLimited => Self::TooMany,
            Code::TemplateNotFound => Self::Gone,
            Code::StorageUnavailable => Self::Unavailable,
            code => {
                tracing::error!(code = code.name(), "a launch could not begin a test");
                Self::Internal
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_begin_with_a_capital_and_end_with_a_full_stop() {
        for refusal in [
            LaunchRefusal::Incomplete("iss"),
            LaunchRefusal::UnknownPlatform,
            LaunchRefusal::ReadOnly,
            LaunchRefusal::Token(TokenFault::Signature),
            LaunchRefusal::Fault(LaunchFault::Anonymous),
            TokenFault::Claims(LaunchFault::IssuedAt).into(),
        ] {
            for language in PageLanguage::ALL {
                let sentence = refusal.sentence(language);
                assert!(sentence.starts_with(char::is_uppercase) && sentence.ends_with('.'), "{sentence}");
            }
            assert_ne!(refusal.sentence(PageLanguage::En), refusal.sentence(PageLanguage::Vi));
        }
    }
}
