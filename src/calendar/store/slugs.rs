//! Chooses slugs: the one that is wanted, with the next free number if another record of its kind has it. A record in
//! the trash has a slug of its own, and gets the former one back when it leaves.

use std::collections::HashSet;

use domain::calendar::slug;
use domain::calendar::status::Status;
use entities::calendar::{event, organizer, term, venue};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect};

use super::records::Record;

/// Numbers that the first statement tries. Each further statement tries eight times as many, up to [`NUMBERS_AT_ONCE`],
/// so that a name used thousands of times still takes few statements.
const FIRST_NUMBERS: u64 = 8;
/// Numbers that one statement tries; far fewer than the 32,766 values that SQLite takes.
const NUMBERS_AT_ONCE: u64 = 4_096;

/// A table whose rows have slugs.
pub(super) trait Slugged: EntityTrait {
    const ID: Self::Column;
    const SLUG: Self::Column;
}

impl Slugged for event::Entity {
    const ID: event::Column = event::Column::Id;
    const SLUG: event::Column = event::Column::Slug;
}

impl Slugged for venue::Entity {
    const ID: venue::Column = venue::Column::Id;
    const SLUG: venue::Column = venue::Column::Slug;
}

impl Slugged for organizer::Entity {
    const ID: organizer::Column = organizer::Column::Id;
    const SLUG: organizer::Column = organizer::Column::Slug;
}

impl Slugged for term::Entity {
    const ID: term::Column = term::Column::Id;
    const SLUG: term::Column = term::Column::Slug;
}

/// The sources of a slug.
pub(super) struct Naming<'a> {
    /// Number of the record.
    pub id: i64,
    /// The slug that was sent, in the form of slugs.
    pub sent: Option<&'a str>,
    /// Title or name.
    pub text: &'a str,
    /// Whether the record may do without a slug for now.
    pub may_be_empty: bool,
}

impl Naming<'_> {
    /// The slug that was sent, or else the one that follows from the text.
    fn wanted(&self) -> String {
        match self.sent {
            None if self.may_be_empty => String::new(),
            None => or_number(slug::of(self.text), self.id),
            Some(sent) => or_number(sent.to_owned(), self.id),
        }
    }
}

fn or_number(slug: String, id: i64) -> String {
    if slug.is_empty() { id.to_string() } else { slug }
}

/// The slug of a new record.
pub(super) async fn first<E: Slugged>(transaction: &DatabaseTransaction, naming: &Naming<'_>) -> Result<String, DbErr> {
    free::<E>(transaction, &naming.wanted(), naming.id).await
}

/// The slug of a record that gets this status, and the one that it gets back when it leaves the trash.
pub(super) async fn next<E: Slugged, F>(
    transaction: &DatabaseTransaction,
    before: &Record<F>,
    status: Status,
    naming: &Naming<'_>,
) -> Result<(String, Option<String>), DbErr> {
    let was_trashed = before.content.status == Status::Trash;
    let own = match (&before.former_slug, was_trashed) {
        (Some(former), true) => former,
        _ => &before.slug,
    };
    let wanted = match naming.sent {
        None if !own.is_empty() => own.clone(),
        _ => naming.wanted(),
    };
    if status != Status::Trash {
        return Ok((free::<E>(transaction, &wanted, naming.id).await?, None));
    }
    if was_trashed && naming.sent.is_none() {
        return Ok((before.slug.clone(), before.former_slug.clone()));
    }
    let kept = if naming.sent.is_some() { wanted } else { own.clone() };
    Ok((free::<E>(transaction, &slug::trashed(&kept), naming.id).await?, Some(kept)))
}

/// The slug itself, or the first of `slug-2`, `slug-3` … that no other record of the kind has.
async fn free<E: Slugged>(transaction: &DatabaseTransaction, slug: &str, id: i64) -> Result<String, DbErr> {
    if slug.is_empty() || find_taken::<E>(transaction, vec![slug.to_owned()], id).await?.is_empty() {
        return Ok(slug.to_owned());
    }
    numbered::<E>(transaction, slug, id).await
}

/// The first of `slug-2`, `slug-3` … that no other row of the table has.
pub(super) async fn numbered<E: Slugged>(
    transaction: &DatabaseTransaction,
    slug: &str,
    id: i64,
) -> Result<String, DbErr> {
    let (mut from, mut count) = (2, FIRST_NUMBERS);
    loop {
        let numbered: Vec<String> = (from..from + count).map(|number| slug::numbered(slug, number)).collect();
        let taken = find_taken::<E>(transaction, numbered.clone(), id).await?;
        if let Some(free) = numbered.into_iter().find(|one| !taken.contains(one)) {
            return Ok(free);
        }
        from += count;
        count = (count * 8).min(NUMBERS_AT_ONCE);
    }
}

async fn find_taken<E: Slugged>(
    transaction: &DatabaseTransaction,
    slugs: Vec<String>,
    id: i64,
) -> Result<HashSet<String>, DbErr> {
    // The index of events contains no empty slugs, and the databases use it only for such a condition.
    let others = E::find()
        .select_only()
        .column(E::SLUG)
        .filter(E::SLUG.is_in(slugs))
        .filter(Expr::cust("slug <> ''"))
        .filter(E::ID.ne(id));
    Ok(others.into_tuple::<String>().all(transaction).await?.into_iter().collect())
}
