//! Adds whether a link's roster is taken from its course by itself, and indexes for scores: of a person, of a link's
//! candidates, and of their ledger.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        let takes_roster = boolean("takes_roster").default(false).take();
        manager.alter_table(Table::alter().table("lti_links").add_column(takes_roster).to_owned()).await?;
        let taken_at = big_integer_null("roster_taken_at_ms");
        manager.alter_table(Table::alter().table("lti_links").add_column(taken_at).to_owned()).await?;
        // Before each score those of the same person are looked for that are still to arrive.
        let index = "CREATE INDEX lti_tests_person ON lti_tests (person_id)";
        let of_candidate =
            "CREATE INDEX attempts_of_candidate ON attempts (candidate_id) WHERE candidate_id IS NOT NULL";
        let of_link = "CREATE INDEX lti_candidates_link ON lti_candidates (link_id) WHERE link_id IS NOT NULL";
        // The condition is that of the queries, word by word: so both databases know that the index has all of them.
        let of_scores = "CREATE INDEX deliveries_scores ON deliveries (created_at_ms, id) \
            WHERE event IN ('score.ended', 'score.released', 'score.changed')";
        for index in [index, of_candidate, of_link, of_scores] {
            manager.get_connection().execute_unprepared(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for index in ["deliveries_scores", "lti_candidates_link", "attempts_of_candidate", "lti_tests_person"] {
            manager.get_connection().execute_unprepared(&format!("DROP INDEX {index}")).await?;
        }
        for column in ["roster_taken_at_ms", "takes_roster"] {
            manager.alter_table(Table::alter().table("lti_links").drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
