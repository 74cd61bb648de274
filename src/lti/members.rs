//! The members of a course, fetched page by page from the platform of a link (Names and Role Provisioning Services).

use std::collections::HashSet;
use std::time::Duration;

use domain::lti::SCOPE_MEMBERS;
use domain::lti::link::BoundLink;
use domain::lti::member::{CourseMember, MEMBERS_MEDIA_TYPE, MembersPage, NextPage, next_page};
use domain::lti::platform::Platform;
use domain::sitting::roster::CANDIDATES_OF_SITTING_MAX;
use tokio::time::timeout;

use super::line_items::with_limit;
use super::services::{PlatformServices, ServiceCall};
use crate::outgoing::client::PostError;

/// Pages of one list: Canvas has 50 members on each, however many are asked for.
const MEMBER_PAGES_MAX: usize = 500;
/// Members that are asked for on each page: some platforms have ten otherwise.
const MEMBERS_PER_PAGE: u32 = 200;
/// Bytes of one page: Open edX sends a whole course at once.
const MEMBER_PAGE_BYTES_MAX: usize = 16 * 1_024 * 1_024;
/// How long the whole list may take.
const MEMBERS_TIMEOUT: Duration = Duration::from_secs(80);

/// Why the members of a course are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MembersFault {
    /// The link has no list, or the platform does not give it to this server.
    NotListed(String),
    /// The platform does not answer, or not with a list.
    Unreachable(String),
    /// There are more than a roster takes.
    TooMany,
}

/// Fetches all members of the course of a link. What is not whole counts as nothing: those who are missing would look
/// as if they had left.
pub async fn fetch_members(
    services: &PlatformServices,
    platform: &Platform,
    link: &BoundLink,
) -> Result<Vec<CourseMember>, MembersFault> {
    let first = link.memberships.clone();
    let first = first.ok_or_else(|| MembersFault::NotListed("the link has no list of members".to_owned()))?;
    let first = with_limit(&first, MEMBERS_PER_PAGE).unwrap_or(first);
    let fetched = timeout(MEMBERS_TIMEOUT, Box::pin(fetch_pages(services, platform, first))).await;
    fetched.unwrap_or_else(|_| Err(MembersFault::Unreachable("no answer in time".to_owned())))
}

async fn fetch_pages(
    services: &PlatformServices,
    platform: &Platform,
    first: String,
) -> Result<Vec<CourseMember>, MembersFault> {
    let (mut members, mut seen, mut next) = (Vec::new(), HashSet::new(), Some(first));
    while let Some(url) = next {
        if seen.len() >= MEMBER_PAGES_MAX {
            return Err(MembersFault::Unreachable(format!("the list has more than {MEMBER_PAGES_MAX} pages")));
        }
        // A list that leads back to itself never ends.
        if !seen.insert(url.clone()) {
            return Err(MembersFault::Unreachable("the list leads back to itself".to_owned()));
        }
        let call = ServiceCall {
            url: &url,
            scopes: &[SCOPE_MEMBERS],
            accept: MEMBERS_MEDIA_TYPE,
            posted: None,
            bytes_max: MEMBER_PAGE_BYTES_MAX,
        };
        let answer = services.call(platform, call).await.map_err(fault_of)?;
        match answer.status {
            200 => {}
            status @ (401 | 403 | 404) => {
                return Err(MembersFault::NotListed(format!("the platform answered {status}")));
            }
            status => return Err(MembersFault::Unreachable(format!("the platform answered {status}"))),
        }
        let page = MembersPage::parse(&answer.body)
            .ok_or_else(|| MembersFault::Unreachable("the platform's list cannot be read".to_owned()))?;
        if page.unusable > 0 {
            return Err(MembersFault::Unreachable("the list has entries that cannot be read".to_owned()));
        }
        members.extend(page.members);
        if members.len() > CANDIDATES_OF_SITTING_MAX {
            return Err(MembersFault::TooMany);
        }
        next = match next_page(&answer.link.as_deref().into_iter().collect::<Vec<_>>(), &url) {
            NextPage::None => None,
            NextPage::At(next) => Some(next),
            NextPage::Elsewhere => {
                return Err(MembersFault::Unreachable("the list goes on at another address".to_owned()));
            }
        };
    }
    Ok(members)
}

fn fault_of(error: PostError) -> MembersFault {
    match error {
        PostError::Refused(refusal) => MembersFault::NotListed(refusal.to_string()),
        PostError::Hopeless(reason) => MembersFault::NotListed(reason),
        PostError::Failed(reason) | PostError::Unsent(reason) => MembersFault::Unreachable(reason),
    }
}
