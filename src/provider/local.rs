//! The provider whose data is in this server's own database. It only connects the traits with `src/store`.

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
use futures_util::stream::{self, BoxStream, StreamExt};
use uuid::Uuid;

use crate::clock::Clock;
use crate::database::Database;
use crate::error::Error;
use crate::provider;
use crate::store::edits::EditError;
use crate::store::pictures::NewPicture;
use crate::store::questions::WriteProgress;
use crate::store::retired::{self, RetiredQuestion, Retirement};
use crate::store::rewritten::{self, RewriteCounts, Rewriting};
use crate::store::written::{self, WriteError};
use crate::store::{approvals, assignments, edits, imports, questions, reviews, session_lists, sessions, stats, users};

/// Edits in memory at once. One edit can hold all texts of a question twice, before and after, so pages are short.
const EDITS_AT_ONCE: usize = 100;

/// Assessment data in the server's own database.
#[derive(Clone)]
pub struct LocalProvider {
    database: Database,
    clock: Clock,
    /// The person with this address becomes admin at their sign-in. `None`: the first person to sign in does, once.
    admin_email: Option<String>,
}

impl LocalProvider {
    /// Keeps its data in this database.
    #[must_use]
    pub fn new(database: Database, clock: Clock, admin_email: Option<String>) -> Self {
        Self { database, clock, admin_email }
    }
}

impl provider::ProviderState for LocalProvider {
    fn kind(&self) -> &'static str {
        "local"
    }

    fn is_answering(&self) -> bool {
        true
    }
}

#[async_trait]
impl provider::Questions for LocalProvider {
    async fn keep_bank(&self, _: Grade) -> Result<(), Error> {
        Ok(())
    }

    async fn bank(&self, grade: Grade) -> Result<Vec<Question>, Error> {
        Ok(questions::load_bank(&self.database, grade).await?)
    }

    async fn import(
        &self,
        rows: &mut QuestionRows,
        pictures: Vec<NewPicture>,
        by: &Importer,
        progress: WriteProgress<'_>,
    ) -> Result<WriteCounts, Error> {
        Ok(imports::put(&self.database, (rows, pictures), by, &self.clock, progress).await?)
    }

    async fn count_import(&self, rows: &mut QuestionRows) -> Result<ImportPreview, Error> {
        Ok(imports::count(&self.database, rows).await?)
    }

    async fn edit(&self, asked: EditRequest<'_>) -> Result<Uuid, EditError> {
        edits::apply(&self.database, asked, &self.clock).await
    }

    async fn create(&self, written: WrittenQuestion, by: &Importer) -> Result<Question, WriteError> {
        written::put(&self.database, written, by, &self.clock).await
    }

    async fn mark(&self, _: &[String], _: &FieldChange<bool>, _: &Importer) -> Result<(), Error> {
        Ok(())
    }

    async fn retired(&self, grade: Grade) -> Result<Vec<RetiredQuestion>, Error> {
        Ok(retired::load_of_grade(&self.database, grade).await?)
    }

    async fn retire(&self, question_id: &str, by: &str) -> Result<Retirement, Error> {
        Ok(retired::retire(&self.database, question_id, by, self.clock.now()).await?)
    }

    async fn restore(&self, question_id: &str) -> Result<bool, Error> {
        Ok(retired::restore(&self.database, question_id).await?)
    }

    async fn rewrite(&self, rewritings: Vec<Rewriting>, by: &Importer) -> Result<RewriteCounts, Error> {
        Ok(rewritten::put(&self.database, &rewritings, by, &self.clock).await?)
    }
}

#[async_trait]
impl provider::Reviews for LocalProvider {
    async fn reviewed_bank(&self, grade: Grade) -> Result<(Vec<Question>, Vec<Review>), Error> {
        Ok((questions::load_bank(&self.database, grade).await?, reviews::load_of_grade(&self.database, grade).await?))
    }

    async fn put_review(&self, grade: Grade, review: Review) -> Result<ReviewOutcome, Error> {
        Ok(reviews::put(&self.database, grade, review).await?)
    }

    async fn tallies(&self) -> Result<Vec<Tally>, Error> {
        Ok(stats::load_tallies(&self.database).await?)
    }
}

impl provider::Edits for LocalProvider {
    fn edits(&self, grade: Option<Grade>) -> BoxStream<'static, Result<Vec<Edit>, Error>> {
        let pages = stream::try_unfold((self.database.clone(), Some(None)), move |(database, next)| async move {
            let Some(last) = next else { return Ok(None) };
            // One edit more than a page holds is read, to see whether another page follows.
            let mut edits = edits::load_after(&database, grade, last, EDITS_AT_ONCE as u64 + 1).await?;
            let has_more = edits.len() > EDITS_AT_ONCE;
            edits.truncate(EDITS_AT_ONCE);
            let next = edits.last().filter(|_| has_more).map(|last| Some(last.place()));
            Ok(Some((edits, (database, next))))
        });
        pages.boxed()
    }
}

