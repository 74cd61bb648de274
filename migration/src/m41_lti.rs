//! Adds learning platforms: which are registered, their deployments, links and people, the scores that they get, and
//! the keys with which this server signs what it sends them.

use sea_orm_migration::sea_orm::ConnectionTrait;
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

const INDEXES: [&str; 11] = [
    "CREATE UNIQUE INDEX lti_platforms_client ON lti_platforms (issuer, client_id)",
    "CREATE UNIQUE INDEX lti_links_of_platform ON lti_links (platform_id, deployment_id, resource_link_id)",
    "CREATE INDEX lti_links_target ON lti_links (target_id)",
    "CREATE INDEX lti_grants_target ON lti_grants (target_id)",
    "CREATE UNIQUE INDEX lti_people_subject ON lti_people (platform_id, subject)",
    "CREATE INDEX lti_candidates_person ON lti_candidates (person_id)",
    // Of a person's tests by a link the newest is looked for.
    "CREATE INDEX lti_tests_link ON lti_tests (link_id, person_id)",
    // Of two scores of a person at the same moment a platform would refuse one.
    "CREATE UNIQUE INDEX lti_scores_moment ON lti_scores (person_id, link_id, timestamp_ms)",
    "CREATE INDEX lti_nonces_expiry ON lti_nonces (expires_at_ms)",
    // Of several servers that start at once one makes the first key, and one of each rotation the next.
    "CREATE UNIQUE INDEX lti_keys_signing ON lti_keys (signs_from_ms)",
    "CREATE INDEX lti_arrivals_person ON lti_arrivals (person_id)",
];
const TABLES: [&str; 12] = [
    "lti_platforms",
    "lti_deployments",
    "lti_grants",
    "lti_links",
    "lti_people",
    "lti_candidates",
    "lti_tests",
    "lti_scores",
    "lti_keys",
    "lti_nonces",
    "lti_arrivals",
    "lti_removed_links",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = [
            platforms(),
            deployments(),
            grants(),
            links(),
            people(),
            candidates(),
            tests(),
            scores(),
            keys(),
            nonces(),
            arrivals(),
            removed_links(),
        ];
        for table in tables {
            manager.create_table(table).await?;
        }
        for statement in INDEXES {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in TABLES {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

fn platforms() -> TableCreateStatement {
    Table::create()
        .table("lti_platforms")
        .col(uuid("id").primary_key())
        .col(text("name"))
        .col(text("issuer"))
        .col(text("client_id"))
        .col(text("authorization_url"))
        .col(text("token_url"))
        .col(text("jwks_url"))
        .col(text("state"))
        .col(text("grades"))
        .col(text("frame_origins"))
        .col(text_null("token_audience"))
        .col(text("score_form"))
        .col(boolean("trusts_emails"))
        .col(text_null("registration"))
        .col(big_integer("created_at_ms"))
        .col(big_integer("updated_at_ms"))
        .col(boolean("staff_only_choose"))
        .to_owned()
}

fn deployments() -> TableCreateStatement {
    Table::create()
        .table("lti_deployments")
        .col(uuid("platform_id"))
        .col(text("deployment_id"))
        .col(text("state"))
        .col(big_integer("created_at_ms"))
        .primary_key(Index::create().col("platform_id").col("deployment_id"))
        .to_owned()
}

fn grants() -> TableCreateStatement {
    Table::create()
        .table("lti_grants")
        .col(uuid("platform_id"))
        .col(text("deployment_id"))
        .col(text("kind"))
        .col(uuid("target_id"))
        .col(text("granted_by"))
        .col(big_integer("granted_at_ms"))
        .primary_key(Index::create().col("platform_id").col("deployment_id").col("kind").col("target_id"))
        .to_owned()
}

fn links() -> TableCreateStatement {
    Table::create()
        .table("lti_links")
        .col(uuid("id").primary_key())
        .col(uuid("platform_id"))
        .col(text("deployment_id"))
        .col(text("resource_link_id"))
        .col(text_null("title"))
        .col(text_null("context_id"))
        .col(text_null("context_title"))
        .col(text("kind"))
        .col(uuid("target_id"))
        .col(text_null("line_item"))
        .col(text_null("line_items"))
        .col(text("scopes"))
        .col(text_null("memberships"))
        .col(big_integer_null("last_score_at_ms"))
        .col(big_integer("created_at_ms"))
        .to_owned()
}

fn people() -> TableCreateStatement {
    Table::create()
        .table("lti_people")
        .col(uuid("id").primary_key())
        .col(uuid("platform_id"))
        .col(text("subject"))
        .col(text_null("name"))
        .col(text_null("email"))
        .col(big_integer("created_at_ms"))
        .to_owned()
}

fn candidates() -> TableCreateStatement {
    Table::create()
        .table("lti_candidates")
        .col(uuid("candidate_id").primary_key())
        .col(uuid("person_id"))
        .col(uuid_null("link_id"))
        .col(boolean("after_entry").default(false))
        .col(text_null("former_deployment_id"))
        .col(text_null("former_resource_link_id"))
        .to_owned()
}

fn tests() -> TableCreateStatement {
    Table::create()
        .table("lti_tests")
        .col(uuid("session_id").primary_key())
        .col(uuid("link_id"))
        .col(uuid("person_id"))
        .to_owned()
}

fn scores() -> TableCreateStatement {
    Table::create()
        .table("lti_scores")
        .col(uuid("delivery_id").primary_key())
        .col(uuid("link_id"))
        .col(uuid("person_id"))
        .col(big_integer("timestamp_ms"))
        .col(text("body"))
        .col(boolean("has_arrived"))
        .to_owned()
}

fn keys() -> TableCreateStatement {
    Table::create()
        .table("lti_keys")
        .col(text("kid").primary_key())
        .col(blob("modulus"))
        .col(blob("sealed"))
        .col(big_integer("published_at_ms"))
        .col(big_integer("signs_from_ms"))
        .col(big_integer_null("ends_at_ms"))
        .to_owned()
}

fn nonces() -> TableCreateStatement {
    Table::create().table("lti_nonces").col(blob("hash").primary_key()).col(big_integer("expires_at_ms")).to_owned()
}

fn arrivals() -> TableCreateStatement {
    Table::create()
        .table("lti_arrivals")
        .col(uuid("link_id"))
        .col(uuid("person_id"))
        .col(big_integer("seen_at_ms"))
        .primary_key(Index::create().col("link_id").col("person_id"))
        .to_owned()
}

fn removed_links() -> TableCreateStatement {
    Table::create()
        .table("lti_removed_links")
        .col(uuid("platform_id"))
        .col(text("deployment_id"))
        .col(text("resource_link_id"))
        .col(big_integer("removed_at_ms"))
        .primary_key(Index::create().col("platform_id").col("deployment_id").col("resource_link_id"))
        .to_owned()
}
