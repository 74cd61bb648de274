//! The versions of the tests in the database, past the server: each test must have followed each step once, in their
//! order.

use crate::failure::Failure;
use crate::table::{Row, count};
use entities::correction_piece;
use sea_orm::{
    ColumnTrait, ConnectOptions, ConnectionTrait, Database, DatabaseConnection, EntityTrait, QueryFilter, Statement,
};
use std::time::Duration;

const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// The reason of a version by its number: the first was handed in, and then a correction and its revert take turns.
const REASON: &str = "CASE WHEN version = 1 THEN '' WHEN version % 2 = 0 THEN 'key_corrected' ELSE 'reverted' END";

pub struct StoredVersions {
    database: DatabaseConnection,
    grade: u8,
}

/// What the tests of the grade should be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedVersions {
    tests: u64,
    /// Of each test.
    versions: u64,
}

/// What they are like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountedVersions {
    /// Tests that are stored.
    tests: u64,
    /// Tests that have too few versions: a step has forgotten them.
    forgotten: u64,
    /// Tests that have too many: a step was followed twice.
    twice: u64,
    /// Tests of which not all earlier versions are kept, or more than these.
    kept_wrongly: u64,
    /// Versions with the reason of another step than theirs.
    out_of_order: u64,
    /// Pieces of work, and steps, that are left in the database although all is said to be done.
    left: u64,
}

impl ExpectedVersions {
    /// Of so many tests after so many steps, each of which changes each test.
    pub fn after(steps: u32, tests: u32) -> Self {
        Self { tests: tests.into(), versions: 1 + u64::from(steps) }
    }
}

impl StoredVersions {
    pub async fn of(url: &str, grade: u8) -> Result<Self, Failure> {
        let mut options = ConnectOptions::new(url);
        options.max_connections(1).connect_timeout(CONNECT_LIMIT).acquire_timeout(CONNECT_LIMIT).sqlx_logging(false);
        Ok(Self { database: Database::connect(options).await?, grade })
    }

    pub async fn close(self) -> Result<(), Failure> {
        Ok(self.database.close().await?)
    }

    /// The pieces that a server has, or had when it was killed: their lease is not over at this moment, in milliseconds
    /// since 1970.
    pub async fn leased(&self, now_ms: i64) -> Result<Vec<correction_piece::Model>, Failure> {
        let leased = correction_piece::Column::LeasedUntilMs.gt(now_ms);
        Ok(correction_piece::Entity::find().filter(leased).all(&self.database).await?)
    }

    /// Looks at every test of the grade.
    pub async fn count(&self, expected: ExpectedVersions) -> Result<CountedVersions, Failure> {
        let (versions, kept) = (expected.versions, expected.versions - 1);
        let theirs = format!("FROM sessions WHERE sessions.grade = {} AND sessions.origin = 'live'", self.grade);
        let earlier = "session_versions JOIN sessions ON sessions.session_id = session_versions.session_id";
        let earlier = format!("FROM {earlier} WHERE sessions.grade = {} AND sessions.origin = 'live'", self.grade);
        let joined = "sessions LEFT JOIN session_versions ON session_versions.session_id = sessions.session_id";
        let kept_wrongly = format!(
            "SELECT COUNT(*) FROM (SELECT sessions.session_id FROM {joined} \
             WHERE sessions.grade = {} AND sessions.origin = 'live' GROUP BY sessions.session_id \
             HAVING COUNT(session_versions.version) <> {kept} OR COALESCE(MAX(session_versions.version), 0) <> {kept} \
             OR COALESCE(MIN(session_versions.version), 1) <> 1) AS kept_wrongly",
            self.grade
        );
        let (newest, kept) = (REASON, REASON.replace("version ", "session_versions.version "));
        Ok(CountedVersions {
            tests: self.number(format!("SELECT COUNT(*) {theirs}")).await?,
            forgotten: self.number(format!("SELECT COUNT(*) {theirs} AND version < {versions}")).await?,
            twice: self.number(format!("SELECT COUNT(*) {theirs} AND version > {versions}")).await?,
            kept_wrongly: self.number(kept_wrongly).await?,
            out_of_order: self
                .number(format!("SELECT COUNT(*) {theirs} AND COALESCE(version_reason, '') <> {newest}"))
                .await?
                + self.number(format!("SELECT COUNT(*) {earlier} AND COALESCE(reason, '') <> {kept}")).await?,
            left: self.number("SELECT COUNT(*) FROM correction_pieces".to_owned()).await?
                + self.number("SELECT COUNT(*) FROM correction_steps WHERE finished_at_ms IS NULL".to_owned()).await?,
        })
    }

    async fn number(&self, query: String) -> Result<u64, Failure> {
        let row = self.database.query_one_raw(self.statement(query)).await?.ok_or("a count has no row")?;
        Ok(u64::try_from(row.try_get_by_index::<i64>(0)?)?)
    }

    fn statement(&self, text: String) -> Statement {
        Statement::from_string(self.database.get_database_backend(), text)
    }
}

impl CountedVersions {
    /// Whether each test has followed each step, and once.
    pub fn are(&self, expected: ExpectedVersions) -> bool {
        *self == Self { tests: expected.tests, ..Self::default() }
    }

