//! What a launch says: the claims of a token whose signature, issuer, audience and end have been checked. Everything
//! else that a platform may get wrong is checked here.

use std::sync::LazyLock;

use serde_json::{Map, Value};
use thiserror::Error;

use super::addresses::framing_origin;
use super::custom::CustomParameters;
use super::roles::LaunchRole;
use super::{CLAIM, DEEP_LINKING_CLAIM, DEEP_LINKING_REQUEST, SUBMISSION_REVIEW_REQUEST, VERSION};
use crate::access::typed_email;
use crate::time::moment::Moment;

const AGS_CLAIM: &str = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint";
const NRPS_CLAIM: &str = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice";
/// How old a token may be when it arrives.
const AGE_MILLISECONDS_MAX: i64 = 5 * 60_000;
/// How far a platform's clock may be ahead.
const AHEAD_MILLISECONDS_MAX: i64 = 60_000;
/// Characters of an id that a platform has given, such as `sub`: the standard's limit.
pub const ID_CHARACTERS_MAX: usize = 255;
/// Characters of a text that a platform tells, such as a name. Longer ones are cut.
pub const TEXT_CHARACTERS_MAX: usize = 500;
/// Characters of an address that a platform tells.
pub const ADDRESS_CHARACTERS_MAX: usize = 2_000;
/// Scopes, roles, types of content or targets that one claim may list; further ones are not read.
pub const LISTED_MAX: usize = 100;

/// What is wrong with a launch. Each message is one sentence for the person in front of it and their admin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LaunchFault {
    /// It is no object of JSON.
    #[error("the platform has sent no launch")]
    NoLaunch,
    /// `version` is absent or another one.
    #[error("the platform speaks another version of LTI than 1.3.0")]
    Version,
    /// `message_type` is absent or unknown.
    #[error("the platform has sent a message of a type that this server does not know")]
    MessageType,
    /// `deployment_id` is absent or unusable.
    #[error("the platform has not said which of its deployments this is")]
    DeploymentId,
    /// `target_link_uri` is absent or unusable.
    #[error("the platform has not said what is to be opened")]
    TargetLinkUri,
    /// `roles` is absent or no list.
    #[error("the platform has not said who you are in the course")]
    Roles,
    /// `resource_link` or its id is absent or unusable.
    #[error("the platform has not said which link was followed")]
    ResourceLink,
    /// `sub` is absent or unusable.
    #[error("the platform has not said who you are: sign in there, and follow the link again")]
    Anonymous,
    /// The settings of deep linking are absent or unusable.
    #[error("the platform has not said where the choice is to be sent")]
    DeepLinkingSettings,
    /// `for_user` is absent or unusable.
    #[error("the platform has not said whose work is to be shown")]
    ForUser,
    /// `azp` is another one, or absent where `aud` has several.
    #[error("the platform's message is for another tool")]
    AuthorizedParty,
    /// `iat` is absent, too old or in the future.
    #[error("the platform's message is too old, or its clock is wrong: follow the link again")]
    IssuedAt,
    /// `nonce` is absent or unusable.
    #[error("the platform's message has no mark that it is new")]
    Nonce,
}

/// What a launch is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchKind {
    /// Somebody has followed a link.
    Resource(ResourceLink),
    /// An instructor chooses what a link is to lead to.
    DeepLinking(DeepLinkingSettings),
    /// Somebody looks at a person's work in the grade book.
    SubmissionReview {
        /// The link of the column, if the platform says so.
        link: Option<ResourceLink>,
        /// The platform's subject of the person.
        for_user: String,
    },
}

/// The link that was followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceLink {
    /// The platform's name of it; unique in the deployment.
    pub id: String,
    /// What the platform calls it.
    pub title: Option<String>,
}

/// The course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CourseContext {
    /// The platform's name of it.
    pub id: String,
    /// Its short name.
    pub label: Option<String>,
    /// Its long name.
    pub title: Option<String>,
}

/// Where grades go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgsClaim {
    /// What may be done.
    pub scopes: Vec<String>,
    /// The list of columns.
    pub line_items: Option<String>,
    /// The column of the link; absent when it has none or several.
    pub line_item: Option<String>,
}

/// Where the members of the course are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NrpsClaim {
    /// The address of the list.
    pub memberships: String,
}

/// What may be chosen, and where the choice is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeepLinkingSettings {
    /// Where the answer is posted.
    pub return_url: String,
    /// Whether links to this server are taken.
    pub accepts_links: bool,
    /// Whether more than one item is taken.
    pub accepts_multiple: bool,
    /// Whether a column of the grade book is taken with a link; `None` if the platform does not say.
    pub accepts_line_item: Option<bool>,
    /// Where links may be opened: `iframe`, `window`, `embed`.
    pub document_targets: Vec<String>,
    /// A title that the instructor has entered already.
    pub title: Option<String>,
    /// Goes back as it came.
    pub data: Option<String>,
}