#[async_trait]
impl provider::Assignments for LocalProvider {
    async fn assignments(&self, duty: Duty) -> Result<Vec<Assignment>, Error> {
        Ok(assignments::load_all(&self.database, duty).await?)
    }

    async fn put_assignment(&self, duty: Duty, assignment: Assignment) -> Result<(), Error> {
        Ok(assignments::put(&self.database, duty, &assignment).await?)
    }

    async fn remove_assignment(&self, duty: Duty, email: &str) -> Result<(), Error> {
        Ok(assignments::delete(&self.database, duty, email).await?)
    }
}

#[async_trait]
impl provider::Approvals for LocalProvider {
    async fn approvals(&self) -> Result<Vec<Approval>, Error> {
        Ok(approvals::load_all(&self.database).await?)
    }

    async fn approvals_of(&self, manager_email: &str, grades: Grades) -> Result<Vec<Approval>, Error> {
        Ok(approvals::load_of_manager(&self.database, manager_email, grades).await?)
    }

    async fn put_approval(&self, approval: Approval) -> Result<(), Error> {
        Ok(approvals::put(&self.database, approval).await?)
    }
}

#[async_trait]
impl provider::Sessions for LocalProvider {
    async fn session(&self, session_id: Uuid) -> Result<Option<Session>, Error> {
        Ok(sessions::find_unmarked(&self.database, session_id).await?)
    }

    async fn summaries_after(
        &self,
        sight: SchoolSight,
        last: Option<RowPosition>,
        count: u64,
    ) -> Result<Vec<SessionSummary>, Error> {
        Ok(session_lists::summaries_after(&self.database, sight, last, count).await?)
    }

    async fn entries_after(
        &self,
        sight: SchoolSight,
        filter: &SessionFilter,
        last: Option<RowPosition>,
        count: u64,
    ) -> Result<Vec<SessionEntry>, Error> {
        Ok(session_lists::entries_after(&self.database, sight, filter, last, count).await?)
    }

    async fn session_page(
        &self,
        sight: SchoolSight,
        filter: &SessionFilter,
        page: u64,
        per_page: u64,
    ) -> Result<(Vec<SessionEntry>, u64), Error> {
        Ok(session_lists::page(&self.database, sight, filter, page, per_page).await?)
    }
}

#[async_trait]
impl provider::Users for LocalProvider {
    async fn users(&self) -> Result<Vec<User>, Error> {
        Ok(users::load_all(&self.database).await?)
    }

    async fn known_users(&self) -> Result<Vec<User>, Error> {
        Ok(users::load_all(&self.database).await?)
    }

    async fn set_role(&self, email: &str, role: Role) -> Result<UserChangeOutcome, Error> {
        Ok(users::set_role(&self.database, email, role, self.clock.now()).await?)
    }

    async fn delete_user(&self, email: &str) -> Result<UserChangeOutcome, Error> {
        Ok(users::delete(&self.database, email).await?)
    }

    async fn create_user(&self, email: &str, name: &str, role: Role) -> Result<Option<User>, Error> {
        let user = User {
            email: email.to_owned(),
            name: name.to_owned(),
            image: String::new(),
            role,
            created_at: self.clock.now(),
            last_login: None,
        };
        Ok(users::create(&self.database, &user).await?.then_some(user))
    }

    async fn ensure_user(&self, email: &str, name: &str, role: Role) -> Result<Role, Error> {
        Ok(users::ensure(&self.database, email, name, role, self.clock.now()).await?)
    }

    async fn sign_in(&self, profile: &Profile) -> Result<Moment, Error> {
        Ok(users::sign_in(&self.database, profile, self.admin_email.as_deref(), self.clock.now()).await?)
    }

    async fn identify(&self, email: &str, since: Moment, role_max: Role) -> Result<Option<Identity>, Error> {
        let Some(user) = users::find(&self.database, email, since).await? else { return Ok(None) };
        let role = user.role.min(role_max);
        let (reviewer_of, manager_of) = match role {
            Role::Reviewer | Role::Manager => assignments::load_grades(&self.database, email).await?,
            Role::Student | Role::Admin => Default::default(),
        };
        let (email, name, image) = (user.email, user.name, user.image);
        Ok(Some(Identity { email, name, image, role, reviewer_of, manager_of, deployment: None }))
    }
}
