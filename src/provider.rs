//! Where assessment data is kept: in this server's own database (`local`) or in an external service (`api`). Handlers
//! see one family of traits and do not know which of the two `DATA_PROVIDER` has chosen.

#![warn(missing_docs)]

pub mod api;
pub mod contract;
pub mod local;

use std::sync::Arc;

use async_trait::async_trait;
use domain::access::{Duty, Grades, Identity, Profile, Role, User};
use domain::exchange::written::WrittenQuestion;
use domain::exchange::{ImportPreview, QuestionRows};
use domain::grade::Grade;
use domain::progress::Tally;
use domain::question::Question;
use domain::resources::{
    Approval, Assignment, Edit, EditRequest, Importer, Review, RowPosition, SessionEntry, SessionFilter,
    SessionSummary, UserChangeOutcome, WriteCounts,
};
use domain::review::ReviewOutcome;
use domain::session::Session;
use domain::sight::SchoolSight;
use domain::sitting::values::FieldChange;
use domain::time::moment::Moment;
use futures_util::stream::BoxStream;
use uuid::Uuid;

use crate::clock::Clock;
use crate::config::{Config, DataProvider};
use crate::database::Database;
use crate::error::Error;
use crate::store::edits::EditError;
use crate::store::pictures::NewPicture;
use crate::store::questions::WriteProgress;
use crate::store::retired::{RetiredQuestion, Retirement};
use crate::store::rewritten::{RewriteCounts, Rewriting};
use crate::store::written::WriteError;
use api::ExternalProvider;
use local::LocalProvider;

/// All requests for assessment data. Every method fails with 503 when the server's own database is unavailable, with
/// 502 when an external service fails, and with 504 when that service is too slow.
pub trait Provider:
    Questions + Reviews + Edits + Assignments + Approvals + Sessions + Users + ProviderState + Send + Sync
{
}

impl<T> Provider for T where
    T: Questions + Reviews + Edits + Assignments + Approvals + Sessions + Users + ProviderState + Send + Sync
{
}

/// The message of 501, for requests that the contract of external services does not have.
pub const NO_SUCH_CALL: &str = "Not available from the external data provider";

/// The provider that the configuration has chosen.
pub struct Opened {
    /// The provider as handlers use it.
    pub provider: Arc<dyn Provider>,
    /// The same provider when it is external. The server runs its background tasks: refreshing copies and sending.
    pub external: Option<Arc<ExternalProvider>>,
}

/// Opens the provider that the configuration has chosen. For an external one, `database` keeps the copies that exams
/// need while the service is down.
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

/// What the provider says about itself.
pub trait ProviderState {
    /// `local` or `api`, as in `DATA_PROVIDER`.
    fn kind(&self) -> &'static str;

    /// False while an external service fails, as far as the last calls have shown.
    fn is_answering(&self) -> bool;
}

/// The question banks.
#[async_trait]
pub trait Questions {
    /// Makes sure that a grade's bank is in this server's own tables, where exams read it. Call it before every such
    /// read. A bank that has never been here is fetched before this returns.
    ///
    /// # Errors
    /// When the bank has never been here and cannot be fetched.
    async fn keep_bank(&self, grade: Grade) -> Result<(), Error>;

    /// The present bank of a grade, edits and imports included, ordered by id.
    async fn bank(&self, grade: Grade) -> Result<Vec<Question>, Error>;

    /// Adds the valid rows of a workbook, and stores those of the pictures that they show, of which there are none for
    /// an external service. A row with the id of a stored question overwrites it, and the changes are logged as edits
    /// by `by`; an external service logs them as it likes.
    ///
    /// # Errors
    /// See [`Provider`]. Also 400, with a message, when an external service refuses the rows.
    async fn import(
        &self,
        rows: &mut QuestionRows,
        pictures: Vec<NewPicture>,
        by: &Importer,
        progress: WriteProgress<'_>,
    ) -> Result<WriteCounts, Error>;

    /// Returns what [`Questions::import`] would do now, and writes nothing.
    async fn count_import(&self, rows: &mut QuestionRows) -> Result<ImportPreview, Error>;

    /// Edits a question, logs the changes and returns the edit's id.
    ///
    /// # Errors
    /// After an error the question is as it was.
    async fn edit(&self, asked: EditRequest<'_>) -> Result<Uuid, EditError>;

    /// Adds a question that somebody has written, unless there is one of its id. Returns the one that is there now.
    ///
    /// # Errors
    /// After an error the bank is as it was.
    async fn create(&self, written: WrittenQuestion, by: &Importer) -> Result<Question, WriteError>;

    /// Says where the questions are whether anyone may read their keys; this server's own tables say it besides.
    ///
    /// # Errors
    /// See [`Provider`]. Also 501 when an external service is to take back what is said.
    async fn mark(&self, ids: &[String], practice: &FieldChange<bool>, by: &Importer) -> Result<(), Error>;

    /// The retired questions of a grade, those that were retired last first.
    ///
    /// # Errors
    /// See [`Provider`]. Also 501 when the provider retires no questions.
    async fn retired(&self, grade: Grade) -> Result<Vec<RetiredQuestion>, Error>;

    /// Takes a question out of the bank, unless a template has it in a list.
    ///
    /// # Errors
    /// As [`Questions::retired`].
    async fn retire(&self, question_id: &str, by: &str) -> Result<Retirement, Error>;

    /// Brings a retired question back as it was. Returns false if there is no such retired question.
    ///
    /// # Errors
    /// As [`Questions::retired`].
    async fn restore(&self, question_id: &str) -> Result<bool, Error>;

    /// Writes questions anew that stand as they are known, and leaves all others; the changes are logged as edits by
    /// `by`.
    ///
    /// # Errors
    /// As [`Questions::retired`]. After an error nothing has been written.
    async fn rewrite(&self, rewritings: Vec<Rewriting>, by: &Importer) -> Result<RewriteCounts, Error>;
}

/// Decisions on questions.
#[async_trait]
pub trait Reviews {
    /// The questions of a grade, and the reviews of those that have one.
    async fn reviewed_bank(&self, grade: Grade) -> Result<(Vec<Question>, Vec<Review>), Error>;

