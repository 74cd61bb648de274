//! Exam Hall as a tool of learning platforms (LTI 1.3 Advantage, `docs/lti.md`): what their messages say, and what ours
//! do. Keys, addresses and tables are the server's.

pub mod addresses;
pub mod claims;
pub mod content_item;
pub mod course_roster;
pub mod custom;
pub mod link;
pub mod member;
pub mod platform;
pub mod registration;
pub mod roles;
pub mod rotation;
pub mod score;

/// The version of the messages that platforms send and get.
pub const VERSION: &str = "1.3.0";
/// The type of the message by which a platform asks what a link is to lead to.
pub const DEEP_LINKING_REQUEST: &str = "LtiDeepLinkingRequest";
/// The type of the message by which a platform shows somebody's work.
pub const SUBMISSION_REVIEW_REQUEST: &str = "LtiSubmissionReviewRequest";
/// What the claims of launches begin with.
pub const CLAIM: &str = "https://purl.imsglobal.org/spec/lti/claim/";
/// What the claims of deep linking begin with.
pub const DEEP_LINKING_CLAIM: &str = "https://purl.imsglobal.org/spec/lti-dl/claim/";
/// Reads and makes columns of grade books.
pub const SCOPE_LINE_ITEM: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem";
/// Reads columns of grade books. Open edX gives no more of them by default, and others who keep their columns to
/// themselves.
pub const SCOPE_LINE_ITEM_READ: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly";
/// Reads results.
pub const SCOPE_RESULT: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly";
/// Sends scores.
pub const SCOPE_SCORE: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
/// Reads the members of courses.
pub const SCOPE_MEMBERS: &str = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";
/// All scopes that this server asks for.
pub const SCOPES: [&str; 4] = [SCOPE_LINE_ITEM, SCOPE_RESULT, SCOPE_SCORE, SCOPE_MEMBERS];
