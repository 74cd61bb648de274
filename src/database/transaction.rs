//! A transaction that writes, and what is stored in it beside its change: whoever begins one can't forget it.

use std::ops::Deref;
use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement};

tokio::task_local! {
    /// The change that every transaction of this task stores beside its own.
    static BESIDE: Arc<dyn BesideChange>;
}

/// Something that is stored together with a change, or not at all.
#[async_trait]
pub trait BesideChange: Send + Sync {
    /// Stores it in a transaction that is about to be committed.
    async fn store(&self, transaction: &DatabaseTransaction) -> Result<(), DbErr>;

    /// The transaction has been committed.
    fn committed(&self);
}

/// Does the work, whose transactions store this beside what they change.
pub async fn with_each_change<T>(beside: Arc<dyn BesideChange>, work: impl Future<Output = T>) -> T {
    BESIDE.scope(beside, work).await
}

/// A transaction, for those who pass it on to the stores. Dropped, it changes nothing.
pub struct Transaction {
    changing: DatabaseTransaction,
    beside: Option<Arc<dyn BesideChange>>,
}

impl Transaction {
    /// With what this task stores beside its changes.
    pub(super) fn of_task(changing: DatabaseTransaction) -> Self {
        Self { changing, beside: BESIDE.try_with(Arc::clone).ok() }
    }

    /// With nothing beside its change.
    pub(super) fn alone(changing: DatabaseTransaction) -> Self {
        Self { changing, beside: None }
    }

    /// Commits what was changed, and what belongs beside it: both or neither.
    pub async fn commit(self) -> Result<(), DbErr> {
        let Some(beside) = self.beside else { return self.changing.commit().await };
        beside.store(&self.changing).await?;
        self.changing.commit().await?;
        beside.committed();
        Ok(())
    }

    /// Takes everything back.
    pub async fn rollback(self) -> Result<(), DbErr> {
        self.changing.rollback().await
    }
}

impl Deref for Transaction {
    type Target = DatabaseTransaction;

    fn deref(&self) -> &DatabaseTransaction {
        &self.changing
    }
}

#[async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DbBackend {
        self.changing.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.changing.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.changing.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.changing.query_one_raw(statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.changing.query_all_raw(statement).await
    }
}
