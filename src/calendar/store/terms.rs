//! Finds and lists categories and tags, with their paths through the categories. Changes are in a file of their own and
//! exported from here.

use std::collections::HashMap;

use domain::calendar::{slug, values};
use entities::calendar::event_term;
use entities::calendar::term::{Column, Entity, Model};
use sea_orm::sea_query::{Expr, Query, SelectStatement};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, DbErr, EntityTrait, Order, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Select, Statement,
};

use super::filters::contains;
use super::records::{PlacedTerm, Taxonomy, Term};
pub use super::term_changes::{NewTerm, TermChange, TermRefusal, create, delete, update};
use super::{ListPage, PageRequest};
use crate::database::Database;
use crate::store::Unreadable;

/// Ancestors in the path of a category at most. It bounds the recursion even if rows form a circle.
const LEVELS: u32 = 100;
/// Selects terms with events and all categories above them: a category without events of its own is not empty if one
/// below it has events.
const IS_USED: &str = "id IN (WITH RECURSIVE used (id, parent) AS (SELECT id, parent FROM calendar_terms WHERE count > 0 \
    UNION SELECT calendar_terms.id, calendar_terms.parent FROM calendar_terms JOIN used ON calendar_terms.id = used.parent) SELECT id FROM used)";

/// The terms of a list: those that pass every filter, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermFilter {
    pub taxonomy: Taxonomy,
    /// A folded text that occurs in the name or the slug.
    pub search: Option<String>,
    /// Only these terms.
    pub include: Option<Vec<i64>>,
    /// None of these terms.
    pub exclude: Vec<i64>,
    /// Whether terms without published events are left out. It has no effect together with [`TermFilter::event`].
    pub hides_empty: bool,
    /// Only children of this category.
    pub parent: Option<i64>,
    /// Only terms of this event, whatever its status.
    pub event: Option<i64>,
    /// Only the term with this slug.
    pub slug: Option<String>,
    /// The attribute by which terms are sorted. Terms that are equal in it are sorted by name.
    pub order: TermOrder,
    pub is_descending: bool,
}

/// The attribute by which terms are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TermOrder {
    /// The name, regardless of case.
    #[default]
    Name,
    Id,
    Slug,
    /// The number of published events.
    Count,
    Description,
    /// The position in [`TermFilter::include`].
    Include,
}

/// The term with this number, if it belongs to the taxonomy.
pub async fn find(database: &Database, taxonomy: Taxonomy, id: i64) -> Result<Option<PlacedTerm>, DbErr> {
    find_placed(&database.read, taxonomy, id).await
}

/// The terms that these texts name by number or by slug, in the order of the texts. An item is `None` if its text names
/// no term.
pub async fn find_ids(database: &Database, taxonomy: Taxonomy, texts: &[&str]) -> Result<Vec<Option<i64>>, DbErr> {
    let sought: Vec<(Option<i64>, String)> =
        texts.iter().map(|text| (values::digits(text.trim()), slug::of(text))).collect();
    let numbers: Vec<i64> = sought.iter().filter_map(|(number, _)| *number).collect();
    let is_named = Condition::any()
        .add(Column::Id.is_in(numbers))
        .add(Column::Slug.is_in(sought.iter().map(|(_, slug)| slug.as_str())));
    let query = Entity::find()
        .select_only()
        .columns([Column::Id, Column::Slug])
        .filter(Column::Taxonomy.eq(taxonomy.name()))
        .filter(is_named);
    let found: Vec<(i64, String)> = query.into_tuple().all(&database.read).await?;
    let of = |(number, wanted): &(Option<i64>, String)| {
        let by_number = number.and_then(|number| found.iter().find(|(id, _)| *id == number));
        by_number.or_else(|| found.iter().find(|(_, slug)| slug == wanted)).map(|(id, _)| *id)
    };
    Ok(sought.iter().map(of).collect())
}

/// A page of the terms that pass.
pub async fn list(database: &Database, filter: &TermFilter, page: PageRequest) -> Result<ListPage<PlacedTerm>, DbErr> {
    let snapshot = database.snapshot().await?;
    let passing = Entity::find().filter(conditions(filter, snapshot.get_database_backend()));
    let total = passing.clone().count(&snapshot).await?;
    let rows = ordered(passing, filter).offset(page.offset()).limit(page.size).all(&snapshot).await?;
    let terms = rows.into_iter().map(from_row).collect::<Result<Vec<_>, _>>()?;
    let items = place(&snapshot, terms).await?;
    snapshot.commit().await?;
    Ok(ListPage { total, items })
}

fn conditions(filter: &TermFilter, backend: DbBackend) -> Condition {
    let mut all = Condition::all().add(Column::Taxonomy.eq(filter.taxonomy.name()));
    if let Some(text) = &filter.search {
        all = all.add(Condition::any().add(contains(Column::NameKey, text, backend)).add(contains(
            Column::Slug,
            text,
            backend,
        )));
    }
    if let Some(ids) = &filter.include {
        all = all.add(Column::Id.is_in(ids.iter().copied()));
    }
    if !filter.exclude.is_empty() {
        all = all.add(Column::Id.is_not_in(filter.exclude.iter().copied()));
    }
    if let Some(event) = filter.event {
        all = all.add(Column::Id.in_subquery(of_event(event)));
    } else if filter.hides_empty {
        all = all.add(if filter.taxonomy == Taxonomy::Category { Expr::cust(IS_USED) } else { Column::Count.gt(0) });
    }
    if let Some(parent) = filter.parent {
        all = all.add(Column::Parent.eq(parent));
    }
    if let Some(slug) = &filter.slug {
        all = all.add(Column::Slug.eq(slug.to_lowercase()));
    }
    all
}

