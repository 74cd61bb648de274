//! The name of the exam of a finished test, which is the title of its report and stands on the sheet for
//! parents.

use domain::session::Session;

use crate::database::Database;
use crate::error::Error;
use crate::store::{sittings, templates};

/// The name of its sitting, or else of the template that it was practised with; `None` for any other test. The template
/// of a sitting is named nowhere, since it tells which paper it was.
pub async fn find(database: &Database, session: &Session) -> Result<Option<String>, Error> {
    match (session.sitting_id, session.template_id) {
        (Some(id), _) => Ok(sittings::find_name(database, id).await?),
        (None, Some(id)) => Ok(templates::load_names(database, [id]).await?.remove(&id)),
        (None, None) => Ok(None),
    }
}
