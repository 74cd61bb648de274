//! Who may do what with the calendar (`calendar-contract.md` 2, with the roles of 15).

use super::status::Status;
use crate::access::Role;

/// What someone may do. A student is a subscriber, a reviewer a contributor, a manager an editor; an admin has an
/// editor's rights, as the contract has one column for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rights {
    /// Has not signed in: reads what is published.
    Visitor,
    /// Reads what is published.
    Subscriber,
    /// Writes records, and does not publish them.
    Contributor,
    /// Everything.
    Editor,
}

/// What is written: a record is an event, a venue or an organizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordStanding {
    /// Whether the caller is its author.
    pub is_own: bool,
    /// What it has become by now ([`Status::now`]).
    pub status: Status,
}

/// Which statuses a list has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedStatuses {
    /// Each once.
    pub statuses: Vec<Status>,
    /// As it is echoed in links: `publish`, `any`, or what was sent.
    pub echo: String,
}

impl Rights {
    /// Of someone who has signed in, or of a visitor.
    #[must_use]
    pub const fn of(role: Option<Role>) -> Self {
        match role {
            None => Self::Visitor,
            Some(Role::Student) => Self::Subscriber,
            Some(Role::Reviewer) => Self::Contributor,
            Some(Role::Manager | Role::Admin) => Self::Editor,
        }
    }

    /// Whether they may make records, and venues, organizers, categories and tags while they write an event.
    #[must_use]
    pub const fn may_create(self) -> bool {
        matches!(self, Self::Contributor | Self::Editor)
    }

    /// Whether what they write is published, rather than left for someone who may.
    #[must_use]
    pub const fn may_publish(self) -> bool {
        matches!(self, Self::Editor)
    }

    /// Whether they may name someone else as the author.
    #[must_use]
    pub const fn may_write_for_others(self) -> bool {
        matches!(self, Self::Editor)
    }

    /// Whether they may make, change and delete categories and tags by their own routes.
    #[must_use]
    pub const fn may_edit_terms(self) -> bool {
        matches!(self, Self::Editor)
    }

    /// Whether they may read a record singly. What was thrown away is read by nobody.
    #[must_use]
    pub const fn may_read(self, record: RecordStanding) -> bool {
        match (record.status, self) {
            (Status::Publish, _) => true,
            (Status::Trash, _) => false,
            (_, Self::Editor) => true,
            (_, Self::Contributor) => record.is_own,
            (_, Self::Visitor | Self::Subscriber) => false,
        }
    }

    /// Whether they may change a record or throw it away.
    #[must_use]
    pub const fn may_edit(self, record: RecordStanding) -> bool {
        match self {
            Self::Editor => true,
            Self::Contributor => record.is_own && !matches!(record.status, Status::Publish | Status::Future),
            Self::Visitor | Self::Subscriber => false,
        }
    }

    /// Whether lists show them what is not published.
    #[must_use]
    pub const fn may_list_unpublished(self) -> bool {
        matches!(self, Self::Contributor | Self::Editor)
    }

    /// The statuses of a list, by the items that were sent as `status`, or the default. `None` when an item is no status,
    /// or not for them, which is `rest_invalid_param`.
    #[must_use]
    pub fn listed(self, asked: Option<&[&str]>) -> Option<ListedStatuses> {
        let Some(items) = asked else { return Some(self.listed_by_default()) };
        let mut statuses: Vec<Status> = items.iter().map(|item| Status::parse(item)).collect::<Option<_>>()?;
        let echo = items.join(",");
        statuses.sort_unstable();
        statuses.dedup();
        let may_ask = self.may_list_unpublished() || statuses == [Status::Publish];
        (may_ask && !statuses.is_empty()).then_some(ListedStatuses { statuses, echo })
    }

    fn listed_by_default(self) -> ListedStatuses {
        if self.may_list_unpublished() {
            ListedStatuses { statuses: Status::ANY.to_vec(), echo: "any".to_owned() }
        } else {
            ListedStatuses { statuses: vec![Status::Publish], echo: Status::Publish.name().to_owned() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERYONE: [Rights; 4] = [Rights::Visitor, Rights::Subscriber, Rights::Contributor, Rights::Editor];

    fn who(may: impl Fn(Rights) -> bool) -> Vec<Rights> {
        EVERYONE.into_iter().filter(|rights| may(*rights)).collect()
    }

    #[test]
    fn roles_have_their_rights() {
        assert_eq!(Rights::of(None), Rights::Visitor);
        assert_eq!(
            Role::ALL.map(|role| Rights::of(Some(role))),
            [Rights::Subscriber, Rights::Contributor, Rights::Editor, Rights::Editor]
        );
    }

    #[test]
    fn the_rows_of_the_contract() {
        let record = |is_own, status| RecordStanding { is_own, status };
        assert_eq!(who(|rights| rights.may_read(record(false, Status::Publish))), EVERYONE);
        for status in [Status::Draft, Status::Pending, Status::Future, Status::Private, Status::AutoDraft] {
            assert_eq!(who(|rights| rights.may_read(record(false, status))), [Rights::Editor], "{status:?}");
            assert_eq!(
                who(|rights| rights.may_read(record(true, status))),
                [Rights::Contributor, Rights::Editor],
                "{status:?}"
            );
        }
        assert_eq!(who(|rights| rights.may_read(record(true, Status::Trash))), []);
        assert_eq!(who(Rights::may_create), [Rights::Contributor, Rights::Editor]);
        assert_eq!(who(Rights::may_publish), [Rights::Editor]);
        assert_eq!(who(Rights::may_edit_terms), [Rights::Editor]);
        for status in [Status::Publish, Status::Future] {
            assert_eq!(who(|rights| rights.may_edit(record(true, status))), [Rights::Editor], "{status:?}");
        }
        for status in [Status::Draft, Status::Pending, Status::Private, Status::Trash] {
            assert_eq!(
                who(|rights| rights.may_edit(record(true, status))),
                [Rights::Contributor, Rights::Editor],
                "{status:?}"
            );
            assert_eq!(who(|rights| rights.may_edit(record(false, status))), [Rights::Editor], "{status:?}");
        }
    }

    #[test]
    fn lists_by_default() {
        let echoes = EVERYONE.map(|rights| rights.listed(None).unwrap().echo);
        assert_eq!(echoes, ["publish", "publish", "any", "any"]);
        assert_eq!(Rights::Editor.listed(None).unwrap().statuses, Status::ANY);
    }

    #[test]
    fn lists_of_a_status() {
        let ask =
            |rights: Rights, items: &[&str]| rights.listed(Some(items)).map(|listed| (listed.statuses, listed.echo));
        for rights in [Rights::Visitor, Rights::Subscriber] {
            assert!(ask(rights, &["publish"]).is_some());
            assert!(ask(rights, &["draft"]).is_none() && ask(rights, &["publish", "draft"]).is_none());
        }
        for rights in [Rights::Contributor, Rights::Editor] {
            assert_eq!(ask(rights, &["trash", "draft", "draft"]).unwrap().0, [Status::Draft, Status::Trash]);
        }
        for items in [&["any"][..], &["publish", "nonsense"], &[""], &[]] {
            assert_eq!(ask(Rights::Editor, items), None, "{items:?}");
        }
    }
}