/// A launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// What it is for.
    pub kind: LaunchKind,
    /// The platform's name of the person; always there but for deep linking.
    pub subject: Option<String>,
    /// Who they are in the course.
    pub role: LaunchRole,
    /// Whether the platform has said who they are in the course; always but for deep linking.
    pub tells_role: bool,
    /// The platform's name of the deployment.
    pub deployment_id: String,
    /// What is wanted.
    pub target_link_uri: String,
    /// Once only.
    pub nonce: String,
    /// The person's name.
    pub name: Option<String>,
    /// Their e-mail in lower case. It proves nothing unless the platform is trusted for e-mails.
    pub email: Option<String>,
    /// The language of the platform's pages, such as `vi`.
    pub locale: Option<String>,
    /// Where the platform wants people to go afterwards.
    pub return_url: Option<String>,
    /// `iframe` or `window`, if the platform says so.
    pub document_target: Option<String>,
    /// The course.
    pub context: Option<CourseContext>,
    /// What the link asks for.
    pub custom: CustomParameters,
    /// Where grades go.
    pub ags: Option<AgsClaim>,
    /// Where the members are listed.
    pub nrps: Option<NrpsClaim>,
    /// The platform's product, such as `moodle`.
    pub product: Option<String>,
}

impl Launch {
    /// Reads the claims of a verified token.
    ///
    /// # Errors
    /// The first that is wrong with it.
    pub fn parse(payload: &Value) -> Result<Self, LaunchFault> {
        let claims = Claims(payload.as_object().ok_or(LaunchFault::NoLaunch)?);
        if claims.text(&of_lti("version")) != Some(VERSION) {
            return Err(LaunchFault::Version);
        }
        let message_type = claims.text(&of_lti("message_type")).ok_or(LaunchFault::MessageType)?;
        let subject = claims.id("sub");
        let told = claims.0.get(&of_lti("roles")).filter(|roles| !roles.is_null());
        let roles = told.map(|roles| roles.as_array().ok_or(LaunchFault::Roles)).transpose()?;
        let kind = match message_type {
            "LtiResourceLinkRequest" => LaunchKind::Resource(claims.resource_link().ok_or(LaunchFault::ResourceLink)?),
            DEEP_LINKING_REQUEST => LaunchKind::DeepLinking(claims.deep_linking()?),
            SUBMISSION_REVIEW_REQUEST => LaunchKind::SubmissionReview {
                link: claims.resource_link(),
                for_user: claims.part(&of_lti("for_user")).id("user_id").ok_or(LaunchFault::ForUser)?,
            },
            _ => return Err(LaunchFault::MessageType),
        };
        let is_choosing = matches!(kind, LaunchKind::DeepLinking(_));
        if roles.is_none() && !is_choosing {
            return Err(LaunchFault::Roles);
        }
        if subject.is_none() && !is_choosing {
            return Err(LaunchFault::Anonymous);
        }
        let tells_role = roles.is_some();
        let roles = roles.into_iter().flatten().take(LISTED_MAX).filter_map(Value::as_str);
        let presentation = claims.part(&of_lti("launch_presentation"));
        Ok(Self {
            kind,
            subject,
            role: LaunchRole::of(roles),
            tells_role,
            deployment_id: claims.id(&of_lti("deployment_id")).ok_or(LaunchFault::DeploymentId)?,
            target_link_uri: claims.address(&of_lti("target_link_uri")).ok_or(LaunchFault::TargetLinkUri)?,
            nonce: claims.id("nonce").ok_or(LaunchFault::Nonce)?,
            name: claims.name(),
            email: claims.email(),
            locale: presentation.shown("locale").or_else(|| claims.shown("locale")),
            return_url: presentation.address("return_url"),
            document_target: presentation.shown("document_target"),
            context: claims.context(),
            custom: CustomParameters::of(claims.part(&of_lti("custom")).0),
            ags: claims.ags(),
            nrps: claims.nrps(),
            product: claims.part(&of_lti("tool_platform")).shown("product_family_code"),
        })
    }

    /// The origins of the platform's own pages, as far as it tells them over https: where people go afterwards, and
    /// where a choice is sent. Neither need lie where the platform signs people in.
    #[must_use]
    pub fn framing_origins(&self) -> Vec<String> {
        let choice = if let LaunchKind::DeepLinking(asked) = &self.kind { Some(&asked.return_url) } else { None };
        let told = self.return_url.iter().chain(choice);
        told.filter_map(|address| framing_origin(address)).collect()
    }
}

/// Checks what a verifier of tokens leaves to the tool: for whom the token is, if it has several audiences, and when it
/// was made.
///
/// # Errors
/// What is wrong.
pub fn check_token(payload: &Value, client_id: &str, now: Moment) -> Result<(), LaunchFault> {
    let several = payload.get("aud").and_then(Value::as_array).is_some_and(|audience| audience.len() > 1);
    match payload.get("azp").filter(|party| !party.is_null()) {
        Some(party) if party.as_str() != Some(client_id) => return Err(LaunchFault::AuthorizedParty),
        None if several => return Err(LaunchFault::AuthorizedParty),
        _ => {}
    }
    let issued_at = payload.get("iat").and_then(whole_seconds).ok_or(LaunchFault::IssuedAt)?;
    let age = now.since(Moment::from_milliseconds(issued_at.saturating_mul(1_000)));
    let is_in_time = (-AHEAD_MILLISECONDS_MAX..=AGE_MILLISECONDS_MAX).contains(&age);
    is_in_time.then_some(()).ok_or(LaunchFault::IssuedAt)
}

