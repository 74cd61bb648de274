//! Classes: lists of people that the school keeps, from which rosters are filled (`docs/decisions/0081-classes.md`).
//! They stand above sittings, which know nothing of them: a roster keeps whom a class has brought.

pub mod admin;
pub mod join;
pub mod people;
pub mod view;

use std::sync::Arc;

use domain::access::Identity;
use domain::grade::Grade;
use domain::sitting::class::Class;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::auth::caller::NOT_ASSIGNED;
use crate::base::Base;
use crate::clock::Clock;
use crate::database::{Database, Transaction};
use crate::error::Error;
use crate::http::fallback::NOT_FOUND;
use crate::http::if_match::IfMatch;
use crate::sittings::{Sittings, known, may_manage};
use crate::store::classes;

/// The answer to a change of another version than the present one.
const CLASS_CHANGED: &str = "Class has changed";
/// The answer to a name that another class of the grade has.
const CLASS_EXISTS: &str = "Class exists";
/// The answer to a class beyond those that may be kept.
const TOO_MANY_CLASSES: &str = "There are too many classes";

/// The lists of people, by those who keep them.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(admin::list)
        .service(admin::create)
        .service(admin::read)
        .service(admin::change)
        .service(admin::remove)
        .service(people::replace)
        .service(join::join);
}

/// What classes are kept with, and the sittings that their people join.
pub struct Classes {
    database: Database,
    clock: Clock,
    sittings: Arc<Sittings>,
}

impl Classes {
    #[must_use]
    pub fn open(base: &Base, sittings: &Arc<Sittings>) -> Self {
        Self { database: base.database.clone(), clock: base.clock.clone(), sittings: Arc::clone(sittings) }
    }

    /// The class of that id, if the caller keeps it.
    ///
    /// # Errors
    /// 404 for an unknown one, 403 for one of a grade that is not theirs.
    async fn find(&self, caller: &Identity, id: &str) -> Result<Class, Error> {
        self.sittings.here()?;
        let class = classes::find(&self.database.read, known(id)?).await?.ok_or(Error::NotFound(NOT_FOUND))?;
        refuse_others(caller, class.grade)?;
        Ok(class)
    }

    /// The same under its lock, in the version that the request names: what has changed since it was found counts.
    async fn lock(
        &self,
        transaction: &Transaction,
        caller: &Identity,
        id: Uuid,
        if_match: &IfMatch,
    ) -> Result<Class, Error> {
        let class = classes::lock(transaction, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
        refuse_others(caller, class.grade)?;
        if_match.check(class.version(), CLASS_CHANGED)?;
        Ok(class)
    }
}

/// Refuses (403) a grade whose classes the caller does not keep.
fn refuse_others(caller: &Identity, grade: Grade) -> Result<(), Error> {
    if may_manage(caller, &[grade]) { Ok(()) } else { Err(Error::Forbidden(NOT_ASSIGNED)) }
}
