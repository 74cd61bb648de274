//! Where assessment data lives: behind one family of traits, in this service's own database (`local`) or in an external
//! service (`api`); `DATA_PROVIDER` says which.

#![warn(missing_docs)]

pub mod api;
pub mod contract;
pub mod local;

use std::sync::Arc;

use async_trait::async_trait;
use domain::access::{Duty, Grades, Identity, Profile, Role, User};
use domain::grade::Grade;
use domain::progress::Tally;
use domain::question::Question;
use domain::resources::{
    Approval, Assignment, Edit, EditRequest, Review, RowPosition, SessionSummary, UserChangeOutcome, WriteCounts,
};
use domain::review::EditRefusal;
use domain::session::Session;
use domain::time::moment::Moment;
use domain::workbook::WorkbookRows;
use futures_util::stream::BoxStream;
use thiserror::Error as ThisError;
use uuid::Uuid;

use crate::clock::Clock;
use crate::config::{Config, DataProvider};
use crate::database::Database;
use crate::error::Error;
use api::ExternalProvider;
use local::LocalProvider;

/// Why a question is not edited.
#[derive(Debug, ThisError)]
pub enum EditError {
    /// The grade has no such question.
    #[error("no such question")]
    Unknown,
    /// The question can't be edited like that.
    #[error("{0:?}")]
    Refused(EditRefusal),
    /// Whoever keeps the questions has failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

/// Told now and then how many questions are written.
pub type WriteProgress<'a> = &'a mut (dyn FnMut(usize) + Send);

/// All that assessment data is asked for. Every method fails with 503 when the own database is away, and with 502 or
/// 504 when an external service fails or is too slow (`decisions.md` 3).
pub trait Provider: Questions + Reviews + Edits + Assignments + Approvals + Sessions + Users + Send + Sync {}

impl<T: Questions + Reviews + Edits + Assignments + Approvals + Sessions + Users + Send + Sync> Provider for T {}

/// For what the contract of external services has no call for (`decisions.md` 3).
pub const NO_SUCH_CALL: &str = "Not available from the external data provider";

/// The provider that is configured.
pub struct Opened {
    /// For everyone who asks.
    pub provider: Arc<dyn Provider>,
    /// The same one, when it is external: what must go on beside the server is asked of it.
    pub external: Option<Arc<ExternalProvider>>,
}

/// The provider that is configured. Of an external one this database keeps what exams need while it is away.
///
/// # Errors
/// When no client for the external service can be made.
pub fn open(config: &Config, database: &Database, clock: &Clock) -> Result<Opened, Error> {
    let admin_email = config.access.admin_email.clone();
    match &config.data {
        DataProvider::Local => Ok(Opened {
            provider: Arc::new(LocalProvider::new(database.clone(), clock.clone(), admin_email)),
            external: None,
        }),
        DataProvider::Api(external) => {
            let api = Arc::new(ExternalProvider::new(external, database.clone(), clock.clone(), admin_email)?);
            Ok(Opened { provider: Arc::clone(&api) as Arc<dyn Provider>, external: Some(api) })
        }
    }
}

/// The question banks.
#[async_trait]
pub trait Questions {
    /// To be called before a bank is read from this service's own tables, where exams find it: it is there, or is
    /// brought there now, when this succeeds.
    ///
    /// # Errors
    /// When the bank has never been here and can't be had.
    async fn keep_bank(&self, grade: Grade) -> Result<(), Error>;

    /// The bank of a grade as it is now, edits and imports included, in the order of the ids.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn bank(&self, grade: Grade) -> Result<Vec<Question>, Error>;

