//! The routes by which classes are listed, made, read, changed and removed.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, get, patch, post};
use domain::grade::Grade;
use domain::sitting::class::{CLASSES_MAX, Class};
use domain::text;
use domain::text::order::compare_names;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::view::{ClassList, ClassWithPeople, OneClass};
use super::{CLASS_EXISTS, Classes, TOO_MANY_CLASSES, refuse_others};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::audit::{note_detail, note_subject};
use crate::http::fields::{Field, JsonFields, body};
use crate::http::if_match::{IfMatch, version_tag};
use crate::sittings::may_manage;
use crate::store::{classes, templates};

/// The answer to the removal of a class that templates are for.
const IN_TEMPLATES: &str = "Templates are for this class";

body! {
    /// A class to make.
    #[schema(examples(json!({ "name": "5A", "grade": 5 })))]
    struct NewClass {
        /// 1 to 200 characters; unique in the grade, whatever the case of its letters.
        #[schema(min_length = 1, max_length = 200)]
        name: String = |field| field.parsed(text::name),
        grade: Grade = Field::required,
    }
}

body! {
    /// The fields of a class to change. The others stay.
    #[schema(examples(json!({ "name": "6A", "grade": 6 })))]
    struct ClassFields {
        #[schema(min_length = 1, max_length = 200)]
        name: Option<String> = |field| field.optional_text(text::name),
        #[schema(value_type = Option<u8>, minimum = 1, maximum = 10)]
        grade: Option<Grade> = Field::optional,
    }
}

/// Which class is changed, in which version, and how.
type ClassRequest = After<Path<String>, After<IfMatch, JsonFields>>;

/// The classes that the caller keeps: all for admins, and for managers those of their grades.
#[utoipa::path(
    operation_id = "listClasses",
    tag = "sittings",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "By grade and name", body = ClassList),
        ManagerRefusals,
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/classes")]
pub async fn list(Manager(caller): Manager, service: Data<Classes>) -> Result<HttpResponse, Error> {
    service.sittings.here()?;
    let mut all = classes::load_all(&service.database.read).await?;
    all.retain(|class| may_manage(&caller, &[class.grade]));
    all.sort_by(|one, other| one.grade.cmp(&other.grade).then_with(|| compare_names(&one.name, &other.name)));
    Ok(HttpResponse::Ok().json(ClassList { classes: all.into_iter().map(Into::into).collect() }))
}

/// Makes a class without people.
#[utoipa::path(
    operation_id = "createClass",
    tag = "sittings",
    security(("api_token" = [])),
    request_body = NewClass,
    responses(
        (status = 200, description = "The class", body = OneClass, headers(("ETag" = String))),
        (status = 400, description = "`Invalid <field>`", body = ErrorBody),
        ManagerRefusals,
        (status = 409, description = "`Class exists`: another one of the grade has this name. Or `There are too many classes`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/classes")]
pub async fn create(asked: After<Manager, JsonFields>, service: Data<Classes>) -> Result<HttpResponse, Error> {
    service.sittings.here()?;
    let After(Manager(caller), fields) = asked;
    let NewClass { name, grade } = NewClass::read(&fields)?;
    refuse_others(&caller, grade)?;
    let (id, now) = (Uuid::new_v4(), service.clock.now());
    let class = Class { id, name, grade, people: 0, created_at: now, updated_at: now, created_by: caller.email };
    note_subject(&class.id.to_string(), &class.name);
    let transaction = service.database.begin().await?;
    if classes::count(&transaction).await? >= CLASSES_MAX as u64 {
        return Err(Error::Conflict(TOO_MANY_CLASSES));
    }
    if !classes::insert(&transaction, &class).await? {
        return Err(Error::Conflict(CLASS_EXISTS));
    }
    transaction.commit().await?;
    Ok(answer(class))
}

/// A class with its people.
#[utoipa::path(
    operation_id = "readClass",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Class id")),
    responses(
        (status = 200, description = "The class", body = ClassWithPeople, headers(("ETag" = String))),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/classes/{id}")]
pub async fn read(asked: After<Manager, Path<String>>, service: Data<Classes>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    let class = service.find(&caller, &id).await?;
    let people = classes::load_people(&service.database.read, class.id).await?;
    let tag = version_tag(class.version());
    let people = people.into_iter().map(Into::into).collect();
    Ok(HttpResponse::Ok().insert_header(tag).json(ClassWithPeople { class: class.into(), people }))
}

/// Changes the name or the grade of a class.
///
/// Without `If-Match` whatever version there is is changed.
#[utoipa::path(
    operation_id = "changeClass",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Class id"),
        ("If-Match" = Option<String>, Header, description = "The version to change, in quotes"),
    ),
    request_body = ClassFields,
    responses(
        (status = 200, description = "The class", body = OneClass, headers(("ETag" = String))),
        (status = 400, description = "`Invalid <field>`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Class exists`: another one of the grade has this name", body = ErrorBody),
        (status = 412, description = "`Class has changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[patch("/api/admin/classes/{id}")]
pub async fn change(asked: After<Manager, ClassRequest>, service: Data<Classes>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, After(if_match, fields))) = asked;
    let found = service.find(&caller, &id).await?;
    let ClassFields { name, grade } = ClassFields::read(&fields)?;
    // Nobody gives a class to a grade that they do not manage.
    refuse_others(&caller, grade.unwrap_or(found.grade))?;
    let transaction = service.database.begin().await?;
    let mut class = service.lock(&transaction, &caller, found.id, &if_match).await?;
    class.name = name.unwrap_or(class.name);
    class.grade = grade.unwrap_or(class.grade);
    class.touch(service.clock.now());
    note_detail(&class.name);
    if !classes::save(&transaction, &class).await? {
        return Err(Error::Conflict(CLASS_EXISTS));
    }
    transaction.commit().await?;
    Ok(answer(class))
}

/// A class cannot be removed.
#[derive(Serialize, ToSchema)]
struct ClassInUse {
    error: &'static str,
    /// The names of the templates that are for it and have not closed, in order; the first 100.
    templates: Vec<String>,
}

/// Removes a class. Sittings keep those who have joined them; a template that is for it has to be for others before, or
/// to have closed: otherwise nobody could begin it any more, or go on with it on another device.
#[utoipa::path(
    operation_id = "deleteClass",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Class id"),
        ("If-Match" = Option<String>, Header, description = "The version to remove, in quotes"),
    ),
    responses(
        (status = 200, description = "Removed", body = Done),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Templates are for this class`: these have to let go of it first", body = ClassInUse),
        (status = 412, description = "`Class has changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[delete("/api/admin/classes/{id}")]
pub async fn remove(
    asked: After<Manager, After<Path<String>, IfMatch>>,
    service: Data<Classes>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, if_match)) = asked;
    let found = service.find(&caller, &id).await?;
    let transaction = service.database.begin().await?;
    let class = service.lock(&transaction, &caller, found.id, &if_match).await?;
    note_detail(&class.name);
    let templates = templates::names_for_class(&transaction, class.id, service.clock.now()).await?;
    if !templates.is_empty() {
        transaction.rollback().await?;
        return Ok(HttpResponse::Conflict().json(ClassInUse { error: IN_TEMPLATES, templates }));
    }
    classes::delete(&transaction, class.id).await?;
    transaction.commit().await?;
    Ok(done())
}

/// The answer with the class as it is now.
fn answer(class: Class) -> HttpResponse {
    HttpResponse::Ok().insert_header(version_tag(class.version())).json(OneClass { class: class.into() })
}