/// A number of seconds; some platforms send decimals.
#[must_use]
pub fn whole_seconds(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_f64().map(|seconds| seconds as i64))
}

fn of_lti(name: &str) -> String {
    format!("{CLAIM}{name}")
}

/// The members of a claim, or of the whole token. What is `null`, or of another type, counts as absent.
#[derive(Clone, Copy)]
struct Claims<'a>(&'a Map<String, Value>);

/// An object without members, for claims that are absent.
static NOTHING: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

impl<'a> Claims<'a> {
    fn part(self, name: &str) -> Self {
        Claims(self.0.get(name).and_then(Value::as_object).unwrap_or(&NOTHING))
    }

    fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// An id as it came. One that is too long, or that no database can store, is none.
    fn id(self, name: &str) -> Option<String> {
        let is_usable = |id: &&str| !id.chars().any(char::is_control) && id.chars().count() <= ID_CHARACTERS_MAX;
        self.text(name).filter(is_usable).map(str::to_owned)
    }

    fn address(self, name: &str) -> Option<String> {
        let is_usable =
            |text: &&str| !text.chars().any(char::is_control) && text.chars().count() <= ADDRESS_CHARACTERS_MAX;
        self.text(name).filter(is_usable).map(str::to_owned)
    }

    /// A text to show, of one line and limited length.
    fn shown(self, name: &str) -> Option<String> {
        self.text(name).and_then(shown)
    }

    fn flag(self, name: &str) -> Option<bool> {
        // Moodle sends some flags as texts.
        match self.0.get(name)? {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) => text.parse().ok(),
            _ => None,
        }
    }

    fn list(self, name: &str) -> Vec<String> {
        let listed = self.0.get(name).and_then(Value::as_array).into_iter().flatten().take(LISTED_MAX);
        listed.filter_map(Value::as_str).filter_map(shown).collect()
    }

    fn name(self) -> Option<String> {
        name_of(self.0)
    }

    fn email(self) -> Option<String> {
        email_of(self.0)
    }

    fn resource_link(self) -> Option<ResourceLink> {
        let link = self.part(&of_lti("resource_link"));
        Some(ResourceLink { id: link.id("id")?, title: link.shown("title") })
    }

    fn context(self) -> Option<CourseContext> {
        let context = self.part(&of_lti("context"));
        Some(CourseContext { id: context.id("id")?, label: context.shown("label"), title: context.shown("title") })
    }

    fn ags(self) -> Option<AgsClaim> {
        let claim = self.part(AGS_CLAIM);
        let (line_items, line_item) = (claim.address("lineitems"), claim.address("lineitem"));
        (line_items.is_some() || line_item.is_some()).then(|| AgsClaim {
            scopes: claim.list("scope"),
            line_items,
            line_item,
        })
    }

    fn nrps(self) -> Option<NrpsClaim> {
        let memberships = self.part(NRPS_CLAIM).address("context_memberships_url")?;
        Some(NrpsClaim { memberships })
    }

    fn deep_linking(self) -> Result<DeepLinkingSettings, LaunchFault> {
        let settings = self.part(&format!("{DEEP_LINKING_CLAIM}deep_linking_settings"));
        let return_url = settings.address("deep_link_return_url").ok_or(LaunchFault::DeepLinkingSettings)?;
        Ok(DeepLinkingSettings {
            return_url,
            accepts_links: settings.list("accept_types").iter().any(|kind| kind == "ltiResourceLink"),
            accepts_multiple: settings.flag("accept_multiple").unwrap_or(false),
            accepts_line_item: settings.flag("accept_lineitem"),
            document_targets: settings.list("accept_presentation_document_targets"),
            title: settings.shown("title"),
            data: settings.text("data").map(str::to_owned),
        })
    }
}

/// The name of a person: the whole one, or the given and the family name.
pub(super) fn name_of(person: &Map<String, Value>) -> Option<String> {
    let claims = Claims(person);
    let of_parts = || {
        let parts: Vec<&str> = ["given_name", "family_name"].iter().filter_map(|name| claims.text(name)).collect();
        shown(&parts.join(" "))
    };
    claims.shown("name").or_else(of_parts)
}

/// The e-mail of a person in lower case; `None` of a text that is none.
pub(super) fn email_of(person: &Map<String, Value>) -> Option<String> {
    Claims(person).text("email").and_then(typed_email)
}

/// A text with single blanks, without control characters, and cut to its limit; `None` of one that has nothing to show.
pub(super) fn shown(text: &str) -> Option<String> {
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let shown: String = words.join(" ").chars().take(TEXT_CHARACTERS_MAX).collect();
    (!shown.is_empty()).then_some(shown)
}

#[cfg(test)]
mod tests;
