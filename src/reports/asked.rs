//! The questions of a finished test for its report: as they were asked, as far as the reader may see them.

use std::collections::HashMap;

use domain::session::{AskedQuestion, Session};
use domain::sight::Reader;

use crate::database::Database;
use crate::error::Error;
use crate::provider::Provider;
use crate::sessions::read::withhold;
use crate::store::embargo::{Embargo, WithheldPart};
use crate::store::former_questions;
use crate::store::retired::load_asked;

/// What a report shows of a paper.
#[derive(Debug, Default)]
pub struct AskedPaper {
    /// By id. A question of which no text is known, or that is withheld, is missing.
    pub questions: HashMap<String, AskedQuestion>,
    pub withheld: Option<WithheldPart>,
}

impl AskedPaper {
    /// Reads what was asked: versions that the bank has, and those that it had.
    pub async fn load(
        session: &Session,
        reader: Reader,
        provider: &dyn Provider,
        database: &Database,
        embargo: &Embargo,
    ) -> Result<Self, Error> {
        provider.keep_bank(session.grade).await?;
        let bank = load_asked(database, session.question_ids()).await?;
        let former = former_questions::load(database, &session.missing(&bank)).await?;
        let mut questions = session.asked(bank, former);
        let withheld = withhold(session, reader, &mut questions, database, embargo).await?;
        Ok(Self { questions, withheld })
    }
}
