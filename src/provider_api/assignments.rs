//! The assignments of reviewers and of signers-off to grades.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, get, put};
use domain::access::{Duty, Grades, normal_email, staff_email};
use domain::grade::Grade;
use domain::resources::Assignment;
use utoipa::ToSchema;

use super::key::{KeyRefusal, ProviderKey};
use super::people::{address_of, optional_address, shown_name, time};
use crate::auth::caller::Callers;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::fields::JsonFields;
use crate::provider::Provider;
use crate::store::assignments;

const ASSIGNMENT_NOT_FOUND: &str = "Assignment not found";

/// The body of an assignment.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
struct Assign {
    /// The address in the path. May be left out.
    email: Option<String>,
    /// May be empty.
    name: Option<String>,
    #[schema(min_items = 1)]
    grades: Vec<Grade>,
    /// The admin's e-mail address. May be empty.
    assigned_by: Option<String>,
    /// ISO 8601; the present time when left out.
    #[schema(format = DateTime)]
    assigned_at: Option<String>,
}

/// Returns a reviewer's assignment.
#[utoipa::path(
    operation_id = "readReviewerAssignment",
    tag = "assignments",
    security(("key" = [])),
    params(("email" = String, Path, description = "E-mail address, URL-encoded")),
    responses(
        (status = 200, description = "The assignment", body = Assignment),
        KeyRefusal,
        (status = 404, description = "`Assignment not found`", body = ErrorBody),
    )
)]
#[get("/assignments/{email}")]
pub async fn reviewer(
    asked: After<ProviderKey, Path<String>>,
    database: Data<Database>,
) -> Result<HttpResponse, Error> {
    let After(_key, email) = asked;
    let email = normal_email(&email).ok_or(Error::NotFound(ASSIGNMENT_NOT_FOUND))?;
    let found = assignments::find(&database, Duty::Reviewer, &email).await?;
    Ok(HttpResponse::Ok().json(found.ok_or(Error::NotFound(ASSIGNMENT_NOT_FOUND))?))
}

/// Makes the handlers for one duty.
macro_rules! contract_assignment_routes {
    (
        $duty:expr;
        paths: $path:tt, $path_of_one:tt;
        $list:ident: $list_id:tt, $about_list:tt;
        $assign:ident: $assign_id:tt, $about_assign:tt;
        $remove:ident: $remove_id:tt, $about_remove:tt;
    ) => {
        #[doc = $about_list]
        #[utoipa::path(
            operation_id = $list_id,
            tag = "assignments",
            security(("key" = [])),
            responses(
                (status = 200, description = "All of them", body = Vec<Assignment>),
                KeyRefusal,
            )
        )]
        #[get($path)]
        pub async fn $list(_key: ProviderKey, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
            Ok(HttpResponse::Ok().json(provider.assignments($duty).await?))
        }

        #[doc = $about_assign]
        #[utoipa::path(
            operation_id = $assign_id,
            tag = "assignments",
            security(("key" = [])),
            params(("email" = String, Path, description = "E-mail address, URL-encoded")),
            request_body = Assign,
            responses(
                (status = 200, description = "Assigned", body = Done),
                (status = 400, description = "`Invalid email`, `Invalid name`, `Invalid grades`, `Invalid assignedBy` or `Invalid assignedAt`", body = ErrorBody),
                KeyRefusal,
            )
        )]
        #[put($path_of_one)]
        pub async fn $assign(
            asked: After<ProviderKey, After<Path<String>, JsonFields>>,
            provider: Data<dyn Provider>,
            callers: Data<Callers>,
            clock: Data<Clock>,
        ) -> Result<HttpResponse, Error> {
            assign($duty, asked, &**provider, &callers, &clock).await
        }

        #[doc = $about_remove]
        #[utoipa::path(
            operation_id = $remove_id,
            tag = "assignments",
            security(("key" = [])),
            params(("email" = String, Path, description = "E-mail address, URL-encoded")),
            responses(
                (status = 200, description = "Removed, or there was none", body = Done),
                KeyRefusal,
            )
        )]
        #[delete($path_of_one)]
        pub async fn $remove(
            asked: After<ProviderKey, Path<String>>,
            provider: Data<dyn Provider>,
            callers: Data<Callers>,
        ) -> Result<HttpResponse, Error> {
            remove($duty, asked, &**provider, &callers).await
        }
    };
}

contract_assignment_routes! {
    Duty::Reviewer;
    paths: "/assignments", "/assignments/{email}";
    reviewers: "listReviewerAssignments", "Lists the assignments of all reviewers, ordered by address.";
    assign_reviewer: "assignReviewer", "Assigns a reviewer to grades, in place of any earlier assignment.";
    remove_reviewer: "removeReviewerAssignment", "Removes a reviewer's assignment.";
}

contract_assignment_routes! {
    Duty::Manager;
    paths: "/manager-assignments", "/manager-assignments/{email}";
    managers: "listManagerAssignments", "Lists the assignments of all managers, ordered by address.";
    assign_manager: "assignManager", "Assigns a manager to grades, in place of any earlier assignment.";
    remove_manager: "removeManagerAssignment", "Removes a manager's assignment.";
}

async fn assign(
    duty: Duty,
    asked: After<ProviderKey, After<Path<String>, JsonFields>>,
    provider: &dyn Provider,
    callers: &Callers,
    clock: &Clock,
) -> Result<HttpResponse, Error> {
    let After(_key, After(path, fields)) = asked;
    let email = staff_email(&address_of(&path, &fields, "email")?).ok_or_else(|| Error::invalid("email"))?;
    let name = shown_name(&fields, "name")?;
    let grades: Grades = fields.required("grades")?;
    if grades.is_empty() {
        return Err(Error::invalid("grades"));
    }
    let (assigned_by, assigned_at) = (optional_address(&fields, "assignedBy")?, time(&fields, "assignedAt", clock)?);
    provider.put_assignment(duty, Assignment { email, name, grades, assigned_by, assigned_at }).await?;
    callers.forget();
    Ok(done())
}

async fn remove(
    duty: Duty,
    asked: After<ProviderKey, Path<String>>,
    provider: &dyn Provider,
    callers: &Callers,
) -> Result<HttpResponse, Error> {
    let After(_key, email) = asked;
    // A text that is not an address has no assignment to remove.
    if let Some(email) = normal_email(&email) {
        provider.remove_assignment(duty, &email).await?;
        callers.forget();
    }
    Ok(done())
}
