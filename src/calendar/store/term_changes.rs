//! Changes of terms, by their own routes and together with an event.

use domain::calendar::slug;
use entities::calendar::event_term;
use entities::calendar::term::{ActiveModel, Column, Entity, Model};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::lock::begin;
use super::records::{PlacedTerm, Taxonomy, TermWish, name_key};
use super::slugs;
use super::terms::{find_below, find_placed};
use crate::database::{Database, Transaction};
use crate::store::Unreadable;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTerm {
    pub taxonomy: Taxonomy,
    /// The name as it is shown; not empty.
    pub name: String,
    /// The slug that was sent, in the form of slugs. Without it, the slug follows from the name.
    pub slug: Option<String>,
    /// May be empty.
    pub description: String,
    /// The category above it.
    pub parent: Option<i64>,
}

/// The change of a term; `None` leaves a field as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermChange {
    /// The name as it is shown; not empty.
    pub name: Option<String>,
    /// In the form of slugs; not empty.
    pub slug: Option<String>,
    /// May be empty.
    pub description: Option<String>,
    /// The category above it; `Some(None)` for none.
    pub parent: Option<Option<i64>>,
}

/// Why a term is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermRefusal {
    /// The term with this number has the same name and the same parent.
    Exists(i64),
    /// Another term of the taxonomy has the slug.
    SlugTaken,
    /// The category would be below itself.
    BelowItself,
    /// There is no such term, or no such parent.
    Unknown,
}

/// Stores a new term.
pub async fn create(database: &Database, term: &NewTerm) -> Result<Result<PlacedTerm, TermRefusal>, DbErr> {
    let (_turn, transaction) = begin(database).await?;
    let parent = match term.parent {
        None => None,
        Some(id) => match find_row(&transaction, term.taxonomy, id).await? {
            Some(parent) => Some(parent),
            None => return refuse(transaction, TermRefusal::Unknown).await,
        },
    };
    if let Some(same) = find_named(&transaction, term.taxonomy, &term.name, Some(term.parent)).await? {
        return refuse(transaction, TermRefusal::Exists(same)).await;
    }
    let id = insert(&transaction, term, parent.as_ref()).await?;
    let stored = find_placed(&transaction, term.taxonomy, id).await?.ok_or(Unreadable("term"))?;
    transaction.commit().await?;
    Ok(Ok(stored))
}

/// Changes a term.
pub async fn update(
    database: &Database,
    taxonomy: Taxonomy,
    id: i64,
    change: &TermChange,
) -> Result<Result<PlacedTerm, TermRefusal>, DbErr> {
    let (_turn, transaction) = begin(database).await?;
    let Some(before) = find_row(&transaction, taxonomy, id).await? else {
        return refuse(transaction, TermRefusal::Unknown).await;
    };
    let slug = change.slug.clone().unwrap_or(before.slug);
    if is_taken(&transaction, taxonomy, &slug, id).await? {
        return refuse(transaction, TermRefusal::SlugTaken).await;
    }
    let parent = change.parent.unwrap_or(before.parent);
    if let Some(refusal) = refused_parent(&transaction, taxonomy, id, parent).await? {
        return refuse(transaction, refusal).await;
    }
    let name = change.name.clone().unwrap_or(before.name);
    let row = ActiveModel {
        name_key: Set(name_key(&name)),
        name: Set(name),
        slug: Set(slug),
        description: Set(change.description.clone().unwrap_or(before.description)),
        parent: Set(parent),
        ..Default::default()
    };
    Entity::update_many().set(row).filter(Column::Id.eq(id)).exec(&transaction).await?;
    let stored = find_placed(&transaction, taxonomy, id).await?.ok_or(Unreadable("term"))?;
    transaction.commit().await?;
    Ok(Ok(stored))
}

/// Removes a term for good. Events lose it, and categories below it move up to its parent. Returns the term as it was,
/// or `None` if there is no such term.
pub async fn delete(database: &Database, taxonomy: Taxonomy, id: i64) -> Result<Option<PlacedTerm>, DbErr> {
    let (_turn, transaction) = begin(database).await?;
    let Some(gone) = find_placed(&transaction, taxonomy, id).await? else {
        return transaction.rollback().await.map(|()| None);
    };
    Entity::update_many()
        .col_expr(Column::Parent, Expr::value(gone.term.parent))
        .filter(Column::Parent.eq(id))
        .exec(&transaction)
        .await?;
    event_term::Entity::delete_many().filter(event_term::Column::TermId.eq(id)).exec(&transaction).await?;
    Entity::delete_by_id(id).exec(&transaction).await?;
    transaction.commit().await?;
    Ok(Some(gone))
}

/// The numbers of the terms that an event should have, each once. New terms are created.
pub(super) async fn resolve(
    transaction: &DatabaseTransaction,
    taxonomy: Taxonomy,
    wishes: Vec<TermWish>,
) -> Result<Vec<i64>, DbErr> {
    let mut found = Vec::with_capacity(wishes.len());
    for wish in wishes {
        let id = match wish {
            TermWish::Id(id) => match find_row(transaction, taxonomy, id).await? {
                Some(row) => Some(row.id),
                None => find_called(transaction, taxonomy, &id.to_string()).await?,
            },
            TermWish::Named(name) => Some(find_or_insert(transaction, taxonomy, name).await?),
        };
        found.extend(id.filter(|id| !found.contains(id)));
    }
    Ok(found)
}

