//! Tickets: what a launch has decided, sealed, for the page that it has answered with. A page in a frame has no cookie,
//! so whoever goes on from it brings its ticket, into a window or after a wait.

use domain::lti::claims::Launch;
use domain::lti::link::LinkTarget;
use domain::lti::{SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READ, SCOPE_SCORE};
use domain::time::moment::Moment;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::refusal::LaunchRefusal;
use crate::auth::cookie::Cookies;
use crate::error::Error;

/// How long a ticket is good: a candidate may come hours before the doors, as with a sign-in.
const TICKET_SECONDS: i64 = 12 * 60 * 60;
/// How long one for staff is, which becomes a sign-in, and one for a choice.
pub(super) const STAFF_TICKET_SECONDS: i64 = 60 * 60;
/// Bytes of the addresses of services that a ticket carries.
const SERVICES_BYTES_MAX: usize = 6_000;
/// What may be done with columns that this server ever asks for.
const KNOWN_SCOPES: [&str; 3] = [SCOPE_SCORE, SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READ];
/// The purposes for which tickets are sealed.
const ERRAND: &str = "lti errand";
const CHOICE: &str = "lti choice";

/// What somebody may do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Errand {
    /// Enter a sitting as this candidate.
    Sitting { sitting_id: Uuid, candidate_id: Uuid, person_id: Uuid },
    /// Begin a test of a template, or go on with it.
    Template { template_id: Uuid, link_id: Uuid, person_id: Uuid },
    /// Try a template as a test student, which counts for nobody.
    TestUser { template_id: Uuid, link_id: Uuid, person_id: Uuid },
    /// Sign in as a member of the platform's staff, and look at a page.
    Staff { pass: StaffPass, target: LinkTarget, path: String },
    /// Say that a link of a copied course leads to the right exam.
    Confirm { pass: StaffPass, link: Box<CopiedLink> },
    /// Say that a known link leads to another exam from now on, whose column the launch may have told.
    Lead { pass: StaffPass, link_id: Uuid, target: LinkTarget, line_item: Option<String> },
}

/// A member of the staff of a platform. Their tickets become sign-ins, so each is good once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffPass {
    pub person_id: Uuid,
    pub deployment_id: String,
    /// By which it is known that it was used.
    pub once: Uuid,
}

impl StaffPass {
    #[must_use]
    pub fn new(person_id: Uuid, deployment_id: &str) -> Self {
        Self { person_id, deployment_id: deployment_id.to_owned(), once: Uuid::new_v4() }
    }
}

/// A link of a copied course, as its launch has told it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedLink {
    pub platform_id: Uuid,
    pub deployment_id: String,
    pub resource_link_id: String,
    pub title: Option<String>,
    pub context_id: Option<String>,
    pub context_title: Option<String>,
    pub target: LinkTarget,
    /// Where its scores and its roster are, as far as a ticket has room for that.
    pub services: CopiedServices,
}

/// The services of a link of a copied course.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedServices {
    pub line_item: Option<String>,
    pub line_items: Option<String>,
    pub scopes: Vec<String>,
    pub memberships: Option<String>,
}

impl CopiedServices {
    /// Those of a launch. What is too long for a ticket is left to the next launch, which tells it again.
    #[must_use]
    pub fn of(launch: &Launch) -> Self {
        let ags = launch.ags.as_ref();
        let scopes = ags.map(|ags| ags.scopes.clone()).unwrap_or_default();
        let told = Self {
            line_item: ags.and_then(|ags| ags.line_item.clone()),
            line_items: ags.and_then(|ags| ags.line_items.clone()),
            scopes: scopes.into_iter().filter(|scope| KNOWN_SCOPES.contains(&scope.as_str())).collect(),
            memberships: launch.nrps.as_ref().map(|nrps| nrps.memberships.clone()),
        };
        let addresses = [&told.line_item, &told.line_items, &told.memberships];
        let bytes: usize = addresses.into_iter().flatten().map(String::len).sum();
        if bytes <= SERVICES_BYTES_MAX { told } else { Self::default() }
    }
}

/// Who chooses an exam, and where the choice goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceTicket {
    pub platform_id: Uuid,
    pub deployment_id: String,
    /// Absent where the platform does not say who chooses.
    pub person_id: Option<Uuid>,
    /// By which it is known that it has signed somebody in to look at an exam; absent where nobody may: the platform
    /// does not say who they are, or its staff may only choose.
    pub look: Option<Uuid>,
    pub return_url: String,
    /// Those of the platform's pages that may frame what comes next, beside those that are known of it.
    #[serde(default)]
    pub frame_origins: Vec<String>,
    pub accepts_multiple: bool,
    pub accepts_line_item: bool,
    pub locale: Option<String>,
    /// Whether the platform wants something back as it came, and the hash of that, which travels beside.
    pub has_data: bool,
    pub data_hash: [u8; 32],
}