    pub fn rows(&self, expected: ExpectedVersions) -> Vec<Row> {
        vec![
            count("tests in the database", self.tests),
            count("versions that each should have", expected.versions),
            count("  forgotten", self.forgotten),
            count("  followed twice", self.twice),
            count("  with other earlier versions", self.kept_wrongly),
            count("  versions out of order", self.out_of_order),
            count("work that is left", self.left),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use migration::Migrator;
    use migration::sea_orm_migration::MigratorTrait;

    const FIRST: &str = "00000000-0000-0000-0000-000000000001";
    const SECOND: &str = "00000000-0000-0000-0000-000000000002";

    async fn empty() -> StoredVersions {
        let stored = StoredVersions::of("sqlite::memory:", 5).await.unwrap();
        Migrator::up(&stored.database, None).await.unwrap();
        stored
    }

    impl StoredVersions {
        async fn run(&self, statement: &str) {
            self.database.execute_unprepared(statement).await.unwrap();
        }

        /// Two tests that have followed a correction and its revert, and nothing else.
        async fn fill(&self) {
            for table in ["sessions", "session_versions", "correction_pieces", "correction_steps"] {
                self.run(&format!("DELETE FROM {table}")).await;
            }
            for id in [FIRST, SECOND] {
                self.run(&session(id)).await;
                for (version, reason) in [(1, "NULL"), (2, "'key_corrected'")] {
                    self.run(&earlier(id, version, reason)).await;
                }
            }
        }
    }

    fn session(id: &str) -> String {
        format!(
            "INSERT INTO sessions (session_id, grade, started_at_ms, completed_at_ms, webhook_sent, report_url, \
             verified, score, correct_answers, total_questions, time_taken, origin, student, search_text, version, \
             version_reason) VALUES ('{id}', 5, 1, 2, FALSE, '', TRUE, 500, 1, 2, 3, 'live', '', '', 3, 'reverted')"
        )
    }

    fn earlier(id: &str, version: u32, reason: &str) -> String {
        format!(
            "INSERT INTO session_versions (session_id, version, reason, completed_at_ms, verified, score, \
             correct_answers, total_questions, time_taken, result, graded_by) \
             VALUES ('{id}', {version}, {reason}, 2, TRUE, 500, 1, 2, 3, '{{}}', '[]')"
        )
    }

    #[tokio::test]
    async fn whatever_is_forgotten_or_done_twice_is_counted() {
        let (stored, expected) = (empty().await, ExpectedVersions::after(2, 2));
        let right = CountedVersions { tests: 2, ..CountedVersions::default() };
        let cases = [
            ("UPDATE sessions SET version = 3", right),
            (
                "UPDATE sessions SET version = 2, version_reason = 'key_corrected' WHERE session_id = 'SECOND'",
                CountedVersions { forgotten: 1, ..right },
            ),
            (
                "UPDATE sessions SET version = 4, version_reason = 'key_corrected' WHERE session_id = 'SECOND'",
                CountedVersions { twice: 1, ..right },
            ),
            (
                "DELETE FROM session_versions WHERE session_id = 'SECOND' AND version = 1",
                CountedVersions { kept_wrongly: 1, ..right },
            ),
            ("DELETE FROM session_versions WHERE session_id = 'SECOND'", CountedVersions { kept_wrongly: 1, ..right }),
            (
                "UPDATE session_versions SET reason = 'late_work' WHERE session_id = 'SECOND' AND version = 2",
                CountedVersions { out_of_order: 1, ..right },
            ),
            (
                "UPDATE sessions SET version_reason = 'key_corrected' WHERE session_id = 'SECOND'",
                CountedVersions { out_of_order: 1, ..right },
            ),
            ("DELETE FROM sessions WHERE session_id = 'SECOND'", CountedVersions { tests: 1, ..right }),
            (
                "INSERT INTO correction_pieces (step, piece, first_id, last_id, done, fence, leased_until_ms) \
                 VALUES (1, 0, 'SECOND', 'SECOND', 0, 1, 5000)",
                CountedVersions { left: 1, ..right },
            ),
        ];
        for (change, found) in cases {
            stored.fill().await;
            stored.run(&change.replace("SECOND", SECOND)).await;
            assert_eq!(stored.count(expected).await.unwrap(), found, "{change}");
            assert_eq!(found.are(expected), found == right, "{change}");
        }
        assert!(right.are(expected) && !right.are(ExpectedVersions::after(2, 3)));
        stored.close().await.unwrap();
    }

    #[tokio::test]
    async fn a_lease_ends_at_its_moment() {
        let stored = empty().await;
        stored
            .run(
                "INSERT INTO correction_pieces (step, piece, first_id, last_id, done, fence, leased_until_ms) \
                 VALUES (1, 7, zeroblob(16), zeroblob(16), 0, 1, 5000), (1, 8, zeroblob(16), zeroblob(16), 0, 0, 0)",
            )
            .await;
        let leased = stored.leased(4_999).await.unwrap();
        assert_eq!(leased.iter().map(|piece| piece.piece).collect::<Vec<_>>(), [7]);
        assert!(stored.leased(5_000).await.unwrap().is_empty());
    }
}
