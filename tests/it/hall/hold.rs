//! A transaction that blocks those of a server.

use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, TransactionTrait};

use super::Hall;

/// Blocks other writers until it is dropped or released.
pub struct Hold {
    /// For further locks.
    pub transaction: DatabaseTransaction,
    connection: DatabaseConnection,
}

impl Hold {
    /// Any write takes SQLite's only lock; on Postgres the statement names what it locks.
    pub async fn take(hall: &Hall, on_sqlite: &str, on_postgres: &str) -> Self {
        let connection = Database::connect(hall.database_url()).await.unwrap();
        let transaction = connection.begin().await.unwrap();
        let is_sqlite = hall.database_url().starts_with("sqlite");
        transaction.execute_unprepared(if is_sqlite { on_sqlite } else { on_postgres }).await.unwrap();
        Self { transaction, connection }
    }

    pub async fn release(self) {
        self.transaction.rollback().await.unwrap();
        self.connection.close().await.unwrap();
    }
}