#[derive(Serialize, Deserialize)]
struct Sealed<T> {
    content: T,
    at_ms: i64,
}

impl Errand {
    /// Who goes on with it.
    #[must_use]
    pub const fn person_id(&self) -> Uuid {
        match self {
            Self::Sitting { person_id, .. } | Self::Template { person_id, .. } | Self::TestUser { person_id, .. } => {
                *person_id
            }
            Self::Staff { pass, .. } | Self::Confirm { pass, .. } | Self::Lead { pass, .. } => pass.person_id,
        }
    }

    pub fn sealed(self, cookies: &Cookies, now: Moment) -> Result<String, Error> {
        sealed(ERRAND, self, cookies, now)
    }

    pub fn open(ticket: &str, cookies: &Cookies, now: Moment) -> Result<Self, LaunchRefusal> {
        let (errand, age): (Self, i64) = opened(ERRAND, ticket, cookies, now)?;
        let seconds = match errand {
            Self::Sitting { .. } | Self::Template { .. } | Self::TestUser { .. } => TICKET_SECONDS,
            Self::Staff { .. } | Self::Confirm { .. } | Self::Lead { .. } => STAFF_TICKET_SECONDS,
        };
        if age < seconds * 1_000 { Ok(errand) } else { Err(LaunchRefusal::TicketOld) }
    }
}

impl ChoiceTicket {
    pub fn sealed(self, cookies: &Cookies, now: Moment) -> Result<String, Error> {
        sealed(CHOICE, self, cookies, now)
    }

    pub fn open(ticket: &str, cookies: &Cookies, now: Moment) -> Result<Self, LaunchRefusal> {
        let (choice, age) = opened(CHOICE, ticket, cookies, now)?;
        if age < STAFF_TICKET_SECONDS * 1_000 { Ok(choice) } else { Err(LaunchRefusal::TicketOld) }
    }
}

fn sealed(purpose: &str, content: impl Serialize, cookies: &Cookies, now: Moment) -> Result<String, Error> {
    let content = serde_json::to_vec(&Sealed { content, at_ms: now.milliseconds() })?;
    cookies.seal_for_form(purpose, content).ok_or_else(|| Error::internal("a ticket cannot be sealed"))
}

/// The content, and how old it is. Nobody else has made what opens.
fn opened<T: DeserializeOwned>(
    purpose: &str,
    ticket: &str,
    cookies: &Cookies,
    now: Moment,
) -> Result<(T, i64), LaunchRefusal> {
    let content = cookies.open_of_form(purpose, ticket).and_then(|content| serde_json::from_slice(&content).ok());
    let Sealed { content, at_ms } = content.ok_or(LaunchRefusal::TicketOld)?;
    Ok((content, now.since(Moment::from_milliseconds(at_ms))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Secret;

    #[test]
    fn a_ticket_is_good_for_a_while_and_for_its_purpose() {
        let cookies = Cookies::new(&Secret::new(vec![7; 32]), "https://exam.test").unwrap();
        let now = Moment::from_milliseconds(1_000);
        let after = |seconds: i64| now.plus(seconds * 1_000);
        let errand = Errand::TestUser { template_id: Uuid::nil(), link_id: Uuid::nil(), person_id: Uuid::nil() };
        let ticket = errand.clone().sealed(&cookies, now).unwrap();
        assert_eq!(Errand::open(&ticket, &cookies, after(TICKET_SECONDS - 1)), Ok(errand));
        assert_eq!(Errand::open(&ticket, &cookies, after(TICKET_SECONDS)), Err(LaunchRefusal::TicketOld));
        let target = LinkTarget::Template(Uuid::nil());
        let staff = Errand::Staff { pass: StaffPass::new(Uuid::nil(), "1"), target, path: "/staff".to_owned() };
        let ticket = staff.sealed(&cookies, now).unwrap();
        assert!(Errand::open(&ticket, &cookies, after(STAFF_TICKET_SECONDS - 1)).is_ok());
        assert_eq!(Errand::open(&ticket, &cookies, after(STAFF_TICKET_SECONDS)), Err(LaunchRefusal::TicketOld));
        assert_eq!(ChoiceTicket::open(&ticket, &cookies, now), Err(LaunchRefusal::TicketOld));
        assert_eq!(Errand::open("x", &cookies, now), Err(LaunchRefusal::TicketOld));
    }
}
