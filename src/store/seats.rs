//! Steps that every change of attempts' times in the database has to follow: lock the rows first, and then tell their
//! seats to read them again.

use entities::seat::{Column, Entity};
use sea_orm::sea_query::{Expr, ExprTrait, LockType};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

/// Locks the seats of these sessions until the transaction ends. Meanwhile no attempt ends, and another order waits;
/// students' answers are still stored. Transactions that lock them in this order cannot deadlock.
pub async fn lock(
    transaction: &DatabaseTransaction,
    session_ids: impl IntoIterator<Item = Uuid>,
) -> Result<Vec<Uuid>, DbErr> {
    let query = Entity::find().select_only().column(Column::SessionId).filter(Column::SessionId.is_in(session_ids));
    query.order_by_asc(Column::SessionId).lock(LockType::NoKeyUpdate).into_tuple().all(transaction).await
}

/// Has seats read the times of their attempts again.
pub async fn raise_orders(
    connection: &impl ConnectionTrait,
    session_ids: impl IntoIterator<Item = Uuid>,
) -> Result<(), DbErr> {
    let raised = Expr::col(Column::Orders).add(1);
    let query = Entity::update_many().col_expr(Column::Orders, raised).filter(Column::SessionId.is_in(session_ids));
    query.exec(connection).await.map(|_| ())
}
