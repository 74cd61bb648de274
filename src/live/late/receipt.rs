//! The receipt of a version that a decision about late work has made. It is signed in the same transaction, since
//! nobody can tell later by which commands that version came about: the next decision may take them back.

use std::sync::Arc;

use actix_web::web::block;
use domain::attempt::{QuestionCell, ValueKind};

use super::LateTest;
use crate::database::Transaction;
use crate::error::Error;
use crate::live::Live;
use crate::store::receipts::{self, NewReceipt};
use crate::store::version_rows::{self, ReceiptFacts};

impl LateTest {
    /// Stores the receipt of a version that has these values.
    pub(super) async fn store_receipt(
        &self,
        live: &Live,
        transaction: &Transaction,
        version: u32,
        cells: &[QuestionCell],
    ) -> Result<(), Error> {
        let name = (self.session.session_id, i32::try_from(version).map_err(Error::internal)?);
        let Some(row) = version_rows::find(&**transaction, name.0, name.1).await? else { return Ok(()) };
        let seqs = cells.iter().enumerate().map(|(position, cell)| (position, cell.seq(ValueKind::Choice))).collect();
        let seq = cells.iter().flat_map(|cell| cell.seqs).max().unwrap_or_default();
        let facts = ReceiptFacts { seqs, seq, deadline: Some(self.attempt.timer.deadline()) };
        let signer = Arc::clone(&live.services.signer);
        // Drawings may be megabytes.
        let making = block(move || signer.of_row(row, &facts)).await;
        let jws = making.map_err(Error::internal)?.map_err(Error::Internal)?;
        receipts::insert(&**transaction, &[NewReceipt { name, jws }]).await?;
        Ok(())
    }
}
