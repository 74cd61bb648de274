//! The number of published events of each term. It is stored with the term, since lists show it for each term of each
//! event.

use std::collections::BTreeSet;

use entities::calendar::term::{Column, Entity};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter};

/// Corrects the counts for a published event that had the terms `before` and has the terms `after`.
pub(super) async fn change(
    transaction: &DatabaseTransaction,
    before: &BTreeSet<i64>,
    after: &BTreeSet<i64>,
) -> Result<(), DbErr> {
    add(transaction, before.difference(after).copied().collect(), -1).await?;
    add(transaction, after.difference(before).copied().collect(), 1).await
}

async fn add(transaction: &DatabaseTransaction, terms: Vec<i64>, difference: i64) -> Result<(), DbErr> {
    if terms.is_empty() {
        return Ok(());
    }
    let changed = Expr::col(Column::Count).add(difference);
    Entity::update_many()
        .col_expr(Column::Count, changed)
        .filter(Column::Id.is_in(terms))
        .exec(transaction)
        .await
        .map(|_| ())
}
