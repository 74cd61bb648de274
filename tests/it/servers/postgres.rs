//! PostgreSQL is restarted, as planned and as a crash: what was saved is there, and saving goes on.

use super::*;

#[tokio::test]
async fn a_restarted_database_has_everything_that_was_saved() {
    let cluster = Cluster::open(Setup { own_postgres: true, ..Setup::default() }).await;
    let exam = Exam::begin(&cluster).await;
    for mode in ["fast", "immediate"] {
        cluster.restart_postgres(mode).await;
        exam.everyone_saves_within(Duration::from_secs(15)).await;
        sleep(Duration::from_secs(1)).await;
    }
    exam.end(&cluster).await;
}
