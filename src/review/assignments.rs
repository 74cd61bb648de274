//! Assigns reviewers to grades, and people who sign them off.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, get, post};
use domain::access::{Duty, Grades, User, normal_email, staff_email};
use domain::grade::Grade;
use domain::resources::Assignment;
use domain::text;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::{Admin, Callers};
use crate::auth::refusals::AdminRefusals;
use crate::clock::Clock;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::audit::{note_detail, note_subject};
use crate::http::fields::JsonFields;
use crate::provider::Provider;

/// Assignments and the users to choose from, both ordered by e-mail address.
#[derive(Serialize, ToSchema)]
struct AssignmentList {
    assignments: Vec<Assignment>,
    users: Vec<User>,
}

/// The body of an assignment.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
struct Assign {
    /// Compared without regard to case.
    email: String,
    name: String,
    #[schema(min_items = 1)]
    grades: Vec<Grade>,
}

/// Makes the handlers for one duty.
macro_rules! assignment_routes {
    (
        $duty:expr;
        paths: $path:tt, $path_of_one:tt;
        $list:ident: $list_id:tt, $about_list:tt, $listed:tt;
        $assign:ident: $assign_id:tt, $about_assign:tt;
        $remove:ident: $remove_id:tt, $about_remove:tt;
    ) => {
        #[doc = $about_list]
        #[utoipa::path(
            operation_id = $list_id,
            tag = "administration",
            security(("api_token" = [])),
            responses(
                (status = 200, description = $listed, body = AssignmentList),
                AdminRefusals,
            )
        )]
        #[get($path)]
        pub async fn $list(_admin: Admin, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
            list($duty, &**provider).await
        }

        #[doc = $about_assign]
        #[utoipa::path(
            operation_id = $assign_id,
            tag = "administration",
            security(("api_token" = [])),
            request_body = Assign,
            responses(
                (status = 200, description = "Assigned", body = Done),
                (status = 400, description = "`Invalid email`, `Invalid name` or `Invalid grades`", body = ErrorBody),
                AdminRefusals,
            )
        )]
        #[post($path)]
        pub async fn $assign(
            asked: After<Admin, JsonFields>,
            provider: Data<dyn Provider>,
            callers: Data<Callers>,
            clock: Data<Clock>,
        ) -> Result<HttpResponse, Error> {
            assign($duty, asked, &**provider, &callers, &clock).await
        }

        #[doc = $about_remove]
        #[utoipa::path(
            operation_id = $remove_id,
            tag = "administration",
            security(("api_token" = [])),
            params(("email" = String, Path, description = "URL-encoded")),
            responses(
                (status = 200, description = "Removed, or there was none", body = Done),
                AdminRefusals,
            )
        )]
        #[delete($path_of_one)]
        pub async fn $remove(
            asked: After<Admin, Path<String>>,
            provider: Data<dyn Provider>,
            callers: Data<Callers>,
        ) -> Result<HttpResponse, Error> {
            remove($duty, asked, &**provider, &callers).await
        }
    };
}

assignment_routes! {
    Duty::Reviewer;
    paths: "/api/admin/review/assignments", "/api/admin/review/assignments/{email}";
    reviewers: "listReviewerAssignments", "Lists who reviews which grades.", "Reviewers' assignments, and all users";
    assign_reviewer: "assignReviewer", "Assigns a reviewer to grades, in place of any earlier assignment.";
    remove_reviewer: "removeReviewerAssignment", "Removes a reviewer's assignment.";
}

assignment_routes! {
    Duty::Manager;
    paths: "/api/admin/review/managers", "/api/admin/review/managers/{email}";
    managers: "listManagerAssignments", "Lists who signs off which grades.", "Managers' assignments, and all users";
    assign_manager: "assignManager", "Assigns a manager to grades, in place of any earlier assignment.";
    remove_manager: "removeManagerAssignment", "Removes a manager's assignment.";
}

async fn list(duty: Duty, provider: &dyn Provider) -> Result<HttpResponse, Error> {
    let assignments = provider.assignments(duty).await?;
    let users = provider.known_users().await?;
    Ok(HttpResponse::Ok().json(AssignmentList { assignments, users }))
}

async fn assign(
    duty: Duty,
    asked: After<Admin, JsonFields>,
    provider: &dyn Provider,
    callers: &Callers,
    clock: &Clock,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), fields) = asked;
    let email = fields.parsed("email", staff_email)?;
    let name = fields.parsed("name", text::name)?;
    let grades: Grades = fields.required("grades")?;
    if grades.is_empty() {
        return Err(Error::invalid("grades"));
    }
    let numbers: Vec<String> = grades.iter().map(|grade| grade.number().to_string()).collect();
    note_subject(&email, &numbers.join(", "));
    let assignment = Assignment { email, name, grades, assigned_by: admin.email, assigned_at: clock.now() };
    provider.put_assignment(duty, assignment).await?;
    callers.forget();
    Ok(done())
}

async fn remove(
    duty: Duty,
    asked: After<Admin, Path<String>>,
    provider: &dyn Provider,
    callers: &Callers,
) -> Result<HttpResponse, Error> {
    let After(_admin, email) = asked;
    note_detail("none");
    // A text that is not an address has no assignment to remove.
    if let Some(email) = normal_email(&email) {
        provider.remove_assignment(duty, &email).await?;
        callers.forget();
    }
    Ok(done())
}