    /// Adds the good rows of a workbook, and overwrites those whose ids are there.
    ///
    /// # Errors
    /// See [`Provider`]; 400 with a message when an external service refuses them.
    async fn import(&self, rows: &mut WorkbookRows, progress: WriteProgress<'_>) -> Result<WriteCounts, Error>;

    /// What [`Questions::import`] would answer now.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn count_import(&self, rows: &mut WorkbookRows) -> Result<WriteCounts, Error>;

    /// Edits a question and logs what has changed; the edit's id.
    ///
    /// # Errors
    /// Then the question is as it was.
    async fn edit(&self, asked: EditRequest<'_>) -> Result<Uuid, EditError>;
}

/// Decisions on questions.
#[async_trait]
pub trait Reviews {
    /// The questions of a grade, and the reviews of those that have one.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn reviewed_bank(&self, grade: Grade) -> Result<(Vec<Question>, Vec<Review>), Error>;

    /// Stores a review in the place of the question's last one; false when the grade has no such question.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn put_review(&self, grade: Grade, review: Review) -> Result<bool, Error>;

    /// How many questions of each grade have which status from whom; every question counts once.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn tallies(&self) -> Result<Vec<Tally>, Error>;
}

/// The log of edits.
pub trait Edits {
    /// The edits of one grade or of all, the newest first, some at a time.
    fn edits(&self, grade: Option<Grade>) -> BoxStream<'static, Result<Vec<Edit>, Error>>;
}

/// Who reviews and who signs off which grades.
#[async_trait]
pub trait Assignments {
    /// All of that duty, by address.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn assignments(&self, duty: Duty) -> Result<Vec<Assignment>, Error>;

    /// Stores an assignment in the place of any that the address has for that duty.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn put_assignment(&self, duty: Duty, assignment: Assignment) -> Result<(), Error>;

    /// Removes the assignment of that address, when there is one.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn remove_assignment(&self, duty: Duty, email: &str) -> Result<(), Error>;
}

/// The sign-off of grades.
#[async_trait]
pub trait Approvals {
    /// All decisions, the newest first.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn approvals(&self) -> Result<Vec<Approval>, Error>;

    /// The decisions of one manager on these grades, the newest first.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn approvals_of(&self, manager_email: &str, grades: Grades) -> Result<Vec<Approval>, Error>;

    /// Stores a decision in the place of the same manager's last one on that grade.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn put_approval(&self, approval: Approval) -> Result<(), Error>;
}

/// Finished tests.
#[async_trait]
pub trait Sessions {
    /// The session of that id.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn session(&self, session_id: Uuid) -> Result<Option<Session>, Error>;

    /// The next sessions after `last`, the newest first, of all or of those of one event of the calendar; at most `count`.
    ///
    /// # Errors
    /// See [`Provider`]; 501 when the provider has no list.
    async fn summaries_after(
        &self,
        event: Option<i64>,
        last: Option<RowPosition>,
        count: u64,
    ) -> Result<Vec<SessionSummary>, Error>;
}

/// Users and their roles.
#[async_trait]
pub trait Users {
    /// All users, by address.
    ///
    /// # Errors
    /// See [`Provider`]; 501 when the provider has no list.
    async fn users(&self) -> Result<Vec<User>, Error>;

    /// Users to choose from for an assignment, by address: all that this service knows of.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn known_users(&self) -> Result<Vec<User>, Error>;

    /// Gives a user a role.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn set_role(&self, email: &str, role: Role) -> Result<UserChangeOutcome, Error>;

    /// Deletes a user with their API tokens and assignments. What they have done stays, with their name.
    ///
    /// # Errors
    /// See [`Provider`]; 501 when the provider can't.
    async fn delete_user(&self, email: &str) -> Result<UserChangeOutcome, Error>;

    /// Makes the user when missing; the role of one who exists stays. The role they have.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn ensure_user(&self, email: &str, name: &str, role: Role) -> Result<Role, Error>;

    /// Notes a sign-in, and makes the user when missing. The time of the sign-in, not before that of the user.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn sign_in(&self, profile: &Profile) -> Result<Moment, Error>;

    /// Who has that address, with `role_max` at most and the assignments that count; nobody when they have been
    /// deleted after `since`, also when they are back.
    ///
    /// # Errors
    /// See [`Provider`].
    async fn identify(&self, email: &str, since: Moment, role_max: Role) -> Result<Option<Identity>, Error>;
}