fn of_event(event: i64) -> SelectStatement {
    use event_term::Column;
    Query::select().column(Column::TermId).from(event_term::Entity).and_where(Column::EventId.eq(event)).to_owned()
}

fn ordered(query: Select<Entity>, filter: &TermFilter) -> Select<Entity> {
    let order = if filter.is_descending { Order::Desc } else { Order::Asc };
    let query = match filter.order {
        TermOrder::Name => query.order_by(Column::NameKey, order),
        TermOrder::Id => query.order_by(Column::Id, order),
        TermOrder::Slug => query.order_by(Column::Slug, order),
        TermOrder::Count => query.order_by(Column::Count, order),
        TermOrder::Description => query.order_by(Column::Description, order),
        TermOrder::Include => match filter.include.as_deref() {
            None | Some([]) => query,
            Some(ids) => query.order_by(place_in(ids), order),
        },
    };
    query.order_by_asc(Column::NameKey).order_by_asc(Column::Id)
}

/// The position of a term among these numbers, which include every term of the list.
fn place_in(ids: &[i64]) -> Expr {
    let places: Vec<String> = ids.iter().enumerate().map(|(place, id)| format!("WHEN {id} THEN {place}")).collect();
    Expr::cust(format!("CASE id {} END", places.join(" ")))
}

pub(super) async fn find_placed(
    connection: &impl ConnectionTrait,
    taxonomy: Taxonomy,
    id: i64,
) -> Result<Option<PlacedTerm>, DbErr> {
    let row = Entity::find_by_id(id).filter(Column::Taxonomy.eq(taxonomy.name())).one(connection).await?;
    match row {
        Some(row) => Ok(place(connection, vec![from_row(row)?]).await?.pop()),
        None => Ok(None),
    }
}

/// The numbers of these categories and of all below them.
pub(super) async fn find_below(connection: &impl ConnectionTrait, categories: &[i64]) -> Result<Vec<i64>, DbErr> {
    if categories.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<String> = categories.iter().map(i64::to_string).collect();
    let text = format!(
        "WITH RECURSIVE found (id) AS (SELECT id FROM calendar_terms WHERE id IN ({}) \
        UNION SELECT calendar_terms.id FROM calendar_terms JOIN found ON calendar_terms.parent = found.id) SELECT id FROM found",
        ids.join(", ")
    );
    let rows = connection.query_all_raw(Statement::from_string(connection.get_database_backend(), text)).await?;
    rows.iter().map(|row| row.try_get("", "id")).collect()
}

/// Terms with their paths, which one statement finds for all.
async fn place(connection: &impl ConnectionTrait, terms: Vec<Term>) -> Result<Vec<PlacedTerm>, DbErr> {
    let below_another: Vec<i64> = terms.iter().filter(|term| term.parent.is_some()).map(|term| term.id).collect();
    let mut paths = find_paths(connection, &below_another).await?;
    let placed =
        |term: Term| PlacedTerm { path: paths.remove(&term.id).unwrap_or_else(|| vec![term.slug.clone()]), term };
    Ok(terms.into_iter().map(placed).collect())
}

async fn find_paths(connection: &impl ConnectionTrait, ids: &[i64]) -> Result<HashMap<i64, Vec<String>>, DbErr> {
    let mut paths: HashMap<i64, Vec<String>> = HashMap::new();
    if ids.is_empty() {
        return Ok(paths);
    }
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    let text = format!(
        "WITH RECURSIVE line (term, slug, parent, level) AS (SELECT id, slug, parent, 0 FROM calendar_terms WHERE id IN ({}) \
        UNION ALL SELECT line.term, calendar_terms.slug, calendar_terms.parent, line.level + 1 \
        FROM calendar_terms JOIN line ON calendar_terms.id = line.parent WHERE line.level < {LEVELS}) \
        SELECT term, slug FROM line ORDER BY level DESC",
        ids.join(", ")
    );
    for row in connection.query_all_raw(Statement::from_string(connection.get_database_backend(), text)).await? {
        paths.entry(row.try_get("", "term")?).or_default().push(row.try_get("", "slug")?);
    }
    Ok(paths)
}

/// The term of a row. It fails only if this server could not have written the row.
pub(super) fn from_row(row: Model) -> Result<Term, Unreadable> {
    Ok(Term {
        id: row.id,
        taxonomy: Taxonomy::parse(&row.taxonomy).ok_or(Unreadable("taxonomy"))?,
        name: row.name,
        slug: row.slug,
        description: row.description,
        parent: row.parent,
        count: row.count.unsigned_abs(),
    })
}