    /// Stores a review. It replaces the question's last review.
    async fn put_review(&self, grade: Grade, review: Review) -> Result<ReviewOutcome, Error>;

    /// Counts questions by grade, status and reviewer. Every question counts once.
    async fn tallies(&self) -> Result<Vec<Tally>, Error>;
}

/// The log of edits.
pub trait Edits {
    /// Streams the edits of one grade or of all, newest first, in pages. The log only grows, so it is never loaded as a
    /// whole.
    fn edits(&self, grade: Option<Grade>) -> BoxStream<'static, Result<Vec<Edit>, Error>>;
}

/// Who reviews which grades, and who signs them off.
#[async_trait]
pub trait Assignments {
    /// All assignments of a duty, ordered by address.
    async fn assignments(&self, duty: Duty) -> Result<Vec<Assignment>, Error>;

    /// Stores an assignment. It replaces the person's earlier assignment of that duty.
    async fn put_assignment(&self, duty: Duty, assignment: Assignment) -> Result<(), Error>;

    /// Removes an assignment. A missing one is not an error.
    async fn remove_assignment(&self, duty: Duty, email: &str) -> Result<(), Error>;
}

/// The sign-off of grades.
#[async_trait]
pub trait Approvals {
    /// All decisions, newest first.
    async fn approvals(&self) -> Result<Vec<Approval>, Error>;

    /// The decisions of one manager on these grades, newest first.
    async fn approvals_of(&self, manager_email: &str, grades: Grades) -> Result<Vec<Approval>, Error>;

    /// Stores a decision. It replaces the same manager's earlier decision on that grade.
    async fn put_approval(&self, approval: Approval) -> Result<(), Error>;
}

/// Finished tests.
#[async_trait]
pub trait Sessions {
    /// The session of that id, or `None`.
    async fn session(&self, session_id: Uuid) -> Result<Option<Session>, Error>;

    /// The next of all sessions after `last`, newest first: at most `count`.
    ///
    /// # Errors
    /// See [`Provider`]. Also 501 when the provider has no list of sessions.
    async fn summaries_after(
        &self,
        sight: SchoolSight,
        last: Option<RowPosition>,
        count: u64,
    ) -> Result<Vec<SessionSummary>, Error>;

    /// The next sessions after `last` that pass the filter, newest first: at most `count`.
    ///
    /// # Errors
    /// See [`Provider`]. Also 501 when the provider has no list of sessions.
    async fn entries_after(
        &self,
        sight: SchoolSight,
        filter: &SessionFilter,
        last: Option<RowPosition>,
        count: u64,
    ) -> Result<Vec<SessionEntry>, Error>;

    /// A page, counted from 0, of the sessions that pass the filter, newest first, and the number of all of them.
    ///
    /// # Errors
    /// See [`Provider`]. Also 501 when the provider has no list of sessions.
    async fn session_page(
        &self,
        sight: SchoolSight,
        filter: &SessionFilter,
        page: u64,
        per_page: u64,
    ) -> Result<(Vec<SessionEntry>, u64), Error>;
}

/// Users and their roles.
#[async_trait]
pub trait Users {
    /// All users, ordered by address.
    ///
    /// # Errors
    /// See [`Provider`]. Also 501 when the provider has no list of users.
    async fn users(&self) -> Result<Vec<User>, Error>;

    /// The users that an admin can choose from for an assignment, ordered by address. With an external service these
    /// are the ones that this server has copies of, since the service has no list.
    async fn known_users(&self) -> Result<Vec<User>, Error>;

    /// Changes a user's role, unless that would leave no admin.
    async fn set_role(&self, email: &str, role: Role) -> Result<UserChangeOutcome, Error>;

    /// Deletes a user with their API tokens and assignments. Their reviews, edits and decisions stay, with their name.
    ///
    /// # Errors
    /// See [`Provider`]. Also 501 when the provider cannot delete users.
    async fn delete_user(&self, email: &str) -> Result<UserChangeOutcome, Error>;

    /// Creates a user who has not signed in yet; `None` if there is one of that address.
    async fn create_user(&self, email: &str, name: &str, role: Role) -> Result<Option<User>, Error>;

    /// Creates a user when there is none of that address; an existing one keeps their role. Returns the role that the
    /// user has.
    async fn ensure_user(&self, email: &str, name: &str, role: Role) -> Result<Role, Error>;

    /// Notes a sign-in, and creates the user when there is none. Returns the time of the sign-in, which is never before
    /// the user's creation.
    async fn sign_in(&self, profile: &Profile) -> Result<Moment, Error>;

    /// Identifies the user of that address, with the lower of their role and `role_max`, and with the assignments of
    /// that role. Returns `None` when the user was deleted after `since`, even if there is a new user of the same
    /// address.
    async fn identify(&self, email: &str, since: Moment, role_max: Role) -> Result<Option<Identity>, Error>;
}