async fn find_or_insert(transaction: &DatabaseTransaction, taxonomy: Taxonomy, name: String) -> Result<i64, DbErr> {
    match find_called(transaction, taxonomy, &name).await? {
        Some(same) => Ok(same),
        None => {
            insert(transaction, &NewTerm { taxonomy, name, slug: None, description: String::new(), parent: None }, None)
                .await
        }
    }
}

/// The term with this name, or else with this slug. A text that only becomes that slug is another name: "C++" is not
/// "C".
async fn find_called(transaction: &DatabaseTransaction, taxonomy: Taxonomy, text: &str) -> Result<Option<i64>, DbErr> {
    if let Some(same) = find_named(transaction, taxonomy, text, None).await? {
        return Ok(Some(same));
    }
    let slug = slug::of(text);
    if slug != text.to_lowercase() {
        return Ok(None);
    }
    Ok(find_by_slug(transaction, taxonomy, &slug).await?.map(|row| row.id))
}

async fn refuse<T>(transaction: Transaction, refusal: TermRefusal) -> Result<Result<T, TermRefusal>, DbErr> {
    transaction.rollback().await.map(|()| Err(refusal))
}

async fn insert(transaction: &DatabaseTransaction, term: &NewTerm, parent: Option<&Model>) -> Result<i64, DbErr> {
    let slug = free_slug(transaction, term, parent).await?;
    let row = ActiveModel {
        id: NotSet,
        taxonomy: Set(term.taxonomy.name().to_owned()),
        name: Set(term.name.clone()),
        name_key: Set(name_key(&term.name)),
        slug: Set(slug.clone()),
        description: Set(term.description.clone()),
        parent: Set(term.parent),
        count: Set(0),
    };
    let id = Entity::insert(row).exec_with_returning(transaction).await?.id;
    if slug.is_empty() {
        // Nothing of the name can stand in a slug, so the number is used.
        let numbered = free_number(transaction, &id.to_string(), term.taxonomy).await?;
        Entity::update_many()
            .col_expr(Column::Slug, Expr::value(numbered))
            .filter(Column::Id.eq(id))
            .exec(transaction)
            .await?;
    }
    Ok(id)
}

/// The slug that was sent, or the one that follows from the name. The parent's slug is added if a category elsewhere
/// has the name, and a number if another term has the slug.
async fn free_slug(transaction: &DatabaseTransaction, term: &NewTerm, parent: Option<&Model>) -> Result<String, DbErr> {
    let wanted = term.slug.clone().unwrap_or_else(|| slug::of(&term.name));
    if wanted.is_empty() {
        return Ok(wanted);
    }
    let Some(holder) = find_by_slug(transaction, term.taxonomy, &wanted).await? else { return Ok(wanted) };
    match parent {
        Some(parent) if holder.name_key == name_key(&term.name) => {
            let below_parent = slug::with_parent(&wanted, &parent.slug);
            free_number(transaction, &below_parent, term.taxonomy).await
        }
        _ => free_number(transaction, &wanted, term.taxonomy).await,
    }
}

/// The slug itself if no other term of the taxonomy has it. Otherwise it gets the first number with which no term of
/// either taxonomy has it.
async fn free_number(transaction: &DatabaseTransaction, wanted: &str, taxonomy: Taxonomy) -> Result<String, DbErr> {
    if find_by_slug(transaction, taxonomy, wanted).await?.is_none() {
        return Ok(wanted.to_owned());
    }
    // No row has the id 0, so none is left out of the comparison.
    slugs::numbered::<Entity>(transaction, wanted, 0).await
}

async fn find_row(transaction: &DatabaseTransaction, taxonomy: Taxonomy, id: i64) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(id).filter(Column::Taxonomy.eq(taxonomy.name())).one(transaction).await
}

async fn find_by_slug(
    transaction: &DatabaseTransaction,
    taxonomy: Taxonomy,
    slug: &str,
) -> Result<Option<Model>, DbErr> {
    Entity::find().filter(Column::Taxonomy.eq(taxonomy.name())).filter(Column::Slug.eq(slug)).one(transaction).await
}

/// The oldest term with this name: below one parent, or anywhere if `parent` is `None`.
async fn find_named(
    transaction: &DatabaseTransaction,
    taxonomy: Taxonomy,
    name: &str,
    parent: Option<Option<i64>>,
) -> Result<Option<i64>, DbErr> {
    let of_name = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::Taxonomy.eq(taxonomy.name()))
        .filter(Column::NameKey.eq(name_key(name)));
    let in_place = match parent {
        None => of_name,
        Some(None) => of_name.filter(Column::Parent.is_null()),
        Some(Some(parent)) => of_name.filter(Column::Parent.eq(parent)),
    };
    in_place.order_by_asc(Column::Id).into_tuple().one(transaction).await
}

async fn is_taken(transaction: &DatabaseTransaction, taxonomy: Taxonomy, slug: &str, id: i64) -> Result<bool, DbErr> {
    Ok(find_by_slug(transaction, taxonomy, slug).await?.is_some_and(|holder| holder.id != id))
}

async fn refused_parent(
    transaction: &DatabaseTransaction,
    taxonomy: Taxonomy,
    id: i64,
    parent: Option<i64>,
) -> Result<Option<TermRefusal>, DbErr> {
    let Some(parent) = parent else { return Ok(None) };
    if find_row(transaction, taxonomy, parent).await?.is_none() {
        return Ok(Some(TermRefusal::Unknown));
    }
    let is_below = find_below(transaction, &[id]).await?.contains(&parent);
    Ok(is_below.then_some(TermRefusal::BelowItself))
}
