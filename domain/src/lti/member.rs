//! The members of a course, as a platform lists them (Names and Role Provisioning Services).

use serde_json::{Map, Value};

use super::claims::{ID_CHARACTERS_MAX, LISTED_MAX, email_of, name_of, shown};
use super::custom::CustomParameters;
use super::roles::LaunchRole;
use super::{CLAIM, addresses};

/// The media type of the list, to be asked for with nothing beside it.
pub const MEMBERS_MEDIA_TYPE: &str = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json";

/// Whether somebody is in the course now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberStatus {
    /// They are.
    Active,
    /// They are suspended, or are not there yet.
    Inactive,
    /// They have left.
    Deleted,
}

/// Somebody in a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CourseMember {
    /// The same as `sub` of their launches.
    pub subject: String,
    /// Who they are in the course.
    pub role: LaunchRole,
    /// Whether they are in it now.
    pub status: MemberStatus,
    /// Their name, if the platform tells it.
    pub name: Option<String>,
    /// Their e-mail in lower case, if the platform tells it.
    pub email: Option<String>,
    /// The school's id of them, if the platform tells it.
    pub sourced_id: Option<String>,
    /// What the link asks for of them, where the list is that of a link.
    pub custom: CustomParameters,
}

impl CourseMember {
    /// Whether they learn in the course now.
    #[must_use]
    pub fn is_learning(&self) -> bool {
        self.status == MemberStatus::Active && self.role == LaunchRole::Learner
    }
}

/// One page of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MembersPage {
    /// In the order of the platform.
    pub members: Vec<CourseMember>,
    /// Entries that name nobody, of people who have not left. They were left out, so that the list is not whole.
    pub unusable: usize,
}

impl MembersPage {
    /// Reads a page; `None` of a text that is none.
    #[must_use]
    pub fn parse(json: &[u8]) -> Option<Self> {
        let page: Value = serde_json::from_slice(json).ok()?;
        let listed = page.get("members")?.as_array()?;
        let members = listed.iter().filter_map(member).collect();
        let is_lost = |entry: &&Value| member(entry).is_none() && status_of(entry) != MemberStatus::Deleted;
        Some(Self { members, unusable: listed.iter().filter(is_lost).count() })
    }
}

fn member(entry: &Value) -> Option<CourseMember> {
    let status = status_of(entry);
    let entry = entry.as_object()?;
    let roles = entry.get("roles").and_then(Value::as_array).into_iter().flatten().take(LISTED_MAX);
    Some(CourseMember {
        subject: id(entry.get("user_id")?)?,
        role: LaunchRole::of(roles.filter_map(Value::as_str)),
        status,
        name: name_of(entry),
        email: email_of(entry),
        sourced_id: entry.get("lis_person_sourcedid").and_then(Value::as_str).and_then(shown),
        custom: custom(entry),
    })
}

fn status_of(entry: &Value) -> MemberStatus {
    match entry.get("status").and_then(Value::as_str) {
        None | Some("Active") => MemberStatus::Active,
        Some("Deleted") => MemberStatus::Deleted,
        Some(_) => MemberStatus::Inactive,
    }
}

fn id(value: &Value) -> Option<String> {
    let id = value.as_str()?;
    let is_usable = !id.is_empty() && !id.chars().any(char::is_control) && id.chars().count() <= ID_CHARACTERS_MAX;
    is_usable.then(|| id.to_owned())
}

/// The custom parameters of the first message that has some.
fn custom(entry: &Map<String, Value>) -> CustomParameters {
    let claim = format!("{CLAIM}custom");
    let messages = entry.get("message").and_then(Value::as_array).into_iter().flatten();
    let found = messages.take(LISTED_MAX).find_map(|message| message.get(&claim)?.as_object());
    found.map(CustomParameters::of).unwrap_or_default()
}

/// What comes after a page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextPage {
    /// Nothing: it was the last.
    None,
    /// The page at this address.
    At(String),
    /// A page that is not fetched, since it is not where the page is that names it, or has no usable address. So what
    /// was read is not the whole list.
    Elsewhere,
}

