//! The rights in the calendar: the table of `docs/calendar.md`, apart from the handlers that check it.

use super::status::Status;
use crate::access::Role;

/// What a caller may do, with the names of the original. A student is a subscriber, a reviewer a contributor, a manager
/// an editor. An admin is an editor too, since the calendar has nothing that only an admin may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rights {
    /// Has not signed in; reads published records.
    Visitor,
    /// Reads published records.
    Subscriber,
    /// Creates records, but does not publish them.
    Contributor,
    /// May do everything.
    Editor,
}

/// What decides who may read or change a record. A record is an event, a venue or an organizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordStanding {
    /// Whether the caller is its author.
    pub is_own: bool,
    /// Its status at this moment ([`Status::now`]).
    pub status: Status,
}

/// The statuses of a list's records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedStatuses {
    /// In order, each once.
    pub statuses: Vec<Status>,
    /// How links to further pages repeat them: `publish`, `any`, or what was sent.
    pub echo: String,
}

impl Rights {
    /// The rights of a role; `None` is a visitor.
    #[must_use]
    pub const fn of(role: Option<Role>) -> Self {
        match role {
            None => Self::Visitor,
            Some(Role::Student) => Self::Subscriber,
            Some(Role::Reviewer) => Self::Contributor,
            Some(Role::Manager | Role::Admin) => Self::Editor,
        }
    }

    /// Returns whether the caller may create records. This includes venues, organizers, categories and tags that an
    /// event names.
    #[must_use]
    pub const fn may_create(self) -> bool {
        matches!(self, Self::Contributor | Self::Editor)
    }

    /// Returns whether the caller sees which exam an event announces before it opens.
    #[must_use]
    pub const fn may_see_closed_exams(self) -> bool {
        self.may_create()
    }

    /// Returns whether the caller's records are published. Otherwise they wait for someone who may publish them.
    #[must_use]
    pub const fn may_publish(self) -> bool {
        matches!(self, Self::Editor)
    }

    /// Returns whether the caller may name another user as the author.
    #[must_use]
    pub const fn may_write_for_others(self) -> bool {
        matches!(self, Self::Editor)
    }

    /// Returns whether the caller may create, change and delete categories and tags by their own routes.
    #[must_use]
    pub const fn may_edit_terms(self) -> bool {
        matches!(self, Self::Editor)
    }

    /// Returns whether the caller may read this record by its number or slug. Nobody may read records in the trash.
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

    /// Returns whether the caller may change this record or move it to the trash.
    #[must_use]
    pub const fn may_edit(self, record: RecordStanding) -> bool {
        match self {
            Self::Editor => true,
            Self::Contributor => record.is_own && !matches!(record.status, Status::Publish | Status::Future),
            Self::Visitor | Self::Subscriber => false,
        }
    }

    /// Returns whether lists show the caller unpublished records.
    #[must_use]
    pub const fn may_list_unpublished(self) -> bool {
        matches!(self, Self::Contributor | Self::Editor)
    }

    /// The statuses of a list, from the items of `status` or, with `None`, by default. The result is `None` if an item
    /// is not a status or the caller may not list it; the answer is then `rest_invalid_param`.
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

    /// The statuses of a list for which none were sent.
    #[must_use]
    pub fn listed_by_default(self) -> ListedStatuses {
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
