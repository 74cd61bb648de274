//! A transaction of someone else, for which a server's own have to wait.

use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, TransactionTrait};

use super::Hall;

/// Keeps others out until it is dropped or released.
pub struct Hold {
    /// Where more can be locked.
    pub transaction: DatabaseTransaction,
    connection: DatabaseConnection,
}

impl Hold {
    /// By a write on SQLite, of which the first takes the one lock; on Postgres it has to be said what is locked.
    pub async fn take(hall: &Hall, on_sqlite: &str, on_postgres: &str) -> Self {
        let connection = Database::connect(hall.database_url()).await.unwrap();
        let transaction = connection.begin().await.unwrap();
        let is_sqlite = hall.database_url().starts_with("sqlite");
        transaction.execute_unprepared(if is_sqlite { on_sqlite } else { on_postgres }).await.unwrap();
        Self { transaction, connection }
    }

    /// Lets them in.
    pub async fn release(self) {
        self.transaction.rollback().await.unwrap();
        self.connection.close().await.unwrap();
    }
}