/// What a `Link` header says of the page after this one.
#[must_use]
pub fn next_page(link_headers: &[&str], page: &str) -> NextPage {
    let Some(next) = link_headers.iter().find_map(|header| addresses::related(header, "next")) else {
        return NextPage::None;
    };
    addresses::resolved(page, next).map_or(NextPage::Elsewhere, NextPage::At)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn page(members: &Value) -> MembersPage {
        let page = json!({"id": "https://lms.example/members", "context": {"id": "7"}, "members": members});
        MembersPage::parse(page.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn members_are_read_as_platforms_write_them() {
        let learner = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner";
        let found = page(&json!([
            {
                "user_id": "ext-1", "roles": [learner], "status": "Active", "name": "Ada  Lovelace",
                "email": "Ada@School.example", "lis_person_sourcedid": "S-17",
                "message": [{
                    "https://purl.imsglobal.org/spec/lti/claim/message_type": "LtiResourceLinkRequest",
                    "https://purl.imsglobal.org/spec/lti/claim/custom": {"due": "2026-12-01", "raw": "$Person.sourcedId"},
                }],
            },
            {"user_id": "ext-2", "roles": ["Instructor"], "given_name": "Alan", "family_name": "Turing", "email": null},
            {"user_id": "ext-3", "roles": [], "status": "Inactive"},
            {"user_id": "ext-4", "status": "Deleted"},
            {"roles": [learner]}, {"user_id": 5}, {"user_id": ""}, 7, {"user_id": 6, "status": "Deleted"},
        ]));
        assert_eq!((found.members.len(), found.unusable), (4, 4));
        let first = &found.members[0];
        assert_eq!((&*first.subject, first.role, first.status), ("ext-1", LaunchRole::Learner, MemberStatus::Active));
        assert_eq!(first.name.as_deref(), Some("Ada Lovelace"));
        assert_eq!(first.email.as_deref(), Some("ada@school.example"));
        assert_eq!(first.sourced_id.as_deref(), Some("S-17"));
        assert_eq!((first.custom.get("due"), first.custom.get("raw")), (Some("2026-12-01"), None));
        let second = &found.members[1];
        assert_eq!((second.name.as_deref(), second.email.as_deref()), (Some("Alan Turing"), None));
        assert_eq!((second.role, second.status), (LaunchRole::Staff, MemberStatus::Active), "no status is active");
        let statuses: Vec<MemberStatus> = found.members.iter().map(|member| member.status).collect();
        assert_eq!(statuses[2..], [MemberStatus::Inactive, MemberStatus::Deleted]);
    }

    #[test]
    fn what_is_no_list_is_none() {
        for text in ["", "{}", "[]", r#"{"members":{}}"#, "<html>"] {
            assert_eq!(MembersPage::parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(page(&json!([])), MembersPage::default());
    }

    #[test]
    fn the_next_page_is_on_the_same_host() {
        let page = "https://lms.example/members?from=0";
        let next = |headers: &[&str]| next_page(headers, page);
        let second = NextPage::At("https://lms.example/members?from=50".to_owned());
        assert_eq!(next(&[r#"<https://lms.example/members?from=50>; rel="next""#]), second);
        assert_eq!(next(&["<https://lms.example/members?from=50>;rel=next"]), second);
        let several =
            r#"<https://lms.example/members>; rel="first", <https://lms.example/members?from=50>; rel="next""#;
        assert_eq!(next(&[several]), second);
        assert_eq!(next(&["<https://lms.example/a>; rel=last", "<members?from=50>; rel=next"]), second);
        // A page that is not fetched is not the end of the list.
        for elsewhere in [
            r#"<https://other.example/members>; rel="next""#,
            r#"<http://lms.example/members>; rel="next""#,
            r#"<https://lms.example:8443/members>; rel="next""#,
            r#"<https://[/members>; rel="next""#,
        ] {
            assert_eq!(next(&[elsewhere]), NextPage::Elsewhere, "{elsewhere}");
        }
        for last in [r#"<https://lms.example/members>; rel="differences""#, "https://lms.example/members; rel=next", ""]
        {
            assert_eq!(next(&[last]), NextPage::None, "{last}");
        }
        assert_eq!(next(&[]), NextPage::None);
    }
}
